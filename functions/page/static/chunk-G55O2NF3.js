import{c as o,e as c,h as d,i as a}from"./chunk-TPKBOS6B.js";function $({title:s,open:l,onClose:t,children:u}){let i=c(null),n=d();return o(()=>{let e=i.current;l&&!e?.open&&e?.showModal(),!l&&e?.open&&e.close()},[l]),a`
    <dialog ref=${i} aria-labelledby=${n} onCancel=${e=>{e.preventDefault(),t?.()}}>
      <div class="dialog-head">
        <h2 id=${n}>${s}</h2>
        ${t&&a`<button type="button" class="quiet" aria-label="Close" onClick=${t}>✕</button>`}
      </div>
      ${l&&u}
    </dialog>
  `}export{$ as a};
