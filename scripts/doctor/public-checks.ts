import { z } from "zod";
import packageFile from "../../package.json" with { type: "json" };
import { fault, type Finding, ok, warning } from "./finding.ts";
import { type Patient, reach } from "./patient.ts";

const documentSchema = z.object({ info: z.object({ version: z.string() }) });
const usageSchema = z.object({ client_name: z.string() });
const secretSchema = z.object({ secret: z.string().startsWith("whsec_") });

/** Whether the edge answers and reaches its database. If not, the other checks are pointless. */
export async function checkEdge({ url, isLocal }: Patient): Promise<Finding> {
  const part = "Edge";
  const reached = await reach(`${url}/health`);
  if ("unreached" in reached) {
    return fault(
      part,
      `${url} does not answer: ${reached.unreached}`,
      isLocal
        ? "Start the system with npm start, or set PORT and STATE_DIR to those of the one that runs."
        : "Is the address right? `wrangler deployments list` says whether the Worker is deployed.",
    );
  }
  const { status } = reached.response;
  const logs = isLocal ? "the logs in STATE_DIR" : "`wrangler tail`";
  if (status === 200) return ok(part, `${url} answers and reaches its database`);
  if (status === 503) {
    return fault(
      part,
      "The edge responds, but does not reach its database",
      `Look for "A request failed" in ${logs}.`,
    );
  }
  if (status === 500) {
    return fault(
      part,
      "The edge answers every request with 500",
      `A setting or a secret is missing or wrong: "The Worker cannot start" in ${logs} names it.`,
    );
  }
  return fault(
    part,
    `${url}/health answers ${status}`,
    "Something other than Ferry responds there: check the address.",
  );
}

/** Whether the deployed version is the one checked out here. */
export async function checkVersion({ url }: Patient): Promise<Finding> {
  const part = "Version";
  const reached = await reach(`${url}/openapi.json`);
  const document = "response" in reached ? documentSchema.safeParse(await jsonOf(reached.response)) : null;
  if (!document?.success) return fault(part, "No OpenAPI document is served", "Deploy the edge again.");
  const { version } = document.data.info;
  if (version === packageFile.version) return ok(part, `${version}, as here`);
  return warning(
    part,
    `The edge is ${version}, this checkout ${packageFile.version}`,
    "Check out the deployed version for a diagnosis that fits, or deploy this one.",
  );
}

/** Whether the key is valid and, using it, whether clients' secrets can be read. */
export async function checkKey({ url, apiKey }: Patient): Promise<Finding[]> {
  const part = "API key";
  const headers = { "x-api-key": apiKey };
  const reached = await reach(`${url}/usage`, { headers });
  if ("unreached" in reached) return [fault(part, reached.unreached, "Run the doctor again.")];
  const { status } = reached.response;
  if (status === 401) {
    return [
      fault(
        part,
        "The key is unknown here",
        "Create one with npm run account -- create, or rotate-key; with --remote for a deployed system.",
      ),
    ];
  }
  const usage = usageSchema.safeParse(await jsonOf(reached.response));
  if (!usage.success) {
    return [
      fault(part, `GET /usage answers ${status}`, "The database lacks tables or refuses: see Migrations."),
    ];
  }
  return [ok(part, `of the account ${usage.data.client_name}`), await checkWebhookSecret(url, headers)];
}

async function checkWebhookSecret(url: string, headers: Record<string, string>): Promise<Finding> {
  const part = "Webhook secret";
  const reached = await reach(`${url}/user/webhook-secret`, { headers });
  const secret = "response" in reached ? secretSchema.safeParse(await jsonOf(reached.response)) : null;
  if (secret?.success) return ok(part, "can be read");
  return fault(
    part,
    "The account's webhook secret cannot be read",
    "ENCRYPTION_KEY is not the one that encrypted it: set the previous one as ENCRYPTION_KEY_PREVIOUS.",
  );
}

/** Null if the response is not JSON. */
function jsonOf(response: Response): Promise<unknown> {
  return response.json().catch(() => null);
}
