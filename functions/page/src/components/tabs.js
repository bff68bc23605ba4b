/** Tabs with arrow-key navigation. */
import { html, useId, useState } from "../html.js";

/**
 * The content of a tab is rendered when selected; `note` is shown after its name. Uncontrolled unless `chosen` is given.
 * @param {{ label: string, tabs: ReadonlyArray<{ name: string, note?: string, content: () => unknown }>,
 *   chosen?: string, onChoose?: (name: string) => void }} props
 */
export function Tabs({ label, tabs, chosen: given, onChoose }) {
  const id = useId();
  const [uncontrolled, setUncontrolled] = useState(tabs[0]?.name ?? "");
  const chosen = given ?? uncontrolled;
  const at = Math.max(
    0,
    tabs.findIndex((tab) => tab.name === chosen),
  );

  /** @param {string} name */
  const choose = (name) => {
    setUncontrolled(name);
    onChoose?.(name);
  };
  /** @param {KeyboardEvent & { currentTarget: HTMLElement }} event */
  const handleKeydown = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = step === undefined ? undefined : tabs[(at + step + tabs.length) % tabs.length];
    if (next === undefined) return;
    event.preventDefault();
    choose(next.name);
    /** @type {HTMLElement | null} */ (event.currentTarget.children.item(tabs.indexOf(next)))?.focus();
  };
  return html`
    <div>
      <div role="tablist" aria-label=${label} onKeyDown=${handleKeydown}>
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
