import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option, Schedule } from "effect"
import type { Transient } from "../../../Errors.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { makeCounter } from "../../../Services/Core/Counter.ts"
import { Notifications } from "../../../Services/Events/Notifications.ts"
import { type TouchEnd, TouchLedger } from "../../../Services/Outreach/TouchLedger.ts"
import { lockLeads } from "../../Leads/Sql/Schedule.ts"
import { type Locking, makeGroupedTransactions } from "../../Platform/Postgres/grouped/GroupedTransactions.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { suppressDeadAddress } from "../MailSuppression.ts"
import type { MailClaim } from "./ClaimMails.ts"

interface SentMail extends MailClaim {
  readonly response: string | undefined
}

const mostMails = 32

const mails = makeCounter({
  name: "gateway_mails_total",
  help: "Mail by how sending it ended (sent, failed, unknown).",
  label: "outcome",
  known: ["sent", "failed", "unknown"]
})

/** An attempt's outcome must not be lost if the database is briefly unavailable. */
const untilStored = Schedule.intersect(Schedule.recurs(5), Schedule.exponential("100 millis"))

/** Stores that messages were sent, a batch in one transaction. Returns those that had no outcome yet. */
const makeRecordSent = Effect.gen(function* () {
  const sql = yield* SqlClient
  const ledger = yield* TouchLedger

  const recordAll = (sentMails: ReadonlyArray<SentMail>, locking: Locking) =>
    Effect.gen(function* () {
      const areLocked = yield* lockLeads(
        sql,
        sentMails.map(({ accountId, row }) => ({ accountId, leadId: row.lead_id })),
        locking
      )
      const lockedMails = sentMails.filter((_, place) => areLocked[place])
      // A delivered message becomes `sent` even if it was marked unknown or cancelled in between.
      const rows = yield* sql<{ readonly id: number }>`
        update email_message m set status = 'sent', failure_reason = null, sending_claim = null, sent_at = instant(),
          occurred_at = instant(), provider_response = coalesce(sent.response, m.provider_response)
        from unnest(${lockedMails.map(({ accountId }) => accountId)}::bigint[],
          ${lockedMails.map(({ row }) => row.email_message_id)}::bigint[],
          ${lockedMails.map(({ response }) => response ?? null)}::text[]) as sent (account_id, email_message_id, response)
        where m.account_id = sent.account_id and m.email_message_id = sent.email_message_id
          and m.status in ('queued', 'sending', 'unknown', 'cancelled')
        returning m.email_message_id as id`.pipe(fromSql())
      const openIds = new Set(rows.map(({ id }) => id))
      yield* ledger.sent(
        lockedMails.flatMap(({ accountId, row: { email_message_id, lead_id: leadId, message_type, touch_id } }) =>
          leadId !== null && openIds.has(email_message_id)
            ? [{ accountId, leadId, touchId: touch_id, channel: "email" as const, kind: message_type }]
            : []
        )
      )
      return sentMails.map(({ row }, place) =>
        areLocked[place] === true ? Option.some(openIds.has(row.email_message_id)) : Option.none()
      )
    })

  return yield* makeGroupedTransactions({
    name: "sent_mails",
    mostItems: mostMails,
    keyOf: ({ row }: SentMail) => (row.lead_id === null ? `message:${row.email_message_id}` : `lead:${row.lead_id}`),
    write: recordAll
  })
})

/** Stores the outcomes of attempts. */
export const makeMailSettling = Effect.gen(function* () {
  yield* mails.begin
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const ledger = yield* TouchLedger
  const notifications = yield* Notifications
  const recordSent = yield* makeRecordSent

  const record = <A>(statements: Effect.Effect<A, Transient>): Effect.Effect<A, Transient> =>
    Effect.retry(unit.write(statements), untilStored)

  const settleTouch = ({ accountId, row }: MailClaim, end: TouchEnd, reason: string) =>
    row.touch_id === null ? Effect.void : ledger.settle([{ accountId, touchId: row.touch_id, end, reason }])

  /** Ends a message that was not sent. Returns whether this attempt still had the claim. */
  const endUnsent = (
    { accountId, id, row }: MailClaim,
    end: "failed" | "unknown",
    reason: string,
    response?: string
  ): Effect.Effect<boolean, Transient> =>
    sql`
      update email_message set status = ${end}, failure_reason = ${reason}, sending_claim = null, sent_at = null,
        occurred_at = null, provider_response = coalesce(${response ?? null}, provider_response)
      where account_id = ${accountId} and email_message_id = ${row.email_message_id} and status = 'sending'
        and sending_claim = ${id}::uuid
      returning email_message_id`.pipe(
      Effect.map((rows) => rows.length > 0),
      fromSql(),
      Effect.tap((wasOpen) => (wasOpen ? mails.count(end) : Effect.void))
    )

  const putBack = ({ accountId, id, row }: MailClaim, reason: string, response?: string) =>
    sql`
      update email_message set status = 'queued', sending_claim = null, handed_over_at = null, failure_reason = ${reason},
        provider_response = coalesce(${response ?? null}, provider_response)
      where account_id = ${accountId} and email_message_id = ${row.email_message_id} and status = 'sending'
        and sending_claim = ${id}::uuid`.pipe(fromSql(), Effect.asVoid)

  return {
    record,

    sent: (claim: MailClaim, response?: string): Effect.Effect<void, Transient> =>
      recordSent({ ...claim, response }).pipe(
        Effect.retry(untilStored),
        Effect.flatMap((wasOpen) => (wasOpen ? mails.count("sent") : Effect.void))
      ),

    failed: (claim: MailClaim, reason: string, response: string | undefined, isAddressDead = false) =>
      record(
        Effect.gen(function* () {
          const { accountId, row } = claim
          if (!(yield* endUnsent(claim, "failed", reason, response))) return
          yield* settleTouch(claim, "failed", reason)
          // A dead address of the owner does not affect mail to leads.
          if (isAddressDead && row.lead_id !== null) {
            yield* suppressDeadAddress(sql, notifications, { accountId, plan: row.plan }, row.to_address)
          }
        })
      ),

    unknown: (claim: MailClaim) =>
      record(
        Effect.gen(function* () {
          const reason = "outcome_unknown"
          if (yield* endUnsent(claim, "unknown", reason)) yield* settleTouch(claim, "unknown", reason)
        })
      ),

    /** The message was not sent. Its task will retry. */
    backToQueue: (claim: MailClaim, reason: string, response?: string) => record(putBack(claim, reason, response))
  }
})
