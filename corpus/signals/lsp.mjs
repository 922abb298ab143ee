// Opens files in a language server and prints every textDocument/publishDiagnostics that it sends until it falls silent.
//
//   node lsp.mjs array|lines SERVER ARGUMENT... -- FILE...        (in the project's folder)
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const SILENCE_MS = 8000;
const LANGUAGES = { ts: "typescript", rs: "rust" };

const [shape, ...rest] = process.argv.slice(2);
const split = rest.indexOf("--");
const [server, ...args] = rest.slice(0, split);
const files = rest.slice(split + 1);

const child = spawn(server, args, { stdio: ["pipe", "pipe", "ignore"] });
const published = [];
let input = Buffer.alloc(0);
let timer;

function send(message) {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

function open(file) {
  const languageId = LANGUAGES[file.split(".").pop()];
  const textDocument = { uri: pathToFileURL(file).href, languageId, version: 1, text: readFileSync(file, "utf8") };
  send({ method: "textDocument/didOpen", params: { textDocument } });
}

function receive(message) {
  if (message.method === "textDocument/publishDiagnostics") {
    published.push(message);
  } else if (message.id === 1 && !message.method) {
    send({ method: "initialized", params: {} });
    files.forEach(open);
  } else if (message.method && message.id !== undefined) {
    // A server that asks for its settings gets the defaults.
    const result = message.method === "workspace/configuration" ? message.params.items.map(() => null) : null;
    send({ id: message.id, result });
  }
}

function finish() {
  const texts = published.map((message) => JSON.stringify(message, null, shape === "array" ? 1 : undefined));
  console.log(shape === "array" ? `[\n${texts.join(",\n")}\n]` : texts.join("\n"));
  child.kill();
}

child.stdout.on("data", (data) => {
  clearTimeout(timer);
  timer = setTimeout(finish, SILENCE_MS);
  input = Buffer.concat([input, data]);
  for (;;) {
    const end = input.indexOf("\r\n\r\n");
    if (end < 0) return;
    const length = Number(/Content-Length: (\d+)/i.exec(input.toString("latin1", 0, end))[1]);
    if (input.length < end + 4 + length) return;
    receive(JSON.parse(input.toString("utf8", end + 4, end + 4 + length)));
    input = input.subarray(end + 4 + length);
  }
});

const capabilities = { textDocument: { publishDiagnostics: { relatedInformation: true, codeDescriptionSupport: true } } };
send({ id: 1, method: "initialize", params: { processId: process.pid, rootUri: pathToFileURL(process.cwd()).href, capabilities } });
