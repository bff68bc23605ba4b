import assert from "node:assert/strict";
import { test } from "node:test";
import { attachmentFields, attachmentProblem, MAX_BYTES } from "../../functions/page/src/views/chat/attachments.js";
import { addAnswer, INITIAL_STATE, restoreDraft } from "../../functions/page/src/views/chat/chat-state.js";
import { DEFAULT_OPTIONS, newMessage } from "../../functions/page/src/views/chat/request.js";
import { buildTurns } from "../../functions/page/src/views/chat/turns.js";

const RED = { name: "red.png", type: "image/png", size: 70, url: "data:image/png;base64,AAAA" };

test("attachments are sent by their content and their name", () => {
  assert.deepEqual(attachmentFields([RED]), { attachments: [{ name: "red.png", url: RED.url, detail: "auto" }] });
  assert.deepEqual(newMessage("Hi", "s1", DEFAULT_OPTIONS, [RED]), {
    message: "Hi",
    session_id: "s1",
    attachments: [{ name: "red.png", url: RED.url, detail: "auto" }],
  });
});

test("files of more than 3 MB together are refused in a sentence with the remedy", () => {
  const large = { name: "large.png", type: "image/png", size: MAX_BYTES };
  assert.equal(attachmentProblem([large], []), "");
  assert.equal(
    attachmentProblem([large], [RED]),
    "large.png: the files have 3.0 MB together, and a message takes 3.0 MB. Send larger ones with “flexchat chat --file”.",
  );
});

test("drawings and empty files are refused", () => {
  const drawing = { name: "a.svg", type: "image/svg+xml", size: 9 };
  assert.match(attachmentProblem([drawing], []), /^a\.svg is of the type image\/svg\+xml\. Attach PNG/u);
  assert.equal(attachmentProblem([{ ...RED, size: 0 }], []), "red.png is empty.");
});

test("a failed request returns its files to the draft", () => {
  const sent = { session: "s1", question: "Hi", attachments: [RED], background: false, replaces: "", token: "" };
  const other = { ...RED, name: "other.png" };

  const restored = restoreDraft({ ...INITIAL_STATE, sent, waiting: true, attachments: [other] });

  assert.deepEqual([restored.draft, restored.attachments], ["Hi", [RED, other]]);
});

test("a turn has the files of its message, from the session or from this visit", () => {
  const sent = { session: "s1", question: "Hi", attachments: [RED], background: false, replaces: "", token: "" };
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
});
