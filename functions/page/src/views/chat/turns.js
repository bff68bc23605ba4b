/** Turns of a conversation: the session's messages merged with the answers of this visit. */

/** @typedef {import("../../api/routes.js").Schemas} Schemas */
/** @typedef {Schemas["SessionMessageView"]} Message */
/** @typedef {Schemas["ChatResponse"]} Answer */
/** @typedef {Schemas["ToolCallView"]} Call */
/** @typedef {import("./attachments.js").Shown} Shown */

/**
 * Answer received during this visit, with timings, documents and explanation, which sessions do not store. `replaces` is
 * the request id of the partial answer that it continues, empty for a new message; `place` is the turn whose place its
 * turn takes, 0 for none. `stopped` answers have the text alone, until the session has them.
 * @typedef {{ session: string, question: string, attachments: ReadonlyArray<Shown>, at: string, replaces: string,
 *   place: number, stopped: boolean, answer: Answer }} ReceivedAnswer
 */

/**
 * A user message with its answer. `remarks` are texts of the model beside its calls; `answer` is missing while pending;
 * `received` is missing for answers of earlier visits, `number` for turns that the session does not have. `siblings` are
 * the turns of all versions of the message, empty where there is one.
 * @typedef {{ key: string, number: number | undefined, question: string | undefined,
 *   attachments: ReadonlyArray<Shown>, at: string, siblings: ReadonlyArray<number>,
 *   remarks: ReadonlyArray<string>, calls: ReadonlyArray<Call>, answer: TurnAnswer | undefined,
 *   received: Answer | undefined }} Turn
 */

/**
 * Time, model calls, tokens and cost of an answer.
 * @typedef {{ ms: number, modelCalls: number, usage: Schemas["UsageView"] }} Totals
 */

/**
 * Answers of earlier versions have no `totals`.
 * @typedef {{ content: string, at: string, model: string, service: string, rule: string, status: Answer["status"],
 *   outcome: import("../../outcome.js").OutcomeName | undefined, demo: boolean, requestId: string, chosenRule: boolean,
 *   chosenModel: boolean, totals?: Totals | undefined }} TurnAnswer `chosenRule` and `chosenModel`: the caller chose them
 */

/**
 * Turns of the session, then answers of this visit that the session does not have yet.
 * @param {ReadonlyArray<Message>} messages the oldest first
 * @param {ReadonlyArray<ReceivedAnswer>} received those of this session, the oldest first
 * @param {number} [known] number of turns, of all branches, that the session had when its messages were read
 * @returns {ReadonlyArray<Turn>}
 */
export function buildTurns(messages, received, known = 0) {
  const turns = [...groupByTurn(messages).values()].map((group) => turnOf(group, received));
  const saved = new Set(turns.map((turn) => turn.answer?.requestId));
  const newest = received.findLastIndex(({ answer }) => saved.has(answer.request_id));
  const missing = received.filter(({ answer }, at) => {
    if (saved.has(answer.request_id)) return false;
    const number = answer.session?.turn;
    // An answer of another branch is in the session, but not among these messages.
    return answer.session?.saved === false || (typeof number === "number" ? number > known : at > newest);
  });
  return missing.reduce(insertUnsaved, turns);
}

/**
 * The turns before the one whose place another takes; all of them for 0.
 * @param {ReadonlyArray<Turn>} turns
 * @param {number} place
 */
export function turnsBefore(turns, place) {
  const at = place === 0 ? -1 : turns.findIndex(({ number }) => number === place);
  return at < 0 ? turns : turns.slice(0, at);
}

/**
 * Insert an unsaved answer: in place of its turn if there is one, else at the end.
 * @param {ReadonlyArray<Turn>} turns
 * @param {ReceivedAnswer} received
 */
function insertUnsaved(turns, received) {
  if (received.place > 0) return [...turnsBefore(turns, received.place), unsavedTurn(received)];
  const last = turns.at(-1);
  const isOfLast =
    last !== undefined && !last.answer && (received.question === "" || received.question === last.question);
  const target =
    turns.find((turn) => received.replaces && turn.answer?.requestId === received.replaces) ?? (isOfLast && last);
  const shown = unsavedTurn(received);
  if (!target) return [...turns, shown];
  const { number, question, attachments, at } = target;
  const { siblings } = target;
  return turns.map((turn) => (turn === target ? { ...shown, number, question, attachments, at, siblings } : turn));
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
    attachments: (question?.attachments ?? []).map(({ id, name, media_type: type, size }) => ({
      name,
      type,
      size,
      ...(id && { id }),
    })),
    at: group[0]?.at ?? "",
    siblings: question?.siblings ?? [],
    remarks: intermediate.map((step) => step.content).filter((content) => content.trim() !== ""),
    calls: group.flatMap((message) => message.tool_calls),
    answer,
    received: received.find((each) => !each.stopped && each.answer.request_id === answer?.requestId)?.answer,
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
    chosenRule: Boolean(message.chosen_rule),
    chosenModel: Boolean(message.chosen_model),
    ...(message.usage && {
      totals: { ms: message.duration_ms ?? 0, modelCalls: message.model_calls ?? 0, usage: message.usage },
    }),
  };
}

/** Totals of an answer: those of this visit, or those that the session has. @param {TurnAnswer} answer @param {Answer | undefined} received */
export function totalsOf(answer, received) {
  if (!received) return answer.totals;
  const { usage, timings } = received;
  return { ms: timings.total_ms, modelCalls: timings.steps.filter(({ step }) => step === "model").length, usage };
}

/** @param {ReceivedAnswer} received @returns {Turn} */
function unsavedTurn({ question, attachments, at, stopped, answer }) {
  return {
    key: answer.request_id,
    number: undefined,
    question: question || undefined,
    attachments,
    at,
    siblings: [],
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
      chosenRule: false,
      chosenModel: false,
    },
    received: stopped ? undefined : answer,
  };
}
