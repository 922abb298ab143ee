import { createServer } from "node:http";

import { MemoryStore } from "@acme/store";
import { AuthGuard, KeySet, checkSignature } from "@/auth";
import config from "@/config";
import { handlers } from "@/handlers";
import Book from "@/session/book";

function start(): void {
  const keys = KeySet.load(config.keyFile);
  const book = new Book(new MemoryStore(), keys);
  const me = new AuthGuard(keys).wrap(handlers.me);

  const server = createServer((incoming, answer) => {
    const request = { path: incoming.url ?? "/", headers: incoming.headers as Record<string, string | undefined> };
    answer.statusCode = request.path === "/login" ? handlers.login(book, request) : me(request);
    answer.end();
  });
  server.listen(config.port);
}

if (process.argv[2] === "check") {
  console.log(checkSignature(process.argv[3] ?? "", KeySet.load(config.keyFile)).subject);
} else {
  start();
}
