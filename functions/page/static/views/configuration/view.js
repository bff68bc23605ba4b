import{a as de,b as ue}from"../../chunk-Y3SCSSPH.js";import{a as ae,b as ce}from"../../chunk-7TNOSOH5.js";import{e as I,j as le}from"../../chunk-YONK37O3.js";import"../../chunk-KQCX27CS.js";import{a as ie}from"../../chunk-LG2AI6F2.js";import{a as ne,b as re,d as F,e as f,f as E,g as T,j as se}from"../../chunk-MDRXFZHG.js";import{B as y,C as b,D as C,F as te,H as oe,I as D,K as N,L as M,N as R,O as g,b as v,c as _,f as K,g as U,h as A,i as o,k as G,l as z,n as Q,r as O,u as X,v as Y,x,y as Z,z as ee}from"../../chunk-TPKBOS6B.js";var Ee={tone:"good",word:"live"},me={tone:"plain",word:"switched off"},L={tone:"bad",word:"not used"},Ie={tone:"warn",word:"has a problem"};function W({disabled:e,tools:t,tool_settings:{disabled_types:n}}){let r=new Set(e.map(({kind:l,name:i})=>`${l} ${i}`)),s=new Set(t.filter(({enabled:l,type:i})=>l===!1||i&&n.includes(i)).map(({name:l})=>l));return(l,{name:i,problems:d})=>l==="tool"&&s.has(i)?me:r.has(`${l} ${i}`)?L:d.length>0?Ie:Ee}function $e(e){let t=W(e),{rules:n,tools:r,llms:s,services:l,phases:i,validation:d}=e,u=[["rule",n],["tool",r],["llm",s],["service",l],["phase",Object.entries(i).map(([c,$])=>({name:c,problems:$?.problems??[]}))],["schedule",[{name:"validation",problems:d.problems}]]].flatMap(([c,$])=>$.filter(({problems:h})=>h.length>0).map(h=>({kind:c,name:h.name,problems:h.problems,state:t(c,h)}))),m=new Set(u.map(({kind:c,name:$})=>`${c} ${$}`));for(let{kind:c,name:$,problems:h}of e.disabled)m.has(`${c} ${$}`)||u.push({kind:c,name:$,problems:h,state:L});return u.filter(({state:c})=>c!==me).sort((c,$)=>+($.state===L)-+(c.state===L))}function B(e,t){let n=e.filter(({kind:r})=>t.includes(r)).length;return n>0?` ! ${n}`:""}function fe(e){return Object.entries(e).map(([t,n])=>{let r=typeof n=="string"?n:JSON.stringify(n);return t.endsWith("_regexp")?{field:t.slice(0,-7),relation:"matches",value:r}:t.endsWith("_contains")?{field:t.slice(0,-9),relation:"contains",value:r}:t==="rag_results"&&n==="any"?{field:t,relation:"is",value:"match or partial"}:{field:t,relation:"is",value:r}})}var pe=`flexchat tokens create --stage ${Q} --name "an operator" --role operator`;function he(){return o`
    <div class="notice stack" role="status">
      <h2>! This token may not see the configuration</h2>
      <p>Rules, services and settings are for tokens with the role <strong>operator</strong>. Whoever deploys makes one:</p>
      <p><code>${pe}</code></p>
      <div class="row">
        <${R} text=${pe} label="Copy the command" />
        <button type="button" onClick=${()=>X("")}>Enter another token</button>
      </div>
    </div>
  `}function be(){return o`
    <section class="stack" aria-label="Tools"><h2>Tools</h2><${Le} /></section>
    <section class="stack" aria-label="Models"><h2>Models</h2><${Pe} /></section>
  `}function Le(){let{data:e,error:t,reload:n}=ne(),r=e?.disabled.filter(({kind:s})=>s==="tool")??[];return t?o`<${g} error=${t} onRetry=${n} />`:e?e.tools.length+r.length===0?o`<p>No tool is configured: the models answer without.</p>`:o`
    <ul class="tool-cards">
      ${r.map(s=>o`<${ce} key=${`off ${s.name}`} tool=${s} />`)}
      ${e.tools.map(s=>o`<${ae} key=${s.name} tool=${s} />`)}
    </ul>
  `:o`<${M} lines=${6} what="the tools" />`}function Pe(){let{data:e,error:t,reload:n}=re(),[r]=v(()=>performance.now());return t?o`<${g} error=${t} onRetry=${n} />`:e?o`
    ${e.errors.map(({llm:s,error:l})=>o`<p>! <code>${s}</code> could not be asked: ${l}</p>`)}
    ${e.models.length===0?o`<p>No model is known.</p>`:o`<${Ae} models=${e.models} />`}
  `:o`<p><${N} what="asking the providers for their models" since=${r} /></p>`}function Ae({models:e}){return o`
    <div class="scroll" tabindex="0" role="region" aria-label="Models">
      <table>
        <caption>Models that may be asked</caption>
        <thead>
          <tr><th scope="col">Model</th><th scope="col">Provider</th><th scope="col">With tools</th><th scope="col">Last tested</th></tr>
        </thead>
        <tbody>
          ${e.map(({id:t,provider:n,validation:r})=>o`
              <tr>
                <th scope="row" class="mono">${t}</th>
                <td><${E}>${n}<//></td>
                <td><${se} validation=${r} /></td>
                <td>${r.last_tested?o`<${T} at=${r.last_tested} />`:"never"}</td>
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}var V="conf-intent";function ye({draft:e,problem:t,busy:n,intents:r,services:s,onDraft:l,onRun:i,onCancel:d}){let a=A(),u=c=>{c.preventDefault(),i()},m=c=>$=>l({[c]:$.currentTarget.value});return o`
    <form class="stack" onSubmit=${u}>
      <h2>Which rule would answer?</h2>
      <p>Write what a chat would know. What you leave out is as in a chat that found nothing. No model is asked.</p>
      <${J} id=${V} label="Intent" value=${e.intent} known=${r} onInput=${m("intent")} />
      <${J} label="Service" value=${e.service} known=${s} onInput=${m("service")} />
      <${J} label="Topic" value=${e.topic} known=${[]} onInput=${m("topic")} />
      <label class="field">
        Result of the search
        <select value=${e.rag_results} onChange=${m("rag_results")}>
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
          aria-describedby=${t?a:void 0}
          value=${e.more}
          onInput=${m("more")}
        ></textarea>
      </label>
      ${t&&o`<p id=${a} class="problem-text" role="alert">✕ ${t}</p>`}
      <div class="row">
        <button type="submit" class="primary" disabled=${n}>Try the rules <small class="conf-keys">${z("mod+Enter")}</small></button>
        ${n&&o`<button type="button" onClick=${d}>Cancel</button>`}
      </div>
    </form>
  `}function J({id:e,label:t,value:n,known:r,onInput:s}){let l=A();return o`
    <label class="field">
      ${t}
      <input id=${e} value=${n} list=${l} spellcheck=${!1} autocomplete="off" onInput=${s} />
    </label>
    <datalist id=${l}>${r.map(i=>o`<option value=${i}></option>`)}</datalist>
  `}var ge="flexchat config check";function ve({configuration:e,faulty:t,loading:n,onReload:r}){let{stage:s,version:l,revision:i,changed_at:d,read_at:a}=e;return o`
    <section class="stack" aria-label="What is live">
      <div class="row spread">
        <h2>What is live</h2>
        <button type="button" class="quiet" disabled=${n} onClick=${r}>Read it again</button>
      </div>
      <p role="status">
        ${t.length===0?o`<${f} tone="good">Everything that is configured can be used.<//>`:o`<${f} tone="bad">${b(t.length,"problem")}<//>`}
      </p>
      <dl class="conf-facts">
        <dt>Stage</dt>
        <dd>${s}</dd>
        <dt>Version</dt>
        <dd><code>${l}</code>${typeof i=="number"&&`, revision ${i}`}</dd>
        ${d&&o`<dt>Changed</dt><dd><${T} at=${d} /> <small>${D(d)}</small></dd>`}
        ${a&&o`<dt>Read</dt><dd><${T} at=${a} /> <small>${D(a)}</small></dd>`}
      </dl>
      ${t.length>0&&o`<${De} faulty=${t} />`}
    </section>
  `}function De({faulty:e}){return o`
    <ul class="conf-problems" aria-label="Problems">
      ${e.map(({kind:t,name:n,problems:r,state:s})=>o`
          <li data-tone=${s.tone}>
            <span class="row"><${E}>${t}<//> <strong>${n}</strong> <${f} tone=${s.tone}>${s.word}<//></span>
            <ul>${r.map(l=>o`<li>${l}</li>`)}</ul>
          </li>
        `)}
    </ul>
    <p>
      Correct the file and push it again; <code>${ge}</code> tells what is wrong with a file.
      <${R} text=${ge} label="Copy the command" />
    </p>
  `}var Fe=300;function we({match:{busy:e,since:t,error:n,cancelled:r,asked:s,matched:l,match:i},onClose:d}){return o`
    <section class="conf-match stack" aria-label="The rule for this profile">
      <div class="row spread">
        <h2>The rule for this profile</h2>
        <button type="button" class="quiet" onClick=${d}>Close</button>
      </div>
      <p><code>${I(s,Fe)}</code></p>
      ${e&&o`<p><${N} what="trying the rules" since=${t} /></p>`}
      ${n&&o`<${g} error=${n} onRetry=${i} />`}
      ${r&&o`<div class="notice stack" role="status">
          <p>! Cancelled.</p>
          <div class="row"><button type="button" onClick=${i}>Try the rules again</button></div>
        </div>`}
      <div role="status">${l&&o`<${We} answer=${l.answer} />`}</div>
      ${l&&o`<${Be} key=${l.asked} answer=${l.answer} />`}
    </section>
  `}function We({answer:{rule:e,llm:t,model:n,fallback:r,problem:s}}){return o`
    ${e&&o`<p class="conf-verdict">
        <${f} tone=${s?"warn":"good"}>Rule <strong>${e}</strong> ${s?"matches":"answers"}<//>, by <code>${t}:${n}</code>
      </p>`}
    ${r&&o`<p><${f} tone="warn">instead of<//> <code>${r.instead_of}</code>: ${r.reason}</p>`}
    ${s&&o`<p><${f} tone="bad">A chat would fail:<//> ${s}</p>`}
  `}function Be({answer:{rule:e,rules:t,tools:n}}){let r=n.filter(s=>s.offered).length;return o`
    <${de} rules=${t} />
    ${e&&o`<${ie} open summary=${`${r} of ${n.length} tools would be offered`}>
        <${ue} tools=${n} />
      <//>`}
  `}var Je=["intent","service","topic","rag_results"];function S({intent:e="",service:t="",topic:n="",rag_results:r="",more:s=""}){return{intent:e,service:t,topic:n,rag_results:r,more:s}}function ke(e){return e.tried==="yes"}function j(e,t){return{...e,...S({...t}),tried:t===void 0?"":"yes"}}function q(e){let{fields:t,problem:n}=Ve(e.more);if(t===void 0)return{profile:void 0,problem:n};let r={...t};for(let s of Je){let l=e[s].trim();if(l!==""){if(s in t)return{profile:void 0,problem:`“${s}” stands above as well: write it once.`};r[s]=l}}return{profile:r,problem:""}}function Ve(e){if(e.trim()==="")return{fields:{},problem:""};let t;try{t=JSON.parse(e)}catch(n){return{fields:void 0,problem:`This is not JSON yet: ${n instanceof Error?n.message:n}`}}return typeof t!="object"||t===null||Array.isArray(t)?{fields:void 0,problem:'An object of fields is wanted, such as {"plan": "free"}.'}:{fields:t,problem:""}}function w({caption:e,none:t,entries:n,columns:r,stateOf:s}){return n.length===0?o`<p>${t}</p>`:o`
    <div class="scroll" tabindex="0" role="region" aria-label=${e}>
      <table class="conf-table">
        <caption>${e}</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">State</th>
            ${r.map(({title:l,number:i})=>o`<th scope="col" class=${i&&"number"}>${l}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${n.map(l=>o`<${je} key=${l.name} entry=${l} columns=${r} state=${s(l)} />`)}
        </tbody>
      </table>
    </div>
  `}function je({entry:e,columns:t,state:n}){return o`
    <tr>
      <th scope="row">${e.name}</th>
      <td>
        <${f} tone=${n.tone}>${n.word}<//>
        ${e.problems.map(r=>o`<small class="conf-why">${r}</small>`)}
      </td>
      ${t.map(({number:r,cell:s})=>o`<td class=${r&&"number"}>${s(e)}</td>`)}
    </tr>
  `}function p({names:e,none:t=""}){return e.length===0?t:o`<span class="conf-names">${e.map(n=>o`<code>${n}</code>`)}</span>`}function P(e){return typeof e!="boolean"?"":e?"yes":"no"}function H(e){return typeof e=="number"?oe(e):""}var Te={caption:"Tools",none:"No tool is configured: the models answer without.",columns:[{title:"Type",cell:e=>e.type},{title:"Timeout",number:!0,cell:e=>e.timeout_ms?C(e.timeout_ms):""},{title:"Idempotent",cell:e=>P(e.idempotent)},{title:"Repeatable",cell:e=>P(e.repeatable)},{title:"Sequential",cell:e=>P(e.sequential)}]},Se={caption:"LLMs",none:"No LLM is configured: no chat can be answered.",columns:[{title:"Type",cell:e=>e.type},{title:"Where",cell:e=>e.host??e.region??(e.type?"the provider’s own address":"")},{title:"Key",cell:e=>P(e.has_key)},{title:"Models",cell:e=>o`<${p} names=${e.models} none=${e.type?"as the provider lists them":""} />`},{title:"Fallbacks",cell:e=>o`<${p} names=${e.fallbacks} none=${e.type?"none":""} />`}]},_e={caption:"Services, which are searched",none:"No service is configured: nothing is searched before a model is asked.",columns:[{title:"Type",cell:e=>e.type},{title:"Where",cell:e=>e.host??e.region??(e.type==="internal"?"this stack":"")},{title:"Collections",cell:e=>o`<${p} names=${e.collections} none=${e.type==="internal"?"all that are stored":""} />`},{title:"Match",number:!0,cell:e=>H(e.match_threshold)},{title:"Partial",number:!0,cell:e=>H(e.partial_threshold)},{title:"Farthest",number:!0,cell:e=>H(e.max_distance)},{title:"Passages",number:!0,cell:e=>e.top_k}]};var qe=300,He=[{title:"Answers when",cell:e=>o`<${Ke} rule=${e} />`},{title:"Model",cell:e=>o`<${Ue} rule=${e} />`},{title:"Tools",cell:e=>o`<${Ge} rule=${e} />`}];function Oe({rules:e,stateOf:t}){return o`<${w}
    caption="Rules, in the order in which they are tried"
    none="There is no rule: no chat can be answered."
    entries=${e}
    columns=${He}
    stateOf=${t}
  />`}function Ke({rule:{match:e,fallback:t}}){return t?"no other rule does":fe(e??{}).map(({field:n,relation:r,value:s},l)=>o`
      <div>${l>0&&"and "}<code>${n}</code> ${r} <code>${I(s,qe)}</code></div>
    `)}function Ue({rule:e}){return e.llm?o`
    <code>${e.llm}:${e.model}</code>
    ${e.fallbacks.length>0&&o`<div><small>then</small> <${p} names=${e.fallbacks} /></div>`}
    ${e.require_validated&&o`<div><small>only while validated</small></div>`}
  `:null}function Ge({rule:{llm:e,allowed_tools:t,max_iterations:n,max_tool_calls:r}}){return e?n?o`
    ${t===null?"all":o`<${p} names=${t} none="none" />`}
    <div><small>${b(n,"turn")} and ${b(r??0,"call")} at most</small></div>
  `:"none":null}function Ce({configuration:e}){let{tool_settings:t,phases:n,sessions:r,validation:s,caller_fields:l}=e;return o`
    <div class="conf-settings">
      <${k}
        title="Tools"
        facts=${[["Switched",t.enabled?"on":o`<${f} tone="warn">off: no model is offered any tool<//>`],["Turns of a chat",`${y(t.max_iterations)} unless the rule says otherwise`],["Calls of a turn",`${y(t.max_calls_per_turn)} unless the rule says otherwise`],["Calls of a chat",`${y(t.max_tool_calls)} unless the rule says otherwise`],["Timeout",`${C(t.default_timeout_ms)} unless the tool says otherwise`],["At the same time",b(t.max_parallel,"call")],["Types switched off",o`<${p} names=${t.disabled_types} none="none" />`]]}
      />
      <${k} title="Topic" facts=${xe(n.topic)} problems=${n.topic?.problems} />
      <${k} title="Intent" facts=${xe(n.intent)} problems=${n.intent?.problems} />
      <${k}
        title="Profile"
        facts=${[["Callers steer rules by",o`<${p} names=${l} none="no field" />`]]}
      />
      <${k}
        title="Sessions"
        facts=${[["Kept",`${b(r.ttl_days,"day")} after the last message`],["Sent to a model",`${b(r.max_history_tokens,"token")} of history at most`]]}
      />
      <${k} title="Scheduled validation" facts=${ze(s)} problems=${s.problems} />
    </div>
  `}function xe(e){return e?e.enabled?[["Detected","yes"],["Model",e.model&&o`<code>${e.model}</code>`],...e.intents.length>0?[["Intents",o`<${p} names=${e.intents} />`]]:[]]:[["Detected","no: switched off"]]:[["Detected","no: it has no section in the configuration"]]}function ze({models:e,suite:t,repeats:n,stop_early:r,budget:s}){let l=[typeof s.calls=="number"&&b(s.calls,"chat"),typeof s.tokens=="number"&&b(s.tokens,"token"),typeof s.usd=="number"&&te(s.usd)].filter(Boolean);return[["Models",o`<${p} names=${e} none="none: the schedule validates nothing" />`],["Suite",t],["Repeats",y(n)],["Stops early",r?"yes":"no"],["Budget",l.length>0?l.join(", "):"no limit"]]}function k({title:e,facts:t,problems:n=[]}){return o`
    <section class="stack" aria-label=${e}>
      <h3>${e}</h3>
      ${n.map(r=>o`<p><${f} tone="warn">${r}<//></p>`)}
      <dl class="conf-facts">
        ${t.map(([r,s])=>o`<dt>${r}</dt><dd>${s}</dd>`)}
      </dl>
    </section>
  `}function Ne({configuration:e,faulty:t,chosen:n,onChoose:r}){let{rules:s,tools:l,llms:i,services:d}=e,a=W(e),u=$=>h=>a($,h),m=($,h)=>`${y($.length)}${B(t,[h])}`,c=[{name:"Rules",note:m(s,"rule"),content:()=>o`<${Oe} rules=${s} stateOf=${u("rule")} />`},{name:"Tools",note:m(l,"tool"),content:()=>o`<${w} ...${Te} entries=${l} stateOf=${u("tool")} />`},{name:"LLMs",note:m(i,"llm"),content:()=>o`<${w} ...${Se} entries=${i} stateOf=${u("llm")} />`},{name:"Services",note:m(d,"service"),content:()=>o`<${w} ...${_e} entries=${d} stateOf=${u("service")} />`},{name:"Settings",note:B(t,["phase","schedule"]),content:()=>o`<${Ce} configuration=${e} />`}];return o`<${le} label="Parts of the configuration" tabs=${c} chosen=${n} onChoose=${r} />`}function Me(e){let t=Y(),n=ee(),{run:r,cancel:s,clear:l}=n,[i,d]=v(void 0),a=e===void 0?"":JSON.stringify(e),u=U(()=>r(async m=>{let c=await x.matchRule(JSON.parse(a),m);d({asked:a,answer:c})}),[r,a]);return _(()=>{if(a!==""){u();return}s(),l(),d(void 0)},[u,s,l,a,t]),{...n,match:u,asked:a,matched:n.busy||i?.asked===a?i:void 0}}var Re="Rules";function wo({place:{params:e}}){let t=Z(c=>x.configuration(c)),n=t.error?.kind==="forbidden",[r,s]=Xe(e),{profile:l,problem:i}=q(r),d=ke(e)&&!n?q(S(e)).profile:void 0,a=Me(d),u=()=>{l===void 0||a.busy||(JSON.stringify(l)===a.asked?a.match():O("configuration",j(e,r)))};if(G([{keys:"/",label:"write the intent",run:()=>document.getElementById(V)?.focus()},{keys:"mod+Enter",label:"try the rules",run:u},{keys:"Escape",label:"cancel the trial",run:a.cancel}]),n)return o`<${F} title="Configuration" choose=${o`<${he} />`}><${be} /><//>`;let m=o`<${ye}
    draft=${r}
    problem=${i}
    busy=${a.busy}
    intents=${t.data?.phases.intent?.intents??[]}
    services=${t.data?.services.map(({name:c})=>c)??[]}
    onDraft=${s}
    onRun=${u}
    onCancel=${a.cancel}
  />`;return o`
    <${F} title="Configuration" choose=${m}>
      ${d&&o`<${we} match=${a} onClose=${()=>O("configuration",j(e,void 0))} />`}
      ${t.error&&o`<${g} error=${t.error} onRetry=${t.reload} />`}
      ${!t.data&&!t.error&&o`<${M} lines=${8} what="the configuration" />`}
      ${t.data&&o`<${Qe} live=${t} data=${t.data} params=${e} />`}
    <//>
  `}function Qe({live:e,data:t,params:n}){let r=K(()=>$e(t),[t]),s=l=>O("configuration",{...n,tab:l===Re?"":l},{replace:!0});return o`
    <${ve} configuration=${t} faulty=${r} loading=${e.loading} onReload=${e.reload} />
    <${Ne} configuration=${t} faulty=${r} chosen=${n.tab||Re} onChoose=${s} />
  `}function Xe(e){let t=JSON.stringify(S(e)),[n,r]=v(()=>S(e));return _(()=>r(JSON.parse(t)),[t]),[n,s=>r(l=>({...l,...s}))]}export{wo as View};
