import{e as l}from"./chunk-YONK37O3.js";import{a as t,b as r}from"./chunk-KQCX27CS.js";import{a as m}from"./chunk-LG2AI6F2.js";import{e,f as n}from"./chunk-MDRXFZHG.js";import{i as o}from"./chunk-TPKBOS6B.js";var i=200;function f({tool:a}){let s=o`
    <span class="tool-head">
      <strong class="mono">${a.name}</strong>
      <${n}>${t(a.implementation.type)}<//>
    </span>
    <span class="tool-line">${l(a.description,i)}</span>
  `;return o`<li class="tool-card">
    <${m} summary=${s}>
      <p><${e} tone="good">enabled<//></p>
      <${r} value=${a.description} label=${`Description of ${a.name}`} />
      <${r} value=${a.parameters} label=${`Parameters of ${a.name}`} />
    <//>
  </li>`}function b({tool:a}){return o`<li class="tool-card tool-disabled">
    <span class="tool-head">
      <strong class="mono">${a.name}</strong>
      <${e} tone="warn">disabled<//>
    </span>
    <ul>${a.problems.map(s=>o`<li>${s}</li>`)}</ul>
  </li>`}export{f as a,b};
