/** Example queries with the expected behavior of a model. */

/** @type {ReadonlyArray<{ title: string, query: string, expected: string }>} */
export const EXAMPLES = [
  {
    title: "Simple tool call",
    query: "What's the weather in Paris?",
    expected: "One call of the weather tool with Paris as the location, and an answer based on its result.",
  },
  {
    title: "Calculator",
    query: "Calculate 15% tip on $45",
    expected: "One call of the calculator, and the answer $6.75.",
  },
  {
    title: "Direct answer",
    query: "What's 2+2?",
    expected: "The answer 4, with the calculator or directly. A direct answer is recorded as no tool call.",
  },
  {
    title: "RAG tool",
    query: "Search for Python decorators in the docs",
    expected: "One call of the search tool, and an answer based on the results, or that there are none.",
  },
];
