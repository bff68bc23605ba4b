/*! preact 11.2.0, MIT: see LICENSE.preact.txt */var N,an,ja,Se,so,wt,ln,gt,cn,io,ao,Ua,Ye=Symbol.for("pv"),kt={},St=[],Wa=/^m(i|n|o|s|text|space)$/,lo=Array.isArray,co=St.slice,Re=Object.assign;function Ee(e){e&&e.parentNode&&e.remove()}function un(e,t,o){var n,r,a,i={},l=arguments.length;for(a in t)a=="key"?n=t[a]:a=="ref"&&typeof e!="function"?r=t[a]:i[a]=t[a];return l>2&&(i.children=l>3?co.call(arguments,2):o),Qe(e,i,n,r,null)}function Qe(e,t,o,n,r){var a={type:e,props:t,key:o,ref:n,__k:null,__:null,__b:0,__e:null,__c:null,constructor:Ye,__v:r||++an,__i:-1,__u:0};return!r&&N.vnode&&N.vnode(a),a}function Ze(e){return e.children}function yt(e,t){this.props=e,this.context=t,this.__g=0}function Te(e,t){if(t==null)return e.__&&Te(e.__,e.__i+1);for(var o;t<e.__k.length;t++)if((o=e.__k[t])&&o.__e)return o.__e;return typeof e.type!="function"||e.props.__P?null:Te(e)}function Ga(e){var t,o=e.__v,n=o.__e,r=[],a=[],i=e.__P;i&&((t=Re({constructor:Ye},o)).__v=o.__v+1,N.vnode&&N.vnode(t),uo(i,t,o,e.__n,i.namespaceURI,32&o.__u?[n]:null,r,n||Te(o),32&o.__u,a),t.__v=o.__v,t.__.__k[t.__i]=t,hn(r,t,a),o.__=o.__e=null,t.__e!=n&&dn(t))}function dn(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),dn(e)}function rn(e){(8&e.__g||(e.__g|=8,Se.push(e),wt++))&&so==N.debounceRendering||((so=N.debounceRendering)||queueMicrotask)(mn)}function mn(){try{for(var e,t=1;Se.length;)Se.length>t&&Se.sort(ln),e=Se.shift(),t=Se.length,8&e.__g&&Ga(e)}finally{(wt=Se.length)&&(so||queueMicrotask)(mn)}}function fn(e,t,o,n,r,a,i,l,c,d,u){var f,p,m,$,v,_,S=n.__k||St,k=t.length;for(c=Ka(o,t,S,c,k),f=0;f<k;f++)(m=o.__k[f])!=null&&(p=~m.__i&&S[m.__i]||kt,m.__i=f,_=uo(e,m,p,r,a,i,l,c,d,u),$=m.__e,(p.ref!=m.ref||8&p.__u)&&(p.ref&&mo(p.ref,null,m,p),m.ref&&u.push(m.ref,m.__c||$,m)),v=v||$,4&m.__u?(c=pn(m,c,e,!p.__v),p.__e&&(p.__e=null)):typeof m.type=="function"&&_!==void 0?c=_:$&&(c=$.nextSibling),m.__u&=-21);return o.__e=v,c}function Ka(e,t,o,n,r){var a,i,l,c,d,u,f,p,m,$=o.length,v=$,_=0,S=0,k=e.__k=Array(r);for(a=0;a<r;a++)(i=t[a])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=k[a]=Qe(null,i):lo(i)?i=k[a]=Qe(Ze,{children:i}):i.constructor===Ye&&i.__b?i=k[a]=Qe(i.type,i.props,i.key,i.ref,i.__v):k[a]=i,c=a+_,i.__=e,i.__b=e.__b+1,l=null,~(d=i.__i=za(i,o,c,v))&&(v--,(l=o[d])&&(l.__u|=2)),l&&l.__v?(i.__u|=16,d==c-1?_--:d==c+1?_++:d!=c&&(d>c?_--:_++,S=1)):(~d||(r>$?_--:r<$&&_++),typeof i.type!="function"&&(i.__u|=4))):k[a]=null;if(S){for(u=[],f=[],a=0;a<r;a++)if((i=k[a])&&16&i.__u){for(_=0,p=u.length;_<p;)u[m=_+p>>1]<i.__i?_=m+1:p=m;u[_]=i.__i,f[a]=_+1}for(_=u.length;a--;)f[a]&&(f[a]==_?_--:k[a].__u|=4)}if(v)for(a=0;a<$;a++)!(l=o[a])||2&l.__u||(l.__e==n&&(n=Te(l)),fo(l,l));return n}function pn(e,t,o,n){var r,a,i,l;if(typeof e.type=="function"){if(e.props.__P)return t;if(r=e.__k)for(a=0;a<r.length;a++)r[a]&&(r[a].__=e,t=pn(r[a],t,o,!1));return t}for(t&&!t.parentNode&&(t=Te(e))&&!t.parentNode&&(t=null),i=e.__e,l=t;l&&l.nodeType==8;)l=l.nextSibling;for(i!=l&&(!n&&o.moveBefore&&i.parentNode?o.moveBefore(i,t):o.insertBefore(i,t||null)),t=i;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function za(e,t,o,n){var r,a=e.key,i=e.type,l=t[o],c=l&&!(2&l.__u);if(l===null&&a==null||c&&a==l.key&&i==l.type)return o;if(n>(c?1:0)){for(r=o-1;r>=0;r--)if((l=t[r])&&!(2&l.__u)&&a==l.key&&i==l.type)return r;for(r=o+1;r<t.length;r++)if((l=t[r])&&!(2&l.__u)&&a==l.key&&i==l.type)return r}return-1}function sn(e,t,o){o==null&&(o=""),t[0]=="-"?e.setProperty(t,o):e[t]=o}function bt(e,t,o,n,r){var a,i;if(t=="style")if(typeof o=="string")e.style.cssText=o;else{if(typeof n=="string"&&(e.style.cssText=n=""),n)for(t in n)o&&t in o||sn(e.style,t);if(o)for(t in o)n&&o[t]==n[t]||sn(e.style,t,o[t])}else if(t[0]=="o"&&t[1]=="n")typeof o!="function"&&(o=null),typeof n!="function"&&(n=null),(e.__e||(e.__e={}))[t]=o,o&&n||(i=ao[t]||(ao[t]=Ja(t)),(e.__a||(e.__a={}))[t]=io,a=t!=(t=t.replace(cn,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),o?e.addEventListener(t,i,a):e.removeEventListener(t,i,a));else{if(r=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=o??"")}catch{}if(typeof o=="function")return;o==null||o===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&o==1?"":o)}}function Ja(e){return function(t){var o=this.__e;if(o){if(o=o[e],t[gt]==null)t[gt]=io++;else if(t[gt]<this.__a[e])return;return o(N.event?N.event(t):t)}}}function uo(e,t,o,n,r,a,i,l,c,d){var u,f,p,m,$,v,_,S,k,E,I,be,ce,Q,B,_e,ue,ge,ye=t.type;if(t.constructor!==Ye)return null;128&o.__u&&(c=32&o.__u,u=o.__c.__z)&&(t.__u|=c,f=a=[],u.nodeType==8?l=vt(u,a):a.push(u),l=a[0]||l),(u=N.__b)&&u(t);e:if(typeof ye=="function"){p=i.length;try{if(S=t.props,k=(u=ye.prototype)&&u.render,E=(u=ye.contextType)&&n[u.__c],I=u?E?E.props.value:u.__:n,(m=o.__c)?(t.__c=m,2&m.__g&&(m.__g|=1)):(k?t.__c=m=new ye(S,I):(t.__c=m=new yt(S,I),m.constructor=ye,m.render=Qa),E&&E.sub(m),m.state||(m.state={}),m.__n=n,m.__g|=8,m.__h=[],m.__k=[]),k&&(m.__s||(m.__s=m.state),ye.getDerivedStateFromProps&&(m.__s==m.state&&(m.__s=Re({},m.__s)),Re(m.__s,ye.getDerivedStateFromProps(S,m.__s)))),$=m.props,v=m.state,m.__v=t,o.__c){if(S!==$&&k&&!ye.getDerivedStateFromProps&&m.componentWillReceiveProps&&m.componentWillReceiveProps(S,I),t.__v==o.__v&&!(8&m.__g)||!(4&m.__g)&&m.shouldComponentUpdate&&m.shouldComponentUpdate(S,m.__s,I)===!1){t.__v!=o.__v&&(m.props=S,m.state=m.__s,m.__g&=-9),t.__e=o.__e,t.__k=o.__k,t.__k.some(function(re){re&&(re.__=t)}),St.push.apply(m.__h,m.__k),m.__k=[],m.__h.length&&i.push(m),l=Te(o);break e}m.componentWillUpdate&&m.componentWillUpdate(S,m.__s,I),k&&m.componentDidUpdate&&m.__h.push(function(){m.componentDidUpdate($,v,_)})}else k&&!ye.getDerivedStateFromProps&&m.componentWillMount&&m.componentWillMount(),k&&m.componentDidMount&&m.__h.push(m.componentDidMount);m.context=I,m.props=S,m.__P=e,m.__g&=-5,be=N.__r,ce=k?25:0;do m.__g&=-9,be&&be(t),u=m.render(m.props,m.state=m.__s,m.context);while(8&m.__g&&++ce<25);k&&(St.push.apply(m.__h,m.__k),m.__k=[]),m.state=m.__s,m.getChildContext&&(n=Re({},n,m.getChildContext())),k&&o.__c&&m.getSnapshotBeforeUpdate&&(_=m.getSnapshotBeforeUpdate($,v)),Q=u&&u.type===Ze&&u.key==null?u.props.children:u,S.__P&&(u=l,r=(e=S.__P).namespaceURI,c=a=null,o.props&&o.props.__P!=e&&(o.__k.some(function(re){re&&fo(re,re)}),o.__k=null),l=o.__k?Te(o,0):null),l=fn(e,lo(Q)?Q:[Q],t,o,n,r,a,i,l,c,d),S.__P&&(t.__e=null,l=u),t.__u&=-161,f&&f.some(Ee),m.__h.length&&i.push(m),1&m.__g&&(m.__g&=-4)}catch(re){if(i.length=p,t.__v=null,c||a)if(re&&re.then){if(t.__u|=128|c,a){for(~(ue=a.indexOf(l||void 0))||(ue=a.length);(ge=a[ue-1])&&ge.nodeType==8;)ue--;for(;ue<a.length;ue++)if(ge=a[ue])if(a[ue]=null,B){if(ge==_e)break}else{if(ge.nodeType!=8)break;ge.data.startsWith("$s")&&(_e=vt(B=ge))}}if(!B){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;B=l}(u=vt(B=t.__c.__z||(t.__c.__z=B)))?(t.__e=B,l=u):t.__e=l,l=l&&l.nextSibling}else a&&a.some(Ee);else t.__e=o.__e;t.__k||(t.__k=o.__k||[]),re&&re.then||$n(t),N.__e(re,t,o)}}else l=t.__e=Xa(o.__e,t,o,n,r,a,i,c,d,e);return(u=N.diffed)&&u(t),l}function vt(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var o=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))o++;else if(e.data.startsWith("/$s")&&!--o)return e}t&&t.push(e)}}function $n(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some($n))}function hn(e,t,o){for(var n=0;n<o.length;)mo(o[n++],o[n++],o[n++]);N.__c&&N.__c(t,e),e.some(function(r){try{e=r.__h,r.__h=[],e.some(function(a){a.call(r)})}catch(a){N.__e(a,r.__v)}})}function Xa(e,t,o,n,r,a,i,l,c,d){var u,f,p,m,$,v,_,S,k=o.props||kt,E=t.props,I=t.type;if(I=="svg"?r="http://www.w3.org/2000/svg":I=="math"?r="http://www.w3.org/1998/Math/MathML":r||(r="http://www.w3.org/1999/xhtml"),a){for(u=0;u<a.length;u++)if(($=a[u])&&(I?$.localName==I:$.nodeType==3)){e=$,a[u]=null;break}}if(!e){if(S=d.ownerDocument||document,!I)return S.createTextNode(E);e=S.createElementNS(r,I,E.is?E:d),l&&(N.__m&&N.__m(t,a),l=!1),a=null}if(I){if(d=I=="template"&&e.content||e,a=I=="textarea"&&E.defaultValue!=null?null:a&&co.call(d.childNodes),!l&&a)for(k={},u=0;u<e.attributes.length;u++)k[($=e.attributes[u]).name]=$.value;for(u in k)$=k[u],u=="dangerouslySetInnerHTML"?p=$:u=="children"||u in E||u=="value"&&"defaultValue"in E||u=="checked"&&"defaultChecked"in E||bt(e,u,null,$,r);for(u in E)$=E[u],u=="children"?m=$:u=="dangerouslySetInnerHTML"?f=$:u=="value"?v=$:u=="checked"?_=$:l&&typeof $!="function"||k[u]===$||bt(e,u,$,k[u],r);f?(l||p&&(f.__html==p.__html||f.__html==e.innerHTML)||(e.innerHTML=f.__html),t.__k=[]):(p&&(e.textContent=""),(I=="foreignObject"||r=="http://www.w3.org/1998/Math/MathML"&&Wa.test(I))&&(r="http://www.w3.org/1999/xhtml"),fn(d,lo(m)?m:[m],t,o,n,r,a,i,a?a[0]:o.__k&&Te(o,0),l,c),a&&a.some(Ee)),l&&I!="textarea"||(u="value",I=="progress"&&v==null?e.removeAttribute(u):v==null||v===e[u]&&(I!="progress"||v)||bt(e,u,v,k[u],r),u="checked",_!=null&&_!=e[u]&&bt(e,u,_,k[u],r))}else k===E||l&&e.data==E||(e.data=E);return e}function mo(e,t,o,n){try{typeof e=="function"?t?t.__x=e(t)||1:n&&(n=n.__c||n.__e)&&(t=n.__x)&&(n.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(r){N.__e(r,o)}}function fo(e,t,o){var n,r,a,i;if(N.unmount&&N.unmount(e),!(n=e.ref)||n.current&&n.current!=e.__e||mo(n,null,t,e),n=e.__c){if(n.componentWillUnmount)try{n.componentWillUnmount()}catch(l){N.__e(l,t)}n.__P=n.__n=null}if(n=e.__k)for(i=0;i<n.length;i++)n[i]&&fo(n[i],t,typeof e.type!="function"||o&&!e.props.__P);!o&&(n=e.__c)&&(n=n.__z)&&(r=vt(n,a=[]))&&(n==e.__e&&a.some(Ee),Ee(r),Ee(n)),o||Ee(e.__e),e.__e=e.__c=e.__=null}function Qa(e,t,o){return this.constructor(e,o)}function po(e,t){var o,n,r,a;N.__&&N.__(e,t),t.nodeType==9&&(t=t.documentElement),n=(o=e&&32&e.__u)?null:t.__k,t.__k=Qe(Ze,{children:[e]}),r=[],a=[],uo(t,t.__k,n||kt,kt,t.namespaceURI,n?null:t.firstChild?co.call(t.childNodes):null,r,n?n.__e:t.firstChild,o,a),hn(r,t.__k,a),t.__k.props.children=null}N={__e:function(e,t,o,n){for(var r,a,i;t=t.__;)if((r=t.__c)&&!(1&r.__g)){r.__g|=4;try{if((i=(a=r.constructor)&&a.getDerivedStateFromError)&&r.setState(a.getDerivedStateFromError(e)),r.componentDidCatch&&(r.componentDidCatch(e,n||{}),i=1),i&&8&r.__g)return void(r.__g|=2)}catch(l){e=l}}throw wt=0,e}},an=0,ja=function(e){return e!=null&&e.constructor===Ye},yt.prototype.setState=function(e,t){var o=this.__s;o&&o!=this.state||(o=this.__s=Re({},this.state)),typeof e=="function"&&(e=e(Re({},o),this.props)),e&&(Re(o,e),this.__v&&(t&&this.__k.push(t),rn(this)))},yt.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),rn(this))},yt.prototype.render=Ze,Se=[],wt=0,ln=function(e,t){return e.__v.__b-t.__v.__b},gt=Symbol(),cn=/(PointerCapture)$|Capture$/i,io=0,ao={},Ua=0;/*! htm 3.1.1, Apache-2.0: see LICENSE.htm.txt */var bn=function(e,t,o,n){var r;t[0]=0;for(var a=1;a<t.length;a++){var i=t[a++],l=t[a]?(t[0]|=i?1:2,o[t[a++]]):t[++a];i===3?n[0]=l:i===4?n[1]=Object.assign(n[1]||{},l):i===5?(n[1]=n[1]||{})[t[++a]]=l:i===6?n[1][t[++a]]+=l+"":i?(r=e.apply(l,bn(e,l,o,["",null])),n.push(r),l[0]?t[0]|=2:(t[a-2]=0,t[a]=r)):n.push(l)}return n},_n=new Map;function gn(e){var t=_n.get(this);return t||(t=new Map,_n.set(this,t)),(t=bn(this,t.get(e)||(t.set(e,t=(function(o){for(var n,r,a=1,i="",l="",c=[0],d=function(p){a===1&&(p||(i=i.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?c.push(0,p,i):a===3&&(p||i)?(c.push(3,p,i),a=2):a===2&&i==="..."&&p?c.push(4,p,0):a===2&&i&&!p?c.push(5,0,!0,i):a>=5&&((i||!p&&a===5)&&(c.push(a,0,i,r),a=6),p&&(c.push(a,p,0,r),a=6)),i=""},u=0;u<o.length;u++){u&&(a===1&&d(),d(u));for(var f=0;f<o[u].length;f++)n=o[u][f],a===1?n==="<"?(d(),c=[c],a=3):i+=n:a===4?i==="--"&&n===">"?(a=1,i=""):i=n+i[0]:l?n===l?l="":i+=n:n==='"'||n==="'"?l=n:n===">"?(d(),a=1):a&&(n==="="?(a=5,r=i,i=""):n==="/"&&(a<5||o[u][f+1]===">")?(d(),a===3&&(c=c[0]),a=c,(c=c[0]).push(2,0,a),a=0):n===" "||n==="	"||n===`
`||n==="\r"?(d(),a=2):i+=n),a===3&&i==="!--"&&(a=4,c=c[0])}return d(),c})(e)),t),arguments,[])).length>1?t:t[0]}/*! preact/hooks 11.2.0, MIT: see LICENSE.preact.txt */var Ae,V,$o,yn,ho=Object.is,tt=0,Rn=[],_o=[],F=N,vn=F.__b,wn=F.__r,kn=F.diffed,Sn=F.__c,Tn=F.unmount,xn=F.__;function ot(e,t){F.__h&&F.__h(V,e,tt||t),tt=0;var o=V.__H||(V.__H={__:[],__h:[]});return e>=o.__.length&&o.__.push({}),o.__[e]}function h(e){return tt=1,Ya(An,e)}function Ya(e,t,o){var n=ot(Ae++,2);if(n.t=e,!n.__c&&(n.__=[o?o(t):An(void 0,t),function(a){var i=(n.__N||n.__)[0],l=n.t(i,a);ho(i,l)||(n.__N=[l,n.__[1]],n.__c.setState({}))}],n.__c=V,!V.__f)){V.__f=!0;var r=V.shouldComponentUpdate;V.shouldComponentUpdate=function(a,i,l){var c=this.__H;if(!c)return!0;var d=!1,u=this.props!=a;if(c.__.some(function(p){p.__N&&(d=!0,ho(p.__[0],p.__N[0])||(u=!0))}),r){var f=r.call(this,a,i,l);return d?f||u:f}return!d||u}}return n.__}function y(e,t){var o=ot(Ae++,3);!F.__s&&go(o.__H,t)&&(o.__P=!0,o.__=e,o.u=t,V.__H.__h.push(o))}function ee(e,t){var o=ot(Ae++,4);!F.__s&&go(o.__H,t)&&(o.__P=!1,o.__=e,o.u=t,V.__h.push(o))}function g(e){return tt=5,G(function(){return{current:e}},[])}function G(e,t){var o=ot(Ae++,7);return go(o.__H,t)&&(o.__=e(),o.__H=t),o.__}function x(e,t){return tt=8,G(function(){return e},t)}function Y(){var e=ot(Ae++,11);if(!e.__){for(var t=V.__v;!t.__m&&t.__;)t=t.__;var o=t.__m||(t.__m=[0,0]);e.__="P"+o[0]+"-"+o[1]++}return e.__}function Za(){var e;do{for(;e=_o.shift();)try{et(e)}catch(o){F.__e(o,{__:(e=e.__P)&&e.__v})}for(;e=Rn.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(et),t.__h.some(bo),t.__h=[]}catch(o){t.__h=[],F.__e(o,e.__v)}}}while(_o.length)}F.__b=function(e){V=null,vn&&vn(e)},F.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),xn&&xn(e,t)},F.__r=function(e){wn&&wn(e),Ae=0;var t=(V=e.__c).__H;t&&($o==V?V.__h=[]:(t.__h.some(et),t.__h.some(bo),Ae=0),t.__h=[],t.__.some(function(o){o.__N&&(o.__=o.__N),o.u=o.__N=void 0})),$o=V},F.diffed=function(e){kn&&kn(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&En(Rn.push(t)),t.__H.__.some(function(o){o.u&&(o.__H=o.u)})),$o=V=null},F.__c=function(e,t){t.some(function(o){try{o.__h.some(et),o.__h=o.__h.filter(function(n){return!n.__||bo(n)})}catch(n){o.__h=[function(){throw n}]}}),Sn&&Sn(e,t)},F.unmount=function(e){Tn&&Tn(e);var t,o,n=e.__c;n&&n.__H&&(n.__H.__.some(function(r){try{if(r.__P&&r.__c){if(o===void 0){for(o=e.__;o&&(!o.__c||!o.__c.__P);)o=o.__;o=o&&o.__c}r.__P=o,En(_o.push(r))}else et(r)}catch(a){t=a}}),n.__H=void 0,t&&F.__e(t,n.__v))};var Cn=typeof requestAnimationFrame=="function";function ei(e){var t,o=function(){clearTimeout(n),Cn&&cancelAnimationFrame(t),setTimeout(e)},n=setTimeout(o,35);Cn&&(t=requestAnimationFrame(o))}function En(e){e!=1&&yn==F.requestAnimationFrame||((yn=F.requestAnimationFrame)||ei)(Za)}function et(e){var t=V,o=e.__c;typeof o=="function"&&(e.__c=void 0,o()),V=t}function bo(e){var t=V;e.__c=e.__(),V=t}function go(e,t){return!e||e.length!=t.length||t.some(function(o,n){return!ho(o,e[n])})}function An(e,t){return typeof t=="function"?t(e):t}var s=gn.bind(un);var yo=new Set;function vo(){return[...yo].flatMap(e=>e.current)}function te(e){let t=g(e);t.current=e,ee(()=>(yo.add(t),()=>{yo.delete(t)}),[])}function ti(e){let t=`${e.ctrlKey||e.metaKey?"mod+":""}${e.key}`,n=(e.target instanceof HTMLElement?e.target:null)?.matches("input:not([type=checkbox], [type=radio], [type=range]), textarea, select");if(e.defaultPrevented||e.isComposing||e.altKey||n&&t.length===1||document.querySelector("dialog[open]"))return;let r=vo().findLast(a=>a.keys===t);r!==void 0&&(e.preventDefault(),r.run())}addEventListener("keydown",ti);var oi=/Mac|iP/.test(navigator.platform);function se(e){return e.replace("mod+",oi?"⌘ ":"Ctrl ").replace("Enter","⏎").replace("Escape","Esc")}var xe=new URL("../../",import.meta.url),Ce=document.querySelector('meta[name="flexchat-stage"]')?.getAttribute("content")??"",nt=[{name:"tools-testing",title:"Test"},{name:"chat",title:"Chat"},{name:"validation",title:"Validation"},{name:"retrieval",title:"Retrieval"},{name:"configuration",title:"Configuration"}],wo="flexchat:route";function qe(){let e=location.pathname.slice(xe.pathname.length).replace(/\/$/,"");return{view:nt.find(o=>o.name===e)?.name??"tools-testing",params:Object.fromEntries(new URLSearchParams(location.search))}}function ko(e,t={}){let o=new URL(e,xe);for(let[n,r]of Object.entries(t))r!==""&&o.searchParams.set(n,r);return o.href}function j(e,t={},{replace:o=!1}={}){let n=ko(e,t);n!==location.href&&history[o?"replaceState":"pushState"](null,"",n),dispatchEvent(new Event(wo))}function On(){let[e,t]=h(qe);return y(()=>{let o=()=>t(qe());return addEventListener("popstate",o),addEventListener(wo,o),()=>{removeEventListener("popstate",o),removeEventListener(wo,o)}},[]),e}var Mn="flexchat.theme",In=matchMedia("(prefers-color-scheme: dark)");function So(){let e=localStorage.getItem(Mn);return e==="light"||e==="dark"?e:In.matches?"dark":"light"}function Nn(e){localStorage.setItem(Mn,e),Tt()}function Tt(){document.documentElement.dataset.theme=So()}In.addEventListener("change",Tt);var To="flexchat.token",xo="flexchat:token",xt=sessionStorage.getItem(To)??"";function Pe(){return xt}function Oe(e,{keep:t=!1}={}){xt=e,t&&e?sessionStorage.setItem(To,e):sessionStorage.removeItem(To),dispatchEvent(new Event(xo))}function U(){let[e,t]=h(xt);return y(()=>{let o=()=>t(xt);return addEventListener(xo,o),()=>removeEventListener(xo,o)},[]),e}function Le({title:e,open:t,onClose:o,children:n}){let r=g(null),a=Y();return y(()=>{let l=r.current;t&&!l?.open&&l?.showModal(),!t&&l?.open&&l.close()},[t]),s`
    <dialog ref=${r} aria-labelledby=${a} onCancel=${l=>{l.preventDefault(),o?.()}}>
      <div class="dialog-head">
        <h2 id=${a}>${e}</h2>
        ${o&&s`<button type="button" class="quiet" aria-label="Close" onClick=${o}>✕</button>`}
      </div>
      ${t&&n}
    </dialog>
  `}var K=class extends Error{constructor(t,o,{status:n=0,code:r="",requestId:a="",details:i=[],retryAfter:l=0}={}){super(o),this.kind=t,this.status=n,this.code=r,this.requestId=a,this.details=i,this.retryAfter=l}};async function M(e,{method:t="GET",body:o,query:n={},headers:r={},signal:a}={}){let i=new URL(e,xe);for(let[d,u]of Object.entries(n))u!==void 0&&u!==""&&i.searchParams.set(d,String(u));let l={Accept:"application/json"};Pe()&&(l.Authorization=`Bearer ${Pe()}`),o!==void 0&&(l["Content-Type"]="application/json"),Object.assign(l,r);let c=await ri(i,{method:t,headers:l,cache:"no-store",credentials:"omit",...o===void 0?{}:{body:JSON.stringify(o)},...a===void 0?{}:{signal:a}});if(!c.ok)throw await si(c);return c.status===204?void 0:await ni(c)}async function ni(e){try{return await e.json()}catch(t){throw t instanceof DOMException&&t.name==="AbortError"?t:new K("failed","The response is incomplete or not JSON. Try again.",{status:e.status})}}async function ri(e,t){try{return await fetch(e,t)}catch(o){throw o instanceof DOMException&&o.name==="AbortError"?o:new K("offline","No response. Check the network and that the stack is running, then try again.")}}async function si(e){let t=await e.json().catch(()=>({})),o=ai(e);return new K(o,t.message??`The service returned status ${e.status} without a message.`,{status:e.status,code:t.error??"",requestId:t.request_id??e.headers.get("x-amzn-requestid")??"",details:t.details??[],retryAfter:Number(e.headers.get("retry-after"))||0})}function ai({status:e,headers:t}){return e===401?"token":e===403?t.has("x-amzn-errortype")?"token":"forbidden":e<500?"refused":"failed"}var ne=encodeURIComponent,L=e=>e===void 0?{}:{signal:e},w={me:e=>M("api/me",L(e)),meFor:(e,t)=>M("api/me",{headers:{Authorization:`Bearer ${e}`},...L(t)}),tools:e=>M("api/tools/list",L(e)),models:e=>M("api/models/list",L(e)),testTools:(e,t)=>M("api/tools/test",{method:"POST",body:e,...L(t)}),chat:(e,t)=>M("api/chat",{method:"POST",body:e,...L(t)}),startChat:(e,t)=>M("api/chat",{method:"POST",body:e,headers:{Prefer:"respond-async"},...L(t)}),run:(e,t)=>M(`api/runs/${ne(e)}`,L(t)),cancelRun:e=>M(`api/runs/${ne(e)}`,{method:"DELETE"}),sessions:({limit:e,cursor:t,signal:o}={})=>M("api/sessions",{query:{limit:e,cursor:t},...L(o)}),session:(e,t)=>M(`api/sessions/${ne(e)}`,L(t)),renameSession:(e,t)=>M(`api/sessions/${ne(e)}`,{method:"PATCH",body:{title:t}}),deleteSession:e=>M(`api/sessions/${ne(e)}`,{method:"DELETE"}),messages:(e,{limit:t,cursor:o,fromTurn:n,signal:r}={})=>M(`api/sessions/${ne(e)}/messages`,{query:{limit:t,cursor:o,from_turn:n},...L(r)}),collections:e=>M("api/collections",L(e)),search:(e,t,o)=>M(`api/collections/${ne(e)}/query`,{method:"POST",body:t,...L(o)}),changeCollection:(e,t)=>M(`api/collections/${ne(e)}`,{method:"PATCH",body:t}),statuses:e=>M("api/tools/validate",L(e)),history:(e,{limit:t,cursor:o,signal:n}={})=>M("api/tools/validate",{query:{model:e,limit:t,cursor:o},...L(n)}),validationRuns:({limit:e,cursor:t,signal:o}={})=>M("api/validation/runs",{query:{limit:e,cursor:t},...L(o)}),validationRun:(e,{limit:t,cursor:o,signal:n}={})=>M(`api/validation/runs/${ne(e)}`,{query:{limit:t,cursor:o},...L(n)}),startValidation:e=>M("api/tools/validate",{method:"POST",body:e}),stopValidation:e=>M(`api/validation/runs/${ne(e)}`,{method:"DELETE"}),resumeValidation:e=>M(`api/validation/runs/${ne(e)}/resume`,{method:"POST"}),suites:e=>M("api/validation/suites",L(e)),suite:(e,t)=>M(`api/validation/suites/${ne(e)}`,L(t)),putSuite:(e,t)=>M(`api/validation/suites/${ne(e)}`,{method:"PUT",body:t}),configuration:e=>M("api/config",L(e)),matchRule:(e,t)=>M("api/config/match",{method:"POST",body:{profile:e},...L(t)}),health:e=>M("health",L(e))};function de(e,t=[]){let o=U(),n=g(e);n.current=e;let r=JSON.stringify(t),[a,i]=h(0),[l,c]=h({data:void 0,error:void 0,loading:!0});return y(()=>{if(o==="")return;let d=new AbortController;return c(u=>({...u,loading:!0})),n.current(d.signal).then(u=>!d.signal.aborted&&c({data:u,error:void 0,loading:!1}),u=>!d.signal.aborted&&c(f=>({...f,error:Ct(u),loading:!1}))),()=>d.abort()},[r,o,a]),{...l,reload:x(()=>i(d=>d+1),[])}}function D(){let e=g(void 0),[t,o]=h({busy:!1,since:0,error:void 0,cancelled:!1});y(()=>()=>e.current?.abort(),[]);let n=x(async i=>{e.current?.abort();let l=new AbortController;e.current=l,o({busy:!0,since:performance.now(),error:void 0,cancelled:!1});let c;try{await i(l.signal)}catch(d){l.signal.aborted||(c=Ct(d))}e.current===l&&o(d=>({...d,busy:!1,error:c,cancelled:l.signal.aborted}))},[]),r=x(()=>e.current?.abort(),[]),a=x(()=>o(i=>({...i,error:void 0,cancelled:!1})),[]);return{...t,run:n,cancel:r,clear:a}}function Ct(e){return e instanceof K?e:(reportError(e),new K("page",`Error in the page: ${e instanceof Error?e.message:String(e)}`))}var Et="flexchat:cached-query",rt=new Map;function Rt(e,t){let[o,n]=h(0),r=de(()=>ii(e,t),[o]);return y(()=>{r.error!==void 0&&rt.delete(e)},[r.error,e]),y(()=>{let a=i=>{i instanceof CustomEvent&&i.detail===e&&n(l=>l+1)};return addEventListener(Et,a),()=>removeEventListener(Et,a)},[e]),{...r,reload:x(()=>Dn(e),[e]),put:x(a=>qn(e,a),[e])}}function Dn(e){rt.delete(e),dispatchEvent(new CustomEvent(Et,{detail:e}))}function qn(e,t){rt.set(e,{token:Pe(),promise:Promise.resolve(t)}),dispatchEvent(new CustomEvent(Et,{detail:e}))}function ii(e,t){let o=Pe(),n=rt.get(e);if(n?.token===o)return n.promise;let r=t();return rt.set(e,{token:o,promise:r}),r}var At=()=>Rt("tools",()=>w.tools()),He=()=>Rt("models",()=>w.models()),Pn=()=>Dn("models"),Ot=()=>Rt("collections",()=>w.collections()),Ln=e=>qn("caller",e);function ae(){let{data:e}=Rt("caller",()=>w.me());return e===void 0||e.roles.includes("operator")}var li=3e4;function Bn({route:e,onToken:t,onHelp:o}){let n=U(),r=ae();return s`
    <header class="shell">
      <a class="brand" href=${xe.href} onClick=${a=>Hn(a,"tools-testing")}>
        Flexchat ${Ce&&s`<small>stage ${Ce}</small>`}
      </a>
      <nav aria-label="Views">
        ${nt.filter(({name:a})=>r||a!=="configuration"||a===e.view).map(({name:a,title:i})=>s`
            <a
              href=${ko(a)}
              aria-current=${a===e.view?"page":void 0}
              onClick=${l=>Hn(l,a)}
              >${i}</a
            >
          `)}
      </nav>
      <div class="shell-status">
        <${ui} />
        <button type="button" class="quiet" onClick=${t}>${n?"Token":"No token"} ▾</button>
        <${ci} />
        <button type="button" class="quiet" aria-label="Show keyboard shortcuts" title="Show keyboard shortcuts (?)" onClick=${o}>?</button>
      </div>
    </header>
  `}function Hn(e,t){e.metaKey||e.ctrlKey||e.shiftKey||e.button!==0||(e.preventDefault(),j(t))}function ci(){let[e,t]=h(So),o=e==="dark"?"light":"dark",n=()=>{Nn(o),t(o)},r=`Switch to the ${o} theme`;return s`<button type="button" class="quiet" aria-label=${r} title=${r} onClick=${n}>◐</button>`}function ui(){let[e,t]=h("unknown");y(()=>{let r=()=>{document.hidden||w.health().then(()=>t("healthy"),()=>t("unreachable"))};r();let a=setInterval(r,li);return document.addEventListener("visibilitychange",r),()=>{clearInterval(a),document.removeEventListener("visibilitychange",r)}},[]);let o={unknown:"○",healthy:"●",unreachable:"▲"}[e],n={unknown:"plain",healthy:"good",unreachable:"bad"}[e];return s`<span class="health" data-tone=${n} role="status">
    <span aria-hidden="true">${o}</span> ${e==="unknown"?"checking":e}
  </span>`}var di=new Intl.NumberFormat("en-GB"),mi=new Intl.NumberFormat("en-GB",{maximumSignificantDigits:2}),fi=new Intl.DateTimeFormat("en-GB",{dateStyle:"medium",timeStyle:"medium"}),Fn=new Intl.RelativeTimeFormat("en-GB",{numeric:"auto"}),pi=[["day",86400],["hour",3600],["minute",60]];function R(e){return di.format(e)}function b(e,t,o=`${t}s`){return`${R(e)} ${e===1?t:o}`}function O(e){if(e<999.5)return`${Math.round(e)} ms`;if(e<59950)return`${(e/1e3).toFixed(e<1e4?2:1)} s`;let t=Math.round(e/1e3);return`${Math.floor(t/60)} min ${t%60} s`}function Be(e){return`${Math.round(e*100)} %`}function ie(e){return`$${e>=1?e.toFixed(2):mi.format(e)}`}function Vn(e){return e<1e3?`${e} B`:e<999500?`${Math.round(e/1e3)} kB`:`${(e/1e6).toFixed(1)} MB`}function me(e){return e.toFixed(3)}function st(e){return fi.format(new Date(e))}function jn(e,t=Date.now()){let o=(new Date(e).getTime()-t)/1e3;for(let[n,r]of pi)if(Math.abs(o)>=r)return Fn.format(Math.round(o/r),n);return Math.abs(o)<10?"just now":Fn.format(Math.round(o),"second")}var $i=200;function A({label:e,since:t}){let[o,n]=h(performance.now());return y(()=>{let r=setInterval(()=>n(performance.now()),$i);return()=>clearInterval(r)},[]),s`<span class="busy">
    <span class="spinner" aria-hidden="true"></span>
    <span role="status">${e}</span>
    <span class="number" aria-hidden="true">${O(Math.max(0,o-t))}</span>
  </span>`}function H({lines:e=3,label:t}){return s`<div class="skeleton" role="status" aria-label=${`Loading ${t}`}>
    ${Array.from({length:e},()=>s`<span></span>`)}
  </div>`}function ve({title:e,children:t}){return s`<div class="empty"><h2>${e}</h2>${t}</div>`}function Un({open:e,needed:t,onClose:o}){let[n,r]=h(""),[a,i]=h(!1),l=D(),c=u=>{u.preventDefault();let f=n.trim();f===""||l.busy||l.run(async p=>{let m=await w.meFor(f,p);Oe(f,{keep:a}),Ln(m),r(""),o()})},d=()=>{Oe(""),r("")};return s`
    <${Le} title="API token" open=${e} onClose=${t?void 0:o}>
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
        ${l.error&&s`<p id="token-problem" class="problem-text" role="alert">${hi(l.error)}</p>`}
        <div class="row">
          <button type="submit" class="primary" disabled=${l.busy}>Sign in</button>
          ${!t&&s`<button type="button" onClick=${d}>Sign out</button>`}
          ${l.busy&&s`<${A} label="Verifying the token" since=${l.since} />`}
        </div>
      </form>
    <//>
  `}function hi(e){return e.kind==="token"?`The token is not valid: ${e.message}.`:e.message}function q({summary:e,open:t=!1,children:o}){let[n,r]=h(t);return s`
    <details class="collapsible" open=${n} onToggle=${a=>r(a.currentTarget.open)}>
      <summary>${e}</summary>
      ${n&&s`<div class="collapsible-body">${o}</div>`}
    </details>
  `}var _i=matchMedia("(width < 800px)"),bi=40;function Fe(e){let t=g(null),o=g(!1),n=g({busy:e,at:0});ee(()=>{let{current:a}=n;o.current&&_i.matches&&e!==a.busy&&((e||Math.abs(scrollY-a.at)<bi)&&t.current?.scrollIntoView({block:"start"}),o.current=e),n.current={busy:e,at:e&&!a.busy?scrollY:a.at}},[e]);let r=x(()=>{o.current=!0},[]);return{section:t,reveal:r}}function fe({title:e,controls:t,section:o,children:n}){return s`
    <h1 class="hidden">${e}</h1>
    <div class="split">
      <section class="split-controls" aria-label="Controls">${t}</section>
      <section class="split-results" ref=${o} aria-label="Results">${n}</section>
    </div>
  `}var Co="flexchat.enter",Wn="breaks";function Gn(){return localStorage.getItem(Co)!==Wn}function Kn(e){e?localStorage.removeItem(Co):localStorage.setItem(Co,Wn)}function zn({key:e,shiftKey:t,altKey:o,ctrlKey:n,metaKey:r,isComposing:a,keyCode:i},l){return l&&e==="Enter"&&!(t||o||n||r||a||i===229)}var Eo="chat-message";function Jn({draft:e,busy:t,waiting:o,since:n,hint:r,isAway:a,field:i,onWrite:l,onSend:c,onCancel:d,onJump:u}){let[f,p]=h(Gn),m=_=>{_.preventDefault(),c()},$=_=>{zn(_,f)&&(_.preventDefault(),c())},v=()=>{Kn(!f),p(!f)};return s`
    <form class="chat-composer" onSubmit=${m}>
      ${a&&s`<div class="chat-jump"><button type="button" onClick=${u}><span aria-hidden="true">↓</span> Jump to latest</button></div>`}
      <label>
        <span class="hidden">Message</span>
        <textarea
          ref=${i}
          id=${Eo}
          rows="2"
          placeholder="Message"
          value=${e}
          onKeyDown=${$}
          onInput=${_=>l(_.currentTarget.value)}
        ></textarea>
      </label>
      <div class="row">
        <${gi} field=${i} busy=${t} disabled=${r!==""||e.trim()===""} keys=${f?"Enter":"mod+Enter"} onCancel=${d} />
        ${o&&s`<${A} label=${o} since=${n} />`}
        ${r&&s`<span class="problem-text">✕ ${r}</span>`}
        <label class="check chat-enter" title="Shift+Enter inserts a line break. If unchecked, Enter inserts it.">
          <input type="checkbox" checked=${f} onChange=${v} />
          <small>Send with Enter</small>
        </label>
      </div>
    </form>
  `}function gi({field:e,busy:t,disabled:o,keys:n,onCancel:r}){let a=g(null),i=g(null),l=g(null);return ee(()=>{let[c,d]=t?[a.current,i.current]:[i.current,e.current];c!==null&&l.current===c&&d?.focus({preventScroll:!0})},[t,e]),l.current=document.activeElement,s`
    <button ref=${a} type="submit" class="primary" disabled=${t||o}>
      Send <span aria-hidden="true">${se(n)}</span>
    </button>
    <button ref=${i} type="button" hidden=${!t} onClick=${r}>
      Cancel <span aria-hidden="true">${se("Escape")}</span>
    </button>
  `}var yi=2e3;function Z({text:e,label:t}){let[o,n]=h("");return y(()=>{if(o==="")return;let a=setTimeout(()=>n(""),yi);return()=>clearTimeout(a)},[o]),s`<button type="button" class="quiet" onClick=${()=>navigator.clipboard.writeText(typeof e=="string"?e:e()).then(()=>n("copied ✓"),()=>n("not copied: access denied by the browser"))}>
    ${t}<span role="status">${o&&s` · ${o}`}</span>
  </button>`}var Xn={offline:"The service cannot be reached",token:"The token is not valid",forbidden:"The token lacks the required role",refused:"The request was rejected",failed:"The service failed",page:"The page failed"},Me={bad_gateway:"The service failed",built_in_suite:"The suite is built in",configuration:"Configuration error",conflict:"Conflict with another change",forbidden:"The token lacks the required role",idempotency_in_progress:"The request is still in progress",idempotency_key_reused:"The idempotency key was already used",internal_error:"The service failed",invalid_cursor:"The list has changed",invalid_idempotency_key:"The request is not valid",invalid_request:"The request is not valid",invalid_suite:"The suite is not valid",model_in_validation:"A validation run is testing this model",model_not_found:"Model not found",not_found:"Not found",payload_too_large:"The request is too large",rate_limited:"Too many requests",response_too_large:"The response is too large",resume_token_expired:"The partial answer has expired",resume_token_in_use:"The partial answer is in use",resume_token_invalid:"The partial answer cannot be continued",resume_token_used:"The partial answer was already continued",run_ended:"The run has ended",run_not_found:"Run not found",session_busy:"The session is in use",session_moved_on:"The session has changed",session_not_found:"Session not found",suite_not_found:"Suite not found",timeout:"The service did not answer in time",unauthorized:"The token is not valid",unavailable:"The service is unavailable",unsupported_media_type:"The request is not valid",collection_conflict:"Conflict with another change",collection_configuration:"Configuration error",collection_damaged:"The collection is damaged",collection_exists:"The collection already exists",collection_invalid:"The request is not valid",collection_not_found:"Collection not found",collection_too_large:"The request is too large",collection_unavailable:"The collection is unavailable",model_authentication:"The provider rejected the API key",model_content_filter:"The content filter blocked the message",model_context_length:"The conversation is too long",model_invalid_request:"The provider rejected the request",model_invalid_response:"The provider's response is not valid",model_network:"The provider cannot be reached",model_overloaded:"The provider is overloaded",model_permission:"The API key has no access to this model",model_rate_limit:"The provider's rate limit was reached",model_server_error:"The provider failed",model_timeout:"The provider did not answer in time"},vi={404:Me.not_found??"",408:Me.timeout??"",413:Me.payload_too_large??"",429:Me.rate_limited??"",503:Me.unavailable??"",504:Me.timeout??""};function Qn({kind:e,code:t,status:o}){return e==="token"||e==="offline"||e==="page"?Xn[e]:Me[t]??vi[o]??Xn[e]}function C({error:e,onRetry:t,retry:o="Try again"}){return s`
    <div class="problem" role="alert">
      <h3><span aria-hidden="true">✕</span> ${Qn(e)}</h3>
      <p>${e.message}</p>
      ${e.retryAfter>0&&s`<p>Retry after ${e.retryAfter} s.</p>`}
      ${e.details.length>0&&s`<ul>${e.details.map(({path:n,message:r})=>s`<li><code>${n}</code> ${r}</li>`)}</ul>`}
      <div class="row">
        ${e.kind==="token"&&s`<button type="button" onClick=${()=>Oe("")}>Enter another token</button>`}
        ${t&&e.kind!=="token"&&s`<button type="button" onClick=${t}>${o}</button>`}
        ${e.requestId&&s`<small>request <code>${e.requestId}</code></small>
            <${Z} text=${e.requestId} label="Copy request id" />`}
      </div>
    </div>
  `}var at={answered:{title:"answered",tone:"good",sign:"✓",reason:""},cut_off:{title:"cut off",tone:"warn",sign:"✂",reason:"The model's token limit cut off the answer."},filtered:{title:"filtered",tone:"bad",sign:"⊘",reason:"The provider's filter stopped the answer."},refused:{title:"refused",tone:"bad",sign:"⊘",reason:"The model refused to answer."},empty:{title:"empty",tone:"warn",sign:"∅",reason:"The model returned no text; a placeholder is shown."},iteration_limit:{title:"iteration limit",tone:"warn",sign:"!",reason:"The limit on iterations was reached before the model answered."},repeated_calls:{title:"repeated calls",tone:"warn",sign:"!",reason:"The model repeated the same call and was stopped."},tool_call_limit:{title:"tool call limit",tone:"warn",sign:"!",reason:"The limit on tool calls was reached before the model answered."},out_of_time:{title:"out of time",tone:"warn",sign:"!",reason:"The deadline was reached before the answer was complete."},model_failed:{title:"model failed",tone:"bad",sign:"✕",reason:"The model failed before the answer was complete."},unknown:{title:"unknown outcome",tone:"warn",sign:"?",reason:"The provider returned an unknown finish reason."}};function pe({outcome:e,status:t,error:o}){return e?at[e]??at.unknown:t!=="partial"?at.answered:o?at.model_failed:at.out_of_time}var Zn={background:!1,explain:!1,seconds:"",intent:"",service:"",collections:[]},Yn={background:900,waiting:28};function Mt({background:e}){return e?Yn.background:Yn.waiting}function It(e){if(e.seconds.trim()==="")return"";let t=Number(e.seconds);return t>=1&&t<=Mt(e)?"":`Enter a deadline from 1 to ${Mt(e)} seconds${e.background?"":", or up to 900 in the background"}.`}function er(e,t,o){let n=Object.fromEntries(Object.entries({intent:o.intent.trim(),service:o.service.trim()}).filter(([,r])=>r));return{message:e,session_id:t,...o.collections.length>0&&{selected_collections:[...o.collections]},...Object.keys(n).length>0&&{profile:n},...or(o)}}function tr(e,t,o){return{resume_token:e,session_id:t,...or(o)}}function or(e){let t=e.seconds.trim();return{...t!==""&&{deadline_ms:Math.round(Number(t)*1e3)},...e.explain&&{explain:!0}}}function nr(e){return[e.background,e.explain,e.seconds.trim(),e.intent.trim(),e.service.trim()].filter(Boolean).length}var wi={good:"✓",warn:"!",bad:"✕",plain:"·"};function T({tone:e,sign:t=wi[e],children:o}){return s`<span class="outcome" data-tone=${e}>
    <span aria-hidden="true">${t}</span> ${o}
  </span>`}function P(){return s`<span class="tag demo" title="The demo model follows fixed rules and is no evidence about a real model">demo</span>`}function oe({children:e}){return s`<span class="tag">${e}</span>`}function W({at:e}){return s`<time datetime=${e} title=${st(e)}>${jn(e)}</time>`}function $e(e){return`${Be(e.rate)} (${Math.round(e.low*100)}–${Math.round(e.high*100)})`}function Nt({rate:e}){let t={left:`${e.low*100}%`,width:`${Math.max(1,(e.high-e.low)*100)}%`};return s`<span class="rate" title=${`${e.successes} of ${e.tests} tests; 95 % interval`}>
    <span class="number">${$e(e)}</span>
    <span class="interval" aria-hidden="true"><span style=${t}></span><i style=${{left:`${e.rate*100}%`}}></i></span>
  </span>`}function Ve({validation:e,demo:t}){let{badge:o,rate:n}=e;return t?s`<${P} />${n&&s` <small class="number">${$e(n)}</small>`}`:o?s`<span class="badge" title=${o.tooltip}>
    <span aria-hidden="true">${o.symbol}</span> ${o.text}${n&&s` <span class="number">${$e(n)}</span>`}
  </span>`:s`<${T} tone="plain">no tools<//>`}var ki=200;function Dt(e){return e.title||"Untitled"}function rr({session:e,open:t,onOpen:o,onRename:n,onDelete:r}){let[a,i]=h(""),l=D(),c=Dt(e),d=()=>{i(""),l.clear()},u=m=>{l.run(async()=>{await m(),d()})},f=m=>u(()=>n(e.id,m)),p=()=>u(()=>r(e.id));return s`
    <li class="chat-session" data-open=${t}>
      ${a==="rename"?s`<${Ti} title=${c} busy=${l.busy} onCancel=${d} onRename=${f} />`:s`<${Si} session=${e} open=${t} onOpen=${o} onMode=${i} />`}
      ${a==="delete"&&s`<${xi} title=${c} busy=${l.busy} onCancel=${d} onDelete=${p} />`}
      ${l.error&&s`<${C} error=${l.error} />`}
    </li>
  `}function Si({session:e,open:t,onOpen:o,onMode:n}){let r=Dt(e);return s`
    <div class="chat-session-row">
      <button type="button" class="quiet" aria-current=${t?"true":void 0} onClick=${()=>o(e.id)}>
        <span class="chat-title">${r}</span>
        <small><${W} at=${e.updated_at} /> · ${b(e.turns,"turn")}</small>
      </button>
      <button type="button" class="quiet" aria-label=${`Rename ${r}`} onClick=${()=>n("rename")}>✎</button>
      <button type="button" class="quiet" aria-label=${`Delete ${r}`} onClick=${()=>n("delete")}>✕</button>
    </div>
  `}function Ti({title:e,busy:t,onCancel:o,onRename:n}){let r=g(null);return ee(()=>r.current?.select(),[]),s`
    <form class="stack" onSubmit=${i=>{i.preventDefault();let l=r.current?.value.trim();l&&n(l)}} onKeyDown=${i=>sr(i,o)}>
      <label class="field">
        Title
        <input ref=${r} defaultValue=${e} maxlength=${ki} required />
      </label>
      <div class="row">
        <button type="submit" disabled=${t}>Rename</button>
        <button type="button" onClick=${o}>Cancel</button>
      </div>
    </form>
  `}function xi({title:e,busy:t,onCancel:o,onDelete:n}){let r=g(null);return ee(()=>r.current?.focus(),[]),s`
    <div
      class="notice stack"
      role="group"
      aria-label=${`Delete ${e}`}
      onKeyDown=${a=>sr(a,o)}
    >
      <p>! Delete this session and all its messages? This cannot be undone.</p>
      <div class="row">
        <button type="button" disabled=${t} onClick=${n}>Delete</button>
        <button type="button" ref=${r} onClick=${o}>Cancel</button>
      </div>
    </div>
  `}function sr(e,t){e.key==="Escape"&&(e.preventDefault(),t())}var Ci=new Set(["tool_not_found","tool_not_allowed","tool_disabled","invalid_arguments","malformed_arguments","repeated_call","too_many_calls","rate_limited","circuit_open","previous_call_unfinished","deadline"]),Ei={stop:{tone:"good",label:"answered",reason:""},tool_calls:{tone:"good",label:"called tools",reason:""},length:{tone:"warn",label:"cut off",reason:"The model's token limit cut off the answer."},content_filter:{tone:"warn",label:"filtered",reason:"The provider's filter stopped the answer."},refusal:{tone:"warn",label:"refused",reason:"The model refused to answer."},unknown:{tone:"warn",label:"unknown outcome",reason:"The provider returned an unknown finish reason."}},Ri={topic:"topic",search:"search",intent:"intent",model:"model",tool:"tool"};function Ie(e,t){let o=[...t],n=e.steps.map((r,a)=>{let i=r.step==="tool"?o.findIndex(l=>Ai(l,r)):-1;return ar(a,r,i<0?void 0:o.splice(i,1)[0])});for(let[r,a]of o.entries()){let i=n.findLastIndex(l=>Oi(l)<=a.iteration);n.splice(i+1,0,ar(e.steps.length+r,void 0,a))}return n}function Ai(e,t){return e.call_id===t.call_id&&e.iteration===t.iteration}function Oi({step:e,call:t}){return e?.iteration??t?.iteration??0}function ar(e,t,o){let n=t?.step??"tool",r=X(t?.name??o?.tool??"",128),a=n==="tool"||n==="search";return{index:e,step:t,call:o,name:a?r:`${Ri[n]}${n==="model"?` ${t?.iteration}`:""}`,detail:a?"":r,nested:n==="tool",status:Ne(t,o)}}function Ne(e,t){if(t!==void 0)return Mi(t);if(e?.error)return{tone:"bad",label:"failed",reason:`The model failed: ${z(e.error)}.`};let o=Ei[e?.finish_reason??""];return o!==void 0?o:e?.ok?{tone:"good",label:"done",reason:""}:{tone:"bad",label:"failed",reason:"The step failed."}}function Ro({result:e}){return!("error"in e)||!Ci.has(e.error_type)}function Mi(e){let{result:t}=e;return"error"in t?{tone:"bad",label:Ro(e)?"failed":"not run",reason:X(`${z(t.error_type)}: ${t.error}`,240)}:{tone:"good",label:"done",reason:""}}function z(e){return e.replaceAll("_"," ")}function X(e,t){return e.length>t?`${e.slice(0,t)}…`:e}function ir(e){let t=Math.max(1,e.total_ms,...e.steps.map(n=>n.start_ms+n.duration_ms)),o=Ii(t);return{length:t,step:o,ticks:Array.from({length:Math.floor(t/o)+1},(n,r)=>r*o)}}function Ii(e){for(let t=1;;t*=10)for(let o of[1,2,5])if(e/(o*t)<6)return o*t}function lr(e,t){return{left:e.start_ms/t*100,width:e.duration_ms/t*100}}function cr(e,t){return e===0?"0":t>=100&&e>=1e3?`${e/1e3} s`:`${e} ms`}function ur(e,t,o){return Ie(e,t).find(n=>n.index===o)}function qt({label:e,tabs:t,chosen:o,onChoose:n}){let r=Y(),[a,i]=h(t[0]?.name??""),l=o??a,c=Math.max(0,t.findIndex(f=>f.name===l)),d=f=>{i(f),n?.(f)};return s`
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
  `}var Ni=2e4,Di=10;function De(e){return typeof e=="string"?e:JSON.stringify(e,null,2)??""}function J({value:e,label:t}){let[o,n]=h(1),r=G(()=>De(e),[e]),a=r.slice(0,Ni*o),i=r.length-a.length;return s`
    <div class="value">
      <pre tabindex="0" role="region" aria-label=${t}>${a}</pre>
      <div class="row">
        <${Z} text=${r} label="Copy" />
        ${i>0&&s`<button type="button" class="quiet" onClick=${()=>n(o*Di)}>
            Show more (${R(i)} more characters)
          </button>`}
      </div>
    </div>
  `}var qi=128;function lt({step:e,call:t}){let o=Ne(e,t),n=X(e?.name??t?.tool??"",qi);return s`
    <section class="wf-details" aria-label=${`Details of ${n}`}>
      <div class="row">
        <h3 class="mono">${n}</h3>
        <${T} tone=${o.tone}>${o.label}<//>
      </div>
      <${qt} label=${`Details of ${n}`} tabs=${Pi(e,t)} />
    </section>
  `}function Pi(e,t){let o=`${e?.start_ms} ${e?.name} ${t?.iteration} ${t?.call_id}`,n={name:"Timing",content:()=>s`<${Hi} step=${e} call=${t} />`},r={name:"Raw",content:()=>s`<${J} key=${o} value=${{...e&&{step:e},...t&&{call:t}}} label="Raw" />`};return t===void 0?[n,r]:[{name:"Arguments",content:()=>s`<${J} key=${o} value=${t.params} label="Arguments" />`},{name:"Result",content:()=>s`<${Li} key=${o} result=${t.result} />`},n,r]}function Li({result:e}){return"error"in e?s`<div class="stack">
      <p>${z(e.error_type)}</p>
      <${J} value=${e.error} label="Error" />
      ${e.validation_errors&&s`<${J} value=${e.validation_errors} label="Validation errors" />`}
    </div>`:s`<div class="stack">
    ${e.truncated&&s`<p class="notice">! The result was truncated.</p>`}
    <${J} value=${e.result} label="Result" />
  </div>`}function Hi({step:e,call:t}){let o=[...Bi(e),...Fi(e,t)];return s`<dl class="wf-facts">
    ${o.map(([n,r])=>s`
        <dt>${n}</dt>
        <dd>${r}</dd>
      `)}
  </dl>`}function Bi(e){return e===void 0?[["Iteration","not started"]]:[["Iteration",e.iteration===0?"before iteration 1":String(e.iteration)],["Started after",O(e.start_ms)],["Duration",O(e.duration_ms)],["Ended after",O(e.start_ms+e.duration_ms)],...it("Model",e.demo&&"demo model"),...it("Tokens",e.total_tokens&&R(e.total_tokens)),...it("Finish reason",e.finish_reason),...it("Error",e.error&&z(e.error))]}function Fi(e,t){return t===void 0?[]:[...e===void 0?it("In iteration",String(t.iteration)):[],["Execution time",O(t.result.execution_time_ms)],["Call",t.call_id]]}function it(e,t){return t?[[e,t]]:[]}function Pt({timings:e,calls:t,selected:o,onSelect:n}){let r=Ie(e,t),a=ir(e),i=a.ticks.filter(d=>d/a.length<.9),l=r.findIndex(d=>d.index===o),c=d=>{let u=r[Vi(d.key,l,r.length)];u===void 0||d.ctrlKey||d.metaKey||d.altKey||(d.preventDefault(),n(u.index),d.currentTarget.children.item(r.indexOf(u))?.focus())};return s`
    <div class="wf" style=${{"--wf-tick":`${a.step/a.length*100}%`}}>
      <div class="wf-head" aria-hidden="true">
        <span>Step</span>
        <span class="wf-axis">
          ${i.map(d=>s`<span style=${{left:`${d/a.length*100}%`}}>${cr(d,a.step)}</span>`)}
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
            ><${ji} row=${d} length=${a.length} /></div>
          `)}
      </div>
    </div>
  `}function Vi(e,t,o){switch(e){case"ArrowDown":return t+1;case"ArrowUp":return t-1;case"Home":return 0;case"End":return o-1;case"Enter":case" ":return Math.max(0,t);default:return-1}}function ji({row:e,length:t}){let{step:o,status:n}=e;return s`
    <span class="wf-name" title=${e.detail||e.name}>
      ${e.name}${e.detail&&s` <small>${e.detail}</small>`}${o?.demo&&s` <${P} />`}
    </span>
    <span class="wf-track">${o&&s`<${Ui} row=${e} length=${t} step=${o} />`}</span>
    <span class="wf-time number">${o?O(o.duration_ms):"–"}</span>
    <span class="wf-tokens number">
      ${o?.total_tokens?s`${b(o.total_tokens,"token")}`:s`<span aria-hidden="true"></span>`}
    </span>
    <span><${T} tone=${n.tone}>${n.label}<//></span>
    ${n.reason&&s`<span class="wf-reason">${n.reason}</span>`}
  `}function Ui({row:e,step:t,length:o}){let{left:n,width:r}=lr(t,o),a={left:`min(${n}%, 100% - var(--wf-least))`,width:`max(${r}%, var(--wf-least))`};return s`<span class="wf-bar" data-kind=${t.step} data-tone=${e.status.tone} style=${a}></span>`}var dr=200;function Lt({rules:e}){return s`
    <div class="scroll" tabindex="0" role="region" aria-label="Evaluated rules">
      <table>
        <caption>Evaluated rules, in order</caption>
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
                  <${T} tone=${t.matched?"good":"plain"}>${t.matched?"matched":"not matched"}<//>
                </td>
                <td><${Wi} rule=${t} /></td>
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}function Wi({rule:e}){return e.conditions.length===0?e.fallback?"none: fallback rule":"none":e.conditions.map(({condition:t,expected:o,actual:n,holds:r})=>s`
      <div>
        <${T} tone=${r?"good":"bad"}>${r?"true":"false"}<//>
        ${" "}<code>${t}</code> ${mr(o)}${!r&&s` <small>(actual: ${mr(n)})</small>`}
      </div>
    `)}function Ht({tools:e}){return e.length===0?s`<p>No tools are configured.</p>`:s`
    <div class="scroll" tabindex="0" role="region" aria-label="Offered tools">
      <table>
        <caption>Tools</caption>
        <thead>
          <tr>
            <th scope="col">Tool</th>
            <th scope="col">Offered</th>
            <th scope="col">Reason</th>
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
  `}function mr(e){if(e==null)return"nothing";let t=De(e);return t.length>dr?`${t.slice(0,dr)}…`:t}var Gi={match:"good",partial:"warn",none:"plain"};function fr({rag:e}){let{documents:t,skipped:o,result:n}=e,r=s`
    ${b(t.length,"document")} ·
    ${" "}<${T} tone=${Gi[n]}>${n==="none"?"no match":n}<//>
    ${o.length>0&&s` · <${T} tone="warn">${b(o.length,"collection")} skipped<//>`}
  `;return s`
    <${q} summary=${r}>
      ${t.length>0&&s`<${Ki} documents=${t} />`}
      ${t.length===0&&s`<p>No document within the distance limit in the selected collections.</p>`}
      ${o.map(({collection:a,reason:i})=>s`<p>! <code>${a}</code> was skipped: ${i}</p>`)}
    <//>
  `}function Ki({documents:e}){return s`
    <div class="scroll" tabindex="0" role="region" aria-label="Documents">
      <table>
        <caption>Documents sent to the model</caption>
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
  `}function pr({explain:e}){return s`
    <dl class="chat-facts">
      <dt>Topic</dt>
      <dd>${e.topic?s`<${zi} topic=${e.topic} />`:"not detected: phase disabled"}</dd>
      <dt>Intent</dt>
      <dd>${e.intent?s`<${Ji} intent=${e.intent} />`:"not detected: phase disabled"}</dd>
      <dt>History</dt>
      <dd>${b(e.history_messages,"message")}</dd>
    </dl>
    <h3>Profile</h3>
    <${J} value=${e.profile} label="Profile" />
    <${Lt} rules=${e.rules} />
    <${Ht} tools=${e.tools} />
    <h3>System prompt</h3>
    <${J} value=${e.system_prompt} label="System prompt" />
  `}function zi({topic:e}){return s`${z(e.topic_status)}: ${e.topic_summary} <${$r} phase=${e} />`}function Ji({intent:e}){return s`
    ${e.intent??"none"} (${z(e.source)})
    ${e.candidates.length>0&&s`<small>of ${e.candidates.join(", ")}</small>`}
    ${" "}<${$r} phase=${e} />
  `}function $r({phase:e}){return s`
    <small>${e.model&&`${e.model}, `}${O(e.duration_ms)}</small>
    ${e.error&&s` <${T} tone="bad">${e.error}<//>`}
  `}var Xi=120;function hr({calls:e,received:t}){let o=e.filter(n=>!n.result.success).length;return s`
    ${e.length>0&&s`<${q}
        summary=${s`
          ${b(e.length,"tool call")}
          ${o>0&&s` · <${T} tone="bad">${o} failed<//>`}
        `}
      >
        ${e.map(n=>s`<${Qi} key=${`${n.iteration} ${n.call_id}`} call=${n} />`)}
      <//>`}
    ${t&&s`<${q} summary="Timeline"><${Zi} received=${t} /><//>`}
    ${t?.rag&&s`<${fr} rag=${t.rag} />`}
    ${t?.explain&&s`<${q} summary="Explanation"><${pr} explain=${t.explain} /><//>`}
  `}function Qi({call:e}){let{tone:t,label:o}=Ne(void 0,e),n=s`
    <code>${X(`${e.tool}(${Yi(e.params)})`,Xi)}</code>
    ${" "}<${T} tone=${t}>${o}<//>
    ${" "}<small class="number">${O(e.result.execution_time_ms)}</small>
  `;return s`<${q} summary=${n}><${lt} step=${void 0} call=${e} /><//>`}function Yi(e){return typeof e=="string"?e:Object.entries(e).map(([t,o])=>`${t}: ${De(JSON.stringify(o))}`).join(", ")}function Zi({received:e}){let[t,o]=h(-1),n=Ie(e.timings,e.tool_calls).find(r=>r.index===t);return s`
    <${Pt} timings=${e.timings} calls=${e.tool_calls} selected=${t} onSelect=${o} />
    ${n&&s`<${lt} key=${t} step=${n.step} call=${n.call} />`}
  `}function _r({answer:e,received:t,tokenUsed:o,onResume:n}){let r=e?.status==="partial",a=e&&!r?pe(e).reason:"",i=[...a?[a]:[],...t?ol(t):[]];return i.length===0&&!r?null:s`
    <div class="notice stack">
      ${r&&s`<p><strong>! The answer is partial.</strong> ${tl(t)}</p>`}
      ${i.map(l=>s`<p>! ${l}</p>`)}
      ${r&&s`<${el} received=${t} tokenUsed=${o} onResume=${n} />`}
    </div>
  `}function el({received:e,tokenUsed:t,onResume:o}){return t?s`<p>The resume token was already used. Send a new message instead.</p>`:e?e.resume_token?s`<div class="row">
    <button type="button" disabled=${!o} onClick=${o}>Continue</button>
    <small>available for one hour; completed tool calls are not repeated</small>
  </div>`:s`<p>The partial answer has no resume token. Send a new message instead.</p>`:s`<p>The resume token is only available during the visit that received it. Send a new message instead.</p>`}function tl(e){if(!e)return"The deadline was reached or the model failed before the answer was complete.";let o=e.tool_calls.length>0?" The tool results so far are below.":"";return e.error?`The model failed (${z(e.error.type)}): ${e.error.message}.${o}`:`The deadline was reached before the answer was complete.${o}`}function ol(e){let{fallback:t,session:o}=e;return[...Bt(t,()=>`${e.model} answered instead of ${t?.instead_of}: ${z(t?.reason??"")}.`),...Bt(e.deadline_reached,()=>"The deadline was near: the model had to answer without more tool calls."),...Bt(e.max_tool_calls_reached&&e.outcome!=="tool_call_limit",()=>"The tool call limit was reached."),...Bt(o?.saved===!1,()=>`Not saved in the session: ${o?.problem??"the write failed"}.`)]}function Bt(e,t){return e?[t()]:[]}var nl=2e4,rl=10;function br({turn:e,open:t,tokenUsed:o,onResume:n}){let{question:r,at:a,remarks:i,calls:l,answer:c,received:d}=e;return s`
    <article class="chat-turn" tabindex="-1" aria-label=${e.number?`Turn ${e.number}`:"Unsaved turn"}>
      ${r!==void 0&&s`<${Oo} text=${r} at=${a} />`}
      <div class="chat-answer">
        ${c&&s`<${sl} answer=${c} received=${d} />`}
        ${i.map(u=>s`<div class="chat-remark"><${Ao} text=${u} /></div>`)}
        ${c&&s`<${Ao} text=${c.content||"(empty answer)"} />`}
        ${!c&&!t&&s`<p><${T} tone="warn">No answer yet.<//></p>`}
        <${_r} answer=${c} received=${d} tokenUsed=${o} onResume=${n} />
        <${hr} calls=${l} received=${d} />
      </div>
    </article>
  `}function Oo({text:e,at:t}){return s`
    <div class="chat-question">
      <div class="row spread">
        <strong>You</strong>
        ${t&&s`<small><${W} at=${t} /></small>`}
      </div>
      <${Ao} text=${e} />
    </div>
  `}function sl({answer:e,received:t}){let o=t?.usage.cost_usd,n=pe(e);return s`
    <div class="row chat-head">
      <strong>${e.model}</strong>
      ${e.demo&&s`<${P} />`}
      <${T} tone=${n.tone} sign=${n.sign}>${n.title}<//>
      <${oe}>service ${e.service}<//>
      ${e.rule&&s`<${oe}>rule ${e.rule}<//>`}
      <small>
        <${W} at=${e.at} />
        ${t&&` · ${O(t.timings.total_ms)} · ${b(t.usage.total_tokens,"token")}`}
        ${typeof o=="number"&&` · ${ie(o)}`}
      </small>
    </div>
  `}function Ao({text:e}){let[t,o]=h(1),n=e.slice(0,nl*t),r=e.length-n.length;return s`
    <div class="chat-prose">${n}</div>
    ${r>0&&s`<button type="button" class="quiet" onClick=${()=>o(t*rl)}>
        Show more (${R(r)} more characters)
      </button>`}
  `}function gr({list:e,turns:t,from:o,busy:n,usedTokens:r,earlier:a,onToggle:i,onResume:l,children:c}){let d=g(l);d.current=l;let u=G(()=>{let f=t.at(-1);return t.map(p=>{let{received:m}=p;return s`
        <${br}
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
    ${a.error&&s`<${C} error=${a.error} onRetry=${a.show} />`}
    <div class="chat-turns" ref=${e} onClickCapture=${i}>
      ${u} ${c}
    </div>
  `}function yr(e,t){let o=[...il(e).values()].map(i=>ll(i,t)),n=new Set(o.map(i=>i.answer?.requestId)),r=t.findLastIndex(({answer:i})=>n.has(i.request_id));return t.filter(({answer:i},l)=>!n.has(i.request_id)&&(l>r||i.session?.saved===!1)).reduce(al,o)}function al(e,t){let o=e.at(-1),n=o!==void 0&&!o.answer&&(t.question===""||t.question===o.question),r=e.find(d=>t.replaces&&d.answer?.requestId===t.replaces)??(n&&o),a=ul(t);if(!r)return[...e,a];let{number:i,question:l,at:c}=r;return e.map(d=>d===r?{...a,number:i,question:l,at:c}:d)}function il(e){let t=new Map;for(let o of e){let n=t.get(o.turn);n?n.push(o):t.set(o.turn,[o])}return t}function ll(e,t){let o=e.find(i=>i.role==="user"),n=e.find(i=>i.role==="assistant"&&i.service),r=e.filter(i=>i!==o&&i!==n),a=n&&cl(n);return{key:a?.requestId||`turn ${e[0]?.turn}`,number:e[0]?.turn,question:o?.content,at:e[0]?.at??"",remarks:r.map(i=>i.content).filter(i=>i.trim()!==""),calls:e.flatMap(i=>i.tool_calls),answer:a,received:t.find(i=>i.answer.request_id===a?.requestId)?.answer}}function cl(e){return{content:e.content,at:e.at,model:e.model??"",service:e.service??"",rule:e.rule??"",status:e.status??"complete",outcome:e.outcome??void 0,demo:e.demo??!1,requestId:e.request_id??""}}function ul({question:e,at:t,answer:o}){return{key:o.request_id,number:void 0,question:e||void 0,at:t,remarks:[],calls:o.tool_calls,answer:{content:o.content,at:t,model:o.model,service:o.service,rule:o.rule??"",status:o.status,outcome:o.outcome,demo:o.demo??!1,requestId:o.request_id},received:o}}function vr(e,t,o){return[...e.filter(n=>n.turn<o),...t]}var wr=48,dl=1/3,we=document.documentElement;function kr(){return we.scrollHeight-we.scrollTop-we.clientHeight}function Mo(){we.scrollTop=we.scrollHeight}function Sr({session:e,turns:t,added:o,waiting:n}){let r=g(null),a=g(null),i=g(!0),l=g(0),[c,d]=h(!1),u=g({session:"",first:"",answer:"",end:"",wasWaiting:!1}),f=t[0]?.key??"",p=t.at(-1)?.answer?.requestId??"",m=`${t.length} ${t.at(-1)?.key} ${o}`,{current:$}=u,v=$.session===e,S=v&&$.first!==f&&t.some(({key:Q})=>Q===$.first)?a.current?.firstElementChild:void 0,k=S?.getBoundingClientRect().top??0,E=x(()=>d(kr()>wr),[]),I=x(()=>{i.current=!0,Mo(),E()},[E]);ee(()=>{let Q=p!==""&&p!==$.answer,B=n||v&&$.wasWaiting;u.current={session:e,first:f,answer:p,end:m,wasWaiting:B&&!Q},v||(i.current=!0),!(v&&$.end===m)&&(S?we.scrollTop+=S.getBoundingClientRect().top-k:i.current&&t.length+o.trim().length>0&&(i.current=!(Q&&B&&ml(r.current)),i.current&&Mo()),E())}),y(()=>{let{scrollRestoration:Q}=history;history.scrollRestoration="manual";let B=()=>{let ge=we.scrollTop<l.current-1;l.current=we.scrollTop,kr()<=wr?i.current=!0:ge&&(i.current=!1),E()},_e=()=>{i.current&&Mo(),E()},ue=new ResizeObserver(()=>requestAnimationFrame(_e));return r.current&&ue.observe(r.current),addEventListener("scroll",B,{passive:!0}),addEventListener("resize",_e),visualViewport?.addEventListener("resize",_e),()=>{history.scrollRestoration=Q,ue.disconnect(),removeEventListener("scroll",B),removeEventListener("resize",_e),visualViewport?.removeEventListener("resize",_e)}},[E]);let be=x(Q=>{Q.target instanceof Element&&Q.target.closest("summary, button, [role=option]")&&(i.current=!1)},[]),ce=()=>{I(),a.current?.querySelector("article:last-of-type")?.focus({preventScroll:!0})};return{chat:r,list:a,isAway:c&&t.length>0,follow:I,jump:ce,handleToggle:be}}function ml(e){let t=e?.querySelector("article:last-of-type"),o=t?.querySelector(".chat-answer");if(!t||!o)return!1;let n=fl(document.querySelector("header.shell")),r=innerHeight-n-(e?.querySelector(".chat-composer")?.getBoundingClientRect().height??0),{top:a,height:i}=o.getBoundingClientRect();if(i<=r)return!1;let l=t.getBoundingClientRect().top;return we.scrollTop+=(a-l<r*dl?l:a)-n-8,!0}function fl(e){return e&&getComputedStyle(e).position==="sticky"?e.getBoundingClientRect().height:0}var pl=3e3,$l=31e3;function Tr({run:e}){let t=g(performance.now()),o=e&&performance.now()-(Date.now()-new Date(e.created_at).getTime()),n=e?Ie({total_ms:0,steps:e.steps},[]):[];return s`
    <section class="chat-run stack" aria-label="Background run">
      <${A} label=${hl(e)} since=${o===void 0?t.current:Math.min(o,performance.now())} />
      ${n.length>0&&s`<ol>
          ${n.map(r=>s`
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
  `}function hl(e){return e===void 0?"Loading the run":e.status==="queued"?"Queued in the background":"Running in the background"}function xr({open:e,onCheck:t}){return y(()=>{if(!e)return;let o=setInterval(()=>!document.hidden&&t(),pl),n=setTimeout(()=>clearInterval(o),$l);return()=>{clearInterval(o),clearTimeout(n)}},[e,t]),s`
    <div class="notice stack" role="status">
      <p>
        ! Request cancelled. The service may still complete this answer within 30 seconds and save it in the
        session.${e?" Until then the session accepts no other message.":" The session above is up to date."}
      </p>
      ${e&&s`<div class="row"><button type="button" onClick=${t}>Check again</button></div>`}
    </div>
  `}function Cr({id:e,chat:t,conversation:o,options:n,onBegin:r}){let a=g(null),{task:i}=t,l=t.sent?.session===e?t.sent:void 0,c=It(n),d=gl(e,t,o),u=t.followed.active||i.busy&&l!==void 0,f=u&&t.waiting?vl(l,d.at(-1)):"",p=Sr({session:e,turns:d,added:bl(t,l,f),waiting:u}),m=()=>{t.busy||c!==""||t.draft.trim()===""||(p.follow(),t.send())};return te([{keys:"/",label:"Write a message",run:()=>a.current?.focus()},{keys:"mod+Enter",label:"Send the message",run:m},{keys:"Escape",label:"Cancel the answer",run:()=>t.busy&&t.cancel()}]),s`
    <div class="chat" ref=${p.chat}>
      <${kl} conversation=${o} />
      ${o.loading&&!(t.waiting&&l)&&s`<${H} lines=${8} label="the messages" />`}
      ${i.error?.kind!=="offline"&&s`<${_l} conversation=${o} onBegin=${r} />`}
      ${e===""&&s`<${Sl} />`}
      <${yl} chat=${t} sent=${l} conversation=${o} turns=${d} question=${f} answering=${u} scroll=${p} />
      <p class="hidden" role="status">${xl(t)}</p>
      <${Jn}
        draft=${t.draft}
        busy=${t.busy}
        waiting=${i.busy?Tl(l):""}
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
  `}function _l({conversation:e,onBegin:t}){let{error:o,reload:n}=e;return o?Io(e)?s`<${C} error=${o} onRetry=${t} retry="Start a new chat" />`:s`<${C} error=${o} onRetry=${n} />`:null}function Io(e){return e.error?.status===404}function bl({task:e,followed:t},o,n){let r=(o&&e.error)??t.error,a=o&&e.cancelled?"stopped":"";return[n,a,r?.code,r?.message,t.run?.status].filter(Boolean).join(" ")}function gl(e,t,o){let{messages:n}=o,r=Io(o);return G(()=>{let a=t.received.filter(i=>i.session===e);return r?[]:yr(n,a)},[n,t.received,e,r])}function yl({chat:e,sent:t,conversation:o,turns:n,question:r,answering:a,scroll:i}){let{followed:l}=e,c=Io(o),d=n.at(-1),u=f=>{i.follow(),e.resume(f)};return s`
    <${gr}
      list=${i.list}
      turns=${n}
      from=${c?1:o.from}
      busy=${a}
      usedTokens=${e.usedTokens}
      earlier=${o.earlier}
      onToggle=${i.handleToggle}
      onResume=${u}
    >
      ${r&&s`<${Oo} text=${r} at=${void 0} />`}
      ${l.active&&s`<${Tr} run=${l.run} />`}
    <//>
    <${wl}
      chat=${e}
      sent=${t!==void 0}
      open=${d?.answer===void 0}
      onCheck=${o.reload}
    />
  `}function vl(e,t){return t!==void 0&&t.answer===void 0&&t.question===e?.question?"":e?.question}function wl({chat:e,sent:t,open:o,onCheck:n}){let{task:r,followed:a}=e,i=(t?r.error:void 0)??a.error;return s`
    ${r.cancelled&&t&&s`<${xr} open=${o} onCheck=${n} />`}
    ${a.run?.status==="cancelled"&&s`<p class="notice">! Run cancelled. Its partial result was discarded.</p>`}
    ${i&&s`<${C} error=${i} onRetry=${a.active?a.retry:void 0} />`}
  `}function kl({conversation:e}){let{session:t}=e;return t?s`
    <div>
      <h2>${Dt(t)}</h2>
      <small>${t.topic&&s`Topic: ${t.topic} · `}${b(t.turns,"turn")}</small>
    </div>
  `:s`<h2>${e.id?"Chat":"New chat"}</h2>`}function Sl(){return s`
    <${ve} title="Chat with the service">
      <p>
        The service keeps the conversation, selects model and prompt by response rules, and calls tools. Each answer shows its
        model, rule, tool calls and timeline.
      </p>
      <p>Send a message to start a session, for example <q>What is 15% of 45?</q></p>
    <//>
  `}function Tl(e){return e===void 0?"Waiting for an answer in another session":e.background?"Starting the run":"Waiting for the answer"}function xl({received:e,busy:t}){let o=e.at(-1)?.answer;if(t||!o)return"";let n=b(o.tool_calls.length,"tool call");return`${o.model}: ${pe(o).title} in ${O(o.timings.total_ms)}, ${n}`}function Rr({options:e,onChange:t}){let o=ae(),n=r=>()=>t({[r]:!e[r]});return s`
    <label class="check">
      <input type="checkbox" checked=${e.background} onChange=${n("background")} />
      Run in the background, up to 15 minutes
    </label>
    ${o&&s`<label class="check">
        <input type="checkbox" checked=${e.explain} onChange=${n("explain")} />
        Include an explanation
      </label>`}
    <${Cl} options=${e} onChange=${t} />
    <${q} summary="Profile fields">
      <${Er} label="Intent" name="intent" options=${e} onChange=${t} />
      <${Er} label="Service" name="service" options=${e} onChange=${t} />
      <small>Matched by response rules.</small>
    <//>
  `}function Cl({options:e,onChange:t}){let o=Y(),n=It(e);return s`
    <label class="field">
      Deadline in seconds
      <input
        type="number"
        inputmode="decimal"
        min="1"
        max=${Mt(e)}
        step="any"
        placeholder=${e.background?"600":"28"}
        aria-invalid=${n?"true":void 0}
        aria-describedby=${n?o:void 0}
        value=${e.seconds}
        onInput=${r=>t({seconds:r.currentTarget.value})}
      />
    </label>
    ${n&&s`<p id=${o} class="problem-text" role="alert">✕ ${n}</p>`}
  `}function Er({label:e,name:t,options:o,onChange:n}){return s`
    <label class="field">
      ${e}
      <input
        value=${o[t]}
        spellcheck=${!1}
        autocomplete="off"
        onInput=${r=>n({[t]:r.currentTarget.value})}
      />
    </label>
  `}function Ar({options:e,onChange:t}){let{data:o,error:n,loading:r,reload:a}=Ot(),i=l=>e.collections.includes(l)?e.collections.filter(c=>c!==l):[...e.collections,l];return n?s`<${C} error=${n} onRetry=${a} />`:!o&&r?s`<${H} lines=${2} label="the collections" />`:o?.collections.length?s`
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
  `:s`<small>No collections. See the Retrieval view to create one.</small>`}function Or({sessions:e,open:t,onOpen:o,onDeleted:n}){let r=g(null),a=async i=>{await e.remove(i),r.current?.focus(),n(i)};return s`
    <div class="chat-sessions" tabindex="-1" ref=${r} role="region" aria-label="Sessions">
      ${e.error&&s`<${C} error=${e.error} onRetry=${e.reload} />`}
      ${!e.sessions&&e.loading&&s`<${H} lines=${4} label="your sessions" />`}
      ${e.sessions?.length===0&&s`<small>No sessions yet. Send a message to start one.</small>`}
      ${e.sessions&&e.sessions.length>0&&s`<ul>
          ${e.sessions.map(i=>s`
              <${rr}
                key=${i.id}
                session=${i}
                open=${i.id===t}
                onOpen=${o}
                onRename=${e.rename}
                onDelete=${a}
              />
            `)}
        </ul>`}
      ${e.more&&s`<${El} loading=${e.loading} onMore=${e.showMore} />`}
    </div>
  `}function El({loading:e,onMore:t}){let o=g(0);return s`<div class="row">
    <button type="button" class="quiet" disabled=${e} onClick=${()=>{o.current=performance.now(),t()}}>Show more</button>
    ${e&&o.current>0&&s`<${A} label="Loading more sessions" since=${o.current} />`}
  </div>`}var No={draft:"",sent:void 0,waiting:!1,usedTokens:[],received:[]};function Mr(e,t,o){let{sent:n}=e,r=n?.session===t&&e.waiting?n:void 0,a=e.received.find(c=>c.answer.request_id===r?.replaces),i=e.received.filter(c=>c!==a&&c.answer.request_id!==o.request_id),l=a?.question??r?.question??"";return{...e,waiting:r?!1:e.waiting,usedTokens:r?.token?[...e.usedTokens,r.token]:e.usedTokens,received:[...i,{session:t,question:l,at:new Date().toISOString(),replaces:r?.replaces??"",answer:o}]}}function Ft(e){if(!e.waiting)return e;let t=[e.sent?.question,e.draft].filter(Boolean).join(`

`);return{...e,waiting:!1,draft:t}}function Ir(e,t){return t?{...e,usedTokens:[...e.usedTokens,t]}:e}var Rl=500,Al=2e3,Ol=1.4;function Vt({status:e}){return e==="queued"||e==="running"}function Ml(e){if(!e?.error)return;let{error:t,message:o,request_id:n,details:r}=e.error;return new K("failed",o,{code:t,requestId:n,details:r??[]})}function Nr(e){let t=U(),[o,n]=h({id:e,run:void 0,error:void 0}),[r,a]=h(0);y(()=>{if(e==="")return;let u=new AbortController;return n(f=>f.id===e?{...f,error:void 0}:{id:e,run:void 0,error:void 0}),Il(e,u.signal,f=>n(p=>({...p,error:void 0,...f}))),()=>u.abort()},[e,t,r]);let i=x(async()=>{try{let u=await w.cancelRun(e);n(f=>f.id===e?{...f,run:u}:f)}catch(u){if(!(u instanceof K))throw u;n(f=>f.id===e?{...f,error:u}:f)}},[e]),l=o.id===e?o:{id:e,run:void 0,error:void 0},{run:c}=l,d=l.error?.status===404||c!==void 0&&!Vt(c);return{...l,error:l.error??Ml(c),active:e!==""&&!d,cancel:i,retry:x(()=>a(u=>u+1),[])}}async function Il(e,t,o){for(let n=Rl;;n=Math.min(Al,n*Ol)){if(await Dl(t),t.aborted)return;let r=await Nl(e,t,o);if(t.aborted||!r)return;await ql(n,t)}}async function Nl(e,t,o){try{let n=await w.run(e,t);return o({run:n}),Vt(n)}catch(n){if(t.aborted)return!1;if(!(n instanceof K))throw n;return o({error:n}),n.kind==="offline"||n.kind==="failed"}}function Dl(e){return new Promise(t=>{if(!document.hidden||e.aborted)return t();document.addEventListener("visibilitychange",()=>t(),{once:!0,signal:e}),e.addEventListener("abort",()=>t(),{once:!0})})}function ql(e,t){return new Promise(o=>{let n=setTimeout(o,e);t.addEventListener("abort",()=>(clearTimeout(n),o()),{once:!0})})}var Pl=12,Ll="resume_token_in_use";function Dr(e,t,o){let n=U(),[r,a]=h(No);y(()=>a(({draft:$})=>({...No,draft:$})),[n]);let i=D(),l=Nr(t),c=g(new Set),d=x(($,v)=>{a(_=>Mr(_,$,v))},[]),{run:u}=l;y(()=>{u===void 0||Vt(u)||(u.answer?d(e,u.answer):a($=>$.sent?.session===e?Ft($):$))},[u,e,d]);let f=($,v)=>{c.current.add($.session),a(_=>({..._,sent:$,waiting:!0,draft:$.question?"":_.draft})),j("chat",{session:$.session},{replace:e!==""}),i.run(async _=>{try{if($.background){let{id:S}=await w.startChat(v,_);qe().params.session===$.session&&j("chat",{session:$.session,run:S},{replace:!0})}else d($.session,await w.chat(v,_))}catch(S){throw a(k=>Hl(S)?Ir(Ft(k),$.token):Ft(k)),S}})},p=()=>{let $=e||Bl(),v=r.draft.trim(),{background:_}=o;f({session:$,question:v,background:_,replaces:"",token:""},er(v,$,o))},m=({request_id:$,resume_token:v})=>{if(!v)return;let{background:_}=o;f({session:e,question:"",background:_,replaces:$,token:v},tr(v,e,o))};return{...r,task:i,followed:l,busy:i.busy||l.active,fresh:c.current.has(e)||t!=="",markFound:x($=>{c.current.delete($)},[]),write:x($=>a(v=>({...v,draft:$})),[]),send:p,resume:m,cancel:()=>i.busy?i.cancel():void l.cancel()}}function Hl(e){return e instanceof K&&e.kind==="refused"&&e.code!==Ll}function Bl(){let e=crypto.getRandomValues(new Uint8Array(Pl));return Array.from(e,t=>t.toString(16).padStart(2,"0")).join("")}var qr=40,Fl=100,Do=e=>({id:e,session:void 0,messages:[],from:1});function Pr(e,{blocked:t,running:o,fresh:n}){let r=U(),[a,i]=h(()=>Do(e)),l=a.id===e?a:Do(e),c=g(l);c.current=l;let d=g(n);d.current=n;let u=D(),f=D(),{run:p,cancel:m}=u,$=x(()=>p(async k=>{e!==""&&i(await Vl(e,c.current,{fresh:d.current,signal:k}))}),[p,e]);y(()=>(t||$(),m),[$,m,t,o,r]);let v=x(k=>{i(E=>E.session&&E.id===k.id?{...E,session:k}:E)},[]),_=f.run,S=x(()=>_(async k=>{let{from:E}=c.current,I=Math.max(1,E-qr),be=await Lr(e,I,E,k);i(ce=>ce.id===e?{...ce,messages:[...be,...ce.messages],from:I}:ce)}),[_,e]);return{...l,loading:e!==""&&u.busy&&l.session===void 0,error:u.error,reload:$,update:v,earlier:{busy:f.busy,since:f.since,error:f.error,show:S}}}async function Vl(e,t,{fresh:o,signal:n}){let r=await jl(e,o&&t.session===void 0,n);if(r===void 0)return Do(e);let a=Math.max(1,r.turns-qr+1),i=t.session?.created_at===r.created_at,l=i?Math.min(a,t.messages.at(-1)?.turn??a):a,c=await Lr(e,l,1/0,n);return{id:e,session:r,messages:i?vr(t.messages,c,l):c,from:i?Math.min(t.from,l):l}}async function jl(e,t,o){try{return await w.session(e,o)}catch(n){if(t&&n instanceof K&&n.status===404)return;throw n}}async function Lr(e,t,o,n){let r=[],a;do{let i=await w.messages(e,{limit:Fl,cursor:a,fromTurn:t,signal:n});r.push(...i.messages),a=i.cursor??void 0}while(a!==void 0&&(r.at(-1)?.turn??0)<o);return r.filter(i=>i.turn<o)}function Hr(e,{read:t,deleted:o,whole:n}){let r=e.at(-1),a=new Map(e.map(i=>[i.id,i]));for(let i of t.values()){let l=a.get(i.id);(l?i.updated_at>=l.updated_at:n||!r||i.updated_at>r.updated_at)&&a.set(i.id,i)}return[...a.values()].filter(i=>!o.has(i.id)).sort((i,l)=>+(i.updated_at<l.updated_at)-+(i.updated_at>l.updated_at))}var Ul=20,Br=()=>({read:new Map,deleted:new Set,pages:1});function Fr(e){let t=U(),[o,n]=h(Br);y(()=>n(Br),[t]);let r=de(f=>Wl(o.pages,f),[o.pages]),a=x(f=>{n(p=>({...p,read:new Map(p.read).set(f.id,f)}))},[]),i=x(async(f,p)=>{let m=await w.renameSession(f,p);a(m),e(m)},[a,e]),l=x(async f=>{await w.deleteSession(f),n(p=>({...p,deleted:new Set(p.deleted).add(f)}))},[]),c=x(()=>n(f=>({...f,pages:f.pages+1})),[]),{data:d}=r,u=G(()=>d&&Hr(d.sessions,{...o,whole:!d.cursor}),[d,o]);return{...r,sessions:u,more:!!d?.cursor,showMore:c,addSession:a,rename:i,remove:l}}async function Wl(e,t){let o=[],n;for(let r=0;r<e;r+=1){let a=await w.sessions({limit:Ul,cursor:n,signal:t});if(o.push(...a.sessions),n=a.cursor??void 0,n===void 0)break}return{sessions:o,cursor:n}}var jt=matchMedia("(width >= 800px)");function Vr({route:e}){let{session:t="",run:o=""}=e.params,[n,r]=h(Zn),a=Dr(t,o,n),i=Pr(t,{blocked:a.busy&&a.waiting&&a.sent?.session===t,running:a.followed.active,fresh:a.fresh}),l=Fr(i.update),{addSession:c}=l,{markFound:d}=a;y(()=>{i.session&&(c(i.session),d(i.session.id))},[i.session,c,d]);let u=x(_=>r(S=>({...S,..._})),[]),f=()=>j("chat"),p=()=>{f(),jt.matches&&document.getElementById(Eo)?.focus()},m=nr(n),$=n.collections.length,v=s`
    <button type="button" onClick=${p}>New chat</button>
    <${q} open=${jt.matches} summary=${s`<h2>Sessions</h2>`}>
      <${Or}
        sessions=${l}
        open=${t}
        onOpen=${_=>_!==t&&j("chat",{session:_})}
        onDeleted=${_=>_===t&&f()}
      />
    <//>
    <${q}
      open=${jt.matches}
      summary=${s`<h2>Collections</h2>${$>0&&s` <small>${$} selected</small>`}`}
    >
      <${Ar} options=${n} onChange=${u} />
    <//>
    <${q}
      open=${jt.matches}
      summary=${s`<h2>Options</h2>${m>0&&s` <small>${m} selected</small>`}`}
    >
      <${Rr} options=${n} onChange=${u} />
    <//>
  `;return s`
    <${fe} title="Chat" controls=${v}>
      <${Cr} id=${t} chat=${a} conversation=${i} options=${n} onBegin=${f} />
    <//>
  `}var Gl={tone:"good",label:"active"},jr={tone:"plain",label:"disabled"},Ut={tone:"bad",label:"not used"},Kl={tone:"warn",label:"has a problem"};function qo({disabled:e,tools:t,tool_settings:{disabled_types:o}}){let n=new Set(e.map(({kind:a,name:i})=>`${a} ${i}`)),r=new Set(t.filter(({enabled:a,type:i})=>a===!1||i&&o.includes(i)).map(({name:a})=>a));return(a,{name:i,problems:l})=>a==="tool"&&r.has(i)?jr:n.has(`${a} ${i}`)?Ut:l.length>0?Kl:Gl}function je(e){return new Set(e?.llms.filter(({demo:t})=>t).map(({name:t})=>t))}function Ur(e){let t=qo(e),{rules:o,tools:n,llms:r,services:a,phases:i,validation:l}=e,d=[["rule",o],["tool",n],["llm",r],["service",a],["phase",Object.entries(i).map(([f,p])=>({name:f,problems:p?.problems??[]}))],["schedule",[{name:"validation",problems:l.problems}]]].flatMap(([f,p])=>p.filter(({problems:m})=>m.length>0).map(m=>({kind:f,name:m.name,problems:m.problems,state:t(f,m)}))),u=new Set(d.map(({kind:f,name:p})=>`${f} ${p}`));for(let{kind:f,name:p,problems:m}of e.disabled)u.has(`${f} ${p}`)||d.push({kind:f,name:p,problems:m,state:Ut});return d.filter(({state:f})=>f!==jr).sort((f,p)=>+(p.state===Ut)-+(f.state===Ut))}function Po(e,t){let o=e.filter(({kind:n})=>t.includes(n)).length;return o>0?` ! ${o}`:""}function Wr(e){return Object.entries(e).map(([t,o])=>{let n=typeof o=="string"?o:JSON.stringify(o);return t.endsWith("_regexp")?{field:t.slice(0,-7),relation:"matches",value:n}:t.endsWith("_contains")?{field:t.slice(0,-9),relation:"contains",value:n}:t==="rag_results"&&o==="any"?{field:t,relation:"is",value:"match or partial"}:{field:t,relation:"is",value:n}})}var zl=200;function Wt({tool:e}){let t=s`
    <span class="tool-head">
      <strong class="mono">${e.name}</strong>
      <${oe}>${De(e.implementation.type)}<//>
    </span>
    <span class="tool-line">${X(e.description,zl)}</span>
  `;return s`<li class="tool-card">
    <${q} summary=${t}>
      <p><${T} tone="good">enabled<//></p>
      <${J} value=${e.description} label=${`Description of ${e.name}`} />
      <${J} value=${e.parameters} label=${`Parameters of ${e.name}`} />
    <//>
  </li>`}function Gt({tool:e}){return s`<li class="tool-card tool-disabled">
    <span class="tool-head">
      <strong class="mono">${e.name}</strong>
      <${T} tone="warn">disabled<//>
    </span>
    <ul>${e.problems.map(t=>s`<li>${t}</li>`)}</ul>
  </li>`}var Gr=`flexchat tokens create --stage ${Ce} --name "an operator" --role operator`;function Kr(){return s`
    <div class="notice stack" role="status">
      <h2>! Operator role required</h2>
      <p>Rules, services and settings are visible to tokens with the role <strong>operator</strong>. Create one with:</p>
      <p><code>${Gr}</code></p>
      <div class="row">
        <${Z} text=${Gr} label="Copy command" />
        <button type="button" onClick=${()=>Oe("")}>Enter another token</button>
      </div>
    </div>
  `}function zr(){return s`
    <section class="stack" aria-label="Tools"><h2>Tools</h2><${Jl} /></section>
    <section class="stack" aria-label="Models"><h2>Models</h2><${Xl} /></section>
  `}function Jl(){let{data:e,error:t,reload:o}=At(),n=e?.disabled.filter(({kind:r})=>r==="tool")??[];return t?s`<${C} error=${t} onRetry=${o} />`:e?e.tools.length+n.length===0?s`<p>No tools are configured.</p>`:s`
    <ul class="tool-cards">
      ${n.map(r=>s`<${Gt} key=${`off ${r.name}`} tool=${r} />`)}
      ${e.tools.map(r=>s`<${Wt} key=${r.name} tool=${r} />`)}
    </ul>
  `:s`<${H} lines=${6} label="the tools" />`}function Xl(){let{data:e,error:t,reload:o}=He(),[n]=h(()=>performance.now());return t?s`<${C} error=${t} onRetry=${o} />`:e?s`
    ${e.errors.map(({llm:r,error:a})=>s`<p>! <code>${r}</code> did not list its models: ${a}</p>`)}
    ${e.models.length===0?s`<p>No models available.</p>`:s`<${Ql} models=${e.models} />`}
  `:s`<p><${A} label="Loading models" since=${n} /></p>`}function Ql({models:e}){return s`
    <div class="scroll" tabindex="0" role="region" aria-label="Models">
      <table>
        <caption>Available models</caption>
        <thead>
          <tr><th scope="col">Model</th><th scope="col">Provider</th><th scope="col">Tool calling</th><th scope="col">Last tested</th></tr>
        </thead>
        <tbody>
          ${e.map(({id:t,provider:o,validation:n,demo:r})=>s`
              <tr>
                <th scope="row" class="mono">${t}</th>
                <td><${oe}>${o}<//></td>
                <td><${Ve} validation=${n} demo=${r} /></td>
                <td>${n.last_tested?s`<${W} at=${n.last_tested} />`:"never"}</td>
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}var Ho="conf-intent";function Jr({draft:e,problem:t,busy:o,intents:n,services:r,onDraft:a,onRun:i,onCancel:l}){let c=Y(),d=f=>{f.preventDefault(),i()},u=f=>p=>a({[f]:p.currentTarget.value});return s`
    <form class="stack" onSubmit=${d}>
      <h2>Rule test</h2>
      <p>Enter profile fields to see the rule that matches. Empty fields are unset. No model is called.</p>
      <${Lo} id=${Ho} label="Intent" value=${e.intent} suggestions=${n} onInput=${u("intent")} />
      <${Lo} label="Service" value=${e.service} suggestions=${r} onInput=${u("service")} />
      <${Lo} label="Topic" value=${e.topic} suggestions=${[]} onInput=${u("topic")} />
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
        <button type="submit" class="primary" disabled=${o}>Test rules <small class="conf-keys">${se("mod+Enter")}</small></button>
        ${o&&s`<button type="button" onClick=${l}>Cancel</button>`}
      </div>
    </form>
  `}function Lo({id:e,label:t,value:o,suggestions:n,onInput:r}){let a=Y();return s`
    <label class="field">
      ${t}
      <input id=${e} value=${o} list=${a} spellcheck=${!1} autocomplete="off" onInput=${r} />
    </label>
    <datalist id=${a}>${n.map(i=>s`<option value=${i}></option>`)}</datalist>
  `}var Xr="flexchat config check";function Qr({configuration:e,faulty:t,loading:o,onReload:n}){let{stage:r,version:a,revision:i,changed_at:l,read_at:c}=e;return s`
    <section class="stack" aria-label="Active configuration">
      <div class="row spread">
        <h2>Active configuration</h2>
        <button type="button" class="quiet" disabled=${o} onClick=${n}>Reload</button>
      </div>
      <p role="status">
        ${t.length===0?s`<${T} tone="good">All entries are valid.<//>`:s`<${T} tone="bad">${b(t.length,"problem")}<//>`}
      </p>
      <dl class="conf-facts">
        <dt>Stage</dt>
        <dd>${r}</dd>
        <dt>Version</dt>
        <dd><code>${a}</code>${typeof i=="number"&&`, revision ${i}`}</dd>
        ${l&&s`<dt>Changed</dt><dd><${W} at=${l} /> <small>${st(l)}</small></dd>`}
        ${c&&s`<dt>Loaded</dt><dd><${W} at=${c} /> <small>${st(c)}</small></dd>`}
      </dl>
      ${t.length>0&&s`<${Yl} faulty=${t} />`}
    </section>
  `}function Yl({faulty:e}){return s`
    <ul class="conf-problems" aria-label="Problems">
      ${e.map(({kind:t,name:o,problems:n,state:r})=>s`
          <li data-tone=${r.tone}>
            <span class="row"><${oe}>${t}<//> <strong>${o}</strong> <${T} tone=${r.tone}>${r.label}<//></span>
            <ul>${n.map(a=>s`<li>${a}</li>`)}</ul>
          </li>
        `)}
    </ul>
    <p>
      Fix the file and push it again. <code>${Xr}</code> validates a file.
      <${Z} text=${Xr} label="Copy command" />
    </p>
  `}var Zl=300;function Yr({demo:e,match:{busy:t,since:o,error:n,cancelled:r,profileJson:a,result:i,match:l},onClose:c}){return s`
    <section class="conf-match stack" aria-label="Matched rule">
      <div class="row spread">
        <h2>Matched rule</h2>
        <button type="button" class="quiet" onClick=${c}>Close</button>
      </div>
      <p><code>${X(a,Zl)}</code></p>
      ${t&&s`<p><${A} label="Testing the rules" since=${o} /></p>`}
      ${n&&s`<${C} error=${n} onRetry=${l} />`}
      ${r&&s`<div class="notice stack" role="status">
          <p>! Test cancelled.</p>
          <div class="row"><button type="button" onClick=${l}>Try again</button></div>
        </div>`}
      <div role="status">${i&&s`<${ec} answer=${i.answer} demo=${e} />`}</div>
      ${i&&s`<${tc} key=${i.profileJson} answer=${i.answer} />`}
    </section>
  `}function ec({answer:{rule:e,llm:t,model:o,fallback:n,problem:r},demo:a}){return s`
    ${e&&s`<p class="conf-matched-rule">
        <${T} tone=${r?"warn":"good"}>Rule <strong>${e}</strong> matches<//>, model <code>${t}:${o}</code>${a.has(t??"")&&s` <${P} />`}
      </p>`}
    ${n&&s`<p><${T} tone="warn">instead of<//> <code>${n.instead_of}</code>: ${n.reason}</p>`}
    ${r&&s`<p><${T} tone="bad">A chat fails:<//> ${r}</p>`}
  `}function tc({answer:{rule:e,rules:t,tools:o}}){let n=o.filter(r=>r.offered).length;return s`
    <${Lt} rules=${t} />
    ${e&&s`<${q} open summary=${`${n} of ${o.length} tools offered`}>
        <${Ht} tools=${o} />
      <//>`}
  `}var oc=["intent","service","topic","rag_results"];function ct({intent:e="",service:t="",topic:o="",rag_results:n="",more:r=""}){return{intent:e,service:t,topic:o,rag_results:n,more:r}}function Zr(e){return e.tried==="yes"}function Bo(e,t){return{...e,...ct({...t}),tried:t===void 0?"":"yes"}}function Fo(e){let{fields:t,problem:o}=nc(e.more);if(t===void 0)return{profile:void 0,problem:o};let n={...t};for(let r of oc){let a=e[r].trim();if(a!==""){if(r in t)return{profile:void 0,problem:`“${r}” is set twice. Remove it from the JSON or from the field above.`};n[r]=a}}return{profile:n,problem:""}}function nc(e){if(e.trim()==="")return{fields:{},problem:""};let t;try{t=JSON.parse(e)}catch(o){return{fields:void 0,problem:`Not valid JSON: ${o instanceof Error?o.message:o}`}}return typeof t!="object"||t===null||Array.isArray(t)?{fields:void 0,problem:'Enter a JSON object, such as {"plan": "free"}.'}:{fields:t,problem:""}}function Ue({caption:e,none:t,entries:o,columns:n,stateOf:r}){return o.length===0?s`<p>${t}</p>`:s`
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
          ${o.map(a=>s`<${rc} key=${a.name} entry=${a} columns=${n} state=${r(a)} />`)}
        </tbody>
      </table>
    </div>
  `}function rc({entry:e,columns:t,state:o}){return s`
    <tr>
      <th scope="row">${e.name}</th>
      <td>
        <${T} tone=${o.tone}>${o.label}<//>
        ${e.problems.map(n=>s`<small class="conf-problem-text">${n}</small>`)}
      </td>
      ${t.map(({number:n,cell:r})=>s`<td class=${n&&"number"}>${r(e)}</td>`)}
    </tr>
  `}function le({names:e,none:t=""}){return e.length===0?t:s`<span class="conf-names">${e.map(o=>s`<code>${o}</code>`)}</span>`}function ut(e){return typeof e!="boolean"?"":e?"yes":"no"}function Vo(e){return typeof e=="number"?me(e):""}var es={caption:"Tools",none:"No tools are configured.",columns:[{title:"Type",cell:e=>e.type},{title:"Timeout",number:!0,cell:e=>e.timeout_ms?O(e.timeout_ms):""},{title:"Idempotent",cell:e=>ut(e.idempotent)},{title:"Repeatable",cell:e=>ut(e.repeatable)},{title:"Sequential",cell:e=>ut(e.sequential)},{title:"Per caller",cell:e=>ut(e.per_principal)}]},ts={caption:"LLMs",none:"No LLMs are configured, so chats fail.",columns:[{title:"Type",cell:e=>s`${e.type}${e.demo&&s` <${P} />`}`},{title:"Endpoint",cell:e=>e.host??e.region??(e.type?"provider default":"")},{title:"Key",cell:e=>ut(e.has_key)},{title:"Models",cell:e=>s`<${le} names=${e.models} none=${e.type?"listed by the provider":""} />`},{title:"Fallbacks",cell:e=>s`<${le} names=${e.fallbacks} none=${e.type?"none":""} />`}]},os={caption:"Retrieval services",none:"No retrieval services are configured.",columns:[{title:"Type",cell:e=>e.type},{title:"Endpoint",cell:e=>e.host??e.region??(e.type==="internal"?"this stack":"")},{title:"Collections",cell:e=>s`<${le} names=${e.collections} none=${e.type==="internal"?"all":""} />`},{title:"Match",number:!0,cell:e=>Vo(e.match_threshold)},{title:"Partial",number:!0,cell:e=>Vo(e.partial_threshold)},{title:"Farthest",number:!0,cell:e=>Vo(e.max_distance)},{title:"Passages",number:!0,cell:e=>e.top_k}]};var sc=300,ac=e=>[{title:"Conditions",cell:t=>s`<${ic} rule=${t} />`},{title:"Model",cell:t=>s`<${lc} rule=${t} demo=${e} />`},{title:"Tools",cell:t=>s`<${cc} rule=${t} />`}];function ns({rules:e,demo:t,stateOf:o}){return s`<${Ue}
    caption="Rules in order of evaluation"
    none="No rules are configured, so chats fail."
    entries=${e}
    columns=${ac(t)}
    stateOf=${o}
  />`}function ic({rule:{match:e,fallback:t}}){return t?"none: fallback rule":Wr(e??{}).map(({field:o,relation:n,value:r},a)=>s`
      <div>${a>0&&"and "}<code>${o}</code> ${n} <code>${X(r,sc)}</code></div>
    `)}function lc({rule:e,demo:t}){return e.llm?s`
    <code>${e.llm}:${e.model}</code>${t.has(e.llm)&&s` <${P} />`}
    ${e.fallbacks.length>0&&s`<div><small>then</small> <${le} names=${e.fallbacks} /></div>`}
    ${e.require_validated&&s`<div><small>requires validation</small></div>`}
  `:null}function cc({rule:{llm:e,allowed_tools:t,max_iterations:o,max_tool_calls:n}}){return e?o?s`
    ${t===null?"all":s`<${le} names=${t} none="none" />`}
    <div><small>at most ${b(o,"iteration")} and ${b(n??0,"call")}</small></div>
  `:"none":null}function ss({configuration:e}){let{tool_settings:t,phases:o,sessions:n,validation:r,caller_fields:a}=e,i=je(e);return s`
    <div class="conf-settings">
      <${We}
        title="Tools"
        facts=${[["Enabled",t.enabled?"yes":s`<${T} tone="warn">no: models are offered no tools<//>`],["Iterations per chat",`${R(t.max_iterations)} by default`],["Calls per iteration",`${R(t.max_calls_per_turn)} by default`],["Calls per chat",`${R(t.max_tool_calls)} by default`],["Timeout",`${O(t.default_timeout_ms)} by default`],["Parallel calls",R(t.max_parallel)],["Disabled types",s`<${le} names=${t.disabled_types} none="none" />`]]}
      />
      <${We} title="Topic" facts=${rs(o.topic,i)} problems=${o.topic?.problems} />
      <${We} title="Intent" facts=${rs(o.intent,i)} problems=${o.intent?.problems} />
      <${We}
        title="Profile"
        facts=${[["Fields set by callers",s`<${le} names=${a} none="none" />`]]}
      />
      <${We}
        title="Sessions"
        facts=${[["Retention",`${b(n.ttl_days,"day")} after the last message`],["History sent to models",`at most ${b(n.max_history_tokens,"token")}`]]}
      />
      <${We} title="Scheduled validation" facts=${uc(r)} problems=${r.problems} />
    </div>
  `}function rs(e,t){return e?e.enabled?[["Detected","yes"],["Model",e.model&&s`<code>${e.model}</code>${t.has(e.model.split(":")[0]??"")&&s` <${P} />`}`],...e.intents.length>0?[["Intents",s`<${le} names=${e.intents} />`]]:[]]:[["Detected","no: disabled"]]:[["Detected","no: not configured"]]}function uc({models:e,suite:t,repeats:o,stop_early:n,budget:r}){let a=[typeof r.calls=="number"&&b(r.calls,"chat"),typeof r.tokens=="number"&&b(r.tokens,"token"),typeof r.usd=="number"&&ie(r.usd)].filter(Boolean);return[["Models",s`<${le} names=${e} none="none" />`],["Suite",t],["Repeats",R(o)],["Early stopping",n?"yes":"no"],["Budget",a.length>0?a.join(", "):"no limit"]]}function We({title:e,facts:t,problems:o=[]}){return s`
    <section class="stack" aria-label=${e}>
      <h3>${e}</h3>
      ${o.map(n=>s`<p><${T} tone="warn">${n}<//></p>`)}
      <dl class="conf-facts">
        ${t.map(([n,r])=>s`<dt>${n}</dt><dd>${r}</dd>`)}
      </dl>
    </section>
  `}function as({configuration:e,faulty:t,chosen:o,onChoose:n}){let{rules:r,tools:a,llms:i,services:l}=e,c=qo(e),d=je(e),u=m=>$=>c(m,$),f=(m,$)=>`${R(m.length)}${Po(t,[$])}`,p=[{name:"Rules",note:f(r,"rule"),content:()=>s`<${ns} rules=${r} demo=${d} stateOf=${u("rule")} />`},{name:"Tools",note:f(a,"tool"),content:()=>s`<${Ue} ...${es} entries=${a} stateOf=${u("tool")} />`},{name:"LLMs",note:f(i,"llm"),content:()=>s`<${Ue} ...${ts} entries=${i} stateOf=${u("llm")} />`},{name:"Services",note:f(l,"service"),content:()=>s`<${Ue} ...${os} entries=${l} stateOf=${u("service")} />`},{name:"Settings",note:Po(t,["phase","schedule"]),content:()=>s`<${ss} configuration=${e} />`}];return s`<${qt} label="Configuration sections" tabs=${p} chosen=${o} onChoose=${n} />`}function is(e){let t=U(),o=D(),{run:n,cancel:r,clear:a}=o,[i,l]=h(void 0),c=e===void 0?"":JSON.stringify(e),d=x(()=>n(async u=>{let f=await w.matchRule(JSON.parse(c),u);l({profileJson:c,answer:f})}),[n,c]);return y(()=>{if(c!==""){d();return}r(),a(),l(void 0)},[d,r,a,c,t]),{...o,match:d,profileJson:c,result:o.busy||i?.profileJson===c?i:void 0}}var ls="Rules";function cs({route:{params:e}}){let t=de(m=>w.configuration(m)),o=t.error?.kind==="forbidden",[n,r]=mc(e),{profile:a,problem:i}=Fo(n),l=Zr(e)&&!o?Fo(ct(e)).profile:void 0,c=is(l),{section:d,reveal:u}=Fe(c.busy),f=()=>{a===void 0||c.busy||(u(),JSON.stringify(a)===c.profileJson?c.match():j("configuration",Bo(e,n)))};if(te([{keys:"/",label:"Enter an intent",run:()=>document.getElementById(Ho)?.focus()},{keys:"mod+Enter",label:"Test the rules",run:f},{keys:"Escape",label:"Cancel the test",run:c.cancel}]),o)return s`<${fe} title="Configuration" controls=${s`<${Kr} />`}><${zr} /><//>`;let p=s`<${Jr}
    draft=${n}
    problem=${i}
    busy=${c.busy}
    intents=${t.data?.phases.intent?.intents??[]}
    services=${t.data?.services.map(({name:m})=>m)??[]}
    onDraft=${r}
    onRun=${f}
    onCancel=${c.cancel}
  />`;return s`
    <${fe} title="Configuration" controls=${p} section=${d}>
      ${l&&s`<${Yr} match=${c} demo=${je(t.data)} onClose=${()=>j("configuration",Bo(e,void 0))} />`}
      ${t.error&&s`<${C} error=${t.error} onRetry=${t.reload} />`}
      ${!t.data&&!t.error&&s`<${H} lines=${8} label="the configuration" />`}
      ${t.data&&s`<${dc} configuration=${t} data=${t.data} params=${e} />`}
    <//>
  `}function dc({configuration:e,data:t,params:o}){let n=G(()=>Ur(t),[t]),r=a=>j("configuration",{...o,tab:a===ls?"":a},{replace:!0});return s`
    <${Qr} configuration=${t} faulty=${n} loading=${e.loading} onReload=${e.reload} />
    <${as} configuration=${t} faulty=${n} chosen=${o.tab||ls} onChoose=${r} />
  `}function mc(e){let t=JSON.stringify(ct(e)),[o,n]=h(()=>ct(e));return y(()=>n(JSON.parse(t)),[t]),[o,r=>n(a=>({...a,...r}))]}function us(e){let t=Ot(),o=t.data?.collections,n=e||o?.[0]?.name||"",r=a=>o&&t.put({collections:o.map(i=>i.name===a.name?a:i)});return{collections:t,selected:n,collection:o?.find(({name:a})=>a===n),isEmpty:o?.length===0,loading:n===""&&t.loading,replace:r}}function Ge(e,t){return e===void 0?"none":e<t.match?"match":e<t.partial?"partial":"none"}function mt(e){let t=Number(e?.trim()||NaN);return t>=0&&t<=2?t:void 0}function Kt(e,t){return e===void 0||t===void 0?void 0:{match:e,partial:Math.max(e,t)}}function ds({match:e,partial:t},o,n){return o==="match"?{match:n,partial:Math.max(n,t)}:{match:Math.min(n,e),partial:n}}function ms({match_threshold:e,partial_threshold:t},o){return Kt(e??o?.match,t??o?.partial)}function fs({metadata:e,calibrated_passages:t}){if(typeof t=="number")return"calibrated from passages";let o=[e.match_threshold,e.partial_threshold].filter(n=>typeof n=="number");return o.length===2?"set by an operator":o.length===1?"one set by an operator, one from the service":"from the service"}function ps(e,{match:t,partial:o}){let n=Math.min(Math.min(...e)-.05,t),r=Math.max(Math.max(...e)+.05,o);return{low:Math.max(0,dt(Math.floor(dt(n/.05))*.05)),high:Math.min(2,dt(Math.ceil(dt(r/.05))*.05))}}function $s({low:e,high:t},o){return Math.min(100,Math.max(0,dt((o-e)/(t-e)*100)))}function hs(e,{match:t,partial:o}){return JSON.stringify({rag_services:{docs:{type:"internal",collections:[e],match_threshold:t,partial_threshold:o}}},null,2)}function dt(e){return Math.round(e*1e3)/1e3}var _s=300;function bs({collections:e,selected:t,onChoose:o}){let{data:n,error:r,reload:a}=e;return r&&!n?s`<${C} error=${r} onRetry=${a} />`:n?n.collections.length===0?s`<p><small>No collections.</small></p>`:s`
    <fieldset class="ret-collections">
      <legend>Collection</legend>
      <div class="ret-cards">
        ${n.collections.map(i=>s`
            <${fc}
              key=${i.name}
              collection=${i}
              checked=${i.name===t}
              onChoose=${()=>o(i.name)}
            />
          `)}
      </div>
    </fieldset>
  `:s`<${H} lines=${4} label="the collections" />`}function fc({collection:e,checked:t,onChoose:o}){let{name:n,metadata:r,documents:a,passages:i,bytes:l,updated_at:c}=e,{match_threshold:d,partial_threshold:u,description:f,embedding_model:p}=r;return s`
    <label class="ret-card">
      <input type="radio" name="collection" value=${n} checked=${t} onChange=${o} />
      <span>
        <strong>${(r.display_name||n).slice(0,_s)}</strong>
        ${r.display_name&&s` <code>${n}</code>`}
        ${f&&s`<small class="ret-line">${f.slice(0,_s)}</small>`}
        <small class="ret-line">
          ${b(a,"document")} · ${b(i,"passage")} · ${Vn(l)} · <${W} at=${c} />
        </small>
        <small class="ret-line"><${oe}>${p}<//> ${pc(d,u)}${fs(e)}</small>
      </span>
    </label>
  `}function pc(e,t){return typeof e=="number"&&typeof t=="number"?`match < ${me(e)}, partial < ${me(t)}: `:"thresholds: "}function gs({collection:e,thresholds:t,onChanged:o}){let n=D(),[r,a]=h(""),{metadata:i,name:l}=e,c=i.match_threshold===t.match&&i.partial_threshold===t.partial,u=(typeof i.match_threshold=="number"||typeof i.partial_threshold=="number")&&typeof e.calibrated_passages!="number",f=(p,m,$)=>{a(""),n.run(async()=>{let v=await w.changeCollection(l,{metadata:{match_threshold:p,partial_threshold:m}});a(`${$} ✓`),o(v,$)})};return s`
    <button type="button" disabled=${c||n.busy} onClick=${()=>f(t.match,t.partial,"saved")}>
      Save thresholds
    </button>
    ${u&&s`<button type="button" class="quiet" disabled=${n.busy} onClick=${()=>f(null,null,"recalibrated")}>
        Recalibrate thresholds
      </button>`}
    ${n.busy&&s`<${A} label="Updating the collection" since=${n.since} />`}
    <small role="status">${r}</small>
    ${n.error&&s`<${C} error=${n.error} />`}
  `}var $c=5,ys=100;function ft(e){let t=Math.floor(Number(e));return t>=1&&t<=ys?t:$c}function vs({draft:e,busy:t,form:o,onDraft:n,onRun:r,onCancel:a}){return s`
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
        <button type="submit" class="primary" disabled=${t}>Search <small class="ret-keys">${se("mod+Enter")}</small></button>
        ${t&&s`<button type="button" onClick=${a}>Cancel</button>`}
        <label class="check ret-top-k">
          Passages
          <input
            type="number"
            name="top_k"
            required
            min="1"
            max=${ys}
            value=${e.topK}
            onInput=${l=>n({topK:l.currentTarget.value})}
          />
        </label>
      </div>
    </form>
  `}var hc={match:{tone:"good",sign:"✓"},partial:{tone:"warn",sign:"~"},none:{tone:"plain",sign:"·"}};function pt({name:e}){return s`<${T} ...${hc[e]}>${e}<//>`}var zt=280,ws=300;function ks({hit:e}){let[t,o]=h(!1),n=e.title.slice(0,ws);return s`
    <div class="ret-passage">
      <strong>${n}</strong>
      <code>${e.source.slice(0,ws)}</code>
      ${t?s`<${J} value=${e.text} label=${`Text of ${n}`} />`:s`<p>${_c(e.text)}</p>`}
      <button type="button" class="quiet" aria-expanded=${t} onClick=${()=>o(!t)}>
        ${t?"Hide full text":"Show full text"}
      </button>
    </div>
  `}function _c(e){let t=e.slice(0,2*zt).replace(/\s+/g," ").trim();return t.length>zt||e.length>2*zt?`${t.slice(0,zt)} …`:t}function Ss({hits:e,thresholds:t,scale:o}){return s`
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
        ${e.map((n,r)=>{let a=Ge(n.distance,t);return s`
            <tr key=${n.id} data-class=${a}>
              <td class="number ret-rank">${r+1}</td>
              <td class="number">
                ${me(n.distance)}
                <${bc} distance=${n.distance} thresholds=${t} scale=${o} />
              </td>
              <td><${pt} name=${a} /></td>
              <td><${ks} hit=${n} /></td>
            </tr>
          `})}
      </tbody>
    </table>
  `}function bc({distance:e,thresholds:t,scale:o}){let n=r=>`${$s(o,r)}%`;return s`<span class="ret-bar" aria-hidden="true">
    <span style=${{width:n(e)}}></span>
    <i style=${{left:n(t.match)}}></i>
    <i style=${{left:n(t.partial)}}></i>
  </span>`}var gc=300,yc={match:"A chat that selects this collection answers from these passages and searches no further collections.",partial:"A chat that selects this collection passes these passages to the model and searches the next collection.",none:"A chat that selects this collection continues without these passages."};function Ts({found:e,thresholds:t,saved:o}){let{answer:n,ms:r,request:a}=e,i=n.hits.map(p=>p.distance),l=i.length>0?Math.min(...i):void 0,c=Ge(l,t),d=Ge(l,o),u=i.map(p=>Ge(p,t)),f=p=>`${u.filter(m=>m===p).length} ${p}`;return s`
    <div class="ret-classification">
      <h2><span role="status"><${pt} name=${c} /></span></h2>
      <p>${yc[c]}</p>
      ${c!==d&&s`<p>With the collection's saved thresholds: <${pt} name=${d} />.</p>`}
      <small>
        ${b(i.length,"passage")}: ${f("match")}, ${f("partial")}, ${f("none")}${" · "}
        ${l!==void 0&&`nearest ${me(l)} · `}${O(r)}
      </small>
      <small>Query: “${a.query.slice(0,gc)}”</small>
    </div>
  `}var vc=`flexchat collections create handbook --stage ${Ce}`,wc=`flexchat collections add handbook docs/ --stage ${Ce}`;function xs({isEmpty:e,hasQuery:t,loading:o,search:n,evaluation:r}){let{busy:a,cancelled:i,error:l,found:c,since:d}=n;return e?s`<${kc} />`:s`
    ${a&&s`<${A} label="Searching" since=${d} />`}
    ${i&&s`<p role="status">Search cancelled.</p>`}
    ${l&&s`<${C} error=${l} onRetry=${n.search} />`}
    ${(t&&o||a&&!c)&&s`<${H} lines=${6} label="the passages" />`}
    ${!t&&s`<${Sc} />`}
    ${c&&r&&s`
        <${Ts} found=${c} ...${r} />
        ${c.answer.hits.length>0?s`<${Ss} hits=${c.answer.hits} thresholds=${r.thresholds} scale=${r.scale} />`:s`<p>No passages found in this collection.</p>`}
      `}
  `}function kc(){return s`
    <${ve} title="No collections">
      <p>Search a collection to see the distances of its passages and calibrate its thresholds.</p>
      <p>Create a collection and add files or directories:</p>
      <pre>${vc} && ${wc}</pre>
    <//>
  `}function Sc(){return s`
    <${ve} title="Test a collection">
      <p>
        Enter a query to see the closest passages of a collection, their distances, and how a chat uses them. Adjust the
        thresholds to see the effect.
      </p>
      <p>Enter a test query and select Search.</p>
    <//>
  `}function Cs({collection:e,query:t,topK:o}){let n=D(),{run:r,cancel:a}=n,[i,l]=h(void 0),c=x(()=>r(async d=>{let u=performance.now(),f=await w.search(e,{query:t,top_k:o},d);l({request:{collection:e,query:t,topK:o},answer:f,ms:performance.now()-u})}),[r,e,t,o]);return y(()=>{e&&t?c():(a(),l(void 0))},[c,a,e,t]),{...n,search:c,found:i?.request.collection===e?i:void 0}}var Rs=.001;function As({collection:e,thresholds:t,saved:o,scale:n,onMove:r,children:a}){let i=t.match!==o.match||t.partial!==o.partial,l=(c,d)=>r(ds(t,c,d));return s`
    <fieldset class="ret-thresholds">
      <legend>Thresholds <small>cosine distance, lower is closer</small></legend>
      <${Es} name="Match below" value=${t.match} scale=${n} onMove=${c=>l("match",c)} />
      <${Es} name="Partial below" value=${t.partial} scale=${n} onMove=${c=>l("partial",c)} />
      <div class="row">
        <button type="button" disabled=${!i} onClick=${()=>r(void 0)}>Reset thresholds</button>
        ${a}
      </div>
      <div class="row">
        <${Z} text=${()=>hs(e,t)} label="Copy as configuration" />
        <small>for services; applies to collections without thresholds</small>
      </div>
    </fieldset>
  `}function Es({name:e,value:t,scale:o,onMove:n}){return s`
    <div class="ret-slider">
      <span aria-hidden="true">${e}</span>
      <input
        type="range"
        aria-label=${e}
        min=${o.low}
        max=${o.high}
        step=${Rs}
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
      step=${Rs}
      value=${n??t}
      onInput=${i=>r(i.currentTarget.value)}
      onChange=${({currentTarget:i})=>{r(void 0);let l=mt(i.value);l!==void 0&&o(l)}}
    />
  `}var Cc=250;function Os(e){let t=e.query??"",o=String(ft(e.top_k)),[n,r]=h({query:t,topK:o});return y(()=>r({query:t,topK:o}),[t,o]),[n,a=>r(i=>({...i,...a}))]}function Ms(e){let t=mt(e.match),o=mt(e.partial),[n,r]=h(Kt(t,o)),a=g(e);a.current=e;let i=g(n);return y(()=>{t===i.current?.match&&o===i.current?.partial||(i.current=Kt(t,o),r(i.current))},[t,o]),y(()=>{let c=setTimeout(()=>{i.current=n,j("retrieval",Jt(a.current,n),{replace:!0})},Cc);return()=>clearTimeout(c)},[n]),[n,r]}function Jt(e,t){return{...e,match:String(t?.match??""),partial:String(t?.partial??"")}}function Is({route:e}){let{params:t}=e,o=t.query??"",n=ft(t.top_k),{collections:r,selected:a,collection:i,isEmpty:l,loading:c,replace:d}=us(t.collection),[u,f]=Os(t),[p,m]=Ms(t),$=Cs({collection:a,query:o,topK:n}),v=g(null),_=ae(),{section:S,reveal:k}=Fe($.busy),E=Ec(i,$.found?.answer,p),I=()=>{k();let B={...t,collection:a,query:u.query,top_k:u.topK};B.query===o&&ft(B.top_k)===n?$.search():j("retrieval",Jt(B,p))},be=B=>{m(void 0),j("retrieval",Jt({...t,collection:B},void 0))},ce=(B,_e)=>{d(B),_e!=="saved"&&(m(void 0),$.found&&$.search())};te([{keys:"/",label:"Enter a test query",run:()=>v.current?.querySelector("textarea")?.focus()},{keys:"mod+Enter",label:"Search",run:()=>v.current?.requestSubmit()},{keys:"Escape",label:"Cancel the search",run:$.cancel}]);let Q=s`
    <${bs} collections=${r} selected=${a} onChoose=${be} />
    ${!l&&s`<${vs}
        draft=${u}
        busy=${$.busy}
        form=${v}
        onDraft=${f}
        onRun=${I}
        onCancel=${$.cancel}
      />`}
    ${E&&s`<${As} collection=${a} ...${E} onMove=${m}>
        ${i&&_&&s`<${gs} key=${a} collection=${i} thresholds=${E.thresholds} onChanged=${ce} />`}
      <//>`}
  `;return s`
    <${fe} title="Retrieval" controls=${Q} section=${S}>
      <${xs} isEmpty=${l} hasQuery=${o!==""&&(c||a!=="")} loading=${c} search=${$} evaluation=${E} />
    <//>
  `}function Ec(e,t,o){let n=ms(e?.metadata??{},t?.thresholds);if(n===void 0)return;let r=o??n,a=(t?.hits??[]).map(i=>i.distance);return{saved:n,thresholds:r,scale:ps([...a,n.match,n.partial],r)}}function Ns({models:e,value:t,onChange:o,label:n,id:r,problem:a=""}){let i=Y(),[l,c]=h(void 0),d=l??(e.error!==void 0&&e.data===void 0),u=ae(),f=e.data?.models.filter(m=>u||!m.operator_only)??[],p={id:r??i,value:t,required:!0,"aria-invalid":a?"true":void 0,"aria-describedby":`${i}-about`,onInput:m=>o(m.currentTarget.value.trim())};return s`
    <div class="model-picker stack">
      <div class="field">
        <div class="row spread">
          <label for=${p.id}>${n}</label>
          <button type="button" class="quiet" onClick=${()=>c(!d)}>
            ${d?"Choose from the list":"Enter the model id"}
          </button>
        </div>
        ${d?s`<${Oc} ...${p} />`:s`<${Mc} ...${p} models=${f} loading=${e.loading} />`}
      </div>
      <div id=${`${i}-about`} class="stack">
        ${a&&s`<p class="problem-text">✕ ${a}</p>`}
        <${Nc} model=${f.find(m=>m.id===t)} />
      </div>
      <${Rc} models=${e} />
    </div>
  `}function Rc({models:{data:e,error:t,loading:o,reload:n}}){return o&&e===void 0?s`<${Ac} />`:s`
    ${e?.errors.map(({llm:r,error:a})=>s`<p>! <code>${r}</code> did not list its models: ${a}</p>`)}
    ${t&&s`<p>! The models could not be listed: ${t.message}</p>
        <div class="row"><button type="button" onClick=${n}>Reload the models</button></div>`}
  `}function Ac(){let[e]=h(()=>performance.now());return s`<${A} label="Loading models" since=${e} />`}function Oc(e){return s`<input type="text" placeholder="llm:model" spellcheck=${!1} autocapitalize="off" ...${e} />`}function Mc({models:e,loading:t,...o}){let n=Object.entries(Object.groupBy(e,a=>a.llm)),r=o.value!==""&&!e.some(a=>a.id===o.value);return s`<select ...${o}>
    <option value="">Select a model</option>
    ${r&&s`<option value=${o.value}>${o.value}${t?"":" · not listed"}</option>`}
    ${n.map(([a,i])=>s`
        <optgroup label=${a}>
          ${i?.map(l=>s`<option key=${l.id} value=${l.id}>${Ic(l)}</option>`)}
        </optgroup>
      `)}
  </select>`}function Ic({id:e,demo:t,validation:{badge:o,rate:n}}){return t?`${e} · demo${n?` ${$e(n)}`:""}`:o?`${e} ${o.symbol} ${n?$e(n):o.text}`:e}function Nc({model:e}){if(e===void 0)return null;let{badge:t,last_tested:o}=e.validation,n=Dc(e);return s`
    <p>
      <${Ve} validation=${e.validation} demo=${e.demo} />
      ${t&&s` <small>${t.tooltip}</small>`}${o&&s` <small>(<${W} at=${o} />)</small>`}
    </p>
    ${n&&s`<p class="notice">! ${n}</p>`}
  `}function Dc({capabilities:e,validation:t,demo:o}){return o?"":e.includes("function-calling")?t.validated?"":`This model ${t.tested?"did not pass validation":"has not been tested with tools"}: check its results before you rely on it.`:"The provider does not list tool calling for this model: it may answer without tools."}var Ds=[{title:"Simple tool call",query:"What's the weather in Paris?",expected:"One call of the weather tool with Paris as the location, and an answer based on its result."},{title:"Calculator",query:"Calculate 15% tip on $45",expected:"One call of the calculator, and the answer $6.75."},{title:"Direct answer",query:"What's 2+2?",expected:"The answer 4, with the calculator or directly. A direct answer is recorded as no tool call."},{title:"RAG tool",query:"Search for Python decorators in the docs",expected:"One call of the search tool, and an answer based on the results, or that there are none."}];var Xt="tt-model",Ke="tt-query",qs="Please enter a test query and select a model";function Ps({model:e,query:t,missing:o,busy:n,onChange:r,onRun:a,onCancel:i}){let l=He();return s`
    <form class="stack" noValidate onSubmit=${d=>{d.preventDefault(),a()}}>
      <${Ns}
        models=${l}
        value=${e}
        label="Model"
        id=${Xt}
        problem=${o==="model"?qs:""}
        onChange=${d=>r({model:d})}
      />
      <div class="field">
        <label for=${Ke}>Query</label>
        <textarea
          id=${Ke}
          required
          maxlength="32000"
          placeholder="e.g., What's the weather in Paris?"
          value=${t}
          aria-invalid=${o==="query"?"true":void 0}
          aria-describedby=${o==="query"?"tt-missing":void 0}
          onInput=${d=>r({query:d.currentTarget.value})}
        ></textarea>
        ${o==="query"&&s`<p id="tt-missing" class="problem-text">✕ ${qs}</p>`}
      </div>
      <div class="tt-examples" role="group" aria-label="Example test queries">
        ${Ds.map(d=>s`
            <button type="button" onClick=${()=>r({query:d.query})}>
              <strong>${d.title}</strong>
              <span>${d.query}</span>
              <small>Expected: ${d.expected}</small>
            </button>
          `)}
      </div>
      <${qc} busy=${n} onCancel=${i} />
      <small>Manual tests are recorded in the model's history and do not count for its validation.</small>
    </form>
  `}function qc({busy:e,onCancel:t}){let o=g(null),n=g(null),r=g(null);return ee(()=>{let[a,i]=e?[o,n]:[n,o];r.current!==null&&r.current===a.current&&i.current?.focus({preventScroll:!0})},[e]),r.current=document.activeElement,s`
    <div class="row">
      <button ref=${o} type="submit" class="primary" disabled=${e}>
        ${e?"Testing...":"Run"}
      </button>
      <button ref=${n} type="button" disabled=${!e} onClick=${t}>Cancel</button>
      <small>${se("mod+Enter")} runs, ${se("Escape")} cancels</small>
    </div>
  `}var Pc=300,Lc=2e3;function Hs(e){let[t,o]=h(()=>Ls(e)),n=g(jo(t)),r=g(!1),a=jo(Ls(e));y(()=>{a!==n.current&&(n.current=a,o(JSON.parse(a)))},[a]);let i=x(d=>{let u=jo(d);u!==n.current&&(n.current=u,j("tools-testing",JSON.parse(u),{replace:!r.current}),r.current=!1)},[]);y(()=>{let d=setTimeout(()=>i(t),Pc);return()=>clearTimeout(d)},[t,i]);let l=x(d=>o(u=>({...u,...d})),[]);return[t,l,()=>{i(t),r.current=!0}]}function Ls({params:e}){return{model:e.model??"",query:e.query??""}}function jo({model:e,query:t}){return JSON.stringify({model:e,query:t.length>Lc?"":t})}function Bs(e,t){let{tone:o,sign:n}=pe(e);return o==="good"&&t.length>0?{tone:"warn",sign:"!"}:{tone:o,sign:n}}function Qt(e){let{tool_calls:t,timings:o,usage:n}=e,r=o.steps.filter(i=>i.step==="model").length,a=t.filter(i=>"error"in i.result).length;return[`${pe(e).title} ${pe(e).tone==="good"?"in":"after"} ${O(o.total_ms)}`,b(r,"model call"),b(t.length,"tool")+(a>0?`, ${R(a)} failed`:""),b(n.total_tokens,"token"),...typeof n.cost_usd=="number"?[ie(n.cost_usd)]:[]].join(" · ")}function Fs(e){let{error:t,fallback:o}=e,{reason:n}=pe(e);return[e.max_iterations_reached&&"Max iterations reached: the model requested more tool calls than allowed.",e.circular_calls_detected&&"Circular calls: the model repeated the same call and was stopped.",e.status==="complete"&&!e.max_iterations_reached&&!e.circular_calls_detected&&n,e.deadline_reached&&"Deadline reached: the model had to answer without more tool calls.",e.max_tool_calls_reached&&e.outcome!=="tool_call_limit"&&"Tool call limit reached: no more tool calls were allowed.",e.status==="partial"&&`Partial answer: ${t?`${t.provider} failed (${z(t.type)}): ${t.message}`:"the deadline was reached"}.`,o&&`Another model answered instead of ${o.instead_of}: ${z(o.reason)}.`].flatMap(a=>a?[a]:[])}var Hc=300,Bc=128,Fc=20,Vc=4;function Vs({calls:e}){let[t,o]=h(!1);if(e.length===0)return s`<section><h2>Tool calls (0)</h2><p>The model called no tool.</p></section>`;let n=t?e:e.slice(0,Fc);return s`
    <section class="stack" aria-label="Tool calls">
      <h2>Tool calls (${R(e.length)})</h2>
      <ol class="tt-calls">
        ${n.map(r=>s`<${jc} key=${`${r.iteration} ${r.call_id}`} call=${r} open=${e.length<=Vc} />`)}
      </ol>
      ${n.length<e.length&&s`<div><button type="button" onClick=${()=>o(!0)}>Show ${R(e.length-n.length)} more</button></div>`}
    </section>
  `}function jc({call:e,open:t}){let o=Ne(void 0,e),[n,r]="error"in e.result?["Error",e.result]:["Result",e.result.result],a=s`<code>${X(e.tool,Bc)}(${X(Uc(e),Hc)})</code>
    <${T} tone=${o.tone}>${o.label}<//>`;return s`
    <li>
      <${q} summary=${a} open=${t}>
        <${J} value=${r} label=${n} />
      <//>
      <small class="number">Iteration: ${e.iteration} | Execution time: ${R(e.result.execution_time_ms)} ms</small>
    </li>
  `}function Uc({params:e}){return typeof e=="string"?e:JSON.stringify(e)}function Us(e,t){return[`curl -sS -X POST ${js(e)}`,'-H "Authorization: Bearer $FLEXCHAT_TOKEN"',"-H 'Content-Type: application/json'",`--data-raw ${js(JSON.stringify(t))}`].join(` \\
  `)}function js(e){return`'${e.replaceAll("'",String.raw`'\''`)}'`}var Wc=60,Gc=1e3,Kc=10,Ws="No mock result for these arguments.",Uo=e=>!("error"in e.result);function Gs(e){return(e.normalize("NFKD").replaceAll(/\p{M}/gu,"").toLowerCase().match(/[a-z0-9]+/g)??[]).join("-").slice(0,Wc).replace(/-$/,"")||"case"}function Ks(e,t){if(e.length===0)return"irrelevance";let o=e.filter(Uo);return o.length<e.length?"error_recovery":new Set(o.map(n=>n.iteration)).size>1?"multi_turn":o.length>1?new Set(o.map(n=>n.tool)).size>1?"parallel_choice":"parallel":t>1?"choice":"single"}function zs(e){let t=Map.groupBy(e.filter(Uo),n=>n.iteration),o=Math.min(Kc,e.length-e.filter(Uo).length);return t.size===0?e.length===0?{}:{any_call:!0,failed_calls:o}:{turns:[...t.values()].map(n=>({calls:n.map(({tool:r,params:a})=>({tool:r,arguments:zc(a)}))})),...o>0&&{failed_calls:o}}}function zc(e){return typeof e=="string"?{}:Object.fromEntries(Object.entries(e).map(([t,o])=>[t,[Yt(o)]]))}function Yt(e){return Array.isArray(e)?e.map(Yt):e===null||typeof e!="object"?e:Object.fromEntries(Object.entries(e).map(([t,o])=>[t,Array.isArray(o)?[Yt(o)]:Yt(o)]))}function Js(e,t){let o=t.filter(Ro);return e.map(({name:n,description:r,parameters:a})=>({name:n,description:r,parameters:a,implementation:Jc(o.filter(i=>i.tool===n))}))}function Jc(e){let t={type:"mock"},o=new Map;for(let{params:n,result:r}of e){if(typeof n=="string")continue;let a="error"in r?{error:Xc(r.error)}:{response:r.result};Object.keys(n).length>0?o.set(JSON.stringify(n),{when:n,...a}):"response"in a&&(t.mock_response=a.response)}return o.size>0&&(t.answers=[...o.values()].sort(Qc)),"mock_response"in t||(t.error=Ws),t}function Xc(e){return e.slice(0,Gc)||Ws}function Qc(e,t){return Object.keys(t.when??{}).length-Object.keys(e.when??{}).length}var Yc=["single","choice","parallel","parallel_choice","irrelevance","multi_turn","error_recovery","types","clarification"],Zc="my-cases",eu=String.raw`[a-z0-9][a-z0-9_.\-]{0,63}`,tu=String.raw`[a-zA-Z0-9][a-zA-Z0-9_.\-]{0,127}`;function Xs({draft:e,task:t,onChange:o,onSave:n}){let r=Y(),i=de(w.suites).data?.suites.filter(u=>!u.built_in)??[],l=ou(e.expect),c=u=>({id:`${r}-${u}`,"aria-describedby":`${r}-${u}-hint`,value:e[u],onInput:f=>o({...e,[u]:f.currentTarget.value})});return s`
    <form class="stack" onSubmit=${u=>{u.preventDefault(),l===""&&!t.busy&&n(e)}}>
      <${$t} id=${`${r}-suite`} label="Suite" hint="One of your suites or a new name. Built-in suites are read-only.">
        <input type="text" list=${`${r}-suites`} required pattern=${eu} title="lower-case letters, digits, _ . -" placeholder=${i[0]?.name??Zc} ...${c("suite")} />
        <datalist id=${`${r}-suites`}>
          ${i.map(({name:u,cases:f})=>s`<option value=${u}>${b(f,"case")}</option>`)}
        </datalist>
      <//>
      <${$t} id=${`${r}-id`} label="Case" hint="Unique id in the suite.">
        <input type="text" required pattern=${tu} title="letters, digits, _ . -" ...${c("id")} />
      <//>
      <${$t} id=${`${r}-category`} label="Category" hint="Ability that the case tests.">
        <select ...${c("category")}>
          ${Yc.map(u=>s`<option value=${u}>${z(u)}</option>`)}
        </select>
      <//>
      <${$t} id=${`${r}-offer`} label="Offered tools" hint="Saved as mocks that return the results of this test.">
        <select ...${c("offer")}>
          <option value="all">all tools of this test</option>
          <option value="called">called tools only</option>
        </select>
      <//>
      <${$t} id=${`${r}-expect`} label="Expected calls" invalid=${l!==""} hint=${l?`✕ ${l}`:"JSON, from the calls of this test."}>
        <textarea class="mono tt-expect" spellcheck=${!1} aria-invalid=${l?"true":void 0} ...${c("expect")}></textarea>
      <//>
      ${t.error&&s`<${C} error=${t.error} />`}
      <div class="row">
        <button type="submit" class="primary" disabled=${t.busy||l!==""}>Save</button>
        ${t.busy&&s`<${A} label="Saving the case" since=${t.since} />`}
      </div>
    </form>
  `}function $t({id:e,label:t,hint:o,invalid:n=!1,children:r}){return s`<div class="field">
    <label for=${e}>${t}</label>
    ${r}
    <small id=${`${e}-hint`} class=${n?"problem-text":""}>${o}</small>
  </div>`}function ou(e){try{return JSON.parse(e),""}catch(t){return`Not valid JSON: ${t instanceof Error?t.message:String(t)}`}}function Zs(e,t,o){let n=new Map(e.tools.map(r=>[r.name,r]));for(let r of o){let a=n.get(r.name);n.set(r.name,a?nu(a,ea(r)):r)}return{...e,tools:[...n.values()],cases:[...e.cases,t]}}function nu(e,t){let o=ea(e),n=new Set(o.map(Qs)),r=t.filter(i=>!n.has(Qs(i)));if(r.length===0)return e;let a=[...o,...r].sort((i,l)=>Ys(l)-Ys(i));return{...e,implementation:{...e.implementation,answers:a}}}function ea({implementation:e}){let t=e.answers;return Array.isArray(t)?t:[]}function ta(e){return e===null||typeof e!="object"||Array.isArray(e)?[]:Object.entries(e.when??{}).sort(([t],[o])=>t<o?-1:1)}function Qs(e){return JSON.stringify(ta(e))}function Ys(e){return ta(e).length}var ru=20;function oa({request:e,answer:t,tools:o}){let[n,r]=h(!1),[a,i]=h(void 0),[l,c]=h(""),d=D(),u=()=>{i(p=>p??su(e,t,o)),c(""),r(!0)},f=p=>d.run(async m=>{let $=await iu(p.suite,m),{added:v,mocks:_}=au(p,e,t,o),S=Zs($,v,_);await w.putSuite(p.suite,S),c(`saved as ${p.id} in ${p.suite} ✓`),r(!1)});return s`
    <button type="button" onClick=${u} disabled=${o.length===0}>Save as validation case</button>
    <span role="status">${l}</span>
    <${Le} title="Save as validation case" open=${n} onClose=${()=>r(!1)}>
      ${a&&s`<${Xs} draft=${a} task=${d} onChange=${i} onSave=${f} />`}
    <//>
  `}function su({query:e},{tool_calls:t},o){let n=o.length<=ru||t.length===0?"all":"called",r=n==="all"?o.length:na(o,t).length;return{suite:"",id:Gs(e),category:Ks(t,r),offer:n,expect:JSON.stringify(zs(t),null,2)}}function na(e,t){return e.filter(o=>t.some(n=>n.tool===o.name))}function au(e,t,{tool_calls:o},n){let r=Js(e.offer==="all"?n:na(n,o),o);return{added:{id:e.id,category:e.category,description:`Recorded from ${t.model}.`,message:t.query,tools:r.map(i=>i.name),expect:JSON.parse(e.expect)},mocks:r}}async function iu(e,t){try{return await w.suite(e,t)}catch(o){if(!(o instanceof K)||o.status!==404)throw o;return{name:e,description:"Cases saved from tool tests.",tools:[],cases:[]}}}var lu=300;function ra({request:e,answer:t,tools:o}){let[n,r]=h(-1),a=ae(),i=Fs(t),{tone:l,sign:c}=Bs(t,i),d=ur(t.timings,t.tool_calls,n);return s`
    <div class="stack">
      <p class="tt-status">
        <${T} tone=${l} sign=${c}>${Qt(t)}<//>
        ${t.demo&&s` <${P} />`}
      </p>
      <p class="tt-query">${X(e.query,lu)}</p>
      <${cu} answer=${t} />
      ${i.map(u=>s`<p class="notice"><span aria-hidden="true">⚠️</span> ${u}</p>`)}
    </div>
    <section class="stack" aria-label="Waterfall">
      <h2>Steps</h2>
      <${Pt} timings=${t.timings} calls=${t.tool_calls} selected=${n} onSelect=${r} />
      ${d?s`<${lt} step=${d.step} call=${d.call} />`:s`<small>Select a step for details, or move with the arrow keys.</small>`}
    </section>
    <section class="stack" aria-label="Final response">
      <h2>Final response</h2>
      ${t.content.trim()===""?s`<p>The answer is empty.</p>`:s`<div class="tt-answer"><${J} value=${t.content} label="Final response" /></div>`}
      <div class="row">
        <${Z} text=${()=>Us(new URL("api/tools/test",xe).href,{...e})} label="Copy as curl" />
        ${a&&s`<${oa} request=${e} answer=${t} tools=${o} />`}
      </div>
    </section>
    <${Vs} calls=${t.tool_calls} />
  `}function cu({answer:e}){return s`
    <div class="row tt-facts">
      <span>Model: <strong>${e.model}</strong>${e.demo&&s` <${P} />`}</span>
      <span>Service: <strong>${e.service}</strong></span>
      <span>Finish reason: <strong>${z(e.finish_reason)}</strong></span>
      <span>Request: <code>${e.request_id}</code> <${Z} text=${e.request_id} label="Copy request id" /></span>
    </div>
  `}var uu=12,du=matchMedia("(width >= 800px)");function sa({tools:e}){let[t,o]=h(du.matches),n=e.data&&e.data.tools.length+aa(e.data).length;return s`
    <section aria-label="Available tools">
      <details class="collapsible" open=${t} onToggle=${r=>o(r.currentTarget.open)}>
        <summary><h2 class="tt-inline">Available tools ${n!==void 0&&s`<small>${R(n)}</small>`}</h2></summary>
        ${e.error&&s`<${C} error=${e.error} onRetry=${e.reload} />`}
        ${!e.data&&e.loading&&s`<${H} lines=${6} label="the tools" />`}
        ${t&&e.data&&s`<${mu} list=${e.data} />`}
      </details>
    </section>
  `}function aa(e){return e.disabled.filter(t=>t.kind==="tool")}function mu({list:e}){let[t,o]=h(""),n=aa(e),r=e.tools.length+n.length;if(r===0)return s`<p>No tools are configured.</p>`;let a=t.trim().toLowerCase(),i=e.tools.filter(({name:c,description:d})=>`${c} ${d}`.toLowerCase().includes(a)),l=n.filter(({name:c})=>c.toLowerCase().includes(a));return s`
    ${r>uu&&s`<label class="field tt-filter">
        Filter
        <input type="search" value=${t} onInput=${c=>o(c.currentTarget.value)} />
        <small role="status">${a&&`${R(i.length+l.length)} of ${R(r)} shown`}</small>
      </label>`}
    <ul class="tool-cards">
      ${l.map(c=>s`<${Gt} key=${`disabled ${c.name}`} tool=${c} />`)}
      ${i.map(c=>s`<${Wt} key=${c.name} tool=${c} />`)}
    </ul>
  `}var fu={missing:"",runs:0,request:void 0,answer:void 0},Wo=e=>document.getElementById(e)?.focus();function ia({route:e}){let[t,o,n]=Hs(e),[r,a]=h(fu),i=At(),l=D(),{section:c,reveal:d}=Fe(l.busy),u=$=>a(v=>({...v,...$})),f=()=>{if(l.busy)return;let $=$u(t);if(u({missing:$}),$!=="")return Wo($==="model"?Xt:Ke);n(),d();let v={...t};l.run(async _=>{let S=await w.testTools(v,_);a(k=>({...k,request:v,answer:S,runs:k.runs+1})),Pn()})},p=$=>{o($),u({missing:""})};te([{keys:"/",label:"Write the query",run:()=>Wo(Ke)},{keys:"mod+Enter",label:"Run the test",run:f},{keys:"Escape",label:"Cancel the test",run:l.cancel}]);let m=s`
    <${Ps} ...${t} missing=${r.missing} busy=${l.busy} onChange=${p} onRun=${f} onCancel=${l.cancel} />
    <${sa} tools=${i} />
  `;return s`
    <${fe} title="Tool testing" controls=${m} section=${c}>
      <p class="hidden" role="status">${pu(l,r)}</p>
      ${l.busy&&s`<p><${A} label=${`Waiting for ${t.model}`} since=${l.since} /></p>`}
      ${l.cancelled&&s`<p class="notice">! Test cancelled. The model may still complete its request, which costs tokens.</p>`}
      ${l.error&&s`<${C} error=${l.error} onRetry=${f} />`}
      ${r.answer&&(l.busy||l.error||l.cancelled)&&s`<h2>Previous test</h2>`}
      ${r.answer&&r.request&&s`<${ra} key=${r.runs} request=${r.request} answer=${r.answer} tools=${i.data?.tools??[]} />`}
      ${!r.answer&&!l.busy&&!l.error&&s`<${hu} hasModel=${t.model!==""} />`}
    <//>
  `}function pu(e,{answer:t}){return e.busy||e.error?"":e.cancelled?"Test cancelled":t&&Qt(t)}function $u({model:e,query:t}){return e===""?"model":t.trim()===""?"query":""}function hu({hasModel:e}){return s`<${ve} title="Test a model with the tools">
    <p>
      Select a model, enter a query or pick an example, and run it. The result shows every model and tool call on one time
      axis, with arguments, results and cost.
    </p>
    <p>
      <button type="button" onClick=${()=>Wo(e?Ke:Xt)}>
        ${e?"Enter a query":"Select a model"}
      </button>
    </p>
  <//>`}var ke=[{name:"single",title:"Single call",description:"one tool is offered and must be called once"},{name:"choice",title:"Tool choice",description:"several tools are offered and one must be called"},{name:"parallel",title:"Parallel calls",description:"one tool must be called several times"},{name:"parallel_choice",title:"Parallel tools",description:"several tools must be called"},{name:"irrelevance",title:"Irrelevance",description:"no tool fits and none may be called"},{name:"multi_turn",title:"Multi-turn",description:"a call needs the result of the previous one"},{name:"error_recovery",title:"Error recovery",description:"a call fails and must be corrected"},{name:"types",title:"Typed values",description:"arguments must match the types of the schema"},{name:"clarification",title:"Clarification",description:"a value is missing and the model must ask for it"}];function Zt(e){return ke.find(t=>t.name===e)?.title??e}var la=8;function ca({modelChoices:e,chosen:t,onChosen:o,loaded:n,first:r}){let[a,i]=h(""),l=G(()=>performance.now(),[]),c=e.filter(({id:u})=>t.includes(u)||u.toLowerCase().includes(a.toLowerCase())),d=u=>o(t.includes(u)?t.filter(f=>f!==u):[...t,u]);return s`
    <fieldset class="val-models">
      <legend>Models${t.length>0&&` (${t.length} ticked)`}</legend>
      ${e.length>la&&s`<input
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
              <input ref=${m===0&&e.length<=la?r:void 0} type="checkbox" checked=${t.includes(u)} onChange=${()=>d(u)} />
              <span>${u} ${f&&s`<small><${Ve} validation=${f} demo=${p} /></small>`}</span>
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
  `}var _u={rate:(e,t)=>(t.rate?.rate??-1)-(e.rate?.rate??-1)||(t.rate?.low??0)-(e.rate?.low??0),name:()=>0,tested:(e,t)=>(t.last_tested??"").localeCompare(e.last_tested??"")};function ua(e){return e==="name"||e==="tested"?e:"rate"}function da(e,t){return[...e].sort((o,n)=>_u[t](o,n)||o.model_id.localeCompare(n.model_id,"en"))}function ma(e,t){return e.includes(t)?e.filter(o=>o!==t):[...e,t].slice(-2)}function ze(e){return(e??"").split(" ").filter(t=>t!=="")}function ht(e){return e.filter(t=>t.capabilities.includes("function-calling"))}function fa(e,t){let o=new Set(t.filter(n=>n.tested).map(n=>n.model_id));return ht(e).filter(n=>!o.has(n.id))}var bu=2e4;function pa(e){return{models:ze(e.models),suite:e.suite??"default",repeats:Number(e.repeats??1),stop_early:e.early!=="no",budget:{calls:Go(e.calls),tokens:Go(e.tokens),usd:Go(e.usd)}}}function Go(e){return e===void 0?null:Number(e)}function $a(e,t,o){let n=new Map;for(let{id:r,demo:a,validation:i}of ht(e))n.set(r,{id:r,demo:a??!1,validation:i});for(let r of t){let{model_id:a,demo:i}=r;n.has(a)||n.set(a,{id:a,demo:i??!1,validation:r})}for(let r of o)n.has(r)||n.set(r,{id:r,demo:!1,validation:void 0});return[...n.values()]}function ha(e,t){let o=e.models.length;if(o===0)return{ready:!1,text:"Select the models to validate."};if(t===void 0)return{ready:!0,text:b(o,"model")};let n=t.cases*o*e.repeats,r=e.repeats>1?` × ${b(e.repeats,"repeat")}`:"",a=`${b(t.cases,"case")} × ${b(o,"model")}${r}`;return n>bu?{ready:!1,text:`${a} = ${b(n,"chat")}: the maximum is 20,000.`}:{ready:!0,text:`at most ${b(Math.min(n,e.budget.calls??n),"chat")}: ${a}`}}var Ko="val-form";function _a({params:e,change:t,suites:o,models:n,statuses:r,onStarted:a}){let i=g(null),l=g(null),c=D(),d=pa(e),u=o.data?.suites.find(({name:m})=>m===d.suite),f=ha(d,u),p=m=>{m.preventDefault(),!(!f.ready||c.busy)&&c.run(async $=>{let v=await w.startValidation(d);$.aborted||a(v)})};return te([{keys:"/",label:"Select models",run:()=>l.current?.focus()},{keys:"mod+Enter",label:"Start the run",run:()=>i.current?.requestSubmit()}]),s`
    <form class="stack" ref=${i} onSubmit=${p}>
      <h2 id=${Ko} tabindex="-1">New run</h2>
      <label class="field">
        Suite
        <select value=${d.suite} onChange=${m=>t({suite:m.currentTarget.value})}>
          ${gu(o.data?.suites??[],d.suite).map(m=>s`<option value=${m} selected=${m===d.suite}>${m}</option>`)}
        </select>
      </label>
      ${u&&s`<${yu} suite=${u} />`}
      ${o.error&&s`<${C} error=${o.error} onRetry=${o.reload} />`}
      <${ca}
        modelChoices=${$a(n.data?.models??[],r,d.models)}
        chosen=${d.models}
        onChosen=${m=>t({models:m.join(" ")})}
        loaded=${n}
        first=${l}
      />
      <${eo} name="repeats" label="Repeats per case" empty="1" max="100" step="1" params=${e} change=${t} />
      <label class="check">
        <input type="checkbox" checked=${d.stop_early} onChange=${()=>t({early:d.stop_early?"no":""})} />
        Stop early
      </label>
      <small>
        ${d.stop_early?"Testing of a model stops once its result is certain, for a good model after about 17 of 75 cases.":"All cases run, for rates by category and for comparisons."}
      </small>
      <${q} summary="Budget" open=${["calls","tokens","usd"].some(m=>m in e)}>
        <small>The run stops at the first limit reached.</small>
        <${eo} name="calls" label="Chats" empty="no limit" step="1" params=${e} change=${t} />
        <${eo} name="tokens" label="Tokens" empty="no limit" step="1" params=${e} change=${t} />
        <${eo} name="usd" label="US dollars" empty="no limit" step="any" min="0.000001" params=${e} change=${t} />
      <//>
      <p id="val-estimate">${f.text}</p>
      <div class="row">
        <button type="submit" class="primary" disabled=${!f.ready||c.busy} aria-describedby="val-estimate">Start</button>
        ${c.busy&&s`<${A} label="Starting the run" since=${c.since} />`}
      </div>
      ${c.error&&s`<${C} error=${c.error} onRetry=${()=>i.current?.requestSubmit()} />`}
    </form>
  `}function gu(e,t){return[...new Set([...e.map(({name:o})=>o),t])]}function yu({suite:e}){let t=e.built_in?"built in":"custom",o=`${b(e.cases,"case")}, ${t}`;return s`<${q} summary=${o}>
    ${e.description&&s`<p>${e.description}</p>`}
    <ul>
      ${Object.entries(e.categories).map(([n,r])=>s`<li>${Zt(n)}: ${r}</li>`)}
    </ul>
  <//>`}function eo({name:e,label:t,empty:o,min:n="1",max:r,step:a,params:i,change:l}){return s`<label class="field">
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
  </label>`}function Je({title:e,focus:t=!1,reveal:o=!1,onClose:n,children:r}){let a=g(null),i=Y();return y(()=>{t&&a.current?.focus()},[e,t]),y(()=>{o&&a.current?.scrollIntoView({block:"nearest"})},[o]),s`
    <section class="val-panel stack" aria-labelledby=${i}>
      <div class="row spread">
        <h2 id=${i} ref=${a} tabindex="-1">${e}</h2>
        <button type="button" class="quiet" onClick=${n}>Close</button>
      </div>
      ${r}
    </section>
  `}function ga(e){return e.low>=.8?"proven":e.high<.8?"failing":"undecided"}function Jo(e,t){let o=e.rate-t.rate;return{value:o,low:Math.max(-1,o-Math.hypot(e.rate-e.low,t.high-t.rate)),high:Math.min(1,o+Math.hypot(e.high-e.rate,t.rate-t.low))}}function Xo({low:e,high:t}){return e>0?"a":t<0?"b":"neither"}function ya(e,t,o){let n=Xo(e);return n==="a"?`${t} is better by ${ba(e.value,e.low,e.high)}`:n==="b"?`${o} is better by ${ba(-e.value,-e.high,-e.low)}`:"No significant difference"}function va({value:e,low:t,high:o}){return`${zo(e)} (${zo(t)} to ${zo(o)})`}function ba(e,t,o){return`${to(e)} points (${to(t)} to ${to(o)})`}function zo(e){let t=to(Math.abs(e));return t==="0"?t:`${e<0?"−":"+"}${t}`}function to(e){let t=e*100;return t>0&&t<1?t.toFixed(1):String(Math.round(t))}function ka({a:e,b:t,onClose:o}){let n={a:e.model_id,b:t.model_id};return s`
    <${Je} title=${`${e.model_id} and ${t.model_id}`} onClose=${o}>
      <p role="status"><strong>${vu(e,t)}</strong></p>
      ${(e.demo||t.demo)&&s`<p class="notice">! The demo model follows fixed rules: this difference is no evidence about real models.</p>`}
      <div class="scroll" tabindex="0" role="region" aria-label="Difference by category">
        <table class="val-comparison">
          <caption class="hidden">Difference by category, with 95 % interval</caption>
          <thead>
            <tr>
              <th scope="col">Category</th>
              <th scope="col" class="number">${e.model_id}${e.demo&&s` <${P} />`}</th>
              <th scope="col" class="number">${t.model_id}${t.demo&&s` <${P} />`}</th>
              <th scope="col" class="number">Points</th>
              <th scope="col">Result</th>
            </tr>
          </thead>
          <tbody>
            <${wa} title="All" a=${e.rate} b=${t.rate} names=${n} />
            ${ke.map(({name:r,title:a})=>s`<${wa} title=${a} a=${e.categories?.[r]} b=${t.categories?.[r]} names=${n} />`)}
          </tbody>
        </table>
      </div>
      <small>
        Differences in percentage points with Newcombe's 95 % interval. If the interval contains 0, the difference is not
        significant; a single category rarely has enough tests.
      </small>
    <//>
  `}function vu(e,t){return!e.rate||!t.rate?"Only one of the models was tested.":`${ya(Jo(e.rate,t.rate),e.model_id,t.model_id)}.`}function wa({title:e,a:t,b:o,names:n}){let r=t&&o?Jo(t,o):void 0;return s`
    <tr>
      <th scope="row">${e}</th>
      <td class="number">${t?$e(t):"–"}</td>
      <td class="number">${o?$e(o):"–"}</td>
      <td class="number">${r?va(r):"–"}</td>
      <td>${r?wu(r,n):"not tested by both"}</td>
    </tr>
  `}function wu(e,t){let o=Xo(e);return o==="neither"?"not significant":`${t[o]} is better`}var _t=72,Qo=20,oo=3,ku=864e5,Su=new Intl.DateTimeFormat("en-GB",{day:"numeric",month:"short",timeZone:"UTC"});function Ta(e){return Math.round(e*10)/10}function Yo(e){return Ta(oo+(1-e)*(Qo-2*oo))}function Tu(e){let t=e.map(({day:r})=>Date.parse(r)),o=t[0]??0,n=Math.max(ku,(t.at(-1)??0)-o);return e.map(({tests:r,successes:a},i)=>({x:e.length===1?_t/2:Ta(oo+((t[i]??0)-o)/n*(_t-2*oo)),y:Yo(a/r)}))}function xu(e){return e.map(({day:t,tests:o,successes:n})=>`${Su.format(new Date(t))} ${Be(n/o)} of ${o}`).join(", ")}function xa({days:e}){let t=Tu(e),o=`Rate by day: ${xu(e)}`;return s`
    <svg class="val-trend" viewBox=${`0 0 ${_t} ${Qo}`} width=${_t} height=${Qo} role="img" aria-label=${o}>
      <title>${o}</title>
      <line x1="0" x2=${_t} y1=${Yo(.8)} y2=${Yo(.8)} />
      <polyline points=${t.map(({x:n,y:r})=>`${n},${r}`).join(" ")} />
      ${t.slice(-1).map(({x:n,y:r})=>s`<circle cx=${n} cy=${r} r="2.5" />`)}
    </svg>
  `}var Cu={proven:"✓",failing:"✕",undecided:""};function Ca({statuses:e,order:t,onOrder:o,ticked:n,onTick:r,open:a,onOpen:i}){let l=(c,d,u)=>s`
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
            ${ke.map(({title:c,description:d})=>s`<th scope="col" class="val-category" title=${d}>${c}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${da(e,t).map(c=>s`
              <${Eu}
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
    <${q} summary="Legend">
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
  `}function Eu({status:e,ticked:t,onTick:o,open:n,onOpen:r}){let{model_id:a,badge:i,demo:l}=e;return s`
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
        ${l&&s`<${P} />`}
        ${i&&!l&&s`<small class="badge" title=${i.tooltip}><span aria-hidden="true">${i.symbol}</span> ${i.text}</small>`}
      </th>
      <td>${e.rate&&s`<${Nt} rate=${e.rate} />`}</td>
      <td>
        ${(e.trend?.length??0)>0&&s`<${xa} days=${e.trend} />`}
        ${e.last_tested&&s`<div><small><${W} at=${e.last_tested} /></small></div>`}
      </td>
      ${ke.map(c=>s`
          <td class="val-rate-cell">
            <${Ru}
              rate=${e.categories?.[c.name]}
              demo=${l??!1}
              label=${`${c.title}, ${a}`}
              open=${n===c.name}
              onOpen=${()=>r({model:a,category:c.name})}
            />
          </td>
        `)}
    </tr>
  `}function Ru({rate:e,demo:t,label:o,open:n,onOpen:r}){if(!e)return s`<span class="val-untested" title="not tested">–<span class="hidden"> not tested</span></span>`;let a=ga(e),i={left:`${e.low*100}%`,width:`${Math.max(1,(e.high-e.low)*100)}%`},l=`${Math.round(e.low*100)} to ${Math.round(e.high*100)} %`;return s`
    <button
      type="button"
      class="val-cell"
      data-state=${t?"demo":a}
      aria-pressed=${n}
      title=${`${e.successes} of ${e.tests} passed, ${l}, ${t?"demo model":a}`}
      onClick=${r}
    >
      <span class="number">${Be(e.rate)}</span>
      <small class="number"><span aria-hidden="true">${t?"":Cu[a]}</span>${" "}n ${e.tests}</small>
      <span class="interval" aria-hidden="true"><span style=${i}></span><i style=${{left:`${e.rate*100}%`}}></i></span>
      <span class="hidden">${o}, ${l}, ${t?"demo model":a}</span>
    </button>
  `}function Xe(e,t=[]){let o=U(),n=g(e);n.current=e;let r=D(),{run:a}=r,[i,l]=h(Ea()),c=JSON.stringify(t),d=x(()=>{a(async f=>{let p=await n.current(void 0,f);l({items:p.items,cursor:p.cursor??void 0,isLoaded:!0})})},[a]);y(()=>{l(Ea()),d()},[c,o,d]);let u=()=>{a(async f=>{let p=await n.current(i.cursor,f);l(m=>({items:[...m.items,...p.items],cursor:p.cursor??void 0,isLoaded:!0}))})};return{items:i.items,isLoaded:i.isLoaded,more:i.cursor!==void 0,next:i.isLoaded?u:d,restart:d,task:r}}function Ea(){return{items:[],cursor:void 0,isLoaded:!1}}function Ra(e,t){return t.models.flatMap(({model:o,done:n})=>{let r=e?.models.find(a=>a.model===o)?.done??0;return n>r?[{model:o,limit:Math.min(100,n-r+10)}]:[]})}function Zo({run:e,model:t,case:o,repeat:n,request_id:r}){return`${e} ${t} ${o} ${n} ${r}`}function en({result:e}){return e!=="skipped"}function Aa(e,t,o){return[...new Map([...e,...t.filter(r=>r.run===o&&en(r))].map(r=>[Zo(r),r])).values()].sort((r,a)=>a.at.localeCompare(r.at)).slice(0,100)}var Au={passed:{tone:"good",text:"passed"},failed:{tone:"bad",text:"failed"},error:{tone:"warn",text:"error, not counted"},skipped:{tone:"plain",text:"skipped"},no_tool_call:{tone:"plain",text:"no tool call, not counted"}},Ou=10,Mu=5,Oa=100,tn=200,Iu=50,Nu=56;function on({verdicts:e,label:t,models:o=!1}){let n=e.length>tn?Iu:tn;return Array.from({length:Math.ceil(e.length/n)},(a,i)=>i*n).map(a=>{let i=e.slice(a,a+n);return s`<ul
      key=${a}
      class="val-verdicts"
      aria-label=${a===0?t:`${t}, from ${a+1}`}
      style=${e.length>tn?{contentVisibility:"auto",containIntrinsicSize:`auto ${i.length*Nu}px`}:{}}
    >
      ${i.map(l=>s`<${Du} key=${Zo(l)} verdict=${l} models=${o} />`)}
    </ul>`})}function Du({verdict:e,models:t}){let{tone:o,text:n}=Au[e.result];return s`
    <li>
      <div class="row">
        <${T} tone=${o}>${n}<//>
        <strong>${e.case}${e.repeat>1&&` #${e.repeat}`}</strong>
        ${t&&s`<span>${e.model}</span>`}
        ${e.category&&s`<${oe}>${Zt(e.category)}<//>`}
        ${e.counted===!1&&s`<${oe}>manual, not counted<//>`}
        <small class="row val-facts">
          <${W} at=${e.at} />
          <span class="number">${O(e.latency_ms)}</span>
          <span class="number">${b(e.tokens,"token")}</span>
          ${typeof e.cost_usd=="number"&&s`<span class="number">${ie(e.cost_usd)}</span>`}
          ${e.request_id&&s`<${Z} text=${e.request_id} label="Copy request id" />`}
        </small>
      </div>
      ${e.reasons.length>0&&s`<ul class="val-reasons">${e.reasons.map(r=>s`<li>${r}</li>`)}</ul>`}
    </li>
  `}function no({pages:e,label:t,models:o=!1,filter:n,failedOnly:r,onFailedOnly:a}){let{items:i,isLoaded:l,more:c,next:d,task:u}=e,f=i.filter(m=>en(m)&&n(m)&&!(r&&m.result==="passed")),p=l&&c&&!u.busy&&!u.error&&f.length<Ou&&i.length<Mu*Oa;return y(()=>{p&&d()}),u.error&&!l?s`<${C} error=${u.error} onRetry=${d} />`:l?s`
    <div class="row spread">
      <span role="status">${R(f.length)} of ${b(i.length,"loaded verdict")}${c?", more available":""}</span>
      <label class="check">
        <input type="checkbox" checked=${r} onChange=${()=>a(!r)} />
        Hide passed
      </label>
    </div>
    ${f.length===0&&!c&&s`<p>None.</p>`}
    <${on} verdicts=${f} label=${t} models=${o} />
    <${qu} pages=${e} />
  `:s`<${H} lines=${6} label=${t} />`}function qu({pages:{more:e,next:t,task:o}}){return o.error?s`<${C} error=${o.error} onRetry=${t} />`:o.busy?s`<${A} label="Loading verdicts" since=${o.since} />`:e&&s`<div><button type="button" onClick=${t}>Load ${Oa} more</button></div>`}var Pu=100;function Ma({model:e,category:t,status:o,focus:n,onClose:r}){let[a,i]=h(!1),l=ke.find(u=>u.name===t),c=Xe(async(u,f)=>{let{records:p,cursor:m}=await w.history(e,{limit:Pu,cursor:u,signal:f});return{items:p,cursor:m}},[e]);te([{keys:"Escape",label:"Close the verdicts",run:r}]);let d=l?o?.categories?.[l.name]:o?.rate;return s`
    <${Je} title=${`${l?l.title:"All verdicts"} · ${e}`} focus=${n} onClose=${r}>
      ${l&&s`<p>Tests: ${l.description}.</p>`}
      ${o?.demo&&s`<p class="notice">! Verdicts of the demo model are no evidence about a real model.</p>`}
      ${d&&s`<p>${d.successes} of ${b(d.tests,"test")} passed, ${$e(d)}.</p>`}
      ${!l&&o&&s`<${Lu} status=${o} />`}
      <${no}
        pages=${c}
        label=${`Verdicts of ${e}`}
        filter=${u=>!l||u.category===l.name}
        failedOnly=${a}
        onFailedOnly=${i}
      />
    <//>
  `}function Lu({status:e}){let t=[typeof e.latency_ms=="number"&&O(e.latency_ms),typeof e.tokens=="number"&&b(Math.round(e.tokens),"token"),typeof e.cost_usd=="number"&&ie(e.cost_usd)].filter(Boolean),{by_hand:o}=e,n=[(e.errors??0)>0&&b(e.errors??0,"error"),(e.no_tool_calls??0)>0&&`${b(e.no_tool_calls??0,"plain test")} without a tool call`,o&&`${b(o.tests+o.errors+o.no_tool_calls,"test")} run manually`].filter(Boolean);return s`<p>
    ${t.length>0&&`Average per case: ${t.join(", ")}.`}
    ${n.length>0&&` Not counted: ${n.join(", ")}.`}
  </p>`}var Hu=12;function Ia({models:e,first:t,onFill:o}){return s`
    <${ve} title="No results yet">
      <p>
        Providers list tool calling for most models. Validation tests it: a run sends a suite of cases to a model and grades
        whether it calls the right tools with the right arguments.
      </p>
      ${t&&o&&s`<button type="button" onClick=${()=>o(t)}>Validate ${t}</button>`}
      ${!t&&e.loading&&s`<p>Loading models.</p>`}
      ${!t&&!e.loading&&s`<p>No models with tool calling are configured.</p>`}
    <//>
  `}function Na({models:e,onFill:t}){if(e.length===0)return null;let o=e.slice(0,Hu).map(({id:r})=>r),n=e.length-o.length;return s`
    <div class="notice">
      <span aria-hidden="true">🔧⚠️</span> ${b(e.length,"model")} not tested yet.
      <div class="row">
        ${o.map(r=>s`<button type="button" class="quiet" title=${`Select ${r} in the form`} onClick=${()=>t(r)}>${r}</button>`)}
        ${n>0&&`and ${n} more`}
      </div>
    </div>
  `}function Da({params:e,change:t,statuses:o,rows:n,models:r,onFill:a}){let i=g(null),l=r.data?.models??[],{model:c,category:d="",run:u}=e,f=m=>{i.current=document.activeElement,t(m,{replace:!1})},p=()=>{t({model:"",category:""},{replace:!1}),i.current instanceof HTMLElement&&i.current.focus(),i.current=null};return s`
    ${o.error&&s`<${C} error=${o.error} onRetry=${o.reload} />`}
    ${!o.data&&!o.error&&s`<${H} lines=${6} label="the results" />`}
    ${o.data&&n.length===0&&!u&&s`<${Ia} models=${r} first=${ht(l)[0]?.id} onFill=${a} />`}
    ${n.length>0&&s`
        <h2>Results</h2>
        <${Ca}
          statuses=${n}
          order=${ua(e.sort)}
          onOrder=${m=>t({sort:m})}
          ticked=${ze(e.compare)}
          onTick=${m=>t({compare:ma(ze(e.compare),m).join(" ")})}
          open=${c&&{model:c,category:d}}
          onOpen=${f}
        />
        <${Bu} names=${ze(e.compare)} rows=${n} onClose=${()=>t({compare:""})} />
        ${a&&s`<${Na} models=${fa(l,n)} onFill=${a} />`}
      `}
    ${c&&s`<${Ma}
        model=${c}
        category=${d}
        status=${n.find(m=>m.model_id===c)}
        focus=${i.current!==null}
        onClose=${p}
      />`}
  `}function Bu({names:e,rows:t,onClose:o}){let[n,r]=e.map(a=>t.find(i=>i.model_id===a));return n&&r?s`<${ka} a=${n} b=${r} onClose=${o} />`:e.length===1&&s`<p role="status">Select another model to compare with ${e[0]}.</p>`}var Fu=[1e3,1500,2e3,3e3],Vu=3e3;function he({status:e}){return e!=="queued"&&e!=="running"}function qa(e,t){let o=U(),n=g(t);n.current=t;let[r,a]=h(0),[i,l]=h(ju),c=g(void 0);return y(()=>{let d=new AbortController,{signal:u}=d,f=0,p=0,m=!1,$=async()=>{if(clearTimeout(f),!(document.hidden||m)){m=!0;try{let _=await w.validationRun(e,{limit:1,signal:u}),S=c.current;if(l(E=>Uu(E,_,S)),S!==void 0&&S.status!==_.status&&n.current(_),he(_)){c.current=_;return}let k=await Wu(S,_,u);c.current=_,l(E=>({...E,latest:Aa(E.latest,k,e)}))}catch(_){if(u.aborted)return;let S=Ct(_);if(l(k=>({...k,error:S})),S.kind!=="offline"&&S.kind!=="failed")return}finally{m=!1}f=setTimeout($,Fu[p++]??Vu)}},v=()=>{!document.hidden&&(c.current===void 0||!he(c.current))&&$()};return $(),document.addEventListener("visibilitychange",v),()=>{d.abort(),clearTimeout(f),document.removeEventListener("visibilitychange",v)}},[e,o,r]),{...i,retry:x(()=>a(d=>d+1),[])}}function ju(){return{run:void 0,latest:[],error:void 0,advancedAt:performance.now()}}function Uu(e,t,o){let n=t.done===o?.done?e.advancedAt:performance.now();return{...e,run:t,error:void 0,advancedAt:n}}async function Wu(e,t,o){return(await Promise.all(Ra(e,t).map(({model:r,limit:a})=>w.history(r,{limit:a,signal:o})))).flatMap(r=>r.records)}var Gu=20,Ku={queued:"plain",running:"plain",finished:"good",stopped:"warn",failed:"bad"};function nn({status:e}){return s`<${T} tone=${Ku[e]}>${e}<//>`}function Pa({open:e,changed:t,onOpen:o}){let{items:n,isLoaded:r,more:a,next:i,restart:l,task:c}=Xe(async(d,u)=>{let{runs:f,cursor:p}=await w.validationRuns({limit:Gu,cursor:d,signal:u});return{items:f,cursor:p}});return y(()=>{t>0&&l()},[t,l]),s`
    <h2>Runs</h2>
    ${!r&&!c.error&&s`<${H} label="the runs" />`}
    ${c.error&&s`<${C} error=${c.error} onRetry=${i} />`}
    ${r&&n.length===0&&s`<small>No runs yet.</small>`}
    <ul class="val-runs">
      ${n.map(d=>s`
          <li key=${d.id}>
            <button type="button" aria-pressed=${d.id===e} onClick=${()=>o(d.id)}>
              <span class="row spread"><${nn} status=${d.status} /><small><${W} at=${d.created_at} /></small></span>
              <span>${d.suite}${d.repeats>1&&` × ${d.repeats}`} · ${Ju(d)}</span>
              <small class="number">${zu(d)}</small>
            </button>
          </li>
        `)}
    </ul>
    <div class="row">
      ${a&&!c.busy&&s`<button type="button" onClick=${i}>Show older runs</button>`}
      ${c.busy&&r&&s`<${A} label="Loading runs" since=${c.since} />`}
    </div>
  `}function zu({passed:e,failed:t,total:o}){let n=e+t;return n===0?`at most ${b(o,"chat")}`:`${R(e)} of ${R(n)} passed`}function Ju({models:e}){return e.length<=2?e.map(({model:t})=>t).join(", "):b(e.length,"model")}var Xu=100,Qu=3e4;function Ha({id:e,operator:t,onStatus:o,onClose:n}){let{run:r,latest:a,error:i,advancedAt:l,retry:c}=qa(e,o),d=G(()=>performance.now(),[]);return s`
    <${Je} title=${r?`Run of ${r.suite}${r.repeats>1?` × ${r.repeats}`:""}`:"Run"} reveal onClose=${n}>
      ${!r&&!i&&s`<${A} label="Loading the run" since=${d} />`}
      ${r&&s`<${Yu} run=${r} operator=${t} advancedAt=${l} onChanged=${c} />`}
      ${i&&s`<${C} error=${i} onRetry=${c} />`}
      ${r&&s`<${ed} run=${r} />`}
      ${r&&he(r)&&s`<${td} run=${r} />`}
      ${r&&!he(r)&&s`<h3>Latest verdicts</h3>
          <div class="val-scroll" tabindex="0" role="region" aria-label="Latest verdicts">
            ${a.length===0?s`<p>No verdicts yet.</p>`:s`<${on} verdicts=${a} label="Latest verdicts" models />`}
          </div>`}
    <//>
  `}function Yu({run:e,operator:t,advancedAt:o,onChanged:n}){let r=D(),a=G(()=>performance.now()-(Date.now()-Date.parse(e.created_at)),[e.created_at]),i=!he(e)&&performance.now()-o>Qu,l=d=>r.run(async u=>{await d(e.id),u.aborted||n()}),c=[b(e.calls,"chat"),b(e.tokens,"token"),e.cost_usd>0&&ie(e.cost_usd),e.finished_at&&O(Date.parse(e.finished_at)-Date.parse(e.created_at))].filter(Boolean);return s`
    <div class="row">
      <span role="status"><${nn} status=${e.status} />${he(e)&&` ${La(e)}`}</span>
      ${!he(e)&&s`<${A} label="" since=${a} /> ${t&&s`<button type="button" disabled=${r.busy} onClick=${()=>l(w.stopValidation)}>Stop</button>`}`}
    </div>
    ${e.reason&&s`<p>${e.reason}</p>`}
    <div>
      <progress class="val-progress" max=${e.total} value=${e.done} aria-label="Progress of the run"></progress>
      <small>${R(e.done)} of ${b(e.total,"verdict")}${!he(e)&&`: ${La(e)}`} · ${c.join(" · ")}</small>
    </div>
    ${i&&s`<div class="notice row">
        No new verdicts for 30 seconds. Resume the run to repeat cases with lost messages; existing verdicts are kept.
        ${t&&s`<button type="button" disabled=${r.busy} onClick=${()=>l(w.resumeValidation)}>Resume</button>`}
      </div>`}
    ${r.error&&s`<${C} error=${r.error} />`}
  `}function La({passed:e,failed:t,errors:o,skipped:n}){let r=[`${R(e)} passed`,`${R(t)} failed`];return o>0&&r.push(b(o,"error")),n>0&&r.push(`${R(n)} skipped`),r.join(", ")}var Zu={passes:"✓ decided: passes",fails:"✕ decided: fails"};function ed({run:e}){let t=e.total/e.models.length;return s`
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
                <th scope="row" class="val-model">${o}${n&&s` <${P} />`}${c&&s`<div><small>${Zu[c]}</small></div>`}</th>
                <td>
                  <progress class="val-progress" max=${t} value=${a} aria-label=${`Progress of ${o}`}></progress>
                  <small class="number">${R(a)} of ${R(t)}</small>
                </td>
                <td class="number">${R(r?.successes??0)}</td>
                <td class="number">${R((r?.tests??0)-(r?.successes??0))}</td>
                <td class="number">${R(i)}</td>
                <td class="number">${R(l)}</td>
                <td>${r&&s`<${Nt} rate=${r} />`}</td>
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}function td({run:e}){let[t,o]=h(e.failed+e.errors>0),n=Xe(async(r,a)=>{let{verdicts:i,cursor:l}=await w.validationRun(e.id,{limit:Xu,cursor:r,signal:a});return{items:i,cursor:l}},[e.id]);return s`
    <h3>Verdicts</h3>
    <div class="val-scroll" tabindex="0" role="region" aria-label="Verdicts of this run">
      <${no}
        pages=${n}
        label="Verdicts of this run"
        models
        filter=${()=>!0}
        failedOnly=${t}
        onFailedOnly=${o}
      />
    </div>
  `}function ro(e,{replace:t=!0}={}){let o=qe();o.view==="validation"&&j("validation",{...o.params,...e},{replace:t})}function od(e){ro({models:e}),document.getElementById(Ko)?.focus()}function Ba({route:{params:e}}){let t=de(p=>w.statuses(p)),o=de(p=>w.suites(p)),n=He(),r=ae(),[a,i]=h(0),l=t.data?.validations.filter(p=>p.tested||p.errors>0)??[],c=p=>{i(m=>m+1),he(p)&&(t.reload(),n.reload())},d=p=>ro({run:p},{replace:!1}),f=s`
    ${r?s`<${_a} params=${e} change=${ro} suites=${o} models=${n} statuses=${l} onStarted=${p=>{i(m=>m+1),d(p.id)}} />`:s`<p class="notice">Starting a run requires a token with the role <strong>operator</strong>.</p>`}
    <${Pa} open=${e.run??""} changed=${a} onOpen=${d} />
  `;return s`
    <${fe} title="Validation" controls=${f}>
      ${e.run&&s`<${Ha} key=${e.run} id=${e.run} operator=${r} onStatus=${c} onClose=${()=>d("")} />`}
      <${Da} params=${e} change=${ro} statuses=${t} rows=${l} models=${n} onFill=${r?od:void 0} />
    <//>
  `}var nd={"tools-testing":ia,chat:Vr,validation:Ba,retrieval:Is,configuration:cs};function Fa({route:e}){return s`<${nd[e.view]} route=${e} />`}function Va(){let e=On(),t=U(),o=g(t!==""),[n,r]=h(t===""),[a,i]=h(!1);return o.current||=t!=="",y(Tt,[]),y(()=>{let l=nt.find(c=>c.name===e.view)?.title;document.title=`${l} · Flexchat`},[e.view]),y(()=>{t===""&&r(!0)},[t]),te([{keys:"?",label:"Show keyboard shortcuts",run:()=>i(!0)}]),s`
    <a class="skip" href="#main">Skip to content</a>
    <${Bn} route=${e} onToken=${()=>r(!0)} onHelp=${()=>i(!0)} />
    <main id="main" tabindex="-1">
      ${o.current&&s`<${Fa} key=${e.view} route=${e} />`}
    </main>
    <${Un} open=${n} needed=${t===""} onClose=${()=>r(!1)} />
    <${Le} title="Keyboard shortcuts" open=${a} onClose=${()=>i(!1)}>
      <dl class="keys">
        ${vo().map(({keys:l,label:c})=>s`
            <dt><kbd>${se(l)}</kbd></dt>
            <dd>${c}</dd>
          `)}
        <dt><kbd>Tab</kbd></dt>
        <dd>Move to the next control</dd>
      </dl>
    <//>
  `}po(s`<${Va} />`,document.getElementById("app"));
