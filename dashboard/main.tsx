import "@fontsource-variable/ibm-plex-sans";
import "./styles/tokens.css";
import "./styles/page.css";
import "./styles/wordmark.css";
import "./styles/panels.css";
import "./styles/buttons.css";
import "./styles/badges.css";
import "./styles/overlays.css";
import "./styles/facts.css";
import "./styles/tables.css";
import "./styles/forms.css";
import { render } from "preact";
import { App } from "./app.tsx";

const root = document.querySelector("#app");
if (root === null) throw new Error("The page has no place for the dashboard");
render(<App />, root);
