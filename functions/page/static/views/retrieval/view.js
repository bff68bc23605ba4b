import{b as Y}from"../../chunk-KQCX27CS.js";import{c as V,d as L,e as U,f as z,g as J}from"../../chunk-MDRXFZHG.js";import{C as S,D as W,G as X,H as g,K as q,L as N,M as P,N as Q,O as v,b as f,c as y,e as x,g as G,i as r,k as B,l as F,n as K,r as C,x as E,z as O}from"../../chunk-TPKBOS6B.js";function j(e){let t=V(),n=t.data?.collections,o=e||n?.[0]?.name||"",s=i=>n&&t.put({collections:n.map(a=>a.name===i.name?i:a)});return{loaded:t,chosen:o,collection:n?.find(({name:i})=>i===o),none:n?.length===0,waits:o===""&&t.loading,replace:s}}function w(e,t){return e===void 0?"none":e<t.match?"match":e<t.partial?"partial":"none"}function M(e){let t=Number(e?.trim()||NaN);return t>=0&&t<=2?t:void 0}function D(e,t){return e===void 0||t===void 0?void 0:{match:e,partial:Math.max(e,t)}}function Z({match:e,partial:t},n,o){return n==="match"?{match:o,partial:Math.max(o,t)}:{match:Math.min(o,e),partial:o}}function tt({match_threshold:e,partial_threshold:t},n){return D(e??n?.match,t??n?.partial)}function et({metadata:e,calibrated_passages:t}){if(typeof t=="number")return"told from its passages";let n=[e.match_threshold,e.partial_threshold].filter(o=>typeof o=="number");return n.length===2?"set by an operator":n.length===1?"one set by an operator, the other its service's":"its service's, it has none of its own"}function ot(e,{match:t,partial:n}){let o=Math.min(Math.min(...e)-.05,t),s=Math.max(Math.max(...e)+.05,n);return{low:Math.max(0,_(Math.floor(_(o/.05))*.05)),high:Math.min(2,_(Math.ceil(_(s/.05))*.05))}}function nt({low:e,high:t},n){return Math.min(100,Math.max(0,_((n-e)/(t-e)*100)))}function rt(e,{match:t,partial:n}){return JSON.stringify({rag_services:{docs:{type:"internal",collections:[e],match_threshold:t,partial_threshold:n}}},null,2)}function _(e){return Math.round(e*1e3)/1e3}var st=300;function at({loaded:e,chosen:t,onChoose:n}){let{data:o,error:s,reload:i}=e;return s&&!o?r`<${v} error=${s} onRetry=${i} />`:o?o.collections.length===0?r`<p><small>There is no collection to choose.</small></p>`:r`
    <fieldset class="ret-collections">
      <legend>Collection</legend>
      <div class="ret-cards">
        ${o.collections.map(a=>r`
            <${_t}
              key=${a.name}
              collection=${a}
              checked=${a.name===t}
              onChoose=${()=>n(a.name)}
            />
          `)}
      </div>
    </fieldset>
  `:r`<${N} lines=${4} what="the collections" />`}function _t({collection:e,checked:t,onChoose:n}){let{name:o,metadata:s,documents:i,passages:a,bytes:c,updated_at:l}=e,{match_threshold:m,partial_threshold:d,description:u,embedding_model:p}=s;return r`
    <label class="ret-card">
      <input type="radio" name="collection" value=${o} checked=${t} onChange=${n} />
      <span>
        <strong>${(s.display_name||o).slice(0,st)}</strong>
        ${s.display_name&&r` <code>${o}</code>`}
        ${u&&r`<small class="ret-line">${u.slice(0,st)}</small>`}
        <small class="ret-line">
          ${S(i,"document")} · ${S(a,"passage")} · ${X(c)} · <${J} at=${l} />
        </small>
        <small class="ret-line"><${z}>${p}<//> ${Mt(m,d)}${et(e)}</small>
      </span>
    </label>
  `}function Mt(e,t){return typeof e=="number"&&typeof t=="number"?`match < ${g(e)}, partial < ${g(t)}: `:"thresholds: "}function it({collection:e,thresholds:t,onChanged:n}){let o=O(),[s,i]=f(""),{metadata:a,name:c}=e,l=a.match_threshold===t.match&&a.partial_threshold===t.partial,d=(typeof a.match_threshold=="number"||typeof a.partial_threshold=="number")&&typeof e.calibrated_passages!="number",u=(p,$,h)=>{i(""),o.run(async()=>{let k=await E.changeCollection(c,{metadata:{match_threshold:p,partial_threshold:$}});i(`${h} ✓`),n(k,h)})};return r`
    <button type="button" disabled=${l||o.busy} onClick=${()=>u(t.match,t.partial,"kept")}>
      Keep these
    </button>
    ${d&&r`<button type="button" class="quiet" disabled=${o.busy} onClick=${()=>u(null,null,"told again")}>
        Have them told from the passages
      </button>`}
    ${o.busy&&r`<${q} what="changing the collection" since=${o.since} />`}
    <small role="status">${s}</small>
    ${o.error&&r`<${v} error=${o.error} />`}
  `}var Tt=5,ct=100;function T(e){let t=Math.floor(Number(e));return t>=1&&t<=ct?t:Tt}function lt({draft:e,busy:t,form:n,onDraft:o,onRun:s,onCancel:i}){return r`
    <form class="stack" ref=${n} onSubmit=${c=>{c.preventDefault(),s()}}>
      <label class="field">
        Test query
        <textarea
          class="ret-query"
          name="query"
          required
          maxlength="20000"
          placeholder="What somebody would ask"
          value=${e.query}
          onInput=${c=>o({query:c.currentTarget.value})}
        ></textarea>
      </label>
      <div class="row">
        <button type="submit" class="primary" disabled=${t}>Search <small class="ret-keys">${F("mod+Enter")}</small></button>
        ${t&&r`<button type="button" onClick=${i}>Cancel</button>`}
        <label class="check ret-top-k">
          Passages
          <input
            type="number"
            name="top_k"
            required
            min="1"
            max=${ct}
            value=${e.topK}
            onInput=${c=>o({topK:c.currentTarget.value})}
          />
        </label>
      </div>
    </form>
  `}var At={match:{tone:"good",sign:"✓"},partial:{tone:"warn",sign:"~"},none:{tone:"plain",sign:"·"}};function A({name:e}){return r`<${U} ...${At[e]}>${e}<//>`}var I=280,mt=300;function ut({hit:e}){let[t,n]=f(!1),o=e.title.slice(0,mt);return r`
    <div class="ret-passage">
      <strong>${o}</strong>
      <code>${e.source.slice(0,mt)}</code>
      ${t?r`<${Y} value=${e.text} label=${`Text of ${o}`} />`:r`<p>${Rt(e.text)}</p>`}
      <button type="button" class="quiet" aria-expanded=${t} onClick=${()=>n(!t)}>
        ${t?"Fold the text":"Show the text as it is"}
      </button>
    </div>
  `}function Rt(e){let t=e.slice(0,2*I).replace(/\s+/g," ").trim();return t.length>I||e.length>2*I?`${t.slice(0,I)} …`:t}function pt({hits:e,thresholds:t,scale:n}){return r`
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
        ${e.map((o,s)=>{let i=w(o.distance,t);return r`
            <tr key=${o.id} data-class=${i}>
              <td class="number ret-rank">${s+1}</td>
              <td class="number">
                ${g(o.distance)}
                <${Et} distance=${o.distance} thresholds=${t} scale=${n} />
              </td>
              <td><${A} name=${i} /></td>
              <td><${ut} hit=${o} /></td>
            </tr>
          `})}
      </tbody>
    </table>
  `}function Et({distance:e,thresholds:t,scale:n}){let o=s=>`${nt(n,s)}%`;return r`<span class="ret-bar" aria-hidden="true">
    <span style=${{width:o(e)}}></span>
    <i style=${{left:o(t.match)}}></i>
    <i style=${{left:o(t.partial)}}></i>
  </span>`}var Ot=300,qt={match:"A chat that selects this collection would answer from these passages and search no further.",partial:"A chat that selects this collection would show these passages to the model, and search the next one too.",none:"A chat that selects this collection would go on as if nothing had been found."};function dt({found:e,thresholds:t,own:n}){let{answer:o,ms:s,question:i}=e,a=o.hits.map(p=>p.distance),c=a.length>0?Math.min(...a):void 0,l=w(c,t),m=w(c,n),d=a.map(p=>w(p,t)),u=p=>`${d.filter($=>$===p).length} ${p}`;return r`
    <div class="ret-verdict">
      <h2><span role="status"><${A} name=${l} /></span></h2>
      <p>${qt[l]}</p>
      ${l!==m&&r`<p>By the collection's own thresholds it is <${A} name=${m} />.</p>`}
      <small>
        ${S(a.length,"passage")}: ${u("match")}, ${u("partial")}, ${u("none")}${" · "}
        ${c!==void 0&&`nearest ${g(c)} · `}${W(s)}
      </small>
      <small>asked: “${i.query.slice(0,Ot)}”</small>
    </div>
  `}var Nt=`flexchat collections create handbook --stage ${K}`,Dt=`flexchat collections add handbook docs/ --stage ${K}`;function ht({none:e,asked:t,waits:n,search:o,judged:s}){let{busy:i,cancelled:a,error:c,found:l,since:m}=o;return e?r`<${It} />`:r`
    ${i&&r`<${q} what="searching" since=${m} />`}
    ${a&&r`<p role="status">The search was cancelled.</p>`}
    ${c&&r`<${v} error=${c} onRetry=${o.search} />`}
    ${(t&&n||i&&!l)&&r`<${N} lines=${6} what="the passages" />`}
    ${!t&&r`<${Ht} />`}
    ${l&&s&&r`
        <${dt} found=${l} ...${s} />
        ${l.answer.hits.length>0?r`<${pt} hits=${l.answer.hits} thresholds=${s.thresholds} scale=${s.scale} />`:r`<p>The collection has no passage for this question, not even a distant one.</p>`}
      `}
  `}function It(){return r`
    <${P} title="No collection yet">
      <p>Here one sees how near the passages of a collection are to a question, and moves the thresholds by that.</p>
      <p>Make one, and fill it with files or directories:</p>
      <pre>${Nt} && ${Dt}</pre>
    <//>
  `}function Ht(){return r`
    <${P} title="How near are the passages?">
      <p>
        Ask what somebody would ask. You see which passages a collection has for it, how far each is, and what a chat would
        make of that; then move the thresholds and see it change.
      </p>
      <p>Write a test query and press Search.</p>
    <//>
  `}function ft({collection:e,query:t,topK:n}){let o=O(),{run:s,cancel:i}=o,[a,c]=f(void 0),l=G(()=>s(async m=>{let d=performance.now(),u=await E.search(e,{query:t,top_k:n},m);c({question:{collection:e,query:t,topK:n},answer:u,ms:performance.now()-d})}),[s,e,t,n]);return y(()=>{e&&t?l():(i(),c(void 0))},[l,i,e,t]),{...o,search:l,found:a?.question.collection===e?a:void 0}}var bt=.001;function gt({collection:e,thresholds:t,own:n,scale:o,onMove:s,children:i}){let a=t.match!==n.match||t.partial!==n.partial,c=(l,m)=>s(Z(t,l,m));return r`
    <fieldset class="ret-thresholds">
      <legend>Thresholds <small>cosine distance, smaller is nearer</small></legend>
      <${$t} name="Match below" value=${t.match} scale=${o} onMove=${l=>c("match",l)} />
      <${$t} name="Partial below" value=${t.partial} scale=${o} onMove=${l=>c("partial",l)} />
      <div class="row">
        <button type="button" disabled=${!a} onClick=${()=>s(void 0)}>Back to the collection's</button>
        ${i}
      </div>
      <div class="row">
        <${Q} text=${()=>rt(e,t)} label="Copy as configuration" />
        <small>of a service: for collections that have no thresholds of their own</small>
      </div>
    </fieldset>
  `}function $t({name:e,value:t,scale:n,onMove:o}){return r`
    <div class="ret-slider">
      <span aria-hidden="true">${e}</span>
      <input
        type="range"
        aria-label=${e}
        min=${n.low}
        max=${n.high}
        step=${bt}
        value=${t}
        onInput=${s=>o(Number(s.currentTarget.value))}
      />
      <${Pt} name=${`${e}, as a number`} value=${t} onCommit=${o} />
    </div>
  `}function Pt({name:e,value:t,onCommit:n}){let[o,s]=f(void 0);return r`
    <input
      type="number"
      aria-label=${e}
      min="0"
      max=${2}
      step=${bt}
      value=${o??t}
      onInput=${a=>s(a.currentTarget.value)}
      onChange=${({currentTarget:a})=>{s(void 0);let c=M(a.value);c!==void 0&&n(c)}}
    />
  `}var Gt=250;function yt(e){let t=e.query??"",n=String(T(e.top_k)),[o,s]=f({query:t,topK:n});return y(()=>s({query:t,topK:n}),[t,n]),[o,i=>s(a=>({...a,...i}))]}function vt(e){let t=M(e.match),n=M(e.partial),[o,s]=f(D(t,n)),i=x(e);i.current=e;let a=x(o);return y(()=>{t===a.current?.match&&n===a.current?.partial||(a.current=D(t,n),s(a.current))},[t,n]),y(()=>{let l=setTimeout(()=>{a.current=o,C("retrieval",H(i.current,o),{replace:!0})},Gt);return()=>clearTimeout(l)},[o]),[o,s]}function H(e,t){return{...e,match:String(t?.match??""),partial:String(t?.partial??"")}}function no({place:e}){let{params:t}=e,n=t.query??"",o=T(t.top_k),{loaded:s,chosen:i,collection:a,none:c,waits:l,replace:m}=j(t.collection),[d,u]=yt(t),[p,$]=vt(t),h=ft({collection:i,query:n,topK:o}),k=x(null),R=Bt(a,h.found?.answer,p),wt=()=>{let b={...t,collection:i,query:d.query,top_k:d.topK};b.query===n&&T(b.top_k)===o?h.search():C("retrieval",H(b,p))},kt=b=>{$(void 0),C("retrieval",H({...t,collection:b},void 0))},xt=(b,St)=>{m(b),St!=="kept"&&($(void 0),h.found&&h.search())};B([{keys:"/",label:"write the test query",run:()=>k.current?.querySelector("textarea")?.focus()},{keys:"mod+Enter",label:"search",run:()=>k.current?.requestSubmit()},{keys:"Escape",label:"cancel the search",run:h.cancel}]);let Ct=r`
    <${at} loaded=${s} chosen=${i} onChoose=${kt} />
    ${!c&&r`<${lt}
        draft=${d}
        busy=${h.busy}
        form=${k}
        onDraft=${u}
        onRun=${wt}
        onCancel=${h.cancel}
      />`}
    ${R&&r`<${gt} collection=${i} ...${R} onMove=${$}>
        ${a&&r`<${it} key=${i} collection=${a} thresholds=${R.thresholds} onChanged=${xt} />`}
      <//>`}
  `;return r`
    <${L} title="Retrieval" choose=${Ct}>
      <${ht} none=${c} asked=${n!==""&&(l||i!=="")} waits=${l} search=${h} judged=${R} />
    <//>
  `}function Bt(e,t,n){let o=tt(e?.metadata??{},t?.thresholds);if(o===void 0)return;let s=n??o,i=(t?.hits??[]).map(a=>a.distance);return{own:o,thresholds:s,scale:ot([...i,o.match,o.partial],s)}}export{no as View};
