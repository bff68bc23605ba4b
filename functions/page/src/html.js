/** The `html` template tag and the Preact exports of all components. Interpolated values become text nodes. */
import { h } from "./vendor/preact.js";
import htm from "./vendor/htm.js";

export const html = htm.bind(h);
export { createContext, Fragment, render } from "./vendor/preact.js";
export {
  useCallback,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "./vendor/hooks.js";
