/** Types of traces, feedback and usage. */

/** @typedef {import("./routes.js").Schemas} Schemas */
/** @typedef {Schemas["Feedback"]["rating"]} Rating */
/** @typedef {Schemas["TraceUsageView"]} TraceUsage */
/** @typedef {Schemas["TraceSummary"]} TraceSummary */
/** @typedef {Schemas["SpanView"]} Span */
/** @typedef {Schemas["TraceView"]} Trace */
/** @typedef {Schemas["TraceFailureView"]} TraceFailure */
/** @typedef {Schemas["UsageRow"]} UsageRow */
/** @typedef {Schemas["UsageReport"]} UsageReport */
/** @typedef {Schemas["LogLine"]} LogLine */
/** @typedef {Schemas["TraceList"]} TraceList */
/**
 * The used fields of a suite with one case, made of a trace.
 * @typedef {{ name: string, tools: ReadonlyArray<import("../suite.js").MockTool>,
 *   cases: ReadonlyArray<{ id: string, category: string, tools: ReadonlyArray<string>, expect: unknown }> }} CaseSuite
 */
export {};
