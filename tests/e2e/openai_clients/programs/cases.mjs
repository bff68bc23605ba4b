// Command line of a client's program: `node PROGRAM CASE...`, with OPENAI_BASE_URL and OPENAI_API_KEY; prints JSON.

export const URL = process.env.OPENAI_BASE_URL;
export const KEY = process.env.OPENAI_API_KEY;
export const MODEL = process.env.MODEL ?? "flexchat";

export const QUESTION = "What is 15% of 45?";
export const STOCK_QUESTION = 'How many lamps are there? [demo:call=get_stock {"item": "lamp"}]';
// A picture of 2 by 1 pixels.
export const PICTURE =
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAADUlEQVR4nGP4z8AARAAI/gH/xp559wAAAABJRU5ErkJggg==";
export const PICTURE_QUESTION = "What is in this picture?";
export const STOCK_PARAMETERS = { type: "object", properties: { item: { type: "string" } }, required: ["item"] };

export const getStock = ({ item }) => `12 of ${item}`;

// Prints the results of the cases that the command line names, by their names.
export async function run(cases) {
    const results = {};
    for (const name of process.argv.slice(2)) results[name] = await result(cases[name]);
    console.log(JSON.stringify(results));
}

// Returns the result of a case; of an error its class and its status.
async function result(run) {
    try {
        return await run();
    } catch (error) {
        const status = error.status ?? error.statusCode ?? null;
        return { error: error.constructor.name, status, message: error.message };
    }
}
