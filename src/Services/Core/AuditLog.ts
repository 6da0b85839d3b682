import { Context } from "effect"
import type { AccessTokenId, AccountId } from "../Accounts/Ids.ts"
import type { SettingChange } from "./SettingChanges.ts"

/**
 * A finished call of a tool that writes: the tool, the caller, the outcome, and the settings that it changed. It
 * contains no argument values.
 */
export interface AuditEntry {
  /** Unix milliseconds. */
  readonly at: number
  readonly accountId: AccountId
  /** Undefined for calls without a token. */
  readonly tokenId: AccessTokenId | undefined
  readonly requestId: string
  readonly tool: string
  /** Names of the parameters that the call passed. */
  readonly argumentNames: ReadonlyArray<string>
  /** `Success`, an error's type, `Defect` or `Interrupted`. */
  readonly outcome: string
  /** The code of a refusal, in snake_case. */
  readonly reason: string | undefined
  readonly milliseconds: number
  readonly changes: ReadonlyArray<SettingChange>
}

/** Accepts entries without delaying the call. They are stored afterwards. */
export class AuditLog extends Context.Reference<AuditLog>()("AuditLog", {
  defaultValue: () => ({
    record: (_entry: AuditEntry): void => {}
  })
}) {}
