/** Width of a screen with one column. */
import { useEffect, useState } from "../html.js";

export const NARROW = matchMedia("(width < 800px)");

/** Hook: true while the screen is narrow. */
export function useNarrow() {
  const [narrow, setNarrow] = useState(NARROW.matches);
  useEffect(() => {
    const update = () => setNarrow(NARROW.matches);
    NARROW.addEventListener("change", update);
    return () => NARROW.removeEventListener("change", update);
  }, []);
  return narrow;
}
