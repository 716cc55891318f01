import "./sign-in.css";
import { useState } from "preact/hooks";
import { answerTo, createFerry } from "../../client/ferry-client.ts";
import { textOf } from "../elements/form-text.ts";
import { Notice } from "../elements/notice.tsx";
import { Wordmark } from "../elements/wordmark.tsx";
import { problemSentence } from "../server/problem.ts";
import { keepApiKey, refusal } from "./api-key.ts";

/** Asks for the API key and stores it only once the service has accepted it. */
export function SignIn() {
  const [isChecking, setChecking] = useState(false);

  async function signIn(form: HTMLFormElement): Promise<void> {
    const key = textOf(new FormData(form), "api_key");
    setChecking(true);
    refusal.value = null;
    try {
      await answerTo(createFerry({ baseUrl: location.origin, apiKey: headerText(key) }).GET("/usage"));
      keepApiKey(key);
    } catch (error) {
      refusal.value = problemSentence(error instanceof Error ? error : new Error(String(error)));
      setChecking(false);
    }
  }

  return (
    <main class="sign-in">
      <form
        class="sign-in-card"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isChecking) void signIn(event.currentTarget);
        }}
      >
        <h1>
          <Wordmark />
        </h1>
        <p class="muted">Media in, finished files out. Sign in with your API key.</p>
        <div class="field">
          <label for="api_key">API key</label>
          <input
            id="api_key"
            name="api_key"
            type="password"
            autocomplete="off"
            spellcheck={false}
            placeholder="sk_…"
            autofocus
            aria-invalid={refusal.value !== null}
            aria-describedby="api-key-note api-key-problem"
          />
        </div>
        <div id="api-key-problem" role="alert">
          {refusal.value !== null && <Notice kind="bad">{refusal.value}</Notice>}
        </div>
        <button type="submit" class="button primary" aria-disabled={isChecking}>
          {isChecking ? "Checking …" : "Open dashboard"}
        </button>
        <p id="api-key-note" class="muted small">
          The key stays in this browser and is only sent to {location.host}.
        </p>
      </form>
    </main>
  );
}

/** A header can only contain Latin-1; anything else is not a valid key either, and the service should say so. */
function headerText(key: string): string {
  return key.replaceAll(/[^\x21-\x7e]/g, "?");
}
