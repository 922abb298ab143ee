import { useState } from "react";

import { Api } from "./api";
import { validateToken } from "./auth/login";

/** The whole page: who is signed in, and a button. */
export function App({ token }: { token: string }) {
  const [answer, setAnswer] = useState("");
  const api = new Api(token);

  return (
    <main>
      <SignedIn subject={validateToken(token).subject} />
      <button onClick={() => api.refresh().then(setAnswer)}>Refresh</button>
      <p>{answer}</p>
    </main>
  );
}

const SignedIn = ({ subject }: { subject: string }) => <p>Signed in as {subject}</p>;
