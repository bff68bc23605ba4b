/** Switch, also by the left and right arrow keys, between the versions of a message: edited ones, and those with a regenerated answer. */
import { html } from "../../html.js";

/** Id of the switch of a turn, which gets the focus after a switch. @param {number} turn */
export function switchId(turn) {
  return `chat-versions-${turn}`;
}

/** `Version 2 of 3` @param {number} turn @param {ReadonlyArray<number>} siblings */
export function versionText(turn, siblings) {
  return `Version ${siblings.indexOf(turn) + 1} of ${siblings.length}`;
}

/**
 * @param {{ turn: number, siblings: ReadonlyArray<number>, disabled: boolean, onSwitch: (turn: number) => void }} props
 */
export function Versions({ turn, siblings, disabled, onSwitch }) {
  const at = siblings.indexOf(turn);
  if (siblings.length < 2 || at < 0) return null;
  const [previous, next] = [siblings[at - 1], siblings[at + 1]];
  /** @param {KeyboardEvent} event */
  const handleKeydown = (event) => {
    const target = { ArrowLeft: previous, ArrowRight: next }[event.key];
    if (target === undefined || disabled) return;
    event.preventDefault();
    onSwitch(target);
  };
  return html`
    <div
      class="chat-versions"
      id=${switchId(turn)}
      role="group"
      aria-label=${versionText(turn, siblings)}
      onKeyDown=${handleKeydown}
    >
      <button type="button" class="quiet" aria-label="Previous version" disabled=${disabled || previous === undefined} onClick=${() => previous !== undefined && onSwitch(previous)}>‹</button>
      <span class="number" aria-hidden="true">${at + 1} / ${siblings.length}</span>
      <button type="button" class="quiet" aria-label="Next version" disabled=${disabled || next === undefined} onClick=${() => next !== undefined && onSwitch(next)}>›</button>
    </div>
  `;
}
