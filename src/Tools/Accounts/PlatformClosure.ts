import { Effect } from "effect"
import { AccountClosure, AccountClosureView, closureDays } from "../../Services/Accounts/AccountClosure.ts"
import * as Tool from "../Core/Tool.ts"

const closeAccount = Tool.make("close_account", {
  kind: "destructive",
  idempotent: true,
  openWorld: false,
  description: `Closes the account: outreach stops at once, and in ${closureDays} days everything in it is deleted permanently. Until then reopen_account takes it back. Export what you need before. Only a token that no member made can do this.`,
  parameters: {},
  returns: AccountClosureView,
  errors: { Refused: ["owner_token_required"] },
  example: {},
  run: () => Effect.flatMap(AccountClosure, ({ close }) => close)
})

const reopenAccount = Tool.make("reopen_account", {
  kind: "write",
  idempotent: false,
  openWorld: false,
  description: "Takes back close_account. The account stays, and outreach is on again if it was on before.",
  parameters: {},
  returns: AccountClosureView,
  errors: { Refused: ["account_not_closing", "owner_token_required"] },
  example: {},
  run: () => Effect.flatMap(AccountClosure, ({ reopen }) => reopen)
})

/** The tools for closing and reopening an account. */
export const platformClosure = [closeAccount, reopenAccount] as const
