import { useState } from "react";

import { TokenError } from "@/auth/errors";
import { Banner } from "./Banner.jsx";
import Field from "./Field";

interface LoginFormProps {
  onLogin(token: string): void;
}

/** Asks for a token and shows why it was refused. */
export function LoginForm({ onLogin }: LoginFormProps) {
  const [token, setToken] = useState("");
  const [problem, setProblem] = useState("");

  function submit() {
    try {
      onLogin(token);
    } catch (error) {
      setProblem(describe(error));
    }
  }

  return (
    <form onSubmit={submit}>
      <Banner text={problem} />
      <Field label="Token" value={token} onChange={setToken} />
      <button type="submit">Sign in</button>
    </form>
  );
}

function describe(error: unknown): string {
  return error instanceof TokenError && error.reason === "expired" ? "Please sign in again." : "This token is not valid.";
}
