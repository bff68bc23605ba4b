import{a as L}from"../../chunk-LG2AI6F2.js";import{b as ke,d as xe,e as K,f as ne,g as A,h as H,i as Y,j as _e}from"../../chunk-MDRXFZHG.js";import{A as ye,B as b,C as p,D as R,E as U,F as C,K as k,L as M,M as ve,N as we,O as y,b as g,c as w,e as v,f as D,g as W,h as he,i as r,k as j,p as be,r as ge,v as q,x as h,y as oe,z as E}from"../../chunk-TPKBOS6B.js";var S=[{name:"single",title:"One tool",tries:"one tool is offered, one call is right"},{name:"choice",title:"Right tool",tries:"several tools are offered, one of them is right"},{name:"parallel",title:"Many calls",tries:"several calls of one tool"},{name:"parallel_choice",title:"Many tools",tries:"several calls of several tools"},{name:"irrelevance",title:"No tool fits",tries:"no tool fits, so none is called"},{name:"multi_turn",title:"Step by step",tries:"the result of one call is needed for the next"},{name:"error_recovery",title:"After an error",tries:"a call fails and says why; the next one is right"},{name:"types",title:"Typed values",tries:"numbers, lists, objects and choices, as the schema has them"},{name:"clarification",title:"Asks back",tries:"something is missing: the model asks instead of inventing it"}];function z(e){return S.find(t=>t.name===e)?.title??e}var Se=8;function Te({choices:e,chosen:t,onChosen:n,loaded:o,first:s}){let[a,i]=g(""),c=D(()=>performance.now(),[]),l=e.filter(({id:u})=>t.includes(u)||u.toLowerCase().includes(a.toLowerCase())),d=u=>n(t.includes(u)?t.filter(m=>m!==u):[...t,u]);return r`
    <fieldset class="val-models">
      <legend>Models${t.length>0&&` (${t.length} ticked)`}</legend>
      ${e.length>Se&&r`<input
          ref=${s}
          type="search"
          aria-label="Find a model"
          placeholder=${`Find one of ${e.length}`}
          value=${a}
          onInput=${u=>i(u.currentTarget.value)}
        />`}
      <div class="val-choices">
        ${l.map(({id:u,validation:m},f)=>r`
            <label class="val-choice" key=${u}>
              <input ref=${f===0&&e.length<=Se?s:void 0} type="checkbox" checked=${t.includes(u)} onChange=${()=>d(u)} />
              <span>${u} ${m&&r`<small><${_e} validation=${m} /></small>`}</span>
            </label>
          `)}
        ${l.length===0&&e.length>0&&r`<small>None is called that.</small>`}
        ${e.length===0&&!o.loading&&r`<small>No model that calls tools is configured.</small>`}
      </div>
      ${o.loading&&!o.data&&r`<${k} what="asking the providers for their models" since=${c} />`}
      ${o.error&&r`<p class="problem-text">The models could not be listed: ${o.error.message} <button type="button" onClick=${o.reload}>Try again</button></p>`}
      ${o.data&&o.data.errors.length>0&&r`<div class="notice">
          ${p(o.data.errors.length,"provider")} could not tell its models:
          <ul>${o.data.errors.map(({llm:u,error:m})=>r`<li><code>${u}</code> ${m}</li>`)}</ul>
        </div>`}
    </fieldset>
  `}var nt={rate:(e,t)=>(t.rate?.rate??-1)-(e.rate?.rate??-1)||(t.rate?.low??0)-(e.rate?.low??0),name:()=>0,tested:(e,t)=>(t.last_tested??"").localeCompare(e.last_tested??"")};function Ee(e){return e==="name"||e==="tested"?e:"rate"}function Re(e,t){return[...e].sort((n,o)=>nt[t](n,o)||n.model_id.localeCompare(o.model_id,"en"))}function Ce(e,t){return e.includes(t)?e.filter(n=>n!==t):[...e,t].slice(-2)}function O(e){return(e??"").split(" ").filter(t=>t!=="")}function V(e){return e.filter(t=>t.capabilities.includes("function-calling"))}function Me(e,t){let n=new Set(t.filter(o=>o.tested).map(o=>o.model_id));return V(e).filter(o=>!n.has(o.id))}var rt=2e4;function Ae(e){return{models:O(e.models),suite:e.suite??"default",repeats:Number(e.repeats??1),stop_early:e.early!=="no",budget:{calls:re(e.calls),tokens:re(e.tokens),usd:re(e.usd)}}}function re(e){return e===void 0?null:Number(e)}function Oe(e,t,n){let o=new Map;for(let{id:s,validation:a}of V(e))o.set(s,{id:s,validation:a});for(let s of t)o.has(s.model_id)||o.set(s.model_id,{id:s.model_id,validation:s});for(let s of n)o.has(s)||o.set(s,{id:s,validation:void 0});return[...o.values()]}function Pe(e,t){let n=e.models.length;if(n===0)return{ready:!1,text:"Tick the models to validate."};if(t===void 0)return{ready:!0,text:p(n,"model")};let o=t.cases*n*e.repeats,s=e.repeats>1?` × ${p(e.repeats,"repeat")}`:"",a=`${p(t.cases,"case")} × ${p(n,"model")}${s}`;return o>rt?{ready:!1,text:`${a} are ${p(o,"chat")}; a run has at most 20,000.`}:{ready:!0,text:`${p(Math.min(o,e.budget.calls??o),"chat")} at most: ${a}`}}var se="val-form";function Ie({params:e,change:t,suites:n,models:o,statuses:s,onStarted:a}){let i=v(null),c=v(null),l=E(),d=Ae(e),u=n.data?.suites.find(({name:$})=>$===d.suite),m=Pe(d,u),f=$=>{$.preventDefault(),!(!m.ready||l.busy)&&l.run(async N=>{let B=await h.startValidation(d);N.aborted||a(B)})};return j([{keys:"/",label:"choose models",run:()=>c.current?.focus()},{keys:"mod+Enter",label:"start the run",run:()=>i.current?.requestSubmit()}]),r`
    <form class="stack" ref=${i} onSubmit=${f}>
      <h2 id=${se} tabindex="-1">Run a suite</h2>
      <label class="field">
        Suite
        <select value=${d.suite} onChange=${$=>t({suite:$.currentTarget.value})}>
          ${st(n.data?.suites??[],d.suite).map($=>r`<option value=${$} selected=${$===d.suite}>${$}</option>`)}
        </select>
      </label>
      ${u&&r`<${at} suite=${u} />`}
      ${n.error&&r`<${y} error=${n.error} onRetry=${n.reload} />`}
      <${Te}
        choices=${Oe(o.data?.models??[],s,d.models)}
        chosen=${d.models}
        onChosen=${$=>t({models:$.join(" ")})}
        loaded=${o}
        first=${c}
      />
      <${J} name="repeats" label="Repeats of each case" none="1" max="100" step="1" params=${e} change=${t} />
      <label class="check">
        <input type="checkbox" checked=${d.stop_early} onChange=${()=>t({early:d.stop_early?"no":""})} />
        Stop early
      </label>
      <small>
        ${d.stop_early?"A model is asked no more once it is certain whether it passes: of 75 cases a good one is asked about 17.":"Every case is asked: for rates by category, and for comparing models."}
      </small>
      <${L} summary="Budget" open=${["calls","tokens","usd"].some($=>$ in e)}>
        <small>The run stops when one of these is spent, whichever is first.</small>
        <${J} name="calls" label="Chats" none="no limit" step="1" params=${e} change=${t} />
        <${J} name="tokens" label="Tokens" none="no limit" step="1" params=${e} change=${t} />
        <${J} name="usd" label="US dollars" none="no limit" step="any" min="0.000001" params=${e} change=${t} />
      <//>
      <p id="val-asks">${m.text}</p>
      <div class="row">
        <button type="submit" class="primary" disabled=${!m.ready||l.busy} aria-describedby="val-asks">Start</button>
        ${l.busy&&r`<${k} what="beginning the run" since=${l.since} />`}
      </div>
      ${l.error&&r`<${y} error=${l.error} onRetry=${()=>i.current?.requestSubmit()} />`}
    </form>
  `}function st(e,t){return[...new Set([...e.map(({name:n})=>n),t])]}function at({suite:e}){let t=e.built_in?"comes with Flexchat":"of your own",n=`${p(e.cases,"case")}, ${t}`;return r`<${L} summary=${n}>
    ${e.description&&r`<p>${e.description}</p>`}
    <ul>
      ${Object.entries(e.categories).map(([o,s])=>r`<li>${z(o)}: ${s}</li>`)}
    </ul>
  <//>`}function J({name:e,label:t,none:n,min:o="1",max:s,step:a,params:i,change:c}){return r`<label class="field">
    ${t}
    <input
      type="number"
      min=${o}
      max=${s}
      step=${a}
      placeholder=${n}
      value=${i[e]??""}
      onInput=${l=>c({[e]:l.currentTarget.value})}
    />
  </label>`}function P({title:e,focus:t=!1,seen:n=!1,onClose:o,children:s}){let a=v(null),i=he();return w(()=>{t&&a.current?.focus()},[e,t]),w(()=>{n&&a.current?.scrollIntoView({block:"nearest"})},[n]),r`
    <section class="val-panel stack" aria-labelledby=${i}>
      <div class="row spread">
        <h2 id=${i} ref=${a} tabindex="-1">${e}</h2>
        <button type="button" class="quiet" onClick=${o}>Close</button>
      </div>
      ${s}
    </section>
  `}function De(e){return e.low>=.8?"proven":e.high<.8?"failing":"undecided"}function ie(e,t){let n=e.rate-t.rate;return{value:n,low:Math.max(-1,n-Math.hypot(e.rate-e.low,t.high-t.rate)),high:Math.min(1,n+Math.hypot(e.high-e.rate,t.rate-t.low))}}function le({low:e,high:t}){return e>0?"a":t<0?"b":"neither"}function He(e,t,n){let o=le(e);return o==="a"?`${t} is better by ${Ne(e.value,e.low,e.high)}`:o==="b"?`${n} is better by ${Ne(-e.value,-e.high,-e.low)}`:"No difference is shown"}function Le({value:e,low:t,high:n}){return`${ae(e)} (${ae(t)} to ${ae(n)})`}function Ne(e,t,n){return`${Z(e)} points (${Z(t)} to ${Z(n)})`}function ae(e){let t=Z(Math.abs(e));return t==="0"?t:`${e<0?"−":"+"}${t}`}function Z(e){let t=e*100;return t>0&&t<1?t.toFixed(1):String(Math.round(t))}function Ge({a:e,b:t,onClose:n}){let o={a:e.model_id,b:t.model_id};return r`
    <${P} title=${`${e.model_id} and ${t.model_id}`} onClose=${n}>
      <p role="status"><strong>${it(e,t)}</strong></p>
      <div class="scroll" tabindex="0" role="region" aria-label="The difference by category">
        <table class="val-compared">
          <caption class="hidden">The difference by category, with its 95 % interval</caption>
          <thead>
            <tr>
              <th scope="col">Category</th>
              <th scope="col" class="number">${e.model_id}</th>
              <th scope="col" class="number">${t.model_id}</th>
              <th scope="col" class="number">Points</th>
              <th scope="col">Says</th>
            </tr>
          </thead>
          <tbody>
            <${Ve} title="All" a=${e.rate} b=${t.rate} names=${o} />
            ${S.map(({name:s,title:a})=>r`<${Ve} title=${a} a=${e.categories?.[s]} b=${t.categories?.[s]} names=${o} />`)}
          </tbody>
        </table>
      </div>
      <small>
        Points are percentage points with Newcombe's 95 % interval. Where 0 is inside, no difference is shown; few tests
        of one category rarely show any.
      </small>
    <//>
  `}function it(e,t){return!e.rate||!t.rate?"Only one of them was tested.":`${He(ie(e.rate,t.rate),e.model_id,t.model_id)}.`}function Ve({title:e,a:t,b:n,names:o}){let s=t&&n?ie(t,n):void 0;return r`
    <tr>
      <th scope="row">${e}</th>
      <td class="number">${t?H(t):"–"}</td>
      <td class="number">${n?H(n):"–"}</td>
      <td class="number">${s?Le(s):"–"}</td>
      <td>${s?lt(s,o):"not tried by both"}</td>
    </tr>
  `}function lt(e,t){let n=le(e);return n==="neither"?"no difference is shown":`${t[n]} is better`}var G=72,ce=20,Q=3,ct=864e5,dt=new Intl.DateTimeFormat("en-GB",{day:"numeric",month:"short",timeZone:"UTC"});function Fe(e){return Math.round(e*10)/10}function de(e){return Fe(Q+(1-e)*(ce-2*Q))}function ut(e){let t=e.map(({day:s})=>Date.parse(s)),n=t[0]??0,o=Math.max(ct,(t.at(-1)??0)-n);return e.map(({tests:s,successes:a},i)=>({x:e.length===1?G/2:Fe(Q+((t[i]??0)-n)/o*(G-2*Q)),y:de(a/s)}))}function mt(e){return e.map(({day:t,tests:n,successes:o})=>`${dt.format(new Date(t))} ${U(o/n)} of ${n}`).join(", ")}function We({days:e}){let t=ut(e),n=`Rate by day: ${mt(e)}`;return r`
    <svg class="val-trend" viewBox=${`0 0 ${G} ${ce}`} width=${G} height=${ce} role="img" aria-label=${n}>
      <title>${n}</title>
      <line x1="0" x2=${G} y1=${de(.8)} y2=${de(.8)} />
      <polyline points=${t.map(({x:o,y:s})=>`${o},${s}`).join(" ")} />
      ${t.slice(-1).map(({x:o,y:s})=>r`<circle cx=${o} cy=${s} r="2.5" />`)}
    </svg>
  `}var $t={proven:"✓",failing:"✕",undecided:""};function je({statuses:e,order:t,onOrder:n,ticked:o,onTick:s,open:a,onOpen:i}){let c=(l,d,u)=>r`
    <th scope="col" aria-sort=${t===l?u:void 0}>
      <button type="button" class="quiet val-sort" onClick=${()=>n(l)}>
        ${d}<span aria-hidden="true">${t===l&&(u==="ascending"?" ▴":" ▾")}</span>
      </button>
    </th>
  `;return r`
    <div class="scroll">
      <table class="val-map">
        <caption class="hidden">Models and what they passed, by category</caption>
        <thead>
          <tr>
            ${c("name","Model","ascending")} ${c("rate","Rate","descending")}
            ${c("tested","Tested","descending")}
            ${S.map(({title:l,tries:d})=>r`<th scope="col" class="val-category" title=${d}>${l}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${Re(e,t).map(l=>r`
              <${pt}
                key=${l.model_id}
                status=${l}
                ticked=${o.includes(l.model_id)}
                onTick=${s}
                open=${a?.model===l.model_id?a.category:void 0}
                onOpen=${i}
              />
            `)}
        </tbody>
      </table>
    </div>
    <${L} summary="How to read it">
      <p>
        The number is the share of tests that were passed, the bar below it the 95 % interval: by what was seen, the
        model's own rate is in it.
      </p>
      <ul>
        <li><b>✓</b> proven: the whole interval is at 80 % or above, the first time at 16 of 16</li>
        <li><b>✕</b> failing: the whole interval is below 80 %</li>
        <li>outlined: undecided, 80 % is inside; more tests would tell</li>
      </ul>
      <ul>${S.map(({title:l,tries:d})=>r`<li><b>${l}</b>: ${d}</li>`)}</ul>
    <//>
  `}function pt({status:e,ticked:t,onTick:n,open:o,onOpen:s}){let{model_id:a,badge:i}=e;return r`
    <tr>
      <th scope="row" class="val-model">
        <div class="val-name">
          <input type="checkbox" aria-label=${`Compare ${a}`} checked=${t} onChange=${()=>n(a)} />
          <button
            type="button"
            class="quiet"
            aria-pressed=${o===""}
            title="All of its verdicts"
            onClick=${()=>s({model:a,category:""})}
          >${a}</button>
        </div>
        ${i&&r`<small class="badge" title=${i.tooltip}><span aria-hidden="true">${i.symbol}</span> ${i.text}</small>`}
      </th>
      <td>${e.rate&&r`<${Y} rate=${e.rate} />`}</td>
      <td>
        ${(e.trend?.length??0)>0&&r`<${We} days=${e.trend} />`}
        ${e.last_tested&&r`<div><small><${A} at=${e.last_tested} /></small></div>`}
      </td>
      ${S.map(c=>r`
          <td class="val-in">
            <${ft}
              rate=${e.categories?.[c.name]}
              label=${`${c.title}, ${a}`}
              open=${o===c.name}
              onOpen=${()=>s({model:a,category:c.name})}
            />
          </td>
        `)}
    </tr>
  `}function ft({rate:e,label:t,open:n,onOpen:o}){if(!e)return r`<span class="val-none" title="never tried">–<span class="hidden"> never tried</span></span>`;let s=De(e),a={left:`${e.low*100}%`,width:`${Math.max(1,(e.high-e.low)*100)}%`},i=`${Math.round(e.low*100)} to ${Math.round(e.high*100)} %`;return r`
    <button
      type="button"
      class="val-cell"
      data-state=${s}
      aria-pressed=${n}
      title=${`${e.successes} of ${e.tests} passed, ${i}, ${s}`}
      onClick=${o}
    >
      <span class="number">${U(e.rate)}</span>
      <small class="number"><span aria-hidden="true">${$t[s]}</span>${" "}n ${e.tests}</small>
      <span class="interval" aria-hidden="true"><span style=${a}></span><i style=${{left:`${e.rate*100}%`}}></i></span>
      <span class="hidden">${t}, ${i}, ${s}</span>
    </button>
  `}function I(e,t=[]){let n=q(),o=v(e);o.current=e;let s=E(),{run:a}=s,[i,c]=g(qe()),l=JSON.stringify(t),d=W(()=>{a(async m=>{let f=await o.current(void 0,m);c({items:f.items,cursor:f.cursor??void 0,read:!0})})},[a]);w(()=>{c(qe()),d()},[l,n,d]);let u=()=>{a(async m=>{let f=await o.current(i.cursor,m);c($=>({items:[...$.items,...f.items],cursor:f.cursor??void 0,read:!0}))})};return{items:i.items,read:i.read,more:i.cursor!==void 0,next:i.read?u:d,restart:d,task:s}}function qe(){return{items:[],cursor:void 0,read:!1}}function Ue(e,t){return t.models.flatMap(({model:n,done:o})=>{let s=e?.models.find(a=>a.model===n)?.done??0;return o>s?[{model:n,limit:Math.min(100,o-s+10)}]:[]})}function ue({run:e,model:t,case:n,repeat:o,request_id:s}){return`${e} ${t} ${n} ${o} ${s}`}function me({result:e}){return e!=="skipped"}function Ke(e,t,n){return[...new Map([...e,...t.filter(s=>s.run===n&&me(s))].map(s=>[ue(s),s])).values()].sort((s,a)=>a.at.localeCompare(s.at)).slice(0,100)}var ht={passed:{tone:"good",text:"passed"},failed:{tone:"bad",text:"failed"},error:{tone:"warn",text:"error, does not count"},skipped:{tone:"plain",text:"skipped"},no_tool_call:{tone:"plain",text:"no tool call, does not count"}},bt=10,gt=5,Ye=100,$e=200,yt=50,vt=56;function pe({verdicts:e,label:t,models:n=!1}){let o=e.length>$e?yt:$e;return Array.from({length:Math.ceil(e.length/o)},(a,i)=>i*o).map(a=>{let i=e.slice(a,a+o);return r`<ul
      key=${a}
      class="val-verdicts"
      aria-label=${a===0?t:`${t}, from ${a+1} on`}
      style=${e.length>$e?{contentVisibility:"auto",containIntrinsicSize:`auto ${i.length*vt}px`}:{}}
    >
      ${i.map(c=>r`<${wt} key=${ue(c)} verdict=${c} models=${n} />`)}
    </ul>`})}function wt({verdict:e,models:t}){let{tone:n,text:o}=ht[e.result];return r`
    <li>
      <div class="row">
        <${K} tone=${n}>${o}<//>
        <strong>${e.case}${e.repeat>1&&` #${e.repeat}`}</strong>
        ${t&&r`<span>${e.model}</span>`}
        ${e.category&&r`<${ne}>${z(e.category)}<//>`}
        ${e.counted===!1&&r`<${ne}>by hand, not counted<//>`}
        <small class="row val-facts">
          <${A} at=${e.at} />
          <span class="number">${R(e.latency_ms)}</span>
          <span class="number">${p(e.tokens,"token")}</span>
          ${typeof e.cost_usd=="number"&&r`<span class="number">${C(e.cost_usd)}</span>`}
          ${e.request_id&&r`<${we} text=${e.request_id} label="Copy the request id" />`}
        </small>
      </div>
      ${e.reasons.length>0&&r`<ul class="val-reasons">${e.reasons.map(s=>r`<li>${s}</li>`)}</ul>`}
    </li>
  `}function X({pages:e,label:t,models:n=!1,wanted:o,wrongOnly:s,onWrongOnly:a}){let{items:i,read:c,more:l,next:d,task:u}=e,m=i.filter($=>me($)&&o($)&&!(s&&$.result==="passed")),f=c&&l&&!u.busy&&!u.error&&m.length<bt&&i.length<gt*Ye;return w(()=>{f&&d()}),u.error&&!c?r`<${y} error=${u.error} onRetry=${d} />`:c?r`
    <div class="row spread">
      <span role="status">${p(m.length,"verdict")} of ${b(i.length)} read${l?", there are more":""}</span>
      <label class="check">
        <input type="checkbox" checked=${s} onChange=${()=>a(!s)} />
        Only what was not passed
      </label>
    </div>
    ${m.length===0&&!l&&r`<p>None.</p>`}
    <${pe} verdicts=${m} label=${t} models=${n} />
    <${kt} pages=${e} />
  `:r`<${M} lines=${6} what=${t} />`}function kt({pages:{more:e,next:t,task:n}}){return n.error?r`<${y} error=${n.error} onRetry=${t} />`:n.busy?r`<${k} what="reading verdicts" since=${n.since} />`:e&&r`<div><button type="button" onClick=${t}>Read the next ${Ye}</button></div>`}var xt=100;function ze({model:e,category:t,status:n,focus:o,onClose:s}){let[a,i]=g(!1),c=S.find(u=>u.name===t),l=I(async(u,m)=>{let{records:f,cursor:$}=await h.history(e,{limit:xt,cursor:u,signal:m});return{items:f,cursor:$}},[e]);j([{keys:"Escape",label:"close the verdicts",run:s}]);let d=c?n?.categories?.[c.name]:n?.rate;return r`
    <${P} title=${`${c?c.title:"All verdicts"} · ${e}`} focus=${o} onClose=${s}>
      ${c&&r`<p>Tries: ${c.tries}.</p>`}
      ${d&&r`<p>${d.successes} of ${p(d.tests,"test")} passed, ${H(d)}.</p>`}
      ${!c&&n&&r`<${_t} status=${n} />`}
      <${X}
        pages=${l}
        label=${`Verdicts of ${e}`}
        wanted=${u=>!c||u.category===c.name}
        wrongOnly=${a}
        onWrongOnly=${i}
      />
    <//>
  `}function _t({status:e}){let t=[typeof e.latency_ms=="number"&&R(e.latency_ms),typeof e.tokens=="number"&&p(Math.round(e.tokens),"token"),typeof e.cost_usd=="number"&&C(e.cost_usd)].filter(Boolean),{by_hand:n}=e,o=[(e.errors??0)>0&&p(e.errors??0,"error"),(e.no_tool_calls??0)>0&&`${p(e.no_tool_calls??0,"plain test")} without a tool call`,n&&`${p(n.tests+n.errors+n.no_tool_calls,"test")} by hand`].filter(Boolean);return r`<p>
    ${t.length>0&&`A case takes ${t.join(", ")} on average.`}
    ${o.length>0&&` Not counted: ${o.join(", ")}.`}
  </p>`}var St=12;function Je({models:e,first:t,onFill:n}){return r`
    <${ve} title="No model has been tried yet">
      <p>
        Providers say of most models that they call tools. Whether one calls the right tool with the right arguments, and
        leaves tools alone where none fits, is found out by trying: a suite of cases is asked and each answer is graded.
      </p>
      ${t&&r`<button type="button" onClick=${()=>n(t)}>Validate ${t}</button>`}
      ${!t&&e.loading&&r`<p>The models are being asked for.</p>`}
      ${!t&&!e.loading&&r`<p>No model that calls tools is known; see the configuration.</p>`}
    <//>
  `}function Ze({models:e,onFill:t}){if(e.length===0)return null;let n=e.slice(0,St).map(({id:s})=>s),o=e.length-n.length;return r`
    <div class="notice">
      <span aria-hidden="true">🔧⚠️</span> ${p(e.length,"model")} not tested yet: that they call tools is only said of
      them.
      <div class="row">
        ${n.map(s=>r`<button type="button" class="quiet" title=${`Put ${s} into the form`} onClick=${()=>t(s)}>${s}</button>`)}
        ${o>0&&`and ${o} more`}
      </div>
    </div>
  `}function Qe({params:e,change:t,statuses:n,rows:o,models:s,onFill:a}){let i=v(null),c=s.data?.models??[],{model:l,category:d="",run:u}=e,m=$=>{i.current=document.activeElement,t($,{replace:!1})},f=()=>{t({model:"",category:""},{replace:!1}),i.current instanceof HTMLElement&&i.current.focus(),i.current=null};return r`
    ${n.error&&r`<${y} error=${n.error} onRetry=${n.reload} />`}
    ${!n.data&&!n.error&&r`<${M} lines=${6} what="what is known of the models" />`}
    ${n.data&&o.length===0&&!u&&r`<${Je} models=${s} first=${V(c)[0]?.id} onFill=${a} />`}
    ${o.length>0&&r`
        <h2>What is known</h2>
        <${je}
          statuses=${o}
          order=${Ee(e.sort)}
          onOrder=${$=>t({sort:$})}
          ticked=${O(e.compare)}
          onTick=${$=>t({compare:Ce(O(e.compare),$).join(" ")})}
          open=${l&&{model:l,category:d}}
          onOpen=${m}
        />
        <${Tt} names=${O(e.compare)} rows=${o} onClose=${()=>t({compare:""})} />
        <${Ze} models=${Me(c,o)} onFill=${a} />
      `}
    ${l&&r`<${ze}
        model=${l}
        category=${d}
        status=${o.find($=>$.model_id===l)}
        focus=${i.current!==null}
        onClose=${f}
      />`}
  `}function Tt({names:e,rows:t,onClose:n}){let[o,s]=e.map(a=>t.find(i=>i.model_id===a));return o&&s?r`<${Ge} a=${o} b=${s} onClose=${n} />`:e.length===1&&r`<p role="status">Tick another model to compare it with ${e[0]}.</p>`}var Et=[1e3,1500,2e3,3e3],Rt=3e3;function x({status:e}){return e!=="queued"&&e!=="running"}function Xe(e,t){let n=q(),o=v(t);o.current=t;let[s,a]=g(0),[i,c]=g(Ct),l=v(void 0);return w(()=>{let d=new AbortController,{signal:u}=d,m=0,f=0,$=!1,N=async()=>{if(clearTimeout(m),!(document.hidden||$)){$=!0;try{let _=await h.validationRun(e,{limit:1,signal:u}),T=l.current;if(c(F=>Mt(F,_,T)),T!==void 0&&T.status!==_.status&&o.current(_),x(_)){l.current=_;return}let te=await At(T,_,u);l.current=_,c(F=>({...F,latest:Ke(F.latest,te,e)}))}catch(_){if(u.aborted)return;let T=ye(_);if(c(te=>({...te,error:T})),T.kind!=="offline"&&T.kind!=="failed")return}finally{$=!1}m=setTimeout(N,Et[f++]??Rt)}},B=()=>{!document.hidden&&(l.current===void 0||!x(l.current))&&N()};return N(),document.addEventListener("visibilitychange",B),()=>{d.abort(),clearTimeout(m),document.removeEventListener("visibilitychange",B)}},[e,n,s]),{...i,again:W(()=>a(d=>d+1),[])}}function Ct(){return{run:void 0,latest:[],error:void 0,advancedAt:performance.now()}}function Mt(e,t,n){let o=t.done===n?.done?e.advancedAt:performance.now();return{...e,run:t,error:void 0,advancedAt:o}}async function At(e,t,n){return(await Promise.all(Ue(e,t).map(({model:s,limit:a})=>h.history(s,{limit:a,signal:n})))).flatMap(s=>s.records)}var Ot=20,Pt={queued:"plain",running:"plain",finished:"good",stopped:"warn",failed:"bad"};function fe({status:e}){return r`<${K} tone=${Pt[e]}>${e}<//>`}function et({open:e,changed:t,onOpen:n}){let{items:o,read:s,more:a,next:i,restart:c,task:l}=I(async(d,u)=>{let{runs:m,cursor:f}=await h.validationRuns({limit:Ot,cursor:d,signal:u});return{items:m,cursor:f}});return w(()=>{t>0&&c()},[t,c]),r`
    <h2>Runs</h2>
    ${!s&&!l.error&&r`<${M} what="the runs" />`}
    ${l.error&&r`<${y} error=${l.error} onRetry=${i} />`}
    ${s&&o.length===0&&r`<small>None yet.</small>`}
    <ul class="val-runs">
      ${o.map(d=>r`
          <li key=${d.id}>
            <button type="button" aria-pressed=${d.id===e} onClick=${()=>n(d.id)}>
              <span class="row spread"><${fe} status=${d.status} /><small><${A} at=${d.created_at} /></small></span>
              <span>${d.suite}${d.repeats>1&&` × ${d.repeats}`} · ${Nt(d)}</span>
              <small class="number">${It(d)}</small>
            </button>
          </li>
        `)}
    </ul>
    <div class="row">
      ${a&&!l.busy&&r`<button type="button" onClick=${i}>Older runs</button>`}
      ${l.busy&&s&&r`<${k} what="reading the runs" since=${l.since} />`}
    </div>
  `}function It({passed:e,failed:t,total:n}){let o=e+t;return o===0?`${p(n,"chat")} at most`:`${b(e)} of ${b(o)} passed`}function Nt({models:e}){return e.length<=2?e.map(({model:t})=>t).join(", "):p(e.length,"model")}var Dt=100,Ht=3e4;function ot({id:e,onStatus:t,onClose:n}){let{run:o,latest:s,error:a,advancedAt:i,again:c}=Xe(e,t),l=D(()=>performance.now(),[]);return r`
    <${P} title=${o?`Run of ${o.suite}${o.repeats>1?` × ${o.repeats}`:""}`:"Run"} seen onClose=${n}>
      ${!o&&!a&&r`<${k} what="reading the run" since=${l} />`}
      ${o&&r`<${Lt} run=${o} advancedAt=${i} onChanged=${c} />`}
      ${a&&r`<${y} error=${a} onRetry=${c} />`}
      ${o&&r`<${Gt} run=${o} />`}
      ${o&&x(o)&&r`<${Bt} run=${o} />`}
      ${o&&!x(o)&&r`<h3>Latest verdicts</h3>
          <div class="val-box" tabindex="0" role="region" aria-label="Latest verdicts">
            ${s.length===0?r`<p>None has arrived yet.</p>`:r`<${pe} verdicts=${s} label="Latest verdicts" models />`}
          </div>`}
    <//>
  `}function Lt({run:e,advancedAt:t,onChanged:n}){let o=E(),s=D(()=>performance.now()-(Date.now()-Date.parse(e.created_at)),[e.created_at]),a=!x(e)&&performance.now()-t>Ht,i=l=>o.run(async d=>{await l(e.id),d.aborted||n()}),c=[p(e.calls,"chat"),p(e.tokens,"token"),e.cost_usd>0&&C(e.cost_usd),e.finished_at&&R(Date.parse(e.finished_at)-Date.parse(e.created_at))].filter(Boolean);return r`
    <div class="row">
      <span role="status"><${fe} status=${e.status} />${x(e)&&` ${tt(e)}`}</span>
      ${!x(e)&&r`<${k} what="" since=${s} /> <button type="button" disabled=${o.busy} onClick=${()=>i(h.stopValidation)}>Stop</button>`}
    </div>
    ${e.reason&&r`<p>${e.reason}</p>`}
    <div>
      <progress class="val-progress" max=${e.total} value=${e.done} aria-label="Verdicts in all"></progress>
      <small>${b(e.done)} of ${p(e.total,"verdict")}${!x(e)&&`: ${tt(e)}`} · ${c.join(" · ")}</small>
    </div>
    ${a&&r`<div class="notice row">
        Nothing has come for a while. Cases whose messages were lost can be asked again; no verdict is lost.
        <button type="button" disabled=${o.busy} onClick=${()=>i(h.resumeValidation)}>Resume</button>
      </div>`}
    ${o.error&&r`<${y} error=${o.error} />`}
  `}function tt({passed:e,failed:t,errors:n,skipped:o}){let s=[`${b(e)} passed`,`${b(t)} failed`];return n>0&&s.push(p(n,"error")),o>0&&s.push(`${b(o)} skipped`),s.join(", ")}var Vt={passes:"✓ decided: passes",fails:"✕ decided: fails"};function Gt({run:e}){let t=e.total/e.models.length;return r`
    <div class="scroll" tabindex="0" role="region" aria-label="Each model in this run">
      <table>
        <caption class="hidden">Each model in this run</caption>
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
          ${e.models.map(({model:n,rate:o,done:s,errors:a,skipped:i,decided:c})=>r`
              <tr key=${n}>
                <th scope="row" class="val-model">${n}${c&&r`<div><small>${Vt[c]}</small></div>`}</th>
                <td>
                  <progress class="val-progress" max=${t} value=${s} aria-label=${`Verdicts of ${n}`}></progress>
                  <small class="number">${b(s)} of ${b(t)}</small>
                </td>
                <td class="number">${b(o?.successes??0)}</td>
                <td class="number">${b((o?.tests??0)-(o?.successes??0))}</td>
                <td class="number">${b(a)}</td>
                <td class="number">${b(i)}</td>
                <td>${o&&r`<${Y} rate=${o} />`}</td>
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}function Bt({run:e}){let[t,n]=g(e.failed+e.errors>0),o=I(async(s,a)=>{let{verdicts:i,cursor:c}=await h.validationRun(e.id,{limit:Dt,cursor:s,signal:a});return{items:i,cursor:c}},[e.id]);return r`
    <h3>Verdicts</h3>
    <div class="val-box" tabindex="0" role="region" aria-label="Verdicts of this run">
      <${X}
        pages=${o}
        label="Verdicts of this run"
        models
        wanted=${()=>!0}
        wrongOnly=${t}
        onWrongOnly=${n}
      />
    </div>
  `}function ee(e,{replace:t=!0}={}){let n=be();n.view==="validation"&&ge("validation",{...n.params,...e},{replace:t})}function Ft(e){ee({models:e}),document.getElementById(se)?.focus()}function or({place:{params:e}}){let t=oe(m=>h.statuses(m)),n=oe(m=>h.suites(m)),o=ke(),[s,a]=g(0),i=t.data?.validations.filter(m=>m.tested||m.errors>0)??[],c=m=>{a(f=>f+1),x(m)&&(t.reload(),o.reload())},l=m=>ee({run:m},{replace:!1}),u=r`
    <${Ie} params=${e} change=${ee} suites=${n} models=${o} statuses=${i} onStarted=${m=>{a(f=>f+1),l(m.id)}} />
    <${et} open=${e.run??""} changed=${s} onOpen=${l} />
  `;return r`
    <${xe} title="Validation" choose=${u}>
      ${e.run&&r`<${ot} key=${e.run} id=${e.run} onStatus=${c} onClose=${()=>l("")} />`}
      <${Qe} params=${e} change=${ee} statuses=${t} rows=${i} models=${o} onFill=${Ft} />
    <//>
  `}export{or as View,ee as change};
