import type { Account } from "../accounts/account.ts";
import type { Dependencies } from "../dependencies.ts";
import type { Log } from "../log.ts";

/** What a handler finds in its context. */
export interface HttpEnv {
  Bindings: Dependencies;
  Variables: {
    requestId: string;
    /** Adds the request's id to every line. */
    log: Log;
    /** Set by `authenticate`, and only there: a route that is open to all has none. */
    account: Account;
  };
}
