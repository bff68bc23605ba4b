/** Files of the draft: read, or uploaded if they are too large for a request. */
import { ApiError } from "../../api/client.js";
import { uploadFile } from "../../api/upload.js";
import { useCallback, useEffect, useRef, useState } from "../../html.js";
import { useSignInKey } from "../../token.js";
import { attachmentProblem, isPicture, partition, readAttachment } from "./attachments.js";

/** @typedef {import("./attachments.js").Attachment} Attachment */

/**
 * @param {ReadonlyArray<Attachment>} attachments those of the draft
 * @param {{ add: (added: ReadonlyArray<Attachment>) => void, change: (key: string, changes: Partial<Attachment>) => void,
 *   remove: (at: number) => void }} draft
 */
export function useUploads(attachments, { add, change, remove }) {
  const signIn = useSignInKey();
  const [problem, setProblem] = useState("");
  const files = useRef(/** @type {Map<string, { file: File, running: AbortController | undefined }>} */ (new Map()));

  const upload = useCallback(
    async (/** @type {string} */ key) => {
      const entry = files.current.get(key);
      if (!entry) return;
      const running = new AbortController();
      entry.running = running;
      const { signal } = running;
      const onProgress = (/** @type {number} */ sent) =>
        !signal.aborted && change(key, { upload: { sent, problem: "" } });
      onProgress(0);
      try {
        const fileId = await uploadFile(entry.file, { signal, onProgress });
        if (!signal.aborted) change(key, { fileId, upload: undefined });
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof ApiError)) throw error;
        change(key, { upload: { sent: 0, problem: error.message } });
      }
    },
    [change],
  );

  useEffect(() => {
    const held = files.current;
    return () => held.forEach(({ running }) => running?.abort());
  }, []);

  // An upload belongs to the sign-in that began it.
  const latest = useRef(attachments);
  latest.current = attachments;
  const owner = useRef(signIn);
  useEffect(() => {
    if (owner.current === signIn) return;
    owner.current = signIn;
    for (const { key } of latest.current) {
      if (!key) continue;
      files.current.get(key)?.running?.abort();
      change(key, { fileId: undefined, upload: { sent: 0, problem: "The token has changed. Upload it again." } });
    }
  }, [signIn, change]);

  const attach = async (/** @type {FileList | null | undefined} */ list) => {
    const chosen = [...(list ?? [])];
    const found = attachmentProblem(chosen, attachments);
    setProblem(found);
    if (found !== "" || chosen.length === 0) return;
    const { inline, large } = partition(chosen, attachments);
    try {
      add(await Promise.all(inline.map(readAttachment)));
    } catch {
      setProblem("The file could not be read. Choose it again.");
      return;
    }
    for (const file of large) {
      const key = crypto.randomUUID();
      files.current.set(key, { file, running: undefined });
      const url = isPicture(file.type) ? URL.createObjectURL(file) : "";
      add([{ name: file.name, type: file.type, size: file.size, url, key, upload: { sent: 0, problem: "" } }]);
      void upload(key);
    }
  };
  const detach = (/** @type {number} */ at) => {
    const { key = "", url = "" } = attachments[at] ?? {};
    files.current.get(key)?.running?.abort();
    files.current.delete(key);
    if (url.startsWith("blob:")) URL.revokeObjectURL(url);
    setProblem("");
    remove(at);
  };
  const retry = (/** @type {number} */ at) => void upload(attachments[at]?.key ?? "");
  return { problem, attach, detach, retry };
}
