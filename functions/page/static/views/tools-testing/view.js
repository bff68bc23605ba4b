import{a as V}from"../../chunk-G55O2NF3.js";import{a as ct,b as ut}from"../../chunk-QN3JBEPQ.js";import{a as mt,b as ft}from"../../chunk-7TNOSOH5.js";import{b as it,c as at,d as y,e as C,i as lt}from"../../chunk-YONK37O3.js";import{b as E}from"../../chunk-KQCX27CS.js";import{a as dt}from"../../chunk-LG2AI6F2.js";import{a as tt,b as et,d as ot,e as A,g as nt,h as rt,j as st}from"../../chunk-MDRXFZHG.js";import{B as $,C as w,D as X,F as Y,K as v,L as K,M as Z,N as L,O as T,b as f,c as P,d as H,e as h,g as D,h as O,i as s,k as z,l as F,m as J,r as U,w as G,x as g,y as Q,z as _}from"../../chunk-TPKBOS6B.js";function pt({models:t,value:e,onChange:o,label:r,id:n,problem:i=""}){let l=O(),[a,u]=f(void 0),c=a??(t.error!==void 0&&t.data===void 0),d=t.data?.models??[],p={id:n??l,value:e,required:!0,"aria-invalid":i?"true":void 0,"aria-describedby":`${l}-about`,onInput:m=>o(m.currentTarget.value.trim())};return s`
    <div class="model-picker stack">
      <div class="field">
        <div class="row spread">
          <label for=${p.id}>${r}</label>
          <button type="button" class="quiet" onClick=${()=>u(!c)}>
            ${c?"Choose from the list":"Type its id"}
          </button>
        </div>
        ${c?s`<${Ht} ...${p} />`:s`<${zt} ...${p} models=${d} loading=${t.loading} />`}
      </div>
      <div id=${`${l}-about`} class="stack">
        ${i&&s`<p class="problem-text">✕ ${i}</p>`}
        <${Ut} model=${d.find(m=>m.id===e)} />
      </div>
      <${jt} models=${t} />
    </div>
  `}function jt({models:{data:t,error:e,loading:o,reload:r}}){return o?s`<${Bt} />`:s`
    ${t?.errors.map(({llm:n,error:i})=>s`<p>! <code>${n}</code> could not be asked: ${i}</p>`)}
    ${e&&s`<p>! The models could not be listed: ${e.message}</p>
        <div class="row"><button type="button" onClick=${r}>List them again</button></div>`}
  `}function Bt(){let[t]=f(()=>performance.now());return s`<${v} what="asking for the models" since=${t} />`}function Ht(t){return s`<input type="text" placeholder="llm:model" spellcheck=${!1} autocapitalize="off" ...${t} />`}function zt({models:t,loading:e,...o}){let r=Object.entries(Object.groupBy(t,i=>i.llm)),n=o.value!==""&&!t.some(i=>i.id===o.value);return s`<select ...${o}>
    <option value="">-- Select Model --</option>
    ${n&&s`<option value=${o.value}>${o.value}${e?"":" · not listed"}</option>`}
    ${r.map(([i,l])=>s`
        <optgroup label=${i}>
          ${l?.map(a=>s`<option key=${a.id} value=${a.id}>${Jt(a)}</option>`)}
        </optgroup>
      `)}
  </select>`}function Jt({id:t,validation:{badge:e,rate:o}}){return e?`${t} ${e.symbol} ${o?rt(o):e.text}`:t}function Ut({model:t}){if(t===void 0)return null;let{badge:e,last_tested:o}=t.validation,r=Vt(t);return s`
    <p>
      <${st} validation=${t.validation} />
      ${e&&s` <small>${e.tooltip}</small>`}${o&&s` <small>(<${nt} at=${o} />)</small>`}
    </p>
    ${r&&s`<p class="notice">! ${r}</p>`}
  `}function Vt({capabilities:t,validation:e}){return t.includes("function-calling")?e.validated?"":`This model ${e.tested?"was tried with tools and is not validated":"was never tried with tools"}: check what it does before you rely on it.`:"This model is not known to call tools: it may answer without."}var $t=[{title:"Simple Tool Call",query:"What's the weather in Paris?",expected:"One call of the weather tool with Paris as the location, and an answer from its result."},{title:"Calculator",query:"Calculate 15% tip on $45",expected:"One call of the calculator, and the answer $6.75."},{title:"Direct Answer Test",query:"What's 2+2?",expected:"The answer 4, by the calculator or directly: both are right, and a direct answer is no tool call."},{title:"RAG Tool",query:"Search for Python decorators in the docs",expected:"One call of the search tool, and an answer from what it found or that it found nothing."}];var R="tt-model",S="tt-query",ht="Please enter a test query and select a model";function gt({model:t,query:e,missing:o,busy:r,onChange:n,onRun:i,onCancel:l}){let a=et();return s`
    <form class="stack" noValidate onSubmit=${c=>{c.preventDefault(),i()}}>
      <${pt}
        models=${a}
        value=${t}
        label="Model"
        id=${R}
        problem=${o==="model"?ht:""}
        onChange=${c=>n({model:c})}
      />
      <div class="field">
        <label for=${S}>Query</label>
        <textarea
          id=${S}
          required
          maxlength="32000"
          placeholder="e.g., What's the weather in Paris?"
          value=${e}
          aria-invalid=${o==="query"?"true":void 0}
          aria-describedby=${o==="query"?"tt-missing":void 0}
          onInput=${c=>n({query:c.currentTarget.value})}
        ></textarea>
        ${o==="query"&&s`<p id="tt-missing" class="problem-text">✕ ${ht}</p>`}
      </div>
      <div class="tt-examples" role="group" aria-label="Example Test Queries">
        ${$t.map(c=>s`
            <button type="button" onClick=${()=>n({query:c.query})}>
              <strong>${c.title}</strong>
              <span>${c.query}</span>
              <small>Expected: ${c.expected}</small>
            </button>
          `)}
      </div>
      <${Gt} busy=${r} onCancel=${l} />
      <small>Tests by hand are recorded in the model's history and do not count for its validation.</small>
    </form>
  `}function Gt({busy:t,onCancel:e}){let o=h(null),r=h(null),n=h(null);return H(()=>{let[i,l]=t?[o,r]:[r,o];n.current!==null&&n.current===i.current&&l.current?.focus()},[t]),n.current=document.activeElement,s`
    <div class="row">
      <button ref=${o} type="submit" class="primary" disabled=${t}>
        ${t?"Testing...":"Run"}
      </button>
      <button ref=${r} type="button" disabled=${!t} onClick=${e}>Cancel</button>
      <small>${F("mod+Enter")} runs, ${F("Escape")} cancels</small>
    </div>
  `}var Qt=300,Xt=2e3;function bt(t){let[e,o]=f(()=>yt(t)),r=h(W(e)),n=h(!1),i=W(yt(t));P(()=>{i!==r.current&&(r.current=i,o(JSON.parse(i)))},[i]);let l=D(c=>{let d=W(c);d!==r.current&&(r.current=d,U("tools-testing",JSON.parse(d),{replace:!n.current}),n.current=!1)},[]);P(()=>{let c=setTimeout(()=>l(e),Qt);return()=>clearTimeout(c)},[e,l]);let a=D(c=>o(d=>({...d,...c})),[]);return[e,a,()=>{l(e),n.current=!0}]}function yt({params:t}){return{model:t.model??"",query:t.query??""}}function W({model:t,query:e}){return JSON.stringify({model:t,query:e.length>Xt?"":e})}function q(t){let{tool_calls:e,timings:o,usage:r}=t,n=o.steps.filter(l=>l.step==="model").length,i=e.filter(l=>"error"in l.result).length;return[`${t.status==="partial"?"partly answered":"answered"} in ${X(o.total_ms)}`,w(n,"model call"),w(e.length,"tool")+(i>0?`, ${$(i)} failed`:""),w(r.total_tokens,"token"),...typeof r.cost_usd=="number"?[Y(r.cost_usd)]:[]].join(" · ")}function wt(t){let{error:e,fallback:o}=t;return[t.max_iterations_reached&&"Max iterations reached: the model wanted to call more tools than it may.",t.circular_calls_detected&&"Circular calls: the model asked for the same call again and again, and was stopped.",t.deadline_reached&&"Deadline reached: the model was asked for its answer without more tools, because time was short.",t.max_tool_calls_reached&&"Tool call limit reached: no more tools could be called in this chat.",t.status==="partial"&&`Partial answer: ${e?`${e.provider} failed (${y(e.type)}): ${e.message}`:"the time ran out"}.`,o&&`Another model answered instead of ${o.instead_of}: ${y(o.reason)}.`].filter(n=>typeof n=="string")}var Yt=300,Kt=128,Zt=20,te=4;function vt({calls:t}){let[e,o]=f(!1);if(t.length===0)return s`<section><h2>Tool Calls (0)</h2><p>The model called no tool.</p></section>`;let r=e?t:t.slice(0,Zt);return s`
    <section class="stack" aria-label="Tool calls">
      <h2>Tool Calls (${$(t.length)})</h2>
      <ol class="tt-calls">
        ${r.map(n=>s`<${ee} key=${`${n.iteration} ${n.call_id}`} call=${n} open=${t.length<=te} />`)}
      </ol>
      ${r.length<t.length&&s`<div><button type="button" onClick=${()=>o(!0)}>Show the other ${$(t.length-r.length)}</button></div>`}
    </section>
  `}function ee({call:t,open:e}){let o=it(void 0,t),[r,n]="error"in t.result?["Error",t.result]:["Result",t.result.result],i=s`<code>${C(t.tool,Kt)}(${C(oe(t),Yt)})</code>
    <${A} tone=${o.tone}>${o.word}<//>`;return s`
    <li>
      <${dt} summary=${i} open=${e}>
        <${E} value=${n} label=${r} />
      <//>
      <small class="number">Iteration: ${t.iteration} | Execution time: ${$(t.result.execution_time_ms)} ms</small>
    </li>
  `}function oe({params:t}){return typeof t=="string"?t:JSON.stringify(t)}function St(t,e){return[`curl -sS -X POST ${Tt(t)}`,'-H "Authorization: Bearer $FLEXCHAT_TOKEN"',"-H 'Content-Type: application/json'",`--data-raw ${Tt(JSON.stringify(e))}`].join(` \\
  `)}function Tt(t){return`'${t.replaceAll("'",String.raw`'\''`)}'`}var ne=60,re=1e3,se=10,Ct="No answer is prepared for these arguments.",j=t=>!("error"in t.result);function xt(t){return(t.normalize("NFKD").replaceAll(/\p{M}/gu,"").toLowerCase().match(/[a-z0-9]+/g)??[]).join("-").slice(0,ne).replace(/-$/,"")||"case"}function kt(t,e){if(t.length===0)return"irrelevance";let o=t.filter(j);return o.length<t.length?"error_recovery":new Set(o.map(r=>r.iteration)).size>1?"multi_turn":o.length>1?new Set(o.map(r=>r.tool)).size>1?"parallel_choice":"parallel":e>1?"choice":"single"}function Ot(t){let e=Map.groupBy(t.filter(j),r=>r.iteration),o=Math.min(se,t.length-t.filter(j).length);return e.size===0?t.length===0?{}:{any_call:!0,failed_calls:o}:{turns:[...e.values()].map(r=>({calls:r.map(({tool:n,params:i})=>({tool:n,arguments:ie(i)}))})),...o>0&&{failed_calls:o}}}function ie(t){return typeof t=="string"?{}:Object.fromEntries(Object.entries(t).map(([e,o])=>[e,[N(o)]]))}function N(t){return Array.isArray(t)?t.map(N):t===null||typeof t!="object"?t:Object.fromEntries(Object.entries(t).map(([e,o])=>[e,Array.isArray(o)?[N(o)]:N(o)]))}function _t(t,e){let o=e.filter(at);return t.map(({name:r,description:n,parameters:i})=>({name:r,description:n,parameters:i,implementation:ae(o.filter(l=>l.tool===r))}))}function ae(t){let e={type:"mock"},o=new Map;for(let{params:r,result:n}of t){if(typeof r=="string")continue;let i="error"in n?{error:le(n.error)}:{response:n.result};Object.keys(r).length>0?o.set(JSON.stringify(r),{when:r,...i}):"response"in i&&(e.mock_response=i.response)}return o.size>0&&(e.answers=[...o.values()].sort(ce)),"mock_response"in e||(e.error=Ct),e}function le(t){return t.slice(0,re)||Ct}function ce(t,e){return Object.keys(e.when??{}).length-Object.keys(t.when??{}).length}var ue=["single","choice","parallel","parallel_choice","irrelevance","multi_turn","error_recovery","types","clarification"],de="my-cases",me=String.raw`[a-z0-9][a-z0-9_.\-]{0,63}`,fe=String.raw`[a-zA-Z0-9][a-zA-Z0-9_.\-]{0,127}`;function At({draft:t,task:e,onChange:o,onSave:r}){let n=O(),l=Q(g.suites).data?.suites.filter(d=>!d.built_in)??[],a=pe(t.expect),u=d=>({id:`${n}-${d}`,"aria-describedby":`${n}-${d}-hint`,value:t[d],onInput:p=>o({...t,[d]:p.currentTarget.value})});return s`
    <form class="stack" onSubmit=${d=>{d.preventDefault(),a===""&&!e.busy&&r(t)}}>
      <${x} id=${`${n}-suite`} label="Suite" hint="One of yours, or a new name; what comes with Flexchat cannot be changed.">
        <input type="text" list=${`${n}-suites`} required pattern=${me} title="lower-case letters, digits, _ . -" placeholder=${l[0]?.name??de} ...${u("suite")} />
        <datalist id=${`${n}-suites`}>
          ${l.map(({name:d,cases:p})=>s`<option value=${d}>${w(p,"case")}</option>`)}
        </datalist>
      <//>
      <${x} id=${`${n}-id`} label="Case" hint="Its name in the suite.">
        <input type="text" required pattern=${fe} title="letters, digits, _ . -" ...${u("id")} />
      <//>
      <${x} id=${`${n}-category`} label="Category" hint="What it tries.">
        <select ...${u("category")}>
          ${ue.map(d=>s`<option value=${d}>${y(d)}</option>`)}
        </select>
      <//>
      <${x} id=${`${n}-offer`} label="Tools to offer" hint="They become mocks that answer as the tools did now.">
        <select ...${u("offer")}>
          <option value="all">all, as in this test</option>
          <option value="called">only those that were called</option>
        </select>
      <//>
      <${x} id=${`${n}-expect`} label="What is right" wrong=${a!==""} hint=${a?`✕ ${a}`:"JSON, drafted from the calls that were made."}>
        <textarea class="mono tt-expect" spellcheck=${!1} aria-invalid=${a?"true":void 0} ...${u("expect")}></textarea>
      <//>
      ${e.error&&s`<${T} error=${e.error} />`}
      <div class="row">
        <button type="submit" class="primary" disabled=${e.busy||a!==""}>Save</button>
        ${e.busy&&s`<${v} what="saving the case" since=${e.since} />`}
      </div>
    </form>
  `}function x({id:t,label:e,hint:o,wrong:r=!1,children:n}){return s`<div class="field">
    <label for=${t}>${e}</label>
    ${n}
    <small id=${`${t}-hint`} class=${r?"problem-text":""}>${o}</small>
  </div>`}function pe(t){try{return JSON.parse(t),""}catch(e){return`This is not JSON: ${e instanceof Error?e.message:String(e)}`}}function qt(t,e,o){let r=new Map(t.tools.map(n=>[n.name,n]));for(let n of o){let i=r.get(n.name);r.set(n.name,i?$e(i,Nt(n)):n)}return{...t,tools:[...r.values()],cases:[...t.cases,e]}}function $e(t,e){let o=Nt(t),r=new Set(o.map(Et)),n=e.filter(l=>!r.has(Et(l)));if(n.length===0)return t;let i=[...o,...n].sort((l,a)=>Rt(a)-Rt(l));return{...t,implementation:{...t.implementation,answers:i}}}function Nt({implementation:t}){let e=t.answers;return Array.isArray(e)?e:[]}function It(t){return t===null||typeof t!="object"||Array.isArray(t)?[]:Object.entries(t.when??{}).sort(([e],[o])=>e<o?-1:1)}function Et(t){return JSON.stringify(It(t))}function Rt(t){return It(t).length}var he=20;function Mt({asked:t,answer:e,tools:o}){let[r,n]=f(!1),[i,l]=f(void 0),[a,u]=f(""),c=_(),d=()=>{l(m=>m??ge(t,e,o)),u(""),n(!0)},p=m=>c.run(async b=>{let I=await be(m.suite,b),{added:M,mocks:k}=ye(m,t,e,o),Wt=qt(I,M,k);await g.putSuite(m.suite,Wt),u(`saved as ${m.id} in ${m.suite} ✓`),n(!1)});return s`
    <button type="button" onClick=${d} disabled=${o.length===0}>Save as validation case</button>
    <span role="status">${a}</span>
    <${V} title="Save as validation case" open=${r} onClose=${()=>n(!1)}>
      ${i&&s`<${At} draft=${i} task=${c} onChange=${l} onSave=${p} />`}
    <//>
  `}function ge({query:t},{tool_calls:e},o){let r=o.length<=he||e.length===0?"all":"called",n=r==="all"?o.length:Pt(o,e).length;return{suite:"",id:xt(t),category:kt(e,n),offer:r,expect:JSON.stringify(Ot(e),null,2)}}function Pt(t,e){return t.filter(o=>e.some(r=>r.tool===o.name))}function ye(t,e,{tool_calls:o},r){let n=_t(t.offer==="all"?r:Pt(r,o),o);return{added:{id:t.id,category:t.category,description:`As ${e.model} answered it.`,message:e.query,tools:n.map(l=>l.name),expect:JSON.parse(t.expect)},mocks:n}}async function be(t,e){try{return await g.suite(t,e)}catch(o){if(!(o instanceof G)||o.status!==404)throw o;return{name:t,description:"Cases saved from tests of tools.",tools:[],cases:[]}}}var we=300;function Dt({asked:t,answer:e,tools:o}){let[r,n]=f(-1),i=wt(e),l=lt(e.timings,e.tool_calls,r);return s`
    <div class="stack">
      <p class="tt-status">
        <${A} tone=${i.length>0?"warn":"good"}>${q(e)}<//>
      </p>
      <p class="tt-asked">${C(t.query,we)}</p>
      <${ve} answer=${e} />
      ${i.map(a=>s`<p class="notice"><span aria-hidden="true">⚠️</span> ${a}</p>`)}
    </div>
    <section class="stack" aria-label="Waterfall">
      <h2>Steps</h2>
      <${ut} timings=${e.timings} calls=${e.tool_calls} selected=${r} onSelect=${n} />
      ${l?s`<${ct} step=${l.step} call=${l.call} />`:s`<small>Choose a step to see all of it; arrow keys go through them.</small>`}
    </section>
    <section class="stack" aria-label="Final response">
      <h2>Final Response</h2>
      ${e.content===""?s`<p>The model answered nothing.</p>`:s`<div class="tt-answer"><${E} value=${e.content} label="Final response" /></div>`}
      <div class="row">
        <${L} text=${()=>St(new URL("api/tools/test",J).href,{...t})} label="Copy as curl" />
        <${Mt} asked=${t} answer=${e} tools=${o} />
      </div>
    </section>
    <${vt} calls=${e.tool_calls} />
  `}function ve({answer:t}){return s`
    <div class="row tt-facts">
      <span>Model: <strong>${t.model}</strong></span>
      <span>Service: <strong>${t.service}</strong></span>
      <span>Finish reason: <strong>${y(t.finish_reason)}</strong></span>
      <span>Request: <code>${t.request_id}</code> <${L} text=${t.request_id} label="Copy" /></span>
    </div>
  `}var Te=12,Se=matchMedia("(width >= 800px)");function Ft({tools:t}){let[e,o]=f(Se.matches),r=t.data&&t.data.tools.length+Lt(t.data).length;return s`
    <section aria-label="Available tools">
      <details class="fold" open=${e} onToggle=${n=>o(n.currentTarget.open)}>
        <summary><h2 class="tt-inline">Available Tools ${r!==void 0&&s`<small>${$(r)}</small>`}</h2></summary>
        ${t.error&&s`<${T} error=${t.error} onRetry=${t.reload} />`}
        ${!t.data&&t.loading&&s`<${K} lines=${6} what="the tools" />`}
        ${e&&t.data&&s`<${Ce} list=${t.data} />`}
      </details>
    </section>
  `}function Lt(t){return t.disabled.filter(e=>e.kind==="tool")}function Ce({list:t}){let[e,o]=f(""),r=Lt(t),n=t.tools.length+r.length;if(n===0)return s`<p>No tool is configured: the models answer without.</p>`;let i=e.trim().toLowerCase(),l=t.tools.filter(({name:u,description:c})=>`${u} ${c}`.toLowerCase().includes(i)),a=r.filter(({name:u})=>u.toLowerCase().includes(i));return s`
    ${n>Te&&s`<label class="field tt-filter">
        Filter
        <input type="search" value=${e} onInput=${u=>o(u.currentTarget.value)} />
        <small role="status">${i&&`${$(l.length+a.length)} of ${$(n)} shown`}</small>
      </label>`}
    <ul class="tool-cards">
      ${a.map(u=>s`<${ft} key=${`off ${u.name}`} tool=${u} />`)}
      ${l.map(u=>s`<${mt} key=${u.name} tool=${u} />`)}
    </ul>
  `}var xe={missing:"",turn:0,asked:void 0,answer:void 0},B=t=>document.getElementById(t)?.focus();function Zo({place:t}){let[e,o,r]=bt(t),[n,i]=f(xe),l=tt(),a=_(),u=m=>i(b=>({...b,...m})),c=()=>{if(a.busy)return;let m=Oe(e);if(u({missing:m}),m!=="")return B(m==="model"?R:S);r();let b={...e};a.run(async I=>{let M=await g.testTools(b,I);i(k=>({...k,asked:b,answer:M,turn:k.turn+1}))})},d=m=>{o(m),u({missing:""})};z([{keys:"/",label:"write the query",run:()=>B(S)},{keys:"mod+Enter",label:"run the test",run:c},{keys:"Escape",label:"cancel the test",run:a.cancel}]);let p=s`
    <${gt} ...${e} missing=${n.missing} busy=${a.busy} onChange=${d} onRun=${c} onCancel=${a.cancel} />
    <${Ft} tools=${l} />
  `;return s`
    <${ot} title="Tool Calling Testing" choose=${p}>
      <p class="hidden" role="status">${ke(a,n)}</p>
      ${a.busy&&s`<p><${v} what=${`asking ${e.model}`} since=${a.since} /></p>`}
      ${a.cancelled&&s`<p class="notice">! Cancelled. What the model had begun may still end, and cost tokens.</p>`}
      ${a.error&&s`<${T} error=${a.error} onRetry=${c} />`}
      ${n.answer&&(a.busy||a.error||a.cancelled)&&s`<h2>The test before</h2>`}
      ${n.answer&&n.asked&&s`<${Dt} key=${n.turn} asked=${n.asked} answer=${n.answer} tools=${l.data?.tools??[]} />`}
      ${!n.answer&&!a.busy&&!a.error&&s`<${_e} chosen=${e.model!==""} />`}
    <//>
  `}function ke(t,{answer:e}){return t.busy||t.error?"":t.cancelled?"The test is cancelled":e&&q(e)}function Oe({model:t,query:e}){return t===""?"model":e.trim()===""?"query":""}function _e({chosen:t}){return s`<${Z} title="See what a model does with the tools">
    <p>
      Choose a model, write a query or take one of the examples, and run it. You see every call of the model and of the
      tools on one time axis, with arguments, results and what it cost.
    </p>
    <p>
      <button type="button" onClick=${()=>B(t?S:R)}>
        ${t?"Write a query":"Choose a model"}
      </button>
    </p>
  <//>`}export{Zo as View};
