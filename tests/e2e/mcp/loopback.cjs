// Loaded before a server that listens on all interfaces: it listens on 127.0.0.1, and prints its address.
const net = require("node:net");

const listen = net.Server.prototype.listen;
net.Server.prototype.listen = function (port, ...rest) {
    this.once("listening", () => console.log(JSON.stringify({ url: `http://127.0.0.1:${this.address().port}/mcp` })));
    return listen.call(this, { port: Number(port), host: "127.0.0.1" }, ...rest.filter((item) => typeof item === "function"));
};
