for(let e of document.querySelectorAll("link"))e.setAttribute("href",e.href);/*! preact 11.2.0, MIT: see LICENSE.preact.txt */var U,Ho,fc,ve,wn,Bt,Ko,Pt,Wo,kn,vn,mc,tt=Symbol.for("pv"),Ft={},Ht=[],pc=/^m(i|n|o|s|text|space)$/,Sn=Array.isArray,Tn=Ht.slice,Ae=Object.assign;function Ce(e){e&&e.parentNode&&e.remove()}function jo(e,t,n){var o,r,s,i={},a=arguments.length;for(s in t)s=="key"?o=t[s]:s=="ref"&&typeof e!="function"?r=t[s]:i[s]=t[s];return a>2&&(i.children=a>3?Tn.call(arguments,2):n),et(e,i,o,r,null)}function et(e,t,n,o,r){var s={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:tt,__v:r||++Ho,__i:-1,__u:0};return!r&&U.vnode&&U.vnode(s),s}function nt(e){return e.children}function qt(e,t){this.props=e,this.context=t,this.__g=0}function ke(e,t){if(t==null)return e.__&&ke(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:ke(e)}function hc(e){var t,n=e.__v,o=n.__e,r=[],s=[],i=e.__P;i&&((t=Ae({constructor:tt},n)).__v=n.__v+1,U.vnode&&U.vnode(t),xn(i,t,n,e.__n,i.namespaceURI,32&n.__u?[o]:null,r,o||ke(n),32&n.__u,s),t.__v=n.__v,t.__.__k[t.__i]=t,Xo(r,t,s),n.__=n.__e=null,t.__e!=o&&Vo(t))}function Vo(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),Vo(e)}function Bo(e){(8&e.__g||(e.__g|=8,ve.push(e),Bt++))&&wn==U.debounceRendering||((wn=U.debounceRendering)||queueMicrotask)(Go)}function Go(){try{for(var e,t=1;ve.length;)ve.length>t&&ve.sort(Ko),e=ve.shift(),t=ve.length,8&e.__g&&hc(e)}finally{(Bt=ve.length)&&(wn||queueMicrotask)(Go)}}function zo(e,t,n,o,r,s,i,a,u,d,l){var f,p,m,h,w,v,A=o.__k||Ht,y=t.length;for(u=$c(n,t,A,u,y),f=0;f<y;f++)(m=n.__k[f])!=null&&(p=~m.__i&&A[m.__i]||Ft,m.__i=f,v=xn(e,m,p,r,s,i,a,u,d,l),h=m.__e,(p.ref!=m.ref||8&p.__u)&&(p.ref&&En(p.ref,null,m,p),m.ref&&l.push(m.ref,m.__c||h,m)),w=w||h,4&m.__u?(u=Jo(m,u,e,!p.__v),p.__e&&(p.__e=null)):typeof m.type=="function"&&v!==void 0?u=v:h&&(u=h.nextSibling),m.__u&=-21);return n.__e=w,u}function $c(e,t,n,o,r){var s,i,a,u,d,l,f,p,m,h=n.length,w=h,v=0,A=0,y=e.__k=Array(r);for(s=0;s<r;s++)(i=t[s])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=y[s]=et(null,i):Sn(i)?i=y[s]=et(nt,{children:i}):i.constructor===tt&&i.__b?i=y[s]=et(i.type,i.props,i.key,i.ref,i.__v):y[s]=i,u=s+v,i.__=e,i.__b=e.__b+1,a=null,~(d=i.__i=_c(i,n,u,w))&&(w--,(a=n[d])&&(a.__u|=2)),a&&a.__v?(i.__u|=16,d==u-1?v--:d==u+1?v++:d!=u&&(d>u?v--:v++,A=1)):(~d||(r>h?v--:r<h&&v++),typeof i.type!="function"&&(i.__u|=4))):y[s]=null;if(A){for(l=[],f=[],s=0;s<r;s++)if((i=y[s])&&16&i.__u){for(v=0,p=l.length;v<p;)l[m=v+p>>1]<i.__i?v=m+1:p=m;l[v]=i.__i,f[s]=v+1}for(v=l.length;s--;)f[s]&&(f[s]==v?v--:y[s].__u|=4)}if(w)for(s=0;s<h;s++)!(a=n[s])||2&a.__u||(a.__e==o&&(o=ke(a)),Cn(a,a));return o}function Jo(e,t,n,o){var r,s,i,a;if(typeof e.type=="function"){if(e.props.__P)return t;if(r=e.__k)for(s=0;s<r.length;s++)r[s]&&(r[s].__=e,t=Jo(r[s],t,n,!1));return t}for(t&&!t.parentNode&&(t=ke(e))&&!t.parentNode&&(t=null),i=e.__e,a=t;a&&a.nodeType==8;)a=a.nextSibling;for(i!=a&&(!o&&n.moveBefore&&i.parentNode?n.moveBefore(i,t):n.insertBefore(i,t||null)),t=i;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function _c(e,t,n,o){var r,s=e.key,i=e.type,a=t[n],u=a&&!(2&a.__u);if(a===null&&s==null||u&&s==a.key&&i==a.type)return n;if(o>(u?1:0)){for(r=n-1;r>=0;r--)if((a=t[r])&&!(2&a.__u)&&s==a.key&&i==a.type)return r;for(r=n+1;r<t.length;r++)if((a=t[r])&&!(2&a.__u)&&s==a.key&&i==a.type)return r}return-1}function Fo(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Dt(e,t,n,o,r){var s,i;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.cssText=o=""),o)for(t in o)n&&t in n||Fo(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||Fo(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(i=vn[t]||(vn[t]=gc(t)),(e.__a||(e.__a={}))[t]=kn,s=t!=(t=t.replace(Wo,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,i,s):e.removeEventListener(t,i,s));else{if(r=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function gc(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[Pt]==null)t[Pt]=kn++;else if(t[Pt]<this.__a[e])return;return n(U.event?U.event(t):t)}}}function xn(e,t,n,o,r,s,i,a,u,d){var l,f,p,m,h,w,v,A,y,k,C,J,se,te,O,ne,g,x,I=t.type;if(t.constructor!==tt)return null;128&n.__u&&(u=32&n.__u,l=n.__c.__z)&&(t.__u|=u,f=s=[],l.nodeType==8?a=Ut(l,s):s.push(l),a=s[0]||a),(l=U.__b)&&l(t);e:if(typeof I=="function"){p=i.length;try{if(A=t.props,y=(l=I.prototype)&&l.render,k=(l=I.contextType)&&o[l.__c],C=l?k?k.props.value:l.__:o,(m=n.__c)?(t.__c=m,2&m.__g&&(m.__g|=1)):(y?t.__c=m=new I(A,C):(t.__c=m=new qt(A,C),m.constructor=I,m.render=yc),k&&k.sub(m),m.state||(m.state={}),m.__n=o,m.__g|=8,m.__h=[],m.__k=[]),y&&(m.__s||(m.__s=m.state),I.getDerivedStateFromProps&&(m.__s==m.state&&(m.__s=Ae({},m.__s)),Ae(m.__s,I.getDerivedStateFromProps(A,m.__s)))),h=m.props,w=m.state,m.__v=t,n.__c){if(A!==h&&y&&!I.getDerivedStateFromProps&&m.componentWillReceiveProps&&m.componentWillReceiveProps(A,C),t.__v==n.__v&&!(8&m.__g)||!(4&m.__g)&&m.shouldComponentUpdate&&m.shouldComponentUpdate(A,m.__s,C)===!1){t.__v!=n.__v&&(m.props=A,m.state=m.__s,m.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(L){L&&(L.__=t)}),Ht.push.apply(m.__h,m.__k),m.__k=[],m.__h.length&&i.push(m),a=ke(n);break e}m.componentWillUpdate&&m.componentWillUpdate(A,m.__s,C),y&&m.componentDidUpdate&&m.__h.push(function(){m.componentDidUpdate(h,w,v)})}else y&&!I.getDerivedStateFromProps&&m.componentWillMount&&m.componentWillMount(),y&&m.componentDidMount&&m.__h.push(m.componentDidMount);m.context=C,m.props=A,m.__P=e,m.__g&=-5,J=U.__r,se=y?25:0;do m.__g&=-9,J&&J(t),l=m.render(m.props,m.state=m.__s,m.context);while(8&m.__g&&++se<25);y&&(Ht.push.apply(m.__h,m.__k),m.__k=[]),m.state=m.__s,m.getChildContext&&(o=Ae({},o,m.getChildContext())),y&&n.__c&&m.getSnapshotBeforeUpdate&&(v=m.getSnapshotBeforeUpdate(h,w)),te=l&&l.type===nt&&l.key==null?l.props.children:l,A.__P&&(l=a,r=(e=A.__P).namespaceURI,u=s=null,n.props&&n.props.__P!=e&&(n.__k.some(function(L){L&&Cn(L,L)}),n.__k=null),a=n.__k?ke(n,0):null),a=zo(e,Sn(te)?te:[te],t,n,o,r,s,i,a,u,d),A.__P&&(t.__e=null,a=l),t.__u&=-161,f&&f.some(Ce),m.__h.length&&i.push(m),1&m.__g&&(m.__g&=-4)}catch(L){if(i.length=p,t.__v=null,u||s)if(L&&L.then){if(t.__u|=128|u,s){for(~(g=s.indexOf(a||void 0))||(g=s.length);(x=s[g-1])&&x.nodeType==8;)g--;for(;g<s.length;g++)if(x=s[g])if(s[g]=null,O){if(x==ne)break}else{if(x.nodeType!=8)break;x.data.startsWith("$s")&&(ne=Ut(O=x))}}if(!O){for(;a&&a.nodeType==8&&a.nextSibling;)a=a.nextSibling;O=a}(l=Ut(O=t.__c.__z||(t.__c.__z=O)))?(t.__e=O,a=l):t.__e=a,a=a&&a.nextSibling}else s&&s.some(Ce);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),L&&L.then||Yo(t),U.__e(L,t,n)}}else a=t.__e=bc(n.__e,t,n,o,r,s,i,u,d,e);return(l=U.diffed)&&l(t),a}function Ut(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function Yo(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Yo))}function Xo(e,t,n){for(var o=0;o<n.length;)En(n[o++],n[o++],n[o++]);U.__c&&U.__c(t,e),e.some(function(r){try{e=r.__h,r.__h=[],e.some(function(s){s.call(r)})}catch(s){U.__e(s,r.__v)}})}function bc(e,t,n,o,r,s,i,a,u,d){var l,f,p,m,h,w,v,A,y=n.props||Ft,k=t.props,C=t.type;if(C=="svg"?r="http://www.w3.org/2000/svg":C=="math"?r="http://www.w3.org/1998/Math/MathML":r||(r="http://www.w3.org/1999/xhtml"),s){for(l=0;l<s.length;l++)if((h=s[l])&&(C?h.localName==C:h.nodeType==3)){e=h,s[l]=null;break}}if(!e){if(A=d.ownerDocument||document,!C)return A.createTextNode(k);e=A.createElementNS(r,C,k.is?k:d),a&&(U.__m&&U.__m(t,s),a=!1),s=null}if(C){if(d=C=="template"&&e.content||e,s=C=="textarea"&&k.defaultValue!=null?null:s&&Tn.call(d.childNodes),!a&&s)for(y={},l=0;l<e.attributes.length;l++)y[(h=e.attributes[l]).name]=h.value;for(l in y)h=y[l],l=="dangerouslySetInnerHTML"?p=h:l=="children"||l in k||l=="value"&&"defaultValue"in k||l=="checked"&&"defaultChecked"in k||Dt(e,l,null,h,r);for(l in k)h=k[l],l=="children"?m=h:l=="dangerouslySetInnerHTML"?f=h:l=="value"?w=h:l=="checked"?v=h:a&&typeof h!="function"||y[l]===h||Dt(e,l,h,y[l],r);f?(a||p&&(f.__html==p.__html||f.__html==e.innerHTML)||(e.innerHTML=f.__html),t.__k=[]):(p&&(e.textContent=""),(C=="foreignObject"||r=="http://www.w3.org/1998/Math/MathML"&&pc.test(C))&&(r="http://www.w3.org/1999/xhtml"),zo(d,Sn(m)?m:[m],t,n,o,r,s,i,s?s[0]:n.__k&&ke(n,0),a,u),s&&s.some(Ce)),a&&C!="textarea"||(l="value",C=="progress"&&w==null?e.removeAttribute(l):w==null||w===e[l]&&(C!="progress"||w)||Dt(e,l,w,y[l],r),l="checked",v!=null&&v!=e[l]&&Dt(e,l,v,y[l],r))}else y===k||a&&e.data==k||(e.data=k);return e}function En(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(r){U.__e(r,n)}}function Cn(e,t,n){var o,r,s,i;if(U.unmount&&U.unmount(e),!(o=e.ref)||o.current&&o.current!=e.__e||En(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(a){U.__e(a,t)}o.__P=o.__n=null}if(o=e.__k)for(i=0;i<o.length;i++)o[i]&&Cn(o[i],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(r=Ut(o,s=[]))&&(o==e.__e&&s.some(Ce),Ce(r),Ce(o)),n||Ce(e.__e),e.__e=e.__c=e.__=null}function yc(e,t,n){return this.constructor(e,n)}function An(e,t){var n,o,r,s;U.__&&U.__(e,t),t.nodeType==9&&(t=t.documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=et(nt,{children:[e]}),r=[],s=[],xn(t,t.__k,o||Ft,Ft,t.namespaceURI,o?null:t.firstChild?Tn.call(t.childNodes):null,r,o?o.__e:t.firstChild,n,s),Xo(r,t.__k,s),t.__k.props.children=null}U={__e:function(e,t,n,o){for(var r,s,i;t=t.__;)if((r=t.__c)&&!(1&r.__g)){r.__g|=4;try{if((i=(s=r.constructor)&&s.getDerivedStateFromError)&&r.setState(s.getDerivedStateFromError(e)),r.componentDidCatch&&(r.componentDidCatch(e,o||{}),i=1),i&&8&r.__g)return void(r.__g|=2)}catch(a){e=a}}throw Bt=0,e}},Ho=0,fc=function(e){return e!=null&&e.constructor===tt},qt.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=Ae({},this.state)),typeof e=="function"&&(e=e(Ae({},n),this.props)),e&&(Ae(n,e),this.__v&&(t&&this.__k.push(t),Bo(this)))},qt.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Bo(this))},qt.prototype.render=nt,ve=[],Bt=0,Ko=function(e,t){return e.__v.__b-t.__v.__b},Pt=Symbol(),Wo=/(PointerCapture)$|Capture$/i,kn=0,vn={},mc=0;/*! htm 3.1.1, Apache-2.0: see LICENSE.htm.txt */var Zo=function(e,t,n,o){var r;t[0]=0;for(var s=1;s<t.length;s++){var i=t[s++],a=t[s]?(t[0]|=i?1:2,n[t[s++]]):t[++s];i===3?o[0]=a:i===4?o[1]=Object.assign(o[1]||{},a):i===5?(o[1]=o[1]||{})[t[++s]]=a:i===6?o[1][t[++s]]+=a+"":i?(r=e.apply(a,Zo(e,a,n,["",null])),o.push(r),a[0]?t[0]|=2:(t[s-2]=0,t[s]=r)):o.push(a)}return o},Qo=new Map;function er(e){var t=Qo.get(this);return t||(t=new Map,Qo.set(this,t)),(t=Zo(this,t.get(e)||(t.set(e,t=(function(n){for(var o,r,s=1,i="",a="",u=[0],d=function(p){s===1&&(p||(i=i.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?u.push(0,p,i):s===3&&(p||i)?(u.push(3,p,i),s=2):s===2&&i==="..."&&p?u.push(4,p,0):s===2&&i&&!p?u.push(5,0,!0,i):s>=5&&((i||!p&&s===5)&&(u.push(s,0,i,r),s=6),p&&(u.push(s,p,0,r),s=6)),i=""},l=0;l<n.length;l++){l&&(s===1&&d(),d(l));for(var f=0;f<n[l].length;f++)o=n[l][f],s===1?o==="<"?(d(),u=[u],s=3):i+=o:s===4?i==="--"&&o===">"?(s=1,i=""):i=o+i[0]:a?o===a?a="":i+=o:o==='"'||o==="'"?a=o:o===">"?(d(),s=1):s&&(o==="="?(s=5,r=i,i=""):o==="/"&&(s<5||n[l][f+1]===">")?(d(),s===3&&(u=u[0]),s=u,(u=u[0]).push(2,0,s),s=0):o===" "||o==="	"||o===`
`||o==="\r"?(d(),s=2):i+=o),s===3&&i==="!--"&&(s=4,u=u[0])}return d(),u})(e)),t),arguments,[])).length>1?t:t[0]}/*! preact/hooks 11.2.0, MIT: see LICENSE.preact.txt */var Re,z,Rn,tr,In=Object.is,rt=0,lr=[],On=[],G=U,nr=G.__b,or=G.__r,rr=G.diffed,sr=G.__c,ir=G.unmount,ar=G.__;function st(e,t){G.__h&&G.__h(z,e,rt||t),rt=0;var n=z.__H||(z.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function $(e){return rt=1,wc(dr,e)}function wc(e,t,n){var o=st(Re++,2);if(o.t=e,!o.__c&&(o.__=[n?n(t):dr(void 0,t),function(s){var i=(o.__N||o.__)[0],a=o.t(i,s);In(i,a)||(o.__N=[a,o.__[1]],o.__c.setState({}))}],o.__c=z,!z.__f)){z.__f=!0;var r=z.shouldComponentUpdate;z.shouldComponentUpdate=function(s,i,a){var u=this.__H;if(!u)return!0;var d=!1,l=this.props!=s;if(u.__.some(function(p){p.__N&&(d=!0,In(p.__[0],p.__N[0])||(l=!0))}),r){var f=r.call(this,s,i,a);return d?f||l:f}return!d||l}}return o.__}function b(e,t){var n=st(Re++,3);!G.__s&&Mn(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,z.__H.__h.push(n))}function F(e,t){var n=st(Re++,4);!G.__s&&Mn(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,z.__h.push(n))}function _(e){return rt=5,H(function(){return{current:e}},[])}function H(e,t){var n=st(Re++,7);return Mn(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function S(e,t){return rt=8,H(function(){return e},t)}function ie(){var e=st(Re++,11);if(!e.__){for(var t=z.__v;!t.__m&&t.__;)t=t.__;var n=t.__m||(t.__m=[0,0]);e.__="P"+n[0]+"-"+n[1]++}return e.__}function vc(){var e;do{for(;e=On.shift();)try{ot(e)}catch(n){G.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=lr.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(ot),t.__h.some(Ln),t.__h=[]}catch(n){t.__h=[],G.__e(n,e.__v)}}}while(On.length)}G.__b=function(e){z=null,nr&&nr(e)},G.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),ar&&ar(e,t)},G.__r=function(e){or&&or(e),Re=0;var t=(z=e.__c).__H;t&&(Rn==z?z.__h=[]:(t.__h.some(ot),t.__h.some(Ln),Re=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),Rn=z},G.diffed=function(e){rr&&rr(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&ur(lr.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Rn=z=null},G.__c=function(e,t){t.some(function(n){try{n.__h.some(ot),n.__h=n.__h.filter(function(o){return!o.__||Ln(o)})}catch(o){n.__h=[function(){throw o}]}}),sr&&sr(e,t)},G.unmount=function(e){ir&&ir(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(r){try{if(r.__P&&r.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}r.__P=n,ur(On.push(r))}else ot(r)}catch(s){t=s}}),o.__H=void 0,t&&G.__e(t,o.__v))};var cr=typeof requestAnimationFrame=="function";function kc(e){var t,n=function(){clearTimeout(o),cr&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);cr&&(t=requestAnimationFrame(n))}function ur(e){e!=1&&tr==G.requestAnimationFrame||((tr=G.requestAnimationFrame)||kc)(vc)}function ot(e){var t=z,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),z=t}function Ln(e){var t=z;e.__c=e.__(),z=t}function Mn(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!In(n,e[o])})}function dr(e,t){return typeof t=="function"?t(e):t}var c=er.bind(jo);var W=new URL("../../",import.meta.url),it=document.querySelector('meta[name="flexchat-stage"]')?.getAttribute("content")??"",Pn="chat",at=[{name:"chat",title:"Chat"},{name:"tools-testing",title:"Test"},{name:"validation",title:"Validation"},{name:"traces",title:"Traces"},{name:"usage",title:"Usage"},{name:"retrieval",title:"Retrieval"},{name:"configuration",title:"Configuration",role:"operator"}],Nn="flexchat:route",Dn="runs/",fr="shared/";function Ie(){let e=location.pathname.slice(W.pathname.length).replace(/\/$/,""),t=Object.fromEntries(new URLSearchParams(location.search));return e.startsWith(Dn)?{view:"runs",id:mr(e.slice(Dn.length)),params:t}:e.startsWith(fr)?{view:"shared",id:mr(e.slice(fr.length)),params:t}:{view:at.find(o=>o.name===e)?.name??Pn,id:"",params:t}}function mr(e){try{return decodeURIComponent(e)}catch{return e}}function qn(e){return`${Dn}${encodeURIComponent(e)}`}function pr(){return location.hash.slice(1)}function ct(e,t={}){let n=new URL(e,W);for(let[o,r]of Object.entries(t))r!==""&&n.searchParams.set(o,r);return n.href}function Oe(e,t={},{replace:n=!1}={}){let o=ct(e,t);o!==location.href&&history[n?"replaceState":"pushState"](null,"",o),dispatchEvent(new Event(Nn))}function Kt(){let[e,t]=$(Ie);return b(()=>{let n=()=>t(Ie());return addEventListener("popstate",n),addEventListener(Nn,n),()=>{removeEventListener("popstate",n),removeEventListener(Nn,n)}},[]),e}var Bn="flexchat.sign-in",Un=Sc(),ut=W.href;function hr(e){sessionStorage.setItem(Bn,JSON.stringify(e))}function $r(){return Un?.started!==void 0}function _r(){let e=Un;return Un=void 0,e}function Sc(){let{searchParams:e,pathname:t}=new URL(location.href),n=e.has("state")&&(e.has("code")||e.has("error"));if(t!==W.pathname||!n)return;let o=Tc(),r=o!==void 0&&o.state===e.get("state");return history.replaceState(null,"",r&&o.from.startsWith(W.href)?o.from:W.href),r&&sessionStorage.removeItem(Bn),{started:r?o:void 0,parameters:e.toString()}}function Tc(){let e=sessionStorage.getItem(Bn);return e?JSON.parse(e):void 0}var Fn=new Set;function Hn(){return[...Fn].flatMap(e=>e.current)}function Fe(e){let t=_(e);t.current=e,F(()=>(Fn.add(t),()=>{Fn.delete(t)}),[])}function xc(e){let t=`${e.ctrlKey||e.metaKey?"mod+":""}${e.key}`,o=(e.target instanceof HTMLElement?e.target:null)?.matches("input:not([type=checkbox], [type=radio], [type=range]), textarea, select");if(e.defaultPrevented||e.isComposing||e.altKey||o&&t.length===1||document.querySelector("dialog[open], [popover]:popover-open"))return;let r=Hn().findLast(s=>s.keys===t);r!==void 0&&(e.preventDefault(),r.run())}addEventListener("keydown",xc);var Ec=/Mac|iP/.test(navigator.platform);function pe(e){return e.replace("mod+",Ec?"⌘ ":"Ctrl ").replace("Enter","⏎").replace("Escape","Esc")}var gr="flexchat.theme",br=matchMedia("(prefers-color-scheme: dark)");function Kn(){let e=localStorage.getItem(gr);return e==="light"||e==="dark"?e:br.matches?"dark":"light"}function yr(e){localStorage.setItem(gr,e),Wt()}function Wt(){document.documentElement.dataset.theme=Kn()}br.addEventListener("change",Wt);var Cc="flexchat.",Gt="flexchat.token",jn="flexchat.grant",Le=`flexchat.token ${W.pathname}`,jt=`flexchat.grant ${W.pathname}`,Vt=`flexchat.caller ${W.pathname}`,Se="flexchat:token",Wn="flexchat:sign-in",Ac=new Set(["flexchat.theme","flexchat.enter"]),Te=Rc(),he=Ic(),ge=vr(),lt="",wr=new BroadcastChannel(`flexchat ${W.pathname}`);function Rc(){return sessionStorage.getItem(Gt)?"tab":localStorage.getItem(Le)?"browser":"page"}function Ic(){return sessionStorage.getItem(Gt)??localStorage.getItem(Le)??""}function vr(){let e={page:null,tab:sessionStorage.getItem(jn),browser:localStorage.getItem(jt)}[Te];return e?JSON.parse(e):void 0}function ee(){return he}function oe(){return ge}function de(){return ge?.id??he}function Oc(){return lt}function dt(){return Te}function zt(e,{keep:t="page",grant:n}={}){xr(),Te=t,lt="",kr(e,n)}function Vn(e,t){kr(e,t)}function kr(e,t){he=e,ge=t;let n=t&&JSON.stringify(t);Te==="tab"&&(n&&sessionStorage.setItem(jn,n),sessionStorage.setItem(Gt,e)),Te==="browser"&&(n?localStorage.setItem(jt,n):localStorage.removeItem(jt),localStorage.setItem(Le,e)),Jt()}function Sr(){wr.postMessage({signedOut:Rr()}),Tr()}function He(e,t){e===""||e!==he||(xr(),he="",ge=void 0,lt=t,Jt())}function ft(){dispatchEvent(new Event(Wn))}function Tr(){for(let e of[sessionStorage,localStorage])for(let t of Object.keys(e))t.startsWith(Cc)&&!Ac.has(t)&&e.removeItem(t);he="",ge=void 0,Te="page",lt="",Jt()}function xr(){for(let e of[Gt,jn,Vt])sessionStorage.removeItem(e);if(localStorage.getItem(Le)===he)for(let e of[Le,jt,Vt])localStorage.removeItem(e)}function Er(){return{page:void 0,tab:sessionStorage,browser:localStorage}[Te]}function Cr(e){Er()?.setItem(Vt,e)}function Ar(){return Er()?.getItem(Vt)??""}function Jt(){dispatchEvent(new Event(Se))}function Rr(){return de().split("_",2).join("_")}wr.addEventListener("message",({data:e})=>{he!==""&&e?.signedOut===Rr()&&Tr()});addEventListener("storage",({key:e})=>{e===Le&&Gn()});function Gn(){let e=localStorage.getItem(Le);if(Te!=="browser"||!e||e===he)return;let t=vr();t&&ge&&t.id===ge.id&&t.issued<=ge.issued||(he=e,ge=t,lt="",Jt())}function Ir(e){let[t,n]=$(e);return b(()=>{let o=()=>n(e);return addEventListener(Se,o),()=>removeEventListener(Se,o)},[e]),t}function Y(){return Ir(de)}function Or(){return Ir(Oc)}function Lr(e){b(()=>(addEventListener(Wn,e),()=>removeEventListener(Wn,e)),[e])}function Ke({title:e,open:t,onClose:n,children:o}){let r=_(null),s=ie();return F(()=>{let a=r.current;t&&!a?.open&&a?.showModal(),!t&&a?.open&&a.close()},[t]),c`
    <dialog ref=${r} aria-labelledby=${s} onCancel=${a=>{a.preventDefault(),n?.()}}>
      <div class="dialog-head">
        <h2 id=${s}>${e}</h2>
        ${n&&c`<button type="button" class="quiet" aria-label="Close" onClick=${n}>✕</button>`}
      </div>
      ${t&&o}
    </dialog>
  `}var Mr=JSON,Lc=/^-?\d+$/;function Me(e){return JSON.parse(e,(n,o,r)=>{let s=r?.source??"";return typeof o=="number"&&!Number.isSafeInteger(o)&&Lc.test(s)&&Mr.rawJSON?Mr.rawJSON(s):o})}var E=class extends Error{constructor(t,n,{status:o=0,code:r="",requestId:s="",details:i=[],retryAfter:a=0}={}){super(n),this.kind=t,this.status=o,this.code=r,this.requestId=s,this.details=i,this.retryAfter=a}};var Mc={highlight:()=>import("./modules/highlight-OL6BXZGX.js"),math:()=>import("./modules/math-JE677KDJ.js"),oidc:()=>import("./modules/oidc-C2EA7WWP.js"),views:()=>import("./modules/views-ODTK7SSE.js")},Yt={},zn={};function We(e,t){let[n,o]=$(!1),[,r]=$(!1),[s,i]=$(0);b(()=>{if(!t||Yt[e]!==void 0)return;let u=!0;return Jn(e).then(()=>u&&r(!0),()=>u&&o(!0)),()=>{u=!1}},[e,t,s]);let a=S(()=>{o(!1),i(u=>u+1)},[]);return{module:Yt[e],failed:n,retry:a}}async function Nr(e){return await Jn(e),Yt[e]}function Dr(e){Jn(e).catch(()=>{})}function Jn(e){return zn[e]??=Mc[e]().then(t=>Object.assign(Yt,{[e]:t}),t=>{throw delete zn[e],t}),zn[e]}var K=Nc();function Nc(){let e=document.querySelector('meta[name="flexchat-sign-in"]')?.getAttribute("content");return e?JSON.parse(e):void 0}async function Ne(){try{return await Nr("oidc")}catch{throw new E("offline","The sign-in could not be loaded: the network failed, or the service was updated since you opened this page. Reload the page.")}}function Xt(e){return!(e instanceof Error)||e.name!=="ProviderError"?e:new E("refused",e.message)}var qr=`flexchat.refresh ${W.pathname}`,Dc=6e4,Pc=5e3,qc=3e4,Uc=3e4,Bc=150,Fc=2**31-1,Xn=new BroadcastChannel(qr),Ur=new Set,Yn,Pr=0;function Qn({lifetime:e,...t}){let n=Date.now();return{refresh:t.refresh,idToken:t.idToken,lifetime:e,issued:n,expires:n+e*1e3}}function Zn(){let e=oe();return e===void 0||e.refresh===""?!1:Date.now()>e.expires-Math.min(Pc,e.lifetime*100)}async function Qt(){if(Zn()&&await eo()==="unreachable")throw Fr();return ee()}async function Br(e,t){let n=oe();if(n===void 0||n.id!==t||n.refresh==="")return!1;if(ee()!==e)return!0;if(Date.now()-n.issued<Uc)return!1;let o=await eo();if(o==="unreachable")throw Fr();return o==="renewed"}function Fr(){let e=`Your sign-in could not be renewed: no response of ${K?.name??"the provider"}. Check the network and try again.`;return new E("offline",e)}function eo(){return Yn??=Hc(),Yn}async function Hc(){try{let e=ee(),t=await navigator.locks.request(qr,()=>Kc(e));return t==="unreachable"&&mt(qc),t}finally{Yn=void 0}}async function Kc(e){Gn();let t=oe();if(t===void 0||K===void 0)return"ended";if(ee()===e&&await Wc(t),ee()!==e)return ee()===""?"ended":"renewed";try{let{renew:n}=await Ne(),o=await n(K,t.refresh);return ee()!==e?ee()===""?"ended":"renewed":(Ur.add(t.refresh),Vn(o.access,{id:t.id,...Qn({refresh:o.refresh||t.refresh,idToken:o.idToken||t.idToken,lifetime:o.lifetime||t.lifetime})}),o.refresh!==""&&o.refresh!==t.refresh&&Hr(t.refresh),"renewed")}catch(n){return n.ended?(He(e,`Your sign-in at ${K.name} has ended.`),"ended"):"unreachable"}}async function Wc({refresh:e}){if(dt()==="page")return;let t=ee(),n=performance.now()+Bc;for(Xn.postMessage({asks:e});ee()===t&&performance.now()<n;)await new Promise(o=>setTimeout(o,25))}function Hr(e){dt()!=="page"&&Xn.postMessage({spent:e,token:ee(),grant:oe()})}Xn.addEventListener("message",({data:e})=>{let t=oe();t!==void 0&&(Ur.has(e?.asks)&&e.asks!==t.refresh&&Hr(e.asks),e?.spent!==void 0&&e.spent===t.refresh&&e.grant?.id===t.id&&Vn(e.token,e.grant))});function mt(e=0){clearTimeout(Pr);let t=oe();if(t===void 0||t.refresh===""||K===void 0)return;let n=Math.min(Dc,t.lifetime*250),o=Math.max(e,t.expires-n-Date.now());Pr=setTimeout(()=>{eo()},Math.min(o,Fc))}addEventListener(Se,()=>mt());addEventListener("online",()=>mt());document.addEventListener("visibilitychange",()=>document.hidden||mt());mt();var jc="The service no longer accepts your token: it has expired or was revoked.";async function T(e,t){let n=await pt(e,t);return n.status===204?void 0:await Gc(n)}async function pt(e,t={}){let n=t.headers?.Authorization===void 0,o=n&&Zn()?await Qt():ee(),r=de(),s=await Kr(e,t,o);if(n&&Vc(s)&&await Br(o,r)&&(t.signal?.throwIfAborted(),o=ee(),s=await Kr(e,t,o)),!s.ok){let i=await to(s);throw n&&i.kind==="token"&&He(o,jc),i}return s}function Kr(e,{method:t="GET",body:n,query:o={},headers:r={},signal:s,keepalive:i=!1},a){let u=new URL(e,W);for(let[l,f]of Object.entries(o))f!==void 0&&f!==""&&u.searchParams.set(l,String(f));let d={Accept:"application/json"};return a&&(d.Authorization=`Bearer ${a}`),n!==void 0&&(d["Content-Type"]="application/json"),zc(u,{method:t,headers:{...d,...r},cache:"no-store",credentials:"omit",keepalive:i,...n===void 0?{}:{body:JSON.stringify(n)},...s===void 0?{}:{signal:s}})}function Vc(e){return!e.ok&&Wr(e)==="token"}async function Gc(e){try{return Me(await e.text())}catch(t){throw t instanceof DOMException&&t.name==="AbortError"?t:new E("failed","The response is incomplete or not JSON. Try again.",{status:e.status})}}async function zc(e,t){try{return await fetch(e,t)}catch(n){throw n instanceof DOMException&&n.name==="AbortError"?n:new E("offline","No response. Check the network and that the stack is running, then try again.")}}async function to(e){let t=await e.text().then(Me).catch(()=>({})),n=Wr(e);return new E(n,t.message??`The service returned status ${e.status} without a message.`,{status:e.status,code:t.error??"",requestId:t.request_id??e.headers.get("x-amzn-requestid")??"",details:t.details??[],retryAfter:Number(e.headers.get("retry-after"))||0})}function Wr({status:e,headers:t}){return e===401?"token":e===403?t.has("x-amzn-errortype")?"token":"forbidden":e<500?"refused":"failed"}var N=encodeURIComponent,jr="text/event-stream",M=e=>e===void 0?{}:{signal:e},R={me:e=>T("api/me",M(e)),meFor:(e,t)=>T("api/me",{headers:{Authorization:`Bearer ${e}`},...M(t)}),tools:e=>T("api/tools/list",M(e)),models:e=>T("api/models/list",M(e)),testTools:(e,t)=>T("api/tools/test",{method:"POST",body:e,...M(t)}),callTool:(e,t)=>T("api/tools/call",{method:"POST",body:e,...M(t)}),streamChat:(e,t)=>pt("api/chat",{method:"POST",body:e,headers:{Accept:jr},...M(t)}),runEvents:(e,t,n)=>pt(`api/runs/${N(e)}/events`,{headers:{Accept:jr,...t&&{"Last-Event-ID":t}},...M(n)}),startChat:(e,t)=>T("api/chat",{method:"POST",body:e,headers:{Prefer:"respond-async"},...M(t)}),run:(e,t)=>T(`api/runs/${N(e)}`,M(t)),cancelRun:e=>T(`api/runs/${N(e)}`,{method:"DELETE"}),renewLease:e=>T(`api/runs/${N(e)}/lease`,{method:"POST"}),sessions:({limit:e,cursor:t,signal:n}={})=>T("api/sessions",{query:{limit:e,cursor:t},...M(n)}),searchSessions:(e,{limit:t,cursor:n,signal:o}={})=>T("api/sessions",{query:{query:e,limit:t,cursor:n},...M(o)}),exportSession:(e,t,n,o,r)=>pt(`api/sessions/${N(e)}/export`,{query:{format:t,from_turn:n,branch:o},headers:{Accept:"*/*"},...M(r)}),shares:(e,t)=>T(`api/sessions/${N(e)}/shares`,M(t)),createShare:(e,t)=>T(`api/sessions/${N(e)}/shares`,{method:"POST",body:t}),revokeShare:(e,t)=>T(`api/sessions/${N(e)}/shares/${N(t)}`,{method:"DELETE"}),sharedSession:(e,t,{limit:n,cursor:o,signal:r}={})=>T(`api/shared/${N(e)}`,{query:{limit:n,cursor:o},headers:{"X-Flexchat-Share":t},...M(r)}),session:(e,t)=>T(`api/sessions/${N(e)}`,M(t)),renameSession:(e,t)=>T(`api/sessions/${N(e)}`,{method:"PATCH",body:{title:t}}),deleteSession:e=>T(`api/sessions/${N(e)}`,{method:"DELETE"}),messages:(e,{limit:t,cursor:n,fromTurn:o,branch:r,signal:s}={})=>T(`api/sessions/${N(e)}/messages`,{query:{limit:t,cursor:n,from_turn:o,branch:r},...M(s)}),sessionFile:(e,t,n)=>T(`api/sessions/${N(e)}/files/${N(t)}`,M(n)),createUpload:(e,t)=>T("api/files",{method:"POST",body:e,...M(t)}),collections:e=>T("api/collections",M(e)),collection:e=>T(`api/collections/${N(e)}`),search:(e,t,n)=>T(`api/collections/${N(e)}/query`,{method:"POST",body:t,...M(n)}),changeCollection:(e,t)=>T(`api/collections/${N(e)}`,{method:"PATCH",body:t}),createCollection:e=>T("api/collections",{method:"POST",body:e}),deleteCollection:e=>T(`api/collections/${N(e)}`,{method:"DELETE"}),reindexCollection:(e,t,n)=>T(`api/collections/${N(e)}/reindex`,{method:"POST",body:t,...M(n)}),documents:(e,{after:t,signal:n}={})=>T(`api/collections/${N(e)}/documents`,{query:{after:t},...M(n)}),deleteDocument:(e,t)=>T(`api/collections/${N(e)}/documents/${N(t)}`,{method:"DELETE"}),statuses:e=>T("api/tools/validate",M(e)),history:(e,{limit:t,cursor:n,signal:o}={})=>T("api/tools/validate",{query:{model:e,limit:t,cursor:n},...M(o)}),validationRuns:({limit:e,cursor:t,signal:n}={})=>T("api/validation/runs",{query:{limit:e,cursor:t},...M(n)}),validationRun:(e,{limit:t,cursor:n,signal:o}={})=>T(`api/validation/runs/${N(e)}`,{query:{limit:t,cursor:n},...M(o)}),startValidation:e=>T("api/tools/validate",{method:"POST",body:e}),stopValidation:e=>T(`api/validation/runs/${N(e)}`,{method:"DELETE"}),resumeValidation:e=>T(`api/validation/runs/${N(e)}/resume`,{method:"POST"}),suites:e=>T("api/validation/suites",M(e)),suite:(e,t)=>T(`api/validation/suites/${N(e)}`,M(t)),putSuite:(e,t)=>T(`api/validation/suites/${N(e)}`,{method:"PUT",body:t}),configuration:e=>T("api/config",M(e)),matchRule:(e,t)=>T("api/config/match",{method:"POST",body:{profile:e},...M(t)}),mcpServers:e=>T("api/mcp/servers",M(e)),refreshMcpServer:(e,t)=>T(`api/mcp/servers/${N(e)}/refresh`,{method:"POST",...M(t)}),approveMcpTools:(e,t,n)=>T(`api/mcp/servers/${N(e)}/approve`,{method:"POST",body:t,...M(n)}),health:e=>T("health",M(e))};function ae(e,t=[]){let n=Y(),o=_(e);o.current=e;let r=JSON.stringify(t),[s,i]=$(0),[a,u]=$({data:void 0,error:void 0,loading:!0});return b(()=>{if(n==="")return;let d=new AbortController;return u(l=>({...l,loading:!0})),o.current(d.signal).then(l=>!d.signal.aborted&&u({data:l,error:void 0,loading:!1}),l=>!d.signal.aborted&&u(f=>({...f,error:Vr(l),loading:!1}))),()=>d.abort()},[r,n,s]),{...a,reload:S(()=>i(d=>d+1),[])}}function Z(){let e=_(void 0),[t,n]=$({busy:!1,since:0,error:void 0,cancelled:!1});b(()=>()=>e.current?.abort(),[]);let o=S(async i=>{e.current?.abort();let a=new AbortController;e.current=a,n({busy:!0,since:performance.now(),error:void 0,cancelled:!1});let u;try{await i(a.signal)}catch(d){a.signal.aborted||(u=Vr(d))}e.current===a&&n(d=>({...d,busy:!1,error:u,cancelled:a.signal.aborted}))},[]),r=S(()=>e.current?.abort(),[]),s=S(()=>n(i=>({...i,error:void 0,cancelled:!1})),[]);return{...t,run:o,cancel:r,clear:s}}function Vr(e){return e instanceof E?e:(reportError(e),new E("page",`Error in the page: ${e instanceof Error?e.message:String(e)}`))}var xe=e=>e===void 0?{}:{signal:e},no=e=>`api/traces/${encodeURIComponent(e)}`,De={list:(e,t)=>T("api/traces",{query:e,...xe(t)}),trace:(e,t)=>T(no(e),xe(t)),logs:(e,t)=>T(`${no(e)}/logs`,xe(t)),case:(e,t)=>T(`${no(e)}/case`,xe(t)),rate:(e,t)=>T(`api/runs/${encodeURIComponent(e)}/feedback`,{method:"POST",body:t}),usage:(e,t)=>T("api/usage",{query:e,...xe(t)}),chat:(e,t)=>T("api/chat",{method:"POST",body:e,...xe(t)}),offered:e=>T("v1/models",xe(e)),complete:(e,t)=>T("v1/chat/completions",{method:"POST",body:e,...xe(t)})};var Zt="flexchat:cached-query",ht=new Map;function je(e,t){let[n,o]=$(0),r=ae(()=>Jc(e,t),[n]);return b(()=>{r.error!==void 0&&ht.delete(e)},[r.error,e]),b(()=>{let s=i=>{i instanceof CustomEvent&&i.detail===e&&o(a=>a+1)};return addEventListener(Zt,s),()=>removeEventListener(Zt,s)},[e]),{...r,reload:S(()=>Gr(e),[e]),put:S(s=>zr(e,s),[e])}}function Gr(e){ht.delete(e),dispatchEvent(new CustomEvent(Zt,{detail:e}))}function zr(e,t){ht.set(e,{key:de(),promise:Promise.resolve(t)}),dispatchEvent(new CustomEvent(Zt,{detail:e}))}function Jc(e,t){let n=de(),o=ht.get(e);if(o?.key===n)return o.promise;let r=t();return ht.set(e,{key:n,promise:r}),r}var Cp=()=>je("tools",()=>R.tools()),Ap=()=>je("models",()=>R.models()),Rp=()=>Gr("models"),Jr=()=>je("collections",()=>R.collections()),Yc={rules:[],models:[]},Xc=200,Yr=e=>je(`ratings ${e}`,()=>Qc(e));async function Qc(e){let{traces:t}=await De.list({session:e,limit:Xc});return Object.fromEntries(t.flatMap(({id:n,rating:o})=>o?[[n,o]]:[]))}function $t(e){Cr(JSON.stringify(e)),zr("caller",{key:de(),caller:e})}function Xr(){let e=de(),t=R.me().then(o=>(e===de()&&$t(o),{key:e,caller:o})),n=Ar();return n===""?t:(t.catch(()=>{}),Promise.resolve({key:e,caller:JSON.parse(n)}))}function _t(){let e=Y(),{data:t}=je("caller",Xr);return t?.key===e?t.caller:void 0}function Qr(){let e=_t();return e===void 0||e.roles.includes("operator")}function Ip(e){let t=_t();return t===void 0||Zr(t,e)}function Zr(e,t){return e.roles.includes("operator")||(e.may??[]).includes(t)}function es(e){let t=Y(),{data:n,error:o}=je("caller",Xr);if(n?.key!==t)return e.filter(({role:i})=>i===void 0||o!==void 0);let{caller:r}=n,s=r.roles.includes("operator")?void 0:r.views??void 0;return e.filter(({name:i,role:a})=>a===void 0?s===void 0||s.includes(i):Zr(r,"configure"))}function ts(){return _t()?.choices??Yc}function Op(){return _t()?.principal}function ns(){return _t()}var Zc=2e3;function le({text:e,label:t}){let[n,o]=$("");return b(()=>{if(n==="")return;let s=setTimeout(()=>o(""),Zc);return()=>clearTimeout(s)},[n]),c`<button type="button" class="quiet" onClick=${()=>navigator.clipboard.writeText(typeof e=="string"?e:e()).then(()=>o("copied ✓"),()=>o("not copied: access denied by the browser"))}>
    ${t}<span role="status">${n&&c` · ${n}`}</span>
  </button>`}var os={offline:"The service cannot be reached",token:"The token is not valid",forbidden:"The token lacks the required role",refused:"The request was rejected",failed:"The service failed",page:"The page failed"},Pe={bad_gateway:"The service failed",built_in_suite:"The suite is built in",cancelled:"The chat was cancelled",configuration:"Configuration error",choice_not_allowed:"The choice is not allowed",role_not_allowed:"Not allowed for this role",role_not_configured:"Role not configured",choice_not_offered:"The choice is not offered",configuration_changed:"The configuration was published again",configuration_not_found:"No configuration is published",conflict:"Conflict with another change",definitions_changed:"The definitions have changed",editing_disabled:"The stage does not publish by the page",empty_image_file:"The picture is empty",failed_to_download_image:"The picture could not be fetched",file_not_found:"The file is no longer stored",forbidden:"The token lacks the required role",idempotency_in_progress:"The request is still in progress",idempotency_key_reused:"The idempotency key was already used",image_file_not_found:"The file is not uploaded",image_too_large:"The picture is too large",internal_error:"The service failed",invalid_case:"No validation case can be made",invalid_configuration:"The configuration has errors",invalid_cursor:"The list has changed",invalid_idempotency_key:"The request is not valid",invalid_last_event_id:"The request is not valid",invalid_request:"The request is not valid",invalid_schema:"The schema of the answer is not valid",invalid_suite:"The suite is not valid",mcp_failed:"The MCP server cannot be used",mcp_starting:"The MCP server is still starting",message_too_long:"No validation case can be made",model_in_validation:"A validation run is testing this model",model_not_found:"Model not found",no_content:"No validation case can be made",no_message:"No validation case can be made",no_successful_call:"No validation case can be made",no_tools:"No validation case can be made",no_prices:"The model has no prices",not_found:"Not found",not_listed:"The tools of the server are not listed yet",nothing_to_publish:"Nothing to publish",payload_too_large:"The request is too large",range_too_large:"The period is too long",rate_limited:"Too many requests",response_too_large:"The response is too large",resume_token_expired:"The partial answer has expired",resume_token_in_use:"The partial answer is in use",resume_token_invalid:"The partial answer cannot be continued",resume_token_used:"The partial answer was already continued",run_ended:"The run has ended",run_not_found:"Run not found",server_disabled:"The MCP server is disabled",server_not_found:"MCP server not found",session_busy:"The session is in use",session_forks_full:"The session has too many versions",session_moved_on:"The session has changed",session_not_found:"Session not found",sharing_disabled:"Sharing is off",share_not_found:"Link not found",nothing_to_share:"No answer to share",too_many_shares:"Too many links",suite_not_found:"Suite not found",timeout:"The service did not answer in time",token_management_disabled:"The stage does not manage tokens by the page",token_not_found:"Token not found",tool_disabled:"The tool is disabled",tool_not_found:"Tool not found",tools_disabled:"Tools are disabled",too_many_failed_calls:"No validation case can be made",trace_not_found:"Trace not found",turn_not_found:"Turn not found",unauthorized:"The token is not valid",unavailable:"The service is unavailable",unsupported_image_media_type:"The picture is of a type that models do not read",unsupported_media_type:"The request is not valid",version_not_found:"Version not found",collection_conflict:"Conflict with another change",collection_configuration:"Configuration error",collection_damaged:"The collection is damaged",collection_exists:"The collection already exists",collection_invalid:"The request is not valid",collection_not_found:"Collection not found",collection_too_large:"The request is too large",collection_unavailable:"The collection is unavailable",model_authentication:"The provider rejected the API key",model_content_filter:"The content filter blocked the message",model_context_length:"The conversation is too long",model_invalid_request:"The provider rejected the request",model_invalid_response:"The provider's response is not valid",model_invalid_format:"The model's answer has another form",model_malformed_tool_call:"The model's tool call cannot be read",model_network:"The provider cannot be reached",model_overloaded:"The provider is overloaded",model_permission:"The API key has no access to this model",model_rate_limit:"The provider's rate limit was reached",model_server_error:"The provider failed",model_timeout:"The provider did not answer in time",model_unsupported_content:"The model does not read this"},eu={404:Pe.not_found??"",408:Pe.timeout??"",413:Pe.payload_too_large??"",429:Pe.rate_limited??"",503:Pe.unavailable??"",504:Pe.timeout??""};function rs({kind:e,code:t,status:n}){return e==="token"||e==="offline"||e==="page"?os[e]:Pe[t]??eu[n]??os[e]}function en({id:e,params:t={},children:n}){let o=r=>{r.metaKey||r.ctrlKey||r.shiftKey||r.button!==0||(r.preventDefault(),Oe(qn(e),t),scrollTo(0,0))};return c`<a href=${ct(qn(e),t)} onClick=${o}>${n??"Open trace"}</a>`}function q({error:e,onRetry:t,retry:n="Try again",traced:o=!1}){return c`
    <div class="problem" role="alert">
      <h3><span aria-hidden="true">✕</span> ${rs(e)}</h3>
      <p>${e.message}</p>
      ${e.retryAfter>0&&c`<p>Retry after ${e.retryAfter} s.</p>`}
      ${e.details.length>0&&c`<ul>${e.details.map(({path:r,message:s})=>c`<li><code>${r}</code> ${s}</li>`)}</ul>`}
      <div class="row">
        ${e.kind==="token"&&c`<button type="button" onClick=${ft}>Enter another token</button>`}
        ${t&&e.kind!=="token"&&c`<button type="button" onClick=${t}>${n}</button>`}
        ${e.requestId&&c`<small>request <code>${e.requestId}</code></small>
            <${le} text=${e.requestId} label="Copy request id" />`}
        ${o&&tu(e)&&c`<${en} id=${e.requestId} />`}
      </div>
    </div>
  `}function tu({kind:e,code:t,requestId:n}){return n!==""&&(e==="failed"||t.startsWith("model_"))}var nu=new Intl.NumberFormat("en-GB"),ou=new Intl.NumberFormat("en-GB",{maximumSignificantDigits:2}),ru=new Intl.DateTimeFormat("en-GB",{dateStyle:"medium",timeStyle:"medium"}),su=new Intl.DateTimeFormat("en-GB",{dateStyle:"medium"}),ss=new Intl.RelativeTimeFormat("en-GB",{numeric:"auto"}),iu=[["day",86400],["hour",3600],["minute",60]];function fe(e){return nu.format(e)}function D(e,t,n=`${t}s`){return`${fe(e)} ${e===1?t:n}`}function j(e){if(e<999.5)return`${Math.round(e)} ms`;if(e<59950)return`${(e/1e3).toFixed(e<1e4?2:1)} s`;let t=Math.round(e/1e3);return`${Math.floor(t/60)} min ${t%60} s`}function is(e){return`${Math.round(e*100)} %`}function Ve(e){return`$${e>=1?e.toFixed(2):ou.format(e)}`}function $e(e){return e<1e3?`${e} B`:e<999500?`${Math.round(e/1e3)} kB`:`${(e/1e6).toFixed(1)} MB`}function as(e){return e.toFixed(3)}function Ge(e){return ru.format(new Date(e))}function Vp(e){return su.format(new Date(e))}function gt(e,t=Date.now()){let n=(new Date(e).getTime()-t)/1e3;for(let[o,r]of iu)if(Math.abs(n)>=r)return ss.format(Math.round(n/r),o);return Math.abs(n)<10?"just now":ss.format(Math.round(n),"second")}var au=200;function X({label:e,since:t}){let[n,o]=$(performance.now());return b(()=>{let r=setInterval(()=>o(performance.now()),au);return()=>clearInterval(r)},[]),c`<span class="busy">
    <span class="spinner" aria-hidden="true"></span>
    <span role="status">${e}</span>
    <span class="number" aria-hidden="true">${j(Math.max(0,n-t))}</span>
  </span>`}function re({lines:e=3,label:t}){return c`<div class="skeleton" role="status" aria-label=${`Loading ${t}`}>
    ${Array.from({length:e},()=>c`<span></span>`)}
  </div>`}function cs({title:e,children:t}){return c`<div class="empty"><h2>${e}</h2>${t}</div>`}var oo="flexchat:sign-out",ro="";async function us(){let e=oe();if(Sr(),!(e===void 0||K===void 0)){bt(`You are signed out here. Signing out at ${K.name} …`);try{let{end:t}=await Ne(),n=await t(K,e,ut);n!==""?location.assign(n):bt("")}catch(t){let n=Xt(t).message;bt(`You are signed out here, but not at ${K.name}: ${n} On a shared computer, sign out there too.`)}}}function bt(e){ro=e,dispatchEvent(new Event(oo))}function ls(){let[e,t]=$(ro);return b(()=>{let n=()=>t(ro),o=()=>oe()!==void 0&&bt(""),r=s=>s.persisted&&bt("");return addEventListener(oo,n),addEventListener(Se,o),addEventListener("pageshow",r),n(),()=>{removeEventListener(oo,n),removeEventListener(Se,o),removeEventListener("pageshow",r)}},[]),e===""?"":c`<p class="notice" role="status">${e}</p>`}var ds="account",cu=2**31-1,uu={page:"in the memory of this page, until you reload or leave it",tab:"in this tab, until you close it",browser:"in this browser, until you sign out"},lu={name:"API token",id:"Token id",holder:"token"},du={name:K?.name??"",id:"Account id",holder:"account"},fu={requests:"Requests",tool_calls:"Tool calls",tokens:"Tokens",usd:"US dollars"},mu={minute:"this minute",day:"today",month:"this month"};function fs({name:e,role:t}){let[n="",o=""]=e.split("_per_"),r=`${fu[n]} ${mu[o]}`;return t?`${r}, role ${t}`:r}function tn(e,t){return e.startsWith("usd_")?Ve(t):fe(t)}function ms(){let e=Y(),t=ns(),[n,o]=$(!1),r=_(null);pu(t);let s=u=>()=>{r.current?.hidePopover(),u()},i=t?.name||t?.principal||"Token",a=K===void 0?"Use another token":"Sign in differently";return e===""?c`<button type="button" class="quiet" onClick=${ft}>Sign in</button>`:c`
    <button type="button" class="quiet account-button" popovertarget=${ds} aria-expanded=${n} aria-label=${`Account: ${i}`}>
      <span class="account-name">${i}</span> <span aria-hidden="true">▾</span>
    </button>
    <section
      id=${ds}
      class="account"
      popover
      ref=${r}
      aria-label="Account"
      onToggle=${u=>o(u.newState==="open")}
    >
      ${n&&c`<${hu} />`}
      <div class="row">
        <button type="button" onClick=${s(ft)}>${a}</button>
        <button type="button" onClick=${s(us)}>Sign out</button>
      </div>
    </section>
  `}function pu(e){let t=e?.expires_at;b(()=>{if(!t||oe()?.refresh)return;let n=ee(),o=0,r=()=>{let s=Date.parse(t)-Date.now();s>0?o=setTimeout(r,Math.min(s,cu)):He(n,`Your ${oe()?"sign-in":"token"} expired on ${Ge(t)}.`)};return r(),()=>clearTimeout(o)},[t])}function hu(){let{data:e,error:t,reload:n}=ae(r=>R.me(r));if(t)return c`<${q} error=${t} onRetry=${n} />`;if(!e)return c`<${re} lines=${5} label="your account" />`;let o=oe()===void 0?lu:du;return c`
    <h2>${e.name||o.name}</h2>
    <dl class="account-facts">
      <dt>${o.id}</dt>
      <dd class="mono">${e.principal}</dd>
      <dt>${e.roles.length===1?"Role":"Roles"}</dt>
      <dd>${e.roles.join(", ")||"none"}</dd>
      <${$u} />
      ${e.expires_at&&c`<dt>Expiry</dt><dd><${_u} at=${e.expires_at} /></dd>`}
      <dt>Stage</dt>
      <dd>${it||"unknown"}</dd>
      <dt>Kept</dt>
      <dd>${uu[dt()]}</dd>
    </dl>
    <h3>Limits</h3>
    ${!e.limits&&c`<p>The limits cannot be read now.</p>`}
    ${e.limits?.length===0&&c`<p>None for this ${o.holder}.</p>`}
    ${e.limits?.map(r=>c`<${gu} key=${fs(r)} limit=${r} />`)}
  `}function $u(){return oe()===void 0?"":c`<dt>Signed in with</dt><dd>${K?.name}</dd>`}function _u({at:e}){let t=Date.parse(e)>Date.now()?"expires":"expired",n=oe()?.refresh;return c`<time datetime=${e} title=${Ge(e)}>${t} ${gt(e)}</time>${n&&", renewed before"}`}function gu({limit:e}){let{name:t,allowed:n,used:o,reserved:r,resets_at:s}=e,i=fs(e);return c`<div class="account-limit">
    <span>${i}</span>
    <span class="number">${tn(t,o)} of ${tn(t,n)}</span>
    <meter min="0" max=${n} value=${o} high=${n*.9} aria-label=${i}>${tn(t,o)}</meter>
    <small>
      ${r>0&&`${tn(t,r)} reserved by running chats, `}resets${" "}
      <time datetime=${s} title=${Ge(s)}>${gt(s)}</time>
    </small>
  </div>`}var so="flexchat:header-actions",io=[];function ps(e){io=e,dispatchEvent(new Event(so))}function hs(e){let t=_(e);t.current=e;let n=JSON.stringify(e);F(()=>{ps(t.current.map((o,r)=>({...o,run:()=>t.current[r]?.run()})))},[n]),F(()=>()=>ps([]),[])}function $s(){let[e,t]=$(io);return b(()=>{let n=()=>t(io);return n(),addEventListener(so,n),()=>removeEventListener(so,n)},[]),e}var bu=3e4;function bs({route:e,onHelp:t}){let n=es(at),o=$s(),r=_(null);return b(()=>{r.current&&yu(r.current)},[e.view]),c`
    <header class="shell">
      ${o.map(({label:s,sign:i,expanded:a,controls:u,run:d})=>c`
          <button
            type="button"
            class="quiet header-action"
            aria-label=${s}
            title=${s}
            aria-expanded=${a}
            aria-controls=${u}
            onClick=${d}
          ><span aria-hidden="true">${i}</span></button>
        `)}
      <a class="brand" href=${W.href} onClick=${s=>gs(s,Pn)}>
        Flexchat ${it&&c`<small>stage ${it}</small>`}
      </a>
      <nav aria-label="Views" ref=${r} onPointerOver=${_s} onFocusIn=${_s}>
        ${n.map(({name:s,title:i})=>c`
            <a
              href=${ct(s)}
              aria-current=${wu(s,e.view)}
              onClick=${a=>gs(a,s)}
              >${i}</a
            >
          `)}
      </nav>
      <div class="shell-status">
        <${ku} />
        <${ms} />
        <${vu} />
        <button type="button" class="quiet header-help" aria-label="Show keyboard shortcuts" title="Show keyboard shortcuts (?)" onClick=${t}>?</button>
      </div>
    </header>
  `}function _s(){Dr("views")}function yu(e){let t=e.querySelector("[aria-current]");if(!t)return;let n=t.getBoundingClientRect(),o=e.getBoundingClientRect();e.scrollLeft+=n.left+n.width/2-(o.left+o.width/2)}function wu(e,t){return e===t?"page":e==="traces"&&t==="runs"?"true":void 0}function gs(e,t){e.metaKey||e.ctrlKey||e.shiftKey||e.button!==0||(e.preventDefault(),Oe(t))}function vu(){let[e,t]=$(Kn),n=e==="dark"?"light":"dark",o=()=>{yr(n),t(n)},r=`Switch to the ${n} theme`;return c`<button type="button" class="quiet" aria-label=${r} title=${r} onClick=${o}>◐</button>`}function ku(){let[e,t]=$("unknown");b(()=>{let r=()=>{document.hidden||R.health().then(()=>t("healthy"),()=>t("unreachable"))};r();let s=setInterval(r,bu);return document.addEventListener("visibilitychange",r),()=>{clearInterval(s),document.removeEventListener("visibilitychange",r)}},[]);let n={unknown:"○",healthy:"●",unreachable:"▲"}[e],o={unknown:"plain",healthy:"good",unreachable:"bad"}[e];return c`<span class="health" data-tone=${o} role="status">
    <span aria-hidden="true">${n}</span> <span class="health-text">${e==="unknown"?"checking":e}</span>
  </span>`}function Q({summary:e,open:t=!1,children:n}){let[o,r]=$(t);return c`
    <details class="collapsible" open=${o} onToggle=${s=>r(s.currentTarget.open)}>
      <summary>${e}</summary>
      ${o&&c`<div class="collapsible-body">${n}</div>`}
    </details>
  `}var Su='textarea, input:is([type="text"], [type="search"], [type="number"], :not([type]))';function ws(){let e=Ss().filter(({element:n})=>n.value!=="").map(({element:n,...o})=>({...o,text:n.value}));return e.reduce((n,{text:o})=>n+o.length,0)>5e5?[]:e}function vs(e){let t=ys(e);if(t.length===0)return;let n=new MutationObserver(()=>{t=ys(t),t.length===0&&n.disconnect()});n.observe(ks(),{childList:!0,subtree:!0}),setTimeout(()=>n.disconnect(),2e4)}function ys(e){let t=Ss();return e.filter(n=>{let o=t.find(({field:r,at:s})=>r===n.field&&s===n.at);return o?.element.value===""&&xu(o.element,n.text),o===void 0})}function ks(){return document.getElementById("main")??document.body}function Ss(){let e=new Map;return[...ks().querySelectorAll(Su)].filter(({readOnly:n,disabled:o})=>!n&&!o).map(n=>{let o=Tu(n),r=e.get(o)??0;return e.set(o,r+1),{element:n,field:o,at:r}})}function Tu(e){return(e.getAttribute("aria-label")??e.labels?.[0]?.textContent??e.name).trim().slice(0,200)}function xu(e,t){e.value=t,e.dispatchEvent(new Event("input",{bubbles:!0}))}var Eu="The response of the sign-in does not belong to this tab: it was started elsewhere, or was used already. Sign in again here.";function Ts({provider:e,keep:t,onDone:n}){let o=Z(),{run:r,cancel:s}=o,[i,a]=$(!1);b(()=>{let d=_r();d===void 0||d.started===void 0&&de()!==""||(a(!0),r(l=>Au(e,d,l).then(n)))},[]),b(()=>{let d=l=>l.persisted&&s();return addEventListener("pageshow",d),()=>removeEventListener("pageshow",d)},[s]);let u=()=>{a(!1),r(d=>Cu(e,t,d))};return c`
    ${o.error&&c`<p class="problem-text" role="alert">${o.error.message}</p>`}
    <div class="row">
      <button type="button" class="primary" autofocus disabled=${o.busy} onClick=${u}>Sign in with ${e.name}</button>
      ${o.busy&&c`<${X} label=${i?"Completing the sign-in":`Opening ${e.name}`} since=${o.since} />`}
    </div>
  `}async function Cu(e,t,n){let{prepare:o}=await Ne(),{url:r,...s}=await xs(o(e,ut));n.throwIfAborted(),hr({...s,keep:t,from:location.href,typed:ws()}),location.assign(r),await new Promise((i,a)=>{n.addEventListener("abort",a)})}async function Au(e,{started:t,parameters:n},o){if(t===void 0)throw new E("refused",Eu);let{exchange:r}=await Ne(),s={parameters:n,redirectUri:ut,...t},i=await xs(r(e,s)),a=await R.meFor(i.access,o).catch(l=>{throw Ru(e,l)}),u=a.expires_at?(Date.parse(a.expires_at)-Date.now())/1e3:0,d=i.lifetime||Math.max(0,u);zt(i.access,{keep:t.keep,grant:{id:crypto.randomUUID(),...Qn({...i,lifetime:d})}}),$t(a),vs(t.typed)}async function xs(e){try{return await e}catch(t){throw Xt(t)}}function Ru({name:e},t){if(!(t instanceof E)||t.kind==="offline")return t;if(t.kind==="token"){let o=`You signed in at ${e}, but this service does not accept its access token. An operator has to compare OidcAudiences and OidcScopes with the token.`;return new E("refused",o)}let n=t.kind==="forbidden"?"you have no access to this service":"the service failed";return new E(t.kind,`You signed in at ${e}, but ${n}: ${t.message}`)}var Iu=[{keep:"page",title:"Until you reload or leave this page",meaning:"in memory only"},{keep:"tab",title:"Until you close this tab",meaning:"survives a reload"},{keep:"browser",title:"In this browser, until you sign out",meaning:"also after a restart, in every tab; anyone who can use this browser profile can use the token"}];function Cs({open:e,needed:t,ended:n,shared:o,onClose:r}){let[s,i]=$("tab"),a=K===void 0?"API token":"Sign in",u=c`
    <fieldset class="choices">
      <legend>${K===void 0?"Keep the token":"Stay signed in"}</legend>
      ${Iu.map(d=>c`<${Mu} ...${d} chosen=${s} onChoose=${i} />`)}
    </fieldset>
  `;return c`
    <${Ke} title=${n?"Sign in again":a} open=${e} onClose=${t?void 0:r}>
      <div class="stack">
        ${n&&c`<${Lu} reason=${n} />`}
        ${o&&c`<${Ou} />`}
        <${ls} />
        ${K===void 0?c`<${Es} keep=${s} choices=${u} explained=${!n} onDone=${r} />`:c`
                ${u}
                <${Ts} provider=${K} keep=${s} onDone=${r} />
                <${Q} summary="Use an API token">
                  <${Es} keep=${s} explained onDone=${r} />
                <//>
              `}
      </div>
    <//>
  `}function Ou(){return c`<p class="notice">
    This link shows a shared conversation to people with ${K===void 0?"a token":"an account or a token"} of this service. Sign in, and it opens here. If you
    have no ${K===void 0?"token":"account"}, ask the person who sent you the link.
  </p>`}function Lu({reason:e}){return c`<p class="notice" role="status">! ${e} Sign in to continue where you were; what you have typed is kept.${K&&" Attach files that are not sent yet again after the sign-in."}</p>`}function Es({keep:e,choices:t,explained:n,onDone:o}){let[r,s]=$(""),i=Z();return c`
    <form class="stack" onSubmit=${u=>{u.preventDefault();let d=r.trim();d===""||i.busy||i.run(async l=>{let f=await R.meFor(d,l);zt(d,{keep:e}),$t(f),s(""),o()})}}>
      ${n&&c`<p>
          The page calls the API with your token. <code>make up</code> prints one;${" "}
          <code>flexchat tokens create</code> creates another.
        </p>`}
      <label class="field">
        Token
        <input
          type="password"
          name="token"
          autocomplete="off"
          spellcheck=${!1}
          required
          aria-invalid=${i.error?"true":void 0}
          aria-describedby=${i.error?"token-problem":void 0}
          value=${r}
          onInput=${u=>s(u.currentTarget.value)}
        />
      </label>
      ${t}
      ${i.error&&c`<p id="token-problem" class="problem-text" role="alert">${Nu(i.error)}</p>`}
      <div class="row">
        <button type="submit" class=${t?"primary":void 0} disabled=${i.busy}>${t?"Sign in":"Sign in with the token"}</button>
        ${i.busy&&c`<${X} label="Verifying the token" since=${i.since} />`}
      </div>
    </form>
  `}function Mu({keep:e,title:t,meaning:n,chosen:o,onChoose:r}){let s=ie();return c`<div class="choice">
    <input type="radio" name="keep" id=${s} checked=${e===o} aria-describedby=${`${s}-meaning`} onChange=${()=>r(e)} />
    <label for=${s}>${t}</label>
    <small id=${`${s}-meaning`}>${n}</small>
  </div>`}function Nu(e){return e.kind==="token"?`The token is not valid: ${e.message}.`:e.message}var ze=matchMedia("(width < 800px)");function As(){let[e,t]=$(ze.matches);return b(()=>{let n=()=>t(ze.matches);return ze.addEventListener("change",n),()=>ze.removeEventListener("change",n)},[]),e}function Rs(e,t=[]){let n=ie(),[o,r]=$(!1),s=As(),i=S(()=>r(!0),[]),a=S(()=>r(!1),[]);return hs(s?[{sign:"☰",label:e,expanded:o,controls:n,run:i},...t]:[]),b(()=>{s||r(!1)},[s]),{id:n,label:e,isNarrow:s,isOpen:o,open:i,close:a}}function Is({state:{id:e,label:t,isOpen:n,close:o},children:r}){let s=_(null);return F(()=>{let a=s.current;n&&!a?.open&&a?.showModal(),!n&&a?.open&&a.close()},[n]),c`
    <dialog ref=${s} id=${e} class="drawer" aria-label=${t} onClose=${o} onClick=${a=>{a.target===s.current&&o()}}>
      <div class="drawer-content">
        <div class="dialog-head">
          <h2>${t}</h2>
          <button type="button" class="quiet" aria-label="Close" onClick=${o}>✕</button>
        </div>
        ${n&&r}
      </div>
    </dialog>
  `}var Du=40;function a$(e){let t=_(null),n=_(!1),o=_({busy:e,at:0});F(()=>{let{current:s}=o;n.current&&ze.matches&&e!==s.busy&&((e||Math.abs(scrollY-s.at)<Du)&&t.current?.scrollIntoView({block:"start"}),n.current=e),o.current={busy:e,at:e&&!s.busy?scrollY:s.at}},[e]);let r=S(()=>{n.current=!0},[]);return{section:t,reveal:r}}function Os({title:e,controls:t,section:n,drawer:o,children:r}){return c`
    <h1 class="hidden">${e}</h1>
    <div class="split">
      ${o?.isNarrow?c`<${Is} state=${o}>${t}<//>`:c`<section class="split-controls" aria-label="Controls">${t}</section>`}
      <section class="split-results" ref=${n} aria-label="Results">${r}</section>
    </div>
  `}function yt({rule:e="",model:t=""}){return{rule:e,model:t}}function Ee(e={},t={}){Oe("chat",{...e,...yt(Ie().params)},t)}function Ls(e){Oe("chat",{...Ie().params,...e},{replace:!0})}var Pu=3e6,Ms=2e7,Ns=4e7,Ds=50,ao=new Set(["image/png","image/jpeg","image/webp","image/gif"]),Ps=[...ao,".pdf,.txt,.md,.csv,.json,.html,.docx,.pptx,.xlsx,.epub"].join(",");function qs(e,t){let n=e.find(({type:u})=>u.startsWith("image/")&&!ao.has(u));if(n)return`${n.name} is of the type ${n.type}. Attach PNG, JPEG, WebP or GIF pictures.`;let o=e.find(({type:u})=>/^(?:audio|video)\//.test(u));if(o)return`${o.name} is of the type ${o.type}. Attach pictures, PDF, Office, EPUB or text files.`;let r=e.find(({size:u})=>u===0);if(r)return`${r.name} is empty.`;let s=e.find(({size:u})=>u>Ms);if(s)return`${s.name} has ${$e(s.size)}, and a file may have ${$e(Ms)}.`;if(e.length+t.length>Ds)return`A message takes ${Ds} files.`;let i=[...t,...e].reduce((u,{size:d})=>u+d,0);return i<=Ns?"":`${e.map(({name:u})=>u).join(", ")}: the files have ${$e(i)} together, and a message takes ${$e(Ns)}.`}function Us(e,t){let n=t.reduce((s,{size:i,key:a})=>a?s:s-i,Pu),o=[],r=[];for(let s of e)s.size<=n?(n-=s.size,o.push(s)):r.push(s);return{inline:o,large:r}}function nn(e){let t=e.flatMap(({upload:n})=>n??[]);return t.some(({problem:n})=>n!=="")?"Try again or remove the file that was not uploaded.":t.length>0?"Files are being uploaded.":""}function wt(e){return ao.has(e)}function Bs(e){return new Promise((t,n)=>{let o=new FileReader;o.onload=()=>t({name:e.name,type:e.type,size:e.size,url:o.result}),o.onerror=()=>n(o.error),o.readAsDataURL(e)})}function Fs(e){let t="auto";return e.length===0?{}:{attachments:e.map(({name:n,url:o,fileId:r})=>r?{name:n,file_id:r,detail:t}:{name:n,url:o,detail:t})}}var qu="400px",co=new Map;function Hs({session:e,id:t,name:n,size:o,picture:r}){let s=_(null),[i,a]=$(""),[u,d]=$(""),l=()=>Uu(e,t).catch(m=>{if(!(m instanceof E))throw m;return d(m.status===404?"no longer stored":m.message),""}),f=_(l);f.current=l,b(()=>{if(!r||s.current===null)return;let m=!0,h=new IntersectionObserver(w=>{w.some(({isIntersecting:v})=>v)&&(h.disconnect(),f.current().then(v=>m&&a(v)))},{rootMargin:qu});return h.observe(s.current),()=>{m=!1,h.disconnect()}},[e,t,r]);let p=async()=>{d("");let m=await l();if(m==="")return;let h=document.createElement("a");h.href=m,h.download=n,h.click()};return c`
    <span ref=${s} class=${r?"chat-stored-picture":void 0}>
      ${i?c`<img src=${i} alt=${n} />`:c`<span aria-hidden="true">${r?"▣":"▤"}</span>`}
    </span>
    <span>${n}</span>
    <small>${$e(o)}</small>
    ${u&&c`<small class="problem-text" role="status">✕ ${u}</small>`}
    <button type="button" class="quiet" aria-label=${`Download ${n}`} onClick=${p}>Download</button>
  `}function Uu(e,t){let n=`${e} ${t}`,o=co.get(n);if(o)return o;let r=Bu(e,t);return co.set(n,r),r.catch(()=>co.delete(n)),r}async function Bu(e,t){let{url:n,media_type:o}=await R.sessionFile(e,t),r;try{let s=await fetch(n,{credentials:"omit",referrerPolicy:"no-referrer"});if(!s.ok)throw new E("failed",`the storage returned status ${s.status}`,{status:s.status});r=await s.blob()}catch(s){throw s instanceof E?s:new E("offline","the storage did not answer")}return URL.createObjectURL(new Blob([r],{type:o}))}function on({attachments:e,session:t="",onRemove:n,onRetry:o}){return e.length===0?null:c`
    <ul class="chat-attachments" aria-label="Attachments">
      ${e.map((r,s)=>{let{name:i,type:a,size:u,url:d,id:l,upload:f}=r,p=i||a;return c`
          <li key=${s}>
            ${l&&!d?c`<${Hs} session=${t} id=${l} name=${p} size=${u} picture=${wt(a)} />`:c`<${Fu} attachment=${r} /><span>${p}</span><small>${$e(u)}</small>`}
            ${f&&c`<${Hu} name=${p} size=${u} upload=${f} />`}
            ${f?.problem&&o&&c`<button type="button" aria-label=${`Upload ${p} again`} onClick=${()=>o(s)}>Try again</button>`}
            ${n&&c`<button type="button" class="quiet" aria-label=${f&&!f.problem?`Cancel the upload of ${p}`:`Remove ${p}`} onClick=${()=>n(s)}>✕</button>`}
          </li>
        `})}
    </ul>
  `}function Fu({attachment:{name:e,type:t,url:n}}){return n&&wt(t)?c`<img src=${n} alt=${e||"Picture"} />`:c`<span aria-hidden="true">${t.startsWith("image/")?"▣":"▤"}</span>`}function Hu({name:e,size:t,upload:{sent:n,problem:o}}){return o?c`<small class="problem-text" role="alert">✕ ${o}</small>`:c`
    <progress max=${t} value=${n} aria-label=${`Upload of ${e}`}></progress>
    <small class="number">${n<t?`${$e(n)} uploaded`:"finishing the upload"}</small>
  `}var uo="flexchat.enter",Ks="breaks";function Ws(){return localStorage.getItem(uo)!==Ks}function js(e){e?localStorage.removeItem(uo):localStorage.setItem(uo,Ks)}function Vs({key:e,shiftKey:t,altKey:n,ctrlKey:o,metaKey:r,isComposing:s,keyCode:i},a){return a&&e==="Enter"&&!(t||n||o||r||s||i===229)}var Ku=4e4;async function Gs(e,{signal:t,onProgress:n}){let{id:o,url:r,fields:s}=await R.createUpload({name:e.name,size:e.size},t),i=new FormData;for(let[a,u]of Object.entries(s))i.append(a,u);return i.append("file",e),await Wu(r,i,{signal:t,onProgress:a=>n(Math.min(a,e.size))}),o}async function Wu(e,t,n){let{status:o}=await zs(e,t,{},n);if(o<200||o>=300)throw new E("failed",ju(o),{status:o})}async function A$(e,t,n){let o={Accept:"application/json","Content-Type":"application/json",Authorization:`Bearer ${await Qt()}`},r=await zs(new URL(e,W).href,JSON.stringify(t),o,n),{status:s,responseText:i}=r;if(s>=400)throw await to(new Response(i,{status:s,headers:Vu(r)}));try{return Me(i)}catch{throw new E("failed","The response is incomplete or not JSON. Try again.",{status:s})}}function zs(e,t,n,{signal:o,onProgress:r}){return new Promise((s,i)=>{let a=new XMLHttpRequest,u=0,d=()=>{clearTimeout(u),u=setTimeout(()=>{i(new E("offline","The upload has stopped. Check the network and try again.")),a.abort()},Ku)},l=()=>a.abort();a.upload.onprogress=({loaded:f,total:p})=>{d(),r(f,p)},a.onloadend=()=>{clearTimeout(u),o.removeEventListener("abort",l)},a.onabort=()=>i(new DOMException("The upload was cancelled","AbortError")),a.onerror=()=>i(new E("offline","No response. Check the network and try again.")),a.onload=()=>s(a),a.open("POST",e);for(let[f,p]of Object.entries(n))a.setRequestHeader(f,p);o.addEventListener("abort",l,{once:!0}),d(),a.send(t),o.aborted&&a.abort()})}function ju(e){return e===400?"The storage rejected the file: its size has changed. Choose it again.":e===403?"The time for the upload is over. Try again.":`The storage returned status ${e}. Try again.`}function Vu(e){let t=new Headers;for(let n of e.getAllResponseHeaders().trim().split(`\r
`).filter(Boolean))t.append(n.slice(0,n.indexOf(":")),n.slice(n.indexOf(":")+1).trim());return t}function Js(e,{add:t,change:n,remove:o}){let r=Y(),[s,i]=$(""),a=_(new Map),u=S(async h=>{let w=a.current.get(h);if(!w)return;let v=new AbortController;w.running=v;let{signal:A}=v,y=k=>!A.aborted&&n(h,{upload:{sent:k,problem:""}});y(0);try{let k=await Gs(w.file,{signal:A,onProgress:y});A.aborted||n(h,{fileId:k,upload:void 0})}catch(k){if(A.aborted)return;if(!(k instanceof E))throw k;n(h,{upload:{sent:0,problem:k.message}})}},[n]);b(()=>{let h=a.current;return()=>h.forEach(({running:w})=>w?.abort())},[]);let d=_(e);d.current=e;let l=_(r);return b(()=>{if(l.current!==r){l.current=r;for(let{key:h}of d.current)h&&(a.current.get(h)?.running?.abort(),n(h,{fileId:void 0,upload:{sent:0,problem:"The token has changed. Upload it again."}}))}},[r,n]),{problem:s,attach:async h=>{let w=[...h??[]],v=qs(w,e);if(i(v),v!==""||w.length===0)return;let{inline:A,large:y}=Us(w,e);try{t(await Promise.all(A.map(Bs)))}catch{i("The file could not be read. Choose it again.");return}for(let k of y){let C=crypto.randomUUID();a.current.set(C,{file:k,running:void 0});let J=wt(k.type)?URL.createObjectURL(k):"";t([{name:k.name,type:k.type,size:k.size,url:J,key:C,upload:{sent:0,problem:""}}]),u(C)}},detach:h=>{let{key:w="",url:v=""}=e[h]??{};a.current.get(w)?.running?.abort(),a.current.delete(w),v.startsWith("blob:")&&URL.revokeObjectURL(v),i(""),o(h)},retry:h=>{u(e[h]?.key??"")}}}var Gu=matchMedia("(pointer: coarse)"),lo="chat-message";function Ys({draft:e,attachments:t,onAttach:n,onDetach:o,onAttachmentChange:r,busy:s,blocked:i,waiting:a,since:u,hint:d,isAway:l,field:f,onWrite:p,onSend:m,onCancel:h,onJump:w}){let[v,A]=$(Ws),[y,k]=$(!1),C=_(null),J=_(null),{problem:se,attach:te,...O}=Js(t,{add:n,change:r,remove:o}),ne=nn(t),g=V=>{V.clipboardData?.files.length&&(V.preventDefault(),te(V.clipboardData.files))},x=V=>{V.preventDefault(),k(!1),te(V.dataTransfer?.files)},I=V=>{V.dataTransfer?.types.includes("Files")&&(V.preventDefault(),k(!0))},L=V=>{O.detach(V),f.current?.focus()},P=({currentTarget:V})=>{te(V.files),V.value=""},ue=V=>{V.preventDefault(),m()},yn=V=>{Vs(V,v)&&(V.preventDefault(),m())},dc=()=>{js(!v),A(!v)};return c`
    <form class=${`chat-composer${y?" chat-drop":""}`} onSubmit=${ue} onDragOver=${I} onDragLeave=${()=>k(!1)} onDrop=${x}>
      ${l&&c`<div class="chat-jump"><button type="button" onClick=${w}><span aria-hidden="true">↓</span> Jump to latest</button></div>`}
      <${on} attachments=${t} onRemove=${L} onRetry=${O.retry} />
      ${se&&c`<p class="problem-text" role="alert">✕ ${se}</p>`}
      <label>
        <span class="hidden">Message</span>
        <textarea
          ref=${f}
          id=${lo}
          rows="2"
          placeholder="Message"
          value=${e}
          onKeyDown=${yn}
          onPaste=${g}
          onInput=${V=>p(V.currentTarget.value)}
        ></textarea>
      </label>
      <div class="row">
        <${zu} field=${f} busy=${s} disabled=${i||ne!==""||d!==""||e.trim()===""} keys=${v?"Enter":"mod+Enter"} onCancel=${h} />
        <button type="button" onClick=${()=>C.current?.click()}>Attach</button>
        <input
          ref=${C}
          type="file"
          class="hidden"
          tabindex="-1"
          multiple
          accept=${Ps}
          aria-label="Pictures and files"
          onChange=${P}
        />
        ${Gu.matches&&c`<button type="button" onClick=${()=>J.current?.click()}>Take a photo</button>`}
        <input
          ref=${J}
          type="file"
          class="hidden"
          tabindex="-1"
          accept="image/*"
          capture="environment"
          aria-label="Photo"
          onChange=${P}
        />
        ${a&&c`<${X} label=${a} since=${u} />`}
        ${d&&c`<span class="problem-text">✕ ${d}</span>`}
        ${ne&&c`<small role="status">${ne}</small>`}
        <label class="check chat-enter" title="Shift+Enter inserts a line break. If unchecked, Enter inserts it.">
          <input type="checkbox" checked=${v} onChange=${dc} />
          <small>Send with Enter</small>
        </label>
      </div>
    </form>
  `}function zu({field:e,busy:t,disabled:n,keys:o,onCancel:r}){let s=_(null),i=_(null),a=_(null);return F(()=>{let[u,d]=t?[s.current,i.current]:[i.current,e.current];u!==null&&a.current===u&&d?.focus({preventScroll:!0})},[t,e]),a.current=document.activeElement,c`
    <button ref=${s} type="submit" class="primary" disabled=${t||n}>
      Send <span aria-hidden="true">${pe(o)}</span>
    </button>
    <button ref=${i} type="button" hidden=${!t} onClick=${r}>
      Stop <span aria-hidden="true">${pe("Escape")}</span>
    </button>
  `}var vt={answered:{title:"answered",tone:"good",sign:"✓",reason:""},cut_off:{title:"cut off",tone:"warn",sign:"✂",reason:"The model's token limit cut off the answer."},filtered:{title:"filtered",tone:"bad",sign:"⊘",reason:"The provider's filter stopped the answer."},refused:{title:"refused",tone:"bad",sign:"⊘",reason:"The model refused to answer."},empty:{title:"empty",tone:"warn",sign:"∅",reason:"The model returned no text; a placeholder is shown."},iteration_limit:{title:"iteration limit",tone:"warn",sign:"!",reason:"The limit on iterations was reached before the model answered."},repeated_calls:{title:"repeated calls",tone:"warn",sign:"!",reason:"The model repeated the same call and was stopped."},tool_call_limit:{title:"tool call limit",tone:"warn",sign:"!",reason:"The limit on tool calls was reached before the model answered."},client_calls:{title:"waits for the client",tone:"warn",sign:"…",reason:"The model waits for the results of the client's tools."},out_of_time:{title:"out of time",tone:"warn",sign:"!",reason:"The deadline was reached before the answer was complete."},budget_reached:{title:"budget used up",tone:"warn",sign:"!",reason:"A limit of tokens or money was reached before the answer was complete."},model_failed:{title:"model failed",tone:"bad",sign:"✕",reason:"The model failed before the answer was complete."},stopped:{title:"stopped",tone:"warn",sign:"■",reason:"The answer was stopped before it was complete. The model knows this part in the next answer."},unknown:{title:"unknown outcome",tone:"warn",sign:"?",reason:"The provider returned an unknown finish reason."}};function Je({outcome:e,status:t,error:n}){return e?vt[e]??vt.unknown:t!=="partial"?vt.answered:n?vt.model_failed:vt.out_of_time}var qe={edit:0,regenerate:0,after:0};function sn({edit:e,regenerate:t}){return e||t}var Qs={background:!1,explain:!1,seconds:"",intent:"",service:"",collections:[]},Xs={background:900,waiting:28};function rn({background:e}){return e?Xs.background:Xs.waiting}function an(e){if(e.seconds.trim()==="")return"";let t=Number(e.seconds);return t>=1&&t<=rn(e)?"":`Enter a deadline from 1 to ${rn(e)} seconds${e.background?"":", or up to 900 in the background"}.`}function cn(e,t,n,{attachments:o=[],place:r=qe,choice:s}={}){let i=Object.fromEntries(Object.entries({intent:n.intent.trim(),service:n.service.trim()}).filter(([,a])=>a));return{...r.regenerate===0&&{message:e},session_id:t,...Ju(r),...s?.rule&&{rule:s.rule},...s?.model&&{model:s.model},...Fs(o),...n.collections.length>0&&{selected_collections:[...n.collections]},...Object.keys(i).length>0&&{profile:i},...ei(n)}}function Ju({edit:e,regenerate:t,after:n}){return{...e>0&&{edit_turn:e},...t>0&&{regenerate_turn:t},...n>0&&{parent_turn:n}}}function Zs(e,t,n){return{resume_token:e,session_id:t,...ei(n)}}function ei(e){let t=e.seconds.trim();return{...t!==""&&{deadline_ms:Math.round(Number(t)*1e3)},...e.explain&&{explain:!0}}}function ti(e){return[e.background,e.explain,e.seconds.trim(),e.intent.trim(),e.service.trim()].filter(Boolean).length}var Yu={input_tokens:0,output_tokens:0,total_tokens:0,cached_tokens:0,reasoning_tokens:0,cache_write_tokens:0},Ue={question:"",attachments:[],background:!1,replaces:"",token:"",place:qe,follows:"",shown:{question:"",attachments:[]}},fo={draft:"",attachments:[],sent:void 0,waiting:!1,usedTokens:[],received:[],editing:void 0};function mo(e,t,n){let{sent:o}=e,r=o?.session===t&&e.waiting?o:void 0,s=e.received.find(f=>f.answer.request_id===r?.replaces),i=e.received.filter(f=>f!==s&&f.answer.request_id!==n.request_id),{question:a,attachments:u}=s??kt(r),d=r?sn(r.place):0;return{...e,waiting:r?!1:e.waiting,usedTokens:r?.token?[...e.usedTokens,r.token]:e.usedTokens,received:[...i,{session:t,question:a,attachments:u,at:new Date().toISOString(),replaces:r?.replaces??"",place:d,stopped:!1,answer:n}]}}function kt(e){return e===void 0?Ue.shown:e.place.regenerate>0?e.shown:{question:e.question,attachments:e.attachments}}function ni(e,t){let{sent:n}=e;if(!n||!e.waiting)return e;let[o="",...r]=t.model.split(":"),s={content:t.text,service:o,model:r.join(":"),tool_calls:[],warnings:[],status:"partial",outcome:"stopped",finish_reason:"unknown",request_id:t.request,usage:Yu,timings:{total_ms:0,steps:[]}},i=mo(e,n.session,s);return{...i,received:i.received.map(a=>a.answer===s?{...a,stopped:!0}:a)}}function Ye(e){if(!e.waiting)return e;let t=e.sent?.place.edit??0;if(t>0)return{...e,waiting:!1,editing:{turn:t,text:e.sent?.question??""}};let n=[e.sent?.question,e.draft].filter(Boolean).join(`

`);return{...e,waiting:!1,draft:n,attachments:[...e.sent?.attachments??[],...e.attachments]}}function oi(e,t,n){let o=e.attachments.map(r=>r.key===t?{...r,...n}:r);return{...e,attachments:o}}function ri(e,t){return t?{...e,usedTokens:[...e.usedTokens,t]}:e}var Xu=/[?&]from_turn=(\d+)[^>]*>; rel="next"/;async function si(e,t,n,o){let r=[],s=1,i=!1;for(;!i;){let a=await R.exportSession(e,t,s,n,o);r.push(await a.text());let u=Xu.exec(a.headers.get("link")??"");i=u===null,s=Number(u?.[1])}return t==="markdown"?new Blob([r.join(`
`)],{type:"text/markdown"}):new Blob([Qu(r)],{type:"application/json"})}function Qu(e){if(e.length===1)return e.join("");let t=e.map(n=>JSON.parse(n));return JSON.stringify({...t[0],next_turn:void 0,messages:t.flatMap(n=>n.messages)})}var Zu={good:"✓",warn:"!",bad:"✕",plain:"·"};function B({tone:e,sign:t=Zu[e],children:n}){return c`<span class="outcome" data-tone=${e}>
    <span aria-hidden="true">${t}</span> ${n}
  </span>`}function St(){return c`<span class="tag demo" title="The demo model follows fixed rules and is no evidence about a real model">demo</span>`}var el={proven:{tone:"good",meaning:"the whole 95 % interval is at or above 80 %"},failing:{tone:"bad",meaning:"the whole 95 % interval is below 80 %"},undecided:{tone:"warn",meaning:"the 95 % interval contains 80 %: more tests are needed"},untested:{tone:"plain",meaning:"no tests"}};function e_({state:e,demo:t=!1}){let{tone:n,meaning:o}=el[e];return c`<span title=${o}><${B} tone=${t?"plain":n}>${e}<//></span>`}function un({children:e}){return c`<span class="tag">${e}</span>`}function ce({at:e}){return c`<time datetime=${e} title=${Ge(e)}>${gt(e)}</time>`}function po(e){return`${is(e.rate)} (${Math.round(e.low*100)}–${Math.round(e.high*100)})`}function t_({rate:e}){let t={left:`${e.low*100}%`,width:`${Math.max(1,(e.high-e.low)*100)}%`};return c`<span class="rate" title=${`${e.successes} of ${e.tests} tests; 95 % interval`}>
    <span class="number">${po(e)}</span>
    <span class="interval" aria-hidden="true"><span style=${t}></span><i style=${{left:`${e.rate*100}%`}}></i></span>
  </span>`}function n_({validation:e,demo:t}){let{badge:n,rate:o}=e;return t?c`<${St} />${o&&c` <small class="number">${po(o)}</small>`}`:n?c`<span class="badge" title=${n.tooltip}>
    <span aria-hidden="true">${n.symbol}</span> ${n.text}${o&&c` <span class="number">${po(o)}</span>`}
  </span>`:c`<${B} tone="plain">no tools<//>`}var tl=7;function ii({session:e,branch:t,open:n,onClose:o}){return c`<${Ke} title="Share conversation" open=${n} onClose=${o}>
    <${nl} session=${e} branch=${t} />
  <//>`}function nl({session:e,branch:t}){let n=ae(l=>R.shares(e.id,l),[e.id]),[o,r]=$(void 0),{data:s,error:i}=n;if(!s)return i?c`<${q} error=${i} onRetry=${n.reload} />`:c`<${re} lines=${4} label="the links" />`;let{shares:a,settings:u}=s,d=l=>{r(l),n.reload()};return c`
    <div class="stack">
      ${u.may_share?c`
              <p>A link shows this conversation as it is now, read-only, to people who have a token of this service: they sign in before it opens. Later messages are not part of it.</p>
              <${ol} session=${e.id} branch=${t} maxDays=${u.max_days} onCreated=${d} />
            `:c`<p class="notice">! ${u.enabled?"This token may not share conversations. An operator can, or can allow it in sessions.sharing.roles.":"Sharing is off. An operator can set sessions.sharing.enabled in the configuration."}</p>`}
      ${o&&c`<${rl} share=${o} />`}
      <h3>Links</h3>
      ${a.length===0&&c`<small>No links to this conversation.</small>`}
      <ul class="share-list">
        ${a.map(l=>c`<${sl} key=${l.id} session=${e.id} share=${l} onRevoked=${n.reload} />`)}
      </ul>
    </div>
  `}function ol({session:e,branch:t,maxDays:n,onCreated:o}){let r=Z();return c`
    <form class="stack" onSubmit=${i=>{i.preventDefault();let a=new FormData(i.currentTarget);r.run(async()=>{o(await R.createShare(e,{expires_in_days:Number(a.get("days")),role:a.get("role")==="operator"?"operator":"user",tool_calls:a.has("tool_calls"),attachments:a.has("attachments"),...t===void 0?{}:{branch:t}}))})}}>
      <label class="field">Valid for days, at most ${n}
        <input name="days" type="number" min="1" max=${n} step="1" required defaultValue=${Math.min(tl,n)} />
      </label>
      <label class="field">Who may open it
        <select name="role">
          <option value="user">Every token of this service</option>
          <option value="operator">Tokens with the role operator</option>
        </select>
      </label>
      <label class="check"><input type="checkbox" name="tool_calls" /> Show tool calls with their arguments and results</label>
      <label class="check"><input type="checkbox" name="attachments" /> Show the names of pictures and files</label>
      <div class="row"><button type="submit" class="primary" disabled=${r.busy}>Create link</button></div>
      ${r.error&&c`<${q} error=${r.error} />`}
    </form>
  `}function rl({share:e}){let t=new URL(e.path,W).href;return c`
    <div class="notice share-link" role="status">
      <p>✓ Link created. Copy it now: it is not shown again.</p>
      <input readonly aria-label="Link" value=${t} onFocus=${n=>n.currentTarget.select()} />
      <div class="row"><${le} text=${t} label="Copy link" /></div>
    </div>
  `}function sl({session:e,share:t,onRevoked:n}){let o=Z(),r=()=>{o.run(async()=>{await R.revokeShare(e,t.id),n()})},s=[D(t.turns,"turn"),t.tool_calls?"tool calls":"",t.attachments?"names of files":"",t.role==="operator"?"operators only":"every token"];return c`
    <li>
      <span>${s.filter(Boolean).join(" · ")}<br />
        <small>created <${ce} at=${t.created_at} />, expires <${ce} at=${t.expires_at} /></small>
      </span>
      <button type="button" disabled=${o.busy} onClick=${r}>Revoke</button>
      ${o.error&&c`<${q} error=${o.error} />`}
    </li>
  `}function ai({session:e,branch:t}){let[n,o]=$(!1),r=Z(),s=i=>{r.run(async a=>{il(await si(e.id,i,t,a),`${e.id}.${i==="json"?"json":"md"}`)})};return c`
    <div class="row" role="group" aria-label="Actions of this session">
      <button type="button" class="quiet" disabled=${r.busy} onClick=${()=>s("markdown")}>Export Markdown</button>
      <button type="button" class="quiet" disabled=${r.busy} onClick=${()=>s("json")}>Export JSON</button>
      <button type="button" class="quiet" onClick=${()=>o(!0)}>Share</button>
      ${r.busy&&c`<${X} label="Exporting the session" since=${r.since} />`}
    </div>
    ${r.error&&c`<${q} error=${r.error} />`}
    <${ii} session=${e} branch=${t} open=${n} onClose=${()=>o(!1)} />
  `}function il(e,t){let n=URL.createObjectURL(e),o=document.createElement("a");o.href=n,o.download=t,o.click(),setTimeout(()=>URL.revokeObjectURL(n),1e3)}var al=200;function ln(e){return e.title||"Untitled"}function ci({session:e,open:t,onOpen:n,onRename:o,onDelete:r}){let[s,i]=$(""),a=Z(),u=ln(e),d=()=>{i(""),a.clear()},l=m=>{a.run(async()=>{await m(),d()})},f=m=>l(()=>o(e.id,m)),p=()=>l(()=>r(e.id));return c`
    <li class="chat-session" data-open=${t}>
      ${s==="rename"?c`<${ul} title=${u} busy=${a.busy} onCancel=${d} onRename=${f} />`:c`<${cl} session=${e} open=${t} onOpen=${n} onMode=${i} />`}
      ${s==="delete"&&c`<${ll} title=${u} busy=${a.busy} onCancel=${d} onDelete=${p} />`}
      ${a.error&&c`<${q} error=${a.error} />`}
    </li>
  `}function cl({session:e,open:t,onOpen:n,onMode:o}){let r=ln(e);return c`
    <div class="chat-session-row">
      <button type="button" class="quiet" aria-current=${t?"true":void 0} onClick=${()=>n(e.id)}>
        <span class="chat-title">${r}</span>
        <small><${ce} at=${e.updated_at} /> · ${D(e.turns,"turn")}</small>
      </button>
      <button type="button" class="quiet" aria-label=${`Rename ${r}`} onClick=${()=>o("rename")}>✎</button>
      <button type="button" class="quiet" aria-label=${`Delete ${r}`} onClick=${()=>o("delete")}>✕</button>
    </div>
  `}function ul({title:e,busy:t,onCancel:n,onRename:o}){let r=_(null);return F(()=>r.current?.select(),[]),c`
    <form class="stack" onSubmit=${i=>{i.preventDefault();let a=r.current?.value.trim();a&&o(a)}} onKeyDown=${i=>ui(i,n)}>
      <label class="field">
        Title
        <input ref=${r} defaultValue=${e} maxlength=${al} required />
      </label>
      <div class="row">
        <button type="submit" disabled=${t}>Rename</button>
        <button type="button" onClick=${n}>Cancel</button>
      </div>
    </form>
  `}function ll({title:e,busy:t,onCancel:n,onDelete:o}){let r=_(null);return F(()=>r.current?.focus(),[]),c`
    <div
      class="notice stack"
      role="group"
      aria-label=${`Delete ${e}`}
      onKeyDown=${s=>ui(s,n)}
    >
      <p>! Delete this session and all its messages? This cannot be undone.</p>
      <div class="row">
        <button type="button" disabled=${t} onClick=${o}>Delete</button>
        <button type="button" ref=${r} onClick=${n}>Cancel</button>
      </div>
    </div>
  `}function ui(e,t){e.key==="Escape"&&(e.preventDefault(),t())}var li=/^ {0,3}(\$\$|\\\[)(?!\$)/;var dl=[["$$","$$",!0],["$","$",!1],["\\(","\\)",!1],["\\[","\\]",!0]];function di(e){return li.test(e)}function fi(e,t,n){let o=li.exec(e[t]??"")?.[1];if(o===void 0)return;let r=o==="$$"?"$$":"\\]",s=Math.min(e.length,t+200);for(let a=t;a<s;a+=1){let u=a===t?(e[t]??"").trim().slice(o.length):(e[a]??"").trim(),d=u.indexOf(r);if(d<0)continue;if(d<u.length-r.length||a===t&&d===0)return;let l=e.slice(t,a+1).join(`
`),f=l.trim().slice(o.length,-r.length).trim();return{block:{type:"math",source:l,text:f,closed:!0},end:a+1}}if(!n||s<e.length)return;let i=e.slice(t,s).join(`
`);return{block:{type:"math",source:i,text:i.trim(),closed:!1},end:s}}function ho(e,t,n){let o=dl.find(([l])=>e.startsWith(l,t));if(!o||n.has(o[0]))return;let[r,s,i]=o,a=t+r.length;if(r==="$"&&(mi(e[t-1])||/[\s$]/.test(e[a]??" ")))return;let u=r==="$"?fl(e,a):e.indexOf(s,a);u<0&&n.add(r);let d=e.slice(a,u).trim();if(!(u<0||d===""))return{node:{type:"math",text:d,source:e.slice(t,u+s.length),display:i},end:u+s.length}}function fl(e,t){for(let n=e.indexOf("$",t+1);n>=0;n=e.indexOf("$",n+1)){let o=e[n+1];if(!/[\\\s$]/.test(e[n-1]??" ")&&o!=="$"&&!mi(o))return n}return-1}function mi(e){return e!==void 0&&/[\p{L}\p{N}]/u.test(e)}var $o=8,ml=50,pi=/^ {0,3}(`{3,}|~{3,})([^`]*)$/,hi=/^ {0,3}(#{1,6})(?:[ \t](.*))?$/s,$i=/^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/,dn=/^ {0,3}> ?/,Et=/^( {0,3})([-*+]|\d{1,9}[.)])(?:[ \t]+|$)/,pl=/^\[([ xX])\](?:[ \t]+|$)/,hl=/^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/,$l=/^[ \t|:-]*$/;function fn(e,{open:t=!1}={}){return _o(e.split(/\r\n|\r|\n/),t,0)}function _o(e,t,n){let o=[];for(let r=0;r<e.length;){if(Xe(e[r])){r+=1;continue}let{block:s,end:i}=_l(e,r,t,n);o.push(s),r=i}return o}function Xe(e){return e===void 0||e.trim()===""}function _l(e,t,n,o){let r=e[t]??"",s=pi.exec(r);if(s)return bl(e,t,s[1]??"",s[2]??"");let i=hi.exec(r);if(i){let a=(i[2]??"").trim().replace(/(^|\s)#+$/,"");return{block:{type:"heading",source:r,level:i[1]?.length??1,text:a},end:t+1}}return $i.test(r)?{block:{type:"rule",source:r},end:t+1}:fi(e,t,n)??gl(e,t,n,o)}function gl(e,t,n,o){let r=e[t]??"";return o<$o&&dn.test(r)?wl(e,t,n,o):o<$o&&Et.test(r)?vl(e,t,n,o):gi(e,t,n)?xl(e,t):Cl(e,t,o)}function bl(e,t,n,o){let r=o.trim().split(/\s/,1)[0]??"",s=t+1;for(;s<e.length&&!yl(e[s]??"",n);)s+=1;let i=e.slice(t+1,s).join(`
`);return{block:{type:"code",source:Ct(e,t,s+1),language:r,text:i},end:s+1}}function yl(e,t){let n=e.trim();return n.length>=t.length&&n.replaceAll(t[0]??"","")===""}function wl(e,t,n,o){let r=t;for(;r<e.length&&dn.test(e[r]??"");)r+=1;let s=e.slice(t,r).map(a=>a.replace(dn,"")),i=_o(s,n&&r===e.length,o+1);return{block:{type:"quote",source:Ct(e,t,r),blocks:i},end:r}}function vl(e,t,n,o){let r=Et.exec(e[t]??"")?.[2]??"-",s=[],i=0,a=t;for(;a<e.length;a+=1){let p=e[a]??"",m=Et.exec(p);if(m&&Tt(p)<Math.max(i,2)&&_i(m[2]??"",r))i=Math.min(m[0].length,Tt(p)+(m[2]?.length??1)+4),s.push([p.slice(m[0].length)]);else if(Sl(e,a,{indent:i,marker:r,depth:o}))s.at(-1)?.push(p.slice(Math.min(Tt(p),i)));else break}let u=/^\d/.test(r)?Number.parseInt(r,10):void 0,d=kl(s),l=p=>n&&a===e.length&&p===s.length-1,f=s.map((p,m)=>_o(p,l(m),o+1));return{block:{type:"list",source:Ct(e,t,a),start:u,items:f,...d},end:a}}function kl(e){let t=e.map(n=>{let[o=""]=n,r=pl.exec(o);return r&&n.splice(0,1,o.slice(r[0].length)),r?r[1]!==" ":void 0});return t.some(n=>n!==void 0)?{checks:t}:{}}function Sl(e,t,{indent:n,marker:o,depth:r}){let s=e[t]??"";return Xe(s)?Tl(e,t+1,n,o):Tt(s)>=Math.min(n,2)?!0:!Xe(e[t-1])&&!bi(s,r)}function Tl(e,t,n,o){let r=e.slice(t,t+2).find(i=>!Xe(i));if(r===void 0)return!1;let s=Et.exec(r);return Tt(r)>=Math.min(n,2)||s!==null&&_i(s[2]??"",o)}function _i(e,t){return e.at(-1)===t.at(-1)}function Tt(e){return e.length-e.trimStart().length}function gi(e,t,n){let o=e[t]??"",r=e[t+1];return o.includes("|")?r!==void 0&&r.includes("-")&&hl.test(r)?xt(r).length===xt(o).length:n&&t+2>=e.length&&o.trimStart().startsWith("|")&&(r===void 0||$l.test(r)):!1}function xl(e,t){let n=Math.min(t+2,e.length);for(;n<e.length&&!Xe(e[n])&&(e[n]??"").includes("|");)n+=1;let o=xt(e[t]??""),r=xt(e[t+1]??"").map(El),s=e.slice(t+2,n).map(i=>{let a=xt(i);return o.map((u,d)=>a[d]??"")});return{block:{type:"table",source:Ct(e,t,n),aligns:r,head:o,rows:s},end:n}}function xt(e){return e.trim().replace(/^\|/,"").replace(/\|$/,"").replaceAll("\\|","\0").split("|",ml).map(n=>n.replaceAll("\0","|").trim())}function El(e){return e.endsWith(":")?e.startsWith(":")?"center":"right":e.startsWith(":")?"left":""}function Cl(e,t,n){let o=t+1;for(;o<e.length&&!Xe(e[o])&&!bi(e[o]??"",n)&&!gi(e,o,!1);)o+=1;let r=Ct(e,t,o);return{block:{type:"paragraph",source:r,text:r.trim()},end:o}}function bi(e,t){if(pi.test(e)||hi.test(e)||$i.test(e)||di(e))return!0;if(t>=$o)return!1;let n=Et.exec(e);return dn.test(e)||n!==null&&n[0].length<e.length&&/^(?:[-*+]|1[.)])$/.test(n[2]??"")}function Ct(e,t,n){return e.slice(t,n).join(`
`)}var Al=2e4,yo=6,yi=1e3,wi=/[\\`*_~[$]|!\[|https?:\/\//g,Rl=/!\[([^[\]\n]{0,1000})\]\((data:image\/(?:png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+={0,2})\)/g,vi=/https?:\/\/[^\s<>"`|[\]]{1,2000}/y,go=/\((?=(\s*))\1<?([^\s<>()]*(?:\([^\s<>()]*\)[^\s<>()]*)*)>?(?:\s+"[^"\n]*")?\s*\)/y,Il=/^\[([^[\]\n]*)(?:\](?:\([^)\s]*)?)?$/,Ol=/[!-/:-@[-`{-~]/,Ll=new Set(["http:","https:","mailto:"]),Ml=[["**","strong"],["__","strong"],["~~","del"],["*","em"],["_","em"]];function ki(e,{open:t=!1}={}){if(!e.includes("](data:image/"))return bo(e,t);let n=[],o=0;for(let r of e.matchAll(Rl))n.push(...bo(e.slice(o,r.index),!1)),n.push({type:"picture",alt:r[1]??"",address:r[2]??""}),o=r.index+r[0].length;return[...n,...bo(e.slice(o),t)]}function bo(e,t){return e===""?[]:e.length>Al?[e]:mn(e,t,0)}function mn(e,t,n){let o=[],r=new Set,s=Ti(e,0),i="",a=0,u=(d,l)=>{i!==""&&o.push(i),i="",o.push(d),a=l};for(;a<e.length;){wi.lastIndex=a;let d=wi.exec(e),l=d?.index??e.length;if(i+=e.slice(a,l),a=l,!d)break;let f=Nl(e,a,{open:t,depth:n,unclosed:r,target:s});typeof f.node=="string"?(i+=f.node,a=f.end):u(f.node,f.end)}return i!==""&&o.push(i),o}function Nl(e,t,n){let o=e[t]??"",r={node:o,end:t+1};switch(o){case"\\":return ho(e,t,n.unclosed)??Dl(e,t);case"$":return ho(e,t,n.unclosed)??{node:be(e,t,"$"),end:t+be(e,t,"$").length};case"!":return Hl(e,t,n)??r;case"`":return Pl(e,t,n)??{node:be(e,t,"`"),end:t+be(e,t,"`").length};case"[":return Si(e,t,n)??r;case"h":return Wl(e,t)??r;default:return Ul(e,t,n)??{node:be(e,t,o),end:t+be(e,t,o).length}}}function Dl(e,t){let n=e[t+1]??"";return Ol.test(n)?{node:n,end:t+2}:{node:n===`
`?"":"\\",end:t+1}}function be(e,t,n){let o=t;for(;e[o]===n;)o+=1;return e.slice(t,o)}function Pl(e,t,{open:n,unclosed:o}){let r=be(e,t,"`"),s=t+r.length,i=o.has(r)?-1:ql(e,s,r);if(i<0&&o.add(r),i<0&&!(n&&s<e.length))return;let a=e.slice(s,i<0?e.length:i).replaceAll(`
`," ");return{node:{type:"code",text:a.startsWith(" ")&&a.endsWith(" ")&&a.trim()!==""?a.slice(1,-1):a},end:i<0?e.length:i+r.length}}function ql(e,t,n){for(let o=e.indexOf(n,t);o>=0;o=e.indexOf(n,o)){let r=be(e,o,"`");if(r.length===n.length)return o;o+=r.length}return-1}function Ul(e,t,{open:n,depth:o,unclosed:r}){if(!(o>=yo))for(let[s,i]of Ml){if(!e.startsWith(s,t)||!Bl(e,t,s))continue;let a=t+s.length,u=r.has(s)?-1:Fl(e,a,s);if(u>0){let d=mn(e.slice(a,u),!1,o+1);return{node:{type:i,children:d},end:u+s.length}}if(r.add(s),n&&s.length===2)return{node:{type:i,children:mn(e.slice(a),!0,o+1)},end:e.length}}}function Bl(e,t,n){let o=e[t+n.length]??" ";return!/\s/.test(o)&&o!==n&&!(n[0]==="_"&&wo(e[t-1]))}function Fl(e,t,n){for(let o=e.indexOf(n,t+1);o>=0;o=e.indexOf(n,o+1))if(!(e[o-1]==="\\"||/\s/.test(e[o-1]??" "))&&!(n[0]==="_"&&wo(e[o+n.length]))){if(n.length===2)return o+(e[o+2]===n[0]&&e[o+3]!==n[0]?1:0);if(e[o+1]!==n)return o;o+=be(e,o,n).length-1}return-1}function wo(e){return e!==void 0&&/[\p{L}\p{N}]/u.test(e)}function Si(e,t,{open:n,depth:o,target:r}){if(o>=yo)return;r.close<t&&r.close>=0&&Object.assign(r,Ti(e,t));let{close:s,href:i,end:a}=r;if(i&&s-t<yi)return{node:{type:"link",href:i,children:mn(e.slice(t+1,s),!1,yo-1)},end:a};let u=n&&e.length-t<=yi?Il.exec(e.slice(t)):null;return u?.[1]?{node:u[1],end:e.length}:void 0}function Hl(e,t,n){let o=Si(e,t+1,n);if(!o||typeof o.node=="string"||o.node.type!=="link")return;let{href:r,children:s}=o.node,i=s.map(a=>typeof a=="string"?a:"").join("");return{node:{type:"link",href:r,children:[`Picture: ${i||"without a description"} (${Kl(r)})`]},end:o.end}}function Kl(e){let{host:t,pathname:n}=new URL(e);return t||n}function Ti(e,t){let n=e.indexOf("](",t);go.lastIndex=n+1;let o=n<0?null:go.exec(e);return{close:n,href:xi(o?.[2]??""),end:go.lastIndex}}function Wl(e,t){if(wo(e[t-1]))return;vi.lastIndex=t;let n=vi.exec(e)?.[0];if(n===void 0)return;let o=jl(n),r=xi(o);return r?{node:{type:"link",href:r,children:[o]},end:t+o.length}:void 0}function jl(e){let t=0,n=0;for(;n<e.length&&t>=0;n+=1)e[n]==="("?t+=1:e[n]===")"&&(t-=1);for(t<0&&(n-=1);n>0&&".,;:!?'*_~}\\".includes(e[n-1]??"");)n-=1;return e.slice(0,n)}function xi(e){try{let{protocol:t,href:n}=new URL(e);return Ll.has(t)?n:""}catch{return""}}var Vl=5e4,Gl=new Set(["","text","txt","plain","plaintext","none","output"]);function Ei({language:e,text:t,open:n}){return c`
    <div class="md-code">
      <div class="md-code-head">
        <small>${e||"text"}</small>
        <${le} text=${t} label="Copy code" />
      </div>
      <pre tabindex="0" role="region" aria-label=${`Code ${e}`.trim()}><code><${zl} language=${e} text=${t} open=${n} /></code></pre>
    </div>
  `}function zl({language:e,text:t,open:n}){let o=!n&&!Gl.has(e.toLowerCase())&&t.length<=Vl,{module:r}=We("highlight",o),s=H(()=>o?r?.highlight(t,e):void 0,[o,r,t,e]);return s===void 0?t:s.map(([i,a],u)=>a?c`<span key=${u} class=${a}>${i}</span>`:i)}var Ci=5e3,Jl={element:void 0,problem:""};function vo({tex:e,source:t,display:n,open:o=!1}){let r=e.length>Ci,s=!o&&!r&&e.trim()!=="",{module:i,failed:a}=We("math",s),u=_(null),{element:d,problem:l}=H(()=>s&&i?Yl(i,e,n):Jl,[s,i,e,n]);F(()=>{d&&u.current?.replaceChildren(d)},[d]);let f=Xl({problem:l,failed:a,isTooLong:r}),p=d?c`<span key="formula" ref=${u} class="md-formula"></span>`:c`<code key="source" class="md-tex" title=${f||void 0}>${t}</code>`;return n?c`<span class="md-display" tabindex="0" role="group" aria-label="Formula">${p}</span>`:p}function Yl(e,t,n){try{return{element:e.formula(t,n),problem:""}}catch(o){return{element:void 0,problem:o instanceof Error?o.message:String(o)}}}function Xl({problem:e,failed:t,isTooLong:n}){return n?`Formulas of more than ${Ci} characters are shown as text`:e!==""?`Not shown as a formula: ${e}`:t?"Formulas could not be loaded. Reload the page.":""}var Ql=2;function pn({text:e}){let t=H(()=>fn(e),[e]);return c`<${To} blocks=${t} />`}function To({blocks:e,open:t=!1}){return c`<div class="md">
    ${e.map((n,o)=>c`<${Zl} key=${o} block=${n} open=${t&&o===e.length-1} />`)}
  </div>`}function Zl({block:e,open:t}){let n=`${t} ${e.type} ${e.source}`;return H(()=>Ai(e,t),[n])}function Ai(e,t){switch(e.type){case"heading":return c`<${`h${Math.min(6,Ql+e.level)}`}>${At(e.text,t)}<//>`;case"code":return c`<${Ei} language=${e.language} text=${e.text} open=${t} />`;case"math":return c`<${vo} tex=${e.text} source=${e.source.trim()} display open=${!e.closed} />`;case"rule":return c`<hr />`;case"quote":return c`<blockquote>${ko(e.blocks,t)}</blockquote>`;case"list":return ed(e,t);case"table":return od(e,t);default:return c`<p>${At(e.text,t)}</p>`}}function ko(e,t){return e.map((n,o)=>Ai(n,t&&o===e.length-1))}function ed({start:e,items:t,checks:n=[]},o){let r=t.map((s,i)=>{let a=nd(s,o&&i===t.length-1);return n[i]===void 0?c`<li>${a}</li>`:c`<li class="md-task">${td(n[i])}${a}</li>`});return e===void 0?c`<ul>${r}</ul>`:c`<ol start=${e}>${r}</ol>`}function td(e){return c`<input type="checkbox" disabled checked=${e} aria-label=${e?"Done":"To do"} />`}function nd(e,t){let[n,...o]=e;return n?.type!=="paragraph"?ko(e,t):c`<span>${At(n.text,t&&o.length===0)}</span>${ko(o,t)}`}function od({aligns:e,head:t,rows:n},o){return c`
    <div class="md-table" tabindex="0" role="region" aria-label="Table">
      <table>
        <thead>
          <tr>${t.map((r,s)=>c`<th scope="col" data-align=${e[s]}>${At(r,!1)}</th>`)}</tr>
        </thead>
        <tbody>
          ${n.map((r,s)=>c`<tr>
              ${r.map((i,a)=>c`<td data-align=${e[a]}>${At(i,o&&s===n.length-1)}</td>`)}
            </tr>`)}
        </tbody>
      </table>
    </div>
  `}function At(e,t){return ki(e,{open:t}).map(So)}function So(e){if(typeof e=="string")return e;switch(e.type){case"code":return c`<code>${e.text}</code>`;case"math":return c`<${vo} tex=${e.text} source=${e.source} display=${e.display} />`;case"picture":return c`<img class="md-picture" src=${e.address} alt=${e.alt||"Picture without a description"} />`;case"link":return c`<a href=${e.href} title=${e.href} target="_blank" rel="noopener noreferrer nofollow">
        ${e.children.map(So)}
      </a>`;default:return c`<${e.type}>${e.children.map(So)}<//>`}}var rd=2e3,Ri=[{rating:"up",sign:"👍",title:"Helpful"},{rating:"down",sign:"👎",title:"Not helpful"}];function Q_({rating:e}){let{sign:t,title:n}=Ri.find(o=>o.rating===e)??{sign:"?",title:e};return c`<${B} tone=${e==="up"?"good":"bad"} sign=${t}>${n.toLowerCase()}<//>`}function Ii({id:e,given:t,onSaved:n}){let o=Z(),[r,s]=$(void 0),[i,a]=$(!1),u=r??t,d=f=>o.run(async()=>{await De.rate(e,f),s(f),n?.(f.rating)}),l=f=>{a(!0),u?.rating!==f&&d({rating:f,comment:u?.comment??""})};return c`
    <div class="feedback">
      <div class="row" role="group" aria-label="Rate the answer">
        ${Ri.map(({rating:f,sign:p,title:m})=>c`
            <button
              type="button"
              class="quiet"
              aria-pressed=${u?.rating===f}
              disabled=${o.busy}
              onClick=${()=>l(f)}
            ><span aria-hidden="true">${p}</span> ${m}</button>
          `)}
        <span role="status">${r&&!o.busy&&!o.error&&"saved ✓"}</span>
        ${o.busy&&c`<${X} label="Saving the rating" since=${o.since} />`}
      </div>
      ${u&&(i||t?.comment)&&c`<${sd} saved=${u.comment} busy=${o.busy} onSave=${f=>d({rating:u.rating,comment:f})} />`}
      ${o.error&&c`<${q} error=${o.error} />`}
    </div>
  `}function sd({saved:e,busy:t,onSave:n}){let o=ie(),[r,s]=$(e),i=t||r.trim()===e;return c`<form class="row" onSubmit=${u=>{u.preventDefault(),i||n(r.trim())}}>
    <label class="hidden" for=${o}>Comment</label>
    <input
      id=${o}
      type="text"
      maxlength=${rd}
      placeholder="Comment (optional)"
      value=${r}
      onInput=${u=>s(u.currentTarget.value)}
    />
    <button type="submit" disabled=${i}>Save comment</button>
  </form>`}function Oi({text:e,busy:t,onSend:n,onCancel:o}){let r=_(null),[s,i]=$(e);F(()=>{let{current:l}=r;l?.focus(),l?.setSelectionRange(l.value.length,l.value.length)},[]);let a=t||s.trim()==="",u=l=>{l.preventDefault(),a||n(s.trim())};return c`
    <form class="chat-edit stack" onSubmit=${u} onKeyDown=${l=>{l.key==="Escape"&&!l.isComposing?(l.preventDefault(),o()):l.key==="Enter"&&(l.ctrlKey||l.metaKey)&&u(l)}}>
      <label>
        <span class="hidden">Edit the message</span>
        <textarea
          ref=${r}
          rows="3"
          value=${s}
          onInput=${l=>i(l.currentTarget.value)}
        ></textarea>
      </label>
      <div class="row">
        <button type="submit" class="primary" disabled=${a}>
          Send <span aria-hidden="true">${pe("mod+Enter")}</span>
        </button>
        <button type="button" onClick=${o}>Cancel <span aria-hidden="true">${pe("Escape")}</span></button>
        <small>The earlier version stays: switch between them under the message.</small>
      </div>
    </form>
  `}function xo(e){return`chat-versions-${e}`}function Eo(e,t){return`Version ${t.indexOf(e)+1} of ${t.length}`}function Li({turn:e,siblings:t,disabled:n,onSwitch:o}){let r=t.indexOf(e);if(t.length<2||r<0)return null;let[s,i]=[t[r-1],t[r+1]],a=u=>{let d={ArrowLeft:s,ArrowRight:i}[u.key];d===void 0||n||(u.preventDefault(),o(d))};return c`
    <div
      class="chat-versions"
      id=${xo(e)}
      role="group"
      aria-label=${Eo(e,t)}
      onKeyDown=${a}
    >
      <button type="button" class="quiet" aria-label="Previous version" disabled=${n||s===void 0} onClick=${()=>s!==void 0&&o(s)}>‹</button>
      <span class="number" aria-hidden="true">${r+1} / ${t.length}</span>
      <button type="button" class="quiet" aria-label="Next version" disabled=${n||i===void 0} onClick=${()=>i!==void 0&&o(i)}>›</button>
    </div>
  `}function Mi({turn:e,actions:t}){return c`<button type="button" class="quiet" disabled=${t.busy} onClick=${()=>t.regenerate(e)}>Regenerate</button>`}function Ni({turn:{number:e,question:t="",siblings:n},actions:o}){return e===void 0?c`<div class="row"><${le} text=${t} label="Copy message" /></div>`:c`
    <div class="row chat-actions">
      <button type="button" class="quiet" id=${Co(e)} disabled=${o.busy} onClick=${()=>o.edit(e,t)}>Edit</button>
      <${le} text=${t} label="Copy message" />
      <${Li} turn=${e} siblings=${n} disabled=${o.busy} onSwitch=${o.show} />
    </div>
  `}function Co(e){return`chat-edit-${e}`}function Di({actions:e,editing:{turn:t,text:n}}){let o=r=>e.sendEdit(t,r);return c`<${Oi} text=${n} busy=${e.busy} onSend=${o} onCancel=${()=>e.endEdit(t)} />`}var id=new Set(["tool_not_found","tool_not_allowed","tool_disabled","invalid_arguments","malformed_arguments","repeated_call","too_many_calls","rate_limited","circuit_open","previous_call_unfinished","deadline"]),ad={stop:{tone:"good",label:"answered",reason:""},tool_calls:{tone:"good",label:"called tools",reason:""},length:{tone:"warn",label:"cut off",reason:"The model's token limit cut off the answer."},content_filter:{tone:"warn",label:"filtered",reason:"The provider's filter stopped the answer."},refusal:{tone:"warn",label:"refused",reason:"The model refused to answer."},unknown:{tone:"warn",label:"unknown outcome",reason:"The provider returned an unknown finish reason."}},cd={topic:"topic",search:"search",intent:"intent",model:"model",tool:"tool"};function Be(e,t){let n=[...t],o=e.steps.map((r,s)=>{let i=r.step==="tool"?n.findIndex(a=>ud(a,r)):-1;return Pi(s,r,i<0?void 0:n.splice(i,1)[0])});for(let[r,s]of n.entries()){let i=o.findLastIndex(a=>ld(a)<=s.iteration);o.splice(i+1,0,Pi(e.steps.length+r,void 0,s))}return o}function ud(e,t){return e.call_id===t.call_id&&e.iteration===t.iteration}function ld({step:e,call:t}){return e?.iteration??t?.iteration??0}function Pi(e,t,n){let o=t?.step??"tool",r=Qe(t?.name??n?.tool??"",128),s=o==="tool"||o==="search";return{index:e,step:t,call:n,name:s?r:`${cd[o]}${o==="model"?` ${t?.iteration}`:""}`,detail:s?"":r,nested:o==="tool",status:Rt(t,n)}}function Rt(e,t){if(t!==void 0)return fd(t);if(e?.error)return{tone:"bad",label:"failed",reason:`The model failed: ${me(e.error)}.`};let n=ad[e?.finish_reason??""];return n!==void 0?n:e?.ok?{tone:"good",label:"done",reason:""}:{tone:"bad",label:"failed",reason:"The step failed."}}function dd({result:e}){return!("error"in e)||!id.has(e.error_type)}function fd(e){let{result:t}=e;return"error"in t?{tone:"bad",label:dd(e)?"failed":"not run",reason:Qe(`${me(t.error_type)}: ${t.error}`,240)}:{tone:"good",label:"done",reason:""}}function me(e){return e.replaceAll("_"," ")}function Qe(e,t){return e.length>t?`${e.slice(0,t)}…`:e}function qi(e){let t=Math.max(1,e.total_ms,...e.steps.map(o=>o.start_ms+o.duration_ms)),n=md(t);return{length:t,step:n,ticks:Array.from({length:Math.floor(t/n)+1},(o,r)=>r*n)}}function md(e){for(let t=1;;t*=10)for(let n of[1,2,5])if(e/(n*t)<6)return n*t}function Ui(e,t){return{left:e.start_ms/t*100,width:e.duration_ms/t*100}}function Bi(e,t){return e===0?"0":t>=100&&e>=1e3?`${e/1e3} s`:`${e} ms`}function lg(e,t,n){return Be(e,t).find(o=>o.index===n)}function Fi({label:e,tabs:t,chosen:n,onChoose:o}){let r=ie(),[s,i]=$(t[0]?.name??""),a=n??s,u=Math.max(0,t.findIndex(f=>f.name===a)),d=f=>{i(f),o?.(f)};return c`
    <div>
      <div role="tablist" aria-label=${e} onKeyDown=${f=>{let p={ArrowRight:1,ArrowLeft:-1}[f.key],m=p===void 0?void 0:t[(u+p+t.length)%t.length];m!==void 0&&(f.preventDefault(),d(m.name),f.currentTarget.children.item(t.indexOf(m))?.focus())}}>
        ${t.map((f,p)=>c`
            <button
              type="button"
              role="tab"
              id=${`${r}-${p}`}
              aria-selected=${p===u}
              aria-controls=${`${r}-panel`}
              tabindex=${p===u?0:-1}
              onClick=${()=>d(f.name)}
            >${f.name}${f.note&&c` <small>${f.note}</small>`}</button>
          `)}
      </div>
      <div role="tabpanel" id=${`${r}-panel`} aria-labelledby=${`${r}-${u}`} tabindex="0">${t[u]?.content()}</div>
    </div>
  `}var pd=2e4,hd=10;function It(e){return typeof e=="string"?e:JSON.stringify(e,null,2)??""}function _e({value:e,label:t}){let[n,o]=$(1),r=H(()=>It(e),[e]),s=r.slice(0,pd*n),i=r.length-s.length;return c`
    <div class="value">
      <pre tabindex="0" role="region" aria-label=${t}>${s}</pre>
      <div class="row">
        <${le} text=${r} label="Copy" />
        ${i>0&&c`<button type="button" class="quiet" onClick=${()=>o(n*hd)}>
            Show more (${fe(i)} more characters)
          </button>`}
      </div>
    </div>
  `}var $d=128;function Ao({step:e,call:t}){let n=Rt(e,t),o=Qe(e?.name??t?.tool??"",$d);return c`
    <section class="wf-details" aria-label=${`Details of ${o}`}>
      <div class="row">
        <h3 class="mono">${o}</h3>
        <${B} tone=${n.tone}>${n.label}<//>
      </div>
      <${Fi} label=${`Details of ${o}`} tabs=${_d(e,t)} />
    </section>
  `}function _d(e,t){let n=`${e?.start_ms} ${e?.name} ${t?.iteration} ${t?.call_id}`,o={name:"Timing",content:()=>c`<${bd} step=${e} call=${t} />`},r={name:"Raw",content:()=>c`<${_e} key=${n} value=${{...e&&{step:e},...t&&{call:t}}} label="Raw" />`},s=e?.reasoning;return t===void 0&&s?[{name:"Reasoning",content:()=>c`<${_e} key=${n} value=${s} label="Reasoning" />`},o,r]:t===void 0?[o,r]:[{name:"Arguments",content:()=>c`<${_e} key=${n} value=${t.params} label="Arguments" />`},{name:"Result",content:()=>c`<${gd} key=${n} result=${t.result} />`},o,r]}function gd({result:e}){return"error"in e?c`<div class="stack">
      <p>${me(e.error_type)}</p>
      <${_e} value=${e.error} label="Error" />
      ${e.validation_errors&&c`<${_e} value=${e.validation_errors} label="Validation errors" />`}
    </div>`:c`<div class="stack">
    ${e.truncated&&c`<p class="notice">! The result was truncated.</p>`}
    <${_e} value=${e.result} label="Result" />
  </div>`}function bd({step:e,call:t}){let n=[...yd(e),...wd(e,t)];return c`<dl class="wf-facts">
    ${n.map(([o,r])=>c`
        <dt>${o}</dt>
        <dd>${r}</dd>
      `)}
  </dl>`}function yd(e){return e===void 0?[["Iteration","not started"]]:[["Iteration",e.iteration===0?"before iteration 1":String(e.iteration)],["Started after",j(e.start_ms)],["Duration",j(e.duration_ms)],["Ended after",j(e.start_ms+e.duration_ms)],...Ot("Model",e.demo&&"demo model"),...Ot("Tokens",e.total_tokens&&fe(e.total_tokens)),...Ot("Finish reason",e.finish_reason),...Ot("Error",e.error&&me(e.error))]}function wd(e,t){return t===void 0?[]:[...e===void 0?Ot("In iteration",String(t.iteration)):[],["Execution time",j(t.result.execution_time_ms)],["Call",t.call_id]]}function Ot(e,t){return t?[[e,t]]:[]}function Hi({timings:e,calls:t,selected:n,onSelect:o,failures:r=new Map}){let s=Be(e,t),i=qi(e),a=i.ticks.filter(l=>l/i.length<.9),u=s.findIndex(l=>l.index===n),d=l=>{let f=s[vd(l.key,u,s.length)];f===void 0||l.ctrlKey||l.metaKey||l.altKey||(l.preventDefault(),o(f.index),l.currentTarget.children.item(s.indexOf(f))?.focus())};return c`
    <div class="wf" style=${{"--wf-tick":`${i.step/i.length*100}%`}}>
      <div class="wf-head" aria-hidden="true">
        <span>Step</span>
        <span class="wf-axis">
          ${a.map(l=>c`<span style=${{left:`${l/i.length*100}%`}}>${Bi(l,i.step)}</span>`)}
        </span>
        <span class="number">Time</span>
        <span class="number">Tokens</span>
        <span>Outcome</span>
      </div>
      <div role="listbox" aria-label="Steps in order of their start" onKeyDown=${d}>
        ${s.map((l,f)=>c`
            <div
              key=${l.index}
              role="option"
              data-row=${l.index}
              class=${kd(l,r.has(l.index))}
              aria-selected=${l.index===n}
              tabindex=${f===Math.max(0,u)?0:-1}
              onClick=${()=>o(l.index)}
            ><${Sd} row=${l} length=${i.length} reason=${r.get(l.index)??l.status.reason} /></div>
          `)}
      </div>
    </div>
  `}function vd(e,t,n){switch(e){case"ArrowDown":return t+1;case"ArrowUp":return t-1;case"Home":return 0;case"End":return n-1;case"Enter":case" ":return Math.max(0,t);default:return-1}}function Ag(e){document.querySelector(`.wf [data-row="${e}"]`)?.focus()}function kd({nested:e},t){return`wf-row${e?" wf-nested":""}${t?" wf-failed":""}`}function Sd({row:e,length:t,reason:n}){let{step:o,status:r}=e;return c`
    <span class="wf-name" title=${e.detail||e.name}>
      ${e.name}${e.detail&&c` <small>${e.detail}</small>`}${o?.demo&&c` <${St} />`}
    </span>
    <span class="wf-track">${o&&c`<${Td} row=${e} length=${t} step=${o} />`}</span>
    <span class="wf-time number">${o?j(o.duration_ms):"–"}</span>
    <span class="wf-tokens number">
      ${o?.total_tokens?c`${D(o.total_tokens,"token")}`:c`<span aria-hidden="true"></span>`}
    </span>
    <span><${B} tone=${r.tone}>${r.label}<//></span>
    ${n&&c`<span class="wf-reason">${n}</span>`}
  `}function Td({row:e,step:t,length:n}){let{left:o,width:r}=Ui(t,n),s={left:`min(${o}%, 100% - var(--wf-least))`,width:`max(${r}%, var(--wf-least))`};return c`<span class="wf-bar" data-kind=${t.step} data-tone=${e.status.tone} style=${s}></span>`}var xd=[500,1e3,2e3,4e3];function Ki(e){return ae(t=>Ed(e,t),[e])}async function Ed(e,t){for(let n of xd){try{return await De.trace(e,t)}catch(o){if(!(o instanceof E)||o.status!==404||t.aborted)throw o}await new Promise(o=>{setTimeout(o,n)})}return De.trace(e,t)}var Cd=new Set(["topic","intent","model"]),Ad=new Set(["user","assistant"]);function ji({content:e}){return e??{}}function Vi({attributes:e},t){let n=e?.[t];return n==null?"":String(n)}function Ng({attributes:e}){let t=e?.failed_attempts;return Array.isArray(t)?t.filter(n=>typeof n=="object"&&n!==null):[]}function Gi({duration_ms:e,spans:t}){return{timings:{total_ms:e,steps:t.map(Rd)},calls:t.filter(n=>n.kind==="tool").map(Id)}}function Rd(e){let t=e.usage?e.usage.input_tokens+e.usage.output_tokens:0,n=Vi(e,"finish_reason");return{step:e.kind,name:e.name,iteration:e.iteration,start_ms:e.start_ms,duration_ms:e.duration_ms,ok:!e.error,...t>0&&{total_tokens:t},...n&&{finish_reason:n},...e.error&&Cd.has(e.kind)&&{error:e.error},...e.kind==="tool"&&{call_id:e.id}}}function Id(e){let t=e.duration_ms,{arguments:n,result:o}=ji(e),r=e.error?{success:!1,error_type:e.error,error:e.message??zi(o),execution_time_ms:t}:{success:!0,result:o,execution_time_ms:t,truncated:Vi(e,"truncated")==="true"};return{tool:e.name,params:n??{},result:r,iteration:e.iteration,call_id:e.id}}function zi(e){return e==null?"":typeof e=="string"?e:JSON.stringify(e)}function Od({messages:e},t){let n=ji(t).messages;if(Array.isArray(n))return n.flatMap(o=>typeof o=="number"&&o in e?[e[o]]:[])}function Dg(e){let t=e.spans.find(s=>s.kind==="model"),o=((t&&Od(e,t))??[]).map(s=>({role:Ld(s),content:Md(s)})),r=o.findLastIndex(({role:s})=>s==="user");return o.slice(0,Math.max(0,r)).filter(({role:s,content:i})=>Ad.has(s)&&i.trim()!=="")}function Ld(e){let{role:t}=Ro(e);return typeof t=="string"?t:"message"}function Ji(e){let{parts:t,content:n}=Ro(e);return Array.isArray(t)?t.map(Wi):n===void 0?[{kind:"other",value:e}]:[Wi(n)]}function Wi(e){if(typeof e=="string")return{kind:"text",text:e};let t=Ro(e),n=String(t.name??"");if("call_id"in t)return{kind:"result",name:n,text:zi(t.content),failed:t.is_error===!0};if("arguments"in t)return{kind:"call",name:n,arguments:t.arguments??t.raw};if(typeof t.text!="string")return{kind:"other",value:e};let{type:o="text",text:r}=t;return o==="text"||o==="reasoning"?{kind:o,text:r}:{kind:"attachment",type:String(o),text:r}}function Pg({messages:e}){return e.some(t=>Ji(t).some(n=>n.kind==="attachment"))}function Md(e){return Ji(e).flatMap(t=>t.kind==="text"?[t.text]:[]).join("")}function Ro(e){return typeof e=="object"&&e!==null?e:{}}function Lt({label:e,caption:t,columns:n,numbers:o=[],children:r}){return c`
    <div class="scroll" tabindex="0" role="region" aria-label=${e}>
      <table>
        <caption>${t}</caption>
        <thead>
          <tr>${n.map(s=>c`<th scope="col" class=${o.includes(s)&&"number"}>${s}</th>`)}</tr>
        </thead>
        <tbody>${r}</tbody>
      </table>
    </div>
  `}var Yi=200;function Qi({rules:e}){return c`
    <${Lt} label="Evaluated rules" caption="Evaluated rules, in order" columns=${["Rule","Outcome","Conditions"]}>
      ${e.map(t=>c`
          <tr>
            <th scope="row">${t.rule}</th>
            <td>
              <${B} tone=${t.matched?"good":"plain"}>${t.matched?"matched":"not matched"}<//>
            </td>
            <td><${Nd} rule=${t} /></td>
          </tr>
        `)}
    <//>
  `}function Nd({rule:e}){return e.conditions.length===0?e.fallback?"none: fallback rule":"none":e.conditions.map(({condition:t,expected:n,actual:o,holds:r})=>c`
      <div>
        <${B} tone=${r?"good":"bad"}>${r?"true":"false"}<//>
        ${" "}<code>${t}</code> ${Xi(n)}${!r&&c` <small>(actual: ${Xi(o)})</small>`}
      </div>
    `)}function Zi({tools:e}){return e.length===0?c`<p>No tools are configured.</p>`:c`
    <${Lt} label="Offered tools" caption="Tools" columns=${["Tool","Offered","Reason"]}>
      ${e.map(({tool:t,offered:n,reason:o})=>c`
          <tr>
            <th scope="row" class="mono">${t}</th>
            <td><${B} tone=${n?"good":"plain"}>${n?"offered":"not offered"}<//></td>
            <td>${o}</td>
          </tr>
        `)}
    <//>
  `}function Xi(e){if(e==null)return"nothing";let t=It(e);return t.length>Yi?`${t.slice(0,Yi)}…`:t}var Dd={match:"good",partial:"warn",none:"plain"};function ea({rag:e}){let{documents:t,skipped:n,result:o}=e,r=c`
    ${D(t.length,"document")} ·
    ${" "}<${B} tone=${Dd[o]}>${o==="none"?"no match":o}<//>
    ${n.length>0&&c` · <${B} tone="warn">${D(n.length,"collection")} skipped<//>`}
  `;return c`
    <${Q} summary=${r}>
      ${t.length>0&&c`<${Pd} documents=${t} />`}
      ${t.length===0&&c`<p>No document within the distance limit in the selected collections.</p>`}
      ${n.map(({collection:s,reason:i})=>c`<p>! <code>${s}</code> was skipped: ${i}</p>`)}
    <//>
  `}function Pd({documents:e}){return c`
    <${Lt} label="Documents" caption="Documents sent to the model" columns=${["Distance","Title","Source","Collection"]} numbers=${["Distance"]}>
      ${e.map(t=>c`
          <tr>
            <td class="number">${as(t.distance)}</td>
            <td>${t.title}</td>
            <td>${t.source}</td>
            <td>${t.service}/${t.collection}</td>
          </tr>
        `)}
    <//>
  `}function ta({explain:e}){return c`
    <dl class="chat-facts">
      <dt>Topic</dt>
      <dd>${e.topic?c`<${qd} topic=${e.topic} />`:"not detected: phase disabled"}</dd>
      <dt>Intent</dt>
      <dd>${e.intent?c`<${Ud} intent=${e.intent} />`:"not detected: phase disabled"}</dd>
      <dt>History</dt>
      <dd>${D(e.history_messages,"message")}</dd>
    </dl>
    <h3>Profile</h3>
    <${_e} value=${e.profile} label="Profile" />
    <${Qi} rules=${e.rules} />
    <${Zi} tools=${e.tools} />
    <h3>System prompt</h3>
    <${_e} value=${e.system_prompt} label="System prompt" />
  `}function qd({topic:e}){return c`${me(e.topic_status)}: ${e.topic_summary} <${na} phase=${e} />`}function Ud({intent:e}){return c`
    ${e.intent??"none"} (${me(e.source)})
    ${e.candidates.length>0&&c`<small>of ${e.candidates.join(", ")}</small>`}
    ${" "}<${na} phase=${e} />
  `}function na({phase:e}){return c`
    <small>${e.model&&`${e.model}, `}${j(e.duration_ms)}</small>
    ${e.error&&c` <${B} tone="bad">${e.error}<//>`}
  `}function hn(e,t,n=0){let o=[...Fd(e).values()].map(a=>Hd(a,t)),r=new Set(o.map(a=>a.answer?.requestId)),s=t.findLastIndex(({answer:a})=>r.has(a.request_id));return t.filter(({answer:a},u)=>{if(r.has(a.request_id))return!1;let d=a.session?.turn;return a.session?.saved===!1||(typeof d=="number"?d>n:u>s)}).reduce(Bd,o)}function Io(e,t){let n=t===0?-1:e.findIndex(({number:o})=>o===t);return n<0?e:e.slice(0,n)}function Bd(e,t){if(t.place>0)return[...Io(e,t.place),oa(t)];let n=e.at(-1),o=n!==void 0&&!n.answer&&(t.question===""||t.question===n.question),r=e.find(f=>t.replaces&&f.answer?.requestId===t.replaces)??(o&&n),s=oa(t);if(!r)return[...e,s];let{number:i,question:a,attachments:u,at:d}=r,{siblings:l}=r;return e.map(f=>f===r?{...s,number:i,question:a,attachments:u,at:d,siblings:l}:f)}function Fd(e){let t=new Map;for(let n of e){let o=t.get(n.turn);o?o.push(n):t.set(n.turn,[n])}return t}function Hd(e,t){let n=e.find(i=>i.role==="user"),o=e.find(i=>i.role==="assistant"&&i.service),r=e.filter(i=>i!==n&&i!==o),s=o&&Kd(o);return{key:s?.requestId||`turn ${e[0]?.turn}`,number:e[0]?.turn,question:n?.content,attachments:(n?.attachments??[]).map(({id:i,name:a,media_type:u,size:d})=>({name:a,type:u,size:d,...i&&{id:i}})),at:e[0]?.at??"",siblings:n?.siblings??[],remarks:r.map(i=>i.content).filter(i=>i.trim()!==""),calls:e.flatMap(i=>i.tool_calls),answer:s,received:t.find(i=>!i.stopped&&i.answer.request_id===s?.requestId)?.answer}}function Kd(e){return{content:e.content,at:e.at,model:e.model??"",service:e.service??"",rule:e.rule??"",status:e.status??"complete",outcome:e.outcome??void 0,demo:e.demo??!1,requestId:e.request_id??"",chosenRule:!!e.chosen_rule,chosenModel:!!e.chosen_model,...e.usage&&{totals:{ms:e.duration_ms??0,modelCalls:e.model_calls??0,usage:e.usage}}}}function $n(e,t){if(!t)return e.totals;let{usage:n,timings:o}=t;return{ms:o.total_ms,modelCalls:o.steps.filter(({step:r})=>r==="model").length,usage:n}}function oa({question:e,attachments:t,at:n,stopped:o,answer:r}){return{key:r.request_id,number:void 0,question:e||void 0,attachments:t,at:n,siblings:[],remarks:[],calls:r.tool_calls,answer:{content:r.content,at:n,model:r.model,service:r.service,rule:r.rule??"",status:r.status,outcome:r.outcome,demo:r.demo??!1,requestId:r.request_id,chosenRule:!1,chosenModel:!1},received:o?void 0:r}}var Wd=120;function ra({answer:e,calls:t,received:n}){let o=e&&$n(e,n),r=t.filter(s=>!s.result.success).length;return c`
    ${t.length>0&&c`<${Q}
        summary=${c`
          ${D(t.length,"tool call")}
          ${r>0&&c` · <${B} tone="bad">${r} failed<//>`}
        `}
      >
        ${t.map(s=>c`<${jd} key=${`${s.iteration} ${s.call_id}`} call=${s} />`)}
      <//>`}
    ${o&&c`<${Q} summary="Tokens and cost"><${zd} totals=${o} /><//>`}
    ${n&&c`<${Q} summary="Timeline"><${sa} timings=${n.timings} calls=${n.tool_calls} /><//>`}
    ${!n&&e?.requestId&&c`<${Q} summary="Timeline"><${Gd} id=${e.requestId} /><//>`}
    ${n?.rag&&c`<${ea} rag=${n.rag} />`}
    ${n?.explain&&c`<${Q} summary="Explanation"><${ta} explain=${n.explain} /><//>`}
  `}function jd({call:e}){let{tone:t,label:n}=Rt(void 0,e),o=c`
    <code>${Qe(`${e.tool}(${Vd(e.params)})`,Wd)}</code>
    ${" "}<${B} tone=${t}>${n}<//>
    ${" "}<small class="number">${j(e.result.execution_time_ms)}</small>
  `;return c`<${Q} summary=${o}><${Ao} step=${void 0} call=${e} /><//>`}function Vd(e){return typeof e=="string"?e:Object.entries(e).map(([t,n])=>`${t}: ${It(JSON.stringify(n))}`).join(", ")}function sa({timings:e,calls:t}){let[n,o]=$(-1),r=Be(e,t).find(s=>s.index===n);return c`
    <${Hi} timings=${e} calls=${t} selected=${n} onSelect=${o} />
    ${r&&c`<${Ao} key=${n} step=${r.step} call=${r.call} />`}
  `}function Gd({id:e}){let{data:t,error:n,reload:o}=Ki(e);if(t){let{timings:r,calls:s}=Gi(t);return c`<${sa} timings=${r} calls=${s} />`}return n?.status===404?c`<p>The trace of this answer is not stored: it has expired, or the configuration stores only some traces.</p>`:n?c`<${q} error=${n} onRetry=${o} />`:c`<${re} lines=${3} label="the timeline" />`}function zd({totals:{ms:e,modelCalls:t,usage:n}}){let{cost_usd:o}=n,r=[["Time",j(e)],["Model calls",fe(t)],["Input",D(n.input_tokens,"token")],["of these read from a cache",D(n.cached_tokens??0,"token")],["of these written to a cache",D(n.cache_write_tokens??0,"token")],["Output",D(n.output_tokens,"token")],["of these reasoning",D(n.reasoning_tokens??0,"token")],["Cost",typeof o=="number"?Ve(o):"no price configured"]];return c`<dl class="chat-facts">${r.map(([s,i])=>c`<dt>${s}</dt><dd class="number">${i}</dd>`)}</dl>`}function ia({answer:e,received:t,tokenUsed:n,onResume:o}){let r=e?.status==="partial"&&e.outcome!=="stopped",s=e&&!r?Je(e).reason:"",i=[...s?[s]:[],...t?Xd(t):[]];return i.length===0&&!r?null:c`
    <div class="notice stack">
      ${r&&c`<p><strong>! The answer is partial.</strong> ${Yd(t)}</p>`}
      ${i.map(a=>c`<p>! ${a}</p>`)}
      ${r&&c`<${Jd} received=${t} tokenUsed=${n} onResume=${o} />`}
    </div>
  `}function Jd({received:e,tokenUsed:t,onResume:n}){return t?c`<p>The resume token was already used. Send a new message instead.</p>`:e?e.resume_token?c`<div class="row">
    <button type="button" disabled=${!n} onClick=${n}>Continue</button>
    <small>available for one hour; completed tool calls are not repeated</small>
  </div>`:c`<p>The partial answer has no resume token. Send a new message instead.</p>`:c`<p>The resume token is only available during the visit that received it. Send a new message instead.</p>`}function Yd(e){if(!e)return"The deadline was reached or the model failed before the answer was complete.";let n=e.tool_calls.length>0?" The tool results so far are below.":"";return e.error?`The model failed (${me(e.error.type)}): ${e.error.message}.${n}`:`The deadline was reached before the answer was complete.${n}`}function Xd(e){let{fallback:t,session:n}=e;return[..._n(t,()=>`${e.model} answered instead of ${t?.instead_of}: ${me(t?.reason??"")}.`),..._n(e.deadline_reached,()=>"The deadline was near: the model had to answer without more tool calls."),..._n(e.max_tool_calls_reached&&e.outcome!=="tool_call_limit",()=>"The tool call limit was reached."),..._n(n?.saved===!1,()=>`Not saved in the session: ${n?.problem??"the write failed"}.`)]}function _n(e,t){return e?[t()]:[]}var Qd=2e4,Zd=10;function gn({session:e,turn:t,open:n,tokenUsed:o,actions:r,onResume:s}){let{number:i,question:a,attachments:u,at:d,remarks:l,calls:f,answer:p,received:m}=t,h=i!==void 0&&r?.editing?.turn===i;return c`
    <article class="chat-turn" tabindex="-1" aria-label=${i?`Turn ${i}`:"Unsaved turn"}>
      ${a!==void 0&&c`<${Oo} text=${a} attachments=${u} session=${e} at=${d} edit=${h?r:void 0}>
          ${r&&c`<${Ni} turn=${t} actions=${r} />`}
        <//>`}
      <div class="chat-answer">
        ${p&&c`<${of} answer=${p} received=${m} />`}
        ${l.map(w=>c`<div class="chat-remark"><${Lo} text=${w} markdown /></div>`)}
        ${p&&c`<${ef} answer=${p} />`}
        ${!p&&!n&&c`<p><${B} tone="warn">No answer yet.<//></p>`}
        <${ia} answer=${p} received=${m} tokenUsed=${o} onResume=${s} />
        <${ra} answer=${p} calls=${f} received=${m} />
        ${r&&(p||!n)&&c`<${tf} session=${e} turn=${t} actions=${r} />`}
      </div>
    </article>
  `}function ef({answer:{content:e,outcome:t}}){return e===""&&t==="stopped"?null:c`<${Lo} text=${e||"(empty answer)"} markdown />`}function tf({session:e,turn:t,actions:n}){let o=t.number!==void 0&&c`<${Mi} turn=${t} actions=${n} />`,r=t.answer?.requestId;return r?c`<${nf} session=${e} id=${r}>${o}<//>`:c`<div class="row">${o}</div>`}function nf({session:e,id:t,children:n}){let{data:o={},put:r}=Yr(e),s=o[t];return c`
    <div class="row chat-feedback">
      <${Ii} id=${t} given=${s&&{rating:s,comment:""}} onSaved=${i=>r({...o,[t]:i})} />
      <${en} id=${t} />
      ${n}
    </div>
  `}function Oo({text:e,attachments:t,session:n="",at:o,edit:r,children:s}){return c`
    <div class="chat-question">
      <div class="row spread">
        <strong>You</strong>
        ${o&&c`<small><${ce} at=${o} /></small>`}
      </div>
      <${on} attachments=${t} session=${n} />
      ${r?.editing?c`<${Di} actions=${r} editing=${r.editing} />`:c`<${Lo} text=${e} />${s}`}
    </div>
  `}function of({answer:e,received:t}){let n=$n(e,t),o=n?.usage.cost_usd,r=Je(e);return c`
    <div class="row chat-head">
      <strong>${e.model}</strong>
      ${e.demo&&c`<${St} />`}
      <${B} tone=${r.tone} sign=${r.sign}>${r.title}<//>
      <${un}>service ${e.service}<//>
      ${e.rule&&c`<${un}>rule ${e.rule}${e.chosenRule&&", chosen"}<//>`}
      ${e.chosenModel&&c`<${un}>model chosen<//>`}
      <small>
        <${ce} at=${e.at} />
        ${n&&` · ${j(n.ms)} · ${D(n.usage.total_tokens,"token")}`}
        ${typeof o=="number"&&` · ${Ve(o)}`}
      </small>
      ${e.content&&c`<${le} text=${e.content} label="Copy answer" />`}
    </div>
  `}function Lo({text:e,markdown:t=!1}){let[n,o]=$(1),r=e.slice(0,Qd*n),s=e.length-r.length;return c`
    <div class="chat-prose">${t?c`<${pn} text=${r} />`:r}</div>
    ${s>0&&c`<button type="button" class="quiet" onClick=${()=>o(n*Zd)}>
        Show more (${fe(s)} more characters)
      </button>`}
  `}function aa({session:e,list:t,turns:n,from:o,busy:r,usedTokens:s,earlier:i,actions:a,resumable:u,onToggle:d,onResume:l,children:f}){let p=_({onResume:l,actions:a});p.current={onResume:l,actions:a};let{busy:m,editing:h}=a,w=H(()=>{let v=n.at(-1),A={busy:m,editing:h,edit:(y,k)=>p.current.actions.edit(y,k),sendEdit:(y,k)=>p.current.actions.sendEdit(y,k),endEdit:y=>p.current.actions.endEdit(y),regenerate:y=>p.current.actions.regenerate(y),show:y=>p.current.actions.show(y)};return n.map(y=>{let{received:k,number:C}=y,J=y===v&&(C===void 0||C===u);return c`
        <${gn}
          key=${y.key}
          session=${e}
          turn=${y}
          open=${r&&y===v}
          tokenUsed=${s.includes(k?.resume_token??"")}
          actions=${A}
          onResume=${k&&J&&!r?()=>p.current.onResume(k):void 0}
        />
      `})},[e,n,r,s,m,h,u]);return c`
    ${o>1&&c`<div class="row">
        <button type="button" disabled=${i.busy} onClick=${i.show}>Show earlier messages</button>
        ${i.busy&&c`<${X} label="Loading earlier messages" since=${i.since} />`}
      </div>`}
    ${i.error&&c`<${q} error=${i.error} onRetry=${i.show} />`}
    <div class="chat-turns" ref=${t} onClickCapture=${d}>
      ${w} ${f}
    </div>
  `}var ca=48,rf=1/3,ye=document.documentElement;function ua(){return ye.scrollHeight-ye.scrollTop-ye.clientHeight}function Mo(){ye.scrollTop=ye.scrollHeight}function la({session:e,turns:t,added:n,waiting:o,streamed:r}){let s=_(null),i=_(null),a=_(!0),u=_(0),[d,l]=$(!1),f=_({session:"",first:"",answer:"",end:"",wasWaiting:!1}),p=t[0]?.key??"",m=t.at(-1)?.answer?.requestId??"",h=`${t.length} ${t.at(-1)?.key} ${n}`,{current:w}=f,v=w.session===e,y=v&&w.first!==p&&t.some(({key:O})=>O===w.first)?i.current?.firstElementChild:void 0,k=y?.getBoundingClientRect().top??0,C=S(()=>l(ua()>ca),[]),J=S(()=>{a.current=!0,Mo(),C()},[C]);F(()=>{let O=m!==""&&m!==w.answer,ne=o||v&&w.wasWaiting;f.current={session:e,first:p,answer:m,end:h,wasWaiting:ne&&!O},v||(a.current=!0),!(v&&w.end===h)&&(y?ye.scrollTop+=y.getBoundingClientRect().top-k:a.current&&t.length+n.trim().length>0&&(a.current=!(O&&ne&&!r&&sf(s.current)),a.current&&Mo()),C())}),b(()=>{let{scrollRestoration:O}=history;history.scrollRestoration="manual";let ne=()=>{let I=ye.scrollTop<u.current-1;u.current=ye.scrollTop,ua()<=ca?a.current=!0:I&&(a.current=!1),C()},g=()=>{a.current&&Mo(),C()},x=new ResizeObserver(()=>requestAnimationFrame(g));return s.current&&x.observe(s.current),addEventListener("scroll",ne,{passive:!0}),addEventListener("resize",g),visualViewport?.addEventListener("resize",g),()=>{history.scrollRestoration=O,x.disconnect(),removeEventListener("scroll",ne),removeEventListener("resize",g),visualViewport?.removeEventListener("resize",g)}},[C]);let se=S(O=>{O.target instanceof Element&&O.target.closest("summary, button, [role=option]")&&(a.current=!1)},[]),te=()=>{J(),i.current?.querySelector("article:last-of-type")?.focus({preventScroll:!0})};return{chat:s,list:i,isAway:d&&(t.length>0||o),follow:J,jump:te,handleToggle:se}}function sf(e){let t=e?.querySelector("article:last-of-type"),n=t?.querySelector(".chat-answer");if(!t||!n)return!1;let o=af(document.querySelector("header.shell")),r=innerHeight-o-(e?.querySelector(".chat-composer")?.getBoundingClientRect().height??0),{top:s,height:i}=n.getBoundingClientRect();if(i<=r)return!1;let a=t.getBoundingClientRect().top;return ye.scrollTop+=(s-a<r*rf?a:s)-o-8,!0}function af(e){return e&&getComputedStyle(e).position==="sticky"?e.getBoundingClientRect().height:0}var we=class extends Error{};function cf({lastId:e="",longest:t=33554432}={}){let n=[],o=[],r=e,s="",i=0,a=!1,u=d=>{if(d===""){let m=o.length>0?{name:s||"message",data:o.join(`
`),id:r}:void 0;return[s,o,i]=["",[],0],m}let l=d.indexOf(":"),f=l<0?d:d.slice(0,l),p=l<0?"":d.slice(d[l+1]===" "?l+2:l+1);f==="event"?s=p:f==="data"?o.push(p):f==="id"&&(r=p)};return d=>{let l=[],f=a&&d.startsWith(`
`)?1:0;d!==""&&(a=d.endsWith("\r")),i+=d.length-f;for(let{index:p,0:m}of d.matchAll(/\r\n|\n|\r/g)){if(p<f)continue;n.push(d.slice(f,p)),f=p+m.length;let h=u(n.join(""));n=[],h&&l.push(h),i===0&&(i=d.length-f)}if(i>t)throw new we("The service sent an event that is too long.");return f<d.length&&n.push(d.slice(f)),l}}async function*da(e,{lastId:t="",silenceMs:n=45e3}={}){let o=e.getReader(),r=cf({lastId:t}),s=new TextDecoder;try{for(;;){let{done:i,value:a}=await uf(o.read(),n);if(i)return;yield*r(s.decode(a,{stream:!0}))}}catch(i){throw i instanceof we||No(i)?i:new we("The connection was lost.")}finally{o.cancel().catch(()=>{})}}function No(e){return e instanceof DOMException&&e.name==="AbortError"}async function uf(e,t){let n,o=new Promise((r,s)=>{n=setTimeout(()=>s(new we("The connection was silent for too long.")),t)});try{return await Promise.race([e,o])}finally{clearTimeout(n)}}var Do=5,lf=500,df=2,Ze=class extends Error{constructor(t){super(`The connection to the run ${t} was lost.`),this.run=t}};async function*fa({open:e,reopen:t},{signal:n,onLost:o=()=>{},wait:r=gf}){let s="",i="",a=0;for(;;){try{let u=await(s?t(s,i,n):e(n));for await(let d of ff(u,i)){a=0,i=d.id;let l=mf(d);if(l.name==="error")throw pf(l.data);if(l.name==="accepted"&&(s=l.data.run_id),yield l,l.name==="answer")return}}catch(u){hf(u,s)}if(s==="")throw new E("failed","The stream ended without an answer. Try again.");if(a+=1,a>Do)throw new Ze(s);o(a),await r(lf*df**(a-1),n)}}async function*ff(e,t){if(e.headers.get("content-type")?.startsWith("text/event-stream")&&e.body){yield*da(e.body,{lastId:t});return}yield{name:"answer",data:await e.text(),id:""}}function mf({name:e,data:t}){try{return{name:e,data:Me(t)}}catch{throw new E("failed","The response is incomplete or not JSON. Try again.")}}function pf({error:e,message:t,request_id:n,details:o}){return new E("failed",t,{status:200,code:e,requestId:n,details:o??[]})}function hf(e,t){if(No(e)||$f(e))throw e;if(t==="")throw e instanceof we?new E("offline",`${e.message} Try again.`):e;if(!_f(e))throw new Ze(t)}function $f(e){return e instanceof E&&e.status===200}function _f(e){return e instanceof E?e.kind==="offline"||e.status===429||e.status>=500:e instanceof we}function gf(e,t){return new Promise((n,o)=>{let r=setTimeout(n,e),s=()=>(clearTimeout(r),o(new DOMException("Aborted","AbortError")));t.addEventListener("abort",s,{once:!0})})}var bf=5;function ma({live:e}){let{model:t,text:n,remarks:o,steps:r,warnings:s,attempt:i}=e,a=H(()=>fn(n,{open:!0}),[n]);return e.run===""&&r.length===0&&n===""?null:c`
    <section class="chat-answer chat-live" aria-label="Answer in progress">
      ${t&&c`<div class="row chat-head"><strong>${t}</strong></div>`}
      ${o.map((u,d)=>c`<div class="chat-remark chat-prose" key=${`remark ${d}`}><${pn} text=${u} /></div>`)}
      ${r.length>0&&c`<ol class="chat-steps">${r.map(u=>c`<${vf} key=${u.key} step=${u} />`)}</ol>`}
      ${n.trim()&&c`<div class="chat-prose"><${To} blocks=${a} open /></div>`}
      ${s.map(u=>c`<p class="notice">! ${u}</p>`)}
      ${i>0&&c`<p class="notice" role="status">! Connection lost. Reconnecting, attempt ${i} of ${Do}.</p>`}
      <${yf} blocks=${a} />
    </section>
  `}function yf({blocks:e}){let t=e.length-1;return c`<div class="hidden" aria-live="polite">
    ${e.map(({source:n},o)=>o<t&&o>=t-bf&&c`<p key=${o}>${n}</p>`)}
  </div>`}function wf({text:e}){return c`<${Q} summary="reasoning"><p class="chat-reasoning">${e}</p><//>`}function vf({step:{kind:e,name:t,detail:n,status:o,ms:r,error:s}}){return e==="rule"?c`<li>rule ${t}</li>`:e==="reasoning"?c`<li><${wf} text=${n} /></li>`:c`
    <li>
      ${o==="running"?"calling ":""}${e==="tool"?c`<code>${t}</code>`:t}
      ${n&&c` <small class="mono">${n}</small>`}
      ${o==="running"?" …":c` <small class="number">${j(r??0)}</small> <${kf} status=${o} />`}
      ${s&&c` <small>${s}</small>`}
    </li>
  `}function kf({status:e}){return c`<${B} tone=${e==="failed"?"bad":"good"}>${e}<//>`}var Sf=3e3,Tf=15e4;function pa({run:e}){let t=_(performance.now()),n=e&&performance.now()-(Date.now()-new Date(e.created_at).getTime()),o=e?Be({total_ms:0,steps:e.steps},[]):[];return c`
    <section class="chat-run stack" aria-label="Background run">
      <${X} label=${xf(e)} since=${n===void 0?t.current:Math.min(n,performance.now())} />
      ${o.length>0&&c`<ol>
          ${o.map(r=>c`
              <li key=${r.index}>
                ${r.name} ${r.detail&&c`<small>${r.detail}</small>`}
                ${" "}<${B} tone=${r.status.tone}>${r.status.label}<//>
                ${r.step&&c` <small class="number">${j(r.step.duration_ms)}</small>`}
                ${r.status.reason&&c` <small>${r.status.reason}</small>`}
              </li>
            `)}
        </ol>`}
      <small>The run continues if you close this page. Its URL shows the result for one day.</small>
    </section>
  `}function xf(e){return e===void 0?"Loading the run":e.status==="queued"?"Queued in the background":"Running in the background"}function ha({stop:{status:e,reason:t},open:n,onCheck:o}){let r=e==="failed";return b(()=>{if(!r||!n)return;let s=setInterval(()=>!document.hidden&&o(),Sf),i=setTimeout(()=>clearInterval(s),Tf);return()=>{clearInterval(s),clearTimeout(i)}},[r,n,o]),r?c`
    <div class="notice stack" role="status">
      <p>! The service did not confirm that it has stopped the answer: ${t}</p>
      <p>${n?"It may still complete the answer and save it in the conversation.":"The conversation above is up to date."}</p>
      ${n&&c`<div class="row"><button type="button" onClick=${o}>Check again</button></div>`}
    </div>
  `:null}function $a({id:e,chat:t,conversation:n,blocked:o,scroll:r,field:s}){let i=Ef(n),a=u=>{r.follow(),u(),s.current?.focus({preventScroll:!0})};return{announced:i.shown,actions:{busy:o,editing:t.editing,edit:t.beginEdit,sendEdit:(u,d)=>a(()=>t.edit(u,d)),endEdit:u=>{t.endEdit(),requestAnimationFrame(()=>document.getElementById(Co(u))?.focus())},regenerate:u=>a(()=>t.regenerate(u)),show:u=>{i.expect(u),Ee({session:e,branch:String(u)})}}}}function Ef({messages:e}){let t=_(0),[n,o]=$("");return b(()=>{let r=t.current,s=e.find(a=>a.turn===r&&a.role==="user");if(r===0||!s)return;t.current=0,o(Eo(r,s.siblings??[])),document.getElementById(xo(r))?.querySelector("button:not(:disabled)")?.focus()},[e]),{shown:n,expect:r=>{t.current=r,o("")}}}function _a(e,t,{messages:n,session:o,error:r}){let s=t.sent?.session===e?t.sent:void 0,i=t.task.busy&&s!==void 0,a=t.followed.active||i,u=r?.status===404,d=o?.turns??0,l=H(()=>{let h=t.received.filter(w=>w.session===e);return u?[]:hn(n,h,d)},[n,t.received,e,u,d]),f=a&&t.waiting?s:void 0,p=f?sn(f.place):0,m=H(()=>Io(l,p),[l,p]);return{sent:s,requesting:i,answering:a,turns:m,question:f?Cf(f,m.at(-1)):""}}function Cf(e,t){let{question:n}=kt(e);return t!==void 0&&t.answer===void 0&&t.question===n?"":n}var ga="flexchat.run";function ba(e){sessionStorage.setItem(ga,e)}function ya(e){return sessionStorage.getItem(ga)===e}var wa="session_busy",va="Another tab is answering in this conversation. Your message is kept; send it when the answer is complete.",ka="Another tab was answering in this conversation. Your message is kept in the field; send it when the answer is complete.";function Sa(e,{task:t,busy:n,sent:o,stop:r},{session:s}){let i=_(0),a=!!s?.answering&&!n;a?i.current===0&&(i.current=performance.now()):i.current=0;let u=o?.session===e?o:void 0;return t.busy?{elsewhere:a,label:Af(u,r.status),since:t.since}:{elsewhere:a,label:a?va:"",since:i.current}}function Af(e,t){return t==="stopping"?"Stopping the answer":e!==void 0&&e.follows!==""&&!ya(e.follows)?va:e===void 0?"Waiting for an answer in another session":e.background?"Starting the run":"Waiting for the answer"}function Ta({id:e,branch:t,chat:n,conversation:o,options:r,onBegin:s}){let i=_(null),{task:a}=n,{sent:u,requesting:d,answering:l,turns:f,question:p}=_a(e,n,o),m=an(r),h=Sa(e,n,o),w=n.busy||h.elsewhere||m!=="",v=la({session:e,turns:f,added:If(n,u,p),waiting:l,streamed:n.live.text!==""}),A=()=>{w||nn(n.attachments)!==""||n.draft.trim()===""||(v.follow(),n.send({after:t===""?0:o.path.at(-1)??0}))};Fe([{keys:"/",label:"Write a message",run:()=>i.current?.focus()},{keys:"mod+Enter",label:"Send the message",run:A},{keys:"Escape",label:"Stop the answer",run:()=>n.busy&&n.cancel()}]);let{actions:y,announced:k}=$a({id:e,chat:n,conversation:o,blocked:w,scroll:v,field:i});return c`
    <div class="chat" ref=${v.chat}>
      <${Nf} conversation=${o} />
      ${o.loading&&!(n.waiting&&u)&&c`<${re} lines=${8} label="the messages" />`}
      ${a.error?.kind!=="offline"&&c`<${Rf} conversation=${o} onBegin=${s} />`}
      ${e===""&&c`<${Df} />`}
      <${Of} chat=${n} sent=${u} conversation=${o} turns=${f} question=${p} live=${d} answering=${l} actions=${y} scroll=${v} onRetry=${A} />
      <p class="hidden" role="status">${k||Pf(n)}</p>
      <${Ys}
        draft=${n.draft}
        attachments=${n.attachments}
        onAttach=${n.attach}
        onDetach=${n.detach}
        onAttachmentChange=${n.changeAttachment}
        busy=${n.busy}
        blocked=${h.elsewhere}
        waiting=${h.label}
        since=${h.since}
        hint=${m}
        isAway=${v.isAway}
        onJump=${v.jump}
        field=${i}
        onWrite=${n.write}
        onSend=${A}
        onCancel=${n.cancel}
      />
    </div>
  `}function Rf({conversation:e,onBegin:t}){let{error:n,reload:o}=e;return n?xa(e)?c`<${q} error=${n} onRetry=${t} retry="Start a new chat" />`:c`<${q} error=${n} onRetry=${o} />`:null}function xa(e){return e.error?.status===404}function If({task:e,followed:t,stop:n},o,r){let s=(o&&e.error)??t.error,i=o&&n.status==="failed"?`stopped ${n.reason}`:"";return[r,i,s?.code,s?.message,t.run?.status].filter(Boolean).join(" ")}function Of({chat:e,sent:t,conversation:n,turns:o,question:r,live:s,answering:i,actions:a,scroll:u,onRetry:d}){let{followed:l}=e,f=xa(n),p=o.at(-1),m=h=>{u.follow(),e.resume(h)};return c`
    <${aa}
      session=${n.id}
      list=${u.list}
      turns=${o}
      from=${f?1:n.from}
      busy=${i}
      usedTokens=${e.usedTokens}
      earlier=${n.earlier}
      actions=${a}
      resumable=${n.session?.turns??0}
      onToggle=${u.handleToggle}
      onResume=${m}
    >
      ${r&&c`<${Oo} text=${r} attachments=${kt(t).attachments} at=${void 0} />`}
      ${s&&e.waiting&&c`<${ma} live=${e.live} />`}
      ${l.active&&c`<${pa} run=${l.run} />`}
    <//>
    <${Lf}
      chat=${e}
      sent=${t!==void 0}
      open=${p?.answer===void 0}
      onCheck=${n.reload}
      onRetry=${d}
    />
  `}function Lf({chat:e,sent:t,open:n,onCheck:o,onRetry:r}){let{task:s,followed:i}=e,a=(t?s.error:void 0)??i.error;return a?.code===wa?c`<p class="notice" role="status">! ${ka}</p>`:c`
    ${t&&c`<${ha} stop=${e.stop} open=${n} onCheck=${o} />`}
    ${i.run?.status==="cancelled"&&c`<p class="notice" role="status">! Run stopped. The conversation has what was complete until then.</p>`}
    ${a&&c`<${q} error=${a} onRetry=${Mf(e,a,r)} traced />`}
  `}function Mf({task:e,followed:t,draft:n},o,r){if(t.active)return t.retry;let s=o.kind==="offline"||o.kind==="failed";return o===e.error&&s&&n.trim()!==""?r:void 0}function Nf({conversation:e}){let{session:t}=e;return t?c`
    <div class="chat-heading">
      <div>
        <h2>${ln(t)}</h2>
        <small>${t.topic&&c`Topic: ${t.topic} · `}${D(e.path.length||t.turns,"turn")}</small>
      </div>
      <${ai} key=${t.id} session=${t} branch=${e.path.at(-1)} />
    </div>
  `:c`<h2>${e.id?"Chat":"New chat"}</h2>`}function Df(){return c`
    <${cs} title="Chat with the service">
      <p>
        The service keeps the conversation, selects model and prompt by response rules, and calls tools. Each answer shows its
        model, rule, tool calls and timeline.
      </p>
      <p>Send a message to start a session, for example <q>What is 15% of 45?</q></p>
    <//>
  `}function Pf({received:e,busy:t,stop:n}){let o=e.at(-1);if(t||!o)return"";let{answer:r}=o;if(o.stopped||n.status==="stopped")return"Answer stopped.";let s=D(r.tool_calls.length,"tool call");return`${r.model}: ${Je(r).title} in ${j(r.timings.total_ms)}, ${s}`}function Ca({choice:e,onChange:t}){let{models:n,rules:o}=ts();return c`
    <${Ea} label="Model" name="model" names=${n} choice=${e} onChange=${t} />
    <${Ea} label="Response rule" name="rule" names=${o} choice=${e} onChange=${t} />
  `}function Ea({label:e,name:t,names:n,choice:o,onChange:r}){let s=ie(),i=o[t];return n.length===0&&i===""?null:c`
    <div class="field">
      <label for=${s}>${e}</label>
      <select
        id=${s}
        value=${i}
        onChange=${a=>r({[t]:a.currentTarget.value})}
      >
        <option value="">Selected by the service</option>
        ${i!==""&&!n.includes(i)&&c`<option value=${i}>${i} · not offered</option>`}
        ${n.map(a=>c`<option key=${a} value=${a}>${a}</option>`)}
      </select>
    </div>
  `}function Ra({options:e,onChange:t}){let n=Qr(),o=r=>()=>t({[r]:!e[r]});return c`
    <${Ca} choice=${yt(Kt().params)} onChange=${Ls} />
    <label class="check">
      <input type="checkbox" checked=${e.background} onChange=${o("background")} />
      Run in the background, up to 15 minutes
    </label>
    ${n&&c`<label class="check">
        <input type="checkbox" checked=${e.explain} onChange=${o("explain")} />
        Include an explanation
      </label>`}
    <${qf} options=${e} onChange=${t} />
    <${Q} summary="Profile fields">
      <${Aa} label="Intent" name="intent" options=${e} onChange=${t} />
      <${Aa} label="Service" name="service" options=${e} onChange=${t} />
      <small>Matched by response rules.</small>
    <//>
  `}function qf({options:e,onChange:t}){let n=ie(),o=an(e);return c`
    <label class="field">
      Deadline in seconds
      <input
        type="number"
        inputmode="decimal"
        min="1"
        max=${rn(e)}
        step="any"
        placeholder=${e.background?"600":"28"}
        aria-invalid=${o?"true":void 0}
        aria-describedby=${o?n:void 0}
        value=${e.seconds}
        onInput=${r=>t({seconds:r.currentTarget.value})}
      />
    </label>
    ${o&&c`<p id=${n} class="problem-text" role="alert">✕ ${o}</p>`}
  `}function Aa({label:e,name:t,options:n,onChange:o}){return c`
    <label class="field">
      ${e}
      <input
        value=${n[t]}
        spellcheck=${!1}
        autocomplete="off"
        onInput=${r=>o({[t]:r.currentTarget.value})}
      />
    </label>
  `}function Ia({options:e,onChange:t}){let{data:n,error:o,loading:r,reload:s}=Jr(),i=a=>e.collections.includes(a)?e.collections.filter(u=>u!==a):[...e.collections,a];return o?c`<${q} error=${o} onRetry=${s} />`:!n&&r?c`<${re} lines=${2} label="the collections" />`:n?.collections.length?c`
    <fieldset class="chat-collections">
      <legend>Collections to search</legend>
      ${n.collections.map(({name:a,metadata:u,documents:d})=>c`
          <label class="check" key=${a}>
            <input
              type="checkbox"
              checked=${e.collections.includes(a)}
              onChange=${()=>t({collections:i(a)})}
            />
            <span>${u.display_name||a} <small>${D(d,"document")}</small></span>
          </label>
        `)}
    </fieldset>
  `:c`<small>No collections. See the Retrieval view to create one.</small>`}var Oa="mod+k",Uf=250,Bf=20,Ff=200;function Ma(){let[e,t]=$(""),[n,o]=$({query:"",pages:1}),r=e.trim();b(()=>{if(r===n.query)return;let i=setTimeout(()=>o({query:r,pages:1}),Uf);return()=>clearTimeout(i)},[r,n.query]);let s=ae(i=>Hf(n.query,n.pages,i),[n]);return{...s,data:s.data?.query===r?s.data:void 0,text:e,setText:t,active:r!=="",searchFurther:()=>o(i=>({...i,pages:i.pages+1}))}}async function Hf(e,t,n){let o=[],r=0,s,i;for(let a=0;e!==""&&a<t;a+=1){let u=await R.searchSessions(e,{limit:Bf,cursor:s,signal:n});if(o.push(...u.sessions),r+=u.searched?.sessions??0,i=u.searched?.until??i,s=u.cursor??void 0,s===void 0)break}return{query:e,sessions:o,searched:r,until:i,more:s!==void 0}}function Na({search:e,field:t,list:n}){Fe([{keys:Oa,label:"Search sessions",run:()=>t.current?.focus()}]);let o=r=>{r.key==="Escape"&&e.text!==""&&(r.preventDefault(),e.setText("")),r.key==="ArrowDown"&&(r.preventDefault(),n.current?.querySelector("button")?.focus()),r.key==="Enter"&&e.active&&(r.preventDefault(),n.current?.querySelector(".chat-search-results button")?.click())};return c`
    <label class="field chat-search">
      <span>Search sessions <kbd>${pe(Oa).replace("k","K")}</kbd></span>
      <input
        ref=${t}
        type="search"
        value=${e.text}
        maxlength=${Ff}
        autocomplete="off"
        onInput=${r=>e.setText(r.currentTarget.value)}
        onKeyDown=${o}
      />
    </label>
  `}function Da({search:e,open:t,onOpen:n,field:o}){let{data:r,error:s,loading:i}=e,a=_(performance.now()),u=_(null),d=l=>{let f={ArrowDown:1,ArrowUp:-1}[l.key];if(l.key==="Escape"&&o.current?.focus(),f===void 0)return;l.preventDefault();let p=[...u.current?.querySelectorAll("button")??[]],m=p.findIndex(h=>h===document.activeElement)+f;(p[m]??(f<0?o.current:void 0))?.focus()};return s?c`<${q} error=${s} onRetry=${e.reload} />`:r?c`
    <div class="chat-search-results" ref=${u} onKeyDown=${d}>
      <ul>
        ${r.sessions.map(l=>c`<li key=${l.id}><${Wf} session=${l} open=${l.id===t} onOpen=${n} /></li>`)}
      </ul>
      <p role="status"><small>${D(r.sessions.length,"result")} in ${Kf(r)}.</small></p>
      ${r.more&&c`<div class="row">
        <button type="button" class="quiet" disabled=${i} onClick=${e.searchFurther}>Search older sessions</button>
        ${i&&c`<${X} label="Searching older sessions" since=${a.current} />`}
      </div>`}
    </div>
  `:c`<${X} label="Searching your sessions" since=${a.current} />`}function Kf({searched:e,more:t,until:n}){return t?c`the last ${D(e,"session")}${n&&c`, back to <${ce} at=${n} />`}`:`all ${D(e,"session")}`}function Wf({session:e,open:t,onOpen:n}){let o=e.match;return c`
    <button type="button" class="quiet" aria-current=${t?"true":void 0} onClick=${()=>n(e.id)}>
      <span class="chat-title">${o?.title?.length?c`<${La} parts=${o.title} />`:e.title||"Untitled"}</span>
      ${o?.message?.length&&c`<small class="chat-excerpt">${o.role==="user"?"You: ":""}<${La} parts=${o.message} /></small>`}
      <small><${ce} at=${e.updated_at} /> · ${D(e.turns,"turn")}</small>
    </button>
  `}function La({parts:e}){return e.map(({text:t,marked:n})=>n?c`<mark>${t}</mark>`:t)}function Pa({sessions:e,open:t,onOpen:n,onDeleted:o}){let r=_(null),s=_(null),i=Ma(),a=d=>{d.key!=="/"||d.target instanceof HTMLInputElement||(d.preventDefault(),d.stopPropagation(),s.current?.focus())},u=async d=>{await e.remove(d),r.current?.focus(),o(d)};return c`
    <${Na} search=${i} field=${s} list=${r} />
    <div class="chat-sessions" tabindex="-1" ref=${r} role="region" aria-label="Sessions" onKeyDown=${a}>
      ${i.active?c`<${Da} search=${i} open=${t} onOpen=${n} field=${s} />`:c`<${jf} sessions=${e} open=${t} onOpen=${n} onDelete=${u} />`}
    </div>
  `}function jf({sessions:e,open:t,onOpen:n,onDelete:o}){return c`
      ${e.error&&c`<${q} error=${e.error} onRetry=${e.reload} />`}
      ${!e.sessions&&e.loading&&c`<${re} lines=${4} label="your sessions" />`}
      ${e.sessions?.length===0&&c`<small>No sessions yet. Send a message to start one.</small>`}
      ${e.sessions&&e.sessions.length>0&&c`<ul>
          ${e.sessions.map(r=>c`
              <${ci}
                key=${r.id}
                session=${r}
                open=${r.id===t}
                onOpen=${n}
                onRename=${e.rename}
                onDelete=${o}
              />
            `)}
        </ul>`}
      ${e.more&&c`<${Vf} loading=${e.loading} onMore=${e.showMore} />`}
  `}function Vf({loading:e,onMore:t}){let n=_(0);return c`<div class="row">
    <button type="button" class="quiet" disabled=${e} onClick=${()=>{n.current=performance.now(),t()}}>Show more</button>
    ${e&&n.current>0&&c`<${X} label="Loading more sessions" since=${n.current} />`}
  </div>`}var Nt={run:"",request:"",model:"",iteration:0,text:"",remarks:[],steps:[],warnings:[],attempt:0},qa=120;function Ba(e,t){let n=e.attempt===0?e:{...e,attempt:0};switch(t.name){case"accepted":return{...n,run:t.data.run_id,request:t.data.request_id};case"phase":return Mt(n,Gf(t.data));case"rule":return t.data.rule?Mt(n,{kind:"rule",name:t.data.rule,status:"done"}):n;case"model_started":return{...Ua(n,t.data.iteration),model:t.data.model};case"delta":return zf(Ua(n,t.data.iteration),t.data.text);case"reasoning":return Mt(n,{kind:"reasoning",name:"reasoning",detail:t.data.text,status:"done"});case"tool_started":return Mt(n,{key:Ka(t.data),kind:"tool",name:t.data.tool,detail:Yf(t.data.arguments),status:"running"});case"tool_finished":return Jf(n,t.data);case"warning":return{...n,warnings:[...n.warnings,t.data.message]};default:return n}}function Fa({text:e,remarks:t,steps:n}){return e.trim()!==""||t.length>0||n.some(({kind:o,status:r})=>o==="tool"&&r!=="running")}function Ha(e,t){return{...e,attempt:t}}function Gf({phase:e,name:t="",duration_ms:n,ok:o}){return{kind:"phase",name:e,detail:t,status:o===!1?"failed":"done",ms:n}}function Ua(e,t){if(t===e.iteration)return e;let n=e.text.trim()===""?e.remarks:[...e.remarks,e.text];return{...e,iteration:t,text:"",remarks:n}}function zf(e,t){return{...e,text:e.text+t}}function Mt(e,t){let n=t.key??`step ${e.steps.length}`;return{...e,steps:[...e.steps,{detail:"",error:"",ms:void 0,...t,key:n}]}}function Jf(e,t){let n=Ka(t),r={status:t.ok?"done":"failed",ms:t.duration_ms,error:t.error??""};return e.steps.some(s=>s.key===n)?{...e,steps:e.steps.map(s=>s.key===n?{...s,...r}:s)}:Mt(e,{key:n,kind:"tool",name:t.tool,...r})}function Ka({iteration:e,call_id:t}){return`call ${e} ${t}`}function Yf(e){let t=typeof e=="string"?e:JSON.stringify(e)??"";return t.length>qa?`${t.slice(0,qa)}…`:t}var Wa=150,Xf=5e4;function ja(e){b(()=>{if(e==="")return;let t=()=>{R.renewLease(e).catch(()=>{})},n=()=>{document.hidden||t()};t();let o=setInterval(t,Xf);return document.addEventListener("visibilitychange",n),()=>{clearInterval(o),document.removeEventListener("visibilitychange",n)}},[e])}function Va(){let e=_(Nt),t=_(0),[n,o]=$(Nt);b(()=>()=>cancelAnimationFrame(t.current),[]);let r=S(i=>{e.current=i(e.current),t.current===0&&(t.current=requestAnimationFrame(()=>{t.current=0,o(e.current)}))},[]),s=S(()=>{cancelAnimationFrame(t.current),t.current=0,e.current=Nt,o(Nt)},[]);return{shown:n,latest:S(()=>e.current,[]),update:r,reset:s}}var Ga={status:"none",reason:""},Qf=2e4,za=1e3;function Ja(e,t){let[n,o]=$(Ga),r=_([]),s=_(!1),i=_(t);i.current=t;let a=S(()=>{for(let h of r.current)clearTimeout(h);r.current=[]},[]);b(()=>a,[a]);let u=S(()=>{a(),s.current=!1,o(Ga)},[a]),d=S(async h=>{s.current=!1;try{await R.cancelRun(h)}catch(w){if(!(w instanceof E))throw w;o({status:"failed",reason:w.message})}},[]),l=S(async()=>{let h=s.current?await i.current().catch(()=>""):"";s.current&&(h===""?r.current.push(setTimeout(()=>{l()},za)):d(h))},[d]),f=S(h=>{if(n.status!=="stopping"){if(a(),o({status:"stopping",reason:""}),r.current.push(setTimeout(()=>{s.current=!1,e(),o({status:"failed",reason:"It did not end the answer in time."})},Qf)),h!=="")return void d(h);s.current=!0,r.current.push(setTimeout(()=>{l()},za))}},[e,d,a,l,n.status]),p=S(h=>{s.current&&d(h)},[d]),m=S(()=>{a(),s.current=!1,o(h=>h.status==="none"?h:{status:"stopped",reason:""})},[a]);return{state:n,reset:u,request:f,accepted:p,ended:m}}var Zf=500,em=2e3,tm=1.4;function bn({status:e}){return e==="queued"||e==="running"}function nm(e){if(!e?.error)return;let{error:t,message:n,request_id:o,details:r}=e.error;return new E("failed",n,{code:t,requestId:o,details:r??[]})}function Ya(e){let t=Y(),[n,o]=$({id:e,run:void 0,error:void 0}),[r,s]=$(0);b(()=>{if(e==="")return;let l=new AbortController;return o(f=>f.id===e?{...f,error:void 0}:{id:e,run:void 0,error:void 0}),om(e,l.signal,f=>o(p=>({...p,error:void 0,...f}))),()=>l.abort()},[e,t,r]);let i=S(async()=>{try{let l=await R.cancelRun(e);o(f=>f.id===e?{...f,run:l}:f)}catch(l){if(!(l instanceof E))throw l;o(f=>f.id===e?{...f,error:l}:f)}},[e]),a=n.id===e?n:{id:e,run:void 0,error:void 0},{run:u}=a,d=a.error?.status===404||u!==void 0&&!bn(u);return{...a,error:a.error??nm(u),active:e!==""&&!d,cancel:i,retry:S(()=>s(l=>l+1),[])}}async function om(e,t,n){for(let o=Zf;;o=Math.min(em,o*tm)){if(await sm(t),t.aborted)return;let r=await rm(e,t,n);if(t.aborted||!r)return;await im(o,t)}}async function rm(e,t,n){try{let o=await R.run(e,t);return n({run:o}),bn(o)}catch(o){if(t.aborted)return!1;if(!(o instanceof E))throw o;return n({error:o}),o.kind==="offline"||o.kind==="failed"}}function sm(e){return new Promise(t=>{if(!document.hidden||e.aborted)return t();document.addEventListener("visibilitychange",()=>t(),{once:!0,signal:e}),e.addEventListener("abort",()=>t(),{once:!0})})}function im(e,t){return new Promise(n=>{let o=setTimeout(n,e);t.addEventListener("abort",()=>(clearTimeout(o),n()),{once:!0})})}var am=12,cm="resume_token_in_use",um="cancelled";function Xa(e,t,n,o,{onChange:r}){let s=Y(),[i,a]=$(fo);b(()=>{a(g=>{let{draft:x,attachments:I}=Ye(g);return{...fo,draft:x,attachments:I}})},[s]);let u=Z(),d=Va(),l=Ja(u.cancel,async()=>{let{answering:g}=await R.session(e);return g?.run_id??""}),f=Ya(t);ja(u.busy?d.shown.run:"");let p=_(new Set),m=_(new Set),h=S((g,x)=>{a(I=>mo(I,g,x))},[]),{run:w}=f;b(()=>{w===void 0||bn(w)||(m.current.add(w.id),w.answer?h(e,w.answer):a(g=>g.sent?.session===e?lm(g,w):g))},[w,e,h]);let v=(g,x)=>{Ie().params.session===g&&Ee({session:g,run:x},{replace:!0})},A=async(g,x,I)=>{let L=P=>d.update(ue=>Ha(ue,P));try{for await(let P of fa({open:x,reopen:R.runEvents},{signal:I,onLost:L}))P.name==="answer"?h(g.session,P.data):d.update(ue=>Ba(ue,P)),P.name==="accepted"&&(g.follows===""&&ba(P.data.run_id),l.accepted(P.data.run_id),r(g.session))}catch(P){if(!(P instanceof Ze))throw P;v(g.session,P.run)}finally{let{run:P}=d.latest();P!==""&&m.current.add(P),r(g.session)}},y=(g,x)=>{d.reset(),l.reset(),a(I=>({...I,sent:g,waiting:!0})),u.run(async I=>{try{await x(I),l.ended()}catch(L){if(fm(L)){let P=d.latest();a(ue=>Fa(P)?ni(ue,P):Ye(ue)),l.ended();return}if(a(P=>dm(L)?ri(Ye(P),g.token):Ye(P)),g.follows===""||!mm(L))throw L}})},k=(g,x)=>{p.current.add(g.session);let I=g.question!==""&&g.place.edit===0;a(L=>({...L,editing:void 0,...I&&{draft:"",attachments:[]}})),Ee({session:g.session},{replace:e!==""}),y(g,async L=>{if(!g.background){let ue={...x,lease_seconds:Wa};await A(g,yn=>R.streamChat(ue,yn),L);return}let{id:P}=await R.startChat(x,L);v(g.session,P),r(g.session)})},C=(g={})=>{let x=e||pm(),I=i.draft.trim(),{background:L}=n,{attachments:P}=i,ue={...qe,...g};k({...Ue,session:x,question:I,attachments:P,background:L,place:ue},cn(I,x,n,{attachments:P,place:ue,choice:o}))},J=(g,x)=>{let I={...qe,edit:g};k({...Ue,session:e,question:x,background:n.background,place:I},cn(x,e,n,{place:I,choice:o}))},se=({number:g=0,question:x="",attachments:I})=>{let L={...qe,regenerate:g};k({...Ue,session:e,background:n.background,place:L,shown:{question:x,attachments:I}},cn("",e,n,{place:L,choice:o}))},te=({request_id:g,resume_token:x})=>{if(!x)return;let{background:I}=n;k({...Ue,session:e,background:I,replaces:g,token:x},Zs(x,e,n))},O=g=>{if(u.busy||f.active||m.current.has(g))return;let x={...Ue,session:e,follows:g};y(x,I=>A(x,L=>R.runEvents(g,"",L),I))},ne=()=>{u.busy?l.request(d.latest().run):f.cancel()};return{...i,task:u,live:d.shown,stop:l.state,followed:f,busy:u.busy||f.active,fresh:p.current.has(e)||t!=="",markFound:S(g=>{p.current.delete(g)},[]),write:S(g=>a(x=>({...x,draft:g})),[]),attach:S(g=>{a(x=>({...x,attachments:[...x.attachments,...g]}))},[]),detach:S(g=>{a(x=>({...x,attachments:x.attachments.filter((I,L)=>L!==g)}))},[]),changeAttachment:S((g,x)=>{a(I=>oi(I,g,x))},[]),beginEdit:S((g,x)=>{a(I=>({...I,editing:{turn:g,text:x}}))},[]),endEdit:S(()=>a(g=>({...g,editing:void 0})),[]),send:C,edit:J,regenerate:se,resume:te,follow:O,cancel:ne}}function lm(e,{steps:t}){return t.some(({step:n})=>n==="tool")?{...e,waiting:!1}:Ye(e)}function dm(e){return e instanceof E&&e.kind==="refused"&&e.code!==cm}function fm(e){return e instanceof E&&e.status===200&&e.code===um}function mm(e){return e instanceof E&&e.status===404}function pm(){let e=crypto.getRandomValues(new Uint8Array(am));return Array.from(e,t=>t.toString(16).padStart(2,"0")).join("")}var Po=40,hm=100,qo=e=>({id:e,session:void 0,messages:[],path:[],from:1});function Qa(e,t,{blocked:n,running:o,fresh:r}){let s=Y(),[i,a]=$(()=>qo(e)),u=i.id===e?i:qo(e),d=_(u);d.current=u;let l=_(r);l.current=r;let f=Z(),p=Z(),{run:m,cancel:h}=f,w=S(()=>m(async k=>{e!==""&&a(await $m(e,t,d.current,{fresh:l.current,signal:k}))}),[m,e,t]);b(()=>(n||w(),h),[w,h,n,o,s]);let v=S(k=>{a(C=>C.session&&C.id===k.id?{...C,session:k}:C)},[]),A=p.run,y=S(()=>A(async k=>{let{from:C,path:J}=d.current,se=Za(J.filter(O=>O<C)),{messages:te}=await Uo(e,t,se,C,k);a(O=>O.id===e?{...O,messages:[...te,...O.messages],from:se}:O)}),[A,e,t]);return{...u,loading:e!==""&&f.busy&&u.session===void 0,error:f.error,reload:w,update:v,earlier:{busy:p.busy,since:p.since,error:p.error,show:y}}}async function $m(e,t,n,{fresh:o,signal:r}){let s=await gm(e,o&&n.session===void 0,r);if(s===void 0)return qo(e);let i=Math.max(1,s.turns-Po+1),a=n.session?.created_at===s.created_at,u=a?Math.min(i,n.messages.at(-1)?.turn??i):i,d=await Uo(e,t,u,1/0,r),{path:l}=d,f=a?n.messages.filter(({turn:h})=>h<u):[];if(f.length>0&&_m(f,l,n.from,u))return{id:e,session:s,messages:[...f,...d.messages],path:l,from:Math.min(n.from,u)};let p=Za(l);if(p>=u)return{id:e,session:s,messages:d.messages,path:l,from:(l[0]??1)>=u?1:u};let m=await Uo(e,t,p,1/0,r);return{id:e,session:s,messages:m.messages,path:m.path,from:p}}function _m(e,t,n,o){let r=new Set(e.map(({turn:i})=>i)),s=t.filter(i=>i>=n&&i<o);return s.length===r.size&&s.every(i=>r.has(i))}function Za(e){return e.length>Po?e.at(-Po)??1:1}async function gm(e,t,n){try{return await R.session(e,n)}catch(o){if(t&&o instanceof E&&o.status===404)return;throw o}}async function Uo(e,t,n,o,r){let s=[];for(let i=void 0;;){let a=await R.messages(e,{limit:hm,cursor:i,fromTurn:n,branch:t,signal:r});if(s.push(...a.messages),i=a.cursor??void 0,i===void 0||(s.at(-1)?.turn??0)>=o)return{messages:s.filter(u=>u.turn<o),path:a.turns??[]}}}var bm=[1e3,2e3,3e3,5e3,8e3];function ec(e,t,n,o){let r=e.at(-1)?.answer.session,s=r?.title_pending?r.id:"",i=r?.title??"",a=_(t);a.current=t,b(()=>{if(s==="")return;let u=new AbortController;return(async()=>{for(let l of bm){if(await new Promise(p=>setTimeout(p,l)),u.signal.aborted)return;let f=await R.session(s,u.signal);if(a.current?.id===s&&a.current.title!==i)return;if(f.title!==i){n(f),o(f);return}}})().catch(()=>{}),()=>u.abort()},[s,i,n,o])}var ym="flexchat-chat",wm=1500;function tc(e){let t=_(e);t.current=e;let n=_(void 0);return b(()=>{let o=new BroadcastChannel(ym);return n.current=o,o.onmessage=({data:r})=>{typeof r?.session=="string"&&t.current(r.session)},()=>{n.current=void 0,o.close()}},[]),S(o=>n.current?.postMessage({session:o}),[])}function nc(e,t){let{session:n,reload:o}=t,{busy:r,follow:s}=e,i=_({busy:r,follow:s,reload:o});i.current={busy:r,follow:s,reload:o},b(()=>{let a=n?.answering;if(!a||r)return;a.run_id&&i.current.follow(a.run_id);let u=setTimeout(()=>{!i.current.busy&&!document.hidden&&i.current.reload()},wm);return()=>clearTimeout(u)},[n,r]),b(()=>{let a=()=>{!document.hidden&&!i.current.busy&&i.current.reload()};return document.addEventListener("visibilitychange",a),()=>document.removeEventListener("visibilitychange",a)},[])}function oc(e,{read:t,deleted:n,whole:o}){let r=e.at(-1),s=new Map(e.map(i=>[i.id,i]));for(let i of t.values()){let a=s.get(i.id);(a?i.updated_at>=a.updated_at:o||!r||i.updated_at>r.updated_at)&&s.set(i.id,i)}return[...s.values()].filter(i=>!n.has(i.id)).sort((i,a)=>+(i.updated_at<a.updated_at)-+(i.updated_at>a.updated_at))}var vm=20,rc=()=>({read:new Map,deleted:new Set,pages:1});function sc(e){let t=Y(),[n,o]=$(rc);b(()=>o(rc),[t]);let r=ae(f=>km(n.pages,f),[n.pages]),s=S(f=>{o(p=>({...p,read:new Map(p.read).set(f.id,f)}))},[]),i=S(async(f,p)=>{let m=await R.renameSession(f,p);s(m),e(m)},[s,e]),a=S(async f=>{await R.deleteSession(f),o(p=>({...p,deleted:new Set(p.deleted).add(f)}))},[]),u=S(()=>o(f=>({...f,pages:f.pages+1})),[]),{data:d}=r,l=H(()=>d&&oc(d.sessions,{...n,whole:!d.cursor}),[d,n]);return{...r,sessions:l,more:!!d?.cursor,showMore:u,addSession:s,rename:i,remove:a}}async function km(e,t){let n=[],o;for(let r=0;r<e;r+=1){let s=await R.sessions({limit:vm,cursor:o,signal:t});if(n.push(...s.sessions),o=s.cursor??void 0,o===void 0)break}return{sessions:n,cursor:o}}function ic({route:e}){let{session:t="",run:n="",branch:o=""}=e.params,[r,s]=$(Qs),i=yt(e.params),a=_((()=>{})),u=tc(O=>a.current(O)),d=Xa(t,n,r,i,{onChange:u}),l=Qa(t,o,{blocked:d.busy&&d.waiting&&d.sent?.session===t,running:d.followed.active,fresh:d.fresh}),f=sc(l.update);a.current=O=>{O===t?l.reload():f.reload()},nc(d,l);let p=d.task.error?.code==="session_busy",{reload:m}=l;b(()=>{p&&m()},[p,m]);let{addSession:h}=f,{markFound:w}=d;b(()=>{l.session&&(h(l.session),w(l.session.id))},[l.session,h,w]);let v=S(O=>s(ne=>({...ne,...O})),[]);ec(d.received,l.session,l.update,h);let A=()=>Ee(),y=Rs("Conversations",[{sign:"+",label:"New chat",run:A}]),k=()=>{A(),y.close(),y.isNarrow||document.getElementById(lo)?.focus()},C=O=>{O!==t&&Ee({session:O}),y.close()},J=ti(r)+ +(i.rule!=="")+ +(i.model!==""),se=r.collections.length,te=c`
    <button type="button" onClick=${k}>New chat</button>
    <${Q} open summary=${c`<h2>Sessions</h2>`}>
      <${Pa}
        sessions=${f}
        open=${t}
        onOpen=${C}
        onDeleted=${O=>O===t&&A()}
      />
    <//>
    <${Q}
      open=${!y.isNarrow}
      summary=${c`<h2>Collections</h2>${se>0&&c` <small>${se} selected</small>`}`}
    >
      <${Ia} options=${r} onChange=${v} />
    <//>
    <${Q}
      open=${!y.isNarrow}
      summary=${c`<h2>Options</h2>${J>0&&c` <small>${J} selected</small>`}`}
    >
      <${Ra} options=${r} onChange=${v} />
    <//>
  `;return c`
    <${Os} title="Chat" controls=${te} drawer=${y}>
      <${Ta} id=${t} branch=${o} chat=${d} conversation=${l} options=${r} onBegin=${A} />
    <//>
  `}var ac=100;function cc({route:e}){let t=pr(),n=ae(i=>Sm(e.id,t,i),[e.id,t]),{data:o,error:r}=n,s=H(()=>hn(o?.messages??[],[]),[o]);return c`
    <div class="shared-session">
      <div>
        <h1>${o?.title||"Shared conversation"}</h1>
        ${o&&c`<small>Read-only, ${D(o.turns,"turn")}, shared <${ce} at=${o.shared_at} />, link
            expires <${ce} at=${o.expires_at} />${o.tool_calls?"":", without tool calls"}</small>`}
      </div>
      ${r&&c`<${q} error=${r} onRetry=${r.status===404?void 0:n.reload} />`}
      ${!o&&!r&&c`<${re} lines=${8} label="the conversation" />`}
      <div class="chat-turns">
        ${s.map(i=>c`<${gn} key=${i.key} session="" turn=${i} open=${!1} tokenUsed=${!1} />`)}
      </div>
    </div>
  `}async function Sm(e,t,n){let o=await R.sharedSession(e,t,{limit:ac,signal:n}),r=[...o.messages];for(let{cursor:s}=o;s;){let i=await R.sharedSession(e,t,{limit:ac,cursor:s,signal:n});r.push(...i.messages),s=i.cursor}return{...o,messages:r}}var Tm={chat:ic,shared:cc},xm={"tools-testing":"ToolsTesting",validation:"Validation",traces:"Traces",runs:"Run",usage:"Usage",retrieval:"Retrieval",configuration:"Configuration"};function uc({route:e}){let t=Tm[e.view],{module:n,failed:o,retry:r}=We("views",t===void 0),s=xm[e.view],i=t??(s&&n?.[s]);return i?c`<${i} route=${e} />`:o?c`<${Em} onRetry=${r} />`:c`<${re} lines=${8} label="the view" />`}function Em({onRetry:e}){return c`
    <div class="problem" role="alert">
      <h1><span aria-hidden="true">✕</span> View not loaded</h1>
      <p>The network failed, or the service was updated since you opened this page. A reload gets the current page; your drafts stay.</p>
      <div class="row">
        <button type="button" class="primary" onClick=${()=>location.reload()}>Reload page</button>
        <button type="button" onClick=${e}>Try again</button>
      </div>
    </div>
  `}function lc(){let e=Kt(),t=Y(),n=Or(),o=_(t!==""),r=_(t),[s,i]=$(t===""||$r()),[a,u]=$(!1);return o.current=t!==""||o.current&&n!=="",b(Wt,[]),b(()=>{let d=e.view==="shared"?"Shared conversation":"Trace",l=at.find(f=>f.name===e.view)?.title??d;document.title=`${l} · Flexchat`},[e.view]),b(()=>{r.current!==t&&(r.current=t,i(t===""))},[t]),Lr(S(()=>i(!0),[])),Fe([{keys:"?",label:"Show keyboard shortcuts",run:()=>u(!0)}]),c`
    <a class="skip" href="#main">Skip to content</a>
    <${bs} route=${e} onHelp=${()=>u(!0)} />
    <main id="main" tabindex="-1">
      ${o.current&&c`<${uc} key=${e.view} route=${e} />`}
    </main>
    <${Cs}
      open=${s}
      needed=${t===""}
      ended=${n}
      shared=${e.view==="shared"}
      onClose=${()=>i(!1)}
    />
    <${Ke} title="Keyboard shortcuts" open=${a} onClose=${()=>u(!1)}>
      <dl class="keys">
        ${Hn().map(({keys:d,label:l})=>c`
            <dt><kbd>${pe(d)}</kbd></dt>
            <dd>${l}</dd>
          `)}
        <dt><kbd>Tab</kbd></dt>
        <dd>Move to the next control</dd>
      </dl>
    <//>
  `}An(c`<${lc} />`,document.getElementById("app"));export{$ as a,b,F as c,_ as d,H as e,S as f,ie as g,c as h,W as i,it as j,Ie as k,qn as l,ct as m,Oe as n,Fe as o,pe as p,ee as q,He as r,ft as s,Y as t,Ke as u,Me as v,E as w,ae as x,Z as y,Vr as z,De as A,Cp as B,Ap as C,Rp as D,Jr as E,Qr as F,Ip as G,Op as H,a$ as I,Os as J,le as K,en as L,q as M,fe as N,D as O,j as P,is as Q,Ve as R,$e as S,as as T,Ge as U,Vp as V,X as W,re as X,cs as Y,B as Z,St as _,e_ as $,un as aa,ce as ba,po as ca,t_ as da,n_ as ea,Fi as fa,Lt as ga,Be as ha,Rt as ia,dd as ja,me as ka,Qe as la,lg as ma,Q as na,It as oa,_e as pa,Qi as qa,Zi as ra,Gs as sa,A$ as ta,Hi as ua,Ag as va,vt as wa,Je as xa,ji as ya,Vi as za,Ng as Aa,Gi as Ba,Od as Ca,Dg as Da,Ld as Ea,Ji as Fa,Pg as Ga,Q_ as Ha,Ii as Ia,pn as Ja,Ki as Ka,Ao as La,T as Ma,R as Na};
