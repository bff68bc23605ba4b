/** A conversation as data: messages as turns, and the answers of which this visit knows more than the session. */

/** @typedef {import("../../api/routes.js").Schemas} Schemas */
/** @typedef {Schemas["SessionMessageView"]} Message */
/** @typedef {Schemas["ChatResponse"]} Answer */
/** @typedef {Schemas["ToolCallView"]} Call */

/**
 * An answer that came during this visit: with its timings, documents and explanation, which no session keeps.
 * `replaces` names the request whose partial answer it goes on from, empty for a message of its own.
 * @typedef {{ session: string, question: string, at: string, replaces: string, answer: Answer }} Told
 */

/**
 * One message of the user and all that came of it. `remarks` is what the model wrote beside its calls; `answer` is
 * missing while there is none, `told` where the answer came at another visit, `number` where the session has no such
 * turn.
 * @typedef {{ key: string, number: number | undefined, question: string | undefined, at: string,
 *   remarks: ReadonlyArray<string>, calls: ReadonlyArray<Call>, answer: TurnAnswer | undefined,
 *   told: Answer | undefined }} Turn
 */

/**
 * @typedef {{ content: string, at: string, model: string, service: string, rule: string, status: Answer["status"],
 *   outcome: import("../../outcome.js").OutcomeName | undefined, demo: boolean, requestId: string }} TurnAnswer
 */

/**
 * The turns of a session, and behind them the answers of this visit that it does not have, or not yet.
 * @param {ReadonlyArray<Message>} messages the oldest first
 * @param {ReadonlyArray<Told>} told those of this session, the oldest first
 * @returns {ReadonlyArray<Turn>}
 */
export function turnsOf(messages, told) {
  const turns = [...groups(messages).values()].map((group) => turnOf(group, told));
  const known = new Set(turns.map((turn) => turn.answer?.requestId));
  const newest = told.findLastIndex(({ answer }) => known.has(answer.request_id));
  const missing = told.filter(
    ({ answer }, at) => !known.has(answer.request_id) && (at > newest || answer.session?.saved === false),
  );
  return missing.reduce(withAnswer, turns);
}

/**
 * The turns with an answer that the session does not have: in its place where its turn is known.
 * @param {ReadonlyArray<Turn>} turns
 * @param {Told} told
 */
function withAnswer(turns, told) {
  const last = turns.at(-1);
  const isOfLast = last !== undefined && !last.answer && (told.question === "" || told.question === last.question);
  const own = turns.find((turn) => told.replaces && turn.answer?.requestId === told.replaces) ?? (isOfLast && last);
  const shown = unsaved(told);
  if (!own) return [...turns, shown];
  const { number, question, at } = own;
  return turns.map((turn) => (turn === own ? { ...shown, number, question, at } : turn));
}

/** @param {ReadonlyArray<Message>} messages */
function groups(messages) {
  /** @type {Map<number, Message[]>} */
  const found = new Map();
  for (const message of messages) {
    const group = found.get(message.turn);
    if (group) group.push(message);
    else found.set(message.turn, [message]);
  }
  return found;
}

/** @param {ReadonlyArray<Message>} group @param {ReadonlyArray<Told>} told @returns {Turn} */
function turnOf(group, told) {
  const question = group.find((message) => message.role === "user");
  const given = group.find((message) => message.role === "assistant" && message.service);
  const steps = group.filter((message) => message !== question && message !== given);
  const answer = given && answerOf(given);
  return {
    key: answer?.requestId || `turn ${group[0]?.turn}`,
    number: group[0]?.turn,
    question: question?.content,
    at: group[0]?.at ?? "",
    remarks: steps.map((step) => step.content).filter((content) => content.trim() !== ""),
    calls: group.flatMap((message) => message.tool_calls),
    answer,
    told: told.find((each) => each.answer.request_id === answer?.requestId)?.answer,
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

/** @param {Told} told @returns {Turn} */
function unsaved({ question, at, answer }) {
  return {
    key: answer.request_id,
    number: undefined,
    question: question || undefined,
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
    told: answer,
  };
}

/**
 * Messages that were read again, in the place of those of their turns that were known.
 * @param {ReadonlyArray<Message>} known
 * @param {ReadonlyArray<Message>} read from the turn `from` to the end
 * @param {number} from
 */
export function renewed(known, read, from) {
  return [...known.filter((message) => message.turn < from), ...read];
}
