import assert from "node:assert/strict";
import { test } from "node:test";
import { attachmentFields, attachmentProblem, MAX_BYTES, MAX_FILE_BYTES, partition, uploadHint } from "../../functions/page/src/views/chat/attachments.js";
import { addAnswer, changeAttachment, INITIAL_STATE, NOTHING_SENT, restoreDraft } from "../../functions/page/src/views/chat/chat-state.js";
import { DEFAULT_OPTIONS, newMessage } from "../../functions/page/src/views/chat/request.js";
import { buildTurns } from "../../functions/page/src/views/chat/turns.js";

const RED = { name: "red.png", type: "image/png", size: 70, url: "data:image/png;base64,AAAA" };

test("attachments are sent by their content and their name", () => {
  assert.deepEqual(attachmentFields([RED]), { attachments: [{ name: "red.png", url: RED.url, detail: "auto" }] });
  assert.deepEqual(newMessage("Hi", "s1", DEFAULT_OPTIONS, { attachments: [RED] }), {
    message: "Hi",
    session_id: "s1",
    attachments: [{ name: "red.png", url: RED.url, detail: "auto" }],
  });
});

test("files that are too large are refused in a sentence with the limit", () => {
  const large = { name: "large.png", type: "image/png", size: MAX_FILE_BYTES };
  assert.equal(attachmentProblem([large], []), "");
  assert.equal(
    attachmentProblem([{ ...large, size: MAX_FILE_BYTES + 100_000 }], []),
    "large.png has 20.1 MB, and a file may have 20.0 MB.",
  );
  assert.equal(
    attachmentProblem([large], [large, RED]),
    "large.png: the files have 40.0 MB together, and a message takes 40.0 MB.",
  );
  assert.equal(attachmentProblem(Array(51).fill(RED), []), "A message takes 50 files.");
  assert.equal(MAX_BYTES, 40_000_000);
});

test("files that do not fit into a request are uploaded", () => {
  const [small, medium, large] = [1_000_000, 2_500_000, 9_000_000].map((size) => ({ size }));
  assert.deepEqual(partition([small, large, medium], []), { inline: [small], large: [large, medium] });
  const uploaded = { ...RED, size: 9_000_000, key: "k", fileId: "file-1" };
  assert.deepEqual(partition([medium], [uploaded]), { inline: [medium], large: [] });
  assert.deepEqual(attachmentFields([uploaded]), {
    attachments: [{ name: "red.png", file_id: "file-1", detail: "auto" }],
  });
});

test("a message waits for its uploads", () => {
  const uploading = { ...RED, key: "k", upload: { sent: 3, problem: "" } };
  const state = { ...INITIAL_STATE, attachments: [RED, uploading] };
  assert.equal(uploadHint(state.attachments), "Files are being uploaded.");
  const failed = changeAttachment(state, "k", { upload: { sent: 0, problem: "Gone." } });
  assert.equal(uploadHint(failed.attachments), "Try again or remove the file that was not uploaded.");
  const done = changeAttachment(failed, "k", { fileId: "file-1", upload: undefined });
  assert.equal(uploadHint(done.attachments), "");
  assert.deepEqual(done.attachments[0], RED);
});

test("drawings and empty files are refused", () => {
  const drawing = { name: "a.svg", type: "image/svg+xml", size: 9 };
  assert.match(attachmentProblem([drawing], []), /^a\.svg is of the type image\/svg\+xml\. Attach PNG/u);
  assert.equal(attachmentProblem([{ ...RED, size: 0 }], []), "red.png is empty.");
});

test("a failed request returns its files to the draft", () => {
  const sent = { ...NOTHING_SENT, session: "s1", question: "Hi", attachments: [RED] };
  const other = { ...RED, name: "other.png" };

  const restored = restoreDraft({ ...INITIAL_STATE, sent, waiting: true, attachments: [other] });

  assert.deepEqual([restored.draft, restored.attachments], ["Hi", [RED, other]]);
});

test("a turn has the files of its message, from the session or from this visit", () => {
  const sent = { ...NOTHING_SENT, session: "s1", question: "Hi", attachments: [RED] };
  const answer = /** @type {any} */ ({ request_id: "r1", tool_calls: [], content: "Red.", model: "m", service: "s" });
  const { received } = addAnswer({ ...INITIAL_STATE, sent, waiting: true }, "s1", answer);
  const stored = /** @type {any} */ ({
    role: "user",
    content: "Hi",
    at: "",
    turn: 1,
    tool_calls: [],
    attachments: [{ type: "image", media_type: "image/png", name: "red.png", size: 70 }],
  });

  assert.deepEqual(buildTurns([], received)[0]?.attachments, [RED]);
  assert.deepEqual(buildTurns([stored], [])[0]?.attachments, [{ name: "red.png", type: "image/png", size: 70 }]);
  stored.attachments[0].id = "a1";
  assert.equal(buildTurns([stored], [])[0]?.attachments[0]?.id, "a1");
});
