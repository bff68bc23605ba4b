// The handlers of stream_handlers.py, for aws-lambda-ric.
const open = (stream, metadata) => awslambda.HttpResponseStream.from(stream, metadata);
const end = (stream) => new Promise((resolve) => stream.end(resolve));

const handlers = {
    async pieces(stream) {
        const response = open(stream, { statusCode: 200, headers: { "Content-Type": "text/event-stream" } });
        response.write("data: zwölf\n\n");
        response.write("");
        response.write("data: 2\n\n");
        await end(response);
    },
    async fails_after(stream) {
        const response = open(stream, { statusCode: 200, headers: { "Content-Type": "text/event-stream" } });
        response.write("data: 1\n\n");
        const error = new Error("no such thing");
        error.name = "ValueError";
        throw error;
    },
    async fails_before() {
        const error = new Error("no such thing");
        error.name = "ValueError";
        throw error;
    },
};

export const handler = awslambda.streamifyResponse(async (event, stream) => handlers[event.do](stream));
