/*! preact 11.2.0, MIT: see LICENSE.preact.txt */var V,Go,gl,Ee,Dn,Ft,Ko,qt,zo,Pn,Nn,yl,ct=Symbol.for("pv"),Vt={},jt=[],vl=/^m(i|n|o|s|text|space)$/,Ln=Array.isArray,qn=jt.slice,De=Object.assign;function Ie(e){e&&e.parentNode&&e.remove()}function Jo(e,t,n){var o,r,a,i={},l=arguments.length;for(a in t)a=="key"?o=t[a]:a=="ref"&&typeof e!="function"?r=t[a]:i[a]=t[a];return l>2&&(i.children=l>3?qn.call(arguments,2):n),lt(e,i,o,r,null)}function lt(e,t,n,o,r){var a={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:ct,__v:r||++Go,__i:-1,__u:0};return!r&&V.vnode&&V.vnode(a),a}function ut(e){return e.children}function Ht(e,t){this.props=e,this.context=t,this.__g=0}function Re(e,t){if(t==null)return e.__&&Re(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:Re(e)}function wl(e){var t,n=e.__v,o=n.__e,r=[],a=[],i=e.__P;i&&((t=De({constructor:ct},n)).__v=n.__v+1,V.vnode&&V.vnode(t),Hn(i,t,n,e.__n,i.namespaceURI,32&n.__u?[o]:null,r,o||Re(n),32&n.__u,a),t.__v=n.__v,t.__.__k[t.__i]=t,tr(r,t,a),n.__=n.__e=null,t.__e!=o&&Xo(t))}function Xo(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),Xo(e)}function Uo(e){(8&e.__g||(e.__g|=8,Ee.push(e),Ft++))&&Dn==V.debounceRendering||((Dn=V.debounceRendering)||queueMicrotask)(Qo)}function Qo(){try{for(var e,t=1;Ee.length;)Ee.length>t&&Ee.sort(Ko),e=Ee.shift(),t=Ee.length,8&e.__g&&wl(e)}finally{(Ft=Ee.length)&&(Dn||queueMicrotask)(Qo)}}function Yo(e,t,n,o,r,a,i,l,c,u,d){var f,p,m,h,x,v,E=o.__k||jt,k=t.length;for(c=Tl(n,t,E,c,k),f=0;f<k;f++)(m=n.__k[f])!=null&&(p=~m.__i&&E[m.__i]||Vt,m.__i=f,v=Hn(e,m,p,r,a,i,l,c,u,d),h=m.__e,(p.ref!=m.ref||8&p.__u)&&(p.ref&&Bn(p.ref,null,m,p),m.ref&&d.push(m.ref,m.__c||h,m)),x=x||h,4&m.__u?(c=Zo(m,c,e,!p.__v),p.__e&&(p.__e=null)):typeof m.type=="function"&&v!==void 0?c=v:h&&(c=h.nextSibling),m.__u&=-21);return n.__e=x,c}function Tl(e,t,n,o,r){var a,i,l,c,u,d,f,p,m,h=n.length,x=h,v=0,E=0,k=e.__k=Array(r);for(a=0;a<r;a++)(i=t[a])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=k[a]=lt(null,i):Ln(i)?i=k[a]=lt(ut,{children:i}):i.constructor===ct&&i.__b?i=k[a]=lt(i.type,i.props,i.key,i.ref,i.__v):k[a]=i,c=a+v,i.__=e,i.__b=e.__b+1,l=null,~(u=i.__i=kl(i,n,c,x))&&(x--,(l=n[u])&&(l.__u|=2)),l&&l.__v?(i.__u|=16,u==c-1?v--:u==c+1?v++:u!=c&&(u>c?v--:v++,E=1)):(~u||(r>h?v--:r<h&&v++),typeof i.type!="function"&&(i.__u|=4))):k[a]=null;if(E){for(d=[],f=[],a=0;a<r;a++)if((i=k[a])&&16&i.__u){for(v=0,p=d.length;v<p;)d[m=v+p>>1]<i.__i?v=m+1:p=m;d[v]=i.__i,f[a]=v+1}for(v=d.length;a--;)f[a]&&(f[a]==v?v--:k[a].__u|=4)}if(x)for(a=0;a<h;a++)!(l=n[a])||2&l.__u||(l.__e==o&&(o=Re(l)),Fn(l,l));return o}function Zo(e,t,n,o){var r,a,i,l;if(typeof e.type=="function"){if(e.props.__P)return t;if(r=e.__k)for(a=0;a<r.length;a++)r[a]&&(r[a].__=e,t=Zo(r[a],t,n,!1));return t}for(t&&!t.parentNode&&(t=Re(e))&&!t.parentNode&&(t=null),i=e.__e,l=t;l&&l.nodeType==8;)l=l.nextSibling;for(i!=l&&(!o&&n.moveBefore&&i.parentNode?n.moveBefore(i,t):n.insertBefore(i,t||null)),t=i;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function kl(e,t,n,o){var r,a=e.key,i=e.type,l=t[n],c=l&&!(2&l.__u);if(l===null&&a==null||c&&a==l.key&&i==l.type)return n;if(o>(c?1:0)){for(r=n-1;r>=0;r--)if((l=t[r])&&!(2&l.__u)&&a==l.key&&i==l.type)return r;for(r=n+1;r<t.length;r++)if((l=t[r])&&!(2&l.__u)&&a==l.key&&i==l.type)return r}return-1}function Wo(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Lt(e,t,n,o,r){var a,i;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.cssText=o=""),o)for(t in o)n&&t in n||Wo(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||Wo(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(i=Nn[t]||(Nn[t]=Sl(t)),(e.__a||(e.__a={}))[t]=Pn,a=t!=(t=t.replace(zo,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,i,a):e.removeEventListener(t,i,a));else{if(r=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function Sl(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[qt]==null)t[qt]=Pn++;else if(t[qt]<this.__a[e])return;return n(V.event?V.event(t):t)}}}function Hn(e,t,n,o,r,a,i,l,c,u){var d,f,p,m,h,x,v,E,k,_,w,F,U,ce,M,oe,re,D,ue=t.type;if(t.constructor!==ct)return null;128&n.__u&&(c=32&n.__u,d=n.__c.__z)&&(t.__u|=c,f=a=[],d.nodeType==8?l=Bt(d,a):a.push(d),l=a[0]||l),(d=V.__b)&&d(t);e:if(typeof ue=="function"){p=i.length;try{if(E=t.props,k=(d=ue.prototype)&&d.render,_=(d=ue.contextType)&&o[d.__c],w=d?_?_.props.value:d.__:o,(m=n.__c)?(t.__c=m,2&m.__g&&(m.__g|=1)):(k?t.__c=m=new ue(E,w):(t.__c=m=new Ht(E,w),m.constructor=ue,m.render=Cl),_&&_.sub(m),m.state||(m.state={}),m.__n=o,m.__g|=8,m.__h=[],m.__k=[]),k&&(m.__s||(m.__s=m.state),ue.getDerivedStateFromProps&&(m.__s==m.state&&(m.__s=De({},m.__s)),De(m.__s,ue.getDerivedStateFromProps(E,m.__s)))),h=m.props,x=m.state,m.__v=t,n.__c){if(E!==h&&k&&!ue.getDerivedStateFromProps&&m.componentWillReceiveProps&&m.componentWillReceiveProps(E,w),t.__v==n.__v&&!(8&m.__g)||!(4&m.__g)&&m.shouldComponentUpdate&&m.shouldComponentUpdate(E,m.__s,w)===!1){t.__v!=n.__v&&(m.props=E,m.state=m.__s,m.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(de){de&&(de.__=t)}),jt.push.apply(m.__h,m.__k),m.__k=[],m.__h.length&&i.push(m),l=Re(n);break e}m.componentWillUpdate&&m.componentWillUpdate(E,m.__s,w),k&&m.componentDidUpdate&&m.__h.push(function(){m.componentDidUpdate(h,x,v)})}else k&&!ue.getDerivedStateFromProps&&m.componentWillMount&&m.componentWillMount(),k&&m.componentDidMount&&m.__h.push(m.componentDidMount);m.context=w,m.props=E,m.__P=e,m.__g&=-5,F=V.__r,U=k?25:0;do m.__g&=-9,F&&F(t),d=m.render(m.props,m.state=m.__s,m.context);while(8&m.__g&&++U<25);k&&(jt.push.apply(m.__h,m.__k),m.__k=[]),m.state=m.__s,m.getChildContext&&(o=De({},o,m.getChildContext())),k&&n.__c&&m.getSnapshotBeforeUpdate&&(v=m.getSnapshotBeforeUpdate(h,x)),ce=d&&d.type===ut&&d.key==null?d.props.children:d,E.__P&&(d=l,r=(e=E.__P).namespaceURI,c=a=null,n.props&&n.props.__P!=e&&(n.__k.some(function(de){de&&Fn(de,de)}),n.__k=null),l=n.__k?Re(n,0):null),l=Yo(e,Ln(ce)?ce:[ce],t,n,o,r,a,i,l,c,u),E.__P&&(t.__e=null,l=d),t.__u&=-161,f&&f.some(Ie),m.__h.length&&i.push(m),1&m.__g&&(m.__g&=-4)}catch(de){if(i.length=p,t.__v=null,c||a)if(de&&de.then){if(t.__u|=128|c,a){for(~(re=a.indexOf(l||void 0))||(re=a.length);(D=a[re-1])&&D.nodeType==8;)re--;for(;re<a.length;re++)if(D=a[re])if(a[re]=null,M){if(D==oe)break}else{if(D.nodeType!=8)break;D.data.startsWith("$s")&&(oe=Bt(M=D))}}if(!M){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;M=l}(d=Bt(M=t.__c.__z||(t.__c.__z=M)))?(t.__e=M,l=d):t.__e=l,l=l&&l.nextSibling}else a&&a.some(Ie);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),de&&de.then||er(t),V.__e(de,t,n)}}else l=t.__e=xl(n.__e,t,n,o,r,a,i,c,u,e);return(d=V.diffed)&&d(t),l}function Bt(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function er(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(er))}function tr(e,t,n){for(var o=0;o<n.length;)Bn(n[o++],n[o++],n[o++]);V.__c&&V.__c(t,e),e.some(function(r){try{e=r.__h,r.__h=[],e.some(function(a){a.call(r)})}catch(a){V.__e(a,r.__v)}})}function xl(e,t,n,o,r,a,i,l,c,u){var d,f,p,m,h,x,v,E,k=n.props||Vt,_=t.props,w=t.type;if(w=="svg"?r="http://www.w3.org/2000/svg":w=="math"?r="http://www.w3.org/1998/Math/MathML":r||(r="http://www.w3.org/1999/xhtml"),a){for(d=0;d<a.length;d++)if((h=a[d])&&(w?h.localName==w:h.nodeType==3)){e=h,a[d]=null;break}}if(!e){if(E=u.ownerDocument||document,!w)return E.createTextNode(_);e=E.createElementNS(r,w,_.is?_:u),l&&(V.__m&&V.__m(t,a),l=!1),a=null}if(w){if(u=w=="template"&&e.content||e,a=w=="textarea"&&_.defaultValue!=null?null:a&&qn.call(u.childNodes),!l&&a)for(k={},d=0;d<e.attributes.length;d++)k[(h=e.attributes[d]).name]=h.value;for(d in k)h=k[d],d=="dangerouslySetInnerHTML"?p=h:d=="children"||d in _||d=="value"&&"defaultValue"in _||d=="checked"&&"defaultChecked"in _||Lt(e,d,null,h,r);for(d in _)h=_[d],d=="children"?m=h:d=="dangerouslySetInnerHTML"?f=h:d=="value"?x=h:d=="checked"?v=h:l&&typeof h!="function"||k[d]===h||Lt(e,d,h,k[d],r);f?(l||p&&(f.__html==p.__html||f.__html==e.innerHTML)||(e.innerHTML=f.__html),t.__k=[]):(p&&(e.textContent=""),(w=="foreignObject"||r=="http://www.w3.org/1998/Math/MathML"&&vl.test(w))&&(r="http://www.w3.org/1999/xhtml"),Yo(u,Ln(m)?m:[m],t,n,o,r,a,i,a?a[0]:n.__k&&Re(n,0),l,c),a&&a.some(Ie)),l&&w!="textarea"||(d="value",w=="progress"&&x==null?e.removeAttribute(d):x==null||x===e[d]&&(w!="progress"||x)||Lt(e,d,x,k[d],r),d="checked",v!=null&&v!=e[d]&&Lt(e,d,v,k[d],r))}else k===_||l&&e.data==_||(e.data=_);return e}function Bn(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(r){V.__e(r,n)}}function Fn(e,t,n){var o,r,a,i;if(V.unmount&&V.unmount(e),!(o=e.ref)||o.current&&o.current!=e.__e||Bn(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(l){V.__e(l,t)}o.__P=o.__n=null}if(o=e.__k)for(i=0;i<o.length;i++)o[i]&&Fn(o[i],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(r=Bt(o,a=[]))&&(o==e.__e&&a.some(Ie),Ie(r),Ie(o)),n||Ie(e.__e),e.__e=e.__c=e.__=null}function Cl(e,t,n){return this.constructor(e,n)}function Vn(e,t){var n,o,r,a;V.__&&V.__(e,t),t.nodeType==9&&(t=t.documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=lt(ut,{children:[e]}),r=[],a=[],Hn(t,t.__k,o||Vt,Vt,t.namespaceURI,o?null:t.firstChild?qn.call(t.childNodes):null,r,o?o.__e:t.firstChild,n,a),tr(r,t.__k,a),t.__k.props.children=null}V={__e:function(e,t,n,o){for(var r,a,i;t=t.__;)if((r=t.__c)&&!(1&r.__g)){r.__g|=4;try{if((i=(a=r.constructor)&&a.getDerivedStateFromError)&&r.setState(a.getDerivedStateFromError(e)),r.componentDidCatch&&(r.componentDidCatch(e,o||{}),i=1),i&&8&r.__g)return void(r.__g|=2)}catch(l){e=l}}throw Ft=0,e}},Go=0,gl=function(e){return e!=null&&e.constructor===ct},Ht.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=De({},this.state)),typeof e=="function"&&(e=e(De({},n),this.props)),e&&(De(n,e),this.__v&&(t&&this.__k.push(t),Uo(this)))},Ht.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Uo(this))},Ht.prototype.render=ut,Ee=[],Ft=0,Ko=function(e,t){return e.__v.__b-t.__v.__b},qt=Symbol(),zo=/(PointerCapture)$|Capture$/i,Pn=0,Nn={},yl=0;/*! htm 3.1.1, Apache-2.0: see LICENSE.htm.txt */var or=function(e,t,n,o){var r;t[0]=0;for(var a=1;a<t.length;a++){var i=t[a++],l=t[a]?(t[0]|=i?1:2,n[t[a++]]):t[++a];i===3?o[0]=l:i===4?o[1]=Object.assign(o[1]||{},l):i===5?(o[1]=o[1]||{})[t[++a]]=l:i===6?o[1][t[++a]]+=l+"":i?(r=e.apply(l,or(e,l,n,["",null])),o.push(r),l[0]?t[0]|=2:(t[a-2]=0,t[a]=r)):o.push(l)}return o},nr=new Map;function rr(e){var t=nr.get(this);return t||(t=new Map,nr.set(this,t)),(t=or(this,t.get(e)||(t.set(e,t=(function(n){for(var o,r,a=1,i="",l="",c=[0],u=function(p){a===1&&(p||(i=i.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?c.push(0,p,i):a===3&&(p||i)?(c.push(3,p,i),a=2):a===2&&i==="..."&&p?c.push(4,p,0):a===2&&i&&!p?c.push(5,0,!0,i):a>=5&&((i||!p&&a===5)&&(c.push(a,0,i,r),a=6),p&&(c.push(a,p,0,r),a=6)),i=""},d=0;d<n.length;d++){d&&(a===1&&u(),u(d));for(var f=0;f<n[d].length;f++)o=n[d][f],a===1?o==="<"?(u(),c=[c],a=3):i+=o:a===4?i==="--"&&o===">"?(a=1,i=""):i=o+i[0]:l?o===l?l="":i+=o:o==='"'||o==="'"?l=o:o===">"?(u(),a=1):a&&(o==="="?(a=5,r=i,i=""):o==="/"&&(a<5||n[d][f+1]===">")?(u(),a===3&&(c=c[0]),a=c,(c=c[0]).push(2,0,a),a=0):o===" "||o==="	"||o===`
`||o==="\r"?(u(),a=2):i+=o),a===3&&i==="!--"&&(a=4,c=c[0])}return u(),c})(e)),t),arguments,[])).length>1?t:t[0]}/*! preact/hooks 11.2.0, MIT: see LICENSE.preact.txt */var Ne,Q,jn,sr,Un=Object.is,mt=0,pr=[],Wn=[],X=V,ar=X.__b,ir=X.__r,lr=X.diffed,cr=X.__c,ur=X.unmount,dr=X.__;function ft(e,t){X.__h&&X.__h(Q,e,mt||t),mt=0;var n=Q.__H||(Q.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function $(e){return mt=1,El($r,e)}function El(e,t,n){var o=ft(Ne++,2);if(o.t=e,!o.__c&&(o.__=[n?n(t):$r(void 0,t),function(a){var i=(o.__N||o.__)[0],l=o.t(i,a);Un(i,l)||(o.__N=[l,o.__[1]],o.__c.setState({}))}],o.__c=Q,!Q.__f)){Q.__f=!0;var r=Q.shouldComponentUpdate;Q.shouldComponentUpdate=function(a,i,l){var c=this.__H;if(!c)return!0;var u=!1,d=this.props!=a;if(c.__.some(function(p){p.__N&&(u=!0,Un(p.__[0],p.__N[0])||(d=!0))}),r){var f=r.call(this,a,i,l);return u?f||d:f}return!u||d}}return o.__}function y(e,t){var n=ft(Ne++,3);!X.__s&&Kn(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,Q.__H.__h.push(n))}function fe(e,t){var n=ft(Ne++,4);!X.__s&&Kn(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,Q.__h.push(n))}function g(e){return mt=5,W(function(){return{current:e}},[])}function W(e,t){var n=ft(Ne++,7);return Kn(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function C(e,t){return mt=8,W(function(){return e},t)}function se(){var e=ft(Ne++,11);if(!e.__){for(var t=Q.__v;!t.__m&&t.__;)t=t.__;var n=t.__m||(t.__m=[0,0]);e.__="P"+n[0]+"-"+n[1]++}return e.__}function Rl(){var e;do{for(;e=Wn.shift();)try{dt(e)}catch(n){X.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=pr.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(dt),t.__h.some(Gn),t.__h=[]}catch(n){t.__h=[],X.__e(n,e.__v)}}}while(Wn.length)}X.__b=function(e){Q=null,ar&&ar(e)},X.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),dr&&dr(e,t)},X.__r=function(e){ir&&ir(e),Ne=0;var t=(Q=e.__c).__H;t&&(jn==Q?Q.__h=[]:(t.__h.some(dt),t.__h.some(Gn),Ne=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),jn=Q},X.diffed=function(e){lr&&lr(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&fr(pr.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),jn=Q=null},X.__c=function(e,t){t.some(function(n){try{n.__h.some(dt),n.__h=n.__h.filter(function(o){return!o.__||Gn(o)})}catch(o){n.__h=[function(){throw o}]}}),cr&&cr(e,t)},X.unmount=function(e){ur&&ur(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(r){try{if(r.__P&&r.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}r.__P=n,fr(Wn.push(r))}else dt(r)}catch(a){t=a}}),o.__H=void 0,t&&X.__e(t,o.__v))};var mr=typeof requestAnimationFrame=="function";function Al(e){var t,n=function(){clearTimeout(o),mr&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);mr&&(t=requestAnimationFrame(n))}function fr(e){e!=1&&sr==X.requestAnimationFrame||((sr=X.requestAnimationFrame)||Al)(Rl)}function dt(e){var t=Q,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),Q=t}function Gn(e){var t=Q;e.__c=e.__(),Q=t}function Kn(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!Un(n,e[o])})}function $r(e,t){return typeof t=="function"?t(e):t}var s=rr.bind(Jo);var zn=new Set;function Jn(){return[...zn].flatMap(e=>e.current)}function ae(e){let t=g(e);t.current=e,fe(()=>(zn.add(t),()=>{zn.delete(t)}),[])}function Ol(e){let t=`${e.ctrlKey||e.metaKey?"mod+":""}${e.key}`,o=(e.target instanceof HTMLElement?e.target:null)?.matches("input:not([type=checkbox], [type=radio], [type=range]), textarea, select");if(e.defaultPrevented||e.isComposing||e.altKey||o&&t.length===1||document.querySelector("dialog[open]"))return;let r=Jn().findLast(a=>a.keys===t);r!==void 0&&(e.preventDefault(),r.run())}addEventListener("keydown",Ol);var Ml=/Mac|iP/.test(navigator.platform);function me(e){return e.replace("mod+",Ml?"⌘ ":"Ctrl ").replace("Enter","⏎").replace("Escape","Esc")}var ke=new URL("../../",import.meta.url),Ae=document.querySelector('meta[name="flexchat-stage"]')?.getAttribute("content")??"",pt=[{name:"tools-testing",title:"Test"},{name:"chat",title:"Chat"},{name:"validation",title:"Validation"},{name:"retrieval",title:"Retrieval"},{name:"configuration",title:"Configuration"}],Xn="flexchat:route";function We(){let e=location.pathname.slice(ke.pathname.length).replace(/\/$/,"");return{view:pt.find(n=>n.name===e)?.name??"tools-testing",params:Object.fromEntries(new URLSearchParams(location.search))}}function Qn(e,t={}){let n=new URL(e,ke);for(let[o,r]of Object.entries(t))r!==""&&n.searchParams.set(o,r);return n.href}function G(e,t={},{replace:n=!1}={}){let o=Qn(e,t);o!==location.href&&history[n?"replaceState":"pushState"](null,"",o),dispatchEvent(new Event(Xn))}function hr(){let[e,t]=$(We);return y(()=>{let n=()=>t(We());return addEventListener("popstate",n),addEventListener(Xn,n),()=>{removeEventListener("popstate",n),removeEventListener(Xn,n)}},[]),e}var _r="flexchat.theme",br=matchMedia("(prefers-color-scheme: dark)");function Yn(){let e=localStorage.getItem(_r);return e==="light"||e==="dark"?e:br.matches?"dark":"light"}function gr(e){localStorage.setItem(_r,e),Ut()}function Ut(){document.documentElement.dataset.theme=Yn()}br.addEventListener("change",Ut);var Zn="flexchat.token",eo="flexchat:token",Wt=sessionStorage.getItem(Zn)??"";function Ge(){return Wt}function Pe(e,{keep:t=!1}={}){Wt=e,t&&e?sessionStorage.setItem(Zn,e):sessionStorage.removeItem(Zn),dispatchEvent(new Event(eo))}function Y(){let[e,t]=$(Wt);return y(()=>{let n=()=>t(Wt);return addEventListener(eo,n),()=>removeEventListener(eo,n)},[]),e}function Ke({title:e,open:t,onClose:n,children:o}){let r=g(null),a=se();return y(()=>{let l=r.current;t&&!l?.open&&l?.showModal(),!t&&l?.open&&l.close()},[t]),s`
    <dialog ref=${r} aria-labelledby=${a} onCancel=${l=>{l.preventDefault(),n?.()}}>
      <div class="dialog-head">
        <h2 id=${a}>${e}</h2>
        ${n&&s`<button type="button" class="quiet" aria-label="Close" onClick=${n}>✕</button>`}
      </div>
      ${t&&o}
    </dialog>
  `}var yr=JSON,Il=/^-?\d+$/;function z(e){return JSON.parse(e,(n,o,r)=>{let a=r?.source??"";return typeof o=="number"&&!Number.isSafeInteger(o)&&Il.test(a)&&yr.rawJSON?yr.rawJSON(a):o})}var H=class extends Error{constructor(t,n,{status:o=0,code:r="",requestId:a="",details:i=[],retryAfter:l=0}={}){super(n),this.kind=t,this.status=o,this.code=r,this.requestId=a,this.details=i,this.retryAfter=l}};async function N(e,t){let n=await Gt(e,t);return n.status===204?void 0:await Dl(n)}async function Gt(e,{method:t="GET",body:n,query:o={},headers:r={},signal:a}={}){let i=new URL(e,ke);for(let[u,d]of Object.entries(o))d!==void 0&&d!==""&&i.searchParams.set(u,String(d));let l={Accept:"application/json"};Ge()&&(l.Authorization=`Bearer ${Ge()}`),n!==void 0&&(l["Content-Type"]="application/json"),Object.assign(l,r);let c=await Nl(i,{method:t,headers:l,cache:"no-store",credentials:"omit",...n===void 0?{}:{body:JSON.stringify(n)},...a===void 0?{}:{signal:a}});if(!c.ok)throw await Pl(c);return c}async function Dl(e){try{return z(await e.text())}catch(t){throw t instanceof DOMException&&t.name==="AbortError"?t:new H("failed","The response is incomplete or not JSON. Try again.",{status:e.status})}}async function Nl(e,t){try{return await fetch(e,t)}catch(n){throw n instanceof DOMException&&n.name==="AbortError"?n:new H("offline","No response. Check the network and that the stack is running, then try again.")}}async function Pl(e){let t=await e.text().then(z).catch(()=>({})),n=Ll(e);return new H(n,t.message??`The service returned status ${e.status} without a message.`,{status:e.status,code:t.error??"",requestId:t.request_id??e.headers.get("x-amzn-requestid")??"",details:t.details??[],retryAfter:Number(e.headers.get("retry-after"))||0})}function Ll({status:e,headers:t}){return e===401?"token":e===403?t.has("x-amzn-errortype")?"token":"forbidden":e<500?"refused":"failed"}var ie=encodeURIComponent,vr="text/event-stream",B=e=>e===void 0?{}:{signal:e},T={me:e=>N("api/me",B(e)),meFor:(e,t)=>N("api/me",{headers:{Authorization:`Bearer ${e}`},...B(t)}),tools:e=>N("api/tools/list",B(e)),models:e=>N("api/models/list",B(e)),testTools:(e,t)=>N("api/tools/test",{method:"POST",body:e,...B(t)}),callTool:(e,t)=>N("api/tools/call",{method:"POST",body:e,...B(t)}),streamChat:(e,t)=>Gt("api/chat",{method:"POST",body:e,headers:{Accept:vr},...B(t)}),runEvents:(e,t,n)=>Gt(`api/runs/${ie(e)}/events`,{headers:{Accept:vr,...t&&{"Last-Event-ID":t}},...B(n)}),startChat:(e,t)=>N("api/chat",{method:"POST",body:e,headers:{Prefer:"respond-async"},...B(t)}),run:(e,t)=>N(`api/runs/${ie(e)}`,B(t)),cancelRun:e=>N(`api/runs/${ie(e)}`,{method:"DELETE"}),sessions:({limit:e,cursor:t,signal:n}={})=>N("api/sessions",{query:{limit:e,cursor:t},...B(n)}),session:(e,t)=>N(`api/sessions/${ie(e)}`,B(t)),renameSession:(e,t)=>N(`api/sessions/${ie(e)}`,{method:"PATCH",body:{title:t}}),deleteSession:e=>N(`api/sessions/${ie(e)}`,{method:"DELETE"}),messages:(e,{limit:t,cursor:n,fromTurn:o,signal:r}={})=>N(`api/sessions/${ie(e)}/messages`,{query:{limit:t,cursor:n,from_turn:o},...B(r)}),collections:e=>N("api/collections",B(e)),search:(e,t,n)=>N(`api/collections/${ie(e)}/query`,{method:"POST",body:t,...B(n)}),changeCollection:(e,t)=>N(`api/collections/${ie(e)}`,{method:"PATCH",body:t}),statuses:e=>N("api/tools/validate",B(e)),history:(e,{limit:t,cursor:n,signal:o}={})=>N("api/tools/validate",{query:{model:e,limit:t,cursor:n},...B(o)}),validationRuns:({limit:e,cursor:t,signal:n}={})=>N("api/validation/runs",{query:{limit:e,cursor:t},...B(n)}),validationRun:(e,{limit:t,cursor:n,signal:o}={})=>N(`api/validation/runs/${ie(e)}`,{query:{limit:t,cursor:n},...B(o)}),startValidation:e=>N("api/tools/validate",{method:"POST",body:e}),stopValidation:e=>N(`api/validation/runs/${ie(e)}`,{method:"DELETE"}),resumeValidation:e=>N(`api/validation/runs/${ie(e)}/resume`,{method:"POST"}),suites:e=>N("api/validation/suites",B(e)),suite:(e,t)=>N(`api/validation/suites/${ie(e)}`,B(t)),putSuite:(e,t)=>N(`api/validation/suites/${ie(e)}`,{method:"PUT",body:t}),configuration:e=>N("api/config",B(e)),matchRule:(e,t)=>N("api/config/match",{method:"POST",body:{profile:e},...B(t)}),mcpServers:e=>N("api/mcp/servers",B(e)),refreshMcpServer:(e,t)=>N(`api/mcp/servers/${ie(e)}/refresh`,{method:"POST",...B(t)}),approveMcpTools:(e,t,n)=>N(`api/mcp/servers/${ie(e)}/approve`,{method:"POST",body:t,...B(n)}),health:e=>N("health",B(e))};function he(e,t=[]){let n=Y(),o=g(e);o.current=e;let r=JSON.stringify(t),[a,i]=$(0),[l,c]=$({data:void 0,error:void 0,loading:!0});return y(()=>{if(n==="")return;let u=new AbortController;return c(d=>({...d,loading:!0})),o.current(u.signal).then(d=>!u.signal.aborted&&c({data:d,error:void 0,loading:!1}),d=>!u.signal.aborted&&c(f=>({...f,error:Kt(d),loading:!1}))),()=>u.abort()},[r,n,a]),{...l,reload:C(()=>i(u=>u+1),[])}}function L(){let e=g(void 0),[t,n]=$({busy:!1,since:0,error:void 0,cancelled:!1});y(()=>()=>e.current?.abort(),[]);let o=C(async i=>{e.current?.abort();let l=new AbortController;e.current=l,n({busy:!0,since:performance.now(),error:void 0,cancelled:!1});let c;try{await i(l.signal)}catch(u){l.signal.aborted||(c=Kt(u))}e.current===l&&n(u=>({...u,busy:!1,error:c,cancelled:l.signal.aborted}))},[]),r=C(()=>e.current?.abort(),[]),a=C(()=>n(i=>({...i,error:void 0,cancelled:!1})),[]);return{...t,run:o,cancel:r,clear:a}}function Kt(e){return e instanceof H?e:(reportError(e),new H("page",`Error in the page: ${e instanceof Error?e.message:String(e)}`))}var zt="flexchat:cached-query",$t=new Map;function Jt(e,t){let[n,o]=$(0),r=he(()=>ql(e,t),[n]);return y(()=>{r.error!==void 0&&$t.delete(e)},[r.error,e]),y(()=>{let a=i=>{i instanceof CustomEvent&&i.detail===e&&o(l=>l+1)};return addEventListener(zt,a),()=>removeEventListener(zt,a)},[e]),{...r,reload:C(()=>wr(e),[e]),put:C(a=>Tr(e,a),[e])}}function wr(e){$t.delete(e),dispatchEvent(new CustomEvent(zt,{detail:e}))}function Tr(e,t){$t.set(e,{token:Ge(),promise:Promise.resolve(t)}),dispatchEvent(new CustomEvent(zt,{detail:e}))}function ql(e,t){let n=Ge(),o=$t.get(e);if(o?.token===n)return o.promise;let r=t();return $t.set(e,{token:n,promise:r}),r}var ze=()=>Jt("tools",()=>T.tools()),Je=()=>Jt("models",()=>T.models()),kr=()=>wr("models"),Xt=()=>Jt("collections",()=>T.collections()),Sr=e=>Tr("caller",e);function le(){let{data:e}=Jt("caller",()=>T.me());return e===void 0||e.roles.includes("operator")}var Hl=3e4;function Cr({route:e,onToken:t,onHelp:n}){let o=Y(),r=le();return s`
    <header class="shell">
      <a class="brand" href=${ke.href} onClick=${a=>xr(a,"tools-testing")}>
        Flexchat ${Ae&&s`<small>stage ${Ae}</small>`}
      </a>
      <nav aria-label="Views">
        ${pt.filter(({name:a})=>r||a!=="configuration"||a===e.view).map(({name:a,title:i})=>s`
            <a
              href=${Qn(a)}
              aria-current=${a===e.view?"page":void 0}
              onClick=${l=>xr(l,a)}
              >${i}</a
            >
          `)}
      </nav>
      <div class="shell-status">
        <${Fl} />
        <button type="button" class="quiet" onClick=${t}>${o?"Token":"No token"} ▾</button>
        <${Bl} />
        <button type="button" class="quiet" aria-label="Show keyboard shortcuts" title="Show keyboard shortcuts (?)" onClick=${n}>?</button>
      </div>
    </header>
  `}function xr(e,t){e.metaKey||e.ctrlKey||e.shiftKey||e.button!==0||(e.preventDefault(),G(t))}function Bl(){let[e,t]=$(Yn),n=e==="dark"?"light":"dark",o=()=>{gr(n),t(n)},r=`Switch to the ${n} theme`;return s`<button type="button" class="quiet" aria-label=${r} title=${r} onClick=${o}>◐</button>`}function Fl(){let[e,t]=$("unknown");y(()=>{let r=()=>{document.hidden||T.health().then(()=>t("healthy"),()=>t("unreachable"))};r();let a=setInterval(r,Hl);return document.addEventListener("visibilitychange",r),()=>{clearInterval(a),document.removeEventListener("visibilitychange",r)}},[]);let n={unknown:"○",healthy:"●",unreachable:"▲"}[e],o={unknown:"plain",healthy:"good",unreachable:"bad"}[e];return s`<span class="health" data-tone=${o} role="status">
    <span aria-hidden="true">${n}</span> ${e==="unknown"?"checking":e}
  </span>`}var Vl=new Intl.NumberFormat("en-GB"),jl=new Intl.NumberFormat("en-GB",{maximumSignificantDigits:2}),Ul=new Intl.DateTimeFormat("en-GB",{dateStyle:"medium",timeStyle:"medium"}),Er=new Intl.RelativeTimeFormat("en-GB",{numeric:"auto"}),Wl=[["day",86400],["hour",3600],["minute",60]];function A(e){return Vl.format(e)}function b(e,t,n=`${t}s`){return`${A(e)} ${e===1?t:n}`}function O(e){if(e<999.5)return`${Math.round(e)} ms`;if(e<59950)return`${(e/1e3).toFixed(e<1e4?2:1)} s`;let t=Math.round(e/1e3);return`${Math.floor(t/60)} min ${t%60} s`}function Xe(e){return`${Math.round(e*100)} %`}function be(e){return`$${e>=1?e.toFixed(2):jl.format(e)}`}function Oe(e){return e<1e3?`${e} B`:e<999500?`${Math.round(e/1e3)} kB`:`${(e/1e6).toFixed(1)} MB`}function ge(e){return e.toFixed(3)}function ht(e){return Ul.format(new Date(e))}function Rr(e,t=Date.now()){let n=(new Date(e).getTime()-t)/1e3;for(let[o,r]of Wl)if(Math.abs(n)>=r)return Er.format(Math.round(n/r),o);return Math.abs(n)<10?"just now":Er.format(Math.round(n),"second")}var Gl=200;function I({label:e,since:t}){let[n,o]=$(performance.now());return y(()=>{let r=setInterval(()=>o(performance.now()),Gl);return()=>clearInterval(r)},[]),s`<span class="busy">
    <span class="spinner" aria-hidden="true"></span>
    <span role="status">${e}</span>
    <span class="number" aria-hidden="true">${O(Math.max(0,n-t))}</span>
  </span>`}function j({lines:e=3,label:t}){return s`<div class="skeleton" role="status" aria-label=${`Loading ${t}`}>
    ${Array.from({length:e},()=>s`<span></span>`)}
  </div>`}function ye({title:e,children:t}){return s`<div class="empty"><h2>${e}</h2>${t}</div>`}function Ar({open:e,needed:t,onClose:n}){let[o,r]=$(""),[a,i]=$(!1),l=L(),c=d=>{d.preventDefault();let f=o.trim();f===""||l.busy||l.run(async p=>{let m=await T.meFor(f,p);Pe(f,{keep:a}),Sr(m),r(""),n()})},u=()=>{Pe(""),r("")};return s`
    <${Ke} title="API token" open=${e} onClose=${t?void 0:n}>
      <form class="stack" onSubmit=${c}>
        <p>
          The page calls the API with your token. <code>make up</code> prints one;${" "}
          <code>flexchat tokens create</code> creates another.
        </p>
        <label class="field">
          Token
          <input
            type="password"
            name="token"
            autocomplete="off"
            spellcheck=${!1}
            required
            aria-invalid=${l.error?"true":void 0}
            aria-describedby=${l.error?"token-problem":void 0}
            value=${o}
            onInput=${d=>r(d.currentTarget.value)}
          />
        </label>
        <label class="check">
          <input type="checkbox" checked=${a} onChange=${()=>i(!a)} />
          Keep the token until this tab is closed
        </label>
        ${l.error&&s`<p id="token-problem" class="problem-text" role="alert">${Kl(l.error)}</p>`}
        <div class="row">
          <button type="submit" class="primary" disabled=${l.busy}>Sign in</button>
          ${!t&&s`<button type="button" onClick=${u}>Sign out</button>`}
          ${l.busy&&s`<${I} label="Verifying the token" since=${l.since} />`}
        </div>
      </form>
    <//>
  `}function Kl(e){return e.kind==="token"?`The token is not valid: ${e.message}.`:e.message}function P({summary:e,open:t=!1,children:n}){let[o,r]=$(t);return s`
    <details class="collapsible" open=${o} onToggle=${a=>r(a.currentTarget.open)}>
      <summary>${e}</summary>
      ${o&&s`<div class="collapsible-body">${n}</div>`}
    </details>
  `}var zl=matchMedia("(width < 800px)"),Jl=40;function Me(e){let t=g(null),n=g(!1),o=g({busy:e,at:0});fe(()=>{let{current:a}=o;n.current&&zl.matches&&e!==a.busy&&((e||Math.abs(scrollY-a.at)<Jl)&&t.current?.scrollIntoView({block:"start"}),n.current=e),o.current={busy:e,at:e&&!a.busy?scrollY:a.at}},[e]);let r=C(()=>{n.current=!0},[]);return{section:t,reveal:r}}function _e({title:e,controls:t,section:n,children:o}){return s`
    <h1 class="hidden">${e}</h1>
    <div class="split">
      <section class="split-controls" aria-label="Controls">${t}</section>
      <section class="split-results" ref=${n} aria-label="Results">${o}</section>
    </div>
  `}var Or=3e6,to=new Set(["image/png","image/jpeg","image/webp","image/gif"]),Mr=[...to,".pdf,.txt,.md,.csv,.json,.html,.docx,.pptx,.xlsx,.epub"].join(",");function Ir(e,t){let n=e.find(({type:i})=>i.startsWith("image/")&&!to.has(i));if(n)return`${n.name} is of the type ${n.type}. Attach PNG, JPEG, WebP or GIF pictures.`;let o=e.find(({size:i})=>i===0);if(o)return`${o.name} is empty.`;let r=[...t,...e].reduce((i,{size:l})=>i+l,0);return r<=Or?"":`${e.map(({name:i})=>i).join(", ")}: the files have ${Oe(r)} together, and a message takes ${Oe(Or)}. Send larger ones with “flexchat chat --file”.`}function Dr(e){return new Promise((t,n)=>{let o=new FileReader;o.onload=()=>t({name:e.name,type:e.type,size:e.size,url:o.result}),o.onerror=()=>n(o.error),o.readAsDataURL(e)})}function Nr(e){let t="auto";return e.length>0?{attachments:e.map(({name:n,url:o})=>({name:n,url:o,detail:t}))}:{}}function Qt({attachments:e,onRemove:t}){return e.length===0?null:s`
    <ul class="chat-attachments" aria-label="Attachments">
      ${e.map(({name:n,type:o,size:r,url:a},i)=>s`
          <li key=${i}>
            ${a&&to.has(o)?s`<img src=${a} alt=${n||"Picture"} />`:s`<span aria-hidden="true">${o.startsWith("image/")?"▣":"▤"}</span>`}
            <span>${n||o}</span>
            <small>${Oe(r)}</small>
            ${t&&s`<button type="button" class="quiet" aria-label=${`Remove ${n||o}`} onClick=${()=>t(i)}>✕</button>`}
          </li>
        `)}
    </ul>
  `}var no="flexchat.enter",Pr="breaks";function Lr(){return localStorage.getItem(no)!==Pr}function qr(e){e?localStorage.removeItem(no):localStorage.setItem(no,Pr)}function Hr({key:e,shiftKey:t,altKey:n,ctrlKey:o,metaKey:r,isComposing:a,keyCode:i},l){return l&&e==="Enter"&&!(t||n||o||r||a||i===229)}var oo="chat-message";function Br({draft:e,attachments:t,onAttach:n,onDetach:o,busy:r,waiting:a,since:i,hint:l,isAway:c,field:u,onWrite:d,onSend:f,onCancel:p,onJump:m}){let[h,x]=$(Lr),[v,E]=$(""),k=g(null),_=async D=>{let ue=[...D??[]],de=Ir(ue,t);if(E(de),!(de!==""||ue.length===0))try{n(await Promise.all(ue.map(Dr)))}catch{E("The file could not be read. Choose it again.")}},w=D=>{D.clipboardData?.files.length&&(D.preventDefault(),_(D.clipboardData.files))},F=D=>{D.preventDefault(),_(D.dataTransfer?.files)},U=D=>{D.dataTransfer?.types.includes("Files")&&D.preventDefault()},ce=D=>{E(""),o(D),u.current?.focus()},M=D=>{D.preventDefault(),f()},oe=D=>{Hr(D,h)&&(D.preventDefault(),f())},re=()=>{qr(!h),x(!h)};return s`
    <form class="chat-composer" onSubmit=${M} onDragOver=${U} onDrop=${F}>
      ${c&&s`<div class="chat-jump"><button type="button" onClick=${m}><span aria-hidden="true">↓</span> Jump to latest</button></div>`}
      <${Qt} attachments=${t} onRemove=${ce} />
      ${v&&s`<p class="problem-text" role="alert">✕ ${v}</p>`}
      <label>
        <span class="hidden">Message</span>
        <textarea
          ref=${u}
          id=${oo}
          rows="2"
          placeholder="Message"
          value=${e}
          onKeyDown=${oe}
          onPaste=${w}
          onInput=${D=>d(D.currentTarget.value)}
        ></textarea>
      </label>
      <div class="row">
        <${Xl} field=${u} busy=${r} disabled=${l!==""||e.trim()===""} keys=${h?"Enter":"mod+Enter"} onCancel=${p} />
        <button type="button" onClick=${()=>k.current?.click()}>Attach</button>
        <input
          ref=${k}
          type="file"
          class="hidden"
          tabindex="-1"
          multiple
          accept=${Mr}
          aria-label="Pictures and files"
          onChange=${({currentTarget:D})=>{_(D.files),D.value=""}}
        />
        ${a&&s`<${I} label=${a} since=${i} />`}
        ${l&&s`<span class="problem-text">✕ ${l}</span>`}
        <label class="check chat-enter" title="Shift+Enter inserts a line break. If unchecked, Enter inserts it.">
          <input type="checkbox" checked=${h} onChange=${re} />
          <small>Send with Enter</small>
        </label>
      </div>
    </form>
  `}function Xl({field:e,busy:t,disabled:n,keys:o,onCancel:r}){let a=g(null),i=g(null),l=g(null);return fe(()=>{let[c,u]=t?[a.current,i.current]:[i.current,e.current];c!==null&&l.current===c&&u?.focus({preventScroll:!0})},[t,e]),l.current=document.activeElement,s`
    <button ref=${a} type="submit" class="primary" disabled=${t||n}>
      Send <span aria-hidden="true">${me(o)}</span>
    </button>
    <button ref=${i} type="button" hidden=${!t} onClick=${r}>
      Cancel <span aria-hidden="true">${me("Escape")}</span>
    </button>
  `}var Ql=2e3;function Z({text:e,label:t}){let[n,o]=$("");return y(()=>{if(n==="")return;let a=setTimeout(()=>o(""),Ql);return()=>clearTimeout(a)},[n]),s`<button type="button" class="quiet" onClick=${()=>navigator.clipboard.writeText(typeof e=="string"?e:e()).then(()=>o("copied ✓"),()=>o("not copied: access denied by the browser"))}>
    ${t}<span role="status">${n&&s` · ${n}`}</span>
  </button>`}var Fr={offline:"The service cannot be reached",token:"The token is not valid",forbidden:"The token lacks the required role",refused:"The request was rejected",failed:"The service failed",page:"The page failed"},Le={bad_gateway:"The service failed",built_in_suite:"The suite is built in",configuration:"Configuration error",conflict:"Conflict with another change",definitions_changed:"The definitions have changed",empty_image_file:"The picture is empty",failed_to_download_image:"The picture could not be fetched",forbidden:"The token lacks the required role",idempotency_in_progress:"The request is still in progress",idempotency_key_reused:"The idempotency key was already used",image_file_not_found:"The file is not uploaded",image_too_large:"The picture is too large",internal_error:"The service failed",invalid_cursor:"The list has changed",invalid_idempotency_key:"The request is not valid",invalid_last_event_id:"The request is not valid",invalid_request:"The request is not valid",invalid_schema:"The schema of the answer is not valid",invalid_suite:"The suite is not valid",mcp_failed:"The MCP server cannot be used",mcp_starting:"The MCP server is still starting",model_in_validation:"A validation run is testing this model",model_not_found:"Model not found",not_found:"Not found",not_listed:"The tools of the server are not listed yet",payload_too_large:"The request is too large",rate_limited:"Too many requests",response_too_large:"The response is too large",resume_token_expired:"The partial answer has expired",resume_token_in_use:"The partial answer is in use",resume_token_invalid:"The partial answer cannot be continued",resume_token_used:"The partial answer was already continued",run_ended:"The run has ended",run_not_found:"Run not found",server_disabled:"The MCP server is disabled",server_not_found:"MCP server not found",session_busy:"The session is in use",session_moved_on:"The session has changed",session_not_found:"Session not found",suite_not_found:"Suite not found",timeout:"The service did not answer in time",tool_disabled:"The tool is disabled",tool_not_found:"Tool not found",tools_disabled:"Tools are disabled",unauthorized:"The token is not valid",unavailable:"The service is unavailable",unsupported_image_media_type:"The picture is of a type that models do not read",unsupported_media_type:"The request is not valid",collection_conflict:"Conflict with another change",collection_configuration:"Configuration error",collection_damaged:"The collection is damaged",collection_exists:"The collection already exists",collection_invalid:"The request is not valid",collection_not_found:"Collection not found",collection_too_large:"The request is too large",collection_unavailable:"The collection is unavailable",model_authentication:"The provider rejected the API key",model_content_filter:"The content filter blocked the message",model_context_length:"The conversation is too long",model_invalid_request:"The provider rejected the request",model_invalid_response:"The provider's response is not valid",model_invalid_format:"The model's answer has another form",model_malformed_tool_call:"The model's tool call cannot be read",model_network:"The provider cannot be reached",model_overloaded:"The provider is overloaded",model_permission:"The API key has no access to this model",model_rate_limit:"The provider's rate limit was reached",model_server_error:"The provider failed",model_timeout:"The provider did not answer in time",model_unsupported_content:"The model does not read this"},Yl={404:Le.not_found??"",408:Le.timeout??"",413:Le.payload_too_large??"",429:Le.rate_limited??"",503:Le.unavailable??"",504:Le.timeout??""};function Vr({kind:e,code:t,status:n}){return e==="token"||e==="offline"||e==="page"?Fr[e]:Le[t]??Yl[n]??Fr[e]}function R({error:e,onRetry:t,retry:n="Try again"}){return s`
    <div class="problem" role="alert">
      <h3><span aria-hidden="true">✕</span> ${Vr(e)}</h3>
      <p>${e.message}</p>
      ${e.retryAfter>0&&s`<p>Retry after ${e.retryAfter} s.</p>`}
      ${e.details.length>0&&s`<ul>${e.details.map(({path:o,message:r})=>s`<li><code>${o}</code> ${r}</li>`)}</ul>`}
      <div class="row">
        ${e.kind==="token"&&s`<button type="button" onClick=${()=>Pe("")}>Enter another token</button>`}
        ${t&&e.kind!=="token"&&s`<button type="button" onClick=${t}>${n}</button>`}
        ${e.requestId&&s`<small>request <code>${e.requestId}</code></small>
            <${Z} text=${e.requestId} label="Copy request id" />`}
      </div>
    </div>
  `}var _t={answered:{title:"answered",tone:"good",sign:"✓",reason:""},cut_off:{title:"cut off",tone:"warn",sign:"✂",reason:"The model's token limit cut off the answer."},filtered:{title:"filtered",tone:"bad",sign:"⊘",reason:"The provider's filter stopped the answer."},refused:{title:"refused",tone:"bad",sign:"⊘",reason:"The model refused to answer."},empty:{title:"empty",tone:"warn",sign:"∅",reason:"The model returned no text; a placeholder is shown."},iteration_limit:{title:"iteration limit",tone:"warn",sign:"!",reason:"The limit on iterations was reached before the model answered."},repeated_calls:{title:"repeated calls",tone:"warn",sign:"!",reason:"The model repeated the same call and was stopped."},tool_call_limit:{title:"tool call limit",tone:"warn",sign:"!",reason:"The limit on tool calls was reached before the model answered."},client_calls:{title:"waits for the client",tone:"warn",sign:"…",reason:"The model waits for the results of the client's tools."},out_of_time:{title:"out of time",tone:"warn",sign:"!",reason:"The deadline was reached before the answer was complete."},model_failed:{title:"model failed",tone:"bad",sign:"✕",reason:"The model failed before the answer was complete."},unknown:{title:"unknown outcome",tone:"warn",sign:"?",reason:"The provider returned an unknown finish reason."}};function ve({outcome:e,status:t,error:n}){return e?_t[e]??_t.unknown:t!=="partial"?_t.answered:n?_t.model_failed:_t.out_of_time}var Ur={background:!1,explain:!1,seconds:"",intent:"",service:"",collections:[]},jr={background:900,waiting:28};function Yt({background:e}){return e?jr.background:jr.waiting}function Zt(e){if(e.seconds.trim()==="")return"";let t=Number(e.seconds);return t>=1&&t<=Yt(e)?"":`Enter a deadline from 1 to ${Yt(e)} seconds${e.background?"":", or up to 900 in the background"}.`}function Wr(e,t,n,o=[]){let r=Object.fromEntries(Object.entries({intent:n.intent.trim(),service:n.service.trim()}).filter(([,a])=>a));return{message:e,session_id:t,...Nr(o),...n.collections.length>0&&{selected_collections:[...n.collections]},...Object.keys(r).length>0&&{profile:r},...Kr(n)}}function Gr(e,t,n){return{resume_token:e,session_id:t,...Kr(n)}}function Kr(e){let t=e.seconds.trim();return{...t!==""&&{deadline_ms:Math.round(Number(t)*1e3)},...e.explain&&{explain:!0}}}function zr(e){return[e.background,e.explain,e.seconds.trim(),e.intent.trim(),e.service.trim()].filter(Boolean).length}var Zl={good:"✓",warn:"!",bad:"✕",plain:"·"};function S({tone:e,sign:t=Zl[e],children:n}){return s`<span class="outcome" data-tone=${e}>
    <span aria-hidden="true">${t}</span> ${n}
  </span>`}function K(){return s`<span class="tag demo" title="The demo model follows fixed rules and is no evidence about a real model">demo</span>`}function ee({children:e}){return s`<span class="tag">${e}</span>`}function J({at:e}){return s`<time datetime=${e} title=${ht(e)}>${Rr(e)}</time>`}function we(e){return`${Xe(e.rate)} (${Math.round(e.low*100)}–${Math.round(e.high*100)})`}function en({rate:e}){let t={left:`${e.low*100}%`,width:`${Math.max(1,(e.high-e.low)*100)}%`};return s`<span class="rate" title=${`${e.successes} of ${e.tests} tests; 95 % interval`}>
    <span class="number">${we(e)}</span>
    <span class="interval" aria-hidden="true"><span style=${t}></span><i style=${{left:`${e.rate*100}%`}}></i></span>
  </span>`}function Qe({validation:e,demo:t}){let{badge:n,rate:o}=e;return t?s`<${K} />${o&&s` <small class="number">${we(o)}</small>`}`:n?s`<span class="badge" title=${n.tooltip}>
    <span aria-hidden="true">${n.symbol}</span> ${n.text}${o&&s` <span class="number">${we(o)}</span>`}
  </span>`:s`<${S} tone="plain">no tools<//>`}var ec=200;function tn(e){return e.title||"Untitled"}function Jr({session:e,open:t,onOpen:n,onRename:o,onDelete:r}){let[a,i]=$(""),l=L(),c=tn(e),u=()=>{i(""),l.clear()},d=m=>{l.run(async()=>{await m(),u()})},f=m=>d(()=>o(e.id,m)),p=()=>d(()=>r(e.id));return s`
    <li class="chat-session" data-open=${t}>
      ${a==="rename"?s`<${nc} title=${c} busy=${l.busy} onCancel=${u} onRename=${f} />`:s`<${tc} session=${e} open=${t} onOpen=${n} onMode=${i} />`}
      ${a==="delete"&&s`<${oc} title=${c} busy=${l.busy} onCancel=${u} onDelete=${p} />`}
      ${l.error&&s`<${R} error=${l.error} />`}
    </li>
  `}function tc({session:e,open:t,onOpen:n,onMode:o}){let r=tn(e);return s`
    <div class="chat-session-row">
      <button type="button" class="quiet" aria-current=${t?"true":void 0} onClick=${()=>n(e.id)}>
        <span class="chat-title">${r}</span>
        <small><${J} at=${e.updated_at} /> · ${b(e.turns,"turn")}</small>
      </button>
      <button type="button" class="quiet" aria-label=${`Rename ${r}`} onClick=${()=>o("rename")}>✎</button>
      <button type="button" class="quiet" aria-label=${`Delete ${r}`} onClick=${()=>o("delete")}>✕</button>
    </div>
  `}function nc({title:e,busy:t,onCancel:n,onRename:o}){let r=g(null);return fe(()=>r.current?.select(),[]),s`
    <form class="stack" onSubmit=${i=>{i.preventDefault();let l=r.current?.value.trim();l&&o(l)}} onKeyDown=${i=>Xr(i,n)}>
      <label class="field">
        Title
        <input ref=${r} defaultValue=${e} maxlength=${ec} required />
      </label>
      <div class="row">
        <button type="submit" disabled=${t}>Rename</button>
        <button type="button" onClick=${n}>Cancel</button>
      </div>
    </form>
  `}function oc({title:e,busy:t,onCancel:n,onDelete:o}){let r=g(null);return fe(()=>r.current?.focus(),[]),s`
    <div
      class="notice stack"
      role="group"
      aria-label=${`Delete ${e}`}
      onKeyDown=${a=>Xr(a,n)}
    >
      <p>! Delete this session and all its messages? This cannot be undone.</p>
      <div class="row">
        <button type="button" disabled=${t} onClick=${o}>Delete</button>
        <button type="button" ref=${r} onClick=${n}>Cancel</button>
      </div>
    </div>
  `}function Xr(e,t){e.key==="Escape"&&(e.preventDefault(),t())}var Qr=/^ {0,3}(`{3,}|~{3,})([^`]*)$/,Yr=/^ {0,3}(#{1,6})(?:[ \t](.*))?$/s,Zr=/^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/,nn=/^ {0,3}> ?/,yt=/^( {0,3})([-*+]|\d{1,9}[.)])(?:[ \t]+|$)/,rc=/^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/,sc=/^[ \t|:-]*$/;function on(e,{open:t=!1}={}){return ro(e.split(/\r\n|\r|\n/),t,0)}function ro(e,t,n){let o=[];for(let r=0;r<e.length;){if(Ye(e[r])){r+=1;continue}let{block:a,end:i}=ac(e,r,t,n);o.push(a),r=i}return o}function Ye(e){return e===void 0||e.trim()===""}function ac(e,t,n,o){let r=e[t]??"",a=Qr.exec(r);if(a)return ic(e,t,a[1]??"",a[2]??"");let i=Yr.exec(r);if(i){let l=(i[2]??"").trim().replace(/(^|\s)#+$/,"");return{block:{type:"heading",source:r,level:i[1]?.length??1,text:l},end:t+1}}return Zr.test(r)?{block:{type:"rule",source:r},end:t+1}:o<8&&nn.test(r)?cc(e,t,n,o):o<8&&yt.test(r)?uc(e,t,n,o):ts(e,t,n)?fc(e,t):$c(e,t,o)}function ic(e,t,n,o){let r=o.trim().split(/\s/,1)[0]??"",a=t+1;for(;a<e.length&&!lc(e[a]??"",n);)a+=1;let i=e.slice(t+1,a).join(`
`);return{block:{type:"code",source:vt(e,t,a+1),language:r,text:i},end:a+1}}function lc(e,t){let n=e.trim();return n.length>=t.length&&n.replaceAll(t[0]??"","")===""}function cc(e,t,n,o){let r=t;for(;r<e.length&&nn.test(e[r]??"");)r+=1;let a=e.slice(t,r).map(l=>l.replace(nn,"")),i=ro(a,n&&r===e.length,o+1);return{block:{type:"quote",source:vt(e,t,r),blocks:i},end:r}}function uc(e,t,n,o){let r=yt.exec(e[t]??"")?.[2]??"-",a=[],i=0,l=t;for(;l<e.length;l+=1){let f=e[l]??"",p=yt.exec(f);if(p&&bt(f)<Math.max(i,2)&&es(p[2]??"",r))i=Math.min(p[0].length,bt(f)+(p[2]?.length??1)+4),a.push([f.slice(p[0].length)]);else if(dc(e,l,{indent:i,marker:r,depth:o}))a.at(-1)?.push(f.slice(Math.min(bt(f),i)));else break}let c=/^\d/.test(r)?Number.parseInt(r,10):void 0,u=f=>n&&l===e.length&&f===a.length-1,d=a.map((f,p)=>ro(f,u(p),o+1));return{block:{type:"list",source:vt(e,t,l),start:c,items:d},end:l}}function dc(e,t,{indent:n,marker:o,depth:r}){let a=e[t]??"";return Ye(a)?mc(e,t+1,n,o):bt(a)>=Math.min(n,2)?!0:!Ye(e[t-1])&&!ns(a,r)}function mc(e,t,n,o){let r=e.slice(t,t+2).find(i=>!Ye(i));if(r===void 0)return!1;let a=yt.exec(r);return bt(r)>=Math.min(n,2)||a!==null&&es(a[2]??"",o)}function es(e,t){return e.at(-1)===t.at(-1)}function bt(e){return e.length-e.trimStart().length}function ts(e,t,n){let o=e[t]??"",r=e[t+1];return o.includes("|")?r!==void 0&&r.includes("-")&&rc.test(r)?gt(r).length===gt(o).length:n&&t+2>=e.length&&o.trimStart().startsWith("|")&&(r===void 0||sc.test(r)):!1}function fc(e,t){let n=Math.min(t+2,e.length);for(;n<e.length&&!Ye(e[n])&&(e[n]??"").includes("|");)n+=1;let o=gt(e[t]??""),r=gt(e[t+1]??"").map(pc),a=e.slice(t+2,n).map(i=>{let l=gt(i);return o.map((c,u)=>l[u]??"")});return{block:{type:"table",source:vt(e,t,n),aligns:r,head:o,rows:a},end:n}}function gt(e){return e.trim().replace(/^\|/,"").replace(/\|$/,"").replaceAll("\\|","\0").split("|",50).map(n=>n.replaceAll("\0","|").trim())}function pc(e){return e.endsWith(":")?e.startsWith(":")?"center":"right":e.startsWith(":")?"left":""}function $c(e,t,n){let o=t+1;for(;o<e.length&&!Ye(e[o])&&!ns(e[o]??"",n)&&!ts(e,o,!1);)o+=1;let r=vt(e,t,o);return{block:{type:"paragraph",source:r,text:r.trim()},end:o}}function ns(e,t){if(Qr.test(e)||Yr.test(e)||Zr.test(e))return!0;if(t>=8)return!1;let n=yt.exec(e);return nn.test(e)||n!==null&&n[0].length<e.length&&/^(?:[-*+]|1[.)])$/.test(n[2]??"")}function vt(e,t,n){return e.slice(t,n).join(`
`)}var os=/[\\`*_~[]|https?:\/\//g,rs=/https?:\/\/[^\s<>"`|[\]]{1,2000}/y,so=/\((?=(\s*))\1<?([^\s<>()]*(?:\([^\s<>()]*\)[^\s<>()]*)*)>?(?:\s+"[^"\n]*")?\s*\)/y,hc=/^\[([^[\]\n]*)(?:\](?:\([^)\s]*)?)?$/,_c=/[!-/:-@[-`{-~]/,bc=new Set(["http:","https:","mailto:"]),gc=[["**","strong"],["__","strong"],["~~","del"],["*","em"],["_","em"]];function ss(e,{open:t=!1}={}){return e.length>2e4?[e]:rn(e,t,0)}function rn(e,t,n){let o=[],r=new Set,a=as(e,0),i="",l=0,c=(u,d)=>{i!==""&&o.push(i),i="",o.push(u),l=d};for(;l<e.length;){os.lastIndex=l;let u=os.exec(e),d=u?.index??e.length;if(i+=e.slice(l,d),l=d,!u)break;let f=yc(e,l,{open:t,depth:n,unclosed:r,target:a});typeof f.node=="string"?(i+=f.node,l=f.end):c(f.node,f.end)}return i!==""&&o.push(i),o}function yc(e,t,n){let o=e[t]??"",r={node:o,end:t+1};switch(o){case"\\":return vc(e,t);case"`":return wc(e,t,n)??{node:qe(e,t,"`"),end:t+qe(e,t,"`").length};case"[":return Cc(e,t,n)??r;case"h":return Ec(e,t)??r;default:return kc(e,t,n)??{node:qe(e,t,o),end:t+qe(e,t,o).length}}}function vc(e,t){let n=e[t+1]??"";return _c.test(n)?{node:n,end:t+2}:{node:n===`
`?"":"\\",end:t+1}}function qe(e,t,n){let o=t;for(;e[o]===n;)o+=1;return e.slice(t,o)}function wc(e,t,{open:n,unclosed:o}){let r=qe(e,t,"`"),a=t+r.length,i=o.has(r)?-1:Tc(e,a,r);if(i<0&&o.add(r),i<0&&!(n&&a<e.length))return;let l=e.slice(a,i<0?e.length:i).replaceAll(`
`," ");return{node:{type:"code",text:l.startsWith(" ")&&l.endsWith(" ")&&l.trim()!==""?l.slice(1,-1):l},end:i<0?e.length:i+r.length}}function Tc(e,t,n){for(let o=e.indexOf(n,t);o>=0;o=e.indexOf(n,o)){let r=qe(e,o,"`");if(r.length===n.length)return o;o+=r.length}return-1}function kc(e,t,{open:n,depth:o,unclosed:r}){if(!(o>=6))for(let[a,i]of gc){if(!e.startsWith(a,t)||!Sc(e,t,a))continue;let l=t+a.length,c=r.has(a)?-1:xc(e,l,a);if(c>0){let u=rn(e.slice(l,c),!1,o+1);return{node:{type:i,children:u},end:c+a.length}}if(r.add(a),n&&a.length===2)return{node:{type:i,children:rn(e.slice(l),!0,o+1)},end:e.length}}}function Sc(e,t,n){let o=e[t+n.length]??" ";return!/\s/.test(o)&&o!==n&&!(n[0]==="_"&&ao(e[t-1]))}function xc(e,t,n){for(let o=e.indexOf(n,t+1);o>=0;o=e.indexOf(n,o+1))if(!(e[o-1]==="\\"||/\s/.test(e[o-1]??" "))&&!(n[0]==="_"&&ao(e[o+n.length]))){if(n.length===2)return o+(e[o+2]===n[0]&&e[o+3]!==n[0]?1:0);if(e[o+1]!==n)return o;o+=qe(e,o,n).length-1}return-1}function ao(e){return e!==void 0&&/[\p{L}\p{N}]/u.test(e)}function Cc(e,t,{open:n,depth:o,target:r}){if(e[t-1]==="!"||o>=6)return;r.close<t&&r.close>=0&&Object.assign(r,as(e,t));let{close:a,href:i,end:l}=r;if(i&&a-t<1e3)return{node:{type:"link",href:i,children:rn(e.slice(t+1,a),!1,5)},end:l};let c=n&&e.length-t<=1e3?hc.exec(e.slice(t)):null;return c?.[1]?{node:c[1],end:e.length}:void 0}function as(e,t){let n=e.indexOf("](",t);so.lastIndex=n+1;let o=n<0?null:so.exec(e);return{close:n,href:is(o?.[2]??""),end:so.lastIndex}}function Ec(e,t){if(ao(e[t-1]))return;rs.lastIndex=t;let n=rs.exec(e)?.[0];if(n===void 0)return;let o=Rc(n),r=is(o);return r?{node:{type:"link",href:r,children:[o]},end:t+o.length}:void 0}function Rc(e){let t=0,n=0;for(;n<e.length&&t>=0;n+=1)e[n]==="("?t+=1:e[n]===")"&&(t-=1);for(t<0&&(n-=1);n>0&&".,;:!?'*_~}\\".includes(e[n-1]??"");)n-=1;return e.slice(0,n)}function is(e){try{let{protocol:t,href:n}=new URL(e);return bc.has(t)?n:""}catch{return""}}var Ac=2;function sn({text:e}){let t=W(()=>on(e),[e]);return s`<${co} blocks=${t} />`}function co({blocks:e,open:t=!1}){return s`<div class="md">
    ${e.map((n,o)=>s`<${Oc} key=${o} block=${n} open=${t&&o===e.length-1} />`)}
  </div>`}function Oc({block:e,open:t}){let n=`${t} ${e.type} ${e.source}`;return W(()=>ls(e,t),[n])}function ls(e,t){switch(e.type){case"heading":return s`<${`h${Math.min(6,Ac+e.level)}`}>${wt(e.text,t)}<//>`;case"code":return s`<pre tabindex="0" role="region" aria-label=${`Code ${e.language}`.trim()}><code>${e.text}</code></pre>`;case"rule":return s`<hr />`;case"quote":return s`<blockquote>${io(e.blocks,t)}</blockquote>`;case"list":return Mc(e,t);case"table":return Dc(e,t);default:return s`<p>${wt(e.text,t)}</p>`}}function io(e,t){return e.map((n,o)=>ls(n,t&&o===e.length-1))}function Mc({start:e,items:t},n){let o=t.map((r,a)=>s`<li>${Ic(r,n&&a===t.length-1)}</li>`);return e===void 0?s`<ul>${o}</ul>`:s`<ol start=${e}>${o}</ol>`}function Ic(e,t){let[n,...o]=e;return n?.type!=="paragraph"?io(e,t):s`<span>${wt(n.text,t&&o.length===0)}</span>${io(o,t)}`}function Dc({aligns:e,head:t,rows:n},o){return s`
    <div class="md-table" tabindex="0" role="region" aria-label="Table">
      <table>
        <thead>
          <tr>${t.map((r,a)=>s`<th scope="col" data-align=${e[a]}>${wt(r,!1)}</th>`)}</tr>
        </thead>
        <tbody>
          ${n.map((r,a)=>s`<tr>
              ${r.map((i,l)=>s`<td data-align=${e[l]}>${wt(i,o&&a===n.length-1)}</td>`)}
            </tr>`)}
        </tbody>
      </table>
    </div>
  `}function wt(e,t){return ss(e,{open:t}).map(lo)}function lo(e){if(typeof e=="string")return e;switch(e.type){case"code":return s`<code>${e.text}</code>`;case"link":return s`<a href=${e.href} title=${e.href} target="_blank" rel="noopener noreferrer nofollow">
        ${e.children.map(lo)}
      </a>`;default:return s`<${e.type}>${e.children.map(lo)}<//>`}}var Nc=new Set(["tool_not_found","tool_not_allowed","tool_disabled","invalid_arguments","malformed_arguments","repeated_call","too_many_calls","rate_limited","circuit_open","previous_call_unfinished","deadline"]),Pc={stop:{tone:"good",label:"answered",reason:""},tool_calls:{tone:"good",label:"called tools",reason:""},length:{tone:"warn",label:"cut off",reason:"The model's token limit cut off the answer."},content_filter:{tone:"warn",label:"filtered",reason:"The provider's filter stopped the answer."},refusal:{tone:"warn",label:"refused",reason:"The model refused to answer."},unknown:{tone:"warn",label:"unknown outcome",reason:"The provider returned an unknown finish reason."}},Lc={topic:"topic",search:"search",intent:"intent",model:"model",tool:"tool"};function He(e,t){let n=[...t],o=e.steps.map((r,a)=>{let i=r.step==="tool"?n.findIndex(l=>qc(l,r)):-1;return cs(a,r,i<0?void 0:n.splice(i,1)[0])});for(let[r,a]of n.entries()){let i=o.findLastIndex(l=>Hc(l)<=a.iteration);o.splice(i+1,0,cs(e.steps.length+r,void 0,a))}return o}function qc(e,t){return e.call_id===t.call_id&&e.iteration===t.iteration}function Hc({step:e,call:t}){return e?.iteration??t?.iteration??0}function cs(e,t,n){let o=t?.step??"tool",r=ne(t?.name??n?.tool??"",128),a=o==="tool"||o==="search";return{index:e,step:t,call:n,name:a?r:`${Lc[o]}${o==="model"?` ${t?.iteration}`:""}`,detail:a?"":r,nested:o==="tool",status:Be(t,n)}}function Be(e,t){if(t!==void 0)return Bc(t);if(e?.error)return{tone:"bad",label:"failed",reason:`The model failed: ${te(e.error)}.`};let n=Pc[e?.finish_reason??""];return n!==void 0?n:e?.ok?{tone:"good",label:"done",reason:""}:{tone:"bad",label:"failed",reason:"The step failed."}}function uo({result:e}){return!("error"in e)||!Nc.has(e.error_type)}function Bc(e){let{result:t}=e;return"error"in t?{tone:"bad",label:uo(e)?"failed":"not run",reason:ne(`${te(t.error_type)}: ${t.error}`,240)}:{tone:"good",label:"done",reason:""}}function te(e){return e.replaceAll("_"," ")}function ne(e,t){return e.length>t?`${e.slice(0,t)}…`:e}function us(e){let t=Math.max(1,e.total_ms,...e.steps.map(o=>o.start_ms+o.duration_ms)),n=Fc(t);return{length:t,step:n,ticks:Array.from({length:Math.floor(t/n)+1},(o,r)=>r*n)}}function Fc(e){for(let t=1;;t*=10)for(let n of[1,2,5])if(e/(n*t)<6)return n*t}function ds(e,t){return{left:e.start_ms/t*100,width:e.duration_ms/t*100}}function ms(e,t){return e===0?"0":t>=100&&e>=1e3?`${e/1e3} s`:`${e} ms`}function fs(e,t,n){return He(e,t).find(o=>o.index===n)}function Ze({label:e,tabs:t,chosen:n,onChoose:o}){let r=se(),[a,i]=$(t[0]?.name??""),l=n??a,c=Math.max(0,t.findIndex(f=>f.name===l)),u=f=>{i(f),o?.(f)};return s`
    <div>
      <div role="tablist" aria-label=${e} onKeyDown=${f=>{let p={ArrowRight:1,ArrowLeft:-1}[f.key],m=p===void 0?void 0:t[(c+p+t.length)%t.length];m!==void 0&&(f.preventDefault(),u(m.name),f.currentTarget.children.item(t.indexOf(m))?.focus())}}>
        ${t.map((f,p)=>s`
            <button
              type="button"
              role="tab"
              id=${`${r}-${p}`}
              aria-selected=${p===c}
              aria-controls=${`${r}-panel`}
              tabindex=${p===c?0:-1}
              onClick=${()=>u(f.name)}
            >${f.name}${f.note&&s` <small>${f.note}</small>`}</button>
          `)}
      </div>
      <div role="tabpanel" id=${`${r}-panel`} aria-labelledby=${`${r}-${c}`} tabindex="0">${t[c]?.content()}</div>
    </div>
  `}var Vc=2e4,jc=10;function Fe(e){return typeof e=="string"?e:JSON.stringify(e,null,2)??""}function q({value:e,label:t}){let[n,o]=$(1),r=W(()=>Fe(e),[e]),a=r.slice(0,Vc*n),i=r.length-a.length;return s`
    <div class="value">
      <pre tabindex="0" role="region" aria-label=${t}>${a}</pre>
      <div class="row">
        <${Z} text=${r} label="Copy" />
        ${i>0&&s`<button type="button" class="quiet" onClick=${()=>o(n*jc)}>
            Show more (${A(i)} more characters)
          </button>`}
      </div>
    </div>
  `}var Uc=128;function kt({step:e,call:t}){let n=Be(e,t),o=ne(e?.name??t?.tool??"",Uc);return s`
    <section class="wf-details" aria-label=${`Details of ${o}`}>
      <div class="row">
        <h3 class="mono">${o}</h3>
        <${S} tone=${n.tone}>${n.label}<//>
      </div>
      <${Ze} label=${`Details of ${o}`} tabs=${Wc(e,t)} />
    </section>
  `}function Wc(e,t){let n=`${e?.start_ms} ${e?.name} ${t?.iteration} ${t?.call_id}`,o={name:"Timing",content:()=>s`<${Kc} step=${e} call=${t} />`},r={name:"Raw",content:()=>s`<${q} key=${n} value=${{...e&&{step:e},...t&&{call:t}}} label="Raw" />`},a=e?.reasoning;return t===void 0&&a?[{name:"Reasoning",content:()=>s`<${q} key=${n} value=${a} label="Reasoning" />`},o,r]:t===void 0?[o,r]:[{name:"Arguments",content:()=>s`<${q} key=${n} value=${t.params} label="Arguments" />`},{name:"Result",content:()=>s`<${Gc} key=${n} result=${t.result} />`},o,r]}function Gc({result:e}){return"error"in e?s`<div class="stack">
      <p>${te(e.error_type)}</p>
      <${q} value=${e.error} label="Error" />
      ${e.validation_errors&&s`<${q} value=${e.validation_errors} label="Validation errors" />`}
    </div>`:s`<div class="stack">
    ${e.truncated&&s`<p class="notice">! The result was truncated.</p>`}
    <${q} value=${e.result} label="Result" />
  </div>`}function Kc({step:e,call:t}){let n=[...zc(e),...Jc(e,t)];return s`<dl class="wf-facts">
    ${n.map(([o,r])=>s`
        <dt>${o}</dt>
        <dd>${r}</dd>
      `)}
  </dl>`}function zc(e){return e===void 0?[["Iteration","not started"]]:[["Iteration",e.iteration===0?"before iteration 1":String(e.iteration)],["Started after",O(e.start_ms)],["Duration",O(e.duration_ms)],["Ended after",O(e.start_ms+e.duration_ms)],...Tt("Model",e.demo&&"demo model"),...Tt("Tokens",e.total_tokens&&A(e.total_tokens)),...Tt("Finish reason",e.finish_reason),...Tt("Error",e.error&&te(e.error))]}function Jc(e,t){return t===void 0?[]:[...e===void 0?Tt("In iteration",String(t.iteration)):[],["Execution time",O(t.result.execution_time_ms)],["Call",t.call_id]]}function Tt(e,t){return t?[[e,t]]:[]}function an({timings:e,calls:t,selected:n,onSelect:o}){let r=He(e,t),a=us(e),i=a.ticks.filter(u=>u/a.length<.9),l=r.findIndex(u=>u.index===n),c=u=>{let d=r[Xc(u.key,l,r.length)];d===void 0||u.ctrlKey||u.metaKey||u.altKey||(u.preventDefault(),o(d.index),u.currentTarget.children.item(r.indexOf(d))?.focus())};return s`
    <div class="wf" style=${{"--wf-tick":`${a.step/a.length*100}%`}}>
      <div class="wf-head" aria-hidden="true">
        <span>Step</span>
        <span class="wf-axis">
          ${i.map(u=>s`<span style=${{left:`${u/a.length*100}%`}}>${ms(u,a.step)}</span>`)}
        </span>
        <span class="number">Time</span>
        <span class="number">Tokens</span>
        <span>Outcome</span>
      </div>
      <div role="listbox" aria-label="Steps in order of their start" onKeyDown=${c}>
        ${r.map((u,d)=>s`
            <div
              key=${u.index}
              role="option"
              class=${u.nested?"wf-row wf-nested":"wf-row"}
              aria-selected=${u.index===n}
              tabindex=${d===Math.max(0,l)?0:-1}
              onClick=${()=>o(u.index)}
            ><${Qc} row=${u} length=${a.length} /></div>
          `)}
      </div>
    </div>
  `}function Xc(e,t,n){switch(e){case"ArrowDown":return t+1;case"ArrowUp":return t-1;case"Home":return 0;case"End":return n-1;case"Enter":case" ":return Math.max(0,t);default:return-1}}function Qc({row:e,length:t}){let{step:n,status:o}=e;return s`
    <span class="wf-name" title=${e.detail||e.name}>
      ${e.name}${e.detail&&s` <small>${e.detail}</small>`}${n?.demo&&s` <${K} />`}
    </span>
    <span class="wf-track">${n&&s`<${Yc} row=${e} length=${t} step=${n} />`}</span>
    <span class="wf-time number">${n?O(n.duration_ms):"–"}</span>
    <span class="wf-tokens number">
      ${n?.total_tokens?s`${b(n.total_tokens,"token")}`:s`<span aria-hidden="true"></span>`}
    </span>
    <span><${S} tone=${o.tone}>${o.label}<//></span>
    ${o.reason&&s`<span class="wf-reason">${o.reason}</span>`}
  `}function Yc({row:e,step:t,length:n}){let{left:o,width:r}=ds(t,n),a={left:`min(${o}%, 100% - var(--wf-least))`,width:`max(${r}%, var(--wf-least))`};return s`<span class="wf-bar" data-kind=${t.step} data-tone=${e.status.tone} style=${a}></span>`}function Ve({label:e,caption:t,columns:n,numbers:o=[],children:r}){return s`
    <div class="scroll" tabindex="0" role="region" aria-label=${e}>
      <table>
        <caption>${t}</caption>
        <thead>
          <tr>${n.map(a=>s`<th scope="col" class=${o.includes(a)&&"number"}>${a}</th>`)}</tr>
        </thead>
        <tbody>${r}</tbody>
      </table>
    </div>
  `}var ps=200;function ln({rules:e}){return s`
    <${Ve} label="Evaluated rules" caption="Evaluated rules, in order" columns=${["Rule","Outcome","Conditions"]}>
      ${e.map(t=>s`
          <tr>
            <th scope="row">${t.rule}</th>
            <td>
              <${S} tone=${t.matched?"good":"plain"}>${t.matched?"matched":"not matched"}<//>
            </td>
            <td><${Zc} rule=${t} /></td>
          </tr>
        `)}
    <//>
  `}function Zc({rule:e}){return e.conditions.length===0?e.fallback?"none: fallback rule":"none":e.conditions.map(({condition:t,expected:n,actual:o,holds:r})=>s`
      <div>
        <${S} tone=${r?"good":"bad"}>${r?"true":"false"}<//>
        ${" "}<code>${t}</code> ${$s(n)}${!r&&s` <small>(actual: ${$s(o)})</small>`}
      </div>
    `)}function cn({tools:e}){return e.length===0?s`<p>No tools are configured.</p>`:s`
    <${Ve} label="Offered tools" caption="Tools" columns=${["Tool","Offered","Reason"]}>
      ${e.map(({tool:t,offered:n,reason:o})=>s`
          <tr>
            <th scope="row" class="mono">${t}</th>
            <td><${S} tone=${n?"good":"plain"}>${n?"offered":"not offered"}<//></td>
            <td>${o}</td>
          </tr>
        `)}
    <//>
  `}function $s(e){if(e==null)return"nothing";let t=Fe(e);return t.length>ps?`${t.slice(0,ps)}…`:t}var eu={match:"good",partial:"warn",none:"plain"};function hs({rag:e}){let{documents:t,skipped:n,result:o}=e,r=s`
    ${b(t.length,"document")} ·
    ${" "}<${S} tone=${eu[o]}>${o==="none"?"no match":o}<//>
    ${n.length>0&&s` · <${S} tone="warn">${b(n.length,"collection")} skipped<//>`}
  `;return s`
    <${P} summary=${r}>
      ${t.length>0&&s`<${tu} documents=${t} />`}
      ${t.length===0&&s`<p>No document within the distance limit in the selected collections.</p>`}
      ${n.map(({collection:a,reason:i})=>s`<p>! <code>${a}</code> was skipped: ${i}</p>`)}
    <//>
  `}function tu({documents:e}){return s`
    <${Ve} label="Documents" caption="Documents sent to the model" columns=${["Distance","Title","Source","Collection"]} numbers=${["Distance"]}>
      ${e.map(t=>s`
          <tr>
            <td class="number">${ge(t.distance)}</td>
            <td>${t.title}</td>
            <td>${t.source}</td>
            <td>${t.service}/${t.collection}</td>
          </tr>
        `)}
    <//>
  `}function _s({explain:e}){return s`
    <dl class="chat-facts">
      <dt>Topic</dt>
      <dd>${e.topic?s`<${nu} topic=${e.topic} />`:"not detected: phase disabled"}</dd>
      <dt>Intent</dt>
      <dd>${e.intent?s`<${ou} intent=${e.intent} />`:"not detected: phase disabled"}</dd>
      <dt>History</dt>
      <dd>${b(e.history_messages,"message")}</dd>
    </dl>
    <h3>Profile</h3>
    <${q} value=${e.profile} label="Profile" />
    <${ln} rules=${e.rules} />
    <${cn} tools=${e.tools} />
    <h3>System prompt</h3>
    <${q} value=${e.system_prompt} label="System prompt" />
  `}function nu({topic:e}){return s`${te(e.topic_status)}: ${e.topic_summary} <${bs} phase=${e} />`}function ou({intent:e}){return s`
    ${e.intent??"none"} (${te(e.source)})
    ${e.candidates.length>0&&s`<small>of ${e.candidates.join(", ")}</small>`}
    ${" "}<${bs} phase=${e} />
  `}function bs({phase:e}){return s`
    <small>${e.model&&`${e.model}, `}${O(e.duration_ms)}</small>
    ${e.error&&s` <${S} tone="bad">${e.error}<//>`}
  `}var ru=120;function gs({calls:e,received:t}){let n=e.filter(o=>!o.result.success).length;return s`
    ${e.length>0&&s`<${P}
        summary=${s`
          ${b(e.length,"tool call")}
          ${n>0&&s` · <${S} tone="bad">${n} failed<//>`}
        `}
      >
        ${e.map(o=>s`<${su} key=${`${o.iteration} ${o.call_id}`} call=${o} />`)}
      <//>`}
    ${t&&s`<${P} summary="Timeline"><${iu} received=${t} /><//>`}
    ${t?.rag&&s`<${hs} rag=${t.rag} />`}
    ${t?.explain&&s`<${P} summary="Explanation"><${_s} explain=${t.explain} /><//>`}
  `}function su({call:e}){let{tone:t,label:n}=Be(void 0,e),o=s`
    <code>${ne(`${e.tool}(${au(e.params)})`,ru)}</code>
    ${" "}<${S} tone=${t}>${n}<//>
    ${" "}<small class="number">${O(e.result.execution_time_ms)}</small>
  `;return s`<${P} summary=${o}><${kt} step=${void 0} call=${e} /><//>`}function au(e){return typeof e=="string"?e:Object.entries(e).map(([t,n])=>`${t}: ${Fe(JSON.stringify(n))}`).join(", ")}function iu({received:e}){let[t,n]=$(-1),o=He(e.timings,e.tool_calls).find(r=>r.index===t);return s`
    <${an} timings=${e.timings} calls=${e.tool_calls} selected=${t} onSelect=${n} />
    ${o&&s`<${kt} key=${t} step=${o.step} call=${o.call} />`}
  `}function ys({answer:e,received:t,tokenUsed:n,onResume:o}){let r=e?.status==="partial",a=e&&!r?ve(e).reason:"",i=[...a?[a]:[],...t?uu(t):[]];return i.length===0&&!r?null:s`
    <div class="notice stack">
      ${r&&s`<p><strong>! The answer is partial.</strong> ${cu(t)}</p>`}
      ${i.map(l=>s`<p>! ${l}</p>`)}
      ${r&&s`<${lu} received=${t} tokenUsed=${n} onResume=${o} />`}
    </div>
  `}function lu({received:e,tokenUsed:t,onResume:n}){return t?s`<p>The resume token was already used. Send a new message instead.</p>`:e?e.resume_token?s`<div class="row">
    <button type="button" disabled=${!n} onClick=${n}>Continue</button>
    <small>available for one hour; completed tool calls are not repeated</small>
  </div>`:s`<p>The partial answer has no resume token. Send a new message instead.</p>`:s`<p>The resume token is only available during the visit that received it. Send a new message instead.</p>`}function cu(e){if(!e)return"The deadline was reached or the model failed before the answer was complete.";let n=e.tool_calls.length>0?" The tool results so far are below.":"";return e.error?`The model failed (${te(e.error.type)}): ${e.error.message}.${n}`:`The deadline was reached before the answer was complete.${n}`}function uu(e){let{fallback:t,session:n}=e;return[...un(t,()=>`${e.model} answered instead of ${t?.instead_of}: ${te(t?.reason??"")}.`),...un(e.deadline_reached,()=>"The deadline was near: the model had to answer without more tool calls."),...un(e.max_tool_calls_reached&&e.outcome!=="tool_call_limit",()=>"The tool call limit was reached."),...un(n?.saved===!1,()=>`Not saved in the session: ${n?.problem??"the write failed"}.`)]}function un(e,t){return e?[t()]:[]}var du=2e4,mu=10;function vs({turn:e,open:t,tokenUsed:n,onResume:o}){let{question:r,attachments:a,at:i,remarks:l,calls:c,answer:u,received:d}=e;return s`
    <article class="chat-turn" tabindex="-1" aria-label=${e.number?`Turn ${e.number}`:"Unsaved turn"}>
      ${r!==void 0&&s`<${fo} text=${r} attachments=${a} at=${i} />`}
      <div class="chat-answer">
        ${u&&s`<${fu} answer=${u} received=${d} />`}
        ${l.map(f=>s`<div class="chat-remark"><${mo} text=${f} markdown /></div>`)}
        ${u&&s`<${mo} text=${u.content||"(empty answer)"} markdown />`}
        ${!u&&!t&&s`<p><${S} tone="warn">No answer yet.<//></p>`}
        <${ys} answer=${u} received=${d} tokenUsed=${n} onResume=${o} />
        <${gs} calls=${c} received=${d} />
      </div>
    </article>
  `}function fo({text:e,attachments:t,at:n}){return s`
    <div class="chat-question">
      <div class="row spread">
        <strong>You</strong>
        ${n&&s`<small><${J} at=${n} /></small>`}
      </div>
      <${Qt} attachments=${t} />
      <${mo} text=${e} />
    </div>
  `}function fu({answer:e,received:t}){let n=t?.usage.cost_usd,o=ve(e);return s`
    <div class="row chat-head">
      <strong>${e.model}</strong>
      ${e.demo&&s`<${K} />`}
      <${S} tone=${o.tone} sign=${o.sign}>${o.title}<//>
      <${ee}>service ${e.service}<//>
      ${e.rule&&s`<${ee}>rule ${e.rule}<//>`}
      <small>
        <${J} at=${e.at} />
        ${t&&` · ${O(t.timings.total_ms)} · ${b(t.usage.total_tokens,"token")}`}
        ${typeof n=="number"&&` · ${be(n)}`}
      </small>
      ${e.content&&s`<${Z} text=${e.content} label="Copy answer" />`}
    </div>
  `}function mo({text:e,markdown:t=!1}){let[n,o]=$(1),r=e.slice(0,du*n),a=e.length-r.length;return s`
    <div class="chat-prose">${t?s`<${sn} text=${r} />`:r}</div>
    ${a>0&&s`<button type="button" class="quiet" onClick=${()=>o(n*mu)}>
        Show more (${A(a)} more characters)
      </button>`}
  `}function ws({list:e,turns:t,from:n,busy:o,usedTokens:r,earlier:a,onToggle:i,onResume:l,children:c}){let u=g(l);u.current=l;let d=W(()=>{let f=t.at(-1);return t.map(p=>{let{received:m}=p;return s`
        <${vs}
          key=${p.key}
          turn=${p}
          open=${o&&p===f}
          tokenUsed=${r.includes(m?.resume_token??"")}
          onResume=${m&&p===f&&!o?()=>u.current(m):void 0}
        />
      `})},[t,o,r]);return s`
    ${n>1&&s`<div class="row">
        <button type="button" disabled=${a.busy} onClick=${a.show}>Show earlier messages</button>
        ${a.busy&&s`<${I} label="Loading earlier messages" since=${a.since} />`}
      </div>`}
    ${a.error&&s`<${R} error=${a.error} onRetry=${a.show} />`}
    <div class="chat-turns" ref=${e} onClickCapture=${i}>
      ${d} ${c}
    </div>
  `}function Ts(e,t){let n=[...$u(e).values()].map(i=>hu(i,t)),o=new Set(n.map(i=>i.answer?.requestId)),r=t.findLastIndex(({answer:i})=>o.has(i.request_id));return t.filter(({answer:i},l)=>!o.has(i.request_id)&&(l>r||i.session?.saved===!1)).reduce(pu,n)}function pu(e,t){let n=e.at(-1),o=n!==void 0&&!n.answer&&(t.question===""||t.question===n.question),r=e.find(d=>t.replaces&&d.answer?.requestId===t.replaces)??(o&&n),a=bu(t);if(!r)return[...e,a];let{number:i,question:l,attachments:c,at:u}=r;return e.map(d=>d===r?{...a,number:i,question:l,attachments:c,at:u}:d)}function $u(e){let t=new Map;for(let n of e){let o=t.get(n.turn);o?o.push(n):t.set(n.turn,[n])}return t}function hu(e,t){let n=e.find(i=>i.role==="user"),o=e.find(i=>i.role==="assistant"&&i.service),r=e.filter(i=>i!==n&&i!==o),a=o&&_u(o);return{key:a?.requestId||`turn ${e[0]?.turn}`,number:e[0]?.turn,question:n?.content,attachments:(n?.attachments??[]).map(({name:i,media_type:l,size:c})=>({name:i,type:l,size:c})),at:e[0]?.at??"",remarks:r.map(i=>i.content).filter(i=>i.trim()!==""),calls:e.flatMap(i=>i.tool_calls),answer:a,received:t.find(i=>i.answer.request_id===a?.requestId)?.answer}}function _u(e){return{content:e.content,at:e.at,model:e.model??"",service:e.service??"",rule:e.rule??"",status:e.status??"complete",outcome:e.outcome??void 0,demo:e.demo??!1,requestId:e.request_id??""}}function bu({question:e,attachments:t,at:n,answer:o}){return{key:o.request_id,number:void 0,question:e||void 0,attachments:t,at:n,remarks:[],calls:o.tool_calls,answer:{content:o.content,at:n,model:o.model,service:o.service,rule:o.rule??"",status:o.status,outcome:o.outcome,demo:o.demo??!1,requestId:o.request_id},received:o}}function ks(e,t,n){return[...e.filter(o=>o.turn<n),...t]}var Ss=48,gu=1/3,Se=document.documentElement;function xs(){return Se.scrollHeight-Se.scrollTop-Se.clientHeight}function po(){Se.scrollTop=Se.scrollHeight}function Cs({session:e,turns:t,added:n,waiting:o,streamed:r}){let a=g(null),i=g(null),l=g(!0),c=g(0),[u,d]=$(!1),f=g({session:"",first:"",answer:"",end:"",wasWaiting:!1}),p=t[0]?.key??"",m=t.at(-1)?.answer?.requestId??"",h=`${t.length} ${t.at(-1)?.key} ${n}`,{current:x}=f,v=x.session===e,k=v&&x.first!==p&&t.some(({key:M})=>M===x.first)?i.current?.firstElementChild:void 0,_=k?.getBoundingClientRect().top??0,w=C(()=>d(xs()>Ss),[]),F=C(()=>{l.current=!0,po(),w()},[w]);fe(()=>{let M=m!==""&&m!==x.answer,oe=o||v&&x.wasWaiting;f.current={session:e,first:p,answer:m,end:h,wasWaiting:oe&&!M},v||(l.current=!0),!(v&&x.end===h)&&(k?Se.scrollTop+=k.getBoundingClientRect().top-_:l.current&&t.length+n.trim().length>0&&(l.current=!(M&&oe&&!r&&yu(a.current)),l.current&&po()),w())}),y(()=>{let{scrollRestoration:M}=history;history.scrollRestoration="manual";let oe=()=>{let ue=Se.scrollTop<c.current-1;c.current=Se.scrollTop,xs()<=Ss?l.current=!0:ue&&(l.current=!1),w()},re=()=>{l.current&&po(),w()},D=new ResizeObserver(()=>requestAnimationFrame(re));return a.current&&D.observe(a.current),addEventListener("scroll",oe,{passive:!0}),addEventListener("resize",re),visualViewport?.addEventListener("resize",re),()=>{history.scrollRestoration=M,D.disconnect(),removeEventListener("scroll",oe),removeEventListener("resize",re),visualViewport?.removeEventListener("resize",re)}},[w]);let U=C(M=>{M.target instanceof Element&&M.target.closest("summary, button, [role=option]")&&(l.current=!1)},[]),ce=()=>{F(),i.current?.querySelector("article:last-of-type")?.focus({preventScroll:!0})};return{chat:a,list:i,isAway:u&&(t.length>0||o),follow:F,jump:ce,handleToggle:U}}function yu(e){let t=e?.querySelector("article:last-of-type"),n=t?.querySelector(".chat-answer");if(!t||!n)return!1;let o=vu(document.querySelector("header.shell")),r=innerHeight-o-(e?.querySelector(".chat-composer")?.getBoundingClientRect().height??0),{top:a,height:i}=n.getBoundingClientRect();if(i<=r)return!1;let l=t.getBoundingClientRect().top;return Se.scrollTop+=(a-l<r*gu?l:a)-o-8,!0}function vu(e){return e&&getComputedStyle(e).position==="sticky"?e.getBoundingClientRect().height:0}var xe=class extends Error{};function wu({lastId:e="",longest:t=33554432}={}){let n=[],o=[],r=e,a="",i=0,l=!1,c=u=>{if(u===""){let m=o.length>0?{name:a||"message",data:o.join(`
`),id:r}:void 0;return[a,o,i]=["",[],0],m}let d=u.indexOf(":"),f=d<0?u:u.slice(0,d),p=d<0?"":u.slice(u[d+1]===" "?d+2:d+1);f==="event"?a=p:f==="data"?o.push(p):f==="id"&&(r=p)};return u=>{let d=[],f=l&&u.startsWith(`
`)?1:0;u!==""&&(l=u.endsWith("\r")),i+=u.length-f;for(let{index:p,0:m}of u.matchAll(/\r\n|\n|\r/g)){if(p<f)continue;n.push(u.slice(f,p)),f=p+m.length;let h=c(n.join(""));n=[],h&&d.push(h),i===0&&(i=u.length-f)}if(i>t)throw new xe("The service sent an event that is too long.");return f<u.length&&n.push(u.slice(f)),d}}async function*Es(e,{lastId:t="",silenceMs:n=45e3}={}){let o=e.getReader(),r=wu({lastId:t}),a=new TextDecoder;try{for(;;){let{done:i,value:l}=await Tu(o.read(),n);if(i)return;yield*r(a.decode(l,{stream:!0}))}}catch(i){throw i instanceof xe||$o(i)?i:new xe("The connection was lost.")}finally{o.cancel().catch(()=>{})}}function $o(e){return e instanceof DOMException&&e.name==="AbortError"}async function Tu(e,t){let n,o=new Promise((r,a)=>{n=setTimeout(()=>a(new xe("The connection was silent for too long.")),t)});try{return await Promise.race([e,o])}finally{clearTimeout(n)}}var ho=5,ku=500,Su=2,et=class extends Error{constructor(t){super(`The connection to the run ${t} was lost.`),this.run=t}};async function*Rs({open:e,reopen:t},{signal:n,onLost:o=()=>{},wait:r=Mu}){let a="",i="",l=0;for(;;){try{let c=await(a?t(a,i,n):e(n));for await(let u of xu(c,i)){l=0,i=u.id;let d=Cu(u);if(d.name==="error")throw Eu(d.data);if(d.name==="accepted"&&(a=d.data.run_id),yield d,d.name==="answer")return}}catch(c){Ru(c,a)}if(a==="")throw new H("failed","The stream ended without an answer. Try again.");if(l+=1,l>ho)throw new et(a);o(l),await r(ku*Su**(l-1),n)}}async function*xu(e,t){if(e.headers.get("content-type")?.startsWith("text/event-stream")&&e.body){yield*Es(e.body,{lastId:t});return}yield{name:"answer",data:await e.text(),id:""}}function Cu({name:e,data:t}){try{return{name:e,data:z(t)}}catch{throw new H("failed","The response is incomplete or not JSON. Try again.")}}function Eu({error:e,message:t,request_id:n,details:o}){return new H("failed",t,{status:200,code:e,requestId:n,details:o??[]})}function Ru(e,t){if($o(e)||Au(e))throw e;if(t==="")throw e instanceof xe?new H("offline",`${e.message} Try again.`):e;if(!Ou(e))throw new et(t)}function Au(e){return e instanceof H&&e.status===200}function Ou(e){return e instanceof H?e.kind==="offline"||e.status===429||e.status>=500:e instanceof xe}function Mu(e,t){return new Promise((n,o)=>{let r=setTimeout(n,e),a=()=>(clearTimeout(r),o(new DOMException("Aborted","AbortError")));t.addEventListener("abort",a,{once:!0})})}var Iu=5;function As({live:e}){let{model:t,text:n,remarks:o,steps:r,warnings:a,attempt:i}=e,l=W(()=>on(n,{open:!0}),[n]);return e.run===""&&r.length===0&&n===""?null:s`
    <section class="chat-answer chat-live" aria-label="Answer in progress">
      ${t&&s`<div class="row chat-head"><strong>${t}</strong></div>`}
      ${o.map((c,u)=>s`<div class="chat-remark chat-prose" key=${`remark ${u}`}><${sn} text=${c} /></div>`)}
      ${r.length>0&&s`<ol class="chat-steps">${r.map(c=>s`<${Pu} key=${c.key} step=${c} />`)}</ol>`}
      ${n.trim()&&s`<div class="chat-prose"><${co} blocks=${l} open /></div>`}
      ${a.map(c=>s`<p class="notice">! ${c}</p>`)}
      ${i>0&&s`<p class="notice" role="status">! Connection lost. Reconnecting, attempt ${i} of ${ho}.</p>`}
      <${Du} blocks=${l} />
    </section>
  `}function Du({blocks:e}){let t=e.length-1;return s`<div class="hidden" aria-live="polite">
    ${e.map(({source:n},o)=>o<t&&o>=t-Iu&&s`<p key=${o}>${n}</p>`)}
  </div>`}function Nu({text:e}){return s`<${P} summary="reasoning"><p class="chat-reasoning">${e}</p><//>`}function Pu({step:{kind:e,name:t,detail:n,status:o,ms:r,error:a}}){return e==="rule"?s`<li>rule ${t}</li>`:e==="reasoning"?s`<li><${Nu} text=${n} /></li>`:s`
    <li>
      ${o==="running"?"calling ":""}${e==="tool"?s`<code>${t}</code>`:t}
      ${n&&s` <small class="mono">${n}</small>`}
      ${o==="running"?" …":s` <small class="number">${O(r??0)}</small> <${Lu} status=${o} />`}
      ${a&&s` <small>${a}</small>`}
    </li>
  `}function Lu({status:e}){return s`<${S} tone=${e==="failed"?"bad":"good"}>${e}<//>`}var qu=3e3,Hu=31e3,Bu={pending:"Cancelling the answer in the service.",cancelled:"Answer cancelled. The service stopped it and discarded its partial result.",ended:"The answer had already ended in the service. The session above is up to date."};function Ms({run:e}){let t=g(performance.now()),n=e&&performance.now()-(Date.now()-new Date(e.created_at).getTime()),o=e?He({total_ms:0,steps:e.steps},[]):[];return s`
    <section class="chat-run stack" aria-label="Background run">
      <${I} label=${Fu(e)} since=${n===void 0?t.current:Math.min(n,performance.now())} />
      ${o.length>0&&s`<ol>
          ${o.map(r=>s`
              <li key=${r.index}>
                ${r.name} ${r.detail&&s`<small>${r.detail}</small>`}
                ${" "}<${S} tone=${r.status.tone}>${r.status.label}<//>
                ${r.step&&s` <small class="number">${O(r.step.duration_ms)}</small>`}
                ${r.status.reason&&s` <small>${r.status.reason}</small>`}
              </li>
            `)}
        </ol>`}
      <small>The run continues if you close this page. Its URL shows the result for one day.</small>
    </section>
  `}function Fu(e){return e===void 0?"Loading the run":e.status==="queued"?"Queued in the background":"Running in the background"}function Is({cancellation:{status:e,reason:t},open:n,onCheck:o}){return y(()=>{(e==="cancelled"||e==="ended")&&o()},[e,o]),e==="none"?s`<${Os} open=${n} onCheck=${o} />`:e==="failed"?s`
      <p class="notice" role="status">! The service did not confirm the cancellation: ${t}</p>
      <${Os} open=${n} onCheck=${o} />
    `:s`<p class="notice" role="status">! ${Bu[e]}</p>`}function Os({open:e,onCheck:t}){return y(()=>{if(!e)return;let n=setInterval(()=>!document.hidden&&t(),qu),o=setTimeout(()=>clearInterval(n),Hu);return()=>{clearInterval(n),clearTimeout(o)}},[e,t]),s`
    <div class="notice stack" role="status">
      <p>
        ! Request cancelled. The service may still complete this answer within 30 seconds and save it in the
        session.${e?" Until then the session accepts no other message.":" The session above is up to date."}
      </p>
      ${e&&s`<div class="row"><button type="button" onClick=${t}>Check again</button></div>`}
    </div>
  `}function Ds({id:e,chat:t,conversation:n,options:o,onBegin:r}){let a=g(null),{task:i}=t,l=t.sent?.session===e?t.sent:void 0,c=Zt(o),u=Uu(e,t,n),d=i.busy&&l!==void 0,f=t.followed.active||d,p=f&&t.waiting?Gu(l,u.at(-1)):"",m=Cs({session:e,turns:u,added:ju(t,l,p),waiting:f,streamed:t.live.text!==""}),h=()=>{t.busy||c!==""||t.draft.trim()===""||(m.follow(),t.send())};return ae([{keys:"/",label:"Write a message",run:()=>a.current?.focus()},{keys:"mod+Enter",label:"Send the message",run:h},{keys:"Escape",label:"Cancel the answer",run:()=>t.busy&&t.cancel()}]),s`
    <div class="chat" ref=${m.chat}>
      <${Ju} conversation=${n} />
      ${n.loading&&!(t.waiting&&l)&&s`<${j} lines=${8} label="the messages" />`}
      ${i.error?.kind!=="offline"&&s`<${Vu} conversation=${n} onBegin=${r} />`}
      ${e===""&&s`<${Xu} />`}
      <${Wu} chat=${t} sent=${l} conversation=${n} turns=${u} question=${p} live=${d} answering=${f} scroll=${m} onRetry=${h} />
      <p class="hidden" role="status">${Yu(t)}</p>
      <${Br}
        draft=${t.draft}
        attachments=${t.attachments}
        onAttach=${t.attach}
        onDetach=${t.detach}
        busy=${t.busy}
        waiting=${i.busy?Qu(l):""}
        since=${i.since}
        hint=${c}
        isAway=${m.isAway}
        onJump=${m.jump}
        field=${a}
        onWrite=${t.write}
        onSend=${h}
        onCancel=${t.cancel}
      />
    </div>
  `}function Vu({conversation:e,onBegin:t}){let{error:n,reload:o}=e;return n?_o(e)?s`<${R} error=${n} onRetry=${t} retry="Start a new chat" />`:s`<${R} error=${n} onRetry=${o} />`:null}function _o(e){return e.error?.status===404}function ju({task:e,followed:t,cancellation:n},o,r){let a=(o&&e.error)??t.error,i=o&&e.cancelled?`stopped ${n.status}`:"";return[r,i,a?.code,a?.message,t.run?.status].filter(Boolean).join(" ")}function Uu(e,t,n){let{messages:o}=n,r=_o(n);return W(()=>{let a=t.received.filter(i=>i.session===e);return r?[]:Ts(o,a)},[o,t.received,e,r])}function Wu({chat:e,sent:t,conversation:n,turns:o,question:r,live:a,answering:i,scroll:l,onRetry:c}){let{followed:u}=e,d=_o(n),f=o.at(-1),p=m=>{l.follow(),e.resume(m)};return s`
    <${ws}
      list=${l.list}
      turns=${o}
      from=${d?1:n.from}
      busy=${i}
      usedTokens=${e.usedTokens}
      earlier=${n.earlier}
      onToggle=${l.handleToggle}
      onResume=${p}
    >
      ${r&&s`<${fo} text=${r} attachments=${t?.attachments??[]} at=${void 0} />`}
      ${a&&e.waiting&&s`<${As} live=${e.live} />`}
      ${u.active&&s`<${Ms} run=${u.run} />`}
    <//>
    <${Ku}
      chat=${e}
      sent=${t!==void 0}
      open=${f?.answer===void 0}
      onCheck=${n.reload}
      onRetry=${c}
    />
  `}function Gu(e,t){return t!==void 0&&t.answer===void 0&&t.question===e?.question?"":e?.question}function Ku({chat:e,sent:t,open:n,onCheck:o,onRetry:r}){let{task:a,followed:i}=e,l=(t?a.error:void 0)??i.error;return s`
    ${a.cancelled&&t&&s`<${Is} cancellation=${e.cancellation} open=${n} onCheck=${o} />`}
    ${i.run?.status==="cancelled"&&s`<p class="notice">! Run cancelled. Its partial result was discarded.</p>`}
    ${l&&s`<${R} error=${l} onRetry=${zu(e,l,r)} />`}
  `}function zu({task:e,followed:t,draft:n},o,r){if(t.active)return t.retry;let a=o.kind==="offline"||o.kind==="failed";return o===e.error&&a&&n.trim()!==""?r:void 0}function Ju({conversation:e}){let{session:t}=e;return t?s`
    <div>
      <h2>${tn(t)}</h2>
      <small>${t.topic&&s`Topic: ${t.topic} · `}${b(t.turns,"turn")}</small>
    </div>
  `:s`<h2>${e.id?"Chat":"New chat"}</h2>`}function Xu(){return s`
    <${ye} title="Chat with the service">
      <p>
        The service keeps the conversation, selects model and prompt by response rules, and calls tools. Each answer shows its
        model, rule, tool calls and timeline.
      </p>
      <p>Send a message to start a session, for example <q>What is 15% of 45?</q></p>
    <//>
  `}function Qu(e){return e===void 0?"Waiting for an answer in another session":e.background?"Starting the run":"Waiting for the answer"}function Yu({received:e,busy:t}){let n=e.at(-1)?.answer;if(t||!n)return"";let o=b(n.tool_calls.length,"tool call");return`${n.model}: ${ve(n).title} in ${O(n.timings.total_ms)}, ${o}`}function Ps({options:e,onChange:t}){let n=le(),o=r=>()=>t({[r]:!e[r]});return s`
    <label class="check">
      <input type="checkbox" checked=${e.background} onChange=${o("background")} />
      Run in the background, up to 15 minutes
    </label>
    ${n&&s`<label class="check">
        <input type="checkbox" checked=${e.explain} onChange=${o("explain")} />
        Include an explanation
      </label>`}
    <${Zu} options=${e} onChange=${t} />
    <${P} summary="Profile fields">
      <${Ns} label="Intent" name="intent" options=${e} onChange=${t} />
      <${Ns} label="Service" name="service" options=${e} onChange=${t} />
      <small>Matched by response rules.</small>
    <//>
  `}function Zu({options:e,onChange:t}){let n=se(),o=Zt(e);return s`
    <label class="field">
      Deadline in seconds
      <input
        type="number"
        inputmode="decimal"
        min="1"
        max=${Yt(e)}
        step="any"
        placeholder=${e.background?"600":"28"}
        aria-invalid=${o?"true":void 0}
        aria-describedby=${o?n:void 0}
        value=${e.seconds}
        onInput=${r=>t({seconds:r.currentTarget.value})}
      />
    </label>
    ${o&&s`<p id=${n} class="problem-text" role="alert">✕ ${o}</p>`}
  `}function Ns({label:e,name:t,options:n,onChange:o}){return s`
    <label class="field">
      ${e}
      <input
        value=${n[t]}
        spellcheck=${!1}
        autocomplete="off"
        onInput=${r=>o({[t]:r.currentTarget.value})}
      />
    </label>
  `}function Ls({options:e,onChange:t}){let{data:n,error:o,loading:r,reload:a}=Xt(),i=l=>e.collections.includes(l)?e.collections.filter(c=>c!==l):[...e.collections,l];return o?s`<${R} error=${o} onRetry=${a} />`:!n&&r?s`<${j} lines=${2} label="the collections" />`:n?.collections.length?s`
    <fieldset class="chat-collections">
      <legend>Collections to search</legend>
      ${n.collections.map(({name:l,metadata:c,documents:u})=>s`
          <label class="check" key=${l}>
            <input
              type="checkbox"
              checked=${e.collections.includes(l)}
              onChange=${()=>t({collections:i(l)})}
            />
            <span>${c.display_name||l} <small>${b(u,"document")}</small></span>
          </label>
        `)}
    </fieldset>
  `:s`<small>No collections. See the Retrieval view to create one.</small>`}function qs({sessions:e,open:t,onOpen:n,onDeleted:o}){let r=g(null),a=async i=>{await e.remove(i),r.current?.focus(),o(i)};return s`
    <div class="chat-sessions" tabindex="-1" ref=${r} role="region" aria-label="Sessions">
      ${e.error&&s`<${R} error=${e.error} onRetry=${e.reload} />`}
      ${!e.sessions&&e.loading&&s`<${j} lines=${4} label="your sessions" />`}
      ${e.sessions?.length===0&&s`<small>No sessions yet. Send a message to start one.</small>`}
      ${e.sessions&&e.sessions.length>0&&s`<ul>
          ${e.sessions.map(i=>s`
              <${Jr}
                key=${i.id}
                session=${i}
                open=${i.id===t}
                onOpen=${n}
                onRename=${e.rename}
                onDelete=${a}
              />
            `)}
        </ul>`}
      ${e.more&&s`<${ed} loading=${e.loading} onMore=${e.showMore} />`}
    </div>
  `}function ed({loading:e,onMore:t}){let n=g(0);return s`<div class="row">
    <button type="button" class="quiet" disabled=${e} onClick=${()=>{n.current=performance.now(),t()}}>Show more</button>
    ${e&&n.current>0&&s`<${I} label="Loading more sessions" since=${n.current} />`}
  </div>`}var xt={run:"",model:"",iteration:0,text:"",remarks:[],steps:[],warnings:[],attempt:0},Hs=120;function Fs(e,t){let n=e.attempt===0?e:{...e,attempt:0};switch(t.name){case"accepted":return{...n,run:t.data.run_id};case"phase":return St(n,td(t.data));case"rule":return t.data.rule?St(n,{kind:"rule",name:t.data.rule,status:"done"}):n;case"model_started":return{...Bs(n,t.data.iteration),model:t.data.model};case"delta":return nd(Bs(n,t.data.iteration),t.data.text);case"reasoning":return St(n,{kind:"reasoning",name:"reasoning",detail:t.data.text,status:"done"});case"tool_started":return St(n,{key:js(t.data),kind:"tool",name:t.data.tool,detail:rd(t.data.arguments),status:"running"});case"tool_finished":return od(n,t.data);case"warning":return{...n,warnings:[...n.warnings,t.data.message]};default:return n}}function Vs(e,t){return{...e,attempt:t}}function td({phase:e,name:t="",duration_ms:n,ok:o}){return{kind:"phase",name:e,detail:t,status:o===!1?"failed":"done",ms:n}}function Bs(e,t){if(t===e.iteration)return e;let n=e.text.trim()===""?e.remarks:[...e.remarks,e.text];return{...e,iteration:t,text:"",remarks:n}}function nd(e,t){return{...e,text:e.text+t}}function St(e,t){let n=t.key??`step ${e.steps.length}`;return{...e,steps:[...e.steps,{detail:"",error:"",ms:void 0,...t,key:n}]}}function od(e,t){let n=js(t),r={status:t.ok?"done":"failed",ms:t.duration_ms,error:t.error??""};return e.steps.some(a=>a.key===n)?{...e,steps:e.steps.map(a=>a.key===n?{...a,...r}:a)}:St(e,{key:n,kind:"tool",name:t.tool,...r})}function js({iteration:e,call_id:t}){return`call ${e} ${t}`}function rd(e){let t=typeof e=="string"?e:JSON.stringify(e)??"";return t.length>Hs?`${t.slice(0,Hs)}…`:t}var bo={draft:"",attachments:[],sent:void 0,waiting:!1,usedTokens:[],received:[]};function Us(e,t,n){let{sent:o}=e,r=o?.session===t&&e.waiting?o:void 0,a=e.received.find(u=>u.answer.request_id===r?.replaces),i=e.received.filter(u=>u!==a&&u.answer.request_id!==n.request_id),{question:l,attachments:c}=a??r??{question:"",attachments:[]};return{...e,waiting:r?!1:e.waiting,usedTokens:r?.token?[...e.usedTokens,r.token]:e.usedTokens,received:[...i,{session:t,question:l,attachments:c,at:new Date().toISOString(),replaces:r?.replaces??"",answer:n}]}}function dn(e){if(!e.waiting)return e;let t=[e.sent?.question,e.draft].filter(Boolean).join(`

`);return{...e,waiting:!1,draft:t,attachments:[...e.sent?.attachments??[],...e.attachments]}}function Ws(e,t){return t?{...e,usedTokens:[...e.usedTokens,t]}:e}var Gs={status:"none",reason:""};function Ks(){let[e,t]=$(Gs),n=C(async o=>{t({status:"pending",reason:""});try{let{status:r}=await T.cancelRun(o);t({status:r==="cancelled"?"cancelled":"ended",reason:""})}catch(r){if(!(r instanceof H))throw r;t({status:"failed",reason:r.message})}},[]);return{state:e,cancel:n,clear:C(()=>t(Gs),[])}}function zs(){let e=g(xt),t=g(0),[n,o]=$(xt);y(()=>()=>cancelAnimationFrame(t.current),[]);let r=C(i=>{e.current=i(e.current),t.current===0&&(t.current=requestAnimationFrame(()=>{t.current=0,o(e.current)}))},[]),a=C(()=>{cancelAnimationFrame(t.current),t.current=0,e.current=xt,o(xt)},[]);return{shown:n,latest:C(()=>e.current,[]),update:r,reset:a}}var sd=500,ad=2e3,id=1.4;function mn({status:e}){return e==="queued"||e==="running"}function ld(e){if(!e?.error)return;let{error:t,message:n,request_id:o,details:r}=e.error;return new H("failed",n,{code:t,requestId:o,details:r??[]})}function Js(e){let t=Y(),[n,o]=$({id:e,run:void 0,error:void 0}),[r,a]=$(0);y(()=>{if(e==="")return;let d=new AbortController;return o(f=>f.id===e?{...f,error:void 0}:{id:e,run:void 0,error:void 0}),cd(e,d.signal,f=>o(p=>({...p,error:void 0,...f}))),()=>d.abort()},[e,t,r]);let i=C(async()=>{try{let d=await T.cancelRun(e);o(f=>f.id===e?{...f,run:d}:f)}catch(d){if(!(d instanceof H))throw d;o(f=>f.id===e?{...f,error:d}:f)}},[e]),l=n.id===e?n:{id:e,run:void 0,error:void 0},{run:c}=l,u=l.error?.status===404||c!==void 0&&!mn(c);return{...l,error:l.error??ld(c),active:e!==""&&!u,cancel:i,retry:C(()=>a(d=>d+1),[])}}async function cd(e,t,n){for(let o=sd;;o=Math.min(ad,o*id)){if(await dd(t),t.aborted)return;let r=await ud(e,t,n);if(t.aborted||!r)return;await md(o,t)}}async function ud(e,t,n){try{let o=await T.run(e,t);return n({run:o}),mn(o)}catch(o){if(t.aborted)return!1;if(!(o instanceof H))throw o;return n({error:o}),o.kind==="offline"||o.kind==="failed"}}function dd(e){return new Promise(t=>{if(!document.hidden||e.aborted)return t();document.addEventListener("visibilitychange",()=>t(),{once:!0,signal:e}),e.addEventListener("abort",()=>t(),{once:!0})})}function md(e,t){return new Promise(n=>{let o=setTimeout(n,e);t.addEventListener("abort",()=>(clearTimeout(o),n()),{once:!0})})}var fd=12,pd="resume_token_in_use";function Xs(e,t,n){let o=Y(),[r,a]=$(bo);y(()=>a(({draft:_,attachments:w})=>({...bo,draft:_,attachments:w})),[o]);let i=L(),l=zs(),c=Ks(),u=Js(t),d=g(new Set),f=C((_,w)=>{a(F=>Us(F,_,w))},[]),{run:p}=u;y(()=>{p===void 0||mn(p)||(p.answer?f(e,p.answer):a(_=>_.sent?.session===e?dn(_):_))},[p,e,f]);let m=(_,w)=>{We().params.session===_&&G("chat",{session:_,run:w},{replace:!0})},h=async(_,w,F)=>{let U={open:M=>T.streamChat(w,M),reopen:T.runEvents},ce=M=>l.update(oe=>Vs(oe,M));try{for await(let M of Rs(U,{signal:F,onLost:ce}))M.name==="answer"?f(_.session,M.data):l.update(oe=>Fs(oe,M))}catch(M){if(!(M instanceof et))throw M;m(_.session,M.run)}},x=(_,w)=>{d.current.add(_.session),l.reset(),c.clear(),a(F=>({...F,sent:_,waiting:!0,..._.question&&{draft:"",attachments:[]}})),G("chat",{session:_.session},{replace:e!==""}),i.run(async F=>{try{if(_.background){let{id:U}=await T.startChat(w,F);m(_.session,U)}else await h(_,w,F)}catch(U){throw a(ce=>$d(U)?Ws(dn(ce),_.token):dn(ce)),U}})},v=()=>{let _=e||hd(),w=r.draft.trim(),{background:F}=n,{attachments:U}=r;x({session:_,question:w,attachments:U,background:F,replaces:"",token:""},Wr(w,_,n,U))},E=({request_id:_,resume_token:w})=>{if(!w)return;let{background:F}=n;x({session:e,question:"",attachments:[],background:F,replaces:_,token:w},Gr(w,e,n))},k=()=>{if(!i.busy)return void u.cancel();let{run:_}=l.latest();i.cancel(),_!==""&&c.cancel(_)};return{...r,task:i,live:l.shown,cancellation:c.state,followed:u,busy:i.busy||u.active,fresh:d.current.has(e)||t!=="",markFound:C(_=>{d.current.delete(_)},[]),write:C(_=>a(w=>({...w,draft:_})),[]),attach:C(_=>{a(w=>({...w,attachments:[...w.attachments,..._]}))},[]),detach:C(_=>{a(w=>({...w,attachments:w.attachments.filter((F,U)=>U!==_)}))},[]),send:v,resume:E,cancel:k}}function $d(e){return e instanceof H&&e.kind==="refused"&&e.code!==pd}function hd(){let e=crypto.getRandomValues(new Uint8Array(fd));return Array.from(e,t=>t.toString(16).padStart(2,"0")).join("")}var Qs=40,_d=100,go=e=>({id:e,session:void 0,messages:[],from:1});function Ys(e,{blocked:t,running:n,fresh:o}){let r=Y(),[a,i]=$(()=>go(e)),l=a.id===e?a:go(e),c=g(l);c.current=l;let u=g(o);u.current=o;let d=L(),f=L(),{run:p,cancel:m}=d,h=C(()=>p(async k=>{e!==""&&i(await bd(e,c.current,{fresh:u.current,signal:k}))}),[p,e]);y(()=>(t||h(),m),[h,m,t,n,r]);let x=C(k=>{i(_=>_.session&&_.id===k.id?{..._,session:k}:_)},[]),v=f.run,E=C(()=>v(async k=>{let{from:_}=c.current,w=Math.max(1,_-Qs),F=await Zs(e,w,_,k);i(U=>U.id===e?{...U,messages:[...F,...U.messages],from:w}:U)}),[v,e]);return{...l,loading:e!==""&&d.busy&&l.session===void 0,error:d.error,reload:h,update:x,earlier:{busy:f.busy,since:f.since,error:f.error,show:E}}}async function bd(e,t,{fresh:n,signal:o}){let r=await gd(e,n&&t.session===void 0,o);if(r===void 0)return go(e);let a=Math.max(1,r.turns-Qs+1),i=t.session?.created_at===r.created_at,l=i?Math.min(a,t.messages.at(-1)?.turn??a):a,c=await Zs(e,l,1/0,o);return{id:e,session:r,messages:i?ks(t.messages,c,l):c,from:i?Math.min(t.from,l):l}}async function gd(e,t,n){try{return await T.session(e,n)}catch(o){if(t&&o instanceof H&&o.status===404)return;throw o}}async function Zs(e,t,n,o){let r=[],a;do{let i=await T.messages(e,{limit:_d,cursor:a,fromTurn:t,signal:o});r.push(...i.messages),a=i.cursor??void 0}while(a!==void 0&&(r.at(-1)?.turn??0)<n);return r.filter(i=>i.turn<n)}function ea(e,{read:t,deleted:n,whole:o}){let r=e.at(-1),a=new Map(e.map(i=>[i.id,i]));for(let i of t.values()){let l=a.get(i.id);(l?i.updated_at>=l.updated_at:o||!r||i.updated_at>r.updated_at)&&a.set(i.id,i)}return[...a.values()].filter(i=>!n.has(i.id)).sort((i,l)=>+(i.updated_at<l.updated_at)-+(i.updated_at>l.updated_at))}var yd=20,ta=()=>({read:new Map,deleted:new Set,pages:1});function na(e){let t=Y(),[n,o]=$(ta);y(()=>o(ta),[t]);let r=he(f=>vd(n.pages,f),[n.pages]),a=C(f=>{o(p=>({...p,read:new Map(p.read).set(f.id,f)}))},[]),i=C(async(f,p)=>{let m=await T.renameSession(f,p);a(m),e(m)},[a,e]),l=C(async f=>{await T.deleteSession(f),o(p=>({...p,deleted:new Set(p.deleted).add(f)}))},[]),c=C(()=>o(f=>({...f,pages:f.pages+1})),[]),{data:u}=r,d=W(()=>u&&ea(u.sessions,{...n,whole:!u.cursor}),[u,n]);return{...r,sessions:d,more:!!u?.cursor,showMore:c,addSession:a,rename:i,remove:l}}async function vd(e,t){let n=[],o;for(let r=0;r<e;r+=1){let a=await T.sessions({limit:yd,cursor:o,signal:t});if(n.push(...a.sessions),o=a.cursor??void 0,o===void 0)break}return{sessions:n,cursor:o}}var fn=matchMedia("(width >= 800px)");function oa({route:e}){let{session:t="",run:n=""}=e.params,[o,r]=$(Ur),a=Xs(t,n,o),i=Ys(t,{blocked:a.busy&&a.waiting&&a.sent?.session===t,running:a.followed.active,fresh:a.fresh}),l=na(i.update),{addSession:c}=l,{markFound:u}=a;y(()=>{i.session&&(c(i.session),u(i.session.id))},[i.session,c,u]);let d=C(v=>r(E=>({...E,...v})),[]),f=()=>G("chat"),p=()=>{f(),fn.matches&&document.getElementById(oo)?.focus()},m=zr(o),h=o.collections.length,x=s`
    <button type="button" onClick=${p}>New chat</button>
    <${P} open=${fn.matches} summary=${s`<h2>Sessions</h2>`}>
      <${qs}
        sessions=${l}
        open=${t}
        onOpen=${v=>v!==t&&G("chat",{session:v})}
        onDeleted=${v=>v===t&&f()}
      />
    <//>
    <${P}
      open=${fn.matches}
      summary=${s`<h2>Collections</h2>${h>0&&s` <small>${h} selected</small>`}`}
    >
      <${Ls} options=${o} onChange=${d} />
    <//>
    <${P}
      open=${fn.matches}
      summary=${s`<h2>Options</h2>${m>0&&s` <small>${m} selected</small>`}`}
    >
      <${Ps} options=${o} onChange=${d} />
    <//>
  `;return s`
    <${_e} title="Chat" controls=${x}>
      <${Ds} id=${t} chat=${a} conversation=${i} options=${o} onBegin=${f} />
    <//>
  `}var wd={tone:"good",label:"active"},ra={tone:"plain",label:"disabled"},pn={tone:"bad",label:"not used"},Td={tone:"warn",label:"has a problem"};function yo({disabled:e,tools:t,tool_settings:{disabled_types:n}}){let o=new Set(e.map(({kind:a,name:i})=>`${a} ${i}`)),r=new Set(t.filter(({enabled:a,type:i})=>a===!1||i&&n.includes(i)).map(({name:a})=>a));return(a,{name:i,problems:l})=>a==="tool"&&r.has(i)?ra:o.has(`${a} ${i}`)?pn:l.length>0?Td:wd}function tt(e){return new Set(e?.llms.filter(({demo:t})=>t).map(({name:t})=>t))}function sa(e){let t=yo(e),{rules:n,tools:o,llms:r,services:a,phases:i,validation:l}=e,u=[["rule",n],["tool",o],["llm",r],["service",a],["phase",Object.entries(i).map(([f,p])=>({name:f,problems:p?.problems??[]}))],["schedule",[{name:"validation",problems:l.problems}]]].flatMap(([f,p])=>p.filter(({problems:m})=>m.length>0).map(m=>({kind:f,name:m.name,problems:m.problems,state:t(f,m)}))),d=new Set(u.map(({kind:f,name:p})=>`${f} ${p}`));for(let{kind:f,name:p,problems:m}of e.disabled)d.has(`${f} ${p}`)||u.push({kind:f,name:p,problems:m,state:pn});return u.filter(({state:f})=>f!==ra).sort((f,p)=>+(p.state===pn)-+(f.state===pn))}function $n(e,t){let n=e.filter(({kind:o})=>t.includes(o)).length;return n>0?` ! ${n}`:""}function aa(e){return Object.entries(e).map(([t,n])=>{let o=typeof n=="string"?n:JSON.stringify(n);return t.endsWith("_regexp")?{field:t.slice(0,-7),relation:"matches",value:o}:t.endsWith("_contains")?{field:t.slice(0,-9),relation:"contains",value:o}:t==="rag_results"&&n==="any"?{field:t,relation:"is",value:"match or partial"}:{field:t,relation:"is",value:o}})}var kd=200;function hn({tool:e}){let t=s`
    <span class="tool-head">
      <strong class="mono">${e.name}</strong>
      <${ee}>${Fe(e.implementation.type)}<//>
    </span>
    <span class="tool-line">${ne(e.description,kd)}</span>
  `;return s`<li class="tool-card">
    <${P} summary=${t}>
      <p><${S} tone="good">enabled<//></p>
      <${q} value=${e.description} label=${`Description of ${e.name}`} />
      <${q} value=${e.parameters} label=${`Parameters of ${e.name}`} />
    <//>
  </li>`}function _n({tool:e}){return s`<li class="tool-card tool-disabled">
    <span class="tool-head">
      <strong class="mono">${e.name}</strong>
      <${S} tone="warn">disabled<//>
    </span>
    <ul>${e.problems.map(t=>s`<li>${t}</li>`)}</ul>
  </li>`}var ia=`flexchat tokens create --stage ${Ae} --name "an operator" --role operator`;function la(){return s`
    <div class="notice stack" role="status">
      <h2>! Operator role required</h2>
      <p>Rules, services and settings are visible to tokens with the role <strong>operator</strong>. Create one with:</p>
      <p><code>${ia}</code></p>
      <div class="row">
        <${Z} text=${ia} label="Copy command" />
        <button type="button" onClick=${()=>Pe("")}>Enter another token</button>
      </div>
    </div>
  `}function ca(){return s`
    <section class="stack" aria-label="Tools"><h2>Tools</h2><${Sd} /></section>
    <section class="stack" aria-label="Models"><h2>Models</h2><${xd} /></section>
  `}function Sd(){let{data:e,error:t,reload:n}=ze(),o=e?.disabled.filter(({kind:r})=>r==="tool")??[];return t?s`<${R} error=${t} onRetry=${n} />`:e?e.tools.length+o.length===0?s`<p>No tools are configured.</p>`:s`
    <ul class="tool-cards">
      ${o.map(r=>s`<${_n} key=${`off ${r.name}`} tool=${r} />`)}
      ${e.tools.map(r=>s`<${hn} key=${r.name} tool=${r} />`)}
    </ul>
  `:s`<${j} lines=${6} label="the tools" />`}function xd(){let{data:e,error:t,reload:n}=Je(),[o]=$(()=>performance.now());return t?s`<${R} error=${t} onRetry=${n} />`:e?s`
    ${e.errors.map(({llm:r,error:a})=>s`<p>! <code>${r}</code> did not list its models: ${a}</p>`)}
    ${e.models.length===0?s`<p>No models available.</p>`:s`<${Cd} models=${e.models} />`}
  `:s`<p><${I} label="Loading models" since=${o} /></p>`}function Cd({models:e}){return s`
    <${Ve} label="Models" caption="Available models" columns=${["Model","Provider","Tool calling","Last tested"]}>
      ${e.map(({id:t,provider:n,validation:o,demo:r})=>s`
          <tr>
            <th scope="row" class="mono">${t}</th>
            <td><${ee}>${n}<//></td>
            <td><${Qe} validation=${o} demo=${r} /></td>
            <td>${o.last_tested?s`<${J} at=${o.last_tested} />`:"never"}</td>
          </tr>
        `)}
    <//>
  `}var wo="conf-intent";function ua({draft:e,problem:t,busy:n,intents:o,services:r,onDraft:a,onRun:i,onCancel:l}){let c=se(),u=f=>{f.preventDefault(),i()},d=f=>p=>a({[f]:p.currentTarget.value});return s`
    <form class="stack" onSubmit=${u}>
      <h2>Rule test</h2>
      <p>Enter profile fields to see the rule that matches. Empty fields are unset. No model is called.</p>
      <${vo} id=${wo} label="Intent" value=${e.intent} suggestions=${o} onInput=${d("intent")} />
      <${vo} label="Service" value=${e.service} suggestions=${r} onInput=${d("service")} />
      <${vo} label="Topic" value=${e.topic} suggestions=${[]} onInput=${d("topic")} />
      <label class="field">
        Search result
        <select value=${e.rag_results} onChange=${d("rag_results")}>
          <option value="" selected=${e.rag_results===""}>none</option>
          <option value="partial" selected=${e.rag_results==="partial"}>partial</option>
          <option value="match" selected=${e.rag_results==="match"}>match</option>
        </select>
      </label>
      <label class="field">
        More fields, as JSON
        <textarea
          class="mono conf-json"
          spellcheck=${!1}
          placeholder=${'{"plan": "free"}'}
          aria-invalid=${t?"true":void 0}
          aria-describedby=${t?c:void 0}
          value=${e.more}
          onInput=${d("more")}
        ></textarea>
      </label>
      ${t&&s`<p id=${c} class="problem-text" role="alert">✕ ${t}</p>`}
      <div class="row">
        <button type="submit" class="primary" disabled=${n}>Test rules <small class="conf-keys">${me("mod+Enter")}</small></button>
        ${n&&s`<button type="button" onClick=${l}>Cancel</button>`}
      </div>
    </form>
  `}function vo({id:e,label:t,value:n,suggestions:o,onInput:r}){let a=se();return s`
    <label class="field">
      ${t}
      <input id=${e} value=${n} list=${a} spellcheck=${!1} autocomplete="off" onInput=${r} />
    </label>
    <datalist id=${a}>${o.map(i=>s`<option value=${i}></option>`)}</datalist>
  `}var da="flexchat config check";function ma({configuration:e,faulty:t,loading:n,onReload:o}){let{stage:r,version:a,revision:i,changed_at:l,read_at:c}=e;return s`
    <section class="stack" aria-label="Active configuration">
      <div class="row spread">
        <h2>Active configuration</h2>
        <button type="button" class="quiet" disabled=${n} onClick=${o}>Reload</button>
      </div>
      <p role="status">
        ${t.length===0?s`<${S} tone="good">All entries are valid.<//>`:s`<${S} tone="bad">${b(t.length,"problem")}<//>`}
      </p>
      <dl class="conf-facts">
        <dt>Stage</dt>
        <dd>${r}</dd>
        <dt>Version</dt>
        <dd><code>${a}</code>${typeof i=="number"&&`, revision ${i}`}</dd>
        ${l&&s`<dt>Changed</dt><dd><${J} at=${l} /> <small>${ht(l)}</small></dd>`}
        ${c&&s`<dt>Loaded</dt><dd><${J} at=${c} /> <small>${ht(c)}</small></dd>`}
      </dl>
      ${t.length>0&&s`<${Ed} faulty=${t} />`}
    </section>
  `}function Ed({faulty:e}){return s`
    <ul class="conf-problems" aria-label="Problems">
      ${e.map(({kind:t,name:n,problems:o,state:r})=>s`
          <li data-tone=${r.tone}>
            <span class="row"><${ee}>${t}<//> <strong>${n}</strong> <${S} tone=${r.tone}>${r.label}<//></span>
            <ul>${o.map(a=>s`<li>${a}</li>`)}</ul>
          </li>
        `)}
    </ul>
    <p>
      Fix the file and push it again. <code>${da}</code> validates a file.
      <${Z} text=${da} label="Copy command" />
    </p>
  `}var Rd=300;function fa({demo:e,match:{busy:t,since:n,error:o,cancelled:r,profileJson:a,result:i,match:l},onClose:c}){return s`
    <section class="conf-match stack" aria-label="Matched rule">
      <div class="row spread">
        <h2>Matched rule</h2>
        <button type="button" class="quiet" onClick=${c}>Close</button>
      </div>
      <p><code>${ne(a,Rd)}</code></p>
      ${t&&s`<p><${I} label="Testing the rules" since=${n} /></p>`}
      ${o&&s`<${R} error=${o} onRetry=${l} />`}
      ${r&&s`<div class="notice stack" role="status">
          <p>! Test cancelled.</p>
          <div class="row"><button type="button" onClick=${l}>Try again</button></div>
        </div>`}
      <div role="status">${i&&s`<${Ad} answer=${i.answer} demo=${e} />`}</div>
      ${i&&s`<${Od} key=${i.profileJson} answer=${i.answer} />`}
    </section>
  `}function Ad({answer:{rule:e,llm:t,model:n,fallback:o,problem:r},demo:a}){return s`
    ${e&&s`<p class="conf-matched-rule">
        <${S} tone=${r?"warn":"good"}>Rule <strong>${e}</strong> matches<//>, model <code>${t}:${n}</code>${a.has(t??"")&&s` <${K} />`}
      </p>`}
    ${o&&s`<p><${S} tone="warn">instead of<//> <code>${o.instead_of}</code>: ${o.reason}</p>`}
    ${r&&s`<p><${S} tone="bad">A chat fails:<//> ${r}</p>`}
  `}function Od({answer:{rule:e,rules:t,tools:n}}){let o=n.filter(r=>r.offered).length;return s`
    <${ln} rules=${t} />
    ${e&&s`<${P} open summary=${`${o} of ${n.length} tools offered`}>
        <${cn} tools=${n} />
      <//>`}
  `}var Md=["intent","service","topic","rag_results"];function Ct({intent:e="",service:t="",topic:n="",rag_results:o="",more:r=""}){return{intent:e,service:t,topic:n,rag_results:o,more:r}}function pa(e){return e.tried==="yes"}function To(e,t){return{...e,...Ct({...t}),tried:t===void 0?"":"yes"}}function ko(e){let{fields:t,problem:n}=Id(e.more);if(t===void 0)return{profile:void 0,problem:n};let o={...t};for(let r of Md){let a=e[r].trim();if(a!==""){if(r in t)return{profile:void 0,problem:`“${r}” is set twice. Remove it from the JSON or from the field above.`};o[r]=a}}return{profile:o,problem:""}}function Id(e){if(e.trim()==="")return{fields:{},problem:""};let t;try{t=z(e)}catch(n){return{fields:void 0,problem:`Not valid JSON: ${n instanceof Error?n.message:n}`}}return typeof t!="object"||t===null||Array.isArray(t)?{fields:void 0,problem:'Enter a JSON object, such as {"plan": "free"}.'}:{fields:t,problem:""}}function nt({caption:e,none:t,entries:n,columns:o,stateOf:r}){return n.length===0?s`<p>${t}</p>`:s`
    <div class="scroll" tabindex="0" role="region" aria-label=${e}>
      <table class="conf-table">
        <caption>${e}</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">State</th>
            ${o.map(({title:a,number:i})=>s`<th scope="col" class=${i&&"number"}>${a}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${n.map(a=>s`<${Dd} key=${a.name} entry=${a} columns=${o} state=${r(a)} />`)}
        </tbody>
      </table>
    </div>
  `}function Dd({entry:e,columns:t,state:n}){return s`
    <tr>
      <th scope="row">${e.name}</th>
      <td>
        <${S} tone=${n.tone}>${n.label}<//>
        ${e.problems.map(o=>s`<small class="conf-problem-text">${o}</small>`)}
      </td>
      ${t.map(({number:o,cell:r})=>s`<td class=${o&&"number"}>${r(e)}</td>`)}
    </tr>
  `}function pe({names:e,none:t=""}){return e.length===0?t:s`<span class="conf-names">${e.map(n=>s`<code>${n}</code>`)}</span>`}function Et(e){return typeof e!="boolean"?"":e?"yes":"no"}function So(e){return typeof e=="number"?ge(e):""}var $a={caption:"Tools",none:"No tools are configured.",columns:[{title:"Type",cell:e=>e.type},{title:"Timeout",number:!0,cell:e=>e.timeout_ms?O(e.timeout_ms):""},{title:"Idempotent",cell:e=>Et(e.idempotent)},{title:"Repeatable",cell:e=>Et(e.repeatable)},{title:"Sequential",cell:e=>Et(e.sequential)},{title:"Per caller",cell:e=>Et(e.per_principal)}]},ha={caption:"LLMs",none:"No LLMs are configured, so chats fail.",columns:[{title:"Type",cell:e=>s`${e.type}${e.demo&&s` <${K} />`}`},{title:"Endpoint",cell:e=>e.host??e.region??(e.type?"provider default":"")},{title:"Key",cell:e=>Et(e.has_key)},{title:"Models",cell:e=>s`<${pe} names=${e.models} none=${e.type?"listed by the provider":""} />`},{title:"Fallbacks",cell:e=>s`<${pe} names=${e.fallbacks} none=${e.type?"none":""} />`}]},_a={caption:"Retrieval services",none:"No retrieval services are configured.",columns:[{title:"Type",cell:e=>e.type},{title:"Endpoint",cell:e=>e.host??e.region??(e.type==="internal"?"this stack":"")},{title:"Collections",cell:e=>s`<${pe} names=${e.collections} none=${e.type==="internal"?"all":""} />`},{title:"Match",number:!0,cell:e=>So(e.match_threshold)},{title:"Partial",number:!0,cell:e=>So(e.partial_threshold)},{title:"Farthest",number:!0,cell:e=>So(e.max_distance)},{title:"Passages",number:!0,cell:e=>e.top_k}]};var Nd=/[\p{L}\p{N}_]+|[^\p{L}\p{N}_]+/gu,Pd=/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}⟨]/u;var Ld=/[\p{Mn}\p{Me}]/u,qd=/\p{Script=Latin}/u,Hd=/[\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Lisu}]/u;function Bd(e){return`⟨U+${(e.codePointAt(0)??0).toString(16).toUpperCase().padStart(4,"0")}⟩`}function ba(e){let t=[],n=" ";for(let o of e.match(Nd)??[]){let r=/[A-Za-z]/.test(o);for(let a of o){let i=Ld.test(a),l=Fd(a)||r&&Hd.test(a)||i&&!Vd(n),c=t.at(-1);l?t.push({text:Bd(a),hidden:l}):c&&!c.hidden?c.text+=a:t.push({text:a,hidden:l}),i||(n=a)}}return t}function Fd(e){if(` 	
`.includes(e))return!1;if(Pd.test(e))return!0;let t=e.normalize("NFKC");return t!==e&&/[A-Za-z0-9]/.test(t)}function Vd(e){return/\p{L}/u.test(e)&&!qd.test(e)}function $e({text:e}){let t=W(()=>ba(e),[e]);return s`${t.map(n=>n.hidden?s`<mark class="hidden-character">${n.text}</mark>`:n.text)}`}var jd={offered:["good","offered"],changed:["warn","changed"],new:["warn","new"],removed:["plain","removed"],invalid:["bad","not usable"],shadowed:["plain","replaced by a configured tool"],not_taken:["plain","not taken"]};function ga(e){return e.filter(({state:t})=>t==="changed"||t==="new")}function ya(e){return e.filter(({state:t})=>t==="removed")}function va({tools:e,server:t}){return e.length===0?null:s`
    <div class="scroll" tabindex="0" role="region" aria-label=${`Tools of ${t}`}>
      <table class="conf-table">
        <caption>Tools of ${t}</caption>
        <thead>
          <tr><th scope="col">Name</th><th scope="col">State</th><th scope="col">Description</th></tr>
        </thead>
        <tbody>
          ${e.map(n=>s`<${Ud} key=${n.name} tool=${n} />`)}
        </tbody>
      </table>
    </div>
  `}function Ud({tool:{name:e,description:t,state:n,problems:o,losses:r,diff:a}}){let[i,l]=jd[n];return s`
    <tr>
      <th scope="row"><${$e} text=${e} /></th>
      <td>
        <${S} tone=${i}>${l}<//>
        ${o.map(c=>s`<small class="conf-problem-text"><${$e} text=${c} /></small>`)}
        ${r.map(c=>s`<small class="conf-problem-text">Models do not get <${$e} text=${c} /></small>`)}
      </td>
      <td class="mcp-description">
        <${$e} text=${t} />
        ${a.length>0&&s`<${P} summary=${n==="new"?"Definition":"Difference"} open=${!0}><${Gd} lines=${a} /><//>`}
      </td>
    </tr>
  `}var Wd={"+":"ins","-":"del","?":"em"};function Gd({lines:e}){return s`
    <pre class="mcp-diff">${e.map(t=>s`<${Wd[t[0]??""]??"span"}><${$e} text=${t} />${`
`}<//>`)}</pre>
  `}var Kd={ready:["good","connected"],failed:["bad","not connected"],not_checked:["plain","not connected yet"],disabled:["plain","disabled"]};function wa(){let{data:e,error:t,reload:n}=he(o=>T.mcpServers(o));return t?s`<${R} error=${t} onRetry=${n} />`:e?e.servers.length===0?s`<p>No MCP servers are configured.</p>`:s`
    <ul class="mcp-servers">
      ${e.servers.map(o=>s`<li key=${o.name}><${zd} loaded=${o} /></li>`)}
    </ul>
  `:s`<${j} lines=${6} label="the MCP servers" />`}function zd({loaded:e}){let[t,n]=$(e),o=L(),{name:r}=t,a=()=>o.run(async c=>n(await T.refreshMcpServer(r,c))),i=ga(t.tools),l=()=>{let c=[...i,...ya(t.tools)].map(({tool:u})=>u);return o.run(async u=>n(await T.approveMcpTools(r,{hash:t.pending_hash??"",tools:c},u)))};return s`
    <section class="mcp-server stack" aria-label=${`MCP server ${r}`}>
      <div class="row spread">
        <h3>${r} <${ee}>${t.transport}<//></h3>
        <button type="button" class="quiet" disabled=${o.busy||t.state==="disabled"} onClick=${a}>Connect now</button>
      </div>
      <p role="status">
        ${o.busy?s`<${I} label="Connecting" since=${o.since} />`:s`<${Xd} server=${t} />`}
      </p>
      ${o.error&&s`<${R} error=${o.error} />`}
      ${t.error&&s`<p class="mcp-error"><${$e} text=${t.error} /></p>`}
      ${t.error&&t.hints.length>0&&s`<ul aria-label="Hints">${t.hints.map(c=>s`<li><${$e} text=${c} /></li>`)}</ul>`}
      <${Qd} server=${t} />
      <${Jd} entries=${t.left_out} />
      ${i.length>0&&s`<div class="notice stack">
          <p>! ${b(i.length,"definition")} of tools changed or new. Models are not offered them until they are approved: a definition can make a model call other tools or disclose data.</p>
          <div class="row"><button type="button" disabled=${o.busy} onClick=${l}>Approve ${b(i.length,"definition")}</button></div>
        </div>`}
      <${va} tools=${t.tools} server=${r} />
    </section>
  `}function Jd({entries:e={}}){let t=Object.entries(e);return t.length===0?null:s`<div class="notice">
    <p>! The server lists entries that cannot be used:</p>
    <ul aria-label="Left out">
      ${t.map(([n,o])=>s`<li key=${n}><code><${$e} text=${n} /></code> <${$e} text=${o} /></li>`)}
    </ul>
  </div>`}function Xd({server:{state:e,checked_at:t}}){let[n,o]=Kd[e];return s`<${S} tone=${n}>${o}<//>${t&&s`, checked <${J} at=${t} />`}`}function Qd({server:{transport:e,target:t,server:n,protocol_version:o,tools:r}}){let a=r.filter(({state:i})=>i==="offered").length;return s`
    <dl class="conf-facts">
      <dt>${e==="stdio"?"Command":"Host"}</dt>
      <dd><code><${$e} text=${t} /></code></dd>
      ${n&&s`<dt>Server</dt><dd><${$e} text=${`${n.name} ${n.version}`} /></dd>`}
      ${o&&s`<dt>Protocol</dt><dd><${$e} text=${o} /></dd>`}
      <dt>Offered tools</dt>
      <dd>${A(a)} of ${A(r.length)}</dd>
    </dl>
  `}var Yd=300,Zd=e=>[{title:"Conditions",cell:t=>s`<${em} rule=${t} />`},{title:"Model",cell:t=>s`<${tm} rule=${t} demo=${e} />`},{title:"Tools",cell:t=>s`<${nm} rule=${t} />`}];function Ta({rules:e,demo:t,stateOf:n}){return s`<${nt}
    caption="Rules in order of evaluation"
    none="No rules are configured, so chats fail."
    entries=${e}
    columns=${Zd(t)}
    stateOf=${n}
  />`}function em({rule:{match:e,fallback:t}}){return t?"none: fallback rule":aa(e??{}).map(({field:n,relation:o,value:r},a)=>s`
      <div>${a>0&&"and "}<code>${n}</code> ${o} <code>${ne(r,Yd)}</code></div>
    `)}function tm({rule:e,demo:t}){return e.llm?s`
    <code>${e.llm}:${e.model}</code>${t.has(e.llm)&&s` <${K} />`}
    ${e.fallbacks.length>0&&s`<div><small>then</small> <${pe} names=${e.fallbacks} /></div>`}
    ${e.require_validated&&s`<div><small>requires validation</small></div>`}
  `:null}function nm({rule:{llm:e,allowed_tools:t,max_iterations:n,max_tool_calls:o}}){return e?n?s`
    ${t===null?"all":s`<${pe} names=${t} none="none" />`}
    <div><small>at most ${b(n,"iteration")} and ${b(o??0,"call")}</small></div>
  `:"none":null}function Sa({configuration:e}){let{tool_settings:t,phases:n,sessions:o,validation:r,caller_fields:a}=e,{openai_api:i}=e,l=tt(e);return s`
    <div class="conf-settings">
      <${je}
        title="Tools"
        facts=${[["Enabled",t.enabled?"yes":s`<${S} tone="warn">no: models are offered no tools<//>`],["Iterations per chat",`${A(t.max_iterations)} by default`],["Calls per iteration",`${A(t.max_calls_per_turn)} by default`],["Calls per chat",`${A(t.max_tool_calls)} by default`],["Timeout",`${O(t.default_timeout_ms)} by default`],["Parallel calls",A(t.max_parallel)],["Disabled types",s`<${pe} names=${t.disabled_types} none="none" />`]]}
      />
      <${je} title="Topic" facts=${ka(n.topic,l)} problems=${n.topic?.problems} />
      <${je} title="Intent" facts=${ka(n.intent,l)} problems=${n.intent?.problems} />
      <${je}
        title="Profile"
        facts=${[["Fields set by callers",s`<${pe} names=${a} none="none" />`]]}
      />
      <${je}
        title="Sessions"
        facts=${[["Retention",`${b(o.ttl_days,"day")} after the last message`],["History sent to models",`at most ${b(o.max_history_tokens,"token")}`]]}
      />
      <${je}
        title="OpenAI-compatible API"
        facts=${[["Rules",s`<${pe} names=${i.rules} none="none" />`],["Models",s`<${pe} names=${i.models} none="none" />`],["Embeddings",i.embedding_model?s`<code>${i.embedding_model}</code>`:"none"]]}
      />
      <${je} title="Scheduled validation" facts=${om(r)} problems=${r.problems} />
    </div>
  `}function ka(e,t){return e?e.enabled?[["Detected","yes"],["Model",e.model&&s`<code>${e.model}</code>${t.has(e.model.split(":")[0]??"")&&s` <${K} />`}`],...e.intents.length>0?[["Intents",s`<${pe} names=${e.intents} />`]]:[]]:[["Detected","no: disabled"]]:[["Detected","no: not configured"]]}function om({models:e,suite:t,repeats:n,stop_early:o,budget:r}){let a=[typeof r.calls=="number"&&b(r.calls,"chat"),typeof r.tokens=="number"&&b(r.tokens,"token"),typeof r.usd=="number"&&be(r.usd)].filter(Boolean);return[["Models",s`<${pe} names=${e} none="none" />`],["Suite",t],["Repeats",A(n)],["Early stopping",o?"yes":"no"],["Budget",a.length>0?a.join(", "):"no limit"]]}function je({title:e,facts:t,problems:n=[]}){return s`
    <section class="stack" aria-label=${e}>
      <h3>${e}</h3>
      ${n.map(o=>s`<p><${S} tone="warn">${o}<//></p>`)}
      <dl class="conf-facts">
        ${t.map(([o,r])=>s`<dt>${o}</dt><dd>${r}</dd>`)}
      </dl>
    </section>
  `}function xa({configuration:e,faulty:t,chosen:n,onChoose:o}){let{rules:r,tools:a,llms:i,services:l}=e,c=yo(e),u=tt(e),d=m=>h=>c(m,h),f=(m,h)=>`${A(m.length)}${$n(t,[h])}`,p=[{name:"Rules",note:f(r,"rule"),content:()=>s`<${Ta} rules=${r} demo=${u} stateOf=${d("rule")} />`},{name:"Tools",note:f(a,"tool"),content:()=>s`<${nt} ...${$a} entries=${a} stateOf=${d("tool")} />`},{name:"MCP servers",note:$n(t,["mcp_server"]),content:()=>s`<${wa} />`},{name:"LLMs",note:f(i,"llm"),content:()=>s`<${nt} ...${ha} entries=${i} stateOf=${d("llm")} />`},{name:"Services",note:f(l,"service"),content:()=>s`<${nt} ...${_a} entries=${l} stateOf=${d("service")} />`},{name:"Settings",note:$n(t,["phase","schedule"]),content:()=>s`<${Sa} configuration=${e} />`}];return s`<${Ze} label="Configuration sections" tabs=${p} chosen=${n} onChoose=${o} />`}function Ca(e){let t=Y(),n=L(),{run:o,cancel:r,clear:a}=n,[i,l]=$(void 0),c=e===void 0?"":JSON.stringify(e),u=C(()=>o(async d=>{let f=await T.matchRule(z(c),d);l({profileJson:c,answer:f})}),[o,c]);return y(()=>{if(c!==""){u();return}r(),a(),l(void 0)},[u,r,a,c,t]),{...n,match:u,profileJson:c,result:n.busy||i?.profileJson===c?i:void 0}}var Ea="Rules";function Ra({route:{params:e}}){let t=he(m=>T.configuration(m)),n=t.error?.kind==="forbidden",[o,r]=sm(e),{profile:a,problem:i}=ko(o),l=pa(e)&&!n?ko(Ct(e)).profile:void 0,c=Ca(l),{section:u,reveal:d}=Me(c.busy),f=()=>{a===void 0||c.busy||(d(),JSON.stringify(a)===c.profileJson?c.match():G("configuration",To(e,o)))};if(ae([{keys:"/",label:"Enter an intent",run:()=>document.getElementById(wo)?.focus()},{keys:"mod+Enter",label:"Test the rules",run:f},{keys:"Escape",label:"Cancel the test",run:c.cancel}]),n)return s`<${_e} title="Configuration" controls=${s`<${la} />`}><${ca} /><//>`;let p=s`<${ua}
    draft=${o}
    problem=${i}
    busy=${c.busy}
    intents=${t.data?.phases.intent?.intents??[]}
    services=${t.data?.services.map(({name:m})=>m)??[]}
    onDraft=${r}
    onRun=${f}
    onCancel=${c.cancel}
  />`;return s`
    <${_e} title="Configuration" controls=${p} section=${u}>
      ${l&&s`<${fa} match=${c} demo=${tt(t.data)} onClose=${()=>G("configuration",To(e,void 0))} />`}
      ${t.error&&s`<${R} error=${t.error} onRetry=${t.reload} />`}
      ${!t.data&&!t.error&&s`<${j} lines=${8} label="the configuration" />`}
      ${t.data&&s`<${rm} configuration=${t} data=${t.data} params=${e} />`}
    <//>
  `}function rm({configuration:e,data:t,params:n}){let o=W(()=>sa(t),[t]),r=a=>G("configuration",{...n,tab:a===Ea?"":a},{replace:!0});return s`
    <${ma} configuration=${t} faulty=${o} loading=${e.loading} onReload=${e.reload} />
    <${xa} configuration=${t} faulty=${o} chosen=${n.tab||Ea} onChoose=${r} />
  `}function sm(e){let t=JSON.stringify(Ct(e)),[n,o]=$(()=>Ct(e));return y(()=>o(z(t)),[t]),[n,r=>o(a=>({...a,...r}))]}function Aa(e){let t=Xt(),n=t.data?.collections,o=e||n?.[0]?.name||"",r=a=>n&&t.put({collections:n.map(i=>i.name===a.name?a:i)});return{collections:t,selected:o,collection:n?.find(({name:a})=>a===o),isEmpty:n?.length===0,loading:o===""&&t.loading,replace:r}}function ot(e,t){return e===void 0?"none":e<t.match?"match":e<t.partial?"partial":"none"}function At(e){let t=Number(e?.trim()||NaN);return t>=0&&t<=2?t:void 0}function bn(e,t){return e===void 0||t===void 0?void 0:{match:e,partial:Math.max(e,t)}}function Oa({match:e,partial:t},n,o){return n==="match"?{match:o,partial:Math.max(o,t)}:{match:Math.min(o,e),partial:o}}function Ma({match_threshold:e,partial_threshold:t},n){return bn(e??n?.match,t??n?.partial)}function Ia({metadata:e,calibrated_passages:t}){if(typeof t=="number")return"calibrated from passages";let n=[e.match_threshold,e.partial_threshold].filter(o=>typeof o=="number");return n.length===2?"set by an operator":n.length===1?"one set by an operator, one from the service":"from the service"}function Da(e,{match:t,partial:n}){let o=Math.min(Math.min(...e)-.05,t),r=Math.max(Math.max(...e)+.05,n);return{low:Math.max(0,Rt(Math.floor(Rt(o/.05))*.05)),high:Math.min(2,Rt(Math.ceil(Rt(r/.05))*.05))}}function Na({low:e,high:t},n){return Math.min(100,Math.max(0,Rt((n-e)/(t-e)*100)))}function Pa(e,{match:t,partial:n}){return JSON.stringify({rag_services:{docs:{type:"internal",collections:[e],match_threshold:t,partial_threshold:n}}},null,2)}function Rt(e){return Math.round(e*1e3)/1e3}var La=300;function qa({collections:e,selected:t,onChoose:n}){let{data:o,error:r,reload:a}=e;return r&&!o?s`<${R} error=${r} onRetry=${a} />`:o?o.collections.length===0?s`<p><small>No collections.</small></p>`:s`
    <fieldset class="ret-collections">
      <legend>Collection</legend>
      <div class="ret-cards">
        ${o.collections.map(i=>s`
            <${am}
              key=${i.name}
              collection=${i}
              checked=${i.name===t}
              onChoose=${()=>n(i.name)}
            />
          `)}
      </div>
    </fieldset>
  `:s`<${j} lines=${4} label="the collections" />`}function am({collection:e,checked:t,onChoose:n}){let{name:o,metadata:r,documents:a,passages:i,bytes:l,updated_at:c}=e,{match_threshold:u,partial_threshold:d,description:f,embedding_model:p}=r;return s`
    <label class="ret-card">
      <input type="radio" name="collection" value=${o} checked=${t} onChange=${n} />
      <span>
        <strong>${(r.display_name||o).slice(0,La)}</strong>
        ${r.display_name&&s` <code>${o}</code>`}
        ${f&&s`<small class="ret-line">${f.slice(0,La)}</small>`}
        <small class="ret-line">
          ${b(a,"document")} · ${b(i,"passage")} · ${Oe(l)} · <${J} at=${c} />
        </small>
        <small class="ret-line"><${ee}>${p}<//> ${im(u,d)}${Ia(e)}</small>
      </span>
    </label>
  `}function im(e,t){return typeof e=="number"&&typeof t=="number"?`match < ${ge(e)}, partial < ${ge(t)}: `:"thresholds: "}function Ha({collection:e,thresholds:t,onChanged:n}){let o=L(),[r,a]=$(""),{metadata:i,name:l}=e,c=i.match_threshold===t.match&&i.partial_threshold===t.partial,d=(typeof i.match_threshold=="number"||typeof i.partial_threshold=="number")&&typeof e.calibrated_passages!="number",f=(p,m,h)=>{a(""),o.run(async()=>{let x=await T.changeCollection(l,{metadata:{match_threshold:p,partial_threshold:m}});a(`${h} ✓`),n(x,h)})};return s`
    <button type="button" disabled=${c||o.busy} onClick=${()=>f(t.match,t.partial,"saved")}>
      Save thresholds
    </button>
    ${d&&s`<button type="button" class="quiet" disabled=${o.busy} onClick=${()=>f(null,null,"recalibrated")}>
        Recalibrate thresholds
      </button>`}
    ${o.busy&&s`<${I} label="Updating the collection" since=${o.since} />`}
    <small role="status">${r}</small>
    ${o.error&&s`<${R} error=${o.error} />`}
  `}var lm=5,Ba=100;function Ot(e){let t=Math.floor(Number(e));return t>=1&&t<=Ba?t:lm}function Fa({draft:e,busy:t,form:n,onDraft:o,onRun:r,onCancel:a}){return s`
    <form class="stack" ref=${n} onSubmit=${l=>{l.preventDefault(),r()}}>
      <label class="field">
        Test query
        <textarea
          class="ret-query"
          name="query"
          required
          maxlength="20000"
          placeholder="e.g., How do I reset my password?"
          value=${e.query}
          onInput=${l=>o({query:l.currentTarget.value})}
        ></textarea>
      </label>
      <div class="row">
        <button type="submit" class="primary" disabled=${t}>Search <small class="ret-keys">${me("mod+Enter")}</small></button>
        ${t&&s`<button type="button" onClick=${a}>Cancel</button>`}
        <label class="check ret-top-k">
          Passages
          <input
            type="number"
            name="top_k"
            required
            min="1"
            max=${Ba}
            value=${e.topK}
            onInput=${l=>o({topK:l.currentTarget.value})}
          />
        </label>
      </div>
    </form>
  `}var cm={match:{tone:"good",sign:"✓"},partial:{tone:"warn",sign:"~"},none:{tone:"plain",sign:"·"}};function Mt({name:e}){return s`<${S} ...${cm[e]}>${e}<//>`}var gn=280,Va=300;function ja({hit:e}){let[t,n]=$(!1),o=e.title.slice(0,Va);return s`
    <div class="ret-passage">
      <strong>${o}</strong>
      <code>${e.source.slice(0,Va)}</code>
      ${t?s`<${q} value=${e.text} label=${`Text of ${o}`} />`:s`<p>${um(e.text)}</p>`}
      <button type="button" class="quiet" aria-expanded=${t} onClick=${()=>n(!t)}>
        ${t?"Hide full text":"Show full text"}
      </button>
    </div>
  `}function um(e){let t=e.slice(0,2*gn).replace(/\s+/g," ").trim();return t.length>gn||e.length>2*gn?`${t.slice(0,gn)} …`:t}function Ua({hits:e,thresholds:t,scale:n}){return s`
    <table class="ret-hits">
      <caption>
        Passages by rank <small>marks on the bars show the thresholds</small>
      </caption>
      <thead>
        <tr>
          <th scope="col" class="number">Rank</th>
          <th scope="col" class="number">Distance</th>
          <th scope="col">Class</th>
          <th scope="col">Passage</th>
        </tr>
      </thead>
      <tbody>
        ${e.map((o,r)=>{let a=ot(o.distance,t);return s`
            <tr key=${o.id} data-class=${a}>
              <td class="number ret-rank">${r+1}</td>
              <td class="number">
                ${ge(o.distance)}
                <${dm} distance=${o.distance} thresholds=${t} scale=${n} />
              </td>
              <td><${Mt} name=${a} /></td>
              <td><${ja} hit=${o} /></td>
            </tr>
          `})}
      </tbody>
    </table>
  `}function dm({distance:e,thresholds:t,scale:n}){let o=r=>`${Na(n,r)}%`;return s`<span class="ret-bar" aria-hidden="true">
    <span style=${{width:o(e)}}></span>
    <i style=${{left:o(t.match)}}></i>
    <i style=${{left:o(t.partial)}}></i>
  </span>`}var mm=300,fm={match:"A chat that selects this collection answers from these passages and searches no further collections.",partial:"A chat that selects this collection passes these passages to the model and searches the next collection.",none:"A chat that selects this collection continues without these passages."};function Wa({found:e,thresholds:t,saved:n}){let{answer:o,ms:r,request:a}=e,i=o.hits.map(p=>p.distance),l=i.length>0?Math.min(...i):void 0,c=ot(l,t),u=ot(l,n),d=i.map(p=>ot(p,t)),f=p=>`${d.filter(m=>m===p).length} ${p}`;return s`
    <div class="ret-classification">
      <h2><span role="status"><${Mt} name=${c} /></span></h2>
      <p>${fm[c]}</p>
      ${c!==u&&s`<p>With the collection's saved thresholds: <${Mt} name=${u} />.</p>`}
      <small>
        ${b(i.length,"passage")}: ${f("match")}, ${f("partial")}, ${f("none")}${" · "}
        ${l!==void 0&&`nearest ${ge(l)} · `}${O(r)}
      </small>
      <small>Query: “${a.query.slice(0,mm)}”</small>
    </div>
  `}var pm=`flexchat collections create handbook --stage ${Ae}`,$m=`flexchat collections add handbook docs/ --stage ${Ae}`;function Ga({isEmpty:e,hasQuery:t,loading:n,search:o,evaluation:r}){let{busy:a,cancelled:i,error:l,found:c,since:u}=o;return e?s`<${hm} />`:s`
    ${a&&s`<${I} label="Searching" since=${u} />`}
    ${i&&s`<p role="status">Search cancelled.</p>`}
    ${l&&s`<${R} error=${l} onRetry=${o.search} />`}
    ${(t&&n||a&&!c)&&s`<${j} lines=${6} label="the passages" />`}
    ${!t&&s`<${_m} />`}
    ${c&&r&&s`
        <${Wa} found=${c} ...${r} />
        ${c.answer.hits.length>0?s`<${Ua} hits=${c.answer.hits} thresholds=${r.thresholds} scale=${r.scale} />`:s`<p>No passages found in this collection.</p>`}
      `}
  `}function hm(){return s`
    <${ye} title="No collections">
      <p>Search a collection to see the distances of its passages and calibrate its thresholds.</p>
      <p>Create a collection and add files or directories:</p>
      <pre>${pm} && ${$m}</pre>
    <//>
  `}function _m(){return s`
    <${ye} title="Test a collection">
      <p>
        Enter a query to see the closest passages of a collection, their distances, and how a chat uses them. Adjust the
        thresholds to see the effect.
      </p>
      <p>Enter a test query and select Search.</p>
    <//>
  `}function Ka({collection:e,query:t,topK:n}){let o=L(),{run:r,cancel:a}=o,[i,l]=$(void 0),c=C(()=>r(async u=>{let d=performance.now(),f=await T.search(e,{query:t,top_k:n},u);l({request:{collection:e,query:t,topK:n},answer:f,ms:performance.now()-d})}),[r,e,t,n]);return y(()=>{e&&t?c():(a(),l(void 0))},[c,a,e,t]),{...o,search:c,found:i?.request.collection===e?i:void 0}}var Ja=.001;function Xa({collection:e,thresholds:t,saved:n,scale:o,onMove:r,children:a}){let i=t.match!==n.match||t.partial!==n.partial,l=(c,u)=>r(Oa(t,c,u));return s`
    <fieldset class="ret-thresholds">
      <legend>Thresholds <small>cosine distance, lower is closer</small></legend>
      <${za} name="Match below" value=${t.match} scale=${o} onMove=${c=>l("match",c)} />
      <${za} name="Partial below" value=${t.partial} scale=${o} onMove=${c=>l("partial",c)} />
      <div class="row">
        <button type="button" disabled=${!i} onClick=${()=>r(void 0)}>Reset thresholds</button>
        ${a}
      </div>
      <div class="row">
        <${Z} text=${()=>Pa(e,t)} label="Copy as configuration" />
        <small>for services; applies to collections without thresholds</small>
      </div>
    </fieldset>
  `}function za({name:e,value:t,scale:n,onMove:o}){return s`
    <div class="ret-slider">
      <span aria-hidden="true">${e}</span>
      <input
        type="range"
        aria-label=${e}
        min=${n.low}
        max=${n.high}
        step=${Ja}
        value=${t}
        onInput=${r=>o(Number(r.currentTarget.value))}
      />
      <${gm} name=${`${e}, as a number`} value=${t} onCommit=${o} />
    </div>
  `}function gm({name:e,value:t,onCommit:n}){let[o,r]=$(void 0);return s`
    <input
      type="number"
      aria-label=${e}
      min="0"
      max=${2}
      step=${Ja}
      value=${o??t}
      onInput=${i=>r(i.currentTarget.value)}
      onChange=${({currentTarget:i})=>{r(void 0);let l=At(i.value);l!==void 0&&n(l)}}
    />
  `}var ym=250;function Qa(e){let t=e.query??"",n=String(Ot(e.top_k)),[o,r]=$({query:t,topK:n});return y(()=>r({query:t,topK:n}),[t,n]),[o,a=>r(i=>({...i,...a}))]}function Ya(e){let t=At(e.match),n=At(e.partial),[o,r]=$(bn(t,n)),a=g(e);a.current=e;let i=g(o);return y(()=>{t===i.current?.match&&n===i.current?.partial||(i.current=bn(t,n),r(i.current))},[t,n]),y(()=>{let c=setTimeout(()=>{i.current=o,G("retrieval",yn(a.current,o),{replace:!0})},ym);return()=>clearTimeout(c)},[o]),[o,r]}function yn(e,t){return{...e,match:String(t?.match??""),partial:String(t?.partial??"")}}function Za({route:e}){let{params:t}=e,n=t.query??"",o=Ot(t.top_k),{collections:r,selected:a,collection:i,isEmpty:l,loading:c,replace:u}=Aa(t.collection),[d,f]=Qa(t),[p,m]=Ya(t),h=Ka({collection:a,query:n,topK:o}),x=g(null),v=le(),{section:E,reveal:k}=Me(h.busy),_=vm(i,h.found?.answer,p),w=()=>{k();let M={...t,collection:a,query:d.query,top_k:d.topK};M.query===n&&Ot(M.top_k)===o?h.search():G("retrieval",yn(M,p))},F=M=>{m(void 0),G("retrieval",yn({...t,collection:M},void 0))},U=(M,oe)=>{u(M),oe!=="saved"&&(m(void 0),h.found&&h.search())};ae([{keys:"/",label:"Enter a test query",run:()=>x.current?.querySelector("textarea")?.focus()},{keys:"mod+Enter",label:"Search",run:()=>x.current?.requestSubmit()},{keys:"Escape",label:"Cancel the search",run:h.cancel}]);let ce=s`
    <${qa} collections=${r} selected=${a} onChoose=${F} />
    ${!l&&s`<${Fa}
        draft=${d}
        busy=${h.busy}
        form=${x}
        onDraft=${f}
        onRun=${w}
        onCancel=${h.cancel}
      />`}
    ${_&&s`<${Xa} collection=${a} ...${_} onMove=${m}>
        ${i&&v&&s`<${Ha} key=${a} collection=${i} thresholds=${_.thresholds} onChanged=${U} />`}
      <//>`}
  `;return s`
    <${_e} title="Retrieval" controls=${ce} section=${E}>
      <${Ga} isEmpty=${l} hasQuery=${n!==""&&(c||a!=="")} loading=${c} search=${h} evaluation=${_} />
    <//>
  `}function vm(e,t,n){let o=Ma(e?.metadata??{},t?.thresholds);if(o===void 0)return;let r=n??o,a=(t?.hits??[]).map(i=>i.distance);return{saved:o,thresholds:r,scale:Da([...a,o.match,o.partial],r)}}function ei(e){return ti(e,0)}function ti(e,t){let n=new Set(Array.isArray(e.required)?e.required:[]),o=Object.entries(xo(e.properties)).map(([r,a])=>({name:r,schema:xo(a)}));return Object.fromEntries(o.filter(({name:r,schema:a})=>n.has(r)||oi(a)!==void 0).map(({name:r,schema:a})=>[r,ni(a,t+1)]))}function ni(e,t){let n=oi(e);if(n!==void 0)return n;let o=ri(e.enum);if(o!==void 0)return o;if("const"in e)return e.const;let r=e.type;switch(Array.isArray(r)?r[0]:r){case"integer":case"number":return typeof e.minimum=="number"?e.minimum:1;case"boolean":return!0;case"array":return t<5?[ni(xo(e.items),t+1)]:[];case"object":return t<5?ti(e,t):{};case"null":return null;default:return"text"}}function oi(e){return ri(e.examples)??e.example??e.default}function ri(e){return Array.isArray(e)?e[0]:void 0}function xo(e){return typeof e=="object"&&e!==null&&!Array.isArray(e)?e:{}}var It="tt-tool",Ue="tt-arguments";function Co(e){return e===void 0?"":JSON.stringify(ei(e.parameters),null,2)}function si(e){try{let t=z(e);return typeof t=="object"&&t!==null&&!Array.isArray(t)?"":"The arguments are not a JSON object"}catch(t){return`Not valid JSON: ${t instanceof Error?t.message:String(t)}`}}function ai({tools:e,draft:t,problem:n,busy:o,onTool:r,onText:a,onCall:i,onCancel:l}){if(e.error)return s`<${R} error=${e.error} onRetry=${e.reload} />`;if(!e.data)return s`<${j} lines=${4} label="the tools" />`;let c=e.data.tools.find(({name:d})=>d===t.tool);return s`
    <form class="stack" noValidate onSubmit=${d=>{d.preventDefault(),i()}}>
      <div class="field">
        <label for=${It}>Tool</label>
        <select id=${It} value=${c?.name??""} onChange=${d=>r(d.currentTarget.value)}>
          <option value="">Select a tool</option>
          ${e.data.tools.map(({name:d})=>s`<option value=${d}>${d}</option>`)}
        </select>
      </div>
      ${c&&s`<p>${c.description}</p>`}
      <div class="field">
        <label for=${Ue}>Arguments</label>
        <textarea
          id=${Ue}
          class="mono tt-expect"
          spellcheck=${!1}
          value=${t.text}
          aria-invalid=${n?"true":void 0}
          aria-describedby=${`${Ue}-hint`}
          onInput=${d=>a(d.currentTarget.value)}
        ></textarea>
        <small id=${`${Ue}-hint`} class=${n?"problem-text":""}>${n?`✕ ${n}`:"A JSON object."}</small>
      </div>
      <div class="row">
        <button type="submit" class="primary" disabled=${o}>Call tool</button>
        <button type="button" disabled=${!o} onClick=${l}>Cancel</button>
        <button type="button" disabled=${c===void 0} onClick=${()=>a(Co(c))}>Insert example</button>
      </div>
      <small>The call has the effects of the tool. ${me("mod+Enter")} calls, ${me("Escape")} cancels.</small>
      ${c&&s`<${P} key=${c.name} summary="Parameters"><${q} value=${c.parameters} label=${`Parameters of ${c.name}`} /><//>`}
    </form>
  `}function vn(e,t){return[`curl -sS -X POST ${ii(e)}`,'-H "Authorization: Bearer $FLEXCHAT_TOKEN"',"-H 'Content-Type: application/json'",`--data-raw ${ii(JSON.stringify(t))}`].join(` \\
  `)}function ii(e){return`'${e.replaceAll("'",String.raw`'\''`)}'`}var li=200;function Eo({result:e}){let t=O(e.execution_time_ms);return"error"in e?`failed after ${t}: ${te(e.error_type)}`:`succeeded in ${t}`}var wn=e=>e!=null;function wm({status:e,error:t,response_body:n}){return e==null?!t&&wn(n)?{tone:"good",label:"answered"}:{tone:"bad",label:t??"no response"}:e>=400?{tone:"bad",label:`HTTP ${e}`}:{tone:e>=300?"warn":"good",label:`HTTP ${e}`}}function ci(e,t,n){let o=[...e?[e]:[],...Object.entries(t).map(([r,a])=>`${r}: ${a}`)];return n?`${o.join(`
`)}

${n}`:o.join(`
`)}function ui({outcome:e}){let{result:t,inspection:n}=e,o={tool:e.tool,arguments:e.arguments};return s`
    <div class="stack">
      <p class="tt-status"><${S} tone=${t.success?"good":"bad"}>${Eo(e)}<//></p>
      <div class="row tt-facts">
        <span>Tool: <strong class="mono">${e.tool}</strong> <${ee}>${e.type}<//></span>
        <span>With all checks: <strong>${O(e.total_ms)}</strong></span>
        <span>Request: <code>${e.request_id}</code> <${Z} text=${e.request_id} label="Copy request id" /></span>
      </div>
    </div>
    ${n&&s`<${Tm} inspection=${n} total=${t.execution_time_ms} />`}
    ${n&&Object.keys(n.notes??{}).length>0&&s`<section class="stack" aria-label="Shaping"><h2>Shaping</h2><${q} value=${n.notes} label="Shaping" /></section>`}
    <section class="stack" aria-label="Result of the call">
      <h2>${"error"in t?"Error":"Result"}</h2>
      ${"truncated"in t&&t.truncated&&s`<p class="notice">! The result was truncated.</p>`}
      ${"error"in t?s`<${q} value=${t.error} label="Error" />`:s`<${q} value=${t.result} label="Result" />`}
      ${"validation_errors"in t&&t.validation_errors&&s`<ul>${t.validation_errors.map(r=>s`<li>${r}</li>`)}</ul>`}
      <div class="row">
        <${Z} text=${()=>vn(new URL("api/tools/call",ke).href,o)} label="Copy as curl" />
      </div>
    </section>
    <section class="stack" aria-label="Details of the call">
      <${P} summary="Arguments with defaults"><${q} value=${e.arguments} label="Arguments with defaults" /><//>
      <${P} summary=${`Text for a model (${b(e.content.length,"character")})`}>
        <${q} value=${e.content} label="Text for a model" />
      <//>
    </section>
  `}function Tm({inspection:e,total:t}){let n=e.exchanges??[];return n.length===0?s`<p>The tool sent no request.</p>`:s`
    <section class="stack" aria-label="Requests of the tool">
      <h2>Requests (${A(n.length)})</h2>
      <ol class="tt-calls">
        ${n.map((o,r)=>s`<${km} key=${r} exchange=${o} total=${t} open=${r===0} />`)}
      </ol>
      ${(e.omitted??0)>0&&s`<p class="notice">! ${b(e.omitted??0,"more request")} not shown.</p>`}
    </section>
  `}function km({exchange:e,total:t,open:n}){let{tone:o,label:r}=wm(e),a=Math.max(1,t,e.start_ms+e.duration_ms),i={left:`${100*e.start_ms/a}%`,width:`${Math.max(1,100*e.duration_ms/a)}%`},l=e.purpose&&e.purpose!=="request"?e.purpose:"",c=(e.attempt??1)>1?`attempt ${e.attempt}`:"",u=s`<code>${e.method} ${ne(e.url,li)}</code>
    ${l&&s` <${ee}>${l}<//>`}${c&&s` <${ee}>${c}<//>`}
    <${S} tone=${o}>${r}<//>`;return s`
    <li>
      <${P} summary=${u} open=${n}>
        <${Ze} label=${`Details of ${e.method} ${ne(e.url,li)}`} tabs=${Sm(e)} />
      <//>
      <div class="interval" aria-hidden="true"><span style=${i}></span></div>
      <small class="number">Started after ${O(e.start_ms)} | Duration: ${O(e.duration_ms)} | ${Oe(e.response_bytes??0)}</small>
    </li>
  `}function Sm(e){let t=ci(`${e.method} ${e.url}`,e.request_headers,e.request_body),n={name:"Request",content:()=>s`<${q} key="request" value=${t} label="Request" />`};if(!wn(e.status)&&!wn(e.response_body))return[n];let o=ci(wn(e.status)?`HTTP ${e.status}`:"",e.response_headers??{},e.response_body);return[{name:"Response",content:()=>s`<${q} key="response" value=${o} label="Response" />`},n]}var xm=[{mode:"model",title:"Test a model"},{mode:"call",title:"Call a tool"}];function Tn({mode:e}){return le()?s`
    <div class="row" role="group" aria-label="Kind of test">
      ${xm.map(t=>s`
          <button type="button" aria-pressed=${t.mode===e?"true":"false"} onClick=${()=>G("tools-testing",t.mode==="call"?{mode:"call"}:{})}>
            ${t.title}
          </button>
        `)}
    </div>
  `:null}var Cm={text:"",problem:"",calls:0,outcome:void 0},kn=e=>document.getElementById(e)?.focus();function di({route:e}){let t=e.params.tool??"",n=ze(),o=L(),{section:r,reveal:a}=Me(o.busy),[i,l]=$(Cm),c=m=>l(h=>({...h,...m})),u=n.data?.tools.find(m=>m.name===t),d=Co(u);y(()=>{l(m=>({...m,text:d,problem:""}))},[d]);let f=()=>{if(o.busy)return;if(u===void 0)return kn(It);let m=si(i.text);if(c({problem:m}),m!=="")return kn(Ue);a();let h={tool:u.name,arguments:z(i.text)};o.run(async x=>{let v=await T.callTool(h,x);l(E=>({...E,outcome:v,calls:E.calls+1}))})};ae([{keys:"/",label:"Write the arguments",run:()=>kn(Ue)},{keys:"mod+Enter",label:"Call the tool",run:f},{keys:"Escape",label:"Cancel the call",run:o.cancel}]);let p=s`
    <${Tn} mode="call" />
    <${ai}
      tools=${n}
      draft=${{tool:t,text:i.text}}
      problem=${i.problem}
      busy=${o.busy}
      onTool=${m=>G("tools-testing",{mode:"call",tool:m})}
      onText=${m=>c({text:m,problem:""})}
      onCall=${f}
      onCancel=${o.cancel}
    />
  `;return s`
    <${_e} title="Tool call" controls=${p} section=${r}>
      <${Em} task=${o} state=${i} waiting=${`Waiting for ${t}`} onRetry=${f} />
    <//>
  `}function Em({task:e,state:{outcome:t,calls:n},waiting:o,onRetry:r}){let a=e.busy||e.error!==void 0||e.cancelled;return s`
    <p class="hidden" role="status">${t&&!a&&Eo(t)}</p>
    ${e.busy&&s`<p><${I} label=${o} since=${e.since} /></p>`}
    ${e.cancelled&&s`<p class="notice">! Call cancelled. The tool may still complete it.</p>`}
    ${e.error&&s`<${R} error=${e.error} onRetry=${r} />`}
    ${t&&a&&s`<h2>Previous call</h2>`}
    ${t&&s`<${ui} key=${n} outcome=${t} />`}
    ${!t&&!a&&s`<${Rm} />`}
  `}function Rm(){return s`<${ye} title="Call one tool without a model">
    <p>
      Select a tool, check the example arguments and call it. The result shows the requests that the tool sent and their
      responses without secrets, the result, and the text that a model would receive.
    </p>
    <p><button type="button" onClick=${()=>kn(It)}>Select a tool</button></p>
  <//>`}function mi({models:e,value:t,onChange:n,label:o,id:r,problem:a=""}){let i=se(),[l,c]=$(void 0),u=l??(e.error!==void 0&&e.data===void 0),d=le(),f=e.data?.models.filter(m=>d||!m.operator_only)??[],p={id:r??i,value:t,required:!0,"aria-invalid":a?"true":void 0,"aria-describedby":`${i}-about`,onInput:m=>n(m.currentTarget.value.trim())};return s`
    <div class="model-picker stack">
      <div class="field">
        <div class="row spread">
          <label for=${p.id}>${o}</label>
          <button type="button" class="quiet" onClick=${()=>c(!u)}>
            ${u?"Choose from the list":"Enter the model id"}
          </button>
        </div>
        ${u?s`<${Mm} ...${p} />`:s`<${Im} ...${p} models=${f} loading=${e.loading} />`}
      </div>
      <div id=${`${i}-about`} class="stack">
        ${a&&s`<p class="problem-text">✕ ${a}</p>`}
        <${Nm} model=${f.find(m=>m.id===t)} />
      </div>
      <${Am} models=${e} />
    </div>
  `}function Am({models:{data:e,error:t,loading:n,reload:o}}){return n&&e===void 0?s`<${Om} />`:s`
    ${e?.errors.map(({llm:r,error:a})=>s`<p>! <code>${r}</code> did not list its models: ${a}</p>`)}
    ${t&&s`<p>! The models could not be listed: ${t.message}</p>
        <div class="row"><button type="button" onClick=${o}>Reload the models</button></div>`}
  `}function Om(){let[e]=$(()=>performance.now());return s`<${I} label="Loading models" since=${e} />`}function Mm(e){return s`<input type="text" placeholder="llm:model" spellcheck=${!1} autocapitalize="off" ...${e} />`}function Im({models:e,loading:t,...n}){let o=Object.entries(Object.groupBy(e,a=>a.llm)),r=n.value!==""&&!e.some(a=>a.id===n.value);return s`<select ...${n}>
    <option value="">Select a model</option>
    ${r&&s`<option value=${n.value}>${n.value}${t?"":" · not listed"}</option>`}
    ${o.map(([a,i])=>s`
        <optgroup label=${a}>
          ${i?.map(l=>s`<option key=${l.id} value=${l.id}>${Dm(l)}</option>`)}
        </optgroup>
      `)}
  </select>`}function Dm({id:e,demo:t,validation:{badge:n,rate:o}}){return t?`${e} · demo${o?` ${we(o)}`:""}`:n?`${e} ${n.symbol} ${o?we(o):n.text}`:e}function Nm({model:e}){if(e===void 0)return null;let{badge:t,last_tested:n}=e.validation,o=Pm(e);return s`
    <p>
      <${Qe} validation=${e.validation} demo=${e.demo} />
      ${t&&s` <small>${t.tooltip}</small>`}${n&&s` <small>(<${J} at=${n} />)</small>`}
    </p>
    ${o&&s`<p class="notice">! ${o}</p>`}
  `}function Pm({capabilities:e,validation:t,demo:n}){return n?"":e.includes("function-calling")?t.validated?"":`This model ${t.tested?"did not pass validation":"has not been tested with tools"}: check its results before you rely on it.`:"The provider does not list tool calling for this model: it may answer without tools."}var fi=[{title:"Simple tool call",query:"What's the weather in Paris?",expected:"One call of the weather tool with Paris as the location, and an answer based on its result."},{title:"Calculator",query:"Calculate 15% tip on $45",expected:"One call of the calculator, and the answer $6.75."},{title:"Direct answer",query:"What's 2+2?",expected:"The answer 4, with the calculator or directly. A direct answer is recorded as no tool call."},{title:"RAG tool",query:"Search for Python decorators in the docs",expected:"One call of the search tool, and an answer based on the results, or that there are none."}];var Sn="tt-model",rt="tt-query",pi="Please enter a test query and select a model";function $i({model:e,query:t,missing:n,busy:o,onChange:r,onRun:a,onCancel:i}){let l=Je();return s`
    <form class="stack" noValidate onSubmit=${u=>{u.preventDefault(),a()}}>
      <${mi}
        models=${l}
        value=${e}
        label="Model"
        id=${Sn}
        problem=${n==="model"?pi:""}
        onChange=${u=>r({model:u})}
      />
      <div class="field">
        <label for=${rt}>Query</label>
        <textarea
          id=${rt}
          required
          maxlength="32000"
          placeholder="e.g., What's the weather in Paris?"
          value=${t}
          aria-invalid=${n==="query"?"true":void 0}
          aria-describedby=${n==="query"?"tt-missing":void 0}
          onInput=${u=>r({query:u.currentTarget.value})}
        ></textarea>
        ${n==="query"&&s`<p id="tt-missing" class="problem-text">✕ ${pi}</p>`}
      </div>
      <div class="tt-examples" role="group" aria-label="Example test queries">
        ${fi.map(u=>s`
            <button type="button" onClick=${()=>r({query:u.query})}>
              <strong>${u.title}</strong>
              <span>${u.query}</span>
              <small>Expected: ${u.expected}</small>
            </button>
          `)}
      </div>
      <${Lm} busy=${o} onCancel=${i} />
      <small>Manual tests are recorded in the model's history and do not count for its validation.</small>
    </form>
  `}function Lm({busy:e,onCancel:t}){let n=g(null),o=g(null),r=g(null);return fe(()=>{let[a,i]=e?[n,o]:[o,n];r.current!==null&&r.current===a.current&&i.current?.focus({preventScroll:!0})},[e]),r.current=document.activeElement,s`
    <div class="row">
      <button ref=${n} type="submit" class="primary" disabled=${e}>
        ${e?"Testing...":"Run"}
      </button>
      <button ref=${o} type="button" disabled=${!e} onClick=${t}>Cancel</button>
      <small>${me("mod+Enter")} runs, ${me("Escape")} cancels</small>
    </div>
  `}var qm=300,Hm=2e3;function _i(e){let[t,n]=$(()=>hi(e)),o=g(Ro(t)),r=g(!1),a=Ro(hi(e));y(()=>{a!==o.current&&(o.current=a,n(z(a)))},[a]);let i=C(u=>{let d=Ro(u);d!==o.current&&(o.current=d,G("tools-testing",z(d),{replace:!r.current}),r.current=!1)},[]);y(()=>{let u=setTimeout(()=>i(t),qm);return()=>clearTimeout(u)},[t,i]);let l=C(u=>n(d=>({...d,...u})),[]);return[t,l,()=>{i(t),r.current=!0}]}function hi({params:e}){return{model:e.model??"",query:e.query??""}}function Ro({model:e,query:t}){return JSON.stringify({model:e,query:t.length>Hm?"":t})}function bi(e,t){let{tone:n,sign:o}=ve(e);return n==="good"&&t.length>0?{tone:"warn",sign:"!"}:{tone:n,sign:o}}function xn(e){let{tool_calls:t,timings:n,usage:o}=e,r=n.steps.filter(i=>i.step==="model").length,a=t.filter(i=>"error"in i.result).length;return[`${ve(e).title} ${ve(e).tone==="good"?"in":"after"} ${O(n.total_ms)}`,b(r,"model call"),b(t.length,"tool")+(a>0?`, ${A(a)} failed`:""),b(o.total_tokens,"token"),...typeof o.cost_usd=="number"?[be(o.cost_usd)]:[]].join(" · ")}function gi(e){let{error:t,fallback:n}=e,{reason:o}=ve(e);return[e.max_iterations_reached&&"Max iterations reached: the model requested more tool calls than allowed.",e.circular_calls_detected&&"Circular calls: the model repeated the same call and was stopped.",e.status==="complete"&&!e.max_iterations_reached&&!e.circular_calls_detected&&o,e.deadline_reached&&"Deadline reached: the model had to answer without more tool calls.",e.max_tool_calls_reached&&e.outcome!=="tool_call_limit"&&"Tool call limit reached: no more tool calls were allowed.",e.status==="partial"&&`Partial answer: ${t?`${t.provider} failed (${te(t.type)}): ${t.message}`:"the deadline was reached"}.`,n&&`Another model answered instead of ${n.instead_of}: ${te(n.reason)}.`].flatMap(a=>a?[a]:[])}var Bm=300,Fm=128,Vm=20,jm=4;function yi({calls:e}){let[t,n]=$(!1);if(e.length===0)return s`<section><h2>Tool calls (0)</h2><p>The model called no tool.</p></section>`;let o=t?e:e.slice(0,Vm);return s`
    <section class="stack" aria-label="Tool calls">
      <h2>Tool calls (${A(e.length)})</h2>
      <ol class="tt-calls">
        ${o.map(r=>s`<${Um} key=${`${r.iteration} ${r.call_id}`} call=${r} open=${e.length<=jm} />`)}
      </ol>
      ${o.length<e.length&&s`<div><button type="button" onClick=${()=>n(!0)}>Show ${A(e.length-o.length)} more</button></div>`}
    </section>
  `}function Um({call:e,open:t}){let n=Be(void 0,e),[o,r]="error"in e.result?["Error",e.result]:["Result",e.result.result],a=s`<code>${ne(e.tool,Fm)}(${ne(Wm(e),Bm)})</code>
    <${S} tone=${n.tone}>${n.label}<//>`;return s`
    <li>
      <${P} summary=${a} open=${t}>
        <${q} value=${r} label=${o} />
      <//>
      <small class="number">Iteration: ${e.iteration} | Execution time: ${A(e.result.execution_time_ms)} ms</small>
    </li>
  `}function Wm({params:e}){return typeof e=="string"?e:JSON.stringify(e)}var Gm=60,Km=1e3,zm=10,vi="No mock result for these arguments.",Ao=e=>!("error"in e.result);function wi(e){return(e.normalize("NFKD").replaceAll(/\p{M}/gu,"").toLowerCase().match(/[a-z0-9]+/g)??[]).join("-").slice(0,Gm).replace(/-$/,"")||"case"}function Ti(e,t){if(e.length===0)return"irrelevance";let n=e.filter(Ao);return n.length<e.length?"error_recovery":new Set(n.map(o=>o.iteration)).size>1?"multi_turn":n.length>1?new Set(n.map(o=>o.tool)).size>1?"parallel_choice":"parallel":t>1?"choice":"single"}function ki(e){let t=Map.groupBy(e.filter(Ao),o=>o.iteration),n=Math.min(zm,e.length-e.filter(Ao).length);return t.size===0?e.length===0?{}:{any_call:!0,failed_calls:n}:{turns:[...t.values()].map(o=>({calls:o.map(({tool:r,params:a})=>({tool:r,arguments:Jm(a)}))})),...n>0&&{failed_calls:n}}}function Jm(e){return typeof e=="string"?{}:Object.fromEntries(Object.entries(e).map(([t,n])=>[t,[Cn(n)]]))}function Cn(e){return Array.isArray(e)?e.map(Cn):e===null||typeof e!="object"?e:Object.fromEntries(Object.entries(e).map(([t,n])=>[t,Array.isArray(n)?[Cn(n)]:Cn(n)]))}function Si(e,t){let n=t.filter(uo);return e.map(({name:o,description:r,parameters:a})=>({name:o,description:r,parameters:a,implementation:Xm(n.filter(i=>i.tool===o))}))}function Xm(e){let t={type:"mock"},n=new Map;for(let{params:o,result:r}of e){if(typeof o=="string")continue;let a="error"in r?{error:Qm(r.error)}:{response:r.result};Object.keys(o).length>0?n.set(JSON.stringify(o),{when:o,...a}):"response"in a&&(t.mock_response=a.response)}return n.size>0&&(t.answers=[...n.values()].sort(Ym)),"mock_response"in t||(t.error=vi),t}function Qm(e){return e.slice(0,Km)||vi}function Ym(e,t){return Object.keys(t.when??{}).length-Object.keys(e.when??{}).length}var Zm=["single","choice","parallel","parallel_choice","irrelevance","multi_turn","error_recovery","types","clarification"],ef="my-cases",tf=String.raw`[a-z0-9][a-z0-9_.\-]{0,63}`,nf=String.raw`[a-zA-Z0-9][a-zA-Z0-9_.\-]{0,127}`;function xi({draft:e,task:t,onChange:n,onSave:o}){let r=se(),i=he(T.suites).data?.suites.filter(d=>!d.built_in)??[],l=of(e.expect),c=d=>({id:`${r}-${d}`,"aria-describedby":`${r}-${d}-hint`,value:e[d],onInput:f=>n({...e,[d]:f.currentTarget.value})});return s`
    <form class="stack" onSubmit=${d=>{d.preventDefault(),l===""&&!t.busy&&o(e)}}>
      <${Dt} id=${`${r}-suite`} label="Suite" hint="One of your suites or a new name. Built-in suites are read-only.">
        <input type="text" list=${`${r}-suites`} required pattern=${tf} title="lower-case letters, digits, _ . -" placeholder=${i[0]?.name??ef} ...${c("suite")} />
        <datalist id=${`${r}-suites`}>
          ${i.map(({name:d,cases:f})=>s`<option value=${d}>${b(f,"case")}</option>`)}
        </datalist>
      <//>
      <${Dt} id=${`${r}-id`} label="Case" hint="Unique id in the suite.">
        <input type="text" required pattern=${nf} title="letters, digits, _ . -" ...${c("id")} />
      <//>
      <${Dt} id=${`${r}-category`} label="Category" hint="Ability that the case tests.">
        <select ...${c("category")}>
          ${Zm.map(d=>s`<option value=${d}>${te(d)}</option>`)}
        </select>
      <//>
      <${Dt} id=${`${r}-offer`} label="Offered tools" hint="Saved as mocks that return the results of this test.">
        <select ...${c("offer")}>
          <option value="all">all tools of this test</option>
          <option value="called">called tools only</option>
        </select>
      <//>
      <${Dt} id=${`${r}-expect`} label="Expected calls" invalid=${l!==""} hint=${l?`✕ ${l}`:"JSON, from the calls of this test."}>
        <textarea class="mono tt-expect" spellcheck=${!1} aria-invalid=${l?"true":void 0} ...${c("expect")}></textarea>
      <//>
      ${t.error&&s`<${R} error=${t.error} />`}
      <div class="row">
        <button type="submit" class="primary" disabled=${t.busy||l!==""}>Save</button>
        ${t.busy&&s`<${I} label="Saving the case" since=${t.since} />`}
      </div>
    </form>
  `}function Dt({id:e,label:t,hint:n,invalid:o=!1,children:r}){return s`<div class="field">
    <label for=${e}>${t}</label>
    ${r}
    <small id=${`${e}-hint`} class=${o?"problem-text":""}>${n}</small>
  </div>`}function of(e){try{return z(e),""}catch(t){return`Not valid JSON: ${t instanceof Error?t.message:String(t)}`}}function Ri(e,t,n){let o=new Map(e.tools.map(r=>[r.name,r]));for(let r of n){let a=o.get(r.name);o.set(r.name,a?rf(a,Ai(r)):r)}return{...e,tools:[...o.values()],cases:[...e.cases,t]}}function rf(e,t){let n=Ai(e),o=new Set(n.map(Ci)),r=t.filter(i=>!o.has(Ci(i)));if(r.length===0)return e;let a=[...n,...r].sort((i,l)=>Ei(l)-Ei(i));return{...e,implementation:{...e.implementation,answers:a}}}function Ai({implementation:e}){let t=e.answers;return Array.isArray(t)?t:[]}function Oi(e){return e===null||typeof e!="object"||Array.isArray(e)?[]:Object.entries(e.when??{}).sort(([t],[n])=>t<n?-1:1)}function Ci(e){return JSON.stringify(Oi(e))}function Ei(e){return Oi(e).length}var sf=20;function Mi({request:e,answer:t,tools:n}){let[o,r]=$(!1),[a,i]=$(void 0),[l,c]=$(""),u=L(),d=()=>{i(p=>p??af(e,t,n)),c(""),r(!0)},f=p=>u.run(async m=>{let h=await cf(p.suite,m),{added:x,mocks:v}=lf(p,e,t,n),E=Ri(h,x,v);await T.putSuite(p.suite,E),c(`saved as ${p.id} in ${p.suite} ✓`),r(!1)});return s`
    <button type="button" onClick=${d} disabled=${n.length===0}>Save as validation case</button>
    <span role="status">${l}</span>
    <${Ke} title="Save as validation case" open=${o} onClose=${()=>r(!1)}>
      ${a&&s`<${xi} draft=${a} task=${u} onChange=${i} onSave=${f} />`}
    <//>
  `}function af({query:e},{tool_calls:t},n){let o=n.length<=sf||t.length===0?"all":"called",r=o==="all"?n.length:Ii(n,t).length;return{suite:"",id:wi(e),category:Ti(t,r),offer:o,expect:JSON.stringify(ki(t),null,2)}}function Ii(e,t){return e.filter(n=>t.some(o=>o.tool===n.name))}function lf(e,t,{tool_calls:n},o){let r=Si(e.offer==="all"?o:Ii(o,n),n);return{added:{id:e.id,category:e.category,description:`Recorded from ${t.model}.`,message:t.query,tools:r.map(i=>i.name),expect:z(e.expect)},mocks:r}}async function cf(e,t){try{return await T.suite(e,t)}catch(n){if(!(n instanceof H)||n.status!==404)throw n;return{name:e,description:"Cases saved from tool tests.",tools:[],cases:[]}}}var uf=300;function Di({request:e,answer:t,tools:n}){let[o,r]=$(-1),a=le(),i=gi(t),{tone:l,sign:c}=bi(t,i),u=fs(t.timings,t.tool_calls,o);return s`
    <div class="stack">
      <p class="tt-status">
        <${S} tone=${l} sign=${c}>${xn(t)}<//>
        ${t.demo&&s` <${K} />`}
      </p>
      <p class="tt-query">${ne(e.query,uf)}</p>
      <${df} answer=${t} />
      ${i.map(d=>s`<p class="notice"><span aria-hidden="true">⚠️</span> ${d}</p>`)}
    </div>
    <section class="stack" aria-label="Waterfall">
      <h2>Steps</h2>
      <${an} timings=${t.timings} calls=${t.tool_calls} selected=${o} onSelect=${r} />
      ${u?s`<${kt} step=${u.step} call=${u.call} />`:s`<small>Select a step for details, or move with the arrow keys.</small>`}
    </section>
    <section class="stack" aria-label="Final response">
      <h2>Final response</h2>
      ${t.content.trim()===""?s`<p>The answer is empty.</p>`:s`<div class="tt-answer"><${q} value=${t.content} label="Final response" /></div>`}
      <div class="row">
        <${Z} text=${()=>vn(new URL("api/tools/test",ke).href,{...e})} label="Copy as curl" />
        ${a&&s`<${Mi} request=${e} answer=${t} tools=${n} />`}
      </div>
    </section>
    <${yi} calls=${t.tool_calls} />
  `}function df({answer:e}){return s`
    <div class="row tt-facts">
      <span>Model: <strong>${e.model}</strong>${e.demo&&s` <${K} />`}</span>
      <span>Service: <strong>${e.service}</strong></span>
      <span>Finish reason: <strong>${te(e.finish_reason)}</strong></span>
      <span>Request: <code>${e.request_id}</code> <${Z} text=${e.request_id} label="Copy request id" /></span>
    </div>
  `}var mf=12,ff=matchMedia("(width >= 800px)");function Ni({tools:e}){let[t,n]=$(ff.matches),o=e.data&&e.data.tools.length+Pi(e.data).length;return s`
    <section aria-label="Available tools">
      <details class="collapsible" open=${t} onToggle=${r=>n(r.currentTarget.open)}>
        <summary><h2 class="tt-inline">Available tools ${o!==void 0&&s`<small>${A(o)}</small>`}</h2></summary>
        ${e.error&&s`<${R} error=${e.error} onRetry=${e.reload} />`}
        ${!e.data&&e.loading&&s`<${j} lines=${6} label="the tools" />`}
        ${t&&e.data&&s`<${pf} list=${e.data} />`}
      </details>
    </section>
  `}function Pi(e){return e.disabled.filter(t=>t.kind==="tool")}function pf({list:e}){let[t,n]=$(""),o=Pi(e),r=e.tools.length+o.length;if(r===0)return s`<p>No tools are configured.</p>`;let a=t.trim().toLowerCase(),i=e.tools.filter(({name:c,description:u})=>`${c} ${u}`.toLowerCase().includes(a)),l=o.filter(({name:c})=>c.toLowerCase().includes(a));return s`
    ${r>mf&&s`<label class="field tt-filter">
        Filter
        <input type="search" value=${t} onInput=${c=>n(c.currentTarget.value)} />
        <small role="status">${a&&`${A(i.length+l.length)} of ${A(r)} shown`}</small>
      </label>`}
    <ul class="tool-cards">
      ${l.map(c=>s`<${_n} key=${`disabled ${c.name}`} tool=${c} />`)}
      ${i.map(c=>s`<${hn} key=${c.name} tool=${c} />`)}
    </ul>
  `}var $f={missing:"",runs:0,request:void 0,answer:void 0},Oo=e=>document.getElementById(e)?.focus();function Li({route:e}){return le()&&e.params.mode==="call"?s`<${di} route=${e} />`:s`<${hf} route=${e} />`}function hf({route:e}){let[t,n,o]=_i(e),[r,a]=$($f),i=ze(),l=L(),{section:c,reveal:u}=Me(l.busy),d=h=>a(x=>({...x,...h})),f=()=>{if(l.busy)return;let h=bf(t);if(d({missing:h}),h!=="")return Oo(h==="model"?Sn:rt);o(),u();let x={...t};l.run(async v=>{let E=await T.testTools(x,v);a(k=>({...k,request:x,answer:E,runs:k.runs+1})),kr()})},p=h=>{n(h),d({missing:""})};ae([{keys:"/",label:"Write the query",run:()=>Oo(rt)},{keys:"mod+Enter",label:"Run the test",run:f},{keys:"Escape",label:"Cancel the test",run:l.cancel}]);let m=s`
    <${Tn} mode="model" />
    <${$i} ...${t} missing=${r.missing} busy=${l.busy} onChange=${p} onRun=${f} onCancel=${l.cancel} />
    <${Ni} tools=${i} />
  `;return s`
    <${_e} title="Tool testing" controls=${m} section=${c}>
      <p class="hidden" role="status">${_f(l,r)}</p>
      ${l.busy&&s`<p><${I} label=${`Waiting for ${t.model}`} since=${l.since} /></p>`}
      ${l.cancelled&&s`<p class="notice">! Test cancelled. The model may still complete its request, which costs tokens.</p>`}
      ${l.error&&s`<${R} error=${l.error} onRetry=${f} />`}
      ${r.answer&&(l.busy||l.error||l.cancelled)&&s`<h2>Previous test</h2>`}
      ${r.answer&&r.request&&s`<${Di} key=${r.runs} request=${r.request} answer=${r.answer} tools=${i.data?.tools??[]} />`}
      ${!r.answer&&!l.busy&&!l.error&&s`<${gf} hasModel=${t.model!==""} />`}
    <//>
  `}function _f(e,{answer:t}){return e.busy||e.error?"":e.cancelled?"Test cancelled":t&&xn(t)}function bf({model:e,query:t}){return e===""?"model":t.trim()===""?"query":""}function gf({hasModel:e}){return s`<${ye} title="Test a model with the tools">
    <p>
      Select a model, enter a query or pick an example, and run it. The result shows every model and tool call on one time
      axis, with arguments, results and cost.
    </p>
    <p>
      <button type="button" onClick=${()=>Oo(e?rt:Sn)}>
        ${e?"Enter a query":"Select a model"}
      </button>
    </p>
  <//>`}var Ce=[{name:"single",title:"Single call",description:"one tool is offered and must be called once"},{name:"choice",title:"Tool choice",description:"several tools are offered and one must be called"},{name:"parallel",title:"Parallel calls",description:"one tool must be called several times"},{name:"parallel_choice",title:"Parallel tools",description:"several tools must be called"},{name:"irrelevance",title:"Irrelevance",description:"no tool fits and none may be called"},{name:"multi_turn",title:"Multi-turn",description:"a call needs the result of the previous one"},{name:"error_recovery",title:"Error recovery",description:"a call fails and must be corrected"},{name:"types",title:"Typed values",description:"arguments must match the types of the schema"},{name:"clarification",title:"Clarification",description:"a value is missing and the model must ask for it"}];function En(e){return Ce.find(t=>t.name===e)?.title??e}var qi=8;function Hi({modelChoices:e,chosen:t,onChosen:n,loaded:o,first:r}){let[a,i]=$(""),l=W(()=>performance.now(),[]),c=e.filter(({id:d})=>t.includes(d)||d.toLowerCase().includes(a.toLowerCase())),u=d=>n(t.includes(d)?t.filter(f=>f!==d):[...t,d]);return s`
    <fieldset class="val-models">
      <legend>Models${t.length>0&&` (${t.length} ticked)`}</legend>
      ${e.length>qi&&s`<input
          ref=${r}
          type="search"
          aria-label="Search models"
          placeholder=${`Search ${e.length} models`}
          value=${a}
          onInput=${d=>i(d.currentTarget.value)}
        />`}
      <div class="val-choices">
        ${c.map(({id:d,validation:f,demo:p},m)=>s`
            <label class="val-choice" key=${d}>
              <input ref=${m===0&&e.length<=qi?r:void 0} type="checkbox" checked=${t.includes(d)} onChange=${()=>u(d)} />
              <span>${d} ${f&&s`<small><${Qe} validation=${f} demo=${p} /></small>`}</span>
            </label>
          `)}
        ${c.length===0&&e.length>0&&s`<small>No models match.</small>`}
        ${e.length===0&&!o.loading&&s`<small>No models with tool calling are configured.</small>`}
      </div>
      ${o.loading&&!o.data&&s`<${I} label="Loading models" since=${l} />`}
      ${o.error&&s`<p class="problem-text">The models could not be listed: ${o.error.message} <button type="button" onClick=${o.reload}>Try again</button></p>`}
      ${o.data&&o.data.errors.length>0&&s`<div class="notice">
          ${b(o.data.errors.length,"provider")} did not list its models:
          <ul>${o.data.errors.map(({llm:d,error:f})=>s`<li><code>${d}</code> ${f}</li>`)}</ul>
        </div>`}
    </fieldset>
  `}var yf={rate:(e,t)=>(t.rate?.rate??-1)-(e.rate?.rate??-1)||(t.rate?.low??0)-(e.rate?.low??0),name:()=>0,tested:(e,t)=>(t.last_tested??"").localeCompare(e.last_tested??"")};function Bi(e){return e==="name"||e==="tested"?e:"rate"}function Fi(e,t){return[...e].sort((n,o)=>yf[t](n,o)||n.model_id.localeCompare(o.model_id,"en"))}function Vi(e,t){return e.includes(t)?e.filter(n=>n!==t):[...e,t].slice(-2)}function st(e){return(e??"").split(" ").filter(t=>t!=="")}function Nt(e){return e.filter(t=>t.capabilities.includes("function-calling"))}function ji(e,t){let n=new Set(t.filter(o=>o.tested).map(o=>o.model_id));return Nt(e).filter(o=>!n.has(o.id))}var vf=2e4;function Ui(e){return{models:st(e.models),suite:e.suite??"default",repeats:Number(e.repeats??1),stop_early:e.early!=="no",budget:{calls:Mo(e.calls),tokens:Mo(e.tokens),usd:Mo(e.usd)}}}function Mo(e){return e===void 0?null:Number(e)}function Wi(e,t,n){let o=new Map;for(let{id:r,demo:a,validation:i}of Nt(e))o.set(r,{id:r,demo:a??!1,validation:i});for(let r of t){let{model_id:a,demo:i}=r;o.has(a)||o.set(a,{id:a,demo:i??!1,validation:r})}for(let r of n)o.has(r)||o.set(r,{id:r,demo:!1,validation:void 0});return[...o.values()]}function Gi(e,t){let n=e.models.length;if(n===0)return{ready:!1,text:"Select the models to validate."};if(t===void 0)return{ready:!0,text:b(n,"model")};let o=t.cases*n*e.repeats,r=e.repeats>1?` × ${b(e.repeats,"repeat")}`:"",a=`${b(t.cases,"case")} × ${b(n,"model")}${r}`;return o>vf?{ready:!1,text:`${a} = ${b(o,"chat")}: the maximum is 20,000.`}:{ready:!0,text:`at most ${b(Math.min(o,e.budget.calls??o),"chat")}: ${a}`}}var Io="val-form";function Ki({params:e,change:t,suites:n,models:o,statuses:r,onStarted:a}){let i=g(null),l=g(null),c=L(),u=Ui(e),d=n.data?.suites.find(({name:m})=>m===u.suite),f=Gi(u,d),p=m=>{m.preventDefault(),!(!f.ready||c.busy)&&c.run(async h=>{let x=await T.startValidation(u);h.aborted||a(x)})};return ae([{keys:"/",label:"Select models",run:()=>l.current?.focus()},{keys:"mod+Enter",label:"Start the run",run:()=>i.current?.requestSubmit()}]),s`
    <form class="stack" ref=${i} onSubmit=${p}>
      <h2 id=${Io} tabindex="-1">New run</h2>
      <label class="field">
        Suite
        <select value=${u.suite} onChange=${m=>t({suite:m.currentTarget.value})}>
          ${wf(n.data?.suites??[],u.suite).map(m=>s`<option value=${m} selected=${m===u.suite}>${m}</option>`)}
        </select>
      </label>
      ${d&&s`<${Tf} suite=${d} />`}
      ${n.error&&s`<${R} error=${n.error} onRetry=${n.reload} />`}
      <${Hi}
        modelChoices=${Wi(o.data?.models??[],r,u.models)}
        chosen=${u.models}
        onChosen=${m=>t({models:m.join(" ")})}
        loaded=${o}
        first=${l}
      />
      <${Rn} name="repeats" label="Repeats per case" empty="1" max="100" step="1" params=${e} change=${t} />
      <label class="check">
        <input type="checkbox" checked=${u.stop_early} onChange=${()=>t({early:u.stop_early?"no":""})} />
        Stop early
      </label>
      <small>
        ${u.stop_early?"Testing of a model stops once its result is certain, for a good model after about 17 of 75 cases.":"All cases run, for rates by category and for comparisons."}
      </small>
      <${P} summary="Budget" open=${["calls","tokens","usd"].some(m=>m in e)}>
        <small>The run stops at the first limit reached.</small>
        <${Rn} name="calls" label="Chats" empty="no limit" step="1" params=${e} change=${t} />
        <${Rn} name="tokens" label="Tokens" empty="no limit" step="1" params=${e} change=${t} />
        <${Rn} name="usd" label="US dollars" empty="no limit" step="any" min="0.000001" params=${e} change=${t} />
      <//>
      <p id="val-estimate">${f.text}</p>
      <div class="row">
        <button type="submit" class="primary" disabled=${!f.ready||c.busy} aria-describedby="val-estimate">Start</button>
        ${c.busy&&s`<${I} label="Starting the run" since=${c.since} />`}
      </div>
      ${c.error&&s`<${R} error=${c.error} onRetry=${()=>i.current?.requestSubmit()} />`}
    </form>
  `}function wf(e,t){return[...new Set([...e.map(({name:n})=>n),t])]}function Tf({suite:e}){let t=e.built_in?"built in":"custom",n=`${b(e.cases,"case")}, ${t}`;return s`<${P} summary=${n}>
    ${e.description&&s`<p>${e.description}</p>`}
    <ul>
      ${Object.entries(e.categories).map(([o,r])=>s`<li>${En(o)}: ${r}</li>`)}
    </ul>
  <//>`}function Rn({name:e,label:t,empty:n,min:o="1",max:r,step:a,params:i,change:l}){return s`<label class="field">
    ${t}
    <input
      type="number"
      min=${o}
      max=${r}
      step=${a}
      placeholder=${n}
      value=${i[e]??""}
      onInput=${c=>l({[e]:c.currentTarget.value})}
    />
  </label>`}function at({title:e,focus:t=!1,reveal:n=!1,onClose:o,children:r}){let a=g(null),i=se();return y(()=>{t&&a.current?.focus()},[e,t]),y(()=>{n&&a.current?.scrollIntoView({block:"nearest"})},[n]),s`
    <section class="val-panel stack" aria-labelledby=${i}>
      <div class="row spread">
        <h2 id=${i} ref=${a} tabindex="-1">${e}</h2>
        <button type="button" class="quiet" onClick=${o}>Close</button>
      </div>
      ${r}
    </section>
  `}function Ji(e){return e.low>=.8?"proven":e.high<.8?"failing":"undecided"}function No(e,t){let n=e.rate-t.rate;return{value:n,low:Math.max(-1,n-Math.hypot(e.rate-e.low,t.high-t.rate)),high:Math.min(1,n+Math.hypot(e.high-e.rate,t.rate-t.low))}}function Po({low:e,high:t}){return e>0?"a":t<0?"b":"neither"}function Xi(e,t,n){let o=Po(e);return o==="a"?`${t} is better by ${zi(e.value,e.low,e.high)}`:o==="b"?`${n} is better by ${zi(-e.value,-e.high,-e.low)}`:"No significant difference"}function Qi({value:e,low:t,high:n}){return`${Do(e)} (${Do(t)} to ${Do(n)})`}function zi(e,t,n){return`${An(e)} points (${An(t)} to ${An(n)})`}function Do(e){let t=An(Math.abs(e));return t==="0"?t:`${e<0?"−":"+"}${t}`}function An(e){let t=e*100;return t>0&&t<1?t.toFixed(1):String(Math.round(t))}function Zi({a:e,b:t,onClose:n}){let o={a:e.model_id,b:t.model_id};return s`
    <${at} title=${`${e.model_id} and ${t.model_id}`} onClose=${n}>
      <p role="status"><strong>${kf(e,t)}</strong></p>
      ${(e.demo||t.demo)&&s`<p class="notice">! The demo model follows fixed rules: this difference is no evidence about real models.</p>`}
      <div class="scroll" tabindex="0" role="region" aria-label="Difference by category">
        <table class="val-comparison">
          <caption class="hidden">Difference by category, with 95 % interval</caption>
          <thead>
            <tr>
              <th scope="col">Category</th>
              <th scope="col" class="number">${e.model_id}${e.demo&&s` <${K} />`}</th>
              <th scope="col" class="number">${t.model_id}${t.demo&&s` <${K} />`}</th>
              <th scope="col" class="number">Points</th>
              <th scope="col">Result</th>
            </tr>
          </thead>
          <tbody>
            <${Yi} title="All" a=${e.rate} b=${t.rate} names=${o} />
            ${Ce.map(({name:r,title:a})=>s`<${Yi} title=${a} a=${e.categories?.[r]} b=${t.categories?.[r]} names=${o} />`)}
          </tbody>
        </table>
      </div>
      <small>
        Differences in percentage points with Newcombe's 95 % interval. If the interval contains 0, the difference is not
        significant; a single category rarely has enough tests.
      </small>
    <//>
  `}function kf(e,t){return!e.rate||!t.rate?"Only one of the models was tested.":`${Xi(No(e.rate,t.rate),e.model_id,t.model_id)}.`}function Yi({title:e,a:t,b:n,names:o}){let r=t&&n?No(t,n):void 0;return s`
    <tr>
      <th scope="row">${e}</th>
      <td class="number">${t?we(t):"–"}</td>
      <td class="number">${n?we(n):"–"}</td>
      <td class="number">${r?Qi(r):"–"}</td>
      <td>${r?Sf(r,o):"not tested by both"}</td>
    </tr>
  `}function Sf(e,t){let n=Po(e);return n==="neither"?"not significant":`${t[n]} is better`}var Pt=72,Lo=20,On=3,xf=864e5,Cf=new Intl.DateTimeFormat("en-GB",{day:"numeric",month:"short",timeZone:"UTC"});function tl(e){return Math.round(e*10)/10}function qo(e){return tl(On+(1-e)*(Lo-2*On))}function Ef(e){let t=e.map(({day:r})=>Date.parse(r)),n=t[0]??0,o=Math.max(xf,(t.at(-1)??0)-n);return e.map(({tests:r,successes:a},i)=>({x:e.length===1?Pt/2:tl(On+((t[i]??0)-n)/o*(Pt-2*On)),y:qo(a/r)}))}function Rf(e){return e.map(({day:t,tests:n,successes:o})=>`${Cf.format(new Date(t))} ${Xe(o/n)} of ${n}`).join(", ")}function nl({days:e}){let t=Ef(e),n=`Rate by day: ${Rf(e)}`;return s`
    <svg class="val-trend" viewBox=${`0 0 ${Pt} ${Lo}`} width=${Pt} height=${Lo} role="img" aria-label=${n}>
      <title>${n}</title>
      <line x1="0" x2=${Pt} y1=${qo(.8)} y2=${qo(.8)} />
      <polyline points=${t.map(({x:o,y:r})=>`${o},${r}`).join(" ")} />
      ${t.slice(-1).map(({x:o,y:r})=>s`<circle cx=${o} cy=${r} r="2.5" />`)}
    </svg>
  `}var Af={proven:"✓",failing:"✕",undecided:""};function ol({statuses:e,order:t,onOrder:n,ticked:o,onTick:r,open:a,onOpen:i}){let l=(c,u,d)=>s`
    <th scope="col" aria-sort=${t===c?d:void 0}>
      <button type="button" class="quiet val-sort" onClick=${()=>n(c)}>
        ${u}<span aria-hidden="true">${t===c&&(d==="ascending"?" ▴":" ▾")}</span>
      </button>
    </th>
  `;return s`
    <div class="scroll">
      <table class="val-heat-map">
        <caption class="hidden">Rates of models by category</caption>
        <thead>
          <tr>
            ${l("name","Model","ascending")} ${l("rate","Rate","descending")}
            ${l("tested","Tested","descending")}
            ${Ce.map(({title:c,description:u})=>s`<th scope="col" class="val-category" title=${u}>${c}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${Fi(e,t).map(c=>s`
              <${Of}
                key=${c.model_id}
                status=${c}
                ticked=${o.includes(c.model_id)}
                onTick=${r}
                open=${a?.model===c.model_id?a.category:void 0}
                onOpen=${i}
              />
            `)}
        </tbody>
      </table>
    </div>
    <${P} summary="Legend">
      <p>
        The number is the share of passed tests. The bar is the 95 % interval that is likely to contain the model's true rate.
      </p>
      <ul>
        <li><b>✓</b> proven: the whole interval is at or above 80 %, at the earliest after 16 of 16 tests</li>
        <li><b>✕</b> failing: the whole interval is below 80 %</li>
        <li><b>demo</b>: demo model, no evidence about a real model</li>
        <li>outlined: undecided, the interval contains 80 %; more tests are needed</li>
      </ul>
      <ul>${Ce.map(({title:c,description:u})=>s`<li><b>${c}</b>: ${u}</li>`)}</ul>
    <//>
  `}function Of({status:e,ticked:t,onTick:n,open:o,onOpen:r}){let{model_id:a,badge:i,demo:l}=e;return s`
    <tr>
      <th scope="row" class="val-model">
        <div class="val-name">
          <input type="checkbox" aria-label=${`Compare ${a}`} checked=${t} onChange=${()=>n(a)} />
          <button
            type="button"
            class="quiet"
            aria-pressed=${o===""}
            title="Show all verdicts"
            onClick=${()=>r({model:a,category:""})}
          >${a}</button>
        </div>
        ${l&&s`<${K} />`}
        ${i&&!l&&s`<small class="badge" title=${i.tooltip}><span aria-hidden="true">${i.symbol}</span> ${i.text}</small>`}
      </th>
      <td>${e.rate&&s`<${en} rate=${e.rate} />`}</td>
      <td>
        ${(e.trend?.length??0)>0&&s`<${nl} days=${e.trend} />`}
        ${e.last_tested&&s`<div><small><${J} at=${e.last_tested} /></small></div>`}
      </td>
      ${Ce.map(c=>s`
          <td class="val-rate-cell">
            <${Mf}
              rate=${e.categories?.[c.name]}
              demo=${l??!1}
              label=${`${c.title}, ${a}`}
              open=${o===c.name}
              onOpen=${()=>r({model:a,category:c.name})}
            />
          </td>
        `)}
    </tr>
  `}function Mf({rate:e,demo:t,label:n,open:o,onOpen:r}){if(!e)return s`<span class="val-untested" title="not tested">–<span class="hidden"> not tested</span></span>`;let a=Ji(e),i={left:`${e.low*100}%`,width:`${Math.max(1,(e.high-e.low)*100)}%`},l=`${Math.round(e.low*100)} to ${Math.round(e.high*100)} %`;return s`
    <button
      type="button"
      class="val-cell"
      data-state=${t?"demo":a}
      aria-pressed=${o}
      title=${`${e.successes} of ${e.tests} passed, ${l}, ${t?"demo model":a}`}
      onClick=${r}
    >
      <span class="number">${Xe(e.rate)}</span>
      <small class="number"><span aria-hidden="true">${t?"":Af[a]}</span>${" "}n ${e.tests}</small>
      <span class="interval" aria-hidden="true"><span style=${i}></span><i style=${{left:`${e.rate*100}%`}}></i></span>
      <span class="hidden">${n}, ${l}, ${t?"demo model":a}</span>
    </button>
  `}function it(e,t=[]){let n=Y(),o=g(e);o.current=e;let r=L(),{run:a}=r,[i,l]=$(rl()),c=JSON.stringify(t),u=C(()=>{a(async f=>{let p=await o.current(void 0,f);l({items:p.items,cursor:p.cursor??void 0,isLoaded:!0})})},[a]);y(()=>{l(rl()),u()},[c,n,u]);let d=()=>{a(async f=>{let p=await o.current(i.cursor,f);l(m=>({items:[...m.items,...p.items],cursor:p.cursor??void 0,isLoaded:!0}))})};return{items:i.items,isLoaded:i.isLoaded,more:i.cursor!==void 0,next:i.isLoaded?d:u,restart:u,task:r}}function rl(){return{items:[],cursor:void 0,isLoaded:!1}}function sl(e,t){return t.models.flatMap(({model:n,done:o})=>{let r=e?.models.find(a=>a.model===n)?.done??0;return o>r?[{model:n,limit:Math.min(100,o-r+10)}]:[]})}function Ho({run:e,model:t,case:n,repeat:o,request_id:r}){return`${e} ${t} ${n} ${o} ${r}`}function Bo({result:e}){return e!=="skipped"}function al(e,t,n){return[...new Map([...e,...t.filter(r=>r.run===n&&Bo(r))].map(r=>[Ho(r),r])).values()].sort((r,a)=>a.at.localeCompare(r.at)).slice(0,100)}var If={passed:{tone:"good",text:"passed"},failed:{tone:"bad",text:"failed"},error:{tone:"warn",text:"error, not counted"},skipped:{tone:"plain",text:"skipped"},no_tool_call:{tone:"plain",text:"no tool call, not counted"}},Df=10,Nf=5,il=100,Fo=200,Pf=50,Lf=56;function Vo({verdicts:e,label:t,models:n=!1}){let o=e.length>Fo?Pf:Fo;return Array.from({length:Math.ceil(e.length/o)},(a,i)=>i*o).map(a=>{let i=e.slice(a,a+o);return s`<ul
      key=${a}
      class="val-verdicts"
      aria-label=${a===0?t:`${t}, from ${a+1}`}
      style=${e.length>Fo?{contentVisibility:"auto",containIntrinsicSize:`auto ${i.length*Lf}px`}:{}}
    >
      ${i.map(l=>s`<${qf} key=${Ho(l)} verdict=${l} models=${n} />`)}
    </ul>`})}function qf({verdict:e,models:t}){let{tone:n,text:o}=If[e.result];return s`
    <li>
      <div class="row">
        <${S} tone=${n}>${o}<//>
        <strong>${e.case}${e.repeat>1&&` #${e.repeat}`}</strong>
        ${t&&s`<span>${e.model}</span>`}
        ${e.category&&s`<${ee}>${En(e.category)}<//>`}
        ${e.counted===!1&&s`<${ee}>manual, not counted<//>`}
        <small class="row val-facts">
          <${J} at=${e.at} />
          <span class="number">${O(e.latency_ms)}</span>
          <span class="number">${b(e.tokens,"token")}</span>
          ${typeof e.cost_usd=="number"&&s`<span class="number">${be(e.cost_usd)}</span>`}
          ${e.request_id&&s`<${Z} text=${e.request_id} label="Copy request id" />`}
        </small>
      </div>
      ${e.reasons.length>0&&s`<ul class="val-reasons">${e.reasons.map(r=>s`<li>${r}</li>`)}</ul>`}
    </li>
  `}function Mn({pages:e,label:t,models:n=!1,filter:o,failedOnly:r,onFailedOnly:a}){let{items:i,isLoaded:l,more:c,next:u,task:d}=e,f=i.filter(m=>Bo(m)&&o(m)&&!(r&&m.result==="passed")),p=l&&c&&!d.busy&&!d.error&&f.length<Df&&i.length<Nf*il;return y(()=>{p&&u()}),d.error&&!l?s`<${R} error=${d.error} onRetry=${u} />`:l?s`
    <div class="row spread">
      <span role="status">${A(f.length)} of ${b(i.length,"loaded verdict")}${c?", more available":""}</span>
      <label class="check">
        <input type="checkbox" checked=${r} onChange=${()=>a(!r)} />
        Hide passed
      </label>
    </div>
    ${f.length===0&&!c&&s`<p>None.</p>`}
    <${Vo} verdicts=${f} label=${t} models=${n} />
    <${Hf} pages=${e} />
  `:s`<${j} lines=${6} label=${t} />`}function Hf({pages:{more:e,next:t,task:n}}){return n.error?s`<${R} error=${n.error} onRetry=${t} />`:n.busy?s`<${I} label="Loading verdicts" since=${n.since} />`:e&&s`<div><button type="button" onClick=${t}>Load ${il} more</button></div>`}var Bf=100;function ll({model:e,category:t,status:n,focus:o,onClose:r}){let[a,i]=$(!1),l=Ce.find(d=>d.name===t),c=it(async(d,f)=>{let{records:p,cursor:m}=await T.history(e,{limit:Bf,cursor:d,signal:f});return{items:p,cursor:m}},[e]);ae([{keys:"Escape",label:"Close the verdicts",run:r}]);let u=l?n?.categories?.[l.name]:n?.rate;return s`
    <${at} title=${`${l?l.title:"All verdicts"} · ${e}`} focus=${o} onClose=${r}>
      ${l&&s`<p>Tests: ${l.description}.</p>`}
      ${n?.demo&&s`<p class="notice">! Verdicts of the demo model are no evidence about a real model.</p>`}
      ${u&&s`<p>${u.successes} of ${b(u.tests,"test")} passed, ${we(u)}.</p>`}
      ${!l&&n&&s`<${Ff} status=${n} />`}
      <${Mn}
        pages=${c}
        label=${`Verdicts of ${e}`}
        filter=${d=>!l||d.category===l.name}
        failedOnly=${a}
        onFailedOnly=${i}
      />
    <//>
  `}function Ff({status:e}){let t=[typeof e.latency_ms=="number"&&O(e.latency_ms),typeof e.tokens=="number"&&b(Math.round(e.tokens),"token"),typeof e.cost_usd=="number"&&be(e.cost_usd)].filter(Boolean),{by_hand:n}=e,o=[(e.errors??0)>0&&b(e.errors??0,"error"),(e.no_tool_calls??0)>0&&`${b(e.no_tool_calls??0,"plain test")} without a tool call`,n&&`${b(n.tests+n.errors+n.no_tool_calls,"test")} run manually`].filter(Boolean);return s`<p>
    ${t.length>0&&`Average per case: ${t.join(", ")}.`}
    ${o.length>0&&` Not counted: ${o.join(", ")}.`}
  </p>`}var Vf=12;function cl({models:e,first:t,onFill:n}){return s`
    <${ye} title="No results yet">
      <p>
        Providers list tool calling for most models. Validation tests it: a run sends a suite of cases to a model and grades
        whether it calls the right tools with the right arguments.
      </p>
      ${t&&n&&s`<button type="button" onClick=${()=>n(t)}>Validate ${t}</button>`}
      ${!t&&e.loading&&s`<p>Loading models.</p>`}
      ${!t&&!e.loading&&s`<p>No models with tool calling are configured.</p>`}
    <//>
  `}function ul({models:e,onFill:t}){if(e.length===0)return null;let n=e.slice(0,Vf).map(({id:r})=>r),o=e.length-n.length;return s`
    <div class="notice">
      <span aria-hidden="true">🔧⚠️</span> ${b(e.length,"model")} not tested yet.
      <div class="row">
        ${n.map(r=>s`<button type="button" class="quiet" title=${`Select ${r} in the form`} onClick=${()=>t(r)}>${r}</button>`)}
        ${o>0&&`and ${o} more`}
      </div>
    </div>
  `}function dl({params:e,change:t,statuses:n,rows:o,models:r,onFill:a}){let i=g(null),l=r.data?.models??[],{model:c,category:u="",run:d}=e,f=m=>{i.current=document.activeElement,t(m,{replace:!1})},p=()=>{t({model:"",category:""},{replace:!1}),i.current instanceof HTMLElement&&i.current.focus(),i.current=null};return s`
    ${n.error&&s`<${R} error=${n.error} onRetry=${n.reload} />`}
    ${!n.data&&!n.error&&s`<${j} lines=${6} label="the results" />`}
    ${n.data&&o.length===0&&!d&&s`<${cl} models=${r} first=${Nt(l)[0]?.id} onFill=${a} />`}
    ${o.length>0&&s`
        <h2>Results</h2>
        <${ol}
          statuses=${o}
          order=${Bi(e.sort)}
          onOrder=${m=>t({sort:m})}
          ticked=${st(e.compare)}
          onTick=${m=>t({compare:Vi(st(e.compare),m).join(" ")})}
          open=${c&&{model:c,category:u}}
          onOpen=${f}
        />
        <${jf} names=${st(e.compare)} rows=${o} onClose=${()=>t({compare:""})} />
        ${a&&s`<${ul} models=${ji(l,o)} onFill=${a} />`}
      `}
    ${c&&s`<${ll}
        model=${c}
        category=${u}
        status=${o.find(m=>m.model_id===c)}
        focus=${i.current!==null}
        onClose=${p}
      />`}
  `}function jf({names:e,rows:t,onClose:n}){let[o,r]=e.map(a=>t.find(i=>i.model_id===a));return o&&r?s`<${Zi} a=${o} b=${r} onClose=${n} />`:e.length===1&&s`<p role="status">Select another model to compare with ${e[0]}.</p>`}var Uf=[1e3,1500,2e3,3e3],Wf=3e3;function Te({status:e}){return e!=="queued"&&e!=="running"}function ml(e,t){let n=Y(),o=g(t);o.current=t;let[r,a]=$(0),[i,l]=$(Gf),c=g(void 0);return y(()=>{let u=new AbortController,{signal:d}=u,f=0,p=0,m=!1,h=async()=>{if(clearTimeout(f),!(document.hidden||m)){m=!0;try{let v=await T.validationRun(e,{limit:1,signal:d}),E=c.current;if(l(_=>Kf(_,v,E)),E!==void 0&&E.status!==v.status&&o.current(v),Te(v)){c.current=v;return}let k=await zf(E,v,d);c.current=v,l(_=>({..._,latest:al(_.latest,k,e)}))}catch(v){if(d.aborted)return;let E=Kt(v);if(l(k=>({...k,error:E})),E.kind!=="offline"&&E.kind!=="failed")return}finally{m=!1}f=setTimeout(h,Uf[p++]??Wf)}},x=()=>{!document.hidden&&(c.current===void 0||!Te(c.current))&&h()};return h(),document.addEventListener("visibilitychange",x),()=>{u.abort(),clearTimeout(f),document.removeEventListener("visibilitychange",x)}},[e,n,r]),{...i,retry:C(()=>a(u=>u+1),[])}}function Gf(){return{run:void 0,latest:[],error:void 0,advancedAt:performance.now()}}function Kf(e,t,n){let o=t.done===n?.done?e.advancedAt:performance.now();return{...e,run:t,error:void 0,advancedAt:o}}async function zf(e,t,n){return(await Promise.all(sl(e,t).map(({model:r,limit:a})=>T.history(r,{limit:a,signal:n})))).flatMap(r=>r.records)}var Jf=20,Xf={queued:"plain",running:"plain",finished:"good",stopped:"warn",failed:"bad"};function jo({status:e}){return s`<${S} tone=${Xf[e]}>${e}<//>`}function fl({open:e,changed:t,onOpen:n}){let{items:o,isLoaded:r,more:a,next:i,restart:l,task:c}=it(async(u,d)=>{let{runs:f,cursor:p}=await T.validationRuns({limit:Jf,cursor:u,signal:d});return{items:f,cursor:p}});return y(()=>{t>0&&l()},[t,l]),s`
    <h2>Runs</h2>
    ${!r&&!c.error&&s`<${j} label="the runs" />`}
    ${c.error&&s`<${R} error=${c.error} onRetry=${i} />`}
    ${r&&o.length===0&&s`<small>No runs yet.</small>`}
    <ul class="val-runs">
      ${o.map(u=>s`
          <li key=${u.id}>
            <button type="button" aria-pressed=${u.id===e} onClick=${()=>n(u.id)}>
              <span class="row spread"><${jo} status=${u.status} /><small><${J} at=${u.created_at} /></small></span>
              <span>${u.suite}${u.repeats>1&&` × ${u.repeats}`} · ${Yf(u)}</span>
              <small class="number">${Qf(u)}</small>
            </button>
          </li>
        `)}
    </ul>
    <div class="row">
      ${a&&!c.busy&&s`<button type="button" onClick=${i}>Show older runs</button>`}
      ${c.busy&&r&&s`<${I} label="Loading runs" since=${c.since} />`}
    </div>
  `}function Qf({passed:e,failed:t,total:n}){let o=e+t;return o===0?`at most ${b(n,"chat")}`:`${A(e)} of ${A(o)} passed`}function Yf({models:e}){return e.length<=2?e.map(({model:t})=>t).join(", "):b(e.length,"model")}var Zf=100,ep=3e4;function $l({id:e,operator:t,onStatus:n,onClose:o}){let{run:r,latest:a,error:i,advancedAt:l,retry:c}=ml(e,n),u=W(()=>performance.now(),[]);return s`
    <${at} title=${r?`Run of ${r.suite}${r.repeats>1?` × ${r.repeats}`:""}`:"Run"} reveal onClose=${o}>
      ${!r&&!i&&s`<${I} label="Loading the run" since=${u} />`}
      ${r&&s`<${tp} run=${r} operator=${t} advancedAt=${l} onChanged=${c} />`}
      ${i&&s`<${R} error=${i} onRetry=${c} />`}
      ${r&&s`<${op} run=${r} />`}
      ${r&&Te(r)&&s`<${rp} run=${r} />`}
      ${r&&!Te(r)&&s`<h3>Latest verdicts</h3>
          <div class="val-scroll" tabindex="0" role="region" aria-label="Latest verdicts">
            ${a.length===0?s`<p>No verdicts yet.</p>`:s`<${Vo} verdicts=${a} label="Latest verdicts" models />`}
          </div>`}
    <//>
  `}function tp({run:e,operator:t,advancedAt:n,onChanged:o}){let r=L(),a=W(()=>performance.now()-(Date.now()-Date.parse(e.created_at)),[e.created_at]),i=!Te(e)&&performance.now()-n>ep,l=u=>r.run(async d=>{await u(e.id),d.aborted||o()}),c=[b(e.calls,"chat"),b(e.tokens,"token"),e.cost_usd>0&&be(e.cost_usd),e.finished_at&&O(Date.parse(e.finished_at)-Date.parse(e.created_at))].filter(Boolean);return s`
    <div class="row">
      <span role="status"><${jo} status=${e.status} />${Te(e)&&` ${pl(e)}`}</span>
      ${!Te(e)&&s`<${I} label="" since=${a} /> ${t&&s`<button type="button" disabled=${r.busy} onClick=${()=>l(T.stopValidation)}>Stop</button>`}`}
    </div>
    ${e.reason&&s`<p>${e.reason}</p>`}
    <div>
      <progress class="val-progress" max=${e.total} value=${e.done} aria-label="Progress of the run"></progress>
      <small>${A(e.done)} of ${b(e.total,"verdict")}${!Te(e)&&`: ${pl(e)}`} · ${c.join(" · ")}</small>
    </div>
    ${i&&s`<div class="notice row">
        No new verdicts for 30 seconds. Resume the run to repeat cases with lost messages; existing verdicts are kept.
        ${t&&s`<button type="button" disabled=${r.busy} onClick=${()=>l(T.resumeValidation)}>Resume</button>`}
      </div>`}
    ${r.error&&s`<${R} error=${r.error} />`}
  `}function pl({passed:e,failed:t,errors:n,skipped:o}){let r=[`${A(e)} passed`,`${A(t)} failed`];return n>0&&r.push(b(n,"error")),o>0&&r.push(`${A(o)} skipped`),r.join(", ")}var np={passes:"✓ decided: passes",fails:"✕ decided: fails"};function op({run:e}){let t=e.total/e.models.length;return s`
    <div class="scroll" tabindex="0" role="region" aria-label="Models of this run">
      <table>
        <caption class="hidden">Models of this run</caption>
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col">Done</th>
            <th scope="col" class="number">Passed</th>
            <th scope="col" class="number">Failed</th>
            <th scope="col" class="number">Errors</th>
            <th scope="col" class="number">Skipped</th>
            <th scope="col">Rate</th>
          </tr>
        </thead>
        <tbody>
          ${e.models.map(({model:n,demo:o,rate:r,done:a,errors:i,skipped:l,decided:c})=>s`
              <tr key=${n}>
                <th scope="row" class="val-model">${n}${o&&s` <${K} />`}${c&&s`<div><small>${np[c]}</small></div>`}</th>
                <td>
                  <progress class="val-progress" max=${t} value=${a} aria-label=${`Progress of ${n}`}></progress>
                  <small class="number">${A(a)} of ${A(t)}</small>
                </td>
                <td class="number">${A(r?.successes??0)}</td>
                <td class="number">${A((r?.tests??0)-(r?.successes??0))}</td>
                <td class="number">${A(i)}</td>
                <td class="number">${A(l)}</td>
                <td>${r&&s`<${en} rate=${r} />`}</td>
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}function rp({run:e}){let[t,n]=$(e.failed+e.errors>0),o=it(async(r,a)=>{let{verdicts:i,cursor:l}=await T.validationRun(e.id,{limit:Zf,cursor:r,signal:a});return{items:i,cursor:l}},[e.id]);return s`
    <h3>Verdicts</h3>
    <div class="val-scroll" tabindex="0" role="region" aria-label="Verdicts of this run">
      <${Mn}
        pages=${o}
        label="Verdicts of this run"
        models
        filter=${()=>!0}
        failedOnly=${t}
        onFailedOnly=${n}
      />
    </div>
  `}function In(e,{replace:t=!0}={}){let n=We();n.view==="validation"&&G("validation",{...n.params,...e},{replace:t})}function sp(e){In({models:e}),document.getElementById(Io)?.focus()}function hl({route:{params:e}}){let t=he(p=>T.statuses(p)),n=he(p=>T.suites(p)),o=Je(),r=le(),[a,i]=$(0),l=t.data?.validations.filter(p=>p.tested||p.errors>0)??[],c=p=>{i(m=>m+1),Te(p)&&(t.reload(),o.reload())},u=p=>In({run:p},{replace:!1}),f=s`
    ${r?s`<${Ki} params=${e} change=${In} suites=${n} models=${o} statuses=${l} onStarted=${p=>{i(m=>m+1),u(p.id)}} />`:s`<p class="notice">Starting a run requires a token with the role <strong>operator</strong>.</p>`}
    <${fl} open=${e.run??""} changed=${a} onOpen=${u} />
  `;return s`
    <${_e} title="Validation" controls=${f}>
      ${e.run&&s`<${$l} key=${e.run} id=${e.run} operator=${r} onStatus=${c} onClose=${()=>u("")} />`}
      <${dl} params=${e} change=${In} statuses=${t} rows=${l} models=${o} onFill=${r?sp:void 0} />
    <//>
  `}var ap={"tools-testing":Li,chat:oa,validation:hl,retrieval:Za,configuration:Ra};function _l({route:e}){return s`<${ap[e.view]} route=${e} />`}function bl(){let e=hr(),t=Y(),n=g(t!==""),[o,r]=$(t===""),[a,i]=$(!1);return n.current||=t!=="",y(Ut,[]),y(()=>{let l=pt.find(c=>c.name===e.view)?.title;document.title=`${l} · Flexchat`},[e.view]),y(()=>{t===""&&r(!0)},[t]),ae([{keys:"?",label:"Show keyboard shortcuts",run:()=>i(!0)}]),s`
    <a class="skip" href="#main">Skip to content</a>
    <${Cr} route=${e} onToken=${()=>r(!0)} onHelp=${()=>i(!0)} />
    <main id="main" tabindex="-1">
      ${n.current&&s`<${_l} key=${e.view} route=${e} />`}
    </main>
    <${Ar} open=${o} needed=${t===""} onClose=${()=>r(!1)} />
    <${Ke} title="Keyboard shortcuts" open=${a} onClose=${()=>i(!1)}>
      <dl class="keys">
        ${Jn().map(({keys:l,label:c})=>s`
            <dt><kbd>${me(l)}</kbd></dt>
            <dd>${c}</dd>
          `)}
        <dt><kbd>Tab</kbd></dt>
        <dd>Move to the next control</dd>
      </dl>
    <//>
  `}Vn(s`<${bl} />`,document.getElementById("app"));
