import { Effect, Schema } from "effect"
import { AuditTrail } from "../../Services/Accounts/AuditTrail.ts"
import { RequestTrail } from "../../Services/Accounts/RequestTrail.ts"
import * as Task from "../../Services/Jobs/Task.ts"
import { recurring } from "../Platform/Jobs/Recurring.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"

const keepAuditLog = Task.make("keep_audit_log", { payload: Schema.Struct({}), maxAttempts: 3 })
const keepRequestLog = Task.make("keep_request_log", { payload: Schema.Struct({}), maxAttempts: 3 })

/** Makes the partitions of the coming days, and drops those that are too old. */
export const auditRetention = {
  handler: handle(keepAuditLog, () => Effect.asVoid(Effect.flatMap(AuditTrail, ({ keep }) => keep))),
  recurring: recurring("keep_audit_log", "7 */6 * * *", keepAuditLog, {})
}

export const requestRetention = {
  handler: handle(keepRequestLog, () => Effect.asVoid(Effect.flatMap(RequestTrail, ({ keep }) => keep))),
  recurring: recurring("keep_request_log", "27 */6 * * *", keepRequestLog, {})
}
