/*! preact 11.2.0, MIT: see LICENSE.preact.txt */var B,Uo,ml,Ee,In,Bt,Wo,Pt,Go,Ln,Nn,fl,lt=Symbol.for("pv"),Ft={},Vt=[],pl=/^m(i|n|o|s|text|space)$/,Dn=Array.isArray,Pn=Vt.slice,Ie=Object.assign;function Me(e){e&&e.parentNode&&e.remove()}function Ko(e,t,n){var o,r,a,i={},l=arguments.length;for(a in t)a=="key"?o=t[a]:a=="ref"&&typeof e!="function"?r=t[a]:i[a]=t[a];return l>2&&(i.children=l>3?Pn.call(arguments,2):n),it(e,i,o,r,null)}function it(e,t,n,o,r){var a={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:lt,__v:r||++Uo,__i:-1,__u:0};return!r&&B.vnode&&B.vnode(a),a}function ct(e){return e.children}function qt(e,t){this.props=e,this.context=t,this.__g=0}function Re(e,t){if(t==null)return e.__&&Re(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:Re(e)}function $l(e){var t,n=e.__v,o=n.__e,r=[],a=[],i=e.__P;i&&((t=Ie({constructor:lt},n)).__v=n.__v+1,B.vnode&&B.vnode(t),qn(i,t,n,e.__n,i.namespaceURI,32&n.__u?[o]:null,r,o||Re(n),32&n.__u,a),t.__v=n.__v,t.__.__k[t.__i]=t,Zo(r,t,a),n.__=n.__e=null,t.__e!=o&&Jo(t))}function Jo(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),Jo(e)}function Vo(e){(8&e.__g||(e.__g|=8,Ee.push(e),Bt++))&&In==B.debounceRendering||((In=B.debounceRendering)||queueMicrotask)(zo)}function zo(){try{for(var e,t=1;Ee.length;)Ee.length>t&&Ee.sort(Wo),e=Ee.shift(),t=Ee.length,8&e.__g&&$l(e)}finally{(Bt=Ee.length)&&(In||queueMicrotask)(zo)}}function Xo(e,t,n,o,r,a,i,l,c,u,d){var f,p,m,h,k,g,R=o.__k||Vt,S=t.length;for(c=hl(n,t,R,c,S),f=0;f<S;f++)(m=n.__k[f])!=null&&(p=~m.__i&&R[m.__i]||Ft,m.__i=f,g=qn(e,m,p,r,a,i,l,c,u,d),h=m.__e,(p.ref!=m.ref||8&p.__u)&&(p.ref&&Hn(p.ref,null,m,p),m.ref&&d.push(m.ref,m.__c||h,m)),k=k||h,4&m.__u?(c=Qo(m,c,e,!p.__v),p.__e&&(p.__e=null)):typeof m.type=="function"&&g!==void 0?c=g:h&&(c=h.nextSibling),m.__u&=-21);return n.__e=k,c}function hl(e,t,n,o,r){var a,i,l,c,u,d,f,p,m,h=n.length,k=h,g=0,R=0,S=e.__k=Array(r);for(a=0;a<r;a++)(i=t[a])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=S[a]=it(null,i):Dn(i)?i=S[a]=it(ct,{children:i}):i.constructor===lt&&i.__b?i=S[a]=it(i.type,i.props,i.key,i.ref,i.__v):S[a]=i,c=a+g,i.__=e,i.__b=e.__b+1,l=null,~(u=i.__i=_l(i,n,c,k))&&(k--,(l=n[u])&&(l.__u|=2)),l&&l.__v?(i.__u|=16,u==c-1?g--:u==c+1?g++:u!=c&&(u>c?g--:g++,R=1)):(~u||(r>h?g--:r<h&&g++),typeof i.type!="function"&&(i.__u|=4))):S[a]=null;if(R){for(d=[],f=[],a=0;a<r;a++)if((i=S[a])&&16&i.__u){for(g=0,p=d.length;g<p;)d[m=g+p>>1]<i.__i?g=m+1:p=m;d[g]=i.__i,f[a]=g+1}for(g=d.length;a--;)f[a]&&(f[a]==g?g--:S[a].__u|=4)}if(k)for(a=0;a<h;a++)!(l=n[a])||2&l.__u||(l.__e==o&&(o=Re(l)),Bn(l,l));return o}function Qo(e,t,n,o){var r,a,i,l;if(typeof e.type=="function"){if(e.props.__P)return t;if(r=e.__k)for(a=0;a<r.length;a++)r[a]&&(r[a].__=e,t=Qo(r[a],t,n,!1));return t}for(t&&!t.parentNode&&(t=Re(e))&&!t.parentNode&&(t=null),i=e.__e,l=t;l&&l.nodeType==8;)l=l.nextSibling;for(i!=l&&(!o&&n.moveBefore&&i.parentNode?n.moveBefore(i,t):n.insertBefore(i,t||null)),t=i;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function _l(e,t,n,o){var r,a=e.key,i=e.type,l=t[n],c=l&&!(2&l.__u);if(l===null&&a==null||c&&a==l.key&&i==l.type)return n;if(o>(c?1:0)){for(r=n-1;r>=0;r--)if((l=t[r])&&!(2&l.__u)&&a==l.key&&i==l.type)return r;for(r=n+1;r<t.length;r++)if((l=t[r])&&!(2&l.__u)&&a==l.key&&i==l.type)return r}return-1}function jo(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Dt(e,t,n,o,r){var a,i;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.cssText=o=""),o)for(t in o)n&&t in n||jo(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||jo(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(i=Nn[t]||(Nn[t]=bl(t)),(e.__a||(e.__a={}))[t]=Ln,a=t!=(t=t.replace(Go,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,i,a):e.removeEventListener(t,i,a));else{if(r=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function bl(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[Pt]==null)t[Pt]=Ln++;else if(t[Pt]<this.__a[e])return;return n(B.event?B.event(t):t)}}}function qn(e,t,n,o,r,a,i,l,c,u){var d,f,p,m,h,k,g,R,S,b,x,U,te,me,I,ie,le,Te,_e=t.type;if(t.constructor!==lt)return null;128&n.__u&&(c=32&n.__u,d=n.__c.__z)&&(t.__u|=c,f=a=[],d.nodeType==8?l=Ht(d,a):a.push(d),l=a[0]||l),(d=B.__b)&&d(t);e:if(typeof _e=="function"){p=i.length;try{if(R=t.props,S=(d=_e.prototype)&&d.render,b=(d=_e.contextType)&&o[d.__c],x=d?b?b.props.value:d.__:o,(m=n.__c)?(t.__c=m,2&m.__g&&(m.__g|=1)):(S?t.__c=m=new _e(R,x):(t.__c=m=new qt(R,x),m.constructor=_e,m.render=yl),b&&b.sub(m),m.state||(m.state={}),m.__n=o,m.__g|=8,m.__h=[],m.__k=[]),S&&(m.__s||(m.__s=m.state),_e.getDerivedStateFromProps&&(m.__s==m.state&&(m.__s=Ie({},m.__s)),Ie(m.__s,_e.getDerivedStateFromProps(R,m.__s)))),h=m.props,k=m.state,m.__v=t,n.__c){if(R!==h&&S&&!_e.getDerivedStateFromProps&&m.componentWillReceiveProps&&m.componentWillReceiveProps(R,x),t.__v==n.__v&&!(8&m.__g)||!(4&m.__g)&&m.shouldComponentUpdate&&m.shouldComponentUpdate(R,m.__s,x)===!1){t.__v!=n.__v&&(m.props=R,m.state=m.__s,m.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function($e){$e&&($e.__=t)}),Vt.push.apply(m.__h,m.__k),m.__k=[],m.__h.length&&i.push(m),l=Re(n);break e}m.componentWillUpdate&&m.componentWillUpdate(R,m.__s,x),S&&m.componentDidUpdate&&m.__h.push(function(){m.componentDidUpdate(h,k,g)})}else S&&!_e.getDerivedStateFromProps&&m.componentWillMount&&m.componentWillMount(),S&&m.componentDidMount&&m.__h.push(m.componentDidMount);m.context=x,m.props=R,m.__P=e,m.__g&=-5,U=B.__r,te=S?25:0;do m.__g&=-9,U&&U(t),d=m.render(m.props,m.state=m.__s,m.context);while(8&m.__g&&++te<25);S&&(Vt.push.apply(m.__h,m.__k),m.__k=[]),m.state=m.__s,m.getChildContext&&(o=Ie({},o,m.getChildContext())),S&&n.__c&&m.getSnapshotBeforeUpdate&&(g=m.getSnapshotBeforeUpdate(h,k)),me=d&&d.type===ct&&d.key==null?d.props.children:d,R.__P&&(d=l,r=(e=R.__P).namespaceURI,c=a=null,n.props&&n.props.__P!=e&&(n.__k.some(function($e){$e&&Bn($e,$e)}),n.__k=null),l=n.__k?Re(n,0):null),l=Xo(e,Dn(me)?me:[me],t,n,o,r,a,i,l,c,u),R.__P&&(t.__e=null,l=d),t.__u&=-161,f&&f.some(Me),m.__h.length&&i.push(m),1&m.__g&&(m.__g&=-4)}catch($e){if(i.length=p,t.__v=null,c||a)if($e&&$e.then){if(t.__u|=128|c,a){for(~(le=a.indexOf(l||void 0))||(le=a.length);(Te=a[le-1])&&Te.nodeType==8;)le--;for(;le<a.length;le++)if(Te=a[le])if(a[le]=null,I){if(Te==ie)break}else{if(Te.nodeType!=8)break;Te.data.startsWith("$s")&&(ie=Ht(I=Te))}}if(!I){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;I=l}(d=Ht(I=t.__c.__z||(t.__c.__z=I)))?(t.__e=I,l=d):t.__e=l,l=l&&l.nextSibling}else a&&a.some(Me);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),$e&&$e.then||Yo(t),B.__e($e,t,n)}}else l=t.__e=gl(n.__e,t,n,o,r,a,i,c,u,e);return(d=B.diffed)&&d(t),l}function Ht(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function Yo(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Yo))}function Zo(e,t,n){for(var o=0;o<n.length;)Hn(n[o++],n[o++],n[o++]);B.__c&&B.__c(t,e),e.some(function(r){try{e=r.__h,r.__h=[],e.some(function(a){a.call(r)})}catch(a){B.__e(a,r.__v)}})}function gl(e,t,n,o,r,a,i,l,c,u){var d,f,p,m,h,k,g,R,S=n.props||Ft,b=t.props,x=t.type;if(x=="svg"?r="http://www.w3.org/2000/svg":x=="math"?r="http://www.w3.org/1998/Math/MathML":r||(r="http://www.w3.org/1999/xhtml"),a){for(d=0;d<a.length;d++)if((h=a[d])&&(x?h.localName==x:h.nodeType==3)){e=h,a[d]=null;break}}if(!e){if(R=u.ownerDocument||document,!x)return R.createTextNode(b);e=R.createElementNS(r,x,b.is?b:u),l&&(B.__m&&B.__m(t,a),l=!1),a=null}if(x){if(u=x=="template"&&e.content||e,a=x=="textarea"&&b.defaultValue!=null?null:a&&Pn.call(u.childNodes),!l&&a)for(S={},d=0;d<e.attributes.length;d++)S[(h=e.attributes[d]).name]=h.value;for(d in S)h=S[d],d=="dangerouslySetInnerHTML"?p=h:d=="children"||d in b||d=="value"&&"defaultValue"in b||d=="checked"&&"defaultChecked"in b||Dt(e,d,null,h,r);for(d in b)h=b[d],d=="children"?m=h:d=="dangerouslySetInnerHTML"?f=h:d=="value"?k=h:d=="checked"?g=h:l&&typeof h!="function"||S[d]===h||Dt(e,d,h,S[d],r);f?(l||p&&(f.__html==p.__html||f.__html==e.innerHTML)||(e.innerHTML=f.__html),t.__k=[]):(p&&(e.textContent=""),(x=="foreignObject"||r=="http://www.w3.org/1998/Math/MathML"&&pl.test(x))&&(r="http://www.w3.org/1999/xhtml"),Xo(u,Dn(m)?m:[m],t,n,o,r,a,i,a?a[0]:n.__k&&Re(n,0),l,c),a&&a.some(Me)),l&&x!="textarea"||(d="value",x=="progress"&&k==null?e.removeAttribute(d):k==null||k===e[d]&&(x!="progress"||k)||Dt(e,d,k,S[d],r),d="checked",g!=null&&g!=e[d]&&Dt(e,d,g,S[d],r))}else S===b||l&&e.data==b||(e.data=b);return e}function Hn(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(r){B.__e(r,n)}}function Bn(e,t,n){var o,r,a,i;if(B.unmount&&B.unmount(e),!(o=e.ref)||o.current&&o.current!=e.__e||Hn(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(l){B.__e(l,t)}o.__P=o.__n=null}if(o=e.__k)for(i=0;i<o.length;i++)o[i]&&Bn(o[i],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(r=Ht(o,a=[]))&&(o==e.__e&&a.some(Me),Me(r),Me(o)),n||Me(e.__e),e.__e=e.__c=e.__=null}function yl(e,t,n){return this.constructor(e,n)}function Fn(e,t){var n,o,r,a;B.__&&B.__(e,t),t.nodeType==9&&(t=t.documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=it(ct,{children:[e]}),r=[],a=[],qn(t,t.__k,o||Ft,Ft,t.namespaceURI,o?null:t.firstChild?Pn.call(t.childNodes):null,r,o?o.__e:t.firstChild,n,a),Zo(r,t.__k,a),t.__k.props.children=null}B={__e:function(e,t,n,o){for(var r,a,i;t=t.__;)if((r=t.__c)&&!(1&r.__g)){r.__g|=4;try{if((i=(a=r.constructor)&&a.getDerivedStateFromError)&&r.setState(a.getDerivedStateFromError(e)),r.componentDidCatch&&(r.componentDidCatch(e,o||{}),i=1),i&&8&r.__g)return void(r.__g|=2)}catch(l){e=l}}throw Bt=0,e}},Uo=0,ml=function(e){return e!=null&&e.constructor===lt},qt.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=Ie({},this.state)),typeof e=="function"&&(e=e(Ie({},n),this.props)),e&&(Ie(n,e),this.__v&&(t&&this.__k.push(t),Vo(this)))},qt.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Vo(this))},qt.prototype.render=ct,Ee=[],Bt=0,Wo=function(e,t){return e.__v.__b-t.__v.__b},Pt=Symbol(),Go=/(PointerCapture)$|Capture$/i,Ln=0,Nn={},fl=0;/*! htm 3.1.1, Apache-2.0: see LICENSE.htm.txt */var tr=function(e,t,n,o){var r;t[0]=0;for(var a=1;a<t.length;a++){var i=t[a++],l=t[a]?(t[0]|=i?1:2,n[t[a++]]):t[++a];i===3?o[0]=l:i===4?o[1]=Object.assign(o[1]||{},l):i===5?(o[1]=o[1]||{})[t[++a]]=l:i===6?o[1][t[++a]]+=l+"":i?(r=e.apply(l,tr(e,l,n,["",null])),o.push(r),l[0]?t[0]|=2:(t[a-2]=0,t[a]=r)):o.push(l)}return o},er=new Map;function nr(e){var t=er.get(this);return t||(t=new Map,er.set(this,t)),(t=tr(this,t.get(e)||(t.set(e,t=(function(n){for(var o,r,a=1,i="",l="",c=[0],u=function(p){a===1&&(p||(i=i.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?c.push(0,p,i):a===3&&(p||i)?(c.push(3,p,i),a=2):a===2&&i==="..."&&p?c.push(4,p,0):a===2&&i&&!p?c.push(5,0,!0,i):a>=5&&((i||!p&&a===5)&&(c.push(a,0,i,r),a=6),p&&(c.push(a,p,0,r),a=6)),i=""},d=0;d<n.length;d++){d&&(a===1&&u(),u(d));for(var f=0;f<n[d].length;f++)o=n[d][f],a===1?o==="<"?(u(),c=[c],a=3):i+=o:a===4?i==="--"&&o===">"?(a=1,i=""):i=o+i[0]:l?o===l?l="":i+=o:o==='"'||o==="'"?l=o:o===">"?(u(),a=1):a&&(o==="="?(a=5,r=i,i=""):o==="/"&&(a<5||n[d][f+1]===">")?(u(),a===3&&(c=c[0]),a=c,(c=c[0]).push(2,0,a),a=0):o===" "||o==="	"||o===`
`||o==="\r"?(u(),a=2):i+=o),a===3&&i==="!--"&&(a=4,c=c[0])}return u(),c})(e)),t),arguments,[])).length>1?t:t[0]}/*! preact/hooks 11.2.0, MIT: see LICENSE.preact.txt */var Ne,z,Vn,or,jn=Object.is,dt=0,mr=[],Un=[],J=B,rr=J.__b,sr=J.__r,ar=J.diffed,ir=J.__c,lr=J.unmount,cr=J.__;function mt(e,t){J.__h&&J.__h(z,e,dt||t),dt=0;var n=z.__H||(z.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function $(e){return dt=1,vl(fr,e)}function vl(e,t,n){var o=mt(Ne++,2);if(o.t=e,!o.__c&&(o.__=[n?n(t):fr(void 0,t),function(a){var i=(o.__N||o.__)[0],l=o.t(i,a);jn(i,l)||(o.__N=[l,o.__[1]],o.__c.setState({}))}],o.__c=z,!z.__f)){z.__f=!0;var r=z.shouldComponentUpdate;z.shouldComponentUpdate=function(a,i,l){var c=this.__H;if(!c)return!0;var u=!1,d=this.props!=a;if(c.__.some(function(p){p.__N&&(u=!0,jn(p.__[0],p.__N[0])||(d=!0))}),r){var f=r.call(this,a,i,l);return u?f||d:f}return!u||d}}return o.__}function v(e,t){var n=mt(Ne++,3);!J.__s&&Gn(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,z.__H.__h.push(n))}function ce(e,t){var n=mt(Ne++,4);!J.__s&&Gn(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,z.__h.push(n))}function y(e){return dt=5,V(function(){return{current:e}},[])}function V(e,t){var n=mt(Ne++,7);return Gn(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function C(e,t){return dt=8,V(function(){return e},t)}function ne(){var e=mt(Ne++,11);if(!e.__){for(var t=z.__v;!t.__m&&t.__;)t=t.__;var n=t.__m||(t.__m=[0,0]);e.__="P"+n[0]+"-"+n[1]++}return e.__}function wl(){var e;do{for(;e=Un.shift();)try{ut(e)}catch(n){J.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=mr.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(ut),t.__h.some(Wn),t.__h=[]}catch(n){t.__h=[],J.__e(n,e.__v)}}}while(Un.length)}J.__b=function(e){z=null,rr&&rr(e)},J.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),cr&&cr(e,t)},J.__r=function(e){sr&&sr(e),Ne=0;var t=(z=e.__c).__H;t&&(Vn==z?z.__h=[]:(t.__h.some(ut),t.__h.some(Wn),Ne=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),Vn=z},J.diffed=function(e){ar&&ar(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&dr(mr.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Vn=z=null},J.__c=function(e,t){t.some(function(n){try{n.__h.some(ut),n.__h=n.__h.filter(function(o){return!o.__||Wn(o)})}catch(o){n.__h=[function(){throw o}]}}),ir&&ir(e,t)},J.unmount=function(e){lr&&lr(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(r){try{if(r.__P&&r.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}r.__P=n,dr(Un.push(r))}else ut(r)}catch(a){t=a}}),o.__H=void 0,t&&J.__e(t,o.__v))};var ur=typeof requestAnimationFrame=="function";function Tl(e){var t,n=function(){clearTimeout(o),ur&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);ur&&(t=requestAnimationFrame(n))}function dr(e){e!=1&&or==J.requestAnimationFrame||((or=J.requestAnimationFrame)||Tl)(wl)}function ut(e){var t=z,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),z=t}function Wn(e){var t=z;e.__c=e.__(),z=t}function Gn(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!jn(n,e[o])})}function fr(e,t){return typeof t=="function"?t(e):t}var s=nr.bind(Ko);var Kn=new Set;function Jn(){return[...Kn].flatMap(e=>e.current)}function oe(e){let t=y(e);t.current=e,ce(()=>(Kn.add(t),()=>{Kn.delete(t)}),[])}function kl(e){let t=`${e.ctrlKey||e.metaKey?"mod+":""}${e.key}`,o=(e.target instanceof HTMLElement?e.target:null)?.matches("input:not([type=checkbox], [type=radio], [type=range]), textarea, select");if(e.defaultPrevented||e.isComposing||e.altKey||o&&t.length===1||document.querySelector("dialog[open]"))return;let r=Jn().findLast(a=>a.keys===t);r!==void 0&&(e.preventDefault(),r.run())}addEventListener("keydown",kl);var Sl=/Mac|iP/.test(navigator.platform);function ae(e){return e.replace("mod+",Sl?"⌘ ":"Ctrl ").replace("Enter","⏎").replace("Escape","Esc")}var ke=new URL("../../",import.meta.url),Ae=document.querySelector('meta[name="flexchat-stage"]')?.getAttribute("content")??"",ft=[{name:"tools-testing",title:"Test"},{name:"chat",title:"Chat"},{name:"validation",title:"Validation"},{name:"retrieval",title:"Retrieval"},{name:"configuration",title:"Configuration"}],zn="flexchat:route";function Ue(){let e=location.pathname.slice(ke.pathname.length).replace(/\/$/,"");return{view:ft.find(n=>n.name===e)?.name??"tools-testing",params:Object.fromEntries(new URLSearchParams(location.search))}}function Xn(e,t={}){let n=new URL(e,ke);for(let[o,r]of Object.entries(t))r!==""&&n.searchParams.set(o,r);return n.href}function j(e,t={},{replace:n=!1}={}){let o=Xn(e,t);o!==location.href&&history[n?"replaceState":"pushState"](null,"",o),dispatchEvent(new Event(zn))}function pr(){let[e,t]=$(Ue);return v(()=>{let n=()=>t(Ue());return addEventListener("popstate",n),addEventListener(zn,n),()=>{removeEventListener("popstate",n),removeEventListener(zn,n)}},[]),e}var $r="flexchat.theme",hr=matchMedia("(prefers-color-scheme: dark)");function Qn(){let e=localStorage.getItem($r);return e==="light"||e==="dark"?e:hr.matches?"dark":"light"}function _r(e){localStorage.setItem($r,e),jt()}function jt(){document.documentElement.dataset.theme=Qn()}hr.addEventListener("change",jt);var Yn="flexchat.token",Zn="flexchat:token",Ut=sessionStorage.getItem(Yn)??"";function We(){return Ut}function Le(e,{keep:t=!1}={}){Ut=e,t&&e?sessionStorage.setItem(Yn,e):sessionStorage.removeItem(Yn),dispatchEvent(new Event(Zn))}function X(){let[e,t]=$(Ut);return v(()=>{let n=()=>t(Ut);return addEventListener(Zn,n),()=>removeEventListener(Zn,n)},[]),e}function Ge({title:e,open:t,onClose:n,children:o}){let r=y(null),a=ne();return v(()=>{let l=r.current;t&&!l?.open&&l?.showModal(),!t&&l?.open&&l.close()},[t]),s`
    <dialog ref=${r} aria-labelledby=${a} onCancel=${l=>{l.preventDefault(),n?.()}}>
      <div class="dialog-head">
        <h2 id=${a}>${e}</h2>
        ${n&&s`<button type="button" class="quiet" aria-label="Close" onClick=${n}>✕</button>`}
      </div>
      ${t&&o}
    </dialog>
  `}var br=JSON,xl=/^-?\d+$/;function G(e){return JSON.parse(e,(n,o,r)=>{let a=r?.source??"";return typeof o=="number"&&!Number.isSafeInteger(o)&&xl.test(a)&&br.rawJSON?br.rawJSON(a):o})}var q=class extends Error{constructor(t,n,{status:o=0,code:r="",requestId:a="",details:i=[],retryAfter:l=0}={}){super(n),this.kind=t,this.status=o,this.code=r,this.requestId=a,this.details=i,this.retryAfter=l}};async function N(e,t){let n=await Wt(e,t);return n.status===204?void 0:await Cl(n)}async function Wt(e,{method:t="GET",body:n,query:o={},headers:r={},signal:a}={}){let i=new URL(e,ke);for(let[u,d]of Object.entries(o))d!==void 0&&d!==""&&i.searchParams.set(u,String(d));let l={Accept:"application/json"};We()&&(l.Authorization=`Bearer ${We()}`),n!==void 0&&(l["Content-Type"]="application/json"),Object.assign(l,r);let c=await El(i,{method:t,headers:l,cache:"no-store",credentials:"omit",...n===void 0?{}:{body:JSON.stringify(n)},...a===void 0?{}:{signal:a}});if(!c.ok)throw await Rl(c);return c}async function Cl(e){try{return G(await e.text())}catch(t){throw t instanceof DOMException&&t.name==="AbortError"?t:new q("failed","The response is incomplete or not JSON. Try again.",{status:e.status})}}async function El(e,t){try{return await fetch(e,t)}catch(n){throw n instanceof DOMException&&n.name==="AbortError"?n:new q("offline","No response. Check the network and that the stack is running, then try again.")}}async function Rl(e){let t=await e.text().then(G).catch(()=>({})),n=Al(e);return new q(n,t.message??`The service returned status ${e.status} without a message.`,{status:e.status,code:t.error??"",requestId:t.request_id??e.headers.get("x-amzn-requestid")??"",details:t.details??[],retryAfter:Number(e.headers.get("retry-after"))||0})}function Al({status:e,headers:t}){return e===401?"token":e===403?t.has("x-amzn-errortype")?"token":"forbidden":e<500?"refused":"failed"}var re=encodeURIComponent,gr="text/event-stream",H=e=>e===void 0?{}:{signal:e},w={me:e=>N("api/me",H(e)),meFor:(e,t)=>N("api/me",{headers:{Authorization:`Bearer ${e}`},...H(t)}),tools:e=>N("api/tools/list",H(e)),models:e=>N("api/models/list",H(e)),testTools:(e,t)=>N("api/tools/test",{method:"POST",body:e,...H(t)}),callTool:(e,t)=>N("api/tools/call",{method:"POST",body:e,...H(t)}),streamChat:(e,t)=>Wt("api/chat",{method:"POST",body:e,headers:{Accept:gr},...H(t)}),runEvents:(e,t,n)=>Wt(`api/runs/${re(e)}/events`,{headers:{Accept:gr,...t&&{"Last-Event-ID":t}},...H(n)}),startChat:(e,t)=>N("api/chat",{method:"POST",body:e,headers:{Prefer:"respond-async"},...H(t)}),run:(e,t)=>N(`api/runs/${re(e)}`,H(t)),cancelRun:e=>N(`api/runs/${re(e)}`,{method:"DELETE"}),sessions:({limit:e,cursor:t,signal:n}={})=>N("api/sessions",{query:{limit:e,cursor:t},...H(n)}),session:(e,t)=>N(`api/sessions/${re(e)}`,H(t)),renameSession:(e,t)=>N(`api/sessions/${re(e)}`,{method:"PATCH",body:{title:t}}),deleteSession:e=>N(`api/sessions/${re(e)}`,{method:"DELETE"}),messages:(e,{limit:t,cursor:n,fromTurn:o,signal:r}={})=>N(`api/sessions/${re(e)}/messages`,{query:{limit:t,cursor:n,from_turn:o},...H(r)}),collections:e=>N("api/collections",H(e)),search:(e,t,n)=>N(`api/collections/${re(e)}/query`,{method:"POST",body:t,...H(n)}),changeCollection:(e,t)=>N(`api/collections/${re(e)}`,{method:"PATCH",body:t}),statuses:e=>N("api/tools/validate",H(e)),history:(e,{limit:t,cursor:n,signal:o}={})=>N("api/tools/validate",{query:{model:e,limit:t,cursor:n},...H(o)}),validationRuns:({limit:e,cursor:t,signal:n}={})=>N("api/validation/runs",{query:{limit:e,cursor:t},...H(n)}),validationRun:(e,{limit:t,cursor:n,signal:o}={})=>N(`api/validation/runs/${re(e)}`,{query:{limit:t,cursor:n},...H(o)}),startValidation:e=>N("api/tools/validate",{method:"POST",body:e}),stopValidation:e=>N(`api/validation/runs/${re(e)}`,{method:"DELETE"}),resumeValidation:e=>N(`api/validation/runs/${re(e)}/resume`,{method:"POST"}),suites:e=>N("api/validation/suites",H(e)),suite:(e,t)=>N(`api/validation/suites/${re(e)}`,H(t)),putSuite:(e,t)=>N(`api/validation/suites/${re(e)}`,{method:"PUT",body:t}),configuration:e=>N("api/config",H(e)),matchRule:(e,t)=>N("api/config/match",{method:"POST",body:{profile:e},...H(t)}),mcpServers:e=>N("api/mcp/servers",H(e)),refreshMcpServer:(e,t)=>N(`api/mcp/servers/${re(e)}/refresh`,{method:"POST",...H(t)}),approveMcpTools:(e,t,n)=>N(`api/mcp/servers/${re(e)}/approve`,{method:"POST",body:t,...H(n)}),health:e=>N("health",H(e))};function fe(e,t=[]){let n=X(),o=y(e);o.current=e;let r=JSON.stringify(t),[a,i]=$(0),[l,c]=$({data:void 0,error:void 0,loading:!0});return v(()=>{if(n==="")return;let u=new AbortController;return c(d=>({...d,loading:!0})),o.current(u.signal).then(d=>!u.signal.aborted&&c({data:d,error:void 0,loading:!1}),d=>!u.signal.aborted&&c(f=>({...f,error:Gt(d),loading:!1}))),()=>u.abort()},[r,n,a]),{...l,reload:C(()=>i(u=>u+1),[])}}function D(){let e=y(void 0),[t,n]=$({busy:!1,since:0,error:void 0,cancelled:!1});v(()=>()=>e.current?.abort(),[]);let o=C(async i=>{e.current?.abort();let l=new AbortController;e.current=l,n({busy:!0,since:performance.now(),error:void 0,cancelled:!1});let c;try{await i(l.signal)}catch(u){l.signal.aborted||(c=Gt(u))}e.current===l&&n(u=>({...u,busy:!1,error:c,cancelled:l.signal.aborted}))},[]),r=C(()=>e.current?.abort(),[]),a=C(()=>n(i=>({...i,error:void 0,cancelled:!1})),[]);return{...t,run:o,cancel:r,clear:a}}function Gt(e){return e instanceof q?e:(reportError(e),new q("page",`Error in the page: ${e instanceof Error?e.message:String(e)}`))}var Kt="flexchat:cached-query",pt=new Map;function Jt(e,t){let[n,o]=$(0),r=fe(()=>Ol(e,t),[n]);return v(()=>{r.error!==void 0&&pt.delete(e)},[r.error,e]),v(()=>{let a=i=>{i instanceof CustomEvent&&i.detail===e&&o(l=>l+1)};return addEventListener(Kt,a),()=>removeEventListener(Kt,a)},[e]),{...r,reload:C(()=>yr(e),[e]),put:C(a=>vr(e,a),[e])}}function yr(e){pt.delete(e),dispatchEvent(new CustomEvent(Kt,{detail:e}))}function vr(e,t){pt.set(e,{token:We(),promise:Promise.resolve(t)}),dispatchEvent(new CustomEvent(Kt,{detail:e}))}function Ol(e,t){let n=We(),o=pt.get(e);if(o?.token===n)return o.promise;let r=t();return pt.set(e,{token:n,promise:r}),r}var Ke=()=>Jt("tools",()=>w.tools()),Je=()=>Jt("models",()=>w.models()),wr=()=>yr("models"),zt=()=>Jt("collections",()=>w.collections()),Tr=e=>vr("caller",e);function se(){let{data:e}=Jt("caller",()=>w.me());return e===void 0||e.roles.includes("operator")}var Ml=3e4;function Sr({route:e,onToken:t,onHelp:n}){let o=X(),r=se();return s`
    <header class="shell">
      <a class="brand" href=${ke.href} onClick=${a=>kr(a,"tools-testing")}>
        Flexchat ${Ae&&s`<small>stage ${Ae}</small>`}
      </a>
      <nav aria-label="Views">
        ${ft.filter(({name:a})=>r||a!=="configuration"||a===e.view).map(({name:a,title:i})=>s`
            <a
              href=${Xn(a)}
              aria-current=${a===e.view?"page":void 0}
              onClick=${l=>kr(l,a)}
              >${i}</a
            >
          `)}
      </nav>
      <div class="shell-status">
        <${Nl} />
        <button type="button" class="quiet" onClick=${t}>${o?"Token":"No token"} ▾</button>
        <${Il} />
        <button type="button" class="quiet" aria-label="Show keyboard shortcuts" title="Show keyboard shortcuts (?)" onClick=${n}>?</button>
      </div>
    </header>
  `}function kr(e,t){e.metaKey||e.ctrlKey||e.shiftKey||e.button!==0||(e.preventDefault(),j(t))}function Il(){let[e,t]=$(Qn),n=e==="dark"?"light":"dark",o=()=>{_r(n),t(n)},r=`Switch to the ${n} theme`;return s`<button type="button" class="quiet" aria-label=${r} title=${r} onClick=${o}>◐</button>`}function Nl(){let[e,t]=$("unknown");v(()=>{let r=()=>{document.hidden||w.health().then(()=>t("healthy"),()=>t("unreachable"))};r();let a=setInterval(r,Ml);return document.addEventListener("visibilitychange",r),()=>{clearInterval(a),document.removeEventListener("visibilitychange",r)}},[]);let n={unknown:"○",healthy:"●",unreachable:"▲"}[e],o={unknown:"plain",healthy:"good",unreachable:"bad"}[e];return s`<span class="health" data-tone=${o} role="status">
    <span aria-hidden="true">${n}</span> ${e==="unknown"?"checking":e}
  </span>`}var Ll=new Intl.NumberFormat("en-GB"),Dl=new Intl.NumberFormat("en-GB",{maximumSignificantDigits:2}),Pl=new Intl.DateTimeFormat("en-GB",{dateStyle:"medium",timeStyle:"medium"}),xr=new Intl.RelativeTimeFormat("en-GB",{numeric:"auto"}),ql=[["day",86400],["hour",3600],["minute",60]];function A(e){return Ll.format(e)}function _(e,t,n=`${t}s`){return`${A(e)} ${e===1?t:n}`}function O(e){if(e<999.5)return`${Math.round(e)} ms`;if(e<59950)return`${(e/1e3).toFixed(e<1e4?2:1)} s`;let t=Math.round(e/1e3);return`${Math.floor(t/60)} min ${t%60} s`}function ze(e){return`${Math.round(e*100)} %`}function he(e){return`$${e>=1?e.toFixed(2):Dl.format(e)}`}function Xt(e){return e<1e3?`${e} B`:e<999500?`${Math.round(e/1e3)} kB`:`${(e/1e6).toFixed(1)} MB`}function be(e){return e.toFixed(3)}function $t(e){return Pl.format(new Date(e))}function Cr(e,t=Date.now()){let n=(new Date(e).getTime()-t)/1e3;for(let[o,r]of ql)if(Math.abs(n)>=r)return xr.format(Math.round(n/r),o);return Math.abs(n)<10?"just now":xr.format(Math.round(n),"second")}var Hl=200;function M({label:e,since:t}){let[n,o]=$(performance.now());return v(()=>{let r=setInterval(()=>o(performance.now()),Hl);return()=>clearInterval(r)},[]),s`<span class="busy">
    <span class="spinner" aria-hidden="true"></span>
    <span role="status">${e}</span>
    <span class="number" aria-hidden="true">${O(Math.max(0,n-t))}</span>
  </span>`}function F({lines:e=3,label:t}){return s`<div class="skeleton" role="status" aria-label=${`Loading ${t}`}>
    ${Array.from({length:e},()=>s`<span></span>`)}
  </div>`}function ge({title:e,children:t}){return s`<div class="empty"><h2>${e}</h2>${t}</div>`}function Er({open:e,needed:t,onClose:n}){let[o,r]=$(""),[a,i]=$(!1),l=D(),c=d=>{d.preventDefault();let f=o.trim();f===""||l.busy||l.run(async p=>{let m=await w.meFor(f,p);Le(f,{keep:a}),Tr(m),r(""),n()})},u=()=>{Le(""),r("")};return s`
    <${Ge} title="API token" open=${e} onClose=${t?void 0:n}>
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
        ${l.error&&s`<p id="token-problem" class="problem-text" role="alert">${Bl(l.error)}</p>`}
        <div class="row">
          <button type="submit" class="primary" disabled=${l.busy}>Sign in</button>
          ${!t&&s`<button type="button" onClick=${u}>Sign out</button>`}
          ${l.busy&&s`<${M} label="Verifying the token" since=${l.since} />`}
        </div>
      </form>
    <//>
  `}function Bl(e){return e.kind==="token"?`The token is not valid: ${e.message}.`:e.message}function L({summary:e,open:t=!1,children:n}){let[o,r]=$(t);return s`
    <details class="collapsible" open=${o} onToggle=${a=>r(a.currentTarget.open)}>
      <summary>${e}</summary>
      ${o&&s`<div class="collapsible-body">${n}</div>`}
    </details>
  `}var Fl=matchMedia("(width < 800px)"),Vl=40;function Oe(e){let t=y(null),n=y(!1),o=y({busy:e,at:0});ce(()=>{let{current:a}=o;n.current&&Fl.matches&&e!==a.busy&&((e||Math.abs(scrollY-a.at)<Vl)&&t.current?.scrollIntoView({block:"start"}),n.current=e),o.current={busy:e,at:e&&!a.busy?scrollY:a.at}},[e]);let r=C(()=>{n.current=!0},[]);return{section:t,reveal:r}}function pe({title:e,controls:t,section:n,children:o}){return s`
    <h1 class="hidden">${e}</h1>
    <div class="split">
      <section class="split-controls" aria-label="Controls">${t}</section>
      <section class="split-results" ref=${n} aria-label="Results">${o}</section>
    </div>
  `}var eo="flexchat.enter",Rr="breaks";function Ar(){return localStorage.getItem(eo)!==Rr}function Or(e){e?localStorage.removeItem(eo):localStorage.setItem(eo,Rr)}function Mr({key:e,shiftKey:t,altKey:n,ctrlKey:o,metaKey:r,isComposing:a,keyCode:i},l){return l&&e==="Enter"&&!(t||n||o||r||a||i===229)}var to="chat-message";function Ir({draft:e,busy:t,waiting:n,since:o,hint:r,isAway:a,field:i,onWrite:l,onSend:c,onCancel:u,onJump:d}){let[f,p]=$(Ar),m=g=>{g.preventDefault(),c()},h=g=>{Mr(g,f)&&(g.preventDefault(),c())},k=()=>{Or(!f),p(!f)};return s`
    <form class="chat-composer" onSubmit=${m}>
      ${a&&s`<div class="chat-jump"><button type="button" onClick=${d}><span aria-hidden="true">↓</span> Jump to latest</button></div>`}
      <label>
        <span class="hidden">Message</span>
        <textarea
          ref=${i}
          id=${to}
          rows="2"
          placeholder="Message"
          value=${e}
          onKeyDown=${h}
          onInput=${g=>l(g.currentTarget.value)}
        ></textarea>
      </label>
      <div class="row">
        <${jl} field=${i} busy=${t} disabled=${r!==""||e.trim()===""} keys=${f?"Enter":"mod+Enter"} onCancel=${u} />
        ${n&&s`<${M} label=${n} since=${o} />`}
        ${r&&s`<span class="problem-text">✕ ${r}</span>`}
        <label class="check chat-enter" title="Shift+Enter inserts a line break. If unchecked, Enter inserts it.">
          <input type="checkbox" checked=${f} onChange=${k} />
          <small>Send with Enter</small>
        </label>
      </div>
    </form>
  `}function jl({field:e,busy:t,disabled:n,keys:o,onCancel:r}){let a=y(null),i=y(null),l=y(null);return ce(()=>{let[c,u]=t?[a.current,i.current]:[i.current,e.current];c!==null&&l.current===c&&u?.focus({preventScroll:!0})},[t,e]),l.current=document.activeElement,s`
    <button ref=${a} type="submit" class="primary" disabled=${t||n}>
      Send <span aria-hidden="true">${ae(o)}</span>
    </button>
    <button ref=${i} type="button" hidden=${!t} onClick=${r}>
      Cancel <span aria-hidden="true">${ae("Escape")}</span>
    </button>
  `}var Ul=2e3;function Q({text:e,label:t}){let[n,o]=$("");return v(()=>{if(n==="")return;let a=setTimeout(()=>o(""),Ul);return()=>clearTimeout(a)},[n]),s`<button type="button" class="quiet" onClick=${()=>navigator.clipboard.writeText(typeof e=="string"?e:e()).then(()=>o("copied ✓"),()=>o("not copied: access denied by the browser"))}>
    ${t}<span role="status">${n&&s` · ${n}`}</span>
  </button>`}var Nr={offline:"The service cannot be reached",token:"The token is not valid",forbidden:"The token lacks the required role",refused:"The request was rejected",failed:"The service failed",page:"The page failed"},De={bad_gateway:"The service failed",built_in_suite:"The suite is built in",configuration:"Configuration error",conflict:"Conflict with another change",definitions_changed:"The definitions have changed",forbidden:"The token lacks the required role",idempotency_in_progress:"The request is still in progress",idempotency_key_reused:"The idempotency key was already used",internal_error:"The service failed",invalid_cursor:"The list has changed",invalid_idempotency_key:"The request is not valid",invalid_last_event_id:"The request is not valid",invalid_request:"The request is not valid",invalid_schema:"The schema of the answer is not valid",invalid_suite:"The suite is not valid",mcp_failed:"The MCP server cannot be used",mcp_starting:"The MCP server is still starting",model_in_validation:"A validation run is testing this model",model_not_found:"Model not found",not_found:"Not found",not_listed:"The tools of the server are not listed yet",payload_too_large:"The request is too large",rate_limited:"Too many requests",response_too_large:"The response is too large",resume_token_expired:"The partial answer has expired",resume_token_in_use:"The partial answer is in use",resume_token_invalid:"The partial answer cannot be continued",resume_token_used:"The partial answer was already continued",run_ended:"The run has ended",run_not_found:"Run not found",server_disabled:"The MCP server is disabled",server_not_found:"MCP server not found",session_busy:"The session is in use",session_moved_on:"The session has changed",session_not_found:"Session not found",suite_not_found:"Suite not found",timeout:"The service did not answer in time",tool_disabled:"The tool is disabled",tool_not_found:"Tool not found",tools_disabled:"Tools are disabled",unauthorized:"The token is not valid",unavailable:"The service is unavailable",unsupported_media_type:"The request is not valid",collection_conflict:"Conflict with another change",collection_configuration:"Configuration error",collection_damaged:"The collection is damaged",collection_exists:"The collection already exists",collection_invalid:"The request is not valid",collection_not_found:"Collection not found",collection_too_large:"The request is too large",collection_unavailable:"The collection is unavailable",model_authentication:"The provider rejected the API key",model_content_filter:"The content filter blocked the message",model_context_length:"The conversation is too long",model_invalid_request:"The provider rejected the request",model_invalid_response:"The provider's response is not valid",model_invalid_format:"The model's answer has another form",model_malformed_tool_call:"The model's tool call cannot be read",model_network:"The provider cannot be reached",model_overloaded:"The provider is overloaded",model_permission:"The API key has no access to this model",model_rate_limit:"The provider's rate limit was reached",model_server_error:"The provider failed",model_timeout:"The provider did not answer in time"},Wl={404:De.not_found??"",408:De.timeout??"",413:De.payload_too_large??"",429:De.rate_limited??"",503:De.unavailable??"",504:De.timeout??""};function Lr({kind:e,code:t,status:n}){return e==="token"||e==="offline"||e==="page"?Nr[e]:De[t]??Wl[n]??Nr[e]}function E({error:e,onRetry:t,retry:n="Try again"}){return s`
    <div class="problem" role="alert">
      <h3><span aria-hidden="true">✕</span> ${Lr(e)}</h3>
      <p>${e.message}</p>
      ${e.retryAfter>0&&s`<p>Retry after ${e.retryAfter} s.</p>`}
      ${e.details.length>0&&s`<ul>${e.details.map(({path:o,message:r})=>s`<li><code>${o}</code> ${r}</li>`)}</ul>`}
      <div class="row">
        ${e.kind==="token"&&s`<button type="button" onClick=${()=>Le("")}>Enter another token</button>`}
        ${t&&e.kind!=="token"&&s`<button type="button" onClick=${t}>${n}</button>`}
        ${e.requestId&&s`<small>request <code>${e.requestId}</code></small>
            <${Q} text=${e.requestId} label="Copy request id" />`}
      </div>
    </div>
  `}var ht={answered:{title:"answered",tone:"good",sign:"✓",reason:""},cut_off:{title:"cut off",tone:"warn",sign:"✂",reason:"The model's token limit cut off the answer."},filtered:{title:"filtered",tone:"bad",sign:"⊘",reason:"The provider's filter stopped the answer."},refused:{title:"refused",tone:"bad",sign:"⊘",reason:"The model refused to answer."},empty:{title:"empty",tone:"warn",sign:"∅",reason:"The model returned no text; a placeholder is shown."},iteration_limit:{title:"iteration limit",tone:"warn",sign:"!",reason:"The limit on iterations was reached before the model answered."},repeated_calls:{title:"repeated calls",tone:"warn",sign:"!",reason:"The model repeated the same call and was stopped."},tool_call_limit:{title:"tool call limit",tone:"warn",sign:"!",reason:"The limit on tool calls was reached before the model answered."},client_calls:{title:"waits for the client",tone:"warn",sign:"…",reason:"The model waits for the results of the client's tools."},out_of_time:{title:"out of time",tone:"warn",sign:"!",reason:"The deadline was reached before the answer was complete."},model_failed:{title:"model failed",tone:"bad",sign:"✕",reason:"The model failed before the answer was complete."},unknown:{title:"unknown outcome",tone:"warn",sign:"?",reason:"The provider returned an unknown finish reason."}};function ye({outcome:e,status:t,error:n}){return e?ht[e]??ht.unknown:t!=="partial"?ht.answered:n?ht.model_failed:ht.out_of_time}var Pr={background:!1,explain:!1,seconds:"",intent:"",service:"",collections:[]},Dr={background:900,waiting:28};function Qt({background:e}){return e?Dr.background:Dr.waiting}function Yt(e){if(e.seconds.trim()==="")return"";let t=Number(e.seconds);return t>=1&&t<=Qt(e)?"":`Enter a deadline from 1 to ${Qt(e)} seconds${e.background?"":", or up to 900 in the background"}.`}function qr(e,t,n){let o=Object.fromEntries(Object.entries({intent:n.intent.trim(),service:n.service.trim()}).filter(([,r])=>r));return{message:e,session_id:t,...n.collections.length>0&&{selected_collections:[...n.collections]},...Object.keys(o).length>0&&{profile:o},...Br(n)}}function Hr(e,t,n){return{resume_token:e,session_id:t,...Br(n)}}function Br(e){let t=e.seconds.trim();return{...t!==""&&{deadline_ms:Math.round(Number(t)*1e3)},...e.explain&&{explain:!0}}}function Fr(e){return[e.background,e.explain,e.seconds.trim(),e.intent.trim(),e.service.trim()].filter(Boolean).length}var Gl={good:"✓",warn:"!",bad:"✕",plain:"·"};function T({tone:e,sign:t=Gl[e],children:n}){return s`<span class="outcome" data-tone=${e}>
    <span aria-hidden="true">${t}</span> ${n}
  </span>`}function W(){return s`<span class="tag demo" title="The demo model follows fixed rules and is no evidence about a real model">demo</span>`}function Y({children:e}){return s`<span class="tag">${e}</span>`}function K({at:e}){return s`<time datetime=${e} title=${$t(e)}>${Cr(e)}</time>`}function ve(e){return`${ze(e.rate)} (${Math.round(e.low*100)}–${Math.round(e.high*100)})`}function Zt({rate:e}){let t={left:`${e.low*100}%`,width:`${Math.max(1,(e.high-e.low)*100)}%`};return s`<span class="rate" title=${`${e.successes} of ${e.tests} tests; 95 % interval`}>
    <span class="number">${ve(e)}</span>
    <span class="interval" aria-hidden="true"><span style=${t}></span><i style=${{left:`${e.rate*100}%`}}></i></span>
  </span>`}function Xe({validation:e,demo:t}){let{badge:n,rate:o}=e;return t?s`<${W} />${o&&s` <small class="number">${ve(o)}</small>`}`:n?s`<span class="badge" title=${n.tooltip}>
    <span aria-hidden="true">${n.symbol}</span> ${n.text}${o&&s` <span class="number">${ve(o)}</span>`}
  </span>`:s`<${T} tone="plain">no tools<//>`}var Kl=200;function en(e){return e.title||"Untitled"}function Vr({session:e,open:t,onOpen:n,onRename:o,onDelete:r}){let[a,i]=$(""),l=D(),c=en(e),u=()=>{i(""),l.clear()},d=m=>{l.run(async()=>{await m(),u()})},f=m=>d(()=>o(e.id,m)),p=()=>d(()=>r(e.id));return s`
    <li class="chat-session" data-open=${t}>
      ${a==="rename"?s`<${zl} title=${c} busy=${l.busy} onCancel=${u} onRename=${f} />`:s`<${Jl} session=${e} open=${t} onOpen=${n} onMode=${i} />`}
      ${a==="delete"&&s`<${Xl} title=${c} busy=${l.busy} onCancel=${u} onDelete=${p} />`}
      ${l.error&&s`<${E} error=${l.error} />`}
    </li>
  `}function Jl({session:e,open:t,onOpen:n,onMode:o}){let r=en(e);return s`
    <div class="chat-session-row">
      <button type="button" class="quiet" aria-current=${t?"true":void 0} onClick=${()=>n(e.id)}>
        <span class="chat-title">${r}</span>
        <small><${K} at=${e.updated_at} /> · ${_(e.turns,"turn")}</small>
      </button>
      <button type="button" class="quiet" aria-label=${`Rename ${r}`} onClick=${()=>o("rename")}>✎</button>
      <button type="button" class="quiet" aria-label=${`Delete ${r}`} onClick=${()=>o("delete")}>✕</button>
    </div>
  `}function zl({title:e,busy:t,onCancel:n,onRename:o}){let r=y(null);return ce(()=>r.current?.select(),[]),s`
    <form class="stack" onSubmit=${i=>{i.preventDefault();let l=r.current?.value.trim();l&&o(l)}} onKeyDown=${i=>jr(i,n)}>
      <label class="field">
        Title
        <input ref=${r} defaultValue=${e} maxlength=${Kl} required />
      </label>
      <div class="row">
        <button type="submit" disabled=${t}>Rename</button>
        <button type="button" onClick=${n}>Cancel</button>
      </div>
    </form>
  `}function Xl({title:e,busy:t,onCancel:n,onDelete:o}){let r=y(null);return ce(()=>r.current?.focus(),[]),s`
    <div
      class="notice stack"
      role="group"
      aria-label=${`Delete ${e}`}
      onKeyDown=${a=>jr(a,n)}
    >
      <p>! Delete this session and all its messages? This cannot be undone.</p>
      <div class="row">
        <button type="button" disabled=${t} onClick=${o}>Delete</button>
        <button type="button" ref=${r} onClick=${n}>Cancel</button>
      </div>
    </div>
  `}function jr(e,t){e.key==="Escape"&&(e.preventDefault(),t())}var Ur=/^ {0,3}(`{3,}|~{3,})([^`]*)$/,Wr=/^ {0,3}(#{1,6})(?:[ \t](.*))?$/s,Gr=/^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/,tn=/^ {0,3}> ?/,gt=/^( {0,3})([-*+]|\d{1,9}[.)])(?:[ \t]+|$)/,Ql=/^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/,Yl=/^[ \t|:-]*$/;function nn(e,{open:t=!1}={}){return no(e.split(/\r\n|\r|\n/),t,0)}function no(e,t,n){let o=[];for(let r=0;r<e.length;){if(Qe(e[r])){r+=1;continue}let{block:a,end:i}=Zl(e,r,t,n);o.push(a),r=i}return o}function Qe(e){return e===void 0||e.trim()===""}function Zl(e,t,n,o){let r=e[t]??"",a=Ur.exec(r);if(a)return ec(e,t,a[1]??"",a[2]??"");let i=Wr.exec(r);if(i){let l=(i[2]??"").trim().replace(/(^|\s)#+$/,"");return{block:{type:"heading",source:r,level:i[1]?.length??1,text:l},end:t+1}}return Gr.test(r)?{block:{type:"rule",source:r},end:t+1}:o<8&&tn.test(r)?nc(e,t,n,o):o<8&&gt.test(r)?oc(e,t,n,o):Jr(e,t,n)?ac(e,t):lc(e,t,o)}function ec(e,t,n,o){let r=o.trim().split(/\s/,1)[0]??"",a=t+1;for(;a<e.length&&!tc(e[a]??"",n);)a+=1;let i=e.slice(t+1,a).join(`
`);return{block:{type:"code",source:yt(e,t,a+1),language:r,text:i},end:a+1}}function tc(e,t){let n=e.trim();return n.length>=t.length&&n.replaceAll(t[0]??"","")===""}function nc(e,t,n,o){let r=t;for(;r<e.length&&tn.test(e[r]??"");)r+=1;let a=e.slice(t,r).map(l=>l.replace(tn,"")),i=no(a,n&&r===e.length,o+1);return{block:{type:"quote",source:yt(e,t,r),blocks:i},end:r}}function oc(e,t,n,o){let r=gt.exec(e[t]??"")?.[2]??"-",a=[],i=0,l=t;for(;l<e.length;l+=1){let f=e[l]??"",p=gt.exec(f);if(p&&_t(f)<Math.max(i,2)&&Kr(p[2]??"",r))i=Math.min(p[0].length,_t(f)+(p[2]?.length??1)+4),a.push([f.slice(p[0].length)]);else if(rc(e,l,{indent:i,marker:r,depth:o}))a.at(-1)?.push(f.slice(Math.min(_t(f),i)));else break}let c=/^\d/.test(r)?Number.parseInt(r,10):void 0,u=f=>n&&l===e.length&&f===a.length-1,d=a.map((f,p)=>no(f,u(p),o+1));return{block:{type:"list",source:yt(e,t,l),start:c,items:d},end:l}}function rc(e,t,{indent:n,marker:o,depth:r}){let a=e[t]??"";return Qe(a)?sc(e,t+1,n,o):_t(a)>=Math.min(n,2)?!0:!Qe(e[t-1])&&!zr(a,r)}function sc(e,t,n,o){let r=e.slice(t,t+2).find(i=>!Qe(i));if(r===void 0)return!1;let a=gt.exec(r);return _t(r)>=Math.min(n,2)||a!==null&&Kr(a[2]??"",o)}function Kr(e,t){return e.at(-1)===t.at(-1)}function _t(e){return e.length-e.trimStart().length}function Jr(e,t,n){let o=e[t]??"",r=e[t+1];return o.includes("|")?r!==void 0&&r.includes("-")&&Ql.test(r)?bt(r).length===bt(o).length:n&&t+2>=e.length&&o.trimStart().startsWith("|")&&(r===void 0||Yl.test(r)):!1}function ac(e,t){let n=Math.min(t+2,e.length);for(;n<e.length&&!Qe(e[n])&&(e[n]??"").includes("|");)n+=1;let o=bt(e[t]??""),r=bt(e[t+1]??"").map(ic),a=e.slice(t+2,n).map(i=>{let l=bt(i);return o.map((c,u)=>l[u]??"")});return{block:{type:"table",source:yt(e,t,n),aligns:r,head:o,rows:a},end:n}}function bt(e){return e.trim().replace(/^\|/,"").replace(/\|$/,"").replaceAll("\\|","\0").split("|",50).map(n=>n.replaceAll("\0","|").trim())}function ic(e){return e.endsWith(":")?e.startsWith(":")?"center":"right":e.startsWith(":")?"left":""}function lc(e,t,n){let o=t+1;for(;o<e.length&&!Qe(e[o])&&!zr(e[o]??"",n)&&!Jr(e,o,!1);)o+=1;let r=yt(e,t,o);return{block:{type:"paragraph",source:r,text:r.trim()},end:o}}function zr(e,t){if(Ur.test(e)||Wr.test(e)||Gr.test(e))return!0;if(t>=8)return!1;let n=gt.exec(e);return tn.test(e)||n!==null&&n[0].length<e.length&&/^(?:[-*+]|1[.)])$/.test(n[2]??"")}function yt(e,t,n){return e.slice(t,n).join(`
`)}var Xr=/[\\`*_~[]|https?:\/\//g,Qr=/https?:\/\/[^\s<>"`|[\]]{1,2000}/y,oo=/\((?=(\s*))\1<?([^\s<>()]*(?:\([^\s<>()]*\)[^\s<>()]*)*)>?(?:\s+"[^"\n]*")?\s*\)/y,cc=/^\[([^[\]\n]*)(?:\](?:\([^)\s]*)?)?$/,uc=/[!-/:-@[-`{-~]/,dc=new Set(["http:","https:","mailto:"]),mc=[["**","strong"],["__","strong"],["~~","del"],["*","em"],["_","em"]];function Yr(e,{open:t=!1}={}){return e.length>2e4?[e]:on(e,t,0)}function on(e,t,n){let o=[],r=new Set,a=Zr(e,0),i="",l=0,c=(u,d)=>{i!==""&&o.push(i),i="",o.push(u),l=d};for(;l<e.length;){Xr.lastIndex=l;let u=Xr.exec(e),d=u?.index??e.length;if(i+=e.slice(l,d),l=d,!u)break;let f=fc(e,l,{open:t,depth:n,unclosed:r,target:a});typeof f.node=="string"?(i+=f.node,l=f.end):c(f.node,f.end)}return i!==""&&o.push(i),o}function fc(e,t,n){let o=e[t]??"",r={node:o,end:t+1};switch(o){case"\\":return pc(e,t);case"`":return $c(e,t,n)??{node:Pe(e,t,"`"),end:t+Pe(e,t,"`").length};case"[":return yc(e,t,n)??r;case"h":return vc(e,t)??r;default:return _c(e,t,n)??{node:Pe(e,t,o),end:t+Pe(e,t,o).length}}}function pc(e,t){let n=e[t+1]??"";return uc.test(n)?{node:n,end:t+2}:{node:n===`
`?"":"\\",end:t+1}}function Pe(e,t,n){let o=t;for(;e[o]===n;)o+=1;return e.slice(t,o)}function $c(e,t,{open:n,unclosed:o}){let r=Pe(e,t,"`"),a=t+r.length,i=o.has(r)?-1:hc(e,a,r);if(i<0&&o.add(r),i<0&&!(n&&a<e.length))return;let l=e.slice(a,i<0?e.length:i).replaceAll(`
`," ");return{node:{type:"code",text:l.startsWith(" ")&&l.endsWith(" ")&&l.trim()!==""?l.slice(1,-1):l},end:i<0?e.length:i+r.length}}function hc(e,t,n){for(let o=e.indexOf(n,t);o>=0;o=e.indexOf(n,o)){let r=Pe(e,o,"`");if(r.length===n.length)return o;o+=r.length}return-1}function _c(e,t,{open:n,depth:o,unclosed:r}){if(!(o>=6))for(let[a,i]of mc){if(!e.startsWith(a,t)||!bc(e,t,a))continue;let l=t+a.length,c=r.has(a)?-1:gc(e,l,a);if(c>0){let u=on(e.slice(l,c),!1,o+1);return{node:{type:i,children:u},end:c+a.length}}if(r.add(a),n&&a.length===2)return{node:{type:i,children:on(e.slice(l),!0,o+1)},end:e.length}}}function bc(e,t,n){let o=e[t+n.length]??" ";return!/\s/.test(o)&&o!==n&&!(n[0]==="_"&&ro(e[t-1]))}function gc(e,t,n){for(let o=e.indexOf(n,t+1);o>=0;o=e.indexOf(n,o+1))if(!(e[o-1]==="\\"||/\s/.test(e[o-1]??" "))&&!(n[0]==="_"&&ro(e[o+n.length]))){if(n.length===2)return o+(e[o+2]===n[0]&&e[o+3]!==n[0]?1:0);if(e[o+1]!==n)return o;o+=Pe(e,o,n).length-1}return-1}function ro(e){return e!==void 0&&/[\p{L}\p{N}]/u.test(e)}function yc(e,t,{open:n,depth:o,target:r}){if(e[t-1]==="!"||o>=6)return;r.close<t&&r.close>=0&&Object.assign(r,Zr(e,t));let{close:a,href:i,end:l}=r;if(i&&a-t<1e3)return{node:{type:"link",href:i,children:on(e.slice(t+1,a),!1,5)},end:l};let c=n&&e.length-t<=1e3?cc.exec(e.slice(t)):null;return c?.[1]?{node:c[1],end:e.length}:void 0}function Zr(e,t){let n=e.indexOf("](",t);oo.lastIndex=n+1;let o=n<0?null:oo.exec(e);return{close:n,href:es(o?.[2]??""),end:oo.lastIndex}}function vc(e,t){if(ro(e[t-1]))return;Qr.lastIndex=t;let n=Qr.exec(e)?.[0];if(n===void 0)return;let o=wc(n),r=es(o);return r?{node:{type:"link",href:r,children:[o]},end:t+o.length}:void 0}function wc(e){let t=0,n=0;for(;n<e.length&&t>=0;n+=1)e[n]==="("?t+=1:e[n]===")"&&(t-=1);for(t<0&&(n-=1);n>0&&".,;:!?'*_~}\\".includes(e[n-1]??"");)n-=1;return e.slice(0,n)}function es(e){try{let{protocol:t,href:n}=new URL(e);return dc.has(t)?n:""}catch{return""}}var Tc=2;function rn({text:e}){let t=V(()=>nn(e),[e]);return s`<${io} blocks=${t} />`}function io({blocks:e,open:t=!1}){return s`<div class="md">
    ${e.map((n,o)=>s`<${kc} key=${o} block=${n} open=${t&&o===e.length-1} />`)}
  </div>`}function kc({block:e,open:t}){let n=`${t} ${e.type} ${e.source}`;return V(()=>ts(e,t),[n])}function ts(e,t){switch(e.type){case"heading":return s`<${`h${Math.min(6,Tc+e.level)}`}>${vt(e.text,t)}<//>`;case"code":return s`<pre tabindex="0" role="region" aria-label=${`Code ${e.language}`.trim()}><code>${e.text}</code></pre>`;case"rule":return s`<hr />`;case"quote":return s`<blockquote>${so(e.blocks,t)}</blockquote>`;case"list":return Sc(e,t);case"table":return Cc(e,t);default:return s`<p>${vt(e.text,t)}</p>`}}function so(e,t){return e.map((n,o)=>ts(n,t&&o===e.length-1))}function Sc({start:e,items:t},n){let o=t.map((r,a)=>s`<li>${xc(r,n&&a===t.length-1)}</li>`);return e===void 0?s`<ul>${o}</ul>`:s`<ol start=${e}>${o}</ol>`}function xc(e,t){let[n,...o]=e;return n?.type!=="paragraph"?so(e,t):s`<span>${vt(n.text,t&&o.length===0)}</span>${so(o,t)}`}function Cc({aligns:e,head:t,rows:n},o){return s`
    <div class="md-table" tabindex="0" role="region" aria-label="Table">
      <table>
        <thead>
          <tr>${t.map((r,a)=>s`<th scope="col" data-align=${e[a]}>${vt(r,!1)}</th>`)}</tr>
        </thead>
        <tbody>
          ${n.map((r,a)=>s`<tr>
              ${r.map((i,l)=>s`<td data-align=${e[l]}>${vt(i,o&&a===n.length-1)}</td>`)}
            </tr>`)}
        </tbody>
      </table>
    </div>
  `}function vt(e,t){return Yr(e,{open:t}).map(ao)}function ao(e){if(typeof e=="string")return e;switch(e.type){case"code":return s`<code>${e.text}</code>`;case"link":return s`<a href=${e.href} title=${e.href} target="_blank" rel="noopener noreferrer nofollow">
        ${e.children.map(ao)}
      </a>`;default:return s`<${e.type}>${e.children.map(ao)}<//>`}}var Ec=new Set(["tool_not_found","tool_not_allowed","tool_disabled","invalid_arguments","malformed_arguments","repeated_call","too_many_calls","rate_limited","circuit_open","previous_call_unfinished","deadline"]),Rc={stop:{tone:"good",label:"answered",reason:""},tool_calls:{tone:"good",label:"called tools",reason:""},length:{tone:"warn",label:"cut off",reason:"The model's token limit cut off the answer."},content_filter:{tone:"warn",label:"filtered",reason:"The provider's filter stopped the answer."},refusal:{tone:"warn",label:"refused",reason:"The model refused to answer."},unknown:{tone:"warn",label:"unknown outcome",reason:"The provider returned an unknown finish reason."}},Ac={topic:"topic",search:"search",intent:"intent",model:"model",tool:"tool"};function qe(e,t){let n=[...t],o=e.steps.map((r,a)=>{let i=r.step==="tool"?n.findIndex(l=>Oc(l,r)):-1;return ns(a,r,i<0?void 0:n.splice(i,1)[0])});for(let[r,a]of n.entries()){let i=o.findLastIndex(l=>Mc(l)<=a.iteration);o.splice(i+1,0,ns(e.steps.length+r,void 0,a))}return o}function Oc(e,t){return e.call_id===t.call_id&&e.iteration===t.iteration}function Mc({step:e,call:t}){return e?.iteration??t?.iteration??0}function ns(e,t,n){let o=t?.step??"tool",r=ee(t?.name??n?.tool??"",128),a=o==="tool"||o==="search";return{index:e,step:t,call:n,name:a?r:`${Ac[o]}${o==="model"?` ${t?.iteration}`:""}`,detail:a?"":r,nested:o==="tool",status:He(t,n)}}function He(e,t){if(t!==void 0)return Ic(t);if(e?.error)return{tone:"bad",label:"failed",reason:`The model failed: ${Z(e.error)}.`};let n=Rc[e?.finish_reason??""];return n!==void 0?n:e?.ok?{tone:"good",label:"done",reason:""}:{tone:"bad",label:"failed",reason:"The step failed."}}function lo({result:e}){return!("error"in e)||!Ec.has(e.error_type)}function Ic(e){let{result:t}=e;return"error"in t?{tone:"bad",label:lo(e)?"failed":"not run",reason:ee(`${Z(t.error_type)}: ${t.error}`,240)}:{tone:"good",label:"done",reason:""}}function Z(e){return e.replaceAll("_"," ")}function ee(e,t){return e.length>t?`${e.slice(0,t)}…`:e}function os(e){let t=Math.max(1,e.total_ms,...e.steps.map(o=>o.start_ms+o.duration_ms)),n=Nc(t);return{length:t,step:n,ticks:Array.from({length:Math.floor(t/n)+1},(o,r)=>r*n)}}function Nc(e){for(let t=1;;t*=10)for(let n of[1,2,5])if(e/(n*t)<6)return n*t}function rs(e,t){return{left:e.start_ms/t*100,width:e.duration_ms/t*100}}function ss(e,t){return e===0?"0":t>=100&&e>=1e3?`${e/1e3} s`:`${e} ms`}function as(e,t,n){return qe(e,t).find(o=>o.index===n)}function Ye({label:e,tabs:t,chosen:n,onChoose:o}){let r=ne(),[a,i]=$(t[0]?.name??""),l=n??a,c=Math.max(0,t.findIndex(f=>f.name===l)),u=f=>{i(f),o?.(f)};return s`
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
  `}var Lc=2e4,Dc=10;function Be(e){return typeof e=="string"?e:JSON.stringify(e,null,2)??""}function P({value:e,label:t}){let[n,o]=$(1),r=V(()=>Be(e),[e]),a=r.slice(0,Lc*n),i=r.length-a.length;return s`
    <div class="value">
      <pre tabindex="0" role="region" aria-label=${t}>${a}</pre>
      <div class="row">
        <${Q} text=${r} label="Copy" />
        ${i>0&&s`<button type="button" class="quiet" onClick=${()=>o(n*Dc)}>
            Show more (${A(i)} more characters)
          </button>`}
      </div>
    </div>
  `}var Pc=128;function Tt({step:e,call:t}){let n=He(e,t),o=ee(e?.name??t?.tool??"",Pc);return s`
    <section class="wf-details" aria-label=${`Details of ${o}`}>
      <div class="row">
        <h3 class="mono">${o}</h3>
        <${T} tone=${n.tone}>${n.label}<//>
      </div>
      <${Ye} label=${`Details of ${o}`} tabs=${qc(e,t)} />
    </section>
  `}function qc(e,t){let n=`${e?.start_ms} ${e?.name} ${t?.iteration} ${t?.call_id}`,o={name:"Timing",content:()=>s`<${Bc} step=${e} call=${t} />`},r={name:"Raw",content:()=>s`<${P} key=${n} value=${{...e&&{step:e},...t&&{call:t}}} label="Raw" />`},a=e?.reasoning;return t===void 0&&a?[{name:"Reasoning",content:()=>s`<${P} key=${n} value=${a} label="Reasoning" />`},o,r]:t===void 0?[o,r]:[{name:"Arguments",content:()=>s`<${P} key=${n} value=${t.params} label="Arguments" />`},{name:"Result",content:()=>s`<${Hc} key=${n} result=${t.result} />`},o,r]}function Hc({result:e}){return"error"in e?s`<div class="stack">
      <p>${Z(e.error_type)}</p>
      <${P} value=${e.error} label="Error" />
      ${e.validation_errors&&s`<${P} value=${e.validation_errors} label="Validation errors" />`}
    </div>`:s`<div class="stack">
    ${e.truncated&&s`<p class="notice">! The result was truncated.</p>`}
    <${P} value=${e.result} label="Result" />
  </div>`}function Bc({step:e,call:t}){let n=[...Fc(e),...Vc(e,t)];return s`<dl class="wf-facts">
    ${n.map(([o,r])=>s`
        <dt>${o}</dt>
        <dd>${r}</dd>
      `)}
  </dl>`}function Fc(e){return e===void 0?[["Iteration","not started"]]:[["Iteration",e.iteration===0?"before iteration 1":String(e.iteration)],["Started after",O(e.start_ms)],["Duration",O(e.duration_ms)],["Ended after",O(e.start_ms+e.duration_ms)],...wt("Model",e.demo&&"demo model"),...wt("Tokens",e.total_tokens&&A(e.total_tokens)),...wt("Finish reason",e.finish_reason),...wt("Error",e.error&&Z(e.error))]}function Vc(e,t){return t===void 0?[]:[...e===void 0?wt("In iteration",String(t.iteration)):[],["Execution time",O(t.result.execution_time_ms)],["Call",t.call_id]]}function wt(e,t){return t?[[e,t]]:[]}function sn({timings:e,calls:t,selected:n,onSelect:o}){let r=qe(e,t),a=os(e),i=a.ticks.filter(u=>u/a.length<.9),l=r.findIndex(u=>u.index===n),c=u=>{let d=r[jc(u.key,l,r.length)];d===void 0||u.ctrlKey||u.metaKey||u.altKey||(u.preventDefault(),o(d.index),u.currentTarget.children.item(r.indexOf(d))?.focus())};return s`
    <div class="wf" style=${{"--wf-tick":`${a.step/a.length*100}%`}}>
      <div class="wf-head" aria-hidden="true">
        <span>Step</span>
        <span class="wf-axis">
          ${i.map(u=>s`<span style=${{left:`${u/a.length*100}%`}}>${ss(u,a.step)}</span>`)}
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
            ><${Uc} row=${u} length=${a.length} /></div>
          `)}
      </div>
    </div>
  `}function jc(e,t,n){switch(e){case"ArrowDown":return t+1;case"ArrowUp":return t-1;case"Home":return 0;case"End":return n-1;case"Enter":case" ":return Math.max(0,t);default:return-1}}function Uc({row:e,length:t}){let{step:n,status:o}=e;return s`
    <span class="wf-name" title=${e.detail||e.name}>
      ${e.name}${e.detail&&s` <small>${e.detail}</small>`}${n?.demo&&s` <${W} />`}
    </span>
    <span class="wf-track">${n&&s`<${Wc} row=${e} length=${t} step=${n} />`}</span>
    <span class="wf-time number">${n?O(n.duration_ms):"–"}</span>
    <span class="wf-tokens number">
      ${n?.total_tokens?s`${_(n.total_tokens,"token")}`:s`<span aria-hidden="true"></span>`}
    </span>
    <span><${T} tone=${o.tone}>${o.label}<//></span>
    ${o.reason&&s`<span class="wf-reason">${o.reason}</span>`}
  `}function Wc({row:e,step:t,length:n}){let{left:o,width:r}=rs(t,n),a={left:`min(${o}%, 100% - var(--wf-least))`,width:`max(${r}%, var(--wf-least))`};return s`<span class="wf-bar" data-kind=${t.step} data-tone=${e.status.tone} style=${a}></span>`}function Fe({label:e,caption:t,columns:n,numbers:o=[],children:r}){return s`
    <div class="scroll" tabindex="0" role="region" aria-label=${e}>
      <table>
        <caption>${t}</caption>
        <thead>
          <tr>${n.map(a=>s`<th scope="col" class=${o.includes(a)&&"number"}>${a}</th>`)}</tr>
        </thead>
        <tbody>${r}</tbody>
      </table>
    </div>
  `}var is=200;function an({rules:e}){return s`
    <${Fe} label="Evaluated rules" caption="Evaluated rules, in order" columns=${["Rule","Outcome","Conditions"]}>
      ${e.map(t=>s`
          <tr>
            <th scope="row">${t.rule}</th>
            <td>
              <${T} tone=${t.matched?"good":"plain"}>${t.matched?"matched":"not matched"}<//>
            </td>
            <td><${Gc} rule=${t} /></td>
          </tr>
        `)}
    <//>
  `}function Gc({rule:e}){return e.conditions.length===0?e.fallback?"none: fallback rule":"none":e.conditions.map(({condition:t,expected:n,actual:o,holds:r})=>s`
      <div>
        <${T} tone=${r?"good":"bad"}>${r?"true":"false"}<//>
        ${" "}<code>${t}</code> ${ls(n)}${!r&&s` <small>(actual: ${ls(o)})</small>`}
      </div>
    `)}function ln({tools:e}){return e.length===0?s`<p>No tools are configured.</p>`:s`
    <${Fe} label="Offered tools" caption="Tools" columns=${["Tool","Offered","Reason"]}>
      ${e.map(({tool:t,offered:n,reason:o})=>s`
          <tr>
            <th scope="row" class="mono">${t}</th>
            <td><${T} tone=${n?"good":"plain"}>${n?"offered":"not offered"}<//></td>
            <td>${o}</td>
          </tr>
        `)}
    <//>
  `}function ls(e){if(e==null)return"nothing";let t=Be(e);return t.length>is?`${t.slice(0,is)}…`:t}var Kc={match:"good",partial:"warn",none:"plain"};function cs({rag:e}){let{documents:t,skipped:n,result:o}=e,r=s`
    ${_(t.length,"document")} ·
    ${" "}<${T} tone=${Kc[o]}>${o==="none"?"no match":o}<//>
    ${n.length>0&&s` · <${T} tone="warn">${_(n.length,"collection")} skipped<//>`}
  `;return s`
    <${L} summary=${r}>
      ${t.length>0&&s`<${Jc} documents=${t} />`}
      ${t.length===0&&s`<p>No document within the distance limit in the selected collections.</p>`}
      ${n.map(({collection:a,reason:i})=>s`<p>! <code>${a}</code> was skipped: ${i}</p>`)}
    <//>
  `}function Jc({documents:e}){return s`
    <${Fe} label="Documents" caption="Documents sent to the model" columns=${["Distance","Title","Source","Collection"]} numbers=${["Distance"]}>
      ${e.map(t=>s`
          <tr>
            <td class="number">${be(t.distance)}</td>
            <td>${t.title}</td>
            <td>${t.source}</td>
            <td>${t.service}/${t.collection}</td>
          </tr>
        `)}
    <//>
  `}function us({explain:e}){return s`
    <dl class="chat-facts">
      <dt>Topic</dt>
      <dd>${e.topic?s`<${zc} topic=${e.topic} />`:"not detected: phase disabled"}</dd>
      <dt>Intent</dt>
      <dd>${e.intent?s`<${Xc} intent=${e.intent} />`:"not detected: phase disabled"}</dd>
      <dt>History</dt>
      <dd>${_(e.history_messages,"message")}</dd>
    </dl>
    <h3>Profile</h3>
    <${P} value=${e.profile} label="Profile" />
    <${an} rules=${e.rules} />
    <${ln} tools=${e.tools} />
    <h3>System prompt</h3>
    <${P} value=${e.system_prompt} label="System prompt" />
  `}function zc({topic:e}){return s`${Z(e.topic_status)}: ${e.topic_summary} <${ds} phase=${e} />`}function Xc({intent:e}){return s`
    ${e.intent??"none"} (${Z(e.source)})
    ${e.candidates.length>0&&s`<small>of ${e.candidates.join(", ")}</small>`}
    ${" "}<${ds} phase=${e} />
  `}function ds({phase:e}){return s`
    <small>${e.model&&`${e.model}, `}${O(e.duration_ms)}</small>
    ${e.error&&s` <${T} tone="bad">${e.error}<//>`}
  `}var Qc=120;function ms({calls:e,received:t}){let n=e.filter(o=>!o.result.success).length;return s`
    ${e.length>0&&s`<${L}
        summary=${s`
          ${_(e.length,"tool call")}
          ${n>0&&s` · <${T} tone="bad">${n} failed<//>`}
        `}
      >
        ${e.map(o=>s`<${Yc} key=${`${o.iteration} ${o.call_id}`} call=${o} />`)}
      <//>`}
    ${t&&s`<${L} summary="Timeline"><${eu} received=${t} /><//>`}
    ${t?.rag&&s`<${cs} rag=${t.rag} />`}
    ${t?.explain&&s`<${L} summary="Explanation"><${us} explain=${t.explain} /><//>`}
  `}function Yc({call:e}){let{tone:t,label:n}=He(void 0,e),o=s`
    <code>${ee(`${e.tool}(${Zc(e.params)})`,Qc)}</code>
    ${" "}<${T} tone=${t}>${n}<//>
    ${" "}<small class="number">${O(e.result.execution_time_ms)}</small>
  `;return s`<${L} summary=${o}><${Tt} step=${void 0} call=${e} /><//>`}function Zc(e){return typeof e=="string"?e:Object.entries(e).map(([t,n])=>`${t}: ${Be(JSON.stringify(n))}`).join(", ")}function eu({received:e}){let[t,n]=$(-1),o=qe(e.timings,e.tool_calls).find(r=>r.index===t);return s`
    <${sn} timings=${e.timings} calls=${e.tool_calls} selected=${t} onSelect=${n} />
    ${o&&s`<${Tt} key=${t} step=${o.step} call=${o.call} />`}
  `}function fs({answer:e,received:t,tokenUsed:n,onResume:o}){let r=e?.status==="partial",a=e&&!r?ye(e).reason:"",i=[...a?[a]:[],...t?ou(t):[]];return i.length===0&&!r?null:s`
    <div class="notice stack">
      ${r&&s`<p><strong>! The answer is partial.</strong> ${nu(t)}</p>`}
      ${i.map(l=>s`<p>! ${l}</p>`)}
      ${r&&s`<${tu} received=${t} tokenUsed=${n} onResume=${o} />`}
    </div>
  `}function tu({received:e,tokenUsed:t,onResume:n}){return t?s`<p>The resume token was already used. Send a new message instead.</p>`:e?e.resume_token?s`<div class="row">
    <button type="button" disabled=${!n} onClick=${n}>Continue</button>
    <small>available for one hour; completed tool calls are not repeated</small>
  </div>`:s`<p>The partial answer has no resume token. Send a new message instead.</p>`:s`<p>The resume token is only available during the visit that received it. Send a new message instead.</p>`}function nu(e){if(!e)return"The deadline was reached or the model failed before the answer was complete.";let n=e.tool_calls.length>0?" The tool results so far are below.":"";return e.error?`The model failed (${Z(e.error.type)}): ${e.error.message}.${n}`:`The deadline was reached before the answer was complete.${n}`}function ou(e){let{fallback:t,session:n}=e;return[...cn(t,()=>`${e.model} answered instead of ${t?.instead_of}: ${Z(t?.reason??"")}.`),...cn(e.deadline_reached,()=>"The deadline was near: the model had to answer without more tool calls."),...cn(e.max_tool_calls_reached&&e.outcome!=="tool_call_limit",()=>"The tool call limit was reached."),...cn(n?.saved===!1,()=>`Not saved in the session: ${n?.problem??"the write failed"}.`)]}function cn(e,t){return e?[t()]:[]}var ru=2e4,su=10;function ps({turn:e,open:t,tokenUsed:n,onResume:o}){let{question:r,at:a,remarks:i,calls:l,answer:c,received:u}=e;return s`
    <article class="chat-turn" tabindex="-1" aria-label=${e.number?`Turn ${e.number}`:"Unsaved turn"}>
      ${r!==void 0&&s`<${uo} text=${r} at=${a} />`}
      <div class="chat-answer">
        ${c&&s`<${au} answer=${c} received=${u} />`}
        ${i.map(d=>s`<div class="chat-remark"><${co} text=${d} markdown /></div>`)}
        ${c&&s`<${co} text=${c.content||"(empty answer)"} markdown />`}
        ${!c&&!t&&s`<p><${T} tone="warn">No answer yet.<//></p>`}
        <${fs} answer=${c} received=${u} tokenUsed=${n} onResume=${o} />
        <${ms} calls=${l} received=${u} />
      </div>
    </article>
  `}function uo({text:e,at:t}){return s`
    <div class="chat-question">
      <div class="row spread">
        <strong>You</strong>
        ${t&&s`<small><${K} at=${t} /></small>`}
      </div>
      <${co} text=${e} />
    </div>
  `}function au({answer:e,received:t}){let n=t?.usage.cost_usd,o=ye(e);return s`
    <div class="row chat-head">
      <strong>${e.model}</strong>
      ${e.demo&&s`<${W} />`}
      <${T} tone=${o.tone} sign=${o.sign}>${o.title}<//>
      <${Y}>service ${e.service}<//>
      ${e.rule&&s`<${Y}>rule ${e.rule}<//>`}
      <small>
        <${K} at=${e.at} />
        ${t&&` · ${O(t.timings.total_ms)} · ${_(t.usage.total_tokens,"token")}`}
        ${typeof n=="number"&&` · ${he(n)}`}
      </small>
      ${e.content&&s`<${Q} text=${e.content} label="Copy answer" />`}
    </div>
  `}function co({text:e,markdown:t=!1}){let[n,o]=$(1),r=e.slice(0,ru*n),a=e.length-r.length;return s`
    <div class="chat-prose">${t?s`<${rn} text=${r} />`:r}</div>
    ${a>0&&s`<button type="button" class="quiet" onClick=${()=>o(n*su)}>
        Show more (${A(a)} more characters)
      </button>`}
  `}function $s({list:e,turns:t,from:n,busy:o,usedTokens:r,earlier:a,onToggle:i,onResume:l,children:c}){let u=y(l);u.current=l;let d=V(()=>{let f=t.at(-1);return t.map(p=>{let{received:m}=p;return s`
        <${ps}
          key=${p.key}
          turn=${p}
          open=${o&&p===f}
          tokenUsed=${r.includes(m?.resume_token??"")}
          onResume=${m&&p===f&&!o?()=>u.current(m):void 0}
        />
      `})},[t,o,r]);return s`
    ${n>1&&s`<div class="row">
        <button type="button" disabled=${a.busy} onClick=${a.show}>Show earlier messages</button>
        ${a.busy&&s`<${M} label="Loading earlier messages" since=${a.since} />`}
      </div>`}
    ${a.error&&s`<${E} error=${a.error} onRetry=${a.show} />`}
    <div class="chat-turns" ref=${e} onClickCapture=${i}>
      ${d} ${c}
    </div>
  `}function hs(e,t){let n=[...lu(e).values()].map(i=>cu(i,t)),o=new Set(n.map(i=>i.answer?.requestId)),r=t.findLastIndex(({answer:i})=>o.has(i.request_id));return t.filter(({answer:i},l)=>!o.has(i.request_id)&&(l>r||i.session?.saved===!1)).reduce(iu,n)}function iu(e,t){let n=e.at(-1),o=n!==void 0&&!n.answer&&(t.question===""||t.question===n.question),r=e.find(u=>t.replaces&&u.answer?.requestId===t.replaces)??(o&&n),a=du(t);if(!r)return[...e,a];let{number:i,question:l,at:c}=r;return e.map(u=>u===r?{...a,number:i,question:l,at:c}:u)}function lu(e){let t=new Map;for(let n of e){let o=t.get(n.turn);o?o.push(n):t.set(n.turn,[n])}return t}function cu(e,t){let n=e.find(i=>i.role==="user"),o=e.find(i=>i.role==="assistant"&&i.service),r=e.filter(i=>i!==n&&i!==o),a=o&&uu(o);return{key:a?.requestId||`turn ${e[0]?.turn}`,number:e[0]?.turn,question:n?.content,at:e[0]?.at??"",remarks:r.map(i=>i.content).filter(i=>i.trim()!==""),calls:e.flatMap(i=>i.tool_calls),answer:a,received:t.find(i=>i.answer.request_id===a?.requestId)?.answer}}function uu(e){return{content:e.content,at:e.at,model:e.model??"",service:e.service??"",rule:e.rule??"",status:e.status??"complete",outcome:e.outcome??void 0,demo:e.demo??!1,requestId:e.request_id??""}}function du({question:e,at:t,answer:n}){return{key:n.request_id,number:void 0,question:e||void 0,at:t,remarks:[],calls:n.tool_calls,answer:{content:n.content,at:t,model:n.model,service:n.service,rule:n.rule??"",status:n.status,outcome:n.outcome,demo:n.demo??!1,requestId:n.request_id},received:n}}function _s(e,t,n){return[...e.filter(o=>o.turn<n),...t]}var bs=48,mu=1/3,Se=document.documentElement;function gs(){return Se.scrollHeight-Se.scrollTop-Se.clientHeight}function mo(){Se.scrollTop=Se.scrollHeight}function ys({session:e,turns:t,added:n,waiting:o,streamed:r}){let a=y(null),i=y(null),l=y(!0),c=y(0),[u,d]=$(!1),f=y({session:"",first:"",answer:"",end:"",wasWaiting:!1}),p=t[0]?.key??"",m=t.at(-1)?.answer?.requestId??"",h=`${t.length} ${t.at(-1)?.key} ${n}`,{current:k}=f,g=k.session===e,S=g&&k.first!==p&&t.some(({key:I})=>I===k.first)?i.current?.firstElementChild:void 0,b=S?.getBoundingClientRect().top??0,x=C(()=>d(gs()>bs),[]),U=C(()=>{l.current=!0,mo(),x()},[x]);ce(()=>{let I=m!==""&&m!==k.answer,ie=o||g&&k.wasWaiting;f.current={session:e,first:p,answer:m,end:h,wasWaiting:ie&&!I},g||(l.current=!0),!(g&&k.end===h)&&(S?Se.scrollTop+=S.getBoundingClientRect().top-b:l.current&&t.length+n.trim().length>0&&(l.current=!(I&&ie&&!r&&fu(a.current)),l.current&&mo()),x())}),v(()=>{let{scrollRestoration:I}=history;history.scrollRestoration="manual";let ie=()=>{let _e=Se.scrollTop<c.current-1;c.current=Se.scrollTop,gs()<=bs?l.current=!0:_e&&(l.current=!1),x()},le=()=>{l.current&&mo(),x()},Te=new ResizeObserver(()=>requestAnimationFrame(le));return a.current&&Te.observe(a.current),addEventListener("scroll",ie,{passive:!0}),addEventListener("resize",le),visualViewport?.addEventListener("resize",le),()=>{history.scrollRestoration=I,Te.disconnect(),removeEventListener("scroll",ie),removeEventListener("resize",le),visualViewport?.removeEventListener("resize",le)}},[x]);let te=C(I=>{I.target instanceof Element&&I.target.closest("summary, button, [role=option]")&&(l.current=!1)},[]),me=()=>{U(),i.current?.querySelector("article:last-of-type")?.focus({preventScroll:!0})};return{chat:a,list:i,isAway:u&&(t.length>0||o),follow:U,jump:me,handleToggle:te}}function fu(e){let t=e?.querySelector("article:last-of-type"),n=t?.querySelector(".chat-answer");if(!t||!n)return!1;let o=pu(document.querySelector("header.shell")),r=innerHeight-o-(e?.querySelector(".chat-composer")?.getBoundingClientRect().height??0),{top:a,height:i}=n.getBoundingClientRect();if(i<=r)return!1;let l=t.getBoundingClientRect().top;return Se.scrollTop+=(a-l<r*mu?l:a)-o-8,!0}function pu(e){return e&&getComputedStyle(e).position==="sticky"?e.getBoundingClientRect().height:0}var xe=class extends Error{};function $u({lastId:e="",longest:t=33554432}={}){let n=[],o=[],r=e,a="",i=0,l=!1,c=u=>{if(u===""){let m=o.length>0?{name:a||"message",data:o.join(`
`),id:r}:void 0;return[a,o,i]=["",[],0],m}let d=u.indexOf(":"),f=d<0?u:u.slice(0,d),p=d<0?"":u.slice(u[d+1]===" "?d+2:d+1);f==="event"?a=p:f==="data"?o.push(p):f==="id"&&(r=p)};return u=>{let d=[],f=l&&u.startsWith(`
`)?1:0;u!==""&&(l=u.endsWith("\r")),i+=u.length-f;for(let{index:p,0:m}of u.matchAll(/\r\n|\n|\r/g)){if(p<f)continue;n.push(u.slice(f,p)),f=p+m.length;let h=c(n.join(""));n=[],h&&d.push(h),i===0&&(i=u.length-f)}if(i>t)throw new xe("The service sent an event that is too long.");return f<u.length&&n.push(u.slice(f)),d}}async function*vs(e,{lastId:t="",silenceMs:n=45e3}={}){let o=e.getReader(),r=$u({lastId:t}),a=new TextDecoder;try{for(;;){let{done:i,value:l}=await hu(o.read(),n);if(i)return;yield*r(a.decode(l,{stream:!0}))}}catch(i){throw i instanceof xe||fo(i)?i:new xe("The connection was lost.")}finally{o.cancel().catch(()=>{})}}function fo(e){return e instanceof DOMException&&e.name==="AbortError"}async function hu(e,t){let n,o=new Promise((r,a)=>{n=setTimeout(()=>a(new xe("The connection was silent for too long.")),t)});try{return await Promise.race([e,o])}finally{clearTimeout(n)}}var po=5,_u=500,bu=2,Ze=class extends Error{constructor(t){super(`The connection to the run ${t} was lost.`),this.run=t}};async function*ws({open:e,reopen:t},{signal:n,onLost:o=()=>{},wait:r=Su}){let a="",i="",l=0;for(;;){try{let c=await(a?t(a,i,n):e(n));for await(let u of gu(c,i)){l=0,i=u.id;let d=yu(u);if(d.name==="error")throw vu(d.data);if(d.name==="accepted"&&(a=d.data.run_id),yield d,d.name==="answer")return}}catch(c){wu(c,a)}if(a==="")throw new q("failed","The stream ended without an answer. Try again.");if(l+=1,l>po)throw new Ze(a);o(l),await r(_u*bu**(l-1),n)}}async function*gu(e,t){if(e.headers.get("content-type")?.startsWith("text/event-stream")&&e.body){yield*vs(e.body,{lastId:t});return}yield{name:"answer",data:await e.text(),id:""}}function yu({name:e,data:t}){try{return{name:e,data:G(t)}}catch{throw new q("failed","The response is incomplete or not JSON. Try again.")}}function vu({error:e,message:t,request_id:n,details:o}){return new q("failed",t,{status:200,code:e,requestId:n,details:o??[]})}function wu(e,t){if(fo(e)||Tu(e))throw e;if(t==="")throw e instanceof xe?new q("offline",`${e.message} Try again.`):e;if(!ku(e))throw new Ze(t)}function Tu(e){return e instanceof q&&e.status===200}function ku(e){return e instanceof q?e.kind==="offline"||e.status===429||e.status>=500:e instanceof xe}function Su(e,t){return new Promise((n,o)=>{let r=setTimeout(n,e),a=()=>(clearTimeout(r),o(new DOMException("Aborted","AbortError")));t.addEventListener("abort",a,{once:!0})})}var xu=5;function Ts({live:e}){let{model:t,text:n,remarks:o,steps:r,warnings:a,attempt:i}=e,l=V(()=>nn(n,{open:!0}),[n]);return e.run===""&&r.length===0&&n===""?null:s`
    <section class="chat-answer chat-live" aria-label="Answer in progress">
      ${t&&s`<div class="row chat-head"><strong>${t}</strong></div>`}
      ${o.map((c,u)=>s`<div class="chat-remark chat-prose" key=${`remark ${u}`}><${rn} text=${c} /></div>`)}
      ${r.length>0&&s`<ol class="chat-steps">${r.map(c=>s`<${Ru} key=${c.key} step=${c} />`)}</ol>`}
      ${n.trim()&&s`<div class="chat-prose"><${io} blocks=${l} open /></div>`}
      ${a.map(c=>s`<p class="notice">! ${c}</p>`)}
      ${i>0&&s`<p class="notice" role="status">! Connection lost. Reconnecting, attempt ${i} of ${po}.</p>`}
      <${Cu} blocks=${l} />
    </section>
  `}function Cu({blocks:e}){let t=e.length-1;return s`<div class="hidden" aria-live="polite">
    ${e.map(({source:n},o)=>o<t&&o>=t-xu&&s`<p key=${o}>${n}</p>`)}
  </div>`}function Eu({text:e}){return s`<${L} summary="reasoning"><p class="chat-reasoning">${e}</p><//>`}function Ru({step:{kind:e,name:t,detail:n,status:o,ms:r,error:a}}){return e==="rule"?s`<li>rule ${t}</li>`:e==="reasoning"?s`<li><${Eu} text=${n} /></li>`:s`
    <li>
      ${o==="running"?"calling ":""}${e==="tool"?s`<code>${t}</code>`:t}
      ${n&&s` <small class="mono">${n}</small>`}
      ${o==="running"?" …":s` <small class="number">${O(r??0)}</small> <${Au} status=${o} />`}
      ${a&&s` <small>${a}</small>`}
    </li>
  `}function Au({status:e}){return s`<${T} tone=${e==="failed"?"bad":"good"}>${e}<//>`}var Ou=3e3,Mu=31e3,Iu={pending:"Cancelling the answer in the service.",cancelled:"Answer cancelled. The service stopped it and discarded its partial result.",ended:"The answer had already ended in the service. The session above is up to date."};function Ss({run:e}){let t=y(performance.now()),n=e&&performance.now()-(Date.now()-new Date(e.created_at).getTime()),o=e?qe({total_ms:0,steps:e.steps},[]):[];return s`
    <section class="chat-run stack" aria-label="Background run">
      <${M} label=${Nu(e)} since=${n===void 0?t.current:Math.min(n,performance.now())} />
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
  `}function Nu(e){return e===void 0?"Loading the run":e.status==="queued"?"Queued in the background":"Running in the background"}function xs({cancellation:{status:e,reason:t},open:n,onCheck:o}){return v(()=>{(e==="cancelled"||e==="ended")&&o()},[e,o]),e==="none"?s`<${ks} open=${n} onCheck=${o} />`:e==="failed"?s`
      <p class="notice" role="status">! The service did not confirm the cancellation: ${t}</p>
      <${ks} open=${n} onCheck=${o} />
    `:s`<p class="notice" role="status">! ${Iu[e]}</p>`}function ks({open:e,onCheck:t}){return v(()=>{if(!e)return;let n=setInterval(()=>!document.hidden&&t(),Ou),o=setTimeout(()=>clearInterval(n),Mu);return()=>{clearInterval(n),clearTimeout(o)}},[e,t]),s`
    <div class="notice stack" role="status">
      <p>
        ! Request cancelled. The service may still complete this answer within 30 seconds and save it in the
        session.${e?" Until then the session accepts no other message.":" The session above is up to date."}
      </p>
      ${e&&s`<div class="row"><button type="button" onClick=${t}>Check again</button></div>`}
    </div>
  `}function Cs({id:e,chat:t,conversation:n,options:o,onBegin:r}){let a=y(null),{task:i}=t,l=t.sent?.session===e?t.sent:void 0,c=Yt(o),u=Pu(e,t,n),d=i.busy&&l!==void 0,f=t.followed.active||d,p=f&&t.waiting?Hu(l,u.at(-1)):"",m=ys({session:e,turns:u,added:Du(t,l,p),waiting:f,streamed:t.live.text!==""}),h=()=>{t.busy||c!==""||t.draft.trim()===""||(m.follow(),t.send())};return oe([{keys:"/",label:"Write a message",run:()=>a.current?.focus()},{keys:"mod+Enter",label:"Send the message",run:h},{keys:"Escape",label:"Cancel the answer",run:()=>t.busy&&t.cancel()}]),s`
    <div class="chat" ref=${m.chat}>
      <${Vu} conversation=${n} />
      ${n.loading&&!(t.waiting&&l)&&s`<${F} lines=${8} label="the messages" />`}
      ${i.error?.kind!=="offline"&&s`<${Lu} conversation=${n} onBegin=${r} />`}
      ${e===""&&s`<${ju} />`}
      <${qu} chat=${t} sent=${l} conversation=${n} turns=${u} question=${p} live=${d} answering=${f} scroll=${m} onRetry=${h} />
      <p class="hidden" role="status">${Wu(t)}</p>
      <${Ir}
        draft=${t.draft}
        busy=${t.busy}
        waiting=${i.busy?Uu(l):""}
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
  `}function Lu({conversation:e,onBegin:t}){let{error:n,reload:o}=e;return n?$o(e)?s`<${E} error=${n} onRetry=${t} retry="Start a new chat" />`:s`<${E} error=${n} onRetry=${o} />`:null}function $o(e){return e.error?.status===404}function Du({task:e,followed:t,cancellation:n},o,r){let a=(o&&e.error)??t.error,i=o&&e.cancelled?`stopped ${n.status}`:"";return[r,i,a?.code,a?.message,t.run?.status].filter(Boolean).join(" ")}function Pu(e,t,n){let{messages:o}=n,r=$o(n);return V(()=>{let a=t.received.filter(i=>i.session===e);return r?[]:hs(o,a)},[o,t.received,e,r])}function qu({chat:e,sent:t,conversation:n,turns:o,question:r,live:a,answering:i,scroll:l,onRetry:c}){let{followed:u}=e,d=$o(n),f=o.at(-1),p=m=>{l.follow(),e.resume(m)};return s`
    <${$s}
      list=${l.list}
      turns=${o}
      from=${d?1:n.from}
      busy=${i}
      usedTokens=${e.usedTokens}
      earlier=${n.earlier}
      onToggle=${l.handleToggle}
      onResume=${p}
    >
      ${r&&s`<${uo} text=${r} at=${void 0} />`}
      ${a&&e.waiting&&s`<${Ts} live=${e.live} />`}
      ${u.active&&s`<${Ss} run=${u.run} />`}
    <//>
    <${Bu}
      chat=${e}
      sent=${t!==void 0}
      open=${f?.answer===void 0}
      onCheck=${n.reload}
      onRetry=${c}
    />
  `}function Hu(e,t){return t!==void 0&&t.answer===void 0&&t.question===e?.question?"":e?.question}function Bu({chat:e,sent:t,open:n,onCheck:o,onRetry:r}){let{task:a,followed:i}=e,l=(t?a.error:void 0)??i.error;return s`
    ${a.cancelled&&t&&s`<${xs} cancellation=${e.cancellation} open=${n} onCheck=${o} />`}
    ${i.run?.status==="cancelled"&&s`<p class="notice">! Run cancelled. Its partial result was discarded.</p>`}
    ${l&&s`<${E} error=${l} onRetry=${Fu(e,l,r)} />`}
  `}function Fu({task:e,followed:t,draft:n},o,r){if(t.active)return t.retry;let a=o.kind==="offline"||o.kind==="failed";return o===e.error&&a&&n.trim()!==""?r:void 0}function Vu({conversation:e}){let{session:t}=e;return t?s`
    <div>
      <h2>${en(t)}</h2>
      <small>${t.topic&&s`Topic: ${t.topic} · `}${_(t.turns,"turn")}</small>
    </div>
  `:s`<h2>${e.id?"Chat":"New chat"}</h2>`}function ju(){return s`
    <${ge} title="Chat with the service">
      <p>
        The service keeps the conversation, selects model and prompt by response rules, and calls tools. Each answer shows its
        model, rule, tool calls and timeline.
      </p>
      <p>Send a message to start a session, for example <q>What is 15% of 45?</q></p>
    <//>
  `}function Uu(e){return e===void 0?"Waiting for an answer in another session":e.background?"Starting the run":"Waiting for the answer"}function Wu({received:e,busy:t}){let n=e.at(-1)?.answer;if(t||!n)return"";let o=_(n.tool_calls.length,"tool call");return`${n.model}: ${ye(n).title} in ${O(n.timings.total_ms)}, ${o}`}function Rs({options:e,onChange:t}){let n=se(),o=r=>()=>t({[r]:!e[r]});return s`
    <label class="check">
      <input type="checkbox" checked=${e.background} onChange=${o("background")} />
      Run in the background, up to 15 minutes
    </label>
    ${n&&s`<label class="check">
        <input type="checkbox" checked=${e.explain} onChange=${o("explain")} />
        Include an explanation
      </label>`}
    <${Gu} options=${e} onChange=${t} />
    <${L} summary="Profile fields">
      <${Es} label="Intent" name="intent" options=${e} onChange=${t} />
      <${Es} label="Service" name="service" options=${e} onChange=${t} />
      <small>Matched by response rules.</small>
    <//>
  `}function Gu({options:e,onChange:t}){let n=ne(),o=Yt(e);return s`
    <label class="field">
      Deadline in seconds
      <input
        type="number"
        inputmode="decimal"
        min="1"
        max=${Qt(e)}
        step="any"
        placeholder=${e.background?"600":"28"}
        aria-invalid=${o?"true":void 0}
        aria-describedby=${o?n:void 0}
        value=${e.seconds}
        onInput=${r=>t({seconds:r.currentTarget.value})}
      />
    </label>
    ${o&&s`<p id=${n} class="problem-text" role="alert">✕ ${o}</p>`}
  `}function Es({label:e,name:t,options:n,onChange:o}){return s`
    <label class="field">
      ${e}
      <input
        value=${n[t]}
        spellcheck=${!1}
        autocomplete="off"
        onInput=${r=>o({[t]:r.currentTarget.value})}
      />
    </label>
  `}function As({options:e,onChange:t}){let{data:n,error:o,loading:r,reload:a}=zt(),i=l=>e.collections.includes(l)?e.collections.filter(c=>c!==l):[...e.collections,l];return o?s`<${E} error=${o} onRetry=${a} />`:!n&&r?s`<${F} lines=${2} label="the collections" />`:n?.collections.length?s`
    <fieldset class="chat-collections">
      <legend>Collections to search</legend>
      ${n.collections.map(({name:l,metadata:c,documents:u})=>s`
          <label class="check" key=${l}>
            <input
              type="checkbox"
              checked=${e.collections.includes(l)}
              onChange=${()=>t({collections:i(l)})}
            />
            <span>${c.display_name||l} <small>${_(u,"document")}</small></span>
          </label>
        `)}
    </fieldset>
  `:s`<small>No collections. See the Retrieval view to create one.</small>`}function Os({sessions:e,open:t,onOpen:n,onDeleted:o}){let r=y(null),a=async i=>{await e.remove(i),r.current?.focus(),o(i)};return s`
    <div class="chat-sessions" tabindex="-1" ref=${r} role="region" aria-label="Sessions">
      ${e.error&&s`<${E} error=${e.error} onRetry=${e.reload} />`}
      ${!e.sessions&&e.loading&&s`<${F} lines=${4} label="your sessions" />`}
      ${e.sessions?.length===0&&s`<small>No sessions yet. Send a message to start one.</small>`}
      ${e.sessions&&e.sessions.length>0&&s`<ul>
          ${e.sessions.map(i=>s`
              <${Vr}
                key=${i.id}
                session=${i}
                open=${i.id===t}
                onOpen=${n}
                onRename=${e.rename}
                onDelete=${a}
              />
            `)}
        </ul>`}
      ${e.more&&s`<${Ku} loading=${e.loading} onMore=${e.showMore} />`}
    </div>
  `}function Ku({loading:e,onMore:t}){let n=y(0);return s`<div class="row">
    <button type="button" class="quiet" disabled=${e} onClick=${()=>{n.current=performance.now(),t()}}>Show more</button>
    ${e&&n.current>0&&s`<${M} label="Loading more sessions" since=${n.current} />`}
  </div>`}var St={run:"",model:"",iteration:0,text:"",remarks:[],steps:[],warnings:[],attempt:0},Ms=120;function Ns(e,t){let n=e.attempt===0?e:{...e,attempt:0};switch(t.name){case"accepted":return{...n,run:t.data.run_id};case"phase":return kt(n,Ju(t.data));case"rule":return t.data.rule?kt(n,{kind:"rule",name:t.data.rule,status:"done"}):n;case"model_started":return{...Is(n,t.data.iteration),model:t.data.model};case"delta":return zu(Is(n,t.data.iteration),t.data.text);case"reasoning":return kt(n,{kind:"reasoning",name:"reasoning",detail:t.data.text,status:"done"});case"tool_started":return kt(n,{key:Ds(t.data),kind:"tool",name:t.data.tool,detail:Qu(t.data.arguments),status:"running"});case"tool_finished":return Xu(n,t.data);case"warning":return{...n,warnings:[...n.warnings,t.data.message]};default:return n}}function Ls(e,t){return{...e,attempt:t}}function Ju({phase:e,name:t="",duration_ms:n,ok:o}){return{kind:"phase",name:e,detail:t,status:o===!1?"failed":"done",ms:n}}function Is(e,t){if(t===e.iteration)return e;let n=e.text.trim()===""?e.remarks:[...e.remarks,e.text];return{...e,iteration:t,text:"",remarks:n}}function zu(e,t){return{...e,text:e.text+t}}function kt(e,t){let n=t.key??`step ${e.steps.length}`;return{...e,steps:[...e.steps,{detail:"",error:"",ms:void 0,...t,key:n}]}}function Xu(e,t){let n=Ds(t),r={status:t.ok?"done":"failed",ms:t.duration_ms,error:t.error??""};return e.steps.some(a=>a.key===n)?{...e,steps:e.steps.map(a=>a.key===n?{...a,...r}:a)}:kt(e,{key:n,kind:"tool",name:t.tool,...r})}function Ds({iteration:e,call_id:t}){return`call ${e} ${t}`}function Qu(e){let t=typeof e=="string"?e:JSON.stringify(e)??"";return t.length>Ms?`${t.slice(0,Ms)}…`:t}var ho={draft:"",sent:void 0,waiting:!1,usedTokens:[],received:[]};function Ps(e,t,n){let{sent:o}=e,r=o?.session===t&&e.waiting?o:void 0,a=e.received.find(c=>c.answer.request_id===r?.replaces),i=e.received.filter(c=>c!==a&&c.answer.request_id!==n.request_id),l=a?.question??r?.question??"";return{...e,waiting:r?!1:e.waiting,usedTokens:r?.token?[...e.usedTokens,r.token]:e.usedTokens,received:[...i,{session:t,question:l,at:new Date().toISOString(),replaces:r?.replaces??"",answer:n}]}}function un(e){if(!e.waiting)return e;let t=[e.sent?.question,e.draft].filter(Boolean).join(`

`);return{...e,waiting:!1,draft:t}}function qs(e,t){return t?{...e,usedTokens:[...e.usedTokens,t]}:e}var Hs={status:"none",reason:""};function Bs(){let[e,t]=$(Hs),n=C(async o=>{t({status:"pending",reason:""});try{let{status:r}=await w.cancelRun(o);t({status:r==="cancelled"?"cancelled":"ended",reason:""})}catch(r){if(!(r instanceof q))throw r;t({status:"failed",reason:r.message})}},[]);return{state:e,cancel:n,clear:C(()=>t(Hs),[])}}function Fs(){let e=y(St),t=y(0),[n,o]=$(St);v(()=>()=>cancelAnimationFrame(t.current),[]);let r=C(i=>{e.current=i(e.current),t.current===0&&(t.current=requestAnimationFrame(()=>{t.current=0,o(e.current)}))},[]),a=C(()=>{cancelAnimationFrame(t.current),t.current=0,e.current=St,o(St)},[]);return{shown:n,latest:C(()=>e.current,[]),update:r,reset:a}}var Yu=500,Zu=2e3,ed=1.4;function dn({status:e}){return e==="queued"||e==="running"}function td(e){if(!e?.error)return;let{error:t,message:n,request_id:o,details:r}=e.error;return new q("failed",n,{code:t,requestId:o,details:r??[]})}function Vs(e){let t=X(),[n,o]=$({id:e,run:void 0,error:void 0}),[r,a]=$(0);v(()=>{if(e==="")return;let d=new AbortController;return o(f=>f.id===e?{...f,error:void 0}:{id:e,run:void 0,error:void 0}),nd(e,d.signal,f=>o(p=>({...p,error:void 0,...f}))),()=>d.abort()},[e,t,r]);let i=C(async()=>{try{let d=await w.cancelRun(e);o(f=>f.id===e?{...f,run:d}:f)}catch(d){if(!(d instanceof q))throw d;o(f=>f.id===e?{...f,error:d}:f)}},[e]),l=n.id===e?n:{id:e,run:void 0,error:void 0},{run:c}=l,u=l.error?.status===404||c!==void 0&&!dn(c);return{...l,error:l.error??td(c),active:e!==""&&!u,cancel:i,retry:C(()=>a(d=>d+1),[])}}async function nd(e,t,n){for(let o=Yu;;o=Math.min(Zu,o*ed)){if(await rd(t),t.aborted)return;let r=await od(e,t,n);if(t.aborted||!r)return;await sd(o,t)}}async function od(e,t,n){try{let o=await w.run(e,t);return n({run:o}),dn(o)}catch(o){if(t.aborted)return!1;if(!(o instanceof q))throw o;return n({error:o}),o.kind==="offline"||o.kind==="failed"}}function rd(e){return new Promise(t=>{if(!document.hidden||e.aborted)return t();document.addEventListener("visibilitychange",()=>t(),{once:!0,signal:e}),e.addEventListener("abort",()=>t(),{once:!0})})}function sd(e,t){return new Promise(n=>{let o=setTimeout(n,e);t.addEventListener("abort",()=>(clearTimeout(o),n()),{once:!0})})}var ad=12,id="resume_token_in_use";function js(e,t,n){let o=X(),[r,a]=$(ho);v(()=>a(({draft:b})=>({...ho,draft:b})),[o]);let i=D(),l=Fs(),c=Bs(),u=Vs(t),d=y(new Set),f=C((b,x)=>{a(U=>Ps(U,b,x))},[]),{run:p}=u;v(()=>{p===void 0||dn(p)||(p.answer?f(e,p.answer):a(b=>b.sent?.session===e?un(b):b))},[p,e,f]);let m=(b,x)=>{Ue().params.session===b&&j("chat",{session:b,run:x},{replace:!0})},h=async(b,x,U)=>{let te={open:I=>w.streamChat(x,I),reopen:w.runEvents},me=I=>l.update(ie=>Ls(ie,I));try{for await(let I of ws(te,{signal:U,onLost:me}))I.name==="answer"?f(b.session,I.data):l.update(ie=>Ns(ie,I))}catch(I){if(!(I instanceof Ze))throw I;m(b.session,I.run)}},k=(b,x)=>{d.current.add(b.session),l.reset(),c.clear(),a(U=>({...U,sent:b,waiting:!0,draft:b.question?"":U.draft})),j("chat",{session:b.session},{replace:e!==""}),i.run(async U=>{try{if(b.background){let{id:te}=await w.startChat(x,U);m(b.session,te)}else await h(b,x,U)}catch(te){throw a(me=>ld(te)?qs(un(me),b.token):un(me)),te}})},g=()=>{let b=e||cd(),x=r.draft.trim(),{background:U}=n;k({session:b,question:x,background:U,replaces:"",token:""},qr(x,b,n))},R=({request_id:b,resume_token:x})=>{if(!x)return;let{background:U}=n;k({session:e,question:"",background:U,replaces:b,token:x},Hr(x,e,n))},S=()=>{if(!i.busy)return void u.cancel();let{run:b}=l.latest();i.cancel(),b!==""&&c.cancel(b)};return{...r,task:i,live:l.shown,cancellation:c.state,followed:u,busy:i.busy||u.active,fresh:d.current.has(e)||t!=="",markFound:C(b=>{d.current.delete(b)},[]),write:C(b=>a(x=>({...x,draft:b})),[]),send:g,resume:R,cancel:S}}function ld(e){return e instanceof q&&e.kind==="refused"&&e.code!==id}function cd(){let e=crypto.getRandomValues(new Uint8Array(ad));return Array.from(e,t=>t.toString(16).padStart(2,"0")).join("")}var Us=40,ud=100,_o=e=>({id:e,session:void 0,messages:[],from:1});function Ws(e,{blocked:t,running:n,fresh:o}){let r=X(),[a,i]=$(()=>_o(e)),l=a.id===e?a:_o(e),c=y(l);c.current=l;let u=y(o);u.current=o;let d=D(),f=D(),{run:p,cancel:m}=d,h=C(()=>p(async S=>{e!==""&&i(await dd(e,c.current,{fresh:u.current,signal:S}))}),[p,e]);v(()=>(t||h(),m),[h,m,t,n,r]);let k=C(S=>{i(b=>b.session&&b.id===S.id?{...b,session:S}:b)},[]),g=f.run,R=C(()=>g(async S=>{let{from:b}=c.current,x=Math.max(1,b-Us),U=await Gs(e,x,b,S);i(te=>te.id===e?{...te,messages:[...U,...te.messages],from:x}:te)}),[g,e]);return{...l,loading:e!==""&&d.busy&&l.session===void 0,error:d.error,reload:h,update:k,earlier:{busy:f.busy,since:f.since,error:f.error,show:R}}}async function dd(e,t,{fresh:n,signal:o}){let r=await md(e,n&&t.session===void 0,o);if(r===void 0)return _o(e);let a=Math.max(1,r.turns-Us+1),i=t.session?.created_at===r.created_at,l=i?Math.min(a,t.messages.at(-1)?.turn??a):a,c=await Gs(e,l,1/0,o);return{id:e,session:r,messages:i?_s(t.messages,c,l):c,from:i?Math.min(t.from,l):l}}async function md(e,t,n){try{return await w.session(e,n)}catch(o){if(t&&o instanceof q&&o.status===404)return;throw o}}async function Gs(e,t,n,o){let r=[],a;do{let i=await w.messages(e,{limit:ud,cursor:a,fromTurn:t,signal:o});r.push(...i.messages),a=i.cursor??void 0}while(a!==void 0&&(r.at(-1)?.turn??0)<n);return r.filter(i=>i.turn<n)}function Ks(e,{read:t,deleted:n,whole:o}){let r=e.at(-1),a=new Map(e.map(i=>[i.id,i]));for(let i of t.values()){let l=a.get(i.id);(l?i.updated_at>=l.updated_at:o||!r||i.updated_at>r.updated_at)&&a.set(i.id,i)}return[...a.values()].filter(i=>!n.has(i.id)).sort((i,l)=>+(i.updated_at<l.updated_at)-+(i.updated_at>l.updated_at))}var fd=20,Js=()=>({read:new Map,deleted:new Set,pages:1});function zs(e){let t=X(),[n,o]=$(Js);v(()=>o(Js),[t]);let r=fe(f=>pd(n.pages,f),[n.pages]),a=C(f=>{o(p=>({...p,read:new Map(p.read).set(f.id,f)}))},[]),i=C(async(f,p)=>{let m=await w.renameSession(f,p);a(m),e(m)},[a,e]),l=C(async f=>{await w.deleteSession(f),o(p=>({...p,deleted:new Set(p.deleted).add(f)}))},[]),c=C(()=>o(f=>({...f,pages:f.pages+1})),[]),{data:u}=r,d=V(()=>u&&Ks(u.sessions,{...n,whole:!u.cursor}),[u,n]);return{...r,sessions:d,more:!!u?.cursor,showMore:c,addSession:a,rename:i,remove:l}}async function pd(e,t){let n=[],o;for(let r=0;r<e;r+=1){let a=await w.sessions({limit:fd,cursor:o,signal:t});if(n.push(...a.sessions),o=a.cursor??void 0,o===void 0)break}return{sessions:n,cursor:o}}var mn=matchMedia("(width >= 800px)");function Xs({route:e}){let{session:t="",run:n=""}=e.params,[o,r]=$(Pr),a=js(t,n,o),i=Ws(t,{blocked:a.busy&&a.waiting&&a.sent?.session===t,running:a.followed.active,fresh:a.fresh}),l=zs(i.update),{addSession:c}=l,{markFound:u}=a;v(()=>{i.session&&(c(i.session),u(i.session.id))},[i.session,c,u]);let d=C(g=>r(R=>({...R,...g})),[]),f=()=>j("chat"),p=()=>{f(),mn.matches&&document.getElementById(to)?.focus()},m=Fr(o),h=o.collections.length,k=s`
    <button type="button" onClick=${p}>New chat</button>
    <${L} open=${mn.matches} summary=${s`<h2>Sessions</h2>`}>
      <${Os}
        sessions=${l}
        open=${t}
        onOpen=${g=>g!==t&&j("chat",{session:g})}
        onDeleted=${g=>g===t&&f()}
      />
    <//>
    <${L}
      open=${mn.matches}
      summary=${s`<h2>Collections</h2>${h>0&&s` <small>${h} selected</small>`}`}
    >
      <${As} options=${o} onChange=${d} />
    <//>
    <${L}
      open=${mn.matches}
      summary=${s`<h2>Options</h2>${m>0&&s` <small>${m} selected</small>`}`}
    >
      <${Rs} options=${o} onChange=${d} />
    <//>
  `;return s`
    <${pe} title="Chat" controls=${k}>
      <${Cs} id=${t} chat=${a} conversation=${i} options=${o} onBegin=${f} />
    <//>
  `}var $d={tone:"good",label:"active"},Qs={tone:"plain",label:"disabled"},fn={tone:"bad",label:"not used"},hd={tone:"warn",label:"has a problem"};function bo({disabled:e,tools:t,tool_settings:{disabled_types:n}}){let o=new Set(e.map(({kind:a,name:i})=>`${a} ${i}`)),r=new Set(t.filter(({enabled:a,type:i})=>a===!1||i&&n.includes(i)).map(({name:a})=>a));return(a,{name:i,problems:l})=>a==="tool"&&r.has(i)?Qs:o.has(`${a} ${i}`)?fn:l.length>0?hd:$d}function et(e){return new Set(e?.llms.filter(({demo:t})=>t).map(({name:t})=>t))}function Ys(e){let t=bo(e),{rules:n,tools:o,llms:r,services:a,phases:i,validation:l}=e,u=[["rule",n],["tool",o],["llm",r],["service",a],["phase",Object.entries(i).map(([f,p])=>({name:f,problems:p?.problems??[]}))],["schedule",[{name:"validation",problems:l.problems}]]].flatMap(([f,p])=>p.filter(({problems:m})=>m.length>0).map(m=>({kind:f,name:m.name,problems:m.problems,state:t(f,m)}))),d=new Set(u.map(({kind:f,name:p})=>`${f} ${p}`));for(let{kind:f,name:p,problems:m}of e.disabled)d.has(`${f} ${p}`)||u.push({kind:f,name:p,problems:m,state:fn});return u.filter(({state:f})=>f!==Qs).sort((f,p)=>+(p.state===fn)-+(f.state===fn))}function pn(e,t){let n=e.filter(({kind:o})=>t.includes(o)).length;return n>0?` ! ${n}`:""}function Zs(e){return Object.entries(e).map(([t,n])=>{let o=typeof n=="string"?n:JSON.stringify(n);return t.endsWith("_regexp")?{field:t.slice(0,-7),relation:"matches",value:o}:t.endsWith("_contains")?{field:t.slice(0,-9),relation:"contains",value:o}:t==="rag_results"&&n==="any"?{field:t,relation:"is",value:"match or partial"}:{field:t,relation:"is",value:o}})}var _d=200;function $n({tool:e}){let t=s`
    <span class="tool-head">
      <strong class="mono">${e.name}</strong>
      <${Y}>${Be(e.implementation.type)}<//>
    </span>
    <span class="tool-line">${ee(e.description,_d)}</span>
  `;return s`<li class="tool-card">
    <${L} summary=${t}>
      <p><${T} tone="good">enabled<//></p>
      <${P} value=${e.description} label=${`Description of ${e.name}`} />
      <${P} value=${e.parameters} label=${`Parameters of ${e.name}`} />
    <//>
  </li>`}function hn({tool:e}){return s`<li class="tool-card tool-disabled">
    <span class="tool-head">
      <strong class="mono">${e.name}</strong>
      <${T} tone="warn">disabled<//>
    </span>
    <ul>${e.problems.map(t=>s`<li>${t}</li>`)}</ul>
  </li>`}var ea=`flexchat tokens create --stage ${Ae} --name "an operator" --role operator`;function ta(){return s`
    <div class="notice stack" role="status">
      <h2>! Operator role required</h2>
      <p>Rules, services and settings are visible to tokens with the role <strong>operator</strong>. Create one with:</p>
      <p><code>${ea}</code></p>
      <div class="row">
        <${Q} text=${ea} label="Copy command" />
        <button type="button" onClick=${()=>Le("")}>Enter another token</button>
      </div>
    </div>
  `}function na(){return s`
    <section class="stack" aria-label="Tools"><h2>Tools</h2><${bd} /></section>
    <section class="stack" aria-label="Models"><h2>Models</h2><${gd} /></section>
  `}function bd(){let{data:e,error:t,reload:n}=Ke(),o=e?.disabled.filter(({kind:r})=>r==="tool")??[];return t?s`<${E} error=${t} onRetry=${n} />`:e?e.tools.length+o.length===0?s`<p>No tools are configured.</p>`:s`
    <ul class="tool-cards">
      ${o.map(r=>s`<${hn} key=${`off ${r.name}`} tool=${r} />`)}
      ${e.tools.map(r=>s`<${$n} key=${r.name} tool=${r} />`)}
    </ul>
  `:s`<${F} lines=${6} label="the tools" />`}function gd(){let{data:e,error:t,reload:n}=Je(),[o]=$(()=>performance.now());return t?s`<${E} error=${t} onRetry=${n} />`:e?s`
    ${e.errors.map(({llm:r,error:a})=>s`<p>! <code>${r}</code> did not list its models: ${a}</p>`)}
    ${e.models.length===0?s`<p>No models available.</p>`:s`<${yd} models=${e.models} />`}
  `:s`<p><${M} label="Loading models" since=${o} /></p>`}function yd({models:e}){return s`
    <${Fe} label="Models" caption="Available models" columns=${["Model","Provider","Tool calling","Last tested"]}>
      ${e.map(({id:t,provider:n,validation:o,demo:r})=>s`
          <tr>
            <th scope="row" class="mono">${t}</th>
            <td><${Y}>${n}<//></td>
            <td><${Xe} validation=${o} demo=${r} /></td>
            <td>${o.last_tested?s`<${K} at=${o.last_tested} />`:"never"}</td>
          </tr>
        `)}
    <//>
  `}var yo="conf-intent";function oa({draft:e,problem:t,busy:n,intents:o,services:r,onDraft:a,onRun:i,onCancel:l}){let c=ne(),u=f=>{f.preventDefault(),i()},d=f=>p=>a({[f]:p.currentTarget.value});return s`
    <form class="stack" onSubmit=${u}>
      <h2>Rule test</h2>
      <p>Enter profile fields to see the rule that matches. Empty fields are unset. No model is called.</p>
      <${go} id=${yo} label="Intent" value=${e.intent} suggestions=${o} onInput=${d("intent")} />
      <${go} label="Service" value=${e.service} suggestions=${r} onInput=${d("service")} />
      <${go} label="Topic" value=${e.topic} suggestions=${[]} onInput=${d("topic")} />
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
        <button type="submit" class="primary" disabled=${n}>Test rules <small class="conf-keys">${ae("mod+Enter")}</small></button>
        ${n&&s`<button type="button" onClick=${l}>Cancel</button>`}
      </div>
    </form>
  `}function go({id:e,label:t,value:n,suggestions:o,onInput:r}){let a=ne();return s`
    <label class="field">
      ${t}
      <input id=${e} value=${n} list=${a} spellcheck=${!1} autocomplete="off" onInput=${r} />
    </label>
    <datalist id=${a}>${o.map(i=>s`<option value=${i}></option>`)}</datalist>
  `}var ra="flexchat config check";function sa({configuration:e,faulty:t,loading:n,onReload:o}){let{stage:r,version:a,revision:i,changed_at:l,read_at:c}=e;return s`
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
        ${l&&s`<dt>Changed</dt><dd><${K} at=${l} /> <small>${$t(l)}</small></dd>`}
        ${c&&s`<dt>Loaded</dt><dd><${K} at=${c} /> <small>${$t(c)}</small></dd>`}
      </dl>
      ${t.length>0&&s`<${vd} faulty=${t} />`}
    </section>
  `}function vd({faulty:e}){return s`
    <ul class="conf-problems" aria-label="Problems">
      ${e.map(({kind:t,name:n,problems:o,state:r})=>s`
          <li data-tone=${r.tone}>
            <span class="row"><${Y}>${t}<//> <strong>${n}</strong> <${T} tone=${r.tone}>${r.label}<//></span>
            <ul>${o.map(a=>s`<li>${a}</li>`)}</ul>
          </li>
        `)}
    </ul>
    <p>
      Fix the file and push it again. <code>${ra}</code> validates a file.
      <${Q} text=${ra} label="Copy command" />
    </p>
  `}var wd=300;function aa({demo:e,match:{busy:t,since:n,error:o,cancelled:r,profileJson:a,result:i,match:l},onClose:c}){return s`
    <section class="conf-match stack" aria-label="Matched rule">
      <div class="row spread">
        <h2>Matched rule</h2>
        <button type="button" class="quiet" onClick=${c}>Close</button>
      </div>
      <p><code>${ee(a,wd)}</code></p>
      ${t&&s`<p><${M} label="Testing the rules" since=${n} /></p>`}
      ${o&&s`<${E} error=${o} onRetry=${l} />`}
      ${r&&s`<div class="notice stack" role="status">
          <p>! Test cancelled.</p>
          <div class="row"><button type="button" onClick=${l}>Try again</button></div>
        </div>`}
      <div role="status">${i&&s`<${Td} answer=${i.answer} demo=${e} />`}</div>
      ${i&&s`<${kd} key=${i.profileJson} answer=${i.answer} />`}
    </section>
  `}function Td({answer:{rule:e,llm:t,model:n,fallback:o,problem:r},demo:a}){return s`
    ${e&&s`<p class="conf-matched-rule">
        <${T} tone=${r?"warn":"good"}>Rule <strong>${e}</strong> matches<//>, model <code>${t}:${n}</code>${a.has(t??"")&&s` <${W} />`}
      </p>`}
    ${o&&s`<p><${T} tone="warn">instead of<//> <code>${o.instead_of}</code>: ${o.reason}</p>`}
    ${r&&s`<p><${T} tone="bad">A chat fails:<//> ${r}</p>`}
  `}function kd({answer:{rule:e,rules:t,tools:n}}){let o=n.filter(r=>r.offered).length;return s`
    <${an} rules=${t} />
    ${e&&s`<${L} open summary=${`${o} of ${n.length} tools offered`}>
        <${ln} tools=${n} />
      <//>`}
  `}var Sd=["intent","service","topic","rag_results"];function xt({intent:e="",service:t="",topic:n="",rag_results:o="",more:r=""}){return{intent:e,service:t,topic:n,rag_results:o,more:r}}function ia(e){return e.tried==="yes"}function vo(e,t){return{...e,...xt({...t}),tried:t===void 0?"":"yes"}}function wo(e){let{fields:t,problem:n}=xd(e.more);if(t===void 0)return{profile:void 0,problem:n};let o={...t};for(let r of Sd){let a=e[r].trim();if(a!==""){if(r in t)return{profile:void 0,problem:`“${r}” is set twice. Remove it from the JSON or from the field above.`};o[r]=a}}return{profile:o,problem:""}}function xd(e){if(e.trim()==="")return{fields:{},problem:""};let t;try{t=G(e)}catch(n){return{fields:void 0,problem:`Not valid JSON: ${n instanceof Error?n.message:n}`}}return typeof t!="object"||t===null||Array.isArray(t)?{fields:void 0,problem:'Enter a JSON object, such as {"plan": "free"}.'}:{fields:t,problem:""}}function tt({caption:e,none:t,entries:n,columns:o,stateOf:r}){return n.length===0?s`<p>${t}</p>`:s`
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
          ${n.map(a=>s`<${Cd} key=${a.name} entry=${a} columns=${o} state=${r(a)} />`)}
        </tbody>
      </table>
    </div>
  `}function Cd({entry:e,columns:t,state:n}){return s`
    <tr>
      <th scope="row">${e.name}</th>
      <td>
        <${T} tone=${n.tone}>${n.label}<//>
        ${e.problems.map(o=>s`<small class="conf-problem-text">${o}</small>`)}
      </td>
      ${t.map(({number:o,cell:r})=>s`<td class=${o&&"number"}>${r(e)}</td>`)}
    </tr>
  `}function ue({names:e,none:t=""}){return e.length===0?t:s`<span class="conf-names">${e.map(n=>s`<code>${n}</code>`)}</span>`}function Ct(e){return typeof e!="boolean"?"":e?"yes":"no"}function To(e){return typeof e=="number"?be(e):""}var la={caption:"Tools",none:"No tools are configured.",columns:[{title:"Type",cell:e=>e.type},{title:"Timeout",number:!0,cell:e=>e.timeout_ms?O(e.timeout_ms):""},{title:"Idempotent",cell:e=>Ct(e.idempotent)},{title:"Repeatable",cell:e=>Ct(e.repeatable)},{title:"Sequential",cell:e=>Ct(e.sequential)},{title:"Per caller",cell:e=>Ct(e.per_principal)}]},ca={caption:"LLMs",none:"No LLMs are configured, so chats fail.",columns:[{title:"Type",cell:e=>s`${e.type}${e.demo&&s` <${W} />`}`},{title:"Endpoint",cell:e=>e.host??e.region??(e.type?"provider default":"")},{title:"Key",cell:e=>Ct(e.has_key)},{title:"Models",cell:e=>s`<${ue} names=${e.models} none=${e.type?"listed by the provider":""} />`},{title:"Fallbacks",cell:e=>s`<${ue} names=${e.fallbacks} none=${e.type?"none":""} />`}]},ua={caption:"Retrieval services",none:"No retrieval services are configured.",columns:[{title:"Type",cell:e=>e.type},{title:"Endpoint",cell:e=>e.host??e.region??(e.type==="internal"?"this stack":"")},{title:"Collections",cell:e=>s`<${ue} names=${e.collections} none=${e.type==="internal"?"all":""} />`},{title:"Match",number:!0,cell:e=>To(e.match_threshold)},{title:"Partial",number:!0,cell:e=>To(e.partial_threshold)},{title:"Farthest",number:!0,cell:e=>To(e.max_distance)},{title:"Passages",number:!0,cell:e=>e.top_k}]};var Ed=/[\p{L}\p{N}_]+|[^\p{L}\p{N}_]+/gu,Rd=/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}⟨]/u;var Ad=/[\p{Mn}\p{Me}]/u,Od=/\p{Script=Latin}/u,Md=/[\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Lisu}]/u;function Id(e){return`⟨U+${(e.codePointAt(0)??0).toString(16).toUpperCase().padStart(4,"0")}⟩`}function da(e){let t=[],n=" ";for(let o of e.match(Ed)??[]){let r=/[A-Za-z]/.test(o);for(let a of o){let i=Ad.test(a),l=Nd(a)||r&&Md.test(a)||i&&!Ld(n),c=t.at(-1);l?t.push({text:Id(a),hidden:l}):c&&!c.hidden?c.text+=a:t.push({text:a,hidden:l}),i||(n=a)}}return t}function Nd(e){if(` 	
`.includes(e))return!1;if(Rd.test(e))return!0;let t=e.normalize("NFKC");return t!==e&&/[A-Za-z0-9]/.test(t)}function Ld(e){return/\p{L}/u.test(e)&&!Od.test(e)}function de({text:e}){let t=V(()=>da(e),[e]);return s`${t.map(n=>n.hidden?s`<mark class="hidden-character">${n.text}</mark>`:n.text)}`}var Dd={offered:["good","offered"],changed:["warn","changed"],new:["warn","new"],removed:["plain","removed"],invalid:["bad","not usable"],shadowed:["plain","replaced by a configured tool"],not_taken:["plain","not taken"]};function ma(e){return e.filter(({state:t})=>t==="changed"||t==="new")}function fa(e){return e.filter(({state:t})=>t==="removed")}function pa({tools:e,server:t}){return e.length===0?null:s`
    <div class="scroll" tabindex="0" role="region" aria-label=${`Tools of ${t}`}>
      <table class="conf-table">
        <caption>Tools of ${t}</caption>
        <thead>
          <tr><th scope="col">Name</th><th scope="col">State</th><th scope="col">Description</th></tr>
        </thead>
        <tbody>
          ${e.map(n=>s`<${Pd} key=${n.name} tool=${n} />`)}
        </tbody>
      </table>
    </div>
  `}function Pd({tool:{name:e,description:t,state:n,problems:o,losses:r,diff:a}}){let[i,l]=Dd[n];return s`
    <tr>
      <th scope="row"><${de} text=${e} /></th>
      <td>
        <${T} tone=${i}>${l}<//>
        ${o.map(c=>s`<small class="conf-problem-text"><${de} text=${c} /></small>`)}
        ${r.map(c=>s`<small class="conf-problem-text">Models do not get <${de} text=${c} /></small>`)}
      </td>
      <td class="mcp-description">
        <${de} text=${t} />
        ${a.length>0&&s`<${L} summary=${n==="new"?"Definition":"Difference"} open=${!0}><${Hd} lines=${a} /><//>`}
      </td>
    </tr>
  `}var qd={"+":"ins","-":"del","?":"em"};function Hd({lines:e}){return s`
    <pre class="mcp-diff">${e.map(t=>s`<${qd[t[0]??""]??"span"}><${de} text=${t} />${`
`}<//>`)}</pre>
  `}var Bd={ready:["good","connected"],failed:["bad","not connected"],not_checked:["plain","not connected yet"],disabled:["plain","disabled"]};function $a(){let{data:e,error:t,reload:n}=fe(o=>w.mcpServers(o));return t?s`<${E} error=${t} onRetry=${n} />`:e?e.servers.length===0?s`<p>No MCP servers are configured.</p>`:s`
    <ul class="mcp-servers">
      ${e.servers.map(o=>s`<li key=${o.name}><${Fd} loaded=${o} /></li>`)}
    </ul>
  `:s`<${F} lines=${6} label="the MCP servers" />`}function Fd({loaded:e}){let[t,n]=$(e),o=D(),{name:r}=t,a=()=>o.run(async c=>n(await w.refreshMcpServer(r,c))),i=ma(t.tools),l=()=>{let c=[...i,...fa(t.tools)].map(({tool:u})=>u);return o.run(async u=>n(await w.approveMcpTools(r,{hash:t.pending_hash??"",tools:c},u)))};return s`
    <section class="mcp-server stack" aria-label=${`MCP server ${r}`}>
      <div class="row spread">
        <h3>${r} <${Y}>${t.transport}<//></h3>
        <button type="button" class="quiet" disabled=${o.busy||t.state==="disabled"} onClick=${a}>Connect now</button>
      </div>
      <p role="status">
        ${o.busy?s`<${M} label="Connecting" since=${o.since} />`:s`<${jd} server=${t} />`}
      </p>
      ${o.error&&s`<${E} error=${o.error} />`}
      ${t.error&&s`<p class="mcp-error"><${de} text=${t.error} /></p>`}
      ${t.error&&t.hints.length>0&&s`<ul aria-label="Hints">${t.hints.map(c=>s`<li><${de} text=${c} /></li>`)}</ul>`}
      <${Ud} server=${t} />
      <${Vd} entries=${t.left_out} />
      ${i.length>0&&s`<div class="notice stack">
          <p>! ${_(i.length,"definition")} of tools changed or new. Models are not offered them until they are approved: a definition can make a model call other tools or disclose data.</p>
          <div class="row"><button type="button" disabled=${o.busy} onClick=${l}>Approve ${_(i.length,"definition")}</button></div>
        </div>`}
      <${pa} tools=${t.tools} server=${r} />
    </section>
  `}function Vd({entries:e={}}){let t=Object.entries(e);return t.length===0?null:s`<div class="notice">
    <p>! The server lists entries that cannot be used:</p>
    <ul aria-label="Left out">
      ${t.map(([n,o])=>s`<li key=${n}><code><${de} text=${n} /></code> <${de} text=${o} /></li>`)}
    </ul>
  </div>`}function jd({server:{state:e,checked_at:t}}){let[n,o]=Bd[e];return s`<${T} tone=${n}>${o}<//>${t&&s`, checked <${K} at=${t} />`}`}function Ud({server:{transport:e,target:t,server:n,protocol_version:o,tools:r}}){let a=r.filter(({state:i})=>i==="offered").length;return s`
    <dl class="conf-facts">
      <dt>${e==="stdio"?"Command":"Host"}</dt>
      <dd><code><${de} text=${t} /></code></dd>
      ${n&&s`<dt>Server</dt><dd><${de} text=${`${n.name} ${n.version}`} /></dd>`}
      ${o&&s`<dt>Protocol</dt><dd><${de} text=${o} /></dd>`}
      <dt>Offered tools</dt>
      <dd>${A(a)} of ${A(r.length)}</dd>
    </dl>
  `}var Wd=300,Gd=e=>[{title:"Conditions",cell:t=>s`<${Kd} rule=${t} />`},{title:"Model",cell:t=>s`<${Jd} rule=${t} demo=${e} />`},{title:"Tools",cell:t=>s`<${zd} rule=${t} />`}];function ha({rules:e,demo:t,stateOf:n}){return s`<${tt}
    caption="Rules in order of evaluation"
    none="No rules are configured, so chats fail."
    entries=${e}
    columns=${Gd(t)}
    stateOf=${n}
  />`}function Kd({rule:{match:e,fallback:t}}){return t?"none: fallback rule":Zs(e??{}).map(({field:n,relation:o,value:r},a)=>s`
      <div>${a>0&&"and "}<code>${n}</code> ${o} <code>${ee(r,Wd)}</code></div>
    `)}function Jd({rule:e,demo:t}){return e.llm?s`
    <code>${e.llm}:${e.model}</code>${t.has(e.llm)&&s` <${W} />`}
    ${e.fallbacks.length>0&&s`<div><small>then</small> <${ue} names=${e.fallbacks} /></div>`}
    ${e.require_validated&&s`<div><small>requires validation</small></div>`}
  `:null}function zd({rule:{llm:e,allowed_tools:t,max_iterations:n,max_tool_calls:o}}){return e?n?s`
    ${t===null?"all":s`<${ue} names=${t} none="none" />`}
    <div><small>at most ${_(n,"iteration")} and ${_(o??0,"call")}</small></div>
  `:"none":null}function ba({configuration:e}){let{tool_settings:t,phases:n,sessions:o,validation:r,caller_fields:a}=e,{openai_api:i}=e,l=et(e);return s`
    <div class="conf-settings">
      <${Ve}
        title="Tools"
        facts=${[["Enabled",t.enabled?"yes":s`<${T} tone="warn">no: models are offered no tools<//>`],["Iterations per chat",`${A(t.max_iterations)} by default`],["Calls per iteration",`${A(t.max_calls_per_turn)} by default`],["Calls per chat",`${A(t.max_tool_calls)} by default`],["Timeout",`${O(t.default_timeout_ms)} by default`],["Parallel calls",A(t.max_parallel)],["Disabled types",s`<${ue} names=${t.disabled_types} none="none" />`]]}
      />
      <${Ve} title="Topic" facts=${_a(n.topic,l)} problems=${n.topic?.problems} />
      <${Ve} title="Intent" facts=${_a(n.intent,l)} problems=${n.intent?.problems} />
      <${Ve}
        title="Profile"
        facts=${[["Fields set by callers",s`<${ue} names=${a} none="none" />`]]}
      />
      <${Ve}
        title="Sessions"
        facts=${[["Retention",`${_(o.ttl_days,"day")} after the last message`],["History sent to models",`at most ${_(o.max_history_tokens,"token")}`]]}
      />
      <${Ve}
        title="OpenAI-compatible API"
        facts=${[["Rules",s`<${ue} names=${i.rules} none="none" />`],["Models",s`<${ue} names=${i.models} none="none" />`],["Embeddings",i.embedding_model?s`<code>${i.embedding_model}</code>`:"none"]]}
      />
      <${Ve} title="Scheduled validation" facts=${Xd(r)} problems=${r.problems} />
    </div>
  `}function _a(e,t){return e?e.enabled?[["Detected","yes"],["Model",e.model&&s`<code>${e.model}</code>${t.has(e.model.split(":")[0]??"")&&s` <${W} />`}`],...e.intents.length>0?[["Intents",s`<${ue} names=${e.intents} />`]]:[]]:[["Detected","no: disabled"]]:[["Detected","no: not configured"]]}function Xd({models:e,suite:t,repeats:n,stop_early:o,budget:r}){let a=[typeof r.calls=="number"&&_(r.calls,"chat"),typeof r.tokens=="number"&&_(r.tokens,"token"),typeof r.usd=="number"&&he(r.usd)].filter(Boolean);return[["Models",s`<${ue} names=${e} none="none" />`],["Suite",t],["Repeats",A(n)],["Early stopping",o?"yes":"no"],["Budget",a.length>0?a.join(", "):"no limit"]]}function Ve({title:e,facts:t,problems:n=[]}){return s`
    <section class="stack" aria-label=${e}>
      <h3>${e}</h3>
      ${n.map(o=>s`<p><${T} tone="warn">${o}<//></p>`)}
      <dl class="conf-facts">
        ${t.map(([o,r])=>s`<dt>${o}</dt><dd>${r}</dd>`)}
      </dl>
    </section>
  `}function ga({configuration:e,faulty:t,chosen:n,onChoose:o}){let{rules:r,tools:a,llms:i,services:l}=e,c=bo(e),u=et(e),d=m=>h=>c(m,h),f=(m,h)=>`${A(m.length)}${pn(t,[h])}`,p=[{name:"Rules",note:f(r,"rule"),content:()=>s`<${ha} rules=${r} demo=${u} stateOf=${d("rule")} />`},{name:"Tools",note:f(a,"tool"),content:()=>s`<${tt} ...${la} entries=${a} stateOf=${d("tool")} />`},{name:"MCP servers",note:pn(t,["mcp_server"]),content:()=>s`<${$a} />`},{name:"LLMs",note:f(i,"llm"),content:()=>s`<${tt} ...${ca} entries=${i} stateOf=${d("llm")} />`},{name:"Services",note:f(l,"service"),content:()=>s`<${tt} ...${ua} entries=${l} stateOf=${d("service")} />`},{name:"Settings",note:pn(t,["phase","schedule"]),content:()=>s`<${ba} configuration=${e} />`}];return s`<${Ye} label="Configuration sections" tabs=${p} chosen=${n} onChoose=${o} />`}function ya(e){let t=X(),n=D(),{run:o,cancel:r,clear:a}=n,[i,l]=$(void 0),c=e===void 0?"":JSON.stringify(e),u=C(()=>o(async d=>{let f=await w.matchRule(G(c),d);l({profileJson:c,answer:f})}),[o,c]);return v(()=>{if(c!==""){u();return}r(),a(),l(void 0)},[u,r,a,c,t]),{...n,match:u,profileJson:c,result:n.busy||i?.profileJson===c?i:void 0}}var va="Rules";function wa({route:{params:e}}){let t=fe(m=>w.configuration(m)),n=t.error?.kind==="forbidden",[o,r]=Yd(e),{profile:a,problem:i}=wo(o),l=ia(e)&&!n?wo(xt(e)).profile:void 0,c=ya(l),{section:u,reveal:d}=Oe(c.busy),f=()=>{a===void 0||c.busy||(d(),JSON.stringify(a)===c.profileJson?c.match():j("configuration",vo(e,o)))};if(oe([{keys:"/",label:"Enter an intent",run:()=>document.getElementById(yo)?.focus()},{keys:"mod+Enter",label:"Test the rules",run:f},{keys:"Escape",label:"Cancel the test",run:c.cancel}]),n)return s`<${pe} title="Configuration" controls=${s`<${ta} />`}><${na} /><//>`;let p=s`<${oa}
    draft=${o}
    problem=${i}
    busy=${c.busy}
    intents=${t.data?.phases.intent?.intents??[]}
    services=${t.data?.services.map(({name:m})=>m)??[]}
    onDraft=${r}
    onRun=${f}
    onCancel=${c.cancel}
  />`;return s`
    <${pe} title="Configuration" controls=${p} section=${u}>
      ${l&&s`<${aa} match=${c} demo=${et(t.data)} onClose=${()=>j("configuration",vo(e,void 0))} />`}
      ${t.error&&s`<${E} error=${t.error} onRetry=${t.reload} />`}
      ${!t.data&&!t.error&&s`<${F} lines=${8} label="the configuration" />`}
      ${t.data&&s`<${Qd} configuration=${t} data=${t.data} params=${e} />`}
    <//>
  `}function Qd({configuration:e,data:t,params:n}){let o=V(()=>Ys(t),[t]),r=a=>j("configuration",{...n,tab:a===va?"":a},{replace:!0});return s`
    <${sa} configuration=${t} faulty=${o} loading=${e.loading} onReload=${e.reload} />
    <${ga} configuration=${t} faulty=${o} chosen=${n.tab||va} onChoose=${r} />
  `}function Yd(e){let t=JSON.stringify(xt(e)),[n,o]=$(()=>xt(e));return v(()=>o(G(t)),[t]),[n,r=>o(a=>({...a,...r}))]}function Ta(e){let t=zt(),n=t.data?.collections,o=e||n?.[0]?.name||"",r=a=>n&&t.put({collections:n.map(i=>i.name===a.name?a:i)});return{collections:t,selected:o,collection:n?.find(({name:a})=>a===o),isEmpty:n?.length===0,loading:o===""&&t.loading,replace:r}}function nt(e,t){return e===void 0?"none":e<t.match?"match":e<t.partial?"partial":"none"}function Rt(e){let t=Number(e?.trim()||NaN);return t>=0&&t<=2?t:void 0}function _n(e,t){return e===void 0||t===void 0?void 0:{match:e,partial:Math.max(e,t)}}function ka({match:e,partial:t},n,o){return n==="match"?{match:o,partial:Math.max(o,t)}:{match:Math.min(o,e),partial:o}}function Sa({match_threshold:e,partial_threshold:t},n){return _n(e??n?.match,t??n?.partial)}function xa({metadata:e,calibrated_passages:t}){if(typeof t=="number")return"calibrated from passages";let n=[e.match_threshold,e.partial_threshold].filter(o=>typeof o=="number");return n.length===2?"set by an operator":n.length===1?"one set by an operator, one from the service":"from the service"}function Ca(e,{match:t,partial:n}){let o=Math.min(Math.min(...e)-.05,t),r=Math.max(Math.max(...e)+.05,n);return{low:Math.max(0,Et(Math.floor(Et(o/.05))*.05)),high:Math.min(2,Et(Math.ceil(Et(r/.05))*.05))}}function Ea({low:e,high:t},n){return Math.min(100,Math.max(0,Et((n-e)/(t-e)*100)))}function Ra(e,{match:t,partial:n}){return JSON.stringify({rag_services:{docs:{type:"internal",collections:[e],match_threshold:t,partial_threshold:n}}},null,2)}function Et(e){return Math.round(e*1e3)/1e3}var Aa=300;function Oa({collections:e,selected:t,onChoose:n}){let{data:o,error:r,reload:a}=e;return r&&!o?s`<${E} error=${r} onRetry=${a} />`:o?o.collections.length===0?s`<p><small>No collections.</small></p>`:s`
    <fieldset class="ret-collections">
      <legend>Collection</legend>
      <div class="ret-cards">
        ${o.collections.map(i=>s`
            <${Zd}
              key=${i.name}
              collection=${i}
              checked=${i.name===t}
              onChoose=${()=>n(i.name)}
            />
          `)}
      </div>
    </fieldset>
  `:s`<${F} lines=${4} label="the collections" />`}function Zd({collection:e,checked:t,onChoose:n}){let{name:o,metadata:r,documents:a,passages:i,bytes:l,updated_at:c}=e,{match_threshold:u,partial_threshold:d,description:f,embedding_model:p}=r;return s`
    <label class="ret-card">
      <input type="radio" name="collection" value=${o} checked=${t} onChange=${n} />
      <span>
        <strong>${(r.display_name||o).slice(0,Aa)}</strong>
        ${r.display_name&&s` <code>${o}</code>`}
        ${f&&s`<small class="ret-line">${f.slice(0,Aa)}</small>`}
        <small class="ret-line">
          ${_(a,"document")} · ${_(i,"passage")} · ${Xt(l)} · <${K} at=${c} />
        </small>
        <small class="ret-line"><${Y}>${p}<//> ${em(u,d)}${xa(e)}</small>
      </span>
    </label>
  `}function em(e,t){return typeof e=="number"&&typeof t=="number"?`match < ${be(e)}, partial < ${be(t)}: `:"thresholds: "}function Ma({collection:e,thresholds:t,onChanged:n}){let o=D(),[r,a]=$(""),{metadata:i,name:l}=e,c=i.match_threshold===t.match&&i.partial_threshold===t.partial,d=(typeof i.match_threshold=="number"||typeof i.partial_threshold=="number")&&typeof e.calibrated_passages!="number",f=(p,m,h)=>{a(""),o.run(async()=>{let k=await w.changeCollection(l,{metadata:{match_threshold:p,partial_threshold:m}});a(`${h} ✓`),n(k,h)})};return s`
    <button type="button" disabled=${c||o.busy} onClick=${()=>f(t.match,t.partial,"saved")}>
      Save thresholds
    </button>
    ${d&&s`<button type="button" class="quiet" disabled=${o.busy} onClick=${()=>f(null,null,"recalibrated")}>
        Recalibrate thresholds
      </button>`}
    ${o.busy&&s`<${M} label="Updating the collection" since=${o.since} />`}
    <small role="status">${r}</small>
    ${o.error&&s`<${E} error=${o.error} />`}
  `}var tm=5,Ia=100;function At(e){let t=Math.floor(Number(e));return t>=1&&t<=Ia?t:tm}function Na({draft:e,busy:t,form:n,onDraft:o,onRun:r,onCancel:a}){return s`
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
        <button type="submit" class="primary" disabled=${t}>Search <small class="ret-keys">${ae("mod+Enter")}</small></button>
        ${t&&s`<button type="button" onClick=${a}>Cancel</button>`}
        <label class="check ret-top-k">
          Passages
          <input
            type="number"
            name="top_k"
            required
            min="1"
            max=${Ia}
            value=${e.topK}
            onInput=${l=>o({topK:l.currentTarget.value})}
          />
        </label>
      </div>
    </form>
  `}var nm={match:{tone:"good",sign:"✓"},partial:{tone:"warn",sign:"~"},none:{tone:"plain",sign:"·"}};function Ot({name:e}){return s`<${T} ...${nm[e]}>${e}<//>`}var bn=280,La=300;function Da({hit:e}){let[t,n]=$(!1),o=e.title.slice(0,La);return s`
    <div class="ret-passage">
      <strong>${o}</strong>
      <code>${e.source.slice(0,La)}</code>
      ${t?s`<${P} value=${e.text} label=${`Text of ${o}`} />`:s`<p>${om(e.text)}</p>`}
      <button type="button" class="quiet" aria-expanded=${t} onClick=${()=>n(!t)}>
        ${t?"Hide full text":"Show full text"}
      </button>
    </div>
  `}function om(e){let t=e.slice(0,2*bn).replace(/\s+/g," ").trim();return t.length>bn||e.length>2*bn?`${t.slice(0,bn)} …`:t}function Pa({hits:e,thresholds:t,scale:n}){return s`
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
        ${e.map((o,r)=>{let a=nt(o.distance,t);return s`
            <tr key=${o.id} data-class=${a}>
              <td class="number ret-rank">${r+1}</td>
              <td class="number">
                ${be(o.distance)}
                <${rm} distance=${o.distance} thresholds=${t} scale=${n} />
              </td>
              <td><${Ot} name=${a} /></td>
              <td><${Da} hit=${o} /></td>
            </tr>
          `})}
      </tbody>
    </table>
  `}function rm({distance:e,thresholds:t,scale:n}){let o=r=>`${Ea(n,r)}%`;return s`<span class="ret-bar" aria-hidden="true">
    <span style=${{width:o(e)}}></span>
    <i style=${{left:o(t.match)}}></i>
    <i style=${{left:o(t.partial)}}></i>
  </span>`}var sm=300,am={match:"A chat that selects this collection answers from these passages and searches no further collections.",partial:"A chat that selects this collection passes these passages to the model and searches the next collection.",none:"A chat that selects this collection continues without these passages."};function qa({found:e,thresholds:t,saved:n}){let{answer:o,ms:r,request:a}=e,i=o.hits.map(p=>p.distance),l=i.length>0?Math.min(...i):void 0,c=nt(l,t),u=nt(l,n),d=i.map(p=>nt(p,t)),f=p=>`${d.filter(m=>m===p).length} ${p}`;return s`
    <div class="ret-classification">
      <h2><span role="status"><${Ot} name=${c} /></span></h2>
      <p>${am[c]}</p>
      ${c!==u&&s`<p>With the collection's saved thresholds: <${Ot} name=${u} />.</p>`}
      <small>
        ${_(i.length,"passage")}: ${f("match")}, ${f("partial")}, ${f("none")}${" · "}
        ${l!==void 0&&`nearest ${be(l)} · `}${O(r)}
      </small>
      <small>Query: “${a.query.slice(0,sm)}”</small>
    </div>
  `}var im=`flexchat collections create handbook --stage ${Ae}`,lm=`flexchat collections add handbook docs/ --stage ${Ae}`;function Ha({isEmpty:e,hasQuery:t,loading:n,search:o,evaluation:r}){let{busy:a,cancelled:i,error:l,found:c,since:u}=o;return e?s`<${cm} />`:s`
    ${a&&s`<${M} label="Searching" since=${u} />`}
    ${i&&s`<p role="status">Search cancelled.</p>`}
    ${l&&s`<${E} error=${l} onRetry=${o.search} />`}
    ${(t&&n||a&&!c)&&s`<${F} lines=${6} label="the passages" />`}
    ${!t&&s`<${um} />`}
    ${c&&r&&s`
        <${qa} found=${c} ...${r} />
        ${c.answer.hits.length>0?s`<${Pa} hits=${c.answer.hits} thresholds=${r.thresholds} scale=${r.scale} />`:s`<p>No passages found in this collection.</p>`}
      `}
  `}function cm(){return s`
    <${ge} title="No collections">
      <p>Search a collection to see the distances of its passages and calibrate its thresholds.</p>
      <p>Create a collection and add files or directories:</p>
      <pre>${im} && ${lm}</pre>
    <//>
  `}function um(){return s`
    <${ge} title="Test a collection">
      <p>
        Enter a query to see the closest passages of a collection, their distances, and how a chat uses them. Adjust the
        thresholds to see the effect.
      </p>
      <p>Enter a test query and select Search.</p>
    <//>
  `}function Ba({collection:e,query:t,topK:n}){let o=D(),{run:r,cancel:a}=o,[i,l]=$(void 0),c=C(()=>r(async u=>{let d=performance.now(),f=await w.search(e,{query:t,top_k:n},u);l({request:{collection:e,query:t,topK:n},answer:f,ms:performance.now()-d})}),[r,e,t,n]);return v(()=>{e&&t?c():(a(),l(void 0))},[c,a,e,t]),{...o,search:c,found:i?.request.collection===e?i:void 0}}var Va=.001;function ja({collection:e,thresholds:t,saved:n,scale:o,onMove:r,children:a}){let i=t.match!==n.match||t.partial!==n.partial,l=(c,u)=>r(ka(t,c,u));return s`
    <fieldset class="ret-thresholds">
      <legend>Thresholds <small>cosine distance, lower is closer</small></legend>
      <${Fa} name="Match below" value=${t.match} scale=${o} onMove=${c=>l("match",c)} />
      <${Fa} name="Partial below" value=${t.partial} scale=${o} onMove=${c=>l("partial",c)} />
      <div class="row">
        <button type="button" disabled=${!i} onClick=${()=>r(void 0)}>Reset thresholds</button>
        ${a}
      </div>
      <div class="row">
        <${Q} text=${()=>Ra(e,t)} label="Copy as configuration" />
        <small>for services; applies to collections without thresholds</small>
      </div>
    </fieldset>
  `}function Fa({name:e,value:t,scale:n,onMove:o}){return s`
    <div class="ret-slider">
      <span aria-hidden="true">${e}</span>
      <input
        type="range"
        aria-label=${e}
        min=${n.low}
        max=${n.high}
        step=${Va}
        value=${t}
        onInput=${r=>o(Number(r.currentTarget.value))}
      />
      <${mm} name=${`${e}, as a number`} value=${t} onCommit=${o} />
    </div>
  `}function mm({name:e,value:t,onCommit:n}){let[o,r]=$(void 0);return s`
    <input
      type="number"
      aria-label=${e}
      min="0"
      max=${2}
      step=${Va}
      value=${o??t}
      onInput=${i=>r(i.currentTarget.value)}
      onChange=${({currentTarget:i})=>{r(void 0);let l=Rt(i.value);l!==void 0&&n(l)}}
    />
  `}var fm=250;function Ua(e){let t=e.query??"",n=String(At(e.top_k)),[o,r]=$({query:t,topK:n});return v(()=>r({query:t,topK:n}),[t,n]),[o,a=>r(i=>({...i,...a}))]}function Wa(e){let t=Rt(e.match),n=Rt(e.partial),[o,r]=$(_n(t,n)),a=y(e);a.current=e;let i=y(o);return v(()=>{t===i.current?.match&&n===i.current?.partial||(i.current=_n(t,n),r(i.current))},[t,n]),v(()=>{let c=setTimeout(()=>{i.current=o,j("retrieval",gn(a.current,o),{replace:!0})},fm);return()=>clearTimeout(c)},[o]),[o,r]}function gn(e,t){return{...e,match:String(t?.match??""),partial:String(t?.partial??"")}}function Ga({route:e}){let{params:t}=e,n=t.query??"",o=At(t.top_k),{collections:r,selected:a,collection:i,isEmpty:l,loading:c,replace:u}=Ta(t.collection),[d,f]=Ua(t),[p,m]=Wa(t),h=Ba({collection:a,query:n,topK:o}),k=y(null),g=se(),{section:R,reveal:S}=Oe(h.busy),b=pm(i,h.found?.answer,p),x=()=>{S();let I={...t,collection:a,query:d.query,top_k:d.topK};I.query===n&&At(I.top_k)===o?h.search():j("retrieval",gn(I,p))},U=I=>{m(void 0),j("retrieval",gn({...t,collection:I},void 0))},te=(I,ie)=>{u(I),ie!=="saved"&&(m(void 0),h.found&&h.search())};oe([{keys:"/",label:"Enter a test query",run:()=>k.current?.querySelector("textarea")?.focus()},{keys:"mod+Enter",label:"Search",run:()=>k.current?.requestSubmit()},{keys:"Escape",label:"Cancel the search",run:h.cancel}]);let me=s`
    <${Oa} collections=${r} selected=${a} onChoose=${U} />
    ${!l&&s`<${Na}
        draft=${d}
        busy=${h.busy}
        form=${k}
        onDraft=${f}
        onRun=${x}
        onCancel=${h.cancel}
      />`}
    ${b&&s`<${ja} collection=${a} ...${b} onMove=${m}>
        ${i&&g&&s`<${Ma} key=${a} collection=${i} thresholds=${b.thresholds} onChanged=${te} />`}
      <//>`}
  `;return s`
    <${pe} title="Retrieval" controls=${me} section=${R}>
      <${Ha} isEmpty=${l} hasQuery=${n!==""&&(c||a!=="")} loading=${c} search=${h} evaluation=${b} />
    <//>
  `}function pm(e,t,n){let o=Sa(e?.metadata??{},t?.thresholds);if(o===void 0)return;let r=n??o,a=(t?.hits??[]).map(i=>i.distance);return{saved:o,thresholds:r,scale:Ca([...a,o.match,o.partial],r)}}function Ka(e){return Ja(e,0)}function Ja(e,t){let n=new Set(Array.isArray(e.required)?e.required:[]),o=Object.entries(ko(e.properties)).map(([r,a])=>({name:r,schema:ko(a)}));return Object.fromEntries(o.filter(({name:r,schema:a})=>n.has(r)||Xa(a)!==void 0).map(({name:r,schema:a})=>[r,za(a,t+1)]))}function za(e,t){let n=Xa(e);if(n!==void 0)return n;let o=Qa(e.enum);if(o!==void 0)return o;if("const"in e)return e.const;let r=e.type;switch(Array.isArray(r)?r[0]:r){case"integer":case"number":return typeof e.minimum=="number"?e.minimum:1;case"boolean":return!0;case"array":return t<5?[za(ko(e.items),t+1)]:[];case"object":return t<5?Ja(e,t):{};case"null":return null;default:return"text"}}function Xa(e){return Qa(e.examples)??e.example??e.default}function Qa(e){return Array.isArray(e)?e[0]:void 0}function ko(e){return typeof e=="object"&&e!==null&&!Array.isArray(e)?e:{}}var Mt="tt-tool",je="tt-arguments";function So(e){return e===void 0?"":JSON.stringify(Ka(e.parameters),null,2)}function Ya(e){try{let t=G(e);return typeof t=="object"&&t!==null&&!Array.isArray(t)?"":"The arguments are not a JSON object"}catch(t){return`Not valid JSON: ${t instanceof Error?t.message:String(t)}`}}function Za({tools:e,draft:t,problem:n,busy:o,onTool:r,onText:a,onCall:i,onCancel:l}){if(e.error)return s`<${E} error=${e.error} onRetry=${e.reload} />`;if(!e.data)return s`<${F} lines=${4} label="the tools" />`;let c=e.data.tools.find(({name:d})=>d===t.tool);return s`
    <form class="stack" noValidate onSubmit=${d=>{d.preventDefault(),i()}}>
      <div class="field">
        <label for=${Mt}>Tool</label>
        <select id=${Mt} value=${c?.name??""} onChange=${d=>r(d.currentTarget.value)}>
          <option value="">Select a tool</option>
          ${e.data.tools.map(({name:d})=>s`<option value=${d}>${d}</option>`)}
        </select>
      </div>
      ${c&&s`<p>${c.description}</p>`}
      <div class="field">
        <label for=${je}>Arguments</label>
        <textarea
          id=${je}
          class="mono tt-expect"
          spellcheck=${!1}
          value=${t.text}
          aria-invalid=${n?"true":void 0}
          aria-describedby=${`${je}-hint`}
          onInput=${d=>a(d.currentTarget.value)}
        ></textarea>
        <small id=${`${je}-hint`} class=${n?"problem-text":""}>${n?`✕ ${n}`:"A JSON object."}</small>
      </div>
      <div class="row">
        <button type="submit" class="primary" disabled=${o}>Call tool</button>
        <button type="button" disabled=${!o} onClick=${l}>Cancel</button>
        <button type="button" disabled=${c===void 0} onClick=${()=>a(So(c))}>Insert example</button>
      </div>
      <small>The call has the effects of the tool. ${ae("mod+Enter")} calls, ${ae("Escape")} cancels.</small>
      ${c&&s`<${L} key=${c.name} summary="Parameters"><${P} value=${c.parameters} label=${`Parameters of ${c.name}`} /><//>`}
    </form>
  `}function yn(e,t){return[`curl -sS -X POST ${ei(e)}`,'-H "Authorization: Bearer $FLEXCHAT_TOKEN"',"-H 'Content-Type: application/json'",`--data-raw ${ei(JSON.stringify(t))}`].join(` \\
  `)}function ei(e){return`'${e.replaceAll("'",String.raw`'\''`)}'`}var ti=200;function xo({result:e}){let t=O(e.execution_time_ms);return"error"in e?`failed after ${t}: ${Z(e.error_type)}`:`succeeded in ${t}`}var vn=e=>e!=null;function $m({status:e,error:t,response_body:n}){return e==null?!t&&vn(n)?{tone:"good",label:"answered"}:{tone:"bad",label:t??"no response"}:e>=400?{tone:"bad",label:`HTTP ${e}`}:{tone:e>=300?"warn":"good",label:`HTTP ${e}`}}function ni(e,t,n){let o=[...e?[e]:[],...Object.entries(t).map(([r,a])=>`${r}: ${a}`)];return n?`${o.join(`
`)}

${n}`:o.join(`
`)}function oi({outcome:e}){let{result:t,inspection:n}=e,o={tool:e.tool,arguments:e.arguments};return s`
    <div class="stack">
      <p class="tt-status"><${T} tone=${t.success?"good":"bad"}>${xo(e)}<//></p>
      <div class="row tt-facts">
        <span>Tool: <strong class="mono">${e.tool}</strong> <${Y}>${e.type}<//></span>
        <span>With all checks: <strong>${O(e.total_ms)}</strong></span>
        <span>Request: <code>${e.request_id}</code> <${Q} text=${e.request_id} label="Copy request id" /></span>
      </div>
    </div>
    ${n&&s`<${hm} inspection=${n} total=${t.execution_time_ms} />`}
    ${n&&Object.keys(n.notes??{}).length>0&&s`<section class="stack" aria-label="Shaping"><h2>Shaping</h2><${P} value=${n.notes} label="Shaping" /></section>`}
    <section class="stack" aria-label="Result of the call">
      <h2>${"error"in t?"Error":"Result"}</h2>
      ${"truncated"in t&&t.truncated&&s`<p class="notice">! The result was truncated.</p>`}
      ${"error"in t?s`<${P} value=${t.error} label="Error" />`:s`<${P} value=${t.result} label="Result" />`}
      ${"validation_errors"in t&&t.validation_errors&&s`<ul>${t.validation_errors.map(r=>s`<li>${r}</li>`)}</ul>`}
      <div class="row">
        <${Q} text=${()=>yn(new URL("api/tools/call",ke).href,o)} label="Copy as curl" />
      </div>
    </section>
    <section class="stack" aria-label="Details of the call">
      <${L} summary="Arguments with defaults"><${P} value=${e.arguments} label="Arguments with defaults" /><//>
      <${L} summary=${`Text for a model (${_(e.content.length,"character")})`}>
        <${P} value=${e.content} label="Text for a model" />
      <//>
    </section>
  `}function hm({inspection:e,total:t}){let n=e.exchanges??[];return n.length===0?s`<p>The tool sent no request.</p>`:s`
    <section class="stack" aria-label="Requests of the tool">
      <h2>Requests (${A(n.length)})</h2>
      <ol class="tt-calls">
        ${n.map((o,r)=>s`<${_m} key=${r} exchange=${o} total=${t} open=${r===0} />`)}
      </ol>
      ${(e.omitted??0)>0&&s`<p class="notice">! ${_(e.omitted??0,"more request")} not shown.</p>`}
    </section>
  `}function _m({exchange:e,total:t,open:n}){let{tone:o,label:r}=$m(e),a=Math.max(1,t,e.start_ms+e.duration_ms),i={left:`${100*e.start_ms/a}%`,width:`${Math.max(1,100*e.duration_ms/a)}%`},l=e.purpose&&e.purpose!=="request"?e.purpose:"",c=(e.attempt??1)>1?`attempt ${e.attempt}`:"",u=s`<code>${e.method} ${ee(e.url,ti)}</code>
    ${l&&s` <${Y}>${l}<//>`}${c&&s` <${Y}>${c}<//>`}
    <${T} tone=${o}>${r}<//>`;return s`
    <li>
      <${L} summary=${u} open=${n}>
        <${Ye} label=${`Details of ${e.method} ${ee(e.url,ti)}`} tabs=${bm(e)} />
      <//>
      <div class="interval" aria-hidden="true"><span style=${i}></span></div>
      <small class="number">Started after ${O(e.start_ms)} | Duration: ${O(e.duration_ms)} | ${Xt(e.response_bytes??0)}</small>
    </li>
  `}function bm(e){let t=ni(`${e.method} ${e.url}`,e.request_headers,e.request_body),n={name:"Request",content:()=>s`<${P} key="request" value=${t} label="Request" />`};if(!vn(e.status)&&!vn(e.response_body))return[n];let o=ni(vn(e.status)?`HTTP ${e.status}`:"",e.response_headers??{},e.response_body);return[{name:"Response",content:()=>s`<${P} key="response" value=${o} label="Response" />`},n]}var gm=[{mode:"model",title:"Test a model"},{mode:"call",title:"Call a tool"}];function wn({mode:e}){return se()?s`
    <div class="row" role="group" aria-label="Kind of test">
      ${gm.map(t=>s`
          <button type="button" aria-pressed=${t.mode===e?"true":"false"} onClick=${()=>j("tools-testing",t.mode==="call"?{mode:"call"}:{})}>
            ${t.title}
          </button>
        `)}
    </div>
  `:null}var ym={text:"",problem:"",calls:0,outcome:void 0},Tn=e=>document.getElementById(e)?.focus();function ri({route:e}){let t=e.params.tool??"",n=Ke(),o=D(),{section:r,reveal:a}=Oe(o.busy),[i,l]=$(ym),c=m=>l(h=>({...h,...m})),u=n.data?.tools.find(m=>m.name===t),d=So(u);v(()=>{l(m=>({...m,text:d,problem:""}))},[d]);let f=()=>{if(o.busy)return;if(u===void 0)return Tn(Mt);let m=Ya(i.text);if(c({problem:m}),m!=="")return Tn(je);a();let h={tool:u.name,arguments:G(i.text)};o.run(async k=>{let g=await w.callTool(h,k);l(R=>({...R,outcome:g,calls:R.calls+1}))})};oe([{keys:"/",label:"Write the arguments",run:()=>Tn(je)},{keys:"mod+Enter",label:"Call the tool",run:f},{keys:"Escape",label:"Cancel the call",run:o.cancel}]);let p=s`
    <${wn} mode="call" />
    <${Za}
      tools=${n}
      draft=${{tool:t,text:i.text}}
      problem=${i.problem}
      busy=${o.busy}
      onTool=${m=>j("tools-testing",{mode:"call",tool:m})}
      onText=${m=>c({text:m,problem:""})}
      onCall=${f}
      onCancel=${o.cancel}
    />
  `;return s`
    <${pe} title="Tool call" controls=${p} section=${r}>
      <${vm} task=${o} state=${i} waiting=${`Waiting for ${t}`} onRetry=${f} />
    <//>
  `}function vm({task:e,state:{outcome:t,calls:n},waiting:o,onRetry:r}){let a=e.busy||e.error!==void 0||e.cancelled;return s`
    <p class="hidden" role="status">${t&&!a&&xo(t)}</p>
    ${e.busy&&s`<p><${M} label=${o} since=${e.since} /></p>`}
    ${e.cancelled&&s`<p class="notice">! Call cancelled. The tool may still complete it.</p>`}
    ${e.error&&s`<${E} error=${e.error} onRetry=${r} />`}
    ${t&&a&&s`<h2>Previous call</h2>`}
    ${t&&s`<${oi} key=${n} outcome=${t} />`}
    ${!t&&!a&&s`<${wm} />`}
  `}function wm(){return s`<${ge} title="Call one tool without a model">
    <p>
      Select a tool, check the example arguments and call it. The result shows the requests that the tool sent and their
      responses without secrets, the result, and the text that a model would receive.
    </p>
    <p><button type="button" onClick=${()=>Tn(Mt)}>Select a tool</button></p>
  <//>`}function si({models:e,value:t,onChange:n,label:o,id:r,problem:a=""}){let i=ne(),[l,c]=$(void 0),u=l??(e.error!==void 0&&e.data===void 0),d=se(),f=e.data?.models.filter(m=>d||!m.operator_only)??[],p={id:r??i,value:t,required:!0,"aria-invalid":a?"true":void 0,"aria-describedby":`${i}-about`,onInput:m=>n(m.currentTarget.value.trim())};return s`
    <div class="model-picker stack">
      <div class="field">
        <div class="row spread">
          <label for=${p.id}>${o}</label>
          <button type="button" class="quiet" onClick=${()=>c(!u)}>
            ${u?"Choose from the list":"Enter the model id"}
          </button>
        </div>
        ${u?s`<${Sm} ...${p} />`:s`<${xm} ...${p} models=${f} loading=${e.loading} />`}
      </div>
      <div id=${`${i}-about`} class="stack">
        ${a&&s`<p class="problem-text">✕ ${a}</p>`}
        <${Em} model=${f.find(m=>m.id===t)} />
      </div>
      <${Tm} models=${e} />
    </div>
  `}function Tm({models:{data:e,error:t,loading:n,reload:o}}){return n&&e===void 0?s`<${km} />`:s`
    ${e?.errors.map(({llm:r,error:a})=>s`<p>! <code>${r}</code> did not list its models: ${a}</p>`)}
    ${t&&s`<p>! The models could not be listed: ${t.message}</p>
        <div class="row"><button type="button" onClick=${o}>Reload the models</button></div>`}
  `}function km(){let[e]=$(()=>performance.now());return s`<${M} label="Loading models" since=${e} />`}function Sm(e){return s`<input type="text" placeholder="llm:model" spellcheck=${!1} autocapitalize="off" ...${e} />`}function xm({models:e,loading:t,...n}){let o=Object.entries(Object.groupBy(e,a=>a.llm)),r=n.value!==""&&!e.some(a=>a.id===n.value);return s`<select ...${n}>
    <option value="">Select a model</option>
    ${r&&s`<option value=${n.value}>${n.value}${t?"":" · not listed"}</option>`}
    ${o.map(([a,i])=>s`
        <optgroup label=${a}>
          ${i?.map(l=>s`<option key=${l.id} value=${l.id}>${Cm(l)}</option>`)}
        </optgroup>
      `)}
  </select>`}function Cm({id:e,demo:t,validation:{badge:n,rate:o}}){return t?`${e} · demo${o?` ${ve(o)}`:""}`:n?`${e} ${n.symbol} ${o?ve(o):n.text}`:e}function Em({model:e}){if(e===void 0)return null;let{badge:t,last_tested:n}=e.validation,o=Rm(e);return s`
    <p>
      <${Xe} validation=${e.validation} demo=${e.demo} />
      ${t&&s` <small>${t.tooltip}</small>`}${n&&s` <small>(<${K} at=${n} />)</small>`}
    </p>
    ${o&&s`<p class="notice">! ${o}</p>`}
  `}function Rm({capabilities:e,validation:t,demo:n}){return n?"":e.includes("function-calling")?t.validated?"":`This model ${t.tested?"did not pass validation":"has not been tested with tools"}: check its results before you rely on it.`:"The provider does not list tool calling for this model: it may answer without tools."}var ai=[{title:"Simple tool call",query:"What's the weather in Paris?",expected:"One call of the weather tool with Paris as the location, and an answer based on its result."},{title:"Calculator",query:"Calculate 15% tip on $45",expected:"One call of the calculator, and the answer $6.75."},{title:"Direct answer",query:"What's 2+2?",expected:"The answer 4, with the calculator or directly. A direct answer is recorded as no tool call."},{title:"RAG tool",query:"Search for Python decorators in the docs",expected:"One call of the search tool, and an answer based on the results, or that there are none."}];var kn="tt-model",ot="tt-query",ii="Please enter a test query and select a model";function li({model:e,query:t,missing:n,busy:o,onChange:r,onRun:a,onCancel:i}){let l=Je();return s`
    <form class="stack" noValidate onSubmit=${u=>{u.preventDefault(),a()}}>
      <${si}
        models=${l}
        value=${e}
        label="Model"
        id=${kn}
        problem=${n==="model"?ii:""}
        onChange=${u=>r({model:u})}
      />
      <div class="field">
        <label for=${ot}>Query</label>
        <textarea
          id=${ot}
          required
          maxlength="32000"
          placeholder="e.g., What's the weather in Paris?"
          value=${t}
          aria-invalid=${n==="query"?"true":void 0}
          aria-describedby=${n==="query"?"tt-missing":void 0}
          onInput=${u=>r({query:u.currentTarget.value})}
        ></textarea>
        ${n==="query"&&s`<p id="tt-missing" class="problem-text">✕ ${ii}</p>`}
      </div>
      <div class="tt-examples" role="group" aria-label="Example test queries">
        ${ai.map(u=>s`
            <button type="button" onClick=${()=>r({query:u.query})}>
              <strong>${u.title}</strong>
              <span>${u.query}</span>
              <small>Expected: ${u.expected}</small>
            </button>
          `)}
      </div>
      <${Am} busy=${o} onCancel=${i} />
      <small>Manual tests are recorded in the model's history and do not count for its validation.</small>
    </form>
  `}function Am({busy:e,onCancel:t}){let n=y(null),o=y(null),r=y(null);return ce(()=>{let[a,i]=e?[n,o]:[o,n];r.current!==null&&r.current===a.current&&i.current?.focus({preventScroll:!0})},[e]),r.current=document.activeElement,s`
    <div class="row">
      <button ref=${n} type="submit" class="primary" disabled=${e}>
        ${e?"Testing...":"Run"}
      </button>
      <button ref=${o} type="button" disabled=${!e} onClick=${t}>Cancel</button>
      <small>${ae("mod+Enter")} runs, ${ae("Escape")} cancels</small>
    </div>
  `}var Om=300,Mm=2e3;function ui(e){let[t,n]=$(()=>ci(e)),o=y(Co(t)),r=y(!1),a=Co(ci(e));v(()=>{a!==o.current&&(o.current=a,n(G(a)))},[a]);let i=C(u=>{let d=Co(u);d!==o.current&&(o.current=d,j("tools-testing",G(d),{replace:!r.current}),r.current=!1)},[]);v(()=>{let u=setTimeout(()=>i(t),Om);return()=>clearTimeout(u)},[t,i]);let l=C(u=>n(d=>({...d,...u})),[]);return[t,l,()=>{i(t),r.current=!0}]}function ci({params:e}){return{model:e.model??"",query:e.query??""}}function Co({model:e,query:t}){return JSON.stringify({model:e,query:t.length>Mm?"":t})}function di(e,t){let{tone:n,sign:o}=ye(e);return n==="good"&&t.length>0?{tone:"warn",sign:"!"}:{tone:n,sign:o}}function Sn(e){let{tool_calls:t,timings:n,usage:o}=e,r=n.steps.filter(i=>i.step==="model").length,a=t.filter(i=>"error"in i.result).length;return[`${ye(e).title} ${ye(e).tone==="good"?"in":"after"} ${O(n.total_ms)}`,_(r,"model call"),_(t.length,"tool")+(a>0?`, ${A(a)} failed`:""),_(o.total_tokens,"token"),...typeof o.cost_usd=="number"?[he(o.cost_usd)]:[]].join(" · ")}function mi(e){let{error:t,fallback:n}=e,{reason:o}=ye(e);return[e.max_iterations_reached&&"Max iterations reached: the model requested more tool calls than allowed.",e.circular_calls_detected&&"Circular calls: the model repeated the same call and was stopped.",e.status==="complete"&&!e.max_iterations_reached&&!e.circular_calls_detected&&o,e.deadline_reached&&"Deadline reached: the model had to answer without more tool calls.",e.max_tool_calls_reached&&e.outcome!=="tool_call_limit"&&"Tool call limit reached: no more tool calls were allowed.",e.status==="partial"&&`Partial answer: ${t?`${t.provider} failed (${Z(t.type)}): ${t.message}`:"the deadline was reached"}.`,n&&`Another model answered instead of ${n.instead_of}: ${Z(n.reason)}.`].flatMap(a=>a?[a]:[])}var Im=300,Nm=128,Lm=20,Dm=4;function fi({calls:e}){let[t,n]=$(!1);if(e.length===0)return s`<section><h2>Tool calls (0)</h2><p>The model called no tool.</p></section>`;let o=t?e:e.slice(0,Lm);return s`
    <section class="stack" aria-label="Tool calls">
      <h2>Tool calls (${A(e.length)})</h2>
      <ol class="tt-calls">
        ${o.map(r=>s`<${Pm} key=${`${r.iteration} ${r.call_id}`} call=${r} open=${e.length<=Dm} />`)}
      </ol>
      ${o.length<e.length&&s`<div><button type="button" onClick=${()=>n(!0)}>Show ${A(e.length-o.length)} more</button></div>`}
    </section>
  `}function Pm({call:e,open:t}){let n=He(void 0,e),[o,r]="error"in e.result?["Error",e.result]:["Result",e.result.result],a=s`<code>${ee(e.tool,Nm)}(${ee(qm(e),Im)})</code>
    <${T} tone=${n.tone}>${n.label}<//>`;return s`
    <li>
      <${L} summary=${a} open=${t}>
        <${P} value=${r} label=${o} />
      <//>
      <small class="number">Iteration: ${e.iteration} | Execution time: ${A(e.result.execution_time_ms)} ms</small>
    </li>
  `}function qm({params:e}){return typeof e=="string"?e:JSON.stringify(e)}var Hm=60,Bm=1e3,Fm=10,pi="No mock result for these arguments.",Eo=e=>!("error"in e.result);function $i(e){return(e.normalize("NFKD").replaceAll(/\p{M}/gu,"").toLowerCase().match(/[a-z0-9]+/g)??[]).join("-").slice(0,Hm).replace(/-$/,"")||"case"}function hi(e,t){if(e.length===0)return"irrelevance";let n=e.filter(Eo);return n.length<e.length?"error_recovery":new Set(n.map(o=>o.iteration)).size>1?"multi_turn":n.length>1?new Set(n.map(o=>o.tool)).size>1?"parallel_choice":"parallel":t>1?"choice":"single"}function _i(e){let t=Map.groupBy(e.filter(Eo),o=>o.iteration),n=Math.min(Fm,e.length-e.filter(Eo).length);return t.size===0?e.length===0?{}:{any_call:!0,failed_calls:n}:{turns:[...t.values()].map(o=>({calls:o.map(({tool:r,params:a})=>({tool:r,arguments:Vm(a)}))})),...n>0&&{failed_calls:n}}}function Vm(e){return typeof e=="string"?{}:Object.fromEntries(Object.entries(e).map(([t,n])=>[t,[xn(n)]]))}function xn(e){return Array.isArray(e)?e.map(xn):e===null||typeof e!="object"?e:Object.fromEntries(Object.entries(e).map(([t,n])=>[t,Array.isArray(n)?[xn(n)]:xn(n)]))}function bi(e,t){let n=t.filter(lo);return e.map(({name:o,description:r,parameters:a})=>({name:o,description:r,parameters:a,implementation:jm(n.filter(i=>i.tool===o))}))}function jm(e){let t={type:"mock"},n=new Map;for(let{params:o,result:r}of e){if(typeof o=="string")continue;let a="error"in r?{error:Um(r.error)}:{response:r.result};Object.keys(o).length>0?n.set(JSON.stringify(o),{when:o,...a}):"response"in a&&(t.mock_response=a.response)}return n.size>0&&(t.answers=[...n.values()].sort(Wm)),"mock_response"in t||(t.error=pi),t}function Um(e){return e.slice(0,Bm)||pi}function Wm(e,t){return Object.keys(t.when??{}).length-Object.keys(e.when??{}).length}var Gm=["single","choice","parallel","parallel_choice","irrelevance","multi_turn","error_recovery","types","clarification"],Km="my-cases",Jm=String.raw`[a-z0-9][a-z0-9_.\-]{0,63}`,zm=String.raw`[a-zA-Z0-9][a-zA-Z0-9_.\-]{0,127}`;function gi({draft:e,task:t,onChange:n,onSave:o}){let r=ne(),i=fe(w.suites).data?.suites.filter(d=>!d.built_in)??[],l=Xm(e.expect),c=d=>({id:`${r}-${d}`,"aria-describedby":`${r}-${d}-hint`,value:e[d],onInput:f=>n({...e,[d]:f.currentTarget.value})});return s`
    <form class="stack" onSubmit=${d=>{d.preventDefault(),l===""&&!t.busy&&o(e)}}>
      <${It} id=${`${r}-suite`} label="Suite" hint="One of your suites or a new name. Built-in suites are read-only.">
        <input type="text" list=${`${r}-suites`} required pattern=${Jm} title="lower-case letters, digits, _ . -" placeholder=${i[0]?.name??Km} ...${c("suite")} />
        <datalist id=${`${r}-suites`}>
          ${i.map(({name:d,cases:f})=>s`<option value=${d}>${_(f,"case")}</option>`)}
        </datalist>
      <//>
      <${It} id=${`${r}-id`} label="Case" hint="Unique id in the suite.">
        <input type="text" required pattern=${zm} title="letters, digits, _ . -" ...${c("id")} />
      <//>
      <${It} id=${`${r}-category`} label="Category" hint="Ability that the case tests.">
        <select ...${c("category")}>
          ${Gm.map(d=>s`<option value=${d}>${Z(d)}</option>`)}
        </select>
      <//>
      <${It} id=${`${r}-offer`} label="Offered tools" hint="Saved as mocks that return the results of this test.">
        <select ...${c("offer")}>
          <option value="all">all tools of this test</option>
          <option value="called">called tools only</option>
        </select>
      <//>
      <${It} id=${`${r}-expect`} label="Expected calls" invalid=${l!==""} hint=${l?`✕ ${l}`:"JSON, from the calls of this test."}>
        <textarea class="mono tt-expect" spellcheck=${!1} aria-invalid=${l?"true":void 0} ...${c("expect")}></textarea>
      <//>
      ${t.error&&s`<${E} error=${t.error} />`}
      <div class="row">
        <button type="submit" class="primary" disabled=${t.busy||l!==""}>Save</button>
        ${t.busy&&s`<${M} label="Saving the case" since=${t.since} />`}
      </div>
    </form>
  `}function It({id:e,label:t,hint:n,invalid:o=!1,children:r}){return s`<div class="field">
    <label for=${e}>${t}</label>
    ${r}
    <small id=${`${e}-hint`} class=${o?"problem-text":""}>${n}</small>
  </div>`}function Xm(e){try{return G(e),""}catch(t){return`Not valid JSON: ${t instanceof Error?t.message:String(t)}`}}function wi(e,t,n){let o=new Map(e.tools.map(r=>[r.name,r]));for(let r of n){let a=o.get(r.name);o.set(r.name,a?Qm(a,Ti(r)):r)}return{...e,tools:[...o.values()],cases:[...e.cases,t]}}function Qm(e,t){let n=Ti(e),o=new Set(n.map(yi)),r=t.filter(i=>!o.has(yi(i)));if(r.length===0)return e;let a=[...n,...r].sort((i,l)=>vi(l)-vi(i));return{...e,implementation:{...e.implementation,answers:a}}}function Ti({implementation:e}){let t=e.answers;return Array.isArray(t)?t:[]}function ki(e){return e===null||typeof e!="object"||Array.isArray(e)?[]:Object.entries(e.when??{}).sort(([t],[n])=>t<n?-1:1)}function yi(e){return JSON.stringify(ki(e))}function vi(e){return ki(e).length}var Ym=20;function Si({request:e,answer:t,tools:n}){let[o,r]=$(!1),[a,i]=$(void 0),[l,c]=$(""),u=D(),d=()=>{i(p=>p??Zm(e,t,n)),c(""),r(!0)},f=p=>u.run(async m=>{let h=await tf(p.suite,m),{added:k,mocks:g}=ef(p,e,t,n),R=wi(h,k,g);await w.putSuite(p.suite,R),c(`saved as ${p.id} in ${p.suite} ✓`),r(!1)});return s`
    <button type="button" onClick=${d} disabled=${n.length===0}>Save as validation case</button>
    <span role="status">${l}</span>
    <${Ge} title="Save as validation case" open=${o} onClose=${()=>r(!1)}>
      ${a&&s`<${gi} draft=${a} task=${u} onChange=${i} onSave=${f} />`}
    <//>
  `}function Zm({query:e},{tool_calls:t},n){let o=n.length<=Ym||t.length===0?"all":"called",r=o==="all"?n.length:xi(n,t).length;return{suite:"",id:$i(e),category:hi(t,r),offer:o,expect:JSON.stringify(_i(t),null,2)}}function xi(e,t){return e.filter(n=>t.some(o=>o.tool===n.name))}function ef(e,t,{tool_calls:n},o){let r=bi(e.offer==="all"?o:xi(o,n),n);return{added:{id:e.id,category:e.category,description:`Recorded from ${t.model}.`,message:t.query,tools:r.map(i=>i.name),expect:G(e.expect)},mocks:r}}async function tf(e,t){try{return await w.suite(e,t)}catch(n){if(!(n instanceof q)||n.status!==404)throw n;return{name:e,description:"Cases saved from tool tests.",tools:[],cases:[]}}}var nf=300;function Ci({request:e,answer:t,tools:n}){let[o,r]=$(-1),a=se(),i=mi(t),{tone:l,sign:c}=di(t,i),u=as(t.timings,t.tool_calls,o);return s`
    <div class="stack">
      <p class="tt-status">
        <${T} tone=${l} sign=${c}>${Sn(t)}<//>
        ${t.demo&&s` <${W} />`}
      </p>
      <p class="tt-query">${ee(e.query,nf)}</p>
      <${of} answer=${t} />
      ${i.map(d=>s`<p class="notice"><span aria-hidden="true">⚠️</span> ${d}</p>`)}
    </div>
    <section class="stack" aria-label="Waterfall">
      <h2>Steps</h2>
      <${sn} timings=${t.timings} calls=${t.tool_calls} selected=${o} onSelect=${r} />
      ${u?s`<${Tt} step=${u.step} call=${u.call} />`:s`<small>Select a step for details, or move with the arrow keys.</small>`}
    </section>
    <section class="stack" aria-label="Final response">
      <h2>Final response</h2>
      ${t.content.trim()===""?s`<p>The answer is empty.</p>`:s`<div class="tt-answer"><${P} value=${t.content} label="Final response" /></div>`}
      <div class="row">
        <${Q} text=${()=>yn(new URL("api/tools/test",ke).href,{...e})} label="Copy as curl" />
        ${a&&s`<${Si} request=${e} answer=${t} tools=${n} />`}
      </div>
    </section>
    <${fi} calls=${t.tool_calls} />
  `}function of({answer:e}){return s`
    <div class="row tt-facts">
      <span>Model: <strong>${e.model}</strong>${e.demo&&s` <${W} />`}</span>
      <span>Service: <strong>${e.service}</strong></span>
      <span>Finish reason: <strong>${Z(e.finish_reason)}</strong></span>
      <span>Request: <code>${e.request_id}</code> <${Q} text=${e.request_id} label="Copy request id" /></span>
    </div>
  `}var rf=12,sf=matchMedia("(width >= 800px)");function Ei({tools:e}){let[t,n]=$(sf.matches),o=e.data&&e.data.tools.length+Ri(e.data).length;return s`
    <section aria-label="Available tools">
      <details class="collapsible" open=${t} onToggle=${r=>n(r.currentTarget.open)}>
        <summary><h2 class="tt-inline">Available tools ${o!==void 0&&s`<small>${A(o)}</small>`}</h2></summary>
        ${e.error&&s`<${E} error=${e.error} onRetry=${e.reload} />`}
        ${!e.data&&e.loading&&s`<${F} lines=${6} label="the tools" />`}
        ${t&&e.data&&s`<${af} list=${e.data} />`}
      </details>
    </section>
  `}function Ri(e){return e.disabled.filter(t=>t.kind==="tool")}function af({list:e}){let[t,n]=$(""),o=Ri(e),r=e.tools.length+o.length;if(r===0)return s`<p>No tools are configured.</p>`;let a=t.trim().toLowerCase(),i=e.tools.filter(({name:c,description:u})=>`${c} ${u}`.toLowerCase().includes(a)),l=o.filter(({name:c})=>c.toLowerCase().includes(a));return s`
    ${r>rf&&s`<label class="field tt-filter">
        Filter
        <input type="search" value=${t} onInput=${c=>n(c.currentTarget.value)} />
        <small role="status">${a&&`${A(i.length+l.length)} of ${A(r)} shown`}</small>
      </label>`}
    <ul class="tool-cards">
      ${l.map(c=>s`<${hn} key=${`disabled ${c.name}`} tool=${c} />`)}
      ${i.map(c=>s`<${$n} key=${c.name} tool=${c} />`)}
    </ul>
  `}var lf={missing:"",runs:0,request:void 0,answer:void 0},Ro=e=>document.getElementById(e)?.focus();function Ai({route:e}){return se()&&e.params.mode==="call"?s`<${ri} route=${e} />`:s`<${cf} route=${e} />`}function cf({route:e}){let[t,n,o]=ui(e),[r,a]=$(lf),i=Ke(),l=D(),{section:c,reveal:u}=Oe(l.busy),d=h=>a(k=>({...k,...h})),f=()=>{if(l.busy)return;let h=df(t);if(d({missing:h}),h!=="")return Ro(h==="model"?kn:ot);o(),u();let k={...t};l.run(async g=>{let R=await w.testTools(k,g);a(S=>({...S,request:k,answer:R,runs:S.runs+1})),wr()})},p=h=>{n(h),d({missing:""})};oe([{keys:"/",label:"Write the query",run:()=>Ro(ot)},{keys:"mod+Enter",label:"Run the test",run:f},{keys:"Escape",label:"Cancel the test",run:l.cancel}]);let m=s`
    <${wn} mode="model" />
    <${li} ...${t} missing=${r.missing} busy=${l.busy} onChange=${p} onRun=${f} onCancel=${l.cancel} />
    <${Ei} tools=${i} />
  `;return s`
    <${pe} title="Tool testing" controls=${m} section=${c}>
      <p class="hidden" role="status">${uf(l,r)}</p>
      ${l.busy&&s`<p><${M} label=${`Waiting for ${t.model}`} since=${l.since} /></p>`}
      ${l.cancelled&&s`<p class="notice">! Test cancelled. The model may still complete its request, which costs tokens.</p>`}
      ${l.error&&s`<${E} error=${l.error} onRetry=${f} />`}
      ${r.answer&&(l.busy||l.error||l.cancelled)&&s`<h2>Previous test</h2>`}
      ${r.answer&&r.request&&s`<${Ci} key=${r.runs} request=${r.request} answer=${r.answer} tools=${i.data?.tools??[]} />`}
      ${!r.answer&&!l.busy&&!l.error&&s`<${mf} hasModel=${t.model!==""} />`}
    <//>
  `}function uf(e,{answer:t}){return e.busy||e.error?"":e.cancelled?"Test cancelled":t&&Sn(t)}function df({model:e,query:t}){return e===""?"model":t.trim()===""?"query":""}function mf({hasModel:e}){return s`<${ge} title="Test a model with the tools">
    <p>
      Select a model, enter a query or pick an example, and run it. The result shows every model and tool call on one time
      axis, with arguments, results and cost.
    </p>
    <p>
      <button type="button" onClick=${()=>Ro(e?ot:kn)}>
        ${e?"Enter a query":"Select a model"}
      </button>
    </p>
  <//>`}var Ce=[{name:"single",title:"Single call",description:"one tool is offered and must be called once"},{name:"choice",title:"Tool choice",description:"several tools are offered and one must be called"},{name:"parallel",title:"Parallel calls",description:"one tool must be called several times"},{name:"parallel_choice",title:"Parallel tools",description:"several tools must be called"},{name:"irrelevance",title:"Irrelevance",description:"no tool fits and none may be called"},{name:"multi_turn",title:"Multi-turn",description:"a call needs the result of the previous one"},{name:"error_recovery",title:"Error recovery",description:"a call fails and must be corrected"},{name:"types",title:"Typed values",description:"arguments must match the types of the schema"},{name:"clarification",title:"Clarification",description:"a value is missing and the model must ask for it"}];function Cn(e){return Ce.find(t=>t.name===e)?.title??e}var Oi=8;function Mi({modelChoices:e,chosen:t,onChosen:n,loaded:o,first:r}){let[a,i]=$(""),l=V(()=>performance.now(),[]),c=e.filter(({id:d})=>t.includes(d)||d.toLowerCase().includes(a.toLowerCase())),u=d=>n(t.includes(d)?t.filter(f=>f!==d):[...t,d]);return s`
    <fieldset class="val-models">
      <legend>Models${t.length>0&&` (${t.length} ticked)`}</legend>
      ${e.length>Oi&&s`<input
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
              <input ref=${m===0&&e.length<=Oi?r:void 0} type="checkbox" checked=${t.includes(d)} onChange=${()=>u(d)} />
              <span>${d} ${f&&s`<small><${Xe} validation=${f} demo=${p} /></small>`}</span>
            </label>
          `)}
        ${c.length===0&&e.length>0&&s`<small>No models match.</small>`}
        ${e.length===0&&!o.loading&&s`<small>No models with tool calling are configured.</small>`}
      </div>
      ${o.loading&&!o.data&&s`<${M} label="Loading models" since=${l} />`}
      ${o.error&&s`<p class="problem-text">The models could not be listed: ${o.error.message} <button type="button" onClick=${o.reload}>Try again</button></p>`}
      ${o.data&&o.data.errors.length>0&&s`<div class="notice">
          ${_(o.data.errors.length,"provider")} did not list its models:
          <ul>${o.data.errors.map(({llm:d,error:f})=>s`<li><code>${d}</code> ${f}</li>`)}</ul>
        </div>`}
    </fieldset>
  `}var ff={rate:(e,t)=>(t.rate?.rate??-1)-(e.rate?.rate??-1)||(t.rate?.low??0)-(e.rate?.low??0),name:()=>0,tested:(e,t)=>(t.last_tested??"").localeCompare(e.last_tested??"")};function Ii(e){return e==="name"||e==="tested"?e:"rate"}function Ni(e,t){return[...e].sort((n,o)=>ff[t](n,o)||n.model_id.localeCompare(o.model_id,"en"))}function Li(e,t){return e.includes(t)?e.filter(n=>n!==t):[...e,t].slice(-2)}function rt(e){return(e??"").split(" ").filter(t=>t!=="")}function Nt(e){return e.filter(t=>t.capabilities.includes("function-calling"))}function Di(e,t){let n=new Set(t.filter(o=>o.tested).map(o=>o.model_id));return Nt(e).filter(o=>!n.has(o.id))}var pf=2e4;function Pi(e){return{models:rt(e.models),suite:e.suite??"default",repeats:Number(e.repeats??1),stop_early:e.early!=="no",budget:{calls:Ao(e.calls),tokens:Ao(e.tokens),usd:Ao(e.usd)}}}function Ao(e){return e===void 0?null:Number(e)}function qi(e,t,n){let o=new Map;for(let{id:r,demo:a,validation:i}of Nt(e))o.set(r,{id:r,demo:a??!1,validation:i});for(let r of t){let{model_id:a,demo:i}=r;o.has(a)||o.set(a,{id:a,demo:i??!1,validation:r})}for(let r of n)o.has(r)||o.set(r,{id:r,demo:!1,validation:void 0});return[...o.values()]}function Hi(e,t){let n=e.models.length;if(n===0)return{ready:!1,text:"Select the models to validate."};if(t===void 0)return{ready:!0,text:_(n,"model")};let o=t.cases*n*e.repeats,r=e.repeats>1?` × ${_(e.repeats,"repeat")}`:"",a=`${_(t.cases,"case")} × ${_(n,"model")}${r}`;return o>pf?{ready:!1,text:`${a} = ${_(o,"chat")}: the maximum is 20,000.`}:{ready:!0,text:`at most ${_(Math.min(o,e.budget.calls??o),"chat")}: ${a}`}}var Oo="val-form";function Bi({params:e,change:t,suites:n,models:o,statuses:r,onStarted:a}){let i=y(null),l=y(null),c=D(),u=Pi(e),d=n.data?.suites.find(({name:m})=>m===u.suite),f=Hi(u,d),p=m=>{m.preventDefault(),!(!f.ready||c.busy)&&c.run(async h=>{let k=await w.startValidation(u);h.aborted||a(k)})};return oe([{keys:"/",label:"Select models",run:()=>l.current?.focus()},{keys:"mod+Enter",label:"Start the run",run:()=>i.current?.requestSubmit()}]),s`
    <form class="stack" ref=${i} onSubmit=${p}>
      <h2 id=${Oo} tabindex="-1">New run</h2>
      <label class="field">
        Suite
        <select value=${u.suite} onChange=${m=>t({suite:m.currentTarget.value})}>
          ${$f(n.data?.suites??[],u.suite).map(m=>s`<option value=${m} selected=${m===u.suite}>${m}</option>`)}
        </select>
      </label>
      ${d&&s`<${hf} suite=${d} />`}
      ${n.error&&s`<${E} error=${n.error} onRetry=${n.reload} />`}
      <${Mi}
        modelChoices=${qi(o.data?.models??[],r,u.models)}
        chosen=${u.models}
        onChosen=${m=>t({models:m.join(" ")})}
        loaded=${o}
        first=${l}
      />
      <${En} name="repeats" label="Repeats per case" empty="1" max="100" step="1" params=${e} change=${t} />
      <label class="check">
        <input type="checkbox" checked=${u.stop_early} onChange=${()=>t({early:u.stop_early?"no":""})} />
        Stop early
      </label>
      <small>
        ${u.stop_early?"Testing of a model stops once its result is certain, for a good model after about 17 of 75 cases.":"All cases run, for rates by category and for comparisons."}
      </small>
      <${L} summary="Budget" open=${["calls","tokens","usd"].some(m=>m in e)}>
        <small>The run stops at the first limit reached.</small>
        <${En} name="calls" label="Chats" empty="no limit" step="1" params=${e} change=${t} />
        <${En} name="tokens" label="Tokens" empty="no limit" step="1" params=${e} change=${t} />
        <${En} name="usd" label="US dollars" empty="no limit" step="any" min="0.000001" params=${e} change=${t} />
      <//>
      <p id="val-estimate">${f.text}</p>
      <div class="row">
        <button type="submit" class="primary" disabled=${!f.ready||c.busy} aria-describedby="val-estimate">Start</button>
        ${c.busy&&s`<${M} label="Starting the run" since=${c.since} />`}
      </div>
      ${c.error&&s`<${E} error=${c.error} onRetry=${()=>i.current?.requestSubmit()} />`}
    </form>
  `}function $f(e,t){return[...new Set([...e.map(({name:n})=>n),t])]}function hf({suite:e}){let t=e.built_in?"built in":"custom",n=`${_(e.cases,"case")}, ${t}`;return s`<${L} summary=${n}>
    ${e.description&&s`<p>${e.description}</p>`}
    <ul>
      ${Object.entries(e.categories).map(([o,r])=>s`<li>${Cn(o)}: ${r}</li>`)}
    </ul>
  <//>`}function En({name:e,label:t,empty:n,min:o="1",max:r,step:a,params:i,change:l}){return s`<label class="field">
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
  </label>`}function st({title:e,focus:t=!1,reveal:n=!1,onClose:o,children:r}){let a=y(null),i=ne();return v(()=>{t&&a.current?.focus()},[e,t]),v(()=>{n&&a.current?.scrollIntoView({block:"nearest"})},[n]),s`
    <section class="val-panel stack" aria-labelledby=${i}>
      <div class="row spread">
        <h2 id=${i} ref=${a} tabindex="-1">${e}</h2>
        <button type="button" class="quiet" onClick=${o}>Close</button>
      </div>
      ${r}
    </section>
  `}function Vi(e){return e.low>=.8?"proven":e.high<.8?"failing":"undecided"}function Io(e,t){let n=e.rate-t.rate;return{value:n,low:Math.max(-1,n-Math.hypot(e.rate-e.low,t.high-t.rate)),high:Math.min(1,n+Math.hypot(e.high-e.rate,t.rate-t.low))}}function No({low:e,high:t}){return e>0?"a":t<0?"b":"neither"}function ji(e,t,n){let o=No(e);return o==="a"?`${t} is better by ${Fi(e.value,e.low,e.high)}`:o==="b"?`${n} is better by ${Fi(-e.value,-e.high,-e.low)}`:"No significant difference"}function Ui({value:e,low:t,high:n}){return`${Mo(e)} (${Mo(t)} to ${Mo(n)})`}function Fi(e,t,n){return`${Rn(e)} points (${Rn(t)} to ${Rn(n)})`}function Mo(e){let t=Rn(Math.abs(e));return t==="0"?t:`${e<0?"−":"+"}${t}`}function Rn(e){let t=e*100;return t>0&&t<1?t.toFixed(1):String(Math.round(t))}function Gi({a:e,b:t,onClose:n}){let o={a:e.model_id,b:t.model_id};return s`
    <${st} title=${`${e.model_id} and ${t.model_id}`} onClose=${n}>
      <p role="status"><strong>${_f(e,t)}</strong></p>
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
            <${Wi} title="All" a=${e.rate} b=${t.rate} names=${o} />
            ${Ce.map(({name:r,title:a})=>s`<${Wi} title=${a} a=${e.categories?.[r]} b=${t.categories?.[r]} names=${o} />`)}
          </tbody>
        </table>
      </div>
      <small>
        Differences in percentage points with Newcombe's 95 % interval. If the interval contains 0, the difference is not
        significant; a single category rarely has enough tests.
      </small>
    <//>
  `}function _f(e,t){return!e.rate||!t.rate?"Only one of the models was tested.":`${ji(Io(e.rate,t.rate),e.model_id,t.model_id)}.`}function Wi({title:e,a:t,b:n,names:o}){let r=t&&n?Io(t,n):void 0;return s`
    <tr>
      <th scope="row">${e}</th>
      <td class="number">${t?ve(t):"–"}</td>
      <td class="number">${n?ve(n):"–"}</td>
      <td class="number">${r?Ui(r):"–"}</td>
      <td>${r?bf(r,o):"not tested by both"}</td>
    </tr>
  `}function bf(e,t){let n=No(e);return n==="neither"?"not significant":`${t[n]} is better`}var Lt=72,Lo=20,An=3,gf=864e5,yf=new Intl.DateTimeFormat("en-GB",{day:"numeric",month:"short",timeZone:"UTC"});function Ji(e){return Math.round(e*10)/10}function Do(e){return Ji(An+(1-e)*(Lo-2*An))}function vf(e){let t=e.map(({day:r})=>Date.parse(r)),n=t[0]??0,o=Math.max(gf,(t.at(-1)??0)-n);return e.map(({tests:r,successes:a},i)=>({x:e.length===1?Lt/2:Ji(An+((t[i]??0)-n)/o*(Lt-2*An)),y:Do(a/r)}))}function wf(e){return e.map(({day:t,tests:n,successes:o})=>`${yf.format(new Date(t))} ${ze(o/n)} of ${n}`).join(", ")}function zi({days:e}){let t=vf(e),n=`Rate by day: ${wf(e)}`;return s`
    <svg class="val-trend" viewBox=${`0 0 ${Lt} ${Lo}`} width=${Lt} height=${Lo} role="img" aria-label=${n}>
      <title>${n}</title>
      <line x1="0" x2=${Lt} y1=${Do(.8)} y2=${Do(.8)} />
      <polyline points=${t.map(({x:o,y:r})=>`${o},${r}`).join(" ")} />
      ${t.slice(-1).map(({x:o,y:r})=>s`<circle cx=${o} cy=${r} r="2.5" />`)}
    </svg>
  `}var Tf={proven:"✓",failing:"✕",undecided:""};function Xi({statuses:e,order:t,onOrder:n,ticked:o,onTick:r,open:a,onOpen:i}){let l=(c,u,d)=>s`
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
          ${Ni(e,t).map(c=>s`
              <${kf}
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
    <${L} summary="Legend">
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
  `}function kf({status:e,ticked:t,onTick:n,open:o,onOpen:r}){let{model_id:a,badge:i,demo:l}=e;return s`
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
      <td>${e.rate&&s`<${Zt} rate=${e.rate} />`}</td>
      <td>
        ${(e.trend?.length??0)>0&&s`<${zi} days=${e.trend} />`}
        ${e.last_tested&&s`<div><small><${K} at=${e.last_tested} /></small></div>`}
      </td>
      ${Ce.map(c=>s`
          <td class="val-rate-cell">
            <${Sf}
              rate=${e.categories?.[c.name]}
              demo=${l??!1}
              label=${`${c.title}, ${a}`}
              open=${o===c.name}
              onOpen=${()=>r({model:a,category:c.name})}
            />
          </td>
        `)}
    </tr>
  `}function Sf({rate:e,demo:t,label:n,open:o,onOpen:r}){if(!e)return s`<span class="val-untested" title="not tested">–<span class="hidden"> not tested</span></span>`;let a=Vi(e),i={left:`${e.low*100}%`,width:`${Math.max(1,(e.high-e.low)*100)}%`},l=`${Math.round(e.low*100)} to ${Math.round(e.high*100)} %`;return s`
    <button
      type="button"
      class="val-cell"
      data-state=${t?"demo":a}
      aria-pressed=${o}
      title=${`${e.successes} of ${e.tests} passed, ${l}, ${t?"demo model":a}`}
      onClick=${r}
    >
      <span class="number">${ze(e.rate)}</span>
      <small class="number"><span aria-hidden="true">${t?"":Tf[a]}</span>${" "}n ${e.tests}</small>
      <span class="interval" aria-hidden="true"><span style=${i}></span><i style=${{left:`${e.rate*100}%`}}></i></span>
      <span class="hidden">${n}, ${l}, ${t?"demo model":a}</span>
    </button>
  `}function at(e,t=[]){let n=X(),o=y(e);o.current=e;let r=D(),{run:a}=r,[i,l]=$(Qi()),c=JSON.stringify(t),u=C(()=>{a(async f=>{let p=await o.current(void 0,f);l({items:p.items,cursor:p.cursor??void 0,isLoaded:!0})})},[a]);v(()=>{l(Qi()),u()},[c,n,u]);let d=()=>{a(async f=>{let p=await o.current(i.cursor,f);l(m=>({items:[...m.items,...p.items],cursor:p.cursor??void 0,isLoaded:!0}))})};return{items:i.items,isLoaded:i.isLoaded,more:i.cursor!==void 0,next:i.isLoaded?d:u,restart:u,task:r}}function Qi(){return{items:[],cursor:void 0,isLoaded:!1}}function Yi(e,t){return t.models.flatMap(({model:n,done:o})=>{let r=e?.models.find(a=>a.model===n)?.done??0;return o>r?[{model:n,limit:Math.min(100,o-r+10)}]:[]})}function Po({run:e,model:t,case:n,repeat:o,request_id:r}){return`${e} ${t} ${n} ${o} ${r}`}function qo({result:e}){return e!=="skipped"}function Zi(e,t,n){return[...new Map([...e,...t.filter(r=>r.run===n&&qo(r))].map(r=>[Po(r),r])).values()].sort((r,a)=>a.at.localeCompare(r.at)).slice(0,100)}var xf={passed:{tone:"good",text:"passed"},failed:{tone:"bad",text:"failed"},error:{tone:"warn",text:"error, not counted"},skipped:{tone:"plain",text:"skipped"},no_tool_call:{tone:"plain",text:"no tool call, not counted"}},Cf=10,Ef=5,el=100,Ho=200,Rf=50,Af=56;function Bo({verdicts:e,label:t,models:n=!1}){let o=e.length>Ho?Rf:Ho;return Array.from({length:Math.ceil(e.length/o)},(a,i)=>i*o).map(a=>{let i=e.slice(a,a+o);return s`<ul
      key=${a}
      class="val-verdicts"
      aria-label=${a===0?t:`${t}, from ${a+1}`}
      style=${e.length>Ho?{contentVisibility:"auto",containIntrinsicSize:`auto ${i.length*Af}px`}:{}}
    >
      ${i.map(l=>s`<${Of} key=${Po(l)} verdict=${l} models=${n} />`)}
    </ul>`})}function Of({verdict:e,models:t}){let{tone:n,text:o}=xf[e.result];return s`
    <li>
      <div class="row">
        <${T} tone=${n}>${o}<//>
        <strong>${e.case}${e.repeat>1&&` #${e.repeat}`}</strong>
        ${t&&s`<span>${e.model}</span>`}
        ${e.category&&s`<${Y}>${Cn(e.category)}<//>`}
        ${e.counted===!1&&s`<${Y}>manual, not counted<//>`}
        <small class="row val-facts">
          <${K} at=${e.at} />
          <span class="number">${O(e.latency_ms)}</span>
          <span class="number">${_(e.tokens,"token")}</span>
          ${typeof e.cost_usd=="number"&&s`<span class="number">${he(e.cost_usd)}</span>`}
          ${e.request_id&&s`<${Q} text=${e.request_id} label="Copy request id" />`}
        </small>
      </div>
      ${e.reasons.length>0&&s`<ul class="val-reasons">${e.reasons.map(r=>s`<li>${r}</li>`)}</ul>`}
    </li>
  `}function On({pages:e,label:t,models:n=!1,filter:o,failedOnly:r,onFailedOnly:a}){let{items:i,isLoaded:l,more:c,next:u,task:d}=e,f=i.filter(m=>qo(m)&&o(m)&&!(r&&m.result==="passed")),p=l&&c&&!d.busy&&!d.error&&f.length<Cf&&i.length<Ef*el;return v(()=>{p&&u()}),d.error&&!l?s`<${E} error=${d.error} onRetry=${u} />`:l?s`
    <div class="row spread">
      <span role="status">${A(f.length)} of ${_(i.length,"loaded verdict")}${c?", more available":""}</span>
      <label class="check">
        <input type="checkbox" checked=${r} onChange=${()=>a(!r)} />
        Hide passed
      </label>
    </div>
    ${f.length===0&&!c&&s`<p>None.</p>`}
    <${Bo} verdicts=${f} label=${t} models=${n} />
    <${Mf} pages=${e} />
  `:s`<${F} lines=${6} label=${t} />`}function Mf({pages:{more:e,next:t,task:n}}){return n.error?s`<${E} error=${n.error} onRetry=${t} />`:n.busy?s`<${M} label="Loading verdicts" since=${n.since} />`:e&&s`<div><button type="button" onClick=${t}>Load ${el} more</button></div>`}var If=100;function tl({model:e,category:t,status:n,focus:o,onClose:r}){let[a,i]=$(!1),l=Ce.find(d=>d.name===t),c=at(async(d,f)=>{let{records:p,cursor:m}=await w.history(e,{limit:If,cursor:d,signal:f});return{items:p,cursor:m}},[e]);oe([{keys:"Escape",label:"Close the verdicts",run:r}]);let u=l?n?.categories?.[l.name]:n?.rate;return s`
    <${st} title=${`${l?l.title:"All verdicts"} · ${e}`} focus=${o} onClose=${r}>
      ${l&&s`<p>Tests: ${l.description}.</p>`}
      ${n?.demo&&s`<p class="notice">! Verdicts of the demo model are no evidence about a real model.</p>`}
      ${u&&s`<p>${u.successes} of ${_(u.tests,"test")} passed, ${ve(u)}.</p>`}
      ${!l&&n&&s`<${Nf} status=${n} />`}
      <${On}
        pages=${c}
        label=${`Verdicts of ${e}`}
        filter=${d=>!l||d.category===l.name}
        failedOnly=${a}
        onFailedOnly=${i}
      />
    <//>
  `}function Nf({status:e}){let t=[typeof e.latency_ms=="number"&&O(e.latency_ms),typeof e.tokens=="number"&&_(Math.round(e.tokens),"token"),typeof e.cost_usd=="number"&&he(e.cost_usd)].filter(Boolean),{by_hand:n}=e,o=[(e.errors??0)>0&&_(e.errors??0,"error"),(e.no_tool_calls??0)>0&&`${_(e.no_tool_calls??0,"plain test")} without a tool call`,n&&`${_(n.tests+n.errors+n.no_tool_calls,"test")} run manually`].filter(Boolean);return s`<p>
    ${t.length>0&&`Average per case: ${t.join(", ")}.`}
    ${o.length>0&&` Not counted: ${o.join(", ")}.`}
  </p>`}var Lf=12;function nl({models:e,first:t,onFill:n}){return s`
    <${ge} title="No results yet">
      <p>
        Providers list tool calling for most models. Validation tests it: a run sends a suite of cases to a model and grades
        whether it calls the right tools with the right arguments.
      </p>
      ${t&&n&&s`<button type="button" onClick=${()=>n(t)}>Validate ${t}</button>`}
      ${!t&&e.loading&&s`<p>Loading models.</p>`}
      ${!t&&!e.loading&&s`<p>No models with tool calling are configured.</p>`}
    <//>
  `}function ol({models:e,onFill:t}){if(e.length===0)return null;let n=e.slice(0,Lf).map(({id:r})=>r),o=e.length-n.length;return s`
    <div class="notice">
      <span aria-hidden="true">🔧⚠️</span> ${_(e.length,"model")} not tested yet.
      <div class="row">
        ${n.map(r=>s`<button type="button" class="quiet" title=${`Select ${r} in the form`} onClick=${()=>t(r)}>${r}</button>`)}
        ${o>0&&`and ${o} more`}
      </div>
    </div>
  `}function rl({params:e,change:t,statuses:n,rows:o,models:r,onFill:a}){let i=y(null),l=r.data?.models??[],{model:c,category:u="",run:d}=e,f=m=>{i.current=document.activeElement,t(m,{replace:!1})},p=()=>{t({model:"",category:""},{replace:!1}),i.current instanceof HTMLElement&&i.current.focus(),i.current=null};return s`
    ${n.error&&s`<${E} error=${n.error} onRetry=${n.reload} />`}
    ${!n.data&&!n.error&&s`<${F} lines=${6} label="the results" />`}
    ${n.data&&o.length===0&&!d&&s`<${nl} models=${r} first=${Nt(l)[0]?.id} onFill=${a} />`}
    ${o.length>0&&s`
        <h2>Results</h2>
        <${Xi}
          statuses=${o}
          order=${Ii(e.sort)}
          onOrder=${m=>t({sort:m})}
          ticked=${rt(e.compare)}
          onTick=${m=>t({compare:Li(rt(e.compare),m).join(" ")})}
          open=${c&&{model:c,category:u}}
          onOpen=${f}
        />
        <${Df} names=${rt(e.compare)} rows=${o} onClose=${()=>t({compare:""})} />
        ${a&&s`<${ol} models=${Di(l,o)} onFill=${a} />`}
      `}
    ${c&&s`<${tl}
        model=${c}
        category=${u}
        status=${o.find(m=>m.model_id===c)}
        focus=${i.current!==null}
        onClose=${p}
      />`}
  `}function Df({names:e,rows:t,onClose:n}){let[o,r]=e.map(a=>t.find(i=>i.model_id===a));return o&&r?s`<${Gi} a=${o} b=${r} onClose=${n} />`:e.length===1&&s`<p role="status">Select another model to compare with ${e[0]}.</p>`}var Pf=[1e3,1500,2e3,3e3],qf=3e3;function we({status:e}){return e!=="queued"&&e!=="running"}function sl(e,t){let n=X(),o=y(t);o.current=t;let[r,a]=$(0),[i,l]=$(Hf),c=y(void 0);return v(()=>{let u=new AbortController,{signal:d}=u,f=0,p=0,m=!1,h=async()=>{if(clearTimeout(f),!(document.hidden||m)){m=!0;try{let g=await w.validationRun(e,{limit:1,signal:d}),R=c.current;if(l(b=>Bf(b,g,R)),R!==void 0&&R.status!==g.status&&o.current(g),we(g)){c.current=g;return}let S=await Ff(R,g,d);c.current=g,l(b=>({...b,latest:Zi(b.latest,S,e)}))}catch(g){if(d.aborted)return;let R=Gt(g);if(l(S=>({...S,error:R})),R.kind!=="offline"&&R.kind!=="failed")return}finally{m=!1}f=setTimeout(h,Pf[p++]??qf)}},k=()=>{!document.hidden&&(c.current===void 0||!we(c.current))&&h()};return h(),document.addEventListener("visibilitychange",k),()=>{u.abort(),clearTimeout(f),document.removeEventListener("visibilitychange",k)}},[e,n,r]),{...i,retry:C(()=>a(u=>u+1),[])}}function Hf(){return{run:void 0,latest:[],error:void 0,advancedAt:performance.now()}}function Bf(e,t,n){let o=t.done===n?.done?e.advancedAt:performance.now();return{...e,run:t,error:void 0,advancedAt:o}}async function Ff(e,t,n){return(await Promise.all(Yi(e,t).map(({model:r,limit:a})=>w.history(r,{limit:a,signal:n})))).flatMap(r=>r.records)}var Vf=20,jf={queued:"plain",running:"plain",finished:"good",stopped:"warn",failed:"bad"};function Fo({status:e}){return s`<${T} tone=${jf[e]}>${e}<//>`}function al({open:e,changed:t,onOpen:n}){let{items:o,isLoaded:r,more:a,next:i,restart:l,task:c}=at(async(u,d)=>{let{runs:f,cursor:p}=await w.validationRuns({limit:Vf,cursor:u,signal:d});return{items:f,cursor:p}});return v(()=>{t>0&&l()},[t,l]),s`
    <h2>Runs</h2>
    ${!r&&!c.error&&s`<${F} label="the runs" />`}
    ${c.error&&s`<${E} error=${c.error} onRetry=${i} />`}
    ${r&&o.length===0&&s`<small>No runs yet.</small>`}
    <ul class="val-runs">
      ${o.map(u=>s`
          <li key=${u.id}>
            <button type="button" aria-pressed=${u.id===e} onClick=${()=>n(u.id)}>
              <span class="row spread"><${Fo} status=${u.status} /><small><${K} at=${u.created_at} /></small></span>
              <span>${u.suite}${u.repeats>1&&` × ${u.repeats}`} · ${Wf(u)}</span>
              <small class="number">${Uf(u)}</small>
            </button>
          </li>
        `)}
    </ul>
    <div class="row">
      ${a&&!c.busy&&s`<button type="button" onClick=${i}>Show older runs</button>`}
      ${c.busy&&r&&s`<${M} label="Loading runs" since=${c.since} />`}
    </div>
  `}function Uf({passed:e,failed:t,total:n}){let o=e+t;return o===0?`at most ${_(n,"chat")}`:`${A(e)} of ${A(o)} passed`}function Wf({models:e}){return e.length<=2?e.map(({model:t})=>t).join(", "):_(e.length,"model")}var Gf=100,Kf=3e4;function ll({id:e,operator:t,onStatus:n,onClose:o}){let{run:r,latest:a,error:i,advancedAt:l,retry:c}=sl(e,n),u=V(()=>performance.now(),[]);return s`
    <${st} title=${r?`Run of ${r.suite}${r.repeats>1?` × ${r.repeats}`:""}`:"Run"} reveal onClose=${o}>
      ${!r&&!i&&s`<${M} label="Loading the run" since=${u} />`}
      ${r&&s`<${Jf} run=${r} operator=${t} advancedAt=${l} onChanged=${c} />`}
      ${i&&s`<${E} error=${i} onRetry=${c} />`}
      ${r&&s`<${Xf} run=${r} />`}
      ${r&&we(r)&&s`<${Qf} run=${r} />`}
      ${r&&!we(r)&&s`<h3>Latest verdicts</h3>
          <div class="val-scroll" tabindex="0" role="region" aria-label="Latest verdicts">
            ${a.length===0?s`<p>No verdicts yet.</p>`:s`<${Bo} verdicts=${a} label="Latest verdicts" models />`}
          </div>`}
    <//>
  `}function Jf({run:e,operator:t,advancedAt:n,onChanged:o}){let r=D(),a=V(()=>performance.now()-(Date.now()-Date.parse(e.created_at)),[e.created_at]),i=!we(e)&&performance.now()-n>Kf,l=u=>r.run(async d=>{await u(e.id),d.aborted||o()}),c=[_(e.calls,"chat"),_(e.tokens,"token"),e.cost_usd>0&&he(e.cost_usd),e.finished_at&&O(Date.parse(e.finished_at)-Date.parse(e.created_at))].filter(Boolean);return s`
    <div class="row">
      <span role="status"><${Fo} status=${e.status} />${we(e)&&` ${il(e)}`}</span>
      ${!we(e)&&s`<${M} label="" since=${a} /> ${t&&s`<button type="button" disabled=${r.busy} onClick=${()=>l(w.stopValidation)}>Stop</button>`}`}
    </div>
    ${e.reason&&s`<p>${e.reason}</p>`}
    <div>
      <progress class="val-progress" max=${e.total} value=${e.done} aria-label="Progress of the run"></progress>
      <small>${A(e.done)} of ${_(e.total,"verdict")}${!we(e)&&`: ${il(e)}`} · ${c.join(" · ")}</small>
    </div>
    ${i&&s`<div class="notice row">
        No new verdicts for 30 seconds. Resume the run to repeat cases with lost messages; existing verdicts are kept.
        ${t&&s`<button type="button" disabled=${r.busy} onClick=${()=>l(w.resumeValidation)}>Resume</button>`}
      </div>`}
    ${r.error&&s`<${E} error=${r.error} />`}
  `}function il({passed:e,failed:t,errors:n,skipped:o}){let r=[`${A(e)} passed`,`${A(t)} failed`];return n>0&&r.push(_(n,"error")),o>0&&r.push(`${A(o)} skipped`),r.join(", ")}var zf={passes:"✓ decided: passes",fails:"✕ decided: fails"};function Xf({run:e}){let t=e.total/e.models.length;return s`
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
                <th scope="row" class="val-model">${n}${o&&s` <${W} />`}${c&&s`<div><small>${zf[c]}</small></div>`}</th>
                <td>
                  <progress class="val-progress" max=${t} value=${a} aria-label=${`Progress of ${n}`}></progress>
                  <small class="number">${A(a)} of ${A(t)}</small>
                </td>
                <td class="number">${A(r?.successes??0)}</td>
                <td class="number">${A((r?.tests??0)-(r?.successes??0))}</td>
                <td class="number">${A(i)}</td>
                <td class="number">${A(l)}</td>
                <td>${r&&s`<${Zt} rate=${r} />`}</td>
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}function Qf({run:e}){let[t,n]=$(e.failed+e.errors>0),o=at(async(r,a)=>{let{verdicts:i,cursor:l}=await w.validationRun(e.id,{limit:Gf,cursor:r,signal:a});return{items:i,cursor:l}},[e.id]);return s`
    <h3>Verdicts</h3>
    <div class="val-scroll" tabindex="0" role="region" aria-label="Verdicts of this run">
      <${On}
        pages=${o}
        label="Verdicts of this run"
        models
        filter=${()=>!0}
        failedOnly=${t}
        onFailedOnly=${n}
      />
    </div>
  `}function Mn(e,{replace:t=!0}={}){let n=Ue();n.view==="validation"&&j("validation",{...n.params,...e},{replace:t})}function Yf(e){Mn({models:e}),document.getElementById(Oo)?.focus()}function cl({route:{params:e}}){let t=fe(p=>w.statuses(p)),n=fe(p=>w.suites(p)),o=Je(),r=se(),[a,i]=$(0),l=t.data?.validations.filter(p=>p.tested||p.errors>0)??[],c=p=>{i(m=>m+1),we(p)&&(t.reload(),o.reload())},u=p=>Mn({run:p},{replace:!1}),f=s`
    ${r?s`<${Bi} params=${e} change=${Mn} suites=${n} models=${o} statuses=${l} onStarted=${p=>{i(m=>m+1),u(p.id)}} />`:s`<p class="notice">Starting a run requires a token with the role <strong>operator</strong>.</p>`}
    <${al} open=${e.run??""} changed=${a} onOpen=${u} />
  `;return s`
    <${pe} title="Validation" controls=${f}>
      ${e.run&&s`<${ll} key=${e.run} id=${e.run} operator=${r} onStatus=${c} onClose=${()=>u("")} />`}
      <${rl} params=${e} change=${Mn} statuses=${t} rows=${l} models=${o} onFill=${r?Yf:void 0} />
    <//>
  `}var Zf={"tools-testing":Ai,chat:Xs,validation:cl,retrieval:Ga,configuration:wa};function ul({route:e}){return s`<${Zf[e.view]} route=${e} />`}function dl(){let e=pr(),t=X(),n=y(t!==""),[o,r]=$(t===""),[a,i]=$(!1);return n.current||=t!=="",v(jt,[]),v(()=>{let l=ft.find(c=>c.name===e.view)?.title;document.title=`${l} · Flexchat`},[e.view]),v(()=>{t===""&&r(!0)},[t]),oe([{keys:"?",label:"Show keyboard shortcuts",run:()=>i(!0)}]),s`
    <a class="skip" href="#main">Skip to content</a>
    <${Sr} route=${e} onToken=${()=>r(!0)} onHelp=${()=>i(!0)} />
    <main id="main" tabindex="-1">
      ${n.current&&s`<${ul} key=${e.view} route=${e} />`}
    </main>
    <${Er} open=${o} needed=${t===""} onClose=${()=>r(!1)} />
    <${Ge} title="Keyboard shortcuts" open=${a} onClose=${()=>i(!1)}>
      <dl class="keys">
        ${Jn().map(({keys:l,label:c})=>s`
            <dt><kbd>${ae(l)}</kbd></dt>
            <dd>${c}</dd>
          `)}
        <dt><kbd>Tab</kbd></dt>
        <dd>Move to the next control</dd>
      </dl>
    <//>
  `}Fn(s`<${dl} />`,document.getElementById("app"));
