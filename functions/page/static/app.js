for(let e of document.querySelectorAll("link"))e.setAttribute("href",e.href);/*! preact 11.2.0, MIT: see LICENSE.preact.txt */var F,jo,_c,ve,kn,Bt,Vo,Pt,Go,Tn,Sn,gc,nt=Symbol.for("pv"),Ft={},Ht=[],bc=/^m(i|n|o|s|text|space)$/,xn=Array.isArray,En=Ht.slice,Re=Object.assign;function Ae(e){e&&e.parentNode&&e.remove()}function zo(e,t,n){var o,r,s,i={},a=arguments.length;for(s in t)s=="key"?o=t[s]:s=="ref"&&typeof e!="function"?r=t[s]:i[s]=t[s];return a>2&&(i.children=a>3?En.call(arguments,2):n),tt(e,i,o,r,null)}function tt(e,t,n,o,r){var s={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:nt,__v:r||++jo,__i:-1,__u:0};return!r&&F.vnode&&F.vnode(s),s}function ot(e){return e.children}function qt(e,t){this.props=e,this.context=t,this.__g=0}function ke(e,t){if(t==null)return e.__&&ke(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:ke(e)}function yc(e){var t,n=e.__v,o=n.__e,r=[],s=[],i=e.__P;i&&((t=Re({constructor:nt},n)).__v=n.__v+1,F.vnode&&F.vnode(t),Cn(i,t,n,e.__n,i.namespaceURI,32&n.__u?[o]:null,r,o||ke(n),32&n.__u,s),t.__v=n.__v,t.__.__k[t.__i]=t,er(r,t,s),n.__=n.__e=null,t.__e!=o&&Jo(t))}function Jo(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),Jo(e)}function Ko(e){(8&e.__g||(e.__g|=8,ve.push(e),Bt++))&&kn==F.debounceRendering||((kn=F.debounceRendering)||queueMicrotask)(Yo)}function Yo(){try{for(var e,t=1;ve.length;)ve.length>t&&ve.sort(Vo),e=ve.shift(),t=ve.length,8&e.__g&&yc(e)}finally{(Bt=ve.length)&&(kn||queueMicrotask)(Yo)}}function Xo(e,t,n,o,r,s,i,a,u,d,l){var f,p,m,h,y,k,C=o.__k||Ht,w=t.length;for(u=wc(n,t,C,u,w),f=0;f<w;f++)(m=n.__k[f])!=null&&(p=~m.__i&&C[m.__i]||Ft,m.__i=f,k=Cn(e,m,p,r,s,i,a,u,d,l),h=m.__e,(p.ref!=m.ref||8&p.__u)&&(p.ref&&An(p.ref,null,m,p),m.ref&&l.push(m.ref,m.__c||h,m)),y=y||h,4&m.__u?(u=Qo(m,u,e,!p.__v),p.__e&&(p.__e=null)):typeof m.type=="function"&&k!==void 0?u=k:h&&(u=h.nextSibling),m.__u&=-21);return n.__e=y,u}function wc(e,t,n,o,r){var s,i,a,u,d,l,f,p,m,h=n.length,y=h,k=0,C=0,w=e.__k=Array(r);for(s=0;s<r;s++)(i=t[s])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=w[s]=tt(null,i):xn(i)?i=w[s]=tt(ot,{children:i}):i.constructor===nt&&i.__b?i=w[s]=tt(i.type,i.props,i.key,i.ref,i.__v):w[s]=i,u=s+k,i.__=e,i.__b=e.__b+1,a=null,~(d=i.__i=vc(i,n,u,y))&&(y--,(a=n[d])&&(a.__u|=2)),a&&a.__v?(i.__u|=16,d==u-1?k--:d==u+1?k++:d!=u&&(d>u?k--:k++,C=1)):(~d||(r>h?k--:r<h&&k++),typeof i.type!="function"&&(i.__u|=4))):w[s]=null;if(C){for(l=[],f=[],s=0;s<r;s++)if((i=w[s])&&16&i.__u){for(k=0,p=l.length;k<p;)l[m=k+p>>1]<i.__i?k=m+1:p=m;l[k]=i.__i,f[s]=k+1}for(k=l.length;s--;)f[s]&&(f[s]==k?k--:w[s].__u|=4)}if(y)for(s=0;s<h;s++)!(a=n[s])||2&a.__u||(a.__e==o&&(o=ke(a)),Rn(a,a));return o}function Qo(e,t,n,o){var r,s,i,a;if(typeof e.type=="function"){if(e.props.__P)return t;if(r=e.__k)for(s=0;s<r.length;s++)r[s]&&(r[s].__=e,t=Qo(r[s],t,n,!1));return t}for(t&&!t.parentNode&&(t=ke(e))&&!t.parentNode&&(t=null),i=e.__e,a=t;a&&a.nodeType==8;)a=a.nextSibling;for(i!=a&&(!o&&n.moveBefore&&i.parentNode?n.moveBefore(i,t):n.insertBefore(i,t||null)),t=i;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function vc(e,t,n,o){var r,s=e.key,i=e.type,a=t[n],u=a&&!(2&a.__u);if(a===null&&s==null||u&&s==a.key&&i==a.type)return n;if(o>(u?1:0)){for(r=n-1;r>=0;r--)if((a=t[r])&&!(2&a.__u)&&s==a.key&&i==a.type)return r;for(r=n+1;r<t.length;r++)if((a=t[r])&&!(2&a.__u)&&s==a.key&&i==a.type)return r}return-1}function Wo(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Nt(e,t,n,o,r){var s,i;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.cssText=o=""),o)for(t in o)n&&t in n||Wo(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||Wo(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(i=Sn[t]||(Sn[t]=kc(t)),(e.__a||(e.__a={}))[t]=Tn,s=t!=(t=t.replace(Go,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,i,s):e.removeEventListener(t,i,s));else{if(r=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function kc(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[Pt]==null)t[Pt]=Tn++;else if(t[Pt]<this.__a[e])return;return n(F.event?F.event(t):t)}}}function Cn(e,t,n,o,r,s,i,a,u,d){var l,f,p,m,h,y,k,C,w,v,E,V,G,ne,D,B,g,A,I=t.type;if(t.constructor!==nt)return null;128&n.__u&&(u=32&n.__u,l=n.__c.__z)&&(t.__u|=u,f=s=[],l.nodeType==8?a=Ut(l,s):s.push(l),a=s[0]||a),(l=F.__b)&&l(t);e:if(typeof I=="function"){p=i.length;try{if(C=t.props,w=(l=I.prototype)&&l.render,v=(l=I.contextType)&&o[l.__c],E=l?v?v.props.value:l.__:o,(m=n.__c)?(t.__c=m,2&m.__g&&(m.__g|=1)):(w?t.__c=m=new I(C,E):(t.__c=m=new qt(C,E),m.constructor=I,m.render=Tc),v&&v.sub(m),m.state||(m.state={}),m.__n=o,m.__g|=8,m.__h=[],m.__k=[]),w&&(m.__s||(m.__s=m.state),I.getDerivedStateFromProps&&(m.__s==m.state&&(m.__s=Re({},m.__s)),Re(m.__s,I.getDerivedStateFromProps(C,m.__s)))),h=m.props,y=m.state,m.__v=t,n.__c){if(C!==h&&w&&!I.getDerivedStateFromProps&&m.componentWillReceiveProps&&m.componentWillReceiveProps(C,E),t.__v==n.__v&&!(8&m.__g)||!(4&m.__g)&&m.shouldComponentUpdate&&m.shouldComponentUpdate(C,m.__s,E)===!1){t.__v!=n.__v&&(m.props=C,m.state=m.__s,m.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(L){L&&(L.__=t)}),Ht.push.apply(m.__h,m.__k),m.__k=[],m.__h.length&&i.push(m),a=ke(n);break e}m.componentWillUpdate&&m.componentWillUpdate(C,m.__s,E),w&&m.componentDidUpdate&&m.__h.push(function(){m.componentDidUpdate(h,y,k)})}else w&&!I.getDerivedStateFromProps&&m.componentWillMount&&m.componentWillMount(),w&&m.componentDidMount&&m.__h.push(m.componentDidMount);m.context=E,m.props=C,m.__P=e,m.__g&=-5,V=F.__r,G=w?25:0;do m.__g&=-9,V&&V(t),l=m.render(m.props,m.state=m.__s,m.context);while(8&m.__g&&++G<25);w&&(Ht.push.apply(m.__h,m.__k),m.__k=[]),m.state=m.__s,m.getChildContext&&(o=Re({},o,m.getChildContext())),w&&n.__c&&m.getSnapshotBeforeUpdate&&(k=m.getSnapshotBeforeUpdate(h,y)),ne=l&&l.type===ot&&l.key==null?l.props.children:l,C.__P&&(l=a,r=(e=C.__P).namespaceURI,u=s=null,n.props&&n.props.__P!=e&&(n.__k.some(function(L){L&&Rn(L,L)}),n.__k=null),a=n.__k?ke(n,0):null),a=Xo(e,xn(ne)?ne:[ne],t,n,o,r,s,i,a,u,d),C.__P&&(t.__e=null,a=l),t.__u&=-161,f&&f.some(Ae),m.__h.length&&i.push(m),1&m.__g&&(m.__g&=-4)}catch(L){if(i.length=p,t.__v=null,u||s)if(L&&L.then){if(t.__u|=128|u,s){for(~(g=s.indexOf(a||void 0))||(g=s.length);(A=s[g-1])&&A.nodeType==8;)g--;for(;g<s.length;g++)if(A=s[g])if(s[g]=null,D){if(A==B)break}else{if(A.nodeType!=8)break;A.data.startsWith("$s")&&(B=Ut(D=A))}}if(!D){for(;a&&a.nodeType==8&&a.nextSibling;)a=a.nextSibling;D=a}(l=Ut(D=t.__c.__z||(t.__c.__z=D)))?(t.__e=D,a=l):t.__e=a,a=a&&a.nextSibling}else s&&s.some(Ae);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),L&&L.then||Zo(t),F.__e(L,t,n)}}else a=t.__e=Sc(n.__e,t,n,o,r,s,i,u,d,e);return(l=F.diffed)&&l(t),a}function Ut(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function Zo(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Zo))}function er(e,t,n){for(var o=0;o<n.length;)An(n[o++],n[o++],n[o++]);F.__c&&F.__c(t,e),e.some(function(r){try{e=r.__h,r.__h=[],e.some(function(s){s.call(r)})}catch(s){F.__e(s,r.__v)}})}function Sc(e,t,n,o,r,s,i,a,u,d){var l,f,p,m,h,y,k,C,w=n.props||Ft,v=t.props,E=t.type;if(E=="svg"?r="http://www.w3.org/2000/svg":E=="math"?r="http://www.w3.org/1998/Math/MathML":r||(r="http://www.w3.org/1999/xhtml"),s){for(l=0;l<s.length;l++)if((h=s[l])&&(E?h.localName==E:h.nodeType==3)){e=h,s[l]=null;break}}if(!e){if(C=d.ownerDocument||document,!E)return C.createTextNode(v);e=C.createElementNS(r,E,v.is?v:d),a&&(F.__m&&F.__m(t,s),a=!1),s=null}if(E){if(d=E=="template"&&e.content||e,s=E=="textarea"&&v.defaultValue!=null?null:s&&En.call(d.childNodes),!a&&s)for(w={},l=0;l<e.attributes.length;l++)w[(h=e.attributes[l]).name]=h.value;for(l in w)h=w[l],l=="dangerouslySetInnerHTML"?p=h:l=="children"||l in v||l=="value"&&"defaultValue"in v||l=="checked"&&"defaultChecked"in v||Nt(e,l,null,h,r);for(l in v)h=v[l],l=="children"?m=h:l=="dangerouslySetInnerHTML"?f=h:l=="value"?y=h:l=="checked"?k=h:a&&typeof h!="function"||w[l]===h||Nt(e,l,h,w[l],r);f?(a||p&&(f.__html==p.__html||f.__html==e.innerHTML)||(e.innerHTML=f.__html),t.__k=[]):(p&&(e.textContent=""),(E=="foreignObject"||r=="http://www.w3.org/1998/Math/MathML"&&bc.test(E))&&(r="http://www.w3.org/1999/xhtml"),Xo(d,xn(m)?m:[m],t,n,o,r,s,i,s?s[0]:n.__k&&ke(n,0),a,u),s&&s.some(Ae)),a&&E!="textarea"||(l="value",E=="progress"&&y==null?e.removeAttribute(l):y==null||y===e[l]&&(E!="progress"||y)||Nt(e,l,y,w[l],r),l="checked",k!=null&&k!=e[l]&&Nt(e,l,k,w[l],r))}else w===v||a&&e.data==v||(e.data=v);return e}function An(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(r){F.__e(r,n)}}function Rn(e,t,n){var o,r,s,i;if(F.unmount&&F.unmount(e),!(o=e.ref)||o.current&&o.current!=e.__e||An(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(a){F.__e(a,t)}o.__P=o.__n=null}if(o=e.__k)for(i=0;i<o.length;i++)o[i]&&Rn(o[i],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(r=Ut(o,s=[]))&&(o==e.__e&&s.some(Ae),Ae(r),Ae(o)),n||Ae(e.__e),e.__e=e.__c=e.__=null}function Tc(e,t,n){return this.constructor(e,n)}function In(e,t){var n,o,r,s;F.__&&F.__(e,t),t.nodeType==9&&(t=t.documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=tt(ot,{children:[e]}),r=[],s=[],Cn(t,t.__k,o||Ft,Ft,t.namespaceURI,o?null:t.firstChild?En.call(t.childNodes):null,r,o?o.__e:t.firstChild,n,s),er(r,t.__k,s),t.__k.props.children=null}F={__e:function(e,t,n,o){for(var r,s,i;t=t.__;)if((r=t.__c)&&!(1&r.__g)){r.__g|=4;try{if((i=(s=r.constructor)&&s.getDerivedStateFromError)&&r.setState(s.getDerivedStateFromError(e)),r.componentDidCatch&&(r.componentDidCatch(e,o||{}),i=1),i&&8&r.__g)return void(r.__g|=2)}catch(a){e=a}}throw Bt=0,e}},jo=0,_c=function(e){return e!=null&&e.constructor===nt},qt.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=Re({},this.state)),typeof e=="function"&&(e=e(Re({},n),this.props)),e&&(Re(n,e),this.__v&&(t&&this.__k.push(t),Ko(this)))},qt.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Ko(this))},qt.prototype.render=ot,ve=[],Bt=0,Vo=function(e,t){return e.__v.__b-t.__v.__b},Pt=Symbol(),Go=/(PointerCapture)$|Capture$/i,Tn=0,Sn={},gc=0;/*! htm 3.1.1, Apache-2.0: see LICENSE.htm.txt */var nr=function(e,t,n,o){var r;t[0]=0;for(var s=1;s<t.length;s++){var i=t[s++],a=t[s]?(t[0]|=i?1:2,n[t[s++]]):t[++s];i===3?o[0]=a:i===4?o[1]=Object.assign(o[1]||{},a):i===5?(o[1]=o[1]||{})[t[++s]]=a:i===6?o[1][t[++s]]+=a+"":i?(r=e.apply(a,nr(e,a,n,["",null])),o.push(r),a[0]?t[0]|=2:(t[s-2]=0,t[s]=r)):o.push(a)}return o},tr=new Map;function or(e){var t=tr.get(this);return t||(t=new Map,tr.set(this,t)),(t=nr(this,t.get(e)||(t.set(e,t=(function(n){for(var o,r,s=1,i="",a="",u=[0],d=function(p){s===1&&(p||(i=i.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?u.push(0,p,i):s===3&&(p||i)?(u.push(3,p,i),s=2):s===2&&i==="..."&&p?u.push(4,p,0):s===2&&i&&!p?u.push(5,0,!0,i):s>=5&&((i||!p&&s===5)&&(u.push(s,0,i,r),s=6),p&&(u.push(s,p,0,r),s=6)),i=""},l=0;l<n.length;l++){l&&(s===1&&d(),d(l));for(var f=0;f<n[l].length;f++)o=n[l][f],s===1?o==="<"?(d(),u=[u],s=3):i+=o:s===4?i==="--"&&o===">"?(s=1,i=""):i=o+i[0]:a?o===a?a="":i+=o:o==='"'||o==="'"?a=o:o===">"?(d(),s=1):s&&(o==="="?(s=5,r=i,i=""):o==="/"&&(s<5||n[l][f+1]===">")?(d(),s===3&&(u=u[0]),s=u,(u=u[0]).push(2,0,s),s=0):o===" "||o==="	"||o===`
`||o==="\r"?(d(),s=2):i+=o),s===3&&i==="!--"&&(s=4,u=u[0])}return d(),u})(e)),t),arguments,[])).length>1?t:t[0]}/*! preact/hooks 11.2.0, MIT: see LICENSE.preact.txt */var Ie,Y,On,rr,Ln=Object.is,st=0,mr=[],Mn=[],J=F,sr=J.__b,ir=J.__r,ar=J.diffed,cr=J.__c,ur=J.unmount,lr=J.__;function it(e,t){J.__h&&J.__h(Y,e,st||t),st=0;var n=Y.__H||(Y.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function $(e){return st=1,xc(pr,e)}function xc(e,t,n){var o=it(Ie++,2);if(o.t=e,!o.__c&&(o.__=[n?n(t):pr(void 0,t),function(s){var i=(o.__N||o.__)[0],a=o.t(i,s);Ln(i,a)||(o.__N=[a,o.__[1]],o.__c.setState({}))}],o.__c=Y,!Y.__f)){Y.__f=!0;var r=Y.shouldComponentUpdate;Y.shouldComponentUpdate=function(s,i,a){var u=this.__H;if(!u)return!0;var d=!1,l=this.props!=s;if(u.__.some(function(p){p.__N&&(d=!0,Ln(p.__[0],p.__N[0])||(l=!0))}),r){var f=r.call(this,s,i,a);return d?f||l:f}return!d||l}}return o.__}function b(e,t){var n=it(Ie++,3);!J.__s&&Nn(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,Y.__H.__h.push(n))}function X(e,t){var n=it(Ie++,4);!J.__s&&Nn(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,Y.__h.push(n))}function _(e){return st=5,H(function(){return{current:e}},[])}function H(e,t){var n=it(Ie++,7);return Nn(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function S(e,t){return st=8,H(function(){return e},t)}function oe(){var e=it(Ie++,11);if(!e.__){for(var t=Y.__v;!t.__m&&t.__;)t=t.__;var n=t.__m||(t.__m=[0,0]);e.__="P"+n[0]+"-"+n[1]++}return e.__}function Ec(){var e;do{for(;e=Mn.shift();)try{rt(e)}catch(n){J.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=mr.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(rt),t.__h.some(Dn),t.__h=[]}catch(n){t.__h=[],J.__e(n,e.__v)}}}while(Mn.length)}J.__b=function(e){Y=null,sr&&sr(e)},J.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),lr&&lr(e,t)},J.__r=function(e){ir&&ir(e),Ie=0;var t=(Y=e.__c).__H;t&&(On==Y?Y.__h=[]:(t.__h.some(rt),t.__h.some(Dn),Ie=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),On=Y},J.diffed=function(e){ar&&ar(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&fr(mr.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),On=Y=null},J.__c=function(e,t){t.some(function(n){try{n.__h.some(rt),n.__h=n.__h.filter(function(o){return!o.__||Dn(o)})}catch(o){n.__h=[function(){throw o}]}}),cr&&cr(e,t)},J.unmount=function(e){ur&&ur(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(r){try{if(r.__P&&r.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}r.__P=n,fr(Mn.push(r))}else rt(r)}catch(s){t=s}}),o.__H=void 0,t&&J.__e(t,o.__v))};var dr=typeof requestAnimationFrame=="function";function Cc(e){var t,n=function(){clearTimeout(o),dr&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);dr&&(t=requestAnimationFrame(n))}function fr(e){e!=1&&rr==J.requestAnimationFrame||((rr=J.requestAnimationFrame)||Cc)(Ec)}function rt(e){var t=Y,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),Y=t}function Dn(e){var t=Y;e.__c=e.__(),Y=t}function Nn(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!Ln(n,e[o])})}function pr(e,t){return typeof t=="function"?t(e):t}var c=or.bind(zo);var W=new URL("../../",import.meta.url),Se=document.querySelector('meta[name="flexchat-stage"]')?.getAttribute("content")??"",Un="chat",at=[{name:"chat",title:"Chat"},{name:"tools-testing",title:"Test"},{name:"validation",title:"Validation"},{name:"traces",title:"Traces"},{name:"usage",title:"Usage"},{name:"retrieval",title:"Retrieval"},{name:"configuration",title:"Configuration",role:"operator"}],Pn="flexchat:route",qn="runs/",hr="shared/";function Oe(){let e=location.pathname.slice(W.pathname.length).replace(/\/$/,""),t=Object.fromEntries(new URLSearchParams(location.search));return e.startsWith(qn)?{view:"runs",id:$r(e.slice(qn.length)),params:t}:e.startsWith(hr)?{view:"shared",id:$r(e.slice(hr.length)),params:t}:{view:at.find(o=>o.name===e)?.name??Un,id:"",params:t}}function $r(e){try{return decodeURIComponent(e)}catch{return e}}function Bn(e){return`${qn}${encodeURIComponent(e)}`}function _r(){return location.hash.slice(1)}function ct(e,t={}){let n=new URL(e,W);for(let[o,r]of Object.entries(t))r!==""&&n.searchParams.set(o,r);return n.href}function Le(e,t={},{replace:n=!1}={}){let o=ct(e,t);o!==location.href&&history[n?"replaceState":"pushState"](null,"",o),dispatchEvent(new Event(Pn))}function Kt(){let[e,t]=$(Oe);return b(()=>{let n=()=>t(Oe());return addEventListener("popstate",n),addEventListener(Pn,n),()=>{removeEventListener("popstate",n),removeEventListener(Pn,n)}},[]),e}var Hn="flexchat.sign-in",Fn=Ac(),ut=W.href;function gr(e){sessionStorage.setItem(Hn,JSON.stringify(e))}function br(){return Fn?.started!==void 0}function yr(){let e=Fn;return Fn=void 0,e}function Ac(){let{searchParams:e,pathname:t}=new URL(location.href),n=e.has("state")&&(e.has("code")||e.has("error"));if(t!==W.pathname||!n)return;let o=Rc(),r=o!==void 0&&o.state===e.get("state");return history.replaceState(null,"",r&&o.from.startsWith(W.href)?o.from:W.href),r&&sessionStorage.removeItem(Hn),{started:r?o:void 0,parameters:e.toString()}}function Rc(){let e=sessionStorage.getItem(Hn);return e?JSON.parse(e):void 0}var Kn=new Set;function Wn(){return[...Kn].flatMap(e=>e.current)}function We(e){let t=_(e);t.current=e,X(()=>(Kn.add(t),()=>{Kn.delete(t)}),[])}function Ic(e){let t=`${e.ctrlKey||e.metaKey?"mod+":""}${e.key}`,o=(e.target instanceof HTMLElement?e.target:null)?.matches("input:not([type=checkbox], [type=radio], [type=range]), textarea, select");if(e.defaultPrevented||e.isComposing||e.altKey||o&&t.length===1||document.querySelector("dialog[open], [popover]:popover-open"))return;let r=Wn().findLast(s=>s.keys===t);r!==void 0&&(e.preventDefault(),r.run())}addEventListener("keydown",Ic);var Oc=/Mac|iP/.test(navigator.platform);function he(e){return e.replace("mod+",Oc?"⌘ ":"Ctrl ").replace("Enter","⏎").replace("Escape","Esc")}var wr="flexchat.theme",vr=matchMedia("(prefers-color-scheme: dark)");function jn(){let e=localStorage.getItem(wr);return e==="light"||e==="dark"?e:vr.matches?"dark":"light"}function kr(e){localStorage.setItem(wr,e),Wt()}function Wt(){document.documentElement.dataset.theme=jn()}vr.addEventListener("change",Wt);var Lc="flexchat.",Gt="flexchat.token",Gn="flexchat.grant",Me=`flexchat.token ${W.pathname}`,jt=`flexchat.grant ${W.pathname}`,Vt=`flexchat.caller ${W.pathname}`,Te="flexchat:token",Vn="flexchat:sign-in",Mc=new Set(["flexchat.theme","flexchat.enter"]),xe=Dc(),$e=Nc(),ge=Tr(),lt="",Sr=new BroadcastChannel(`flexchat ${W.pathname}`);function Dc(){return sessionStorage.getItem(Gt)?"tab":localStorage.getItem(Me)?"browser":"page"}function Nc(){return sessionStorage.getItem(Gt)??localStorage.getItem(Me)??""}function Tr(){let e={page:null,tab:sessionStorage.getItem(Gn),browser:localStorage.getItem(jt)}[xe];return e?JSON.parse(e):void 0}function re(){return $e}function se(){return ge}function de(){return ge?.id??$e}function Pc(){return lt}function dt(){return xe}function zt(e,{keep:t="page",grant:n}={}){Ar(),xe=t,lt="",xr(e,n)}function zn(e,t){xr(e,t)}function xr(e,t){$e=e,ge=t;let n=t&&JSON.stringify(t);xe==="tab"&&(n&&sessionStorage.setItem(Gn,n),sessionStorage.setItem(Gt,e)),xe==="browser"&&(n?localStorage.setItem(jt,n):localStorage.removeItem(jt),localStorage.setItem(Me,e)),Jt()}function Er(){Sr.postMessage({signedOut:Lr()}),Cr()}function je(e,t){e===""||e!==$e||(Ar(),$e="",ge=void 0,lt=t,Jt())}function ft(){dispatchEvent(new Event(Vn))}function Cr(){for(let e of[sessionStorage,localStorage])for(let t of Object.keys(e))t.startsWith(Lc)&&!Mc.has(t)&&e.removeItem(t);$e="",ge=void 0,xe="page",lt="",Jt()}function Ar(){for(let e of[Gt,Gn,Vt])sessionStorage.removeItem(e);if(localStorage.getItem(Me)===$e)for(let e of[Me,jt,Vt])localStorage.removeItem(e)}function Rr(){return{page:void 0,tab:sessionStorage,browser:localStorage}[xe]}function Ir(e){Rr()?.setItem(Vt,e)}function Or(){return Rr()?.getItem(Vt)??""}function Jt(){dispatchEvent(new Event(Te))}function Lr(){return de().split("_",2).join("_")}Sr.addEventListener("message",({data:e})=>{$e!==""&&e?.signedOut===Lr()&&Cr()});addEventListener("storage",({key:e})=>{e===Me&&Jn()});function Jn(){let e=localStorage.getItem(Me);if(xe!=="browser"||!e||e===$e)return;let t=Tr();t&&ge&&t.id===ge.id&&t.issued<=ge.issued||($e=e,ge=t,lt="",Jt())}function Mr(e){let[t,n]=$(e);return b(()=>{let o=()=>n(e);return addEventListener(Te,o),()=>removeEventListener(Te,o)},[e]),t}function te(){return Mr(de)}function Dr(){return Mr(Pc)}function Nr(e){b(()=>(addEventListener(Vn,e),()=>removeEventListener(Vn,e)),[e])}var qc="input:not([readonly], [type=hidden]), select, textarea",Uc=matchMedia("(hover: none) and (pointer: coarse)");function Yt(e,{listed:t=!1}={}){let n=_(null);return X(()=>{let{current:o}=n;if(!e||o===null)return;o.open||o.showModal();let r=t&&Uc.matches?void 0:Bc(o);return()=>{r?.(),o.close()}},[e,t]),n}function Bc(e){let t=document.activeElement;if(e.querySelector("[autofocus]"))return()=>{};let n=(r,s)=>{(document.activeElement===t?Fc(e):void 0)?.focus(),document.activeElement!==t&&s.disconnect()},o=new MutationObserver(n);return o.observe(e,{childList:!0,subtree:!0}),n([],o),()=>o.disconnect()}function Fc(e){let t=[...e.querySelectorAll(qc)],[n,...o]=t.filter(r=>r.checkVisibility()&&!r.matches(":disabled"));return n?.type!=="radio"?n:[n,...o].find(({name:r,checked:s})=>r===n.name&&s)??n}function Ve({title:e,open:t,onClose:n,children:o}){let r=Yt(t),s=oe();return c`
    <dialog ref=${r} aria-labelledby=${s} onCancel=${u=>{u.preventDefault(),n?.()}} onKeyDown=${u=>{u.key==="Escape"&&!n&&u.preventDefault()}}>
      <div class="dialog-head">
        <h2 id=${s}>${e}</h2>
        ${n&&c`<button type="button" class="quiet" aria-label="Close" onClick=${n}>✕</button>`}
      </div>
      ${t&&o}
    </dialog>
  `}var Pr=JSON,Hc=/^-?\d+$/;function De(e){return JSON.parse(e,(n,o,r)=>{let s=r?.source??"";return typeof o=="number"&&!Number.isSafeInteger(o)&&Hc.test(s)&&Pr.rawJSON?Pr.rawJSON(s):o})}var R=class extends Error{constructor(t,n,{status:o=0,code:r="",requestId:s="",details:i=[],retryAfter:a=0}={}){super(n),this.kind=t,this.status=o,this.code=r,this.requestId=s,this.details=i,this.retryAfter=a}};var Kc={highlight:()=>import("./modules/highlight-OL6BXZGX.js"),math:()=>import("./modules/math-JE677KDJ.js"),oidc:()=>import("./modules/oidc-C2EA7WWP.js"),views:()=>import("./modules/views-S56M67CE.js")},Xt={},Yn={};function Ge(e,t){let[n,o]=$(!1),[,r]=$(!1),[s,i]=$(0);b(()=>{if(!t||Xt[e]!==void 0)return;let u=!0;return Xn(e).then(()=>u&&r(!0),()=>u&&o(!0)),()=>{u=!1}},[e,t,s]);let a=S(()=>{o(!1),i(u=>u+1)},[]);return{module:Xt[e],failed:n,retry:a}}async function qr(e){return await Xn(e),Xt[e]}function Ur(e){Xn(e).catch(()=>{})}function Xn(e){return Yn[e]??=Kc[e]().then(t=>Object.assign(Xt,{[e]:t}),t=>{throw delete Yn[e],t}),Yn[e]}var K=Wc();function Wc(){let e=document.querySelector('meta[name="flexchat-sign-in"]')?.getAttribute("content");return e?JSON.parse(e):void 0}async function Ne(){try{return await qr("oidc")}catch{throw new R("offline","The sign-in could not be loaded: the network failed, or the service was updated since you opened this page. Reload the page.")}}function Qt(e){return!(e instanceof Error)||e.name!=="ProviderError"?e:new R("refused",e.message)}var Fr=`flexchat.refresh ${W.pathname}`,jc=6e4,Vc=5e3,Gc=3e4,zc=3e4,Jc=150,Yc=2**31-1,Zn=new BroadcastChannel(Fr),Hr=new Set,Qn,Br=0;function eo({lifetime:e,...t}){let n=Date.now();return{refresh:t.refresh,idToken:t.idToken,lifetime:e,issued:n,expires:n+e*1e3}}function to(){let e=se();return e===void 0||e.refresh===""?!1:Date.now()>e.expires-Math.min(Vc,e.lifetime*100)}async function Zt(){if(to()&&await no()==="unreachable")throw Wr();return re()}async function Kr(e,t){let n=se();if(n===void 0||n.id!==t||n.refresh==="")return!1;if(re()!==e)return!0;if(Date.now()-n.issued<zc)return!1;let o=await no();if(o==="unreachable")throw Wr();return o==="renewed"}function Wr(){let e=`Your sign-in could not be renewed: no response of ${K?.name??"the provider"}. Check the network and try again.`;return new R("offline",e)}function no(){return Qn??=Xc(),Qn}async function Xc(){try{let e=re(),t=await navigator.locks.request(Fr,()=>Qc(e));return t==="unreachable"&&mt(Gc),t}finally{Qn=void 0}}async function Qc(e){Jn();let t=se();if(t===void 0||K===void 0)return"ended";if(re()===e&&await Zc(t),re()!==e)return re()===""?"ended":"renewed";try{let{renew:n}=await Ne(),o=await n(K,t.refresh);return re()!==e?re()===""?"ended":"renewed":(Hr.add(t.refresh),zn(o.access,{id:t.id,...eo({refresh:o.refresh||t.refresh,idToken:o.idToken||t.idToken,lifetime:o.lifetime||t.lifetime})}),o.refresh!==""&&o.refresh!==t.refresh&&jr(t.refresh),"renewed")}catch(n){return n.ended?(je(e,`Your sign-in at ${K.name} has ended.`),"ended"):"unreachable"}}async function Zc({refresh:e}){if(dt()==="page")return;let t=re(),n=performance.now()+Jc;for(Zn.postMessage({asks:e});re()===t&&performance.now()<n;)await new Promise(o=>setTimeout(o,25))}function jr(e){dt()!=="page"&&Zn.postMessage({spent:e,token:re(),grant:se()})}Zn.addEventListener("message",({data:e})=>{let t=se();t!==void 0&&(Hr.has(e?.asks)&&e.asks!==t.refresh&&jr(e.asks),e?.spent!==void 0&&e.spent===t.refresh&&e.grant?.id===t.id&&zn(e.token,e.grant))});function mt(e=0){clearTimeout(Br);let t=se();if(t===void 0||t.refresh===""||K===void 0)return;let n=Math.min(jc,t.lifetime*250),o=Math.max(e,t.expires-n-Date.now());Br=setTimeout(()=>{no()},Math.min(o,Yc))}addEventListener(Te,()=>mt());addEventListener("online",()=>mt());document.addEventListener("visibilitychange",()=>document.hidden||mt());mt();var eu="The service no longer accepts your token: it has expired or was revoked.";async function T(e,t){let n=await pt(e,t);return n.status===204?void 0:await nu(n)}async function pt(e,t={}){let n=t.headers?.Authorization===void 0,o=n&&to()?await Zt():re(),r=de(),s=await Vr(e,t,o);if(n&&tu(s)&&await Kr(o,r)&&(t.signal?.throwIfAborted(),o=re(),s=await Vr(e,t,o)),!s.ok){let i=await oo(s);throw n&&i.kind==="token"&&je(o,eu),i}return s}function Vr(e,{method:t="GET",body:n,query:o={},headers:r={},signal:s,keepalive:i=!1},a){let u=new URL(e,W);for(let[l,f]of Object.entries(o))f!==void 0&&f!==""&&u.searchParams.set(l,String(f));let d={Accept:"application/json"};return a&&(d.Authorization=`Bearer ${a}`),n!==void 0&&(d["Content-Type"]="application/json"),ou(u,{method:t,headers:{...d,...r},cache:"no-store",credentials:"omit",keepalive:i,...n===void 0?{}:{body:JSON.stringify(n)},...s===void 0?{}:{signal:s}})}function tu(e){return!e.ok&&Gr(e)==="token"}async function nu(e){try{return De(await e.text())}catch(t){throw t instanceof DOMException&&t.name==="AbortError"?t:new R("failed","The response is incomplete or not JSON. Try again.",{status:e.status})}}async function ou(e,t){try{return await fetch(e,t)}catch(n){throw n instanceof DOMException&&n.name==="AbortError"?n:new R("offline","No response. Check the network and that the stack is running, then try again.")}}async function oo(e){let t=await e.text().then(De).catch(()=>({})),n=Gr(e);return new R(n,t.message??`The service returned status ${e.status} without a message.`,{status:e.status,code:t.error??"",requestId:t.request_id??e.headers.get("x-amzn-requestid")??"",details:t.details??[],retryAfter:Number(e.headers.get("retry-after"))||0})}function Gr({status:e,headers:t}){return e===401?"token":e===403?t.has("x-amzn-errortype")?"token":"forbidden":e<500?"refused":"failed"}var M=encodeURIComponent,zr="text/event-stream",O=e=>e===void 0?{}:{signal:e},x={me:e=>T("api/me",O(e)),meFor:(e,t)=>T("api/me",{headers:{Authorization:`Bearer ${e}`},...O(t)}),tools:e=>T("api/tools/list",O(e)),models:e=>T("api/models/list",O(e)),testTools:(e,t)=>T("api/tools/test",{method:"POST",body:e,...O(t)}),callTool:(e,t)=>T("api/tools/call",{method:"POST",body:e,...O(t)}),streamChat:(e,t)=>pt("api/chat",{method:"POST",body:e,headers:{Accept:zr},...O(t)}),runEvents:(e,t,n)=>pt(`api/runs/${M(e)}/events`,{headers:{Accept:zr,...t&&{"Last-Event-ID":t}},...O(n)}),startChat:(e,t)=>T("api/chat",{method:"POST",body:e,headers:{Prefer:"respond-async"},...O(t)}),run:(e,t)=>T(`api/runs/${M(e)}`,O(t)),cancelRun:e=>T(`api/runs/${M(e)}`,{method:"DELETE"}),approvals:e=>T("api/approvals",O(e)),decide:(e,t)=>T(`api/runs/${M(e)}/approvals`,{method:"POST",body:{decisions:t}}),renewLease:e=>T(`api/runs/${M(e)}/lease`,{method:"POST"}),sessions:({limit:e,cursor:t,signal:n}={})=>T("api/sessions",{query:{limit:e,cursor:t},...O(n)}),searchSessions:(e,{limit:t,cursor:n,signal:o}={})=>T("api/sessions",{query:{query:e,limit:t,cursor:n},...O(o)}),exportSession:(e,t,n,o,r)=>pt(`api/sessions/${M(e)}/export`,{query:{format:t,from_turn:n,branch:o},headers:{Accept:"*/*"},...O(r)}),shares:(e,t)=>T(`api/sessions/${M(e)}/shares`,O(t)),createShare:(e,t)=>T(`api/sessions/${M(e)}/shares`,{method:"POST",body:t}),revokeShare:(e,t)=>T(`api/sessions/${M(e)}/shares/${M(t)}`,{method:"DELETE"}),sharedSession:(e,t,{limit:n,cursor:o,signal:r}={})=>T(`api/shared/${M(e)}`,{query:{limit:n,cursor:o},headers:{"X-Flexchat-Share":t},...O(r)}),session:(e,t)=>T(`api/sessions/${M(e)}`,O(t)),renameSession:(e,t)=>T(`api/sessions/${M(e)}`,{method:"PATCH",body:{title:t}}),deleteSession:e=>T(`api/sessions/${M(e)}`,{method:"DELETE"}),messages:(e,{limit:t,cursor:n,fromTurn:o,branch:r,signal:s}={})=>T(`api/sessions/${M(e)}/messages`,{query:{limit:t,cursor:n,from_turn:o,branch:r},...O(s)}),sessionFile:(e,t,n)=>T(`api/sessions/${M(e)}/files/${M(t)}`,O(n)),createUpload:(e,t)=>T("api/files",{method:"POST",body:e,...O(t)}),collections:e=>T("api/collections",O(e)),collection:e=>T(`api/collections/${M(e)}`),search:(e,t,n)=>T(`api/collections/${M(e)}/query`,{method:"POST",body:t,...O(n)}),changeCollection:(e,t)=>T(`api/collections/${M(e)}`,{method:"PATCH",body:t}),createCollection:e=>T("api/collections",{method:"POST",body:e}),deleteCollection:e=>T(`api/collections/${M(e)}`,{method:"DELETE"}),reindexCollection:(e,t,n)=>T(`api/collections/${M(e)}/reindex`,{method:"POST",body:t,...O(n)}),documents:(e,{after:t,signal:n}={})=>T(`api/collections/${M(e)}/documents`,{query:{after:t},...O(n)}),deleteDocument:(e,t)=>T(`api/collections/${M(e)}/documents/${M(t)}`,{method:"DELETE"}),statuses:e=>T("api/tools/validate",O(e)),history:(e,{limit:t,cursor:n,signal:o}={})=>T("api/tools/validate",{query:{model:e,limit:t,cursor:n},...O(o)}),validationRuns:({limit:e,cursor:t,signal:n}={})=>T("api/validation/runs",{query:{limit:e,cursor:t},...O(n)}),validationRun:(e,{limit:t,cursor:n,signal:o}={})=>T(`api/validation/runs/${M(e)}`,{query:{limit:t,cursor:n},...O(o)}),startValidation:e=>T("api/tools/validate",{method:"POST",body:e}),stopValidation:e=>T(`api/validation/runs/${M(e)}`,{method:"DELETE"}),resumeValidation:e=>T(`api/validation/runs/${M(e)}/resume`,{method:"POST"}),suites:e=>T("api/validation/suites",O(e)),suite:(e,t)=>T(`api/validation/suites/${M(e)}`,O(t)),putSuite:(e,t)=>T(`api/validation/suites/${M(e)}`,{method:"PUT",body:t}),configuration:e=>T("api/config",O(e)),matchRule:(e,t)=>T("api/config/match",{method:"POST",body:{profile:e},...O(t)}),mcpServers:e=>T("api/mcp/servers",O(e)),refreshMcpServer:(e,t)=>T(`api/mcp/servers/${M(e)}/refresh`,{method:"POST",...O(t)}),approveMcpTools:(e,t,n)=>T(`api/mcp/servers/${M(e)}/approve`,{method:"POST",body:t,...O(n)}),health:e=>T("health",O(e))};function ie(e,t=[]){let n=te(),o=_(e);o.current=e;let r=JSON.stringify(t),[s,i]=$(0),[a,u]=$({data:void 0,error:void 0,loading:!0});return b(()=>{if(n==="")return;let d=new AbortController;return u(l=>({...l,loading:!0})),o.current(d.signal).then(l=>!d.signal.aborted&&u({data:l,error:void 0,loading:!1}),l=>!d.signal.aborted&&u(f=>({...f,error:Jr(l),loading:!1}))),()=>d.abort()},[r,n,s]),{...a,reload:S(()=>i(d=>d+1),[])}}function Z(){let e=_(void 0),[t,n]=$({busy:!1,since:0,error:void 0,cancelled:!1});b(()=>()=>e.current?.abort(),[]);let o=S(async i=>{e.current?.abort();let a=new AbortController;e.current=a,n({busy:!0,since:performance.now(),error:void 0,cancelled:!1});let u;try{await i(a.signal)}catch(d){a.signal.aborted||(u=Jr(d))}e.current===a&&n(d=>({...d,busy:!1,error:u,cancelled:a.signal.aborted}))},[]),r=S(()=>e.current?.abort(),[]),s=S(()=>n(i=>({...i,error:void 0,cancelled:!1})),[]);return{...t,run:o,cancel:r,clear:s}}function Jr(e){return e instanceof R?e:(reportError(e),new R("page",`Error in the page: ${e instanceof Error?e.message:String(e)}`))}var Ee=e=>e===void 0?{}:{signal:e},ro=e=>`api/traces/${encodeURIComponent(e)}`,Pe={list:(e,t)=>T("api/traces",{query:e,...Ee(t)}),trace:(e,t)=>T(ro(e),Ee(t)),logs:(e,t)=>T(`${ro(e)}/logs`,Ee(t)),case:(e,t)=>T(`${ro(e)}/case`,Ee(t)),rate:(e,t)=>T(`api/runs/${encodeURIComponent(e)}/feedback`,{method:"POST",body:t}),usage:(e,t)=>T("api/usage",{query:e,...Ee(t)}),chat:(e,t)=>T("api/chat",{method:"POST",body:e,...Ee(t)}),offered:e=>T("v1/models",Ee(e)),complete:(e,t)=>T("v1/chat/completions",{method:"POST",body:e,...Ee(t)})};var en="flexchat:cached-query",ht=new Map;function ze(e,t){let[n,o]=$(0),r=ie(()=>ru(e,t),[n]);return b(()=>{r.error!==void 0&&ht.delete(e)},[r.error,e]),b(()=>{let s=i=>{i instanceof CustomEvent&&i.detail===e&&o(a=>a+1)};return addEventListener(en,s),()=>removeEventListener(en,s)},[e]),{...r,reload:S(()=>Yr(e),[e]),put:S(s=>Xr(e,s),[e])}}function Yr(e){ht.delete(e),dispatchEvent(new CustomEvent(en,{detail:e}))}function Xr(e,t){ht.set(e,{key:de(),promise:Promise.resolve(t)}),dispatchEvent(new CustomEvent(en,{detail:e}))}function ru(e,t){let n=de(),o=ht.get(e);if(o?.key===n)return o.promise;let r=t();return ht.set(e,{key:n,promise:r}),r}var zp=()=>ze("tools",()=>x.tools()),Jp=()=>ze("models",()=>x.models()),Yp=()=>Yr("models"),Qr=()=>ze("collections",()=>x.collections()),su={rules:[],models:[]},iu=200,Zr=e=>ze(`ratings ${e}`,()=>au(e));async function au(e){let{traces:t}=await Pe.list({session:e,limit:iu});return Object.fromEntries(t.flatMap(({id:n,rating:o})=>o?[[n,o]]:[]))}function $t(e){Ir(JSON.stringify(e)),Xr("caller",{key:de(),caller:e})}function es(){let e=de(),t=x.me().then(o=>(e===de()&&$t(o),{key:e,caller:o})),n=Or();return n===""?t:(t.catch(()=>{}),Promise.resolve({key:e,caller:JSON.parse(n)}))}function _t(){let e=te(),{data:t}=ze("caller",es);return t?.key===e?t.caller:void 0}function ts(){let e=_t();return e===void 0||e.roles.includes("operator")}function Xp(e){let t=_t();return t===void 0||ns(t,e)}function ns(e,t){return e.roles.includes("operator")||(e.may??[]).includes(t)}function os(e){let t=te(),{data:n,error:o}=ze("caller",es);if(n?.key!==t)return e.filter(({role:i})=>i===void 0||o!==void 0);let{caller:r}=n,s=r.roles.includes("operator")?void 0:r.views??void 0;return e.filter(({name:i,role:a})=>a===void 0?s===void 0||s.includes(i):ns(r,"configure"))}function rs(){return _t()?.choices??su}function Qp(){return _t()?.principal}function ss(){return _t()}var cu=2e3;function le({text:e,label:t}){let[n,o]=$("");return b(()=>{if(n==="")return;let s=setTimeout(()=>o(""),cu);return()=>clearTimeout(s)},[n]),c`<button type="button" class="quiet" onClick=${()=>navigator.clipboard.writeText(typeof e=="string"?e:e()).then(()=>o("copied ✓"),()=>o("not copied: access denied by the browser"))}>
    ${t}<span role="status">${n&&c` · ${n}`}</span>
  </button>`}var is={offline:"The service cannot be reached",token:"The token is not valid",forbidden:"The token lacks the required role",refused:"The request was rejected",failed:"The service failed",page:"The page failed"},qe={approval_decided:"The call is decided already",approval_expired:"The time for the decision is over",approval_mismatch:"The call is another one than was shown",bad_gateway:"The service failed",built_in_suite:"The suite is built in",cancelled:"The chat was cancelled",configuration:"Configuration error",choice_not_allowed:"The choice is not allowed",role_not_allowed:"Not allowed for this role",role_not_configured:"Role not configured",choice_not_offered:"The choice is not offered",configuration_changed:"The configuration was published again",configuration_not_found:"No configuration is published",conflict:"Conflict with another change",definitions_changed:"The definitions have changed",editing_disabled:"The stage does not publish by the page",empty_image_file:"The picture is empty",failed_to_download_image:"The picture could not be fetched",file_not_found:"The file is no longer stored",forbidden:"The token lacks the required role",idempotency_in_progress:"The request is still in progress",idempotency_key_reused:"The idempotency key was already used",image_file_not_found:"The file is not uploaded",image_too_large:"The picture is too large",internal_error:"The service failed",invalid_case:"No validation case can be made",invalid_configuration:"The configuration has errors",invalid_cursor:"The list has changed",invalid_idempotency_key:"The request is not valid",invalid_last_event_id:"The request is not valid",invalid_request:"The request is not valid",invalid_schema:"The schema of the answer is not valid",invalid_suite:"The suite is not valid",mcp_failed:"The MCP server cannot be used",mcp_starting:"The MCP server is still starting",message_too_long:"No validation case can be made",model_in_validation:"A validation run is testing this model",model_not_found:"Model not found",no_content:"No validation case can be made",no_message:"No validation case can be made",no_successful_call:"No validation case can be made",no_tools:"No validation case can be made",no_prices:"The model has no prices",not_found:"Not found",not_listed:"The tools of the server are not listed yet",nothing_to_publish:"Nothing to publish",payload_too_large:"The request is too large",range_too_large:"The period is too long",rate_limited:"Too many requests",response_too_large:"The response is too large",resume_token_expired:"The partial answer has expired",resume_token_in_use:"The partial answer is in use",resume_token_invalid:"The partial answer cannot be continued",resume_token_used:"The partial answer was already continued",run_ended:"The run has ended",run_not_found:"Run not found",server_disabled:"The MCP server is disabled",server_not_found:"MCP server not found",session_busy:"The session is in use",session_forks_full:"The session has too many versions",session_moved_on:"The session has changed",session_not_found:"Session not found",sharing_disabled:"Sharing is off",share_not_found:"Link not found",nothing_to_share:"No answer to share",too_many_shares:"Too many links",suite_not_found:"Suite not found",timeout:"The service did not answer in time",token_management_disabled:"The stage does not manage tokens by the page",token_not_found:"Token not found",tool_disabled:"The tool is disabled",tool_not_found:"Tool not found",tools_disabled:"Tools are disabled",too_many_failed_calls:"No validation case can be made",trace_not_found:"Trace not found",turn_not_found:"Turn not found",unauthorized:"The token is not valid",unavailable:"The service is unavailable",unchecked_attachments:"Pictures and files are not allowed",unsupported_image_media_type:"The picture is of a type that models do not read",unsupported_media_type:"The request is not valid",version_not_found:"Version not found",collection_conflict:"Conflict with another change",collection_configuration:"Configuration error",collection_damaged:"The collection is damaged",collection_exists:"The collection already exists",collection_invalid:"The request is not valid",collection_not_found:"Collection not found",collection_too_large:"The request is too large",collection_unavailable:"The collection is unavailable",model_authentication:"The provider rejected the API key",model_content_filter:"The content filter blocked the message",model_context_length:"The conversation is too long",model_invalid_request:"The provider rejected the request",model_invalid_response:"The provider's response is not valid",model_invalid_format:"The model's answer has another form",model_malformed_tool_call:"The model's tool call cannot be read",model_network:"The provider cannot be reached",model_overloaded:"The provider is overloaded",model_permission:"The API key has no access to this model",model_rate_limit:"The provider's rate limit was reached",model_server_error:"The provider failed",model_timeout:"The provider did not answer in time",model_unsupported_content:"The model does not read this"},uu={404:qe.not_found??"",408:qe.timeout??"",413:qe.payload_too_large??"",429:qe.rate_limited??"",503:qe.unavailable??"",504:qe.timeout??""};function as({kind:e,code:t,status:n}){return e==="token"||e==="offline"||e==="page"?is[e]:qe[t]??uu[n]??is[e]}function tn({id:e,params:t={},children:n}){let o=r=>{r.metaKey||r.ctrlKey||r.shiftKey||r.button!==0||(r.preventDefault(),Le(Bn(e),t),scrollTo(0,0))};return c`<a href=${ct(Bn(e),t)} onClick=${o}>${n??"Open trace"}</a>`}function P({error:e,onRetry:t,retry:n="Try again",traced:o=!1}){return c`
    <div class="problem" role="alert">
      <h3><span aria-hidden="true">✕</span> ${as(e)}</h3>
      <p>${e.message}</p>
      ${e.retryAfter>0&&c`<p>Retry after ${e.retryAfter} s.</p>`}
      ${e.details.length>0&&c`<ul>${e.details.map(({path:r,message:s})=>c`<li><code>${r}</code> ${s}</li>`)}</ul>`}
      <div class="row">
        ${e.kind==="token"&&c`<button type="button" onClick=${ft}>Enter another token</button>`}
        ${t&&e.kind!=="token"&&c`<button type="button" onClick=${t}>${n}</button>`}
        ${e.requestId&&c`<small>request <code>${e.requestId}</code></small>
            <${le} text=${e.requestId} label="Copy request id" />`}
        ${o&&lu(e)&&c`<${tn} id=${e.requestId} />`}
      </div>
    </div>
  `}function lu({kind:e,code:t,requestId:n}){return n!==""&&(e==="failed"||t.startsWith("model_"))}var du=new Intl.NumberFormat("en-GB"),fu=new Intl.NumberFormat("en-GB",{maximumSignificantDigits:2}),mu=new Intl.DateTimeFormat("en-GB",{dateStyle:"medium",timeStyle:"medium"}),pu=new Intl.DateTimeFormat("en-GB",{dateStyle:"medium"}),cs=new Intl.RelativeTimeFormat("en-GB",{numeric:"auto"}),hu=[["day",86400],["hour",3600],["minute",60]];function me(e){return du.format(e)}function N(e,t,n=`${t}s`){return`${me(e)} ${e===1?t:n}`}function j(e){if(e<999.5)return`${Math.round(e)} ms`;if(e<59950)return`${(e/1e3).toFixed(e<1e4?2:1)} s`;let t=Math.round(e/1e3);return`${Math.floor(t/60)} min ${t%60} s`}function us(e){return`${Math.round(e*100)} %`}function Je(e){return`$${e>=1?e.toFixed(2):fu.format(e)}`}function _e(e){return e<1e3?`${e} B`:e<999500?`${Math.round(e/1e3)} kB`:`${(e/1e6).toFixed(1)} MB`}function ls(e){return e.toFixed(3)}function Ye(e){return mu.format(new Date(e))}function fh(e){return pu.format(new Date(e))}function gt(e,t=Date.now()){let n=(new Date(e).getTime()-t)/1e3;for(let[o,r]of hu)if(Math.abs(n)>=r)return cs.format(Math.round(n/r),o);return Math.abs(n)<10?"just now":cs.format(Math.round(n),"second")}var $u=200;function Q({label:e,since:t}){let[n,o]=$(performance.now());return b(()=>{let r=setInterval(()=>o(performance.now()),$u);return()=>clearInterval(r)},[]),c`<span class="busy">
    <span class="spinner" aria-hidden="true"></span>
    <span role="status">${e}</span>
    <span class="number" aria-hidden="true">${j(Math.max(0,n-t))}</span>
  </span>`}function ae({lines:e=3,label:t}){return c`<div class="skeleton" role="status" aria-label=${`Loading ${t}`}>
    ${Array.from({length:e},()=>c`<span></span>`)}
  </div>`}function ds({title:e,children:t}){return c`<div class="empty"><h2>${e}</h2>${t}</div>`}var so="flexchat:sign-out",io="";async function fs(){let e=se();if(Er(),!(e===void 0||K===void 0)){bt(`You are signed out here. Signing out at ${K.name} …`);try{let{end:t}=await Ne(),n=await t(K,e,ut);n!==""?location.assign(n):bt("")}catch(t){let n=Qt(t).message;bt(`You are signed out here, but not at ${K.name}: ${n} On a shared computer, sign out there too.`)}}}function bt(e){io=e,dispatchEvent(new Event(so))}function ms(){let[e,t]=$(io);return b(()=>{let n=()=>t(io),o=()=>se()!==void 0&&bt(""),r=s=>s.persisted&&bt("");return addEventListener(so,n),addEventListener(Te,o),addEventListener("pageshow",r),n(),()=>{removeEventListener(so,n),removeEventListener(Te,o),removeEventListener("pageshow",r)}},[]),e===""?"":c`<p class="notice" role="status">${e}</p>`}var ps="account",_u=2**31-1,gu={page:"in the memory of this page, until you reload or leave it",tab:"in this tab, until you close it",browser:"in this browser, until you sign out"},bu={name:"API token",id:"Token id",holder:"token"},yu={name:K?.name??"",id:"Account id",holder:"account"},wu={requests:"Requests",tool_calls:"Tool calls",tokens:"Tokens",usd:"US dollars"},vu={minute:"this minute",day:"today",month:"this month"};function hs({name:e,role:t}){let[n="",o=""]=e.split("_per_"),r=`${wu[n]} ${vu[o]}`;return t?`${r}, role ${t}`:r}function nn(e,t){return e.startsWith("usd_")?Je(t):me(t)}function $s(){let e=te(),t=ss(),[n,o]=$(!1),r=_(null);ku(t);let s=u=>()=>{r.current?.hidePopover(),u()},i=t?.name||t?.principal||"Token",a=K===void 0?"Use another token":"Sign in differently";return e===""?c`<button type="button" class="quiet" onClick=${ft}>Sign in</button>`:c`
    <button type="button" class="quiet account-button" popovertarget=${ps} aria-expanded=${n} aria-label=${`Account: ${i}`}>
      <span class="account-name">${i}</span> <span aria-hidden="true">▾</span>
    </button>
    <section
      id=${ps}
      class="account"
      popover
      ref=${r}
      aria-label="Account"
      onToggle=${u=>o(u.newState==="open")}
    >
      ${n&&c`<${Su} />`}
      <div class="row">
        <button type="button" onClick=${s(ft)}>${a}</button>
        <button type="button" onClick=${s(fs)}>Sign out</button>
      </div>
    </section>
  `}function ku(e){let t=e?.expires_at;b(()=>{if(!t||se()?.refresh)return;let n=re(),o=0,r=()=>{let s=Date.parse(t)-Date.now();s>0?o=setTimeout(r,Math.min(s,_u)):je(n,`Your ${se()?"sign-in":"token"} expired on ${Ye(t)}.`)};return r(),()=>clearTimeout(o)},[t])}function Su(){let{data:e,error:t,reload:n}=ie(r=>x.me(r));if(t)return c`<${P} error=${t} onRetry=${n} />`;if(!e)return c`<${ae} lines=${5} label="your account" />`;let o=se()===void 0?bu:yu;return c`
    <h2>${e.name||o.name}</h2>
    <dl class="account-facts">
      <dt>${o.id}</dt>
      <dd class="mono">${e.principal}</dd>
      <dt>${e.roles.length===1?"Role":"Roles"}</dt>
      <dd>${e.roles.join(", ")||"none"}</dd>
      <${Tu} />
      ${e.expires_at&&c`<dt>Expiry</dt><dd><${xu} at=${e.expires_at} /></dd>`}
      <dt>Stage</dt>
      <dd>${Se||"unknown"}</dd>
      <dt>Kept</dt>
      <dd>${gu[dt()]}</dd>
    </dl>
    <h3>Limits</h3>
    ${!e.limits&&c`<p>The limits cannot be read now.</p>`}
    ${e.limits?.length===0&&c`<p>None for this ${o.holder}.</p>`}
    ${e.limits?.map(r=>c`<${Eu} key=${hs(r)} limit=${r} />`)}
  `}function Tu(){return se()===void 0?"":c`<dt>Signed in with</dt><dd>${K?.name}</dd>`}function xu({at:e}){let t=Date.parse(e)>Date.now()?"expires":"expired",n=se()?.refresh;return c`<time datetime=${e} title=${Ye(e)}>${t} ${gt(e)}</time>${n&&", renewed before"}`}function Eu({limit:e}){let{name:t,allowed:n,used:o,reserved:r,resets_at:s}=e,i=hs(e);return c`<div class="account-limit">
    <span>${i}</span>
    <span class="number">${nn(t,o)} of ${nn(t,n)}</span>
    <meter min="0" max=${n} value=${o} high=${n*.9} aria-label=${i}>${nn(t,o)}</meter>
    <small>
      ${r>0&&`${nn(t,r)} reserved by running chats, `}resets${" "}
      <time datetime=${s} title=${Ye(s)}>${gt(s)}</time>
    </small>
  </div>`}var ao="flexchat:header-actions",co=[];function _s(e){co=e,dispatchEvent(new Event(ao))}function gs(e){let t=_(e);t.current=e;let n=JSON.stringify(e);X(()=>{_s(t.current.map((o,r)=>({...o,run:()=>t.current[r]?.run()})))},[n]),X(()=>()=>_s([]),[])}function bs(){let[e,t]=$(co);return b(()=>{let n=()=>t(co);return n(),addEventListener(ao,n),()=>removeEventListener(ao,n)},[]),e}var Cu=3e4;function vs({route:e,onHelp:t}){let n=os(at),o=bs(),r=_(null);return b(()=>{r.current&&Au(r.current)},[e.view]),c`
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
      <a class="brand" href=${W.href} onClick=${s=>ws(s,Un)}>
        Flexchat ${Se&&c`<small>stage ${Se}</small>`}
      </a>
      <nav aria-label="Views" ref=${r} onPointerOver=${ys} onFocusIn=${ys}>
        ${n.map(({name:s,title:i})=>c`
            <a
              href=${ct(s)}
              aria-current=${Ru(s,e.view)}
              onClick=${a=>ws(a,s)}
              >${i}</a
            >
          `)}
      </nav>
      <div class="shell-status">
        <${Ou} />
        <${$s} />
        <${Iu} />
        <button type="button" class="quiet header-help" aria-label="Show keyboard shortcuts" title="Show keyboard shortcuts (?)" onClick=${t}>?</button>
      </div>
    </header>
  `}function ys(){Ur("views")}function Au(e){let t=e.querySelector("[aria-current]");if(!t)return;let n=t.getBoundingClientRect(),o=e.getBoundingClientRect();e.scrollLeft+=n.left+n.width/2-(o.left+o.width/2)}function Ru(e,t){return e===t?"page":e==="traces"&&t==="runs"?"true":void 0}function ws(e,t){e.metaKey||e.ctrlKey||e.shiftKey||e.button!==0||(e.preventDefault(),Le(t))}function Iu(){let[e,t]=$(jn),n=e==="dark"?"light":"dark",o=()=>{kr(n),t(n)},r=`Switch to the ${n} theme`;return c`<button type="button" class="quiet" aria-label=${r} title=${r} onClick=${o}>◐</button>`}function Ou(){let[e,t]=$("unknown");b(()=>{let r=()=>{document.hidden||x.health().then(()=>t("healthy"),()=>t("unreachable"))};r();let s=setInterval(r,Cu);return document.addEventListener("visibilitychange",r),()=>{clearInterval(s),document.removeEventListener("visibilitychange",r)}},[]);let n={unknown:"○",healthy:"●",unreachable:"▲"}[e],o={unknown:"plain",healthy:"good",unreachable:"bad"}[e];return c`<span class="health" data-tone=${o} role="status">
    <span aria-hidden="true">${n}</span> <span class="health-text">${e==="unknown"?"checking":e}</span>
  </span>`}function ee({summary:e,open:t=!1,children:n}){let[o,r]=$(t);return c`
    <details class="collapsible" open=${o} onToggle=${s=>r(s.currentTarget.open)}>
      <summary>${e}</summary>
      ${o&&c`<div class="collapsible-body">${n}</div>`}
    </details>
  `}var Lu='textarea, input:is([type="text"], [type="search"], [type="number"], :not([type]))';function Ss(){let e=Es().filter(({element:n})=>n.value!=="").map(({element:n,...o})=>({...o,text:n.value}));return e.reduce((n,{text:o})=>n+o.length,0)>5e5?[]:e}function Ts(e){let t=ks(e);if(t.length===0)return;let n=new MutationObserver(()=>{t=ks(t),t.length===0&&n.disconnect()});n.observe(xs(),{childList:!0,subtree:!0}),setTimeout(()=>n.disconnect(),2e4)}function ks(e){let t=Es();return e.filter(n=>{let o=t.find(({field:r,at:s})=>r===n.field&&s===n.at);return o?.element.value===""&&Du(o.element,n.text),o===void 0})}function xs(){return document.getElementById("main")??document.body}function Es(){let e=new Map;return[...xs().querySelectorAll(Lu)].filter(({readOnly:n,disabled:o})=>!n&&!o).map(n=>{let o=Mu(n),r=e.get(o)??0;return e.set(o,r+1),{element:n,field:o,at:r}})}function Mu(e){return(e.getAttribute("aria-label")??e.labels?.[0]?.textContent??e.name).trim().slice(0,200)}function Du(e,t){e.value=t,e.dispatchEvent(new Event("input",{bubbles:!0}))}var Nu="The response of the sign-in does not belong to this tab: it was started elsewhere, or was used already. Sign in again here.";function Cs({provider:e,keep:t,onDone:n}){let o=Z(),{run:r,cancel:s}=o,[i,a]=$(!1);b(()=>{let d=yr();d===void 0||d.started===void 0&&de()!==""||(a(!0),r(l=>qu(e,d,l).then(n)))},[]),b(()=>{let d=l=>l.persisted&&s();return addEventListener("pageshow",d),()=>removeEventListener("pageshow",d)},[s]);let u=()=>{a(!1),r(d=>Pu(e,t,d))};return c`
    ${o.error&&c`<p class="problem-text" role="alert">${o.error.message}</p>`}
    <div class="row">
      <button type="button" class="primary" autofocus disabled=${o.busy} onClick=${u}>Sign in with ${e.name}</button>
      ${o.busy&&c`<${Q} label=${i?"Completing the sign-in":`Opening ${e.name}`} since=${o.since} />`}
    </div>
  `}async function Pu(e,t,n){let{prepare:o}=await Ne(),{url:r,...s}=await As(o(e,ut));n.throwIfAborted(),gr({...s,keep:t,from:location.href,typed:Ss()}),location.assign(r),await new Promise((i,a)=>{n.addEventListener("abort",a)})}async function qu(e,{started:t,parameters:n},o){if(t===void 0)throw new R("refused",Nu);let{exchange:r}=await Ne(),s={parameters:n,redirectUri:ut,...t},i=await As(r(e,s)),a=await x.meFor(i.access,o).catch(l=>{throw Uu(e,l)}),u=a.expires_at?(Date.parse(a.expires_at)-Date.now())/1e3:0,d=i.lifetime||Math.max(0,u);zt(i.access,{keep:t.keep,grant:{id:crypto.randomUUID(),...eo({...i,lifetime:d})}}),$t(a),Ts(t.typed)}async function As(e){try{return await e}catch(t){throw Qt(t)}}function Uu({name:e},t){if(!(t instanceof R)||t.kind==="offline")return t;if(t.kind==="token"){let o=`You signed in at ${e}, but this service does not accept its access token. An operator has to compare OidcAudiences and OidcScopes with the token.`;return new R("refused",o)}let n=t.kind==="forbidden"?"you have no access to this service":"the service failed";return new R(t.kind,`You signed in at ${e}, but ${n}: ${t.message}`)}var Bu="local",Fu=`flexchat tokens create --stage ${Se} --name NAME`,Hu=[{keep:"page",title:"Until you reload or leave this page",meaning:"in memory only"},{keep:"tab",title:"Until you close this tab",meaning:"survives a reload"},{keep:"browser",title:"In this browser, until you sign out",meaning:"also after a restart, in every tab; anyone who can use this browser profile can use the token"}];function Is({open:e,needed:t,ended:n,shared:o,onClose:r}){let[s,i]=$("tab"),a=K===void 0?"API token":"Sign in",u=c`
    <fieldset class="choices">
      <legend>${K===void 0?"Keep the token":"Stay signed in"}</legend>
      ${Hu.map(d=>c`<${ju} ...${d} chosen=${s} onChoose=${i} />`)}
    </fieldset>
  `;return c`
    <${Ve} title=${n?"Sign in again":a} open=${e} onClose=${t?void 0:r}>
      <div class="stack">
        ${n&&c`<${Wu} reason=${n} />`}
        ${o&&c`<${Ku} />`}
        <${ms} />
        ${K===void 0?c`<${Rs} keep=${s} choices=${u} explained=${!n} onDone=${r} />`:c`
                ${u}
                <${Cs} provider=${K} keep=${s} onDone=${r} />
                <${ee} summary="Use an API token">
                  <${Rs} keep=${s} explained onDone=${r} />
                <//>
              `}
      </div>
    <//>
  `}function Ku(){return c`<p class="notice">
    This link shows a shared conversation to people with ${K===void 0?"a token":"an account or a token"} of this service. Sign in, and it opens here. If you
    have no ${K===void 0?"token":"account"}, ask the person who sent you the link.
  </p>`}function Wu({reason:e}){return c`<p class="notice" role="status">! ${e} Sign in to continue where you were; what you have typed is kept.${K&&" Attach files that are not sent yet again after the sign-in."}</p>`}function Rs({keep:e,choices:t,explained:n,onDone:o}){let[r,s]=$(""),i=Z();return c`
    <form class="stack" onSubmit=${u=>{u.preventDefault();let d=r.trim();d===""||i.busy||i.run(async l=>{let f=await x.meFor(d,l);zt(d,{keep:e}),$t(f),s(""),o()})}}>
      ${n&&c`<p>
          The page calls the API with your token. ${Se===Bu&&c`<code>make up</code> prints one. `}An operator${" "}
          creates one by <code>${Fu}</code>.
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
      ${i.error&&c`<p id="token-problem" class="problem-text" role="alert">${Vu(i.error)}</p>`}
      <div class="row">
        <button type="submit" class=${t?"primary":void 0} disabled=${i.busy}>${t?"Sign in":"Sign in with the token"}</button>
        ${i.busy&&c`<${Q} label="Verifying the token" since=${i.since} />`}
      </div>
    </form>
  `}function ju({keep:e,title:t,meaning:n,chosen:o,onChoose:r}){let s=oe();return c`<div class="choice">
    <input type="radio" name="keep" id=${s} checked=${e===o} aria-describedby=${`${s}-meaning`} onChange=${()=>r(e)} />
    <label for=${s}>${t}</label>
    <small id=${`${s}-meaning`}>${n}</small>
  </div>`}function Vu(e){return e.kind==="token"?`The token is not valid: ${e.message}.`:e.message}var Xe=matchMedia("(width < 800px)");function Os(){let[e,t]=$(Xe.matches);return b(()=>{let n=()=>t(Xe.matches);return Xe.addEventListener("change",n),()=>Xe.removeEventListener("change",n)},[]),e}function Ls(e,t=[]){let n=oe(),[o,r]=$(!1),s=Os(),i=S(()=>r(!0),[]),a=S(()=>r(!1),[]);return gs(s?[{sign:"☰",label:e,expanded:o,controls:n,run:i},...t]:[]),b(()=>{s||r(!1)},[s]),{id:n,label:e,isNarrow:s,isOpen:o,open:i,close:a}}function Ms({state:{id:e,label:t,isOpen:n,close:o},children:r}){let s=Yt(n,{listed:!0});return c`
    <dialog ref=${s} id=${e} class="drawer" aria-label=${t} onClose=${o} onClick=${a=>{a.target===s.current&&o()}}>
      <div class="drawer-content">
        <div class="dialog-head">
          <h2>${t}</h2>
          <button type="button" class="quiet" aria-label="Close" onClick=${o}>✕</button>
        </div>
        ${n&&r}
      </div>
    </dialog>
  `}var Gu=40;function A$(e){let t=_(null),n=_(!1),o=_({busy:e,at:0});X(()=>{let{current:s}=o;n.current&&Xe.matches&&e!==s.busy&&((e||Math.abs(scrollY-s.at)<Gu)&&t.current?.scrollIntoView({block:"start"}),n.current=e),o.current={busy:e,at:e&&!s.busy?scrollY:s.at}},[e]);let r=S(()=>{n.current=!0},[]);return{section:t,reveal:r}}function Ds({title:e,controls:t,section:n,drawer:o,children:r}){return c`
    <h1 class="hidden">${e}</h1>
    <div class="split">
      ${o?.isNarrow?c`<${Ms} state=${o}>${t}<//>`:c`<section class="split-controls" aria-label="Controls">${t}</section>`}
      <section class="split-results" ref=${n} aria-label="Results">${r}</section>
    </div>
  `}function yt({rule:e="",model:t=""}){return{rule:e,model:t}}function Ce(e={},t={}){Le("chat",{...e,...yt(Oe().params)},t)}function Ns(e){Le("chat",{...Oe().params,...e},{replace:!0})}var zu=3e6,Ps=2e7,qs=4e7,Us=50,uo=new Set(["image/png","image/jpeg","image/webp","image/gif"]),Bs=[...uo,".pdf,.txt,.md,.csv,.json,.html,.docx,.pptx,.xlsx,.epub"].join(",");function Fs(e,t){let n=e.find(({type:u})=>u.startsWith("image/")&&!uo.has(u));if(n)return`${n.name} is of the type ${n.type}. Attach PNG, JPEG, WebP or GIF pictures.`;let o=e.find(({type:u})=>/^(?:audio|video)\//.test(u));if(o)return`${o.name} is of the type ${o.type}. Attach pictures, PDF, Office, EPUB or text files.`;let r=e.find(({size:u})=>u===0);if(r)return`${r.name} is empty.`;let s=e.find(({size:u})=>u>Ps);if(s)return`${s.name} has ${_e(s.size)}, and a file may have ${_e(Ps)}.`;if(e.length+t.length>Us)return`A message takes ${Us} files.`;let i=[...t,...e].reduce((u,{size:d})=>u+d,0);return i<=qs?"":`${e.map(({name:u})=>u).join(", ")}: the files have ${_e(i)} together, and a message takes ${_e(qs)}.`}function Hs(e,t){let n=t.reduce((s,{size:i,key:a})=>a?s:s-i,zu),o=[],r=[];for(let s of e)s.size<=n?(n-=s.size,o.push(s)):r.push(s);return{inline:o,large:r}}function on(e){let t=e.flatMap(({upload:n})=>n??[]);return t.some(({problem:n})=>n!=="")?"Try again or remove the file that was not uploaded.":t.length>0?"Files are being uploaded.":""}function wt(e){return uo.has(e)}function Ks(e){return new Promise((t,n)=>{let o=new FileReader;o.onload=()=>t({name:e.name,type:e.type,size:e.size,url:o.result}),o.onerror=()=>n(o.error),o.readAsDataURL(e)})}function Ws(e){let t="auto";return e.length===0?{}:{attachments:e.map(({name:n,url:o,fileId:r})=>r?{name:n,file_id:r,detail:t}:{name:n,url:o,detail:t})}}var Ju="400px",lo=new Map;function js({session:e,id:t,name:n,size:o,picture:r}){let s=_(null),[i,a]=$(""),[u,d]=$(""),l=()=>Yu(e,t).catch(m=>{if(!(m instanceof R))throw m;return d(m.status===404?"no longer stored":m.message),""}),f=_(l);f.current=l,b(()=>{if(!r||s.current===null)return;let m=!0,h=new IntersectionObserver(y=>{y.some(({isIntersecting:k})=>k)&&(h.disconnect(),f.current().then(k=>m&&a(k)))},{rootMargin:Ju});return h.observe(s.current),()=>{m=!1,h.disconnect()}},[e,t,r]);let p=async()=>{d("");let m=await l();if(m==="")return;let h=document.createElement("a");h.href=m,h.download=n,h.click()};return c`
    <span ref=${s} class=${r?"chat-stored-picture":void 0}>
      ${i?c`<img src=${i} alt=${n} />`:c`<span aria-hidden="true">${r?"▣":"▤"}</span>`}
    </span>
    <span>${n}</span>
    <small>${_e(o)}</small>
    ${u&&c`<small class="problem-text" role="status">✕ ${u}</small>`}
    <button type="button" class="quiet" aria-label=${`Download ${n}`} onClick=${p}>Download</button>
  `}function Yu(e,t){let n=`${e} ${t}`,o=lo.get(n);if(o)return o;let r=Xu(e,t);return lo.set(n,r),r.catch(()=>lo.delete(n)),r}async function Xu(e,t){let{url:n,media_type:o}=await x.sessionFile(e,t),r;try{let s=await fetch(n,{credentials:"omit",referrerPolicy:"no-referrer"});if(!s.ok)throw new R("failed",`the storage returned status ${s.status}`,{status:s.status});r=await s.blob()}catch(s){throw s instanceof R?s:new R("offline","the storage did not answer")}return URL.createObjectURL(new Blob([r],{type:o}))}function rn({attachments:e,session:t="",onRemove:n,onRetry:o}){return e.length===0?null:c`
    <ul class="chat-attachments" aria-label="Attachments">
      ${e.map((r,s)=>{let{name:i,type:a,size:u,url:d,id:l,upload:f}=r,p=i||a;return c`
          <li key=${s}>
            ${l&&!d?c`<${js} session=${t} id=${l} name=${p} size=${u} picture=${wt(a)} />`:c`<${Qu} attachment=${r} /><span>${p}</span><small>${_e(u)}</small>`}
            ${f&&c`<${Zu} name=${p} size=${u} upload=${f} />`}
            ${f?.problem&&o&&c`<button type="button" aria-label=${`Upload ${p} again`} onClick=${()=>o(s)}>Try again</button>`}
            ${n&&c`<button type="button" class="quiet" aria-label=${f&&!f.problem?`Cancel the upload of ${p}`:`Remove ${p}`} onClick=${()=>n(s)}>✕</button>`}
          </li>
        `})}
    </ul>
  `}function Qu({attachment:{name:e,type:t,url:n}}){return n&&wt(t)?c`<img src=${n} alt=${e||"Picture"} />`:c`<span aria-hidden="true">${t.startsWith("image/")?"▣":"▤"}</span>`}function Zu({name:e,size:t,upload:{sent:n,problem:o}}){return o?c`<small class="problem-text" role="alert">✕ ${o}</small>`:c`
    <progress max=${t} value=${n} aria-label=${`Upload of ${e}`}></progress>
    <small class="number">${n<t?`${_e(n)} uploaded`:"finishing the upload"}</small>
  `}var fo="flexchat.enter",Vs="breaks";function Gs(){return localStorage.getItem(fo)!==Vs}function zs(e){e?localStorage.removeItem(fo):localStorage.setItem(fo,Vs)}function Js({key:e,shiftKey:t,altKey:n,ctrlKey:o,metaKey:r,isComposing:s,keyCode:i},a){return a&&e==="Enter"&&!(t||n||o||r||s||i===229)}var el=4e4;async function Ys(e,{signal:t,onProgress:n}){let{id:o,url:r,fields:s}=await x.createUpload({name:e.name,size:e.size},t),i=new FormData;for(let[a,u]of Object.entries(s))i.append(a,u);return i.append("file",e),await tl(r,i,{signal:t,onProgress:a=>n(Math.min(a,e.size))}),o}async function tl(e,t,n){let{status:o}=await Xs(e,t,{},n);if(o<200||o>=300)throw new R("failed",nl(o),{status:o})}async function X$(e,t,n){let o={Accept:"application/json","Content-Type":"application/json",Authorization:`Bearer ${await Zt()}`},r=await Xs(new URL(e,W).href,JSON.stringify(t),o,n),{status:s,responseText:i}=r;if(s>=400)throw await oo(new Response(i,{status:s,headers:ol(r)}));try{return De(i)}catch{throw new R("failed","The response is incomplete or not JSON. Try again.",{status:s})}}function Xs(e,t,n,{signal:o,onProgress:r}){return new Promise((s,i)=>{let a=new XMLHttpRequest,u=0,d=()=>{clearTimeout(u),u=setTimeout(()=>{i(new R("offline","The upload has stopped. Check the network and try again.")),a.abort()},el)},l=()=>a.abort();a.upload.onprogress=({loaded:f,total:p})=>{d(),r(f,p)},a.onloadend=()=>{clearTimeout(u),o.removeEventListener("abort",l)},a.onabort=()=>i(new DOMException("The upload was cancelled","AbortError")),a.onerror=()=>i(new R("offline","No response. Check the network and try again.")),a.onload=()=>s(a),a.open("POST",e);for(let[f,p]of Object.entries(n))a.setRequestHeader(f,p);o.addEventListener("abort",l,{once:!0}),d(),a.send(t),o.aborted&&a.abort()})}function nl(e){return e===400?"The storage rejected the file: its size has changed. Choose it again.":e===403?"The time for the upload is over. Try again.":`The storage returned status ${e}. Try again.`}function ol(e){let t=new Headers;for(let n of e.getAllResponseHeaders().trim().split(`\r
`).filter(Boolean))t.append(n.slice(0,n.indexOf(":")),n.slice(n.indexOf(":")+1).trim());return t}function Qs(e,{add:t,change:n,remove:o}){let r=te(),[s,i]=$(""),a=_(new Map),u=S(async h=>{let y=a.current.get(h);if(!y)return;let k=new AbortController;y.running=k;let{signal:C}=k,w=v=>!C.aborted&&n(h,{upload:{sent:v,problem:""}});w(0);try{let v=await Ys(y.file,{signal:C,onProgress:w});C.aborted||n(h,{fileId:v,upload:void 0})}catch(v){if(C.aborted)return;if(!(v instanceof R))throw v;n(h,{upload:{sent:0,problem:v.message}})}},[n]);b(()=>{let h=a.current;return()=>h.forEach(({running:y})=>y?.abort())},[]);let d=_(e);d.current=e;let l=_(r);return b(()=>{if(l.current!==r){l.current=r;for(let{key:h}of d.current)h&&(a.current.get(h)?.running?.abort(),n(h,{fileId:void 0,upload:{sent:0,problem:"The token has changed. Upload it again."}}))}},[r,n]),{problem:s,attach:async h=>{let y=[...h??[]],k=Fs(y,e);if(i(k),k!==""||y.length===0)return;let{inline:C,large:w}=Hs(y,e);try{t(await Promise.all(C.map(Ks)))}catch{i("The file could not be read. Choose it again.");return}for(let v of w){let E=crypto.randomUUID();a.current.set(E,{file:v,running:void 0});let V=wt(v.type)?URL.createObjectURL(v):"";t([{name:v.name,type:v.type,size:v.size,url:V,key:E,upload:{sent:0,problem:""}}]),u(E)}},detach:h=>{let{key:y="",url:k=""}=e[h]??{};a.current.get(y)?.running?.abort(),a.current.delete(y),k.startsWith("blob:")&&URL.revokeObjectURL(k),i(""),o(h)},retry:h=>{u(e[h]?.key??"")}}}var rl=matchMedia("(pointer: coarse)"),mo="chat-message";function Zs({draft:e,attachments:t,onAttach:n,onDetach:o,onAttachmentChange:r,busy:s,blocked:i,waiting:a,since:u,hint:d,isAway:l,field:f,onWrite:p,onSend:m,onCancel:h,onJump:y}){let[k,C]=$(Gs),[w,v]=$(!1),E=_(null),V=_(null),{problem:G,attach:ne,...D}=Qs(t,{add:n,change:r,remove:o}),B=on(t),g=z=>{z.clipboardData?.files.length&&(z.preventDefault(),ne(z.clipboardData.files))},A=z=>{z.preventDefault(),v(!1),ne(z.dataTransfer?.files)},I=z=>{z.dataTransfer?.types.includes("Files")&&(z.preventDefault(),v(!0))},L=z=>{D.detach(z),f.current?.focus()},q=({currentTarget:z})=>{ne(z.files),z.value=""},ue=z=>{z.preventDefault(),m()},vn=z=>{Js(z,k)&&(z.preventDefault(),m())},$c=()=>{zs(!k),C(!k)};return c`
    <form class=${`chat-composer${w?" chat-drop":""}`} onSubmit=${ue} onDragOver=${I} onDragLeave=${()=>v(!1)} onDrop=${A}>
      ${l&&c`<div class="chat-jump"><button type="button" onClick=${y}><span aria-hidden="true">↓</span> Jump to latest</button></div>`}
      <${rn} attachments=${t} onRemove=${L} onRetry=${D.retry} />
      ${G&&c`<p class="problem-text" role="alert">✕ ${G}</p>`}
      <label>
        <span class="hidden">Message</span>
        <textarea
          ref=${f}
          id=${mo}
          rows="2"
          placeholder="Message"
          value=${e}
          onKeyDown=${vn}
          onPaste=${g}
          onInput=${z=>p(z.currentTarget.value)}
        ></textarea>
      </label>
      <div class="row">
        <${sl} field=${f} busy=${s} disabled=${i||B!==""||d!==""||e.trim()===""} keys=${k?"Enter":"mod+Enter"} onCancel=${h} />
        <button type="button" onClick=${()=>E.current?.click()}>Attach</button>
        <input
          ref=${E}
          type="file"
          class="hidden"
          tabindex="-1"
          multiple
          accept=${Bs}
          aria-label="Pictures and files"
          onChange=${q}
        />
        ${rl.matches&&c`<button type="button" onClick=${()=>V.current?.click()}>Take a photo</button>`}
        <input
          ref=${V}
          type="file"
          class="hidden"
          tabindex="-1"
          accept="image/*"
          capture="environment"
          aria-label="Photo"
          onChange=${q}
        />
        ${a&&c`<${Q} label=${a} since=${u} />`}
        ${d&&c`<span class="problem-text">✕ ${d}</span>`}
        ${B&&c`<small role="status">${B}</small>`}
        <label class="check chat-enter" title="Shift+Enter inserts a line break. If unchecked, Enter inserts it.">
          <input type="checkbox" checked=${k} onChange=${$c} />
          <small>Send with Enter</small>
        </label>
      </div>
    </form>
  `}function sl({field:e,busy:t,disabled:n,keys:o,onCancel:r}){let s=_(null),i=_(null),a=_(null);return X(()=>{let[u,d]=t?[s.current,i.current]:[i.current,e.current];u!==null&&a.current===u&&d?.focus({preventScroll:!0})},[t,e]),a.current=document.activeElement,c`
    <button ref=${s} type="submit" class="primary" disabled=${t||n}>
      Send <span aria-hidden="true">${he(o)}</span>
    </button>
    <button ref=${i} type="button" hidden=${!t} onClick=${r}>
      Stop <span aria-hidden="true">${he("Escape")}</span>
    </button>
  `}var il={good:"✓",warn:"!",bad:"✕",plain:"·"};function U({tone:e,sign:t=il[e],children:n}){return c`<span class="outcome" data-tone=${e}>
    <span aria-hidden="true">${t}</span> ${n}
  </span>`}function vt(){return c`<span class="tag demo" title="The demo model follows fixed rules and is no evidence about a real model">demo</span>`}var al={proven:{tone:"good",meaning:"the whole 95 % interval is at or above 80 %"},failing:{tone:"bad",meaning:"the whole 95 % interval is below 80 %"},undecided:{tone:"warn",meaning:"the 95 % interval contains 80 %: more tests are needed"},untested:{tone:"plain",meaning:"no tests"}};function h_({state:e,demo:t=!1}){let{tone:n,meaning:o}=al[e];return c`<span title=${o}><${U} tone=${t?"plain":n}>${e}<//></span>`}function sn({children:e}){return c`<span class="tag">${e}</span>`}function ce({at:e}){return c`<time datetime=${e} title=${Ye(e)}>${gt(e)}</time>`}function po(e){return`${us(e.rate)} (${Math.round(e.low*100)}–${Math.round(e.high*100)})`}function $_({rate:e}){let t={left:`${e.low*100}%`,width:`${Math.max(1,(e.high-e.low)*100)}%`};return c`<span class="rate" title=${`${e.successes} of ${e.tests} tests; 95 % interval`}>
    <span class="number">${po(e)}</span>
    <span class="interval" aria-hidden="true"><span style=${t}></span><i style=${{left:`${e.rate*100}%`}}></i></span>
  </span>`}function __({validation:e,demo:t}){let{badge:n,rate:o}=e;return t?c`<${vt} />${o&&c` <small class="number">${po(o)}</small>`}`:n?c`<span class="badge" title=${n.tooltip}>
    <span aria-hidden="true">${n.symbol}</span> ${n.text}${o&&c` <span class="number">${po(o)}</span>`}
  </span>`:c`<${U} tone="plain">no tools<//>`}var cl=2e4,ul=10;function kt(e){return typeof e=="string"?e:JSON.stringify(e,null,2)??""}function fe({value:e,label:t}){let[n,o]=$(1),r=H(()=>kt(e),[e]),s=r.slice(0,cl*n),i=r.length-s.length;return c`
    <div class="value">
      <pre tabindex="0" role="region" aria-label=${t}>${s}</pre>
      <div class="row">
        <${le} text=${r} label="Copy" />
        ${i>0&&c`<button type="button" class="quiet" onClick=${()=>o(n*ul)}>
            Show more (${me(i)} more characters)
          </button>`}
      </div>
    </div>
  `}var ll=500,ei={approved:{tone:"good",sign:"✓"},denied:{tone:"bad",sign:"✗"}};function an({approval:e,disabled:t=!1,onDecided:n}){let[o,r]=$(void 0),s=Z(),i=o?.id===e.id?o:e,a=({call_id:l,digest:f},p,m)=>{s.run(async()=>{let h=await x.decide(i.id,[{call_id:l,digest:f,approve:p,reason:m}]);r(h),n?.(h)})},{calls:u,status:d}=i;return c`
    <section class="approval" aria-label="Approval of tool calls">
      <p><strong>${d==="pending"?"These actions wait for your decision.":dl(i)}</strong></p>
      ${u.map(l=>c`<${fl} key=${l.call_id} call=${l} open=${d==="pending"} busy=${t||s.busy} onDecide=${a} />`)}
      ${s.busy&&c`<${Q} label="Saving the decision" since=${s.since} />`}
      ${s.error&&c`<${P} error=${s.error} />`}
    </section>
  `}function dl({status:e}){return e==="decided"?"Every action is decided; the chat goes on.":"The time for a decision is over. Send the message again."}function fl({call:e,open:t,busy:n,onDecide:o}){let r=oe(),[s,i]=$(""),{tool:a,decision:u,approvers:d=[]}=e;return c`
    <div class="approval-call" role="group" aria-label=${`Call of ${a}`}>
      <div class="row">
        <strong class="mono">${a}</strong>
        ${u&&c`<${U} tone=${ei[u].tone} sign=${ei[u].sign}>${u}<//>`}
        ${d.length>0&&c`<small>decided by the role ${d.join(" or ")}</small>`}
      </div>
      ${e.is_tainted&&c`<p><${U} tone="warn" sign="!">The conversation has read private data and untrusted content, which may be behind this call.<//></p>`}
      <${fe} value=${e.arguments} label=${`Arguments of ${a}`} />
      ${e.reason&&c`<p>Reason: ${e.reason}</p>`}
      ${t&&!u&&c`<div class="row">
          <button type="button" class="primary" aria-label=${`Approve ${a}`} disabled=${n} onClick=${()=>o(e,!0,"")}>Approve</button>
          <button type="button" aria-label=${`Deny ${a}`} disabled=${n} onClick=${()=>o(e,!1,s.trim())}>Deny</button>
          <label class="hidden" for=${r}>Reason of a denial, which the model receives</label>
          <input
            id=${r}
            type="text"
            maxlength=${ll}
            placeholder="Reason of a denial (optional)"
            value=${s}
            onInput=${l=>i(l.currentTarget.value)}
          />
        </div>`}
    </div>
  `}var St={answered:{title:"answered",tone:"good",sign:"✓",reason:""},cut_off:{title:"cut off",tone:"warn",sign:"✂",reason:"The model's token limit cut off the answer."},filtered:{title:"filtered",tone:"bad",sign:"⊘",reason:"The provider's filter stopped the answer."},blocked:{title:"blocked",tone:"bad",sign:"⊘",reason:"A guardrail does not allow the message or the answer."},refused:{title:"refused",tone:"bad",sign:"⊘",reason:"The model refused to answer."},empty:{title:"empty",tone:"warn",sign:"∅",reason:"The model returned no text; a placeholder is shown."},iteration_limit:{title:"iteration limit",tone:"warn",sign:"!",reason:"The limit on iterations was reached before the model answered."},repeated_calls:{title:"repeated calls",tone:"warn",sign:"!",reason:"The model repeated the same call and was stopped."},tool_call_limit:{title:"tool call limit",tone:"warn",sign:"!",reason:"The limit on tool calls was reached before the model answered."},client_calls:{title:"waits for the client",tone:"warn",sign:"…",reason:"The model waits for the results of the client's tools."},waiting:{title:"waits for an approval",tone:"warn",sign:"…",reason:"Tool calls wait for the approval of a person."},out_of_time:{title:"out of time",tone:"warn",sign:"!",reason:"The deadline was reached before the answer was complete."},budget_reached:{title:"budget used up",tone:"warn",sign:"!",reason:"A limit of tokens or money was reached before the answer was complete."},model_failed:{title:"model failed",tone:"bad",sign:"✕",reason:"The model failed before the answer was complete."},stopped:{title:"stopped",tone:"warn",sign:"■",reason:"The answer was stopped before it was complete. The model knows this part in the next answer."},unknown:{title:"unknown outcome",tone:"warn",sign:"?",reason:"The provider returned an unknown finish reason."}};function Ue({outcome:e,status:t,error:n}){return e?St[e]??St.unknown:t!=="partial"?St.answered:n?St.model_failed:St.out_of_time}var Be={edit:0,regenerate:0,after:0};function un({edit:e,regenerate:t}){return e||t}var ni={background:!1,explain:!1,seconds:"",intent:"",service:"",collections:[]},ti={background:900,waiting:28};function cn({background:e}){return e?ti.background:ti.waiting}function ln(e){if(e.seconds.trim()==="")return"";let t=Number(e.seconds);return t>=1&&t<=cn(e)?"":`Enter a deadline from 1 to ${cn(e)} seconds${e.background?"":", or up to 900 in the background"}.`}function dn(e,t,n,{attachments:o=[],place:r=Be,choice:s}={}){let i=Object.fromEntries(Object.entries({intent:n.intent.trim(),service:n.service.trim()}).filter(([,a])=>a));return{...r.regenerate===0&&{message:e},session_id:t,...ml(r),...s?.rule&&{rule:s.rule},...s?.model&&{model:s.model},...Ws(o),...n.collections.length>0&&{selected_collections:[...n.collections]},...Object.keys(i).length>0&&{profile:i},...ri(n)}}function ml({edit:e,regenerate:t,after:n}){return{...e>0&&{edit_turn:e},...t>0&&{regenerate_turn:t},...n>0&&{parent_turn:n}}}function oi(e,t,n){return{resume_token:e,session_id:t,...ri(n)}}function ri(e){let t=e.seconds.trim();return{...t!==""&&{deadline_ms:Math.round(Number(t)*1e3)},...e.explain&&{explain:!0}}}function si(e){return[e.background,e.explain,e.seconds.trim(),e.intent.trim(),e.service.trim()].filter(Boolean).length}var pl={input_tokens:0,output_tokens:0,total_tokens:0,cached_tokens:0,reasoning_tokens:0,cache_write_tokens:0},Fe={question:"",attachments:[],background:!1,replaces:"",token:"",place:Be,follows:"",shown:{question:"",attachments:[]}},ho={draft:"",attachments:[],sent:void 0,waiting:!1,usedTokens:[],received:[],editing:void 0};function $o(e,t,n){let{sent:o}=e,r=o?.session===t&&e.waiting?o:void 0,s=e.received.find(f=>f.answer.request_id===r?.replaces),i=e.received.filter(f=>f!==s&&f.answer.request_id!==n.request_id),{question:a,attachments:u}=s??Tt(r),d=r?un(r.place):0;return{...e,waiting:r?!1:e.waiting,usedTokens:r?.token?[...e.usedTokens,r.token]:e.usedTokens,received:[...i,{session:t,question:a,attachments:u,at:new Date().toISOString(),replaces:r?.replaces??"",place:d,stopped:!1,answer:n}]}}function Tt(e){return e===void 0?Fe.shown:e.place.regenerate>0?e.shown:{question:e.question,attachments:e.attachments}}function ii(e,t){let{sent:n}=e;if(!n||!e.waiting)return e;let[o="",...r]=t.model.split(":"),s={content:t.text,service:o,model:r.join(":"),tool_calls:[],warnings:[],status:"partial",outcome:"stopped",finish_reason:"unknown",request_id:t.request,usage:pl,timings:{total_ms:0,steps:[]}},i=$o(e,n.session,s);return{...i,received:i.received.map(a=>a.answer===s?{...a,stopped:!0}:a)}}function Qe(e){if(!e.waiting)return e;let t=e.sent?.place.edit??0;if(t>0)return{...e,waiting:!1,editing:{turn:t,text:e.sent?.question??""}};let n=[e.sent?.question,e.draft].filter(Boolean).join(`

`);return{...e,waiting:!1,draft:n,attachments:[...e.sent?.attachments??[],...e.attachments]}}function ai(e,t,n){let o=e.attachments.map(r=>r.key===t?{...r,...n}:r);return{...e,attachments:o}}function ci(e,t){return t?{...e,usedTokens:[...e.usedTokens,t]}:e}var hl=/[?&]from_turn=(\d+)[^>]*>; rel="next"/;async function ui(e,t,n,o){let r=[],s=1,i=!1;for(;!i;){let a=await x.exportSession(e,t,s,n,o);r.push(await a.text());let u=hl.exec(a.headers.get("link")??"");i=u===null,s=Number(u?.[1])}return t==="markdown"?new Blob([r.join(`
`)],{type:"text/markdown"}):new Blob([$l(r)],{type:"application/json"})}function $l(e){if(e.length===1)return e.join("");let t=e.map(n=>JSON.parse(n));return JSON.stringify({...t[0],next_turn:void 0,messages:t.flatMap(n=>n.messages)})}var _l=7;function li({session:e,branch:t,open:n,onClose:o}){return c`<${Ve} title="Share conversation" open=${n} onClose=${o}>
    <${gl} session=${e} branch=${t} />
  <//>`}function gl({session:e,branch:t}){let n=ie(l=>x.shares(e.id,l),[e.id]),[o,r]=$(void 0),{data:s,error:i}=n;if(!s)return i?c`<${P} error=${i} onRetry=${n.reload} />`:c`<${ae} lines=${4} label="the links" />`;let{shares:a,settings:u}=s,d=l=>{r(l),n.reload()};return c`
    <div class="stack">
      ${u.may_share?c`
              <p>A link shows this conversation as it is now, read-only, to people who have a token of this service: they sign in before it opens. Later messages are not part of it.</p>
              <${bl} session=${e.id} branch=${t} maxDays=${u.max_days} onCreated=${d} />
            `:c`<p class="notice">! ${u.enabled?"This token may not share conversations. An operator can, or can allow it in sessions.sharing.roles.":"Sharing is off. An operator can set sessions.sharing.enabled in the configuration."}</p>`}
      ${o&&c`<${yl} share=${o} />`}
      <h3>Links</h3>
      ${a.length===0&&c`<small>No links to this conversation.</small>`}
      <ul class="share-list">
        ${a.map(l=>c`<${wl} key=${l.id} session=${e.id} share=${l} onRevoked=${n.reload} />`)}
      </ul>
    </div>
  `}function bl({session:e,branch:t,maxDays:n,onCreated:o}){let r=Z();return c`
    <form class="stack" onSubmit=${i=>{i.preventDefault();let a=new FormData(i.currentTarget);r.run(async()=>{o(await x.createShare(e,{expires_in_days:Number(a.get("days")),role:a.get("role")==="operator"?"operator":"user",tool_calls:a.has("tool_calls"),attachments:a.has("attachments"),...t===void 0?{}:{branch:t}}))})}}>
      <label class="field">Valid for days, at most ${n}
        <input name="days" type="number" min="1" max=${n} step="1" required defaultValue=${Math.min(_l,n)} />
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
      ${r.error&&c`<${P} error=${r.error} />`}
    </form>
  `}function yl({share:e}){let t=new URL(e.path,W).href;return c`
    <div class="notice share-link" role="status">
      <p>✓ Link created. Copy it now: it is not shown again.</p>
      <input readonly aria-label="Link" value=${t} onFocus=${n=>n.currentTarget.select()} />
      <div class="row"><${le} text=${t} label="Copy link" /></div>
    </div>
  `}function wl({session:e,share:t,onRevoked:n}){let o=Z(),r=()=>{o.run(async()=>{await x.revokeShare(e,t.id),n()})},s=[N(t.turns,"turn"),t.tool_calls?"tool calls":"",t.attachments?"names of files":"",t.role==="operator"?"operators only":"every token"];return c`
    <li>
      <span>${s.filter(Boolean).join(" · ")}<br />
        <small>created <${ce} at=${t.created_at} />, expires <${ce} at=${t.expires_at} /></small>
      </span>
      <button type="button" disabled=${o.busy} onClick=${r}>Revoke</button>
      ${o.error&&c`<${P} error=${o.error} />`}
    </li>
  `}function di({session:e,branch:t}){let[n,o]=$(!1),r=Z(),s=i=>{r.run(async a=>{vl(await ui(e.id,i,t,a),`${e.id}.${i==="json"?"json":"md"}`)})};return c`
    <div class="row" role="group" aria-label="Actions of this session">
      <button type="button" class="quiet" disabled=${r.busy} onClick=${()=>s("markdown")}>Export Markdown</button>
      <button type="button" class="quiet" disabled=${r.busy} onClick=${()=>s("json")}>Export JSON</button>
      <button type="button" class="quiet" onClick=${()=>o(!0)}>Share</button>
      ${r.busy&&c`<${Q} label="Exporting the session" since=${r.since} />`}
    </div>
    ${r.error&&c`<${P} error=${r.error} />`}
    <${li} session=${e} branch=${t} open=${n} onClose=${()=>o(!1)} />
  `}function vl(e,t){let n=URL.createObjectURL(e),o=document.createElement("a");o.href=n,o.download=t,o.click(),setTimeout(()=>URL.revokeObjectURL(n),1e3)}var kl=200;function fn(e){return e.title||"Untitled"}function fi({session:e,open:t,onOpen:n,onRename:o,onDelete:r}){let[s,i]=$(""),a=Z(),u=fn(e),d=()=>{i(""),a.clear()},l=m=>{a.run(async()=>{await m(),d()})},f=m=>l(()=>o(e.id,m)),p=()=>l(()=>r(e.id));return c`
    <li class="chat-session" data-open=${t}>
      ${s==="rename"?c`<${Tl} title=${u} busy=${a.busy} onCancel=${d} onRename=${f} />`:c`<${Sl} session=${e} open=${t} onOpen=${n} onMode=${i} />`}
      ${s==="delete"&&c`<${xl} title=${u} busy=${a.busy} onCancel=${d} onDelete=${p} />`}
      ${a.error&&c`<${P} error=${a.error} />`}
    </li>
  `}function Sl({session:e,open:t,onOpen:n,onMode:o}){let r=fn(e);return c`
    <div class="chat-session-row">
      <button type="button" class="quiet" aria-current=${t?"true":void 0} onClick=${()=>n(e.id)}>
        <span class="chat-title">${r}</span>
        <small><${ce} at=${e.updated_at} /> · ${N(e.turns,"turn")}</small>
      </button>
      <button type="button" class="quiet" aria-label=${`Rename ${r}`} onClick=${()=>o("rename")}>✎</button>
      <button type="button" class="quiet" aria-label=${`Delete ${r}`} onClick=${()=>o("delete")}>✕</button>
    </div>
  `}function Tl({title:e,busy:t,onCancel:n,onRename:o}){let r=_(null);return X(()=>r.current?.select(),[]),c`
    <form class="stack" onSubmit=${i=>{i.preventDefault();let a=r.current?.value.trim();a&&o(a)}} onKeyDown=${i=>mi(i,n)}>
      <label class="field">
        Title
        <input ref=${r} defaultValue=${e} maxlength=${kl} required />
      </label>
      <div class="row">
        <button type="submit" disabled=${t}>Rename</button>
        <button type="button" onClick=${n}>Cancel</button>
      </div>
    </form>
  `}function xl({title:e,busy:t,onCancel:n,onDelete:o}){let r=_(null);return X(()=>r.current?.focus(),[]),c`
    <div
      class="notice stack"
      role="group"
      aria-label=${`Delete ${e}`}
      onKeyDown=${s=>mi(s,n)}
    >
      <p>! Delete this session and all its messages? This cannot be undone.</p>
      <div class="row">
        <button type="button" disabled=${t} onClick=${o}>Delete</button>
        <button type="button" ref=${r} onClick=${n}>Cancel</button>
      </div>
    </div>
  `}function mi(e,t){e.key==="Escape"&&(e.preventDefault(),t())}var pi=/^ {0,3}(\$\$|\\\[)(?!\$)/;var El=[["$$","$$",!0],["$","$",!1],["\\(","\\)",!1],["\\[","\\]",!0]];function hi(e){return pi.test(e)}function $i(e,t,n){let o=pi.exec(e[t]??"")?.[1];if(o===void 0)return;let r=o==="$$"?"$$":"\\]",s=Math.min(e.length,t+200);for(let a=t;a<s;a+=1){let u=a===t?(e[t]??"").trim().slice(o.length):(e[a]??"").trim(),d=u.indexOf(r);if(d<0)continue;if(d<u.length-r.length||a===t&&d===0)return;let l=e.slice(t,a+1).join(`
`),f=l.trim().slice(o.length,-r.length).trim();return{block:{type:"math",source:l,text:f,closed:!0},end:a+1}}if(!n||s<e.length)return;let i=e.slice(t,s).join(`
`);return{block:{type:"math",source:i,text:i.trim(),closed:!1},end:s}}function _o(e,t,n){let o=El.find(([l])=>e.startsWith(l,t));if(!o||n.has(o[0]))return;let[r,s,i]=o,a=t+r.length;if(r==="$"&&(_i(e[t-1])||/[\s$]/.test(e[a]??" ")))return;let u=r==="$"?Cl(e,a):e.indexOf(s,a);u<0&&n.add(r);let d=e.slice(a,u).trim();if(!(u<0||d===""))return{node:{type:"math",text:d,source:e.slice(t,u+s.length),display:i},end:u+s.length}}function Cl(e,t){for(let n=e.indexOf("$",t+1);n>=0;n=e.indexOf("$",n+1)){let o=e[n+1];if(!/[\\\s$]/.test(e[n-1]??" ")&&o!=="$"&&!_i(o))return n}return-1}function _i(e){return e!==void 0&&/[\p{L}\p{N}]/u.test(e)}var go=8,Al=50,gi=/^ {0,3}(`{3,}|~{3,})([^`]*)$/,bi=/^ {0,3}(#{1,6})(?:[ \t](.*))?$/s,yi=/^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/,mn=/^ {0,3}> ?/,Ct=/^( {0,3})([-*+]|\d{1,9}[.)])(?:[ \t]+|$)/,Rl=/^\[([ xX])\](?:[ \t]+|$)/,Il=/^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/,Ol=/^[ \t|:-]*$/;function pn(e,{open:t=!1}={}){return bo(e.split(/\r\n|\r|\n/),t,0)}function bo(e,t,n){let o=[];for(let r=0;r<e.length;){if(Ze(e[r])){r+=1;continue}let{block:s,end:i}=Ll(e,r,t,n);o.push(s),r=i}return o}function Ze(e){return e===void 0||e.trim()===""}function Ll(e,t,n,o){let r=e[t]??"",s=gi.exec(r);if(s)return Dl(e,t,s[1]??"",s[2]??"");let i=bi.exec(r);if(i){let a=(i[2]??"").trim().replace(/(^|\s)#+$/,"");return{block:{type:"heading",source:r,level:i[1]?.length??1,text:a},end:t+1}}return yi.test(r)?{block:{type:"rule",source:r},end:t+1}:$i(e,t,n)??Ml(e,t,n,o)}function Ml(e,t,n,o){let r=e[t]??"";return o<go&&mn.test(r)?Pl(e,t,n,o):o<go&&Ct.test(r)?ql(e,t,n,o):vi(e,t,n)?Hl(e,t):Wl(e,t,o)}function Dl(e,t,n,o){let r=o.trim().split(/\s/,1)[0]??"",s=t+1;for(;s<e.length&&!Nl(e[s]??"",n);)s+=1;let i=e.slice(t+1,s).join(`
`);return{block:{type:"code",source:At(e,t,s+1),language:r,text:i},end:s+1}}function Nl(e,t){let n=e.trim();return n.length>=t.length&&n.replaceAll(t[0]??"","")===""}function Pl(e,t,n,o){let r=t;for(;r<e.length&&mn.test(e[r]??"");)r+=1;let s=e.slice(t,r).map(a=>a.replace(mn,"")),i=bo(s,n&&r===e.length,o+1);return{block:{type:"quote",source:At(e,t,r),blocks:i},end:r}}function ql(e,t,n,o){let r=Ct.exec(e[t]??"")?.[2]??"-",s=[],i=0,a=t;for(;a<e.length;a+=1){let p=e[a]??"",m=Ct.exec(p);if(m&&xt(p)<Math.max(i,2)&&wi(m[2]??"",r))i=Math.min(m[0].length,xt(p)+(m[2]?.length??1)+4),s.push([p.slice(m[0].length)]);else if(Bl(e,a,{indent:i,marker:r,depth:o}))s.at(-1)?.push(p.slice(Math.min(xt(p),i)));else break}let u=/^\d/.test(r)?Number.parseInt(r,10):void 0,d=Ul(s),l=p=>n&&a===e.length&&p===s.length-1,f=s.map((p,m)=>bo(p,l(m),o+1));return{block:{type:"list",source:At(e,t,a),start:u,items:f,...d},end:a}}function Ul(e){let t=e.map(n=>{let[o=""]=n,r=Rl.exec(o);return r&&n.splice(0,1,o.slice(r[0].length)),r?r[1]!==" ":void 0});return t.some(n=>n!==void 0)?{checks:t}:{}}function Bl(e,t,{indent:n,marker:o,depth:r}){let s=e[t]??"";return Ze(s)?Fl(e,t+1,n,o):xt(s)>=Math.min(n,2)?!0:!Ze(e[t-1])&&!ki(s,r)}function Fl(e,t,n,o){let r=e.slice(t,t+2).find(i=>!Ze(i));if(r===void 0)return!1;let s=Ct.exec(r);return xt(r)>=Math.min(n,2)||s!==null&&wi(s[2]??"",o)}function wi(e,t){return e.at(-1)===t.at(-1)}function xt(e){return e.length-e.trimStart().length}function vi(e,t,n){let o=e[t]??"",r=e[t+1];return o.includes("|")?r!==void 0&&r.includes("-")&&Il.test(r)?Et(r).length===Et(o).length:n&&t+2>=e.length&&o.trimStart().startsWith("|")&&(r===void 0||Ol.test(r)):!1}function Hl(e,t){let n=Math.min(t+2,e.length);for(;n<e.length&&!Ze(e[n])&&(e[n]??"").includes("|");)n+=1;let o=Et(e[t]??""),r=Et(e[t+1]??"").map(Kl),s=e.slice(t+2,n).map(i=>{let a=Et(i);return o.map((u,d)=>a[d]??"")});return{block:{type:"table",source:At(e,t,n),aligns:r,head:o,rows:s},end:n}}function Et(e){return e.trim().replace(/^\|/,"").replace(/\|$/,"").replaceAll("\\|","\0").split("|",Al).map(n=>n.replaceAll("\0","|").trim())}function Kl(e){return e.endsWith(":")?e.startsWith(":")?"center":"right":e.startsWith(":")?"left":""}function Wl(e,t,n){let o=t+1;for(;o<e.length&&!Ze(e[o])&&!ki(e[o]??"",n)&&!vi(e,o,!1);)o+=1;let r=At(e,t,o);return{block:{type:"paragraph",source:r,text:r.trim()},end:o}}function ki(e,t){if(gi.test(e)||bi.test(e)||yi.test(e)||hi(e))return!0;if(t>=go)return!1;let n=Ct.exec(e);return mn.test(e)||n!==null&&n[0].length<e.length&&/^(?:[-*+]|1[.)])$/.test(n[2]??"")}function At(e,t,n){return e.slice(t,n).join(`
`)}var jl=2e4,vo=6,Si=1e3,Ti=/[\\`*_~[$]|!\[|https?:\/\//g,Vl=/!\[([^[\]\n]{0,1000})\]\((data:image\/(?:png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+={0,2})\)/g,xi=/https?:\/\/[^\s<>"`|[\]]{1,2000}/y,yo=/\((?=(\s*))\1<?([^\s<>()]*(?:\([^\s<>()]*\)[^\s<>()]*)*)>?(?:\s+"[^"\n]*")?\s*\)/y,Gl=/^\[([^[\]\n]*)(?:\](?:\([^)\s]*)?)?$/,zl=/[!-/:-@[-`{-~]/,Jl=new Set(["http:","https:","mailto:"]),Yl=[["**","strong"],["__","strong"],["~~","del"],["*","em"],["_","em"]];function Ei(e,{open:t=!1}={}){if(!e.includes("](data:image/"))return wo(e,t);let n=[],o=0;for(let r of e.matchAll(Vl))n.push(...wo(e.slice(o,r.index),!1)),n.push({type:"picture",alt:r[1]??"",address:r[2]??""}),o=r.index+r[0].length;return[...n,...wo(e.slice(o),t)]}function wo(e,t){return e===""?[]:e.length>jl?[e]:hn(e,t,0)}function hn(e,t,n){let o=[],r=new Set,s=Ai(e,0),i="",a=0,u=(d,l)=>{i!==""&&o.push(i),i="",o.push(d),a=l};for(;a<e.length;){Ti.lastIndex=a;let d=Ti.exec(e),l=d?.index??e.length;if(i+=e.slice(a,l),a=l,!d)break;let f=Xl(e,a,{open:t,depth:n,unclosed:r,target:s});typeof f.node=="string"?(i+=f.node,a=f.end):u(f.node,f.end)}return i!==""&&o.push(i),o}function Xl(e,t,n){let o=e[t]??"",r={node:o,end:t+1};switch(o){case"\\":return _o(e,t,n.unclosed)??Ql(e,t);case"$":return _o(e,t,n.unclosed)??{node:be(e,t,"$"),end:t+be(e,t,"$").length};case"!":return rd(e,t,n)??r;case"`":return Zl(e,t,n)??{node:be(e,t,"`"),end:t+be(e,t,"`").length};case"[":return Ci(e,t,n)??r;case"h":return id(e,t)??r;default:return td(e,t,n)??{node:be(e,t,o),end:t+be(e,t,o).length}}}function Ql(e,t){let n=e[t+1]??"";return zl.test(n)?{node:n,end:t+2}:{node:n===`
`?"":"\\",end:t+1}}function be(e,t,n){let o=t;for(;e[o]===n;)o+=1;return e.slice(t,o)}function Zl(e,t,{open:n,unclosed:o}){let r=be(e,t,"`"),s=t+r.length,i=o.has(r)?-1:ed(e,s,r);if(i<0&&o.add(r),i<0&&!(n&&s<e.length))return;let a=e.slice(s,i<0?e.length:i).replaceAll(`
`," ");return{node:{type:"code",text:a.startsWith(" ")&&a.endsWith(" ")&&a.trim()!==""?a.slice(1,-1):a},end:i<0?e.length:i+r.length}}function ed(e,t,n){for(let o=e.indexOf(n,t);o>=0;o=e.indexOf(n,o)){let r=be(e,o,"`");if(r.length===n.length)return o;o+=r.length}return-1}function td(e,t,{open:n,depth:o,unclosed:r}){if(!(o>=vo))for(let[s,i]of Yl){if(!e.startsWith(s,t)||!nd(e,t,s))continue;let a=t+s.length,u=r.has(s)?-1:od(e,a,s);if(u>0){let d=hn(e.slice(a,u),!1,o+1);return{node:{type:i,children:d},end:u+s.length}}if(r.add(s),n&&s.length===2)return{node:{type:i,children:hn(e.slice(a),!0,o+1)},end:e.length}}}function nd(e,t,n){let o=e[t+n.length]??" ";return!/\s/.test(o)&&o!==n&&!(n[0]==="_"&&ko(e[t-1]))}function od(e,t,n){for(let o=e.indexOf(n,t+1);o>=0;o=e.indexOf(n,o+1))if(!(e[o-1]==="\\"||/\s/.test(e[o-1]??" "))&&!(n[0]==="_"&&ko(e[o+n.length]))){if(n.length===2)return o+(e[o+2]===n[0]&&e[o+3]!==n[0]?1:0);if(e[o+1]!==n)return o;o+=be(e,o,n).length-1}return-1}function ko(e){return e!==void 0&&/[\p{L}\p{N}]/u.test(e)}function Ci(e,t,{open:n,depth:o,target:r}){if(o>=vo)return;r.close<t&&r.close>=0&&Object.assign(r,Ai(e,t));let{close:s,href:i,end:a}=r;if(i&&s-t<Si)return{node:{type:"link",href:i,children:hn(e.slice(t+1,s),!1,vo-1)},end:a};let u=n&&e.length-t<=Si?Gl.exec(e.slice(t)):null;return u?.[1]?{node:u[1],end:e.length}:void 0}function rd(e,t,n){let o=Ci(e,t+1,n);if(!o||typeof o.node=="string"||o.node.type!=="link")return;let{href:r,children:s}=o.node,i=s.map(a=>typeof a=="string"?a:"").join("");return{node:{type:"link",href:r,children:[`Picture: ${i||"without a description"} (${sd(r)})`]},end:o.end}}function sd(e){let{host:t,pathname:n}=new URL(e);return t||n}function Ai(e,t){let n=e.indexOf("](",t);yo.lastIndex=n+1;let o=n<0?null:yo.exec(e);return{close:n,href:Ri(o?.[2]??""),end:yo.lastIndex}}function id(e,t){if(ko(e[t-1]))return;xi.lastIndex=t;let n=xi.exec(e)?.[0];if(n===void 0)return;let o=ad(n),r=Ri(o);return r?{node:{type:"link",href:r,children:[o]},end:t+o.length}:void 0}function ad(e){let t=0,n=0;for(;n<e.length&&t>=0;n+=1)e[n]==="("?t+=1:e[n]===")"&&(t-=1);for(t<0&&(n-=1);n>0&&".,;:!?'*_~}\\".includes(e[n-1]??"");)n-=1;return e.slice(0,n)}function Ri(e){try{let{protocol:t,href:n}=new URL(e);return Jl.has(t)?n:""}catch{return""}}var cd=5e4,ud=new Set(["","text","txt","plain","plaintext","none","output"]);function Ii({language:e,text:t,open:n}){return c`
    <div class="md-code">
      <div class="md-code-head">
        <small>${e||"text"}</small>
        <${le} text=${t} label="Copy code" />
      </div>
      <pre tabindex="0" role="region" aria-label=${`Code ${e}`.trim()}><code><${ld} language=${e} text=${t} open=${n} /></code></pre>
    </div>
  `}function ld({language:e,text:t,open:n}){let o=!n&&!ud.has(e.toLowerCase())&&t.length<=cd,{module:r}=Ge("highlight",o),s=H(()=>o?r?.highlight(t,e):void 0,[o,r,t,e]);return s===void 0?t:s.map(([i,a],u)=>a?c`<span key=${u} class=${a}>${i}</span>`:i)}var Oi=5e3,dd={element:void 0,problem:""};function So({tex:e,source:t,display:n,open:o=!1}){let r=e.length>Oi,s=!o&&!r&&e.trim()!=="",{module:i,failed:a}=Ge("math",s),u=_(null),{element:d,problem:l}=H(()=>s&&i?fd(i,e,n):dd,[s,i,e,n]);X(()=>{d&&u.current?.replaceChildren(d)},[d]);let f=md({problem:l,failed:a,isTooLong:r}),p=d?c`<span key="formula" ref=${u} class="md-formula"></span>`:c`<code key="source" class="md-tex" title=${f||void 0}>${t}</code>`;return n?c`<span class="md-display" tabindex="0" role="group" aria-label="Formula">${p}</span>`:p}function fd(e,t,n){try{return{element:e.formula(t,n),problem:""}}catch(o){return{element:void 0,problem:o instanceof Error?o.message:String(o)}}}function md({problem:e,failed:t,isTooLong:n}){return n?`Formulas of more than ${Oi} characters are shown as text`:e!==""?`Not shown as a formula: ${e}`:t?"Formulas could not be loaded. Reload the page.":""}var pd=2;function $n({text:e}){let t=H(()=>pn(e),[e]);return c`<${Eo} blocks=${t} />`}function Eo({blocks:e,open:t=!1}){return c`<div class="md">
    ${e.map((n,o)=>c`<${hd} key=${o} block=${n} open=${t&&o===e.length-1} />`)}
  </div>`}function hd({block:e,open:t}){let n=`${t} ${e.type} ${e.source}`;return H(()=>Li(e,t),[n])}function Li(e,t){switch(e.type){case"heading":return c`<${`h${Math.min(6,pd+e.level)}`}>${Rt(e.text,t)}<//>`;case"code":return c`<${Ii} language=${e.language} text=${e.text} open=${t} />`;case"math":return c`<${So} tex=${e.text} source=${e.source.trim()} display open=${!e.closed} />`;case"rule":return c`<hr />`;case"quote":return c`<blockquote>${To(e.blocks,t)}</blockquote>`;case"list":return $d(e,t);case"table":return bd(e,t);default:return c`<p>${Rt(e.text,t)}</p>`}}function To(e,t){return e.map((n,o)=>Li(n,t&&o===e.length-1))}function $d({start:e,items:t,checks:n=[]},o){let r=t.map((s,i)=>{let a=gd(s,o&&i===t.length-1);return n[i]===void 0?c`<li>${a}</li>`:c`<li class="md-task">${_d(n[i])}${a}</li>`});return e===void 0?c`<ul>${r}</ul>`:c`<ol start=${e}>${r}</ol>`}function _d(e){return c`<input type="checkbox" disabled checked=${e} aria-label=${e?"Done":"To do"} />`}function gd(e,t){let[n,...o]=e;return n?.type!=="paragraph"?To(e,t):c`<span>${Rt(n.text,t&&o.length===0)}</span>${To(o,t)}`}function bd({aligns:e,head:t,rows:n},o){return c`
    <div class="md-table" tabindex="0" role="region" aria-label="Table">
      <table>
        <thead>
          <tr>${t.map((r,s)=>c`<th scope="col" data-align=${e[s]}>${Rt(r,!1)}</th>`)}</tr>
        </thead>
        <tbody>
          ${n.map((r,s)=>c`<tr>
              ${r.map((i,a)=>c`<td data-align=${e[a]}>${Rt(i,o&&s===n.length-1)}</td>`)}
            </tr>`)}
        </tbody>
      </table>
    </div>
  `}function Rt(e,t){return Ei(e,{open:t}).map(xo)}function xo(e){if(typeof e=="string")return e;switch(e.type){case"code":return c`<code>${e.text}</code>`;case"math":return c`<${So} tex=${e.text} source=${e.source} display=${e.display} />`;case"picture":return c`<img class="md-picture" src=${e.address} alt=${e.alt||"Picture without a description"} />`;case"link":return c`<a href=${e.href} title=${e.href} target="_blank" rel="noopener noreferrer nofollow">
        ${e.children.map(xo)}
      </a>`;default:return c`<${e.type}>${e.children.map(xo)}<//>`}}var yd=2e3,Mi=[{rating:"up",sign:"👍",title:"Helpful"},{rating:"down",sign:"👎",title:"Not helpful"}];function Og({rating:e}){let{sign:t,title:n}=Mi.find(o=>o.rating===e)??{sign:"?",title:e};return c`<${U} tone=${e==="up"?"good":"bad"} sign=${t}>${n.toLowerCase()}<//>`}function Di({id:e,given:t,onSaved:n}){let o=Z(),[r,s]=$(void 0),[i,a]=$(!1),u=r??t,d=f=>o.run(async()=>{await Pe.rate(e,f),s(f),n?.(f.rating)}),l=f=>{a(!0),u?.rating!==f&&d({rating:f,comment:u?.comment??""})};return c`
    <div class="feedback">
      <div class="row" role="group" aria-label="Rate the answer">
        ${Mi.map(({rating:f,sign:p,title:m})=>c`
            <button
              type="button"
              class="quiet"
              aria-pressed=${u?.rating===f}
              disabled=${o.busy}
              onClick=${()=>l(f)}
            ><span aria-hidden="true">${p}</span> ${m}</button>
          `)}
        <span role="status">${r&&!o.busy&&!o.error&&"saved ✓"}</span>
        ${o.busy&&c`<${Q} label="Saving the rating" since=${o.since} />`}
      </div>
      ${u&&(i||t?.comment)&&c`<${wd} saved=${u.comment} busy=${o.busy} onSave=${f=>d({rating:u.rating,comment:f})} />`}
      ${o.error&&c`<${P} error=${o.error} />`}
    </div>
  `}function wd({saved:e,busy:t,onSave:n}){let o=oe(),[r,s]=$(e),i=t||r.trim()===e;return c`<form class="row" onSubmit=${u=>{u.preventDefault(),i||n(r.trim())}}>
    <label class="hidden" for=${o}>Comment</label>
    <input
      id=${o}
      type="text"
      maxlength=${yd}
      placeholder="Comment (optional)"
      value=${r}
      onInput=${u=>s(u.currentTarget.value)}
    />
    <button type="submit" disabled=${i}>Save comment</button>
  </form>`}function Ni({text:e,busy:t,onSend:n,onCancel:o}){let r=_(null),[s,i]=$(e);X(()=>{let{current:l}=r;l?.focus(),l?.setSelectionRange(l.value.length,l.value.length)},[]);let a=t||s.trim()==="",u=l=>{l.preventDefault(),a||n(s.trim())};return c`
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
          Send <span aria-hidden="true">${he("mod+Enter")}</span>
        </button>
        <button type="button" onClick=${o}>Cancel <span aria-hidden="true">${he("Escape")}</span></button>
        <small>The earlier version stays: switch between them under the message.</small>
      </div>
    </form>
  `}function Co(e){return`chat-versions-${e}`}function Ao(e,t){return`Version ${t.indexOf(e)+1} of ${t.length}`}function Pi({turn:e,siblings:t,disabled:n,onSwitch:o}){let r=t.indexOf(e);if(t.length<2||r<0)return null;let[s,i]=[t[r-1],t[r+1]],a=u=>{let d={ArrowLeft:s,ArrowRight:i}[u.key];d===void 0||n||(u.preventDefault(),o(d))};return c`
    <div
      class="chat-versions"
      id=${Co(e)}
      role="group"
      aria-label=${Ao(e,t)}
      onKeyDown=${a}
    >
      <button type="button" class="quiet" aria-label="Previous version" disabled=${n||s===void 0} onClick=${()=>s!==void 0&&o(s)}>‹</button>
      <span class="number" aria-hidden="true">${r+1} / ${t.length}</span>
      <button type="button" class="quiet" aria-label="Next version" disabled=${n||i===void 0} onClick=${()=>i!==void 0&&o(i)}>›</button>
    </div>
  `}function qi({turn:e,actions:t}){return c`<button type="button" class="quiet" disabled=${t.busy} onClick=${()=>t.regenerate(e)}>Regenerate</button>`}function Ui({turn:{number:e,question:t="",siblings:n},actions:o}){return e===void 0?c`<div class="row"><${le} text=${t} label="Copy message" /></div>`:c`
    <div class="row chat-actions">
      <button type="button" class="quiet" id=${Ro(e)} disabled=${o.busy} onClick=${()=>o.edit(e,t)}>Edit</button>
      <${le} text=${t} label="Copy message" />
      <${Pi} turn=${e} siblings=${n} disabled=${o.busy} onSwitch=${o.show} />
    </div>
  `}function Ro(e){return`chat-edit-${e}`}function Bi({actions:e,editing:{turn:t,text:n}}){let o=r=>e.sendEdit(t,r);return c`<${Ni} text=${n} busy=${e.busy} onSend=${o} onCancel=${()=>e.endEdit(t)} />`}var vd=new Set(["tool_not_found","tool_not_allowed","tool_disabled","blocked_by_policy","invalid_arguments","malformed_arguments","approval_required","approval_denied","repeated_call","too_many_calls","rate_limited","circuit_open","previous_call_unfinished","deadline"]),kd={stop:{tone:"good",label:"answered",reason:""},tool_calls:{tone:"good",label:"called tools",reason:""},length:{tone:"warn",label:"cut off",reason:"The model's token limit cut off the answer."},content_filter:{tone:"warn",label:"filtered",reason:"The provider's filter stopped the answer."},refusal:{tone:"warn",label:"refused",reason:"The model refused to answer."},unknown:{tone:"warn",label:"unknown outcome",reason:"The provider returned an unknown finish reason."}},Sd={allowed:{tone:"good",label:"allowed",reason:""},masked:{tone:"warn",label:"masked",reason:"The guardrail replaced parts of the text."},blocked:{tone:"bad",label:"blocked",reason:"The guardrail does not allow the text."},failed:{tone:"bad",label:"failed",reason:"The guardrail did not check the text."}},Td={topic:"topic",search:"search",intent:"intent",model:"model",tool:"tool",guardrail:"guardrail"};function He(e,t){let n=[...t],o=e.steps.map((r,s)=>{let i=r.step==="tool"?n.findIndex(a=>xd(a,r)):-1;return Fi(s,r,i<0?void 0:n.splice(i,1)[0])});for(let[r,s]of n.entries()){let i=o.findLastIndex(a=>Ed(a)<=s.iteration);o.splice(i+1,0,Fi(e.steps.length+r,void 0,s))}return o}function xd(e,t){return e.call_id===t.call_id&&e.iteration===t.iteration}function Ed({step:e,call:t}){return e?.iteration??t?.iteration??0}function Fi(e,t,n){let o=t?.step??"tool",r=Ke(t?.name??n?.tool??"",128),s=o==="tool"||o==="search";return{index:e,step:t,call:n,name:s?r:`${Td[o]}${o==="model"?` ${t?.iteration}`:""}`,detail:s?"":r,nested:o==="tool",status:It(t,n)}}function It(e,t){if(t!==void 0)return Rd(t);if(e?.verdict)return Cd(e.verdict,e.policies??[]);if(e?.error)return{tone:"bad",label:"failed",reason:`The model failed: ${pe(e.error)}.`};let n=kd[e?.finish_reason??""];return n!==void 0?n:e?.ok?{tone:"good",label:"done",reason:""}:{tone:"bad",label:"failed",reason:"The step failed."}}function Cd(e,t){let n=Sd[e];return t.length===0?n:{...n,reason:Ke(`${n.reason} Policies: ${t.join(", ")}.`,240)}}function Ad({result:e}){return!("error"in e)||!vd.has(e.error_type)}function Rd(e){let{result:t}=e;return"error"in t?{tone:"bad",label:Ad(e)?"failed":"not run",reason:Ke(`${pe(t.error_type)}: ${t.error}`,240)}:{tone:"good",label:"done",reason:""}}function pe(e){return e.replaceAll("_"," ")}function Ke(e,t){return e.length>t?`${e.slice(0,t)}…`:e}function Hi(e){let t=Math.max(1,e.total_ms,...e.steps.map(o=>o.start_ms+o.duration_ms)),n=Id(t);return{length:t,step:n,ticks:Array.from({length:Math.floor(t/n)+1},(o,r)=>r*n)}}function Id(e){for(let t=1;;t*=10)for(let n of[1,2,5])if(e/(n*t)<6)return n*t}function Ki(e,t){return{left:e.start_ms/t*100,width:e.duration_ms/t*100}}function Wi(e,t){return e===0?"0":t>=100&&e>=1e3?`${e/1e3} s`:`${e} ms`}function Wg(e,t,n){return He(e,t).find(o=>o.index===n)}function ji({label:e,tabs:t,chosen:n,onChoose:o}){let r=oe(),[s,i]=$(t[0]?.name??""),a=n??s,u=Math.max(0,t.findIndex(f=>f.name===a)),d=f=>{i(f),o?.(f)};return c`
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
  `}var Od=128;function Io({step:e,call:t}){let n=It(e,t),o=Ke(e?.name??t?.tool??"",Od);return c`
    <section class="wf-details" aria-label=${`Details of ${o}`}>
      <div class="row">
        <h3 class="mono">${o}</h3>
        <${U} tone=${n.tone}>${n.label}<//>
      </div>
      <${ji} label=${`Details of ${o}`} tabs=${Ld(e,t)} />
    </section>
  `}function Ld(e,t){let n=`${e?.start_ms} ${e?.name} ${t?.iteration} ${t?.call_id}`,o={name:"Timing",content:()=>c`<${Dd} step=${e} call=${t} />`},r={name:"Raw",content:()=>c`<${fe} key=${n} value=${{...e&&{step:e},...t&&{call:t}}} label="Raw" />`},s=e?.reasoning;return t===void 0&&s?[{name:"Reasoning",content:()=>c`<${fe} key=${n} value=${s} label="Reasoning" />`},o,r]:t===void 0?[o,r]:[{name:"Arguments",content:()=>c`<${fe} key=${n} value=${t.params} label="Arguments" />`},{name:"Result",content:()=>c`<${Md} key=${n} result=${t.result} />`},o,r]}function Md({result:e}){return"error"in e?c`<div class="stack">
      <p>${pe(e.error_type)}</p>
      <${fe} value=${e.error} label="Error" />
      ${e.validation_errors&&c`<${fe} value=${e.validation_errors} label="Validation errors" />`}
    </div>`:c`<div class="stack">
    ${e.truncated&&c`<p class="notice">! The result was truncated.</p>`}
    <${fe} value=${e.result} label="Result" />
  </div>`}function Dd({step:e,call:t}){let n=[...Nd(e),...Pd(e,t)];return c`<dl class="wf-facts">
    ${n.map(([o,r])=>c`
        <dt>${o}</dt>
        <dd>${r}</dd>
      `)}
  </dl>`}function Nd(e){return e===void 0?[["Iteration","not started"]]:[["Iteration",e.iteration===0?"before iteration 1":String(e.iteration)],["Started after",j(e.start_ms)],["Duration",j(e.duration_ms)],["Ended after",j(e.start_ms+e.duration_ms)],...Ot("Model",e.demo&&"demo model"),...Ot("Tokens",e.total_tokens&&me(e.total_tokens)),...Ot("Finish reason",e.finish_reason),...Ot("Error",e.error&&pe(e.error))]}function Pd(e,t){return t===void 0?[]:[...e===void 0?Ot("In iteration",String(t.iteration)):[],["Execution time",j(t.result.execution_time_ms)],["Call",t.call_id]]}function Ot(e,t){return t?[[e,t]]:[]}function Vi({timings:e,calls:t,selected:n,onSelect:o,failures:r=new Map}){let s=He(e,t),i=Hi(e),a=i.ticks.filter(l=>l/i.length<.9),u=s.findIndex(l=>l.index===n),d=l=>{let f=s[qd(l.key,u,s.length)];f===void 0||l.ctrlKey||l.metaKey||l.altKey||(l.preventDefault(),o(f.index),l.currentTarget.children.item(s.indexOf(f))?.focus())};return c`
    <div class="wf" style=${{"--wf-tick":`${i.step/i.length*100}%`}}>
      <div class="wf-head" aria-hidden="true">
        <span>Step</span>
        <span class="wf-axis">
          ${a.map(l=>c`<span style=${{left:`${l/i.length*100}%`}}>${Wi(l,i.step)}</span>`)}
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
              class=${Ud(l,r.has(l.index))}
              aria-selected=${l.index===n}
              tabindex=${f===Math.max(0,u)?0:-1}
              onClick=${()=>o(l.index)}
            ><${Bd} row=${l} length=${i.length} reason=${r.get(l.index)??l.status.reason} /></div>
          `)}
      </div>
    </div>
  `}function qd(e,t,n){switch(e){case"ArrowDown":return t+1;case"ArrowUp":return t-1;case"Home":return 0;case"End":return n-1;case"Enter":case" ":return Math.max(0,t);default:return-1}}function sb(e){document.querySelector(`.wf [data-row="${e}"]`)?.focus()}function Ud({nested:e},t){return`wf-row${e?" wf-nested":""}${t?" wf-failed":""}`}function Bd({row:e,length:t,reason:n}){let{step:o,status:r}=e;return c`
    <span class="wf-name" title=${e.detail||e.name}>
      ${e.name}${e.detail&&c` <small>${e.detail}</small>`}${o?.demo&&c` <${vt} />`}
    </span>
    <span class="wf-track">${o&&c`<${Fd} row=${e} length=${t} step=${o} />`}</span>
    <span class="wf-time number">${o?j(o.duration_ms):"–"}</span>
    <span class="wf-tokens number">
      ${o?.total_tokens?c`${N(o.total_tokens,"token")}`:c`<span aria-hidden="true"></span>`}
    </span>
    <span><${U} tone=${r.tone}>${r.label}<//></span>
    ${n&&c`<span class="wf-reason">${n}</span>`}
  `}function Fd({row:e,step:t,length:n}){let{left:o,width:r}=Ki(t,n),s={left:`min(${o}%, 100% - var(--wf-least))`,width:`max(${r}%, var(--wf-least))`};return c`<span class="wf-bar" data-kind=${t.step} data-tone=${e.status.tone} style=${s}></span>`}var Hd=[500,1e3,2e3,4e3];function Gi(e){return ie(t=>Kd(e,t),[e])}async function Kd(e,t){for(let n of Hd){try{return await Pe.trace(e,t)}catch(o){if(!(o instanceof R)||o.status!==404||t.aborted)throw o}await new Promise(o=>{setTimeout(o,n)})}return Pe.trace(e,t)}var Wd=new Set(["topic","intent","model"]),jd=new Set(["user","assistant"]);function Ji({content:e}){return e??{}}function Oo({attributes:e},t){let n=e?.[t];return n==null?"":String(n)}function db({attributes:e}){let t=e?.failed_attempts;return Array.isArray(t)?t.filter(n=>typeof n=="object"&&n!==null):[]}function Yi({duration_ms:e,spans:t}){return{timings:{total_ms:e,steps:t.map(Vd)},calls:t.filter(n=>n.kind==="tool").map(Gd)}}function Vd(e){let t=e.usage?e.usage.input_tokens+e.usage.output_tokens:0,n=Oo(e,"finish_reason"),o=Oo(e,"verdict"),r=e.attributes?.policies;return{step:e.kind,name:e.name,iteration:e.iteration,start_ms:e.start_ms,duration_ms:e.duration_ms,ok:!e.error,...t>0&&{total_tokens:t},...n&&{finish_reason:n},...e.error&&Wd.has(e.kind)&&{error:e.error},...e.kind==="tool"&&{call_id:e.id},...o&&{verdict:o},...Array.isArray(r)&&{policies:r}}}function Gd(e){let t=e.duration_ms,{arguments:n,result:o}=Ji(e),r=e.error?{success:!1,error_type:e.error,error:e.message??Xi(o),execution_time_ms:t}:{success:!0,result:o,execution_time_ms:t,truncated:Oo(e,"truncated")==="true"};return{tool:e.name,params:n??{},result:r,iteration:e.iteration,call_id:e.id}}function Xi(e){return e==null?"":typeof e=="string"?e:JSON.stringify(e)}function zd({messages:e},t){let n=Ji(t).messages;if(Array.isArray(n))return n.flatMap(o=>typeof o=="number"&&o in e?[e[o]]:[])}function fb(e){let t=e.spans.find(s=>s.kind==="model"),o=((t&&zd(e,t))??[]).map(s=>({role:Jd(s),content:Yd(s)})),r=o.findLastIndex(({role:s})=>s==="user");return o.slice(0,Math.max(0,r)).filter(({role:s,content:i})=>jd.has(s)&&i.trim()!=="")}function Jd(e){let{role:t}=Lo(e);return typeof t=="string"?t:"message"}function Qi(e){let{parts:t,content:n}=Lo(e);return Array.isArray(t)?t.map(zi):n===void 0?[{kind:"other",value:e}]:[zi(n)]}function zi(e){if(typeof e=="string")return{kind:"text",text:e};let t=Lo(e),n=String(t.name??"");if("call_id"in t)return{kind:"result",name:n,text:Xi(t.content),failed:t.is_error===!0};if("arguments"in t)return{kind:"call",name:n,arguments:t.arguments??t.raw};if(typeof t.text!="string")return{kind:"other",value:e};let{type:o="text",text:r}=t;return o==="text"||o==="reasoning"?{kind:o,text:r}:{kind:"attachment",type:String(o),text:r}}function mb({messages:e}){return e.some(t=>Qi(t).some(n=>n.kind==="attachment"))}function Yd(e){return Qi(e).flatMap(t=>t.kind==="text"?[t.text]:[]).join("")}function Lo(e){return typeof e=="object"&&e!==null?e:{}}function Lt({label:e,caption:t,columns:n,numbers:o=[],children:r}){return c`
    <div class="scroll" tabindex="0" role="region" aria-label=${e}>
      <table>
        <caption>${t}</caption>
        <thead>
          <tr>${n.map(s=>c`<th scope="col" class=${o.includes(s)&&"number"}>${s}</th>`)}</tr>
        </thead>
        <tbody>${r}</tbody>
      </table>
    </div>
  `}var Zi=200;function ta({rules:e}){return c`
    <${Lt} label="Evaluated rules" caption="Evaluated rules, in order" columns=${["Rule","Outcome","Conditions"]}>
      ${e.map(t=>c`
          <tr>
            <th scope="row">${t.rule}</th>
            <td>
              <${U} tone=${t.matched?"good":"plain"}>${t.matched?"matched":"not matched"}<//>
            </td>
            <td><${Xd} rule=${t} /></td>
          </tr>
        `)}
    <//>
  `}function Xd({rule:e}){return e.conditions.length===0?e.fallback?"none: fallback rule":"none":e.conditions.map(({condition:t,expected:n,actual:o,holds:r})=>c`
      <div>
        <${U} tone=${r?"good":"bad"}>${r?"true":"false"}<//>
        ${" "}<code>${t}</code> ${ea(n)}${!r&&c` <small>(actual: ${ea(o)})</small>`}
      </div>
    `)}function na({tools:e}){return e.length===0?c`<p>No tools are configured.</p>`:c`
    <${Lt} label="Offered tools" caption="Tools" columns=${["Tool","Offered","Reason"]}>
      ${e.map(({tool:t,offered:n,reason:o})=>c`
          <tr>
            <th scope="row" class="mono">${t}</th>
            <td><${U} tone=${n?"good":"plain"}>${n?"offered":"not offered"}<//></td>
            <td>${o}</td>
          </tr>
        `)}
    <//>
  `}function ea(e){if(e==null)return"nothing";let t=kt(e);return t.length>Zi?`${t.slice(0,Zi)}…`:t}var Qd={match:"good",partial:"warn",none:"plain"};function oa({rag:e}){let{documents:t,skipped:n,result:o}=e,r=c`
    ${N(t.length,"document")} ·
    ${" "}<${U} tone=${Qd[o]}>${o==="none"?"no match":o}<//>
    ${n.length>0&&c` · <${U} tone="warn">${N(n.length,"collection")} skipped<//>`}
  `;return c`
    <${ee} summary=${r}>
      ${t.length>0&&c`<${Zd} documents=${t} />`}
      ${t.length===0&&c`<p>No document within the distance limit in the selected collections.</p>`}
      ${n.map(({collection:s,reason:i})=>c`<p>! <code>${s}</code> was skipped: ${i}</p>`)}
    <//>
  `}function Zd({documents:e}){return c`
    <${Lt} label="Documents" caption="Documents sent to the model" columns=${["Distance","Title","Source","Collection"]} numbers=${["Distance"]}>
      ${e.map(t=>c`
          <tr>
            <td class="number">${ls(t.distance)}</td>
            <td>${t.title}</td>
            <td>${t.source}</td>
            <td>${t.service}/${t.collection}</td>
          </tr>
        `)}
    <//>
  `}function ra({explain:e}){return c`
    <dl class="chat-facts">
      <dt>Topic</dt>
      <dd>${e.topic?c`<${ef} topic=${e.topic} />`:"not detected: phase disabled"}</dd>
      <dt>Intent</dt>
      <dd>${e.intent?c`<${tf} intent=${e.intent} />`:"not detected: phase disabled"}</dd>
      <dt>History</dt>
      <dd>${N(e.history_messages,"message")}</dd>
    </dl>
    <h3>Profile</h3>
    <${fe} value=${e.profile} label="Profile" />
    <${ta} rules=${e.rules} />
    <${na} tools=${e.tools} />
    <h3>System prompt</h3>
    <${fe} value=${e.system_prompt} label="System prompt" />
  `}function ef({topic:e}){return c`${pe(e.topic_status)}: ${e.topic_summary} <${sa} phase=${e} />`}function tf({intent:e}){return c`
    ${e.intent??"none"} (${pe(e.source)})
    ${e.candidates.length>0&&c`<small>of ${e.candidates.join(", ")}</small>`}
    ${" "}<${sa} phase=${e} />
  `}function sa({phase:e}){return c`
    <small>${e.model&&`${e.model}, `}${j(e.duration_ms)}</small>
    ${e.error&&c` <${U} tone="bad">${e.error}<//>`}
  `}function _n(e,t,n=0){let o=[...of(e).values()].map(a=>rf(a,t)),r=new Set(o.map(a=>a.answer?.requestId)),s=t.findLastIndex(({answer:a})=>r.has(a.request_id));return t.filter(({answer:a},u)=>{if(r.has(a.request_id))return!1;let d=a.session?.turn;return a.session?.saved===!1||(typeof d=="number"?d>n:u>s)}).reduce(nf,o)}function Mo(e,t){let n=t===0?-1:e.findIndex(({number:o})=>o===t);return n<0?e:e.slice(0,n)}function nf(e,t){if(t.place>0)return[...Mo(e,t.place),ia(t)];let n=e.at(-1),o=n!==void 0&&!n.answer&&(t.question===""||t.question===n.question),r=e.find(f=>t.replaces&&f.answer?.requestId===t.replaces)??(o&&n),s=ia(t);if(!r)return[...e,s];let{number:i,question:a,attachments:u,at:d}=r,{siblings:l}=r;return e.map(f=>f===r?{...s,number:i,question:a,attachments:u,at:d,siblings:l}:f)}function of(e){let t=new Map;for(let n of e){let o=t.get(n.turn);o?o.push(n):t.set(n.turn,[n])}return t}function rf(e,t){let n=e.find(i=>i.role==="user"),o=e.find(i=>i.role==="assistant"&&i.service),r=e.filter(i=>i!==n&&i!==o),s=o&&sf(o);return{key:s?.requestId||`turn ${e[0]?.turn}`,number:e[0]?.turn,question:n?.content,attachments:(n?.attachments??[]).map(({id:i,name:a,media_type:u,size:d})=>({name:a,type:u,size:d,...i&&{id:i}})),at:e[0]?.at??"",siblings:n?.siblings??[],remarks:r.map(i=>i.content).filter(i=>i.trim()!==""),calls:e.flatMap(i=>i.tool_calls),answer:s,received:t.find(i=>!i.stopped&&i.answer.request_id===s?.requestId)?.answer}}function sf(e){return{content:e.content,at:e.at,model:e.model??"",service:e.service??"",rule:e.rule??"",status:e.status??"complete",outcome:e.outcome??void 0,demo:e.demo??!1,requestId:e.request_id??"",chosenRule:!!e.chosen_rule,chosenModel:!!e.chosen_model,...e.usage&&{totals:{ms:e.duration_ms??0,modelCalls:e.model_calls??0,usage:e.usage}}}}function gn(e,t){if(!t)return e.totals;let{usage:n,timings:o}=t;return{ms:o.total_ms,modelCalls:o.steps.filter(({step:r})=>r==="model").length,usage:n}}function ia({question:e,attachments:t,at:n,stopped:o,answer:r}){return{key:r.request_id,number:void 0,question:e||void 0,attachments:t,at:n,siblings:[],remarks:[],calls:r.tool_calls,answer:{content:r.content,at:n,model:r.model,service:r.service,rule:r.rule??"",status:r.status,outcome:r.outcome,demo:r.demo??!1,requestId:r.request_id,chosenRule:!1,chosenModel:!1},received:o?void 0:r}}var af=120;function aa({answer:e,calls:t,received:n}){let o=e&&gn(e,n),r=t.filter(s=>!s.result.success).length;return c`
    ${t.length>0&&c`<${ee}
        summary=${c`
          ${N(t.length,"tool call")}
          ${r>0&&c` · <${U} tone="bad">${r} failed<//>`}
        `}
      >
        ${t.map(s=>c`<${cf} key=${`${s.iteration} ${s.call_id}`} call=${s} />`)}
      <//>`}
    ${o&&c`<${ee} summary="Tokens and cost"><${df} totals=${o} /><//>`}
    ${n&&c`<${ee} summary="Timeline"><${ca} timings=${n.timings} calls=${n.tool_calls} /><//>`}
    ${!n&&e?.requestId&&c`<${ee} summary="Timeline"><${lf} id=${e.requestId} /><//>`}
    ${n?.rag&&c`<${oa} rag=${n.rag} />`}
    ${n?.explain&&c`<${ee} summary="Explanation"><${ra} explain=${n.explain} /><//>`}
  `}function cf({call:e}){let{tone:t,label:n}=It(void 0,e),o=c`
    <code>${Ke(`${e.tool}(${uf(e.params)})`,af)}</code>
    ${" "}<${U} tone=${t}>${n}<//>
    ${" "}<small class="number">${j(e.result.execution_time_ms)}</small>
  `;return c`<${ee} summary=${o}><${Io} step=${void 0} call=${e} /><//>`}function uf(e){return typeof e=="string"?e:Object.entries(e).map(([t,n])=>`${t}: ${kt(JSON.stringify(n))}`).join(", ")}function ca({timings:e,calls:t}){let[n,o]=$(-1),r=He(e,t).find(s=>s.index===n);return c`
    <${Vi} timings=${e} calls=${t} selected=${n} onSelect=${o} />
    ${r&&c`<${Io} key=${n} step=${r.step} call=${r.call} />`}
  `}function lf({id:e}){let{data:t,error:n,reload:o}=Gi(e);if(t){let{timings:r,calls:s}=Yi(t);return c`<${ca} timings=${r} calls=${s} />`}return n?.status===404?c`<p>The trace of this answer is not stored: it has expired, or the configuration stores only some traces.</p>`:n?c`<${P} error=${n} onRetry=${o} />`:c`<${ae} lines=${3} label="the timeline" />`}function df({totals:{ms:e,modelCalls:t,usage:n}}){let{cost_usd:o}=n,r=[["Time",j(e)],["Model calls",me(t)],["Input",N(n.input_tokens,"token")],["of these read from a cache",N(n.cached_tokens??0,"token")],["of these written to a cache",N(n.cache_write_tokens??0,"token")],["Output",N(n.output_tokens,"token")],["of these reasoning",N(n.reasoning_tokens??0,"token")],["Cost",typeof o=="number"?Je(o):"no price configured"]];return c`<dl class="chat-facts">${r.map(([s,i])=>c`<dt>${s}</dt><dd class="number">${i}</dd>`)}</dl>`}var ff=new Set(["stopped","waiting","client_calls"]);function ua({answer:e,received:t,tokenUsed:n,onResume:o}){let r=e?.status==="partial"&&!ff.has(e.outcome??""),s=e&&!r?Ue(e).reason:"",i=[...s?[s]:[],...t?hf(t):[]];return i.length===0&&!r?null:c`
    <div class="notice stack">
      ${r&&c`<p><strong>! The answer is partial.</strong> ${pf(t)}</p>`}
      ${i.map(a=>c`<p>! ${a}</p>`)}
      ${r&&c`<${mf} received=${t} tokenUsed=${n} onResume=${o} />`}
    </div>
  `}function mf({received:e,tokenUsed:t,onResume:n}){return t?c`<p>The resume token was already used. Send a new message instead.</p>`:e?e.resume_token?c`<div class="row">
    <button type="button" disabled=${!n} onClick=${n}>Continue</button>
    <small>available for one hour; completed tool calls are not repeated</small>
  </div>`:c`<p>The partial answer has no resume token. Send a new message instead.</p>`:c`<p>The resume token is only available during the visit that received it. Send a new message instead.</p>`}function pf(e){if(!e)return"The deadline was reached or the model failed before the answer was complete.";let n=e.tool_calls.length>0?" The tool results so far are below.":"";return e.outcome==="budget_reached"?`${Ue(e).reason}${n}`:e.error?`The model failed (${pe(e.error.type)}): ${e.error.message}.${n}`:`The deadline was reached before the answer was complete.${n}`}function hf(e){let{fallback:t,session:n}=e;return[...bn(t,()=>`${e.model} answered instead of ${t?.instead_of}: ${pe(t?.reason??"")}.`),...bn(e.deadline_reached,()=>"The deadline was near: the model had to answer without more tool calls."),...bn(e.max_tool_calls_reached&&e.outcome!=="tool_call_limit",()=>"The tool call limit was reached."),...bn(n?.saved===!1,()=>`Not saved in the session: ${n?.problem??"the write failed"}.`)]}function bn(e,t){return e?[t()]:[]}var $f=2e4,_f=10;function yn({session:e,turn:t,open:n,tokenUsed:o,actions:r,onResume:s}){let{number:i,question:a,attachments:u,at:d,remarks:l,calls:f,answer:p,received:m}=t,h=i!==void 0&&r?.editing?.turn===i;return c`
    <article class="chat-turn" tabindex="-1" aria-label=${i?`Turn ${i}`:"Unsaved turn"}>
      ${a!==void 0&&c`<${Do} text=${a} attachments=${u} session=${e} at=${d} edit=${h?r:void 0}>
          ${r&&c`<${Ui} turn=${t} actions=${r} />`}
        <//>`}
      <div class="chat-answer">
        ${p&&c`<${wf} answer=${p} received=${m} />`}
        ${l.map(y=>c`<div class="chat-remark"><${No} text=${y} markdown /></div>`)}
        ${p&&c`<${gf} answer=${p} />`}
        ${!p&&!n&&c`<p><${U} tone="warn">No answer yet.<//></p>`}
        <${ua} answer=${p} received=${m} tokenUsed=${o} onResume=${s} />
        <${aa} answer=${p} calls=${f} received=${m} />
        ${r&&(p||!n)&&c`<${bf} session=${e} turn=${t} actions=${r} />`}
      </div>
    </article>
  `}function gf({answer:{content:e,outcome:t}}){return e===""&&t==="stopped"?null:c`<${No} text=${e||"(empty answer)"} markdown />`}function bf({session:e,turn:t,actions:n}){let o=t.number!==void 0&&c`<${qi} turn=${t} actions=${n} />`,r=t.answer?.requestId;return r?c`<${yf} session=${e} id=${r}>${o}<//>`:c`<div class="row">${o}</div>`}function yf({session:e,id:t,children:n}){let{data:o={},put:r}=Zr(e),s=o[t];return c`
    <div class="row chat-feedback">
      <${Di} id=${t} given=${s&&{rating:s,comment:""}} onSaved=${i=>r({...o,[t]:i})} />
      <${tn} id=${t} />
      ${n}
    </div>
  `}function Do({text:e,attachments:t,session:n="",at:o,edit:r,children:s}){return c`
    <div class="chat-question">
      <div class="row spread">
        <strong>You</strong>
        ${o&&c`<small><${ce} at=${o} /></small>`}
      </div>
      <${rn} attachments=${t} session=${n} />
      ${r?.editing?c`<${Bi} actions=${r} editing=${r.editing} />`:c`<${No} text=${e} />${s}`}
    </div>
  `}function wf({answer:e,received:t}){let n=gn(e,t),o=n?.usage.cost_usd,r=Ue(e);return c`
    <div class="row chat-head">
      <strong>${e.model}</strong>
      ${e.demo&&c`<${vt} />`}
      <${U} tone=${r.tone} sign=${r.sign}>${r.title}<//>
      <${sn}>service ${e.service}<//>
      ${e.rule&&c`<${sn}>rule ${e.rule}${e.chosenRule&&", chosen"}<//>`}
      ${e.chosenModel&&c`<${sn}>model chosen<//>`}
      <small>
        <${ce} at=${e.at} />
        ${n&&` · ${j(n.ms)} · ${N(n.usage.total_tokens,"token")}`}
        ${typeof o=="number"&&` · ${Je(o)}`}
      </small>
      ${e.content&&c`<${le} text=${e.content} label="Copy answer" />`}
    </div>
  `}function No({text:e,markdown:t=!1}){let[n,o]=$(1),r=e.slice(0,$f*n),s=e.length-r.length;return c`
    <div class="chat-prose">${t?c`<${$n} text=${r} />`:r}</div>
    ${s>0&&c`<button type="button" class="quiet" onClick=${()=>o(n*_f)}>
        Show more (${me(s)} more characters)
      </button>`}
  `}function la({session:e,list:t,turns:n,from:o,busy:r,usedTokens:s,earlier:i,actions:a,resumable:u,onToggle:d,onResume:l,children:f}){let p=_({onResume:l,actions:a});p.current={onResume:l,actions:a};let{busy:m,editing:h}=a,y=H(()=>{let k=n.at(-1),C={busy:m,editing:h,edit:(w,v)=>p.current.actions.edit(w,v),sendEdit:(w,v)=>p.current.actions.sendEdit(w,v),endEdit:w=>p.current.actions.endEdit(w),regenerate:w=>p.current.actions.regenerate(w),show:w=>p.current.actions.show(w)};return n.map(w=>{let{received:v,number:E}=w,V=w===k&&(E===void 0||E===u);return c`
        <${yn}
          key=${w.key}
          session=${e}
          turn=${w}
          open=${r&&w===k}
          tokenUsed=${s.includes(v?.resume_token??"")}
          actions=${C}
          onResume=${v&&V&&!r?()=>p.current.onResume(v):void 0}
        />
      `})},[e,n,r,s,m,h,u]);return c`
    ${o>1&&c`<div class="row">
        <button type="button" disabled=${i.busy} onClick=${i.show}>Show earlier messages</button>
        ${i.busy&&c`<${Q} label="Loading earlier messages" since=${i.since} />`}
      </div>`}
    ${i.error&&c`<${P} error=${i.error} onRetry=${i.show} />`}
    <div class="chat-turns" ref=${t} onClickCapture=${d}>
      ${y} ${f}
    </div>
  `}var da=48,vf=1/3,ye=document.documentElement;function fa(){return ye.scrollHeight-ye.scrollTop-ye.clientHeight}function Po(){ye.scrollTop=ye.scrollHeight}function ma({session:e,turns:t,added:n,waiting:o,streamed:r}){let s=_(null),i=_(null),a=_(!0),u=_(0),[d,l]=$(!1),f=_({session:"",first:"",answer:"",end:"",wasWaiting:!1}),p=t[0]?.key??"",m=t.at(-1)?.answer?.requestId??"",h=`${t.length} ${t.at(-1)?.key} ${n}`,{current:y}=f,k=y.session===e,w=k&&y.first!==p&&t.some(({key:D})=>D===y.first)?i.current?.firstElementChild:void 0,v=w?.getBoundingClientRect().top??0,E=S(()=>l(fa()>da),[]),V=S(()=>{a.current=!0,Po(),E()},[E]);X(()=>{let D=m!==""&&m!==y.answer,B=o||k&&y.wasWaiting;f.current={session:e,first:p,answer:m,end:h,wasWaiting:B&&!D},k||(a.current=!0),!(k&&y.end===h)&&(w?ye.scrollTop+=w.getBoundingClientRect().top-v:a.current&&t.length+n.trim().length>0&&(a.current=!(D&&B&&!r&&kf(s.current)),a.current&&Po()),E())}),b(()=>{let{scrollRestoration:D}=history;history.scrollRestoration="manual";let B=()=>{let I=ye.scrollTop<u.current-1;u.current=ye.scrollTop,fa()<=da?a.current=!0:I&&(a.current=!1),E()},g=()=>{a.current&&Po(),E()},A=new ResizeObserver(()=>requestAnimationFrame(g));return s.current&&A.observe(s.current),addEventListener("scroll",B,{passive:!0}),addEventListener("resize",g),visualViewport?.addEventListener("resize",g),()=>{history.scrollRestoration=D,A.disconnect(),removeEventListener("scroll",B),removeEventListener("resize",g),visualViewport?.removeEventListener("resize",g)}},[E]);let G=S(D=>{D.target instanceof Element&&D.target.closest("summary, button, [role=option]")&&(a.current=!1)},[]),ne=()=>{V(),i.current?.querySelector("article:last-of-type")?.focus({preventScroll:!0})};return{chat:s,list:i,isAway:d&&(t.length>0||o),follow:V,jump:ne,handleToggle:G}}function kf(e){let t=e?.querySelector("article:last-of-type"),n=t?.querySelector(".chat-answer");if(!t||!n)return!1;let o=Sf(document.querySelector("header.shell")),r=innerHeight-o-(e?.querySelector(".chat-composer")?.getBoundingClientRect().height??0),{top:s,height:i}=n.getBoundingClientRect();if(i<=r)return!1;let a=t.getBoundingClientRect().top;return ye.scrollTop+=(s-a<r*vf?a:s)-o-8,!0}function Sf(e){return e&&getComputedStyle(e).position==="sticky"?e.getBoundingClientRect().height:0}var we=class extends Error{};function Tf({lastId:e="",longest:t=33554432}={}){let n=[],o=[],r=e,s="",i=0,a=!1,u=d=>{if(d===""){let m=o.length>0?{name:s||"message",data:o.join(`
`),id:r}:void 0;return[s,o,i]=["",[],0],m}let l=d.indexOf(":"),f=l<0?d:d.slice(0,l),p=l<0?"":d.slice(d[l+1]===" "?l+2:l+1);f==="event"?s=p:f==="data"?o.push(p):f==="id"&&(r=p)};return d=>{let l=[],f=a&&d.startsWith(`
`)?1:0;d!==""&&(a=d.endsWith("\r")),i+=d.length-f;for(let{index:p,0:m}of d.matchAll(/\r\n|\n|\r/g)){if(p<f)continue;n.push(d.slice(f,p)),f=p+m.length;let h=u(n.join(""));n=[],h&&l.push(h),i===0&&(i=d.length-f)}if(i>t)throw new we("The service sent an event that is too long.");return f<d.length&&n.push(d.slice(f)),l}}async function*pa(e,{lastId:t="",silenceMs:n=45e3}={}){let o=e.getReader(),r=Tf({lastId:t}),s=new TextDecoder;try{for(;;){let{done:i,value:a}=await xf(o.read(),n);if(i)return;yield*r(s.decode(a,{stream:!0}))}}catch(i){throw i instanceof we||qo(i)?i:new we("The connection was lost.")}finally{o.cancel().catch(()=>{})}}function qo(e){return e instanceof DOMException&&e.name==="AbortError"}async function xf(e,t){let n,o=new Promise((r,s)=>{n=setTimeout(()=>s(new we("The connection was silent for too long.")),t)});try{return await Promise.race([e,o])}finally{clearTimeout(n)}}var Uo=5,Ef=500,Cf=2,et=class extends Error{constructor(t){super(`The connection to the run ${t} was lost.`),this.run=t}};async function*ha({open:e,reopen:t},{signal:n,onLost:o=()=>{},wait:r=Df}){let s="",i="",a=0;for(;;){try{let u=await(s?t(s,i,n):e(n));for await(let d of Af(u,i)){a=0,i=d.id;let l=Rf(d);if(l.name==="error")throw If(l.data);if(l.name==="accepted"&&(s=l.data.run_id),yield l,l.name==="answer")return}}catch(u){Of(u,s)}if(s==="")throw new R("failed","The stream ended without an answer. Try again.");if(a+=1,a>Uo)throw new et(s);o(a),await r(Ef*Cf**(a-1),n)}}async function*Af(e,t){if(e.headers.get("content-type")?.startsWith("text/event-stream")&&e.body){yield*pa(e.body,{lastId:t});return}yield{name:"answer",data:await e.text(),id:""}}function Rf({name:e,data:t}){try{return{name:e,data:De(t)}}catch{throw new R("failed","The response is incomplete or not JSON. Try again.")}}function If({error:e,message:t,request_id:n,details:o}){return new R("failed",t,{status:200,code:e,requestId:n,details:o??[]})}function Of(e,t){if(qo(e)||Lf(e))throw e;if(t==="")throw e instanceof we?new R("offline",`${e.message} Try again.`):e;if(!Mf(e))throw new et(t)}function Lf(e){return e instanceof R&&e.status===200}function Mf(e){return e instanceof R?e.kind==="offline"||e.status===429||e.status>=500:e instanceof we}function Df(e,t){return new Promise((n,o)=>{let r=setTimeout(n,e),s=()=>(clearTimeout(r),o(new DOMException("Aborted","AbortError")));t.addEventListener("abort",s,{once:!0})})}var Nf=5;function $a({live:e}){let{model:t,text:n,remarks:o,steps:r,warnings:s,attempt:i}=e,a=H(()=>pn(n,{open:!0}),[n]);return e.run===""&&r.length===0&&n===""?null:c`
    <section class="chat-answer chat-live" aria-label="Answer in progress">
      ${t&&c`<div class="row chat-head"><strong>${t}</strong></div>`}
      ${o.map((u,d)=>c`<div class="chat-remark chat-prose" key=${`remark ${d}`}><${$n} text=${u} /></div>`)}
      ${r.length>0&&c`<ol class="chat-steps">${r.map(u=>c`<${Uf} key=${u.key} step=${u} />`)}</ol>`}
      ${n.trim()&&c`<div class="chat-prose"><${Eo} blocks=${a} open /></div>`}
      ${s.map(u=>c`<p class="notice">! ${u}</p>`)}
      ${i>0&&c`<p class="notice" role="status">! Connection lost. Reconnecting, attempt ${i} of ${Uo}.</p>`}
      <${Pf} blocks=${a} />
    </section>
  `}function Pf({blocks:e}){let t=e.length-1;return c`<div class="hidden" aria-live="polite">
    ${e.map(({source:n},o)=>o<t&&o>=t-Nf&&c`<p key=${o}>${n}</p>`)}
  </div>`}function qf({text:e}){return c`<${ee} summary="reasoning"><p class="chat-reasoning">${e}</p><//>`}function Uf({step:{kind:e,name:t,detail:n,status:o,ms:r,error:s}}){return e==="rule"?c`<li>rule ${t}</li>`:e==="reasoning"?c`<li><${qf} text=${n} /></li>`:c`
    <li>
      ${o==="running"?"calling ":""}${e==="tool"?c`<code>${t}</code>`:t}
      ${n&&c` <small class="mono">${n}</small>`}
      ${o==="running"?" …":c` <small class="number">${j(r??0)}</small> <${Bf} status=${o} />`}
      ${s&&c` <small>${s}</small>`}
    </li>
  `}function Bf({status:e}){return c`<${U} tone=${e==="failed"?"bad":"good"}>${e}<//>`}var Ff=3e3,Hf=15e4;function _a({run:e}){let t=_(performance.now()),n=e&&performance.now()-(Date.now()-new Date(e.created_at).getTime()),o=e?He({total_ms:0,steps:e.steps},[]):[];return c`
    <section class="chat-run stack" aria-label="Background run">
      <${Q} label=${Kf(e)} since=${n===void 0?t.current:Math.min(n,performance.now())} />
      ${o.length>0&&c`<ol>
          ${o.map(r=>c`
              <li key=${r.index}>
                ${r.name} ${r.detail&&c`<small>${r.detail}</small>`}
                ${" "}<${U} tone=${r.status.tone}>${r.status.label}<//>
                ${r.step&&c` <small class="number">${j(r.step.duration_ms)}</small>`}
                ${r.status.reason&&c` <small>${r.status.reason}</small>`}
              </li>
            `)}
        </ol>`}
      <small>The run continues if you close this page. Its URL shows the result for one day.</small>
    </section>
  `}function Kf(e){return e===void 0?"Loading the run":e.status==="queued"?"Queued in the background":"Running in the background"}function ga({stop:{status:e,reason:t},open:n,onCheck:o}){let r=e==="failed";return b(()=>{if(!r||!n)return;let s=setInterval(()=>!document.hidden&&o(),Ff),i=setTimeout(()=>clearInterval(s),Hf);return()=>{clearInterval(s),clearTimeout(i)}},[r,n,o]),r?c`
    <div class="notice stack" role="status">
      <p>! The service did not confirm that it has stopped the answer: ${t}</p>
      <p>${n?"It may still complete the answer and save it in the conversation.":"The conversation above is up to date."}</p>
      ${n&&c`<div class="row"><button type="button" onClick=${o}>Check again</button></div>`}
    </div>
  `:null}function ba({id:e,chat:t,conversation:n,blocked:o,scroll:r,field:s}){let i=Wf(n),a=u=>{r.follow(),u(),s.current?.focus({preventScroll:!0})};return{announced:i.shown,actions:{busy:o,editing:t.editing,edit:t.beginEdit,sendEdit:(u,d)=>a(()=>t.edit(u,d)),endEdit:u=>{t.endEdit(),requestAnimationFrame(()=>document.getElementById(Ro(u))?.focus())},regenerate:u=>a(()=>t.regenerate(u)),show:u=>{i.expect(u),Ce({session:e,branch:String(u)})}}}}function Wf({messages:e}){let t=_(0),[n,o]=$("");return b(()=>{let r=t.current,s=e.find(a=>a.turn===r&&a.role==="user");if(r===0||!s)return;t.current=0,o(Ao(r,s.siblings??[])),document.getElementById(Co(r))?.querySelector("button:not(:disabled)")?.focus()},[e]),{shown:n,expect:r=>{t.current=r,o("")}}}function ya(e,t,{messages:n,session:o,error:r}){let s=t.sent?.session===e?t.sent:void 0,i=t.task.busy&&s!==void 0,a=t.followed.active||i,u=r?.status===404,d=o?.turns??0,l=H(()=>{let h=t.received.filter(y=>y.session===e);return u?[]:_n(n,h,d)},[n,t.received,e,u,d]),f=a&&t.waiting?s:void 0,p=f?un(f.place):0,m=H(()=>Mo(l,p),[l,p]);return{sent:s,requesting:i,answering:a,turns:m,question:f?jf(f,m.at(-1)):""}}function jf(e,t){let{question:n}=Tt(e);return t!==void 0&&t.answer===void 0&&t.question===n?"":n}var wa="flexchat.run";function va(e){sessionStorage.setItem(wa,e)}function ka(e){return sessionStorage.getItem(wa)===e}var Sa="session_busy",Ta="Another tab is answering in this conversation. Your message is kept; send it when the answer is complete.",xa="Another tab was answering in this conversation. Your message is kept in the field; send it when the answer is complete.";function Ea(e,{task:t,busy:n,sent:o,stop:r},{session:s}){let i=_(0),a=!!s?.answering&&!n;a?i.current===0&&(i.current=performance.now()):i.current=0;let u=o?.session===e?o:void 0;return t.busy?{elsewhere:a,label:Vf(u,r.status),since:t.since}:{elsewhere:a,label:a?Ta:"",since:i.current}}function Vf(e,t){return t==="stopping"?"Stopping the answer":e!==void 0&&e.follows!==""&&!ka(e.follows)?Ta:e===void 0?"Waiting for an answer in another session":e.background?"Starting the run":"Waiting for the answer"}function Ca({id:e,branch:t,chat:n,conversation:o,approvals:r,options:s,onBegin:i}){let a=_(null),{task:u}=n,{sent:d,requesting:l,answering:f,turns:p,question:m}=ya(e,n,o),h=ln(s),y=Ea(e,n,o),k=n.busy||y.elsewhere||h!=="",C=ma({session:e,turns:p,added:zf(n,d,m),waiting:f,streamed:n.live.text!==""}),w=()=>{k||on(n.attachments)!==""||n.draft.trim()===""||(C.follow(),n.send({after:t===""?0:o.path.at(-1)??0}))};We([{keys:"/",label:"Write a message",run:()=>a.current?.focus()},{keys:"mod+Enter",label:"Send the message",run:w},{keys:"Escape",label:"Stop the answer",run:()=>n.busy&&n.cancel()}]);let v=({run_id:G})=>{G&&(C.follow(),n.follow(G))},{actions:E,announced:V}=ba({id:e,chat:n,conversation:o,blocked:k,scroll:C,field:a});return c`
    <div class="chat" ref=${C.chat}>
      <${Qf} conversation=${o} />
      ${o.loading&&!(n.waiting&&d)&&c`<${ae} lines=${8} label="the messages" />`}
      ${u.error?.kind!=="offline"&&c`<${Gf} conversation=${o} onBegin=${i} />`}
      ${e===""&&c`<${Zf} />`}
      <${Jf} chat=${n} sent=${d} conversation=${o} turns=${p} question=${m} live=${l} answering=${f} actions=${E} scroll=${C} onRetry=${w} />
      ${r.map(G=>c`<${an} key=${G.id} approval=${G} disabled=${n.busy} onDecided=${v} />`)}
      <p class="hidden" role="status">${V||em(n)}</p>
      <${Zs}
        draft=${n.draft}
        attachments=${n.attachments}
        onAttach=${n.attach}
        onDetach=${n.detach}
        onAttachmentChange=${n.changeAttachment}
        busy=${n.busy}
        blocked=${y.elsewhere}
        waiting=${y.label}
        since=${y.since}
        hint=${h}
        isAway=${C.isAway}
        onJump=${C.jump}
        field=${a}
        onWrite=${n.write}
        onSend=${w}
        onCancel=${n.cancel}
      />
    </div>
  `}function Gf({conversation:e,onBegin:t}){let{error:n,reload:o}=e;return n?Aa(e)?c`<${P} error=${n} onRetry=${t} retry="Start a new chat" />`:c`<${P} error=${n} onRetry=${o} />`:null}function Aa(e){return e.error?.status===404}function zf({task:e,followed:t,stop:n},o,r){let s=(o&&e.error)??t.error,i=o&&n.status==="failed"?`stopped ${n.reason}`:"";return[r,i,s?.code,s?.message,t.run?.status].filter(Boolean).join(" ")}function Jf({chat:e,sent:t,conversation:n,turns:o,question:r,live:s,answering:i,actions:a,scroll:u,onRetry:d}){let{followed:l}=e,f=Aa(n),p=o.at(-1),m=h=>{u.follow(),e.resume(h)};return c`
    <${la}
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
      ${r&&c`<${Do} text=${r} attachments=${Tt(t).attachments} at=${void 0} />`}
      ${s&&e.waiting&&c`<${$a} live=${e.live} />`}
      ${l.active&&c`<${_a} run=${l.run} />`}
    <//>
    <${Yf}
      chat=${e}
      sent=${t!==void 0}
      open=${p?.answer===void 0}
      onCheck=${n.reload}
      onRetry=${d}
    />
  `}function Yf({chat:e,sent:t,open:n,onCheck:o,onRetry:r}){let{task:s,followed:i}=e,a=(t?s.error:void 0)??i.error;return a?.code===Sa?c`<p class="notice" role="status">! ${xa}</p>`:c`
    ${t&&c`<${ga} stop=${e.stop} open=${n} onCheck=${o} />`}
    ${i.run?.status==="cancelled"&&c`<p class="notice" role="status">! Run stopped. The conversation has what was complete until then.</p>`}
    ${a&&c`<${P} error=${a} onRetry=${Xf(e,a,r)} traced />`}
  `}function Xf({task:e,followed:t,draft:n},o,r){if(t.active)return t.retry;let s=o.kind==="offline"||o.kind==="failed";return o===e.error&&s&&n.trim()!==""?r:void 0}function Qf({conversation:e}){let{session:t}=e;return t?c`
    <div class="chat-heading">
      <div>
        <h2>${fn(t)}</h2>
        <small>${t.topic&&c`Topic: ${t.topic} · `}${N(e.path.length||t.turns,"turn")}</small>
      </div>
      <${di} key=${t.id} session=${t} branch=${e.path.at(-1)} />
    </div>
  `:c`<h2>${e.id?"Chat":"New chat"}</h2>`}function Zf(){return c`
    <${ds} title="Chat with the service">
      <p>
        The service keeps the conversation, selects model and prompt by response rules, and calls tools. Each answer shows its
        model, rule, tool calls and timeline.
      </p>
      <p>Send a message to start a session, for example <q>What is 15% of 45?</q></p>
    <//>
  `}function em({received:e,busy:t,stop:n}){let o=e.at(-1);if(t||!o)return"";let{answer:r}=o;if(o.stopped||n.status==="stopped")return"Answer stopped.";let s=N(r.tool_calls.length,"tool call");return`${r.model}: ${Ue(r).title} in ${j(r.timings.total_ms)}, ${s}`}function Ia({choice:e,onChange:t}){let{models:n,rules:o}=rs();return c`
    <${Ra} label="Model" name="model" names=${n} choice=${e} onChange=${t} />
    <${Ra} label="Response rule" name="rule" names=${o} choice=${e} onChange=${t} />
  `}function Ra({label:e,name:t,names:n,choice:o,onChange:r}){let s=oe(),i=o[t];return n.length===0&&i===""?null:c`
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
  `}function La({options:e,onChange:t}){let n=ts(),o=r=>()=>t({[r]:!e[r]});return c`
    <${Ia} choice=${yt(Kt().params)} onChange=${Ns} />
    <label class="check">
      <input type="checkbox" checked=${e.background} onChange=${o("background")} />
      Run in the background, up to 15 minutes
    </label>
    ${n&&c`<label class="check">
        <input type="checkbox" checked=${e.explain} onChange=${o("explain")} />
        Include an explanation
      </label>`}
    <${tm} options=${e} onChange=${t} />
    <${ee} summary="Profile fields">
      <${Oa} label="Intent" name="intent" options=${e} onChange=${t} />
      <${Oa} label="Service" name="service" options=${e} onChange=${t} />
      <small>Matched by response rules.</small>
    <//>
  `}function tm({options:e,onChange:t}){let n=oe(),o=ln(e);return c`
    <label class="field">
      Deadline in seconds
      <input
        type="number"
        inputmode="decimal"
        min="1"
        max=${cn(e)}
        step="any"
        placeholder=${e.background?"600":"28"}
        aria-invalid=${o?"true":void 0}
        aria-describedby=${o?n:void 0}
        value=${e.seconds}
        onInput=${r=>t({seconds:r.currentTarget.value})}
      />
    </label>
    ${o&&c`<p id=${n} class="problem-text" role="alert">✕ ${o}</p>`}
  `}function Oa({label:e,name:t,options:n,onChange:o}){return c`
    <label class="field">
      ${e}
      <input
        value=${n[t]}
        spellcheck=${!1}
        autocomplete="off"
        onInput=${r=>o({[t]:r.currentTarget.value})}
      />
    </label>
  `}function Ma({options:e,onChange:t}){let{data:n,error:o,loading:r,reload:s}=Qr(),i=a=>e.collections.includes(a)?e.collections.filter(u=>u!==a):[...e.collections,a];return o?c`<${P} error=${o} onRetry=${s} />`:!n&&r?c`<${ae} lines=${2} label="the collections" />`:n?.collections.length?c`
    <fieldset class="chat-collections">
      <legend>Collections to search</legend>
      ${n.collections.map(({name:a,metadata:u,documents:d})=>c`
          <label class="check" key=${a}>
            <input
              type="checkbox"
              checked=${e.collections.includes(a)}
              onChange=${()=>t({collections:i(a)})}
            />
            <span>${u.display_name||a} <small>${N(d,"document")}</small></span>
          </label>
        `)}
    </fieldset>
  `:c`<small>No collections. See the Retrieval view to create one.</small>`}var Da="mod+k",nm=250,om=20,rm=200;function Pa(){let[e,t]=$(""),[n,o]=$({query:"",pages:1}),r=e.trim();b(()=>{if(r===n.query)return;let i=setTimeout(()=>o({query:r,pages:1}),nm);return()=>clearTimeout(i)},[r,n.query]);let s=ie(i=>sm(n.query,n.pages,i),[n]);return{...s,data:s.data?.query===r?s.data:void 0,text:e,setText:t,active:r!=="",searchFurther:()=>o(i=>({...i,pages:i.pages+1}))}}async function sm(e,t,n){let o=[],r=0,s,i;for(let a=0;e!==""&&a<t;a+=1){let u=await x.searchSessions(e,{limit:om,cursor:s,signal:n});if(o.push(...u.sessions),r+=u.searched?.sessions??0,i=u.searched?.until??i,s=u.cursor??void 0,s===void 0)break}return{query:e,sessions:o,searched:r,until:i,more:s!==void 0}}function qa({search:e,field:t,list:n}){We([{keys:Da,label:"Search sessions",run:()=>t.current?.focus()}]);let o=r=>{r.key==="Escape"&&e.text!==""&&(r.preventDefault(),e.setText("")),r.key==="ArrowDown"&&(r.preventDefault(),n.current?.querySelector("button")?.focus()),r.key==="Enter"&&e.active&&(r.preventDefault(),n.current?.querySelector(".chat-search-results button")?.click())};return c`
    <label class="field chat-search">
      <span>Search sessions <kbd>${he(Da).replace("k","K")}</kbd></span>
      <input
        ref=${t}
        type="search"
        value=${e.text}
        maxlength=${rm}
        autocomplete="off"
        onInput=${r=>e.setText(r.currentTarget.value)}
        onKeyDown=${o}
      />
    </label>
  `}function Ua({search:e,open:t,onOpen:n,field:o}){let{data:r,error:s,loading:i}=e,a=_(performance.now()),u=_(null),d=l=>{let f={ArrowDown:1,ArrowUp:-1}[l.key];if(l.key==="Escape"&&o.current?.focus(),f===void 0)return;l.preventDefault();let p=[...u.current?.querySelectorAll("button")??[]],m=p.findIndex(h=>h===document.activeElement)+f;(p[m]??(f<0?o.current:void 0))?.focus()};return s?c`<${P} error=${s} onRetry=${e.reload} />`:r?c`
    <div class="chat-search-results" ref=${u} onKeyDown=${d}>
      <ul>
        ${r.sessions.map(l=>c`<li key=${l.id}><${am} session=${l} open=${l.id===t} onOpen=${n} /></li>`)}
      </ul>
      <p role="status"><small>${N(r.sessions.length,"result")} in ${im(r)}.</small></p>
      ${r.more&&c`<div class="row">
        <button type="button" class="quiet" disabled=${i} onClick=${e.searchFurther}>Search older sessions</button>
        ${i&&c`<${Q} label="Searching older sessions" since=${a.current} />`}
      </div>`}
    </div>
  `:c`<${Q} label="Searching your sessions" since=${a.current} />`}function im({searched:e,more:t,until:n}){return t?c`the last ${N(e,"session")}${n&&c`, back to <${ce} at=${n} />`}`:`all ${N(e,"session")}`}function am({session:e,open:t,onOpen:n}){let o=e.match;return c`
    <button type="button" class="quiet" aria-current=${t?"true":void 0} onClick=${()=>n(e.id)}>
      <span class="chat-title">${o?.title?.length?c`<${Na} parts=${o.title} />`:e.title||"Untitled"}</span>
      ${o?.message?.length&&c`<small class="chat-excerpt">${o.role==="user"?"You: ":""}<${Na} parts=${o.message} /></small>`}
      <small><${ce} at=${e.updated_at} /> · ${N(e.turns,"turn")}</small>
    </button>
  `}function Na({parts:e}){return e.map(({text:t,marked:n})=>n?c`<mark>${t}</mark>`:t)}function Ba({sessions:e,open:t,onOpen:n,onDeleted:o}){let r=_(null),s=_(null),i=Pa(),a=d=>{d.key!=="/"||d.target instanceof HTMLInputElement||(d.preventDefault(),d.stopPropagation(),s.current?.focus())},u=async d=>{await e.remove(d),r.current?.focus(),o(d)};return c`
    <${qa} search=${i} field=${s} list=${r} />
    <div class="chat-sessions" tabindex="-1" ref=${r} role="region" aria-label="Sessions" onKeyDown=${a}>
      ${i.active?c`<${Ua} search=${i} open=${t} onOpen=${n} field=${s} />`:c`<${cm} sessions=${e} open=${t} onOpen=${n} onDelete=${u} />`}
    </div>
  `}function cm({sessions:e,open:t,onOpen:n,onDelete:o}){return c`
      ${e.error&&c`<${P} error=${e.error} onRetry=${e.reload} />`}
      ${!e.sessions&&e.loading&&c`<${ae} lines=${4} label="your sessions" />`}
      ${e.sessions?.length===0&&c`<small>No sessions yet. Send a message to start one.</small>`}
      ${e.sessions&&e.sessions.length>0&&c`<ul>
          ${e.sessions.map(r=>c`
              <${fi}
                key=${r.id}
                session=${r}
                open=${r.id===t}
                onOpen=${n}
                onRename=${e.rename}
                onDelete=${o}
              />
            `)}
        </ul>`}
      ${e.more&&c`<${um} loading=${e.loading} onMore=${e.showMore} />`}
  `}function um({loading:e,onMore:t}){let n=_(0);return c`<div class="row">
    <button type="button" class="quiet" disabled=${e} onClick=${()=>{n.current=performance.now(),t()}}>Show more</button>
    ${e&&n.current>0&&c`<${Q} label="Loading more sessions" since=${n.current} />`}
  </div>`}var Fa=[];function Ha(e,t){let{busy:n,received:o}=t,{data:r,reload:s}=ie(a=>x.approvals(a),[e,o.length]);b(()=>{let a=()=>{document.hidden||s()};return document.addEventListener("visibilitychange",a),()=>document.removeEventListener("visibilitychange",a)},[s]);let i=r?.approvals??Fa;return H(()=>({own:n?Fa:i.filter(({session_id:a})=>a===e&&e!==""),others:i.filter(({session_id:a})=>!a),reload:s}),[i,e,n,s])}var Dt={run:"",request:"",model:"",iteration:0,text:"",remarks:[],steps:[],warnings:[],attempt:0},Ka=120;function ja(e,t){let n=e.attempt===0?e:{...e,attempt:0};switch(t.name){case"accepted":return{...n,run:t.data.run_id,request:t.data.request_id};case"phase":return Mt(n,lm(t.data));case"rule":return t.data.rule?Mt(n,{kind:"rule",name:t.data.rule,status:"done"}):n;case"model_started":return{...Wa(n,t.data.iteration),model:t.data.model};case"delta":return dm(Wa(n,t.data.iteration),t.data.text);case"reasoning":return Mt(n,{kind:"reasoning",name:"reasoning",detail:t.data.text,status:"done"});case"tool_started":return Mt(n,{key:za(t.data),kind:"tool",name:t.data.tool,detail:mm(t.data.arguments),status:"running"});case"tool_finished":return fm(n,t.data);case"warning":return{...n,warnings:[...n.warnings,t.data.message]};default:return n}}function Va({text:e,remarks:t,steps:n}){return e.trim()!==""||t.length>0||n.some(({kind:o,status:r})=>o==="tool"&&r!=="running")}function Ga(e,t){return{...e,attempt:t}}function lm({phase:e,name:t="",duration_ms:n,ok:o}){return{kind:"phase",name:e,detail:t,status:o===!1?"failed":"done",ms:n}}function Wa(e,t){if(t===e.iteration)return e;let n=e.text.trim()===""?e.remarks:[...e.remarks,e.text];return{...e,iteration:t,text:"",remarks:n}}function dm(e,t){return{...e,text:e.text+t}}function Mt(e,t){let n=t.key??`step ${e.steps.length}`;return{...e,steps:[...e.steps,{detail:"",error:"",ms:void 0,...t,key:n}]}}function fm(e,t){let n=za(t),r={status:t.ok?"done":"failed",ms:t.duration_ms,error:t.error??""};return e.steps.some(s=>s.key===n)?{...e,steps:e.steps.map(s=>s.key===n?{...s,...r}:s)}:Mt(e,{key:n,kind:"tool",name:t.tool,...r})}function za({iteration:e,call_id:t}){return`call ${e} ${t}`}function mm(e){let t=typeof e=="string"?e:JSON.stringify(e)??"";return t.length>Ka?`${t.slice(0,Ka)}…`:t}var Ja=150,pm=5e4;function Ya(e){b(()=>{if(e==="")return;let t=()=>{x.renewLease(e).catch(()=>{})},n=()=>{document.hidden||t()};t();let o=setInterval(t,pm);return document.addEventListener("visibilitychange",n),()=>{clearInterval(o),document.removeEventListener("visibilitychange",n)}},[e])}function Xa(){let e=_(Dt),t=_(0),[n,o]=$(Dt);b(()=>()=>cancelAnimationFrame(t.current),[]);let r=S(i=>{e.current=i(e.current),t.current===0&&(t.current=requestAnimationFrame(()=>{t.current=0,o(e.current)}))},[]),s=S(()=>{cancelAnimationFrame(t.current),t.current=0,e.current=Dt,o(Dt)},[]);return{shown:n,latest:S(()=>e.current,[]),update:r,reset:s}}var Qa={status:"none",reason:""},hm=2e4,Za=1e3;function ec(e,t){let[n,o]=$(Qa),r=_([]),s=_(!1),i=_(t);i.current=t;let a=S(()=>{for(let h of r.current)clearTimeout(h);r.current=[]},[]);b(()=>a,[a]);let u=S(()=>{a(),s.current=!1,o(Qa)},[a]),d=S(async h=>{s.current=!1;try{await x.cancelRun(h)}catch(y){if(!(y instanceof R))throw y;o({status:"failed",reason:y.message})}},[]),l=S(async()=>{let h=s.current?await i.current().catch(()=>""):"";s.current&&(h===""?r.current.push(setTimeout(()=>{l()},Za)):d(h))},[d]),f=S(h=>{if(n.status!=="stopping"){if(a(),o({status:"stopping",reason:""}),r.current.push(setTimeout(()=>{s.current=!1,e(),o({status:"failed",reason:"It did not end the answer in time."})},hm)),h!=="")return void d(h);s.current=!0,r.current.push(setTimeout(()=>{l()},Za))}},[e,d,a,l,n.status]),p=S(h=>{s.current&&d(h)},[d]),m=S(()=>{a(),s.current=!1,o(h=>h.status==="none"?h:{status:"stopped",reason:""})},[a]);return{state:n,reset:u,request:f,accepted:p,ended:m}}var $m=500,_m=2e3,gm=1.4;function wn({status:e}){return e==="queued"||e==="running"}function bm(e){if(!e?.error)return;let{error:t,message:n,request_id:o,details:r}=e.error;return new R("failed",n,{code:t,requestId:o,details:r??[]})}function tc(e){let t=te(),[n,o]=$({id:e,run:void 0,error:void 0}),[r,s]=$(0);b(()=>{if(e==="")return;let l=new AbortController;return o(f=>f.id===e?{...f,error:void 0}:{id:e,run:void 0,error:void 0}),ym(e,l.signal,f=>o(p=>({...p,error:void 0,...f}))),()=>l.abort()},[e,t,r]);let i=S(async()=>{try{let l=await x.cancelRun(e);o(f=>f.id===e?{...f,run:l}:f)}catch(l){if(!(l instanceof R))throw l;o(f=>f.id===e?{...f,error:l}:f)}},[e]),a=n.id===e?n:{id:e,run:void 0,error:void 0},{run:u}=a,d=a.error?.status===404||u!==void 0&&!wn(u);return{...a,error:a.error??bm(u),active:e!==""&&!d,cancel:i,retry:S(()=>s(l=>l+1),[])}}async function ym(e,t,n){for(let o=$m;;o=Math.min(_m,o*gm)){if(await vm(t),t.aborted)return;let r=await wm(e,t,n);if(t.aborted||!r)return;await km(o,t)}}async function wm(e,t,n){try{let o=await x.run(e,t);return n({run:o}),wn(o)}catch(o){if(t.aborted)return!1;if(!(o instanceof R))throw o;return n({error:o}),o.kind==="offline"||o.kind==="failed"}}function vm(e){return new Promise(t=>{if(!document.hidden||e.aborted)return t();document.addEventListener("visibilitychange",()=>t(),{once:!0,signal:e}),e.addEventListener("abort",()=>t(),{once:!0})})}function km(e,t){return new Promise(n=>{let o=setTimeout(n,e);t.addEventListener("abort",()=>(clearTimeout(o),n()),{once:!0})})}var Sm=12,Tm="resume_token_in_use",xm="cancelled";function nc(e,t,n,o,{onChange:r}){let s=te(),[i,a]=$(ho);b(()=>{a(g=>{let{draft:A,attachments:I}=Qe(g);return{...ho,draft:A,attachments:I}})},[s]);let u=Z(),d=Xa(),l=ec(u.cancel,async()=>{let{answering:g}=await x.session(e);return g?.run_id??""}),f=tc(t);Ya(u.busy?d.shown.run:"");let p=_(new Set),m=_(new Set),h=S((g,A)=>{a(I=>$o(I,g,A))},[]),{run:y}=f;b(()=>{y===void 0||wn(y)||(m.current.add(y.id),y.answer?h(e,y.answer):a(g=>g.sent?.session===e?Em(g,y):g))},[y,e,h]);let k=(g,A)=>{Oe().params.session===g&&Ce({session:g,run:A},{replace:!0})},C=async(g,A,I)=>{let L=q=>d.update(ue=>Ga(ue,q));try{for await(let q of ha({open:A,reopen:x.runEvents},{signal:I,onLost:L}))q.name==="answer"?h(g.session,q.data):d.update(ue=>ja(ue,q)),q.name==="accepted"&&(g.follows===""&&va(q.data.run_id),l.accepted(q.data.run_id),r(g.session))}catch(q){if(!(q instanceof et))throw q;k(g.session,q.run)}finally{let{run:q}=d.latest();q!==""&&m.current.add(q),r(g.session)}},w=(g,A)=>{d.reset(),l.reset(),a(I=>({...I,sent:g,waiting:!0})),u.run(async I=>{try{await A(I),l.ended()}catch(L){if(Am(L)){let q=d.latest();a(ue=>Va(q)?ii(ue,q):Qe(ue)),l.ended();return}if(a(q=>Cm(L)?ci(Qe(q),g.token):Qe(q)),g.follows===""||!Rm(L))throw L}})},v=(g,A)=>{p.current.add(g.session);let I=g.question!==""&&g.place.edit===0;a(L=>({...L,editing:void 0,...I&&{draft:"",attachments:[]}})),Ce({session:g.session},{replace:e!==""}),w(g,async L=>{if(!g.background){let ue={...A,lease_seconds:Ja};await C(g,vn=>x.streamChat(ue,vn),L);return}let{id:q}=await x.startChat(A,L);k(g.session,q),r(g.session)})},E=(g={})=>{let A=e||Im(),I=i.draft.trim(),{background:L}=n,{attachments:q}=i,ue={...Be,...g};v({...Fe,session:A,question:I,attachments:q,background:L,place:ue},dn(I,A,n,{attachments:q,place:ue,choice:o}))},V=(g,A)=>{let I={...Be,edit:g};v({...Fe,session:e,question:A,background:n.background,place:I},dn(A,e,n,{place:I,choice:o}))},G=({number:g=0,question:A="",attachments:I})=>{let L={...Be,regenerate:g};v({...Fe,session:e,background:n.background,place:L,shown:{question:A,attachments:I}},dn("",e,n,{place:L,choice:o}))},ne=({request_id:g,resume_token:A})=>{if(!A)return;let{background:I}=n;v({...Fe,session:e,background:I,replaces:g,token:A},oi(A,e,n))},D=g=>{if(u.busy||f.active||m.current.has(g))return;let A={...Fe,session:e,follows:g};w(A,I=>C(A,L=>x.runEvents(g,"",L),I))},B=()=>{u.busy?l.request(d.latest().run):f.cancel()};return{...i,task:u,live:d.shown,stop:l.state,followed:f,busy:u.busy||f.active,fresh:p.current.has(e)||t!=="",markFound:S(g=>{p.current.delete(g)},[]),write:S(g=>a(A=>({...A,draft:g})),[]),attach:S(g=>{a(A=>({...A,attachments:[...A.attachments,...g]}))},[]),detach:S(g=>{a(A=>({...A,attachments:A.attachments.filter((I,L)=>L!==g)}))},[]),changeAttachment:S((g,A)=>{a(I=>ai(I,g,A))},[]),beginEdit:S((g,A)=>{a(I=>({...I,editing:{turn:g,text:A}}))},[]),endEdit:S(()=>a(g=>({...g,editing:void 0})),[]),send:E,edit:V,regenerate:G,resume:ne,follow:D,cancel:B}}function Em(e,{steps:t}){return t.some(({step:n})=>n==="tool")?{...e,waiting:!1}:Qe(e)}function Cm(e){return e instanceof R&&e.kind==="refused"&&e.code!==Tm}function Am(e){return e instanceof R&&e.status===200&&e.code===xm}function Rm(e){return e instanceof R&&e.status===404}function Im(){let e=crypto.getRandomValues(new Uint8Array(Sm));return Array.from(e,t=>t.toString(16).padStart(2,"0")).join("")}var Bo=40,Om=100,Fo=e=>({id:e,session:void 0,messages:[],path:[],from:1});function oc(e,t,{blocked:n,running:o,fresh:r}){let s=te(),[i,a]=$(()=>Fo(e)),u=i.id===e?i:Fo(e),d=_(u);d.current=u;let l=_(r);l.current=r;let f=Z(),p=Z(),{run:m,cancel:h}=f,y=S(()=>m(async v=>{e!==""&&a(await Lm(e,t,d.current,{fresh:l.current,signal:v}))}),[m,e,t]);b(()=>(n||y(),h),[y,h,n,o,s]);let k=S(v=>{a(E=>E.session&&E.id===v.id?{...E,session:v}:E)},[]),C=p.run,w=S(()=>C(async v=>{let{from:E,path:V}=d.current,G=rc(V.filter(D=>D<E)),{messages:ne}=await Ho(e,t,G,E,v);a(D=>D.id===e?{...D,messages:[...ne,...D.messages],from:G}:D)}),[C,e,t]);return{...u,loading:e!==""&&f.busy&&u.session===void 0,error:f.error,reload:y,update:k,earlier:{busy:p.busy,since:p.since,error:p.error,show:w}}}async function Lm(e,t,n,{fresh:o,signal:r}){let s=await Dm(e,o&&n.session===void 0,r);if(s===void 0)return Fo(e);let i=Math.max(1,s.turns-Bo+1),a=n.session?.created_at===s.created_at,u=a?Math.min(i,n.messages.at(-1)?.turn??i):i,d=await Ho(e,t,u,1/0,r),{path:l}=d,f=a?n.messages.filter(({turn:h})=>h<u):[];if(f.length>0&&Mm(f,l,n.from,u))return{id:e,session:s,messages:[...f,...d.messages],path:l,from:Math.min(n.from,u)};let p=rc(l);if(p>=u)return{id:e,session:s,messages:d.messages,path:l,from:(l[0]??1)>=u?1:u};let m=await Ho(e,t,p,1/0,r);return{id:e,session:s,messages:m.messages,path:m.path,from:p}}function Mm(e,t,n,o){let r=new Set(e.map(({turn:i})=>i)),s=t.filter(i=>i>=n&&i<o);return s.length===r.size&&s.every(i=>r.has(i))}function rc(e){return e.length>Bo?e.at(-Bo)??1:1}async function Dm(e,t,n){try{return await x.session(e,n)}catch(o){if(t&&o instanceof R&&o.status===404)return;throw o}}async function Ho(e,t,n,o,r){let s=[];for(let i=void 0;;){let a=await x.messages(e,{limit:Om,cursor:i,fromTurn:n,branch:t,signal:r});if(s.push(...a.messages),i=a.cursor??void 0,i===void 0||(s.at(-1)?.turn??0)>=o)return{messages:s.filter(u=>u.turn<o),path:a.turns??[]}}}var Nm=[1e3,2e3,3e3,5e3,8e3];function sc(e,t,n,o){let r=e.at(-1)?.answer.session,s=r?.title_pending?r.id:"",i=r?.title??"",a=_(t);a.current=t,b(()=>{if(s==="")return;let u=new AbortController;return(async()=>{for(let l of Nm){if(await new Promise(p=>setTimeout(p,l)),u.signal.aborted)return;let f=await x.session(s,u.signal);if(a.current?.id===s&&a.current.title!==i)return;if(f.title!==i){n(f),o(f);return}}})().catch(()=>{}),()=>u.abort()},[s,i,n,o])}var Pm="flexchat-chat",qm=1500;function ic(e){let t=_(e);t.current=e;let n=_(void 0);return b(()=>{let o=new BroadcastChannel(Pm);return n.current=o,o.onmessage=({data:r})=>{typeof r?.session=="string"&&t.current(r.session)},()=>{n.current=void 0,o.close()}},[]),S(o=>n.current?.postMessage({session:o}),[])}function ac(e,t){let{session:n,reload:o}=t,{busy:r,follow:s}=e,i=_({busy:r,follow:s,reload:o});i.current={busy:r,follow:s,reload:o},b(()=>{let a=n?.answering;if(!a||r)return;a.run_id&&i.current.follow(a.run_id);let u=setTimeout(()=>{!i.current.busy&&!document.hidden&&i.current.reload()},qm);return()=>clearTimeout(u)},[n,r]),b(()=>{let a=()=>{!document.hidden&&!i.current.busy&&i.current.reload()};return document.addEventListener("visibilitychange",a),()=>document.removeEventListener("visibilitychange",a)},[])}function cc(e,{read:t,deleted:n,whole:o}){let r=e.at(-1),s=new Map(e.map(i=>[i.id,i]));for(let i of t.values()){let a=s.get(i.id);(a?i.updated_at>=a.updated_at:o||!r||i.updated_at>r.updated_at)&&s.set(i.id,i)}return[...s.values()].filter(i=>!n.has(i.id)).sort((i,a)=>+(i.updated_at<a.updated_at)-+(i.updated_at>a.updated_at))}var Um=20,uc=()=>({read:new Map,deleted:new Set,pages:1});function lc(e){let t=te(),[n,o]=$(uc);b(()=>o(uc),[t]);let r=ie(f=>Bm(n.pages,f),[n.pages]),s=S(f=>{o(p=>({...p,read:new Map(p.read).set(f.id,f)}))},[]),i=S(async(f,p)=>{let m=await x.renameSession(f,p);s(m),e(m)},[s,e]),a=S(async f=>{await x.deleteSession(f),o(p=>({...p,deleted:new Set(p.deleted).add(f)}))},[]),u=S(()=>o(f=>({...f,pages:f.pages+1})),[]),{data:d}=r,l=H(()=>d&&cc(d.sessions,{...n,whole:!d.cursor}),[d,n]);return{...r,sessions:l,more:!!d?.cursor,showMore:u,addSession:s,rename:i,remove:a}}async function Bm(e,t){let n=[],o;for(let r=0;r<e;r+=1){let s=await x.sessions({limit:Um,cursor:o,signal:t});if(n.push(...s.sessions),o=s.cursor??void 0,o===void 0)break}return{sessions:n,cursor:o}}function dc({route:e}){let{session:t="",run:n="",branch:o=""}=e.params,[r,s]=$(ni),i=yt(e.params),a=_((()=>{})),u=ic(B=>a.current(B)),d=nc(t,n,r,i,{onChange:u}),l=oc(t,o,{blocked:d.busy&&d.waiting&&d.sent?.session===t,running:d.followed.active,fresh:d.fresh}),f=lc(l.update);a.current=B=>{B===t?l.reload():f.reload()},ac(d,l);let p=Ha(t,d),m=d.task.error?.code==="session_busy",{reload:h}=l;b(()=>{m&&h()},[m,h]);let{addSession:y}=f,{markFound:k}=d;b(()=>{l.session&&(y(l.session),k(l.session.id))},[l.session,y,k]);let C=S(B=>s(g=>({...g,...B})),[]);sc(d.received,l.session,l.update,y);let w=()=>Ce(),v=Ls("Conversations",[{sign:"+",label:"New chat",run:w}]),E=()=>{w(),v.close(),v.isNarrow||document.getElementById(mo)?.focus()},V=B=>{B!==t&&Ce({session:B}),v.close()},G=si(r)+ +(i.rule!=="")+ +(i.model!==""),ne=r.collections.length,D=c`
    <button type="button" onClick=${E}>New chat</button>
    ${p.others.length>0&&c`<${ee} open=${!v.isNarrow} summary=${c`<h2>Decisions</h2> <small>${p.others.length} waiting</small>`}>
        ${p.others.map(B=>c`<${an} key=${B.id} approval=${B} onDecided=${({run_id:g})=>g&&p.reload()} />`)}
      <//>`}
    <${ee} open summary=${c`<h2>Sessions</h2>`}>
      <${Ba}
        sessions=${f}
        open=${t}
        onOpen=${V}
        onDeleted=${B=>B===t&&w()}
      />
    <//>
    <${ee}
      open=${!v.isNarrow}
      summary=${c`<h2>Collections</h2>${ne>0&&c` <small>${ne} selected</small>`}`}
    >
      <${Ma} options=${r} onChange=${C} />
    <//>
    <${ee}
      open=${!v.isNarrow}
      summary=${c`<h2>Options</h2>${G>0&&c` <small>${G} selected</small>`}`}
    >
      <${La} options=${r} onChange=${C} />
    <//>
  `;return c`
    <${Ds} title="Chat" controls=${D} drawer=${v}>
      <${Ca} id=${t} branch=${o} chat=${d} conversation=${l} approvals=${p.own} options=${r} onBegin=${w} />
    <//>
  `}var fc=100;function mc({route:e}){let t=_r(),n=ie(i=>Fm(e.id,t,i),[e.id,t]),{data:o,error:r}=n,s=H(()=>_n(o?.messages??[],[]),[o]);return c`
    <div class="shared-session">
      <div>
        <h1>${o?.title||"Shared conversation"}</h1>
        ${o&&c`<small>Read-only, ${N(o.turns,"turn")}, shared <${ce} at=${o.shared_at} />, link
            expires <${ce} at=${o.expires_at} />${o.tool_calls?"":", without tool calls"}</small>`}
      </div>
      ${r&&c`<${P} error=${r} onRetry=${r.status===404?void 0:n.reload} />`}
      ${!o&&!r&&c`<${ae} lines=${8} label="the conversation" />`}
      <div class="chat-turns">
        ${s.map(i=>c`<${yn} key=${i.key} session="" turn=${i} open=${!1} tokenUsed=${!1} />`)}
      </div>
    </div>
  `}async function Fm(e,t,n){let o=await x.sharedSession(e,t,{limit:fc,signal:n}),r=[...o.messages];for(let{cursor:s}=o;s;){let i=await x.sharedSession(e,t,{limit:fc,cursor:s,signal:n});r.push(...i.messages),s=i.cursor}return{...o,messages:r}}var Hm={chat:dc,shared:mc},Km={"tools-testing":"ToolsTesting",validation:"Validation",traces:"Traces",runs:"Run",usage:"Usage",retrieval:"Retrieval",configuration:"Configuration"};function pc({route:e}){let t=Hm[e.view],{module:n,failed:o,retry:r}=Ge("views",t===void 0),s=Km[e.view],i=t??(s&&n?.[s]);return i?c`<${i} route=${e} />`:o?c`<${Wm} onRetry=${r} />`:c`<${ae} lines=${8} label="the view" />`}function Wm({onRetry:e}){return c`
    <div class="problem" role="alert">
      <h1><span aria-hidden="true">✕</span> View not loaded</h1>
      <p>The network failed, or the service was updated since you opened this page. A reload gets the current page; your drafts stay.</p>
      <div class="row">
        <button type="button" class="primary" onClick=${()=>location.reload()}>Reload page</button>
        <button type="button" onClick=${e}>Try again</button>
      </div>
    </div>
  `}function hc(){let e=Kt(),t=te(),n=Dr(),o=_(t!==""),r=_(t),[s,i]=$(t===""||br()),[a,u]=$(!1);return o.current=t!==""||o.current&&n!=="",b(Wt,[]),b(()=>{let d=e.view==="shared"?"Shared conversation":"Trace",l=at.find(f=>f.name===e.view)?.title??d;document.title=`${l} · Flexchat`},[e.view]),b(()=>{r.current!==t&&(r.current=t,i(t===""))},[t]),Nr(S(()=>i(!0),[])),We([{keys:"?",label:"Show keyboard shortcuts",run:()=>u(!0)}]),c`
    <a class="skip" href="#main">Skip to content</a>
    <${vs} route=${e} onHelp=${()=>u(!0)} />
    <main id="main" tabindex="-1">
      ${o.current&&c`<${pc} key=${e.view} route=${e} />`}
    </main>
    <${Is}
      open=${s}
      needed=${t===""}
      ended=${n}
      shared=${e.view==="shared"}
      onClose=${()=>i(!1)}
    />
    <${Ve} title="Keyboard shortcuts" open=${a} onClose=${()=>u(!1)}>
      <dl class="keys">
        ${Wn().map(({keys:d,label:l})=>c`
            <dt><kbd>${he(d)}</kbd></dt>
            <dd>${l}</dd>
          `)}
        <dt><kbd>Tab</kbd></dt>
        <dd>Move to the next control</dd>
      </dl>
    <//>
  `}In(c`<${hc} />`,document.getElementById("app"));export{$ as a,b,X as c,_ as d,H as e,S as f,oe as g,c as h,W as i,Se as j,Oe as k,Bn as l,ct as m,Le as n,We as o,he as p,re as q,je as r,ft as s,te as t,Ve as u,De as v,R as w,ie as x,Z as y,Jr as z,Pe as A,zp as B,Jp as C,Yp as D,Qr as E,ts as F,Xp as G,Qp as H,A$ as I,Ds as J,le as K,tn as L,P as M,me as N,N as O,j as P,us as Q,Je as R,_e as S,ls as T,Ye as U,fh as V,Q as W,ae as X,ds as Y,U as Z,vt as _,h_ as $,sn as aa,ce as ba,po as ca,$_ as da,__ as ea,ji as fa,Lt as ga,He as ha,It as ia,Ad as ja,pe as ka,Ke as la,Wg as ma,ee as na,kt as oa,fe as pa,ta as qa,na as ra,Ys as sa,X$ as ta,Vi as ua,sb as va,St as wa,Ue as xa,Ji as ya,Oo as za,db as Aa,Yi as Ba,zd as Ca,fb as Da,Jd as Ea,Qi as Fa,mb as Ga,Og as Ha,Di as Ia,$n as Ja,Gi as Ka,Io as La,T as Ma,x as Na};
