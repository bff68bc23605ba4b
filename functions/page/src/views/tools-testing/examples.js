/** Four example queries, each with the behaviour expected of a model. */

/** @type {ReadonlyArray<{ title: string, query: string, expected: string }>} */
export const EXAMPLES = [
  {
    title: "Simple Tool Call",
    query: "What's the weather in Paris?",
    expected: "One call of the weather tool with Paris as the location, and an answer from its result.",
  },
  {
    title: "Calculator",
    query: "Calculate 15% tip on $45",
    expected: "One call of the calculator, and the answer $6.75.",
  },
  {
    title: "Direct Answer Test",
    query: "What's 2+2?",
    expected: "The answer 4, by the calculator or directly: both are right, and a direct answer is no tool call.",
  },
  {
    title: "RAG Tool",
    query: "Search for Python decorators in the docs",
    expected: "One call of the search tool, and an answer from what it found or that it found nothing.",
  },
];
