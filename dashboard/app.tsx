import { Session } from "./session/session.tsx";
import { apiKey } from "./session/api-key.ts";
import { SignIn } from "./session/sign-in.tsx";
import { Shell } from "./shell.tsx";

/** The dashboard: the sign-in form or, with a key, everything else. */
export function App() {
  const key = apiKey.value;
  if (key === null) return <SignIn />;
  // Remounted for another key, so that nothing of one account is left for the next.
  return (
    <Session key={key} apiKey={key}>
      <Shell />
    </Session>
  );
}
