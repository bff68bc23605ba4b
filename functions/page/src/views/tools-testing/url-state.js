/** What is chosen, and its way into the URL and back. */
import { useCallback, useEffect, useRef, useState } from "../../html.js";
import { go } from "../../router.js";

/** @typedef {{ model: string, query: string }} Chosen */

const TYPING_MS = 300;
/** A longer query would make an address that servers refuse. */
const QUERY_CHARACTERS = 2_000;

/**
 * The model and the query: typed ones are in the URL a moment later. The first change after a run is a step of its own,
 * so that the back button goes from run to run.
 * @param {import("../../router.js").Place} place
 * @returns {[Chosen, (changed: Partial<Chosen>) => void, () => void]} what is chosen, the way to change it, and what
 * tells that it is run
 */
export function useChosen(place) {
  const [chosen, setChosen] = useState(() => chosenIn(place));
  const written = useRef(addressOf(chosen));
  const ran = useRef(false);

  const inPlace = addressOf(chosenIn(place));
  useEffect(() => {
    if (inPlace === written.current) return;
    written.current = inPlace;
    setChosen(/** @type {Chosen} */ (JSON.parse(inPlace)));
  }, [inPlace]);

  const write = useCallback((/** @type {Chosen} */ next) => {
    const address = addressOf(next);
    if (address === written.current) return;
    written.current = address;
    go("tools-testing", JSON.parse(address), { replace: !ran.current });
    ran.current = false;
  }, []);
  useEffect(() => {
    const timer = setTimeout(() => write(chosen), TYPING_MS);
    return () => clearTimeout(timer);
  }, [chosen, write]);

  const change = useCallback(
    (/** @type {Partial<Chosen>} */ changed) => setChosen((last) => ({ ...last, ...changed })),
    [],
  );
  const settle = () => {
    write(chosen);
    ran.current = true;
  };
  return [chosen, change, settle];
}

/** @param {import("../../router.js").Place} place @returns {Chosen} */
function chosenIn({ params }) {
  return { model: params["model"] ?? "", query: params["query"] ?? "" };
}

/** What of it stands in the URL. @param {Chosen} chosen */
function addressOf({ model, query }) {
  return JSON.stringify({ model, query: query.length > QUERY_CHARACTERS ? "" : query });
}
