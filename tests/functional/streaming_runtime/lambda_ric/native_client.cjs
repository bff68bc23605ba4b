// JavaScript in place of the package's native client, which needs a C++ compiler and sends no streamed response.
"use strict";
const Module = require("node:module");
const resolve = Module._resolveFilename;
const unused = (name) => () => {
    throw new Error(`a streamed response does not use ${name}() of the native client`);
};
const client = { next: unused("next"), done: unused("done"), error: unused("error") };
Module._resolveFilename = (request, ...rest) =>
    request === "./rapid-client.node" ? __filename : resolve(request, ...rest);
module.exports = client;
