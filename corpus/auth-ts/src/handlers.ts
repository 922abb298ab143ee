import { statusOf, type Claims } from "#auth";
import type { Request } from "@/auth";
import type SessionBook from "@/session/book";
import { readCookie } from "./legacy/cookie.js";

/** The routes of the service, by name. */
export const handlers = {
  login(book: SessionBook, request: Request): number {
    try {
      book.login(readCookie(request.headers.cookie, "token"));
      return 200;
    } catch (error) {
      return statusOf(error);
    }
  },

  me: (_request: Request, claims: Claims): number => (claims.isHuman() ? 200 : forbidden()),

  logout: function (book: SessionBook, request: Request): number {
    return book.logout(readCookie(request.headers.cookie, "session")) ? 200 : 404;
  },
};

function forbidden(): number {
  return 403;
}
