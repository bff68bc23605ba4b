import{B as l,N as u,b as i,f as c,i as e}from"./chunk-TPKBOS6B.js";var p=2e4,f=10;function $(t){return typeof t=="string"?t:JSON.stringify(t,null,2)??""}function d({value:t,label:a}){let[n,m]=i(1),o=c(()=>$(t),[t]),r=o.slice(0,p*n),s=o.length-r.length;return e`
    <div class="value">
      <pre tabindex="0" role="region" aria-label=${a}>${r}</pre>
      <div class="row">
        <${u} text=${o} label="Copy" />
        ${s>0&&e`<button type="button" class="quiet" onClick=${()=>m(n*f)}>
            Show more (${l(s)} characters are left out)
          </button>`}
      </div>
    </div>
  `}export{$ as a,d as b};
