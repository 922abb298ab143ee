import { validateToken } from "auth/login";

/** Talks to the backend on behalf of one token. */
export class Api {
  constructor(private readonly token: string) {}

  /** Asks for a refresh; the answer is the backend's text. */
  async refresh(): Promise<string> {
    validateToken(this.token);
    const answer = await this.send("/jobs");
    return answer.text();
  }

  private send(path: string): Promise<Response> {
    return fetch(path, { method: "POST", headers: { "X-Token": this.token } });
  }
}
