/*! preact 11.2.0, MIT: see LICENSE.preact.txt */var J,Br,hu,He,fn,io,Hr,ro,Fr,$n,pn,gu,xt=Symbol.for("pv"),lo={},co=[],bu=/^m(i|n|o|s|text|space)$/,hn=Array.isArray,gn=co.slice,et=Object.assign;function Ze(e){e&&e.parentNode&&e.remove()}function Ur(e,t,o){var n,r,a,i={},l=arguments.length;for(a in t)a=="key"?n=t[a]:a=="ref"&&typeof e!="function"?r=t[a]:i[a]=t[a];return l>2&&(i.children=l>3?gn.call(arguments,2):o),St(e,i,n,r,null)}function St(e,t,o,n,r){var a={type:e,props:t,key:o,ref:n,__k:null,__:null,__b:0,__e:null,__c:null,constructor:xt,__v:r||++Br,__i:-1,__u:0};return!r&&J.vnode&&J.vnode(a),a}function Ct(e){return e.children}function so(e,t){this.props=e,this.context=t,this.__g=0}function Fe(e,t){if(t==null)return e.__&&Fe(e.__,e.__i+1);for(var o;t<e.__k.length;t++)if((o=e.__k[t])&&o.__e)return o.__e;return typeof e.type!="function"||e.props.__P?null:Fe(e)}function _u(e){var t,o=e.__v,n=o.__e,r=[],a=[],i=e.__P;i&&((t=et({constructor:xt},o)).__v=o.__v+1,J.vnode&&J.vnode(t),bn(i,t,o,e.__n,i.namespaceURI,32&o.__u?[n]:null,r,n||Fe(o),32&o.__u,a),t.__v=o.__v,t.__.__k[t.__i]=t,zr(r,t,a),o.__=o.__e=null,t.__e!=n&&jr(t))}function jr(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),jr(e)}function Lr(e){(8&e.__g||(e.__g|=8,He.push(e),io++))&&fn==J.debounceRendering||((fn=J.debounceRendering)||queueMicrotask)(Vr)}function Vr(){try{for(var e,t=1;He.length;)He.length>t&&He.sort(Hr),e=He.shift(),t=He.length,8&e.__g&&_u(e)}finally{(io=He.length)&&(fn||queueMicrotask)(Vr)}}function Wr(e,t,o,n,r,a,i,l,c,d,u){var m,p,f,h,C,S,O=n.__k||co,E=t.length;for(c=yu(o,t,O,c,E),m=0;m<E;m++)(f=o.__k[m])!=null&&(p=~f.__i&&O[f.__i]||lo,f.__i=m,S=bn(e,f,p,r,a,i,l,c,d,u),h=f.__e,(p.ref!=f.ref||8&p.__u)&&(p.ref&&_n(p.ref,null,f,p),f.ref&&u.push(f.ref,f.__c||h,f)),C=C||h,4&f.__u?(c=Gr(f,c,e,!p.__v),p.__e&&(p.__e=null)):typeof f.type=="function"&&S!==void 0?c=S:h&&(c=h.nextSibling),f.__u&=-21);return o.__e=C,c}function yu(e,t,o,n,r){var a,i,l,c,d,u,m,p,f,h=o.length,C=h,S=0,O=0,E=e.__k=Array(r);for(a=0;a<r;a++)(i=t[a])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=E[a]=St(null,i):hn(i)?i=E[a]=St(Ct,{children:i}):i.constructor===xt&&i.__b?i=E[a]=St(i.type,i.props,i.key,i.ref,i.__v):E[a]=i,c=a+S,i.__=e,i.__b=e.__b+1,l=null,~(d=i.__i=vu(i,o,c,C))&&(C--,(l=o[d])&&(l.__u|=2)),l&&l.__v?(i.__u|=16,d==c-1?S--:d==c+1?S++:d!=c&&(d>c?S--:S++,O=1)):(~d||(r>h?S--:r<h&&S++),typeof i.type!="function"&&(i.__u|=4))):E[a]=null;if(O){for(u=[],m=[],a=0;a<r;a++)if((i=E[a])&&16&i.__u){for(S=0,p=u.length;S<p;)u[f=S+p>>1]<i.__i?S=f+1:p=f;u[S]=i.__i,m[a]=S+1}for(S=u.length;a--;)m[a]&&(m[a]==S?S--:E[a].__u|=4)}if(C)for(a=0;a<h;a++)!(l=o[a])||2&l.__u||(l.__e==n&&(n=Fe(l)),yn(l,l));return n}function Gr(e,t,o,n){var r,a,i,l;if(typeof e.type=="function"){if(e.props.__P)return t;if(r=e.__k)for(a=0;a<r.length;a++)r[a]&&(r[a].__=e,t=Gr(r[a],t,o,!1));return t}for(t&&!t.parentNode&&(t=Fe(e))&&!t.parentNode&&(t=null),i=e.__e,l=t;l&&l.nodeType==8;)l=l.nextSibling;for(i!=l&&(!n&&o.moveBefore&&i.parentNode?o.moveBefore(i,t):o.insertBefore(i,t||null)),t=i;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function vu(e,t,o,n){var r,a=e.key,i=e.type,l=t[o],c=l&&!(2&l.__u);if(l===null&&a==null||c&&a==l.key&&i==l.type)return o;if(n>(c?1:0)){for(r=o-1;r>=0;r--)if((l=t[r])&&!(2&l.__u)&&a==l.key&&i==l.type)return r;for(r=o+1;r<t.length;r++)if((l=t[r])&&!(2&l.__u)&&a==l.key&&i==l.type)return r}return-1}function qr(e,t,o){o==null&&(o=""),t[0]=="-"?e.setProperty(t,o):e[t]=o}function no(e,t,o,n,r){var a,i;if(t=="style")if(typeof o=="string")e.style.cssText=o;else{if(typeof n=="string"&&(e.style.cssText=n=""),n)for(t in n)o&&t in o||qr(e.style,t);if(o)for(t in o)n&&o[t]==n[t]||qr(e.style,t,o[t])}else if(t[0]=="o"&&t[1]=="n")typeof o!="function"&&(o=null),typeof n!="function"&&(n=null),(e.__e||(e.__e={}))[t]=o,o&&n||(i=pn[t]||(pn[t]=wu(t)),(e.__a||(e.__a={}))[t]=$n,a=t!=(t=t.replace(Fr,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),o?e.addEventListener(t,i,a):e.removeEventListener(t,i,a));else{if(r=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=o??"")}catch{}if(typeof o=="function")return;o==null||o===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&o==1?"":o)}}function wu(e){return function(t){var o=this.__e;if(o){if(o=o[e],t[ro]==null)t[ro]=$n++;else if(t[ro]<this.__a[e])return;return o(J.event?J.event(t):t)}}}function bn(e,t,o,n,r,a,i,l,c,d){var u,m,p,f,h,C,S,O,E,b,x,z,Y,$e,L,me,fe,B,he=t.type;if(t.constructor!==xt)return null;128&o.__u&&(c=32&o.__u,u=o.__c.__z)&&(t.__u|=c,m=a=[],u.nodeType==8?l=ao(u,a):a.push(u),l=a[0]||l),(u=J.__b)&&u(t);e:if(typeof he=="function"){p=i.length;try{if(O=t.props,E=(u=he.prototype)&&u.render,b=(u=he.contextType)&&n[u.__c],x=u?b?b.props.value:u.__:n,(f=o.__c)?(t.__c=f,2&f.__g&&(f.__g|=1)):(E?t.__c=f=new he(O,x):(t.__c=f=new so(O,x),f.constructor=he,f.render=ku),b&&b.sub(f),f.state||(f.state={}),f.__n=n,f.__g|=8,f.__h=[],f.__k=[]),E&&(f.__s||(f.__s=f.state),he.getDerivedStateFromProps&&(f.__s==f.state&&(f.__s=et({},f.__s)),et(f.__s,he.getDerivedStateFromProps(O,f.__s)))),h=f.props,C=f.state,f.__v=t,o.__c){if(O!==h&&E&&!he.getDerivedStateFromProps&&f.componentWillReceiveProps&&f.componentWillReceiveProps(O,x),t.__v==o.__v&&!(8&f.__g)||!(4&f.__g)&&f.shouldComponentUpdate&&f.shouldComponentUpdate(O,f.__s,x)===!1){t.__v!=o.__v&&(f.props=O,f.state=f.__s,f.__g&=-9),t.__e=o.__e,t.__k=o.__k,t.__k.some(function(ge){ge&&(ge.__=t)}),co.push.apply(f.__h,f.__k),f.__k=[],f.__h.length&&i.push(f),l=Fe(o);break e}f.componentWillUpdate&&f.componentWillUpdate(O,f.__s,x),E&&f.componentDidUpdate&&f.__h.push(function(){f.componentDidUpdate(h,C,S)})}else E&&!he.getDerivedStateFromProps&&f.componentWillMount&&f.componentWillMount(),E&&f.componentDidMount&&f.__h.push(f.componentDidMount);f.context=x,f.props=O,f.__P=e,f.__g&=-5,z=J.__r,Y=E?25:0;do f.__g&=-9,z&&z(t),u=f.render(f.props,f.state=f.__s,f.context);while(8&f.__g&&++Y<25);E&&(co.push.apply(f.__h,f.__k),f.__k=[]),f.state=f.__s,f.getChildContext&&(n=et({},n,f.getChildContext())),E&&o.__c&&f.getSnapshotBeforeUpdate&&(S=f.getSnapshotBeforeUpdate(h,C)),$e=u&&u.type===Ct&&u.key==null?u.props.children:u,O.__P&&(u=l,r=(e=O.__P).namespaceURI,c=a=null,o.props&&o.props.__P!=e&&(o.__k.some(function(ge){ge&&yn(ge,ge)}),o.__k=null),l=o.__k?Fe(o,0):null),l=Wr(e,hn($e)?$e:[$e],t,o,n,r,a,i,l,c,d),O.__P&&(t.__e=null,l=u),t.__u&=-161,m&&m.some(Ze),f.__h.length&&i.push(f),1&f.__g&&(f.__g&=-4)}catch(ge){if(i.length=p,t.__v=null,c||a)if(ge&&ge.then){if(t.__u|=128|c,a){for(~(fe=a.indexOf(l||void 0))||(fe=a.length);(B=a[fe-1])&&B.nodeType==8;)fe--;for(;fe<a.length;fe++)if(B=a[fe])if(a[fe]=null,L){if(B==me)break}else{if(B.nodeType!=8)break;B.data.startsWith("$s")&&(me=ao(L=B))}}if(!L){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;L=l}(u=ao(L=t.__c.__z||(t.__c.__z=L)))?(t.__e=L,l=u):t.__e=l,l=l&&l.nextSibling}else a&&a.some(Ze);else t.__e=o.__e;t.__k||(t.__k=o.__k||[]),ge&&ge.then||Kr(t),J.__e(ge,t,o)}}else l=t.__e=Tu(o.__e,t,o,n,r,a,i,c,d,e);return(u=J.diffed)&&u(t),l}function ao(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var o=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))o++;else if(e.data.startsWith("/$s")&&!--o)return e}t&&t.push(e)}}function Kr(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Kr))}function zr(e,t,o){for(var n=0;n<o.length;)_n(o[n++],o[n++],o[n++]);J.__c&&J.__c(t,e),e.some(function(r){try{e=r.__h,r.__h=[],e.some(function(a){a.call(r)})}catch(a){J.__e(a,r.__v)}})}function Tu(e,t,o,n,r,a,i,l,c,d){var u,m,p,f,h,C,S,O,E=o.props||lo,b=t.props,x=t.type;if(x=="svg"?r="http://www.w3.org/2000/svg":x=="math"?r="http://www.w3.org/1998/Math/MathML":r||(r="http://www.w3.org/1999/xhtml"),a){for(u=0;u<a.length;u++)if((h=a[u])&&(x?h.localName==x:h.nodeType==3)){e=h,a[u]=null;break}}if(!e){if(O=d.ownerDocument||document,!x)return O.createTextNode(b);e=O.createElementNS(r,x,b.is?b:d),l&&(J.__m&&J.__m(t,a),l=!1),a=null}if(x){if(d=x=="template"&&e.content||e,a=x=="textarea"&&b.defaultValue!=null?null:a&&gn.call(d.childNodes),!l&&a)for(E={},u=0;u<e.attributes.length;u++)E[(h=e.attributes[u]).name]=h.value;for(u in E)h=E[u],u=="dangerouslySetInnerHTML"?p=h:u=="children"||u in b||u=="value"&&"defaultValue"in b||u=="checked"&&"defaultChecked"in b||no(e,u,null,h,r);for(u in b)h=b[u],u=="children"?f=h:u=="dangerouslySetInnerHTML"?m=h:u=="value"?C=h:u=="checked"?S=h:l&&typeof h!="function"||E[u]===h||no(e,u,h,E[u],r);m?(l||p&&(m.__html==p.__html||m.__html==e.innerHTML)||(e.innerHTML=m.__html),t.__k=[]):(p&&(e.textContent=""),(x=="foreignObject"||r=="http://www.w3.org/1998/Math/MathML"&&bu.test(x))&&(r="http://www.w3.org/1999/xhtml"),Wr(d,hn(f)?f:[f],t,o,n,r,a,i,a?a[0]:o.__k&&Fe(o,0),l,c),a&&a.some(Ze)),l&&x!="textarea"||(u="value",x=="progress"&&C==null?e.removeAttribute(u):C==null||C===e[u]&&(x!="progress"||C)||no(e,u,C,E[u],r),u="checked",S!=null&&S!=e[u]&&no(e,u,S,E[u],r))}else E===b||l&&e.data==b||(e.data=b);return e}function _n(e,t,o,n){try{typeof e=="function"?t?t.__x=e(t)||1:n&&(n=n.__c||n.__e)&&(t=n.__x)&&(n.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(r){J.__e(r,o)}}function yn(e,t,o){var n,r,a,i;if(J.unmount&&J.unmount(e),!(n=e.ref)||n.current&&n.current!=e.__e||_n(n,null,t,e),n=e.__c){if(n.componentWillUnmount)try{n.componentWillUnmount()}catch(l){J.__e(l,t)}n.__P=n.__n=null}if(n=e.__k)for(i=0;i<n.length;i++)n[i]&&yn(n[i],t,typeof e.type!="function"||o&&!e.props.__P);!o&&(n=e.__c)&&(n=n.__z)&&(r=ao(n,a=[]))&&(n==e.__e&&a.some(Ze),Ze(r),Ze(n)),o||Ze(e.__e),e.__e=e.__c=e.__=null}function ku(e,t,o){return this.constructor(e,o)}function vn(e,t){var o,n,r,a;J.__&&J.__(e,t),t.nodeType==9&&(t=t.documentElement),n=(o=e&&32&e.__u)?null:t.__k,t.__k=St(Ct,{children:[e]}),r=[],a=[],bn(t,t.__k,n||lo,lo,t.namespaceURI,n?null:t.firstChild?gn.call(t.childNodes):null,r,n?n.__e:t.firstChild,o,a),zr(r,t.__k,a),t.__k.props.children=null}J={__e:function(e,t,o,n){for(var r,a,i;t=t.__;)if((r=t.__c)&&!(1&r.__g)){r.__g|=4;try{if((i=(a=r.constructor)&&a.getDerivedStateFromError)&&r.setState(a.getDerivedStateFromError(e)),r.componentDidCatch&&(r.componentDidCatch(e,n||{}),i=1),i&&8&r.__g)return void(r.__g|=2)}catch(l){e=l}}throw io=0,e}},Br=0,hu=function(e){return e!=null&&e.constructor===xt},so.prototype.setState=function(e,t){var o=this.__s;o&&o!=this.state||(o=this.__s=et({},this.state)),typeof e=="function"&&(e=e(et({},o),this.props)),e&&(et(o,e),this.__v&&(t&&this.__k.push(t),Lr(this)))},so.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Lr(this))},so.prototype.render=Ct,He=[],io=0,Hr=function(e,t){return e.__v.__b-t.__v.__b},ro=Symbol(),Fr=/(PointerCapture)$|Capture$/i,$n=0,pn={},gu=0;/*! htm 3.1.1, Apache-2.0: see LICENSE.htm.txt */var Xr=function(e,t,o,n){var r;t[0]=0;for(var a=1;a<t.length;a++){var i=t[a++],l=t[a]?(t[0]|=i?1:2,o[t[a++]]):t[++a];i===3?n[0]=l:i===4?n[1]=Object.assign(n[1]||{},l):i===5?(n[1]=n[1]||{})[t[++a]]=l:i===6?n[1][t[++a]]+=l+"":i?(r=e.apply(l,Xr(e,l,o,["",null])),n.push(r),l[0]?t[0]|=2:(t[a-2]=0,t[a]=r)):n.push(l)}return n},Jr=new Map;function Yr(e){var t=Jr.get(this);return t||(t=new Map,Jr.set(this,t)),(t=Xr(this,t.get(e)||(t.set(e,t=(function(o){for(var n,r,a=1,i="",l="",c=[0],d=function(p){a===1&&(p||(i=i.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?c.push(0,p,i):a===3&&(p||i)?(c.push(3,p,i),a=2):a===2&&i==="..."&&p?c.push(4,p,0):a===2&&i&&!p?c.push(5,0,!0,i):a>=5&&((i||!p&&a===5)&&(c.push(a,0,i,r),a=6),p&&(c.push(a,p,0,r),a=6)),i=""},u=0;u<o.length;u++){u&&(a===1&&d(),d(u));for(var m=0;m<o[u].length;m++)n=o[u][m],a===1?n==="<"?(d(),c=[c],a=3):i+=n:a===4?i==="--"&&n===">"?(a=1,i=""):i=n+i[0]:l?n===l?l="":i+=n:n==='"'||n==="'"?l=n:n===">"?(d(),a=1):a&&(n==="="?(a=5,r=i,i=""):n==="/"&&(a<5||o[u][m+1]===">")?(d(),a===3&&(c=c[0]),a=c,(c=c[0]).push(2,0,a),a=0):n===" "||n==="	"||n===`
`||n==="\r"?(d(),a=2):i+=n),a===3&&i==="!--"&&(a=4,c=c[0])}return d(),c})(e)),t),arguments,[])).length>1?t:t[0]}/*! preact/hooks 11.2.0, MIT: see LICENSE.preact.txt */var tt,se,wn,Qr,Tn=Object.is,Rt=0,is=[],kn=[],re=J,Zr=re.__b,es=re.__r,ts=re.diffed,os=re.__c,ns=re.unmount,rs=re.__;function At(e,t){re.__h&&re.__h(se,e,Rt||t),Rt=0;var o=se.__H||(se.__H={__:[],__h:[]});return e>=o.__.length&&o.__.push({}),o.__[e]}function $(e){return Rt=1,Su(ls,e)}function Su(e,t,o){var n=At(tt++,2);if(n.t=e,!n.__c&&(n.__=[o?o(t):ls(void 0,t),function(a){var i=(n.__N||n.__)[0],l=n.t(i,a);Tn(i,l)||(n.__N=[l,n.__[1]],n.__c.setState({}))}],n.__c=se,!se.__f)){se.__f=!0;var r=se.shouldComponentUpdate;se.shouldComponentUpdate=function(a,i,l){var c=this.__H;if(!c)return!0;var d=!1,u=this.props!=a;if(c.__.some(function(p){p.__N&&(d=!0,Tn(p.__[0],p.__N[0])||(u=!0))}),r){var m=r.call(this,a,i,l);return d?m||u:m}return!d||u}}return n.__}function v(e,t){var o=At(tt++,3);!re.__s&&xn(o.__H,t)&&(o.__P=!0,o.__=e,o.u=t,se.__H.__h.push(o))}function ye(e,t){var o=At(tt++,4);!re.__s&&xn(o.__H,t)&&(o.__P=!1,o.__=e,o.u=t,se.__h.push(o))}function w(e){return Rt=5,V(function(){return{current:e}},[])}function V(e,t){var o=At(tt++,7);return xn(o.__H,t)&&(o.__=e(),o.__H=t),o.__}function A(e,t){return Rt=8,V(function(){return e},t)}function Q(){var e=At(tt++,11);if(!e.__){for(var t=se.__v;!t.__m&&t.__;)t=t.__;var o=t.__m||(t.__m=[0,0]);e.__="P"+o[0]+"-"+o[1]++}return e.__}function xu(){var e;do{for(;e=kn.shift();)try{Et(e)}catch(o){re.__e(o,{__:(e=e.__P)&&e.__v})}for(;e=is.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(Et),t.__h.some(Sn),t.__h=[]}catch(o){t.__h=[],re.__e(o,e.__v)}}}while(kn.length)}re.__b=function(e){se=null,Zr&&Zr(e)},re.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),rs&&rs(e,t)},re.__r=function(e){es&&es(e),tt=0;var t=(se=e.__c).__H;t&&(wn==se?se.__h=[]:(t.__h.some(Et),t.__h.some(Sn),tt=0),t.__h=[],t.__.some(function(o){o.__N&&(o.__=o.__N),o.u=o.__N=void 0})),wn=se},re.diffed=function(e){ts&&ts(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&as(is.push(t)),t.__H.__.some(function(o){o.u&&(o.__H=o.u)})),wn=se=null},re.__c=function(e,t){t.some(function(o){try{o.__h.some(Et),o.__h=o.__h.filter(function(n){return!n.__||Sn(n)})}catch(n){o.__h=[function(){throw n}]}}),os&&os(e,t)},re.unmount=function(e){ns&&ns(e);var t,o,n=e.__c;n&&n.__H&&(n.__H.__.some(function(r){try{if(r.__P&&r.__c){if(o===void 0){for(o=e.__;o&&(!o.__c||!o.__c.__P);)o=o.__;o=o&&o.__c}r.__P=o,as(kn.push(r))}else Et(r)}catch(a){t=a}}),n.__H=void 0,t&&re.__e(t,n.__v))};var ss=typeof requestAnimationFrame=="function";function Cu(e){var t,o=function(){clearTimeout(n),ss&&cancelAnimationFrame(t),setTimeout(e)},n=setTimeout(o,35);ss&&(t=requestAnimationFrame(o))}function as(e){e!=1&&Qr==re.requestAnimationFrame||((Qr=re.requestAnimationFrame)||Cu)(xu)}function Et(e){var t=se,o=e.__c;typeof o=="function"&&(e.__c=void 0,o()),se=t}function Sn(e){var t=se;e.__c=e.__(),se=t}function xn(e,t){return!e||e.length!=t.length||t.some(function(o,n){return!Tn(o,e[n])})}function ls(e,t){return typeof t=="function"?t(e):t}var s=Yr.bind(Ur);var Cn=new Set;function En(){return[...Cn].flatMap(e=>e.current)}function ie(e){let t=w(e);t.current=e,ye(()=>(Cn.add(t),()=>{Cn.delete(t)}),[])}function Eu(e){let t=`${e.ctrlKey||e.metaKey?"mod+":""}${e.key}`,n=(e.target instanceof HTMLElement?e.target:null)?.matches("input:not([type=checkbox], [type=radio], [type=range]), textarea, select");if(e.defaultPrevented||e.isComposing||e.altKey||n&&t.length===1||document.querySelector("dialog[open]"))return;let r=En().findLast(a=>a.keys===t);r!==void 0&&(e.preventDefault(),r.run())}addEventListener("keydown",Eu);var Ru=/Mac|iP/.test(navigator.platform);function be(e){return e.replace("mod+",Ru?"⌘ ":"Ctrl ").replace("Enter","⏎").replace("Escape","Esc")}var Oe=new URL("../../",import.meta.url),Ue=document.querySelector('meta[name="flexchat-stage"]')?.getAttribute("content")??"",Ot=[{name:"tools-testing",title:"Test"},{name:"chat",title:"Chat"},{name:"validation",title:"Validation"},{name:"traces",title:"Traces"},{name:"usage",title:"Usage"},{name:"retrieval",title:"Retrieval"},{name:"configuration",title:"Configuration"}],Rn="flexchat:route",An="runs/";function ke(){let e=location.pathname.slice(Oe.pathname.length).replace(/\/$/,""),t=Object.fromEntries(new URLSearchParams(location.search));return e.startsWith(An)?{view:"runs",id:Au(e.slice(An.length)),params:t}:{view:Ot.find(n=>n.name===e)?.name??"tools-testing",id:"",params:t}}function Au(e){try{return decodeURIComponent(e)}catch{return e}}function Se(e){return`${An}${encodeURIComponent(e)}`}function je(e,t={}){let o=new URL(e,Oe);for(let[n,r]of Object.entries(t))r!==""&&o.searchParams.set(n,r);return o.href}function I(e,t={},{replace:o=!1}={}){let n=je(e,t);n!==location.href&&history[o?"replaceState":"pushState"](null,"",n),dispatchEvent(new Event(Rn))}function cs(){let[e,t]=$(ke);return v(()=>{let o=()=>t(ke());return addEventListener("popstate",o),addEventListener(Rn,o),()=>{removeEventListener("popstate",o),removeEventListener(Rn,o)}},[]),e}var us="flexchat.theme",ds=matchMedia("(prefers-color-scheme: dark)");function On(){let e=localStorage.getItem(us);return e==="light"||e==="dark"?e:ds.matches?"dark":"light"}function ms(e){localStorage.setItem(us,e),uo()}function uo(){document.documentElement.dataset.theme=On()}ds.addEventListener("change",uo);var Mn="flexchat.token",In="flexchat:token",mo=sessionStorage.getItem(Mn)??"";function ut(){return mo}function ot(e,{keep:t=!1}={}){mo=e,t&&e?sessionStorage.setItem(Mn,e):sessionStorage.removeItem(Mn),dispatchEvent(new Event(In))}function le(){let[e,t]=$(mo);return v(()=>{let o=()=>t(mo);return addEventListener(In,o),()=>removeEventListener(In,o)},[]),e}function Me({title:e,open:t,onClose:o,children:n}){let r=w(null),a=Q();return v(()=>{let l=r.current;t&&!l?.open&&l?.showModal(),!t&&l?.open&&l.close()},[t]),s`
    <dialog ref=${r} aria-labelledby=${a} onCancel=${l=>{l.preventDefault(),o?.()}}>
      <div class="dialog-head">
        <h2 id=${a}>${e}</h2>
        ${o&&s`<button type="button" class="quiet" aria-label="Close" onClick=${o}>✕</button>`}
      </div>
      ${t&&n}
    </dialog>
  `}var fs=JSON,Ou=/^-?\d+$/;function ee(e){return JSON.parse(e,(o,n,r)=>{let a=r?.source??"";return typeof n=="number"&&!Number.isSafeInteger(n)&&Ou.test(a)&&fs.rawJSON?fs.rawJSON(a):n})}var U=class extends Error{constructor(t,o,{status:n=0,code:r="",requestId:a="",details:i=[],retryAfter:l=0}={}){super(o),this.kind=t,this.status=n,this.code=r,this.requestId=a,this.details=i,this.retryAfter=l}};async function D(e,t){let o=await fo(e,t);return o.status===204?void 0:await Mu(o)}async function fo(e,{method:t="GET",body:o,query:n={},headers:r={},signal:a,keepalive:i=!1}={}){let l=new URL(e,Oe);for(let[u,m]of Object.entries(n))m!==void 0&&m!==""&&l.searchParams.set(u,String(m));let c={Accept:"application/json"};ut()&&(c.Authorization=`Bearer ${ut()}`),o!==void 0&&(c["Content-Type"]="application/json"),Object.assign(c,r);let d=await Iu(l,{method:t,headers:c,cache:"no-store",credentials:"omit",keepalive:i,...o===void 0?{}:{body:JSON.stringify(o)},...a===void 0?{}:{signal:a}});if(!d.ok)throw await Du(d);return d}async function Mu(e){try{return ee(await e.text())}catch(t){throw t instanceof DOMException&&t.name==="AbortError"?t:new U("failed","The response is incomplete or not JSON. Try again.",{status:e.status})}}async function Iu(e,t){try{return await fetch(e,t)}catch(o){throw o instanceof DOMException&&o.name==="AbortError"?o:new U("offline","No response. Check the network and that the stack is running, then try again.")}}async function Du(e){let t=await e.text().then(ee).catch(()=>({})),o=Nu(e);return new U(o,t.message??`The service returned status ${e.status} without a message.`,{status:e.status,code:t.error??"",requestId:t.request_id??e.headers.get("x-amzn-requestid")??"",details:t.details??[],retryAfter:Number(e.headers.get("retry-after"))||0})}function Nu({status:e,headers:t}){return e===401?"token":e===403?t.has("x-amzn-errortype")?"token":"forbidden":e<500?"refused":"failed"}var pe=encodeURIComponent,ps="text/event-stream",K=e=>e===void 0?{}:{signal:e},T={me:e=>D("api/me",K(e)),meFor:(e,t)=>D("api/me",{headers:{Authorization:`Bearer ${e}`},...K(t)}),tools:e=>D("api/tools/list",K(e)),models:e=>D("api/models/list",K(e)),testTools:(e,t)=>D("api/tools/test",{method:"POST",body:e,...K(t)}),callTool:(e,t)=>D("api/tools/call",{method:"POST",body:e,...K(t)}),streamChat:(e,t)=>fo("api/chat",{method:"POST",body:e,headers:{Accept:ps},...K(t)}),runEvents:(e,t,o)=>fo(`api/runs/${pe(e)}/events`,{headers:{Accept:ps,...t&&{"Last-Event-ID":t}},...K(o)}),startChat:(e,t)=>D("api/chat",{method:"POST",body:e,headers:{Prefer:"respond-async"},...K(t)}),run:(e,t)=>D(`api/runs/${pe(e)}`,K(t)),cancelRun:(e,{keepalive:t=!1}={})=>D(`api/runs/${pe(e)}`,{method:"DELETE",keepalive:t}),sessions:({limit:e,cursor:t,signal:o}={})=>D("api/sessions",{query:{limit:e,cursor:t},...K(o)}),session:(e,t)=>D(`api/sessions/${pe(e)}`,K(t)),renameSession:(e,t)=>D(`api/sessions/${pe(e)}`,{method:"PATCH",body:{title:t}}),deleteSession:e=>D(`api/sessions/${pe(e)}`,{method:"DELETE"}),messages:(e,{limit:t,cursor:o,fromTurn:n,signal:r}={})=>D(`api/sessions/${pe(e)}/messages`,{query:{limit:t,cursor:o,from_turn:n},...K(r)}),collections:e=>D("api/collections",K(e)),search:(e,t,o)=>D(`api/collections/${pe(e)}/query`,{method:"POST",body:t,...K(o)}),changeCollection:(e,t)=>D(`api/collections/${pe(e)}`,{method:"PATCH",body:t}),statuses:e=>D("api/tools/validate",K(e)),history:(e,{limit:t,cursor:o,signal:n}={})=>D("api/tools/validate",{query:{model:e,limit:t,cursor:o},...K(n)}),validationRuns:({limit:e,cursor:t,signal:o}={})=>D("api/validation/runs",{query:{limit:e,cursor:t},...K(o)}),validationRun:(e,{limit:t,cursor:o,signal:n}={})=>D(`api/validation/runs/${pe(e)}`,{query:{limit:t,cursor:o},...K(n)}),startValidation:e=>D("api/tools/validate",{method:"POST",body:e}),stopValidation:e=>D(`api/validation/runs/${pe(e)}`,{method:"DELETE"}),resumeValidation:e=>D(`api/validation/runs/${pe(e)}/resume`,{method:"POST"}),suites:e=>D("api/validation/suites",K(e)),suite:(e,t)=>D(`api/validation/suites/${pe(e)}`,K(t)),putSuite:(e,t)=>D(`api/validation/suites/${pe(e)}`,{method:"PUT",body:t}),configuration:e=>D("api/config",K(e)),matchRule:(e,t)=>D("api/config/match",{method:"POST",body:{profile:e},...K(t)}),mcpServers:e=>D("api/mcp/servers",K(e)),refreshMcpServer:(e,t)=>D(`api/mcp/servers/${pe(e)}/refresh`,{method:"POST",...K(t)}),approveMcpTools:(e,t,o)=>D(`api/mcp/servers/${pe(e)}/approve`,{method:"POST",body:t,...K(o)}),health:e=>D("health",K(e))};function ae(e,t=[]){let o=le(),n=w(e);n.current=e;let r=JSON.stringify(t),[a,i]=$(0),[l,c]=$({data:void 0,error:void 0,loading:!0});return v(()=>{if(o==="")return;let d=new AbortController;return c(u=>({...u,loading:!0})),n.current(d.signal).then(u=>!d.signal.aborted&&c({data:u,error:void 0,loading:!1}),u=>!d.signal.aborted&&c(m=>({...m,error:po(u),loading:!1}))),()=>d.abort()},[r,o,a]),{...l,reload:A(()=>i(d=>d+1),[])}}function q(){let e=w(void 0),[t,o]=$({busy:!1,since:0,error:void 0,cancelled:!1});v(()=>()=>e.current?.abort(),[]);let n=A(async i=>{e.current?.abort();let l=new AbortController;e.current=l,o({busy:!0,since:performance.now(),error:void 0,cancelled:!1});let c;try{await i(l.signal)}catch(d){l.signal.aborted||(c=po(d))}e.current===l&&o(d=>({...d,busy:!1,error:c,cancelled:l.signal.aborted}))},[]),r=A(()=>e.current?.abort(),[]),a=A(()=>o(i=>({...i,error:void 0,cancelled:!1})),[]);return{...t,run:n,cancel:r,clear:a}}function po(e){return e instanceof U?e:(reportError(e),new U("page",`Error in the page: ${e instanceof Error?e.message:String(e)}`))}var Ve=e=>e===void 0?{}:{signal:e},Dn=e=>`api/traces/${encodeURIComponent(e)}`,ce={list:(e,t)=>D("api/traces",{query:e,...Ve(t)}),trace:(e,t)=>D(Dn(e),Ve(t)),logs:(e,t)=>D(`${Dn(e)}/logs`,Ve(t)),case:(e,t)=>D(`${Dn(e)}/case`,Ve(t)),rate:(e,t)=>D(`api/runs/${encodeURIComponent(e)}/feedback`,{method:"POST",body:t}),usage:(e,t)=>D("api/usage",{query:e,...Ve(t)}),chat:(e,t)=>D("api/chat",{method:"POST",body:e,...Ve(t)}),offered:e=>D("v1/models",Ve(e)),complete:(e,t)=>D("v1/chat/completions",{method:"POST",body:e,...Ve(t)})};var $o="flexchat:cached-query",Mt=new Map;function dt(e,t){let[o,n]=$(0),r=ae(()=>Pu(e,t),[o]);return v(()=>{r.error!==void 0&&Mt.delete(e)},[r.error,e]),v(()=>{let a=i=>{i instanceof CustomEvent&&i.detail===e&&n(l=>l+1)};return addEventListener($o,a),()=>removeEventListener($o,a)},[e]),{...r,reload:A(()=>$s(e),[e]),put:A(a=>hs(e,a),[e])}}function $s(e){Mt.delete(e),dispatchEvent(new CustomEvent($o,{detail:e}))}function hs(e,t){Mt.set(e,{token:ut(),promise:Promise.resolve(t)}),dispatchEvent(new CustomEvent($o,{detail:e}))}function Pu(e,t){let o=ut(),n=Mt.get(e);if(n?.token===o)return n.promise;let r=t();return Mt.set(e,{token:o,promise:r}),r}var We=()=>dt("tools",()=>T.tools()),Ie=()=>dt("models",()=>T.models()),gs=()=>$s("models"),ho=()=>dt("collections",()=>T.collections()),Lu=200,bs=e=>dt(`ratings ${e}`,()=>qu(e));async function qu(e){let{traces:t}=await ce.list({session:e,limit:Lu});return Object.fromEntries(t.flatMap(({id:o,rating:n})=>n?[[o,n]]:[]))}var _s=e=>hs("caller",e);function X(){let{data:e}=dt("caller",()=>T.me());return e===void 0||e.roles.includes("operator")}function ys(){return dt("caller",()=>T.me()).data?.principal}var Bu=3e4;function ws({route:e,onToken:t,onHelp:o}){let n=le(),r=X();return s`
    <header class="shell">
      <a class="brand" href=${Oe.href} onClick=${a=>vs(a,"tools-testing")}>
        Flexchat ${Ue&&s`<small>stage ${Ue}</small>`}
      </a>
      <nav aria-label="Views">
        ${Ot.filter(({name:a})=>r||a!=="configuration"||a===e.view).map(({name:a,title:i})=>s`
            <a
              href=${je(a)}
              aria-current=${Hu(a,e.view)}
              onClick=${l=>vs(l,a)}
              >${i}</a
            >
          `)}
      </nav>
      <div class="shell-status">
        <${Uu} />
        <button type="button" class="quiet" onClick=${t}>${n?"Token":"No token"} ▾</button>
        <${Fu} />
        <button type="button" class="quiet" aria-label="Show keyboard shortcuts" title="Show keyboard shortcuts (?)" onClick=${o}>?</button>
      </div>
    </header>
  `}function Hu(e,t){return e===t?"page":e==="traces"&&t==="runs"?"true":void 0}function vs(e,t){e.metaKey||e.ctrlKey||e.shiftKey||e.button!==0||(e.preventDefault(),I(t))}function Fu(){let[e,t]=$(On),o=e==="dark"?"light":"dark",n=()=>{ms(o),t(o)},r=`Switch to the ${o} theme`;return s`<button type="button" class="quiet" aria-label=${r} title=${r} onClick=${n}>◐</button>`}function Uu(){let[e,t]=$("unknown");v(()=>{let r=()=>{document.hidden||T.health().then(()=>t("healthy"),()=>t("unreachable"))};r();let a=setInterval(r,Bu);return document.addEventListener("visibilitychange",r),()=>{clearInterval(a),document.removeEventListener("visibilitychange",r)}},[]);let o={unknown:"○",healthy:"●",unreachable:"▲"}[e],n={unknown:"plain",healthy:"good",unreachable:"bad"}[e];return s`<span class="health" data-tone=${n} role="status">
    <span aria-hidden="true">${o}</span> ${e==="unknown"?"checking":e}
  </span>`}var ju=new Intl.NumberFormat("en-GB"),Vu=new Intl.NumberFormat("en-GB",{maximumSignificantDigits:2}),Wu=new Intl.DateTimeFormat("en-GB",{dateStyle:"medium",timeStyle:"medium"}),Ts=new Intl.RelativeTimeFormat("en-GB",{numeric:"auto"}),Gu=[["day",86400],["hour",3600],["minute",60]];function y(e){return ju.format(e)}function g(e,t,o=`${t}s`){return`${y(e)} ${e===1?t:o}`}function R(e){if(e<999.5)return`${Math.round(e)} ms`;if(e<59950)return`${(e/1e3).toFixed(e<1e4?2:1)} s`;let t=Math.round(e/1e3);return`${Math.floor(t/60)} min ${t%60} s`}function mt(e){return`${Math.round(e*100)} %`}function oe(e){return`$${e>=1?e.toFixed(2):Vu.format(e)}`}function Ge(e){return e<1e3?`${e} B`:e<999500?`${Math.round(e/1e3)} kB`:`${(e/1e6).toFixed(1)} MB`}function xe(e){return e.toFixed(3)}function De(e){return Wu.format(new Date(e))}function ks(e,t=Date.now()){let o=(new Date(e).getTime()-t)/1e3;for(let[n,r]of Gu)if(Math.abs(o)>=r)return Ts.format(Math.round(o/r),n);return Math.abs(o)<10?"just now":Ts.format(Math.round(o),"second")}var Ku=200;function M({label:e,since:t}){let[o,n]=$(performance.now());return v(()=>{let r=setInterval(()=>n(performance.now()),Ku);return()=>clearInterval(r)},[]),s`<span class="busy">
    <span class="spinner" aria-hidden="true"></span>
    <span role="status">${e}</span>
    <span class="number" aria-hidden="true">${R(Math.max(0,o-t))}</span>
  </span>`}function H({lines:e=3,label:t}){return s`<div class="skeleton" role="status" aria-label=${`Loading ${t}`}>
    ${Array.from({length:e},()=>s`<span></span>`)}
  </div>`}function ue({title:e,children:t}){return s`<div class="empty"><h2>${e}</h2>${t}</div>`}function Ss({open:e,needed:t,onClose:o}){let[n,r]=$(""),[a,i]=$(!1),l=q(),c=u=>{u.preventDefault();let m=n.trim();m===""||l.busy||l.run(async p=>{let f=await T.meFor(m,p);ot(m,{keep:a}),_s(f),r(""),o()})},d=()=>{ot(""),r("")};return s`
    <${Me} title="API token" open=${e} onClose=${t?void 0:o}>
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
        ${l.error&&s`<p id="token-problem" class="problem-text" role="alert">${zu(l.error)}</p>`}
        <div class="row">
          <button type="submit" class="primary" disabled=${l.busy}>Sign in</button>
          ${!t&&s`<button type="button" onClick=${d}>Sign out</button>`}
          ${l.busy&&s`<${M} label="Verifying the token" since=${l.since} />`}
        </div>
      </form>
    <//>
  `}function zu(e){return e.kind==="token"?`The token is not valid: ${e.message}.`:e.message}function P({summary:e,open:t=!1,children:o}){let[n,r]=$(t);return s`
    <details class="collapsible" open=${n} onToggle=${a=>r(a.currentTarget.open)}>
      <summary>${e}</summary>
      ${n&&s`<div class="collapsible-body">${o}</div>`}
    </details>
  `}var Ju=matchMedia("(width < 800px)"),Xu=40;function Ke(e){let t=w(null),o=w(!1),n=w({busy:e,at:0});ye(()=>{let{current:a}=n;o.current&&Ju.matches&&e!==a.busy&&((e||Math.abs(scrollY-a.at)<Xu)&&t.current?.scrollIntoView({block:"start"}),o.current=e),n.current={busy:e,at:e&&!a.busy?scrollY:a.at}},[e]);let r=A(()=>{o.current=!0},[]);return{section:t,reveal:r}}function de({title:e,controls:t,section:o,children:n}){return s`
    <h1 class="hidden">${e}</h1>
    <div class="split">
      <section class="split-controls" aria-label="Controls">${t}</section>
      <section class="split-results" ref=${o} aria-label="Results">${n}</section>
    </div>
  `}var xs=3e6,Nn=new Set(["image/png","image/jpeg","image/webp","image/gif"]),Cs=[...Nn,".pdf,.txt,.md,.csv,.json,.html,.docx,.pptx,.xlsx,.epub"].join(",");function Es(e,t){let o=e.find(({type:i})=>i.startsWith("image/")&&!Nn.has(i));if(o)return`${o.name} is of the type ${o.type}. Attach PNG, JPEG, WebP or GIF pictures.`;let n=e.find(({size:i})=>i===0);if(n)return`${n.name} is empty.`;let r=[...t,...e].reduce((i,{size:l})=>i+l,0);return r<=xs?"":`${e.map(({name:i})=>i).join(", ")}: the files have ${Ge(r)} together, and a message takes ${Ge(xs)}. Send larger ones with “flexchat chat --file”.`}function Rs(e){return new Promise((t,o)=>{let n=new FileReader;n.onload=()=>t({name:e.name,type:e.type,size:e.size,url:n.result}),n.onerror=()=>o(n.error),n.readAsDataURL(e)})}function As(e){let t="auto";return e.length>0?{attachments:e.map(({name:o,url:n})=>({name:o,url:n,detail:t}))}:{}}function go({attachments:e,onRemove:t}){return e.length===0?null:s`
    <ul class="chat-attachments" aria-label="Attachments">
      ${e.map(({name:o,type:n,size:r,url:a},i)=>s`
          <li key=${i}>
            ${a&&Nn.has(n)?s`<img src=${a} alt=${o||"Picture"} />`:s`<span aria-hidden="true">${n.startsWith("image/")?"▣":"▤"}</span>`}
            <span>${o||n}</span>
            <small>${Ge(r)}</small>
            ${t&&s`<button type="button" class="quiet" aria-label=${`Remove ${o||n}`} onClick=${()=>t(i)}>✕</button>`}
          </li>
        `)}
    </ul>
  `}var Pn="flexchat.enter",Os="breaks";function Ms(){return localStorage.getItem(Pn)!==Os}function Is(e){e?localStorage.removeItem(Pn):localStorage.setItem(Pn,Os)}function Ds({key:e,shiftKey:t,altKey:o,ctrlKey:n,metaKey:r,isComposing:a,keyCode:i},l){return l&&e==="Enter"&&!(t||o||n||r||a||i===229)}var Ln="chat-message";function Ns({draft:e,attachments:t,onAttach:o,onDetach:n,busy:r,waiting:a,since:i,hint:l,isAway:c,field:d,onWrite:u,onSend:m,onCancel:p,onJump:f}){let[h,C]=$(Ms),[S,O]=$(""),E=w(null),b=async B=>{let he=[...B??[]],ge=Es(he,t);if(O(ge),!(ge!==""||he.length===0))try{o(await Promise.all(he.map(Rs)))}catch{O("The file could not be read. Choose it again.")}},x=B=>{B.clipboardData?.files.length&&(B.preventDefault(),b(B.clipboardData.files))},z=B=>{B.preventDefault(),b(B.dataTransfer?.files)},Y=B=>{B.dataTransfer?.types.includes("Files")&&B.preventDefault()},$e=B=>{O(""),n(B),d.current?.focus()},L=B=>{B.preventDefault(),m()},me=B=>{Ds(B,h)&&(B.preventDefault(),m())},fe=()=>{Is(!h),C(!h)};return s`
    <form class="chat-composer" onSubmit=${L} onDragOver=${Y} onDrop=${z}>
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
          onInput=${B=>u(B.currentTarget.value)}
        ></textarea>
      </label>
      <div class="row">
        <${Yu} field=${d} busy=${r} disabled=${l!==""||e.trim()===""} keys=${h?"Enter":"mod+Enter"} onCancel=${p} />
        <button type="button" onClick=${()=>E.current?.click()}>Attach</button>
        <input
          ref=${E}
          type="file"
          class="hidden"
          tabindex="-1"
          multiple
          accept=${Cs}
          aria-label="Pictures and files"
          onChange=${({currentTarget:B})=>{b(B.files),B.value=""}}
        />
        ${a&&s`<${M} label=${a} since=${i} />`}
        ${l&&s`<span class="problem-text">✕ ${l}</span>`}
        <label class="check chat-enter" title="Shift+Enter inserts a line break. If unchecked, Enter inserts it.">
          <input type="checkbox" checked=${h} onChange=${fe} />
          <small>Send with Enter</small>
        </label>
      </div>
    </form>
  `}function Yu({field:e,busy:t,disabled:o,keys:n,onCancel:r}){let a=w(null),i=w(null),l=w(null);return ye(()=>{let[c,d]=t?[a.current,i.current]:[i.current,e.current];c!==null&&l.current===c&&d?.focus({preventScroll:!0})},[t,e]),l.current=document.activeElement,s`
    <button ref=${a} type="submit" class="primary" disabled=${t||o}>
      Send <span aria-hidden="true">${be(n)}</span>
    </button>
    <button ref=${i} type="button" hidden=${!t} onClick=${r}>
      Cancel <span aria-hidden="true">${be("Escape")}</span>
    </button>
  `}var Qu=2e3;function te({text:e,label:t}){let[o,n]=$("");return v(()=>{if(o==="")return;let a=setTimeout(()=>n(""),Qu);return()=>clearTimeout(a)},[o]),s`<button type="button" class="quiet" onClick=${()=>navigator.clipboard.writeText(typeof e=="string"?e:e()).then(()=>n("copied ✓"),()=>n("not copied: access denied by the browser"))}>
    ${t}<span role="status">${o&&s` · ${o}`}</span>
  </button>`}var Ps={offline:"The service cannot be reached",token:"The token is not valid",forbidden:"The token lacks the required role",refused:"The request was rejected",failed:"The service failed",page:"The page failed"},nt={bad_gateway:"The service failed",built_in_suite:"The suite is built in",configuration:"Configuration error",conflict:"Conflict with another change",definitions_changed:"The definitions have changed",empty_image_file:"The picture is empty",failed_to_download_image:"The picture could not be fetched",forbidden:"The token lacks the required role",idempotency_in_progress:"The request is still in progress",idempotency_key_reused:"The idempotency key was already used",image_file_not_found:"The file is not uploaded",image_too_large:"The picture is too large",internal_error:"The service failed",invalid_case:"No validation case can be made",invalid_cursor:"The list has changed",invalid_idempotency_key:"The request is not valid",invalid_last_event_id:"The request is not valid",invalid_request:"The request is not valid",invalid_schema:"The schema of the answer is not valid",invalid_suite:"The suite is not valid",mcp_failed:"The MCP server cannot be used",mcp_starting:"The MCP server is still starting",message_too_long:"No validation case can be made",model_in_validation:"A validation run is testing this model",model_not_found:"Model not found",no_content:"No validation case can be made",no_message:"No validation case can be made",no_successful_call:"No validation case can be made",no_tools:"No validation case can be made",no_prices:"The model has no prices",not_found:"Not found",not_listed:"The tools of the server are not listed yet",payload_too_large:"The request is too large",range_too_large:"The period is too long",rate_limited:"Too many requests",response_too_large:"The response is too large",resume_token_expired:"The partial answer has expired",resume_token_in_use:"The partial answer is in use",resume_token_invalid:"The partial answer cannot be continued",resume_token_used:"The partial answer was already continued",run_ended:"The run has ended",run_not_found:"Run not found",server_disabled:"The MCP server is disabled",server_not_found:"MCP server not found",session_busy:"The session is in use",session_moved_on:"The session has changed",session_not_found:"Session not found",suite_not_found:"Suite not found",timeout:"The service did not answer in time",tool_disabled:"The tool is disabled",tool_not_found:"Tool not found",tools_disabled:"Tools are disabled",too_many_failed_calls:"No validation case can be made",trace_not_found:"Trace not found",unauthorized:"The token is not valid",unavailable:"The service is unavailable",unsupported_image_media_type:"The picture is of a type that models do not read",unsupported_media_type:"The request is not valid",collection_conflict:"Conflict with another change",collection_configuration:"Configuration error",collection_damaged:"The collection is damaged",collection_exists:"The collection already exists",collection_invalid:"The request is not valid",collection_not_found:"Collection not found",collection_too_large:"The request is too large",collection_unavailable:"The collection is unavailable",model_authentication:"The provider rejected the API key",model_content_filter:"The content filter blocked the message",model_context_length:"The conversation is too long",model_invalid_request:"The provider rejected the request",model_invalid_response:"The provider's response is not valid",model_invalid_format:"The model's answer has another form",model_malformed_tool_call:"The model's tool call cannot be read",model_network:"The provider cannot be reached",model_overloaded:"The provider is overloaded",model_permission:"The API key has no access to this model",model_rate_limit:"The provider's rate limit was reached",model_server_error:"The provider failed",model_timeout:"The provider did not answer in time",model_unsupported_content:"The model does not read this"},Zu={404:nt.not_found??"",408:nt.timeout??"",413:nt.payload_too_large??"",429:nt.rate_limited??"",503:nt.unavailable??"",504:nt.timeout??""};function Ls({kind:e,code:t,status:o}){return e==="token"||e==="offline"||e==="page"?Ps[e]:nt[t]??Zu[o]??Ps[e]}function _e({id:e,params:t={},children:o}){let n=r=>{r.metaKey||r.ctrlKey||r.shiftKey||r.button!==0||(r.preventDefault(),I(Se(e),t),scrollTo(0,0))};return s`<a href=${je(Se(e),t)} onClick=${n}>${o??"Open trace"}</a>`}function k({error:e,onRetry:t,retry:o="Try again",traced:n=!1}){return s`
    <div class="problem" role="alert">
      <h3><span aria-hidden="true">✕</span> ${Ls(e)}</h3>
      <p>${e.message}</p>
      ${e.retryAfter>0&&s`<p>Retry after ${e.retryAfter} s.</p>`}
      ${e.details.length>0&&s`<ul>${e.details.map(({path:r,message:a})=>s`<li><code>${r}</code> ${a}</li>`)}</ul>`}
      <div class="row">
        ${e.kind==="token"&&s`<button type="button" onClick=${()=>ot("")}>Enter another token</button>`}
        ${t&&e.kind!=="token"&&s`<button type="button" onClick=${t}>${o}</button>`}
        ${e.requestId&&s`<small>request <code>${e.requestId}</code></small>
            <${te} text=${e.requestId} label="Copy request id" />`}
        ${n&&ed(e)&&s`<${_e} id=${e.requestId} />`}
      </div>
    </div>
  `}function ed({kind:e,code:t,requestId:o}){return o!==""&&(e==="failed"||t.startsWith("model_"))}var Ne={answered:{title:"answered",tone:"good",sign:"✓",reason:""},cut_off:{title:"cut off",tone:"warn",sign:"✂",reason:"The model's token limit cut off the answer."},filtered:{title:"filtered",tone:"bad",sign:"⊘",reason:"The provider's filter stopped the answer."},refused:{title:"refused",tone:"bad",sign:"⊘",reason:"The model refused to answer."},empty:{title:"empty",tone:"warn",sign:"∅",reason:"The model returned no text; a placeholder is shown."},iteration_limit:{title:"iteration limit",tone:"warn",sign:"!",reason:"The limit on iterations was reached before the model answered."},repeated_calls:{title:"repeated calls",tone:"warn",sign:"!",reason:"The model repeated the same call and was stopped."},tool_call_limit:{title:"tool call limit",tone:"warn",sign:"!",reason:"The limit on tool calls was reached before the model answered."},client_calls:{title:"waits for the client",tone:"warn",sign:"…",reason:"The model waits for the results of the client's tools."},out_of_time:{title:"out of time",tone:"warn",sign:"!",reason:"The deadline was reached before the answer was complete."},model_failed:{title:"model failed",tone:"bad",sign:"✕",reason:"The model failed before the answer was complete."},unknown:{title:"unknown outcome",tone:"warn",sign:"?",reason:"The provider returned an unknown finish reason."}};function Ce({outcome:e,status:t,error:o}){return e?Ne[e]??Ne.unknown:t!=="partial"?Ne.answered:o?Ne.model_failed:Ne.out_of_time}var Bs={background:!1,explain:!1,seconds:"",intent:"",service:"",collections:[]},qs={background:900,waiting:28};function bo({background:e}){return e?qs.background:qs.waiting}function _o(e){if(e.seconds.trim()==="")return"";let t=Number(e.seconds);return t>=1&&t<=bo(e)?"":`Enter a deadline from 1 to ${bo(e)} seconds${e.background?"":", or up to 900 in the background"}.`}function Hs(e,t,o,n=[]){let r=Object.fromEntries(Object.entries({intent:o.intent.trim(),service:o.service.trim()}).filter(([,a])=>a));return{message:e,session_id:t,...As(n),...o.collections.length>0&&{selected_collections:[...o.collections]},...Object.keys(r).length>0&&{profile:r},...Us(o)}}function Fs(e,t,o){return{resume_token:e,session_id:t,...Us(o)}}function Us(e){let t=e.seconds.trim();return{...t!==""&&{deadline_ms:Math.round(Number(t)*1e3)},...e.explain&&{explain:!0}}}function js(e){return[e.background,e.explain,e.seconds.trim(),e.intent.trim(),e.service.trim()].filter(Boolean).length}var td={good:"✓",warn:"!",bad:"✕",plain:"·"};function _({tone:e,sign:t=td[e],children:o}){return s`<span class="outcome" data-tone=${e}>
    <span aria-hidden="true">${t}</span> ${o}
  </span>`}function W(){return s`<span class="tag demo" title="The demo model follows fixed rules and is no evidence about a real model">demo</span>`}function Z({children:e}){return s`<span class="tag">${e}</span>`}function j({at:e}){return s`<time datetime=${e} title=${De(e)}>${ks(e)}</time>`}function Ee(e){return`${mt(e.rate)} (${Math.round(e.low*100)}–${Math.round(e.high*100)})`}function yo({rate:e}){let t={left:`${e.low*100}%`,width:`${Math.max(1,(e.high-e.low)*100)}%`};return s`<span class="rate" title=${`${e.successes} of ${e.tests} tests; 95 % interval`}>
    <span class="number">${Ee(e)}</span>
    <span class="interval" aria-hidden="true"><span style=${t}></span><i style=${{left:`${e.rate*100}%`}}></i></span>
  </span>`}function ft({validation:e,demo:t}){let{badge:o,rate:n}=e;return t?s`<${W} />${n&&s` <small class="number">${Ee(n)}</small>`}`:o?s`<span class="badge" title=${o.tooltip}>
    <span aria-hidden="true">${o.symbol}</span> ${o.text}${n&&s` <span class="number">${Ee(n)}</span>`}
  </span>`:s`<${_} tone="plain">no tools<//>`}var od=200;function vo(e){return e.title||"Untitled"}function Vs({session:e,open:t,onOpen:o,onRename:n,onDelete:r}){let[a,i]=$(""),l=q(),c=vo(e),d=()=>{i(""),l.clear()},u=f=>{l.run(async()=>{await f(),d()})},m=f=>u(()=>n(e.id,f)),p=()=>u(()=>r(e.id));return s`
    <li class="chat-session" data-open=${t}>
      ${a==="rename"?s`<${rd} title=${c} busy=${l.busy} onCancel=${d} onRename=${m} />`:s`<${nd} session=${e} open=${t} onOpen=${o} onMode=${i} />`}
      ${a==="delete"&&s`<${sd} title=${c} busy=${l.busy} onCancel=${d} onDelete=${p} />`}
      ${l.error&&s`<${k} error=${l.error} />`}
    </li>
  `}function nd({session:e,open:t,onOpen:o,onMode:n}){let r=vo(e);return s`
    <div class="chat-session-row">
      <button type="button" class="quiet" aria-current=${t?"true":void 0} onClick=${()=>o(e.id)}>
        <span class="chat-title">${r}</span>
        <small><${j} at=${e.updated_at} /> · ${g(e.turns,"turn")}</small>
      </button>
      <button type="button" class="quiet" aria-label=${`Rename ${r}`} onClick=${()=>n("rename")}>✎</button>
      <button type="button" class="quiet" aria-label=${`Delete ${r}`} onClick=${()=>n("delete")}>✕</button>
    </div>
  `}function rd({title:e,busy:t,onCancel:o,onRename:n}){let r=w(null);return ye(()=>r.current?.select(),[]),s`
    <form class="stack" onSubmit=${i=>{i.preventDefault();let l=r.current?.value.trim();l&&n(l)}} onKeyDown=${i=>Ws(i,o)}>
      <label class="field">
        Title
        <input ref=${r} defaultValue=${e} maxlength=${od} required />
      </label>
      <div class="row">
        <button type="submit" disabled=${t}>Rename</button>
        <button type="button" onClick=${o}>Cancel</button>
      </div>
    </form>
  `}function sd({title:e,busy:t,onCancel:o,onDelete:n}){let r=w(null);return ye(()=>r.current?.focus(),[]),s`
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
  `}function Ws(e,t){e.key==="Escape"&&(e.preventDefault(),t())}var Gs=/^ {0,3}(`{3,}|~{3,})([^`]*)$/,Ks=/^ {0,3}(#{1,6})(?:[ \t](.*))?$/s,zs=/^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/,wo=/^ {0,3}> ?/,Nt=/^( {0,3})([-*+]|\d{1,9}[.)])(?:[ \t]+|$)/,ad=/^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/,id=/^[ \t|:-]*$/;function To(e,{open:t=!1}={}){return qn(e.split(/\r\n|\r|\n/),t,0)}function qn(e,t,o){let n=[];for(let r=0;r<e.length;){if(pt(e[r])){r+=1;continue}let{block:a,end:i}=ld(e,r,t,o);n.push(a),r=i}return n}function pt(e){return e===void 0||e.trim()===""}function ld(e,t,o,n){let r=e[t]??"",a=Gs.exec(r);if(a)return cd(e,t,a[1]??"",a[2]??"");let i=Ks.exec(r);if(i){let l=(i[2]??"").trim().replace(/(^|\s)#+$/,"");return{block:{type:"heading",source:r,level:i[1]?.length??1,text:l},end:t+1}}return zs.test(r)?{block:{type:"rule",source:r},end:t+1}:n<8&&wo.test(r)?dd(e,t,o,n):n<8&&Nt.test(r)?md(e,t,o,n):Xs(e,t,o)?$d(e,t):gd(e,t,n)}function cd(e,t,o,n){let r=n.trim().split(/\s/,1)[0]??"",a=t+1;for(;a<e.length&&!ud(e[a]??"",o);)a+=1;let i=e.slice(t+1,a).join(`
`);return{block:{type:"code",source:Pt(e,t,a+1),language:r,text:i},end:a+1}}function ud(e,t){let o=e.trim();return o.length>=t.length&&o.replaceAll(t[0]??"","")===""}function dd(e,t,o,n){let r=t;for(;r<e.length&&wo.test(e[r]??"");)r+=1;let a=e.slice(t,r).map(l=>l.replace(wo,"")),i=qn(a,o&&r===e.length,n+1);return{block:{type:"quote",source:Pt(e,t,r),blocks:i},end:r}}function md(e,t,o,n){let r=Nt.exec(e[t]??"")?.[2]??"-",a=[],i=0,l=t;for(;l<e.length;l+=1){let m=e[l]??"",p=Nt.exec(m);if(p&&It(m)<Math.max(i,2)&&Js(p[2]??"",r))i=Math.min(p[0].length,It(m)+(p[2]?.length??1)+4),a.push([m.slice(p[0].length)]);else if(fd(e,l,{indent:i,marker:r,depth:n}))a.at(-1)?.push(m.slice(Math.min(It(m),i)));else break}let c=/^\d/.test(r)?Number.parseInt(r,10):void 0,d=m=>o&&l===e.length&&m===a.length-1,u=a.map((m,p)=>qn(m,d(p),n+1));return{block:{type:"list",source:Pt(e,t,l),start:c,items:u},end:l}}function fd(e,t,{indent:o,marker:n,depth:r}){let a=e[t]??"";return pt(a)?pd(e,t+1,o,n):It(a)>=Math.min(o,2)?!0:!pt(e[t-1])&&!Ys(a,r)}function pd(e,t,o,n){let r=e.slice(t,t+2).find(i=>!pt(i));if(r===void 0)return!1;let a=Nt.exec(r);return It(r)>=Math.min(o,2)||a!==null&&Js(a[2]??"",n)}function Js(e,t){return e.at(-1)===t.at(-1)}function It(e){return e.length-e.trimStart().length}function Xs(e,t,o){let n=e[t]??"",r=e[t+1];return n.includes("|")?r!==void 0&&r.includes("-")&&ad.test(r)?Dt(r).length===Dt(n).length:o&&t+2>=e.length&&n.trimStart().startsWith("|")&&(r===void 0||id.test(r)):!1}function $d(e,t){let o=Math.min(t+2,e.length);for(;o<e.length&&!pt(e[o])&&(e[o]??"").includes("|");)o+=1;let n=Dt(e[t]??""),r=Dt(e[t+1]??"").map(hd),a=e.slice(t+2,o).map(i=>{let l=Dt(i);return n.map((c,d)=>l[d]??"")});return{block:{type:"table",source:Pt(e,t,o),aligns:r,head:n,rows:a},end:o}}function Dt(e){return e.trim().replace(/^\|/,"").replace(/\|$/,"").replaceAll("\\|","\0").split("|",50).map(o=>o.replaceAll("\0","|").trim())}function hd(e){return e.endsWith(":")?e.startsWith(":")?"center":"right":e.startsWith(":")?"left":""}function gd(e,t,o){let n=t+1;for(;n<e.length&&!pt(e[n])&&!Ys(e[n]??"",o)&&!Xs(e,n,!1);)n+=1;let r=Pt(e,t,n);return{block:{type:"paragraph",source:r,text:r.trim()},end:n}}function Ys(e,t){if(Gs.test(e)||Ks.test(e)||zs.test(e))return!0;if(t>=8)return!1;let o=Nt.exec(e);return wo.test(e)||o!==null&&o[0].length<e.length&&/^(?:[-*+]|1[.)])$/.test(o[2]??"")}function Pt(e,t,o){return e.slice(t,o).join(`
`)}var Qs=/[\\`*_~[]|https?:\/\//g,Zs=/https?:\/\/[^\s<>"`|[\]]{1,2000}/y,Bn=/\((?=(\s*))\1<?([^\s<>()]*(?:\([^\s<>()]*\)[^\s<>()]*)*)>?(?:\s+"[^"\n]*")?\s*\)/y,bd=/^\[([^[\]\n]*)(?:\](?:\([^)\s]*)?)?$/,_d=/[!-/:-@[-`{-~]/,yd=new Set(["http:","https:","mailto:"]),vd=[["**","strong"],["__","strong"],["~~","del"],["*","em"],["_","em"]];function ea(e,{open:t=!1}={}){return e.length>2e4?[e]:ko(e,t,0)}function ko(e,t,o){let n=[],r=new Set,a=ta(e,0),i="",l=0,c=(d,u)=>{i!==""&&n.push(i),i="",n.push(d),l=u};for(;l<e.length;){Qs.lastIndex=l;let d=Qs.exec(e),u=d?.index??e.length;if(i+=e.slice(l,u),l=u,!d)break;let m=wd(e,l,{open:t,depth:o,unclosed:r,target:a});typeof m.node=="string"?(i+=m.node,l=m.end):c(m.node,m.end)}return i!==""&&n.push(i),n}function wd(e,t,o){let n=e[t]??"",r={node:n,end:t+1};switch(n){case"\\":return Td(e,t);case"`":return kd(e,t,o)??{node:rt(e,t,"`"),end:t+rt(e,t,"`").length};case"[":return Rd(e,t,o)??r;case"h":return Ad(e,t)??r;default:return xd(e,t,o)??{node:rt(e,t,n),end:t+rt(e,t,n).length}}}function Td(e,t){let o=e[t+1]??"";return _d.test(o)?{node:o,end:t+2}:{node:o===`
`?"":"\\",end:t+1}}function rt(e,t,o){let n=t;for(;e[n]===o;)n+=1;return e.slice(t,n)}function kd(e,t,{open:o,unclosed:n}){let r=rt(e,t,"`"),a=t+r.length,i=n.has(r)?-1:Sd(e,a,r);if(i<0&&n.add(r),i<0&&!(o&&a<e.length))return;let l=e.slice(a,i<0?e.length:i).replaceAll(`
`," ");return{node:{type:"code",text:l.startsWith(" ")&&l.endsWith(" ")&&l.trim()!==""?l.slice(1,-1):l},end:i<0?e.length:i+r.length}}function Sd(e,t,o){for(let n=e.indexOf(o,t);n>=0;n=e.indexOf(o,n)){let r=rt(e,n,"`");if(r.length===o.length)return n;n+=r.length}return-1}function xd(e,t,{open:o,depth:n,unclosed:r}){if(!(n>=6))for(let[a,i]of vd){if(!e.startsWith(a,t)||!Cd(e,t,a))continue;let l=t+a.length,c=r.has(a)?-1:Ed(e,l,a);if(c>0){let d=ko(e.slice(l,c),!1,n+1);return{node:{type:i,children:d},end:c+a.length}}if(r.add(a),o&&a.length===2)return{node:{type:i,children:ko(e.slice(l),!0,n+1)},end:e.length}}}function Cd(e,t,o){let n=e[t+o.length]??" ";return!/\s/.test(n)&&n!==o&&!(o[0]==="_"&&Hn(e[t-1]))}function Ed(e,t,o){for(let n=e.indexOf(o,t+1);n>=0;n=e.indexOf(o,n+1))if(!(e[n-1]==="\\"||/\s/.test(e[n-1]??" "))&&!(o[0]==="_"&&Hn(e[n+o.length]))){if(o.length===2)return n+(e[n+2]===o[0]&&e[n+3]!==o[0]?1:0);if(e[n+1]!==o)return n;n+=rt(e,n,o).length-1}return-1}function Hn(e){return e!==void 0&&/[\p{L}\p{N}]/u.test(e)}function Rd(e,t,{open:o,depth:n,target:r}){if(e[t-1]==="!"||n>=6)return;r.close<t&&r.close>=0&&Object.assign(r,ta(e,t));let{close:a,href:i,end:l}=r;if(i&&a-t<1e3)return{node:{type:"link",href:i,children:ko(e.slice(t+1,a),!1,5)},end:l};let c=o&&e.length-t<=1e3?bd.exec(e.slice(t)):null;return c?.[1]?{node:c[1],end:e.length}:void 0}function ta(e,t){let o=e.indexOf("](",t);Bn.lastIndex=o+1;let n=o<0?null:Bn.exec(e);return{close:o,href:oa(n?.[2]??""),end:Bn.lastIndex}}function Ad(e,t){if(Hn(e[t-1]))return;Zs.lastIndex=t;let o=Zs.exec(e)?.[0];if(o===void 0)return;let n=Od(o),r=oa(n);return r?{node:{type:"link",href:r,children:[n]},end:t+n.length}:void 0}function Od(e){let t=0,o=0;for(;o<e.length&&t>=0;o+=1)e[o]==="("?t+=1:e[o]===")"&&(t-=1);for(t<0&&(o-=1);o>0&&".,;:!?'*_~}\\".includes(e[o-1]??"");)o-=1;return e.slice(0,o)}function oa(e){try{let{protocol:t,href:o}=new URL(e);return yd.has(t)?o:""}catch{return""}}var Md=2;function $t({text:e}){let t=V(()=>To(e),[e]);return s`<${jn} blocks=${t} />`}function jn({blocks:e,open:t=!1}){return s`<div class="md">
    ${e.map((o,n)=>s`<${Id} key=${n} block=${o} open=${t&&n===e.length-1} />`)}
  </div>`}function Id({block:e,open:t}){let o=`${t} ${e.type} ${e.source}`;return V(()=>na(e,t),[o])}function na(e,t){switch(e.type){case"heading":return s`<${`h${Math.min(6,Md+e.level)}`}>${Lt(e.text,t)}<//>`;case"code":return s`<pre tabindex="0" role="region" aria-label=${`Code ${e.language}`.trim()}><code>${e.text}</code></pre>`;case"rule":return s`<hr />`;case"quote":return s`<blockquote>${Fn(e.blocks,t)}</blockquote>`;case"list":return Dd(e,t);case"table":return Pd(e,t);default:return s`<p>${Lt(e.text,t)}</p>`}}function Fn(e,t){return e.map((o,n)=>na(o,t&&n===e.length-1))}function Dd({start:e,items:t},o){let n=t.map((r,a)=>s`<li>${Nd(r,o&&a===t.length-1)}</li>`);return e===void 0?s`<ul>${n}</ul>`:s`<ol start=${e}>${n}</ol>`}function Nd(e,t){let[o,...n]=e;return o?.type!=="paragraph"?Fn(e,t):s`<span>${Lt(o.text,t&&n.length===0)}</span>${Fn(n,t)}`}function Pd({aligns:e,head:t,rows:o},n){return s`
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
      </a>`;default:return s`<${e.type}>${e.children.map(Un)}<//>`}}var Ld=2e3,ra=[{rating:"up",sign:"👍",title:"Helpful"},{rating:"down",sign:"👎",title:"Not helpful"}];function So({rating:e}){let{sign:t,title:o}=ra.find(n=>n.rating===e)??{sign:"?",title:e};return s`<${_} tone=${e==="up"?"good":"bad"} sign=${t}>${o.toLowerCase()}<//>`}function xo({id:e,given:t,onSaved:o}){let n=q(),[r,a]=$(void 0),[i,l]=$(!1),c=r??t,d=m=>n.run(async()=>{await ce.rate(e,m),a(m),o?.(m.rating)}),u=m=>{l(!0),c?.rating!==m&&d({rating:m,comment:c?.comment??""})};return s`
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
      ${c&&(i||t?.comment)&&s`<${qd} saved=${c.comment} busy=${n.busy} onSave=${m=>d({rating:c.rating,comment:m})} />`}
      ${n.error&&s`<${k} error=${n.error} />`}
    </div>
  `}function qd({saved:e,busy:t,onSave:o}){let n=Q(),[r,a]=$(e),i=t||r.trim()===e;return s`<form class="row" onSubmit=${c=>{c.preventDefault(),i||o(r.trim())}}>
    <label class="hidden" for=${n}>Comment</label>
    <input
      id=${n}
      type="text"
      maxlength=${Ld}
      placeholder="Comment (optional)"
      value=${r}
      onInput=${c=>a(c.currentTarget.value)}
    />
    <button type="submit" disabled=${i}>Save comment</button>
  </form>`}var Bd=new Set(["tool_not_found","tool_not_allowed","tool_disabled","invalid_arguments","malformed_arguments","repeated_call","too_many_calls","rate_limited","circuit_open","previous_call_unfinished","deadline"]),Hd={stop:{tone:"good",label:"answered",reason:""},tool_calls:{tone:"good",label:"called tools",reason:""},length:{tone:"warn",label:"cut off",reason:"The model's token limit cut off the answer."},content_filter:{tone:"warn",label:"filtered",reason:"The provider's filter stopped the answer."},refusal:{tone:"warn",label:"refused",reason:"The model refused to answer."},unknown:{tone:"warn",label:"unknown outcome",reason:"The provider returned an unknown finish reason."}},Fd={topic:"topic",search:"search",intent:"intent",model:"model",tool:"tool"};function st(e,t){let o=[...t],n=e.steps.map((r,a)=>{let i=r.step==="tool"?o.findIndex(l=>Ud(l,r)):-1;return sa(a,r,i<0?void 0:o.splice(i,1)[0])});for(let[r,a]of o.entries()){let i=n.findLastIndex(l=>jd(l)<=a.iteration);n.splice(i+1,0,sa(e.steps.length+r,void 0,a))}return n}function Ud(e,t){return e.call_id===t.call_id&&e.iteration===t.iteration}function jd({step:e,call:t}){return e?.iteration??t?.iteration??0}function sa(e,t,o){let n=t?.step??"tool",r=G(t?.name??o?.tool??"",128),a=n==="tool"||n==="search";return{index:e,step:t,call:o,name:a?r:`${Fd[n]}${n==="model"?` ${t?.iteration}`:""}`,detail:a?"":r,nested:n==="tool",status:Pe(t,o)}}function Pe(e,t){if(t!==void 0)return Vd(t);if(e?.error)return{tone:"bad",label:"failed",reason:`The model failed: ${F(e.error)}.`};let o=Hd[e?.finish_reason??""];return o!==void 0?o:e?.ok?{tone:"good",label:"done",reason:""}:{tone:"bad",label:"failed",reason:"The step failed."}}function Vn({result:e}){return!("error"in e)||!Bd.has(e.error_type)}function Vd(e){let{result:t}=e;return"error"in t?{tone:"bad",label:Vn(e)?"failed":"not run",reason:G(`${F(t.error_type)}: ${t.error}`,240)}:{tone:"good",label:"done",reason:""}}function F(e){return e.replaceAll("_"," ")}function G(e,t){return e.length>t?`${e.slice(0,t)}…`:e}function aa(e){let t=Math.max(1,e.total_ms,...e.steps.map(n=>n.start_ms+n.duration_ms)),o=Wd(t);return{length:t,step:o,ticks:Array.from({length:Math.floor(t/o)+1},(n,r)=>r*o)}}function Wd(e){for(let t=1;;t*=10)for(let o of[1,2,5])if(e/(o*t)<6)return o*t}function ia(e,t){return{left:e.start_ms/t*100,width:e.duration_ms/t*100}}function la(e,t){return e===0?"0":t>=100&&e>=1e3?`${e/1e3} s`:`${e} ms`}function Co(e,t,o){return st(e,t).find(n=>n.index===o)}function ze({label:e,tabs:t,chosen:o,onChoose:n}){let r=Q(),[a,i]=$(t[0]?.name??""),l=o??a,c=Math.max(0,t.findIndex(m=>m.name===l)),d=m=>{i(m),n?.(m)};return s`
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
  `}var Gd=2e4,Kd=10;function Te(e){return typeof e=="string"?e:JSON.stringify(e,null,2)??""}function N({value:e,label:t}){let[o,n]=$(1),r=V(()=>Te(e),[e]),a=r.slice(0,Gd*o),i=r.length-a.length;return s`
    <div class="value">
      <pre tabindex="0" role="region" aria-label=${t}>${a}</pre>
      <div class="row">
        <${te} text=${r} label="Copy" />
        ${i>0&&s`<button type="button" class="quiet" onClick=${()=>n(o*Kd)}>
            Show more (${y(i)} more characters)
          </button>`}
      </div>
    </div>
  `}var zd=128;function Bt({step:e,call:t}){let o=Pe(e,t),n=G(e?.name??t?.tool??"",zd);return s`
    <section class="wf-details" aria-label=${`Details of ${n}`}>
      <div class="row">
        <h3 class="mono">${n}</h3>
        <${_} tone=${o.tone}>${o.label}<//>
      </div>
      <${ze} label=${`Details of ${n}`} tabs=${Jd(e,t)} />
    </section>
  `}function Jd(e,t){let o=`${e?.start_ms} ${e?.name} ${t?.iteration} ${t?.call_id}`,n={name:"Timing",content:()=>s`<${Yd} step=${e} call=${t} />`},r={name:"Raw",content:()=>s`<${N} key=${o} value=${{...e&&{step:e},...t&&{call:t}}} label="Raw" />`},a=e?.reasoning;return t===void 0&&a?[{name:"Reasoning",content:()=>s`<${N} key=${o} value=${a} label="Reasoning" />`},n,r]:t===void 0?[n,r]:[{name:"Arguments",content:()=>s`<${N} key=${o} value=${t.params} label="Arguments" />`},{name:"Result",content:()=>s`<${Xd} key=${o} result=${t.result} />`},n,r]}function Xd({result:e}){return"error"in e?s`<div class="stack">
      <p>${F(e.error_type)}</p>
      <${N} value=${e.error} label="Error" />
      ${e.validation_errors&&s`<${N} value=${e.validation_errors} label="Validation errors" />`}
    </div>`:s`<div class="stack">
    ${e.truncated&&s`<p class="notice">! The result was truncated.</p>`}
    <${N} value=${e.result} label="Result" />
  </div>`}function Yd({step:e,call:t}){let o=[...Qd(e),...Zd(e,t)];return s`<dl class="wf-facts">
    ${o.map(([n,r])=>s`
        <dt>${n}</dt>
        <dd>${r}</dd>
      `)}
  </dl>`}function Qd(e){return e===void 0?[["Iteration","not started"]]:[["Iteration",e.iteration===0?"before iteration 1":String(e.iteration)],["Started after",R(e.start_ms)],["Duration",R(e.duration_ms)],["Ended after",R(e.start_ms+e.duration_ms)],...qt("Model",e.demo&&"demo model"),...qt("Tokens",e.total_tokens&&y(e.total_tokens)),...qt("Finish reason",e.finish_reason),...qt("Error",e.error&&F(e.error))]}function Zd(e,t){return t===void 0?[]:[...e===void 0?qt("In iteration",String(t.iteration)):[],["Execution time",R(t.result.execution_time_ms)],["Call",t.call_id]]}function qt(e,t){return t?[[e,t]]:[]}function Je({timings:e,calls:t,selected:o,onSelect:n}){let r=st(e,t),a=aa(e),i=a.ticks.filter(d=>d/a.length<.9),l=r.findIndex(d=>d.index===o),c=d=>{let u=r[em(d.key,l,r.length)];u===void 0||d.ctrlKey||d.metaKey||d.altKey||(d.preventDefault(),n(u.index),d.currentTarget.children.item(r.indexOf(u))?.focus())};return s`
    <div class="wf" style=${{"--wf-tick":`${a.step/a.length*100}%`}}>
      <div class="wf-head" aria-hidden="true">
        <span>Step</span>
        <span class="wf-axis">
          ${i.map(d=>s`<span style=${{left:`${d/a.length*100}%`}}>${la(d,a.step)}</span>`)}
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
            ><${tm} row=${d} length=${a.length} /></div>
          `)}
      </div>
    </div>
  `}function em(e,t,o){switch(e){case"ArrowDown":return t+1;case"ArrowUp":return t-1;case"Home":return 0;case"End":return o-1;case"Enter":case" ":return Math.max(0,t);default:return-1}}function tm({row:e,length:t}){let{step:o,status:n}=e;return s`
    <span class="wf-name" title=${e.detail||e.name}>
      ${e.name}${e.detail&&s` <small>${e.detail}</small>`}${o?.demo&&s` <${W} />`}
    </span>
    <span class="wf-track">${o&&s`<${om} row=${e} length=${t} step=${o} />`}</span>
    <span class="wf-time number">${o?R(o.duration_ms):"–"}</span>
    <span class="wf-tokens number">
      ${o?.total_tokens?s`${g(o.total_tokens,"token")}`:s`<span aria-hidden="true"></span>`}
    </span>
    <span><${_} tone=${n.tone}>${n.label}<//></span>
    ${n.reason&&s`<span class="wf-reason">${n.reason}</span>`}
  `}function om({row:e,step:t,length:o}){let{left:n,width:r}=ia(t,o),a={left:`min(${n}%, 100% - var(--wf-least))`,width:`max(${r}%, var(--wf-least))`};return s`<span class="wf-bar" data-kind=${t.step} data-tone=${e.status.tone} style=${a}></span>`}function Re({label:e,caption:t,columns:o,numbers:n=[],children:r}){return s`
    <div class="scroll" tabindex="0" role="region" aria-label=${e}>
      <table>
        <caption>${t}</caption>
        <thead>
          <tr>${o.map(a=>s`<th scope="col" class=${n.includes(a)&&"number"}>${a}</th>`)}</tr>
        </thead>
        <tbody>${r}</tbody>
      </table>
    </div>
  `}var ca=200;function Eo({rules:e}){return s`
    <${Re} label="Evaluated rules" caption="Evaluated rules, in order" columns=${["Rule","Outcome","Conditions"]}>
      ${e.map(t=>s`
          <tr>
            <th scope="row">${t.rule}</th>
            <td>
              <${_} tone=${t.matched?"good":"plain"}>${t.matched?"matched":"not matched"}<//>
            </td>
            <td><${nm} rule=${t} /></td>
          </tr>
        `)}
    <//>
  `}function nm({rule:e}){return e.conditions.length===0?e.fallback?"none: fallback rule":"none":e.conditions.map(({condition:t,expected:o,actual:n,holds:r})=>s`
      <div>
        <${_} tone=${r?"good":"bad"}>${r?"true":"false"}<//>
        ${" "}<code>${t}</code> ${ua(o)}${!r&&s` <small>(actual: ${ua(n)})</small>`}
      </div>
    `)}function Ro({tools:e}){return e.length===0?s`<p>No tools are configured.</p>`:s`
    <${Re} label="Offered tools" caption="Tools" columns=${["Tool","Offered","Reason"]}>
      ${e.map(({tool:t,offered:o,reason:n})=>s`
          <tr>
            <th scope="row" class="mono">${t}</th>
            <td><${_} tone=${o?"good":"plain"}>${o?"offered":"not offered"}<//></td>
            <td>${n}</td>
          </tr>
        `)}
    <//>
  `}function ua(e){if(e==null)return"nothing";let t=Te(e);return t.length>ca?`${t.slice(0,ca)}…`:t}var rm={match:"good",partial:"warn",none:"plain"};function da({rag:e}){let{documents:t,skipped:o,result:n}=e,r=s`
    ${g(t.length,"document")} ·
    ${" "}<${_} tone=${rm[n]}>${n==="none"?"no match":n}<//>
    ${o.length>0&&s` · <${_} tone="warn">${g(o.length,"collection")} skipped<//>`}
  `;return s`
    <${P} summary=${r}>
      ${t.length>0&&s`<${sm} documents=${t} />`}
      ${t.length===0&&s`<p>No document within the distance limit in the selected collections.</p>`}
      ${o.map(({collection:a,reason:i})=>s`<p>! <code>${a}</code> was skipped: ${i}</p>`)}
    <//>
  `}function sm({documents:e}){return s`
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
  `}function ma({explain:e}){return s`
    <dl class="chat-facts">
      <dt>Topic</dt>
      <dd>${e.topic?s`<${am} topic=${e.topic} />`:"not detected: phase disabled"}</dd>
      <dt>Intent</dt>
      <dd>${e.intent?s`<${im} intent=${e.intent} />`:"not detected: phase disabled"}</dd>
      <dt>History</dt>
      <dd>${g(e.history_messages,"message")}</dd>
    </dl>
    <h3>Profile</h3>
    <${N} value=${e.profile} label="Profile" />
    <${Eo} rules=${e.rules} />
    <${Ro} tools=${e.tools} />
    <h3>System prompt</h3>
    <${N} value=${e.system_prompt} label="System prompt" />
  `}function am({topic:e}){return s`${F(e.topic_status)}: ${e.topic_summary} <${fa} phase=${e} />`}function im({intent:e}){return s`
    ${e.intent??"none"} (${F(e.source)})
    ${e.candidates.length>0&&s`<small>of ${e.candidates.join(", ")}</small>`}
    ${" "}<${fa} phase=${e} />
  `}function fa({phase:e}){return s`
    <small>${e.model&&`${e.model}, `}${R(e.duration_ms)}</small>
    ${e.error&&s` <${_} tone="bad">${e.error}<//>`}
  `}var lm=120;function pa({calls:e,received:t}){let o=e.filter(n=>!n.result.success).length;return s`
    ${e.length>0&&s`<${P}
        summary=${s`
          ${g(e.length,"tool call")}
          ${o>0&&s` · <${_} tone="bad">${o} failed<//>`}
        `}
      >
        ${e.map(n=>s`<${cm} key=${`${n.iteration} ${n.call_id}`} call=${n} />`)}
      <//>`}
    ${t&&s`<${P} summary="Timeline"><${dm} received=${t} /><//>`}
    ${t?.rag&&s`<${da} rag=${t.rag} />`}
    ${t?.explain&&s`<${P} summary="Explanation"><${ma} explain=${t.explain} /><//>`}
  `}function cm({call:e}){let{tone:t,label:o}=Pe(void 0,e),n=s`
    <code>${G(`${e.tool}(${um(e.params)})`,lm)}</code>
    ${" "}<${_} tone=${t}>${o}<//>
    ${" "}<small class="number">${R(e.result.execution_time_ms)}</small>
  `;return s`<${P} summary=${n}><${Bt} step=${void 0} call=${e} /><//>`}function um(e){return typeof e=="string"?e:Object.entries(e).map(([t,o])=>`${t}: ${Te(JSON.stringify(o))}`).join(", ")}function dm({received:e}){let[t,o]=$(-1),n=st(e.timings,e.tool_calls).find(r=>r.index===t);return s`
    <${Je} timings=${e.timings} calls=${e.tool_calls} selected=${t} onSelect=${o} />
    ${n&&s`<${Bt} key=${t} step=${n.step} call=${n.call} />`}
  `}function $a({answer:e,received:t,tokenUsed:o,onResume:n}){let r=e?.status==="partial",a=e&&!r?Ce(e).reason:"",i=[...a?[a]:[],...t?pm(t):[]];return i.length===0&&!r?null:s`
    <div class="notice stack">
      ${r&&s`<p><strong>! The answer is partial.</strong> ${fm(t)}</p>`}
      ${i.map(l=>s`<p>! ${l}</p>`)}
      ${r&&s`<${mm} received=${t} tokenUsed=${o} onResume=${n} />`}
    </div>
  `}function mm({received:e,tokenUsed:t,onResume:o}){return t?s`<p>The resume token was already used. Send a new message instead.</p>`:e?e.resume_token?s`<div class="row">
    <button type="button" disabled=${!o} onClick=${o}>Continue</button>
    <small>available for one hour; completed tool calls are not repeated</small>
  </div>`:s`<p>The partial answer has no resume token. Send a new message instead.</p>`:s`<p>The resume token is only available during the visit that received it. Send a new message instead.</p>`}function fm(e){if(!e)return"The deadline was reached or the model failed before the answer was complete.";let o=e.tool_calls.length>0?" The tool results so far are below.":"";return e.error?`The model failed (${F(e.error.type)}): ${e.error.message}.${o}`:`The deadline was reached before the answer was complete.${o}`}function pm(e){let{fallback:t,session:o}=e;return[...Ao(t,()=>`${e.model} answered instead of ${t?.instead_of}: ${F(t?.reason??"")}.`),...Ao(e.deadline_reached,()=>"The deadline was near: the model had to answer without more tool calls."),...Ao(e.max_tool_calls_reached&&e.outcome!=="tool_call_limit",()=>"The tool call limit was reached."),...Ao(o?.saved===!1,()=>`Not saved in the session: ${o?.problem??"the write failed"}.`)]}function Ao(e,t){return e?[t()]:[]}var $m=2e4,hm=10;function ha({session:e,turn:t,open:o,tokenUsed:n,onResume:r}){let{question:a,attachments:i,at:l,remarks:c,calls:d,answer:u,received:m}=t;return s`
    <article class="chat-turn" tabindex="-1" aria-label=${t.number?`Turn ${t.number}`:"Unsaved turn"}>
      ${a!==void 0&&s`<${Gn} text=${a} attachments=${i} at=${l} />`}
      <div class="chat-answer">
        ${u&&s`<${bm} answer=${u} received=${m} />`}
        ${c.map(p=>s`<div class="chat-remark"><${Wn} text=${p} markdown /></div>`)}
        ${u&&s`<${Wn} text=${u.content||"(empty answer)"} markdown />`}
        ${!u&&!o&&s`<p><${_} tone="warn">No answer yet.<//></p>`}
        <${$a} answer=${u} received=${m} tokenUsed=${n} onResume=${r} />
        <${pa} calls=${d} received=${m} />
        ${u?.requestId&&s`<${gm} session=${e} id=${u.requestId} />`}
      </div>
    </article>
  `}function gm({session:e,id:t}){let{data:o={},put:n}=bs(e),r=o[t];return s`
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
  `}function bm({answer:e,received:t}){let o=t?.usage.cost_usd,n=Ce(e);return s`
    <div class="row chat-head">
      <strong>${e.model}</strong>
      ${e.demo&&s`<${W} />`}
      <${_} tone=${n.tone} sign=${n.sign}>${n.title}<//>
      <${Z}>service ${e.service}<//>
      ${e.rule&&s`<${Z}>rule ${e.rule}<//>`}
      <small>
        <${j} at=${e.at} />
        ${t&&` · ${R(t.timings.total_ms)} · ${g(t.usage.total_tokens,"token")}`}
        ${typeof o=="number"&&` · ${oe(o)}`}
      </small>
      ${e.content&&s`<${te} text=${e.content} label="Copy answer" />`}
    </div>
  `}function Wn({text:e,markdown:t=!1}){let[o,n]=$(1),r=e.slice(0,$m*o),a=e.length-r.length;return s`
    <div class="chat-prose">${t?s`<${$t} text=${r} />`:r}</div>
    ${a>0&&s`<button type="button" class="quiet" onClick=${()=>n(o*hm)}>
        Show more (${y(a)} more characters)
      </button>`}
  `}function ga({session:e,list:t,turns:o,from:n,busy:r,usedTokens:a,earlier:i,onToggle:l,onResume:c,children:d}){let u=w(c);u.current=c;let m=V(()=>{let p=o.at(-1);return o.map(f=>{let{received:h}=f;return s`
        <${ha}
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
  `}function ba(e,t){let o=[...ym(e).values()].map(i=>vm(i,t)),n=new Set(o.map(i=>i.answer?.requestId)),r=t.findLastIndex(({answer:i})=>n.has(i.request_id));return t.filter(({answer:i},l)=>!n.has(i.request_id)&&(l>r||i.session?.saved===!1)).reduce(_m,o)}function _m(e,t){let o=e.at(-1),n=o!==void 0&&!o.answer&&(t.question===""||t.question===o.question),r=e.find(u=>t.replaces&&u.answer?.requestId===t.replaces)??(n&&o),a=Tm(t);if(!r)return[...e,a];let{number:i,question:l,attachments:c,at:d}=r;return e.map(u=>u===r?{...a,number:i,question:l,attachments:c,at:d}:u)}function ym(e){let t=new Map;for(let o of e){let n=t.get(o.turn);n?n.push(o):t.set(o.turn,[o])}return t}function vm(e,t){let o=e.find(i=>i.role==="user"),n=e.find(i=>i.role==="assistant"&&i.service),r=e.filter(i=>i!==o&&i!==n),a=n&&wm(n);return{key:a?.requestId||`turn ${e[0]?.turn}`,number:e[0]?.turn,question:o?.content,attachments:(o?.attachments??[]).map(({name:i,media_type:l,size:c})=>({name:i,type:l,size:c})),at:e[0]?.at??"",remarks:r.map(i=>i.content).filter(i=>i.trim()!==""),calls:e.flatMap(i=>i.tool_calls),answer:a,received:t.find(i=>i.answer.request_id===a?.requestId)?.answer}}function wm(e){return{content:e.content,at:e.at,model:e.model??"",service:e.service??"",rule:e.rule??"",status:e.status??"complete",outcome:e.outcome??void 0,demo:e.demo??!1,requestId:e.request_id??""}}function Tm({question:e,attachments:t,at:o,answer:n}){return{key:n.request_id,number:void 0,question:e||void 0,attachments:t,at:o,remarks:[],calls:n.tool_calls,answer:{content:n.content,at:o,model:n.model,service:n.service,rule:n.rule??"",status:n.status,outcome:n.outcome,demo:n.demo??!1,requestId:n.request_id},received:n}}function _a(e,t,o){return[...e.filter(n=>n.turn<o),...t]}var ya=48,km=1/3,Le=document.documentElement;function va(){return Le.scrollHeight-Le.scrollTop-Le.clientHeight}function Kn(){Le.scrollTop=Le.scrollHeight}function wa({session:e,turns:t,added:o,waiting:n,streamed:r}){let a=w(null),i=w(null),l=w(!0),c=w(0),[d,u]=$(!1),m=w({session:"",first:"",answer:"",end:"",wasWaiting:!1}),p=t[0]?.key??"",f=t.at(-1)?.answer?.requestId??"",h=`${t.length} ${t.at(-1)?.key} ${o}`,{current:C}=m,S=C.session===e,E=S&&C.first!==p&&t.some(({key:L})=>L===C.first)?i.current?.firstElementChild:void 0,b=E?.getBoundingClientRect().top??0,x=A(()=>u(va()>ya),[]),z=A(()=>{l.current=!0,Kn(),x()},[x]);ye(()=>{let L=f!==""&&f!==C.answer,me=n||S&&C.wasWaiting;m.current={session:e,first:p,answer:f,end:h,wasWaiting:me&&!L},S||(l.current=!0),!(S&&C.end===h)&&(E?Le.scrollTop+=E.getBoundingClientRect().top-b:l.current&&t.length+o.trim().length>0&&(l.current=!(L&&me&&!r&&Sm(a.current)),l.current&&Kn()),x())}),v(()=>{let{scrollRestoration:L}=history;history.scrollRestoration="manual";let me=()=>{let he=Le.scrollTop<c.current-1;c.current=Le.scrollTop,va()<=ya?l.current=!0:he&&(l.current=!1),x()},fe=()=>{l.current&&Kn(),x()},B=new ResizeObserver(()=>requestAnimationFrame(fe));return a.current&&B.observe(a.current),addEventListener("scroll",me,{passive:!0}),addEventListener("resize",fe),visualViewport?.addEventListener("resize",fe),()=>{history.scrollRestoration=L,B.disconnect(),removeEventListener("scroll",me),removeEventListener("resize",fe),visualViewport?.removeEventListener("resize",fe)}},[x]);let Y=A(L=>{L.target instanceof Element&&L.target.closest("summary, button, [role=option]")&&(l.current=!1)},[]),$e=()=>{z(),i.current?.querySelector("article:last-of-type")?.focus({preventScroll:!0})};return{chat:a,list:i,isAway:d&&(t.length>0||n),follow:z,jump:$e,handleToggle:Y}}function Sm(e){let t=e?.querySelector("article:last-of-type"),o=t?.querySelector(".chat-answer");if(!t||!o)return!1;let n=xm(document.querySelector("header.shell")),r=innerHeight-n-(e?.querySelector(".chat-composer")?.getBoundingClientRect().height??0),{top:a,height:i}=o.getBoundingClientRect();if(i<=r)return!1;let l=t.getBoundingClientRect().top;return Le.scrollTop+=(a-l<r*km?l:a)-n-8,!0}function xm(e){return e&&getComputedStyle(e).position==="sticky"?e.getBoundingClientRect().height:0}var qe=class extends Error{};function Cm({lastId:e="",longest:t=33554432}={}){let o=[],n=[],r=e,a="",i=0,l=!1,c=d=>{if(d===""){let f=n.length>0?{name:a||"message",data:n.join(`
`),id:r}:void 0;return[a,n,i]=["",[],0],f}let u=d.indexOf(":"),m=u<0?d:d.slice(0,u),p=u<0?"":d.slice(d[u+1]===" "?u+2:u+1);m==="event"?a=p:m==="data"?n.push(p):m==="id"&&(r=p)};return d=>{let u=[],m=l&&d.startsWith(`
`)?1:0;d!==""&&(l=d.endsWith("\r")),i+=d.length-m;for(let{index:p,0:f}of d.matchAll(/\r\n|\n|\r/g)){if(p<m)continue;o.push(d.slice(m,p)),m=p+f.length;let h=c(o.join(""));o=[],h&&u.push(h),i===0&&(i=d.length-m)}if(i>t)throw new qe("The service sent an event that is too long.");return m<d.length&&o.push(d.slice(m)),u}}async function*Ta(e,{lastId:t="",silenceMs:o=45e3}={}){let n=e.getReader(),r=Cm({lastId:t}),a=new TextDecoder;try{for(;;){let{done:i,value:l}=await Em(n.read(),o);if(i)return;yield*r(a.decode(l,{stream:!0}))}}catch(i){throw i instanceof qe||zn(i)?i:new qe("The connection was lost.")}finally{n.cancel().catch(()=>{})}}function zn(e){return e instanceof DOMException&&e.name==="AbortError"}async function Em(e,t){let o,n=new Promise((r,a)=>{o=setTimeout(()=>a(new qe("The connection was silent for too long.")),t)});try{return await Promise.race([e,n])}finally{clearTimeout(o)}}var Jn=5,Rm=500,Am=2,ht=class extends Error{constructor(t){super(`The connection to the run ${t} was lost.`),this.run=t}};async function*ka({open:e,reopen:t},{signal:o,onLost:n=()=>{},wait:r=Lm}){let a="",i="",l=0;for(;;){try{let c=await(a?t(a,i,o):e(o));for await(let d of Om(c,i)){l=0,i=d.id;let u=Mm(d);if(u.name==="error")throw Im(u.data);if(u.name==="accepted"&&(a=u.data.run_id),yield u,u.name==="answer")return}}catch(c){Dm(c,a)}if(a==="")throw new U("failed","The stream ended without an answer. Try again.");if(l+=1,l>Jn)throw new ht(a);n(l),await r(Rm*Am**(l-1),o)}}async function*Om(e,t){if(e.headers.get("content-type")?.startsWith("text/event-stream")&&e.body){yield*Ta(e.body,{lastId:t});return}yield{name:"answer",data:await e.text(),id:""}}function Mm({name:e,data:t}){try{return{name:e,data:ee(t)}}catch{throw new U("failed","The response is incomplete or not JSON. Try again.")}}function Im({error:e,message:t,request_id:o,details:n}){return new U("failed",t,{status:200,code:e,requestId:o,details:n??[]})}function Dm(e,t){if(zn(e)||Nm(e))throw e;if(t==="")throw e instanceof qe?new U("offline",`${e.message} Try again.`):e;if(!Pm(e))throw new ht(t)}function Nm(e){return e instanceof U&&e.status===200}function Pm(e){return e instanceof U?e.kind==="offline"||e.status===429||e.status>=500:e instanceof qe}function Lm(e,t){return new Promise((o,n)=>{let r=setTimeout(o,e),a=()=>(clearTimeout(r),n(new DOMException("Aborted","AbortError")));t.addEventListener("abort",a,{once:!0})})}var qm=5;function Sa({live:e}){let{model:t,text:o,remarks:n,steps:r,warnings:a,attempt:i}=e,l=V(()=>To(o,{open:!0}),[o]);return e.run===""&&r.length===0&&o===""?null:s`
    <section class="chat-answer chat-live" aria-label="Answer in progress">
      ${t&&s`<div class="row chat-head"><strong>${t}</strong></div>`}
      ${n.map((c,d)=>s`<div class="chat-remark chat-prose" key=${`remark ${d}`}><${$t} text=${c} /></div>`)}
      ${r.length>0&&s`<ol class="chat-steps">${r.map(c=>s`<${Fm} key=${c.key} step=${c} />`)}</ol>`}
      ${o.trim()&&s`<div class="chat-prose"><${jn} blocks=${l} open /></div>`}
      ${a.map(c=>s`<p class="notice">! ${c}</p>`)}
      ${i>0&&s`<p class="notice" role="status">! Connection lost. Reconnecting, attempt ${i} of ${Jn}.</p>`}
      <${Bm} blocks=${l} />
    </section>
  `}function Bm({blocks:e}){let t=e.length-1;return s`<div class="hidden" aria-live="polite">
    ${e.map(({source:o},n)=>n<t&&n>=t-qm&&s`<p key=${n}>${o}</p>`)}
  </div>`}function Hm({text:e}){return s`<${P} summary="reasoning"><p class="chat-reasoning">${e}</p><//>`}function Fm({step:{kind:e,name:t,detail:o,status:n,ms:r,error:a}}){return e==="rule"?s`<li>rule ${t}</li>`:e==="reasoning"?s`<li><${Hm} text=${o} /></li>`:s`
    <li>
      ${n==="running"?"calling ":""}${e==="tool"?s`<code>${t}</code>`:t}
      ${o&&s` <small class="mono">${o}</small>`}
      ${n==="running"?" …":s` <small class="number">${R(r??0)}</small> <${Um} status=${n} />`}
      ${a&&s` <small>${a}</small>`}
    </li>
  `}function Um({status:e}){return s`<${_} tone=${e==="failed"?"bad":"good"}>${e}<//>`}var jm=3e3,Vm=31e3,Wm={pending:"Cancelling the answer in the service.",cancelled:"Answer cancelled. The service stopped it and discarded its partial result.",ended:"The answer had already ended in the service. The session above is up to date."};function Ca({run:e}){let t=w(performance.now()),o=e&&performance.now()-(Date.now()-new Date(e.created_at).getTime()),n=e?st({total_ms:0,steps:e.steps},[]):[];return s`
    <section class="chat-run stack" aria-label="Background run">
      <${M} label=${Gm(e)} since=${o===void 0?t.current:Math.min(o,performance.now())} />
      ${n.length>0&&s`<ol>
          ${n.map(r=>s`
              <li key=${r.index}>
                ${r.name} ${r.detail&&s`<small>${r.detail}</small>`}
                ${" "}<${_} tone=${r.status.tone}>${r.status.label}<//>
                ${r.step&&s` <small class="number">${R(r.step.duration_ms)}</small>`}
                ${r.status.reason&&s` <small>${r.status.reason}</small>`}
              </li>
            `)}
        </ol>`}
      <small>The run continues if you close this page. Its URL shows the result for one day.</small>
    </section>
  `}function Gm(e){return e===void 0?"Loading the run":e.status==="queued"?"Queued in the background":"Running in the background"}function Ea({cancellation:{status:e,reason:t},open:o,onCheck:n}){return v(()=>{(e==="cancelled"||e==="ended")&&n()},[e,n]),e==="none"?s`<${xa} open=${o} onCheck=${n} />`:e==="failed"?s`
      <p class="notice" role="status">! The service did not confirm the cancellation: ${t}</p>
      <${xa} open=${o} onCheck=${n} />
    `:s`<p class="notice" role="status">! ${Wm[e]}</p>`}function xa({open:e,onCheck:t}){return v(()=>{if(!e)return;let o=setInterval(()=>!document.hidden&&t(),jm),n=setTimeout(()=>clearInterval(o),Vm);return()=>{clearInterval(o),clearTimeout(n)}},[e,t]),s`
    <div class="notice stack" role="status">
      <p>
        ! Request cancelled. The service may still complete this answer within 30 seconds and save it in the
        session.${e?" Until then the session accepts no other message.":" The session above is up to date."}
      </p>
      ${e&&s`<div class="row"><button type="button" onClick=${t}>Check again</button></div>`}
    </div>
  `}function Ra({id:e,chat:t,conversation:o,options:n,onBegin:r}){let a=w(null),{task:i}=t,l=t.sent?.session===e?t.sent:void 0,c=_o(n),d=Jm(e,t,o),u=i.busy&&l!==void 0,m=t.followed.active||u,p=m&&t.waiting?Ym(l,d.at(-1)):"",f=wa({session:e,turns:d,added:zm(t,l,p),waiting:m,streamed:t.live.text!==""}),h=()=>{t.busy||c!==""||t.draft.trim()===""||(f.follow(),t.send())};return ie([{keys:"/",label:"Write a message",run:()=>a.current?.focus()},{keys:"mod+Enter",label:"Send the message",run:h},{keys:"Escape",label:"Cancel the answer",run:()=>t.busy&&t.cancel()}]),s`
    <div class="chat" ref=${f.chat}>
      <${ef} conversation=${o} />
      ${o.loading&&!(t.waiting&&l)&&s`<${H} lines=${8} label="the messages" />`}
      ${i.error?.kind!=="offline"&&s`<${Km} conversation=${o} onBegin=${r} />`}
      ${e===""&&s`<${tf} />`}
      <${Xm} chat=${t} sent=${l} conversation=${o} turns=${d} question=${p} live=${u} answering=${m} scroll=${f} onRetry=${h} />
      <p class="hidden" role="status">${nf(t)}</p>
      <${Ns}
        draft=${t.draft}
        attachments=${t.attachments}
        onAttach=${t.attach}
        onDetach=${t.detach}
        busy=${t.busy}
        waiting=${i.busy?of(l):""}
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
  `}function Km({conversation:e,onBegin:t}){let{error:o,reload:n}=e;return o?Xn(e)?s`<${k} error=${o} onRetry=${t} retry="Start a new chat" />`:s`<${k} error=${o} onRetry=${n} />`:null}function Xn(e){return e.error?.status===404}function zm({task:e,followed:t,cancellation:o},n,r){let a=(n&&e.error)??t.error,i=n&&e.cancelled?`stopped ${o.status}`:"";return[r,i,a?.code,a?.message,t.run?.status].filter(Boolean).join(" ")}function Jm(e,t,o){let{messages:n}=o,r=Xn(o);return V(()=>{let a=t.received.filter(i=>i.session===e);return r?[]:ba(n,a)},[n,t.received,e,r])}function Xm({chat:e,sent:t,conversation:o,turns:n,question:r,live:a,answering:i,scroll:l,onRetry:c}){let{followed:d}=e,u=Xn(o),m=n.at(-1),p=f=>{l.follow(),e.resume(f)};return s`
    <${ga}
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
      ${a&&e.waiting&&s`<${Sa} live=${e.live} />`}
      ${d.active&&s`<${Ca} run=${d.run} />`}
    <//>
    <${Qm}
      chat=${e}
      sent=${t!==void 0}
      open=${m?.answer===void 0}
      onCheck=${o.reload}
      onRetry=${c}
    />
  `}function Ym(e,t){return t!==void 0&&t.answer===void 0&&t.question===e?.question?"":e?.question}function Qm({chat:e,sent:t,open:o,onCheck:n,onRetry:r}){let{task:a,followed:i}=e,l=(t?a.error:void 0)??i.error;return s`
    ${a.cancelled&&t&&s`<${Ea} cancellation=${e.cancellation} open=${o} onCheck=${n} />`}
    ${i.run?.status==="cancelled"&&s`<p class="notice">! Run cancelled. Its partial result was discarded.</p>`}
    ${l&&s`<${k} error=${l} onRetry=${Zm(e,l,r)} traced />`}
  `}function Zm({task:e,followed:t,draft:o},n,r){if(t.active)return t.retry;let a=n.kind==="offline"||n.kind==="failed";return n===e.error&&a&&o.trim()!==""?r:void 0}function ef({conversation:e}){let{session:t}=e;return t?s`
    <div>
      <h2>${vo(t)}</h2>
      <small>${t.topic&&s`Topic: ${t.topic} · `}${g(t.turns,"turn")}</small>
    </div>
  `:s`<h2>${e.id?"Chat":"New chat"}</h2>`}function tf(){return s`
    <${ue} title="Chat with the service">
      <p>
        The service keeps the conversation, selects model and prompt by response rules, and calls tools. Each answer shows its
        model, rule, tool calls and timeline.
      </p>
      <p>Send a message to start a session, for example <q>What is 15% of 45?</q></p>
    <//>
  `}function of(e){return e===void 0?"Waiting for an answer in another session":e.background?"Starting the run":"Waiting for the answer"}function nf({received:e,busy:t}){let o=e.at(-1)?.answer;if(t||!o)return"";let n=g(o.tool_calls.length,"tool call");return`${o.model}: ${Ce(o).title} in ${R(o.timings.total_ms)}, ${n}`}function Oa({options:e,onChange:t}){let o=X(),n=r=>()=>t({[r]:!e[r]});return s`
    <label class="check">
      <input type="checkbox" checked=${e.background} onChange=${n("background")} />
      Run in the background, up to 15 minutes
    </label>
    ${o&&s`<label class="check">
        <input type="checkbox" checked=${e.explain} onChange=${n("explain")} />
        Include an explanation
      </label>`}
    <${rf} options=${e} onChange=${t} />
    <${P} summary="Profile fields">
      <${Aa} label="Intent" name="intent" options=${e} onChange=${t} />
      <${Aa} label="Service" name="service" options=${e} onChange=${t} />
      <small>Matched by response rules.</small>
    <//>
  `}function rf({options:e,onChange:t}){let o=Q(),n=_o(e);return s`
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
  `}function Aa({label:e,name:t,options:o,onChange:n}){return s`
    <label class="field">
      ${e}
      <input
        value=${o[t]}
        spellcheck=${!1}
        autocomplete="off"
        onInput=${r=>n({[t]:r.currentTarget.value})}
      />
    </label>
  `}function Ma({options:e,onChange:t}){let{data:o,error:n,loading:r,reload:a}=ho(),i=l=>e.collections.includes(l)?e.collections.filter(c=>c!==l):[...e.collections,l];return n?s`<${k} error=${n} onRetry=${a} />`:!o&&r?s`<${H} lines=${2} label="the collections" />`:o?.collections.length?s`
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
  `:s`<small>No collections. See the Retrieval view to create one.</small>`}function Ia({sessions:e,open:t,onOpen:o,onDeleted:n}){let r=w(null),a=async i=>{await e.remove(i),r.current?.focus(),n(i)};return s`
    <div class="chat-sessions" tabindex="-1" ref=${r} role="region" aria-label="Sessions">
      ${e.error&&s`<${k} error=${e.error} onRetry=${e.reload} />`}
      ${!e.sessions&&e.loading&&s`<${H} lines=${4} label="your sessions" />`}
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
      ${e.more&&s`<${sf} loading=${e.loading} onMore=${e.showMore} />`}
    </div>
  `}function sf({loading:e,onMore:t}){let o=w(0);return s`<div class="row">
    <button type="button" class="quiet" disabled=${e} onClick=${()=>{o.current=performance.now(),t()}}>Show more</button>
    ${e&&o.current>0&&s`<${M} label="Loading more sessions" since=${o.current} />`}
  </div>`}var Ft={run:"",model:"",iteration:0,text:"",remarks:[],steps:[],warnings:[],attempt:0},Da=120;function Pa(e,t){let o=e.attempt===0?e:{...e,attempt:0};switch(t.name){case"accepted":return{...o,run:t.data.run_id};case"phase":return Ht(o,af(t.data));case"rule":return t.data.rule?Ht(o,{kind:"rule",name:t.data.rule,status:"done"}):o;case"model_started":return{...Na(o,t.data.iteration),model:t.data.model};case"delta":return lf(Na(o,t.data.iteration),t.data.text);case"reasoning":return Ht(o,{kind:"reasoning",name:"reasoning",detail:t.data.text,status:"done"});case"tool_started":return Ht(o,{key:qa(t.data),kind:"tool",name:t.data.tool,detail:uf(t.data.arguments),status:"running"});case"tool_finished":return cf(o,t.data);case"warning":return{...o,warnings:[...o.warnings,t.data.message]};default:return o}}function La(e,t){return{...e,attempt:t}}function af({phase:e,name:t="",duration_ms:o,ok:n}){return{kind:"phase",name:e,detail:t,status:n===!1?"failed":"done",ms:o}}function Na(e,t){if(t===e.iteration)return e;let o=e.text.trim()===""?e.remarks:[...e.remarks,e.text];return{...e,iteration:t,text:"",remarks:o}}function lf(e,t){return{...e,text:e.text+t}}function Ht(e,t){let o=t.key??`step ${e.steps.length}`;return{...e,steps:[...e.steps,{detail:"",error:"",ms:void 0,...t,key:o}]}}function cf(e,t){let o=qa(t),r={status:t.ok?"done":"failed",ms:t.duration_ms,error:t.error??""};return e.steps.some(a=>a.key===o)?{...e,steps:e.steps.map(a=>a.key===o?{...a,...r}:a)}:Ht(e,{key:o,kind:"tool",name:t.tool,...r})}function qa({iteration:e,call_id:t}){return`call ${e} ${t}`}function uf(e){let t=typeof e=="string"?e:JSON.stringify(e)??"";return t.length>Da?`${t.slice(0,Da)}…`:t}var Yn={draft:"",attachments:[],sent:void 0,waiting:!1,usedTokens:[],received:[]};function Ba(e,t,o){let{sent:n}=e,r=n?.session===t&&e.waiting?n:void 0,a=e.received.find(d=>d.answer.request_id===r?.replaces),i=e.received.filter(d=>d!==a&&d.answer.request_id!==o.request_id),{question:l,attachments:c}=a??r??{question:"",attachments:[]};return{...e,waiting:r?!1:e.waiting,usedTokens:r?.token?[...e.usedTokens,r.token]:e.usedTokens,received:[...i,{session:t,question:l,attachments:c,at:new Date().toISOString(),replaces:r?.replaces??"",answer:o}]}}function Oo(e){if(!e.waiting)return e;let t=[e.sent?.question,e.draft].filter(Boolean).join(`

`);return{...e,waiting:!1,draft:t,attachments:[...e.sent?.attachments??[],...e.attachments]}}function Ha(e,t){return t?{...e,usedTokens:[...e.usedTokens,t]}:e}var Fa={status:"none",reason:""};function Ua(){let[e,t]=$(Fa),o=A(async n=>{t({status:"pending",reason:""});try{let{status:r}=await T.cancelRun(n);t({status:r==="cancelled"?"cancelled":"ended",reason:""})}catch(r){if(!(r instanceof U))throw r;t({status:"failed",reason:r.message})}},[]);return{state:e,cancel:o,clear:A(()=>t(Fa),[])}}function ja(e,t){v(()=>{if(!e)return;let o=()=>{let{run:n}=t();n!==""&&T.cancelRun(n,{keepalive:!0}).catch(()=>{})};return addEventListener("pagehide",o),()=>removeEventListener("pagehide",o)},[e,t])}function Va(){let e=w(Ft),t=w(0),[o,n]=$(Ft);v(()=>()=>cancelAnimationFrame(t.current),[]);let r=A(i=>{e.current=i(e.current),t.current===0&&(t.current=requestAnimationFrame(()=>{t.current=0,n(e.current)}))},[]),a=A(()=>{cancelAnimationFrame(t.current),t.current=0,e.current=Ft,n(Ft)},[]);return{shown:o,latest:A(()=>e.current,[]),update:r,reset:a}}var df=500,mf=2e3,ff=1.4;function Mo({status:e}){return e==="queued"||e==="running"}function pf(e){if(!e?.error)return;let{error:t,message:o,request_id:n,details:r}=e.error;return new U("failed",o,{code:t,requestId:n,details:r??[]})}function Wa(e){let t=le(),[o,n]=$({id:e,run:void 0,error:void 0}),[r,a]=$(0);v(()=>{if(e==="")return;let u=new AbortController;return n(m=>m.id===e?{...m,error:void 0}:{id:e,run:void 0,error:void 0}),$f(e,u.signal,m=>n(p=>({...p,error:void 0,...m}))),()=>u.abort()},[e,t,r]);let i=A(async()=>{try{let u=await T.cancelRun(e);n(m=>m.id===e?{...m,run:u}:m)}catch(u){if(!(u instanceof U))throw u;n(m=>m.id===e?{...m,error:u}:m)}},[e]),l=o.id===e?o:{id:e,run:void 0,error:void 0},{run:c}=l,d=l.error?.status===404||c!==void 0&&!Mo(c);return{...l,error:l.error??pf(c),active:e!==""&&!d,cancel:i,retry:A(()=>a(u=>u+1),[])}}async function $f(e,t,o){for(let n=df;;n=Math.min(mf,n*ff)){if(await gf(t),t.aborted)return;let r=await hf(e,t,o);if(t.aborted||!r)return;await bf(n,t)}}async function hf(e,t,o){try{let n=await T.run(e,t);return o({run:n}),Mo(n)}catch(n){if(t.aborted)return!1;if(!(n instanceof U))throw n;return o({error:n}),n.kind==="offline"||n.kind==="failed"}}function gf(e){return new Promise(t=>{if(!document.hidden||e.aborted)return t();document.addEventListener("visibilitychange",()=>t(),{once:!0,signal:e}),e.addEventListener("abort",()=>t(),{once:!0})})}function bf(e,t){return new Promise(o=>{let n=setTimeout(o,e);t.addEventListener("abort",()=>(clearTimeout(n),o()),{once:!0})})}var _f=12,yf="resume_token_in_use";function Ga(e,t,o){let n=le(),[r,a]=$(Yn);v(()=>a(({draft:b,attachments:x})=>({...Yn,draft:b,attachments:x})),[n]);let i=q(),l=Va(),c=Ua(),d=Wa(t);ja(i.busy,l.latest);let u=w(new Set),m=A((b,x)=>{a(z=>Ba(z,b,x))},[]),{run:p}=d;v(()=>{p===void 0||Mo(p)||(p.answer?m(e,p.answer):a(b=>b.sent?.session===e?Oo(b):b))},[p,e,m]);let f=(b,x)=>{ke().params.session===b&&I("chat",{session:b,run:x},{replace:!0})},h=async(b,x,z)=>{let Y={open:L=>T.streamChat(x,L),reopen:T.runEvents},$e=L=>l.update(me=>La(me,L));try{for await(let L of ka(Y,{signal:z,onLost:$e}))L.name==="answer"?m(b.session,L.data):l.update(me=>Pa(me,L))}catch(L){if(!(L instanceof ht))throw L;f(b.session,L.run)}},C=(b,x)=>{u.current.add(b.session),l.reset(),c.clear(),a(z=>({...z,sent:b,waiting:!0,...b.question&&{draft:"",attachments:[]}})),I("chat",{session:b.session},{replace:e!==""}),i.run(async z=>{try{if(b.background){let{id:Y}=await T.startChat(x,z);f(b.session,Y)}else await h(b,x,z)}catch(Y){throw a($e=>vf(Y)?Ha(Oo($e),b.token):Oo($e)),Y}})},S=()=>{let b=e||wf(),x=r.draft.trim(),{background:z}=o,{attachments:Y}=r;C({session:b,question:x,attachments:Y,background:z,replaces:"",token:""},Hs(x,b,o,Y))},O=({request_id:b,resume_token:x})=>{if(!x)return;let{background:z}=o;C({session:e,question:"",attachments:[],background:z,replaces:b,token:x},Fs(x,e,o))},E=()=>{if(!i.busy)return void d.cancel();let{run:b}=l.latest();i.cancel(),b!==""&&c.cancel(b)};return{...r,task:i,live:l.shown,cancellation:c.state,followed:d,busy:i.busy||d.active,fresh:u.current.has(e)||t!=="",markFound:A(b=>{u.current.delete(b)},[]),write:A(b=>a(x=>({...x,draft:b})),[]),attach:A(b=>{a(x=>({...x,attachments:[...x.attachments,...b]}))},[]),detach:A(b=>{a(x=>({...x,attachments:x.attachments.filter((z,Y)=>Y!==b)}))},[]),send:S,resume:O,cancel:E}}function vf(e){return e instanceof U&&e.kind==="refused"&&e.code!==yf}function wf(){let e=crypto.getRandomValues(new Uint8Array(_f));return Array.from(e,t=>t.toString(16).padStart(2,"0")).join("")}var Ka=40,Tf=100,Qn=e=>({id:e,session:void 0,messages:[],from:1});function za(e,{blocked:t,running:o,fresh:n}){let r=le(),[a,i]=$(()=>Qn(e)),l=a.id===e?a:Qn(e),c=w(l);c.current=l;let d=w(n);d.current=n;let u=q(),m=q(),{run:p,cancel:f}=u,h=A(()=>p(async E=>{e!==""&&i(await kf(e,c.current,{fresh:d.current,signal:E}))}),[p,e]);v(()=>(t||h(),f),[h,f,t,o,r]);let C=A(E=>{i(b=>b.session&&b.id===E.id?{...b,session:E}:b)},[]),S=m.run,O=A(()=>S(async E=>{let{from:b}=c.current,x=Math.max(1,b-Ka),z=await Ja(e,x,b,E);i(Y=>Y.id===e?{...Y,messages:[...z,...Y.messages],from:x}:Y)}),[S,e]);return{...l,loading:e!==""&&u.busy&&l.session===void 0,error:u.error,reload:h,update:C,earlier:{busy:m.busy,since:m.since,error:m.error,show:O}}}async function kf(e,t,{fresh:o,signal:n}){let r=await Sf(e,o&&t.session===void 0,n);if(r===void 0)return Qn(e);let a=Math.max(1,r.turns-Ka+1),i=t.session?.created_at===r.created_at,l=i?Math.min(a,t.messages.at(-1)?.turn??a):a,c=await Ja(e,l,1/0,n);return{id:e,session:r,messages:i?_a(t.messages,c,l):c,from:i?Math.min(t.from,l):l}}async function Sf(e,t,o){try{return await T.session(e,o)}catch(n){if(t&&n instanceof U&&n.status===404)return;throw n}}async function Ja(e,t,o,n){let r=[],a;do{let i=await T.messages(e,{limit:Tf,cursor:a,fromTurn:t,signal:n});r.push(...i.messages),a=i.cursor??void 0}while(a!==void 0&&(r.at(-1)?.turn??0)<o);return r.filter(i=>i.turn<o)}function Xa(e,{read:t,deleted:o,whole:n}){let r=e.at(-1),a=new Map(e.map(i=>[i.id,i]));for(let i of t.values()){let l=a.get(i.id);(l?i.updated_at>=l.updated_at:n||!r||i.updated_at>r.updated_at)&&a.set(i.id,i)}return[...a.values()].filter(i=>!o.has(i.id)).sort((i,l)=>+(i.updated_at<l.updated_at)-+(i.updated_at>l.updated_at))}var xf=20,Ya=()=>({read:new Map,deleted:new Set,pages:1});function Qa(e){let t=le(),[o,n]=$(Ya);v(()=>n(Ya),[t]);let r=ae(m=>Cf(o.pages,m),[o.pages]),a=A(m=>{n(p=>({...p,read:new Map(p.read).set(m.id,m)}))},[]),i=A(async(m,p)=>{let f=await T.renameSession(m,p);a(f),e(f)},[a,e]),l=A(async m=>{await T.deleteSession(m),n(p=>({...p,deleted:new Set(p.deleted).add(m)}))},[]),c=A(()=>n(m=>({...m,pages:m.pages+1})),[]),{data:d}=r,u=V(()=>d&&Xa(d.sessions,{...o,whole:!d.cursor}),[d,o]);return{...r,sessions:u,more:!!d?.cursor,showMore:c,addSession:a,rename:i,remove:l}}async function Cf(e,t){let o=[],n;for(let r=0;r<e;r+=1){let a=await T.sessions({limit:xf,cursor:n,signal:t});if(o.push(...a.sessions),n=a.cursor??void 0,n===void 0)break}return{sessions:o,cursor:n}}var Io=matchMedia("(width >= 800px)");function Za({route:e}){let{session:t="",run:o=""}=e.params,[n,r]=$(Bs),a=Ga(t,o,n),i=za(t,{blocked:a.busy&&a.waiting&&a.sent?.session===t,running:a.followed.active,fresh:a.fresh}),l=Qa(i.update),{addSession:c}=l,{markFound:d}=a;v(()=>{i.session&&(c(i.session),d(i.session.id))},[i.session,c,d]);let u=A(S=>r(O=>({...O,...S})),[]),m=()=>I("chat"),p=()=>{m(),Io.matches&&document.getElementById(Ln)?.focus()},f=js(n),h=n.collections.length,C=s`
    <button type="button" onClick=${p}>New chat</button>
    <${P} open=${Io.matches} summary=${s`<h2>Sessions</h2>`}>
      <${Ia}
        sessions=${l}
        open=${t}
        onOpen=${S=>S!==t&&I("chat",{session:S})}
        onDeleted=${S=>S===t&&m()}
      />
    <//>
    <${P}
      open=${Io.matches}
      summary=${s`<h2>Collections</h2>${h>0&&s` <small>${h} selected</small>`}`}
    >
      <${Ma} options=${n} onChange=${u} />
    <//>
    <${P}
      open=${Io.matches}
      summary=${s`<h2>Options</h2>${f>0&&s` <small>${f} selected</small>`}`}
    >
      <${Oa} options=${n} onChange=${u} />
    <//>
  `;return s`
    <${de} title="Chat" controls=${C}>
      <${Ra} id=${t} chat=${a} conversation=${i} options=${n} onBegin=${m} />
    <//>
  `}var Ef={tone:"good",label:"active"},ei={tone:"plain",label:"disabled"},Do={tone:"bad",label:"not used"},Rf={tone:"warn",label:"has a problem"};function Zn({disabled:e,tools:t,tool_settings:{disabled_types:o}}){let n=new Set(e.map(({kind:a,name:i})=>`${a} ${i}`)),r=new Set(t.filter(({enabled:a,type:i})=>a===!1||i&&o.includes(i)).map(({name:a})=>a));return(a,{name:i,problems:l})=>a==="tool"&&r.has(i)?ei:n.has(`${a} ${i}`)?Do:l.length>0?Rf:Ef}function gt(e){return new Set(e?.llms.filter(({demo:t})=>t).map(({name:t})=>t))}function ti(e){let t=Zn(e),{rules:o,tools:n,llms:r,services:a,phases:i,validation:l}=e,d=[["rule",o],["tool",n],["llm",r],["service",a],["phase",Object.entries(i).map(([m,p])=>({name:m,problems:p?.problems??[]}))],["schedule",[{name:"validation",problems:l.problems}]]].flatMap(([m,p])=>p.filter(({problems:f})=>f.length>0).map(f=>({kind:m,name:f.name,problems:f.problems,state:t(m,f)}))),u=new Set(d.map(({kind:m,name:p})=>`${m} ${p}`));for(let{kind:m,name:p,problems:f}of e.disabled)u.has(`${m} ${p}`)||d.push({kind:m,name:p,problems:f,state:Do});return d.filter(({state:m})=>m!==ei).sort((m,p)=>+(p.state===Do)-+(m.state===Do))}function No(e,t){let o=e.filter(({kind:n})=>t.includes(n)).length;return o>0?` ! ${o}`:""}function oi(e){return Object.entries(e).map(([t,o])=>{let n=typeof o=="string"?o:JSON.stringify(o);return t.endsWith("_regexp")?{field:t.slice(0,-7),relation:"matches",value:n}:t.endsWith("_contains")?{field:t.slice(0,-9),relation:"contains",value:n}:t==="rag_results"&&o==="any"?{field:t,relation:"is",value:"match or partial"}:{field:t,relation:"is",value:n}})}var Af=200;function Po({tool:e}){let t=s`
    <span class="tool-head">
      <strong class="mono">${e.name}</strong>
      <${Z}>${Te(e.implementation.type)}<//>
    </span>
    <span class="tool-line">${G(e.description,Af)}</span>
  `;return s`<li class="tool-card">
    <${P} summary=${t}>
      <p><${_} tone="good">enabled<//></p>
      <${N} value=${e.description} label=${`Description of ${e.name}`} />
      <${N} value=${e.parameters} label=${`Parameters of ${e.name}`} />
    <//>
  </li>`}function Lo({tool:e}){return s`<li class="tool-card tool-disabled">
    <span class="tool-head">
      <strong class="mono">${e.name}</strong>
      <${_} tone="warn">disabled<//>
    </span>
    <ul>${e.problems.map(t=>s`<li>${t}</li>`)}</ul>
  </li>`}var ni=`flexchat tokens create --stage ${Ue} --name "an operator" --role operator`;function ri(){return s`
    <div class="notice stack" role="status">
      <h2>! Operator role required</h2>
      <p>Rules, services and settings are visible to tokens with the role <strong>operator</strong>. Create one with:</p>
      <p><code>${ni}</code></p>
      <div class="row">
        <${te} text=${ni} label="Copy command" />
        <button type="button" onClick=${()=>ot("")}>Enter another token</button>
      </div>
    </div>
  `}function si(){return s`
    <section class="stack" aria-label="Tools"><h2>Tools</h2><${Of} /></section>
    <section class="stack" aria-label="Models"><h2>Models</h2><${Mf} /></section>
  `}function Of(){let{data:e,error:t,reload:o}=We(),n=e?.disabled.filter(({kind:r})=>r==="tool")??[];return t?s`<${k} error=${t} onRetry=${o} />`:e?e.tools.length+n.length===0?s`<p>No tools are configured.</p>`:s`
    <ul class="tool-cards">
      ${n.map(r=>s`<${Lo} key=${`off ${r.name}`} tool=${r} />`)}
      ${e.tools.map(r=>s`<${Po} key=${r.name} tool=${r} />`)}
    </ul>
  `:s`<${H} lines=${6} label="the tools" />`}function Mf(){let{data:e,error:t,reload:o}=Ie(),[n]=$(()=>performance.now());return t?s`<${k} error=${t} onRetry=${o} />`:e?s`
    ${e.errors.map(({llm:r,error:a})=>s`<p>! <code>${r}</code> did not list its models: ${a}</p>`)}
    ${e.models.length===0?s`<p>No models available.</p>`:s`<${If} models=${e.models} />`}
  `:s`<p><${M} label="Loading models" since=${n} /></p>`}function If({models:e}){return s`
    <${Re} label="Models" caption="Available models" columns=${["Model","Provider","Tool calling","Last tested"]}>
      ${e.map(({id:t,provider:o,validation:n,demo:r})=>s`
          <tr>
            <th scope="row" class="mono">${t}</th>
            <td><${Z}>${o}<//></td>
            <td><${ft} validation=${n} demo=${r} /></td>
            <td>${n.last_tested?s`<${j} at=${n.last_tested} />`:"never"}</td>
          </tr>
        `)}
    <//>
  `}var tr="conf-intent";function ai({draft:e,problem:t,busy:o,intents:n,services:r,onDraft:a,onRun:i,onCancel:l}){let c=Q(),d=m=>{m.preventDefault(),i()},u=m=>p=>a({[m]:p.currentTarget.value});return s`
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
  `}function er({id:e,label:t,value:o,suggestions:n,onInput:r}){let a=Q();return s`
    <label class="field">
      ${t}
      <input id=${e} value=${o} list=${a} spellcheck=${!1} autocomplete="off" onInput=${r} />
    </label>
    <datalist id=${a}>${n.map(i=>s`<option value=${i}></option>`)}</datalist>
  `}var ii="flexchat config check";function li({configuration:e,faulty:t,loading:o,onReload:n}){let{stage:r,version:a,revision:i,changed_at:l,read_at:c}=e;return s`
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
        ${l&&s`<dt>Changed</dt><dd><${j} at=${l} /> <small>${De(l)}</small></dd>`}
        ${c&&s`<dt>Loaded</dt><dd><${j} at=${c} /> <small>${De(c)}</small></dd>`}
      </dl>
      ${t.length>0&&s`<${Df} faulty=${t} />`}
    </section>
  `}function Df({faulty:e}){return s`
    <ul class="conf-problems" aria-label="Problems">
      ${e.map(({kind:t,name:o,problems:n,state:r})=>s`
          <li data-tone=${r.tone}>
            <span class="row"><${Z}>${t}<//> <strong>${o}</strong> <${_} tone=${r.tone}>${r.label}<//></span>
            <ul>${n.map(a=>s`<li>${a}</li>`)}</ul>
          </li>
        `)}
    </ul>
    <p>
      Fix the file and push it again. <code>${ii}</code> validates a file.
      <${te} text=${ii} label="Copy command" />
    </p>
  `}var Nf=300;function ci({demo:e,match:{busy:t,since:o,error:n,cancelled:r,profileJson:a,result:i,match:l},onClose:c}){return s`
    <section class="conf-match stack" aria-label="Matched rule">
      <div class="row spread">
        <h2>Matched rule</h2>
        <button type="button" class="quiet" onClick=${c}>Close</button>
      </div>
      <p><code>${G(a,Nf)}</code></p>
      ${t&&s`<p><${M} label="Testing the rules" since=${o} /></p>`}
      ${n&&s`<${k} error=${n} onRetry=${l} />`}
      ${r&&s`<div class="notice stack" role="status">
          <p>! Test cancelled.</p>
          <div class="row"><button type="button" onClick=${l}>Try again</button></div>
        </div>`}
      <div role="status">${i&&s`<${Pf} answer=${i.answer} demo=${e} />`}</div>
      ${i&&s`<${Lf} key=${i.profileJson} answer=${i.answer} />`}
    </section>
  `}function Pf({answer:{rule:e,llm:t,model:o,fallback:n,problem:r},demo:a}){return s`
    ${e&&s`<p class="conf-matched-rule">
        <${_} tone=${r?"warn":"good"}>Rule <strong>${e}</strong> matches<//>, model <code>${t}:${o}</code>${a.has(t??"")&&s` <${W} />`}
      </p>`}
    ${n&&s`<p><${_} tone="warn">instead of<//> <code>${n.instead_of}</code>: ${n.reason}</p>`}
    ${r&&s`<p><${_} tone="bad">A chat fails:<//> ${r}</p>`}
  `}function Lf({answer:{rule:e,rules:t,tools:o}}){let n=o.filter(r=>r.offered).length;return s`
    <${Eo} rules=${t} />
    ${e&&s`<${P} open summary=${`${n} of ${o.length} tools offered`}>
        <${Ro} tools=${o} />
      <//>`}
  `}var qf=["intent","service","topic","rag_results"];function Ut({intent:e="",service:t="",topic:o="",rag_results:n="",more:r=""}){return{intent:e,service:t,topic:o,rag_results:n,more:r}}function ui(e){return e.tried==="yes"}function or(e,t){return{...e,...Ut({...t}),tried:t===void 0?"":"yes"}}function nr(e){let{fields:t,problem:o}=Bf(e.more);if(t===void 0)return{profile:void 0,problem:o};let n={...t};for(let r of qf){let a=e[r].trim();if(a!==""){if(r in t)return{profile:void 0,problem:`“${r}” is set twice. Remove it from the JSON or from the field above.`};n[r]=a}}return{profile:n,problem:""}}function Bf(e){if(e.trim()==="")return{fields:{},problem:""};let t;try{t=ee(e)}catch(o){return{fields:void 0,problem:`Not valid JSON: ${o instanceof Error?o.message:o}`}}return typeof t!="object"||t===null||Array.isArray(t)?{fields:void 0,problem:'Enter a JSON object, such as {"plan": "free"}.'}:{fields:t,problem:""}}function bt({caption:e,none:t,entries:o,columns:n,stateOf:r}){return o.length===0?s`<p>${t}</p>`:s`
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
          ${o.map(a=>s`<${Hf} key=${a.name} entry=${a} columns=${n} state=${r(a)} />`)}
        </tbody>
      </table>
    </div>
  `}function Hf({entry:e,columns:t,state:o}){return s`
    <tr>
      <th scope="row">${e.name}</th>
      <td>
        <${_} tone=${o.tone}>${o.label}<//>
        ${e.problems.map(n=>s`<small class="conf-problem-text">${n}</small>`)}
      </td>
      ${t.map(({number:n,cell:r})=>s`<td class=${n&&"number"}>${r(e)}</td>`)}
    </tr>
  `}function ve({names:e,none:t=""}){return e.length===0?t:s`<span class="conf-names">${e.map(o=>s`<code>${o}</code>`)}</span>`}function jt(e){return typeof e!="boolean"?"":e?"yes":"no"}function rr(e){return typeof e=="number"?xe(e):""}var di={caption:"Tools",none:"No tools are configured.",columns:[{title:"Type",cell:e=>e.type},{title:"Timeout",number:!0,cell:e=>e.timeout_ms?R(e.timeout_ms):""},{title:"Idempotent",cell:e=>jt(e.idempotent)},{title:"Repeatable",cell:e=>jt(e.repeatable)},{title:"Sequential",cell:e=>jt(e.sequential)},{title:"Per caller",cell:e=>jt(e.per_principal)}]},mi={caption:"LLMs",none:"No LLMs are configured, so chats fail.",columns:[{title:"Type",cell:e=>s`${e.type}${e.demo&&s` <${W} />`}`},{title:"Endpoint",cell:e=>e.host??e.region??(e.type?"provider default":"")},{title:"Key",cell:e=>jt(e.has_key)},{title:"Models",cell:e=>s`<${ve} names=${e.models} none=${e.type?"listed by the provider":""} />`},{title:"Fallbacks",cell:e=>s`<${ve} names=${e.fallbacks} none=${e.type?"none":""} />`}]},fi={caption:"Retrieval services",none:"No retrieval services are configured.",columns:[{title:"Type",cell:e=>e.type},{title:"Endpoint",cell:e=>e.host??e.region??(e.type==="internal"?"this stack":"")},{title:"Collections",cell:e=>s`<${ve} names=${e.collections} none=${e.type==="internal"?"all":""} />`},{title:"Match",number:!0,cell:e=>rr(e.match_threshold)},{title:"Partial",number:!0,cell:e=>rr(e.partial_threshold)},{title:"Farthest",number:!0,cell:e=>rr(e.max_distance)},{title:"Passages",number:!0,cell:e=>e.top_k}]};var Ff=/[\p{L}\p{N}_]+|[^\p{L}\p{N}_]+/gu,Uf=/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}⟨]/u;var jf=/[\p{Mn}\p{Me}]/u,Vf=/\p{Script=Latin}/u,Wf=/[\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Lisu}]/u;function Gf(e){return`⟨U+${(e.codePointAt(0)??0).toString(16).toUpperCase().padStart(4,"0")}⟩`}function pi(e){let t=[],o=" ";for(let n of e.match(Ff)??[]){let r=/[A-Za-z]/.test(n);for(let a of n){let i=jf.test(a),l=Kf(a)||r&&Wf.test(a)||i&&!zf(o),c=t.at(-1);l?t.push({text:Gf(a),hidden:l}):c&&!c.hidden?c.text+=a:t.push({text:a,hidden:l}),i||(o=a)}}return t}function Kf(e){if(` 	
`.includes(e))return!1;if(Uf.test(e))return!0;let t=e.normalize("NFKC");return t!==e&&/[A-Za-z0-9]/.test(t)}function zf(e){return/\p{L}/u.test(e)&&!Vf.test(e)}function we({text:e}){let t=V(()=>pi(e),[e]);return s`${t.map(o=>o.hidden?s`<mark class="hidden-character">${o.text}</mark>`:o.text)}`}var Jf={offered:["good","offered"],changed:["warn","changed"],new:["warn","new"],removed:["plain","removed"],invalid:["bad","not usable"],shadowed:["plain","replaced by a configured tool"],not_taken:["plain","not taken"]};function $i(e){return e.filter(({state:t})=>t==="changed"||t==="new")}function hi(e){return e.filter(({state:t})=>t==="removed")}function gi({tools:e,server:t}){return e.length===0?null:s`
    <div class="scroll" tabindex="0" role="region" aria-label=${`Tools of ${t}`}>
      <table class="conf-table">
        <caption>Tools of ${t}</caption>
        <thead>
          <tr><th scope="col">Name</th><th scope="col">State</th><th scope="col">Description</th></tr>
        </thead>
        <tbody>
          ${e.map(o=>s`<${Xf} key=${o.name} tool=${o} />`)}
        </tbody>
      </table>
    </div>
  `}function Xf({tool:{name:e,description:t,state:o,problems:n,losses:r,diff:a}}){let[i,l]=Jf[o];return s`
    <tr>
      <th scope="row"><${we} text=${e} /></th>
      <td>
        <${_} tone=${i}>${l}<//>
        ${n.map(c=>s`<small class="conf-problem-text"><${we} text=${c} /></small>`)}
        ${r.map(c=>s`<small class="conf-problem-text">Models do not get <${we} text=${c} /></small>`)}
      </td>
      <td class="mcp-description">
        <${we} text=${t} />
        ${a.length>0&&s`<${P} summary=${o==="new"?"Definition":"Difference"} open=${!0}><${Qf} lines=${a} /><//>`}
      </td>
    </tr>
  `}var Yf={"+":"ins","-":"del","?":"em"};function Qf({lines:e}){return s`
    <pre class="mcp-diff">${e.map(t=>s`<${Yf[t[0]??""]??"span"}><${we} text=${t} />${`
`}<//>`)}</pre>
  `}var Zf={ready:["good","connected"],failed:["bad","not connected"],not_checked:["plain","not connected yet"],disabled:["plain","disabled"]};function bi(){let{data:e,error:t,reload:o}=ae(n=>T.mcpServers(n));return t?s`<${k} error=${t} onRetry=${o} />`:e?e.servers.length===0?s`<p>No MCP servers are configured.</p>`:s`
    <ul class="mcp-servers">
      ${e.servers.map(n=>s`<li key=${n.name}><${ep} loaded=${n} /></li>`)}
    </ul>
  `:s`<${H} lines=${6} label="the MCP servers" />`}function ep({loaded:e}){let[t,o]=$(e),n=q(),{name:r}=t,a=()=>n.run(async c=>o(await T.refreshMcpServer(r,c))),i=$i(t.tools),l=()=>{let c=[...i,...hi(t.tools)].map(({tool:d})=>d);return n.run(async d=>o(await T.approveMcpTools(r,{hash:t.pending_hash??"",tools:c},d)))};return s`
    <section class="mcp-server stack" aria-label=${`MCP server ${r}`}>
      <div class="row spread">
        <h3>${r} <${Z}>${t.transport}<//></h3>
        <button type="button" class="quiet" disabled=${n.busy||t.state==="disabled"} onClick=${a}>Connect now</button>
      </div>
      <p role="status">
        ${n.busy?s`<${M} label="Connecting" since=${n.since} />`:s`<${op} server=${t} />`}
      </p>
      ${n.error&&s`<${k} error=${n.error} />`}
      ${t.error&&s`<p class="mcp-error"><${we} text=${t.error} /></p>`}
      ${t.error&&t.hints.length>0&&s`<ul aria-label="Hints">${t.hints.map(c=>s`<li><${we} text=${c} /></li>`)}</ul>`}
      <${np} server=${t} />
      <${tp} entries=${t.left_out} />
      ${i.length>0&&s`<div class="notice stack">
          <p>! ${g(i.length,"definition")} of tools changed or new. Models are not offered them until they are approved: a definition can make a model call other tools or disclose data.</p>
          <div class="row"><button type="button" disabled=${n.busy} onClick=${l}>Approve ${g(i.length,"definition")}</button></div>
        </div>`}
      <${gi} tools=${t.tools} server=${r} />
    </section>
  `}function tp({entries:e={}}){let t=Object.entries(e);return t.length===0?null:s`<div class="notice">
    <p>! The server lists entries that cannot be used:</p>
    <ul aria-label="Left out">
      ${t.map(([o,n])=>s`<li key=${o}><code><${we} text=${o} /></code> <${we} text=${n} /></li>`)}
    </ul>
  </div>`}function op({server:{state:e,checked_at:t}}){let[o,n]=Zf[e];return s`<${_} tone=${o}>${n}<//>${t&&s`, checked <${j} at=${t} />`}`}function np({server:{transport:e,target:t,server:o,protocol_version:n,tools:r}}){let a=r.filter(({state:i})=>i==="offered").length;return s`
    <dl class="conf-facts">
      <dt>${e==="stdio"?"Command":"Host"}</dt>
      <dd><code><${we} text=${t} /></code></dd>
      ${o&&s`<dt>Server</dt><dd><${we} text=${`${o.name} ${o.version}`} /></dd>`}
      ${n&&s`<dt>Protocol</dt><dd><${we} text=${n} /></dd>`}
      <dt>Offered tools</dt>
      <dd>${y(a)} of ${y(r.length)}</dd>
    </dl>
  `}var rp=300,sp=e=>[{title:"Conditions",cell:t=>s`<${ap} rule=${t} />`},{title:"Model",cell:t=>s`<${ip} rule=${t} demo=${e} />`},{title:"Tools",cell:t=>s`<${lp} rule=${t} />`}];function _i({rules:e,demo:t,stateOf:o}){return s`<${bt}
    caption="Rules in order of evaluation"
    none="No rules are configured, so chats fail."
    entries=${e}
    columns=${sp(t)}
    stateOf=${o}
  />`}function ap({rule:{match:e,fallback:t}}){return t?"none: fallback rule":oi(e??{}).map(({field:o,relation:n,value:r},a)=>s`
      <div>${a>0&&"and "}<code>${o}</code> ${n} <code>${G(r,rp)}</code></div>
    `)}function ip({rule:e,demo:t}){return e.llm?s`
    <code>${e.llm}:${e.model}</code>${t.has(e.llm)&&s` <${W} />`}
    ${e.fallbacks.length>0&&s`<div><small>then</small> <${ve} names=${e.fallbacks} /></div>`}
    ${e.require_validated&&s`<div><small>requires validation</small></div>`}
  `:null}function lp({rule:{llm:e,allowed_tools:t,max_iterations:o,max_tool_calls:n}}){return e?o?s`
    ${t===null?"all":s`<${ve} names=${t} none="none" />`}
    <div><small>at most ${g(o,"iteration")} and ${g(n??0,"call")}</small></div>
  `:"none":null}function vi({configuration:e}){let{tool_settings:t,phases:o,sessions:n,validation:r,caller_fields:a}=e,{openai_api:i}=e,l=gt(e);return s`
    <div class="conf-settings">
      <${at}
        title="Tools"
        facts=${[["Enabled",t.enabled?"yes":s`<${_} tone="warn">no: models are offered no tools<//>`],["Iterations per chat",`${y(t.max_iterations)} by default`],["Calls per iteration",`${y(t.max_calls_per_turn)} by default`],["Calls per chat",`${y(t.max_tool_calls)} by default`],["Timeout",`${R(t.default_timeout_ms)} by default`],["Parallel calls",y(t.max_parallel)],["Disabled types",s`<${ve} names=${t.disabled_types} none="none" />`]]}
      />
      <${at} title="Topic" facts=${yi(o.topic,l)} problems=${o.topic?.problems} />
      <${at} title="Intent" facts=${yi(o.intent,l)} problems=${o.intent?.problems} />
      <${at}
        title="Profile"
        facts=${[["Fields set by callers",s`<${ve} names=${a} none="none" />`]]}
      />
      <${at}
        title="Sessions"
        facts=${[["Retention",`${g(n.ttl_days,"day")} after the last message`],["History sent to models",`at most ${g(n.max_history_tokens,"token")}`]]}
      />
      <${at}
        title="OpenAI-compatible API"
        facts=${[["Rules",s`<${ve} names=${i.rules} none="none" />`],["Models",s`<${ve} names=${i.models} none="none" />`],["Embeddings",i.embedding_model?s`<code>${i.embedding_model}</code>`:"none"]]}
      />
      <${at} title="Scheduled validation" facts=${cp(r)} problems=${r.problems} />
    </div>
  `}function yi(e,t){return e?e.enabled?[["Detected","yes"],["Model",e.model&&s`<code>${e.model}</code>${t.has(e.model.split(":")[0]??"")&&s` <${W} />`}`],...e.intents.length>0?[["Intents",s`<${ve} names=${e.intents} />`]]:[]]:[["Detected","no: disabled"]]:[["Detected","no: not configured"]]}function cp({models:e,suite:t,repeats:o,stop_early:n,budget:r}){let a=[typeof r.calls=="number"&&g(r.calls,"chat"),typeof r.tokens=="number"&&g(r.tokens,"token"),typeof r.usd=="number"&&oe(r.usd)].filter(Boolean);return[["Models",s`<${ve} names=${e} none="none" />`],["Suite",t],["Repeats",y(o)],["Early stopping",n?"yes":"no"],["Budget",a.length>0?a.join(", "):"no limit"]]}function at({title:e,facts:t,problems:o=[]}){return s`
    <section class="stack" aria-label=${e}>
      <h3>${e}</h3>
      ${o.map(n=>s`<p><${_} tone="warn">${n}<//></p>`)}
      <dl class="conf-facts">
        ${t.map(([n,r])=>s`<dt>${n}</dt><dd>${r}</dd>`)}
      </dl>
    </section>
  `}function wi({configuration:e,faulty:t,chosen:o,onChoose:n}){let{rules:r,tools:a,llms:i,services:l}=e,c=Zn(e),d=gt(e),u=f=>h=>c(f,h),m=(f,h)=>`${y(f.length)}${No(t,[h])}`,p=[{name:"Rules",note:m(r,"rule"),content:()=>s`<${_i} rules=${r} demo=${d} stateOf=${u("rule")} />`},{name:"Tools",note:m(a,"tool"),content:()=>s`<${bt} ...${di} entries=${a} stateOf=${u("tool")} />`},{name:"MCP servers",note:No(t,["mcp_server"]),content:()=>s`<${bi} />`},{name:"LLMs",note:m(i,"llm"),content:()=>s`<${bt} ...${mi} entries=${i} stateOf=${u("llm")} />`},{name:"Services",note:m(l,"service"),content:()=>s`<${bt} ...${fi} entries=${l} stateOf=${u("service")} />`},{name:"Settings",note:No(t,["phase","schedule"]),content:()=>s`<${vi} configuration=${e} />`}];return s`<${ze} label="Configuration sections" tabs=${p} chosen=${o} onChoose=${n} />`}function Ti(e){let t=le(),o=q(),{run:n,cancel:r,clear:a}=o,[i,l]=$(void 0),c=e===void 0?"":JSON.stringify(e),d=A(()=>n(async u=>{let m=await T.matchRule(ee(c),u);l({profileJson:c,answer:m})}),[n,c]);return v(()=>{if(c!==""){d();return}r(),a(),l(void 0)},[d,r,a,c,t]),{...o,match:d,profileJson:c,result:o.busy||i?.profileJson===c?i:void 0}}var ki="Rules";function Si({route:{params:e}}){let t=ae(f=>T.configuration(f)),o=t.error?.kind==="forbidden",[n,r]=dp(e),{profile:a,problem:i}=nr(n),l=ui(e)&&!o?nr(Ut(e)).profile:void 0,c=Ti(l),{section:d,reveal:u}=Ke(c.busy),m=()=>{a===void 0||c.busy||(u(),JSON.stringify(a)===c.profileJson?c.match():I("configuration",or(e,n)))};if(ie([{keys:"/",label:"Enter an intent",run:()=>document.getElementById(tr)?.focus()},{keys:"mod+Enter",label:"Test the rules",run:m},{keys:"Escape",label:"Cancel the test",run:c.cancel}]),o)return s`<${de} title="Configuration" controls=${s`<${ri} />`}><${si} /><//>`;let p=s`<${ai}
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
      ${l&&s`<${ci} match=${c} demo=${gt(t.data)} onClose=${()=>I("configuration",or(e,void 0))} />`}
      ${t.error&&s`<${k} error=${t.error} onRetry=${t.reload} />`}
      ${!t.data&&!t.error&&s`<${H} lines=${8} label="the configuration" />`}
      ${t.data&&s`<${up} configuration=${t} data=${t.data} params=${e} />`}
    <//>
  `}function up({configuration:e,data:t,params:o}){let n=V(()=>ti(t),[t]),r=a=>I("configuration",{...o,tab:a===ki?"":a},{replace:!0});return s`
    <${li} configuration=${t} faulty=${n} loading=${e.loading} onReload=${e.reload} />
    <${wi} configuration=${t} faulty=${n} chosen=${o.tab||ki} onChoose=${r} />
  `}function dp(e){let t=JSON.stringify(Ut(e)),[o,n]=$(()=>Ut(e));return v(()=>n(ee(t)),[t]),[o,r=>n(a=>({...a,...r}))]}function xi(e){let t=ho(),o=t.data?.collections,n=e||o?.[0]?.name||"",r=a=>o&&t.put({collections:o.map(i=>i.name===a.name?a:i)});return{collections:t,selected:n,collection:o?.find(({name:a})=>a===n),isEmpty:o?.length===0,loading:n===""&&t.loading,replace:r}}function _t(e,t){return e===void 0?"none":e<t.match?"match":e<t.partial?"partial":"none"}function Wt(e){let t=Number(e?.trim()||NaN);return t>=0&&t<=2?t:void 0}function qo(e,t){return e===void 0||t===void 0?void 0:{match:e,partial:Math.max(e,t)}}function Ci({match:e,partial:t},o,n){return o==="match"?{match:n,partial:Math.max(n,t)}:{match:Math.min(n,e),partial:n}}function Ei({match_threshold:e,partial_threshold:t},o){return qo(e??o?.match,t??o?.partial)}function Ri({metadata:e,calibrated_passages:t}){if(typeof t=="number")return"calibrated from passages";let o=[e.match_threshold,e.partial_threshold].filter(n=>typeof n=="number");return o.length===2?"set by an operator":o.length===1?"one set by an operator, one from the service":"from the service"}function Ai(e,{match:t,partial:o}){let n=Math.min(Math.min(...e)-.05,t),r=Math.max(Math.max(...e)+.05,o);return{low:Math.max(0,Vt(Math.floor(Vt(n/.05))*.05)),high:Math.min(2,Vt(Math.ceil(Vt(r/.05))*.05))}}function Oi({low:e,high:t},o){return Math.min(100,Math.max(0,Vt((o-e)/(t-e)*100)))}function Mi(e,{match:t,partial:o}){return JSON.stringify({rag_services:{docs:{type:"internal",collections:[e],match_threshold:t,partial_threshold:o}}},null,2)}function Vt(e){return Math.round(e*1e3)/1e3}var Ii=300;function Di({collections:e,selected:t,onChoose:o}){let{data:n,error:r,reload:a}=e;return r&&!n?s`<${k} error=${r} onRetry=${a} />`:n?n.collections.length===0?s`<p><small>No collections.</small></p>`:s`
    <fieldset class="ret-collections">
      <legend>Collection</legend>
      <div class="ret-cards">
        ${n.collections.map(i=>s`
            <${mp}
              key=${i.name}
              collection=${i}
              checked=${i.name===t}
              onChoose=${()=>o(i.name)}
            />
          `)}
      </div>
    </fieldset>
  `:s`<${H} lines=${4} label="the collections" />`}function mp({collection:e,checked:t,onChoose:o}){let{name:n,metadata:r,documents:a,passages:i,bytes:l,updated_at:c}=e,{match_threshold:d,partial_threshold:u,description:m,embedding_model:p}=r;return s`
    <label class="ret-card">
      <input type="radio" name="collection" value=${n} checked=${t} onChange=${o} />
      <span>
        <strong>${(r.display_name||n).slice(0,Ii)}</strong>
        ${r.display_name&&s` <code>${n}</code>`}
        ${m&&s`<small class="ret-line">${m.slice(0,Ii)}</small>`}
        <small class="ret-line">
          ${g(a,"document")} · ${g(i,"passage")} · ${Ge(l)} · <${j} at=${c} />
        </small>
        <small class="ret-line"><${Z}>${p}<//> ${fp(d,u)}${Ri(e)}</small>
      </span>
    </label>
  `}function fp(e,t){return typeof e=="number"&&typeof t=="number"?`match < ${xe(e)}, partial < ${xe(t)}: `:"thresholds: "}function Ni({collection:e,thresholds:t,onChanged:o}){let n=q(),[r,a]=$(""),{metadata:i,name:l}=e,c=i.match_threshold===t.match&&i.partial_threshold===t.partial,u=(typeof i.match_threshold=="number"||typeof i.partial_threshold=="number")&&typeof e.calibrated_passages!="number",m=(p,f,h)=>{a(""),n.run(async()=>{let C=await T.changeCollection(l,{metadata:{match_threshold:p,partial_threshold:f}});a(`${h} ✓`),o(C,h)})};return s`
    <button type="button" disabled=${c||n.busy} onClick=${()=>m(t.match,t.partial,"saved")}>
      Save thresholds
    </button>
    ${u&&s`<button type="button" class="quiet" disabled=${n.busy} onClick=${()=>m(null,null,"recalibrated")}>
        Recalibrate thresholds
      </button>`}
    ${n.busy&&s`<${M} label="Updating the collection" since=${n.since} />`}
    <small role="status">${r}</small>
    ${n.error&&s`<${k} error=${n.error} />`}
  `}var pp=5,Pi=100;function Gt(e){let t=Math.floor(Number(e));return t>=1&&t<=Pi?t:pp}function Li({draft:e,busy:t,form:o,onDraft:n,onRun:r,onCancel:a}){return s`
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
            max=${Pi}
            value=${e.topK}
            onInput=${l=>n({topK:l.currentTarget.value})}
          />
        </label>
      </div>
    </form>
  `}var $p={match:{tone:"good",sign:"✓"},partial:{tone:"warn",sign:"~"},none:{tone:"plain",sign:"·"}};function Kt({name:e}){return s`<${_} ...${$p[e]}>${e}<//>`}var Bo=280,qi=300;function Bi({hit:e}){let[t,o]=$(!1),n=e.title.slice(0,qi);return s`
    <div class="ret-passage">
      <strong>${n}</strong>
      <code>${e.source.slice(0,qi)}</code>
      ${t?s`<${N} value=${e.text} label=${`Text of ${n}`} />`:s`<p>${hp(e.text)}</p>`}
      <button type="button" class="quiet" aria-expanded=${t} onClick=${()=>o(!t)}>
        ${t?"Hide full text":"Show full text"}
      </button>
    </div>
  `}function hp(e){let t=e.slice(0,2*Bo).replace(/\s+/g," ").trim();return t.length>Bo||e.length>2*Bo?`${t.slice(0,Bo)} …`:t}function Hi({hits:e,thresholds:t,scale:o}){return s`
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
                <${gp} distance=${n.distance} thresholds=${t} scale=${o} />
              </td>
              <td><${Kt} name=${a} /></td>
              <td><${Bi} hit=${n} /></td>
            </tr>
          `})}
      </tbody>
    </table>
  `}function gp({distance:e,thresholds:t,scale:o}){let n=r=>`${Oi(o,r)}%`;return s`<span class="ret-bar" aria-hidden="true">
    <span style=${{width:n(e)}}></span>
    <i style=${{left:n(t.match)}}></i>
    <i style=${{left:n(t.partial)}}></i>
  </span>`}var bp=300,_p={match:"A chat that selects this collection answers from these passages and searches no further collections.",partial:"A chat that selects this collection passes these passages to the model and searches the next collection.",none:"A chat that selects this collection continues without these passages."};function Fi({found:e,thresholds:t,saved:o}){let{answer:n,ms:r,request:a}=e,i=n.hits.map(p=>p.distance),l=i.length>0?Math.min(...i):void 0,c=_t(l,t),d=_t(l,o),u=i.map(p=>_t(p,t)),m=p=>`${u.filter(f=>f===p).length} ${p}`;return s`
    <div class="ret-classification">
      <h2><span role="status"><${Kt} name=${c} /></span></h2>
      <p>${_p[c]}</p>
      ${c!==d&&s`<p>With the collection's saved thresholds: <${Kt} name=${d} />.</p>`}
      <small>
        ${g(i.length,"passage")}: ${m("match")}, ${m("partial")}, ${m("none")}${" · "}
        ${l!==void 0&&`nearest ${xe(l)} · `}${R(r)}
      </small>
      <small>Query: “${a.query.slice(0,bp)}”</small>
    </div>
  `}var yp=`flexchat collections create handbook --stage ${Ue}`,vp=`flexchat collections add handbook docs/ --stage ${Ue}`;function Ui({isEmpty:e,hasQuery:t,loading:o,search:n,evaluation:r}){let{busy:a,cancelled:i,error:l,found:c,since:d}=n;return e?s`<${wp} />`:s`
    ${a&&s`<${M} label="Searching" since=${d} />`}
    ${i&&s`<p role="status">Search cancelled.</p>`}
    ${l&&s`<${k} error=${l} onRetry=${n.search} />`}
    ${(t&&o||a&&!c)&&s`<${H} lines=${6} label="the passages" />`}
    ${!t&&s`<${Tp} />`}
    ${c&&r&&s`
        <${Fi} found=${c} ...${r} />
        ${c.answer.hits.length>0?s`<${Hi} hits=${c.answer.hits} thresholds=${r.thresholds} scale=${r.scale} />`:s`<p>No passages found in this collection.</p>`}
      `}
  `}function wp(){return s`
    <${ue} title="No collections">
      <p>Search a collection to see the distances of its passages and calibrate its thresholds.</p>
      <p>Create a collection and add files or directories:</p>
      <pre>${yp} && ${vp}</pre>
    <//>
  `}function Tp(){return s`
    <${ue} title="Test a collection">
      <p>
        Enter a query to see the closest passages of a collection, their distances, and how a chat uses them. Adjust the
        thresholds to see the effect.
      </p>
      <p>Enter a test query and select Search.</p>
    <//>
  `}function ji({collection:e,query:t,topK:o}){let n=q(),{run:r,cancel:a}=n,[i,l]=$(void 0),c=A(()=>r(async d=>{let u=performance.now(),m=await T.search(e,{query:t,top_k:o},d);l({request:{collection:e,query:t,topK:o},answer:m,ms:performance.now()-u})}),[r,e,t,o]);return v(()=>{e&&t?c():(a(),l(void 0))},[c,a,e,t]),{...n,search:c,found:i?.request.collection===e?i:void 0}}var Wi=.001;function Gi({collection:e,thresholds:t,saved:o,scale:n,onMove:r,children:a}){let i=t.match!==o.match||t.partial!==o.partial,l=(c,d)=>r(Ci(t,c,d));return s`
    <fieldset class="ret-thresholds">
      <legend>Thresholds <small>cosine distance, lower is closer</small></legend>
      <${Vi} name="Match below" value=${t.match} scale=${n} onMove=${c=>l("match",c)} />
      <${Vi} name="Partial below" value=${t.partial} scale=${n} onMove=${c=>l("partial",c)} />
      <div class="row">
        <button type="button" disabled=${!i} onClick=${()=>r(void 0)}>Reset thresholds</button>
        ${a}
      </div>
      <div class="row">
        <${te} text=${()=>Mi(e,t)} label="Copy as configuration" />
        <small>for services; applies to collections without thresholds</small>
      </div>
    </fieldset>
  `}function Vi({name:e,value:t,scale:o,onMove:n}){return s`
    <div class="ret-slider">
      <span aria-hidden="true">${e}</span>
      <input
        type="range"
        aria-label=${e}
        min=${o.low}
        max=${o.high}
        step=${Wi}
        value=${t}
        onInput=${r=>n(Number(r.currentTarget.value))}
      />
      <${Sp} name=${`${e}, as a number`} value=${t} onCommit=${n} />
    </div>
  `}function Sp({name:e,value:t,onCommit:o}){let[n,r]=$(void 0);return s`
    <input
      type="number"
      aria-label=${e}
      min="0"
      max=${2}
      step=${Wi}
      value=${n??t}
      onInput=${i=>r(i.currentTarget.value)}
      onChange=${({currentTarget:i})=>{r(void 0);let l=Wt(i.value);l!==void 0&&o(l)}}
    />
  `}var xp=250;function Ki(e){let t=e.query??"",o=String(Gt(e.top_k)),[n,r]=$({query:t,topK:o});return v(()=>r({query:t,topK:o}),[t,o]),[n,a=>r(i=>({...i,...a}))]}function zi(e){let t=Wt(e.match),o=Wt(e.partial),[n,r]=$(qo(t,o)),a=w(e);a.current=e;let i=w(n);return v(()=>{t===i.current?.match&&o===i.current?.partial||(i.current=qo(t,o),r(i.current))},[t,o]),v(()=>{let c=setTimeout(()=>{i.current=n,I("retrieval",Ho(a.current,n),{replace:!0})},xp);return()=>clearTimeout(c)},[n]),[n,r]}function Ho(e,t){return{...e,match:String(t?.match??""),partial:String(t?.partial??"")}}function Ji({route:e}){let{params:t}=e,o=t.query??"",n=Gt(t.top_k),{collections:r,selected:a,collection:i,isEmpty:l,loading:c,replace:d}=xi(t.collection),[u,m]=Ki(t),[p,f]=zi(t),h=ji({collection:a,query:o,topK:n}),C=w(null),S=X(),{section:O,reveal:E}=Ke(h.busy),b=Cp(i,h.found?.answer,p),x=()=>{E();let L={...t,collection:a,query:u.query,top_k:u.topK};L.query===o&&Gt(L.top_k)===n?h.search():I("retrieval",Ho(L,p))},z=L=>{f(void 0),I("retrieval",Ho({...t,collection:L},void 0))},Y=(L,me)=>{d(L),me!=="saved"&&(f(void 0),h.found&&h.search())};ie([{keys:"/",label:"Enter a test query",run:()=>C.current?.querySelector("textarea")?.focus()},{keys:"mod+Enter",label:"Search",run:()=>C.current?.requestSubmit()},{keys:"Escape",label:"Cancel the search",run:h.cancel}]);let $e=s`
    <${Di} collections=${r} selected=${a} onChoose=${z} />
    ${!l&&s`<${Li}
        draft=${u}
        busy=${h.busy}
        form=${C}
        onDraft=${m}
        onRun=${x}
        onCancel=${h.cancel}
      />`}
    ${b&&s`<${Gi} collection=${a} ...${b} onMove=${f}>
        ${i&&S&&s`<${Ni} key=${a} collection=${i} thresholds=${b.thresholds} onChanged=${Y} />`}
      <//>`}
  `;return s`
    <${de} title="Retrieval" controls=${$e} section=${O}>
      <${Ui} isEmpty=${l} hasQuery=${o!==""&&(c||a!=="")} loading=${c} search=${h} evaluation=${b} />
    <//>
  `}function Cp(e,t,o){let n=Ei(e?.metadata??{},t?.thresholds);if(n===void 0)return;let r=o??n,a=(t?.hits??[]).map(i=>i.distance);return{saved:n,thresholds:r,scale:Ai([...a,n.match,n.partial],r)}}function Yi(e,t,o=String){let[n,r]=[e.map(o),t.map(o)],a=0;for(;a<e.length&&a<t.length&&n[a]===r[a];)a+=1;let[i,l]=[e.length,t.length];for(;i>a&&l>a&&n[i-1]===r[l-1];)i-=1,l-=1;let c=Rp(n.slice(a,i),r.slice(a,l)),d=[...Array.from({length:a},(u,m)=>[m,m]),...c.map(([u,m])=>[u+a,m+a]),...Array.from({length:e.length-i},(u,m)=>[i+m,l+m])];return Ep(e,t,d)}function Ep(e,t,o){let n=[],[r,a]=[0,0];for(let[i,l]of[...o,[e.length,t.length]]){for(;r<i;r+=1)n.push({change:"removed",a:e[r],b:void 0});for(;a<l;a+=1)n.push({change:"added",a:void 0,b:t[a]});r<e.length&&a<t.length&&n.push({change:"same",a:e[r],b:t[a]}),r+=1,a+=1}return n}function Rp(e,t){if(e.length*t.length>4e6)return[];let o=t.length+1,n=new Uint16Array((e.length+1)*o),r=(i,l)=>n[i*o+l]??0;for(let i=e.length-1;i>=0;i-=1)for(let l=t.length-1;l>=0;l-=1)n[i*o+l]=e[i]===t[l]?r(i+1,l+1)+1:Math.max(r(i+1,l),r(i,l+1));let a=[];for(let[i,l]=[0,0];i<e.length&&l<t.length;)e[i]===t[l]?a.push([i++,l++]):r(i+1,l)>=r(i,l+1)?i+=1:l+=1;return a}var Ap=e=>e.trim();function Fo(e,t){let o=[];for(let{change:n,a:r,b:a}of Yi(Xi(e),Xi(t),Ap)){let i=r??a??"",l=o.at(-1);l?.change===n?l.text+=i:o.push({change:n,text:i})}return o}function Xi(e){return e.match(/\s*\S+\s*|\s+/g)??[]}function Qi(e,t){let o=[],n=[];for(let r of Yi(e,t,({tool:a,params:i})=>`${a} ${sr(i)}`)){r.change==="same"&&(n=[]);let a=r.change==="added"?n.find(i=>i.a?.tool===r.b?.tool):void 0;if(a)Object.assign(a,{change:"changed",b:r.b}),n=n.filter(i=>i!==a);else{let i={...r};o.push(i),r.change==="removed"&&n.push(i)}}return o}function sr(e){return Array.isArray(e)?`[${e.map(sr).join(",")}]`:typeof e!="object"||e===null?JSON.stringify(e)??"":`{${Object.entries(e).sort(([o],[n])=>o<n?-1:1).map(([o,n])=>`${JSON.stringify(o)}:${sr(n)}`).join(",")}}`}var Zi=[...Object.keys(Ne),"error"],Op={chat:"chat API",openai:"chat completions",responses:"responses API",direct:"direct invocation",trial:"test",phase_test:"phase test"};function el(e){return tl(e)?.title??F(e)}function it({outcome:e,error:t}){return e==="error"||t?{title:t?`error: ${F(t.type)}`:"error",tone:"bad",sign:"✕",reason:t?.message??"The chat ended with an error."}:tl(e)??{title:F(e),tone:"warn",sign:"?",reason:""}}function tl(e){return Object.hasOwn(Ne,e)?Ne[e]:void 0}function Uo(e){return Op[e]??F(e)}function yt({input_tokens:e,output_tokens:t}){return e+t}var Mp=new Set(["topic","intent","model"]),Ip=new Set(["user","assistant"]);function zt({content:e}){return e??{}}function ne({attributes:e},t){let o=e?.[t];return o==null?"":String(o)}function lt({duration_ms:e,spans:t}){return{timings:{total_ms:e,steps:t.map(Dp)},calls:t.filter(o=>o.kind==="tool").map(Np)}}function Dp(e){let t=e.usage?e.usage.input_tokens+e.usage.output_tokens:0,o=ne(e,"finish_reason");return{step:e.kind,name:e.name,iteration:e.iteration,start_ms:e.start_ms,duration_ms:e.duration_ms,ok:!e.error,...t>0&&{total_tokens:t},...o&&{finish_reason:o},...e.error&&Mp.has(e.kind)&&{error:e.error},...e.kind==="tool"&&{call_id:e.id}}}function Np(e){let t=e.duration_ms,{arguments:o,result:n}=zt(e),r=e.error?{success:!1,error_type:e.error,error:e.message??nl(n),execution_time_ms:t}:{success:!0,result:n,execution_time_ms:t,truncated:ne(e,"truncated")==="true"};return{tool:e.name,params:o??{},result:r,iteration:e.iteration,call_id:e.id}}function nl(e){return e==null?"":typeof e=="string"?e:JSON.stringify(e)}function ar({messages:e},t){let o=zt(t).messages;if(Array.isArray(o))return o.flatMap(n=>typeof n=="number"&&n in e?[e[n]]:[])}function rl(e){let t=e.spans.find(a=>a.kind==="model"),n=((t&&ar(e,t))??[]).map(a=>({role:ir(a),content:Pp(a)})),r=n.findLastIndex(({role:a})=>a==="user");return n.slice(0,Math.max(0,r)).filter(({role:a,content:i})=>Ip.has(a)&&i.trim()!=="")}function ir(e){let{role:t}=lr(e);return typeof t=="string"?t:"message"}function jo(e){let{parts:t,content:o}=lr(e);return Array.isArray(t)?t.map(ol):o===void 0?[{kind:"other",value:e}]:[ol(o)]}function ol(e){if(typeof e=="string")return{kind:"text",text:e};let t=lr(e),o=String(t.name??"");if("call_id"in t)return{kind:"result",name:o,text:nl(t.content),failed:t.is_error===!0};if("arguments"in t)return{kind:"call",name:o,arguments:t.arguments??t.raw};if(typeof t.text!="string")return{kind:"other",value:e};let{type:n="text",text:r}=t;return n==="text"||n==="reasoning"?{kind:n,text:r}:{kind:"attachment",type:String(n),text:r}}function sl({messages:e}){return e.some(t=>jo(t).some(o=>o.kind==="attachment"))}function Pp(e){return jo(e).flatMap(t=>t.kind==="text"?[t.text]:[]).join("")}function lr(e){return typeof e=="object"&&e!==null?e:{}}var Lp={same:{sign:"=",title:"same"},added:{sign:"+",title:"added in B"},removed:{sign:"−",title:"removed in B"},changed:{sign:"≠",title:"changed arguments"}};function il({a:e,b:t}){let o=V(()=>Qi(lt(e).calls,lt(t).calls),[e,t]);return o.length===0?s`<p>Neither trace has tool calls.</p>`:s`<ol class="trace-changes">
    ${o.map(({change:n,a:r,b:a},i)=>{let{sign:l,title:c}=Lp[n];return s`<li key=${i} data-change=${n}>
        <${_} tone=${n==="same"?"plain":"warn"} sign=${l}>${c}<//>
        <div class="trace-pair">
          <${al} name="A" call=${r} other=${n==="changed"?a:void 0} removed />
          <${al} name="B" call=${a} other=${n==="changed"?r:void 0} />
        </div>
      </li>`})}
  </ol>`}function al({name:e,call:t,other:o,removed:n=!1}){if(t===void 0)return s`<div class="trace-side"><small>not in ${e}</small></div>`;let{tone:r,label:a,reason:i}=Pe(void 0,t);return s`<div class="trace-side">
    <div class="row">
      <small>${e}</small>
      <strong class="mono">${t.tool}</strong>
      <${_} tone=${r}>${a}<//>
      <small class="number">${R(t.result.execution_time_ms)}</small>
    </div>
    <pre>${o?qp(t,o,n):Te(t.params)}</pre>
    ${i&&s`<small>${i}</small>`}
  </div>`}function qp(e,t,o){let[n,r]=o?[e,t]:[t,e],a=o?"added":"removed";return Fo(Te(n.params),Te(r.params)).filter(({change:i})=>i!==a).map(({change:i,text:l})=>i==="same"?l:o?s`<del>${l}</del>`:s`<ins>${l}</ins>`)}function Xe({trace:e}){if(e.has_content)return s`<p class="notice">! The trace has no content of this step.</p>`;let t=s`, or it is${" "}<code>errors</code> and this chat did not fail`;return s`<p class="notice">
    ! This trace was stored without content: <code>traces.content</code> of the configuration was${" "}<code>none</code>
    ${!e.failed&&t}. <code>"content": "all"</code> keeps the messages, arguments and results of later chats.
  </p>`}var Bp=300;function ml({a:e,b:t}){let o=e.message===t.message;return s`
    <div class="row spread">
      <h1>Comparison of two traces</h1>
      <button type="button" onClick=${()=>I(Se(t.id),{with:e.id})}>Swap A and B</button>
    </div>
    <div class="trace-pair">
      <${ll} name="A" trace=${e} />
      <${ll} name="B" trace=${t} />
    </div>
    ${!o&&s`<p class="notice">! The messages of the two traces differ.</p>`}
    <${Fp} a=${e} b=${t} />
    <section class="stack" aria-label="Tool calls">
      <h2>Tool calls</h2>
      <${il} a=${e} b=${t} />
    </section>
    <section class="stack" aria-label="Answers">
      <h2>Answers</h2>
      <${jp} a=${e} b=${t} />
    </section>
    <section class="stack" aria-label="Steps">
      <${P} summary="Steps of A"><${dl} trace=${e} /><//>
      <${P} summary="Steps of B"><${dl} trace=${t} /><//>
    </section>
  `}function ll({name:e,trace:t}){let{tone:o,sign:n,title:r,reason:a}=it(t);return s`
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
      ${t.message&&s`<p class="tt-query">${G(t.message,Bp)}</p>`}
    </section>
  `}var Hp=[{name:"Duration",value:e=>e.duration_ms,format:R},{name:"First token",value:e=>e.first_token_ms,format:R},{name:"Model calls",value:e=>e.model_calls,format:y},{name:"Tool calls",value:e=>e.tool_calls,format:y},{name:"Tokens",value:e=>yt(e.usage),format:y},{name:"Input tokens",value:e=>e.usage.input_tokens,format:y},{name:"of them cached",value:e=>e.usage.cached_tokens,format:y},{name:"Output tokens",value:e=>e.usage.output_tokens,format:y},{name:"of them reasoning",value:e=>e.usage.reasoning_tokens,format:y},{name:"Cost",value:e=>e.cost_usd,format:oe}];function Fp({a:e,b:t}){let o=["A","B","Difference"];return s`<div class="trace-numbers"><${Re} label="Numbers" caption="Numbers" columns=${["Measure",...o]} numbers=${o}>
    ${Hp.map(({name:n,value:r,format:a})=>{let[i,l]=[r(e),r(t)];return s`<tr>
        <th scope="row">${n}</th>
        <td class="number">${cl(i,a)}</td>
        <td class="number">${cl(l,a)}</td>
        <td class="number">${Up(i,l,a)}</td>
      </tr>`})}
  <//></div>`}function cl(e,t){return typeof e=="number"?t(e):"–"}function Up(e,t,o){if(typeof e!="number"||typeof t!="number")return"–";if(e===t)return"same";let n=t>e?"+":"−",r=e>0?` (${n}${Math.round(Math.abs(t-e)/e*100)} %)`:"";return`${n}${o(Math.abs(t-e))}${r}`}function jp({a:e,b:t}){let o=V(()=>Fo(e.answer,t.answer),[e.answer,t.answer]),n=[e,t].find(r=>r.answer.trim()==="");return n&&!n.has_content?s`<${Xe} trace=${n} />`:e.answer===t.answer?s`<p>Both answers are the same.</p>
    <div class="trace-diff">${e.answer}</div>`:s`
    <p><small><del>Struck through</del>: only in A. <ins>Underlined</ins>: only in B.</small></p>
    <div class="trace-diff" tabindex="0" role="region" aria-label="Difference of the answers">
      ${o.map(({change:r,text:a})=>r==="same"?a:r==="removed"?s`<del>${a}</del>`:s`<ins>${a}</ins>`)}
    </div>
    <div class="trace-pair">
      <${ul} name="A" text=${e.answer} />
      <${ul} name="B" text=${t.answer} />
    </div>
  `}function ul({name:e,text:t}){return s`<section class="trace-side" aria-label=${`Answer of ${e}`}>
    <strong>${e} · ${g(t.length,"character")}</strong>
    <div class="trace-diff">${t||"(empty answer)"}</div>
  </section>`}function dl({trace:e}){let[t,o]=$(-1),{timings:n,calls:r}=lt(e),a=e.spans[t];return s`
    <${Je} timings=${n} calls=${r} selected=${t} onSelect=${o} />
    ${a&&s`<small>${F(a.kind)} ${a.name}: <${_e} id=${e.id} params=${{step:String(t)}}>open its details<//></small>`}
  `}function fl({id:e}){let t=Q(),[o,n]=$("");return s`<form class="row trace-compare" onSubmit=${a=>{a.preventDefault(),o.trim()!==""&&I(Se(e),{with:o.trim()})}}>
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
  </form>`}var Vp={WARNING:"warn",ERROR:"bad",CRITICAL:"bad"};function pl({id:e}){let{data:t,error:o,reload:n}=ae(r=>ce.logs(e,r),[e]);return o?s`<${k} error=${o} onRetry=${n} />`:t?s`
    <div class="row spread">
      <span>${g(t.lines.length,"log line")}</span>
      <button type="button" onClick=${n}>Refresh</button>
    </div>
    ${t.lines.length===0&&s`<p>No log line has this request id. Lines appear some seconds after the request.</p>`}
    <ol class="trace-logs">
      ${t.lines.map((r,a)=>s`<${Wp} key=${a} line=${r} />`)}
    </ol>
  `:s`<${H} lines=${6} label="the log lines" />`}function Wp({line:e}){let t=Vp[e.level]??"plain",o=s`<time class="mono" datetime=${e.at} title=${De(e.at)}>${Gp(e.at)}</time>
    ${" "}<${_} tone=${t}>${e.level.toLowerCase()}<//>
    ${" "}<span class="mono">${e.function}</span> ${e.message}`;return Object.keys(e.fields??{}).length===0?s`<li>${o}</li>`:s`<li>
    <${P} summary=${o}><${N} value=${e.fields} label="Fields of the log line" /><//>
  </li>`}function Gp(e){let t=new Date(e);return Number.isNaN(t.getTime())?e:`${t.toLocaleTimeString("en-GB")}.${String(t.getMilliseconds()).padStart(3,"0")}`}function Vo({models:e,value:t,onChange:o,label:n,id:r,problem:a=""}){let i=Q(),[l,c]=$(void 0),d=l??(e.error!==void 0&&e.data===void 0),u=X(),m=e.data?.models.filter(f=>u||!f.operator_only)??[],p={id:r??i,value:t,required:!0,"aria-invalid":a?"true":void 0,"aria-describedby":`${i}-about`,onInput:f=>o(f.currentTarget.value.trim())};return s`
    <div class="model-picker stack">
      <div class="field">
        <div class="row spread">
          <label for=${p.id}>${n}</label>
          <button type="button" class="quiet" onClick=${()=>c(!d)}>
            ${d?"Choose from the list":"Enter the model id"}
          </button>
        </div>
        ${d?s`<${Jp} ...${p} />`:s`<${Xp} ...${p} models=${m} loading=${e.loading} />`}
      </div>
      <div id=${`${i}-about`} class="stack">
        ${a&&s`<p class="problem-text">✕ ${a}</p>`}
        <${Qp} model=${m.find(f=>f.id===t)} />
      </div>
      <${Kp} models=${e} />
    </div>
  `}function Kp({models:{data:e,error:t,loading:o,reload:n}}){return o&&e===void 0?s`<${zp} />`:s`
    ${e?.errors.map(({llm:r,error:a})=>s`<p>! <code>${r}</code> did not list its models: ${a}</p>`)}
    ${t&&s`<p>! The models could not be listed: ${t.message}</p>
        <div class="row"><button type="button" onClick=${n}>Reload the models</button></div>`}
  `}function zp(){let[e]=$(()=>performance.now());return s`<${M} label="Loading models" since=${e} />`}function Jp(e){return s`<input type="text" placeholder="llm:model" spellcheck=${!1} autocapitalize="off" ...${e} />`}function Xp({models:e,loading:t,...o}){let n=Object.entries(Object.groupBy(e,a=>a.llm)),r=o.value!==""&&!e.some(a=>a.id===o.value);return s`<select ...${o}>
    <option value="">Select a model</option>
    ${r&&s`<option value=${o.value}>${o.value}${t?"":" · not listed"}</option>`}
    ${n.map(([a,i])=>s`
        <optgroup label=${a}>
          ${i?.map(l=>s`<option key=${l.id} value=${l.id}>${Yp(l)}</option>`)}
        </optgroup>
      `)}
  </select>`}function Yp({id:e,demo:t,validation:{badge:o,rate:n}}){return t?`${e} · demo${n?` ${Ee(n)}`:""}`:o?`${e} ${o.symbol} ${n?Ee(n):o.text}`:e}function Qp({model:e}){if(e===void 0)return null;let{badge:t,last_tested:o}=e.validation,n=Zp(e);return s`
    <p>
      <${ft} validation=${e.validation} demo=${e.demo} />
      ${t&&s` <small>${t.tooltip}</small>`}${o&&s` <small>(<${j} at=${o} />)</small>`}
    </p>
    ${n&&s`<p class="notice">! ${n}</p>`}
  `}function Zp({capabilities:e,validation:t,demo:o}){return o?"":e.includes("function-calling")?t.validated?"":`This model ${t.tested?"did not pass validation":"has not been tested with tools"}: check its results before you rely on it.`:"The provider does not list tool calling for this model: it may answer without tools."}var e$=200;function $l(e,{how:t,model:o,rule:n,keep:r},a){let i=e.message??"",l=rl(e).slice(-e$);if(t==="rules"){let d=r&&e.intent?{profile:{intent:e.intent}}:{},u=r&&e.topic?{topic:e.topic}:{};return{route:"chat",body:{message:i,...l.length>0&&{history:l},...u,...d}}}let c=t==="rule"?`flexchat/${n}`:o;return t==="model"&&!a.includes(c)?{route:"test",body:{query:i,model:c}}:{route:"complete",body:{model:c,messages:[...l,{role:"user",content:i}]}}}function hl(e){return e.flatMap(t=>t.startsWith("flexchat/")?[t.slice(9)]:[])}function gl({how:e,model:t,rule:o}){return e==="model"&&t===""?"Select a model.":e==="rule"&&o===""?"Select a rule.":""}function bl({trace:e}){let[t,o]=$(!1),n=(e.message??"")!=="";return s`
    <button type="button" disabled=${!n} title=${n?void 0:"The trace has no message: it was stored without content"} onClick=${()=>o(!0)}>Run again</button>
    <${Me} title="Run the message again" open=${t} onClose=${()=>o(!1)}>
      <${t$} trace=${e} />
    <//>
  `}function t$({trace:e}){let t=X(),o=ae(u=>ce.offered(u)),n=q(),[r,a]=$({how:t?"model":"rules",model:"",rule:"",keep:!0}),i=u=>a(m=>({...m,...u})),l=o.data?.data.map(({id:u})=>u)??[],c=gl(r);return s`
    <form class="stack" noValidate onSubmit=${u=>{u.preventDefault(),!(n.busy||c!=="")&&n.run(async m=>{let p=await i$($l(e,r,l),m);I(Se(e.id),{with:p})})}}>
      <fieldset class="trace-choices">
        <legend class="hidden">How to run it</legend>
        ${t&&s`<${cr} how="model" choice=${r} onChange=${i}>With another model<//>`}
        <${cr} how="rule" choice=${r} onChange=${i}>By one response rule<//>
        <${cr} how="rules" choice=${r} onChange=${i}>By the response rules of the active configuration<//>
      </fieldset>
      ${r.how==="model"&&s`<${n$} offered=${l} choice=${r} onChange=${i} />`}
      ${r.how==="rule"&&s`<${s$} rules=${hl(l)} loading=${o.loading} choice=${r} onChange=${i} />`}
      ${r.how==="rules"&&s`<${a$} trace=${e} choice=${r} onChange=${i} />`}
      ${n.error&&s`<${k} error=${n.error} traced />`}
      <${o$} task=${n} problem=${c} />
      <small>
        The tools run again, with their effects. Afterwards both traces are compared.
        ${sl(e)&&" Pictures and files of the conversation are not sent: a trace has only their names."}
      </small>
    </form>
  `}function cr({how:e,choice:t,onChange:o,children:n}){return s`<label class="check">
    <input type="radio" name="trace-how" checked=${t.how===e} onChange=${()=>o({how:e})} />
    ${n}
  </label>`}function o$({task:e,problem:t}){return s`<div class="row">
    <button type="submit" class="primary" disabled=${e.busy||t!==""}>Run</button>
    ${e.busy&&s`<button type="button" onClick=${e.cancel}>Cancel</button>`}
    ${e.busy&&s`<${M} label="Waiting for the answer" since=${e.since} />`}
    ${!e.busy&&t&&s`<small>${t}</small>`}
  </div>`}function n$({offered:e,choice:{model:t},onChange:o}){let n=Ie();return s`
    <${Vo} models=${n} value=${t} label="Model" onChange=${r=>o({model:r})} />
    ${t!==""&&!e.includes(t)&&s`<${r$} />`}
  `}function r$(){return s`<small>
    As in the Test view: with all tools, without the conversation before the message. To use the rule's prompt and tools,
    name the model in <code>openai_api.models</code> of the configuration.
  </small>`}function s$({rules:e,loading:t,choice:o,onChange:n}){let r=Q();return!t&&e.length===0?s`<p class="notice">! No rule is offered. Name the rules in <code>openai_api.rules</code> of the configuration.</p>`:s`<div class="field">
    <label for=${r}>Rule</label>
    <select id=${r} value=${o.rule} onChange=${a=>n({rule:a.currentTarget.value})}>
      <option value="">${t?"Loading the rules":"Select a rule"}</option>
      ${e.map(a=>s`<option value=${a}>${a}</option>`)}
    </select>
  </label>`}function a$({trace:{topic:e,intent:t},choice:o,onChange:n}){let r=[e&&`topic ${e}`,t&&`intent ${t}`].filter(Boolean).join(", ");return r?s`<label class="check">
    <input type="checkbox" checked=${o.keep} onChange=${()=>n({keep:!o.keep})} />
    Send the result of the phases again: ${r}
  </label>`:null}async function i$({route:e,body:t},o){if(e==="chat")return(await ce.chat(t,o)).request_id;if(e==="test")return(await T.testTools(t,o)).request_id;let n=t,r=(await ce.complete(n,o)).flexchat?.request_id;if(!r)throw new U("failed","The answer has no request id. Find its trace in the list of traces.");return r}function vl(e,t,o){let n=new Map(e.tools.map(r=>[r.name,r]));for(let r of o){let a=n.get(r.name);n.set(r.name,a?l$(a,wl(r)):r)}return{...e,tools:[...n.values()],cases:[...e.cases,t]}}function l$(e,t){let o=wl(e),n=new Set(o.map(_l)),r=t.filter(i=>!n.has(_l(i)));if(r.length===0)return e;let a=[...o,...r].sort((i,l)=>yl(l)-yl(i));return{...e,implementation:{...e.implementation,answers:a}}}function wl({implementation:e}){let t=e.answers;return Array.isArray(t)?t:[]}function Tl(e){return e===null||typeof e!="object"||Array.isArray(e)?[]:Object.entries(e.when??{}).sort(([t],[o])=>t<o?-1:1)}function _l(e){return JSON.stringify(Tl(e))}function yl(e){return Tl(e).length}async function Wo(e,{added:t,mocks:o},n){let r=vl(await c$(e,n),t,o);await T.putSuite(e,r)}async function c$(e,t){try{return await T.suite(e,t)}catch(o){if(!(o instanceof U)||o.status!==404)throw o;return{name:e,description:"Cases saved from chats and tool tests.",tools:[],cases:[]}}}var u$=["single","choice","parallel","parallel_choice","irrelevance","multi_turn","error_recovery","types","clarification"],d$="my-cases",m$=String.raw`[a-z0-9][a-z0-9_.\-]{0,63}`,f$=String.raw`[a-zA-Z0-9][a-zA-Z0-9_.\-]{0,127}`;function Go({draft:e,task:t,onChange:o,onSave:n}){let r=Q(),i=ae(T.suites).data?.suites.filter(u=>!u.built_in)??[],l=p$(e.expect),c=u=>({id:`${r}-${u}`,"aria-describedby":`${r}-${u}-hint`,value:e[u],onInput:m=>o({...e,[u]:m.currentTarget.value})});return s`
    <form class="stack" onSubmit=${u=>{u.preventDefault(),l===""&&!t.busy&&n(e)}}>
      <${Jt} id=${`${r}-suite`} label="Suite" hint="One of your suites or a new name. Built-in suites are read-only.">
        <input type="text" list=${`${r}-suites`} required pattern=${m$} title="lower-case letters, digits, _ . -" placeholder=${i[0]?.name??d$} ...${c("suite")} />
        <datalist id=${`${r}-suites`}>
          ${i.map(({name:u,cases:m})=>s`<option value=${u}>${g(m,"case")}</option>`)}
        </datalist>
      <//>
      <${Jt} id=${`${r}-id`} label="Case" hint="Unique id in the suite.">
        <input type="text" required pattern=${f$} title="letters, digits, _ . -" ...${c("id")} />
      <//>
      <${Jt} id=${`${r}-category`} label="Category" hint="Ability that the case tests.">
        <select ...${c("category")}>
          ${u$.map(u=>s`<option value=${u}>${F(u)}</option>`)}
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
  </div>`}function p$(e){try{return ee(e),""}catch(t){return`Not valid JSON: ${t instanceof Error?t.message:String(t)}`}}function kl({trace:e}){let[t,o]=$(!1),[n,r]=$(void 0),[a,i]=$(void 0),[l,c]=$(""),d=q(),u=q(),m=()=>d.run(async h=>{let C=await ce.case(e.id,h);r(C),i($$(C))}),p=()=>{c(""),o(!0),n||m()},f=h=>u.run(async C=>{n&&(await Wo(h.suite,h$(h,n,e.tools),C),c(`saved as ${h.id} in ${h.suite} ✓`),o(!1))});return s`
    <button type="button" disabled=${!e.has_content} title=${e.has_content?void 0:"The trace has no content"} onClick=${p}>Save as case</button>
    <span role="status">${l}</span>
    <${Me} title="Save as validation case" open=${t} onClose=${()=>o(!1)}>
      ${d.busy&&s`<${M} label="Making the case" since=${d.since} />`}
      ${d.error&&s`<${k} error=${d.error} onRetry=${m} />`}
      ${a&&s`<${Go} draft=${a} task=${u} onChange=${i} onSave=${f} />`}
    <//>
  `}function $$({cases:[e]}){return e&&{suite:"",id:e.id,category:e.category,offer:"all",expect:JSON.stringify(e.expect,null,2)}}function h$(e,{tools:t,cases:[o]},n){let r=e.offer==="all"?t:t.filter(({name:i})=>n.includes(i));return{added:{...o,id:e.id,category:e.category,tools:r.map(({name:i})=>i),expect:ee(e.expect)},mocks:r}}function ur({facts:e}){return s`<dl class="wf-facts">
    ${e.filter(([,t])=>t!=null&&t!==""&&t!==!1).map(([t,o])=>s`
        <dt>${t}</dt>
        <dd>${o}</dd>
      `)}
  </dl>`}function Sl(e,t){let o=n=>n>0?t(n):"";return[["Input tokens",t(e.input_tokens)],["of them cached",o(e.cached_tokens)],["of them written to the cache",o(e.cache_write_tokens)],["Output tokens",t(e.output_tokens)],["of them reasoning",o(e.reasoning_tokens)]]}function xl({messages:e}){return s`
    <p><small>${g(e.length,"message")}, in the order that the model got them.</small></p>
    <ol class="trace-messages">
      ${e.map((t,o)=>s`<${dr} key=${o} message=${t} />`)}
    </ol>
  `}function dr({message:e}){let t=ir(e),o=jo(e);return s`
    <li data-role=${t}>
      <strong>${t}</strong>
      ${o.length===0&&s`<small>${t==="system"?"No text. System messages are shown to operators.":"No text."}</small>`}
      ${o.map((n,r)=>s`<${g$} key=${r} part=${n} role=${t} />`)}
    </li>
  `}function g$({part:e,role:t}){switch(e.kind){case"call":return s`<p>calls <code>${e.name}</code></p>
        <${N} value=${e.arguments} label=${`Arguments of ${e.name}`} />`;case"result":return s`<p>
          result of <code>${e.name}</code>${e.failed&&s` <${_} tone="bad">failed<//>`}
        </p>
        <${N} value=${e.text} label=${`Result of ${e.name}`} />`;case"attachment":return s`<p>${e.type}: <code>${e.text}</code></p>`;case"reasoning":return s`<p>reasoning</p>
        <${N} value=${e.text} label="Reasoning" />`;case"other":return s`<${N} value=${Te(e.value)} label=${`Part of the message of ${t}`} />`;default:return s`<${N} value=${e.text} label=${`Message of ${t}`} />`}}var b$=128,_$=new Set(["finish_reason","provider","provider_request_id","retries","fallback","streamed","tools","tool_choice","temperature","max_tokens"]),y$=new Set(["function_ms","type","http_status","server","truncated","call_id"]);function Cl({trace:e,span:t,status:o,tab:n,onTab:r}){let a=G(t.name,b$),i=t.kind==="tool"?w$(e,t):v$(e,t),l=i.some(c=>c.name===n)?n:i[0]?.name??"";return s`
    <section class="wf-details" aria-label=${`Details of ${a}`}>
      <div class="row">
        <h3 class="mono">${a}</h3>
        <small>${F(t.kind)}</small>
        <${_} tone=${o.tone}>${o.label}<//>
      </div>
      ${t.error&&s`<p class="problem-text">✕ ${F(t.error)}${t.message&&`: ${t.message}`}</p>`}
      <${ze} label=${`Details of ${a}`} tabs=${i} chosen=${l} onChoose=${r} />
    </section>
  `}function v$(e,t){let o=ar(e,t),{answer:n}=zt(t),r={name:"Facts",content:()=>s`<${ur} facts=${T$(t)} />`},a={name:"Raw",content:()=>s`<${N} key=${t.id} value=${t} label="Raw span" />`};return t.kind==="search"?[r,a]:[{name:"Messages",content:()=>o?s`<${xl} key=${t.id} messages=${o} />`:s`<${Xe} trace=${e} />`},{name:"Answer",content:()=>n===void 0?s`<${Xe} trace=${e} />`:s`<ol class="trace-messages"><${dr} key=${t.id} message=${n} /></ol>`},r,a]}function w$(e,t){let{arguments:o,result:n}=zt(t),r=(a,i)=>a===void 0?s`<${Xe} trace=${e} />`:s`<${N} key=${t.id} value=${a} label=${i} />`;return[{name:"Arguments",content:()=>r(o,"Arguments")},{name:t.error?"Error":"Result",content:()=>r(n??t.message??void 0,t.error?"Error":"Result")},{name:"Facts",content:()=>s`<${ur} facts=${S$(t)} />`},{name:"Raw",content:()=>s`<${N} key=${t.id} value=${t} label="Raw span" />`}]}function El(e){return[["Iteration",e.iteration===0?"before iteration 1":String(e.iteration)],["Started after",R(e.start_ms)],["Duration",R(e.duration_ms)],["Ended after",R(e.start_ms+e.duration_ms)]]}function T$(e){let t=ne(e,"provider_request_id");return[...El(e),...e.usage?Sl(e.usage,y):[],["Cost",k$(e)],["Finish reason",F(ne(e,"finish_reason"))],["Provider",ne(e,"provider")],["Request id of the provider",t&&s`<code>${t}</code> <${te} text=${t} label="Copy" />`],["Retries",ne(e,"retries")],["Replaces a failed model",ne(e,"fallback")==="true"&&"yes"],["Streamed",ne(e,"streamed")&&x$(ne(e,"streamed"))],["Offered tools",ne(e,"tools")],["Tool choice",ne(e,"tool_choice")],["Temperature",ne(e,"temperature")],["Token limit",ne(e,"max_tokens")],...Rl(e,_$)]}function k$(e){return typeof e.cost_usd=="number"?oe(e.cost_usd):e.usage?"no price is configured for this model":""}function S$(e){let t=Number(ne(e,"function_ms")),o=ne(e,"function_ms")!==""&&!Number.isNaN(t);return[...El(e),["In the tool's function",o&&R(t)],["Outside of it",o&&R(Math.max(0,e.duration_ms-t))],["Type",ne(e,"type")],["HTTP status",ne(e,"http_status")],["MCP server",ne(e,"server")],["Result",ne(e,"truncated")==="true"&&"truncated"],["Call",ne(e,"call_id")],...Rl(e,y$)]}function Rl(e,t){return Object.keys(e.attributes??{}).filter(o=>!t.has(o)).map(o=>[F(o),ne(e,o)])}function x$(e){return e==="true"?"yes":"no"}var C$=300;function E$(e){let{tone:t,title:o}=it(e),n=e.spans.filter(r=>r.kind==="tool"&&r.error).length;return[`${o} ${t==="good"?"in":"after"} ${R(e.duration_ms)}`,g(e.model_calls,"model call"),g(e.tool_calls,"tool call")+(n>0?`, ${y(n)} failed`:""),g(yt(e.usage),"token"),typeof e.cost_usd=="number"?oe(e.cost_usd):"no price"].join(" · ")}function Al({trace:e,operator:t}){let{tone:o,sign:n,reason:r}=it(e);return s`
    <div class="stack">
      <h1 class="tt-status">
        <${_} tone=${o} sign=${n}>${E$(e)}<//>
        ${e.demo&&s` <${W} />`}
      </h1>
      ${e.message&&s`<p class="tt-query">${G(e.message,C$)}</p>`}
      ${r&&s`<p class="notice">! ${r}${e.error?.status?` (HTTP ${e.error.status})`:""}</p>`}
      ${e.warnings.map(a=>s`<p class="notice">! ${a}</p>`)}
      ${e.limits.length>0&&s`<p class="notice">! Limits: ${e.limits.map(F).join(", ")}.</p>`}
      <div class="row tt-facts">
        <span>Request: <code>${e.id}</code> <${te} text=${e.id} label="Copy request id" /></span>
        <span>Started: <strong><${j} at=${e.started_at} /></strong></span>
        ${R$(e,t).map(([a,i])=>i&&s`<span>${a}: <strong>${i}</strong></span>`)}
        ${e.session_id&&s`<${A$} trace=${e} id=${e.session_id} />`}
        <span>OpenTelemetry trace: <code>${e.trace_id}</code></span>
        <span>Kept until: <strong>${De(e.expires_at)}</strong></span>
        ${!e.has_content&&s`<${Z}>without content<//>`}
      </div>
    </div>
  `}function R$(e,t){return[["First token",typeof e.first_token_ms=="number"?R(e.first_token_ms):""],["Model",e.model],["In place of",e.fallback_of],["Rule",e.rule],["Topic",e.topic],["Intent",e.intent],["Front end",`${Uo(e.front_end)}${e.streamed?", streamed":""}`],["Caller",t?e.caller:""],["Configuration",e.configuration]]}function A$({trace:e,id:t}){let o=n=>r=>{r.metaKey||r.ctrlKey||r.shiftKey||r.button!==0||(r.preventDefault(),I(n,{session:t}))};return s`<span>
    Session: <a href=${je("chat",{session:t})} onClick=${o("chat")}>${t}</a>
    ${typeof e.turn=="number"&&`, turn ${e.turn}`}
    ${" · "}<a href=${je("traces",{session:t})} onClick=${o("traces")}>its traces</a>
  </span>`}function Ol({trace:e,onReload:t}){let o=X();return s`
    <${Al} trace=${e} operator=${o} />
    <div class="row">
      <${bl} trace=${e} />
      ${o&&s`<${kl} trace=${e} />`}
      <button type="button" onClick=${t}>Refresh</button>
      <${fl} id=${e.id} />
    </div>
    <${O$} trace=${e} />
    <section class="stack" aria-label="Answer">
      <h2>Answer</h2>
      <${I$} trace=${e} />
      <${D$} trace=${e} />
    </section>
    <section class="stack" aria-label="Data">
      ${e.offered_tools.length>0&&s`<${P} summary=${`Offered tools (${e.offered_tools.length})`}><${N} value=${e.offered_tools} label="Offered tools" /><//>`}
      ${o&&s`<${P} summary="Log lines"><${pl} id=${e.id} /><//>`}
      <${P} summary="Raw trace"><${N} value=${e} label="Raw trace" /><//>
    </section>
  `}function O$({trace:e}){let[t,o]=$(""),{timings:n,calls:r}=lt(e),a=ke().params.step,i=a===void 0?M$(e):Number(a),l=e.spans[i],c=Co(n,r,i),d=u=>I(Se(e.id),{step:String(u)},{replace:!0});return e.spans.length===0?s`<p class="notice">! The chat ended before its first step.</p>`:s`
    <section class="stack" aria-label="Steps">
      <h2>${g(e.spans.length,"step")}</h2>
      <div class="trace-steps">
        <${Je} timings=${n} calls=${r} selected=${i} onSelect=${d} />
        ${l&&c&&s`<${Cl} trace=${e} span=${l} status=${c.status} tab=${t} onTab=${o} />`}
      </div>
    </section>
  `}function M$({spans:e}){return Math.max(0,e.findIndex(t=>t.error))}function I$({trace:e}){return e.answer.trim()!==""?s`<div class="trace-answer"><${$t} text=${e.answer} /></div>`:e.has_content?s`<p>The answer is empty.</p>`:s`<${Xe} trace=${e} />`}function D$({trace:{id:e,caller:t,feedback:o}}){let n=ys(),r=n!==void 0&&n===t;return s`
    ${r&&s`<${xo} id=${e} given=${o.find(({by:a})=>a===n)} />`}
    ${o.filter(({by:a})=>!r||a!==n).map(({rating:a,comment:i,by:l,created_at:c})=>s`
          <p>
            <${So} rating=${a} />
            ${i&&` “${i}”`} <small>by ${l}, <${j} at=${c} /></small>
          </p>
        `)}
    ${!r&&o.length===0&&s`<p><small>Not rated. Only the caller of the chat can rate its answer.</small></p>`}
  `}var N$=[500,1e3,2e3,4e3];function Ko(e){return ae(t=>P$(e,t),[e])}async function P$(e,t){for(let o of N$){try{return await ce.trace(e,t)}catch(n){if(!(n instanceof U)||n.status!==404||t.aborted)throw n}await new Promise(n=>{setTimeout(n,o)})}return ce.trace(e,t)}function Ml({route:{id:e,params:t}}){let o=t.with??"";return s`<div class="trace-page">
    ${o?s`<${q$} key=${`${e} ${o}`} id=${e} other=${o} />`:s`<${L$} key=${e} id=${e} />`}
  </div>`}function L$({id:e}){let t=Ko(e);return t.data?s`<${Ol} trace=${t.data} onReload=${t.reload} />`:s`<h1 class="hidden">Trace</h1>
    <${mr} loaded=${t} id=${e} />`}function q$({id:e,other:t}){let[o,n]=[Ko(e),Ko(t)];return o.data&&n.data?s`<${ml} a=${o.data} b=${n.data} />`:s`<h1>Comparison of two traces</h1>
    ${o.data===void 0&&s`<${mr} loaded=${o} id=${e} />`}
    ${n.data===void 0&&s`<${mr} loaded=${n} id=${t} />`}`}function mr({loaded:{error:e,loading:t,reload:o},id:n}){let[r]=$(()=>performance.now());return t||!e?s`<p><${M} label="Waiting for the trace, which is stored some seconds after the chat" since=${r} /></p>
      <${H} lines=${10} label="the trace" />`:e.status!==404?s`<${k} error=${e} onRetry=${o} />`:s`<${ue} title="There is no such trace">
    <p>
      <code>${n}</code> has no trace that this token may read. It may not be stored yet, its days
      (<code>traces.days</code>) may have passed, <code>traces.sample</code> of the configuration may have left it out, or
      it belongs to another caller.
    </p>
    <div class="row">
      <button type="button" onClick=${o}>Try again</button>
      <button type="button" onClick=${()=>I("traces")}>Show all traces</button>
    </div>
  <//>`}function Il(e){return Dl(e,0)}function Dl(e,t){let o=new Set(Array.isArray(e.required)?e.required:[]),n=Object.entries(fr(e.properties)).map(([r,a])=>({name:r,schema:fr(a)}));return Object.fromEntries(n.filter(({name:r,schema:a})=>o.has(r)||Pl(a)!==void 0).map(({name:r,schema:a})=>[r,Nl(a,t+1)]))}function Nl(e,t){let o=Pl(e);if(o!==void 0)return o;let n=Ll(e.enum);if(n!==void 0)return n;if("const"in e)return e.const;let r=e.type;switch(Array.isArray(r)?r[0]:r){case"integer":case"number":return typeof e.minimum=="number"?e.minimum:1;case"boolean":return!0;case"array":return t<5?[Nl(fr(e.items),t+1)]:[];case"object":return t<5?Dl(e,t):{};case"null":return null;default:return"text"}}function Pl(e){return Ll(e.examples)??e.example??e.default}function Ll(e){return Array.isArray(e)?e[0]:void 0}function fr(e){return typeof e=="object"&&e!==null&&!Array.isArray(e)?e:{}}var Xt="tt-tool",ct="tt-arguments";function pr(e){return e===void 0?"":JSON.stringify(Il(e.parameters),null,2)}function ql(e){try{let t=ee(e);return typeof t=="object"&&t!==null&&!Array.isArray(t)?"":"The arguments are not a JSON object"}catch(t){return`Not valid JSON: ${t instanceof Error?t.message:String(t)}`}}function Bl({tools:e,draft:t,problem:o,busy:n,onTool:r,onText:a,onCall:i,onCancel:l}){if(e.error)return s`<${k} error=${e.error} onRetry=${e.reload} />`;if(!e.data)return s`<${H} lines=${4} label="the tools" />`;let c=e.data.tools.find(({name:u})=>u===t.tool);return s`
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
  `}function zo(e,t){return[`curl -sS -X POST ${Hl(e)}`,'-H "Authorization: Bearer $FLEXCHAT_TOKEN"',"-H 'Content-Type: application/json'",`--data-raw ${Hl(JSON.stringify(t))}`].join(` \\
  `)}function Hl(e){return`'${e.replaceAll("'",String.raw`'\''`)}'`}var Fl=200;function $r({result:e}){let t=R(e.execution_time_ms);return"error"in e?`failed after ${t}: ${F(e.error_type)}`:`succeeded in ${t}`}var Jo=e=>e!=null;function B$({status:e,error:t,response_body:o}){return e==null?!t&&Jo(o)?{tone:"good",label:"answered"}:{tone:"bad",label:t??"no response"}:e>=400?{tone:"bad",label:`HTTP ${e}`}:{tone:e>=300?"warn":"good",label:`HTTP ${e}`}}function Ul(e,t,o){let n=[...e?[e]:[],...Object.entries(t).map(([r,a])=>`${r}: ${a}`)];return o?`${n.join(`
`)}

${o}`:n.join(`
`)}function jl({outcome:e}){let{result:t,inspection:o}=e,n={tool:e.tool,arguments:e.arguments};return s`
    <div class="stack">
      <p class="tt-status"><${_} tone=${t.success?"good":"bad"}>${$r(e)}<//></p>
      <div class="row tt-facts">
        <span>Tool: <strong class="mono">${e.tool}</strong> <${Z}>${e.type}<//></span>
        <span>With all checks: <strong>${R(e.total_ms)}</strong></span>
        <span>Request: <code>${e.request_id}</code> <${te} text=${e.request_id} label="Copy request id" /></span>
      </div>
    </div>
    ${o&&s`<${H$} inspection=${o} total=${t.execution_time_ms} />`}
    ${o&&Object.keys(o.notes??{}).length>0&&s`<section class="stack" aria-label="Shaping"><h2>Shaping</h2><${N} value=${o.notes} label="Shaping" /></section>`}
    <section class="stack" aria-label="Result of the call">
      <h2>${"error"in t?"Error":"Result"}</h2>
      ${"truncated"in t&&t.truncated&&s`<p class="notice">! The result was truncated.</p>`}
      ${"error"in t?s`<${N} value=${t.error} label="Error" />`:s`<${N} value=${t.result} label="Result" />`}
      ${"validation_errors"in t&&t.validation_errors&&s`<ul>${t.validation_errors.map(r=>s`<li>${r}</li>`)}</ul>`}
      <div class="row">
        <${te} text=${()=>zo(new URL("api/tools/call",Oe).href,n)} label="Copy as curl" />
      </div>
    </section>
    <section class="stack" aria-label="Details of the call">
      <${P} summary="Arguments with defaults"><${N} value=${e.arguments} label="Arguments with defaults" /><//>
      <${P} summary=${`Text for a model (${g(e.content.length,"character")})`}>
        <${N} value=${e.content} label="Text for a model" />
      <//>
    </section>
  `}function H$({inspection:e,total:t}){let o=e.exchanges??[];return o.length===0?s`<p>The tool sent no request.</p>`:s`
    <section class="stack" aria-label="Requests of the tool">
      <h2>Requests (${y(o.length)})</h2>
      <ol class="tt-calls">
        ${o.map((n,r)=>s`<${F$} key=${r} exchange=${n} total=${t} open=${r===0} />`)}
      </ol>
      ${(e.omitted??0)>0&&s`<p class="notice">! ${g(e.omitted??0,"more request")} not shown.</p>`}
    </section>
  `}function F$({exchange:e,total:t,open:o}){let{tone:n,label:r}=B$(e),a=Math.max(1,t,e.start_ms+e.duration_ms),i={left:`${100*e.start_ms/a}%`,width:`${Math.max(1,100*e.duration_ms/a)}%`},l=e.purpose&&e.purpose!=="request"?e.purpose:"",c=(e.attempt??1)>1?`attempt ${e.attempt}`:"",d=s`<code>${e.method} ${G(e.url,Fl)}</code>
    ${l&&s` <${Z}>${l}<//>`}${c&&s` <${Z}>${c}<//>`}
    <${_} tone=${n}>${r}<//>`;return s`
    <li>
      <${P} summary=${d} open=${o}>
        <${ze} label=${`Details of ${e.method} ${G(e.url,Fl)}`} tabs=${U$(e)} />
      <//>
      <div class="interval" aria-hidden="true"><span style=${i}></span></div>
      <small class="number">Started after ${R(e.start_ms)} | Duration: ${R(e.duration_ms)} | ${Ge(e.response_bytes??0)}</small>
    </li>
  `}function U$(e){let t=Ul(`${e.method} ${e.url}`,e.request_headers,e.request_body),o={name:"Request",content:()=>s`<${N} key="request" value=${t} label="Request" />`};if(!Jo(e.status)&&!Jo(e.response_body))return[o];let n=Ul(Jo(e.status)?`HTTP ${e.status}`:"",e.response_headers??{},e.response_body);return[{name:"Response",content:()=>s`<${N} key="response" value=${n} label="Response" />`},o]}var j$=[{mode:"model",title:"Test a model"},{mode:"call",title:"Call a tool"}];function Xo({mode:e}){return X()?s`
    <div class="row" role="group" aria-label="Kind of test">
      ${j$.map(t=>s`
          <button type="button" aria-pressed=${t.mode===e?"true":"false"} onClick=${()=>I("tools-testing",t.mode==="call"?{mode:"call"}:{})}>
            ${t.title}
          </button>
        `)}
    </div>
  `:null}var V$={text:"",problem:"",calls:0,outcome:void 0},Yo=e=>document.getElementById(e)?.focus();function Vl({route:e}){let t=e.params.tool??"",o=We(),n=q(),{section:r,reveal:a}=Ke(n.busy),[i,l]=$(V$),c=f=>l(h=>({...h,...f})),d=o.data?.tools.find(f=>f.name===t),u=pr(d);v(()=>{l(f=>({...f,text:u,problem:""}))},[u]);let m=()=>{if(n.busy)return;if(d===void 0)return Yo(Xt);let f=ql(i.text);if(c({problem:f}),f!=="")return Yo(ct);a();let h={tool:d.name,arguments:ee(i.text)};n.run(async C=>{let S=await T.callTool(h,C);l(O=>({...O,outcome:S,calls:O.calls+1}))})};ie([{keys:"/",label:"Write the arguments",run:()=>Yo(ct)},{keys:"mod+Enter",label:"Call the tool",run:m},{keys:"Escape",label:"Cancel the call",run:n.cancel}]);let p=s`
    <${Xo} mode="call" />
    <${Bl}
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
      <${W$} task=${n} state=${i} waiting=${`Waiting for ${t}`} onRetry=${m} />
    <//>
  `}function W$({task:e,state:{outcome:t,calls:o},waiting:n,onRetry:r}){let a=e.busy||e.error!==void 0||e.cancelled;return s`
    <p class="hidden" role="status">${t&&!a&&$r(t)}</p>
    ${e.busy&&s`<p><${M} label=${n} since=${e.since} /></p>`}
    ${e.cancelled&&s`<p class="notice">! Call cancelled. The tool may still complete it.</p>`}
    ${e.error&&s`<${k} error=${e.error} onRetry=${r} />`}
    ${t&&a&&s`<h2>Previous call</h2>`}
    ${t&&s`<${jl} key=${o} outcome=${t} />`}
    ${!t&&!a&&s`<${G$} />`}
  `}function G$(){return s`<${ue} title="Call one tool without a model">
    <p>
      Select a tool, check the example arguments and call it. The result shows the requests that the tool sent and their
      responses without secrets, the result, and the text that a model would receive.
    </p>
    <p><button type="button" onClick=${()=>Yo(Xt)}>Select a tool</button></p>
  <//>`}var Wl=[{title:"Simple tool call",query:"What's the weather in Paris?",expected:"One call of the weather tool with Paris as the location, and an answer based on its result."},{title:"Calculator",query:"Calculate 15% tip on $45",expected:"One call of the calculator, and the answer $6.75."},{title:"Direct answer",query:"What's 2+2?",expected:"The answer 4, with the calculator or directly. A direct answer is recorded as no tool call."},{title:"RAG tool",query:"Search for Python decorators in the docs",expected:"One call of the search tool, and an answer based on the results, or that there are none."}];var Qo="tt-model",vt="tt-query",Gl="Please enter a test query and select a model";function Kl({model:e,query:t,missing:o,busy:n,onChange:r,onRun:a,onCancel:i}){let l=Ie();return s`
    <form class="stack" noValidate onSubmit=${d=>{d.preventDefault(),a()}}>
      <${Vo}
        models=${l}
        value=${e}
        label="Model"
        id=${Qo}
        problem=${o==="model"?Gl:""}
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
        ${o==="query"&&s`<p id="tt-missing" class="problem-text">✕ ${Gl}</p>`}
      </div>
      <div class="tt-examples" role="group" aria-label="Example test queries">
        ${Wl.map(d=>s`
            <button type="button" onClick=${()=>r({query:d.query})}>
              <strong>${d.title}</strong>
              <span>${d.query}</span>
              <small>Expected: ${d.expected}</small>
            </button>
          `)}
      </div>
      <${K$} busy=${n} onCancel=${i} />
      <small>Manual tests are recorded in the model's history and do not count for its validation.</small>
    </form>
  `}function K$({busy:e,onCancel:t}){let o=w(null),n=w(null),r=w(null);return ye(()=>{let[a,i]=e?[o,n]:[n,o];r.current!==null&&r.current===a.current&&i.current?.focus({preventScroll:!0})},[e]),r.current=document.activeElement,s`
    <div class="row">
      <button ref=${o} type="submit" class="primary" disabled=${e}>
        ${e?"Testing...":"Run"}
      </button>
      <button ref=${n} type="button" disabled=${!e} onClick=${t}>Cancel</button>
      <small>${be("mod+Enter")} runs, ${be("Escape")} cancels</small>
    </div>
  `}var z$=300,J$=2e3;function Jl(e){let[t,o]=$(()=>zl(e)),n=w(hr(t)),r=w(!1),a=hr(zl(e));v(()=>{a!==n.current&&(n.current=a,o(ee(a)))},[a]);let i=A(d=>{let u=hr(d);u!==n.current&&(n.current=u,I("tools-testing",ee(u),{replace:!r.current}),r.current=!1)},[]);v(()=>{let d=setTimeout(()=>i(t),z$);return()=>clearTimeout(d)},[t,i]);let l=A(d=>o(u=>({...u,...d})),[]);return[t,l,()=>{i(t),r.current=!0}]}function zl({params:e}){return{model:e.model??"",query:e.query??""}}function hr({model:e,query:t}){return JSON.stringify({model:e,query:t.length>J$?"":t})}function Xl(e,t){let{tone:o,sign:n}=Ce(e);return o==="good"&&t.length>0?{tone:"warn",sign:"!"}:{tone:o,sign:n}}function Zo(e){let{tool_calls:t,timings:o,usage:n}=e,r=o.steps.filter(i=>i.step==="model").length,a=t.filter(i=>"error"in i.result).length;return[`${Ce(e).title} ${Ce(e).tone==="good"?"in":"after"} ${R(o.total_ms)}`,g(r,"model call"),g(t.length,"tool")+(a>0?`, ${y(a)} failed`:""),g(n.total_tokens,"token"),...typeof n.cost_usd=="number"?[oe(n.cost_usd)]:[]].join(" · ")}function Yl(e){let{error:t,fallback:o}=e,{reason:n}=Ce(e);return[e.max_iterations_reached&&"Max iterations reached: the model requested more tool calls than allowed.",e.circular_calls_detected&&"Circular calls: the model repeated the same call and was stopped.",e.status==="complete"&&!e.max_iterations_reached&&!e.circular_calls_detected&&n,e.deadline_reached&&"Deadline reached: the model had to answer without more tool calls.",e.max_tool_calls_reached&&e.outcome!=="tool_call_limit"&&"Tool call limit reached: no more tool calls were allowed.",e.status==="partial"&&`Partial answer: ${t?`${t.provider} failed (${F(t.type)}): ${t.message}`:"the deadline was reached"}.`,o&&`Another model answered instead of ${o.instead_of}: ${F(o.reason)}.`].flatMap(a=>a?[a]:[])}var X$=300,Y$=128,Q$=20,Z$=4;function Ql({calls:e}){let[t,o]=$(!1);if(e.length===0)return s`<section><h2>Tool calls (0)</h2><p>The model called no tool.</p></section>`;let n=t?e:e.slice(0,Q$);return s`
    <section class="stack" aria-label="Tool calls">
      <h2>Tool calls (${y(e.length)})</h2>
      <ol class="tt-calls">
        ${n.map(r=>s`<${eh} key=${`${r.iteration} ${r.call_id}`} call=${r} open=${e.length<=Z$} />`)}
      </ol>
      ${n.length<e.length&&s`<div><button type="button" onClick=${()=>o(!0)}>Show ${y(e.length-n.length)} more</button></div>`}
    </section>
  `}function eh({call:e,open:t}){let o=Pe(void 0,e),[n,r]="error"in e.result?["Error",e.result]:["Result",e.result.result],a=s`<code>${G(e.tool,Y$)}(${G(th(e),X$)})</code>
    <${_} tone=${o.tone}>${o.label}<//>`;return s`
    <li>
      <${P} summary=${a} open=${t}>
        <${N} value=${r} label=${n} />
      <//>
      <small class="number">Iteration: ${e.iteration} | Execution time: ${y(e.result.execution_time_ms)} ms</small>
    </li>
  `}function th({params:e}){return typeof e=="string"?e:JSON.stringify(e)}var oh=60,nh=1e3,rh=10,Zl="No mock result for these arguments.",gr=e=>!("error"in e.result);function ec(e){return(e.normalize("NFKD").replaceAll(/\p{M}/gu,"").toLowerCase().match(/[a-z0-9]+/g)??[]).join("-").slice(0,oh).replace(/-$/,"")||"case"}function tc(e,t){if(e.length===0)return"irrelevance";let o=e.filter(gr);return o.length<e.length?"error_recovery":new Set(o.map(n=>n.iteration)).size>1?"multi_turn":o.length>1?new Set(o.map(n=>n.tool)).size>1?"parallel_choice":"parallel":t>1?"choice":"single"}function oc(e){let t=Map.groupBy(e.filter(gr),n=>n.iteration),o=Math.min(rh,e.length-e.filter(gr).length);return t.size===0?e.length===0?{}:{any_call:!0,failed_calls:o}:{turns:[...t.values()].map(n=>({calls:n.map(({tool:r,params:a})=>({tool:r,arguments:sh(a)}))})),...o>0&&{failed_calls:o}}}function sh(e){return typeof e=="string"?{}:Object.fromEntries(Object.entries(e).map(([t,o])=>[t,[en(o)]]))}function en(e){return Array.isArray(e)?e.map(en):e===null||typeof e!="object"?e:Object.fromEntries(Object.entries(e).map(([t,o])=>[t,Array.isArray(o)?[en(o)]:en(o)]))}function nc(e,t){let o=t.filter(Vn);return e.map(({name:n,description:r,parameters:a})=>({name:n,description:r,parameters:a,implementation:ah(o.filter(i=>i.tool===n))}))}function ah(e){let t={type:"mock"},o=new Map;for(let{params:n,result:r}of e){if(typeof n=="string")continue;let a="error"in r?{error:ih(r.error)}:{response:r.result};Object.keys(n).length>0?o.set(JSON.stringify(n),{when:n,...a}):"response"in a&&(t.mock_response=a.response)}return o.size>0&&(t.answers=[...o.values()].sort(lh)),"mock_response"in t||(t.error=Zl),t}function ih(e){return e.slice(0,nh)||Zl}function lh(e,t){return Object.keys(t.when??{}).length-Object.keys(e.when??{}).length}var ch=20;function rc({request:e,answer:t,tools:o}){let[n,r]=$(!1),[a,i]=$(void 0),[l,c]=$(""),d=q(),u=()=>{i(p=>p??uh(e,t,o)),c(""),r(!0)},m=p=>d.run(async f=>{await Wo(p.suite,dh(p,e,t,o),f),c(`saved as ${p.id} in ${p.suite} ✓`),r(!1)});return s`
    <button type="button" onClick=${u} disabled=${o.length===0}>Save as validation case</button>
    <span role="status">${l}</span>
    <${Me} title="Save as validation case" open=${n} onClose=${()=>r(!1)}>
      ${a&&s`<${Go} draft=${a} task=${d} onChange=${i} onSave=${m} />`}
    <//>
  `}function uh({query:e},{tool_calls:t},o){let n=o.length<=ch||t.length===0?"all":"called",r=n==="all"?o.length:sc(o,t).length;return{suite:"",id:ec(e),category:tc(t,r),offer:n,expect:JSON.stringify(oc(t),null,2)}}function sc(e,t){return e.filter(o=>t.some(n=>n.tool===o.name))}function dh(e,t,{tool_calls:o},n){let r=nc(e.offer==="all"?n:sc(n,o),o);return{added:{id:e.id,category:e.category,description:`Recorded from ${t.model}.`,message:t.query,tools:r.map(i=>i.name),expect:ee(e.expect)},mocks:r}}var mh=300;function ac({request:e,answer:t,tools:o}){let[n,r]=$(-1),a=X(),i=Yl(t),{tone:l,sign:c}=Xl(t,i),d=Co(t.timings,t.tool_calls,n);return s`
    <div class="stack">
      <p class="tt-status">
        <${_} tone=${l} sign=${c}>${Zo(t)}<//>
        ${t.demo&&s` <${W} />`}
      </p>
      <p class="tt-query">${G(e.query,mh)}</p>
      <${fh} answer=${t} />
      ${i.map(u=>s`<p class="notice"><span aria-hidden="true">⚠️</span> ${u}</p>`)}
    </div>
    <section class="stack" aria-label="Waterfall">
      <h2>Steps</h2>
      <${Je} timings=${t.timings} calls=${t.tool_calls} selected=${n} onSelect=${r} />
      ${d?s`<${Bt} step=${d.step} call=${d.call} />`:s`<small>Select a step for details, or move with the arrow keys.</small>`}
    </section>
    <section class="stack" aria-label="Final response">
      <h2>Final response</h2>
      ${t.content.trim()===""?s`<p>The answer is empty.</p>`:s`<div class="tt-answer"><${N} value=${t.content} label="Final response" /></div>`}
      <div class="row">
        <${te} text=${()=>zo(new URL("api/tools/test",Oe).href,{...e})} label="Copy as curl" />
        ${a&&s`<${rc} request=${e} answer=${t} tools=${o} />`}
      </div>
    </section>
    <${Ql} calls=${t.tool_calls} />
  `}function fh({answer:e}){return s`
    <div class="row tt-facts">
      <span>Model: <strong>${e.model}</strong>${e.demo&&s` <${W} />`}</span>
      <span>Service: <strong>${e.service}</strong></span>
      <span>Finish reason: <strong>${F(e.finish_reason)}</strong></span>
      <span>Request: <code>${e.request_id}</code> <${te} text=${e.request_id} label="Copy request id" /> <${_e} id=${e.request_id} /></span>
    </div>
  `}var ph=12,$h=matchMedia("(width >= 800px)");function ic({tools:e}){let[t,o]=$($h.matches),n=e.data&&e.data.tools.length+lc(e.data).length;return s`
    <section aria-label="Available tools">
      <details class="collapsible" open=${t} onToggle=${r=>o(r.currentTarget.open)}>
        <summary><h2 class="tt-inline">Available tools ${n!==void 0&&s`<small>${y(n)}</small>`}</h2></summary>
        ${e.error&&s`<${k} error=${e.error} onRetry=${e.reload} />`}
        ${!e.data&&e.loading&&s`<${H} lines=${6} label="the tools" />`}
        ${t&&e.data&&s`<${hh} list=${e.data} />`}
      </details>
    </section>
  `}function lc(e){return e.disabled.filter(t=>t.kind==="tool")}function hh({list:e}){let[t,o]=$(""),n=lc(e),r=e.tools.length+n.length;if(r===0)return s`<p>No tools are configured.</p>`;let a=t.trim().toLowerCase(),i=e.tools.filter(({name:c,description:d})=>`${c} ${d}`.toLowerCase().includes(a)),l=n.filter(({name:c})=>c.toLowerCase().includes(a));return s`
    ${r>ph&&s`<label class="field tt-filter">
        Filter
        <input type="search" value=${t} onInput=${c=>o(c.currentTarget.value)} />
        <small role="status">${a&&`${y(i.length+l.length)} of ${y(r)} shown`}</small>
      </label>`}
    <ul class="tool-cards">
      ${l.map(c=>s`<${Lo} key=${`disabled ${c.name}`} tool=${c} />`)}
      ${i.map(c=>s`<${Po} key=${c.name} tool=${c} />`)}
    </ul>
  `}var gh={missing:"",runs:0,request:void 0,answer:void 0},br=e=>document.getElementById(e)?.focus();function cc({route:e}){return X()&&e.params.mode==="call"?s`<${Vl} route=${e} />`:s`<${bh} route=${e} />`}function bh({route:e}){let[t,o,n]=Jl(e),[r,a]=$(gh),i=We(),l=q(),{section:c,reveal:d}=Ke(l.busy),u=h=>a(C=>({...C,...h})),m=()=>{if(l.busy)return;let h=yh(t);if(u({missing:h}),h!=="")return br(h==="model"?Qo:vt);n(),d();let C={...t};l.run(async S=>{let O=await T.testTools(C,S);a(E=>({...E,request:C,answer:O,runs:E.runs+1})),gs()})},p=h=>{o(h),u({missing:""})};ie([{keys:"/",label:"Write the query",run:()=>br(vt)},{keys:"mod+Enter",label:"Run the test",run:m},{keys:"Escape",label:"Cancel the test",run:l.cancel}]);let f=s`
    <${Xo} mode="model" />
    <${Kl} ...${t} missing=${r.missing} busy=${l.busy} onChange=${p} onRun=${m} onCancel=${l.cancel} />
    <${ic} tools=${i} />
  `;return s`
    <${de} title="Tool testing" controls=${f} section=${c}>
      <p class="hidden" role="status">${_h(l,r)}</p>
      ${l.busy&&s`<p><${M} label=${`Waiting for ${t.model}`} since=${l.since} /></p>`}
      ${l.cancelled&&s`<p class="notice">! Test cancelled. The model may still complete its request, which costs tokens.</p>`}
      ${l.error&&s`<${k} error=${l.error} onRetry=${m} traced />`}
      ${r.answer&&(l.busy||l.error||l.cancelled)&&s`<h2>Previous test</h2>`}
      ${r.answer&&r.request&&s`<${ac} key=${r.runs} request=${r.request} answer=${r.answer} tools=${i.data?.tools??[]} />`}
      ${!r.answer&&!l.busy&&!l.error&&s`<${vh} hasModel=${t.model!==""} />`}
    <//>
  `}function _h(e,{answer:t}){return e.busy||e.error?"":e.cancelled?"Test cancelled":t&&Zo(t)}function yh({model:e,query:t}){return e===""?"model":t.trim()===""?"query":""}function vh({hasModel:e}){return s`<${ue} title="Test a model with the tools">
    <p>
      Select a model, enter a query or pick an example, and run it. The result shows every model and tool call on one time
      axis, with arguments, results and cost.
    </p>
    <p>
      <button type="button" onClick=${()=>br(e?vt:Qo)}>
        ${e?"Enter a query":"Select a model"}
      </button>
    </p>
  <//>`}function Ye(e,t=[]){let o=le(),n=w(e);n.current=e;let r=q(),{run:a}=r,[i,l]=$(uc()),c=JSON.stringify(t),d=A(()=>{a(async m=>{let p=await n.current(void 0,m);l({items:p.items,cursor:p.cursor??void 0,isLoaded:!0})})},[a]);v(()=>{l(uc()),d()},[c,o,d]);let u=()=>{a(async m=>{let p=await n.current(i.cursor,m);l(f=>({items:[...f.items,...p.items],cursor:p.cursor??void 0,isLoaded:!0}))})};return{items:i.items,isLoaded:i.isLoaded,more:i.cursor!==void 0,next:i.isLoaded?u:d,restart:d,task:r}}function uc(){return{items:[],cursor:void 0,isLoaded:!1}}var wh=["since","until","caller","session","model","rule","tool","outcome","failed","rating","min_ms"],Yt="custom",_r=[{since:"",title:"Any time"},{since:"1h",title:"Last hour"},{since:"24h",title:"Last 24 hours"},{since:"168h",title:"Last 7 days"},{since:"720h",title:"Last 30 days"}],Th=864e5;function dc(e){return Object.fromEntries(wh.flatMap(t=>e[t]?[[t,e[t]]]:[]))}function mc({since:e="",until:t=""}){return t===""&&_r.some(o=>o.since===e)?e:Yt}function fc(e=Date.now()){return{since:new Date(e-Th).toISOString(),until:new Date(e).toISOString()}}function pc(e,t){return e.includes(t)?e.filter(o=>o!==t):[...e,t].slice(-2)}var tn="traces-period",kh=[{value:"up",text:"helpful"},{value:"down",text:"not helpful"}];function gc({params:e,onChange:t,onClear:o}){let n=X(),r=Ie().data?.models??[],a=We().data?.tools??[];return s`
    <form class="stack" aria-label="Filters" onSubmit=${i=>i.preventDefault()}>
      <h2>Filters</h2>
      <${Sh} params=${e} onChange=${t} />
      <${hc} label="Outcome" name="outcome" params=${e} onChange=${t} options=${Zi.map(i=>({value:i,text:el(i)}))} />
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
      <${hc} label="Rating" name="rating" params=${e} onChange=${t} options=${kh} />
      <${Ch} params=${e} onChange=${t} />
      <${Qt} label="Session" name="session" params=${e} onChange=${t} />
      ${n&&s`<${Qt} label="Caller" name="caller" placeholder="id of a token" params=${e} onChange=${t} />`}
      <div><button type="button" onClick=${o}>Clear filters</button></div>
    </form>
  `}function Sh({params:e,onChange:t}){let o=mc(e);return s`
    <div class="field">
      <label for=${tn}>Time</label>
      <select id=${tn} value=${o} onChange=${({currentTarget:{value:r}})=>t(r===Yt?fc():{since:r,until:""})}>
        ${_r.map(({since:r,title:a})=>s`<option value=${r}>${a}</option>`)}
        <option value=${Yt}>From and until</option>
      </select>
    </div>
    ${o===Yt&&s`
        <${$c} label="From" name="since" params=${e} onChange=${t} />
        <${$c} label="Until" name="until" params=${e} onChange=${t} />
      `}
  `}function $c({label:e,name:t,params:o,onChange:n}){let r=({currentTarget:{value:a}})=>n({[t]:a?new Date(a).toISOString():""});return s`<label class="field">
    ${e}
    <input type="datetime-local" value=${xh(o[t]??"")} onChange=${r} />
  </label>`}function xh(e){let t=new Date(e);return Number.isNaN(t.getTime())?"":new Date(t.getTime()-t.getTimezoneOffset()*6e4).toISOString().slice(0,16)}function hc({label:e,name:t,params:o,onChange:n,options:r}){let a=Q();return s`<div class="field">
    <label for=${a}>${e}</label>
    <select id=${a} value=${o[t]??""} onChange=${i=>n({[t]:i.currentTarget.value})}>
      <option value="">Any</option>
      ${r.map(({value:i,text:l})=>s`<option value=${i}>${l}</option>`)}
    </select>
  </div>`}function bc(e){let[t,o]=$(e);return v(()=>o(e),[e]),[t,o]}function Qt({label:e,name:t,placeholder:o="Any",params:n,onChange:r,options:a=[]}){let i=Q(),[l,c]=bc(n[t]??"");return s`<label class="field">
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
  </label>`}function Ch({params:e,onChange:t}){let o=Number(e.min_ms)||0,[n,r]=bc(o?String(o/1e3):"");return s`<label class="field">
    Seconds at least
    <input type="number" min="0" step="any" inputmode="decimal" placeholder="Any" value=${n} onInput=${i=>r(i.currentTarget.value)} onChange=${({currentTarget:{value:i}})=>{let l=Math.max(0,Number(i)||0);t({min_ms:l>0?String(Math.round(l*1e3)):""})}} />
  </label>`}var Eh=200,_c=4;function yc({trace:e,ticked:t,onTick:o}){let{tone:n,sign:r,title:a}=it(e),i=G(e.message??"",Eh).trim();return s`
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
          ${e.rule&&s`<${Z}>rule ${e.rule}<//>`}
          ${e.front_end!=="chat"&&s`<${Z}>${Uo(e.front_end)}<//>`}
          <${Rh} trace=${e} />
        </span>
        <span class="number" title="Duration">${R(e.duration_ms)}</span>
        <span class="number" title="Tokens">${g(yt(e.usage),"token")}</span>
        <span class="number" title="Cost">${typeof e.cost_usd=="number"?oe(e.cost_usd):s`<small>no price</small>`}</span>
        <label class="check" title="Select two traces to compare">
          <input type="checkbox" checked=${t} onChange=${o} aria-label=${`Compare ${i||e.id}`} />
          <small aria-hidden="true">compare</small>
        </label>
      </div>
    </li>
  `}function Rh({trace:{tools:e,tool_calls:t}}){if(t===0)return s`<small>no tool calls</small>`;let o=e.length-_c;return s`<span class="mono trace-tools" title=${e.join(", ")}>
    ${e.slice(0,_c).join(", ")}${o>0&&` and ${y(o)} more`}${t>e.length&&` · ${g(t,"call")}`}
  </span>`}var vc=50;function wc(e){I("traces",{...ke().params,...e},{replace:!0})}function Tc({route:{params:e}}){let t=dc(e),o=Ye(async(a,i)=>{let{traces:l,cursor:c}=await ce.list({...t,limit:vc,cursor:a},i);return{items:l,cursor:c}},[t]),n=()=>I("traces",{},{replace:!0});ie([{keys:"/",label:"Filter the traces",run:()=>document.getElementById(tn)?.focus()},{keys:"r",label:"Refresh the traces",run:o.restart}]);let r=s`<${gc} params=${t} onChange=${wc} onClear=${n} />`;return s`
    <${de} title="Traces" controls=${r}>
      <${Ah} list=${o} ticked=${(e.compare??"").split(" ").filter(Boolean)} filtered=${Object.keys(t).length>0} onClear=${n} />
    <//>
  `}function Ah({list:e,ticked:t,filtered:o,onClear:n}){let{items:r,isLoaded:a,more:i,next:l,restart:c,task:d}=e;return!a&&!d.error?s`<${H} lines=${12} label="the traces" />`:a&&r.length===0&&!d.error&&!i?o?s`<${Mh} onClear=${n} />`:s`<${Ih} onRefresh=${c} />`:s`
    <${Oh} list=${e} ticked=${t} />
    ${d.error&&s`<${k} error=${d.error} onRetry=${a&&i?l:c} />`}
    <ul class="trace-list" aria-label="Traces, the newest first">
      ${r.map(u=>s`<${yc} key=${u.id} trace=${u} ticked=${t.includes(u.id)} onTick=${()=>wc({compare:pc(t,u.id).join(" ")})} />`)}
    </ul>
    <div class="row">
      ${i&&!d.busy&&!d.error&&s`<button type="button" onClick=${l}>Load ${vc} more</button>`}
      ${d.busy&&s`<${M} label="Loading traces" since=${d.since} />`}
    </div>
  `}function Oh({list:{items:e,isLoaded:t,more:o,restart:n,task:r},ticked:[a,i]}){return s`<div class="row spread">
    <span class="row">
      <button type="button" disabled=${r.busy} onClick=${n}>Refresh</button>
      ${t&&s`<span role="status">${g(e.length,"trace")}${o?" loaded, more available":""}</span>`}
    </span>
    ${a&&i&&s`<${_e} id=${a} params=${{with:i}}>Compare the two selected traces<//>`}
    ${a&&!i&&s`<small role="status">Select another trace to compare.</small>`}
  </div>`}function Mh({onClear:e}){return s`<${ue} title="No trace matches the filters">
    <p>Traces are removed after the days that <code>traces.days</code> of the configuration sets.</p>
    <p><button type="button" onClick=${e}>Clear filters</button></p>
  <//>`}function Ih({onRefresh:e}){return s`<${ue} title="See what each chat did">
    <p>
      Every chat and test leaves a trace: its model calls and tool calls on one time axis, with tokens, cost and errors.
      Here you find them by time, model, tool or outcome, open one, and compare it with another.
    </p>
    <p>
      Send a message in the Chat view or run a test to get the first one. If none appears, check${" "}
      <code>traces.sample</code> in the configuration, which sets the share of chats that are traced.
    </p>
    <p><button type="button" onClick=${e}>Refresh</button></p>
  <//>`}var kc={chats:0,failed:0,model_calls:0,tool_calls:0,input_tokens:0,output_tokens:0,cached_tokens:0,cache_write_tokens:0,reasoning_tokens:0,cost_usd:0,unpriced_tokens:0},Dh=Object.keys(kc),yr=864e5,Nh=400,wr="30",Zt={tokens:"Tokens",cost:"Cost",chats:"Chats",failed:"Failed chats",tool_calls:"Tool calls"};function eo(e,t){return t==="tokens"?e.input_tokens+e.output_tokens:t==="cost"?e.cost_usd:e[t]}function on(e){return e>0&&e<.01?oe(e):`$${e.toFixed(2)}`}function Tr(e,t){let o={...kc,name:t};for(let n of e)for(let r of Dh)o[r]+=n[r];return o}function Sc(e,t){let n=[...Map.groupBy(e,a=>t==="day"?a.day:a.name??"none")].map(([a,i])=>Tr(i,a));if(t==="day")return n.sort((a,i)=>a.name<i.name?1:-1);let r=a=>eo(a,"tokens");return n.sort((a,i)=>r(i)-r(a)||i.tool_calls-a.tool_calls)}function xc(e,{since:t,until:o},n){let r=Map.groupBy(e,a=>a.day);return Ph(t,o).map(a=>({day:a,value:(r.get(a)??[]).reduce((i,l)=>i+eo(l,n),0)}))}function Ph(e,t){let[o,n]=[Date.parse(e),Date.parse(t)],r=Math.min(Nh,Math.max(0,Math.floor((n-o)/yr)+1)||0);return Array.from({length:r},(a,i)=>vr(n-(r-1-i)*yr))}function vr(e){return new Date(e).toISOString().slice(0,10)}function nn({since:e,until:t,days:o=wr},n=Date.now()){let r=t||vr(n);return{since:e||vr(Date.parse(r)-(Number(o)-1)*yr),until:r}}var rn="usage-group",Cc="usage-period",Ec="usage-measure",Lh=[{value:"day",title:"Day"},{value:"model",title:"Model"},{value:"caller",title:"Caller"},{value:"tool",title:"Tool"},{value:"rule",title:"Rule"}],qh=["7","30","90"],kr="custom";function Rc({params:e,group:t,measure:o,onChange:n}){let r=X(),{since:a,until:i}=nn(e),l=!!(e.since||e.until),c=({currentTarget:{value:u}})=>n(u===kr?{since:a,until:i,days:""}:{since:"",until:"",days:u}),d=u=>m=>n({[u]:m.currentTarget.value});return s`
    <form class="stack" aria-label="Usage" onSubmit=${u=>u.preventDefault()}>
      <div class="field">
        <label for=${rn}>Group by</label>
        <select id=${rn} value=${t} onChange=${d("group")}>
          ${Lh.filter(({value:u})=>r||u==="day").map(({value:u,title:m})=>s`<option value=${u}>${m}</option>`)}
        </select>
      </div>
      <div class="field">
        <label for=${Cc}>Period</label>
        <select id=${Cc} value=${l?kr:e.days??wr} onChange=${c}>
          ${qh.map(u=>s`<option value=${u}>Last ${u} days</option>`)}
          <option value=${kr}>From and until</option>
        </select>
      </div>
      ${l&&s`
          <label class="field">From<input type="date" value=${a} max=${i} onChange=${d("since")} /></label>
          <label class="field">Until<input type="date" value=${i} min=${a} onChange=${d("until")} /></label>
        `}
      <div class="field">
        <label for=${Ec}>Plot</label>
        <select id=${Ec} value=${o} onChange=${d("measure")}>
          ${Object.entries(Zt).map(([u,m])=>s`<option value=${u}>${m}</option>`)}
        </select>
      </div>
      <small>Days are those of UTC. The counters are kept for 400 days.</small>
      ${!r&&s`<p class="notice">! You see your own usage. The usage of others requires the role <strong>operator</strong>.</p>`}
    </form>
  `}var sn=800,Qe=160,Ac=.2,Bh=new Intl.DateTimeFormat("en-GB",{day:"numeric",month:"short",timeZone:"UTC"});function wt(e){return Bh.format(new Date(e))}function Hh(e){let t=Math.max(0,...e.map(({value:n})=>n)),o=sn/Math.max(1,e.length);return e.map(({day:n,value:r},a)=>{let i=t>0?r/t*Qe:0;return{day:n,value:r,x:(a+Ac/2)*o,y:Qe-i,width:o*(1-Ac),height:i}})}function Oc({values:e,title:t,format:o}){let n=Math.max(0,...e.map(({value:i})=>i)),r=e.find(({value:i})=>i===n&&i>0),a=`${t} per day, ${wt(e[0]?.day??"1970-01-01")} to ${wt(e.at(-1)?.day??"1970-01-01")}; ${r?`highest on ${wt(r.day)} with ${o(n)}`:"none"}`;return s`
    <figure class="usage-plot">
      <figcaption>${t} per day</figcaption>
      <span class="usage-scale number" aria-hidden="true"><span>${o(n)}</span><span>${o(0)}</span></span>
      <svg viewBox=${`0 0 ${sn} ${Qe}`} preserveAspectRatio="none" role="img" aria-label=${a}>
        <line x1="0" x2=${sn} y1=${Qe/2} y2=${Qe/2} />
        ${Hh(e).map(({day:i,value:l,x:c,y:d,width:u,height:m})=>s`
            <g key=${i}>
              <title>${`${wt(i)}: ${o(l)}`}</title>
              <rect class="usage-slot" x=${c} y="0" width=${u} height=${Qe} />
              <rect class="usage-bar" x=${c} y=${d} width=${u} height=${m} />
            </g>
          `)}
        <line x1="0" x2=${sn} y1=${Qe} y2=${Qe} />
      </svg>
      <span class="usage-days" aria-hidden="true">
        <span>${wt(e[0]?.day??"1970-01-01")}</span>
        <span>${wt(e.at(-1)?.day??"1970-01-01")}</span>
      </span>
    </figure>
  `}var Fh=new Set(["day","model","caller","tool","rule"]);function Uh(e){I("usage",{...ke().params,...e},{replace:!0})}function Dc({route:{params:e}}){let t=X(),o=e.group??"",n=t&&Fh.has(o)?o:"day",r=Object.hasOwn(Zt,e.measure??"")?e.measure:"tokens",{since:a,until:i}=nn(e),{data:l,error:c,reload:d}=ae(m=>ce.usage({group:n,since:a,until:i},m),[n,a,i]);ie([{keys:"/",label:"Choose the group",run:()=>document.getElementById(rn)?.focus()},{keys:"r",label:"Refresh the usage",run:d}]);let u=s`<${Rc} params=${e} group=${n} measure=${r} onChange=${Uh} />`;return s`
    <${de} title="Usage" controls=${u}>
      ${c&&s`<${k} error=${c} onRetry=${d} />`}
      ${!l&&!c&&s`<${H} lines=${10} label="the usage" />`}
      ${l&&l.rows.length===0&&s`<${Gh} onRefresh=${d} />`}
      ${l&&l.rows.length>0&&s`<${jh} report=${l} measure=${r} onRefresh=${d} />`}
    <//>
  `}function jh({report:e,measure:t,onRefresh:o}){let n=t==="cost"?on:y,r=Tr(e.rows,"Total");return s`
    <div class="row spread">
      <p class="tt-status">${Vh(e,r)}</p>
      <button type="button" onClick=${o}>Refresh</button>
    </div>
    ${r.unpriced_tokens>0&&s`<p class="notice">! The cost lacks ${g(r.unpriced_tokens,"token")} of models without a price. Add their prices to the configuration to count later chats.</p>`}
    <${Oc} values=${xc(e.rows,e,t)} title=${Zt[t]} format=${n} />
    <${Wh} report=${e} total=${r} />
  `}function Vh({group:e},t){return[e!=="tool"&&t.chats>0&&g(t.chats,"chat"),t.failed>0&&`${y(t.failed)} failed`,t.tool_calls>0&&g(t.tool_calls,"tool call"),eo(t,"tokens")>0&&g(eo(t,"tokens"),"token"),(t.cost_usd>0||t.unpriced_tokens>0)&&Nc(t)].filter(Boolean).join(" · ")}function Nc({cost_usd:e,unpriced_tokens:t}){return t===0?on(e):e>0?`${on(e)} and more`:"no price"}var Mc=["Chats","Failed","Model calls","Tool calls","Input","Cached","Cache writes","Output","Reasoning","Cost","Without price"];function Wh({report:{group:e,rows:t},total:o}){let n=`${e.charAt(0).toUpperCase()}${e.slice(1)}`;return s`<div class="usage-table"><${Re} label=${`Usage by ${e}`} caption=${`Usage by ${e}; tokens by class`} columns=${[n,...Mc]} numbers=${Mc}>
    ${Sc(t,e).map(r=>s`<${Ic} key=${r.name} totals=${r} />`)}
    <${Ic} totals=${o} />
  <//></div>`}function Ic({totals:e}){return s`<tr>
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
    <td class="number">${Nc(e)}</td>
    <td class="number">${e.unpriced_tokens>0?g(e.unpriced_tokens,"token"):"–"}</td>
  </tr>`}function Gh({onRefresh:e}){return s`<${ue} title="See what the chats use">
    <p>
      Each chat adds to the counters of its day: tokens by class, tool calls, failures and, where the configuration has
      prices, cost. Here you compare days, models, tools and rules.
    </p>
    <p>This period has no usage yet. Send a message in the Chat view, or select another period.</p>
    <p><button type="button" onClick=${e}>Refresh</button></p>
  <//>`}var Be=[{name:"single",title:"Single call",description:"one tool is offered and must be called once"},{name:"choice",title:"Tool choice",description:"several tools are offered and one must be called"},{name:"parallel",title:"Parallel calls",description:"one tool must be called several times"},{name:"parallel_choice",title:"Parallel tools",description:"several tools must be called"},{name:"irrelevance",title:"Irrelevance",description:"no tool fits and none may be called"},{name:"multi_turn",title:"Multi-turn",description:"a call needs the result of the previous one"},{name:"error_recovery",title:"Error recovery",description:"a call fails and must be corrected"},{name:"types",title:"Typed values",description:"arguments must match the types of the schema"},{name:"clarification",title:"Clarification",description:"a value is missing and the model must ask for it"}];function an(e){return Be.find(t=>t.name===e)?.title??e}var Pc=8;function Lc({modelChoices:e,chosen:t,onChosen:o,loaded:n,first:r}){let[a,i]=$(""),l=V(()=>performance.now(),[]),c=e.filter(({id:u})=>t.includes(u)||u.toLowerCase().includes(a.toLowerCase())),d=u=>o(t.includes(u)?t.filter(m=>m!==u):[...t,u]);return s`
    <fieldset class="val-models">
      <legend>Models${t.length>0&&` (${t.length} ticked)`}</legend>
      ${e.length>Pc&&s`<input
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
              <input ref=${f===0&&e.length<=Pc?r:void 0} type="checkbox" checked=${t.includes(u)} onChange=${()=>d(u)} />
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
  `}var Kh={rate:(e,t)=>(t.rate?.rate??-1)-(e.rate?.rate??-1)||(t.rate?.low??0)-(e.rate?.low??0),name:()=>0,tested:(e,t)=>(t.last_tested??"").localeCompare(e.last_tested??"")};function qc(e){return e==="name"||e==="tested"?e:"rate"}function Bc(e,t){return[...e].sort((o,n)=>Kh[t](o,n)||o.model_id.localeCompare(n.model_id,"en"))}function Hc(e,t){return e.includes(t)?e.filter(o=>o!==t):[...e,t].slice(-2)}function Tt(e){return(e??"").split(" ").filter(t=>t!=="")}function to(e){return e.filter(t=>t.capabilities.includes("function-calling"))}function Fc(e,t){let o=new Set(t.filter(n=>n.tested).map(n=>n.model_id));return to(e).filter(n=>!o.has(n.id))}var zh=2e4;function Uc(e){return{models:Tt(e.models),suite:e.suite??"default",repeats:Number(e.repeats??1),stop_early:e.early!=="no",budget:{calls:Sr(e.calls),tokens:Sr(e.tokens),usd:Sr(e.usd)}}}function Sr(e){return e===void 0?null:Number(e)}function jc(e,t,o){let n=new Map;for(let{id:r,demo:a,validation:i}of to(e))n.set(r,{id:r,demo:a??!1,validation:i});for(let r of t){let{model_id:a,demo:i}=r;n.has(a)||n.set(a,{id:a,demo:i??!1,validation:r})}for(let r of o)n.has(r)||n.set(r,{id:r,demo:!1,validation:void 0});return[...n.values()]}function Vc(e,t){let o=e.models.length;if(o===0)return{ready:!1,text:"Select the models to validate."};if(t===void 0)return{ready:!0,text:g(o,"model")};let n=t.cases*o*e.repeats,r=e.repeats>1?` × ${g(e.repeats,"repeat")}`:"",a=`${g(t.cases,"case")} × ${g(o,"model")}${r}`;return n>zh?{ready:!1,text:`${a} = ${g(n,"chat")}: the maximum is 20,000.`}:{ready:!0,text:`at most ${g(Math.min(n,e.budget.calls??n),"chat")}: ${a}`}}var xr="val-form";function Wc({params:e,change:t,suites:o,models:n,statuses:r,onStarted:a}){let i=w(null),l=w(null),c=q(),d=Uc(e),u=o.data?.suites.find(({name:f})=>f===d.suite),m=Vc(d,u),p=f=>{f.preventDefault(),!(!m.ready||c.busy)&&c.run(async h=>{let C=await T.startValidation(d);h.aborted||a(C)})};return ie([{keys:"/",label:"Select models",run:()=>l.current?.focus()},{keys:"mod+Enter",label:"Start the run",run:()=>i.current?.requestSubmit()}]),s`
    <form class="stack" ref=${i} onSubmit=${p}>
      <h2 id=${xr} tabindex="-1">New run</h2>
      <label class="field">
        Suite
        <select value=${d.suite} onChange=${f=>t({suite:f.currentTarget.value})}>
          ${Jh(o.data?.suites??[],d.suite).map(f=>s`<option value=${f} selected=${f===d.suite}>${f}</option>`)}
        </select>
      </label>
      ${u&&s`<${Xh} suite=${u} />`}
      ${o.error&&s`<${k} error=${o.error} onRetry=${o.reload} />`}
      <${Lc}
        modelChoices=${jc(n.data?.models??[],r,d.models)}
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
  `}function Jh(e,t){return[...new Set([...e.map(({name:o})=>o),t])]}function Xh({suite:e}){let t=e.built_in?"built in":"custom",o=`${g(e.cases,"case")}, ${t}`;return s`<${P} summary=${o}>
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
  </label>`}function kt({title:e,focus:t=!1,reveal:o=!1,onClose:n,children:r}){let a=w(null),i=Q();return v(()=>{t&&a.current?.focus()},[e,t]),v(()=>{o&&a.current?.scrollIntoView({block:"nearest"})},[o]),s`
    <section class="val-panel stack" aria-labelledby=${i}>
      <div class="row spread">
        <h2 id=${i} ref=${a} tabindex="-1">${e}</h2>
        <button type="button" class="quiet" onClick=${n}>Close</button>
      </div>
      ${r}
    </section>
  `}function Kc(e){return e.low>=.8?"proven":e.high<.8?"failing":"undecided"}function Er(e,t){let o=e.rate-t.rate;return{value:o,low:Math.max(-1,o-Math.hypot(e.rate-e.low,t.high-t.rate)),high:Math.min(1,o+Math.hypot(e.high-e.rate,t.rate-t.low))}}function Rr({low:e,high:t}){return e>0?"a":t<0?"b":"neither"}function zc(e,t,o){let n=Rr(e);return n==="a"?`${t} is better by ${Gc(e.value,e.low,e.high)}`:n==="b"?`${o} is better by ${Gc(-e.value,-e.high,-e.low)}`:"No significant difference"}function Jc({value:e,low:t,high:o}){return`${Cr(e)} (${Cr(t)} to ${Cr(o)})`}function Gc(e,t,o){return`${cn(e)} points (${cn(t)} to ${cn(o)})`}function Cr(e){let t=cn(Math.abs(e));return t==="0"?t:`${e<0?"−":"+"}${t}`}function cn(e){let t=e*100;return t>0&&t<1?t.toFixed(1):String(Math.round(t))}function Yc({a:e,b:t,onClose:o}){let n={a:e.model_id,b:t.model_id};return s`
    <${kt} title=${`${e.model_id} and ${t.model_id}`} onClose=${o}>
      <p role="status"><strong>${Yh(e,t)}</strong></p>
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
            <${Xc} title="All" a=${e.rate} b=${t.rate} names=${n} />
            ${Be.map(({name:r,title:a})=>s`<${Xc} title=${a} a=${e.categories?.[r]} b=${t.categories?.[r]} names=${n} />`)}
          </tbody>
        </table>
      </div>
      <small>
        Differences in percentage points with Newcombe's 95 % interval. If the interval contains 0, the difference is not
        significant; a single category rarely has enough tests.
      </small>
    <//>
  `}function Yh(e,t){return!e.rate||!t.rate?"Only one of the models was tested.":`${zc(Er(e.rate,t.rate),e.model_id,t.model_id)}.`}function Xc({title:e,a:t,b:o,names:n}){let r=t&&o?Er(t,o):void 0;return s`
    <tr>
      <th scope="row">${e}</th>
      <td class="number">${t?Ee(t):"–"}</td>
      <td class="number">${o?Ee(o):"–"}</td>
      <td class="number">${r?Jc(r):"–"}</td>
      <td>${r?Qh(r,n):"not tested by both"}</td>
    </tr>
  `}function Qh(e,t){let o=Rr(e);return o==="neither"?"not significant":`${t[o]} is better`}var oo=72,Ar=20,un=3,Zh=864e5,eg=new Intl.DateTimeFormat("en-GB",{day:"numeric",month:"short",timeZone:"UTC"});function Zc(e){return Math.round(e*10)/10}function Or(e){return Zc(un+(1-e)*(Ar-2*un))}function tg(e){let t=e.map(({day:r})=>Date.parse(r)),o=t[0]??0,n=Math.max(Zh,(t.at(-1)??0)-o);return e.map(({tests:r,successes:a},i)=>({x:e.length===1?oo/2:Zc(un+((t[i]??0)-o)/n*(oo-2*un)),y:Or(a/r)}))}function og(e){return e.map(({day:t,tests:o,successes:n})=>`${eg.format(new Date(t))} ${mt(n/o)} of ${o}`).join(", ")}function eu({days:e}){let t=tg(e),o=`Rate by day: ${og(e)}`;return s`
    <svg class="val-trend" viewBox=${`0 0 ${oo} ${Ar}`} width=${oo} height=${Ar} role="img" aria-label=${o}>
      <title>${o}</title>
      <line x1="0" x2=${oo} y1=${Or(.8)} y2=${Or(.8)} />
      <polyline points=${t.map(({x:n,y:r})=>`${n},${r}`).join(" ")} />
      ${t.slice(-1).map(({x:n,y:r})=>s`<circle cx=${n} cy=${r} r="2.5" />`)}
    </svg>
  `}var ng={proven:"✓",failing:"✕",undecided:""};function tu({statuses:e,order:t,onOrder:o,ticked:n,onTick:r,open:a,onOpen:i}){let l=(c,d,u)=>s`
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
            ${Be.map(({title:c,description:d})=>s`<th scope="col" class="val-category" title=${d}>${c}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${Bc(e,t).map(c=>s`
              <${rg}
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
      <ul>${Be.map(({title:c,description:d})=>s`<li><b>${c}</b>: ${d}</li>`)}</ul>
    <//>
  `}function rg({status:e,ticked:t,onTick:o,open:n,onOpen:r}){let{model_id:a,badge:i,demo:l}=e;return s`
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
        ${(e.trend?.length??0)>0&&s`<${eu} days=${e.trend} />`}
        ${e.last_tested&&s`<div><small><${j} at=${e.last_tested} /></small></div>`}
      </td>
      ${Be.map(c=>s`
          <td class="val-rate-cell">
            <${sg}
              rate=${e.categories?.[c.name]}
              demo=${l??!1}
              label=${`${c.title}, ${a}`}
              open=${n===c.name}
              onOpen=${()=>r({model:a,category:c.name})}
            />
          </td>
        `)}
    </tr>
  `}function sg({rate:e,demo:t,label:o,open:n,onOpen:r}){if(!e)return s`<span class="val-untested" title="not tested">–<span class="hidden"> not tested</span></span>`;let a=Kc(e),i={left:`${e.low*100}%`,width:`${Math.max(1,(e.high-e.low)*100)}%`},l=`${Math.round(e.low*100)} to ${Math.round(e.high*100)} %`;return s`
    <button
      type="button"
      class="val-cell"
      data-state=${t?"demo":a}
      aria-pressed=${n}
      title=${`${e.successes} of ${e.tests} passed, ${l}, ${t?"demo model":a}`}
      onClick=${r}
    >
      <span class="number">${mt(e.rate)}</span>
      <small class="number"><span aria-hidden="true">${t?"":ng[a]}</span>${" "}n ${e.tests}</small>
      <span class="interval" aria-hidden="true"><span style=${i}></span><i style=${{left:`${e.rate*100}%`}}></i></span>
      <span class="hidden">${o}, ${l}, ${t?"demo model":a}</span>
    </button>
  `}function ou(e,t){return t.models.flatMap(({model:o,done:n})=>{let r=e?.models.find(a=>a.model===o)?.done??0;return n>r?[{model:o,limit:Math.min(100,n-r+10)}]:[]})}function Mr({run:e,model:t,case:o,repeat:n,request_id:r}){return`${e} ${t} ${o} ${n} ${r}`}function Ir({result:e}){return e!=="skipped"}function nu(e,t,o){return[...new Map([...e,...t.filter(r=>r.run===o&&Ir(r))].map(r=>[Mr(r),r])).values()].sort((r,a)=>a.at.localeCompare(r.at)).slice(0,100)}var ag={passed:{tone:"good",text:"passed"},failed:{tone:"bad",text:"failed"},error:{tone:"warn",text:"error, not counted"},skipped:{tone:"plain",text:"skipped"},no_tool_call:{tone:"plain",text:"no tool call, not counted"}},ig=10,lg=5,ru=100,Dr=200,cg=50,ug=56;function Nr({verdicts:e,label:t,models:o=!1}){let n=e.length>Dr?cg:Dr;return Array.from({length:Math.ceil(e.length/n)},(a,i)=>i*n).map(a=>{let i=e.slice(a,a+n);return s`<ul
      key=${a}
      class="val-verdicts"
      aria-label=${a===0?t:`${t}, from ${a+1}`}
      style=${e.length>Dr?{contentVisibility:"auto",containIntrinsicSize:`auto ${i.length*ug}px`}:{}}
    >
      ${i.map(l=>s`<${dg} key=${Mr(l)} verdict=${l} models=${o} />`)}
    </ul>`})}function dg({verdict:e,models:t}){let{tone:o,text:n}=ag[e.result];return s`
    <li>
      <div class="row">
        <${_} tone=${o}>${n}<//>
        <strong>${e.case}${e.repeat>1&&` #${e.repeat}`}</strong>
        ${t&&s`<span>${e.model}</span>`}
        ${e.category&&s`<${Z}>${an(e.category)}<//>`}
        ${e.counted===!1&&s`<${Z}>manual, not counted<//>`}
        <small class="row val-facts">
          <${j} at=${e.at} />
          <span class="number">${R(e.latency_ms)}</span>
          <span class="number">${g(e.tokens,"token")}</span>
          ${typeof e.cost_usd=="number"&&s`<span class="number">${oe(e.cost_usd)}</span>`}
          ${e.request_id&&s`<${_e} id=${e.request_id} />
              <${te} text=${e.request_id} label="Copy request id" />`}
        </small>
      </div>
      ${e.reasons.length>0&&s`<ul class="val-reasons">${e.reasons.map(r=>s`<li>${r}</li>`)}</ul>`}
    </li>
  `}function dn({pages:e,label:t,models:o=!1,filter:n,failedOnly:r,onFailedOnly:a}){let{items:i,isLoaded:l,more:c,next:d,task:u}=e,m=i.filter(f=>Ir(f)&&n(f)&&!(r&&f.result==="passed")),p=l&&c&&!u.busy&&!u.error&&m.length<ig&&i.length<lg*ru;return v(()=>{p&&d()}),u.error&&!l?s`<${k} error=${u.error} onRetry=${d} />`:l?s`
    <div class="row spread">
      <span role="status">${y(m.length)} of ${g(i.length,"loaded verdict")}${c?", more available":""}</span>
      <label class="check">
        <input type="checkbox" checked=${r} onChange=${()=>a(!r)} />
        Hide passed
      </label>
    </div>
    ${m.length===0&&!c&&s`<p>None.</p>`}
    <${Nr} verdicts=${m} label=${t} models=${o} />
    <${mg} pages=${e} />
  `:s`<${H} lines=${6} label=${t} />`}function mg({pages:{more:e,next:t,task:o}}){return o.error?s`<${k} error=${o.error} onRetry=${t} />`:o.busy?s`<${M} label="Loading verdicts" since=${o.since} />`:e&&s`<div><button type="button" onClick=${t}>Load ${ru} more</button></div>`}var fg=100;function su({model:e,category:t,status:o,focus:n,onClose:r}){let[a,i]=$(!1),l=Be.find(u=>u.name===t),c=Ye(async(u,m)=>{let{records:p,cursor:f}=await T.history(e,{limit:fg,cursor:u,signal:m});return{items:p,cursor:f}},[e]);ie([{keys:"Escape",label:"Close the verdicts",run:r}]);let d=l?o?.categories?.[l.name]:o?.rate;return s`
    <${kt} title=${`${l?l.title:"All verdicts"} · ${e}`} focus=${n} onClose=${r}>
      ${l&&s`<p>Tests: ${l.description}.</p>`}
      ${o?.demo&&s`<p class="notice">! Verdicts of the demo model are no evidence about a real model.</p>`}
      ${d&&s`<p>${d.successes} of ${g(d.tests,"test")} passed, ${Ee(d)}.</p>`}
      ${!l&&o&&s`<${pg} status=${o} />`}
      <${dn}
        pages=${c}
        label=${`Verdicts of ${e}`}
        filter=${u=>!l||u.category===l.name}
        failedOnly=${a}
        onFailedOnly=${i}
      />
    <//>
  `}function pg({status:e}){let t=[typeof e.latency_ms=="number"&&R(e.latency_ms),typeof e.tokens=="number"&&g(Math.round(e.tokens),"token"),typeof e.cost_usd=="number"&&oe(e.cost_usd)].filter(Boolean),{by_hand:o}=e,n=[(e.errors??0)>0&&g(e.errors??0,"error"),(e.no_tool_calls??0)>0&&`${g(e.no_tool_calls??0,"plain test")} without a tool call`,o&&`${g(o.tests+o.errors+o.no_tool_calls,"test")} run manually`].filter(Boolean);return s`<p>
    ${t.length>0&&`Average per case: ${t.join(", ")}.`}
    ${n.length>0&&` Not counted: ${n.join(", ")}.`}
  </p>`}var $g=12;function au({models:e,first:t,onFill:o}){return s`
    <${ue} title="No results yet">
      <p>
        Providers list tool calling for most models. Validation tests it: a run sends a suite of cases to a model and grades
        whether it calls the right tools with the right arguments.
      </p>
      ${t&&o&&s`<button type="button" onClick=${()=>o(t)}>Validate ${t}</button>`}
      ${!t&&e.loading&&s`<p>Loading models.</p>`}
      ${!t&&!e.loading&&s`<p>No models with tool calling are configured.</p>`}
    <//>
  `}function iu({models:e,onFill:t}){if(e.length===0)return null;let o=e.slice(0,$g).map(({id:r})=>r),n=e.length-o.length;return s`
    <div class="notice">
      <span aria-hidden="true">🔧⚠️</span> ${g(e.length,"model")} not tested yet.
      <div class="row">
        ${o.map(r=>s`<button type="button" class="quiet" title=${`Select ${r} in the form`} onClick=${()=>t(r)}>${r}</button>`)}
        ${n>0&&`and ${n} more`}
      </div>
    </div>
  `}function lu({params:e,change:t,statuses:o,rows:n,models:r,onFill:a}){let i=w(null),l=r.data?.models??[],{model:c,category:d="",run:u}=e,m=f=>{i.current=document.activeElement,t(f,{replace:!1})},p=()=>{t({model:"",category:""},{replace:!1}),i.current instanceof HTMLElement&&i.current.focus(),i.current=null};return s`
    ${o.error&&s`<${k} error=${o.error} onRetry=${o.reload} />`}
    ${!o.data&&!o.error&&s`<${H} lines=${6} label="the results" />`}
    ${o.data&&n.length===0&&!u&&s`<${au} models=${r} first=${to(l)[0]?.id} onFill=${a} />`}
    ${n.length>0&&s`
        <h2>Results</h2>
        <${tu}
          statuses=${n}
          order=${qc(e.sort)}
          onOrder=${f=>t({sort:f})}
          ticked=${Tt(e.compare)}
          onTick=${f=>t({compare:Hc(Tt(e.compare),f).join(" ")})}
          open=${c&&{model:c,category:d}}
          onOpen=${m}
        />
        <${hg} names=${Tt(e.compare)} rows=${n} onClose=${()=>t({compare:""})} />
        ${a&&s`<${iu} models=${Fc(l,n)} onFill=${a} />`}
      `}
    ${c&&s`<${su}
        model=${c}
        category=${d}
        status=${n.find(f=>f.model_id===c)}
        focus=${i.current!==null}
        onClose=${p}
      />`}
  `}function hg({names:e,rows:t,onClose:o}){let[n,r]=e.map(a=>t.find(i=>i.model_id===a));return n&&r?s`<${Yc} a=${n} b=${r} onClose=${o} />`:e.length===1&&s`<p role="status">Select another model to compare with ${e[0]}.</p>`}var gg=[1e3,1500,2e3,3e3],bg=3e3;function Ae({status:e}){return e!=="queued"&&e!=="running"}function cu(e,t){let o=le(),n=w(t);n.current=t;let[r,a]=$(0),[i,l]=$(_g),c=w(void 0);return v(()=>{let d=new AbortController,{signal:u}=d,m=0,p=0,f=!1,h=async()=>{if(clearTimeout(m),!(document.hidden||f)){f=!0;try{let S=await T.validationRun(e,{limit:1,signal:u}),O=c.current;if(l(b=>yg(b,S,O)),O!==void 0&&O.status!==S.status&&n.current(S),Ae(S)){c.current=S;return}let E=await vg(O,S,u);c.current=S,l(b=>({...b,latest:nu(b.latest,E,e)}))}catch(S){if(u.aborted)return;let O=po(S);if(l(E=>({...E,error:O})),O.kind!=="offline"&&O.kind!=="failed")return}finally{f=!1}m=setTimeout(h,gg[p++]??bg)}},C=()=>{!document.hidden&&(c.current===void 0||!Ae(c.current))&&h()};return h(),document.addEventListener("visibilitychange",C),()=>{d.abort(),clearTimeout(m),document.removeEventListener("visibilitychange",C)}},[e,o,r]),{...i,retry:A(()=>a(d=>d+1),[])}}function _g(){return{run:void 0,latest:[],error:void 0,advancedAt:performance.now()}}function yg(e,t,o){let n=t.done===o?.done?e.advancedAt:performance.now();return{...e,run:t,error:void 0,advancedAt:n}}async function vg(e,t,o){return(await Promise.all(ou(e,t).map(({model:r,limit:a})=>T.history(r,{limit:a,signal:o})))).flatMap(r=>r.records)}var wg=20,Tg={queued:"plain",running:"plain",finished:"good",stopped:"warn",failed:"bad"};function Pr({status:e}){return s`<${_} tone=${Tg[e]}>${e}<//>`}function uu({open:e,changed:t,onOpen:o}){let{items:n,isLoaded:r,more:a,next:i,restart:l,task:c}=Ye(async(d,u)=>{let{runs:m,cursor:p}=await T.validationRuns({limit:wg,cursor:d,signal:u});return{items:m,cursor:p}});return v(()=>{t>0&&l()},[t,l]),s`
    <h2>Runs</h2>
    ${!r&&!c.error&&s`<${H} label="the runs" />`}
    ${c.error&&s`<${k} error=${c.error} onRetry=${i} />`}
    ${r&&n.length===0&&s`<small>No runs yet.</small>`}
    <ul class="val-runs">
      ${n.map(d=>s`
          <li key=${d.id}>
            <button type="button" aria-pressed=${d.id===e} onClick=${()=>o(d.id)}>
              <span class="row spread"><${Pr} status=${d.status} /><small><${j} at=${d.created_at} /></small></span>
              <span>${d.suite}${d.repeats>1&&` × ${d.repeats}`} · ${Sg(d)}</span>
              <small class="number">${kg(d)}</small>
            </button>
          </li>
        `)}
    </ul>
    <div class="row">
      ${a&&!c.busy&&s`<button type="button" onClick=${i}>Show older runs</button>`}
      ${c.busy&&r&&s`<${M} label="Loading runs" since=${c.since} />`}
    </div>
  `}function kg({passed:e,failed:t,total:o}){let n=e+t;return n===0?`at most ${g(o,"chat")}`:`${y(e)} of ${y(n)} passed`}function Sg({models:e}){return e.length<=2?e.map(({model:t})=>t).join(", "):g(e.length,"model")}var xg=100,Cg=3e4;function mu({id:e,operator:t,onStatus:o,onClose:n}){let{run:r,latest:a,error:i,advancedAt:l,retry:c}=cu(e,o),d=V(()=>performance.now(),[]);return s`
    <${kt} title=${r?`Run of ${r.suite}${r.repeats>1?` × ${r.repeats}`:""}`:"Run"} reveal onClose=${n}>
      ${!r&&!i&&s`<${M} label="Loading the run" since=${d} />`}
      ${r&&s`<${Eg} run=${r} operator=${t} advancedAt=${l} onChanged=${c} />`}
      ${i&&s`<${k} error=${i} onRetry=${c} />`}
      ${r&&s`<${Ag} run=${r} />`}
      ${r&&Ae(r)&&s`<${Og} run=${r} />`}
      ${r&&!Ae(r)&&s`<h3>Latest verdicts</h3>
          <div class="val-scroll" tabindex="0" role="region" aria-label="Latest verdicts">
            ${a.length===0?s`<p>No verdicts yet.</p>`:s`<${Nr} verdicts=${a} label="Latest verdicts" models />`}
          </div>`}
    <//>
  `}function Eg({run:e,operator:t,advancedAt:o,onChanged:n}){let r=q(),a=V(()=>performance.now()-(Date.now()-Date.parse(e.created_at)),[e.created_at]),i=!Ae(e)&&performance.now()-o>Cg,l=d=>r.run(async u=>{await d(e.id),u.aborted||n()}),c=[g(e.calls,"chat"),g(e.tokens,"token"),e.cost_usd>0&&oe(e.cost_usd),e.finished_at&&R(Date.parse(e.finished_at)-Date.parse(e.created_at))].filter(Boolean);return s`
    <div class="row">
      <span role="status"><${Pr} status=${e.status} />${Ae(e)&&` ${du(e)}`}</span>
      ${!Ae(e)&&s`<${M} label="" since=${a} /> ${t&&s`<button type="button" disabled=${r.busy} onClick=${()=>l(T.stopValidation)}>Stop</button>`}`}
    </div>
    ${e.reason&&s`<p>${e.reason}</p>`}
    <div>
      <progress class="val-progress" max=${e.total} value=${e.done} aria-label="Progress of the run"></progress>
      <small>${y(e.done)} of ${g(e.total,"verdict")}${!Ae(e)&&`: ${du(e)}`} · ${c.join(" · ")}</small>
    </div>
    ${i&&s`<div class="notice row">
        No new verdicts for 30 seconds. Resume the run to repeat cases with lost messages; existing verdicts are kept.
        ${t&&s`<button type="button" disabled=${r.busy} onClick=${()=>l(T.resumeValidation)}>Resume</button>`}
      </div>`}
    ${r.error&&s`<${k} error=${r.error} />`}
  `}function du({passed:e,failed:t,errors:o,skipped:n}){let r=[`${y(e)} passed`,`${y(t)} failed`];return o>0&&r.push(g(o,"error")),n>0&&r.push(`${y(n)} skipped`),r.join(", ")}var Rg={passes:"✓ decided: passes",fails:"✕ decided: fails"};function Ag({run:e}){let t=e.total/e.models.length;return s`
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
                <th scope="row" class="val-model">${o}${n&&s` <${W} />`}${c&&s`<div><small>${Rg[c]}</small></div>`}</th>
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
  `}function Og({run:e}){let[t,o]=$(e.failed+e.errors>0),n=Ye(async(r,a)=>{let{verdicts:i,cursor:l}=await T.validationRun(e.id,{limit:xg,cursor:r,signal:a});return{items:i,cursor:l}},[e.id]);return s`
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
  `}function mn(e,{replace:t=!0}={}){let o=ke();o.view==="validation"&&I("validation",{...o.params,...e},{replace:t})}function Mg(e){mn({models:e}),document.getElementById(xr)?.focus()}function fu({route:{params:e}}){let t=ae(p=>T.statuses(p)),o=ae(p=>T.suites(p)),n=Ie(),r=X(),[a,i]=$(0),l=t.data?.validations.filter(p=>p.tested||p.errors>0)??[],c=p=>{i(f=>f+1),Ae(p)&&(t.reload(),n.reload())},d=p=>mn({run:p},{replace:!1}),m=s`
    ${r?s`<${Wc} params=${e} change=${mn} suites=${o} models=${n} statuses=${l} onStarted=${p=>{i(f=>f+1),d(p.id)}} />`:s`<p class="notice">Starting a run requires a token with the role <strong>operator</strong>.</p>`}
    <${uu} open=${e.run??""} changed=${a} onOpen=${d} />
  `;return s`
    <${de} title="Validation" controls=${m}>
      ${e.run&&s`<${mu} key=${e.run} id=${e.run} operator=${r} onStatus=${c} onClose=${()=>d("")} />`}
      <${lu} params=${e} change=${mn} statuses=${t} rows=${l} models=${n} onFill=${r?Mg:void 0} />
    <//>
  `}var Ig={"tools-testing":cc,chat:Za,validation:fu,traces:Tc,runs:Ml,usage:Dc,retrieval:Ji,configuration:Si};function pu({route:e}){return s`<${Ig[e.view]} route=${e} />`}function $u(){let e=cs(),t=le(),o=w(t!==""),[n,r]=$(t===""),[a,i]=$(!1);return o.current||=t!=="",v(uo,[]),v(()=>{let l=Ot.find(c=>c.name===e.view)?.title??"Trace";document.title=`${l} · Flexchat`},[e.view]),v(()=>{t===""&&r(!0)},[t]),ie([{keys:"?",label:"Show keyboard shortcuts",run:()=>i(!0)}]),s`
    <a class="skip" href="#main">Skip to content</a>
    <${ws} route=${e} onToken=${()=>r(!0)} onHelp=${()=>i(!0)} />
    <main id="main" tabindex="-1">
      ${o.current&&s`<${pu} key=${e.view} route=${e} />`}
    </main>
    <${Ss} open=${n} needed=${t===""} onClose=${()=>r(!1)} />
    <${Me} title="Keyboard shortcuts" open=${a} onClose=${()=>i(!1)}>
      <dl class="keys">
        ${En().map(({keys:l,label:c})=>s`
            <dt><kbd>${be(l)}</kbd></dt>
            <dd>${c}</dd>
          `)}
        <dt><kbd>Tab</kbd></dt>
        <dd>Move to the next control</dd>
      </dl>
    <//>
  `}for(let e of document.querySelectorAll("link"))e.setAttribute("href",e.href);vn(s`<${$u} />`,document.getElementById("app"));
