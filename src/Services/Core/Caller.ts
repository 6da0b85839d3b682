import { Context } from "effect"
import type { AccessTokenId, AccountId, Plan } from "../Accounts/Ids.ts"

/**
 * On whose behalf an effect runs: the one request-scoped service. A tool call has the token's account; a background
 * job has the account that asked for it, and no token.
 */
export class Caller extends Context.Tag("Caller")<
  Caller,
  {
    readonly accountId: AccountId
    readonly plan: Plan
    readonly tokenId: AccessTokenId | undefined
    /** What `X-Request-Id` answers, or the job's id. */
    readonly requestId: string
  }
>() {}
