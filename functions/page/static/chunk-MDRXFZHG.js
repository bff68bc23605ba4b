import{E as f,I as h,J as x,b as d,c as $,g as c,i as s,t as p,x as i,y as m}from"./chunk-TPKBOS6B.js";var a=new Map;function u(t,e){let[o,n]=d(0),r=m(()=>T(t,e),[o]);$(()=>{r.error!==void 0&&a.delete(t)},[r.error,t]);let b=c(()=>{a.delete(t),n(l=>l+1)},[t]),k=c(l=>{a.set(t,{token:p(),promise:Promise.resolve(l)}),n(w=>w+1)},[t]);return{...r,reload:b,put:k}}function T(t,e){let o=p(),n=a.get(t);if(n?.token===o)return n.promise;let r=e();return a.set(t,{token:o,promise:r}),r}var A=()=>u("tools",()=>i.tools()),B=()=>u("models",()=>i.models()),E=()=>u("collections",()=>i.collections());function L({title:t,choose:e,children:o}){return s`
    <h1 class="hidden">${t}</h1>
    <div class="split">
      <section class="choose" aria-label="What you choose">${e}</section>
      <section class="happened" aria-label="What happened">${o}</section>
    </div>
  `}var v={good:"✓",warn:"!",bad:"✕",plain:"·"};function M({tone:t,sign:e=v[t],children:o,title:n}){return s`<span class="outcome" data-tone=${t} title=${n}>
    <span aria-hidden="true">${e}</span> ${o}
  </span>`}function R({children:t}){return s`<span class="tag">${t}</span>`}function j({at:t}){return s`<time datetime=${t} title=${h(t)}>${x(t)}</time>`}function g(t){return`${f(t.rate)} (${Math.round(t.low*100)}–${Math.round(t.high*100)})`}function q({rate:t}){let e={left:`${t.low*100}%`,width:`${Math.max(1,(t.high-t.low)*100)}%`};return s`<span class="rate" title=${`${t.successes} of ${t.tests} tests; 95 % interval`}>
    <span class="number">${g(t)}</span>
    <span class="interval" aria-hidden="true"><span style=${e}></span><i style=${{left:`${t.rate*100}%`}}></i></span>
  </span>`}function z({validation:t}){let{badge:e,rate:o}=t;return e?s`<span class="badge" title=${e.tooltip}>
    <span aria-hidden="true">${e.symbol}</span> ${e.text}${o&&s` <span class="number">${g(o)}</span>`}
  </span>`:s`<${M} tone="plain">no tools<//>`}export{A as a,B as b,E as c,L as d,M as e,R as f,j as g,g as h,q as i,z as j};
