import { isDeepStrictEqual as isEqual } from "node:util"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { notFound } from "../../Errors.ts"
import { withOtherInstructions } from "../../Services/ChatApp/ChatAppParking.ts"
import { ChatAppQueue } from "../../Services/ChatApp/ChatAppQueue.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import type { WaitingFacts } from "../../Services/Leads/LeadBlocks.ts"
import type { LeadPipelineView } from "../../Services/Leads/LeadModel.ts"
import { type LeadOperation, type LeadState, transition, transitionRefused } from "../../Services/Leads/LeadPipeline.ts"
import type { Leads, OperationDetails } from "../../Services/Leads/Leads.ts"
import { MailQueue } from "../../Services/Mail/MailQueue.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { wakeDispatcher } from "../Prospecting/Sql.ts"
import {
  type ContactFactsRow,
  contactFacts,
  contactState,
  type StateRow,
  stateColumns,
  stateOf,
  waitingFacts
} from "./LeadFacts.ts"
import { countChanged, countedColumns } from "./Sql/Counters.ts"
import { recordLeadChange } from "./Sql.ts"

/** The columns of an operation's answer that are not part of the state. */
type AnswerColumns = Pick<
  LeadPipelineView,
  "status" | "paused_at" | "pause_reason" | "next_touch_at" | "next_touch_instructions"
>
interface LeadRow extends AnswerColumns, StateRow, ContactFactsRow, Omit<WaitingFacts, "next_touch_at"> {}

const answerColumns = "l.status, l.paused_at, l.pause_reason, l.next_touch_at, l.next_touch_instructions"

const lock = (sql: SqlClient, accountId: number, leadId: LeadId) => sql<LeadRow>`
    select ${sql.literal(`${stateColumns}, ${contactFacts}, ${waitingFacts}, ${answerColumns}`)}
    from lead l join account a on a.account_id = l.account_id
      left join campaign c on c.account_id = l.account_id and c.campaign_id = l.campaign_id and c.archived_at is null
    where l.account_id = ${accountId} and l.lead_id = ${leadId} for update of l`

const reschedule = (
  sql: SqlClient,
  accountId: number,
  leadId: LeadId,
  { nextTouchAt, nextTouchInstructions }: OperationDetails
) =>
  sql<AnswerColumns>`
      update lead l set next_touch_at = coalesce(${nextTouchAt ?? null}, next_touch_at, instant()),
        touch_count = 0,
        next_touch_wished_at = coalesce(${nextTouchAt ?? null}, next_touch_wished_at),
        next_touch_instructions = coalesce(${nextTouchInstructions ?? null}, next_touch_instructions)
      where account_id = ${accountId} and lead_id = ${leadId}
      returning ${sql.literal(answerColumns)}`

interface StateChange {
  readonly before: LeadState
  readonly after: LeadState
  readonly event: string
  /** True if the owner changes the lead, false if the engine does. */
  readonly isByHand: boolean
}

/** The status that a won deal replaced. Null if a status was set since then, because that one stays. */
const statusBeforeWon = (sql: SqlClient, accountId: number, leadId: LeadId) => sql`(
  select w.data ->> 'status_before' from lead_lifecycle_event w
  where w.account_id = ${accountId} and w.lead_id = ${leadId} and w.event_type = 'outcome_won' and w.data ? 'status_before'
    and not exists (select from lead_lifecycle_event s where s.account_id = ${accountId} and s.lead_id = ${leadId}
      and s.event_type = 'status_changed' and s.lead_lifecycle_event_id > w.lead_lifecycle_event_id)
  order by w.lead_lifecycle_event_id desc limit 1)`

const write = (
  sql: SqlClient,
  accountId: number,
  leadId: LeadId,
  { after, before, event, isByHand }: StateChange,
  details: OperationDetails
) => {
  const { actor = "owner", data = {}, nextTouchAt, nextTouchInstructions, reason } = details
  const enters = after.pipeline === "in_pipeline" && before.pipeline !== "in_pipeline"
  const leaves = after.pipeline === "user_controlled" || after.pipeline === "finished"
  const isWon = after.outcome === "won" && before.outcome !== "won"
  const isNoLongerWon = before.outcome === "won" && after.outcome !== "won"
  const text = reason ?? null
  const pauseReason = before.isPaused ? sql`pause_reason` : text
  const reviewReason = before.pipeline === "pending_review" ? sql`review_reason` : text
  return sql<AnswerColumns>`
      with before as (
        select ${sql.literal(countedColumns("l"))} from lead l
        where l.account_id = ${accountId} and l.lead_id = ${leadId} for update
      ), changed as (
        update lead l set pipeline_state = ${after.pipeline},
          status = case when ${isWon} then 'Closed'
            when ${isNoLongerWon} and l.status = 'Closed' then coalesce(${statusBeforeWon(sql, accountId, leadId)}, l.status)
            else l.status end,
          final_outcome = ${after.outcome ?? null},
          is_taken_over = ${after.pipeline === "user_controlled"} and (is_taken_over or ${isByHand}),
          paused_at = case when ${after.isPaused} then coalesce(paused_at, instant()) end,
          pause_reason = case when ${after.isPaused} then ${pauseReason} end,
          unsubscribed_at = case when ${after.isUnsubscribed} then coalesce(unsubscribed_at, instant()) end,
          review_requested_at = case when ${after.pipeline === "pending_review"}
            then coalesce(review_requested_at, instant()) end,
          review_reason = case when ${after.pipeline === "pending_review"}
            then ${reviewReason} end,
          next_touch_at = case when ${leaves} then null
            else coalesce(${nextTouchAt ?? null}, case when ${enters} then instant() else next_touch_at end) end,
          next_touch_wished_at = coalesce(${nextTouchAt ?? null}, next_touch_wished_at),
          next_touch_instructions = coalesce(${nextTouchInstructions ?? null}, next_touch_instructions),
          touch_count = case when ${event === "returned_to_pipeline"} then 0 else touch_count end
        from before where l.account_id = ${accountId} and l.lead_id = before.lead_id
        returning ${sql.literal(`${countedColumns("l")}, l.paused_at, l.pause_reason, l.next_touch_at, l.next_touch_instructions`)}
      ), ${sql.literal(countChanged)}, ${sql.literal(recordLeadChange("changed"))}, recorded as (
        insert into lead_lifecycle_event (account_id, lead_id, event_type, actor, from_state, to_state, reason, data)
        select ${accountId}, ${leadId}, ${event}, ${actor}, ${before.pipeline}, ${after.pipeline}, ${text},
          ${JSON.stringify(data)}::jsonb || case when ${isWon} then jsonb_build_object('status_before', b.status) else '{}' end
        from before b
      )
      select status, paused_at, pause_reason, next_touch_at, next_touch_instructions from changed`
}

/** Returns the lead's pipeline as answers show it. */
const viewOf = (state: LeadState, columns: AnswerColumns, row: LeadRow) => ({
  status: columns.status,
  pipeline_state: state.pipeline,
  is_paused: state.isPaused,
  paused_at: columns.paused_at,
  pause_reason: columns.pause_reason,
  final_outcome: state.outcome ?? null,
  next_touch_at: columns.next_touch_at,
  next_touch_instructions: columns.next_touch_instructions,
  ...contactState(state, row, { ...row, next_touch_at: columns.next_touch_at })
})

/** True if the owner, rather than the engine, takes the lead over by this operation. */
const isOwnersOperation = (operation: LeadOperation, { actor = "owner" }: OperationDetails): boolean =>
  (operation === "take_over" || operation === "send_message") && actor === "owner"

const withMergedInstructions = (details: OperationDetails, present: string | null): OperationDetails =>
  details.nextTouchInstructions === undefined
    ? details
    : { ...details, nextTouchInstructions: withOtherInstructions(present, details.nextTouchInstructions) }

/** True if the details change the next touch of a lead in the pipeline, even if its state stays the same. */
const setsNextTouch = (
  operation: LeadOperation,
  { nextTouchAt, nextTouchInstructions }: OperationDetails,
  { next_touch_at }: AnswerColumns
): boolean =>
  nextTouchAt !== undefined ||
  nextTouchInstructions !== undefined ||
  // A lead at the end of its cadence starts again.
  (operation === "return_to_pipeline" && next_touch_at === null)

/** Makes `Leads.transition`: lock, decide, write. */
export const makeTransition: Effect.Effect<
  typeof Leads.Service.transition,
  never,
  SqlClient | MailQueue | ChatAppQueue
> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const mails = yield* MailQueue
  const chats = yield* ChatAppQueue
  return Effect.fn("Leads.transition")(function* (leadId, operation, details = {}) {
    const { accountId } = yield* Caller
    const row = (yield* lock(sql, accountId, leadId).pipe(fromSql()))[0]
    if (row === undefined) return yield* notFound("lead", "lead_id", leadId)
    const before = stateOf(row)
    const decision = transition(before, operation)
    if (decision._tag === "Refused") return yield* transitionRefused(decision.reason, leadId)

    const after = decision.state
    const isByHand = isOwnersOperation(operation, details)
    // Taking over a lead that a meeting already handed over changes nothing else.
    if (decision._tag !== "Applied" && isByHand && after.pipeline === "user_controlled") {
      yield* sql`
          update lead set is_taken_over = true
          where account_id = ${accountId} and lead_id = ${leadId} and not is_taken_over`.pipe(fromSql())
    }
    const mergedDetails = withMergedInstructions(details, row.next_touch_instructions)
    if (decision._tag === "Applied" && after.pipeline === "finished") {
      // The check before each send stops the platform's messages. The owner's own queued messages would still go out.
      yield* mails.cancelOwnersOwn(accountId, leadId)
      yield* chats.cancelOwnersOwn(accountId, leadId)
    }
    const rows: ReadonlyArray<AnswerColumns> =
      decision._tag === "Applied"
        ? yield* write(sql, accountId, leadId, { before, after, event: decision.event, isByHand }, mergedDetails).pipe(
            fromSql()
          )
        : after.pipeline === "in_pipeline" && setsNextTouch(operation, details, row)
          ? yield* reschedule(sql, accountId, leadId, mergedDetails).pipe(fromSql())
          : [row]
    const { next_touch_at, next_touch_instructions, pause_reason, paused_at, status } = single(rows)
    const isDue = rows[0] !== row && after.pipeline === "in_pipeline" && !after.isPaused
    if (isDue) yield* wakeDispatcher(sql, accountId, next_touch_at)
    const keepsDate = next_touch_at === row.next_touch_at
    const view = viewOf(
      after,
      { next_touch_at, next_touch_instructions, pause_reason, paused_at, status },
      {
        ...row,
        is_date_of_owner: details.nextTouchAt !== undefined || (row.is_date_of_owner && keepsDate),
        is_date_of_reply: row.is_date_of_reply && keepsDate
      }
    )
    // An applied operation is added to the history even if the lead's state stays the same.
    const isChanged = decision._tag === "Applied" || !isEqual(view, viewOf(before, row, row))
    return { lead_id: leadId, changed: isChanged, ...view }
  })
})
