import{a as h}from"./chunk-G55O2NF3.js";import{K as V,L as D,O as q,a as v,b as s,c,e as T,i as n,j as S,k as E,l as x,m as I,n as g,o as p,q as C,r as A,s as L,u as y,v as d,w as H,x as f,z as K}from"./chunk-TPKBOS6B.js";var B="flexchat.theme",F=matchMedia("(prefers-color-scheme: dark)");function w(){let e=localStorage.getItem(B);return e==="light"||e==="dark"?e:F.matches?"dark":"light"}function P(e){localStorage.setItem(B,e),$()}function $(){document.documentElement.dataset.theme=w()}F.addEventListener("change",$);var Y=3e4;function O({place:e,onToken:o,onHelp:r}){let a=d();return n`
    <header class="frame">
      <a class="brand" href=${I.href} onClick=${t=>M(t,"tools-testing")}>
        Flexchat ${g&&n`<small>stage ${g}</small>`}
      </a>
      <nav aria-label="Views">
        ${p.map(({name:t,title:l})=>n`
            <a
              href=${C(t)}
              aria-current=${t===e.view?"page":void 0}
              onClick=${u=>M(u,t)}
              >${l}</a
            >
          `)}
      </nav>
      <div class="frame-state">
        <${z} />
        <button type="button" class="quiet" onClick=${o}>${a?"token":"no token"} ▾</button>
        <${j} />
        <button type="button" class="quiet" aria-label="List the keys" title="List the keys (?)" onClick=${r}>?</button>
      </div>
    </header>
  `}function M(e,o){e.metaKey||e.ctrlKey||e.shiftKey||e.button!==0||(e.preventDefault(),A(o))}function j(){let[e,o]=s(w),r=e==="dark"?"light":"dark",a=()=>{P(r),o(r)},t=`Change to the ${r} theme`;return n`<button type="button" class="quiet" aria-label=${t} title=${t} onClick=${a}>◐</button>`}function z(){let[e,o]=s("unknown");c(()=>{let t=()=>{document.hidden||f.health().then(()=>o("healthy"),()=>o("unreachable"))};t();let l=setInterval(t,Y);return document.addEventListener("visibilitychange",t),()=>{clearInterval(l),document.removeEventListener("visibilitychange",t)}},[]);let r={unknown:"○",healthy:"●",unreachable:"▲"}[e],a={unknown:"plain",healthy:"good",unreachable:"bad"}[e];return n`<span class="health" data-tone=${a} role="status">
    <span aria-hidden="true">${r}</span> ${e==="unknown"?"asking":e}
  </span>`}function R({open:e,needed:o,onClose:r}){let[a,t]=s(""),[l,u]=s(!1),i=K(),m=k=>{k.preventDefault();let b=a.trim();b===""||i.busy||i.run(async G=>{await f.toolsFor(b,G),y(b,{keep:l}),t(""),r()})},_=()=>{y(""),t("")};return n`
    <${h} title="API token" open=${e} onClose=${o?void 0:r}>
      <form class="stack" onSubmit=${m}>
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
            aria-invalid=${i.error?"true":void 0}
            aria-describedby=${i.error?"token-problem":void 0}
            value=${a}
            onInput=${k=>t(k.currentTarget.value)}
          />
        </label>
        <label class="check">
          <input type="checkbox" checked=${l} onChange=${()=>u(!l)} />
          Keep it until this tab is closed (else a reload asks again)
        </label>
        ${i.error&&n`<p id="token-problem" class="problem-text" role="alert">${J(i.error)}</p>`}
        <div class="row">
          <button type="submit" class="primary" disabled=${i.busy}>Use this token</button>
          ${!o&&n`<button type="button" onClick=${_}>Forget the one in use</button>`}
          ${i.busy&&n`<${V} what="asking whether it is admitted" since=${i.since} />`}
        </div>
      </form>
    <//>
  `}function J(e){return e.kind==="token"?`The service does not admit this token: ${e.message}.`:e.message}var N={"tools-testing":()=>import("./views/tools-testing/view.js"),chat:()=>import("./views/chat/view.js"),validation:()=>import("./views/validation/view.js"),retrieval:()=>import("./views/retrieval/view.js"),configuration:()=>import("./views/configuration/view.js")};function U({place:e}){let[o,r]=s(void 0),[a,t]=s(void 0);return c(()=>{N[e.view]().then(l=>r(()=>l.View),()=>t(new H("offline","This view could not be loaded. Check that the stack runs, then load the page again.")))},[e.view]),a?n`<${q} error=${a} onRetry=${()=>location.reload()} retry="Load the page again" />`:o?n`<${o} place=${e} />`:n`<${D} lines=${6} what="the view" />`}function W(){let e=L(),o=d(),r=T(o!==""),[a,t]=s(o===""),[l,u]=s(!1);return r.current||=o!=="",c($,[]),c(()=>{let i=p.find(m=>m.name===e.view)?.title;document.title=`${i} · Flexchat`},[e.view]),c(()=>{o===""&&t(!0)},[o]),E([{keys:"?",label:"list the keys",run:()=>u(!0)}]),n`
    <a class="skip" href="#main">Skip to what this view shows</a>
    <${O} place=${e} onToken=${()=>t(!0)} onHelp=${()=>u(!0)} />
    <main id="main" tabindex="-1">
      ${r.current&&n`<${U} key=${e.view} place=${e} />`}
    </main>
    <${R} open=${a} needed=${o===""} onClose=${()=>t(!1)} />
    <${h} title="Keys" open=${l} onClose=${()=>u(!1)}>
      <dl class="keys">
        ${S().map(({keys:i,label:m})=>n`
            <dt><kbd>${x(i)}</kbd></dt>
            <dd>${m}</dd>
          `)}
        <dt><kbd>Tab</kbd></dt>
        <dd>go on to the next thing that can be used</dd>
      </dl>
    <//>
  `}v(n`<${W} />`,document.getElementById("app"));
