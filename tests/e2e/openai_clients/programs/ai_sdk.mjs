// The Vercel AI SDK with its provider for OpenAI-compatible servers.

import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, stepCountIs, streamObject, streamText, tool } from "ai";
import { z } from "zod";

import { KEY, MODEL, PICTURE, PICTURE_QUESTION, QUESTION, STOCK_QUESTION, URL, getStock, run } from "./cases.mjs";

const service = createOpenAICompatible({ name: "flexchat", baseURL: URL, apiKey: KEY, includeUsage: true });
const model = service(MODEL);

async function chat() {
    const answer = await generateText({ model, prompt: QUESTION, maxRetries: 0 });
    return { text: answer.text, finish: answer.finishReason, tokens: answer.usage.totalTokens };
}

async function stream() {
    const pieces = [];
    const errors = [];
    const answer = streamText({ model, prompt: QUESTION, maxRetries: 0, onError: ({ error }) => errors.push(error) });
    for await (const piece of answer.textStream) pieces.push(piece);
    if (errors.length) throw errors[0];
    return { text: pieces.join(""), pieces: pieces.length, tokens: (await answer.usage).totalTokens };
}

async function client_tool() {
    const calls = [];
    const get_stock = tool({
        description: "Get the stock",
        inputSchema: z.object({ item: z.string() }),
        execute: (args) => {
            calls.push("get_stock");
            return getStock(args);
        },
    });
    const options = { tools: { get_stock }, stopWhen: stepCountIs(3), maxRetries: 0 };
    const answer = await generateText({ model, prompt: STOCK_QUESTION, ...options });
    return { text: answer.text, calls };
}

const schema = z.object({ total: z.number(), text: z.string() });

async function structured() {
    const strict = createOpenAICompatible({ name: "flexchat", baseURL: URL, apiKey: KEY, supportsStructuredOutputs: true });
    const partial = [];
    const answer = streamObject({ model: strict(MODEL), prompt: QUESTION, schema, maxRetries: 0 });
    for await (const piece of answer.partialObjectStream) partial.push(piece);
    return { ...(await answer.object), pieces: partial.length };
}

async function picture() {
    const content = [
        { type: "text", text: PICTURE_QUESTION },
        { type: "image", image: PICTURE },
    ];
    const answer = await generateText({ model, messages: [{ role: "user", content }], maxRetries: 0 });
    return { text: answer.text };
}

async function wrong_model() {
    return (await generateText({ model: service("absent"), prompt: QUESTION, maxRetries: 0 })).text;
}

await run({ chat, stream, client_tool, structured, picture, wrong_model, wrong_key: chat });
