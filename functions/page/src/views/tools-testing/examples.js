/** The four queries that document 003 tries tools with. */

/** @type {ReadonlyArray<{ title: string, query: string, note: string }>} */
export const EXAMPLES = [
  { title: "Simple Tool Call", query: "What's the weather in Paris?", note: "" },
  { title: "Calculator", query: "Calculate 15% tip on $45", note: "" },
  { title: "Direct Answer Test", query: "What's 2+2?", note: " (test if model uses tool or answers directly)" },
  { title: "RAG Tool", query: "Search for Python decorators in the docs", note: "" },
];
