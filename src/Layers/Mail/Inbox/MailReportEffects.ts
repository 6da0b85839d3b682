import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { Caller } from "../../../Services/Core/Calls/Caller.ts"
import type { Notifications } from "../../../Services/Events/Notifications.ts"
import type { LeadId } from "../../../Services/Leads/Ids.ts"
import type { Leads } from "../../../Services/Leads/Leads.ts"
import { type Bounce, bounceKindFor } from "../../../Services/Mail/MailReports.ts"
import { callOffMeetings } from "../../../Services/Meetings/LeadMeetings.ts"
import type { TouchLedger } from "../../../Services/Outreach/TouchLedger.ts"
import { recordPastChange } from "../../Leads/Sql.ts"
import { fromSql, single } from "../../Platform/Postgres/Sql.ts"
import { suppressAddress, suppressDeadAddress } from "../MailSuppression.ts"
import type { InboxAccount, SentMessage } from "./MailInboxRows.ts"

/** After this many consecutive messages that did not arrive, the address counts as dead. */
const softBouncesInARow = 5

/** Applies the effects of a bounce, in the transaction that stores it. */
export const applyBounce = (
  sql: SqlClient,
  ledger: TouchLedger["Type"],
  notifications: Notifications["Type"],
  account: InboxAccount,
  sent: SentMessage,
  bounce: Bounce
): Effect.Effect<void, Transient> =>
  Effect.gen(function* () {
    const { accountId } = account
    const kind = bounceKindFor({ to: sent.to_address, ownAddresses: account.ownAddresses }, bounce)
    if (kind === undefined) return
    const isMessage = sql`account_id = ${accountId} and email_message_id = ${sent.email_message_id}`
    if (kind === "delayed") {
      yield* sql`update email_message set soft_bounces = soft_bounces + 1 where ${isMessage}`
      return
    }
    const reason = `${kind}_bounce`
    const failed = yield* sql`
      update email_message set status = 'failed', failure_reason = ${reason}, provider_response = ${bounce.diagnostic},
        sending_claim = null, soft_bounces = soft_bounces + ${kind === "soft" ? 1 : 0}
      where ${isMessage} and status in ('sending', 'sent', 'unknown')
      returning email_message_id`
    if (failed.length === 0) return
    if (sent.touch_id !== null) yield* ledger.settle([{ accountId, touchId: sent.touch_id, end: "failed", reason }])
    // The message went to the account's owner.
    if (sent.lead_id === null) return
    yield* recordPastChange(sql, { accountId, leadId: sent.lead_id })
    const isDead =
      kind === "hard" ||
      single(
        yield* sql<{ readonly in_a_row: number }>`
          select count(*) filter (where failure_reason = 'soft_bounce') as in_a_row from (
            select failure_reason from email_message
            where account_id = ${accountId} and lead_id = ${sent.lead_id} and to_address = ${sent.to_address}
              and direction = 'outbound' and status in ('sent', 'failed', 'unknown')
            order by email_message_id desc limit ${softBouncesInARow}
          ) latest`
      ).in_a_row >= softBouncesInARow
    if (isDead) yield* suppressDeadAddress(sql, notifications, account, sent.to_address)
  }).pipe(fromSql())

/** A lead that marks a message as spam gets no more mail. */
export const applyComplaint = (
  sql: SqlClient,
  leads: Leads["Type"],
  account: InboxAccount,
  leadId: LeadId | undefined,
  address: string | undefined
): Effect.Effect<void, Transient, Caller> =>
  Effect.gen(function* () {
    if (address !== undefined) yield* suppressAddress(sql, account.accountId, address, "complaint")
    if (leadId !== undefined) yield* endSubscription(leads, leadId, "complaint")
  })

/** Unsubscribes the lead, if it still exists, and cancels its meetings. */
export const endSubscription = (
  leads: Leads["Type"],
  leadId: LeadId,
  reason: string
): Effect.Effect<void, Transient, Caller> =>
  leads
    .transition(leadId, "unsubscribe", { actor: "lead", reason })
    .pipe(
      Effect.zipRight(callOffMeetings(leadId)),
      Effect.catchTags({ NotFound: () => Effect.void, Refused: (refusal) => Effect.die(refusal) })
    )
