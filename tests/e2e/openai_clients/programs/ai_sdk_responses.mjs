// The Vercel AI SDK with its provider for OpenAI, whose default is the Responses API with stored items.

import { createOpenAI } from "@ai-sdk/openai";
import { generateObject, generateText, stepCountIs, tool } from "ai";
import { z } from "zod";

import { KEY, MODEL, QUESTION, STOCK_QUESTION, URL, getStock, run } from "./cases.mjs";

const service = createOpenAI({ baseURL: URL, apiKey: KEY });

async function chat() {
    const answer = await generateText({ model: service(MODEL), prompt: QUESTION, maxRetries: 0 });
    return { text: answer.text, tokens: answer.usage.totalTokens };
}

// A conversation whose earlier answers and calls are sent as references to stored items.
async function three_turns() {
    const get_stock = tool({
        description: "Get the stock",
        inputSchema: z.object({ item: z.string() }),
        execute: getStock,
    });
    const messages = [];
    const texts = [];
    for (const content of [QUESTION, STOCK_QUESTION, "What is 10% of 90?"]) {
        messages.push({ role: "user", content });
        const options = { tools: { get_stock }, stopWhen: stepCountIs(3), maxRetries: 0 };
        const answer = await generateText({ model: service(MODEL), messages, ...options });
        messages.push(...answer.response.messages);
        texts.push(answer.text);
    }
    return { texts };
}

async function structured() {
    const schema = z.object({ total: z.number(), text: z.string() });
    return (await generateObject({ model: service(MODEL), prompt: QUESTION, schema, maxRetries: 0 })).object;
}

async function wrong_model() {
    return (await generateText({ model: service("absent"), prompt: QUESTION, maxRetries: 0 })).text;
}

await run({ chat, three_turns, structured, wrong_model, wrong_key: chat });
