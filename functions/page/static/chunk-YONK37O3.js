import{b as m,h as w,i as c}from"./chunk-TPKBOS6B.js";var x=new Set(["tool_not_found","tool_not_allowed","tool_disabled","invalid_arguments","malformed_arguments","repeated_call","too_many_calls","rate_limited","previous_call_unfinished","deadline"]),A={stop:{tone:"good",word:"answered",reason:""},tool_calls:{tone:"good",word:"calls tools",reason:""},length:{tone:"warn",word:"cut off",reason:"The answer was cut off: the model's limit of tokens was reached."},content_filter:{tone:"warn",word:"filtered",reason:"The provider's filter stopped the answer."},refusal:{tone:"warn",word:"refused",reason:"The model refused to answer."}},T={topic:"topic",search:"search",intent:"intent",model:"model",tool:"tool"};function O(e,o){let n=[...o],t=e.steps.map((r,a)=>{let d=r.step==="tool"?n.findIndex(l=>R(l,r)):-1;return p(a,r,d<0?void 0:n.splice(d,1)[0])});for(let[r,a]of n.entries()){let d=t.findLastIndex(l=>S(l)<=a.iteration);t.splice(d+1,0,p(e.steps.length+r,void 0,a))}return t}function R(e,o){return e.call_id===o.call_id&&e.iteration===o.iteration}function S({step:e,call:o}){return e?.iteration??o?.iteration??0}function p(e,o,n){let t=o?.step??"tool",r=$(o?.name??n?.tool??"",128),a=t==="tool"||t==="search";return{index:e,step:o,call:n,name:a?r:`${T[t]}${t==="model"?` ${o?.iteration}`:""}`,detail:a?"":r,nested:t==="tool",told:C(o,n)}}function C(e,o){if(o!==void 0)return v(o);if(e?.error)return{tone:"bad",word:"failed",reason:`The model failed: ${h(e.error)}.`};let n=A[e?.finish_reason??""];return n!==void 0?n:e?.ok?{tone:"good",word:"done",reason:""}:{tone:"bad",word:"failed",reason:"It failed."}}function g({result:e}){return!("error"in e)||!x.has(e.error_type)}function v(e){let{result:o}=e;return"error"in o?{tone:"bad",word:g(e)?"failed":"not run",reason:$(`${h(o.error_type)}: ${o.error}`,240)}:{tone:"good",word:"done",reason:""}}function h(e){return e.replaceAll("_"," ")}function $(e,o){return e.length>o?`${e.slice(0,o)}…`:e}function b(e){let o=Math.max(1,e.total_ms,...e.steps.map(t=>t.start_ms+t.duration_ms)),n=k(o);return{length:o,step:n,ticks:Array.from({length:Math.floor(o/n)+1},(t,r)=>r*n)}}function k(e){for(let o=1;;o*=10)for(let n of[1,2,5])if(e/(n*o)<6)return n*o}function y(e,o){return{left:e.start_ms/o*100,width:e.duration_ms/o*100}}function I(e,o){return e===0?"0":o>=100&&e>=1e3?`${e/1e3} s`:`${e} ms`}function N(e,o,n){return O(e,o).find(t=>t.index===n)}function H({label:e,tabs:o,chosen:n,onChoose:t}){let r=w(),[a,d]=m(o[0]?.name??""),l=n??a,f=Math.max(0,o.findIndex(i=>i.name===l)),_=i=>{d(i),t?.(i)};return c`
    <div class="tabs">
      <div role="tablist" aria-label=${e} onKeyDown=${i=>{let s={ArrowRight:1,ArrowLeft:-1}[i.key],u=s===void 0?void 0:o[(f+s+o.length)%o.length];u!==void 0&&(i.preventDefault(),_(u.name),i.currentTarget.children.item(o.indexOf(u))?.focus())}}>
        ${o.map((i,s)=>c`
            <button
              type="button"
              role="tab"
              id=${`${r}-${s}`}
              aria-selected=${s===f}
              aria-controls=${`${r}-panel`}
              tabindex=${s===f?0:-1}
              onClick=${()=>_(i.name)}
            >${i.name}${i.note&&c` <small>${i.note}</small>`}</button>
          `)}
      </div>
      <div role="tabpanel" id=${`${r}-panel`} aria-labelledby=${`${r}-${f}`} tabindex="0">${o[f]?.content()}</div>
    </div>
  `}export{O as a,C as b,g as c,h as d,$ as e,b as f,y as g,I as h,N as i,H as j};
