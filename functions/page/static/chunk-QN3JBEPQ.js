import{a as w,b as k,d as u,e as b,f as x,g as v,h as _,j as g}from"./chunk-YONK37O3.js";import{b as l}from"./chunk-KQCX27CS.js";import{e as $}from"./chunk-MDRXFZHG.js";import{B as p,C as h,D as d,i as e}from"./chunk-TPKBOS6B.js";var T=128;function U({step:t,call:n}){let a=k(t,n),s=b(t?.name??n?.tool??"",T);return e`
    <section class="wf-details" aria-label=${`Details of ${s}`}>
      <div class="row">
        <h3 class="mono">${s}</h3>
        <${$} tone=${a.tone}>${a.word}<//>
      </div>
      <${g} label=${`What is known of ${s}`} tabs=${E(t,n)} />
    </section>
  `}function E(t,n){let a=`${t?.start_ms} ${t?.name} ${n?.iteration} ${n?.call_id}`,s={name:"timing",content:()=>e`<${C} step=${t} call=${n} />`},o={name:"raw",content:()=>e`<${l} key=${a} value=${{...t&&{step:t},...n&&{call:n}}} label="Raw" />`};return n===void 0?[s,o]:[{name:"arguments",content:()=>e`<${l} key=${a} value=${n.params} label="Arguments" />`},{name:"result",content:()=>e`<${A} key=${a} result=${n.result} />`},s,o]}function A({result:t}){return"error"in t?e`<div class="stack">
      <p>${u(t.error_type)}</p>
      <${l} value=${t.error} label="Error" />
      ${t.validation_errors&&e`<${l} value=${t.validation_errors} label="What is wrong with the arguments" />`}
    </div>`:e`<div class="stack">
    ${t.truncated&&e`<p class="notice">! The result was larger: this is the part that the answer keeps.</p>`}
    <${l} value=${t.result} label="Result" />
  </div>`}function C({step:t,call:n}){let a=[...R(t),...D(t,n)];return e`<dl class="wf-facts">
    ${a.map(([s,o])=>e`
        <dt>${s}</dt>
        <dd>${o}</dd>
      `)}
  </dl>`}function R(t){return t===void 0?[["Iteration","it did not begin"]]:[["Iteration",t.iteration===0?"before the first":String(t.iteration)],["Began after",d(t.start_ms)],["Took",d(t.duration_ms)],["Ended after",d(t.start_ms+t.duration_ms)],...c("Tokens",t.total_tokens&&p(t.total_tokens)),...c("Finish reason",t.finish_reason),...c("Error",t.error&&u(t.error))]}function D(t,n){return n===void 0?[]:[...t===void 0?c("In iteration",String(n.iteration)):[],["Execution time",d(n.result.execution_time_ms)],["Call",n.call_id]]}function c(t,n){return n?[[t,n]]:[]}function J({timings:t,calls:n,selected:a,onSelect:s}){let o=w(t,n),i=x(t),y=i.ticks.filter(r=>r/i.length<.9),m=o.findIndex(r=>r.index===a),O=r=>{let f=o[W(r.key,m,o.length)];f===void 0||r.ctrlKey||r.metaKey||r.altKey||(r.preventDefault(),s(f.index),r.currentTarget.children.item(o.indexOf(f))?.focus())};return e`
    <div class="wf" style=${{"--wf-tick":`${i.step/i.length*100}%`}}>
      <div class="wf-head" aria-hidden="true">
        <span>Step</span>
        <span class="wf-axis">
          ${y.map(r=>e`<span style=${{left:`${r/i.length*100}%`}}>${_(r,i.step)}</span>`)}
        </span>
        <span class="number">Time</span>
        <span class="number">Tokens</span>
        <span>Outcome</span>
      </div>
      <div role="listbox" aria-label="What ran, in order of its start" onKeyDown=${O}>
        ${o.map((r,f)=>e`
            <div
              key=${r.index}
              role="option"
              class=${r.nested?"wf-row wf-nested":"wf-row"}
              aria-selected=${r.index===a}
              tabindex=${f===Math.max(0,m)?0:-1}
              onClick=${()=>s(r.index)}
            ><${I} row=${r} length=${i.length} /></div>
          `)}
      </div>
    </div>
  `}function W(t,n,a){switch(t){case"ArrowDown":return n+1;case"ArrowUp":return n-1;case"Home":return 0;case"End":return a-1;case"Enter":case" ":return Math.max(0,n);default:return-1}}function I({row:t,length:n}){let{step:a,told:s}=t;return e`
    <span class="wf-name" title=${t.detail||t.name}>
      ${t.name}${t.detail&&e` <small>${t.detail}</small>`}
    </span>
    <span class="wf-track">${a&&e`<${K} row=${t} length=${n} step=${a} />`}</span>
    <span class="wf-time number">${a?d(a.duration_ms):"–"}</span>
    <span class="wf-tokens number">
      ${a?.total_tokens?e`${h(a.total_tokens,"token")}`:e`<span aria-hidden="true"></span>`}
    </span>
    <span class="wf-outcome"><${$} tone=${s.tone}>${s.word}<//></span>
    ${s.reason&&e`<span class="wf-reason">${s.reason}</span>`}
  `}function K({row:t,step:n,length:a}){let{left:s,width:o}=v(n,a),i={left:`min(${s}%, 100% - var(--wf-least))`,width:`max(${o}%, var(--wf-least))`};return e`<span class="wf-bar" data-kind=${n.step} data-tone=${t.told.tone} style=${i}></span>`}export{U as a,J as b};
