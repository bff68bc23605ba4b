import{a as ge,b as we}from"../../chunk-Y3SCSSPH.js";import{a as J,b as be}from"../../chunk-QN3JBEPQ.js";import{a as H,b as $e,d as P,e as pe}from"../../chunk-YONK37O3.js";import{a as he,b as Q}from"../../chunk-KQCX27CS.js";import{a as S}from"../../chunk-LG2AI6F2.js";import{c as me,d as fe,e as T,f as Y,g as W}from"../../chunk-MDRXFZHG.js";import{B as ce,C as v,D as C,F as ue,H as le,K as I,L as N,M as de,O as x,b as g,c as y,d as oe,e as h,f as D,g as w,h as re,i as r,k as se,l as V,p as ie,r as A,v as E,w as R,x as _,y as ae,z as M}from"../../chunk-TPKBOS6B.js";function ye({draft:e,busy:t,waits:n,since:o,hint:i,field:a,onWrite:s,onSend:c,onCancel:u}){return r`
    <form class="chat-composer" onSubmit=${l=>{l.preventDefault(),c()}}>
      <label>
        <span class="hidden">Message</span>
        <textarea
          ref=${a}
          rows="2"
          placeholder="Message"
          value=${e}
          onInput=${l=>s(l.currentTarget.value)}
        ></textarea>
      </label>
      <div class="row">
        <button type="submit" class="primary" disabled=${t||i!==""||e.trim()===""}>
          Send <span aria-hidden="true">${V("mod+Enter")}</span>
        </button>
        ${t&&r`<button type="button" onClick=${u}>
            Cancel <span aria-hidden="true">${V("Escape")}</span>
          </button>`}
        ${n&&r`<${I} what=${n} since=${o} />`}
        ${i&&r`<span class="problem-text">✕ ${i}</span>`}
      </div>
    </form>
  `}var ve={background:!1,explain:!1,seconds:"",intent:"",service:"",collections:[]},ke={background:900,waiting:28};function G({background:e}){return e?ke.background:ke.waiting}function F(e){if(e.seconds.trim()==="")return"";let t=Number(e.seconds);return t>=1&&t<=G(e)?"":`From 1 to ${G(e)} seconds${e.background?"":"; up to 900 in the background"}.`}function _e(e,t,n){let o=Object.fromEntries(Object.entries({intent:n.intent.trim(),service:n.service.trim()}).filter(([,i])=>i));return{message:e,session_id:t,...n.collections.length>0&&{selected_collections:[...n.collections]},...Object.keys(o).length>0&&{profile:o},...Se(n)}}function Te(e,t,n){return{resume_token:e,session_id:t,...Se(n)}}function Se(e){let t=e.seconds.trim();return{...t!==""&&{deadline_ms:Math.round(Number(t)*1e3)},...e.explain&&{explain:!0}}}function xe(e){return[e.background,e.explain,e.seconds.trim(),e.intent.trim(),e.service.trim()].filter(Boolean).length}var rt=200;function U(e){return e.title||"Untitled"}function Ce({session:e,open:t,onOpen:n,onRename:o,onDelete:i}){let[a,s]=g(""),c=M(),u=U(e),m=()=>{s(""),c.clear()},l=b=>{c.run(async()=>{await b(),m()})},d=b=>l(()=>o(e.id,b)),p=()=>l(()=>i(e.id));return r`
    <li class="chat-session" data-open=${t}>
      ${a==="renames"?r`<${it} title=${u} busy=${c.busy} onKeep=${m} onRename=${d} />`:r`<${st} session=${e} open=${t} onOpen=${n} onDo=${s} />`}
      ${a==="deletes"&&r`<${at} title=${u} busy=${c.busy} onKeep=${m} onDelete=${p} />`}
      ${c.error&&r`<${x} error=${c.error} />`}
    </li>
  `}function st({session:e,open:t,onOpen:n,onDo:o}){let i=U(e);return r`
    <div class="chat-session-row">
      <button type="button" class="quiet" aria-current=${t?"true":void 0} onClick=${()=>n(e.id)}>
        <span class="chat-title">${i}</span>
        <small><${W} at=${e.updated_at} /> · ${v(e.turns,"turn")}</small>
      </button>
      <button type="button" class="quiet" aria-label=${`Rename ${i}`} onClick=${()=>o("renames")}>✎</button>
      <button type="button" class="quiet" aria-label=${`Delete ${i}`} onClick=${()=>o("deletes")}>✕</button>
    </div>
  `}function it({title:e,busy:t,onKeep:n,onRename:o}){let i=h(null);return y(()=>i.current?.select(),[]),r`
    <form class="stack" onSubmit=${s=>{s.preventDefault();let c=i.current?.value.trim();c&&o(c)}} onKeyDown=${s=>Oe(s,n)}>
      <label class="field">
        Title
        <input ref=${i} defaultValue=${e} maxlength=${rt} required />
      </label>
      <div class="row">
        <button type="submit" disabled=${t}>Rename</button>
        <button type="button" onClick=${n}>Keep it</button>
      </div>
    </form>
  `}function at({title:e,busy:t,onKeep:n,onDelete:o}){let i=h(null);return y(()=>i.current?.focus(),[]),r`
    <div
      class="notice stack"
      role="group"
      aria-label=${`Delete ${e}`}
      onKeyDown=${a=>Oe(a,n)}
    >
      <p>! Delete this session with all its messages? They cannot be brought back.</p>
      <div class="row">
        <button type="button" disabled=${t} onClick=${o}>Delete</button>
        <button type="button" ref=${i} onClick=${n}>Keep it</button>
      </div>
    </div>
  `}function Oe(e,t){e.key==="Escape"&&(e.preventDefault(),t())}var ct={match:"good",partial:"warn",none:"plain"};function qe({rag:e}){let{documents:t,skipped:n,result:o}=e,i=r`
    ${v(t.length,"document")} ·
    ${" "}<${T} tone=${ct[o]}>${o==="none"?"no match":o}<//>
    ${n.length>0&&r` · <${T} tone="warn">${v(n.length,"collection")} skipped<//>`}
  `;return r`
    <${S} summary=${i}>
      ${t.length>0&&r`<${ut} documents=${t} />`}
      ${t.length===0&&r`<p>Nothing in the selected collections was near enough.</p>`}
      ${n.map(({collection:a,reason:s})=>r`<p>! <code>${a}</code> was skipped: ${s}</p>`)}
    <//>
  `}function ut({documents:e}){return r`
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
          ${e.map(t=>r`
              <tr>
                <td class="number">${le(t.distance)}</td>
                <td>${t.title}</td>
                <td>${t.source}</td>
                <td>${t.service}/${t.collection}</td>
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}function Ee({explain:e}){return r`
    <dl class="chat-facts">
      <dt>Topic</dt>
      <dd>${e.topic?r`<${lt} topic=${e.topic} />`:"not detected: the phase is off"}</dd>
      <dt>Intent</dt>
      <dd>${e.intent?r`<${dt} intent=${e.intent} />`:"not asked for: the phase is off"}</dd>
      <dt>History</dt>
      <dd>${v(e.history_messages,"message")}</dd>
    </dl>
    <h3>Profile</h3>
    <${Q} value=${e.profile} label="Profile" />
    <${ge} rules=${e.rules} />
    <${we} tools=${e.tools} />
    <h3>System prompt</h3>
    <${Q} value=${e.system_prompt} label="System prompt" />
  `}function lt({topic:e}){return r`${P(e.topic_status)}: ${e.topic_summary} <${Re} phase=${e} />`}function dt({intent:e}){return r`
    ${e.intent??"none"} (${P(e.source)})
    ${e.candidates.length>0&&r`<small>of ${e.candidates.join(", ")}</small>`}
    ${" "}<${Re} phase=${e} />
  `}function Re({phase:e}){return r`
    <small>${e.model&&`${e.model}, `}${C(e.duration_ms)}</small>
    ${e.error&&r` <${T} tone="bad">${e.error}<//>`}
  `}var mt=120;function Ie({calls:e,told:t}){let n=e.filter(o=>!o.result.success).length;return r`
    ${e.length>0&&r`<${S}
        summary=${r`
          ${v(e.length,"tool call")}
          ${n>0&&r` · <${T} tone="bad">${n} failed<//>`}
        `}
      >
        ${e.map(o=>r`<${ft} key=${`${o.iteration} ${o.call_id}`} call=${o} />`)}
      <//>`}
    ${t&&r`<${S} summary="Timeline"><${pt} told=${t} /><//>`}
    ${t?.rag&&r`<${qe} rag=${t.rag} />`}
    ${t?.explain&&r`<${S} summary="Why it was answered this way"><${Ee} explain=${t.explain} /><//>`}
  `}function ft({call:e}){let{tone:t,word:n}=$e(void 0,e),o=r`
    <code>${pe(`${e.tool}(${$t(e.params)})`,mt)}</code>
    ${" "}<${T} tone=${t}>${n}<//>
    ${" "}<small class="number">${C(e.result.execution_time_ms)}</small>
  `;return r`<${S} summary=${o}><${J} step=${void 0} call=${e} /><//>`}function $t(e){return typeof e=="string"?e:Object.entries(e).map(([t,n])=>`${t}: ${he(JSON.stringify(n))}`).join(", ")}function pt({told:e}){let[t,n]=g(-1),o=H(e.timings,e.tool_calls).find(i=>i.index===t);return r`
    <${be} timings=${e.timings} calls=${e.tool_calls} selected=${t} onSelect=${n} />
    ${o&&r`<${J} key=${t} step=${o.step} call=${o.call} />`}
  `}function Me({status:e,told:t,spent:n,onResume:o}){let i=t?gt(t):[],a=e==="partial";return i.length===0&&!a?null:r`
    <div class="notice stack">
      ${a&&r`<p><strong>! The answer is partial.</strong> ${bt(t)}</p>`}
      ${i.map(s=>r`<p>! ${s}</p>`)}
      ${a&&r`<${ht} told=${t} spent=${n} onResume=${o} />`}
    </div>
  `}function ht({told:e,spent:t,onResume:n}){return t?r`<p>What it goes on with was used: it is good for one answer. Send a new message instead.</p>`:e?e.resume_token?r`<div class="row">
    <button type="button" disabled=${!n} onClick=${n}>Go on</button>
    <small>within an hour; tools that have run are not run again</small>
  </div>`:r`<p>It could not be stored to go on from. Send a new message instead.</p>`:r`<p>Only the visit that got it can go on from it. Send a new message instead.</p>`}function bt(e){if(!e)return"Time or the model gave out before it was done.";let n=e.tool_calls.length>0?" What its tools found so far is below.":"";return e.error?`The model failed (${P(e.error.type)}): ${e.error.message}.${n}`:`Time was up before it was done.${n}`}function gt(e){let{fallback:t,session:n}=e;return[...O(t,()=>`${e.model} answered instead of ${t?.instead_of}: ${P(t?.reason??"")}.`),...O(e.deadline_reached,()=>"Time was short: the model was asked for its answer without more tools."),...O(e.max_iterations_reached,()=>"The limit on turns of tools was reached."),...O(e.max_tool_calls_reached,()=>"The limit on tool calls was reached: no more tools could be called."),...O(e.circular_calls_detected,()=>"The model repeated a call that it had the result of; it was not run again."),...O(e.finish_reason==="length",()=>"The model's limit of tokens cut the answer off."),...O(e.finish_reason==="content_filter",()=>"The provider's filter stopped the answer."),...O(e.finish_reason==="refusal",()=>"The model refused to answer."),...O(n?.saved===!1,()=>`This is not in the session: ${n?.problem??"it could not be written"}.`)]}function O(e,t){return e?[t()]:[]}var wt=2e4,yt=10;function De({turn:e,open:t,spent:n,onResume:o}){let{question:i,at:a,remarks:s,calls:c,answer:u,told:m}=e;return r`
    <article class="chat-turn" aria-label=${e.number?`Turn ${e.number}`:"Turn that is not in the session"}>
      ${i!==void 0&&r`<${X} text=${i} at=${a} />`}
      <div class="chat-answer">
        ${u&&r`<${kt} answer=${u} told=${m} />`}
        ${s.map(l=>r`<div class="chat-remark"><${z} text=${l} /></div>`)}
        ${u&&r`<${z} text=${u.content||"(an empty answer)"} />`}
        ${!u&&!t&&r`<p><${T} tone="warn">There is no answer to this message, or not yet.<//></p>`}
        <${Me} status=${u?.status??"complete"} told=${m} spent=${n} onResume=${o} />
        <${Ie} calls=${c} told=${m} />
      </div>
    </article>
  `}function X({text:e,at:t}){return r`
    <div class="chat-question">
      <div class="row spread">
        <strong>You</strong>
        ${t&&r`<small><${W} at=${t} /></small>`}
      </div>
      <${z} text=${e} />
    </div>
  `}function kt({answer:e,told:t}){let n=t?.usage.cost_usd;return r`
    <div class="row chat-head">
      <strong>${e.model}</strong>
      ${e.status==="complete"?r`<${T} tone="good">complete<//>`:r`<${T} tone="warn">partial<//>`}
      <${Y}>service ${e.service}<//>
      ${e.rule&&r`<${Y}>rule ${e.rule}<//>`}
      <small>
        <${W} at=${e.at} />
        ${t&&` · ${C(t.timings.total_ms)} · ${v(t.usage.total_tokens,"token")}`}
        ${typeof n=="number"&&` · ${ue(n)}`}
      </small>
    </div>
  `}function z({text:e}){let[t,n]=g(1),o=e.slice(0,wt*t),i=e.length-o.length;return r`
    <div class="chat-prose">${o}</div>
    ${i>0&&r`<button type="button" class="quiet" onClick=${()=>n(t*yt)}>
        Show more (${ce(i)} characters are left out)
      </button>`}
  `}var vt=160;function Ae(e,t,n){let o=h(null),i=h({session:"",first:"",end:""}),a=document.documentElement,s=t[0]?.key??"",c=`${t.length} ${t.at(-1)?.key} ${n}`,{current:u}=i,l=u.session===e&&u.first!==s&&t.some(({key:b})=>b===u.first)?o.current?.firstElementChild:void 0,d=l?.getBoundingClientRect().top??0,p=a.scrollHeight-a.scrollTop-a.clientHeight<vt;return oe(()=>{t.length!==0&&(i.current={session:e,first:s,end:c},l?a.scrollTop+=l.getBoundingClientRect().top-d:(u.session!==e||p&&u.end!==c)&&(a.scrollTop=a.scrollHeight))}),o}function Ne({session:e,turns:t,from:n,busy:o,used:i,earlier:a,onResume:s,children:c}){let u=Ae(e,t,o),m=h(s);m.current=s;let l=D(()=>{let d=t.at(-1);return t.map(p=>{let{told:b}=p;return r`
        <${De}
          key=${p.key}
          turn=${p}
          open=${o&&p===d}
          spent=${i.includes(b?.resume_token??"")}
          onResume=${b&&p===d&&!o?()=>m.current(b):void 0}
        />
      `})},[t,o,i]);return r`
    ${n>1&&r`<div class="row">
        <button type="button" disabled=${a.busy} onClick=${a.show}>Show earlier messages</button>
        ${a.busy&&r`<${I} what="reading earlier messages" since=${a.since} />`}
      </div>`}
    ${a.error&&r`<${x} error=${a.error} onRetry=${a.show} />`}
    <div class="chat-turns" ref=${u}>
      ${l} ${c}
    </div>
  `}function Pe(e,t){let n=[...Tt(e).values()].map(s=>St(s,t)),o=new Set(n.map(s=>s.answer?.requestId)),i=t.findLastIndex(({answer:s})=>o.has(s.request_id));return t.filter(({answer:s},c)=>!o.has(s.request_id)&&(c>i||s.session?.saved===!1)).reduce(_t,n)}function _t(e,t){let n=e.at(-1),o=n!==void 0&&!n.answer&&(t.question===""||t.question===n.question),i=e.find(m=>t.replaces&&m.answer?.requestId===t.replaces)??(o&&n),a=Ct(t);if(!i)return[...e,a];let{number:s,question:c,at:u}=i;return e.map(m=>m===i?{...a,number:s,question:c,at:u}:m)}function Tt(e){let t=new Map;for(let n of e){let o=t.get(n.turn);o?o.push(n):t.set(n.turn,[n])}return t}function St(e,t){let n=e.find(s=>s.role==="user"),o=e.find(s=>s.role==="assistant"&&s.service),i=e.filter(s=>s!==n&&s!==o),a=o&&xt(o);return{key:a?.requestId||`turn ${e[0]?.turn}`,number:e[0]?.turn,question:n?.content,at:e[0]?.at??"",remarks:i.map(s=>s.content).filter(s=>s.trim()!==""),calls:e.flatMap(s=>s.tool_calls),answer:a,told:t.find(s=>s.answer.request_id===a?.requestId)?.answer}}function xt(e){return{content:e.content,at:e.at,model:e.model??"",service:e.service??"",rule:e.rule??"",status:e.status??"complete",requestId:e.request_id??""}}function Ct({question:e,at:t,answer:n}){return{key:n.request_id,number:void 0,question:e||void 0,at:t,remarks:[],calls:n.tool_calls,answer:{content:n.content,at:t,model:n.model,service:n.service,rule:n.rule??"",status:n.status,requestId:n.request_id},told:n}}function Be(e,t,n){return[...e.filter(o=>o.turn<n),...t]}var Ot=3e3,qt=31e3;function We({run:e}){let t=h(performance.now()),n=e&&performance.now()-(Date.now()-new Date(e.created_at).getTime()),o=e?H({total_ms:0,steps:e.steps},[]):[];return r`
    <section class="chat-run stack" aria-label="Answer in the background">
      <${I} what=${Et(e)} since=${n===void 0?t.current:Math.min(n,performance.now())} />
      ${o.length>0&&r`<ol>
          ${o.map(i=>r`
              <li key=${i.index}>
                ${i.name} ${i.detail&&r`<small>${i.detail}</small>`}
                ${" "}<${T} tone=${i.told.tone}>${i.told.word}<//>
                ${i.step&&r` <small class="number">${C(i.step.duration_ms)}</small>`}
                ${i.told.reason&&r` <small>${i.told.reason}</small>`}
              </li>
            `)}
        </ol>`}
      <small>It goes on when this page is closed; its address brings it back, for a day.</small>
    </section>
  `}function Et(e){return e===void 0?"asking how far the answer is":e.status==="queued"?"waiting for its turn in the background":"being answered in the background"}function Le({open:e,onLook:t}){return y(()=>{if(!e)return;let n=setInterval(()=>!document.hidden&&t(),Ot),o=setTimeout(()=>clearInterval(n),qt);return()=>{clearInterval(n),clearTimeout(o)}},[e,t]),r`
    <div class="notice stack" role="status">
      <p>
        ! You stopped waiting; the service may still finish this answer, within half a minute, and keep it in the
        session.${e?" Until then the session takes no other message.":" Above is what the session has by now."}
      </p>
      ${e&&r`<div class="row"><button type="button" onClick=${t}>Look again</button></div>`}
    </div>
  `}function He({id:e,chat:t,conversation:n,options:o,onBegin:i}){let a=h(null),{task:s}=t,c=t.sent?.session===e?t.sent:void 0,u=F(o),m=()=>{!t.busy&&u===""&&t.draft.trim()!==""&&t.send()};return se([{keys:"/",label:"write a message",run:()=>a.current?.focus()},{keys:"mod+Enter",label:"send it",run:m},{keys:"Escape",label:"cancel what is being answered",run:()=>t.busy&&t.cancel()}]),r`
    <div class="chat">
      <${At} conversation=${n} />
      ${n.loading&&!(t.waiting&&c)&&r`<${N} lines=${8} what="the messages" />`}
      ${s.error?.kind!=="offline"&&r`<${Rt} conversation=${n} onBegin=${i} />`}
      ${e===""&&r`<${Nt} />`}
      <${It} id=${e} chat=${t} own=${c} conversation=${n} />
      <p class="hidden" role="status">${Bt(t)}</p>
      <${ye}
        draft=${t.draft}
        busy=${t.busy}
        waits=${s.busy?Pt(c):""}
        since=${s.since}
        hint=${u}
        field=${a}
        onWrite=${t.write}
        onSend=${m}
        onCancel=${t.cancel}
      />
    </div>
  `}function Rt({conversation:e,onBegin:t}){let{error:n,reload:o}=e;return n?Ge(e)?r`<${x} error=${n} onRetry=${t} retry="Begin a new chat" />`:r`<${x} error=${n} onRetry=${o} />`:null}function Ge(e){return e.error?.status===404}function It({id:e,chat:t,own:n,conversation:o}){let{task:i,followed:a}=t,{messages:s}=o,c=Ge(o),u=D(()=>{let p=t.told.filter(b=>b.session===e);return c?[]:Pe(s,p)},[s,t.told,e,c]),m=u.at(-1),l=a.active||i.busy&&n!==void 0,d=l&&t.waiting?Mt(n,m):"";return r`
    <${Ne}
      session=${e}
      turns=${u}
      from=${c?1:o.from}
      busy=${l}
      used=${t.used}
      earlier=${o.earlier}
      onResume=${t.resume}
    >
      ${d&&r`<${X} text=${d} at=${void 0} />`}
      ${a.active&&r`<${We} run=${a.run} />`}
    <//>
    <${Dt}
      chat=${t}
      own=${n!==void 0}
      open=${m?.answer===void 0}
      onLook=${o.reload}
    />
  `}function Mt(e,t){return t!==void 0&&t.answer===void 0&&t.question===e?.question?"":e?.question}function Dt({chat:e,own:t,open:n,onLook:o}){let{task:i,followed:a}=e,s=(t?i.error:void 0)??a.error;return r`
    ${i.cancelled&&t&&r`<${Le} open=${n} onLook=${o} />`}
    ${a.run?.status==="cancelled"&&r`<p class="notice">! This answer was cancelled; what it had is discarded.</p>`}
    ${s&&r`<${x} error=${s} onRetry=${a.active?a.retry:void 0} />`}
  `}function At({conversation:e}){let{session:t}=e;return t?r`
    <div>
      <h2>${U(t)}</h2>
      <small>${t.topic&&r`Topic: ${t.topic} · `}${v(t.turns,"turn")}</small>
    </div>
  `:r`<h2>${e.id?"Chat":"New chat"}</h2>`}function Nt(){return r`
    <${de} title="Talk to the service as an application does">
      <p>
        It remembers the conversation, chooses model and prompt by its rules, and calls tools. Under each answer stands
        who gave it and how it came about.
      </p>
      <p>Write a message below to begin a session, such as <q>What is 15% of 45?</q></p>
    <//>
  `}function Pt(e){return e===void 0?"waiting for the answer in another session":e.background?"handing the message over":"waiting for the answer"}function Bt({told:e,busy:t}){let n=e.at(-1)?.answer;if(t||!n)return"";let o=v(n.tool_calls.length,"tool call");return`${n.model} answered in ${C(n.timings.total_ms)}, ${o}`}function Ue({options:e,onChange:t}){let n=o=>()=>t({[o]:!e[o]});return r`
    <label class="check">
      <input type="checkbox" checked=${e.background} onChange=${n("background")} />
      Answer in the background, for up to 15 minutes
    </label>
    <label class="check">
      <input type="checkbox" checked=${e.explain} onChange=${n("explain")} />
      <span>Explain the answer <small>(for tokens with the role operator)</small></span>
    </label>
    <${Wt} options=${e} onChange=${t} />
    <${S} summary="More">
      <${Fe} label="Intent" name="intent" options=${e} onChange=${t} />
      <${Fe} label="Service" name="service" options=${e} onChange=${t} />
      <small>Fields of the profile that response rules match on.</small>
    <//>
  `}function Wt({options:e,onChange:t}){let n=re(),o=F(e);return r`
    <label class="field">
      Deadline in seconds
      <input
        type="number"
        inputmode="decimal"
        min="1"
        max=${G(e)}
        step="any"
        placeholder=${e.background?"600":"28"}
        aria-invalid=${o?"true":void 0}
        aria-describedby=${o?n:void 0}
        value=${e.seconds}
        onInput=${i=>t({seconds:i.currentTarget.value})}
      />
    </label>
    ${o&&r`<p id=${n} class="problem-text" role="alert">✕ ${o}</p>`}
  `}function Fe({label:e,name:t,options:n,onChange:o}){return r`
    <label class="field">
      ${e}
      <input
        value=${n[t]}
        spellcheck=${!1}
        autocomplete="off"
        onInput=${i=>o({[t]:i.currentTarget.value})}
      />
    </label>
  `}function je({options:e,onChange:t}){let{data:n,error:o,loading:i,reload:a}=me(),s=c=>e.collections.includes(c)?e.collections.filter(u=>u!==c):[...e.collections,c];return o?r`<${x} error=${o} onRetry=${a} />`:!n&&i?r`<${N} lines=${2} what="the collections" />`:n?.collections.length?r`
    <fieldset class="chat-collections">
      <legend>Search first in</legend>
      ${n.collections.map(({name:c,metadata:u,documents:m})=>r`
          <label class="check" key=${c}>
            <input
              type="checkbox"
              checked=${e.collections.includes(c)}
              onChange=${()=>t({collections:s(c)})}
            />
            <span>${u.display_name||c} <small>${v(m,"document")}</small></span>
          </label>
        `)}
    </fieldset>
  `:r`<small>There is no collection. The view Retrieval says how to fill one.</small>`}function Ke({sessions:e,open:t,onOpen:n,onDeleted:o}){let i=h(null),a=async s=>{await e.remove(s),i.current?.focus(),o(s)};return r`
    <div class="chat-sessions" tabindex="-1" ref=${i} role="region" aria-label="Sessions">
      ${e.error&&r`<${x} error=${e.error} onRetry=${e.reload} />`}
      ${!e.sessions&&e.loading&&r`<${N} lines=${4} what="your sessions" />`}
      ${e.sessions?.length===0&&r`<small>None yet: a session begins with its first message.</small>`}
      ${e.sessions&&e.sessions.length>0&&r`<ul>
          ${e.sessions.map(s=>r`
              <${Ce}
                key=${s.id}
                session=${s}
                open=${s.id===t}
                onOpen=${n}
                onRename=${e.rename}
                onDelete=${a}
              />
            `)}
        </ul>`}
      ${e.more&&r`<${Lt} loading=${e.loading} onMore=${e.showMore} />`}
    </div>
  `}function Lt({loading:e,onMore:t}){let n=h(0);return r`<div class="row">
    <button type="button" class="quiet" disabled=${e} onClick=${()=>{n.current=performance.now(),t()}}>Show more</button>
    ${e&&n.current>0&&r`<${I} what="asking for more sessions" since=${n.current} />`}
  </div>`}var Z={draft:"",sent:void 0,waiting:!1,used:[],told:[]};function Ve(e,t,n){let{sent:o}=e,i=o?.session===t&&e.waiting?o:void 0,a=e.told.find(u=>u.answer.request_id===i?.replaces),s=e.told.filter(u=>u!==a&&u.answer.request_id!==n.request_id),c=a?.question??i?.question??"";return{...e,waiting:i?!1:e.waiting,used:i?.token?[...e.used,i.token]:e.used,told:[...s,{session:t,question:c,at:new Date().toISOString(),replaces:i?.replaces??"",answer:n}]}}function j(e){if(!e.waiting)return e;let t=[e.sent?.question,e.draft].filter(Boolean).join(`

`);return{...e,waiting:!1,draft:t}}function Ye(e,t){return t?{...e,used:[...e.used,t]}:e}var Ht=500,Gt=2e3,Ft=1.4;function K({status:e}){return e==="queued"||e==="running"}function Ut(e){if(!e?.error)return;let{error:t,message:n,request_id:o,details:i}=e.error;return new R("failed",n,{code:t,requestId:o,details:i??[]})}function Qe(e){let t=E(),[n,o]=g({id:e,run:void 0,error:void 0}),[i,a]=g(0);y(()=>{if(e==="")return;let l=new AbortController;return o(d=>d.id===e?{...d,error:void 0}:{id:e,run:void 0,error:void 0}),jt(e,l.signal,d=>o(p=>({...p,error:void 0,...d}))),()=>l.abort()},[e,t,i]);let s=w(async()=>{try{let l=await _.cancelRun(e);o(d=>d.id===e?{...d,run:l}:d)}catch(l){if(!(l instanceof R))throw l;o(d=>d.id===e?{...d,error:l}:d)}},[e]),c=n.id===e?n:{id:e,run:void 0,error:void 0},{run:u}=c,m=c.error?.status===404||u!==void 0&&!K(u);return{...c,error:c.error??Ut(u),active:e!==""&&!m,cancel:s,retry:w(()=>a(l=>l+1),[])}}async function jt(e,t,n){for(let o=Ht;;o=Math.min(Gt,o*Ft)){if(await Vt(t),t.aborted)return;let i=await Kt(e,t,n);if(t.aborted||!i)return;await Yt(o,t)}}async function Kt(e,t,n){try{let o=await _.run(e,t);return n({run:o}),K(o)}catch(o){if(t.aborted)return!1;if(!(o instanceof R))throw o;return n({error:o}),o.kind==="offline"||o.kind==="failed"}}function Vt(e){return new Promise(t=>{if(!document.hidden||e.aborted)return t();document.addEventListener("visibilitychange",()=>t(),{once:!0,signal:e}),e.addEventListener("abort",()=>t(),{once:!0})})}function Yt(e,t){return new Promise(n=>{let o=setTimeout(n,e);t.addEventListener("abort",()=>(clearTimeout(o),n()),{once:!0})})}var Qt=12,Jt="resume_token_in_use";function Je(e,t,n){let o=E(),[i,a]=g(Z);y(()=>a(({draft:f})=>({...Z,draft:f})),[o]);let s=M(),c=Qe(t),u=h(new Set),m=w((f,$)=>{a(k=>Ve(k,f,$))},[]),{run:l}=c;y(()=>{l===void 0||K(l)||(l.answer?m(e,l.answer):a(f=>f.sent?.session===e?j(f):f))},[l,e,m]);let d=(f,$)=>{u.current.add(f.session),a(k=>({...k,sent:f,waiting:!0,draft:f.question?"":k.draft})),A("chat",{session:f.session},{replace:e!==""}),s.run(async k=>{try{if(f.background){let{id:q}=await _.startChat($,k);ie().params.session===f.session&&A("chat",{session:f.session,run:q},{replace:!0})}else m(f.session,await _.chat($,k))}catch(q){throw a(B=>zt(q)?Ye(j(B),f.token):j(B)),q}})},p=()=>{let f=e||Xt(),$=i.draft.trim(),{background:k}=n;d({session:f,question:$,background:k,replaces:"",token:""},_e($,f,n))},b=({request_id:f,resume_token:$})=>{if(!$)return;let{background:k}=n;d({session:e,question:"",background:k,replaces:f,token:$},Te($,e,n))};return{...i,task:s,followed:c,busy:s.busy||c.active,fresh:u.current.has(e)||t!=="",found:w(f=>{u.current.delete(f)},[]),write:w(f=>a($=>({...$,draft:f})),[]),send:p,resume:b,cancel:()=>s.busy?s.cancel():void c.cancel()}}function zt(e){return e instanceof R&&e.kind==="refused"&&e.code!==Jt}function Xt(){let e=crypto.getRandomValues(new Uint8Array(Qt));return Array.from(e,t=>t.toString(16).padStart(2,"0")).join("")}var ze=40,Zt=100,ee=e=>({id:e,session:void 0,messages:[],from:1});function Xe(e,{held:t,running:n,fresh:o}){let i=E(),[a,s]=g(()=>ee(e)),c=a.id===e?a:ee(e),u=h(c);u.current=c;let m=h(o);m.current=o;let l=M(),d=M(),{run:p,cancel:b}=l,f=w(()=>p(async q=>{e!==""&&s(await en(e,u.current,{fresh:m.current,signal:q}))}),[p,e]);y(()=>(t||f(),b),[f,b,t,n,i]);let $=d.run,k=w(()=>$(async q=>{let{from:B}=u.current,ne=Math.max(1,B-ze),ot=await Ze(e,ne,B,q);s(L=>L.id===e?{...L,messages:[...ot,...L.messages],from:ne}:L)}),[$,e]);return{...c,loading:e!==""&&l.busy&&c.session===void 0,error:l.error,reload:f,earlier:{busy:d.busy,since:d.since,error:d.error,show:k}}}async function en(e,t,{fresh:n,signal:o}){let i=await tn(e,n&&t.session===void 0,o);if(i===void 0)return ee(e);let a=Math.max(1,i.turns-ze+1),s=t.session?.created_at===i.created_at,c=s?Math.min(a,t.messages.at(-1)?.turn??a):a,u=await Ze(e,c,1/0,o);return{id:e,session:i,messages:s?Be(t.messages,u,c):u,from:s?Math.min(t.from,c):c}}async function tn(e,t,n){try{return await _.session(e,n)}catch(o){if(t&&o instanceof R&&o.status===404)return;throw o}}async function Ze(e,t,n,o){let i=[],a;do{let s=await _.messages(e,{limit:Zt,cursor:a,fromTurn:t,signal:o});i.push(...s.messages),a=s.cursor??void 0}while(a!==void 0&&(i.at(-1)?.turn??0)<n);return i.filter(s=>s.turn<n)}function et(e,{known:t,deleted:n,whole:o}){let i=e.at(-1),a=new Map(e.map(s=>[s.id,s]));for(let s of t.values()){let c=a.get(s.id);(c?s.updated_at>=c.updated_at:o||!i||s.updated_at>i.updated_at)&&a.set(s.id,s)}return[...a.values()].filter(s=>!n.has(s.id)).sort((s,c)=>+(s.updated_at<c.updated_at)-+(s.updated_at>c.updated_at))}var nn=20,tt=()=>({known:new Map,deleted:new Set,pages:1});function nt(){let e=E(),[t,n]=g(tt);y(()=>n(tt),[e]);let o=ae(l=>on(t.pages,l),[t.pages]),i=w(l=>{n(d=>({...d,known:new Map(d.known).set(l.id,l)}))},[]),a=w(async(l,d)=>i(await _.renameSession(l,d)),[i]),s=w(async l=>{await _.deleteSession(l),n(d=>({...d,deleted:new Set(d.deleted).add(l)}))},[]),c=w(()=>n(l=>({...l,pages:l.pages+1})),[]),{data:u}=o,m=D(()=>u&&et(u.sessions,{...t,whole:!u.cursor}),[u,t]);return{...o,sessions:m,more:!!u?.cursor,showMore:c,learn:i,rename:a,remove:s}}async function on(e,t){let n=[],o;for(let i=0;i<e;i+=1){let a=await _.sessions({limit:nn,cursor:o,signal:t});if(n.push(...a.sessions),o=a.cursor??void 0,o===void 0)break}return{sessions:n,cursor:o}}var te=matchMedia("(width >= 800px)");function gr({place:e}){let{session:t="",run:n=""}=e.params,[o,i]=g(ve),a=nt(),s=Je(t,n,o),c=Xe(t,{held:s.busy&&s.waiting&&s.sent?.session===t,running:s.followed.active,fresh:s.fresh}),{learn:u}=a,{found:m}=s;y(()=>{c.session&&(u(c.session),m(c.session.id))},[c.session,u,m]);let l=w($=>i(k=>({...k,...$})),[]),d=()=>A("chat"),p=xe(o),b=o.collections.length,f=r`
    <button type="button" onClick=${d}>New chat</button>
    <${S} open=${te.matches} summary=${r`<h2>Sessions</h2>`}>
      <${Ke}
        sessions=${a}
        open=${t}
        onOpen=${$=>$!==t&&A("chat",{session:$})}
        onDeleted=${$=>$===t&&d()}
      />
    <//>
    <${S}
      open=${te.matches}
      summary=${r`<h2>Collections</h2>${b>0&&r` <small>${b} chosen</small>`}`}
    >
      <${je} options=${o} onChange=${l} />
    <//>
    <${S}
      open=${te.matches}
      summary=${r`<h2>Options</h2>${p>0&&r` <small>${p} chosen</small>`}`}
    >
      <${Ue} options=${o} onChange=${l} />
    <//>
  `;return r`
    <${fe} title="Chat" choose=${f}>
      <${He} id=${t} chat=${s} conversation=${c} options=${o} onBegin=${d} />
    <//>
  `}export{gr as View};
