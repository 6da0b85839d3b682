import { Context } from "effect"
import type { AccessTokenId, AccountId } from "../Accounts/Ids.ts"

/** A finished call of a tool that writes: what was called, by whom, and how it ended; no value that anybody sent. */
export interface AuditEntry {
  /** Unix milliseconds. */
  readonly at: number
  readonly accountId: AccountId
  /** Undefined where no token was used. */
  readonly tokenId: AccessTokenId | undefined
  readonly requestId: string
  readonly tool: string
  /** Names of the tool's own parameters that the call gave. */
  readonly argumentNames: ReadonlyArray<string>
  /** `Success`, an error's type, `Defect` or `Interrupted`. */
  readonly outcome: string
  /** The code of a refusal, in snake_case. */
  readonly reason: string | undefined
  readonly milliseconds: number
}

/** Takes entries without making the call wait; they are written down behind it. */
export class AuditLog extends Context.Reference<AuditLog>()("AuditLog", {
  defaultValue: () => ({
    record: (_entry: AuditEntry): void => {}
  })
}) {}
