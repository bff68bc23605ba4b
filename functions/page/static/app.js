/*! preact 11.2.0, MIT: see LICENSE.preact.txt */var P,bn,mi,ke,$o,Ct,gn,St,yn,_o,ho,fi,ot=Symbol.for("pv"),Et={},Rt=[],pi=/^m(i|n|o|s|text|space)$/,bo=Array.isArray,go=Rt.slice,Ae=Object.assign;function Re(e){e&&e.parentNode&&e.remove()}function vn(e,t,o){var n,r,a,i={},l=arguments.length;for(a in t)a=="key"?n=t[a]:a=="ref"&&typeof e!="function"?r=t[a]:i[a]=t[a];return l>2&&(i.children=l>3?go.call(arguments,2):o),tt(e,i,n,r,null)}function tt(e,t,o,n,r){var a={type:e,props:t,key:o,ref:n,__k:null,__:null,__b:0,__e:null,__c:null,constructor:ot,__v:r||++bn,__i:-1,__u:0};return!r&&P.vnode&&P.vnode(a),a}function nt(e){return e.children}function kt(e,t){this.props=e,this.context=t,this.__g=0}function xe(e,t){if(t==null)return e.__&&xe(e.__,e.__i+1);for(var o;t<e.__k.length;t++)if((o=e.__k[t])&&o.__e)return o.__e;return typeof e.type!="function"||e.props.__P?null:xe(e)}function $i(e){var t,o=e.__v,n=o.__e,r=[],a=[],i=e.__P;i&&((t=Ae({constructor:ot},o)).__v=o.__v+1,P.vnode&&P.vnode(t),yo(i,t,o,e.__n,i.namespaceURI,32&o.__u?[n]:null,r,n||xe(o),32&o.__u,a),t.__v=o.__v,t.__.__k[t.__i]=t,Cn(r,t,a),o.__=o.__e=null,t.__e!=n&&wn(t))}function wn(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),wn(e)}function hn(e){(8&e.__g||(e.__g|=8,ke.push(e),Ct++))&&$o==P.debounceRendering||(($o=P.debounceRendering)||queueMicrotask)(Tn)}function Tn(){try{for(var e,t=1;ke.length;)ke.length>t&&ke.sort(gn),e=ke.shift(),t=ke.length,8&e.__g&&$i(e)}finally{(Ct=ke.length)&&($o||queueMicrotask)(Tn)}}function Sn(e,t,o,n,r,a,i,l,c,d,u){var f,p,m,$,v,_,T=n.__k||Rt,k=t.length;for(c=hi(o,t,T,c,k),f=0;f<k;f++)(m=o.__k[f])!=null&&(p=~m.__i&&T[m.__i]||Et,m.__i=f,_=yo(e,m,p,r,a,i,l,c,d,u),$=m.__e,(p.ref!=m.ref||8&p.__u)&&(p.ref&&vo(p.ref,null,m,p),m.ref&&u.push(m.ref,m.__c||$,m)),v=v||$,4&m.__u?(c=kn(m,c,e,!p.__v),p.__e&&(p.__e=null)):typeof m.type=="function"&&_!==void 0?c=_:$&&(c=$.nextSibling),m.__u&=-21);return o.__e=v,c}function hi(e,t,o,n,r){var a,i,l,c,d,u,f,p,m,$=o.length,v=$,_=0,T=0,k=e.__k=Array(r);for(a=0;a<r;a++)(i=t[a])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=k[a]=tt(null,i):bo(i)?i=k[a]=tt(nt,{children:i}):i.constructor===ot&&i.__b?i=k[a]=tt(i.type,i.props,i.key,i.ref,i.__v):k[a]=i,c=a+_,i.__=e,i.__b=e.__b+1,l=null,~(d=i.__i=_i(i,o,c,v))&&(v--,(l=o[d])&&(l.__u|=2)),l&&l.__v?(i.__u|=16,d==c-1?_--:d==c+1?_++:d!=c&&(d>c?_--:_++,T=1)):(~d||(r>$?_--:r<$&&_++),typeof i.type!="function"&&(i.__u|=4))):k[a]=null;if(T){for(u=[],f=[],a=0;a<r;a++)if((i=k[a])&&16&i.__u){for(_=0,p=u.length;_<p;)u[m=_+p>>1]<i.__i?_=m+1:p=m;u[_]=i.__i,f[a]=_+1}for(_=u.length;a--;)f[a]&&(f[a]==_?_--:k[a].__u|=4)}if(v)for(a=0;a<$;a++)!(l=o[a])||2&l.__u||(l.__e==n&&(n=xe(l)),wo(l,l));return n}function kn(e,t,o,n){var r,a,i,l;if(typeof e.type=="function"){if(e.props.__P)return t;if(r=e.__k)for(a=0;a<r.length;a++)r[a]&&(r[a].__=e,t=kn(r[a],t,o,!1));return t}for(t&&!t.parentNode&&(t=xe(e))&&!t.parentNode&&(t=null),i=e.__e,l=t;l&&l.nodeType==8;)l=l.nextSibling;for(i!=l&&(!n&&o.moveBefore&&i.parentNode?o.moveBefore(i,t):o.insertBefore(i,t||null)),t=i;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function _i(e,t,o,n){var r,a=e.key,i=e.type,l=t[o],c=l&&!(2&l.__u);if(l===null&&a==null||c&&a==l.key&&i==l.type)return o;if(n>(c?1:0)){for(r=o-1;r>=0;r--)if((l=t[r])&&!(2&l.__u)&&a==l.key&&i==l.type)return r;for(r=o+1;r<t.length;r++)if((l=t[r])&&!(2&l.__u)&&a==l.key&&i==l.type)return r}return-1}function _n(e,t,o){o==null&&(o=""),t[0]=="-"?e.setProperty(t,o):e[t]=o}function Tt(e,t,o,n,r){var a,i;if(t=="style")if(typeof o=="string")e.style.cssText=o;else{if(typeof n=="string"&&(e.style.cssText=n=""),n)for(t in n)o&&t in o||_n(e.style,t);if(o)for(t in o)n&&o[t]==n[t]||_n(e.style,t,o[t])}else if(t[0]=="o"&&t[1]=="n")typeof o!="function"&&(o=null),typeof n!="function"&&(n=null),(e.__e||(e.__e={}))[t]=o,o&&n||(i=ho[t]||(ho[t]=bi(t)),(e.__a||(e.__a={}))[t]=_o,a=t!=(t=t.replace(yn,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),o?e.addEventListener(t,i,a):e.removeEventListener(t,i,a));else{if(r=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=o??"")}catch{}if(typeof o=="function")return;o==null||o===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&o==1?"":o)}}function bi(e){return function(t){var o=this.__e;if(o){if(o=o[e],t[St]==null)t[St]=_o++;else if(t[St]<this.__a[e])return;return o(P.event?P.event(t):t)}}}function yo(e,t,o,n,r,a,i,l,c,d){var u,f,p,m,$,v,_,T,k,R,N,ye,de,Z,j,be,me,ve,we=t.type;if(t.constructor!==ot)return null;128&o.__u&&(c=32&o.__u,u=o.__c.__z)&&(t.__u|=c,f=a=[],u.nodeType==8?l=xt(u,a):a.push(u),l=a[0]||l),(u=P.__b)&&u(t);e:if(typeof we=="function"){p=i.length;try{if(T=t.props,k=(u=we.prototype)&&u.render,R=(u=we.contextType)&&n[u.__c],N=u?R?R.props.value:u.__:n,(m=o.__c)?(t.__c=m,2&m.__g&&(m.__g|=1)):(k?t.__c=m=new we(T,N):(t.__c=m=new kt(T,N),m.constructor=we,m.render=yi),R&&R.sub(m),m.state||(m.state={}),m.__n=n,m.__g|=8,m.__h=[],m.__k=[]),k&&(m.__s||(m.__s=m.state),we.getDerivedStateFromProps&&(m.__s==m.state&&(m.__s=Ae({},m.__s)),Ae(m.__s,we.getDerivedStateFromProps(T,m.__s)))),$=m.props,v=m.state,m.__v=t,o.__c){if(T!==$&&k&&!we.getDerivedStateFromProps&&m.componentWillReceiveProps&&m.componentWillReceiveProps(T,N),t.__v==o.__v&&!(8&m.__g)||!(4&m.__g)&&m.shouldComponentUpdate&&m.shouldComponentUpdate(T,m.__s,N)===!1){t.__v!=o.__v&&(m.props=T,m.state=m.__s,m.__g&=-9),t.__e=o.__e,t.__k=o.__k,t.__k.some(function(le){le&&(le.__=t)}),Rt.push.apply(m.__h,m.__k),m.__k=[],m.__h.length&&i.push(m),l=xe(o);break e}m.componentWillUpdate&&m.componentWillUpdate(T,m.__s,N),k&&m.componentDidUpdate&&m.__h.push(function(){m.componentDidUpdate($,v,_)})}else k&&!we.getDerivedStateFromProps&&m.componentWillMount&&m.componentWillMount(),k&&m.componentDidMount&&m.__h.push(m.componentDidMount);m.context=N,m.props=T,m.__P=e,m.__g&=-5,ye=P.__r,de=k?25:0;do m.__g&=-9,ye&&ye(t),u=m.render(m.props,m.state=m.__s,m.context);while(8&m.__g&&++de<25);k&&(Rt.push.apply(m.__h,m.__k),m.__k=[]),m.state=m.__s,m.getChildContext&&(n=Ae({},n,m.getChildContext())),k&&o.__c&&m.getSnapshotBeforeUpdate&&(_=m.getSnapshotBeforeUpdate($,v)),Z=u&&u.type===nt&&u.key==null?u.props.children:u,T.__P&&(u=l,r=(e=T.__P).namespaceURI,c=a=null,o.props&&o.props.__P!=e&&(o.__k.some(function(le){le&&wo(le,le)}),o.__k=null),l=o.__k?xe(o,0):null),l=Sn(e,bo(Z)?Z:[Z],t,o,n,r,a,i,l,c,d),T.__P&&(t.__e=null,l=u),t.__u&=-161,f&&f.some(Re),m.__h.length&&i.push(m),1&m.__g&&(m.__g&=-4)}catch(le){if(i.length=p,t.__v=null,c||a)if(le&&le.then){if(t.__u|=128|c,a){for(~(me=a.indexOf(l||void 0))||(me=a.length);(ve=a[me-1])&&ve.nodeType==8;)me--;for(;me<a.length;me++)if(ve=a[me])if(a[me]=null,j){if(ve==be)break}else{if(ve.nodeType!=8)break;ve.data.startsWith("$s")&&(be=xt(j=ve))}}if(!j){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;j=l}(u=xt(j=t.__c.__z||(t.__c.__z=j)))?(t.__e=j,l=u):t.__e=l,l=l&&l.nextSibling}else a&&a.some(Re);else t.__e=o.__e;t.__k||(t.__k=o.__k||[]),le&&le.then||xn(t),P.__e(le,t,o)}}else l=t.__e=gi(o.__e,t,o,n,r,a,i,c,d,e);return(u=P.diffed)&&u(t),l}function xt(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var o=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))o++;else if(e.data.startsWith("/$s")&&!--o)return e}t&&t.push(e)}}function xn(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(xn))}function Cn(e,t,o){for(var n=0;n<o.length;)vo(o[n++],o[n++],o[n++]);P.__c&&P.__c(t,e),e.some(function(r){try{e=r.__h,r.__h=[],e.some(function(a){a.call(r)})}catch(a){P.__e(a,r.__v)}})}function gi(e,t,o,n,r,a,i,l,c,d){var u,f,p,m,$,v,_,T,k=o.props||Et,R=t.props,N=t.type;if(N=="svg"?r="http://www.w3.org/2000/svg":N=="math"?r="http://www.w3.org/1998/Math/MathML":r||(r="http://www.w3.org/1999/xhtml"),a){for(u=0;u<a.length;u++)if(($=a[u])&&(N?$.localName==N:$.nodeType==3)){e=$,a[u]=null;break}}if(!e){if(T=d.ownerDocument||document,!N)return T.createTextNode(R);e=T.createElementNS(r,N,R.is?R:d),l&&(P.__m&&P.__m(t,a),l=!1),a=null}if(N){if(d=N=="template"&&e.content||e,a=N=="textarea"&&R.defaultValue!=null?null:a&&go.call(d.childNodes),!l&&a)for(k={},u=0;u<e.attributes.length;u++)k[($=e.attributes[u]).name]=$.value;for(u in k)$=k[u],u=="dangerouslySetInnerHTML"?p=$:u=="children"||u in R||u=="value"&&"defaultValue"in R||u=="checked"&&"defaultChecked"in R||Tt(e,u,null,$,r);for(u in R)$=R[u],u=="children"?m=$:u=="dangerouslySetInnerHTML"?f=$:u=="value"?v=$:u=="checked"?_=$:l&&typeof $!="function"||k[u]===$||Tt(e,u,$,k[u],r);f?(l||p&&(f.__html==p.__html||f.__html==e.innerHTML)||(e.innerHTML=f.__html),t.__k=[]):(p&&(e.textContent=""),(N=="foreignObject"||r=="http://www.w3.org/1998/Math/MathML"&&pi.test(N))&&(r="http://www.w3.org/1999/xhtml"),Sn(d,bo(m)?m:[m],t,o,n,r,a,i,a?a[0]:o.__k&&xe(o,0),l,c),a&&a.some(Re)),l&&N!="textarea"||(u="value",N=="progress"&&v==null?e.removeAttribute(u):v==null||v===e[u]&&(N!="progress"||v)||Tt(e,u,v,k[u],r),u="checked",_!=null&&_!=e[u]&&Tt(e,u,_,k[u],r))}else k===R||l&&e.data==R||(e.data=R);return e}function vo(e,t,o,n){try{typeof e=="function"?t?t.__x=e(t)||1:n&&(n=n.__c||n.__e)&&(t=n.__x)&&(n.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(r){P.__e(r,o)}}function wo(e,t,o){var n,r,a,i;if(P.unmount&&P.unmount(e),!(n=e.ref)||n.current&&n.current!=e.__e||vo(n,null,t,e),n=e.__c){if(n.componentWillUnmount)try{n.componentWillUnmount()}catch(l){P.__e(l,t)}n.__P=n.__n=null}if(n=e.__k)for(i=0;i<n.length;i++)n[i]&&wo(n[i],t,typeof e.type!="function"||o&&!e.props.__P);!o&&(n=e.__c)&&(n=n.__z)&&(r=xt(n,a=[]))&&(n==e.__e&&a.some(Re),Re(r),Re(n)),o||Re(e.__e),e.__e=e.__c=e.__=null}function yi(e,t,o){return this.constructor(e,o)}function To(e,t){var o,n,r,a;P.__&&P.__(e,t),t.nodeType==9&&(t=t.documentElement),n=(o=e&&32&e.__u)?null:t.__k,t.__k=tt(nt,{children:[e]}),r=[],a=[],yo(t,t.__k,n||Et,Et,t.namespaceURI,n?null:t.firstChild?go.call(t.childNodes):null,r,n?n.__e:t.firstChild,o,a),Cn(r,t.__k,a),t.__k.props.children=null}P={__e:function(e,t,o,n){for(var r,a,i;t=t.__;)if((r=t.__c)&&!(1&r.__g)){r.__g|=4;try{if((i=(a=r.constructor)&&a.getDerivedStateFromError)&&r.setState(a.getDerivedStateFromError(e)),r.componentDidCatch&&(r.componentDidCatch(e,n||{}),i=1),i&&8&r.__g)return void(r.__g|=2)}catch(l){e=l}}throw Ct=0,e}},bn=0,mi=function(e){return e!=null&&e.constructor===ot},kt.prototype.setState=function(e,t){var o=this.__s;o&&o!=this.state||(o=this.__s=Ae({},this.state)),typeof e=="function"&&(e=e(Ae({},o),this.props)),e&&(Ae(o,e),this.__v&&(t&&this.__k.push(t),hn(this)))},kt.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),hn(this))},kt.prototype.render=nt,ke=[],Ct=0,gn=function(e,t){return e.__v.__b-t.__v.__b},St=Symbol(),yn=/(PointerCapture)$|Capture$/i,_o=0,ho={},fi=0;/*! htm 3.1.1, Apache-2.0: see LICENSE.htm.txt */var Rn=function(e,t,o,n){var r;t[0]=0;for(var a=1;a<t.length;a++){var i=t[a++],l=t[a]?(t[0]|=i?1:2,o[t[a++]]):t[++a];i===3?n[0]=l:i===4?n[1]=Object.assign(n[1]||{},l):i===5?(n[1]=n[1]||{})[t[++a]]=l:i===6?n[1][t[++a]]+=l+"":i?(r=e.apply(l,Rn(e,l,o,["",null])),n.push(r),l[0]?t[0]|=2:(t[a-2]=0,t[a]=r)):n.push(l)}return n},En=new Map;function An(e){var t=En.get(this);return t||(t=new Map,En.set(this,t)),(t=Rn(this,t.get(e)||(t.set(e,t=(function(o){for(var n,r,a=1,i="",l="",c=[0],d=function(p){a===1&&(p||(i=i.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?c.push(0,p,i):a===3&&(p||i)?(c.push(3,p,i),a=2):a===2&&i==="..."&&p?c.push(4,p,0):a===2&&i&&!p?c.push(5,0,!0,i):a>=5&&((i||!p&&a===5)&&(c.push(a,0,i,r),a=6),p&&(c.push(a,p,0,r),a=6)),i=""},u=0;u<o.length;u++){u&&(a===1&&d(),d(u));for(var f=0;f<o[u].length;f++)n=o[u][f],a===1?n==="<"?(d(),c=[c],a=3):i+=n:a===4?i==="--"&&n===">"?(a=1,i=""):i=n+i[0]:l?n===l?l="":i+=n:n==='"'||n==="'"?l=n:n===">"?(d(),a=1):a&&(n==="="?(a=5,r=i,i=""):n==="/"&&(a<5||o[u][f+1]===">")?(d(),a===3&&(c=c[0]),a=c,(c=c[0]).push(2,0,a),a=0):n===" "||n==="	"||n===`
`||n==="\r"?(d(),a=2):i+=n),a===3&&i==="!--"&&(a=4,c=c[0])}return d(),c})(e)),t),arguments,[])).length>1?t:t[0]}/*! preact/hooks 11.2.0, MIT: see LICENSE.preact.txt */var Oe,W,So,On,ko=Object.is,st=0,Bn=[],xo=[],U=P,Mn=U.__b,In=U.__r,Nn=U.diffed,Dn=U.__c,qn=U.unmount,Pn=U.__;function at(e,t){U.__h&&U.__h(W,e,st||t),st=0;var o=W.__H||(W.__H={__:[],__h:[]});return e>=o.__.length&&o.__.push({}),o.__[e]}function h(e){return st=1,vi(Fn,e)}function vi(e,t,o){var n=at(Oe++,2);if(n.t=e,!n.__c&&(n.__=[o?o(t):Fn(void 0,t),function(a){var i=(n.__N||n.__)[0],l=n.t(i,a);ko(i,l)||(n.__N=[l,n.__[1]],n.__c.setState({}))}],n.__c=W,!W.__f)){W.__f=!0;var r=W.shouldComponentUpdate;W.shouldComponentUpdate=function(a,i,l){var c=this.__H;if(!c)return!0;var d=!1,u=this.props!=a;if(c.__.some(function(p){p.__N&&(d=!0,ko(p.__[0],p.__N[0])||(u=!0))}),r){var f=r.call(this,a,i,l);return d?f||u:f}return!d||u}}return n.__}function y(e,t){var o=at(Oe++,3);!U.__s&&Eo(o.__H,t)&&(o.__P=!0,o.__=e,o.u=t,W.__H.__h.push(o))}function se(e,t){var o=at(Oe++,4);!U.__s&&Eo(o.__H,t)&&(o.__P=!1,o.__=e,o.u=t,W.__h.push(o))}function g(e){return st=5,X(function(){return{current:e}},[])}function X(e,t){var o=at(Oe++,7);return Eo(o.__H,t)&&(o.__=e(),o.__H=t),o.__}function E(e,t){return st=8,X(function(){return e},t)}function ee(){var e=at(Oe++,11);if(!e.__){for(var t=W.__v;!t.__m&&t.__;)t=t.__;var o=t.__m||(t.__m=[0,0]);e.__="P"+o[0]+"-"+o[1]++}return e.__}function wi(){var e;do{for(;e=xo.shift();)try{rt(e)}catch(o){U.__e(o,{__:(e=e.__P)&&e.__v})}for(;e=Bn.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(rt),t.__h.some(Co),t.__h=[]}catch(o){t.__h=[],U.__e(o,e.__v)}}}while(xo.length)}U.__b=function(e){W=null,Mn&&Mn(e)},U.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Pn&&Pn(e,t)},U.__r=function(e){In&&In(e),Oe=0;var t=(W=e.__c).__H;t&&(So==W?W.__h=[]:(t.__h.some(rt),t.__h.some(Co),Oe=0),t.__h=[],t.__.some(function(o){o.__N&&(o.__=o.__N),o.u=o.__N=void 0})),So=W},U.diffed=function(e){Nn&&Nn(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Hn(Bn.push(t)),t.__H.__.some(function(o){o.u&&(o.__H=o.u)})),So=W=null},U.__c=function(e,t){t.some(function(o){try{o.__h.some(rt),o.__h=o.__h.filter(function(n){return!n.__||Co(n)})}catch(n){o.__h=[function(){throw n}]}}),Dn&&Dn(e,t)},U.unmount=function(e){qn&&qn(e);var t,o,n=e.__c;n&&n.__H&&(n.__H.__.some(function(r){try{if(r.__P&&r.__c){if(o===void 0){for(o=e.__;o&&(!o.__c||!o.__c.__P);)o=o.__;o=o&&o.__c}r.__P=o,Hn(xo.push(r))}else rt(r)}catch(a){t=a}}),n.__H=void 0,t&&U.__e(t,n.__v))};var Ln=typeof requestAnimationFrame=="function";function Ti(e){var t,o=function(){clearTimeout(n),Ln&&cancelAnimationFrame(t),setTimeout(e)},n=setTimeout(o,35);Ln&&(t=requestAnimationFrame(o))}function Hn(e){e!=1&&On==U.requestAnimationFrame||((On=U.requestAnimationFrame)||Ti)(wi)}function rt(e){var t=W,o=e.__c;typeof o=="function"&&(e.__c=void 0,o()),W=t}function Co(e){var t=W;e.__c=e.__(),W=t}function Eo(e,t){return!e||e.length!=t.length||t.some(function(o,n){return!ko(o,e[n])})}function Fn(e,t){return typeof t=="function"?t(e):t}var s=An.bind(vn);var Ro=new Set;function Ao(){return[...Ro].flatMap(e=>e.current)}function te(e){let t=g(e);t.current=e,se(()=>(Ro.add(t),()=>{Ro.delete(t)}),[])}function Si(e){let t=`${e.ctrlKey||e.metaKey?"mod+":""}${e.key}`,n=(e.target instanceof HTMLElement?e.target:null)?.matches("input:not([type=checkbox], [type=radio], [type=range]), textarea, select");if(e.defaultPrevented||e.isComposing||e.altKey||n&&t.length===1||document.querySelector("dialog[open]"))return;let r=Ao().findLast(a=>a.keys===t);r!==void 0&&(e.preventDefault(),r.run())}addEventListener("keydown",Si);var ki=/Mac|iP/.test(navigator.platform);function ne(e){return e.replace("mod+",ki?"⌘ ":"Ctrl ").replace("Enter","⏎").replace("Escape","Esc")}var ge=new URL("../../",import.meta.url),Ce=document.querySelector('meta[name="flexchat-stage"]')?.getAttribute("content")??"",it=[{name:"tools-testing",title:"Test"},{name:"chat",title:"Chat"},{name:"validation",title:"Validation"},{name:"retrieval",title:"Retrieval"},{name:"configuration",title:"Configuration"}],Oo="flexchat:route";function He(){let e=location.pathname.slice(ge.pathname.length).replace(/\/$/,"");return{view:it.find(o=>o.name===e)?.name??"tools-testing",params:Object.fromEntries(new URLSearchParams(location.search))}}function Mo(e,t={}){let o=new URL(e,ge);for(let[n,r]of Object.entries(t))r!==""&&o.searchParams.set(n,r);return o.href}function B(e,t={},{replace:o=!1}={}){let n=Mo(e,t);n!==location.href&&history[o?"replaceState":"pushState"](null,"",n),dispatchEvent(new Event(Oo))}function Vn(){let[e,t]=h(He);return y(()=>{let o=()=>t(He());return addEventListener("popstate",o),addEventListener(Oo,o),()=>{removeEventListener("popstate",o),removeEventListener(Oo,o)}},[]),e}var jn="flexchat.theme",Un=matchMedia("(prefers-color-scheme: dark)");function Io(){let e=localStorage.getItem(jn);return e==="light"||e==="dark"?e:Un.matches?"dark":"light"}function Wn(e){localStorage.setItem(jn,e),At()}function At(){document.documentElement.dataset.theme=Io()}Un.addEventListener("change",At);var No="flexchat.token",Do="flexchat:token",Ot=sessionStorage.getItem(No)??"";function Be(){return Ot}function Me(e,{keep:t=!1}={}){Ot=e,t&&e?sessionStorage.setItem(No,e):sessionStorage.removeItem(No),dispatchEvent(new Event(Do))}function G(){let[e,t]=h(Ot);return y(()=>{let o=()=>t(Ot);return addEventListener(Do,o),()=>removeEventListener(Do,o)},[]),e}function Fe({title:e,open:t,onClose:o,children:n}){let r=g(null),a=ee();return y(()=>{let l=r.current;t&&!l?.open&&l?.showModal(),!t&&l?.open&&l.close()},[t]),s`
    <dialog ref=${r} aria-labelledby=${a} onCancel=${l=>{l.preventDefault(),o?.()}}>
      <div class="dialog-head">
        <h2 id=${a}>${e}</h2>
        ${o&&s`<button type="button" class="quiet" aria-label="Close" onClick=${o}>✕</button>`}
      </div>
      ${t&&n}
    </dialog>
  `}var Q=class extends Error{constructor(t,o,{status:n=0,code:r="",requestId:a="",details:i=[],retryAfter:l=0}={}){super(o),this.kind=t,this.status=n,this.code=r,this.requestId=a,this.details=i,this.retryAfter=l}};async function M(e,{method:t="GET",body:o,query:n={},headers:r={},signal:a}={}){let i=new URL(e,ge);for(let[d,u]of Object.entries(n))u!==void 0&&u!==""&&i.searchParams.set(d,String(u));let l={Accept:"application/json"};Be()&&(l.Authorization=`Bearer ${Be()}`),o!==void 0&&(l["Content-Type"]="application/json"),Object.assign(l,r);let c=await Ci(i,{method:t,headers:l,cache:"no-store",credentials:"omit",...o===void 0?{}:{body:JSON.stringify(o)},...a===void 0?{}:{signal:a}});if(!c.ok)throw await Ei(c);return c.status===204?void 0:await xi(c)}async function xi(e){try{return await e.json()}catch(t){throw t instanceof DOMException&&t.name==="AbortError"?t:new Q("failed","The response is incomplete or not JSON. Try again.",{status:e.status})}}async function Ci(e,t){try{return await fetch(e,t)}catch(o){throw o instanceof DOMException&&o.name==="AbortError"?o:new Q("offline","No response. Check the network and that the stack is running, then try again.")}}async function Ei(e){let t=await e.json().catch(()=>({})),o=Ri(e);return new Q(o,t.message??`The service returned status ${e.status} without a message.`,{status:e.status,code:t.error??"",requestId:t.request_id??e.headers.get("x-amzn-requestid")??"",details:t.details??[],retryAfter:Number(e.headers.get("retry-after"))||0})}function Ri({status:e,headers:t}){return e===401?"token":e===403?t.has("x-amzn-errortype")?"token":"forbidden":e<500?"refused":"failed"}var re=encodeURIComponent,L=e=>e===void 0?{}:{signal:e},w={me:e=>M("api/me",L(e)),meFor:(e,t)=>M("api/me",{headers:{Authorization:`Bearer ${e}`},...L(t)}),tools:e=>M("api/tools/list",L(e)),models:e=>M("api/models/list",L(e)),testTools:(e,t)=>M("api/tools/test",{method:"POST",body:e,...L(t)}),callTool:(e,t)=>M("api/tools/call",{method:"POST",body:e,...L(t)}),chat:(e,t)=>M("api/chat",{method:"POST",body:e,...L(t)}),startChat:(e,t)=>M("api/chat",{method:"POST",body:e,headers:{Prefer:"respond-async"},...L(t)}),run:(e,t)=>M(`api/runs/${re(e)}`,L(t)),cancelRun:e=>M(`api/runs/${re(e)}`,{method:"DELETE"}),sessions:({limit:e,cursor:t,signal:o}={})=>M("api/sessions",{query:{limit:e,cursor:t},...L(o)}),session:(e,t)=>M(`api/sessions/${re(e)}`,L(t)),renameSession:(e,t)=>M(`api/sessions/${re(e)}`,{method:"PATCH",body:{title:t}}),deleteSession:e=>M(`api/sessions/${re(e)}`,{method:"DELETE"}),messages:(e,{limit:t,cursor:o,fromTurn:n,signal:r}={})=>M(`api/sessions/${re(e)}/messages`,{query:{limit:t,cursor:o,from_turn:n},...L(r)}),collections:e=>M("api/collections",L(e)),search:(e,t,o)=>M(`api/collections/${re(e)}/query`,{method:"POST",body:t,...L(o)}),changeCollection:(e,t)=>M(`api/collections/${re(e)}`,{method:"PATCH",body:t}),statuses:e=>M("api/tools/validate",L(e)),history:(e,{limit:t,cursor:o,signal:n}={})=>M("api/tools/validate",{query:{model:e,limit:t,cursor:o},...L(n)}),validationRuns:({limit:e,cursor:t,signal:o}={})=>M("api/validation/runs",{query:{limit:e,cursor:t},...L(o)}),validationRun:(e,{limit:t,cursor:o,signal:n}={})=>M(`api/validation/runs/${re(e)}`,{query:{limit:t,cursor:o},...L(n)}),startValidation:e=>M("api/tools/validate",{method:"POST",body:e}),stopValidation:e=>M(`api/validation/runs/${re(e)}`,{method:"DELETE"}),resumeValidation:e=>M(`api/validation/runs/${re(e)}/resume`,{method:"POST"}),suites:e=>M("api/validation/suites",L(e)),suite:(e,t)=>M(`api/validation/suites/${re(e)}`,L(t)),putSuite:(e,t)=>M(`api/validation/suites/${re(e)}`,{method:"PUT",body:t}),configuration:e=>M("api/config",L(e)),matchRule:(e,t)=>M("api/config/match",{method:"POST",body:{profile:e},...L(t)}),mcpServers:e=>M("api/mcp/servers",L(e)),refreshMcpServer:(e,t)=>M(`api/mcp/servers/${re(e)}/refresh`,{method:"POST",...L(t)}),approveMcpTools:(e,t,o)=>M(`api/mcp/servers/${re(e)}/approve`,{method:"POST",body:t,...L(o)}),health:e=>M("health",L(e))};function ae(e,t=[]){let o=G(),n=g(e);n.current=e;let r=JSON.stringify(t),[a,i]=h(0),[l,c]=h({data:void 0,error:void 0,loading:!0});return y(()=>{if(o==="")return;let d=new AbortController;return c(u=>({...u,loading:!0})),n.current(d.signal).then(u=>!d.signal.aborted&&c({data:u,error:void 0,loading:!1}),u=>!d.signal.aborted&&c(f=>({...f,error:Mt(u),loading:!1}))),()=>d.abort()},[r,o,a]),{...l,reload:E(()=>i(d=>d+1),[])}}function D(){let e=g(void 0),[t,o]=h({busy:!1,since:0,error:void 0,cancelled:!1});y(()=>()=>e.current?.abort(),[]);let n=E(async i=>{e.current?.abort();let l=new AbortController;e.current=l,o({busy:!0,since:performance.now(),error:void 0,cancelled:!1});let c;try{await i(l.signal)}catch(d){l.signal.aborted||(c=Mt(d))}e.current===l&&o(d=>({...d,busy:!1,error:c,cancelled:l.signal.aborted}))},[]),r=E(()=>e.current?.abort(),[]),a=E(()=>o(i=>({...i,error:void 0,cancelled:!1})),[]);return{...t,run:n,cancel:r,clear:a}}function Mt(e){return e instanceof Q?e:(reportError(e),new Q("page",`Error in the page: ${e instanceof Error?e.message:String(e)}`))}var It="flexchat:cached-query",lt=new Map;function Nt(e,t){let[o,n]=h(0),r=ae(()=>Ai(e,t),[o]);return y(()=>{r.error!==void 0&&lt.delete(e)},[r.error,e]),y(()=>{let a=i=>{i instanceof CustomEvent&&i.detail===e&&n(l=>l+1)};return addEventListener(It,a),()=>removeEventListener(It,a)},[e]),{...r,reload:E(()=>Gn(e),[e]),put:E(a=>Kn(e,a),[e])}}function Gn(e){lt.delete(e),dispatchEvent(new CustomEvent(It,{detail:e}))}function Kn(e,t){lt.set(e,{token:Be(),promise:Promise.resolve(t)}),dispatchEvent(new CustomEvent(It,{detail:e}))}function Ai(e,t){let o=Be(),n=lt.get(e);if(n?.token===o)return n.promise;let r=t();return lt.set(e,{token:o,promise:r}),r}var Ve=()=>Nt("tools",()=>w.tools()),je=()=>Nt("models",()=>w.models()),zn=()=>Gn("models"),Dt=()=>Nt("collections",()=>w.collections()),Jn=e=>Kn("caller",e);function oe(){let{data:e}=Nt("caller",()=>w.me());return e===void 0||e.roles.includes("operator")}var Oi=3e4;function Qn({route:e,onToken:t,onHelp:o}){let n=G(),r=oe();return s`
    <header class="shell">
      <a class="brand" href=${ge.href} onClick=${a=>Xn(a,"tools-testing")}>
        Flexchat ${Ce&&s`<small>stage ${Ce}</small>`}
      </a>
      <nav aria-label="Views">
        ${it.filter(({name:a})=>r||a!=="configuration"||a===e.view).map(({name:a,title:i})=>s`
            <a
              href=${Mo(a)}
              aria-current=${a===e.view?"page":void 0}
              onClick=${l=>Xn(l,a)}
              >${i}</a
            >
          `)}
      </nav>
      <div class="shell-status">
        <${Ii} />
        <button type="button" class="quiet" onClick=${t}>${n?"Token":"No token"} ▾</button>
        <${Mi} />
        <button type="button" class="quiet" aria-label="Show keyboard shortcuts" title="Show keyboard shortcuts (?)" onClick=${o}>?</button>
      </div>
    </header>
  `}function Xn(e,t){e.metaKey||e.ctrlKey||e.shiftKey||e.button!==0||(e.preventDefault(),B(t))}function Mi(){let[e,t]=h(Io),o=e==="dark"?"light":"dark",n=()=>{Wn(o),t(o)},r=`Switch to the ${o} theme`;return s`<button type="button" class="quiet" aria-label=${r} title=${r} onClick=${n}>◐</button>`}function Ii(){let[e,t]=h("unknown");y(()=>{let r=()=>{document.hidden||w.health().then(()=>t("healthy"),()=>t("unreachable"))};r();let a=setInterval(r,Oi);return document.addEventListener("visibilitychange",r),()=>{clearInterval(a),document.removeEventListener("visibilitychange",r)}},[]);let o={unknown:"○",healthy:"●",unreachable:"▲"}[e],n={unknown:"plain",healthy:"good",unreachable:"bad"}[e];return s`<span class="health" data-tone=${n} role="status">
    <span aria-hidden="true">${o}</span> ${e==="unknown"?"checking":e}
  </span>`}var Ni=new Intl.NumberFormat("en-GB"),Di=new Intl.NumberFormat("en-GB",{maximumSignificantDigits:2}),qi=new Intl.DateTimeFormat("en-GB",{dateStyle:"medium",timeStyle:"medium"}),Yn=new Intl.RelativeTimeFormat("en-GB",{numeric:"auto"}),Pi=[["day",86400],["hour",3600],["minute",60]];function C(e){return Ni.format(e)}function b(e,t,o=`${t}s`){return`${C(e)} ${e===1?t:o}`}function O(e){if(e<999.5)return`${Math.round(e)} ms`;if(e<59950)return`${(e/1e3).toFixed(e<1e4?2:1)} s`;let t=Math.round(e/1e3);return`${Math.floor(t/60)} min ${t%60} s`}function Ue(e){return`${Math.round(e*100)} %`}function ce(e){return`$${e>=1?e.toFixed(2):Di.format(e)}`}function qt(e){return e<1e3?`${e} B`:e<999500?`${Math.round(e/1e3)} kB`:`${(e/1e6).toFixed(1)} MB`}function fe(e){return e.toFixed(3)}function ct(e){return qi.format(new Date(e))}function Zn(e,t=Date.now()){let o=(new Date(e).getTime()-t)/1e3;for(let[n,r]of Pi)if(Math.abs(o)>=r)return Yn.format(Math.round(o/r),n);return Math.abs(o)<10?"just now":Yn.format(Math.round(o),"second")}var Li=200;function A({label:e,since:t}){let[o,n]=h(performance.now());return y(()=>{let r=setInterval(()=>n(performance.now()),Li);return()=>clearInterval(r)},[]),s`<span class="busy">
    <span class="spinner" aria-hidden="true"></span>
    <span role="status">${e}</span>
    <span class="number" aria-hidden="true">${O(Math.max(0,o-t))}</span>
  </span>`}function H({lines:e=3,label:t}){return s`<div class="skeleton" role="status" aria-label=${`Loading ${t}`}>
    ${Array.from({length:e},()=>s`<span></span>`)}
  </div>`}function pe({title:e,children:t}){return s`<div class="empty"><h2>${e}</h2>${t}</div>`}function er({open:e,needed:t,onClose:o}){let[n,r]=h(""),[a,i]=h(!1),l=D(),c=u=>{u.preventDefault();let f=n.trim();f===""||l.busy||l.run(async p=>{let m=await w.meFor(f,p);Me(f,{keep:a}),Jn(m),r(""),o()})},d=()=>{Me(""),r("")};return s`
    <${Fe} title="API token" open=${e} onClose=${t?void 0:o}>
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
            value=${n}
            onInput=${u=>r(u.currentTarget.value)}
          />
        </label>
        <label class="check">
          <input type="checkbox" checked=${a} onChange=${()=>i(!a)} />
          Keep the token until this tab is closed
        </label>
        ${l.error&&s`<p id="token-problem" class="problem-text" role="alert">${Hi(l.error)}</p>`}
        <div class="row">
          <button type="submit" class="primary" disabled=${l.busy}>Sign in</button>
          ${!t&&s`<button type="button" onClick=${d}>Sign out</button>`}
          ${l.busy&&s`<${A} label="Verifying the token" since=${l.since} />`}
        </div>
      </form>
    <//>
  `}function Hi(e){return e.kind==="token"?`The token is not valid: ${e.message}.`:e.message}function I({summary:e,open:t=!1,children:o}){let[n,r]=h(t);return s`
    <details class="collapsible" open=${n} onToggle=${a=>r(a.currentTarget.open)}>
      <summary>${e}</summary>
      ${n&&s`<div class="collapsible-body">${o}</div>`}
    </details>
  `}var Bi=matchMedia("(width < 800px)"),Fi=40;function Ee(e){let t=g(null),o=g(!1),n=g({busy:e,at:0});se(()=>{let{current:a}=n;o.current&&Bi.matches&&e!==a.busy&&((e||Math.abs(scrollY-a.at)<Fi)&&t.current?.scrollIntoView({block:"start"}),o.current=e),n.current={busy:e,at:e&&!a.busy?scrollY:a.at}},[e]);let r=E(()=>{o.current=!0},[]);return{section:t,reveal:r}}function ie({title:e,controls:t,section:o,children:n}){return s`
    <h1 class="hidden">${e}</h1>
    <div class="split">
      <section class="split-controls" aria-label="Controls">${t}</section>
      <section class="split-results" ref=${o} aria-label="Results">${n}</section>
    </div>
  `}var qo="flexchat.enter",tr="breaks";function or(){return localStorage.getItem(qo)!==tr}function nr(e){e?localStorage.removeItem(qo):localStorage.setItem(qo,tr)}function rr({key:e,shiftKey:t,altKey:o,ctrlKey:n,metaKey:r,isComposing:a,keyCode:i},l){return l&&e==="Enter"&&!(t||o||n||r||a||i===229)}var Po="chat-message";function sr({draft:e,busy:t,waiting:o,since:n,hint:r,isAway:a,field:i,onWrite:l,onSend:c,onCancel:d,onJump:u}){let[f,p]=h(or),m=_=>{_.preventDefault(),c()},$=_=>{rr(_,f)&&(_.preventDefault(),c())},v=()=>{nr(!f),p(!f)};return s`
    <form class="chat-composer" onSubmit=${m}>
      ${a&&s`<div class="chat-jump"><button type="button" onClick=${u}><span aria-hidden="true">↓</span> Jump to latest</button></div>`}
      <label>
        <span class="hidden">Message</span>
        <textarea
          ref=${i}
          id=${Po}
          rows="2"
          placeholder="Message"
          value=${e}
          onKeyDown=${$}
          onInput=${_=>l(_.currentTarget.value)}
        ></textarea>
      </label>
      <div class="row">
        <${Vi} field=${i} busy=${t} disabled=${r!==""||e.trim()===""} keys=${f?"Enter":"mod+Enter"} onCancel=${d} />
        ${o&&s`<${A} label=${o} since=${n} />`}
        ${r&&s`<span class="problem-text">✕ ${r}</span>`}
        <label class="check chat-enter" title="Shift+Enter inserts a line break. If unchecked, Enter inserts it.">
          <input type="checkbox" checked=${f} onChange=${v} />
          <small>Send with Enter</small>
        </label>
      </div>
    </form>
  `}function Vi({field:e,busy:t,disabled:o,keys:n,onCancel:r}){let a=g(null),i=g(null),l=g(null);return se(()=>{let[c,d]=t?[a.current,i.current]:[i.current,e.current];c!==null&&l.current===c&&d?.focus({preventScroll:!0})},[t,e]),l.current=document.activeElement,s`
    <button ref=${a} type="submit" class="primary" disabled=${t||o}>
      Send <span aria-hidden="true">${ne(n)}</span>
    </button>
    <button ref=${i} type="button" hidden=${!t} onClick=${r}>
      Cancel <span aria-hidden="true">${ne("Escape")}</span>
    </button>
  `}var ji=2e3;function Y({text:e,label:t}){let[o,n]=h("");return y(()=>{if(o==="")return;let a=setTimeout(()=>n(""),ji);return()=>clearTimeout(a)},[o]),s`<button type="button" class="quiet" onClick=${()=>navigator.clipboard.writeText(typeof e=="string"?e:e()).then(()=>n("copied ✓"),()=>n("not copied: access denied by the browser"))}>
    ${t}<span role="status">${o&&s` · ${o}`}</span>
  </button>`}var ar={offline:"The service cannot be reached",token:"The token is not valid",forbidden:"The token lacks the required role",refused:"The request was rejected",failed:"The service failed",page:"The page failed"},Ie={bad_gateway:"The service failed",built_in_suite:"The suite is built in",configuration:"Configuration error",conflict:"Conflict with another change",definitions_changed:"The definitions have changed",forbidden:"The token lacks the required role",idempotency_in_progress:"The request is still in progress",idempotency_key_reused:"The idempotency key was already used",internal_error:"The service failed",invalid_cursor:"The list has changed",invalid_idempotency_key:"The request is not valid",invalid_request:"The request is not valid",invalid_suite:"The suite is not valid",mcp_failed:"The MCP server cannot be used",model_in_validation:"A validation run is testing this model",model_not_found:"Model not found",not_found:"Not found",not_listed:"The tools of the server are not listed yet",payload_too_large:"The request is too large",rate_limited:"Too many requests",response_too_large:"The response is too large",resume_token_expired:"The partial answer has expired",resume_token_in_use:"The partial answer is in use",resume_token_invalid:"The partial answer cannot be continued",resume_token_used:"The partial answer was already continued",run_ended:"The run has ended",run_not_found:"Run not found",server_disabled:"The MCP server is disabled",server_not_found:"MCP server not found",session_busy:"The session is in use",session_moved_on:"The session has changed",session_not_found:"Session not found",suite_not_found:"Suite not found",timeout:"The service did not answer in time",tool_disabled:"The tool is disabled",tool_not_found:"Tool not found",tools_disabled:"Tools are disabled",unauthorized:"The token is not valid",unavailable:"The service is unavailable",unsupported_media_type:"The request is not valid",collection_conflict:"Conflict with another change",collection_configuration:"Configuration error",collection_damaged:"The collection is damaged",collection_exists:"The collection already exists",collection_invalid:"The request is not valid",collection_not_found:"Collection not found",collection_too_large:"The request is too large",collection_unavailable:"The collection is unavailable",model_authentication:"The provider rejected the API key",model_content_filter:"The content filter blocked the message",model_context_length:"The conversation is too long",model_invalid_request:"The provider rejected the request",model_invalid_response:"The provider's response is not valid",model_network:"The provider cannot be reached",model_overloaded:"The provider is overloaded",model_permission:"The API key has no access to this model",model_rate_limit:"The provider's rate limit was reached",model_server_error:"The provider failed",model_timeout:"The provider did not answer in time"},Ui={404:Ie.not_found??"",408:Ie.timeout??"",413:Ie.payload_too_large??"",429:Ie.rate_limited??"",503:Ie.unavailable??"",504:Ie.timeout??""};function ir({kind:e,code:t,status:o}){return e==="token"||e==="offline"||e==="page"?ar[e]:Ie[t]??Ui[o]??ar[e]}function x({error:e,onRetry:t,retry:o="Try again"}){return s`
    <div class="problem" role="alert">
      <h3><span aria-hidden="true">✕</span> ${ir(e)}</h3>
      <p>${e.message}</p>
      ${e.retryAfter>0&&s`<p>Retry after ${e.retryAfter} s.</p>`}
      ${e.details.length>0&&s`<ul>${e.details.map(({path:n,message:r})=>s`<li><code>${n}</code> ${r}</li>`)}</ul>`}
      <div class="row">
        ${e.kind==="token"&&s`<button type="button" onClick=${()=>Me("")}>Enter another token</button>`}
        ${t&&e.kind!=="token"&&s`<button type="button" onClick=${t}>${o}</button>`}
        ${e.requestId&&s`<small>request <code>${e.requestId}</code></small>
            <${Y} text=${e.requestId} label="Copy request id" />`}
      </div>
    </div>
  `}var ut={answered:{title:"answered",tone:"good",sign:"✓",reason:""},cut_off:{title:"cut off",tone:"warn",sign:"✂",reason:"The model's token limit cut off the answer."},filtered:{title:"filtered",tone:"bad",sign:"⊘",reason:"The provider's filter stopped the answer."},refused:{title:"refused",tone:"bad",sign:"⊘",reason:"The model refused to answer."},empty:{title:"empty",tone:"warn",sign:"∅",reason:"The model returned no text; a placeholder is shown."},iteration_limit:{title:"iteration limit",tone:"warn",sign:"!",reason:"The limit on iterations was reached before the model answered."},repeated_calls:{title:"repeated calls",tone:"warn",sign:"!",reason:"The model repeated the same call and was stopped."},tool_call_limit:{title:"tool call limit",tone:"warn",sign:"!",reason:"The limit on tool calls was reached before the model answered."},out_of_time:{title:"out of time",tone:"warn",sign:"!",reason:"The deadline was reached before the answer was complete."},model_failed:{title:"model failed",tone:"bad",sign:"✕",reason:"The model failed before the answer was complete."},unknown:{title:"unknown outcome",tone:"warn",sign:"?",reason:"The provider returned an unknown finish reason."}};function $e({outcome:e,status:t,error:o}){return e?ut[e]??ut.unknown:t!=="partial"?ut.answered:o?ut.model_failed:ut.out_of_time}var cr={background:!1,explain:!1,seconds:"",intent:"",service:"",collections:[]},lr={background:900,waiting:28};function Pt({background:e}){return e?lr.background:lr.waiting}function Lt(e){if(e.seconds.trim()==="")return"";let t=Number(e.seconds);return t>=1&&t<=Pt(e)?"":`Enter a deadline from 1 to ${Pt(e)} seconds${e.background?"":", or up to 900 in the background"}.`}function ur(e,t,o){let n=Object.fromEntries(Object.entries({intent:o.intent.trim(),service:o.service.trim()}).filter(([,r])=>r));return{message:e,session_id:t,...o.collections.length>0&&{selected_collections:[...o.collections]},...Object.keys(n).length>0&&{profile:n},...mr(o)}}function dr(e,t,o){return{resume_token:e,session_id:t,...mr(o)}}function mr(e){let t=e.seconds.trim();return{...t!==""&&{deadline_ms:Math.round(Number(t)*1e3)},...e.explain&&{explain:!0}}}function fr(e){return[e.background,e.explain,e.seconds.trim(),e.intent.trim(),e.service.trim()].filter(Boolean).length}var Wi={good:"✓",warn:"!",bad:"✕",plain:"·"};function S({tone:e,sign:t=Wi[e],children:o}){return s`<span class="outcome" data-tone=${e}>
    <span aria-hidden="true">${t}</span> ${o}
  </span>`}function F(){return s`<span class="tag demo" title="The demo model follows fixed rules and is no evidence about a real model">demo</span>`}function K({children:e}){return s`<span class="tag">${e}</span>`}function V({at:e}){return s`<time datetime=${e} title=${ct(e)}>${Zn(e)}</time>`}function he(e){return`${Ue(e.rate)} (${Math.round(e.low*100)}–${Math.round(e.high*100)})`}function Ht({rate:e}){let t={left:`${e.low*100}%`,width:`${Math.max(1,(e.high-e.low)*100)}%`};return s`<span class="rate" title=${`${e.successes} of ${e.tests} tests; 95 % interval`}>
    <span class="number">${he(e)}</span>
    <span class="interval" aria-hidden="true"><span style=${t}></span><i style=${{left:`${e.rate*100}%`}}></i></span>
  </span>`}function We({validation:e,demo:t}){let{badge:o,rate:n}=e;return t?s`<${F} />${n&&s` <small class="number">${he(n)}</small>`}`:o?s`<span class="badge" title=${o.tooltip}>
    <span aria-hidden="true">${o.symbol}</span> ${o.text}${n&&s` <span class="number">${he(n)}</span>`}
  </span>`:s`<${S} tone="plain">no tools<//>`}var Gi=200;function Bt(e){return e.title||"Untitled"}function pr({session:e,open:t,onOpen:o,onRename:n,onDelete:r}){let[a,i]=h(""),l=D(),c=Bt(e),d=()=>{i(""),l.clear()},u=m=>{l.run(async()=>{await m(),d()})},f=m=>u(()=>n(e.id,m)),p=()=>u(()=>r(e.id));return s`
    <li class="chat-session" data-open=${t}>
      ${a==="rename"?s`<${zi} title=${c} busy=${l.busy} onCancel=${d} onRename=${f} />`:s`<${Ki} session=${e} open=${t} onOpen=${o} onMode=${i} />`}
      ${a==="delete"&&s`<${Ji} title=${c} busy=${l.busy} onCancel=${d} onDelete=${p} />`}
      ${l.error&&s`<${x} error=${l.error} />`}
    </li>
  `}function Ki({session:e,open:t,onOpen:o,onMode:n}){let r=Bt(e);return s`
    <div class="chat-session-row">
      <button type="button" class="quiet" aria-current=${t?"true":void 0} onClick=${()=>o(e.id)}>
        <span class="chat-title">${r}</span>
        <small><${V} at=${e.updated_at} /> · ${b(e.turns,"turn")}</small>
      </button>
      <button type="button" class="quiet" aria-label=${`Rename ${r}`} onClick=${()=>n("rename")}>✎</button>
      <button type="button" class="quiet" aria-label=${`Delete ${r}`} onClick=${()=>n("delete")}>✕</button>
    </div>
  `}function zi({title:e,busy:t,onCancel:o,onRename:n}){let r=g(null);return se(()=>r.current?.select(),[]),s`
    <form class="stack" onSubmit=${i=>{i.preventDefault();let l=r.current?.value.trim();l&&n(l)}} onKeyDown=${i=>$r(i,o)}>
      <label class="field">
        Title
        <input ref=${r} defaultValue=${e} maxlength=${Gi} required />
      </label>
      <div class="row">
        <button type="submit" disabled=${t}>Rename</button>
        <button type="button" onClick=${o}>Cancel</button>
      </div>
    </form>
  `}function Ji({title:e,busy:t,onCancel:o,onDelete:n}){let r=g(null);return se(()=>r.current?.focus(),[]),s`
    <div
      class="notice stack"
      role="group"
      aria-label=${`Delete ${e}`}
      onKeyDown=${a=>$r(a,o)}
    >
      <p>! Delete this session and all its messages? This cannot be undone.</p>
      <div class="row">
        <button type="button" disabled=${t} onClick=${n}>Delete</button>
        <button type="button" ref=${r} onClick=${o}>Cancel</button>
      </div>
    </div>
  `}function $r(e,t){e.key==="Escape"&&(e.preventDefault(),t())}var Xi=new Set(["tool_not_found","tool_not_allowed","tool_disabled","invalid_arguments","malformed_arguments","repeated_call","too_many_calls","rate_limited","circuit_open","previous_call_unfinished","deadline"]),Qi={stop:{tone:"good",label:"answered",reason:""},tool_calls:{tone:"good",label:"called tools",reason:""},length:{tone:"warn",label:"cut off",reason:"The model's token limit cut off the answer."},content_filter:{tone:"warn",label:"filtered",reason:"The provider's filter stopped the answer."},refusal:{tone:"warn",label:"refused",reason:"The model refused to answer."},unknown:{tone:"warn",label:"unknown outcome",reason:"The provider returned an unknown finish reason."}},Yi={topic:"topic",search:"search",intent:"intent",model:"model",tool:"tool"};function Ne(e,t){let o=[...t],n=e.steps.map((r,a)=>{let i=r.step==="tool"?o.findIndex(l=>Zi(l,r)):-1;return hr(a,r,i<0?void 0:o.splice(i,1)[0])});for(let[r,a]of o.entries()){let i=n.findLastIndex(l=>el(l)<=a.iteration);n.splice(i+1,0,hr(e.steps.length+r,void 0,a))}return n}function Zi(e,t){return e.call_id===t.call_id&&e.iteration===t.iteration}function el({step:e,call:t}){return e?.iteration??t?.iteration??0}function hr(e,t,o){let n=t?.step??"tool",r=J(t?.name??o?.tool??"",128),a=n==="tool"||n==="search";return{index:e,step:t,call:o,name:a?r:`${Yi[n]}${n==="model"?` ${t?.iteration}`:""}`,detail:a?"":r,nested:n==="tool",status:De(t,o)}}function De(e,t){if(t!==void 0)return tl(t);if(e?.error)return{tone:"bad",label:"failed",reason:`The model failed: ${z(e.error)}.`};let o=Qi[e?.finish_reason??""];return o!==void 0?o:e?.ok?{tone:"good",label:"done",reason:""}:{tone:"bad",label:"failed",reason:"The step failed."}}function Lo({result:e}){return!("error"in e)||!Xi.has(e.error_type)}function tl(e){let{result:t}=e;return"error"in t?{tone:"bad",label:Lo(e)?"failed":"not run",reason:J(`${z(t.error_type)}: ${t.error}`,240)}:{tone:"good",label:"done",reason:""}}function z(e){return e.replaceAll("_"," ")}function J(e,t){return e.length>t?`${e.slice(0,t)}…`:e}function _r(e){let t=Math.max(1,e.total_ms,...e.steps.map(n=>n.start_ms+n.duration_ms)),o=ol(t);return{length:t,step:o,ticks:Array.from({length:Math.floor(t/o)+1},(n,r)=>r*o)}}function ol(e){for(let t=1;;t*=10)for(let o of[1,2,5])if(e/(o*t)<6)return o*t}function br(e,t){return{left:e.start_ms/t*100,width:e.duration_ms/t*100}}function gr(e,t){return e===0?"0":t>=100&&e>=1e3?`${e/1e3} s`:`${e} ms`}function yr(e,t,o){return Ne(e,t).find(n=>n.index===o)}function Ge({label:e,tabs:t,chosen:o,onChoose:n}){let r=ee(),[a,i]=h(t[0]?.name??""),l=o??a,c=Math.max(0,t.findIndex(f=>f.name===l)),d=f=>{i(f),n?.(f)};return s`
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
  `}var nl=2e4,rl=10;function qe(e){return typeof e=="string"?e:JSON.stringify(e,null,2)??""}function q({value:e,label:t}){let[o,n]=h(1),r=X(()=>qe(e),[e]),a=r.slice(0,nl*o),i=r.length-a.length;return s`
    <div class="value">
      <pre tabindex="0" role="region" aria-label=${t}>${a}</pre>
      <div class="row">
        <${Y} text=${r} label="Copy" />
        ${i>0&&s`<button type="button" class="quiet" onClick=${()=>n(o*rl)}>
            Show more (${C(i)} more characters)
          </button>`}
      </div>
    </div>
  `}var sl=128;function mt({step:e,call:t}){let o=De(e,t),n=J(e?.name??t?.tool??"",sl);return s`
    <section class="wf-details" aria-label=${`Details of ${n}`}>
      <div class="row">
        <h3 class="mono">${n}</h3>
        <${S} tone=${o.tone}>${o.label}<//>
      </div>
      <${Ge} label=${`Details of ${n}`} tabs=${al(e,t)} />
    </section>
  `}function al(e,t){let o=`${e?.start_ms} ${e?.name} ${t?.iteration} ${t?.call_id}`,n={name:"Timing",content:()=>s`<${ll} step=${e} call=${t} />`},r={name:"Raw",content:()=>s`<${q} key=${o} value=${{...e&&{step:e},...t&&{call:t}}} label="Raw" />`};return t===void 0?[n,r]:[{name:"Arguments",content:()=>s`<${q} key=${o} value=${t.params} label="Arguments" />`},{name:"Result",content:()=>s`<${il} key=${o} result=${t.result} />`},n,r]}function il({result:e}){return"error"in e?s`<div class="stack">
      <p>${z(e.error_type)}</p>
      <${q} value=${e.error} label="Error" />
      ${e.validation_errors&&s`<${q} value=${e.validation_errors} label="Validation errors" />`}
    </div>`:s`<div class="stack">
    ${e.truncated&&s`<p class="notice">! The result was truncated.</p>`}
    <${q} value=${e.result} label="Result" />
  </div>`}function ll({step:e,call:t}){let o=[...cl(e),...ul(e,t)];return s`<dl class="wf-facts">
    ${o.map(([n,r])=>s`
        <dt>${n}</dt>
        <dd>${r}</dd>
      `)}
  </dl>`}function cl(e){return e===void 0?[["Iteration","not started"]]:[["Iteration",e.iteration===0?"before iteration 1":String(e.iteration)],["Started after",O(e.start_ms)],["Duration",O(e.duration_ms)],["Ended after",O(e.start_ms+e.duration_ms)],...dt("Model",e.demo&&"demo model"),...dt("Tokens",e.total_tokens&&C(e.total_tokens)),...dt("Finish reason",e.finish_reason),...dt("Error",e.error&&z(e.error))]}function ul(e,t){return t===void 0?[]:[...e===void 0?dt("In iteration",String(t.iteration)):[],["Execution time",O(t.result.execution_time_ms)],["Call",t.call_id]]}function dt(e,t){return t?[[e,t]]:[]}function Ft({timings:e,calls:t,selected:o,onSelect:n}){let r=Ne(e,t),a=_r(e),i=a.ticks.filter(d=>d/a.length<.9),l=r.findIndex(d=>d.index===o),c=d=>{let u=r[dl(d.key,l,r.length)];u===void 0||d.ctrlKey||d.metaKey||d.altKey||(d.preventDefault(),n(u.index),d.currentTarget.children.item(r.indexOf(u))?.focus())};return s`
    <div class="wf" style=${{"--wf-tick":`${a.step/a.length*100}%`}}>
      <div class="wf-head" aria-hidden="true">
        <span>Step</span>
        <span class="wf-axis">
          ${i.map(d=>s`<span style=${{left:`${d/a.length*100}%`}}>${gr(d,a.step)}</span>`)}
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
              aria-selected=${d.index===o}
              tabindex=${u===Math.max(0,l)?0:-1}
              onClick=${()=>n(d.index)}
            ><${ml} row=${d} length=${a.length} /></div>
          `)}
      </div>
    </div>
  `}function dl(e,t,o){switch(e){case"ArrowDown":return t+1;case"ArrowUp":return t-1;case"Home":return 0;case"End":return o-1;case"Enter":case" ":return Math.max(0,t);default:return-1}}function ml({row:e,length:t}){let{step:o,status:n}=e;return s`
    <span class="wf-name" title=${e.detail||e.name}>
      ${e.name}${e.detail&&s` <small>${e.detail}</small>`}${o?.demo&&s` <${F} />`}
    </span>
    <span class="wf-track">${o&&s`<${fl} row=${e} length=${t} step=${o} />`}</span>
    <span class="wf-time number">${o?O(o.duration_ms):"–"}</span>
    <span class="wf-tokens number">
      ${o?.total_tokens?s`${b(o.total_tokens,"token")}`:s`<span aria-hidden="true"></span>`}
    </span>
    <span><${S} tone=${n.tone}>${n.label}<//></span>
    ${n.reason&&s`<span class="wf-reason">${n.reason}</span>`}
  `}function fl({row:e,step:t,length:o}){let{left:n,width:r}=br(t,o),a={left:`min(${n}%, 100% - var(--wf-least))`,width:`max(${r}%, var(--wf-least))`};return s`<span class="wf-bar" data-kind=${t.step} data-tone=${e.status.tone} style=${a}></span>`}function Pe({label:e,caption:t,columns:o,numbers:n=[],children:r}){return s`
    <div class="scroll" tabindex="0" role="region" aria-label=${e}>
      <table>
        <caption>${t}</caption>
        <thead>
          <tr>${o.map(a=>s`<th scope="col" class=${n.includes(a)&&"number"}>${a}</th>`)}</tr>
        </thead>
        <tbody>${r}</tbody>
      </table>
    </div>
  `}var vr=200;function Vt({rules:e}){return s`
    <${Pe} label="Evaluated rules" caption="Evaluated rules, in order" columns=${["Rule","Outcome","Conditions"]}>
      ${e.map(t=>s`
          <tr>
            <th scope="row">${t.rule}</th>
            <td>
              <${S} tone=${t.matched?"good":"plain"}>${t.matched?"matched":"not matched"}<//>
            </td>
            <td><${pl} rule=${t} /></td>
          </tr>
        `)}
    <//>
  `}function pl({rule:e}){return e.conditions.length===0?e.fallback?"none: fallback rule":"none":e.conditions.map(({condition:t,expected:o,actual:n,holds:r})=>s`
      <div>
        <${S} tone=${r?"good":"bad"}>${r?"true":"false"}<//>
        ${" "}<code>${t}</code> ${wr(o)}${!r&&s` <small>(actual: ${wr(n)})</small>`}
      </div>
    `)}function jt({tools:e}){return e.length===0?s`<p>No tools are configured.</p>`:s`
    <${Pe} label="Offered tools" caption="Tools" columns=${["Tool","Offered","Reason"]}>
      ${e.map(({tool:t,offered:o,reason:n})=>s`
          <tr>
            <th scope="row" class="mono">${t}</th>
            <td><${S} tone=${o?"good":"plain"}>${o?"offered":"not offered"}<//></td>
            <td>${n}</td>
          </tr>
        `)}
    <//>
  `}function wr(e){if(e==null)return"nothing";let t=qe(e);return t.length>vr?`${t.slice(0,vr)}…`:t}var $l={match:"good",partial:"warn",none:"plain"};function Tr({rag:e}){let{documents:t,skipped:o,result:n}=e,r=s`
    ${b(t.length,"document")} ·
    ${" "}<${S} tone=${$l[n]}>${n==="none"?"no match":n}<//>
    ${o.length>0&&s` · <${S} tone="warn">${b(o.length,"collection")} skipped<//>`}
  `;return s`
    <${I} summary=${r}>
      ${t.length>0&&s`<${hl} documents=${t} />`}
      ${t.length===0&&s`<p>No document within the distance limit in the selected collections.</p>`}
      ${o.map(({collection:a,reason:i})=>s`<p>! <code>${a}</code> was skipped: ${i}</p>`)}
    <//>
  `}function hl({documents:e}){return s`
    <${Pe} label="Documents" caption="Documents sent to the model" columns=${["Distance","Title","Source","Collection"]} numbers=${["Distance"]}>
      ${e.map(t=>s`
          <tr>
            <td class="number">${fe(t.distance)}</td>
            <td>${t.title}</td>
            <td>${t.source}</td>
            <td>${t.service}/${t.collection}</td>
          </tr>
        `)}
    <//>
  `}function Sr({explain:e}){return s`
    <dl class="chat-facts">
      <dt>Topic</dt>
      <dd>${e.topic?s`<${_l} topic=${e.topic} />`:"not detected: phase disabled"}</dd>
      <dt>Intent</dt>
      <dd>${e.intent?s`<${bl} intent=${e.intent} />`:"not detected: phase disabled"}</dd>
      <dt>History</dt>
      <dd>${b(e.history_messages,"message")}</dd>
    </dl>
    <h3>Profile</h3>
    <${q} value=${e.profile} label="Profile" />
    <${Vt} rules=${e.rules} />
    <${jt} tools=${e.tools} />
    <h3>System prompt</h3>
    <${q} value=${e.system_prompt} label="System prompt" />
  `}function _l({topic:e}){return s`${z(e.topic_status)}: ${e.topic_summary} <${kr} phase=${e} />`}function bl({intent:e}){return s`
    ${e.intent??"none"} (${z(e.source)})
    ${e.candidates.length>0&&s`<small>of ${e.candidates.join(", ")}</small>`}
    ${" "}<${kr} phase=${e} />
  `}function kr({phase:e}){return s`
    <small>${e.model&&`${e.model}, `}${O(e.duration_ms)}</small>
    ${e.error&&s` <${S} tone="bad">${e.error}<//>`}
  `}var gl=120;function xr({calls:e,received:t}){let o=e.filter(n=>!n.result.success).length;return s`
    ${e.length>0&&s`<${I}
        summary=${s`
          ${b(e.length,"tool call")}
          ${o>0&&s` · <${S} tone="bad">${o} failed<//>`}
        `}
      >
        ${e.map(n=>s`<${yl} key=${`${n.iteration} ${n.call_id}`} call=${n} />`)}
      <//>`}
    ${t&&s`<${I} summary="Timeline"><${wl} received=${t} /><//>`}
    ${t?.rag&&s`<${Tr} rag=${t.rag} />`}
    ${t?.explain&&s`<${I} summary="Explanation"><${Sr} explain=${t.explain} /><//>`}
  `}function yl({call:e}){let{tone:t,label:o}=De(void 0,e),n=s`
    <code>${J(`${e.tool}(${vl(e.params)})`,gl)}</code>
    ${" "}<${S} tone=${t}>${o}<//>
    ${" "}<small class="number">${O(e.result.execution_time_ms)}</small>
  `;return s`<${I} summary=${n}><${mt} step=${void 0} call=${e} /><//>`}function vl(e){return typeof e=="string"?e:Object.entries(e).map(([t,o])=>`${t}: ${qe(JSON.stringify(o))}`).join(", ")}function wl({received:e}){let[t,o]=h(-1),n=Ne(e.timings,e.tool_calls).find(r=>r.index===t);return s`
    <${Ft} timings=${e.timings} calls=${e.tool_calls} selected=${t} onSelect=${o} />
    ${n&&s`<${mt} key=${t} step=${n.step} call=${n.call} />`}
  `}function Cr({answer:e,received:t,tokenUsed:o,onResume:n}){let r=e?.status==="partial",a=e&&!r?$e(e).reason:"",i=[...a?[a]:[],...t?kl(t):[]];return i.length===0&&!r?null:s`
    <div class="notice stack">
      ${r&&s`<p><strong>! The answer is partial.</strong> ${Sl(t)}</p>`}
      ${i.map(l=>s`<p>! ${l}</p>`)}
      ${r&&s`<${Tl} received=${t} tokenUsed=${o} onResume=${n} />`}
    </div>
  `}function Tl({received:e,tokenUsed:t,onResume:o}){return t?s`<p>The resume token was already used. Send a new message instead.</p>`:e?e.resume_token?s`<div class="row">
    <button type="button" disabled=${!o} onClick=${o}>Continue</button>
    <small>available for one hour; completed tool calls are not repeated</small>
  </div>`:s`<p>The partial answer has no resume token. Send a new message instead.</p>`:s`<p>The resume token is only available during the visit that received it. Send a new message instead.</p>`}function Sl(e){if(!e)return"The deadline was reached or the model failed before the answer was complete.";let o=e.tool_calls.length>0?" The tool results so far are below.":"";return e.error?`The model failed (${z(e.error.type)}): ${e.error.message}.${o}`:`The deadline was reached before the answer was complete.${o}`}function kl(e){let{fallback:t,session:o}=e;return[...Ut(t,()=>`${e.model} answered instead of ${t?.instead_of}: ${z(t?.reason??"")}.`),...Ut(e.deadline_reached,()=>"The deadline was near: the model had to answer without more tool calls."),...Ut(e.max_tool_calls_reached&&e.outcome!=="tool_call_limit",()=>"The tool call limit was reached."),...Ut(o?.saved===!1,()=>`Not saved in the session: ${o?.problem??"the write failed"}.`)]}function Ut(e,t){return e?[t()]:[]}var xl=2e4,Cl=10;function Er({turn:e,open:t,tokenUsed:o,onResume:n}){let{question:r,at:a,remarks:i,calls:l,answer:c,received:d}=e;return s`
    <article class="chat-turn" tabindex="-1" aria-label=${e.number?`Turn ${e.number}`:"Unsaved turn"}>
      ${r!==void 0&&s`<${Bo} text=${r} at=${a} />`}
      <div class="chat-answer">
        ${c&&s`<${El} answer=${c} received=${d} />`}
        ${i.map(u=>s`<div class="chat-remark"><${Ho} text=${u} /></div>`)}
        ${c&&s`<${Ho} text=${c.content||"(empty answer)"} />`}
        ${!c&&!t&&s`<p><${S} tone="warn">No answer yet.<//></p>`}
        <${Cr} answer=${c} received=${d} tokenUsed=${o} onResume=${n} />
        <${xr} calls=${l} received=${d} />
      </div>
    </article>
  `}function Bo({text:e,at:t}){return s`
    <div class="chat-question">
      <div class="row spread">
        <strong>You</strong>
        ${t&&s`<small><${V} at=${t} /></small>`}
      </div>
      <${Ho} text=${e} />
    </div>
  `}function El({answer:e,received:t}){let o=t?.usage.cost_usd,n=$e(e);return s`
    <div class="row chat-head">
      <strong>${e.model}</strong>
      ${e.demo&&s`<${F} />`}
      <${S} tone=${n.tone} sign=${n.sign}>${n.title}<//>
      <${K}>service ${e.service}<//>
      ${e.rule&&s`<${K}>rule ${e.rule}<//>`}
      <small>
        <${V} at=${e.at} />
        ${t&&` · ${O(t.timings.total_ms)} · ${b(t.usage.total_tokens,"token")}`}
        ${typeof o=="number"&&` · ${ce(o)}`}
      </small>
    </div>
  `}function Ho({text:e}){let[t,o]=h(1),n=e.slice(0,xl*t),r=e.length-n.length;return s`
    <div class="chat-prose">${n}</div>
    ${r>0&&s`<button type="button" class="quiet" onClick=${()=>o(t*Cl)}>
        Show more (${C(r)} more characters)
      </button>`}
  `}function Rr({list:e,turns:t,from:o,busy:n,usedTokens:r,earlier:a,onToggle:i,onResume:l,children:c}){let d=g(l);d.current=l;let u=X(()=>{let f=t.at(-1);return t.map(p=>{let{received:m}=p;return s`
        <${Er}
          key=${p.key}
          turn=${p}
          open=${n&&p===f}
          tokenUsed=${r.includes(m?.resume_token??"")}
          onResume=${m&&p===f&&!n?()=>d.current(m):void 0}
        />
      `})},[t,n,r]);return s`
    ${o>1&&s`<div class="row">
        <button type="button" disabled=${a.busy} onClick=${a.show}>Show earlier messages</button>
        ${a.busy&&s`<${A} label="Loading earlier messages" since=${a.since} />`}
      </div>`}
    ${a.error&&s`<${x} error=${a.error} onRetry=${a.show} />`}
    <div class="chat-turns" ref=${e} onClickCapture=${i}>
      ${u} ${c}
    </div>
  `}function Ar(e,t){let o=[...Al(e).values()].map(i=>Ol(i,t)),n=new Set(o.map(i=>i.answer?.requestId)),r=t.findLastIndex(({answer:i})=>n.has(i.request_id));return t.filter(({answer:i},l)=>!n.has(i.request_id)&&(l>r||i.session?.saved===!1)).reduce(Rl,o)}function Rl(e,t){let o=e.at(-1),n=o!==void 0&&!o.answer&&(t.question===""||t.question===o.question),r=e.find(d=>t.replaces&&d.answer?.requestId===t.replaces)??(n&&o),a=Il(t);if(!r)return[...e,a];let{number:i,question:l,at:c}=r;return e.map(d=>d===r?{...a,number:i,question:l,at:c}:d)}function Al(e){let t=new Map;for(let o of e){let n=t.get(o.turn);n?n.push(o):t.set(o.turn,[o])}return t}function Ol(e,t){let o=e.find(i=>i.role==="user"),n=e.find(i=>i.role==="assistant"&&i.service),r=e.filter(i=>i!==o&&i!==n),a=n&&Ml(n);return{key:a?.requestId||`turn ${e[0]?.turn}`,number:e[0]?.turn,question:o?.content,at:e[0]?.at??"",remarks:r.map(i=>i.content).filter(i=>i.trim()!==""),calls:e.flatMap(i=>i.tool_calls),answer:a,received:t.find(i=>i.answer.request_id===a?.requestId)?.answer}}function Ml(e){return{content:e.content,at:e.at,model:e.model??"",service:e.service??"",rule:e.rule??"",status:e.status??"complete",outcome:e.outcome??void 0,demo:e.demo??!1,requestId:e.request_id??""}}function Il({question:e,at:t,answer:o}){return{key:o.request_id,number:void 0,question:e||void 0,at:t,remarks:[],calls:o.tool_calls,answer:{content:o.content,at:t,model:o.model,service:o.service,rule:o.rule??"",status:o.status,outcome:o.outcome,demo:o.demo??!1,requestId:o.request_id},received:o}}function Or(e,t,o){return[...e.filter(n=>n.turn<o),...t]}var Mr=48,Nl=1/3,Te=document.documentElement;function Ir(){return Te.scrollHeight-Te.scrollTop-Te.clientHeight}function Fo(){Te.scrollTop=Te.scrollHeight}function Nr({session:e,turns:t,added:o,waiting:n}){let r=g(null),a=g(null),i=g(!0),l=g(0),[c,d]=h(!1),u=g({session:"",first:"",answer:"",end:"",wasWaiting:!1}),f=t[0]?.key??"",p=t.at(-1)?.answer?.requestId??"",m=`${t.length} ${t.at(-1)?.key} ${o}`,{current:$}=u,v=$.session===e,T=v&&$.first!==f&&t.some(({key:Z})=>Z===$.first)?a.current?.firstElementChild:void 0,k=T?.getBoundingClientRect().top??0,R=E(()=>d(Ir()>Mr),[]),N=E(()=>{i.current=!0,Fo(),R()},[R]);se(()=>{let Z=p!==""&&p!==$.answer,j=n||v&&$.wasWaiting;u.current={session:e,first:f,answer:p,end:m,wasWaiting:j&&!Z},v||(i.current=!0),!(v&&$.end===m)&&(T?Te.scrollTop+=T.getBoundingClientRect().top-k:i.current&&t.length+o.trim().length>0&&(i.current=!(Z&&j&&Dl(r.current)),i.current&&Fo()),R())}),y(()=>{let{scrollRestoration:Z}=history;history.scrollRestoration="manual";let j=()=>{let ve=Te.scrollTop<l.current-1;l.current=Te.scrollTop,Ir()<=Mr?i.current=!0:ve&&(i.current=!1),R()},be=()=>{i.current&&Fo(),R()},me=new ResizeObserver(()=>requestAnimationFrame(be));return r.current&&me.observe(r.current),addEventListener("scroll",j,{passive:!0}),addEventListener("resize",be),visualViewport?.addEventListener("resize",be),()=>{history.scrollRestoration=Z,me.disconnect(),removeEventListener("scroll",j),removeEventListener("resize",be),visualViewport?.removeEventListener("resize",be)}},[R]);let ye=E(Z=>{Z.target instanceof Element&&Z.target.closest("summary, button, [role=option]")&&(i.current=!1)},[]),de=()=>{N(),a.current?.querySelector("article:last-of-type")?.focus({preventScroll:!0})};return{chat:r,list:a,isAway:c&&t.length>0,follow:N,jump:de,handleToggle:ye}}function Dl(e){let t=e?.querySelector("article:last-of-type"),o=t?.querySelector(".chat-answer");if(!t||!o)return!1;let n=ql(document.querySelector("header.shell")),r=innerHeight-n-(e?.querySelector(".chat-composer")?.getBoundingClientRect().height??0),{top:a,height:i}=o.getBoundingClientRect();if(i<=r)return!1;let l=t.getBoundingClientRect().top;return Te.scrollTop+=(a-l<r*Nl?l:a)-n-8,!0}function ql(e){return e&&getComputedStyle(e).position==="sticky"?e.getBoundingClientRect().height:0}var Pl=3e3,Ll=31e3;function Dr({run:e}){let t=g(performance.now()),o=e&&performance.now()-(Date.now()-new Date(e.created_at).getTime()),n=e?Ne({total_ms:0,steps:e.steps},[]):[];return s`
    <section class="chat-run stack" aria-label="Background run">
      <${A} label=${Hl(e)} since=${o===void 0?t.current:Math.min(o,performance.now())} />
      ${n.length>0&&s`<ol>
          ${n.map(r=>s`
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
  `}function Hl(e){return e===void 0?"Loading the run":e.status==="queued"?"Queued in the background":"Running in the background"}function qr({open:e,onCheck:t}){return y(()=>{if(!e)return;let o=setInterval(()=>!document.hidden&&t(),Pl),n=setTimeout(()=>clearInterval(o),Ll);return()=>{clearInterval(o),clearTimeout(n)}},[e,t]),s`
    <div class="notice stack" role="status">
      <p>
        ! Request cancelled. The service may still complete this answer within 30 seconds and save it in the
        session.${e?" Until then the session accepts no other message.":" The session above is up to date."}
      </p>
      ${e&&s`<div class="row"><button type="button" onClick=${t}>Check again</button></div>`}
    </div>
  `}function Pr({id:e,chat:t,conversation:o,options:n,onBegin:r}){let a=g(null),{task:i}=t,l=t.sent?.session===e?t.sent:void 0,c=Lt(n),d=Vl(e,t,o),u=t.followed.active||i.busy&&l!==void 0,f=u&&t.waiting?Ul(l,d.at(-1)):"",p=Nr({session:e,turns:d,added:Fl(t,l,f),waiting:u}),m=()=>{t.busy||c!==""||t.draft.trim()===""||(p.follow(),t.send())};return te([{keys:"/",label:"Write a message",run:()=>a.current?.focus()},{keys:"mod+Enter",label:"Send the message",run:m},{keys:"Escape",label:"Cancel the answer",run:()=>t.busy&&t.cancel()}]),s`
    <div class="chat" ref=${p.chat}>
      <${Gl} conversation=${o} />
      ${o.loading&&!(t.waiting&&l)&&s`<${H} lines=${8} label="the messages" />`}
      ${i.error?.kind!=="offline"&&s`<${Bl} conversation=${o} onBegin=${r} />`}
      ${e===""&&s`<${Kl} />`}
      <${jl} chat=${t} sent=${l} conversation=${o} turns=${d} question=${f} answering=${u} scroll=${p} />
      <p class="hidden" role="status">${Jl(t)}</p>
      <${sr}
        draft=${t.draft}
        busy=${t.busy}
        waiting=${i.busy?zl(l):""}
        since=${i.since}
        hint=${c}
        isAway=${p.isAway}
        onJump=${p.jump}
        field=${a}
        onWrite=${t.write}
        onSend=${m}
        onCancel=${t.cancel}
      />
    </div>
  `}function Bl({conversation:e,onBegin:t}){let{error:o,reload:n}=e;return o?Vo(e)?s`<${x} error=${o} onRetry=${t} retry="Start a new chat" />`:s`<${x} error=${o} onRetry=${n} />`:null}function Vo(e){return e.error?.status===404}function Fl({task:e,followed:t},o,n){let r=(o&&e.error)??t.error,a=o&&e.cancelled?"stopped":"";return[n,a,r?.code,r?.message,t.run?.status].filter(Boolean).join(" ")}function Vl(e,t,o){let{messages:n}=o,r=Vo(o);return X(()=>{let a=t.received.filter(i=>i.session===e);return r?[]:Ar(n,a)},[n,t.received,e,r])}function jl({chat:e,sent:t,conversation:o,turns:n,question:r,answering:a,scroll:i}){let{followed:l}=e,c=Vo(o),d=n.at(-1),u=f=>{i.follow(),e.resume(f)};return s`
    <${Rr}
      list=${i.list}
      turns=${n}
      from=${c?1:o.from}
      busy=${a}
      usedTokens=${e.usedTokens}
      earlier=${o.earlier}
      onToggle=${i.handleToggle}
      onResume=${u}
    >
      ${r&&s`<${Bo} text=${r} at=${void 0} />`}
      ${l.active&&s`<${Dr} run=${l.run} />`}
    <//>
    <${Wl}
      chat=${e}
      sent=${t!==void 0}
      open=${d?.answer===void 0}
      onCheck=${o.reload}
    />
  `}function Ul(e,t){return t!==void 0&&t.answer===void 0&&t.question===e?.question?"":e?.question}function Wl({chat:e,sent:t,open:o,onCheck:n}){let{task:r,followed:a}=e,i=(t?r.error:void 0)??a.error;return s`
    ${r.cancelled&&t&&s`<${qr} open=${o} onCheck=${n} />`}
    ${a.run?.status==="cancelled"&&s`<p class="notice">! Run cancelled. Its partial result was discarded.</p>`}
    ${i&&s`<${x} error=${i} onRetry=${a.active?a.retry:void 0} />`}
  `}function Gl({conversation:e}){let{session:t}=e;return t?s`
    <div>
      <h2>${Bt(t)}</h2>
      <small>${t.topic&&s`Topic: ${t.topic} · `}${b(t.turns,"turn")}</small>
    </div>
  `:s`<h2>${e.id?"Chat":"New chat"}</h2>`}function Kl(){return s`
    <${pe} title="Chat with the service">
      <p>
        The service keeps the conversation, selects model and prompt by response rules, and calls tools. Each answer shows its
        model, rule, tool calls and timeline.
      </p>
      <p>Send a message to start a session, for example <q>What is 15% of 45?</q></p>
    <//>
  `}function zl(e){return e===void 0?"Waiting for an answer in another session":e.background?"Starting the run":"Waiting for the answer"}function Jl({received:e,busy:t}){let o=e.at(-1)?.answer;if(t||!o)return"";let n=b(o.tool_calls.length,"tool call");return`${o.model}: ${$e(o).title} in ${O(o.timings.total_ms)}, ${n}`}function Hr({options:e,onChange:t}){let o=oe(),n=r=>()=>t({[r]:!e[r]});return s`
    <label class="check">
      <input type="checkbox" checked=${e.background} onChange=${n("background")} />
      Run in the background, up to 15 minutes
    </label>
    ${o&&s`<label class="check">
        <input type="checkbox" checked=${e.explain} onChange=${n("explain")} />
        Include an explanation
      </label>`}
    <${Xl} options=${e} onChange=${t} />
    <${I} summary="Profile fields">
      <${Lr} label="Intent" name="intent" options=${e} onChange=${t} />
      <${Lr} label="Service" name="service" options=${e} onChange=${t} />
      <small>Matched by response rules.</small>
    <//>
  `}function Xl({options:e,onChange:t}){let o=ee(),n=Lt(e);return s`
    <label class="field">
      Deadline in seconds
      <input
        type="number"
        inputmode="decimal"
        min="1"
        max=${Pt(e)}
        step="any"
        placeholder=${e.background?"600":"28"}
        aria-invalid=${n?"true":void 0}
        aria-describedby=${n?o:void 0}
        value=${e.seconds}
        onInput=${r=>t({seconds:r.currentTarget.value})}
      />
    </label>
    ${n&&s`<p id=${o} class="problem-text" role="alert">✕ ${n}</p>`}
  `}function Lr({label:e,name:t,options:o,onChange:n}){return s`
    <label class="field">
      ${e}
      <input
        value=${o[t]}
        spellcheck=${!1}
        autocomplete="off"
        onInput=${r=>n({[t]:r.currentTarget.value})}
      />
    </label>
  `}function Br({options:e,onChange:t}){let{data:o,error:n,loading:r,reload:a}=Dt(),i=l=>e.collections.includes(l)?e.collections.filter(c=>c!==l):[...e.collections,l];return n?s`<${x} error=${n} onRetry=${a} />`:!o&&r?s`<${H} lines=${2} label="the collections" />`:o?.collections.length?s`
    <fieldset class="chat-collections">
      <legend>Collections to search</legend>
      ${o.collections.map(({name:l,metadata:c,documents:d})=>s`
          <label class="check" key=${l}>
            <input
              type="checkbox"
              checked=${e.collections.includes(l)}
              onChange=${()=>t({collections:i(l)})}
            />
            <span>${c.display_name||l} <small>${b(d,"document")}</small></span>
          </label>
        `)}
    </fieldset>
  `:s`<small>No collections. See the Retrieval view to create one.</small>`}function Fr({sessions:e,open:t,onOpen:o,onDeleted:n}){let r=g(null),a=async i=>{await e.remove(i),r.current?.focus(),n(i)};return s`
    <div class="chat-sessions" tabindex="-1" ref=${r} role="region" aria-label="Sessions">
      ${e.error&&s`<${x} error=${e.error} onRetry=${e.reload} />`}
      ${!e.sessions&&e.loading&&s`<${H} lines=${4} label="your sessions" />`}
      ${e.sessions?.length===0&&s`<small>No sessions yet. Send a message to start one.</small>`}
      ${e.sessions&&e.sessions.length>0&&s`<ul>
          ${e.sessions.map(i=>s`
              <${pr}
                key=${i.id}
                session=${i}
                open=${i.id===t}
                onOpen=${o}
                onRename=${e.rename}
                onDelete=${a}
              />
            `)}
        </ul>`}
      ${e.more&&s`<${Ql} loading=${e.loading} onMore=${e.showMore} />`}
    </div>
  `}function Ql({loading:e,onMore:t}){let o=g(0);return s`<div class="row">
    <button type="button" class="quiet" disabled=${e} onClick=${()=>{o.current=performance.now(),t()}}>Show more</button>
    ${e&&o.current>0&&s`<${A} label="Loading more sessions" since=${o.current} />`}
  </div>`}var jo={draft:"",sent:void 0,waiting:!1,usedTokens:[],received:[]};function Vr(e,t,o){let{sent:n}=e,r=n?.session===t&&e.waiting?n:void 0,a=e.received.find(c=>c.answer.request_id===r?.replaces),i=e.received.filter(c=>c!==a&&c.answer.request_id!==o.request_id),l=a?.question??r?.question??"";return{...e,waiting:r?!1:e.waiting,usedTokens:r?.token?[...e.usedTokens,r.token]:e.usedTokens,received:[...i,{session:t,question:l,at:new Date().toISOString(),replaces:r?.replaces??"",answer:o}]}}function Wt(e){if(!e.waiting)return e;let t=[e.sent?.question,e.draft].filter(Boolean).join(`

`);return{...e,waiting:!1,draft:t}}function jr(e,t){return t?{...e,usedTokens:[...e.usedTokens,t]}:e}var Yl=500,Zl=2e3,ec=1.4;function Gt({status:e}){return e==="queued"||e==="running"}function tc(e){if(!e?.error)return;let{error:t,message:o,request_id:n,details:r}=e.error;return new Q("failed",o,{code:t,requestId:n,details:r??[]})}function Ur(e){let t=G(),[o,n]=h({id:e,run:void 0,error:void 0}),[r,a]=h(0);y(()=>{if(e==="")return;let u=new AbortController;return n(f=>f.id===e?{...f,error:void 0}:{id:e,run:void 0,error:void 0}),oc(e,u.signal,f=>n(p=>({...p,error:void 0,...f}))),()=>u.abort()},[e,t,r]);let i=E(async()=>{try{let u=await w.cancelRun(e);n(f=>f.id===e?{...f,run:u}:f)}catch(u){if(!(u instanceof Q))throw u;n(f=>f.id===e?{...f,error:u}:f)}},[e]),l=o.id===e?o:{id:e,run:void 0,error:void 0},{run:c}=l,d=l.error?.status===404||c!==void 0&&!Gt(c);return{...l,error:l.error??tc(c),active:e!==""&&!d,cancel:i,retry:E(()=>a(u=>u+1),[])}}async function oc(e,t,o){for(let n=Yl;;n=Math.min(Zl,n*ec)){if(await rc(t),t.aborted)return;let r=await nc(e,t,o);if(t.aborted||!r)return;await sc(n,t)}}async function nc(e,t,o){try{let n=await w.run(e,t);return o({run:n}),Gt(n)}catch(n){if(t.aborted)return!1;if(!(n instanceof Q))throw n;return o({error:n}),n.kind==="offline"||n.kind==="failed"}}function rc(e){return new Promise(t=>{if(!document.hidden||e.aborted)return t();document.addEventListener("visibilitychange",()=>t(),{once:!0,signal:e}),e.addEventListener("abort",()=>t(),{once:!0})})}function sc(e,t){return new Promise(o=>{let n=setTimeout(o,e);t.addEventListener("abort",()=>(clearTimeout(n),o()),{once:!0})})}var ac=12,ic="resume_token_in_use";function Wr(e,t,o){let n=G(),[r,a]=h(jo);y(()=>a(({draft:$})=>({...jo,draft:$})),[n]);let i=D(),l=Ur(t),c=g(new Set),d=E(($,v)=>{a(_=>Vr(_,$,v))},[]),{run:u}=l;y(()=>{u===void 0||Gt(u)||(u.answer?d(e,u.answer):a($=>$.sent?.session===e?Wt($):$))},[u,e,d]);let f=($,v)=>{c.current.add($.session),a(_=>({..._,sent:$,waiting:!0,draft:$.question?"":_.draft})),B("chat",{session:$.session},{replace:e!==""}),i.run(async _=>{try{if($.background){let{id:T}=await w.startChat(v,_);He().params.session===$.session&&B("chat",{session:$.session,run:T},{replace:!0})}else d($.session,await w.chat(v,_))}catch(T){throw a(k=>lc(T)?jr(Wt(k),$.token):Wt(k)),T}})},p=()=>{let $=e||cc(),v=r.draft.trim(),{background:_}=o;f({session:$,question:v,background:_,replaces:"",token:""},ur(v,$,o))},m=({request_id:$,resume_token:v})=>{if(!v)return;let{background:_}=o;f({session:e,question:"",background:_,replaces:$,token:v},dr(v,e,o))};return{...r,task:i,followed:l,busy:i.busy||l.active,fresh:c.current.has(e)||t!=="",markFound:E($=>{c.current.delete($)},[]),write:E($=>a(v=>({...v,draft:$})),[]),send:p,resume:m,cancel:()=>i.busy?i.cancel():void l.cancel()}}function lc(e){return e instanceof Q&&e.kind==="refused"&&e.code!==ic}function cc(){let e=crypto.getRandomValues(new Uint8Array(ac));return Array.from(e,t=>t.toString(16).padStart(2,"0")).join("")}var Gr=40,uc=100,Uo=e=>({id:e,session:void 0,messages:[],from:1});function Kr(e,{blocked:t,running:o,fresh:n}){let r=G(),[a,i]=h(()=>Uo(e)),l=a.id===e?a:Uo(e),c=g(l);c.current=l;let d=g(n);d.current=n;let u=D(),f=D(),{run:p,cancel:m}=u,$=E(()=>p(async k=>{e!==""&&i(await dc(e,c.current,{fresh:d.current,signal:k}))}),[p,e]);y(()=>(t||$(),m),[$,m,t,o,r]);let v=E(k=>{i(R=>R.session&&R.id===k.id?{...R,session:k}:R)},[]),_=f.run,T=E(()=>_(async k=>{let{from:R}=c.current,N=Math.max(1,R-Gr),ye=await zr(e,N,R,k);i(de=>de.id===e?{...de,messages:[...ye,...de.messages],from:N}:de)}),[_,e]);return{...l,loading:e!==""&&u.busy&&l.session===void 0,error:u.error,reload:$,update:v,earlier:{busy:f.busy,since:f.since,error:f.error,show:T}}}async function dc(e,t,{fresh:o,signal:n}){let r=await mc(e,o&&t.session===void 0,n);if(r===void 0)return Uo(e);let a=Math.max(1,r.turns-Gr+1),i=t.session?.created_at===r.created_at,l=i?Math.min(a,t.messages.at(-1)?.turn??a):a,c=await zr(e,l,1/0,n);return{id:e,session:r,messages:i?Or(t.messages,c,l):c,from:i?Math.min(t.from,l):l}}async function mc(e,t,o){try{return await w.session(e,o)}catch(n){if(t&&n instanceof Q&&n.status===404)return;throw n}}async function zr(e,t,o,n){let r=[],a;do{let i=await w.messages(e,{limit:uc,cursor:a,fromTurn:t,signal:n});r.push(...i.messages),a=i.cursor??void 0}while(a!==void 0&&(r.at(-1)?.turn??0)<o);return r.filter(i=>i.turn<o)}function Jr(e,{read:t,deleted:o,whole:n}){let r=e.at(-1),a=new Map(e.map(i=>[i.id,i]));for(let i of t.values()){let l=a.get(i.id);(l?i.updated_at>=l.updated_at:n||!r||i.updated_at>r.updated_at)&&a.set(i.id,i)}return[...a.values()].filter(i=>!o.has(i.id)).sort((i,l)=>+(i.updated_at<l.updated_at)-+(i.updated_at>l.updated_at))}var fc=20,Xr=()=>({read:new Map,deleted:new Set,pages:1});function Qr(e){let t=G(),[o,n]=h(Xr);y(()=>n(Xr),[t]);let r=ae(f=>pc(o.pages,f),[o.pages]),a=E(f=>{n(p=>({...p,read:new Map(p.read).set(f.id,f)}))},[]),i=E(async(f,p)=>{let m=await w.renameSession(f,p);a(m),e(m)},[a,e]),l=E(async f=>{await w.deleteSession(f),n(p=>({...p,deleted:new Set(p.deleted).add(f)}))},[]),c=E(()=>n(f=>({...f,pages:f.pages+1})),[]),{data:d}=r,u=X(()=>d&&Jr(d.sessions,{...o,whole:!d.cursor}),[d,o]);return{...r,sessions:u,more:!!d?.cursor,showMore:c,addSession:a,rename:i,remove:l}}async function pc(e,t){let o=[],n;for(let r=0;r<e;r+=1){let a=await w.sessions({limit:fc,cursor:n,signal:t});if(o.push(...a.sessions),n=a.cursor??void 0,n===void 0)break}return{sessions:o,cursor:n}}var Kt=matchMedia("(width >= 800px)");function Yr({route:e}){let{session:t="",run:o=""}=e.params,[n,r]=h(cr),a=Wr(t,o,n),i=Kr(t,{blocked:a.busy&&a.waiting&&a.sent?.session===t,running:a.followed.active,fresh:a.fresh}),l=Qr(i.update),{addSession:c}=l,{markFound:d}=a;y(()=>{i.session&&(c(i.session),d(i.session.id))},[i.session,c,d]);let u=E(_=>r(T=>({...T,..._})),[]),f=()=>B("chat"),p=()=>{f(),Kt.matches&&document.getElementById(Po)?.focus()},m=fr(n),$=n.collections.length,v=s`
    <button type="button" onClick=${p}>New chat</button>
    <${I} open=${Kt.matches} summary=${s`<h2>Sessions</h2>`}>
      <${Fr}
        sessions=${l}
        open=${t}
        onOpen=${_=>_!==t&&B("chat",{session:_})}
        onDeleted=${_=>_===t&&f()}
      />
    <//>
    <${I}
      open=${Kt.matches}
      summary=${s`<h2>Collections</h2>${$>0&&s` <small>${$} selected</small>`}`}
    >
      <${Br} options=${n} onChange=${u} />
    <//>
    <${I}
      open=${Kt.matches}
      summary=${s`<h2>Options</h2>${m>0&&s` <small>${m} selected</small>`}`}
    >
      <${Hr} options=${n} onChange=${u} />
    <//>
  `;return s`
    <${ie} title="Chat" controls=${v}>
      <${Pr} id=${t} chat=${a} conversation=${i} options=${n} onBegin=${f} />
    <//>
  `}var $c={tone:"good",label:"active"},Zr={tone:"plain",label:"disabled"},zt={tone:"bad",label:"not used"},hc={tone:"warn",label:"has a problem"};function Wo({disabled:e,tools:t,tool_settings:{disabled_types:o}}){let n=new Set(e.map(({kind:a,name:i})=>`${a} ${i}`)),r=new Set(t.filter(({enabled:a,type:i})=>a===!1||i&&o.includes(i)).map(({name:a})=>a));return(a,{name:i,problems:l})=>a==="tool"&&r.has(i)?Zr:n.has(`${a} ${i}`)?zt:l.length>0?hc:$c}function Ke(e){return new Set(e?.llms.filter(({demo:t})=>t).map(({name:t})=>t))}function es(e){let t=Wo(e),{rules:o,tools:n,llms:r,services:a,phases:i,validation:l}=e,d=[["rule",o],["tool",n],["llm",r],["service",a],["phase",Object.entries(i).map(([f,p])=>({name:f,problems:p?.problems??[]}))],["schedule",[{name:"validation",problems:l.problems}]]].flatMap(([f,p])=>p.filter(({problems:m})=>m.length>0).map(m=>({kind:f,name:m.name,problems:m.problems,state:t(f,m)}))),u=new Set(d.map(({kind:f,name:p})=>`${f} ${p}`));for(let{kind:f,name:p,problems:m}of e.disabled)u.has(`${f} ${p}`)||d.push({kind:f,name:p,problems:m,state:zt});return d.filter(({state:f})=>f!==Zr).sort((f,p)=>+(p.state===zt)-+(f.state===zt))}function Jt(e,t){let o=e.filter(({kind:n})=>t.includes(n)).length;return o>0?` ! ${o}`:""}function ts(e){return Object.entries(e).map(([t,o])=>{let n=typeof o=="string"?o:JSON.stringify(o);return t.endsWith("_regexp")?{field:t.slice(0,-7),relation:"matches",value:n}:t.endsWith("_contains")?{field:t.slice(0,-9),relation:"contains",value:n}:t==="rag_results"&&o==="any"?{field:t,relation:"is",value:"match or partial"}:{field:t,relation:"is",value:n}})}var _c=200;function Xt({tool:e}){let t=s`
    <span class="tool-head">
      <strong class="mono">${e.name}</strong>
      <${K}>${qe(e.implementation.type)}<//>
    </span>
    <span class="tool-line">${J(e.description,_c)}</span>
  `;return s`<li class="tool-card">
    <${I} summary=${t}>
      <p><${S} tone="good">enabled<//></p>
      <${q} value=${e.description} label=${`Description of ${e.name}`} />
      <${q} value=${e.parameters} label=${`Parameters of ${e.name}`} />
    <//>
  </li>`}function Qt({tool:e}){return s`<li class="tool-card tool-disabled">
    <span class="tool-head">
      <strong class="mono">${e.name}</strong>
      <${S} tone="warn">disabled<//>
    </span>
    <ul>${e.problems.map(t=>s`<li>${t}</li>`)}</ul>
  </li>`}var os=`flexchat tokens create --stage ${Ce} --name "an operator" --role operator`;function ns(){return s`
    <div class="notice stack" role="status">
      <h2>! Operator role required</h2>
      <p>Rules, services and settings are visible to tokens with the role <strong>operator</strong>. Create one with:</p>
      <p><code>${os}</code></p>
      <div class="row">
        <${Y} text=${os} label="Copy command" />
        <button type="button" onClick=${()=>Me("")}>Enter another token</button>
      </div>
    </div>
  `}function rs(){return s`
    <section class="stack" aria-label="Tools"><h2>Tools</h2><${bc} /></section>
    <section class="stack" aria-label="Models"><h2>Models</h2><${gc} /></section>
  `}function bc(){let{data:e,error:t,reload:o}=Ve(),n=e?.disabled.filter(({kind:r})=>r==="tool")??[];return t?s`<${x} error=${t} onRetry=${o} />`:e?e.tools.length+n.length===0?s`<p>No tools are configured.</p>`:s`
    <ul class="tool-cards">
      ${n.map(r=>s`<${Qt} key=${`off ${r.name}`} tool=${r} />`)}
      ${e.tools.map(r=>s`<${Xt} key=${r.name} tool=${r} />`)}
    </ul>
  `:s`<${H} lines=${6} label="the tools" />`}function gc(){let{data:e,error:t,reload:o}=je(),[n]=h(()=>performance.now());return t?s`<${x} error=${t} onRetry=${o} />`:e?s`
    ${e.errors.map(({llm:r,error:a})=>s`<p>! <code>${r}</code> did not list its models: ${a}</p>`)}
    ${e.models.length===0?s`<p>No models available.</p>`:s`<${yc} models=${e.models} />`}
  `:s`<p><${A} label="Loading models" since=${n} /></p>`}function yc({models:e}){return s`
    <${Pe} label="Models" caption="Available models" columns=${["Model","Provider","Tool calling","Last tested"]}>
      ${e.map(({id:t,provider:o,validation:n,demo:r})=>s`
          <tr>
            <th scope="row" class="mono">${t}</th>
            <td><${K}>${o}<//></td>
            <td><${We} validation=${n} demo=${r} /></td>
            <td>${n.last_tested?s`<${V} at=${n.last_tested} />`:"never"}</td>
          </tr>
        `)}
    <//>
  `}var Ko="conf-intent";function ss({draft:e,problem:t,busy:o,intents:n,services:r,onDraft:a,onRun:i,onCancel:l}){let c=ee(),d=f=>{f.preventDefault(),i()},u=f=>p=>a({[f]:p.currentTarget.value});return s`
    <form class="stack" onSubmit=${d}>
      <h2>Rule test</h2>
      <p>Enter profile fields to see the rule that matches. Empty fields are unset. No model is called.</p>
      <${Go} id=${Ko} label="Intent" value=${e.intent} suggestions=${n} onInput=${u("intent")} />
      <${Go} label="Service" value=${e.service} suggestions=${r} onInput=${u("service")} />
      <${Go} label="Topic" value=${e.topic} suggestions=${[]} onInput=${u("topic")} />
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
        <button type="submit" class="primary" disabled=${o}>Test rules <small class="conf-keys">${ne("mod+Enter")}</small></button>
        ${o&&s`<button type="button" onClick=${l}>Cancel</button>`}
      </div>
    </form>
  `}function Go({id:e,label:t,value:o,suggestions:n,onInput:r}){let a=ee();return s`
    <label class="field">
      ${t}
      <input id=${e} value=${o} list=${a} spellcheck=${!1} autocomplete="off" onInput=${r} />
    </label>
    <datalist id=${a}>${n.map(i=>s`<option value=${i}></option>`)}</datalist>
  `}var as="flexchat config check";function is({configuration:e,faulty:t,loading:o,onReload:n}){let{stage:r,version:a,revision:i,changed_at:l,read_at:c}=e;return s`
    <section class="stack" aria-label="Active configuration">
      <div class="row spread">
        <h2>Active configuration</h2>
        <button type="button" class="quiet" disabled=${o} onClick=${n}>Reload</button>
      </div>
      <p role="status">
        ${t.length===0?s`<${S} tone="good">All entries are valid.<//>`:s`<${S} tone="bad">${b(t.length,"problem")}<//>`}
      </p>
      <dl class="conf-facts">
        <dt>Stage</dt>
        <dd>${r}</dd>
        <dt>Version</dt>
        <dd><code>${a}</code>${typeof i=="number"&&`, revision ${i}`}</dd>
        ${l&&s`<dt>Changed</dt><dd><${V} at=${l} /> <small>${ct(l)}</small></dd>`}
        ${c&&s`<dt>Loaded</dt><dd><${V} at=${c} /> <small>${ct(c)}</small></dd>`}
      </dl>
      ${t.length>0&&s`<${vc} faulty=${t} />`}
    </section>
  `}function vc({faulty:e}){return s`
    <ul class="conf-problems" aria-label="Problems">
      ${e.map(({kind:t,name:o,problems:n,state:r})=>s`
          <li data-tone=${r.tone}>
            <span class="row"><${K}>${t}<//> <strong>${o}</strong> <${S} tone=${r.tone}>${r.label}<//></span>
            <ul>${n.map(a=>s`<li>${a}</li>`)}</ul>
          </li>
        `)}
    </ul>
    <p>
      Fix the file and push it again. <code>${as}</code> validates a file.
      <${Y} text=${as} label="Copy command" />
    </p>
  `}var wc=300;function ls({demo:e,match:{busy:t,since:o,error:n,cancelled:r,profileJson:a,result:i,match:l},onClose:c}){return s`
    <section class="conf-match stack" aria-label="Matched rule">
      <div class="row spread">
        <h2>Matched rule</h2>
        <button type="button" class="quiet" onClick=${c}>Close</button>
      </div>
      <p><code>${J(a,wc)}</code></p>
      ${t&&s`<p><${A} label="Testing the rules" since=${o} /></p>`}
      ${n&&s`<${x} error=${n} onRetry=${l} />`}
      ${r&&s`<div class="notice stack" role="status">
          <p>! Test cancelled.</p>
          <div class="row"><button type="button" onClick=${l}>Try again</button></div>
        </div>`}
      <div role="status">${i&&s`<${Tc} answer=${i.answer} demo=${e} />`}</div>
      ${i&&s`<${Sc} key=${i.profileJson} answer=${i.answer} />`}
    </section>
  `}function Tc({answer:{rule:e,llm:t,model:o,fallback:n,problem:r},demo:a}){return s`
    ${e&&s`<p class="conf-matched-rule">
        <${S} tone=${r?"warn":"good"}>Rule <strong>${e}</strong> matches<//>, model <code>${t}:${o}</code>${a.has(t??"")&&s` <${F} />`}
      </p>`}
    ${n&&s`<p><${S} tone="warn">instead of<//> <code>${n.instead_of}</code>: ${n.reason}</p>`}
    ${r&&s`<p><${S} tone="bad">A chat fails:<//> ${r}</p>`}
  `}function Sc({answer:{rule:e,rules:t,tools:o}}){let n=o.filter(r=>r.offered).length;return s`
    <${Vt} rules=${t} />
    ${e&&s`<${I} open summary=${`${n} of ${o.length} tools offered`}>
        <${jt} tools=${o} />
      <//>`}
  `}var kc=["intent","service","topic","rag_results"];function ft({intent:e="",service:t="",topic:o="",rag_results:n="",more:r=""}){return{intent:e,service:t,topic:o,rag_results:n,more:r}}function cs(e){return e.tried==="yes"}function zo(e,t){return{...e,...ft({...t}),tried:t===void 0?"":"yes"}}function Jo(e){let{fields:t,problem:o}=xc(e.more);if(t===void 0)return{profile:void 0,problem:o};let n={...t};for(let r of kc){let a=e[r].trim();if(a!==""){if(r in t)return{profile:void 0,problem:`“${r}” is set twice. Remove it from the JSON or from the field above.`};n[r]=a}}return{profile:n,problem:""}}function xc(e){if(e.trim()==="")return{fields:{},problem:""};let t;try{t=JSON.parse(e)}catch(o){return{fields:void 0,problem:`Not valid JSON: ${o instanceof Error?o.message:o}`}}return typeof t!="object"||t===null||Array.isArray(t)?{fields:void 0,problem:'Enter a JSON object, such as {"plan": "free"}.'}:{fields:t,problem:""}}function ze({caption:e,none:t,entries:o,columns:n,stateOf:r}){return o.length===0?s`<p>${t}</p>`:s`
    <div class="scroll" tabindex="0" role="region" aria-label=${e}>
      <table class="conf-table">
        <caption>${e}</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">State</th>
            ${n.map(({title:a,number:i})=>s`<th scope="col" class=${i&&"number"}>${a}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${o.map(a=>s`<${Cc} key=${a.name} entry=${a} columns=${n} state=${r(a)} />`)}
        </tbody>
      </table>
    </div>
  `}function Cc({entry:e,columns:t,state:o}){return s`
    <tr>
      <th scope="row">${e.name}</th>
      <td>
        <${S} tone=${o.tone}>${o.label}<//>
        ${e.problems.map(n=>s`<small class="conf-problem-text">${n}</small>`)}
      </td>
      ${t.map(({number:n,cell:r})=>s`<td class=${n&&"number"}>${r(e)}</td>`)}
    </tr>
  `}function ue({names:e,none:t=""}){return e.length===0?t:s`<span class="conf-names">${e.map(o=>s`<code>${o}</code>`)}</span>`}function pt(e){return typeof e!="boolean"?"":e?"yes":"no"}function Xo(e){return typeof e=="number"?fe(e):""}var us={caption:"Tools",none:"No tools are configured.",columns:[{title:"Type",cell:e=>e.type},{title:"Timeout",number:!0,cell:e=>e.timeout_ms?O(e.timeout_ms):""},{title:"Idempotent",cell:e=>pt(e.idempotent)},{title:"Repeatable",cell:e=>pt(e.repeatable)},{title:"Sequential",cell:e=>pt(e.sequential)},{title:"Per caller",cell:e=>pt(e.per_principal)}]},ds={caption:"LLMs",none:"No LLMs are configured, so chats fail.",columns:[{title:"Type",cell:e=>s`${e.type}${e.demo&&s` <${F} />`}`},{title:"Endpoint",cell:e=>e.host??e.region??(e.type?"provider default":"")},{title:"Key",cell:e=>pt(e.has_key)},{title:"Models",cell:e=>s`<${ue} names=${e.models} none=${e.type?"listed by the provider":""} />`},{title:"Fallbacks",cell:e=>s`<${ue} names=${e.fallbacks} none=${e.type?"none":""} />`}]},ms={caption:"Retrieval services",none:"No retrieval services are configured.",columns:[{title:"Type",cell:e=>e.type},{title:"Endpoint",cell:e=>e.host??e.region??(e.type==="internal"?"this stack":"")},{title:"Collections",cell:e=>s`<${ue} names=${e.collections} none=${e.type==="internal"?"all":""} />`},{title:"Match",number:!0,cell:e=>Xo(e.match_threshold)},{title:"Partial",number:!0,cell:e=>Xo(e.partial_threshold)},{title:"Farthest",number:!0,cell:e=>Xo(e.max_distance)},{title:"Passages",number:!0,cell:e=>e.top_k}]};var Ec={offered:["good","offered"],changed:["warn","changed"],new:["warn","new"],removed:["plain","removed"],invalid:["bad","not usable"],shadowed:["plain","replaced by a configured tool"],not_taken:["plain","not taken"]};function fs(e){return e.filter(({state:t})=>t==="changed"||t==="new")}function ps({tools:e,server:t}){return e.length===0?null:s`
    <div class="scroll" tabindex="0" role="region" aria-label=${`Tools of ${t}`}>
      <table class="conf-table">
        <caption>Tools of ${t}</caption>
        <thead>
          <tr><th scope="col">Name</th><th scope="col">State</th><th scope="col">Description</th></tr>
        </thead>
        <tbody>
          ${e.map(o=>s`<${Rc} key=${o.name} tool=${o} />`)}
        </tbody>
      </table>
    </div>
  `}function Rc({tool:{name:e,description:t,state:o,problems:n,diff:r}}){let[a,i]=Ec[o];return s`
    <tr>
      <th scope="row">${e}</th>
      <td>
        <${S} tone=${a}>${i}<//>
        ${n.map(l=>s`<small class="conf-problem-text">${l}</small>`)}
      </td>
      <td class="mcp-description">
        ${t}
        ${r.length>0&&s`<${I} summary="Difference" open=${!0}><${Oc} lines=${r} /><//>`}
      </td>
    </tr>
  `}var Ac={"+":"ins","-":"del"};function Oc({lines:e}){return s`
    <pre class="mcp-diff">${e.map(t=>s`<${Ac[t[0]??""]??"span"}>${t}${`
`}<//>`)}</pre>
  `}var Mc={ready:["good","connected"],failed:["bad","not connected"],not_checked:["plain","not connected yet"],disabled:["plain","disabled"]};function $s(){let{data:e,error:t,reload:o}=ae(n=>w.mcpServers(n));return t?s`<${x} error=${t} onRetry=${o} />`:e?e.servers.length===0?s`<p>No MCP servers are configured.</p>`:s`
    <ul class="mcp-servers">
      ${e.servers.map(n=>s`<li key=${n.name}><${Ic} loaded=${n} /></li>`)}
    </ul>
  `:s`<${H} lines=${6} label="the MCP servers" />`}function Ic({loaded:e}){let[t,o]=h(e),n=D(),{name:r}=t,a=()=>n.run(async c=>o(await w.refreshMcpServer(r,c))),i=()=>n.run(async c=>o(await w.approveMcpTools(r,{hash:t.pending_hash??""},c))),l=fs(t.tools);return s`
    <section class="mcp-server stack" aria-label=${`MCP server ${r}`}>
      <div class="row spread">
        <h3>${r} <${K}>${t.transport}<//></h3>
        <button type="button" class="quiet" disabled=${n.busy||t.state==="disabled"} onClick=${a}>Connect now</button>
      </div>
      <p role="status">
        ${n.busy?s`<${A} label="Connecting" since=${n.since} />`:s`<${Nc} server=${t} />`}
      </p>
      ${n.error&&s`<${x} error=${n.error} />`}
      ${t.error&&s`<p class="mcp-error">${t.error}</p>`}
      ${t.error&&t.hints.length>0&&s`<ul aria-label="Hints">${t.hints.map(c=>s`<li>${c}</li>`)}</ul>`}
      <${Dc} server=${t} />
      ${l.length>0&&s`<div class="notice stack">
          <p>! ${b(l.length,"definition")} of tools changed or new. Models are not offered them until they are approved: a definition can make a model call other tools or disclose data.</p>
          <div class="row"><button type="button" disabled=${n.busy} onClick=${i}>Approve ${b(l.length,"definition")}</button></div>
        </div>`}
      <${ps} tools=${t.tools} server=${r} />
    </section>
  `}function Nc({server:{state:e,checked_at:t}}){let[o,n]=Mc[e];return s`<${S} tone=${o}>${n}<//>${t&&s`, checked <${V} at=${t} />`}`}function Dc({server:{transport:e,target:t,server:o,protocol_version:n,tools:r}}){let a=r.filter(({state:i})=>i==="offered").length;return s`
    <dl class="conf-facts">
      <dt>${e==="stdio"?"Command":"Host"}</dt>
      <dd><code>${t}</code></dd>
      ${o&&s`<dt>Server</dt><dd>${o.name} ${o.version}</dd>`}
      ${n&&s`<dt>Protocol</dt><dd>${n}</dd>`}
      <dt>Offered tools</dt>
      <dd>${C(a)} of ${C(r.length)}</dd>
    </dl>
  `}var qc=300,Pc=e=>[{title:"Conditions",cell:t=>s`<${Lc} rule=${t} />`},{title:"Model",cell:t=>s`<${Hc} rule=${t} demo=${e} />`},{title:"Tools",cell:t=>s`<${Bc} rule=${t} />`}];function hs({rules:e,demo:t,stateOf:o}){return s`<${ze}
    caption="Rules in order of evaluation"
    none="No rules are configured, so chats fail."
    entries=${e}
    columns=${Pc(t)}
    stateOf=${o}
  />`}function Lc({rule:{match:e,fallback:t}}){return t?"none: fallback rule":ts(e??{}).map(({field:o,relation:n,value:r},a)=>s`
      <div>${a>0&&"and "}<code>${o}</code> ${n} <code>${J(r,qc)}</code></div>
    `)}function Hc({rule:e,demo:t}){return e.llm?s`
    <code>${e.llm}:${e.model}</code>${t.has(e.llm)&&s` <${F} />`}
    ${e.fallbacks.length>0&&s`<div><small>then</small> <${ue} names=${e.fallbacks} /></div>`}
    ${e.require_validated&&s`<div><small>requires validation</small></div>`}
  `:null}function Bc({rule:{llm:e,allowed_tools:t,max_iterations:o,max_tool_calls:n}}){return e?o?s`
    ${t===null?"all":s`<${ue} names=${t} none="none" />`}
    <div><small>at most ${b(o,"iteration")} and ${b(n??0,"call")}</small></div>
  `:"none":null}function bs({configuration:e}){let{tool_settings:t,phases:o,sessions:n,validation:r,caller_fields:a}=e,i=Ke(e);return s`
    <div class="conf-settings">
      <${Je}
        title="Tools"
        facts=${[["Enabled",t.enabled?"yes":s`<${S} tone="warn">no: models are offered no tools<//>`],["Iterations per chat",`${C(t.max_iterations)} by default`],["Calls per iteration",`${C(t.max_calls_per_turn)} by default`],["Calls per chat",`${C(t.max_tool_calls)} by default`],["Timeout",`${O(t.default_timeout_ms)} by default`],["Parallel calls",C(t.max_parallel)],["Disabled types",s`<${ue} names=${t.disabled_types} none="none" />`]]}
      />
      <${Je} title="Topic" facts=${_s(o.topic,i)} problems=${o.topic?.problems} />
      <${Je} title="Intent" facts=${_s(o.intent,i)} problems=${o.intent?.problems} />
      <${Je}
        title="Profile"
        facts=${[["Fields set by callers",s`<${ue} names=${a} none="none" />`]]}
      />
      <${Je}
        title="Sessions"
        facts=${[["Retention",`${b(n.ttl_days,"day")} after the last message`],["History sent to models",`at most ${b(n.max_history_tokens,"token")}`]]}
      />
      <${Je} title="Scheduled validation" facts=${Fc(r)} problems=${r.problems} />
    </div>
  `}function _s(e,t){return e?e.enabled?[["Detected","yes"],["Model",e.model&&s`<code>${e.model}</code>${t.has(e.model.split(":")[0]??"")&&s` <${F} />`}`],...e.intents.length>0?[["Intents",s`<${ue} names=${e.intents} />`]]:[]]:[["Detected","no: disabled"]]:[["Detected","no: not configured"]]}function Fc({models:e,suite:t,repeats:o,stop_early:n,budget:r}){let a=[typeof r.calls=="number"&&b(r.calls,"chat"),typeof r.tokens=="number"&&b(r.tokens,"token"),typeof r.usd=="number"&&ce(r.usd)].filter(Boolean);return[["Models",s`<${ue} names=${e} none="none" />`],["Suite",t],["Repeats",C(o)],["Early stopping",n?"yes":"no"],["Budget",a.length>0?a.join(", "):"no limit"]]}function Je({title:e,facts:t,problems:o=[]}){return s`
    <section class="stack" aria-label=${e}>
      <h3>${e}</h3>
      ${o.map(n=>s`<p><${S} tone="warn">${n}<//></p>`)}
      <dl class="conf-facts">
        ${t.map(([n,r])=>s`<dt>${n}</dt><dd>${r}</dd>`)}
      </dl>
    </section>
  `}function gs({configuration:e,faulty:t,chosen:o,onChoose:n}){let{rules:r,tools:a,llms:i,services:l}=e,c=Wo(e),d=Ke(e),u=m=>$=>c(m,$),f=(m,$)=>`${C(m.length)}${Jt(t,[$])}`,p=[{name:"Rules",note:f(r,"rule"),content:()=>s`<${hs} rules=${r} demo=${d} stateOf=${u("rule")} />`},{name:"Tools",note:f(a,"tool"),content:()=>s`<${ze} ...${us} entries=${a} stateOf=${u("tool")} />`},{name:"MCP servers",note:Jt(t,["mcp_server"]),content:()=>s`<${$s} />`},{name:"LLMs",note:f(i,"llm"),content:()=>s`<${ze} ...${ds} entries=${i} stateOf=${u("llm")} />`},{name:"Services",note:f(l,"service"),content:()=>s`<${ze} ...${ms} entries=${l} stateOf=${u("service")} />`},{name:"Settings",note:Jt(t,["phase","schedule"]),content:()=>s`<${bs} configuration=${e} />`}];return s`<${Ge} label="Configuration sections" tabs=${p} chosen=${o} onChoose=${n} />`}function ys(e){let t=G(),o=D(),{run:n,cancel:r,clear:a}=o,[i,l]=h(void 0),c=e===void 0?"":JSON.stringify(e),d=E(()=>n(async u=>{let f=await w.matchRule(JSON.parse(c),u);l({profileJson:c,answer:f})}),[n,c]);return y(()=>{if(c!==""){d();return}r(),a(),l(void 0)},[d,r,a,c,t]),{...o,match:d,profileJson:c,result:o.busy||i?.profileJson===c?i:void 0}}var vs="Rules";function ws({route:{params:e}}){let t=ae(m=>w.configuration(m)),o=t.error?.kind==="forbidden",[n,r]=jc(e),{profile:a,problem:i}=Jo(n),l=cs(e)&&!o?Jo(ft(e)).profile:void 0,c=ys(l),{section:d,reveal:u}=Ee(c.busy),f=()=>{a===void 0||c.busy||(u(),JSON.stringify(a)===c.profileJson?c.match():B("configuration",zo(e,n)))};if(te([{keys:"/",label:"Enter an intent",run:()=>document.getElementById(Ko)?.focus()},{keys:"mod+Enter",label:"Test the rules",run:f},{keys:"Escape",label:"Cancel the test",run:c.cancel}]),o)return s`<${ie} title="Configuration" controls=${s`<${ns} />`}><${rs} /><//>`;let p=s`<${ss}
    draft=${n}
    problem=${i}
    busy=${c.busy}
    intents=${t.data?.phases.intent?.intents??[]}
    services=${t.data?.services.map(({name:m})=>m)??[]}
    onDraft=${r}
    onRun=${f}
    onCancel=${c.cancel}
  />`;return s`
    <${ie} title="Configuration" controls=${p} section=${d}>
      ${l&&s`<${ls} match=${c} demo=${Ke(t.data)} onClose=${()=>B("configuration",zo(e,void 0))} />`}
      ${t.error&&s`<${x} error=${t.error} onRetry=${t.reload} />`}
      ${!t.data&&!t.error&&s`<${H} lines=${8} label="the configuration" />`}
      ${t.data&&s`<${Vc} configuration=${t} data=${t.data} params=${e} />`}
    <//>
  `}function Vc({configuration:e,data:t,params:o}){let n=X(()=>es(t),[t]),r=a=>B("configuration",{...o,tab:a===vs?"":a},{replace:!0});return s`
    <${is} configuration=${t} faulty=${n} loading=${e.loading} onReload=${e.reload} />
    <${gs} configuration=${t} faulty=${n} chosen=${o.tab||vs} onChoose=${r} />
  `}function jc(e){let t=JSON.stringify(ft(e)),[o,n]=h(()=>ft(e));return y(()=>n(JSON.parse(t)),[t]),[o,r=>n(a=>({...a,...r}))]}function Ts(e){let t=Dt(),o=t.data?.collections,n=e||o?.[0]?.name||"",r=a=>o&&t.put({collections:o.map(i=>i.name===a.name?a:i)});return{collections:t,selected:n,collection:o?.find(({name:a})=>a===n),isEmpty:o?.length===0,loading:n===""&&t.loading,replace:r}}function Xe(e,t){return e===void 0?"none":e<t.match?"match":e<t.partial?"partial":"none"}function ht(e){let t=Number(e?.trim()||NaN);return t>=0&&t<=2?t:void 0}function Yt(e,t){return e===void 0||t===void 0?void 0:{match:e,partial:Math.max(e,t)}}function Ss({match:e,partial:t},o,n){return o==="match"?{match:n,partial:Math.max(n,t)}:{match:Math.min(n,e),partial:n}}function ks({match_threshold:e,partial_threshold:t},o){return Yt(e??o?.match,t??o?.partial)}function xs({metadata:e,calibrated_passages:t}){if(typeof t=="number")return"calibrated from passages";let o=[e.match_threshold,e.partial_threshold].filter(n=>typeof n=="number");return o.length===2?"set by an operator":o.length===1?"one set by an operator, one from the service":"from the service"}function Cs(e,{match:t,partial:o}){let n=Math.min(Math.min(...e)-.05,t),r=Math.max(Math.max(...e)+.05,o);return{low:Math.max(0,$t(Math.floor($t(n/.05))*.05)),high:Math.min(2,$t(Math.ceil($t(r/.05))*.05))}}function Es({low:e,high:t},o){return Math.min(100,Math.max(0,$t((o-e)/(t-e)*100)))}function Rs(e,{match:t,partial:o}){return JSON.stringify({rag_services:{docs:{type:"internal",collections:[e],match_threshold:t,partial_threshold:o}}},null,2)}function $t(e){return Math.round(e*1e3)/1e3}var As=300;function Os({collections:e,selected:t,onChoose:o}){let{data:n,error:r,reload:a}=e;return r&&!n?s`<${x} error=${r} onRetry=${a} />`:n?n.collections.length===0?s`<p><small>No collections.</small></p>`:s`
    <fieldset class="ret-collections">
      <legend>Collection</legend>
      <div class="ret-cards">
        ${n.collections.map(i=>s`
            <${Uc}
              key=${i.name}
              collection=${i}
              checked=${i.name===t}
              onChoose=${()=>o(i.name)}
            />
          `)}
      </div>
    </fieldset>
  `:s`<${H} lines=${4} label="the collections" />`}function Uc({collection:e,checked:t,onChoose:o}){let{name:n,metadata:r,documents:a,passages:i,bytes:l,updated_at:c}=e,{match_threshold:d,partial_threshold:u,description:f,embedding_model:p}=r;return s`
    <label class="ret-card">
      <input type="radio" name="collection" value=${n} checked=${t} onChange=${o} />
      <span>
        <strong>${(r.display_name||n).slice(0,As)}</strong>
        ${r.display_name&&s` <code>${n}</code>`}
        ${f&&s`<small class="ret-line">${f.slice(0,As)}</small>`}
        <small class="ret-line">
          ${b(a,"document")} · ${b(i,"passage")} · ${qt(l)} · <${V} at=${c} />
        </small>
        <small class="ret-line"><${K}>${p}<//> ${Wc(d,u)}${xs(e)}</small>
      </span>
    </label>
  `}function Wc(e,t){return typeof e=="number"&&typeof t=="number"?`match < ${fe(e)}, partial < ${fe(t)}: `:"thresholds: "}function Ms({collection:e,thresholds:t,onChanged:o}){let n=D(),[r,a]=h(""),{metadata:i,name:l}=e,c=i.match_threshold===t.match&&i.partial_threshold===t.partial,u=(typeof i.match_threshold=="number"||typeof i.partial_threshold=="number")&&typeof e.calibrated_passages!="number",f=(p,m,$)=>{a(""),n.run(async()=>{let v=await w.changeCollection(l,{metadata:{match_threshold:p,partial_threshold:m}});a(`${$} ✓`),o(v,$)})};return s`
    <button type="button" disabled=${c||n.busy} onClick=${()=>f(t.match,t.partial,"saved")}>
      Save thresholds
    </button>
    ${u&&s`<button type="button" class="quiet" disabled=${n.busy} onClick=${()=>f(null,null,"recalibrated")}>
        Recalibrate thresholds
      </button>`}
    ${n.busy&&s`<${A} label="Updating the collection" since=${n.since} />`}
    <small role="status">${r}</small>
    ${n.error&&s`<${x} error=${n.error} />`}
  `}var Gc=5,Is=100;function _t(e){let t=Math.floor(Number(e));return t>=1&&t<=Is?t:Gc}function Ns({draft:e,busy:t,form:o,onDraft:n,onRun:r,onCancel:a}){return s`
    <form class="stack" ref=${o} onSubmit=${l=>{l.preventDefault(),r()}}>
      <label class="field">
        Test query
        <textarea
          class="ret-query"
          name="query"
          required
          maxlength="20000"
          placeholder="e.g., How do I reset my password?"
          value=${e.query}
          onInput=${l=>n({query:l.currentTarget.value})}
        ></textarea>
      </label>
      <div class="row">
        <button type="submit" class="primary" disabled=${t}>Search <small class="ret-keys">${ne("mod+Enter")}</small></button>
        ${t&&s`<button type="button" onClick=${a}>Cancel</button>`}
        <label class="check ret-top-k">
          Passages
          <input
            type="number"
            name="top_k"
            required
            min="1"
            max=${Is}
            value=${e.topK}
            onInput=${l=>n({topK:l.currentTarget.value})}
          />
        </label>
      </div>
    </form>
  `}var Kc={match:{tone:"good",sign:"✓"},partial:{tone:"warn",sign:"~"},none:{tone:"plain",sign:"·"}};function bt({name:e}){return s`<${S} ...${Kc[e]}>${e}<//>`}var Zt=280,Ds=300;function qs({hit:e}){let[t,o]=h(!1),n=e.title.slice(0,Ds);return s`
    <div class="ret-passage">
      <strong>${n}</strong>
      <code>${e.source.slice(0,Ds)}</code>
      ${t?s`<${q} value=${e.text} label=${`Text of ${n}`} />`:s`<p>${zc(e.text)}</p>`}
      <button type="button" class="quiet" aria-expanded=${t} onClick=${()=>o(!t)}>
        ${t?"Hide full text":"Show full text"}
      </button>
    </div>
  `}function zc(e){let t=e.slice(0,2*Zt).replace(/\s+/g," ").trim();return t.length>Zt||e.length>2*Zt?`${t.slice(0,Zt)} …`:t}function Ps({hits:e,thresholds:t,scale:o}){return s`
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
        ${e.map((n,r)=>{let a=Xe(n.distance,t);return s`
            <tr key=${n.id} data-class=${a}>
              <td class="number ret-rank">${r+1}</td>
              <td class="number">
                ${fe(n.distance)}
                <${Jc} distance=${n.distance} thresholds=${t} scale=${o} />
              </td>
              <td><${bt} name=${a} /></td>
              <td><${qs} hit=${n} /></td>
            </tr>
          `})}
      </tbody>
    </table>
  `}function Jc({distance:e,thresholds:t,scale:o}){let n=r=>`${Es(o,r)}%`;return s`<span class="ret-bar" aria-hidden="true">
    <span style=${{width:n(e)}}></span>
    <i style=${{left:n(t.match)}}></i>
    <i style=${{left:n(t.partial)}}></i>
  </span>`}var Xc=300,Qc={match:"A chat that selects this collection answers from these passages and searches no further collections.",partial:"A chat that selects this collection passes these passages to the model and searches the next collection.",none:"A chat that selects this collection continues without these passages."};function Ls({found:e,thresholds:t,saved:o}){let{answer:n,ms:r,request:a}=e,i=n.hits.map(p=>p.distance),l=i.length>0?Math.min(...i):void 0,c=Xe(l,t),d=Xe(l,o),u=i.map(p=>Xe(p,t)),f=p=>`${u.filter(m=>m===p).length} ${p}`;return s`
    <div class="ret-classification">
      <h2><span role="status"><${bt} name=${c} /></span></h2>
      <p>${Qc[c]}</p>
      ${c!==d&&s`<p>With the collection's saved thresholds: <${bt} name=${d} />.</p>`}
      <small>
        ${b(i.length,"passage")}: ${f("match")}, ${f("partial")}, ${f("none")}${" · "}
        ${l!==void 0&&`nearest ${fe(l)} · `}${O(r)}
      </small>
      <small>Query: “${a.query.slice(0,Xc)}”</small>
    </div>
  `}var Yc=`flexchat collections create handbook --stage ${Ce}`,Zc=`flexchat collections add handbook docs/ --stage ${Ce}`;function Hs({isEmpty:e,hasQuery:t,loading:o,search:n,evaluation:r}){let{busy:a,cancelled:i,error:l,found:c,since:d}=n;return e?s`<${eu} />`:s`
    ${a&&s`<${A} label="Searching" since=${d} />`}
    ${i&&s`<p role="status">Search cancelled.</p>`}
    ${l&&s`<${x} error=${l} onRetry=${n.search} />`}
    ${(t&&o||a&&!c)&&s`<${H} lines=${6} label="the passages" />`}
    ${!t&&s`<${tu} />`}
    ${c&&r&&s`
        <${Ls} found=${c} ...${r} />
        ${c.answer.hits.length>0?s`<${Ps} hits=${c.answer.hits} thresholds=${r.thresholds} scale=${r.scale} />`:s`<p>No passages found in this collection.</p>`}
      `}
  `}function eu(){return s`
    <${pe} title="No collections">
      <p>Search a collection to see the distances of its passages and calibrate its thresholds.</p>
      <p>Create a collection and add files or directories:</p>
      <pre>${Yc} && ${Zc}</pre>
    <//>
  `}function tu(){return s`
    <${pe} title="Test a collection">
      <p>
        Enter a query to see the closest passages of a collection, their distances, and how a chat uses them. Adjust the
        thresholds to see the effect.
      </p>
      <p>Enter a test query and select Search.</p>
    <//>
  `}function Bs({collection:e,query:t,topK:o}){let n=D(),{run:r,cancel:a}=n,[i,l]=h(void 0),c=E(()=>r(async d=>{let u=performance.now(),f=await w.search(e,{query:t,top_k:o},d);l({request:{collection:e,query:t,topK:o},answer:f,ms:performance.now()-u})}),[r,e,t,o]);return y(()=>{e&&t?c():(a(),l(void 0))},[c,a,e,t]),{...n,search:c,found:i?.request.collection===e?i:void 0}}var Vs=.001;function js({collection:e,thresholds:t,saved:o,scale:n,onMove:r,children:a}){let i=t.match!==o.match||t.partial!==o.partial,l=(c,d)=>r(Ss(t,c,d));return s`
    <fieldset class="ret-thresholds">
      <legend>Thresholds <small>cosine distance, lower is closer</small></legend>
      <${Fs} name="Match below" value=${t.match} scale=${n} onMove=${c=>l("match",c)} />
      <${Fs} name="Partial below" value=${t.partial} scale=${n} onMove=${c=>l("partial",c)} />
      <div class="row">
        <button type="button" disabled=${!i} onClick=${()=>r(void 0)}>Reset thresholds</button>
        ${a}
      </div>
      <div class="row">
        <${Y} text=${()=>Rs(e,t)} label="Copy as configuration" />
        <small>for services; applies to collections without thresholds</small>
      </div>
    </fieldset>
  `}function Fs({name:e,value:t,scale:o,onMove:n}){return s`
    <div class="ret-slider">
      <span aria-hidden="true">${e}</span>
      <input
        type="range"
        aria-label=${e}
        min=${o.low}
        max=${o.high}
        step=${Vs}
        value=${t}
        onInput=${r=>n(Number(r.currentTarget.value))}
      />
      <${nu} name=${`${e}, as a number`} value=${t} onCommit=${n} />
    </div>
  `}function nu({name:e,value:t,onCommit:o}){let[n,r]=h(void 0);return s`
    <input
      type="number"
      aria-label=${e}
      min="0"
      max=${2}
      step=${Vs}
      value=${n??t}
      onInput=${i=>r(i.currentTarget.value)}
      onChange=${({currentTarget:i})=>{r(void 0);let l=ht(i.value);l!==void 0&&o(l)}}
    />
  `}var ru=250;function Us(e){let t=e.query??"",o=String(_t(e.top_k)),[n,r]=h({query:t,topK:o});return y(()=>r({query:t,topK:o}),[t,o]),[n,a=>r(i=>({...i,...a}))]}function Ws(e){let t=ht(e.match),o=ht(e.partial),[n,r]=h(Yt(t,o)),a=g(e);a.current=e;let i=g(n);return y(()=>{t===i.current?.match&&o===i.current?.partial||(i.current=Yt(t,o),r(i.current))},[t,o]),y(()=>{let c=setTimeout(()=>{i.current=n,B("retrieval",eo(a.current,n),{replace:!0})},ru);return()=>clearTimeout(c)},[n]),[n,r]}function eo(e,t){return{...e,match:String(t?.match??""),partial:String(t?.partial??"")}}function Gs({route:e}){let{params:t}=e,o=t.query??"",n=_t(t.top_k),{collections:r,selected:a,collection:i,isEmpty:l,loading:c,replace:d}=Ts(t.collection),[u,f]=Us(t),[p,m]=Ws(t),$=Bs({collection:a,query:o,topK:n}),v=g(null),_=oe(),{section:T,reveal:k}=Ee($.busy),R=su(i,$.found?.answer,p),N=()=>{k();let j={...t,collection:a,query:u.query,top_k:u.topK};j.query===o&&_t(j.top_k)===n?$.search():B("retrieval",eo(j,p))},ye=j=>{m(void 0),B("retrieval",eo({...t,collection:j},void 0))},de=(j,be)=>{d(j),be!=="saved"&&(m(void 0),$.found&&$.search())};te([{keys:"/",label:"Enter a test query",run:()=>v.current?.querySelector("textarea")?.focus()},{keys:"mod+Enter",label:"Search",run:()=>v.current?.requestSubmit()},{keys:"Escape",label:"Cancel the search",run:$.cancel}]);let Z=s`
    <${Os} collections=${r} selected=${a} onChoose=${ye} />
    ${!l&&s`<${Ns}
        draft=${u}
        busy=${$.busy}
        form=${v}
        onDraft=${f}
        onRun=${N}
        onCancel=${$.cancel}
      />`}
    ${R&&s`<${js} collection=${a} ...${R} onMove=${m}>
        ${i&&_&&s`<${Ms} key=${a} collection=${i} thresholds=${R.thresholds} onChanged=${de} />`}
      <//>`}
  `;return s`
    <${ie} title="Retrieval" controls=${Z} section=${T}>
      <${Hs} isEmpty=${l} hasQuery=${o!==""&&(c||a!=="")} loading=${c} search=${$} evaluation=${R} />
    <//>
  `}function su(e,t,o){let n=ks(e?.metadata??{},t?.thresholds);if(n===void 0)return;let r=o??n,a=(t?.hits??[]).map(i=>i.distance);return{saved:n,thresholds:r,scale:Cs([...a,n.match,n.partial],r)}}function Ks(e){return zs(e,0)}function zs(e,t){let o=new Set(Array.isArray(e.required)?e.required:[]),n=Object.entries(Qo(e.properties)).map(([r,a])=>({name:r,schema:Qo(a)}));return Object.fromEntries(n.filter(({name:r,schema:a})=>o.has(r)||Xs(a)!==void 0).map(({name:r,schema:a})=>[r,Js(a,t+1)]))}function Js(e,t){let o=Xs(e);if(o!==void 0)return o;let n=Qs(e.enum);if(n!==void 0)return n;if("const"in e)return e.const;let r=e.type;switch(Array.isArray(r)?r[0]:r){case"integer":case"number":return typeof e.minimum=="number"?e.minimum:1;case"boolean":return!0;case"array":return t<5?[Js(Qo(e.items),t+1)]:[];case"object":return t<5?zs(e,t):{};case"null":return null;default:return"text"}}function Xs(e){return Qs(e.examples)??e.example??e.default}function Qs(e){return Array.isArray(e)?e[0]:void 0}function Qo(e){return typeof e=="object"&&e!==null&&!Array.isArray(e)?e:{}}var gt="tt-tool",Le="tt-arguments";function Yo(e){return e===void 0?"":JSON.stringify(Ks(e.parameters),null,2)}function Ys(e){try{let t=JSON.parse(e);return typeof t=="object"&&t!==null&&!Array.isArray(t)?"":"The arguments are not a JSON object"}catch(t){return`Not valid JSON: ${t instanceof Error?t.message:String(t)}`}}function Zs({tools:e,draft:t,problem:o,busy:n,onTool:r,onText:a,onCall:i,onCancel:l}){if(e.error)return s`<${x} error=${e.error} onRetry=${e.reload} />`;if(!e.data)return s`<${H} lines=${4} label="the tools" />`;let c=e.data.tools.find(({name:u})=>u===t.tool);return s`
    <form class="stack" noValidate onSubmit=${u=>{u.preventDefault(),i()}}>
      <div class="field">
        <label for=${gt}>Tool</label>
        <select id=${gt} value=${c?.name??""} onChange=${u=>r(u.currentTarget.value)}>
          <option value="">Select a tool</option>
          ${e.data.tools.map(({name:u})=>s`<option value=${u}>${u}</option>`)}
        </select>
      </div>
      ${c&&s`<p>${c.description}</p>`}
      <div class="field">
        <label for=${Le}>Arguments</label>
        <textarea
          id=${Le}
          class="mono tt-expect"
          spellcheck=${!1}
          value=${t.text}
          aria-invalid=${o?"true":void 0}
          aria-describedby=${`${Le}-hint`}
          onInput=${u=>a(u.currentTarget.value)}
        ></textarea>
        <small id=${`${Le}-hint`} class=${o?"problem-text":""}>${o?`✕ ${o}`:"A JSON object."}</small>
      </div>
      <div class="row">
        <button type="submit" class="primary" disabled=${n}>Call tool</button>
        <button type="button" disabled=${!n} onClick=${l}>Cancel</button>
        <button type="button" disabled=${c===void 0} onClick=${()=>a(Yo(c))}>Insert example</button>
      </div>
      <small>The call has the effects of the tool. ${ne("mod+Enter")} calls, ${ne("Escape")} cancels.</small>
      ${c&&s`<${I} key=${c.name} summary="Parameters"><${q} value=${c.parameters} label=${`Parameters of ${c.name}`} /><//>`}
    </form>
  `}function to(e,t){return[`curl -sS -X POST ${ea(e)}`,'-H "Authorization: Bearer $FLEXCHAT_TOKEN"',"-H 'Content-Type: application/json'",`--data-raw ${ea(JSON.stringify(t))}`].join(` \\
  `)}function ea(e){return`'${e.replaceAll("'",String.raw`'\''`)}'`}var ta=200;function Zo({result:e}){let t=O(e.execution_time_ms);return"error"in e?`failed after ${t}: ${z(e.error_type)}`:`succeeded in ${t}`}var oo=e=>e!=null;function au({status:e,error:t,response_body:o}){return e==null?!t&&oo(o)?{tone:"good",label:"answered"}:{tone:"bad",label:t??"no response"}:e>=400?{tone:"bad",label:`HTTP ${e}`}:{tone:e>=300?"warn":"good",label:`HTTP ${e}`}}function oa(e,t,o){let n=[...e?[e]:[],...Object.entries(t).map(([r,a])=>`${r}: ${a}`)];return o?`${n.join(`
`)}

${o}`:n.join(`
`)}function na({outcome:e}){let{result:t,inspection:o}=e,n={tool:e.tool,arguments:e.arguments};return s`
    <div class="stack">
      <p class="tt-status"><${S} tone=${t.success?"good":"bad"}>${Zo(e)}<//></p>
      <div class="row tt-facts">
        <span>Tool: <strong class="mono">${e.tool}</strong> <${K}>${e.type}<//></span>
        <span>With all checks: <strong>${O(e.total_ms)}</strong></span>
        <span>Request: <code>${e.request_id}</code> <${Y} text=${e.request_id} label="Copy request id" /></span>
      </div>
    </div>
    ${o&&s`<${iu} inspection=${o} total=${t.execution_time_ms} />`}
    ${o&&Object.keys(o.notes??{}).length>0&&s`<section class="stack" aria-label="Shaping"><h2>Shaping</h2><${q} value=${o.notes} label="Shaping" /></section>`}
    <section class="stack" aria-label="Result of the call">
      <h2>${"error"in t?"Error":"Result"}</h2>
      ${"truncated"in t&&t.truncated&&s`<p class="notice">! The result was truncated.</p>`}
      ${"error"in t?s`<${q} value=${t.error} label="Error" />`:s`<${q} value=${t.result} label="Result" />`}
      ${"validation_errors"in t&&t.validation_errors&&s`<ul>${t.validation_errors.map(r=>s`<li>${r}</li>`)}</ul>`}
      <div class="row">
        <${Y} text=${()=>to(new URL("api/tools/call",ge).href,n)} label="Copy as curl" />
      </div>
    </section>
    <section class="stack" aria-label="Details of the call">
      <${I} summary="Arguments with defaults"><${q} value=${e.arguments} label="Arguments with defaults" /><//>
      <${I} summary=${`Text for a model (${b(e.content.length,"character")})`}>
        <${q} value=${e.content} label="Text for a model" />
      <//>
    </section>
  `}function iu({inspection:e,total:t}){let o=e.exchanges??[];return o.length===0?s`<p>The tool sent no request.</p>`:s`
    <section class="stack" aria-label="Requests of the tool">
      <h2>Requests (${C(o.length)})</h2>
      <ol class="tt-calls">
        ${o.map((n,r)=>s`<${lu} key=${r} exchange=${n} total=${t} open=${r===0} />`)}
      </ol>
      ${(e.omitted??0)>0&&s`<p class="notice">! ${b(e.omitted??0,"more request")} not shown.</p>`}
    </section>
  `}function lu({exchange:e,total:t,open:o}){let{tone:n,label:r}=au(e),a=Math.max(1,t,e.start_ms+e.duration_ms),i={left:`${100*e.start_ms/a}%`,width:`${Math.max(1,100*e.duration_ms/a)}%`},l=e.purpose&&e.purpose!=="request"?e.purpose:"",c=(e.attempt??1)>1?`attempt ${e.attempt}`:"",d=s`<code>${e.method} ${J(e.url,ta)}</code>
    ${l&&s` <${K}>${l}<//>`}${c&&s` <${K}>${c}<//>`}
    <${S} tone=${n}>${r}<//>`;return s`
    <li>
      <${I} summary=${d} open=${o}>
        <${Ge} label=${`Details of ${e.method} ${J(e.url,ta)}`} tabs=${cu(e)} />
      <//>
      <div class="interval" aria-hidden="true"><span style=${i}></span></div>
      <small class="number">Started after ${O(e.start_ms)} | Duration: ${O(e.duration_ms)} | ${qt(e.response_bytes??0)}</small>
    </li>
  `}function cu(e){let t=oa(`${e.method} ${e.url}`,e.request_headers,e.request_body),o={name:"Request",content:()=>s`<${q} key="request" value=${t} label="Request" />`};if(!oo(e.status)&&!oo(e.response_body))return[o];let n=oa(oo(e.status)?`HTTP ${e.status}`:"",e.response_headers??{},e.response_body);return[{name:"Response",content:()=>s`<${q} key="response" value=${n} label="Response" />`},o]}var uu=[{mode:"model",title:"Test a model"},{mode:"call",title:"Call a tool"}];function no({mode:e}){return oe()?s`
    <div class="row" role="group" aria-label="Kind of test">
      ${uu.map(t=>s`
          <button type="button" aria-pressed=${t.mode===e?"true":"false"} onClick=${()=>B("tools-testing",t.mode==="call"?{mode:"call"}:{})}>
            ${t.title}
          </button>
        `)}
    </div>
  `:null}var du={text:"",problem:"",calls:0,outcome:void 0},ro=e=>document.getElementById(e)?.focus();function ra({route:e}){let t=e.params.tool??"",o=Ve(),n=D(),{section:r,reveal:a}=Ee(n.busy),[i,l]=h(du),c=m=>l($=>({...$,...m})),d=o.data?.tools.find(m=>m.name===t),u=Yo(d);y(()=>{l(m=>({...m,text:u,problem:""}))},[u]);let f=()=>{if(n.busy)return;if(d===void 0)return ro(gt);let m=Ys(i.text);if(c({problem:m}),m!=="")return ro(Le);a();let $={tool:d.name,arguments:JSON.parse(i.text)};n.run(async v=>{let _=await w.callTool($,v);l(T=>({...T,outcome:_,calls:T.calls+1}))})};te([{keys:"/",label:"Write the arguments",run:()=>ro(Le)},{keys:"mod+Enter",label:"Call the tool",run:f},{keys:"Escape",label:"Cancel the call",run:n.cancel}]);let p=s`
    <${no} mode="call" />
    <${Zs}
      tools=${o}
      draft=${{tool:t,text:i.text}}
      problem=${i.problem}
      busy=${n.busy}
      onTool=${m=>B("tools-testing",{mode:"call",tool:m})}
      onText=${m=>c({text:m,problem:""})}
      onCall=${f}
      onCancel=${n.cancel}
    />
  `;return s`
    <${ie} title="Tool call" controls=${p} section=${r}>
      <${mu} task=${n} state=${i} waiting=${`Waiting for ${t}`} onRetry=${f} />
    <//>
  `}function mu({task:e,state:{outcome:t,calls:o},waiting:n,onRetry:r}){let a=e.busy||e.error!==void 0||e.cancelled;return s`
    <p class="hidden" role="status">${t&&!a&&Zo(t)}</p>
    ${e.busy&&s`<p><${A} label=${n} since=${e.since} /></p>`}
    ${e.cancelled&&s`<p class="notice">! Call cancelled. The tool may still complete it.</p>`}
    ${e.error&&s`<${x} error=${e.error} onRetry=${r} />`}
    ${t&&a&&s`<h2>Previous call</h2>`}
    ${t&&s`<${na} key=${o} outcome=${t} />`}
    ${!t&&!a&&s`<${fu} />`}
  `}function fu(){return s`<${pe} title="Call one tool without a model">
    <p>
      Select a tool, check the example arguments and call it. The result shows the requests that the tool sent and their
      responses without secrets, the result, and the text that a model would receive.
    </p>
    <p><button type="button" onClick=${()=>ro(gt)}>Select a tool</button></p>
  <//>`}function sa({models:e,value:t,onChange:o,label:n,id:r,problem:a=""}){let i=ee(),[l,c]=h(void 0),d=l??(e.error!==void 0&&e.data===void 0),u=oe(),f=e.data?.models.filter(m=>u||!m.operator_only)??[],p={id:r??i,value:t,required:!0,"aria-invalid":a?"true":void 0,"aria-describedby":`${i}-about`,onInput:m=>o(m.currentTarget.value.trim())};return s`
    <div class="model-picker stack">
      <div class="field">
        <div class="row spread">
          <label for=${p.id}>${n}</label>
          <button type="button" class="quiet" onClick=${()=>c(!d)}>
            ${d?"Choose from the list":"Enter the model id"}
          </button>
        </div>
        ${d?s`<${hu} ...${p} />`:s`<${_u} ...${p} models=${f} loading=${e.loading} />`}
      </div>
      <div id=${`${i}-about`} class="stack">
        ${a&&s`<p class="problem-text">✕ ${a}</p>`}
        <${gu} model=${f.find(m=>m.id===t)} />
      </div>
      <${pu} models=${e} />
    </div>
  `}function pu({models:{data:e,error:t,loading:o,reload:n}}){return o&&e===void 0?s`<${$u} />`:s`
    ${e?.errors.map(({llm:r,error:a})=>s`<p>! <code>${r}</code> did not list its models: ${a}</p>`)}
    ${t&&s`<p>! The models could not be listed: ${t.message}</p>
        <div class="row"><button type="button" onClick=${n}>Reload the models</button></div>`}
  `}function $u(){let[e]=h(()=>performance.now());return s`<${A} label="Loading models" since=${e} />`}function hu(e){return s`<input type="text" placeholder="llm:model" spellcheck=${!1} autocapitalize="off" ...${e} />`}function _u({models:e,loading:t,...o}){let n=Object.entries(Object.groupBy(e,a=>a.llm)),r=o.value!==""&&!e.some(a=>a.id===o.value);return s`<select ...${o}>
    <option value="">Select a model</option>
    ${r&&s`<option value=${o.value}>${o.value}${t?"":" · not listed"}</option>`}
    ${n.map(([a,i])=>s`
        <optgroup label=${a}>
          ${i?.map(l=>s`<option key=${l.id} value=${l.id}>${bu(l)}</option>`)}
        </optgroup>
      `)}
  </select>`}function bu({id:e,demo:t,validation:{badge:o,rate:n}}){return t?`${e} · demo${n?` ${he(n)}`:""}`:o?`${e} ${o.symbol} ${n?he(n):o.text}`:e}function gu({model:e}){if(e===void 0)return null;let{badge:t,last_tested:o}=e.validation,n=yu(e);return s`
    <p>
      <${We} validation=${e.validation} demo=${e.demo} />
      ${t&&s` <small>${t.tooltip}</small>`}${o&&s` <small>(<${V} at=${o} />)</small>`}
    </p>
    ${n&&s`<p class="notice">! ${n}</p>`}
  `}function yu({capabilities:e,validation:t,demo:o}){return o?"":e.includes("function-calling")?t.validated?"":`This model ${t.tested?"did not pass validation":"has not been tested with tools"}: check its results before you rely on it.`:"The provider does not list tool calling for this model: it may answer without tools."}var aa=[{title:"Simple tool call",query:"What's the weather in Paris?",expected:"One call of the weather tool with Paris as the location, and an answer based on its result."},{title:"Calculator",query:"Calculate 15% tip on $45",expected:"One call of the calculator, and the answer $6.75."},{title:"Direct answer",query:"What's 2+2?",expected:"The answer 4, with the calculator or directly. A direct answer is recorded as no tool call."},{title:"RAG tool",query:"Search for Python decorators in the docs",expected:"One call of the search tool, and an answer based on the results, or that there are none."}];var so="tt-model",Qe="tt-query",ia="Please enter a test query and select a model";function la({model:e,query:t,missing:o,busy:n,onChange:r,onRun:a,onCancel:i}){let l=je();return s`
    <form class="stack" noValidate onSubmit=${d=>{d.preventDefault(),a()}}>
      <${sa}
        models=${l}
        value=${e}
        label="Model"
        id=${so}
        problem=${o==="model"?ia:""}
        onChange=${d=>r({model:d})}
      />
      <div class="field">
        <label for=${Qe}>Query</label>
        <textarea
          id=${Qe}
          required
          maxlength="32000"
          placeholder="e.g., What's the weather in Paris?"
          value=${t}
          aria-invalid=${o==="query"?"true":void 0}
          aria-describedby=${o==="query"?"tt-missing":void 0}
          onInput=${d=>r({query:d.currentTarget.value})}
        ></textarea>
        ${o==="query"&&s`<p id="tt-missing" class="problem-text">✕ ${ia}</p>`}
      </div>
      <div class="tt-examples" role="group" aria-label="Example test queries">
        ${aa.map(d=>s`
            <button type="button" onClick=${()=>r({query:d.query})}>
              <strong>${d.title}</strong>
              <span>${d.query}</span>
              <small>Expected: ${d.expected}</small>
            </button>
          `)}
      </div>
      <${vu} busy=${n} onCancel=${i} />
      <small>Manual tests are recorded in the model's history and do not count for its validation.</small>
    </form>
  `}function vu({busy:e,onCancel:t}){let o=g(null),n=g(null),r=g(null);return se(()=>{let[a,i]=e?[o,n]:[n,o];r.current!==null&&r.current===a.current&&i.current?.focus({preventScroll:!0})},[e]),r.current=document.activeElement,s`
    <div class="row">
      <button ref=${o} type="submit" class="primary" disabled=${e}>
        ${e?"Testing...":"Run"}
      </button>
      <button ref=${n} type="button" disabled=${!e} onClick=${t}>Cancel</button>
      <small>${ne("mod+Enter")} runs, ${ne("Escape")} cancels</small>
    </div>
  `}var wu=300,Tu=2e3;function ua(e){let[t,o]=h(()=>ca(e)),n=g(en(t)),r=g(!1),a=en(ca(e));y(()=>{a!==n.current&&(n.current=a,o(JSON.parse(a)))},[a]);let i=E(d=>{let u=en(d);u!==n.current&&(n.current=u,B("tools-testing",JSON.parse(u),{replace:!r.current}),r.current=!1)},[]);y(()=>{let d=setTimeout(()=>i(t),wu);return()=>clearTimeout(d)},[t,i]);let l=E(d=>o(u=>({...u,...d})),[]);return[t,l,()=>{i(t),r.current=!0}]}function ca({params:e}){return{model:e.model??"",query:e.query??""}}function en({model:e,query:t}){return JSON.stringify({model:e,query:t.length>Tu?"":t})}function da(e,t){let{tone:o,sign:n}=$e(e);return o==="good"&&t.length>0?{tone:"warn",sign:"!"}:{tone:o,sign:n}}function ao(e){let{tool_calls:t,timings:o,usage:n}=e,r=o.steps.filter(i=>i.step==="model").length,a=t.filter(i=>"error"in i.result).length;return[`${$e(e).title} ${$e(e).tone==="good"?"in":"after"} ${O(o.total_ms)}`,b(r,"model call"),b(t.length,"tool")+(a>0?`, ${C(a)} failed`:""),b(n.total_tokens,"token"),...typeof n.cost_usd=="number"?[ce(n.cost_usd)]:[]].join(" · ")}function ma(e){let{error:t,fallback:o}=e,{reason:n}=$e(e);return[e.max_iterations_reached&&"Max iterations reached: the model requested more tool calls than allowed.",e.circular_calls_detected&&"Circular calls: the model repeated the same call and was stopped.",e.status==="complete"&&!e.max_iterations_reached&&!e.circular_calls_detected&&n,e.deadline_reached&&"Deadline reached: the model had to answer without more tool calls.",e.max_tool_calls_reached&&e.outcome!=="tool_call_limit"&&"Tool call limit reached: no more tool calls were allowed.",e.status==="partial"&&`Partial answer: ${t?`${t.provider} failed (${z(t.type)}): ${t.message}`:"the deadline was reached"}.`,o&&`Another model answered instead of ${o.instead_of}: ${z(o.reason)}.`].flatMap(a=>a?[a]:[])}var Su=300,ku=128,xu=20,Cu=4;function fa({calls:e}){let[t,o]=h(!1);if(e.length===0)return s`<section><h2>Tool calls (0)</h2><p>The model called no tool.</p></section>`;let n=t?e:e.slice(0,xu);return s`
    <section class="stack" aria-label="Tool calls">
      <h2>Tool calls (${C(e.length)})</h2>
      <ol class="tt-calls">
        ${n.map(r=>s`<${Eu} key=${`${r.iteration} ${r.call_id}`} call=${r} open=${e.length<=Cu} />`)}
      </ol>
      ${n.length<e.length&&s`<div><button type="button" onClick=${()=>o(!0)}>Show ${C(e.length-n.length)} more</button></div>`}
    </section>
  `}function Eu({call:e,open:t}){let o=De(void 0,e),[n,r]="error"in e.result?["Error",e.result]:["Result",e.result.result],a=s`<code>${J(e.tool,ku)}(${J(Ru(e),Su)})</code>
    <${S} tone=${o.tone}>${o.label}<//>`;return s`
    <li>
      <${I} summary=${a} open=${t}>
        <${q} value=${r} label=${n} />
      <//>
      <small class="number">Iteration: ${e.iteration} | Execution time: ${C(e.result.execution_time_ms)} ms</small>
    </li>
  `}function Ru({params:e}){return typeof e=="string"?e:JSON.stringify(e)}var Au=60,Ou=1e3,Mu=10,pa="No mock result for these arguments.",tn=e=>!("error"in e.result);function $a(e){return(e.normalize("NFKD").replaceAll(/\p{M}/gu,"").toLowerCase().match(/[a-z0-9]+/g)??[]).join("-").slice(0,Au).replace(/-$/,"")||"case"}function ha(e,t){if(e.length===0)return"irrelevance";let o=e.filter(tn);return o.length<e.length?"error_recovery":new Set(o.map(n=>n.iteration)).size>1?"multi_turn":o.length>1?new Set(o.map(n=>n.tool)).size>1?"parallel_choice":"parallel":t>1?"choice":"single"}function _a(e){let t=Map.groupBy(e.filter(tn),n=>n.iteration),o=Math.min(Mu,e.length-e.filter(tn).length);return t.size===0?e.length===0?{}:{any_call:!0,failed_calls:o}:{turns:[...t.values()].map(n=>({calls:n.map(({tool:r,params:a})=>({tool:r,arguments:Iu(a)}))})),...o>0&&{failed_calls:o}}}function Iu(e){return typeof e=="string"?{}:Object.fromEntries(Object.entries(e).map(([t,o])=>[t,[io(o)]]))}function io(e){return Array.isArray(e)?e.map(io):e===null||typeof e!="object"?e:Object.fromEntries(Object.entries(e).map(([t,o])=>[t,Array.isArray(o)?[io(o)]:io(o)]))}function ba(e,t){let o=t.filter(Lo);return e.map(({name:n,description:r,parameters:a})=>({name:n,description:r,parameters:a,implementation:Nu(o.filter(i=>i.tool===n))}))}function Nu(e){let t={type:"mock"},o=new Map;for(let{params:n,result:r}of e){if(typeof n=="string")continue;let a="error"in r?{error:Du(r.error)}:{response:r.result};Object.keys(n).length>0?o.set(JSON.stringify(n),{when:n,...a}):"response"in a&&(t.mock_response=a.response)}return o.size>0&&(t.answers=[...o.values()].sort(qu)),"mock_response"in t||(t.error=pa),t}function Du(e){return e.slice(0,Ou)||pa}function qu(e,t){return Object.keys(t.when??{}).length-Object.keys(e.when??{}).length}var Pu=["single","choice","parallel","parallel_choice","irrelevance","multi_turn","error_recovery","types","clarification"],Lu="my-cases",Hu=String.raw`[a-z0-9][a-z0-9_.\-]{0,63}`,Bu=String.raw`[a-zA-Z0-9][a-zA-Z0-9_.\-]{0,127}`;function ga({draft:e,task:t,onChange:o,onSave:n}){let r=ee(),i=ae(w.suites).data?.suites.filter(u=>!u.built_in)??[],l=Fu(e.expect),c=u=>({id:`${r}-${u}`,"aria-describedby":`${r}-${u}-hint`,value:e[u],onInput:f=>o({...e,[u]:f.currentTarget.value})});return s`
    <form class="stack" onSubmit=${u=>{u.preventDefault(),l===""&&!t.busy&&n(e)}}>
      <${yt} id=${`${r}-suite`} label="Suite" hint="One of your suites or a new name. Built-in suites are read-only.">
        <input type="text" list=${`${r}-suites`} required pattern=${Hu} title="lower-case letters, digits, _ . -" placeholder=${i[0]?.name??Lu} ...${c("suite")} />
        <datalist id=${`${r}-suites`}>
          ${i.map(({name:u,cases:f})=>s`<option value=${u}>${b(f,"case")}</option>`)}
        </datalist>
      <//>
      <${yt} id=${`${r}-id`} label="Case" hint="Unique id in the suite.">
        <input type="text" required pattern=${Bu} title="letters, digits, _ . -" ...${c("id")} />
      <//>
      <${yt} id=${`${r}-category`} label="Category" hint="Ability that the case tests.">
        <select ...${c("category")}>
          ${Pu.map(u=>s`<option value=${u}>${z(u)}</option>`)}
        </select>
      <//>
      <${yt} id=${`${r}-offer`} label="Offered tools" hint="Saved as mocks that return the results of this test.">
        <select ...${c("offer")}>
          <option value="all">all tools of this test</option>
          <option value="called">called tools only</option>
        </select>
      <//>
      <${yt} id=${`${r}-expect`} label="Expected calls" invalid=${l!==""} hint=${l?`✕ ${l}`:"JSON, from the calls of this test."}>
        <textarea class="mono tt-expect" spellcheck=${!1} aria-invalid=${l?"true":void 0} ...${c("expect")}></textarea>
      <//>
      ${t.error&&s`<${x} error=${t.error} />`}
      <div class="row">
        <button type="submit" class="primary" disabled=${t.busy||l!==""}>Save</button>
        ${t.busy&&s`<${A} label="Saving the case" since=${t.since} />`}
      </div>
    </form>
  `}function yt({id:e,label:t,hint:o,invalid:n=!1,children:r}){return s`<div class="field">
    <label for=${e}>${t}</label>
    ${r}
    <small id=${`${e}-hint`} class=${n?"problem-text":""}>${o}</small>
  </div>`}function Fu(e){try{return JSON.parse(e),""}catch(t){return`Not valid JSON: ${t instanceof Error?t.message:String(t)}`}}function wa(e,t,o){let n=new Map(e.tools.map(r=>[r.name,r]));for(let r of o){let a=n.get(r.name);n.set(r.name,a?Vu(a,Ta(r)):r)}return{...e,tools:[...n.values()],cases:[...e.cases,t]}}function Vu(e,t){let o=Ta(e),n=new Set(o.map(ya)),r=t.filter(i=>!n.has(ya(i)));if(r.length===0)return e;let a=[...o,...r].sort((i,l)=>va(l)-va(i));return{...e,implementation:{...e.implementation,answers:a}}}function Ta({implementation:e}){let t=e.answers;return Array.isArray(t)?t:[]}function Sa(e){return e===null||typeof e!="object"||Array.isArray(e)?[]:Object.entries(e.when??{}).sort(([t],[o])=>t<o?-1:1)}function ya(e){return JSON.stringify(Sa(e))}function va(e){return Sa(e).length}var ju=20;function ka({request:e,answer:t,tools:o}){let[n,r]=h(!1),[a,i]=h(void 0),[l,c]=h(""),d=D(),u=()=>{i(p=>p??Uu(e,t,o)),c(""),r(!0)},f=p=>d.run(async m=>{let $=await Gu(p.suite,m),{added:v,mocks:_}=Wu(p,e,t,o),T=wa($,v,_);await w.putSuite(p.suite,T),c(`saved as ${p.id} in ${p.suite} ✓`),r(!1)});return s`
    <button type="button" onClick=${u} disabled=${o.length===0}>Save as validation case</button>
    <span role="status">${l}</span>
    <${Fe} title="Save as validation case" open=${n} onClose=${()=>r(!1)}>
      ${a&&s`<${ga} draft=${a} task=${d} onChange=${i} onSave=${f} />`}
    <//>
  `}function Uu({query:e},{tool_calls:t},o){let n=o.length<=ju||t.length===0?"all":"called",r=n==="all"?o.length:xa(o,t).length;return{suite:"",id:$a(e),category:ha(t,r),offer:n,expect:JSON.stringify(_a(t),null,2)}}function xa(e,t){return e.filter(o=>t.some(n=>n.tool===o.name))}function Wu(e,t,{tool_calls:o},n){let r=ba(e.offer==="all"?n:xa(n,o),o);return{added:{id:e.id,category:e.category,description:`Recorded from ${t.model}.`,message:t.query,tools:r.map(i=>i.name),expect:JSON.parse(e.expect)},mocks:r}}async function Gu(e,t){try{return await w.suite(e,t)}catch(o){if(!(o instanceof Q)||o.status!==404)throw o;return{name:e,description:"Cases saved from tool tests.",tools:[],cases:[]}}}var Ku=300;function Ca({request:e,answer:t,tools:o}){let[n,r]=h(-1),a=oe(),i=ma(t),{tone:l,sign:c}=da(t,i),d=yr(t.timings,t.tool_calls,n);return s`
    <div class="stack">
      <p class="tt-status">
        <${S} tone=${l} sign=${c}>${ao(t)}<//>
        ${t.demo&&s` <${F} />`}
      </p>
      <p class="tt-query">${J(e.query,Ku)}</p>
      <${zu} answer=${t} />
      ${i.map(u=>s`<p class="notice"><span aria-hidden="true">⚠️</span> ${u}</p>`)}
    </div>
    <section class="stack" aria-label="Waterfall">
      <h2>Steps</h2>
      <${Ft} timings=${t.timings} calls=${t.tool_calls} selected=${n} onSelect=${r} />
      ${d?s`<${mt} step=${d.step} call=${d.call} />`:s`<small>Select a step for details, or move with the arrow keys.</small>`}
    </section>
    <section class="stack" aria-label="Final response">
      <h2>Final response</h2>
      ${t.content.trim()===""?s`<p>The answer is empty.</p>`:s`<div class="tt-answer"><${q} value=${t.content} label="Final response" /></div>`}
      <div class="row">
        <${Y} text=${()=>to(new URL("api/tools/test",ge).href,{...e})} label="Copy as curl" />
        ${a&&s`<${ka} request=${e} answer=${t} tools=${o} />`}
      </div>
    </section>
    <${fa} calls=${t.tool_calls} />
  `}function zu({answer:e}){return s`
    <div class="row tt-facts">
      <span>Model: <strong>${e.model}</strong>${e.demo&&s` <${F} />`}</span>
      <span>Service: <strong>${e.service}</strong></span>
      <span>Finish reason: <strong>${z(e.finish_reason)}</strong></span>
      <span>Request: <code>${e.request_id}</code> <${Y} text=${e.request_id} label="Copy request id" /></span>
    </div>
  `}var Ju=12,Xu=matchMedia("(width >= 800px)");function Ea({tools:e}){let[t,o]=h(Xu.matches),n=e.data&&e.data.tools.length+Ra(e.data).length;return s`
    <section aria-label="Available tools">
      <details class="collapsible" open=${t} onToggle=${r=>o(r.currentTarget.open)}>
        <summary><h2 class="tt-inline">Available tools ${n!==void 0&&s`<small>${C(n)}</small>`}</h2></summary>
        ${e.error&&s`<${x} error=${e.error} onRetry=${e.reload} />`}
        ${!e.data&&e.loading&&s`<${H} lines=${6} label="the tools" />`}
        ${t&&e.data&&s`<${Qu} list=${e.data} />`}
      </details>
    </section>
  `}function Ra(e){return e.disabled.filter(t=>t.kind==="tool")}function Qu({list:e}){let[t,o]=h(""),n=Ra(e),r=e.tools.length+n.length;if(r===0)return s`<p>No tools are configured.</p>`;let a=t.trim().toLowerCase(),i=e.tools.filter(({name:c,description:d})=>`${c} ${d}`.toLowerCase().includes(a)),l=n.filter(({name:c})=>c.toLowerCase().includes(a));return s`
    ${r>Ju&&s`<label class="field tt-filter">
        Filter
        <input type="search" value=${t} onInput=${c=>o(c.currentTarget.value)} />
        <small role="status">${a&&`${C(i.length+l.length)} of ${C(r)} shown`}</small>
      </label>`}
    <ul class="tool-cards">
      ${l.map(c=>s`<${Qt} key=${`disabled ${c.name}`} tool=${c} />`)}
      ${i.map(c=>s`<${Xt} key=${c.name} tool=${c} />`)}
    </ul>
  `}var Yu={missing:"",runs:0,request:void 0,answer:void 0},on=e=>document.getElementById(e)?.focus();function Aa({route:e}){return oe()&&e.params.mode==="call"?s`<${ra} route=${e} />`:s`<${Zu} route=${e} />`}function Zu({route:e}){let[t,o,n]=ua(e),[r,a]=h(Yu),i=Ve(),l=D(),{section:c,reveal:d}=Ee(l.busy),u=$=>a(v=>({...v,...$})),f=()=>{if(l.busy)return;let $=td(t);if(u({missing:$}),$!=="")return on($==="model"?so:Qe);n(),d();let v={...t};l.run(async _=>{let T=await w.testTools(v,_);a(k=>({...k,request:v,answer:T,runs:k.runs+1})),zn()})},p=$=>{o($),u({missing:""})};te([{keys:"/",label:"Write the query",run:()=>on(Qe)},{keys:"mod+Enter",label:"Run the test",run:f},{keys:"Escape",label:"Cancel the test",run:l.cancel}]);let m=s`
    <${no} mode="model" />
    <${la} ...${t} missing=${r.missing} busy=${l.busy} onChange=${p} onRun=${f} onCancel=${l.cancel} />
    <${Ea} tools=${i} />
  `;return s`
    <${ie} title="Tool testing" controls=${m} section=${c}>
      <p class="hidden" role="status">${ed(l,r)}</p>
      ${l.busy&&s`<p><${A} label=${`Waiting for ${t.model}`} since=${l.since} /></p>`}
      ${l.cancelled&&s`<p class="notice">! Test cancelled. The model may still complete its request, which costs tokens.</p>`}
      ${l.error&&s`<${x} error=${l.error} onRetry=${f} />`}
      ${r.answer&&(l.busy||l.error||l.cancelled)&&s`<h2>Previous test</h2>`}
      ${r.answer&&r.request&&s`<${Ca} key=${r.runs} request=${r.request} answer=${r.answer} tools=${i.data?.tools??[]} />`}
      ${!r.answer&&!l.busy&&!l.error&&s`<${od} hasModel=${t.model!==""} />`}
    <//>
  `}function ed(e,{answer:t}){return e.busy||e.error?"":e.cancelled?"Test cancelled":t&&ao(t)}function td({model:e,query:t}){return e===""?"model":t.trim()===""?"query":""}function od({hasModel:e}){return s`<${pe} title="Test a model with the tools">
    <p>
      Select a model, enter a query or pick an example, and run it. The result shows every model and tool call on one time
      axis, with arguments, results and cost.
    </p>
    <p>
      <button type="button" onClick=${()=>on(e?Qe:so)}>
        ${e?"Enter a query":"Select a model"}
      </button>
    </p>
  <//>`}var Se=[{name:"single",title:"Single call",description:"one tool is offered and must be called once"},{name:"choice",title:"Tool choice",description:"several tools are offered and one must be called"},{name:"parallel",title:"Parallel calls",description:"one tool must be called several times"},{name:"parallel_choice",title:"Parallel tools",description:"several tools must be called"},{name:"irrelevance",title:"Irrelevance",description:"no tool fits and none may be called"},{name:"multi_turn",title:"Multi-turn",description:"a call needs the result of the previous one"},{name:"error_recovery",title:"Error recovery",description:"a call fails and must be corrected"},{name:"types",title:"Typed values",description:"arguments must match the types of the schema"},{name:"clarification",title:"Clarification",description:"a value is missing and the model must ask for it"}];function lo(e){return Se.find(t=>t.name===e)?.title??e}var Oa=8;function Ma({modelChoices:e,chosen:t,onChosen:o,loaded:n,first:r}){let[a,i]=h(""),l=X(()=>performance.now(),[]),c=e.filter(({id:u})=>t.includes(u)||u.toLowerCase().includes(a.toLowerCase())),d=u=>o(t.includes(u)?t.filter(f=>f!==u):[...t,u]);return s`
    <fieldset class="val-models">
      <legend>Models${t.length>0&&` (${t.length} ticked)`}</legend>
      ${e.length>Oa&&s`<input
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
              <input ref=${m===0&&e.length<=Oa?r:void 0} type="checkbox" checked=${t.includes(u)} onChange=${()=>d(u)} />
              <span>${u} ${f&&s`<small><${We} validation=${f} demo=${p} /></small>`}</span>
            </label>
          `)}
        ${c.length===0&&e.length>0&&s`<small>No models match.</small>`}
        ${e.length===0&&!n.loading&&s`<small>No models with tool calling are configured.</small>`}
      </div>
      ${n.loading&&!n.data&&s`<${A} label="Loading models" since=${l} />`}
      ${n.error&&s`<p class="problem-text">The models could not be listed: ${n.error.message} <button type="button" onClick=${n.reload}>Try again</button></p>`}
      ${n.data&&n.data.errors.length>0&&s`<div class="notice">
          ${b(n.data.errors.length,"provider")} did not list its models:
          <ul>${n.data.errors.map(({llm:u,error:f})=>s`<li><code>${u}</code> ${f}</li>`)}</ul>
        </div>`}
    </fieldset>
  `}var nd={rate:(e,t)=>(t.rate?.rate??-1)-(e.rate?.rate??-1)||(t.rate?.low??0)-(e.rate?.low??0),name:()=>0,tested:(e,t)=>(t.last_tested??"").localeCompare(e.last_tested??"")};function Ia(e){return e==="name"||e==="tested"?e:"rate"}function Na(e,t){return[...e].sort((o,n)=>nd[t](o,n)||o.model_id.localeCompare(n.model_id,"en"))}function Da(e,t){return e.includes(t)?e.filter(o=>o!==t):[...e,t].slice(-2)}function Ye(e){return(e??"").split(" ").filter(t=>t!=="")}function vt(e){return e.filter(t=>t.capabilities.includes("function-calling"))}function qa(e,t){let o=new Set(t.filter(n=>n.tested).map(n=>n.model_id));return vt(e).filter(n=>!o.has(n.id))}var rd=2e4;function Pa(e){return{models:Ye(e.models),suite:e.suite??"default",repeats:Number(e.repeats??1),stop_early:e.early!=="no",budget:{calls:nn(e.calls),tokens:nn(e.tokens),usd:nn(e.usd)}}}function nn(e){return e===void 0?null:Number(e)}function La(e,t,o){let n=new Map;for(let{id:r,demo:a,validation:i}of vt(e))n.set(r,{id:r,demo:a??!1,validation:i});for(let r of t){let{model_id:a,demo:i}=r;n.has(a)||n.set(a,{id:a,demo:i??!1,validation:r})}for(let r of o)n.has(r)||n.set(r,{id:r,demo:!1,validation:void 0});return[...n.values()]}function Ha(e,t){let o=e.models.length;if(o===0)return{ready:!1,text:"Select the models to validate."};if(t===void 0)return{ready:!0,text:b(o,"model")};let n=t.cases*o*e.repeats,r=e.repeats>1?` × ${b(e.repeats,"repeat")}`:"",a=`${b(t.cases,"case")} × ${b(o,"model")}${r}`;return n>rd?{ready:!1,text:`${a} = ${b(n,"chat")}: the maximum is 20,000.`}:{ready:!0,text:`at most ${b(Math.min(n,e.budget.calls??n),"chat")}: ${a}`}}var rn="val-form";function Ba({params:e,change:t,suites:o,models:n,statuses:r,onStarted:a}){let i=g(null),l=g(null),c=D(),d=Pa(e),u=o.data?.suites.find(({name:m})=>m===d.suite),f=Ha(d,u),p=m=>{m.preventDefault(),!(!f.ready||c.busy)&&c.run(async $=>{let v=await w.startValidation(d);$.aborted||a(v)})};return te([{keys:"/",label:"Select models",run:()=>l.current?.focus()},{keys:"mod+Enter",label:"Start the run",run:()=>i.current?.requestSubmit()}]),s`
    <form class="stack" ref=${i} onSubmit=${p}>
      <h2 id=${rn} tabindex="-1">New run</h2>
      <label class="field">
        Suite
        <select value=${d.suite} onChange=${m=>t({suite:m.currentTarget.value})}>
          ${sd(o.data?.suites??[],d.suite).map(m=>s`<option value=${m} selected=${m===d.suite}>${m}</option>`)}
        </select>
      </label>
      ${u&&s`<${ad} suite=${u} />`}
      ${o.error&&s`<${x} error=${o.error} onRetry=${o.reload} />`}
      <${Ma}
        modelChoices=${La(n.data?.models??[],r,d.models)}
        chosen=${d.models}
        onChosen=${m=>t({models:m.join(" ")})}
        loaded=${n}
        first=${l}
      />
      <${co} name="repeats" label="Repeats per case" empty="1" max="100" step="1" params=${e} change=${t} />
      <label class="check">
        <input type="checkbox" checked=${d.stop_early} onChange=${()=>t({early:d.stop_early?"no":""})} />
        Stop early
      </label>
      <small>
        ${d.stop_early?"Testing of a model stops once its result is certain, for a good model after about 17 of 75 cases.":"All cases run, for rates by category and for comparisons."}
      </small>
      <${I} summary="Budget" open=${["calls","tokens","usd"].some(m=>m in e)}>
        <small>The run stops at the first limit reached.</small>
        <${co} name="calls" label="Chats" empty="no limit" step="1" params=${e} change=${t} />
        <${co} name="tokens" label="Tokens" empty="no limit" step="1" params=${e} change=${t} />
        <${co} name="usd" label="US dollars" empty="no limit" step="any" min="0.000001" params=${e} change=${t} />
      <//>
      <p id="val-estimate">${f.text}</p>
      <div class="row">
        <button type="submit" class="primary" disabled=${!f.ready||c.busy} aria-describedby="val-estimate">Start</button>
        ${c.busy&&s`<${A} label="Starting the run" since=${c.since} />`}
      </div>
      ${c.error&&s`<${x} error=${c.error} onRetry=${()=>i.current?.requestSubmit()} />`}
    </form>
  `}function sd(e,t){return[...new Set([...e.map(({name:o})=>o),t])]}function ad({suite:e}){let t=e.built_in?"built in":"custom",o=`${b(e.cases,"case")}, ${t}`;return s`<${I} summary=${o}>
    ${e.description&&s`<p>${e.description}</p>`}
    <ul>
      ${Object.entries(e.categories).map(([n,r])=>s`<li>${lo(n)}: ${r}</li>`)}
    </ul>
  <//>`}function co({name:e,label:t,empty:o,min:n="1",max:r,step:a,params:i,change:l}){return s`<label class="field">
    ${t}
    <input
      type="number"
      min=${n}
      max=${r}
      step=${a}
      placeholder=${o}
      value=${i[e]??""}
      onInput=${c=>l({[e]:c.currentTarget.value})}
    />
  </label>`}function Ze({title:e,focus:t=!1,reveal:o=!1,onClose:n,children:r}){let a=g(null),i=ee();return y(()=>{t&&a.current?.focus()},[e,t]),y(()=>{o&&a.current?.scrollIntoView({block:"nearest"})},[o]),s`
    <section class="val-panel stack" aria-labelledby=${i}>
      <div class="row spread">
        <h2 id=${i} ref=${a} tabindex="-1">${e}</h2>
        <button type="button" class="quiet" onClick=${n}>Close</button>
      </div>
      ${r}
    </section>
  `}function Va(e){return e.low>=.8?"proven":e.high<.8?"failing":"undecided"}function an(e,t){let o=e.rate-t.rate;return{value:o,low:Math.max(-1,o-Math.hypot(e.rate-e.low,t.high-t.rate)),high:Math.min(1,o+Math.hypot(e.high-e.rate,t.rate-t.low))}}function ln({low:e,high:t}){return e>0?"a":t<0?"b":"neither"}function ja(e,t,o){let n=ln(e);return n==="a"?`${t} is better by ${Fa(e.value,e.low,e.high)}`:n==="b"?`${o} is better by ${Fa(-e.value,-e.high,-e.low)}`:"No significant difference"}function Ua({value:e,low:t,high:o}){return`${sn(e)} (${sn(t)} to ${sn(o)})`}function Fa(e,t,o){return`${uo(e)} points (${uo(t)} to ${uo(o)})`}function sn(e){let t=uo(Math.abs(e));return t==="0"?t:`${e<0?"−":"+"}${t}`}function uo(e){let t=e*100;return t>0&&t<1?t.toFixed(1):String(Math.round(t))}function Ga({a:e,b:t,onClose:o}){let n={a:e.model_id,b:t.model_id};return s`
    <${Ze} title=${`${e.model_id} and ${t.model_id}`} onClose=${o}>
      <p role="status"><strong>${id(e,t)}</strong></p>
      ${(e.demo||t.demo)&&s`<p class="notice">! The demo model follows fixed rules: this difference is no evidence about real models.</p>`}
      <div class="scroll" tabindex="0" role="region" aria-label="Difference by category">
        <table class="val-comparison">
          <caption class="hidden">Difference by category, with 95 % interval</caption>
          <thead>
            <tr>
              <th scope="col">Category</th>
              <th scope="col" class="number">${e.model_id}${e.demo&&s` <${F} />`}</th>
              <th scope="col" class="number">${t.model_id}${t.demo&&s` <${F} />`}</th>
              <th scope="col" class="number">Points</th>
              <th scope="col">Result</th>
            </tr>
          </thead>
          <tbody>
            <${Wa} title="All" a=${e.rate} b=${t.rate} names=${n} />
            ${Se.map(({name:r,title:a})=>s`<${Wa} title=${a} a=${e.categories?.[r]} b=${t.categories?.[r]} names=${n} />`)}
          </tbody>
        </table>
      </div>
      <small>
        Differences in percentage points with Newcombe's 95 % interval. If the interval contains 0, the difference is not
        significant; a single category rarely has enough tests.
      </small>
    <//>
  `}function id(e,t){return!e.rate||!t.rate?"Only one of the models was tested.":`${ja(an(e.rate,t.rate),e.model_id,t.model_id)}.`}function Wa({title:e,a:t,b:o,names:n}){let r=t&&o?an(t,o):void 0;return s`
    <tr>
      <th scope="row">${e}</th>
      <td class="number">${t?he(t):"–"}</td>
      <td class="number">${o?he(o):"–"}</td>
      <td class="number">${r?Ua(r):"–"}</td>
      <td>${r?ld(r,n):"not tested by both"}</td>
    </tr>
  `}function ld(e,t){let o=ln(e);return o==="neither"?"not significant":`${t[o]} is better`}var wt=72,cn=20,mo=3,cd=864e5,ud=new Intl.DateTimeFormat("en-GB",{day:"numeric",month:"short",timeZone:"UTC"});function za(e){return Math.round(e*10)/10}function un(e){return za(mo+(1-e)*(cn-2*mo))}function dd(e){let t=e.map(({day:r})=>Date.parse(r)),o=t[0]??0,n=Math.max(cd,(t.at(-1)??0)-o);return e.map(({tests:r,successes:a},i)=>({x:e.length===1?wt/2:za(mo+((t[i]??0)-o)/n*(wt-2*mo)),y:un(a/r)}))}function md(e){return e.map(({day:t,tests:o,successes:n})=>`${ud.format(new Date(t))} ${Ue(n/o)} of ${o}`).join(", ")}function Ja({days:e}){let t=dd(e),o=`Rate by day: ${md(e)}`;return s`
    <svg class="val-trend" viewBox=${`0 0 ${wt} ${cn}`} width=${wt} height=${cn} role="img" aria-label=${o}>
      <title>${o}</title>
      <line x1="0" x2=${wt} y1=${un(.8)} y2=${un(.8)} />
      <polyline points=${t.map(({x:n,y:r})=>`${n},${r}`).join(" ")} />
      ${t.slice(-1).map(({x:n,y:r})=>s`<circle cx=${n} cy=${r} r="2.5" />`)}
    </svg>
  `}var fd={proven:"✓",failing:"✕",undecided:""};function Xa({statuses:e,order:t,onOrder:o,ticked:n,onTick:r,open:a,onOpen:i}){let l=(c,d,u)=>s`
    <th scope="col" aria-sort=${t===c?u:void 0}>
      <button type="button" class="quiet val-sort" onClick=${()=>o(c)}>
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
            ${Se.map(({title:c,description:d})=>s`<th scope="col" class="val-category" title=${d}>${c}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${Na(e,t).map(c=>s`
              <${pd}
                key=${c.model_id}
                status=${c}
                ticked=${n.includes(c.model_id)}
                onTick=${r}
                open=${a?.model===c.model_id?a.category:void 0}
                onOpen=${i}
              />
            `)}
        </tbody>
      </table>
    </div>
    <${I} summary="Legend">
      <p>
        The number is the share of passed tests. The bar is the 95 % interval that is likely to contain the model's true rate.
      </p>
      <ul>
        <li><b>✓</b> proven: the whole interval is at or above 80 %, at the earliest after 16 of 16 tests</li>
        <li><b>✕</b> failing: the whole interval is below 80 %</li>
        <li><b>demo</b>: demo model, no evidence about a real model</li>
        <li>outlined: undecided, the interval contains 80 %; more tests are needed</li>
      </ul>
      <ul>${Se.map(({title:c,description:d})=>s`<li><b>${c}</b>: ${d}</li>`)}</ul>
    <//>
  `}function pd({status:e,ticked:t,onTick:o,open:n,onOpen:r}){let{model_id:a,badge:i,demo:l}=e;return s`
    <tr>
      <th scope="row" class="val-model">
        <div class="val-name">
          <input type="checkbox" aria-label=${`Compare ${a}`} checked=${t} onChange=${()=>o(a)} />
          <button
            type="button"
            class="quiet"
            aria-pressed=${n===""}
            title="Show all verdicts"
            onClick=${()=>r({model:a,category:""})}
          >${a}</button>
        </div>
        ${l&&s`<${F} />`}
        ${i&&!l&&s`<small class="badge" title=${i.tooltip}><span aria-hidden="true">${i.symbol}</span> ${i.text}</small>`}
      </th>
      <td>${e.rate&&s`<${Ht} rate=${e.rate} />`}</td>
      <td>
        ${(e.trend?.length??0)>0&&s`<${Ja} days=${e.trend} />`}
        ${e.last_tested&&s`<div><small><${V} at=${e.last_tested} /></small></div>`}
      </td>
      ${Se.map(c=>s`
          <td class="val-rate-cell">
            <${$d}
              rate=${e.categories?.[c.name]}
              demo=${l??!1}
              label=${`${c.title}, ${a}`}
              open=${n===c.name}
              onOpen=${()=>r({model:a,category:c.name})}
            />
          </td>
        `)}
    </tr>
  `}function $d({rate:e,demo:t,label:o,open:n,onOpen:r}){if(!e)return s`<span class="val-untested" title="not tested">–<span class="hidden"> not tested</span></span>`;let a=Va(e),i={left:`${e.low*100}%`,width:`${Math.max(1,(e.high-e.low)*100)}%`},l=`${Math.round(e.low*100)} to ${Math.round(e.high*100)} %`;return s`
    <button
      type="button"
      class="val-cell"
      data-state=${t?"demo":a}
      aria-pressed=${n}
      title=${`${e.successes} of ${e.tests} passed, ${l}, ${t?"demo model":a}`}
      onClick=${r}
    >
      <span class="number">${Ue(e.rate)}</span>
      <small class="number"><span aria-hidden="true">${t?"":fd[a]}</span>${" "}n ${e.tests}</small>
      <span class="interval" aria-hidden="true"><span style=${i}></span><i style=${{left:`${e.rate*100}%`}}></i></span>
      <span class="hidden">${o}, ${l}, ${t?"demo model":a}</span>
    </button>
  `}function et(e,t=[]){let o=G(),n=g(e);n.current=e;let r=D(),{run:a}=r,[i,l]=h(Qa()),c=JSON.stringify(t),d=E(()=>{a(async f=>{let p=await n.current(void 0,f);l({items:p.items,cursor:p.cursor??void 0,isLoaded:!0})})},[a]);y(()=>{l(Qa()),d()},[c,o,d]);let u=()=>{a(async f=>{let p=await n.current(i.cursor,f);l(m=>({items:[...m.items,...p.items],cursor:p.cursor??void 0,isLoaded:!0}))})};return{items:i.items,isLoaded:i.isLoaded,more:i.cursor!==void 0,next:i.isLoaded?u:d,restart:d,task:r}}function Qa(){return{items:[],cursor:void 0,isLoaded:!1}}function Ya(e,t){return t.models.flatMap(({model:o,done:n})=>{let r=e?.models.find(a=>a.model===o)?.done??0;return n>r?[{model:o,limit:Math.min(100,n-r+10)}]:[]})}function dn({run:e,model:t,case:o,repeat:n,request_id:r}){return`${e} ${t} ${o} ${n} ${r}`}function mn({result:e}){return e!=="skipped"}function Za(e,t,o){return[...new Map([...e,...t.filter(r=>r.run===o&&mn(r))].map(r=>[dn(r),r])).values()].sort((r,a)=>a.at.localeCompare(r.at)).slice(0,100)}var hd={passed:{tone:"good",text:"passed"},failed:{tone:"bad",text:"failed"},error:{tone:"warn",text:"error, not counted"},skipped:{tone:"plain",text:"skipped"},no_tool_call:{tone:"plain",text:"no tool call, not counted"}},_d=10,bd=5,ei=100,fn=200,gd=50,yd=56;function pn({verdicts:e,label:t,models:o=!1}){let n=e.length>fn?gd:fn;return Array.from({length:Math.ceil(e.length/n)},(a,i)=>i*n).map(a=>{let i=e.slice(a,a+n);return s`<ul
      key=${a}
      class="val-verdicts"
      aria-label=${a===0?t:`${t}, from ${a+1}`}
      style=${e.length>fn?{contentVisibility:"auto",containIntrinsicSize:`auto ${i.length*yd}px`}:{}}
    >
      ${i.map(l=>s`<${vd} key=${dn(l)} verdict=${l} models=${o} />`)}
    </ul>`})}function vd({verdict:e,models:t}){let{tone:o,text:n}=hd[e.result];return s`
    <li>
      <div class="row">
        <${S} tone=${o}>${n}<//>
        <strong>${e.case}${e.repeat>1&&` #${e.repeat}`}</strong>
        ${t&&s`<span>${e.model}</span>`}
        ${e.category&&s`<${K}>${lo(e.category)}<//>`}
        ${e.counted===!1&&s`<${K}>manual, not counted<//>`}
        <small class="row val-facts">
          <${V} at=${e.at} />
          <span class="number">${O(e.latency_ms)}</span>
          <span class="number">${b(e.tokens,"token")}</span>
          ${typeof e.cost_usd=="number"&&s`<span class="number">${ce(e.cost_usd)}</span>`}
          ${e.request_id&&s`<${Y} text=${e.request_id} label="Copy request id" />`}
        </small>
      </div>
      ${e.reasons.length>0&&s`<ul class="val-reasons">${e.reasons.map(r=>s`<li>${r}</li>`)}</ul>`}
    </li>
  `}function fo({pages:e,label:t,models:o=!1,filter:n,failedOnly:r,onFailedOnly:a}){let{items:i,isLoaded:l,more:c,next:d,task:u}=e,f=i.filter(m=>mn(m)&&n(m)&&!(r&&m.result==="passed")),p=l&&c&&!u.busy&&!u.error&&f.length<_d&&i.length<bd*ei;return y(()=>{p&&d()}),u.error&&!l?s`<${x} error=${u.error} onRetry=${d} />`:l?s`
    <div class="row spread">
      <span role="status">${C(f.length)} of ${b(i.length,"loaded verdict")}${c?", more available":""}</span>
      <label class="check">
        <input type="checkbox" checked=${r} onChange=${()=>a(!r)} />
        Hide passed
      </label>
    </div>
    ${f.length===0&&!c&&s`<p>None.</p>`}
    <${pn} verdicts=${f} label=${t} models=${o} />
    <${wd} pages=${e} />
  `:s`<${H} lines=${6} label=${t} />`}function wd({pages:{more:e,next:t,task:o}}){return o.error?s`<${x} error=${o.error} onRetry=${t} />`:o.busy?s`<${A} label="Loading verdicts" since=${o.since} />`:e&&s`<div><button type="button" onClick=${t}>Load ${ei} more</button></div>`}var Td=100;function ti({model:e,category:t,status:o,focus:n,onClose:r}){let[a,i]=h(!1),l=Se.find(u=>u.name===t),c=et(async(u,f)=>{let{records:p,cursor:m}=await w.history(e,{limit:Td,cursor:u,signal:f});return{items:p,cursor:m}},[e]);te([{keys:"Escape",label:"Close the verdicts",run:r}]);let d=l?o?.categories?.[l.name]:o?.rate;return s`
    <${Ze} title=${`${l?l.title:"All verdicts"} · ${e}`} focus=${n} onClose=${r}>
      ${l&&s`<p>Tests: ${l.description}.</p>`}
      ${o?.demo&&s`<p class="notice">! Verdicts of the demo model are no evidence about a real model.</p>`}
      ${d&&s`<p>${d.successes} of ${b(d.tests,"test")} passed, ${he(d)}.</p>`}
      ${!l&&o&&s`<${Sd} status=${o} />`}
      <${fo}
        pages=${c}
        label=${`Verdicts of ${e}`}
        filter=${u=>!l||u.category===l.name}
        failedOnly=${a}
        onFailedOnly=${i}
      />
    <//>
  `}function Sd({status:e}){let t=[typeof e.latency_ms=="number"&&O(e.latency_ms),typeof e.tokens=="number"&&b(Math.round(e.tokens),"token"),typeof e.cost_usd=="number"&&ce(e.cost_usd)].filter(Boolean),{by_hand:o}=e,n=[(e.errors??0)>0&&b(e.errors??0,"error"),(e.no_tool_calls??0)>0&&`${b(e.no_tool_calls??0,"plain test")} without a tool call`,o&&`${b(o.tests+o.errors+o.no_tool_calls,"test")} run manually`].filter(Boolean);return s`<p>
    ${t.length>0&&`Average per case: ${t.join(", ")}.`}
    ${n.length>0&&` Not counted: ${n.join(", ")}.`}
  </p>`}var kd=12;function oi({models:e,first:t,onFill:o}){return s`
    <${pe} title="No results yet">
      <p>
        Providers list tool calling for most models. Validation tests it: a run sends a suite of cases to a model and grades
        whether it calls the right tools with the right arguments.
      </p>
      ${t&&o&&s`<button type="button" onClick=${()=>o(t)}>Validate ${t}</button>`}
      ${!t&&e.loading&&s`<p>Loading models.</p>`}
      ${!t&&!e.loading&&s`<p>No models with tool calling are configured.</p>`}
    <//>
  `}function ni({models:e,onFill:t}){if(e.length===0)return null;let o=e.slice(0,kd).map(({id:r})=>r),n=e.length-o.length;return s`
    <div class="notice">
      <span aria-hidden="true">🔧⚠️</span> ${b(e.length,"model")} not tested yet.
      <div class="row">
        ${o.map(r=>s`<button type="button" class="quiet" title=${`Select ${r} in the form`} onClick=${()=>t(r)}>${r}</button>`)}
        ${n>0&&`and ${n} more`}
      </div>
    </div>
  `}function ri({params:e,change:t,statuses:o,rows:n,models:r,onFill:a}){let i=g(null),l=r.data?.models??[],{model:c,category:d="",run:u}=e,f=m=>{i.current=document.activeElement,t(m,{replace:!1})},p=()=>{t({model:"",category:""},{replace:!1}),i.current instanceof HTMLElement&&i.current.focus(),i.current=null};return s`
    ${o.error&&s`<${x} error=${o.error} onRetry=${o.reload} />`}
    ${!o.data&&!o.error&&s`<${H} lines=${6} label="the results" />`}
    ${o.data&&n.length===0&&!u&&s`<${oi} models=${r} first=${vt(l)[0]?.id} onFill=${a} />`}
    ${n.length>0&&s`
        <h2>Results</h2>
        <${Xa}
          statuses=${n}
          order=${Ia(e.sort)}
          onOrder=${m=>t({sort:m})}
          ticked=${Ye(e.compare)}
          onTick=${m=>t({compare:Da(Ye(e.compare),m).join(" ")})}
          open=${c&&{model:c,category:d}}
          onOpen=${f}
        />
        <${xd} names=${Ye(e.compare)} rows=${n} onClose=${()=>t({compare:""})} />
        ${a&&s`<${ni} models=${qa(l,n)} onFill=${a} />`}
      `}
    ${c&&s`<${ti}
        model=${c}
        category=${d}
        status=${n.find(m=>m.model_id===c)}
        focus=${i.current!==null}
        onClose=${p}
      />`}
  `}function xd({names:e,rows:t,onClose:o}){let[n,r]=e.map(a=>t.find(i=>i.model_id===a));return n&&r?s`<${Ga} a=${n} b=${r} onClose=${o} />`:e.length===1&&s`<p role="status">Select another model to compare with ${e[0]}.</p>`}var Cd=[1e3,1500,2e3,3e3],Ed=3e3;function _e({status:e}){return e!=="queued"&&e!=="running"}function si(e,t){let o=G(),n=g(t);n.current=t;let[r,a]=h(0),[i,l]=h(Rd),c=g(void 0);return y(()=>{let d=new AbortController,{signal:u}=d,f=0,p=0,m=!1,$=async()=>{if(clearTimeout(f),!(document.hidden||m)){m=!0;try{let _=await w.validationRun(e,{limit:1,signal:u}),T=c.current;if(l(R=>Ad(R,_,T)),T!==void 0&&T.status!==_.status&&n.current(_),_e(_)){c.current=_;return}let k=await Od(T,_,u);c.current=_,l(R=>({...R,latest:Za(R.latest,k,e)}))}catch(_){if(u.aborted)return;let T=Mt(_);if(l(k=>({...k,error:T})),T.kind!=="offline"&&T.kind!=="failed")return}finally{m=!1}f=setTimeout($,Cd[p++]??Ed)}},v=()=>{!document.hidden&&(c.current===void 0||!_e(c.current))&&$()};return $(),document.addEventListener("visibilitychange",v),()=>{d.abort(),clearTimeout(f),document.removeEventListener("visibilitychange",v)}},[e,o,r]),{...i,retry:E(()=>a(d=>d+1),[])}}function Rd(){return{run:void 0,latest:[],error:void 0,advancedAt:performance.now()}}function Ad(e,t,o){let n=t.done===o?.done?e.advancedAt:performance.now();return{...e,run:t,error:void 0,advancedAt:n}}async function Od(e,t,o){return(await Promise.all(Ya(e,t).map(({model:r,limit:a})=>w.history(r,{limit:a,signal:o})))).flatMap(r=>r.records)}var Md=20,Id={queued:"plain",running:"plain",finished:"good",stopped:"warn",failed:"bad"};function $n({status:e}){return s`<${S} tone=${Id[e]}>${e}<//>`}function ai({open:e,changed:t,onOpen:o}){let{items:n,isLoaded:r,more:a,next:i,restart:l,task:c}=et(async(d,u)=>{let{runs:f,cursor:p}=await w.validationRuns({limit:Md,cursor:d,signal:u});return{items:f,cursor:p}});return y(()=>{t>0&&l()},[t,l]),s`
    <h2>Runs</h2>
    ${!r&&!c.error&&s`<${H} label="the runs" />`}
    ${c.error&&s`<${x} error=${c.error} onRetry=${i} />`}
    ${r&&n.length===0&&s`<small>No runs yet.</small>`}
    <ul class="val-runs">
      ${n.map(d=>s`
          <li key=${d.id}>
            <button type="button" aria-pressed=${d.id===e} onClick=${()=>o(d.id)}>
              <span class="row spread"><${$n} status=${d.status} /><small><${V} at=${d.created_at} /></small></span>
              <span>${d.suite}${d.repeats>1&&` × ${d.repeats}`} · ${Dd(d)}</span>
              <small class="number">${Nd(d)}</small>
            </button>
          </li>
        `)}
    </ul>
    <div class="row">
      ${a&&!c.busy&&s`<button type="button" onClick=${i}>Show older runs</button>`}
      ${c.busy&&r&&s`<${A} label="Loading runs" since=${c.since} />`}
    </div>
  `}function Nd({passed:e,failed:t,total:o}){let n=e+t;return n===0?`at most ${b(o,"chat")}`:`${C(e)} of ${C(n)} passed`}function Dd({models:e}){return e.length<=2?e.map(({model:t})=>t).join(", "):b(e.length,"model")}var qd=100,Pd=3e4;function li({id:e,operator:t,onStatus:o,onClose:n}){let{run:r,latest:a,error:i,advancedAt:l,retry:c}=si(e,o),d=X(()=>performance.now(),[]);return s`
    <${Ze} title=${r?`Run of ${r.suite}${r.repeats>1?` × ${r.repeats}`:""}`:"Run"} reveal onClose=${n}>
      ${!r&&!i&&s`<${A} label="Loading the run" since=${d} />`}
      ${r&&s`<${Ld} run=${r} operator=${t} advancedAt=${l} onChanged=${c} />`}
      ${i&&s`<${x} error=${i} onRetry=${c} />`}
      ${r&&s`<${Bd} run=${r} />`}
      ${r&&_e(r)&&s`<${Fd} run=${r} />`}
      ${r&&!_e(r)&&s`<h3>Latest verdicts</h3>
          <div class="val-scroll" tabindex="0" role="region" aria-label="Latest verdicts">
            ${a.length===0?s`<p>No verdicts yet.</p>`:s`<${pn} verdicts=${a} label="Latest verdicts" models />`}
          </div>`}
    <//>
  `}function Ld({run:e,operator:t,advancedAt:o,onChanged:n}){let r=D(),a=X(()=>performance.now()-(Date.now()-Date.parse(e.created_at)),[e.created_at]),i=!_e(e)&&performance.now()-o>Pd,l=d=>r.run(async u=>{await d(e.id),u.aborted||n()}),c=[b(e.calls,"chat"),b(e.tokens,"token"),e.cost_usd>0&&ce(e.cost_usd),e.finished_at&&O(Date.parse(e.finished_at)-Date.parse(e.created_at))].filter(Boolean);return s`
    <div class="row">
      <span role="status"><${$n} status=${e.status} />${_e(e)&&` ${ii(e)}`}</span>
      ${!_e(e)&&s`<${A} label="" since=${a} /> ${t&&s`<button type="button" disabled=${r.busy} onClick=${()=>l(w.stopValidation)}>Stop</button>`}`}
    </div>
    ${e.reason&&s`<p>${e.reason}</p>`}
    <div>
      <progress class="val-progress" max=${e.total} value=${e.done} aria-label="Progress of the run"></progress>
      <small>${C(e.done)} of ${b(e.total,"verdict")}${!_e(e)&&`: ${ii(e)}`} · ${c.join(" · ")}</small>
    </div>
    ${i&&s`<div class="notice row">
        No new verdicts for 30 seconds. Resume the run to repeat cases with lost messages; existing verdicts are kept.
        ${t&&s`<button type="button" disabled=${r.busy} onClick=${()=>l(w.resumeValidation)}>Resume</button>`}
      </div>`}
    ${r.error&&s`<${x} error=${r.error} />`}
  `}function ii({passed:e,failed:t,errors:o,skipped:n}){let r=[`${C(e)} passed`,`${C(t)} failed`];return o>0&&r.push(b(o,"error")),n>0&&r.push(`${C(n)} skipped`),r.join(", ")}var Hd={passes:"✓ decided: passes",fails:"✕ decided: fails"};function Bd({run:e}){let t=e.total/e.models.length;return s`
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
          ${e.models.map(({model:o,demo:n,rate:r,done:a,errors:i,skipped:l,decided:c})=>s`
              <tr key=${o}>
                <th scope="row" class="val-model">${o}${n&&s` <${F} />`}${c&&s`<div><small>${Hd[c]}</small></div>`}</th>
                <td>
                  <progress class="val-progress" max=${t} value=${a} aria-label=${`Progress of ${o}`}></progress>
                  <small class="number">${C(a)} of ${C(t)}</small>
                </td>
                <td class="number">${C(r?.successes??0)}</td>
                <td class="number">${C((r?.tests??0)-(r?.successes??0))}</td>
                <td class="number">${C(i)}</td>
                <td class="number">${C(l)}</td>
                <td>${r&&s`<${Ht} rate=${r} />`}</td>
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}function Fd({run:e}){let[t,o]=h(e.failed+e.errors>0),n=et(async(r,a)=>{let{verdicts:i,cursor:l}=await w.validationRun(e.id,{limit:qd,cursor:r,signal:a});return{items:i,cursor:l}},[e.id]);return s`
    <h3>Verdicts</h3>
    <div class="val-scroll" tabindex="0" role="region" aria-label="Verdicts of this run">
      <${fo}
        pages=${n}
        label="Verdicts of this run"
        models
        filter=${()=>!0}
        failedOnly=${t}
        onFailedOnly=${o}
      />
    </div>
  `}function po(e,{replace:t=!0}={}){let o=He();o.view==="validation"&&B("validation",{...o.params,...e},{replace:t})}function Vd(e){po({models:e}),document.getElementById(rn)?.focus()}function ci({route:{params:e}}){let t=ae(p=>w.statuses(p)),o=ae(p=>w.suites(p)),n=je(),r=oe(),[a,i]=h(0),l=t.data?.validations.filter(p=>p.tested||p.errors>0)??[],c=p=>{i(m=>m+1),_e(p)&&(t.reload(),n.reload())},d=p=>po({run:p},{replace:!1}),f=s`
    ${r?s`<${Ba} params=${e} change=${po} suites=${o} models=${n} statuses=${l} onStarted=${p=>{i(m=>m+1),d(p.id)}} />`:s`<p class="notice">Starting a run requires a token with the role <strong>operator</strong>.</p>`}
    <${ai} open=${e.run??""} changed=${a} onOpen=${d} />
  `;return s`
    <${ie} title="Validation" controls=${f}>
      ${e.run&&s`<${li} key=${e.run} id=${e.run} operator=${r} onStatus=${c} onClose=${()=>d("")} />`}
      <${ri} params=${e} change=${po} statuses=${t} rows=${l} models=${n} onFill=${r?Vd:void 0} />
    <//>
  `}var jd={"tools-testing":Aa,chat:Yr,validation:ci,retrieval:Gs,configuration:ws};function ui({route:e}){return s`<${jd[e.view]} route=${e} />`}function di(){let e=Vn(),t=G(),o=g(t!==""),[n,r]=h(t===""),[a,i]=h(!1);return o.current||=t!=="",y(At,[]),y(()=>{let l=it.find(c=>c.name===e.view)?.title;document.title=`${l} · Flexchat`},[e.view]),y(()=>{t===""&&r(!0)},[t]),te([{keys:"?",label:"Show keyboard shortcuts",run:()=>i(!0)}]),s`
    <a class="skip" href="#main">Skip to content</a>
    <${Qn} route=${e} onToken=${()=>r(!0)} onHelp=${()=>i(!0)} />
    <main id="main" tabindex="-1">
      ${o.current&&s`<${ui} key=${e.view} route=${e} />`}
    </main>
    <${er} open=${n} needed=${t===""} onClose=${()=>r(!1)} />
    <${Fe} title="Keyboard shortcuts" open=${a} onClose=${()=>i(!1)}>
      <dl class="keys">
        ${Ao().map(({keys:l,label:c})=>s`
            <dt><kbd>${ne(l)}</kbd></dt>
            <dd>${c}</dd>
          `)}
        <dt><kbd>Tab</kbd></dt>
        <dd>Move to the next control</dd>
      </dl>
    <//>
  `}To(s`<${di} />`,document.getElementById("app"));
