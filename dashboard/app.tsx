import { Session } from "./session/session.tsx";
import { apiKey } from "./session/api-key.ts";
import { SignIn } from "./session/sign-in.tsx";
import { Shell } from "./shell.tsx";

/** The dashboard: the question for the key, or with one everything else. */
export function App() {
  const key = apiKey.value;
  if (key === null) return <SignIn />;
  // Another key begins anew: nothing of one account is left for the next.
  return (
    <Session key={key} apiKey={key}>
      <Shell />
    </Session>
  );
}
