/*! preact 11.2.0, MIT: see LICENSE.preact.txt */var B,Vo,il,xe,On,Pt,jo,Nt,Uo,In,Mn,ll,at=Symbol.for("pv"),qt={},Ht=[],cl=/^m(i|n|o|s|text|space)$/,Nn=Array.isArray,Dn=Ht.slice,Oe=Object.assign;function Ae(e){e&&e.parentNode&&e.remove()}function Wo(e,t,n){var o,r,a,i={},l=arguments.length;for(a in t)a=="key"?o=t[a]:a=="ref"&&typeof e!="function"?r=t[a]:i[a]=t[a];return l>2&&(i.children=l>3?Dn.call(arguments,2):n),st(e,i,o,r,null)}function st(e,t,n,o,r){var a={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:at,__v:r||++Vo,__i:-1,__u:0};return!r&&B.vnode&&B.vnode(a),a}function it(e){return e.children}function Dt(e,t){this.props=e,this.context=t,this.__g=0}function Ce(e,t){if(t==null)return e.__&&Ce(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:Ce(e)}function ul(e){var t,n=e.__v,o=n.__e,r=[],a=[],i=e.__P;i&&((t=Oe({constructor:at},n)).__v=n.__v+1,B.vnode&&B.vnode(t),Ln(i,t,n,e.__n,i.namespaceURI,32&n.__u?[o]:null,r,o||Ce(n),32&n.__u,a),t.__v=n.__v,t.__.__k[t.__i]=t,Qo(r,t,a),n.__=n.__e=null,t.__e!=o&&Go(t))}function Go(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),Go(e)}function Bo(e){(8&e.__g||(e.__g|=8,xe.push(e),Pt++))&&On==B.debounceRendering||((On=B.debounceRendering)||queueMicrotask)(Ko)}function Ko(){try{for(var e,t=1;xe.length;)xe.length>t&&xe.sort(jo),e=xe.shift(),t=xe.length,8&e.__g&&ul(e)}finally{(Pt=xe.length)&&(On||queueMicrotask)(Ko)}}function zo(e,t,n,o,r,a,i,l,c,d,u){var f,p,m,h,S,g,R=o.__k||Ht,k=t.length;for(c=dl(n,t,R,c,k),f=0;f<k;f++)(m=n.__k[f])!=null&&(p=~m.__i&&R[m.__i]||qt,m.__i=f,g=Ln(e,m,p,r,a,i,l,c,d,u),h=m.__e,(p.ref!=m.ref||8&p.__u)&&(p.ref&&Pn(p.ref,null,m,p),m.ref&&u.push(m.ref,m.__c||h,m)),S=S||h,4&m.__u?(c=Jo(m,c,e,!p.__v),p.__e&&(p.__e=null)):typeof m.type=="function"&&g!==void 0?c=g:h&&(c=h.nextSibling),m.__u&=-21);return n.__e=S,c}function dl(e,t,n,o,r){var a,i,l,c,d,u,f,p,m,h=n.length,S=h,g=0,R=0,k=e.__k=Array(r);for(a=0;a<r;a++)(i=t[a])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=k[a]=st(null,i):Nn(i)?i=k[a]=st(it,{children:i}):i.constructor===at&&i.__b?i=k[a]=st(i.type,i.props,i.key,i.ref,i.__v):k[a]=i,c=a+g,i.__=e,i.__b=e.__b+1,l=null,~(d=i.__i=ml(i,n,c,S))&&(S--,(l=n[d])&&(l.__u|=2)),l&&l.__v?(i.__u|=16,d==c-1?g--:d==c+1?g++:d!=c&&(d>c?g--:g++,R=1)):(~d||(r>h?g--:r<h&&g++),typeof i.type!="function"&&(i.__u|=4))):k[a]=null;if(R){for(u=[],f=[],a=0;a<r;a++)if((i=k[a])&&16&i.__u){for(g=0,p=u.length;g<p;)u[m=g+p>>1]<i.__i?g=m+1:p=m;u[g]=i.__i,f[a]=g+1}for(g=u.length;a--;)f[a]&&(f[a]==g?g--:k[a].__u|=4)}if(S)for(a=0;a<h;a++)!(l=n[a])||2&l.__u||(l.__e==o&&(o=Ce(l)),qn(l,l));return o}function Jo(e,t,n,o){var r,a,i,l;if(typeof e.type=="function"){if(e.props.__P)return t;if(r=e.__k)for(a=0;a<r.length;a++)r[a]&&(r[a].__=e,t=Jo(r[a],t,n,!1));return t}for(t&&!t.parentNode&&(t=Ce(e))&&!t.parentNode&&(t=null),i=e.__e,l=t;l&&l.nodeType==8;)l=l.nextSibling;for(i!=l&&(!o&&n.moveBefore&&i.parentNode?n.moveBefore(i,t):n.insertBefore(i,t||null)),t=i;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function ml(e,t,n,o){var r,a=e.key,i=e.type,l=t[n],c=l&&!(2&l.__u);if(l===null&&a==null||c&&a==l.key&&i==l.type)return n;if(o>(c?1:0)){for(r=n-1;r>=0;r--)if((l=t[r])&&!(2&l.__u)&&a==l.key&&i==l.type)return r;for(r=n+1;r<t.length;r++)if((l=t[r])&&!(2&l.__u)&&a==l.key&&i==l.type)return r}return-1}function Fo(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function It(e,t,n,o,r){var a,i;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.cssText=o=""),o)for(t in o)n&&t in n||Fo(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||Fo(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(i=Mn[t]||(Mn[t]=fl(t)),(e.__a||(e.__a={}))[t]=In,a=t!=(t=t.replace(Uo,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,i,a):e.removeEventListener(t,i,a));else{if(r=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function fl(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[Nt]==null)t[Nt]=In++;else if(t[Nt]<this.__a[e])return;return n(B.event?B.event(t):t)}}}function Ln(e,t,n,o,r,a,i,l,c,d){var u,f,p,m,h,S,g,R,k,b,x,j,ee,ue,I,ae,ie,ve,$e=t.type;if(t.constructor!==at)return null;128&n.__u&&(c=32&n.__u,u=n.__c.__z)&&(t.__u|=c,f=a=[],u.nodeType==8?l=Lt(u,a):a.push(u),l=a[0]||l),(u=B.__b)&&u(t);e:if(typeof $e=="function"){p=i.length;try{if(R=t.props,k=(u=$e.prototype)&&u.render,b=(u=$e.contextType)&&o[u.__c],x=u?b?b.props.value:u.__:o,(m=n.__c)?(t.__c=m,2&m.__g&&(m.__g|=1)):(k?t.__c=m=new $e(R,x):(t.__c=m=new Dt(R,x),m.constructor=$e,m.render=$l),b&&b.sub(m),m.state||(m.state={}),m.__n=o,m.__g|=8,m.__h=[],m.__k=[]),k&&(m.__s||(m.__s=m.state),$e.getDerivedStateFromProps&&(m.__s==m.state&&(m.__s=Oe({},m.__s)),Oe(m.__s,$e.getDerivedStateFromProps(R,m.__s)))),h=m.props,S=m.state,m.__v=t,n.__c){if(R!==h&&k&&!$e.getDerivedStateFromProps&&m.componentWillReceiveProps&&m.componentWillReceiveProps(R,x),t.__v==n.__v&&!(8&m.__g)||!(4&m.__g)&&m.shouldComponentUpdate&&m.shouldComponentUpdate(R,m.__s,x)===!1){t.__v!=n.__v&&(m.props=R,m.state=m.__s,m.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(fe){fe&&(fe.__=t)}),Ht.push.apply(m.__h,m.__k),m.__k=[],m.__h.length&&i.push(m),l=Ce(n);break e}m.componentWillUpdate&&m.componentWillUpdate(R,m.__s,x),k&&m.componentDidUpdate&&m.__h.push(function(){m.componentDidUpdate(h,S,g)})}else k&&!$e.getDerivedStateFromProps&&m.componentWillMount&&m.componentWillMount(),k&&m.componentDidMount&&m.__h.push(m.componentDidMount);m.context=x,m.props=R,m.__P=e,m.__g&=-5,j=B.__r,ee=k?25:0;do m.__g&=-9,j&&j(t),u=m.render(m.props,m.state=m.__s,m.context);while(8&m.__g&&++ee<25);k&&(Ht.push.apply(m.__h,m.__k),m.__k=[]),m.state=m.__s,m.getChildContext&&(o=Oe({},o,m.getChildContext())),k&&n.__c&&m.getSnapshotBeforeUpdate&&(g=m.getSnapshotBeforeUpdate(h,S)),ue=u&&u.type===it&&u.key==null?u.props.children:u,R.__P&&(u=l,r=(e=R.__P).namespaceURI,c=a=null,n.props&&n.props.__P!=e&&(n.__k.some(function(fe){fe&&qn(fe,fe)}),n.__k=null),l=n.__k?Ce(n,0):null),l=zo(e,Nn(ue)?ue:[ue],t,n,o,r,a,i,l,c,d),R.__P&&(t.__e=null,l=u),t.__u&=-161,f&&f.some(Ae),m.__h.length&&i.push(m),1&m.__g&&(m.__g&=-4)}catch(fe){if(i.length=p,t.__v=null,c||a)if(fe&&fe.then){if(t.__u|=128|c,a){for(~(ie=a.indexOf(l||void 0))||(ie=a.length);(ve=a[ie-1])&&ve.nodeType==8;)ie--;for(;ie<a.length;ie++)if(ve=a[ie])if(a[ie]=null,I){if(ve==ae)break}else{if(ve.nodeType!=8)break;ve.data.startsWith("$s")&&(ae=Lt(I=ve))}}if(!I){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;I=l}(u=Lt(I=t.__c.__z||(t.__c.__z=I)))?(t.__e=I,l=u):t.__e=l,l=l&&l.nextSibling}else a&&a.some(Ae);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),fe&&fe.then||Xo(t),B.__e(fe,t,n)}}else l=t.__e=pl(n.__e,t,n,o,r,a,i,c,d,e);return(u=B.diffed)&&u(t),l}function Lt(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function Xo(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Xo))}function Qo(e,t,n){for(var o=0;o<n.length;)Pn(n[o++],n[o++],n[o++]);B.__c&&B.__c(t,e),e.some(function(r){try{e=r.__h,r.__h=[],e.some(function(a){a.call(r)})}catch(a){B.__e(a,r.__v)}})}function pl(e,t,n,o,r,a,i,l,c,d){var u,f,p,m,h,S,g,R,k=n.props||qt,b=t.props,x=t.type;if(x=="svg"?r="http://www.w3.org/2000/svg":x=="math"?r="http://www.w3.org/1998/Math/MathML":r||(r="http://www.w3.org/1999/xhtml"),a){for(u=0;u<a.length;u++)if((h=a[u])&&(x?h.localName==x:h.nodeType==3)){e=h,a[u]=null;break}}if(!e){if(R=d.ownerDocument||document,!x)return R.createTextNode(b);e=R.createElementNS(r,x,b.is?b:d),l&&(B.__m&&B.__m(t,a),l=!1),a=null}if(x){if(d=x=="template"&&e.content||e,a=x=="textarea"&&b.defaultValue!=null?null:a&&Dn.call(d.childNodes),!l&&a)for(k={},u=0;u<e.attributes.length;u++)k[(h=e.attributes[u]).name]=h.value;for(u in k)h=k[u],u=="dangerouslySetInnerHTML"?p=h:u=="children"||u in b||u=="value"&&"defaultValue"in b||u=="checked"&&"defaultChecked"in b||It(e,u,null,h,r);for(u in b)h=b[u],u=="children"?m=h:u=="dangerouslySetInnerHTML"?f=h:u=="value"?S=h:u=="checked"?g=h:l&&typeof h!="function"||k[u]===h||It(e,u,h,k[u],r);f?(l||p&&(f.__html==p.__html||f.__html==e.innerHTML)||(e.innerHTML=f.__html),t.__k=[]):(p&&(e.textContent=""),(x=="foreignObject"||r=="http://www.w3.org/1998/Math/MathML"&&cl.test(x))&&(r="http://www.w3.org/1999/xhtml"),zo(d,Nn(m)?m:[m],t,n,o,r,a,i,a?a[0]:n.__k&&Ce(n,0),l,c),a&&a.some(Ae)),l&&x!="textarea"||(u="value",x=="progress"&&S==null?e.removeAttribute(u):S==null||S===e[u]&&(x!="progress"||S)||It(e,u,S,k[u],r),u="checked",g!=null&&g!=e[u]&&It(e,u,g,k[u],r))}else k===b||l&&e.data==b||(e.data=b);return e}function Pn(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(r){B.__e(r,n)}}function qn(e,t,n){var o,r,a,i;if(B.unmount&&B.unmount(e),!(o=e.ref)||o.current&&o.current!=e.__e||Pn(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(l){B.__e(l,t)}o.__P=o.__n=null}if(o=e.__k)for(i=0;i<o.length;i++)o[i]&&qn(o[i],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(r=Lt(o,a=[]))&&(o==e.__e&&a.some(Ae),Ae(r),Ae(o)),n||Ae(e.__e),e.__e=e.__c=e.__=null}function $l(e,t,n){return this.constructor(e,n)}function Hn(e,t){var n,o,r,a;B.__&&B.__(e,t),t.nodeType==9&&(t=t.documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=st(it,{children:[e]}),r=[],a=[],Ln(t,t.__k,o||qt,qt,t.namespaceURI,o?null:t.firstChild?Dn.call(t.childNodes):null,r,o?o.__e:t.firstChild,n,a),Qo(r,t.__k,a),t.__k.props.children=null}B={__e:function(e,t,n,o){for(var r,a,i;t=t.__;)if((r=t.__c)&&!(1&r.__g)){r.__g|=4;try{if((i=(a=r.constructor)&&a.getDerivedStateFromError)&&r.setState(a.getDerivedStateFromError(e)),r.componentDidCatch&&(r.componentDidCatch(e,o||{}),i=1),i&&8&r.__g)return void(r.__g|=2)}catch(l){e=l}}throw Pt=0,e}},Vo=0,il=function(e){return e!=null&&e.constructor===at},Dt.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=Oe({},this.state)),typeof e=="function"&&(e=e(Oe({},n),this.props)),e&&(Oe(n,e),this.__v&&(t&&this.__k.push(t),Bo(this)))},Dt.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Bo(this))},Dt.prototype.render=it,xe=[],Pt=0,jo=function(e,t){return e.__v.__b-t.__v.__b},Nt=Symbol(),Uo=/(PointerCapture)$|Capture$/i,In=0,Mn={},ll=0;/*! htm 3.1.1, Apache-2.0: see LICENSE.htm.txt */var Zo=function(e,t,n,o){var r;t[0]=0;for(var a=1;a<t.length;a++){var i=t[a++],l=t[a]?(t[0]|=i?1:2,n[t[a++]]):t[++a];i===3?o[0]=l:i===4?o[1]=Object.assign(o[1]||{},l):i===5?(o[1]=o[1]||{})[t[++a]]=l:i===6?o[1][t[++a]]+=l+"":i?(r=e.apply(l,Zo(e,l,n,["",null])),o.push(r),l[0]?t[0]|=2:(t[a-2]=0,t[a]=r)):o.push(l)}return o},Yo=new Map;function er(e){var t=Yo.get(this);return t||(t=new Map,Yo.set(this,t)),(t=Zo(this,t.get(e)||(t.set(e,t=(function(n){for(var o,r,a=1,i="",l="",c=[0],d=function(p){a===1&&(p||(i=i.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?c.push(0,p,i):a===3&&(p||i)?(c.push(3,p,i),a=2):a===2&&i==="..."&&p?c.push(4,p,0):a===2&&i&&!p?c.push(5,0,!0,i):a>=5&&((i||!p&&a===5)&&(c.push(a,0,i,r),a=6),p&&(c.push(a,p,0,r),a=6)),i=""},u=0;u<n.length;u++){u&&(a===1&&d(),d(u));for(var f=0;f<n[u].length;f++)o=n[u][f],a===1?o==="<"?(d(),c=[c],a=3):i+=o:a===4?i==="--"&&o===">"?(a=1,i=""):i=o+i[0]:l?o===l?l="":i+=o:o==='"'||o==="'"?l=o:o===">"?(d(),a=1):a&&(o==="="?(a=5,r=i,i=""):o==="/"&&(a<5||n[u][f+1]===">")?(d(),a===3&&(c=c[0]),a=c,(c=c[0]).push(2,0,a),a=0):o===" "||o==="	"||o===`
`||o==="\r"?(d(),a=2):i+=o),a===3&&i==="!--"&&(a=4,c=c[0])}return d(),c})(e)),t),arguments,[])).length>1?t:t[0]}/*! preact/hooks 11.2.0, MIT: see LICENSE.preact.txt */var Me,z,Bn,tr,Fn=Object.is,ct=0,ur=[],Vn=[],K=B,nr=K.__b,or=K.__r,rr=K.diffed,sr=K.__c,ar=K.unmount,ir=K.__;function ut(e,t){K.__h&&K.__h(z,e,ct||t),ct=0;var n=z.__H||(z.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function $(e){return ct=1,hl(dr,e)}function hl(e,t,n){var o=ut(Me++,2);if(o.t=e,!o.__c&&(o.__=[n?n(t):dr(void 0,t),function(a){var i=(o.__N||o.__)[0],l=o.t(i,a);Fn(i,l)||(o.__N=[l,o.__[1]],o.__c.setState({}))}],o.__c=z,!z.__f)){z.__f=!0;var r=z.shouldComponentUpdate;z.shouldComponentUpdate=function(a,i,l){var c=this.__H;if(!c)return!0;var d=!1,u=this.props!=a;if(c.__.some(function(p){p.__N&&(d=!0,Fn(p.__[0],p.__N[0])||(u=!0))}),r){var f=r.call(this,a,i,l);return d?f||u:f}return!d||u}}return o.__}function v(e,t){var n=ut(Me++,3);!K.__s&&Un(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,z.__H.__h.push(n))}function le(e,t){var n=ut(Me++,4);!K.__s&&Un(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,z.__h.push(n))}function y(e){return ct=5,U(function(){return{current:e}},[])}function U(e,t){var n=ut(Me++,7);return Un(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function C(e,t){return ct=8,U(function(){return e},t)}function te(){var e=ut(Me++,11);if(!e.__){for(var t=z.__v;!t.__m&&t.__;)t=t.__;var n=t.__m||(t.__m=[0,0]);e.__="P"+n[0]+"-"+n[1]++}return e.__}function _l(){var e;do{for(;e=Vn.shift();)try{lt(e)}catch(n){K.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=ur.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(lt),t.__h.some(jn),t.__h=[]}catch(n){t.__h=[],K.__e(n,e.__v)}}}while(Vn.length)}K.__b=function(e){z=null,nr&&nr(e)},K.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),ir&&ir(e,t)},K.__r=function(e){or&&or(e),Me=0;var t=(z=e.__c).__H;t&&(Bn==z?z.__h=[]:(t.__h.some(lt),t.__h.some(jn),Me=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),Bn=z},K.diffed=function(e){rr&&rr(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&cr(ur.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Bn=z=null},K.__c=function(e,t){t.some(function(n){try{n.__h.some(lt),n.__h=n.__h.filter(function(o){return!o.__||jn(o)})}catch(o){n.__h=[function(){throw o}]}}),sr&&sr(e,t)},K.unmount=function(e){ar&&ar(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(r){try{if(r.__P&&r.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}r.__P=n,cr(Vn.push(r))}else lt(r)}catch(a){t=a}}),o.__H=void 0,t&&K.__e(t,o.__v))};var lr=typeof requestAnimationFrame=="function";function bl(e){var t,n=function(){clearTimeout(o),lr&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);lr&&(t=requestAnimationFrame(n))}function cr(e){e!=1&&tr==K.requestAnimationFrame||((tr=K.requestAnimationFrame)||bl)(_l)}function lt(e){var t=z,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),z=t}function jn(e){var t=z;e.__c=e.__(),z=t}function Un(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!Fn(n,e[o])})}function dr(e,t){return typeof t=="function"?t(e):t}var s=er.bind(Wo);var Wn=new Set;function Gn(){return[...Wn].flatMap(e=>e.current)}function ne(e){let t=y(e);t.current=e,le(()=>(Wn.add(t),()=>{Wn.delete(t)}),[])}function gl(e){let t=`${e.ctrlKey||e.metaKey?"mod+":""}${e.key}`,o=(e.target instanceof HTMLElement?e.target:null)?.matches("input:not([type=checkbox], [type=radio], [type=range]), textarea, select");if(e.defaultPrevented||e.isComposing||e.altKey||o&&t.length===1||document.querySelector("dialog[open]"))return;let r=Gn().findLast(a=>a.keys===t);r!==void 0&&(e.preventDefault(),r.run())}addEventListener("keydown",gl);var yl=/Mac|iP/.test(navigator.platform);function se(e){return e.replace("mod+",yl?"⌘ ":"Ctrl ").replace("Enter","⏎").replace("Escape","Esc")}var we=new URL("../../",import.meta.url),Ee=document.querySelector('meta[name="flexchat-stage"]')?.getAttribute("content")??"",dt=[{name:"tools-testing",title:"Test"},{name:"chat",title:"Chat"},{name:"validation",title:"Validation"},{name:"retrieval",title:"Retrieval"},{name:"configuration",title:"Configuration"}],Kn="flexchat:route";function Ve(){let e=location.pathname.slice(we.pathname.length).replace(/\/$/,"");return{view:dt.find(n=>n.name===e)?.name??"tools-testing",params:Object.fromEntries(new URLSearchParams(location.search))}}function zn(e,t={}){let n=new URL(e,we);for(let[o,r]of Object.entries(t))r!==""&&n.searchParams.set(o,r);return n.href}function V(e,t={},{replace:n=!1}={}){let o=zn(e,t);o!==location.href&&history[n?"replaceState":"pushState"](null,"",o),dispatchEvent(new Event(Kn))}function mr(){let[e,t]=$(Ve);return v(()=>{let n=()=>t(Ve());return addEventListener("popstate",n),addEventListener(Kn,n),()=>{removeEventListener("popstate",n),removeEventListener(Kn,n)}},[]),e}var fr="flexchat.theme",pr=matchMedia("(prefers-color-scheme: dark)");function Jn(){let e=localStorage.getItem(fr);return e==="light"||e==="dark"?e:pr.matches?"dark":"light"}function $r(e){localStorage.setItem(fr,e),Bt()}function Bt(){document.documentElement.dataset.theme=Jn()}pr.addEventListener("change",Bt);var Xn="flexchat.token",Qn="flexchat:token",Ft=sessionStorage.getItem(Xn)??"";function je(){return Ft}function Ie(e,{keep:t=!1}={}){Ft=e,t&&e?sessionStorage.setItem(Xn,e):sessionStorage.removeItem(Xn),dispatchEvent(new Event(Qn))}function J(){let[e,t]=$(Ft);return v(()=>{let n=()=>t(Ft);return addEventListener(Qn,n),()=>removeEventListener(Qn,n)},[]),e}function Ue({title:e,open:t,onClose:n,children:o}){let r=y(null),a=te();return v(()=>{let l=r.current;t&&!l?.open&&l?.showModal(),!t&&l?.open&&l.close()},[t]),s`
    <dialog ref=${r} aria-labelledby=${a} onCancel=${l=>{l.preventDefault(),n?.()}}>
      <div class="dialog-head">
        <h2 id=${a}>${e}</h2>
        ${n&&s`<button type="button" class="quiet" aria-label="Close" onClick=${n}>✕</button>`}
      </div>
      ${t&&o}
    </dialog>
  `}var P=class extends Error{constructor(t,n,{status:o=0,code:r="",requestId:a="",details:i=[],retryAfter:l=0}={}){super(n),this.kind=t,this.status=o,this.code=r,this.requestId=a,this.details=i,this.retryAfter=l}};async function N(e,t){let n=await Vt(e,t);return n.status===204?void 0:await vl(n)}async function Vt(e,{method:t="GET",body:n,query:o={},headers:r={},signal:a}={}){let i=new URL(e,we);for(let[d,u]of Object.entries(o))u!==void 0&&u!==""&&i.searchParams.set(d,String(u));let l={Accept:"application/json"};je()&&(l.Authorization=`Bearer ${je()}`),n!==void 0&&(l["Content-Type"]="application/json"),Object.assign(l,r);let c=await wl(i,{method:t,headers:l,cache:"no-store",credentials:"omit",...n===void 0?{}:{body:JSON.stringify(n)},...a===void 0?{}:{signal:a}});if(!c.ok)throw await Tl(c);return c}async function vl(e){try{return await e.json()}catch(t){throw t instanceof DOMException&&t.name==="AbortError"?t:new P("failed","The response is incomplete or not JSON. Try again.",{status:e.status})}}async function wl(e,t){try{return await fetch(e,t)}catch(n){throw n instanceof DOMException&&n.name==="AbortError"?n:new P("offline","No response. Check the network and that the stack is running, then try again.")}}async function Tl(e){let t=await e.json().catch(()=>({})),n=Sl(e);return new P(n,t.message??`The service returned status ${e.status} without a message.`,{status:e.status,code:t.error??"",requestId:t.request_id??e.headers.get("x-amzn-requestid")??"",details:t.details??[],retryAfter:Number(e.headers.get("retry-after"))||0})}function Sl({status:e,headers:t}){return e===401?"token":e===403?t.has("x-amzn-errortype")?"token":"forbidden":e<500?"refused":"failed"}var oe=encodeURIComponent,hr="text/event-stream",H=e=>e===void 0?{}:{signal:e},w={me:e=>N("api/me",H(e)),meFor:(e,t)=>N("api/me",{headers:{Authorization:`Bearer ${e}`},...H(t)}),tools:e=>N("api/tools/list",H(e)),models:e=>N("api/models/list",H(e)),testTools:(e,t)=>N("api/tools/test",{method:"POST",body:e,...H(t)}),callTool:(e,t)=>N("api/tools/call",{method:"POST",body:e,...H(t)}),streamChat:(e,t)=>Vt("api/chat",{method:"POST",body:e,headers:{Accept:hr},...H(t)}),runEvents:(e,t,n)=>Vt(`api/runs/${oe(e)}/events`,{headers:{Accept:hr,...t&&{"Last-Event-ID":t}},...H(n)}),startChat:(e,t)=>N("api/chat",{method:"POST",body:e,headers:{Prefer:"respond-async"},...H(t)}),run:(e,t)=>N(`api/runs/${oe(e)}`,H(t)),cancelRun:e=>N(`api/runs/${oe(e)}`,{method:"DELETE"}),sessions:({limit:e,cursor:t,signal:n}={})=>N("api/sessions",{query:{limit:e,cursor:t},...H(n)}),session:(e,t)=>N(`api/sessions/${oe(e)}`,H(t)),renameSession:(e,t)=>N(`api/sessions/${oe(e)}`,{method:"PATCH",body:{title:t}}),deleteSession:e=>N(`api/sessions/${oe(e)}`,{method:"DELETE"}),messages:(e,{limit:t,cursor:n,fromTurn:o,signal:r}={})=>N(`api/sessions/${oe(e)}/messages`,{query:{limit:t,cursor:n,from_turn:o},...H(r)}),collections:e=>N("api/collections",H(e)),search:(e,t,n)=>N(`api/collections/${oe(e)}/query`,{method:"POST",body:t,...H(n)}),changeCollection:(e,t)=>N(`api/collections/${oe(e)}`,{method:"PATCH",body:t}),statuses:e=>N("api/tools/validate",H(e)),history:(e,{limit:t,cursor:n,signal:o}={})=>N("api/tools/validate",{query:{model:e,limit:t,cursor:n},...H(o)}),validationRuns:({limit:e,cursor:t,signal:n}={})=>N("api/validation/runs",{query:{limit:e,cursor:t},...H(n)}),validationRun:(e,{limit:t,cursor:n,signal:o}={})=>N(`api/validation/runs/${oe(e)}`,{query:{limit:t,cursor:n},...H(o)}),startValidation:e=>N("api/tools/validate",{method:"POST",body:e}),stopValidation:e=>N(`api/validation/runs/${oe(e)}`,{method:"DELETE"}),resumeValidation:e=>N(`api/validation/runs/${oe(e)}/resume`,{method:"POST"}),suites:e=>N("api/validation/suites",H(e)),suite:(e,t)=>N(`api/validation/suites/${oe(e)}`,H(t)),putSuite:(e,t)=>N(`api/validation/suites/${oe(e)}`,{method:"PUT",body:t}),configuration:e=>N("api/config",H(e)),matchRule:(e,t)=>N("api/config/match",{method:"POST",body:{profile:e},...H(t)}),mcpServers:e=>N("api/mcp/servers",H(e)),refreshMcpServer:(e,t)=>N(`api/mcp/servers/${oe(e)}/refresh`,{method:"POST",...H(t)}),approveMcpTools:(e,t,n)=>N(`api/mcp/servers/${oe(e)}/approve`,{method:"POST",body:t,...H(n)}),health:e=>N("health",H(e))};function de(e,t=[]){let n=J(),o=y(e);o.current=e;let r=JSON.stringify(t),[a,i]=$(0),[l,c]=$({data:void 0,error:void 0,loading:!0});return v(()=>{if(n==="")return;let d=new AbortController;return c(u=>({...u,loading:!0})),o.current(d.signal).then(u=>!d.signal.aborted&&c({data:u,error:void 0,loading:!1}),u=>!d.signal.aborted&&c(f=>({...f,error:jt(u),loading:!1}))),()=>d.abort()},[r,n,a]),{...l,reload:C(()=>i(d=>d+1),[])}}function L(){let e=y(void 0),[t,n]=$({busy:!1,since:0,error:void 0,cancelled:!1});v(()=>()=>e.current?.abort(),[]);let o=C(async i=>{e.current?.abort();let l=new AbortController;e.current=l,n({busy:!0,since:performance.now(),error:void 0,cancelled:!1});let c;try{await i(l.signal)}catch(d){l.signal.aborted||(c=jt(d))}e.current===l&&n(d=>({...d,busy:!1,error:c,cancelled:l.signal.aborted}))},[]),r=C(()=>e.current?.abort(),[]),a=C(()=>n(i=>({...i,error:void 0,cancelled:!1})),[]);return{...t,run:o,cancel:r,clear:a}}function jt(e){return e instanceof P?e:(reportError(e),new P("page",`Error in the page: ${e instanceof Error?e.message:String(e)}`))}var Ut="flexchat:cached-query",mt=new Map;function Wt(e,t){let[n,o]=$(0),r=de(()=>kl(e,t),[n]);return v(()=>{r.error!==void 0&&mt.delete(e)},[r.error,e]),v(()=>{let a=i=>{i instanceof CustomEvent&&i.detail===e&&o(l=>l+1)};return addEventListener(Ut,a),()=>removeEventListener(Ut,a)},[e]),{...r,reload:C(()=>_r(e),[e]),put:C(a=>br(e,a),[e])}}function _r(e){mt.delete(e),dispatchEvent(new CustomEvent(Ut,{detail:e}))}function br(e,t){mt.set(e,{token:je(),promise:Promise.resolve(t)}),dispatchEvent(new CustomEvent(Ut,{detail:e}))}function kl(e,t){let n=je(),o=mt.get(e);if(o?.token===n)return o.promise;let r=t();return mt.set(e,{token:n,promise:r}),r}var We=()=>Wt("tools",()=>w.tools()),Ge=()=>Wt("models",()=>w.models()),gr=()=>_r("models"),Gt=()=>Wt("collections",()=>w.collections()),yr=e=>br("caller",e);function re(){let{data:e}=Wt("caller",()=>w.me());return e===void 0||e.roles.includes("operator")}var xl=3e4;function wr({route:e,onToken:t,onHelp:n}){let o=J(),r=re();return s`
    <header class="shell">
      <a class="brand" href=${we.href} onClick=${a=>vr(a,"tools-testing")}>
        Flexchat ${Ee&&s`<small>stage ${Ee}</small>`}
      </a>
      <nav aria-label="Views">
        ${dt.filter(({name:a})=>r||a!=="configuration"||a===e.view).map(({name:a,title:i})=>s`
            <a
              href=${zn(a)}
              aria-current=${a===e.view?"page":void 0}
              onClick=${l=>vr(l,a)}
              >${i}</a
            >
          `)}
      </nav>
      <div class="shell-status">
        <${El} />
        <button type="button" class="quiet" onClick=${t}>${o?"Token":"No token"} ▾</button>
        <${Cl} />
        <button type="button" class="quiet" aria-label="Show keyboard shortcuts" title="Show keyboard shortcuts (?)" onClick=${n}>?</button>
      </div>
    </header>
  `}function vr(e,t){e.metaKey||e.ctrlKey||e.shiftKey||e.button!==0||(e.preventDefault(),V(t))}function Cl(){let[e,t]=$(Jn),n=e==="dark"?"light":"dark",o=()=>{$r(n),t(n)},r=`Switch to the ${n} theme`;return s`<button type="button" class="quiet" aria-label=${r} title=${r} onClick=${o}>◐</button>`}function El(){let[e,t]=$("unknown");v(()=>{let r=()=>{document.hidden||w.health().then(()=>t("healthy"),()=>t("unreachable"))};r();let a=setInterval(r,xl);return document.addEventListener("visibilitychange",r),()=>{clearInterval(a),document.removeEventListener("visibilitychange",r)}},[]);let n={unknown:"○",healthy:"●",unreachable:"▲"}[e],o={unknown:"plain",healthy:"good",unreachable:"bad"}[e];return s`<span class="health" data-tone=${o} role="status">
    <span aria-hidden="true">${n}</span> ${e==="unknown"?"checking":e}
  </span>`}var Rl=new Intl.NumberFormat("en-GB"),Al=new Intl.NumberFormat("en-GB",{maximumSignificantDigits:2}),Ol=new Intl.DateTimeFormat("en-GB",{dateStyle:"medium",timeStyle:"medium"}),Tr=new Intl.RelativeTimeFormat("en-GB",{numeric:"auto"}),Ml=[["day",86400],["hour",3600],["minute",60]];function A(e){return Rl.format(e)}function _(e,t,n=`${t}s`){return`${A(e)} ${e===1?t:n}`}function O(e){if(e<999.5)return`${Math.round(e)} ms`;if(e<59950)return`${(e/1e3).toFixed(e<1e4?2:1)} s`;let t=Math.round(e/1e3);return`${Math.floor(t/60)} min ${t%60} s`}function Ke(e){return`${Math.round(e*100)} %`}function pe(e){return`$${e>=1?e.toFixed(2):Al.format(e)}`}function Kt(e){return e<1e3?`${e} B`:e<999500?`${Math.round(e/1e3)} kB`:`${(e/1e6).toFixed(1)} MB`}function he(e){return e.toFixed(3)}function ft(e){return Ol.format(new Date(e))}function Sr(e,t=Date.now()){let n=(new Date(e).getTime()-t)/1e3;for(let[o,r]of Ml)if(Math.abs(n)>=r)return Tr.format(Math.round(n/r),o);return Math.abs(n)<10?"just now":Tr.format(Math.round(n),"second")}var Il=200;function M({label:e,since:t}){let[n,o]=$(performance.now());return v(()=>{let r=setInterval(()=>o(performance.now()),Il);return()=>clearInterval(r)},[]),s`<span class="busy">
    <span class="spinner" aria-hidden="true"></span>
    <span role="status">${e}</span>
    <span class="number" aria-hidden="true">${O(Math.max(0,n-t))}</span>
  </span>`}function F({lines:e=3,label:t}){return s`<div class="skeleton" role="status" aria-label=${`Loading ${t}`}>
    ${Array.from({length:e},()=>s`<span></span>`)}
  </div>`}function _e({title:e,children:t}){return s`<div class="empty"><h2>${e}</h2>${t}</div>`}function kr({open:e,needed:t,onClose:n}){let[o,r]=$(""),[a,i]=$(!1),l=L(),c=u=>{u.preventDefault();let f=o.trim();f===""||l.busy||l.run(async p=>{let m=await w.meFor(f,p);Ie(f,{keep:a}),yr(m),r(""),n()})},d=()=>{Ie(""),r("")};return s`
    <${Ue} title="API token" open=${e} onClose=${t?void 0:n}>
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
            onInput=${u=>r(u.currentTarget.value)}
          />
        </label>
        <label class="check">
          <input type="checkbox" checked=${a} onChange=${()=>i(!a)} />
          Keep the token until this tab is closed
        </label>
        ${l.error&&s`<p id="token-problem" class="problem-text" role="alert">${Nl(l.error)}</p>`}
        <div class="row">
          <button type="submit" class="primary" disabled=${l.busy}>Sign in</button>
          ${!t&&s`<button type="button" onClick=${d}>Sign out</button>`}
          ${l.busy&&s`<${M} label="Verifying the token" since=${l.since} />`}
        </div>
      </form>
    <//>
  `}function Nl(e){return e.kind==="token"?`The token is not valid: ${e.message}.`:e.message}function D({summary:e,open:t=!1,children:n}){let[o,r]=$(t);return s`
    <details class="collapsible" open=${o} onToggle=${a=>r(a.currentTarget.open)}>
      <summary>${e}</summary>
      ${o&&s`<div class="collapsible-body">${n}</div>`}
    </details>
  `}var Dl=matchMedia("(width < 800px)"),Ll=40;function Re(e){let t=y(null),n=y(!1),o=y({busy:e,at:0});le(()=>{let{current:a}=o;n.current&&Dl.matches&&e!==a.busy&&((e||Math.abs(scrollY-a.at)<Ll)&&t.current?.scrollIntoView({block:"start"}),n.current=e),o.current={busy:e,at:e&&!a.busy?scrollY:a.at}},[e]);let r=C(()=>{n.current=!0},[]);return{section:t,reveal:r}}function me({title:e,controls:t,section:n,children:o}){return s`
    <h1 class="hidden">${e}</h1>
    <div class="split">
      <section class="split-controls" aria-label="Controls">${t}</section>
      <section class="split-results" ref=${n} aria-label="Results">${o}</section>
    </div>
  `}var Yn="flexchat.enter",xr="breaks";function Cr(){return localStorage.getItem(Yn)!==xr}function Er(e){e?localStorage.removeItem(Yn):localStorage.setItem(Yn,xr)}function Rr({key:e,shiftKey:t,altKey:n,ctrlKey:o,metaKey:r,isComposing:a,keyCode:i},l){return l&&e==="Enter"&&!(t||n||o||r||a||i===229)}var Zn="chat-message";function Ar({draft:e,busy:t,waiting:n,since:o,hint:r,isAway:a,field:i,onWrite:l,onSend:c,onCancel:d,onJump:u}){let[f,p]=$(Cr),m=g=>{g.preventDefault(),c()},h=g=>{Rr(g,f)&&(g.preventDefault(),c())},S=()=>{Er(!f),p(!f)};return s`
    <form class="chat-composer" onSubmit=${m}>
      ${a&&s`<div class="chat-jump"><button type="button" onClick=${u}><span aria-hidden="true">↓</span> Jump to latest</button></div>`}
      <label>
        <span class="hidden">Message</span>
        <textarea
          ref=${i}
          id=${Zn}
          rows="2"
          placeholder="Message"
          value=${e}
          onKeyDown=${h}
          onInput=${g=>l(g.currentTarget.value)}
        ></textarea>
      </label>
      <div class="row">
        <${Pl} field=${i} busy=${t} disabled=${r!==""||e.trim()===""} keys=${f?"Enter":"mod+Enter"} onCancel=${d} />
        ${n&&s`<${M} label=${n} since=${o} />`}
        ${r&&s`<span class="problem-text">✕ ${r}</span>`}
        <label class="check chat-enter" title="Shift+Enter inserts a line break. If unchecked, Enter inserts it.">
          <input type="checkbox" checked=${f} onChange=${S} />
          <small>Send with Enter</small>
        </label>
      </div>
    </form>
  `}function Pl({field:e,busy:t,disabled:n,keys:o,onCancel:r}){let a=y(null),i=y(null),l=y(null);return le(()=>{let[c,d]=t?[a.current,i.current]:[i.current,e.current];c!==null&&l.current===c&&d?.focus({preventScroll:!0})},[t,e]),l.current=document.activeElement,s`
    <button ref=${a} type="submit" class="primary" disabled=${t||n}>
      Send <span aria-hidden="true">${se(o)}</span>
    </button>
    <button ref=${i} type="button" hidden=${!t} onClick=${r}>
      Cancel <span aria-hidden="true">${se("Escape")}</span>
    </button>
  `}var ql=2e3;function X({text:e,label:t}){let[n,o]=$("");return v(()=>{if(n==="")return;let a=setTimeout(()=>o(""),ql);return()=>clearTimeout(a)},[n]),s`<button type="button" class="quiet" onClick=${()=>navigator.clipboard.writeText(typeof e=="string"?e:e()).then(()=>o("copied ✓"),()=>o("not copied: access denied by the browser"))}>
    ${t}<span role="status">${n&&s` · ${n}`}</span>
  </button>`}var Or={offline:"The service cannot be reached",token:"The token is not valid",forbidden:"The token lacks the required role",refused:"The request was rejected",failed:"The service failed",page:"The page failed"},Ne={bad_gateway:"The service failed",built_in_suite:"The suite is built in",configuration:"Configuration error",conflict:"Conflict with another change",definitions_changed:"The definitions have changed",forbidden:"The token lacks the required role",idempotency_in_progress:"The request is still in progress",idempotency_key_reused:"The idempotency key was already used",internal_error:"The service failed",invalid_cursor:"The list has changed",invalid_idempotency_key:"The request is not valid",invalid_last_event_id:"The request is not valid",invalid_request:"The request is not valid",invalid_suite:"The suite is not valid",mcp_failed:"The MCP server cannot be used",model_in_validation:"A validation run is testing this model",model_not_found:"Model not found",not_found:"Not found",not_listed:"The tools of the server are not listed yet",payload_too_large:"The request is too large",rate_limited:"Too many requests",response_too_large:"The response is too large",resume_token_expired:"The partial answer has expired",resume_token_in_use:"The partial answer is in use",resume_token_invalid:"The partial answer cannot be continued",resume_token_used:"The partial answer was already continued",run_ended:"The run has ended",run_not_found:"Run not found",server_disabled:"The MCP server is disabled",server_not_found:"MCP server not found",session_busy:"The session is in use",session_moved_on:"The session has changed",session_not_found:"Session not found",suite_not_found:"Suite not found",timeout:"The service did not answer in time",tool_disabled:"The tool is disabled",tool_not_found:"Tool not found",tools_disabled:"Tools are disabled",unauthorized:"The token is not valid",unavailable:"The service is unavailable",unsupported_media_type:"The request is not valid",collection_conflict:"Conflict with another change",collection_configuration:"Configuration error",collection_damaged:"The collection is damaged",collection_exists:"The collection already exists",collection_invalid:"The request is not valid",collection_not_found:"Collection not found",collection_too_large:"The request is too large",collection_unavailable:"The collection is unavailable",model_authentication:"The provider rejected the API key",model_content_filter:"The content filter blocked the message",model_context_length:"The conversation is too long",model_invalid_request:"The provider rejected the request",model_invalid_response:"The provider's response is not valid",model_network:"The provider cannot be reached",model_overloaded:"The provider is overloaded",model_permission:"The API key has no access to this model",model_rate_limit:"The provider's rate limit was reached",model_server_error:"The provider failed",model_timeout:"The provider did not answer in time"},Hl={404:Ne.not_found??"",408:Ne.timeout??"",413:Ne.payload_too_large??"",429:Ne.rate_limited??"",503:Ne.unavailable??"",504:Ne.timeout??""};function Mr({kind:e,code:t,status:n}){return e==="token"||e==="offline"||e==="page"?Or[e]:Ne[t]??Hl[n]??Or[e]}function E({error:e,onRetry:t,retry:n="Try again"}){return s`
    <div class="problem" role="alert">
      <h3><span aria-hidden="true">✕</span> ${Mr(e)}</h3>
      <p>${e.message}</p>
      ${e.retryAfter>0&&s`<p>Retry after ${e.retryAfter} s.</p>`}
      ${e.details.length>0&&s`<ul>${e.details.map(({path:o,message:r})=>s`<li><code>${o}</code> ${r}</li>`)}</ul>`}
      <div class="row">
        ${e.kind==="token"&&s`<button type="button" onClick=${()=>Ie("")}>Enter another token</button>`}
        ${t&&e.kind!=="token"&&s`<button type="button" onClick=${t}>${n}</button>`}
        ${e.requestId&&s`<small>request <code>${e.requestId}</code></small>
            <${X} text=${e.requestId} label="Copy request id" />`}
      </div>
    </div>
  `}var pt={answered:{title:"answered",tone:"good",sign:"✓",reason:""},cut_off:{title:"cut off",tone:"warn",sign:"✂",reason:"The model's token limit cut off the answer."},filtered:{title:"filtered",tone:"bad",sign:"⊘",reason:"The provider's filter stopped the answer."},refused:{title:"refused",tone:"bad",sign:"⊘",reason:"The model refused to answer."},empty:{title:"empty",tone:"warn",sign:"∅",reason:"The model returned no text; a placeholder is shown."},iteration_limit:{title:"iteration limit",tone:"warn",sign:"!",reason:"The limit on iterations was reached before the model answered."},repeated_calls:{title:"repeated calls",tone:"warn",sign:"!",reason:"The model repeated the same call and was stopped."},tool_call_limit:{title:"tool call limit",tone:"warn",sign:"!",reason:"The limit on tool calls was reached before the model answered."},client_calls:{title:"waits for the client",tone:"warn",sign:"…",reason:"The model waits for the results of the client's tools."},out_of_time:{title:"out of time",tone:"warn",sign:"!",reason:"The deadline was reached before the answer was complete."},model_failed:{title:"model failed",tone:"bad",sign:"✕",reason:"The model failed before the answer was complete."},unknown:{title:"unknown outcome",tone:"warn",sign:"?",reason:"The provider returned an unknown finish reason."}};function be({outcome:e,status:t,error:n}){return e?pt[e]??pt.unknown:t!=="partial"?pt.answered:n?pt.model_failed:pt.out_of_time}var Nr={background:!1,explain:!1,seconds:"",intent:"",service:"",collections:[]},Ir={background:900,waiting:28};function zt({background:e}){return e?Ir.background:Ir.waiting}function Jt(e){if(e.seconds.trim()==="")return"";let t=Number(e.seconds);return t>=1&&t<=zt(e)?"":`Enter a deadline from 1 to ${zt(e)} seconds${e.background?"":", or up to 900 in the background"}.`}function Dr(e,t,n){let o=Object.fromEntries(Object.entries({intent:n.intent.trim(),service:n.service.trim()}).filter(([,r])=>r));return{message:e,session_id:t,...n.collections.length>0&&{selected_collections:[...n.collections]},...Object.keys(o).length>0&&{profile:o},...Pr(n)}}function Lr(e,t,n){return{resume_token:e,session_id:t,...Pr(n)}}function Pr(e){let t=e.seconds.trim();return{...t!==""&&{deadline_ms:Math.round(Number(t)*1e3)},...e.explain&&{explain:!0}}}function qr(e){return[e.background,e.explain,e.seconds.trim(),e.intent.trim(),e.service.trim()].filter(Boolean).length}var Bl={good:"✓",warn:"!",bad:"✕",plain:"·"};function T({tone:e,sign:t=Bl[e],children:n}){return s`<span class="outcome" data-tone=${e}>
    <span aria-hidden="true">${t}</span> ${n}
  </span>`}function W(){return s`<span class="tag demo" title="The demo model follows fixed rules and is no evidence about a real model">demo</span>`}function Q({children:e}){return s`<span class="tag">${e}</span>`}function G({at:e}){return s`<time datetime=${e} title=${ft(e)}>${Sr(e)}</time>`}function ge(e){return`${Ke(e.rate)} (${Math.round(e.low*100)}–${Math.round(e.high*100)})`}function Xt({rate:e}){let t={left:`${e.low*100}%`,width:`${Math.max(1,(e.high-e.low)*100)}%`};return s`<span class="rate" title=${`${e.successes} of ${e.tests} tests; 95 % interval`}>
    <span class="number">${ge(e)}</span>
    <span class="interval" aria-hidden="true"><span style=${t}></span><i style=${{left:`${e.rate*100}%`}}></i></span>
  </span>`}function ze({validation:e,demo:t}){let{badge:n,rate:o}=e;return t?s`<${W} />${o&&s` <small class="number">${ge(o)}</small>`}`:n?s`<span class="badge" title=${n.tooltip}>
    <span aria-hidden="true">${n.symbol}</span> ${n.text}${o&&s` <span class="number">${ge(o)}</span>`}
  </span>`:s`<${T} tone="plain">no tools<//>`}var Fl=200;function Qt(e){return e.title||"Untitled"}function Hr({session:e,open:t,onOpen:n,onRename:o,onDelete:r}){let[a,i]=$(""),l=L(),c=Qt(e),d=()=>{i(""),l.clear()},u=m=>{l.run(async()=>{await m(),d()})},f=m=>u(()=>o(e.id,m)),p=()=>u(()=>r(e.id));return s`
    <li class="chat-session" data-open=${t}>
      ${a==="rename"?s`<${jl} title=${c} busy=${l.busy} onCancel=${d} onRename=${f} />`:s`<${Vl} session=${e} open=${t} onOpen=${n} onMode=${i} />`}
      ${a==="delete"&&s`<${Ul} title=${c} busy=${l.busy} onCancel=${d} onDelete=${p} />`}
      ${l.error&&s`<${E} error=${l.error} />`}
    </li>
  `}function Vl({session:e,open:t,onOpen:n,onMode:o}){let r=Qt(e);return s`
    <div class="chat-session-row">
      <button type="button" class="quiet" aria-current=${t?"true":void 0} onClick=${()=>n(e.id)}>
        <span class="chat-title">${r}</span>
        <small><${G} at=${e.updated_at} /> · ${_(e.turns,"turn")}</small>
      </button>
      <button type="button" class="quiet" aria-label=${`Rename ${r}`} onClick=${()=>o("rename")}>✎</button>
      <button type="button" class="quiet" aria-label=${`Delete ${r}`} onClick=${()=>o("delete")}>✕</button>
    </div>
  `}function jl({title:e,busy:t,onCancel:n,onRename:o}){let r=y(null);return le(()=>r.current?.select(),[]),s`
    <form class="stack" onSubmit=${i=>{i.preventDefault();let l=r.current?.value.trim();l&&o(l)}} onKeyDown=${i=>Br(i,n)}>
      <label class="field">
        Title
        <input ref=${r} defaultValue=${e} maxlength=${Fl} required />
      </label>
      <div class="row">
        <button type="submit" disabled=${t}>Rename</button>
        <button type="button" onClick=${n}>Cancel</button>
      </div>
    </form>
  `}function Ul({title:e,busy:t,onCancel:n,onDelete:o}){let r=y(null);return le(()=>r.current?.focus(),[]),s`
    <div
      class="notice stack"
      role="group"
      aria-label=${`Delete ${e}`}
      onKeyDown=${a=>Br(a,n)}
    >
      <p>! Delete this session and all its messages? This cannot be undone.</p>
      <div class="row">
        <button type="button" disabled=${t} onClick=${o}>Delete</button>
        <button type="button" ref=${r} onClick=${n}>Cancel</button>
      </div>
    </div>
  `}function Br(e,t){e.key==="Escape"&&(e.preventDefault(),t())}var Fr=/^ {0,3}(`{3,}|~{3,})([^`]*)$/,Vr=/^ {0,3}(#{1,6})(?:[ \t](.*))?$/s,jr=/^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/,Yt=/^ {0,3}> ?/,_t=/^( {0,3})([-*+]|\d{1,9}[.)])(?:[ \t]+|$)/,Wl=/^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/,Gl=/^[ \t|:-]*$/;function Zt(e,{open:t=!1}={}){return eo(e.split(/\r\n|\r|\n/),t,0)}function eo(e,t,n){let o=[];for(let r=0;r<e.length;){if(Je(e[r])){r+=1;continue}let{block:a,end:i}=Kl(e,r,t,n);o.push(a),r=i}return o}function Je(e){return e===void 0||e.trim()===""}function Kl(e,t,n,o){let r=e[t]??"",a=Fr.exec(r);if(a)return zl(e,t,a[1]??"",a[2]??"");let i=Vr.exec(r);if(i){let l=(i[2]??"").trim().replace(/(^|\s)#+$/,"");return{block:{type:"heading",source:r,level:i[1]?.length??1,text:l},end:t+1}}return jr.test(r)?{block:{type:"rule",source:r},end:t+1}:o<8&&Yt.test(r)?Xl(e,t,n,o):o<8&&_t.test(r)?Ql(e,t,n,o):Wr(e,t,n)?ec(e,t):nc(e,t,o)}function zl(e,t,n,o){let r=o.trim().split(/\s/,1)[0]??"",a=t+1;for(;a<e.length&&!Jl(e[a]??"",n);)a+=1;let i=e.slice(t+1,a).join(`
`);return{block:{type:"code",source:bt(e,t,a+1),language:r,text:i},end:a+1}}function Jl(e,t){let n=e.trim();return n.length>=t.length&&n.replaceAll(t[0]??"","")===""}function Xl(e,t,n,o){let r=t;for(;r<e.length&&Yt.test(e[r]??"");)r+=1;let a=e.slice(t,r).map(l=>l.replace(Yt,"")),i=eo(a,n&&r===e.length,o+1);return{block:{type:"quote",source:bt(e,t,r),blocks:i},end:r}}function Ql(e,t,n,o){let r=_t.exec(e[t]??"")?.[2]??"-",a=[],i=0,l=t;for(;l<e.length;l+=1){let f=e[l]??"",p=_t.exec(f);if(p&&$t(f)<Math.max(i,2)&&Ur(p[2]??"",r))i=Math.min(p[0].length,$t(f)+(p[2]?.length??1)+4),a.push([f.slice(p[0].length)]);else if(Yl(e,l,{indent:i,marker:r,depth:o}))a.at(-1)?.push(f.slice(Math.min($t(f),i)));else break}let c=/^\d/.test(r)?Number.parseInt(r,10):void 0,d=f=>n&&l===e.length&&f===a.length-1,u=a.map((f,p)=>eo(f,d(p),o+1));return{block:{type:"list",source:bt(e,t,l),start:c,items:u},end:l}}function Yl(e,t,{indent:n,marker:o,depth:r}){let a=e[t]??"";return Je(a)?Zl(e,t+1,n,o):$t(a)>=Math.min(n,2)?!0:!Je(e[t-1])&&!Gr(a,r)}function Zl(e,t,n,o){let r=e.slice(t,t+2).find(i=>!Je(i));if(r===void 0)return!1;let a=_t.exec(r);return $t(r)>=Math.min(n,2)||a!==null&&Ur(a[2]??"",o)}function Ur(e,t){return e.at(-1)===t.at(-1)}function $t(e){return e.length-e.trimStart().length}function Wr(e,t,n){let o=e[t]??"",r=e[t+1];return o.includes("|")?r!==void 0&&r.includes("-")&&Wl.test(r)?ht(r).length===ht(o).length:n&&t+2>=e.length&&o.trimStart().startsWith("|")&&(r===void 0||Gl.test(r)):!1}function ec(e,t){let n=Math.min(t+2,e.length);for(;n<e.length&&!Je(e[n])&&(e[n]??"").includes("|");)n+=1;let o=ht(e[t]??""),r=ht(e[t+1]??"").map(tc),a=e.slice(t+2,n).map(i=>{let l=ht(i);return o.map((c,d)=>l[d]??"")});return{block:{type:"table",source:bt(e,t,n),aligns:r,head:o,rows:a},end:n}}function ht(e){return e.trim().replace(/^\|/,"").replace(/\|$/,"").replaceAll("\\|","\0").split("|",50).map(n=>n.replaceAll("\0","|").trim())}function tc(e){return e.endsWith(":")?e.startsWith(":")?"center":"right":e.startsWith(":")?"left":""}function nc(e,t,n){let o=t+1;for(;o<e.length&&!Je(e[o])&&!Gr(e[o]??"",n)&&!Wr(e,o,!1);)o+=1;let r=bt(e,t,o);return{block:{type:"paragraph",source:r,text:r.trim()},end:o}}function Gr(e,t){if(Fr.test(e)||Vr.test(e)||jr.test(e))return!0;if(t>=8)return!1;let n=_t.exec(e);return Yt.test(e)||n!==null&&n[0].length<e.length&&/^(?:[-*+]|1[.)])$/.test(n[2]??"")}function bt(e,t,n){return e.slice(t,n).join(`
`)}var Kr=/[\\`*_~[]|https?:\/\//g,zr=/https?:\/\/[^\s<>"`|[\]]{1,2000}/y,to=/\((?=(\s*))\1<?([^\s<>()]*(?:\([^\s<>()]*\)[^\s<>()]*)*)>?(?:\s+"[^"\n]*")?\s*\)/y,oc=/^\[([^[\]\n]*)(?:\](?:\([^)\s]*)?)?$/,rc=/[!-/:-@[-`{-~]/,sc=new Set(["http:","https:","mailto:"]),ac=[["**","strong"],["__","strong"],["~~","del"],["*","em"],["_","em"]];function Jr(e,{open:t=!1}={}){return e.length>2e4?[e]:en(e,t,0)}function en(e,t,n){let o=[],r=new Set,a=Xr(e,0),i="",l=0,c=(d,u)=>{i!==""&&o.push(i),i="",o.push(d),l=u};for(;l<e.length;){Kr.lastIndex=l;let d=Kr.exec(e),u=d?.index??e.length;if(i+=e.slice(l,u),l=u,!d)break;let f=ic(e,l,{open:t,depth:n,unclosed:r,target:a});typeof f.node=="string"?(i+=f.node,l=f.end):c(f.node,f.end)}return i!==""&&o.push(i),o}function ic(e,t,n){let o=e[t]??"",r={node:o,end:t+1};switch(o){case"\\":return lc(e,t);case"`":return cc(e,t,n)??{node:De(e,t,"`"),end:t+De(e,t,"`").length};case"[":return pc(e,t,n)??r;case"h":return $c(e,t)??r;default:return dc(e,t,n)??{node:De(e,t,o),end:t+De(e,t,o).length}}}function lc(e,t){let n=e[t+1]??"";return rc.test(n)?{node:n,end:t+2}:{node:n===`
`?"":"\\",end:t+1}}function De(e,t,n){let o=t;for(;e[o]===n;)o+=1;return e.slice(t,o)}function cc(e,t,{open:n,unclosed:o}){let r=De(e,t,"`"),a=t+r.length,i=o.has(r)?-1:uc(e,a,r);if(i<0&&o.add(r),i<0&&!(n&&a<e.length))return;let l=e.slice(a,i<0?e.length:i).replaceAll(`
`," ");return{node:{type:"code",text:l.startsWith(" ")&&l.endsWith(" ")&&l.trim()!==""?l.slice(1,-1):l},end:i<0?e.length:i+r.length}}function uc(e,t,n){for(let o=e.indexOf(n,t);o>=0;o=e.indexOf(n,o)){let r=De(e,o,"`");if(r.length===n.length)return o;o+=r.length}return-1}function dc(e,t,{open:n,depth:o,unclosed:r}){if(!(o>=6))for(let[a,i]of ac){if(!e.startsWith(a,t)||!mc(e,t,a))continue;let l=t+a.length,c=r.has(a)?-1:fc(e,l,a);if(c>0){let d=en(e.slice(l,c),!1,o+1);return{node:{type:i,children:d},end:c+a.length}}if(r.add(a),n&&a.length===2)return{node:{type:i,children:en(e.slice(l),!0,o+1)},end:e.length}}}function mc(e,t,n){let o=e[t+n.length]??" ";return!/\s/.test(o)&&o!==n&&!(n[0]==="_"&&no(e[t-1]))}function fc(e,t,n){for(let o=e.indexOf(n,t+1);o>=0;o=e.indexOf(n,o+1))if(!(e[o-1]==="\\"||/\s/.test(e[o-1]??" "))&&!(n[0]==="_"&&no(e[o+n.length]))){if(n.length===2)return o+(e[o+2]===n[0]&&e[o+3]!==n[0]?1:0);if(e[o+1]!==n)return o;o+=De(e,o,n).length-1}return-1}function no(e){return e!==void 0&&/[\p{L}\p{N}]/u.test(e)}function pc(e,t,{open:n,depth:o,target:r}){if(e[t-1]==="!"||o>=6)return;r.close<t&&r.close>=0&&Object.assign(r,Xr(e,t));let{close:a,href:i,end:l}=r;if(i&&a-t<1e3)return{node:{type:"link",href:i,children:en(e.slice(t+1,a),!1,5)},end:l};let c=n&&e.length-t<=1e3?oc.exec(e.slice(t)):null;return c?.[1]?{node:c[1],end:e.length}:void 0}function Xr(e,t){let n=e.indexOf("](",t);to.lastIndex=n+1;let o=n<0?null:to.exec(e);return{close:n,href:Qr(o?.[2]??""),end:to.lastIndex}}function $c(e,t){if(no(e[t-1]))return;zr.lastIndex=t;let n=zr.exec(e)?.[0];if(n===void 0)return;let o=hc(n),r=Qr(o);return r?{node:{type:"link",href:r,children:[o]},end:t+o.length}:void 0}function hc(e){let t=0,n=0;for(;n<e.length&&t>=0;n+=1)e[n]==="("?t+=1:e[n]===")"&&(t-=1);for(t<0&&(n-=1);n>0&&".,;:!?'*_~}\\".includes(e[n-1]??"");)n-=1;return e.slice(0,n)}function Qr(e){try{let{protocol:t,href:n}=new URL(e);return sc.has(t)?n:""}catch{return""}}var _c=2;function tn({text:e}){let t=U(()=>Zt(e),[e]);return s`<${so} blocks=${t} />`}function so({blocks:e,open:t=!1}){return s`<div class="md">
    ${e.map((n,o)=>s`<${bc} key=${o} block=${n} open=${t&&o===e.length-1} />`)}
  </div>`}function bc({block:e,open:t}){let n=`${t} ${e.type} ${e.source}`;return U(()=>Yr(e,t),[n])}function Yr(e,t){switch(e.type){case"heading":return s`<${`h${Math.min(6,_c+e.level)}`}>${gt(e.text,t)}<//>`;case"code":return s`<pre tabindex="0" role="region" aria-label=${`Code ${e.language}`.trim()}><code>${e.text}</code></pre>`;case"rule":return s`<hr />`;case"quote":return s`<blockquote>${oo(e.blocks,t)}</blockquote>`;case"list":return gc(e,t);case"table":return vc(e,t);default:return s`<p>${gt(e.text,t)}</p>`}}function oo(e,t){return e.map((n,o)=>Yr(n,t&&o===e.length-1))}function gc({start:e,items:t},n){let o=t.map((r,a)=>s`<li>${yc(r,n&&a===t.length-1)}</li>`);return e===void 0?s`<ul>${o}</ul>`:s`<ol start=${e}>${o}</ol>`}function yc(e,t){let[n,...o]=e;return n?.type!=="paragraph"?oo(e,t):s`<span>${gt(n.text,t&&o.length===0)}</span>${oo(o,t)}`}function vc({aligns:e,head:t,rows:n},o){return s`
    <div class="md-table" tabindex="0" role="region" aria-label="Table">
      <table>
        <thead>
          <tr>${t.map((r,a)=>s`<th scope="col" data-align=${e[a]}>${gt(r,!1)}</th>`)}</tr>
        </thead>
        <tbody>
          ${n.map((r,a)=>s`<tr>
              ${r.map((i,l)=>s`<td data-align=${e[l]}>${gt(i,o&&a===n.length-1)}</td>`)}
            </tr>`)}
        </tbody>
      </table>
    </div>
  `}function gt(e,t){return Jr(e,{open:t}).map(ro)}function ro(e){if(typeof e=="string")return e;switch(e.type){case"code":return s`<code>${e.text}</code>`;case"link":return s`<a href=${e.href} title=${e.href} target="_blank" rel="noopener noreferrer nofollow">
        ${e.children.map(ro)}
      </a>`;default:return s`<${e.type}>${e.children.map(ro)}<//>`}}var wc=new Set(["tool_not_found","tool_not_allowed","tool_disabled","invalid_arguments","malformed_arguments","repeated_call","too_many_calls","rate_limited","circuit_open","previous_call_unfinished","deadline"]),Tc={stop:{tone:"good",label:"answered",reason:""},tool_calls:{tone:"good",label:"called tools",reason:""},length:{tone:"warn",label:"cut off",reason:"The model's token limit cut off the answer."},content_filter:{tone:"warn",label:"filtered",reason:"The provider's filter stopped the answer."},refusal:{tone:"warn",label:"refused",reason:"The model refused to answer."},unknown:{tone:"warn",label:"unknown outcome",reason:"The provider returned an unknown finish reason."}},Sc={topic:"topic",search:"search",intent:"intent",model:"model",tool:"tool"};function Le(e,t){let n=[...t],o=e.steps.map((r,a)=>{let i=r.step==="tool"?n.findIndex(l=>kc(l,r)):-1;return Zr(a,r,i<0?void 0:n.splice(i,1)[0])});for(let[r,a]of n.entries()){let i=o.findLastIndex(l=>xc(l)<=a.iteration);o.splice(i+1,0,Zr(e.steps.length+r,void 0,a))}return o}function kc(e,t){return e.call_id===t.call_id&&e.iteration===t.iteration}function xc({step:e,call:t}){return e?.iteration??t?.iteration??0}function Zr(e,t,n){let o=t?.step??"tool",r=Z(t?.name??n?.tool??"",128),a=o==="tool"||o==="search";return{index:e,step:t,call:n,name:a?r:`${Sc[o]}${o==="model"?` ${t?.iteration}`:""}`,detail:a?"":r,nested:o==="tool",status:Pe(t,n)}}function Pe(e,t){if(t!==void 0)return Cc(t);if(e?.error)return{tone:"bad",label:"failed",reason:`The model failed: ${Y(e.error)}.`};let n=Tc[e?.finish_reason??""];return n!==void 0?n:e?.ok?{tone:"good",label:"done",reason:""}:{tone:"bad",label:"failed",reason:"The step failed."}}function ao({result:e}){return!("error"in e)||!wc.has(e.error_type)}function Cc(e){let{result:t}=e;return"error"in t?{tone:"bad",label:ao(e)?"failed":"not run",reason:Z(`${Y(t.error_type)}: ${t.error}`,240)}:{tone:"good",label:"done",reason:""}}function Y(e){return e.replaceAll("_"," ")}function Z(e,t){return e.length>t?`${e.slice(0,t)}…`:e}function es(e){let t=Math.max(1,e.total_ms,...e.steps.map(o=>o.start_ms+o.duration_ms)),n=Ec(t);return{length:t,step:n,ticks:Array.from({length:Math.floor(t/n)+1},(o,r)=>r*n)}}function Ec(e){for(let t=1;;t*=10)for(let n of[1,2,5])if(e/(n*t)<6)return n*t}function ts(e,t){return{left:e.start_ms/t*100,width:e.duration_ms/t*100}}function ns(e,t){return e===0?"0":t>=100&&e>=1e3?`${e/1e3} s`:`${e} ms`}function os(e,t,n){return Le(e,t).find(o=>o.index===n)}function Xe({label:e,tabs:t,chosen:n,onChoose:o}){let r=te(),[a,i]=$(t[0]?.name??""),l=n??a,c=Math.max(0,t.findIndex(f=>f.name===l)),d=f=>{i(f),o?.(f)};return s`
    <div>
      <div role="tablist" aria-label=${e} onKeyDown=${f=>{let p={ArrowRight:1,ArrowLeft:-1}[f.key],m=p===void 0?void 0:t[(c+p+t.length)%t.length];m!==void 0&&(f.preventDefault(),d(m.name),f.currentTarget.children.item(t.indexOf(m))?.focus())}}>
        ${t.map((f,p)=>s`
            <button
              type="button"
              role="tab"
              id=${`${r}-${p}`}
              aria-selected=${p===c}
              aria-controls=${`${r}-panel`}
              tabindex=${p===c?0:-1}
              onClick=${()=>d(f.name)}
            >${f.name}${f.note&&s` <small>${f.note}</small>`}</button>
          `)}
      </div>
      <div role="tabpanel" id=${`${r}-panel`} aria-labelledby=${`${r}-${c}`} tabindex="0">${t[c]?.content()}</div>
    </div>
  `}var Rc=2e4,Ac=10;function qe(e){return typeof e=="string"?e:JSON.stringify(e,null,2)??""}function q({value:e,label:t}){let[n,o]=$(1),r=U(()=>qe(e),[e]),a=r.slice(0,Rc*n),i=r.length-a.length;return s`
    <div class="value">
      <pre tabindex="0" role="region" aria-label=${t}>${a}</pre>
      <div class="row">
        <${X} text=${r} label="Copy" />
        ${i>0&&s`<button type="button" class="quiet" onClick=${()=>o(n*Ac)}>
            Show more (${A(i)} more characters)
          </button>`}
      </div>
    </div>
  `}var Oc=128;function vt({step:e,call:t}){let n=Pe(e,t),o=Z(e?.name??t?.tool??"",Oc);return s`
    <section class="wf-details" aria-label=${`Details of ${o}`}>
      <div class="row">
        <h3 class="mono">${o}</h3>
        <${T} tone=${n.tone}>${n.label}<//>
      </div>
      <${Xe} label=${`Details of ${o}`} tabs=${Mc(e,t)} />
    </section>
  `}function Mc(e,t){let n=`${e?.start_ms} ${e?.name} ${t?.iteration} ${t?.call_id}`,o={name:"Timing",content:()=>s`<${Nc} step=${e} call=${t} />`},r={name:"Raw",content:()=>s`<${q} key=${n} value=${{...e&&{step:e},...t&&{call:t}}} label="Raw" />`};return t===void 0?[o,r]:[{name:"Arguments",content:()=>s`<${q} key=${n} value=${t.params} label="Arguments" />`},{name:"Result",content:()=>s`<${Ic} key=${n} result=${t.result} />`},o,r]}function Ic({result:e}){return"error"in e?s`<div class="stack">
      <p>${Y(e.error_type)}</p>
      <${q} value=${e.error} label="Error" />
      ${e.validation_errors&&s`<${q} value=${e.validation_errors} label="Validation errors" />`}
    </div>`:s`<div class="stack">
    ${e.truncated&&s`<p class="notice">! The result was truncated.</p>`}
    <${q} value=${e.result} label="Result" />
  </div>`}function Nc({step:e,call:t}){let n=[...Dc(e),...Lc(e,t)];return s`<dl class="wf-facts">
    ${n.map(([o,r])=>s`
        <dt>${o}</dt>
        <dd>${r}</dd>
      `)}
  </dl>`}function Dc(e){return e===void 0?[["Iteration","not started"]]:[["Iteration",e.iteration===0?"before iteration 1":String(e.iteration)],["Started after",O(e.start_ms)],["Duration",O(e.duration_ms)],["Ended after",O(e.start_ms+e.duration_ms)],...yt("Model",e.demo&&"demo model"),...yt("Tokens",e.total_tokens&&A(e.total_tokens)),...yt("Finish reason",e.finish_reason),...yt("Error",e.error&&Y(e.error))]}function Lc(e,t){return t===void 0?[]:[...e===void 0?yt("In iteration",String(t.iteration)):[],["Execution time",O(t.result.execution_time_ms)],["Call",t.call_id]]}function yt(e,t){return t?[[e,t]]:[]}function nn({timings:e,calls:t,selected:n,onSelect:o}){let r=Le(e,t),a=es(e),i=a.ticks.filter(d=>d/a.length<.9),l=r.findIndex(d=>d.index===n),c=d=>{let u=r[Pc(d.key,l,r.length)];u===void 0||d.ctrlKey||d.metaKey||d.altKey||(d.preventDefault(),o(u.index),d.currentTarget.children.item(r.indexOf(u))?.focus())};return s`
    <div class="wf" style=${{"--wf-tick":`${a.step/a.length*100}%`}}>
      <div class="wf-head" aria-hidden="true">
        <span>Step</span>
        <span class="wf-axis">
          ${i.map(d=>s`<span style=${{left:`${d/a.length*100}%`}}>${ns(d,a.step)}</span>`)}
        </span>
        <span class="number">Time</span>
        <span class="number">Tokens</span>
        <span>Outcome</span>
      </div>
      <div role="listbox" aria-label="Steps in order of their start" onKeyDown=${c}>
        ${r.map((d,u)=>s`
            <div
              key=${d.index}
              role="option"
              class=${d.nested?"wf-row wf-nested":"wf-row"}
              aria-selected=${d.index===n}
              tabindex=${u===Math.max(0,l)?0:-1}
              onClick=${()=>o(d.index)}
            ><${qc} row=${d} length=${a.length} /></div>
          `)}
      </div>
    </div>
  `}function Pc(e,t,n){switch(e){case"ArrowDown":return t+1;case"ArrowUp":return t-1;case"Home":return 0;case"End":return n-1;case"Enter":case" ":return Math.max(0,t);default:return-1}}function qc({row:e,length:t}){let{step:n,status:o}=e;return s`
    <span class="wf-name" title=${e.detail||e.name}>
      ${e.name}${e.detail&&s` <small>${e.detail}</small>`}${n?.demo&&s` <${W} />`}
    </span>
    <span class="wf-track">${n&&s`<${Hc} row=${e} length=${t} step=${n} />`}</span>
    <span class="wf-time number">${n?O(n.duration_ms):"–"}</span>
    <span class="wf-tokens number">
      ${n?.total_tokens?s`${_(n.total_tokens,"token")}`:s`<span aria-hidden="true"></span>`}
    </span>
    <span><${T} tone=${o.tone}>${o.label}<//></span>
    ${o.reason&&s`<span class="wf-reason">${o.reason}</span>`}
  `}function Hc({row:e,step:t,length:n}){let{left:o,width:r}=ts(t,n),a={left:`min(${o}%, 100% - var(--wf-least))`,width:`max(${r}%, var(--wf-least))`};return s`<span class="wf-bar" data-kind=${t.step} data-tone=${e.status.tone} style=${a}></span>`}function He({label:e,caption:t,columns:n,numbers:o=[],children:r}){return s`
    <div class="scroll" tabindex="0" role="region" aria-label=${e}>
      <table>
        <caption>${t}</caption>
        <thead>
          <tr>${n.map(a=>s`<th scope="col" class=${o.includes(a)&&"number"}>${a}</th>`)}</tr>
        </thead>
        <tbody>${r}</tbody>
      </table>
    </div>
  `}var rs=200;function on({rules:e}){return s`
    <${He} label="Evaluated rules" caption="Evaluated rules, in order" columns=${["Rule","Outcome","Conditions"]}>
      ${e.map(t=>s`
          <tr>
            <th scope="row">${t.rule}</th>
            <td>
              <${T} tone=${t.matched?"good":"plain"}>${t.matched?"matched":"not matched"}<//>
            </td>
            <td><${Bc} rule=${t} /></td>
          </tr>
        `)}
    <//>
  `}function Bc({rule:e}){return e.conditions.length===0?e.fallback?"none: fallback rule":"none":e.conditions.map(({condition:t,expected:n,actual:o,holds:r})=>s`
      <div>
        <${T} tone=${r?"good":"bad"}>${r?"true":"false"}<//>
        ${" "}<code>${t}</code> ${ss(n)}${!r&&s` <small>(actual: ${ss(o)})</small>`}
      </div>
    `)}function rn({tools:e}){return e.length===0?s`<p>No tools are configured.</p>`:s`
    <${He} label="Offered tools" caption="Tools" columns=${["Tool","Offered","Reason"]}>
      ${e.map(({tool:t,offered:n,reason:o})=>s`
          <tr>
            <th scope="row" class="mono">${t}</th>
            <td><${T} tone=${n?"good":"plain"}>${n?"offered":"not offered"}<//></td>
            <td>${o}</td>
          </tr>
        `)}
    <//>
  `}function ss(e){if(e==null)return"nothing";let t=qe(e);return t.length>rs?`${t.slice(0,rs)}…`:t}var Fc={match:"good",partial:"warn",none:"plain"};function as({rag:e}){let{documents:t,skipped:n,result:o}=e,r=s`
    ${_(t.length,"document")} ·
    ${" "}<${T} tone=${Fc[o]}>${o==="none"?"no match":o}<//>
    ${n.length>0&&s` · <${T} tone="warn">${_(n.length,"collection")} skipped<//>`}
  `;return s`
    <${D} summary=${r}>
      ${t.length>0&&s`<${Vc} documents=${t} />`}
      ${t.length===0&&s`<p>No document within the distance limit in the selected collections.</p>`}
      ${n.map(({collection:a,reason:i})=>s`<p>! <code>${a}</code> was skipped: ${i}</p>`)}
    <//>
  `}function Vc({documents:e}){return s`
    <${He} label="Documents" caption="Documents sent to the model" columns=${["Distance","Title","Source","Collection"]} numbers=${["Distance"]}>
      ${e.map(t=>s`
          <tr>
            <td class="number">${he(t.distance)}</td>
            <td>${t.title}</td>
            <td>${t.source}</td>
            <td>${t.service}/${t.collection}</td>
          </tr>
        `)}
    <//>
  `}function is({explain:e}){return s`
    <dl class="chat-facts">
      <dt>Topic</dt>
      <dd>${e.topic?s`<${jc} topic=${e.topic} />`:"not detected: phase disabled"}</dd>
      <dt>Intent</dt>
      <dd>${e.intent?s`<${Uc} intent=${e.intent} />`:"not detected: phase disabled"}</dd>
      <dt>History</dt>
      <dd>${_(e.history_messages,"message")}</dd>
    </dl>
    <h3>Profile</h3>
    <${q} value=${e.profile} label="Profile" />
    <${on} rules=${e.rules} />
    <${rn} tools=${e.tools} />
    <h3>System prompt</h3>
    <${q} value=${e.system_prompt} label="System prompt" />
  `}function jc({topic:e}){return s`${Y(e.topic_status)}: ${e.topic_summary} <${ls} phase=${e} />`}function Uc({intent:e}){return s`
    ${e.intent??"none"} (${Y(e.source)})
    ${e.candidates.length>0&&s`<small>of ${e.candidates.join(", ")}</small>`}
    ${" "}<${ls} phase=${e} />
  `}function ls({phase:e}){return s`
    <small>${e.model&&`${e.model}, `}${O(e.duration_ms)}</small>
    ${e.error&&s` <${T} tone="bad">${e.error}<//>`}
  `}var Wc=120;function cs({calls:e,received:t}){let n=e.filter(o=>!o.result.success).length;return s`
    ${e.length>0&&s`<${D}
        summary=${s`
          ${_(e.length,"tool call")}
          ${n>0&&s` · <${T} tone="bad">${n} failed<//>`}
        `}
      >
        ${e.map(o=>s`<${Gc} key=${`${o.iteration} ${o.call_id}`} call=${o} />`)}
      <//>`}
    ${t&&s`<${D} summary="Timeline"><${zc} received=${t} /><//>`}
    ${t?.rag&&s`<${as} rag=${t.rag} />`}
    ${t?.explain&&s`<${D} summary="Explanation"><${is} explain=${t.explain} /><//>`}
  `}function Gc({call:e}){let{tone:t,label:n}=Pe(void 0,e),o=s`
    <code>${Z(`${e.tool}(${Kc(e.params)})`,Wc)}</code>
    ${" "}<${T} tone=${t}>${n}<//>
    ${" "}<small class="number">${O(e.result.execution_time_ms)}</small>
  `;return s`<${D} summary=${o}><${vt} step=${void 0} call=${e} /><//>`}function Kc(e){return typeof e=="string"?e:Object.entries(e).map(([t,n])=>`${t}: ${qe(JSON.stringify(n))}`).join(", ")}function zc({received:e}){let[t,n]=$(-1),o=Le(e.timings,e.tool_calls).find(r=>r.index===t);return s`
    <${nn} timings=${e.timings} calls=${e.tool_calls} selected=${t} onSelect=${n} />
    ${o&&s`<${vt} key=${t} step=${o.step} call=${o.call} />`}
  `}function us({answer:e,received:t,tokenUsed:n,onResume:o}){let r=e?.status==="partial",a=e&&!r?be(e).reason:"",i=[...a?[a]:[],...t?Qc(t):[]];return i.length===0&&!r?null:s`
    <div class="notice stack">
      ${r&&s`<p><strong>! The answer is partial.</strong> ${Xc(t)}</p>`}
      ${i.map(l=>s`<p>! ${l}</p>`)}
      ${r&&s`<${Jc} received=${t} tokenUsed=${n} onResume=${o} />`}
    </div>
  `}function Jc({received:e,tokenUsed:t,onResume:n}){return t?s`<p>The resume token was already used. Send a new message instead.</p>`:e?e.resume_token?s`<div class="row">
    <button type="button" disabled=${!n} onClick=${n}>Continue</button>
    <small>available for one hour; completed tool calls are not repeated</small>
  </div>`:s`<p>The partial answer has no resume token. Send a new message instead.</p>`:s`<p>The resume token is only available during the visit that received it. Send a new message instead.</p>`}function Xc(e){if(!e)return"The deadline was reached or the model failed before the answer was complete.";let n=e.tool_calls.length>0?" The tool results so far are below.":"";return e.error?`The model failed (${Y(e.error.type)}): ${e.error.message}.${n}`:`The deadline was reached before the answer was complete.${n}`}function Qc(e){let{fallback:t,session:n}=e;return[...sn(t,()=>`${e.model} answered instead of ${t?.instead_of}: ${Y(t?.reason??"")}.`),...sn(e.deadline_reached,()=>"The deadline was near: the model had to answer without more tool calls."),...sn(e.max_tool_calls_reached&&e.outcome!=="tool_call_limit",()=>"The tool call limit was reached."),...sn(n?.saved===!1,()=>`Not saved in the session: ${n?.problem??"the write failed"}.`)]}function sn(e,t){return e?[t()]:[]}var Yc=2e4,Zc=10;function ds({turn:e,open:t,tokenUsed:n,onResume:o}){let{question:r,at:a,remarks:i,calls:l,answer:c,received:d}=e;return s`
    <article class="chat-turn" tabindex="-1" aria-label=${e.number?`Turn ${e.number}`:"Unsaved turn"}>
      ${r!==void 0&&s`<${lo} text=${r} at=${a} />`}
      <div class="chat-answer">
        ${c&&s`<${eu} answer=${c} received=${d} />`}
        ${i.map(u=>s`<div class="chat-remark"><${io} text=${u} markdown /></div>`)}
        ${c&&s`<${io} text=${c.content||"(empty answer)"} markdown />`}
        ${!c&&!t&&s`<p><${T} tone="warn">No answer yet.<//></p>`}
        <${us} answer=${c} received=${d} tokenUsed=${n} onResume=${o} />
        <${cs} calls=${l} received=${d} />
      </div>
    </article>
  `}function lo({text:e,at:t}){return s`
    <div class="chat-question">
      <div class="row spread">
        <strong>You</strong>
        ${t&&s`<small><${G} at=${t} /></small>`}
      </div>
      <${io} text=${e} />
    </div>
  `}function eu({answer:e,received:t}){let n=t?.usage.cost_usd,o=be(e);return s`
    <div class="row chat-head">
      <strong>${e.model}</strong>
      ${e.demo&&s`<${W} />`}
      <${T} tone=${o.tone} sign=${o.sign}>${o.title}<//>
      <${Q}>service ${e.service}<//>
      ${e.rule&&s`<${Q}>rule ${e.rule}<//>`}
      <small>
        <${G} at=${e.at} />
        ${t&&` · ${O(t.timings.total_ms)} · ${_(t.usage.total_tokens,"token")}`}
        ${typeof n=="number"&&` · ${pe(n)}`}
      </small>
      ${e.content&&s`<${X} text=${e.content} label="Copy answer" />`}
    </div>
  `}function io({text:e,markdown:t=!1}){let[n,o]=$(1),r=e.slice(0,Yc*n),a=e.length-r.length;return s`
    <div class="chat-prose">${t?s`<${tn} text=${r} />`:r}</div>
    ${a>0&&s`<button type="button" class="quiet" onClick=${()=>o(n*Zc)}>
        Show more (${A(a)} more characters)
      </button>`}
  `}function ms({list:e,turns:t,from:n,busy:o,usedTokens:r,earlier:a,onToggle:i,onResume:l,children:c}){let d=y(l);d.current=l;let u=U(()=>{let f=t.at(-1);return t.map(p=>{let{received:m}=p;return s`
        <${ds}
          key=${p.key}
          turn=${p}
          open=${o&&p===f}
          tokenUsed=${r.includes(m?.resume_token??"")}
          onResume=${m&&p===f&&!o?()=>d.current(m):void 0}
        />
      `})},[t,o,r]);return s`
    ${n>1&&s`<div class="row">
        <button type="button" disabled=${a.busy} onClick=${a.show}>Show earlier messages</button>
        ${a.busy&&s`<${M} label="Loading earlier messages" since=${a.since} />`}
      </div>`}
    ${a.error&&s`<${E} error=${a.error} onRetry=${a.show} />`}
    <div class="chat-turns" ref=${e} onClickCapture=${i}>
      ${u} ${c}
    </div>
  `}function fs(e,t){let n=[...nu(e).values()].map(i=>ou(i,t)),o=new Set(n.map(i=>i.answer?.requestId)),r=t.findLastIndex(({answer:i})=>o.has(i.request_id));return t.filter(({answer:i},l)=>!o.has(i.request_id)&&(l>r||i.session?.saved===!1)).reduce(tu,n)}function tu(e,t){let n=e.at(-1),o=n!==void 0&&!n.answer&&(t.question===""||t.question===n.question),r=e.find(d=>t.replaces&&d.answer?.requestId===t.replaces)??(o&&n),a=su(t);if(!r)return[...e,a];let{number:i,question:l,at:c}=r;return e.map(d=>d===r?{...a,number:i,question:l,at:c}:d)}function nu(e){let t=new Map;for(let n of e){let o=t.get(n.turn);o?o.push(n):t.set(n.turn,[n])}return t}function ou(e,t){let n=e.find(i=>i.role==="user"),o=e.find(i=>i.role==="assistant"&&i.service),r=e.filter(i=>i!==n&&i!==o),a=o&&ru(o);return{key:a?.requestId||`turn ${e[0]?.turn}`,number:e[0]?.turn,question:n?.content,at:e[0]?.at??"",remarks:r.map(i=>i.content).filter(i=>i.trim()!==""),calls:e.flatMap(i=>i.tool_calls),answer:a,received:t.find(i=>i.answer.request_id===a?.requestId)?.answer}}function ru(e){return{content:e.content,at:e.at,model:e.model??"",service:e.service??"",rule:e.rule??"",status:e.status??"complete",outcome:e.outcome??void 0,demo:e.demo??!1,requestId:e.request_id??""}}function su({question:e,at:t,answer:n}){return{key:n.request_id,number:void 0,question:e||void 0,at:t,remarks:[],calls:n.tool_calls,answer:{content:n.content,at:t,model:n.model,service:n.service,rule:n.rule??"",status:n.status,outcome:n.outcome,demo:n.demo??!1,requestId:n.request_id},received:n}}function ps(e,t,n){return[...e.filter(o=>o.turn<n),...t]}var $s=48,au=1/3,Te=document.documentElement;function hs(){return Te.scrollHeight-Te.scrollTop-Te.clientHeight}function co(){Te.scrollTop=Te.scrollHeight}function _s({session:e,turns:t,added:n,waiting:o,streamed:r}){let a=y(null),i=y(null),l=y(!0),c=y(0),[d,u]=$(!1),f=y({session:"",first:"",answer:"",end:"",wasWaiting:!1}),p=t[0]?.key??"",m=t.at(-1)?.answer?.requestId??"",h=`${t.length} ${t.at(-1)?.key} ${n}`,{current:S}=f,g=S.session===e,k=g&&S.first!==p&&t.some(({key:I})=>I===S.first)?i.current?.firstElementChild:void 0,b=k?.getBoundingClientRect().top??0,x=C(()=>u(hs()>$s),[]),j=C(()=>{l.current=!0,co(),x()},[x]);le(()=>{let I=m!==""&&m!==S.answer,ae=o||g&&S.wasWaiting;f.current={session:e,first:p,answer:m,end:h,wasWaiting:ae&&!I},g||(l.current=!0),!(g&&S.end===h)&&(k?Te.scrollTop+=k.getBoundingClientRect().top-b:l.current&&t.length+n.trim().length>0&&(l.current=!(I&&ae&&!r&&iu(a.current)),l.current&&co()),x())}),v(()=>{let{scrollRestoration:I}=history;history.scrollRestoration="manual";let ae=()=>{let $e=Te.scrollTop<c.current-1;c.current=Te.scrollTop,hs()<=$s?l.current=!0:$e&&(l.current=!1),x()},ie=()=>{l.current&&co(),x()},ve=new ResizeObserver(()=>requestAnimationFrame(ie));return a.current&&ve.observe(a.current),addEventListener("scroll",ae,{passive:!0}),addEventListener("resize",ie),visualViewport?.addEventListener("resize",ie),()=>{history.scrollRestoration=I,ve.disconnect(),removeEventListener("scroll",ae),removeEventListener("resize",ie),visualViewport?.removeEventListener("resize",ie)}},[x]);let ee=C(I=>{I.target instanceof Element&&I.target.closest("summary, button, [role=option]")&&(l.current=!1)},[]),ue=()=>{j(),i.current?.querySelector("article:last-of-type")?.focus({preventScroll:!0})};return{chat:a,list:i,isAway:d&&(t.length>0||o),follow:j,jump:ue,handleToggle:ee}}function iu(e){let t=e?.querySelector("article:last-of-type"),n=t?.querySelector(".chat-answer");if(!t||!n)return!1;let o=lu(document.querySelector("header.shell")),r=innerHeight-o-(e?.querySelector(".chat-composer")?.getBoundingClientRect().height??0),{top:a,height:i}=n.getBoundingClientRect();if(i<=r)return!1;let l=t.getBoundingClientRect().top;return Te.scrollTop+=(a-l<r*au?l:a)-o-8,!0}function lu(e){return e&&getComputedStyle(e).position==="sticky"?e.getBoundingClientRect().height:0}var Se=class extends Error{};function cu({lastId:e="",longest:t=33554432}={}){let n=[],o=[],r=e,a="",i=0,l=!1,c=d=>{if(d===""){let m=o.length>0?{name:a||"message",data:o.join(`
`),id:r}:void 0;return[a,o,i]=["",[],0],m}let u=d.indexOf(":"),f=u<0?d:d.slice(0,u),p=u<0?"":d.slice(d[u+1]===" "?u+2:u+1);f==="event"?a=p:f==="data"?o.push(p):f==="id"&&(r=p)};return d=>{let u=[],f=l&&d.startsWith(`
`)?1:0;d!==""&&(l=d.endsWith("\r")),i+=d.length-f;for(let{index:p,0:m}of d.matchAll(/\r\n|\n|\r/g)){if(p<f)continue;n.push(d.slice(f,p)),f=p+m.length;let h=c(n.join(""));n=[],h&&u.push(h),i===0&&(i=d.length-f)}if(i>t)throw new Se("The service sent an event that is too long.");return f<d.length&&n.push(d.slice(f)),u}}async function*bs(e,{lastId:t="",silenceMs:n=45e3}={}){let o=e.getReader(),r=cu({lastId:t}),a=new TextDecoder;try{for(;;){let{done:i,value:l}=await uu(o.read(),n);if(i)return;yield*r(a.decode(l,{stream:!0}))}}catch(i){throw i instanceof Se||uo(i)?i:new Se("The connection was lost.")}finally{o.cancel().catch(()=>{})}}function uo(e){return e instanceof DOMException&&e.name==="AbortError"}async function uu(e,t){let n,o=new Promise((r,a)=>{n=setTimeout(()=>a(new Se("The connection was silent for too long.")),t)});try{return await Promise.race([e,o])}finally{clearTimeout(n)}}var mo=5,du=500,mu=2,Qe=class extends Error{constructor(t){super(`The connection to the run ${t} was lost.`),this.run=t}};async function*gs({open:e,reopen:t},{signal:n,onLost:o=()=>{},wait:r=gu}){let a="",i="",l=0;for(;;){try{let c=await(a?t(a,i,n):e(n));for await(let d of fu(c,i)){l=0,i=d.id;let u=pu(d);if(u.name==="error")throw $u(u.data);if(u.name==="accepted"&&(a=u.data.run_id),yield u,u.name==="answer")return}}catch(c){hu(c,a)}if(a==="")throw new P("failed","The stream ended without an answer. Try again.");if(l+=1,l>mo)throw new Qe(a);o(l),await r(du*mu**(l-1),n)}}async function*fu(e,t){if(e.headers.get("content-type")?.startsWith("text/event-stream")&&e.body){yield*bs(e.body,{lastId:t});return}yield{name:"answer",data:await e.text(),id:""}}function pu({name:e,data:t}){try{return{name:e,data:JSON.parse(t)}}catch{throw new P("failed","The response is incomplete or not JSON. Try again.")}}function $u({error:e,message:t,request_id:n,details:o}){return new P("failed",t,{status:200,code:e,requestId:n,details:o??[]})}function hu(e,t){if(uo(e)||_u(e))throw e;if(t==="")throw e instanceof Se?new P("offline",`${e.message} Try again.`):e;if(!bu(e))throw new Qe(t)}function _u(e){return e instanceof P&&e.status===200}function bu(e){return e instanceof P?e.kind==="offline"||e.status===429||e.status>=500:e instanceof Se}function gu(e,t){return new Promise((n,o)=>{let r=setTimeout(n,e),a=()=>(clearTimeout(r),o(new DOMException("Aborted","AbortError")));t.addEventListener("abort",a,{once:!0})})}var yu=5;function ys({live:e}){let{model:t,text:n,remarks:o,steps:r,warnings:a,attempt:i}=e,l=U(()=>Zt(n,{open:!0}),[n]);return e.run===""&&r.length===0&&n===""?null:s`
    <section class="chat-answer chat-live" aria-label="Answer in progress">
      ${t&&s`<div class="row chat-head"><strong>${t}</strong></div>`}
      ${o.map((c,d)=>s`<div class="chat-remark chat-prose" key=${`remark ${d}`}><${tn} text=${c} /></div>`)}
      ${r.length>0&&s`<ol class="chat-steps">${r.map(c=>s`<${wu} key=${c.key} step=${c} />`)}</ol>`}
      ${n.trim()&&s`<div class="chat-prose"><${so} blocks=${l} open /></div>`}
      ${a.map(c=>s`<p class="notice">! ${c}</p>`)}
      ${i>0&&s`<p class="notice" role="status">! Connection lost. Reconnecting, attempt ${i} of ${mo}.</p>`}
      <${vu} blocks=${l} />
    </section>
  `}function vu({blocks:e}){let t=e.length-1;return s`<div class="hidden" aria-live="polite">
    ${e.map(({source:n},o)=>o<t&&o>=t-yu&&s`<p key=${o}>${n}</p>`)}
  </div>`}function wu({step:{kind:e,name:t,detail:n,status:o,ms:r,error:a}}){return e==="rule"?s`<li>rule ${t}</li>`:s`
    <li>
      ${o==="running"?"calling ":""}${e==="tool"?s`<code>${t}</code>`:t}
      ${n&&s` <small class="mono">${n}</small>`}
      ${o==="running"?" …":s` <small class="number">${O(r??0)}</small> <${Tu} status=${o} />`}
      ${a&&s` <small>${a}</small>`}
    </li>
  `}function Tu({status:e}){return s`<${T} tone=${e==="failed"?"bad":"good"}>${e}<//>`}var Su=3e3,ku=31e3,xu={pending:"Cancelling the answer in the service.",cancelled:"Answer cancelled. The service stopped it and discarded its partial result.",ended:"The answer had already ended in the service. The session above is up to date."};function ws({run:e}){let t=y(performance.now()),n=e&&performance.now()-(Date.now()-new Date(e.created_at).getTime()),o=e?Le({total_ms:0,steps:e.steps},[]):[];return s`
    <section class="chat-run stack" aria-label="Background run">
      <${M} label=${Cu(e)} since=${n===void 0?t.current:Math.min(n,performance.now())} />
      ${o.length>0&&s`<ol>
          ${o.map(r=>s`
              <li key=${r.index}>
                ${r.name} ${r.detail&&s`<small>${r.detail}</small>`}
                ${" "}<${T} tone=${r.status.tone}>${r.status.label}<//>
                ${r.step&&s` <small class="number">${O(r.step.duration_ms)}</small>`}
                ${r.status.reason&&s` <small>${r.status.reason}</small>`}
              </li>
            `)}
        </ol>`}
      <small>The run continues if you close this page. Its URL shows the result for one day.</small>
    </section>
  `}function Cu(e){return e===void 0?"Loading the run":e.status==="queued"?"Queued in the background":"Running in the background"}function Ts({cancellation:{status:e,reason:t},open:n,onCheck:o}){return v(()=>{(e==="cancelled"||e==="ended")&&o()},[e,o]),e==="none"?s`<${vs} open=${n} onCheck=${o} />`:e==="failed"?s`
      <p class="notice" role="status">! The service did not confirm the cancellation: ${t}</p>
      <${vs} open=${n} onCheck=${o} />
    `:s`<p class="notice" role="status">! ${xu[e]}</p>`}function vs({open:e,onCheck:t}){return v(()=>{if(!e)return;let n=setInterval(()=>!document.hidden&&t(),Su),o=setTimeout(()=>clearInterval(n),ku);return()=>{clearInterval(n),clearTimeout(o)}},[e,t]),s`
    <div class="notice stack" role="status">
      <p>
        ! Request cancelled. The service may still complete this answer within 30 seconds and save it in the
        session.${e?" Until then the session accepts no other message.":" The session above is up to date."}
      </p>
      ${e&&s`<div class="row"><button type="button" onClick=${t}>Check again</button></div>`}
    </div>
  `}function Ss({id:e,chat:t,conversation:n,options:o,onBegin:r}){let a=y(null),{task:i}=t,l=t.sent?.session===e?t.sent:void 0,c=Jt(o),d=Au(e,t,n),u=i.busy&&l!==void 0,f=t.followed.active||u,p=f&&t.waiting?Mu(l,d.at(-1)):"",m=_s({session:e,turns:d,added:Ru(t,l,p),waiting:f,streamed:t.live.text!==""}),h=()=>{t.busy||c!==""||t.draft.trim()===""||(m.follow(),t.send())};return ne([{keys:"/",label:"Write a message",run:()=>a.current?.focus()},{keys:"mod+Enter",label:"Send the message",run:h},{keys:"Escape",label:"Cancel the answer",run:()=>t.busy&&t.cancel()}]),s`
    <div class="chat" ref=${m.chat}>
      <${Du} conversation=${n} />
      ${n.loading&&!(t.waiting&&l)&&s`<${F} lines=${8} label="the messages" />`}
      ${i.error?.kind!=="offline"&&s`<${Eu} conversation=${n} onBegin=${r} />`}
      ${e===""&&s`<${Lu} />`}
      <${Ou} chat=${t} sent=${l} conversation=${n} turns=${d} question=${p} live=${u} answering=${f} scroll=${m} onRetry=${h} />
      <p class="hidden" role="status">${qu(t)}</p>
      <${Ar}
        draft=${t.draft}
        busy=${t.busy}
        waiting=${i.busy?Pu(l):""}
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
  `}function Eu({conversation:e,onBegin:t}){let{error:n,reload:o}=e;return n?fo(e)?s`<${E} error=${n} onRetry=${t} retry="Start a new chat" />`:s`<${E} error=${n} onRetry=${o} />`:null}function fo(e){return e.error?.status===404}function Ru({task:e,followed:t,cancellation:n},o,r){let a=(o&&e.error)??t.error,i=o&&e.cancelled?`stopped ${n.status}`:"";return[r,i,a?.code,a?.message,t.run?.status].filter(Boolean).join(" ")}function Au(e,t,n){let{messages:o}=n,r=fo(n);return U(()=>{let a=t.received.filter(i=>i.session===e);return r?[]:fs(o,a)},[o,t.received,e,r])}function Ou({chat:e,sent:t,conversation:n,turns:o,question:r,live:a,answering:i,scroll:l,onRetry:c}){let{followed:d}=e,u=fo(n),f=o.at(-1),p=m=>{l.follow(),e.resume(m)};return s`
    <${ms}
      list=${l.list}
      turns=${o}
      from=${u?1:n.from}
      busy=${i}
      usedTokens=${e.usedTokens}
      earlier=${n.earlier}
      onToggle=${l.handleToggle}
      onResume=${p}
    >
      ${r&&s`<${lo} text=${r} at=${void 0} />`}
      ${a&&e.waiting&&s`<${ys} live=${e.live} />`}
      ${d.active&&s`<${ws} run=${d.run} />`}
    <//>
    <${Iu}
      chat=${e}
      sent=${t!==void 0}
      open=${f?.answer===void 0}
      onCheck=${n.reload}
      onRetry=${c}
    />
  `}function Mu(e,t){return t!==void 0&&t.answer===void 0&&t.question===e?.question?"":e?.question}function Iu({chat:e,sent:t,open:n,onCheck:o,onRetry:r}){let{task:a,followed:i}=e,l=(t?a.error:void 0)??i.error;return s`
    ${a.cancelled&&t&&s`<${Ts} cancellation=${e.cancellation} open=${n} onCheck=${o} />`}
    ${i.run?.status==="cancelled"&&s`<p class="notice">! Run cancelled. Its partial result was discarded.</p>`}
    ${l&&s`<${E} error=${l} onRetry=${Nu(e,l,r)} />`}
  `}function Nu({task:e,followed:t,draft:n},o,r){if(t.active)return t.retry;let a=o.kind==="offline"||o.kind==="failed";return o===e.error&&a&&n.trim()!==""?r:void 0}function Du({conversation:e}){let{session:t}=e;return t?s`
    <div>
      <h2>${Qt(t)}</h2>
      <small>${t.topic&&s`Topic: ${t.topic} · `}${_(t.turns,"turn")}</small>
    </div>
  `:s`<h2>${e.id?"Chat":"New chat"}</h2>`}function Lu(){return s`
    <${_e} title="Chat with the service">
      <p>
        The service keeps the conversation, selects model and prompt by response rules, and calls tools. Each answer shows its
        model, rule, tool calls and timeline.
      </p>
      <p>Send a message to start a session, for example <q>What is 15% of 45?</q></p>
    <//>
  `}function Pu(e){return e===void 0?"Waiting for an answer in another session":e.background?"Starting the run":"Waiting for the answer"}function qu({received:e,busy:t}){let n=e.at(-1)?.answer;if(t||!n)return"";let o=_(n.tool_calls.length,"tool call");return`${n.model}: ${be(n).title} in ${O(n.timings.total_ms)}, ${o}`}function xs({options:e,onChange:t}){let n=re(),o=r=>()=>t({[r]:!e[r]});return s`
    <label class="check">
      <input type="checkbox" checked=${e.background} onChange=${o("background")} />
      Run in the background, up to 15 minutes
    </label>
    ${n&&s`<label class="check">
        <input type="checkbox" checked=${e.explain} onChange=${o("explain")} />
        Include an explanation
      </label>`}
    <${Hu} options=${e} onChange=${t} />
    <${D} summary="Profile fields">
      <${ks} label="Intent" name="intent" options=${e} onChange=${t} />
      <${ks} label="Service" name="service" options=${e} onChange=${t} />
      <small>Matched by response rules.</small>
    <//>
  `}function Hu({options:e,onChange:t}){let n=te(),o=Jt(e);return s`
    <label class="field">
      Deadline in seconds
      <input
        type="number"
        inputmode="decimal"
        min="1"
        max=${zt(e)}
        step="any"
        placeholder=${e.background?"600":"28"}
        aria-invalid=${o?"true":void 0}
        aria-describedby=${o?n:void 0}
        value=${e.seconds}
        onInput=${r=>t({seconds:r.currentTarget.value})}
      />
    </label>
    ${o&&s`<p id=${n} class="problem-text" role="alert">✕ ${o}</p>`}
  `}function ks({label:e,name:t,options:n,onChange:o}){return s`
    <label class="field">
      ${e}
      <input
        value=${n[t]}
        spellcheck=${!1}
        autocomplete="off"
        onInput=${r=>o({[t]:r.currentTarget.value})}
      />
    </label>
  `}function Cs({options:e,onChange:t}){let{data:n,error:o,loading:r,reload:a}=Gt(),i=l=>e.collections.includes(l)?e.collections.filter(c=>c!==l):[...e.collections,l];return o?s`<${E} error=${o} onRetry=${a} />`:!n&&r?s`<${F} lines=${2} label="the collections" />`:n?.collections.length?s`
    <fieldset class="chat-collections">
      <legend>Collections to search</legend>
      ${n.collections.map(({name:l,metadata:c,documents:d})=>s`
          <label class="check" key=${l}>
            <input
              type="checkbox"
              checked=${e.collections.includes(l)}
              onChange=${()=>t({collections:i(l)})}
            />
            <span>${c.display_name||l} <small>${_(d,"document")}</small></span>
          </label>
        `)}
    </fieldset>
  `:s`<small>No collections. See the Retrieval view to create one.</small>`}function Es({sessions:e,open:t,onOpen:n,onDeleted:o}){let r=y(null),a=async i=>{await e.remove(i),r.current?.focus(),o(i)};return s`
    <div class="chat-sessions" tabindex="-1" ref=${r} role="region" aria-label="Sessions">
      ${e.error&&s`<${E} error=${e.error} onRetry=${e.reload} />`}
      ${!e.sessions&&e.loading&&s`<${F} lines=${4} label="your sessions" />`}
      ${e.sessions?.length===0&&s`<small>No sessions yet. Send a message to start one.</small>`}
      ${e.sessions&&e.sessions.length>0&&s`<ul>
          ${e.sessions.map(i=>s`
              <${Hr}
                key=${i.id}
                session=${i}
                open=${i.id===t}
                onOpen=${n}
                onRename=${e.rename}
                onDelete=${a}
              />
            `)}
        </ul>`}
      ${e.more&&s`<${Bu} loading=${e.loading} onMore=${e.showMore} />`}
    </div>
  `}function Bu({loading:e,onMore:t}){let n=y(0);return s`<div class="row">
    <button type="button" class="quiet" disabled=${e} onClick=${()=>{n.current=performance.now(),t()}}>Show more</button>
    ${e&&n.current>0&&s`<${M} label="Loading more sessions" since=${n.current} />`}
  </div>`}var wt={run:"",model:"",iteration:0,text:"",remarks:[],steps:[],warnings:[],attempt:0},Rs=120;function Os(e,t){let n=e.attempt===0?e:{...e,attempt:0};switch(t.name){case"accepted":return{...n,run:t.data.run_id};case"phase":return an(n,Fu(t.data));case"rule":return t.data.rule?an(n,{kind:"rule",name:t.data.rule,status:"done"}):n;case"model_started":return{...As(n,t.data.iteration),model:t.data.model};case"delta":return Vu(As(n,t.data.iteration),t.data.text);case"tool_started":return an(n,{key:Is(t.data),kind:"tool",name:t.data.tool,detail:Uu(t.data.arguments),status:"running"});case"tool_finished":return ju(n,t.data);case"warning":return{...n,warnings:[...n.warnings,t.data.message]};default:return n}}function Ms(e,t){return{...e,attempt:t}}function Fu({phase:e,name:t="",duration_ms:n,ok:o}){return{kind:"phase",name:e,detail:t,status:o===!1?"failed":"done",ms:n}}function As(e,t){if(t===e.iteration)return e;let n=e.text.trim()===""?e.remarks:[...e.remarks,e.text];return{...e,iteration:t,text:"",remarks:n}}function Vu(e,t){return{...e,text:e.text+t}}function an(e,t){let n=t.key??`step ${e.steps.length}`;return{...e,steps:[...e.steps,{detail:"",error:"",ms:void 0,...t,key:n}]}}function ju(e,t){let n=Is(t),r={status:t.ok?"done":"failed",ms:t.duration_ms,error:t.error??""};return e.steps.some(a=>a.key===n)?{...e,steps:e.steps.map(a=>a.key===n?{...a,...r}:a)}:an(e,{key:n,kind:"tool",name:t.tool,...r})}function Is({iteration:e,call_id:t}){return`call ${e} ${t}`}function Uu(e){let t=typeof e=="string"?e:JSON.stringify(e)??"";return t.length>Rs?`${t.slice(0,Rs)}…`:t}var po={draft:"",sent:void 0,waiting:!1,usedTokens:[],received:[]};function Ns(e,t,n){let{sent:o}=e,r=o?.session===t&&e.waiting?o:void 0,a=e.received.find(c=>c.answer.request_id===r?.replaces),i=e.received.filter(c=>c!==a&&c.answer.request_id!==n.request_id),l=a?.question??r?.question??"";return{...e,waiting:r?!1:e.waiting,usedTokens:r?.token?[...e.usedTokens,r.token]:e.usedTokens,received:[...i,{session:t,question:l,at:new Date().toISOString(),replaces:r?.replaces??"",answer:n}]}}function ln(e){if(!e.waiting)return e;let t=[e.sent?.question,e.draft].filter(Boolean).join(`

`);return{...e,waiting:!1,draft:t}}function Ds(e,t){return t?{...e,usedTokens:[...e.usedTokens,t]}:e}var Ls={status:"none",reason:""};function Ps(){let[e,t]=$(Ls),n=C(async o=>{t({status:"pending",reason:""});try{let{status:r}=await w.cancelRun(o);t({status:r==="cancelled"?"cancelled":"ended",reason:""})}catch(r){if(!(r instanceof P))throw r;t({status:"failed",reason:r.message})}},[]);return{state:e,cancel:n,clear:C(()=>t(Ls),[])}}function qs(){let e=y(wt),t=y(0),[n,o]=$(wt);v(()=>()=>cancelAnimationFrame(t.current),[]);let r=C(i=>{e.current=i(e.current),t.current===0&&(t.current=requestAnimationFrame(()=>{t.current=0,o(e.current)}))},[]),a=C(()=>{cancelAnimationFrame(t.current),t.current=0,e.current=wt,o(wt)},[]);return{shown:n,latest:C(()=>e.current,[]),update:r,reset:a}}var Wu=500,Gu=2e3,Ku=1.4;function cn({status:e}){return e==="queued"||e==="running"}function zu(e){if(!e?.error)return;let{error:t,message:n,request_id:o,details:r}=e.error;return new P("failed",n,{code:t,requestId:o,details:r??[]})}function Hs(e){let t=J(),[n,o]=$({id:e,run:void 0,error:void 0}),[r,a]=$(0);v(()=>{if(e==="")return;let u=new AbortController;return o(f=>f.id===e?{...f,error:void 0}:{id:e,run:void 0,error:void 0}),Ju(e,u.signal,f=>o(p=>({...p,error:void 0,...f}))),()=>u.abort()},[e,t,r]);let i=C(async()=>{try{let u=await w.cancelRun(e);o(f=>f.id===e?{...f,run:u}:f)}catch(u){if(!(u instanceof P))throw u;o(f=>f.id===e?{...f,error:u}:f)}},[e]),l=n.id===e?n:{id:e,run:void 0,error:void 0},{run:c}=l,d=l.error?.status===404||c!==void 0&&!cn(c);return{...l,error:l.error??zu(c),active:e!==""&&!d,cancel:i,retry:C(()=>a(u=>u+1),[])}}async function Ju(e,t,n){for(let o=Wu;;o=Math.min(Gu,o*Ku)){if(await Qu(t),t.aborted)return;let r=await Xu(e,t,n);if(t.aborted||!r)return;await Yu(o,t)}}async function Xu(e,t,n){try{let o=await w.run(e,t);return n({run:o}),cn(o)}catch(o){if(t.aborted)return!1;if(!(o instanceof P))throw o;return n({error:o}),o.kind==="offline"||o.kind==="failed"}}function Qu(e){return new Promise(t=>{if(!document.hidden||e.aborted)return t();document.addEventListener("visibilitychange",()=>t(),{once:!0,signal:e}),e.addEventListener("abort",()=>t(),{once:!0})})}function Yu(e,t){return new Promise(n=>{let o=setTimeout(n,e);t.addEventListener("abort",()=>(clearTimeout(o),n()),{once:!0})})}var Zu=12,ed="resume_token_in_use";function Bs(e,t,n){let o=J(),[r,a]=$(po);v(()=>a(({draft:b})=>({...po,draft:b})),[o]);let i=L(),l=qs(),c=Ps(),d=Hs(t),u=y(new Set),f=C((b,x)=>{a(j=>Ns(j,b,x))},[]),{run:p}=d;v(()=>{p===void 0||cn(p)||(p.answer?f(e,p.answer):a(b=>b.sent?.session===e?ln(b):b))},[p,e,f]);let m=(b,x)=>{Ve().params.session===b&&V("chat",{session:b,run:x},{replace:!0})},h=async(b,x,j)=>{let ee={open:I=>w.streamChat(x,I),reopen:w.runEvents},ue=I=>l.update(ae=>Ms(ae,I));try{for await(let I of gs(ee,{signal:j,onLost:ue}))I.name==="answer"?f(b.session,I.data):l.update(ae=>Os(ae,I))}catch(I){if(!(I instanceof Qe))throw I;m(b.session,I.run)}},S=(b,x)=>{u.current.add(b.session),l.reset(),c.clear(),a(j=>({...j,sent:b,waiting:!0,draft:b.question?"":j.draft})),V("chat",{session:b.session},{replace:e!==""}),i.run(async j=>{try{if(b.background){let{id:ee}=await w.startChat(x,j);m(b.session,ee)}else await h(b,x,j)}catch(ee){throw a(ue=>td(ee)?Ds(ln(ue),b.token):ln(ue)),ee}})},g=()=>{let b=e||nd(),x=r.draft.trim(),{background:j}=n;S({session:b,question:x,background:j,replaces:"",token:""},Dr(x,b,n))},R=({request_id:b,resume_token:x})=>{if(!x)return;let{background:j}=n;S({session:e,question:"",background:j,replaces:b,token:x},Lr(x,e,n))},k=()=>{if(!i.busy)return void d.cancel();let{run:b}=l.latest();i.cancel(),b!==""&&c.cancel(b)};return{...r,task:i,live:l.shown,cancellation:c.state,followed:d,busy:i.busy||d.active,fresh:u.current.has(e)||t!=="",markFound:C(b=>{u.current.delete(b)},[]),write:C(b=>a(x=>({...x,draft:b})),[]),send:g,resume:R,cancel:k}}function td(e){return e instanceof P&&e.kind==="refused"&&e.code!==ed}function nd(){let e=crypto.getRandomValues(new Uint8Array(Zu));return Array.from(e,t=>t.toString(16).padStart(2,"0")).join("")}var Fs=40,od=100,$o=e=>({id:e,session:void 0,messages:[],from:1});function Vs(e,{blocked:t,running:n,fresh:o}){let r=J(),[a,i]=$(()=>$o(e)),l=a.id===e?a:$o(e),c=y(l);c.current=l;let d=y(o);d.current=o;let u=L(),f=L(),{run:p,cancel:m}=u,h=C(()=>p(async k=>{e!==""&&i(await rd(e,c.current,{fresh:d.current,signal:k}))}),[p,e]);v(()=>(t||h(),m),[h,m,t,n,r]);let S=C(k=>{i(b=>b.session&&b.id===k.id?{...b,session:k}:b)},[]),g=f.run,R=C(()=>g(async k=>{let{from:b}=c.current,x=Math.max(1,b-Fs),j=await js(e,x,b,k);i(ee=>ee.id===e?{...ee,messages:[...j,...ee.messages],from:x}:ee)}),[g,e]);return{...l,loading:e!==""&&u.busy&&l.session===void 0,error:u.error,reload:h,update:S,earlier:{busy:f.busy,since:f.since,error:f.error,show:R}}}async function rd(e,t,{fresh:n,signal:o}){let r=await sd(e,n&&t.session===void 0,o);if(r===void 0)return $o(e);let a=Math.max(1,r.turns-Fs+1),i=t.session?.created_at===r.created_at,l=i?Math.min(a,t.messages.at(-1)?.turn??a):a,c=await js(e,l,1/0,o);return{id:e,session:r,messages:i?ps(t.messages,c,l):c,from:i?Math.min(t.from,l):l}}async function sd(e,t,n){try{return await w.session(e,n)}catch(o){if(t&&o instanceof P&&o.status===404)return;throw o}}async function js(e,t,n,o){let r=[],a;do{let i=await w.messages(e,{limit:od,cursor:a,fromTurn:t,signal:o});r.push(...i.messages),a=i.cursor??void 0}while(a!==void 0&&(r.at(-1)?.turn??0)<n);return r.filter(i=>i.turn<n)}function Us(e,{read:t,deleted:n,whole:o}){let r=e.at(-1),a=new Map(e.map(i=>[i.id,i]));for(let i of t.values()){let l=a.get(i.id);(l?i.updated_at>=l.updated_at:o||!r||i.updated_at>r.updated_at)&&a.set(i.id,i)}return[...a.values()].filter(i=>!n.has(i.id)).sort((i,l)=>+(i.updated_at<l.updated_at)-+(i.updated_at>l.updated_at))}var ad=20,Ws=()=>({read:new Map,deleted:new Set,pages:1});function Gs(e){let t=J(),[n,o]=$(Ws);v(()=>o(Ws),[t]);let r=de(f=>id(n.pages,f),[n.pages]),a=C(f=>{o(p=>({...p,read:new Map(p.read).set(f.id,f)}))},[]),i=C(async(f,p)=>{let m=await w.renameSession(f,p);a(m),e(m)},[a,e]),l=C(async f=>{await w.deleteSession(f),o(p=>({...p,deleted:new Set(p.deleted).add(f)}))},[]),c=C(()=>o(f=>({...f,pages:f.pages+1})),[]),{data:d}=r,u=U(()=>d&&Us(d.sessions,{...n,whole:!d.cursor}),[d,n]);return{...r,sessions:u,more:!!d?.cursor,showMore:c,addSession:a,rename:i,remove:l}}async function id(e,t){let n=[],o;for(let r=0;r<e;r+=1){let a=await w.sessions({limit:ad,cursor:o,signal:t});if(n.push(...a.sessions),o=a.cursor??void 0,o===void 0)break}return{sessions:n,cursor:o}}var un=matchMedia("(width >= 800px)");function Ks({route:e}){let{session:t="",run:n=""}=e.params,[o,r]=$(Nr),a=Bs(t,n,o),i=Vs(t,{blocked:a.busy&&a.waiting&&a.sent?.session===t,running:a.followed.active,fresh:a.fresh}),l=Gs(i.update),{addSession:c}=l,{markFound:d}=a;v(()=>{i.session&&(c(i.session),d(i.session.id))},[i.session,c,d]);let u=C(g=>r(R=>({...R,...g})),[]),f=()=>V("chat"),p=()=>{f(),un.matches&&document.getElementById(Zn)?.focus()},m=qr(o),h=o.collections.length,S=s`
    <button type="button" onClick=${p}>New chat</button>
    <${D} open=${un.matches} summary=${s`<h2>Sessions</h2>`}>
      <${Es}
        sessions=${l}
        open=${t}
        onOpen=${g=>g!==t&&V("chat",{session:g})}
        onDeleted=${g=>g===t&&f()}
      />
    <//>
    <${D}
      open=${un.matches}
      summary=${s`<h2>Collections</h2>${h>0&&s` <small>${h} selected</small>`}`}
    >
      <${Cs} options=${o} onChange=${u} />
    <//>
    <${D}
      open=${un.matches}
      summary=${s`<h2>Options</h2>${m>0&&s` <small>${m} selected</small>`}`}
    >
      <${xs} options=${o} onChange=${u} />
    <//>
  `;return s`
    <${me} title="Chat" controls=${S}>
      <${Ss} id=${t} chat=${a} conversation=${i} options=${o} onBegin=${f} />
    <//>
  `}var ld={tone:"good",label:"active"},zs={tone:"plain",label:"disabled"},dn={tone:"bad",label:"not used"},cd={tone:"warn",label:"has a problem"};function ho({disabled:e,tools:t,tool_settings:{disabled_types:n}}){let o=new Set(e.map(({kind:a,name:i})=>`${a} ${i}`)),r=new Set(t.filter(({enabled:a,type:i})=>a===!1||i&&n.includes(i)).map(({name:a})=>a));return(a,{name:i,problems:l})=>a==="tool"&&r.has(i)?zs:o.has(`${a} ${i}`)?dn:l.length>0?cd:ld}function Ye(e){return new Set(e?.llms.filter(({demo:t})=>t).map(({name:t})=>t))}function Js(e){let t=ho(e),{rules:n,tools:o,llms:r,services:a,phases:i,validation:l}=e,d=[["rule",n],["tool",o],["llm",r],["service",a],["phase",Object.entries(i).map(([f,p])=>({name:f,problems:p?.problems??[]}))],["schedule",[{name:"validation",problems:l.problems}]]].flatMap(([f,p])=>p.filter(({problems:m})=>m.length>0).map(m=>({kind:f,name:m.name,problems:m.problems,state:t(f,m)}))),u=new Set(d.map(({kind:f,name:p})=>`${f} ${p}`));for(let{kind:f,name:p,problems:m}of e.disabled)u.has(`${f} ${p}`)||d.push({kind:f,name:p,problems:m,state:dn});return d.filter(({state:f})=>f!==zs).sort((f,p)=>+(p.state===dn)-+(f.state===dn))}function mn(e,t){let n=e.filter(({kind:o})=>t.includes(o)).length;return n>0?` ! ${n}`:""}function Xs(e){return Object.entries(e).map(([t,n])=>{let o=typeof n=="string"?n:JSON.stringify(n);return t.endsWith("_regexp")?{field:t.slice(0,-7),relation:"matches",value:o}:t.endsWith("_contains")?{field:t.slice(0,-9),relation:"contains",value:o}:t==="rag_results"&&n==="any"?{field:t,relation:"is",value:"match or partial"}:{field:t,relation:"is",value:o}})}var ud=200;function fn({tool:e}){let t=s`
    <span class="tool-head">
      <strong class="mono">${e.name}</strong>
      <${Q}>${qe(e.implementation.type)}<//>
    </span>
    <span class="tool-line">${Z(e.description,ud)}</span>
  `;return s`<li class="tool-card">
    <${D} summary=${t}>
      <p><${T} tone="good">enabled<//></p>
      <${q} value=${e.description} label=${`Description of ${e.name}`} />
      <${q} value=${e.parameters} label=${`Parameters of ${e.name}`} />
    <//>
  </li>`}function pn({tool:e}){return s`<li class="tool-card tool-disabled">
    <span class="tool-head">
      <strong class="mono">${e.name}</strong>
      <${T} tone="warn">disabled<//>
    </span>
    <ul>${e.problems.map(t=>s`<li>${t}</li>`)}</ul>
  </li>`}var Qs=`flexchat tokens create --stage ${Ee} --name "an operator" --role operator`;function Ys(){return s`
    <div class="notice stack" role="status">
      <h2>! Operator role required</h2>
      <p>Rules, services and settings are visible to tokens with the role <strong>operator</strong>. Create one with:</p>
      <p><code>${Qs}</code></p>
      <div class="row">
        <${X} text=${Qs} label="Copy command" />
        <button type="button" onClick=${()=>Ie("")}>Enter another token</button>
      </div>
    </div>
  `}function Zs(){return s`
    <section class="stack" aria-label="Tools"><h2>Tools</h2><${dd} /></section>
    <section class="stack" aria-label="Models"><h2>Models</h2><${md} /></section>
  `}function dd(){let{data:e,error:t,reload:n}=We(),o=e?.disabled.filter(({kind:r})=>r==="tool")??[];return t?s`<${E} error=${t} onRetry=${n} />`:e?e.tools.length+o.length===0?s`<p>No tools are configured.</p>`:s`
    <ul class="tool-cards">
      ${o.map(r=>s`<${pn} key=${`off ${r.name}`} tool=${r} />`)}
      ${e.tools.map(r=>s`<${fn} key=${r.name} tool=${r} />`)}
    </ul>
  `:s`<${F} lines=${6} label="the tools" />`}function md(){let{data:e,error:t,reload:n}=Ge(),[o]=$(()=>performance.now());return t?s`<${E} error=${t} onRetry=${n} />`:e?s`
    ${e.errors.map(({llm:r,error:a})=>s`<p>! <code>${r}</code> did not list its models: ${a}</p>`)}
    ${e.models.length===0?s`<p>No models available.</p>`:s`<${fd} models=${e.models} />`}
  `:s`<p><${M} label="Loading models" since=${o} /></p>`}function fd({models:e}){return s`
    <${He} label="Models" caption="Available models" columns=${["Model","Provider","Tool calling","Last tested"]}>
      ${e.map(({id:t,provider:n,validation:o,demo:r})=>s`
          <tr>
            <th scope="row" class="mono">${t}</th>
            <td><${Q}>${n}<//></td>
            <td><${ze} validation=${o} demo=${r} /></td>
            <td>${o.last_tested?s`<${G} at=${o.last_tested} />`:"never"}</td>
          </tr>
        `)}
    <//>
  `}var bo="conf-intent";function ea({draft:e,problem:t,busy:n,intents:o,services:r,onDraft:a,onRun:i,onCancel:l}){let c=te(),d=f=>{f.preventDefault(),i()},u=f=>p=>a({[f]:p.currentTarget.value});return s`
    <form class="stack" onSubmit=${d}>
      <h2>Rule test</h2>
      <p>Enter profile fields to see the rule that matches. Empty fields are unset. No model is called.</p>
      <${_o} id=${bo} label="Intent" value=${e.intent} suggestions=${o} onInput=${u("intent")} />
      <${_o} label="Service" value=${e.service} suggestions=${r} onInput=${u("service")} />
      <${_o} label="Topic" value=${e.topic} suggestions=${[]} onInput=${u("topic")} />
      <label class="field">
        Search result
        <select value=${e.rag_results} onChange=${u("rag_results")}>
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
          onInput=${u("more")}
        ></textarea>
      </label>
      ${t&&s`<p id=${c} class="problem-text" role="alert">✕ ${t}</p>`}
      <div class="row">
        <button type="submit" class="primary" disabled=${n}>Test rules <small class="conf-keys">${se("mod+Enter")}</small></button>
        ${n&&s`<button type="button" onClick=${l}>Cancel</button>`}
      </div>
    </form>
  `}function _o({id:e,label:t,value:n,suggestions:o,onInput:r}){let a=te();return s`
    <label class="field">
      ${t}
      <input id=${e} value=${n} list=${a} spellcheck=${!1} autocomplete="off" onInput=${r} />
    </label>
    <datalist id=${a}>${o.map(i=>s`<option value=${i}></option>`)}</datalist>
  `}var ta="flexchat config check";function na({configuration:e,faulty:t,loading:n,onReload:o}){let{stage:r,version:a,revision:i,changed_at:l,read_at:c}=e;return s`
    <section class="stack" aria-label="Active configuration">
      <div class="row spread">
        <h2>Active configuration</h2>
        <button type="button" class="quiet" disabled=${n} onClick=${o}>Reload</button>
      </div>
      <p role="status">
        ${t.length===0?s`<${T} tone="good">All entries are valid.<//>`:s`<${T} tone="bad">${_(t.length,"problem")}<//>`}
      </p>
      <dl class="conf-facts">
        <dt>Stage</dt>
        <dd>${r}</dd>
        <dt>Version</dt>
        <dd><code>${a}</code>${typeof i=="number"&&`, revision ${i}`}</dd>
        ${l&&s`<dt>Changed</dt><dd><${G} at=${l} /> <small>${ft(l)}</small></dd>`}
        ${c&&s`<dt>Loaded</dt><dd><${G} at=${c} /> <small>${ft(c)}</small></dd>`}
      </dl>
      ${t.length>0&&s`<${pd} faulty=${t} />`}
    </section>
  `}function pd({faulty:e}){return s`
    <ul class="conf-problems" aria-label="Problems">
      ${e.map(({kind:t,name:n,problems:o,state:r})=>s`
          <li data-tone=${r.tone}>
            <span class="row"><${Q}>${t}<//> <strong>${n}</strong> <${T} tone=${r.tone}>${r.label}<//></span>
            <ul>${o.map(a=>s`<li>${a}</li>`)}</ul>
          </li>
        `)}
    </ul>
    <p>
      Fix the file and push it again. <code>${ta}</code> validates a file.
      <${X} text=${ta} label="Copy command" />
    </p>
  `}var $d=300;function oa({demo:e,match:{busy:t,since:n,error:o,cancelled:r,profileJson:a,result:i,match:l},onClose:c}){return s`
    <section class="conf-match stack" aria-label="Matched rule">
      <div class="row spread">
        <h2>Matched rule</h2>
        <button type="button" class="quiet" onClick=${c}>Close</button>
      </div>
      <p><code>${Z(a,$d)}</code></p>
      ${t&&s`<p><${M} label="Testing the rules" since=${n} /></p>`}
      ${o&&s`<${E} error=${o} onRetry=${l} />`}
      ${r&&s`<div class="notice stack" role="status">
          <p>! Test cancelled.</p>
          <div class="row"><button type="button" onClick=${l}>Try again</button></div>
        </div>`}
      <div role="status">${i&&s`<${hd} answer=${i.answer} demo=${e} />`}</div>
      ${i&&s`<${_d} key=${i.profileJson} answer=${i.answer} />`}
    </section>
  `}function hd({answer:{rule:e,llm:t,model:n,fallback:o,problem:r},demo:a}){return s`
    ${e&&s`<p class="conf-matched-rule">
        <${T} tone=${r?"warn":"good"}>Rule <strong>${e}</strong> matches<//>, model <code>${t}:${n}</code>${a.has(t??"")&&s` <${W} />`}
      </p>`}
    ${o&&s`<p><${T} tone="warn">instead of<//> <code>${o.instead_of}</code>: ${o.reason}</p>`}
    ${r&&s`<p><${T} tone="bad">A chat fails:<//> ${r}</p>`}
  `}function _d({answer:{rule:e,rules:t,tools:n}}){let o=n.filter(r=>r.offered).length;return s`
    <${on} rules=${t} />
    ${e&&s`<${D} open summary=${`${o} of ${n.length} tools offered`}>
        <${rn} tools=${n} />
      <//>`}
  `}var bd=["intent","service","topic","rag_results"];function Tt({intent:e="",service:t="",topic:n="",rag_results:o="",more:r=""}){return{intent:e,service:t,topic:n,rag_results:o,more:r}}function ra(e){return e.tried==="yes"}function go(e,t){return{...e,...Tt({...t}),tried:t===void 0?"":"yes"}}function yo(e){let{fields:t,problem:n}=gd(e.more);if(t===void 0)return{profile:void 0,problem:n};let o={...t};for(let r of bd){let a=e[r].trim();if(a!==""){if(r in t)return{profile:void 0,problem:`“${r}” is set twice. Remove it from the JSON or from the field above.`};o[r]=a}}return{profile:o,problem:""}}function gd(e){if(e.trim()==="")return{fields:{},problem:""};let t;try{t=JSON.parse(e)}catch(n){return{fields:void 0,problem:`Not valid JSON: ${n instanceof Error?n.message:n}`}}return typeof t!="object"||t===null||Array.isArray(t)?{fields:void 0,problem:'Enter a JSON object, such as {"plan": "free"}.'}:{fields:t,problem:""}}function Ze({caption:e,none:t,entries:n,columns:o,stateOf:r}){return n.length===0?s`<p>${t}</p>`:s`
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
          ${n.map(a=>s`<${yd} key=${a.name} entry=${a} columns=${o} state=${r(a)} />`)}
        </tbody>
      </table>
    </div>
  `}function yd({entry:e,columns:t,state:n}){return s`
    <tr>
      <th scope="row">${e.name}</th>
      <td>
        <${T} tone=${n.tone}>${n.label}<//>
        ${e.problems.map(o=>s`<small class="conf-problem-text">${o}</small>`)}
      </td>
      ${t.map(({number:o,cell:r})=>s`<td class=${o&&"number"}>${r(e)}</td>`)}
    </tr>
  `}function ce({names:e,none:t=""}){return e.length===0?t:s`<span class="conf-names">${e.map(n=>s`<code>${n}</code>`)}</span>`}function St(e){return typeof e!="boolean"?"":e?"yes":"no"}function vo(e){return typeof e=="number"?he(e):""}var sa={caption:"Tools",none:"No tools are configured.",columns:[{title:"Type",cell:e=>e.type},{title:"Timeout",number:!0,cell:e=>e.timeout_ms?O(e.timeout_ms):""},{title:"Idempotent",cell:e=>St(e.idempotent)},{title:"Repeatable",cell:e=>St(e.repeatable)},{title:"Sequential",cell:e=>St(e.sequential)},{title:"Per caller",cell:e=>St(e.per_principal)}]},aa={caption:"LLMs",none:"No LLMs are configured, so chats fail.",columns:[{title:"Type",cell:e=>s`${e.type}${e.demo&&s` <${W} />`}`},{title:"Endpoint",cell:e=>e.host??e.region??(e.type?"provider default":"")},{title:"Key",cell:e=>St(e.has_key)},{title:"Models",cell:e=>s`<${ce} names=${e.models} none=${e.type?"listed by the provider":""} />`},{title:"Fallbacks",cell:e=>s`<${ce} names=${e.fallbacks} none=${e.type?"none":""} />`}]},ia={caption:"Retrieval services",none:"No retrieval services are configured.",columns:[{title:"Type",cell:e=>e.type},{title:"Endpoint",cell:e=>e.host??e.region??(e.type==="internal"?"this stack":"")},{title:"Collections",cell:e=>s`<${ce} names=${e.collections} none=${e.type==="internal"?"all":""} />`},{title:"Match",number:!0,cell:e=>vo(e.match_threshold)},{title:"Partial",number:!0,cell:e=>vo(e.partial_threshold)},{title:"Farthest",number:!0,cell:e=>vo(e.max_distance)},{title:"Passages",number:!0,cell:e=>e.top_k}]};var vd={offered:["good","offered"],changed:["warn","changed"],new:["warn","new"],removed:["plain","removed"],invalid:["bad","not usable"],shadowed:["plain","replaced by a configured tool"],not_taken:["plain","not taken"]};function la(e){return e.filter(({state:t})=>t==="changed"||t==="new")}function ca({tools:e,server:t}){return e.length===0?null:s`
    <div class="scroll" tabindex="0" role="region" aria-label=${`Tools of ${t}`}>
      <table class="conf-table">
        <caption>Tools of ${t}</caption>
        <thead>
          <tr><th scope="col">Name</th><th scope="col">State</th><th scope="col">Description</th></tr>
        </thead>
        <tbody>
          ${e.map(n=>s`<${wd} key=${n.name} tool=${n} />`)}
        </tbody>
      </table>
    </div>
  `}function wd({tool:{name:e,description:t,state:n,problems:o,diff:r}}){let[a,i]=vd[n];return s`
    <tr>
      <th scope="row">${e}</th>
      <td>
        <${T} tone=${a}>${i}<//>
        ${o.map(l=>s`<small class="conf-problem-text">${l}</small>`)}
      </td>
      <td class="mcp-description">
        ${t}
        ${r.length>0&&s`<${D} summary="Difference" open=${!0}><${Sd} lines=${r} /><//>`}
      </td>
    </tr>
  `}var Td={"+":"ins","-":"del"};function Sd({lines:e}){return s`
    <pre class="mcp-diff">${e.map(t=>s`<${Td[t[0]??""]??"span"}>${t}${`
`}<//>`)}</pre>
  `}var kd={ready:["good","connected"],failed:["bad","not connected"],not_checked:["plain","not connected yet"],disabled:["plain","disabled"]};function ua(){let{data:e,error:t,reload:n}=de(o=>w.mcpServers(o));return t?s`<${E} error=${t} onRetry=${n} />`:e?e.servers.length===0?s`<p>No MCP servers are configured.</p>`:s`
    <ul class="mcp-servers">
      ${e.servers.map(o=>s`<li key=${o.name}><${xd} loaded=${o} /></li>`)}
    </ul>
  `:s`<${F} lines=${6} label="the MCP servers" />`}function xd({loaded:e}){let[t,n]=$(e),o=L(),{name:r}=t,a=()=>o.run(async c=>n(await w.refreshMcpServer(r,c))),i=()=>o.run(async c=>n(await w.approveMcpTools(r,{hash:t.pending_hash??""},c))),l=la(t.tools);return s`
    <section class="mcp-server stack" aria-label=${`MCP server ${r}`}>
      <div class="row spread">
        <h3>${r} <${Q}>${t.transport}<//></h3>
        <button type="button" class="quiet" disabled=${o.busy||t.state==="disabled"} onClick=${a}>Connect now</button>
      </div>
      <p role="status">
        ${o.busy?s`<${M} label="Connecting" since=${o.since} />`:s`<${Cd} server=${t} />`}
      </p>
      ${o.error&&s`<${E} error=${o.error} />`}
      ${t.error&&s`<p class="mcp-error">${t.error}</p>`}
      ${t.error&&t.hints.length>0&&s`<ul aria-label="Hints">${t.hints.map(c=>s`<li>${c}</li>`)}</ul>`}
      <${Ed} server=${t} />
      ${l.length>0&&s`<div class="notice stack">
          <p>! ${_(l.length,"definition")} of tools changed or new. Models are not offered them until they are approved: a definition can make a model call other tools or disclose data.</p>
          <div class="row"><button type="button" disabled=${o.busy} onClick=${i}>Approve ${_(l.length,"definition")}</button></div>
        </div>`}
      <${ca} tools=${t.tools} server=${r} />
    </section>
  `}function Cd({server:{state:e,checked_at:t}}){let[n,o]=kd[e];return s`<${T} tone=${n}>${o}<//>${t&&s`, checked <${G} at=${t} />`}`}function Ed({server:{transport:e,target:t,server:n,protocol_version:o,tools:r}}){let a=r.filter(({state:i})=>i==="offered").length;return s`
    <dl class="conf-facts">
      <dt>${e==="stdio"?"Command":"Host"}</dt>
      <dd><code>${t}</code></dd>
      ${n&&s`<dt>Server</dt><dd>${n.name} ${n.version}</dd>`}
      ${o&&s`<dt>Protocol</dt><dd>${o}</dd>`}
      <dt>Offered tools</dt>
      <dd>${A(a)} of ${A(r.length)}</dd>
    </dl>
  `}var Rd=300,Ad=e=>[{title:"Conditions",cell:t=>s`<${Od} rule=${t} />`},{title:"Model",cell:t=>s`<${Md} rule=${t} demo=${e} />`},{title:"Tools",cell:t=>s`<${Id} rule=${t} />`}];function da({rules:e,demo:t,stateOf:n}){return s`<${Ze}
    caption="Rules in order of evaluation"
    none="No rules are configured, so chats fail."
    entries=${e}
    columns=${Ad(t)}
    stateOf=${n}
  />`}function Od({rule:{match:e,fallback:t}}){return t?"none: fallback rule":Xs(e??{}).map(({field:n,relation:o,value:r},a)=>s`
      <div>${a>0&&"and "}<code>${n}</code> ${o} <code>${Z(r,Rd)}</code></div>
    `)}function Md({rule:e,demo:t}){return e.llm?s`
    <code>${e.llm}:${e.model}</code>${t.has(e.llm)&&s` <${W} />`}
    ${e.fallbacks.length>0&&s`<div><small>then</small> <${ce} names=${e.fallbacks} /></div>`}
    ${e.require_validated&&s`<div><small>requires validation</small></div>`}
  `:null}function Id({rule:{llm:e,allowed_tools:t,max_iterations:n,max_tool_calls:o}}){return e?n?s`
    ${t===null?"all":s`<${ce} names=${t} none="none" />`}
    <div><small>at most ${_(n,"iteration")} and ${_(o??0,"call")}</small></div>
  `:"none":null}function fa({configuration:e}){let{tool_settings:t,phases:n,sessions:o,validation:r,caller_fields:a}=e,{openai_api:i}=e,l=Ye(e);return s`
    <div class="conf-settings">
      <${Be}
        title="Tools"
        facts=${[["Enabled",t.enabled?"yes":s`<${T} tone="warn">no: models are offered no tools<//>`],["Iterations per chat",`${A(t.max_iterations)} by default`],["Calls per iteration",`${A(t.max_calls_per_turn)} by default`],["Calls per chat",`${A(t.max_tool_calls)} by default`],["Timeout",`${O(t.default_timeout_ms)} by default`],["Parallel calls",A(t.max_parallel)],["Disabled types",s`<${ce} names=${t.disabled_types} none="none" />`]]}
      />
      <${Be} title="Topic" facts=${ma(n.topic,l)} problems=${n.topic?.problems} />
      <${Be} title="Intent" facts=${ma(n.intent,l)} problems=${n.intent?.problems} />
      <${Be}
        title="Profile"
        facts=${[["Fields set by callers",s`<${ce} names=${a} none="none" />`]]}
      />
      <${Be}
        title="Sessions"
        facts=${[["Retention",`${_(o.ttl_days,"day")} after the last message`],["History sent to models",`at most ${_(o.max_history_tokens,"token")}`]]}
      />
      <${Be}
        title="OpenAI-compatible API"
        facts=${[["Rules",s`<${ce} names=${i.rules} none="none" />`],["Models",s`<${ce} names=${i.models} none="none" />`],["Embeddings",i.embedding_model?s`<code>${i.embedding_model}</code>`:"none"]]}
      />
      <${Be} title="Scheduled validation" facts=${Nd(r)} problems=${r.problems} />
    </div>
  `}function ma(e,t){return e?e.enabled?[["Detected","yes"],["Model",e.model&&s`<code>${e.model}</code>${t.has(e.model.split(":")[0]??"")&&s` <${W} />`}`],...e.intents.length>0?[["Intents",s`<${ce} names=${e.intents} />`]]:[]]:[["Detected","no: disabled"]]:[["Detected","no: not configured"]]}function Nd({models:e,suite:t,repeats:n,stop_early:o,budget:r}){let a=[typeof r.calls=="number"&&_(r.calls,"chat"),typeof r.tokens=="number"&&_(r.tokens,"token"),typeof r.usd=="number"&&pe(r.usd)].filter(Boolean);return[["Models",s`<${ce} names=${e} none="none" />`],["Suite",t],["Repeats",A(n)],["Early stopping",o?"yes":"no"],["Budget",a.length>0?a.join(", "):"no limit"]]}function Be({title:e,facts:t,problems:n=[]}){return s`
    <section class="stack" aria-label=${e}>
      <h3>${e}</h3>
      ${n.map(o=>s`<p><${T} tone="warn">${o}<//></p>`)}
      <dl class="conf-facts">
        ${t.map(([o,r])=>s`<dt>${o}</dt><dd>${r}</dd>`)}
      </dl>
    </section>
  `}function pa({configuration:e,faulty:t,chosen:n,onChoose:o}){let{rules:r,tools:a,llms:i,services:l}=e,c=ho(e),d=Ye(e),u=m=>h=>c(m,h),f=(m,h)=>`${A(m.length)}${mn(t,[h])}`,p=[{name:"Rules",note:f(r,"rule"),content:()=>s`<${da} rules=${r} demo=${d} stateOf=${u("rule")} />`},{name:"Tools",note:f(a,"tool"),content:()=>s`<${Ze} ...${sa} entries=${a} stateOf=${u("tool")} />`},{name:"MCP servers",note:mn(t,["mcp_server"]),content:()=>s`<${ua} />`},{name:"LLMs",note:f(i,"llm"),content:()=>s`<${Ze} ...${aa} entries=${i} stateOf=${u("llm")} />`},{name:"Services",note:f(l,"service"),content:()=>s`<${Ze} ...${ia} entries=${l} stateOf=${u("service")} />`},{name:"Settings",note:mn(t,["phase","schedule"]),content:()=>s`<${fa} configuration=${e} />`}];return s`<${Xe} label="Configuration sections" tabs=${p} chosen=${n} onChoose=${o} />`}function $a(e){let t=J(),n=L(),{run:o,cancel:r,clear:a}=n,[i,l]=$(void 0),c=e===void 0?"":JSON.stringify(e),d=C(()=>o(async u=>{let f=await w.matchRule(JSON.parse(c),u);l({profileJson:c,answer:f})}),[o,c]);return v(()=>{if(c!==""){d();return}r(),a(),l(void 0)},[d,r,a,c,t]),{...n,match:d,profileJson:c,result:n.busy||i?.profileJson===c?i:void 0}}var ha="Rules";function _a({route:{params:e}}){let t=de(m=>w.configuration(m)),n=t.error?.kind==="forbidden",[o,r]=Ld(e),{profile:a,problem:i}=yo(o),l=ra(e)&&!n?yo(Tt(e)).profile:void 0,c=$a(l),{section:d,reveal:u}=Re(c.busy),f=()=>{a===void 0||c.busy||(u(),JSON.stringify(a)===c.profileJson?c.match():V("configuration",go(e,o)))};if(ne([{keys:"/",label:"Enter an intent",run:()=>document.getElementById(bo)?.focus()},{keys:"mod+Enter",label:"Test the rules",run:f},{keys:"Escape",label:"Cancel the test",run:c.cancel}]),n)return s`<${me} title="Configuration" controls=${s`<${Ys} />`}><${Zs} /><//>`;let p=s`<${ea}
    draft=${o}
    problem=${i}
    busy=${c.busy}
    intents=${t.data?.phases.intent?.intents??[]}
    services=${t.data?.services.map(({name:m})=>m)??[]}
    onDraft=${r}
    onRun=${f}
    onCancel=${c.cancel}
  />`;return s`
    <${me} title="Configuration" controls=${p} section=${d}>
      ${l&&s`<${oa} match=${c} demo=${Ye(t.data)} onClose=${()=>V("configuration",go(e,void 0))} />`}
      ${t.error&&s`<${E} error=${t.error} onRetry=${t.reload} />`}
      ${!t.data&&!t.error&&s`<${F} lines=${8} label="the configuration" />`}
      ${t.data&&s`<${Dd} configuration=${t} data=${t.data} params=${e} />`}
    <//>
  `}function Dd({configuration:e,data:t,params:n}){let o=U(()=>Js(t),[t]),r=a=>V("configuration",{...n,tab:a===ha?"":a},{replace:!0});return s`
    <${na} configuration=${t} faulty=${o} loading=${e.loading} onReload=${e.reload} />
    <${pa} configuration=${t} faulty=${o} chosen=${n.tab||ha} onChoose=${r} />
  `}function Ld(e){let t=JSON.stringify(Tt(e)),[n,o]=$(()=>Tt(e));return v(()=>o(JSON.parse(t)),[t]),[n,r=>o(a=>({...a,...r}))]}function ba(e){let t=Gt(),n=t.data?.collections,o=e||n?.[0]?.name||"",r=a=>n&&t.put({collections:n.map(i=>i.name===a.name?a:i)});return{collections:t,selected:o,collection:n?.find(({name:a})=>a===o),isEmpty:n?.length===0,loading:o===""&&t.loading,replace:r}}function et(e,t){return e===void 0?"none":e<t.match?"match":e<t.partial?"partial":"none"}function xt(e){let t=Number(e?.trim()||NaN);return t>=0&&t<=2?t:void 0}function $n(e,t){return e===void 0||t===void 0?void 0:{match:e,partial:Math.max(e,t)}}function ga({match:e,partial:t},n,o){return n==="match"?{match:o,partial:Math.max(o,t)}:{match:Math.min(o,e),partial:o}}function ya({match_threshold:e,partial_threshold:t},n){return $n(e??n?.match,t??n?.partial)}function va({metadata:e,calibrated_passages:t}){if(typeof t=="number")return"calibrated from passages";let n=[e.match_threshold,e.partial_threshold].filter(o=>typeof o=="number");return n.length===2?"set by an operator":n.length===1?"one set by an operator, one from the service":"from the service"}function wa(e,{match:t,partial:n}){let o=Math.min(Math.min(...e)-.05,t),r=Math.max(Math.max(...e)+.05,n);return{low:Math.max(0,kt(Math.floor(kt(o/.05))*.05)),high:Math.min(2,kt(Math.ceil(kt(r/.05))*.05))}}function Ta({low:e,high:t},n){return Math.min(100,Math.max(0,kt((n-e)/(t-e)*100)))}function Sa(e,{match:t,partial:n}){return JSON.stringify({rag_services:{docs:{type:"internal",collections:[e],match_threshold:t,partial_threshold:n}}},null,2)}function kt(e){return Math.round(e*1e3)/1e3}var ka=300;function xa({collections:e,selected:t,onChoose:n}){let{data:o,error:r,reload:a}=e;return r&&!o?s`<${E} error=${r} onRetry=${a} />`:o?o.collections.length===0?s`<p><small>No collections.</small></p>`:s`
    <fieldset class="ret-collections">
      <legend>Collection</legend>
      <div class="ret-cards">
        ${o.collections.map(i=>s`
            <${Pd}
              key=${i.name}
              collection=${i}
              checked=${i.name===t}
              onChoose=${()=>n(i.name)}
            />
          `)}
      </div>
    </fieldset>
  `:s`<${F} lines=${4} label="the collections" />`}function Pd({collection:e,checked:t,onChoose:n}){let{name:o,metadata:r,documents:a,passages:i,bytes:l,updated_at:c}=e,{match_threshold:d,partial_threshold:u,description:f,embedding_model:p}=r;return s`
    <label class="ret-card">
      <input type="radio" name="collection" value=${o} checked=${t} onChange=${n} />
      <span>
        <strong>${(r.display_name||o).slice(0,ka)}</strong>
        ${r.display_name&&s` <code>${o}</code>`}
        ${f&&s`<small class="ret-line">${f.slice(0,ka)}</small>`}
        <small class="ret-line">
          ${_(a,"document")} · ${_(i,"passage")} · ${Kt(l)} · <${G} at=${c} />
        </small>
        <small class="ret-line"><${Q}>${p}<//> ${qd(d,u)}${va(e)}</small>
      </span>
    </label>
  `}function qd(e,t){return typeof e=="number"&&typeof t=="number"?`match < ${he(e)}, partial < ${he(t)}: `:"thresholds: "}function Ca({collection:e,thresholds:t,onChanged:n}){let o=L(),[r,a]=$(""),{metadata:i,name:l}=e,c=i.match_threshold===t.match&&i.partial_threshold===t.partial,u=(typeof i.match_threshold=="number"||typeof i.partial_threshold=="number")&&typeof e.calibrated_passages!="number",f=(p,m,h)=>{a(""),o.run(async()=>{let S=await w.changeCollection(l,{metadata:{match_threshold:p,partial_threshold:m}});a(`${h} ✓`),n(S,h)})};return s`
    <button type="button" disabled=${c||o.busy} onClick=${()=>f(t.match,t.partial,"saved")}>
      Save thresholds
    </button>
    ${u&&s`<button type="button" class="quiet" disabled=${o.busy} onClick=${()=>f(null,null,"recalibrated")}>
        Recalibrate thresholds
      </button>`}
    ${o.busy&&s`<${M} label="Updating the collection" since=${o.since} />`}
    <small role="status">${r}</small>
    ${o.error&&s`<${E} error=${o.error} />`}
  `}var Hd=5,Ea=100;function Ct(e){let t=Math.floor(Number(e));return t>=1&&t<=Ea?t:Hd}function Ra({draft:e,busy:t,form:n,onDraft:o,onRun:r,onCancel:a}){return s`
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
        <button type="submit" class="primary" disabled=${t}>Search <small class="ret-keys">${se("mod+Enter")}</small></button>
        ${t&&s`<button type="button" onClick=${a}>Cancel</button>`}
        <label class="check ret-top-k">
          Passages
          <input
            type="number"
            name="top_k"
            required
            min="1"
            max=${Ea}
            value=${e.topK}
            onInput=${l=>o({topK:l.currentTarget.value})}
          />
        </label>
      </div>
    </form>
  `}var Bd={match:{tone:"good",sign:"✓"},partial:{tone:"warn",sign:"~"},none:{tone:"plain",sign:"·"}};function Et({name:e}){return s`<${T} ...${Bd[e]}>${e}<//>`}var hn=280,Aa=300;function Oa({hit:e}){let[t,n]=$(!1),o=e.title.slice(0,Aa);return s`
    <div class="ret-passage">
      <strong>${o}</strong>
      <code>${e.source.slice(0,Aa)}</code>
      ${t?s`<${q} value=${e.text} label=${`Text of ${o}`} />`:s`<p>${Fd(e.text)}</p>`}
      <button type="button" class="quiet" aria-expanded=${t} onClick=${()=>n(!t)}>
        ${t?"Hide full text":"Show full text"}
      </button>
    </div>
  `}function Fd(e){let t=e.slice(0,2*hn).replace(/\s+/g," ").trim();return t.length>hn||e.length>2*hn?`${t.slice(0,hn)} …`:t}function Ma({hits:e,thresholds:t,scale:n}){return s`
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
        ${e.map((o,r)=>{let a=et(o.distance,t);return s`
            <tr key=${o.id} data-class=${a}>
              <td class="number ret-rank">${r+1}</td>
              <td class="number">
                ${he(o.distance)}
                <${Vd} distance=${o.distance} thresholds=${t} scale=${n} />
              </td>
              <td><${Et} name=${a} /></td>
              <td><${Oa} hit=${o} /></td>
            </tr>
          `})}
      </tbody>
    </table>
  `}function Vd({distance:e,thresholds:t,scale:n}){let o=r=>`${Ta(n,r)}%`;return s`<span class="ret-bar" aria-hidden="true">
    <span style=${{width:o(e)}}></span>
    <i style=${{left:o(t.match)}}></i>
    <i style=${{left:o(t.partial)}}></i>
  </span>`}var jd=300,Ud={match:"A chat that selects this collection answers from these passages and searches no further collections.",partial:"A chat that selects this collection passes these passages to the model and searches the next collection.",none:"A chat that selects this collection continues without these passages."};function Ia({found:e,thresholds:t,saved:n}){let{answer:o,ms:r,request:a}=e,i=o.hits.map(p=>p.distance),l=i.length>0?Math.min(...i):void 0,c=et(l,t),d=et(l,n),u=i.map(p=>et(p,t)),f=p=>`${u.filter(m=>m===p).length} ${p}`;return s`
    <div class="ret-classification">
      <h2><span role="status"><${Et} name=${c} /></span></h2>
      <p>${Ud[c]}</p>
      ${c!==d&&s`<p>With the collection's saved thresholds: <${Et} name=${d} />.</p>`}
      <small>
        ${_(i.length,"passage")}: ${f("match")}, ${f("partial")}, ${f("none")}${" · "}
        ${l!==void 0&&`nearest ${he(l)} · `}${O(r)}
      </small>
      <small>Query: “${a.query.slice(0,jd)}”</small>
    </div>
  `}var Wd=`flexchat collections create handbook --stage ${Ee}`,Gd=`flexchat collections add handbook docs/ --stage ${Ee}`;function Na({isEmpty:e,hasQuery:t,loading:n,search:o,evaluation:r}){let{busy:a,cancelled:i,error:l,found:c,since:d}=o;return e?s`<${Kd} />`:s`
    ${a&&s`<${M} label="Searching" since=${d} />`}
    ${i&&s`<p role="status">Search cancelled.</p>`}
    ${l&&s`<${E} error=${l} onRetry=${o.search} />`}
    ${(t&&n||a&&!c)&&s`<${F} lines=${6} label="the passages" />`}
    ${!t&&s`<${zd} />`}
    ${c&&r&&s`
        <${Ia} found=${c} ...${r} />
        ${c.answer.hits.length>0?s`<${Ma} hits=${c.answer.hits} thresholds=${r.thresholds} scale=${r.scale} />`:s`<p>No passages found in this collection.</p>`}
      `}
  `}function Kd(){return s`
    <${_e} title="No collections">
      <p>Search a collection to see the distances of its passages and calibrate its thresholds.</p>
      <p>Create a collection and add files or directories:</p>
      <pre>${Wd} && ${Gd}</pre>
    <//>
  `}function zd(){return s`
    <${_e} title="Test a collection">
      <p>
        Enter a query to see the closest passages of a collection, their distances, and how a chat uses them. Adjust the
        thresholds to see the effect.
      </p>
      <p>Enter a test query and select Search.</p>
    <//>
  `}function Da({collection:e,query:t,topK:n}){let o=L(),{run:r,cancel:a}=o,[i,l]=$(void 0),c=C(()=>r(async d=>{let u=performance.now(),f=await w.search(e,{query:t,top_k:n},d);l({request:{collection:e,query:t,topK:n},answer:f,ms:performance.now()-u})}),[r,e,t,n]);return v(()=>{e&&t?c():(a(),l(void 0))},[c,a,e,t]),{...o,search:c,found:i?.request.collection===e?i:void 0}}var Pa=.001;function qa({collection:e,thresholds:t,saved:n,scale:o,onMove:r,children:a}){let i=t.match!==n.match||t.partial!==n.partial,l=(c,d)=>r(ga(t,c,d));return s`
    <fieldset class="ret-thresholds">
      <legend>Thresholds <small>cosine distance, lower is closer</small></legend>
      <${La} name="Match below" value=${t.match} scale=${o} onMove=${c=>l("match",c)} />
      <${La} name="Partial below" value=${t.partial} scale=${o} onMove=${c=>l("partial",c)} />
      <div class="row">
        <button type="button" disabled=${!i} onClick=${()=>r(void 0)}>Reset thresholds</button>
        ${a}
      </div>
      <div class="row">
        <${X} text=${()=>Sa(e,t)} label="Copy as configuration" />
        <small>for services; applies to collections without thresholds</small>
      </div>
    </fieldset>
  `}function La({name:e,value:t,scale:n,onMove:o}){return s`
    <div class="ret-slider">
      <span aria-hidden="true">${e}</span>
      <input
        type="range"
        aria-label=${e}
        min=${n.low}
        max=${n.high}
        step=${Pa}
        value=${t}
        onInput=${r=>o(Number(r.currentTarget.value))}
      />
      <${Xd} name=${`${e}, as a number`} value=${t} onCommit=${o} />
    </div>
  `}function Xd({name:e,value:t,onCommit:n}){let[o,r]=$(void 0);return s`
    <input
      type="number"
      aria-label=${e}
      min="0"
      max=${2}
      step=${Pa}
      value=${o??t}
      onInput=${i=>r(i.currentTarget.value)}
      onChange=${({currentTarget:i})=>{r(void 0);let l=xt(i.value);l!==void 0&&n(l)}}
    />
  `}var Qd=250;function Ha(e){let t=e.query??"",n=String(Ct(e.top_k)),[o,r]=$({query:t,topK:n});return v(()=>r({query:t,topK:n}),[t,n]),[o,a=>r(i=>({...i,...a}))]}function Ba(e){let t=xt(e.match),n=xt(e.partial),[o,r]=$($n(t,n)),a=y(e);a.current=e;let i=y(o);return v(()=>{t===i.current?.match&&n===i.current?.partial||(i.current=$n(t,n),r(i.current))},[t,n]),v(()=>{let c=setTimeout(()=>{i.current=o,V("retrieval",_n(a.current,o),{replace:!0})},Qd);return()=>clearTimeout(c)},[o]),[o,r]}function _n(e,t){return{...e,match:String(t?.match??""),partial:String(t?.partial??"")}}function Fa({route:e}){let{params:t}=e,n=t.query??"",o=Ct(t.top_k),{collections:r,selected:a,collection:i,isEmpty:l,loading:c,replace:d}=ba(t.collection),[u,f]=Ha(t),[p,m]=Ba(t),h=Da({collection:a,query:n,topK:o}),S=y(null),g=re(),{section:R,reveal:k}=Re(h.busy),b=Yd(i,h.found?.answer,p),x=()=>{k();let I={...t,collection:a,query:u.query,top_k:u.topK};I.query===n&&Ct(I.top_k)===o?h.search():V("retrieval",_n(I,p))},j=I=>{m(void 0),V("retrieval",_n({...t,collection:I},void 0))},ee=(I,ae)=>{d(I),ae!=="saved"&&(m(void 0),h.found&&h.search())};ne([{keys:"/",label:"Enter a test query",run:()=>S.current?.querySelector("textarea")?.focus()},{keys:"mod+Enter",label:"Search",run:()=>S.current?.requestSubmit()},{keys:"Escape",label:"Cancel the search",run:h.cancel}]);let ue=s`
    <${xa} collections=${r} selected=${a} onChoose=${j} />
    ${!l&&s`<${Ra}
        draft=${u}
        busy=${h.busy}
        form=${S}
        onDraft=${f}
        onRun=${x}
        onCancel=${h.cancel}
      />`}
    ${b&&s`<${qa} collection=${a} ...${b} onMove=${m}>
        ${i&&g&&s`<${Ca} key=${a} collection=${i} thresholds=${b.thresholds} onChanged=${ee} />`}
      <//>`}
  `;return s`
    <${me} title="Retrieval" controls=${ue} section=${R}>
      <${Na} isEmpty=${l} hasQuery=${n!==""&&(c||a!=="")} loading=${c} search=${h} evaluation=${b} />
    <//>
  `}function Yd(e,t,n){let o=ya(e?.metadata??{},t?.thresholds);if(o===void 0)return;let r=n??o,a=(t?.hits??[]).map(i=>i.distance);return{saved:o,thresholds:r,scale:wa([...a,o.match,o.partial],r)}}function Va(e){return ja(e,0)}function ja(e,t){let n=new Set(Array.isArray(e.required)?e.required:[]),o=Object.entries(wo(e.properties)).map(([r,a])=>({name:r,schema:wo(a)}));return Object.fromEntries(o.filter(({name:r,schema:a})=>n.has(r)||Wa(a)!==void 0).map(({name:r,schema:a})=>[r,Ua(a,t+1)]))}function Ua(e,t){let n=Wa(e);if(n!==void 0)return n;let o=Ga(e.enum);if(o!==void 0)return o;if("const"in e)return e.const;let r=e.type;switch(Array.isArray(r)?r[0]:r){case"integer":case"number":return typeof e.minimum=="number"?e.minimum:1;case"boolean":return!0;case"array":return t<5?[Ua(wo(e.items),t+1)]:[];case"object":return t<5?ja(e,t):{};case"null":return null;default:return"text"}}function Wa(e){return Ga(e.examples)??e.example??e.default}function Ga(e){return Array.isArray(e)?e[0]:void 0}function wo(e){return typeof e=="object"&&e!==null&&!Array.isArray(e)?e:{}}var Rt="tt-tool",Fe="tt-arguments";function To(e){return e===void 0?"":JSON.stringify(Va(e.parameters),null,2)}function Ka(e){try{let t=JSON.parse(e);return typeof t=="object"&&t!==null&&!Array.isArray(t)?"":"The arguments are not a JSON object"}catch(t){return`Not valid JSON: ${t instanceof Error?t.message:String(t)}`}}function za({tools:e,draft:t,problem:n,busy:o,onTool:r,onText:a,onCall:i,onCancel:l}){if(e.error)return s`<${E} error=${e.error} onRetry=${e.reload} />`;if(!e.data)return s`<${F} lines=${4} label="the tools" />`;let c=e.data.tools.find(({name:u})=>u===t.tool);return s`
    <form class="stack" noValidate onSubmit=${u=>{u.preventDefault(),i()}}>
      <div class="field">
        <label for=${Rt}>Tool</label>
        <select id=${Rt} value=${c?.name??""} onChange=${u=>r(u.currentTarget.value)}>
          <option value="">Select a tool</option>
          ${e.data.tools.map(({name:u})=>s`<option value=${u}>${u}</option>`)}
        </select>
      </div>
      ${c&&s`<p>${c.description}</p>`}
      <div class="field">
        <label for=${Fe}>Arguments</label>
        <textarea
          id=${Fe}
          class="mono tt-expect"
          spellcheck=${!1}
          value=${t.text}
          aria-invalid=${n?"true":void 0}
          aria-describedby=${`${Fe}-hint`}
          onInput=${u=>a(u.currentTarget.value)}
        ></textarea>
        <small id=${`${Fe}-hint`} class=${n?"problem-text":""}>${n?`✕ ${n}`:"A JSON object."}</small>
      </div>
      <div class="row">
        <button type="submit" class="primary" disabled=${o}>Call tool</button>
        <button type="button" disabled=${!o} onClick=${l}>Cancel</button>
        <button type="button" disabled=${c===void 0} onClick=${()=>a(To(c))}>Insert example</button>
      </div>
      <small>The call has the effects of the tool. ${se("mod+Enter")} calls, ${se("Escape")} cancels.</small>
      ${c&&s`<${D} key=${c.name} summary="Parameters"><${q} value=${c.parameters} label=${`Parameters of ${c.name}`} /><//>`}
    </form>
  `}function bn(e,t){return[`curl -sS -X POST ${Ja(e)}`,'-H "Authorization: Bearer $FLEXCHAT_TOKEN"',"-H 'Content-Type: application/json'",`--data-raw ${Ja(JSON.stringify(t))}`].join(` \\
  `)}function Ja(e){return`'${e.replaceAll("'",String.raw`'\''`)}'`}var Xa=200;function So({result:e}){let t=O(e.execution_time_ms);return"error"in e?`failed after ${t}: ${Y(e.error_type)}`:`succeeded in ${t}`}var gn=e=>e!=null;function Zd({status:e,error:t,response_body:n}){return e==null?!t&&gn(n)?{tone:"good",label:"answered"}:{tone:"bad",label:t??"no response"}:e>=400?{tone:"bad",label:`HTTP ${e}`}:{tone:e>=300?"warn":"good",label:`HTTP ${e}`}}function Qa(e,t,n){let o=[...e?[e]:[],...Object.entries(t).map(([r,a])=>`${r}: ${a}`)];return n?`${o.join(`
`)}

${n}`:o.join(`
`)}function Ya({outcome:e}){let{result:t,inspection:n}=e,o={tool:e.tool,arguments:e.arguments};return s`
    <div class="stack">
      <p class="tt-status"><${T} tone=${t.success?"good":"bad"}>${So(e)}<//></p>
      <div class="row tt-facts">
        <span>Tool: <strong class="mono">${e.tool}</strong> <${Q}>${e.type}<//></span>
        <span>With all checks: <strong>${O(e.total_ms)}</strong></span>
        <span>Request: <code>${e.request_id}</code> <${X} text=${e.request_id} label="Copy request id" /></span>
      </div>
    </div>
    ${n&&s`<${em} inspection=${n} total=${t.execution_time_ms} />`}
    ${n&&Object.keys(n.notes??{}).length>0&&s`<section class="stack" aria-label="Shaping"><h2>Shaping</h2><${q} value=${n.notes} label="Shaping" /></section>`}
    <section class="stack" aria-label="Result of the call">
      <h2>${"error"in t?"Error":"Result"}</h2>
      ${"truncated"in t&&t.truncated&&s`<p class="notice">! The result was truncated.</p>`}
      ${"error"in t?s`<${q} value=${t.error} label="Error" />`:s`<${q} value=${t.result} label="Result" />`}
      ${"validation_errors"in t&&t.validation_errors&&s`<ul>${t.validation_errors.map(r=>s`<li>${r}</li>`)}</ul>`}
      <div class="row">
        <${X} text=${()=>bn(new URL("api/tools/call",we).href,o)} label="Copy as curl" />
      </div>
    </section>
    <section class="stack" aria-label="Details of the call">
      <${D} summary="Arguments with defaults"><${q} value=${e.arguments} label="Arguments with defaults" /><//>
      <${D} summary=${`Text for a model (${_(e.content.length,"character")})`}>
        <${q} value=${e.content} label="Text for a model" />
      <//>
    </section>
  `}function em({inspection:e,total:t}){let n=e.exchanges??[];return n.length===0?s`<p>The tool sent no request.</p>`:s`
    <section class="stack" aria-label="Requests of the tool">
      <h2>Requests (${A(n.length)})</h2>
      <ol class="tt-calls">
        ${n.map((o,r)=>s`<${tm} key=${r} exchange=${o} total=${t} open=${r===0} />`)}
      </ol>
      ${(e.omitted??0)>0&&s`<p class="notice">! ${_(e.omitted??0,"more request")} not shown.</p>`}
    </section>
  `}function tm({exchange:e,total:t,open:n}){let{tone:o,label:r}=Zd(e),a=Math.max(1,t,e.start_ms+e.duration_ms),i={left:`${100*e.start_ms/a}%`,width:`${Math.max(1,100*e.duration_ms/a)}%`},l=e.purpose&&e.purpose!=="request"?e.purpose:"",c=(e.attempt??1)>1?`attempt ${e.attempt}`:"",d=s`<code>${e.method} ${Z(e.url,Xa)}</code>
    ${l&&s` <${Q}>${l}<//>`}${c&&s` <${Q}>${c}<//>`}
    <${T} tone=${o}>${r}<//>`;return s`
    <li>
      <${D} summary=${d} open=${n}>
        <${Xe} label=${`Details of ${e.method} ${Z(e.url,Xa)}`} tabs=${nm(e)} />
      <//>
      <div class="interval" aria-hidden="true"><span style=${i}></span></div>
      <small class="number">Started after ${O(e.start_ms)} | Duration: ${O(e.duration_ms)} | ${Kt(e.response_bytes??0)}</small>
    </li>
  `}function nm(e){let t=Qa(`${e.method} ${e.url}`,e.request_headers,e.request_body),n={name:"Request",content:()=>s`<${q} key="request" value=${t} label="Request" />`};if(!gn(e.status)&&!gn(e.response_body))return[n];let o=Qa(gn(e.status)?`HTTP ${e.status}`:"",e.response_headers??{},e.response_body);return[{name:"Response",content:()=>s`<${q} key="response" value=${o} label="Response" />`},n]}var om=[{mode:"model",title:"Test a model"},{mode:"call",title:"Call a tool"}];function yn({mode:e}){return re()?s`
    <div class="row" role="group" aria-label="Kind of test">
      ${om.map(t=>s`
          <button type="button" aria-pressed=${t.mode===e?"true":"false"} onClick=${()=>V("tools-testing",t.mode==="call"?{mode:"call"}:{})}>
            ${t.title}
          </button>
        `)}
    </div>
  `:null}var rm={text:"",problem:"",calls:0,outcome:void 0},vn=e=>document.getElementById(e)?.focus();function Za({route:e}){let t=e.params.tool??"",n=We(),o=L(),{section:r,reveal:a}=Re(o.busy),[i,l]=$(rm),c=m=>l(h=>({...h,...m})),d=n.data?.tools.find(m=>m.name===t),u=To(d);v(()=>{l(m=>({...m,text:u,problem:""}))},[u]);let f=()=>{if(o.busy)return;if(d===void 0)return vn(Rt);let m=Ka(i.text);if(c({problem:m}),m!=="")return vn(Fe);a();let h={tool:d.name,arguments:JSON.parse(i.text)};o.run(async S=>{let g=await w.callTool(h,S);l(R=>({...R,outcome:g,calls:R.calls+1}))})};ne([{keys:"/",label:"Write the arguments",run:()=>vn(Fe)},{keys:"mod+Enter",label:"Call the tool",run:f},{keys:"Escape",label:"Cancel the call",run:o.cancel}]);let p=s`
    <${yn} mode="call" />
    <${za}
      tools=${n}
      draft=${{tool:t,text:i.text}}
      problem=${i.problem}
      busy=${o.busy}
      onTool=${m=>V("tools-testing",{mode:"call",tool:m})}
      onText=${m=>c({text:m,problem:""})}
      onCall=${f}
      onCancel=${o.cancel}
    />
  `;return s`
    <${me} title="Tool call" controls=${p} section=${r}>
      <${sm} task=${o} state=${i} waiting=${`Waiting for ${t}`} onRetry=${f} />
    <//>
  `}function sm({task:e,state:{outcome:t,calls:n},waiting:o,onRetry:r}){let a=e.busy||e.error!==void 0||e.cancelled;return s`
    <p class="hidden" role="status">${t&&!a&&So(t)}</p>
    ${e.busy&&s`<p><${M} label=${o} since=${e.since} /></p>`}
    ${e.cancelled&&s`<p class="notice">! Call cancelled. The tool may still complete it.</p>`}
    ${e.error&&s`<${E} error=${e.error} onRetry=${r} />`}
    ${t&&a&&s`<h2>Previous call</h2>`}
    ${t&&s`<${Ya} key=${n} outcome=${t} />`}
    ${!t&&!a&&s`<${am} />`}
  `}function am(){return s`<${_e} title="Call one tool without a model">
    <p>
      Select a tool, check the example arguments and call it. The result shows the requests that the tool sent and their
      responses without secrets, the result, and the text that a model would receive.
    </p>
    <p><button type="button" onClick=${()=>vn(Rt)}>Select a tool</button></p>
  <//>`}function ei({models:e,value:t,onChange:n,label:o,id:r,problem:a=""}){let i=te(),[l,c]=$(void 0),d=l??(e.error!==void 0&&e.data===void 0),u=re(),f=e.data?.models.filter(m=>u||!m.operator_only)??[],p={id:r??i,value:t,required:!0,"aria-invalid":a?"true":void 0,"aria-describedby":`${i}-about`,onInput:m=>n(m.currentTarget.value.trim())};return s`
    <div class="model-picker stack">
      <div class="field">
        <div class="row spread">
          <label for=${p.id}>${o}</label>
          <button type="button" class="quiet" onClick=${()=>c(!d)}>
            ${d?"Choose from the list":"Enter the model id"}
          </button>
        </div>
        ${d?s`<${cm} ...${p} />`:s`<${um} ...${p} models=${f} loading=${e.loading} />`}
      </div>
      <div id=${`${i}-about`} class="stack">
        ${a&&s`<p class="problem-text">✕ ${a}</p>`}
        <${mm} model=${f.find(m=>m.id===t)} />
      </div>
      <${im} models=${e} />
    </div>
  `}function im({models:{data:e,error:t,loading:n,reload:o}}){return n&&e===void 0?s`<${lm} />`:s`
    ${e?.errors.map(({llm:r,error:a})=>s`<p>! <code>${r}</code> did not list its models: ${a}</p>`)}
    ${t&&s`<p>! The models could not be listed: ${t.message}</p>
        <div class="row"><button type="button" onClick=${o}>Reload the models</button></div>`}
  `}function lm(){let[e]=$(()=>performance.now());return s`<${M} label="Loading models" since=${e} />`}function cm(e){return s`<input type="text" placeholder="llm:model" spellcheck=${!1} autocapitalize="off" ...${e} />`}function um({models:e,loading:t,...n}){let o=Object.entries(Object.groupBy(e,a=>a.llm)),r=n.value!==""&&!e.some(a=>a.id===n.value);return s`<select ...${n}>
    <option value="">Select a model</option>
    ${r&&s`<option value=${n.value}>${n.value}${t?"":" · not listed"}</option>`}
    ${o.map(([a,i])=>s`
        <optgroup label=${a}>
          ${i?.map(l=>s`<option key=${l.id} value=${l.id}>${dm(l)}</option>`)}
        </optgroup>
      `)}
  </select>`}function dm({id:e,demo:t,validation:{badge:n,rate:o}}){return t?`${e} · demo${o?` ${ge(o)}`:""}`:n?`${e} ${n.symbol} ${o?ge(o):n.text}`:e}function mm({model:e}){if(e===void 0)return null;let{badge:t,last_tested:n}=e.validation,o=fm(e);return s`
    <p>
      <${ze} validation=${e.validation} demo=${e.demo} />
      ${t&&s` <small>${t.tooltip}</small>`}${n&&s` <small>(<${G} at=${n} />)</small>`}
    </p>
    ${o&&s`<p class="notice">! ${o}</p>`}
  `}function fm({capabilities:e,validation:t,demo:n}){return n?"":e.includes("function-calling")?t.validated?"":`This model ${t.tested?"did not pass validation":"has not been tested with tools"}: check its results before you rely on it.`:"The provider does not list tool calling for this model: it may answer without tools."}var ti=[{title:"Simple tool call",query:"What's the weather in Paris?",expected:"One call of the weather tool with Paris as the location, and an answer based on its result."},{title:"Calculator",query:"Calculate 15% tip on $45",expected:"One call of the calculator, and the answer $6.75."},{title:"Direct answer",query:"What's 2+2?",expected:"The answer 4, with the calculator or directly. A direct answer is recorded as no tool call."},{title:"RAG tool",query:"Search for Python decorators in the docs",expected:"One call of the search tool, and an answer based on the results, or that there are none."}];var wn="tt-model",tt="tt-query",ni="Please enter a test query and select a model";function oi({model:e,query:t,missing:n,busy:o,onChange:r,onRun:a,onCancel:i}){let l=Ge();return s`
    <form class="stack" noValidate onSubmit=${d=>{d.preventDefault(),a()}}>
      <${ei}
        models=${l}
        value=${e}
        label="Model"
        id=${wn}
        problem=${n==="model"?ni:""}
        onChange=${d=>r({model:d})}
      />
      <div class="field">
        <label for=${tt}>Query</label>
        <textarea
          id=${tt}
          required
          maxlength="32000"
          placeholder="e.g., What's the weather in Paris?"
          value=${t}
          aria-invalid=${n==="query"?"true":void 0}
          aria-describedby=${n==="query"?"tt-missing":void 0}
          onInput=${d=>r({query:d.currentTarget.value})}
        ></textarea>
        ${n==="query"&&s`<p id="tt-missing" class="problem-text">✕ ${ni}</p>`}
      </div>
      <div class="tt-examples" role="group" aria-label="Example test queries">
        ${ti.map(d=>s`
            <button type="button" onClick=${()=>r({query:d.query})}>
              <strong>${d.title}</strong>
              <span>${d.query}</span>
              <small>Expected: ${d.expected}</small>
            </button>
          `)}
      </div>
      <${pm} busy=${o} onCancel=${i} />
      <small>Manual tests are recorded in the model's history and do not count for its validation.</small>
    </form>
  `}function pm({busy:e,onCancel:t}){let n=y(null),o=y(null),r=y(null);return le(()=>{let[a,i]=e?[n,o]:[o,n];r.current!==null&&r.current===a.current&&i.current?.focus({preventScroll:!0})},[e]),r.current=document.activeElement,s`
    <div class="row">
      <button ref=${n} type="submit" class="primary" disabled=${e}>
        ${e?"Testing...":"Run"}
      </button>
      <button ref=${o} type="button" disabled=${!e} onClick=${t}>Cancel</button>
      <small>${se("mod+Enter")} runs, ${se("Escape")} cancels</small>
    </div>
  `}var $m=300,hm=2e3;function si(e){let[t,n]=$(()=>ri(e)),o=y(ko(t)),r=y(!1),a=ko(ri(e));v(()=>{a!==o.current&&(o.current=a,n(JSON.parse(a)))},[a]);let i=C(d=>{let u=ko(d);u!==o.current&&(o.current=u,V("tools-testing",JSON.parse(u),{replace:!r.current}),r.current=!1)},[]);v(()=>{let d=setTimeout(()=>i(t),$m);return()=>clearTimeout(d)},[t,i]);let l=C(d=>n(u=>({...u,...d})),[]);return[t,l,()=>{i(t),r.current=!0}]}function ri({params:e}){return{model:e.model??"",query:e.query??""}}function ko({model:e,query:t}){return JSON.stringify({model:e,query:t.length>hm?"":t})}function ai(e,t){let{tone:n,sign:o}=be(e);return n==="good"&&t.length>0?{tone:"warn",sign:"!"}:{tone:n,sign:o}}function Tn(e){let{tool_calls:t,timings:n,usage:o}=e,r=n.steps.filter(i=>i.step==="model").length,a=t.filter(i=>"error"in i.result).length;return[`${be(e).title} ${be(e).tone==="good"?"in":"after"} ${O(n.total_ms)}`,_(r,"model call"),_(t.length,"tool")+(a>0?`, ${A(a)} failed`:""),_(o.total_tokens,"token"),...typeof o.cost_usd=="number"?[pe(o.cost_usd)]:[]].join(" · ")}function ii(e){let{error:t,fallback:n}=e,{reason:o}=be(e);return[e.max_iterations_reached&&"Max iterations reached: the model requested more tool calls than allowed.",e.circular_calls_detected&&"Circular calls: the model repeated the same call and was stopped.",e.status==="complete"&&!e.max_iterations_reached&&!e.circular_calls_detected&&o,e.deadline_reached&&"Deadline reached: the model had to answer without more tool calls.",e.max_tool_calls_reached&&e.outcome!=="tool_call_limit"&&"Tool call limit reached: no more tool calls were allowed.",e.status==="partial"&&`Partial answer: ${t?`${t.provider} failed (${Y(t.type)}): ${t.message}`:"the deadline was reached"}.`,n&&`Another model answered instead of ${n.instead_of}: ${Y(n.reason)}.`].flatMap(a=>a?[a]:[])}var _m=300,bm=128,gm=20,ym=4;function li({calls:e}){let[t,n]=$(!1);if(e.length===0)return s`<section><h2>Tool calls (0)</h2><p>The model called no tool.</p></section>`;let o=t?e:e.slice(0,gm);return s`
    <section class="stack" aria-label="Tool calls">
      <h2>Tool calls (${A(e.length)})</h2>
      <ol class="tt-calls">
        ${o.map(r=>s`<${vm} key=${`${r.iteration} ${r.call_id}`} call=${r} open=${e.length<=ym} />`)}
      </ol>
      ${o.length<e.length&&s`<div><button type="button" onClick=${()=>n(!0)}>Show ${A(e.length-o.length)} more</button></div>`}
    </section>
  `}function vm({call:e,open:t}){let n=Pe(void 0,e),[o,r]="error"in e.result?["Error",e.result]:["Result",e.result.result],a=s`<code>${Z(e.tool,bm)}(${Z(wm(e),_m)})</code>
    <${T} tone=${n.tone}>${n.label}<//>`;return s`
    <li>
      <${D} summary=${a} open=${t}>
        <${q} value=${r} label=${o} />
      <//>
      <small class="number">Iteration: ${e.iteration} | Execution time: ${A(e.result.execution_time_ms)} ms</small>
    </li>
  `}function wm({params:e}){return typeof e=="string"?e:JSON.stringify(e)}var Tm=60,Sm=1e3,km=10,ci="No mock result for these arguments.",xo=e=>!("error"in e.result);function ui(e){return(e.normalize("NFKD").replaceAll(/\p{M}/gu,"").toLowerCase().match(/[a-z0-9]+/g)??[]).join("-").slice(0,Tm).replace(/-$/,"")||"case"}function di(e,t){if(e.length===0)return"irrelevance";let n=e.filter(xo);return n.length<e.length?"error_recovery":new Set(n.map(o=>o.iteration)).size>1?"multi_turn":n.length>1?new Set(n.map(o=>o.tool)).size>1?"parallel_choice":"parallel":t>1?"choice":"single"}function mi(e){let t=Map.groupBy(e.filter(xo),o=>o.iteration),n=Math.min(km,e.length-e.filter(xo).length);return t.size===0?e.length===0?{}:{any_call:!0,failed_calls:n}:{turns:[...t.values()].map(o=>({calls:o.map(({tool:r,params:a})=>({tool:r,arguments:xm(a)}))})),...n>0&&{failed_calls:n}}}function xm(e){return typeof e=="string"?{}:Object.fromEntries(Object.entries(e).map(([t,n])=>[t,[Sn(n)]]))}function Sn(e){return Array.isArray(e)?e.map(Sn):e===null||typeof e!="object"?e:Object.fromEntries(Object.entries(e).map(([t,n])=>[t,Array.isArray(n)?[Sn(n)]:Sn(n)]))}function fi(e,t){let n=t.filter(ao);return e.map(({name:o,description:r,parameters:a})=>({name:o,description:r,parameters:a,implementation:Cm(n.filter(i=>i.tool===o))}))}function Cm(e){let t={type:"mock"},n=new Map;for(let{params:o,result:r}of e){if(typeof o=="string")continue;let a="error"in r?{error:Em(r.error)}:{response:r.result};Object.keys(o).length>0?n.set(JSON.stringify(o),{when:o,...a}):"response"in a&&(t.mock_response=a.response)}return n.size>0&&(t.answers=[...n.values()].sort(Rm)),"mock_response"in t||(t.error=ci),t}function Em(e){return e.slice(0,Sm)||ci}function Rm(e,t){return Object.keys(t.when??{}).length-Object.keys(e.when??{}).length}var Am=["single","choice","parallel","parallel_choice","irrelevance","multi_turn","error_recovery","types","clarification"],Om="my-cases",Mm=String.raw`[a-z0-9][a-z0-9_.\-]{0,63}`,Im=String.raw`[a-zA-Z0-9][a-zA-Z0-9_.\-]{0,127}`;function pi({draft:e,task:t,onChange:n,onSave:o}){let r=te(),i=de(w.suites).data?.suites.filter(u=>!u.built_in)??[],l=Nm(e.expect),c=u=>({id:`${r}-${u}`,"aria-describedby":`${r}-${u}-hint`,value:e[u],onInput:f=>n({...e,[u]:f.currentTarget.value})});return s`
    <form class="stack" onSubmit=${u=>{u.preventDefault(),l===""&&!t.busy&&o(e)}}>
      <${At} id=${`${r}-suite`} label="Suite" hint="One of your suites or a new name. Built-in suites are read-only.">
        <input type="text" list=${`${r}-suites`} required pattern=${Mm} title="lower-case letters, digits, _ . -" placeholder=${i[0]?.name??Om} ...${c("suite")} />
        <datalist id=${`${r}-suites`}>
          ${i.map(({name:u,cases:f})=>s`<option value=${u}>${_(f,"case")}</option>`)}
        </datalist>
      <//>
      <${At} id=${`${r}-id`} label="Case" hint="Unique id in the suite.">
        <input type="text" required pattern=${Im} title="letters, digits, _ . -" ...${c("id")} />
      <//>
      <${At} id=${`${r}-category`} label="Category" hint="Ability that the case tests.">
        <select ...${c("category")}>
          ${Am.map(u=>s`<option value=${u}>${Y(u)}</option>`)}
        </select>
      <//>
      <${At} id=${`${r}-offer`} label="Offered tools" hint="Saved as mocks that return the results of this test.">
        <select ...${c("offer")}>
          <option value="all">all tools of this test</option>
          <option value="called">called tools only</option>
        </select>
      <//>
      <${At} id=${`${r}-expect`} label="Expected calls" invalid=${l!==""} hint=${l?`✕ ${l}`:"JSON, from the calls of this test."}>
        <textarea class="mono tt-expect" spellcheck=${!1} aria-invalid=${l?"true":void 0} ...${c("expect")}></textarea>
      <//>
      ${t.error&&s`<${E} error=${t.error} />`}
      <div class="row">
        <button type="submit" class="primary" disabled=${t.busy||l!==""}>Save</button>
        ${t.busy&&s`<${M} label="Saving the case" since=${t.since} />`}
      </div>
    </form>
  `}function At({id:e,label:t,hint:n,invalid:o=!1,children:r}){return s`<div class="field">
    <label for=${e}>${t}</label>
    ${r}
    <small id=${`${e}-hint`} class=${o?"problem-text":""}>${n}</small>
  </div>`}function Nm(e){try{return JSON.parse(e),""}catch(t){return`Not valid JSON: ${t instanceof Error?t.message:String(t)}`}}function _i(e,t,n){let o=new Map(e.tools.map(r=>[r.name,r]));for(let r of n){let a=o.get(r.name);o.set(r.name,a?Dm(a,bi(r)):r)}return{...e,tools:[...o.values()],cases:[...e.cases,t]}}function Dm(e,t){let n=bi(e),o=new Set(n.map($i)),r=t.filter(i=>!o.has($i(i)));if(r.length===0)return e;let a=[...n,...r].sort((i,l)=>hi(l)-hi(i));return{...e,implementation:{...e.implementation,answers:a}}}function bi({implementation:e}){let t=e.answers;return Array.isArray(t)?t:[]}function gi(e){return e===null||typeof e!="object"||Array.isArray(e)?[]:Object.entries(e.when??{}).sort(([t],[n])=>t<n?-1:1)}function $i(e){return JSON.stringify(gi(e))}function hi(e){return gi(e).length}var Lm=20;function yi({request:e,answer:t,tools:n}){let[o,r]=$(!1),[a,i]=$(void 0),[l,c]=$(""),d=L(),u=()=>{i(p=>p??Pm(e,t,n)),c(""),r(!0)},f=p=>d.run(async m=>{let h=await Hm(p.suite,m),{added:S,mocks:g}=qm(p,e,t,n),R=_i(h,S,g);await w.putSuite(p.suite,R),c(`saved as ${p.id} in ${p.suite} ✓`),r(!1)});return s`
    <button type="button" onClick=${u} disabled=${n.length===0}>Save as validation case</button>
    <span role="status">${l}</span>
    <${Ue} title="Save as validation case" open=${o} onClose=${()=>r(!1)}>
      ${a&&s`<${pi} draft=${a} task=${d} onChange=${i} onSave=${f} />`}
    <//>
  `}function Pm({query:e},{tool_calls:t},n){let o=n.length<=Lm||t.length===0?"all":"called",r=o==="all"?n.length:vi(n,t).length;return{suite:"",id:ui(e),category:di(t,r),offer:o,expect:JSON.stringify(mi(t),null,2)}}function vi(e,t){return e.filter(n=>t.some(o=>o.tool===n.name))}function qm(e,t,{tool_calls:n},o){let r=fi(e.offer==="all"?o:vi(o,n),n);return{added:{id:e.id,category:e.category,description:`Recorded from ${t.model}.`,message:t.query,tools:r.map(i=>i.name),expect:JSON.parse(e.expect)},mocks:r}}async function Hm(e,t){try{return await w.suite(e,t)}catch(n){if(!(n instanceof P)||n.status!==404)throw n;return{name:e,description:"Cases saved from tool tests.",tools:[],cases:[]}}}var Bm=300;function wi({request:e,answer:t,tools:n}){let[o,r]=$(-1),a=re(),i=ii(t),{tone:l,sign:c}=ai(t,i),d=os(t.timings,t.tool_calls,o);return s`
    <div class="stack">
      <p class="tt-status">
        <${T} tone=${l} sign=${c}>${Tn(t)}<//>
        ${t.demo&&s` <${W} />`}
      </p>
      <p class="tt-query">${Z(e.query,Bm)}</p>
      <${Fm} answer=${t} />
      ${i.map(u=>s`<p class="notice"><span aria-hidden="true">⚠️</span> ${u}</p>`)}
    </div>
    <section class="stack" aria-label="Waterfall">
      <h2>Steps</h2>
      <${nn} timings=${t.timings} calls=${t.tool_calls} selected=${o} onSelect=${r} />
      ${d?s`<${vt} step=${d.step} call=${d.call} />`:s`<small>Select a step for details, or move with the arrow keys.</small>`}
    </section>
    <section class="stack" aria-label="Final response">
      <h2>Final response</h2>
      ${t.content.trim()===""?s`<p>The answer is empty.</p>`:s`<div class="tt-answer"><${q} value=${t.content} label="Final response" /></div>`}
      <div class="row">
        <${X} text=${()=>bn(new URL("api/tools/test",we).href,{...e})} label="Copy as curl" />
        ${a&&s`<${yi} request=${e} answer=${t} tools=${n} />`}
      </div>
    </section>
    <${li} calls=${t.tool_calls} />
  `}function Fm({answer:e}){return s`
    <div class="row tt-facts">
      <span>Model: <strong>${e.model}</strong>${e.demo&&s` <${W} />`}</span>
      <span>Service: <strong>${e.service}</strong></span>
      <span>Finish reason: <strong>${Y(e.finish_reason)}</strong></span>
      <span>Request: <code>${e.request_id}</code> <${X} text=${e.request_id} label="Copy request id" /></span>
    </div>
  `}var Vm=12,jm=matchMedia("(width >= 800px)");function Ti({tools:e}){let[t,n]=$(jm.matches),o=e.data&&e.data.tools.length+Si(e.data).length;return s`
    <section aria-label="Available tools">
      <details class="collapsible" open=${t} onToggle=${r=>n(r.currentTarget.open)}>
        <summary><h2 class="tt-inline">Available tools ${o!==void 0&&s`<small>${A(o)}</small>`}</h2></summary>
        ${e.error&&s`<${E} error=${e.error} onRetry=${e.reload} />`}
        ${!e.data&&e.loading&&s`<${F} lines=${6} label="the tools" />`}
        ${t&&e.data&&s`<${Um} list=${e.data} />`}
      </details>
    </section>
  `}function Si(e){return e.disabled.filter(t=>t.kind==="tool")}function Um({list:e}){let[t,n]=$(""),o=Si(e),r=e.tools.length+o.length;if(r===0)return s`<p>No tools are configured.</p>`;let a=t.trim().toLowerCase(),i=e.tools.filter(({name:c,description:d})=>`${c} ${d}`.toLowerCase().includes(a)),l=o.filter(({name:c})=>c.toLowerCase().includes(a));return s`
    ${r>Vm&&s`<label class="field tt-filter">
        Filter
        <input type="search" value=${t} onInput=${c=>n(c.currentTarget.value)} />
        <small role="status">${a&&`${A(i.length+l.length)} of ${A(r)} shown`}</small>
      </label>`}
    <ul class="tool-cards">
      ${l.map(c=>s`<${pn} key=${`disabled ${c.name}`} tool=${c} />`)}
      ${i.map(c=>s`<${fn} key=${c.name} tool=${c} />`)}
    </ul>
  `}var Wm={missing:"",runs:0,request:void 0,answer:void 0},Co=e=>document.getElementById(e)?.focus();function ki({route:e}){return re()&&e.params.mode==="call"?s`<${Za} route=${e} />`:s`<${Gm} route=${e} />`}function Gm({route:e}){let[t,n,o]=si(e),[r,a]=$(Wm),i=We(),l=L(),{section:c,reveal:d}=Re(l.busy),u=h=>a(S=>({...S,...h})),f=()=>{if(l.busy)return;let h=zm(t);if(u({missing:h}),h!=="")return Co(h==="model"?wn:tt);o(),d();let S={...t};l.run(async g=>{let R=await w.testTools(S,g);a(k=>({...k,request:S,answer:R,runs:k.runs+1})),gr()})},p=h=>{n(h),u({missing:""})};ne([{keys:"/",label:"Write the query",run:()=>Co(tt)},{keys:"mod+Enter",label:"Run the test",run:f},{keys:"Escape",label:"Cancel the test",run:l.cancel}]);let m=s`
    <${yn} mode="model" />
    <${oi} ...${t} missing=${r.missing} busy=${l.busy} onChange=${p} onRun=${f} onCancel=${l.cancel} />
    <${Ti} tools=${i} />
  `;return s`
    <${me} title="Tool testing" controls=${m} section=${c}>
      <p class="hidden" role="status">${Km(l,r)}</p>
      ${l.busy&&s`<p><${M} label=${`Waiting for ${t.model}`} since=${l.since} /></p>`}
      ${l.cancelled&&s`<p class="notice">! Test cancelled. The model may still complete its request, which costs tokens.</p>`}
      ${l.error&&s`<${E} error=${l.error} onRetry=${f} />`}
      ${r.answer&&(l.busy||l.error||l.cancelled)&&s`<h2>Previous test</h2>`}
      ${r.answer&&r.request&&s`<${wi} key=${r.runs} request=${r.request} answer=${r.answer} tools=${i.data?.tools??[]} />`}
      ${!r.answer&&!l.busy&&!l.error&&s`<${Jm} hasModel=${t.model!==""} />`}
    <//>
  `}function Km(e,{answer:t}){return e.busy||e.error?"":e.cancelled?"Test cancelled":t&&Tn(t)}function zm({model:e,query:t}){return e===""?"model":t.trim()===""?"query":""}function Jm({hasModel:e}){return s`<${_e} title="Test a model with the tools">
    <p>
      Select a model, enter a query or pick an example, and run it. The result shows every model and tool call on one time
      axis, with arguments, results and cost.
    </p>
    <p>
      <button type="button" onClick=${()=>Co(e?tt:wn)}>
        ${e?"Enter a query":"Select a model"}
      </button>
    </p>
  <//>`}var ke=[{name:"single",title:"Single call",description:"one tool is offered and must be called once"},{name:"choice",title:"Tool choice",description:"several tools are offered and one must be called"},{name:"parallel",title:"Parallel calls",description:"one tool must be called several times"},{name:"parallel_choice",title:"Parallel tools",description:"several tools must be called"},{name:"irrelevance",title:"Irrelevance",description:"no tool fits and none may be called"},{name:"multi_turn",title:"Multi-turn",description:"a call needs the result of the previous one"},{name:"error_recovery",title:"Error recovery",description:"a call fails and must be corrected"},{name:"types",title:"Typed values",description:"arguments must match the types of the schema"},{name:"clarification",title:"Clarification",description:"a value is missing and the model must ask for it"}];function kn(e){return ke.find(t=>t.name===e)?.title??e}var xi=8;function Ci({modelChoices:e,chosen:t,onChosen:n,loaded:o,first:r}){let[a,i]=$(""),l=U(()=>performance.now(),[]),c=e.filter(({id:u})=>t.includes(u)||u.toLowerCase().includes(a.toLowerCase())),d=u=>n(t.includes(u)?t.filter(f=>f!==u):[...t,u]);return s`
    <fieldset class="val-models">
      <legend>Models${t.length>0&&` (${t.length} ticked)`}</legend>
      ${e.length>xi&&s`<input
          ref=${r}
          type="search"
          aria-label="Search models"
          placeholder=${`Search ${e.length} models`}
          value=${a}
          onInput=${u=>i(u.currentTarget.value)}
        />`}
      <div class="val-choices">
        ${c.map(({id:u,validation:f,demo:p},m)=>s`
            <label class="val-choice" key=${u}>
              <input ref=${m===0&&e.length<=xi?r:void 0} type="checkbox" checked=${t.includes(u)} onChange=${()=>d(u)} />
              <span>${u} ${f&&s`<small><${ze} validation=${f} demo=${p} /></small>`}</span>
            </label>
          `)}
        ${c.length===0&&e.length>0&&s`<small>No models match.</small>`}
        ${e.length===0&&!o.loading&&s`<small>No models with tool calling are configured.</small>`}
      </div>
      ${o.loading&&!o.data&&s`<${M} label="Loading models" since=${l} />`}
      ${o.error&&s`<p class="problem-text">The models could not be listed: ${o.error.message} <button type="button" onClick=${o.reload}>Try again</button></p>`}
      ${o.data&&o.data.errors.length>0&&s`<div class="notice">
          ${_(o.data.errors.length,"provider")} did not list its models:
          <ul>${o.data.errors.map(({llm:u,error:f})=>s`<li><code>${u}</code> ${f}</li>`)}</ul>
        </div>`}
    </fieldset>
  `}var Xm={rate:(e,t)=>(t.rate?.rate??-1)-(e.rate?.rate??-1)||(t.rate?.low??0)-(e.rate?.low??0),name:()=>0,tested:(e,t)=>(t.last_tested??"").localeCompare(e.last_tested??"")};function Ei(e){return e==="name"||e==="tested"?e:"rate"}function Ri(e,t){return[...e].sort((n,o)=>Xm[t](n,o)||n.model_id.localeCompare(o.model_id,"en"))}function Ai(e,t){return e.includes(t)?e.filter(n=>n!==t):[...e,t].slice(-2)}function nt(e){return(e??"").split(" ").filter(t=>t!=="")}function Ot(e){return e.filter(t=>t.capabilities.includes("function-calling"))}function Oi(e,t){let n=new Set(t.filter(o=>o.tested).map(o=>o.model_id));return Ot(e).filter(o=>!n.has(o.id))}var Qm=2e4;function Mi(e){return{models:nt(e.models),suite:e.suite??"default",repeats:Number(e.repeats??1),stop_early:e.early!=="no",budget:{calls:Eo(e.calls),tokens:Eo(e.tokens),usd:Eo(e.usd)}}}function Eo(e){return e===void 0?null:Number(e)}function Ii(e,t,n){let o=new Map;for(let{id:r,demo:a,validation:i}of Ot(e))o.set(r,{id:r,demo:a??!1,validation:i});for(let r of t){let{model_id:a,demo:i}=r;o.has(a)||o.set(a,{id:a,demo:i??!1,validation:r})}for(let r of n)o.has(r)||o.set(r,{id:r,demo:!1,validation:void 0});return[...o.values()]}function Ni(e,t){let n=e.models.length;if(n===0)return{ready:!1,text:"Select the models to validate."};if(t===void 0)return{ready:!0,text:_(n,"model")};let o=t.cases*n*e.repeats,r=e.repeats>1?` × ${_(e.repeats,"repeat")}`:"",a=`${_(t.cases,"case")} × ${_(n,"model")}${r}`;return o>Qm?{ready:!1,text:`${a} = ${_(o,"chat")}: the maximum is 20,000.`}:{ready:!0,text:`at most ${_(Math.min(o,e.budget.calls??o),"chat")}: ${a}`}}var Ro="val-form";function Di({params:e,change:t,suites:n,models:o,statuses:r,onStarted:a}){let i=y(null),l=y(null),c=L(),d=Mi(e),u=n.data?.suites.find(({name:m})=>m===d.suite),f=Ni(d,u),p=m=>{m.preventDefault(),!(!f.ready||c.busy)&&c.run(async h=>{let S=await w.startValidation(d);h.aborted||a(S)})};return ne([{keys:"/",label:"Select models",run:()=>l.current?.focus()},{keys:"mod+Enter",label:"Start the run",run:()=>i.current?.requestSubmit()}]),s`
    <form class="stack" ref=${i} onSubmit=${p}>
      <h2 id=${Ro} tabindex="-1">New run</h2>
      <label class="field">
        Suite
        <select value=${d.suite} onChange=${m=>t({suite:m.currentTarget.value})}>
          ${Ym(n.data?.suites??[],d.suite).map(m=>s`<option value=${m} selected=${m===d.suite}>${m}</option>`)}
        </select>
      </label>
      ${u&&s`<${Zm} suite=${u} />`}
      ${n.error&&s`<${E} error=${n.error} onRetry=${n.reload} />`}
      <${Ci}
        modelChoices=${Ii(o.data?.models??[],r,d.models)}
        chosen=${d.models}
        onChosen=${m=>t({models:m.join(" ")})}
        loaded=${o}
        first=${l}
      />
      <${xn} name="repeats" label="Repeats per case" empty="1" max="100" step="1" params=${e} change=${t} />
      <label class="check">
        <input type="checkbox" checked=${d.stop_early} onChange=${()=>t({early:d.stop_early?"no":""})} />
        Stop early
      </label>
      <small>
        ${d.stop_early?"Testing of a model stops once its result is certain, for a good model after about 17 of 75 cases.":"All cases run, for rates by category and for comparisons."}
      </small>
      <${D} summary="Budget" open=${["calls","tokens","usd"].some(m=>m in e)}>
        <small>The run stops at the first limit reached.</small>
        <${xn} name="calls" label="Chats" empty="no limit" step="1" params=${e} change=${t} />
        <${xn} name="tokens" label="Tokens" empty="no limit" step="1" params=${e} change=${t} />
        <${xn} name="usd" label="US dollars" empty="no limit" step="any" min="0.000001" params=${e} change=${t} />
      <//>
      <p id="val-estimate">${f.text}</p>
      <div class="row">
        <button type="submit" class="primary" disabled=${!f.ready||c.busy} aria-describedby="val-estimate">Start</button>
        ${c.busy&&s`<${M} label="Starting the run" since=${c.since} />`}
      </div>
      ${c.error&&s`<${E} error=${c.error} onRetry=${()=>i.current?.requestSubmit()} />`}
    </form>
  `}function Ym(e,t){return[...new Set([...e.map(({name:n})=>n),t])]}function Zm({suite:e}){let t=e.built_in?"built in":"custom",n=`${_(e.cases,"case")}, ${t}`;return s`<${D} summary=${n}>
    ${e.description&&s`<p>${e.description}</p>`}
    <ul>
      ${Object.entries(e.categories).map(([o,r])=>s`<li>${kn(o)}: ${r}</li>`)}
    </ul>
  <//>`}function xn({name:e,label:t,empty:n,min:o="1",max:r,step:a,params:i,change:l}){return s`<label class="field">
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
  </label>`}function ot({title:e,focus:t=!1,reveal:n=!1,onClose:o,children:r}){let a=y(null),i=te();return v(()=>{t&&a.current?.focus()},[e,t]),v(()=>{n&&a.current?.scrollIntoView({block:"nearest"})},[n]),s`
    <section class="val-panel stack" aria-labelledby=${i}>
      <div class="row spread">
        <h2 id=${i} ref=${a} tabindex="-1">${e}</h2>
        <button type="button" class="quiet" onClick=${o}>Close</button>
      </div>
      ${r}
    </section>
  `}function Pi(e){return e.low>=.8?"proven":e.high<.8?"failing":"undecided"}function Oo(e,t){let n=e.rate-t.rate;return{value:n,low:Math.max(-1,n-Math.hypot(e.rate-e.low,t.high-t.rate)),high:Math.min(1,n+Math.hypot(e.high-e.rate,t.rate-t.low))}}function Mo({low:e,high:t}){return e>0?"a":t<0?"b":"neither"}function qi(e,t,n){let o=Mo(e);return o==="a"?`${t} is better by ${Li(e.value,e.low,e.high)}`:o==="b"?`${n} is better by ${Li(-e.value,-e.high,-e.low)}`:"No significant difference"}function Hi({value:e,low:t,high:n}){return`${Ao(e)} (${Ao(t)} to ${Ao(n)})`}function Li(e,t,n){return`${Cn(e)} points (${Cn(t)} to ${Cn(n)})`}function Ao(e){let t=Cn(Math.abs(e));return t==="0"?t:`${e<0?"−":"+"}${t}`}function Cn(e){let t=e*100;return t>0&&t<1?t.toFixed(1):String(Math.round(t))}function Fi({a:e,b:t,onClose:n}){let o={a:e.model_id,b:t.model_id};return s`
    <${ot} title=${`${e.model_id} and ${t.model_id}`} onClose=${n}>
      <p role="status"><strong>${ef(e,t)}</strong></p>
      ${(e.demo||t.demo)&&s`<p class="notice">! The demo model follows fixed rules: this difference is no evidence about real models.</p>`}
      <div class="scroll" tabindex="0" role="region" aria-label="Difference by category">
        <table class="val-comparison">
          <caption class="hidden">Difference by category, with 95 % interval</caption>
          <thead>
            <tr>
              <th scope="col">Category</th>
              <th scope="col" class="number">${e.model_id}${e.demo&&s` <${W} />`}</th>
              <th scope="col" class="number">${t.model_id}${t.demo&&s` <${W} />`}</th>
              <th scope="col" class="number">Points</th>
              <th scope="col">Result</th>
            </tr>
          </thead>
          <tbody>
            <${Bi} title="All" a=${e.rate} b=${t.rate} names=${o} />
            ${ke.map(({name:r,title:a})=>s`<${Bi} title=${a} a=${e.categories?.[r]} b=${t.categories?.[r]} names=${o} />`)}
          </tbody>
        </table>
      </div>
      <small>
        Differences in percentage points with Newcombe's 95 % interval. If the interval contains 0, the difference is not
        significant; a single category rarely has enough tests.
      </small>
    <//>
  `}function ef(e,t){return!e.rate||!t.rate?"Only one of the models was tested.":`${qi(Oo(e.rate,t.rate),e.model_id,t.model_id)}.`}function Bi({title:e,a:t,b:n,names:o}){let r=t&&n?Oo(t,n):void 0;return s`
    <tr>
      <th scope="row">${e}</th>
      <td class="number">${t?ge(t):"–"}</td>
      <td class="number">${n?ge(n):"–"}</td>
      <td class="number">${r?Hi(r):"–"}</td>
      <td>${r?tf(r,o):"not tested by both"}</td>
    </tr>
  `}function tf(e,t){let n=Mo(e);return n==="neither"?"not significant":`${t[n]} is better`}var Mt=72,Io=20,En=3,nf=864e5,of=new Intl.DateTimeFormat("en-GB",{day:"numeric",month:"short",timeZone:"UTC"});function ji(e){return Math.round(e*10)/10}function No(e){return ji(En+(1-e)*(Io-2*En))}function rf(e){let t=e.map(({day:r})=>Date.parse(r)),n=t[0]??0,o=Math.max(nf,(t.at(-1)??0)-n);return e.map(({tests:r,successes:a},i)=>({x:e.length===1?Mt/2:ji(En+((t[i]??0)-n)/o*(Mt-2*En)),y:No(a/r)}))}function sf(e){return e.map(({day:t,tests:n,successes:o})=>`${of.format(new Date(t))} ${Ke(o/n)} of ${n}`).join(", ")}function Ui({days:e}){let t=rf(e),n=`Rate by day: ${sf(e)}`;return s`
    <svg class="val-trend" viewBox=${`0 0 ${Mt} ${Io}`} width=${Mt} height=${Io} role="img" aria-label=${n}>
      <title>${n}</title>
      <line x1="0" x2=${Mt} y1=${No(.8)} y2=${No(.8)} />
      <polyline points=${t.map(({x:o,y:r})=>`${o},${r}`).join(" ")} />
      ${t.slice(-1).map(({x:o,y:r})=>s`<circle cx=${o} cy=${r} r="2.5" />`)}
    </svg>
  `}var af={proven:"✓",failing:"✕",undecided:""};function Wi({statuses:e,order:t,onOrder:n,ticked:o,onTick:r,open:a,onOpen:i}){let l=(c,d,u)=>s`
    <th scope="col" aria-sort=${t===c?u:void 0}>
      <button type="button" class="quiet val-sort" onClick=${()=>n(c)}>
        ${d}<span aria-hidden="true">${t===c&&(u==="ascending"?" ▴":" ▾")}</span>
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
            ${ke.map(({title:c,description:d})=>s`<th scope="col" class="val-category" title=${d}>${c}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${Ri(e,t).map(c=>s`
              <${lf}
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
    <${D} summary="Legend">
      <p>
        The number is the share of passed tests. The bar is the 95 % interval that is likely to contain the model's true rate.
      </p>
      <ul>
        <li><b>✓</b> proven: the whole interval is at or above 80 %, at the earliest after 16 of 16 tests</li>
        <li><b>✕</b> failing: the whole interval is below 80 %</li>
        <li><b>demo</b>: demo model, no evidence about a real model</li>
        <li>outlined: undecided, the interval contains 80 %; more tests are needed</li>
      </ul>
      <ul>${ke.map(({title:c,description:d})=>s`<li><b>${c}</b>: ${d}</li>`)}</ul>
    <//>
  `}function lf({status:e,ticked:t,onTick:n,open:o,onOpen:r}){let{model_id:a,badge:i,demo:l}=e;return s`
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
        ${l&&s`<${W} />`}
        ${i&&!l&&s`<small class="badge" title=${i.tooltip}><span aria-hidden="true">${i.symbol}</span> ${i.text}</small>`}
      </th>
      <td>${e.rate&&s`<${Xt} rate=${e.rate} />`}</td>
      <td>
        ${(e.trend?.length??0)>0&&s`<${Ui} days=${e.trend} />`}
        ${e.last_tested&&s`<div><small><${G} at=${e.last_tested} /></small></div>`}
      </td>
      ${ke.map(c=>s`
          <td class="val-rate-cell">
            <${cf}
              rate=${e.categories?.[c.name]}
              demo=${l??!1}
              label=${`${c.title}, ${a}`}
              open=${o===c.name}
              onOpen=${()=>r({model:a,category:c.name})}
            />
          </td>
        `)}
    </tr>
  `}function cf({rate:e,demo:t,label:n,open:o,onOpen:r}){if(!e)return s`<span class="val-untested" title="not tested">–<span class="hidden"> not tested</span></span>`;let a=Pi(e),i={left:`${e.low*100}%`,width:`${Math.max(1,(e.high-e.low)*100)}%`},l=`${Math.round(e.low*100)} to ${Math.round(e.high*100)} %`;return s`
    <button
      type="button"
      class="val-cell"
      data-state=${t?"demo":a}
      aria-pressed=${o}
      title=${`${e.successes} of ${e.tests} passed, ${l}, ${t?"demo model":a}`}
      onClick=${r}
    >
      <span class="number">${Ke(e.rate)}</span>
      <small class="number"><span aria-hidden="true">${t?"":af[a]}</span>${" "}n ${e.tests}</small>
      <span class="interval" aria-hidden="true"><span style=${i}></span><i style=${{left:`${e.rate*100}%`}}></i></span>
      <span class="hidden">${n}, ${l}, ${t?"demo model":a}</span>
    </button>
  `}function rt(e,t=[]){let n=J(),o=y(e);o.current=e;let r=L(),{run:a}=r,[i,l]=$(Gi()),c=JSON.stringify(t),d=C(()=>{a(async f=>{let p=await o.current(void 0,f);l({items:p.items,cursor:p.cursor??void 0,isLoaded:!0})})},[a]);v(()=>{l(Gi()),d()},[c,n,d]);let u=()=>{a(async f=>{let p=await o.current(i.cursor,f);l(m=>({items:[...m.items,...p.items],cursor:p.cursor??void 0,isLoaded:!0}))})};return{items:i.items,isLoaded:i.isLoaded,more:i.cursor!==void 0,next:i.isLoaded?u:d,restart:d,task:r}}function Gi(){return{items:[],cursor:void 0,isLoaded:!1}}function Ki(e,t){return t.models.flatMap(({model:n,done:o})=>{let r=e?.models.find(a=>a.model===n)?.done??0;return o>r?[{model:n,limit:Math.min(100,o-r+10)}]:[]})}function Do({run:e,model:t,case:n,repeat:o,request_id:r}){return`${e} ${t} ${n} ${o} ${r}`}function Lo({result:e}){return e!=="skipped"}function zi(e,t,n){return[...new Map([...e,...t.filter(r=>r.run===n&&Lo(r))].map(r=>[Do(r),r])).values()].sort((r,a)=>a.at.localeCompare(r.at)).slice(0,100)}var uf={passed:{tone:"good",text:"passed"},failed:{tone:"bad",text:"failed"},error:{tone:"warn",text:"error, not counted"},skipped:{tone:"plain",text:"skipped"},no_tool_call:{tone:"plain",text:"no tool call, not counted"}},df=10,mf=5,Ji=100,Po=200,ff=50,pf=56;function qo({verdicts:e,label:t,models:n=!1}){let o=e.length>Po?ff:Po;return Array.from({length:Math.ceil(e.length/o)},(a,i)=>i*o).map(a=>{let i=e.slice(a,a+o);return s`<ul
      key=${a}
      class="val-verdicts"
      aria-label=${a===0?t:`${t}, from ${a+1}`}
      style=${e.length>Po?{contentVisibility:"auto",containIntrinsicSize:`auto ${i.length*pf}px`}:{}}
    >
      ${i.map(l=>s`<${$f} key=${Do(l)} verdict=${l} models=${n} />`)}
    </ul>`})}function $f({verdict:e,models:t}){let{tone:n,text:o}=uf[e.result];return s`
    <li>
      <div class="row">
        <${T} tone=${n}>${o}<//>
        <strong>${e.case}${e.repeat>1&&` #${e.repeat}`}</strong>
        ${t&&s`<span>${e.model}</span>`}
        ${e.category&&s`<${Q}>${kn(e.category)}<//>`}
        ${e.counted===!1&&s`<${Q}>manual, not counted<//>`}
        <small class="row val-facts">
          <${G} at=${e.at} />
          <span class="number">${O(e.latency_ms)}</span>
          <span class="number">${_(e.tokens,"token")}</span>
          ${typeof e.cost_usd=="number"&&s`<span class="number">${pe(e.cost_usd)}</span>`}
          ${e.request_id&&s`<${X} text=${e.request_id} label="Copy request id" />`}
        </small>
      </div>
      ${e.reasons.length>0&&s`<ul class="val-reasons">${e.reasons.map(r=>s`<li>${r}</li>`)}</ul>`}
    </li>
  `}function Rn({pages:e,label:t,models:n=!1,filter:o,failedOnly:r,onFailedOnly:a}){let{items:i,isLoaded:l,more:c,next:d,task:u}=e,f=i.filter(m=>Lo(m)&&o(m)&&!(r&&m.result==="passed")),p=l&&c&&!u.busy&&!u.error&&f.length<df&&i.length<mf*Ji;return v(()=>{p&&d()}),u.error&&!l?s`<${E} error=${u.error} onRetry=${d} />`:l?s`
    <div class="row spread">
      <span role="status">${A(f.length)} of ${_(i.length,"loaded verdict")}${c?", more available":""}</span>
      <label class="check">
        <input type="checkbox" checked=${r} onChange=${()=>a(!r)} />
        Hide passed
      </label>
    </div>
    ${f.length===0&&!c&&s`<p>None.</p>`}
    <${qo} verdicts=${f} label=${t} models=${n} />
    <${hf} pages=${e} />
  `:s`<${F} lines=${6} label=${t} />`}function hf({pages:{more:e,next:t,task:n}}){return n.error?s`<${E} error=${n.error} onRetry=${t} />`:n.busy?s`<${M} label="Loading verdicts" since=${n.since} />`:e&&s`<div><button type="button" onClick=${t}>Load ${Ji} more</button></div>`}var _f=100;function Xi({model:e,category:t,status:n,focus:o,onClose:r}){let[a,i]=$(!1),l=ke.find(u=>u.name===t),c=rt(async(u,f)=>{let{records:p,cursor:m}=await w.history(e,{limit:_f,cursor:u,signal:f});return{items:p,cursor:m}},[e]);ne([{keys:"Escape",label:"Close the verdicts",run:r}]);let d=l?n?.categories?.[l.name]:n?.rate;return s`
    <${ot} title=${`${l?l.title:"All verdicts"} · ${e}`} focus=${o} onClose=${r}>
      ${l&&s`<p>Tests: ${l.description}.</p>`}
      ${n?.demo&&s`<p class="notice">! Verdicts of the demo model are no evidence about a real model.</p>`}
      ${d&&s`<p>${d.successes} of ${_(d.tests,"test")} passed, ${ge(d)}.</p>`}
      ${!l&&n&&s`<${bf} status=${n} />`}
      <${Rn}
        pages=${c}
        label=${`Verdicts of ${e}`}
        filter=${u=>!l||u.category===l.name}
        failedOnly=${a}
        onFailedOnly=${i}
      />
    <//>
  `}function bf({status:e}){let t=[typeof e.latency_ms=="number"&&O(e.latency_ms),typeof e.tokens=="number"&&_(Math.round(e.tokens),"token"),typeof e.cost_usd=="number"&&pe(e.cost_usd)].filter(Boolean),{by_hand:n}=e,o=[(e.errors??0)>0&&_(e.errors??0,"error"),(e.no_tool_calls??0)>0&&`${_(e.no_tool_calls??0,"plain test")} without a tool call`,n&&`${_(n.tests+n.errors+n.no_tool_calls,"test")} run manually`].filter(Boolean);return s`<p>
    ${t.length>0&&`Average per case: ${t.join(", ")}.`}
    ${o.length>0&&` Not counted: ${o.join(", ")}.`}
  </p>`}var gf=12;function Qi({models:e,first:t,onFill:n}){return s`
    <${_e} title="No results yet">
      <p>
        Providers list tool calling for most models. Validation tests it: a run sends a suite of cases to a model and grades
        whether it calls the right tools with the right arguments.
      </p>
      ${t&&n&&s`<button type="button" onClick=${()=>n(t)}>Validate ${t}</button>`}
      ${!t&&e.loading&&s`<p>Loading models.</p>`}
      ${!t&&!e.loading&&s`<p>No models with tool calling are configured.</p>`}
    <//>
  `}function Yi({models:e,onFill:t}){if(e.length===0)return null;let n=e.slice(0,gf).map(({id:r})=>r),o=e.length-n.length;return s`
    <div class="notice">
      <span aria-hidden="true">🔧⚠️</span> ${_(e.length,"model")} not tested yet.
      <div class="row">
        ${n.map(r=>s`<button type="button" class="quiet" title=${`Select ${r} in the form`} onClick=${()=>t(r)}>${r}</button>`)}
        ${o>0&&`and ${o} more`}
      </div>
    </div>
  `}function Zi({params:e,change:t,statuses:n,rows:o,models:r,onFill:a}){let i=y(null),l=r.data?.models??[],{model:c,category:d="",run:u}=e,f=m=>{i.current=document.activeElement,t(m,{replace:!1})},p=()=>{t({model:"",category:""},{replace:!1}),i.current instanceof HTMLElement&&i.current.focus(),i.current=null};return s`
    ${n.error&&s`<${E} error=${n.error} onRetry=${n.reload} />`}
    ${!n.data&&!n.error&&s`<${F} lines=${6} label="the results" />`}
    ${n.data&&o.length===0&&!u&&s`<${Qi} models=${r} first=${Ot(l)[0]?.id} onFill=${a} />`}
    ${o.length>0&&s`
        <h2>Results</h2>
        <${Wi}
          statuses=${o}
          order=${Ei(e.sort)}
          onOrder=${m=>t({sort:m})}
          ticked=${nt(e.compare)}
          onTick=${m=>t({compare:Ai(nt(e.compare),m).join(" ")})}
          open=${c&&{model:c,category:d}}
          onOpen=${f}
        />
        <${yf} names=${nt(e.compare)} rows=${o} onClose=${()=>t({compare:""})} />
        ${a&&s`<${Yi} models=${Oi(l,o)} onFill=${a} />`}
      `}
    ${c&&s`<${Xi}
        model=${c}
        category=${d}
        status=${o.find(m=>m.model_id===c)}
        focus=${i.current!==null}
        onClose=${p}
      />`}
  `}function yf({names:e,rows:t,onClose:n}){let[o,r]=e.map(a=>t.find(i=>i.model_id===a));return o&&r?s`<${Fi} a=${o} b=${r} onClose=${n} />`:e.length===1&&s`<p role="status">Select another model to compare with ${e[0]}.</p>`}var vf=[1e3,1500,2e3,3e3],wf=3e3;function ye({status:e}){return e!=="queued"&&e!=="running"}function el(e,t){let n=J(),o=y(t);o.current=t;let[r,a]=$(0),[i,l]=$(Tf),c=y(void 0);return v(()=>{let d=new AbortController,{signal:u}=d,f=0,p=0,m=!1,h=async()=>{if(clearTimeout(f),!(document.hidden||m)){m=!0;try{let g=await w.validationRun(e,{limit:1,signal:u}),R=c.current;if(l(b=>Sf(b,g,R)),R!==void 0&&R.status!==g.status&&o.current(g),ye(g)){c.current=g;return}let k=await kf(R,g,u);c.current=g,l(b=>({...b,latest:zi(b.latest,k,e)}))}catch(g){if(u.aborted)return;let R=jt(g);if(l(k=>({...k,error:R})),R.kind!=="offline"&&R.kind!=="failed")return}finally{m=!1}f=setTimeout(h,vf[p++]??wf)}},S=()=>{!document.hidden&&(c.current===void 0||!ye(c.current))&&h()};return h(),document.addEventListener("visibilitychange",S),()=>{d.abort(),clearTimeout(f),document.removeEventListener("visibilitychange",S)}},[e,n,r]),{...i,retry:C(()=>a(d=>d+1),[])}}function Tf(){return{run:void 0,latest:[],error:void 0,advancedAt:performance.now()}}function Sf(e,t,n){let o=t.done===n?.done?e.advancedAt:performance.now();return{...e,run:t,error:void 0,advancedAt:o}}async function kf(e,t,n){return(await Promise.all(Ki(e,t).map(({model:r,limit:a})=>w.history(r,{limit:a,signal:n})))).flatMap(r=>r.records)}var xf=20,Cf={queued:"plain",running:"plain",finished:"good",stopped:"warn",failed:"bad"};function Ho({status:e}){return s`<${T} tone=${Cf[e]}>${e}<//>`}function tl({open:e,changed:t,onOpen:n}){let{items:o,isLoaded:r,more:a,next:i,restart:l,task:c}=rt(async(d,u)=>{let{runs:f,cursor:p}=await w.validationRuns({limit:xf,cursor:d,signal:u});return{items:f,cursor:p}});return v(()=>{t>0&&l()},[t,l]),s`
    <h2>Runs</h2>
    ${!r&&!c.error&&s`<${F} label="the runs" />`}
    ${c.error&&s`<${E} error=${c.error} onRetry=${i} />`}
    ${r&&o.length===0&&s`<small>No runs yet.</small>`}
    <ul class="val-runs">
      ${o.map(d=>s`
          <li key=${d.id}>
            <button type="button" aria-pressed=${d.id===e} onClick=${()=>n(d.id)}>
              <span class="row spread"><${Ho} status=${d.status} /><small><${G} at=${d.created_at} /></small></span>
              <span>${d.suite}${d.repeats>1&&` × ${d.repeats}`} · ${Rf(d)}</span>
              <small class="number">${Ef(d)}</small>
            </button>
          </li>
        `)}
    </ul>
    <div class="row">
      ${a&&!c.busy&&s`<button type="button" onClick=${i}>Show older runs</button>`}
      ${c.busy&&r&&s`<${M} label="Loading runs" since=${c.since} />`}
    </div>
  `}function Ef({passed:e,failed:t,total:n}){let o=e+t;return o===0?`at most ${_(n,"chat")}`:`${A(e)} of ${A(o)} passed`}function Rf({models:e}){return e.length<=2?e.map(({model:t})=>t).join(", "):_(e.length,"model")}var Af=100,Of=3e4;function ol({id:e,operator:t,onStatus:n,onClose:o}){let{run:r,latest:a,error:i,advancedAt:l,retry:c}=el(e,n),d=U(()=>performance.now(),[]);return s`
    <${ot} title=${r?`Run of ${r.suite}${r.repeats>1?` × ${r.repeats}`:""}`:"Run"} reveal onClose=${o}>
      ${!r&&!i&&s`<${M} label="Loading the run" since=${d} />`}
      ${r&&s`<${Mf} run=${r} operator=${t} advancedAt=${l} onChanged=${c} />`}
      ${i&&s`<${E} error=${i} onRetry=${c} />`}
      ${r&&s`<${Nf} run=${r} />`}
      ${r&&ye(r)&&s`<${Df} run=${r} />`}
      ${r&&!ye(r)&&s`<h3>Latest verdicts</h3>
          <div class="val-scroll" tabindex="0" role="region" aria-label="Latest verdicts">
            ${a.length===0?s`<p>No verdicts yet.</p>`:s`<${qo} verdicts=${a} label="Latest verdicts" models />`}
          </div>`}
    <//>
  `}function Mf({run:e,operator:t,advancedAt:n,onChanged:o}){let r=L(),a=U(()=>performance.now()-(Date.now()-Date.parse(e.created_at)),[e.created_at]),i=!ye(e)&&performance.now()-n>Of,l=d=>r.run(async u=>{await d(e.id),u.aborted||o()}),c=[_(e.calls,"chat"),_(e.tokens,"token"),e.cost_usd>0&&pe(e.cost_usd),e.finished_at&&O(Date.parse(e.finished_at)-Date.parse(e.created_at))].filter(Boolean);return s`
    <div class="row">
      <span role="status"><${Ho} status=${e.status} />${ye(e)&&` ${nl(e)}`}</span>
      ${!ye(e)&&s`<${M} label="" since=${a} /> ${t&&s`<button type="button" disabled=${r.busy} onClick=${()=>l(w.stopValidation)}>Stop</button>`}`}
    </div>
    ${e.reason&&s`<p>${e.reason}</p>`}
    <div>
      <progress class="val-progress" max=${e.total} value=${e.done} aria-label="Progress of the run"></progress>
      <small>${A(e.done)} of ${_(e.total,"verdict")}${!ye(e)&&`: ${nl(e)}`} · ${c.join(" · ")}</small>
    </div>
    ${i&&s`<div class="notice row">
        No new verdicts for 30 seconds. Resume the run to repeat cases with lost messages; existing verdicts are kept.
        ${t&&s`<button type="button" disabled=${r.busy} onClick=${()=>l(w.resumeValidation)}>Resume</button>`}
      </div>`}
    ${r.error&&s`<${E} error=${r.error} />`}
  `}function nl({passed:e,failed:t,errors:n,skipped:o}){let r=[`${A(e)} passed`,`${A(t)} failed`];return n>0&&r.push(_(n,"error")),o>0&&r.push(`${A(o)} skipped`),r.join(", ")}var If={passes:"✓ decided: passes",fails:"✕ decided: fails"};function Nf({run:e}){let t=e.total/e.models.length;return s`
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
                <th scope="row" class="val-model">${n}${o&&s` <${W} />`}${c&&s`<div><small>${If[c]}</small></div>`}</th>
                <td>
                  <progress class="val-progress" max=${t} value=${a} aria-label=${`Progress of ${n}`}></progress>
                  <small class="number">${A(a)} of ${A(t)}</small>
                </td>
                <td class="number">${A(r?.successes??0)}</td>
                <td class="number">${A((r?.tests??0)-(r?.successes??0))}</td>
                <td class="number">${A(i)}</td>
                <td class="number">${A(l)}</td>
                <td>${r&&s`<${Xt} rate=${r} />`}</td>
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}function Df({run:e}){let[t,n]=$(e.failed+e.errors>0),o=rt(async(r,a)=>{let{verdicts:i,cursor:l}=await w.validationRun(e.id,{limit:Af,cursor:r,signal:a});return{items:i,cursor:l}},[e.id]);return s`
    <h3>Verdicts</h3>
    <div class="val-scroll" tabindex="0" role="region" aria-label="Verdicts of this run">
      <${Rn}
        pages=${o}
        label="Verdicts of this run"
        models
        filter=${()=>!0}
        failedOnly=${t}
        onFailedOnly=${n}
      />
    </div>
  `}function An(e,{replace:t=!0}={}){let n=Ve();n.view==="validation"&&V("validation",{...n.params,...e},{replace:t})}function Lf(e){An({models:e}),document.getElementById(Ro)?.focus()}function rl({route:{params:e}}){let t=de(p=>w.statuses(p)),n=de(p=>w.suites(p)),o=Ge(),r=re(),[a,i]=$(0),l=t.data?.validations.filter(p=>p.tested||p.errors>0)??[],c=p=>{i(m=>m+1),ye(p)&&(t.reload(),o.reload())},d=p=>An({run:p},{replace:!1}),f=s`
    ${r?s`<${Di} params=${e} change=${An} suites=${n} models=${o} statuses=${l} onStarted=${p=>{i(m=>m+1),d(p.id)}} />`:s`<p class="notice">Starting a run requires a token with the role <strong>operator</strong>.</p>`}
    <${tl} open=${e.run??""} changed=${a} onOpen=${d} />
  `;return s`
    <${me} title="Validation" controls=${f}>
      ${e.run&&s`<${ol} key=${e.run} id=${e.run} operator=${r} onStatus=${c} onClose=${()=>d("")} />`}
      <${Zi} params=${e} change=${An} statuses=${t} rows=${l} models=${o} onFill=${r?Lf:void 0} />
    <//>
  `}var Pf={"tools-testing":ki,chat:Ks,validation:rl,retrieval:Fa,configuration:_a};function sl({route:e}){return s`<${Pf[e.view]} route=${e} />`}function al(){let e=mr(),t=J(),n=y(t!==""),[o,r]=$(t===""),[a,i]=$(!1);return n.current||=t!=="",v(Bt,[]),v(()=>{let l=dt.find(c=>c.name===e.view)?.title;document.title=`${l} · Flexchat`},[e.view]),v(()=>{t===""&&r(!0)},[t]),ne([{keys:"?",label:"Show keyboard shortcuts",run:()=>i(!0)}]),s`
    <a class="skip" href="#main">Skip to content</a>
    <${wr} route=${e} onToken=${()=>r(!0)} onHelp=${()=>i(!0)} />
    <main id="main" tabindex="-1">
      ${n.current&&s`<${sl} key=${e.view} route=${e} />`}
    </main>
    <${kr} open=${o} needed=${t===""} onClose=${()=>r(!1)} />
    <${Ue} title="Keyboard shortcuts" open=${a} onClose=${()=>i(!1)}>
      <dl class="keys">
        ${Gn().map(({keys:l,label:c})=>s`
            <dt><kbd>${se(l)}</kbd></dt>
            <dd>${c}</dd>
          `)}
        <dt><kbd>Tab</kbd></dt>
        <dd>Move to the next control</dd>
      </dl>
    <//>
  `}Hn(s`<${al} />`,document.getElementById("app"));
