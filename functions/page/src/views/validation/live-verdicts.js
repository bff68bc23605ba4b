/** Verdicts of a running validation run: models with new ones, and merging. */

/** @typedef {import("../../api/routes.js").Schemas} Schemas */
/** @typedef {Schemas["ValidationRunView"]} Run */
/** @typedef {Schemas["RecordView"]} Verdict */

/** Overlap of reads: a model's history may lag behind the counts of the run. */
const OVERLAP = 10;
const PAGE = 100;
const SHOWN = 100;

/**
 * Models with new verdicts, and how many to read. A run lists its verdicts by case, so new ones may be on any of its pages;
 * a model's history is newest first.
 * @param {Run | undefined} before
 * @param {Run} now
 * @returns {{ model: string, limit: number }[]}
 */
export function modelsWithNewVerdicts(before, now) {
  return now.models.flatMap(({ model, done }) => {
    const shown = before?.models.find((each) => each.model === model)?.done ?? 0;
    return done > shown ? [{ model, limit: Math.min(PAGE, done - shown + OVERLAP) }] : [];
  });
}

/** Unique key of a verdict. @param {Verdict} verdict */
export function verdictKey({ run, model, case: name, repeat, request_id }) {
  return `${run} ${model} ${name} ${repeat} ${request_id}`;
}

/** True if the case was executed; skipped verdicts add nothing to the counts. @param {Verdict} verdict */
export function wasExecuted({ result }) {
  return result !== "skipped";
}

/**
 * The latest verdicts of a run without duplicates, newest first.
 * @param {ReadonlyArray<Verdict>} shown
 * @param {ReadonlyArray<Verdict>} read from histories, so of other runs too
 * @param {string} run
 */
export function mergeVerdicts(shown, read, run) {
  const found = new Map(
    [...shown, ...read.filter((each) => each.run === run && wasExecuted(each))].map((each) => [verdictKey(each), each]),
  );
  return [...found.values()].sort((one, other) => other.at.localeCompare(one.at)).slice(0, SHOWN);
}
