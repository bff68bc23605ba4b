import{$ as Mt,A as te,Aa as Bn,B as ke,Ba as Ce,C as ie,Ca as Pt,D as En,Da as jn,E as An,Ea as Vn,F as H,Fa as Hn,G as Et,Ga as Un,H as At,Ha as Lt,I as Se,Ia as Jn,J as U,Ja as Wn,K as J,Ka as qt,L as re,La as zn,M as b,Ma as ae,N as y,Na as k,O as h,P as A,Q as Be,R as K,S as se,T as ge,U as Ae,V as Ro,W as S,X as R,Y as V,Z as v,_ as B,a as f,aa as L,b as C,ba as M,c as _n,ca as xe,d as E,da as It,e as z,ea as je,f as ne,fa as pe,g as j,ga as Te,h as r,ha as Mn,i as Ot,ia as Dt,j as be,ja as In,k as ue,ka as N,l as de,la as W,m as Ee,ma as Dn,n as x,na as I,o as G,oa as _e,p as me,pa as D,q as Cn,qa as Nn,r as On,ra as Pn,s as Rn,sa as Ln,t as qe,ta as qn,u as Z,ua as Ve,v as X,va as Fn,w as Rt,wa as Nt,x as F,xa as at,y as O,ya as it,z as Fe,za as P}from"../app.js";var Me="api/configuration",Ie=e=>e===void 0?{}:{signal:e},Q={source:e=>ae(Me,Ie(e)),check:(e,t)=>ae(`${Me}/check`,{method:"POST",body:e,...Ie(t)}),match:(e,t,o)=>ae(`${Me}/match`,{method:"POST",body:{draft:e,profiles:t},...Ie(o)}),profiles:(e,t)=>ae("api/traces/profiles",{query:{since:e,limit:100},...Ie(t)}),publish:(e,t,o)=>ae(`${Me}/versions`,{method:"POST",body:{draft:e,comment:t},...Ie(o)}),versions:e=>ae(`${Me}/versions`,Ie(e)),version:(e,t)=>ae(`${Me}/versions/${e}`,Ie(t)),restore:(e,t,o)=>ae(`${Me}/versions/${e}/restore`,{method:"POST",body:{base:t,comment:o}})};var Gn=[{mode:"",title:"Active"},{mode:"edit",title:"Edit"},{mode:"history",title:"History"},{mode:"tokens",title:"API tokens",role:"operator"}];function Kn(e){return Gn.find(({mode:t})=>t===e.mode)?.mode??""}function ye({mode:e}){let t=H();return r`
    <div class="row" role="group" aria-label="Part of the configuration">
      ${Gn.filter(({role:o})=>t||o===void 0).map(o=>r`
          <button type="button" aria-pressed=${o.mode===e?"true":"false"} onClick=${()=>x("configuration",o.mode?{mode:o.mode}:{})}>
            ${o.title}
          </button>
        `)}
    </div>
  `}var Gi=/"(?:[^"\\\n]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g,Ki=/^[A-Za-z_$][\w-]*$/;function He(e){let t=new Map,o=[],[n,s]=[1,0],a=!1;for(let{0:i,index:l}of e.matchAll(Gi)){n+=e.slice(s,l).split(`
`).length-1,s=l;let c=o.at(-1);i===":"?a=!1:i===","?(c&&(c.index+=1),a=c?.key!==void 0):i==="}"||i==="]"?(o.pop(),c&&t.set(c.path,{start:c.start,end:l+1,line:c.line})):a&&c?c.key=Xn(i):a=Xi(t,o,{token:i,at:l,line:n})}return t}function Xi(e,t,{token:o,at:n,line:s}){let a=t.at(-1),i=a?Yi(a):"",l=o==="{";return e.set(i,{start:n,end:n+o.length,line:s}),(l||o==="[")&&t.push({path:i,index:0,key:l?"":void 0,start:n,line:s}),l}function Xn(e){try{return String(JSON.parse(e))}catch{return e}}function Yi({path:e,index:t,key:o}){return o===void 0?`${e}[${t}]`:Ki.test(o)?e===""?o:`${e}.${o}`:`${e}[${JSON.stringify(o)}]`}function Yn(e,t){for(let o=t;o!=="";o=o.replace(/(?:\.?[^.[\]]+|\[[^\]]*\])$/,"")){let n=e.get(o);if(n)return n.line}return 1}function Qn(e,t,o){let n=He(e).get(t);return n?e.slice(0,n.start)+JSON.stringify(o)+e.slice(n.end):e}function Ue(e,t){let o=He(e).get(t);if(!o||e[o.start]!=='"')return;let n=Xn(e.slice(o.start,o.end));return typeof n=="string"?n:void 0}function Je(e){try{return JSON.parse(e),!0}catch{return!1}}var Ft=["responses","tools","topic","intent","token_limits"],ze={responses:{title:"Rules",one:"rule",prompt:"prompt",label:"Prompt"},tools:{title:"Tools",one:"tool",prompt:"description",label:"Description for the model"},topic:{title:"Topic phase",one:"topic phase",prompt:"provider.prompt",label:"Prompt"},intent:{title:"Intent phase",one:"intent phase",prompt:"provider.prompt",label:"Prompt"},token_limits:{title:"Limits of API tokens",one:"limit entry",prompt:"",label:""}},Qi={responses:JSON.stringify({name:"new-rule",match:{topic_regexp:"/word/i"},llm:"",model:"",prompt:"You …"},void 0,2),tools:JSON.stringify({name:"new_tool",description:"What the tool returns, for the model",parameters:{type:"object",properties:{},required:[]},implementation:{type:"mock",mock_response:{}}},void 0,2),topic:JSON.stringify({enabled:!0,provider:{prompt:"…"}},void 0,2),intent:JSON.stringify({enabled:!0,provider:{prompt:"…"},detection:{intents:{}}},void 0,2),token_limits:"{}"};function Mo(e){let t=[],o=new Map,n={};for(let{section:s,name:a,text:i,editable:l,reason:c}of e.entries){if(s==="mcp_servers"&&(n[a]=!/"enabled": false/.test(i)),!Zi(s))continue;let u=`${s}/${a}`,d=o.get(u)??0;o.set(u,d+1);let m=d===0?u:`${u}#${d}`,$=s==="token_limits"?a:"";t.push({key:m,section:s,name:$,text:i,editable:l,reason:c??""})}return{entries:t,servers:n}}function Zi(e){return Ft.some(t=>t===e)}function De(e){let t=Mo(e);return{base:e.version,original:t,content:t,conflicts:[]}}function Ne({section:e,name:t,text:o},n){return e==="token_limits"?t:e==="topic"||e==="intent"?ze[e].title:Ue(o,"name")||`${ze[e].one} ${n+1}`}function le(e,t){return e.entries.filter(o=>o.section===t)}function Ge(e,t){let o=le(e,t.section).indexOf(t);return t.section==="responses"?`responses[${o}]`:t.section==="token_limits"?`limits.principals.${t.name}`:t.section==="tools"?`tools.registry[${o}]`:t.section}var We=(e,t)=>le(e,t).map(({text:o})=>o),Eo=(e,t)=>JSON.stringify(e)===JSON.stringify(t);function Ke({original:e,content:t}){return Ft.some(o=>!Eo(We(e,o),We(t,o)))||Object.keys(Zn(e,t)).length>0||!Eo(e.servers,t.servers)}function Xe({base:e,original:t,content:o}){let n={base:e};for(let i of["responses","tools"]){let l=We(o,i);Eo(l,We(t,i))||(n[i]=l)}for(let i of["topic","intent"]){let l=We(o,i)[0]??"";l!==(We(t,i)[0]??"")&&(n[i]=l)}let s=Zn(t,o);Object.keys(s).length>0&&(n.token_limits=s);let a=Object.entries(o.servers).filter(([i,l])=>t.servers[i]!==l);return a.length>0&&(n.mcp_servers=Object.fromEntries(a)),n}function Zn(e,t){let o=new Map(le(e,"token_limits").map(({name:a,text:i})=>[a,i])),n=new Map(le(t,"token_limits").map(({name:a,text:i})=>[a,i])),s=[...new Set([...o.keys(),...n.keys()])];return Object.fromEntries(s.filter(a=>o.get(a)!==n.get(a)).map(a=>[a,n.get(a)??""]))}function Bt(e){return`token_limits/${e}`}function er(e,t,o){let n=Bt(t);if(o==="")return Io(e,n);if(e.content.entries.some(a=>a.key===n))return lt(e,n,o);let s={key:n,section:"token_limits",name:t,text:o,editable:!0,reason:""};return{...e,content:{...e.content,entries:[...e.content.entries,s]}}}function lt(e,t,o){let n=e.content.entries.map(s=>s.key===t?{...s,text:o}:s);return{...e,content:{...e.content,entries:n}}}function tr(e,t,o){return{...e,content:{...e.content,servers:{...e.content.servers,[t]:o}}}}function or(e,t){let{content:o}=e,n=1;for(;o.entries.some(({key:l})=>l===`new/${t}/${n}`);)n+=1;let s=`new/${t}/${n}`,a={key:s,section:t,name:"",text:Qi[t],editable:!0,reason:""},i=t==="responses"?[a,...o.entries]:[...o.entries,a];return{draft:{...e,content:{...o,entries:i}},key:s}}function Io(e,t){return{...e,content:{...e.content,entries:e.content.entries.filter(o=>o.key!==t)}}}function Do(e,t,o){let n=e.content.entries.find(c=>c.key===t);if(!n)return e;let s=le(e.content,n.section),a=s.indexOf(n),i=s[a+o];if(!i)return e;let l=[...e.content.entries];return l[e.content.entries.indexOf(n)]=i,l[e.content.entries.indexOf(i)]=n,{...e,content:{...e.content,entries:l}}}function No(e,t){return e.original.entries.find(o=>o.key===t)}function nr(e){return new Set(e.content.entries.filter(({key:t,text:o})=>No(e,t)?.text!==o).map(({key:t})=>t))}var Ao=`flexchat.draft.${be}`;function jt(){let e=localStorage.getItem(Ao);if(e===null||!Je(e))return;let t=JSON.parse(e);return Array.isArray(t.content?.entries)&&Array.isArray(t.original?.entries)?t:void 0}function Vt(e){try{return e&&Ke(e)?localStorage.setItem(Ao,JSON.stringify(e)):localStorage.removeItem(Ao),!0}catch{return!1}}function Ht(e,t,o=String){let[n,s]=[e.map(o),t.map(o)],a=0;for(;a<e.length&&a<t.length&&n[a]===s[a];)a+=1;let[i,l]=[e.length,t.length];for(;i>a&&l>a&&n[i-1]===s[l-1];)i-=1,l-=1;let c=tl(n.slice(a,i),s.slice(a,l)),u=[...Array.from({length:a},(d,m)=>[m,m]),...c.map(([d,m])=>[d+a,m+a]),...Array.from({length:e.length-i},(d,m)=>[i+m,l+m])];return el(e,t,u)}function el(e,t,o){let n=[],[s,a]=[0,0];for(let[i,l]of[...o,[e.length,t.length]]){for(;s<i;s+=1)n.push({change:"removed",a:e[s],b:void 0});for(;a<l;a+=1)n.push({change:"added",a:void 0,b:t[a]});s<e.length&&a<t.length&&n.push({change:"same",a:e[s],b:t[a]}),s+=1,a+=1}return n}function tl(e,t){if(e.length*t.length>4e6)return[];let o=t.length+1,n=new Uint16Array((e.length+1)*o),s=(i,l)=>n[i*o+l]??0;for(let i=e.length-1;i>=0;i-=1)for(let l=t.length-1;l>=0;l-=1)n[i*o+l]=e[i]===t[l]?s(i+1,l+1)+1:Math.max(s(i+1,l),s(i,l+1));let a=[];for(let[i,l]=[0,0];i<e.length&&l<t.length;)e[i]===t[l]?a.push([i++,l++]):s(i+1,l)>=s(i,l+1)?i+=1:l+=1;return a}var ol=e=>e.trim();function Ut(e,t){let o=[];for(let{change:n,a:s,b:a}of Ht(rr(e),rr(t),ol)){let i=s??a??"",l=o.at(-1);l?.change===n?l.text+=i:o.push({change:n,text:i})}return o}function rr(e){return e.match(/\s*\S+\s*|\s+/g)??[]}function sr(e,t){let o=[],n=[];for(let s of Ht(e,t,({tool:a,params:i})=>`${a} ${Po(i)}`)){s.change==="same"&&(n=[]);let a=s.change==="added"?n.find(i=>i.a?.tool===s.b?.tool):void 0;if(a)Object.assign(a,{change:"changed",b:s.b}),n=n.filter(i=>i!==a);else{let i={...s};o.push(i),s.change==="removed"&&n.push(i)}}return o}function Po(e){return Array.isArray(e)?`[${e.map(Po).join(",")}]`:typeof e!="object"||e===null?JSON.stringify(e)??"":`{${Object.entries(e).sort(([o],[n])=>o<n?-1:1).map(([o,n])=>`${JSON.stringify(o)}:${Po(n)}`).join(",")}}`}var ar=3,lr={responses:"rule",tools:"tool",topic:"topic phase",intent:"intent phase",token_limits:"limits of a token",mcp_servers:"MCP server",llms:"LLM",rag_services:"service",settings:"settings"};function Jt({before:e,after:t,none:o}){let n=z(()=>al(e,t),[e,t]),s=z(()=>["responses","tools"].filter(a=>il(a,e,t)),[e,t]);return n.length===0&&s.length===0?r`<p>${o}</p>`:r`
    <ul class="conf-changes">
      ${s.map(a=>r`<li><${L}>${lr[a]}s<//> <${v} tone="plain">in another order<//></li>`)}
      ${n.map(a=>r`<li key=${a.key}><${nl} pair=${a} /></li>`)}
    </ul>
  `}function nl({pair:{section:e,name:t,before:o,after:n}}){let s=z(()=>ll(ir(e,o),ir(e,n)),[e,o,n]);return r`
    <div class="row"><${L}>${lr[e]??e}<//> <strong>${t}</strong> <${v} tone="plain">${rl(o,n)}<//></div>
    <div class="scroll" tabindex="0" role="region" aria-label=${`Changed lines of ${t}`}>
      <pre class="conf-diff">${s.map(a=>r`<${sl} row=${a} />`)}</pre>
    </div>
  `}function rl(e,t){return e===void 0?"added":t===void 0?"removed":"changed"}function sl({row:{change:e,text:t}}){return e==="added"?r`<ins>+ ${t}</ins>`:e==="removed"?r`<del>- ${t}</del>`:e==="gap"?r`<span class="conf-gap">${t}</span>`:r`<span>  ${t}</span>`}function al(e,t){let[o,n]=[new Map(e.map(s=>[s.key,s])),new Map(t.map(s=>[s.key,s]))];return[...new Set([...n.keys(),...o.keys()])].flatMap(s=>{let[a,i]=[o.get(s),n.get(s)],l=i??a;return!l||a?.text===i?.text?[]:[{key:s,section:l.section,name:l.name,before:a?.text,after:i?.text}]})}function il(e,t,o){let n=l=>l.filter(c=>c.section===e).map(({key:c})=>c),[s,a]=[n(t),n(o)],i=new Set(s.filter(l=>a.includes(l)));return s.filter(l=>i.has(l)).join(`
`)!==a.filter(l=>i.has(l)).join(`
`)}function ir(e,t){if(t===void 0)return[];let o=e==="responses"?"prompt":"provider.prompt",n=Ue(t,o),s=He(t).get(o);if(n===void 0||!s||!n.includes(`
`))return t.split(`
`);let a=`${t.slice(0,s.start)}|${t.slice(s.end)}`.split(`
`),i=" ".repeat(6);return[...a.slice(0,s.line),...n.split(`
`).map(l=>i+l),...a.slice(s.line)]}function ll(e,t){let o=Ht(e,t).map(({change:i,a:l,b:c})=>({change:i,text:c??l??""})),n=o.map((i,l)=>o.slice(Math.max(0,l-ar),l+ar+1).some(({change:c})=>c!=="same")),s=[],a=0;for(let[i,l]of o.entries())n[i]||(a+=1),a>0&&(n[i]||i===o.length-1)&&(s.push({change:"gap",text:`… ${h(a,"equal line")}`}),a=0),n[i]&&s.push(l);return s}var cl=4,ul=32;function Lo({label:e,value:t,problems:o,readOnly:n=!1,wrap:s=!1,onValue:a}){let i=j(),l=E(null),c=E(null),u=t.split(`
`),d=Math.min(ul,Math.max(cl,u.length+1)),m=new Map(o.map(({line:g,severity:T})=>[g,T])),$=()=>{c.current&&l.current&&(c.current.scrollTop=l.current.scrollTop)};C($,[t]);let p=g=>{let T=u.slice(0,g-1).reduce((w,_)=>w+_.length+1,0);l.current?.focus(),l.current?.setSelectionRange(T,T+(u[g-1]?.length??0))};return r`
    <div class="field code-entry">
      <label for=${i}>${e}</label>
      <div class="code-field">
        ${!s&&r`<pre class="code-lines" aria-hidden="true" ref=${c} style=${{height:`${d*18+10}px`}}>${u.map((g,T)=>r`<span data-severity=${m.get(T+1)}>${m.has(T+1)?"!":""}${T+1}</span>`)}</pre>`}
        <textarea
          id=${i}
          ref=${l}
          class="code-text"
          data-wrap=${s}
          rows=${d}
          wrap=${s?"soft":"off"}
          spellcheck=${s}
          autocomplete="off"
          autocapitalize="off"
          readonly=${n}
          aria-invalid=${o.some(({severity:g})=>g==="error")}
          aria-describedby=${o.length>0?`${i}-problems`:void 0}
          value=${t}
          onScroll=${$}
          onInput=${g=>a(g.currentTarget.value)}
        ></textarea>
      </div>
      ${o.length>0&&r`<ul class="code-problems" id=${`${i}-problems`}>
          ${o.map(({line:g,severity:T,text:w})=>r`<li>
              <button type="button" class="quiet" onClick=${()=>p(g)}>
                <${v} tone=${T==="error"?"bad":"warn"}>${s?"":`Line ${g}: `}${w}<//>
              </button>
            </li>`)}
        </ul>`}
    </div>
  `}function cr({draft:e,entry:t,problems:o,onDraft:n}){let{section:s,key:a,text:i,editable:l}=t,c=le(e.content,s),u=c.indexOf(t),{prompt:d,label:m,one:$}=ze[s],p=d!==""&&Je(i)?Ue(i,d):void 0,g=No(e,a),T=s==="responses"||s==="tools",w=dl(o,Ge(e.content,t),i),_=p===void 0?[]:w.filter(({path:q})=>q===d);return r`
    <section class="stack" aria-label=${`Editor of ${Ne(t,u)}`}>
      <div class="row spread">
        <h2>${Ne(t,u)}</h2>
        <div class="row">
          ${T&&r`<button type="button" disabled=${u===0} onClick=${()=>n(Do(e,a,-1))}>Move up</button>
            <button type="button" disabled=${u===c.length-1} onClick=${()=>n(Do(e,a,1))}>Move down</button>`}
          ${g&&g.text!==i&&r`<button type="button" onClick=${()=>n(lt(e,a,g.text))}>Reset</button>`}
          <button type="button" onClick=${()=>n(Io(e,a))}>Remove ${$}</button>
        </div>
      </div>
      ${e.conflicts.includes(a)&&r`<p class="notice">! The published version changed this ${$} too. The text is that of your draft; publishing replaces theirs.</p>`}
      ${!l&&r`<p class="notice">! This ${$} ${t.reason}.</p>`}
      ${p!==void 0&&r`<${Lo}
          key=${`${a}:prompt`}
          label=${m}
          value=${p}
          wrap
          readOnly=${!l}
          problems=${_}
          onValue=${q=>n(lt(e,a,Qn(i,d,q)))}
        />`}
      <${Lo}
        key=${`${a}:json`}
        label="Whole entry as JSON"
        value=${i}
        readOnly=${!l}
        problems=${w.filter(q=>!_.includes(q))}
        onValue=${q=>n(lt(e,a,q))}
      />
    </section>
  `}function dl(e,t,o){let n=He(o);return e.filter(s=>ct(s.path,t)).map(({path:s,severity:a,message:i,line:l})=>{let c=s.slice(t.length).replace(/^\./,"");return{path:c,severity:a,line:l??Yn(n,c),text:c?`${c}: ${i}`:i}})}function ct(e,t){return e===t||e.startsWith(`${t}.`)||e.startsWith(`${t}[`)}function ur({draft:e,chosen:t,problems:o,onChoose:n,onDraft:s}){let a=nr(e),i=l=>{let c=or(e,l);s(c.draft),n(c.key)};return r`
    <nav class="stack" aria-label="Entries">
      ${Ft.map(l=>{let c=le(e.content,l),{title:u,one:d}=ze[l],m=l==="responses"||l==="tools";if(l==="token_limits"&&c.length===0)return null;let $=l!=="token_limits"&&(m||c.length===0);return r`
          <section class="stack conf-entries" key=${l} aria-label=${u}>
            <div class="row spread">
              <h2>${u} ${m&&r`<small>${y(c.length)}</small>`}</h2>
              ${$&&r`<button type="button" class="quiet" onClick=${()=>i(l)}>Add ${d}</button>`}
            </div>
            <ul>
              ${c.map((p,g)=>{let T=o.filter(({path:_})=>ct(_,Ge(e.content,p))),w=T.filter(({severity:_})=>_==="error").length;return r`<li key=${p.key}>
                  <button type="button" aria-current=${p.key===t?"true":void 0} onClick=${()=>n(p.key)}>
                    <span>${Ne(p,g)}</span>
                    <small>
                      ${a.has(p.key)&&"changed "}
                      ${e.conflicts.includes(p.key)&&"conflict "}
                      ${w>0?`✕ ${w}`:T.length>0&&`! ${T.length}`}
                    </small>
                  </button>
                </li>`})}
            </ul>
          </section>
        `})}
      ${Object.keys(e.content.servers).length>0&&r`<section class="stack conf-entries" aria-label="MCP servers">
          <h2>MCP servers</h2>
          ${Object.entries(e.content.servers).map(([l,c])=>r`<label class="check" key=${l}>
              <input type="checkbox" checked=${c} onChange=${u=>s(tr(e,l,u.currentTarget.checked))} />
              ${l}: ${c?"on":"off"}
            </label>`)}
        </section>`}
    </nav>
  `}var ml=[{since:"1d",title:"the last day"},{since:"7d",title:"the last 7 days"},{since:"30d",title:"the last 30 days"}];function dr({draft:e}){let[t,o]=f("7d"),[n,s]=f(void 0),a=O(),i=()=>a.run(async l=>{let c=await Q.profiles(t,l),u=c.profiles.map(({id:d,fields:m})=>({id:d,fields:m}));s({profiles:c,matches:await Q.match(Xe(e),u,l)})});return r`
    <section class="stack" aria-label="Rules on recorded chats">
      <p>The rule that would answer the newest recorded chats, by your draft and by the published configuration. No model is called.</p>
      <div class="row">
        <label>Chats of <select value=${t} onChange=${l=>o(l.currentTarget.value)}>
          ${ml.map(({since:l,title:c})=>r`<option value=${l}>${c}</option>`)}
        </select></label>
        <button type="button" class="primary" disabled=${a.busy} onClick=${i}>Match the rules</button>
        ${a.busy&&r`<${S} label="Matching the rules" since=${a.since} />`}
      </div>
      ${a.error&&r`<${b} error=${a.error} onRetry=${i} />`}
      ${n&&!a.busy&&r`<${pl} preview=${n} />`}
    </section>
  `}function pl({preview:{profiles:e,matches:t}}){let o=new Map(e.profiles.map(s=>[s.id,s])),n=t.matches.filter(s=>s.changed).length;return(t.problems??[]).length>0?r`<p class="notice">! The rules of the draft have errors. Fix them, then match the rules again.</p>`:r`
    <p role="status">
      ${t.matches.length===0?"No recorded chat has a profile.":r`<${v} tone=${n>0?"warn":"good"}>${n>0?`${h(n,"chat")} of ${y(t.matches.length)} would get another rule`:`No chat of ${y(t.matches.length)} would get another rule`}<//>`}
    </p>
    ${e.without_profile>0&&r`<p><small>${h(e.without_profile,"other chat")} cannot be matched: <code>traces.content</code> of the configuration does not record their text, or their request named the rule.</small></p>`}
    ${t.matches.length>0&&r`<${Te} label="Matched rules" caption="Rules of recorded chats, changed ones first" columns=${["Message","Published","Draft","Result"]}>
        ${t.matches.map(s=>{let a=o.get(s.id);return r`<tr key=${s.id}>
            <td>${a?.message||"(no text)"} <small>${a&&r`<${M} at=${a.started_at} />`} <${re} id=${s.id} /></small></td>
            <td>${s.published??"no rule"}</td>
            <td>${s.draft??"no rule"}</td>
            <td><${v} tone=${s.changed?"warn":"plain"}>${s.changed?"changed":"same"}<//></td>
          </tr>`})}
      <//>`}
  `}function mr(e,t){let o=Mo(t),{original:n,content:s}=e,a=[],i=o.entries.flatMap(l=>{let{kept:c,conflict:u}=$l(l,Wt(n,l.key),Wt(s,l.key));return u&&a.push(l.key),c});for(let[l,c]of s.entries.entries()){let u=Wt(n,c.key);if(Wt(o,c.key)||u?.text===c.text)continue;u&&a.push(c.key);let d=s.entries.slice(l+1).find(({key:m})=>i.some($=>$.key===m));i.splice(d?i.findIndex(({key:m})=>m===d.key):i.length,0,c)}return{base:t.version,original:o,content:{entries:hl(n,s)?bl(i,s):i,servers:fl(e,o)},conflicts:a}}function Wt(e,t){return e.entries.find(o=>o.key===t)}function $l(e,t,o){let n=t?.text!==e.text;return!o&&t?{kept:n?[e]:[],conflict:n}:!o||o.text===t?.text?{kept:[e],conflict:!1}:{kept:[{...e,text:o.text}],conflict:n&&o.text!==e.text}}function fl({original:e,content:t},o){let n=Object.entries(t.servers).filter(([s,a])=>s in o.servers&&e.servers[s]!==a);return{...o.servers,...Object.fromEntries(n)}}function hl(e,t){let o=new Set(t.entries.map(({key:i})=>i)),n=e.entries.map(({key:i})=>i).filter(i=>o.has(i)),s=new Set(n),a=t.entries.map(({key:i})=>i).filter(i=>s.has(i));return n.some((i,l)=>i!==a[l])}function bl(e,t){let o=new Map(t.entries.map(({key:n},s)=>[n,s]));return[...e].sort((n,s)=>(o.get(n.key)??1/0)-(o.get(s.key)??1/0)||0)}var gl=500;function pr({check:e,changed:t,outdated:o,editingProblem:n,publishing:s,onPublish:a,onDiscard:i}){let[l,c]=f(""),{errors:u}=$r(e),d=e.result!==void 0&&!e.checking&&u===0,m=t&&!o&&n===""&&d&&!s.busy;return r`
    <form class="stack conf-publish" aria-label="Publish" onSubmit=${async p=>{p.preventDefault(),m&&(await a(l.trim()),c(""))}}>
      <p role="status">${t?r`<${yl} check=${e} />`:"The draft has no changes."}</p>
      ${e.error&&r`<${b} error=${e.error} />`}
      ${n&&r`<p class="notice">! ${n}.</p>`}
      ${t&&r`<${qo} value=${l} onValue=${c} />`}
      ${t&&r`<div class="row">
          <button type="submit" class="primary" disabled=${!m}>Publish</button>
          <${vl} busy=${s.busy} onDiscard=${i} />
          ${s.busy&&r`<${S} label="Publishing" since=${s.since} />`}
        </div>`}
      ${s.error&&s.error.code!=="configuration_changed"&&r`<${b} error=${s.error} />`}
    </form>
  `}function $r({result:e}){let t=e?.problems??[],o=t.filter(({severity:n})=>n==="error").length;return{errors:o,warnings:t.length-o}}function yl({check:e}){let{errors:t,warnings:o}=$r(e);if(e.checking)return"Checking the draft …";if(!e.result)return null;let n=o>0?h(o,"warning"):"no problems";return t>0?r`<${v} tone="bad">${h(t,"error")}${o>0&&`, ${n}`}<//>`:r`<${v} tone=${o>0?"warn":"good"}>${h(e.result.changes.length,"change")}, ${n}<//>`}function qo({value:e,onValue:t}){let o=j();return r`<div class="field">
    <label for=${o}>Comment</label>
    <input
      id=${o}
      type="text"
      maxlength=${gl}
      placeholder="Why, for the history"
      value=${e}
      onInput=${n=>t(n.currentTarget.value)}
    />
  </div>`}function vl({busy:e,onDiscard:t}){let[o,n]=f(!1);return r`
    <button type="button" disabled=${e} onClick=${()=>n(!0)}>Discard draft</button>
    <${Z} title="Discard the draft?" open=${o} onClose=${()=>n(!1)}>
      <p>Its changes are deleted from this browser. The published configuration stays.</p>
      <div class="row">
        <button type="button" class="primary" onClick=${()=>{n(!1),t()}}>Discard changes</button>
        <button type="button" autofocus onClick=${()=>n(!1)}>Keep draft</button>
      </div>
    <//>
  `}function Fo(e){return[...e.entries.map(t=>({section:t.section,key:t.key,name:Ne(t,le(e,t.section).indexOf(t)),text:t.text})),...Object.entries(e.servers).map(([t,o])=>({section:"mcp_servers",key:`mcp_servers/${t}`,name:t,text:o?"on":"off"}))]}function Bo(e){let t=new Map;return e.entries.map(({section:o,name:n,path:s,text:a})=>{let i=`${o}/${n}`,l=t.get(i)??0;return t.set(i,l+1),{section:o,key:l===0?i:`${i}#${l}`,name:n||s,text:a}})}var wl=400;function fr(e){let[t,o]=f({result:void 0,error:void 0,checking:!1}),n=e&&Ke(e)?JSON.stringify(Xe(e)):"";return C(()=>{if(n===""){o({result:void 0,error:void 0,checking:!1});return}let s=new AbortController;o(i=>({...i,checking:!0}));let a=setTimeout(()=>{Q.check(JSON.parse(n),s.signal).then(i=>o({result:i,error:void 0,checking:!1}),i=>{s.signal.aborted||o(l=>({...l,error:Fe(i),checking:!1}))})},wl);return()=>{clearTimeout(a),s.abort()}},[n]),t}var hr=[];function br({params:e}){let t=F(o=>Q.source(o));return t.data?r`<${kl} source=${t.data} params=${e} onReload=${t.reload} />`:r`<${U} title="Edit the configuration" controls=${r`<${ye} mode="edit" />`}>
      ${t.error?r`<${b} error=${t.error} onRetry=${t.reload} />`:r`<${R} lines=${8} label="the configuration" />`}
    <//>`}function kl({source:e,params:t,onReload:o}){let n=xl(e,o),{draft:s,check:a,changed:i,outdated:l,publishing:c}=n,u=s.content.entries,d=u.find(({key:g})=>g===t.entry)??u[0],m=g=>x("configuration",{mode:"edit",entry:g},{replace:!0}),$=a.result?.problems??hr;G([{keys:"/",label:"Choose an entry",run:Sl}]);let p=r`
    <${ye} mode="edit" />
    <${pr}
      check=${a}
      changed=${i}
      outdated=${l}
      editingProblem=${e.editing_problem??""}
      publishing=${c}
      onPublish=${n.publish}
      onDiscard=${n.discard}
    />
    <${ur} draft=${s} chosen=${d?.key??""} problems=${$} onChoose=${m} onDraft=${n.change} />
  `;return r`
    <${U} title="Edit the configuration" controls=${p}>
      ${n.published&&r`<p role="status"><${v} tone="good">Version ${n.published.number} is published. Functions read it within a minute.<//></p>`}
      ${l&&r`<${Cl} source=${e} error=${c.error} busy=${c.busy} onMerge=${n.merge} onDiscard=${n.discard} />`}
      ${!n.isStored&&r`<p class="notice">! This browser has no room for the draft: it is lost when you close or reload the page.</p>`}
      <${_l} draft=${s} problems=${$} />
      <${Tl} draft=${s} chosen=${d} check=${a} onDraft=${n.change} />
    <//>
  `}function Sl(){document.querySelector(".conf-entries li button")?.focus()}function xl(e,t){let[o,n]=f(()=>jt()??De(e)),[s,a]=f(!0),[i,l]=f(void 0),c=O(),u=fr(o),d=Ke(o),m=c.error?.code==="configuration_changed",$=d&&(m||o.base!==e.version||u.result?.outdated===!0);C(()=>a(Vt(o)),[o]),C(()=>{n(w=>Ke(w)||w.base===e.version?w:De(e))},[e]);let p=w=>{l(void 0),n(w)},g=w=>c.run(async _=>{n(w(await Q.source(_))),t()});return{draft:o,isStored:s,published:i,publishing:c,check:u,changed:d,outdated:$,change:p,publish:w=>c.run(async _=>{let q=await Q.publish(Xe(o),w,_);n(De(await Q.source(_))),l(q.published),t()}),merge:()=>g(w=>mr(o,w)),discard:()=>g(De)}}function Tl({draft:e,chosen:t,check:o,onDraft:n}){let s=z(()=>Fo(e.original),[e.original]),a=z(()=>Fo(e.content),[e.content]),i=o.result?.problems??hr,l=[{name:"Entry",content:()=>t?r`<${cr} key=${t.key} draft=${e} entry=${t} problems=${i} onDraft=${n} />`:r`<${V} title="No entries"><p>Add a rule or a tool.</p><//>`},{name:"Changes",note:o.result?String(o.result.changes.length):"",content:()=>r`<${Jt} before=${s} after=${a} none="The draft has no changes." />`},{name:"Matched rules",content:()=>r`<${dr} draft=${e} />`}];return r`<${pe} label="Draft" tabs=${l} />`}function _l({draft:{content:e},problems:t}){let o=e.entries.map(s=>Ge(e,s)),n=t.filter(s=>!o.some(a=>ct(s.path,a)));return n.length===0?null:r`<ul class="conf-problems" aria-label="Other problems">
    ${n.map(({path:s,message:a,severity:i})=>{let l=i==="error"?"bad":"warn";return r`<li data-tone=${l}><${v} tone=${l}>${s&&r`<code>${s}</code> `}${a}<//></li>`})}
  </ul>`}function Cl({source:e,error:t,busy:o,onMerge:n,onDiscard:s}){return r`
    <section class="problem" role="alert" aria-label="Newer version">
      <h3><span aria-hidden="true">!</span> The configuration was published again</h3>
      <p><${Ol} source=${e} error=${t} /></p>
      <div class="row">
        <button type="button" class="primary" disabled=${o} onClick=${n}>Merge draft with it</button>
        <button type="button" disabled=${o} onClick=${s}>Discard draft and reload</button>
      </div>
    </section>
  `}function Ol({source:{published:e},error:t}){return t?.code==="configuration_changed"?t.message:e?r`${e.by??"Another writer"} published version ${e.number}${e.comment&&` (“${e.comment}”)`} <${M} at=${e.published_at} />.`:"Another writer published a version since your draft began."}var Rl={tone:"good",label:"active"},gr={tone:"plain",label:"disabled"},zt={tone:"bad",label:"not used"},El={tone:"warn",label:"has a problem"};function jo({disabled:e,tools:t,tool_settings:{disabled_types:o}}){let n=new Set(e.map(({kind:a,name:i})=>`${a} ${i}`)),s=new Set(t.filter(({enabled:a,type:i})=>a===!1||i&&o.includes(i)).map(({name:a})=>a));return(a,{name:i,problems:l})=>a==="tool"&&s.has(i)?gr:n.has(`${a} ${i}`)?zt:l.length>0?El:Rl}function Ye(e){return new Set(e?.llms.filter(({demo:t})=>t).map(({name:t})=>t))}function yr(e){let t=jo(e),{rules:o,tools:n,llms:s,services:a,phases:i,validation:l}=e,u=[["rule",o],["tool",n],["llm",s],["service",a],["phase",Object.entries(i).map(([m,$])=>({name:m,problems:$?.problems??[]}))],["schedule",[{name:"validation",problems:l.problems}]]].flatMap(([m,$])=>$.filter(({problems:p})=>p.length>0).map(p=>({kind:m,name:p.name,problems:p.problems,state:t(m,p)}))),d=new Set(u.map(({kind:m,name:$})=>`${m} ${$}`));for(let{kind:m,name:$,problems:p}of e.disabled)d.has(`${m} ${$}`)||u.push({kind:m,name:$,problems:p,state:zt});return u.filter(({state:m})=>m!==gr).sort((m,$)=>+($.state===zt)-+(m.state===zt))}function Gt(e,t){let o=e.filter(({kind:n})=>t.includes(n)).length;return o>0?` ! ${o}`:""}function vr(e){return Object.entries(e).map(([t,o])=>{let n=typeof o=="string"?o:JSON.stringify(o);return t.endsWith("_regexp")?{field:t.slice(0,-7),relation:"matches",value:n}:t.endsWith("_contains")?{field:t.slice(0,-9),relation:"contains",value:n}:t==="rag_results"&&o==="any"?{field:t,relation:"is",value:"match or partial"}:{field:t,relation:"is",value:n}})}function wr({params:e}){let t=F(i=>Q.versions(i)),o=t.data?.versions??[],n=o.find(({number:i})=>String(i)===e.version)??o[0],s=n?o.indexOf(n):-1,a=r`
    <${ye} mode="history" />
    ${t.error&&r`<${b} error=${t.error} onRetry=${t.reload} />`}
    ${!t.data&&!t.error&&r`<${R} lines=${6} label="the history" />`}
    ${t.data&&!t.data.recorded&&r`<p class="notice">! The active configuration was published without a record. The next publication records it.</p>`}
    <nav class="conf-entries" aria-label="Versions">
      <ul>
        ${o.map(i=>r`<li key=${i.number}>
            <button type="button" aria-current=${i===n?"true":void 0} onClick=${()=>x("configuration",{mode:"history",version:String(i.number)},{replace:!0})}>
              <span>Version ${i.number}${i.active&&" · active"}</span>
              <small>${i.comment||"no comment"} · <${M} at=${i.published_at} /></small>
            </button>
          </li>`)}
      </ul>
    </nav>
  `;return r`
    <${U} title="History of the configuration" controls=${a}>
      ${t.data&&!n&&r`<${V} title="No recorded version"><p>Each publication is recorded with its author, comment and changes.</p><//>`}
      ${n&&r`<${Al} key=${n.number} version=${n} before=${o[s+1]} active=${o[0]} onRestored=${t.reload} />`}
    <//>
  `}function Al({version:e,before:t,active:o,onRestored:n}){let[s,a]=f("before");return r`
    <section class="stack" aria-label=${`Version ${e.number}`}>
      <div class="row spread">
        <h2>Version ${e.number}</h2>
        ${!e.active&&r`<${Il} version=${e} onRestored=${n} />`}
      </div>
      <dl class="conf-facts">
        <dt>Published</dt>
        <dd><${M} at=${e.published_at} /> by ${e.by??"an author who was not recorded"}</dd>
        ${e.comment&&r`<dt>Comment</dt><dd>${e.comment}</dd>`}
        ${e.restores&&r`<dt>Rolls back to</dt><dd>version ${e.restores}</dd>`}
      </dl>
      ${!e.active&&r`<div class="row" role="group" aria-label="Comparison">
          <button type="button" aria-pressed=${s==="before"?"true":"false"} onClick=${()=>a("before")}>Changes of this version</button>
          <button type="button" aria-pressed=${s==="active"?"true":"false"} onClick=${()=>a("active")}>Changes of a roll back</button>
        </div>`}
      <${Ml} version=${e} other=${s==="active"?o:t} />
    </section>
  `}function Ml({version:e,other:t}){let o=F(async a=>({own:await Q.version(e.number,a),other:t&&await Q.version(t.number,a)}),[e.number,t?.number]);if(!t)return r`<p>The oldest recorded version has no version to compare with.</p>`;if(o.error)return r`<${b} error=${o.error} onRetry=${o.reload} />`;if(!o.data?.other||o.loading)return r`<${R} lines=${4} label="the changes" />`;let{own:n,other:s}=o.data;return r`<${Jt} before=${Bo(s)} after=${Bo(n)} none="Both versions have the same entries." />`}function Il({version:e,onRestored:t}){let o=O(),[n,s]=f(!1),[a,i]=f(""),l=c=>{c.preventDefault(),o.run(async u=>{let d=await Q.source(u),{published:m}=await Q.restore(e.number,d.version,a.trim());s(!1),t(),x("configuration",{mode:"history",version:String(m.number)})})};return r`
    <button type="button" onClick=${()=>s(!0)}>Roll back to this version</button>
    <${Z} title=${`Roll back to version ${e.number}?`} open=${n} onClose=${()=>s(!1)}>
      <form class="stack" onSubmit=${l}>
        <p>Its configuration is published again, as a new version. Secrets are not changed.</p>
        <${qo} value=${a} onValue=${i} />
        <div class="row">
          <button type="submit" class="primary" disabled=${o.busy}>Roll back</button>
          <button type="button" onClick=${()=>s(!1)}>Cancel</button>
          ${o.busy&&r`<${S} label="Publishing" since=${o.since} />`}
        </div>
        ${o.error&&r`<${b} error=${o.error} />`}
      </form>
    <//>
  `}var Dl=200;function Kt({tool:e}){let t=r`
    <span class="tool-head">
      <strong class="mono">${e.name}</strong>
      <${L}>${_e(e.implementation.type)}<//>
    </span>
    <span class="tool-line">${W(e.description,Dl)}</span>
  `;return r`<li class="tool-card">
    <${I} summary=${t}>
      <p><${v} tone="good">enabled<//></p>
      <${D} value=${e.description} label=${`Description of ${e.name}`} />
      <${D} value=${e.parameters} label=${`Parameters of ${e.name}`} />
    <//>
  </li>`}function Xt({tool:e}){return r`<li class="tool-card tool-disabled">
    <span class="tool-head">
      <strong class="mono">${e.name}</strong>
      <${v} tone="warn">disabled<//>
    </span>
    <ul>${e.problems.map(t=>r`<li>${t}</li>`)}</ul>
  </li>`}var kr=`flexchat tokens create --stage ${be} --name "an operator" --role operator`;function Sr(){return r`
    <div class="notice stack" role="status">
      <h2>! Operator role required</h2>
      <p>Rules, services and settings are visible to tokens with the role <strong>operator</strong>. Create one with:</p>
      <p><code>${kr}</code></p>
      <div class="row">
        <${J} text=${kr} label="Copy command" />
        <button type="button" onClick=${Rn}>Enter another token</button>
      </div>
    </div>
  `}function xr(){return r`
    <section class="stack" aria-label="Tools"><h2>Tools</h2><${Nl} /></section>
    <section class="stack" aria-label="Models"><h2>Models</h2><${Pl} /></section>
  `}function Nl(){let{data:e,error:t,reload:o}=ke(),n=e?.disabled.filter(({kind:s})=>s==="tool")??[];return t?r`<${b} error=${t} onRetry=${o} />`:e?e.tools.length+n.length===0?r`<p>No tools are configured.</p>`:r`
    <ul class="tool-cards">
      ${n.map(s=>r`<${Xt} key=${`off ${s.name}`} tool=${s} />`)}
      ${e.tools.map(s=>r`<${Kt} key=${s.name} tool=${s} />`)}
    </ul>
  `:r`<${R} lines=${6} label="the tools" />`}function Pl(){let{data:e,error:t,reload:o}=ie(),[n]=f(()=>performance.now());return t?r`<${b} error=${t} onRetry=${o} />`:e?r`
    ${e.errors.map(({llm:s,error:a})=>r`<p>! <code>${s}</code> did not list its models: ${a}</p>`)}
    ${e.models.length===0?r`<p>No models available.</p>`:r`<${Ll} models=${e.models} />`}
  `:r`<p><${S} label="Loading models" since=${n} /></p>`}function Ll({models:e}){return r`
    <${Te} label="Models" caption="Available models" columns=${["Model","Provider","Tool calling","Last tested"]}>
      ${e.map(({id:t,provider:o,validation:n,demo:s})=>r`
          <tr>
            <th scope="row" class="mono">${t}</th>
            <td><${L}>${o}<//></td>
            <td><${je} validation=${n} demo=${s} /></td>
            <td>${n.last_tested?r`<${M} at=${n.last_tested} />`:"never"}</td>
          </tr>
        `)}
    <//>
  `}var Ho="conf-intent";function Tr({draft:e,problem:t,busy:o,intents:n,services:s,onDraft:a,onRun:i,onCancel:l}){let c=j(),u=m=>{m.preventDefault(),i()},d=m=>$=>a({[m]:$.currentTarget.value});return r`
    <form class="stack" onSubmit=${u}>
      <h2>Rule test</h2>
      <p>Enter profile fields to see the rule that matches. Empty fields are unset. No model is called.</p>
      <${Vo} id=${Ho} label="Intent" value=${e.intent} suggestions=${n} onInput=${d("intent")} />
      <${Vo} label="Service" value=${e.service} suggestions=${s} onInput=${d("service")} />
      <${Vo} label="Topic" value=${e.topic} suggestions=${[]} onInput=${d("topic")} />
      <label class="field">
        Search result
        <select value=${e.rag_results} onChange=${d("rag_results")}>
          <option value="" selected=${e.rag_results===""}>none</option>
          <option value="partial" selected=${e.rag_results==="partial"}>partial</option>
          <option value="match" selected=${e.rag_results==="match"}>match</option>
        </select>
      </label>
      <label class="field">
        More fields, as JSON
        <textarea
          class="mono conf-json"
          spellcheck=${!1}
          placeholder=${'{"plan": "free"}'}
          aria-invalid=${t?"true":void 0}
          aria-describedby=${t?c:void 0}
          value=${e.more}
          onInput=${d("more")}
        ></textarea>
      </label>
      ${t&&r`<p id=${c} class="problem-text" role="alert">✕ ${t}</p>`}
      <div class="row">
        <button type="submit" class="primary" disabled=${o}>Test rules <small class="conf-keys">${me("mod+Enter")}</small></button>
        ${o&&r`<button type="button" onClick=${l}>Cancel</button>`}
      </div>
    </form>
  `}function Vo({id:e,label:t,value:o,suggestions:n,onInput:s}){let a=j();return r`
    <label class="field">
      ${t}
      <input id=${e} value=${o} list=${a} spellcheck=${!1} autocomplete="off" onInput=${s} />
    </label>
    <datalist id=${a}>${n.map(i=>r`<option value=${i}></option>`)}</datalist>
  `}var _r="flexchat config check";function Cr({configuration:e,faulty:t,loading:o,onReload:n}){let{stage:s,version:a,revision:i,changed_at:l,read_at:c}=e;return r`
    <section class="stack" aria-label="Active configuration">
      <div class="row spread">
        <h2>Active configuration</h2>
        <button type="button" class="quiet" disabled=${o} onClick=${n}>Reload</button>
      </div>
      <p role="status">
        ${t.length===0?r`<${v} tone="good">All entries are valid.<//>`:r`<${v} tone="bad">${h(t.length,"problem")}<//>`}
      </p>
      <dl class="conf-facts">
        <dt>Stage</dt>
        <dd>${s}</dd>
        <dt>Version</dt>
        <dd><code>${a}</code>${typeof i=="number"&&`, revision ${i}`}</dd>
        ${l&&r`<dt>Changed</dt><dd><${M} at=${l} /> <small>${Ae(l)}</small></dd>`}
        ${c&&r`<dt>Loaded</dt><dd><${M} at=${c} /> <small>${Ae(c)}</small></dd>`}
      </dl>
      ${t.length>0&&r`<${ql} faulty=${t} />`}
    </section>
  `}function ql({faulty:e}){return r`
    <ul class="conf-problems" aria-label="Problems">
      ${e.map(({kind:t,name:o,problems:n,state:s})=>r`
          <li data-tone=${s.tone}>
            <span class="row"><${L}>${t}<//> <strong>${o}</strong> <${v} tone=${s.tone}>${s.label}<//></span>
            <ul>${n.map(a=>r`<li>${a}</li>`)}</ul>
          </li>
        `)}
    </ul>
    <p>
      Fix the file and push it again. <code>${_r}</code> validates a file.
      <${J} text=${_r} label="Copy command" />
    </p>
  `}var Fl=300;function Or({demo:e,match:{busy:t,since:o,error:n,cancelled:s,profileJson:a,result:i,match:l},onClose:c}){return r`
    <section class="conf-match stack" aria-label="Matched rule">
      <div class="row spread">
        <h2>Matched rule</h2>
        <button type="button" class="quiet" onClick=${c}>Close</button>
      </div>
      <p><code>${W(a,Fl)}</code></p>
      ${t&&r`<p><${S} label="Testing the rules" since=${o} /></p>`}
      ${n&&r`<${b} error=${n} onRetry=${l} />`}
      ${s&&r`<div class="notice stack" role="status">
          <p>! Test cancelled.</p>
          <div class="row"><button type="button" onClick=${l}>Try again</button></div>
        </div>`}
      <div role="status">${i&&r`<${Bl} answer=${i.answer} demo=${e} />`}</div>
      ${i&&r`<${jl} key=${i.profileJson} answer=${i.answer} />`}
    </section>
  `}function Bl({answer:{rule:e,llm:t,model:o,fallback:n,problem:s},demo:a}){return r`
    ${e&&r`<p class="conf-matched-rule">
        <${v} tone=${s?"warn":"good"}>Rule <strong>${e}</strong> matches<//>, model <code>${t}:${o}</code>${a.has(t??"")&&r` <${B} />`}
      </p>`}
    ${n&&r`<p><${v} tone="warn">instead of<//> <code>${n.instead_of}</code>: ${n.reason}</p>`}
    ${s&&r`<p><${v} tone="bad">A chat fails:<//> ${s}</p>`}
  `}function jl({answer:{rule:e,rules:t,tools:o}}){let n=o.filter(s=>s.offered).length;return r`
    <${Nn} rules=${t} />
    ${e&&r`<${I} open summary=${`${n} of ${o.length} tools offered`}>
        <${Pn} tools=${o} />
      <//>`}
  `}var Vl=["intent","service","topic","rag_results"];function ut({intent:e="",service:t="",topic:o="",rag_results:n="",more:s=""}){return{intent:e,service:t,topic:o,rag_results:n,more:s}}function Rr(e){return e.tried==="yes"}function Uo(e,t){return{...e,...ut({...t}),tried:t===void 0?"":"yes"}}function Jo(e){let{fields:t,problem:o}=Hl(e.more);if(t===void 0)return{profile:void 0,problem:o};let n={...t};for(let s of Vl){let a=e[s].trim();if(a!==""){if(s in t)return{profile:void 0,problem:`“${s}” is set twice. Remove it from the JSON or from the field above.`};n[s]=a}}return{profile:n,problem:""}}function Hl(e){if(e.trim()==="")return{fields:{},problem:""};let t;try{t=X(e)}catch(o){return{fields:void 0,problem:`Not valid JSON: ${o instanceof Error?o.message:o}`}}return typeof t!="object"||t===null||Array.isArray(t)?{fields:void 0,problem:'Enter a JSON object, such as {"plan": "free"}.'}:{fields:t,problem:""}}function Qe({caption:e,none:t,entries:o,columns:n,stateOf:s}){return o.length===0?r`<p>${t}</p>`:r`
    <div class="scroll" tabindex="0" role="region" aria-label=${e}>
      <table class="conf-table">
        <caption>${e}</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">State</th>
            ${n.map(({title:a,number:i})=>r`<th scope="col" class=${i&&"number"}>${a}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${o.map(a=>r`<${Ul} key=${a.name} entry=${a} columns=${n} state=${s(a)} />`)}
        </tbody>
      </table>
    </div>
  `}function Ul({entry:e,columns:t,state:o}){return r`
    <tr>
      <th scope="row">${e.name}</th>
      <td>
        <${v} tone=${o.tone}>${o.label}<//>
        ${e.problems.map(n=>r`<small class="conf-problem-text">${n}</small>`)}
      </td>
      ${t.map(({number:n,cell:s})=>r`<td class=${n&&"number"}>${s(e)}</td>`)}
    </tr>
  `}function ee({names:e,none:t=""}){return e.length===0?t:r`<span class="conf-names">${e.map(o=>r`<code>${o}</code>`)}</span>`}function dt(e){return typeof e!="boolean"?"":e?"yes":"no"}function Wo(e){return typeof e=="number"?ge(e):""}var Er={caption:"Tools",none:"No tools are configured.",columns:[{title:"Type",cell:e=>e.type},{title:"Timeout",number:!0,cell:e=>e.timeout_ms?A(e.timeout_ms):""},{title:"Idempotent",cell:e=>dt(e.idempotent)},{title:"Repeatable",cell:e=>dt(e.repeatable)},{title:"Sequential",cell:e=>dt(e.sequential)},{title:"Per caller",cell:e=>dt(e.per_principal)}]},Ar={caption:"LLMs",none:"No LLMs are configured, so chats fail.",columns:[{title:"Type",cell:e=>r`${e.type}${e.demo&&r` <${B} />`}`},{title:"Endpoint",cell:e=>e.host??e.region??(e.type?"provider default":"")},{title:"Key",cell:e=>dt(e.has_key)},{title:"Models",cell:e=>r`<${ee} names=${e.models} none=${e.type?"listed by the provider":""} />`},{title:"Fallbacks",cell:e=>r`<${ee} names=${e.fallbacks} none=${e.type?"none":""} />`}]},Mr={caption:"Retrieval services",none:"No retrieval services are configured.",columns:[{title:"Type",cell:e=>e.type},{title:"Endpoint",cell:e=>e.host??e.region??(e.type==="internal"?"this stack":"")},{title:"Collections",cell:e=>r`<${ee} names=${e.collections} none=${e.type==="internal"?"all":""} />`},{title:"Match",number:!0,cell:e=>Wo(e.match_threshold)},{title:"Partial",number:!0,cell:e=>Wo(e.partial_threshold)},{title:"Farthest",number:!0,cell:e=>Wo(e.max_distance)},{title:"Passages",number:!0,cell:e=>e.top_k}]};var Jl=/[\p{L}\p{N}_]+|[^\p{L}\p{N}_]+/gu,Wl=/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}⟨]/u;var zl=/[\p{Mn}\p{Me}]/u,Gl=/\p{Script=Latin}/u,Kl=/[\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Lisu}]/u;function Xl(e){return`⟨U+${(e.codePointAt(0)??0).toString(16).toUpperCase().padStart(4,"0")}⟩`}function Ir(e){let t=[],o=" ";for(let n of e.match(Jl)??[]){let s=/[A-Za-z]/.test(n);for(let a of n){let i=zl.test(a),l=Yl(a)||s&&Kl.test(a)||i&&!Ql(o),c=t.at(-1);l?t.push({text:Xl(a),hidden:l}):c&&!c.hidden?c.text+=a:t.push({text:a,hidden:l}),i||(o=a)}}return t}function Yl(e){if(` 	
`.includes(e))return!1;if(Wl.test(e))return!0;let t=e.normalize("NFKC");return t!==e&&/[A-Za-z0-9]/.test(t)}function Ql(e){return/\p{L}/u.test(e)&&!Gl.test(e)}function oe({text:e}){let t=z(()=>Ir(e),[e]);return r`${t.map(o=>o.hidden?r`<mark class="hidden-character">${o.text}</mark>`:o.text)}`}var Zl={offered:["good","offered"],changed:["warn","changed"],new:["warn","new"],removed:["plain","removed"],invalid:["bad","not usable"],shadowed:["plain","replaced by a configured tool"],not_taken:["plain","not taken"]};function Dr(e){return e.filter(({state:t})=>t==="changed"||t==="new")}function Nr(e){return e.filter(({state:t})=>t==="removed")}function Pr({tools:e,server:t}){return e.length===0?null:r`
    <div class="scroll" tabindex="0" role="region" aria-label=${`Tools of ${t}`}>
      <table class="conf-table">
        <caption>Tools of ${t}</caption>
        <thead>
          <tr><th scope="col">Name</th><th scope="col">State</th><th scope="col">Description</th></tr>
        </thead>
        <tbody>
          ${e.map(o=>r`<${ec} key=${o.name} tool=${o} />`)}
        </tbody>
      </table>
    </div>
  `}function ec({tool:{name:e,description:t,state:o,problems:n,losses:s,diff:a}}){let[i,l]=Zl[o];return r`
    <tr>
      <th scope="row"><${oe} text=${e} /></th>
      <td>
        <${v} tone=${i}>${l}<//>
        ${n.map(c=>r`<small class="conf-problem-text"><${oe} text=${c} /></small>`)}
        ${s.map(c=>r`<small class="conf-problem-text">Models do not get <${oe} text=${c} /></small>`)}
      </td>
      <td class="mcp-description">
        <${oe} text=${t} />
        ${a.length>0&&r`<${I} summary=${o==="new"?"Definition":"Difference"} open=${!0}><${oc} lines=${a} /><//>`}
      </td>
    </tr>
  `}var tc={"+":"ins","-":"del","?":"em"};function oc({lines:e}){return r`
    <pre class="mcp-diff">${e.map(t=>r`<${tc[t[0]??""]??"span"}><${oe} text=${t} />${`
`}<//>`)}</pre>
  `}var nc={ready:["good","connected"],failed:["bad","not connected"],not_checked:["plain","not connected yet"],disabled:["plain","disabled"]};function Lr(){let{data:e,error:t,reload:o}=F(n=>k.mcpServers(n));return t?r`<${b} error=${t} onRetry=${o} />`:e?e.servers.length===0?r`<p>No MCP servers are configured.</p>`:r`
    <ul class="mcp-servers">
      ${e.servers.map(n=>r`<li key=${n.name}><${rc} loaded=${n} /></li>`)}
    </ul>
  `:r`<${R} lines=${6} label="the MCP servers" />`}function rc({loaded:e}){let[t,o]=f(e),n=O(),{name:s}=t,a=()=>n.run(async c=>o(await k.refreshMcpServer(s,c))),i=Dr(t.tools),l=()=>{let c=[...i,...Nr(t.tools)].map(({tool:u})=>u);return n.run(async u=>o(await k.approveMcpTools(s,{hash:t.pending_hash??"",tools:c},u)))};return r`
    <section class="mcp-server stack" aria-label=${`MCP server ${s}`}>
      <div class="row spread">
        <h3>${s} <${L}>${t.transport}<//></h3>
        <button type="button" class="quiet" disabled=${n.busy||t.state==="disabled"} onClick=${a}>Connect now</button>
      </div>
      <p role="status">
        ${n.busy?r`<${S} label="Connecting" since=${n.since} />`:r`<${ac} server=${t} />`}
      </p>
      ${n.error&&r`<${b} error=${n.error} />`}
      ${t.error&&r`<p class="mcp-error"><${oe} text=${t.error} /></p>`}
      ${t.error&&t.hints.length>0&&r`<ul aria-label="Hints">${t.hints.map(c=>r`<li><${oe} text=${c} /></li>`)}</ul>`}
      <${ic} server=${t} />
      <${sc} entries=${t.left_out} />
      ${i.length>0&&r`<div class="notice stack">
          <p>! ${h(i.length,"definition")} of tools changed or new. Models are not offered them until they are approved: a definition can make a model call other tools or disclose data.</p>
          <div class="row"><button type="button" disabled=${n.busy} onClick=${l}>Approve ${h(i.length,"definition")}</button></div>
        </div>`}
      <${Pr} tools=${t.tools} server=${s} />
    </section>
  `}function sc({entries:e={}}){let t=Object.entries(e);return t.length===0?null:r`<div class="notice">
    <p>! The server lists entries that cannot be used:</p>
    <ul aria-label="Left out">
      ${t.map(([o,n])=>r`<li key=${o}><code><${oe} text=${o} /></code> <${oe} text=${n} /></li>`)}
    </ul>
  </div>`}function ac({server:{state:e,checked_at:t}}){let[o,n]=nc[e];return r`<${v} tone=${o}>${n}<//>${t&&r`, checked <${M} at=${t} />`}`}function ic({server:{transport:e,target:t,server:o,protocol_version:n,tools:s}}){let a=s.filter(({state:i})=>i==="offered").length;return r`
    <dl class="conf-facts">
      <dt>${e==="stdio"?"Command":"Host"}</dt>
      <dd><code><${oe} text=${t} /></code></dd>
      ${o&&r`<dt>Server</dt><dd><${oe} text=${`${o.name} ${o.version}`} /></dd>`}
      ${n&&r`<dt>Protocol</dt><dd><${oe} text=${n} /></dd>`}
      <dt>Offered tools</dt>
      <dd>${y(a)} of ${y(s.length)}</dd>
    </dl>
  `}var lc=300,cc=e=>[{title:"Conditions",cell:t=>r`<${uc} rule=${t} />`},{title:"Model",cell:t=>r`<${dc} rule=${t} demo=${e} />`},{title:"Tools",cell:t=>r`<${mc} rule=${t} />`}];function qr({rules:e,demo:t,stateOf:o}){return r`<${Qe}
    caption="Rules in order of evaluation"
    none="No rules are configured, so chats fail."
    entries=${e}
    columns=${cc(t)}
    stateOf=${o}
  />`}function uc({rule:{match:e,fallback:t}}){return t?"none: fallback rule":vr(e??{}).map(({field:o,relation:n,value:s},a)=>r`
      <div>${a>0&&"and "}<code>${o}</code> ${n} <code>${W(s,lc)}</code></div>
    `)}function dc({rule:e,demo:t}){return e.llm?r`
    <code>${e.llm}:${e.model}</code>${t.has(e.llm)&&r` <${B} />`}
    ${e.fallbacks.length>0&&r`<div><small>then</small> <${ee} names=${e.fallbacks} /></div>`}
    ${e.require_validated&&r`<div><small>requires validation</small></div>`}
  `:null}function mc({rule:{llm:e,allowed_tools:t,max_iterations:o,max_tool_calls:n}}){return e?o?r`
    ${t===null?"all":r`<${ee} names=${t} none="none" />`}
    <div><small>at most ${h(o,"iteration")} and ${h(n??0,"call")}</small></div>
  `:"none":null}function Br({configuration:e}){let{tool_settings:t,phases:o,sessions:n,validation:s,caller_fields:a}=e,{openai_api:i,choices:l}=e,c=Ye(e);return r`
    <div class="conf-settings">
      <${Oe}
        title="Tools"
        facts=${[["Enabled",t.enabled?"yes":r`<${v} tone="warn">no: models are offered no tools<//>`],["Iterations per chat",`${y(t.max_iterations)} by default`],["Calls per iteration",`${y(t.max_calls_per_turn)} by default`],["Calls per chat",`${y(t.max_tool_calls)} by default`],["Timeout",`${A(t.default_timeout_ms)} by default`],["Parallel calls",y(t.max_parallel)],["Disabled types",r`<${ee} names=${t.disabled_types} none="none" />`]]}
      />
      <${Oe} title="Topic" facts=${Fr(o.topic,c)} problems=${o.topic?.problems} />
      <${Oe} title="Intent" facts=${Fr(o.intent,c)} problems=${o.intent?.problems} />
      <${Oe}
        title="Profile"
        facts=${[["Fields set by callers",r`<${ee} names=${a} none="none" />`]]}
      />
      <${Oe}
        title="Sessions"
        facts=${[["Retention",`${h(n.ttl_days,"day")} after the last message`],["History sent to models",`at most ${h(n.max_history_tokens,"token")}`]]}
      />
      <${Oe}
        title="OpenAI-compatible API"
        facts=${[["Rules",r`<${ee} names=${i.rules} none="none" />`],["Models",r`<${ee} names=${i.models} none="none" />`],["Embeddings",i.embedding_model?r`<code>${i.embedding_model}</code>`:"none"]]}
      />
      <${Oe}
        title="Choice in the chat"
        facts=${[["Rules",r`<${ee} names=${l.rules} none="none" />`],["Models",r`<${ee} names=${l.models} none="none" />`],["Roles",l.roles.join(", ")]]}
      />
      <${Oe} title="Scheduled validation" facts=${pc(s)} problems=${s.problems} />
    </div>
  `}function Fr(e,t){return e?e.enabled?[["Detected","yes"],["Model",e.model&&r`<code>${e.model}</code>${t.has(e.model.split(":")[0]??"")&&r` <${B} />`}`],...e.intents.length>0?[["Intents",r`<${ee} names=${e.intents} />`]]:[]]:[["Detected","no: disabled"]]:[["Detected","no: not configured"]]}function pc({models:e,suite:t,repeats:o,stop_early:n,budget:s}){let a=[typeof s.calls=="number"&&h(s.calls,"chat"),typeof s.tokens=="number"&&h(s.tokens,"token"),typeof s.usd=="number"&&K(s.usd)].filter(Boolean);return[["Models",r`<${ee} names=${e} none="none" />`],["Suite",t],["Repeats",y(o)],["Early stopping",n?"yes":"no"],["Budget",a.length>0?a.join(", "):"no limit"]]}function Oe({title:e,facts:t,problems:o=[]}){return r`
    <section class="stack" aria-label=${e}>
      <h3>${e}</h3>
      ${o.map(n=>r`<p><${v} tone="warn">${n}<//></p>`)}
      <dl class="conf-facts">
        ${t.map(([n,s])=>r`<dt>${n}</dt><dd>${s}</dd>`)}
      </dl>
    </section>
  `}function jr({configuration:e,faulty:t,chosen:o,onChoose:n}){let{rules:s,tools:a,llms:i,services:l}=e,c=jo(e),u=Ye(e),d=p=>g=>c(p,g),m=(p,g)=>`${y(p.length)}${Gt(t,[g])}`,$=[{name:"Rules",note:m(s,"rule"),content:()=>r`<${qr} rules=${s} demo=${u} stateOf=${d("rule")} />`},{name:"Tools",note:m(a,"tool"),content:()=>r`<${Qe} ...${Er} entries=${a} stateOf=${d("tool")} />`},{name:"MCP servers",note:Gt(t,["mcp_server"]),content:()=>r`<${Lr} />`},{name:"LLMs",note:m(i,"llm"),content:()=>r`<${Qe} ...${Ar} entries=${i} stateOf=${d("llm")} />`},{name:"Services",note:m(l,"service"),content:()=>r`<${Qe} ...${Mr} entries=${l} stateOf=${d("service")} />`},{name:"Settings",note:Gt(t,["phase","schedule"]),content:()=>r`<${Br} configuration=${e} />`}];return r`<${pe} label="Configuration sections" tabs=${$} chosen=${o} onChoose=${n} />`}var zo="api/tokens",Ze={list:e=>ae(zo,e===void 0?{}:{signal:e}),create:e=>ae(zo,{method:"POST",body:e}),revoke:e=>ae(`${zo}/${encodeURIComponent(e)}`,{method:"DELETE"})};var $c=64,fc=90,hc=864e5,Vr={user:"chats, searches collections, and reads its own sessions, traces and usage",operator:"all of that, and reads everything, publishes the configuration, and creates and revokes tokens",service:"a program that names the end user of each request; needs the role of the end users"},bc=Object.keys(Vr);function Hr({open:e,list:t,onCreated:o,onClose:n}){let[s,a]=f(void 0),i=()=>{a(void 0),n()},l=c=>{a(c),o()};return r`<${Z} title=${s?"Token created":"Create token"} open=${e} onClose=${s?void 0:i}>
    ${s?r`<${vc} created=${s} onClose=${i} />`:r`<${gc} offered=${t?.roles??[]} maxDays=${t?.max_days??1} onCreated=${l} onFailed=${o} onClose=${i} />`}
  <//>`}function gc({offered:e,maxDays:t,onCreated:o,onFailed:n,onClose:s}){let a=O(),i=j(),[l,c]=f(""),[u,d]=f(["user"]),[m,$]=f(String(Math.min(fc,t))),p=a.error?.kind==="offline"||a.error?.kind==="failed",g=(w,_)=>{let q=[...u.filter(we=>we!==w),..._?[w]:[]];q.some(we=>we==="user"||!bc.includes(we))||!q.includes("service")?d(q):d(_?[...q,"user"]:q.filter(we=>we!=="service"))};return r`
    <form class="stack" onSubmit=${w=>{w.preventDefault(),!(a.busy||u.length===0)&&a.run(async()=>{try{o(await Ze.create({name:l.trim(),roles:[...u],days:Number(m)}))}catch(_){throw n(),_}})}}>
      <div class="field">
        <label for=${`${i}-name`}>Name</label>
        <input
          id=${`${i}-name`}
          type="text"
          required
          maxlength=${$c}
          autocomplete="off"
          placeholder="The person or program it is for"
          value=${l}
          onInput=${w=>c(w.currentTarget.value)}
        />
      </div>
      <fieldset class="token-roles stack">
        <legend>Roles</legend>
        ${e.map(w=>r`<label class="check" key=${w}>
            <input
              type="checkbox"
              checked=${u.includes(w)}
              onChange=${_=>g(w,_.currentTarget.checked)}
            />
            <span><strong>${w}</strong>: ${Vr[w]??"as the section roles of the configuration says"}</span>
          </label>`)}
        ${u.length===0&&r`<p role="alert">! Choose at least one role.</p>`}
      </fieldset>
      <div class="field">
        <label for=${`${i}-days`}>Valid for days, at most ${t}</label>
        <input
          id=${`${i}-days`}
          type="number"
          required
          min="1"
          max=${t}
          step="1"
          value=${m}
          aria-describedby=${`${i}-until`}
          onInput=${w=>$(w.currentTarget.value)}
        />
        <small id=${`${i}-until`}>${yc(m,t)}</small>
      </div>
      <div class="row">
        <button type="submit" class="primary" disabled=${a.busy||u.length===0}>Create token</button>
        <button type="button" onClick=${s}>Cancel</button>
        ${a.busy&&r`<${S} label="Creating the token" since=${a.since} />`}
      </div>
      ${a.error&&r`<${b} error=${a.error} />`}
      ${p&&r`<p class="notice">! It may have been created all the same. If the list has it, revoke it: it cannot be shown.</p>`}
    </form>
  `}function yc(e,t){let o=Number(e);return Number.isInteger(o)&&o>=1&&o<=t?`Expires on ${Ro(new Date(Date.now()+o*hc).toISOString())}`:`A whole number of days, from 1 to ${t}`}function vc({created:{token:e,record:t},onClose:o}){let n=E(null);return C(()=>n.current?.focus(),[]),r`
    <div class="stack">
      <p class="notice" role="status">! Copy the token of “${t.name}” now: it is not shown again. The stage stores only a hash of it.</p>
      <input
        class="mono"
        readonly
        aria-label="Token"
        autocomplete="off"
        ref=${n}
        value=${e}
        onFocus=${s=>s.currentTarget.select()}
      />
      <p><small>Whoever has it may act as ${t.roles.join(", ")} until ${Ro(t.expires_at)}. Send it over a private channel only.</small></p>
      <div class="row">
        <${J} text=${e} label="Copy token" />
        <button type="button" class="primary" onClick=${o}>I have stored it</button>
      </div>
    </div>
  `}function Yt(e){return e.replace(/^usd/,"US dollars").replace("_per_"," a ").replaceAll("_"," ")}function Go(e,t){return t===null?`no limit of ${Yt(e)}`:`${y(t)} ${Yt(e)}`}function Ur({own:e,effective:t}){return Object.entries(t).map(([n,s])=>({text:Go(n,s),own:n in e,shown:s!==null||n in e})).filter(({shown:n})=>n).sort((n,s)=>Number(s.own)-Number(n.own)).map(({text:n,own:s})=>({text:n,own:s}))}function Jr(e,t){let o=zr(e);return Object.fromEntries(t.map(n=>{let s=o[n];return s===void 0?[n,{kind:"inherited",value:""}]:[n,s===null?{kind:"none",value:""}:{kind:"own",value:String(s)}]}))}function Wr(e,t){let o=zr(e);for(let[n,{kind:s,value:a}]of Object.entries(t))s==="inherited"?delete o[n]:o[n]=s==="none"?null:Number(a);return Object.keys(o).length>0?JSON.stringify(o,void 0,2):""}function zr(e){let t=Je(e)?JSON.parse(e):void 0;return typeof t=="object"&&t!==null&&!Array.isArray(t)?{...t}:{}}var wc=["requests_per_minute","tool_calls_per_minute","tokens_per_day"];function Gr({token:e,onClose:t}){let o=F(n=>Q.source(n));return r`
    <${Z} title=${`Limits of “${e.name}”`} open onClose=${t}>
      ${o.error&&r`<${b} error=${o.error} onRetry=${o.reload} />`}
      ${!o.data&&!o.error&&r`<${R} lines=${6} label="the limits" />`}
      ${o.data&&r`<${kc} token=${e} source=${o.data} onClose=${t} />`}
    <//>
  `}function kc({token:e,source:t,onClose:o}){let[n]=f(()=>jt()??De(t)),s=e.limits?Object.keys(e.limits.effective):wc,a=n.content.entries.find(({key:m})=>m===Bt(e.id))?.text??"",[i,l]=f(()=>Jr(a,s)),[c,u]=f(!1);return r`
    <form class="stack" onSubmit=${m=>{m.preventDefault();let $=er(n,e.id,Wr(a,i));if(!Vt($)){u(!0);return}o(),x("configuration",{mode:"edit",entry:Bt(e.id)})}}>
      ${s.map(m=>r`<${Sc}
          key=${m}
          name=${m}
          inherited=${e.limits?.inherited[m]??null}
          choice=${i[m]}
          onChoice=${$=>l(p=>({...p,[m]:$}))}
        />`)}
      <p><small>Limits are part of the configuration. They become a change of your draft, which you check and publish in <strong>Edit</strong>.</small></p>
      ${t.editing_problem&&r`<p class="notice">! ${t.editing_problem}.</p>`}
      ${c&&r`<p class="notice" role="alert">! This browser has no room for the draft.</p>`}
      <div class="row">
        <button type="submit" class="primary" disabled=${!t.editing}>Add to the draft</button>
        <button type="button" onClick=${o}>Cancel</button>
      </div>
    </form>
  `}function Sc({name:e,inherited:t,choice:o={kind:"inherited",value:""},onChoice:n}){let s=j(),a=Yt(e),i=l=>l==="none"||l==="own"?l:"inherited";return r`
    <div class="field">
      <label for=${s}>${a[0]?.toUpperCase()}${a.slice(1)}</label>
      <div class="token-limit">
        <select
          id=${s}
          value=${o.kind}
          onChange=${l=>n({...o,kind:i(l.currentTarget.value)})}
        >
          <option value="inherited">Inherited: ${t===null?"no limit":Go(e,t)}</option>
          <option value="none">No limit</option>
          <option value="own">At most …</option>
        </select>
        ${o.kind==="own"&&r`<input
            type="number"
            required
            min=${e.startsWith("usd_")?"0.000001":"1"}
            step=${e.startsWith("usd_")?"any":"1"}
            aria-label=${`Most ${a}`}
            value=${o.value}
            onInput=${l=>n({...o,value:l.currentTarget.value})}
          />`}
      </div>
    </div>
  `}function Kr({token:e,isOwn:t,onRevoked:o,onClose:n}){let s=O(),a=Cn(),i=()=>{s.run(async()=>{await Ze.revoke(e.id),n(),t?On(a,"You revoked this token."):o()})};return r`
    <${Z} title=${`Revoke “${e.name}”?`} open onClose=${n}>
      <div class="stack">
        <p>The API refuses <code>fc_${e.id}_…${e.hint}</code> within a minute. A chat that is running ends as usual. This cannot be undone.</p>
        ${t&&r`<p class="notice">! It is the token of this page: you are signed out here, and need another one to sign in.</p>`}
        <p><small>Its sessions, traces and usage stay until they expire; its limits stay in the configuration.</small></p>
        <div class="row">
          <button type="button" class="danger" disabled=${s.busy} onClick=${i}>Revoke token</button>
          <button type="button" autofocus onClick=${n}>Cancel</button>
          ${s.busy&&r`<${S} label="Revoking" since=${s.since} />`}
        </div>
        ${s.error&&r`<${b} error=${s.error} />`}
      </div>
    <//>
  `}var xc=14,Tc=864e5,_c=["Token","State","Roles","Limits","Created","Actions"];function Xr({tokens:e,managed:t,principal:o,onOpen:n}){return r`
    <table class="token-table" role="table" aria-label="API tokens">
      <thead role="rowgroup">
        <tr role="row">${_c.map(s=>r`<th scope="col" role="columnheader">${s}</th>`)}</tr>
      </thead>
      <tbody role="rowgroup">
        ${e.map(s=>r`<tr key=${s.id} role="row">
            <th scope="row" role="rowheader">
              <span class="token-name">${s.name}</span> ${s.id===o&&r`<${L}>this page<//>`}
              <small class="mono">fc_${s.id}_…${s.hint}</small>
            </th>
            <td role="cell" data-column="State"><${Cc} token=${s} /></td>
            <td role="cell" data-column="Roles" class="token-roles-list">${s.roles.join(", ")||"none"}</td>
            <td role="cell" data-column="Limits"><${Oc} token=${s} /></td>
            <td role="cell" data-column="Created">
              <${M} at=${s.created_at} /> <small>by ${s.created_by??"a command"}</small>
            </td>
            <td role="cell" data-column="Actions"><${Rc} token=${s} managed=${t} onOpen=${n} /></td>
          </tr>`)}
      </tbody>
    </table>
  `}function Cc({token:{state:e,expires_at:t}}){let o=r`<${M} at=${t} />`;return e==="expired"?r`<${v} tone="plain">expired<//> <small>${o}</small>`:new Date(t).getTime()-Date.now()<xc*Tc?r`<${v} tone="warn">expires soon<//> <small>${o}</small>`:r`<${v} tone="good">live<//> <small>expires ${o}</small>`}function Oc({token:{limits:e}}){if(!e)return r`<small>not known: no configuration can be read</small>`;let t=Ur(e);return t.length===0?"none":r`<ul class="token-limits">
    ${t.map(({text:o,own:n})=>r`<li>${o}${n&&r` <small>own</small>`}</li>`)}
  </ul>`}function Rc({token:e,managed:t,onOpen:o}){let{name:n,id:s,state:a}=e;return r`<div class="row">
    ${a==="live"&&r`<button type="button" aria-label=${`Set limits of ${n}, ${s}`} onClick=${()=>o({kind:"limit",token:e})}>Set limits</button>`}
    ${a==="live"&&t&&r`<button type="button" class="danger" aria-label=${`Revoke ${n}, ${s}`} onClick=${()=>o({kind:"revoke",token:e})}>Revoke</button>`}
    <a href=${Ee("traces",{caller:s})} aria-label=${`Traces of ${n}, ${s}`}>Traces</a>
  </div>`}var Ko="token-filter";function Yr({params:e}){let t=F(m=>Ze.list(m)),o=At(),[n,s]=f(void 0),[a,i]=f(""),l=e.filter??"";G([{keys:"/",label:"Filter tokens",run:()=>document.getElementById(Ko)?.focus()}]);let c=()=>s(void 0),{data:u}=t,d=r`
    <${ye} mode="tokens" />
    ${u&&r`<${Ec} list=${u} filter=${l} onCreate=${()=>s({kind:"create"})} />`}
  `;return r`
    <${U} title="API tokens" controls=${d}>
      ${t.error&&r`<${b} error=${t.error} onRetry=${t.reload} />`}
      ${!u&&!t.error&&r`<${R} lines=${8} label="the tokens" />`}
      ${a&&r`<${Ic} key=${a} name=${a} />`}
      ${u&&r`<${Mc} list=${u} filter=${l} principal=${o} onOpen=${s} />`}
    <//>
    <${Hr} open=${n?.kind==="create"} list=${u} onCreated=${t.reload} onClose=${c} />
    ${n&&n.kind==="revoke"&&r`<${Kr}
        token=${n.token}
        isOwn=${n.token.id===o}
        onRevoked=${()=>{i(n.token.name),t.reload()}}
        onClose=${c}
      />`}
    ${n&&n.kind==="limit"&&r`<${Gr} token=${n.token} onClose=${c} />`}
  `}function Ec({list:e,filter:t,onCreate:o}){return r`
    ${e.managed?r`<div class="row"><button type="button" class="primary" onClick=${o}>Create token</button></div>`:r`<${Ac} list=${e} />`}
    <div class="field">
      <label for=${Ko}>Filter by name or id</label>
      <input
        id=${Ko}
        type="search"
        value=${t}
        onInput=${({currentTarget:{value:n}})=>x("configuration",{mode:"tokens",filter:n},{replace:!0})}
      />
    </div>
    <p><small>A token is for a program, or for a person of a stage without sign-in. People who sign in at an identity provider have none: their roles are those of the provider.</small></p>
  `}function Ac({list:{stage:e,managed_problem:t}}){let o=`flexchat tokens create --stage ${e} --name NAME --role user`;return r`<div class="notice stack">
    <p>! ${t}.</p>
    <div class="row"><${J} text=${o} label="Copy command" /></div>
  </div>`}function Mc({list:e,filter:t,principal:o,onOpen:n}){let s=t.trim().toLowerCase(),a=e.tokens.filter(({name:i,id:l})=>i.toLowerCase().includes(s)||l.includes(s)||`fc_${l}`.includes(s));return e.tokens.length===0?r`<${V} title="No tokens"><p>A token gives a program, or a person without sign-in, access to this stage. Create one for each.</p><//>`:a.length===0?r`<p>No token matches “${t}”.</p>`:r`
    <p role="status"><small>${h(a.length,"token")}${s&&` of ${e.tokens.length}`}</small></p>
    <${Xr} tokens=${a} managed=${e.managed} principal=${o} onOpen=${n} />
  `}function Ic({name:e}){let t=E(null);return C(()=>t.current?.focus(),[]),r`<p role="status" tabindex="-1" ref=${t}><${v} tone="good">The token “${e}” is revoked. The API refuses it within a minute.<//></p>`}function Qr(e){let t=qe(),o=O(),{run:n,cancel:s,clear:a}=o,[i,l]=f(void 0),c=e===void 0?"":JSON.stringify(e),u=ne(()=>n(async d=>{let m=await k.matchRule(X(c),d);l({profileJson:c,answer:m})}),[n,c]);return C(()=>{if(c!==""){u();return}s(),a(),l(void 0)},[u,s,a,c,t]),{...o,match:u,profileJson:c,result:o.busy||i?.profileJson===c?i:void 0}}var Zr="Rules";function Dc({route:{params:e}}){let t=Et("configure")?Kn(e):"";return t==="edit"?r`<${br} params=${e} />`:t==="tokens"?r`<${Yr} params=${e} />`:t==="history"?r`<${wr} params=${e} />`:r`<${Nc} params=${e} />`}function Nc({params:e}){let t=F(p=>k.configuration(p)),o=t.error?.kind==="forbidden",[n,s]=Lc(e),{profile:a,problem:i}=Jo(n),l=Rr(e)&&!o?Jo(ut(e)).profile:void 0,c=Qr(l),{section:u,reveal:d}=Se(c.busy),m=()=>{a===void 0||c.busy||(d(),JSON.stringify(a)===c.profileJson?c.match():x("configuration",Uo(e,n)))};if(G([{keys:"/",label:"Enter an intent",run:()=>document.getElementById(Ho)?.focus()},{keys:"mod+Enter",label:"Test the rules",run:m},{keys:"Escape",label:"Cancel the test",run:c.cancel}]),o)return r`<${U} title="Configuration" controls=${r`<${Sr} />`}><${xr} /><//>`;let $=r`<${ye} mode="" /><${Tr}
    draft=${n}
    problem=${i}
    busy=${c.busy}
    intents=${t.data?.phases.intent?.intents??[]}
    services=${t.data?.services.map(({name:p})=>p)??[]}
    onDraft=${s}
    onRun=${m}
    onCancel=${c.cancel}
  />`;return r`
    <${U} title="Configuration" controls=${$} section=${u}>
      ${l&&r`<${Or} match=${c} demo=${Ye(t.data)} onClose=${()=>x("configuration",Uo(e,void 0))} />`}
      ${t.error&&r`<${b} error=${t.error} onRetry=${t.reload} />`}
      ${!t.data&&!t.error&&r`<${R} lines=${8} label="the configuration" />`}
      ${t.data&&r`<${Pc} configuration=${t} data=${t.data} params=${e} />`}
    <//>
  `}function Pc({configuration:e,data:t,params:o}){let n=z(()=>yr(t),[t]),s=a=>x("configuration",{...o,tab:a===Zr?"":a},{replace:!0});return r`
    <${Cr} configuration=${t} faulty=${n} loading=${e.loading} onReload=${e.reload} />
    <${jr} configuration=${t} faulty=${n} chosen=${o.tab||Zr} onChoose=${s} />
  `}function Lc(e){let t=JSON.stringify(ut(e)),[o,n]=f(()=>ut(e));return C(()=>n(X(t)),[t]),[o,s=>n(a=>({...a,...s}))]}function $e(e,t=[]){let o=qe(),n=E(e);n.current=e;let s=O(),{run:a}=s,[i,l]=f(es()),c=JSON.stringify(t),u=ne(()=>{a(async m=>{let $=await n.current(void 0,m);l({items:$.items,cursor:$.cursor??void 0,isLoaded:!0})})},[a]);C(()=>{l(es()),u()},[c,o,u]);let d=()=>{a(async m=>{let $=await n.current(i.cursor,m);l(p=>({items:[...p.items,...$.items],cursor:$.cursor??void 0,isLoaded:!0}))})};return{items:i.items,isLoaded:i.isLoaded,more:i.cursor!==void 0,next:i.isLoaded?d:u,restart:u,task:s}}function es(){return{items:[],cursor:void 0,isLoaded:!1}}function ts({label:e,accept:t,disabled:o=!1,onFiles:n,children:s}){let a=E(null),[i,l]=f(!1);return r`
    <div
      class="file-drop"
      data-over=${i}
      onDragOver=${m=>{m.preventDefault(),l(!o)}}
      onDragLeave=${()=>l(!1)}
      onDrop=${m=>{m.preventDefault(),l(!1),o||n([...m.dataTransfer?.files??[]])}}
    >
      <div class="row">
        <button type="button" class="primary" disabled=${o} onClick=${()=>a.current?.click()}>${e}</button>
        <span>or drop files here</span>
      </div>
      <input ref=${a} type="file" multiple hidden aria-label=${e} accept=${t} onChange=${({currentTarget:m})=>{let $=[...m.files??[]];m.value="",$.length>0&&n($)}} />
      <small>${s}</small>
    </div>
  `}function Qt({label:e,name:t=e,question:o,confirm:n,busy:s=!1,onConfirm:a}){let[i,l]=f(!1),c=E(null),u=E(null),d=E(!1);return C(()=>{i?u.current?.focus():d.current&&c.current?.focus(),d.current=i},[i]),i?r`
    <div class="confirm" role="group" aria-label=${t} onKeyDown=${p=>{p.key==="Escape"&&(p.stopPropagation(),l(!1))}}>
      <p>${o}</p>
      <div class="row">
        <button type="button" class="danger" onClick=${()=>{l(!1),a()}}>${n}</button>
        <button ref=${u} type="button" onClick=${()=>l(!1)}>Cancel</button>
      </div>
    </div>
  `:r`<button ref=${c} type="button" class="quiet" aria-label=${t} disabled=${s} onClick=${()=>l(!0)}>
      ${e}
    </button>`}function os({collection:e,onChanged:t,onDeleted:o}){let n=O(),{name:s,documents:a}=e,i=()=>n.run(async()=>{await k.deleteCollection(s),o(s)});return r`
    <${I} summary="Re-index or delete the collection">
      <div class="stack">
        <${qc} key=${s} collection=${e} onChanged=${t} />
        <${Qt}
          label=${n.busy?"Deleting":"Delete collection"}
          question=${`Delete the collection ${s} with ${h(a,"document")}? This cannot be undone.`}
          confirm="Delete collection"
          busy=${n.busy}
          onConfirm=${i}
        />
        ${n.error&&r`<${b} error=${n.error} onRetry=${i} />`}
      </div>
    <//>
  `}function qc({collection:e,onChanged:t}){let o=O(),n=e.metadata.embedding_model,[s,a]=f(n),[i,l]=f(""),[c,u]=f("");return r`
    <form class="stack" onSubmit=${m=>{m.preventDefault(),u(""),o.run(async $=>{let p={embedding_model:s.trim(),...i&&{passage_size:Number(i)}},g=await k.reindexCollection(e.name,p,$);u(`indexed again: ${h(g.passages,"passage")} ✓`),t(g)})}}>
      <p>
        Re-indexing embeds the stored passages again, or divides the documents into passages of another size. Searches use
        the old index until it ends.
      </p>
      <${Xo} value=${s} onInput=${a} />
      <label class="field">
        Characters of a passage <small>empty to leave the passages as they are</small>
        <input
          type="number"
          min="60"
          max="100000"
          value=${i}
          onInput=${m=>l(m.currentTarget.value)}
        />
      </label>
      <div class="row">
        <button type="submit" disabled=${o.busy}>Re-index</button>
        ${o.busy&&r`<${S} label="Re-indexing" since=${o.since} />`}
        <small role="status">${c}</small>
      </div>
      ${o.error&&r`<${b} error=${o.error} />`}
    </form>
  `}function Xo({value:e,onInput:t}){let o=ie();return r`
    <label class="field">
      Embedding <small>lexical needs no model; else llm:model</small>
      <input
        name="embedding_model"
        required
        list="embedding-models"
        value=${e}
        onInput=${n=>t(n.currentTarget.value)}
      />
      <datalist id="embedding-models">
        <option value="lexical"></option>
        ${(o.data?.models??[]).filter(({id:n})=>n.includes("embed")).map(({id:n})=>r`<option value=${n}></option>`)}
      </datalist>
    </label>
  `}var Zt=300;function ns({collection:e,documents:t,operator:o,onRemoved:n}){let{items:s,isLoaded:a,more:i,next:l,task:c}=t;return a?s.length===0?r`<${V} title="No documents">
      <p>${o?"Upload files to have chats search them.":"An operator can upload files for chats to search."}</p>
    <//>`:r`
    <div class="scroll" tabindex="0" role="region" aria-label="Documents">
      <table class="ret-documents">
        <caption>${h(e.documents,"document")}, ${h(e.passages,"passage")}</caption>
        <thead>
          <tr>
            <th scope="col">Document</th>
            <th scope="col">State</th>
            <th scope="col" class="number">Size</th>
            <th scope="col" class="number">Passages</th>
            <th scope="col">Added</th>
            ${o&&r`<th scope="col">Actions</th>`}
          </tr>
        </thead>
        <tbody>
          ${s.map(u=>r`<${Fc}
              key=${u.id}
              collection=${e.name}
              document=${u}
              operator=${o}
              onRemoved=${n}
            />`)}
        </tbody>
      </table>
    </div>
    ${c.error&&r`<${b} error=${c.error} onRetry=${l} />`}
    ${i&&r`<button type="button" disabled=${c.busy} onClick=${l}>Show more documents</button>`}
  `:c.error?r`<${b} error=${c.error} onRetry=${l} />`:r`<${R} lines=${6} label="the documents" />`}function Fc({collection:e,document:t,operator:o,onRemoved:n}){let s=O(),{id:a,title:i,source:l,origin:c,passages:u}=t,d=(i||a).slice(0,Zt),m=()=>s.run(async()=>n(await k.deleteDocument(e,a)));return r`
    <tr>
      <td class="ret-document">
        <strong>${d}</strong>
        ${l!==d&&r`<small>${l.slice(0,Zt)}</small>`}
        ${a!==l&&r`<small>id <code>${a.slice(0,Zt)}</code></small>`}
        ${c&&r`<small>from ${c.slice(0,Zt)}</small>`}
        ${s.error&&r`<${b} error=${s.error} onRetry=${m} />`}
      </td>
      <td><${v} tone=${u>0?"good":"warn"}>${u>0?"indexed":"no text"}<//></td>
      <td class="number">
        ${typeof t.bytes=="number"?se(t.bytes):r`${y(t.characters)} <small>characters</small>`}
      </td>
      <td class="number">${y(u)}<small class="ret-unit"> ${u===1?"passage":"passages"}</small></td>
      <td>${t.added_at?r`<${M} at=${t.added_at} />`:r`<small>not recorded</small>`}</td>
      ${o&&r`<td>
          <${Qt}
            label=${s.busy?"Removing":"Remove"}
            name=${`Remove ${d}`}
            question=${`Remove ${d} from the collection? Chats no longer find it.`}
            confirm="Remove document"
            busy=${s.busy}
            onConfirm=${m}
          />
        </td>`}
    </tr>
  `}var eo=2e7,Bc=3e6,jc=0;function rs({onIndexed:e}){let[t,o]=f([]),n=E(void 0),s=E(e);s.current=e;let a=ne((c,u)=>{o(d=>d.map(m=>m.id===c?{...m,...u}:m))},[]);return C(()=>()=>n.current?.controller.abort(),[]),C(()=>{let c=t.find(({state:d})=>d==="waiting");if(c===void 0||n.current!==void 0)return;let u=new AbortController;n.current={id:c.id,controller:u},a(c.id,{state:"uploading",share:0,note:""}),Uc(c,u.signal,d=>a(c.id,Vc(d))).then(d=>{n.current=void 0,a(c.id,d),d.state==="indexed"&&s.current(c.collection)})},[t,a]),{uploads:t,add:(c,u,d)=>o(m=>{let $=new Set(m.filter(mt).map(({file:g})=>g.name)),p=u.map(g=>{let T=Hc(g,$,c);$.add(g.name);let w=T?"failed":"waiting";return{id:++jc,collection:c,file:g,state:w,share:0,note:T,warnings:[],fields:d,replace:!1}});return[...m,...p]}),cancel:c=>{n.current?.id===c?n.current.controller.abort():a(c,{state:"cancelled",note:""})},retry:(c,{replace:u=!1}={})=>a(c,{state:"waiting",note:"",replace:u}),clear:()=>o(c=>c.filter(mt))}}function mt({state:e}){return e==="waiting"||e==="uploading"||e==="processing"}function Vc(e){return e<1?{share:e}:{share:e,state:"processing"}}function Hc(e,t,o){if(e.size===0)return"The file is empty.";if(t.has(e.name))return"Another file of this upload has the same name. Rename one of them.";if(e.size<=eo)return"";let n=`flexchat collections add ${o} FILE --stage ${be}`;return`The file has ${se(e.size)}; the page uploads at most ${se(eo)}. Split it, or add it with “${n}”.`}async function Uc({collection:e,file:t,fields:o,replace:n},s,a){let i=!1;try{let l=t.size>Bc,c=l?{file_id:await Ln(t,{signal:s,onProgress:d=>a(d/t.size)})}:{content_base64:await Wc(t)};i=!0,a(l?1:0);let u=await qn(`api/collections/${encodeURIComponent(e)}/documents`,{replace:n,documents:[{source:t.name,...c,fields:o}]},{signal:s,onProgress:(d,m)=>l||a(m>0?d/m:0)});return Jc(u)}catch(l){let c=i?"It may have been indexed; the list shows it.":"";if(s.aborted)return{state:"cancelled",note:c};let{kind:u,message:d,requestId:m,status:$}=Fe(l),p=m?`${d} (request ${m})`:d;return{state:"failed",note:(u==="offline"||$===504)&&c?`${p} ${c}`:p}}}function Jc({added:e,replaced:t,unchanged:o,failed:n,warnings:s}){let a=s.map(({reason:u})=>u),[i]=n;if(i&&e+t+o===0)return{state:i.exists?"exists":"failed",note:i.reason,warnings:a};let l=[e>0&&(e===1?"added":`${e} added`),t>0&&(t===1?"replaced the document of this name":`${t} replaced`),o>0&&(o===1?"unchanged: the collection has it already":`${o} unchanged`)],c=n.map(({source:u,reason:d})=>`${u}: ${d}`);return{state:"indexed",note:l.filter(Boolean).join(", "),warnings:[...a,...c]}}function Wc(e){return new Promise((t,o)=>{let n=new FileReader;n.onload=()=>t(String(n.result).replace(/^[^,]*,/u,"")),n.onerror=()=>o(new Error(`${e.name} cannot be read. Select it again.`)),n.readAsDataURL(e)})}var zc={waiting:{tone:"plain",text:"waiting"},uploading:{tone:"plain",text:"uploading"},processing:{tone:"plain",text:"processing"},indexed:{tone:"good",text:"indexed"},failed:{tone:"bad",text:"failed"},exists:{tone:"warn",text:"not added"},cancelled:{tone:"warn",text:"cancelled"}};function ss({uploads:e}){let{uploads:t}=e;return t.length===0?null:r`
    <section aria-label="Uploads">
      <div class="row">
        <h3>Uploads</h3>
        ${t.some(o=>!mt(o))&&r`<button type="button" class="quiet" onClick=${e.clear}>Clear finished</button>`}
      </div>
      <ul class="ret-uploads">
        ${t.map(o=>r`<${Gc}
            key=${o.id}
            upload=${o}
            onCancel=${()=>e.cancel(o.id)}
            onRetry=${n=>e.retry(o.id,{replace:n})}
          />`)}
      </ul>
    </section>
  `}function Gc({upload:e,onCancel:t,onRetry:o}){let{file:n,state:s,share:a,note:i,warnings:l,collection:c}=e,{tone:u,text:d}=zc[s];return r`
    <li>
      <div class="row">
        <strong class="ret-name">${n.name}</strong>
        <small>${se(n.size)} · to ${c}</small>
        <span role="status"><${v} tone=${u}>${d}${s==="uploading"?` ${Be(a)}`:""}<//></span>
        ${s==="uploading"&&r`<progress max="1" value=${a} aria-label=${`Upload of ${n.name}`}></progress>`}
        ${mt(e)&&r`<button type="button" class="quiet" aria-label=${`Cancel ${n.name}`} onClick=${t}>Cancel</button>`}
        ${(s==="failed"||s==="cancelled")&&n.size>0&&r`<button type="button" class="quiet" aria-label=${`Upload ${n.name} again`} onClick=${()=>o(e.replace)}>Try again</button>`}
        ${s==="exists"&&r`<button type="button" class="quiet" aria-label=${`Replace ${n.name}`} onClick=${()=>o(!0)}>Replace</button>`}
      </div>
      ${i&&r`<p>${i}</p>`}
      ${l.map(m=>r`<p><${v} tone="warn">${m}<//></p>`)}
    </li>
  `}var Kc=".txt,.text,.rst,.md,.markdown,.html,.htm,.xhtml,.json,.jsonl,.ndjson,.csv,.tsv,.pdf,.docx,.docm,.pptx,.pptm,.xlsx,.xlsm,.epub";function as({collection:e,operator:t,uploads:o,onChanged:n,onDeleted:s}){let{name:a}=e,[i,l]=f("text"),[c,u]=f(""),d=$e(async($,p)=>{let g=await k.documents(a,{after:$,signal:p});return{items:g.documents,cursor:g.next}},[a,e.updated_at]),m={text_fields:i.split(",").map($=>$.trim()).filter(Boolean),...c.trim()&&{id_field:c.trim()}};return r`<div class="ret-collection-documents">
    <h2>Documents of ${e.metadata.display_name||a}</h2>
    ${t&&r`
        <${ts} label="Upload documents" accept=${Kc} onFiles=${$=>o.add(a,$,m)}>
          Text, Markdown, HTML, JSON, CSV, PDF, Word, PowerPoint, Excel and EPUB up to ${se(eo)} each. A file replaces
          the document of the same name.
        <//>
        <${I} summary="Fields of JSON records">
          <div class="stack">
            <label class="field">
              Fields with text <small>separated by commas</small>
              <input value=${i} onInput=${$=>l($.currentTarget.value)} />
            </label>
            <label class="field">
              Field with the id <small>empty for the position in the file</small>
              <input value=${c} onInput=${$=>u($.currentTarget.value)} />
            </label>
          </div>
        <//>
        <${ss} uploads=${o} />
      `}
    <${ns} collection=${e} documents=${d} operator=${t} onRemoved=${n} />
    ${t&&r`<${os} collection=${e} onChanged=${n} onDeleted=${s} />`}
  </div>`}function is({open:e,onCreated:t}){let o=O(),[n,s]=f(""),[a,i]=f(""),[l,c]=f("lexical");return r`
    <${I} summary="New collection" open=${e}>
      <form class="stack" onSubmit=${d=>{d.preventDefault(),o.run(async()=>{let m={description:a,embedding_model:l.trim()};t(await k.createCollection({name:n,metadata:m})),s(""),i("")})}}>
        <label class="field">
          Name <small>a–z, 0–9, - and _</small>
          <input
            name="name"
            required
            maxlength="63"
            pattern="[a-z0-9][a-z0-9_\\-]*"
            title="1 to 63 of a-z, 0-9, - and _, the first one a letter or a digit"
            value=${n}
            onInput=${d=>s(d.currentTarget.value)}
          />
        </label>
        <label class="field">
          Description <small>models read this too</small>
          <input
            name="description"
            value=${a}
            onInput=${d=>i(d.currentTarget.value)}
          />
        </label>
        <${Xo} value=${l} onInput=${c} />
        <div class="row"><button type="submit" disabled=${o.busy}>Create collection</button></div>
        ${o.error&&r`<${b} error=${o.error} />`}
      </form>
    <//>
  `}function ls(e){let t=An(),o=t.data?.collections,n=e||o?.[0]?.name||"",s=a=>o&&t.put({collections:o.map(i=>i.name===a.name?a:i)});return{add:a=>t.put({collections:[...o??[],a].sort((i,l)=>i.name<l.name?-1:1)}),remove:a=>t.put({collections:(o??[]).filter(i=>i.name!==a)}),collections:t,selected:n,collection:o?.find(({name:a})=>a===n),isEmpty:o?.length===0,loading:n===""&&t.loading,replace:s}}function et(e,t){return e===void 0?"none":e<t.match?"match":e<t.partial?"partial":"none"}function $t(e){let t=Number(e?.trim()||NaN);return t>=0&&t<=2?t:void 0}function to(e,t){return e===void 0||t===void 0?void 0:{match:e,partial:Math.max(e,t)}}function cs({match:e,partial:t},o,n){return o==="match"?{match:n,partial:Math.max(n,t)}:{match:Math.min(n,e),partial:n}}function us({match_threshold:e,partial_threshold:t},o){return to(e??o?.match,t??o?.partial)}function ds({metadata:e,calibrated_passages:t}){if(typeof t=="number")return"calibrated from passages";let o=[e.match_threshold,e.partial_threshold].filter(n=>typeof n=="number");return o.length===2?"set by an operator":o.length===1?"one set by an operator, one from the service":"from the service"}function ms(e,{match:t,partial:o}){let n=Math.min(Math.min(...e)-.05,t),s=Math.max(Math.max(...e)+.05,o);return{low:Math.max(0,pt(Math.floor(pt(n/.05))*.05)),high:Math.min(2,pt(Math.ceil(pt(s/.05))*.05))}}function ps({low:e,high:t},o){return Math.min(100,Math.max(0,pt((o-e)/(t-e)*100)))}function $s(e,{match:t,partial:o}){return JSON.stringify({rag_services:{docs:{type:"internal",collections:[e],match_threshold:t,partial_threshold:o}}},null,2)}function pt(e){return Math.round(e*1e3)/1e3}var fs=300;function hs({collections:e,selected:t,onChoose:o}){let{data:n,error:s,reload:a}=e;return s&&!n?r`<${b} error=${s} onRetry=${a} />`:n?n.collections.length===0?r`<p><small>No collections.</small></p>`:r`
    <fieldset class="ret-collections">
      <legend>Collection</legend>
      <div class="ret-cards">
        ${n.collections.map(i=>r`
            <${Xc}
              key=${i.name}
              collection=${i}
              checked=${i.name===t}
              onChoose=${()=>o(i.name)}
            />
          `)}
      </div>
    </fieldset>
  `:r`<${R} lines=${4} label="the collections" />`}function Xc({collection:e,checked:t,onChoose:o}){let{name:n,metadata:s,documents:a,passages:i,bytes:l,updated_at:c}=e,{match_threshold:u,partial_threshold:d,description:m,embedding_model:$}=s;return r`
    <label class="ret-card">
      <input type="radio" name="collection" value=${n} checked=${t} onChange=${o} />
      <span>
        <strong>${(s.display_name||n).slice(0,fs)}</strong>
        ${s.display_name&&r` <code>${n}</code>`}
        ${m&&r`<small class="ret-line">${m.slice(0,fs)}</small>`}
        <small class="ret-line">
          ${h(a,"document")} · ${h(i,"passage")} · ${se(l)} · <${M} at=${c} />
        </small>
        <small class="ret-line"><${L}>${$}<//> ${Yc(u,d)}${ds(e)}</small>
      </span>
    </label>
  `}function Yc(e,t){return typeof e=="number"&&typeof t=="number"?`match < ${ge(e)}, partial < ${ge(t)}: `:"thresholds: "}function bs({collection:e,thresholds:t,onChanged:o}){let n=O(),[s,a]=f(""),{metadata:i,name:l}=e,c=i.match_threshold===t.match&&i.partial_threshold===t.partial,d=(typeof i.match_threshold=="number"||typeof i.partial_threshold=="number")&&typeof e.calibrated_passages!="number",m=($,p,g)=>{a(""),n.run(async()=>{let T=await k.changeCollection(l,{metadata:{match_threshold:$,partial_threshold:p}});a(`${g} ✓`),o(T,g)})};return r`
    <button type="button" disabled=${c||n.busy} onClick=${()=>m(t.match,t.partial,"saved")}>
      Save thresholds
    </button>
    ${d&&r`<button type="button" class="quiet" disabled=${n.busy} onClick=${()=>m(null,null,"recalibrated")}>
        Recalibrate thresholds
      </button>`}
    ${n.busy&&r`<${S} label="Updating the collection" since=${n.since} />`}
    <small role="status">${s}</small>
    ${n.error&&r`<${b} error=${n.error} />`}
  `}var Qc=5,gs=100;function ft(e){let t=Math.floor(Number(e));return t>=1&&t<=gs?t:Qc}function ys({draft:e,busy:t,form:o,onDraft:n,onRun:s,onCancel:a}){return r`
    <form class="stack" ref=${o} onSubmit=${l=>{l.preventDefault(),s()}}>
      <label class="field">
        Test query
        <textarea
          class="ret-query"
          name="query"
          required
          maxlength="20000"
          placeholder="e.g., How do I reset my password?"
          value=${e.query}
          onInput=${l=>n({query:l.currentTarget.value})}
        ></textarea>
      </label>
      <div class="row">
        <button type="submit" class="primary" disabled=${t}>Search <small class="ret-keys">${me("mod+Enter")}</small></button>
        ${t&&r`<button type="button" onClick=${a}>Cancel</button>`}
        <label class="check ret-top-k">
          Passages
          <input
            type="number"
            name="top_k"
            required
            min="1"
            max=${gs}
            value=${e.topK}
            onInput=${l=>n({topK:l.currentTarget.value})}
          />
        </label>
      </div>
    </form>
  `}var Zc={match:{tone:"good",sign:"✓"},partial:{tone:"warn",sign:"~"},none:{tone:"plain",sign:"·"}};function ht({name:e}){return r`<${v} ...${Zc[e]}>${e}<//>`}var oo=280,vs=300;function ws({hit:e}){let[t,o]=f(!1),n=e.title.slice(0,vs);return r`
    <div class="ret-passage">
      <strong>${n}</strong>
      <code>${e.source.slice(0,vs)}</code>
      ${t?r`<${D} value=${e.text} label=${`Text of ${n}`} />`:r`<p>${eu(e.text)}</p>`}
      <button type="button" class="quiet" aria-expanded=${t} onClick=${()=>o(!t)}>
        ${t?"Hide full text":"Show full text"}
      </button>
    </div>
  `}function eu(e){let t=e.slice(0,2*oo).replace(/\s+/g," ").trim();return t.length>oo||e.length>2*oo?`${t.slice(0,oo)} …`:t}function ks({hits:e,thresholds:t,scale:o}){return r`
    <table class="ret-hits">
      <caption>
        Passages by rank <small>marks on the bars show the thresholds</small>
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
        ${e.map((n,s)=>{let a=et(n.distance,t);return r`
            <tr key=${n.id} data-class=${a}>
              <td class="number ret-rank">${s+1}</td>
              <td class="number">
                ${ge(n.distance)}
                <${tu} distance=${n.distance} thresholds=${t} scale=${o} />
              </td>
              <td><${ht} name=${a} /></td>
              <td><${ws} hit=${n} /></td>
            </tr>
          `})}
      </tbody>
    </table>
  `}function tu({distance:e,thresholds:t,scale:o}){let n=s=>`${ps(o,s)}%`;return r`<span class="ret-bar" aria-hidden="true">
    <span style=${{width:n(e)}}></span>
    <i style=${{left:n(t.match)}}></i>
    <i style=${{left:n(t.partial)}}></i>
  </span>`}var Ss=300,ou={match:"A chat that selects this collection answers from these passages and searches no further collections.",partial:"A chat that selects this collection passes these passages to the model and searches the next collection.",none:"A chat that selects this collection continues without these passages."};function xs({found:e,thresholds:t,saved:o,onQuery:n}){let{answer:s,ms:a,request:i}=e,l=s.hits.map(p=>p.distance),c=l.length>0?Math.min(...l):void 0,u=et(c,t),d=et(c,o),m=l.map(p=>et(p,t)),$=p=>`${m.filter(g=>g===p).length} ${p}`;return r`
    <div class="ret-classification">
      <h2><span role="status"><${ht} name=${u} /></span></h2>
      <p class="ret-reason">${s.explanation.sentence}</p>
      <${nu} query=${i.query} words=${s.explanation.unknown_words} onQuery=${n} />
      <p>${ou[u]}</p>
      ${u!==d&&r`<p>With the collection's saved thresholds: <${ht} name=${d} />.</p>`}
      <small>
        ${h(l.length,"passage")}: ${$("match")}, ${$("partial")}, ${$("none")}${" · "}
        ${c!==void 0&&`nearest ${ge(c)} · `}${A(a)}
      </small>
      <small>Query: “${i.query.slice(0,Ss)}”</small>
    </div>
  `}function nu({query:e,words:t,onQuery:o}){let s=t.filter(({similar:a})=>a.length>0).reduce((a,{word:i,similar:l})=>ru(a,i,l[0]??i),e);return s===e?null:r`
    <p class="row">
      Did you mean
      <button type="button" onClick=${()=>o(s)}>${s.slice(0,Ss)}</button>
    </p>
  `}function ru(e,t,o){let n=e.toLowerCase().indexOf(t);return n<0?e:e.slice(0,n)+o+e.slice(n+t.length)}var su=`flexchat collections create handbook --stage ${be}`,au=`flexchat collections add handbook docs/ --stage ${be}`;function Ts({isEmpty:e,hasQuery:t,loading:o,search:n,evaluation:s,onQuery:a}){let{busy:i,cancelled:l,error:c,found:u,since:d}=n;return e?r`<${iu} />`:r`
    ${i&&r`<${S} label="Searching" since=${d} />`}
    ${l&&r`<p role="status">Search cancelled.</p>`}
    ${c&&r`<${b} error=${c} onRetry=${n.search} />`}
    ${(t&&o||i&&!u)&&r`<${R} lines=${6} label="the passages" />`}
    ${!t&&r`<${lu} />`}
    ${u&&s&&r`
        <${xs} found=${u} ...${s} onQuery=${a} />
        ${u.answer.hits.length>0?r`<${ks} hits=${u.answer.hits} thresholds=${s.thresholds} scale=${s.scale} />`:r`<p>No passages found in this collection.</p>`}
      `}
  `}function iu(){return r`
    <${V} title="No collections">
      <p>Search a collection to see the distances of its passages and calibrate its thresholds.</p>
      <p>Create a collection and add files or directories:</p>
      <pre>${su} && ${au}</pre>
    <//>
  `}function lu(){return r`
    <${V} title="Test a collection">
      <p>
        Enter a query to see the closest passages of a collection, their distances, and how a chat uses them. Adjust the
        thresholds to see the effect.
      </p>
      <p>Enter a test query and select Search.</p>
    <//>
  `}function _s({collection:e,query:t,topK:o}){let n=O(),{run:s,cancel:a}=n,[i,l]=f(void 0),c=ne(()=>s(async u=>{let d=performance.now(),m=await k.search(e,{query:t,top_k:o},u);l({request:{collection:e,query:t,topK:o},answer:m,ms:performance.now()-d})}),[s,e,t,o]);return C(()=>{e&&t?c():(a(),l(void 0))},[c,a,e,t]),{...n,search:c,found:i?.request.collection===e?i:void 0}}var Os=.001;function Rs({collection:e,thresholds:t,saved:o,scale:n,onMove:s,children:a}){let i=t.match!==o.match||t.partial!==o.partial,l=(c,u)=>s(cs(t,c,u));return r`
    <fieldset class="ret-thresholds">
      <legend>Thresholds <small>cosine distance, lower is closer</small></legend>
      <${Cs} name="Match below" value=${t.match} scale=${n} onMove=${c=>l("match",c)} />
      <${Cs} name="Partial below" value=${t.partial} scale=${n} onMove=${c=>l("partial",c)} />
      <div class="row">
        <button type="button" disabled=${!i} onClick=${()=>s(void 0)}>Reset thresholds</button>
        ${a}
      </div>
      <div class="row">
        <${J} text=${()=>$s(e,t)} label="Copy as configuration" />
        <small>for services; applies to collections without thresholds</small>
      </div>
    </fieldset>
  `}function Cs({name:e,value:t,scale:o,onMove:n}){return r`
    <div class="ret-slider">
      <span aria-hidden="true">${e}</span>
      <input
        type="range"
        aria-label=${e}
        min=${o.low}
        max=${o.high}
        step=${Os}
        value=${t}
        onInput=${s=>n(Number(s.currentTarget.value))}
      />
      <${uu} name=${`${e}, as a number`} value=${t} onCommit=${n} />
    </div>
  `}function uu({name:e,value:t,onCommit:o}){let[n,s]=f(void 0);return r`
    <input
      type="number"
      aria-label=${e}
      min="0"
      max=${2}
      step=${Os}
      value=${n??t}
      onInput=${i=>s(i.currentTarget.value)}
      onChange=${({currentTarget:i})=>{s(void 0);let l=$t(i.value);l!==void 0&&o(l)}}
    />
  `}var du=250;function Es(e){let t=e.query??"",o=String(ft(e.top_k)),[n,s]=f({query:t,topK:o});return C(()=>s({query:t,topK:o}),[t,o]),[n,a=>s(i=>({...i,...a}))]}function As(e){let t=$t(e.match),o=$t(e.partial),[n,s]=f(to(t,o)),a=E(e);a.current=e;let i=E(n);return C(()=>{t===i.current?.match&&o===i.current?.partial||(i.current=to(t,o),s(i.current))},[t,o]),C(()=>{let c=setTimeout(()=>{i.current=n,x("retrieval",bt(a.current,n),{replace:!0})},du);return()=>clearTimeout(c)},[n]),[n,s]}function bt(e,t){return{...e,match:String(t?.match??""),partial:String(t?.partial??"")}}function mu({route:e}){let{params:t}=e,o=t.query??"",n=ft(t.top_k),s=t.tab==="documents",{collections:a,selected:i,collection:l,isEmpty:c,loading:u,replace:d,add:m,remove:$}=ls(t.collection),[p,g]=Es(t),[T,w]=As(t),_=_s({collection:i,query:o,topK:n}),q=E(null),he=H(),{section:we,reveal:Bi}=Se(_.busy),Ct=pu(l,_.found?.answer,T),ji=()=>{Bi();let Y={...t,collection:i,query:p.query,top_k:p.topK};Y.query===o&&ft(Y.top_k)===n?_.search():x("retrieval",bt(Y,T))},Vi=Y=>{w(void 0),x("retrieval",bt({...t,collection:Y},void 0))},Hi=(Y,Oo)=>{d(Y),Oo!=="saved"&&(w(void 0),_.found&&_.search())},Ui=rs({onIndexed:Y=>{k.collection(Y).then(d,()=>{})}}),Co=(Y,Oo=i)=>x("retrieval",{...t,collection:Oo,tab:Y==="Documents"?"documents":""}),Ji=Y=>{m(Y),Co("Documents",Y.name)},Wi=Y=>{$(Y),Co("Documents","")};G([{keys:"/",label:"Enter a test query",run:()=>q.current?.querySelector("textarea")?.focus()},{keys:"mod+Enter",label:"Search",run:()=>q.current?.requestSubmit()},{keys:"Escape",label:"Cancel the search",run:_.cancel}]);let zi=r`
    <${hs} collections=${a} selected=${i} onChoose=${Vi} />
    ${he&&a.data&&r`<${is} key=${String(c)} open=${c} onCreated=${Ji} />`}
    ${!c&&!s&&r`<${ys}
        draft=${p}
        busy=${_.busy}
        form=${q}
        onDraft=${g}
        onRun=${ji}
        onCancel=${_.cancel}
      />`}
    ${Ct&&!s&&r`<${Rs} collection=${i} ...${Ct} onMove=${w}>
        ${l&&he&&r`<${bs} key=${i} collection=${l} thresholds=${Ct.thresholds} onChanged=${Hi} />`}
      <//>`}
  `,Tn=()=>r`<${Ts}
    isEmpty=${c}
    hasQuery=${o!==""&&(u||i!=="")}
    loading=${u}
    search=${_}
    evaluation=${Ct}
    onQuery=${Y=>x("retrieval",bt({...t,query:Y},T))}
  />`;return r`
    <${U} title="Retrieval" controls=${zi} section=${we}>
      ${c?Tn():r`<${pe} label="Collection" tabs=${[{name:"Search",content:Tn},{name:"Documents",content:()=>l&&r`<${as}
      collection=${l}
      operator=${he}
      uploads=${Ui}
      onChanged=${d}
      onDeleted=${Wi}
    />`}]} chosen=${s?"Documents":"Search"} onChoose=${Co} />`}
    <//>
  `}function pu(e,t,o){let n=us(e?.metadata??{},t?.thresholds);if(n===void 0)return;let s=o??n,a=(t?.hits??[]).map(i=>i.distance);return{saved:n,thresholds:s,scale:ms([...a,n.match,n.partial],s)}}var Ms=[...Object.keys(Nt),"error"],$u={chat:"chat API",openai:"chat completions",responses:"responses API",direct:"direct invocation",trial:"test",phase_test:"phase test",tool_test:"tool test",title:"title"};function Is(e){return Ds(e)?.title??N(e)}function Pe({outcome:e,error:t}){return e==="error"||t?{title:t?`error: ${N(t.type)}`:"error",tone:"bad",sign:"✕",reason:t?.message??"The chat ended with an error."}:Ds(e)??{title:N(e),tone:"warn",sign:"?",reason:""}}function Ds(e){return Object.hasOwn(Nt,e)?Nt[e]:void 0}function no(e){return $u[e]??N(e)}function tt({input_tokens:e,output_tokens:t}){return e+t}var fu={same:{sign:"=",title:"same"},added:{sign:"+",title:"added in B"},removed:{sign:"−",title:"removed in B"},changed:{sign:"≠",title:"changed arguments"}};function Ps({a:e,b:t}){let o=z(()=>sr(Ce(e).calls,Ce(t).calls),[e,t]);return o.length===0?r`<p>Neither trace has tool calls.</p>`:r`<ol class="trace-changes">
    ${o.map(({change:n,a:s,b:a},i)=>{let{sign:l,title:c}=fu[n];return r`<li key=${i} data-change=${n}>
        <${v} tone=${n==="same"?"plain":"warn"} sign=${l}>${c}<//>
        <div class="trace-pair">
          <${Ns} name="A" call=${s} other=${n==="changed"?a:void 0} removed />
          <${Ns} name="B" call=${a} other=${n==="changed"?s:void 0} />
        </div>
      </li>`})}
  </ol>`}function Ns({name:e,call:t,other:o,removed:n=!1}){if(t===void 0)return r`<div class="trace-side"><small>not in ${e}</small></div>`;let{tone:s,label:a,reason:i}=Dt(void 0,t);return r`<div class="trace-side">
    <div class="row">
      <small>${e}</small>
      <strong class="mono">${t.tool}</strong>
      <${v} tone=${s}>${a}<//>
      <small class="number">${A(t.result.execution_time_ms)}</small>
    </div>
    <pre>${o?hu(t,o,n):_e(t.params)}</pre>
    ${i&&r`<small>${i}</small>`}
  </div>`}function hu(e,t,o){let[n,s]=o?[e,t]:[t,e],a=o?"added":"removed";return Ut(_e(n.params),_e(s.params)).filter(({change:i})=>i!==a).map(({change:i,text:l})=>i==="same"?l:o?r`<del>${l}</del>`:r`<ins>${l}</ins>`)}function fe({trace:e}){if(e.has_content)return r`<p class="notice">! The trace has no content of this step.</p>`;let t=r`, or it is${" "}<code>errors</code> and this chat did not fail`;return r`<p class="notice">
    ! This trace was stored without content: <code>traces.content</code> of the configuration was${" "}<code>none</code>
    ${!e.failed&&t}. <code>"content": "all"</code> keeps the messages, arguments and results of later chats.
  </p>`}var bu=300;function js({a:e,b:t}){let o=e.message===t.message;return r`
    <div class="row spread">
      <h1>Comparison of two traces</h1>
      <button type="button" onClick=${()=>x(de(t.id),{with:e.id})}>Swap A and B</button>
    </div>
    <div class="trace-pair">
      <${Ls} name="A" trace=${e} />
      <${Ls} name="B" trace=${t} />
    </div>
    ${!o&&r`<p class="notice">! The messages of the two traces differ.</p>`}
    <${yu} a=${e} b=${t} />
    <section class="stack" aria-label="Tool calls">
      <h2>Tool calls</h2>
      <${Ps} a=${e} b=${t} />
    </section>
    <section class="stack" aria-label="Answers">
      <h2>Answers</h2>
      <${wu} a=${e} b=${t} />
    </section>
    <section class="stack" aria-label="Steps">
      <${I} summary="Steps of A"><${Bs} trace=${e} /><//>
      <${I} summary="Steps of B"><${Bs} trace=${t} /><//>
    </section>
  `}function Ls({name:e,trace:t}){let{tone:o,sign:n,title:s,reason:a}=Pe(t);return r`
    <section class="trace-side" aria-label=${`Trace ${e}`}>
      <div class="row">
        <strong>${e}</strong>
        <${v} tone=${o} sign=${n}>${s}<//>
        ${t.demo&&r`<${B} />`}
      </div>
      <div class="row">
        <strong class="mono">${t.model??"no model"}</strong>
        ${t.rule&&r`<span>rule ${t.rule}</span>`}
        <small><${M} at=${t.started_at} /></small>
        <${re} id=${t.id} />
      </div>
      ${a&&r`<small>${a}</small>`}
      ${t.message&&r`<p class="tt-query">${W(t.message,bu)}</p>`}
    </section>
  `}var gu=[{name:"Duration",value:e=>e.duration_ms,format:A},{name:"First token",value:e=>e.first_token_ms,format:A},{name:"Model calls",value:e=>e.model_calls,format:y},{name:"Tool calls",value:e=>e.tool_calls,format:y},{name:"Tokens",value:e=>tt(e.usage),format:y},{name:"Input tokens",value:e=>e.usage.input_tokens,format:y},{name:"of them cached",value:e=>e.usage.cached_tokens,format:y},{name:"Output tokens",value:e=>e.usage.output_tokens,format:y},{name:"of them reasoning",value:e=>e.usage.reasoning_tokens,format:y},{name:"Cost",value:e=>e.cost_usd,format:K}];function yu({a:e,b:t}){let o=["A","B","Difference"];return r`<div class="trace-numbers"><${Te} label="Numbers" caption="Numbers" columns=${["Measure",...o]} numbers=${o}>
    ${gu.map(({name:n,value:s,format:a})=>{let[i,l]=[s(e),s(t)];return r`<tr>
        <th scope="row">${n}</th>
        <td class="number">${qs(i,a)}</td>
        <td class="number">${qs(l,a)}</td>
        <td class="number">${vu(i,l,a)}</td>
      </tr>`})}
  <//></div>`}function qs(e,t){return typeof e=="number"?t(e):"–"}function vu(e,t,o){if(typeof e!="number"||typeof t!="number")return"–";if(e===t)return"same";let n=t>e?"+":"−",s=e>0?` (${n}${Math.round(Math.abs(t-e)/e*100)} %)`:"";return`${n}${o(Math.abs(t-e))}${s}`}function wu({a:e,b:t}){let o=z(()=>Ut(e.answer,t.answer),[e.answer,t.answer]),n=[e,t].find(s=>s.answer.trim()==="");return n&&!n.has_content?r`<${fe} trace=${n} />`:e.answer===t.answer?r`<p>Both answers are the same.</p>
    <div class="trace-diff">${e.answer}</div>`:r`
    <p><small><del>Struck through</del>: only in A. <ins>Underlined</ins>: only in B.</small></p>
    <div class="trace-diff" tabindex="0" role="region" aria-label="Difference of the answers">
      ${o.map(({change:s,text:a})=>s==="same"?a:s==="removed"?r`<del>${a}</del>`:r`<ins>${a}</ins>`)}
    </div>
    <div class="trace-pair">
      <${Fs} name="A" text=${e.answer} />
      <${Fs} name="B" text=${t.answer} />
    </div>
  `}function Fs({name:e,text:t}){return r`<section class="trace-side" aria-label=${`Answer of ${e}`}>
    <strong>${e} · ${h(t.length,"character")}</strong>
    <div class="trace-diff">${t||"(empty answer)"}</div>
  </section>`}function Bs({trace:e}){let[t,o]=f(-1),{timings:n,calls:s}=Ce(e),a=e.spans[t];return r`
    <${Ve} timings=${n} calls=${s} selected=${t} onSelect=${o} />
    ${a&&r`<small>${N(a.kind)} ${a.name}: <${re} id=${e.id} params=${{step:String(t)}}>open its details<//></small>`}
  `}function Vs({id:e}){let t=j(),[o,n]=f("");return r`<form class="row trace-compare" onSubmit=${a=>{a.preventDefault(),o.trim()!==""&&x(de(e),{with:o.trim()})}}>
    <label class="hidden" for=${t}>Request id of another trace</label>
    <input
      id=${t}
      type="text"
      placeholder="Request id of another trace"
      spellcheck=${!1}
      autocomplete="off"
      value=${o}
      onInput=${a=>n(a.currentTarget.value)}
    />
    <button type="submit" disabled=${o.trim()===""}>Compare</button>
  </form>`}var ku={WARNING:"warn",ERROR:"bad",CRITICAL:"bad"};function Hs({id:e}){let{data:t,error:o,reload:n}=F(s=>te.logs(e,s),[e]);return o?r`<${b} error=${o} onRetry=${n} />`:t?r`
    <div class="row spread">
      <span>${h(t.lines.length,"log line")}</span>
      <button type="button" onClick=${n}>Refresh</button>
    </div>
    ${t.lines.length===0&&r`<p>No log line has this request id. Lines appear some seconds after the request.</p>`}
    <ol class="trace-logs">
      ${t.lines.map((s,a)=>r`<${Su} key=${a} line=${s} />`)}
    </ol>
  `:r`<${R} lines=${6} label="the log lines" />`}function Su({line:e}){let t=ku[e.level]??"plain",o=r`<time class="mono" datetime=${e.at} title=${Ae(e.at)}>${xu(e.at)}</time>
    ${" "}<${v} tone=${t}>${e.level.toLowerCase()}<//>
    ${" "}<span class="mono">${e.function}</span> ${e.message}`;return Object.keys(e.fields??{}).length===0?r`<li>${o}</li>`:r`<li>
    <${I} summary=${o}><${D} value=${e.fields} label="Fields of the log line" /><//>
  </li>`}function xu(e){let t=new Date(e);return Number.isNaN(t.getTime())?e:`${t.toLocaleTimeString("en-GB")}.${String(t.getMilliseconds()).padStart(3,"0")}`}function ro({models:e,value:t,onChange:o,label:n,id:s,problem:a=""}){let i=j(),[l,c]=f(void 0),u=l??(e.error!==void 0&&e.data===void 0),d=H(),m=e.data?.models.filter(p=>d||!p.operator_only)??[],$={id:s??i,value:t,required:!0,"aria-invalid":a?"true":void 0,"aria-describedby":`${i}-about`,onInput:p=>o(p.currentTarget.value.trim())};return r`
    <div class="model-picker stack">
      <div class="field">
        <div class="row spread">
          <label for=${$.id}>${n}</label>
          <button type="button" class="quiet" onClick=${()=>c(!u)}>
            ${u?"Choose from the list":"Enter the model id"}
          </button>
        </div>
        ${u?r`<${Cu} ...${$} />`:r`<${Ou} ...${$} models=${m} loading=${e.loading} />`}
      </div>
      <div id=${`${i}-about`} class="stack">
        ${a&&r`<p class="problem-text">✕ ${a}</p>`}
        <${Eu} model=${m.find(p=>p.id===t)} />
      </div>
      <${Tu} models=${e} />
    </div>
  `}function Tu({models:{data:e,error:t,loading:o,reload:n}}){return o&&e===void 0?r`<${_u} />`:r`
    ${e?.errors.map(({llm:s,error:a})=>r`<p>! <code>${s}</code> did not list its models: ${a}</p>`)}
    ${t&&r`<p>! The models could not be listed: ${t.message}</p>
        <div class="row"><button type="button" onClick=${n}>Reload the models</button></div>`}
  `}function _u(){let[e]=f(()=>performance.now());return r`<${S} label="Loading models" since=${e} />`}function Cu(e){return r`<input type="text" placeholder="llm:model" spellcheck=${!1} autocapitalize="off" ...${e} />`}function Ou({models:e,loading:t,...o}){let n=Object.entries(Object.groupBy(e,a=>a.llm)),s=o.value!==""&&!e.some(a=>a.id===o.value);return r`<select ...${o}>
    <option value="">Select a model</option>
    ${s&&r`<option value=${o.value}>${o.value}${t?"":" · not listed"}</option>`}
    ${n.map(([a,i])=>r`
        <optgroup label=${a}>
          ${i?.map(l=>r`<option key=${l.id} value=${l.id}>${Ru(l)}</option>`)}
        </optgroup>
      `)}
  </select>`}function Ru({id:e,demo:t,validation:{badge:o,rate:n}}){return t?`${e} · demo${n?` ${xe(n)}`:""}`:o?`${e} ${o.symbol} ${n?xe(n):o.text}`:e}function Eu({model:e}){if(e===void 0)return null;let{badge:t,last_tested:o}=e.validation,n=Au(e);return r`
    <p>
      <${je} validation=${e.validation} demo=${e.demo} />
      ${t&&r` <small>${t.tooltip}</small>`}${o&&r` <small>(<${M} at=${o} />)</small>`}
    </p>
    ${n&&r`<p class="notice">! ${n}</p>`}
  `}function Au({capabilities:e,validation:t,demo:o}){return o?"":e.includes("function-calling")?t.validated?"":`This model ${t.tested?"did not pass validation":"has not been tested with tools"}: check its results before you rely on it.`:"The provider does not list tool calling for this model: it may answer without tools."}var Mu=200;function Us(e,{how:t,model:o,rule:n,keep:s},a){let i=e.message??"",l=jn(e).slice(-Mu);if(t==="rules"){let u=s&&e.intent?{profile:{intent:e.intent}}:{},d=s&&e.topic?{topic:e.topic}:{};return{route:"chat",body:{message:i,...l.length>0&&{history:l},...d,...u}}}let c=t==="rule"?`flexchat/${n}`:o;return t==="model"&&!a.includes(c)?{route:"test",body:{query:i,model:c}}:{route:"complete",body:{model:c,messages:[...l,{role:"user",content:i}]}}}function Js(e){return e.flatMap(t=>t.startsWith("flexchat/")?[t.slice(9)]:[])}function Ws({how:e,model:t,rule:o}){return e==="model"&&t===""?"Select a model.":e==="rule"&&o===""?"Select a rule.":""}function zs({trace:e}){let[t,o]=f(!1),n=(e.message??"")!=="";return r`
    <button type="button" disabled=${!n} title=${n?void 0:"The trace has no message: it was stored without content"} onClick=${()=>o(!0)}>Run again</button>
    <${Z} title="Run the message again" open=${t} onClose=${()=>o(!1)}>
      <${Iu} trace=${e} />
    <//>
  `}function Iu({trace:e}){let t=H(),o=F(d=>te.offered(d)),n=O(),[s,a]=f({how:t?"model":"rules",model:"",rule:"",keep:!0}),i=d=>a(m=>({...m,...d})),l=o.data?.data.map(({id:d})=>d)??[],c=Ws(s);return r`
    <form class="stack" noValidate onSubmit=${d=>{d.preventDefault(),!(n.busy||c!=="")&&n.run(async m=>{let $=await Fu(Us(e,s,l),m);x(de(e.id),{with:$})})}}>
      <fieldset class="trace-choices">
        <legend class="hidden">How to run it</legend>
        ${t&&r`<${Yo} how="model" choice=${s} onChange=${i}>With another model<//>`}
        <${Yo} how="rule" choice=${s} onChange=${i}>By one response rule<//>
        <${Yo} how="rules" choice=${s} onChange=${i}>By the response rules of the active configuration<//>
      </fieldset>
      ${s.how==="model"&&r`<${Nu} offered=${l} choice=${s} onChange=${i} />`}
      ${s.how==="rule"&&r`<${Lu} rules=${Js(l)} loading=${o.loading} choice=${s} onChange=${i} />`}
      ${s.how==="rules"&&r`<${qu} trace=${e} choice=${s} onChange=${i} />`}
      ${n.error&&r`<${b} error=${n.error} traced />`}
      <${Du} task=${n} problem=${c} />
      <small>
        The tools run again, with their effects. Afterwards both traces are compared.
        ${Un(e)&&" Pictures and files of the conversation are not sent: a trace has only their names."}
      </small>
    </form>
  `}function Yo({how:e,choice:t,onChange:o,children:n}){return r`<label class="check">
    <input type="radio" name="trace-how" checked=${t.how===e} onChange=${()=>o({how:e})} />
    ${n}
  </label>`}function Du({task:e,problem:t}){return r`<div class="row">
    <button type="submit" class="primary" disabled=${e.busy||t!==""}>Run</button>
    ${e.busy&&r`<button type="button" onClick=${e.cancel}>Cancel</button>`}
    ${e.busy&&r`<${S} label="Waiting for the answer" since=${e.since} />`}
    ${!e.busy&&t&&r`<small>${t}</small>`}
  </div>`}function Nu({offered:e,choice:{model:t},onChange:o}){let n=ie();return r`
    <${ro} models=${n} value=${t} label="Model" onChange=${s=>o({model:s})} />
    ${t!==""&&!e.includes(t)&&r`<${Pu} />`}
  `}function Pu(){return r`<small>
    As in the Test view: with all tools, without the conversation before the message. To use the rule's prompt and tools,
    name the model in <code>openai_api.models</code> of the configuration.
  </small>`}function Lu({rules:e,loading:t,choice:o,onChange:n}){let s=j();return!t&&e.length===0?r`<p class="notice">! No rule is offered. Name the rules in <code>openai_api.rules</code> of the configuration.</p>`:r`<div class="field">
    <label for=${s}>Rule</label>
    <select id=${s} value=${o.rule} onChange=${a=>n({rule:a.currentTarget.value})}>
      <option value="">${t?"Loading the rules":"Select a rule"}</option>
      ${e.map(a=>r`<option value=${a}>${a}</option>`)}
    </select>
  </label>`}function qu({trace:{topic:e,intent:t},choice:o,onChange:n}){let s=[e&&`topic ${e}`,t&&`intent ${t}`].filter(Boolean).join(", ");return s?r`<label class="check">
    <input type="checkbox" checked=${o.keep} onChange=${()=>n({keep:!o.keep})} />
    Send the result of the phases again: ${s}
  </label>`:null}async function Fu({route:e,body:t},o){if(e==="chat")return(await te.chat(t,o)).request_id;if(e==="test")return(await k.testTools(t,o)).request_id;let n=t,s=(await te.complete(n,o)).flexchat?.request_id;if(!s)throw new Rt("failed","The answer has no request id. Find its trace in the list of traces.");return s}function Xs(e,t,o){let n=new Map(e.tools.map(s=>[s.name,s]));for(let s of o){let a=n.get(s.name);n.set(s.name,a?Bu(a,Ys(s)):s)}return{...e,tools:[...n.values()],cases:[...e.cases,t]}}function Bu(e,t){let o=Ys(e),n=new Set(o.map(Gs)),s=t.filter(i=>!n.has(Gs(i)));if(s.length===0)return e;let a=[...o,...s].sort((i,l)=>Ks(l)-Ks(i));return{...e,implementation:{...e.implementation,answers:a}}}function Ys({implementation:e}){let t=e.answers;return Array.isArray(t)?t:[]}function Qs(e){return e===null||typeof e!="object"||Array.isArray(e)?[]:Object.entries(e.when??{}).sort(([t],[o])=>t<o?-1:1)}function Gs(e){return JSON.stringify(Qs(e))}function Ks(e){return Qs(e).length}async function so(e,{added:t,mocks:o},n){let s=Xs(await ju(e,n),t,o);await k.putSuite(e,s)}async function ju(e,t){try{return await k.suite(e,t)}catch(o){if(!(o instanceof Rt)||o.status!==404)throw o;return{name:e,description:"Cases saved from chats and tool tests.",tools:[],cases:[]}}}var Vu=["single","choice","parallel","parallel_choice","irrelevance","multi_turn","error_recovery","types","clarification"],Hu="my-cases",Uu=String.raw`[a-z0-9][a-z0-9_.\-]{0,63}`,Ju=String.raw`[a-zA-Z0-9][a-zA-Z0-9_.\-]{0,127}`;function ao({draft:e,task:t,onChange:o,onSave:n}){let s=j(),i=F(k.suites).data?.suites.filter(d=>!d.built_in)??[],l=Wu(e.expect),c=d=>({id:`${s}-${d}`,"aria-describedby":`${s}-${d}-hint`,value:e[d],onInput:m=>o({...e,[d]:m.currentTarget.value})});return r`
    <form class="stack" onSubmit=${d=>{d.preventDefault(),l===""&&!t.busy&&n(e)}}>
      <${gt} id=${`${s}-suite`} label="Suite" hint="One of your suites or a new name. Built-in suites are read-only.">
        <input type="text" list=${`${s}-suites`} required pattern=${Uu} title="lower-case letters, digits, _ . -" placeholder=${i[0]?.name??Hu} ...${c("suite")} />
        <datalist id=${`${s}-suites`}>
          ${i.map(({name:d,cases:m})=>r`<option value=${d}>${h(m,"case")}</option>`)}
        </datalist>
      <//>
      <${gt} id=${`${s}-id`} label="Case" hint="Unique id in the suite.">
        <input type="text" required pattern=${Ju} title="letters, digits, _ . -" ...${c("id")} />
      <//>
      <${gt} id=${`${s}-category`} label="Category" hint="Ability that the case tests.">
        <select ...${c("category")}>
          ${Vu.map(d=>r`<option value=${d}>${N(d)}</option>`)}
        </select>
      <//>
      <${gt} id=${`${s}-offer`} label="Offered tools" hint="Saved as mocks that return the results of this test.">
        <select ...${c("offer")}>
          <option value="all">all tools of this test</option>
          <option value="called">called tools only</option>
        </select>
      <//>
      <${gt} id=${`${s}-expect`} label="Expected calls" invalid=${l!==""} hint=${l?`✕ ${l}`:"JSON, from the calls of this test."}>
        <textarea class="mono tt-expect" spellcheck=${!1} aria-invalid=${l?"true":void 0} ...${c("expect")}></textarea>
      <//>
      ${t.error&&r`<${b} error=${t.error} />`}
      <div class="row">
        <button type="submit" class="primary" disabled=${t.busy||l!==""}>Save</button>
        ${t.busy&&r`<${S} label="Saving the case" since=${t.since} />`}
      </div>
    </form>
  `}function gt({id:e,label:t,hint:o,invalid:n=!1,children:s}){return r`<div class="field">
    <label for=${e}>${t}</label>
    ${s}
    <small id=${`${e}-hint`} class=${n?"problem-text":""}>${o}</small>
  </div>`}function Wu(e){try{return X(e),""}catch(t){return`Not valid JSON: ${t instanceof Error?t.message:String(t)}`}}function Zs({trace:e}){let[t,o]=f(!1),[n,s]=f(void 0),[a,i]=f(void 0),[l,c]=f(""),u=O(),d=O(),m=()=>u.run(async g=>{let T=await te.case(e.id,g);s(T),i(zu(T))}),$=()=>{c(""),o(!0),n||m()},p=g=>d.run(async T=>{n&&(await so(g.suite,Gu(g,n,e.tools),T),c(`saved as ${g.id} in ${g.suite} ✓`),o(!1))});return r`
    <button type="button" disabled=${!e.has_content} title=${e.has_content?void 0:"The trace has no content"} onClick=${$}>Save as case</button>
    <span role="status">${l}</span>
    <${Z} title="Save as validation case" open=${t} onClose=${()=>o(!1)}>
      ${u.busy&&r`<${S} label="Making the case" since=${u.since} />`}
      ${u.error&&r`<${b} error=${u.error} onRetry=${m} />`}
      ${a&&r`<${ao} draft=${a} task=${d} onChange=${i} onSave=${p} />`}
    <//>
  `}function zu({cases:[e]}){return e&&{suite:"",id:e.id,category:e.category,offer:"all",expect:JSON.stringify(e.expect,null,2)}}function Gu(e,{tools:t,cases:[o]},n){let s=e.offer==="all"?t:t.filter(({name:i})=>n.includes(i));return{added:{...o,id:e.id,category:e.category,tools:s.map(({name:i})=>i),expect:X(e.expect)},mocks:s}}function Qo({facts:e}){return r`<dl class="wf-facts">
    ${e.filter(([,t])=>t!=null&&t!==""&&t!==!1).map(([t,o])=>r`
        <dt>${t}</dt>
        <dd>${o}</dd>
      `)}
  </dl>`}function ea(e,t){let o=n=>n>0?t(n):"";return[["Input tokens",t(e.input_tokens)],["of them cached",o(e.cached_tokens)],["of them written to the cache",o(e.cache_write_tokens)],["Output tokens",t(e.output_tokens)],["of them reasoning",o(e.reasoning_tokens)]]}function ta({messages:e}){return r`
    <p><small>${h(e.length,"message")}, in the order that the model got them.</small></p>
    <ol class="trace-messages">
      ${e.map((t,o)=>r`<${yt} key=${o} message=${t} />`)}
    </ol>
  `}function yt({message:e}){let t=Vn(e),o=Hn(e);return r`
    <li data-role=${t}>
      <strong>${t}</strong>
      ${o.length===0&&r`<small>${t==="system"?"No text. System messages are shown to operators.":"No text."}</small>`}
      ${o.map((n,s)=>r`<${Ku} key=${s} part=${n} role=${t} />`)}
    </li>
  `}function Ku({part:e,role:t}){switch(e.kind){case"call":return r`<p>calls <code>${e.name}</code></p>
        <${D} value=${e.arguments} label=${`Arguments of ${e.name}`} />`;case"result":return r`<p>
          result of <code>${e.name}</code>${e.failed&&r` <${v} tone="bad">failed<//>`}
        </p>
        <${D} value=${e.text} label=${`Result of ${e.name}`} />`;case"attachment":return r`<p>${e.type}: <code>${e.text}</code></p>`;case"reasoning":return r`<p>reasoning</p>
        <${D} value=${e.text} label="Reasoning" />`;case"other":return r`<${D} value=${_e(e.value)} label=${`Part of the message of ${t}`} />`;default:return r`<${D} value=${e.text} label=${`Message of ${t}`} />`}}function oa({trace:e,rows:t,onSelect:o}){if(e.failures.length===0)return"";let n=e.failures.map(i=>e.spans.findIndex(l=>l.id===i.span_id)),a=n.every(i=>e.spans[i]?.kind==="tool"&&e.spans[i]?.error)?"Failed tool calls":"Why it failed";return r`
    <section class="problem" aria-label=${a}>
      <h2>${a}</h2>
      ${e.failures.map((i,l)=>{let c=n[l]??-1,u=t.find(d=>d.index===c);return r`
          <div class="stack trace-failure">
            <h3>
              <span aria-hidden="true">✕</span> ${i.title} <small>${Xu(i)}</small>
            </h3>
            ${i.message&&r`<p>${i.message}</p>`}
            ${u&&r`<p>${e.spans[c]?.error?"Failed in":"Last step:"} <${Yu} trace=${e} row=${u} onSelect=${o} />.</p>`}
            ${e.spans.length===0&&r`<p>Failed before the first step.</p>`}
            <p><strong>What to do:</strong> <${Qu} text=${i.advice} /></p>
          </div>
        `})}
    </section>
  `}function io({title:e,message:t}){return t?`${e}: ${t}`:e}function Xu({code:e,status:t}){return typeof t=="number"?`${N(e)}, HTTP ${t}`:N(e)}function Yu({trace:e,row:t,onSelect:o}){let n=l=>{l.metaKey||l.ctrlKey||l.shiftKey||l.button!==0||(l.preventDefault(),o(t.index),Fn(t.index))},{step:s}=t,a=s?.step==="tool"&&s.iteration>0?`, iteration ${s.iteration}`:"",i={...ue().params,step:String(t.index)};return r`<a href=${Ee(de(e.id),i)} onClick=${n}
    >${t.name}${t.detail&&` (${t.detail})`}${a}</a
  >`}function Qu({text:e}){return e.split("`").map((t,o)=>o%2===1?r`<code>${t}</code>`:t)}var Zu=128,ed=new Set(["finish_reason","provider","provider_request_id","response_id","http_status","retries","failed_attempts","fallback_of","fallback_reason","streamed","tools","tool_choice","temperature","max_tokens"]),td=new Set(["function_ms","type","http_status","retries","server","truncated","call_id"]);function ra({trace:e,span:t,status:o,tab:n,onTab:s}){let a=W(t.name,Zu),i=t.kind==="tool"?rd(e,t):nd(e,t),l=e.failures.find(d=>d.span_id===t.id),c=l?io(l):od(t),u=i.some(d=>d.name===n)?n:i[0]?.name??"";return r`
    <section class="wf-details" aria-label=${`Details of ${a}`}>
      <div class="row">
        <h3 class="mono">${a}</h3>
        <small>${N(t.kind)}</small>
        <${v} tone=${o.tone}>${o.label}<//>
      </div>
      ${c&&r`<p class="problem-text">✕ ${c}</p>`}
      <${pe} label=${`Details of ${a}`} tabs=${i} chosen=${u} onChoose=${s} />
    </section>
  `}function od({error:e,message:t}){return e?t?`${N(e)}: ${t}`:N(e):""}function nd(e,t){let o=Pt(e,t),{answer:n}=it(t),s={name:"Facts",content:()=>r`<${Qo} facts=${sd(t)} />`},a={name:"Raw",content:()=>r`<${D} key=${t.id} value=${t} label="Raw span" />`};return t.kind==="search"||t.kind==="guardrail"?[s,a]:[{name:"Messages",content:()=>o?r`<${ta} key=${t.id} messages=${o} />`:r`<${fe} trace=${e} />`},{name:"Answer",content:()=>n===void 0?r`<${fe} trace=${e} />`:r`<ol class="trace-messages"><${yt} key=${t.id} message=${n} /></ol>`},s,a]}function rd(e,t){let{arguments:o,result:n}=it(t),s=(a,i)=>a===void 0?r`<${fe} trace=${e} />`:r`<${D} key=${t.id} value=${a} label=${i} />`;return[{name:"Arguments",content:()=>s(o,"Arguments")},{name:t.error?"Error":"Result",content:()=>s(n??t.message??void 0,t.error?"Error":"Result")},{name:"Facts",content:()=>r`<${Qo} facts=${ld(t)} />`},{name:"Raw",content:()=>r`<${D} key=${t.id} value=${t} label="Raw span" />`}]}function sa(e){return[["Iteration",e.iteration===0?"before iteration 1":String(e.iteration)],["Started after",A(e.start_ms)],["Duration",A(e.duration_ms)],["Ended after",A(e.start_ms+e.duration_ms)]]}function sd(e){let t=P(e,"fallback_of"),o=Bn(e);return[...sa(e),...e.usage?ea(e.usage,y):[],["Cost",id(e)],["Verdict",P(e,"verdict")],["Checked text",P(e,"source")],["Policies",P(e,"policies")],["Text units",P(e,"units")],["Finish reason",N(P(e,"finish_reason"))],["Provider",P(e,"provider")],["HTTP status",P(e,"http_status")],["Request id of the provider",na(P(e,"provider_request_id"))],["Response id of the provider",na(P(e,"response_id"))],["Retries",P(e,"retries")],["Failed attempts",o.length>0&&r`<ol class="trace-attempts">
          ${o.map((n,s)=>r`<li key=${s}>${ad(n)}</li>`)}
        </ol>`],["Replaces",t&&`${t} (${N(P(e,"fallback_reason"))})`],["Streamed",P(e,"streamed")&&cd(P(e,"streamed"))],["Offered tools",P(e,"tools")],["Tool choice",P(e,"tool_choice")],["Temperature",P(e,"temperature")],["Token limit",P(e,"max_tokens")],...aa(e,ed)]}function na(e){return e&&r`<code>${e}</code> <${J} text=${e} label="Copy" />`}function ad({error:e,status:t,duration_ms:o,wait_ms:n,request_id:s,message:a}){return`${[N(e),t!==void 0&&`HTTP ${t}`,o!==void 0&&`after ${A(o)}`,n!==void 0&&`repeated ${A(n)} later`,s!==void 0&&`request ${s}`].filter(Boolean).join(", ")}${a?`: ${a}`:""}`}function id(e){return typeof e.cost_usd=="number"?K(e.cost_usd):e.usage?"no price is configured for this model":""}function ld(e){let t=Number(P(e,"function_ms")),o=P(e,"function_ms")!==""&&!Number.isNaN(t);return[...sa(e),["In the tool's function",o&&A(t)],["Outside of it",o&&A(Math.max(0,e.duration_ms-t))],["Type",P(e,"type")],["HTTP status",P(e,"http_status")],["Retries",P(e,"retries")],["MCP server",P(e,"server")],["Result",P(e,"truncated")==="true"&&"truncated"],["Call",P(e,"call_id")],...aa(e,td)]}function aa(e,t){return Object.keys(e.attributes??{}).filter(o=>!t.has(o)).map(o=>[N(o),P(e,o)])}function cd(e){return e==="true"?"yes":"no"}var ud=300;function dd(e){let{tone:t,title:o}=Pe(e),n=e.spans.filter(s=>s.kind==="tool"&&s.error).length;return[`${o} ${t==="good"?"in":"after"} ${A(e.duration_ms)}`,h(e.model_calls,"model call"),h(e.tool_calls,"tool call")+(n>0?`, ${y(n)} failed`:""),h(tt(e.usage),"token"),typeof e.cost_usd=="number"?K(e.cost_usd):"no price"].join(" · ")}function ia({trace:e,operator:t}){let{tone:o,sign:n,reason:s}=Pe(e);return r`
    <div class="stack">
      <h1 class="tt-status">
        <${v} tone=${o} sign=${n}>${dd(e)}<//>
        ${e.demo&&r` <${B} />`}
      </h1>
      ${e.message&&r`<p class="tt-query">${W(e.message,ud)}</p>`}
      ${s&&e.failures.length===0&&r`<p class="notice">! ${s}${e.error?.status?` (HTTP ${e.error.status})`:""}</p>`}
      ${e.warnings.map(a=>r`<p class="notice">! ${a}</p>`)}
      ${e.limits.length>0&&r`<p class="notice">! Limits: ${e.limits.map(N).join(", ")}.</p>`}
      <div class="row tt-facts">
        <span>Request: <code>${e.id}</code> <${J} text=${e.id} label="Copy request id" /></span>
        <span>Started: <strong><${M} at=${e.started_at} /></strong></span>
        ${md(e,t).map(([a,i])=>i&&r`<span>${a}: <strong>${i}</strong></span>`)}
        ${e.session_id&&r`<${pd} trace=${e} id=${e.session_id} />`}
        <span>OpenTelemetry trace: <code>${e.trace_id}</code></span>
        <span>Kept until: <strong>${Ae(e.expires_at)}</strong></span>
        ${!e.has_content&&r`<${L}>without content<//>`}
      </div>
    </div>
  `}function md(e,t){return[["First token",typeof e.first_token_ms=="number"?A(e.first_token_ms):""],[e.chosen_model?"Chosen model":"Model",e.model],["In place of",e.fallback_of],[e.chosen_rule?"Chosen rule":"Rule",e.rule],["Topic",e.topic],["Intent",e.intent],["Front end",`${no(e.front_end)}${e.streamed?", streamed":""}`],["Caller",t?e.caller:""],["Configuration",e.configuration]]}function pd({trace:e,id:t}){let o=n=>s=>{s.metaKey||s.ctrlKey||s.shiftKey||s.button!==0||(s.preventDefault(),x(n,{session:t}))};return r`<span>
    Session: <a href=${Ee("chat",{session:t})} onClick=${o("chat")}>${t}</a>
    ${typeof e.turn=="number"&&`, turn ${e.turn}`}
    ${" · "}<a href=${Ee("traces",{session:t})} onClick=${o("traces")}>its traces</a>
  </span>`}function la({trace:e,onReload:t}){let o=H(),{timings:n,calls:s}=Ce(e),a=Mn(n,s),i=l=>x(de(e.id),{step:String(l)},{replace:!0});return r`
    <${ia} trace=${e} operator=${o} />
    <${oa} trace=${e} rows=${a} onSelect=${i} />
    <div class="row">
      <${zs} trace=${e} />
      ${o&&r`<${Zs} trace=${e} />`}
      <button type="button" onClick=${t}>Refresh</button>
      <${Vs} id=${e.id} />
    </div>
    <${$d} trace=${e} rows=${a} onSelect=${i} />
    <section class="stack" aria-label="Answer">
      <h2>Answer</h2>
      <${bd} trace=${e} />
      <${gd} trace=${e} />
    </section>
    <section class="stack" aria-label="Data">
      ${e.offered_tools.length>0&&r`<${I} summary=${`Offered tools (${e.offered_tools.length})`}><${D} value=${e.offered_tools} label="Offered tools" /><//>`}
      ${o&&r`<${I} summary="Log lines"><${Hs} id=${e.id} /><//>`}
      <${I} summary="Raw trace"><${D} value=${e} label="Raw trace" /><//>
    </section>
  `}function $d({trace:e,rows:t,onSelect:o}){let[n,s]=f(""),{timings:a,calls:i}=Ce(e),l=ue().params.step,c=l===void 0?hd(e):Number(l),u=e.spans[c],d=t.find(({index:m})=>m===c);return e.spans.length===0?r`<p class="notice">! The chat ended before its first step.</p>`:r`
    <section class="stack" aria-label="Steps">
      <h2>${h(e.spans.length,"step")}</h2>
      <div class="trace-steps">
        <${Ve} timings=${a} calls=${i} selected=${c} onSelect=${o} failures=${fd(e)} />
        ${u&&d&&r`<${ra} trace=${e} span=${u} status=${d.status} tab=${n} onTab=${s} />`}
      </div>
    </section>
  `}function fd({spans:e,failures:t}){let o=t.map(n=>[e.findIndex(s=>s.id===n.span_id),io(n)]);return new Map(o.reverse())}function hd({spans:e,failures:t}){let o=e.findIndex(n=>n.id===t[0]?.span_id);return o>=0?o:Math.max(0,e.findIndex(n=>n.error))}function bd({trace:e}){return e.answer.trim()!==""?r`<div class="trace-answer"><${Wn} text=${e.answer} /></div>`:e.has_content?r`<p>The answer is empty.</p>`:r`<${fe} trace=${e} />`}function gd({trace:{id:e,caller:t,feedback:o}}){let n=At(),s=n!==void 0&&n===t;return r`
    ${s&&r`<${Jn} id=${e} given=${o.find(({by:a})=>a===n)} />`}
    ${o.filter(({by:a})=>!s||a!==n).map(({rating:a,comment:i,by:l,created_at:c})=>r`
          <p>
            <${Lt} rating=${a} />
            ${i&&` “${i}”`} <small>by ${l}, <${M} at=${c} /></small>
          </p>
        `)}
    ${!s&&o.length===0&&r`<p><small>Not rated. Only the caller of the chat can rate its answer.</small></p>`}
  `}function yd({route:{id:e,params:t}}){let o=t.with??"";return r`<div class="trace-page">
    ${o?r`<${wd} key=${`${e} ${o}`} id=${e} other=${o} />`:r`<${vd} key=${e} id=${e} />`}
  </div>`}function vd({id:e}){let t=qt(e);return t.data?r`<${la} trace=${t.data} onReload=${t.reload} />`:r`<h1 class="hidden">Trace</h1>
    <${Zo} loaded=${t} id=${e} />`}function wd({id:e,other:t}){let[o,n]=[qt(e),qt(t)];return o.data&&n.data?r`<${js} a=${o.data} b=${n.data} />`:r`<h1>Comparison of two traces</h1>
    ${o.data===void 0&&r`<${Zo} loaded=${o} id=${e} />`}
    ${n.data===void 0&&r`<${Zo} loaded=${n} id=${t} />`}`}function Zo({loaded:{error:e,loading:t,reload:o},id:n}){let[s]=f(()=>performance.now());return t||!e?r`<p><${S} label="Waiting for the trace, which is stored some seconds after the chat" since=${s} /></p>
      <${R} lines=${10} label="the trace" />`:e.status!==404?r`<${b} error=${e} onRetry=${o} />`:r`<${V} title="There is no such trace">
    <p>
      <code>${n}</code> has no trace that this token may read. It may not be stored yet, its days
      (<code>traces.days</code>) may have passed, <code>traces.sample</code> of the configuration may have left it out, or
      it belongs to another caller.
    </p>
    <div class="row">
      <button type="button" onClick=${o}>Try again</button>
      <button type="button" onClick=${()=>x("traces")}>Show all traces</button>
    </div>
  <//>`}function ca(e){return ua(e,0)}function ua(e,t){let o=new Set(Array.isArray(e.required)?e.required:[]),n=Object.entries(en(e.properties)).map(([s,a])=>({name:s,schema:en(a)}));return Object.fromEntries(n.filter(({name:s,schema:a})=>o.has(s)||ma(a)!==void 0).map(({name:s,schema:a})=>[s,da(a,t+1)]))}function da(e,t){let o=ma(e);if(o!==void 0)return o;let n=pa(e.enum);if(n!==void 0)return n;if("const"in e)return e.const;let s=e.type;switch(Array.isArray(s)?s[0]:s){case"integer":case"number":return typeof e.minimum=="number"?e.minimum:1;case"boolean":return!0;case"array":return t<5?[da(en(e.items),t+1)]:[];case"object":return t<5?ua(e,t):{};case"null":return null;default:return"text"}}function ma(e){return pa(e.examples)??e.example??e.default}function pa(e){return Array.isArray(e)?e[0]:void 0}function en(e){return typeof e=="object"&&e!==null&&!Array.isArray(e)?e:{}}var vt="tt-tool",Le="tt-arguments";function tn(e){return e===void 0?"":JSON.stringify(ca(e.parameters),null,2)}function $a(e){try{let t=X(e);return typeof t=="object"&&t!==null&&!Array.isArray(t)?"":"The arguments are not a JSON object"}catch(t){return`Not valid JSON: ${t instanceof Error?t.message:String(t)}`}}function fa({tools:e,draft:t,problem:o,busy:n,onTool:s,onText:a,onCall:i,onCancel:l}){if(e.error)return r`<${b} error=${e.error} onRetry=${e.reload} />`;if(!e.data)return r`<${R} lines=${4} label="the tools" />`;let c=e.data.tools.find(({name:d})=>d===t.tool);return r`
    <form class="stack" noValidate onSubmit=${d=>{d.preventDefault(),i()}}>
      <div class="field">
        <label for=${vt}>Tool</label>
        <select id=${vt} value=${c?.name??""} onChange=${d=>s(d.currentTarget.value)}>
          <option value="">Select a tool</option>
          ${e.data.tools.map(({name:d})=>r`<option value=${d}>${d}</option>`)}
        </select>
      </div>
      ${c&&r`<p>${c.description}</p>`}
      <div class="field">
        <label for=${Le}>Arguments</label>
        <textarea
          id=${Le}
          class="mono tt-expect"
          spellcheck=${!1}
          value=${t.text}
          aria-invalid=${o?"true":void 0}
          aria-describedby=${`${Le}-hint`}
          onInput=${d=>a(d.currentTarget.value)}
        ></textarea>
        <small id=${`${Le}-hint`} class=${o?"problem-text":""}>${o?`✕ ${o}`:"A JSON object."}</small>
      </div>
      <div class="row">
        <button type="submit" class="primary" disabled=${n}>Call tool</button>
        <button type="button" disabled=${!n} onClick=${l}>Cancel</button>
        <button type="button" disabled=${c===void 0} onClick=${()=>a(tn(c))}>Insert example</button>
      </div>
      <small>The call has the effects of the tool. ${me("mod+Enter")} calls, ${me("Escape")} cancels.</small>
      ${c&&r`<${I} key=${c.name} summary="Parameters"><${D} value=${c.parameters} label=${`Parameters of ${c.name}`} /><//>`}
    </form>
  `}function lo(e,t){return[`curl -sS -X POST ${ha(e)}`,'-H "Authorization: Bearer $FLEXCHAT_TOKEN"',"-H 'Content-Type: application/json'",`--data-raw ${ha(JSON.stringify(t))}`].join(` \\
  `)}function ha(e){return`'${e.replaceAll("'",String.raw`'\''`)}'`}var ba=200;function on({result:e}){let t=A(e.execution_time_ms);return"error"in e?`failed after ${t}: ${N(e.error_type)}`:`succeeded in ${t}`}var co=e=>e!=null;function kd({status:e,error:t,response_body:o}){return e==null?!t&&co(o)?{tone:"good",label:"answered"}:{tone:"bad",label:t??"no response"}:e>=400?{tone:"bad",label:`HTTP ${e}`}:{tone:e>=300?"warn":"good",label:`HTTP ${e}`}}function ga(e,t,o){let n=[...e?[e]:[],...Object.entries(t).map(([s,a])=>`${s}: ${a}`)];return o?`${n.join(`
`)}

${o}`:n.join(`
`)}function ya({outcome:e}){let{result:t,inspection:o}=e,n={tool:e.tool,arguments:e.arguments};return r`
    <div class="stack">
      <p class="tt-status"><${v} tone=${t.success?"good":"bad"}>${on(e)}<//></p>
      <div class="row tt-facts">
        <span>Tool: <strong class="mono">${e.tool}</strong> <${L}>${e.type}<//></span>
        <span>With all checks: <strong>${A(e.total_ms)}</strong></span>
        <span>Request: <code>${e.request_id}</code> <${J} text=${e.request_id} label="Copy request id" /></span>
      </div>
    </div>
    ${o&&r`<${Sd} inspection=${o} total=${t.execution_time_ms} />`}
    ${o&&Object.keys(o.notes??{}).length>0&&r`<section class="stack" aria-label="Shaping"><h2>Shaping</h2><${D} value=${o.notes} label="Shaping" /></section>`}
    <section class="stack" aria-label="Result of the call">
      <h2>${"error"in t?"Error":"Result"}</h2>
      ${"truncated"in t&&t.truncated&&r`<p class="notice">! The result was truncated.</p>`}
      ${"error"in t?r`<${D} value=${t.error} label="Error" />`:r`<${D} value=${t.result} label="Result" />`}
      ${"validation_errors"in t&&t.validation_errors&&r`<ul>${t.validation_errors.map(s=>r`<li>${s}</li>`)}</ul>`}
      <div class="row">
        <${J} text=${()=>lo(new URL("api/tools/call",Ot).href,n)} label="Copy as curl" />
      </div>
    </section>
    <section class="stack" aria-label="Details of the call">
      <${I} summary="Arguments with defaults"><${D} value=${e.arguments} label="Arguments with defaults" /><//>
      <${I} summary=${`Text for a model (${h(e.content.length,"character")})`}>
        <${D} value=${e.content} label="Text for a model" />
      <//>
    </section>
  `}function Sd({inspection:e,total:t}){let o=e.exchanges??[];return o.length===0?r`<p>The tool sent no request.</p>`:r`
    <section class="stack" aria-label="Requests of the tool">
      <h2>Requests (${y(o.length)})</h2>
      <ol class="tt-calls">
        ${o.map((n,s)=>r`<${xd} key=${s} exchange=${n} total=${t} open=${s===0} />`)}
      </ol>
      ${(e.omitted??0)>0&&r`<p class="notice">! ${h(e.omitted??0,"more request")} not shown.</p>`}
    </section>
  `}function xd({exchange:e,total:t,open:o}){let{tone:n,label:s}=kd(e),a=Math.max(1,t,e.start_ms+e.duration_ms),i={left:`${100*e.start_ms/a}%`,width:`${Math.max(1,100*e.duration_ms/a)}%`},l=e.purpose&&e.purpose!=="request"?e.purpose:"",c=(e.attempt??1)>1?`attempt ${e.attempt}`:"",u=r`<code>${e.method} ${W(e.url,ba)}</code>
    ${l&&r` <${L}>${l}<//>`}${c&&r` <${L}>${c}<//>`}
    <${v} tone=${n}>${s}<//>`;return r`
    <li>
      <${I} summary=${u} open=${o}>
        <${pe} label=${`Details of ${e.method} ${W(e.url,ba)}`} tabs=${Td(e)} />
      <//>
      <div class="interval" aria-hidden="true"><span style=${i}></span></div>
      <small class="number">Started after ${A(e.start_ms)} | Duration: ${A(e.duration_ms)} | ${se(e.response_bytes??0)}</small>
    </li>
  `}function Td(e){let t=ga(`${e.method} ${e.url}`,e.request_headers,e.request_body),o={name:"Request",content:()=>r`<${D} key="request" value=${t} label="Request" />`};if(!co(e.status)&&!co(e.response_body))return[o];let n=ga(co(e.status)?`HTTP ${e.status}`:"",e.response_headers??{},e.response_body);return[{name:"Response",content:()=>r`<${D} key="response" value=${n} label="Response" />`},o]}var _d=[{mode:"model",title:"Test a model"},{mode:"call",title:"Call a tool"}];function uo({mode:e}){return H()?r`
    <div class="row" role="group" aria-label="Kind of test">
      ${_d.map(t=>r`
          <button type="button" aria-pressed=${t.mode===e?"true":"false"} onClick=${()=>x("tools-testing",t.mode==="call"?{mode:"call"}:{})}>
            ${t.title}
          </button>
        `)}
    </div>
  `:null}var Cd={text:"",problem:"",calls:0,outcome:void 0},mo=e=>document.getElementById(e)?.focus();function va({route:e}){let t=e.params.tool??"",o=ke(),n=O(),{section:s,reveal:a}=Se(n.busy),[i,l]=f(Cd),c=p=>l(g=>({...g,...p})),u=o.data?.tools.find(p=>p.name===t),d=tn(u);C(()=>{l(p=>({...p,text:d,problem:""}))},[d]);let m=()=>{if(n.busy)return;if(u===void 0)return mo(vt);let p=$a(i.text);if(c({problem:p}),p!=="")return mo(Le);a();let g={tool:u.name,arguments:X(i.text)};n.run(async T=>{let w=await k.callTool(g,T);l(_=>({..._,outcome:w,calls:_.calls+1}))})};G([{keys:"/",label:"Write the arguments",run:()=>mo(Le)},{keys:"mod+Enter",label:"Call the tool",run:m},{keys:"Escape",label:"Cancel the call",run:n.cancel}]);let $=r`
    <${uo} mode="call" />
    <${fa}
      tools=${o}
      draft=${{tool:t,text:i.text}}
      problem=${i.problem}
      busy=${n.busy}
      onTool=${p=>x("tools-testing",{mode:"call",tool:p})}
      onText=${p=>c({text:p,problem:""})}
      onCall=${m}
      onCancel=${n.cancel}
    />
  `;return r`
    <${U} title="Tool call" controls=${$} section=${s}>
      <${Od} task=${n} state=${i} waiting=${`Waiting for ${t}`} onRetry=${m} />
    <//>
  `}function Od({task:e,state:{outcome:t,calls:o},waiting:n,onRetry:s}){let a=e.busy||e.error!==void 0||e.cancelled;return r`
    <p class="hidden" role="status">${t&&!a&&on(t)}</p>
    ${e.busy&&r`<p><${S} label=${n} since=${e.since} /></p>`}
    ${e.cancelled&&r`<p class="notice">! Call cancelled. The tool may still complete it.</p>`}
    ${e.error&&r`<${b} error=${e.error} onRetry=${s} />`}
    ${t&&a&&r`<h2>Previous call</h2>`}
    ${t&&r`<${ya} key=${o} outcome=${t} />`}
    ${!t&&!a&&r`<${Rd} />`}
  `}function Rd(){return r`<${V} title="Call one tool without a model">
    <p>
      Select a tool, check the example arguments and call it. The result shows the requests that the tool sent and their
      responses without secrets, the result, and the text that a model would receive.
    </p>
    <p><button type="button" onClick=${()=>mo(vt)}>Select a tool</button></p>
  <//>`}var wa=[{title:"Simple tool call",query:"What's the weather in Paris?",expected:"One call of the weather tool with Paris as the location, and an answer based on its result."},{title:"Calculator",query:"Calculate 15% tip on $45",expected:"One call of the calculator, and the answer $6.75."},{title:"Direct answer",query:"What's 2+2?",expected:"The answer 4, with the calculator or directly. A direct answer is recorded as no tool call."},{title:"RAG tool",query:"Search for Python decorators in the docs",expected:"One call of the search tool, and an answer based on the results, or that there are none."}];var po="tt-model",ot="tt-query",ka="Please enter a test query and select a model";function Sa({model:e,query:t,missing:o,busy:n,onChange:s,onRun:a,onCancel:i}){let l=ie();return r`
    <form class="stack" noValidate onSubmit=${u=>{u.preventDefault(),a()}}>
      <${ro}
        models=${l}
        value=${e}
        label="Model"
        id=${po}
        problem=${o==="model"?ka:""}
        onChange=${u=>s({model:u})}
      />
      <div class="field">
        <label for=${ot}>Query</label>
        <textarea
          id=${ot}
          required
          maxlength="32000"
          placeholder="e.g., What's the weather in Paris?"
          value=${t}
          aria-invalid=${o==="query"?"true":void 0}
          aria-describedby=${o==="query"?"tt-missing":void 0}
          onInput=${u=>s({query:u.currentTarget.value})}
        ></textarea>
        ${o==="query"&&r`<p id="tt-missing" class="problem-text">✕ ${ka}</p>`}
      </div>
      <div class="tt-examples" role="group" aria-label="Example test queries">
        ${wa.map(u=>r`
            <button type="button" onClick=${()=>s({query:u.query})}>
              <strong>${u.title}</strong>
              <span>${u.query}</span>
              <small>Expected: ${u.expected}</small>
            </button>
          `)}
      </div>
      <${Ed} busy=${n} onCancel=${i} />
      <small>Manual tests are recorded in the model's history and do not count for its validation.</small>
    </form>
  `}function Ed({busy:e,onCancel:t}){let o=E(null),n=E(null),s=E(null);return _n(()=>{let[a,i]=e?[o,n]:[n,o];s.current!==null&&s.current===a.current&&i.current?.focus({preventScroll:!0})},[e]),s.current=document.activeElement,r`
    <div class="row">
      <button ref=${o} type="submit" class="primary" disabled=${e}>
        ${e?"Testing...":"Run"}
      </button>
      <button ref=${n} type="button" disabled=${!e} onClick=${t}>Cancel</button>
      <small>${me("mod+Enter")} runs, ${me("Escape")} cancels</small>
    </div>
  `}var Ad=300,Md=2e3;function Ta(e){let[t,o]=f(()=>xa(e)),n=E(nn(t)),s=E(!1),a=nn(xa(e));C(()=>{a!==n.current&&(n.current=a,o(X(a)))},[a]);let i=ne(u=>{let d=nn(u);d!==n.current&&(n.current=d,x("tools-testing",X(d),{replace:!s.current}),s.current=!1)},[]);C(()=>{let u=setTimeout(()=>i(t),Ad);return()=>clearTimeout(u)},[t,i]);let l=ne(u=>o(d=>({...d,...u})),[]);return[t,l,()=>{i(t),s.current=!0}]}function xa({params:e}){return{model:e.model??"",query:e.query??""}}function nn({model:e,query:t}){return JSON.stringify({model:e,query:t.length>Md?"":t})}function _a(e,t){let{tone:o,sign:n}=at(e);return o==="good"&&t.length>0?{tone:"warn",sign:"!"}:{tone:o,sign:n}}function $o(e){let{tool_calls:t,timings:o,usage:n}=e,s=o.steps.filter(i=>i.step==="model").length,a=t.filter(i=>"error"in i.result).length;return[`${at(e).title} ${at(e).tone==="good"?"in":"after"} ${A(o.total_ms)}`,h(s,"model call"),h(t.length,"tool")+(a>0?`, ${y(a)} failed`:""),h(n.total_tokens,"token"),...typeof n.cost_usd=="number"?[K(n.cost_usd)]:[]].join(" · ")}function Ca(e){let{error:t,fallback:o}=e,{reason:n}=at(e);return[e.max_iterations_reached&&"Max iterations reached: the model requested more tool calls than allowed.",e.circular_calls_detected&&"Circular calls: the model repeated the same call and was stopped.",e.status==="complete"&&!e.max_iterations_reached&&!e.circular_calls_detected&&n,e.deadline_reached&&"Deadline reached: the model had to answer without more tool calls.",e.max_tool_calls_reached&&e.outcome!=="tool_call_limit"&&"Tool call limit reached: no more tool calls were allowed.",e.status==="partial"&&`Partial answer: ${t?`${t.provider} failed (${N(t.type)}): ${t.message}`:"the deadline was reached"}.`,o&&`Another model answered instead of ${o.instead_of}: ${N(o.reason)}.`].flatMap(a=>a?[a]:[])}var Id=300,Dd=128,Nd=20,Pd=4;function Oa({calls:e}){let[t,o]=f(!1);if(e.length===0)return r`<section><h2>Tool calls (0)</h2><p>The model called no tool.</p></section>`;let n=t?e:e.slice(0,Nd);return r`
    <section class="stack" aria-label="Tool calls">
      <h2>Tool calls (${y(e.length)})</h2>
      <ol class="tt-calls">
        ${n.map(s=>r`<${Ld} key=${`${s.iteration} ${s.call_id}`} call=${s} open=${e.length<=Pd} />`)}
      </ol>
      ${n.length<e.length&&r`<div><button type="button" onClick=${()=>o(!0)}>Show ${y(e.length-n.length)} more</button></div>`}
    </section>
  `}function Ld({call:e,open:t}){let o=Dt(void 0,e),[n,s]="error"in e.result?["Error",e.result]:["Result",e.result.result],a=r`<code>${W(e.tool,Dd)}(${W(qd(e),Id)})</code>
    <${v} tone=${o.tone}>${o.label}<//>`;return r`
    <li>
      <${I} summary=${a} open=${t}>
        <${D} value=${s} label=${n} />
      <//>
      <small class="number">Iteration: ${e.iteration} | Execution time: ${y(e.result.execution_time_ms)} ms</small>
    </li>
  `}function qd({params:e}){return typeof e=="string"?e:JSON.stringify(e)}var Fd=60,Bd=1e3,jd=10,Ra="No mock result for these arguments.",rn=e=>!("error"in e.result);function Ea(e){return(e.normalize("NFKD").replaceAll(/\p{M}/gu,"").toLowerCase().match(/[a-z0-9]+/g)??[]).join("-").slice(0,Fd).replace(/-$/,"")||"case"}function Aa(e,t){if(e.length===0)return"irrelevance";let o=e.filter(rn);return o.length<e.length?"error_recovery":new Set(o.map(n=>n.iteration)).size>1?"multi_turn":o.length>1?new Set(o.map(n=>n.tool)).size>1?"parallel_choice":"parallel":t>1?"choice":"single"}function Ma(e){let t=Map.groupBy(e.filter(rn),n=>n.iteration),o=Math.min(jd,e.length-e.filter(rn).length);return t.size===0?e.length===0?{}:{any_call:!0,failed_calls:o}:{turns:[...t.values()].map(n=>({calls:n.map(({tool:s,params:a})=>({tool:s,arguments:Vd(a)}))})),...o>0&&{failed_calls:o}}}function Vd(e){return typeof e=="string"?{}:Object.fromEntries(Object.entries(e).map(([t,o])=>[t,[fo(o)]]))}function fo(e){return Array.isArray(e)?e.map(fo):e===null||typeof e!="object"?e:Object.fromEntries(Object.entries(e).map(([t,o])=>[t,Array.isArray(o)?[fo(o)]:fo(o)]))}function Ia(e,t){let o=t.filter(In);return e.map(({name:n,description:s,parameters:a})=>({name:n,description:s,parameters:a,implementation:Hd(o.filter(i=>i.tool===n))}))}function Hd(e){let t={type:"mock"},o=new Map;for(let{params:n,result:s}of e){if(typeof n=="string")continue;let a="error"in s?{error:Ud(s.error)}:{response:s.result};Object.keys(n).length>0?o.set(JSON.stringify(n),{when:n,...a}):"response"in a&&(t.mock_response=a.response)}return o.size>0&&(t.answers=[...o.values()].sort(Jd)),"mock_response"in t||(t.error=Ra),t}function Ud(e){return e.slice(0,Bd)||Ra}function Jd(e,t){return Object.keys(t.when??{}).length-Object.keys(e.when??{}).length}var Wd=20;function Da({request:e,answer:t,tools:o}){let[n,s]=f(!1),[a,i]=f(void 0),[l,c]=f(""),u=O(),d=()=>{i($=>$??zd(e,t,o)),c(""),s(!0)},m=$=>u.run(async p=>{await so($.suite,Gd($,e,t,o),p),c(`saved as ${$.id} in ${$.suite} ✓`),s(!1)});return r`
    <button type="button" onClick=${d} disabled=${o.length===0}>Save as validation case</button>
    <span role="status">${l}</span>
    <${Z} title="Save as validation case" open=${n} onClose=${()=>s(!1)}>
      ${a&&r`<${ao} draft=${a} task=${u} onChange=${i} onSave=${m} />`}
    <//>
  `}function zd({query:e},{tool_calls:t},o){let n=o.length<=Wd||t.length===0?"all":"called",s=n==="all"?o.length:Na(o,t).length;return{suite:"",id:Ea(e),category:Aa(t,s),offer:n,expect:JSON.stringify(Ma(t),null,2)}}function Na(e,t){return e.filter(o=>t.some(n=>n.tool===o.name))}function Gd(e,t,{tool_calls:o},n){let s=Ia(e.offer==="all"?n:Na(n,o),o);return{added:{id:e.id,category:e.category,description:`Recorded from ${t.model}.`,message:t.query,tools:s.map(i=>i.name),expect:X(e.expect)},mocks:s}}var Kd=300;function Pa({request:e,answer:t,tools:o}){let[n,s]=f(-1),a=H(),i=Ca(t),{tone:l,sign:c}=_a(t,i),u=Dn(t.timings,t.tool_calls,n);return r`
    <div class="stack">
      <p class="tt-status">
        <${v} tone=${l} sign=${c}>${$o(t)}<//>
        ${t.demo&&r` <${B} />`}
      </p>
      <p class="tt-query">${W(e.query,Kd)}</p>
      <${Xd} answer=${t} />
      ${i.map(d=>r`<p class="notice"><span aria-hidden="true">⚠️</span> ${d}</p>`)}
    </div>
    <section class="stack" aria-label="Waterfall">
      <h2>Steps</h2>
      <${Ve} timings=${t.timings} calls=${t.tool_calls} selected=${n} onSelect=${s} />
      ${u?r`<${zn} step=${u.step} call=${u.call} />`:r`<small>Select a step for details, or move with the arrow keys.</small>`}
    </section>
    <section class="stack" aria-label="Final response">
      <h2>Final response</h2>
      ${t.content.trim()===""?r`<p>The answer is empty.</p>`:r`<div class="tt-answer"><${D} value=${t.content} label="Final response" /></div>`}
      <div class="row">
        <${J} text=${()=>lo(new URL("api/tools/test",Ot).href,{...e})} label="Copy as curl" />
        ${a&&r`<${Da} request=${e} answer=${t} tools=${o} />`}
      </div>
    </section>
    <${Oa} calls=${t.tool_calls} />
  `}function Xd({answer:e}){return r`
    <div class="row tt-facts">
      <span>Model: <strong>${e.model}</strong>${e.demo&&r` <${B} />`}</span>
      <span>Service: <strong>${e.service}</strong></span>
      <span>Finish reason: <strong>${N(e.finish_reason)}</strong></span>
      <span>Request: <code>${e.request_id}</code> <${J} text=${e.request_id} label="Copy request id" /> <${re} id=${e.request_id} /></span>
    </div>
  `}var Yd=12,Qd=matchMedia("(width >= 800px)");function La({tools:e}){let[t,o]=f(Qd.matches),n=e.data&&e.data.tools.length+qa(e.data).length;return r`
    <section aria-label="Available tools">
      <details class="collapsible" open=${t} onToggle=${s=>o(s.currentTarget.open)}>
        <summary><h2 class="tt-inline">Available tools ${n!==void 0&&r`<small>${y(n)}</small>`}</h2></summary>
        ${e.error&&r`<${b} error=${e.error} onRetry=${e.reload} />`}
        ${!e.data&&e.loading&&r`<${R} lines=${6} label="the tools" />`}
        ${t&&e.data&&r`<${Zd} list=${e.data} />`}
      </details>
    </section>
  `}function qa(e){return e.disabled.filter(t=>t.kind==="tool")}function Zd({list:e}){let[t,o]=f(""),n=qa(e),s=e.tools.length+n.length;if(s===0)return r`<p>No tools are configured.</p>`;let a=t.trim().toLowerCase(),i=e.tools.filter(({name:c,description:u})=>`${c} ${u}`.toLowerCase().includes(a)),l=n.filter(({name:c})=>c.toLowerCase().includes(a));return r`
    ${s>Yd&&r`<label class="field tt-filter">
        Filter
        <input type="search" value=${t} onInput=${c=>o(c.currentTarget.value)} />
        <small role="status">${a&&`${y(i.length+l.length)} of ${y(s)} shown`}</small>
      </label>`}
    <ul class="tool-cards">
      ${l.map(c=>r`<${Xt} key=${`disabled ${c.name}`} tool=${c} />`)}
      ${i.map(c=>r`<${Kt} key=${c.name} tool=${c} />`)}
    </ul>
  `}var em={missing:"",runs:0,request:void 0,answer:void 0},sn=e=>document.getElementById(e)?.focus();function tm({route:e}){return H()&&e.params.mode==="call"?r`<${va} route=${e} />`:r`<${om} route=${e} />`}function om({route:e}){let[t,o,n]=Ta(e),[s,a]=f(em),i=ke(),l=O(),{section:c,reveal:u}=Se(l.busy),d=g=>a(T=>({...T,...g})),m=()=>{if(l.busy)return;let g=rm(t);if(d({missing:g}),g!=="")return sn(g==="model"?po:ot);n(),u();let T={...t};l.run(async w=>{let _=await k.testTools(T,w);a(q=>({...q,request:T,answer:_,runs:q.runs+1})),En()})},$=g=>{o(g),d({missing:""})};G([{keys:"/",label:"Write the query",run:()=>sn(ot)},{keys:"mod+Enter",label:"Run the test",run:m},{keys:"Escape",label:"Cancel the test",run:l.cancel}]);let p=r`
    <${uo} mode="model" />
    <${Sa} ...${t} missing=${s.missing} busy=${l.busy} onChange=${$} onRun=${m} onCancel=${l.cancel} />
    <${La} tools=${i} />
  `;return r`
    <${U} title="Tool testing" controls=${p} section=${c}>
      <p class="hidden" role="status">${nm(l,s)}</p>
      ${l.busy&&r`<p><${S} label=${`Waiting for ${t.model}`} since=${l.since} /></p>`}
      ${l.cancelled&&r`<p class="notice">! Test cancelled. The model may still complete its request, which costs tokens.</p>`}
      ${l.error&&r`<${b} error=${l.error} onRetry=${m} traced />`}
      ${s.answer&&(l.busy||l.error||l.cancelled)&&r`<h2>Previous test</h2>`}
      ${s.answer&&s.request&&r`<${Pa} key=${s.runs} request=${s.request} answer=${s.answer} tools=${i.data?.tools??[]} />`}
      ${!s.answer&&!l.busy&&!l.error&&r`<${sm} hasModel=${t.model!==""} />`}
    <//>
  `}function nm(e,{answer:t}){return e.busy||e.error?"":e.cancelled?"Test cancelled":t&&$o(t)}function rm({model:e,query:t}){return e===""?"model":t.trim()===""?"query":""}function sm({hasModel:e}){return r`<${V} title="Test a model with the tools">
    <p>
      Select a model, enter a query or pick an example, and run it. The result shows every model and tool call on one time
      axis, with arguments, results and cost.
    </p>
    <p>
      <button type="button" onClick=${()=>sn(e?ot:po)}>
        ${e?"Enter a query":"Select a model"}
      </button>
    </p>
  <//>`}var am=["since","until","caller","session","model","rule","tool","outcome","failed","rating","min_ms"],wt="custom",an=[{since:"",title:"Any time"},{since:"1h",title:"Last hour"},{since:"24h",title:"Last 24 hours"},{since:"168h",title:"Last 7 days"},{since:"720h",title:"Last 30 days"}],im=864e5;function Fa(e){return Object.fromEntries(am.flatMap(t=>e[t]?[[t,e[t]]]:[]))}function Ba({since:e="",until:t=""}){return t===""&&an.some(o=>o.since===e)?e:wt}function ja(e=Date.now()){return{since:new Date(e-im).toISOString(),until:new Date(e).toISOString()}}function Va(e,t){return e.includes(t)?e.filter(o=>o!==t):[...e,t].slice(-2)}var ho="traces-period",lm=[{value:"up",text:"helpful"},{value:"down",text:"not helpful"}];function Ja({params:e,onChange:t,onClear:o}){let n=H(),s=ie().data?.models??[],a=ke().data?.tools??[];return r`
    <form class="stack" aria-label="Filters" onSubmit=${i=>i.preventDefault()}>
      <h2>Filters</h2>
      <${cm} params=${e} onChange=${t} />
      <${Ua} label="Outcome" name="outcome" params=${e} onChange=${t} options=${Ms.map(i=>({value:i,text:Is(i)}))} />
      <label class="check">
        <input
          type="checkbox"
          checked=${e.failed==="true"}
          onChange=${()=>t({failed:e.failed==="true"?"":"true"})}
        />
        Failed only: no answer, or a failed tool call
      </label>
      <${kt} label="Model" name="model" placeholder="llm:model" params=${e} onChange=${t} options=${s.map(({id:i})=>i)} />
      <${kt} label="Rule" name="rule" params=${e} onChange=${t} />
      <${kt} label="Tool" name="tool" params=${e} onChange=${t} options=${a.map(({name:i})=>i)} />
      <${Ua} label="Rating" name="rating" params=${e} onChange=${t} options=${lm} />
      <${dm} params=${e} onChange=${t} />
      <${kt} label="Session" name="session" params=${e} onChange=${t} />
      ${n&&r`<${kt} label="Caller" name="caller" placeholder="id of a token" params=${e} onChange=${t} />`}
      <div><button type="button" onClick=${o}>Clear filters</button></div>
    </form>
  `}function cm({params:e,onChange:t}){let o=Ba(e);return r`
    <div class="field">
      <label for=${ho}>Time</label>
      <select id=${ho} value=${o} onChange=${({currentTarget:{value:s}})=>t(s===wt?ja():{since:s,until:""})}>
        ${an.map(({since:s,title:a})=>r`<option value=${s}>${a}</option>`)}
        <option value=${wt}>From and until</option>
      </select>
    </div>
    ${o===wt&&r`
        <${Ha} label="From" name="since" params=${e} onChange=${t} />
        <${Ha} label="Until" name="until" params=${e} onChange=${t} />
      `}
  `}function Ha({label:e,name:t,params:o,onChange:n}){let s=({currentTarget:{value:a}})=>n({[t]:a?new Date(a).toISOString():""});return r`<label class="field">
    ${e}
    <input type="datetime-local" value=${um(o[t]??"")} onChange=${s} />
  </label>`}function um(e){let t=new Date(e);return Number.isNaN(t.getTime())?"":new Date(t.getTime()-t.getTimezoneOffset()*6e4).toISOString().slice(0,16)}function Ua({label:e,name:t,params:o,onChange:n,options:s}){let a=j();return r`<div class="field">
    <label for=${a}>${e}</label>
    <select id=${a} value=${o[t]??""} onChange=${i=>n({[t]:i.currentTarget.value})}>
      <option value="">Any</option>
      ${s.map(({value:i,text:l})=>r`<option value=${i}>${l}</option>`)}
    </select>
  </div>`}function Wa(e){let[t,o]=f(e);return C(()=>o(e),[e]),[t,o]}function kt({label:e,name:t,placeholder:o="Any",params:n,onChange:s,options:a=[]}){let i=j(),[l,c]=Wa(n[t]??"");return r`<label class="field">
    ${e}
    <input
      type="text"
      list=${a.length>0?i:void 0}
      placeholder=${o}
      spellcheck=${!1}
      autocapitalize="off"
      autocomplete="off"
      value=${l}
      onInput=${u=>c(u.currentTarget.value)}
      onChange=${u=>s({[t]:u.currentTarget.value.trim()})}
    />
    ${a.length>0&&r`<datalist id=${i}>${a.map(u=>r`<option value=${u}></option>`)}</datalist>`}
  </label>`}function dm({params:e,onChange:t}){let o=Number(e.min_ms)||0,[n,s]=Wa(o?String(o/1e3):"");return r`<label class="field">
    Seconds at least
    <input type="number" min="0" step="any" inputmode="decimal" placeholder="Any" value=${n} onInput=${i=>s(i.currentTarget.value)} onChange=${({currentTarget:{value:i}})=>{let l=Math.max(0,Number(i)||0);t({min_ms:l>0?String(Math.round(l*1e3)):""})}} />
  </label>`}var mm=200,za=4;function Ga({trace:e,ticked:t,onTick:o}){let{tone:n,sign:s,title:a}=Pe(e),i=W(e.message??"",mm).trim();return r`
    <li class="trace-row" data-tone=${n}>
      <div class="trace-head">
        <${v} tone=${n} sign=${s}>${a}<//>
        ${e.failed&&n==="good"&&r`<${v} tone="bad">tool failed<//>`}
        <span class="trace-message"><${re} id=${e.id}>${i||`Trace ${e.id}`}<//></span>
        ${e.rating&&r`<${Lt} rating=${e.rating} />`}
        <small><${M} at=${e.started_at} /></small>
      </div>
      <div class="trace-facts">
        <span class="row">
          <span class="mono">${e.model??"no model"}</span>
          ${e.demo&&r`<${B} />`}
          ${e.rule&&r`<${L}>rule ${e.rule}<//>`}
          ${e.front_end!=="chat"&&r`<${L}>${no(e.front_end)}<//>`}
          <${pm} trace=${e} />
        </span>
        <span class="number" title="Duration">${A(e.duration_ms)}</span>
        <span class="number" title="Tokens">${h(tt(e.usage),"token")}</span>
        <span class="number" title="Cost">${typeof e.cost_usd=="number"?K(e.cost_usd):r`<small>no price</small>`}</span>
        <label class="check" title="Select two traces to compare">
          <input type="checkbox" checked=${t} onChange=${o} aria-label=${`Compare ${i||e.id}`} />
          <small aria-hidden="true">compare</small>
        </label>
      </div>
    </li>
  `}function pm({trace:{tools:e,tool_calls:t}}){if(t===0)return r`<small>no tool calls</small>`;let o=e.length-za;return r`<span class="mono trace-tools" title=${e.join(", ")}>
    ${e.slice(0,za).join(", ")}${o>0&&` and ${y(o)} more`}${t>e.length&&` · ${h(t,"call")}`}
  </span>`}var Ka=50;function Xa(e){x("traces",{...ue().params,...e},{replace:!0})}function $m({route:{params:e}}){let t=Fa(e),o=$e(async(a,i)=>{let{traces:l,cursor:c}=await te.list({...t,limit:Ka,cursor:a},i);return{items:l,cursor:c}},[t]),n=()=>x("traces",{},{replace:!0});G([{keys:"/",label:"Filter the traces",run:()=>document.getElementById(ho)?.focus()},{keys:"r",label:"Refresh the traces",run:o.restart}]);let s=r`<${Ja} params=${t} onChange=${Xa} onClear=${n} />`;return r`
    <${U} title="Traces" controls=${s}>
      <${fm} list=${o} ticked=${(e.compare??"").split(" ").filter(Boolean)} filtered=${Object.keys(t).length>0} onClear=${n} />
    <//>
  `}function fm({list:e,ticked:t,filtered:o,onClear:n}){let{items:s,isLoaded:a,more:i,next:l,restart:c,task:u}=e;return!a&&!u.error?r`<${R} lines=${12} label="the traces" />`:a&&s.length===0&&!u.error&&!i?o?r`<${bm} onClear=${n} />`:r`<${gm} onRefresh=${c} />`:r`
    <${hm} list=${e} ticked=${t} />
    ${u.error&&r`<${b} error=${u.error} onRetry=${a&&i?l:c} />`}
    <ul class="trace-list" aria-label="Traces, the newest first">
      ${s.map(d=>r`<${Ga} key=${d.id} trace=${d} ticked=${t.includes(d.id)} onTick=${()=>Xa({compare:Va(t,d.id).join(" ")})} />`)}
    </ul>
    <div class="row">
      ${i&&!u.busy&&!u.error&&r`<button type="button" onClick=${l}>Load ${Ka} more</button>`}
      ${u.busy&&r`<${S} label="Loading traces" since=${u.since} />`}
    </div>
  `}function hm({list:{items:e,isLoaded:t,more:o,restart:n,task:s},ticked:[a,i]}){return r`<div class="row spread">
    <span class="row">
      <button type="button" disabled=${s.busy} onClick=${n}>Refresh</button>
      ${t&&r`<span role="status">${h(e.length,"trace")}${o?" loaded, more available":""}</span>`}
    </span>
    ${a&&i&&r`<${re} id=${a} params=${{with:i}}>Compare the two selected traces<//>`}
    ${a&&!i&&r`<small role="status">Select another trace to compare.</small>`}
  </div>`}function bm({onClear:e}){return r`<${V} title="No trace matches the filters">
    <p>Traces are removed after the days that <code>traces.days</code> of the configuration sets.</p>
    <p><button type="button" onClick=${e}>Clear filters</button></p>
  <//>`}function gm({onRefresh:e}){return r`<${V} title="See what each chat did">
    <p>
      Every chat and test leaves a trace: its model calls and tool calls on one time axis, with tokens, cost and errors.
      Here you find them by time, model, tool or outcome, open one, and compare it with another.
    </p>
    <p>
      Send a message in the Chat view or run a test to get the first one. If none appears, check${" "}
      <code>traces.sample</code> in the configuration, which sets the share of chats that are traced.
    </p>
    <p><button type="button" onClick=${e}>Refresh</button></p>
  <//>`}var Ya={chats:0,failed:0,model_calls:0,tool_calls:0,input_tokens:0,output_tokens:0,cached_tokens:0,cache_write_tokens:0,reasoning_tokens:0,cost_usd:0,unpriced_tokens:0},ym=Object.keys(Ya),ln=864e5,vm=400,un="30",St={tokens:"Tokens",cost:"Cost",chats:"Chats",failed:"Failed chats",tool_calls:"Tool calls"};function xt(e,t){return t==="tokens"?e.input_tokens+e.output_tokens:t==="cost"?e.cost_usd:e[t]}function bo(e){return e>0&&e<.01?K(e):`$${e.toFixed(2)}`}function dn(e,t){let o={...Ya,name:t};for(let n of e)for(let s of ym)o[s]+=n[s];return o}function Qa(e,t){let n=[...Map.groupBy(e,a=>t==="day"?a.day:a.name??"none")].map(([a,i])=>dn(i,a));if(t==="day")return n.sort((a,i)=>a.name<i.name?1:-1);let s=a=>xt(a,"tokens");return n.sort((a,i)=>s(i)-s(a)||i.tool_calls-a.tool_calls)}function Za(e,{since:t,until:o},n){let s=Map.groupBy(e,a=>a.day);return wm(t,o).map(a=>({day:a,value:(s.get(a)??[]).reduce((i,l)=>i+xt(l,n),0)}))}function wm(e,t){let[o,n]=[Date.parse(e),Date.parse(t)],s=Math.min(vm,Math.max(0,Math.floor((n-o)/ln)+1)||0);return Array.from({length:s},(a,i)=>cn(n-(s-1-i)*ln))}function cn(e){return new Date(e).toISOString().slice(0,10)}function go({since:e,until:t,days:o=un},n=Date.now()){let s=t||cn(n);return{since:e||cn(Date.parse(s)-(Number(o)-1)*ln),until:s}}var yo="usage-group",ei="usage-period",ti="usage-measure",km=[{value:"day",title:"Day"},{value:"model",title:"Model"},{value:"caller",title:"Caller"},{value:"tool",title:"Tool"},{value:"rule",title:"Rule"}],Sm=["7","30","90"],mn="custom";function oi({params:e,group:t,measure:o,onChange:n}){let s=H(),{since:a,until:i}=go(e),l=!!(e.since||e.until),c=({currentTarget:{value:d}})=>n(d===mn?{since:a,until:i,days:""}:{since:"",until:"",days:d}),u=d=>m=>n({[d]:m.currentTarget.value});return r`
    <form class="stack" aria-label="Usage" onSubmit=${d=>d.preventDefault()}>
      <div class="field">
        <label for=${yo}>Group by</label>
        <select id=${yo} value=${t} onChange=${u("group")}>
          ${km.filter(({value:d})=>s||d==="day").map(({value:d,title:m})=>r`<option value=${d}>${m}</option>`)}
        </select>
      </div>
      <div class="field">
        <label for=${ei}>Period</label>
        <select id=${ei} value=${l?mn:e.days??un} onChange=${c}>
          ${Sm.map(d=>r`<option value=${d}>Last ${d} days</option>`)}
          <option value=${mn}>From and until</option>
        </select>
      </div>
      ${l&&r`
          <label class="field">From<input type="date" value=${a} max=${i} onChange=${u("since")} /></label>
          <label class="field">Until<input type="date" value=${i} min=${a} onChange=${u("until")} /></label>
        `}
      <div class="field">
        <label for=${ti}>Plot</label>
        <select id=${ti} value=${o} onChange=${u("measure")}>
          ${Object.entries(St).map(([d,m])=>r`<option value=${d}>${m}</option>`)}
        </select>
      </div>
      <small>Days are those of UTC. The counters are kept for 400 days.</small>
      ${!s&&r`<p class="notice">! You see your own usage. The usage of others requires the role <strong>operator</strong>.</p>`}
    </form>
  `}var vo=800,Re=160,ni=.2,xm=new Intl.DateTimeFormat("en-GB",{day:"numeric",month:"short",timeZone:"UTC"});function nt(e){return xm.format(new Date(e))}function Tm(e){let t=Math.max(0,...e.map(({value:n})=>n)),o=vo/Math.max(1,e.length);return e.map(({day:n,value:s},a)=>{let i=t>0?s/t*Re:0;return{day:n,value:s,x:(a+ni/2)*o,y:Re-i,width:o*(1-ni),height:i}})}function ri({values:e,title:t,format:o}){let n=Math.max(0,...e.map(({value:i})=>i)),s=e.find(({value:i})=>i===n&&i>0),a=`${t} per day, ${nt(e[0]?.day??"1970-01-01")} to ${nt(e.at(-1)?.day??"1970-01-01")}; ${s?`highest on ${nt(s.day)} with ${o(n)}`:"none"}`;return r`
    <figure class="usage-plot">
      <figcaption>${t} per day</figcaption>
      <span class="usage-scale number" aria-hidden="true"><span>${o(n)}</span><span>${o(0)}</span></span>
      <svg viewBox=${`0 0 ${vo} ${Re}`} preserveAspectRatio="none" role="img" aria-label=${a}>
        <line x1="0" x2=${vo} y1=${Re/2} y2=${Re/2} />
        ${Tm(e).map(({day:i,value:l,x:c,y:u,width:d,height:m})=>r`
            <g key=${i}>
              <title>${`${nt(i)}: ${o(l)}`}</title>
              <rect class="usage-slot" x=${c} y="0" width=${d} height=${Re} />
              <rect class="usage-bar" x=${c} y=${u} width=${d} height=${m} />
            </g>
          `)}
        <line x1="0" x2=${vo} y1=${Re} y2=${Re} />
      </svg>
      <span class="usage-days" aria-hidden="true">
        <span>${nt(e[0]?.day??"1970-01-01")}</span>
        <span>${nt(e.at(-1)?.day??"1970-01-01")}</span>
      </span>
    </figure>
  `}var _m=new Set(["day","model","caller","tool","rule"]);function Cm(e){x("usage",{...ue().params,...e},{replace:!0})}function Om({route:{params:e}}){let t=H(),o=e.group??"",n=t&&_m.has(o)?o:"day",s=Object.hasOwn(St,e.measure??"")?e.measure:"tokens",{since:a,until:i}=go(e),{data:l,error:c,reload:u}=F(m=>te.usage({group:n,since:a,until:i},m),[n,a,i]);G([{keys:"/",label:"Choose the group",run:()=>document.getElementById(yo)?.focus()},{keys:"r",label:"Refresh the usage",run:u}]);let d=r`<${oi} params=${e} group=${n} measure=${s} onChange=${Cm} />`;return r`
    <${U} title="Usage" controls=${d}>
      ${c&&r`<${b} error=${c} onRetry=${u} />`}
      ${!l&&!c&&r`<${R} lines=${10} label="the usage" />`}
      ${l&&l.rows.length===0&&r`<${Mm} onRefresh=${u} />`}
      ${l&&l.rows.length>0&&r`<${Rm} report=${l} measure=${s} onRefresh=${u} />`}
    <//>
  `}function Rm({report:e,measure:t,onRefresh:o}){let n=t==="cost"?bo:y,s=dn(e.rows,"Total");return r`
    <div class="row spread">
      <p class="tt-status">${Em(e,s)}</p>
      <button type="button" onClick=${o}>Refresh</button>
    </div>
    ${s.unpriced_tokens>0&&r`<p class="notice">! The cost lacks ${h(s.unpriced_tokens,"token")} of models without a price. Add their prices to the configuration to count later chats.</p>`}
    <${ri} values=${Za(e.rows,e,t)} title=${St[t]} format=${n} />
    <${Am} report=${e} total=${s} />
  `}function Em({group:e},t){return[e!=="tool"&&t.chats>0&&h(t.chats,"chat"),t.failed>0&&`${y(t.failed)} failed`,t.tool_calls>0&&h(t.tool_calls,"tool call"),xt(t,"tokens")>0&&h(xt(t,"tokens"),"token"),(t.cost_usd>0||t.unpriced_tokens>0)&&ii(t)].filter(Boolean).join(" · ")}function ii({cost_usd:e,unpriced_tokens:t}){return t===0?bo(e):e>0?`${bo(e)} and more`:"no price"}var si=["Chats","Failed","Model calls","Tool calls","Input","Cached","Cache writes","Output","Reasoning","Cost","Without price"];function Am({report:{group:e,rows:t},total:o}){let n=`${e.charAt(0).toUpperCase()}${e.slice(1)}`;return r`<div class="usage-table"><${Te} label=${`Usage by ${e}`} caption=${`Usage by ${e}; tokens by class`} columns=${[n,...si]} numbers=${si}>
    ${Qa(t,e).map(s=>r`<${ai} key=${s.name} totals=${s} />`)}
    <${ai} totals=${o} />
  <//></div>`}function ai({totals:e}){return r`<tr>
    <th scope="row">${e.name}</th>
    <td class="number">${y(e.chats)}</td>
    <td class="number">${e.failed>0?r`<span class="problem-text">${y(e.failed)}</span>`:"0"}</td>
    <td class="number">${y(e.model_calls)}</td>
    <td class="number">${y(e.tool_calls)}</td>
    <td class="number">${y(e.input_tokens)}</td>
    <td class="number">${y(e.cached_tokens)}</td>
    <td class="number">${y(e.cache_write_tokens)}</td>
    <td class="number">${y(e.output_tokens)}</td>
    <td class="number">${y(e.reasoning_tokens)}</td>
    <td class="number">${ii(e)}</td>
    <td class="number">${e.unpriced_tokens>0?h(e.unpriced_tokens,"token"):"–"}</td>
  </tr>`}function Mm({onRefresh:e}){return r`<${V} title="See what the chats use">
    <p>
      Each chat adds to the counters of its day: tokens by class, tool calls, failures and, where the configuration has
      prices, cost. Here you compare days, models, tools and rules.
    </p>
    <p>This period has no usage yet. Send a message in the Chat view, or select another period.</p>
    <p><button type="button" onClick=${e}>Refresh</button></p>
  <//>`}var ve=[{name:"single",title:"Single call",description:"one tool is offered and must be called once"},{name:"choice",title:"Tool choice",description:"several tools are offered and one must be called"},{name:"parallel",title:"Parallel calls",description:"one tool must be called several times"},{name:"parallel_choice",title:"Parallel tools",description:"several tools must be called"},{name:"irrelevance",title:"Irrelevance",description:"no tool fits and none may be called"},{name:"multi_turn",title:"Multi-turn",description:"a call needs the result of the previous one"},{name:"error_recovery",title:"Error recovery",description:"a call fails and must be corrected"},{name:"types",title:"Typed values",description:"arguments must match the types of the schema"},{name:"clarification",title:"Clarification",description:"a value is missing and the model must ask for it"}];function wo(e){return ve.find(t=>t.name===e)?.title??e}var li=8;function ci({modelChoices:e,chosen:t,onChosen:o,loaded:n,first:s}){let[a,i]=f(""),l=z(()=>performance.now(),[]),c=e.filter(({id:d})=>t.includes(d)||d.toLowerCase().includes(a.toLowerCase())),u=d=>o(t.includes(d)?t.filter(m=>m!==d):[...t,d]);return r`
    <fieldset class="val-models">
      <legend>Models${t.length>0&&` (${t.length} ticked)`}</legend>
      ${e.length>li&&r`<input
          ref=${s}
          type="search"
          aria-label="Search models"
          placeholder=${`Search ${e.length} models`}
          value=${a}
          onInput=${d=>i(d.currentTarget.value)}
        />`}
      <div class="val-choices">
        ${c.map(({id:d,validation:m,demo:$},p)=>r`
            <label class="val-choice" key=${d}>
              <input ref=${p===0&&e.length<=li?s:void 0} type="checkbox" checked=${t.includes(d)} onChange=${()=>u(d)} />
              <span>${d} ${m&&r`<small><${je} validation=${m} demo=${$} /></small>`}</span>
            </label>
          `)}
        ${c.length===0&&e.length>0&&r`<small>No models match.</small>`}
        ${e.length===0&&!n.loading&&r`<small>No models with tool calling are configured.</small>`}
      </div>
      ${n.loading&&!n.data&&r`<${S} label="Loading models" since=${l} />`}
      ${n.error&&r`<p class="problem-text">The models could not be listed: ${n.error.message} <button type="button" onClick=${n.reload}>Try again</button></p>`}
      ${n.data&&n.data.errors.length>0&&r`<div class="notice">
          ${h(n.data.errors.length,"provider")} did not list its models:
          <ul>${n.data.errors.map(({llm:d,error:m})=>r`<li><code>${d}</code> ${m}</li>`)}</ul>
        </div>`}
    </fieldset>
  `}var Im={rate:(e,t)=>(t.rate?.rate??-1)-(e.rate?.rate??-1)||(t.rate?.low??0)-(e.rate?.low??0),name:()=>0,tested:(e,t)=>(t.last_tested??"").localeCompare(e.last_tested??"")};function ui(e){return e==="name"||e==="tested"?e:"rate"}function di(e,t){return[...e].sort((o,n)=>Im[t](o,n)||o.model_id.localeCompare(n.model_id,"en"))}function mi(e,t){return e.includes(t)?e.filter(o=>o!==t):[...e,t].slice(-2)}function rt(e){return(e??"").split(" ").filter(t=>t!=="")}function Tt(e){return e.filter(t=>t.capabilities.includes("function-calling"))}function pi(e,t){let o=new Set(t.filter(n=>n.tested).map(n=>n.model_id));return Tt(e).filter(n=>!o.has(n.id))}var Dm=2e4;function $i(e){return{models:rt(e.models),suite:e.suite??"default",repeats:Number(e.repeats??1),stop_early:e.early!=="no",budget:{calls:pn(e.calls),tokens:pn(e.tokens),usd:pn(e.usd)}}}function pn(e){return e===void 0?null:Number(e)}function fi(e,t,o){let n=new Map;for(let{id:s,demo:a,validation:i}of Tt(e))n.set(s,{id:s,demo:a??!1,validation:i});for(let s of t){let{model_id:a,demo:i}=s;n.has(a)||n.set(a,{id:a,demo:i??!1,validation:s})}for(let s of o)n.has(s)||n.set(s,{id:s,demo:!1,validation:void 0});return[...n.values()]}function hi(e,t){let o=e.models.length;if(o===0)return{ready:!1,text:"Select the models to validate."};if(t===void 0)return{ready:!0,text:h(o,"model")};let n=t.cases*o*e.repeats,s=e.repeats>1?` × ${h(e.repeats,"repeat")}`:"",a=`${h(t.cases,"case")} × ${h(o,"model")}${s}`;return n>Dm?{ready:!1,text:`${a} = ${h(n,"chat")}: the maximum is 20,000.`}:{ready:!0,text:`at most ${h(Math.min(n,e.budget.calls??n),"chat")}: ${a}`}}var $n="val-form";function bi({params:e,change:t,suites:o,models:n,statuses:s,onStarted:a}){let i=E(null),l=E(null),c=O(),u=$i(e),d=o.data?.suites.find(({name:p})=>p===u.suite),m=hi(u,d),$=p=>{p.preventDefault(),!(!m.ready||c.busy)&&c.run(async g=>{let T=await k.startValidation(u);g.aborted||a(T)})};return G([{keys:"/",label:"Select models",run:()=>l.current?.focus()},{keys:"mod+Enter",label:"Start the run",run:()=>i.current?.requestSubmit()}]),r`
    <form class="stack" ref=${i} onSubmit=${$}>
      <h2 id=${$n} tabindex="-1">New run</h2>
      <label class="field">
        Suite
        <select value=${u.suite} onChange=${p=>t({suite:p.currentTarget.value})}>
          ${Nm(o.data?.suites??[],u.suite).map(p=>r`<option value=${p} selected=${p===u.suite}>${p}</option>`)}
        </select>
      </label>
      ${d&&r`<${Pm} suite=${d} />`}
      ${o.error&&r`<${b} error=${o.error} onRetry=${o.reload} />`}
      <${ci}
        modelChoices=${fi(n.data?.models??[],s,u.models)}
        chosen=${u.models}
        onChosen=${p=>t({models:p.join(" ")})}
        loaded=${n}
        first=${l}
      />
      <${ko} name="repeats" label="Repeats per case" empty="1" max="100" step="1" params=${e} change=${t} />
      <label class="check">
        <input type="checkbox" checked=${u.stop_early} onChange=${()=>t({early:u.stop_early?"no":""})} />
        Stop early
      </label>
      <small>
        ${u.stop_early?"Testing of a model stops once its result is certain, for a good model after about 17 of 75 cases.":"All cases run, for rates by category and for comparisons."}
      </small>
      <${I} summary="Budget" open=${["calls","tokens","usd"].some(p=>p in e)}>
        <small>The run stops at the first limit reached.</small>
        <${ko} name="calls" label="Chats" empty="no limit" step="1" params=${e} change=${t} />
        <${ko} name="tokens" label="Tokens" empty="no limit" step="1" params=${e} change=${t} />
        <${ko} name="usd" label="US dollars" empty="no limit" step="any" min="0.000001" params=${e} change=${t} />
      <//>
      <p id="val-estimate">${m.text}</p>
      <div class="row">
        <button type="submit" class="primary" disabled=${!m.ready||c.busy} aria-describedby="val-estimate">Start</button>
        ${c.busy&&r`<${S} label="Starting the run" since=${c.since} />`}
      </div>
      ${c.error&&r`<${b} error=${c.error} onRetry=${()=>i.current?.requestSubmit()} />`}
    </form>
  `}function Nm(e,t){return[...new Set([...e.map(({name:o})=>o),t])]}function Pm({suite:e}){let t=e.built_in?"built in":"custom",o=`${h(e.cases,"case")}, ${t}`;return r`<${I} summary=${o}>
    ${e.description&&r`<p>${e.description}</p>`}
    <ul>
      ${Object.entries(e.categories).map(([n,s])=>r`<li>${wo(n)}: ${s}</li>`)}
    </ul>
  <//>`}function ko({name:e,label:t,empty:o,min:n="1",max:s,step:a,params:i,change:l}){return r`<label class="field">
    ${t}
    <input
      type="number"
      min=${n}
      max=${s}
      step=${a}
      placeholder=${o}
      value=${i[e]??""}
      onInput=${c=>l({[e]:c.currentTarget.value})}
    />
  </label>`}function st({title:e,focus:t=!1,reveal:o=!1,onClose:n,children:s}){let a=E(null),i=j();return C(()=>{t&&a.current?.focus()},[e,t]),C(()=>{o&&a.current?.scrollIntoView({block:"nearest"})},[o]),r`
    <section class="val-panel stack" aria-labelledby=${i}>
      <div class="row spread">
        <h2 id=${i} ref=${a} tabindex="-1">${e}</h2>
        <button type="button" class="quiet" onClick=${n}>Close</button>
      </div>
      ${s}
    </section>
  `}function yi(e){return e.low>=.8?"proven":e.high<.8?"failing":"undecided"}function hn(e,t){let o=e.rate-t.rate;return{value:o,low:Math.max(-1,o-Math.hypot(e.rate-e.low,t.high-t.rate)),high:Math.min(1,o+Math.hypot(e.high-e.rate,t.rate-t.low))}}function bn({low:e,high:t}){return e>0?"a":t<0?"b":"neither"}function vi(e,t,o){let n=bn(e);return n==="a"?`${t} is better by ${gi(e.value,e.low,e.high)}`:n==="b"?`${o} is better by ${gi(-e.value,-e.high,-e.low)}`:"No significant difference"}function wi({value:e,low:t,high:o}){return`${fn(e)} (${fn(t)} to ${fn(o)})`}function gi(e,t,o){return`${So(e)} points (${So(t)} to ${So(o)})`}function fn(e){let t=So(Math.abs(e));return t==="0"?t:`${e<0?"−":"+"}${t}`}function So(e){let t=e*100;return t>0&&t<1?t.toFixed(1):String(Math.round(t))}function Si({a:e,b:t,onClose:o}){let n={a:e.model_id,b:t.model_id};return r`
    <${st} title=${`${e.model_id} and ${t.model_id}`} onClose=${o}>
      <p role="status"><strong>${Lm(e,t)}</strong></p>
      ${(e.demo||t.demo)&&r`<p class="notice">! The demo model follows fixed rules: this difference is no evidence about real models.</p>`}
      <div class="scroll" tabindex="0" role="region" aria-label="Difference by category">
        <table class="val-comparison">
          <caption class="hidden">Difference by category, with 95 % interval</caption>
          <thead>
            <tr>
              <th scope="col">Category</th>
              <th scope="col" class="number">${e.model_id}${e.demo&&r` <${B} />`}</th>
              <th scope="col" class="number">${t.model_id}${t.demo&&r` <${B} />`}</th>
              <th scope="col" class="number">Points</th>
              <th scope="col">Result</th>
            </tr>
          </thead>
          <tbody>
            <${ki} title="All" a=${e.rate} b=${t.rate} names=${n} />
            ${ve.map(({name:s,title:a})=>r`<${ki} title=${a} a=${e.categories?.[s]} b=${t.categories?.[s]} names=${n} />`)}
          </tbody>
        </table>
      </div>
      <small>
        Differences in percentage points with Newcombe's 95 % interval. If the interval contains 0, the difference is not
        significant; a single category rarely has enough tests.
      </small>
    <//>
  `}function Lm(e,t){return!e.rate||!t.rate?"Only one of the models was tested.":`${vi(hn(e.rate,t.rate),e.model_id,t.model_id)}.`}function ki({title:e,a:t,b:o,names:n}){let s=t&&o?hn(t,o):void 0;return r`
    <tr>
      <th scope="row">${e}</th>
      <td class="number">${t?xe(t):"–"}</td>
      <td class="number">${o?xe(o):"–"}</td>
      <td class="number">${s?wi(s):"–"}</td>
      <td>${s?qm(s,n):"not tested by both"}</td>
    </tr>
  `}function qm(e,t){let o=bn(e);return o==="neither"?"not significant":`${t[o]} is better`}var _t=72,gn=20,xo=3,Fm=864e5,Bm=new Intl.DateTimeFormat("en-GB",{day:"numeric",month:"short",timeZone:"UTC"});function Ti(e){return Math.round(e*10)/10}function yn(e){return Ti(xo+(1-e)*(gn-2*xo))}function jm(e){let t=e.map(({day:s})=>Date.parse(s)),o=t[0]??0,n=Math.max(Fm,(t.at(-1)??0)-o);return e.map(({tests:s,successes:a},i)=>({x:e.length===1?_t/2:Ti(xo+((t[i]??0)-o)/n*(_t-2*xo)),y:yn(a/s)}))}function Vm(e){return e.map(({day:t,tests:o,successes:n})=>`${Bm.format(new Date(t))} ${Be(n/o)} of ${o}`).join(", ")}function _i({days:e}){let t=jm(e),o=`Rate by day: ${Vm(e)}`;return r`
    <svg class="val-trend" viewBox=${`0 0 ${_t} ${gn}`} width=${_t} height=${gn} role="img" aria-label=${o}>
      <title>${o}</title>
      <line x1="0" x2=${_t} y1=${yn(.8)} y2=${yn(.8)} />
      <polyline points=${t.map(({x:n,y:s})=>`${n},${s}`).join(" ")} />
      ${t.slice(-1).map(({x:n,y:s})=>r`<circle cx=${n} cy=${s} r="2.5" />`)}
    </svg>
  `}var Hm={proven:"✓",failing:"✕",undecided:""};function Ci({statuses:e,order:t,onOrder:o,ticked:n,onTick:s,open:a,onOpen:i}){let l=(c,u,d)=>r`
    <th scope="col" role="columnheader" aria-sort=${t===c?d:void 0}>
      <button type="button" class="quiet val-sort" onClick=${()=>o(c)}>
        ${u}<span aria-hidden="true">${t===c&&(d==="ascending"?" ▴":" ▾")}</span>
      </button>
    </th>
  `;return r`
    <div class="scroll">
      <table class="val-heat-map" role="table">
        <caption class="hidden">Rates of models by category</caption>
        <thead role="rowgroup">
          <tr role="row">
            ${l("name","Model","ascending")} ${l("rate","Rate","descending")}
            ${l("tested","Tested","descending")}
            ${ve.map(({title:c,description:u})=>r`<th scope="col" role="columnheader" class="val-category" title=${u}>${c}</th>`)}
          </tr>
        </thead>
        <tbody role="rowgroup">
          ${di(e,t).map(c=>r`
              <${Um}
                key=${c.model_id}
                status=${c}
                ticked=${n.includes(c.model_id)}
                onTick=${s}
                open=${a?.model===c.model_id?a.category:void 0}
                onOpen=${i}
              />
            `)}
        </tbody>
      </table>
    </div>
    <${I} summary="Legend">
      <p>
        The number is the share of passed tests. The bar is the 95 % interval that is likely to contain the model's true rate.
      </p>
      <ul>
        <li><b>✓</b> proven: the whole interval is at or above 80 %, at the earliest after 16 of 16 tests</li>
        <li><b>✕</b> failing: the whole interval is below 80 %</li>
        <li><b>demo</b>: demo model, no evidence about a real model</li>
        <li>outlined: undecided, the interval contains 80 %; more tests are needed</li>
        <li>A test counts only while the same kind of model answers, the demo model or a real one; others are listed as not counted.</li>
      </ul>
      <ul>${ve.map(({title:c,description:u})=>r`<li><b>${c}</b>: ${u}</li>`)}</ul>
    <//>
  `}function Um({status:e,ticked:t,onTick:o,open:n,onOpen:s}){let{model_id:a,badge:i,demo:l}=e;return r`
    <tr role="row">
      <th scope="row" role="rowheader" class="val-model">
        <div class="val-name">
          <input type="checkbox" aria-label=${`Compare ${a}`} checked=${t} onChange=${()=>o(a)} />
          <button
            type="button"
            class="quiet"
            aria-pressed=${n===""}
            title="Show all verdicts"
            onClick=${()=>s({model:a,category:""})}
          >${a}</button>
        </div>
        ${l&&r`<${B} />`}
        <${Jm} status=${e} />
        ${i&&!l&&r`<small class="badge" title=${i.tooltip}><span aria-hidden="true">${i.symbol}</span> ${i.text}</small>`}
      </th>
      <td role="cell" data-label="Rate">${e.rate&&r`<${It} rate=${e.rate} />`} <${Mt} state=${e.state??"untested"} demo=${l??!1} /></td>
      <td role="cell" data-label="Tested">
        ${(e.trend?.length??0)>0&&r`<${_i} days=${e.trend} />`}
        ${e.last_tested&&r`<div><small><${M} at=${e.last_tested} /></small></div>`}
      </td>
      ${ve.map(c=>r`
          <td role="cell" class="val-rate-cell" data-label=${c.title}>
            <${Wm}
              rate=${e.categories?.[c.name]}
              demo=${l??!1}
              label=${`${c.title}, ${a}`}
              open=${n===c.name}
              onOpen=${()=>s({model:a,category:c.name})}
            />
          </td>
        `)}
    </tr>
  `}function Jm({status:{demo:e,tests_by_provenance:t,test_count:o}}){if(!t)return null;let n=t.real+t.demo+t.unknown-(o??0);if(n<=0)return null;let s=e?"of a real or unknown model":"of the demo model, or mixed with them";return r`<small class="val-others" title=${`${h(n,"test")} ${s}: not evidence about the model that answers now`}
    >${h(n,"other test")} not counted</small
  >`}function Wm({rate:e,demo:t,label:o,open:n,onOpen:s}){if(!e)return r`<span class="val-untested" title="not tested">–<span class="hidden"> not tested</span></span>`;let a=yi(e),i={left:`${e.low*100}%`,width:`${Math.max(1,(e.high-e.low)*100)}%`},l=`${Math.round(e.low*100)} to ${Math.round(e.high*100)} %`;return r`
    <button
      type="button"
      class="val-cell"
      data-state=${t?"demo":a}
      aria-pressed=${n}
      title=${`${e.successes} of ${e.tests} passed, ${l}, ${t?"demo model":a}`}
      onClick=${s}
    >
      <span class="number">${Be(e.rate)}</span>
      <small class="number"><span aria-hidden="true">${t?"":Hm[a]}</span>${" "}n ${e.tests}</small>
      <span class="interval" aria-hidden="true"><span style=${i}></span><i style=${{left:`${e.rate*100}%`}}></i></span>
      <span class="hidden">${o}, ${l}, ${t?"demo model":a}</span>
    </button>
  `}function Oi(e,t){return t.models.flatMap(({model:o,done:n})=>{let s=e?.models.find(a=>a.model===o)?.done??0;return n>s?[{model:o,limit:Math.min(100,n-s+10)}]:[]})}function vn({run:e,model:t,case:o,repeat:n,request_id:s}){return`${e} ${t} ${o} ${n} ${s}`}function wn({result:e}){return e!=="skipped"}function Ri(e,t,o){return[...new Map([...e,...t.filter(s=>s.run===o&&wn(s))].map(s=>[vn(s),s])).values()].sort((s,a)=>a.at.localeCompare(s.at)).slice(0,100)}function Ei({id:e}){return r`<${I} summary="Transcript"><${zm} id=${e} /><//>`}function zm({id:e}){let{data:t,error:o,reload:n}=F(l=>te.trace(e,l),[e]);if(o?.status===404)return r`<p class="notice">
      ! The trace of this verdict is not available: it is no longer kept (<code>traces.days</code> of the configuration), was
      not stored (<code>traces.sample</code>), or belongs to another token. The verdict and its reasons stay.
    </p>`;if(o)return r`<${b} error=${o} onRetry=${n} />`;if(!t)return r`<${R} lines=${4} label="the transcript" />`;let s=t.spans.findLast(({kind:l})=>l==="model"),a=s&&Pt(t,s);if(!s||!a)return r`<${fe} trace=${t} />`;let{answer:i}=it(s);return r`<ol class="trace-messages" aria-label="Messages and calls of the case">
    ${[...a,...i===void 0?[]:[i]].map((l,c)=>r`<${yt} key=${c} message=${l} />`)}
  </ol>`}var Gm={passed:{tone:"good",text:"passed"},failed:{tone:"bad",text:"failed"},error:{tone:"warn",text:"error, not counted"},skipped:{tone:"plain",text:"skipped"},no_tool_call:{tone:"plain",text:"no tool call, not counted"}},Km=10,Xm=5,Ai=100,kn=200,Ym=50,Qm=56;function Sn({verdicts:e,label:t,models:o=!1}){let n=e.length>kn?Ym:kn;return Array.from({length:Math.ceil(e.length/n)},(a,i)=>i*n).map(a=>{let i=e.slice(a,a+n);return r`<ul
      key=${a}
      class="val-verdicts"
      aria-label=${a===0?t:`${t}, from ${a+1}`}
      style=${e.length>kn?{contentVisibility:"auto",containIntrinsicSize:`auto ${i.length*Qm}px`}:{}}
    >
      ${i.map(l=>r`<${Zm} key=${vn(l)} verdict=${l} models=${o} />`)}
    </ul>`})}function Zm({verdict:e,models:t}){let{tone:o,text:n}=Gm[e.result];return r`
    <li>
      <div class="row">
        <${v} tone=${o}>${n}<//>
        <strong>${e.case}${e.repeat>1&&` #${e.repeat}`}</strong>
        ${t&&r`<span>${e.model}</span>`}
        ${e.category&&r`<${L}>${wo(e.category)}<//>`}
        ${e.counted===!1&&r`<${L}>manual, not counted<//>`}
        <${ep} verdict=${e} />
        <small class="row val-facts">
          <${M} at=${e.at} />
          <span class="number">${A(e.latency_ms)}</span>
          <span class="number">${h(e.tokens,"token")}</span>
          ${typeof e.cost_usd=="number"&&r`<span class="number">${K(e.cost_usd)}</span>`}
          ${e.request_id&&r`<${re} id=${e.request_id} />
              <${J} text=${e.request_id} label="Copy request id" />`}
        </small>
      </div>
      ${e.reasons.length>0&&r`<ul class="val-reasons">${e.reasons.map(s=>r`<li>${s}</li>`)}</ul>`}
      ${e.request_id&&r`<${Ei} id=${e.request_id} />`}
    </li>
  `}function ep({verdict:{provenance:e,server:t}}){return e==="demo"?r`<${B} />`:e==="unknown"?r`<span class="tag" title="This verdict was recorded before its origin was: the demo model or a real one">origin unknown</span>`:r`<span class="tag" title="Answered by a real model">real${t&&` · ${t}`}</span>`}function To({pages:e,label:t,models:o=!1,filter:n,failedOnly:s,onFailedOnly:a}){let{items:i,isLoaded:l,more:c,next:u,task:d}=e,m=i.filter(p=>wn(p)&&n(p)&&!(s&&p.result==="passed")),$=l&&c&&!d.busy&&!d.error&&m.length<Km&&i.length<Xm*Ai;return C(()=>{$&&u()}),d.error&&!l?r`<${b} error=${d.error} onRetry=${u} />`:l?r`
    <div class="row spread">
      <span role="status">${y(m.length)} of ${h(i.length,"loaded verdict")}${c?", more available":""}</span>
      <label class="check">
        <input type="checkbox" checked=${s} onChange=${()=>a(!s)} />
        Hide passed
      </label>
    </div>
    ${m.length===0&&!c&&r`<p>None.</p>`}
    <${Sn} verdicts=${m} label=${t} models=${o} />
    <${tp} pages=${e} />
  `:r`<${R} lines=${6} label=${t} />`}function tp({pages:{more:e,next:t,task:o}}){return o.error?r`<${b} error=${o.error} onRetry=${t} />`:o.busy?r`<${S} label="Loading verdicts" since=${o.since} />`:e&&r`<div><button type="button" onClick=${t}>Load ${Ai} more</button></div>`}var op=100;function Mi({model:e,category:t,status:o,focus:n,onClose:s}){let[a,i]=f(!1),l=ve.find(d=>d.name===t),c=$e(async(d,m)=>{let{records:$,cursor:p}=await k.history(e,{limit:op,cursor:d,signal:m});return{items:$,cursor:p}},[e]);G([{keys:"Escape",label:"Close the verdicts",run:s}]);let u=l?o?.categories?.[l.name]:o?.rate;return r`
    <${st} title=${`${l?l.title:"All verdicts"} · ${e}`} focus=${n} onClose=${s}>
      ${l&&r`<p>Tests: ${l.description}.</p>`}
      ${o?.demo&&r`<p class="notice">! Verdicts of the demo model are no evidence about a real model.</p>`}
      ${u&&r`<p>${u.successes} of ${h(u.tests,"test")} passed, ${xe(u)}.</p>`}
      ${!l&&o&&r`<${np} status=${o} />`}
      <${To}
        pages=${c}
        label=${`Verdicts of ${e}`}
        filter=${d=>!l||d.category===l.name}
        failedOnly=${a}
        onFailedOnly=${i}
      />
    <//>
  `}function np({status:e}){let t=[typeof e.latency_ms=="number"&&A(e.latency_ms),typeof e.tokens=="number"&&h(Math.round(e.tokens),"token"),typeof e.cost_usd=="number"&&K(e.cost_usd)].filter(Boolean),{by_hand:o}=e,n=[(e.errors??0)>0&&h(e.errors??0,"error"),(e.no_tool_calls??0)>0&&`${h(e.no_tool_calls??0,"plain test")} without a tool call`,o&&`${h(o.tests+o.errors+o.no_tool_calls,"test")} run manually`].filter(Boolean);return r`<p>
    ${t.length>0&&`Average per case: ${t.join(", ")}.`}
    ${n.length>0&&` Not counted: ${n.join(", ")}.`}
  </p>`}var rp=12;function Ii({models:e,first:t,onFill:o}){return r`
    <${V} title="No results yet">
      <p>
        Providers list tool calling for most models. Validation tests it: a run sends a suite of cases to a model and grades
        whether it calls the right tools with the right arguments.
      </p>
      ${t&&o&&r`<button type="button" onClick=${()=>o(t)}>Validate ${t}</button>`}
      ${!t&&e.loading&&r`<p>Loading models.</p>`}
      ${!t&&!e.loading&&r`<p>No models with tool calling are configured.</p>`}
    <//>
  `}function Di({models:e,onFill:t}){if(e.length===0)return null;let o=e.slice(0,rp).map(({id:s})=>s),n=e.length-o.length;return r`
    <div class="notice">
      <span aria-hidden="true">🔧⚠️</span> ${h(e.length,"model")} not tested yet.
      <div class="row">
        ${o.map(s=>r`<button type="button" class="quiet" title=${`Select ${s} in the form`} onClick=${()=>t(s)}>${s}</button>`)}
        ${n>0&&`and ${n} more`}
      </div>
    </div>
  `}function Ni({params:e,change:t,statuses:o,rows:n,models:s,onFill:a}){let i=E(null),l=s.data?.models??[],{model:c,category:u="",run:d}=e,m=p=>{i.current=document.activeElement,t(p,{replace:!1})},$=()=>{t({model:"",category:""},{replace:!1}),i.current instanceof HTMLElement&&i.current.focus(),i.current=null};return r`
    ${o.error&&r`<${b} error=${o.error} onRetry=${o.reload} />`}
    ${!o.data&&!o.error&&r`<${R} lines=${6} label="the results" />`}
    ${o.data&&n.length===0&&!d&&r`<${Ii} models=${s} first=${Tt(l)[0]?.id} onFill=${a} />`}
    ${n.length>0&&r`
        <h2>Results</h2>
        <${Ci}
          statuses=${n}
          order=${ui(e.sort)}
          onOrder=${p=>t({sort:p})}
          ticked=${rt(e.compare)}
          onTick=${p=>t({compare:mi(rt(e.compare),p).join(" ")})}
          open=${c&&{model:c,category:u}}
          onOpen=${m}
        />
        <${sp} names=${rt(e.compare)} rows=${n} onClose=${()=>t({compare:""})} />
        ${a&&r`<${Di} models=${pi(l,n)} onFill=${a} />`}
      `}
    ${c&&r`<${Mi}
        model=${c}
        category=${u}
        status=${n.find(p=>p.model_id===c)}
        focus=${i.current!==null}
        onClose=${$}
      />`}
  `}function sp({names:e,rows:t,onClose:o}){let[n,s]=e.map(a=>t.find(i=>i.model_id===a));return n&&s?r`<${Si} a=${n} b=${s} onClose=${o} />`:e.length===1&&r`<p role="status">Select another model to compare with ${e[0]}.</p>`}var ap=[1e3,1500,2e3,3e3],ip=3e3;function ce({status:e}){return e!=="queued"&&e!=="running"}function Pi(e,t){let o=qe(),n=E(t);n.current=t;let[s,a]=f(0),[i,l]=f(lp),c=E(void 0);return C(()=>{let u=new AbortController,{signal:d}=u,m=0,$=0,p=!1,g=async()=>{if(clearTimeout(m),!(document.hidden||p)){p=!0;try{let w=await k.validationRun(e,{limit:1,signal:d}),_=c.current;if(l(he=>cp(he,w,_)),_!==void 0&&_.status!==w.status&&n.current(w),ce(w)){c.current=w;return}let q=await up(_,w,d);c.current=w,l(he=>({...he,latest:Ri(he.latest,q,e)}))}catch(w){if(d.aborted)return;let _=Fe(w);if(l(q=>({...q,error:_})),_.kind!=="offline"&&_.kind!=="failed")return}finally{p=!1}m=setTimeout(g,ap[$++]??ip)}},T=()=>{!document.hidden&&(c.current===void 0||!ce(c.current))&&g()};return g(),document.addEventListener("visibilitychange",T),()=>{u.abort(),clearTimeout(m),document.removeEventListener("visibilitychange",T)}},[e,o,s]),{...i,retry:ne(()=>a(u=>u+1),[])}}function lp(){return{run:void 0,latest:[],error:void 0,advancedAt:performance.now()}}function cp(e,t,o){let n=t.done===o?.done?e.advancedAt:performance.now();return{...e,run:t,error:void 0,advancedAt:n}}async function up(e,t,o){return(await Promise.all(Oi(e,t).map(({model:s,limit:a})=>k.history(s,{limit:a,signal:o})))).flatMap(s=>s.records)}var dp=20,mp={queued:"plain",running:"plain",finished:"good",stopped:"warn",failed:"bad"};function xn({status:e}){return r`<${v} tone=${mp[e]}>${e}<//>`}function Li({open:e,changed:t,onOpen:o}){let{items:n,isLoaded:s,more:a,next:i,restart:l,task:c}=$e(async(u,d)=>{let{runs:m,cursor:$}=await k.validationRuns({limit:dp,cursor:u,signal:d});return{items:m,cursor:$}});return C(()=>{t>0&&l()},[t,l]),r`
    <h2>Runs</h2>
    ${!s&&!c.error&&r`<${R} label="the runs" />`}
    ${c.error&&r`<${b} error=${c.error} onRetry=${i} />`}
    ${s&&n.length===0&&r`<small>No runs yet.</small>`}
    <ul class="val-runs">
      ${n.map(u=>r`
          <li key=${u.id}>
            <button type="button" aria-pressed=${u.id===e} onClick=${()=>o(u.id)}>
              <span class="row spread"><${xn} status=${u.status} /><small><${M} at=${u.created_at} /></small></span>
              <span>${u.suite}${u.repeats>1&&` × ${u.repeats}`} · ${$p(u)}</span>
              <small class="number">${pp(u)}</small>
            </button>
          </li>
        `)}
    </ul>
    <div class="row">
      ${a&&!c.busy&&r`<button type="button" onClick=${i}>Show older runs</button>`}
      ${c.busy&&s&&r`<${S} label="Loading runs" since=${c.since} />`}
    </div>
  `}function pp({passed:e,failed:t,total:o}){let n=e+t;return n===0?`at most ${h(o,"chat")}`:`${y(e)} of ${y(n)} passed`}function $p({models:e}){return e.length<=2?e.map(({model:t})=>t).join(", "):h(e.length,"model")}var fp=100,hp=3e4;function Fi({id:e,operator:t,onStatus:o,onClose:n}){let{run:s,latest:a,error:i,advancedAt:l,retry:c}=Pi(e,o),u=z(()=>performance.now(),[]);return r`
    <${st} title=${s?`Run of ${s.suite}${s.repeats>1?` × ${s.repeats}`:""}`:"Run"} reveal onClose=${n}>
      ${!s&&!i&&r`<${S} label="Loading the run" since=${u} />`}
      ${s&&r`<${bp} run=${s} operator=${t} advancedAt=${l} onChanged=${c} />`}
      ${i&&r`<${b} error=${i} onRetry=${c} />`}
      ${s&&r`<${yp} run=${s} />`}
      ${s&&ce(s)&&r`<${vp} run=${s} />`}
      ${s&&!ce(s)&&r`<h3>Latest verdicts</h3>
          <div class="val-scroll" tabindex="0" role="region" aria-label="Latest verdicts">
            ${a.length===0?r`<p>No verdicts yet.</p>`:r`<${Sn} verdicts=${a} label="Latest verdicts" models />`}
          </div>`}
    <//>
  `}function bp({run:e,operator:t,advancedAt:o,onChanged:n}){let s=O(),a=z(()=>performance.now()-(Date.now()-Date.parse(e.created_at)),[e.created_at]),i=!ce(e)&&performance.now()-o>hp,l=u=>s.run(async d=>{await u(e.id),d.aborted||n()}),c=[h(e.calls,"chat"),h(e.tokens,"token"),e.cost_usd>0&&K(e.cost_usd),e.finished_at&&A(Date.parse(e.finished_at)-Date.parse(e.created_at))].filter(Boolean);return r`
    <div class="row">
      <span role="status"><${xn} status=${e.status} />${ce(e)&&` ${qi(e)}`}</span>
      ${!ce(e)&&r`<${S} label="" since=${a} /> ${t&&r`<button type="button" disabled=${s.busy} onClick=${()=>l(k.stopValidation)}>Stop</button>`}`}
    </div>
    ${e.reason&&r`<p>${e.reason}</p>`}
    <div>
      <progress class="val-progress" max=${e.total} value=${e.done} aria-label="Progress of the run"></progress>
      <small>${y(e.done)} of ${h(e.total,"verdict")}${!ce(e)&&`: ${qi(e)}`} · ${c.join(" · ")}</small>
    </div>
    ${i&&r`<div class="notice row">
        No new verdicts for 30 seconds. Resume the run to repeat cases with lost messages; existing verdicts are kept.
        ${t&&r`<button type="button" disabled=${s.busy} onClick=${()=>l(k.resumeValidation)}>Resume</button>`}
      </div>`}
    ${s.error&&r`<${b} error=${s.error} />`}
  `}function qi({passed:e,failed:t,errors:o,skipped:n}){let s=[`${y(e)} passed`,`${y(t)} failed`];return o>0&&s.push(h(o,"error")),n>0&&s.push(`${y(n)} skipped`),s.join(", ")}var gp={above:"stopped early, rate above 80 %",below:"stopped early, rate below 80 %"};function yp({run:e}){let t=e.total/e.models.length;return r`
    <div class="scroll" tabindex="0" role="region" aria-label="Models of this run">
      <table>
        <caption class="hidden">Models of this run</caption>
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col">Done</th>
            <th scope="col" class="number">Passed</th>
            <th scope="col" class="number">Failed</th>
            <th scope="col" class="number">Errors</th>
            <th scope="col" class="number">Skipped</th>
            <th scope="col">Rate</th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          ${e.models.map(({model:o,demo:n,rate:s,done:a,errors:i,skipped:l,stopped_early:c,state:u})=>r`
              <tr key=${o}>
                <th scope="row" class="val-model">${o}${n&&r` <${B} />`}${c&&r`<div><small>${gp[c]}</small></div>`}</th>
                <td>
                  <progress class="val-progress" max=${t} value=${a} aria-label=${`Progress of ${o}`}></progress>
                  <small class="number">${y(a)} of ${y(t)}</small>
                </td>
                <td class="number">${y(s?.successes??0)}</td>
                <td class="number">${y((s?.tests??0)-(s?.successes??0))}</td>
                <td class="number">${y(i)}</td>
                <td class="number">${y(l)}</td>
                <td>${s&&r`<${It} rate=${s} />`}</td>
                <td>${u&&r`<${Mt} state=${u} demo=${n??!1} />`}</td>
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}function vp({run:e}){let[t,o]=f(e.failed+e.errors>0),n=$e(async(s,a)=>{let{verdicts:i,cursor:l}=await k.validationRun(e.id,{limit:fp,cursor:s,signal:a});return{items:i,cursor:l}},[e.id]);return r`
    <h3>Verdicts</h3>
    <div class="val-scroll" tabindex="0" role="region" aria-label="Verdicts of this run">
      <${To}
        pages=${n}
        label="Verdicts of this run"
        models
        filter=${()=>!0}
        failedOnly=${t}
        onFailedOnly=${o}
      />
    </div>
  `}function _o(e,{replace:t=!0}={}){let o=ue();o.view==="validation"&&x("validation",{...o.params,...e},{replace:t})}function wp(e){_o({models:e}),document.getElementById($n)?.focus()}function kp({route:{params:e}}){let t=F($=>k.statuses($)),o=F($=>k.suites($)),n=ie(),s=Et("validate"),[a,i]=f(0),l=t.data?.validations.filter($=>$.tested||$.errors>0||$.tests_by_provenance)??[],c=$=>{i(p=>p+1),ce($)&&(t.reload(),n.reload())},u=$=>_o({run:$},{replace:!1}),m=r`
    ${s?r`<${bi} params=${e} change=${_o} suites=${o} models=${n} statuses=${l} onStarted=${$=>{i(p=>p+1),u($.id)}} />`:null}
    <${Li} open=${e.run??""} changed=${a} onOpen=${u} />
  `;return r`
    <${U} title="Validation" controls=${m}>
      ${e.run&&r`<${Fi} key=${e.run} id=${e.run} operator=${s} onStatus=${c} onClose=${()=>u("")} />`}
      <${Ni} params=${e} change=${_o} statuses=${t} rows=${l} models=${n} onFill=${s?wp:void 0} />
    <//>
  `}export{Dc as Configuration,mu as Retrieval,yd as Run,tm as ToolsTesting,$m as Traces,Om as Usage,kp as Validation};
