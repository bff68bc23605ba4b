/*! preact 11.2.0, MIT: see LICENSE.preact.txt */var B,ho,ga,ge,on,xt,$o,kt,_o,sn,rn,ba,Ge=Symbol.for("pv"),Et={},Ct=[],ya=/^m(i|n|o|s|text|space)$/,an=Array.isArray,cn=Ct.slice,ke=Object.assign;function ve(e){e&&e.parentNode&&e.remove()}function go(e,t,n){var o,r,s,i={},a=arguments.length;for(s in t)s=="key"?o=t[s]:s=="ref"&&typeof e!="function"?r=t[s]:i[s]=t[s];return a>2&&(i.children=a>3?cn.call(arguments,2):n),Ve(e,i,o,r,null)}function Ve(e,t,n,o,r){var s={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:Ge,__v:r||++ho,__i:-1,__u:0};return!r&&B.vnode&&B.vnode(s),s}function ze(e){return e.children}function Tt(e,t){this.props=e,this.context=t,this.__g=0}function be(e,t){if(t==null)return e.__&&be(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:be(e)}function wa(e){var t,n=e.__v,o=n.__e,r=[],s=[],i=e.__P;i&&((t=ke({constructor:Ge},n)).__v=n.__v+1,B.vnode&&B.vnode(t),un(i,t,n,e.__n,i.namespaceURI,32&n.__u?[o]:null,r,o||be(n),32&n.__u,s),t.__v=n.__v,t.__.__k[t.__i]=t,To(r,t,s),n.__=n.__e=null,t.__e!=o&&bo(t))}function bo(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),bo(e)}function mo(e){(8&e.__g||(e.__g|=8,ge.push(e),xt++))&&on==B.debounceRendering||((on=B.debounceRendering)||queueMicrotask)(yo)}function yo(){try{for(var e,t=1;ge.length;)ge.length>t&&ge.sort($o),e=ge.shift(),t=ge.length,8&e.__g&&wa(e)}finally{(xt=ge.length)&&(on||queueMicrotask)(yo)}}function wo(e,t,n,o,r,s,i,a,u,d,l){var f,p,m,h,w,v,C=o.__k||Ct,y=t.length;for(u=va(n,t,C,u,y),f=0;f<y;f++)(m=n.__k[f])!=null&&(p=~m.__i&&C[m.__i]||Et,m.__i=f,v=un(e,m,p,r,s,i,a,u,d,l),h=m.__e,(p.ref!=m.ref||8&p.__u)&&(p.ref&&ln(p.ref,null,m,p),m.ref&&l.push(m.ref,m.__c||h,m)),w=w||h,4&m.__u?(u=vo(m,u,e,!p.__v),p.__e&&(p.__e=null)):typeof m.type=="function"&&v!==void 0?u=v:h&&(u=h.nextSibling),m.__u&=-21);return n.__e=w,u}function va(e,t,n,o,r){var s,i,a,u,d,l,f,p,m,h=n.length,w=h,v=0,C=0,y=e.__k=Array(r);for(s=0;s<r;s++)(i=t[s])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=y[s]=Ve(null,i):an(i)?i=y[s]=Ve(ze,{children:i}):i.constructor===Ge&&i.__b?i=y[s]=Ve(i.type,i.props,i.key,i.ref,i.__v):y[s]=i,u=s+v,i.__=e,i.__b=e.__b+1,a=null,~(d=i.__i=ka(i,n,u,w))&&(w--,(a=n[d])&&(a.__u|=2)),a&&a.__v?(i.__u|=16,d==u-1?v--:d==u+1?v++:d!=u&&(d>u?v--:v++,C=1)):(~d||(r>h?v--:r<h&&v++),typeof i.type!="function"&&(i.__u|=4))):y[s]=null;if(C){for(l=[],f=[],s=0;s<r;s++)if((i=y[s])&&16&i.__u){for(v=0,p=l.length;v<p;)l[m=v+p>>1]<i.__i?v=m+1:p=m;l[v]=i.__i,f[s]=v+1}for(v=l.length;s--;)f[s]&&(f[s]==v?v--:y[s].__u|=4)}if(w)for(s=0;s<h;s++)!(a=n[s])||2&a.__u||(a.__e==o&&(o=be(a)),dn(a,a));return o}function vo(e,t,n,o){var r,s,i,a;if(typeof e.type=="function"){if(e.props.__P)return t;if(r=e.__k)for(s=0;s<r.length;s++)r[s]&&(r[s].__=e,t=vo(r[s],t,n,!1));return t}for(t&&!t.parentNode&&(t=be(e))&&!t.parentNode&&(t=null),i=e.__e,a=t;a&&a.nodeType==8;)a=a.nextSibling;for(i!=a&&(!o&&n.moveBefore&&i.parentNode?n.moveBefore(i,t):n.insertBefore(i,t||null)),t=i;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function ka(e,t,n,o){var r,s=e.key,i=e.type,a=t[n],u=a&&!(2&a.__u);if(a===null&&s==null||u&&s==a.key&&i==a.type)return n;if(o>(u?1:0)){for(r=n-1;r>=0;r--)if((a=t[r])&&!(2&a.__u)&&s==a.key&&i==a.type)return r;for(r=n+1;r<t.length;r++)if((a=t[r])&&!(2&a.__u)&&s==a.key&&i==a.type)return r}return-1}function po(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function vt(e,t,n,o,r){var s,i;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.cssText=o=""),o)for(t in o)n&&t in n||po(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||po(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(i=rn[t]||(rn[t]=Ta(t)),(e.__a||(e.__a={}))[t]=sn,s=t!=(t=t.replace(_o,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,i,s):e.removeEventListener(t,i,s));else{if(r=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function Ta(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[kt]==null)t[kt]=sn++;else if(t[kt]<this.__a[e])return;return n(B.event?B.event(t):t)}}}function un(e,t,n,o,r,s,i,a,u,d){var l,f,p,m,h,w,v,C,y,k,E,V,te,X,I,Q,g,x,R=t.type;if(t.constructor!==Ge)return null;128&n.__u&&(u=32&n.__u,l=n.__c.__z)&&(t.__u|=u,f=s=[],l.nodeType==8?a=St(l,s):s.push(l),a=s[0]||a),(l=B.__b)&&l(t);e:if(typeof R=="function"){p=i.length;try{if(C=t.props,y=(l=R.prototype)&&l.render,k=(l=R.contextType)&&o[l.__c],E=l?k?k.props.value:l.__:o,(m=n.__c)?(t.__c=m,2&m.__g&&(m.__g|=1)):(y?t.__c=m=new R(C,E):(t.__c=m=new Tt(C,E),m.constructor=R,m.render=xa),k&&k.sub(m),m.state||(m.state={}),m.__n=o,m.__g|=8,m.__h=[],m.__k=[]),y&&(m.__s||(m.__s=m.state),R.getDerivedStateFromProps&&(m.__s==m.state&&(m.__s=ke({},m.__s)),ke(m.__s,R.getDerivedStateFromProps(C,m.__s)))),h=m.props,w=m.state,m.__v=t,n.__c){if(C!==h&&y&&!R.getDerivedStateFromProps&&m.componentWillReceiveProps&&m.componentWillReceiveProps(C,E),t.__v==n.__v&&!(8&m.__g)||!(4&m.__g)&&m.shouldComponentUpdate&&m.shouldComponentUpdate(C,m.__s,E)===!1){t.__v!=n.__v&&(m.props=C,m.state=m.__s,m.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(L){L&&(L.__=t)}),Ct.push.apply(m.__h,m.__k),m.__k=[],m.__h.length&&i.push(m),a=be(n);break e}m.componentWillUpdate&&m.componentWillUpdate(C,m.__s,E),y&&m.componentDidUpdate&&m.__h.push(function(){m.componentDidUpdate(h,w,v)})}else y&&!R.getDerivedStateFromProps&&m.componentWillMount&&m.componentWillMount(),y&&m.componentDidMount&&m.__h.push(m.componentDidMount);m.context=E,m.props=C,m.__P=e,m.__g&=-5,V=B.__r,te=y?25:0;do m.__g&=-9,V&&V(t),l=m.render(m.props,m.state=m.__s,m.context);while(8&m.__g&&++te<25);y&&(Ct.push.apply(m.__h,m.__k),m.__k=[]),m.state=m.__s,m.getChildContext&&(o=ke({},o,m.getChildContext())),y&&n.__c&&m.getSnapshotBeforeUpdate&&(v=m.getSnapshotBeforeUpdate(h,w)),X=l&&l.type===ze&&l.key==null?l.props.children:l,C.__P&&(l=a,r=(e=C.__P).namespaceURI,u=s=null,n.props&&n.props.__P!=e&&(n.__k.some(function(L){L&&dn(L,L)}),n.__k=null),a=n.__k?be(n,0):null),a=wo(e,an(X)?X:[X],t,n,o,r,s,i,a,u,d),C.__P&&(t.__e=null,a=l),t.__u&=-161,f&&f.some(ve),m.__h.length&&i.push(m),1&m.__g&&(m.__g&=-4)}catch(L){if(i.length=p,t.__v=null,u||s)if(L&&L.then){if(t.__u|=128|u,s){for(~(g=s.indexOf(a||void 0))||(g=s.length);(x=s[g-1])&&x.nodeType==8;)g--;for(;g<s.length;g++)if(x=s[g])if(s[g]=null,I){if(x==Q)break}else{if(x.nodeType!=8)break;x.data.startsWith("$s")&&(Q=St(I=x))}}if(!I){for(;a&&a.nodeType==8&&a.nextSibling;)a=a.nextSibling;I=a}(l=St(I=t.__c.__z||(t.__c.__z=I)))?(t.__e=I,a=l):t.__e=a,a=a&&a.nextSibling}else s&&s.some(ve);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),L&&L.then||ko(t),B.__e(L,t,n)}}else a=t.__e=Sa(n.__e,t,n,o,r,s,i,u,d,e);return(l=B.diffed)&&l(t),a}function St(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function ko(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(ko))}function To(e,t,n){for(var o=0;o<n.length;)ln(n[o++],n[o++],n[o++]);B.__c&&B.__c(t,e),e.some(function(r){try{e=r.__h,r.__h=[],e.some(function(s){s.call(r)})}catch(s){B.__e(s,r.__v)}})}function Sa(e,t,n,o,r,s,i,a,u,d){var l,f,p,m,h,w,v,C,y=n.props||Et,k=t.props,E=t.type;if(E=="svg"?r="http://www.w3.org/2000/svg":E=="math"?r="http://www.w3.org/1998/Math/MathML":r||(r="http://www.w3.org/1999/xhtml"),s){for(l=0;l<s.length;l++)if((h=s[l])&&(E?h.localName==E:h.nodeType==3)){e=h,s[l]=null;break}}if(!e){if(C=d.ownerDocument||document,!E)return C.createTextNode(k);e=C.createElementNS(r,E,k.is?k:d),a&&(B.__m&&B.__m(t,s),a=!1),s=null}if(E){if(d=E=="template"&&e.content||e,s=E=="textarea"&&k.defaultValue!=null?null:s&&cn.call(d.childNodes),!a&&s)for(y={},l=0;l<e.attributes.length;l++)y[(h=e.attributes[l]).name]=h.value;for(l in y)h=y[l],l=="dangerouslySetInnerHTML"?p=h:l=="children"||l in k||l=="value"&&"defaultValue"in k||l=="checked"&&"defaultChecked"in k||vt(e,l,null,h,r);for(l in k)h=k[l],l=="children"?m=h:l=="dangerouslySetInnerHTML"?f=h:l=="value"?w=h:l=="checked"?v=h:a&&typeof h!="function"||y[l]===h||vt(e,l,h,y[l],r);f?(a||p&&(f.__html==p.__html||f.__html==e.innerHTML)||(e.innerHTML=f.__html),t.__k=[]):(p&&(e.textContent=""),(E=="foreignObject"||r=="http://www.w3.org/1998/Math/MathML"&&ya.test(E))&&(r="http://www.w3.org/1999/xhtml"),wo(d,an(m)?m:[m],t,n,o,r,s,i,s?s[0]:n.__k&&be(n,0),a,u),s&&s.some(ve)),a&&E!="textarea"||(l="value",E=="progress"&&w==null?e.removeAttribute(l):w==null||w===e[l]&&(E!="progress"||w)||vt(e,l,w,y[l],r),l="checked",v!=null&&v!=e[l]&&vt(e,l,v,y[l],r))}else y===k||a&&e.data==k||(e.data=k);return e}function ln(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(r){B.__e(r,n)}}function dn(e,t,n){var o,r,s,i;if(B.unmount&&B.unmount(e),!(o=e.ref)||o.current&&o.current!=e.__e||ln(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(a){B.__e(a,t)}o.__P=o.__n=null}if(o=e.__k)for(i=0;i<o.length;i++)o[i]&&dn(o[i],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(r=St(o,s=[]))&&(o==e.__e&&s.some(ve),ve(r),ve(o)),n||ve(e.__e),e.__e=e.__c=e.__=null}function xa(e,t,n){return this.constructor(e,n)}function fn(e,t){var n,o,r,s;B.__&&B.__(e,t),t.nodeType==9&&(t=t.documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=Ve(ze,{children:[e]}),r=[],s=[],un(t,t.__k,o||Et,Et,t.namespaceURI,o?null:t.firstChild?cn.call(t.childNodes):null,r,o?o.__e:t.firstChild,n,s),To(r,t.__k,s),t.__k.props.children=null}B={__e:function(e,t,n,o){for(var r,s,i;t=t.__;)if((r=t.__c)&&!(1&r.__g)){r.__g|=4;try{if((i=(s=r.constructor)&&s.getDerivedStateFromError)&&r.setState(s.getDerivedStateFromError(e)),r.componentDidCatch&&(r.componentDidCatch(e,o||{}),i=1),i&&8&r.__g)return void(r.__g|=2)}catch(a){e=a}}throw xt=0,e}},ho=0,ga=function(e){return e!=null&&e.constructor===Ge},Tt.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=ke({},this.state)),typeof e=="function"&&(e=e(ke({},n),this.props)),e&&(ke(n,e),this.__v&&(t&&this.__k.push(t),mo(this)))},Tt.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),mo(this))},Tt.prototype.render=ze,ge=[],xt=0,$o=function(e,t){return e.__v.__b-t.__v.__b},kt=Symbol(),_o=/(PointerCapture)$|Capture$/i,sn=0,rn={},ba=0;/*! htm 3.1.1, Apache-2.0: see LICENSE.htm.txt */var xo=function(e,t,n,o){var r;t[0]=0;for(var s=1;s<t.length;s++){var i=t[s++],a=t[s]?(t[0]|=i?1:2,n[t[s++]]):t[++s];i===3?o[0]=a:i===4?o[1]=Object.assign(o[1]||{},a):i===5?(o[1]=o[1]||{})[t[++s]]=a:i===6?o[1][t[++s]]+=a+"":i?(r=e.apply(a,xo(e,a,n,["",null])),o.push(r),a[0]?t[0]|=2:(t[s-2]=0,t[s]=r)):o.push(a)}return o},So=new Map;function Eo(e){var t=So.get(this);return t||(t=new Map,So.set(this,t)),(t=xo(this,t.get(e)||(t.set(e,t=(function(n){for(var o,r,s=1,i="",a="",u=[0],d=function(p){s===1&&(p||(i=i.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?u.push(0,p,i):s===3&&(p||i)?(u.push(3,p,i),s=2):s===2&&i==="..."&&p?u.push(4,p,0):s===2&&i&&!p?u.push(5,0,!0,i):s>=5&&((i||!p&&s===5)&&(u.push(s,0,i,r),s=6),p&&(u.push(s,p,0,r),s=6)),i=""},l=0;l<n.length;l++){l&&(s===1&&d(),d(l));for(var f=0;f<n[l].length;f++)o=n[l][f],s===1?o==="<"?(d(),u=[u],s=3):i+=o:s===4?i==="--"&&o===">"?(s=1,i=""):i=o+i[0]:a?o===a?a="":i+=o:o==='"'||o==="'"?a=o:o===">"?(d(),s=1):s&&(o==="="?(s=5,r=i,i=""):o==="/"&&(s<5||n[l][f+1]===">")?(d(),s===3&&(u=u[0]),s=u,(u=u[0]).push(2,0,s),s=0):o===" "||o==="	"||o===`
`||o==="\r"?(d(),s=2):i+=o),s===3&&i==="!--"&&(s=4,u=u[0])}return d(),u})(e)),t),arguments,[])).length>1?t:t[0]}/*! preact/hooks 11.2.0, MIT: see LICENSE.preact.txt */var Te,K,mn,Co,pn=Object.is,Ye=0,Po=[],hn=[],W=B,Ao=W.__b,Ro=W.__r,Oo=W.diffed,Io=W.__c,Lo=W.unmount,Mo=W.__;function Xe(e,t){W.__h&&W.__h(K,e,Ye||t),Ye=0;var n=K.__H||(K.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function $(e){return Ye=1,Ea(qo,e)}function Ea(e,t,n){var o=Xe(Te++,2);if(o.t=e,!o.__c&&(o.__=[n?n(t):qo(void 0,t),function(s){var i=(o.__N||o.__)[0],a=o.t(i,s);pn(i,a)||(o.__N=[a,o.__[1]],o.__c.setState({}))}],o.__c=K,!K.__f)){K.__f=!0;var r=K.shouldComponentUpdate;K.shouldComponentUpdate=function(s,i,a){var u=this.__H;if(!u)return!0;var d=!1,l=this.props!=s;if(u.__.some(function(p){p.__N&&(d=!0,pn(p.__[0],p.__N[0])||(l=!0))}),r){var f=r.call(this,s,i,a);return d?f||l:f}return!d||l}}return o.__}function b(e,t){var n=Xe(Te++,3);!W.__s&&_n(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,K.__H.__h.push(n))}function G(e,t){var n=Xe(Te++,4);!W.__s&&_n(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,K.__h.push(n))}function _(e){return Ye=5,F(function(){return{current:e}},[])}function F(e,t){var n=Xe(Te++,7);return _n(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function T(e,t){return Ye=8,F(function(){return e},t)}function ne(){var e=Xe(Te++,11);if(!e.__){for(var t=K.__v;!t.__m&&t.__;)t=t.__;var n=t.__m||(t.__m=[0,0]);e.__="P"+n[0]+"-"+n[1]++}return e.__}function Ca(){var e;do{for(;e=hn.shift();)try{Je(e)}catch(n){W.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=Po.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(Je),t.__h.some($n),t.__h=[]}catch(n){t.__h=[],W.__e(n,e.__v)}}}while(hn.length)}W.__b=function(e){K=null,Ao&&Ao(e)},W.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Mo&&Mo(e,t)},W.__r=function(e){Ro&&Ro(e),Te=0;var t=(K=e.__c).__H;t&&(mn==K?K.__h=[]:(t.__h.some(Je),t.__h.some($n),Te=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),mn=K},W.diffed=function(e){Oo&&Oo(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&No(Po.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),mn=K=null},W.__c=function(e,t){t.some(function(n){try{n.__h.some(Je),n.__h=n.__h.filter(function(o){return!o.__||$n(o)})}catch(o){n.__h=[function(){throw o}]}}),Io&&Io(e,t)},W.unmount=function(e){Lo&&Lo(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(r){try{if(r.__P&&r.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}r.__P=n,No(hn.push(r))}else Je(r)}catch(s){t=s}}),o.__H=void 0,t&&W.__e(t,o.__v))};var Do=typeof requestAnimationFrame=="function";function Aa(e){var t,n=function(){clearTimeout(o),Do&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);Do&&(t=requestAnimationFrame(n))}function No(e){e!=1&&Co==W.requestAnimationFrame||((Co=W.requestAnimationFrame)||Aa)(Ca)}function Je(e){var t=K,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),K=t}function $n(e){var t=K;e.__c=e.__(),K=t}function _n(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!pn(n,e[o])})}function qo(e,t){return typeof t=="function"?t(e):t}var c=Eo.bind(go);var gn=new Set;function bn(){return[...gn].flatMap(e=>e.current)}function Me(e){let t=_(e);t.current=e,G(()=>(gn.add(t),()=>{gn.delete(t)}),[])}function Ra(e){let t=`${e.ctrlKey||e.metaKey?"mod+":""}${e.key}`,o=(e.target instanceof HTMLElement?e.target:null)?.matches("input:not([type=checkbox], [type=radio], [type=range]), textarea, select");if(e.defaultPrevented||e.isComposing||e.altKey||o&&t.length===1||document.querySelector("dialog[open], [popover]:popover-open"))return;let r=bn().findLast(s=>s.keys===t);r!==void 0&&(e.preventDefault(),r.run())}addEventListener("keydown",Ra);var Oa=/Mac|iP/.test(navigator.platform);function fe(e){return e.replace("mod+",Oa?"⌘ ":"Ctrl ").replace("Enter","⏎").replace("Escape","Esc")}var oe=new URL("../../",import.meta.url),Qe=document.querySelector('meta[name="flexchat-stage"]')?.getAttribute("content")??"",vn="chat",Ze=[{name:"chat",title:"Chat"},{name:"tools-testing",title:"Test"},{name:"validation",title:"Validation"},{name:"traces",title:"Traces"},{name:"usage",title:"Usage"},{name:"retrieval",title:"Retrieval"},{name:"configuration",title:"Configuration",role:"operator"}],yn="flexchat:route",wn="runs/",Bo="shared/";function Se(){let e=location.pathname.slice(oe.pathname.length).replace(/\/$/,""),t=Object.fromEntries(new URLSearchParams(location.search));return e.startsWith(wn)?{view:"runs",id:Uo(e.slice(wn.length)),params:t}:e.startsWith(Bo)?{view:"shared",id:Uo(e.slice(Bo.length)),params:t}:{view:Ze.find(o=>o.name===e)?.name??vn,id:"",params:t}}function Uo(e){try{return decodeURIComponent(e)}catch{return e}}function kn(e){return`${wn}${encodeURIComponent(e)}`}function Fo(){return location.hash.slice(1)}function et(e,t={}){let n=new URL(e,oe);for(let[o,r]of Object.entries(t))r!==""&&n.searchParams.set(o,r);return n.href}function xe(e,t={},{replace:n=!1}={}){let o=et(e,t);o!==location.href&&history[n?"replaceState":"pushState"](null,"",o),dispatchEvent(new Event(yn))}function At(){let[e,t]=$(Se);return b(()=>{let n=()=>t(Se());return addEventListener("popstate",n),addEventListener(yn,n),()=>{removeEventListener("popstate",n),removeEventListener(yn,n)}},[]),e}var Ho="flexchat.theme",jo=matchMedia("(prefers-color-scheme: dark)");function Tn(){let e=localStorage.getItem(Ho);return e==="light"||e==="dark"?e:jo.matches?"dark":"light"}function Wo(e){localStorage.setItem(Ho,e),Rt()}function Rt(){document.documentElement.dataset.theme=Tn()}jo.addEventListener("change",Rt);var Ia="flexchat.",It="flexchat.token",De=`flexchat.token ${oe.pathname}`,Ot=`flexchat.caller ${oe.pathname}`,Sn="flexchat:token",xn="flexchat:sign-in",La=new Set(["flexchat.theme","flexchat.enter"]),Ee=Ma(),le=Da(),tt="",Ko=new BroadcastChannel(`flexchat ${oe.pathname}`);function Ma(){return sessionStorage.getItem(It)?"tab":localStorage.getItem(De)?"browser":"page"}function Da(){return sessionStorage.getItem(It)??localStorage.getItem(De)??""}function re(){return le}function Na(){return tt}function Vo(){return Ee}function Go(e,{keep:t="page"}={}){Yo(),le=e,Ee=t,tt="",Ee==="tab"&&sessionStorage.setItem(It,e),Ee==="browser"&&localStorage.setItem(De,e),Mt()}function zo(){Ko.postMessage({signedOut:er(le)}),Jo()}function Lt(e,t){e===""||e!==le||(Yo(),le="",tt=t,Mt())}function nt(){dispatchEvent(new Event(xn))}function Jo(){for(let e of[sessionStorage,localStorage])for(let t of Object.keys(e))t.startsWith(Ia)&&!La.has(t)&&e.removeItem(t);le="",Ee="page",tt="",Mt()}function Yo(){sessionStorage.removeItem(It),sessionStorage.removeItem(Ot),localStorage.getItem(De)===le&&(localStorage.removeItem(De),localStorage.removeItem(Ot))}function Xo(){return{page:void 0,tab:sessionStorage,browser:localStorage}[Ee]}function Qo(e){Xo()?.setItem(Ot,e)}function Zo(){return Xo()?.getItem(Ot)??""}function Mt(){dispatchEvent(new Event(Sn))}function er(e){return e.split("_",2).join("_")}Ko.addEventListener("message",({data:e})=>{le!==""&&e?.signedOut===er(le)&&Jo()});addEventListener("storage",({key:e,newValue:t})=>{e!==De||Ee!=="browser"||!t||t===le||(le=t,tt="",Mt())});function tr(e){let[t,n]=$(e);return b(()=>{let o=()=>n(e);return addEventListener(Sn,o),()=>removeEventListener(Sn,o)},[e]),t}function z(){return tr(re)}function nr(){return tr(Na)}function or(e){b(()=>(addEventListener(xn,e),()=>removeEventListener(xn,e)),[e])}function Ne({title:e,open:t,onClose:n,children:o}){let r=_(null),s=ne();return b(()=>{let a=r.current;t&&!a?.open&&a?.showModal(),!t&&a?.open&&a.close()},[t]),c`
    <dialog ref=${r} aria-labelledby=${s} onCancel=${a=>{a.preventDefault(),n?.()}}>
      <div class="dialog-head">
        <h2 id=${s}>${e}</h2>
        ${n&&c`<button type="button" class="quiet" aria-label="Close" onClick=${n}>✕</button>`}
      </div>
      ${t&&o}
    </dialog>
  `}var rr=JSON,Pa=/^-?\d+$/;function Ce(e){return JSON.parse(e,(n,o,r)=>{let s=r?.source??"";return typeof o=="number"&&!Number.isSafeInteger(o)&&Pa.test(s)&&rr.rawJSON?rr.rawJSON(s):o})}var O=class extends Error{constructor(t,n,{status:o=0,code:r="",requestId:s="",details:i=[],retryAfter:a=0}={}){super(n),this.kind=t,this.status=o,this.code=r,this.requestId=s,this.details=i,this.retryAfter=a}};var qa="The service no longer accepts your token: it has expired or was revoked.";async function S(e,t){let n=await ot(e,t);return n.status===204?void 0:await Ua(n)}async function ot(e,{method:t="GET",body:n,query:o={},headers:r={},signal:s,keepalive:i=!1}={}){let a=new URL(e,oe);for(let[l,f]of Object.entries(o))f!==void 0&&f!==""&&a.searchParams.set(l,String(f));let u={Accept:"application/json"};re()&&(u.Authorization=`Bearer ${re()}`),n!==void 0&&(u["Content-Type"]="application/json"),Object.assign(u,r);let d=await Fa(a,{method:t,headers:u,cache:"no-store",credentials:"omit",keepalive:i,...n===void 0?{}:{body:JSON.stringify(n)},...s===void 0?{}:{signal:s}});if(!d.ok){let l=await En(d);throw l.kind==="token"&&Lt(Ba(u),qa),l}return d}function Ba(e){return(e.Authorization??"").replace("Bearer ","")}async function Ua(e){try{return Ce(await e.text())}catch(t){throw t instanceof DOMException&&t.name==="AbortError"?t:new O("failed","The response is incomplete or not JSON. Try again.",{status:e.status})}}async function Fa(e,t){try{return await fetch(e,t)}catch(n){throw n instanceof DOMException&&n.name==="AbortError"?n:new O("offline","No response. Check the network and that the stack is running, then try again.")}}async function En(e){let t=await e.text().then(Ce).catch(()=>({})),n=Ha(e);return new O(n,t.message??`The service returned status ${e.status} without a message.`,{status:e.status,code:t.error??"",requestId:t.request_id??e.headers.get("x-amzn-requestid")??"",details:t.details??[],retryAfter:Number(e.headers.get("retry-after"))||0})}function Ha({status:e,headers:t}){return e===401?"token":e===403?t.has("x-amzn-errortype")?"token":"forbidden":e<500?"refused":"failed"}var N=encodeURIComponent,sr="text/event-stream",M=e=>e===void 0?{}:{signal:e},A={me:e=>S("api/me",M(e)),meFor:(e,t)=>S("api/me",{headers:{Authorization:`Bearer ${e}`},...M(t)}),tools:e=>S("api/tools/list",M(e)),models:e=>S("api/models/list",M(e)),testTools:(e,t)=>S("api/tools/test",{method:"POST",body:e,...M(t)}),callTool:(e,t)=>S("api/tools/call",{method:"POST",body:e,...M(t)}),streamChat:(e,t)=>ot("api/chat",{method:"POST",body:e,headers:{Accept:sr},...M(t)}),runEvents:(e,t,n)=>ot(`api/runs/${N(e)}/events`,{headers:{Accept:sr,...t&&{"Last-Event-ID":t}},...M(n)}),startChat:(e,t)=>S("api/chat",{method:"POST",body:e,headers:{Prefer:"respond-async"},...M(t)}),run:(e,t)=>S(`api/runs/${N(e)}`,M(t)),cancelRun:e=>S(`api/runs/${N(e)}`,{method:"DELETE"}),renewLease:e=>S(`api/runs/${N(e)}/lease`,{method:"POST"}),sessions:({limit:e,cursor:t,signal:n}={})=>S("api/sessions",{query:{limit:e,cursor:t},...M(n)}),searchSessions:(e,{limit:t,cursor:n,signal:o}={})=>S("api/sessions",{query:{query:e,limit:t,cursor:n},...M(o)}),exportSession:(e,t,n,o,r)=>ot(`api/sessions/${N(e)}/export`,{query:{format:t,from_turn:n,branch:o},headers:{Accept:"*/*"},...M(r)}),shares:(e,t)=>S(`api/sessions/${N(e)}/shares`,M(t)),createShare:(e,t)=>S(`api/sessions/${N(e)}/shares`,{method:"POST",body:t}),revokeShare:(e,t)=>S(`api/sessions/${N(e)}/shares/${N(t)}`,{method:"DELETE"}),sharedSession:(e,t,{limit:n,cursor:o,signal:r}={})=>S(`api/shared/${N(e)}`,{query:{limit:n,cursor:o},headers:{"X-Flexchat-Share":t},...M(r)}),session:(e,t)=>S(`api/sessions/${N(e)}`,M(t)),renameSession:(e,t)=>S(`api/sessions/${N(e)}`,{method:"PATCH",body:{title:t}}),deleteSession:e=>S(`api/sessions/${N(e)}`,{method:"DELETE"}),messages:(e,{limit:t,cursor:n,fromTurn:o,branch:r,signal:s}={})=>S(`api/sessions/${N(e)}/messages`,{query:{limit:t,cursor:n,from_turn:o,branch:r},...M(s)}),sessionFile:(e,t,n)=>S(`api/sessions/${N(e)}/files/${N(t)}`,M(n)),createUpload:(e,t)=>S("api/files",{method:"POST",body:e,...M(t)}),collections:e=>S("api/collections",M(e)),search:(e,t,n)=>S(`api/collections/${N(e)}/query`,{method:"POST",body:t,...M(n)}),changeCollection:(e,t)=>S(`api/collections/${N(e)}`,{method:"PATCH",body:t}),createCollection:e=>S("api/collections",{method:"POST",body:e}),deleteCollection:e=>S(`api/collections/${N(e)}`,{method:"DELETE"}),reindexCollection:(e,t,n)=>S(`api/collections/${N(e)}/reindex`,{method:"POST",body:t,...M(n)}),documents:(e,{after:t,signal:n}={})=>S(`api/collections/${N(e)}/documents`,{query:{after:t},...M(n)}),deleteDocument:(e,t)=>S(`api/collections/${N(e)}/documents/${N(t)}`,{method:"DELETE"}),statuses:e=>S("api/tools/validate",M(e)),history:(e,{limit:t,cursor:n,signal:o}={})=>S("api/tools/validate",{query:{model:e,limit:t,cursor:n},...M(o)}),validationRuns:({limit:e,cursor:t,signal:n}={})=>S("api/validation/runs",{query:{limit:e,cursor:t},...M(n)}),validationRun:(e,{limit:t,cursor:n,signal:o}={})=>S(`api/validation/runs/${N(e)}`,{query:{limit:t,cursor:n},...M(o)}),startValidation:e=>S("api/tools/validate",{method:"POST",body:e}),stopValidation:e=>S(`api/validation/runs/${N(e)}`,{method:"DELETE"}),resumeValidation:e=>S(`api/validation/runs/${N(e)}/resume`,{method:"POST"}),suites:e=>S("api/validation/suites",M(e)),suite:(e,t)=>S(`api/validation/suites/${N(e)}`,M(t)),putSuite:(e,t)=>S(`api/validation/suites/${N(e)}`,{method:"PUT",body:t}),configuration:e=>S("api/config",M(e)),matchRule:(e,t)=>S("api/config/match",{method:"POST",body:{profile:e},...M(t)}),mcpServers:e=>S("api/mcp/servers",M(e)),refreshMcpServer:(e,t)=>S(`api/mcp/servers/${N(e)}/refresh`,{method:"POST",...M(t)}),approveMcpTools:(e,t,n)=>S(`api/mcp/servers/${N(e)}/approve`,{method:"POST",body:t,...M(n)}),health:e=>S("health",M(e))};function se(e,t=[]){let n=z(),o=_(e);o.current=e;let r=JSON.stringify(t),[s,i]=$(0),[a,u]=$({data:void 0,error:void 0,loading:!0});return b(()=>{if(n==="")return;let d=new AbortController;return u(l=>({...l,loading:!0})),o.current(d.signal).then(l=>!d.signal.aborted&&u({data:l,error:void 0,loading:!1}),l=>!d.signal.aborted&&u(f=>({...f,error:ir(l),loading:!1}))),()=>d.abort()},[r,n,s]),{...a,reload:T(()=>i(d=>d+1),[])}}function Z(){let e=_(void 0),[t,n]=$({busy:!1,since:0,error:void 0,cancelled:!1});b(()=>()=>e.current?.abort(),[]);let o=T(async i=>{e.current?.abort();let a=new AbortController;e.current=a,n({busy:!0,since:performance.now(),error:void 0,cancelled:!1});let u;try{await i(a.signal)}catch(d){a.signal.aborted||(u=ir(d))}e.current===a&&n(d=>({...d,busy:!1,error:u,cancelled:a.signal.aborted}))},[]),r=T(()=>e.current?.abort(),[]),s=T(()=>n(i=>({...i,error:void 0,cancelled:!1})),[]);return{...t,run:o,cancel:r,clear:s}}function ir(e){return e instanceof O?e:(reportError(e),new O("page",`Error in the page: ${e instanceof Error?e.message:String(e)}`))}var ye=e=>e===void 0?{}:{signal:e},Cn=e=>`api/traces/${encodeURIComponent(e)}`,Ae={list:(e,t)=>S("api/traces",{query:e,...ye(t)}),trace:(e,t)=>S(Cn(e),ye(t)),logs:(e,t)=>S(`${Cn(e)}/logs`,ye(t)),case:(e,t)=>S(`${Cn(e)}/case`,ye(t)),rate:(e,t)=>S(`api/runs/${encodeURIComponent(e)}/feedback`,{method:"POST",body:t}),usage:(e,t)=>S("api/usage",{query:e,...ye(t)}),chat:(e,t)=>S("api/chat",{method:"POST",body:e,...ye(t)}),offered:e=>S("v1/models",ye(e)),complete:(e,t)=>S("v1/chat/completions",{method:"POST",body:e,...ye(t)})};var Dt="flexchat:cached-query",rt=new Map;function Pe(e,t){let[n,o]=$(0),r=se(()=>ja(e,t),[n]);return b(()=>{r.error!==void 0&&rt.delete(e)},[r.error,e]),b(()=>{let s=i=>{i instanceof CustomEvent&&i.detail===e&&o(a=>a+1)};return addEventListener(Dt,s),()=>removeEventListener(Dt,s)},[e]),{...r,reload:T(()=>ar(e),[e]),put:T(s=>cr(e,s),[e])}}function ar(e){rt.delete(e),dispatchEvent(new CustomEvent(Dt,{detail:e}))}function cr(e,t){rt.set(e,{token:re(),promise:Promise.resolve(t)}),dispatchEvent(new CustomEvent(Dt,{detail:e}))}function ja(e,t){let n=re(),o=rt.get(e);if(o?.token===n)return o.promise;let r=t();return rt.set(e,{token:n,promise:r}),r}var Jf=()=>Pe("tools",()=>A.tools()),Yf=()=>Pe("models",()=>A.models()),Xf=()=>ar("models"),ur=()=>Pe("collections",()=>A.collections()),Wa={rules:[],models:[]},Ka=200,lr=e=>Pe(`ratings ${e}`,()=>Va(e));async function Va(e){let{traces:t}=await Ae.list({session:e,limit:Ka});return Object.fromEntries(t.flatMap(({id:n,rating:o})=>o?[[n,o]]:[]))}function An(e){Qo(JSON.stringify(e)),cr("caller",{token:re(),caller:e})}function dr(){let e=re(),t=A.me().then(o=>(e===re()&&An(o),{token:e,caller:o})),n=Zo();return n===""?t:(t.catch(()=>{}),Promise.resolve({token:e,caller:JSON.parse(n)}))}function Nt(){let e=z(),{data:t}=Pe("caller",dr);return t?.token===e?t.caller:void 0}function fr(){let e=Nt();return e===void 0||e.roles.includes("operator")}function mr(){let e=z(),{data:t,error:n}=Pe("caller",dr);return t?.token===e?t.caller.roles.includes("operator"):n!==void 0}function pr(){return Nt()?.choices??Wa}function Qf(){return Nt()?.principal}function hr(){return Nt()}var Ga={highlight:()=>import("./modules/highlight-OL6BXZGX.js"),math:()=>import("./modules/math-JE677KDJ.js"),views:()=>import("./modules/views-NAJ7WEDM.js")},On={},Rn={};function qe(e,t){let[n,o]=$(!1),[,r]=$(!1),[s,i]=$(0);b(()=>{if(!t||On[e]!==void 0)return;let u=!0;return _r(e).then(()=>u&&r(!0),()=>u&&o(!0)),()=>{u=!1}},[e,t,s]);let a=T(()=>{o(!1),i(u=>u+1)},[]);return{module:On[e],failed:n,retry:a}}function $r(e){_r(e).catch(()=>{})}function _r(e){return Rn[e]??=Ga[e]().then(t=>Object.assign(On,{[e]:t}),t=>{throw delete Rn[e],t}),Rn[e]}var za=2e3;function ue({text:e,label:t}){let[n,o]=$("");return b(()=>{if(n==="")return;let s=setTimeout(()=>o(""),za);return()=>clearTimeout(s)},[n]),c`<button type="button" class="quiet" onClick=${()=>navigator.clipboard.writeText(typeof e=="string"?e:e()).then(()=>o("copied ✓"),()=>o("not copied: access denied by the browser"))}>
    ${t}<span role="status">${n&&c` · ${n}`}</span>
  </button>`}var gr={offline:"The service cannot be reached",token:"The token is not valid",forbidden:"The token lacks the required role",refused:"The request was rejected",failed:"The service failed",page:"The page failed"},Re={bad_gateway:"The service failed",built_in_suite:"The suite is built in",cancelled:"The chat was cancelled",configuration:"Configuration error",choice_not_allowed:"The choice is not allowed",choice_not_offered:"The choice is not offered",configuration_changed:"The configuration was published again",configuration_not_found:"No configuration is published",conflict:"Conflict with another change",definitions_changed:"The definitions have changed",editing_disabled:"The stage does not publish by the page",empty_image_file:"The picture is empty",failed_to_download_image:"The picture could not be fetched",file_not_found:"The file is no longer stored",forbidden:"The token lacks the required role",idempotency_in_progress:"The request is still in progress",idempotency_key_reused:"The idempotency key was already used",image_file_not_found:"The file is not uploaded",image_too_large:"The picture is too large",internal_error:"The service failed",invalid_case:"No validation case can be made",invalid_configuration:"The configuration has errors",invalid_cursor:"The list has changed",invalid_idempotency_key:"The request is not valid",invalid_last_event_id:"The request is not valid",invalid_request:"The request is not valid",invalid_schema:"The schema of the answer is not valid",invalid_suite:"The suite is not valid",mcp_failed:"The MCP server cannot be used",mcp_starting:"The MCP server is still starting",message_too_long:"No validation case can be made",model_in_validation:"A validation run is testing this model",model_not_found:"Model not found",no_content:"No validation case can be made",no_message:"No validation case can be made",no_successful_call:"No validation case can be made",no_tools:"No validation case can be made",no_prices:"The model has no prices",not_found:"Not found",not_listed:"The tools of the server are not listed yet",nothing_to_publish:"Nothing to publish",payload_too_large:"The request is too large",range_too_large:"The period is too long",rate_limited:"Too many requests",response_too_large:"The response is too large",resume_token_expired:"The partial answer has expired",resume_token_in_use:"The partial answer is in use",resume_token_invalid:"The partial answer cannot be continued",resume_token_used:"The partial answer was already continued",run_ended:"The run has ended",run_not_found:"Run not found",server_disabled:"The MCP server is disabled",server_not_found:"MCP server not found",session_busy:"The session is in use",session_forks_full:"The session has too many versions",session_moved_on:"The session has changed",session_not_found:"Session not found",sharing_disabled:"Sharing is off",share_not_found:"Link not found",nothing_to_share:"No answer to share",too_many_shares:"Too many links",suite_not_found:"Suite not found",timeout:"The service did not answer in time",token_management_disabled:"The stage does not manage tokens by the page",token_not_found:"Token not found",tool_disabled:"The tool is disabled",tool_not_found:"Tool not found",tools_disabled:"Tools are disabled",too_many_failed_calls:"No validation case can be made",trace_not_found:"Trace not found",turn_not_found:"Turn not found",unauthorized:"The token is not valid",unavailable:"The service is unavailable",unsupported_image_media_type:"The picture is of a type that models do not read",unsupported_media_type:"The request is not valid",version_not_found:"Version not found",collection_conflict:"Conflict with another change",collection_configuration:"Configuration error",collection_damaged:"The collection is damaged",collection_exists:"The collection already exists",collection_invalid:"The request is not valid",collection_not_found:"Collection not found",collection_too_large:"The request is too large",collection_unavailable:"The collection is unavailable",model_authentication:"The provider rejected the API key",model_content_filter:"The content filter blocked the message",model_context_length:"The conversation is too long",model_invalid_request:"The provider rejected the request",model_invalid_response:"The provider's response is not valid",model_invalid_format:"The model's answer has another form",model_malformed_tool_call:"The model's tool call cannot be read",model_network:"The provider cannot be reached",model_overloaded:"The provider is overloaded",model_permission:"The API key has no access to this model",model_rate_limit:"The provider's rate limit was reached",model_server_error:"The provider failed",model_timeout:"The provider did not answer in time",model_unsupported_content:"The model does not read this"},Ja={404:Re.not_found??"",408:Re.timeout??"",413:Re.payload_too_large??"",429:Re.rate_limited??"",503:Re.unavailable??"",504:Re.timeout??""};function br({kind:e,code:t,status:n}){return e==="token"||e==="offline"||e==="page"?gr[e]:Re[t]??Ja[n]??gr[e]}function Pt({id:e,params:t={},children:n}){let o=r=>{r.metaKey||r.ctrlKey||r.shiftKey||r.button!==0||(r.preventDefault(),xe(kn(e),t),scrollTo(0,0))};return c`<a href=${et(kn(e),t)} onClick=${o}>${n??"Open trace"}</a>`}function q({error:e,onRetry:t,retry:n="Try again",traced:o=!1}){return c`
    <div class="problem" role="alert">
      <h3><span aria-hidden="true">✕</span> ${br(e)}</h3>
      <p>${e.message}</p>
      ${e.retryAfter>0&&c`<p>Retry after ${e.retryAfter} s.</p>`}
      ${e.details.length>0&&c`<ul>${e.details.map(({path:r,message:s})=>c`<li><code>${r}</code> ${s}</li>`)}</ul>`}
      <div class="row">
        ${e.kind==="token"&&c`<button type="button" onClick=${nt}>Enter another token</button>`}
        ${t&&e.kind!=="token"&&c`<button type="button" onClick=${t}>${n}</button>`}
        ${e.requestId&&c`<small>request <code>${e.requestId}</code></small>
            <${ue} text=${e.requestId} label="Copy request id" />`}
        ${o&&Ya(e)&&c`<${Pt} id=${e.requestId} />`}
      </div>
    </div>
  `}function Ya({kind:e,code:t,requestId:n}){return n!==""&&(e==="failed"||t.startsWith("model_"))}var Xa=new Intl.NumberFormat("en-GB"),Qa=new Intl.NumberFormat("en-GB",{maximumSignificantDigits:2}),Za=new Intl.DateTimeFormat("en-GB",{dateStyle:"medium",timeStyle:"medium"}),ec=new Intl.DateTimeFormat("en-GB",{dateStyle:"medium"}),yr=new Intl.RelativeTimeFormat("en-GB",{numeric:"auto"}),tc=[["day",86400],["hour",3600],["minute",60]];function ie(e){return Xa.format(e)}function D(e,t,n=`${t}s`){return`${ie(e)} ${e===1?t:n}`}function H(e){if(e<999.5)return`${Math.round(e)} ms`;if(e<59950)return`${(e/1e3).toFixed(e<1e4?2:1)} s`;let t=Math.round(e/1e3);return`${Math.floor(t/60)} min ${t%60} s`}function wr(e){return`${Math.round(e*100)} %`}function qt(e){return`$${e>=1?e.toFixed(2):Qa.format(e)}`}function me(e){return e<1e3?`${e} B`:e<999500?`${Math.round(e/1e3)} kB`:`${(e/1e6).toFixed(1)} MB`}function vr(e){return e.toFixed(3)}function Be(e){return Za.format(new Date(e))}function pm(e){return ec.format(new Date(e))}function st(e,t=Date.now()){let n=(new Date(e).getTime()-t)/1e3;for(let[o,r]of tc)if(Math.abs(n)>=r)return yr.format(Math.round(n/r),o);return Math.abs(n)<10?"just now":yr.format(Math.round(n),"second")}var nc=200;function J({label:e,since:t}){let[n,o]=$(performance.now());return b(()=>{let r=setInterval(()=>o(performance.now()),nc);return()=>clearInterval(r)},[]),c`<span class="busy">
    <span class="spinner" aria-hidden="true"></span>
    <span role="status">${e}</span>
    <span class="number" aria-hidden="true">${H(Math.max(0,n-t))}</span>
  </span>`}function ee({lines:e=3,label:t}){return c`<div class="skeleton" role="status" aria-label=${`Loading ${t}`}>
    ${Array.from({length:e},()=>c`<span></span>`)}
  </div>`}function kr({title:e,children:t}){return c`<div class="empty"><h2>${e}</h2>${t}</div>`}var Tr="account",oc=2**31-1,rc={page:"in the memory of this page, until you reload or leave it",tab:"in this tab, until you close it",browser:"in this browser, until you sign out"},Sr={requests_per_minute:"Requests this minute",tool_calls_per_minute:"Tool calls this minute",tokens_per_day:"Tokens today"};function xr(){let e=z(),t=hr(),[n,o]=$(!1),r=_(null);sc(t);let s=a=>()=>{r.current?.hidePopover(),a()},i=t?.name||t?.principal||"Token";return e===""?c`<button type="button" class="quiet" onClick=${nt}>Sign in</button>`:c`
    <button type="button" class="quiet account-button" popovertarget=${Tr} aria-expanded=${n} aria-label=${`Account: ${i}`}>
      <span class="account-name">${i}</span> <span aria-hidden="true">▾</span>
    </button>
    <section
      id=${Tr}
      class="account"
      popover
      ref=${r}
      aria-label="Account"
      onToggle=${a=>o(a.newState==="open")}
    >
      ${n&&c`<${ic} />`}
      <div class="row">
        <button type="button" onClick=${s(nt)}>Use another token</button>
        <button type="button" onClick=${s(zo)}>Sign out</button>
      </div>
    </section>
  `}function sc(e){let t=e?.expires_at;b(()=>{if(!t)return;let n=re(),o=0,r=()=>{let s=Date.parse(t)-Date.now();s>0?o=setTimeout(r,Math.min(s,oc)):Lt(n,`Your token expired on ${Be(t)}.`)};return r(),()=>clearTimeout(o)},[t])}function ic(){let{data:e,error:t,reload:n}=se(o=>A.me(o));return t?c`<${q} error=${t} onRetry=${n} />`:e?c`
    <h2>${e.name||"API token"}</h2>
    <dl class="account-facts">
      <dt>Token id</dt>
      <dd class="mono">${e.principal}</dd>
      <dt>${e.roles.length===1?"Role":"Roles"}</dt>
      <dd>${e.roles.join(", ")||"none"}</dd>
      ${e.expires_at&&c`<dt>Expiry</dt><dd><${ac} at=${e.expires_at} /></dd>`}
      <dt>Stage</dt>
      <dd>${Qe||"unknown"}</dd>
      <dt>Kept</dt>
      <dd>${rc[Vo()]}</dd>
    </dl>
    <h3>Limits</h3>
    ${!e.limits&&c`<p>The limits cannot be read now.</p>`}
    ${e.limits?.length===0&&c`<p>None for this token.</p>`}
    ${e.limits?.map(o=>c`<${cc} key=${o.name} limit=${o} />`)}
  `:c`<${ee} lines=${5} label="your account" />`}function ac({at:e}){let t=Date.parse(e)>Date.now()?"expires":"expired";return c`<time datetime=${e} title=${Be(e)}>${t} ${st(e)}</time>`}function cc({limit:{name:e,allowed:t,used:n,reserved:o,resets_at:r}}){return c`<div class="account-limit">
    <span>${Sr[e]}</span>
    <span class="number">${ie(n)} of ${ie(t)}</span>
    <meter min="0" max=${t} value=${n} high=${t*.9} aria-label=${Sr[e]}>${ie(n)}</meter>
    <small>
      ${o>0&&`${ie(o)} reserved by running chats, `}resets${" "}
      <time datetime=${r} title=${Be(r)}>${st(r)}</time>
    </small>
  </div>`}var In="flexchat:header-actions",Ln=[];function Er(e){Ln=e,dispatchEvent(new Event(In))}function Cr(e){let t=_(e);t.current=e;let n=JSON.stringify(e);G(()=>{Er(t.current.map((o,r)=>({...o,run:()=>t.current[r]?.run()})))},[n]),G(()=>()=>Er([]),[])}function Ar(){let[e,t]=$(Ln);return b(()=>{let n=()=>t(Ln);return n(),addEventListener(In,n),()=>removeEventListener(In,n)},[]),e}var uc=3e4;function Ir({route:e,onHelp:t}){let n=mr(),o=Ar(),r=_(null);return b(()=>{r.current&&lc(r.current)},[e.view]),c`
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
      <a class="brand" href=${oe.href} onClick=${s=>Or(s,vn)}>
        Flexchat ${Qe&&c`<small>stage ${Qe}</small>`}
      </a>
      <nav aria-label="Views" ref=${r} onPointerOver=${Rr} onFocusIn=${Rr}>
        ${Ze.filter(({role:s})=>n||s===void 0).map(({name:s,title:i})=>c`
            <a
              href=${et(s)}
              aria-current=${dc(s,e.view)}
              onClick=${a=>Or(a,s)}
              >${i}</a
            >
          `)}
      </nav>
      <div class="shell-status">
        <${mc} />
        <${xr} />
        <${fc} />
        <button type="button" class="quiet header-help" aria-label="Show keyboard shortcuts" title="Show keyboard shortcuts (?)" onClick=${t}>?</button>
      </div>
    </header>
  `}function Rr(){$r("views")}function lc(e){let t=e.querySelector("[aria-current]");if(!t)return;let n=t.getBoundingClientRect(),o=e.getBoundingClientRect();e.scrollLeft+=n.left+n.width/2-(o.left+o.width/2)}function dc(e,t){return e===t?"page":e==="traces"&&t==="runs"?"true":void 0}function Or(e,t){e.metaKey||e.ctrlKey||e.shiftKey||e.button!==0||(e.preventDefault(),xe(t))}function fc(){let[e,t]=$(Tn),n=e==="dark"?"light":"dark",o=()=>{Wo(n),t(n)},r=`Switch to the ${n} theme`;return c`<button type="button" class="quiet" aria-label=${r} title=${r} onClick=${o}>◐</button>`}function mc(){let[e,t]=$("unknown");b(()=>{let r=()=>{document.hidden||A.health().then(()=>t("healthy"),()=>t("unreachable"))};r();let s=setInterval(r,uc);return document.addEventListener("visibilitychange",r),()=>{clearInterval(s),document.removeEventListener("visibilitychange",r)}},[]);let n={unknown:"○",healthy:"●",unreachable:"▲"}[e],o={unknown:"plain",healthy:"good",unreachable:"bad"}[e];return c`<span class="health" data-tone=${o} role="status">
    <span aria-hidden="true">${n}</span> <span class="health-text">${e==="unknown"?"checking":e}</span>
  </span>`}var pc=[{keep:"page",title:"Until you reload or leave this page",meaning:"in memory only"},{keep:"tab",title:"Until you close this tab",meaning:"survives a reload"},{keep:"browser",title:"In this browser, until you sign out",meaning:"also after a restart, in every tab; anyone who can use this browser profile can use the token"}];function Lr({open:e,needed:t,ended:n,onClose:o}){let[r,s]=$(""),[i,a]=$("tab"),u=Z();return c`
    <${Ne} title=${n?"Sign in again":"API token"} open=${e} onClose=${t?void 0:o}>
      <form class="stack" onSubmit=${l=>{l.preventDefault();let f=r.trim();f===""||u.busy||u.run(async p=>{let m=await A.meFor(f,p);Go(f,{keep:i}),An(m),s(""),o()})}}>
        ${n?c`<p class="notice" role="status">! ${n} Sign in to continue where you were; what you have typed is kept.</p>`:c`<p>
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
            aria-invalid=${u.error?"true":void 0}
            aria-describedby=${u.error?"token-problem":void 0}
            value=${r}
            onInput=${l=>s(l.currentTarget.value)}
          />
        </label>
        <fieldset class="choices">
          <legend>Keep the token</legend>
          ${pc.map(l=>c`<${hc} ...${l} chosen=${i} onChoose=${a} />`)}
        </fieldset>
        ${u.error&&c`<p id="token-problem" class="problem-text" role="alert">${$c(u.error)}</p>`}
        <div class="row">
          <button type="submit" class="primary" disabled=${u.busy}>Sign in</button>
          ${u.busy&&c`<${J} label="Verifying the token" since=${u.since} />`}
        </div>
      </form>
    <//>
  `}function hc({keep:e,title:t,meaning:n,chosen:o,onChoose:r}){let s=ne();return c`<div class="choice">
    <input type="radio" name="keep" id=${s} checked=${e===o} aria-describedby=${`${s}-meaning`} onChange=${()=>r(e)} />
    <label for=${s}>${t}</label>
    <small id=${`${s}-meaning`}>${n}</small>
  </div>`}function $c(e){return e.kind==="token"?`The token is not valid: ${e.message}.`:e.message}function Y({summary:e,open:t=!1,children:n}){let[o,r]=$(t);return c`
    <details class="collapsible" open=${o} onToggle=${s=>r(s.currentTarget.open)}>
      <summary>${e}</summary>
      ${o&&c`<div class="collapsible-body">${n}</div>`}
    </details>
  `}var Ue=matchMedia("(width < 800px)");function Mr(){let[e,t]=$(Ue.matches);return b(()=>{let n=()=>t(Ue.matches);return Ue.addEventListener("change",n),()=>Ue.removeEventListener("change",n)},[]),e}function Dr(e,t=[]){let n=ne(),[o,r]=$(!1),s=Mr(),i=T(()=>r(!0),[]),a=T(()=>r(!1),[]);return Cr(s?[{sign:"☰",label:e,expanded:o,controls:n,run:i},...t]:[]),b(()=>{s||r(!1)},[s]),{id:n,label:e,isNarrow:s,isOpen:o,open:i,close:a}}function Nr({state:{id:e,label:t,isOpen:n,close:o},children:r}){let s=_(null);return b(()=>{let a=s.current;n&&!a?.open&&a?.showModal(),!n&&a?.open&&a.close()},[n]),c`
    <dialog ref=${s} id=${e} class="drawer" aria-label=${t} onClose=${o} onClick=${a=>{a.target===s.current&&o()}}>
      <div class="drawer-content">
        <div class="dialog-head">
          <h2>${t}</h2>
          <button type="button" class="quiet" aria-label="Close" onClick=${o}>✕</button>
        </div>
        ${n&&r}
      </div>
    </dialog>
  `}var _c=40;function sp(e){let t=_(null),n=_(!1),o=_({busy:e,at:0});G(()=>{let{current:s}=o;n.current&&Ue.matches&&e!==s.busy&&((e||Math.abs(scrollY-s.at)<_c)&&t.current?.scrollIntoView({block:"start"}),n.current=e),o.current={busy:e,at:e&&!s.busy?scrollY:s.at}},[e]);let r=T(()=>{n.current=!0},[]);return{section:t,reveal:r}}function Pr({title:e,controls:t,section:n,drawer:o,children:r}){return c`
    <h1 class="hidden">${e}</h1>
    <div class="split">
      ${o?.isNarrow?c`<${Nr} state=${o}>${t}<//>`:c`<section class="split-controls" aria-label="Controls">${t}</section>`}
      <section class="split-results" ref=${n} aria-label="Results">${r}</section>
    </div>
  `}function it({rule:e="",model:t=""}){return{rule:e,model:t}}function we(e={},t={}){xe("chat",{...e,...it(Se().params)},t)}function qr(e){xe("chat",{...Se().params,...e},{replace:!0})}var gc=3e6,Br=2e7,Ur=4e7,Fr=50,Mn=new Set(["image/png","image/jpeg","image/webp","image/gif"]),Hr=[...Mn,".pdf,.txt,.md,.csv,.json,.html,.docx,.pptx,.xlsx,.epub"].join(",");function jr(e,t){let n=e.find(({type:u})=>u.startsWith("image/")&&!Mn.has(u));if(n)return`${n.name} is of the type ${n.type}. Attach PNG, JPEG, WebP or GIF pictures.`;let o=e.find(({type:u})=>/^(?:audio|video)\//.test(u));if(o)return`${o.name} is of the type ${o.type}. Attach pictures, PDF, Office, EPUB or text files.`;let r=e.find(({size:u})=>u===0);if(r)return`${r.name} is empty.`;let s=e.find(({size:u})=>u>Br);if(s)return`${s.name} has ${me(s.size)}, and a file may have ${me(Br)}.`;if(e.length+t.length>Fr)return`A message takes ${Fr} files.`;let i=[...t,...e].reduce((u,{size:d})=>u+d,0);return i<=Ur?"":`${e.map(({name:u})=>u).join(", ")}: the files have ${me(i)} together, and a message takes ${me(Ur)}.`}function Wr(e,t){let n=t.reduce((s,{size:i,key:a})=>a?s:s-i,gc),o=[],r=[];for(let s of e)s.size<=n?(n-=s.size,o.push(s)):r.push(s);return{inline:o,large:r}}function Bt(e){let t=e.flatMap(({upload:n})=>n??[]);return t.some(({problem:n})=>n!=="")?"Try again or remove the file that was not uploaded.":t.length>0?"Files are being uploaded.":""}function at(e){return Mn.has(e)}function Kr(e){return new Promise((t,n)=>{let o=new FileReader;o.onload=()=>t({name:e.name,type:e.type,size:e.size,url:o.result}),o.onerror=()=>n(o.error),o.readAsDataURL(e)})}function Vr(e){let t="auto";return e.length===0?{}:{attachments:e.map(({name:n,url:o,fileId:r})=>r?{name:n,file_id:r,detail:t}:{name:n,url:o,detail:t})}}var bc="400px",Dn=new Map;function Gr({session:e,id:t,name:n,size:o,picture:r}){let s=_(null),[i,a]=$(""),[u,d]=$(""),l=()=>yc(e,t).catch(m=>{if(!(m instanceof O))throw m;return d(m.status===404?"no longer stored":m.message),""}),f=_(l);f.current=l,b(()=>{if(!r||s.current===null)return;let m=!0,h=new IntersectionObserver(w=>{w.some(({isIntersecting:v})=>v)&&(h.disconnect(),f.current().then(v=>m&&a(v)))},{rootMargin:bc});return h.observe(s.current),()=>{m=!1,h.disconnect()}},[e,t,r]);let p=async()=>{d("");let m=await l();if(m==="")return;let h=document.createElement("a");h.href=m,h.download=n,h.click()};return c`
    <span ref=${s} class=${r?"chat-stored-picture":void 0}>
      ${i?c`<img src=${i} alt=${n} />`:c`<span aria-hidden="true">${r?"▣":"▤"}</span>`}
    </span>
    <span>${n}</span>
    <small>${me(o)}</small>
    ${u&&c`<small class="problem-text" role="status">✕ ${u}</small>`}
    <button type="button" class="quiet" aria-label=${`Download ${n}`} onClick=${p}>Download</button>
  `}function yc(e,t){let n=`${e} ${t}`,o=Dn.get(n);if(o)return o;let r=wc(e,t);return Dn.set(n,r),r.catch(()=>Dn.delete(n)),r}async function wc(e,t){let{url:n,media_type:o}=await A.sessionFile(e,t),r;try{let s=await fetch(n,{credentials:"omit",referrerPolicy:"no-referrer"});if(!s.ok)throw new O("failed",`the storage returned status ${s.status}`,{status:s.status});r=await s.blob()}catch(s){throw s instanceof O?s:new O("offline","the storage did not answer")}return URL.createObjectURL(new Blob([r],{type:o}))}function Ut({attachments:e,session:t="",onRemove:n,onRetry:o}){return e.length===0?null:c`
    <ul class="chat-attachments" aria-label="Attachments">
      ${e.map((r,s)=>{let{name:i,type:a,size:u,url:d,id:l,upload:f}=r,p=i||a;return c`
          <li key=${s}>
            ${l&&!d?c`<${Gr} session=${t} id=${l} name=${p} size=${u} picture=${at(a)} />`:c`<${vc} attachment=${r} /><span>${p}</span><small>${me(u)}</small>`}
            ${f&&c`<${kc} name=${p} size=${u} upload=${f} />`}
            ${f?.problem&&o&&c`<button type="button" aria-label=${`Upload ${p} again`} onClick=${()=>o(s)}>Try again</button>`}
            ${n&&c`<button type="button" class="quiet" aria-label=${f&&!f.problem?`Cancel the upload of ${p}`:`Remove ${p}`} onClick=${()=>n(s)}>✕</button>`}
          </li>
        `})}
    </ul>
  `}function vc({attachment:{name:e,type:t,url:n}}){return n&&at(t)?c`<img src=${n} alt=${e||"Picture"} />`:c`<span aria-hidden="true">${t.startsWith("image/")?"▣":"▤"}</span>`}function kc({name:e,size:t,upload:{sent:n,problem:o}}){return o?c`<small class="problem-text" role="alert">✕ ${o}</small>`:c`
    <progress max=${t} value=${n} aria-label=${`Upload of ${e}`}></progress>
    <small class="number">${n<t?`${me(n)} uploaded`:"finishing the upload"}</small>
  `}var Nn="flexchat.enter",zr="breaks";function Jr(){return localStorage.getItem(Nn)!==zr}function Yr(e){e?localStorage.removeItem(Nn):localStorage.setItem(Nn,zr)}function Xr({key:e,shiftKey:t,altKey:n,ctrlKey:o,metaKey:r,isComposing:s,keyCode:i},a){return a&&e==="Enter"&&!(t||n||o||r||s||i===229)}var Tc=4e4;async function Qr(e,t,n){let{status:o}=await Zr(e,t,{},n);if(o<200||o>=300)throw new O("failed",Sc(o),{status:o})}async function xp(e,t,n){let o={Accept:"application/json","Content-Type":"application/json",Authorization:`Bearer ${re()}`},r=await Zr(new URL(e,oe).href,JSON.stringify(t),o,n),{status:s,responseText:i}=r;if(s>=400)throw await En(new Response(i,{status:s,headers:xc(r)}));try{return Ce(i)}catch{throw new O("failed","The response is incomplete or not JSON. Try again.",{status:s})}}function Zr(e,t,n,{signal:o,onProgress:r}){return new Promise((s,i)=>{let a=new XMLHttpRequest,u=0,d=()=>{clearTimeout(u),u=setTimeout(()=>{i(new O("offline","The upload has stopped. Check the network and try again.")),a.abort()},Tc)},l=()=>a.abort();a.upload.onprogress=({loaded:f,total:p})=>{d(),r(f,p)},a.onloadend=()=>{clearTimeout(u),o.removeEventListener("abort",l)},a.onabort=()=>i(new DOMException("The upload was cancelled","AbortError")),a.onerror=()=>i(new O("offline","No response. Check the network and try again.")),a.onload=()=>s(a),a.open("POST",e);for(let[f,p]of Object.entries(n))a.setRequestHeader(f,p);o.addEventListener("abort",l,{once:!0}),d(),a.send(t),o.aborted&&a.abort()})}function Sc(e){return e===400?"The storage rejected the file: its size has changed. Choose it again.":e===403?"The time for the upload is over. Try again.":`The storage returned status ${e}. Try again.`}function xc(e){let t=new Headers;for(let n of e.getAllResponseHeaders().trim().split(`\r
`).filter(Boolean))t.append(n.slice(0,n.indexOf(":")),n.slice(n.indexOf(":")+1).trim());return t}async function es(e,{signal:t,onProgress:n}){let{id:o,url:r,fields:s}=await A.createUpload({name:e.name,size:e.size},t),i=new FormData;for(let[a,u]of Object.entries(s))i.append(a,u);return i.append("file",e),await Qr(r,i,{signal:t,onProgress:a=>n(Math.min(a,e.size))}),o}function ts(e,{add:t,change:n,remove:o}){let r=z(),[s,i]=$(""),a=_(new Map),u=T(async h=>{let w=a.current.get(h);if(!w)return;let v=new AbortController;w.running=v;let{signal:C}=v,y=k=>!C.aborted&&n(h,{upload:{sent:k,problem:""}});y(0);try{let k=await es(w.file,{signal:C,onProgress:y});C.aborted||n(h,{fileId:k,upload:void 0})}catch(k){if(C.aborted)return;if(!(k instanceof O))throw k;n(h,{upload:{sent:0,problem:k.message}})}},[n]);b(()=>{let h=a.current;return()=>h.forEach(({running:w})=>w?.abort())},[]);let d=_(e);d.current=e;let l=_(r);return b(()=>{if(l.current!==r){l.current=r;for(let{key:h}of d.current)h&&(a.current.get(h)?.running?.abort(),n(h,{fileId:void 0,upload:{sent:0,problem:"The token has changed. Upload it again."}}))}},[r,n]),{problem:s,attach:async h=>{let w=[...h??[]],v=jr(w,e);if(i(v),v!==""||w.length===0)return;let{inline:C,large:y}=Wr(w,e);try{t(await Promise.all(C.map(Kr)))}catch{i("The file could not be read. Choose it again.");return}for(let k of y){let E=crypto.randomUUID();a.current.set(E,{file:k,running:void 0});let V=at(k.type)?URL.createObjectURL(k):"";t([{name:k.name,type:k.type,size:k.size,url:V,key:E,upload:{sent:0,problem:""}}]),u(E)}},detach:h=>{let{key:w="",url:v=""}=e[h]??{};a.current.get(w)?.running?.abort(),a.current.delete(w),v.startsWith("blob:")&&URL.revokeObjectURL(v),i(""),o(h)},retry:h=>{u(e[h]?.key??"")}}}var Ec=matchMedia("(pointer: coarse)"),Pn="chat-message";function ns({draft:e,attachments:t,onAttach:n,onDetach:o,onAttachmentChange:r,busy:s,blocked:i,waiting:a,since:u,hint:d,isAway:l,field:f,onWrite:p,onSend:m,onCancel:h,onJump:w}){let[v,C]=$(Jr),[y,k]=$(!1),E=_(null),V=_(null),{problem:te,attach:X,...I}=ts(t,{add:n,change:r,remove:o}),Q=Bt(t),g=j=>{j.clipboardData?.files.length&&(j.preventDefault(),X(j.clipboardData.files))},x=j=>{j.preventDefault(),k(!1),X(j.dataTransfer?.files)},R=j=>{j.dataTransfer?.types.includes("Files")&&(j.preventDefault(),k(!0))},L=j=>{I.detach(j),f.current?.focus()},P=({currentTarget:j})=>{X(j.files),j.value=""},ce=j=>{j.preventDefault(),m()},nn=j=>{Xr(j,v)&&(j.preventDefault(),m())},_a=()=>{Yr(!v),C(!v)};return c`
    <form class=${`chat-composer${y?" chat-drop":""}`} onSubmit=${ce} onDragOver=${R} onDragLeave=${()=>k(!1)} onDrop=${x}>
      ${l&&c`<div class="chat-jump"><button type="button" onClick=${w}><span aria-hidden="true">↓</span> Jump to latest</button></div>`}
      <${Ut} attachments=${t} onRemove=${L} onRetry=${I.retry} />
      ${te&&c`<p class="problem-text" role="alert">✕ ${te}</p>`}
      <label>
        <span class="hidden">Message</span>
        <textarea
          ref=${f}
          id=${Pn}
          rows="2"
          placeholder="Message"
          value=${e}
          onKeyDown=${nn}
          onPaste=${g}
          onInput=${j=>p(j.currentTarget.value)}
        ></textarea>
      </label>
      <div class="row">
        <${Cc} field=${f} busy=${s} disabled=${i||Q!==""||d!==""||e.trim()===""} keys=${v?"Enter":"mod+Enter"} onCancel=${h} />
        <button type="button" onClick=${()=>E.current?.click()}>Attach</button>
        <input
          ref=${E}
          type="file"
          class="hidden"
          tabindex="-1"
          multiple
          accept=${Hr}
          aria-label="Pictures and files"
          onChange=${P}
        />
        ${Ec.matches&&c`<button type="button" onClick=${()=>V.current?.click()}>Take a photo</button>`}
        <input
          ref=${V}
          type="file"
          class="hidden"
          tabindex="-1"
          accept="image/*"
          capture="environment"
          aria-label="Photo"
          onChange=${P}
        />
        ${a&&c`<${J} label=${a} since=${u} />`}
        ${d&&c`<span class="problem-text">✕ ${d}</span>`}
        ${Q&&c`<small role="status">${Q}</small>`}
        <label class="check chat-enter" title="Shift+Enter inserts a line break. If unchecked, Enter inserts it.">
          <input type="checkbox" checked=${v} onChange=${_a} />
          <small>Send with Enter</small>
        </label>
      </div>
    </form>
  `}function Cc({field:e,busy:t,disabled:n,keys:o,onCancel:r}){let s=_(null),i=_(null),a=_(null);return G(()=>{let[u,d]=t?[s.current,i.current]:[i.current,e.current];u!==null&&a.current===u&&d?.focus({preventScroll:!0})},[t,e]),a.current=document.activeElement,c`
    <button ref=${s} type="submit" class="primary" disabled=${t||n}>
      Send <span aria-hidden="true">${fe(o)}</span>
    </button>
    <button ref=${i} type="button" hidden=${!t} onClick=${r}>
      Stop <span aria-hidden="true">${fe("Escape")}</span>
    </button>
  `}var ct={answered:{title:"answered",tone:"good",sign:"✓",reason:""},cut_off:{title:"cut off",tone:"warn",sign:"✂",reason:"The model's token limit cut off the answer."},filtered:{title:"filtered",tone:"bad",sign:"⊘",reason:"The provider's filter stopped the answer."},refused:{title:"refused",tone:"bad",sign:"⊘",reason:"The model refused to answer."},empty:{title:"empty",tone:"warn",sign:"∅",reason:"The model returned no text; a placeholder is shown."},iteration_limit:{title:"iteration limit",tone:"warn",sign:"!",reason:"The limit on iterations was reached before the model answered."},repeated_calls:{title:"repeated calls",tone:"warn",sign:"!",reason:"The model repeated the same call and was stopped."},tool_call_limit:{title:"tool call limit",tone:"warn",sign:"!",reason:"The limit on tool calls was reached before the model answered."},client_calls:{title:"waits for the client",tone:"warn",sign:"…",reason:"The model waits for the results of the client's tools."},out_of_time:{title:"out of time",tone:"warn",sign:"!",reason:"The deadline was reached before the answer was complete."},model_failed:{title:"model failed",tone:"bad",sign:"✕",reason:"The model failed before the answer was complete."},stopped:{title:"stopped",tone:"warn",sign:"■",reason:"The answer was stopped before it was complete. The model knows this part in the next answer."},unknown:{title:"unknown outcome",tone:"warn",sign:"?",reason:"The provider returned an unknown finish reason."}};function Fe({outcome:e,status:t,error:n}){return e?ct[e]??ct.unknown:t!=="partial"?ct.answered:n?ct.model_failed:ct.out_of_time}var Oe={edit:0,regenerate:0,after:0};function Ht({edit:e,regenerate:t}){return e||t}var rs={background:!1,explain:!1,seconds:"",intent:"",service:"",collections:[]},os={background:900,waiting:28};function Ft({background:e}){return e?os.background:os.waiting}function jt(e){if(e.seconds.trim()==="")return"";let t=Number(e.seconds);return t>=1&&t<=Ft(e)?"":`Enter a deadline from 1 to ${Ft(e)} seconds${e.background?"":", or up to 900 in the background"}.`}function Wt(e,t,n,{attachments:o=[],place:r=Oe,choice:s}={}){let i=Object.fromEntries(Object.entries({intent:n.intent.trim(),service:n.service.trim()}).filter(([,a])=>a));return{...r.regenerate===0&&{message:e},session_id:t,...Ac(r),...s?.rule&&{rule:s.rule},...s?.model&&{model:s.model},...Vr(o),...n.collections.length>0&&{selected_collections:[...n.collections]},...Object.keys(i).length>0&&{profile:i},...is(n)}}function Ac({edit:e,regenerate:t,after:n}){return{...e>0&&{edit_turn:e},...t>0&&{regenerate_turn:t},...n>0&&{parent_turn:n}}}function ss(e,t,n){return{resume_token:e,session_id:t,...is(n)}}function is(e){let t=e.seconds.trim();return{...t!==""&&{deadline_ms:Math.round(Number(t)*1e3)},...e.explain&&{explain:!0}}}function as(e){return[e.background,e.explain,e.seconds.trim(),e.intent.trim(),e.service.trim()].filter(Boolean).length}var Rc={input_tokens:0,output_tokens:0,total_tokens:0,cached_tokens:0,reasoning_tokens:0,cache_write_tokens:0},Ie={question:"",attachments:[],background:!1,replaces:"",token:"",place:Oe,follows:"",shown:{question:"",attachments:[]}},qn={draft:"",attachments:[],sent:void 0,waiting:!1,usedTokens:[],received:[],editing:void 0};function Bn(e,t,n){let{sent:o}=e,r=o?.session===t&&e.waiting?o:void 0,s=e.received.find(f=>f.answer.request_id===r?.replaces),i=e.received.filter(f=>f!==s&&f.answer.request_id!==n.request_id),{question:a,attachments:u}=s??ut(r),d=r?Ht(r.place):0;return{...e,waiting:r?!1:e.waiting,usedTokens:r?.token?[...e.usedTokens,r.token]:e.usedTokens,received:[...i,{session:t,question:a,attachments:u,at:new Date().toISOString(),replaces:r?.replaces??"",place:d,stopped:!1,answer:n}]}}function ut(e){return e===void 0?Ie.shown:e.place.regenerate>0?e.shown:{question:e.question,attachments:e.attachments}}function cs(e,t){let{sent:n}=e;if(!n||!e.waiting)return e;let[o="",...r]=t.model.split(":"),s={content:t.text,service:o,model:r.join(":"),tool_calls:[],warnings:[],status:"partial",outcome:"stopped",finish_reason:"unknown",request_id:t.request,usage:Rc,timings:{total_ms:0,steps:[]}},i=Bn(e,n.session,s);return{...i,received:i.received.map(a=>a.answer===s?{...a,stopped:!0}:a)}}function He(e){if(!e.waiting)return e;let t=e.sent?.place.edit??0;if(t>0)return{...e,waiting:!1,editing:{turn:t,text:e.sent?.question??""}};let n=[e.sent?.question,e.draft].filter(Boolean).join(`

`);return{...e,waiting:!1,draft:n,attachments:[...e.sent?.attachments??[],...e.attachments]}}function us(e,t,n){let o=e.attachments.map(r=>r.key===t?{...r,...n}:r);return{...e,attachments:o}}function ls(e,t){return t?{...e,usedTokens:[...e.usedTokens,t]}:e}var Oc=/[?&]from_turn=(\d+)[^>]*>; rel="next"/;async function ds(e,t,n,o){let r=[],s=1,i=!1;for(;!i;){let a=await A.exportSession(e,t,s,n,o);r.push(await a.text());let u=Oc.exec(a.headers.get("link")??"");i=u===null,s=Number(u?.[1])}return t==="markdown"?new Blob([r.join(`
`)],{type:"text/markdown"}):new Blob([Ic(r)],{type:"application/json"})}function Ic(e){if(e.length===1)return e.join("");let t=e.map(n=>JSON.parse(n));return JSON.stringify({...t[0],next_turn:void 0,messages:t.flatMap(n=>n.messages)})}var Lc={good:"✓",warn:"!",bad:"✕",plain:"·"};function U({tone:e,sign:t=Lc[e],children:n}){return c`<span class="outcome" data-tone=${e}>
    <span aria-hidden="true">${t}</span> ${n}
  </span>`}function lt(){return c`<span class="tag demo" title="The demo model follows fixed rules and is no evidence about a real model">demo</span>`}var Mc={proven:{tone:"good",meaning:"the whole 95 % interval is at or above 80 %"},failing:{tone:"bad",meaning:"the whole 95 % interval is below 80 %"},undecided:{tone:"warn",meaning:"the 95 % interval contains 80 %: more tests are needed"},untested:{tone:"plain",meaning:"no tests"}};function eh({state:e,demo:t=!1}){let{tone:n,meaning:o}=Mc[e];return c`<span title=${o}><${U} tone=${t?"plain":n}>${e}<//></span>`}function Kt({children:e}){return c`<span class="tag">${e}</span>`}function ae({at:e}){return c`<time datetime=${e} title=${Be(e)}>${st(e)}</time>`}function Un(e){return`${wr(e.rate)} (${Math.round(e.low*100)}–${Math.round(e.high*100)})`}function th({rate:e}){let t={left:`${e.low*100}%`,width:`${Math.max(1,(e.high-e.low)*100)}%`};return c`<span class="rate" title=${`${e.successes} of ${e.tests} tests; 95 % interval`}>
    <span class="number">${Un(e)}</span>
    <span class="interval" aria-hidden="true"><span style=${t}></span><i style=${{left:`${e.rate*100}%`}}></i></span>
  </span>`}function nh({validation:e,demo:t}){let{badge:n,rate:o}=e;return t?c`<${lt} />${o&&c` <small class="number">${Un(o)}</small>`}`:n?c`<span class="badge" title=${n.tooltip}>
    <span aria-hidden="true">${n.symbol}</span> ${n.text}${o&&c` <span class="number">${Un(o)}</span>`}
  </span>`:c`<${U} tone="plain">no tools<//>`}var Dc=7;function fs({session:e,branch:t,open:n,onClose:o}){return c`<${Ne} title="Share conversation" open=${n} onClose=${o}>
    <${Nc} session=${e} branch=${t} />
  <//>`}function Nc({session:e,branch:t}){let n=se(l=>A.shares(e.id,l),[e.id]),[o,r]=$(void 0),{data:s,error:i}=n;if(!s)return i?c`<${q} error=${i} onRetry=${n.reload} />`:c`<${ee} lines=${4} label="the links" />`;let{shares:a,settings:u}=s,d=l=>{r(l),n.reload()};return c`
    <div class="stack">
      ${u.may_share?c`
              <p>A link shows this conversation as it is now, read-only, to people who have a token of this service. Later messages are not part of it.</p>
              <${Pc} session=${e.id} branch=${t} maxDays=${u.max_days} onCreated=${d} />
            `:c`<p class="notice">! ${u.enabled?"This token may not share conversations. An operator can, or can allow it in sessions.sharing.roles.":"Sharing is off. An operator can set sessions.sharing.enabled in the configuration."}</p>`}
      ${o&&c`<${qc} share=${o} />`}
      <h3>Links</h3>
      ${a.length===0&&c`<small>No links to this conversation.</small>`}
      <ul class="share-list">
        ${a.map(l=>c`<${Bc} key=${l.id} session=${e.id} share=${l} onRevoked=${n.reload} />`)}
      </ul>
    </div>
  `}function Pc({session:e,branch:t,maxDays:n,onCreated:o}){let r=Z();return c`
    <form class="stack" onSubmit=${i=>{i.preventDefault();let a=new FormData(i.currentTarget);r.run(async()=>{o(await A.createShare(e,{expires_in_days:Number(a.get("days")),role:a.get("role")==="operator"?"operator":"user",tool_calls:a.has("tool_calls"),attachments:a.has("attachments"),...t===void 0?{}:{branch:t}}))})}}>
      <label class="field">Valid for days, at most ${n}
        <input name="days" type="number" min="1" max=${n} step="1" required defaultValue=${Math.min(Dc,n)} />
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
  `}function qc({share:e}){let t=new URL(e.path,oe).href;return c`
    <div class="notice share-link" role="status">
      <p>✓ Link created. Copy it now: it is not shown again.</p>
      <input readonly aria-label="Link" value=${t} onFocus=${n=>n.currentTarget.select()} />
      <div class="row"><${ue} text=${t} label="Copy link" /></div>
    </div>
  `}function Bc({session:e,share:t,onRevoked:n}){let o=Z(),r=()=>{o.run(async()=>{await A.revokeShare(e,t.id),n()})},s=[D(t.turns,"turn"),t.tool_calls?"tool calls":"",t.attachments?"names of files":"",t.role==="operator"?"operators only":"every token"];return c`
    <li>
      <span>${s.filter(Boolean).join(" · ")}<br />
        <small>created <${ae} at=${t.created_at} />, expires <${ae} at=${t.expires_at} /></small>
      </span>
      <button type="button" disabled=${o.busy} onClick=${r}>Revoke</button>
      ${o.error&&c`<${q} error=${o.error} />`}
    </li>
  `}function ms({session:e,branch:t}){let[n,o]=$(!1),r=Z(),s=i=>{r.run(async a=>{Uc(await ds(e.id,i,t,a),`${e.id}.${i==="json"?"json":"md"}`)})};return c`
    <div class="row" role="group" aria-label="Actions of this session">
      <button type="button" class="quiet" disabled=${r.busy} onClick=${()=>s("markdown")}>Export Markdown</button>
      <button type="button" class="quiet" disabled=${r.busy} onClick=${()=>s("json")}>Export JSON</button>
      <button type="button" class="quiet" onClick=${()=>o(!0)}>Share</button>
      ${r.busy&&c`<${J} label="Exporting the session" since=${r.since} />`}
    </div>
    ${r.error&&c`<${q} error=${r.error} />`}
    <${fs} session=${e} branch=${t} open=${n} onClose=${()=>o(!1)} />
  `}function Uc(e,t){let n=URL.createObjectURL(e),o=document.createElement("a");o.href=n,o.download=t,o.click(),setTimeout(()=>URL.revokeObjectURL(n),1e3)}var Fc=200;function Vt(e){return e.title||"Untitled"}function ps({session:e,open:t,onOpen:n,onRename:o,onDelete:r}){let[s,i]=$(""),a=Z(),u=Vt(e),d=()=>{i(""),a.clear()},l=m=>{a.run(async()=>{await m(),d()})},f=m=>l(()=>o(e.id,m)),p=()=>l(()=>r(e.id));return c`
    <li class="chat-session" data-open=${t}>
      ${s==="rename"?c`<${jc} title=${u} busy=${a.busy} onCancel=${d} onRename=${f} />`:c`<${Hc} session=${e} open=${t} onOpen=${n} onMode=${i} />`}
      ${s==="delete"&&c`<${Wc} title=${u} busy=${a.busy} onCancel=${d} onDelete=${p} />`}
      ${a.error&&c`<${q} error=${a.error} />`}
    </li>
  `}function Hc({session:e,open:t,onOpen:n,onMode:o}){let r=Vt(e);return c`
    <div class="chat-session-row">
      <button type="button" class="quiet" aria-current=${t?"true":void 0} onClick=${()=>n(e.id)}>
        <span class="chat-title">${r}</span>
        <small><${ae} at=${e.updated_at} /> · ${D(e.turns,"turn")}</small>
      </button>
      <button type="button" class="quiet" aria-label=${`Rename ${r}`} onClick=${()=>o("rename")}>✎</button>
      <button type="button" class="quiet" aria-label=${`Delete ${r}`} onClick=${()=>o("delete")}>✕</button>
    </div>
  `}function jc({title:e,busy:t,onCancel:n,onRename:o}){let r=_(null);return G(()=>r.current?.select(),[]),c`
    <form class="stack" onSubmit=${i=>{i.preventDefault();let a=r.current?.value.trim();a&&o(a)}} onKeyDown=${i=>hs(i,n)}>
      <label class="field">
        Title
        <input ref=${r} defaultValue=${e} maxlength=${Fc} required />
      </label>
      <div class="row">
        <button type="submit" disabled=${t}>Rename</button>
        <button type="button" onClick=${n}>Cancel</button>
      </div>
    </form>
  `}function Wc({title:e,busy:t,onCancel:n,onDelete:o}){let r=_(null);return G(()=>r.current?.focus(),[]),c`
    <div
      class="notice stack"
      role="group"
      aria-label=${`Delete ${e}`}
      onKeyDown=${s=>hs(s,n)}
    >
      <p>! Delete this session and all its messages? This cannot be undone.</p>
      <div class="row">
        <button type="button" disabled=${t} onClick=${o}>Delete</button>
        <button type="button" ref=${r} onClick=${n}>Cancel</button>
      </div>
    </div>
  `}function hs(e,t){e.key==="Escape"&&(e.preventDefault(),t())}var $s=/^ {0,3}(\$\$|\\\[)(?!\$)/;var Kc=[["$$","$$",!0],["$","$",!1],["\\(","\\)",!1],["\\[","\\]",!0]];function _s(e){return $s.test(e)}function gs(e,t,n){let o=$s.exec(e[t]??"")?.[1];if(o===void 0)return;let r=o==="$$"?"$$":"\\]",s=Math.min(e.length,t+200);for(let a=t;a<s;a+=1){let u=a===t?(e[t]??"").trim().slice(o.length):(e[a]??"").trim(),d=u.indexOf(r);if(d<0)continue;if(d<u.length-r.length||a===t&&d===0)return;let l=e.slice(t,a+1).join(`
`),f=l.trim().slice(o.length,-r.length).trim();return{block:{type:"math",source:l,text:f,closed:!0},end:a+1}}if(!n||s<e.length)return;let i=e.slice(t,s).join(`
`);return{block:{type:"math",source:i,text:i.trim(),closed:!1},end:s}}function Fn(e,t,n){let o=Kc.find(([l])=>e.startsWith(l,t));if(!o||n.has(o[0]))return;let[r,s,i]=o,a=t+r.length;if(r==="$"&&(bs(e[t-1])||/[\s$]/.test(e[a]??" ")))return;let u=r==="$"?Vc(e,a):e.indexOf(s,a);u<0&&n.add(r);let d=e.slice(a,u).trim();if(!(u<0||d===""))return{node:{type:"math",text:d,source:e.slice(t,u+s.length),display:i},end:u+s.length}}function Vc(e,t){for(let n=e.indexOf("$",t+1);n>=0;n=e.indexOf("$",n+1)){let o=e[n+1];if(!/[\\\s$]/.test(e[n-1]??" ")&&o!=="$"&&!bs(o))return n}return-1}function bs(e){return e!==void 0&&/[\p{L}\p{N}]/u.test(e)}var Hn=8,Gc=50,ys=/^ {0,3}(`{3,}|~{3,})([^`]*)$/,ws=/^ {0,3}(#{1,6})(?:[ \t](.*))?$/s,vs=/^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/,Gt=/^ {0,3}> ?/,mt=/^( {0,3})([-*+]|\d{1,9}[.)])(?:[ \t]+|$)/,zc=/^\[([ xX])\](?:[ \t]+|$)/,Jc=/^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/,Yc=/^[ \t|:-]*$/;function zt(e,{open:t=!1}={}){return jn(e.split(/\r\n|\r|\n/),t,0)}function jn(e,t,n){let o=[];for(let r=0;r<e.length;){if(je(e[r])){r+=1;continue}let{block:s,end:i}=Xc(e,r,t,n);o.push(s),r=i}return o}function je(e){return e===void 0||e.trim()===""}function Xc(e,t,n,o){let r=e[t]??"",s=ys.exec(r);if(s)return Zc(e,t,s[1]??"",s[2]??"");let i=ws.exec(r);if(i){let a=(i[2]??"").trim().replace(/(^|\s)#+$/,"");return{block:{type:"heading",source:r,level:i[1]?.length??1,text:a},end:t+1}}return vs.test(r)?{block:{type:"rule",source:r},end:t+1}:gs(e,t,n)??Qc(e,t,n,o)}function Qc(e,t,n,o){let r=e[t]??"";return o<Hn&&Gt.test(r)?tu(e,t,n,o):o<Hn&&mt.test(r)?nu(e,t,n,o):Ts(e,t,n)?iu(e,t):cu(e,t,o)}function Zc(e,t,n,o){let r=o.trim().split(/\s/,1)[0]??"",s=t+1;for(;s<e.length&&!eu(e[s]??"",n);)s+=1;let i=e.slice(t+1,s).join(`
`);return{block:{type:"code",source:pt(e,t,s+1),language:r,text:i},end:s+1}}function eu(e,t){let n=e.trim();return n.length>=t.length&&n.replaceAll(t[0]??"","")===""}function tu(e,t,n,o){let r=t;for(;r<e.length&&Gt.test(e[r]??"");)r+=1;let s=e.slice(t,r).map(a=>a.replace(Gt,"")),i=jn(s,n&&r===e.length,o+1);return{block:{type:"quote",source:pt(e,t,r),blocks:i},end:r}}function nu(e,t,n,o){let r=mt.exec(e[t]??"")?.[2]??"-",s=[],i=0,a=t;for(;a<e.length;a+=1){let p=e[a]??"",m=mt.exec(p);if(m&&dt(p)<Math.max(i,2)&&ks(m[2]??"",r))i=Math.min(m[0].length,dt(p)+(m[2]?.length??1)+4),s.push([p.slice(m[0].length)]);else if(ru(e,a,{indent:i,marker:r,depth:o}))s.at(-1)?.push(p.slice(Math.min(dt(p),i)));else break}let u=/^\d/.test(r)?Number.parseInt(r,10):void 0,d=ou(s),l=p=>n&&a===e.length&&p===s.length-1,f=s.map((p,m)=>jn(p,l(m),o+1));return{block:{type:"list",source:pt(e,t,a),start:u,items:f,...d},end:a}}function ou(e){let t=e.map(n=>{let[o=""]=n,r=zc.exec(o);return r&&n.splice(0,1,o.slice(r[0].length)),r?r[1]!==" ":void 0});return t.some(n=>n!==void 0)?{checks:t}:{}}function ru(e,t,{indent:n,marker:o,depth:r}){let s=e[t]??"";return je(s)?su(e,t+1,n,o):dt(s)>=Math.min(n,2)?!0:!je(e[t-1])&&!Ss(s,r)}function su(e,t,n,o){let r=e.slice(t,t+2).find(i=>!je(i));if(r===void 0)return!1;let s=mt.exec(r);return dt(r)>=Math.min(n,2)||s!==null&&ks(s[2]??"",o)}function ks(e,t){return e.at(-1)===t.at(-1)}function dt(e){return e.length-e.trimStart().length}function Ts(e,t,n){let o=e[t]??"",r=e[t+1];return o.includes("|")?r!==void 0&&r.includes("-")&&Jc.test(r)?ft(r).length===ft(o).length:n&&t+2>=e.length&&o.trimStart().startsWith("|")&&(r===void 0||Yc.test(r)):!1}function iu(e,t){let n=Math.min(t+2,e.length);for(;n<e.length&&!je(e[n])&&(e[n]??"").includes("|");)n+=1;let o=ft(e[t]??""),r=ft(e[t+1]??"").map(au),s=e.slice(t+2,n).map(i=>{let a=ft(i);return o.map((u,d)=>a[d]??"")});return{block:{type:"table",source:pt(e,t,n),aligns:r,head:o,rows:s},end:n}}function ft(e){return e.trim().replace(/^\|/,"").replace(/\|$/,"").replaceAll("\\|","\0").split("|",Gc).map(n=>n.replaceAll("\0","|").trim())}function au(e){return e.endsWith(":")?e.startsWith(":")?"center":"right":e.startsWith(":")?"left":""}function cu(e,t,n){let o=t+1;for(;o<e.length&&!je(e[o])&&!Ss(e[o]??"",n)&&!Ts(e,o,!1);)o+=1;let r=pt(e,t,o);return{block:{type:"paragraph",source:r,text:r.trim()},end:o}}function Ss(e,t){if(ys.test(e)||ws.test(e)||vs.test(e)||_s(e))return!0;if(t>=Hn)return!1;let n=mt.exec(e);return Gt.test(e)||n!==null&&n[0].length<e.length&&/^(?:[-*+]|1[.)])$/.test(n[2]??"")}function pt(e,t,n){return e.slice(t,n).join(`
`)}var uu=2e4,Vn=6,xs=1e3,Es=/[\\`*_~[$]|!\[|https?:\/\//g,lu=/!\[([^[\]\n]{0,1000})\]\((data:image\/(?:png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+={0,2})\)/g,Cs=/https?:\/\/[^\s<>"`|[\]]{1,2000}/y,Wn=/\((?=(\s*))\1<?([^\s<>()]*(?:\([^\s<>()]*\)[^\s<>()]*)*)>?(?:\s+"[^"\n]*")?\s*\)/y,du=/^\[([^[\]\n]*)(?:\](?:\([^)\s]*)?)?$/,fu=/[!-/:-@[-`{-~]/,mu=new Set(["http:","https:","mailto:"]),pu=[["**","strong"],["__","strong"],["~~","del"],["*","em"],["_","em"]];function As(e,{open:t=!1}={}){if(!e.includes("](data:image/"))return Kn(e,t);let n=[],o=0;for(let r of e.matchAll(lu))n.push(...Kn(e.slice(o,r.index),!1)),n.push({type:"picture",alt:r[1]??"",address:r[2]??""}),o=r.index+r[0].length;return[...n,...Kn(e.slice(o),t)]}function Kn(e,t){return e===""?[]:e.length>uu?[e]:Jt(e,t,0)}function Jt(e,t,n){let o=[],r=new Set,s=Os(e,0),i="",a=0,u=(d,l)=>{i!==""&&o.push(i),i="",o.push(d),a=l};for(;a<e.length;){Es.lastIndex=a;let d=Es.exec(e),l=d?.index??e.length;if(i+=e.slice(a,l),a=l,!d)break;let f=hu(e,a,{open:t,depth:n,unclosed:r,target:s});typeof f.node=="string"?(i+=f.node,a=f.end):u(f.node,f.end)}return i!==""&&o.push(i),o}function hu(e,t,n){let o=e[t]??"",r={node:o,end:t+1};switch(o){case"\\":return Fn(e,t,n.unclosed)??$u(e,t);case"$":return Fn(e,t,n.unclosed)??{node:he(e,t,"$"),end:t+he(e,t,"$").length};case"!":return vu(e,t,n)??r;case"`":return _u(e,t,n)??{node:he(e,t,"`"),end:t+he(e,t,"`").length};case"[":return Rs(e,t,n)??r;case"h":return Tu(e,t)??r;default:return bu(e,t,n)??{node:he(e,t,o),end:t+he(e,t,o).length}}}function $u(e,t){let n=e[t+1]??"";return fu.test(n)?{node:n,end:t+2}:{node:n===`
`?"":"\\",end:t+1}}function he(e,t,n){let o=t;for(;e[o]===n;)o+=1;return e.slice(t,o)}function _u(e,t,{open:n,unclosed:o}){let r=he(e,t,"`"),s=t+r.length,i=o.has(r)?-1:gu(e,s,r);if(i<0&&o.add(r),i<0&&!(n&&s<e.length))return;let a=e.slice(s,i<0?e.length:i).replaceAll(`
`," ");return{node:{type:"code",text:a.startsWith(" ")&&a.endsWith(" ")&&a.trim()!==""?a.slice(1,-1):a},end:i<0?e.length:i+r.length}}function gu(e,t,n){for(let o=e.indexOf(n,t);o>=0;o=e.indexOf(n,o)){let r=he(e,o,"`");if(r.length===n.length)return o;o+=r.length}return-1}function bu(e,t,{open:n,depth:o,unclosed:r}){if(!(o>=Vn))for(let[s,i]of pu){if(!e.startsWith(s,t)||!yu(e,t,s))continue;let a=t+s.length,u=r.has(s)?-1:wu(e,a,s);if(u>0){let d=Jt(e.slice(a,u),!1,o+1);return{node:{type:i,children:d},end:u+s.length}}if(r.add(s),n&&s.length===2)return{node:{type:i,children:Jt(e.slice(a),!0,o+1)},end:e.length}}}function yu(e,t,n){let o=e[t+n.length]??" ";return!/\s/.test(o)&&o!==n&&!(n[0]==="_"&&Gn(e[t-1]))}function wu(e,t,n){for(let o=e.indexOf(n,t+1);o>=0;o=e.indexOf(n,o+1))if(!(e[o-1]==="\\"||/\s/.test(e[o-1]??" "))&&!(n[0]==="_"&&Gn(e[o+n.length]))){if(n.length===2)return o+(e[o+2]===n[0]&&e[o+3]!==n[0]?1:0);if(e[o+1]!==n)return o;o+=he(e,o,n).length-1}return-1}function Gn(e){return e!==void 0&&/[\p{L}\p{N}]/u.test(e)}function Rs(e,t,{open:n,depth:o,target:r}){if(o>=Vn)return;r.close<t&&r.close>=0&&Object.assign(r,Os(e,t));let{close:s,href:i,end:a}=r;if(i&&s-t<xs)return{node:{type:"link",href:i,children:Jt(e.slice(t+1,s),!1,Vn-1)},end:a};let u=n&&e.length-t<=xs?du.exec(e.slice(t)):null;return u?.[1]?{node:u[1],end:e.length}:void 0}function vu(e,t,n){let o=Rs(e,t+1,n);if(!o||typeof o.node=="string"||o.node.type!=="link")return;let{href:r,children:s}=o.node,i=s.map(a=>typeof a=="string"?a:"").join("");return{node:{type:"link",href:r,children:[`Picture: ${i||"without a description"} (${ku(r)})`]},end:o.end}}function ku(e){let{host:t,pathname:n}=new URL(e);return t||n}function Os(e,t){let n=e.indexOf("](",t);Wn.lastIndex=n+1;let o=n<0?null:Wn.exec(e);return{close:n,href:Is(o?.[2]??""),end:Wn.lastIndex}}function Tu(e,t){if(Gn(e[t-1]))return;Cs.lastIndex=t;let n=Cs.exec(e)?.[0];if(n===void 0)return;let o=Su(n),r=Is(o);return r?{node:{type:"link",href:r,children:[o]},end:t+o.length}:void 0}function Su(e){let t=0,n=0;for(;n<e.length&&t>=0;n+=1)e[n]==="("?t+=1:e[n]===")"&&(t-=1);for(t<0&&(n-=1);n>0&&".,;:!?'*_~}\\".includes(e[n-1]??"");)n-=1;return e.slice(0,n)}function Is(e){try{let{protocol:t,href:n}=new URL(e);return mu.has(t)?n:""}catch{return""}}var xu=5e4,Eu=new Set(["","text","txt","plain","plaintext","none","output"]);function Ls({language:e,text:t,open:n}){return c`
    <div class="md-code">
      <div class="md-code-head">
        <small>${e||"text"}</small>
        <${ue} text=${t} label="Copy code" />
      </div>
      <pre tabindex="0" role="region" aria-label=${`Code ${e}`.trim()}><code><${Cu} language=${e} text=${t} open=${n} /></code></pre>
    </div>
  `}function Cu({language:e,text:t,open:n}){let o=!n&&!Eu.has(e.toLowerCase())&&t.length<=xu,{module:r}=qe("highlight",o),s=F(()=>o?r?.highlight(t,e):void 0,[o,r,t,e]);return s===void 0?t:s.map(([i,a],u)=>a?c`<span key=${u} class=${a}>${i}</span>`:i)}var Ms=5e3,Au={element:void 0,problem:""};function zn({tex:e,source:t,display:n,open:o=!1}){let r=e.length>Ms,s=!o&&!r&&e.trim()!=="",{module:i,failed:a}=qe("math",s),u=_(null),{element:d,problem:l}=F(()=>s&&i?Ru(i,e,n):Au,[s,i,e,n]);G(()=>{d&&u.current?.replaceChildren(d)},[d]);let f=Ou({problem:l,failed:a,isTooLong:r}),p=d?c`<span key="formula" ref=${u} class="md-formula"></span>`:c`<code key="source" class="md-tex" title=${f||void 0}>${t}</code>`;return n?c`<span class="md-display" tabindex="0" role="group" aria-label="Formula">${p}</span>`:p}function Ru(e,t,n){try{return{element:e.formula(t,n),problem:""}}catch(o){return{element:void 0,problem:o instanceof Error?o.message:String(o)}}}function Ou({problem:e,failed:t,isTooLong:n}){return n?`Formulas of more than ${Ms} characters are shown as text`:e!==""?`Not shown as a formula: ${e}`:t?"Formulas could not be loaded. Reload the page.":""}var Iu=2;function Yt({text:e}){let t=F(()=>zt(e),[e]);return c`<${Xn} blocks=${t} />`}function Xn({blocks:e,open:t=!1}){return c`<div class="md">
    ${e.map((n,o)=>c`<${Lu} key=${o} block=${n} open=${t&&o===e.length-1} />`)}
  </div>`}function Lu({block:e,open:t}){let n=`${t} ${e.type} ${e.source}`;return F(()=>Ds(e,t),[n])}function Ds(e,t){switch(e.type){case"heading":return c`<${`h${Math.min(6,Iu+e.level)}`}>${ht(e.text,t)}<//>`;case"code":return c`<${Ls} language=${e.language} text=${e.text} open=${t} />`;case"math":return c`<${zn} tex=${e.text} source=${e.source.trim()} display open=${!e.closed} />`;case"rule":return c`<hr />`;case"quote":return c`<blockquote>${Jn(e.blocks,t)}</blockquote>`;case"list":return Mu(e,t);case"table":return Pu(e,t);default:return c`<p>${ht(e.text,t)}</p>`}}function Jn(e,t){return e.map((n,o)=>Ds(n,t&&o===e.length-1))}function Mu({start:e,items:t,checks:n=[]},o){let r=t.map((s,i)=>{let a=Nu(s,o&&i===t.length-1);return n[i]===void 0?c`<li>${a}</li>`:c`<li class="md-task">${Du(n[i])}${a}</li>`});return e===void 0?c`<ul>${r}</ul>`:c`<ol start=${e}>${r}</ol>`}function Du(e){return c`<input type="checkbox" disabled checked=${e} aria-label=${e?"Done":"To do"} />`}function Nu(e,t){let[n,...o]=e;return n?.type!=="paragraph"?Jn(e,t):c`<span>${ht(n.text,t&&o.length===0)}</span>${Jn(o,t)}`}function Pu({aligns:e,head:t,rows:n},o){return c`
    <div class="md-table" tabindex="0" role="region" aria-label="Table">
      <table>
        <thead>
          <tr>${t.map((r,s)=>c`<th scope="col" data-align=${e[s]}>${ht(r,!1)}</th>`)}</tr>
        </thead>
        <tbody>
          ${n.map((r,s)=>c`<tr>
              ${r.map((i,a)=>c`<td data-align=${e[a]}>${ht(i,o&&s===n.length-1)}</td>`)}
            </tr>`)}
        </tbody>
      </table>
    </div>
  `}function ht(e,t){return As(e,{open:t}).map(Yn)}function Yn(e){if(typeof e=="string")return e;switch(e.type){case"code":return c`<code>${e.text}</code>`;case"math":return c`<${zn} tex=${e.text} source=${e.source} display=${e.display} />`;case"picture":return c`<img class="md-picture" src=${e.address} alt=${e.alt||"Picture without a description"} />`;case"link":return c`<a href=${e.href} title=${e.href} target="_blank" rel="noopener noreferrer nofollow">
        ${e.children.map(Yn)}
      </a>`;default:return c`<${e.type}>${e.children.map(Yn)}<//>`}}var qu=2e3,Ns=[{rating:"up",sign:"👍",title:"Helpful"},{rating:"down",sign:"👎",title:"Not helpful"}];function Qh({rating:e}){let{sign:t,title:n}=Ns.find(o=>o.rating===e)??{sign:"?",title:e};return c`<${U} tone=${e==="up"?"good":"bad"} sign=${t}>${n.toLowerCase()}<//>`}function Ps({id:e,given:t,onSaved:n}){let o=Z(),[r,s]=$(void 0),[i,a]=$(!1),u=r??t,d=f=>o.run(async()=>{await Ae.rate(e,f),s(f),n?.(f.rating)}),l=f=>{a(!0),u?.rating!==f&&d({rating:f,comment:u?.comment??""})};return c`
    <div class="feedback">
      <div class="row" role="group" aria-label="Rate the answer">
        ${Ns.map(({rating:f,sign:p,title:m})=>c`
            <button
              type="button"
              class="quiet"
              aria-pressed=${u?.rating===f}
              disabled=${o.busy}
              onClick=${()=>l(f)}
            ><span aria-hidden="true">${p}</span> ${m}</button>
          `)}
        <span role="status">${r&&!o.busy&&!o.error&&"saved ✓"}</span>
        ${o.busy&&c`<${J} label="Saving the rating" since=${o.since} />`}
      </div>
      ${u&&(i||t?.comment)&&c`<${Bu} saved=${u.comment} busy=${o.busy} onSave=${f=>d({rating:u.rating,comment:f})} />`}
      ${o.error&&c`<${q} error=${o.error} />`}
    </div>
  `}function Bu({saved:e,busy:t,onSave:n}){let o=ne(),[r,s]=$(e),i=t||r.trim()===e;return c`<form class="row" onSubmit=${u=>{u.preventDefault(),i||n(r.trim())}}>
    <label class="hidden" for=${o}>Comment</label>
    <input
      id=${o}
      type="text"
      maxlength=${qu}
      placeholder="Comment (optional)"
      value=${r}
      onInput=${u=>s(u.currentTarget.value)}
    />
    <button type="submit" disabled=${i}>Save comment</button>
  </form>`}function qs({text:e,busy:t,onSend:n,onCancel:o}){let r=_(null),[s,i]=$(e);G(()=>{let{current:l}=r;l?.focus(),l?.setSelectionRange(l.value.length,l.value.length)},[]);let a=t||s.trim()==="",u=l=>{l.preventDefault(),a||n(s.trim())};return c`
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
          Send <span aria-hidden="true">${fe("mod+Enter")}</span>
        </button>
        <button type="button" onClick=${o}>Cancel <span aria-hidden="true">${fe("Escape")}</span></button>
        <small>The earlier version stays: switch between them under the message.</small>
      </div>
    </form>
  `}function Qn(e){return`chat-versions-${e}`}function Zn(e,t){return`Version ${t.indexOf(e)+1} of ${t.length}`}function Bs({turn:e,siblings:t,disabled:n,onSwitch:o}){let r=t.indexOf(e);if(t.length<2||r<0)return null;let[s,i]=[t[r-1],t[r+1]],a=u=>{let d={ArrowLeft:s,ArrowRight:i}[u.key];d===void 0||n||(u.preventDefault(),o(d))};return c`
    <div
      class="chat-versions"
      id=${Qn(e)}
      role="group"
      aria-label=${Zn(e,t)}
      onKeyDown=${a}
    >
      <button type="button" class="quiet" aria-label="Previous version" disabled=${n||s===void 0} onClick=${()=>s!==void 0&&o(s)}>‹</button>
      <span class="number" aria-hidden="true">${r+1} / ${t.length}</span>
      <button type="button" class="quiet" aria-label="Next version" disabled=${n||i===void 0} onClick=${()=>i!==void 0&&o(i)}>›</button>
    </div>
  `}function Us({turn:e,actions:t}){return c`<button type="button" class="quiet" disabled=${t.busy} onClick=${()=>t.regenerate(e)}>Regenerate</button>`}function Fs({turn:{number:e,question:t="",siblings:n},actions:o}){return e===void 0?c`<div class="row"><${ue} text=${t} label="Copy message" /></div>`:c`
    <div class="row chat-actions">
      <button type="button" class="quiet" id=${eo(e)} disabled=${o.busy} onClick=${()=>o.edit(e,t)}>Edit</button>
      <${ue} text=${t} label="Copy message" />
      <${Bs} turn=${e} siblings=${n} disabled=${o.busy} onSwitch=${o.show} />
    </div>
  `}function eo(e){return`chat-edit-${e}`}function Hs({actions:e,editing:{turn:t,text:n}}){let o=r=>e.sendEdit(t,r);return c`<${qs} text=${n} busy=${e.busy} onSend=${o} onCancel=${()=>e.endEdit(t)} />`}var Uu=new Set(["tool_not_found","tool_not_allowed","tool_disabled","invalid_arguments","malformed_arguments","repeated_call","too_many_calls","rate_limited","circuit_open","previous_call_unfinished","deadline"]),Fu={stop:{tone:"good",label:"answered",reason:""},tool_calls:{tone:"good",label:"called tools",reason:""},length:{tone:"warn",label:"cut off",reason:"The model's token limit cut off the answer."},content_filter:{tone:"warn",label:"filtered",reason:"The provider's filter stopped the answer."},refusal:{tone:"warn",label:"refused",reason:"The model refused to answer."},unknown:{tone:"warn",label:"unknown outcome",reason:"The provider returned an unknown finish reason."}},Hu={topic:"topic",search:"search",intent:"intent",model:"model",tool:"tool"};function Le(e,t){let n=[...t],o=e.steps.map((r,s)=>{let i=r.step==="tool"?n.findIndex(a=>ju(a,r)):-1;return js(s,r,i<0?void 0:n.splice(i,1)[0])});for(let[r,s]of n.entries()){let i=o.findLastIndex(a=>Wu(a)<=s.iteration);o.splice(i+1,0,js(e.steps.length+r,void 0,s))}return o}function ju(e,t){return e.call_id===t.call_id&&e.iteration===t.iteration}function Wu({step:e,call:t}){return e?.iteration??t?.iteration??0}function js(e,t,n){let o=t?.step??"tool",r=We(t?.name??n?.tool??"",128),s=o==="tool"||o==="search";return{index:e,step:t,call:n,name:s?r:`${Hu[o]}${o==="model"?` ${t?.iteration}`:""}`,detail:s?"":r,nested:o==="tool",status:$t(t,n)}}function $t(e,t){if(t!==void 0)return Vu(t);if(e?.error)return{tone:"bad",label:"failed",reason:`The model failed: ${de(e.error)}.`};let n=Fu[e?.finish_reason??""];return n!==void 0?n:e?.ok?{tone:"good",label:"done",reason:""}:{tone:"bad",label:"failed",reason:"The step failed."}}function Ku({result:e}){return!("error"in e)||!Uu.has(e.error_type)}function Vu(e){let{result:t}=e;return"error"in t?{tone:"bad",label:Ku(e)?"failed":"not run",reason:We(`${de(t.error_type)}: ${t.error}`,240)}:{tone:"good",label:"done",reason:""}}function de(e){return e.replaceAll("_"," ")}function We(e,t){return e.length>t?`${e.slice(0,t)}…`:e}function Ws(e){let t=Math.max(1,e.total_ms,...e.steps.map(o=>o.start_ms+o.duration_ms)),n=Gu(t);return{length:t,step:n,ticks:Array.from({length:Math.floor(t/n)+1},(o,r)=>r*n)}}function Gu(e){for(let t=1;;t*=10)for(let n of[1,2,5])if(e/(n*t)<6)return n*t}function Ks(e,t){return{left:e.start_ms/t*100,width:e.duration_ms/t*100}}function Vs(e,t){return e===0?"0":t>=100&&e>=1e3?`${e/1e3} s`:`${e} ms`}function l$(e,t,n){return Le(e,t).find(o=>o.index===n)}function Gs({label:e,tabs:t,chosen:n,onChoose:o}){let r=ne(),[s,i]=$(t[0]?.name??""),a=n??s,u=Math.max(0,t.findIndex(f=>f.name===a)),d=f=>{i(f),o?.(f)};return c`
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
  `}var zu=2e4,Ju=10;function _t(e){return typeof e=="string"?e:JSON.stringify(e,null,2)??""}function pe({value:e,label:t}){let[n,o]=$(1),r=F(()=>_t(e),[e]),s=r.slice(0,zu*n),i=r.length-s.length;return c`
    <div class="value">
      <pre tabindex="0" role="region" aria-label=${t}>${s}</pre>
      <div class="row">
        <${ue} text=${r} label="Copy" />
        ${i>0&&c`<button type="button" class="quiet" onClick=${()=>o(n*Ju)}>
            Show more (${ie(i)} more characters)
          </button>`}
      </div>
    </div>
  `}var Yu=128;function to({step:e,call:t}){let n=$t(e,t),o=We(e?.name??t?.tool??"",Yu);return c`
    <section class="wf-details" aria-label=${`Details of ${o}`}>
      <div class="row">
        <h3 class="mono">${o}</h3>
        <${U} tone=${n.tone}>${n.label}<//>
      </div>
      <${Gs} label=${`Details of ${o}`} tabs=${Xu(e,t)} />
    </section>
  `}function Xu(e,t){let n=`${e?.start_ms} ${e?.name} ${t?.iteration} ${t?.call_id}`,o={name:"Timing",content:()=>c`<${Zu} step=${e} call=${t} />`},r={name:"Raw",content:()=>c`<${pe} key=${n} value=${{...e&&{step:e},...t&&{call:t}}} label="Raw" />`},s=e?.reasoning;return t===void 0&&s?[{name:"Reasoning",content:()=>c`<${pe} key=${n} value=${s} label="Reasoning" />`},o,r]:t===void 0?[o,r]:[{name:"Arguments",content:()=>c`<${pe} key=${n} value=${t.params} label="Arguments" />`},{name:"Result",content:()=>c`<${Qu} key=${n} result=${t.result} />`},o,r]}function Qu({result:e}){return"error"in e?c`<div class="stack">
      <p>${de(e.error_type)}</p>
      <${pe} value=${e.error} label="Error" />
      ${e.validation_errors&&c`<${pe} value=${e.validation_errors} label="Validation errors" />`}
    </div>`:c`<div class="stack">
    ${e.truncated&&c`<p class="notice">! The result was truncated.</p>`}
    <${pe} value=${e.result} label="Result" />
  </div>`}function Zu({step:e,call:t}){let n=[...el(e),...tl(e,t)];return c`<dl class="wf-facts">
    ${n.map(([o,r])=>c`
        <dt>${o}</dt>
        <dd>${r}</dd>
      `)}
  </dl>`}function el(e){return e===void 0?[["Iteration","not started"]]:[["Iteration",e.iteration===0?"before iteration 1":String(e.iteration)],["Started after",H(e.start_ms)],["Duration",H(e.duration_ms)],["Ended after",H(e.start_ms+e.duration_ms)],...gt("Model",e.demo&&"demo model"),...gt("Tokens",e.total_tokens&&ie(e.total_tokens)),...gt("Finish reason",e.finish_reason),...gt("Error",e.error&&de(e.error))]}function tl(e,t){return t===void 0?[]:[...e===void 0?gt("In iteration",String(t.iteration)):[],["Execution time",H(t.result.execution_time_ms)],["Call",t.call_id]]}function gt(e,t){return t?[[e,t]]:[]}function zs({timings:e,calls:t,selected:n,onSelect:o,failures:r=new Map}){let s=Le(e,t),i=Ws(e),a=i.ticks.filter(l=>l/i.length<.9),u=s.findIndex(l=>l.index===n),d=l=>{let f=s[nl(l.key,u,s.length)];f===void 0||l.ctrlKey||l.metaKey||l.altKey||(l.preventDefault(),o(f.index),l.currentTarget.children.item(s.indexOf(f))?.focus())};return c`
    <div class="wf" style=${{"--wf-tick":`${i.step/i.length*100}%`}}>
      <div class="wf-head" aria-hidden="true">
        <span>Step</span>
        <span class="wf-axis">
          ${a.map(l=>c`<span style=${{left:`${l/i.length*100}%`}}>${Vs(l,i.step)}</span>`)}
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
              class=${ol(l,r.has(l.index))}
              aria-selected=${l.index===n}
              tabindex=${f===Math.max(0,u)?0:-1}
              onClick=${()=>o(l.index)}
            ><${rl} row=${l} length=${i.length} reason=${r.get(l.index)??l.status.reason} /></div>
          `)}
      </div>
    </div>
  `}function nl(e,t,n){switch(e){case"ArrowDown":return t+1;case"ArrowUp":return t-1;case"Home":return 0;case"End":return n-1;case"Enter":case" ":return Math.max(0,t);default:return-1}}function A$(e){document.querySelector(`.wf [data-row="${e}"]`)?.focus()}function ol({nested:e},t){return`wf-row${e?" wf-nested":""}${t?" wf-failed":""}`}function rl({row:e,length:t,reason:n}){let{step:o,status:r}=e;return c`
    <span class="wf-name" title=${e.detail||e.name}>
      ${e.name}${e.detail&&c` <small>${e.detail}</small>`}${o?.demo&&c` <${lt} />`}
    </span>
    <span class="wf-track">${o&&c`<${sl} row=${e} length=${t} step=${o} />`}</span>
    <span class="wf-time number">${o?H(o.duration_ms):"–"}</span>
    <span class="wf-tokens number">
      ${o?.total_tokens?c`${D(o.total_tokens,"token")}`:c`<span aria-hidden="true"></span>`}
    </span>
    <span><${U} tone=${r.tone}>${r.label}<//></span>
    ${n&&c`<span class="wf-reason">${n}</span>`}
  `}function sl({row:e,step:t,length:n}){let{left:o,width:r}=Ks(t,n),s={left:`min(${o}%, 100% - var(--wf-least))`,width:`max(${r}%, var(--wf-least))`};return c`<span class="wf-bar" data-kind=${t.step} data-tone=${e.status.tone} style=${s}></span>`}var il=[500,1e3,2e3,4e3];function Js(e){return se(t=>al(e,t),[e])}async function al(e,t){for(let n of il){try{return await Ae.trace(e,t)}catch(o){if(!(o instanceof O)||o.status!==404||t.aborted)throw o}await new Promise(o=>{setTimeout(o,n)})}return Ae.trace(e,t)}var cl=new Set(["topic","intent","model"]),ul=new Set(["user","assistant"]);function Xs({content:e}){return e??{}}function Qs({attributes:e},t){let n=e?.[t];return n==null?"":String(n)}function D$({attributes:e}){let t=e?.failed_attempts;return Array.isArray(t)?t.filter(n=>typeof n=="object"&&n!==null):[]}function Zs({duration_ms:e,spans:t}){return{timings:{total_ms:e,steps:t.map(ll)},calls:t.filter(n=>n.kind==="tool").map(dl)}}function ll(e){let t=e.usage?e.usage.input_tokens+e.usage.output_tokens:0,n=Qs(e,"finish_reason");return{step:e.kind,name:e.name,iteration:e.iteration,start_ms:e.start_ms,duration_ms:e.duration_ms,ok:!e.error,...t>0&&{total_tokens:t},...n&&{finish_reason:n},...e.error&&cl.has(e.kind)&&{error:e.error},...e.kind==="tool"&&{call_id:e.id}}}function dl(e){let t=e.duration_ms,{arguments:n,result:o}=Xs(e),r=e.error?{success:!1,error_type:e.error,error:e.message??ei(o),execution_time_ms:t}:{success:!0,result:o,execution_time_ms:t,truncated:Qs(e,"truncated")==="true"};return{tool:e.name,params:n??{},result:r,iteration:e.iteration,call_id:e.id}}function ei(e){return e==null?"":typeof e=="string"?e:JSON.stringify(e)}function fl({messages:e},t){let n=Xs(t).messages;if(Array.isArray(n))return n.flatMap(o=>typeof o=="number"&&o in e?[e[o]]:[])}function N$(e){let t=e.spans.find(s=>s.kind==="model"),o=((t&&fl(e,t))??[]).map(s=>({role:ml(s),content:pl(s)})),r=o.findLastIndex(({role:s})=>s==="user");return o.slice(0,Math.max(0,r)).filter(({role:s,content:i})=>ul.has(s)&&i.trim()!=="")}function ml(e){let{role:t}=no(e);return typeof t=="string"?t:"message"}function ti(e){let{parts:t,content:n}=no(e);return Array.isArray(t)?t.map(Ys):n===void 0?[{kind:"other",value:e}]:[Ys(n)]}function Ys(e){if(typeof e=="string")return{kind:"text",text:e};let t=no(e),n=String(t.name??"");if("call_id"in t)return{kind:"result",name:n,text:ei(t.content),failed:t.is_error===!0};if("arguments"in t)return{kind:"call",name:n,arguments:t.arguments??t.raw};if(typeof t.text!="string")return{kind:"other",value:e};let{type:o="text",text:r}=t;return o==="text"||o==="reasoning"?{kind:o,text:r}:{kind:"attachment",type:String(o),text:r}}function P$({messages:e}){return e.some(t=>ti(t).some(n=>n.kind==="attachment"))}function pl(e){return ti(e).flatMap(t=>t.kind==="text"?[t.text]:[]).join("")}function no(e){return typeof e=="object"&&e!==null?e:{}}function bt({label:e,caption:t,columns:n,numbers:o=[],children:r}){return c`
    <div class="scroll" tabindex="0" role="region" aria-label=${e}>
      <table>
        <caption>${t}</caption>
        <thead>
          <tr>${n.map(s=>c`<th scope="col" class=${o.includes(s)&&"number"}>${s}</th>`)}</tr>
        </thead>
        <tbody>${r}</tbody>
      </table>
    </div>
  `}var ni=200;function ri({rules:e}){return c`
    <${bt} label="Evaluated rules" caption="Evaluated rules, in order" columns=${["Rule","Outcome","Conditions"]}>
      ${e.map(t=>c`
          <tr>
            <th scope="row">${t.rule}</th>
            <td>
              <${U} tone=${t.matched?"good":"plain"}>${t.matched?"matched":"not matched"}<//>
            </td>
            <td><${hl} rule=${t} /></td>
          </tr>
        `)}
    <//>
  `}function hl({rule:e}){return e.conditions.length===0?e.fallback?"none: fallback rule":"none":e.conditions.map(({condition:t,expected:n,actual:o,holds:r})=>c`
      <div>
        <${U} tone=${r?"good":"bad"}>${r?"true":"false"}<//>
        ${" "}<code>${t}</code> ${oi(n)}${!r&&c` <small>(actual: ${oi(o)})</small>`}
      </div>
    `)}function si({tools:e}){return e.length===0?c`<p>No tools are configured.</p>`:c`
    <${bt} label="Offered tools" caption="Tools" columns=${["Tool","Offered","Reason"]}>
      ${e.map(({tool:t,offered:n,reason:o})=>c`
          <tr>
            <th scope="row" class="mono">${t}</th>
            <td><${U} tone=${n?"good":"plain"}>${n?"offered":"not offered"}<//></td>
            <td>${o}</td>
          </tr>
        `)}
    <//>
  `}function oi(e){if(e==null)return"nothing";let t=_t(e);return t.length>ni?`${t.slice(0,ni)}…`:t}var $l={match:"good",partial:"warn",none:"plain"};function ii({rag:e}){let{documents:t,skipped:n,result:o}=e,r=c`
    ${D(t.length,"document")} ·
    ${" "}<${U} tone=${$l[o]}>${o==="none"?"no match":o}<//>
    ${n.length>0&&c` · <${U} tone="warn">${D(n.length,"collection")} skipped<//>`}
  `;return c`
    <${Y} summary=${r}>
      ${t.length>0&&c`<${_l} documents=${t} />`}
      ${t.length===0&&c`<p>No document within the distance limit in the selected collections.</p>`}
      ${n.map(({collection:s,reason:i})=>c`<p>! <code>${s}</code> was skipped: ${i}</p>`)}
    <//>
  `}function _l({documents:e}){return c`
    <${bt} label="Documents" caption="Documents sent to the model" columns=${["Distance","Title","Source","Collection"]} numbers=${["Distance"]}>
      ${e.map(t=>c`
          <tr>
            <td class="number">${vr(t.distance)}</td>
            <td>${t.title}</td>
            <td>${t.source}</td>
            <td>${t.service}/${t.collection}</td>
          </tr>
        `)}
    <//>
  `}function ai({explain:e}){return c`
    <dl class="chat-facts">
      <dt>Topic</dt>
      <dd>${e.topic?c`<${gl} topic=${e.topic} />`:"not detected: phase disabled"}</dd>
      <dt>Intent</dt>
      <dd>${e.intent?c`<${bl} intent=${e.intent} />`:"not detected: phase disabled"}</dd>
      <dt>History</dt>
      <dd>${D(e.history_messages,"message")}</dd>
    </dl>
    <h3>Profile</h3>
    <${pe} value=${e.profile} label="Profile" />
    <${ri} rules=${e.rules} />
    <${si} tools=${e.tools} />
    <h3>System prompt</h3>
    <${pe} value=${e.system_prompt} label="System prompt" />
  `}function gl({topic:e}){return c`${de(e.topic_status)}: ${e.topic_summary} <${ci} phase=${e} />`}function bl({intent:e}){return c`
    ${e.intent??"none"} (${de(e.source)})
    ${e.candidates.length>0&&c`<small>of ${e.candidates.join(", ")}</small>`}
    ${" "}<${ci} phase=${e} />
  `}function ci({phase:e}){return c`
    <small>${e.model&&`${e.model}, `}${H(e.duration_ms)}</small>
    ${e.error&&c` <${U} tone="bad">${e.error}<//>`}
  `}function Xt(e,t,n=0){let o=[...wl(e).values()].map(a=>vl(a,t)),r=new Set(o.map(a=>a.answer?.requestId)),s=t.findLastIndex(({answer:a})=>r.has(a.request_id));return t.filter(({answer:a},u)=>{if(r.has(a.request_id))return!1;let d=a.session?.turn;return a.session?.saved===!1||(typeof d=="number"?d>n:u>s)}).reduce(yl,o)}function oo(e,t){let n=t===0?-1:e.findIndex(({number:o})=>o===t);return n<0?e:e.slice(0,n)}function yl(e,t){if(t.place>0)return[...oo(e,t.place),ui(t)];let n=e.at(-1),o=n!==void 0&&!n.answer&&(t.question===""||t.question===n.question),r=e.find(f=>t.replaces&&f.answer?.requestId===t.replaces)??(o&&n),s=ui(t);if(!r)return[...e,s];let{number:i,question:a,attachments:u,at:d}=r,{siblings:l}=r;return e.map(f=>f===r?{...s,number:i,question:a,attachments:u,at:d,siblings:l}:f)}function wl(e){let t=new Map;for(let n of e){let o=t.get(n.turn);o?o.push(n):t.set(n.turn,[n])}return t}function vl(e,t){let n=e.find(i=>i.role==="user"),o=e.find(i=>i.role==="assistant"&&i.service),r=e.filter(i=>i!==n&&i!==o),s=o&&kl(o);return{key:s?.requestId||`turn ${e[0]?.turn}`,number:e[0]?.turn,question:n?.content,attachments:(n?.attachments??[]).map(({id:i,name:a,media_type:u,size:d})=>({name:a,type:u,size:d,...i&&{id:i}})),at:e[0]?.at??"",siblings:n?.siblings??[],remarks:r.map(i=>i.content).filter(i=>i.trim()!==""),calls:e.flatMap(i=>i.tool_calls),answer:s,received:t.find(i=>!i.stopped&&i.answer.request_id===s?.requestId)?.answer}}function kl(e){return{content:e.content,at:e.at,model:e.model??"",service:e.service??"",rule:e.rule??"",status:e.status??"complete",outcome:e.outcome??void 0,demo:e.demo??!1,requestId:e.request_id??"",chosenRule:!!e.chosen_rule,chosenModel:!!e.chosen_model,...e.usage&&{totals:{ms:e.duration_ms??0,modelCalls:e.model_calls??0,usage:e.usage}}}}function Qt(e,t){if(!t)return e.totals;let{usage:n,timings:o}=t;return{ms:o.total_ms,modelCalls:o.steps.filter(({step:r})=>r==="model").length,usage:n}}function ui({question:e,attachments:t,at:n,stopped:o,answer:r}){return{key:r.request_id,number:void 0,question:e||void 0,attachments:t,at:n,siblings:[],remarks:[],calls:r.tool_calls,answer:{content:r.content,at:n,model:r.model,service:r.service,rule:r.rule??"",status:r.status,outcome:r.outcome,demo:r.demo??!1,requestId:r.request_id,chosenRule:!1,chosenModel:!1},received:o?void 0:r}}var Tl=120;function li({answer:e,calls:t,received:n}){let o=e&&Qt(e,n),r=t.filter(s=>!s.result.success).length;return c`
    ${t.length>0&&c`<${Y}
        summary=${c`
          ${D(t.length,"tool call")}
          ${r>0&&c` · <${U} tone="bad">${r} failed<//>`}
        `}
      >
        ${t.map(s=>c`<${Sl} key=${`${s.iteration} ${s.call_id}`} call=${s} />`)}
      <//>`}
    ${o&&c`<${Y} summary="Tokens and cost"><${Cl} totals=${o} /><//>`}
    ${n&&c`<${Y} summary="Timeline"><${di} timings=${n.timings} calls=${n.tool_calls} /><//>`}
    ${!n&&e?.requestId&&c`<${Y} summary="Timeline"><${El} id=${e.requestId} /><//>`}
    ${n?.rag&&c`<${ii} rag=${n.rag} />`}
    ${n?.explain&&c`<${Y} summary="Explanation"><${ai} explain=${n.explain} /><//>`}
  `}function Sl({call:e}){let{tone:t,label:n}=$t(void 0,e),o=c`
    <code>${We(`${e.tool}(${xl(e.params)})`,Tl)}</code>
    ${" "}<${U} tone=${t}>${n}<//>
    ${" "}<small class="number">${H(e.result.execution_time_ms)}</small>
  `;return c`<${Y} summary=${o}><${to} step=${void 0} call=${e} /><//>`}function xl(e){return typeof e=="string"?e:Object.entries(e).map(([t,n])=>`${t}: ${_t(JSON.stringify(n))}`).join(", ")}function di({timings:e,calls:t}){let[n,o]=$(-1),r=Le(e,t).find(s=>s.index===n);return c`
    <${zs} timings=${e} calls=${t} selected=${n} onSelect=${o} />
    ${r&&c`<${to} key=${n} step=${r.step} call=${r.call} />`}
  `}function El({id:e}){let{data:t,error:n,reload:o}=Js(e);if(t){let{timings:r,calls:s}=Zs(t);return c`<${di} timings=${r} calls=${s} />`}return n?.status===404?c`<p>The trace of this answer is not stored: it has expired, or the configuration stores only some traces.</p>`:n?c`<${q} error=${n} onRetry=${o} />`:c`<${ee} lines=${3} label="the timeline" />`}function Cl({totals:{ms:e,modelCalls:t,usage:n}}){let{cost_usd:o}=n,r=[["Time",H(e)],["Model calls",ie(t)],["Input",D(n.input_tokens,"token")],["of these read from a cache",D(n.cached_tokens??0,"token")],["of these written to a cache",D(n.cache_write_tokens??0,"token")],["Output",D(n.output_tokens,"token")],["of these reasoning",D(n.reasoning_tokens??0,"token")],["Cost",typeof o=="number"?qt(o):"no price configured"]];return c`<dl class="chat-facts">${r.map(([s,i])=>c`<dt>${s}</dt><dd class="number">${i}</dd>`)}</dl>`}function fi({answer:e,received:t,tokenUsed:n,onResume:o}){let r=e?.status==="partial"&&e.outcome!=="stopped",s=e&&!r?Fe(e).reason:"",i=[...s?[s]:[],...t?Ol(t):[]];return i.length===0&&!r?null:c`
    <div class="notice stack">
      ${r&&c`<p><strong>! The answer is partial.</strong> ${Rl(t)}</p>`}
      ${i.map(a=>c`<p>! ${a}</p>`)}
      ${r&&c`<${Al} received=${t} tokenUsed=${n} onResume=${o} />`}
    </div>
  `}function Al({received:e,tokenUsed:t,onResume:n}){return t?c`<p>The resume token was already used. Send a new message instead.</p>`:e?e.resume_token?c`<div class="row">
    <button type="button" disabled=${!n} onClick=${n}>Continue</button>
    <small>available for one hour; completed tool calls are not repeated</small>
  </div>`:c`<p>The partial answer has no resume token. Send a new message instead.</p>`:c`<p>The resume token is only available during the visit that received it. Send a new message instead.</p>`}function Rl(e){if(!e)return"The deadline was reached or the model failed before the answer was complete.";let n=e.tool_calls.length>0?" The tool results so far are below.":"";return e.error?`The model failed (${de(e.error.type)}): ${e.error.message}.${n}`:`The deadline was reached before the answer was complete.${n}`}function Ol(e){let{fallback:t,session:n}=e;return[...Zt(t,()=>`${e.model} answered instead of ${t?.instead_of}: ${de(t?.reason??"")}.`),...Zt(e.deadline_reached,()=>"The deadline was near: the model had to answer without more tool calls."),...Zt(e.max_tool_calls_reached&&e.outcome!=="tool_call_limit",()=>"The tool call limit was reached."),...Zt(n?.saved===!1,()=>`Not saved in the session: ${n?.problem??"the write failed"}.`)]}function Zt(e,t){return e?[t()]:[]}var Il=2e4,Ll=10;function en({session:e,turn:t,open:n,tokenUsed:o,actions:r,onResume:s}){let{number:i,question:a,attachments:u,at:d,remarks:l,calls:f,answer:p,received:m}=t,h=i!==void 0&&r?.editing?.turn===i;return c`
    <article class="chat-turn" tabindex="-1" aria-label=${i?`Turn ${i}`:"Unsaved turn"}>
      ${a!==void 0&&c`<${ro} text=${a} attachments=${u} session=${e} at=${d} edit=${h?r:void 0}>
          ${r&&c`<${Fs} turn=${t} actions=${r} />`}
        <//>`}
      <div class="chat-answer">
        ${p&&c`<${Pl} answer=${p} received=${m} />`}
        ${l.map(w=>c`<div class="chat-remark"><${so} text=${w} markdown /></div>`)}
        ${p&&c`<${Ml} answer=${p} />`}
        ${!p&&!n&&c`<p><${U} tone="warn">No answer yet.<//></p>`}
        <${fi} answer=${p} received=${m} tokenUsed=${o} onResume=${s} />
        <${li} answer=${p} calls=${f} received=${m} />
        ${r&&(p||!n)&&c`<${Dl} session=${e} turn=${t} actions=${r} />`}
      </div>
    </article>
  `}function Ml({answer:{content:e,outcome:t}}){return e===""&&t==="stopped"?null:c`<${so} text=${e||"(empty answer)"} markdown />`}function Dl({session:e,turn:t,actions:n}){let o=t.number!==void 0&&c`<${Us} turn=${t} actions=${n} />`,r=t.answer?.requestId;return r?c`<${Nl} session=${e} id=${r}>${o}<//>`:c`<div class="row">${o}</div>`}function Nl({session:e,id:t,children:n}){let{data:o={},put:r}=lr(e),s=o[t];return c`
    <div class="row chat-feedback">
      <${Ps} id=${t} given=${s&&{rating:s,comment:""}} onSaved=${i=>r({...o,[t]:i})} />
      <${Pt} id=${t} />
      ${n}
    </div>
  `}function ro({text:e,attachments:t,session:n="",at:o,edit:r,children:s}){return c`
    <div class="chat-question">
      <div class="row spread">
        <strong>You</strong>
        ${o&&c`<small><${ae} at=${o} /></small>`}
      </div>
      <${Ut} attachments=${t} session=${n} />
      ${r?.editing?c`<${Hs} actions=${r} editing=${r.editing} />`:c`<${so} text=${e} />${s}`}
    </div>
  `}function Pl({answer:e,received:t}){let n=Qt(e,t),o=n?.usage.cost_usd,r=Fe(e);return c`
    <div class="row chat-head">
      <strong>${e.model}</strong>
      ${e.demo&&c`<${lt} />`}
      <${U} tone=${r.tone} sign=${r.sign}>${r.title}<//>
      <${Kt}>service ${e.service}<//>
      ${e.rule&&c`<${Kt}>rule ${e.rule}${e.chosenRule&&", chosen"}<//>`}
      ${e.chosenModel&&c`<${Kt}>model chosen<//>`}
      <small>
        <${ae} at=${e.at} />
        ${n&&` · ${H(n.ms)} · ${D(n.usage.total_tokens,"token")}`}
        ${typeof o=="number"&&` · ${qt(o)}`}
      </small>
      ${e.content&&c`<${ue} text=${e.content} label="Copy answer" />`}
    </div>
  `}function so({text:e,markdown:t=!1}){let[n,o]=$(1),r=e.slice(0,Il*n),s=e.length-r.length;return c`
    <div class="chat-prose">${t?c`<${Yt} text=${r} />`:r}</div>
    ${s>0&&c`<button type="button" class="quiet" onClick=${()=>o(n*Ll)}>
        Show more (${ie(s)} more characters)
      </button>`}
  `}function mi({session:e,list:t,turns:n,from:o,busy:r,usedTokens:s,earlier:i,actions:a,resumable:u,onToggle:d,onResume:l,children:f}){let p=_({onResume:l,actions:a});p.current={onResume:l,actions:a};let{busy:m,editing:h}=a,w=F(()=>{let v=n.at(-1),C={busy:m,editing:h,edit:(y,k)=>p.current.actions.edit(y,k),sendEdit:(y,k)=>p.current.actions.sendEdit(y,k),endEdit:y=>p.current.actions.endEdit(y),regenerate:y=>p.current.actions.regenerate(y),show:y=>p.current.actions.show(y)};return n.map(y=>{let{received:k,number:E}=y,V=y===v&&(E===void 0||E===u);return c`
        <${en}
          key=${y.key}
          session=${e}
          turn=${y}
          open=${r&&y===v}
          tokenUsed=${s.includes(k?.resume_token??"")}
          actions=${C}
          onResume=${k&&V&&!r?()=>p.current.onResume(k):void 0}
        />
      `})},[e,n,r,s,m,h,u]);return c`
    ${o>1&&c`<div class="row">
        <button type="button" disabled=${i.busy} onClick=${i.show}>Show earlier messages</button>
        ${i.busy&&c`<${J} label="Loading earlier messages" since=${i.since} />`}
      </div>`}
    ${i.error&&c`<${q} error=${i.error} onRetry=${i.show} />`}
    <div class="chat-turns" ref=${t} onClickCapture=${d}>
      ${w} ${f}
    </div>
  `}var pi=48,ql=1/3,$e=document.documentElement;function hi(){return $e.scrollHeight-$e.scrollTop-$e.clientHeight}function io(){$e.scrollTop=$e.scrollHeight}function $i({session:e,turns:t,added:n,waiting:o,streamed:r}){let s=_(null),i=_(null),a=_(!0),u=_(0),[d,l]=$(!1),f=_({session:"",first:"",answer:"",end:"",wasWaiting:!1}),p=t[0]?.key??"",m=t.at(-1)?.answer?.requestId??"",h=`${t.length} ${t.at(-1)?.key} ${n}`,{current:w}=f,v=w.session===e,y=v&&w.first!==p&&t.some(({key:I})=>I===w.first)?i.current?.firstElementChild:void 0,k=y?.getBoundingClientRect().top??0,E=T(()=>l(hi()>pi),[]),V=T(()=>{a.current=!0,io(),E()},[E]);G(()=>{let I=m!==""&&m!==w.answer,Q=o||v&&w.wasWaiting;f.current={session:e,first:p,answer:m,end:h,wasWaiting:Q&&!I},v||(a.current=!0),!(v&&w.end===h)&&(y?$e.scrollTop+=y.getBoundingClientRect().top-k:a.current&&t.length+n.trim().length>0&&(a.current=!(I&&Q&&!r&&Bl(s.current)),a.current&&io()),E())}),b(()=>{let{scrollRestoration:I}=history;history.scrollRestoration="manual";let Q=()=>{let R=$e.scrollTop<u.current-1;u.current=$e.scrollTop,hi()<=pi?a.current=!0:R&&(a.current=!1),E()},g=()=>{a.current&&io(),E()},x=new ResizeObserver(()=>requestAnimationFrame(g));return s.current&&x.observe(s.current),addEventListener("scroll",Q,{passive:!0}),addEventListener("resize",g),visualViewport?.addEventListener("resize",g),()=>{history.scrollRestoration=I,x.disconnect(),removeEventListener("scroll",Q),removeEventListener("resize",g),visualViewport?.removeEventListener("resize",g)}},[E]);let te=T(I=>{I.target instanceof Element&&I.target.closest("summary, button, [role=option]")&&(a.current=!1)},[]),X=()=>{V(),i.current?.querySelector("article:last-of-type")?.focus({preventScroll:!0})};return{chat:s,list:i,isAway:d&&(t.length>0||o),follow:V,jump:X,handleToggle:te}}function Bl(e){let t=e?.querySelector("article:last-of-type"),n=t?.querySelector(".chat-answer");if(!t||!n)return!1;let o=Ul(document.querySelector("header.shell")),r=innerHeight-o-(e?.querySelector(".chat-composer")?.getBoundingClientRect().height??0),{top:s,height:i}=n.getBoundingClientRect();if(i<=r)return!1;let a=t.getBoundingClientRect().top;return $e.scrollTop+=(s-a<r*ql?a:s)-o-8,!0}function Ul(e){return e&&getComputedStyle(e).position==="sticky"?e.getBoundingClientRect().height:0}var _e=class extends Error{};function Fl({lastId:e="",longest:t=33554432}={}){let n=[],o=[],r=e,s="",i=0,a=!1,u=d=>{if(d===""){let m=o.length>0?{name:s||"message",data:o.join(`
`),id:r}:void 0;return[s,o,i]=["",[],0],m}let l=d.indexOf(":"),f=l<0?d:d.slice(0,l),p=l<0?"":d.slice(d[l+1]===" "?l+2:l+1);f==="event"?s=p:f==="data"?o.push(p):f==="id"&&(r=p)};return d=>{let l=[],f=a&&d.startsWith(`
`)?1:0;d!==""&&(a=d.endsWith("\r")),i+=d.length-f;for(let{index:p,0:m}of d.matchAll(/\r\n|\n|\r/g)){if(p<f)continue;n.push(d.slice(f,p)),f=p+m.length;let h=u(n.join(""));n=[],h&&l.push(h),i===0&&(i=d.length-f)}if(i>t)throw new _e("The service sent an event that is too long.");return f<d.length&&n.push(d.slice(f)),l}}async function*_i(e,{lastId:t="",silenceMs:n=45e3}={}){let o=e.getReader(),r=Fl({lastId:t}),s=new TextDecoder;try{for(;;){let{done:i,value:a}=await Hl(o.read(),n);if(i)return;yield*r(s.decode(a,{stream:!0}))}}catch(i){throw i instanceof _e||ao(i)?i:new _e("The connection was lost.")}finally{o.cancel().catch(()=>{})}}function ao(e){return e instanceof DOMException&&e.name==="AbortError"}async function Hl(e,t){let n,o=new Promise((r,s)=>{n=setTimeout(()=>s(new _e("The connection was silent for too long.")),t)});try{return await Promise.race([e,o])}finally{clearTimeout(n)}}var co=5,jl=500,Wl=2,Ke=class extends Error{constructor(t){super(`The connection to the run ${t} was lost.`),this.run=t}};async function*gi({open:e,reopen:t},{signal:n,onLost:o=()=>{},wait:r=Xl}){let s="",i="",a=0;for(;;){try{let u=await(s?t(s,i,n):e(n));for await(let d of Kl(u,i)){a=0,i=d.id;let l=Vl(d);if(l.name==="error")throw Gl(l.data);if(l.name==="accepted"&&(s=l.data.run_id),yield l,l.name==="answer")return}}catch(u){zl(u,s)}if(s==="")throw new O("failed","The stream ended without an answer. Try again.");if(a+=1,a>co)throw new Ke(s);o(a),await r(jl*Wl**(a-1),n)}}async function*Kl(e,t){if(e.headers.get("content-type")?.startsWith("text/event-stream")&&e.body){yield*_i(e.body,{lastId:t});return}yield{name:"answer",data:await e.text(),id:""}}function Vl({name:e,data:t}){try{return{name:e,data:Ce(t)}}catch{throw new O("failed","The response is incomplete or not JSON. Try again.")}}function Gl({error:e,message:t,request_id:n,details:o}){return new O("failed",t,{status:200,code:e,requestId:n,details:o??[]})}function zl(e,t){if(ao(e)||Jl(e))throw e;if(t==="")throw e instanceof _e?new O("offline",`${e.message} Try again.`):e;if(!Yl(e))throw new Ke(t)}function Jl(e){return e instanceof O&&e.status===200}function Yl(e){return e instanceof O?e.kind==="offline"||e.status===429||e.status>=500:e instanceof _e}function Xl(e,t){return new Promise((n,o)=>{let r=setTimeout(n,e),s=()=>(clearTimeout(r),o(new DOMException("Aborted","AbortError")));t.addEventListener("abort",s,{once:!0})})}var Ql=5;function bi({live:e}){let{model:t,text:n,remarks:o,steps:r,warnings:s,attempt:i}=e,a=F(()=>zt(n,{open:!0}),[n]);return e.run===""&&r.length===0&&n===""?null:c`
    <section class="chat-answer chat-live" aria-label="Answer in progress">
      ${t&&c`<div class="row chat-head"><strong>${t}</strong></div>`}
      ${o.map((u,d)=>c`<div class="chat-remark chat-prose" key=${`remark ${d}`}><${Yt} text=${u} /></div>`)}
      ${r.length>0&&c`<ol class="chat-steps">${r.map(u=>c`<${td} key=${u.key} step=${u} />`)}</ol>`}
      ${n.trim()&&c`<div class="chat-prose"><${Xn} blocks=${a} open /></div>`}
      ${s.map(u=>c`<p class="notice">! ${u}</p>`)}
      ${i>0&&c`<p class="notice" role="status">! Connection lost. Reconnecting, attempt ${i} of ${co}.</p>`}
      <${Zl} blocks=${a} />
    </section>
  `}function Zl({blocks:e}){let t=e.length-1;return c`<div class="hidden" aria-live="polite">
    ${e.map(({source:n},o)=>o<t&&o>=t-Ql&&c`<p key=${o}>${n}</p>`)}
  </div>`}function ed({text:e}){return c`<${Y} summary="reasoning"><p class="chat-reasoning">${e}</p><//>`}function td({step:{kind:e,name:t,detail:n,status:o,ms:r,error:s}}){return e==="rule"?c`<li>rule ${t}</li>`:e==="reasoning"?c`<li><${ed} text=${n} /></li>`:c`
    <li>
      ${o==="running"?"calling ":""}${e==="tool"?c`<code>${t}</code>`:t}
      ${n&&c` <small class="mono">${n}</small>`}
      ${o==="running"?" …":c` <small class="number">${H(r??0)}</small> <${nd} status=${o} />`}
      ${s&&c` <small>${s}</small>`}
    </li>
  `}function nd({status:e}){return c`<${U} tone=${e==="failed"?"bad":"good"}>${e}<//>`}var od=3e3,rd=15e4;function yi({run:e}){let t=_(performance.now()),n=e&&performance.now()-(Date.now()-new Date(e.created_at).getTime()),o=e?Le({total_ms:0,steps:e.steps},[]):[];return c`
    <section class="chat-run stack" aria-label="Background run">
      <${J} label=${sd(e)} since=${n===void 0?t.current:Math.min(n,performance.now())} />
      ${o.length>0&&c`<ol>
          ${o.map(r=>c`
              <li key=${r.index}>
                ${r.name} ${r.detail&&c`<small>${r.detail}</small>`}
                ${" "}<${U} tone=${r.status.tone}>${r.status.label}<//>
                ${r.step&&c` <small class="number">${H(r.step.duration_ms)}</small>`}
                ${r.status.reason&&c` <small>${r.status.reason}</small>`}
              </li>
            `)}
        </ol>`}
      <small>The run continues if you close this page. Its URL shows the result for one day.</small>
    </section>
  `}function sd(e){return e===void 0?"Loading the run":e.status==="queued"?"Queued in the background":"Running in the background"}function wi({stop:{status:e,reason:t},open:n,onCheck:o}){let r=e==="failed";return b(()=>{if(!r||!n)return;let s=setInterval(()=>!document.hidden&&o(),od),i=setTimeout(()=>clearInterval(s),rd);return()=>{clearInterval(s),clearTimeout(i)}},[r,n,o]),r?c`
    <div class="notice stack" role="status">
      <p>! The service did not confirm that it has stopped the answer: ${t}</p>
      <p>${n?"It may still complete the answer and save it in the conversation.":"The conversation above is up to date."}</p>
      ${n&&c`<div class="row"><button type="button" onClick=${o}>Check again</button></div>`}
    </div>
  `:null}function vi({id:e,chat:t,conversation:n,blocked:o,scroll:r,field:s}){let i=id(n),a=u=>{r.follow(),u(),s.current?.focus({preventScroll:!0})};return{announced:i.shown,actions:{busy:o,editing:t.editing,edit:t.beginEdit,sendEdit:(u,d)=>a(()=>t.edit(u,d)),endEdit:u=>{t.endEdit(),requestAnimationFrame(()=>document.getElementById(eo(u))?.focus())},regenerate:u=>a(()=>t.regenerate(u)),show:u=>{i.expect(u),we({session:e,branch:String(u)})}}}}function id({messages:e}){let t=_(0),[n,o]=$("");return b(()=>{let r=t.current,s=e.find(a=>a.turn===r&&a.role==="user");if(r===0||!s)return;t.current=0,o(Zn(r,s.siblings??[])),document.getElementById(Qn(r))?.querySelector("button:not(:disabled)")?.focus()},[e]),{shown:n,expect:r=>{t.current=r,o("")}}}function ki(e,t,{messages:n,session:o,error:r}){let s=t.sent?.session===e?t.sent:void 0,i=t.task.busy&&s!==void 0,a=t.followed.active||i,u=r?.status===404,d=o?.turns??0,l=F(()=>{let h=t.received.filter(w=>w.session===e);return u?[]:Xt(n,h,d)},[n,t.received,e,u,d]),f=a&&t.waiting?s:void 0,p=f?Ht(f.place):0,m=F(()=>oo(l,p),[l,p]);return{sent:s,requesting:i,answering:a,turns:m,question:f?ad(f,m.at(-1)):""}}function ad(e,t){let{question:n}=ut(e);return t!==void 0&&t.answer===void 0&&t.question===n?"":n}var Ti="flexchat.run";function Si(e){sessionStorage.setItem(Ti,e)}function xi(e){return sessionStorage.getItem(Ti)===e}var Ei="session_busy",Ci="Another tab is answering in this conversation. Your message is kept; send it when the answer is complete.",Ai="Another tab was answering in this conversation. Your message is kept in the field; send it when the answer is complete.";function Ri(e,{task:t,busy:n,sent:o,stop:r},{session:s}){let i=_(0),a=!!s?.answering&&!n;a?i.current===0&&(i.current=performance.now()):i.current=0;let u=o?.session===e?o:void 0;return t.busy?{elsewhere:a,label:cd(u,r.status),since:t.since}:{elsewhere:a,label:a?Ci:"",since:i.current}}function cd(e,t){return t==="stopping"?"Stopping the answer":e!==void 0&&e.follows!==""&&!xi(e.follows)?Ci:e===void 0?"Waiting for an answer in another session":e.background?"Starting the run":"Waiting for the answer"}function Oi({id:e,branch:t,chat:n,conversation:o,options:r,onBegin:s}){let i=_(null),{task:a}=n,{sent:u,requesting:d,answering:l,turns:f,question:p}=ki(e,n,o),m=jt(r),h=Ri(e,n,o),w=n.busy||h.elsewhere||m!=="",v=$i({session:e,turns:f,added:ld(n,u,p),waiting:l,streamed:n.live.text!==""}),C=()=>{w||Bt(n.attachments)!==""||n.draft.trim()===""||(v.follow(),n.send({after:t===""?0:o.path.at(-1)??0}))};Me([{keys:"/",label:"Write a message",run:()=>i.current?.focus()},{keys:"mod+Enter",label:"Send the message",run:C},{keys:"Escape",label:"Stop the answer",run:()=>n.busy&&n.cancel()}]);let{actions:y,announced:k}=vi({id:e,chat:n,conversation:o,blocked:w,scroll:v,field:i});return c`
    <div class="chat" ref=${v.chat}>
      <${pd} conversation=${o} />
      ${o.loading&&!(n.waiting&&u)&&c`<${ee} lines=${8} label="the messages" />`}
      ${a.error?.kind!=="offline"&&c`<${ud} conversation=${o} onBegin=${s} />`}
      ${e===""&&c`<${hd} />`}
      <${dd} chat=${n} sent=${u} conversation=${o} turns=${f} question=${p} live=${d} answering=${l} actions=${y} scroll=${v} onRetry=${C} />
      <p class="hidden" role="status">${k||$d(n)}</p>
      <${ns}
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
        onSend=${C}
        onCancel=${n.cancel}
      />
    </div>
  `}function ud({conversation:e,onBegin:t}){let{error:n,reload:o}=e;return n?Ii(e)?c`<${q} error=${n} onRetry=${t} retry="Start a new chat" />`:c`<${q} error=${n} onRetry=${o} />`:null}function Ii(e){return e.error?.status===404}function ld({task:e,followed:t,stop:n},o,r){let s=(o&&e.error)??t.error,i=o&&n.status==="failed"?`stopped ${n.reason}`:"";return[r,i,s?.code,s?.message,t.run?.status].filter(Boolean).join(" ")}function dd({chat:e,sent:t,conversation:n,turns:o,question:r,live:s,answering:i,actions:a,scroll:u,onRetry:d}){let{followed:l}=e,f=Ii(n),p=o.at(-1),m=h=>{u.follow(),e.resume(h)};return c`
    <${mi}
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
      ${r&&c`<${ro} text=${r} attachments=${ut(t).attachments} at=${void 0} />`}
      ${s&&e.waiting&&c`<${bi} live=${e.live} />`}
      ${l.active&&c`<${yi} run=${l.run} />`}
    <//>
    <${fd}
      chat=${e}
      sent=${t!==void 0}
      open=${p?.answer===void 0}
      onCheck=${n.reload}
      onRetry=${d}
    />
  `}function fd({chat:e,sent:t,open:n,onCheck:o,onRetry:r}){let{task:s,followed:i}=e,a=(t?s.error:void 0)??i.error;return a?.code===Ei?c`<p class="notice" role="status">! ${Ai}</p>`:c`
    ${t&&c`<${wi} stop=${e.stop} open=${n} onCheck=${o} />`}
    ${i.run?.status==="cancelled"&&c`<p class="notice" role="status">! Run stopped. The conversation has what was complete until then.</p>`}
    ${a&&c`<${q} error=${a} onRetry=${md(e,a,r)} traced />`}
  `}function md({task:e,followed:t,draft:n},o,r){if(t.active)return t.retry;let s=o.kind==="offline"||o.kind==="failed";return o===e.error&&s&&n.trim()!==""?r:void 0}function pd({conversation:e}){let{session:t}=e;return t?c`
    <div class="chat-heading">
      <div>
        <h2>${Vt(t)}</h2>
        <small>${t.topic&&c`Topic: ${t.topic} · `}${D(e.path.length||t.turns,"turn")}</small>
      </div>
      <${ms} key=${t.id} session=${t} branch=${e.path.at(-1)} />
    </div>
  `:c`<h2>${e.id?"Chat":"New chat"}</h2>`}function hd(){return c`
    <${kr} title="Chat with the service">
      <p>
        The service keeps the conversation, selects model and prompt by response rules, and calls tools. Each answer shows its
        model, rule, tool calls and timeline.
      </p>
      <p>Send a message to start a session, for example <q>What is 15% of 45?</q></p>
    <//>
  `}function $d({received:e,busy:t,stop:n}){let o=e.at(-1);if(t||!o)return"";let{answer:r}=o;if(o.stopped||n.status==="stopped")return"Answer stopped.";let s=D(r.tool_calls.length,"tool call");return`${r.model}: ${Fe(r).title} in ${H(r.timings.total_ms)}, ${s}`}function Mi({choice:e,onChange:t}){let{models:n,rules:o}=pr();return c`
    <${Li} label="Model" name="model" names=${n} choice=${e} onChange=${t} />
    <${Li} label="Response rule" name="rule" names=${o} choice=${e} onChange=${t} />
  `}function Li({label:e,name:t,names:n,choice:o,onChange:r}){let s=ne(),i=o[t];return n.length===0&&i===""?null:c`
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
  `}function Ni({options:e,onChange:t}){let n=fr(),o=r=>()=>t({[r]:!e[r]});return c`
    <${Mi} choice=${it(At().params)} onChange=${qr} />
    <label class="check">
      <input type="checkbox" checked=${e.background} onChange=${o("background")} />
      Run in the background, up to 15 minutes
    </label>
    ${n&&c`<label class="check">
        <input type="checkbox" checked=${e.explain} onChange=${o("explain")} />
        Include an explanation
      </label>`}
    <${_d} options=${e} onChange=${t} />
    <${Y} summary="Profile fields">
      <${Di} label="Intent" name="intent" options=${e} onChange=${t} />
      <${Di} label="Service" name="service" options=${e} onChange=${t} />
      <small>Matched by response rules.</small>
    <//>
  `}function _d({options:e,onChange:t}){let n=ne(),o=jt(e);return c`
    <label class="field">
      Deadline in seconds
      <input
        type="number"
        inputmode="decimal"
        min="1"
        max=${Ft(e)}
        step="any"
        placeholder=${e.background?"600":"28"}
        aria-invalid=${o?"true":void 0}
        aria-describedby=${o?n:void 0}
        value=${e.seconds}
        onInput=${r=>t({seconds:r.currentTarget.value})}
      />
    </label>
    ${o&&c`<p id=${n} class="problem-text" role="alert">✕ ${o}</p>`}
  `}function Di({label:e,name:t,options:n,onChange:o}){return c`
    <label class="field">
      ${e}
      <input
        value=${n[t]}
        spellcheck=${!1}
        autocomplete="off"
        onInput=${r=>o({[t]:r.currentTarget.value})}
      />
    </label>
  `}function Pi({options:e,onChange:t}){let{data:n,error:o,loading:r,reload:s}=ur(),i=a=>e.collections.includes(a)?e.collections.filter(u=>u!==a):[...e.collections,a];return o?c`<${q} error=${o} onRetry=${s} />`:!n&&r?c`<${ee} lines=${2} label="the collections" />`:n?.collections.length?c`
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
  `:c`<small>No collections. See the Retrieval view to create one.</small>`}var qi="mod+k",gd=250,bd=20,yd=200;function Ui(){let[e,t]=$(""),[n,o]=$({query:"",pages:1}),r=e.trim();b(()=>{if(r===n.query)return;let i=setTimeout(()=>o({query:r,pages:1}),gd);return()=>clearTimeout(i)},[r,n.query]);let s=se(i=>wd(n.query,n.pages,i),[n]);return{...s,data:s.data?.query===r?s.data:void 0,text:e,setText:t,active:r!=="",searchFurther:()=>o(i=>({...i,pages:i.pages+1}))}}async function wd(e,t,n){let o=[],r=0,s,i;for(let a=0;e!==""&&a<t;a+=1){let u=await A.searchSessions(e,{limit:bd,cursor:s,signal:n});if(o.push(...u.sessions),r+=u.searched?.sessions??0,i=u.searched?.until??i,s=u.cursor??void 0,s===void 0)break}return{query:e,sessions:o,searched:r,until:i,more:s!==void 0}}function Fi({search:e,field:t,list:n}){Me([{keys:qi,label:"Search sessions",run:()=>t.current?.focus()}]);let o=r=>{r.key==="Escape"&&e.text!==""&&(r.preventDefault(),e.setText("")),r.key==="ArrowDown"&&(r.preventDefault(),n.current?.querySelector("button")?.focus()),r.key==="Enter"&&e.active&&(r.preventDefault(),n.current?.querySelector(".chat-search-results button")?.click())};return c`
    <label class="field chat-search">
      <span>Search sessions <kbd>${fe(qi).replace("k","K")}</kbd></span>
      <input
        ref=${t}
        type="search"
        value=${e.text}
        maxlength=${yd}
        autocomplete="off"
        onInput=${r=>e.setText(r.currentTarget.value)}
        onKeyDown=${o}
      />
    </label>
  `}function Hi({search:e,open:t,onOpen:n,field:o}){let{data:r,error:s,loading:i}=e,a=_(performance.now()),u=_(null),d=l=>{let f={ArrowDown:1,ArrowUp:-1}[l.key];if(l.key==="Escape"&&o.current?.focus(),f===void 0)return;l.preventDefault();let p=[...u.current?.querySelectorAll("button")??[]],m=p.findIndex(h=>h===document.activeElement)+f;(p[m]??(f<0?o.current:void 0))?.focus()};return s?c`<${q} error=${s} onRetry=${e.reload} />`:r?c`
    <div class="chat-search-results" ref=${u} onKeyDown=${d}>
      <ul>
        ${r.sessions.map(l=>c`<li key=${l.id}><${kd} session=${l} open=${l.id===t} onOpen=${n} /></li>`)}
      </ul>
      <p role="status"><small>${D(r.sessions.length,"result")} in ${vd(r)}.</small></p>
      ${r.more&&c`<div class="row">
        <button type="button" class="quiet" disabled=${i} onClick=${e.searchFurther}>Search older sessions</button>
        ${i&&c`<${J} label="Searching older sessions" since=${a.current} />`}
      </div>`}
    </div>
  `:c`<${J} label="Searching your sessions" since=${a.current} />`}function vd({searched:e,more:t,until:n}){return t?c`the last ${D(e,"session")}${n&&c`, back to <${ae} at=${n} />`}`:`all ${D(e,"session")}`}function kd({session:e,open:t,onOpen:n}){let o=e.match;return c`
    <button type="button" class="quiet" aria-current=${t?"true":void 0} onClick=${()=>n(e.id)}>
      <span class="chat-title">${o?.title?.length?c`<${Bi} parts=${o.title} />`:e.title||"Untitled"}</span>
      ${o?.message?.length&&c`<small class="chat-excerpt">${o.role==="user"?"You: ":""}<${Bi} parts=${o.message} /></small>`}
      <small><${ae} at=${e.updated_at} /> · ${D(e.turns,"turn")}</small>
    </button>
  `}function Bi({parts:e}){return e.map(({text:t,marked:n})=>n?c`<mark>${t}</mark>`:t)}function ji({sessions:e,open:t,onOpen:n,onDeleted:o}){let r=_(null),s=_(null),i=Ui(),a=d=>{d.key!=="/"||d.target instanceof HTMLInputElement||(d.preventDefault(),d.stopPropagation(),s.current?.focus())},u=async d=>{await e.remove(d),r.current?.focus(),o(d)};return c`
    <${Fi} search=${i} field=${s} list=${r} />
    <div class="chat-sessions" tabindex="-1" ref=${r} role="region" aria-label="Sessions" onKeyDown=${a}>
      ${i.active?c`<${Hi} search=${i} open=${t} onOpen=${n} field=${s} />`:c`<${Td} sessions=${e} open=${t} onOpen=${n} onDelete=${u} />`}
    </div>
  `}function Td({sessions:e,open:t,onOpen:n,onDelete:o}){return c`
      ${e.error&&c`<${q} error=${e.error} onRetry=${e.reload} />`}
      ${!e.sessions&&e.loading&&c`<${ee} lines=${4} label="your sessions" />`}
      ${e.sessions?.length===0&&c`<small>No sessions yet. Send a message to start one.</small>`}
      ${e.sessions&&e.sessions.length>0&&c`<ul>
          ${e.sessions.map(r=>c`
              <${ps}
                key=${r.id}
                session=${r}
                open=${r.id===t}
                onOpen=${n}
                onRename=${e.rename}
                onDelete=${o}
              />
            `)}
        </ul>`}
      ${e.more&&c`<${Sd} loading=${e.loading} onMore=${e.showMore} />`}
  `}function Sd({loading:e,onMore:t}){let n=_(0);return c`<div class="row">
    <button type="button" class="quiet" disabled=${e} onClick=${()=>{n.current=performance.now(),t()}}>Show more</button>
    ${e&&n.current>0&&c`<${J} label="Loading more sessions" since=${n.current} />`}
  </div>`}var wt={run:"",request:"",model:"",iteration:0,text:"",remarks:[],steps:[],warnings:[],attempt:0},Wi=120;function Vi(e,t){let n=e.attempt===0?e:{...e,attempt:0};switch(t.name){case"accepted":return{...n,run:t.data.run_id,request:t.data.request_id};case"phase":return yt(n,xd(t.data));case"rule":return t.data.rule?yt(n,{kind:"rule",name:t.data.rule,status:"done"}):n;case"model_started":return{...Ki(n,t.data.iteration),model:t.data.model};case"delta":return Ed(Ki(n,t.data.iteration),t.data.text);case"reasoning":return yt(n,{kind:"reasoning",name:"reasoning",detail:t.data.text,status:"done"});case"tool_started":return yt(n,{key:Ji(t.data),kind:"tool",name:t.data.tool,detail:Ad(t.data.arguments),status:"running"});case"tool_finished":return Cd(n,t.data);case"warning":return{...n,warnings:[...n.warnings,t.data.message]};default:return n}}function Gi({text:e,remarks:t,steps:n}){return e.trim()!==""||t.length>0||n.some(({kind:o,status:r})=>o==="tool"&&r!=="running")}function zi(e,t){return{...e,attempt:t}}function xd({phase:e,name:t="",duration_ms:n,ok:o}){return{kind:"phase",name:e,detail:t,status:o===!1?"failed":"done",ms:n}}function Ki(e,t){if(t===e.iteration)return e;let n=e.text.trim()===""?e.remarks:[...e.remarks,e.text];return{...e,iteration:t,text:"",remarks:n}}function Ed(e,t){return{...e,text:e.text+t}}function yt(e,t){let n=t.key??`step ${e.steps.length}`;return{...e,steps:[...e.steps,{detail:"",error:"",ms:void 0,...t,key:n}]}}function Cd(e,t){let n=Ji(t),r={status:t.ok?"done":"failed",ms:t.duration_ms,error:t.error??""};return e.steps.some(s=>s.key===n)?{...e,steps:e.steps.map(s=>s.key===n?{...s,...r}:s)}:yt(e,{key:n,kind:"tool",name:t.tool,...r})}function Ji({iteration:e,call_id:t}){return`call ${e} ${t}`}function Ad(e){let t=typeof e=="string"?e:JSON.stringify(e)??"";return t.length>Wi?`${t.slice(0,Wi)}…`:t}var Yi=150,Rd=5e4;function Xi(e){b(()=>{if(e==="")return;let t=()=>{A.renewLease(e).catch(()=>{})},n=()=>{document.hidden||t()};t();let o=setInterval(t,Rd);return document.addEventListener("visibilitychange",n),()=>{clearInterval(o),document.removeEventListener("visibilitychange",n)}},[e])}function Qi(){let e=_(wt),t=_(0),[n,o]=$(wt);b(()=>()=>cancelAnimationFrame(t.current),[]);let r=T(i=>{e.current=i(e.current),t.current===0&&(t.current=requestAnimationFrame(()=>{t.current=0,o(e.current)}))},[]),s=T(()=>{cancelAnimationFrame(t.current),t.current=0,e.current=wt,o(wt)},[]);return{shown:n,latest:T(()=>e.current,[]),update:r,reset:s}}var Zi={status:"none",reason:""},Od=2e4,ea=1e3;function ta(e,t){let[n,o]=$(Zi),r=_([]),s=_(!1),i=_(t);i.current=t;let a=T(()=>{for(let h of r.current)clearTimeout(h);r.current=[]},[]);b(()=>a,[a]);let u=T(()=>{a(),s.current=!1,o(Zi)},[a]),d=T(async h=>{s.current=!1;try{await A.cancelRun(h)}catch(w){if(!(w instanceof O))throw w;o({status:"failed",reason:w.message})}},[]),l=T(async()=>{let h=s.current?await i.current().catch(()=>""):"";s.current&&(h===""?r.current.push(setTimeout(()=>{l()},ea)):d(h))},[d]),f=T(h=>{if(n.status!=="stopping"){if(a(),o({status:"stopping",reason:""}),r.current.push(setTimeout(()=>{s.current=!1,e(),o({status:"failed",reason:"It did not end the answer in time."})},Od)),h!=="")return void d(h);s.current=!0,r.current.push(setTimeout(()=>{l()},ea))}},[e,d,a,l,n.status]),p=T(h=>{s.current&&d(h)},[d]),m=T(()=>{a(),s.current=!1,o(h=>h.status==="none"?h:{status:"stopped",reason:""})},[a]);return{state:n,reset:u,request:f,accepted:p,ended:m}}var Id=500,Ld=2e3,Md=1.4;function tn({status:e}){return e==="queued"||e==="running"}function Dd(e){if(!e?.error)return;let{error:t,message:n,request_id:o,details:r}=e.error;return new O("failed",n,{code:t,requestId:o,details:r??[]})}function na(e){let t=z(),[n,o]=$({id:e,run:void 0,error:void 0}),[r,s]=$(0);b(()=>{if(e==="")return;let l=new AbortController;return o(f=>f.id===e?{...f,error:void 0}:{id:e,run:void 0,error:void 0}),Nd(e,l.signal,f=>o(p=>({...p,error:void 0,...f}))),()=>l.abort()},[e,t,r]);let i=T(async()=>{try{let l=await A.cancelRun(e);o(f=>f.id===e?{...f,run:l}:f)}catch(l){if(!(l instanceof O))throw l;o(f=>f.id===e?{...f,error:l}:f)}},[e]),a=n.id===e?n:{id:e,run:void 0,error:void 0},{run:u}=a,d=a.error?.status===404||u!==void 0&&!tn(u);return{...a,error:a.error??Dd(u),active:e!==""&&!d,cancel:i,retry:T(()=>s(l=>l+1),[])}}async function Nd(e,t,n){for(let o=Id;;o=Math.min(Ld,o*Md)){if(await qd(t),t.aborted)return;let r=await Pd(e,t,n);if(t.aborted||!r)return;await Bd(o,t)}}async function Pd(e,t,n){try{let o=await A.run(e,t);return n({run:o}),tn(o)}catch(o){if(t.aborted)return!1;if(!(o instanceof O))throw o;return n({error:o}),o.kind==="offline"||o.kind==="failed"}}function qd(e){return new Promise(t=>{if(!document.hidden||e.aborted)return t();document.addEventListener("visibilitychange",()=>t(),{once:!0,signal:e}),e.addEventListener("abort",()=>t(),{once:!0})})}function Bd(e,t){return new Promise(n=>{let o=setTimeout(n,e);t.addEventListener("abort",()=>(clearTimeout(o),n()),{once:!0})})}var Ud=12,Fd="resume_token_in_use",Hd="cancelled";function oa(e,t,n,o,{onChange:r}){let s=z(),[i,a]=$(qn);b(()=>{a(g=>{let{draft:x,attachments:R}=He(g);return{...qn,draft:x,attachments:R}})},[s]);let u=Z(),d=Qi(),l=ta(u.cancel,async()=>{let{answering:g}=await A.session(e);return g?.run_id??""}),f=na(t);Xi(u.busy?d.shown.run:"");let p=_(new Set),m=_(new Set),h=T((g,x)=>{a(R=>Bn(R,g,x))},[]),{run:w}=f;b(()=>{w===void 0||tn(w)||(m.current.add(w.id),w.answer?h(e,w.answer):a(g=>g.sent?.session===e?jd(g,w):g))},[w,e,h]);let v=(g,x)=>{Se().params.session===g&&we({session:g,run:x},{replace:!0})},C=async(g,x,R)=>{let L=P=>d.update(ce=>zi(ce,P));try{for await(let P of gi({open:x,reopen:A.runEvents},{signal:R,onLost:L}))P.name==="answer"?h(g.session,P.data):d.update(ce=>Vi(ce,P)),P.name==="accepted"&&(g.follows===""&&Si(P.data.run_id),l.accepted(P.data.run_id),r(g.session))}catch(P){if(!(P instanceof Ke))throw P;v(g.session,P.run)}finally{let{run:P}=d.latest();P!==""&&m.current.add(P),r(g.session)}},y=(g,x)=>{d.reset(),l.reset(),a(R=>({...R,sent:g,waiting:!0})),u.run(async R=>{try{await x(R),l.ended()}catch(L){if(Kd(L)){let P=d.latest();a(ce=>Gi(P)?cs(ce,P):He(ce)),l.ended();return}if(a(P=>Wd(L)?ls(He(P),g.token):He(P)),g.follows===""||!Vd(L))throw L}})},k=(g,x)=>{p.current.add(g.session);let R=g.question!==""&&g.place.edit===0;a(L=>({...L,editing:void 0,...R&&{draft:"",attachments:[]}})),we({session:g.session},{replace:e!==""}),y(g,async L=>{if(!g.background){let ce={...x,lease_seconds:Yi};await C(g,nn=>A.streamChat(ce,nn),L);return}let{id:P}=await A.startChat(x,L);v(g.session,P),r(g.session)})},E=(g={})=>{let x=e||Gd(),R=i.draft.trim(),{background:L}=n,{attachments:P}=i,ce={...Oe,...g};k({...Ie,session:x,question:R,attachments:P,background:L,place:ce},Wt(R,x,n,{attachments:P,place:ce,choice:o}))},V=(g,x)=>{let R={...Oe,edit:g};k({...Ie,session:e,question:x,background:n.background,place:R},Wt(x,e,n,{place:R,choice:o}))},te=({number:g=0,question:x="",attachments:R})=>{let L={...Oe,regenerate:g};k({...Ie,session:e,background:n.background,place:L,shown:{question:x,attachments:R}},Wt("",e,n,{place:L,choice:o}))},X=({request_id:g,resume_token:x})=>{if(!x)return;let{background:R}=n;k({...Ie,session:e,background:R,replaces:g,token:x},ss(x,e,n))},I=g=>{if(u.busy||f.active||m.current.has(g))return;let x={...Ie,session:e,follows:g};y(x,R=>C(x,L=>A.runEvents(g,"",L),R))},Q=()=>{u.busy?l.request(d.latest().run):f.cancel()};return{...i,task:u,live:d.shown,stop:l.state,followed:f,busy:u.busy||f.active,fresh:p.current.has(e)||t!=="",markFound:T(g=>{p.current.delete(g)},[]),write:T(g=>a(x=>({...x,draft:g})),[]),attach:T(g=>{a(x=>({...x,attachments:[...x.attachments,...g]}))},[]),detach:T(g=>{a(x=>({...x,attachments:x.attachments.filter((R,L)=>L!==g)}))},[]),changeAttachment:T((g,x)=>{a(R=>us(R,g,x))},[]),beginEdit:T((g,x)=>{a(R=>({...R,editing:{turn:g,text:x}}))},[]),endEdit:T(()=>a(g=>({...g,editing:void 0})),[]),send:E,edit:V,regenerate:te,resume:X,follow:I,cancel:Q}}function jd(e,{steps:t}){return t.some(({step:n})=>n==="tool")?{...e,waiting:!1}:He(e)}function Wd(e){return e instanceof O&&e.kind==="refused"&&e.code!==Fd}function Kd(e){return e instanceof O&&e.status===200&&e.code===Hd}function Vd(e){return e instanceof O&&e.status===404}function Gd(){let e=crypto.getRandomValues(new Uint8Array(Ud));return Array.from(e,t=>t.toString(16).padStart(2,"0")).join("")}var uo=40,zd=100,lo=e=>({id:e,session:void 0,messages:[],path:[],from:1});function ra(e,t,{blocked:n,running:o,fresh:r}){let s=z(),[i,a]=$(()=>lo(e)),u=i.id===e?i:lo(e),d=_(u);d.current=u;let l=_(r);l.current=r;let f=Z(),p=Z(),{run:m,cancel:h}=f,w=T(()=>m(async k=>{e!==""&&a(await Jd(e,t,d.current,{fresh:l.current,signal:k}))}),[m,e,t]);b(()=>(n||w(),h),[w,h,n,o,s]);let v=T(k=>{a(E=>E.session&&E.id===k.id?{...E,session:k}:E)},[]),C=p.run,y=T(()=>C(async k=>{let{from:E,path:V}=d.current,te=sa(V.filter(I=>I<E)),{messages:X}=await fo(e,t,te,E,k);a(I=>I.id===e?{...I,messages:[...X,...I.messages],from:te}:I)}),[C,e,t]);return{...u,loading:e!==""&&f.busy&&u.session===void 0,error:f.error,reload:w,update:v,earlier:{busy:p.busy,since:p.since,error:p.error,show:y}}}async function Jd(e,t,n,{fresh:o,signal:r}){let s=await Xd(e,o&&n.session===void 0,r);if(s===void 0)return lo(e);let i=Math.max(1,s.turns-uo+1),a=n.session?.created_at===s.created_at,u=a?Math.min(i,n.messages.at(-1)?.turn??i):i,d=await fo(e,t,u,1/0,r),{path:l}=d,f=a?n.messages.filter(({turn:h})=>h<u):[];if(f.length>0&&Yd(f,l,n.from,u))return{id:e,session:s,messages:[...f,...d.messages],path:l,from:Math.min(n.from,u)};let p=sa(l);if(p>=u)return{id:e,session:s,messages:d.messages,path:l,from:(l[0]??1)>=u?1:u};let m=await fo(e,t,p,1/0,r);return{id:e,session:s,messages:m.messages,path:m.path,from:p}}function Yd(e,t,n,o){let r=new Set(e.map(({turn:i})=>i)),s=t.filter(i=>i>=n&&i<o);return s.length===r.size&&s.every(i=>r.has(i))}function sa(e){return e.length>uo?e.at(-uo)??1:1}async function Xd(e,t,n){try{return await A.session(e,n)}catch(o){if(t&&o instanceof O&&o.status===404)return;throw o}}async function fo(e,t,n,o,r){let s=[];for(let i=void 0;;){let a=await A.messages(e,{limit:zd,cursor:i,fromTurn:n,branch:t,signal:r});if(s.push(...a.messages),i=a.cursor??void 0,i===void 0||(s.at(-1)?.turn??0)>=o)return{messages:s.filter(u=>u.turn<o),path:a.turns??[]}}}var Qd=[1e3,2e3,3e3,5e3,8e3];function ia(e,t,n,o){let r=e.at(-1)?.answer.session,s=r?.title_pending?r.id:"",i=r?.title??"",a=_(t);a.current=t,b(()=>{if(s==="")return;let u=new AbortController;return(async()=>{for(let l of Qd){if(await new Promise(p=>setTimeout(p,l)),u.signal.aborted)return;let f=await A.session(s,u.signal);if(a.current?.id===s&&a.current.title!==i)return;if(f.title!==i){n(f),o(f);return}}})().catch(()=>{}),()=>u.abort()},[s,i,n,o])}var Zd="flexchat-chat",ef=1500;function aa(e){let t=_(e);t.current=e;let n=_(void 0);return b(()=>{let o=new BroadcastChannel(Zd);return n.current=o,o.onmessage=({data:r})=>{typeof r?.session=="string"&&t.current(r.session)},()=>{n.current=void 0,o.close()}},[]),T(o=>n.current?.postMessage({session:o}),[])}function ca(e,t){let{session:n,reload:o}=t,{busy:r,follow:s}=e,i=_({busy:r,follow:s,reload:o});i.current={busy:r,follow:s,reload:o},b(()=>{let a=n?.answering;if(!a||r)return;a.run_id&&i.current.follow(a.run_id);let u=setTimeout(()=>{!i.current.busy&&!document.hidden&&i.current.reload()},ef);return()=>clearTimeout(u)},[n,r]),b(()=>{let a=()=>{!document.hidden&&!i.current.busy&&i.current.reload()};return document.addEventListener("visibilitychange",a),()=>document.removeEventListener("visibilitychange",a)},[])}function ua(e,{read:t,deleted:n,whole:o}){let r=e.at(-1),s=new Map(e.map(i=>[i.id,i]));for(let i of t.values()){let a=s.get(i.id);(a?i.updated_at>=a.updated_at:o||!r||i.updated_at>r.updated_at)&&s.set(i.id,i)}return[...s.values()].filter(i=>!n.has(i.id)).sort((i,a)=>+(i.updated_at<a.updated_at)-+(i.updated_at>a.updated_at))}var tf=20,la=()=>({read:new Map,deleted:new Set,pages:1});function da(e){let t=z(),[n,o]=$(la);b(()=>o(la),[t]);let r=se(f=>nf(n.pages,f),[n.pages]),s=T(f=>{o(p=>({...p,read:new Map(p.read).set(f.id,f)}))},[]),i=T(async(f,p)=>{let m=await A.renameSession(f,p);s(m),e(m)},[s,e]),a=T(async f=>{await A.deleteSession(f),o(p=>({...p,deleted:new Set(p.deleted).add(f)}))},[]),u=T(()=>o(f=>({...f,pages:f.pages+1})),[]),{data:d}=r,l=F(()=>d&&ua(d.sessions,{...n,whole:!d.cursor}),[d,n]);return{...r,sessions:l,more:!!d?.cursor,showMore:u,addSession:s,rename:i,remove:a}}async function nf(e,t){let n=[],o;for(let r=0;r<e;r+=1){let s=await A.sessions({limit:tf,cursor:o,signal:t});if(n.push(...s.sessions),o=s.cursor??void 0,o===void 0)break}return{sessions:n,cursor:o}}function fa({route:e}){let{session:t="",run:n="",branch:o=""}=e.params,[r,s]=$(rs),i=it(e.params),a=_((()=>{})),u=aa(I=>a.current(I)),d=oa(t,n,r,i,{onChange:u}),l=ra(t,o,{blocked:d.busy&&d.waiting&&d.sent?.session===t,running:d.followed.active,fresh:d.fresh}),f=da(l.update);a.current=I=>{I===t?l.reload():f.reload()},ca(d,l);let p=d.task.error?.code==="session_busy",{reload:m}=l;b(()=>{p&&m()},[p,m]);let{addSession:h}=f,{markFound:w}=d;b(()=>{l.session&&(h(l.session),w(l.session.id))},[l.session,h,w]);let v=T(I=>s(Q=>({...Q,...I})),[]);ia(d.received,l.session,l.update,h);let C=()=>we(),y=Dr("Conversations",[{sign:"+",label:"New chat",run:C}]),k=()=>{C(),y.close(),y.isNarrow||document.getElementById(Pn)?.focus()},E=I=>{I!==t&&we({session:I}),y.close()},V=as(r)+ +(i.rule!=="")+ +(i.model!==""),te=r.collections.length,X=c`
    <button type="button" onClick=${k}>New chat</button>
    <${Y} open summary=${c`<h2>Sessions</h2>`}>
      <${ji}
        sessions=${f}
        open=${t}
        onOpen=${E}
        onDeleted=${I=>I===t&&C()}
      />
    <//>
    <${Y}
      open=${!y.isNarrow}
      summary=${c`<h2>Collections</h2>${te>0&&c` <small>${te} selected</small>`}`}
    >
      <${Pi} options=${r} onChange=${v} />
    <//>
    <${Y}
      open=${!y.isNarrow}
      summary=${c`<h2>Options</h2>${V>0&&c` <small>${V} selected</small>`}`}
    >
      <${Ni} options=${r} onChange=${v} />
    <//>
  `;return c`
    <${Pr} title="Chat" controls=${X} drawer=${y}>
      <${Oi} id=${t} branch=${o} chat=${d} conversation=${l} options=${r} onBegin=${C} />
    <//>
  `}var ma=100;function pa({route:e}){let t=Fo(),n=se(i=>of(e.id,t,i),[e.id,t]),{data:o,error:r}=n,s=F(()=>Xt(o?.messages??[],[]),[o]);return c`
    <div class="shared-session">
      <div>
        <h1>${o?.title||"Shared conversation"}</h1>
        ${o&&c`<small>Read-only, ${D(o.turns,"turn")}, shared <${ae} at=${o.shared_at} />, link
            expires <${ae} at=${o.expires_at} />${o.tool_calls?"":", without tool calls"}</small>`}
      </div>
      ${r&&c`<${q} error=${r} onRetry=${r.status===404?void 0:n.reload} />`}
      ${!o&&!r&&c`<${ee} lines=${8} label="the conversation" />`}
      <div class="chat-turns">
        ${s.map(i=>c`<${en} key=${i.key} session="" turn=${i} open=${!1} tokenUsed=${!1} />`)}
      </div>
    </div>
  `}async function of(e,t,n){let o=await A.sharedSession(e,t,{limit:ma,signal:n}),r=[...o.messages];for(let{cursor:s}=o;s;){let i=await A.sharedSession(e,t,{limit:ma,cursor:s,signal:n});r.push(...i.messages),s=i.cursor}return{...o,messages:r}}var rf={chat:fa,shared:pa},sf={"tools-testing":"ToolsTesting",validation:"Validation",traces:"Traces",runs:"Run",usage:"Usage",retrieval:"Retrieval",configuration:"Configuration"};function ha({route:e}){let t=rf[e.view],{module:n,failed:o,retry:r}=qe("views",t===void 0),s=sf[e.view],i=t??(s&&n?.[s]);return i?c`<${i} route=${e} />`:o?c`<${af} onRetry=${r} />`:c`<${ee} lines=${8} label="the view" />`}function af({onRetry:e}){return c`
    <div class="problem" role="alert">
      <h1><span aria-hidden="true">✕</span> View not loaded</h1>
      <p>The network failed, or the service was updated since you opened this page. A reload gets the current page; your drafts stay.</p>
      <div class="row">
        <button type="button" class="primary" onClick=${()=>location.reload()}>Reload page</button>
        <button type="button" onClick=${e}>Try again</button>
      </div>
    </div>
  `}function $a(){let e=At(),t=z(),n=nr(),o=_(t!==""),[r,s]=$(t===""),[i,a]=$(!1);return o.current=t!==""||o.current&&n!=="",b(Rt,[]),b(()=>{let u=e.view==="shared"?"Shared conversation":"Trace",d=Ze.find(l=>l.name===e.view)?.title??u;document.title=`${d} · Flexchat`},[e.view]),b(()=>{s(t==="")},[t]),or(T(()=>s(!0),[])),Me([{keys:"?",label:"Show keyboard shortcuts",run:()=>a(!0)}]),c`
    <a class="skip" href="#main">Skip to content</a>
    <${Ir} route=${e} onHelp=${()=>a(!0)} />
    <main id="main" tabindex="-1">
      ${o.current&&c`<${ha} key=${e.view} route=${e} />`}
    </main>
    <${Lr} open=${r} needed=${t===""} ended=${n} onClose=${()=>s(!1)} />
    <${Ne} title="Keyboard shortcuts" open=${i} onClose=${()=>a(!1)}>
      <dl class="keys">
        ${bn().map(({keys:u,label:d})=>c`
            <dt><kbd>${fe(u)}</kbd></dt>
            <dd>${d}</dd>
          `)}
        <dt><kbd>Tab</kbd></dt>
        <dd>Move to the next control</dd>
      </dl>
    <//>
  `}for(let e of document.querySelectorAll("link"))e.setAttribute("href",e.href);fn(c`<${$a} />`,document.getElementById("app"));export{$ as a,b,G as c,_ as d,F as e,T as f,ne as g,c as h,Me as i,fe as j,oe as k,Qe as l,Se as m,kn as n,et as o,xe as p,re as q,Lt as r,nt as s,z as t,Ne as u,Ce as v,O as w,S as x,A as y,se as z,Z as A,ir as B,Ae as C,Jf as D,Yf as E,Xf as F,ur as G,fr as H,Qf as I,sp as J,Pr as K,ue as L,Pt as M,q as N,ie as O,D as P,H as Q,wr as R,qt as S,me as T,vr as U,Be as V,pm as W,J as X,ee as Y,kr as Z,U as _,lt as $,eh as aa,Kt as ba,ae as ca,Un as da,th as ea,nh as fa,Gs as ga,bt as ha,Le as ia,$t as ja,Ku as ka,de as la,We as ma,l$ as na,Y as oa,_t as pa,pe as qa,ri as ra,si as sa,xp as ta,zs as ua,A$ as va,ct as wa,Fe as xa,Xs as ya,Qs as za,D$ as Aa,Zs as Ba,fl as Ca,N$ as Da,ml as Ea,ti as Fa,P$ as Ga,Qh as Ha,Ps as Ia,Yt as Ja,Js as Ka,to as La};
