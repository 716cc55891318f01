import type { Account } from "../accounts/account.ts";
import type { Dependencies } from "../dependencies.ts";

/** What a handler finds in its context. */
export interface HttpEnv {
  Bindings: Dependencies;
  Variables: {
    /** Set only by `authenticate`: public routes have none. */
    account: Account;
  };
}
