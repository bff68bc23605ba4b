/** Queue of uploads to a collection: one file after another. */
import { asApiError } from "../../api/hooks.js";
import { uploadFile, uploadJson } from "../../api/upload.js";
import { size as sizeOf } from "../../format.js";
import { useCallback, useEffect, useRef, useState } from "../../html.js";
import { STAGE } from "../../router.js";

/** @typedef {import("../../api/routes.js").Schemas} Schemas */

export const MAX_BYTES = 20_000_000;
/** Most bytes of a file in a request: in base64 it is a third more, and a request has at most 4 MiB. */
const MAX_INLINE_BYTES = 3_000_000;

/**
 * State of a file. `exists`: the collection has a document of this name from elsewhere.
 * @typedef {"waiting" | "uploading" | "processing" | "indexed" | "failed" | "exists" | "cancelled"} UploadState
 * @typedef {{ id: number, collection: string, file: File, state: UploadState, share: number, note: string,
 *   warnings: ReadonlyArray<string>, fields: Partial<Schemas["FieldSchema"]>, replace: boolean }} Upload
 */

let lastId = 0;

/** @param {{ onIndexed: (collection: string) => void }} options */
export function useUploads({ onIndexed }) {
  const [uploads, setUploads] = useState(/** @type {ReadonlyArray<Upload>} */ ([]));
  const running = useRef(/** @type {{ id: number, controller: AbortController } | undefined} */ (undefined));
  const indexed = useRef(onIndexed);
  indexed.current = onIndexed;

  const change = useCallback((/** @type {number} */ id, /** @type {Partial<Upload>} */ changes) => {
    setUploads((all) => all.map((each) => (each.id === id ? { ...each, ...changes } : each)));
  }, []);
  useEffect(() => () => running.current?.controller.abort(), []);
  useEffect(() => {
    const next = uploads.find(({ state }) => state === "waiting");
    if (next === undefined || running.current !== undefined) return;
    const controller = new AbortController();
    running.current = { id: next.id, controller };
    change(next.id, { state: "uploading", share: 0, note: "" });
    void send(next, controller.signal, (share) => change(next.id, progress(share))).then((outcome) => {
      running.current = undefined;
      change(next.id, outcome);
      if (outcome.state === "indexed") indexed.current(next.collection);
    });
  }, [uploads, change]);

  /** @param {string} collection @param {ReadonlyArray<File>} files @param {Partial<Schemas["FieldSchema"]>} fields */
  const add = (collection, files, fields) =>
    setUploads((all) => {
      const names = new Set(all.filter(isOpen).map(({ file }) => file.name));
      const added = files.map((file) => {
        const note = problemOf(file, names, collection);
        names.add(file.name);
        const state = /** @type {UploadState} */ (note ? "failed" : "waiting");
        return { id: ++lastId, collection, file, state, share: 0, note, warnings: [], fields, replace: false };
      });
      return [...all, ...added];
    });
  /** @param {number} id */
  const cancel = (id) => {
    if (running.current?.id === id) running.current.controller.abort();
    else change(id, { state: "cancelled", note: "" });
  };
  return {
    uploads,
    add,
    cancel,
    /** Upload a file again, in place of the document of its name with `replace`. */
    retry: (/** @type {number} */ id, { replace = false } = {}) => change(id, { state: "waiting", note: "", replace }),
    clear: () => setUploads((all) => all.filter(isOpen)),
  };
}

/** True until an upload has ended. @param {Upload} upload */
export function isOpen({ state }) {
  return state === "waiting" || state === "uploading" || state === "processing";
}

/** @param {number} share @returns {Partial<Upload>} */
function progress(share) {
  return share < 1 ? { share } : { share, state: "processing" };
}

/** @param {File} file @param {ReadonlySet<string>} names of files that wait @param {string} collection */
function problemOf(file, names, collection) {
  if (file.size === 0) return "The file is empty.";
  if (names.has(file.name)) return "Another file of this upload has the same name. Rename one of them.";
  if (file.size <= MAX_BYTES) return "";
  const command = `flexchat collections add ${collection} FILE --stage ${STAGE}`;
  return `The file has ${sizeOf(file.size)}; the page uploads at most ${sizeOf(MAX_BYTES)}. Split it, or add it with “${command}”.`;
}

/**
 * @param {Upload} upload
 * @param {AbortSignal} signal
 * @param {(share: number) => void} onProgress
 * @returns {Promise<Partial<Upload> & { state: UploadState }>}
 */
async function send({ collection, file, fields, replace }, signal, onProgress) {
  let isStored = false;
  try {
    const isLarge = file.size > MAX_INLINE_BYTES;
    const content = isLarge
      ? { file_id: await uploadFile(file, { signal, onProgress: (sent) => onProgress(sent / file.size) }) }
      : { content_base64: await base64(file) };
    isStored = true;
    onProgress(isLarge ? 1 : 0);
    /** @type {Schemas["ImportView"]} */
    const report = await uploadJson(
      `api/collections/${encodeURIComponent(collection)}/documents`,
      { replace, documents: [{ source: file.name, ...content, fields }] },
      { signal, onProgress: (sent, total) => isLarge || onProgress(total > 0 ? sent / total : 0) },
    );
    return outcomeOf(report);
  } catch (error) {
    const mayBe = isStored ? "It may have been indexed; the list shows it." : "";
    if (signal.aborted) return { state: "cancelled", note: mayBe };
    const { kind, message, requestId, status } = asApiError(error);
    const sentence = requestId ? `${message} (request ${requestId})` : message;
    const isUnknown = kind === "offline" || status === 504;
    return { state: "failed", note: isUnknown && mayBe ? `${sentence} ${mayBe}` : sentence };
  }
}

/** @param {Schemas["ImportView"]} report @returns {Partial<Upload> & { state: UploadState }} */
function outcomeOf({ added, replaced, unchanged, failed, warnings }) {
  const warned = warnings.map(({ reason }) => reason);
  const [first] = failed;
  if (first && added + replaced + unchanged === 0) {
    return { state: first.exists ? "exists" : "failed", note: first.reason, warnings: warned };
  }
  const parts = [
    added > 0 && (added === 1 ? "added" : `${added} added`),
    replaced > 0 && (replaced === 1 ? "replaced the document of this name" : `${replaced} replaced`),
    unchanged > 0 && (unchanged === 1 ? "unchanged: the collection has it already" : `${unchanged} unchanged`),
  ];
  const left = failed.map(({ source, reason }) => `${source}: ${reason}`);
  return { state: "indexed", note: parts.filter(Boolean).join(", "), warnings: [...warned, ...left] };
}

/** @param {File} file @returns {Promise<string>} */
function base64(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/u, ""));
    reader.onerror = () => reject(new Error(`${file.name} cannot be read. Select it again.`));
    reader.readAsDataURL(file);
  });
}
