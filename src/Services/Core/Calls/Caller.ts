import { Context } from "effect"
import type { AccessTokenId, AccountId, Plan } from "../../Accounts/Ids.ts"

/** The account that an effect acts for. It is provided per request. */
export class Caller extends Context.Tag("Caller")<
  Caller,
  {
    readonly accountId: AccountId
    readonly plan: Plan
    readonly tokenId: AccessTokenId | undefined
    /** The value of the answer's `X-Request-Id` header, or the job's id. */
    readonly requestId: string
    /** Kinds of background jobs that the token may see and cancel. If undefined, all kinds. */
    readonly jobKinds?: ReadonlyArray<string> | undefined
  }
>() {
  /** Acts as the account without a token: a background task, a command, a public page. */
  static readonly forTask = (accountId: AccountId, plan: Plan, requestId: string): Caller["Type"] =>
    Caller.of({ accountId, plan, tokenId: undefined, requestId })
}
