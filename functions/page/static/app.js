/*! preact 11.2.0, MIT: see LICENSE.preact.txt */var J,Br,vu,Ue,fn,io,Hr,ro,Fr,$n,pn,wu,xt=Symbol.for("pv"),lo={},co=[],Tu=/^m(i|n|o|s|text|space)$/,hn=Array.isArray,gn=co.slice,ot=Object.assign;function tt(e){e&&e.parentNode&&e.remove()}function Ur(e,t,o){var n,r,a,i={},l=arguments.length;for(a in t)a=="key"?n=t[a]:a=="ref"&&typeof e!="function"?r=t[a]:i[a]=t[a];return l>2&&(i.children=l>3?gn.call(arguments,2):o),St(e,i,n,r,null)}function St(e,t,o,n,r){var a={type:e,props:t,key:o,ref:n,__k:null,__:null,__b:0,__e:null,__c:null,constructor:xt,__v:r||++Br,__i:-1,__u:0};return!r&&J.vnode&&J.vnode(a),a}function Ct(e){return e.children}function so(e,t){this.props=e,this.context=t,this.__g=0}function je(e,t){if(t==null)return e.__&&je(e.__,e.__i+1);for(var o;t<e.__k.length;t++)if((o=e.__k[t])&&o.__e)return o.__e;return typeof e.type!="function"||e.props.__P?null:je(e)}function ku(e){var t,o=e.__v,n=o.__e,r=[],a=[],i=e.__P;i&&((t=ot({constructor:xt},o)).__v=o.__v+1,J.vnode&&J.vnode(t),bn(i,t,o,e.__n,i.namespaceURI,32&o.__u?[n]:null,r,n||je(o),32&o.__u,a),t.__v=o.__v,t.__.__k[t.__i]=t,zr(r,t,a),o.__=o.__e=null,t.__e!=n&&jr(t))}function jr(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),jr(e)}function Lr(e){(8&e.__g||(e.__g|=8,Ue.push(e),io++))&&fn==J.debounceRendering||((fn=J.debounceRendering)||queueMicrotask)(Vr)}function Vr(){try{for(var e,t=1;Ue.length;)Ue.length>t&&Ue.sort(Hr),e=Ue.shift(),t=Ue.length,8&e.__g&&ku(e)}finally{(io=Ue.length)&&(fn||queueMicrotask)(Vr)}}function Wr(e,t,o,n,r,a,i,l,c,d,u){var m,p,f,h,E,S,O=n.__k||co,R=t.length;for(c=Su(o,t,O,c,R),m=0;m<R;m++)(f=o.__k[m])!=null&&(p=~f.__i&&O[f.__i]||lo,f.__i=m,S=bn(e,f,p,r,a,i,l,c,d,u),h=f.__e,(p.ref!=f.ref||8&p.__u)&&(p.ref&&_n(p.ref,null,f,p),f.ref&&u.push(f.ref,f.__c||h,f)),E=E||h,4&f.__u?(c=Gr(f,c,e,!p.__v),p.__e&&(p.__e=null)):typeof f.type=="function"&&S!==void 0?c=S:h&&(c=h.nextSibling),f.__u&=-21);return o.__e=E,c}function Su(e,t,o,n,r){var a,i,l,c,d,u,m,p,f,h=o.length,E=h,S=0,O=0,R=e.__k=Array(r);for(a=0;a<r;a++)(i=t[a])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=R[a]=St(null,i):hn(i)?i=R[a]=St(Ct,{children:i}):i.constructor===xt&&i.__b?i=R[a]=St(i.type,i.props,i.key,i.ref,i.__v):R[a]=i,c=a+S,i.__=e,i.__b=e.__b+1,l=null,~(d=i.__i=xu(i,o,c,E))&&(E--,(l=o[d])&&(l.__u|=2)),l&&l.__v?(i.__u|=16,d==c-1?S--:d==c+1?S++:d!=c&&(d>c?S--:S++,O=1)):(~d||(r>h?S--:r<h&&S++),typeof i.type!="function"&&(i.__u|=4))):R[a]=null;if(O){for(u=[],m=[],a=0;a<r;a++)if((i=R[a])&&16&i.__u){for(S=0,p=u.length;S<p;)u[f=S+p>>1]<i.__i?S=f+1:p=f;u[S]=i.__i,m[a]=S+1}for(S=u.length;a--;)m[a]&&(m[a]==S?S--:R[a].__u|=4)}if(E)for(a=0;a<h;a++)!(l=o[a])||2&l.__u||(l.__e==n&&(n=je(l)),yn(l,l));return n}function Gr(e,t,o,n){var r,a,i,l;if(typeof e.type=="function"){if(e.props.__P)return t;if(r=e.__k)for(a=0;a<r.length;a++)r[a]&&(r[a].__=e,t=Gr(r[a],t,o,!1));return t}for(t&&!t.parentNode&&(t=je(e))&&!t.parentNode&&(t=null),i=e.__e,l=t;l&&l.nodeType==8;)l=l.nextSibling;for(i!=l&&(!n&&o.moveBefore&&i.parentNode?o.moveBefore(i,t):o.insertBefore(i,t||null)),t=i;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function xu(e,t,o,n){var r,a=e.key,i=e.type,l=t[o],c=l&&!(2&l.__u);if(l===null&&a==null||c&&a==l.key&&i==l.type)return o;if(n>(c?1:0)){for(r=o-1;r>=0;r--)if((l=t[r])&&!(2&l.__u)&&a==l.key&&i==l.type)return r;for(r=o+1;r<t.length;r++)if((l=t[r])&&!(2&l.__u)&&a==l.key&&i==l.type)return r}return-1}function qr(e,t,o){o==null&&(o=""),t[0]=="-"?e.setProperty(t,o):e[t]=o}function no(e,t,o,n,r){var a,i;if(t=="style")if(typeof o=="string")e.style.cssText=o;else{if(typeof n=="string"&&(e.style.cssText=n=""),n)for(t in n)o&&t in o||qr(e.style,t);if(o)for(t in o)n&&o[t]==n[t]||qr(e.style,t,o[t])}else if(t[0]=="o"&&t[1]=="n")typeof o!="function"&&(o=null),typeof n!="function"&&(n=null),(e.__e||(e.__e={}))[t]=o,o&&n||(i=pn[t]||(pn[t]=Cu(t)),(e.__a||(e.__a={}))[t]=$n,a=t!=(t=t.replace(Fr,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),o?e.addEventListener(t,i,a):e.removeEventListener(t,i,a));else{if(r=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=o??"")}catch{}if(typeof o=="function")return;o==null||o===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&o==1?"":o)}}function Cu(e){return function(t){var o=this.__e;if(o){if(o=o[e],t[ro]==null)t[ro]=$n++;else if(t[ro]<this.__a[e])return;return o(J.event?J.event(t):t)}}}function bn(e,t,o,n,r,a,i,l,c,d){var u,m,p,f,h,E,S,O,R,b,x,z,Q,$e,q,me,fe,H,he=t.type;if(t.constructor!==xt)return null;128&o.__u&&(c=32&o.__u,u=o.__c.__z)&&(t.__u|=c,m=a=[],u.nodeType==8?l=ao(u,a):a.push(u),l=a[0]||l),(u=J.__b)&&u(t);e:if(typeof he=="function"){p=i.length;try{if(O=t.props,R=(u=he.prototype)&&u.render,b=(u=he.contextType)&&n[u.__c],x=u?b?b.props.value:u.__:n,(f=o.__c)?(t.__c=f,2&f.__g&&(f.__g|=1)):(R?t.__c=f=new he(O,x):(t.__c=f=new so(O,x),f.constructor=he,f.render=Ru),b&&b.sub(f),f.state||(f.state={}),f.__n=n,f.__g|=8,f.__h=[],f.__k=[]),R&&(f.__s||(f.__s=f.state),he.getDerivedStateFromProps&&(f.__s==f.state&&(f.__s=ot({},f.__s)),ot(f.__s,he.getDerivedStateFromProps(O,f.__s)))),h=f.props,E=f.state,f.__v=t,o.__c){if(O!==h&&R&&!he.getDerivedStateFromProps&&f.componentWillReceiveProps&&f.componentWillReceiveProps(O,x),t.__v==o.__v&&!(8&f.__g)||!(4&f.__g)&&f.shouldComponentUpdate&&f.shouldComponentUpdate(O,f.__s,x)===!1){t.__v!=o.__v&&(f.props=O,f.state=f.__s,f.__g&=-9),t.__e=o.__e,t.__k=o.__k,t.__k.some(function(ge){ge&&(ge.__=t)}),co.push.apply(f.__h,f.__k),f.__k=[],f.__h.length&&i.push(f),l=je(o);break e}f.componentWillUpdate&&f.componentWillUpdate(O,f.__s,x),R&&f.componentDidUpdate&&f.__h.push(function(){f.componentDidUpdate(h,E,S)})}else R&&!he.getDerivedStateFromProps&&f.componentWillMount&&f.componentWillMount(),R&&f.componentDidMount&&f.__h.push(f.componentDidMount);f.context=x,f.props=O,f.__P=e,f.__g&=-5,z=J.__r,Q=R?25:0;do f.__g&=-9,z&&z(t),u=f.render(f.props,f.state=f.__s,f.context);while(8&f.__g&&++Q<25);R&&(co.push.apply(f.__h,f.__k),f.__k=[]),f.state=f.__s,f.getChildContext&&(n=ot({},n,f.getChildContext())),R&&o.__c&&f.getSnapshotBeforeUpdate&&(S=f.getSnapshotBeforeUpdate(h,E)),$e=u&&u.type===Ct&&u.key==null?u.props.children:u,O.__P&&(u=l,r=(e=O.__P).namespaceURI,c=a=null,o.props&&o.props.__P!=e&&(o.__k.some(function(ge){ge&&yn(ge,ge)}),o.__k=null),l=o.__k?je(o,0):null),l=Wr(e,hn($e)?$e:[$e],t,o,n,r,a,i,l,c,d),O.__P&&(t.__e=null,l=u),t.__u&=-161,m&&m.some(tt),f.__h.length&&i.push(f),1&f.__g&&(f.__g&=-4)}catch(ge){if(i.length=p,t.__v=null,c||a)if(ge&&ge.then){if(t.__u|=128|c,a){for(~(fe=a.indexOf(l||void 0))||(fe=a.length);(H=a[fe-1])&&H.nodeType==8;)fe--;for(;fe<a.length;fe++)if(H=a[fe])if(a[fe]=null,q){if(H==me)break}else{if(H.nodeType!=8)break;H.data.startsWith("$s")&&(me=ao(q=H))}}if(!q){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;q=l}(u=ao(q=t.__c.__z||(t.__c.__z=q)))?(t.__e=q,l=u):t.__e=l,l=l&&l.nextSibling}else a&&a.some(tt);else t.__e=o.__e;t.__k||(t.__k=o.__k||[]),ge&&ge.then||Kr(t),J.__e(ge,t,o)}}else l=t.__e=Eu(o.__e,t,o,n,r,a,i,c,d,e);return(u=J.diffed)&&u(t),l}function ao(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var o=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))o++;else if(e.data.startsWith("/$s")&&!--o)return e}t&&t.push(e)}}function Kr(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Kr))}function zr(e,t,o){for(var n=0;n<o.length;)_n(o[n++],o[n++],o[n++]);J.__c&&J.__c(t,e),e.some(function(r){try{e=r.__h,r.__h=[],e.some(function(a){a.call(r)})}catch(a){J.__e(a,r.__v)}})}function Eu(e,t,o,n,r,a,i,l,c,d){var u,m,p,f,h,E,S,O,R=o.props||lo,b=t.props,x=t.type;if(x=="svg"?r="http://www.w3.org/2000/svg":x=="math"?r="http://www.w3.org/1998/Math/MathML":r||(r="http://www.w3.org/1999/xhtml"),a){for(u=0;u<a.length;u++)if((h=a[u])&&(x?h.localName==x:h.nodeType==3)){e=h,a[u]=null;break}}if(!e){if(O=d.ownerDocument||document,!x)return O.createTextNode(b);e=O.createElementNS(r,x,b.is?b:d),l&&(J.__m&&J.__m(t,a),l=!1),a=null}if(x){if(d=x=="template"&&e.content||e,a=x=="textarea"&&b.defaultValue!=null?null:a&&gn.call(d.childNodes),!l&&a)for(R={},u=0;u<e.attributes.length;u++)R[(h=e.attributes[u]).name]=h.value;for(u in R)h=R[u],u=="dangerouslySetInnerHTML"?p=h:u=="children"||u in b||u=="value"&&"defaultValue"in b||u=="checked"&&"defaultChecked"in b||no(e,u,null,h,r);for(u in b)h=b[u],u=="children"?f=h:u=="dangerouslySetInnerHTML"?m=h:u=="value"?E=h:u=="checked"?S=h:l&&typeof h!="function"||R[u]===h||no(e,u,h,R[u],r);m?(l||p&&(m.__html==p.__html||m.__html==e.innerHTML)||(e.innerHTML=m.__html),t.__k=[]):(p&&(e.textContent=""),(x=="foreignObject"||r=="http://www.w3.org/1998/Math/MathML"&&Tu.test(x))&&(r="http://www.w3.org/1999/xhtml"),Wr(d,hn(f)?f:[f],t,o,n,r,a,i,a?a[0]:o.__k&&je(o,0),l,c),a&&a.some(tt)),l&&x!="textarea"||(u="value",x=="progress"&&E==null?e.removeAttribute(u):E==null||E===e[u]&&(x!="progress"||E)||no(e,u,E,R[u],r),u="checked",S!=null&&S!=e[u]&&no(e,u,S,R[u],r))}else R===b||l&&e.data==b||(e.data=b);return e}function _n(e,t,o,n){try{typeof e=="function"?t?t.__x=e(t)||1:n&&(n=n.__c||n.__e)&&(t=n.__x)&&(n.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(r){J.__e(r,o)}}function yn(e,t,o){var n,r,a,i;if(J.unmount&&J.unmount(e),!(n=e.ref)||n.current&&n.current!=e.__e||_n(n,null,t,e),n=e.__c){if(n.componentWillUnmount)try{n.componentWillUnmount()}catch(l){J.__e(l,t)}n.__P=n.__n=null}if(n=e.__k)for(i=0;i<n.length;i++)n[i]&&yn(n[i],t,typeof e.type!="function"||o&&!e.props.__P);!o&&(n=e.__c)&&(n=n.__z)&&(r=ao(n,a=[]))&&(n==e.__e&&a.some(tt),tt(r),tt(n)),o||tt(e.__e),e.__e=e.__c=e.__=null}function Ru(e,t,o){return this.constructor(e,o)}function vn(e,t){var o,n,r,a;J.__&&J.__(e,t),t.nodeType==9&&(t=t.documentElement),n=(o=e&&32&e.__u)?null:t.__k,t.__k=St(Ct,{children:[e]}),r=[],a=[],bn(t,t.__k,n||lo,lo,t.namespaceURI,n?null:t.firstChild?gn.call(t.childNodes):null,r,n?n.__e:t.firstChild,o,a),zr(r,t.__k,a),t.__k.props.children=null}J={__e:function(e,t,o,n){for(var r,a,i;t=t.__;)if((r=t.__c)&&!(1&r.__g)){r.__g|=4;try{if((i=(a=r.constructor)&&a.getDerivedStateFromError)&&r.setState(a.getDerivedStateFromError(e)),r.componentDidCatch&&(r.componentDidCatch(e,n||{}),i=1),i&&8&r.__g)return void(r.__g|=2)}catch(l){e=l}}throw io=0,e}},Br=0,vu=function(e){return e!=null&&e.constructor===xt},so.prototype.setState=function(e,t){var o=this.__s;o&&o!=this.state||(o=this.__s=ot({},this.state)),typeof e=="function"&&(e=e(ot({},o),this.props)),e&&(ot(o,e),this.__v&&(t&&this.__k.push(t),Lr(this)))},so.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Lr(this))},so.prototype.render=Ct,Ue=[],io=0,Hr=function(e,t){return e.__v.__b-t.__v.__b},ro=Symbol(),Fr=/(PointerCapture)$|Capture$/i,$n=0,pn={},wu=0;/*! htm 3.1.1, Apache-2.0: see LICENSE.htm.txt */var Xr=function(e,t,o,n){var r;t[0]=0;for(var a=1;a<t.length;a++){var i=t[a++],l=t[a]?(t[0]|=i?1:2,o[t[a++]]):t[++a];i===3?n[0]=l:i===4?n[1]=Object.assign(n[1]||{},l):i===5?(n[1]=n[1]||{})[t[++a]]=l:i===6?n[1][t[++a]]+=l+"":i?(r=e.apply(l,Xr(e,l,o,["",null])),n.push(r),l[0]?t[0]|=2:(t[a-2]=0,t[a]=r)):n.push(l)}return n},Jr=new Map;function Yr(e){var t=Jr.get(this);return t||(t=new Map,Jr.set(this,t)),(t=Xr(this,t.get(e)||(t.set(e,t=(function(o){for(var n,r,a=1,i="",l="",c=[0],d=function(p){a===1&&(p||(i=i.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?c.push(0,p,i):a===3&&(p||i)?(c.push(3,p,i),a=2):a===2&&i==="..."&&p?c.push(4,p,0):a===2&&i&&!p?c.push(5,0,!0,i):a>=5&&((i||!p&&a===5)&&(c.push(a,0,i,r),a=6),p&&(c.push(a,p,0,r),a=6)),i=""},u=0;u<o.length;u++){u&&(a===1&&d(),d(u));for(var m=0;m<o[u].length;m++)n=o[u][m],a===1?n==="<"?(d(),c=[c],a=3):i+=n:a===4?i==="--"&&n===">"?(a=1,i=""):i=n+i[0]:l?n===l?l="":i+=n:n==='"'||n==="'"?l=n:n===">"?(d(),a=1):a&&(n==="="?(a=5,r=i,i=""):n==="/"&&(a<5||o[u][m+1]===">")?(d(),a===3&&(c=c[0]),a=c,(c=c[0]).push(2,0,a),a=0):n===" "||n==="	"||n===`
`||n==="\r"?(d(),a=2):i+=n),a===3&&i==="!--"&&(a=4,c=c[0])}return d(),c})(e)),t),arguments,[])).length>1?t:t[0]}/*! preact/hooks 11.2.0, MIT: see LICENSE.preact.txt */var nt,se,wn,Qr,Tn=Object.is,Rt=0,is=[],kn=[],re=J,Zr=re.__b,es=re.__r,ts=re.diffed,os=re.__c,ns=re.unmount,rs=re.__;function At(e,t){re.__h&&re.__h(se,e,Rt||t),Rt=0;var o=se.__H||(se.__H={__:[],__h:[]});return e>=o.__.length&&o.__.push({}),o.__[e]}function $(e){return Rt=1,Au(ls,e)}function Au(e,t,o){var n=At(nt++,2);if(n.t=e,!n.__c&&(n.__=[o?o(t):ls(void 0,t),function(a){var i=(n.__N||n.__)[0],l=n.t(i,a);Tn(i,l)||(n.__N=[l,n.__[1]],n.__c.setState({}))}],n.__c=se,!se.__f)){se.__f=!0;var r=se.shouldComponentUpdate;se.shouldComponentUpdate=function(a,i,l){var c=this.__H;if(!c)return!0;var d=!1,u=this.props!=a;if(c.__.some(function(p){p.__N&&(d=!0,Tn(p.__[0],p.__N[0])||(u=!0))}),r){var m=r.call(this,a,i,l);return d?m||u:m}return!d||u}}return n.__}function v(e,t){var o=At(nt++,3);!re.__s&&xn(o.__H,t)&&(o.__P=!0,o.__=e,o.u=t,se.__H.__h.push(o))}function ye(e,t){var o=At(nt++,4);!re.__s&&xn(o.__H,t)&&(o.__P=!1,o.__=e,o.u=t,se.__h.push(o))}function w(e){return Rt=5,V(function(){return{current:e}},[])}function V(e,t){var o=At(nt++,7);return xn(o.__H,t)&&(o.__=e(),o.__H=t),o.__}function A(e,t){return Rt=8,V(function(){return e},t)}function Z(){var e=At(nt++,11);if(!e.__){for(var t=se.__v;!t.__m&&t.__;)t=t.__;var o=t.__m||(t.__m=[0,0]);e.__="P"+o[0]+"-"+o[1]++}return e.__}function Ou(){var e;do{for(;e=kn.shift();)try{Et(e)}catch(o){re.__e(o,{__:(e=e.__P)&&e.__v})}for(;e=is.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(Et),t.__h.some(Sn),t.__h=[]}catch(o){t.__h=[],re.__e(o,e.__v)}}}while(kn.length)}re.__b=function(e){se=null,Zr&&Zr(e)},re.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),rs&&rs(e,t)},re.__r=function(e){es&&es(e),nt=0;var t=(se=e.__c).__H;t&&(wn==se?se.__h=[]:(t.__h.some(Et),t.__h.some(Sn),nt=0),t.__h=[],t.__.some(function(o){o.__N&&(o.__=o.__N),o.u=o.__N=void 0})),wn=se},re.diffed=function(e){ts&&ts(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&as(is.push(t)),t.__H.__.some(function(o){o.u&&(o.__H=o.u)})),wn=se=null},re.__c=function(e,t){t.some(function(o){try{o.__h.some(Et),o.__h=o.__h.filter(function(n){return!n.__||Sn(n)})}catch(n){o.__h=[function(){throw n}]}}),os&&os(e,t)},re.unmount=function(e){ns&&ns(e);var t,o,n=e.__c;n&&n.__H&&(n.__H.__.some(function(r){try{if(r.__P&&r.__c){if(o===void 0){for(o=e.__;o&&(!o.__c||!o.__c.__P);)o=o.__;o=o&&o.__c}r.__P=o,as(kn.push(r))}else Et(r)}catch(a){t=a}}),n.__H=void 0,t&&re.__e(t,n.__v))};var ss=typeof requestAnimationFrame=="function";function Mu(e){var t,o=function(){clearTimeout(n),ss&&cancelAnimationFrame(t),setTimeout(e)},n=setTimeout(o,35);ss&&(t=requestAnimationFrame(o))}function as(e){e!=1&&Qr==re.requestAnimationFrame||((Qr=re.requestAnimationFrame)||Mu)(Ou)}function Et(e){var t=se,o=e.__c;typeof o=="function"&&(e.__c=void 0,o()),se=t}function Sn(e){var t=se;e.__c=e.__(),se=t}function xn(e,t){return!e||e.length!=t.length||t.some(function(o,n){return!Tn(o,e[n])})}function ls(e,t){return typeof t=="function"?t(e):t}var s=Yr.bind(Ur);var Cn=new Set;function En(){return[...Cn].flatMap(e=>e.current)}function ie(e){let t=w(e);t.current=e,ye(()=>(Cn.add(t),()=>{Cn.delete(t)}),[])}function Iu(e){let t=`${e.ctrlKey||e.metaKey?"mod+":""}${e.key}`,n=(e.target instanceof HTMLElement?e.target:null)?.matches("input:not([type=checkbox], [type=radio], [type=range]), textarea, select");if(e.defaultPrevented||e.isComposing||e.altKey||n&&t.length===1||document.querySelector("dialog[open]"))return;let r=En().findLast(a=>a.keys===t);r!==void 0&&(e.preventDefault(),r.run())}addEventListener("keydown",Iu);var Du=/Mac|iP/.test(navigator.platform);function be(e){return e.replace("mod+",Du?"⌘ ":"Ctrl ").replace("Enter","⏎").replace("Escape","Esc")}var Oe=new URL("../../",import.meta.url),Ve=document.querySelector('meta[name="flexchat-stage"]')?.getAttribute("content")??"",Ot=[{name:"tools-testing",title:"Test"},{name:"chat",title:"Chat"},{name:"validation",title:"Validation"},{name:"traces",title:"Traces"},{name:"usage",title:"Usage"},{name:"retrieval",title:"Retrieval"},{name:"configuration",title:"Configuration"}],Rn="flexchat:route",An="runs/";function ve(){let e=location.pathname.slice(Oe.pathname.length).replace(/\/$/,""),t=Object.fromEntries(new URLSearchParams(location.search));return e.startsWith(An)?{view:"runs",id:Nu(e.slice(An.length)),params:t}:{view:Ot.find(n=>n.name===e)?.name??"tools-testing",id:"",params:t}}function Nu(e){try{return decodeURIComponent(e)}catch{return e}}function ke(e){return`${An}${encodeURIComponent(e)}`}function Me(e,t={}){let o=new URL(e,Oe);for(let[n,r]of Object.entries(t))r!==""&&o.searchParams.set(n,r);return o.href}function I(e,t={},{replace:o=!1}={}){let n=Me(e,t);n!==location.href&&history[o?"replaceState":"pushState"](null,"",n),dispatchEvent(new Event(Rn))}function cs(){let[e,t]=$(ve);return v(()=>{let o=()=>t(ve());return addEventListener("popstate",o),addEventListener(Rn,o),()=>{removeEventListener("popstate",o),removeEventListener(Rn,o)}},[]),e}var us="flexchat.theme",ds=matchMedia("(prefers-color-scheme: dark)");function On(){let e=localStorage.getItem(us);return e==="light"||e==="dark"?e:ds.matches?"dark":"light"}function ms(e){localStorage.setItem(us,e),uo()}function uo(){document.documentElement.dataset.theme=On()}ds.addEventListener("change",uo);var Mn="flexchat.token",In="flexchat:token",mo=sessionStorage.getItem(Mn)??"";function ut(){return mo}function rt(e,{keep:t=!1}={}){mo=e,t&&e?sessionStorage.setItem(Mn,e):sessionStorage.removeItem(Mn),dispatchEvent(new Event(In))}function le(){let[e,t]=$(mo);return v(()=>{let o=()=>t(mo);return addEventListener(In,o),()=>removeEventListener(In,o)},[]),e}function Ie({title:e,open:t,onClose:o,children:n}){let r=w(null),a=Z();return v(()=>{let l=r.current;t&&!l?.open&&l?.showModal(),!t&&l?.open&&l.close()},[t]),s`
    <dialog ref=${r} aria-labelledby=${a} onCancel=${l=>{l.preventDefault(),o?.()}}>
      <div class="dialog-head">
        <h2 id=${a}>${e}</h2>
        ${o&&s`<button type="button" class="quiet" aria-label="Close" onClick=${o}>✕</button>`}
      </div>
      ${t&&n}
    </dialog>
  `}var fs=JSON,Pu=/^-?\d+$/;function te(e){return JSON.parse(e,(o,n,r)=>{let a=r?.source??"";return typeof n=="number"&&!Number.isSafeInteger(n)&&Pu.test(a)&&fs.rawJSON?fs.rawJSON(a):n})}var U=class extends Error{constructor(t,o,{status:n=0,code:r="",requestId:a="",details:i=[],retryAfter:l=0}={}){super(o),this.kind=t,this.status=n,this.code=r,this.requestId=a,this.details=i,this.retryAfter=l}};async function D(e,t){let o=await fo(e,t);return o.status===204?void 0:await Lu(o)}async function fo(e,{method:t="GET",body:o,query:n={},headers:r={},signal:a,keepalive:i=!1}={}){let l=new URL(e,Oe);for(let[u,m]of Object.entries(n))m!==void 0&&m!==""&&l.searchParams.set(u,String(m));let c={Accept:"application/json"};ut()&&(c.Authorization=`Bearer ${ut()}`),o!==void 0&&(c["Content-Type"]="application/json"),Object.assign(c,r);let d=await qu(l,{method:t,headers:c,cache:"no-store",credentials:"omit",keepalive:i,...o===void 0?{}:{body:JSON.stringify(o)},...a===void 0?{}:{signal:a}});if(!d.ok)throw await Bu(d);return d}async function Lu(e){try{return te(await e.text())}catch(t){throw t instanceof DOMException&&t.name==="AbortError"?t:new U("failed","The response is incomplete or not JSON. Try again.",{status:e.status})}}async function qu(e,t){try{return await fetch(e,t)}catch(o){throw o instanceof DOMException&&o.name==="AbortError"?o:new U("offline","No response. Check the network and that the stack is running, then try again.")}}async function Bu(e){let t=await e.text().then(te).catch(()=>({})),o=Hu(e);return new U(o,t.message??`The service returned status ${e.status} without a message.`,{status:e.status,code:t.error??"",requestId:t.request_id??e.headers.get("x-amzn-requestid")??"",details:t.details??[],retryAfter:Number(e.headers.get("retry-after"))||0})}function Hu({status:e,headers:t}){return e===401?"token":e===403?t.has("x-amzn-errortype")?"token":"forbidden":e<500?"refused":"failed"}var pe=encodeURIComponent,ps="text/event-stream",K=e=>e===void 0?{}:{signal:e},T={me:e=>D("api/me",K(e)),meFor:(e,t)=>D("api/me",{headers:{Authorization:`Bearer ${e}`},...K(t)}),tools:e=>D("api/tools/list",K(e)),models:e=>D("api/models/list",K(e)),testTools:(e,t)=>D("api/tools/test",{method:"POST",body:e,...K(t)}),callTool:(e,t)=>D("api/tools/call",{method:"POST",body:e,...K(t)}),streamChat:(e,t)=>fo("api/chat",{method:"POST",body:e,headers:{Accept:ps},...K(t)}),runEvents:(e,t,o)=>fo(`api/runs/${pe(e)}/events`,{headers:{Accept:ps,...t&&{"Last-Event-ID":t}},...K(o)}),startChat:(e,t)=>D("api/chat",{method:"POST",body:e,headers:{Prefer:"respond-async"},...K(t)}),run:(e,t)=>D(`api/runs/${pe(e)}`,K(t)),cancelRun:(e,{keepalive:t=!1}={})=>D(`api/runs/${pe(e)}`,{method:"DELETE",keepalive:t}),sessions:({limit:e,cursor:t,signal:o}={})=>D("api/sessions",{query:{limit:e,cursor:t},...K(o)}),session:(e,t)=>D(`api/sessions/${pe(e)}`,K(t)),renameSession:(e,t)=>D(`api/sessions/${pe(e)}`,{method:"PATCH",body:{title:t}}),deleteSession:e=>D(`api/sessions/${pe(e)}`,{method:"DELETE"}),messages:(e,{limit:t,cursor:o,fromTurn:n,signal:r}={})=>D(`api/sessions/${pe(e)}/messages`,{query:{limit:t,cursor:o,from_turn:n},...K(r)}),collections:e=>D("api/collections",K(e)),search:(e,t,o)=>D(`api/collections/${pe(e)}/query`,{method:"POST",body:t,...K(o)}),changeCollection:(e,t)=>D(`api/collections/${pe(e)}`,{method:"PATCH",body:t}),statuses:e=>D("api/tools/validate",K(e)),history:(e,{limit:t,cursor:o,signal:n}={})=>D("api/tools/validate",{query:{model:e,limit:t,cursor:o},...K(n)}),validationRuns:({limit:e,cursor:t,signal:o}={})=>D("api/validation/runs",{query:{limit:e,cursor:t},...K(o)}),validationRun:(e,{limit:t,cursor:o,signal:n}={})=>D(`api/validation/runs/${pe(e)}`,{query:{limit:t,cursor:o},...K(n)}),startValidation:e=>D("api/tools/validate",{method:"POST",body:e}),stopValidation:e=>D(`api/validation/runs/${pe(e)}`,{method:"DELETE"}),resumeValidation:e=>D(`api/validation/runs/${pe(e)}/resume`,{method:"POST"}),suites:e=>D("api/validation/suites",K(e)),suite:(e,t)=>D(`api/validation/suites/${pe(e)}`,K(t)),putSuite:(e,t)=>D(`api/validation/suites/${pe(e)}`,{method:"PUT",body:t}),configuration:e=>D("api/config",K(e)),matchRule:(e,t)=>D("api/config/match",{method:"POST",body:{profile:e},...K(t)}),mcpServers:e=>D("api/mcp/servers",K(e)),refreshMcpServer:(e,t)=>D(`api/mcp/servers/${pe(e)}/refresh`,{method:"POST",...K(t)}),approveMcpTools:(e,t,o)=>D(`api/mcp/servers/${pe(e)}/approve`,{method:"POST",body:t,...K(o)}),health:e=>D("health",K(e))};function ae(e,t=[]){let o=le(),n=w(e);n.current=e;let r=JSON.stringify(t),[a,i]=$(0),[l,c]=$({data:void 0,error:void 0,loading:!0});return v(()=>{if(o==="")return;let d=new AbortController;return c(u=>({...u,loading:!0})),n.current(d.signal).then(u=>!d.signal.aborted&&c({data:u,error:void 0,loading:!1}),u=>!d.signal.aborted&&c(m=>({...m,error:po(u),loading:!1}))),()=>d.abort()},[r,o,a]),{...l,reload:A(()=>i(d=>d+1),[])}}function B(){let e=w(void 0),[t,o]=$({busy:!1,since:0,error:void 0,cancelled:!1});v(()=>()=>e.current?.abort(),[]);let n=A(async i=>{e.current?.abort();let l=new AbortController;e.current=l,o({busy:!0,since:performance.now(),error:void 0,cancelled:!1});let c;try{await i(l.signal)}catch(d){l.signal.aborted||(c=po(d))}e.current===l&&o(d=>({...d,busy:!1,error:c,cancelled:l.signal.aborted}))},[]),r=A(()=>e.current?.abort(),[]),a=A(()=>o(i=>({...i,error:void 0,cancelled:!1})),[]);return{...t,run:n,cancel:r,clear:a}}function po(e){return e instanceof U?e:(reportError(e),new U("page",`Error in the page: ${e instanceof Error?e.message:String(e)}`))}var We=e=>e===void 0?{}:{signal:e},Dn=e=>`api/traces/${encodeURIComponent(e)}`,ce={list:(e,t)=>D("api/traces",{query:e,...We(t)}),trace:(e,t)=>D(Dn(e),We(t)),logs:(e,t)=>D(`${Dn(e)}/logs`,We(t)),case:(e,t)=>D(`${Dn(e)}/case`,We(t)),rate:(e,t)=>D(`api/runs/${encodeURIComponent(e)}/feedback`,{method:"POST",body:t}),usage:(e,t)=>D("api/usage",{query:e,...We(t)}),chat:(e,t)=>D("api/chat",{method:"POST",body:e,...We(t)}),offered:e=>D("v1/models",We(e)),complete:(e,t)=>D("v1/chat/completions",{method:"POST",body:e,...We(t)})};var $o="flexchat:cached-query",Mt=new Map;function dt(e,t){let[o,n]=$(0),r=ae(()=>Fu(e,t),[o]);return v(()=>{r.error!==void 0&&Mt.delete(e)},[r.error,e]),v(()=>{let a=i=>{i instanceof CustomEvent&&i.detail===e&&n(l=>l+1)};return addEventListener($o,a),()=>removeEventListener($o,a)},[e]),{...r,reload:A(()=>$s(e),[e]),put:A(a=>hs(e,a),[e])}}function $s(e){Mt.delete(e),dispatchEvent(new CustomEvent($o,{detail:e}))}function hs(e,t){Mt.set(e,{token:ut(),promise:Promise.resolve(t)}),dispatchEvent(new CustomEvent($o,{detail:e}))}function Fu(e,t){let o=ut(),n=Mt.get(e);if(n?.token===o)return n.promise;let r=t();return Mt.set(e,{token:o,promise:r}),r}var Ge=()=>dt("tools",()=>T.tools()),De=()=>dt("models",()=>T.models()),gs=()=>$s("models"),ho=()=>dt("collections",()=>T.collections()),Uu=200,bs=e=>dt(`ratings ${e}`,()=>ju(e));async function ju(e){let{traces:t}=await ce.list({session:e,limit:Uu});return Object.fromEntries(t.flatMap(({id:o,rating:n})=>n?[[o,n]]:[]))}var _s=e=>hs("caller",e);function X(){let{data:e}=dt("caller",()=>T.me());return e===void 0||e.roles.includes("operator")}function ys(){return dt("caller",()=>T.me()).data?.principal}var Vu=3e4;function ws({route:e,onToken:t,onHelp:o}){let n=le(),r=X();return s`
    <header class="shell">
      <a class="brand" href=${Oe.href} onClick=${a=>vs(a,"tools-testing")}>
        Flexchat ${Ve&&s`<small>stage ${Ve}</small>`}
      </a>
      <nav aria-label="Views">
        ${Ot.filter(({name:a})=>r||a!=="configuration"||a===e.view).map(({name:a,title:i})=>s`
            <a
              href=${Me(a)}
              aria-current=${Wu(a,e.view)}
              onClick=${l=>vs(l,a)}
              >${i}</a
            >
          `)}
      </nav>
      <div class="shell-status">
        <${Ku} />
        <button type="button" class="quiet" onClick=${t}>${n?"Token":"No token"} ▾</button>
        <${Gu} />
        <button type="button" class="quiet" aria-label="Show keyboard shortcuts" title="Show keyboard shortcuts (?)" onClick=${o}>?</button>
      </div>
    </header>
  `}function Wu(e,t){return e===t?"page":e==="traces"&&t==="runs"?"true":void 0}function vs(e,t){e.metaKey||e.ctrlKey||e.shiftKey||e.button!==0||(e.preventDefault(),I(t))}function Gu(){let[e,t]=$(On),o=e==="dark"?"light":"dark",n=()=>{ms(o),t(o)},r=`Switch to the ${o} theme`;return s`<button type="button" class="quiet" aria-label=${r} title=${r} onClick=${n}>◐</button>`}function Ku(){let[e,t]=$("unknown");v(()=>{let r=()=>{document.hidden||T.health().then(()=>t("healthy"),()=>t("unreachable"))};r();let a=setInterval(r,Vu);return document.addEventListener("visibilitychange",r),()=>{clearInterval(a),document.removeEventListener("visibilitychange",r)}},[]);let o={unknown:"○",healthy:"●",unreachable:"▲"}[e],n={unknown:"plain",healthy:"good",unreachable:"bad"}[e];return s`<span class="health" data-tone=${n} role="status">
    <span aria-hidden="true">${o}</span> ${e==="unknown"?"checking":e}
  </span>`}var zu=new Intl.NumberFormat("en-GB"),Ju=new Intl.NumberFormat("en-GB",{maximumSignificantDigits:2}),Xu=new Intl.DateTimeFormat("en-GB",{dateStyle:"medium",timeStyle:"medium"}),Ts=new Intl.RelativeTimeFormat("en-GB",{numeric:"auto"}),Yu=[["day",86400],["hour",3600],["minute",60]];function y(e){return zu.format(e)}function g(e,t,o=`${t}s`){return`${y(e)} ${e===1?t:o}`}function C(e){if(e<999.5)return`${Math.round(e)} ms`;if(e<59950)return`${(e/1e3).toFixed(e<1e4?2:1)} s`;let t=Math.round(e/1e3);return`${Math.floor(t/60)} min ${t%60} s`}function mt(e){return`${Math.round(e*100)} %`}function ne(e){return`$${e>=1?e.toFixed(2):Ju.format(e)}`}function Ke(e){return e<1e3?`${e} B`:e<999500?`${Math.round(e/1e3)} kB`:`${(e/1e6).toFixed(1)} MB`}function xe(e){return e.toFixed(3)}function Ne(e){return Xu.format(new Date(e))}function ks(e,t=Date.now()){let o=(new Date(e).getTime()-t)/1e3;for(let[n,r]of Yu)if(Math.abs(o)>=r)return Ts.format(Math.round(o/r),n);return Math.abs(o)<10?"just now":Ts.format(Math.round(o),"second")}var Qu=200;function M({label:e,since:t}){let[o,n]=$(performance.now());return v(()=>{let r=setInterval(()=>n(performance.now()),Qu);return()=>clearInterval(r)},[]),s`<span class="busy">
    <span class="spinner" aria-hidden="true"></span>
    <span role="status">${e}</span>
    <span class="number" aria-hidden="true">${C(Math.max(0,o-t))}</span>
  </span>`}function F({lines:e=3,label:t}){return s`<div class="skeleton" role="status" aria-label=${`Loading ${t}`}>
    ${Array.from({length:e},()=>s`<span></span>`)}
  </div>`}function ue({title:e,children:t}){return s`<div class="empty"><h2>${e}</h2>${t}</div>`}function Ss({open:e,needed:t,onClose:o}){let[n,r]=$(""),[a,i]=$(!1),l=B(),c=u=>{u.preventDefault();let m=n.trim();m===""||l.busy||l.run(async p=>{let f=await T.meFor(m,p);rt(m,{keep:a}),_s(f),r(""),o()})},d=()=>{rt(""),r("")};return s`
    <${Ie} title="API token" open=${e} onClose=${t?void 0:o}>
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
        ${l.error&&s`<p id="token-problem" class="problem-text" role="alert">${Zu(l.error)}</p>`}
        <div class="row">
          <button type="submit" class="primary" disabled=${l.busy}>Sign in</button>
          ${!t&&s`<button type="button" onClick=${d}>Sign out</button>`}
          ${l.busy&&s`<${M} label="Verifying the token" since=${l.since} />`}
        </div>
      </form>
    <//>
  `}function Zu(e){return e.kind==="token"?`The token is not valid: ${e.message}.`:e.message}function P({summary:e,open:t=!1,children:o}){let[n,r]=$(t);return s`
    <details class="collapsible" open=${n} onToggle=${a=>r(a.currentTarget.open)}>
      <summary>${e}</summary>
      ${n&&s`<div class="collapsible-body">${o}</div>`}
    </details>
  `}var ed=matchMedia("(width < 800px)"),td=40;function ze(e){let t=w(null),o=w(!1),n=w({busy:e,at:0});ye(()=>{let{current:a}=n;o.current&&ed.matches&&e!==a.busy&&((e||Math.abs(scrollY-a.at)<td)&&t.current?.scrollIntoView({block:"start"}),o.current=e),n.current={busy:e,at:e&&!a.busy?scrollY:a.at}},[e]);let r=A(()=>{o.current=!0},[]);return{section:t,reveal:r}}function de({title:e,controls:t,section:o,children:n}){return s`
    <h1 class="hidden">${e}</h1>
    <div class="split">
      <section class="split-controls" aria-label="Controls">${t}</section>
      <section class="split-results" ref=${o} aria-label="Results">${n}</section>
    </div>
  `}var xs=3e6,Nn=new Set(["image/png","image/jpeg","image/webp","image/gif"]),Cs=[...Nn,".pdf,.txt,.md,.csv,.json,.html,.docx,.pptx,.xlsx,.epub"].join(",");function Es(e,t){let o=e.find(({type:i})=>i.startsWith("image/")&&!Nn.has(i));if(o)return`${o.name} is of the type ${o.type}. Attach PNG, JPEG, WebP or GIF pictures.`;let n=e.find(({size:i})=>i===0);if(n)return`${n.name} is empty.`;let r=[...t,...e].reduce((i,{size:l})=>i+l,0);return r<=xs?"":`${e.map(({name:i})=>i).join(", ")}: the files have ${Ke(r)} together, and a message takes ${Ke(xs)}. Send larger ones with “flexchat chat --file”.`}function Rs(e){return new Promise((t,o)=>{let n=new FileReader;n.onload=()=>t({name:e.name,type:e.type,size:e.size,url:n.result}),n.onerror=()=>o(n.error),n.readAsDataURL(e)})}function As(e){let t="auto";return e.length>0?{attachments:e.map(({name:o,url:n})=>({name:o,url:n,detail:t}))}:{}}function go({attachments:e,onRemove:t}){return e.length===0?null:s`
    <ul class="chat-attachments" aria-label="Attachments">
      ${e.map(({name:o,type:n,size:r,url:a},i)=>s`
          <li key=${i}>
            ${a&&Nn.has(n)?s`<img src=${a} alt=${o||"Picture"} />`:s`<span aria-hidden="true">${n.startsWith("image/")?"▣":"▤"}</span>`}
            <span>${o||n}</span>
            <small>${Ke(r)}</small>
            ${t&&s`<button type="button" class="quiet" aria-label=${`Remove ${o||n}`} onClick=${()=>t(i)}>✕</button>`}
          </li>
        `)}
    </ul>
  `}var Pn="flexchat.enter",Os="breaks";function Ms(){return localStorage.getItem(Pn)!==Os}function Is(e){e?localStorage.removeItem(Pn):localStorage.setItem(Pn,Os)}function Ds({key:e,shiftKey:t,altKey:o,ctrlKey:n,metaKey:r,isComposing:a,keyCode:i},l){return l&&e==="Enter"&&!(t||o||n||r||a||i===229)}var Ln="chat-message";function Ns({draft:e,attachments:t,onAttach:o,onDetach:n,busy:r,waiting:a,since:i,hint:l,isAway:c,field:d,onWrite:u,onSend:m,onCancel:p,onJump:f}){let[h,E]=$(Ms),[S,O]=$(""),R=w(null),b=async H=>{let he=[...H??[]],ge=Es(he,t);if(O(ge),!(ge!==""||he.length===0))try{o(await Promise.all(he.map(Rs)))}catch{O("The file could not be read. Choose it again.")}},x=H=>{H.clipboardData?.files.length&&(H.preventDefault(),b(H.clipboardData.files))},z=H=>{H.preventDefault(),b(H.dataTransfer?.files)},Q=H=>{H.dataTransfer?.types.includes("Files")&&H.preventDefault()},$e=H=>{O(""),n(H),d.current?.focus()},q=H=>{H.preventDefault(),m()},me=H=>{Ds(H,h)&&(H.preventDefault(),m())},fe=()=>{Is(!h),E(!h)};return s`
    <form class="chat-composer" onSubmit=${q} onDragOver=${Q} onDrop=${z}>
      ${c&&s`<div class="chat-jump"><button type="button" onClick=${f}><span aria-hidden="true">↓</span> Jump to latest</button></div>`}
      <${go} attachments=${t} onRemove=${$e} />
      ${S&&s`<p class="problem-text" role="alert">✕ ${S}</p>`}
      <label>
        <span class="hidden">Message</span>
        <textarea
          ref=${d}
          id=${Ln}
          rows="2"
          placeholder="Message"
          value=${e}
          onKeyDown=${me}
          onPaste=${x}
          onInput=${H=>u(H.currentTarget.value)}
        ></textarea>
      </label>
      <div class="row">
        <${od} field=${d} busy=${r} disabled=${l!==""||e.trim()===""} keys=${h?"Enter":"mod+Enter"} onCancel=${p} />
        <button type="button" onClick=${()=>R.current?.click()}>Attach</button>
        <input
          ref=${R}
          type="file"
          class="hidden"
          tabindex="-1"
          multiple
          accept=${Cs}
          aria-label="Pictures and files"
          onChange=${({currentTarget:H})=>{b(H.files),H.value=""}}
        />
        ${a&&s`<${M} label=${a} since=${i} />`}
        ${l&&s`<span class="problem-text">✕ ${l}</span>`}
        <label class="check chat-enter" title="Shift+Enter inserts a line break. If unchecked, Enter inserts it.">
          <input type="checkbox" checked=${h} onChange=${fe} />
          <small>Send with Enter</small>
        </label>
      </div>
    </form>
  `}function od({field:e,busy:t,disabled:o,keys:n,onCancel:r}){let a=w(null),i=w(null),l=w(null);return ye(()=>{let[c,d]=t?[a.current,i.current]:[i.current,e.current];c!==null&&l.current===c&&d?.focus({preventScroll:!0})},[t,e]),l.current=document.activeElement,s`
    <button ref=${a} type="submit" class="primary" disabled=${t||o}>
      Send <span aria-hidden="true">${be(n)}</span>
    </button>
    <button ref=${i} type="button" hidden=${!t} onClick=${r}>
      Cancel <span aria-hidden="true">${be("Escape")}</span>
    </button>
  `}var nd=2e3;function oe({text:e,label:t}){let[o,n]=$("");return v(()=>{if(o==="")return;let a=setTimeout(()=>n(""),nd);return()=>clearTimeout(a)},[o]),s`<button type="button" class="quiet" onClick=${()=>navigator.clipboard.writeText(typeof e=="string"?e:e()).then(()=>n("copied ✓"),()=>n("not copied: access denied by the browser"))}>
    ${t}<span role="status">${o&&s` · ${o}`}</span>
  </button>`}var Ps={offline:"The service cannot be reached",token:"The token is not valid",forbidden:"The token lacks the required role",refused:"The request was rejected",failed:"The service failed",page:"The page failed"},st={bad_gateway:"The service failed",built_in_suite:"The suite is built in",cancelled:"The chat was cancelled",configuration:"Configuration error",conflict:"Conflict with another change",definitions_changed:"The definitions have changed",empty_image_file:"The picture is empty",failed_to_download_image:"The picture could not be fetched",forbidden:"The token lacks the required role",idempotency_in_progress:"The request is still in progress",idempotency_key_reused:"The idempotency key was already used",image_file_not_found:"The file is not uploaded",image_too_large:"The picture is too large",internal_error:"The service failed",invalid_case:"No validation case can be made",invalid_cursor:"The list has changed",invalid_idempotency_key:"The request is not valid",invalid_last_event_id:"The request is not valid",invalid_request:"The request is not valid",invalid_schema:"The schema of the answer is not valid",invalid_suite:"The suite is not valid",mcp_failed:"The MCP server cannot be used",mcp_starting:"The MCP server is still starting",message_too_long:"No validation case can be made",model_in_validation:"A validation run is testing this model",model_not_found:"Model not found",no_content:"No validation case can be made",no_message:"No validation case can be made",no_successful_call:"No validation case can be made",no_tools:"No validation case can be made",no_prices:"The model has no prices",not_found:"Not found",not_listed:"The tools of the server are not listed yet",payload_too_large:"The request is too large",range_too_large:"The period is too long",rate_limited:"Too many requests",response_too_large:"The response is too large",resume_token_expired:"The partial answer has expired",resume_token_in_use:"The partial answer is in use",resume_token_invalid:"The partial answer cannot be continued",resume_token_used:"The partial answer was already continued",run_ended:"The run has ended",run_not_found:"Run not found",server_disabled:"The MCP server is disabled",server_not_found:"MCP server not found",session_busy:"The session is in use",session_moved_on:"The session has changed",session_not_found:"Session not found",suite_not_found:"Suite not found",timeout:"The service did not answer in time",tool_disabled:"The tool is disabled",tool_not_found:"Tool not found",tools_disabled:"Tools are disabled",too_many_failed_calls:"No validation case can be made",trace_not_found:"Trace not found",unauthorized:"The token is not valid",unavailable:"The service is unavailable",unsupported_image_media_type:"The picture is of a type that models do not read",unsupported_media_type:"The request is not valid",collection_conflict:"Conflict with another change",collection_configuration:"Configuration error",collection_damaged:"The collection is damaged",collection_exists:"The collection already exists",collection_invalid:"The request is not valid",collection_not_found:"Collection not found",collection_too_large:"The request is too large",collection_unavailable:"The collection is unavailable",model_authentication:"The provider rejected the API key",model_content_filter:"The content filter blocked the message",model_context_length:"The conversation is too long",model_invalid_request:"The provider rejected the request",model_invalid_response:"The provider's response is not valid",model_invalid_format:"The model's answer has another form",model_malformed_tool_call:"The model's tool call cannot be read",model_network:"The provider cannot be reached",model_overloaded:"The provider is overloaded",model_permission:"The API key has no access to this model",model_rate_limit:"The provider's rate limit was reached",model_server_error:"The provider failed",model_timeout:"The provider did not answer in time",model_unsupported_content:"The model does not read this"},rd={404:st.not_found??"",408:st.timeout??"",413:st.payload_too_large??"",429:st.rate_limited??"",503:st.unavailable??"",504:st.timeout??""};function Ls({kind:e,code:t,status:o}){return e==="token"||e==="offline"||e==="page"?Ps[e]:st[t]??rd[o]??Ps[e]}function _e({id:e,params:t={},children:o}){let n=r=>{r.metaKey||r.ctrlKey||r.shiftKey||r.button!==0||(r.preventDefault(),I(ke(e),t),scrollTo(0,0))};return s`<a href=${Me(ke(e),t)} onClick=${n}>${o??"Open trace"}</a>`}function k({error:e,onRetry:t,retry:o="Try again",traced:n=!1}){return s`
    <div class="problem" role="alert">
      <h3><span aria-hidden="true">✕</span> ${Ls(e)}</h3>
      <p>${e.message}</p>
      ${e.retryAfter>0&&s`<p>Retry after ${e.retryAfter} s.</p>`}
      ${e.details.length>0&&s`<ul>${e.details.map(({path:r,message:a})=>s`<li><code>${r}</code> ${a}</li>`)}</ul>`}
      <div class="row">
        ${e.kind==="token"&&s`<button type="button" onClick=${()=>rt("")}>Enter another token</button>`}
        ${t&&e.kind!=="token"&&s`<button type="button" onClick=${t}>${o}</button>`}
        ${e.requestId&&s`<small>request <code>${e.requestId}</code></small>
            <${oe} text=${e.requestId} label="Copy request id" />`}
        ${n&&sd(e)&&s`<${_e} id=${e.requestId} />`}
      </div>
    </div>
  `}function sd({kind:e,code:t,requestId:o}){return o!==""&&(e==="failed"||t.startsWith("model_"))}var Pe={answered:{title:"answered",tone:"good",sign:"✓",reason:""},cut_off:{title:"cut off",tone:"warn",sign:"✂",reason:"The model's token limit cut off the answer."},filtered:{title:"filtered",tone:"bad",sign:"⊘",reason:"The provider's filter stopped the answer."},refused:{title:"refused",tone:"bad",sign:"⊘",reason:"The model refused to answer."},empty:{title:"empty",tone:"warn",sign:"∅",reason:"The model returned no text; a placeholder is shown."},iteration_limit:{title:"iteration limit",tone:"warn",sign:"!",reason:"The limit on iterations was reached before the model answered."},repeated_calls:{title:"repeated calls",tone:"warn",sign:"!",reason:"The model repeated the same call and was stopped."},tool_call_limit:{title:"tool call limit",tone:"warn",sign:"!",reason:"The limit on tool calls was reached before the model answered."},client_calls:{title:"waits for the client",tone:"warn",sign:"…",reason:"The model waits for the results of the client's tools."},out_of_time:{title:"out of time",tone:"warn",sign:"!",reason:"The deadline was reached before the answer was complete."},model_failed:{title:"model failed",tone:"bad",sign:"✕",reason:"The model failed before the answer was complete."},unknown:{title:"unknown outcome",tone:"warn",sign:"?",reason:"The provider returned an unknown finish reason."}};function Ce({outcome:e,status:t,error:o}){return e?Pe[e]??Pe.unknown:t!=="partial"?Pe.answered:o?Pe.model_failed:Pe.out_of_time}var Bs={background:!1,explain:!1,seconds:"",intent:"",service:"",collections:[]},qs={background:900,waiting:28};function bo({background:e}){return e?qs.background:qs.waiting}function _o(e){if(e.seconds.trim()==="")return"";let t=Number(e.seconds);return t>=1&&t<=bo(e)?"":`Enter a deadline from 1 to ${bo(e)} seconds${e.background?"":", or up to 900 in the background"}.`}function Hs(e,t,o,n=[]){let r=Object.fromEntries(Object.entries({intent:o.intent.trim(),service:o.service.trim()}).filter(([,a])=>a));return{message:e,session_id:t,...As(n),...o.collections.length>0&&{selected_collections:[...o.collections]},...Object.keys(r).length>0&&{profile:r},...Us(o)}}function Fs(e,t,o){return{resume_token:e,session_id:t,...Us(o)}}function Us(e){let t=e.seconds.trim();return{...t!==""&&{deadline_ms:Math.round(Number(t)*1e3)},...e.explain&&{explain:!0}}}function js(e){return[e.background,e.explain,e.seconds.trim(),e.intent.trim(),e.service.trim()].filter(Boolean).length}var ad={good:"✓",warn:"!",bad:"✕",plain:"·"};function _({tone:e,sign:t=ad[e],children:o}){return s`<span class="outcome" data-tone=${e}>
    <span aria-hidden="true">${t}</span> ${o}
  </span>`}function W(){return s`<span class="tag demo" title="The demo model follows fixed rules and is no evidence about a real model">demo</span>`}function ee({children:e}){return s`<span class="tag">${e}</span>`}function j({at:e}){return s`<time datetime=${e} title=${Ne(e)}>${ks(e)}</time>`}function Ee(e){return`${mt(e.rate)} (${Math.round(e.low*100)}–${Math.round(e.high*100)})`}function yo({rate:e}){let t={left:`${e.low*100}%`,width:`${Math.max(1,(e.high-e.low)*100)}%`};return s`<span class="rate" title=${`${e.successes} of ${e.tests} tests; 95 % interval`}>
    <span class="number">${Ee(e)}</span>
    <span class="interval" aria-hidden="true"><span style=${t}></span><i style=${{left:`${e.rate*100}%`}}></i></span>
  </span>`}function ft({validation:e,demo:t}){let{badge:o,rate:n}=e;return t?s`<${W} />${n&&s` <small class="number">${Ee(n)}</small>`}`:o?s`<span class="badge" title=${o.tooltip}>
    <span aria-hidden="true">${o.symbol}</span> ${o.text}${n&&s` <span class="number">${Ee(n)}</span>`}
  </span>`:s`<${_} tone="plain">no tools<//>`}var id=200;function vo(e){return e.title||"Untitled"}function Vs({session:e,open:t,onOpen:o,onRename:n,onDelete:r}){let[a,i]=$(""),l=B(),c=vo(e),d=()=>{i(""),l.clear()},u=f=>{l.run(async()=>{await f(),d()})},m=f=>u(()=>n(e.id,f)),p=()=>u(()=>r(e.id));return s`
    <li class="chat-session" data-open=${t}>
      ${a==="rename"?s`<${cd} title=${c} busy=${l.busy} onCancel=${d} onRename=${m} />`:s`<${ld} session=${e} open=${t} onOpen=${o} onMode=${i} />`}
      ${a==="delete"&&s`<${ud} title=${c} busy=${l.busy} onCancel=${d} onDelete=${p} />`}
      ${l.error&&s`<${k} error=${l.error} />`}
    </li>
  `}function ld({session:e,open:t,onOpen:o,onMode:n}){let r=vo(e);return s`
    <div class="chat-session-row">
      <button type="button" class="quiet" aria-current=${t?"true":void 0} onClick=${()=>o(e.id)}>
        <span class="chat-title">${r}</span>
        <small><${j} at=${e.updated_at} /> · ${g(e.turns,"turn")}</small>
      </button>
      <button type="button" class="quiet" aria-label=${`Rename ${r}`} onClick=${()=>n("rename")}>✎</button>
      <button type="button" class="quiet" aria-label=${`Delete ${r}`} onClick=${()=>n("delete")}>✕</button>
    </div>
  `}function cd({title:e,busy:t,onCancel:o,onRename:n}){let r=w(null);return ye(()=>r.current?.select(),[]),s`
    <form class="stack" onSubmit=${i=>{i.preventDefault();let l=r.current?.value.trim();l&&n(l)}} onKeyDown=${i=>Ws(i,o)}>
      <label class="field">
        Title
        <input ref=${r} defaultValue=${e} maxlength=${id} required />
      </label>
      <div class="row">
        <button type="submit" disabled=${t}>Rename</button>
        <button type="button" onClick=${o}>Cancel</button>
      </div>
    </form>
  `}function ud({title:e,busy:t,onCancel:o,onDelete:n}){let r=w(null);return ye(()=>r.current?.focus(),[]),s`
    <div
      class="notice stack"
      role="group"
      aria-label=${`Delete ${e}`}
      onKeyDown=${a=>Ws(a,o)}
    >
      <p>! Delete this session and all its messages? This cannot be undone.</p>
      <div class="row">
        <button type="button" disabled=${t} onClick=${n}>Delete</button>
        <button type="button" ref=${r} onClick=${o}>Cancel</button>
      </div>
    </div>
  `}function Ws(e,t){e.key==="Escape"&&(e.preventDefault(),t())}var Gs=/^ {0,3}(`{3,}|~{3,})([^`]*)$/,Ks=/^ {0,3}(#{1,6})(?:[ \t](.*))?$/s,zs=/^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/,wo=/^ {0,3}> ?/,Nt=/^( {0,3})([-*+]|\d{1,9}[.)])(?:[ \t]+|$)/,dd=/^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/,md=/^[ \t|:-]*$/;function To(e,{open:t=!1}={}){return qn(e.split(/\r\n|\r|\n/),t,0)}function qn(e,t,o){let n=[];for(let r=0;r<e.length;){if(pt(e[r])){r+=1;continue}let{block:a,end:i}=fd(e,r,t,o);n.push(a),r=i}return n}function pt(e){return e===void 0||e.trim()===""}function fd(e,t,o,n){let r=e[t]??"",a=Gs.exec(r);if(a)return pd(e,t,a[1]??"",a[2]??"");let i=Ks.exec(r);if(i){let l=(i[2]??"").trim().replace(/(^|\s)#+$/,"");return{block:{type:"heading",source:r,level:i[1]?.length??1,text:l},end:t+1}}return zs.test(r)?{block:{type:"rule",source:r},end:t+1}:n<8&&wo.test(r)?hd(e,t,o,n):n<8&&Nt.test(r)?gd(e,t,o,n):Xs(e,t,o)?yd(e,t):wd(e,t,n)}function pd(e,t,o,n){let r=n.trim().split(/\s/,1)[0]??"",a=t+1;for(;a<e.length&&!$d(e[a]??"",o);)a+=1;let i=e.slice(t+1,a).join(`
`);return{block:{type:"code",source:Pt(e,t,a+1),language:r,text:i},end:a+1}}function $d(e,t){let o=e.trim();return o.length>=t.length&&o.replaceAll(t[0]??"","")===""}function hd(e,t,o,n){let r=t;for(;r<e.length&&wo.test(e[r]??"");)r+=1;let a=e.slice(t,r).map(l=>l.replace(wo,"")),i=qn(a,o&&r===e.length,n+1);return{block:{type:"quote",source:Pt(e,t,r),blocks:i},end:r}}function gd(e,t,o,n){let r=Nt.exec(e[t]??"")?.[2]??"-",a=[],i=0,l=t;for(;l<e.length;l+=1){let m=e[l]??"",p=Nt.exec(m);if(p&&It(m)<Math.max(i,2)&&Js(p[2]??"",r))i=Math.min(p[0].length,It(m)+(p[2]?.length??1)+4),a.push([m.slice(p[0].length)]);else if(bd(e,l,{indent:i,marker:r,depth:n}))a.at(-1)?.push(m.slice(Math.min(It(m),i)));else break}let c=/^\d/.test(r)?Number.parseInt(r,10):void 0,d=m=>o&&l===e.length&&m===a.length-1,u=a.map((m,p)=>qn(m,d(p),n+1));return{block:{type:"list",source:Pt(e,t,l),start:c,items:u},end:l}}function bd(e,t,{indent:o,marker:n,depth:r}){let a=e[t]??"";return pt(a)?_d(e,t+1,o,n):It(a)>=Math.min(o,2)?!0:!pt(e[t-1])&&!Ys(a,r)}function _d(e,t,o,n){let r=e.slice(t,t+2).find(i=>!pt(i));if(r===void 0)return!1;let a=Nt.exec(r);return It(r)>=Math.min(o,2)||a!==null&&Js(a[2]??"",n)}function Js(e,t){return e.at(-1)===t.at(-1)}function It(e){return e.length-e.trimStart().length}function Xs(e,t,o){let n=e[t]??"",r=e[t+1];return n.includes("|")?r!==void 0&&r.includes("-")&&dd.test(r)?Dt(r).length===Dt(n).length:o&&t+2>=e.length&&n.trimStart().startsWith("|")&&(r===void 0||md.test(r)):!1}function yd(e,t){let o=Math.min(t+2,e.length);for(;o<e.length&&!pt(e[o])&&(e[o]??"").includes("|");)o+=1;let n=Dt(e[t]??""),r=Dt(e[t+1]??"").map(vd),a=e.slice(t+2,o).map(i=>{let l=Dt(i);return n.map((c,d)=>l[d]??"")});return{block:{type:"table",source:Pt(e,t,o),aligns:r,head:n,rows:a},end:o}}function Dt(e){return e.trim().replace(/^\|/,"").replace(/\|$/,"").replaceAll("\\|","\0").split("|",50).map(o=>o.replaceAll("\0","|").trim())}function vd(e){return e.endsWith(":")?e.startsWith(":")?"center":"right":e.startsWith(":")?"left":""}function wd(e,t,o){let n=t+1;for(;n<e.length&&!pt(e[n])&&!Ys(e[n]??"",o)&&!Xs(e,n,!1);)n+=1;let r=Pt(e,t,n);return{block:{type:"paragraph",source:r,text:r.trim()},end:n}}function Ys(e,t){if(Gs.test(e)||Ks.test(e)||zs.test(e))return!0;if(t>=8)return!1;let o=Nt.exec(e);return wo.test(e)||o!==null&&o[0].length<e.length&&/^(?:[-*+]|1[.)])$/.test(o[2]??"")}function Pt(e,t,o){return e.slice(t,o).join(`
`)}var Qs=/[\\`*_~[]|https?:\/\//g,Zs=/https?:\/\/[^\s<>"`|[\]]{1,2000}/y,Bn=/\((?=(\s*))\1<?([^\s<>()]*(?:\([^\s<>()]*\)[^\s<>()]*)*)>?(?:\s+"[^"\n]*")?\s*\)/y,Td=/^\[([^[\]\n]*)(?:\](?:\([^)\s]*)?)?$/,kd=/[!-/:-@[-`{-~]/,Sd=new Set(["http:","https:","mailto:"]),xd=[["**","strong"],["__","strong"],["~~","del"],["*","em"],["_","em"]];function ea(e,{open:t=!1}={}){return e.length>2e4?[e]:ko(e,t,0)}function ko(e,t,o){let n=[],r=new Set,a=ta(e,0),i="",l=0,c=(d,u)=>{i!==""&&n.push(i),i="",n.push(d),l=u};for(;l<e.length;){Qs.lastIndex=l;let d=Qs.exec(e),u=d?.index??e.length;if(i+=e.slice(l,u),l=u,!d)break;let m=Cd(e,l,{open:t,depth:o,unclosed:r,target:a});typeof m.node=="string"?(i+=m.node,l=m.end):c(m.node,m.end)}return i!==""&&n.push(i),n}function Cd(e,t,o){let n=e[t]??"",r={node:n,end:t+1};switch(n){case"\\":return Ed(e,t);case"`":return Rd(e,t,o)??{node:at(e,t,"`"),end:t+at(e,t,"`").length};case"[":return Dd(e,t,o)??r;case"h":return Nd(e,t)??r;default:return Od(e,t,o)??{node:at(e,t,n),end:t+at(e,t,n).length}}}function Ed(e,t){let o=e[t+1]??"";return kd.test(o)?{node:o,end:t+2}:{node:o===`
`?"":"\\",end:t+1}}function at(e,t,o){let n=t;for(;e[n]===o;)n+=1;return e.slice(t,n)}function Rd(e,t,{open:o,unclosed:n}){let r=at(e,t,"`"),a=t+r.length,i=n.has(r)?-1:Ad(e,a,r);if(i<0&&n.add(r),i<0&&!(o&&a<e.length))return;let l=e.slice(a,i<0?e.length:i).replaceAll(`
`," ");return{node:{type:"code",text:l.startsWith(" ")&&l.endsWith(" ")&&l.trim()!==""?l.slice(1,-1):l},end:i<0?e.length:i+r.length}}function Ad(e,t,o){for(let n=e.indexOf(o,t);n>=0;n=e.indexOf(o,n)){let r=at(e,n,"`");if(r.length===o.length)return n;n+=r.length}return-1}function Od(e,t,{open:o,depth:n,unclosed:r}){if(!(n>=6))for(let[a,i]of xd){if(!e.startsWith(a,t)||!Md(e,t,a))continue;let l=t+a.length,c=r.has(a)?-1:Id(e,l,a);if(c>0){let d=ko(e.slice(l,c),!1,n+1);return{node:{type:i,children:d},end:c+a.length}}if(r.add(a),o&&a.length===2)return{node:{type:i,children:ko(e.slice(l),!0,n+1)},end:e.length}}}function Md(e,t,o){let n=e[t+o.length]??" ";return!/\s/.test(n)&&n!==o&&!(o[0]==="_"&&Hn(e[t-1]))}function Id(e,t,o){for(let n=e.indexOf(o,t+1);n>=0;n=e.indexOf(o,n+1))if(!(e[n-1]==="\\"||/\s/.test(e[n-1]??" "))&&!(o[0]==="_"&&Hn(e[n+o.length]))){if(o.length===2)return n+(e[n+2]===o[0]&&e[n+3]!==o[0]?1:0);if(e[n+1]!==o)return n;n+=at(e,n,o).length-1}return-1}function Hn(e){return e!==void 0&&/[\p{L}\p{N}]/u.test(e)}function Dd(e,t,{open:o,depth:n,target:r}){if(e[t-1]==="!"||n>=6)return;r.close<t&&r.close>=0&&Object.assign(r,ta(e,t));let{close:a,href:i,end:l}=r;if(i&&a-t<1e3)return{node:{type:"link",href:i,children:ko(e.slice(t+1,a),!1,5)},end:l};let c=o&&e.length-t<=1e3?Td.exec(e.slice(t)):null;return c?.[1]?{node:c[1],end:e.length}:void 0}function ta(e,t){let o=e.indexOf("](",t);Bn.lastIndex=o+1;let n=o<0?null:Bn.exec(e);return{close:o,href:oa(n?.[2]??""),end:Bn.lastIndex}}function Nd(e,t){if(Hn(e[t-1]))return;Zs.lastIndex=t;let o=Zs.exec(e)?.[0];if(o===void 0)return;let n=Pd(o),r=oa(n);return r?{node:{type:"link",href:r,children:[n]},end:t+n.length}:void 0}function Pd(e){let t=0,o=0;for(;o<e.length&&t>=0;o+=1)e[o]==="("?t+=1:e[o]===")"&&(t-=1);for(t<0&&(o-=1);o>0&&".,;:!?'*_~}\\".includes(e[o-1]??"");)o-=1;return e.slice(0,o)}function oa(e){try{let{protocol:t,href:o}=new URL(e);return Sd.has(t)?o:""}catch{return""}}var Ld=2;function $t({text:e}){let t=V(()=>To(e),[e]);return s`<${jn} blocks=${t} />`}function jn({blocks:e,open:t=!1}){return s`<div class="md">
    ${e.map((o,n)=>s`<${qd} key=${n} block=${o} open=${t&&n===e.length-1} />`)}
  </div>`}function qd({block:e,open:t}){let o=`${t} ${e.type} ${e.source}`;return V(()=>na(e,t),[o])}function na(e,t){switch(e.type){case"heading":return s`<${`h${Math.min(6,Ld+e.level)}`}>${Lt(e.text,t)}<//>`;case"code":return s`<pre tabindex="0" role="region" aria-label=${`Code ${e.language}`.trim()}><code>${e.text}</code></pre>`;case"rule":return s`<hr />`;case"quote":return s`<blockquote>${Fn(e.blocks,t)}</blockquote>`;case"list":return Bd(e,t);case"table":return Fd(e,t);default:return s`<p>${Lt(e.text,t)}</p>`}}function Fn(e,t){return e.map((o,n)=>na(o,t&&n===e.length-1))}function Bd({start:e,items:t},o){let n=t.map((r,a)=>s`<li>${Hd(r,o&&a===t.length-1)}</li>`);return e===void 0?s`<ul>${n}</ul>`:s`<ol start=${e}>${n}</ol>`}function Hd(e,t){let[o,...n]=e;return o?.type!=="paragraph"?Fn(e,t):s`<span>${Lt(o.text,t&&n.length===0)}</span>${Fn(n,t)}`}function Fd({aligns:e,head:t,rows:o},n){return s`
    <div class="md-table" tabindex="0" role="region" aria-label="Table">
      <table>
        <thead>
          <tr>${t.map((r,a)=>s`<th scope="col" data-align=${e[a]}>${Lt(r,!1)}</th>`)}</tr>
        </thead>
        <tbody>
          ${o.map((r,a)=>s`<tr>
              ${r.map((i,l)=>s`<td data-align=${e[l]}>${Lt(i,n&&a===o.length-1)}</td>`)}
            </tr>`)}
        </tbody>
      </table>
    </div>
  `}function Lt(e,t){return ea(e,{open:t}).map(Un)}function Un(e){if(typeof e=="string")return e;switch(e.type){case"code":return s`<code>${e.text}</code>`;case"link":return s`<a href=${e.href} title=${e.href} target="_blank" rel="noopener noreferrer nofollow">
        ${e.children.map(Un)}
      </a>`;default:return s`<${e.type}>${e.children.map(Un)}<//>`}}var Ud=2e3,ra=[{rating:"up",sign:"👍",title:"Helpful"},{rating:"down",sign:"👎",title:"Not helpful"}];function So({rating:e}){let{sign:t,title:o}=ra.find(n=>n.rating===e)??{sign:"?",title:e};return s`<${_} tone=${e==="up"?"good":"bad"} sign=${t}>${o.toLowerCase()}<//>`}function xo({id:e,given:t,onSaved:o}){let n=B(),[r,a]=$(void 0),[i,l]=$(!1),c=r??t,d=m=>n.run(async()=>{await ce.rate(e,m),a(m),o?.(m.rating)}),u=m=>{l(!0),c?.rating!==m&&d({rating:m,comment:c?.comment??""})};return s`
    <div class="feedback">
      <div class="row" role="group" aria-label="Rate the answer">
        ${ra.map(({rating:m,sign:p,title:f})=>s`
            <button
              type="button"
              class="quiet"
              aria-pressed=${c?.rating===m}
              disabled=${n.busy}
              onClick=${()=>u(m)}
            ><span aria-hidden="true">${p}</span> ${f}</button>
          `)}
        <span role="status">${r&&!n.busy&&!n.error&&"saved ✓"}</span>
        ${n.busy&&s`<${M} label="Saving the rating" since=${n.since} />`}
      </div>
      ${c&&(i||t?.comment)&&s`<${jd} saved=${c.comment} busy=${n.busy} onSave=${m=>d({rating:c.rating,comment:m})} />`}
      ${n.error&&s`<${k} error=${n.error} />`}
    </div>
  `}function jd({saved:e,busy:t,onSave:o}){let n=Z(),[r,a]=$(e),i=t||r.trim()===e;return s`<form class="row" onSubmit=${c=>{c.preventDefault(),i||o(r.trim())}}>
    <label class="hidden" for=${n}>Comment</label>
    <input
      id=${n}
      type="text"
      maxlength=${Ud}
      placeholder="Comment (optional)"
      value=${r}
      onInput=${c=>a(c.currentTarget.value)}
    />
    <button type="submit" disabled=${i}>Save comment</button>
  </form>`}var Vd=new Set(["tool_not_found","tool_not_allowed","tool_disabled","invalid_arguments","malformed_arguments","repeated_call","too_many_calls","rate_limited","circuit_open","previous_call_unfinished","deadline"]),Wd={stop:{tone:"good",label:"answered",reason:""},tool_calls:{tone:"good",label:"called tools",reason:""},length:{tone:"warn",label:"cut off",reason:"The model's token limit cut off the answer."},content_filter:{tone:"warn",label:"filtered",reason:"The provider's filter stopped the answer."},refusal:{tone:"warn",label:"refused",reason:"The model refused to answer."},unknown:{tone:"warn",label:"unknown outcome",reason:"The provider returned an unknown finish reason."}},Gd={topic:"topic",search:"search",intent:"intent",model:"model",tool:"tool"};function Le(e,t){let o=[...t],n=e.steps.map((r,a)=>{let i=r.step==="tool"?o.findIndex(l=>Kd(l,r)):-1;return sa(a,r,i<0?void 0:o.splice(i,1)[0])});for(let[r,a]of o.entries()){let i=n.findLastIndex(l=>zd(l)<=a.iteration);n.splice(i+1,0,sa(e.steps.length+r,void 0,a))}return n}function Kd(e,t){return e.call_id===t.call_id&&e.iteration===t.iteration}function zd({step:e,call:t}){return e?.iteration??t?.iteration??0}function sa(e,t,o){let n=t?.step??"tool",r=G(t?.name??o?.tool??"",128),a=n==="tool"||n==="search";return{index:e,step:t,call:o,name:a?r:`${Gd[n]}${n==="model"?` ${t?.iteration}`:""}`,detail:a?"":r,nested:n==="tool",status:qe(t,o)}}function qe(e,t){if(t!==void 0)return Jd(t);if(e?.error)return{tone:"bad",label:"failed",reason:`The model failed: ${L(e.error)}.`};let o=Wd[e?.finish_reason??""];return o!==void 0?o:e?.ok?{tone:"good",label:"done",reason:""}:{tone:"bad",label:"failed",reason:"The step failed."}}function Vn({result:e}){return!("error"in e)||!Vd.has(e.error_type)}function Jd(e){let{result:t}=e;return"error"in t?{tone:"bad",label:Vn(e)?"failed":"not run",reason:G(`${L(t.error_type)}: ${t.error}`,240)}:{tone:"good",label:"done",reason:""}}function L(e){return e.replaceAll("_"," ")}function G(e,t){return e.length>t?`${e.slice(0,t)}…`:e}function aa(e){let t=Math.max(1,e.total_ms,...e.steps.map(n=>n.start_ms+n.duration_ms)),o=Xd(t);return{length:t,step:o,ticks:Array.from({length:Math.floor(t/o)+1},(n,r)=>r*o)}}function Xd(e){for(let t=1;;t*=10)for(let o of[1,2,5])if(e/(o*t)<6)return o*t}function ia(e,t){return{left:e.start_ms/t*100,width:e.duration_ms/t*100}}function la(e,t){return e===0?"0":t>=100&&e>=1e3?`${e/1e3} s`:`${e} ms`}function ca(e,t,o){return Le(e,t).find(n=>n.index===o)}function Je({label:e,tabs:t,chosen:o,onChoose:n}){let r=Z(),[a,i]=$(t[0]?.name??""),l=o??a,c=Math.max(0,t.findIndex(m=>m.name===l)),d=m=>{i(m),n?.(m)};return s`
    <div>
      <div role="tablist" aria-label=${e} onKeyDown=${m=>{let p={ArrowRight:1,ArrowLeft:-1}[m.key],f=p===void 0?void 0:t[(c+p+t.length)%t.length];f!==void 0&&(m.preventDefault(),d(f.name),m.currentTarget.children.item(t.indexOf(f))?.focus())}}>
        ${t.map((m,p)=>s`
            <button
              type="button"
              role="tab"
              id=${`${r}-${p}`}
              aria-selected=${p===c}
              aria-controls=${`${r}-panel`}
              tabindex=${p===c?0:-1}
              onClick=${()=>d(m.name)}
            >${m.name}${m.note&&s` <small>${m.note}</small>`}</button>
          `)}
      </div>
      <div role="tabpanel" id=${`${r}-panel`} aria-labelledby=${`${r}-${c}`} tabindex="0">${t[c]?.content()}</div>
    </div>
  `}var Yd=2e4,Qd=10;function Se(e){return typeof e=="string"?e:JSON.stringify(e,null,2)??""}function N({value:e,label:t}){let[o,n]=$(1),r=V(()=>Se(e),[e]),a=r.slice(0,Yd*o),i=r.length-a.length;return s`
    <div class="value">
      <pre tabindex="0" role="region" aria-label=${t}>${a}</pre>
      <div class="row">
        <${oe} text=${r} label="Copy" />
        ${i>0&&s`<button type="button" class="quiet" onClick=${()=>n(o*Qd)}>
            Show more (${y(i)} more characters)
          </button>`}
      </div>
    </div>
  `}var Zd=128;function Bt({step:e,call:t}){let o=qe(e,t),n=G(e?.name??t?.tool??"",Zd);return s`
    <section class="wf-details" aria-label=${`Details of ${n}`}>
      <div class="row">
        <h3 class="mono">${n}</h3>
        <${_} tone=${o.tone}>${o.label}<//>
      </div>
      <${Je} label=${`Details of ${n}`} tabs=${em(e,t)} />
    </section>
  `}function em(e,t){let o=`${e?.start_ms} ${e?.name} ${t?.iteration} ${t?.call_id}`,n={name:"Timing",content:()=>s`<${om} step=${e} call=${t} />`},r={name:"Raw",content:()=>s`<${N} key=${o} value=${{...e&&{step:e},...t&&{call:t}}} label="Raw" />`},a=e?.reasoning;return t===void 0&&a?[{name:"Reasoning",content:()=>s`<${N} key=${o} value=${a} label="Reasoning" />`},n,r]:t===void 0?[n,r]:[{name:"Arguments",content:()=>s`<${N} key=${o} value=${t.params} label="Arguments" />`},{name:"Result",content:()=>s`<${tm} key=${o} result=${t.result} />`},n,r]}function tm({result:e}){return"error"in e?s`<div class="stack">
      <p>${L(e.error_type)}</p>
      <${N} value=${e.error} label="Error" />
      ${e.validation_errors&&s`<${N} value=${e.validation_errors} label="Validation errors" />`}
    </div>`:s`<div class="stack">
    ${e.truncated&&s`<p class="notice">! The result was truncated.</p>`}
    <${N} value=${e.result} label="Result" />
  </div>`}function om({step:e,call:t}){let o=[...nm(e),...rm(e,t)];return s`<dl class="wf-facts">
    ${o.map(([n,r])=>s`
        <dt>${n}</dt>
        <dd>${r}</dd>
      `)}
  </dl>`}function nm(e){return e===void 0?[["Iteration","not started"]]:[["Iteration",e.iteration===0?"before iteration 1":String(e.iteration)],["Started after",C(e.start_ms)],["Duration",C(e.duration_ms)],["Ended after",C(e.start_ms+e.duration_ms)],...qt("Model",e.demo&&"demo model"),...qt("Tokens",e.total_tokens&&y(e.total_tokens)),...qt("Finish reason",e.finish_reason),...qt("Error",e.error&&L(e.error))]}function rm(e,t){return t===void 0?[]:[...e===void 0?qt("In iteration",String(t.iteration)):[],["Execution time",C(t.result.execution_time_ms)],["Call",t.call_id]]}function qt(e,t){return t?[[e,t]]:[]}function Xe({timings:e,calls:t,selected:o,onSelect:n,failures:r=new Map}){let a=Le(e,t),i=aa(e),l=i.ticks.filter(u=>u/i.length<.9),c=a.findIndex(u=>u.index===o),d=u=>{let m=a[sm(u.key,c,a.length)];m===void 0||u.ctrlKey||u.metaKey||u.altKey||(u.preventDefault(),n(m.index),u.currentTarget.children.item(a.indexOf(m))?.focus())};return s`
    <div class="wf" style=${{"--wf-tick":`${i.step/i.length*100}%`}}>
      <div class="wf-head" aria-hidden="true">
        <span>Step</span>
        <span class="wf-axis">
          ${l.map(u=>s`<span style=${{left:`${u/i.length*100}%`}}>${la(u,i.step)}</span>`)}
        </span>
        <span class="number">Time</span>
        <span class="number">Tokens</span>
        <span>Outcome</span>
      </div>
      <div role="listbox" aria-label="Steps in order of their start" onKeyDown=${d}>
        ${a.map((u,m)=>s`
            <div
              key=${u.index}
              role="option"
              data-row=${u.index}
              class=${am(u,r.has(u.index))}
              aria-selected=${u.index===o}
              tabindex=${m===Math.max(0,c)?0:-1}
              onClick=${()=>n(u.index)}
            ><${im} row=${u} length=${i.length} reason=${r.get(u.index)??u.status.reason} /></div>
          `)}
      </div>
    </div>
  `}function sm(e,t,o){switch(e){case"ArrowDown":return t+1;case"ArrowUp":return t-1;case"Home":return 0;case"End":return o-1;case"Enter":case" ":return Math.max(0,t);default:return-1}}function ua(e){document.querySelector(`.wf [data-row="${e}"]`)?.focus()}function am({nested:e},t){return`wf-row${e?" wf-nested":""}${t?" wf-failed":""}`}function im({row:e,length:t,reason:o}){let{step:n,status:r}=e;return s`
    <span class="wf-name" title=${e.detail||e.name}>
      ${e.name}${e.detail&&s` <small>${e.detail}</small>`}${n?.demo&&s` <${W} />`}
    </span>
    <span class="wf-track">${n&&s`<${lm} row=${e} length=${t} step=${n} />`}</span>
    <span class="wf-time number">${n?C(n.duration_ms):"–"}</span>
    <span class="wf-tokens number">
      ${n?.total_tokens?s`${g(n.total_tokens,"token")}`:s`<span aria-hidden="true"></span>`}
    </span>
    <span><${_} tone=${r.tone}>${r.label}<//></span>
    ${o&&s`<span class="wf-reason">${o}</span>`}
  `}function lm({row:e,step:t,length:o}){let{left:n,width:r}=ia(t,o),a={left:`min(${n}%, 100% - var(--wf-least))`,width:`max(${r}%, var(--wf-least))`};return s`<span class="wf-bar" data-kind=${t.step} data-tone=${e.status.tone} style=${a}></span>`}function Re({label:e,caption:t,columns:o,numbers:n=[],children:r}){return s`
    <div class="scroll" tabindex="0" role="region" aria-label=${e}>
      <table>
        <caption>${t}</caption>
        <thead>
          <tr>${o.map(a=>s`<th scope="col" class=${n.includes(a)&&"number"}>${a}</th>`)}</tr>
        </thead>
        <tbody>${r}</tbody>
      </table>
    </div>
  `}var da=200;function Co({rules:e}){return s`
    <${Re} label="Evaluated rules" caption="Evaluated rules, in order" columns=${["Rule","Outcome","Conditions"]}>
      ${e.map(t=>s`
          <tr>
            <th scope="row">${t.rule}</th>
            <td>
              <${_} tone=${t.matched?"good":"plain"}>${t.matched?"matched":"not matched"}<//>
            </td>
            <td><${cm} rule=${t} /></td>
          </tr>
        `)}
    <//>
  `}function cm({rule:e}){return e.conditions.length===0?e.fallback?"none: fallback rule":"none":e.conditions.map(({condition:t,expected:o,actual:n,holds:r})=>s`
      <div>
        <${_} tone=${r?"good":"bad"}>${r?"true":"false"}<//>
        ${" "}<code>${t}</code> ${ma(o)}${!r&&s` <small>(actual: ${ma(n)})</small>`}
      </div>
    `)}function Eo({tools:e}){return e.length===0?s`<p>No tools are configured.</p>`:s`
    <${Re} label="Offered tools" caption="Tools" columns=${["Tool","Offered","Reason"]}>
      ${e.map(({tool:t,offered:o,reason:n})=>s`
          <tr>
            <th scope="row" class="mono">${t}</th>
            <td><${_} tone=${o?"good":"plain"}>${o?"offered":"not offered"}<//></td>
            <td>${n}</td>
          </tr>
        `)}
    <//>
  `}function ma(e){if(e==null)return"nothing";let t=Se(e);return t.length>da?`${t.slice(0,da)}…`:t}var um={match:"good",partial:"warn",none:"plain"};function fa({rag:e}){let{documents:t,skipped:o,result:n}=e,r=s`
    ${g(t.length,"document")} ·
    ${" "}<${_} tone=${um[n]}>${n==="none"?"no match":n}<//>
    ${o.length>0&&s` · <${_} tone="warn">${g(o.length,"collection")} skipped<//>`}
  `;return s`
    <${P} summary=${r}>
      ${t.length>0&&s`<${dm} documents=${t} />`}
      ${t.length===0&&s`<p>No document within the distance limit in the selected collections.</p>`}
      ${o.map(({collection:a,reason:i})=>s`<p>! <code>${a}</code> was skipped: ${i}</p>`)}
    <//>
  `}function dm({documents:e}){return s`
    <${Re} label="Documents" caption="Documents sent to the model" columns=${["Distance","Title","Source","Collection"]} numbers=${["Distance"]}>
      ${e.map(t=>s`
          <tr>
            <td class="number">${xe(t.distance)}</td>
            <td>${t.title}</td>
            <td>${t.source}</td>
            <td>${t.service}/${t.collection}</td>
          </tr>
        `)}
    <//>
  `}function pa({explain:e}){return s`
    <dl class="chat-facts">
      <dt>Topic</dt>
      <dd>${e.topic?s`<${mm} topic=${e.topic} />`:"not detected: phase disabled"}</dd>
      <dt>Intent</dt>
      <dd>${e.intent?s`<${fm} intent=${e.intent} />`:"not detected: phase disabled"}</dd>
      <dt>History</dt>
      <dd>${g(e.history_messages,"message")}</dd>
    </dl>
    <h3>Profile</h3>
    <${N} value=${e.profile} label="Profile" />
    <${Co} rules=${e.rules} />
    <${Eo} tools=${e.tools} />
    <h3>System prompt</h3>
    <${N} value=${e.system_prompt} label="System prompt" />
  `}function mm({topic:e}){return s`${L(e.topic_status)}: ${e.topic_summary} <${$a} phase=${e} />`}function fm({intent:e}){return s`
    ${e.intent??"none"} (${L(e.source)})
    ${e.candidates.length>0&&s`<small>of ${e.candidates.join(", ")}</small>`}
    ${" "}<${$a} phase=${e} />
  `}function $a({phase:e}){return s`
    <small>${e.model&&`${e.model}, `}${C(e.duration_ms)}</small>
    ${e.error&&s` <${_} tone="bad">${e.error}<//>`}
  `}var pm=120;function ha({calls:e,received:t}){let o=e.filter(n=>!n.result.success).length;return s`
    ${e.length>0&&s`<${P}
        summary=${s`
          ${g(e.length,"tool call")}
          ${o>0&&s` · <${_} tone="bad">${o} failed<//>`}
        `}
      >
        ${e.map(n=>s`<${$m} key=${`${n.iteration} ${n.call_id}`} call=${n} />`)}
      <//>`}
    ${t&&s`<${P} summary="Timeline"><${gm} received=${t} /><//>`}
    ${t?.rag&&s`<${fa} rag=${t.rag} />`}
    ${t?.explain&&s`<${P} summary="Explanation"><${pa} explain=${t.explain} /><//>`}
  `}function $m({call:e}){let{tone:t,label:o}=qe(void 0,e),n=s`
    <code>${G(`${e.tool}(${hm(e.params)})`,pm)}</code>
    ${" "}<${_} tone=${t}>${o}<//>
    ${" "}<small class="number">${C(e.result.execution_time_ms)}</small>
  `;return s`<${P} summary=${n}><${Bt} step=${void 0} call=${e} /><//>`}function hm(e){return typeof e=="string"?e:Object.entries(e).map(([t,o])=>`${t}: ${Se(JSON.stringify(o))}`).join(", ")}function gm({received:e}){let[t,o]=$(-1),n=Le(e.timings,e.tool_calls).find(r=>r.index===t);return s`
    <${Xe} timings=${e.timings} calls=${e.tool_calls} selected=${t} onSelect=${o} />
    ${n&&s`<${Bt} key=${t} step=${n.step} call=${n.call} />`}
  `}function ga({answer:e,received:t,tokenUsed:o,onResume:n}){let r=e?.status==="partial",a=e&&!r?Ce(e).reason:"",i=[...a?[a]:[],...t?ym(t):[]];return i.length===0&&!r?null:s`
    <div class="notice stack">
      ${r&&s`<p><strong>! The answer is partial.</strong> ${_m(t)}</p>`}
      ${i.map(l=>s`<p>! ${l}</p>`)}
      ${r&&s`<${bm} received=${t} tokenUsed=${o} onResume=${n} />`}
    </div>
  `}function bm({received:e,tokenUsed:t,onResume:o}){return t?s`<p>The resume token was already used. Send a new message instead.</p>`:e?e.resume_token?s`<div class="row">
    <button type="button" disabled=${!o} onClick=${o}>Continue</button>
    <small>available for one hour; completed tool calls are not repeated</small>
  </div>`:s`<p>The partial answer has no resume token. Send a new message instead.</p>`:s`<p>The resume token is only available during the visit that received it. Send a new message instead.</p>`}function _m(e){if(!e)return"The deadline was reached or the model failed before the answer was complete.";let o=e.tool_calls.length>0?" The tool results so far are below.":"";return e.error?`The model failed (${L(e.error.type)}): ${e.error.message}.${o}`:`The deadline was reached before the answer was complete.${o}`}function ym(e){let{fallback:t,session:o}=e;return[...Ro(t,()=>`${e.model} answered instead of ${t?.instead_of}: ${L(t?.reason??"")}.`),...Ro(e.deadline_reached,()=>"The deadline was near: the model had to answer without more tool calls."),...Ro(e.max_tool_calls_reached&&e.outcome!=="tool_call_limit",()=>"The tool call limit was reached."),...Ro(o?.saved===!1,()=>`Not saved in the session: ${o?.problem??"the write failed"}.`)]}function Ro(e,t){return e?[t()]:[]}var vm=2e4,wm=10;function ba({session:e,turn:t,open:o,tokenUsed:n,onResume:r}){let{question:a,attachments:i,at:l,remarks:c,calls:d,answer:u,received:m}=t;return s`
    <article class="chat-turn" tabindex="-1" aria-label=${t.number?`Turn ${t.number}`:"Unsaved turn"}>
      ${a!==void 0&&s`<${Gn} text=${a} attachments=${i} at=${l} />`}
      <div class="chat-answer">
        ${u&&s`<${km} answer=${u} received=${m} />`}
        ${c.map(p=>s`<div class="chat-remark"><${Wn} text=${p} markdown /></div>`)}
        ${u&&s`<${Wn} text=${u.content||"(empty answer)"} markdown />`}
        ${!u&&!o&&s`<p><${_} tone="warn">No answer yet.<//></p>`}
        <${ga} answer=${u} received=${m} tokenUsed=${n} onResume=${r} />
        <${ha} calls=${d} received=${m} />
        ${u?.requestId&&s`<${Tm} session=${e} id=${u.requestId} />`}
      </div>
    </article>
  `}function Tm({session:e,id:t}){let{data:o={},put:n}=bs(e),r=o[t];return s`
    <div class="row chat-feedback">
      <${xo} id=${t} given=${r&&{rating:r,comment:""}} onSaved=${a=>n({...o,[t]:a})} />
      <${_e} id=${t} />
    </div>
  `}function Gn({text:e,attachments:t,at:o}){return s`
    <div class="chat-question">
      <div class="row spread">
        <strong>You</strong>
        ${o&&s`<small><${j} at=${o} /></small>`}
      </div>
      <${go} attachments=${t} />
      <${Wn} text=${e} />
    </div>
  `}function km({answer:e,received:t}){let o=t?.usage.cost_usd,n=Ce(e);return s`
    <div class="row chat-head">
      <strong>${e.model}</strong>
      ${e.demo&&s`<${W} />`}
      <${_} tone=${n.tone} sign=${n.sign}>${n.title}<//>
      <${ee}>service ${e.service}<//>
      ${e.rule&&s`<${ee}>rule ${e.rule}<//>`}
      <small>
        <${j} at=${e.at} />
        ${t&&` · ${C(t.timings.total_ms)} · ${g(t.usage.total_tokens,"token")}`}
        ${typeof o=="number"&&` · ${ne(o)}`}
      </small>
      ${e.content&&s`<${oe} text=${e.content} label="Copy answer" />`}
    </div>
  `}function Wn({text:e,markdown:t=!1}){let[o,n]=$(1),r=e.slice(0,vm*o),a=e.length-r.length;return s`
    <div class="chat-prose">${t?s`<${$t} text=${r} />`:r}</div>
    ${a>0&&s`<button type="button" class="quiet" onClick=${()=>n(o*wm)}>
        Show more (${y(a)} more characters)
      </button>`}
  `}function _a({session:e,list:t,turns:o,from:n,busy:r,usedTokens:a,earlier:i,onToggle:l,onResume:c,children:d}){let u=w(c);u.current=c;let m=V(()=>{let p=o.at(-1);return o.map(f=>{let{received:h}=f;return s`
        <${ba}
          key=${f.key}
          session=${e}
          turn=${f}
          open=${r&&f===p}
          tokenUsed=${a.includes(h?.resume_token??"")}
          onResume=${h&&f===p&&!r?()=>u.current(h):void 0}
        />
      `})},[e,o,r,a]);return s`
    ${n>1&&s`<div class="row">
        <button type="button" disabled=${i.busy} onClick=${i.show}>Show earlier messages</button>
        ${i.busy&&s`<${M} label="Loading earlier messages" since=${i.since} />`}
      </div>`}
    ${i.error&&s`<${k} error=${i.error} onRetry=${i.show} />`}
    <div class="chat-turns" ref=${t} onClickCapture=${l}>
      ${m} ${d}
    </div>
  `}function ya(e,t){let o=[...xm(e).values()].map(i=>Cm(i,t)),n=new Set(o.map(i=>i.answer?.requestId)),r=t.findLastIndex(({answer:i})=>n.has(i.request_id));return t.filter(({answer:i},l)=>!n.has(i.request_id)&&(l>r||i.session?.saved===!1)).reduce(Sm,o)}function Sm(e,t){let o=e.at(-1),n=o!==void 0&&!o.answer&&(t.question===""||t.question===o.question),r=e.find(u=>t.replaces&&u.answer?.requestId===t.replaces)??(n&&o),a=Rm(t);if(!r)return[...e,a];let{number:i,question:l,attachments:c,at:d}=r;return e.map(u=>u===r?{...a,number:i,question:l,attachments:c,at:d}:u)}function xm(e){let t=new Map;for(let o of e){let n=t.get(o.turn);n?n.push(o):t.set(o.turn,[o])}return t}function Cm(e,t){let o=e.find(i=>i.role==="user"),n=e.find(i=>i.role==="assistant"&&i.service),r=e.filter(i=>i!==o&&i!==n),a=n&&Em(n);return{key:a?.requestId||`turn ${e[0]?.turn}`,number:e[0]?.turn,question:o?.content,attachments:(o?.attachments??[]).map(({name:i,media_type:l,size:c})=>({name:i,type:l,size:c})),at:e[0]?.at??"",remarks:r.map(i=>i.content).filter(i=>i.trim()!==""),calls:e.flatMap(i=>i.tool_calls),answer:a,received:t.find(i=>i.answer.request_id===a?.requestId)?.answer}}function Em(e){return{content:e.content,at:e.at,model:e.model??"",service:e.service??"",rule:e.rule??"",status:e.status??"complete",outcome:e.outcome??void 0,demo:e.demo??!1,requestId:e.request_id??""}}function Rm({question:e,attachments:t,at:o,answer:n}){return{key:n.request_id,number:void 0,question:e||void 0,attachments:t,at:o,remarks:[],calls:n.tool_calls,answer:{content:n.content,at:o,model:n.model,service:n.service,rule:n.rule??"",status:n.status,outcome:n.outcome,demo:n.demo??!1,requestId:n.request_id},received:n}}function va(e,t,o){return[...e.filter(n=>n.turn<o),...t]}var wa=48,Am=1/3,Be=document.documentElement;function Ta(){return Be.scrollHeight-Be.scrollTop-Be.clientHeight}function Kn(){Be.scrollTop=Be.scrollHeight}function ka({session:e,turns:t,added:o,waiting:n,streamed:r}){let a=w(null),i=w(null),l=w(!0),c=w(0),[d,u]=$(!1),m=w({session:"",first:"",answer:"",end:"",wasWaiting:!1}),p=t[0]?.key??"",f=t.at(-1)?.answer?.requestId??"",h=`${t.length} ${t.at(-1)?.key} ${o}`,{current:E}=m,S=E.session===e,R=S&&E.first!==p&&t.some(({key:q})=>q===E.first)?i.current?.firstElementChild:void 0,b=R?.getBoundingClientRect().top??0,x=A(()=>u(Ta()>wa),[]),z=A(()=>{l.current=!0,Kn(),x()},[x]);ye(()=>{let q=f!==""&&f!==E.answer,me=n||S&&E.wasWaiting;m.current={session:e,first:p,answer:f,end:h,wasWaiting:me&&!q},S||(l.current=!0),!(S&&E.end===h)&&(R?Be.scrollTop+=R.getBoundingClientRect().top-b:l.current&&t.length+o.trim().length>0&&(l.current=!(q&&me&&!r&&Om(a.current)),l.current&&Kn()),x())}),v(()=>{let{scrollRestoration:q}=history;history.scrollRestoration="manual";let me=()=>{let he=Be.scrollTop<c.current-1;c.current=Be.scrollTop,Ta()<=wa?l.current=!0:he&&(l.current=!1),x()},fe=()=>{l.current&&Kn(),x()},H=new ResizeObserver(()=>requestAnimationFrame(fe));return a.current&&H.observe(a.current),addEventListener("scroll",me,{passive:!0}),addEventListener("resize",fe),visualViewport?.addEventListener("resize",fe),()=>{history.scrollRestoration=q,H.disconnect(),removeEventListener("scroll",me),removeEventListener("resize",fe),visualViewport?.removeEventListener("resize",fe)}},[x]);let Q=A(q=>{q.target instanceof Element&&q.target.closest("summary, button, [role=option]")&&(l.current=!1)},[]),$e=()=>{z(),i.current?.querySelector("article:last-of-type")?.focus({preventScroll:!0})};return{chat:a,list:i,isAway:d&&(t.length>0||n),follow:z,jump:$e,handleToggle:Q}}function Om(e){let t=e?.querySelector("article:last-of-type"),o=t?.querySelector(".chat-answer");if(!t||!o)return!1;let n=Mm(document.querySelector("header.shell")),r=innerHeight-n-(e?.querySelector(".chat-composer")?.getBoundingClientRect().height??0),{top:a,height:i}=o.getBoundingClientRect();if(i<=r)return!1;let l=t.getBoundingClientRect().top;return Be.scrollTop+=(a-l<r*Am?l:a)-n-8,!0}function Mm(e){return e&&getComputedStyle(e).position==="sticky"?e.getBoundingClientRect().height:0}var He=class extends Error{};function Im({lastId:e="",longest:t=33554432}={}){let o=[],n=[],r=e,a="",i=0,l=!1,c=d=>{if(d===""){let f=n.length>0?{name:a||"message",data:n.join(`
`),id:r}:void 0;return[a,n,i]=["",[],0],f}let u=d.indexOf(":"),m=u<0?d:d.slice(0,u),p=u<0?"":d.slice(d[u+1]===" "?u+2:u+1);m==="event"?a=p:m==="data"?n.push(p):m==="id"&&(r=p)};return d=>{let u=[],m=l&&d.startsWith(`
`)?1:0;d!==""&&(l=d.endsWith("\r")),i+=d.length-m;for(let{index:p,0:f}of d.matchAll(/\r\n|\n|\r/g)){if(p<m)continue;o.push(d.slice(m,p)),m=p+f.length;let h=c(o.join(""));o=[],h&&u.push(h),i===0&&(i=d.length-m)}if(i>t)throw new He("The service sent an event that is too long.");return m<d.length&&o.push(d.slice(m)),u}}async function*Sa(e,{lastId:t="",silenceMs:o=45e3}={}){let n=e.getReader(),r=Im({lastId:t}),a=new TextDecoder;try{for(;;){let{done:i,value:l}=await Dm(n.read(),o);if(i)return;yield*r(a.decode(l,{stream:!0}))}}catch(i){throw i instanceof He||zn(i)?i:new He("The connection was lost.")}finally{n.cancel().catch(()=>{})}}function zn(e){return e instanceof DOMException&&e.name==="AbortError"}async function Dm(e,t){let o,n=new Promise((r,a)=>{o=setTimeout(()=>a(new He("The connection was silent for too long.")),t)});try{return await Promise.race([e,n])}finally{clearTimeout(o)}}var Jn=5,Nm=500,Pm=2,ht=class extends Error{constructor(t){super(`The connection to the run ${t} was lost.`),this.run=t}};async function*xa({open:e,reopen:t},{signal:o,onLost:n=()=>{},wait:r=jm}){let a="",i="",l=0;for(;;){try{let c=await(a?t(a,i,o):e(o));for await(let d of Lm(c,i)){l=0,i=d.id;let u=qm(d);if(u.name==="error")throw Bm(u.data);if(u.name==="accepted"&&(a=u.data.run_id),yield u,u.name==="answer")return}}catch(c){Hm(c,a)}if(a==="")throw new U("failed","The stream ended without an answer. Try again.");if(l+=1,l>Jn)throw new ht(a);n(l),await r(Nm*Pm**(l-1),o)}}async function*Lm(e,t){if(e.headers.get("content-type")?.startsWith("text/event-stream")&&e.body){yield*Sa(e.body,{lastId:t});return}yield{name:"answer",data:await e.text(),id:""}}function qm({name:e,data:t}){try{return{name:e,data:te(t)}}catch{throw new U("failed","The response is incomplete or not JSON. Try again.")}}function Bm({error:e,message:t,request_id:o,details:n}){return new U("failed",t,{status:200,code:e,requestId:o,details:n??[]})}function Hm(e,t){if(zn(e)||Fm(e))throw e;if(t==="")throw e instanceof He?new U("offline",`${e.message} Try again.`):e;if(!Um(e))throw new ht(t)}function Fm(e){return e instanceof U&&e.status===200}function Um(e){return e instanceof U?e.kind==="offline"||e.status===429||e.status>=500:e instanceof He}function jm(e,t){return new Promise((o,n)=>{let r=setTimeout(o,e),a=()=>(clearTimeout(r),n(new DOMException("Aborted","AbortError")));t.addEventListener("abort",a,{once:!0})})}var Vm=5;function Ca({live:e}){let{model:t,text:o,remarks:n,steps:r,warnings:a,attempt:i}=e,l=V(()=>To(o,{open:!0}),[o]);return e.run===""&&r.length===0&&o===""?null:s`
    <section class="chat-answer chat-live" aria-label="Answer in progress">
      ${t&&s`<div class="row chat-head"><strong>${t}</strong></div>`}
      ${n.map((c,d)=>s`<div class="chat-remark chat-prose" key=${`remark ${d}`}><${$t} text=${c} /></div>`)}
      ${r.length>0&&s`<ol class="chat-steps">${r.map(c=>s`<${Km} key=${c.key} step=${c} />`)}</ol>`}
      ${o.trim()&&s`<div class="chat-prose"><${jn} blocks=${l} open /></div>`}
      ${a.map(c=>s`<p class="notice">! ${c}</p>`)}
      ${i>0&&s`<p class="notice" role="status">! Connection lost. Reconnecting, attempt ${i} of ${Jn}.</p>`}
      <${Wm} blocks=${l} />
    </section>
  `}function Wm({blocks:e}){let t=e.length-1;return s`<div class="hidden" aria-live="polite">
    ${e.map(({source:o},n)=>n<t&&n>=t-Vm&&s`<p key=${n}>${o}</p>`)}
  </div>`}function Gm({text:e}){return s`<${P} summary="reasoning"><p class="chat-reasoning">${e}</p><//>`}function Km({step:{kind:e,name:t,detail:o,status:n,ms:r,error:a}}){return e==="rule"?s`<li>rule ${t}</li>`:e==="reasoning"?s`<li><${Gm} text=${o} /></li>`:s`
    <li>
      ${n==="running"?"calling ":""}${e==="tool"?s`<code>${t}</code>`:t}
      ${o&&s` <small class="mono">${o}</small>`}
      ${n==="running"?" …":s` <small class="number">${C(r??0)}</small> <${zm} status=${n} />`}
      ${a&&s` <small>${a}</small>`}
    </li>
  `}function zm({status:e}){return s`<${_} tone=${e==="failed"?"bad":"good"}>${e}<//>`}var Jm=3e3,Xm=31e3,Ym={pending:"Cancelling the answer in the service.",cancelled:"Answer cancelled. The service stopped it and discarded its partial result.",ended:"The answer had already ended in the service. The session above is up to date."};function Ra({run:e}){let t=w(performance.now()),o=e&&performance.now()-(Date.now()-new Date(e.created_at).getTime()),n=e?Le({total_ms:0,steps:e.steps},[]):[];return s`
    <section class="chat-run stack" aria-label="Background run">
      <${M} label=${Qm(e)} since=${o===void 0?t.current:Math.min(o,performance.now())} />
      ${n.length>0&&s`<ol>
          ${n.map(r=>s`
              <li key=${r.index}>
                ${r.name} ${r.detail&&s`<small>${r.detail}</small>`}
                ${" "}<${_} tone=${r.status.tone}>${r.status.label}<//>
                ${r.step&&s` <small class="number">${C(r.step.duration_ms)}</small>`}
                ${r.status.reason&&s` <small>${r.status.reason}</small>`}
              </li>
            `)}
        </ol>`}
      <small>The run continues if you close this page. Its URL shows the result for one day.</small>
    </section>
  `}function Qm(e){return e===void 0?"Loading the run":e.status==="queued"?"Queued in the background":"Running in the background"}function Aa({cancellation:{status:e,reason:t},open:o,onCheck:n}){return v(()=>{(e==="cancelled"||e==="ended")&&n()},[e,n]),e==="none"?s`<${Ea} open=${o} onCheck=${n} />`:e==="failed"?s`
      <p class="notice" role="status">! The service did not confirm the cancellation: ${t}</p>
      <${Ea} open=${o} onCheck=${n} />
    `:s`<p class="notice" role="status">! ${Ym[e]}</p>`}function Ea({open:e,onCheck:t}){return v(()=>{if(!e)return;let o=setInterval(()=>!document.hidden&&t(),Jm),n=setTimeout(()=>clearInterval(o),Xm);return()=>{clearInterval(o),clearTimeout(n)}},[e,t]),s`
    <div class="notice stack" role="status">
      <p>
        ! Request cancelled. The service may still complete this answer within 30 seconds and save it in the
        session.${e?" Until then the session accepts no other message.":" The session above is up to date."}
      </p>
      ${e&&s`<div class="row"><button type="button" onClick=${t}>Check again</button></div>`}
    </div>
  `}function Oa({id:e,chat:t,conversation:o,options:n,onBegin:r}){let a=w(null),{task:i}=t,l=t.sent?.session===e?t.sent:void 0,c=_o(n),d=tf(e,t,o),u=i.busy&&l!==void 0,m=t.followed.active||u,p=m&&t.waiting?nf(l,d.at(-1)):"",f=ka({session:e,turns:d,added:ef(t,l,p),waiting:m,streamed:t.live.text!==""}),h=()=>{t.busy||c!==""||t.draft.trim()===""||(f.follow(),t.send())};return ie([{keys:"/",label:"Write a message",run:()=>a.current?.focus()},{keys:"mod+Enter",label:"Send the message",run:h},{keys:"Escape",label:"Cancel the answer",run:()=>t.busy&&t.cancel()}]),s`
    <div class="chat" ref=${f.chat}>
      <${af} conversation=${o} />
      ${o.loading&&!(t.waiting&&l)&&s`<${F} lines=${8} label="the messages" />`}
      ${i.error?.kind!=="offline"&&s`<${Zm} conversation=${o} onBegin=${r} />`}
      ${e===""&&s`<${lf} />`}
      <${of} chat=${t} sent=${l} conversation=${o} turns=${d} question=${p} live=${u} answering=${m} scroll=${f} onRetry=${h} />
      <p class="hidden" role="status">${uf(t)}</p>
      <${Ns}
        draft=${t.draft}
        attachments=${t.attachments}
        onAttach=${t.attach}
        onDetach=${t.detach}
        busy=${t.busy}
        waiting=${i.busy?cf(l):""}
        since=${i.since}
        hint=${c}
        isAway=${f.isAway}
        onJump=${f.jump}
        field=${a}
        onWrite=${t.write}
        onSend=${h}
        onCancel=${t.cancel}
      />
    </div>
  `}function Zm({conversation:e,onBegin:t}){let{error:o,reload:n}=e;return o?Xn(e)?s`<${k} error=${o} onRetry=${t} retry="Start a new chat" />`:s`<${k} error=${o} onRetry=${n} />`:null}function Xn(e){return e.error?.status===404}function ef({task:e,followed:t,cancellation:o},n,r){let a=(n&&e.error)??t.error,i=n&&e.cancelled?`stopped ${o.status}`:"";return[r,i,a?.code,a?.message,t.run?.status].filter(Boolean).join(" ")}function tf(e,t,o){let{messages:n}=o,r=Xn(o);return V(()=>{let a=t.received.filter(i=>i.session===e);return r?[]:ya(n,a)},[n,t.received,e,r])}function of({chat:e,sent:t,conversation:o,turns:n,question:r,live:a,answering:i,scroll:l,onRetry:c}){let{followed:d}=e,u=Xn(o),m=n.at(-1),p=f=>{l.follow(),e.resume(f)};return s`
    <${_a}
      session=${o.id}
      list=${l.list}
      turns=${n}
      from=${u?1:o.from}
      busy=${i}
      usedTokens=${e.usedTokens}
      earlier=${o.earlier}
      onToggle=${l.handleToggle}
      onResume=${p}
    >
      ${r&&s`<${Gn} text=${r} attachments=${t?.attachments??[]} at=${void 0} />`}
      ${a&&e.waiting&&s`<${Ca} live=${e.live} />`}
      ${d.active&&s`<${Ra} run=${d.run} />`}
    <//>
    <${rf}
      chat=${e}
      sent=${t!==void 0}
      open=${m?.answer===void 0}
      onCheck=${o.reload}
      onRetry=${c}
    />
  `}function nf(e,t){return t!==void 0&&t.answer===void 0&&t.question===e?.question?"":e?.question}function rf({chat:e,sent:t,open:o,onCheck:n,onRetry:r}){let{task:a,followed:i}=e,l=(t?a.error:void 0)??i.error;return s`
    ${a.cancelled&&t&&s`<${Aa} cancellation=${e.cancellation} open=${o} onCheck=${n} />`}
    ${i.run?.status==="cancelled"&&s`<p class="notice">! Run cancelled. Its partial result was discarded.</p>`}
    ${l&&s`<${k} error=${l} onRetry=${sf(e,l,r)} traced />`}
  `}function sf({task:e,followed:t,draft:o},n,r){if(t.active)return t.retry;let a=n.kind==="offline"||n.kind==="failed";return n===e.error&&a&&o.trim()!==""?r:void 0}function af({conversation:e}){let{session:t}=e;return t?s`
    <div>
      <h2>${vo(t)}</h2>
      <small>${t.topic&&s`Topic: ${t.topic} · `}${g(t.turns,"turn")}</small>
    </div>
  `:s`<h2>${e.id?"Chat":"New chat"}</h2>`}function lf(){return s`
    <${ue} title="Chat with the service">
      <p>
        The service keeps the conversation, selects model and prompt by response rules, and calls tools. Each answer shows its
        model, rule, tool calls and timeline.
      </p>
      <p>Send a message to start a session, for example <q>What is 15% of 45?</q></p>
    <//>
  `}function cf(e){return e===void 0?"Waiting for an answer in another session":e.background?"Starting the run":"Waiting for the answer"}function uf({received:e,busy:t}){let o=e.at(-1)?.answer;if(t||!o)return"";let n=g(o.tool_calls.length,"tool call");return`${o.model}: ${Ce(o).title} in ${C(o.timings.total_ms)}, ${n}`}function Ia({options:e,onChange:t}){let o=X(),n=r=>()=>t({[r]:!e[r]});return s`
    <label class="check">
      <input type="checkbox" checked=${e.background} onChange=${n("background")} />
      Run in the background, up to 15 minutes
    </label>
    ${o&&s`<label class="check">
        <input type="checkbox" checked=${e.explain} onChange=${n("explain")} />
        Include an explanation
      </label>`}
    <${df} options=${e} onChange=${t} />
    <${P} summary="Profile fields">
      <${Ma} label="Intent" name="intent" options=${e} onChange=${t} />
      <${Ma} label="Service" name="service" options=${e} onChange=${t} />
      <small>Matched by response rules.</small>
    <//>
  `}function df({options:e,onChange:t}){let o=Z(),n=_o(e);return s`
    <label class="field">
      Deadline in seconds
      <input
        type="number"
        inputmode="decimal"
        min="1"
        max=${bo(e)}
        step="any"
        placeholder=${e.background?"600":"28"}
        aria-invalid=${n?"true":void 0}
        aria-describedby=${n?o:void 0}
        value=${e.seconds}
        onInput=${r=>t({seconds:r.currentTarget.value})}
      />
    </label>
    ${n&&s`<p id=${o} class="problem-text" role="alert">✕ ${n}</p>`}
  `}function Ma({label:e,name:t,options:o,onChange:n}){return s`
    <label class="field">
      ${e}
      <input
        value=${o[t]}
        spellcheck=${!1}
        autocomplete="off"
        onInput=${r=>n({[t]:r.currentTarget.value})}
      />
    </label>
  `}function Da({options:e,onChange:t}){let{data:o,error:n,loading:r,reload:a}=ho(),i=l=>e.collections.includes(l)?e.collections.filter(c=>c!==l):[...e.collections,l];return n?s`<${k} error=${n} onRetry=${a} />`:!o&&r?s`<${F} lines=${2} label="the collections" />`:o?.collections.length?s`
    <fieldset class="chat-collections">
      <legend>Collections to search</legend>
      ${o.collections.map(({name:l,metadata:c,documents:d})=>s`
          <label class="check" key=${l}>
            <input
              type="checkbox"
              checked=${e.collections.includes(l)}
              onChange=${()=>t({collections:i(l)})}
            />
            <span>${c.display_name||l} <small>${g(d,"document")}</small></span>
          </label>
        `)}
    </fieldset>
  `:s`<small>No collections. See the Retrieval view to create one.</small>`}function Na({sessions:e,open:t,onOpen:o,onDeleted:n}){let r=w(null),a=async i=>{await e.remove(i),r.current?.focus(),n(i)};return s`
    <div class="chat-sessions" tabindex="-1" ref=${r} role="region" aria-label="Sessions">
      ${e.error&&s`<${k} error=${e.error} onRetry=${e.reload} />`}
      ${!e.sessions&&e.loading&&s`<${F} lines=${4} label="your sessions" />`}
      ${e.sessions?.length===0&&s`<small>No sessions yet. Send a message to start one.</small>`}
      ${e.sessions&&e.sessions.length>0&&s`<ul>
          ${e.sessions.map(i=>s`
              <${Vs}
                key=${i.id}
                session=${i}
                open=${i.id===t}
                onOpen=${o}
                onRename=${e.rename}
                onDelete=${a}
              />
            `)}
        </ul>`}
      ${e.more&&s`<${mf} loading=${e.loading} onMore=${e.showMore} />`}
    </div>
  `}function mf({loading:e,onMore:t}){let o=w(0);return s`<div class="row">
    <button type="button" class="quiet" disabled=${e} onClick=${()=>{o.current=performance.now(),t()}}>Show more</button>
    ${e&&o.current>0&&s`<${M} label="Loading more sessions" since=${o.current} />`}
  </div>`}var Ft={run:"",model:"",iteration:0,text:"",remarks:[],steps:[],warnings:[],attempt:0},Pa=120;function qa(e,t){let o=e.attempt===0?e:{...e,attempt:0};switch(t.name){case"accepted":return{...o,run:t.data.run_id};case"phase":return Ht(o,ff(t.data));case"rule":return t.data.rule?Ht(o,{kind:"rule",name:t.data.rule,status:"done"}):o;case"model_started":return{...La(o,t.data.iteration),model:t.data.model};case"delta":return pf(La(o,t.data.iteration),t.data.text);case"reasoning":return Ht(o,{kind:"reasoning",name:"reasoning",detail:t.data.text,status:"done"});case"tool_started":return Ht(o,{key:Ha(t.data),kind:"tool",name:t.data.tool,detail:hf(t.data.arguments),status:"running"});case"tool_finished":return $f(o,t.data);case"warning":return{...o,warnings:[...o.warnings,t.data.message]};default:return o}}function Ba(e,t){return{...e,attempt:t}}function ff({phase:e,name:t="",duration_ms:o,ok:n}){return{kind:"phase",name:e,detail:t,status:n===!1?"failed":"done",ms:o}}function La(e,t){if(t===e.iteration)return e;let o=e.text.trim()===""?e.remarks:[...e.remarks,e.text];return{...e,iteration:t,text:"",remarks:o}}function pf(e,t){return{...e,text:e.text+t}}function Ht(e,t){let o=t.key??`step ${e.steps.length}`;return{...e,steps:[...e.steps,{detail:"",error:"",ms:void 0,...t,key:o}]}}function $f(e,t){let o=Ha(t),r={status:t.ok?"done":"failed",ms:t.duration_ms,error:t.error??""};return e.steps.some(a=>a.key===o)?{...e,steps:e.steps.map(a=>a.key===o?{...a,...r}:a)}:Ht(e,{key:o,kind:"tool",name:t.tool,...r})}function Ha({iteration:e,call_id:t}){return`call ${e} ${t}`}function hf(e){let t=typeof e=="string"?e:JSON.stringify(e)??"";return t.length>Pa?`${t.slice(0,Pa)}…`:t}var Yn={draft:"",attachments:[],sent:void 0,waiting:!1,usedTokens:[],received:[]};function Fa(e,t,o){let{sent:n}=e,r=n?.session===t&&e.waiting?n:void 0,a=e.received.find(d=>d.answer.request_id===r?.replaces),i=e.received.filter(d=>d!==a&&d.answer.request_id!==o.request_id),{question:l,attachments:c}=a??r??{question:"",attachments:[]};return{...e,waiting:r?!1:e.waiting,usedTokens:r?.token?[...e.usedTokens,r.token]:e.usedTokens,received:[...i,{session:t,question:l,attachments:c,at:new Date().toISOString(),replaces:r?.replaces??"",answer:o}]}}function Ao(e){if(!e.waiting)return e;let t=[e.sent?.question,e.draft].filter(Boolean).join(`

`);return{...e,waiting:!1,draft:t,attachments:[...e.sent?.attachments??[],...e.attachments]}}function Ua(e,t){return t?{...e,usedTokens:[...e.usedTokens,t]}:e}var ja={status:"none",reason:""};function Va(){let[e,t]=$(ja),o=A(async n=>{t({status:"pending",reason:""});try{let{status:r}=await T.cancelRun(n);t({status:r==="cancelled"?"cancelled":"ended",reason:""})}catch(r){if(!(r instanceof U))throw r;t({status:"failed",reason:r.message})}},[]);return{state:e,cancel:o,clear:A(()=>t(ja),[])}}function Wa(e,t){v(()=>{if(!e)return;let o=()=>{let{run:n}=t();n!==""&&T.cancelRun(n,{keepalive:!0}).catch(()=>{})};return addEventListener("pagehide",o),()=>removeEventListener("pagehide",o)},[e,t])}function Ga(){let e=w(Ft),t=w(0),[o,n]=$(Ft);v(()=>()=>cancelAnimationFrame(t.current),[]);let r=A(i=>{e.current=i(e.current),t.current===0&&(t.current=requestAnimationFrame(()=>{t.current=0,n(e.current)}))},[]),a=A(()=>{cancelAnimationFrame(t.current),t.current=0,e.current=Ft,n(Ft)},[]);return{shown:o,latest:A(()=>e.current,[]),update:r,reset:a}}var gf=500,bf=2e3,_f=1.4;function Oo({status:e}){return e==="queued"||e==="running"}function yf(e){if(!e?.error)return;let{error:t,message:o,request_id:n,details:r}=e.error;return new U("failed",o,{code:t,requestId:n,details:r??[]})}function Ka(e){let t=le(),[o,n]=$({id:e,run:void 0,error:void 0}),[r,a]=$(0);v(()=>{if(e==="")return;let u=new AbortController;return n(m=>m.id===e?{...m,error:void 0}:{id:e,run:void 0,error:void 0}),vf(e,u.signal,m=>n(p=>({...p,error:void 0,...m}))),()=>u.abort()},[e,t,r]);let i=A(async()=>{try{let u=await T.cancelRun(e);n(m=>m.id===e?{...m,run:u}:m)}catch(u){if(!(u instanceof U))throw u;n(m=>m.id===e?{...m,error:u}:m)}},[e]),l=o.id===e?o:{id:e,run:void 0,error:void 0},{run:c}=l,d=l.error?.status===404||c!==void 0&&!Oo(c);return{...l,error:l.error??yf(c),active:e!==""&&!d,cancel:i,retry:A(()=>a(u=>u+1),[])}}async function vf(e,t,o){for(let n=gf;;n=Math.min(bf,n*_f)){if(await Tf(t),t.aborted)return;let r=await wf(e,t,o);if(t.aborted||!r)return;await kf(n,t)}}async function wf(e,t,o){try{let n=await T.run(e,t);return o({run:n}),Oo(n)}catch(n){if(t.aborted)return!1;if(!(n instanceof U))throw n;return o({error:n}),n.kind==="offline"||n.kind==="failed"}}function Tf(e){return new Promise(t=>{if(!document.hidden||e.aborted)return t();document.addEventListener("visibilitychange",()=>t(),{once:!0,signal:e}),e.addEventListener("abort",()=>t(),{once:!0})})}function kf(e,t){return new Promise(o=>{let n=setTimeout(o,e);t.addEventListener("abort",()=>(clearTimeout(n),o()),{once:!0})})}var Sf=12,xf="resume_token_in_use";function za(e,t,o){let n=le(),[r,a]=$(Yn);v(()=>a(({draft:b,attachments:x})=>({...Yn,draft:b,attachments:x})),[n]);let i=B(),l=Ga(),c=Va(),d=Ka(t);Wa(i.busy,l.latest);let u=w(new Set),m=A((b,x)=>{a(z=>Fa(z,b,x))},[]),{run:p}=d;v(()=>{p===void 0||Oo(p)||(p.answer?m(e,p.answer):a(b=>b.sent?.session===e?Ao(b):b))},[p,e,m]);let f=(b,x)=>{ve().params.session===b&&I("chat",{session:b,run:x},{replace:!0})},h=async(b,x,z)=>{let Q={open:q=>T.streamChat(x,q),reopen:T.runEvents},$e=q=>l.update(me=>Ba(me,q));try{for await(let q of xa(Q,{signal:z,onLost:$e}))q.name==="answer"?m(b.session,q.data):l.update(me=>qa(me,q))}catch(q){if(!(q instanceof ht))throw q;f(b.session,q.run)}},E=(b,x)=>{u.current.add(b.session),l.reset(),c.clear(),a(z=>({...z,sent:b,waiting:!0,...b.question&&{draft:"",attachments:[]}})),I("chat",{session:b.session},{replace:e!==""}),i.run(async z=>{try{if(b.background){let{id:Q}=await T.startChat(x,z);f(b.session,Q)}else await h(b,x,z)}catch(Q){throw a($e=>Cf(Q)?Ua(Ao($e),b.token):Ao($e)),Q}})},S=()=>{let b=e||Ef(),x=r.draft.trim(),{background:z}=o,{attachments:Q}=r;E({session:b,question:x,attachments:Q,background:z,replaces:"",token:""},Hs(x,b,o,Q))},O=({request_id:b,resume_token:x})=>{if(!x)return;let{background:z}=o;E({session:e,question:"",attachments:[],background:z,replaces:b,token:x},Fs(x,e,o))},R=()=>{if(!i.busy)return void d.cancel();let{run:b}=l.latest();i.cancel(),b!==""&&c.cancel(b)};return{...r,task:i,live:l.shown,cancellation:c.state,followed:d,busy:i.busy||d.active,fresh:u.current.has(e)||t!=="",markFound:A(b=>{u.current.delete(b)},[]),write:A(b=>a(x=>({...x,draft:b})),[]),attach:A(b=>{a(x=>({...x,attachments:[...x.attachments,...b]}))},[]),detach:A(b=>{a(x=>({...x,attachments:x.attachments.filter((z,Q)=>Q!==b)}))},[]),send:S,resume:O,cancel:R}}function Cf(e){return e instanceof U&&e.kind==="refused"&&e.code!==xf}function Ef(){let e=crypto.getRandomValues(new Uint8Array(Sf));return Array.from(e,t=>t.toString(16).padStart(2,"0")).join("")}var Ja=40,Rf=100,Qn=e=>({id:e,session:void 0,messages:[],from:1});function Xa(e,{blocked:t,running:o,fresh:n}){let r=le(),[a,i]=$(()=>Qn(e)),l=a.id===e?a:Qn(e),c=w(l);c.current=l;let d=w(n);d.current=n;let u=B(),m=B(),{run:p,cancel:f}=u,h=A(()=>p(async R=>{e!==""&&i(await Af(e,c.current,{fresh:d.current,signal:R}))}),[p,e]);v(()=>(t||h(),f),[h,f,t,o,r]);let E=A(R=>{i(b=>b.session&&b.id===R.id?{...b,session:R}:b)},[]),S=m.run,O=A(()=>S(async R=>{let{from:b}=c.current,x=Math.max(1,b-Ja),z=await Ya(e,x,b,R);i(Q=>Q.id===e?{...Q,messages:[...z,...Q.messages],from:x}:Q)}),[S,e]);return{...l,loading:e!==""&&u.busy&&l.session===void 0,error:u.error,reload:h,update:E,earlier:{busy:m.busy,since:m.since,error:m.error,show:O}}}async function Af(e,t,{fresh:o,signal:n}){let r=await Of(e,o&&t.session===void 0,n);if(r===void 0)return Qn(e);let a=Math.max(1,r.turns-Ja+1),i=t.session?.created_at===r.created_at,l=i?Math.min(a,t.messages.at(-1)?.turn??a):a,c=await Ya(e,l,1/0,n);return{id:e,session:r,messages:i?va(t.messages,c,l):c,from:i?Math.min(t.from,l):l}}async function Of(e,t,o){try{return await T.session(e,o)}catch(n){if(t&&n instanceof U&&n.status===404)return;throw n}}async function Ya(e,t,o,n){let r=[],a;do{let i=await T.messages(e,{limit:Rf,cursor:a,fromTurn:t,signal:n});r.push(...i.messages),a=i.cursor??void 0}while(a!==void 0&&(r.at(-1)?.turn??0)<o);return r.filter(i=>i.turn<o)}function Qa(e,{read:t,deleted:o,whole:n}){let r=e.at(-1),a=new Map(e.map(i=>[i.id,i]));for(let i of t.values()){let l=a.get(i.id);(l?i.updated_at>=l.updated_at:n||!r||i.updated_at>r.updated_at)&&a.set(i.id,i)}return[...a.values()].filter(i=>!o.has(i.id)).sort((i,l)=>+(i.updated_at<l.updated_at)-+(i.updated_at>l.updated_at))}var Mf=20,Za=()=>({read:new Map,deleted:new Set,pages:1});function ei(e){let t=le(),[o,n]=$(Za);v(()=>n(Za),[t]);let r=ae(m=>If(o.pages,m),[o.pages]),a=A(m=>{n(p=>({...p,read:new Map(p.read).set(m.id,m)}))},[]),i=A(async(m,p)=>{let f=await T.renameSession(m,p);a(f),e(f)},[a,e]),l=A(async m=>{await T.deleteSession(m),n(p=>({...p,deleted:new Set(p.deleted).add(m)}))},[]),c=A(()=>n(m=>({...m,pages:m.pages+1})),[]),{data:d}=r,u=V(()=>d&&Qa(d.sessions,{...o,whole:!d.cursor}),[d,o]);return{...r,sessions:u,more:!!d?.cursor,showMore:c,addSession:a,rename:i,remove:l}}async function If(e,t){let o=[],n;for(let r=0;r<e;r+=1){let a=await T.sessions({limit:Mf,cursor:n,signal:t});if(o.push(...a.sessions),n=a.cursor??void 0,n===void 0)break}return{sessions:o,cursor:n}}var Mo=matchMedia("(width >= 800px)");function ti({route:e}){let{session:t="",run:o=""}=e.params,[n,r]=$(Bs),a=za(t,o,n),i=Xa(t,{blocked:a.busy&&a.waiting&&a.sent?.session===t,running:a.followed.active,fresh:a.fresh}),l=ei(i.update),{addSession:c}=l,{markFound:d}=a;v(()=>{i.session&&(c(i.session),d(i.session.id))},[i.session,c,d]);let u=A(S=>r(O=>({...O,...S})),[]),m=()=>I("chat"),p=()=>{m(),Mo.matches&&document.getElementById(Ln)?.focus()},f=js(n),h=n.collections.length,E=s`
    <button type="button" onClick=${p}>New chat</button>
    <${P} open=${Mo.matches} summary=${s`<h2>Sessions</h2>`}>
      <${Na}
        sessions=${l}
        open=${t}
        onOpen=${S=>S!==t&&I("chat",{session:S})}
        onDeleted=${S=>S===t&&m()}
      />
    <//>
    <${P}
      open=${Mo.matches}
      summary=${s`<h2>Collections</h2>${h>0&&s` <small>${h} selected</small>`}`}
    >
      <${Da} options=${n} onChange=${u} />
    <//>
    <${P}
      open=${Mo.matches}
      summary=${s`<h2>Options</h2>${f>0&&s` <small>${f} selected</small>`}`}
    >
      <${Ia} options=${n} onChange=${u} />
    <//>
  `;return s`
    <${de} title="Chat" controls=${E}>
      <${Oa} id=${t} chat=${a} conversation=${i} options=${n} onBegin=${m} />
    <//>
  `}var Df={tone:"good",label:"active"},oi={tone:"plain",label:"disabled"},Io={tone:"bad",label:"not used"},Nf={tone:"warn",label:"has a problem"};function Zn({disabled:e,tools:t,tool_settings:{disabled_types:o}}){let n=new Set(e.map(({kind:a,name:i})=>`${a} ${i}`)),r=new Set(t.filter(({enabled:a,type:i})=>a===!1||i&&o.includes(i)).map(({name:a})=>a));return(a,{name:i,problems:l})=>a==="tool"&&r.has(i)?oi:n.has(`${a} ${i}`)?Io:l.length>0?Nf:Df}function gt(e){return new Set(e?.llms.filter(({demo:t})=>t).map(({name:t})=>t))}function ni(e){let t=Zn(e),{rules:o,tools:n,llms:r,services:a,phases:i,validation:l}=e,d=[["rule",o],["tool",n],["llm",r],["service",a],["phase",Object.entries(i).map(([m,p])=>({name:m,problems:p?.problems??[]}))],["schedule",[{name:"validation",problems:l.problems}]]].flatMap(([m,p])=>p.filter(({problems:f})=>f.length>0).map(f=>({kind:m,name:f.name,problems:f.problems,state:t(m,f)}))),u=new Set(d.map(({kind:m,name:p})=>`${m} ${p}`));for(let{kind:m,name:p,problems:f}of e.disabled)u.has(`${m} ${p}`)||d.push({kind:m,name:p,problems:f,state:Io});return d.filter(({state:m})=>m!==oi).sort((m,p)=>+(p.state===Io)-+(m.state===Io))}function Do(e,t){let o=e.filter(({kind:n})=>t.includes(n)).length;return o>0?` ! ${o}`:""}function ri(e){return Object.entries(e).map(([t,o])=>{let n=typeof o=="string"?o:JSON.stringify(o);return t.endsWith("_regexp")?{field:t.slice(0,-7),relation:"matches",value:n}:t.endsWith("_contains")?{field:t.slice(0,-9),relation:"contains",value:n}:t==="rag_results"&&o==="any"?{field:t,relation:"is",value:"match or partial"}:{field:t,relation:"is",value:n}})}var Pf=200;function No({tool:e}){let t=s`
    <span class="tool-head">
      <strong class="mono">${e.name}</strong>
      <${ee}>${Se(e.implementation.type)}<//>
    </span>
    <span class="tool-line">${G(e.description,Pf)}</span>
  `;return s`<li class="tool-card">
    <${P} summary=${t}>
      <p><${_} tone="good">enabled<//></p>
      <${N} value=${e.description} label=${`Description of ${e.name}`} />
      <${N} value=${e.parameters} label=${`Parameters of ${e.name}`} />
    <//>
  </li>`}function Po({tool:e}){return s`<li class="tool-card tool-disabled">
    <span class="tool-head">
      <strong class="mono">${e.name}</strong>
      <${_} tone="warn">disabled<//>
    </span>
    <ul>${e.problems.map(t=>s`<li>${t}</li>`)}</ul>
  </li>`}var si=`flexchat tokens create --stage ${Ve} --name "an operator" --role operator`;function ai(){return s`
    <div class="notice stack" role="status">
      <h2>! Operator role required</h2>
      <p>Rules, services and settings are visible to tokens with the role <strong>operator</strong>. Create one with:</p>
      <p><code>${si}</code></p>
      <div class="row">
        <${oe} text=${si} label="Copy command" />
        <button type="button" onClick=${()=>rt("")}>Enter another token</button>
      </div>
    </div>
  `}function ii(){return s`
    <section class="stack" aria-label="Tools"><h2>Tools</h2><${Lf} /></section>
    <section class="stack" aria-label="Models"><h2>Models</h2><${qf} /></section>
  `}function Lf(){let{data:e,error:t,reload:o}=Ge(),n=e?.disabled.filter(({kind:r})=>r==="tool")??[];return t?s`<${k} error=${t} onRetry=${o} />`:e?e.tools.length+n.length===0?s`<p>No tools are configured.</p>`:s`
    <ul class="tool-cards">
      ${n.map(r=>s`<${Po} key=${`off ${r.name}`} tool=${r} />`)}
      ${e.tools.map(r=>s`<${No} key=${r.name} tool=${r} />`)}
    </ul>
  `:s`<${F} lines=${6} label="the tools" />`}function qf(){let{data:e,error:t,reload:o}=De(),[n]=$(()=>performance.now());return t?s`<${k} error=${t} onRetry=${o} />`:e?s`
    ${e.errors.map(({llm:r,error:a})=>s`<p>! <code>${r}</code> did not list its models: ${a}</p>`)}
    ${e.models.length===0?s`<p>No models available.</p>`:s`<${Bf} models=${e.models} />`}
  `:s`<p><${M} label="Loading models" since=${n} /></p>`}function Bf({models:e}){return s`
    <${Re} label="Models" caption="Available models" columns=${["Model","Provider","Tool calling","Last tested"]}>
      ${e.map(({id:t,provider:o,validation:n,demo:r})=>s`
          <tr>
            <th scope="row" class="mono">${t}</th>
            <td><${ee}>${o}<//></td>
            <td><${ft} validation=${n} demo=${r} /></td>
            <td>${n.last_tested?s`<${j} at=${n.last_tested} />`:"never"}</td>
          </tr>
        `)}
    <//>
  `}var tr="conf-intent";function li({draft:e,problem:t,busy:o,intents:n,services:r,onDraft:a,onRun:i,onCancel:l}){let c=Z(),d=m=>{m.preventDefault(),i()},u=m=>p=>a({[m]:p.currentTarget.value});return s`
    <form class="stack" onSubmit=${d}>
      <h2>Rule test</h2>
      <p>Enter profile fields to see the rule that matches. Empty fields are unset. No model is called.</p>
      <${er} id=${tr} label="Intent" value=${e.intent} suggestions=${n} onInput=${u("intent")} />
      <${er} label="Service" value=${e.service} suggestions=${r} onInput=${u("service")} />
      <${er} label="Topic" value=${e.topic} suggestions=${[]} onInput=${u("topic")} />
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
        <button type="submit" class="primary" disabled=${o}>Test rules <small class="conf-keys">${be("mod+Enter")}</small></button>
        ${o&&s`<button type="button" onClick=${l}>Cancel</button>`}
      </div>
    </form>
  `}function er({id:e,label:t,value:o,suggestions:n,onInput:r}){let a=Z();return s`
    <label class="field">
      ${t}
      <input id=${e} value=${o} list=${a} spellcheck=${!1} autocomplete="off" onInput=${r} />
    </label>
    <datalist id=${a}>${n.map(i=>s`<option value=${i}></option>`)}</datalist>
  `}var ci="flexchat config check";function ui({configuration:e,faulty:t,loading:o,onReload:n}){let{stage:r,version:a,revision:i,changed_at:l,read_at:c}=e;return s`
    <section class="stack" aria-label="Active configuration">
      <div class="row spread">
        <h2>Active configuration</h2>
        <button type="button" class="quiet" disabled=${o} onClick=${n}>Reload</button>
      </div>
      <p role="status">
        ${t.length===0?s`<${_} tone="good">All entries are valid.<//>`:s`<${_} tone="bad">${g(t.length,"problem")}<//>`}
      </p>
      <dl class="conf-facts">
        <dt>Stage</dt>
        <dd>${r}</dd>
        <dt>Version</dt>
        <dd><code>${a}</code>${typeof i=="number"&&`, revision ${i}`}</dd>
        ${l&&s`<dt>Changed</dt><dd><${j} at=${l} /> <small>${Ne(l)}</small></dd>`}
        ${c&&s`<dt>Loaded</dt><dd><${j} at=${c} /> <small>${Ne(c)}</small></dd>`}
      </dl>
      ${t.length>0&&s`<${Hf} faulty=${t} />`}
    </section>
  `}function Hf({faulty:e}){return s`
    <ul class="conf-problems" aria-label="Problems">
      ${e.map(({kind:t,name:o,problems:n,state:r})=>s`
          <li data-tone=${r.tone}>
            <span class="row"><${ee}>${t}<//> <strong>${o}</strong> <${_} tone=${r.tone}>${r.label}<//></span>
            <ul>${n.map(a=>s`<li>${a}</li>`)}</ul>
          </li>
        `)}
    </ul>
    <p>
      Fix the file and push it again. <code>${ci}</code> validates a file.
      <${oe} text=${ci} label="Copy command" />
    </p>
  `}var Ff=300;function di({demo:e,match:{busy:t,since:o,error:n,cancelled:r,profileJson:a,result:i,match:l},onClose:c}){return s`
    <section class="conf-match stack" aria-label="Matched rule">
      <div class="row spread">
        <h2>Matched rule</h2>
        <button type="button" class="quiet" onClick=${c}>Close</button>
      </div>
      <p><code>${G(a,Ff)}</code></p>
      ${t&&s`<p><${M} label="Testing the rules" since=${o} /></p>`}
      ${n&&s`<${k} error=${n} onRetry=${l} />`}
      ${r&&s`<div class="notice stack" role="status">
          <p>! Test cancelled.</p>
          <div class="row"><button type="button" onClick=${l}>Try again</button></div>
        </div>`}
      <div role="status">${i&&s`<${Uf} answer=${i.answer} demo=${e} />`}</div>
      ${i&&s`<${jf} key=${i.profileJson} answer=${i.answer} />`}
    </section>
  `}function Uf({answer:{rule:e,llm:t,model:o,fallback:n,problem:r},demo:a}){return s`
    ${e&&s`<p class="conf-matched-rule">
        <${_} tone=${r?"warn":"good"}>Rule <strong>${e}</strong> matches<//>, model <code>${t}:${o}</code>${a.has(t??"")&&s` <${W} />`}
      </p>`}
    ${n&&s`<p><${_} tone="warn">instead of<//> <code>${n.instead_of}</code>: ${n.reason}</p>`}
    ${r&&s`<p><${_} tone="bad">A chat fails:<//> ${r}</p>`}
  `}function jf({answer:{rule:e,rules:t,tools:o}}){let n=o.filter(r=>r.offered).length;return s`
    <${Co} rules=${t} />
    ${e&&s`<${P} open summary=${`${n} of ${o.length} tools offered`}>
        <${Eo} tools=${o} />
      <//>`}
  `}var Vf=["intent","service","topic","rag_results"];function Ut({intent:e="",service:t="",topic:o="",rag_results:n="",more:r=""}){return{intent:e,service:t,topic:o,rag_results:n,more:r}}function mi(e){return e.tried==="yes"}function or(e,t){return{...e,...Ut({...t}),tried:t===void 0?"":"yes"}}function nr(e){let{fields:t,problem:o}=Wf(e.more);if(t===void 0)return{profile:void 0,problem:o};let n={...t};for(let r of Vf){let a=e[r].trim();if(a!==""){if(r in t)return{profile:void 0,problem:`“${r}” is set twice. Remove it from the JSON or from the field above.`};n[r]=a}}return{profile:n,problem:""}}function Wf(e){if(e.trim()==="")return{fields:{},problem:""};let t;try{t=te(e)}catch(o){return{fields:void 0,problem:`Not valid JSON: ${o instanceof Error?o.message:o}`}}return typeof t!="object"||t===null||Array.isArray(t)?{fields:void 0,problem:'Enter a JSON object, such as {"plan": "free"}.'}:{fields:t,problem:""}}function bt({caption:e,none:t,entries:o,columns:n,stateOf:r}){return o.length===0?s`<p>${t}</p>`:s`
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
          ${o.map(a=>s`<${Gf} key=${a.name} entry=${a} columns=${n} state=${r(a)} />`)}
        </tbody>
      </table>
    </div>
  `}function Gf({entry:e,columns:t,state:o}){return s`
    <tr>
      <th scope="row">${e.name}</th>
      <td>
        <${_} tone=${o.tone}>${o.label}<//>
        ${e.problems.map(n=>s`<small class="conf-problem-text">${n}</small>`)}
      </td>
      ${t.map(({number:n,cell:r})=>s`<td class=${n&&"number"}>${r(e)}</td>`)}
    </tr>
  `}function we({names:e,none:t=""}){return e.length===0?t:s`<span class="conf-names">${e.map(o=>s`<code>${o}</code>`)}</span>`}function jt(e){return typeof e!="boolean"?"":e?"yes":"no"}function rr(e){return typeof e=="number"?xe(e):""}var fi={caption:"Tools",none:"No tools are configured.",columns:[{title:"Type",cell:e=>e.type},{title:"Timeout",number:!0,cell:e=>e.timeout_ms?C(e.timeout_ms):""},{title:"Idempotent",cell:e=>jt(e.idempotent)},{title:"Repeatable",cell:e=>jt(e.repeatable)},{title:"Sequential",cell:e=>jt(e.sequential)},{title:"Per caller",cell:e=>jt(e.per_principal)}]},pi={caption:"LLMs",none:"No LLMs are configured, so chats fail.",columns:[{title:"Type",cell:e=>s`${e.type}${e.demo&&s` <${W} />`}`},{title:"Endpoint",cell:e=>e.host??e.region??(e.type?"provider default":"")},{title:"Key",cell:e=>jt(e.has_key)},{title:"Models",cell:e=>s`<${we} names=${e.models} none=${e.type?"listed by the provider":""} />`},{title:"Fallbacks",cell:e=>s`<${we} names=${e.fallbacks} none=${e.type?"none":""} />`}]},$i={caption:"Retrieval services",none:"No retrieval services are configured.",columns:[{title:"Type",cell:e=>e.type},{title:"Endpoint",cell:e=>e.host??e.region??(e.type==="internal"?"this stack":"")},{title:"Collections",cell:e=>s`<${we} names=${e.collections} none=${e.type==="internal"?"all":""} />`},{title:"Match",number:!0,cell:e=>rr(e.match_threshold)},{title:"Partial",number:!0,cell:e=>rr(e.partial_threshold)},{title:"Farthest",number:!0,cell:e=>rr(e.max_distance)},{title:"Passages",number:!0,cell:e=>e.top_k}]};var Kf=/[\p{L}\p{N}_]+|[^\p{L}\p{N}_]+/gu,zf=/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}⟨]/u;var Jf=/[\p{Mn}\p{Me}]/u,Xf=/\p{Script=Latin}/u,Yf=/[\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Lisu}]/u;function Qf(e){return`⟨U+${(e.codePointAt(0)??0).toString(16).toUpperCase().padStart(4,"0")}⟩`}function hi(e){let t=[],o=" ";for(let n of e.match(Kf)??[]){let r=/[A-Za-z]/.test(n);for(let a of n){let i=Jf.test(a),l=Zf(a)||r&&Yf.test(a)||i&&!ep(o),c=t.at(-1);l?t.push({text:Qf(a),hidden:l}):c&&!c.hidden?c.text+=a:t.push({text:a,hidden:l}),i||(o=a)}}return t}function Zf(e){if(` 	
`.includes(e))return!1;if(zf.test(e))return!0;let t=e.normalize("NFKC");return t!==e&&/[A-Za-z0-9]/.test(t)}function ep(e){return/\p{L}/u.test(e)&&!Xf.test(e)}function Te({text:e}){let t=V(()=>hi(e),[e]);return s`${t.map(o=>o.hidden?s`<mark class="hidden-character">${o.text}</mark>`:o.text)}`}var tp={offered:["good","offered"],changed:["warn","changed"],new:["warn","new"],removed:["plain","removed"],invalid:["bad","not usable"],shadowed:["plain","replaced by a configured tool"],not_taken:["plain","not taken"]};function gi(e){return e.filter(({state:t})=>t==="changed"||t==="new")}function bi(e){return e.filter(({state:t})=>t==="removed")}function _i({tools:e,server:t}){return e.length===0?null:s`
    <div class="scroll" tabindex="0" role="region" aria-label=${`Tools of ${t}`}>
      <table class="conf-table">
        <caption>Tools of ${t}</caption>
        <thead>
          <tr><th scope="col">Name</th><th scope="col">State</th><th scope="col">Description</th></tr>
        </thead>
        <tbody>
          ${e.map(o=>s`<${op} key=${o.name} tool=${o} />`)}
        </tbody>
      </table>
    </div>
  `}function op({tool:{name:e,description:t,state:o,problems:n,losses:r,diff:a}}){let[i,l]=tp[o];return s`
    <tr>
      <th scope="row"><${Te} text=${e} /></th>
      <td>
        <${_} tone=${i}>${l}<//>
        ${n.map(c=>s`<small class="conf-problem-text"><${Te} text=${c} /></small>`)}
        ${r.map(c=>s`<small class="conf-problem-text">Models do not get <${Te} text=${c} /></small>`)}
      </td>
      <td class="mcp-description">
        <${Te} text=${t} />
        ${a.length>0&&s`<${P} summary=${o==="new"?"Definition":"Difference"} open=${!0}><${rp} lines=${a} /><//>`}
      </td>
    </tr>
  `}var np={"+":"ins","-":"del","?":"em"};function rp({lines:e}){return s`
    <pre class="mcp-diff">${e.map(t=>s`<${np[t[0]??""]??"span"}><${Te} text=${t} />${`
`}<//>`)}</pre>
  `}var sp={ready:["good","connected"],failed:["bad","not connected"],not_checked:["plain","not connected yet"],disabled:["plain","disabled"]};function yi(){let{data:e,error:t,reload:o}=ae(n=>T.mcpServers(n));return t?s`<${k} error=${t} onRetry=${o} />`:e?e.servers.length===0?s`<p>No MCP servers are configured.</p>`:s`
    <ul class="mcp-servers">
      ${e.servers.map(n=>s`<li key=${n.name}><${ap} loaded=${n} /></li>`)}
    </ul>
  `:s`<${F} lines=${6} label="the MCP servers" />`}function ap({loaded:e}){let[t,o]=$(e),n=B(),{name:r}=t,a=()=>n.run(async c=>o(await T.refreshMcpServer(r,c))),i=gi(t.tools),l=()=>{let c=[...i,...bi(t.tools)].map(({tool:d})=>d);return n.run(async d=>o(await T.approveMcpTools(r,{hash:t.pending_hash??"",tools:c},d)))};return s`
    <section class="mcp-server stack" aria-label=${`MCP server ${r}`}>
      <div class="row spread">
        <h3>${r} <${ee}>${t.transport}<//></h3>
        <button type="button" class="quiet" disabled=${n.busy||t.state==="disabled"} onClick=${a}>Connect now</button>
      </div>
      <p role="status">
        ${n.busy?s`<${M} label="Connecting" since=${n.since} />`:s`<${lp} server=${t} />`}
      </p>
      ${n.error&&s`<${k} error=${n.error} />`}
      ${t.error&&s`<p class="mcp-error"><${Te} text=${t.error} /></p>`}
      ${t.error&&t.hints.length>0&&s`<ul aria-label="Hints">${t.hints.map(c=>s`<li><${Te} text=${c} /></li>`)}</ul>`}
      <${cp} server=${t} />
      <${ip} entries=${t.left_out} />
      ${i.length>0&&s`<div class="notice stack">
          <p>! ${g(i.length,"definition")} of tools changed or new. Models are not offered them until they are approved: a definition can make a model call other tools or disclose data.</p>
          <div class="row"><button type="button" disabled=${n.busy} onClick=${l}>Approve ${g(i.length,"definition")}</button></div>
        </div>`}
      <${_i} tools=${t.tools} server=${r} />
    </section>
  `}function ip({entries:e={}}){let t=Object.entries(e);return t.length===0?null:s`<div class="notice">
    <p>! The server lists entries that cannot be used:</p>
    <ul aria-label="Left out">
      ${t.map(([o,n])=>s`<li key=${o}><code><${Te} text=${o} /></code> <${Te} text=${n} /></li>`)}
    </ul>
  </div>`}function lp({server:{state:e,checked_at:t}}){let[o,n]=sp[e];return s`<${_} tone=${o}>${n}<//>${t&&s`, checked <${j} at=${t} />`}`}function cp({server:{transport:e,target:t,server:o,protocol_version:n,tools:r}}){let a=r.filter(({state:i})=>i==="offered").length;return s`
    <dl class="conf-facts">
      <dt>${e==="stdio"?"Command":"Host"}</dt>
      <dd><code><${Te} text=${t} /></code></dd>
      ${o&&s`<dt>Server</dt><dd><${Te} text=${`${o.name} ${o.version}`} /></dd>`}
      ${n&&s`<dt>Protocol</dt><dd><${Te} text=${n} /></dd>`}
      <dt>Offered tools</dt>
      <dd>${y(a)} of ${y(r.length)}</dd>
    </dl>
  `}var up=300,dp=e=>[{title:"Conditions",cell:t=>s`<${mp} rule=${t} />`},{title:"Model",cell:t=>s`<${fp} rule=${t} demo=${e} />`},{title:"Tools",cell:t=>s`<${pp} rule=${t} />`}];function vi({rules:e,demo:t,stateOf:o}){return s`<${bt}
    caption="Rules in order of evaluation"
    none="No rules are configured, so chats fail."
    entries=${e}
    columns=${dp(t)}
    stateOf=${o}
  />`}function mp({rule:{match:e,fallback:t}}){return t?"none: fallback rule":ri(e??{}).map(({field:o,relation:n,value:r},a)=>s`
      <div>${a>0&&"and "}<code>${o}</code> ${n} <code>${G(r,up)}</code></div>
    `)}function fp({rule:e,demo:t}){return e.llm?s`
    <code>${e.llm}:${e.model}</code>${t.has(e.llm)&&s` <${W} />`}
    ${e.fallbacks.length>0&&s`<div><small>then</small> <${we} names=${e.fallbacks} /></div>`}
    ${e.require_validated&&s`<div><small>requires validation</small></div>`}
  `:null}function pp({rule:{llm:e,allowed_tools:t,max_iterations:o,max_tool_calls:n}}){return e?o?s`
    ${t===null?"all":s`<${we} names=${t} none="none" />`}
    <div><small>at most ${g(o,"iteration")} and ${g(n??0,"call")}</small></div>
  `:"none":null}function Ti({configuration:e}){let{tool_settings:t,phases:o,sessions:n,validation:r,caller_fields:a}=e,{openai_api:i}=e,l=gt(e);return s`
    <div class="conf-settings">
      <${it}
        title="Tools"
        facts=${[["Enabled",t.enabled?"yes":s`<${_} tone="warn">no: models are offered no tools<//>`],["Iterations per chat",`${y(t.max_iterations)} by default`],["Calls per iteration",`${y(t.max_calls_per_turn)} by default`],["Calls per chat",`${y(t.max_tool_calls)} by default`],["Timeout",`${C(t.default_timeout_ms)} by default`],["Parallel calls",y(t.max_parallel)],["Disabled types",s`<${we} names=${t.disabled_types} none="none" />`]]}
      />
      <${it} title="Topic" facts=${wi(o.topic,l)} problems=${o.topic?.problems} />
      <${it} title="Intent" facts=${wi(o.intent,l)} problems=${o.intent?.problems} />
      <${it}
        title="Profile"
        facts=${[["Fields set by callers",s`<${we} names=${a} none="none" />`]]}
      />
      <${it}
        title="Sessions"
        facts=${[["Retention",`${g(n.ttl_days,"day")} after the last message`],["History sent to models",`at most ${g(n.max_history_tokens,"token")}`]]}
      />
      <${it}
        title="OpenAI-compatible API"
        facts=${[["Rules",s`<${we} names=${i.rules} none="none" />`],["Models",s`<${we} names=${i.models} none="none" />`],["Embeddings",i.embedding_model?s`<code>${i.embedding_model}</code>`:"none"]]}
      />
      <${it} title="Scheduled validation" facts=${$p(r)} problems=${r.problems} />
    </div>
  `}function wi(e,t){return e?e.enabled?[["Detected","yes"],["Model",e.model&&s`<code>${e.model}</code>${t.has(e.model.split(":")[0]??"")&&s` <${W} />`}`],...e.intents.length>0?[["Intents",s`<${we} names=${e.intents} />`]]:[]]:[["Detected","no: disabled"]]:[["Detected","no: not configured"]]}function $p({models:e,suite:t,repeats:o,stop_early:n,budget:r}){let a=[typeof r.calls=="number"&&g(r.calls,"chat"),typeof r.tokens=="number"&&g(r.tokens,"token"),typeof r.usd=="number"&&ne(r.usd)].filter(Boolean);return[["Models",s`<${we} names=${e} none="none" />`],["Suite",t],["Repeats",y(o)],["Early stopping",n?"yes":"no"],["Budget",a.length>0?a.join(", "):"no limit"]]}function it({title:e,facts:t,problems:o=[]}){return s`
    <section class="stack" aria-label=${e}>
      <h3>${e}</h3>
      ${o.map(n=>s`<p><${_} tone="warn">${n}<//></p>`)}
      <dl class="conf-facts">
        ${t.map(([n,r])=>s`<dt>${n}</dt><dd>${r}</dd>`)}
      </dl>
    </section>
  `}function ki({configuration:e,faulty:t,chosen:o,onChoose:n}){let{rules:r,tools:a,llms:i,services:l}=e,c=Zn(e),d=gt(e),u=f=>h=>c(f,h),m=(f,h)=>`${y(f.length)}${Do(t,[h])}`,p=[{name:"Rules",note:m(r,"rule"),content:()=>s`<${vi} rules=${r} demo=${d} stateOf=${u("rule")} />`},{name:"Tools",note:m(a,"tool"),content:()=>s`<${bt} ...${fi} entries=${a} stateOf=${u("tool")} />`},{name:"MCP servers",note:Do(t,["mcp_server"]),content:()=>s`<${yi} />`},{name:"LLMs",note:m(i,"llm"),content:()=>s`<${bt} ...${pi} entries=${i} stateOf=${u("llm")} />`},{name:"Services",note:m(l,"service"),content:()=>s`<${bt} ...${$i} entries=${l} stateOf=${u("service")} />`},{name:"Settings",note:Do(t,["phase","schedule"]),content:()=>s`<${Ti} configuration=${e} />`}];return s`<${Je} label="Configuration sections" tabs=${p} chosen=${o} onChoose=${n} />`}function Si(e){let t=le(),o=B(),{run:n,cancel:r,clear:a}=o,[i,l]=$(void 0),c=e===void 0?"":JSON.stringify(e),d=A(()=>n(async u=>{let m=await T.matchRule(te(c),u);l({profileJson:c,answer:m})}),[n,c]);return v(()=>{if(c!==""){d();return}r(),a(),l(void 0)},[d,r,a,c,t]),{...o,match:d,profileJson:c,result:o.busy||i?.profileJson===c?i:void 0}}var xi="Rules";function Ci({route:{params:e}}){let t=ae(f=>T.configuration(f)),o=t.error?.kind==="forbidden",[n,r]=gp(e),{profile:a,problem:i}=nr(n),l=mi(e)&&!o?nr(Ut(e)).profile:void 0,c=Si(l),{section:d,reveal:u}=ze(c.busy),m=()=>{a===void 0||c.busy||(u(),JSON.stringify(a)===c.profileJson?c.match():I("configuration",or(e,n)))};if(ie([{keys:"/",label:"Enter an intent",run:()=>document.getElementById(tr)?.focus()},{keys:"mod+Enter",label:"Test the rules",run:m},{keys:"Escape",label:"Cancel the test",run:c.cancel}]),o)return s`<${de} title="Configuration" controls=${s`<${ai} />`}><${ii} /><//>`;let p=s`<${li}
    draft=${n}
    problem=${i}
    busy=${c.busy}
    intents=${t.data?.phases.intent?.intents??[]}
    services=${t.data?.services.map(({name:f})=>f)??[]}
    onDraft=${r}
    onRun=${m}
    onCancel=${c.cancel}
  />`;return s`
    <${de} title="Configuration" controls=${p} section=${d}>
      ${l&&s`<${di} match=${c} demo=${gt(t.data)} onClose=${()=>I("configuration",or(e,void 0))} />`}
      ${t.error&&s`<${k} error=${t.error} onRetry=${t.reload} />`}
      ${!t.data&&!t.error&&s`<${F} lines=${8} label="the configuration" />`}
      ${t.data&&s`<${hp} configuration=${t} data=${t.data} params=${e} />`}
    <//>
  `}function hp({configuration:e,data:t,params:o}){let n=V(()=>ni(t),[t]),r=a=>I("configuration",{...o,tab:a===xi?"":a},{replace:!0});return s`
    <${ui} configuration=${t} faulty=${n} loading=${e.loading} onReload=${e.reload} />
    <${ki} configuration=${t} faulty=${n} chosen=${o.tab||xi} onChoose=${r} />
  `}function gp(e){let t=JSON.stringify(Ut(e)),[o,n]=$(()=>Ut(e));return v(()=>n(te(t)),[t]),[o,r=>n(a=>({...a,...r}))]}function Ei(e){let t=ho(),o=t.data?.collections,n=e||o?.[0]?.name||"",r=a=>o&&t.put({collections:o.map(i=>i.name===a.name?a:i)});return{collections:t,selected:n,collection:o?.find(({name:a})=>a===n),isEmpty:o?.length===0,loading:n===""&&t.loading,replace:r}}function _t(e,t){return e===void 0?"none":e<t.match?"match":e<t.partial?"partial":"none"}function Wt(e){let t=Number(e?.trim()||NaN);return t>=0&&t<=2?t:void 0}function Lo(e,t){return e===void 0||t===void 0?void 0:{match:e,partial:Math.max(e,t)}}function Ri({match:e,partial:t},o,n){return o==="match"?{match:n,partial:Math.max(n,t)}:{match:Math.min(n,e),partial:n}}function Ai({match_threshold:e,partial_threshold:t},o){return Lo(e??o?.match,t??o?.partial)}function Oi({metadata:e,calibrated_passages:t}){if(typeof t=="number")return"calibrated from passages";let o=[e.match_threshold,e.partial_threshold].filter(n=>typeof n=="number");return o.length===2?"set by an operator":o.length===1?"one set by an operator, one from the service":"from the service"}function Mi(e,{match:t,partial:o}){let n=Math.min(Math.min(...e)-.05,t),r=Math.max(Math.max(...e)+.05,o);return{low:Math.max(0,Vt(Math.floor(Vt(n/.05))*.05)),high:Math.min(2,Vt(Math.ceil(Vt(r/.05))*.05))}}function Ii({low:e,high:t},o){return Math.min(100,Math.max(0,Vt((o-e)/(t-e)*100)))}function Di(e,{match:t,partial:o}){return JSON.stringify({rag_services:{docs:{type:"internal",collections:[e],match_threshold:t,partial_threshold:o}}},null,2)}function Vt(e){return Math.round(e*1e3)/1e3}var Ni=300;function Pi({collections:e,selected:t,onChoose:o}){let{data:n,error:r,reload:a}=e;return r&&!n?s`<${k} error=${r} onRetry=${a} />`:n?n.collections.length===0?s`<p><small>No collections.</small></p>`:s`
    <fieldset class="ret-collections">
      <legend>Collection</legend>
      <div class="ret-cards">
        ${n.collections.map(i=>s`
            <${bp}
              key=${i.name}
              collection=${i}
              checked=${i.name===t}
              onChoose=${()=>o(i.name)}
            />
          `)}
      </div>
    </fieldset>
  `:s`<${F} lines=${4} label="the collections" />`}function bp({collection:e,checked:t,onChoose:o}){let{name:n,metadata:r,documents:a,passages:i,bytes:l,updated_at:c}=e,{match_threshold:d,partial_threshold:u,description:m,embedding_model:p}=r;return s`
    <label class="ret-card">
      <input type="radio" name="collection" value=${n} checked=${t} onChange=${o} />
      <span>
        <strong>${(r.display_name||n).slice(0,Ni)}</strong>
        ${r.display_name&&s` <code>${n}</code>`}
        ${m&&s`<small class="ret-line">${m.slice(0,Ni)}</small>`}
        <small class="ret-line">
          ${g(a,"document")} · ${g(i,"passage")} · ${Ke(l)} · <${j} at=${c} />
        </small>
        <small class="ret-line"><${ee}>${p}<//> ${_p(d,u)}${Oi(e)}</small>
      </span>
    </label>
  `}function _p(e,t){return typeof e=="number"&&typeof t=="number"?`match < ${xe(e)}, partial < ${xe(t)}: `:"thresholds: "}function Li({collection:e,thresholds:t,onChanged:o}){let n=B(),[r,a]=$(""),{metadata:i,name:l}=e,c=i.match_threshold===t.match&&i.partial_threshold===t.partial,u=(typeof i.match_threshold=="number"||typeof i.partial_threshold=="number")&&typeof e.calibrated_passages!="number",m=(p,f,h)=>{a(""),n.run(async()=>{let E=await T.changeCollection(l,{metadata:{match_threshold:p,partial_threshold:f}});a(`${h} ✓`),o(E,h)})};return s`
    <button type="button" disabled=${c||n.busy} onClick=${()=>m(t.match,t.partial,"saved")}>
      Save thresholds
    </button>
    ${u&&s`<button type="button" class="quiet" disabled=${n.busy} onClick=${()=>m(null,null,"recalibrated")}>
        Recalibrate thresholds
      </button>`}
    ${n.busy&&s`<${M} label="Updating the collection" since=${n.since} />`}
    <small role="status">${r}</small>
    ${n.error&&s`<${k} error=${n.error} />`}
  `}var yp=5,qi=100;function Gt(e){let t=Math.floor(Number(e));return t>=1&&t<=qi?t:yp}function Bi({draft:e,busy:t,form:o,onDraft:n,onRun:r,onCancel:a}){return s`
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
        <button type="submit" class="primary" disabled=${t}>Search <small class="ret-keys">${be("mod+Enter")}</small></button>
        ${t&&s`<button type="button" onClick=${a}>Cancel</button>`}
        <label class="check ret-top-k">
          Passages
          <input
            type="number"
            name="top_k"
            required
            min="1"
            max=${qi}
            value=${e.topK}
            onInput=${l=>n({topK:l.currentTarget.value})}
          />
        </label>
      </div>
    </form>
  `}var vp={match:{tone:"good",sign:"✓"},partial:{tone:"warn",sign:"~"},none:{tone:"plain",sign:"·"}};function Kt({name:e}){return s`<${_} ...${vp[e]}>${e}<//>`}var qo=280,Hi=300;function Fi({hit:e}){let[t,o]=$(!1),n=e.title.slice(0,Hi);return s`
    <div class="ret-passage">
      <strong>${n}</strong>
      <code>${e.source.slice(0,Hi)}</code>
      ${t?s`<${N} value=${e.text} label=${`Text of ${n}`} />`:s`<p>${wp(e.text)}</p>`}
      <button type="button" class="quiet" aria-expanded=${t} onClick=${()=>o(!t)}>
        ${t?"Hide full text":"Show full text"}
      </button>
    </div>
  `}function wp(e){let t=e.slice(0,2*qo).replace(/\s+/g," ").trim();return t.length>qo||e.length>2*qo?`${t.slice(0,qo)} …`:t}function Ui({hits:e,thresholds:t,scale:o}){return s`
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
        ${e.map((n,r)=>{let a=_t(n.distance,t);return s`
            <tr key=${n.id} data-class=${a}>
              <td class="number ret-rank">${r+1}</td>
              <td class="number">
                ${xe(n.distance)}
                <${Tp} distance=${n.distance} thresholds=${t} scale=${o} />
              </td>
              <td><${Kt} name=${a} /></td>
              <td><${Fi} hit=${n} /></td>
            </tr>
          `})}
      </tbody>
    </table>
  `}function Tp({distance:e,thresholds:t,scale:o}){let n=r=>`${Ii(o,r)}%`;return s`<span class="ret-bar" aria-hidden="true">
    <span style=${{width:n(e)}}></span>
    <i style=${{left:n(t.match)}}></i>
    <i style=${{left:n(t.partial)}}></i>
  </span>`}var kp=300,Sp={match:"A chat that selects this collection answers from these passages and searches no further collections.",partial:"A chat that selects this collection passes these passages to the model and searches the next collection.",none:"A chat that selects this collection continues without these passages."};function ji({found:e,thresholds:t,saved:o}){let{answer:n,ms:r,request:a}=e,i=n.hits.map(p=>p.distance),l=i.length>0?Math.min(...i):void 0,c=_t(l,t),d=_t(l,o),u=i.map(p=>_t(p,t)),m=p=>`${u.filter(f=>f===p).length} ${p}`;return s`
    <div class="ret-classification">
      <h2><span role="status"><${Kt} name=${c} /></span></h2>
      <p>${Sp[c]}</p>
      ${c!==d&&s`<p>With the collection's saved thresholds: <${Kt} name=${d} />.</p>`}
      <small>
        ${g(i.length,"passage")}: ${m("match")}, ${m("partial")}, ${m("none")}${" · "}
        ${l!==void 0&&`nearest ${xe(l)} · `}${C(r)}
      </small>
      <small>Query: “${a.query.slice(0,kp)}”</small>
    </div>
  `}var xp=`flexchat collections create handbook --stage ${Ve}`,Cp=`flexchat collections add handbook docs/ --stage ${Ve}`;function Vi({isEmpty:e,hasQuery:t,loading:o,search:n,evaluation:r}){let{busy:a,cancelled:i,error:l,found:c,since:d}=n;return e?s`<${Ep} />`:s`
    ${a&&s`<${M} label="Searching" since=${d} />`}
    ${i&&s`<p role="status">Search cancelled.</p>`}
    ${l&&s`<${k} error=${l} onRetry=${n.search} />`}
    ${(t&&o||a&&!c)&&s`<${F} lines=${6} label="the passages" />`}
    ${!t&&s`<${Rp} />`}
    ${c&&r&&s`
        <${ji} found=${c} ...${r} />
        ${c.answer.hits.length>0?s`<${Ui} hits=${c.answer.hits} thresholds=${r.thresholds} scale=${r.scale} />`:s`<p>No passages found in this collection.</p>`}
      `}
  `}function Ep(){return s`
    <${ue} title="No collections">
      <p>Search a collection to see the distances of its passages and calibrate its thresholds.</p>
      <p>Create a collection and add files or directories:</p>
      <pre>${xp} && ${Cp}</pre>
    <//>
  `}function Rp(){return s`
    <${ue} title="Test a collection">
      <p>
        Enter a query to see the closest passages of a collection, their distances, and how a chat uses them. Adjust the
        thresholds to see the effect.
      </p>
      <p>Enter a test query and select Search.</p>
    <//>
  `}function Wi({collection:e,query:t,topK:o}){let n=B(),{run:r,cancel:a}=n,[i,l]=$(void 0),c=A(()=>r(async d=>{let u=performance.now(),m=await T.search(e,{query:t,top_k:o},d);l({request:{collection:e,query:t,topK:o},answer:m,ms:performance.now()-u})}),[r,e,t,o]);return v(()=>{e&&t?c():(a(),l(void 0))},[c,a,e,t]),{...n,search:c,found:i?.request.collection===e?i:void 0}}var Ki=.001;function zi({collection:e,thresholds:t,saved:o,scale:n,onMove:r,children:a}){let i=t.match!==o.match||t.partial!==o.partial,l=(c,d)=>r(Ri(t,c,d));return s`
    <fieldset class="ret-thresholds">
      <legend>Thresholds <small>cosine distance, lower is closer</small></legend>
      <${Gi} name="Match below" value=${t.match} scale=${n} onMove=${c=>l("match",c)} />
      <${Gi} name="Partial below" value=${t.partial} scale=${n} onMove=${c=>l("partial",c)} />
      <div class="row">
        <button type="button" disabled=${!i} onClick=${()=>r(void 0)}>Reset thresholds</button>
        ${a}
      </div>
      <div class="row">
        <${oe} text=${()=>Di(e,t)} label="Copy as configuration" />
        <small>for services; applies to collections without thresholds</small>
      </div>
    </fieldset>
  `}function Gi({name:e,value:t,scale:o,onMove:n}){return s`
    <div class="ret-slider">
      <span aria-hidden="true">${e}</span>
      <input
        type="range"
        aria-label=${e}
        min=${o.low}
        max=${o.high}
        step=${Ki}
        value=${t}
        onInput=${r=>n(Number(r.currentTarget.value))}
      />
      <${Op} name=${`${e}, as a number`} value=${t} onCommit=${n} />
    </div>
  `}function Op({name:e,value:t,onCommit:o}){let[n,r]=$(void 0);return s`
    <input
      type="number"
      aria-label=${e}
      min="0"
      max=${2}
      step=${Ki}
      value=${n??t}
      onInput=${i=>r(i.currentTarget.value)}
      onChange=${({currentTarget:i})=>{r(void 0);let l=Wt(i.value);l!==void 0&&o(l)}}
    />
  `}var Mp=250;function Ji(e){let t=e.query??"",o=String(Gt(e.top_k)),[n,r]=$({query:t,topK:o});return v(()=>r({query:t,topK:o}),[t,o]),[n,a=>r(i=>({...i,...a}))]}function Xi(e){let t=Wt(e.match),o=Wt(e.partial),[n,r]=$(Lo(t,o)),a=w(e);a.current=e;let i=w(n);return v(()=>{t===i.current?.match&&o===i.current?.partial||(i.current=Lo(t,o),r(i.current))},[t,o]),v(()=>{let c=setTimeout(()=>{i.current=n,I("retrieval",Bo(a.current,n),{replace:!0})},Mp);return()=>clearTimeout(c)},[n]),[n,r]}function Bo(e,t){return{...e,match:String(t?.match??""),partial:String(t?.partial??"")}}function Yi({route:e}){let{params:t}=e,o=t.query??"",n=Gt(t.top_k),{collections:r,selected:a,collection:i,isEmpty:l,loading:c,replace:d}=Ei(t.collection),[u,m]=Ji(t),[p,f]=Xi(t),h=Wi({collection:a,query:o,topK:n}),E=w(null),S=X(),{section:O,reveal:R}=ze(h.busy),b=Ip(i,h.found?.answer,p),x=()=>{R();let q={...t,collection:a,query:u.query,top_k:u.topK};q.query===o&&Gt(q.top_k)===n?h.search():I("retrieval",Bo(q,p))},z=q=>{f(void 0),I("retrieval",Bo({...t,collection:q},void 0))},Q=(q,me)=>{d(q),me!=="saved"&&(f(void 0),h.found&&h.search())};ie([{keys:"/",label:"Enter a test query",run:()=>E.current?.querySelector("textarea")?.focus()},{keys:"mod+Enter",label:"Search",run:()=>E.current?.requestSubmit()},{keys:"Escape",label:"Cancel the search",run:h.cancel}]);let $e=s`
    <${Pi} collections=${r} selected=${a} onChoose=${z} />
    ${!l&&s`<${Bi}
        draft=${u}
        busy=${h.busy}
        form=${E}
        onDraft=${m}
        onRun=${x}
        onCancel=${h.cancel}
      />`}
    ${b&&s`<${zi} collection=${a} ...${b} onMove=${f}>
        ${i&&S&&s`<${Li} key=${a} collection=${i} thresholds=${b.thresholds} onChanged=${Q} />`}
      <//>`}
  `;return s`
    <${de} title="Retrieval" controls=${$e} section=${O}>
      <${Vi} isEmpty=${l} hasQuery=${o!==""&&(c||a!=="")} loading=${c} search=${h} evaluation=${b} />
    <//>
  `}function Ip(e,t,o){let n=Ai(e?.metadata??{},t?.thresholds);if(n===void 0)return;let r=o??n,a=(t?.hits??[]).map(i=>i.distance);return{saved:n,thresholds:r,scale:Mi([...a,n.match,n.partial],r)}}function Zi(e,t,o=String){let[n,r]=[e.map(o),t.map(o)],a=0;for(;a<e.length&&a<t.length&&n[a]===r[a];)a+=1;let[i,l]=[e.length,t.length];for(;i>a&&l>a&&n[i-1]===r[l-1];)i-=1,l-=1;let c=Np(n.slice(a,i),r.slice(a,l)),d=[...Array.from({length:a},(u,m)=>[m,m]),...c.map(([u,m])=>[u+a,m+a]),...Array.from({length:e.length-i},(u,m)=>[i+m,l+m])];return Dp(e,t,d)}function Dp(e,t,o){let n=[],[r,a]=[0,0];for(let[i,l]of[...o,[e.length,t.length]]){for(;r<i;r+=1)n.push({change:"removed",a:e[r],b:void 0});for(;a<l;a+=1)n.push({change:"added",a:void 0,b:t[a]});r<e.length&&a<t.length&&n.push({change:"same",a:e[r],b:t[a]}),r+=1,a+=1}return n}function Np(e,t){if(e.length*t.length>4e6)return[];let o=t.length+1,n=new Uint16Array((e.length+1)*o),r=(i,l)=>n[i*o+l]??0;for(let i=e.length-1;i>=0;i-=1)for(let l=t.length-1;l>=0;l-=1)n[i*o+l]=e[i]===t[l]?r(i+1,l+1)+1:Math.max(r(i+1,l),r(i,l+1));let a=[];for(let[i,l]=[0,0];i<e.length&&l<t.length;)e[i]===t[l]?a.push([i++,l++]):r(i+1,l)>=r(i,l+1)?i+=1:l+=1;return a}var Pp=e=>e.trim();function Ho(e,t){let o=[];for(let{change:n,a:r,b:a}of Zi(Qi(e),Qi(t),Pp)){let i=r??a??"",l=o.at(-1);l?.change===n?l.text+=i:o.push({change:n,text:i})}return o}function Qi(e){return e.match(/\s*\S+\s*|\s+/g)??[]}function el(e,t){let o=[],n=[];for(let r of Zi(e,t,({tool:a,params:i})=>`${a} ${sr(i)}`)){r.change==="same"&&(n=[]);let a=r.change==="added"?n.find(i=>i.a?.tool===r.b?.tool):void 0;if(a)Object.assign(a,{change:"changed",b:r.b}),n=n.filter(i=>i!==a);else{let i={...r};o.push(i),r.change==="removed"&&n.push(i)}}return o}function sr(e){return Array.isArray(e)?`[${e.map(sr).join(",")}]`:typeof e!="object"||e===null?JSON.stringify(e)??"":`{${Object.entries(e).sort(([o],[n])=>o<n?-1:1).map(([o,n])=>`${JSON.stringify(o)}:${sr(n)}`).join(",")}}`}var tl=[...Object.keys(Pe),"error"],Lp={chat:"chat API",openai:"chat completions",responses:"responses API",direct:"direct invocation",trial:"test",phase_test:"phase test",tool_test:"tool test"};function ol(e){return nl(e)?.title??L(e)}function lt({outcome:e,error:t}){return e==="error"||t?{title:t?`error: ${L(t.type)}`:"error",tone:"bad",sign:"✕",reason:t?.message??"The chat ended with an error."}:nl(e)??{title:L(e),tone:"warn",sign:"?",reason:""}}function nl(e){return Object.hasOwn(Pe,e)?Pe[e]:void 0}function Fo(e){return Lp[e]??L(e)}function yt({input_tokens:e,output_tokens:t}){return e+t}var qp=new Set(["topic","intent","model"]),Bp=new Set(["user","assistant"]);function zt({content:e}){return e??{}}function Y({attributes:e},t){let o=e?.[t];return o==null?"":String(o)}function sl({attributes:e}){let t=e?.failed_attempts;return Array.isArray(t)?t.filter(o=>typeof o=="object"&&o!==null):[]}function Ye({duration_ms:e,spans:t}){return{timings:{total_ms:e,steps:t.map(Hp)},calls:t.filter(o=>o.kind==="tool").map(Fp)}}function Hp(e){let t=e.usage?e.usage.input_tokens+e.usage.output_tokens:0,o=Y(e,"finish_reason");return{step:e.kind,name:e.name,iteration:e.iteration,start_ms:e.start_ms,duration_ms:e.duration_ms,ok:!e.error,...t>0&&{total_tokens:t},...o&&{finish_reason:o},...e.error&&qp.has(e.kind)&&{error:e.error},...e.kind==="tool"&&{call_id:e.id}}}function Fp(e){let t=e.duration_ms,{arguments:o,result:n}=zt(e),r=e.error?{success:!1,error_type:e.error,error:e.message??al(n),execution_time_ms:t}:{success:!0,result:n,execution_time_ms:t,truncated:Y(e,"truncated")==="true"};return{tool:e.name,params:o??{},result:r,iteration:e.iteration,call_id:e.id}}function al(e){return e==null?"":typeof e=="string"?e:JSON.stringify(e)}function ar({messages:e},t){let o=zt(t).messages;if(Array.isArray(o))return o.flatMap(n=>typeof n=="number"&&n in e?[e[n]]:[])}function il(e){let t=e.spans.find(a=>a.kind==="model"),n=((t&&ar(e,t))??[]).map(a=>({role:ir(a),content:Up(a)})),r=n.findLastIndex(({role:a})=>a==="user");return n.slice(0,Math.max(0,r)).filter(({role:a,content:i})=>Bp.has(a)&&i.trim()!=="")}function ir(e){let{role:t}=lr(e);return typeof t=="string"?t:"message"}function Uo(e){let{parts:t,content:o}=lr(e);return Array.isArray(t)?t.map(rl):o===void 0?[{kind:"other",value:e}]:[rl(o)]}function rl(e){if(typeof e=="string")return{kind:"text",text:e};let t=lr(e),o=String(t.name??"");if("call_id"in t)return{kind:"result",name:o,text:al(t.content),failed:t.is_error===!0};if("arguments"in t)return{kind:"call",name:o,arguments:t.arguments??t.raw};if(typeof t.text!="string")return{kind:"other",value:e};let{type:n="text",text:r}=t;return n==="text"||n==="reasoning"?{kind:n,text:r}:{kind:"attachment",type:String(n),text:r}}function ll({messages:e}){return e.some(t=>Uo(t).some(o=>o.kind==="attachment"))}function Up(e){return Uo(e).flatMap(t=>t.kind==="text"?[t.text]:[]).join("")}function lr(e){return typeof e=="object"&&e!==null?e:{}}var jp={same:{sign:"=",title:"same"},added:{sign:"+",title:"added in B"},removed:{sign:"−",title:"removed in B"},changed:{sign:"≠",title:"changed arguments"}};function ul({a:e,b:t}){let o=V(()=>el(Ye(e).calls,Ye(t).calls),[e,t]);return o.length===0?s`<p>Neither trace has tool calls.</p>`:s`<ol class="trace-changes">
    ${o.map(({change:n,a:r,b:a},i)=>{let{sign:l,title:c}=jp[n];return s`<li key=${i} data-change=${n}>
        <${_} tone=${n==="same"?"plain":"warn"} sign=${l}>${c}<//>
        <div class="trace-pair">
          <${cl} name="A" call=${r} other=${n==="changed"?a:void 0} removed />
          <${cl} name="B" call=${a} other=${n==="changed"?r:void 0} />
        </div>
      </li>`})}
  </ol>`}function cl({name:e,call:t,other:o,removed:n=!1}){if(t===void 0)return s`<div class="trace-side"><small>not in ${e}</small></div>`;let{tone:r,label:a,reason:i}=qe(void 0,t);return s`<div class="trace-side">
    <div class="row">
      <small>${e}</small>
      <strong class="mono">${t.tool}</strong>
      <${_} tone=${r}>${a}<//>
      <small class="number">${C(t.result.execution_time_ms)}</small>
    </div>
    <pre>${o?Vp(t,o,n):Se(t.params)}</pre>
    ${i&&s`<small>${i}</small>`}
  </div>`}function Vp(e,t,o){let[n,r]=o?[e,t]:[t,e],a=o?"added":"removed";return Ho(Se(n.params),Se(r.params)).filter(({change:i})=>i!==a).map(({change:i,text:l})=>i==="same"?l:o?s`<del>${l}</del>`:s`<ins>${l}</ins>`)}function Qe({trace:e}){if(e.has_content)return s`<p class="notice">! The trace has no content of this step.</p>`;let t=s`, or it is${" "}<code>errors</code> and this chat did not fail`;return s`<p class="notice">
    ! This trace was stored without content: <code>traces.content</code> of the configuration was${" "}<code>none</code>
    ${!e.failed&&t}. <code>"content": "all"</code> keeps the messages, arguments and results of later chats.
  </p>`}var Wp=300;function $l({a:e,b:t}){let o=e.message===t.message;return s`
    <div class="row spread">
      <h1>Comparison of two traces</h1>
      <button type="button" onClick=${()=>I(ke(t.id),{with:e.id})}>Swap A and B</button>
    </div>
    <div class="trace-pair">
      <${dl} name="A" trace=${e} />
      <${dl} name="B" trace=${t} />
    </div>
    ${!o&&s`<p class="notice">! The messages of the two traces differ.</p>`}
    <${Kp} a=${e} b=${t} />
    <section class="stack" aria-label="Tool calls">
      <h2>Tool calls</h2>
      <${ul} a=${e} b=${t} />
    </section>
    <section class="stack" aria-label="Answers">
      <h2>Answers</h2>
      <${Jp} a=${e} b=${t} />
    </section>
    <section class="stack" aria-label="Steps">
      <${P} summary="Steps of A"><${pl} trace=${e} /><//>
      <${P} summary="Steps of B"><${pl} trace=${t} /><//>
    </section>
  `}function dl({name:e,trace:t}){let{tone:o,sign:n,title:r,reason:a}=lt(t);return s`
    <section class="trace-side" aria-label=${`Trace ${e}`}>
      <div class="row">
        <strong>${e}</strong>
        <${_} tone=${o} sign=${n}>${r}<//>
        ${t.demo&&s`<${W} />`}
      </div>
      <div class="row">
        <strong class="mono">${t.model??"no model"}</strong>
        ${t.rule&&s`<span>rule ${t.rule}</span>`}
        <small><${j} at=${t.started_at} /></small>
        <${_e} id=${t.id} />
      </div>
      ${a&&s`<small>${a}</small>`}
      ${t.message&&s`<p class="tt-query">${G(t.message,Wp)}</p>`}
    </section>
  `}var Gp=[{name:"Duration",value:e=>e.duration_ms,format:C},{name:"First token",value:e=>e.first_token_ms,format:C},{name:"Model calls",value:e=>e.model_calls,format:y},{name:"Tool calls",value:e=>e.tool_calls,format:y},{name:"Tokens",value:e=>yt(e.usage),format:y},{name:"Input tokens",value:e=>e.usage.input_tokens,format:y},{name:"of them cached",value:e=>e.usage.cached_tokens,format:y},{name:"Output tokens",value:e=>e.usage.output_tokens,format:y},{name:"of them reasoning",value:e=>e.usage.reasoning_tokens,format:y},{name:"Cost",value:e=>e.cost_usd,format:ne}];function Kp({a:e,b:t}){let o=["A","B","Difference"];return s`<div class="trace-numbers"><${Re} label="Numbers" caption="Numbers" columns=${["Measure",...o]} numbers=${o}>
    ${Gp.map(({name:n,value:r,format:a})=>{let[i,l]=[r(e),r(t)];return s`<tr>
        <th scope="row">${n}</th>
        <td class="number">${ml(i,a)}</td>
        <td class="number">${ml(l,a)}</td>
        <td class="number">${zp(i,l,a)}</td>
      </tr>`})}
  <//></div>`}function ml(e,t){return typeof e=="number"?t(e):"–"}function zp(e,t,o){if(typeof e!="number"||typeof t!="number")return"–";if(e===t)return"same";let n=t>e?"+":"−",r=e>0?` (${n}${Math.round(Math.abs(t-e)/e*100)} %)`:"";return`${n}${o(Math.abs(t-e))}${r}`}function Jp({a:e,b:t}){let o=V(()=>Ho(e.answer,t.answer),[e.answer,t.answer]),n=[e,t].find(r=>r.answer.trim()==="");return n&&!n.has_content?s`<${Qe} trace=${n} />`:e.answer===t.answer?s`<p>Both answers are the same.</p>
    <div class="trace-diff">${e.answer}</div>`:s`
    <p><small><del>Struck through</del>: only in A. <ins>Underlined</ins>: only in B.</small></p>
    <div class="trace-diff" tabindex="0" role="region" aria-label="Difference of the answers">
      ${o.map(({change:r,text:a})=>r==="same"?a:r==="removed"?s`<del>${a}</del>`:s`<ins>${a}</ins>`)}
    </div>
    <div class="trace-pair">
      <${fl} name="A" text=${e.answer} />
      <${fl} name="B" text=${t.answer} />
    </div>
  `}function fl({name:e,text:t}){return s`<section class="trace-side" aria-label=${`Answer of ${e}`}>
    <strong>${e} · ${g(t.length,"character")}</strong>
    <div class="trace-diff">${t||"(empty answer)"}</div>
  </section>`}function pl({trace:e}){let[t,o]=$(-1),{timings:n,calls:r}=Ye(e),a=e.spans[t];return s`
    <${Xe} timings=${n} calls=${r} selected=${t} onSelect=${o} />
    ${a&&s`<small>${L(a.kind)} ${a.name}: <${_e} id=${e.id} params=${{step:String(t)}}>open its details<//></small>`}
  `}function hl({id:e}){let t=Z(),[o,n]=$("");return s`<form class="row trace-compare" onSubmit=${a=>{a.preventDefault(),o.trim()!==""&&I(ke(e),{with:o.trim()})}}>
    <label class="hidden" for=${t}>Request id of another trace</label>
    <input
      id=${t}
      type="text"
      placeholder="Request id of another trace"
      spellcheck=${!1}
      autocomplete="off"
      value=${o}
      onInput=${a=>n(a.currentTarget.value)}
    />
    <button type="submit" disabled=${o.trim()===""}>Compare</button>
  </form>`}var Xp={WARNING:"warn",ERROR:"bad",CRITICAL:"bad"};function gl({id:e}){let{data:t,error:o,reload:n}=ae(r=>ce.logs(e,r),[e]);return o?s`<${k} error=${o} onRetry=${n} />`:t?s`
    <div class="row spread">
      <span>${g(t.lines.length,"log line")}</span>
      <button type="button" onClick=${n}>Refresh</button>
    </div>
    ${t.lines.length===0&&s`<p>No log line has this request id. Lines appear some seconds after the request.</p>`}
    <ol class="trace-logs">
      ${t.lines.map((r,a)=>s`<${Yp} key=${a} line=${r} />`)}
    </ol>
  `:s`<${F} lines=${6} label="the log lines" />`}function Yp({line:e}){let t=Xp[e.level]??"plain",o=s`<time class="mono" datetime=${e.at} title=${Ne(e.at)}>${Qp(e.at)}</time>
    ${" "}<${_} tone=${t}>${e.level.toLowerCase()}<//>
    ${" "}<span class="mono">${e.function}</span> ${e.message}`;return Object.keys(e.fields??{}).length===0?s`<li>${o}</li>`:s`<li>
    <${P} summary=${o}><${N} value=${e.fields} label="Fields of the log line" /><//>
  </li>`}function Qp(e){let t=new Date(e);return Number.isNaN(t.getTime())?e:`${t.toLocaleTimeString("en-GB")}.${String(t.getMilliseconds()).padStart(3,"0")}`}function jo({models:e,value:t,onChange:o,label:n,id:r,problem:a=""}){let i=Z(),[l,c]=$(void 0),d=l??(e.error!==void 0&&e.data===void 0),u=X(),m=e.data?.models.filter(f=>u||!f.operator_only)??[],p={id:r??i,value:t,required:!0,"aria-invalid":a?"true":void 0,"aria-describedby":`${i}-about`,onInput:f=>o(f.currentTarget.value.trim())};return s`
    <div class="model-picker stack">
      <div class="field">
        <div class="row spread">
          <label for=${p.id}>${n}</label>
          <button type="button" class="quiet" onClick=${()=>c(!d)}>
            ${d?"Choose from the list":"Enter the model id"}
          </button>
        </div>
        ${d?s`<${t$} ...${p} />`:s`<${o$} ...${p} models=${m} loading=${e.loading} />`}
      </div>
      <div id=${`${i}-about`} class="stack">
        ${a&&s`<p class="problem-text">✕ ${a}</p>`}
        <${r$} model=${m.find(f=>f.id===t)} />
      </div>
      <${Zp} models=${e} />
    </div>
  `}function Zp({models:{data:e,error:t,loading:o,reload:n}}){return o&&e===void 0?s`<${e$} />`:s`
    ${e?.errors.map(({llm:r,error:a})=>s`<p>! <code>${r}</code> did not list its models: ${a}</p>`)}
    ${t&&s`<p>! The models could not be listed: ${t.message}</p>
        <div class="row"><button type="button" onClick=${n}>Reload the models</button></div>`}
  `}function e$(){let[e]=$(()=>performance.now());return s`<${M} label="Loading models" since=${e} />`}function t$(e){return s`<input type="text" placeholder="llm:model" spellcheck=${!1} autocapitalize="off" ...${e} />`}function o$({models:e,loading:t,...o}){let n=Object.entries(Object.groupBy(e,a=>a.llm)),r=o.value!==""&&!e.some(a=>a.id===o.value);return s`<select ...${o}>
    <option value="">Select a model</option>
    ${r&&s`<option value=${o.value}>${o.value}${t?"":" · not listed"}</option>`}
    ${n.map(([a,i])=>s`
        <optgroup label=${a}>
          ${i?.map(l=>s`<option key=${l.id} value=${l.id}>${n$(l)}</option>`)}
        </optgroup>
      `)}
  </select>`}function n$({id:e,demo:t,validation:{badge:o,rate:n}}){return t?`${e} · demo${n?` ${Ee(n)}`:""}`:o?`${e} ${o.symbol} ${n?Ee(n):o.text}`:e}function r$({model:e}){if(e===void 0)return null;let{badge:t,last_tested:o}=e.validation,n=s$(e);return s`
    <p>
      <${ft} validation=${e.validation} demo=${e.demo} />
      ${t&&s` <small>${t.tooltip}</small>`}${o&&s` <small>(<${j} at=${o} />)</small>`}
    </p>
    ${n&&s`<p class="notice">! ${n}</p>`}
  `}function s$({capabilities:e,validation:t,demo:o}){return o?"":e.includes("function-calling")?t.validated?"":`This model ${t.tested?"did not pass validation":"has not been tested with tools"}: check its results before you rely on it.`:"The provider does not list tool calling for this model: it may answer without tools."}var a$=200;function bl(e,{how:t,model:o,rule:n,keep:r},a){let i=e.message??"",l=il(e).slice(-a$);if(t==="rules"){let d=r&&e.intent?{profile:{intent:e.intent}}:{},u=r&&e.topic?{topic:e.topic}:{};return{route:"chat",body:{message:i,...l.length>0&&{history:l},...u,...d}}}let c=t==="rule"?`flexchat/${n}`:o;return t==="model"&&!a.includes(c)?{route:"test",body:{query:i,model:c}}:{route:"complete",body:{model:c,messages:[...l,{role:"user",content:i}]}}}function _l(e){return e.flatMap(t=>t.startsWith("flexchat/")?[t.slice(9)]:[])}function yl({how:e,model:t,rule:o}){return e==="model"&&t===""?"Select a model.":e==="rule"&&o===""?"Select a rule.":""}function vl({trace:e}){let[t,o]=$(!1),n=(e.message??"")!=="";return s`
    <button type="button" disabled=${!n} title=${n?void 0:"The trace has no message: it was stored without content"} onClick=${()=>o(!0)}>Run again</button>
    <${Ie} title="Run the message again" open=${t} onClose=${()=>o(!1)}>
      <${i$} trace=${e} />
    <//>
  `}function i$({trace:e}){let t=X(),o=ae(u=>ce.offered(u)),n=B(),[r,a]=$({how:t?"model":"rules",model:"",rule:"",keep:!0}),i=u=>a(m=>({...m,...u})),l=o.data?.data.map(({id:u})=>u)??[],c=yl(r);return s`
    <form class="stack" noValidate onSubmit=${u=>{u.preventDefault(),!(n.busy||c!=="")&&n.run(async m=>{let p=await f$(bl(e,r,l),m);I(ke(e.id),{with:p})})}}>
      <fieldset class="trace-choices">
        <legend class="hidden">How to run it</legend>
        ${t&&s`<${cr} how="model" choice=${r} onChange=${i}>With another model<//>`}
        <${cr} how="rule" choice=${r} onChange=${i}>By one response rule<//>
        <${cr} how="rules" choice=${r} onChange=${i}>By the response rules of the active configuration<//>
      </fieldset>
      ${r.how==="model"&&s`<${c$} offered=${l} choice=${r} onChange=${i} />`}
      ${r.how==="rule"&&s`<${d$} rules=${_l(l)} loading=${o.loading} choice=${r} onChange=${i} />`}
      ${r.how==="rules"&&s`<${m$} trace=${e} choice=${r} onChange=${i} />`}
      ${n.error&&s`<${k} error=${n.error} traced />`}
      <${l$} task=${n} problem=${c} />
      <small>
        The tools run again, with their effects. Afterwards both traces are compared.
        ${ll(e)&&" Pictures and files of the conversation are not sent: a trace has only their names."}
      </small>
    </form>
  `}function cr({how:e,choice:t,onChange:o,children:n}){return s`<label class="check">
    <input type="radio" name="trace-how" checked=${t.how===e} onChange=${()=>o({how:e})} />
    ${n}
  </label>`}function l$({task:e,problem:t}){return s`<div class="row">
    <button type="submit" class="primary" disabled=${e.busy||t!==""}>Run</button>
    ${e.busy&&s`<button type="button" onClick=${e.cancel}>Cancel</button>`}
    ${e.busy&&s`<${M} label="Waiting for the answer" since=${e.since} />`}
    ${!e.busy&&t&&s`<small>${t}</small>`}
  </div>`}function c$({offered:e,choice:{model:t},onChange:o}){let n=De();return s`
    <${jo} models=${n} value=${t} label="Model" onChange=${r=>o({model:r})} />
    ${t!==""&&!e.includes(t)&&s`<${u$} />`}
  `}function u$(){return s`<small>
    As in the Test view: with all tools, without the conversation before the message. To use the rule's prompt and tools,
    name the model in <code>openai_api.models</code> of the configuration.
  </small>`}function d$({rules:e,loading:t,choice:o,onChange:n}){let r=Z();return!t&&e.length===0?s`<p class="notice">! No rule is offered. Name the rules in <code>openai_api.rules</code> of the configuration.</p>`:s`<div class="field">
    <label for=${r}>Rule</label>
    <select id=${r} value=${o.rule} onChange=${a=>n({rule:a.currentTarget.value})}>
      <option value="">${t?"Loading the rules":"Select a rule"}</option>
      ${e.map(a=>s`<option value=${a}>${a}</option>`)}
    </select>
  </label>`}function m$({trace:{topic:e,intent:t},choice:o,onChange:n}){let r=[e&&`topic ${e}`,t&&`intent ${t}`].filter(Boolean).join(", ");return r?s`<label class="check">
    <input type="checkbox" checked=${o.keep} onChange=${()=>n({keep:!o.keep})} />
    Send the result of the phases again: ${r}
  </label>`:null}async function f$({route:e,body:t},o){if(e==="chat")return(await ce.chat(t,o)).request_id;if(e==="test")return(await T.testTools(t,o)).request_id;let n=t,r=(await ce.complete(n,o)).flexchat?.request_id;if(!r)throw new U("failed","The answer has no request id. Find its trace in the list of traces.");return r}function kl(e,t,o){let n=new Map(e.tools.map(r=>[r.name,r]));for(let r of o){let a=n.get(r.name);n.set(r.name,a?p$(a,Sl(r)):r)}return{...e,tools:[...n.values()],cases:[...e.cases,t]}}function p$(e,t){let o=Sl(e),n=new Set(o.map(wl)),r=t.filter(i=>!n.has(wl(i)));if(r.length===0)return e;let a=[...o,...r].sort((i,l)=>Tl(l)-Tl(i));return{...e,implementation:{...e.implementation,answers:a}}}function Sl({implementation:e}){let t=e.answers;return Array.isArray(t)?t:[]}function xl(e){return e===null||typeof e!="object"||Array.isArray(e)?[]:Object.entries(e.when??{}).sort(([t],[o])=>t<o?-1:1)}function wl(e){return JSON.stringify(xl(e))}function Tl(e){return xl(e).length}async function Vo(e,{added:t,mocks:o},n){let r=kl(await $$(e,n),t,o);await T.putSuite(e,r)}async function $$(e,t){try{return await T.suite(e,t)}catch(o){if(!(o instanceof U)||o.status!==404)throw o;return{name:e,description:"Cases saved from chats and tool tests.",tools:[],cases:[]}}}var h$=["single","choice","parallel","parallel_choice","irrelevance","multi_turn","error_recovery","types","clarification"],g$="my-cases",b$=String.raw`[a-z0-9][a-z0-9_.\-]{0,63}`,_$=String.raw`[a-zA-Z0-9][a-zA-Z0-9_.\-]{0,127}`;function Wo({draft:e,task:t,onChange:o,onSave:n}){let r=Z(),i=ae(T.suites).data?.suites.filter(u=>!u.built_in)??[],l=y$(e.expect),c=u=>({id:`${r}-${u}`,"aria-describedby":`${r}-${u}-hint`,value:e[u],onInput:m=>o({...e,[u]:m.currentTarget.value})});return s`
    <form class="stack" onSubmit=${u=>{u.preventDefault(),l===""&&!t.busy&&n(e)}}>
      <${Jt} id=${`${r}-suite`} label="Suite" hint="One of your suites or a new name. Built-in suites are read-only.">
        <input type="text" list=${`${r}-suites`} required pattern=${b$} title="lower-case letters, digits, _ . -" placeholder=${i[0]?.name??g$} ...${c("suite")} />
        <datalist id=${`${r}-suites`}>
          ${i.map(({name:u,cases:m})=>s`<option value=${u}>${g(m,"case")}</option>`)}
        </datalist>
      <//>
      <${Jt} id=${`${r}-id`} label="Case" hint="Unique id in the suite.">
        <input type="text" required pattern=${_$} title="letters, digits, _ . -" ...${c("id")} />
      <//>
      <${Jt} id=${`${r}-category`} label="Category" hint="Ability that the case tests.">
        <select ...${c("category")}>
          ${h$.map(u=>s`<option value=${u}>${L(u)}</option>`)}
        </select>
      <//>
      <${Jt} id=${`${r}-offer`} label="Offered tools" hint="Saved as mocks that return the results of this test.">
        <select ...${c("offer")}>
          <option value="all">all tools of this test</option>
          <option value="called">called tools only</option>
        </select>
      <//>
      <${Jt} id=${`${r}-expect`} label="Expected calls" invalid=${l!==""} hint=${l?`✕ ${l}`:"JSON, from the calls of this test."}>
        <textarea class="mono tt-expect" spellcheck=${!1} aria-invalid=${l?"true":void 0} ...${c("expect")}></textarea>
      <//>
      ${t.error&&s`<${k} error=${t.error} />`}
      <div class="row">
        <button type="submit" class="primary" disabled=${t.busy||l!==""}>Save</button>
        ${t.busy&&s`<${M} label="Saving the case" since=${t.since} />`}
      </div>
    </form>
  `}function Jt({id:e,label:t,hint:o,invalid:n=!1,children:r}){return s`<div class="field">
    <label for=${e}>${t}</label>
    ${r}
    <small id=${`${e}-hint`} class=${n?"problem-text":""}>${o}</small>
  </div>`}function y$(e){try{return te(e),""}catch(t){return`Not valid JSON: ${t instanceof Error?t.message:String(t)}`}}function Cl({trace:e}){let[t,o]=$(!1),[n,r]=$(void 0),[a,i]=$(void 0),[l,c]=$(""),d=B(),u=B(),m=()=>d.run(async h=>{let E=await ce.case(e.id,h);r(E),i(v$(E))}),p=()=>{c(""),o(!0),n||m()},f=h=>u.run(async E=>{n&&(await Vo(h.suite,w$(h,n,e.tools),E),c(`saved as ${h.id} in ${h.suite} ✓`),o(!1))});return s`
    <button type="button" disabled=${!e.has_content} title=${e.has_content?void 0:"The trace has no content"} onClick=${p}>Save as case</button>
    <span role="status">${l}</span>
    <${Ie} title="Save as validation case" open=${t} onClose=${()=>o(!1)}>
      ${d.busy&&s`<${M} label="Making the case" since=${d.since} />`}
      ${d.error&&s`<${k} error=${d.error} onRetry=${m} />`}
      ${a&&s`<${Wo} draft=${a} task=${u} onChange=${i} onSave=${f} />`}
    <//>
  `}function v$({cases:[e]}){return e&&{suite:"",id:e.id,category:e.category,offer:"all",expect:JSON.stringify(e.expect,null,2)}}function w$(e,{tools:t,cases:[o]},n){let r=e.offer==="all"?t:t.filter(({name:i})=>n.includes(i));return{added:{...o,id:e.id,category:e.category,tools:r.map(({name:i})=>i),expect:te(e.expect)},mocks:r}}function ur({facts:e}){return s`<dl class="wf-facts">
    ${e.filter(([,t])=>t!=null&&t!==""&&t!==!1).map(([t,o])=>s`
        <dt>${t}</dt>
        <dd>${o}</dd>
      `)}
  </dl>`}function El(e,t){let o=n=>n>0?t(n):"";return[["Input tokens",t(e.input_tokens)],["of them cached",o(e.cached_tokens)],["of them written to the cache",o(e.cache_write_tokens)],["Output tokens",t(e.output_tokens)],["of them reasoning",o(e.reasoning_tokens)]]}function Rl({messages:e}){return s`
    <p><small>${g(e.length,"message")}, in the order that the model got them.</small></p>
    <ol class="trace-messages">
      ${e.map((t,o)=>s`<${dr} key=${o} message=${t} />`)}
    </ol>
  `}function dr({message:e}){let t=ir(e),o=Uo(e);return s`
    <li data-role=${t}>
      <strong>${t}</strong>
      ${o.length===0&&s`<small>${t==="system"?"No text. System messages are shown to operators.":"No text."}</small>`}
      ${o.map((n,r)=>s`<${T$} key=${r} part=${n} role=${t} />`)}
    </li>
  `}function T$({part:e,role:t}){switch(e.kind){case"call":return s`<p>calls <code>${e.name}</code></p>
        <${N} value=${e.arguments} label=${`Arguments of ${e.name}`} />`;case"result":return s`<p>
          result of <code>${e.name}</code>${e.failed&&s` <${_} tone="bad">failed<//>`}
        </p>
        <${N} value=${e.text} label=${`Result of ${e.name}`} />`;case"attachment":return s`<p>${e.type}: <code>${e.text}</code></p>`;case"reasoning":return s`<p>reasoning</p>
        <${N} value=${e.text} label="Reasoning" />`;case"other":return s`<${N} value=${Se(e.value)} label=${`Part of the message of ${t}`} />`;default:return s`<${N} value=${e.text} label=${`Message of ${t}`} />`}}function Al({trace:e,rows:t,onSelect:o}){if(e.failures.length===0)return"";let n=e.failures.map(i=>e.spans.findIndex(l=>l.id===i.span_id)),a=n.every(i=>e.spans[i]?.kind==="tool"&&e.spans[i]?.error)?"Failed tool calls":"Why it failed";return s`
    <section class="problem" aria-label=${a}>
      <h2>${a}</h2>
      ${e.failures.map((i,l)=>{let c=n[l]??-1,d=t.find(u=>u.index===c);return s`
          <div class="stack trace-failure">
            <h3>
              <span aria-hidden="true">✕</span> ${i.title} <small>${k$(i)}</small>
            </h3>
            ${i.message&&s`<p>${i.message}</p>`}
            ${d&&s`<p>${e.spans[c]?.error?"Failed in":"Last step:"} <${S$} trace=${e} row=${d} onSelect=${o} />.</p>`}
            ${e.spans.length===0&&s`<p>Failed before the first step.</p>`}
            <p><strong>What to do:</strong> <${x$} text=${i.advice} /></p>
          </div>
        `})}
    </section>
  `}function Go({title:e,message:t}){return t?`${e}: ${t}`:e}function k$({code:e,status:t}){return typeof t=="number"?`${L(e)}, HTTP ${t}`:L(e)}function S$({trace:e,row:t,onSelect:o}){let n=l=>{l.metaKey||l.ctrlKey||l.shiftKey||l.button!==0||(l.preventDefault(),o(t.index),ua(t.index))},{step:r}=t,a=r?.step==="tool"&&r.iteration>0?`, iteration ${r.iteration}`:"",i={...ve().params,step:String(t.index)};return s`<a href=${Me(ke(e.id),i)} onClick=${n}
    >${t.name}${t.detail&&` (${t.detail})`}${a}</a
  >`}function x$({text:e}){return e.split("`").map((t,o)=>o%2===1?s`<code>${t}</code>`:t)}var C$=128,E$=new Set(["finish_reason","provider","provider_request_id","response_id","http_status","retries","failed_attempts","fallback_of","fallback_reason","streamed","tools","tool_choice","temperature","max_tokens"]),R$=new Set(["function_ms","type","http_status","retries","server","truncated","call_id"]);function Ml({trace:e,span:t,status:o,tab:n,onTab:r}){let a=G(t.name,C$),i=t.kind==="tool"?M$(e,t):O$(e,t),l=e.failures.find(u=>u.span_id===t.id),c=l?Go(l):A$(t),d=i.some(u=>u.name===n)?n:i[0]?.name??"";return s`
    <section class="wf-details" aria-label=${`Details of ${a}`}>
      <div class="row">
        <h3 class="mono">${a}</h3>
        <small>${L(t.kind)}</small>
        <${_} tone=${o.tone}>${o.label}<//>
      </div>
      ${c&&s`<p class="problem-text">✕ ${c}</p>`}
      <${Je} label=${`Details of ${a}`} tabs=${i} chosen=${d} onChoose=${r} />
    </section>
  `}function A$({error:e,message:t}){return e?t?`${L(e)}: ${t}`:L(e):""}function O$(e,t){let o=ar(e,t),{answer:n}=zt(t),r={name:"Facts",content:()=>s`<${ur} facts=${I$(t)} />`},a={name:"Raw",content:()=>s`<${N} key=${t.id} value=${t} label="Raw span" />`};return t.kind==="search"?[r,a]:[{name:"Messages",content:()=>o?s`<${Rl} key=${t.id} messages=${o} />`:s`<${Qe} trace=${e} />`},{name:"Answer",content:()=>n===void 0?s`<${Qe} trace=${e} />`:s`<ol class="trace-messages"><${dr} key=${t.id} message=${n} /></ol>`},r,a]}function M$(e,t){let{arguments:o,result:n}=zt(t),r=(a,i)=>a===void 0?s`<${Qe} trace=${e} />`:s`<${N} key=${t.id} value=${a} label=${i} />`;return[{name:"Arguments",content:()=>r(o,"Arguments")},{name:t.error?"Error":"Result",content:()=>r(n??t.message??void 0,t.error?"Error":"Result")},{name:"Facts",content:()=>s`<${ur} facts=${P$(t)} />`},{name:"Raw",content:()=>s`<${N} key=${t.id} value=${t} label="Raw span" />`}]}function Il(e){return[["Iteration",e.iteration===0?"before iteration 1":String(e.iteration)],["Started after",C(e.start_ms)],["Duration",C(e.duration_ms)],["Ended after",C(e.start_ms+e.duration_ms)]]}function I$(e){let t=Y(e,"fallback_of"),o=sl(e);return[...Il(e),...e.usage?El(e.usage,y):[],["Cost",N$(e)],["Finish reason",L(Y(e,"finish_reason"))],["Provider",Y(e,"provider")],["HTTP status",Y(e,"http_status")],["Request id of the provider",Ol(Y(e,"provider_request_id"))],["Response id of the provider",Ol(Y(e,"response_id"))],["Retries",Y(e,"retries")],["Failed attempts",o.length>0&&s`<ol class="trace-attempts">
          ${o.map((n,r)=>s`<li key=${r}>${D$(n)}</li>`)}
        </ol>`],["Replaces",t&&`${t} (${L(Y(e,"fallback_reason"))})`],["Streamed",Y(e,"streamed")&&L$(Y(e,"streamed"))],["Offered tools",Y(e,"tools")],["Tool choice",Y(e,"tool_choice")],["Temperature",Y(e,"temperature")],["Token limit",Y(e,"max_tokens")],...Dl(e,E$)]}function Ol(e){return e&&s`<code>${e}</code> <${oe} text=${e} label="Copy" />`}function D$({error:e,status:t,duration_ms:o,wait_ms:n,request_id:r,message:a}){return`${[L(e),t!==void 0&&`HTTP ${t}`,o!==void 0&&`after ${C(o)}`,n!==void 0&&`repeated ${C(n)} later`,r!==void 0&&`request ${r}`].filter(Boolean).join(", ")}${a?`: ${a}`:""}`}function N$(e){return typeof e.cost_usd=="number"?ne(e.cost_usd):e.usage?"no price is configured for this model":""}function P$(e){let t=Number(Y(e,"function_ms")),o=Y(e,"function_ms")!==""&&!Number.isNaN(t);return[...Il(e),["In the tool's function",o&&C(t)],["Outside of it",o&&C(Math.max(0,e.duration_ms-t))],["Type",Y(e,"type")],["HTTP status",Y(e,"http_status")],["Retries",Y(e,"retries")],["MCP server",Y(e,"server")],["Result",Y(e,"truncated")==="true"&&"truncated"],["Call",Y(e,"call_id")],...Dl(e,R$)]}function Dl(e,t){return Object.keys(e.attributes??{}).filter(o=>!t.has(o)).map(o=>[L(o),Y(e,o)])}function L$(e){return e==="true"?"yes":"no"}var q$=300;function B$(e){let{tone:t,title:o}=lt(e),n=e.spans.filter(r=>r.kind==="tool"&&r.error).length;return[`${o} ${t==="good"?"in":"after"} ${C(e.duration_ms)}`,g(e.model_calls,"model call"),g(e.tool_calls,"tool call")+(n>0?`, ${y(n)} failed`:""),g(yt(e.usage),"token"),typeof e.cost_usd=="number"?ne(e.cost_usd):"no price"].join(" · ")}function Nl({trace:e,operator:t}){let{tone:o,sign:n,reason:r}=lt(e);return s`
    <div class="stack">
      <h1 class="tt-status">
        <${_} tone=${o} sign=${n}>${B$(e)}<//>
        ${e.demo&&s` <${W} />`}
      </h1>
      ${e.message&&s`<p class="tt-query">${G(e.message,q$)}</p>`}
      ${r&&e.failures.length===0&&s`<p class="notice">! ${r}${e.error?.status?` (HTTP ${e.error.status})`:""}</p>`}
      ${e.warnings.map(a=>s`<p class="notice">! ${a}</p>`)}
      ${e.limits.length>0&&s`<p class="notice">! Limits: ${e.limits.map(L).join(", ")}.</p>`}
      <div class="row tt-facts">
        <span>Request: <code>${e.id}</code> <${oe} text=${e.id} label="Copy request id" /></span>
        <span>Started: <strong><${j} at=${e.started_at} /></strong></span>
        ${H$(e,t).map(([a,i])=>i&&s`<span>${a}: <strong>${i}</strong></span>`)}
        ${e.session_id&&s`<${F$} trace=${e} id=${e.session_id} />`}
        <span>OpenTelemetry trace: <code>${e.trace_id}</code></span>
        <span>Kept until: <strong>${Ne(e.expires_at)}</strong></span>
        ${!e.has_content&&s`<${ee}>without content<//>`}
      </div>
    </div>
  `}function H$(e,t){return[["First token",typeof e.first_token_ms=="number"?C(e.first_token_ms):""],["Model",e.model],["In place of",e.fallback_of],["Rule",e.rule],["Topic",e.topic],["Intent",e.intent],["Front end",`${Fo(e.front_end)}${e.streamed?", streamed":""}`],["Caller",t?e.caller:""],["Configuration",e.configuration]]}function F$({trace:e,id:t}){let o=n=>r=>{r.metaKey||r.ctrlKey||r.shiftKey||r.button!==0||(r.preventDefault(),I(n,{session:t}))};return s`<span>
    Session: <a href=${Me("chat",{session:t})} onClick=${o("chat")}>${t}</a>
    ${typeof e.turn=="number"&&`, turn ${e.turn}`}
    ${" · "}<a href=${Me("traces",{session:t})} onClick=${o("traces")}>its traces</a>
  </span>`}function Pl({trace:e,onReload:t}){let o=X(),{timings:n,calls:r}=Ye(e),a=Le(n,r),i=l=>I(ke(e.id),{step:String(l)},{replace:!0});return s`
    <${Nl} trace=${e} operator=${o} />
    <${Al} trace=${e} rows=${a} onSelect=${i} />
    <div class="row">
      <${vl} trace=${e} />
      ${o&&s`<${Cl} trace=${e} />`}
      <button type="button" onClick=${t}>Refresh</button>
      <${hl} id=${e.id} />
    </div>
    <${U$} trace=${e} rows=${a} onSelect=${i} />
    <section class="stack" aria-label="Answer">
      <h2>Answer</h2>
      <${W$} trace=${e} />
      <${G$} trace=${e} />
    </section>
    <section class="stack" aria-label="Data">
      ${e.offered_tools.length>0&&s`<${P} summary=${`Offered tools (${e.offered_tools.length})`}><${N} value=${e.offered_tools} label="Offered tools" /><//>`}
      ${o&&s`<${P} summary="Log lines"><${gl} id=${e.id} /><//>`}
      <${P} summary="Raw trace"><${N} value=${e} label="Raw trace" /><//>
    </section>
  `}function U$({trace:e,rows:t,onSelect:o}){let[n,r]=$(""),{timings:a,calls:i}=Ye(e),l=ve().params.step,c=l===void 0?V$(e):Number(l),d=e.spans[c],u=t.find(({index:m})=>m===c);return e.spans.length===0?s`<p class="notice">! The chat ended before its first step.</p>`:s`
    <section class="stack" aria-label="Steps">
      <h2>${g(e.spans.length,"step")}</h2>
      <div class="trace-steps">
        <${Xe} timings=${a} calls=${i} selected=${c} onSelect=${o} failures=${j$(e)} />
        ${d&&u&&s`<${Ml} trace=${e} span=${d} status=${u.status} tab=${n} onTab=${r} />`}
      </div>
    </section>
  `}function j$({spans:e,failures:t}){let o=t.map(n=>[e.findIndex(r=>r.id===n.span_id),Go(n)]);return new Map(o.reverse())}function V$({spans:e,failures:t}){let o=e.findIndex(n=>n.id===t[0]?.span_id);return o>=0?o:Math.max(0,e.findIndex(n=>n.error))}function W$({trace:e}){return e.answer.trim()!==""?s`<div class="trace-answer"><${$t} text=${e.answer} /></div>`:e.has_content?s`<p>The answer is empty.</p>`:s`<${Qe} trace=${e} />`}function G$({trace:{id:e,caller:t,feedback:o}}){let n=ys(),r=n!==void 0&&n===t;return s`
    ${r&&s`<${xo} id=${e} given=${o.find(({by:a})=>a===n)} />`}
    ${o.filter(({by:a})=>!r||a!==n).map(({rating:a,comment:i,by:l,created_at:c})=>s`
          <p>
            <${So} rating=${a} />
            ${i&&` “${i}”`} <small>by ${l}, <${j} at=${c} /></small>
          </p>
        `)}
    ${!r&&o.length===0&&s`<p><small>Not rated. Only the caller of the chat can rate its answer.</small></p>`}
  `}var K$=[500,1e3,2e3,4e3];function Ko(e){return ae(t=>z$(e,t),[e])}async function z$(e,t){for(let o of K$){try{return await ce.trace(e,t)}catch(n){if(!(n instanceof U)||n.status!==404||t.aborted)throw n}await new Promise(n=>{setTimeout(n,o)})}return ce.trace(e,t)}function Ll({route:{id:e,params:t}}){let o=t.with??"";return s`<div class="trace-page">
    ${o?s`<${X$} key=${`${e} ${o}`} id=${e} other=${o} />`:s`<${J$} key=${e} id=${e} />`}
  </div>`}function J$({id:e}){let t=Ko(e);return t.data?s`<${Pl} trace=${t.data} onReload=${t.reload} />`:s`<h1 class="hidden">Trace</h1>
    <${mr} loaded=${t} id=${e} />`}function X$({id:e,other:t}){let[o,n]=[Ko(e),Ko(t)];return o.data&&n.data?s`<${$l} a=${o.data} b=${n.data} />`:s`<h1>Comparison of two traces</h1>
    ${o.data===void 0&&s`<${mr} loaded=${o} id=${e} />`}
    ${n.data===void 0&&s`<${mr} loaded=${n} id=${t} />`}`}function mr({loaded:{error:e,loading:t,reload:o},id:n}){let[r]=$(()=>performance.now());return t||!e?s`<p><${M} label="Waiting for the trace, which is stored some seconds after the chat" since=${r} /></p>
      <${F} lines=${10} label="the trace" />`:e.status!==404?s`<${k} error=${e} onRetry=${o} />`:s`<${ue} title="There is no such trace">
    <p>
      <code>${n}</code> has no trace that this token may read. It may not be stored yet, its days
      (<code>traces.days</code>) may have passed, <code>traces.sample</code> of the configuration may have left it out, or
      it belongs to another caller.
    </p>
    <div class="row">
      <button type="button" onClick=${o}>Try again</button>
      <button type="button" onClick=${()=>I("traces")}>Show all traces</button>
    </div>
  <//>`}function ql(e){return Bl(e,0)}function Bl(e,t){let o=new Set(Array.isArray(e.required)?e.required:[]),n=Object.entries(fr(e.properties)).map(([r,a])=>({name:r,schema:fr(a)}));return Object.fromEntries(n.filter(({name:r,schema:a})=>o.has(r)||Fl(a)!==void 0).map(({name:r,schema:a})=>[r,Hl(a,t+1)]))}function Hl(e,t){let o=Fl(e);if(o!==void 0)return o;let n=Ul(e.enum);if(n!==void 0)return n;if("const"in e)return e.const;let r=e.type;switch(Array.isArray(r)?r[0]:r){case"integer":case"number":return typeof e.minimum=="number"?e.minimum:1;case"boolean":return!0;case"array":return t<5?[Hl(fr(e.items),t+1)]:[];case"object":return t<5?Bl(e,t):{};case"null":return null;default:return"text"}}function Fl(e){return Ul(e.examples)??e.example??e.default}function Ul(e){return Array.isArray(e)?e[0]:void 0}function fr(e){return typeof e=="object"&&e!==null&&!Array.isArray(e)?e:{}}var Xt="tt-tool",ct="tt-arguments";function pr(e){return e===void 0?"":JSON.stringify(ql(e.parameters),null,2)}function jl(e){try{let t=te(e);return typeof t=="object"&&t!==null&&!Array.isArray(t)?"":"The arguments are not a JSON object"}catch(t){return`Not valid JSON: ${t instanceof Error?t.message:String(t)}`}}function Vl({tools:e,draft:t,problem:o,busy:n,onTool:r,onText:a,onCall:i,onCancel:l}){if(e.error)return s`<${k} error=${e.error} onRetry=${e.reload} />`;if(!e.data)return s`<${F} lines=${4} label="the tools" />`;let c=e.data.tools.find(({name:u})=>u===t.tool);return s`
    <form class="stack" noValidate onSubmit=${u=>{u.preventDefault(),i()}}>
      <div class="field">
        <label for=${Xt}>Tool</label>
        <select id=${Xt} value=${c?.name??""} onChange=${u=>r(u.currentTarget.value)}>
          <option value="">Select a tool</option>
          ${e.data.tools.map(({name:u})=>s`<option value=${u}>${u}</option>`)}
        </select>
      </div>
      ${c&&s`<p>${c.description}</p>`}
      <div class="field">
        <label for=${ct}>Arguments</label>
        <textarea
          id=${ct}
          class="mono tt-expect"
          spellcheck=${!1}
          value=${t.text}
          aria-invalid=${o?"true":void 0}
          aria-describedby=${`${ct}-hint`}
          onInput=${u=>a(u.currentTarget.value)}
        ></textarea>
        <small id=${`${ct}-hint`} class=${o?"problem-text":""}>${o?`✕ ${o}`:"A JSON object."}</small>
      </div>
      <div class="row">
        <button type="submit" class="primary" disabled=${n}>Call tool</button>
        <button type="button" disabled=${!n} onClick=${l}>Cancel</button>
        <button type="button" disabled=${c===void 0} onClick=${()=>a(pr(c))}>Insert example</button>
      </div>
      <small>The call has the effects of the tool. ${be("mod+Enter")} calls, ${be("Escape")} cancels.</small>
      ${c&&s`<${P} key=${c.name} summary="Parameters"><${N} value=${c.parameters} label=${`Parameters of ${c.name}`} /><//>`}
    </form>
  `}function zo(e,t){return[`curl -sS -X POST ${Wl(e)}`,'-H "Authorization: Bearer $FLEXCHAT_TOKEN"',"-H 'Content-Type: application/json'",`--data-raw ${Wl(JSON.stringify(t))}`].join(` \\
  `)}function Wl(e){return`'${e.replaceAll("'",String.raw`'\''`)}'`}var Gl=200;function $r({result:e}){let t=C(e.execution_time_ms);return"error"in e?`failed after ${t}: ${L(e.error_type)}`:`succeeded in ${t}`}var Jo=e=>e!=null;function Y$({status:e,error:t,response_body:o}){return e==null?!t&&Jo(o)?{tone:"good",label:"answered"}:{tone:"bad",label:t??"no response"}:e>=400?{tone:"bad",label:`HTTP ${e}`}:{tone:e>=300?"warn":"good",label:`HTTP ${e}`}}function Kl(e,t,o){let n=[...e?[e]:[],...Object.entries(t).map(([r,a])=>`${r}: ${a}`)];return o?`${n.join(`
`)}

${o}`:n.join(`
`)}function zl({outcome:e}){let{result:t,inspection:o}=e,n={tool:e.tool,arguments:e.arguments};return s`
    <div class="stack">
      <p class="tt-status"><${_} tone=${t.success?"good":"bad"}>${$r(e)}<//></p>
      <div class="row tt-facts">
        <span>Tool: <strong class="mono">${e.tool}</strong> <${ee}>${e.type}<//></span>
        <span>With all checks: <strong>${C(e.total_ms)}</strong></span>
        <span>Request: <code>${e.request_id}</code> <${oe} text=${e.request_id} label="Copy request id" /></span>
      </div>
    </div>
    ${o&&s`<${Q$} inspection=${o} total=${t.execution_time_ms} />`}
    ${o&&Object.keys(o.notes??{}).length>0&&s`<section class="stack" aria-label="Shaping"><h2>Shaping</h2><${N} value=${o.notes} label="Shaping" /></section>`}
    <section class="stack" aria-label="Result of the call">
      <h2>${"error"in t?"Error":"Result"}</h2>
      ${"truncated"in t&&t.truncated&&s`<p class="notice">! The result was truncated.</p>`}
      ${"error"in t?s`<${N} value=${t.error} label="Error" />`:s`<${N} value=${t.result} label="Result" />`}
      ${"validation_errors"in t&&t.validation_errors&&s`<ul>${t.validation_errors.map(r=>s`<li>${r}</li>`)}</ul>`}
      <div class="row">
        <${oe} text=${()=>zo(new URL("api/tools/call",Oe).href,n)} label="Copy as curl" />
      </div>
    </section>
    <section class="stack" aria-label="Details of the call">
      <${P} summary="Arguments with defaults"><${N} value=${e.arguments} label="Arguments with defaults" /><//>
      <${P} summary=${`Text for a model (${g(e.content.length,"character")})`}>
        <${N} value=${e.content} label="Text for a model" />
      <//>
    </section>
  `}function Q$({inspection:e,total:t}){let o=e.exchanges??[];return o.length===0?s`<p>The tool sent no request.</p>`:s`
    <section class="stack" aria-label="Requests of the tool">
      <h2>Requests (${y(o.length)})</h2>
      <ol class="tt-calls">
        ${o.map((n,r)=>s`<${Z$} key=${r} exchange=${n} total=${t} open=${r===0} />`)}
      </ol>
      ${(e.omitted??0)>0&&s`<p class="notice">! ${g(e.omitted??0,"more request")} not shown.</p>`}
    </section>
  `}function Z$({exchange:e,total:t,open:o}){let{tone:n,label:r}=Y$(e),a=Math.max(1,t,e.start_ms+e.duration_ms),i={left:`${100*e.start_ms/a}%`,width:`${Math.max(1,100*e.duration_ms/a)}%`},l=e.purpose&&e.purpose!=="request"?e.purpose:"",c=(e.attempt??1)>1?`attempt ${e.attempt}`:"",d=s`<code>${e.method} ${G(e.url,Gl)}</code>
    ${l&&s` <${ee}>${l}<//>`}${c&&s` <${ee}>${c}<//>`}
    <${_} tone=${n}>${r}<//>`;return s`
    <li>
      <${P} summary=${d} open=${o}>
        <${Je} label=${`Details of ${e.method} ${G(e.url,Gl)}`} tabs=${eh(e)} />
      <//>
      <div class="interval" aria-hidden="true"><span style=${i}></span></div>
      <small class="number">Started after ${C(e.start_ms)} | Duration: ${C(e.duration_ms)} | ${Ke(e.response_bytes??0)}</small>
    </li>
  `}function eh(e){let t=Kl(`${e.method} ${e.url}`,e.request_headers,e.request_body),o={name:"Request",content:()=>s`<${N} key="request" value=${t} label="Request" />`};if(!Jo(e.status)&&!Jo(e.response_body))return[o];let n=Kl(Jo(e.status)?`HTTP ${e.status}`:"",e.response_headers??{},e.response_body);return[{name:"Response",content:()=>s`<${N} key="response" value=${n} label="Response" />`},o]}var th=[{mode:"model",title:"Test a model"},{mode:"call",title:"Call a tool"}];function Xo({mode:e}){return X()?s`
    <div class="row" role="group" aria-label="Kind of test">
      ${th.map(t=>s`
          <button type="button" aria-pressed=${t.mode===e?"true":"false"} onClick=${()=>I("tools-testing",t.mode==="call"?{mode:"call"}:{})}>
            ${t.title}
          </button>
        `)}
    </div>
  `:null}var oh={text:"",problem:"",calls:0,outcome:void 0},Yo=e=>document.getElementById(e)?.focus();function Jl({route:e}){let t=e.params.tool??"",o=Ge(),n=B(),{section:r,reveal:a}=ze(n.busy),[i,l]=$(oh),c=f=>l(h=>({...h,...f})),d=o.data?.tools.find(f=>f.name===t),u=pr(d);v(()=>{l(f=>({...f,text:u,problem:""}))},[u]);let m=()=>{if(n.busy)return;if(d===void 0)return Yo(Xt);let f=jl(i.text);if(c({problem:f}),f!=="")return Yo(ct);a();let h={tool:d.name,arguments:te(i.text)};n.run(async E=>{let S=await T.callTool(h,E);l(O=>({...O,outcome:S,calls:O.calls+1}))})};ie([{keys:"/",label:"Write the arguments",run:()=>Yo(ct)},{keys:"mod+Enter",label:"Call the tool",run:m},{keys:"Escape",label:"Cancel the call",run:n.cancel}]);let p=s`
    <${Xo} mode="call" />
    <${Vl}
      tools=${o}
      draft=${{tool:t,text:i.text}}
      problem=${i.problem}
      busy=${n.busy}
      onTool=${f=>I("tools-testing",{mode:"call",tool:f})}
      onText=${f=>c({text:f,problem:""})}
      onCall=${m}
      onCancel=${n.cancel}
    />
  `;return s`
    <${de} title="Tool call" controls=${p} section=${r}>
      <${nh} task=${n} state=${i} waiting=${`Waiting for ${t}`} onRetry=${m} />
    <//>
  `}function nh({task:e,state:{outcome:t,calls:o},waiting:n,onRetry:r}){let a=e.busy||e.error!==void 0||e.cancelled;return s`
    <p class="hidden" role="status">${t&&!a&&$r(t)}</p>
    ${e.busy&&s`<p><${M} label=${n} since=${e.since} /></p>`}
    ${e.cancelled&&s`<p class="notice">! Call cancelled. The tool may still complete it.</p>`}
    ${e.error&&s`<${k} error=${e.error} onRetry=${r} />`}
    ${t&&a&&s`<h2>Previous call</h2>`}
    ${t&&s`<${zl} key=${o} outcome=${t} />`}
    ${!t&&!a&&s`<${rh} />`}
  `}function rh(){return s`<${ue} title="Call one tool without a model">
    <p>
      Select a tool, check the example arguments and call it. The result shows the requests that the tool sent and their
      responses without secrets, the result, and the text that a model would receive.
    </p>
    <p><button type="button" onClick=${()=>Yo(Xt)}>Select a tool</button></p>
  <//>`}var Xl=[{title:"Simple tool call",query:"What's the weather in Paris?",expected:"One call of the weather tool with Paris as the location, and an answer based on its result."},{title:"Calculator",query:"Calculate 15% tip on $45",expected:"One call of the calculator, and the answer $6.75."},{title:"Direct answer",query:"What's 2+2?",expected:"The answer 4, with the calculator or directly. A direct answer is recorded as no tool call."},{title:"RAG tool",query:"Search for Python decorators in the docs",expected:"One call of the search tool, and an answer based on the results, or that there are none."}];var Qo="tt-model",vt="tt-query",Yl="Please enter a test query and select a model";function Ql({model:e,query:t,missing:o,busy:n,onChange:r,onRun:a,onCancel:i}){let l=De();return s`
    <form class="stack" noValidate onSubmit=${d=>{d.preventDefault(),a()}}>
      <${jo}
        models=${l}
        value=${e}
        label="Model"
        id=${Qo}
        problem=${o==="model"?Yl:""}
        onChange=${d=>r({model:d})}
      />
      <div class="field">
        <label for=${vt}>Query</label>
        <textarea
          id=${vt}
          required
          maxlength="32000"
          placeholder="e.g., What's the weather in Paris?"
          value=${t}
          aria-invalid=${o==="query"?"true":void 0}
          aria-describedby=${o==="query"?"tt-missing":void 0}
          onInput=${d=>r({query:d.currentTarget.value})}
        ></textarea>
        ${o==="query"&&s`<p id="tt-missing" class="problem-text">✕ ${Yl}</p>`}
      </div>
      <div class="tt-examples" role="group" aria-label="Example test queries">
        ${Xl.map(d=>s`
            <button type="button" onClick=${()=>r({query:d.query})}>
              <strong>${d.title}</strong>
              <span>${d.query}</span>
              <small>Expected: ${d.expected}</small>
            </button>
          `)}
      </div>
      <${sh} busy=${n} onCancel=${i} />
      <small>Manual tests are recorded in the model's history and do not count for its validation.</small>
    </form>
  `}function sh({busy:e,onCancel:t}){let o=w(null),n=w(null),r=w(null);return ye(()=>{let[a,i]=e?[o,n]:[n,o];r.current!==null&&r.current===a.current&&i.current?.focus({preventScroll:!0})},[e]),r.current=document.activeElement,s`
    <div class="row">
      <button ref=${o} type="submit" class="primary" disabled=${e}>
        ${e?"Testing...":"Run"}
      </button>
      <button ref=${n} type="button" disabled=${!e} onClick=${t}>Cancel</button>
      <small>${be("mod+Enter")} runs, ${be("Escape")} cancels</small>
    </div>
  `}var ah=300,ih=2e3;function ec(e){let[t,o]=$(()=>Zl(e)),n=w(hr(t)),r=w(!1),a=hr(Zl(e));v(()=>{a!==n.current&&(n.current=a,o(te(a)))},[a]);let i=A(d=>{let u=hr(d);u!==n.current&&(n.current=u,I("tools-testing",te(u),{replace:!r.current}),r.current=!1)},[]);v(()=>{let d=setTimeout(()=>i(t),ah);return()=>clearTimeout(d)},[t,i]);let l=A(d=>o(u=>({...u,...d})),[]);return[t,l,()=>{i(t),r.current=!0}]}function Zl({params:e}){return{model:e.model??"",query:e.query??""}}function hr({model:e,query:t}){return JSON.stringify({model:e,query:t.length>ih?"":t})}function tc(e,t){let{tone:o,sign:n}=Ce(e);return o==="good"&&t.length>0?{tone:"warn",sign:"!"}:{tone:o,sign:n}}function Zo(e){let{tool_calls:t,timings:o,usage:n}=e,r=o.steps.filter(i=>i.step==="model").length,a=t.filter(i=>"error"in i.result).length;return[`${Ce(e).title} ${Ce(e).tone==="good"?"in":"after"} ${C(o.total_ms)}`,g(r,"model call"),g(t.length,"tool")+(a>0?`, ${y(a)} failed`:""),g(n.total_tokens,"token"),...typeof n.cost_usd=="number"?[ne(n.cost_usd)]:[]].join(" · ")}function oc(e){let{error:t,fallback:o}=e,{reason:n}=Ce(e);return[e.max_iterations_reached&&"Max iterations reached: the model requested more tool calls than allowed.",e.circular_calls_detected&&"Circular calls: the model repeated the same call and was stopped.",e.status==="complete"&&!e.max_iterations_reached&&!e.circular_calls_detected&&n,e.deadline_reached&&"Deadline reached: the model had to answer without more tool calls.",e.max_tool_calls_reached&&e.outcome!=="tool_call_limit"&&"Tool call limit reached: no more tool calls were allowed.",e.status==="partial"&&`Partial answer: ${t?`${t.provider} failed (${L(t.type)}): ${t.message}`:"the deadline was reached"}.`,o&&`Another model answered instead of ${o.instead_of}: ${L(o.reason)}.`].flatMap(a=>a?[a]:[])}var lh=300,ch=128,uh=20,dh=4;function nc({calls:e}){let[t,o]=$(!1);if(e.length===0)return s`<section><h2>Tool calls (0)</h2><p>The model called no tool.</p></section>`;let n=t?e:e.slice(0,uh);return s`
    <section class="stack" aria-label="Tool calls">
      <h2>Tool calls (${y(e.length)})</h2>
      <ol class="tt-calls">
        ${n.map(r=>s`<${mh} key=${`${r.iteration} ${r.call_id}`} call=${r} open=${e.length<=dh} />`)}
      </ol>
      ${n.length<e.length&&s`<div><button type="button" onClick=${()=>o(!0)}>Show ${y(e.length-n.length)} more</button></div>`}
    </section>
  `}function mh({call:e,open:t}){let o=qe(void 0,e),[n,r]="error"in e.result?["Error",e.result]:["Result",e.result.result],a=s`<code>${G(e.tool,ch)}(${G(fh(e),lh)})</code>
    <${_} tone=${o.tone}>${o.label}<//>`;return s`
    <li>
      <${P} summary=${a} open=${t}>
        <${N} value=${r} label=${n} />
      <//>
      <small class="number">Iteration: ${e.iteration} | Execution time: ${y(e.result.execution_time_ms)} ms</small>
    </li>
  `}function fh({params:e}){return typeof e=="string"?e:JSON.stringify(e)}var ph=60,$h=1e3,hh=10,rc="No mock result for these arguments.",gr=e=>!("error"in e.result);function sc(e){return(e.normalize("NFKD").replaceAll(/\p{M}/gu,"").toLowerCase().match(/[a-z0-9]+/g)??[]).join("-").slice(0,ph).replace(/-$/,"")||"case"}function ac(e,t){if(e.length===0)return"irrelevance";let o=e.filter(gr);return o.length<e.length?"error_recovery":new Set(o.map(n=>n.iteration)).size>1?"multi_turn":o.length>1?new Set(o.map(n=>n.tool)).size>1?"parallel_choice":"parallel":t>1?"choice":"single"}function ic(e){let t=Map.groupBy(e.filter(gr),n=>n.iteration),o=Math.min(hh,e.length-e.filter(gr).length);return t.size===0?e.length===0?{}:{any_call:!0,failed_calls:o}:{turns:[...t.values()].map(n=>({calls:n.map(({tool:r,params:a})=>({tool:r,arguments:gh(a)}))})),...o>0&&{failed_calls:o}}}function gh(e){return typeof e=="string"?{}:Object.fromEntries(Object.entries(e).map(([t,o])=>[t,[en(o)]]))}function en(e){return Array.isArray(e)?e.map(en):e===null||typeof e!="object"?e:Object.fromEntries(Object.entries(e).map(([t,o])=>[t,Array.isArray(o)?[en(o)]:en(o)]))}function lc(e,t){let o=t.filter(Vn);return e.map(({name:n,description:r,parameters:a})=>({name:n,description:r,parameters:a,implementation:bh(o.filter(i=>i.tool===n))}))}function bh(e){let t={type:"mock"},o=new Map;for(let{params:n,result:r}of e){if(typeof n=="string")continue;let a="error"in r?{error:_h(r.error)}:{response:r.result};Object.keys(n).length>0?o.set(JSON.stringify(n),{when:n,...a}):"response"in a&&(t.mock_response=a.response)}return o.size>0&&(t.answers=[...o.values()].sort(yh)),"mock_response"in t||(t.error=rc),t}function _h(e){return e.slice(0,$h)||rc}function yh(e,t){return Object.keys(t.when??{}).length-Object.keys(e.when??{}).length}var vh=20;function cc({request:e,answer:t,tools:o}){let[n,r]=$(!1),[a,i]=$(void 0),[l,c]=$(""),d=B(),u=()=>{i(p=>p??wh(e,t,o)),c(""),r(!0)},m=p=>d.run(async f=>{await Vo(p.suite,Th(p,e,t,o),f),c(`saved as ${p.id} in ${p.suite} ✓`),r(!1)});return s`
    <button type="button" onClick=${u} disabled=${o.length===0}>Save as validation case</button>
    <span role="status">${l}</span>
    <${Ie} title="Save as validation case" open=${n} onClose=${()=>r(!1)}>
      ${a&&s`<${Wo} draft=${a} task=${d} onChange=${i} onSave=${m} />`}
    <//>
  `}function wh({query:e},{tool_calls:t},o){let n=o.length<=vh||t.length===0?"all":"called",r=n==="all"?o.length:uc(o,t).length;return{suite:"",id:sc(e),category:ac(t,r),offer:n,expect:JSON.stringify(ic(t),null,2)}}function uc(e,t){return e.filter(o=>t.some(n=>n.tool===o.name))}function Th(e,t,{tool_calls:o},n){let r=lc(e.offer==="all"?n:uc(n,o),o);return{added:{id:e.id,category:e.category,description:`Recorded from ${t.model}.`,message:t.query,tools:r.map(i=>i.name),expect:te(e.expect)},mocks:r}}var kh=300;function dc({request:e,answer:t,tools:o}){let[n,r]=$(-1),a=X(),i=oc(t),{tone:l,sign:c}=tc(t,i),d=ca(t.timings,t.tool_calls,n);return s`
    <div class="stack">
      <p class="tt-status">
        <${_} tone=${l} sign=${c}>${Zo(t)}<//>
        ${t.demo&&s` <${W} />`}
      </p>
      <p class="tt-query">${G(e.query,kh)}</p>
      <${Sh} answer=${t} />
      ${i.map(u=>s`<p class="notice"><span aria-hidden="true">⚠️</span> ${u}</p>`)}
    </div>
    <section class="stack" aria-label="Waterfall">
      <h2>Steps</h2>
      <${Xe} timings=${t.timings} calls=${t.tool_calls} selected=${n} onSelect=${r} />
      ${d?s`<${Bt} step=${d.step} call=${d.call} />`:s`<small>Select a step for details, or move with the arrow keys.</small>`}
    </section>
    <section class="stack" aria-label="Final response">
      <h2>Final response</h2>
      ${t.content.trim()===""?s`<p>The answer is empty.</p>`:s`<div class="tt-answer"><${N} value=${t.content} label="Final response" /></div>`}
      <div class="row">
        <${oe} text=${()=>zo(new URL("api/tools/test",Oe).href,{...e})} label="Copy as curl" />
        ${a&&s`<${cc} request=${e} answer=${t} tools=${o} />`}
      </div>
    </section>
    <${nc} calls=${t.tool_calls} />
  `}function Sh({answer:e}){return s`
    <div class="row tt-facts">
      <span>Model: <strong>${e.model}</strong>${e.demo&&s` <${W} />`}</span>
      <span>Service: <strong>${e.service}</strong></span>
      <span>Finish reason: <strong>${L(e.finish_reason)}</strong></span>
      <span>Request: <code>${e.request_id}</code> <${oe} text=${e.request_id} label="Copy request id" /> <${_e} id=${e.request_id} /></span>
    </div>
  `}var xh=12,Ch=matchMedia("(width >= 800px)");function mc({tools:e}){let[t,o]=$(Ch.matches),n=e.data&&e.data.tools.length+fc(e.data).length;return s`
    <section aria-label="Available tools">
      <details class="collapsible" open=${t} onToggle=${r=>o(r.currentTarget.open)}>
        <summary><h2 class="tt-inline">Available tools ${n!==void 0&&s`<small>${y(n)}</small>`}</h2></summary>
        ${e.error&&s`<${k} error=${e.error} onRetry=${e.reload} />`}
        ${!e.data&&e.loading&&s`<${F} lines=${6} label="the tools" />`}
        ${t&&e.data&&s`<${Eh} list=${e.data} />`}
      </details>
    </section>
  `}function fc(e){return e.disabled.filter(t=>t.kind==="tool")}function Eh({list:e}){let[t,o]=$(""),n=fc(e),r=e.tools.length+n.length;if(r===0)return s`<p>No tools are configured.</p>`;let a=t.trim().toLowerCase(),i=e.tools.filter(({name:c,description:d})=>`${c} ${d}`.toLowerCase().includes(a)),l=n.filter(({name:c})=>c.toLowerCase().includes(a));return s`
    ${r>xh&&s`<label class="field tt-filter">
        Filter
        <input type="search" value=${t} onInput=${c=>o(c.currentTarget.value)} />
        <small role="status">${a&&`${y(i.length+l.length)} of ${y(r)} shown`}</small>
      </label>`}
    <ul class="tool-cards">
      ${l.map(c=>s`<${Po} key=${`disabled ${c.name}`} tool=${c} />`)}
      ${i.map(c=>s`<${No} key=${c.name} tool=${c} />`)}
    </ul>
  `}var Rh={missing:"",runs:0,request:void 0,answer:void 0},br=e=>document.getElementById(e)?.focus();function pc({route:e}){return X()&&e.params.mode==="call"?s`<${Jl} route=${e} />`:s`<${Ah} route=${e} />`}function Ah({route:e}){let[t,o,n]=ec(e),[r,a]=$(Rh),i=Ge(),l=B(),{section:c,reveal:d}=ze(l.busy),u=h=>a(E=>({...E,...h})),m=()=>{if(l.busy)return;let h=Mh(t);if(u({missing:h}),h!=="")return br(h==="model"?Qo:vt);n(),d();let E={...t};l.run(async S=>{let O=await T.testTools(E,S);a(R=>({...R,request:E,answer:O,runs:R.runs+1})),gs()})},p=h=>{o(h),u({missing:""})};ie([{keys:"/",label:"Write the query",run:()=>br(vt)},{keys:"mod+Enter",label:"Run the test",run:m},{keys:"Escape",label:"Cancel the test",run:l.cancel}]);let f=s`
    <${Xo} mode="model" />
    <${Ql} ...${t} missing=${r.missing} busy=${l.busy} onChange=${p} onRun=${m} onCancel=${l.cancel} />
    <${mc} tools=${i} />
  `;return s`
    <${de} title="Tool testing" controls=${f} section=${c}>
      <p class="hidden" role="status">${Oh(l,r)}</p>
      ${l.busy&&s`<p><${M} label=${`Waiting for ${t.model}`} since=${l.since} /></p>`}
      ${l.cancelled&&s`<p class="notice">! Test cancelled. The model may still complete its request, which costs tokens.</p>`}
      ${l.error&&s`<${k} error=${l.error} onRetry=${m} traced />`}
      ${r.answer&&(l.busy||l.error||l.cancelled)&&s`<h2>Previous test</h2>`}
      ${r.answer&&r.request&&s`<${dc} key=${r.runs} request=${r.request} answer=${r.answer} tools=${i.data?.tools??[]} />`}
      ${!r.answer&&!l.busy&&!l.error&&s`<${Ih} hasModel=${t.model!==""} />`}
    <//>
  `}function Oh(e,{answer:t}){return e.busy||e.error?"":e.cancelled?"Test cancelled":t&&Zo(t)}function Mh({model:e,query:t}){return e===""?"model":t.trim()===""?"query":""}function Ih({hasModel:e}){return s`<${ue} title="Test a model with the tools">
    <p>
      Select a model, enter a query or pick an example, and run it. The result shows every model and tool call on one time
      axis, with arguments, results and cost.
    </p>
    <p>
      <button type="button" onClick=${()=>br(e?vt:Qo)}>
        ${e?"Enter a query":"Select a model"}
      </button>
    </p>
  <//>`}function Ze(e,t=[]){let o=le(),n=w(e);n.current=e;let r=B(),{run:a}=r,[i,l]=$($c()),c=JSON.stringify(t),d=A(()=>{a(async m=>{let p=await n.current(void 0,m);l({items:p.items,cursor:p.cursor??void 0,isLoaded:!0})})},[a]);v(()=>{l($c()),d()},[c,o,d]);let u=()=>{a(async m=>{let p=await n.current(i.cursor,m);l(f=>({items:[...f.items,...p.items],cursor:p.cursor??void 0,isLoaded:!0}))})};return{items:i.items,isLoaded:i.isLoaded,more:i.cursor!==void 0,next:i.isLoaded?u:d,restart:d,task:r}}function $c(){return{items:[],cursor:void 0,isLoaded:!1}}var Dh=["since","until","caller","session","model","rule","tool","outcome","failed","rating","min_ms"],Yt="custom",_r=[{since:"",title:"Any time"},{since:"1h",title:"Last hour"},{since:"24h",title:"Last 24 hours"},{since:"168h",title:"Last 7 days"},{since:"720h",title:"Last 30 days"}],Nh=864e5;function hc(e){return Object.fromEntries(Dh.flatMap(t=>e[t]?[[t,e[t]]]:[]))}function gc({since:e="",until:t=""}){return t===""&&_r.some(o=>o.since===e)?e:Yt}function bc(e=Date.now()){return{since:new Date(e-Nh).toISOString(),until:new Date(e).toISOString()}}function _c(e,t){return e.includes(t)?e.filter(o=>o!==t):[...e,t].slice(-2)}var tn="traces-period",Ph=[{value:"up",text:"helpful"},{value:"down",text:"not helpful"}];function wc({params:e,onChange:t,onClear:o}){let n=X(),r=De().data?.models??[],a=Ge().data?.tools??[];return s`
    <form class="stack" aria-label="Filters" onSubmit=${i=>i.preventDefault()}>
      <h2>Filters</h2>
      <${Lh} params=${e} onChange=${t} />
      <${vc} label="Outcome" name="outcome" params=${e} onChange=${t} options=${tl.map(i=>({value:i,text:ol(i)}))} />
      <label class="check">
        <input
          type="checkbox"
          checked=${e.failed==="true"}
          onChange=${()=>t({failed:e.failed==="true"?"":"true"})}
        />
        Failed only: no answer, or a failed tool call
      </label>
      <${Qt} label="Model" name="model" placeholder="llm:model" params=${e} onChange=${t} options=${r.map(({id:i})=>i)} />
      <${Qt} label="Rule" name="rule" params=${e} onChange=${t} />
      <${Qt} label="Tool" name="tool" params=${e} onChange=${t} options=${a.map(({name:i})=>i)} />
      <${vc} label="Rating" name="rating" params=${e} onChange=${t} options=${Ph} />
      <${Bh} params=${e} onChange=${t} />
      <${Qt} label="Session" name="session" params=${e} onChange=${t} />
      ${n&&s`<${Qt} label="Caller" name="caller" placeholder="id of a token" params=${e} onChange=${t} />`}
      <div><button type="button" onClick=${o}>Clear filters</button></div>
    </form>
  `}function Lh({params:e,onChange:t}){let o=gc(e);return s`
    <div class="field">
      <label for=${tn}>Time</label>
      <select id=${tn} value=${o} onChange=${({currentTarget:{value:r}})=>t(r===Yt?bc():{since:r,until:""})}>
        ${_r.map(({since:r,title:a})=>s`<option value=${r}>${a}</option>`)}
        <option value=${Yt}>From and until</option>
      </select>
    </div>
    ${o===Yt&&s`
        <${yc} label="From" name="since" params=${e} onChange=${t} />
        <${yc} label="Until" name="until" params=${e} onChange=${t} />
      `}
  `}function yc({label:e,name:t,params:o,onChange:n}){let r=({currentTarget:{value:a}})=>n({[t]:a?new Date(a).toISOString():""});return s`<label class="field">
    ${e}
    <input type="datetime-local" value=${qh(o[t]??"")} onChange=${r} />
  </label>`}function qh(e){let t=new Date(e);return Number.isNaN(t.getTime())?"":new Date(t.getTime()-t.getTimezoneOffset()*6e4).toISOString().slice(0,16)}function vc({label:e,name:t,params:o,onChange:n,options:r}){let a=Z();return s`<div class="field">
    <label for=${a}>${e}</label>
    <select id=${a} value=${o[t]??""} onChange=${i=>n({[t]:i.currentTarget.value})}>
      <option value="">Any</option>
      ${r.map(({value:i,text:l})=>s`<option value=${i}>${l}</option>`)}
    </select>
  </div>`}function Tc(e){let[t,o]=$(e);return v(()=>o(e),[e]),[t,o]}function Qt({label:e,name:t,placeholder:o="Any",params:n,onChange:r,options:a=[]}){let i=Z(),[l,c]=Tc(n[t]??"");return s`<label class="field">
    ${e}
    <input
      type="text"
      list=${a.length>0?i:void 0}
      placeholder=${o}
      spellcheck=${!1}
      autocapitalize="off"
      autocomplete="off"
      value=${l}
      onInput=${d=>c(d.currentTarget.value)}
      onChange=${d=>r({[t]:d.currentTarget.value.trim()})}
    />
    ${a.length>0&&s`<datalist id=${i}>${a.map(d=>s`<option value=${d}></option>`)}</datalist>`}
  </label>`}function Bh({params:e,onChange:t}){let o=Number(e.min_ms)||0,[n,r]=Tc(o?String(o/1e3):"");return s`<label class="field">
    Seconds at least
    <input type="number" min="0" step="any" inputmode="decimal" placeholder="Any" value=${n} onInput=${i=>r(i.currentTarget.value)} onChange=${({currentTarget:{value:i}})=>{let l=Math.max(0,Number(i)||0);t({min_ms:l>0?String(Math.round(l*1e3)):""})}} />
  </label>`}var Hh=200,kc=4;function Sc({trace:e,ticked:t,onTick:o}){let{tone:n,sign:r,title:a}=lt(e),i=G(e.message??"",Hh).trim();return s`
    <li class="trace-row" data-tone=${n}>
      <div class="trace-head">
        <${_} tone=${n} sign=${r}>${a}<//>
        ${e.failed&&n==="good"&&s`<${_} tone="bad">tool failed<//>`}
        <span class="trace-message"><${_e} id=${e.id}>${i||`Trace ${e.id}`}<//></span>
        ${e.rating&&s`<${So} rating=${e.rating} />`}
        <small><${j} at=${e.started_at} /></small>
      </div>
      <div class="trace-facts">
        <span class="row">
          <span class="mono">${e.model??"no model"}</span>
          ${e.demo&&s`<${W} />`}
          ${e.rule&&s`<${ee}>rule ${e.rule}<//>`}
          ${e.front_end!=="chat"&&s`<${ee}>${Fo(e.front_end)}<//>`}
          <${Fh} trace=${e} />
        </span>
        <span class="number" title="Duration">${C(e.duration_ms)}</span>
        <span class="number" title="Tokens">${g(yt(e.usage),"token")}</span>
        <span class="number" title="Cost">${typeof e.cost_usd=="number"?ne(e.cost_usd):s`<small>no price</small>`}</span>
        <label class="check" title="Select two traces to compare">
          <input type="checkbox" checked=${t} onChange=${o} aria-label=${`Compare ${i||e.id}`} />
          <small aria-hidden="true">compare</small>
        </label>
      </div>
    </li>
  `}function Fh({trace:{tools:e,tool_calls:t}}){if(t===0)return s`<small>no tool calls</small>`;let o=e.length-kc;return s`<span class="mono trace-tools" title=${e.join(", ")}>
    ${e.slice(0,kc).join(", ")}${o>0&&` and ${y(o)} more`}${t>e.length&&` · ${g(t,"call")}`}
  </span>`}var xc=50;function Cc(e){I("traces",{...ve().params,...e},{replace:!0})}function Ec({route:{params:e}}){let t=hc(e),o=Ze(async(a,i)=>{let{traces:l,cursor:c}=await ce.list({...t,limit:xc,cursor:a},i);return{items:l,cursor:c}},[t]),n=()=>I("traces",{},{replace:!0});ie([{keys:"/",label:"Filter the traces",run:()=>document.getElementById(tn)?.focus()},{keys:"r",label:"Refresh the traces",run:o.restart}]);let r=s`<${wc} params=${t} onChange=${Cc} onClear=${n} />`;return s`
    <${de} title="Traces" controls=${r}>
      <${Uh} list=${o} ticked=${(e.compare??"").split(" ").filter(Boolean)} filtered=${Object.keys(t).length>0} onClear=${n} />
    <//>
  `}function Uh({list:e,ticked:t,filtered:o,onClear:n}){let{items:r,isLoaded:a,more:i,next:l,restart:c,task:d}=e;return!a&&!d.error?s`<${F} lines=${12} label="the traces" />`:a&&r.length===0&&!d.error&&!i?o?s`<${Vh} onClear=${n} />`:s`<${Wh} onRefresh=${c} />`:s`
    <${jh} list=${e} ticked=${t} />
    ${d.error&&s`<${k} error=${d.error} onRetry=${a&&i?l:c} />`}
    <ul class="trace-list" aria-label="Traces, the newest first">
      ${r.map(u=>s`<${Sc} key=${u.id} trace=${u} ticked=${t.includes(u.id)} onTick=${()=>Cc({compare:_c(t,u.id).join(" ")})} />`)}
    </ul>
    <div class="row">
      ${i&&!d.busy&&!d.error&&s`<button type="button" onClick=${l}>Load ${xc} more</button>`}
      ${d.busy&&s`<${M} label="Loading traces" since=${d.since} />`}
    </div>
  `}function jh({list:{items:e,isLoaded:t,more:o,restart:n,task:r},ticked:[a,i]}){return s`<div class="row spread">
    <span class="row">
      <button type="button" disabled=${r.busy} onClick=${n}>Refresh</button>
      ${t&&s`<span role="status">${g(e.length,"trace")}${o?" loaded, more available":""}</span>`}
    </span>
    ${a&&i&&s`<${_e} id=${a} params=${{with:i}}>Compare the two selected traces<//>`}
    ${a&&!i&&s`<small role="status">Select another trace to compare.</small>`}
  </div>`}function Vh({onClear:e}){return s`<${ue} title="No trace matches the filters">
    <p>Traces are removed after the days that <code>traces.days</code> of the configuration sets.</p>
    <p><button type="button" onClick=${e}>Clear filters</button></p>
  <//>`}function Wh({onRefresh:e}){return s`<${ue} title="See what each chat did">
    <p>
      Every chat and test leaves a trace: its model calls and tool calls on one time axis, with tokens, cost and errors.
      Here you find them by time, model, tool or outcome, open one, and compare it with another.
    </p>
    <p>
      Send a message in the Chat view or run a test to get the first one. If none appears, check${" "}
      <code>traces.sample</code> in the configuration, which sets the share of chats that are traced.
    </p>
    <p><button type="button" onClick=${e}>Refresh</button></p>
  <//>`}var Rc={chats:0,failed:0,model_calls:0,tool_calls:0,input_tokens:0,output_tokens:0,cached_tokens:0,cache_write_tokens:0,reasoning_tokens:0,cost_usd:0,unpriced_tokens:0},Gh=Object.keys(Rc),yr=864e5,Kh=400,wr="30",Zt={tokens:"Tokens",cost:"Cost",chats:"Chats",failed:"Failed chats",tool_calls:"Tool calls"};function eo(e,t){return t==="tokens"?e.input_tokens+e.output_tokens:t==="cost"?e.cost_usd:e[t]}function on(e){return e>0&&e<.01?ne(e):`$${e.toFixed(2)}`}function Tr(e,t){let o={...Rc,name:t};for(let n of e)for(let r of Gh)o[r]+=n[r];return o}function Ac(e,t){let n=[...Map.groupBy(e,a=>t==="day"?a.day:a.name??"none")].map(([a,i])=>Tr(i,a));if(t==="day")return n.sort((a,i)=>a.name<i.name?1:-1);let r=a=>eo(a,"tokens");return n.sort((a,i)=>r(i)-r(a)||i.tool_calls-a.tool_calls)}function Oc(e,{since:t,until:o},n){let r=Map.groupBy(e,a=>a.day);return zh(t,o).map(a=>({day:a,value:(r.get(a)??[]).reduce((i,l)=>i+eo(l,n),0)}))}function zh(e,t){let[o,n]=[Date.parse(e),Date.parse(t)],r=Math.min(Kh,Math.max(0,Math.floor((n-o)/yr)+1)||0);return Array.from({length:r},(a,i)=>vr(n-(r-1-i)*yr))}function vr(e){return new Date(e).toISOString().slice(0,10)}function nn({since:e,until:t,days:o=wr},n=Date.now()){let r=t||vr(n);return{since:e||vr(Date.parse(r)-(Number(o)-1)*yr),until:r}}var rn="usage-group",Mc="usage-period",Ic="usage-measure",Jh=[{value:"day",title:"Day"},{value:"model",title:"Model"},{value:"caller",title:"Caller"},{value:"tool",title:"Tool"},{value:"rule",title:"Rule"}],Xh=["7","30","90"],kr="custom";function Dc({params:e,group:t,measure:o,onChange:n}){let r=X(),{since:a,until:i}=nn(e),l=!!(e.since||e.until),c=({currentTarget:{value:u}})=>n(u===kr?{since:a,until:i,days:""}:{since:"",until:"",days:u}),d=u=>m=>n({[u]:m.currentTarget.value});return s`
    <form class="stack" aria-label="Usage" onSubmit=${u=>u.preventDefault()}>
      <div class="field">
        <label for=${rn}>Group by</label>
        <select id=${rn} value=${t} onChange=${d("group")}>
          ${Jh.filter(({value:u})=>r||u==="day").map(({value:u,title:m})=>s`<option value=${u}>${m}</option>`)}
        </select>
      </div>
      <div class="field">
        <label for=${Mc}>Period</label>
        <select id=${Mc} value=${l?kr:e.days??wr} onChange=${c}>
          ${Xh.map(u=>s`<option value=${u}>Last ${u} days</option>`)}
          <option value=${kr}>From and until</option>
        </select>
      </div>
      ${l&&s`
          <label class="field">From<input type="date" value=${a} max=${i} onChange=${d("since")} /></label>
          <label class="field">Until<input type="date" value=${i} min=${a} onChange=${d("until")} /></label>
        `}
      <div class="field">
        <label for=${Ic}>Plot</label>
        <select id=${Ic} value=${o} onChange=${d("measure")}>
          ${Object.entries(Zt).map(([u,m])=>s`<option value=${u}>${m}</option>`)}
        </select>
      </div>
      <small>Days are those of UTC. The counters are kept for 400 days.</small>
      ${!r&&s`<p class="notice">! You see your own usage. The usage of others requires the role <strong>operator</strong>.</p>`}
    </form>
  `}var sn=800,et=160,Nc=.2,Yh=new Intl.DateTimeFormat("en-GB",{day:"numeric",month:"short",timeZone:"UTC"});function wt(e){return Yh.format(new Date(e))}function Qh(e){let t=Math.max(0,...e.map(({value:n})=>n)),o=sn/Math.max(1,e.length);return e.map(({day:n,value:r},a)=>{let i=t>0?r/t*et:0;return{day:n,value:r,x:(a+Nc/2)*o,y:et-i,width:o*(1-Nc),height:i}})}function Pc({values:e,title:t,format:o}){let n=Math.max(0,...e.map(({value:i})=>i)),r=e.find(({value:i})=>i===n&&i>0),a=`${t} per day, ${wt(e[0]?.day??"1970-01-01")} to ${wt(e.at(-1)?.day??"1970-01-01")}; ${r?`highest on ${wt(r.day)} with ${o(n)}`:"none"}`;return s`
    <figure class="usage-plot">
      <figcaption>${t} per day</figcaption>
      <span class="usage-scale number" aria-hidden="true"><span>${o(n)}</span><span>${o(0)}</span></span>
      <svg viewBox=${`0 0 ${sn} ${et}`} preserveAspectRatio="none" role="img" aria-label=${a}>
        <line x1="0" x2=${sn} y1=${et/2} y2=${et/2} />
        ${Qh(e).map(({day:i,value:l,x:c,y:d,width:u,height:m})=>s`
            <g key=${i}>
              <title>${`${wt(i)}: ${o(l)}`}</title>
              <rect class="usage-slot" x=${c} y="0" width=${u} height=${et} />
              <rect class="usage-bar" x=${c} y=${d} width=${u} height=${m} />
            </g>
          `)}
        <line x1="0" x2=${sn} y1=${et} y2=${et} />
      </svg>
      <span class="usage-days" aria-hidden="true">
        <span>${wt(e[0]?.day??"1970-01-01")}</span>
        <span>${wt(e.at(-1)?.day??"1970-01-01")}</span>
      </span>
    </figure>
  `}var Zh=new Set(["day","model","caller","tool","rule"]);function eg(e){I("usage",{...ve().params,...e},{replace:!0})}function Bc({route:{params:e}}){let t=X(),o=e.group??"",n=t&&Zh.has(o)?o:"day",r=Object.hasOwn(Zt,e.measure??"")?e.measure:"tokens",{since:a,until:i}=nn(e),{data:l,error:c,reload:d}=ae(m=>ce.usage({group:n,since:a,until:i},m),[n,a,i]);ie([{keys:"/",label:"Choose the group",run:()=>document.getElementById(rn)?.focus()},{keys:"r",label:"Refresh the usage",run:d}]);let u=s`<${Dc} params=${e} group=${n} measure=${r} onChange=${eg} />`;return s`
    <${de} title="Usage" controls=${u}>
      ${c&&s`<${k} error=${c} onRetry=${d} />`}
      ${!l&&!c&&s`<${F} lines=${10} label="the usage" />`}
      ${l&&l.rows.length===0&&s`<${rg} onRefresh=${d} />`}
      ${l&&l.rows.length>0&&s`<${tg} report=${l} measure=${r} onRefresh=${d} />`}
    <//>
  `}function tg({report:e,measure:t,onRefresh:o}){let n=t==="cost"?on:y,r=Tr(e.rows,"Total");return s`
    <div class="row spread">
      <p class="tt-status">${og(e,r)}</p>
      <button type="button" onClick=${o}>Refresh</button>
    </div>
    ${r.unpriced_tokens>0&&s`<p class="notice">! The cost lacks ${g(r.unpriced_tokens,"token")} of models without a price. Add their prices to the configuration to count later chats.</p>`}
    <${Pc} values=${Oc(e.rows,e,t)} title=${Zt[t]} format=${n} />
    <${ng} report=${e} total=${r} />
  `}function og({group:e},t){return[e!=="tool"&&t.chats>0&&g(t.chats,"chat"),t.failed>0&&`${y(t.failed)} failed`,t.tool_calls>0&&g(t.tool_calls,"tool call"),eo(t,"tokens")>0&&g(eo(t,"tokens"),"token"),(t.cost_usd>0||t.unpriced_tokens>0)&&Hc(t)].filter(Boolean).join(" · ")}function Hc({cost_usd:e,unpriced_tokens:t}){return t===0?on(e):e>0?`${on(e)} and more`:"no price"}var Lc=["Chats","Failed","Model calls","Tool calls","Input","Cached","Cache writes","Output","Reasoning","Cost","Without price"];function ng({report:{group:e,rows:t},total:o}){let n=`${e.charAt(0).toUpperCase()}${e.slice(1)}`;return s`<div class="usage-table"><${Re} label=${`Usage by ${e}`} caption=${`Usage by ${e}; tokens by class`} columns=${[n,...Lc]} numbers=${Lc}>
    ${Ac(t,e).map(r=>s`<${qc} key=${r.name} totals=${r} />`)}
    <${qc} totals=${o} />
  <//></div>`}function qc({totals:e}){return s`<tr>
    <th scope="row">${e.name}</th>
    <td class="number">${y(e.chats)}</td>
    <td class="number">${e.failed>0?s`<span class="problem-text">${y(e.failed)}</span>`:"0"}</td>
    <td class="number">${y(e.model_calls)}</td>
    <td class="number">${y(e.tool_calls)}</td>
    <td class="number">${y(e.input_tokens)}</td>
    <td class="number">${y(e.cached_tokens)}</td>
    <td class="number">${y(e.cache_write_tokens)}</td>
    <td class="number">${y(e.output_tokens)}</td>
    <td class="number">${y(e.reasoning_tokens)}</td>
    <td class="number">${Hc(e)}</td>
    <td class="number">${e.unpriced_tokens>0?g(e.unpriced_tokens,"token"):"–"}</td>
  </tr>`}function rg({onRefresh:e}){return s`<${ue} title="See what the chats use">
    <p>
      Each chat adds to the counters of its day: tokens by class, tool calls, failures and, where the configuration has
      prices, cost. Here you compare days, models, tools and rules.
    </p>
    <p>This period has no usage yet. Send a message in the Chat view, or select another period.</p>
    <p><button type="button" onClick=${e}>Refresh</button></p>
  <//>`}var Fe=[{name:"single",title:"Single call",description:"one tool is offered and must be called once"},{name:"choice",title:"Tool choice",description:"several tools are offered and one must be called"},{name:"parallel",title:"Parallel calls",description:"one tool must be called several times"},{name:"parallel_choice",title:"Parallel tools",description:"several tools must be called"},{name:"irrelevance",title:"Irrelevance",description:"no tool fits and none may be called"},{name:"multi_turn",title:"Multi-turn",description:"a call needs the result of the previous one"},{name:"error_recovery",title:"Error recovery",description:"a call fails and must be corrected"},{name:"types",title:"Typed values",description:"arguments must match the types of the schema"},{name:"clarification",title:"Clarification",description:"a value is missing and the model must ask for it"}];function an(e){return Fe.find(t=>t.name===e)?.title??e}var Fc=8;function Uc({modelChoices:e,chosen:t,onChosen:o,loaded:n,first:r}){let[a,i]=$(""),l=V(()=>performance.now(),[]),c=e.filter(({id:u})=>t.includes(u)||u.toLowerCase().includes(a.toLowerCase())),d=u=>o(t.includes(u)?t.filter(m=>m!==u):[...t,u]);return s`
    <fieldset class="val-models">
      <legend>Models${t.length>0&&` (${t.length} ticked)`}</legend>
      ${e.length>Fc&&s`<input
          ref=${r}
          type="search"
          aria-label="Search models"
          placeholder=${`Search ${e.length} models`}
          value=${a}
          onInput=${u=>i(u.currentTarget.value)}
        />`}
      <div class="val-choices">
        ${c.map(({id:u,validation:m,demo:p},f)=>s`
            <label class="val-choice" key=${u}>
              <input ref=${f===0&&e.length<=Fc?r:void 0} type="checkbox" checked=${t.includes(u)} onChange=${()=>d(u)} />
              <span>${u} ${m&&s`<small><${ft} validation=${m} demo=${p} /></small>`}</span>
            </label>
          `)}
        ${c.length===0&&e.length>0&&s`<small>No models match.</small>`}
        ${e.length===0&&!n.loading&&s`<small>No models with tool calling are configured.</small>`}
      </div>
      ${n.loading&&!n.data&&s`<${M} label="Loading models" since=${l} />`}
      ${n.error&&s`<p class="problem-text">The models could not be listed: ${n.error.message} <button type="button" onClick=${n.reload}>Try again</button></p>`}
      ${n.data&&n.data.errors.length>0&&s`<div class="notice">
          ${g(n.data.errors.length,"provider")} did not list its models:
          <ul>${n.data.errors.map(({llm:u,error:m})=>s`<li><code>${u}</code> ${m}</li>`)}</ul>
        </div>`}
    </fieldset>
  `}var sg={rate:(e,t)=>(t.rate?.rate??-1)-(e.rate?.rate??-1)||(t.rate?.low??0)-(e.rate?.low??0),name:()=>0,tested:(e,t)=>(t.last_tested??"").localeCompare(e.last_tested??"")};function jc(e){return e==="name"||e==="tested"?e:"rate"}function Vc(e,t){return[...e].sort((o,n)=>sg[t](o,n)||o.model_id.localeCompare(n.model_id,"en"))}function Wc(e,t){return e.includes(t)?e.filter(o=>o!==t):[...e,t].slice(-2)}function Tt(e){return(e??"").split(" ").filter(t=>t!=="")}function to(e){return e.filter(t=>t.capabilities.includes("function-calling"))}function Gc(e,t){let o=new Set(t.filter(n=>n.tested).map(n=>n.model_id));return to(e).filter(n=>!o.has(n.id))}var ag=2e4;function Kc(e){return{models:Tt(e.models),suite:e.suite??"default",repeats:Number(e.repeats??1),stop_early:e.early!=="no",budget:{calls:Sr(e.calls),tokens:Sr(e.tokens),usd:Sr(e.usd)}}}function Sr(e){return e===void 0?null:Number(e)}function zc(e,t,o){let n=new Map;for(let{id:r,demo:a,validation:i}of to(e))n.set(r,{id:r,demo:a??!1,validation:i});for(let r of t){let{model_id:a,demo:i}=r;n.has(a)||n.set(a,{id:a,demo:i??!1,validation:r})}for(let r of o)n.has(r)||n.set(r,{id:r,demo:!1,validation:void 0});return[...n.values()]}function Jc(e,t){let o=e.models.length;if(o===0)return{ready:!1,text:"Select the models to validate."};if(t===void 0)return{ready:!0,text:g(o,"model")};let n=t.cases*o*e.repeats,r=e.repeats>1?` × ${g(e.repeats,"repeat")}`:"",a=`${g(t.cases,"case")} × ${g(o,"model")}${r}`;return n>ag?{ready:!1,text:`${a} = ${g(n,"chat")}: the maximum is 20,000.`}:{ready:!0,text:`at most ${g(Math.min(n,e.budget.calls??n),"chat")}: ${a}`}}var xr="val-form";function Xc({params:e,change:t,suites:o,models:n,statuses:r,onStarted:a}){let i=w(null),l=w(null),c=B(),d=Kc(e),u=o.data?.suites.find(({name:f})=>f===d.suite),m=Jc(d,u),p=f=>{f.preventDefault(),!(!m.ready||c.busy)&&c.run(async h=>{let E=await T.startValidation(d);h.aborted||a(E)})};return ie([{keys:"/",label:"Select models",run:()=>l.current?.focus()},{keys:"mod+Enter",label:"Start the run",run:()=>i.current?.requestSubmit()}]),s`
    <form class="stack" ref=${i} onSubmit=${p}>
      <h2 id=${xr} tabindex="-1">New run</h2>
      <label class="field">
        Suite
        <select value=${d.suite} onChange=${f=>t({suite:f.currentTarget.value})}>
          ${ig(o.data?.suites??[],d.suite).map(f=>s`<option value=${f} selected=${f===d.suite}>${f}</option>`)}
        </select>
      </label>
      ${u&&s`<${lg} suite=${u} />`}
      ${o.error&&s`<${k} error=${o.error} onRetry=${o.reload} />`}
      <${Uc}
        modelChoices=${zc(n.data?.models??[],r,d.models)}
        chosen=${d.models}
        onChosen=${f=>t({models:f.join(" ")})}
        loaded=${n}
        first=${l}
      />
      <${ln} name="repeats" label="Repeats per case" empty="1" max="100" step="1" params=${e} change=${t} />
      <label class="check">
        <input type="checkbox" checked=${d.stop_early} onChange=${()=>t({early:d.stop_early?"no":""})} />
        Stop early
      </label>
      <small>
        ${d.stop_early?"Testing of a model stops once its result is certain, for a good model after about 17 of 75 cases.":"All cases run, for rates by category and for comparisons."}
      </small>
      <${P} summary="Budget" open=${["calls","tokens","usd"].some(f=>f in e)}>
        <small>The run stops at the first limit reached.</small>
        <${ln} name="calls" label="Chats" empty="no limit" step="1" params=${e} change=${t} />
        <${ln} name="tokens" label="Tokens" empty="no limit" step="1" params=${e} change=${t} />
        <${ln} name="usd" label="US dollars" empty="no limit" step="any" min="0.000001" params=${e} change=${t} />
      <//>
      <p id="val-estimate">${m.text}</p>
      <div class="row">
        <button type="submit" class="primary" disabled=${!m.ready||c.busy} aria-describedby="val-estimate">Start</button>
        ${c.busy&&s`<${M} label="Starting the run" since=${c.since} />`}
      </div>
      ${c.error&&s`<${k} error=${c.error} onRetry=${()=>i.current?.requestSubmit()} />`}
    </form>
  `}function ig(e,t){return[...new Set([...e.map(({name:o})=>o),t])]}function lg({suite:e}){let t=e.built_in?"built in":"custom",o=`${g(e.cases,"case")}, ${t}`;return s`<${P} summary=${o}>
    ${e.description&&s`<p>${e.description}</p>`}
    <ul>
      ${Object.entries(e.categories).map(([n,r])=>s`<li>${an(n)}: ${r}</li>`)}
    </ul>
  <//>`}function ln({name:e,label:t,empty:o,min:n="1",max:r,step:a,params:i,change:l}){return s`<label class="field">
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
  </label>`}function kt({title:e,focus:t=!1,reveal:o=!1,onClose:n,children:r}){let a=w(null),i=Z();return v(()=>{t&&a.current?.focus()},[e,t]),v(()=>{o&&a.current?.scrollIntoView({block:"nearest"})},[o]),s`
    <section class="val-panel stack" aria-labelledby=${i}>
      <div class="row spread">
        <h2 id=${i} ref=${a} tabindex="-1">${e}</h2>
        <button type="button" class="quiet" onClick=${n}>Close</button>
      </div>
      ${r}
    </section>
  `}function Qc(e){return e.low>=.8?"proven":e.high<.8?"failing":"undecided"}function Er(e,t){let o=e.rate-t.rate;return{value:o,low:Math.max(-1,o-Math.hypot(e.rate-e.low,t.high-t.rate)),high:Math.min(1,o+Math.hypot(e.high-e.rate,t.rate-t.low))}}function Rr({low:e,high:t}){return e>0?"a":t<0?"b":"neither"}function Zc(e,t,o){let n=Rr(e);return n==="a"?`${t} is better by ${Yc(e.value,e.low,e.high)}`:n==="b"?`${o} is better by ${Yc(-e.value,-e.high,-e.low)}`:"No significant difference"}function eu({value:e,low:t,high:o}){return`${Cr(e)} (${Cr(t)} to ${Cr(o)})`}function Yc(e,t,o){return`${cn(e)} points (${cn(t)} to ${cn(o)})`}function Cr(e){let t=cn(Math.abs(e));return t==="0"?t:`${e<0?"−":"+"}${t}`}function cn(e){let t=e*100;return t>0&&t<1?t.toFixed(1):String(Math.round(t))}function ou({a:e,b:t,onClose:o}){let n={a:e.model_id,b:t.model_id};return s`
    <${kt} title=${`${e.model_id} and ${t.model_id}`} onClose=${o}>
      <p role="status"><strong>${cg(e,t)}</strong></p>
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
            <${tu} title="All" a=${e.rate} b=${t.rate} names=${n} />
            ${Fe.map(({name:r,title:a})=>s`<${tu} title=${a} a=${e.categories?.[r]} b=${t.categories?.[r]} names=${n} />`)}
          </tbody>
        </table>
      </div>
      <small>
        Differences in percentage points with Newcombe's 95 % interval. If the interval contains 0, the difference is not
        significant; a single category rarely has enough tests.
      </small>
    <//>
  `}function cg(e,t){return!e.rate||!t.rate?"Only one of the models was tested.":`${Zc(Er(e.rate,t.rate),e.model_id,t.model_id)}.`}function tu({title:e,a:t,b:o,names:n}){let r=t&&o?Er(t,o):void 0;return s`
    <tr>
      <th scope="row">${e}</th>
      <td class="number">${t?Ee(t):"–"}</td>
      <td class="number">${o?Ee(o):"–"}</td>
      <td class="number">${r?eu(r):"–"}</td>
      <td>${r?ug(r,n):"not tested by both"}</td>
    </tr>
  `}function ug(e,t){let o=Rr(e);return o==="neither"?"not significant":`${t[o]} is better`}var oo=72,Ar=20,un=3,dg=864e5,mg=new Intl.DateTimeFormat("en-GB",{day:"numeric",month:"short",timeZone:"UTC"});function ru(e){return Math.round(e*10)/10}function Or(e){return ru(un+(1-e)*(Ar-2*un))}function fg(e){let t=e.map(({day:r})=>Date.parse(r)),o=t[0]??0,n=Math.max(dg,(t.at(-1)??0)-o);return e.map(({tests:r,successes:a},i)=>({x:e.length===1?oo/2:ru(un+((t[i]??0)-o)/n*(oo-2*un)),y:Or(a/r)}))}function pg(e){return e.map(({day:t,tests:o,successes:n})=>`${mg.format(new Date(t))} ${mt(n/o)} of ${o}`).join(", ")}function su({days:e}){let t=fg(e),o=`Rate by day: ${pg(e)}`;return s`
    <svg class="val-trend" viewBox=${`0 0 ${oo} ${Ar}`} width=${oo} height=${Ar} role="img" aria-label=${o}>
      <title>${o}</title>
      <line x1="0" x2=${oo} y1=${Or(.8)} y2=${Or(.8)} />
      <polyline points=${t.map(({x:n,y:r})=>`${n},${r}`).join(" ")} />
      ${t.slice(-1).map(({x:n,y:r})=>s`<circle cx=${n} cy=${r} r="2.5" />`)}
    </svg>
  `}var $g={proven:"✓",failing:"✕",undecided:""};function au({statuses:e,order:t,onOrder:o,ticked:n,onTick:r,open:a,onOpen:i}){let l=(c,d,u)=>s`
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
            ${Fe.map(({title:c,description:d})=>s`<th scope="col" class="val-category" title=${d}>${c}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${Vc(e,t).map(c=>s`
              <${hg}
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
      <ul>${Fe.map(({title:c,description:d})=>s`<li><b>${c}</b>: ${d}</li>`)}</ul>
    <//>
  `}function hg({status:e,ticked:t,onTick:o,open:n,onOpen:r}){let{model_id:a,badge:i,demo:l}=e;return s`
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
        ${l&&s`<${W} />`}
        ${i&&!l&&s`<small class="badge" title=${i.tooltip}><span aria-hidden="true">${i.symbol}</span> ${i.text}</small>`}
      </th>
      <td>${e.rate&&s`<${yo} rate=${e.rate} />`}</td>
      <td>
        ${(e.trend?.length??0)>0&&s`<${su} days=${e.trend} />`}
        ${e.last_tested&&s`<div><small><${j} at=${e.last_tested} /></small></div>`}
      </td>
      ${Fe.map(c=>s`
          <td class="val-rate-cell">
            <${gg}
              rate=${e.categories?.[c.name]}
              demo=${l??!1}
              label=${`${c.title}, ${a}`}
              open=${n===c.name}
              onOpen=${()=>r({model:a,category:c.name})}
            />
          </td>
        `)}
    </tr>
  `}function gg({rate:e,demo:t,label:o,open:n,onOpen:r}){if(!e)return s`<span class="val-untested" title="not tested">–<span class="hidden"> not tested</span></span>`;let a=Qc(e),i={left:`${e.low*100}%`,width:`${Math.max(1,(e.high-e.low)*100)}%`},l=`${Math.round(e.low*100)} to ${Math.round(e.high*100)} %`;return s`
    <button
      type="button"
      class="val-cell"
      data-state=${t?"demo":a}
      aria-pressed=${n}
      title=${`${e.successes} of ${e.tests} passed, ${l}, ${t?"demo model":a}`}
      onClick=${r}
    >
      <span class="number">${mt(e.rate)}</span>
      <small class="number"><span aria-hidden="true">${t?"":$g[a]}</span>${" "}n ${e.tests}</small>
      <span class="interval" aria-hidden="true"><span style=${i}></span><i style=${{left:`${e.rate*100}%`}}></i></span>
      <span class="hidden">${o}, ${l}, ${t?"demo model":a}</span>
    </button>
  `}function iu(e,t){return t.models.flatMap(({model:o,done:n})=>{let r=e?.models.find(a=>a.model===o)?.done??0;return n>r?[{model:o,limit:Math.min(100,n-r+10)}]:[]})}function Mr({run:e,model:t,case:o,repeat:n,request_id:r}){return`${e} ${t} ${o} ${n} ${r}`}function Ir({result:e}){return e!=="skipped"}function lu(e,t,o){return[...new Map([...e,...t.filter(r=>r.run===o&&Ir(r))].map(r=>[Mr(r),r])).values()].sort((r,a)=>a.at.localeCompare(r.at)).slice(0,100)}var bg={passed:{tone:"good",text:"passed"},failed:{tone:"bad",text:"failed"},error:{tone:"warn",text:"error, not counted"},skipped:{tone:"plain",text:"skipped"},no_tool_call:{tone:"plain",text:"no tool call, not counted"}},_g=10,yg=5,cu=100,Dr=200,vg=50,wg=56;function Nr({verdicts:e,label:t,models:o=!1}){let n=e.length>Dr?vg:Dr;return Array.from({length:Math.ceil(e.length/n)},(a,i)=>i*n).map(a=>{let i=e.slice(a,a+n);return s`<ul
      key=${a}
      class="val-verdicts"
      aria-label=${a===0?t:`${t}, from ${a+1}`}
      style=${e.length>Dr?{contentVisibility:"auto",containIntrinsicSize:`auto ${i.length*wg}px`}:{}}
    >
      ${i.map(l=>s`<${Tg} key=${Mr(l)} verdict=${l} models=${o} />`)}
    </ul>`})}function Tg({verdict:e,models:t}){let{tone:o,text:n}=bg[e.result];return s`
    <li>
      <div class="row">
        <${_} tone=${o}>${n}<//>
        <strong>${e.case}${e.repeat>1&&` #${e.repeat}`}</strong>
        ${t&&s`<span>${e.model}</span>`}
        ${e.category&&s`<${ee}>${an(e.category)}<//>`}
        ${e.counted===!1&&s`<${ee}>manual, not counted<//>`}
        <small class="row val-facts">
          <${j} at=${e.at} />
          <span class="number">${C(e.latency_ms)}</span>
          <span class="number">${g(e.tokens,"token")}</span>
          ${typeof e.cost_usd=="number"&&s`<span class="number">${ne(e.cost_usd)}</span>`}
          ${e.request_id&&s`<${_e} id=${e.request_id} />
              <${oe} text=${e.request_id} label="Copy request id" />`}
        </small>
      </div>
      ${e.reasons.length>0&&s`<ul class="val-reasons">${e.reasons.map(r=>s`<li>${r}</li>`)}</ul>`}
    </li>
  `}function dn({pages:e,label:t,models:o=!1,filter:n,failedOnly:r,onFailedOnly:a}){let{items:i,isLoaded:l,more:c,next:d,task:u}=e,m=i.filter(f=>Ir(f)&&n(f)&&!(r&&f.result==="passed")),p=l&&c&&!u.busy&&!u.error&&m.length<_g&&i.length<yg*cu;return v(()=>{p&&d()}),u.error&&!l?s`<${k} error=${u.error} onRetry=${d} />`:l?s`
    <div class="row spread">
      <span role="status">${y(m.length)} of ${g(i.length,"loaded verdict")}${c?", more available":""}</span>
      <label class="check">
        <input type="checkbox" checked=${r} onChange=${()=>a(!r)} />
        Hide passed
      </label>
    </div>
    ${m.length===0&&!c&&s`<p>None.</p>`}
    <${Nr} verdicts=${m} label=${t} models=${o} />
    <${kg} pages=${e} />
  `:s`<${F} lines=${6} label=${t} />`}function kg({pages:{more:e,next:t,task:o}}){return o.error?s`<${k} error=${o.error} onRetry=${t} />`:o.busy?s`<${M} label="Loading verdicts" since=${o.since} />`:e&&s`<div><button type="button" onClick=${t}>Load ${cu} more</button></div>`}var Sg=100;function uu({model:e,category:t,status:o,focus:n,onClose:r}){let[a,i]=$(!1),l=Fe.find(u=>u.name===t),c=Ze(async(u,m)=>{let{records:p,cursor:f}=await T.history(e,{limit:Sg,cursor:u,signal:m});return{items:p,cursor:f}},[e]);ie([{keys:"Escape",label:"Close the verdicts",run:r}]);let d=l?o?.categories?.[l.name]:o?.rate;return s`
    <${kt} title=${`${l?l.title:"All verdicts"} · ${e}`} focus=${n} onClose=${r}>
      ${l&&s`<p>Tests: ${l.description}.</p>`}
      ${o?.demo&&s`<p class="notice">! Verdicts of the demo model are no evidence about a real model.</p>`}
      ${d&&s`<p>${d.successes} of ${g(d.tests,"test")} passed, ${Ee(d)}.</p>`}
      ${!l&&o&&s`<${xg} status=${o} />`}
      <${dn}
        pages=${c}
        label=${`Verdicts of ${e}`}
        filter=${u=>!l||u.category===l.name}
        failedOnly=${a}
        onFailedOnly=${i}
      />
    <//>
  `}function xg({status:e}){let t=[typeof e.latency_ms=="number"&&C(e.latency_ms),typeof e.tokens=="number"&&g(Math.round(e.tokens),"token"),typeof e.cost_usd=="number"&&ne(e.cost_usd)].filter(Boolean),{by_hand:o}=e,n=[(e.errors??0)>0&&g(e.errors??0,"error"),(e.no_tool_calls??0)>0&&`${g(e.no_tool_calls??0,"plain test")} without a tool call`,o&&`${g(o.tests+o.errors+o.no_tool_calls,"test")} run manually`].filter(Boolean);return s`<p>
    ${t.length>0&&`Average per case: ${t.join(", ")}.`}
    ${n.length>0&&` Not counted: ${n.join(", ")}.`}
  </p>`}var Cg=12;function du({models:e,first:t,onFill:o}){return s`
    <${ue} title="No results yet">
      <p>
        Providers list tool calling for most models. Validation tests it: a run sends a suite of cases to a model and grades
        whether it calls the right tools with the right arguments.
      </p>
      ${t&&o&&s`<button type="button" onClick=${()=>o(t)}>Validate ${t}</button>`}
      ${!t&&e.loading&&s`<p>Loading models.</p>`}
      ${!t&&!e.loading&&s`<p>No models with tool calling are configured.</p>`}
    <//>
  `}function mu({models:e,onFill:t}){if(e.length===0)return null;let o=e.slice(0,Cg).map(({id:r})=>r),n=e.length-o.length;return s`
    <div class="notice">
      <span aria-hidden="true">🔧⚠️</span> ${g(e.length,"model")} not tested yet.
      <div class="row">
        ${o.map(r=>s`<button type="button" class="quiet" title=${`Select ${r} in the form`} onClick=${()=>t(r)}>${r}</button>`)}
        ${n>0&&`and ${n} more`}
      </div>
    </div>
  `}function fu({params:e,change:t,statuses:o,rows:n,models:r,onFill:a}){let i=w(null),l=r.data?.models??[],{model:c,category:d="",run:u}=e,m=f=>{i.current=document.activeElement,t(f,{replace:!1})},p=()=>{t({model:"",category:""},{replace:!1}),i.current instanceof HTMLElement&&i.current.focus(),i.current=null};return s`
    ${o.error&&s`<${k} error=${o.error} onRetry=${o.reload} />`}
    ${!o.data&&!o.error&&s`<${F} lines=${6} label="the results" />`}
    ${o.data&&n.length===0&&!u&&s`<${du} models=${r} first=${to(l)[0]?.id} onFill=${a} />`}
    ${n.length>0&&s`
        <h2>Results</h2>
        <${au}
          statuses=${n}
          order=${jc(e.sort)}
          onOrder=${f=>t({sort:f})}
          ticked=${Tt(e.compare)}
          onTick=${f=>t({compare:Wc(Tt(e.compare),f).join(" ")})}
          open=${c&&{model:c,category:d}}
          onOpen=${m}
        />
        <${Eg} names=${Tt(e.compare)} rows=${n} onClose=${()=>t({compare:""})} />
        ${a&&s`<${mu} models=${Gc(l,n)} onFill=${a} />`}
      `}
    ${c&&s`<${uu}
        model=${c}
        category=${d}
        status=${n.find(f=>f.model_id===c)}
        focus=${i.current!==null}
        onClose=${p}
      />`}
  `}function Eg({names:e,rows:t,onClose:o}){let[n,r]=e.map(a=>t.find(i=>i.model_id===a));return n&&r?s`<${ou} a=${n} b=${r} onClose=${o} />`:e.length===1&&s`<p role="status">Select another model to compare with ${e[0]}.</p>`}var Rg=[1e3,1500,2e3,3e3],Ag=3e3;function Ae({status:e}){return e!=="queued"&&e!=="running"}function pu(e,t){let o=le(),n=w(t);n.current=t;let[r,a]=$(0),[i,l]=$(Og),c=w(void 0);return v(()=>{let d=new AbortController,{signal:u}=d,m=0,p=0,f=!1,h=async()=>{if(clearTimeout(m),!(document.hidden||f)){f=!0;try{let S=await T.validationRun(e,{limit:1,signal:u}),O=c.current;if(l(b=>Mg(b,S,O)),O!==void 0&&O.status!==S.status&&n.current(S),Ae(S)){c.current=S;return}let R=await Ig(O,S,u);c.current=S,l(b=>({...b,latest:lu(b.latest,R,e)}))}catch(S){if(u.aborted)return;let O=po(S);if(l(R=>({...R,error:O})),O.kind!=="offline"&&O.kind!=="failed")return}finally{f=!1}m=setTimeout(h,Rg[p++]??Ag)}},E=()=>{!document.hidden&&(c.current===void 0||!Ae(c.current))&&h()};return h(),document.addEventListener("visibilitychange",E),()=>{d.abort(),clearTimeout(m),document.removeEventListener("visibilitychange",E)}},[e,o,r]),{...i,retry:A(()=>a(d=>d+1),[])}}function Og(){return{run:void 0,latest:[],error:void 0,advancedAt:performance.now()}}function Mg(e,t,o){let n=t.done===o?.done?e.advancedAt:performance.now();return{...e,run:t,error:void 0,advancedAt:n}}async function Ig(e,t,o){return(await Promise.all(iu(e,t).map(({model:r,limit:a})=>T.history(r,{limit:a,signal:o})))).flatMap(r=>r.records)}var Dg=20,Ng={queued:"plain",running:"plain",finished:"good",stopped:"warn",failed:"bad"};function Pr({status:e}){return s`<${_} tone=${Ng[e]}>${e}<//>`}function $u({open:e,changed:t,onOpen:o}){let{items:n,isLoaded:r,more:a,next:i,restart:l,task:c}=Ze(async(d,u)=>{let{runs:m,cursor:p}=await T.validationRuns({limit:Dg,cursor:d,signal:u});return{items:m,cursor:p}});return v(()=>{t>0&&l()},[t,l]),s`
    <h2>Runs</h2>
    ${!r&&!c.error&&s`<${F} label="the runs" />`}
    ${c.error&&s`<${k} error=${c.error} onRetry=${i} />`}
    ${r&&n.length===0&&s`<small>No runs yet.</small>`}
    <ul class="val-runs">
      ${n.map(d=>s`
          <li key=${d.id}>
            <button type="button" aria-pressed=${d.id===e} onClick=${()=>o(d.id)}>
              <span class="row spread"><${Pr} status=${d.status} /><small><${j} at=${d.created_at} /></small></span>
              <span>${d.suite}${d.repeats>1&&` × ${d.repeats}`} · ${Lg(d)}</span>
              <small class="number">${Pg(d)}</small>
            </button>
          </li>
        `)}
    </ul>
    <div class="row">
      ${a&&!c.busy&&s`<button type="button" onClick=${i}>Show older runs</button>`}
      ${c.busy&&r&&s`<${M} label="Loading runs" since=${c.since} />`}
    </div>
  `}function Pg({passed:e,failed:t,total:o}){let n=e+t;return n===0?`at most ${g(o,"chat")}`:`${y(e)} of ${y(n)} passed`}function Lg({models:e}){return e.length<=2?e.map(({model:t})=>t).join(", "):g(e.length,"model")}var qg=100,Bg=3e4;function gu({id:e,operator:t,onStatus:o,onClose:n}){let{run:r,latest:a,error:i,advancedAt:l,retry:c}=pu(e,o),d=V(()=>performance.now(),[]);return s`
    <${kt} title=${r?`Run of ${r.suite}${r.repeats>1?` × ${r.repeats}`:""}`:"Run"} reveal onClose=${n}>
      ${!r&&!i&&s`<${M} label="Loading the run" since=${d} />`}
      ${r&&s`<${Hg} run=${r} operator=${t} advancedAt=${l} onChanged=${c} />`}
      ${i&&s`<${k} error=${i} onRetry=${c} />`}
      ${r&&s`<${Ug} run=${r} />`}
      ${r&&Ae(r)&&s`<${jg} run=${r} />`}
      ${r&&!Ae(r)&&s`<h3>Latest verdicts</h3>
          <div class="val-scroll" tabindex="0" role="region" aria-label="Latest verdicts">
            ${a.length===0?s`<p>No verdicts yet.</p>`:s`<${Nr} verdicts=${a} label="Latest verdicts" models />`}
          </div>`}
    <//>
  `}function Hg({run:e,operator:t,advancedAt:o,onChanged:n}){let r=B(),a=V(()=>performance.now()-(Date.now()-Date.parse(e.created_at)),[e.created_at]),i=!Ae(e)&&performance.now()-o>Bg,l=d=>r.run(async u=>{await d(e.id),u.aborted||n()}),c=[g(e.calls,"chat"),g(e.tokens,"token"),e.cost_usd>0&&ne(e.cost_usd),e.finished_at&&C(Date.parse(e.finished_at)-Date.parse(e.created_at))].filter(Boolean);return s`
    <div class="row">
      <span role="status"><${Pr} status=${e.status} />${Ae(e)&&` ${hu(e)}`}</span>
      ${!Ae(e)&&s`<${M} label="" since=${a} /> ${t&&s`<button type="button" disabled=${r.busy} onClick=${()=>l(T.stopValidation)}>Stop</button>`}`}
    </div>
    ${e.reason&&s`<p>${e.reason}</p>`}
    <div>
      <progress class="val-progress" max=${e.total} value=${e.done} aria-label="Progress of the run"></progress>
      <small>${y(e.done)} of ${g(e.total,"verdict")}${!Ae(e)&&`: ${hu(e)}`} · ${c.join(" · ")}</small>
    </div>
    ${i&&s`<div class="notice row">
        No new verdicts for 30 seconds. Resume the run to repeat cases with lost messages; existing verdicts are kept.
        ${t&&s`<button type="button" disabled=${r.busy} onClick=${()=>l(T.resumeValidation)}>Resume</button>`}
      </div>`}
    ${r.error&&s`<${k} error=${r.error} />`}
  `}function hu({passed:e,failed:t,errors:o,skipped:n}){let r=[`${y(e)} passed`,`${y(t)} failed`];return o>0&&r.push(g(o,"error")),n>0&&r.push(`${y(n)} skipped`),r.join(", ")}var Fg={passes:"✓ decided: passes",fails:"✕ decided: fails"};function Ug({run:e}){let t=e.total/e.models.length;return s`
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
                <th scope="row" class="val-model">${o}${n&&s` <${W} />`}${c&&s`<div><small>${Fg[c]}</small></div>`}</th>
                <td>
                  <progress class="val-progress" max=${t} value=${a} aria-label=${`Progress of ${o}`}></progress>
                  <small class="number">${y(a)} of ${y(t)}</small>
                </td>
                <td class="number">${y(r?.successes??0)}</td>
                <td class="number">${y((r?.tests??0)-(r?.successes??0))}</td>
                <td class="number">${y(i)}</td>
                <td class="number">${y(l)}</td>
                <td>${r&&s`<${yo} rate=${r} />`}</td>
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}function jg({run:e}){let[t,o]=$(e.failed+e.errors>0),n=Ze(async(r,a)=>{let{verdicts:i,cursor:l}=await T.validationRun(e.id,{limit:qg,cursor:r,signal:a});return{items:i,cursor:l}},[e.id]);return s`
    <h3>Verdicts</h3>
    <div class="val-scroll" tabindex="0" role="region" aria-label="Verdicts of this run">
      <${dn}
        pages=${n}
        label="Verdicts of this run"
        models
        filter=${()=>!0}
        failedOnly=${t}
        onFailedOnly=${o}
      />
    </div>
  `}function mn(e,{replace:t=!0}={}){let o=ve();o.view==="validation"&&I("validation",{...o.params,...e},{replace:t})}function Vg(e){mn({models:e}),document.getElementById(xr)?.focus()}function bu({route:{params:e}}){let t=ae(p=>T.statuses(p)),o=ae(p=>T.suites(p)),n=De(),r=X(),[a,i]=$(0),l=t.data?.validations.filter(p=>p.tested||p.errors>0)??[],c=p=>{i(f=>f+1),Ae(p)&&(t.reload(),n.reload())},d=p=>mn({run:p},{replace:!1}),m=s`
    ${r?s`<${Xc} params=${e} change=${mn} suites=${o} models=${n} statuses=${l} onStarted=${p=>{i(f=>f+1),d(p.id)}} />`:s`<p class="notice">Starting a run requires a token with the role <strong>operator</strong>.</p>`}
    <${$u} open=${e.run??""} changed=${a} onOpen=${d} />
  `;return s`
    <${de} title="Validation" controls=${m}>
      ${e.run&&s`<${gu} key=${e.run} id=${e.run} operator=${r} onStatus=${c} onClose=${()=>d("")} />`}
      <${fu} params=${e} change=${mn} statuses=${t} rows=${l} models=${n} onFill=${r?Vg:void 0} />
    <//>
  `}var Wg={"tools-testing":pc,chat:ti,validation:bu,traces:Ec,runs:Ll,usage:Bc,retrieval:Yi,configuration:Ci};function _u({route:e}){return s`<${Wg[e.view]} route=${e} />`}function yu(){let e=cs(),t=le(),o=w(t!==""),[n,r]=$(t===""),[a,i]=$(!1);return o.current||=t!=="",v(uo,[]),v(()=>{let l=Ot.find(c=>c.name===e.view)?.title??"Trace";document.title=`${l} · Flexchat`},[e.view]),v(()=>{t===""&&r(!0)},[t]),ie([{keys:"?",label:"Show keyboard shortcuts",run:()=>i(!0)}]),s`
    <a class="skip" href="#main">Skip to content</a>
    <${ws} route=${e} onToken=${()=>r(!0)} onHelp=${()=>i(!0)} />
    <main id="main" tabindex="-1">
      ${o.current&&s`<${_u} key=${e.view} route=${e} />`}
    </main>
    <${Ss} open=${n} needed=${t===""} onClose=${()=>r(!1)} />
    <${Ie} title="Keyboard shortcuts" open=${a} onClose=${()=>i(!1)}>
      <dl class="keys">
        ${En().map(({keys:l,label:c})=>s`
            <dt><kbd>${be(l)}</kbd></dt>
            <dd>${c}</dd>
          `)}
        <dt><kbd>Tab</kbd></dt>
        <dd>Move to the next control</dd>
      </dl>
    <//>
  `}for(let e of document.querySelectorAll("link"))e.setAttribute("href",e.href);vn(s`<${yu} />`,document.getElementById("app"));
