/** Picture or file of an earlier visit, which is loaded from the storage of the session. */
import { ApiError } from "../../api/client.js";
import { api } from "../../api/routes.js";
import { size as bytes } from "../../format.js";
import { html, useEffect, useRef, useState } from "../../html.js";

const AHEAD = "400px";

/** Addresses of loaded files, which stay for the visit. @type {Map<string, Promise<string>>} */
const loaded = new Map();

/** @param {{ session: string, id: string, name: string, size: number, picture: boolean }} props */
export function StoredFile({ session, id, name, size, picture }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const [url, setUrl] = useState("");
  const [problem, setProblem] = useState("");
  const load = () =>
    addressOf(session, id).catch((error) => {
      if (!(error instanceof ApiError)) throw error;
      setProblem(error.status === 404 ? "no longer stored" : error.message);
      return "";
    });
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    if (!picture || place.current === null) return undefined;
    let active = true;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        void latest.current().then((address) => active && setUrl(address));
      },
      { rootMargin: AHEAD },
    );
    observer.observe(place.current);
    return () => {
      active = false;
      observer.disconnect();
    };
  }, [session, id, picture]);
  const download = async () => {
    setProblem("");
    const address = await load();
    if (address === "") return;
    const link = document.createElement("a");
    link.href = address;
    link.download = name;
    link.click();
  };
  return html`
    <span ref=${place} class=${picture ? "chat-stored-picture" : undefined}>
      ${url ? html`<img src=${url} alt=${name} />` : html`<span aria-hidden="true">${picture ? "▣" : "▤"}</span>`}
    </span>
    <span>${name}</span>
    <small>${bytes(size)}</small>
    ${problem && html`<small class="problem-text" role="status">✕ ${problem}</small>`}
    <button type="button" class="quiet" aria-label=${`Download ${name}`} onClick=${download}>Download</button>
  `;
}

/** @param {string} session @param {string} id */
function addressOf(session, id) {
  const key = `${session} ${id}`;
  const found = loaded.get(key);
  if (found) return found;
  const address = fetchFile(session, id);
  loaded.set(key, address);
  address.catch(() => loaded.delete(key));
  return address;
}

/** @param {string} session @param {string} id @throws {ApiError} */
async function fetchFile(session, id) {
  const { url, media_type: type } = await api.sessionFile(session, id);
  /** @type {Blob} */
  let content;
  try {
    const response = await fetch(url, { credentials: "omit", referrerPolicy: "no-referrer" });
    if (!response.ok) {
      throw new ApiError("failed", `the storage returned status ${response.status}`, { status: response.status });
    }
    content = await response.blob();
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError("offline", "the storage did not answer");
  }
  // The type is that of the service: a picture, or one that no browser interprets.
  return URL.createObjectURL(new Blob([content], { type }));
}
