/*! preact 11.2.0, MIT: see LICENSE.preact.txt */var I,Ko,ga,$e,Kt,mt,Jo,ct,zo,zt,Jt,ba,Ve=Symbol.for("pv"),ft={},pt=[],ya=/^m(i|n|o|s|text|space)$/,Yt=Array.isArray,Xt=pt.slice,ve=Object.assign;function we(e){e&&e.parentNode&&e.remove()}function Yo(e,t,o){var n,r,a,i={},l=arguments.length;for(a in t)a=="key"?n=t[a]:a=="ref"&&typeof e!="function"?r=t[a]:i[a]=t[a];return l>2&&(i.children=l>3?Xt.call(arguments,2):o),Be(e,i,n,r,null)}function Be(e,t,o,n,r){var a={type:e,props:t,key:o,ref:n,__k:null,__:null,__b:0,__e:null,__c:null,constructor:Ve,__v:r||++Ko,__i:-1,__u:0};return!r&&I.vnode&&I.vnode(a),a}function je(e){return e.children}function ut(e,t){this.props=e,this.context=t,this.__g=0}function he(e,t){if(t==null)return e.__&&he(e.__,e.__i+1);for(var o;t<e.__k.length;t++)if((o=e.__k[t])&&o.__e)return o.__e;return typeof e.type!="function"||e.props.__P?null:he(e)}function wa(e){var t,o=e.__v,n=o.__e,r=[],a=[],i=e.__P;i&&((t=ve({constructor:Ve},o)).__v=o.__v+1,I.vnode&&I.vnode(t),Qt(i,t,o,e.__n,i.namespaceURI,32&o.__u?[n]:null,r,n||he(o),32&o.__u,a),t.__v=o.__v,t.__.__k[t.__i]=t,on(r,t,a),o.__=o.__e=null,t.__e!=n&&Xo(t))}function Xo(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),Xo(e)}function Go(e){(8&e.__g||(e.__g|=8,$e.push(e),mt++))&&Kt==I.debounceRendering||((Kt=I.debounceRendering)||queueMicrotask)(Qo)}function Qo(){try{for(var e,t=1;$e.length;)$e.length>t&&$e.sort(Jo),e=$e.shift(),t=$e.length,8&e.__g&&wa(e)}finally{(mt=$e.length)&&(Kt||queueMicrotask)(Qo)}}function Zo(e,t,o,n,r,a,i,l,c,d,u){var f,p,m,h,y,g,x=n.__k||pt,S=t.length;for(c=va(o,t,x,c,S),f=0;f<S;f++)(m=o.__k[f])!=null&&(p=~m.__i&&x[m.__i]||ft,m.__i=f,g=Qt(e,m,p,r,a,i,l,c,d,u),h=m.__e,(p.ref!=m.ref||8&p.__u)&&(p.ref&&Zt(p.ref,null,m,p),m.ref&&u.push(m.ref,m.__c||h,m)),y=y||h,4&m.__u?(c=en(m,c,e,!p.__v),p.__e&&(p.__e=null)):typeof m.type=="function"&&g!==void 0?c=g:h&&(c=h.nextSibling),m.__u&=-21);return o.__e=y,c}function va(e,t,o,n,r){var a,i,l,c,d,u,f,p,m,h=o.length,y=h,g=0,x=0,S=e.__k=Array(r);for(a=0;a<r;a++)(i=t[a])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=S[a]=Be(null,i):Yt(i)?i=S[a]=Be(je,{children:i}):i.constructor===Ve&&i.__b?i=S[a]=Be(i.type,i.props,i.key,i.ref,i.__v):S[a]=i,c=a+g,i.__=e,i.__b=e.__b+1,l=null,~(d=i.__i=ka(i,o,c,y))&&(y--,(l=o[d])&&(l.__u|=2)),l&&l.__v?(i.__u|=16,d==c-1?g--:d==c+1?g++:d!=c&&(d>c?g--:g++,x=1)):(~d||(r>h?g--:r<h&&g++),typeof i.type!="function"&&(i.__u|=4))):S[a]=null;if(x){for(u=[],f=[],a=0;a<r;a++)if((i=S[a])&&16&i.__u){for(g=0,p=u.length;g<p;)u[m=g+p>>1]<i.__i?g=m+1:p=m;u[g]=i.__i,f[a]=g+1}for(g=u.length;a--;)f[a]&&(f[a]==g?g--:S[a].__u|=4)}if(y)for(a=0;a<h;a++)!(l=o[a])||2&l.__u||(l.__e==n&&(n=he(l)),eo(l,l));return n}function en(e,t,o,n){var r,a,i,l;if(typeof e.type=="function"){if(e.props.__P)return t;if(r=e.__k)for(a=0;a<r.length;a++)r[a]&&(r[a].__=e,t=en(r[a],t,o,!1));return t}for(t&&!t.parentNode&&(t=he(e))&&!t.parentNode&&(t=null),i=e.__e,l=t;l&&l.nodeType==8;)l=l.nextSibling;for(i!=l&&(!n&&o.moveBefore&&i.parentNode?o.moveBefore(i,t):o.insertBefore(i,t||null)),t=i;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function ka(e,t,o,n){var r,a=e.key,i=e.type,l=t[o],c=l&&!(2&l.__u);if(l===null&&a==null||c&&a==l.key&&i==l.type)return o;if(n>(c?1:0)){for(r=o-1;r>=0;r--)if((l=t[r])&&!(2&l.__u)&&a==l.key&&i==l.type)return r;for(r=o+1;r<t.length;r++)if((l=t[r])&&!(2&l.__u)&&a==l.key&&i==l.type)return r}return-1}function Uo(e,t,o){o==null&&(o=""),t[0]=="-"?e.setProperty(t,o):e[t]=o}function lt(e,t,o,n,r){var a,i;if(t=="style")if(typeof o=="string")e.style.cssText=o;else{if(typeof n=="string"&&(e.style.cssText=n=""),n)for(t in n)o&&t in o||Uo(e.style,t);if(o)for(t in o)n&&o[t]==n[t]||Uo(e.style,t,o[t])}else if(t[0]=="o"&&t[1]=="n")typeof o!="function"&&(o=null),typeof n!="function"&&(n=null),(e.__e||(e.__e={}))[t]=o,o&&n||(i=Jt[t]||(Jt[t]=xa(t)),(e.__a||(e.__a={}))[t]=zt,a=t!=(t=t.replace(zo,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),o?e.addEventListener(t,i,a):e.removeEventListener(t,i,a));else{if(r=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=o??"")}catch{}if(typeof o=="function")return;o==null||o===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&o==1?"":o)}}function xa(e){return function(t){var o=this.__e;if(o){if(o=o[e],t[ct]==null)t[ct]=zt++;else if(t[ct]<this.__a[e])return;return o(I.event?I.event(t):t)}}}function Qt(e,t,o,n,r,a,i,l,c,d){var u,f,p,m,h,y,g,x,S,M,N,z,at,it,be,jo,pe,ye,ce=t.type;if(t.constructor!==Ve)return null;128&o.__u&&(c=32&o.__u,u=o.__c.__z)&&(t.__u|=c,f=a=[],u.nodeType==8?l=dt(u,a):a.push(u),l=a[0]||l),(u=I.__b)&&u(t);e:if(typeof ce=="function"){p=i.length;try{if(x=t.props,S=(u=ce.prototype)&&u.render,M=(u=ce.contextType)&&n[u.__c],N=u?M?M.props.value:u.__:n,(m=o.__c)?(t.__c=m,2&m.__g&&(m.__g|=1)):(S?t.__c=m=new ce(x,N):(t.__c=m=new ut(x,N),m.constructor=ce,m.render=Sa),M&&M.sub(m),m.state||(m.state={}),m.__n=n,m.__g|=8,m.__h=[],m.__k=[]),S&&(m.__s||(m.__s=m.state),ce.getDerivedStateFromProps&&(m.__s==m.state&&(m.__s=ve({},m.__s)),ve(m.__s,ce.getDerivedStateFromProps(x,m.__s)))),h=m.props,y=m.state,m.__v=t,o.__c){if(x!==h&&S&&!ce.getDerivedStateFromProps&&m.componentWillReceiveProps&&m.componentWillReceiveProps(x,N),t.__v==o.__v&&!(8&m.__g)||!(4&m.__g)&&m.shouldComponentUpdate&&m.shouldComponentUpdate(x,m.__s,N)===!1){t.__v!=o.__v&&(m.props=x,m.state=m.__s,m.__g&=-9),t.__e=o.__e,t.__k=o.__k,t.__k.some(function(te){te&&(te.__=t)}),pt.push.apply(m.__h,m.__k),m.__k=[],m.__h.length&&i.push(m),l=he(o);break e}m.componentWillUpdate&&m.componentWillUpdate(x,m.__s,N),S&&m.componentDidUpdate&&m.__h.push(function(){m.componentDidUpdate(h,y,g)})}else S&&!ce.getDerivedStateFromProps&&m.componentWillMount&&m.componentWillMount(),S&&m.componentDidMount&&m.__h.push(m.componentDidMount);m.context=N,m.props=x,m.__P=e,m.__g&=-5,z=I.__r,at=S?25:0;do m.__g&=-9,z&&z(t),u=m.render(m.props,m.state=m.__s,m.context);while(8&m.__g&&++at<25);S&&(pt.push.apply(m.__h,m.__k),m.__k=[]),m.state=m.__s,m.getChildContext&&(n=ve({},n,m.getChildContext())),S&&o.__c&&m.getSnapshotBeforeUpdate&&(g=m.getSnapshotBeforeUpdate(h,y)),it=u&&u.type===je&&u.key==null?u.props.children:u,x.__P&&(u=l,r=(e=x.__P).namespaceURI,c=a=null,o.props&&o.props.__P!=e&&(o.__k.some(function(te){te&&eo(te,te)}),o.__k=null),l=o.__k?he(o,0):null),l=Zo(e,Yt(it)?it:[it],t,o,n,r,a,i,l,c,d),x.__P&&(t.__e=null,l=u),t.__u&=-161,f&&f.some(we),m.__h.length&&i.push(m),1&m.__g&&(m.__g&=-4)}catch(te){if(i.length=p,t.__v=null,c||a)if(te&&te.then){if(t.__u|=128|c,a){for(~(pe=a.indexOf(l||void 0))||(pe=a.length);(ye=a[pe-1])&&ye.nodeType==8;)pe--;for(;pe<a.length;pe++)if(ye=a[pe])if(a[pe]=null,be){if(ye==jo)break}else{if(ye.nodeType!=8)break;ye.data.startsWith("$s")&&(jo=dt(be=ye))}}if(!be){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;be=l}(u=dt(be=t.__c.__z||(t.__c.__z=be)))?(t.__e=be,l=u):t.__e=l,l=l&&l.nextSibling}else a&&a.some(we);else t.__e=o.__e;t.__k||(t.__k=o.__k||[]),te&&te.then||tn(t),I.__e(te,t,o)}}else l=t.__e=Ta(o.__e,t,o,n,r,a,i,c,d,e);return(u=I.diffed)&&u(t),l}function dt(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var o=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))o++;else if(e.data.startsWith("/$s")&&!--o)return e}t&&t.push(e)}}function tn(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(tn))}function on(e,t,o){for(var n=0;n<o.length;)Zt(o[n++],o[n++],o[n++]);I.__c&&I.__c(t,e),e.some(function(r){try{e=r.__h,r.__h=[],e.some(function(a){a.call(r)})}catch(a){I.__e(a,r.__v)}})}function Ta(e,t,o,n,r,a,i,l,c,d){var u,f,p,m,h,y,g,x,S=o.props||ft,M=t.props,N=t.type;if(N=="svg"?r="http://www.w3.org/2000/svg":N=="math"?r="http://www.w3.org/1998/Math/MathML":r||(r="http://www.w3.org/1999/xhtml"),a){for(u=0;u<a.length;u++)if((h=a[u])&&(N?h.localName==N:h.nodeType==3)){e=h,a[u]=null;break}}if(!e){if(x=d.ownerDocument||document,!N)return x.createTextNode(M);e=x.createElementNS(r,N,M.is?M:d),l&&(I.__m&&I.__m(t,a),l=!1),a=null}if(N){if(d=N=="template"&&e.content||e,a=N=="textarea"&&M.defaultValue!=null?null:a&&Xt.call(d.childNodes),!l&&a)for(S={},u=0;u<e.attributes.length;u++)S[(h=e.attributes[u]).name]=h.value;for(u in S)h=S[u],u=="dangerouslySetInnerHTML"?p=h:u=="children"||u in M||u=="value"&&"defaultValue"in M||u=="checked"&&"defaultChecked"in M||lt(e,u,null,h,r);for(u in M)h=M[u],u=="children"?m=h:u=="dangerouslySetInnerHTML"?f=h:u=="value"?y=h:u=="checked"?g=h:l&&typeof h!="function"||S[u]===h||lt(e,u,h,S[u],r);f?(l||p&&(f.__html==p.__html||f.__html==e.innerHTML)||(e.innerHTML=f.__html),t.__k=[]):(p&&(e.textContent=""),(N=="foreignObject"||r=="http://www.w3.org/1998/Math/MathML"&&ya.test(N))&&(r="http://www.w3.org/1999/xhtml"),Zo(d,Yt(m)?m:[m],t,o,n,r,a,i,a?a[0]:o.__k&&he(o,0),l,c),a&&a.some(we)),l&&N!="textarea"||(u="value",N=="progress"&&y==null?e.removeAttribute(u):y==null||y===e[u]&&(N!="progress"||y)||lt(e,u,y,S[u],r),u="checked",g!=null&&g!=e[u]&&lt(e,u,g,S[u],r))}else S===M||l&&e.data==M||(e.data=M);return e}function Zt(e,t,o,n){try{typeof e=="function"?t?t.__x=e(t)||1:n&&(n=n.__c||n.__e)&&(t=n.__x)&&(n.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(r){I.__e(r,o)}}function eo(e,t,o){var n,r,a,i;if(I.unmount&&I.unmount(e),!(n=e.ref)||n.current&&n.current!=e.__e||Zt(n,null,t,e),n=e.__c){if(n.componentWillUnmount)try{n.componentWillUnmount()}catch(l){I.__e(l,t)}n.__P=n.__n=null}if(n=e.__k)for(i=0;i<n.length;i++)n[i]&&eo(n[i],t,typeof e.type!="function"||o&&!e.props.__P);!o&&(n=e.__c)&&(n=n.__z)&&(r=dt(n,a=[]))&&(n==e.__e&&a.some(we),we(r),we(n)),o||we(e.__e),e.__e=e.__c=e.__=null}function Sa(e,t,o){return this.constructor(e,o)}function to(e,t){var o,n,r,a;I.__&&I.__(e,t),t.nodeType==9&&(t=t.documentElement),n=(o=e&&32&e.__u)?null:t.__k,t.__k=Be(je,{children:[e]}),r=[],a=[],Qt(t,t.__k,n||ft,ft,t.namespaceURI,n?null:t.firstChild?Xt.call(t.childNodes):null,r,n?n.__e:t.firstChild,o,a),on(r,t.__k,a),t.__k.props.children=null}I={__e:function(e,t,o,n){for(var r,a,i;t=t.__;)if((r=t.__c)&&!(1&r.__g)){r.__g|=4;try{if((i=(a=r.constructor)&&a.getDerivedStateFromError)&&r.setState(a.getDerivedStateFromError(e)),r.componentDidCatch&&(r.componentDidCatch(e,n||{}),i=1),i&&8&r.__g)return void(r.__g|=2)}catch(l){e=l}}throw mt=0,e}},Ko=0,ga=function(e){return e!=null&&e.constructor===Ve},ut.prototype.setState=function(e,t){var o=this.__s;o&&o!=this.state||(o=this.__s=ve({},this.state)),typeof e=="function"&&(e=e(ve({},o),this.props)),e&&(ve(o,e),this.__v&&(t&&this.__k.push(t),Go(this)))},ut.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Go(this))},ut.prototype.render=je,$e=[],mt=0,Jo=function(e,t){return e.__v.__b-t.__v.__b},ct=Symbol(),zo=/(PointerCapture)$|Capture$/i,zt=0,Jt={},ba=0;/*! htm 3.1.1, Apache-2.0: see LICENSE.htm.txt */var rn=function(e,t,o,n){var r;t[0]=0;for(var a=1;a<t.length;a++){var i=t[a++],l=t[a]?(t[0]|=i?1:2,o[t[a++]]):t[++a];i===3?n[0]=l:i===4?n[1]=Object.assign(n[1]||{},l):i===5?(n[1]=n[1]||{})[t[++a]]=l:i===6?n[1][t[++a]]+=l+"":i?(r=e.apply(l,rn(e,l,o,["",null])),n.push(r),l[0]?t[0]|=2:(t[a-2]=0,t[a]=r)):n.push(l)}return n},nn=new Map;function sn(e){var t=nn.get(this);return t||(t=new Map,nn.set(this,t)),(t=rn(this,t.get(e)||(t.set(e,t=(function(o){for(var n,r,a=1,i="",l="",c=[0],d=function(p){a===1&&(p||(i=i.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?c.push(0,p,i):a===3&&(p||i)?(c.push(3,p,i),a=2):a===2&&i==="..."&&p?c.push(4,p,0):a===2&&i&&!p?c.push(5,0,!0,i):a>=5&&((i||!p&&a===5)&&(c.push(a,0,i,r),a=6),p&&(c.push(a,p,0,r),a=6)),i=""},u=0;u<o.length;u++){u&&(a===1&&d(),d(u));for(var f=0;f<o[u].length;f++)n=o[u][f],a===1?n==="<"?(d(),c=[c],a=3):i+=n:a===4?i==="--"&&n===">"?(a=1,i=""):i=n+i[0]:l?n===l?l="":i+=n:n==='"'||n==="'"?l=n:n===">"?(d(),a=1):a&&(n==="="?(a=5,r=i,i=""):n==="/"&&(a<5||o[u][f+1]===">")?(d(),a===3&&(c=c[0]),a=c,(c=c[0]).push(2,0,a),a=0):n===" "||n==="	"||n===`
`||n==="\r"?(d(),a=2):i+=n),a===3&&i==="!--"&&(a=4,c=c[0])}return d(),c})(e)),t),arguments,[])).length>1?t:t[0]}/*! preact/hooks 11.2.0, MIT: see LICENSE.preact.txt */var ke,H,oo,an,no=Object.is,Ue=0,hn=[],ro=[],L=I,ln=L.__b,cn=L.__r,un=L.diffed,dn=L.__c,mn=L.unmount,fn=L.__;function Ke(e,t){L.__h&&L.__h(H,e,Ue||t),Ue=0;var o=H.__H||(H.__H={__:[],__h:[]});return e>=o.__.length&&o.__.push({}),o.__[e]}function $(e){return Ue=1,Ca(_n,e)}function Ca(e,t,o){var n=Ke(ke++,2);if(n.t=e,!n.__c&&(n.__=[o?o(t):_n(void 0,t),function(a){var i=(n.__N||n.__)[0],l=n.t(i,a);no(i,l)||(n.__N=[l,n.__[1]],n.__c.setState({}))}],n.__c=H,!H.__f)){H.__f=!0;var r=H.shouldComponentUpdate;H.shouldComponentUpdate=function(a,i,l){var c=this.__H;if(!c)return!0;var d=!1,u=this.props!=a;if(c.__.some(function(p){p.__N&&(d=!0,no(p.__[0],p.__N[0])||(u=!0))}),r){var f=r.call(this,a,i,l);return d?f||u:f}return!d||u}}return n.__}function b(e,t){var o=Ke(ke++,3);!L.__s&&ao(o.__H,t)&&(o.__P=!0,o.__=e,o.u=t,H.__H.__h.push(o))}function xe(e,t){var o=Ke(ke++,4);!L.__s&&ao(o.__H,t)&&(o.__P=!1,o.__=e,o.u=t,H.__h.push(o))}function w(e){return Ue=5,j(function(){return{current:e}},[])}function j(e,t){var o=Ke(ke++,7);return ao(o.__H,t)&&(o.__=e(),o.__H=t),o.__}function E(e,t){return Ue=8,j(function(){return e},t)}function Y(){var e=Ke(ke++,11);if(!e.__){for(var t=H.__v;!t.__m&&t.__;)t=t.__;var o=t.__m||(t.__m=[0,0]);e.__="P"+o[0]+"-"+o[1]++}return e.__}function Ea(){var e;do{for(;e=ro.shift();)try{Ge(e)}catch(o){L.__e(o,{__:(e=e.__P)&&e.__v})}for(;e=hn.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(Ge),t.__h.some(so),t.__h=[]}catch(o){t.__h=[],L.__e(o,e.__v)}}}while(ro.length)}L.__b=function(e){H=null,ln&&ln(e)},L.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),fn&&fn(e,t)},L.__r=function(e){cn&&cn(e),ke=0;var t=(H=e.__c).__H;t&&(oo==H?H.__h=[]:(t.__h.some(Ge),t.__h.some(so),ke=0),t.__h=[],t.__.some(function(o){o.__N&&(o.__=o.__N),o.u=o.__N=void 0})),oo=H},L.diffed=function(e){un&&un(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&$n(hn.push(t)),t.__H.__.some(function(o){o.u&&(o.__H=o.u)})),oo=H=null},L.__c=function(e,t){t.some(function(o){try{o.__h.some(Ge),o.__h=o.__h.filter(function(n){return!n.__||so(n)})}catch(n){o.__h=[function(){throw n}]}}),dn&&dn(e,t)},L.unmount=function(e){mn&&mn(e);var t,o,n=e.__c;n&&n.__H&&(n.__H.__.some(function(r){try{if(r.__P&&r.__c){if(o===void 0){for(o=e.__;o&&(!o.__c||!o.__c.__P);)o=o.__;o=o&&o.__c}r.__P=o,$n(ro.push(r))}else Ge(r)}catch(a){t=a}}),n.__H=void 0,t&&L.__e(t,n.__v))};var pn=typeof requestAnimationFrame=="function";function Oa(e){var t,o=function(){clearTimeout(n),pn&&cancelAnimationFrame(t),setTimeout(e)},n=setTimeout(o,35);pn&&(t=requestAnimationFrame(o))}function $n(e){e!=1&&an==L.requestAnimationFrame||((an=L.requestAnimationFrame)||Oa)(Ea)}function Ge(e){var t=H,o=e.__c;typeof o=="function"&&(e.__c=void 0,o()),H=t}function so(e){var t=H;e.__c=e.__(),H=t}function ao(e,t){return!e||e.length!=t.length||t.some(function(o,n){return!no(o,e[n])})}function _n(e,t){return typeof t=="function"?t(e):t}var s=sn.bind(Yo);var io=new Set;function lo(){return[...io].flatMap(e=>e.current)}function Q(e){let t=w(e);t.current=e,xe(()=>(io.add(t),()=>{io.delete(t)}),[])}function Aa(e){let t=`${e.ctrlKey||e.metaKey?"mod+":""}${e.key}`,n=(e.target instanceof HTMLElement?e.target:null)?.matches("input:not([type=checkbox], [type=radio], [type=range]), textarea, select");if(e.defaultPrevented||e.altKey||n&&t.length===1||document.querySelector("dialog[open]"))return;let r=lo().findLast(a=>a.keys===t);r!==void 0&&(e.preventDefault(),r.run())}addEventListener("keydown",Aa);var Ra=/Mac|iP/.test(navigator.platform);function oe(e){return e.replace("mod+",Ra?"⌘ ":"Ctrl ").replace("Enter","⏎").replace("Escape","Esc")}var _e=new URL("../../",import.meta.url),ge=document.querySelector('meta[name="flexchat-stage"]')?.getAttribute("content")??"",Je=[{name:"tools-testing",title:"Test"},{name:"chat",title:"Chat"},{name:"validation",title:"Validation"},{name:"retrieval",title:"Retrieval"},{name:"configuration",title:"Configuration"}],co="flexchat:place";function Oe(){let e=location.pathname.slice(_e.pathname.length).replace(/\/$/,"");return{view:Je.find(o=>o.name===e)?.name??"tools-testing",params:Object.fromEntries(new URLSearchParams(location.search))}}function uo(e,t={}){let o=new URL(e,_e);for(let[n,r]of Object.entries(t))r!==""&&o.searchParams.set(n,r);return o.href}function F(e,t={},{replace:o=!1}={}){let n=uo(e,t);n!==location.href&&history[o?"replaceState":"pushState"](null,"",n),dispatchEvent(new Event(co))}function gn(){let[e,t]=$(Oe);return b(()=>{let o=()=>t(Oe());return addEventListener("popstate",o),addEventListener(co,o),()=>{removeEventListener("popstate",o),removeEventListener(co,o)}},[]),e}var bn="flexchat.theme",yn=matchMedia("(prefers-color-scheme: dark)");function mo(){let e=localStorage.getItem(bn);return e==="light"||e==="dark"?e:yn.matches?"dark":"light"}function wn(e){localStorage.setItem(bn,e),$t()}function $t(){document.documentElement.dataset.theme=mo()}yn.addEventListener("change",$t);var fo="flexchat.token",po="flexchat:token",ht=sessionStorage.getItem(fo)??"";function Ae(){return ht}function Te(e,{keep:t=!1}={}){ht=e,t&&e?sessionStorage.setItem(fo,e):sessionStorage.removeItem(fo),dispatchEvent(new Event(po))}function B(){let[e,t]=$(ht);return b(()=>{let o=()=>t(ht);return addEventListener(po,o),()=>removeEventListener(po,o)},[]),e}function Re({title:e,open:t,onClose:o,children:n}){let r=w(null),a=Y();return b(()=>{let l=r.current;t&&!l?.open&&l?.showModal(),!t&&l?.open&&l.close()},[t]),s`
    <dialog ref=${r} aria-labelledby=${a} onCancel=${l=>{l.preventDefault(),o?.()}}>
      <div class="dialog-head">
        <h2 id=${a}>${e}</h2>
        ${o&&s`<button type="button" class="quiet" aria-label="Close" onClick=${o}>✕</button>`}
      </div>
      ${t&&n}
    </dialog>
  `}var K=class extends Error{constructor(t,o,{status:n=0,code:r="",requestId:a="",details:i=[],retryAfter:l=0}={}){super(o),this.kind=t,this.status=n,this.code=r,this.requestId=a,this.details=i,this.retryAfter=l}};async function R(e,{method:t="GET",body:o,query:n={},headers:r={},signal:a}={}){let i=new URL(e,_e);for(let[d,u]of Object.entries(n))u!==void 0&&u!==""&&i.searchParams.set(d,String(u));let l={Accept:"application/json"};Ae()&&(l.Authorization=`Bearer ${Ae()}`),o!==void 0&&(l["Content-Type"]="application/json"),Object.assign(l,r);let c=await Ma(i,{method:t,headers:l,cache:"no-store",credentials:"omit",...o===void 0?{}:{body:JSON.stringify(o)},...a===void 0?{}:{signal:a}});if(!c.ok)throw await Na(c);return c.status===204?void 0:await c.json()}async function Ma(e,t){try{return await fetch(e,t)}catch(o){throw o instanceof DOMException&&o.name==="AbortError"?o:new K("offline","No answer came. Check the network and that the stack runs, then try again.")}}async function Na(e){let t=await e.json().catch(()=>({})),o=Ia(e);return new K(o,t.message??`The service answered ${e.status} without saying why.`,{status:e.status,code:t.error??"",requestId:t.request_id??e.headers.get("x-amzn-requestid")??"",details:t.details??[],retryAfter:Number(e.headers.get("retry-after"))||0})}function Ia({status:e,headers:t}){return e===401?"token":e===403?t.has("x-amzn-errortype")?"token":"forbidden":e<500?"refused":"failed"}var ee=encodeURIComponent,W=e=>e===void 0?{}:{signal:e},v={tools:e=>R("api/tools/list",W(e)),toolsFor:(e,t)=>R("api/tools/list",{headers:{Authorization:`Bearer ${e}`},...W(t)}),models:e=>R("api/models/list",W(e)),testTools:(e,t)=>R("api/tools/test",{method:"POST",body:e,...W(t)}),chat:(e,t)=>R("api/chat",{method:"POST",body:e,...W(t)}),startChat:(e,t)=>R("api/chat",{method:"POST",body:e,headers:{Prefer:"respond-async"},...W(t)}),run:(e,t)=>R(`api/runs/${ee(e)}`,W(t)),cancelRun:e=>R(`api/runs/${ee(e)}`,{method:"DELETE"}),sessions:({limit:e,cursor:t,signal:o}={})=>R("api/sessions",{query:{limit:e,cursor:t},...W(o)}),session:(e,t)=>R(`api/sessions/${ee(e)}`,W(t)),renameSession:(e,t)=>R(`api/sessions/${ee(e)}`,{method:"PATCH",body:{title:t}}),deleteSession:e=>R(`api/sessions/${ee(e)}`,{method:"DELETE"}),messages:(e,{limit:t,cursor:o,fromTurn:n,signal:r}={})=>R(`api/sessions/${ee(e)}/messages`,{query:{limit:t,cursor:o,from_turn:n},...W(r)}),collections:e=>R("api/collections",W(e)),search:(e,t,o)=>R(`api/collections/${ee(e)}/query`,{method:"POST",body:t,...W(o)}),changeCollection:(e,t)=>R(`api/collections/${ee(e)}`,{method:"PATCH",body:t}),statuses:e=>R("api/tools/validate",W(e)),history:(e,{limit:t,cursor:o,signal:n}={})=>R("api/tools/validate",{query:{model:e,limit:t,cursor:o},...W(n)}),validationRuns:({limit:e,cursor:t,signal:o}={})=>R("api/validation/runs",{query:{limit:e,cursor:t},...W(o)}),validationRun:(e,{limit:t,cursor:o,signal:n}={})=>R(`api/validation/runs/${ee(e)}`,{query:{limit:t,cursor:o},...W(n)}),startValidation:e=>R("api/tools/validate",{method:"POST",body:e}),stopValidation:e=>R(`api/validation/runs/${ee(e)}`,{method:"DELETE"}),resumeValidation:e=>R(`api/validation/runs/${ee(e)}/resume`,{method:"POST"}),suites:e=>R("api/validation/suites",W(e)),suite:(e,t)=>R(`api/validation/suites/${ee(e)}`,W(t)),putSuite:(e,t)=>R(`api/validation/suites/${ee(e)}`,{method:"PUT",body:t}),configuration:e=>R("api/config",W(e)),matchRule:(e,t)=>R("api/config/match",{method:"POST",body:{profile:e},...W(t)}),health:e=>R("health",W(e))};var Pa=3e4;function kn({place:e,onToken:t,onHelp:o}){let n=B();return s`
    <header class="frame">
      <a class="brand" href=${_e.href} onClick=${r=>vn(r,"tools-testing")}>
        Flexchat ${ge&&s`<small>stage ${ge}</small>`}
      </a>
      <nav aria-label="Views">
        ${Je.map(({name:r,title:a})=>s`
            <a
              href=${uo(r)}
              aria-current=${r===e.view?"page":void 0}
              onClick=${i=>vn(i,r)}
              >${a}</a
            >
          `)}
      </nav>
      <div class="frame-state">
        <${qa} />
        <button type="button" class="quiet" onClick=${t}>${n?"token":"no token"} ▾</button>
        <${Da} />
        <button type="button" class="quiet" aria-label="List the keys" title="List the keys (?)" onClick=${o}>?</button>
      </div>
    </header>
  `}function vn(e,t){e.metaKey||e.ctrlKey||e.shiftKey||e.button!==0||(e.preventDefault(),F(t))}function Da(){let[e,t]=$(mo),o=e==="dark"?"light":"dark",n=()=>{wn(o),t(o)},r=`Change to the ${o} theme`;return s`<button type="button" class="quiet" aria-label=${r} title=${r} onClick=${n}>◐</button>`}function qa(){let[e,t]=$("unknown");b(()=>{let r=()=>{document.hidden||v.health().then(()=>t("healthy"),()=>t("unreachable"))};r();let a=setInterval(r,Pa);return document.addEventListener("visibilitychange",r),()=>{clearInterval(a),document.removeEventListener("visibilitychange",r)}},[]);let o={unknown:"○",healthy:"●",unreachable:"▲"}[e],n={unknown:"plain",healthy:"good",unreachable:"bad"}[e];return s`<span class="health" data-tone=${n} role="status">
    <span aria-hidden="true">${o}</span> ${e==="unknown"?"asking":e}
  </span>`}function se(e,t=[]){let o=B(),n=w(e);n.current=e;let r=JSON.stringify(t),[a,i]=$(0),[l,c]=$({data:void 0,error:void 0,loading:!0});return b(()=>{if(o==="")return;let d=new AbortController;return c(u=>({...u,loading:!0})),n.current(d.signal).then(u=>!d.signal.aborted&&c({data:u,error:void 0,loading:!1}),u=>!d.signal.aborted&&c(f=>({...f,error:_t(u),loading:!1}))),()=>d.abort()},[r,o,a]),{...l,reload:E(()=>i(d=>d+1),[])}}function P(){let e=w(void 0),[t,o]=$({busy:!1,since:0,error:void 0,cancelled:!1});b(()=>()=>e.current?.abort(),[]);let n=E(async i=>{e.current?.abort();let l=new AbortController;e.current=l,o({busy:!0,since:performance.now(),error:void 0,cancelled:!1});let c;try{await i(l.signal)}catch(d){l.signal.aborted||(c=_t(d))}e.current===l&&o(d=>({...d,busy:!1,error:c,cancelled:l.signal.aborted}))},[]),r=E(()=>e.current?.abort(),[]),a=E(()=>o(i=>({...i,error:void 0,cancelled:!1})),[]);return{...t,run:n,cancel:r,clear:a}}function _t(e){return e instanceof K?e:(reportError(e),new K("failed",`The page made a mistake: ${e instanceof Error?e.message:String(e)}`))}var La=new Intl.NumberFormat("en-GB"),Ha=new Intl.NumberFormat("en-GB",{maximumSignificantDigits:2}),Fa=new Intl.DateTimeFormat("en-GB",{dateStyle:"medium",timeStyle:"medium"}),xn=new Intl.RelativeTimeFormat("en-GB",{numeric:"auto"}),Wa=[["day",86400],["hour",3600],["minute",60]];function C(e){return La.format(e)}function _(e,t,o=`${t}s`){return`${C(e)} ${e===1?t:o}`}function A(e){if(e<999.5)return`${Math.round(e)} ms`;if(e<59950)return`${(e/1e3).toFixed(e<1e4?2:1)} s`;let t=Math.round(e/1e3);return`${Math.floor(t/60)} min ${t%60} s`}function Me(e){return`${Math.round(e*100)} %`}function ne(e){return`$${e>=1?e.toFixed(2):Ha.format(e)}`}function Tn(e){return e<1e3?`${e} B`:e<999500?`${Math.round(e/1e3)} kB`:`${(e/1e6).toFixed(1)} MB`}function ae(e){return e.toFixed(3)}function ze(e){return Fa.format(new Date(e))}function Sn(e,t=Date.now()){let o=(new Date(e).getTime()-t)/1e3;for(let[n,r]of Wa)if(Math.abs(o)>=r)return xn.format(Math.round(o/r),n);return Math.abs(o)<10?"just now":xn.format(Math.round(o),"second")}var Ba=200;function O({what:e,since:t}){let[o,n]=$(performance.now());return b(()=>{let r=setInterval(()=>n(performance.now()),Ba);return()=>clearInterval(r)},[]),s`<span class="busy">
    <span class="spinner" aria-hidden="true"></span>
    <span role="status">${e}</span>
    <span class="number" aria-hidden="true">${A(Math.max(0,o-t))}</span>
  </span>`}function q({lines:e=3,what:t}){return s`<div class="skeleton" role="status" aria-label=${`Loading ${t}`}>
    ${Array.from({length:e},()=>s`<span></span>`)}
  </div>`}function ue({title:e,children:t}){return s`<div class="empty"><h2>${e}</h2>${t}</div>`}function Cn({open:e,needed:t,onClose:o}){let[n,r]=$(""),[a,i]=$(!1),l=P(),c=u=>{u.preventDefault();let f=n.trim();f===""||l.busy||l.run(async p=>{await v.toolsFor(f,p),Te(f,{keep:a}),r(""),o()})},d=()=>{Te(""),r("")};return s`
    <${Re} title="API token" open=${e} onClose=${t?void 0:o}>
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
          <input type="checkbox" checked=${a} onChange=${()=>i(!a)} />
          Keep it until this tab is closed (else a reload asks again)
        </label>
        ${l.error&&s`<p id="token-problem" class="problem-text" role="alert">${Va(l.error)}</p>`}
        <div class="row">
          <button type="submit" class="primary" disabled=${l.busy}>Use this token</button>
          ${!t&&s`<button type="button" onClick=${d}>Forget the one in use</button>`}
          ${l.busy&&s`<${O} what="asking whether it is admitted" since=${l.since} />`}
        </div>
      </form>
    <//>
  `}function Va(e){return e.kind==="token"?`The service does not admit this token: ${e.message}.`:e.message}function D({summary:e,open:t=!1,children:o}){let[n,r]=$(t);return s`
    <details class="fold" open=${n} onToggle=${a=>r(a.currentTarget.open)}>
      <summary>${e}</summary>
      ${n&&s`<div class="fold-body">${o}</div>`}
    </details>
  `}function ie({title:e,choose:t,children:o}){return s`
    <h1 class="hidden">${e}</h1>
    <div class="split">
      <section class="choose" aria-label="What you choose">${t}</section>
      <section class="happened" aria-label="What happened">${o}</section>
    </div>
  `}var ja=2e3;function X({text:e,label:t}){let[o,n]=$("");return b(()=>{if(o==="")return;let a=setTimeout(()=>n(""),ja);return()=>clearTimeout(a)},[o]),s`<button type="button" class="quiet" onClick=${()=>navigator.clipboard.writeText(typeof e=="string"?e:e()).then(()=>n("copied ✓"),()=>n("the browser refused"))}>
    ${t}<span role="status">${o&&s` · ${o}`}</span>
  </button>`}var Ga={offline:"The service cannot be reached",token:"The token is not admitted",forbidden:"This token may not do that",refused:"The request was refused",failed:"The service failed"};function T({error:e,onRetry:t,retry:o="Try again"}){return s`
    <div class="problem" role="alert">
      <h3><span aria-hidden="true">✕</span> ${Ga[e.kind]}</h3>
      <p>${e.message}</p>
      ${e.retryAfter>0&&s`<p>The service asks to wait ${e.retryAfter} s.</p>`}
      ${e.details.length>0&&s`<ul>${e.details.map(({path:n,message:r})=>s`<li><code>${n}</code> ${r}</li>`)}</ul>`}
      <div class="row">
        ${e.kind==="token"&&s`<button type="button" onClick=${()=>Te("")}>Enter another token</button>`}
        ${t&&e.kind!=="token"&&s`<button type="button" onClick=${t}>${o}</button>`}
        ${e.requestId&&s`<small>request <code>${e.requestId}</code></small>
            <${X} text=${e.requestId} label="Copy the request id" />`}
      </div>
    </div>
  `}function En({draft:e,busy:t,waits:o,since:n,hint:r,field:a,onWrite:i,onSend:l,onCancel:c}){return s`
    <form class="chat-composer" onSubmit=${u=>{u.preventDefault(),l()}}>
      <label>
        <span class="hidden">Message</span>
        <textarea
          ref=${a}
          rows="2"
          placeholder="Message"
          value=${e}
          onInput=${u=>i(u.currentTarget.value)}
        ></textarea>
      </label>
      <div class="row">
        <button type="submit" class="primary" disabled=${t||r!==""||e.trim()===""}>
          Send <span aria-hidden="true">${oe("mod+Enter")}</span>
        </button>
        ${t&&s`<button type="button" onClick=${c}>
            Cancel <span aria-hidden="true">${oe("Escape")}</span>
          </button>`}
        ${o&&s`<${O} what=${o} since=${n} />`}
        ${r&&s`<span class="problem-text">✕ ${r}</span>`}
      </div>
    </form>
  `}var An={background:!1,explain:!1,seconds:"",intent:"",service:"",collections:[]},On={background:900,waiting:28};function gt({background:e}){return e?On.background:On.waiting}function bt(e){if(e.seconds.trim()==="")return"";let t=Number(e.seconds);return t>=1&&t<=gt(e)?"":`From 1 to ${gt(e)} seconds${e.background?"":"; up to 900 in the background"}.`}function Rn(e,t,o){let n=Object.fromEntries(Object.entries({intent:o.intent.trim(),service:o.service.trim()}).filter(([,r])=>r));return{message:e,session_id:t,...o.collections.length>0&&{selected_collections:[...o.collections]},...Object.keys(n).length>0&&{profile:n},...Nn(o)}}function Mn(e,t,o){return{resume_token:e,session_id:t,...Nn(o)}}function Nn(e){let t=e.seconds.trim();return{...t!==""&&{deadline_ms:Math.round(Number(t)*1e3)},...e.explain&&{explain:!0}}}function In(e){return[e.background,e.explain,e.seconds.trim(),e.intent.trim(),e.service.trim()].filter(Boolean).length}var Ua={good:"✓",warn:"!",bad:"✕",plain:"·"};function k({tone:e,sign:t=Ua[e],children:o,title:n}){return s`<span class="outcome" data-tone=${e} title=${n}>
    <span aria-hidden="true">${t}</span> ${o}
  </span>`}function Z({children:e}){return s`<span class="tag">${e}</span>`}function V({at:e}){return s`<time datetime=${e} title=${ze(e)}>${Sn(e)}</time>`}function de(e){return`${Me(e.rate)} (${Math.round(e.low*100)}–${Math.round(e.high*100)})`}function yt({rate:e}){let t={left:`${e.low*100}%`,width:`${Math.max(1,(e.high-e.low)*100)}%`};return s`<span class="rate" title=${`${e.successes} of ${e.tests} tests; 95 % interval`}>
    <span class="number">${de(e)}</span>
    <span class="interval" aria-hidden="true"><span style=${t}></span><i style=${{left:`${e.rate*100}%`}}></i></span>
  </span>`}function Ne({validation:e}){let{badge:t,rate:o}=e;return t?s`<span class="badge" title=${t.tooltip}>
    <span aria-hidden="true">${t.symbol}</span> ${t.text}${o&&s` <span class="number">${de(o)}</span>`}
  </span>`:s`<${k} tone="plain">no tools<//>`}var Ka=200;function wt(e){return e.title||"Untitled"}function Pn({session:e,open:t,onOpen:o,onRename:n,onDelete:r}){let[a,i]=$(""),l=P(),c=wt(e),d=()=>{i(""),l.clear()},u=m=>{l.run(async()=>{await m(),d()})},f=m=>u(()=>n(e.id,m)),p=()=>u(()=>r(e.id));return s`
    <li class="chat-session" data-open=${t}>
      ${a==="renames"?s`<${za} title=${c} busy=${l.busy} onKeep=${d} onRename=${f} />`:s`<${Ja} session=${e} open=${t} onOpen=${o} onDo=${i} />`}
      ${a==="deletes"&&s`<${Ya} title=${c} busy=${l.busy} onKeep=${d} onDelete=${p} />`}
      ${l.error&&s`<${T} error=${l.error} />`}
    </li>
  `}function Ja({session:e,open:t,onOpen:o,onDo:n}){let r=wt(e);return s`
    <div class="chat-session-row">
      <button type="button" class="quiet" aria-current=${t?"true":void 0} onClick=${()=>o(e.id)}>
        <span class="chat-title">${r}</span>
        <small><${V} at=${e.updated_at} /> · ${_(e.turns,"turn")}</small>
      </button>
      <button type="button" class="quiet" aria-label=${`Rename ${r}`} onClick=${()=>n("renames")}>✎</button>
      <button type="button" class="quiet" aria-label=${`Delete ${r}`} onClick=${()=>n("deletes")}>✕</button>
    </div>
  `}function za({title:e,busy:t,onKeep:o,onRename:n}){let r=w(null);return b(()=>r.current?.select(),[]),s`
    <form class="stack" onSubmit=${i=>{i.preventDefault();let l=r.current?.value.trim();l&&n(l)}} onKeyDown=${i=>Dn(i,o)}>
      <label class="field">
        Title
        <input ref=${r} defaultValue=${e} maxlength=${Ka} required />
      </label>
      <div class="row">
        <button type="submit" disabled=${t}>Rename</button>
        <button type="button" onClick=${o}>Keep it</button>
      </div>
    </form>
  `}function Ya({title:e,busy:t,onKeep:o,onDelete:n}){let r=w(null);return b(()=>r.current?.focus(),[]),s`
    <div
      class="notice stack"
      role="group"
      aria-label=${`Delete ${e}`}
      onKeyDown=${a=>Dn(a,o)}
    >
      <p>! Delete this session with all its messages? They cannot be brought back.</p>
      <div class="row">
        <button type="button" disabled=${t} onClick=${n}>Delete</button>
        <button type="button" ref=${r} onClick=${o}>Keep it</button>
      </div>
    </div>
  `}function Dn(e,t){e.key==="Escape"&&(e.preventDefault(),t())}var Xa=new Set(["tool_not_found","tool_not_allowed","tool_disabled","invalid_arguments","malformed_arguments","repeated_call","too_many_calls","rate_limited","previous_call_unfinished","deadline"]),Qa={stop:{tone:"good",word:"answered",reason:""},tool_calls:{tone:"good",word:"calls tools",reason:""},length:{tone:"warn",word:"cut off",reason:"The answer was cut off: the model's limit of tokens was reached."},content_filter:{tone:"warn",word:"filtered",reason:"The provider's filter stopped the answer."},refusal:{tone:"warn",word:"refused",reason:"The model refused to answer."}},Za={topic:"topic",search:"search",intent:"intent",model:"model",tool:"tool"};function Se(e,t){let o=[...t],n=e.steps.map((r,a)=>{let i=r.step==="tool"?o.findIndex(l=>ei(l,r)):-1;return qn(a,r,i<0?void 0:o.splice(i,1)[0])});for(let[r,a]of o.entries()){let i=n.findLastIndex(l=>ti(l)<=a.iteration);n.splice(i+1,0,qn(e.steps.length+r,void 0,a))}return n}function ei(e,t){return e.call_id===t.call_id&&e.iteration===t.iteration}function ti({step:e,call:t}){return e?.iteration??t?.iteration??0}function qn(e,t,o){let n=t?.step??"tool",r=J(t?.name??o?.tool??"",128),a=n==="tool"||n==="search";return{index:e,step:t,call:o,name:a?r:`${Za[n]}${n==="model"?` ${t?.iteration}`:""}`,detail:a?"":r,nested:n==="tool",told:Ce(t,o)}}function Ce(e,t){if(t!==void 0)return oi(t);if(e?.error)return{tone:"bad",word:"failed",reason:`The model failed: ${G(e.error)}.`};let o=Qa[e?.finish_reason??""];return o!==void 0?o:e?.ok?{tone:"good",word:"done",reason:""}:{tone:"bad",word:"failed",reason:"It failed."}}function $o({result:e}){return!("error"in e)||!Xa.has(e.error_type)}function oi(e){let{result:t}=e;return"error"in t?{tone:"bad",word:$o(e)?"failed":"not run",reason:J(`${G(t.error_type)}: ${t.error}`,240)}:{tone:"good",word:"done",reason:""}}function G(e){return e.replaceAll("_"," ")}function J(e,t){return e.length>t?`${e.slice(0,t)}…`:e}function Ln(e){let t=Math.max(1,e.total_ms,...e.steps.map(n=>n.start_ms+n.duration_ms)),o=ni(t);return{length:t,step:o,ticks:Array.from({length:Math.floor(t/o)+1},(n,r)=>r*o)}}function ni(e){for(let t=1;;t*=10)for(let o of[1,2,5])if(e/(o*t)<6)return o*t}function Hn(e,t){return{left:e.start_ms/t*100,width:e.duration_ms/t*100}}function Fn(e,t){return e===0?"0":t>=100&&e>=1e3?`${e/1e3} s`:`${e} ms`}function Wn(e,t,o){return Se(e,t).find(n=>n.index===o)}function vt({label:e,tabs:t,chosen:o,onChoose:n}){let r=Y(),[a,i]=$(t[0]?.name??""),l=o??a,c=Math.max(0,t.findIndex(f=>f.name===l)),d=f=>{i(f),n?.(f)};return s`
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
  `}var ri=2e4,si=10;function Ee(e){return typeof e=="string"?e:JSON.stringify(e,null,2)??""}function U({value:e,label:t}){let[o,n]=$(1),r=j(()=>Ee(e),[e]),a=r.slice(0,ri*o),i=r.length-a.length;return s`
    <div class="value">
      <pre tabindex="0" role="region" aria-label=${t}>${a}</pre>
      <div class="row">
        <${X} text=${r} label="Copy" />
        ${i>0&&s`<button type="button" class="quiet" onClick=${()=>n(o*si)}>
            Show more (${C(i)} characters are left out)
          </button>`}
      </div>
    </div>
  `}var ai=128;function Ye({step:e,call:t}){let o=Ce(e,t),n=J(e?.name??t?.tool??"",ai);return s`
    <section class="wf-details" aria-label=${`Details of ${n}`}>
      <div class="row">
        <h3 class="mono">${n}</h3>
        <${k} tone=${o.tone}>${o.word}<//>
      </div>
      <${vt} label=${`What is known of ${n}`} tabs=${ii(e,t)} />
    </section>
  `}function ii(e,t){let o=`${e?.start_ms} ${e?.name} ${t?.iteration} ${t?.call_id}`,n={name:"timing",content:()=>s`<${ci} step=${e} call=${t} />`},r={name:"raw",content:()=>s`<${U} key=${o} value=${{...e&&{step:e},...t&&{call:t}}} label="Raw" />`};return t===void 0?[n,r]:[{name:"arguments",content:()=>s`<${U} key=${o} value=${t.params} label="Arguments" />`},{name:"result",content:()=>s`<${li} key=${o} result=${t.result} />`},n,r]}function li({result:e}){return"error"in e?s`<div class="stack">
      <p>${G(e.error_type)}</p>
      <${U} value=${e.error} label="Error" />
      ${e.validation_errors&&s`<${U} value=${e.validation_errors} label="What is wrong with the arguments" />`}
    </div>`:s`<div class="stack">
    ${e.truncated&&s`<p class="notice">! The result was larger: this is the part that the answer keeps.</p>`}
    <${U} value=${e.result} label="Result" />
  </div>`}function ci({step:e,call:t}){let o=[...ui(e),...di(e,t)];return s`<dl class="wf-facts">
    ${o.map(([n,r])=>s`
        <dt>${n}</dt>
        <dd>${r}</dd>
      `)}
  </dl>`}function ui(e){return e===void 0?[["Iteration","it did not begin"]]:[["Iteration",e.iteration===0?"before the first":String(e.iteration)],["Began after",A(e.start_ms)],["Took",A(e.duration_ms)],["Ended after",A(e.start_ms+e.duration_ms)],...kt("Tokens",e.total_tokens&&C(e.total_tokens)),...kt("Finish reason",e.finish_reason),...kt("Error",e.error&&G(e.error))]}function di(e,t){return t===void 0?[]:[...e===void 0?kt("In iteration",String(t.iteration)):[],["Execution time",A(t.result.execution_time_ms)],["Call",t.call_id]]}function kt(e,t){return t?[[e,t]]:[]}function xt({timings:e,calls:t,selected:o,onSelect:n}){let r=Se(e,t),a=Ln(e),i=a.ticks.filter(d=>d/a.length<.9),l=r.findIndex(d=>d.index===o),c=d=>{let u=r[mi(d.key,l,r.length)];u===void 0||d.ctrlKey||d.metaKey||d.altKey||(d.preventDefault(),n(u.index),d.currentTarget.children.item(r.indexOf(u))?.focus())};return s`
    <div class="wf" style=${{"--wf-tick":`${a.step/a.length*100}%`}}>
      <div class="wf-head" aria-hidden="true">
        <span>Step</span>
        <span class="wf-axis">
          ${i.map(d=>s`<span style=${{left:`${d/a.length*100}%`}}>${Fn(d,a.step)}</span>`)}
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
            ><${fi} row=${d} length=${a.length} /></div>
          `)}
      </div>
    </div>
  `}function mi(e,t,o){switch(e){case"ArrowDown":return t+1;case"ArrowUp":return t-1;case"Home":return 0;case"End":return o-1;case"Enter":case" ":return Math.max(0,t);default:return-1}}function fi({row:e,length:t}){let{step:o,told:n}=e;return s`
    <span class="wf-name" title=${e.detail||e.name}>
      ${e.name}${e.detail&&s` <small>${e.detail}</small>`}
    </span>
    <span class="wf-track">${o&&s`<${pi} row=${e} length=${t} step=${o} />`}</span>
    <span class="wf-time number">${o?A(o.duration_ms):"–"}</span>
    <span class="wf-tokens number">
      ${o?.total_tokens?s`${_(o.total_tokens,"token")}`:s`<span aria-hidden="true"></span>`}
    </span>
    <span class="wf-outcome"><${k} tone=${n.tone}>${n.word}<//></span>
    ${n.reason&&s`<span class="wf-reason">${n.reason}</span>`}
  `}function pi({row:e,step:t,length:o}){let{left:n,width:r}=Hn(t,o),a={left:`min(${n}%, 100% - var(--wf-least))`,width:`max(${r}%, var(--wf-least))`};return s`<span class="wf-bar" data-kind=${t.step} data-tone=${e.told.tone} style=${a}></span>`}var Bn=200;function Tt({rules:e}){return s`
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
                  <${k} tone=${t.matched?"good":"plain"}>${t.matched?"answers":"passed over"}<//>
                </td>
                <td><${$i} rule=${t} /></td>
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}function $i({rule:e}){return e.conditions.length===0?e.fallback?"none: it answers when no other rule does":"none":e.conditions.map(({condition:t,expected:o,actual:n,holds:r})=>s`
      <div>
        <${k} tone=${r?"good":"bad"}>${r?"holds":"fails"}<//>
        ${" "}<code>${t}</code> ${Vn(o)}${!r&&s` <small>(is ${Vn(n)})</small>`}
      </div>
    `)}function St({tools:e}){return e.length===0?s`<p>No tools are configured.</p>`:s`
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
                <td><${k} tone=${o?"good":"plain"}>${o?"offered":"not offered"}<//></td>
                <td>${n}</td>
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}function Vn(e){if(e==null)return"nothing";let t=Ee(e);return t.length>Bn?`${t.slice(0,Bn)}…`:t}var hi={match:"good",partial:"warn",none:"plain"};function jn({rag:e}){let{documents:t,skipped:o,result:n}=e,r=s`
    ${_(t.length,"document")} ·
    ${" "}<${k} tone=${hi[n]}>${n==="none"?"no match":n}<//>
    ${o.length>0&&s` · <${k} tone="warn">${_(o.length,"collection")} skipped<//>`}
  `;return s`
    <${D} summary=${r}>
      ${t.length>0&&s`<${_i} documents=${t} />`}
      ${t.length===0&&s`<p>Nothing in the selected collections was near enough.</p>`}
      ${o.map(({collection:a,reason:i})=>s`<p>! <code>${a}</code> was skipped: ${i}</p>`)}
    <//>
  `}function _i({documents:e}){return s`
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
                <td class="number">${ae(t.distance)}</td>
                <td>${t.title}</td>
                <td>${t.source}</td>
                <td>${t.service}/${t.collection}</td>
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}function Gn({explain:e}){return s`
    <dl class="chat-facts">
      <dt>Topic</dt>
      <dd>${e.topic?s`<${gi} topic=${e.topic} />`:"not detected: the phase is off"}</dd>
      <dt>Intent</dt>
      <dd>${e.intent?s`<${bi} intent=${e.intent} />`:"not asked for: the phase is off"}</dd>
      <dt>History</dt>
      <dd>${_(e.history_messages,"message")}</dd>
    </dl>
    <h3>Profile</h3>
    <${U} value=${e.profile} label="Profile" />
    <${Tt} rules=${e.rules} />
    <${St} tools=${e.tools} />
    <h3>System prompt</h3>
    <${U} value=${e.system_prompt} label="System prompt" />
  `}function gi({topic:e}){return s`${G(e.topic_status)}: ${e.topic_summary} <${Un} phase=${e} />`}function bi({intent:e}){return s`
    ${e.intent??"none"} (${G(e.source)})
    ${e.candidates.length>0&&s`<small>of ${e.candidates.join(", ")}</small>`}
    ${" "}<${Un} phase=${e} />
  `}function Un({phase:e}){return s`
    <small>${e.model&&`${e.model}, `}${A(e.duration_ms)}</small>
    ${e.error&&s` <${k} tone="bad">${e.error}<//>`}
  `}var yi=120;function Kn({calls:e,told:t}){let o=e.filter(n=>!n.result.success).length;return s`
    ${e.length>0&&s`<${D}
        summary=${s`
          ${_(e.length,"tool call")}
          ${o>0&&s` · <${k} tone="bad">${o} failed<//>`}
        `}
      >
        ${e.map(n=>s`<${wi} key=${`${n.iteration} ${n.call_id}`} call=${n} />`)}
      <//>`}
    ${t&&s`<${D} summary="Timeline"><${ki} told=${t} /><//>`}
    ${t?.rag&&s`<${jn} rag=${t.rag} />`}
    ${t?.explain&&s`<${D} summary="Why it was answered this way"><${Gn} explain=${t.explain} /><//>`}
  `}function wi({call:e}){let{tone:t,word:o}=Ce(void 0,e),n=s`
    <code>${J(`${e.tool}(${vi(e.params)})`,yi)}</code>
    ${" "}<${k} tone=${t}>${o}<//>
    ${" "}<small class="number">${A(e.result.execution_time_ms)}</small>
  `;return s`<${D} summary=${n}><${Ye} step=${void 0} call=${e} /><//>`}function vi(e){return typeof e=="string"?e:Object.entries(e).map(([t,o])=>`${t}: ${Ee(JSON.stringify(o))}`).join(", ")}function ki({told:e}){let[t,o]=$(-1),n=Se(e.timings,e.tool_calls).find(r=>r.index===t);return s`
    <${xt} timings=${e.timings} calls=${e.tool_calls} selected=${t} onSelect=${o} />
    ${n&&s`<${Ye} key=${t} step=${n.step} call=${n.call} />`}
  `}function Jn({status:e,told:t,spent:o,onResume:n}){let r=t?Si(t):[],a=e==="partial";return r.length===0&&!a?null:s`
    <div class="notice stack">
      ${a&&s`<p><strong>! The answer is partial.</strong> ${Ti(t)}</p>`}
      ${r.map(i=>s`<p>! ${i}</p>`)}
      ${a&&s`<${xi} told=${t} spent=${o} onResume=${n} />`}
    </div>
  `}function xi({told:e,spent:t,onResume:o}){return t?s`<p>What it goes on with was used: it is good for one answer. Send a new message instead.</p>`:e?e.resume_token?s`<div class="row">
    <button type="button" disabled=${!o} onClick=${o}>Go on</button>
    <small>within an hour; tools that have run are not run again</small>
  </div>`:s`<p>It could not be stored to go on from. Send a new message instead.</p>`:s`<p>Only the visit that got it can go on from it. Send a new message instead.</p>`}function Ti(e){if(!e)return"Time or the model gave out before it was done.";let o=e.tool_calls.length>0?" What its tools found so far is below.":"";return e.error?`The model failed (${G(e.error.type)}): ${e.error.message}.${o}`:`Time was up before it was done.${o}`}function Si(e){let{fallback:t,session:o}=e;return[...me(t,()=>`${e.model} answered instead of ${t?.instead_of}: ${G(t?.reason??"")}.`),...me(e.deadline_reached,()=>"Time was short: the model was asked for its answer without more tools."),...me(e.max_iterations_reached,()=>"The limit on turns of tools was reached."),...me(e.max_tool_calls_reached,()=>"The limit on tool calls was reached: no more tools could be called."),...me(e.circular_calls_detected,()=>"The model repeated a call that it had the result of; it was not run again."),...me(e.finish_reason==="length",()=>"The model's limit of tokens cut the answer off."),...me(e.finish_reason==="content_filter",()=>"The provider's filter stopped the answer."),...me(e.finish_reason==="refusal",()=>"The model refused to answer."),...me(o?.saved===!1,()=>`This is not in the session: ${o?.problem??"it could not be written"}.`)]}function me(e,t){return e?[t()]:[]}var Ci=2e4,Ei=10;function zn({turn:e,open:t,spent:o,onResume:n}){let{question:r,at:a,remarks:i,calls:l,answer:c,told:d}=e;return s`
    <article class="chat-turn" aria-label=${e.number?`Turn ${e.number}`:"Turn that is not in the session"}>
      ${r!==void 0&&s`<${_o} text=${r} at=${a} />`}
      <div class="chat-answer">
        ${c&&s`<${Oi} answer=${c} told=${d} />`}
        ${i.map(u=>s`<div class="chat-remark"><${ho} text=${u} /></div>`)}
        ${c&&s`<${ho} text=${c.content||"(an empty answer)"} />`}
        ${!c&&!t&&s`<p><${k} tone="warn">There is no answer to this message, or not yet.<//></p>`}
        <${Jn} status=${c?.status??"complete"} told=${d} spent=${o} onResume=${n} />
        <${Kn} calls=${l} told=${d} />
      </div>
    </article>
  `}function _o({text:e,at:t}){return s`
    <div class="chat-question">
      <div class="row spread">
        <strong>You</strong>
        ${t&&s`<small><${V} at=${t} /></small>`}
      </div>
      <${ho} text=${e} />
    </div>
  `}function Oi({answer:e,told:t}){let o=t?.usage.cost_usd;return s`
    <div class="row chat-head">
      <strong>${e.model}</strong>
      ${e.status==="complete"?s`<${k} tone="good">complete<//>`:s`<${k} tone="warn">partial<//>`}
      <${Z}>service ${e.service}<//>
      ${e.rule&&s`<${Z}>rule ${e.rule}<//>`}
      <small>
        <${V} at=${e.at} />
        ${t&&` · ${A(t.timings.total_ms)} · ${_(t.usage.total_tokens,"token")}`}
        ${typeof o=="number"&&` · ${ne(o)}`}
      </small>
    </div>
  `}function ho({text:e}){let[t,o]=$(1),n=e.slice(0,Ci*t),r=e.length-n.length;return s`
    <div class="chat-prose">${n}</div>
    ${r>0&&s`<button type="button" class="quiet" onClick=${()=>o(t*Ei)}>
        Show more (${C(r)} characters are left out)
      </button>`}
  `}var Ai=160;function Yn(e,t,o){let n=w(null),r=w({session:"",first:"",end:""}),a=document.documentElement,i=t[0]?.key??"",l=`${t.length} ${t.at(-1)?.key} ${o}`,{current:c}=r,u=c.session===e&&c.first!==i&&t.some(({key:m})=>m===c.first)?n.current?.firstElementChild:void 0,f=u?.getBoundingClientRect().top??0,p=a.scrollHeight-a.scrollTop-a.clientHeight<Ai;return xe(()=>{t.length!==0&&(r.current={session:e,first:i,end:l},u?a.scrollTop+=u.getBoundingClientRect().top-f:(c.session!==e||p&&c.end!==l)&&(a.scrollTop=a.scrollHeight))}),n}function Xn({session:e,turns:t,from:o,busy:n,used:r,earlier:a,onResume:i,children:l}){let c=Yn(e,t,n),d=w(i);d.current=i;let u=j(()=>{let f=t.at(-1);return t.map(p=>{let{told:m}=p;return s`
        <${zn}
          key=${p.key}
          turn=${p}
          open=${n&&p===f}
          spent=${r.includes(m?.resume_token??"")}
          onResume=${m&&p===f&&!n?()=>d.current(m):void 0}
        />
      `})},[t,n,r]);return s`
    ${o>1&&s`<div class="row">
        <button type="button" disabled=${a.busy} onClick=${a.show}>Show earlier messages</button>
        ${a.busy&&s`<${O} what="reading earlier messages" since=${a.since} />`}
      </div>`}
    ${a.error&&s`<${T} error=${a.error} onRetry=${a.show} />`}
    <div class="chat-turns" ref=${c}>
      ${u} ${l}
    </div>
  `}function Qn(e,t){let o=[...Mi(e).values()].map(i=>Ni(i,t)),n=new Set(o.map(i=>i.answer?.requestId)),r=t.findLastIndex(({answer:i})=>n.has(i.request_id));return t.filter(({answer:i},l)=>!n.has(i.request_id)&&(l>r||i.session?.saved===!1)).reduce(Ri,o)}function Ri(e,t){let o=e.at(-1),n=o!==void 0&&!o.answer&&(t.question===""||t.question===o.question),r=e.find(d=>t.replaces&&d.answer?.requestId===t.replaces)??(n&&o),a=Pi(t);if(!r)return[...e,a];let{number:i,question:l,at:c}=r;return e.map(d=>d===r?{...a,number:i,question:l,at:c}:d)}function Mi(e){let t=new Map;for(let o of e){let n=t.get(o.turn);n?n.push(o):t.set(o.turn,[o])}return t}function Ni(e,t){let o=e.find(i=>i.role==="user"),n=e.find(i=>i.role==="assistant"&&i.service),r=e.filter(i=>i!==o&&i!==n),a=n&&Ii(n);return{key:a?.requestId||`turn ${e[0]?.turn}`,number:e[0]?.turn,question:o?.content,at:e[0]?.at??"",remarks:r.map(i=>i.content).filter(i=>i.trim()!==""),calls:e.flatMap(i=>i.tool_calls),answer:a,told:t.find(i=>i.answer.request_id===a?.requestId)?.answer}}function Ii(e){return{content:e.content,at:e.at,model:e.model??"",service:e.service??"",rule:e.rule??"",status:e.status??"complete",requestId:e.request_id??""}}function Pi({question:e,at:t,answer:o}){return{key:o.request_id,number:void 0,question:e||void 0,at:t,remarks:[],calls:o.tool_calls,answer:{content:o.content,at:t,model:o.model,service:o.service,rule:o.rule??"",status:o.status,requestId:o.request_id},told:o}}function Zn(e,t,o){return[...e.filter(n=>n.turn<o),...t]}var Di=3e3,qi=31e3;function er({run:e}){let t=w(performance.now()),o=e&&performance.now()-(Date.now()-new Date(e.created_at).getTime()),n=e?Se({total_ms:0,steps:e.steps},[]):[];return s`
    <section class="chat-run stack" aria-label="Answer in the background">
      <${O} what=${Li(e)} since=${o===void 0?t.current:Math.min(o,performance.now())} />
      ${n.length>0&&s`<ol>
          ${n.map(r=>s`
              <li key=${r.index}>
                ${r.name} ${r.detail&&s`<small>${r.detail}</small>`}
                ${" "}<${k} tone=${r.told.tone}>${r.told.word}<//>
                ${r.step&&s` <small class="number">${A(r.step.duration_ms)}</small>`}
                ${r.told.reason&&s` <small>${r.told.reason}</small>`}
              </li>
            `)}
        </ol>`}
      <small>It goes on when this page is closed; its address brings it back, for a day.</small>
    </section>
  `}function Li(e){return e===void 0?"asking how far the answer is":e.status==="queued"?"waiting for its turn in the background":"being answered in the background"}function tr({open:e,onLook:t}){return b(()=>{if(!e)return;let o=setInterval(()=>!document.hidden&&t(),Di),n=setTimeout(()=>clearInterval(o),qi);return()=>{clearInterval(o),clearTimeout(n)}},[e,t]),s`
    <div class="notice stack" role="status">
      <p>
        ! You stopped waiting; the service may still finish this answer, within half a minute, and keep it in the
        session.${e?" Until then the session takes no other message.":" Above is what the session has by now."}
      </p>
      ${e&&s`<div class="row"><button type="button" onClick=${t}>Look again</button></div>`}
    </div>
  `}function or({id:e,chat:t,conversation:o,options:n,onBegin:r}){let a=w(null),{task:i}=t,l=t.sent?.session===e?t.sent:void 0,c=bt(n),d=()=>{!t.busy&&c===""&&t.draft.trim()!==""&&t.send()};return Q([{keys:"/",label:"write a message",run:()=>a.current?.focus()},{keys:"mod+Enter",label:"send it",run:d},{keys:"Escape",label:"cancel what is being answered",run:()=>t.busy&&t.cancel()}]),s`
    <div class="chat">
      <${Vi} conversation=${o} />
      ${o.loading&&!(t.waiting&&l)&&s`<${q} lines=${8} what="the messages" />`}
      ${i.error?.kind!=="offline"&&s`<${Hi} conversation=${o} onBegin=${r} />`}
      ${e===""&&s`<${ji} />`}
      <${Fi} id=${e} chat=${t} own=${l} conversation=${o} />
      <p class="hidden" role="status">${Ui(t)}</p>
      <${En}
        draft=${t.draft}
        busy=${t.busy}
        waits=${i.busy?Gi(l):""}
        since=${i.since}
        hint=${c}
        field=${a}
        onWrite=${t.write}
        onSend=${d}
        onCancel=${t.cancel}
      />
    </div>
  `}function Hi({conversation:e,onBegin:t}){let{error:o,reload:n}=e;return o?nr(e)?s`<${T} error=${o} onRetry=${t} retry="Begin a new chat" />`:s`<${T} error=${o} onRetry=${n} />`:null}function nr(e){return e.error?.status===404}function Fi({id:e,chat:t,own:o,conversation:n}){let{task:r,followed:a}=t,{messages:i}=n,l=nr(n),c=j(()=>{let p=t.told.filter(m=>m.session===e);return l?[]:Qn(i,p)},[i,t.told,e,l]),d=c.at(-1),u=a.active||r.busy&&o!==void 0,f=u&&t.waiting?Wi(o,d):"";return s`
    <${Xn}
      session=${e}
      turns=${c}
      from=${l?1:n.from}
      busy=${u}
      used=${t.used}
      earlier=${n.earlier}
      onResume=${t.resume}
    >
      ${f&&s`<${_o} text=${f} at=${void 0} />`}
      ${a.active&&s`<${er} run=${a.run} />`}
    <//>
    <${Bi}
      chat=${t}
      own=${o!==void 0}
      open=${d?.answer===void 0}
      onLook=${n.reload}
    />
  `}function Wi(e,t){return t!==void 0&&t.answer===void 0&&t.question===e?.question?"":e?.question}function Bi({chat:e,own:t,open:o,onLook:n}){let{task:r,followed:a}=e,i=(t?r.error:void 0)??a.error;return s`
    ${r.cancelled&&t&&s`<${tr} open=${o} onLook=${n} />`}
    ${a.run?.status==="cancelled"&&s`<p class="notice">! This answer was cancelled; what it had is discarded.</p>`}
    ${i&&s`<${T} error=${i} onRetry=${a.active?a.retry:void 0} />`}
  `}function Vi({conversation:e}){let{session:t}=e;return t?s`
    <div>
      <h2>${wt(t)}</h2>
      <small>${t.topic&&s`Topic: ${t.topic} · `}${_(t.turns,"turn")}</small>
    </div>
  `:s`<h2>${e.id?"Chat":"New chat"}</h2>`}function ji(){return s`
    <${ue} title="Talk to the service as an application does">
      <p>
        It remembers the conversation, chooses model and prompt by its rules, and calls tools. Under each answer stands
        who gave it and how it came about.
      </p>
      <p>Write a message below to begin a session, such as <q>What is 15% of 45?</q></p>
    <//>
  `}function Gi(e){return e===void 0?"waiting for the answer in another session":e.background?"handing the message over":"waiting for the answer"}function Ui({told:e,busy:t}){let o=e.at(-1)?.answer;if(t||!o)return"";let n=_(o.tool_calls.length,"tool call");return`${o.model} answered in ${A(o.timings.total_ms)}, ${n}`}var Xe=new Map;function go(e,t){let[o,n]=$(0),r=se(()=>Ki(e,t),[o]);b(()=>{r.error!==void 0&&Xe.delete(e)},[r.error,e]);let a=E(()=>{Xe.delete(e),n(l=>l+1)},[e]),i=E(l=>{Xe.set(e,{token:Ae(),promise:Promise.resolve(l)}),n(c=>c+1)},[e]);return{...r,reload:a,put:i}}function Ki(e,t){let o=Ae(),n=Xe.get(e);if(n?.token===o)return n.promise;let r=t();return Xe.set(e,{token:o,promise:r}),r}var Ct=()=>go("tools",()=>v.tools()),Ie=()=>go("models",()=>v.models()),Et=()=>go("collections",()=>v.collections());function sr({options:e,onChange:t}){let o=n=>()=>t({[n]:!e[n]});return s`
    <label class="check">
      <input type="checkbox" checked=${e.background} onChange=${o("background")} />
      Answer in the background, for up to 15 minutes
    </label>
    <label class="check">
      <input type="checkbox" checked=${e.explain} onChange=${o("explain")} />
      <span>Explain the answer <small>(for tokens with the role operator)</small></span>
    </label>
    <${Ji} options=${e} onChange=${t} />
    <${D} summary="More">
      <${rr} label="Intent" name="intent" options=${e} onChange=${t} />
      <${rr} label="Service" name="service" options=${e} onChange=${t} />
      <small>Fields of the profile that response rules match on.</small>
    <//>
  `}function Ji({options:e,onChange:t}){let o=Y(),n=bt(e);return s`
    <label class="field">
      Deadline in seconds
      <input
        type="number"
        inputmode="decimal"
        min="1"
        max=${gt(e)}
        step="any"
        placeholder=${e.background?"600":"28"}
        aria-invalid=${n?"true":void 0}
        aria-describedby=${n?o:void 0}
        value=${e.seconds}
        onInput=${r=>t({seconds:r.currentTarget.value})}
      />
    </label>
    ${n&&s`<p id=${o} class="problem-text" role="alert">✕ ${n}</p>`}
  `}function rr({label:e,name:t,options:o,onChange:n}){return s`
    <label class="field">
      ${e}
      <input
        value=${o[t]}
        spellcheck=${!1}
        autocomplete="off"
        onInput=${r=>n({[t]:r.currentTarget.value})}
      />
    </label>
  `}function ar({options:e,onChange:t}){let{data:o,error:n,loading:r,reload:a}=Et(),i=l=>e.collections.includes(l)?e.collections.filter(c=>c!==l):[...e.collections,l];return n?s`<${T} error=${n} onRetry=${a} />`:!o&&r?s`<${q} lines=${2} what="the collections" />`:o?.collections.length?s`
    <fieldset class="chat-collections">
      <legend>Search first in</legend>
      ${o.collections.map(({name:l,metadata:c,documents:d})=>s`
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
  `:s`<small>There is no collection. The view Retrieval says how to fill one.</small>`}function ir({sessions:e,open:t,onOpen:o,onDeleted:n}){let r=w(null),a=async i=>{await e.remove(i),r.current?.focus(),n(i)};return s`
    <div class="chat-sessions" tabindex="-1" ref=${r} role="region" aria-label="Sessions">
      ${e.error&&s`<${T} error=${e.error} onRetry=${e.reload} />`}
      ${!e.sessions&&e.loading&&s`<${q} lines=${4} what="your sessions" />`}
      ${e.sessions?.length===0&&s`<small>None yet: a session begins with its first message.</small>`}
      ${e.sessions&&e.sessions.length>0&&s`<ul>
          ${e.sessions.map(i=>s`
              <${Pn}
                key=${i.id}
                session=${i}
                open=${i.id===t}
                onOpen=${o}
                onRename=${e.rename}
                onDelete=${a}
              />
            `)}
        </ul>`}
      ${e.more&&s`<${zi} loading=${e.loading} onMore=${e.showMore} />`}
    </div>
  `}function zi({loading:e,onMore:t}){let o=w(0);return s`<div class="row">
    <button type="button" class="quiet" disabled=${e} onClick=${()=>{o.current=performance.now(),t()}}>Show more</button>
    ${e&&o.current>0&&s`<${O} what="asking for more sessions" since=${o.current} />`}
  </div>`}var bo={draft:"",sent:void 0,waiting:!1,used:[],told:[]};function lr(e,t,o){let{sent:n}=e,r=n?.session===t&&e.waiting?n:void 0,a=e.told.find(c=>c.answer.request_id===r?.replaces),i=e.told.filter(c=>c!==a&&c.answer.request_id!==o.request_id),l=a?.question??r?.question??"";return{...e,waiting:r?!1:e.waiting,used:r?.token?[...e.used,r.token]:e.used,told:[...i,{session:t,question:l,at:new Date().toISOString(),replaces:r?.replaces??"",answer:o}]}}function Ot(e){if(!e.waiting)return e;let t=[e.sent?.question,e.draft].filter(Boolean).join(`

`);return{...e,waiting:!1,draft:t}}function cr(e,t){return t?{...e,used:[...e.used,t]}:e}var Yi=500,Xi=2e3,Qi=1.4;function At({status:e}){return e==="queued"||e==="running"}function Zi(e){if(!e?.error)return;let{error:t,message:o,request_id:n,details:r}=e.error;return new K("failed",o,{code:t,requestId:n,details:r??[]})}function ur(e){let t=B(),[o,n]=$({id:e,run:void 0,error:void 0}),[r,a]=$(0);b(()=>{if(e==="")return;let u=new AbortController;return n(f=>f.id===e?{...f,error:void 0}:{id:e,run:void 0,error:void 0}),el(e,u.signal,f=>n(p=>({...p,error:void 0,...f}))),()=>u.abort()},[e,t,r]);let i=E(async()=>{try{let u=await v.cancelRun(e);n(f=>f.id===e?{...f,run:u}:f)}catch(u){if(!(u instanceof K))throw u;n(f=>f.id===e?{...f,error:u}:f)}},[e]),l=o.id===e?o:{id:e,run:void 0,error:void 0},{run:c}=l,d=l.error?.status===404||c!==void 0&&!At(c);return{...l,error:l.error??Zi(c),active:e!==""&&!d,cancel:i,retry:E(()=>a(u=>u+1),[])}}async function el(e,t,o){for(let n=Yi;;n=Math.min(Xi,n*Qi)){if(await ol(t),t.aborted)return;let r=await tl(e,t,o);if(t.aborted||!r)return;await nl(n,t)}}async function tl(e,t,o){try{let n=await v.run(e,t);return o({run:n}),At(n)}catch(n){if(t.aborted)return!1;if(!(n instanceof K))throw n;return o({error:n}),n.kind==="offline"||n.kind==="failed"}}function ol(e){return new Promise(t=>{if(!document.hidden||e.aborted)return t();document.addEventListener("visibilitychange",()=>t(),{once:!0,signal:e}),e.addEventListener("abort",()=>t(),{once:!0})})}function nl(e,t){return new Promise(o=>{let n=setTimeout(o,e);t.addEventListener("abort",()=>(clearTimeout(n),o()),{once:!0})})}var rl=12,sl="resume_token_in_use";function dr(e,t,o){let n=B(),[r,a]=$(bo);b(()=>a(({draft:h})=>({...bo,draft:h})),[n]);let i=P(),l=ur(t),c=w(new Set),d=E((h,y)=>{a(g=>lr(g,h,y))},[]),{run:u}=l;b(()=>{u===void 0||At(u)||(u.answer?d(e,u.answer):a(h=>h.sent?.session===e?Ot(h):h))},[u,e,d]);let f=(h,y)=>{c.current.add(h.session),a(g=>({...g,sent:h,waiting:!0,draft:h.question?"":g.draft})),F("chat",{session:h.session},{replace:e!==""}),i.run(async g=>{try{if(h.background){let{id:x}=await v.startChat(y,g);Oe().params.session===h.session&&F("chat",{session:h.session,run:x},{replace:!0})}else d(h.session,await v.chat(y,g))}catch(x){throw a(S=>al(x)?cr(Ot(S),h.token):Ot(S)),x}})},p=()=>{let h=e||il(),y=r.draft.trim(),{background:g}=o;f({session:h,question:y,background:g,replaces:"",token:""},Rn(y,h,o))},m=({request_id:h,resume_token:y})=>{if(!y)return;let{background:g}=o;f({session:e,question:"",background:g,replaces:h,token:y},Mn(y,e,o))};return{...r,task:i,followed:l,busy:i.busy||l.active,fresh:c.current.has(e)||t!=="",found:E(h=>{c.current.delete(h)},[]),write:E(h=>a(y=>({...y,draft:h})),[]),send:p,resume:m,cancel:()=>i.busy?i.cancel():void l.cancel()}}function al(e){return e instanceof K&&e.kind==="refused"&&e.code!==sl}function il(){let e=crypto.getRandomValues(new Uint8Array(rl));return Array.from(e,t=>t.toString(16).padStart(2,"0")).join("")}var mr=40,ll=100,yo=e=>({id:e,session:void 0,messages:[],from:1});function fr(e,{held:t,running:o,fresh:n}){let r=B(),[a,i]=$(()=>yo(e)),l=a.id===e?a:yo(e),c=w(l);c.current=l;let d=w(n);d.current=n;let u=P(),f=P(),{run:p,cancel:m}=u,h=E(()=>p(async x=>{e!==""&&i(await cl(e,c.current,{fresh:d.current,signal:x}))}),[p,e]);b(()=>(t||h(),m),[h,m,t,o,r]);let y=f.run,g=E(()=>y(async x=>{let{from:S}=c.current,M=Math.max(1,S-mr),N=await pr(e,M,S,x);i(z=>z.id===e?{...z,messages:[...N,...z.messages],from:M}:z)}),[y,e]);return{...l,loading:e!==""&&u.busy&&l.session===void 0,error:u.error,reload:h,earlier:{busy:f.busy,since:f.since,error:f.error,show:g}}}async function cl(e,t,{fresh:o,signal:n}){let r=await ul(e,o&&t.session===void 0,n);if(r===void 0)return yo(e);let a=Math.max(1,r.turns-mr+1),i=t.session?.created_at===r.created_at,l=i?Math.min(a,t.messages.at(-1)?.turn??a):a,c=await pr(e,l,1/0,n);return{id:e,session:r,messages:i?Zn(t.messages,c,l):c,from:i?Math.min(t.from,l):l}}async function ul(e,t,o){try{return await v.session(e,o)}catch(n){if(t&&n instanceof K&&n.status===404)return;throw n}}async function pr(e,t,o,n){let r=[],a;do{let i=await v.messages(e,{limit:ll,cursor:a,fromTurn:t,signal:n});r.push(...i.messages),a=i.cursor??void 0}while(a!==void 0&&(r.at(-1)?.turn??0)<o);return r.filter(i=>i.turn<o)}function $r(e,{known:t,deleted:o,whole:n}){let r=e.at(-1),a=new Map(e.map(i=>[i.id,i]));for(let i of t.values()){let l=a.get(i.id);(l?i.updated_at>=l.updated_at:n||!r||i.updated_at>r.updated_at)&&a.set(i.id,i)}return[...a.values()].filter(i=>!o.has(i.id)).sort((i,l)=>+(i.updated_at<l.updated_at)-+(i.updated_at>l.updated_at))}var dl=20,hr=()=>({known:new Map,deleted:new Set,pages:1});function _r(){let e=B(),[t,o]=$(hr);b(()=>o(hr),[e]);let n=se(u=>ml(t.pages,u),[t.pages]),r=E(u=>{o(f=>({...f,known:new Map(f.known).set(u.id,u)}))},[]),a=E(async(u,f)=>r(await v.renameSession(u,f)),[r]),i=E(async u=>{await v.deleteSession(u),o(f=>({...f,deleted:new Set(f.deleted).add(u)}))},[]),l=E(()=>o(u=>({...u,pages:u.pages+1})),[]),{data:c}=n,d=j(()=>c&&$r(c.sessions,{...t,whole:!c.cursor}),[c,t]);return{...n,sessions:d,more:!!c?.cursor,showMore:l,learn:r,rename:a,remove:i}}async function ml(e,t){let o=[],n;for(let r=0;r<e;r+=1){let a=await v.sessions({limit:dl,cursor:n,signal:t});if(o.push(...a.sessions),n=a.cursor??void 0,n===void 0)break}return{sessions:o,cursor:n}}var wo=matchMedia("(width >= 800px)");function gr({place:e}){let{session:t="",run:o=""}=e.params,[n,r]=$(An),a=_r(),i=dr(t,o,n),l=fr(t,{held:i.busy&&i.waiting&&i.sent?.session===t,running:i.followed.active,fresh:i.fresh}),{learn:c}=a,{found:d}=i;b(()=>{l.session&&(c(l.session),d(l.session.id))},[l.session,c,d]);let u=E(y=>r(g=>({...g,...y})),[]),f=()=>F("chat"),p=In(n),m=n.collections.length,h=s`
    <button type="button" onClick=${f}>New chat</button>
    <${D} open=${wo.matches} summary=${s`<h2>Sessions</h2>`}>
      <${ir}
        sessions=${a}
        open=${t}
        onOpen=${y=>y!==t&&F("chat",{session:y})}
        onDeleted=${y=>y===t&&f()}
      />
    <//>
    <${D}
      open=${wo.matches}
      summary=${s`<h2>Collections</h2>${m>0&&s` <small>${m} chosen</small>`}`}
    >
      <${ar} options=${n} onChange=${u} />
    <//>
    <${D}
      open=${wo.matches}
      summary=${s`<h2>Options</h2>${p>0&&s` <small>${p} chosen</small>`}`}
    >
      <${sr} options=${n} onChange=${u} />
    <//>
  `;return s`
    <${ie} title="Chat" choose=${h}>
      <${or} id=${t} chat=${i} conversation=${l} options=${n} onBegin=${f} />
    <//>
  `}var fl={tone:"good",word:"live"},br={tone:"plain",word:"switched off"},Rt={tone:"bad",word:"not used"},pl={tone:"warn",word:"has a problem"};function vo({disabled:e,tools:t,tool_settings:{disabled_types:o}}){let n=new Set(e.map(({kind:a,name:i})=>`${a} ${i}`)),r=new Set(t.filter(({enabled:a,type:i})=>a===!1||i&&o.includes(i)).map(({name:a})=>a));return(a,{name:i,problems:l})=>a==="tool"&&r.has(i)?br:n.has(`${a} ${i}`)?Rt:l.length>0?pl:fl}function yr(e){let t=vo(e),{rules:o,tools:n,llms:r,services:a,phases:i,validation:l}=e,d=[["rule",o],["tool",n],["llm",r],["service",a],["phase",Object.entries(i).map(([f,p])=>({name:f,problems:p?.problems??[]}))],["schedule",[{name:"validation",problems:l.problems}]]].flatMap(([f,p])=>p.filter(({problems:m})=>m.length>0).map(m=>({kind:f,name:m.name,problems:m.problems,state:t(f,m)}))),u=new Set(d.map(({kind:f,name:p})=>`${f} ${p}`));for(let{kind:f,name:p,problems:m}of e.disabled)u.has(`${f} ${p}`)||d.push({kind:f,name:p,problems:m,state:Rt});return d.filter(({state:f})=>f!==br).sort((f,p)=>+(p.state===Rt)-+(f.state===Rt))}function ko(e,t){let o=e.filter(({kind:n})=>t.includes(n)).length;return o>0?` ! ${o}`:""}function wr(e){return Object.entries(e).map(([t,o])=>{let n=typeof o=="string"?o:JSON.stringify(o);return t.endsWith("_regexp")?{field:t.slice(0,-7),relation:"matches",value:n}:t.endsWith("_contains")?{field:t.slice(0,-9),relation:"contains",value:n}:t==="rag_results"&&o==="any"?{field:t,relation:"is",value:"match or partial"}:{field:t,relation:"is",value:n}})}var $l=200;function Mt({tool:e}){let t=s`
    <span class="tool-head">
      <strong class="mono">${e.name}</strong>
      <${Z}>${Ee(e.implementation.type)}<//>
    </span>
    <span class="tool-line">${J(e.description,$l)}</span>
  `;return s`<li class="tool-card">
    <${D} summary=${t}>
      <p><${k} tone="good">enabled<//></p>
      <${U} value=${e.description} label=${`Description of ${e.name}`} />
      <${U} value=${e.parameters} label=${`Parameters of ${e.name}`} />
    <//>
  </li>`}function Nt({tool:e}){return s`<li class="tool-card tool-disabled">
    <span class="tool-head">
      <strong class="mono">${e.name}</strong>
      <${k} tone="warn">disabled<//>
    </span>
    <ul>${e.problems.map(t=>s`<li>${t}</li>`)}</ul>
  </li>`}var vr=`flexchat tokens create --stage ${ge} --name "an operator" --role operator`;function kr(){return s`
    <div class="notice stack" role="status">
      <h2>! This token may not see the configuration</h2>
      <p>Rules, services and settings are for tokens with the role <strong>operator</strong>. Whoever deploys makes one:</p>
      <p><code>${vr}</code></p>
      <div class="row">
        <${X} text=${vr} label="Copy the command" />
        <button type="button" onClick=${()=>Te("")}>Enter another token</button>
      </div>
    </div>
  `}function xr(){return s`
    <section class="stack" aria-label="Tools"><h2>Tools</h2><${hl} /></section>
    <section class="stack" aria-label="Models"><h2>Models</h2><${_l} /></section>
  `}function hl(){let{data:e,error:t,reload:o}=Ct(),n=e?.disabled.filter(({kind:r})=>r==="tool")??[];return t?s`<${T} error=${t} onRetry=${o} />`:e?e.tools.length+n.length===0?s`<p>No tool is configured: the models answer without.</p>`:s`
    <ul class="tool-cards">
      ${n.map(r=>s`<${Nt} key=${`off ${r.name}`} tool=${r} />`)}
      ${e.tools.map(r=>s`<${Mt} key=${r.name} tool=${r} />`)}
    </ul>
  `:s`<${q} lines=${6} what="the tools" />`}function _l(){let{data:e,error:t,reload:o}=Ie(),[n]=$(()=>performance.now());return t?s`<${T} error=${t} onRetry=${o} />`:e?s`
    ${e.errors.map(({llm:r,error:a})=>s`<p>! <code>${r}</code> could not be asked: ${a}</p>`)}
    ${e.models.length===0?s`<p>No model is known.</p>`:s`<${gl} models=${e.models} />`}
  `:s`<p><${O} what="asking the providers for their models" since=${n} /></p>`}function gl({models:e}){return s`
    <div class="scroll" tabindex="0" role="region" aria-label="Models">
      <table>
        <caption>Models that may be asked</caption>
        <thead>
          <tr><th scope="col">Model</th><th scope="col">Provider</th><th scope="col">With tools</th><th scope="col">Last tested</th></tr>
        </thead>
        <tbody>
          ${e.map(({id:t,provider:o,validation:n})=>s`
              <tr>
                <th scope="row" class="mono">${t}</th>
                <td><${Z}>${o}<//></td>
                <td><${Ne} validation=${n} /></td>
                <td>${n.last_tested?s`<${V} at=${n.last_tested} />`:"never"}</td>
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}var To="conf-intent";function Tr({draft:e,problem:t,busy:o,intents:n,services:r,onDraft:a,onRun:i,onCancel:l}){let c=Y(),d=f=>{f.preventDefault(),i()},u=f=>p=>a({[f]:p.currentTarget.value});return s`
    <form class="stack" onSubmit=${d}>
      <h2>Which rule would answer?</h2>
      <p>Write what a chat would know. What you leave out is as in a chat that found nothing. No model is asked.</p>
      <${xo} id=${To} label="Intent" value=${e.intent} known=${n} onInput=${u("intent")} />
      <${xo} label="Service" value=${e.service} known=${r} onInput=${u("service")} />
      <${xo} label="Topic" value=${e.topic} known=${[]} onInput=${u("topic")} />
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
        <button type="submit" class="primary" disabled=${o}>Try the rules <small class="conf-keys">${oe("mod+Enter")}</small></button>
        ${o&&s`<button type="button" onClick=${l}>Cancel</button>`}
      </div>
    </form>
  `}function xo({id:e,label:t,value:o,known:n,onInput:r}){let a=Y();return s`
    <label class="field">
      ${t}
      <input id=${e} value=${o} list=${a} spellcheck=${!1} autocomplete="off" onInput=${r} />
    </label>
    <datalist id=${a}>${n.map(i=>s`<option value=${i}></option>`)}</datalist>
  `}var Sr="flexchat config check";function Cr({configuration:e,faulty:t,loading:o,onReload:n}){let{stage:r,version:a,revision:i,changed_at:l,read_at:c}=e;return s`
    <section class="stack" aria-label="What is live">
      <div class="row spread">
        <h2>What is live</h2>
        <button type="button" class="quiet" disabled=${o} onClick=${n}>Read it again</button>
      </div>
      <p role="status">
        ${t.length===0?s`<${k} tone="good">Everything that is configured can be used.<//>`:s`<${k} tone="bad">${_(t.length,"problem")}<//>`}
      </p>
      <dl class="conf-facts">
        <dt>Stage</dt>
        <dd>${r}</dd>
        <dt>Version</dt>
        <dd><code>${a}</code>${typeof i=="number"&&`, revision ${i}`}</dd>
        ${l&&s`<dt>Changed</dt><dd><${V} at=${l} /> <small>${ze(l)}</small></dd>`}
        ${c&&s`<dt>Read</dt><dd><${V} at=${c} /> <small>${ze(c)}</small></dd>`}
      </dl>
      ${t.length>0&&s`<${bl} faulty=${t} />`}
    </section>
  `}function bl({faulty:e}){return s`
    <ul class="conf-problems" aria-label="Problems">
      ${e.map(({kind:t,name:o,problems:n,state:r})=>s`
          <li data-tone=${r.tone}>
            <span class="row"><${Z}>${t}<//> <strong>${o}</strong> <${k} tone=${r.tone}>${r.word}<//></span>
            <ul>${n.map(a=>s`<li>${a}</li>`)}</ul>
          </li>
        `)}
    </ul>
    <p>
      Correct the file and push it again; <code>${Sr}</code> tells what is wrong with a file.
      <${X} text=${Sr} label="Copy the command" />
    </p>
  `}var yl=300;function Er({match:{busy:e,since:t,error:o,cancelled:n,asked:r,matched:a,match:i},onClose:l}){return s`
    <section class="conf-match stack" aria-label="The rule for this profile">
      <div class="row spread">
        <h2>The rule for this profile</h2>
        <button type="button" class="quiet" onClick=${l}>Close</button>
      </div>
      <p><code>${J(r,yl)}</code></p>
      ${e&&s`<p><${O} what="trying the rules" since=${t} /></p>`}
      ${o&&s`<${T} error=${o} onRetry=${i} />`}
      ${n&&s`<div class="notice stack" role="status">
          <p>! Cancelled.</p>
          <div class="row"><button type="button" onClick=${i}>Try the rules again</button></div>
        </div>`}
      <div role="status">${a&&s`<${wl} answer=${a.answer} />`}</div>
      ${a&&s`<${vl} key=${a.asked} answer=${a.answer} />`}
    </section>
  `}function wl({answer:{rule:e,llm:t,model:o,fallback:n,problem:r}}){return s`
    ${e&&s`<p class="conf-verdict">
        <${k} tone=${r?"warn":"good"}>Rule <strong>${e}</strong> ${r?"matches":"answers"}<//>, by <code>${t}:${o}</code>
      </p>`}
    ${n&&s`<p><${k} tone="warn">instead of<//> <code>${n.instead_of}</code>: ${n.reason}</p>`}
    ${r&&s`<p><${k} tone="bad">A chat would fail:<//> ${r}</p>`}
  `}function vl({answer:{rule:e,rules:t,tools:o}}){let n=o.filter(r=>r.offered).length;return s`
    <${Tt} rules=${t} />
    ${e&&s`<${D} open summary=${`${n} of ${o.length} tools would be offered`}>
        <${St} tools=${o} />
      <//>`}
  `}var kl=["intent","service","topic","rag_results"];function Qe({intent:e="",service:t="",topic:o="",rag_results:n="",more:r=""}){return{intent:e,service:t,topic:o,rag_results:n,more:r}}function Or(e){return e.tried==="yes"}function So(e,t){return{...e,...Qe({...t}),tried:t===void 0?"":"yes"}}function Co(e){let{fields:t,problem:o}=xl(e.more);if(t===void 0)return{profile:void 0,problem:o};let n={...t};for(let r of kl){let a=e[r].trim();if(a!==""){if(r in t)return{profile:void 0,problem:`“${r}” stands above as well: write it once.`};n[r]=a}}return{profile:n,problem:""}}function xl(e){if(e.trim()==="")return{fields:{},problem:""};let t;try{t=JSON.parse(e)}catch(o){return{fields:void 0,problem:`This is not JSON yet: ${o instanceof Error?o.message:o}`}}return typeof t!="object"||t===null||Array.isArray(t)?{fields:void 0,problem:'An object of fields is wanted, such as {"plan": "free"}.'}:{fields:t,problem:""}}function Pe({caption:e,none:t,entries:o,columns:n,stateOf:r}){return o.length===0?s`<p>${t}</p>`:s`
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
          ${o.map(a=>s`<${Tl} key=${a.name} entry=${a} columns=${n} state=${r(a)} />`)}
        </tbody>
      </table>
    </div>
  `}function Tl({entry:e,columns:t,state:o}){return s`
    <tr>
      <th scope="row">${e.name}</th>
      <td>
        <${k} tone=${o.tone}>${o.word}<//>
        ${e.problems.map(n=>s`<small class="conf-why">${n}</small>`)}
      </td>
      ${t.map(({number:n,cell:r})=>s`<td class=${n&&"number"}>${r(e)}</td>`)}
    </tr>
  `}function re({names:e,none:t=""}){return e.length===0?t:s`<span class="conf-names">${e.map(o=>s`<code>${o}</code>`)}</span>`}function It(e){return typeof e!="boolean"?"":e?"yes":"no"}function Eo(e){return typeof e=="number"?ae(e):""}var Ar={caption:"Tools",none:"No tool is configured: the models answer without.",columns:[{title:"Type",cell:e=>e.type},{title:"Timeout",number:!0,cell:e=>e.timeout_ms?A(e.timeout_ms):""},{title:"Idempotent",cell:e=>It(e.idempotent)},{title:"Repeatable",cell:e=>It(e.repeatable)},{title:"Sequential",cell:e=>It(e.sequential)}]},Rr={caption:"LLMs",none:"No LLM is configured: no chat can be answered.",columns:[{title:"Type",cell:e=>e.type},{title:"Where",cell:e=>e.host??e.region??(e.type?"the provider’s own address":"")},{title:"Key",cell:e=>It(e.has_key)},{title:"Models",cell:e=>s`<${re} names=${e.models} none=${e.type?"as the provider lists them":""} />`},{title:"Fallbacks",cell:e=>s`<${re} names=${e.fallbacks} none=${e.type?"none":""} />`}]},Mr={caption:"Services, which are searched",none:"No service is configured: nothing is searched before a model is asked.",columns:[{title:"Type",cell:e=>e.type},{title:"Where",cell:e=>e.host??e.region??(e.type==="internal"?"this stack":"")},{title:"Collections",cell:e=>s`<${re} names=${e.collections} none=${e.type==="internal"?"all that are stored":""} />`},{title:"Match",number:!0,cell:e=>Eo(e.match_threshold)},{title:"Partial",number:!0,cell:e=>Eo(e.partial_threshold)},{title:"Farthest",number:!0,cell:e=>Eo(e.max_distance)},{title:"Passages",number:!0,cell:e=>e.top_k}]};var Sl=300,Cl=[{title:"Answers when",cell:e=>s`<${El} rule=${e} />`},{title:"Model",cell:e=>s`<${Ol} rule=${e} />`},{title:"Tools",cell:e=>s`<${Al} rule=${e} />`}];function Nr({rules:e,stateOf:t}){return s`<${Pe}
    caption="Rules, in the order in which they are tried"
    none="There is no rule: no chat can be answered."
    entries=${e}
    columns=${Cl}
    stateOf=${t}
  />`}function El({rule:{match:e,fallback:t}}){return t?"no other rule does":wr(e??{}).map(({field:o,relation:n,value:r},a)=>s`
      <div>${a>0&&"and "}<code>${o}</code> ${n} <code>${J(r,Sl)}</code></div>
    `)}function Ol({rule:e}){return e.llm?s`
    <code>${e.llm}:${e.model}</code>
    ${e.fallbacks.length>0&&s`<div><small>then</small> <${re} names=${e.fallbacks} /></div>`}
    ${e.require_validated&&s`<div><small>only while validated</small></div>`}
  `:null}function Al({rule:{llm:e,allowed_tools:t,max_iterations:o,max_tool_calls:n}}){return e?o?s`
    ${t===null?"all":s`<${re} names=${t} none="none" />`}
    <div><small>${_(o,"turn")} and ${_(n??0,"call")} at most</small></div>
  `:"none":null}function Pr({configuration:e}){let{tool_settings:t,phases:o,sessions:n,validation:r,caller_fields:a}=e;return s`
    <div class="conf-settings">
      <${De}
        title="Tools"
        facts=${[["Switched",t.enabled?"on":s`<${k} tone="warn">off: no model is offered any tool<//>`],["Turns of a chat",`${C(t.max_iterations)} unless the rule says otherwise`],["Calls of a turn",`${C(t.max_calls_per_turn)} unless the rule says otherwise`],["Calls of a chat",`${C(t.max_tool_calls)} unless the rule says otherwise`],["Timeout",`${A(t.default_timeout_ms)} unless the tool says otherwise`],["At the same time",_(t.max_parallel,"call")],["Types switched off",s`<${re} names=${t.disabled_types} none="none" />`]]}
      />
      <${De} title="Topic" facts=${Ir(o.topic)} problems=${o.topic?.problems} />
      <${De} title="Intent" facts=${Ir(o.intent)} problems=${o.intent?.problems} />
      <${De}
        title="Profile"
        facts=${[["Callers steer rules by",s`<${re} names=${a} none="no field" />`]]}
      />
      <${De}
        title="Sessions"
        facts=${[["Kept",`${_(n.ttl_days,"day")} after the last message`],["Sent to a model",`${_(n.max_history_tokens,"token")} of history at most`]]}
      />
      <${De} title="Scheduled validation" facts=${Rl(r)} problems=${r.problems} />
    </div>
  `}function Ir(e){return e?e.enabled?[["Detected","yes"],["Model",e.model&&s`<code>${e.model}</code>`],...e.intents.length>0?[["Intents",s`<${re} names=${e.intents} />`]]:[]]:[["Detected","no: switched off"]]:[["Detected","no: it has no section in the configuration"]]}function Rl({models:e,suite:t,repeats:o,stop_early:n,budget:r}){let a=[typeof r.calls=="number"&&_(r.calls,"chat"),typeof r.tokens=="number"&&_(r.tokens,"token"),typeof r.usd=="number"&&ne(r.usd)].filter(Boolean);return[["Models",s`<${re} names=${e} none="none: the schedule validates nothing" />`],["Suite",t],["Repeats",C(o)],["Stops early",n?"yes":"no"],["Budget",a.length>0?a.join(", "):"no limit"]]}function De({title:e,facts:t,problems:o=[]}){return s`
    <section class="stack" aria-label=${e}>
      <h3>${e}</h3>
      ${o.map(n=>s`<p><${k} tone="warn">${n}<//></p>`)}
      <dl class="conf-facts">
        ${t.map(([n,r])=>s`<dt>${n}</dt><dd>${r}</dd>`)}
      </dl>
    </section>
  `}function Dr({configuration:e,faulty:t,chosen:o,onChoose:n}){let{rules:r,tools:a,llms:i,services:l}=e,c=vo(e),d=p=>m=>c(p,m),u=(p,m)=>`${C(p.length)}${ko(t,[m])}`,f=[{name:"Rules",note:u(r,"rule"),content:()=>s`<${Nr} rules=${r} stateOf=${d("rule")} />`},{name:"Tools",note:u(a,"tool"),content:()=>s`<${Pe} ...${Ar} entries=${a} stateOf=${d("tool")} />`},{name:"LLMs",note:u(i,"llm"),content:()=>s`<${Pe} ...${Rr} entries=${i} stateOf=${d("llm")} />`},{name:"Services",note:u(l,"service"),content:()=>s`<${Pe} ...${Mr} entries=${l} stateOf=${d("service")} />`},{name:"Settings",note:ko(t,["phase","schedule"]),content:()=>s`<${Pr} configuration=${e} />`}];return s`<${vt} label="Parts of the configuration" tabs=${f} chosen=${o} onChoose=${n} />`}function qr(e){let t=B(),o=P(),{run:n,cancel:r,clear:a}=o,[i,l]=$(void 0),c=e===void 0?"":JSON.stringify(e),d=E(()=>n(async u=>{let f=await v.matchRule(JSON.parse(c),u);l({asked:c,answer:f})}),[n,c]);return b(()=>{if(c!==""){d();return}r(),a(),l(void 0)},[d,r,a,c,t]),{...o,match:d,asked:c,matched:o.busy||i?.asked===c?i:void 0}}var Lr="Rules";function Hr({place:{params:e}}){let t=se(f=>v.configuration(f)),o=t.error?.kind==="forbidden",[n,r]=Nl(e),{profile:a,problem:i}=Co(n),l=Or(e)&&!o?Co(Qe(e)).profile:void 0,c=qr(l),d=()=>{a===void 0||c.busy||(JSON.stringify(a)===c.asked?c.match():F("configuration",So(e,n)))};if(Q([{keys:"/",label:"write the intent",run:()=>document.getElementById(To)?.focus()},{keys:"mod+Enter",label:"try the rules",run:d},{keys:"Escape",label:"cancel the trial",run:c.cancel}]),o)return s`<${ie} title="Configuration" choose=${s`<${kr} />`}><${xr} /><//>`;let u=s`<${Tr}
    draft=${n}
    problem=${i}
    busy=${c.busy}
    intents=${t.data?.phases.intent?.intents??[]}
    services=${t.data?.services.map(({name:f})=>f)??[]}
    onDraft=${r}
    onRun=${d}
    onCancel=${c.cancel}
  />`;return s`
    <${ie} title="Configuration" choose=${u}>
      ${l&&s`<${Er} match=${c} onClose=${()=>F("configuration",So(e,void 0))} />`}
      ${t.error&&s`<${T} error=${t.error} onRetry=${t.reload} />`}
      ${!t.data&&!t.error&&s`<${q} lines=${8} what="the configuration" />`}
      ${t.data&&s`<${Ml} live=${t} data=${t.data} params=${e} />`}
    <//>
  `}function Ml({live:e,data:t,params:o}){let n=j(()=>yr(t),[t]),r=a=>F("configuration",{...o,tab:a===Lr?"":a},{replace:!0});return s`
    <${Cr} configuration=${t} faulty=${n} loading=${e.loading} onReload=${e.reload} />
    <${Dr} configuration=${t} faulty=${n} chosen=${o.tab||Lr} onChoose=${r} />
  `}function Nl(e){let t=JSON.stringify(Qe(e)),[o,n]=$(()=>Qe(e));return b(()=>n(JSON.parse(t)),[t]),[o,r=>n(a=>({...a,...r}))]}function Fr(e){let t=Et(),o=t.data?.collections,n=e||o?.[0]?.name||"",r=a=>o&&t.put({collections:o.map(i=>i.name===a.name?a:i)});return{loaded:t,chosen:n,collection:o?.find(({name:a})=>a===n),none:o?.length===0,waits:n===""&&t.loading,replace:r}}function qe(e,t){return e===void 0?"none":e<t.match?"match":e<t.partial?"partial":"none"}function et(e){let t=Number(e?.trim()||NaN);return t>=0&&t<=2?t:void 0}function Pt(e,t){return e===void 0||t===void 0?void 0:{match:e,partial:Math.max(e,t)}}function Wr({match:e,partial:t},o,n){return o==="match"?{match:n,partial:Math.max(n,t)}:{match:Math.min(n,e),partial:n}}function Br({match_threshold:e,partial_threshold:t},o){return Pt(e??o?.match,t??o?.partial)}function Vr({metadata:e,calibrated_passages:t}){if(typeof t=="number")return"told from its passages";let o=[e.match_threshold,e.partial_threshold].filter(n=>typeof n=="number");return o.length===2?"set by an operator":o.length===1?"one set by an operator, the other its service's":"its service's, it has none of its own"}function jr(e,{match:t,partial:o}){let n=Math.min(Math.min(...e)-.05,t),r=Math.max(Math.max(...e)+.05,o);return{low:Math.max(0,Ze(Math.floor(Ze(n/.05))*.05)),high:Math.min(2,Ze(Math.ceil(Ze(r/.05))*.05))}}function Gr({low:e,high:t},o){return Math.min(100,Math.max(0,Ze((o-e)/(t-e)*100)))}function Ur(e,{match:t,partial:o}){return JSON.stringify({rag_services:{docs:{type:"internal",collections:[e],match_threshold:t,partial_threshold:o}}},null,2)}function Ze(e){return Math.round(e*1e3)/1e3}var Kr=300;function Jr({loaded:e,chosen:t,onChoose:o}){let{data:n,error:r,reload:a}=e;return r&&!n?s`<${T} error=${r} onRetry=${a} />`:n?n.collections.length===0?s`<p><small>There is no collection to choose.</small></p>`:s`
    <fieldset class="ret-collections">
      <legend>Collection</legend>
      <div class="ret-cards">
        ${n.collections.map(i=>s`
            <${Il}
              key=${i.name}
              collection=${i}
              checked=${i.name===t}
              onChoose=${()=>o(i.name)}
            />
          `)}
      </div>
    </fieldset>
  `:s`<${q} lines=${4} what="the collections" />`}function Il({collection:e,checked:t,onChoose:o}){let{name:n,metadata:r,documents:a,passages:i,bytes:l,updated_at:c}=e,{match_threshold:d,partial_threshold:u,description:f,embedding_model:p}=r;return s`
    <label class="ret-card">
      <input type="radio" name="collection" value=${n} checked=${t} onChange=${o} />
      <span>
        <strong>${(r.display_name||n).slice(0,Kr)}</strong>
        ${r.display_name&&s` <code>${n}</code>`}
        ${f&&s`<small class="ret-line">${f.slice(0,Kr)}</small>`}
        <small class="ret-line">
          ${_(a,"document")} · ${_(i,"passage")} · ${Tn(l)} · <${V} at=${c} />
        </small>
        <small class="ret-line"><${Z}>${p}<//> ${Pl(d,u)}${Vr(e)}</small>
      </span>
    </label>
  `}function Pl(e,t){return typeof e=="number"&&typeof t=="number"?`match < ${ae(e)}, partial < ${ae(t)}: `:"thresholds: "}function zr({collection:e,thresholds:t,onChanged:o}){let n=P(),[r,a]=$(""),{metadata:i,name:l}=e,c=i.match_threshold===t.match&&i.partial_threshold===t.partial,u=(typeof i.match_threshold=="number"||typeof i.partial_threshold=="number")&&typeof e.calibrated_passages!="number",f=(p,m,h)=>{a(""),n.run(async()=>{let y=await v.changeCollection(l,{metadata:{match_threshold:p,partial_threshold:m}});a(`${h} ✓`),o(y,h)})};return s`
    <button type="button" disabled=${c||n.busy} onClick=${()=>f(t.match,t.partial,"kept")}>
      Keep these
    </button>
    ${u&&s`<button type="button" class="quiet" disabled=${n.busy} onClick=${()=>f(null,null,"told again")}>
        Have them told from the passages
      </button>`}
    ${n.busy&&s`<${O} what="changing the collection" since=${n.since} />`}
    <small role="status">${r}</small>
    ${n.error&&s`<${T} error=${n.error} />`}
  `}var Dl=5,Yr=100;function tt(e){let t=Math.floor(Number(e));return t>=1&&t<=Yr?t:Dl}function Xr({draft:e,busy:t,form:o,onDraft:n,onRun:r,onCancel:a}){return s`
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
        <button type="submit" class="primary" disabled=${t}>Search <small class="ret-keys">${oe("mod+Enter")}</small></button>
        ${t&&s`<button type="button" onClick=${a}>Cancel</button>`}
        <label class="check ret-top-k">
          Passages
          <input
            type="number"
            name="top_k"
            required
            min="1"
            max=${Yr}
            value=${e.topK}
            onInput=${l=>n({topK:l.currentTarget.value})}
          />
        </label>
      </div>
    </form>
  `}var ql={match:{tone:"good",sign:"✓"},partial:{tone:"warn",sign:"~"},none:{tone:"plain",sign:"·"}};function ot({name:e}){return s`<${k} ...${ql[e]}>${e}<//>`}var Dt=280,Qr=300;function Zr({hit:e}){let[t,o]=$(!1),n=e.title.slice(0,Qr);return s`
    <div class="ret-passage">
      <strong>${n}</strong>
      <code>${e.source.slice(0,Qr)}</code>
      ${t?s`<${U} value=${e.text} label=${`Text of ${n}`} />`:s`<p>${Ll(e.text)}</p>`}
      <button type="button" class="quiet" aria-expanded=${t} onClick=${()=>o(!t)}>
        ${t?"Fold the text":"Show the text as it is"}
      </button>
    </div>
  `}function Ll(e){let t=e.slice(0,2*Dt).replace(/\s+/g," ").trim();return t.length>Dt||e.length>2*Dt?`${t.slice(0,Dt)} …`:t}function es({hits:e,thresholds:t,scale:o}){return s`
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
        ${e.map((n,r)=>{let a=qe(n.distance,t);return s`
            <tr key=${n.id} data-class=${a}>
              <td class="number ret-rank">${r+1}</td>
              <td class="number">
                ${ae(n.distance)}
                <${Hl} distance=${n.distance} thresholds=${t} scale=${o} />
              </td>
              <td><${ot} name=${a} /></td>
              <td><${Zr} hit=${n} /></td>
            </tr>
          `})}
      </tbody>
    </table>
  `}function Hl({distance:e,thresholds:t,scale:o}){let n=r=>`${Gr(o,r)}%`;return s`<span class="ret-bar" aria-hidden="true">
    <span style=${{width:n(e)}}></span>
    <i style=${{left:n(t.match)}}></i>
    <i style=${{left:n(t.partial)}}></i>
  </span>`}var Fl=300,Wl={match:"A chat that selects this collection would answer from these passages and search no further.",partial:"A chat that selects this collection would show these passages to the model, and search the next one too.",none:"A chat that selects this collection would go on as if nothing had been found."};function ts({found:e,thresholds:t,own:o}){let{answer:n,ms:r,question:a}=e,i=n.hits.map(p=>p.distance),l=i.length>0?Math.min(...i):void 0,c=qe(l,t),d=qe(l,o),u=i.map(p=>qe(p,t)),f=p=>`${u.filter(m=>m===p).length} ${p}`;return s`
    <div class="ret-verdict">
      <h2><span role="status"><${ot} name=${c} /></span></h2>
      <p>${Wl[c]}</p>
      ${c!==d&&s`<p>By the collection's own thresholds it is <${ot} name=${d} />.</p>`}
      <small>
        ${_(i.length,"passage")}: ${f("match")}, ${f("partial")}, ${f("none")}${" · "}
        ${l!==void 0&&`nearest ${ae(l)} · `}${A(r)}
      </small>
      <small>asked: “${a.query.slice(0,Fl)}”</small>
    </div>
  `}var Bl=`flexchat collections create handbook --stage ${ge}`,Vl=`flexchat collections add handbook docs/ --stage ${ge}`;function os({none:e,asked:t,waits:o,search:n,judged:r}){let{busy:a,cancelled:i,error:l,found:c,since:d}=n;return e?s`<${jl} />`:s`
    ${a&&s`<${O} what="searching" since=${d} />`}
    ${i&&s`<p role="status">The search was cancelled.</p>`}
    ${l&&s`<${T} error=${l} onRetry=${n.search} />`}
    ${(t&&o||a&&!c)&&s`<${q} lines=${6} what="the passages" />`}
    ${!t&&s`<${Gl} />`}
    ${c&&r&&s`
        <${ts} found=${c} ...${r} />
        ${c.answer.hits.length>0?s`<${es} hits=${c.answer.hits} thresholds=${r.thresholds} scale=${r.scale} />`:s`<p>The collection has no passage for this question, not even a distant one.</p>`}
      `}
  `}function jl(){return s`
    <${ue} title="No collection yet">
      <p>Here one sees how near the passages of a collection are to a question, and moves the thresholds by that.</p>
      <p>Make one, and fill it with files or directories:</p>
      <pre>${Bl} && ${Vl}</pre>
    <//>
  `}function Gl(){return s`
    <${ue} title="How near are the passages?">
      <p>
        Ask what somebody would ask. You see which passages a collection has for it, how far each is, and what a chat would
        make of that; then move the thresholds and see it change.
      </p>
      <p>Write a test query and press Search.</p>
    <//>
  `}function ns({collection:e,query:t,topK:o}){let n=P(),{run:r,cancel:a}=n,[i,l]=$(void 0),c=E(()=>r(async d=>{let u=performance.now(),f=await v.search(e,{query:t,top_k:o},d);l({question:{collection:e,query:t,topK:o},answer:f,ms:performance.now()-u})}),[r,e,t,o]);return b(()=>{e&&t?c():(a(),l(void 0))},[c,a,e,t]),{...n,search:c,found:i?.question.collection===e?i:void 0}}var ss=.001;function as({collection:e,thresholds:t,own:o,scale:n,onMove:r,children:a}){let i=t.match!==o.match||t.partial!==o.partial,l=(c,d)=>r(Wr(t,c,d));return s`
    <fieldset class="ret-thresholds">
      <legend>Thresholds <small>cosine distance, smaller is nearer</small></legend>
      <${rs} name="Match below" value=${t.match} scale=${n} onMove=${c=>l("match",c)} />
      <${rs} name="Partial below" value=${t.partial} scale=${n} onMove=${c=>l("partial",c)} />
      <div class="row">
        <button type="button" disabled=${!i} onClick=${()=>r(void 0)}>Back to the collection's</button>
        ${a}
      </div>
      <div class="row">
        <${X} text=${()=>Ur(e,t)} label="Copy as configuration" />
        <small>of a service: for collections that have no thresholds of their own</small>
      </div>
    </fieldset>
  `}function rs({name:e,value:t,scale:o,onMove:n}){return s`
    <div class="ret-slider">
      <span aria-hidden="true">${e}</span>
      <input
        type="range"
        aria-label=${e}
        min=${o.low}
        max=${o.high}
        step=${ss}
        value=${t}
        onInput=${r=>n(Number(r.currentTarget.value))}
      />
      <${Kl} name=${`${e}, as a number`} value=${t} onCommit=${n} />
    </div>
  `}function Kl({name:e,value:t,onCommit:o}){let[n,r]=$(void 0);return s`
    <input
      type="number"
      aria-label=${e}
      min="0"
      max=${2}
      step=${ss}
      value=${n??t}
      onInput=${i=>r(i.currentTarget.value)}
      onChange=${({currentTarget:i})=>{r(void 0);let l=et(i.value);l!==void 0&&o(l)}}
    />
  `}var Jl=250;function is(e){let t=e.query??"",o=String(tt(e.top_k)),[n,r]=$({query:t,topK:o});return b(()=>r({query:t,topK:o}),[t,o]),[n,a=>r(i=>({...i,...a}))]}function ls(e){let t=et(e.match),o=et(e.partial),[n,r]=$(Pt(t,o)),a=w(e);a.current=e;let i=w(n);return b(()=>{t===i.current?.match&&o===i.current?.partial||(i.current=Pt(t,o),r(i.current))},[t,o]),b(()=>{let c=setTimeout(()=>{i.current=n,F("retrieval",qt(a.current,n),{replace:!0})},Jl);return()=>clearTimeout(c)},[n]),[n,r]}function qt(e,t){return{...e,match:String(t?.match??""),partial:String(t?.partial??"")}}function cs({place:e}){let{params:t}=e,o=t.query??"",n=tt(t.top_k),{loaded:r,chosen:a,collection:i,none:l,waits:c,replace:d}=Fr(t.collection),[u,f]=is(t),[p,m]=ls(t),h=ns({collection:a,query:o,topK:n}),y=w(null),g=zl(i,h.found?.answer,p),x=()=>{let z={...t,collection:a,query:u.query,top_k:u.topK};z.query===o&&tt(z.top_k)===n?h.search():F("retrieval",qt(z,p))},S=z=>{m(void 0),F("retrieval",qt({...t,collection:z},void 0))},M=(z,at)=>{d(z),at!=="kept"&&(m(void 0),h.found&&h.search())};Q([{keys:"/",label:"write the test query",run:()=>y.current?.querySelector("textarea")?.focus()},{keys:"mod+Enter",label:"search",run:()=>y.current?.requestSubmit()},{keys:"Escape",label:"cancel the search",run:h.cancel}]);let N=s`
    <${Jr} loaded=${r} chosen=${a} onChoose=${S} />
    ${!l&&s`<${Xr}
        draft=${u}
        busy=${h.busy}
        form=${y}
        onDraft=${f}
        onRun=${x}
        onCancel=${h.cancel}
      />`}
    ${g&&s`<${as} collection=${a} ...${g} onMove=${m}>
        ${i&&s`<${zr} key=${a} collection=${i} thresholds=${g.thresholds} onChanged=${M} />`}
      <//>`}
  `;return s`
    <${ie} title="Retrieval" choose=${N}>
      <${os} none=${l} asked=${o!==""&&(c||a!=="")} waits=${c} search=${h} judged=${g} />
    <//>
  `}function zl(e,t,o){let n=Br(e?.metadata??{},t?.thresholds);if(n===void 0)return;let r=o??n,a=(t?.hits??[]).map(i=>i.distance);return{own:n,thresholds:r,scale:jr([...a,n.match,n.partial],r)}}function us({models:e,value:t,onChange:o,label:n,id:r,problem:a=""}){let i=Y(),[l,c]=$(void 0),d=l??(e.error!==void 0&&e.data===void 0),u=e.data?.models??[],f={id:r??i,value:t,required:!0,"aria-invalid":a?"true":void 0,"aria-describedby":`${i}-about`,onInput:p=>o(p.currentTarget.value.trim())};return s`
    <div class="model-picker stack">
      <div class="field">
        <div class="row spread">
          <label for=${f.id}>${n}</label>
          <button type="button" class="quiet" onClick=${()=>c(!d)}>
            ${d?"Choose from the list":"Type its id"}
          </button>
        </div>
        ${d?s`<${Ql} ...${f} />`:s`<${Zl} ...${f} models=${u} loading=${e.loading} />`}
      </div>
      <div id=${`${i}-about`} class="stack">
        ${a&&s`<p class="problem-text">✕ ${a}</p>`}
        <${tc} model=${u.find(p=>p.id===t)} />
      </div>
      <${Yl} models=${e} />
    </div>
  `}function Yl({models:{data:e,error:t,loading:o,reload:n}}){return o?s`<${Xl} />`:s`
    ${e?.errors.map(({llm:r,error:a})=>s`<p>! <code>${r}</code> could not be asked: ${a}</p>`)}
    ${t&&s`<p>! The models could not be listed: ${t.message}</p>
        <div class="row"><button type="button" onClick=${n}>List them again</button></div>`}
  `}function Xl(){let[e]=$(()=>performance.now());return s`<${O} what="asking for the models" since=${e} />`}function Ql(e){return s`<input type="text" placeholder="llm:model" spellcheck=${!1} autocapitalize="off" ...${e} />`}function Zl({models:e,loading:t,...o}){let n=Object.entries(Object.groupBy(e,a=>a.llm)),r=o.value!==""&&!e.some(a=>a.id===o.value);return s`<select ...${o}>
    <option value="">-- Select Model --</option>
    ${r&&s`<option value=${o.value}>${o.value}${t?"":" · not listed"}</option>`}
    ${n.map(([a,i])=>s`
        <optgroup label=${a}>
          ${i?.map(l=>s`<option key=${l.id} value=${l.id}>${ec(l)}</option>`)}
        </optgroup>
      `)}
  </select>`}function ec({id:e,validation:{badge:t,rate:o}}){return t?`${e} ${t.symbol} ${o?de(o):t.text}`:e}function tc({model:e}){if(e===void 0)return null;let{badge:t,last_tested:o}=e.validation,n=oc(e);return s`
    <p>
      <${Ne} validation=${e.validation} />
      ${t&&s` <small>${t.tooltip}</small>`}${o&&s` <small>(<${V} at=${o} />)</small>`}
    </p>
    ${n&&s`<p class="notice">! ${n}</p>`}
  `}function oc({capabilities:e,validation:t}){return e.includes("function-calling")?t.validated?"":`This model ${t.tested?"was tried with tools and is not validated":"was never tried with tools"}: check what it does before you rely on it.`:"This model is not known to call tools: it may answer without."}var ds=[{title:"Simple Tool Call",query:"What's the weather in Paris?",expected:"One call of the weather tool with Paris as the location, and an answer from its result."},{title:"Calculator",query:"Calculate 15% tip on $45",expected:"One call of the calculator, and the answer $6.75."},{title:"Direct Answer Test",query:"What's 2+2?",expected:"The answer 4, by the calculator or directly: both are right, and a direct answer is no tool call."},{title:"RAG Tool",query:"Search for Python decorators in the docs",expected:"One call of the search tool, and an answer from what it found or that it found nothing."}];var Lt="tt-model",Le="tt-query",ms="Please enter a test query and select a model";function fs({model:e,query:t,missing:o,busy:n,onChange:r,onRun:a,onCancel:i}){let l=Ie();return s`
    <form class="stack" noValidate onSubmit=${d=>{d.preventDefault(),a()}}>
      <${us}
        models=${l}
        value=${e}
        label="Model"
        id=${Lt}
        problem=${o==="model"?ms:""}
        onChange=${d=>r({model:d})}
      />
      <div class="field">
        <label for=${Le}>Query</label>
        <textarea
          id=${Le}
          required
          maxlength="32000"
          placeholder="e.g., What's the weather in Paris?"
          value=${t}
          aria-invalid=${o==="query"?"true":void 0}
          aria-describedby=${o==="query"?"tt-missing":void 0}
          onInput=${d=>r({query:d.currentTarget.value})}
        ></textarea>
        ${o==="query"&&s`<p id="tt-missing" class="problem-text">✕ ${ms}</p>`}
      </div>
      <div class="tt-examples" role="group" aria-label="Example Test Queries">
        ${ds.map(d=>s`
            <button type="button" onClick=${()=>r({query:d.query})}>
              <strong>${d.title}</strong>
              <span>${d.query}</span>
              <small>Expected: ${d.expected}</small>
            </button>
          `)}
      </div>
      <${nc} busy=${n} onCancel=${i} />
      <small>Tests by hand are recorded in the model's history and do not count for its validation.</small>
    </form>
  `}function nc({busy:e,onCancel:t}){let o=w(null),n=w(null),r=w(null);return xe(()=>{let[a,i]=e?[o,n]:[n,o];r.current!==null&&r.current===a.current&&i.current?.focus()},[e]),r.current=document.activeElement,s`
    <div class="row">
      <button ref=${o} type="submit" class="primary" disabled=${e}>
        ${e?"Testing...":"Run"}
      </button>
      <button ref=${n} type="button" disabled=${!e} onClick=${t}>Cancel</button>
      <small>${oe("mod+Enter")} runs, ${oe("Escape")} cancels</small>
    </div>
  `}var rc=300,sc=2e3;function $s(e){let[t,o]=$(()=>ps(e)),n=w(Oo(t)),r=w(!1),a=Oo(ps(e));b(()=>{a!==n.current&&(n.current=a,o(JSON.parse(a)))},[a]);let i=E(d=>{let u=Oo(d);u!==n.current&&(n.current=u,F("tools-testing",JSON.parse(u),{replace:!r.current}),r.current=!1)},[]);b(()=>{let d=setTimeout(()=>i(t),rc);return()=>clearTimeout(d)},[t,i]);let l=E(d=>o(u=>({...u,...d})),[]);return[t,l,()=>{i(t),r.current=!0}]}function ps({params:e}){return{model:e.model??"",query:e.query??""}}function Oo({model:e,query:t}){return JSON.stringify({model:e,query:t.length>sc?"":t})}function Ht(e){let{tool_calls:t,timings:o,usage:n}=e,r=o.steps.filter(i=>i.step==="model").length,a=t.filter(i=>"error"in i.result).length;return[`${e.status==="partial"?"partly answered":"answered"} in ${A(o.total_ms)}`,_(r,"model call"),_(t.length,"tool")+(a>0?`, ${C(a)} failed`:""),_(n.total_tokens,"token"),...typeof n.cost_usd=="number"?[ne(n.cost_usd)]:[]].join(" · ")}function hs(e){let{error:t,fallback:o}=e;return[e.max_iterations_reached&&"Max iterations reached: the model wanted to call more tools than it may.",e.circular_calls_detected&&"Circular calls: the model asked for the same call again and again, and was stopped.",e.deadline_reached&&"Deadline reached: the model was asked for its answer without more tools, because time was short.",e.max_tool_calls_reached&&"Tool call limit reached: no more tools could be called in this chat.",e.status==="partial"&&`Partial answer: ${t?`${t.provider} failed (${G(t.type)}): ${t.message}`:"the time ran out"}.`,o&&`Another model answered instead of ${o.instead_of}: ${G(o.reason)}.`].filter(r=>typeof r=="string")}var ac=300,ic=128,lc=20,cc=4;function _s({calls:e}){let[t,o]=$(!1);if(e.length===0)return s`<section><h2>Tool Calls (0)</h2><p>The model called no tool.</p></section>`;let n=t?e:e.slice(0,lc);return s`
    <section class="stack" aria-label="Tool calls">
      <h2>Tool Calls (${C(e.length)})</h2>
      <ol class="tt-calls">
        ${n.map(r=>s`<${uc} key=${`${r.iteration} ${r.call_id}`} call=${r} open=${e.length<=cc} />`)}
      </ol>
      ${n.length<e.length&&s`<div><button type="button" onClick=${()=>o(!0)}>Show the other ${C(e.length-n.length)}</button></div>`}
    </section>
  `}function uc({call:e,open:t}){let o=Ce(void 0,e),[n,r]="error"in e.result?["Error",e.result]:["Result",e.result.result],a=s`<code>${J(e.tool,ic)}(${J(dc(e),ac)})</code>
    <${k} tone=${o.tone}>${o.word}<//>`;return s`
    <li>
      <${D} summary=${a} open=${t}>
        <${U} value=${r} label=${n} />
      <//>
      <small class="number">Iteration: ${e.iteration} | Execution time: ${C(e.result.execution_time_ms)} ms</small>
    </li>
  `}function dc({params:e}){return typeof e=="string"?e:JSON.stringify(e)}function bs(e,t){return[`curl -sS -X POST ${gs(e)}`,'-H "Authorization: Bearer $FLEXCHAT_TOKEN"',"-H 'Content-Type: application/json'",`--data-raw ${gs(JSON.stringify(t))}`].join(` \\
  `)}function gs(e){return`'${e.replaceAll("'",String.raw`'\''`)}'`}var mc=60,fc=1e3,pc=10,ys="No answer is prepared for these arguments.",Ao=e=>!("error"in e.result);function ws(e){return(e.normalize("NFKD").replaceAll(/\p{M}/gu,"").toLowerCase().match(/[a-z0-9]+/g)??[]).join("-").slice(0,mc).replace(/-$/,"")||"case"}function vs(e,t){if(e.length===0)return"irrelevance";let o=e.filter(Ao);return o.length<e.length?"error_recovery":new Set(o.map(n=>n.iteration)).size>1?"multi_turn":o.length>1?new Set(o.map(n=>n.tool)).size>1?"parallel_choice":"parallel":t>1?"choice":"single"}function ks(e){let t=Map.groupBy(e.filter(Ao),n=>n.iteration),o=Math.min(pc,e.length-e.filter(Ao).length);return t.size===0?e.length===0?{}:{any_call:!0,failed_calls:o}:{turns:[...t.values()].map(n=>({calls:n.map(({tool:r,params:a})=>({tool:r,arguments:$c(a)}))})),...o>0&&{failed_calls:o}}}function $c(e){return typeof e=="string"?{}:Object.fromEntries(Object.entries(e).map(([t,o])=>[t,[Ft(o)]]))}function Ft(e){return Array.isArray(e)?e.map(Ft):e===null||typeof e!="object"?e:Object.fromEntries(Object.entries(e).map(([t,o])=>[t,Array.isArray(o)?[Ft(o)]:Ft(o)]))}function xs(e,t){let o=t.filter($o);return e.map(({name:n,description:r,parameters:a})=>({name:n,description:r,parameters:a,implementation:hc(o.filter(i=>i.tool===n))}))}function hc(e){let t={type:"mock"},o=new Map;for(let{params:n,result:r}of e){if(typeof n=="string")continue;let a="error"in r?{error:_c(r.error)}:{response:r.result};Object.keys(n).length>0?o.set(JSON.stringify(n),{when:n,...a}):"response"in a&&(t.mock_response=a.response)}return o.size>0&&(t.answers=[...o.values()].sort(gc)),"mock_response"in t||(t.error=ys),t}function _c(e){return e.slice(0,fc)||ys}function gc(e,t){return Object.keys(t.when??{}).length-Object.keys(e.when??{}).length}var bc=["single","choice","parallel","parallel_choice","irrelevance","multi_turn","error_recovery","types","clarification"],yc="my-cases",wc=String.raw`[a-z0-9][a-z0-9_.\-]{0,63}`,vc=String.raw`[a-zA-Z0-9][a-zA-Z0-9_.\-]{0,127}`;function Ts({draft:e,task:t,onChange:o,onSave:n}){let r=Y(),i=se(v.suites).data?.suites.filter(u=>!u.built_in)??[],l=kc(e.expect),c=u=>({id:`${r}-${u}`,"aria-describedby":`${r}-${u}-hint`,value:e[u],onInput:f=>o({...e,[u]:f.currentTarget.value})});return s`
    <form class="stack" onSubmit=${u=>{u.preventDefault(),l===""&&!t.busy&&n(e)}}>
      <${nt} id=${`${r}-suite`} label="Suite" hint="One of yours, or a new name; what comes with Flexchat cannot be changed.">
        <input type="text" list=${`${r}-suites`} required pattern=${wc} title="lower-case letters, digits, _ . -" placeholder=${i[0]?.name??yc} ...${c("suite")} />
        <datalist id=${`${r}-suites`}>
          ${i.map(({name:u,cases:f})=>s`<option value=${u}>${_(f,"case")}</option>`)}
        </datalist>
      <//>
      <${nt} id=${`${r}-id`} label="Case" hint="Its name in the suite.">
        <input type="text" required pattern=${vc} title="letters, digits, _ . -" ...${c("id")} />
      <//>
      <${nt} id=${`${r}-category`} label="Category" hint="What it tries.">
        <select ...${c("category")}>
          ${bc.map(u=>s`<option value=${u}>${G(u)}</option>`)}
        </select>
      <//>
      <${nt} id=${`${r}-offer`} label="Tools to offer" hint="They become mocks that answer as the tools did now.">
        <select ...${c("offer")}>
          <option value="all">all, as in this test</option>
          <option value="called">only those that were called</option>
        </select>
      <//>
      <${nt} id=${`${r}-expect`} label="What is right" wrong=${l!==""} hint=${l?`✕ ${l}`:"JSON, drafted from the calls that were made."}>
        <textarea class="mono tt-expect" spellcheck=${!1} aria-invalid=${l?"true":void 0} ...${c("expect")}></textarea>
      <//>
      ${t.error&&s`<${T} error=${t.error} />`}
      <div class="row">
        <button type="submit" class="primary" disabled=${t.busy||l!==""}>Save</button>
        ${t.busy&&s`<${O} what="saving the case" since=${t.since} />`}
      </div>
    </form>
  `}function nt({id:e,label:t,hint:o,wrong:n=!1,children:r}){return s`<div class="field">
    <label for=${e}>${t}</label>
    ${r}
    <small id=${`${e}-hint`} class=${n?"problem-text":""}>${o}</small>
  </div>`}function kc(e){try{return JSON.parse(e),""}catch(t){return`This is not JSON: ${t instanceof Error?t.message:String(t)}`}}function Es(e,t,o){let n=new Map(e.tools.map(r=>[r.name,r]));for(let r of o){let a=n.get(r.name);n.set(r.name,a?xc(a,Os(r)):r)}return{...e,tools:[...n.values()],cases:[...e.cases,t]}}function xc(e,t){let o=Os(e),n=new Set(o.map(Ss)),r=t.filter(i=>!n.has(Ss(i)));if(r.length===0)return e;let a=[...o,...r].sort((i,l)=>Cs(l)-Cs(i));return{...e,implementation:{...e.implementation,answers:a}}}function Os({implementation:e}){let t=e.answers;return Array.isArray(t)?t:[]}function As(e){return e===null||typeof e!="object"||Array.isArray(e)?[]:Object.entries(e.when??{}).sort(([t],[o])=>t<o?-1:1)}function Ss(e){return JSON.stringify(As(e))}function Cs(e){return As(e).length}var Tc=20;function Rs({asked:e,answer:t,tools:o}){let[n,r]=$(!1),[a,i]=$(void 0),[l,c]=$(""),d=P(),u=()=>{i(p=>p??Sc(e,t,o)),c(""),r(!0)},f=p=>d.run(async m=>{let h=await Ec(p.suite,m),{added:y,mocks:g}=Cc(p,e,t,o),x=Es(h,y,g);await v.putSuite(p.suite,x),c(`saved as ${p.id} in ${p.suite} ✓`),r(!1)});return s`
    <button type="button" onClick=${u} disabled=${o.length===0}>Save as validation case</button>
    <span role="status">${l}</span>
    <${Re} title="Save as validation case" open=${n} onClose=${()=>r(!1)}>
      ${a&&s`<${Ts} draft=${a} task=${d} onChange=${i} onSave=${f} />`}
    <//>
  `}function Sc({query:e},{tool_calls:t},o){let n=o.length<=Tc||t.length===0?"all":"called",r=n==="all"?o.length:Ms(o,t).length;return{suite:"",id:ws(e),category:vs(t,r),offer:n,expect:JSON.stringify(ks(t),null,2)}}function Ms(e,t){return e.filter(o=>t.some(n=>n.tool===o.name))}function Cc(e,t,{tool_calls:o},n){let r=xs(e.offer==="all"?n:Ms(n,o),o);return{added:{id:e.id,category:e.category,description:`As ${t.model} answered it.`,message:t.query,tools:r.map(i=>i.name),expect:JSON.parse(e.expect)},mocks:r}}async function Ec(e,t){try{return await v.suite(e,t)}catch(o){if(!(o instanceof K)||o.status!==404)throw o;return{name:e,description:"Cases saved from tests of tools.",tools:[],cases:[]}}}var Oc=300;function Ns({asked:e,answer:t,tools:o}){let[n,r]=$(-1),a=hs(t),i=Wn(t.timings,t.tool_calls,n);return s`
    <div class="stack">
      <p class="tt-status">
        <${k} tone=${a.length>0?"warn":"good"}>${Ht(t)}<//>
      </p>
      <p class="tt-asked">${J(e.query,Oc)}</p>
      <${Ac} answer=${t} />
      ${a.map(l=>s`<p class="notice"><span aria-hidden="true">⚠️</span> ${l}</p>`)}
    </div>
    <section class="stack" aria-label="Waterfall">
      <h2>Steps</h2>
      <${xt} timings=${t.timings} calls=${t.tool_calls} selected=${n} onSelect=${r} />
      ${i?s`<${Ye} step=${i.step} call=${i.call} />`:s`<small>Choose a step to see all of it; arrow keys go through them.</small>`}
    </section>
    <section class="stack" aria-label="Final response">
      <h2>Final Response</h2>
      ${t.content===""?s`<p>The model answered nothing.</p>`:s`<div class="tt-answer"><${U} value=${t.content} label="Final response" /></div>`}
      <div class="row">
        <${X} text=${()=>bs(new URL("api/tools/test",_e).href,{...e})} label="Copy as curl" />
        <${Rs} asked=${e} answer=${t} tools=${o} />
      </div>
    </section>
    <${_s} calls=${t.tool_calls} />
  `}function Ac({answer:e}){return s`
    <div class="row tt-facts">
      <span>Model: <strong>${e.model}</strong></span>
      <span>Service: <strong>${e.service}</strong></span>
      <span>Finish reason: <strong>${G(e.finish_reason)}</strong></span>
      <span>Request: <code>${e.request_id}</code> <${X} text=${e.request_id} label="Copy" /></span>
    </div>
  `}var Rc=12,Mc=matchMedia("(width >= 800px)");function Is({tools:e}){let[t,o]=$(Mc.matches),n=e.data&&e.data.tools.length+Ps(e.data).length;return s`
    <section aria-label="Available tools">
      <details class="fold" open=${t} onToggle=${r=>o(r.currentTarget.open)}>
        <summary><h2 class="tt-inline">Available Tools ${n!==void 0&&s`<small>${C(n)}</small>`}</h2></summary>
        ${e.error&&s`<${T} error=${e.error} onRetry=${e.reload} />`}
        ${!e.data&&e.loading&&s`<${q} lines=${6} what="the tools" />`}
        ${t&&e.data&&s`<${Nc} list=${e.data} />`}
      </details>
    </section>
  `}function Ps(e){return e.disabled.filter(t=>t.kind==="tool")}function Nc({list:e}){let[t,o]=$(""),n=Ps(e),r=e.tools.length+n.length;if(r===0)return s`<p>No tool is configured: the models answer without.</p>`;let a=t.trim().toLowerCase(),i=e.tools.filter(({name:c,description:d})=>`${c} ${d}`.toLowerCase().includes(a)),l=n.filter(({name:c})=>c.toLowerCase().includes(a));return s`
    ${r>Rc&&s`<label class="field tt-filter">
        Filter
        <input type="search" value=${t} onInput=${c=>o(c.currentTarget.value)} />
        <small role="status">${a&&`${C(i.length+l.length)} of ${C(r)} shown`}</small>
      </label>`}
    <ul class="tool-cards">
      ${l.map(c=>s`<${Nt} key=${`off ${c.name}`} tool=${c} />`)}
      ${i.map(c=>s`<${Mt} key=${c.name} tool=${c} />`)}
    </ul>
  `}var Ic={missing:"",turn:0,asked:void 0,answer:void 0},Ro=e=>document.getElementById(e)?.focus();function Ds({place:e}){let[t,o,n]=$s(e),[r,a]=$(Ic),i=Ct(),l=P(),c=p=>a(m=>({...m,...p})),d=()=>{if(l.busy)return;let p=Dc(t);if(c({missing:p}),p!=="")return Ro(p==="model"?Lt:Le);n();let m={...t};l.run(async h=>{let y=await v.testTools(m,h);a(g=>({...g,asked:m,answer:y,turn:g.turn+1}))})},u=p=>{o(p),c({missing:""})};Q([{keys:"/",label:"write the query",run:()=>Ro(Le)},{keys:"mod+Enter",label:"run the test",run:d},{keys:"Escape",label:"cancel the test",run:l.cancel}]);let f=s`
    <${fs} ...${t} missing=${r.missing} busy=${l.busy} onChange=${u} onRun=${d} onCancel=${l.cancel} />
    <${Is} tools=${i} />
  `;return s`
    <${ie} title="Tool Calling Testing" choose=${f}>
      <p class="hidden" role="status">${Pc(l,r)}</p>
      ${l.busy&&s`<p><${O} what=${`asking ${t.model}`} since=${l.since} /></p>`}
      ${l.cancelled&&s`<p class="notice">! Cancelled. What the model had begun may still end, and cost tokens.</p>`}
      ${l.error&&s`<${T} error=${l.error} onRetry=${d} />`}
      ${r.answer&&(l.busy||l.error||l.cancelled)&&s`<h2>The test before</h2>`}
      ${r.answer&&r.asked&&s`<${Ns} key=${r.turn} asked=${r.asked} answer=${r.answer} tools=${i.data?.tools??[]} />`}
      ${!r.answer&&!l.busy&&!l.error&&s`<${qc} chosen=${t.model!==""} />`}
    <//>
  `}function Pc(e,{answer:t}){return e.busy||e.error?"":e.cancelled?"The test is cancelled":t&&Ht(t)}function Dc({model:e,query:t}){return e===""?"model":t.trim()===""?"query":""}function qc({chosen:e}){return s`<${ue} title="See what a model does with the tools">
    <p>
      Choose a model, write a query or take one of the examples, and run it. You see every call of the model and of the
      tools on one time axis, with arguments, results and what it cost.
    </p>
    <p>
      <button type="button" onClick=${()=>Ro(e?Le:Lt)}>
        ${e?"Write a query":"Choose a model"}
      </button>
    </p>
  <//>`}var fe=[{name:"single",title:"One tool",tries:"one tool is offered, one call is right"},{name:"choice",title:"Right tool",tries:"several tools are offered, one of them is right"},{name:"parallel",title:"Many calls",tries:"several calls of one tool"},{name:"parallel_choice",title:"Many tools",tries:"several calls of several tools"},{name:"irrelevance",title:"No tool fits",tries:"no tool fits, so none is called"},{name:"multi_turn",title:"Step by step",tries:"the result of one call is needed for the next"},{name:"error_recovery",title:"After an error",tries:"a call fails and says why; the next one is right"},{name:"types",title:"Typed values",tries:"numbers, lists, objects and choices, as the schema has them"},{name:"clarification",title:"Asks back",tries:"something is missing: the model asks instead of inventing it"}];function Wt(e){return fe.find(t=>t.name===e)?.title??e}var qs=8;function Ls({choices:e,chosen:t,onChosen:o,loaded:n,first:r}){let[a,i]=$(""),l=j(()=>performance.now(),[]),c=e.filter(({id:u})=>t.includes(u)||u.toLowerCase().includes(a.toLowerCase())),d=u=>o(t.includes(u)?t.filter(f=>f!==u):[...t,u]);return s`
    <fieldset class="val-models">
      <legend>Models${t.length>0&&` (${t.length} ticked)`}</legend>
      ${e.length>qs&&s`<input
          ref=${r}
          type="search"
          aria-label="Find a model"
          placeholder=${`Find one of ${e.length}`}
          value=${a}
          onInput=${u=>i(u.currentTarget.value)}
        />`}
      <div class="val-choices">
        ${c.map(({id:u,validation:f},p)=>s`
            <label class="val-choice" key=${u}>
              <input ref=${p===0&&e.length<=qs?r:void 0} type="checkbox" checked=${t.includes(u)} onChange=${()=>d(u)} />
              <span>${u} ${f&&s`<small><${Ne} validation=${f} /></small>`}</span>
            </label>
          `)}
        ${c.length===0&&e.length>0&&s`<small>None is called that.</small>`}
        ${e.length===0&&!n.loading&&s`<small>No model that calls tools is configured.</small>`}
      </div>
      ${n.loading&&!n.data&&s`<${O} what="asking the providers for their models" since=${l} />`}
      ${n.error&&s`<p class="problem-text">The models could not be listed: ${n.error.message} <button type="button" onClick=${n.reload}>Try again</button></p>`}
      ${n.data&&n.data.errors.length>0&&s`<div class="notice">
          ${_(n.data.errors.length,"provider")} could not tell its models:
          <ul>${n.data.errors.map(({llm:u,error:f})=>s`<li><code>${u}</code> ${f}</li>`)}</ul>
        </div>`}
    </fieldset>
  `}var Lc={rate:(e,t)=>(t.rate?.rate??-1)-(e.rate?.rate??-1)||(t.rate?.low??0)-(e.rate?.low??0),name:()=>0,tested:(e,t)=>(t.last_tested??"").localeCompare(e.last_tested??"")};function Hs(e){return e==="name"||e==="tested"?e:"rate"}function Fs(e,t){return[...e].sort((o,n)=>Lc[t](o,n)||o.model_id.localeCompare(n.model_id,"en"))}function Ws(e,t){return e.includes(t)?e.filter(o=>o!==t):[...e,t].slice(-2)}function He(e){return(e??"").split(" ").filter(t=>t!=="")}function rt(e){return e.filter(t=>t.capabilities.includes("function-calling"))}function Bs(e,t){let o=new Set(t.filter(n=>n.tested).map(n=>n.model_id));return rt(e).filter(n=>!o.has(n.id))}var Hc=2e4;function Vs(e){return{models:He(e.models),suite:e.suite??"default",repeats:Number(e.repeats??1),stop_early:e.early!=="no",budget:{calls:Mo(e.calls),tokens:Mo(e.tokens),usd:Mo(e.usd)}}}function Mo(e){return e===void 0?null:Number(e)}function js(e,t,o){let n=new Map;for(let{id:r,validation:a}of rt(e))n.set(r,{id:r,validation:a});for(let r of t)n.has(r.model_id)||n.set(r.model_id,{id:r.model_id,validation:r});for(let r of o)n.has(r)||n.set(r,{id:r,validation:void 0});return[...n.values()]}function Gs(e,t){let o=e.models.length;if(o===0)return{ready:!1,text:"Tick the models to validate."};if(t===void 0)return{ready:!0,text:_(o,"model")};let n=t.cases*o*e.repeats,r=e.repeats>1?` × ${_(e.repeats,"repeat")}`:"",a=`${_(t.cases,"case")} × ${_(o,"model")}${r}`;return n>Hc?{ready:!1,text:`${a} are ${_(n,"chat")}; a run has at most 20,000.`}:{ready:!0,text:`${_(Math.min(n,e.budget.calls??n),"chat")} at most: ${a}`}}var No="val-form";function Us({params:e,change:t,suites:o,models:n,statuses:r,onStarted:a}){let i=w(null),l=w(null),c=P(),d=Vs(e),u=o.data?.suites.find(({name:m})=>m===d.suite),f=Gs(d,u),p=m=>{m.preventDefault(),!(!f.ready||c.busy)&&c.run(async h=>{let y=await v.startValidation(d);h.aborted||a(y)})};return Q([{keys:"/",label:"choose models",run:()=>l.current?.focus()},{keys:"mod+Enter",label:"start the run",run:()=>i.current?.requestSubmit()}]),s`
    <form class="stack" ref=${i} onSubmit=${p}>
      <h2 id=${No} tabindex="-1">Run a suite</h2>
      <label class="field">
        Suite
        <select value=${d.suite} onChange=${m=>t({suite:m.currentTarget.value})}>
          ${Fc(o.data?.suites??[],d.suite).map(m=>s`<option value=${m} selected=${m===d.suite}>${m}</option>`)}
        </select>
      </label>
      ${u&&s`<${Wc} suite=${u} />`}
      ${o.error&&s`<${T} error=${o.error} onRetry=${o.reload} />`}
      <${Ls}
        choices=${js(n.data?.models??[],r,d.models)}
        chosen=${d.models}
        onChosen=${m=>t({models:m.join(" ")})}
        loaded=${n}
        first=${l}
      />
      <${Bt} name="repeats" label="Repeats of each case" none="1" max="100" step="1" params=${e} change=${t} />
      <label class="check">
        <input type="checkbox" checked=${d.stop_early} onChange=${()=>t({early:d.stop_early?"no":""})} />
        Stop early
      </label>
      <small>
        ${d.stop_early?"A model is asked no more once it is certain whether it passes: of 75 cases a good one is asked about 17.":"Every case is asked: for rates by category, and for comparing models."}
      </small>
      <${D} summary="Budget" open=${["calls","tokens","usd"].some(m=>m in e)}>
        <small>The run stops when one of these is spent, whichever is first.</small>
        <${Bt} name="calls" label="Chats" none="no limit" step="1" params=${e} change=${t} />
        <${Bt} name="tokens" label="Tokens" none="no limit" step="1" params=${e} change=${t} />
        <${Bt} name="usd" label="US dollars" none="no limit" step="any" min="0.000001" params=${e} change=${t} />
      <//>
      <p id="val-asks">${f.text}</p>
      <div class="row">
        <button type="submit" class="primary" disabled=${!f.ready||c.busy} aria-describedby="val-asks">Start</button>
        ${c.busy&&s`<${O} what="beginning the run" since=${c.since} />`}
      </div>
      ${c.error&&s`<${T} error=${c.error} onRetry=${()=>i.current?.requestSubmit()} />`}
    </form>
  `}function Fc(e,t){return[...new Set([...e.map(({name:o})=>o),t])]}function Wc({suite:e}){let t=e.built_in?"comes with Flexchat":"of your own",o=`${_(e.cases,"case")}, ${t}`;return s`<${D} summary=${o}>
    ${e.description&&s`<p>${e.description}</p>`}
    <ul>
      ${Object.entries(e.categories).map(([n,r])=>s`<li>${Wt(n)}: ${r}</li>`)}
    </ul>
  <//>`}function Bt({name:e,label:t,none:o,min:n="1",max:r,step:a,params:i,change:l}){return s`<label class="field">
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
  </label>`}function Fe({title:e,focus:t=!1,seen:o=!1,onClose:n,children:r}){let a=w(null),i=Y();return b(()=>{t&&a.current?.focus()},[e,t]),b(()=>{o&&a.current?.scrollIntoView({block:"nearest"})},[o]),s`
    <section class="val-panel stack" aria-labelledby=${i}>
      <div class="row spread">
        <h2 id=${i} ref=${a} tabindex="-1">${e}</h2>
        <button type="button" class="quiet" onClick=${n}>Close</button>
      </div>
      ${r}
    </section>
  `}function Js(e){return e.low>=.8?"proven":e.high<.8?"failing":"undecided"}function Po(e,t){let o=e.rate-t.rate;return{value:o,low:Math.max(-1,o-Math.hypot(e.rate-e.low,t.high-t.rate)),high:Math.min(1,o+Math.hypot(e.high-e.rate,t.rate-t.low))}}function Do({low:e,high:t}){return e>0?"a":t<0?"b":"neither"}function zs(e,t,o){let n=Do(e);return n==="a"?`${t} is better by ${Ks(e.value,e.low,e.high)}`:n==="b"?`${o} is better by ${Ks(-e.value,-e.high,-e.low)}`:"No difference is shown"}function Ys({value:e,low:t,high:o}){return`${Io(e)} (${Io(t)} to ${Io(o)})`}function Ks(e,t,o){return`${Vt(e)} points (${Vt(t)} to ${Vt(o)})`}function Io(e){let t=Vt(Math.abs(e));return t==="0"?t:`${e<0?"−":"+"}${t}`}function Vt(e){let t=e*100;return t>0&&t<1?t.toFixed(1):String(Math.round(t))}function Qs({a:e,b:t,onClose:o}){let n={a:e.model_id,b:t.model_id};return s`
    <${Fe} title=${`${e.model_id} and ${t.model_id}`} onClose=${o}>
      <p role="status"><strong>${Bc(e,t)}</strong></p>
      <div class="scroll" tabindex="0" role="region" aria-label="The difference by category">
        <table class="val-compared">
          <caption class="hidden">The difference by category, with its 95 % interval</caption>
          <thead>
            <tr>
              <th scope="col">Category</th>
              <th scope="col" class="number">${e.model_id}</th>
              <th scope="col" class="number">${t.model_id}</th>
              <th scope="col" class="number">Points</th>
              <th scope="col">Says</th>
            </tr>
          </thead>
          <tbody>
            <${Xs} title="All" a=${e.rate} b=${t.rate} names=${n} />
            ${fe.map(({name:r,title:a})=>s`<${Xs} title=${a} a=${e.categories?.[r]} b=${t.categories?.[r]} names=${n} />`)}
          </tbody>
        </table>
      </div>
      <small>
        Points are percentage points with Newcombe's 95 % interval. Where 0 is inside, no difference is shown; few tests
        of one category rarely show any.
      </small>
    <//>
  `}function Bc(e,t){return!e.rate||!t.rate?"Only one of them was tested.":`${zs(Po(e.rate,t.rate),e.model_id,t.model_id)}.`}function Xs({title:e,a:t,b:o,names:n}){let r=t&&o?Po(t,o):void 0;return s`
    <tr>
      <th scope="row">${e}</th>
      <td class="number">${t?de(t):"–"}</td>
      <td class="number">${o?de(o):"–"}</td>
      <td class="number">${r?Ys(r):"–"}</td>
      <td>${r?Vc(r,n):"not tried by both"}</td>
    </tr>
  `}function Vc(e,t){let o=Do(e);return o==="neither"?"no difference is shown":`${t[o]} is better`}var st=72,qo=20,jt=3,jc=864e5,Gc=new Intl.DateTimeFormat("en-GB",{day:"numeric",month:"short",timeZone:"UTC"});function ea(e){return Math.round(e*10)/10}function Lo(e){return ea(jt+(1-e)*(qo-2*jt))}function Uc(e){let t=e.map(({day:r})=>Date.parse(r)),o=t[0]??0,n=Math.max(jc,(t.at(-1)??0)-o);return e.map(({tests:r,successes:a},i)=>({x:e.length===1?st/2:ea(jt+((t[i]??0)-o)/n*(st-2*jt)),y:Lo(a/r)}))}function Kc(e){return e.map(({day:t,tests:o,successes:n})=>`${Gc.format(new Date(t))} ${Me(n/o)} of ${o}`).join(", ")}function ta({days:e}){let t=Uc(e),o=`Rate by day: ${Kc(e)}`;return s`
    <svg class="val-trend" viewBox=${`0 0 ${st} ${qo}`} width=${st} height=${qo} role="img" aria-label=${o}>
      <title>${o}</title>
      <line x1="0" x2=${st} y1=${Lo(.8)} y2=${Lo(.8)} />
      <polyline points=${t.map(({x:n,y:r})=>`${n},${r}`).join(" ")} />
      ${t.slice(-1).map(({x:n,y:r})=>s`<circle cx=${n} cy=${r} r="2.5" />`)}
    </svg>
  `}var Jc={proven:"✓",failing:"✕",undecided:""};function oa({statuses:e,order:t,onOrder:o,ticked:n,onTick:r,open:a,onOpen:i}){let l=(c,d,u)=>s`
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
            ${fe.map(({title:c,tries:d})=>s`<th scope="col" class="val-category" title=${d}>${c}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${Fs(e,t).map(c=>s`
              <${zc}
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
    <${D} summary="How to read it">
      <p>
        The number is the share of tests that were passed, the bar below it the 95 % interval: by what was seen, the
        model's own rate is in it.
      </p>
      <ul>
        <li><b>✓</b> proven: the whole interval is at 80 % or above, the first time at 16 of 16</li>
        <li><b>✕</b> failing: the whole interval is below 80 %</li>
        <li>outlined: undecided, 80 % is inside; more tests would tell</li>
      </ul>
      <ul>${fe.map(({title:c,tries:d})=>s`<li><b>${c}</b>: ${d}</li>`)}</ul>
    <//>
  `}function zc({status:e,ticked:t,onTick:o,open:n,onOpen:r}){let{model_id:a,badge:i}=e;return s`
    <tr>
      <th scope="row" class="val-model">
        <div class="val-name">
          <input type="checkbox" aria-label=${`Compare ${a}`} checked=${t} onChange=${()=>o(a)} />
          <button
            type="button"
            class="quiet"
            aria-pressed=${n===""}
            title="All of its verdicts"
            onClick=${()=>r({model:a,category:""})}
          >${a}</button>
        </div>
        ${i&&s`<small class="badge" title=${i.tooltip}><span aria-hidden="true">${i.symbol}</span> ${i.text}</small>`}
      </th>
      <td>${e.rate&&s`<${yt} rate=${e.rate} />`}</td>
      <td>
        ${(e.trend?.length??0)>0&&s`<${ta} days=${e.trend} />`}
        ${e.last_tested&&s`<div><small><${V} at=${e.last_tested} /></small></div>`}
      </td>
      ${fe.map(l=>s`
          <td class="val-in">
            <${Yc}
              rate=${e.categories?.[l.name]}
              label=${`${l.title}, ${a}`}
              open=${n===l.name}
              onOpen=${()=>r({model:a,category:l.name})}
            />
          </td>
        `)}
    </tr>
  `}function Yc({rate:e,label:t,open:o,onOpen:n}){if(!e)return s`<span class="val-none" title="never tried">–<span class="hidden"> never tried</span></span>`;let r=Js(e),a={left:`${e.low*100}%`,width:`${Math.max(1,(e.high-e.low)*100)}%`},i=`${Math.round(e.low*100)} to ${Math.round(e.high*100)} %`;return s`
    <button
      type="button"
      class="val-cell"
      data-state=${r}
      aria-pressed=${o}
      title=${`${e.successes} of ${e.tests} passed, ${i}, ${r}`}
      onClick=${n}
    >
      <span class="number">${Me(e.rate)}</span>
      <small class="number"><span aria-hidden="true">${Jc[r]}</span>${" "}n ${e.tests}</small>
      <span class="interval" aria-hidden="true"><span style=${a}></span><i style=${{left:`${e.rate*100}%`}}></i></span>
      <span class="hidden">${t}, ${i}, ${r}</span>
    </button>
  `}function We(e,t=[]){let o=B(),n=w(e);n.current=e;let r=P(),{run:a}=r,[i,l]=$(na()),c=JSON.stringify(t),d=E(()=>{a(async f=>{let p=await n.current(void 0,f);l({items:p.items,cursor:p.cursor??void 0,read:!0})})},[a]);b(()=>{l(na()),d()},[c,o,d]);let u=()=>{a(async f=>{let p=await n.current(i.cursor,f);l(m=>({items:[...m.items,...p.items],cursor:p.cursor??void 0,read:!0}))})};return{items:i.items,read:i.read,more:i.cursor!==void 0,next:i.read?u:d,restart:d,task:r}}function na(){return{items:[],cursor:void 0,read:!1}}function ra(e,t){return t.models.flatMap(({model:o,done:n})=>{let r=e?.models.find(a=>a.model===o)?.done??0;return n>r?[{model:o,limit:Math.min(100,n-r+10)}]:[]})}function Ho({run:e,model:t,case:o,repeat:n,request_id:r}){return`${e} ${t} ${o} ${n} ${r}`}function Fo({result:e}){return e!=="skipped"}function sa(e,t,o){return[...new Map([...e,...t.filter(r=>r.run===o&&Fo(r))].map(r=>[Ho(r),r])).values()].sort((r,a)=>a.at.localeCompare(r.at)).slice(0,100)}var Xc={passed:{tone:"good",text:"passed"},failed:{tone:"bad",text:"failed"},error:{tone:"warn",text:"error, does not count"},skipped:{tone:"plain",text:"skipped"},no_tool_call:{tone:"plain",text:"no tool call, does not count"}},Qc=10,Zc=5,aa=100,Wo=200,eu=50,tu=56;function Bo({verdicts:e,label:t,models:o=!1}){let n=e.length>Wo?eu:Wo;return Array.from({length:Math.ceil(e.length/n)},(a,i)=>i*n).map(a=>{let i=e.slice(a,a+n);return s`<ul
      key=${a}
      class="val-verdicts"
      aria-label=${a===0?t:`${t}, from ${a+1} on`}
      style=${e.length>Wo?{contentVisibility:"auto",containIntrinsicSize:`auto ${i.length*tu}px`}:{}}
    >
      ${i.map(l=>s`<${ou} key=${Ho(l)} verdict=${l} models=${o} />`)}
    </ul>`})}function ou({verdict:e,models:t}){let{tone:o,text:n}=Xc[e.result];return s`
    <li>
      <div class="row">
        <${k} tone=${o}>${n}<//>
        <strong>${e.case}${e.repeat>1&&` #${e.repeat}`}</strong>
        ${t&&s`<span>${e.model}</span>`}
        ${e.category&&s`<${Z}>${Wt(e.category)}<//>`}
        ${e.counted===!1&&s`<${Z}>by hand, not counted<//>`}
        <small class="row val-facts">
          <${V} at=${e.at} />
          <span class="number">${A(e.latency_ms)}</span>
          <span class="number">${_(e.tokens,"token")}</span>
          ${typeof e.cost_usd=="number"&&s`<span class="number">${ne(e.cost_usd)}</span>`}
          ${e.request_id&&s`<${X} text=${e.request_id} label="Copy the request id" />`}
        </small>
      </div>
      ${e.reasons.length>0&&s`<ul class="val-reasons">${e.reasons.map(r=>s`<li>${r}</li>`)}</ul>`}
    </li>
  `}function Gt({pages:e,label:t,models:o=!1,wanted:n,wrongOnly:r,onWrongOnly:a}){let{items:i,read:l,more:c,next:d,task:u}=e,f=i.filter(m=>Fo(m)&&n(m)&&!(r&&m.result==="passed")),p=l&&c&&!u.busy&&!u.error&&f.length<Qc&&i.length<Zc*aa;return b(()=>{p&&d()}),u.error&&!l?s`<${T} error=${u.error} onRetry=${d} />`:l?s`
    <div class="row spread">
      <span role="status">${_(f.length,"verdict")} of ${C(i.length)} read${c?", there are more":""}</span>
      <label class="check">
        <input type="checkbox" checked=${r} onChange=${()=>a(!r)} />
        Only what was not passed
      </label>
    </div>
    ${f.length===0&&!c&&s`<p>None.</p>`}
    <${Bo} verdicts=${f} label=${t} models=${o} />
    <${nu} pages=${e} />
  `:s`<${q} lines=${6} what=${t} />`}function nu({pages:{more:e,next:t,task:o}}){return o.error?s`<${T} error=${o.error} onRetry=${t} />`:o.busy?s`<${O} what="reading verdicts" since=${o.since} />`:e&&s`<div><button type="button" onClick=${t}>Read the next ${aa}</button></div>`}var ru=100;function ia({model:e,category:t,status:o,focus:n,onClose:r}){let[a,i]=$(!1),l=fe.find(u=>u.name===t),c=We(async(u,f)=>{let{records:p,cursor:m}=await v.history(e,{limit:ru,cursor:u,signal:f});return{items:p,cursor:m}},[e]);Q([{keys:"Escape",label:"close the verdicts",run:r}]);let d=l?o?.categories?.[l.name]:o?.rate;return s`
    <${Fe} title=${`${l?l.title:"All verdicts"} · ${e}`} focus=${n} onClose=${r}>
      ${l&&s`<p>Tries: ${l.tries}.</p>`}
      ${d&&s`<p>${d.successes} of ${_(d.tests,"test")} passed, ${de(d)}.</p>`}
      ${!l&&o&&s`<${su} status=${o} />`}
      <${Gt}
        pages=${c}
        label=${`Verdicts of ${e}`}
        wanted=${u=>!l||u.category===l.name}
        wrongOnly=${a}
        onWrongOnly=${i}
      />
    <//>
  `}function su({status:e}){let t=[typeof e.latency_ms=="number"&&A(e.latency_ms),typeof e.tokens=="number"&&_(Math.round(e.tokens),"token"),typeof e.cost_usd=="number"&&ne(e.cost_usd)].filter(Boolean),{by_hand:o}=e,n=[(e.errors??0)>0&&_(e.errors??0,"error"),(e.no_tool_calls??0)>0&&`${_(e.no_tool_calls??0,"plain test")} without a tool call`,o&&`${_(o.tests+o.errors+o.no_tool_calls,"test")} by hand`].filter(Boolean);return s`<p>
    ${t.length>0&&`A case takes ${t.join(", ")} on average.`}
    ${n.length>0&&` Not counted: ${n.join(", ")}.`}
  </p>`}var au=12;function la({models:e,first:t,onFill:o}){return s`
    <${ue} title="No model has been tried yet">
      <p>
        Providers say of most models that they call tools. Whether one calls the right tool with the right arguments, and
        leaves tools alone where none fits, is found out by trying: a suite of cases is asked and each answer is graded.
      </p>
      ${t&&s`<button type="button" onClick=${()=>o(t)}>Validate ${t}</button>`}
      ${!t&&e.loading&&s`<p>The models are being asked for.</p>`}
      ${!t&&!e.loading&&s`<p>No model that calls tools is known; see the configuration.</p>`}
    <//>
  `}function ca({models:e,onFill:t}){if(e.length===0)return null;let o=e.slice(0,au).map(({id:r})=>r),n=e.length-o.length;return s`
    <div class="notice">
      <span aria-hidden="true">🔧⚠️</span> ${_(e.length,"model")} not tested yet: that they call tools is only said of
      them.
      <div class="row">
        ${o.map(r=>s`<button type="button" class="quiet" title=${`Put ${r} into the form`} onClick=${()=>t(r)}>${r}</button>`)}
        ${n>0&&`and ${n} more`}
      </div>
    </div>
  `}function ua({params:e,change:t,statuses:o,rows:n,models:r,onFill:a}){let i=w(null),l=r.data?.models??[],{model:c,category:d="",run:u}=e,f=m=>{i.current=document.activeElement,t(m,{replace:!1})},p=()=>{t({model:"",category:""},{replace:!1}),i.current instanceof HTMLElement&&i.current.focus(),i.current=null};return s`
    ${o.error&&s`<${T} error=${o.error} onRetry=${o.reload} />`}
    ${!o.data&&!o.error&&s`<${q} lines=${6} what="what is known of the models" />`}
    ${o.data&&n.length===0&&!u&&s`<${la} models=${r} first=${rt(l)[0]?.id} onFill=${a} />`}
    ${n.length>0&&s`
        <h2>What is known</h2>
        <${oa}
          statuses=${n}
          order=${Hs(e.sort)}
          onOrder=${m=>t({sort:m})}
          ticked=${He(e.compare)}
          onTick=${m=>t({compare:Ws(He(e.compare),m).join(" ")})}
          open=${c&&{model:c,category:d}}
          onOpen=${f}
        />
        <${iu} names=${He(e.compare)} rows=${n} onClose=${()=>t({compare:""})} />
        <${ca} models=${Bs(l,n)} onFill=${a} />
      `}
    ${c&&s`<${ia}
        model=${c}
        category=${d}
        status=${n.find(m=>m.model_id===c)}
        focus=${i.current!==null}
        onClose=${p}
      />`}
  `}function iu({names:e,rows:t,onClose:o}){let[n,r]=e.map(a=>t.find(i=>i.model_id===a));return n&&r?s`<${Qs} a=${n} b=${r} onClose=${o} />`:e.length===1&&s`<p role="status">Tick another model to compare it with ${e[0]}.</p>`}var lu=[1e3,1500,2e3,3e3],cu=3e3;function le({status:e}){return e!=="queued"&&e!=="running"}function da(e,t){let o=B(),n=w(t);n.current=t;let[r,a]=$(0),[i,l]=$(uu),c=w(void 0);return b(()=>{let d=new AbortController,{signal:u}=d,f=0,p=0,m=!1,h=async()=>{if(clearTimeout(f),!(document.hidden||m)){m=!0;try{let g=await v.validationRun(e,{limit:1,signal:u}),x=c.current;if(l(M=>du(M,g,x)),x!==void 0&&x.status!==g.status&&n.current(g),le(g)){c.current=g;return}let S=await mu(x,g,u);c.current=g,l(M=>({...M,latest:sa(M.latest,S,e)}))}catch(g){if(u.aborted)return;let x=_t(g);if(l(S=>({...S,error:x})),x.kind!=="offline"&&x.kind!=="failed")return}finally{m=!1}f=setTimeout(h,lu[p++]??cu)}},y=()=>{!document.hidden&&(c.current===void 0||!le(c.current))&&h()};return h(),document.addEventListener("visibilitychange",y),()=>{d.abort(),clearTimeout(f),document.removeEventListener("visibilitychange",y)}},[e,o,r]),{...i,again:E(()=>a(d=>d+1),[])}}function uu(){return{run:void 0,latest:[],error:void 0,advancedAt:performance.now()}}function du(e,t,o){let n=t.done===o?.done?e.advancedAt:performance.now();return{...e,run:t,error:void 0,advancedAt:n}}async function mu(e,t,o){return(await Promise.all(ra(e,t).map(({model:r,limit:a})=>v.history(r,{limit:a,signal:o})))).flatMap(r=>r.records)}var fu=20,pu={queued:"plain",running:"plain",finished:"good",stopped:"warn",failed:"bad"};function Vo({status:e}){return s`<${k} tone=${pu[e]}>${e}<//>`}function ma({open:e,changed:t,onOpen:o}){let{items:n,read:r,more:a,next:i,restart:l,task:c}=We(async(d,u)=>{let{runs:f,cursor:p}=await v.validationRuns({limit:fu,cursor:d,signal:u});return{items:f,cursor:p}});return b(()=>{t>0&&l()},[t,l]),s`
    <h2>Runs</h2>
    ${!r&&!c.error&&s`<${q} what="the runs" />`}
    ${c.error&&s`<${T} error=${c.error} onRetry=${i} />`}
    ${r&&n.length===0&&s`<small>None yet.</small>`}
    <ul class="val-runs">
      ${n.map(d=>s`
          <li key=${d.id}>
            <button type="button" aria-pressed=${d.id===e} onClick=${()=>o(d.id)}>
              <span class="row spread"><${Vo} status=${d.status} /><small><${V} at=${d.created_at} /></small></span>
              <span>${d.suite}${d.repeats>1&&` × ${d.repeats}`} · ${hu(d)}</span>
              <small class="number">${$u(d)}</small>
            </button>
          </li>
        `)}
    </ul>
    <div class="row">
      ${a&&!c.busy&&s`<button type="button" onClick=${i}>Older runs</button>`}
      ${c.busy&&r&&s`<${O} what="reading the runs" since=${c.since} />`}
    </div>
  `}function $u({passed:e,failed:t,total:o}){let n=e+t;return n===0?`${_(o,"chat")} at most`:`${C(e)} of ${C(n)} passed`}function hu({models:e}){return e.length<=2?e.map(({model:t})=>t).join(", "):_(e.length,"model")}var _u=100,gu=3e4;function pa({id:e,onStatus:t,onClose:o}){let{run:n,latest:r,error:a,advancedAt:i,again:l}=da(e,t),c=j(()=>performance.now(),[]);return s`
    <${Fe} title=${n?`Run of ${n.suite}${n.repeats>1?` × ${n.repeats}`:""}`:"Run"} seen onClose=${o}>
      ${!n&&!a&&s`<${O} what="reading the run" since=${c} />`}
      ${n&&s`<${bu} run=${n} advancedAt=${i} onChanged=${l} />`}
      ${a&&s`<${T} error=${a} onRetry=${l} />`}
      ${n&&s`<${wu} run=${n} />`}
      ${n&&le(n)&&s`<${vu} run=${n} />`}
      ${n&&!le(n)&&s`<h3>Latest verdicts</h3>
          <div class="val-box" tabindex="0" role="region" aria-label="Latest verdicts">
            ${r.length===0?s`<p>None has arrived yet.</p>`:s`<${Bo} verdicts=${r} label="Latest verdicts" models />`}
          </div>`}
    <//>
  `}function bu({run:e,advancedAt:t,onChanged:o}){let n=P(),r=j(()=>performance.now()-(Date.now()-Date.parse(e.created_at)),[e.created_at]),a=!le(e)&&performance.now()-t>gu,i=c=>n.run(async d=>{await c(e.id),d.aborted||o()}),l=[_(e.calls,"chat"),_(e.tokens,"token"),e.cost_usd>0&&ne(e.cost_usd),e.finished_at&&A(Date.parse(e.finished_at)-Date.parse(e.created_at))].filter(Boolean);return s`
    <div class="row">
      <span role="status"><${Vo} status=${e.status} />${le(e)&&` ${fa(e)}`}</span>
      ${!le(e)&&s`<${O} what="" since=${r} /> <button type="button" disabled=${n.busy} onClick=${()=>i(v.stopValidation)}>Stop</button>`}
    </div>
    ${e.reason&&s`<p>${e.reason}</p>`}
    <div>
      <progress class="val-progress" max=${e.total} value=${e.done} aria-label="Verdicts in all"></progress>
      <small>${C(e.done)} of ${_(e.total,"verdict")}${!le(e)&&`: ${fa(e)}`} · ${l.join(" · ")}</small>
    </div>
    ${a&&s`<div class="notice row">
        Nothing has come for a while. Cases whose messages were lost can be asked again; no verdict is lost.
        <button type="button" disabled=${n.busy} onClick=${()=>i(v.resumeValidation)}>Resume</button>
      </div>`}
    ${n.error&&s`<${T} error=${n.error} />`}
  `}function fa({passed:e,failed:t,errors:o,skipped:n}){let r=[`${C(e)} passed`,`${C(t)} failed`];return o>0&&r.push(_(o,"error")),n>0&&r.push(`${C(n)} skipped`),r.join(", ")}var yu={passes:"✓ decided: passes",fails:"✕ decided: fails"};function wu({run:e}){let t=e.total/e.models.length;return s`
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
          ${e.models.map(({model:o,rate:n,done:r,errors:a,skipped:i,decided:l})=>s`
              <tr key=${o}>
                <th scope="row" class="val-model">${o}${l&&s`<div><small>${yu[l]}</small></div>`}</th>
                <td>
                  <progress class="val-progress" max=${t} value=${r} aria-label=${`Verdicts of ${o}`}></progress>
                  <small class="number">${C(r)} of ${C(t)}</small>
                </td>
                <td class="number">${C(n?.successes??0)}</td>
                <td class="number">${C((n?.tests??0)-(n?.successes??0))}</td>
                <td class="number">${C(a)}</td>
                <td class="number">${C(i)}</td>
                <td>${n&&s`<${yt} rate=${n} />`}</td>
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}function vu({run:e}){let[t,o]=$(e.failed+e.errors>0),n=We(async(r,a)=>{let{verdicts:i,cursor:l}=await v.validationRun(e.id,{limit:_u,cursor:r,signal:a});return{items:i,cursor:l}},[e.id]);return s`
    <h3>Verdicts</h3>
    <div class="val-box" tabindex="0" role="region" aria-label="Verdicts of this run">
      <${Gt}
        pages=${n}
        label="Verdicts of this run"
        models
        wanted=${()=>!0}
        wrongOnly=${t}
        onWrongOnly=${o}
      />
    </div>
  `}function Ut(e,{replace:t=!0}={}){let o=Oe();o.view==="validation"&&F("validation",{...o.params,...e},{replace:t})}function ku(e){Ut({models:e}),document.getElementById(No)?.focus()}function $a({place:{params:e}}){let t=se(f=>v.statuses(f)),o=se(f=>v.suites(f)),n=Ie(),[r,a]=$(0),i=t.data?.validations.filter(f=>f.tested||f.errors>0)??[],l=f=>{a(p=>p+1),le(f)&&(t.reload(),n.reload())},c=f=>Ut({run:f},{replace:!1}),u=s`
    <${Us} params=${e} change=${Ut} suites=${o} models=${n} statuses=${i} onStarted=${f=>{a(p=>p+1),c(f.id)}} />
    <${ma} open=${e.run??""} changed=${r} onOpen=${c} />
  `;return s`
    <${ie} title="Validation" choose=${u}>
      ${e.run&&s`<${pa} key=${e.run} id=${e.run} onStatus=${l} onClose=${()=>c("")} />`}
      <${ua} params=${e} change=${Ut} statuses=${t} rows=${i} models=${n} onFill=${ku} />
    <//>
  `}var xu={"tools-testing":Ds,chat:gr,validation:$a,retrieval:cs,configuration:Hr};function ha({place:e}){return s`<${xu[e.view]} place=${e} />`}function _a(){let e=gn(),t=B(),o=w(t!==""),[n,r]=$(t===""),[a,i]=$(!1);return o.current||=t!=="",b($t,[]),b(()=>{let l=Je.find(c=>c.name===e.view)?.title;document.title=`${l} · Flexchat`},[e.view]),b(()=>{t===""&&r(!0)},[t]),Q([{keys:"?",label:"list the keys",run:()=>i(!0)}]),s`
    <a class="skip" href="#main">Skip to what this view shows</a>
    <${kn} place=${e} onToken=${()=>r(!0)} onHelp=${()=>i(!0)} />
    <main id="main" tabindex="-1">
      ${o.current&&s`<${ha} key=${e.view} place=${e} />`}
    </main>
    <${Cn} open=${n} needed=${t===""} onClose=${()=>r(!1)} />
    <${Re} title="Keys" open=${a} onClose=${()=>i(!1)}>
      <dl class="keys">
        ${lo().map(({keys:l,label:c})=>s`
            <dt><kbd>${oe(l)}</kbd></dt>
            <dd>${c}</dd>
          `)}
        <dt><kbd>Tab</kbd></dt>
        <dd>go on to the next thing that can be used</dd>
      </dl>
    <//>
  `}to(s`<${_a} />`,document.getElementById("app"));
