import type { Account } from "../accounts/account.ts";
import type { Dependencies } from "../dependencies.ts";

/** What a handler finds in its context. */
export interface HttpEnv {
  Bindings: Dependencies;
  Variables: {
    /** Set by `authenticate`, and only there: a route that is open to all has none. */
    account: Account;
  };
}
