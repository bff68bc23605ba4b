/** Turns of a conversation: the session's messages merged with the answers of this visit. */

/** @typedef {import("../../api/routes.js").Schemas} Schemas */
/** @typedef {Schemas["SessionMessageView"]} Message */
/** @typedef {Schemas["ChatResponse"]} Answer */
/** @typedef {Schemas["ToolCallView"]} Call */
/** @typedef {import("./attachments.js").Shown} Shown */

/**
 * Answer received during this visit, with timings, documents and explanation, which sessions do not store. `replaces` is
 * the request id of the partial answer that it continues, empty for a new message.
 * @typedef {{ session: string, question: string, attachments: ReadonlyArray<Shown>, at: string, replaces: string,
 *   answer: Answer }} ReceivedAnswer
 */

/**
 * A user message with its answer. `remarks` are texts of the model beside its calls; `answer` is missing while pending;
 * `received` is missing for answers of earlier visits, `number` for turns that the session does not have.
 * @typedef {{ key: string, number: number | undefined, question: string | undefined,
 *   attachments: ReadonlyArray<Shown>, at: string,
 *   remarks: ReadonlyArray<string>, calls: ReadonlyArray<Call>, answer: TurnAnswer | undefined,
 *   received: Answer | undefined }} Turn
 */

/**
 * @typedef {{ content: string, at: string, model: string, service: string, rule: string, status: Answer["status"],
 *   outcome: import("../../outcome.js").OutcomeName | undefined, demo: boolean, requestId: string }} TurnAnswer
 */

/**
 * Turns of the session, then answers of this visit that the session does not have yet.
 * @param {ReadonlyArray<Message>} messages the oldest first
 * @param {ReadonlyArray<ReceivedAnswer>} received those of this session, the oldest first
 * @returns {ReadonlyArray<Turn>}
 */
export function buildTurns(messages, received) {
  const turns = [...groupByTurn(messages).values()].map((group) => turnOf(group, received));
  const saved = new Set(turns.map((turn) => turn.answer?.requestId));
  const newest = received.findLastIndex(({ answer }) => saved.has(answer.request_id));
  const missing = received.filter(
    ({ answer }, at) => !saved.has(answer.request_id) && (at > newest || answer.session?.saved === false),
  );
  return missing.reduce(insertUnsaved, turns);
}

/**
 * Insert an unsaved answer: in place of its turn if there is one, else at the end.
 * @param {ReadonlyArray<Turn>} turns
 * @param {ReceivedAnswer} received
 */
function insertUnsaved(turns, received) {
  const last = turns.at(-1);
  const isOfLast =
    last !== undefined && !last.answer && (received.question === "" || received.question === last.question);
  const target =
    turns.find((turn) => received.replaces && turn.answer?.requestId === received.replaces) ?? (isOfLast && last);
  const shown = unsavedTurn(received);
  if (!target) return [...turns, shown];
  const { number, question, attachments, at } = target;
  return turns.map((turn) => (turn === target ? { ...shown, number, question, attachments, at } : turn));
}

/** @param {ReadonlyArray<Message>} messages */
function groupByTurn(messages) {
  /** @type {Map<number, Message[]>} */
  const found = new Map();
  for (const message of messages) {
    const group = found.get(message.turn);
    if (group) group.push(message);
    else found.set(message.turn, [message]);
  }
  return found;
}

/** @param {ReadonlyArray<Message>} group @param {ReadonlyArray<ReceivedAnswer>} received @returns {Turn} */
function turnOf(group, received) {
  const question = group.find((message) => message.role === "user");
  const final = group.find((message) => message.role === "assistant" && message.service);
  const intermediate = group.filter((message) => message !== question && message !== final);
  const answer = final && answerOf(final);
  return {
    key: answer?.requestId || `turn ${group[0]?.turn}`,
    number: group[0]?.turn,
    question: question?.content,
    attachments: (question?.attachments ?? []).map(({ name, media_type: type, size }) => ({ name, type, size })),
    at: group[0]?.at ?? "",
    remarks: intermediate.map((step) => step.content).filter((content) => content.trim() !== ""),
    calls: group.flatMap((message) => message.tool_calls),
    answer,
    received: received.find((each) => each.answer.request_id === answer?.requestId)?.answer,
  };
}

/** @param {Message} message @returns {TurnAnswer} */
function answerOf(message) {
  return {
    content: message.content,
    at: message.at,
    model: message.model ?? "",
    service: message.service ?? "",
    rule: message.rule ?? "",
    status: message.status ?? "complete",
    outcome: message.outcome ?? undefined,
    demo: message.demo ?? false,
    requestId: message.request_id ?? "",
  };
}

/** @param {ReceivedAnswer} received @returns {Turn} */
function unsavedTurn({ question, attachments, at, answer }) {
  return {
    key: answer.request_id,
    number: undefined,
    question: question || undefined,
    attachments,
    at,
    remarks: [],
    calls: answer.tool_calls,
    answer: {
      content: answer.content,
      at,
      model: answer.model,
      service: answer.service,
      rule: answer.rule ?? "",
      status: answer.status,
      outcome: answer.outcome,
      demo: answer.demo ?? false,
      requestId: answer.request_id,
    },
    received: answer,
  };
}

/**
 * Messages that were read again, in the place of those of their turns that were saved.
 * @param {ReadonlyArray<Message>} saved
 * @param {ReadonlyArray<Message>} read from the turn `from` to the end
 * @param {number} from
 */
export function mergeMessages(saved, read, from) {
  return [...saved.filter((message) => message.turn < from), ...read];
}
