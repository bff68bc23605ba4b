// The openai package for Node.

import OpenAI from "openai";

import { MODEL, PICTURE, PICTURE_QUESTION, QUESTION, STOCK_PARAMETERS, STOCK_QUESTION, getStock, run } from "./cases.mjs";

const client = new OpenAI({ maxRetries: 0 });
const tool = {
    type: "function",
    function: { name: "get_stock", description: "Get the stock", parameters: STOCK_PARAMETERS },
};

async function chat() {
    const answer = await client.chat.completions.create({
        model: MODEL,
        messages: [{ role: "user", content: QUESTION }],
    });
    const [choice] = answer.choices;
    return { text: choice.message.content, finish: choice.finish_reason, tokens: answer.usage.total_tokens };
}

async function stream() {
    const pieces = [];
    const chunks = await client.chat.completions.create({
        model: MODEL,
        messages: [{ role: "user", content: QUESTION }],
        stream: true,
    });
    for await (const chunk of chunks) {
        const text = chunk.choices[0]?.delta.content;
        if (text) pieces.push(text);
    }
    return { text: pieces.join(""), pieces: pieces.length };
}

async function picture() {
    const content = [
        { type: "text", text: PICTURE_QUESTION },
        { type: "image_url", image_url: { url: PICTURE } },
    ];
    const answer = await client.chat.completions.create({ model: MODEL, messages: [{ role: "user", content }] });
    return { text: answer.choices[0].message.content };
}

async function client_tool() {
    const messages = [{ role: "user", content: STOCK_QUESTION }];
    const first = await client.chat.completions.create({ model: MODEL, messages, tools: [tool] });
    const { message } = first.choices[0];
    const [call] = message.tool_calls;
    const result = getStock(JSON.parse(call.function.arguments));
    messages.push(message, { role: "tool", tool_call_id: call.id, content: result });
    const second = await client.chat.completions.create({ model: MODEL, messages, tools: [tool] });
    return { calls: [call.function.name], text: second.choices[0].message.content };
}

async function responses() {
    const answer = await client.responses.create({ model: MODEL, input: QUESTION });
    return { text: answer.output_text, tokens: answer.usage.total_tokens };
}

async function stream_responses() {
    const pieces = [];
    const stream = client.responses.stream({ model: MODEL, input: QUESTION });
    for await (const event of stream) if (event.type === "response.output_text.delta") pieces.push(event.delta);
    const answer = await stream.finalResponse();
    return { text: answer.output_text, pieces: pieces.length, joined: pieces.join("") };
}

async function wrong_model() {
    return client.chat.completions.create({ model: "absent", messages: [{ role: "user", content: QUESTION }] });
}

await run({ chat, stream, client_tool, picture, responses, stream_responses, wrong_model, wrong_key: chat });
