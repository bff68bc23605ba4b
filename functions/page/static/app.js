/*! preact 11.2.0, MIT: see LICENSE.preact.txt */var N,rn,Wi,ke,no,yt,sn,_t,an,so,ro,Fi,Xe=Symbol.for("pv"),wt={},vt=[],Vi=/^m(i|n|o|s|text|space)$/,io=Array.isArray,ao=vt.slice,Ee=Object.assign;function Ce(e){e&&e.parentNode&&e.remove()}function ln(e,t,o){var n,r,i,a={},l=arguments.length;for(i in t)i=="key"?n=t[i]:i=="ref"&&typeof e!="function"?r=t[i]:a[i]=t[i];return l>2&&(a.children=l>3?ao.call(arguments,2):o),Ye(e,a,n,r,null)}function Ye(e,t,o,n,r){var i={type:e,props:t,key:o,ref:n,__k:null,__:null,__b:0,__e:null,__c:null,constructor:Xe,__v:r||++rn,__i:-1,__u:0};return!r&&N.vnode&&N.vnode(i),i}function Qe(e){return e.children}function gt(e,t){this.props=e,this.context=t,this.__g=0}function xe(e,t){if(t==null)return e.__&&xe(e.__,e.__i+1);for(var o;t<e.__k.length;t++)if((o=e.__k[t])&&o.__e)return o.__e;return typeof e.type!="function"||e.props.__P?null:xe(e)}function ji(e){var t,o=e.__v,n=o.__e,r=[],i=[],a=e.__P;a&&((t=Ee({constructor:Xe},o)).__v=o.__v+1,N.vnode&&N.vnode(t),lo(a,t,o,e.__n,a.namespaceURI,32&o.__u?[n]:null,r,n||xe(o),32&o.__u,i),t.__v=o.__v,t.__.__k[t.__i]=t,pn(r,t,i),o.__=o.__e=null,t.__e!=n&&cn(t))}function cn(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),cn(e)}function on(e){(8&e.__g||(e.__g|=8,ke.push(e),yt++))&&no==N.debounceRendering||((no=N.debounceRendering)||queueMicrotask)(un)}function un(){try{for(var e,t=1;ke.length;)ke.length>t&&ke.sort(sn),e=ke.shift(),t=ke.length,8&e.__g&&ji(e)}finally{(yt=ke.length)&&(no||queueMicrotask)(un)}}function dn(e,t,o,n,r,i,a,l,c,d,u){var f,p,m,$,b,g,k=n.__k||vt,x=t.length;for(c=Gi(o,t,k,c,x),f=0;f<x;f++)(m=o.__k[f])!=null&&(p=~m.__i&&k[m.__i]||wt,m.__i=f,g=lo(e,m,p,r,i,a,l,c,d,u),$=m.__e,(p.ref!=m.ref||8&p.__u)&&(p.ref&&co(p.ref,null,m,p),m.ref&&u.push(m.ref,m.__c||$,m)),b=b||$,4&m.__u?(c=mn(m,c,e,!p.__v),p.__e&&(p.__e=null)):typeof m.type=="function"&&g!==void 0?c=g:$&&(c=$.nextSibling),m.__u&=-21);return o.__e=b,c}function Gi(e,t,o,n,r){var i,a,l,c,d,u,f,p,m,$=o.length,b=$,g=0,k=0,x=e.__k=Array(r);for(i=0;i<r;i++)(a=t[i])!=null&&typeof a!="boolean"&&typeof a!="function"?(typeof a!="object"||a.constructor===String?a=x[i]=Ye(null,a):io(a)?a=x[i]=Ye(Qe,{children:a}):a.constructor===Xe&&a.__b?a=x[i]=Ye(a.type,a.props,a.key,a.ref,a.__v):x[i]=a,c=i+g,a.__=e,a.__b=e.__b+1,l=null,~(d=a.__i=Ui(a,o,c,b))&&(b--,(l=o[d])&&(l.__u|=2)),l&&l.__v?(a.__u|=16,d==c-1?g--:d==c+1?g++:d!=c&&(d>c?g--:g++,k=1)):(~d||(r>$?g--:r<$&&g++),typeof a.type!="function"&&(a.__u|=4))):x[i]=null;if(k){for(u=[],f=[],i=0;i<r;i++)if((a=x[i])&&16&a.__u){for(g=0,p=u.length;g<p;)u[m=g+p>>1]<a.__i?g=m+1:p=m;u[g]=a.__i,f[i]=g+1}for(g=u.length;i--;)f[i]&&(f[i]==g?g--:x[i].__u|=4)}if(b)for(i=0;i<$;i++)!(l=o[i])||2&l.__u||(l.__e==n&&(n=xe(l)),uo(l,l));return n}function mn(e,t,o,n){var r,i,a,l;if(typeof e.type=="function"){if(e.props.__P)return t;if(r=e.__k)for(i=0;i<r.length;i++)r[i]&&(r[i].__=e,t=mn(r[i],t,o,!1));return t}for(t&&!t.parentNode&&(t=xe(e))&&!t.parentNode&&(t=null),a=e.__e,l=t;l&&l.nodeType==8;)l=l.nextSibling;for(a!=l&&(!n&&o.moveBefore&&a.parentNode?o.moveBefore(a,t):o.insertBefore(a,t||null)),t=a;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function Ui(e,t,o,n){var r,i=e.key,a=e.type,l=t[o],c=l&&!(2&l.__u);if(l===null&&i==null||c&&i==l.key&&a==l.type)return o;if(n>(c?1:0)){for(r=o-1;r>=0;r--)if((l=t[r])&&!(2&l.__u)&&i==l.key&&a==l.type)return r;for(r=o+1;r<t.length;r++)if((l=t[r])&&!(2&l.__u)&&i==l.key&&a==l.type)return r}return-1}function nn(e,t,o){o==null&&(o=""),t[0]=="-"?e.setProperty(t,o):e[t]=o}function ht(e,t,o,n,r){var i,a;if(t=="style")if(typeof o=="string")e.style.cssText=o;else{if(typeof n=="string"&&(e.style.cssText=n=""),n)for(t in n)o&&t in o||nn(e.style,t);if(o)for(t in o)n&&o[t]==n[t]||nn(e.style,t,o[t])}else if(t[0]=="o"&&t[1]=="n")typeof o!="function"&&(o=null),typeof n!="function"&&(n=null),(e.__e||(e.__e={}))[t]=o,o&&n||(a=ro[t]||(ro[t]=Ki(t)),(e.__a||(e.__a={}))[t]=so,i=t!=(t=t.replace(an,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),o?e.addEventListener(t,a,i):e.removeEventListener(t,a,i));else{if(r=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=o??"")}catch{}if(typeof o=="function")return;o==null||o===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&o==1?"":o)}}function Ki(e){return function(t){var o=this.__e;if(o){if(o=o[e],t[_t]==null)t[_t]=so++;else if(t[_t]<this.__a[e])return;return o(N.event?N.event(t):t)}}}function lo(e,t,o,n,r,i,a,l,c,d){var u,f,p,m,$,b,g,k,x,O,I,ne,De,X,H,_e,ce,ge,be=t.type;if(t.constructor!==Xe)return null;128&o.__u&&(c=32&o.__u,u=o.__c.__z)&&(t.__u|=c,f=i=[],u.nodeType==8?l=bt(u,i):i.push(u),l=i[0]||l),(u=N.__b)&&u(t);e:if(typeof be=="function"){p=a.length;try{if(k=t.props,x=(u=be.prototype)&&u.render,O=(u=be.contextType)&&n[u.__c],I=u?O?O.props.value:u.__:n,(m=o.__c)?(t.__c=m,2&m.__g&&(m.__g|=1)):(x?t.__c=m=new be(k,I):(t.__c=m=new gt(k,I),m.constructor=be,m.render=Ji),O&&O.sub(m),m.state||(m.state={}),m.__n=n,m.__g|=8,m.__h=[],m.__k=[]),x&&(m.__s||(m.__s=m.state),be.getDerivedStateFromProps&&(m.__s==m.state&&(m.__s=Ee({},m.__s)),Ee(m.__s,be.getDerivedStateFromProps(k,m.__s)))),$=m.props,b=m.state,m.__v=t,o.__c){if(k!==$&&x&&!be.getDerivedStateFromProps&&m.componentWillReceiveProps&&m.componentWillReceiveProps(k,I),t.__v==o.__v&&!(8&m.__g)||!(4&m.__g)&&m.shouldComponentUpdate&&m.shouldComponentUpdate(k,m.__s,I)===!1){t.__v!=o.__v&&(m.props=k,m.state=m.__s,m.__g&=-9),t.__e=o.__e,t.__k=o.__k,t.__k.some(function(re){re&&(re.__=t)}),vt.push.apply(m.__h,m.__k),m.__k=[],m.__h.length&&a.push(m),l=xe(o);break e}m.componentWillUpdate&&m.componentWillUpdate(k,m.__s,I),x&&m.componentDidUpdate&&m.__h.push(function(){m.componentDidUpdate($,b,g)})}else x&&!be.getDerivedStateFromProps&&m.componentWillMount&&m.componentWillMount(),x&&m.componentDidMount&&m.__h.push(m.componentDidMount);m.context=I,m.props=k,m.__P=e,m.__g&=-5,ne=N.__r,De=x?25:0;do m.__g&=-9,ne&&ne(t),u=m.render(m.props,m.state=m.__s,m.context);while(8&m.__g&&++De<25);x&&(vt.push.apply(m.__h,m.__k),m.__k=[]),m.state=m.__s,m.getChildContext&&(n=Ee({},n,m.getChildContext())),x&&o.__c&&m.getSnapshotBeforeUpdate&&(g=m.getSnapshotBeforeUpdate($,b)),X=u&&u.type===Qe&&u.key==null?u.props.children:u,k.__P&&(u=l,r=(e=k.__P).namespaceURI,c=i=null,o.props&&o.props.__P!=e&&(o.__k.some(function(re){re&&uo(re,re)}),o.__k=null),l=o.__k?xe(o,0):null),l=dn(e,io(X)?X:[X],t,o,n,r,i,a,l,c,d),k.__P&&(t.__e=null,l=u),t.__u&=-161,f&&f.some(Ce),m.__h.length&&a.push(m),1&m.__g&&(m.__g&=-4)}catch(re){if(a.length=p,t.__v=null,c||i)if(re&&re.then){if(t.__u|=128|c,i){for(~(ce=i.indexOf(l||void 0))||(ce=i.length);(ge=i[ce-1])&&ge.nodeType==8;)ce--;for(;ce<i.length;ce++)if(ge=i[ce])if(i[ce]=null,H){if(ge==_e)break}else{if(ge.nodeType!=8)break;ge.data.startsWith("$s")&&(_e=bt(H=ge))}}if(!H){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;H=l}(u=bt(H=t.__c.__z||(t.__c.__z=H)))?(t.__e=H,l=u):t.__e=l,l=l&&l.nextSibling}else i&&i.some(Ce);else t.__e=o.__e;t.__k||(t.__k=o.__k||[]),re&&re.then||fn(t),N.__e(re,t,o)}}else l=t.__e=zi(o.__e,t,o,n,r,i,a,c,d,e);return(u=N.diffed)&&u(t),l}function bt(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var o=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))o++;else if(e.data.startsWith("/$s")&&!--o)return e}t&&t.push(e)}}function fn(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(fn))}function pn(e,t,o){for(var n=0;n<o.length;)co(o[n++],o[n++],o[n++]);N.__c&&N.__c(t,e),e.some(function(r){try{e=r.__h,r.__h=[],e.some(function(i){i.call(r)})}catch(i){N.__e(i,r.__v)}})}function zi(e,t,o,n,r,i,a,l,c,d){var u,f,p,m,$,b,g,k,x=o.props||wt,O=t.props,I=t.type;if(I=="svg"?r="http://www.w3.org/2000/svg":I=="math"?r="http://www.w3.org/1998/Math/MathML":r||(r="http://www.w3.org/1999/xhtml"),i){for(u=0;u<i.length;u++)if(($=i[u])&&(I?$.localName==I:$.nodeType==3)){e=$,i[u]=null;break}}if(!e){if(k=d.ownerDocument||document,!I)return k.createTextNode(O);e=k.createElementNS(r,I,O.is?O:d),l&&(N.__m&&N.__m(t,i),l=!1),i=null}if(I){if(d=I=="template"&&e.content||e,i=I=="textarea"&&O.defaultValue!=null?null:i&&ao.call(d.childNodes),!l&&i)for(x={},u=0;u<e.attributes.length;u++)x[($=e.attributes[u]).name]=$.value;for(u in x)$=x[u],u=="dangerouslySetInnerHTML"?p=$:u=="children"||u in O||u=="value"&&"defaultValue"in O||u=="checked"&&"defaultChecked"in O||ht(e,u,null,$,r);for(u in O)$=O[u],u=="children"?m=$:u=="dangerouslySetInnerHTML"?f=$:u=="value"?b=$:u=="checked"?g=$:l&&typeof $!="function"||x[u]===$||ht(e,u,$,x[u],r);f?(l||p&&(f.__html==p.__html||f.__html==e.innerHTML)||(e.innerHTML=f.__html),t.__k=[]):(p&&(e.textContent=""),(I=="foreignObject"||r=="http://www.w3.org/1998/Math/MathML"&&Vi.test(I))&&(r="http://www.w3.org/1999/xhtml"),dn(d,io(m)?m:[m],t,o,n,r,i,a,i?i[0]:o.__k&&xe(o,0),l,c),i&&i.some(Ce)),l&&I!="textarea"||(u="value",I=="progress"&&b==null?e.removeAttribute(u):b==null||b===e[u]&&(I!="progress"||b)||ht(e,u,b,x[u],r),u="checked",g!=null&&g!=e[u]&&ht(e,u,g,x[u],r))}else x===O||l&&e.data==O||(e.data=O);return e}function co(e,t,o,n){try{typeof e=="function"?t?t.__x=e(t)||1:n&&(n=n.__c||n.__e)&&(t=n.__x)&&(n.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(r){N.__e(r,o)}}function uo(e,t,o){var n,r,i,a;if(N.unmount&&N.unmount(e),!(n=e.ref)||n.current&&n.current!=e.__e||co(n,null,t,e),n=e.__c){if(n.componentWillUnmount)try{n.componentWillUnmount()}catch(l){N.__e(l,t)}n.__P=n.__n=null}if(n=e.__k)for(a=0;a<n.length;a++)n[a]&&uo(n[a],t,typeof e.type!="function"||o&&!e.props.__P);!o&&(n=e.__c)&&(n=n.__z)&&(r=bt(n,i=[]))&&(n==e.__e&&i.some(Ce),Ce(r),Ce(n)),o||Ce(e.__e),e.__e=e.__c=e.__=null}function Ji(e,t,o){return this.constructor(e,o)}function mo(e,t){var o,n,r,i;N.__&&N.__(e,t),t.nodeType==9&&(t=t.documentElement),n=(o=e&&32&e.__u)?null:t.__k,t.__k=Ye(Qe,{children:[e]}),r=[],i=[],lo(t,t.__k,n||wt,wt,t.namespaceURI,n?null:t.firstChild?ao.call(t.childNodes):null,r,n?n.__e:t.firstChild,o,i),pn(r,t.__k,i),t.__k.props.children=null}N={__e:function(e,t,o,n){for(var r,i,a;t=t.__;)if((r=t.__c)&&!(1&r.__g)){r.__g|=4;try{if((a=(i=r.constructor)&&i.getDerivedStateFromError)&&r.setState(i.getDerivedStateFromError(e)),r.componentDidCatch&&(r.componentDidCatch(e,n||{}),a=1),a&&8&r.__g)return void(r.__g|=2)}catch(l){e=l}}throw yt=0,e}},rn=0,Wi=function(e){return e!=null&&e.constructor===Xe},gt.prototype.setState=function(e,t){var o=this.__s;o&&o!=this.state||(o=this.__s=Ee({},this.state)),typeof e=="function"&&(e=e(Ee({},o),this.props)),e&&(Ee(o,e),this.__v&&(t&&this.__k.push(t),on(this)))},gt.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),on(this))},gt.prototype.render=Qe,ke=[],yt=0,sn=function(e,t){return e.__v.__b-t.__v.__b},_t=Symbol(),an=/(PointerCapture)$|Capture$/i,so=0,ro={},Fi=0;/*! htm 3.1.1, Apache-2.0: see LICENSE.htm.txt */var hn=function(e,t,o,n){var r;t[0]=0;for(var i=1;i<t.length;i++){var a=t[i++],l=t[i]?(t[0]|=a?1:2,o[t[i++]]):t[++i];a===3?n[0]=l:a===4?n[1]=Object.assign(n[1]||{},l):a===5?(n[1]=n[1]||{})[t[++i]]=l:a===6?n[1][t[++i]]+=l+"":a?(r=e.apply(l,hn(e,l,o,["",null])),n.push(r),l[0]?t[0]|=2:(t[i-2]=0,t[i]=r)):n.push(l)}return n},$n=new Map;function _n(e){var t=$n.get(this);return t||(t=new Map,$n.set(this,t)),(t=hn(this,t.get(e)||(t.set(e,t=(function(o){for(var n,r,i=1,a="",l="",c=[0],d=function(p){i===1&&(p||(a=a.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?c.push(0,p,a):i===3&&(p||a)?(c.push(3,p,a),i=2):i===2&&a==="..."&&p?c.push(4,p,0):i===2&&a&&!p?c.push(5,0,!0,a):i>=5&&((a||!p&&i===5)&&(c.push(i,0,a,r),i=6),p&&(c.push(i,p,0,r),i=6)),a=""},u=0;u<o.length;u++){u&&(i===1&&d(),d(u));for(var f=0;f<o[u].length;f++)n=o[u][f],i===1?n==="<"?(d(),c=[c],i=3):a+=n:i===4?a==="--"&&n===">"?(i=1,a=""):a=n+a[0]:l?n===l?l="":a+=n:n==='"'||n==="'"?l=n:n===">"?(d(),i=1):i&&(n==="="?(i=5,r=a,a=""):n==="/"&&(i<5||o[u][f+1]===">")?(d(),i===3&&(c=c[0]),i=c,(c=c[0]).push(2,0,i),i=0):n===" "||n==="	"||n===`
`||n==="\r"?(d(),i=2):a+=n),i===3&&a==="!--"&&(i=4,c=c[0])}return d(),c})(e)),t),arguments,[])).length>1?t:t[0]}/*! preact/hooks 11.2.0, MIT: see LICENSE.preact.txt */var Oe,W,fo,gn,po=Object.is,et=0,Cn=[],$o=[],B=N,bn=B.__b,yn=B.__r,wn=B.diffed,vn=B.__c,kn=B.unmount,xn=B.__;function tt(e,t){B.__h&&B.__h(W,e,et||t),et=0;var o=W.__H||(W.__H={__:[],__h:[]});return e>=o.__.length&&o.__.push({}),o.__[e]}function h(e){return et=1,Yi(En,e)}function Yi(e,t,o){var n=tt(Oe++,2);if(n.t=e,!n.__c&&(n.__=[o?o(t):En(void 0,t),function(i){var a=(n.__N||n.__)[0],l=n.t(a,i);po(a,l)||(n.__N=[l,n.__[1]],n.__c.setState({}))}],n.__c=W,!W.__f)){W.__f=!0;var r=W.shouldComponentUpdate;W.shouldComponentUpdate=function(i,a,l){var c=this.__H;if(!c)return!0;var d=!1,u=this.props!=i;if(c.__.some(function(p){p.__N&&(d=!0,po(p.__[0],p.__N[0])||(u=!0))}),r){var f=r.call(this,i,a,l);return d?f||u:f}return!d||u}}return n.__}function y(e,t){var o=tt(Oe++,3);!B.__s&&_o(o.__H,t)&&(o.__P=!0,o.__=e,o.u=t,W.__H.__h.push(o))}function ue(e,t){var o=tt(Oe++,4);!B.__s&&_o(o.__H,t)&&(o.__P=!1,o.__=e,o.u=t,W.__h.push(o))}function w(e){return et=5,U(function(){return{current:e}},[])}function U(e,t){var o=tt(Oe++,7);return _o(o.__H,t)&&(o.__=e(),o.__H=t),o.__}function C(e,t){return et=8,U(function(){return e},t)}function Q(){var e=tt(Oe++,11);if(!e.__){for(var t=W.__v;!t.__m&&t.__;)t=t.__;var o=t.__m||(t.__m=[0,0]);e.__="P"+o[0]+"-"+o[1]++}return e.__}function Xi(){var e;do{for(;e=$o.shift();)try{Ze(e)}catch(o){B.__e(o,{__:(e=e.__P)&&e.__v})}for(;e=Cn.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(Ze),t.__h.some(ho),t.__h=[]}catch(o){t.__h=[],B.__e(o,e.__v)}}}while($o.length)}B.__b=function(e){W=null,bn&&bn(e)},B.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),xn&&xn(e,t)},B.__r=function(e){yn&&yn(e),Oe=0;var t=(W=e.__c).__H;t&&(fo==W?W.__h=[]:(t.__h.some(Ze),t.__h.some(ho),Oe=0),t.__h=[],t.__.some(function(o){o.__N&&(o.__=o.__N),o.u=o.__N=void 0})),fo=W},B.diffed=function(e){wn&&wn(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Sn(Cn.push(t)),t.__H.__.some(function(o){o.u&&(o.__H=o.u)})),fo=W=null},B.__c=function(e,t){t.some(function(o){try{o.__h.some(Ze),o.__h=o.__h.filter(function(n){return!n.__||ho(n)})}catch(n){o.__h=[function(){throw n}]}}),vn&&vn(e,t)},B.unmount=function(e){kn&&kn(e);var t,o,n=e.__c;n&&n.__H&&(n.__H.__.some(function(r){try{if(r.__P&&r.__c){if(o===void 0){for(o=e.__;o&&(!o.__c||!o.__c.__P);)o=o.__;o=o&&o.__c}r.__P=o,Sn($o.push(r))}else Ze(r)}catch(i){t=i}}),n.__H=void 0,t&&B.__e(t,n.__v))};var Tn=typeof requestAnimationFrame=="function";function Qi(e){var t,o=function(){clearTimeout(n),Tn&&cancelAnimationFrame(t),setTimeout(e)},n=setTimeout(o,35);Tn&&(t=requestAnimationFrame(o))}function Sn(e){e!=1&&gn==B.requestAnimationFrame||((gn=B.requestAnimationFrame)||Qi)(Xi)}function Ze(e){var t=W,o=e.__c;typeof o=="function"&&(e.__c=void 0,o()),W=t}function ho(e){var t=W;e.__c=e.__(),W=t}function _o(e,t){return!e||e.length!=t.length||t.some(function(o,n){return!po(o,e[n])})}function En(e,t){return typeof t=="function"?t(e):t}var s=_n.bind(ln);var go=new Set;function bo(){return[...go].flatMap(e=>e.current)}function ee(e){let t=w(e);t.current=e,ue(()=>(go.add(t),()=>{go.delete(t)}),[])}function Zi(e){let t=`${e.ctrlKey||e.metaKey?"mod+":""}${e.key}`,n=(e.target instanceof HTMLElement?e.target:null)?.matches("input:not([type=checkbox], [type=radio], [type=range]), textarea, select");if(e.defaultPrevented||e.isComposing||e.altKey||n&&t.length===1||document.querySelector("dialog[open]"))return;let r=bo().findLast(i=>i.keys===t);r!==void 0&&(e.preventDefault(),r.run())}addEventListener("keydown",Zi);var ea=/Mac|iP/.test(navigator.platform);function se(e){return e.replace("mod+",ea?"⌘ ":"Ctrl ").replace("Enter","⏎").replace("Escape","Esc")}var Te=new URL("../../",import.meta.url),Se=document.querySelector('meta[name="flexchat-stage"]')?.getAttribute("content")??"",ot=[{name:"tools-testing",title:"Test"},{name:"chat",title:"Chat"},{name:"validation",title:"Validation"},{name:"retrieval",title:"Retrieval"},{name:"configuration",title:"Configuration"}],yo="flexchat:place";function Pe(){let e=location.pathname.slice(Te.pathname.length).replace(/\/$/,"");return{view:ot.find(o=>o.name===e)?.name??"tools-testing",params:Object.fromEntries(new URLSearchParams(location.search))}}function wo(e,t={}){let o=new URL(e,Te);for(let[n,r]of Object.entries(t))r!==""&&o.searchParams.set(n,r);return o.href}function F(e,t={},{replace:o=!1}={}){let n=wo(e,t);n!==location.href&&history[o?"replaceState":"pushState"](null,"",n),dispatchEvent(new Event(yo))}function On(){let[e,t]=h(Pe);return y(()=>{let o=()=>t(Pe());return addEventListener("popstate",o),addEventListener(yo,o),()=>{removeEventListener("popstate",o),removeEventListener(yo,o)}},[]),e}var Rn="flexchat.theme",An=matchMedia("(prefers-color-scheme: dark)");function vo(){let e=localStorage.getItem(Rn);return e==="light"||e==="dark"?e:An.matches?"dark":"light"}function Mn(e){localStorage.setItem(Rn,e),kt()}function kt(){document.documentElement.dataset.theme=vo()}An.addEventListener("change",kt);var ko="flexchat.token",xo="flexchat:token",xt=sessionStorage.getItem(ko)??"";function qe(){return xt}function Re(e,{keep:t=!1}={}){xt=e,t&&e?sessionStorage.setItem(ko,e):sessionStorage.removeItem(ko),dispatchEvent(new Event(xo))}function V(){let[e,t]=h(xt);return y(()=>{let o=()=>t(xt);return addEventListener(xo,o),()=>removeEventListener(xo,o)},[]),e}function Le({title:e,open:t,onClose:o,children:n}){let r=w(null),i=Q();return y(()=>{let l=r.current;t&&!l?.open&&l?.showModal(),!t&&l?.open&&l.close()},[t]),s`
    <dialog ref=${r} aria-labelledby=${i} onCancel=${l=>{l.preventDefault(),o?.()}}>
      <div class="dialog-head">
        <h2 id=${i}>${e}</h2>
        ${o&&s`<button type="button" class="quiet" aria-label="Close" onClick=${o}>✕</button>`}
      </div>
      ${t&&n}
    </dialog>
  `}var K=class extends Error{constructor(t,o,{status:n=0,code:r="",requestId:i="",details:a=[],retryAfter:l=0}={}){super(o),this.kind=t,this.status=n,this.code=r,this.requestId=i,this.details=a,this.retryAfter=l}};async function M(e,{method:t="GET",body:o,query:n={},headers:r={},signal:i}={}){let a=new URL(e,Te);for(let[d,u]of Object.entries(n))u!==void 0&&u!==""&&a.searchParams.set(d,String(u));let l={Accept:"application/json"};qe()&&(l.Authorization=`Bearer ${qe()}`),o!==void 0&&(l["Content-Type"]="application/json"),Object.assign(l,r);let c=await oa(a,{method:t,headers:l,cache:"no-store",credentials:"omit",...o===void 0?{}:{body:JSON.stringify(o)},...i===void 0?{}:{signal:i}});if(!c.ok)throw await na(c);return c.status===204?void 0:await ta(c)}async function ta(e){try{return await e.json()}catch(t){throw t instanceof DOMException&&t.name==="AbortError"?t:new K("failed","The response broke off or is not JSON. Try again.",{status:e.status})}}async function oa(e,t){try{return await fetch(e,t)}catch(o){throw o instanceof DOMException&&o.name==="AbortError"?o:new K("offline","No answer came. Check the network and that the stack runs, then try again.")}}async function na(e){let t=await e.json().catch(()=>({})),o=ra(e);return new K(o,t.message??`The service answered ${e.status} without saying why.`,{status:e.status,code:t.error??"",requestId:t.request_id??e.headers.get("x-amzn-requestid")??"",details:t.details??[],retryAfter:Number(e.headers.get("retry-after"))||0})}function ra({status:e,headers:t}){return e===401?"token":e===403?t.has("x-amzn-errortype")?"token":"forbidden":e<500?"refused":"failed"}var oe=encodeURIComponent,q=e=>e===void 0?{}:{signal:e},v={me:e=>M("api/me",q(e)),meFor:(e,t)=>M("api/me",{headers:{Authorization:`Bearer ${e}`},...q(t)}),tools:e=>M("api/tools/list",q(e)),models:e=>M("api/models/list",q(e)),testTools:(e,t)=>M("api/tools/test",{method:"POST",body:e,...q(t)}),chat:(e,t)=>M("api/chat",{method:"POST",body:e,...q(t)}),startChat:(e,t)=>M("api/chat",{method:"POST",body:e,headers:{Prefer:"respond-async"},...q(t)}),run:(e,t)=>M(`api/runs/${oe(e)}`,q(t)),cancelRun:e=>M(`api/runs/${oe(e)}`,{method:"DELETE"}),sessions:({limit:e,cursor:t,signal:o}={})=>M("api/sessions",{query:{limit:e,cursor:t},...q(o)}),session:(e,t)=>M(`api/sessions/${oe(e)}`,q(t)),renameSession:(e,t)=>M(`api/sessions/${oe(e)}`,{method:"PATCH",body:{title:t}}),deleteSession:e=>M(`api/sessions/${oe(e)}`,{method:"DELETE"}),messages:(e,{limit:t,cursor:o,fromTurn:n,signal:r}={})=>M(`api/sessions/${oe(e)}/messages`,{query:{limit:t,cursor:o,from_turn:n},...q(r)}),collections:e=>M("api/collections",q(e)),search:(e,t,o)=>M(`api/collections/${oe(e)}/query`,{method:"POST",body:t,...q(o)}),changeCollection:(e,t)=>M(`api/collections/${oe(e)}`,{method:"PATCH",body:t}),statuses:e=>M("api/tools/validate",q(e)),history:(e,{limit:t,cursor:o,signal:n}={})=>M("api/tools/validate",{query:{model:e,limit:t,cursor:o},...q(n)}),validationRuns:({limit:e,cursor:t,signal:o}={})=>M("api/validation/runs",{query:{limit:e,cursor:t},...q(o)}),validationRun:(e,{limit:t,cursor:o,signal:n}={})=>M(`api/validation/runs/${oe(e)}`,{query:{limit:t,cursor:o},...q(n)}),startValidation:e=>M("api/tools/validate",{method:"POST",body:e}),stopValidation:e=>M(`api/validation/runs/${oe(e)}`,{method:"DELETE"}),resumeValidation:e=>M(`api/validation/runs/${oe(e)}/resume`,{method:"POST"}),suites:e=>M("api/validation/suites",q(e)),suite:(e,t)=>M(`api/validation/suites/${oe(e)}`,q(t)),putSuite:(e,t)=>M(`api/validation/suites/${oe(e)}`,{method:"PUT",body:t}),configuration:e=>M("api/config",q(e)),matchRule:(e,t)=>M("api/config/match",{method:"POST",body:{profile:e},...q(t)}),health:e=>M("health",q(e))};function de(e,t=[]){let o=V(),n=w(e);n.current=e;let r=JSON.stringify(t),[i,a]=h(0),[l,c]=h({data:void 0,error:void 0,loading:!0});return y(()=>{if(o==="")return;let d=new AbortController;return c(u=>({...u,loading:!0})),n.current(d.signal).then(u=>!d.signal.aborted&&c({data:u,error:void 0,loading:!1}),u=>!d.signal.aborted&&c(f=>({...f,error:Tt(u),loading:!1}))),()=>d.abort()},[r,o,i]),{...l,reload:C(()=>a(d=>d+1),[])}}function D(){let e=w(void 0),[t,o]=h({busy:!1,since:0,error:void 0,cancelled:!1});y(()=>()=>e.current?.abort(),[]);let n=C(async a=>{e.current?.abort();let l=new AbortController;e.current=l,o({busy:!0,since:performance.now(),error:void 0,cancelled:!1});let c;try{await a(l.signal)}catch(d){l.signal.aborted||(c=Tt(d))}e.current===l&&o(d=>({...d,busy:!1,error:c,cancelled:l.signal.aborted}))},[]),r=C(()=>e.current?.abort(),[]),i=C(()=>o(a=>({...a,error:void 0,cancelled:!1})),[]);return{...t,run:n,cancel:r,clear:i}}function Tt(e){return e instanceof K?e:(reportError(e),new K("page",`The page made a mistake: ${e instanceof Error?e.message:String(e)}`))}var St="flexchat:shared",nt=new Map;function Ct(e,t){let[o,n]=h(0),r=de(()=>sa(e,t),[o]);return y(()=>{r.error!==void 0&&nt.delete(e)},[r.error,e]),y(()=>{let i=a=>{a instanceof CustomEvent&&a.detail===e&&n(l=>l+1)};return addEventListener(St,i),()=>removeEventListener(St,i)},[e]),{...r,reload:C(()=>In(e),[e]),put:C(i=>Nn(e,i),[e])}}function In(e){nt.delete(e),dispatchEvent(new CustomEvent(St,{detail:e}))}function Nn(e,t){nt.set(e,{token:qe(),promise:Promise.resolve(t)}),dispatchEvent(new CustomEvent(St,{detail:e}))}function sa(e,t){let o=qe(),n=nt.get(e);if(n?.token===o)return n.promise;let r=t();return nt.set(e,{token:o,promise:r}),r}var Et=()=>Ct("tools",()=>v.tools()),He=()=>Ct("models",()=>v.models()),Dn=()=>In("models"),Ot=()=>Ct("collections",()=>v.collections()),Pn=e=>Nn("caller",e);function ie(){let{data:e}=Ct("caller",()=>v.me());return e===void 0||e.roles.includes("operator")}var ia=3e4;function Ln({place:e,onToken:t,onHelp:o}){let n=V(),r=ie();return s`
    <header class="frame">
      <a class="brand" href=${Te.href} onClick=${i=>qn(i,"tools-testing")}>
        Flexchat ${Se&&s`<small>stage ${Se}</small>`}
      </a>
      <nav aria-label="Views">
        ${ot.filter(({name:i})=>r||i!=="configuration"||i===e.view).map(({name:i,title:a})=>s`
            <a
              href=${wo(i)}
              aria-current=${i===e.view?"page":void 0}
              onClick=${l=>qn(l,i)}
              >${a}</a
            >
          `)}
      </nav>
      <div class="frame-state">
        <${la} />
        <button type="button" class="quiet" onClick=${t}>${n?"token":"no token"} ▾</button>
        <${aa} />
        <button type="button" class="quiet" aria-label="List the keys" title="List the keys (?)" onClick=${o}>?</button>
      </div>
    </header>
  `}function qn(e,t){e.metaKey||e.ctrlKey||e.shiftKey||e.button!==0||(e.preventDefault(),F(t))}function aa(){let[e,t]=h(vo),o=e==="dark"?"light":"dark",n=()=>{Mn(o),t(o)},r=`Change to the ${o} theme`;return s`<button type="button" class="quiet" aria-label=${r} title=${r} onClick=${n}>◐</button>`}function la(){let[e,t]=h("unknown");y(()=>{let r=()=>{document.hidden||v.health().then(()=>t("healthy"),()=>t("unreachable"))};r();let i=setInterval(r,ia);return document.addEventListener("visibilitychange",r),()=>{clearInterval(i),document.removeEventListener("visibilitychange",r)}},[]);let o={unknown:"○",healthy:"●",unreachable:"▲"}[e],n={unknown:"plain",healthy:"good",unreachable:"bad"}[e];return s`<span class="health" data-tone=${n} role="status">
    <span aria-hidden="true">${o}</span> ${e==="unknown"?"asking":e}
  </span>`}var ca=new Intl.NumberFormat("en-GB"),ua=new Intl.NumberFormat("en-GB",{maximumSignificantDigits:2}),da=new Intl.DateTimeFormat("en-GB",{dateStyle:"medium",timeStyle:"medium"}),Hn=new Intl.RelativeTimeFormat("en-GB",{numeric:"auto"}),ma=[["day",86400],["hour",3600],["minute",60]];function E(e){return ca.format(e)}function _(e,t,o=`${t}s`){return`${E(e)} ${e===1?t:o}`}function A(e){if(e<999.5)return`${Math.round(e)} ms`;if(e<59950)return`${(e/1e3).toFixed(e<1e4?2:1)} s`;let t=Math.round(e/1e3);return`${Math.floor(t/60)} min ${t%60} s`}function Be(e){return`${Math.round(e*100)} %`}function ae(e){return`$${e>=1?e.toFixed(2):ua.format(e)}`}function Bn(e){return e<1e3?`${e} B`:e<999500?`${Math.round(e/1e3)} kB`:`${(e/1e6).toFixed(1)} MB`}function me(e){return e.toFixed(3)}function rt(e){return da.format(new Date(e))}function Wn(e,t=Date.now()){let o=(new Date(e).getTime()-t)/1e3;for(let[n,r]of ma)if(Math.abs(o)>=r)return Hn.format(Math.round(o/r),n);return Math.abs(o)<10?"just now":Hn.format(Math.round(o),"second")}var fa=200;function R({what:e,since:t}){let[o,n]=h(performance.now());return y(()=>{let r=setInterval(()=>n(performance.now()),fa);return()=>clearInterval(r)},[]),s`<span class="busy">
    <span class="spinner" aria-hidden="true"></span>
    <span role="status">${e}</span>
    <span class="number" aria-hidden="true">${A(Math.max(0,o-t))}</span>
  </span>`}function L({lines:e=3,what:t}){return s`<div class="skeleton" role="status" aria-label=${`Loading ${t}`}>
    ${Array.from({length:e},()=>s`<span></span>`)}
  </div>`}function ye({title:e,children:t}){return s`<div class="empty"><h2>${e}</h2>${t}</div>`}function Fn({open:e,needed:t,onClose:o}){let[n,r]=h(""),[i,a]=h(!1),l=D(),c=u=>{u.preventDefault();let f=n.trim();f===""||l.busy||l.run(async p=>{let m=await v.meFor(f,p);Re(f,{keep:i}),Pn(m),r(""),o()})},d=()=>{Re(""),r("")};return s`
    <${Le} title="API token" open=${e} onClose=${t?void 0:o}>
      <form class="stack" onSubmit=${c}>
        <p>
          The page asks the API with your token, as any client does. <code>make up</code> prints one;${" "}
          <code>flexchat tokens create</code> makes another.
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
          <input type="checkbox" checked=${i} onChange=${()=>a(!i)} />
          Keep it until this tab is closed (else a reload asks again)
        </label>
        ${l.error&&s`<p id="token-problem" class="problem-text" role="alert">${pa(l.error)}</p>`}
        <div class="row">
          <button type="submit" class="primary" disabled=${l.busy}>Use this token</button>
          ${!t&&s`<button type="button" onClick=${d}>Forget the one in use</button>`}
          ${l.busy&&s`<${R} what="asking whether it is admitted" since=${l.since} />`}
        </div>
      </form>
    <//>
  `}function pa(e){return e.kind==="token"?`The service does not admit this token: ${e.message}.`:e.message}function P({summary:e,open:t=!1,children:o}){let[n,r]=h(t);return s`
    <details class="fold" open=${n} onToggle=${i=>r(i.currentTarget.open)}>
      <summary>${e}</summary>
      ${n&&s`<div class="fold-body">${o}</div>`}
    </details>
  `}var $a=matchMedia("(width < 800px)"),ha=40;function We(e){let t=w(null),o=w(!1),n=w({busy:e,at:0});ue(()=>{let{current:i}=n;o.current&&$a.matches&&e!==i.busy&&((e||Math.abs(scrollY-i.at)<ha)&&t.current?.scrollIntoView({block:"start"}),o.current=e),n.current={busy:e,at:e&&!i.busy?scrollY:i.at}},[e]);let r=C(()=>{o.current=!0},[]);return{section:t,reveal:r}}function fe({title:e,choose:t,section:o,children:n}){return s`
    <h1 class="hidden">${e}</h1>
    <div class="split">
      <section class="choose" aria-label="What you choose">${t}</section>
      <section class="happened" ref=${o} aria-label="What happened">${n}</section>
    </div>
  `}var _a=2e3;function Z({text:e,label:t}){let[o,n]=h("");return y(()=>{if(o==="")return;let i=setTimeout(()=>n(""),_a);return()=>clearTimeout(i)},[o]),s`<button type="button" class="quiet" onClick=${()=>navigator.clipboard.writeText(typeof e=="string"?e:e()).then(()=>n("copied ✓"),()=>n("the browser refused"))}>
    ${t}<span role="status">${o&&s` · ${o}`}</span>
  </button>`}var Vn={offline:"The service cannot be reached",token:"The token is not admitted",forbidden:"This token may not do that",refused:"The request was refused",failed:"The service failed",page:"The page failed"},Ae={bad_gateway:"The service failed",built_in_suite:"The suite is built in",configuration:"The configuration cannot answer this",conflict:"Another change came first",forbidden:"This token may not do that",idempotency_in_progress:"The request is still being answered",idempotency_key_reused:"The idempotency key is in use",internal_error:"The service failed",invalid_cursor:"The list has changed",invalid_idempotency_key:"The request is not valid",invalid_request:"The request is not valid",invalid_suite:"The suite is not valid",model_in_validation:"A run tries this model",model_not_found:"The model is not known",not_found:"Not found",payload_too_large:"The request is too large",rate_limited:"Too many requests",response_too_large:"The response is too large",resume_token_expired:"The partial answer has expired",resume_token_in_use:"The partial answer is in use",resume_token_invalid:"The partial answer cannot be continued",resume_token_used:"The partial answer was continued already",run_ended:"The run has ended",run_not_found:"The run is not known",session_busy:"The session is in use",session_moved_on:"The session has moved on",session_not_found:"The session is not known",suite_not_found:"The suite is not known",timeout:"The service did not answer in time",unauthorized:"The token is not admitted",unavailable:"The service is unavailable",unsupported_media_type:"The request is not valid",collection_conflict:"Another change came first",collection_configuration:"The configuration cannot answer this",collection_damaged:"The collection is damaged",collection_exists:"The collection exists already",collection_invalid:"The request is not valid",collection_not_found:"The collection is not known",collection_too_large:"The request is too large",collection_unavailable:"The collection is unavailable",model_authentication:"The provider refused the key",model_content_filter:"The content filter refused the message",model_context_length:"The conversation is too long",model_invalid_request:"The provider refused the request",model_invalid_response:"The provider's answer is not valid",model_network:"The provider cannot be reached",model_overloaded:"The provider is overloaded",model_permission:"The key may not use this model",model_rate_limit:"The provider accepts no more requests",model_server_error:"The provider failed",model_timeout:"The provider did not answer in time"},ga={404:Ae.not_found??"",408:Ae.timeout??"",413:Ae.payload_too_large??"",429:Ae.rate_limited??"",503:Ae.unavailable??"",504:Ae.timeout??""};function jn({kind:e,code:t,status:o}){return e==="token"||e==="offline"||e==="page"?Vn[e]:Ae[t]??ga[o]??Vn[e]}function S({error:e,onRetry:t,retry:o="Try again"}){return s`
    <div class="problem" role="alert">
      <h3><span aria-hidden="true">✕</span> ${jn(e)}</h3>
      <p>${e.message}</p>
      ${e.retryAfter>0&&s`<p>The service asks to wait ${e.retryAfter} s.</p>`}
      ${e.details.length>0&&s`<ul>${e.details.map(({path:n,message:r})=>s`<li><code>${n}</code> ${r}</li>`)}</ul>`}
      <div class="row">
        ${e.kind==="token"&&s`<button type="button" onClick=${()=>Re("")}>Enter another token</button>`}
        ${t&&e.kind!=="token"&&s`<button type="button" onClick=${t}>${o}</button>`}
        ${e.requestId&&s`<small>request <code>${e.requestId}</code></small>
            <${Z} text=${e.requestId} label="Copy the request id" />`}
      </div>
    </div>
  `}var st={answered:{title:"answered",tone:"good",sign:"✓",reason:""},cut_off:{title:"cut off",tone:"warn",sign:"✂",reason:"The model's limit of tokens cut the answer off."},filtered:{title:"filtered",tone:"bad",sign:"⊘",reason:"The provider's filter stopped the answer."},refused:{title:"refused",tone:"bad",sign:"⊘",reason:"The model refused to answer."},empty:{title:"empty",tone:"warn",sign:"∅",reason:"The model wrote nothing; the text stands in for it."},iteration_limit:{title:"iteration limit",tone:"warn",sign:"!",reason:"The limit on iterations was reached before the model answered."},repeated_calls:{title:"repeated calls",tone:"warn",sign:"!",reason:"The model asked for the same call again and again, and was stopped."},tool_call_limit:{title:"tool call limit",tone:"warn",sign:"!",reason:"The limit on tool calls was reached before the model answered."},out_of_time:{title:"out of time",tone:"warn",sign:"!",reason:"The time ran out before the answer was done."},model_failed:{title:"model failed",tone:"bad",sign:"✕",reason:"The model failed before the answer was done."},unknown:{title:"unclear end",tone:"warn",sign:"?",reason:"The provider gave no known reason for the end."}};function pe({outcome:e,status:t,error:o}){return e?st[e]??st.unknown:t!=="partial"?st.answered:o?st.model_failed:st.out_of_time}var To="flexchat.enter",Gn="breaks";function Un(){return localStorage.getItem(To)!==Gn}function Kn(e){e?localStorage.removeItem(To):localStorage.setItem(To,Gn)}function zn({key:e,shiftKey:t,altKey:o,ctrlKey:n,metaKey:r,isComposing:i,keyCode:a},l){return l&&e==="Enter"&&!(t||o||n||r||i||a===229)}function Jn({draft:e,busy:t,waits:o,since:n,hint:r,isAway:i,field:a,onWrite:l,onSend:c,onCancel:d,onJump:u}){let[f,p]=h(Un),m=g=>{g.preventDefault(),c()},$=g=>{zn(g,f)&&(g.preventDefault(),c())},b=()=>{Kn(!f),p(!f)};return s`
    <form class="chat-composer" onSubmit=${m}>
      ${i&&s`<div class="chat-jump"><button type="button" onClick=${u}><span aria-hidden="true">↓</span> Jump to latest</button></div>`}
      <label>
        <span class="hidden">Message</span>
        <textarea
          ref=${a}
          rows="2"
          placeholder="Message"
          value=${e}
          onKeyDown=${$}
          onInput=${g=>l(g.currentTarget.value)}
        ></textarea>
      </label>
      <div class="row">
        <${ba} field=${a} busy=${t} mayNot=${r!==""||e.trim()===""} keys=${f?"Enter":"mod+Enter"} onCancel=${d} />
        ${o&&s`<${R} what=${o} since=${n} />`}
        ${r&&s`<span class="problem-text">✕ ${r}</span>`}
        <label class="check chat-enter" title="Shift and Enter break the line. Without this Enter breaks it.">
          <input type="checkbox" checked=${f} onChange=${b} />
          <small>Enter sends</small>
        </label>
      </div>
    </form>
  `}function ba({field:e,busy:t,mayNot:o,keys:n,onCancel:r}){let i=w(null),a=w(null),l=w(null);return ue(()=>{let[c,d]=t?[i.current,a.current]:[a.current,e.current];c!==null&&l.current===c&&d?.focus({preventScroll:!0})},[t,e]),l.current=document.activeElement,s`
    <button ref=${i} type="submit" class="primary" disabled=${t||o}>
      Send <span aria-hidden="true">${se(n)}</span>
    </button>
    <button ref=${a} type="button" hidden=${!t} onClick=${r}>
      Cancel <span aria-hidden="true">${se("Escape")}</span>
    </button>
  `}var Xn={background:!1,explain:!1,seconds:"",intent:"",service:"",collections:[]},Yn={background:900,waiting:28};function Rt({background:e}){return e?Yn.background:Yn.waiting}function At(e){if(e.seconds.trim()==="")return"";let t=Number(e.seconds);return t>=1&&t<=Rt(e)?"":`From 1 to ${Rt(e)} seconds${e.background?"":"; up to 900 in the background"}.`}function Qn(e,t,o){let n=Object.fromEntries(Object.entries({intent:o.intent.trim(),service:o.service.trim()}).filter(([,r])=>r));return{message:e,session_id:t,...o.collections.length>0&&{selected_collections:[...o.collections]},...Object.keys(n).length>0&&{profile:n},...er(o)}}function Zn(e,t,o){return{resume_token:e,session_id:t,...er(o)}}function er(e){let t=e.seconds.trim();return{...t!==""&&{deadline_ms:Math.round(Number(t)*1e3)},...e.explain&&{explain:!0}}}function tr(e){return[e.background,e.explain,e.seconds.trim(),e.intent.trim(),e.service.trim()].filter(Boolean).length}var ya={good:"✓",warn:"!",bad:"✕",plain:"·"};function T({tone:e,sign:t=ya[e],children:o,title:n}){return s`<span class="outcome" data-tone=${e} title=${n}>
    <span aria-hidden="true">${t}</span> ${o}
  </span>`}function G(){return s`<span class="tag demo" title="The demo model answers by rules: this says nothing about a real model">demo</span>`}function te({children:e}){return s`<span class="tag">${e}</span>`}function j({at:e}){return s`<time datetime=${e} title=${rt(e)}>${Wn(e)}</time>`}function $e(e){return`${Be(e.rate)} (${Math.round(e.low*100)}–${Math.round(e.high*100)})`}function Mt({rate:e}){let t={left:`${e.low*100}%`,width:`${Math.max(1,(e.high-e.low)*100)}%`};return s`<span class="rate" title=${`${e.successes} of ${e.tests} tests; 95 % interval`}>
    <span class="number">${$e(e)}</span>
    <span class="interval" aria-hidden="true"><span style=${t}></span><i style=${{left:`${e.rate*100}%`}}></i></span>
  </span>`}function Fe({validation:e,demo:t}){let{badge:o,rate:n}=e;return t?s`<${G} />${n&&s` <small class="number">${$e(n)}</small>`}`:o?s`<span class="badge" title=${o.tooltip}>
    <span aria-hidden="true">${o.symbol}</span> ${o.text}${n&&s` <span class="number">${$e(n)}</span>`}
  </span>`:s`<${T} tone="plain">no tools<//>`}var wa=200;function It(e){return e.title||"Untitled"}function or({session:e,open:t,onOpen:o,onRename:n,onDelete:r}){let[i,a]=h(""),l=D(),c=It(e),d=()=>{a(""),l.clear()},u=m=>{l.run(async()=>{await m(),d()})},f=m=>u(()=>n(e.id,m)),p=()=>u(()=>r(e.id));return s`
    <li class="chat-session" data-open=${t}>
      ${i==="renames"?s`<${ka} title=${c} busy=${l.busy} onKeep=${d} onRename=${f} />`:s`<${va} session=${e} open=${t} onOpen=${o} onDo=${a} />`}
      ${i==="deletes"&&s`<${xa} title=${c} busy=${l.busy} onKeep=${d} onDelete=${p} />`}
      ${l.error&&s`<${S} error=${l.error} />`}
    </li>
  `}function va({session:e,open:t,onOpen:o,onDo:n}){let r=It(e);return s`
    <div class="chat-session-row">
      <button type="button" class="quiet" aria-current=${t?"true":void 0} onClick=${()=>o(e.id)}>
        <span class="chat-title">${r}</span>
        <small><${j} at=${e.updated_at} /> · ${_(e.turns,"turn")}</small>
      </button>
      <button type="button" class="quiet" aria-label=${`Rename ${r}`} onClick=${()=>n("renames")}>✎</button>
      <button type="button" class="quiet" aria-label=${`Delete ${r}`} onClick=${()=>n("deletes")}>✕</button>
    </div>
  `}function ka({title:e,busy:t,onKeep:o,onRename:n}){let r=w(null);return y(()=>r.current?.select(),[]),s`
    <form class="stack" onSubmit=${a=>{a.preventDefault();let l=r.current?.value.trim();l&&n(l)}} onKeyDown=${a=>nr(a,o)}>
      <label class="field">
        Title
        <input ref=${r} defaultValue=${e} maxlength=${wa} required />
      </label>
      <div class="row">
        <button type="submit" disabled=${t}>Rename</button>
        <button type="button" onClick=${o}>Keep it</button>
      </div>
    </form>
  `}function xa({title:e,busy:t,onKeep:o,onDelete:n}){let r=w(null);return y(()=>r.current?.focus(),[]),s`
    <div
      class="notice stack"
      role="group"
      aria-label=${`Delete ${e}`}
      onKeyDown=${i=>nr(i,o)}
    >
      <p>! Delete this session with all its messages? They cannot be brought back.</p>
      <div class="row">
        <button type="button" disabled=${t} onClick=${n}>Delete</button>
        <button type="button" ref=${r} onClick=${o}>Keep it</button>
      </div>
    </div>
  `}function nr(e,t){e.key==="Escape"&&(e.preventDefault(),t())}var Ta=new Set(["tool_not_found","tool_not_allowed","tool_disabled","invalid_arguments","malformed_arguments","repeated_call","too_many_calls","rate_limited","previous_call_unfinished","deadline"]),Sa={stop:{tone:"good",word:"answered",reason:""},tool_calls:{tone:"good",word:"calls tools",reason:""},length:{tone:"warn",word:"cut off",reason:"The answer was cut off: the model's limit of tokens was reached."},content_filter:{tone:"warn",word:"filtered",reason:"The provider's filter stopped the answer."},refusal:{tone:"warn",word:"refused",reason:"The model refused to answer."}},Ca={topic:"topic",search:"search",intent:"intent",model:"model",tool:"tool"};function Me(e,t){let o=[...t],n=e.steps.map((r,i)=>{let a=r.step==="tool"?o.findIndex(l=>Ea(l,r)):-1;return rr(i,r,a<0?void 0:o.splice(a,1)[0])});for(let[r,i]of o.entries()){let a=n.findLastIndex(l=>Oa(l)<=i.iteration);n.splice(a+1,0,rr(e.steps.length+r,void 0,i))}return n}function Ea(e,t){return e.call_id===t.call_id&&e.iteration===t.iteration}function Oa({step:e,call:t}){return e?.iteration??t?.iteration??0}function rr(e,t,o){let n=t?.step??"tool",r=Y(t?.name??o?.tool??"",128),i=n==="tool"||n==="search";return{index:e,step:t,call:o,name:i?r:`${Ca[n]}${n==="model"?` ${t?.iteration}`:""}`,detail:i?"":r,nested:n==="tool",told:Ie(t,o)}}function Ie(e,t){if(t!==void 0)return Ra(t);if(e?.error)return{tone:"bad",word:"failed",reason:`The model failed: ${z(e.error)}.`};let o=Sa[e?.finish_reason??""];return o!==void 0?o:e?.ok?{tone:"good",word:"done",reason:""}:{tone:"bad",word:"failed",reason:"It failed."}}function So({result:e}){return!("error"in e)||!Ta.has(e.error_type)}function Ra(e){let{result:t}=e;return"error"in t?{tone:"bad",word:So(e)?"failed":"not run",reason:Y(`${z(t.error_type)}: ${t.error}`,240)}:{tone:"good",word:"done",reason:""}}function z(e){return e.replaceAll("_"," ")}function Y(e,t){return e.length>t?`${e.slice(0,t)}…`:e}function sr(e){let t=Math.max(1,e.total_ms,...e.steps.map(n=>n.start_ms+n.duration_ms)),o=Aa(t);return{length:t,step:o,ticks:Array.from({length:Math.floor(t/o)+1},(n,r)=>r*o)}}function Aa(e){for(let t=1;;t*=10)for(let o of[1,2,5])if(e/(o*t)<6)return o*t}function ir(e,t){return{left:e.start_ms/t*100,width:e.duration_ms/t*100}}function ar(e,t){return e===0?"0":t>=100&&e>=1e3?`${e/1e3} s`:`${e} ms`}function lr(e,t,o){return Me(e,t).find(n=>n.index===o)}function Nt({label:e,tabs:t,chosen:o,onChoose:n}){let r=Q(),[i,a]=h(t[0]?.name??""),l=o??i,c=Math.max(0,t.findIndex(f=>f.name===l)),d=f=>{a(f),n?.(f)};return s`
    <div class="tabs">
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
  `}var Ma=2e4,Ia=10;function Ne(e){return typeof e=="string"?e:JSON.stringify(e,null,2)??""}function J({value:e,label:t}){let[o,n]=h(1),r=U(()=>Ne(e),[e]),i=r.slice(0,Ma*o),a=r.length-i.length;return s`
    <div class="value">
      <pre tabindex="0" role="region" aria-label=${t}>${i}</pre>
      <div class="row">
        <${Z} text=${r} label="Copy" />
        ${a>0&&s`<button type="button" class="quiet" onClick=${()=>n(o*Ia)}>
            Show more (${E(a)} characters are left out)
          </button>`}
      </div>
    </div>
  `}var Na=128;function at({step:e,call:t}){let o=Ie(e,t),n=Y(e?.name??t?.tool??"",Na);return s`
    <section class="wf-details" aria-label=${`Details of ${n}`}>
      <div class="row">
        <h3 class="mono">${n}</h3>
        <${T} tone=${o.tone}>${o.word}<//>
      </div>
      <${Nt} label=${`What is known of ${n}`} tabs=${Da(e,t)} />
    </section>
  `}function Da(e,t){let o=`${e?.start_ms} ${e?.name} ${t?.iteration} ${t?.call_id}`,n={name:"timing",content:()=>s`<${qa} step=${e} call=${t} />`},r={name:"raw",content:()=>s`<${J} key=${o} value=${{...e&&{step:e},...t&&{call:t}}} label="Raw" />`};return t===void 0?[n,r]:[{name:"arguments",content:()=>s`<${J} key=${o} value=${t.params} label="Arguments" />`},{name:"result",content:()=>s`<${Pa} key=${o} result=${t.result} />`},n,r]}function Pa({result:e}){return"error"in e?s`<div class="stack">
      <p>${z(e.error_type)}</p>
      <${J} value=${e.error} label="Error" />
      ${e.validation_errors&&s`<${J} value=${e.validation_errors} label="What is wrong with the arguments" />`}
    </div>`:s`<div class="stack">
    ${e.truncated&&s`<p class="notice">! The result was larger: this is the part that the answer keeps.</p>`}
    <${J} value=${e.result} label="Result" />
  </div>`}function qa({step:e,call:t}){let o=[...La(e),...Ha(e,t)];return s`<dl class="wf-facts">
    ${o.map(([n,r])=>s`
        <dt>${n}</dt>
        <dd>${r}</dd>
      `)}
  </dl>`}function La(e){return e===void 0?[["Iteration","it did not begin"]]:[["Iteration",e.iteration===0?"before the first":String(e.iteration)],["Began after",A(e.start_ms)],["Took",A(e.duration_ms)],["Ended after",A(e.start_ms+e.duration_ms)],...it("Answered by",e.demo&&"the demo model, not a real one"),...it("Tokens",e.total_tokens&&E(e.total_tokens)),...it("Finish reason",e.finish_reason),...it("Error",e.error&&z(e.error))]}function Ha(e,t){return t===void 0?[]:[...e===void 0?it("In iteration",String(t.iteration)):[],["Execution time",A(t.result.execution_time_ms)],["Call",t.call_id]]}function it(e,t){return t?[[e,t]]:[]}function Dt({timings:e,calls:t,selected:o,onSelect:n}){let r=Me(e,t),i=sr(e),a=i.ticks.filter(d=>d/i.length<.9),l=r.findIndex(d=>d.index===o),c=d=>{let u=r[Ba(d.key,l,r.length)];u===void 0||d.ctrlKey||d.metaKey||d.altKey||(d.preventDefault(),n(u.index),d.currentTarget.children.item(r.indexOf(u))?.focus())};return s`
    <div class="wf" style=${{"--wf-tick":`${i.step/i.length*100}%`}}>
      <div class="wf-head" aria-hidden="true">
        <span>Step</span>
        <span class="wf-axis">
          ${a.map(d=>s`<span style=${{left:`${d/i.length*100}%`}}>${ar(d,i.step)}</span>`)}
        </span>
        <span class="number">Time</span>
        <span class="number">Tokens</span>
        <span>Outcome</span>
      </div>
      <div role="listbox" aria-label="What ran, in order of its start" onKeyDown=${c}>
        ${r.map((d,u)=>s`
            <div
              key=${d.index}
              role="option"
              class=${d.nested?"wf-row wf-nested":"wf-row"}
              aria-selected=${d.index===o}
              tabindex=${u===Math.max(0,l)?0:-1}
              onClick=${()=>n(d.index)}
            ><${Wa} row=${d} length=${i.length} /></div>
          `)}
      </div>
    </div>
  `}function Ba(e,t,o){switch(e){case"ArrowDown":return t+1;case"ArrowUp":return t-1;case"Home":return 0;case"End":return o-1;case"Enter":case" ":return Math.max(0,t);default:return-1}}function Wa({row:e,length:t}){let{step:o,told:n}=e;return s`
    <span class="wf-name" title=${e.detail||e.name}>
      ${e.name}${e.detail&&s` <small>${e.detail}</small>`}${o?.demo&&s` <${G} />`}
    </span>
    <span class="wf-track">${o&&s`<${Fa} row=${e} length=${t} step=${o} />`}</span>
    <span class="wf-time number">${o?A(o.duration_ms):"–"}</span>
    <span class="wf-tokens number">
      ${o?.total_tokens?s`${_(o.total_tokens,"token")}`:s`<span aria-hidden="true"></span>`}
    </span>
    <span class="wf-outcome"><${T} tone=${n.tone}>${n.word}<//></span>
    ${n.reason&&s`<span class="wf-reason">${n.reason}</span>`}
  `}function Fa({row:e,step:t,length:o}){let{left:n,width:r}=ir(t,o),i={left:`min(${n}%, 100% - var(--wf-least))`,width:`max(${r}%, var(--wf-least))`};return s`<span class="wf-bar" data-kind=${t.step} data-tone=${e.told.tone} style=${i}></span>`}var cr=200;function Pt({rules:e}){return s`
    <div class="scroll" tabindex="0" role="region" aria-label="Rules tried">
      <table>
        <caption>Rules tried, in order</caption>
        <thead>
          <tr>
            <th scope="col">Rule</th>
            <th scope="col">Outcome</th>
            <th scope="col">Conditions</th>
          </tr>
        </thead>
        <tbody>
          ${e.map(t=>s`
              <tr>
                <th scope="row">${t.rule}</th>
                <td>
                  <${T} tone=${t.matched?"good":"plain"}>${t.matched?"answers":"passed over"}<//>
                </td>
                <td><${Va} rule=${t} /></td>
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}function Va({rule:e}){return e.conditions.length===0?e.fallback?"none: it answers when no other rule does":"none":e.conditions.map(({condition:t,expected:o,actual:n,holds:r})=>s`
      <div>
        <${T} tone=${r?"good":"bad"}>${r?"holds":"fails"}<//>
        ${" "}<code>${t}</code> ${ur(o)}${!r&&s` <small>(is ${ur(n)})</small>`}
      </div>
    `)}function qt({tools:e}){return e.length===0?s`<p>No tools are configured.</p>`:s`
    <div class="scroll" tabindex="0" role="region" aria-label="Tools offered">
      <table>
        <caption>Tools</caption>
        <thead>
          <tr>
            <th scope="col">Tool</th>
            <th scope="col">Offered</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          ${e.map(({tool:t,offered:o,reason:n})=>s`
              <tr>
                <th scope="row" class="mono">${t}</th>
                <td><${T} tone=${o?"good":"plain"}>${o?"offered":"not offered"}<//></td>
                <td>${n}</td>
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}function ur(e){if(e==null)return"nothing";let t=Ne(e);return t.length>cr?`${t.slice(0,cr)}…`:t}var ja={match:"good",partial:"warn",none:"plain"};function dr({rag:e}){let{documents:t,skipped:o,result:n}=e,r=s`
    ${_(t.length,"document")} ·
    ${" "}<${T} tone=${ja[n]}>${n==="none"?"no match":n}<//>
    ${o.length>0&&s` · <${T} tone="warn">${_(o.length,"collection")} skipped<//>`}
  `;return s`
    <${P} summary=${r}>
      ${t.length>0&&s`<${Ga} documents=${t} />`}
      ${t.length===0&&s`<p>Nothing in the selected collections was near enough.</p>`}
      ${o.map(({collection:i,reason:a})=>s`<p>! <code>${i}</code> was skipped: ${a}</p>`)}
    <//>
  `}function Ga({documents:e}){return s`
    <div class="scroll" tabindex="0" role="region" aria-label="Documents">
      <table>
        <caption>Documents, as the model had them</caption>
        <thead>
          <tr>
            <th scope="col" class="number">Distance</th>
            <th scope="col">Title</th>
            <th scope="col">Source</th>
            <th scope="col">Collection</th>
          </tr>
        </thead>
        <tbody>
          ${e.map(t=>s`
              <tr>
                <td class="number">${me(t.distance)}</td>
                <td>${t.title}</td>
                <td>${t.source}</td>
                <td>${t.service}/${t.collection}</td>
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}function mr({explain:e}){return s`
    <dl class="chat-facts">
      <dt>Topic</dt>
      <dd>${e.topic?s`<${Ua} topic=${e.topic} />`:"not detected: the phase is off"}</dd>
      <dt>Intent</dt>
      <dd>${e.intent?s`<${Ka} intent=${e.intent} />`:"not asked for: the phase is off"}</dd>
      <dt>History</dt>
      <dd>${_(e.history_messages,"message")}</dd>
    </dl>
    <h3>Profile</h3>
    <${J} value=${e.profile} label="Profile" />
    <${Pt} rules=${e.rules} />
    <${qt} tools=${e.tools} />
    <h3>System prompt</h3>
    <${J} value=${e.system_prompt} label="System prompt" />
  `}function Ua({topic:e}){return s`${z(e.topic_status)}: ${e.topic_summary} <${fr} phase=${e} />`}function Ka({intent:e}){return s`
    ${e.intent??"none"} (${z(e.source)})
    ${e.candidates.length>0&&s`<small>of ${e.candidates.join(", ")}</small>`}
    ${" "}<${fr} phase=${e} />
  `}function fr({phase:e}){return s`
    <small>${e.model&&`${e.model}, `}${A(e.duration_ms)}</small>
    ${e.error&&s` <${T} tone="bad">${e.error}<//>`}
  `}var za=120;function pr({calls:e,told:t}){let o=e.filter(n=>!n.result.success).length;return s`
    ${e.length>0&&s`<${P}
        summary=${s`
          ${_(e.length,"tool call")}
          ${o>0&&s` · <${T} tone="bad">${o} failed<//>`}
        `}
      >
        ${e.map(n=>s`<${Ja} key=${`${n.iteration} ${n.call_id}`} call=${n} />`)}
      <//>`}
    ${t&&s`<${P} summary="Timeline"><${Xa} told=${t} /><//>`}
    ${t?.rag&&s`<${dr} rag=${t.rag} />`}
    ${t?.explain&&s`<${P} summary="Why it was answered this way"><${mr} explain=${t.explain} /><//>`}
  `}function Ja({call:e}){let{tone:t,word:o}=Ie(void 0,e),n=s`
    <code>${Y(`${e.tool}(${Ya(e.params)})`,za)}</code>
    ${" "}<${T} tone=${t}>${o}<//>
    ${" "}<small class="number">${A(e.result.execution_time_ms)}</small>
  `;return s`<${P} summary=${n}><${at} step=${void 0} call=${e} /><//>`}function Ya(e){return typeof e=="string"?e:Object.entries(e).map(([t,o])=>`${t}: ${Ne(JSON.stringify(o))}`).join(", ")}function Xa({told:e}){let[t,o]=h(-1),n=Me(e.timings,e.tool_calls).find(r=>r.index===t);return s`
    <${Dt} timings=${e.timings} calls=${e.tool_calls} selected=${t} onSelect=${o} />
    ${n&&s`<${at} key=${t} step=${n.step} call=${n.call} />`}
  `}function $r({answer:e,told:t,spent:o,onResume:n}){let r=e?.status==="partial",i=e&&!r?pe(e).reason:"",a=[...i?[i]:[],...t?el(t):[]];return a.length===0&&!r?null:s`
    <div class="notice stack">
      ${r&&s`<p><strong>! The answer is partial.</strong> ${Za(t)}</p>`}
      ${a.map(l=>s`<p>! ${l}</p>`)}
      ${r&&s`<${Qa} told=${t} spent=${o} onResume=${n} />`}
    </div>
  `}function Qa({told:e,spent:t,onResume:o}){return t?s`<p>What it goes on with was used: it is good for one answer. Send a new message instead.</p>`:e?e.resume_token?s`<div class="row">
    <button type="button" disabled=${!o} onClick=${o}>Go on</button>
    <small>within an hour; tools that have run are not run again</small>
  </div>`:s`<p>It could not be stored to go on from. Send a new message instead.</p>`:s`<p>Only the visit that got it can go on from it. Send a new message instead.</p>`}function Za(e){if(!e)return"Time or the model gave out before it was done.";let o=e.tool_calls.length>0?" What its tools found so far is below.":"";return e.error?`The model failed (${z(e.error.type)}): ${e.error.message}.${o}`:`Time was up before it was done.${o}`}function el(e){let{fallback:t,session:o}=e;return[...Lt(t,()=>`${e.model} answered instead of ${t?.instead_of}: ${z(t?.reason??"")}.`),...Lt(e.deadline_reached,()=>"Time was short: the model was asked for its answer without more tools."),...Lt(e.max_tool_calls_reached&&e.outcome!=="tool_call_limit",()=>"The limit on tool calls was reached: no more tools could be called."),...Lt(o?.saved===!1,()=>`This is not in the session: ${o?.problem??"it could not be written"}.`)]}function Lt(e,t){return e?[t()]:[]}var tl=2e4,ol=10;function hr({turn:e,open:t,spent:o,onResume:n}){let{question:r,at:i,remarks:a,calls:l,answer:c,told:d}=e;return s`
    <article class="chat-turn" tabindex="-1" aria-label=${e.number?`Turn ${e.number}`:"Turn that is not in the session"}>
      ${r!==void 0&&s`<${Eo} text=${r} at=${i} />`}
      <div class="chat-answer">
        ${c&&s`<${nl} answer=${c} told=${d} />`}
        ${a.map(u=>s`<div class="chat-remark"><${Co} text=${u} /></div>`)}
        ${c&&s`<${Co} text=${c.content||"(an empty answer)"} />`}
        ${!c&&!t&&s`<p><${T} tone="warn">There is no answer to this message, or not yet.<//></p>`}
        <${$r} answer=${c} told=${d} spent=${o} onResume=${n} />
        <${pr} calls=${l} told=${d} />
      </div>
    </article>
  `}function Eo({text:e,at:t}){return s`
    <div class="chat-question">
      <div class="row spread">
        <strong>You</strong>
        ${t&&s`<small><${j} at=${t} /></small>`}
      </div>
      <${Co} text=${e} />
    </div>
  `}function nl({answer:e,told:t}){let o=t?.usage.cost_usd,n=pe(e);return s`
    <div class="row chat-head">
      <strong>${e.model}</strong>
      ${e.demo&&s`<${G} />`}
      <${T} tone=${n.tone} sign=${n.sign}>${n.title}<//>
      <${te}>service ${e.service}<//>
      ${e.rule&&s`<${te}>rule ${e.rule}<//>`}
      <small>
        <${j} at=${e.at} />
        ${t&&` · ${A(t.timings.total_ms)} · ${_(t.usage.total_tokens,"token")}`}
        ${typeof o=="number"&&` · ${ae(o)}`}
      </small>
    </div>
  `}function Co({text:e}){let[t,o]=h(1),n=e.slice(0,tl*t),r=e.length-n.length;return s`
    <div class="chat-prose">${n}</div>
    ${r>0&&s`<button type="button" class="quiet" onClick=${()=>o(t*ol)}>
        Show more (${E(r)} characters are left out)
      </button>`}
  `}function _r({list:e,turns:t,from:o,busy:n,used:r,earlier:i,onUnfold:a,onResume:l,children:c}){let d=w(l);d.current=l;let u=U(()=>{let f=t.at(-1);return t.map(p=>{let{told:m}=p;return s`
        <${hr}
          key=${p.key}
          turn=${p}
          open=${n&&p===f}
          spent=${r.includes(m?.resume_token??"")}
          onResume=${m&&p===f&&!n?()=>d.current(m):void 0}
        />
      `})},[t,n,r]);return s`
    ${o>1&&s`<div class="row">
        <button type="button" disabled=${i.busy} onClick=${i.show}>Show earlier messages</button>
        ${i.busy&&s`<${R} what="reading earlier messages" since=${i.since} />`}
      </div>`}
    ${i.error&&s`<${S} error=${i.error} onRetry=${i.show} />`}
    <div class="chat-turns" ref=${e} onClickCapture=${a}>
      ${u} ${c}
    </div>
  `}function gr(e,t){let o=[...sl(e).values()].map(a=>il(a,t)),n=new Set(o.map(a=>a.answer?.requestId)),r=t.findLastIndex(({answer:a})=>n.has(a.request_id));return t.filter(({answer:a},l)=>!n.has(a.request_id)&&(l>r||a.session?.saved===!1)).reduce(rl,o)}function rl(e,t){let o=e.at(-1),n=o!==void 0&&!o.answer&&(t.question===""||t.question===o.question),r=e.find(d=>t.replaces&&d.answer?.requestId===t.replaces)??(n&&o),i=ll(t);if(!r)return[...e,i];let{number:a,question:l,at:c}=r;return e.map(d=>d===r?{...i,number:a,question:l,at:c}:d)}function sl(e){let t=new Map;for(let o of e){let n=t.get(o.turn);n?n.push(o):t.set(o.turn,[o])}return t}function il(e,t){let o=e.find(a=>a.role==="user"),n=e.find(a=>a.role==="assistant"&&a.service),r=e.filter(a=>a!==o&&a!==n),i=n&&al(n);return{key:i?.requestId||`turn ${e[0]?.turn}`,number:e[0]?.turn,question:o?.content,at:e[0]?.at??"",remarks:r.map(a=>a.content).filter(a=>a.trim()!==""),calls:e.flatMap(a=>a.tool_calls),answer:i,told:t.find(a=>a.answer.request_id===i?.requestId)?.answer}}function al(e){return{content:e.content,at:e.at,model:e.model??"",service:e.service??"",rule:e.rule??"",status:e.status??"complete",outcome:e.outcome??void 0,demo:e.demo??!1,requestId:e.request_id??""}}function ll({question:e,at:t,answer:o}){return{key:o.request_id,number:void 0,question:e||void 0,at:t,remarks:[],calls:o.tool_calls,answer:{content:o.content,at:t,model:o.model,service:o.service,rule:o.rule??"",status:o.status,outcome:o.outcome,demo:o.demo??!1,requestId:o.request_id},told:o}}function br(e,t,o){return[...e.filter(n=>n.turn<o),...t]}var yr=48,cl=1/3,we=document.documentElement;function wr(){return we.scrollHeight-we.scrollTop-we.clientHeight}function Oo(){we.scrollTop=we.scrollHeight}function vr({session:e,turns:t,added:o,waiting:n}){let r=w(null),i=w(null),a=w(!0),l=w(0),[c,d]=h(!1),u=w({session:"",first:"",answer:"",end:"",waited:!1}),f=t[0]?.key??"",p=t.at(-1)?.answer?.requestId??"",m=`${t.length} ${t.at(-1)?.key} ${o}`,{current:$}=u,b=$.session===e,k=b&&$.first!==f&&t.some(({key:X})=>X===$.first)?i.current?.firstElementChild:void 0,x=k?.getBoundingClientRect().top??0,O=C(()=>d(wr()>yr),[]),I=C(()=>{a.current=!0,Oo(),O()},[O]);ue(()=>{let X=p!==""&&p!==$.answer,H=n||b&&$.waited;u.current={session:e,first:f,answer:p,end:m,waited:H&&!X},b||(a.current=!0),!(b&&$.end===m)&&(k?we.scrollTop+=k.getBoundingClientRect().top-x:a.current&&t.length+o.trim().length>0&&(a.current=!(X&&H&&ul(r.current)),a.current&&Oo()),O())}),y(()=>{let{scrollRestoration:X}=history;history.scrollRestoration="manual";let H=()=>{let ge=we.scrollTop<l.current-1;l.current=we.scrollTop,wr()<=yr?a.current=!0:ge&&(a.current=!1),O()},_e=()=>{a.current&&Oo(),O()},ce=new ResizeObserver(()=>requestAnimationFrame(_e));return r.current&&ce.observe(r.current),addEventListener("scroll",H,{passive:!0}),addEventListener("resize",_e),visualViewport?.addEventListener("resize",_e),()=>{history.scrollRestoration=X,ce.disconnect(),removeEventListener("scroll",H),removeEventListener("resize",_e),visualViewport?.removeEventListener("resize",_e)}},[O]);let ne=C(X=>{X.target instanceof Element&&X.target.closest("summary, button, [role=option]")&&(a.current=!1)},[]),De=()=>{I(),i.current?.querySelector("article:last-of-type")?.focus({preventScroll:!0})};return{chat:r,list:i,isAway:c&&t.length>0,follow:I,jump:De,unfolded:ne}}function ul(e){let t=e?.querySelector("article:last-of-type"),o=t?.querySelector(".chat-answer");if(!t||!o)return!1;let n=dl(document.querySelector("header.frame")),r=innerHeight-n-(e?.querySelector(".chat-composer")?.getBoundingClientRect().height??0),{top:i,height:a}=o.getBoundingClientRect();if(a<=r)return!1;let l=t.getBoundingClientRect().top;return we.scrollTop+=(i-l<r*cl?l:i)-n-8,!0}function dl(e){return e&&getComputedStyle(e).position==="sticky"?e.getBoundingClientRect().height:0}var ml=3e3,fl=31e3;function kr({run:e}){let t=w(performance.now()),o=e&&performance.now()-(Date.now()-new Date(e.created_at).getTime()),n=e?Me({total_ms:0,steps:e.steps},[]):[];return s`
    <section class="chat-run stack" aria-label="Answer in the background">
      <${R} what=${pl(e)} since=${o===void 0?t.current:Math.min(o,performance.now())} />
      ${n.length>0&&s`<ol>
          ${n.map(r=>s`
              <li key=${r.index}>
                ${r.name} ${r.detail&&s`<small>${r.detail}</small>`}
                ${" "}<${T} tone=${r.told.tone}>${r.told.word}<//>
                ${r.step&&s` <small class="number">${A(r.step.duration_ms)}</small>`}
                ${r.told.reason&&s` <small>${r.told.reason}</small>`}
              </li>
            `)}
        </ol>`}
      <small>It goes on when this page is closed; its address brings it back, for a day.</small>
    </section>
  `}function pl(e){return e===void 0?"asking how far the answer is":e.status==="queued"?"waiting for its turn in the background":"being answered in the background"}function xr({open:e,onLook:t}){return y(()=>{if(!e)return;let o=setInterval(()=>!document.hidden&&t(),ml),n=setTimeout(()=>clearInterval(o),fl);return()=>{clearInterval(o),clearTimeout(n)}},[e,t]),s`
    <div class="notice stack" role="status">
      <p>
        ! You stopped waiting; the service may still finish this answer, within half a minute, and keep it in the
        session.${e?" Until then the session takes no other message.":" Above is what the session has by now."}
      </p>
      ${e&&s`<div class="row"><button type="button" onClick=${t}>Look again</button></div>`}
    </div>
  `}function Tr({id:e,chat:t,conversation:o,options:n,onBegin:r}){let i=w(null),{task:a}=t,l=t.sent?.session===e?t.sent:void 0,c=At(n),d=_l(e,t,o),u=t.followed.active||a.busy&&l!==void 0,f=u&&t.waiting?bl(l,d.at(-1)):"",p=vr({session:e,turns:d,added:hl(t,l,f),waiting:u}),m=()=>{t.busy||c!==""||t.draft.trim()===""||(p.follow(),t.send())};return ee([{keys:"/",label:"write a message",run:()=>i.current?.focus()},{keys:"mod+Enter",label:"send it; Enter alone where that is chosen",run:m},{keys:"Escape",label:"cancel what is being answered",run:()=>t.busy&&t.cancel()}]),s`
    <div class="chat" ref=${p.chat}>
      <${wl} conversation=${o} />
      ${o.loading&&!(t.waiting&&l)&&s`<${L} lines=${8} what="the messages" />`}
      ${a.error?.kind!=="offline"&&s`<${$l} conversation=${o} onBegin=${r} />`}
      ${e===""&&s`<${vl} />`}
      <${gl} id=${e} chat=${t} own=${l} conversation=${o} turns=${d} question=${f} answering=${u} follow=${p} />
      <p class="hidden" role="status">${xl(t)}</p>
      <${Jn}
        draft=${t.draft}
        busy=${t.busy}
        waits=${a.busy?kl(l):""}
        since=${a.since}
        hint=${c}
        isAway=${p.isAway}
        onJump=${p.jump}
        field=${i}
        onWrite=${t.write}
        onSend=${m}
        onCancel=${t.cancel}
      />
    </div>
  `}function $l({conversation:e,onBegin:t}){let{error:o,reload:n}=e;return o?Ro(e)?s`<${S} error=${o} onRetry=${t} retry="Begin a new chat" />`:s`<${S} error=${o} onRetry=${n} />`:null}function Ro(e){return e.error?.status===404}function hl({task:e,followed:t},o,n){let r=(o&&e.error)??t.error,i=o&&e.cancelled?"stopped":"";return[n,i,r?.code,r?.message,t.run?.status].filter(Boolean).join(" ")}function _l(e,t,o){let{messages:n}=o,r=Ro(o);return U(()=>{let i=t.told.filter(a=>a.session===e);return r?[]:gr(n,i)},[n,t.told,e,r])}function gl({chat:e,own:t,conversation:o,turns:n,question:r,answering:i,follow:a}){let{followed:l}=e,c=Ro(o),d=n.at(-1),u=f=>{a.follow(),e.resume(f)};return s`
    <${_r}
      list=${a.list}
      turns=${n}
      from=${c?1:o.from}
      busy=${i}
      used=${e.used}
      earlier=${o.earlier}
      onUnfold=${a.unfolded}
      onResume=${u}
    >
      ${r&&s`<${Eo} text=${r} at=${void 0} />`}
      ${l.active&&s`<${kr} run=${l.run} />`}
    <//>
    <${yl}
      chat=${e}
      own=${t!==void 0}
      open=${d?.answer===void 0}
      onLook=${o.reload}
    />
  `}function bl(e,t){return t!==void 0&&t.answer===void 0&&t.question===e?.question?"":e?.question}function yl({chat:e,own:t,open:o,onLook:n}){let{task:r,followed:i}=e,a=(t?r.error:void 0)??i.error;return s`
    ${r.cancelled&&t&&s`<${xr} open=${o} onLook=${n} />`}
    ${i.run?.status==="cancelled"&&s`<p class="notice">! This answer was cancelled; what it had is discarded.</p>`}
    ${a&&s`<${S} error=${a} onRetry=${i.active?i.retry:void 0} />`}
  `}function wl({conversation:e}){let{session:t}=e;return t?s`
    <div>
      <h2>${It(t)}</h2>
      <small>${t.topic&&s`Topic: ${t.topic} · `}${_(t.turns,"turn")}</small>
    </div>
  `:s`<h2>${e.id?"Chat":"New chat"}</h2>`}function vl(){return s`
    <${ye} title="Talk to the service as an application does">
      <p>
        It remembers the conversation, chooses model and prompt by its rules, and calls tools. Under each answer stands
        who gave it and how it came about.
      </p>
      <p>Write a message below to begin a session, such as <q>What is 15% of 45?</q></p>
    <//>
  `}function kl(e){return e===void 0?"waiting for the answer in another session":e.background?"handing the message over":"waiting for the answer"}function xl({told:e,busy:t}){let o=e.at(-1)?.answer;if(t||!o)return"";let n=_(o.tool_calls.length,"tool call");return`${o.model}: ${pe(o).title} in ${A(o.timings.total_ms)}, ${n}`}function Cr({options:e,onChange:t}){let o=ie(),n=r=>()=>t({[r]:!e[r]});return s`
    <label class="check">
      <input type="checkbox" checked=${e.background} onChange=${n("background")} />
      Answer in the background, for up to 15 minutes
    </label>
    ${o&&s`<label class="check">
        <input type="checkbox" checked=${e.explain} onChange=${n("explain")} />
        Explain the answer
      </label>`}
    <${Tl} options=${e} onChange=${t} />
    <${P} summary="More">
      <${Sr} label="Intent" name="intent" options=${e} onChange=${t} />
      <${Sr} label="Service" name="service" options=${e} onChange=${t} />
      <small>Fields of the profile that response rules match on.</small>
    <//>
  `}function Tl({options:e,onChange:t}){let o=Q(),n=At(e);return s`
    <label class="field">
      Deadline in seconds
      <input
        type="number"
        inputmode="decimal"
        min="1"
        max=${Rt(e)}
        step="any"
        placeholder=${e.background?"600":"28"}
        aria-invalid=${n?"true":void 0}
        aria-describedby=${n?o:void 0}
        value=${e.seconds}
        onInput=${r=>t({seconds:r.currentTarget.value})}
      />
    </label>
    ${n&&s`<p id=${o} class="problem-text" role="alert">✕ ${n}</p>`}
  `}function Sr({label:e,name:t,options:o,onChange:n}){return s`
    <label class="field">
      ${e}
      <input
        value=${o[t]}
        spellcheck=${!1}
        autocomplete="off"
        onInput=${r=>n({[t]:r.currentTarget.value})}
      />
    </label>
  `}function Er({options:e,onChange:t}){let{data:o,error:n,loading:r,reload:i}=Ot(),a=l=>e.collections.includes(l)?e.collections.filter(c=>c!==l):[...e.collections,l];return n?s`<${S} error=${n} onRetry=${i} />`:!o&&r?s`<${L} lines=${2} what="the collections" />`:o?.collections.length?s`
    <fieldset class="chat-collections">
      <legend>Search first in</legend>
      ${o.collections.map(({name:l,metadata:c,documents:d})=>s`
          <label class="check" key=${l}>
            <input
              type="checkbox"
              checked=${e.collections.includes(l)}
              onChange=${()=>t({collections:a(l)})}
            />
            <span>${c.display_name||l} <small>${_(d,"document")}</small></span>
          </label>
        `)}
    </fieldset>
  `:s`<small>There is no collection. The view Retrieval says how to fill one.</small>`}function Or({sessions:e,open:t,onOpen:o,onDeleted:n}){let r=w(null),i=async a=>{await e.remove(a),r.current?.focus(),n(a)};return s`
    <div class="chat-sessions" tabindex="-1" ref=${r} role="region" aria-label="Sessions">
      ${e.error&&s`<${S} error=${e.error} onRetry=${e.reload} />`}
      ${!e.sessions&&e.loading&&s`<${L} lines=${4} what="your sessions" />`}
      ${e.sessions?.length===0&&s`<small>None yet: a session begins with its first message.</small>`}
      ${e.sessions&&e.sessions.length>0&&s`<ul>
          ${e.sessions.map(a=>s`
              <${or}
                key=${a.id}
                session=${a}
                open=${a.id===t}
                onOpen=${o}
                onRename=${e.rename}
                onDelete=${i}
              />
            `)}
        </ul>`}
      ${e.more&&s`<${Sl} loading=${e.loading} onMore=${e.showMore} />`}
    </div>
  `}function Sl({loading:e,onMore:t}){let o=w(0);return s`<div class="row">
    <button type="button" class="quiet" disabled=${e} onClick=${()=>{o.current=performance.now(),t()}}>Show more</button>
    ${e&&o.current>0&&s`<${R} what="asking for more sessions" since=${o.current} />`}
  </div>`}var Ao={draft:"",sent:void 0,waiting:!1,used:[],told:[]};function Rr(e,t,o){let{sent:n}=e,r=n?.session===t&&e.waiting?n:void 0,i=e.told.find(c=>c.answer.request_id===r?.replaces),a=e.told.filter(c=>c!==i&&c.answer.request_id!==o.request_id),l=i?.question??r?.question??"";return{...e,waiting:r?!1:e.waiting,used:r?.token?[...e.used,r.token]:e.used,told:[...a,{session:t,question:l,at:new Date().toISOString(),replaces:r?.replaces??"",answer:o}]}}function Ht(e){if(!e.waiting)return e;let t=[e.sent?.question,e.draft].filter(Boolean).join(`

`);return{...e,waiting:!1,draft:t}}function Ar(e,t){return t?{...e,used:[...e.used,t]}:e}var Cl=500,El=2e3,Ol=1.4;function Bt({status:e}){return e==="queued"||e==="running"}function Rl(e){if(!e?.error)return;let{error:t,message:o,request_id:n,details:r}=e.error;return new K("failed",o,{code:t,requestId:n,details:r??[]})}function Mr(e){let t=V(),[o,n]=h({id:e,run:void 0,error:void 0}),[r,i]=h(0);y(()=>{if(e==="")return;let u=new AbortController;return n(f=>f.id===e?{...f,error:void 0}:{id:e,run:void 0,error:void 0}),Al(e,u.signal,f=>n(p=>({...p,error:void 0,...f}))),()=>u.abort()},[e,t,r]);let a=C(async()=>{try{let u=await v.cancelRun(e);n(f=>f.id===e?{...f,run:u}:f)}catch(u){if(!(u instanceof K))throw u;n(f=>f.id===e?{...f,error:u}:f)}},[e]),l=o.id===e?o:{id:e,run:void 0,error:void 0},{run:c}=l,d=l.error?.status===404||c!==void 0&&!Bt(c);return{...l,error:l.error??Rl(c),active:e!==""&&!d,cancel:a,retry:C(()=>i(u=>u+1),[])}}async function Al(e,t,o){for(let n=Cl;;n=Math.min(El,n*Ol)){if(await Il(t),t.aborted)return;let r=await Ml(e,t,o);if(t.aborted||!r)return;await Nl(n,t)}}async function Ml(e,t,o){try{let n=await v.run(e,t);return o({run:n}),Bt(n)}catch(n){if(t.aborted)return!1;if(!(n instanceof K))throw n;return o({error:n}),n.kind==="offline"||n.kind==="failed"}}function Il(e){return new Promise(t=>{if(!document.hidden||e.aborted)return t();document.addEventListener("visibilitychange",()=>t(),{once:!0,signal:e}),e.addEventListener("abort",()=>t(),{once:!0})})}function Nl(e,t){return new Promise(o=>{let n=setTimeout(o,e);t.addEventListener("abort",()=>(clearTimeout(n),o()),{once:!0})})}var Dl=12,Pl="resume_token_in_use";function Ir(e,t,o){let n=V(),[r,i]=h(Ao);y(()=>i(({draft:$})=>({...Ao,draft:$})),[n]);let a=D(),l=Mr(t),c=w(new Set),d=C(($,b)=>{i(g=>Rr(g,$,b))},[]),{run:u}=l;y(()=>{u===void 0||Bt(u)||(u.answer?d(e,u.answer):i($=>$.sent?.session===e?Ht($):$))},[u,e,d]);let f=($,b)=>{c.current.add($.session),i(g=>({...g,sent:$,waiting:!0,draft:$.question?"":g.draft})),F("chat",{session:$.session},{replace:e!==""}),a.run(async g=>{try{if($.background){let{id:k}=await v.startChat(b,g);Pe().params.session===$.session&&F("chat",{session:$.session,run:k},{replace:!0})}else d($.session,await v.chat(b,g))}catch(k){throw i(x=>ql(k)?Ar(Ht(x),$.token):Ht(x)),k}})},p=()=>{let $=e||Ll(),b=r.draft.trim(),{background:g}=o;f({session:$,question:b,background:g,replaces:"",token:""},Qn(b,$,o))},m=({request_id:$,resume_token:b})=>{if(!b)return;let{background:g}=o;f({session:e,question:"",background:g,replaces:$,token:b},Zn(b,e,o))};return{...r,task:a,followed:l,busy:a.busy||l.active,fresh:c.current.has(e)||t!=="",found:C($=>{c.current.delete($)},[]),write:C($=>i(b=>({...b,draft:$})),[]),send:p,resume:m,cancel:()=>a.busy?a.cancel():void l.cancel()}}function ql(e){return e instanceof K&&e.kind==="refused"&&e.code!==Pl}function Ll(){let e=crypto.getRandomValues(new Uint8Array(Dl));return Array.from(e,t=>t.toString(16).padStart(2,"0")).join("")}var Nr=40,Hl=100,Mo=e=>({id:e,session:void 0,messages:[],from:1});function Dr(e,{held:t,running:o,fresh:n}){let r=V(),[i,a]=h(()=>Mo(e)),l=i.id===e?i:Mo(e),c=w(l);c.current=l;let d=w(n);d.current=n;let u=D(),f=D(),{run:p,cancel:m}=u,$=C(()=>p(async k=>{e!==""&&a(await Bl(e,c.current,{fresh:d.current,signal:k}))}),[p,e]);y(()=>(t||$(),m),[$,m,t,o,r]);let b=f.run,g=C(()=>b(async k=>{let{from:x}=c.current,O=Math.max(1,x-Nr),I=await Pr(e,O,x,k);a(ne=>ne.id===e?{...ne,messages:[...I,...ne.messages],from:O}:ne)}),[b,e]);return{...l,loading:e!==""&&u.busy&&l.session===void 0,error:u.error,reload:$,earlier:{busy:f.busy,since:f.since,error:f.error,show:g}}}async function Bl(e,t,{fresh:o,signal:n}){let r=await Wl(e,o&&t.session===void 0,n);if(r===void 0)return Mo(e);let i=Math.max(1,r.turns-Nr+1),a=t.session?.created_at===r.created_at,l=a?Math.min(i,t.messages.at(-1)?.turn??i):i,c=await Pr(e,l,1/0,n);return{id:e,session:r,messages:a?br(t.messages,c,l):c,from:a?Math.min(t.from,l):l}}async function Wl(e,t,o){try{return await v.session(e,o)}catch(n){if(t&&n instanceof K&&n.status===404)return;throw n}}async function Pr(e,t,o,n){let r=[],i;do{let a=await v.messages(e,{limit:Hl,cursor:i,fromTurn:t,signal:n});r.push(...a.messages),i=a.cursor??void 0}while(i!==void 0&&(r.at(-1)?.turn??0)<o);return r.filter(a=>a.turn<o)}function qr(e,{known:t,deleted:o,whole:n}){let r=e.at(-1),i=new Map(e.map(a=>[a.id,a]));for(let a of t.values()){let l=i.get(a.id);(l?a.updated_at>=l.updated_at:n||!r||a.updated_at>r.updated_at)&&i.set(a.id,a)}return[...i.values()].filter(a=>!o.has(a.id)).sort((a,l)=>+(a.updated_at<l.updated_at)-+(a.updated_at>l.updated_at))}var Fl=20,Lr=()=>({known:new Map,deleted:new Set,pages:1});function Hr(){let e=V(),[t,o]=h(Lr);y(()=>o(Lr),[e]);let n=de(u=>Vl(t.pages,u),[t.pages]),r=C(u=>{o(f=>({...f,known:new Map(f.known).set(u.id,u)}))},[]),i=C(async(u,f)=>r(await v.renameSession(u,f)),[r]),a=C(async u=>{await v.deleteSession(u),o(f=>({...f,deleted:new Set(f.deleted).add(u)}))},[]),l=C(()=>o(u=>({...u,pages:u.pages+1})),[]),{data:c}=n,d=U(()=>c&&qr(c.sessions,{...t,whole:!c.cursor}),[c,t]);return{...n,sessions:d,more:!!c?.cursor,showMore:l,learn:r,rename:i,remove:a}}async function Vl(e,t){let o=[],n;for(let r=0;r<e;r+=1){let i=await v.sessions({limit:Fl,cursor:n,signal:t});if(o.push(...i.sessions),n=i.cursor??void 0,n===void 0)break}return{sessions:o,cursor:n}}var Io=matchMedia("(width >= 800px)");function Br({place:e}){let{session:t="",run:o=""}=e.params,[n,r]=h(Xn),i=Hr(),a=Ir(t,o,n),l=Dr(t,{held:a.busy&&a.waiting&&a.sent?.session===t,running:a.followed.active,fresh:a.fresh}),{learn:c}=i,{found:d}=a;y(()=>{l.session&&(c(l.session),d(l.session.id))},[l.session,c,d]);let u=C(b=>r(g=>({...g,...b})),[]),f=()=>F("chat"),p=tr(n),m=n.collections.length,$=s`
    <button type="button" onClick=${f}>New chat</button>
    <${P} open=${Io.matches} summary=${s`<h2>Sessions</h2>`}>
      <${Or}
        sessions=${i}
        open=${t}
        onOpen=${b=>b!==t&&F("chat",{session:b})}
        onDeleted=${b=>b===t&&f()}
      />
    <//>
    <${P}
      open=${Io.matches}
      summary=${s`<h2>Collections</h2>${m>0&&s` <small>${m} chosen</small>`}`}
    >
      <${Er} options=${n} onChange=${u} />
    <//>
    <${P}
      open=${Io.matches}
      summary=${s`<h2>Options</h2>${p>0&&s` <small>${p} chosen</small>`}`}
    >
      <${Cr} options=${n} onChange=${u} />
    <//>
  `;return s`
    <${fe} title="Chat" choose=${$}>
      <${Tr} id=${t} chat=${a} conversation=${l} options=${n} onBegin=${f} />
    <//>
  `}var jl={tone:"good",word:"live"},Wr={tone:"plain",word:"switched off"},Wt={tone:"bad",word:"not used"},Gl={tone:"warn",word:"has a problem"};function No({disabled:e,tools:t,tool_settings:{disabled_types:o}}){let n=new Set(e.map(({kind:i,name:a})=>`${i} ${a}`)),r=new Set(t.filter(({enabled:i,type:a})=>i===!1||a&&o.includes(a)).map(({name:i})=>i));return(i,{name:a,problems:l})=>i==="tool"&&r.has(a)?Wr:n.has(`${i} ${a}`)?Wt:l.length>0?Gl:jl}function Fr(e){let t=No(e),{rules:o,tools:n,llms:r,services:i,phases:a,validation:l}=e,d=[["rule",o],["tool",n],["llm",r],["service",i],["phase",Object.entries(a).map(([f,p])=>({name:f,problems:p?.problems??[]}))],["schedule",[{name:"validation",problems:l.problems}]]].flatMap(([f,p])=>p.filter(({problems:m})=>m.length>0).map(m=>({kind:f,name:m.name,problems:m.problems,state:t(f,m)}))),u=new Set(d.map(({kind:f,name:p})=>`${f} ${p}`));for(let{kind:f,name:p,problems:m}of e.disabled)u.has(`${f} ${p}`)||d.push({kind:f,name:p,problems:m,state:Wt});return d.filter(({state:f})=>f!==Wr).sort((f,p)=>+(p.state===Wt)-+(f.state===Wt))}function Do(e,t){let o=e.filter(({kind:n})=>t.includes(n)).length;return o>0?` ! ${o}`:""}function Vr(e){return Object.entries(e).map(([t,o])=>{let n=typeof o=="string"?o:JSON.stringify(o);return t.endsWith("_regexp")?{field:t.slice(0,-7),relation:"matches",value:n}:t.endsWith("_contains")?{field:t.slice(0,-9),relation:"contains",value:n}:t==="rag_results"&&o==="any"?{field:t,relation:"is",value:"match or partial"}:{field:t,relation:"is",value:n}})}var Ul=200;function Ft({tool:e}){let t=s`
    <span class="tool-head">
      <strong class="mono">${e.name}</strong>
      <${te}>${Ne(e.implementation.type)}<//>
    </span>
    <span class="tool-line">${Y(e.description,Ul)}</span>
  `;return s`<li class="tool-card">
    <${P} summary=${t}>
      <p><${T} tone="good">enabled<//></p>
      <${J} value=${e.description} label=${`Description of ${e.name}`} />
      <${J} value=${e.parameters} label=${`Parameters of ${e.name}`} />
    <//>
  </li>`}function Vt({tool:e}){return s`<li class="tool-card tool-disabled">
    <span class="tool-head">
      <strong class="mono">${e.name}</strong>
      <${T} tone="warn">disabled<//>
    </span>
    <ul>${e.problems.map(t=>s`<li>${t}</li>`)}</ul>
  </li>`}var jr=`flexchat tokens create --stage ${Se} --name "an operator" --role operator`;function Gr(){return s`
    <div class="notice stack" role="status">
      <h2>! This token may not see the configuration</h2>
      <p>Rules, services and settings are for tokens with the role <strong>operator</strong>. Whoever deploys makes one:</p>
      <p><code>${jr}</code></p>
      <div class="row">
        <${Z} text=${jr} label="Copy the command" />
        <button type="button" onClick=${()=>Re("")}>Enter another token</button>
      </div>
    </div>
  `}function Ur(){return s`
    <section class="stack" aria-label="Tools"><h2>Tools</h2><${Kl} /></section>
    <section class="stack" aria-label="Models"><h2>Models</h2><${zl} /></section>
  `}function Kl(){let{data:e,error:t,reload:o}=Et(),n=e?.disabled.filter(({kind:r})=>r==="tool")??[];return t?s`<${S} error=${t} onRetry=${o} />`:e?e.tools.length+n.length===0?s`<p>No tool is configured: the models answer without.</p>`:s`
    <ul class="tool-cards">
      ${n.map(r=>s`<${Vt} key=${`off ${r.name}`} tool=${r} />`)}
      ${e.tools.map(r=>s`<${Ft} key=${r.name} tool=${r} />`)}
    </ul>
  `:s`<${L} lines=${6} what="the tools" />`}function zl(){let{data:e,error:t,reload:o}=He(),[n]=h(()=>performance.now());return t?s`<${S} error=${t} onRetry=${o} />`:e?s`
    ${e.errors.map(({llm:r,error:i})=>s`<p>! <code>${r}</code> could not be asked: ${i}</p>`)}
    ${e.models.length===0?s`<p>No model is known.</p>`:s`<${Jl} models=${e.models} />`}
  `:s`<p><${R} what="asking the providers for their models" since=${n} /></p>`}function Jl({models:e}){return s`
    <div class="scroll" tabindex="0" role="region" aria-label="Models">
      <table>
        <caption>Models that may be asked</caption>
        <thead>
          <tr><th scope="col">Model</th><th scope="col">Provider</th><th scope="col">With tools</th><th scope="col">Last tested</th></tr>
        </thead>
        <tbody>
          ${e.map(({id:t,provider:o,validation:n,demo:r})=>s`
              <tr>
                <th scope="row" class="mono">${t}</th>
                <td><${te}>${o}<//></td>
                <td><${Fe} validation=${n} demo=${r} /></td>
                <td>${n.last_tested?s`<${j} at=${n.last_tested} />`:"never"}</td>
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}var qo="conf-intent";function Kr({draft:e,problem:t,busy:o,intents:n,services:r,onDraft:i,onRun:a,onCancel:l}){let c=Q(),d=f=>{f.preventDefault(),a()},u=f=>p=>i({[f]:p.currentTarget.value});return s`
    <form class="stack" onSubmit=${d}>
      <h2>Which rule would answer?</h2>
      <p>Write what a chat would know. What you leave out is as in a chat that found nothing. No model is asked.</p>
      <${Po} id=${qo} label="Intent" value=${e.intent} known=${n} onInput=${u("intent")} />
      <${Po} label="Service" value=${e.service} known=${r} onInput=${u("service")} />
      <${Po} label="Topic" value=${e.topic} known=${[]} onInput=${u("topic")} />
      <label class="field">
        Result of the search
        <select value=${e.rag_results} onChange=${u("rag_results")}>
          <option value="" selected=${e.rag_results===""}>none: nothing near was found</option>
          <option value="partial" selected=${e.rag_results==="partial"}>partial: something near</option>
          <option value="match" selected=${e.rag_results==="match"}>match: it was found</option>
        </select>
      </label>
      <label class="field">
        More fields, as JSON
        <textarea
          class="mono conf-more"
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
        <button type="submit" class="primary" disabled=${o}>Try the rules <small class="conf-keys">${se("mod+Enter")}</small></button>
        ${o&&s`<button type="button" onClick=${l}>Cancel</button>`}
      </div>
    </form>
  `}function Po({id:e,label:t,value:o,known:n,onInput:r}){let i=Q();return s`
    <label class="field">
      ${t}
      <input id=${e} value=${o} list=${i} spellcheck=${!1} autocomplete="off" onInput=${r} />
    </label>
    <datalist id=${i}>${n.map(a=>s`<option value=${a}></option>`)}</datalist>
  `}var zr="flexchat config check";function Jr({configuration:e,faulty:t,loading:o,onReload:n}){let{stage:r,version:i,revision:a,changed_at:l,read_at:c}=e;return s`
    <section class="stack" aria-label="What is live">
      <div class="row spread">
        <h2>What is live</h2>
        <button type="button" class="quiet" disabled=${o} onClick=${n}>Read it again</button>
      </div>
      <p role="status">
        ${t.length===0?s`<${T} tone="good">Everything that is configured can be used.<//>`:s`<${T} tone="bad">${_(t.length,"problem")}<//>`}
      </p>
      <dl class="conf-facts">
        <dt>Stage</dt>
        <dd>${r}</dd>
        <dt>Version</dt>
        <dd><code>${i}</code>${typeof a=="number"&&`, revision ${a}`}</dd>
        ${l&&s`<dt>Changed</dt><dd><${j} at=${l} /> <small>${rt(l)}</small></dd>`}
        ${c&&s`<dt>Read</dt><dd><${j} at=${c} /> <small>${rt(c)}</small></dd>`}
      </dl>
      ${t.length>0&&s`<${Yl} faulty=${t} />`}
    </section>
  `}function Yl({faulty:e}){return s`
    <ul class="conf-problems" aria-label="Problems">
      ${e.map(({kind:t,name:o,problems:n,state:r})=>s`
          <li data-tone=${r.tone}>
            <span class="row"><${te}>${t}<//> <strong>${o}</strong> <${T} tone=${r.tone}>${r.word}<//></span>
            <ul>${n.map(i=>s`<li>${i}</li>`)}</ul>
          </li>
        `)}
    </ul>
    <p>
      Correct the file and push it again; <code>${zr}</code> tells what is wrong with a file.
      <${Z} text=${zr} label="Copy the command" />
    </p>
  `}var Xl=300;function Yr({match:{busy:e,since:t,error:o,cancelled:n,asked:r,matched:i,match:a},onClose:l}){return s`
    <section class="conf-match stack" aria-label="The rule for this profile">
      <div class="row spread">
        <h2>The rule for this profile</h2>
        <button type="button" class="quiet" onClick=${l}>Close</button>
      </div>
      <p><code>${Y(r,Xl)}</code></p>
      ${e&&s`<p><${R} what="trying the rules" since=${t} /></p>`}
      ${o&&s`<${S} error=${o} onRetry=${a} />`}
      ${n&&s`<div class="notice stack" role="status">
          <p>! Cancelled.</p>
          <div class="row"><button type="button" onClick=${a}>Try the rules again</button></div>
        </div>`}
      <div role="status">${i&&s`<${Ql} answer=${i.answer} />`}</div>
      ${i&&s`<${Zl} key=${i.asked} answer=${i.answer} />`}
    </section>
  `}function Ql({answer:{rule:e,llm:t,model:o,fallback:n,problem:r}}){return s`
    ${e&&s`<p class="conf-verdict">
        <${T} tone=${r?"warn":"good"}>Rule <strong>${e}</strong> ${r?"matches":"answers"}<//>, by <code>${t}:${o}</code>
      </p>`}
    ${n&&s`<p><${T} tone="warn">instead of<//> <code>${n.instead_of}</code>: ${n.reason}</p>`}
    ${r&&s`<p><${T} tone="bad">A chat would fail:<//> ${r}</p>`}
  `}function Zl({answer:{rule:e,rules:t,tools:o}}){let n=o.filter(r=>r.offered).length;return s`
    <${Pt} rules=${t} />
    ${e&&s`<${P} open summary=${`${n} of ${o.length} tools would be offered`}>
        <${qt} tools=${o} />
      <//>`}
  `}var ec=["intent","service","topic","rag_results"];function lt({intent:e="",service:t="",topic:o="",rag_results:n="",more:r=""}){return{intent:e,service:t,topic:o,rag_results:n,more:r}}function Xr(e){return e.tried==="yes"}function Lo(e,t){return{...e,...lt({...t}),tried:t===void 0?"":"yes"}}function Ho(e){let{fields:t,problem:o}=tc(e.more);if(t===void 0)return{profile:void 0,problem:o};let n={...t};for(let r of ec){let i=e[r].trim();if(i!==""){if(r in t)return{profile:void 0,problem:`“${r}” stands above as well: write it once.`};n[r]=i}}return{profile:n,problem:""}}function tc(e){if(e.trim()==="")return{fields:{},problem:""};let t;try{t=JSON.parse(e)}catch(o){return{fields:void 0,problem:`This is not JSON yet: ${o instanceof Error?o.message:o}`}}return typeof t!="object"||t===null||Array.isArray(t)?{fields:void 0,problem:'An object of fields is wanted, such as {"plan": "free"}.'}:{fields:t,problem:""}}function Ve({caption:e,none:t,entries:o,columns:n,stateOf:r}){return o.length===0?s`<p>${t}</p>`:s`
    <div class="scroll" tabindex="0" role="region" aria-label=${e}>
      <table class="conf-table">
        <caption>${e}</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">State</th>
            ${n.map(({title:i,number:a})=>s`<th scope="col" class=${a&&"number"}>${i}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${o.map(i=>s`<${oc} key=${i.name} entry=${i} columns=${n} state=${r(i)} />`)}
        </tbody>
      </table>
    </div>
  `}function oc({entry:e,columns:t,state:o}){return s`
    <tr>
      <th scope="row">${e.name}</th>
      <td>
        <${T} tone=${o.tone}>${o.word}<//>
        ${e.problems.map(n=>s`<small class="conf-why">${n}</small>`)}
      </td>
      ${t.map(({number:n,cell:r})=>s`<td class=${n&&"number"}>${r(e)}</td>`)}
    </tr>
  `}function le({names:e,none:t=""}){return e.length===0?t:s`<span class="conf-names">${e.map(o=>s`<code>${o}</code>`)}</span>`}function jt(e){return typeof e!="boolean"?"":e?"yes":"no"}function Bo(e){return typeof e=="number"?me(e):""}var Qr={caption:"Tools",none:"No tool is configured: the models answer without.",columns:[{title:"Type",cell:e=>e.type},{title:"Timeout",number:!0,cell:e=>e.timeout_ms?A(e.timeout_ms):""},{title:"Idempotent",cell:e=>jt(e.idempotent)},{title:"Repeatable",cell:e=>jt(e.repeatable)},{title:"Sequential",cell:e=>jt(e.sequential)}]},Zr={caption:"LLMs",none:"No LLM is configured: no chat can be answered.",columns:[{title:"Type",cell:e=>s`${e.type}${e.demo&&s` <${G} />`}`},{title:"Where",cell:e=>e.host??e.region??(e.type?"the provider’s own address":"")},{title:"Key",cell:e=>jt(e.has_key)},{title:"Models",cell:e=>s`<${le} names=${e.models} none=${e.type?"as the provider lists them":""} />`},{title:"Fallbacks",cell:e=>s`<${le} names=${e.fallbacks} none=${e.type?"none":""} />`}]},es={caption:"Services, which are searched",none:"No service is configured: nothing is searched before a model is asked.",columns:[{title:"Type",cell:e=>e.type},{title:"Where",cell:e=>e.host??e.region??(e.type==="internal"?"this stack":"")},{title:"Collections",cell:e=>s`<${le} names=${e.collections} none=${e.type==="internal"?"all that are stored":""} />`},{title:"Match",number:!0,cell:e=>Bo(e.match_threshold)},{title:"Partial",number:!0,cell:e=>Bo(e.partial_threshold)},{title:"Farthest",number:!0,cell:e=>Bo(e.max_distance)},{title:"Passages",number:!0,cell:e=>e.top_k}]};var nc=300,rc=e=>[{title:"Answers when",cell:t=>s`<${sc} rule=${t} />`},{title:"Model",cell:t=>s`<${ic} rule=${t} demo=${e} />`},{title:"Tools",cell:t=>s`<${ac} rule=${t} />`}];function ts({rules:e,demo:t,stateOf:o}){return s`<${Ve}
    caption="Rules, in the order in which they are tried"
    none="There is no rule: no chat can be answered."
    entries=${e}
    columns=${rc(t)}
    stateOf=${o}
  />`}function sc({rule:{match:e,fallback:t}}){return t?"no other rule does":Vr(e??{}).map(({field:o,relation:n,value:r},i)=>s`
      <div>${i>0&&"and "}<code>${o}</code> ${n} <code>${Y(r,nc)}</code></div>
    `)}function ic({rule:e,demo:t}){return e.llm?s`
    <code>${e.llm}:${e.model}</code>${t.has(e.llm)&&s` <${G} />`}
    ${e.fallbacks.length>0&&s`<div><small>then</small> <${le} names=${e.fallbacks} /></div>`}
    ${e.require_validated&&s`<div><small>only while validated</small></div>`}
  `:null}function ac({rule:{llm:e,allowed_tools:t,max_iterations:o,max_tool_calls:n}}){return e?o?s`
    ${t===null?"all":s`<${le} names=${t} none="none" />`}
    <div><small>${_(o,"turn")} and ${_(n??0,"call")} at most</small></div>
  `:"none":null}function ns({configuration:e}){let{tool_settings:t,phases:o,sessions:n,validation:r,caller_fields:i}=e;return s`
    <div class="conf-settings">
      <${je}
        title="Tools"
        facts=${[["Switched",t.enabled?"on":s`<${T} tone="warn">off: no model is offered any tool<//>`],["Turns of a chat",`${E(t.max_iterations)} unless the rule says otherwise`],["Calls of a turn",`${E(t.max_calls_per_turn)} unless the rule says otherwise`],["Calls of a chat",`${E(t.max_tool_calls)} unless the rule says otherwise`],["Timeout",`${A(t.default_timeout_ms)} unless the tool says otherwise`],["At the same time",_(t.max_parallel,"call")],["Types switched off",s`<${le} names=${t.disabled_types} none="none" />`]]}
      />
      <${je} title="Topic" facts=${os(o.topic)} problems=${o.topic?.problems} />
      <${je} title="Intent" facts=${os(o.intent)} problems=${o.intent?.problems} />
      <${je}
        title="Profile"
        facts=${[["Callers steer rules by",s`<${le} names=${i} none="no field" />`]]}
      />
      <${je}
        title="Sessions"
        facts=${[["Kept",`${_(n.ttl_days,"day")} after the last message`],["Sent to a model",`${_(n.max_history_tokens,"token")} of history at most`]]}
      />
      <${je} title="Scheduled validation" facts=${lc(r)} problems=${r.problems} />
    </div>
  `}function os(e){return e?e.enabled?[["Detected","yes"],["Model",e.model&&s`<code>${e.model}</code>`],...e.intents.length>0?[["Intents",s`<${le} names=${e.intents} />`]]:[]]:[["Detected","no: switched off"]]:[["Detected","no: it has no section in the configuration"]]}function lc({models:e,suite:t,repeats:o,stop_early:n,budget:r}){let i=[typeof r.calls=="number"&&_(r.calls,"chat"),typeof r.tokens=="number"&&_(r.tokens,"token"),typeof r.usd=="number"&&ae(r.usd)].filter(Boolean);return[["Models",s`<${le} names=${e} none="none: the schedule validates nothing" />`],["Suite",t],["Repeats",E(o)],["Stops early",n?"yes":"no"],["Budget",i.length>0?i.join(", "):"no limit"]]}function je({title:e,facts:t,problems:o=[]}){return s`
    <section class="stack" aria-label=${e}>
      <h3>${e}</h3>
      ${o.map(n=>s`<p><${T} tone="warn">${n}<//></p>`)}
      <dl class="conf-facts">
        ${t.map(([n,r])=>s`<dt>${n}</dt><dd>${r}</dd>`)}
      </dl>
    </section>
  `}function rs({configuration:e,faulty:t,chosen:o,onChoose:n}){let{rules:r,tools:i,llms:a,services:l}=e,c=No(e),d=new Set(a.filter(m=>m.demo).map(({name:m})=>m)),u=m=>$=>c(m,$),f=(m,$)=>`${E(m.length)}${Do(t,[$])}`,p=[{name:"Rules",note:f(r,"rule"),content:()=>s`<${ts} rules=${r} demo=${d} stateOf=${u("rule")} />`},{name:"Tools",note:f(i,"tool"),content:()=>s`<${Ve} ...${Qr} entries=${i} stateOf=${u("tool")} />`},{name:"LLMs",note:f(a,"llm"),content:()=>s`<${Ve} ...${Zr} entries=${a} stateOf=${u("llm")} />`},{name:"Services",note:f(l,"service"),content:()=>s`<${Ve} ...${es} entries=${l} stateOf=${u("service")} />`},{name:"Settings",note:Do(t,["phase","schedule"]),content:()=>s`<${ns} configuration=${e} />`}];return s`<${Nt} label="Parts of the configuration" tabs=${p} chosen=${o} onChoose=${n} />`}function ss(e){let t=V(),o=D(),{run:n,cancel:r,clear:i}=o,[a,l]=h(void 0),c=e===void 0?"":JSON.stringify(e),d=C(()=>n(async u=>{let f=await v.matchRule(JSON.parse(c),u);l({asked:c,answer:f})}),[n,c]);return y(()=>{if(c!==""){d();return}r(),i(),l(void 0)},[d,r,i,c,t]),{...o,match:d,asked:c,matched:o.busy||a?.asked===c?a:void 0}}var is="Rules";function as({place:{params:e}}){let t=de(m=>v.configuration(m)),o=t.error?.kind==="forbidden",[n,r]=uc(e),{profile:i,problem:a}=Ho(n),l=Xr(e)&&!o?Ho(lt(e)).profile:void 0,c=ss(l),{section:d,reveal:u}=We(c.busy),f=()=>{i===void 0||c.busy||(u(),JSON.stringify(i)===c.asked?c.match():F("configuration",Lo(e,n)))};if(ee([{keys:"/",label:"write the intent",run:()=>document.getElementById(qo)?.focus()},{keys:"mod+Enter",label:"try the rules",run:f},{keys:"Escape",label:"cancel the trial",run:c.cancel}]),o)return s`<${fe} title="Configuration" choose=${s`<${Gr} />`}><${Ur} /><//>`;let p=s`<${Kr}
    draft=${n}
    problem=${a}
    busy=${c.busy}
    intents=${t.data?.phases.intent?.intents??[]}
    services=${t.data?.services.map(({name:m})=>m)??[]}
    onDraft=${r}
    onRun=${f}
    onCancel=${c.cancel}
  />`;return s`
    <${fe} title="Configuration" choose=${p} section=${d}>
      ${l&&s`<${Yr} match=${c} onClose=${()=>F("configuration",Lo(e,void 0))} />`}
      ${t.error&&s`<${S} error=${t.error} onRetry=${t.reload} />`}
      ${!t.data&&!t.error&&s`<${L} lines=${8} what="the configuration" />`}
      ${t.data&&s`<${cc} live=${t} data=${t.data} params=${e} />`}
    <//>
  `}function cc({live:e,data:t,params:o}){let n=U(()=>Fr(t),[t]),r=i=>F("configuration",{...o,tab:i===is?"":i},{replace:!0});return s`
    <${Jr} configuration=${t} faulty=${n} loading=${e.loading} onReload=${e.reload} />
    <${rs} configuration=${t} faulty=${n} chosen=${o.tab||is} onChoose=${r} />
  `}function uc(e){let t=JSON.stringify(lt(e)),[o,n]=h(()=>lt(e));return y(()=>n(JSON.parse(t)),[t]),[o,r=>n(i=>({...i,...r}))]}function ls(e){let t=Ot(),o=t.data?.collections,n=e||o?.[0]?.name||"",r=i=>o&&t.put({collections:o.map(a=>a.name===i.name?i:a)});return{loaded:t,chosen:n,collection:o?.find(({name:i})=>i===n),none:o?.length===0,waits:n===""&&t.loading,replace:r}}function Ge(e,t){return e===void 0?"none":e<t.match?"match":e<t.partial?"partial":"none"}function ut(e){let t=Number(e?.trim()||NaN);return t>=0&&t<=2?t:void 0}function Gt(e,t){return e===void 0||t===void 0?void 0:{match:e,partial:Math.max(e,t)}}function cs({match:e,partial:t},o,n){return o==="match"?{match:n,partial:Math.max(n,t)}:{match:Math.min(n,e),partial:n}}function us({match_threshold:e,partial_threshold:t},o){return Gt(e??o?.match,t??o?.partial)}function ds({metadata:e,calibrated_passages:t}){if(typeof t=="number")return"told from its passages";let o=[e.match_threshold,e.partial_threshold].filter(n=>typeof n=="number");return o.length===2?"set by an operator":o.length===1?"one set by an operator, the other its service's":"its service's, it has none of its own"}function ms(e,{match:t,partial:o}){let n=Math.min(Math.min(...e)-.05,t),r=Math.max(Math.max(...e)+.05,o);return{low:Math.max(0,ct(Math.floor(ct(n/.05))*.05)),high:Math.min(2,ct(Math.ceil(ct(r/.05))*.05))}}function fs({low:e,high:t},o){return Math.min(100,Math.max(0,ct((o-e)/(t-e)*100)))}function ps(e,{match:t,partial:o}){return JSON.stringify({rag_services:{docs:{type:"internal",collections:[e],match_threshold:t,partial_threshold:o}}},null,2)}function ct(e){return Math.round(e*1e3)/1e3}var $s=300;function hs({loaded:e,chosen:t,onChoose:o}){let{data:n,error:r,reload:i}=e;return r&&!n?s`<${S} error=${r} onRetry=${i} />`:n?n.collections.length===0?s`<p><small>There is no collection to choose.</small></p>`:s`
    <fieldset class="ret-collections">
      <legend>Collection</legend>
      <div class="ret-cards">
        ${n.collections.map(a=>s`
            <${dc}
              key=${a.name}
              collection=${a}
              checked=${a.name===t}
              onChoose=${()=>o(a.name)}
            />
          `)}
      </div>
    </fieldset>
  `:s`<${L} lines=${4} what="the collections" />`}function dc({collection:e,checked:t,onChoose:o}){let{name:n,metadata:r,documents:i,passages:a,bytes:l,updated_at:c}=e,{match_threshold:d,partial_threshold:u,description:f,embedding_model:p}=r;return s`
    <label class="ret-card">
      <input type="radio" name="collection" value=${n} checked=${t} onChange=${o} />
      <span>
        <strong>${(r.display_name||n).slice(0,$s)}</strong>
        ${r.display_name&&s` <code>${n}</code>`}
        ${f&&s`<small class="ret-line">${f.slice(0,$s)}</small>`}
        <small class="ret-line">
          ${_(i,"document")} · ${_(a,"passage")} · ${Bn(l)} · <${j} at=${c} />
        </small>
        <small class="ret-line"><${te}>${p}<//> ${mc(d,u)}${ds(e)}</small>
      </span>
    </label>
  `}function mc(e,t){return typeof e=="number"&&typeof t=="number"?`match < ${me(e)}, partial < ${me(t)}: `:"thresholds: "}function _s({collection:e,thresholds:t,onChanged:o}){let n=D(),[r,i]=h(""),{metadata:a,name:l}=e,c=a.match_threshold===t.match&&a.partial_threshold===t.partial,u=(typeof a.match_threshold=="number"||typeof a.partial_threshold=="number")&&typeof e.calibrated_passages!="number",f=(p,m,$)=>{i(""),n.run(async()=>{let b=await v.changeCollection(l,{metadata:{match_threshold:p,partial_threshold:m}});i(`${$} ✓`),o(b,$)})};return s`
    <button type="button" disabled=${c||n.busy} onClick=${()=>f(t.match,t.partial,"kept")}>
      Keep these
    </button>
    ${u&&s`<button type="button" class="quiet" disabled=${n.busy} onClick=${()=>f(null,null,"told again")}>
        Have them told from the passages
      </button>`}
    ${n.busy&&s`<${R} what="changing the collection" since=${n.since} />`}
    <small role="status">${r}</small>
    ${n.error&&s`<${S} error=${n.error} />`}
  `}var fc=5,gs=100;function dt(e){let t=Math.floor(Number(e));return t>=1&&t<=gs?t:fc}function bs({draft:e,busy:t,form:o,onDraft:n,onRun:r,onCancel:i}){return s`
    <form class="stack" ref=${o} onSubmit=${l=>{l.preventDefault(),r()}}>
      <label class="field">
        Test query
        <textarea
          class="ret-query"
          name="query"
          required
          maxlength="20000"
          placeholder="What somebody would ask"
          value=${e.query}
          onInput=${l=>n({query:l.currentTarget.value})}
        ></textarea>
      </label>
      <div class="row">
        <button type="submit" class="primary" disabled=${t}>Search <small class="ret-keys">${se("mod+Enter")}</small></button>
        ${t&&s`<button type="button" onClick=${i}>Cancel</button>`}
        <label class="check ret-top-k">
          Passages
          <input
            type="number"
            name="top_k"
            required
            min="1"
            max=${gs}
            value=${e.topK}
            onInput=${l=>n({topK:l.currentTarget.value})}
          />
        </label>
      </div>
    </form>
  `}var pc={match:{tone:"good",sign:"✓"},partial:{tone:"warn",sign:"~"},none:{tone:"plain",sign:"·"}};function mt({name:e}){return s`<${T} ...${pc[e]}>${e}<//>`}var Ut=280,ys=300;function ws({hit:e}){let[t,o]=h(!1),n=e.title.slice(0,ys);return s`
    <div class="ret-passage">
      <strong>${n}</strong>
      <code>${e.source.slice(0,ys)}</code>
      ${t?s`<${J} value=${e.text} label=${`Text of ${n}`} />`:s`<p>${$c(e.text)}</p>`}
      <button type="button" class="quiet" aria-expanded=${t} onClick=${()=>o(!t)}>
        ${t?"Fold the text":"Show the text as it is"}
      </button>
    </div>
  `}function $c(e){let t=e.slice(0,2*Ut).replace(/\s+/g," ").trim();return t.length>Ut||e.length>2*Ut?`${t.slice(0,Ut)} …`:t}function vs({hits:e,thresholds:t,scale:o}){return s`
    <table class="ret-hits">
      <caption>
        Passages found, best first <small>the marks on the bars are both thresholds</small>
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
        ${e.map((n,r)=>{let i=Ge(n.distance,t);return s`
            <tr key=${n.id} data-class=${i}>
              <td class="number ret-rank">${r+1}</td>
              <td class="number">
                ${me(n.distance)}
                <${hc} distance=${n.distance} thresholds=${t} scale=${o} />
              </td>
              <td><${mt} name=${i} /></td>
              <td><${ws} hit=${n} /></td>
            </tr>
          `})}
      </tbody>
    </table>
  `}function hc({distance:e,thresholds:t,scale:o}){let n=r=>`${fs(o,r)}%`;return s`<span class="ret-bar" aria-hidden="true">
    <span style=${{width:n(e)}}></span>
    <i style=${{left:n(t.match)}}></i>
    <i style=${{left:n(t.partial)}}></i>
  </span>`}var _c=300,gc={match:"A chat that selects this collection would answer from these passages and search no further.",partial:"A chat that selects this collection would show these passages to the model, and search the next one too.",none:"A chat that selects this collection would go on as if nothing had been found."};function ks({found:e,thresholds:t,own:o}){let{answer:n,ms:r,question:i}=e,a=n.hits.map(p=>p.distance),l=a.length>0?Math.min(...a):void 0,c=Ge(l,t),d=Ge(l,o),u=a.map(p=>Ge(p,t)),f=p=>`${u.filter(m=>m===p).length} ${p}`;return s`
    <div class="ret-verdict">
      <h2><span role="status"><${mt} name=${c} /></span></h2>
      <p>${gc[c]}</p>
      ${c!==d&&s`<p>By the collection's own thresholds it is <${mt} name=${d} />.</p>`}
      <small>
        ${_(a.length,"passage")}: ${f("match")}, ${f("partial")}, ${f("none")}${" · "}
        ${l!==void 0&&`nearest ${me(l)} · `}${A(r)}
      </small>
      <small>asked: “${i.query.slice(0,_c)}”</small>
    </div>
  `}var bc=`flexchat collections create handbook --stage ${Se}`,yc=`flexchat collections add handbook docs/ --stage ${Se}`;function xs({none:e,asked:t,waits:o,search:n,judged:r}){let{busy:i,cancelled:a,error:l,found:c,since:d}=n;return e?s`<${wc} />`:s`
    ${i&&s`<${R} what="searching" since=${d} />`}
    ${a&&s`<p role="status">The search was cancelled.</p>`}
    ${l&&s`<${S} error=${l} onRetry=${n.search} />`}
    ${(t&&o||i&&!c)&&s`<${L} lines=${6} what="the passages" />`}
    ${!t&&s`<${vc} />`}
    ${c&&r&&s`
        <${ks} found=${c} ...${r} />
        ${c.answer.hits.length>0?s`<${vs} hits=${c.answer.hits} thresholds=${r.thresholds} scale=${r.scale} />`:s`<p>The collection has no passage for this question, not even a distant one.</p>`}
      `}
  `}function wc(){return s`
    <${ye} title="No collection yet">
      <p>Here one sees how near the passages of a collection are to a question, and moves the thresholds by that.</p>
      <p>Make one, and fill it with files or directories:</p>
      <pre>${bc} && ${yc}</pre>
    <//>
  `}function vc(){return s`
    <${ye} title="How near are the passages?">
      <p>
        Ask what somebody would ask. You see which passages a collection has for it, how far each is, and what a chat would
        make of that; then move the thresholds and see it change.
      </p>
      <p>Write a test query and press Search.</p>
    <//>
  `}function Ts({collection:e,query:t,topK:o}){let n=D(),{run:r,cancel:i}=n,[a,l]=h(void 0),c=C(()=>r(async d=>{let u=performance.now(),f=await v.search(e,{query:t,top_k:o},d);l({question:{collection:e,query:t,topK:o},answer:f,ms:performance.now()-u})}),[r,e,t,o]);return y(()=>{e&&t?c():(i(),l(void 0))},[c,i,e,t]),{...n,search:c,found:a?.question.collection===e?a:void 0}}var Cs=.001;function Es({collection:e,thresholds:t,own:o,scale:n,onMove:r,children:i}){let a=t.match!==o.match||t.partial!==o.partial,l=(c,d)=>r(cs(t,c,d));return s`
    <fieldset class="ret-thresholds">
      <legend>Thresholds <small>cosine distance, smaller is nearer</small></legend>
      <${Ss} name="Match below" value=${t.match} scale=${n} onMove=${c=>l("match",c)} />
      <${Ss} name="Partial below" value=${t.partial} scale=${n} onMove=${c=>l("partial",c)} />
      <div class="row">
        <button type="button" disabled=${!a} onClick=${()=>r(void 0)}>Back to the collection's</button>
        ${i}
      </div>
      <div class="row">
        <${Z} text=${()=>ps(e,t)} label="Copy as configuration" />
        <small>of a service: for collections that have no thresholds of their own</small>
      </div>
    </fieldset>
  `}function Ss({name:e,value:t,scale:o,onMove:n}){return s`
    <div class="ret-slider">
      <span aria-hidden="true">${e}</span>
      <input
        type="range"
        aria-label=${e}
        min=${o.low}
        max=${o.high}
        step=${Cs}
        value=${t}
        onInput=${r=>n(Number(r.currentTarget.value))}
      />
      <${xc} name=${`${e}, as a number`} value=${t} onCommit=${n} />
    </div>
  `}function xc({name:e,value:t,onCommit:o}){let[n,r]=h(void 0);return s`
    <input
      type="number"
      aria-label=${e}
      min="0"
      max=${2}
      step=${Cs}
      value=${n??t}
      onInput=${a=>r(a.currentTarget.value)}
      onChange=${({currentTarget:a})=>{r(void 0);let l=ut(a.value);l!==void 0&&o(l)}}
    />
  `}var Tc=250;function Os(e){let t=e.query??"",o=String(dt(e.top_k)),[n,r]=h({query:t,topK:o});return y(()=>r({query:t,topK:o}),[t,o]),[n,i=>r(a=>({...a,...i}))]}function Rs(e){let t=ut(e.match),o=ut(e.partial),[n,r]=h(Gt(t,o)),i=w(e);i.current=e;let a=w(n);return y(()=>{t===a.current?.match&&o===a.current?.partial||(a.current=Gt(t,o),r(a.current))},[t,o]),y(()=>{let c=setTimeout(()=>{a.current=n,F("retrieval",Kt(i.current,n),{replace:!0})},Tc);return()=>clearTimeout(c)},[n]),[n,r]}function Kt(e,t){return{...e,match:String(t?.match??""),partial:String(t?.partial??"")}}function As({place:e}){let{params:t}=e,o=t.query??"",n=dt(t.top_k),{loaded:r,chosen:i,collection:a,none:l,waits:c,replace:d}=ls(t.collection),[u,f]=Os(t),[p,m]=Rs(t),$=Ts({collection:i,query:o,topK:n}),b=w(null),g=ie(),{section:k,reveal:x}=We($.busy),O=Sc(a,$.found?.answer,p),I=()=>{x();let H={...t,collection:i,query:u.query,top_k:u.topK};H.query===o&&dt(H.top_k)===n?$.search():F("retrieval",Kt(H,p))},ne=H=>{m(void 0),F("retrieval",Kt({...t,collection:H},void 0))},De=(H,_e)=>{d(H),_e!=="kept"&&(m(void 0),$.found&&$.search())};ee([{keys:"/",label:"write the test query",run:()=>b.current?.querySelector("textarea")?.focus()},{keys:"mod+Enter",label:"search",run:()=>b.current?.requestSubmit()},{keys:"Escape",label:"cancel the search",run:$.cancel}]);let X=s`
    <${hs} loaded=${r} chosen=${i} onChoose=${ne} />
    ${!l&&s`<${bs}
        draft=${u}
        busy=${$.busy}
        form=${b}
        onDraft=${f}
        onRun=${I}
        onCancel=${$.cancel}
      />`}
    ${O&&s`<${Es} collection=${i} ...${O} onMove=${m}>
        ${a&&g&&s`<${_s} key=${i} collection=${a} thresholds=${O.thresholds} onChanged=${De} />`}
      <//>`}
  `;return s`
    <${fe} title="Retrieval" choose=${X} section=${k}>
      <${xs} none=${l} asked=${o!==""&&(c||i!=="")} waits=${c} search=${$} judged=${O} />
    <//>
  `}function Sc(e,t,o){let n=us(e?.metadata??{},t?.thresholds);if(n===void 0)return;let r=o??n,i=(t?.hits??[]).map(a=>a.distance);return{own:n,thresholds:r,scale:ms([...i,n.match,n.partial],r)}}function Ms({models:e,value:t,onChange:o,label:n,id:r,problem:i=""}){let a=Q(),[l,c]=h(void 0),d=l??(e.error!==void 0&&e.data===void 0),u=ie(),f=e.data?.models.filter(m=>u||!m.operator_only)??[],p={id:r??a,value:t,required:!0,"aria-invalid":i?"true":void 0,"aria-describedby":`${a}-about`,onInput:m=>o(m.currentTarget.value.trim())};return s`
    <div class="model-picker stack">
      <div class="field">
        <div class="row spread">
          <label for=${p.id}>${n}</label>
          <button type="button" class="quiet" onClick=${()=>c(!d)}>
            ${d?"Choose from the list":"Type its id"}
          </button>
        </div>
        ${d?s`<${Oc} ...${p} />`:s`<${Rc} ...${p} models=${f} loading=${e.loading} />`}
      </div>
      <div id=${`${a}-about`} class="stack">
        ${i&&s`<p class="problem-text">✕ ${i}</p>`}
        <${Mc} model=${f.find(m=>m.id===t)} />
      </div>
      <${Cc} models=${e} />
    </div>
  `}function Cc({models:{data:e,error:t,loading:o,reload:n}}){return o&&e===void 0?s`<${Ec} />`:s`
    ${e?.errors.map(({llm:r,error:i})=>s`<p>! <code>${r}</code> could not be asked: ${i}</p>`)}
    ${t&&s`<p>! The models could not be listed: ${t.message}</p>
        <div class="row"><button type="button" onClick=${n}>List them again</button></div>`}
  `}function Ec(){let[e]=h(()=>performance.now());return s`<${R} what="asking for the models" since=${e} />`}function Oc(e){return s`<input type="text" placeholder="llm:model" spellcheck=${!1} autocapitalize="off" ...${e} />`}function Rc({models:e,loading:t,...o}){let n=Object.entries(Object.groupBy(e,i=>i.llm)),r=o.value!==""&&!e.some(i=>i.id===o.value);return s`<select ...${o}>
    <option value="">-- Select Model --</option>
    ${r&&s`<option value=${o.value}>${o.value}${t?"":" · not listed"}</option>`}
    ${n.map(([i,a])=>s`
        <optgroup label=${i}>
          ${a?.map(l=>s`<option key=${l.id} value=${l.id}>${Ac(l)}</option>`)}
        </optgroup>
      `)}
  </select>`}function Ac({id:e,demo:t,validation:{badge:o,rate:n}}){return t?`${e} · demo${n?` ${$e(n)}`:""}`:o?`${e} ${o.symbol} ${n?$e(n):o.text}`:e}function Mc({model:e}){if(e===void 0)return null;let{badge:t,last_tested:o}=e.validation,n=Ic(e);return s`
    <p>
      <${Fe} validation=${e.validation} demo=${e.demo} />
      ${t&&s` <small>${t.tooltip}</small>`}${o&&s` <small>(<${j} at=${o} />)</small>`}
    </p>
    ${n&&s`<p class="notice">! ${n}</p>`}
  `}function Ic({capabilities:e,validation:t,demo:o}){return o?"":e.includes("function-calling")?t.validated?"":`This model ${t.tested?"was tried with tools and is not validated":"was never tried with tools"}: check what it does before you rely on it.`:"This model is not known to call tools: it may answer without."}var Is=[{title:"Simple Tool Call",query:"What's the weather in Paris?",expected:"One call of the weather tool with Paris as the location, and an answer from its result."},{title:"Calculator",query:"Calculate 15% tip on $45",expected:"One call of the calculator, and the answer $6.75."},{title:"Direct Answer Test",query:"What's 2+2?",expected:"The answer 4, by the calculator or directly: both are right, and a direct answer is no tool call."},{title:"RAG Tool",query:"Search for Python decorators in the docs",expected:"One call of the search tool, and an answer from what it found or that it found nothing."}];var zt="tt-model",Ue="tt-query",Ns="Please enter a test query and select a model";function Ds({model:e,query:t,missing:o,busy:n,onChange:r,onRun:i,onCancel:a}){let l=He();return s`
    <form class="stack" noValidate onSubmit=${d=>{d.preventDefault(),i()}}>
      <${Ms}
        models=${l}
        value=${e}
        label="Model"
        id=${zt}
        problem=${o==="model"?Ns:""}
        onChange=${d=>r({model:d})}
      />
      <div class="field">
        <label for=${Ue}>Query</label>
        <textarea
          id=${Ue}
          required
          maxlength="32000"
          placeholder="e.g., What's the weather in Paris?"
          value=${t}
          aria-invalid=${o==="query"?"true":void 0}
          aria-describedby=${o==="query"?"tt-missing":void 0}
          onInput=${d=>r({query:d.currentTarget.value})}
        ></textarea>
        ${o==="query"&&s`<p id="tt-missing" class="problem-text">✕ ${Ns}</p>`}
      </div>
      <div class="tt-examples" role="group" aria-label="Example Test Queries">
        ${Is.map(d=>s`
            <button type="button" onClick=${()=>r({query:d.query})}>
              <strong>${d.title}</strong>
              <span>${d.query}</span>
              <small>Expected: ${d.expected}</small>
            </button>
          `)}
      </div>
      <${Nc} busy=${n} onCancel=${a} />
      <small>Tests by hand are recorded in the model's history and do not count for its validation.</small>
    </form>
  `}function Nc({busy:e,onCancel:t}){let o=w(null),n=w(null),r=w(null);return ue(()=>{let[i,a]=e?[o,n]:[n,o];r.current!==null&&r.current===i.current&&a.current?.focus({preventScroll:!0})},[e]),r.current=document.activeElement,s`
    <div class="row">
      <button ref=${o} type="submit" class="primary" disabled=${e}>
        ${e?"Testing...":"Run"}
      </button>
      <button ref=${n} type="button" disabled=${!e} onClick=${t}>Cancel</button>
      <small>${se("mod+Enter")} runs, ${se("Escape")} cancels</small>
    </div>
  `}var Dc=300,Pc=2e3;function qs(e){let[t,o]=h(()=>Ps(e)),n=w(Wo(t)),r=w(!1),i=Wo(Ps(e));y(()=>{i!==n.current&&(n.current=i,o(JSON.parse(i)))},[i]);let a=C(d=>{let u=Wo(d);u!==n.current&&(n.current=u,F("tools-testing",JSON.parse(u),{replace:!r.current}),r.current=!1)},[]);y(()=>{let d=setTimeout(()=>a(t),Dc);return()=>clearTimeout(d)},[t,a]);let l=C(d=>o(u=>({...u,...d})),[]);return[t,l,()=>{a(t),r.current=!0}]}function Ps({params:e}){return{model:e.model??"",query:e.query??""}}function Wo({model:e,query:t}){return JSON.stringify({model:e,query:t.length>Pc?"":t})}function Ls(e,t){let{tone:o,sign:n}=pe(e);return o==="good"&&t.length>0?{tone:"warn",sign:"!"}:{tone:o,sign:n}}function Jt(e){let{tool_calls:t,timings:o,usage:n}=e,r=o.steps.filter(a=>a.step==="model").length,i=t.filter(a=>"error"in a.result).length;return[`${pe(e).title} ${pe(e).tone==="good"?"in":"after"} ${A(o.total_ms)}`,_(r,"model call"),_(t.length,"tool")+(i>0?`, ${E(i)} failed`:""),_(n.total_tokens,"token"),...typeof n.cost_usd=="number"?[ae(n.cost_usd)]:[]].join(" · ")}function Hs(e){let{error:t,fallback:o}=e,{reason:n}=pe(e);return[e.max_iterations_reached&&"Max iterations reached: the model wanted to call more tools than it may.",e.circular_calls_detected&&"Circular calls: the model asked for the same call again and again, and was stopped.",e.status==="complete"&&!e.max_iterations_reached&&!e.circular_calls_detected&&n,e.deadline_reached&&"Deadline reached: the model was asked for its answer without more tools, because time was short.",e.max_tool_calls_reached&&e.outcome!=="tool_call_limit"&&"Tool call limit reached: no more tools could be called in this chat.",e.status==="partial"&&`Partial answer: ${t?`${t.provider} failed (${z(t.type)}): ${t.message}`:"the time ran out"}.`,o&&`Another model answered instead of ${o.instead_of}: ${z(o.reason)}.`].flatMap(i=>i?[i]:[])}var qc=300,Lc=128,Hc=20,Bc=4;function Bs({calls:e}){let[t,o]=h(!1);if(e.length===0)return s`<section><h2>Tool Calls (0)</h2><p>The model called no tool.</p></section>`;let n=t?e:e.slice(0,Hc);return s`
    <section class="stack" aria-label="Tool calls">
      <h2>Tool Calls (${E(e.length)})</h2>
      <ol class="tt-calls">
        ${n.map(r=>s`<${Wc} key=${`${r.iteration} ${r.call_id}`} call=${r} open=${e.length<=Bc} />`)}
      </ol>
      ${n.length<e.length&&s`<div><button type="button" onClick=${()=>o(!0)}>Show the other ${E(e.length-n.length)}</button></div>`}
    </section>
  `}function Wc({call:e,open:t}){let o=Ie(void 0,e),[n,r]="error"in e.result?["Error",e.result]:["Result",e.result.result],i=s`<code>${Y(e.tool,Lc)}(${Y(Fc(e),qc)})</code>
    <${T} tone=${o.tone}>${o.word}<//>`;return s`
    <li>
      <${P} summary=${i} open=${t}>
        <${J} value=${r} label=${n} />
      <//>
      <small class="number">Iteration: ${e.iteration} | Execution time: ${E(e.result.execution_time_ms)} ms</small>
    </li>
  `}function Fc({params:e}){return typeof e=="string"?e:JSON.stringify(e)}function Fs(e,t){return[`curl -sS -X POST ${Ws(e)}`,'-H "Authorization: Bearer $FLEXCHAT_TOKEN"',"-H 'Content-Type: application/json'",`--data-raw ${Ws(JSON.stringify(t))}`].join(` \\
  `)}function Ws(e){return`'${e.replaceAll("'",String.raw`'\''`)}'`}var Vc=60,jc=1e3,Gc=10,Vs="No answer is prepared for these arguments.",Fo=e=>!("error"in e.result);function js(e){return(e.normalize("NFKD").replaceAll(/\p{M}/gu,"").toLowerCase().match(/[a-z0-9]+/g)??[]).join("-").slice(0,Vc).replace(/-$/,"")||"case"}function Gs(e,t){if(e.length===0)return"irrelevance";let o=e.filter(Fo);return o.length<e.length?"error_recovery":new Set(o.map(n=>n.iteration)).size>1?"multi_turn":o.length>1?new Set(o.map(n=>n.tool)).size>1?"parallel_choice":"parallel":t>1?"choice":"single"}function Us(e){let t=Map.groupBy(e.filter(Fo),n=>n.iteration),o=Math.min(Gc,e.length-e.filter(Fo).length);return t.size===0?e.length===0?{}:{any_call:!0,failed_calls:o}:{turns:[...t.values()].map(n=>({calls:n.map(({tool:r,params:i})=>({tool:r,arguments:Uc(i)}))})),...o>0&&{failed_calls:o}}}function Uc(e){return typeof e=="string"?{}:Object.fromEntries(Object.entries(e).map(([t,o])=>[t,[Yt(o)]]))}function Yt(e){return Array.isArray(e)?e.map(Yt):e===null||typeof e!="object"?e:Object.fromEntries(Object.entries(e).map(([t,o])=>[t,Array.isArray(o)?[Yt(o)]:Yt(o)]))}function Ks(e,t){let o=t.filter(So);return e.map(({name:n,description:r,parameters:i})=>({name:n,description:r,parameters:i,implementation:Kc(o.filter(a=>a.tool===n))}))}function Kc(e){let t={type:"mock"},o=new Map;for(let{params:n,result:r}of e){if(typeof n=="string")continue;let i="error"in r?{error:zc(r.error)}:{response:r.result};Object.keys(n).length>0?o.set(JSON.stringify(n),{when:n,...i}):"response"in i&&(t.mock_response=i.response)}return o.size>0&&(t.answers=[...o.values()].sort(Jc)),"mock_response"in t||(t.error=Vs),t}function zc(e){return e.slice(0,jc)||Vs}function Jc(e,t){return Object.keys(t.when??{}).length-Object.keys(e.when??{}).length}var Yc=["single","choice","parallel","parallel_choice","irrelevance","multi_turn","error_recovery","types","clarification"],Xc="my-cases",Qc=String.raw`[a-z0-9][a-z0-9_.\-]{0,63}`,Zc=String.raw`[a-zA-Z0-9][a-zA-Z0-9_.\-]{0,127}`;function zs({draft:e,task:t,onChange:o,onSave:n}){let r=Q(),a=de(v.suites).data?.suites.filter(u=>!u.built_in)??[],l=eu(e.expect),c=u=>({id:`${r}-${u}`,"aria-describedby":`${r}-${u}-hint`,value:e[u],onInput:f=>o({...e,[u]:f.currentTarget.value})});return s`
    <form class="stack" onSubmit=${u=>{u.preventDefault(),l===""&&!t.busy&&n(e)}}>
      <${ft} id=${`${r}-suite`} label="Suite" hint="One of yours, or a new name; what comes with Flexchat cannot be changed.">
        <input type="text" list=${`${r}-suites`} required pattern=${Qc} title="lower-case letters, digits, _ . -" placeholder=${a[0]?.name??Xc} ...${c("suite")} />
        <datalist id=${`${r}-suites`}>
          ${a.map(({name:u,cases:f})=>s`<option value=${u}>${_(f,"case")}</option>`)}
        </datalist>
      <//>
      <${ft} id=${`${r}-id`} label="Case" hint="Its name in the suite.">
        <input type="text" required pattern=${Zc} title="letters, digits, _ . -" ...${c("id")} />
      <//>
      <${ft} id=${`${r}-category`} label="Category" hint="What it tries.">
        <select ...${c("category")}>
          ${Yc.map(u=>s`<option value=${u}>${z(u)}</option>`)}
        </select>
      <//>
      <${ft} id=${`${r}-offer`} label="Tools to offer" hint="They become mocks that answer as the tools did now.">
        <select ...${c("offer")}>
          <option value="all">all, as in this test</option>
          <option value="called">only those that were called</option>
        </select>
      <//>
      <${ft} id=${`${r}-expect`} label="What is right" wrong=${l!==""} hint=${l?`✕ ${l}`:"JSON, drafted from the calls that were made."}>
        <textarea class="mono tt-expect" spellcheck=${!1} aria-invalid=${l?"true":void 0} ...${c("expect")}></textarea>
      <//>
      ${t.error&&s`<${S} error=${t.error} />`}
      <div class="row">
        <button type="submit" class="primary" disabled=${t.busy||l!==""}>Save</button>
        ${t.busy&&s`<${R} what="saving the case" since=${t.since} />`}
      </div>
    </form>
  `}function ft({id:e,label:t,hint:o,wrong:n=!1,children:r}){return s`<div class="field">
    <label for=${e}>${t}</label>
    ${r}
    <small id=${`${e}-hint`} class=${n?"problem-text":""}>${o}</small>
  </div>`}function eu(e){try{return JSON.parse(e),""}catch(t){return`This is not JSON: ${t instanceof Error?t.message:String(t)}`}}function Xs(e,t,o){let n=new Map(e.tools.map(r=>[r.name,r]));for(let r of o){let i=n.get(r.name);n.set(r.name,i?tu(i,Qs(r)):r)}return{...e,tools:[...n.values()],cases:[...e.cases,t]}}function tu(e,t){let o=Qs(e),n=new Set(o.map(Js)),r=t.filter(a=>!n.has(Js(a)));if(r.length===0)return e;let i=[...o,...r].sort((a,l)=>Ys(l)-Ys(a));return{...e,implementation:{...e.implementation,answers:i}}}function Qs({implementation:e}){let t=e.answers;return Array.isArray(t)?t:[]}function Zs(e){return e===null||typeof e!="object"||Array.isArray(e)?[]:Object.entries(e.when??{}).sort(([t],[o])=>t<o?-1:1)}function Js(e){return JSON.stringify(Zs(e))}function Ys(e){return Zs(e).length}var ou=20;function ei({asked:e,answer:t,tools:o}){let[n,r]=h(!1),[i,a]=h(void 0),[l,c]=h(""),d=D(),u=()=>{a(p=>p??nu(e,t,o)),c(""),r(!0)},f=p=>d.run(async m=>{let $=await su(p.suite,m),{added:b,mocks:g}=ru(p,e,t,o),k=Xs($,b,g);await v.putSuite(p.suite,k),c(`saved as ${p.id} in ${p.suite} ✓`),r(!1)});return s`
    <button type="button" onClick=${u} disabled=${o.length===0}>Save as validation case</button>
    <span role="status">${l}</span>
    <${Le} title="Save as validation case" open=${n} onClose=${()=>r(!1)}>
      ${i&&s`<${zs} draft=${i} task=${d} onChange=${a} onSave=${f} />`}
    <//>
  `}function nu({query:e},{tool_calls:t},o){let n=o.length<=ou||t.length===0?"all":"called",r=n==="all"?o.length:ti(o,t).length;return{suite:"",id:js(e),category:Gs(t,r),offer:n,expect:JSON.stringify(Us(t),null,2)}}function ti(e,t){return e.filter(o=>t.some(n=>n.tool===o.name))}function ru(e,t,{tool_calls:o},n){let r=Ks(e.offer==="all"?n:ti(n,o),o);return{added:{id:e.id,category:e.category,description:`As ${t.model} answered it.`,message:t.query,tools:r.map(a=>a.name),expect:JSON.parse(e.expect)},mocks:r}}async function su(e,t){try{return await v.suite(e,t)}catch(o){if(!(o instanceof K)||o.status!==404)throw o;return{name:e,description:"Cases saved from tests of tools.",tools:[],cases:[]}}}var iu=300;function oi({asked:e,answer:t,tools:o}){let[n,r]=h(-1),i=ie(),a=Hs(t),{tone:l,sign:c}=Ls(t,a),d=lr(t.timings,t.tool_calls,n);return s`
    <div class="stack">
      <p class="tt-status">
        <${T} tone=${l} sign=${c}>${Jt(t)}<//>
        ${t.demo&&s` <${G} />`}
      </p>
      <p class="tt-asked">${Y(e.query,iu)}</p>
      <${au} answer=${t} />
      ${a.map(u=>s`<p class="notice"><span aria-hidden="true">⚠️</span> ${u}</p>`)}
    </div>
    <section class="stack" aria-label="Waterfall">
      <h2>Steps</h2>
      <${Dt} timings=${t.timings} calls=${t.tool_calls} selected=${n} onSelect=${r} />
      ${d?s`<${at} step=${d.step} call=${d.call} />`:s`<small>Choose a step to see all of it; arrow keys go through them.</small>`}
    </section>
    <section class="stack" aria-label="Final response">
      <h2>Final Response</h2>
      ${t.content.trim()===""?s`<p>The model answered nothing.</p>`:s`<div class="tt-answer"><${J} value=${t.content} label="Final response" /></div>`}
      <div class="row">
        <${Z} text=${()=>Fs(new URL("api/tools/test",Te).href,{...e})} label="Copy as curl" />
        ${i&&s`<${ei} asked=${e} answer=${t} tools=${o} />`}
      </div>
    </section>
    <${Bs} calls=${t.tool_calls} />
  `}function au({answer:e}){return s`
    <div class="row tt-facts">
      <span>Model: <strong>${e.model}</strong>${e.demo&&s` <${G} />`}</span>
      <span>Service: <strong>${e.service}</strong></span>
      <span>Finish reason: <strong>${z(e.finish_reason)}</strong></span>
      <span>Request: <code>${e.request_id}</code> <${Z} text=${e.request_id} label="Copy" /></span>
    </div>
  `}var lu=12,cu=matchMedia("(width >= 800px)");function ni({tools:e}){let[t,o]=h(cu.matches),n=e.data&&e.data.tools.length+ri(e.data).length;return s`
    <section aria-label="Available tools">
      <details class="fold" open=${t} onToggle=${r=>o(r.currentTarget.open)}>
        <summary><h2 class="tt-inline">Available Tools ${n!==void 0&&s`<small>${E(n)}</small>`}</h2></summary>
        ${e.error&&s`<${S} error=${e.error} onRetry=${e.reload} />`}
        ${!e.data&&e.loading&&s`<${L} lines=${6} what="the tools" />`}
        ${t&&e.data&&s`<${uu} list=${e.data} />`}
      </details>
    </section>
  `}function ri(e){return e.disabled.filter(t=>t.kind==="tool")}function uu({list:e}){let[t,o]=h(""),n=ri(e),r=e.tools.length+n.length;if(r===0)return s`<p>No tool is configured: the models answer without.</p>`;let i=t.trim().toLowerCase(),a=e.tools.filter(({name:c,description:d})=>`${c} ${d}`.toLowerCase().includes(i)),l=n.filter(({name:c})=>c.toLowerCase().includes(i));return s`
    ${r>lu&&s`<label class="field tt-filter">
        Filter
        <input type="search" value=${t} onInput=${c=>o(c.currentTarget.value)} />
        <small role="status">${i&&`${E(a.length+l.length)} of ${E(r)} shown`}</small>
      </label>`}
    <ul class="tool-cards">
      ${l.map(c=>s`<${Vt} key=${`off ${c.name}`} tool=${c} />`)}
      ${a.map(c=>s`<${Ft} key=${c.name} tool=${c} />`)}
    </ul>
  `}var du={missing:"",turn:0,asked:void 0,answer:void 0},Vo=e=>document.getElementById(e)?.focus();function si({place:e}){let[t,o,n]=qs(e),[r,i]=h(du),a=Et(),l=D(),{section:c,reveal:d}=We(l.busy),u=$=>i(b=>({...b,...$})),f=()=>{if(l.busy)return;let $=fu(t);if(u({missing:$}),$!=="")return Vo($==="model"?zt:Ue);n(),d();let b={...t};l.run(async g=>{let k=await v.testTools(b,g);i(x=>({...x,asked:b,answer:k,turn:x.turn+1})),Dn()})},p=$=>{o($),u({missing:""})};ee([{keys:"/",label:"write the query",run:()=>Vo(Ue)},{keys:"mod+Enter",label:"run the test",run:f},{keys:"Escape",label:"cancel the test",run:l.cancel}]);let m=s`
    <${Ds} ...${t} missing=${r.missing} busy=${l.busy} onChange=${p} onRun=${f} onCancel=${l.cancel} />
    <${ni} tools=${a} />
  `;return s`
    <${fe} title="Tool Calling Testing" choose=${m} section=${c}>
      <p class="hidden" role="status">${mu(l,r)}</p>
      ${l.busy&&s`<p><${R} what=${`asking ${t.model}`} since=${l.since} /></p>`}
      ${l.cancelled&&s`<p class="notice">! Cancelled. What the model had begun may still end, and cost tokens.</p>`}
      ${l.error&&s`<${S} error=${l.error} onRetry=${f} />`}
      ${r.answer&&(l.busy||l.error||l.cancelled)&&s`<h2>The test before</h2>`}
      ${r.answer&&r.asked&&s`<${oi} key=${r.turn} asked=${r.asked} answer=${r.answer} tools=${a.data?.tools??[]} />`}
      ${!r.answer&&!l.busy&&!l.error&&s`<${pu} chosen=${t.model!==""} />`}
    <//>
  `}function mu(e,{answer:t}){return e.busy||e.error?"":e.cancelled?"The test is cancelled":t&&Jt(t)}function fu({model:e,query:t}){return e===""?"model":t.trim()===""?"query":""}function pu({chosen:e}){return s`<${ye} title="See what a model does with the tools">
    <p>
      Choose a model, write a query or take one of the examples, and run it. You see every call of the model and of the
      tools on one time axis, with arguments, results and what it cost.
    </p>
    <p>
      <button type="button" onClick=${()=>Vo(e?Ue:zt)}>
        ${e?"Write a query":"Choose a model"}
      </button>
    </p>
  <//>`}var ve=[{name:"single",title:"One tool",tries:"one tool is offered, one call is right"},{name:"choice",title:"Right tool",tries:"several tools are offered, one of them is right"},{name:"parallel",title:"Many calls",tries:"several calls of one tool"},{name:"parallel_choice",title:"Many tools",tries:"several calls of several tools"},{name:"irrelevance",title:"No tool fits",tries:"no tool fits, so none is called"},{name:"multi_turn",title:"Step by step",tries:"the result of one call is needed for the next"},{name:"error_recovery",title:"After an error",tries:"a call fails and says why; the next one is right"},{name:"types",title:"Typed values",tries:"numbers, lists, objects and choices, as the schema has them"},{name:"clarification",title:"Asks back",tries:"something is missing: the model asks instead of inventing it"}];function Xt(e){return ve.find(t=>t.name===e)?.title??e}var ii=8;function ai({choices:e,chosen:t,onChosen:o,loaded:n,first:r}){let[i,a]=h(""),l=U(()=>performance.now(),[]),c=e.filter(({id:u})=>t.includes(u)||u.toLowerCase().includes(i.toLowerCase())),d=u=>o(t.includes(u)?t.filter(f=>f!==u):[...t,u]);return s`
    <fieldset class="val-models">
      <legend>Models${t.length>0&&` (${t.length} ticked)`}</legend>
      ${e.length>ii&&s`<input
          ref=${r}
          type="search"
          aria-label="Find a model"
          placeholder=${`Find one of ${e.length}`}
          value=${i}
          onInput=${u=>a(u.currentTarget.value)}
        />`}
      <div class="val-choices">
        ${c.map(({id:u,validation:f,demo:p},m)=>s`
            <label class="val-choice" key=${u}>
              <input ref=${m===0&&e.length<=ii?r:void 0} type="checkbox" checked=${t.includes(u)} onChange=${()=>d(u)} />
              <span>${u} ${f&&s`<small><${Fe} validation=${f} demo=${p} /></small>`}</span>
            </label>
          `)}
        ${c.length===0&&e.length>0&&s`<small>None is called that.</small>`}
        ${e.length===0&&!n.loading&&s`<small>No model that calls tools is configured.</small>`}
      </div>
      ${n.loading&&!n.data&&s`<${R} what="asking the providers for their models" since=${l} />`}
      ${n.error&&s`<p class="problem-text">The models could not be listed: ${n.error.message} <button type="button" onClick=${n.reload}>Try again</button></p>`}
      ${n.data&&n.data.errors.length>0&&s`<div class="notice">
          ${_(n.data.errors.length,"provider")} could not tell its models:
          <ul>${n.data.errors.map(({llm:u,error:f})=>s`<li><code>${u}</code> ${f}</li>`)}</ul>
        </div>`}
    </fieldset>
  `}var $u={rate:(e,t)=>(t.rate?.rate??-1)-(e.rate?.rate??-1)||(t.rate?.low??0)-(e.rate?.low??0),name:()=>0,tested:(e,t)=>(t.last_tested??"").localeCompare(e.last_tested??"")};function li(e){return e==="name"||e==="tested"?e:"rate"}function ci(e,t){return[...e].sort((o,n)=>$u[t](o,n)||o.model_id.localeCompare(n.model_id,"en"))}function ui(e,t){return e.includes(t)?e.filter(o=>o!==t):[...e,t].slice(-2)}function Ke(e){return(e??"").split(" ").filter(t=>t!=="")}function pt(e){return e.filter(t=>t.capabilities.includes("function-calling"))}function di(e,t){let o=new Set(t.filter(n=>n.tested).map(n=>n.model_id));return pt(e).filter(n=>!o.has(n.id))}var hu=2e4;function mi(e){return{models:Ke(e.models),suite:e.suite??"default",repeats:Number(e.repeats??1),stop_early:e.early!=="no",budget:{calls:jo(e.calls),tokens:jo(e.tokens),usd:jo(e.usd)}}}function jo(e){return e===void 0?null:Number(e)}function fi(e,t,o){let n=new Map;for(let{id:r,demo:i,validation:a}of pt(e))n.set(r,{id:r,demo:i??!1,validation:a});for(let r of t){let{model_id:i,demo:a}=r;n.has(i)||n.set(i,{id:i,demo:a??!1,validation:r})}for(let r of o)n.has(r)||n.set(r,{id:r,demo:!1,validation:void 0});return[...n.values()]}function pi(e,t){let o=e.models.length;if(o===0)return{ready:!1,text:"Tick the models to validate."};if(t===void 0)return{ready:!0,text:_(o,"model")};let n=t.cases*o*e.repeats,r=e.repeats>1?` × ${_(e.repeats,"repeat")}`:"",i=`${_(t.cases,"case")} × ${_(o,"model")}${r}`;return n>hu?{ready:!1,text:`${i} are ${_(n,"chat")}; a run has at most 20,000.`}:{ready:!0,text:`${_(Math.min(n,e.budget.calls??n),"chat")} at most: ${i}`}}var Go="val-form";function $i({params:e,change:t,suites:o,models:n,statuses:r,onStarted:i}){let a=w(null),l=w(null),c=D(),d=mi(e),u=o.data?.suites.find(({name:m})=>m===d.suite),f=pi(d,u),p=m=>{m.preventDefault(),!(!f.ready||c.busy)&&c.run(async $=>{let b=await v.startValidation(d);$.aborted||i(b)})};return ee([{keys:"/",label:"choose models",run:()=>l.current?.focus()},{keys:"mod+Enter",label:"start the run",run:()=>a.current?.requestSubmit()}]),s`
    <form class="stack" ref=${a} onSubmit=${p}>
      <h2 id=${Go} tabindex="-1">Run a suite</h2>
      <label class="field">
        Suite
        <select value=${d.suite} onChange=${m=>t({suite:m.currentTarget.value})}>
          ${_u(o.data?.suites??[],d.suite).map(m=>s`<option value=${m} selected=${m===d.suite}>${m}</option>`)}
        </select>
      </label>
      ${u&&s`<${gu} suite=${u} />`}
      ${o.error&&s`<${S} error=${o.error} onRetry=${o.reload} />`}
      <${ai}
        choices=${fi(n.data?.models??[],r,d.models)}
        chosen=${d.models}
        onChosen=${m=>t({models:m.join(" ")})}
        loaded=${n}
        first=${l}
      />
      <${Qt} name="repeats" label="Repeats of each case" none="1" max="100" step="1" params=${e} change=${t} />
      <label class="check">
        <input type="checkbox" checked=${d.stop_early} onChange=${()=>t({early:d.stop_early?"no":""})} />
        Stop early
      </label>
      <small>
        ${d.stop_early?"A model is asked no more once it is certain whether it passes: of 75 cases a good one is asked about 17.":"Every case is asked: for rates by category, and for comparing models."}
      </small>
      <${P} summary="Budget" open=${["calls","tokens","usd"].some(m=>m in e)}>
        <small>The run stops when one of these is spent, whichever is first.</small>
        <${Qt} name="calls" label="Chats" none="no limit" step="1" params=${e} change=${t} />
        <${Qt} name="tokens" label="Tokens" none="no limit" step="1" params=${e} change=${t} />
        <${Qt} name="usd" label="US dollars" none="no limit" step="any" min="0.000001" params=${e} change=${t} />
      <//>
      <p id="val-asks">${f.text}</p>
      <div class="row">
        <button type="submit" class="primary" disabled=${!f.ready||c.busy} aria-describedby="val-asks">Start</button>
        ${c.busy&&s`<${R} what="beginning the run" since=${c.since} />`}
      </div>
      ${c.error&&s`<${S} error=${c.error} onRetry=${()=>a.current?.requestSubmit()} />`}
    </form>
  `}function _u(e,t){return[...new Set([...e.map(({name:o})=>o),t])]}function gu({suite:e}){let t=e.built_in?"comes with Flexchat":"of your own",o=`${_(e.cases,"case")}, ${t}`;return s`<${P} summary=${o}>
    ${e.description&&s`<p>${e.description}</p>`}
    <ul>
      ${Object.entries(e.categories).map(([n,r])=>s`<li>${Xt(n)}: ${r}</li>`)}
    </ul>
  <//>`}function Qt({name:e,label:t,none:o,min:n="1",max:r,step:i,params:a,change:l}){return s`<label class="field">
    ${t}
    <input
      type="number"
      min=${n}
      max=${r}
      step=${i}
      placeholder=${o}
      value=${a[e]??""}
      onInput=${c=>l({[e]:c.currentTarget.value})}
    />
  </label>`}function ze({title:e,focus:t=!1,seen:o=!1,onClose:n,children:r}){let i=w(null),a=Q();return y(()=>{t&&i.current?.focus()},[e,t]),y(()=>{o&&i.current?.scrollIntoView({block:"nearest"})},[o]),s`
    <section class="val-panel stack" aria-labelledby=${a}>
      <div class="row spread">
        <h2 id=${a} ref=${i} tabindex="-1">${e}</h2>
        <button type="button" class="quiet" onClick=${n}>Close</button>
      </div>
      ${r}
    </section>
  `}function _i(e){return e.low>=.8?"proven":e.high<.8?"failing":"undecided"}function Ko(e,t){let o=e.rate-t.rate;return{value:o,low:Math.max(-1,o-Math.hypot(e.rate-e.low,t.high-t.rate)),high:Math.min(1,o+Math.hypot(e.high-e.rate,t.rate-t.low))}}function zo({low:e,high:t}){return e>0?"a":t<0?"b":"neither"}function gi(e,t,o){let n=zo(e);return n==="a"?`${t} is better by ${hi(e.value,e.low,e.high)}`:n==="b"?`${o} is better by ${hi(-e.value,-e.high,-e.low)}`:"No difference is shown"}function bi({value:e,low:t,high:o}){return`${Uo(e)} (${Uo(t)} to ${Uo(o)})`}function hi(e,t,o){return`${Zt(e)} points (${Zt(t)} to ${Zt(o)})`}function Uo(e){let t=Zt(Math.abs(e));return t==="0"?t:`${e<0?"−":"+"}${t}`}function Zt(e){let t=e*100;return t>0&&t<1?t.toFixed(1):String(Math.round(t))}function wi({a:e,b:t,onClose:o}){let n={a:e.model_id,b:t.model_id};return s`
    <${ze} title=${`${e.model_id} and ${t.model_id}`} onClose=${o}>
      <p role="status"><strong>${bu(e,t)}</strong></p>
      ${(e.demo||t.demo)&&s`<p class="notice">! The demo model answers by rules: this difference says nothing about real models.</p>`}
      <div class="scroll" tabindex="0" role="region" aria-label="The difference by category">
        <table class="val-compared">
          <caption class="hidden">The difference by category, with its 95 % interval</caption>
          <thead>
            <tr>
              <th scope="col">Category</th>
              <th scope="col" class="number">${e.model_id}${e.demo&&s` <${G} />`}</th>
              <th scope="col" class="number">${t.model_id}${t.demo&&s` <${G} />`}</th>
              <th scope="col" class="number">Points</th>
              <th scope="col">Says</th>
            </tr>
          </thead>
          <tbody>
            <${yi} title="All" a=${e.rate} b=${t.rate} names=${n} />
            ${ve.map(({name:r,title:i})=>s`<${yi} title=${i} a=${e.categories?.[r]} b=${t.categories?.[r]} names=${n} />`)}
          </tbody>
        </table>
      </div>
      <small>
        Points are percentage points with Newcombe's 95 % interval. Where 0 is inside, no difference is shown; few tests
        of one category rarely show any.
      </small>
    <//>
  `}function bu(e,t){return!e.rate||!t.rate?"Only one of them was tested.":`${gi(Ko(e.rate,t.rate),e.model_id,t.model_id)}.`}function yi({title:e,a:t,b:o,names:n}){let r=t&&o?Ko(t,o):void 0;return s`
    <tr>
      <th scope="row">${e}</th>
      <td class="number">${t?$e(t):"–"}</td>
      <td class="number">${o?$e(o):"–"}</td>
      <td class="number">${r?bi(r):"–"}</td>
      <td>${r?yu(r,n):"not tried by both"}</td>
    </tr>
  `}function yu(e,t){let o=zo(e);return o==="neither"?"no difference is shown":`${t[o]} is better`}var $t=72,Jo=20,eo=3,wu=864e5,vu=new Intl.DateTimeFormat("en-GB",{day:"numeric",month:"short",timeZone:"UTC"});function ki(e){return Math.round(e*10)/10}function Yo(e){return ki(eo+(1-e)*(Jo-2*eo))}function ku(e){let t=e.map(({day:r})=>Date.parse(r)),o=t[0]??0,n=Math.max(wu,(t.at(-1)??0)-o);return e.map(({tests:r,successes:i},a)=>({x:e.length===1?$t/2:ki(eo+((t[a]??0)-o)/n*($t-2*eo)),y:Yo(i/r)}))}function xu(e){return e.map(({day:t,tests:o,successes:n})=>`${vu.format(new Date(t))} ${Be(n/o)} of ${o}`).join(", ")}function xi({days:e}){let t=ku(e),o=`Rate by day: ${xu(e)}`;return s`
    <svg class="val-trend" viewBox=${`0 0 ${$t} ${Jo}`} width=${$t} height=${Jo} role="img" aria-label=${o}>
      <title>${o}</title>
      <line x1="0" x2=${$t} y1=${Yo(.8)} y2=${Yo(.8)} />
      <polyline points=${t.map(({x:n,y:r})=>`${n},${r}`).join(" ")} />
      ${t.slice(-1).map(({x:n,y:r})=>s`<circle cx=${n} cy=${r} r="2.5" />`)}
    </svg>
  `}var Tu={proven:"✓",failing:"✕",undecided:""};function Ti({statuses:e,order:t,onOrder:o,ticked:n,onTick:r,open:i,onOpen:a}){let l=(c,d,u)=>s`
    <th scope="col" aria-sort=${t===c?u:void 0}>
      <button type="button" class="quiet val-sort" onClick=${()=>o(c)}>
        ${d}<span aria-hidden="true">${t===c&&(u==="ascending"?" ▴":" ▾")}</span>
      </button>
    </th>
  `;return s`
    <div class="scroll">
      <table class="val-map">
        <caption class="hidden">Models and what they passed, by category</caption>
        <thead>
          <tr>
            ${l("name","Model","ascending")} ${l("rate","Rate","descending")}
            ${l("tested","Tested","descending")}
            ${ve.map(({title:c,tries:d})=>s`<th scope="col" class="val-category" title=${d}>${c}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${ci(e,t).map(c=>s`
              <${Su}
                key=${c.model_id}
                status=${c}
                ticked=${n.includes(c.model_id)}
                onTick=${r}
                open=${i?.model===c.model_id?i.category:void 0}
                onOpen=${a}
              />
            `)}
        </tbody>
      </table>
    </div>
    <${P} summary="How to read it">
      <p>
        The number is the share of tests that were passed, the bar below it the 95 % interval: by what was seen, the
        model's own rate is in it.
      </p>
      <ul>
        <li><b>✓</b> proven: the whole interval is at 80 % or above, the first time at 16 of 16</li>
        <li><b>✕</b> failing: the whole interval is below 80 %</li>
        <li><b>demo</b>: the demo model, whose scores say nothing about a real model</li>
        <li>outlined: undecided, 80 % is inside; more tests would tell</li>
      </ul>
      <ul>${ve.map(({title:c,tries:d})=>s`<li><b>${c}</b>: ${d}</li>`)}</ul>
    <//>
  `}function Su({status:e,ticked:t,onTick:o,open:n,onOpen:r}){let{model_id:i,badge:a,demo:l}=e;return s`
    <tr>
      <th scope="row" class="val-model">
        <div class="val-name">
          <input type="checkbox" aria-label=${`Compare ${i}`} checked=${t} onChange=${()=>o(i)} />
          <button
            type="button"
            class="quiet"
            aria-pressed=${n===""}
            title="All of its verdicts"
            onClick=${()=>r({model:i,category:""})}
          >${i}</button>
        </div>
        ${l&&s`<${G} />`}
        ${a&&!l&&s`<small class="badge" title=${a.tooltip}><span aria-hidden="true">${a.symbol}</span> ${a.text}</small>`}
      </th>
      <td>${e.rate&&s`<${Mt} rate=${e.rate} />`}</td>
      <td>
        ${(e.trend?.length??0)>0&&s`<${xi} days=${e.trend} />`}
        ${e.last_tested&&s`<div><small><${j} at=${e.last_tested} /></small></div>`}
      </td>
      ${ve.map(c=>s`
          <td class="val-in">
            <${Cu}
              rate=${e.categories?.[c.name]}
              demo=${l??!1}
              label=${`${c.title}, ${i}`}
              open=${n===c.name}
              onOpen=${()=>r({model:i,category:c.name})}
            />
          </td>
        `)}
    </tr>
  `}function Cu({rate:e,demo:t,label:o,open:n,onOpen:r}){if(!e)return s`<span class="val-none" title="never tried">–<span class="hidden"> never tried</span></span>`;let i=_i(e),a={left:`${e.low*100}%`,width:`${Math.max(1,(e.high-e.low)*100)}%`},l=`${Math.round(e.low*100)} to ${Math.round(e.high*100)} %`;return s`
    <button
      type="button"
      class="val-cell"
      data-state=${t?"demo":i}
      aria-pressed=${n}
      title=${`${e.successes} of ${e.tests} passed, ${l}, ${t?"demo model":i}`}
      onClick=${r}
    >
      <span class="number">${Be(e.rate)}</span>
      <small class="number"><span aria-hidden="true">${t?"":Tu[i]}</span>${" "}n ${e.tests}</small>
      <span class="interval" aria-hidden="true"><span style=${a}></span><i style=${{left:`${e.rate*100}%`}}></i></span>
      <span class="hidden">${o}, ${l}, ${t?"demo model":i}</span>
    </button>
  `}function Je(e,t=[]){let o=V(),n=w(e);n.current=e;let r=D(),{run:i}=r,[a,l]=h(Si()),c=JSON.stringify(t),d=C(()=>{i(async f=>{let p=await n.current(void 0,f);l({items:p.items,cursor:p.cursor??void 0,read:!0})})},[i]);y(()=>{l(Si()),d()},[c,o,d]);let u=()=>{i(async f=>{let p=await n.current(a.cursor,f);l(m=>({items:[...m.items,...p.items],cursor:p.cursor??void 0,read:!0}))})};return{items:a.items,read:a.read,more:a.cursor!==void 0,next:a.read?u:d,restart:d,task:r}}function Si(){return{items:[],cursor:void 0,read:!1}}function Ci(e,t){return t.models.flatMap(({model:o,done:n})=>{let r=e?.models.find(i=>i.model===o)?.done??0;return n>r?[{model:o,limit:Math.min(100,n-r+10)}]:[]})}function Xo({run:e,model:t,case:o,repeat:n,request_id:r}){return`${e} ${t} ${o} ${n} ${r}`}function Qo({result:e}){return e!=="skipped"}function Ei(e,t,o){return[...new Map([...e,...t.filter(r=>r.run===o&&Qo(r))].map(r=>[Xo(r),r])).values()].sort((r,i)=>i.at.localeCompare(r.at)).slice(0,100)}var Eu={passed:{tone:"good",text:"passed"},failed:{tone:"bad",text:"failed"},error:{tone:"warn",text:"error, does not count"},skipped:{tone:"plain",text:"skipped"},no_tool_call:{tone:"plain",text:"no tool call, does not count"}},Ou=10,Ru=5,Oi=100,Zo=200,Au=50,Mu=56;function en({verdicts:e,label:t,models:o=!1}){let n=e.length>Zo?Au:Zo;return Array.from({length:Math.ceil(e.length/n)},(i,a)=>a*n).map(i=>{let a=e.slice(i,i+n);return s`<ul
      key=${i}
      class="val-verdicts"
      aria-label=${i===0?t:`${t}, from ${i+1} on`}
      style=${e.length>Zo?{contentVisibility:"auto",containIntrinsicSize:`auto ${a.length*Mu}px`}:{}}
    >
      ${a.map(l=>s`<${Iu} key=${Xo(l)} verdict=${l} models=${o} />`)}
    </ul>`})}function Iu({verdict:e,models:t}){let{tone:o,text:n}=Eu[e.result];return s`
    <li>
      <div class="row">
        <${T} tone=${o}>${n}<//>
        <strong>${e.case}${e.repeat>1&&` #${e.repeat}`}</strong>
        ${t&&s`<span>${e.model}</span>`}
        ${e.category&&s`<${te}>${Xt(e.category)}<//>`}
        ${e.counted===!1&&s`<${te}>by hand, not counted<//>`}
        <small class="row val-facts">
          <${j} at=${e.at} />
          <span class="number">${A(e.latency_ms)}</span>
          <span class="number">${_(e.tokens,"token")}</span>
          ${typeof e.cost_usd=="number"&&s`<span class="number">${ae(e.cost_usd)}</span>`}
          ${e.request_id&&s`<${Z} text=${e.request_id} label="Copy the request id" />`}
        </small>
      </div>
      ${e.reasons.length>0&&s`<ul class="val-reasons">${e.reasons.map(r=>s`<li>${r}</li>`)}</ul>`}
    </li>
  `}function to({pages:e,label:t,models:o=!1,wanted:n,wrongOnly:r,onWrongOnly:i}){let{items:a,read:l,more:c,next:d,task:u}=e,f=a.filter(m=>Qo(m)&&n(m)&&!(r&&m.result==="passed")),p=l&&c&&!u.busy&&!u.error&&f.length<Ou&&a.length<Ru*Oi;return y(()=>{p&&d()}),u.error&&!l?s`<${S} error=${u.error} onRetry=${d} />`:l?s`
    <div class="row spread">
      <span role="status">${_(f.length,"verdict")} of ${E(a.length)} read${c?", there are more":""}</span>
      <label class="check">
        <input type="checkbox" checked=${r} onChange=${()=>i(!r)} />
        Only what was not passed
      </label>
    </div>
    ${f.length===0&&!c&&s`<p>None.</p>`}
    <${en} verdicts=${f} label=${t} models=${o} />
    <${Nu} pages=${e} />
  `:s`<${L} lines=${6} what=${t} />`}function Nu({pages:{more:e,next:t,task:o}}){return o.error?s`<${S} error=${o.error} onRetry=${t} />`:o.busy?s`<${R} what="reading verdicts" since=${o.since} />`:e&&s`<div><button type="button" onClick=${t}>Read the next ${Oi}</button></div>`}var Du=100;function Ri({model:e,category:t,status:o,focus:n,onClose:r}){let[i,a]=h(!1),l=ve.find(u=>u.name===t),c=Je(async(u,f)=>{let{records:p,cursor:m}=await v.history(e,{limit:Du,cursor:u,signal:f});return{items:p,cursor:m}},[e]);ee([{keys:"Escape",label:"close the verdicts",run:r}]);let d=l?o?.categories?.[l.name]:o?.rate;return s`
    <${ze} title=${`${l?l.title:"All verdicts"} · ${e}`} focus=${n} onClose=${r}>
      ${l&&s`<p>Tries: ${l.tries}.</p>`}
      ${o?.demo&&s`<p class="notice">! These are verdicts of the demo model: they say nothing about a real model.</p>`}
      ${d&&s`<p>${d.successes} of ${_(d.tests,"test")} passed, ${$e(d)}.</p>`}
      ${!l&&o&&s`<${Pu} status=${o} />`}
      <${to}
        pages=${c}
        label=${`Verdicts of ${e}`}
        wanted=${u=>!l||u.category===l.name}
        wrongOnly=${i}
        onWrongOnly=${a}
      />
    <//>
  `}function Pu({status:e}){let t=[typeof e.latency_ms=="number"&&A(e.latency_ms),typeof e.tokens=="number"&&_(Math.round(e.tokens),"token"),typeof e.cost_usd=="number"&&ae(e.cost_usd)].filter(Boolean),{by_hand:o}=e,n=[(e.errors??0)>0&&_(e.errors??0,"error"),(e.no_tool_calls??0)>0&&`${_(e.no_tool_calls??0,"plain test")} without a tool call`,o&&`${_(o.tests+o.errors+o.no_tool_calls,"test")} by hand`].filter(Boolean);return s`<p>
    ${t.length>0&&`A case takes ${t.join(", ")} on average.`}
    ${n.length>0&&` Not counted: ${n.join(", ")}.`}
  </p>`}var qu=12;function Ai({models:e,first:t,onFill:o}){return s`
    <${ye} title="No model has been tried yet">
      <p>
        Providers say of most models that they call tools. Whether one calls the right tool with the right arguments, and
        leaves tools alone where none fits, is found out by trying: a suite of cases is asked and each answer is graded.
      </p>
      ${t&&o&&s`<button type="button" onClick=${()=>o(t)}>Validate ${t}</button>`}
      ${!t&&e.loading&&s`<p>The models are being asked for.</p>`}
      ${!t&&!e.loading&&s`<p>No model that calls tools is known; see the configuration.</p>`}
    <//>
  `}function Mi({models:e,onFill:t}){if(e.length===0)return null;let o=e.slice(0,qu).map(({id:r})=>r),n=e.length-o.length;return s`
    <div class="notice">
      <span aria-hidden="true">🔧⚠️</span> ${_(e.length,"model")} not tested yet: that they call tools is only said of
      them.
      <div class="row">
        ${o.map(r=>s`<button type="button" class="quiet" title=${`Put ${r} into the form`} onClick=${()=>t(r)}>${r}</button>`)}
        ${n>0&&`and ${n} more`}
      </div>
    </div>
  `}function Ii({params:e,change:t,statuses:o,rows:n,models:r,onFill:i}){let a=w(null),l=r.data?.models??[],{model:c,category:d="",run:u}=e,f=m=>{a.current=document.activeElement,t(m,{replace:!1})},p=()=>{t({model:"",category:""},{replace:!1}),a.current instanceof HTMLElement&&a.current.focus(),a.current=null};return s`
    ${o.error&&s`<${S} error=${o.error} onRetry=${o.reload} />`}
    ${!o.data&&!o.error&&s`<${L} lines=${6} what="what is known of the models" />`}
    ${o.data&&n.length===0&&!u&&s`<${Ai} models=${r} first=${pt(l)[0]?.id} onFill=${i} />`}
    ${n.length>0&&s`
        <h2>What is known</h2>
        <${Ti}
          statuses=${n}
          order=${li(e.sort)}
          onOrder=${m=>t({sort:m})}
          ticked=${Ke(e.compare)}
          onTick=${m=>t({compare:ui(Ke(e.compare),m).join(" ")})}
          open=${c&&{model:c,category:d}}
          onOpen=${f}
        />
        <${Lu} names=${Ke(e.compare)} rows=${n} onClose=${()=>t({compare:""})} />
        ${i&&s`<${Mi} models=${di(l,n)} onFill=${i} />`}
      `}
    ${c&&s`<${Ri}
        model=${c}
        category=${d}
        status=${n.find(m=>m.model_id===c)}
        focus=${a.current!==null}
        onClose=${p}
      />`}
  `}function Lu({names:e,rows:t,onClose:o}){let[n,r]=e.map(i=>t.find(a=>a.model_id===i));return n&&r?s`<${wi} a=${n} b=${r} onClose=${o} />`:e.length===1&&s`<p role="status">Tick another model to compare it with ${e[0]}.</p>`}var Hu=[1e3,1500,2e3,3e3],Bu=3e3;function he({status:e}){return e!=="queued"&&e!=="running"}function Ni(e,t){let o=V(),n=w(t);n.current=t;let[r,i]=h(0),[a,l]=h(Wu),c=w(void 0);return y(()=>{let d=new AbortController,{signal:u}=d,f=0,p=0,m=!1,$=async()=>{if(clearTimeout(f),!(document.hidden||m)){m=!0;try{let g=await v.validationRun(e,{limit:1,signal:u}),k=c.current;if(l(O=>Fu(O,g,k)),k!==void 0&&k.status!==g.status&&n.current(g),he(g)){c.current=g;return}let x=await Vu(k,g,u);c.current=g,l(O=>({...O,latest:Ei(O.latest,x,e)}))}catch(g){if(u.aborted)return;let k=Tt(g);if(l(x=>({...x,error:k})),k.kind!=="offline"&&k.kind!=="failed")return}finally{m=!1}f=setTimeout($,Hu[p++]??Bu)}},b=()=>{!document.hidden&&(c.current===void 0||!he(c.current))&&$()};return $(),document.addEventListener("visibilitychange",b),()=>{d.abort(),clearTimeout(f),document.removeEventListener("visibilitychange",b)}},[e,o,r]),{...a,again:C(()=>i(d=>d+1),[])}}function Wu(){return{run:void 0,latest:[],error:void 0,advancedAt:performance.now()}}function Fu(e,t,o){let n=t.done===o?.done?e.advancedAt:performance.now();return{...e,run:t,error:void 0,advancedAt:n}}async function Vu(e,t,o){return(await Promise.all(Ci(e,t).map(({model:r,limit:i})=>v.history(r,{limit:i,signal:o})))).flatMap(r=>r.records)}var ju=20,Gu={queued:"plain",running:"plain",finished:"good",stopped:"warn",failed:"bad"};function tn({status:e}){return s`<${T} tone=${Gu[e]}>${e}<//>`}function Di({open:e,changed:t,onOpen:o}){let{items:n,read:r,more:i,next:a,restart:l,task:c}=Je(async(d,u)=>{let{runs:f,cursor:p}=await v.validationRuns({limit:ju,cursor:d,signal:u});return{items:f,cursor:p}});return y(()=>{t>0&&l()},[t,l]),s`
    <h2>Runs</h2>
    ${!r&&!c.error&&s`<${L} what="the runs" />`}
    ${c.error&&s`<${S} error=${c.error} onRetry=${a} />`}
    ${r&&n.length===0&&s`<small>None yet.</small>`}
    <ul class="val-runs">
      ${n.map(d=>s`
          <li key=${d.id}>
            <button type="button" aria-pressed=${d.id===e} onClick=${()=>o(d.id)}>
              <span class="row spread"><${tn} status=${d.status} /><small><${j} at=${d.created_at} /></small></span>
              <span>${d.suite}${d.repeats>1&&` × ${d.repeats}`} · ${Ku(d)}</span>
              <small class="number">${Uu(d)}</small>
            </button>
          </li>
        `)}
    </ul>
    <div class="row">
      ${i&&!c.busy&&s`<button type="button" onClick=${a}>Older runs</button>`}
      ${c.busy&&r&&s`<${R} what="reading the runs" since=${c.since} />`}
    </div>
  `}function Uu({passed:e,failed:t,total:o}){let n=e+t;return n===0?`${_(o,"chat")} at most`:`${E(e)} of ${E(n)} passed`}function Ku({models:e}){return e.length<=2?e.map(({model:t})=>t).join(", "):_(e.length,"model")}var zu=100,Ju=3e4;function qi({id:e,operator:t,onStatus:o,onClose:n}){let{run:r,latest:i,error:a,advancedAt:l,again:c}=Ni(e,o),d=U(()=>performance.now(),[]);return s`
    <${ze} title=${r?`Run of ${r.suite}${r.repeats>1?` × ${r.repeats}`:""}`:"Run"} seen onClose=${n}>
      ${!r&&!a&&s`<${R} what="reading the run" since=${d} />`}
      ${r&&s`<${Yu} run=${r} operator=${t} advancedAt=${l} onChanged=${c} />`}
      ${a&&s`<${S} error=${a} onRetry=${c} />`}
      ${r&&s`<${Qu} run=${r} />`}
      ${r&&he(r)&&s`<${Zu} run=${r} />`}
      ${r&&!he(r)&&s`<h3>Latest verdicts</h3>
          <div class="val-box" tabindex="0" role="region" aria-label="Latest verdicts">
            ${i.length===0?s`<p>None has arrived yet.</p>`:s`<${en} verdicts=${i} label="Latest verdicts" models />`}
          </div>`}
    <//>
  `}function Yu({run:e,operator:t,advancedAt:o,onChanged:n}){let r=D(),i=U(()=>performance.now()-(Date.now()-Date.parse(e.created_at)),[e.created_at]),a=!he(e)&&performance.now()-o>Ju,l=d=>r.run(async u=>{await d(e.id),u.aborted||n()}),c=[_(e.calls,"chat"),_(e.tokens,"token"),e.cost_usd>0&&ae(e.cost_usd),e.finished_at&&A(Date.parse(e.finished_at)-Date.parse(e.created_at))].filter(Boolean);return s`
    <div class="row">
      <span role="status"><${tn} status=${e.status} />${he(e)&&` ${Pi(e)}`}</span>
      ${!he(e)&&s`<${R} what="" since=${i} /> ${t&&s`<button type="button" disabled=${r.busy} onClick=${()=>l(v.stopValidation)}>Stop</button>`}`}
    </div>
    ${e.reason&&s`<p>${e.reason}</p>`}
    <div>
      <progress class="val-progress" max=${e.total} value=${e.done} aria-label="Verdicts in all"></progress>
      <small>${E(e.done)} of ${_(e.total,"verdict")}${!he(e)&&`: ${Pi(e)}`} · ${c.join(" · ")}</small>
    </div>
    ${a&&s`<div class="notice row">
        Nothing has come for a while. Cases whose messages were lost can be asked again; no verdict is lost.
        ${t&&s`<button type="button" disabled=${r.busy} onClick=${()=>l(v.resumeValidation)}>Resume</button>`}
      </div>`}
    ${r.error&&s`<${S} error=${r.error} />`}
  `}function Pi({passed:e,failed:t,errors:o,skipped:n}){let r=[`${E(e)} passed`,`${E(t)} failed`];return o>0&&r.push(_(o,"error")),n>0&&r.push(`${E(n)} skipped`),r.join(", ")}var Xu={passes:"✓ decided: passes",fails:"✕ decided: fails"};function Qu({run:e}){let t=e.total/e.models.length;return s`
    <div class="scroll" tabindex="0" role="region" aria-label="Each model in this run">
      <table>
        <caption class="hidden">Each model in this run</caption>
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
          ${e.models.map(({model:o,demo:n,rate:r,done:i,errors:a,skipped:l,decided:c})=>s`
              <tr key=${o}>
                <th scope="row" class="val-model">${o}${n&&s` <${G} />`}${c&&s`<div><small>${Xu[c]}</small></div>`}</th>
                <td>
                  <progress class="val-progress" max=${t} value=${i} aria-label=${`Verdicts of ${o}`}></progress>
                  <small class="number">${E(i)} of ${E(t)}</small>
                </td>
                <td class="number">${E(r?.successes??0)}</td>
                <td class="number">${E((r?.tests??0)-(r?.successes??0))}</td>
                <td class="number">${E(a)}</td>
                <td class="number">${E(l)}</td>
                <td>${r&&s`<${Mt} rate=${r} />`}</td>
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}function Zu({run:e}){let[t,o]=h(e.failed+e.errors>0),n=Je(async(r,i)=>{let{verdicts:a,cursor:l}=await v.validationRun(e.id,{limit:zu,cursor:r,signal:i});return{items:a,cursor:l}},[e.id]);return s`
    <h3>Verdicts</h3>
    <div class="val-box" tabindex="0" role="region" aria-label="Verdicts of this run">
      <${to}
        pages=${n}
        label="Verdicts of this run"
        models
        wanted=${()=>!0}
        wrongOnly=${t}
        onWrongOnly=${o}
      />
    </div>
  `}function oo(e,{replace:t=!0}={}){let o=Pe();o.view==="validation"&&F("validation",{...o.params,...e},{replace:t})}function ed(e){oo({models:e}),document.getElementById(Go)?.focus()}function Li({place:{params:e}}){let t=de(p=>v.statuses(p)),o=de(p=>v.suites(p)),n=He(),r=ie(),[i,a]=h(0),l=t.data?.validations.filter(p=>p.tested||p.errors>0)??[],c=p=>{a(m=>m+1),he(p)&&(t.reload(),n.reload())},d=p=>oo({run:p},{replace:!1}),f=s`
    ${r?s`<${$i} params=${e} change=${oo} suites=${o} models=${n} statuses=${l} onStarted=${p=>{a(m=>m+1),d(p.id)}} />`:s`<p class="notice">Runs are started by tokens with the role <strong>operator</strong>. You see what they found.</p>`}
    <${Di} open=${e.run??""} changed=${i} onOpen=${d} />
  `;return s`
    <${fe} title="Validation" choose=${f}>
      ${e.run&&s`<${qi} key=${e.run} id=${e.run} operator=${r} onStatus=${c} onClose=${()=>d("")} />`}
      <${Ii} params=${e} change=${oo} statuses=${t} rows=${l} models=${n} onFill=${r?ed:void 0} />
    <//>
  `}var td={"tools-testing":si,chat:Br,validation:Li,retrieval:As,configuration:as};function Hi({place:e}){return s`<${td[e.view]} place=${e} />`}function Bi(){let e=On(),t=V(),o=w(t!==""),[n,r]=h(t===""),[i,a]=h(!1);return o.current||=t!=="",y(kt,[]),y(()=>{let l=ot.find(c=>c.name===e.view)?.title;document.title=`${l} · Flexchat`},[e.view]),y(()=>{t===""&&r(!0)},[t]),ee([{keys:"?",label:"list the keys",run:()=>a(!0)}]),s`
    <a class="skip" href="#main">Skip to what this view shows</a>
    <${Ln} place=${e} onToken=${()=>r(!0)} onHelp=${()=>a(!0)} />
    <main id="main" tabindex="-1">
      ${o.current&&s`<${Hi} key=${e.view} place=${e} />`}
    </main>
    <${Fn} open=${n} needed=${t===""} onClose=${()=>r(!1)} />
    <${Le} title="Keys" open=${i} onClose=${()=>a(!1)}>
      <dl class="keys">
        ${bo().map(({keys:l,label:c})=>s`
            <dt><kbd>${se(l)}</kbd></dt>
            <dd>${c}</dd>
          `)}
        <dt><kbd>Tab</kbd></dt>
        <dd>go on to the next thing that can be used</dd>
      </dl>
    <//>
  `}mo(s`<${Bi} />`,document.getElementById("app"));
