/** One of several texts about the same thing, chosen by tab; arrow keys go through the tabs. */
import { html, useId, useState } from "../html.js";

/**
 * The content of a tab is made when it is shown; `note` stands beside its name. Which one is shown is the component's own
 * business unless `chosen` names it.
 * @param {{ label: string, tabs: ReadonlyArray<{ name: string, note?: string, content: () => unknown }>,
 *   chosen?: string, onChoose?: (name: string) => void }} props
 */
export function Tabs({ label, tabs, chosen: given, onChoose }) {
  const id = useId();
  const [own, setOwn] = useState(tabs[0]?.name ?? "");
  const chosen = given ?? own;
  const at = Math.max(
    0,
    tabs.findIndex((tab) => tab.name === chosen),
  );

  /** @param {string} name */
  const choose = (name) => {
    setOwn(name);
    onChoose?.(name);
  };
  /** @param {KeyboardEvent & { currentTarget: HTMLElement }} event */
  const moved = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = step === undefined ? undefined : tabs[(at + step + tabs.length) % tabs.length];
    if (next === undefined) return;
    event.preventDefault();
    choose(next.name);
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
              onClick=${() => choose(tab.name)}
            >${tab.name}${tab.note && html` <small>${tab.note}</small>`}</button>
          `,
        )}
      </div>
      <div role="tabpanel" id=${`${id}-panel`} aria-labelledby=${`${id}-${at}`} tabindex="0">${tabs[at]?.content()}</div>
    </div>
  `;
}
