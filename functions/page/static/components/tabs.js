/** One of several texts about the same thing, chosen by tab; arrow keys go through the tabs. */
import { html, useId, useState } from "../html.js";

/**
 * @param {{ label: string, tabs: ReadonlyArray<{ name: string, content: () => unknown }> }} props the content of a tab
 * is made when it is shown
 */
export function Tabs({ label, tabs }) {
  const id = useId();
  const [chosen, setChosen] = useState(tabs[0]?.name ?? "");
  const at = Math.max(
    0,
    tabs.findIndex((tab) => tab.name === chosen),
  );

  /** @param {KeyboardEvent & { currentTarget: HTMLElement }} event */
  const moved = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = step === undefined ? undefined : tabs[(at + step + tabs.length) % tabs.length];
    if (next === undefined) return;
    event.preventDefault();
    setChosen(next.name);
    /** @type {HTMLElement | null} */ (event.currentTarget.children.item(tabs.indexOf(next)))?.focus();
  };
  return html`
    <div class="tabs">
      <div role="tablist" aria-label=${label} onKeyDown=${moved}>
        ${tabs.map(
          (tab, index) => html`
            <button
              type="button"
              role="tab"
              id=${`${id}-${index}`}
              aria-selected=${index === at}
              aria-controls=${`${id}-panel`}
              tabindex=${index === at ? 0 : -1}
              onClick=${() => setChosen(tab.name)}
            >${tab.name}</button>
          `,
        )}
      </div>
      <div role="tabpanel" id=${`${id}-panel`} aria-labelledby=${`${id}-${at}`} tabindex="0">${tabs[at]?.content()}</div>
    </div>
  `;
}
