import{a as l}from"./chunk-KQCX27CS.js";import{e as r}from"./chunk-MDRXFZHG.js";import{i as e}from"./chunk-TPKBOS6B.js";var s=200;function $({rules:t}){return e`
    <div class="scroll" tabindex="0" role="region" aria-label="Rules tried">
      <table>
        <caption>Rules tried, in order</caption>
        <thead>
          <tr>
            <th scope="col">Rule</th>
            <th scope="col">Outcome</th>
            <th scope="col">Conditions</th>
          </tr>
        </thead>
        <tbody>
          ${t.map(o=>e`
              <tr>
                <th scope="row">${o.rule}</th>
                <td>
                  <${r} tone=${o.matched?"good":"plain"}>${o.matched?"answers":"passed over"}<//>
                </td>
                <td><${a} rule=${o} /></td>
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}function a({rule:t}){return t.conditions.length===0?t.fallback?"none: it answers when no other rule does":"none":t.conditions.map(({condition:o,expected:n,actual:d,holds:i})=>e`
      <div>
        <${r} tone=${i?"good":"bad"}>${i?"holds":"fails"}<//>
        ${" "}<code>${o}</code> ${c(n)}${!i&&e` <small>(is ${c(d)})</small>`}
      </div>
    `)}function m({tools:t}){return t.length===0?e`<p>No tools are configured.</p>`:e`
    <div class="scroll" tabindex="0" role="region" aria-label="Tools offered">
      <table>
        <caption>Tools</caption>
        <thead>
          <tr>
            <th scope="col">Tool</th>
            <th scope="col">Offered</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          ${t.map(({tool:o,offered:n,reason:d})=>e`
              <tr>
                <th scope="row" class="mono">${o}</th>
                <td><${r} tone=${n?"good":"plain"}>${n?"offered":"not offered"}<//></td>
                <td>${d}</td>
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}function c(t){if(t==null)return"nothing";let o=l(t);return o.length>s?`${o.slice(0,s)}…`:o}export{$ as a,m as b};
