import{b as s,i as o}from"./chunk-TPKBOS6B.js";function m({summary:t,open:l=!1,children:n}){let[e,r]=s(l);return o`
    <details class="fold" open=${e} onToggle=${a=>r(a.currentTarget.open)}>
      <summary>${t}</summary>
      ${e&&o`<div class="fold-body">${n}</div>`}
    </details>
  `}export{m as a};
