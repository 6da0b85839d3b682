import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Option } from "effect"
import { notFound, type Refused, refused } from "../../../Errors.ts"
import { Blacklist } from "../../../Services/Blacklist/Blacklist.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { TaskQueue } from "../../../Services/Jobs/TaskQueue.ts"
import type { LeadId } from "../../../Services/Leads/Ids.ts"
import { placeVoiceCall } from "../../../Services/Outreach/OutreachTasks.ts"
import { tidyText } from "../../../Services/Text/PlainText.ts"
import { callablePhone } from "../../../Services/Voice/CallablePhone.ts"
import {
  dialJobKey,
  maximumOpenCalls,
  maximumOpenSimulations,
  type QueuedVoiceCall,
  type SimulatedCallView,
  type StagedCall,
  type VoiceCallKind,
  type VoiceCallRequestId,
  VoiceCallSummary,
  VoiceCalls,
  VoiceCallView
} from "../../../Services/Voice/VoiceCalls.ts"
import { isForbiddenOwnPhone } from "../../Accounts/Sql.ts"
import { countBlockOf } from "../../Blacklist/Sql.ts"
import { lockAccount } from "../../Platform/Postgres/AccountLock.ts"
import { makeAccountSeal } from "../../Platform/Postgres/AccountSeal.ts"
import { selectedColumns } from "../../Platform/Postgres/ColumnChanges.ts"
import { outsideTransaction } from "../../Platform/Postgres/OutsideTransaction.ts"
import { fromSql, single } from "../../Platform/Postgres/Sql.ts"

const computed = {
  phone_number: "phone",
  mode: "case when provider is null then null when provider = 'sandbox' then 'sandbox' else 'live' end"
}
const summary = selectedColumns(VoiceCallSummary, undefined, computed)
const view = selectedColumns(VoiceCallView, undefined, computed)

const blacklisted = refused(
  "phone_blacklisted",
  "phone_number is on the blacklist: it is never called.",
  "Take it off with remove_blacklisted_phone if it was blocked by mistake."
)
const unsubscribed = (leadId: LeadId): Refused =>
  refused(
    "lead_unsubscribed",
    "phone_number belongs to a lead that asked not to be contacted again.",
    "Respect the wish; the platform contacts the lead on no channel.",
    { lead_id: leadId }
  )
const tooMany = refused(
  "too_many_open_calls",
  `The account has ${maximumOpenCalls} calls that are queued or under way.`,
  "Wait until some of them have ended; list_voice_calls shows them."
)

const tooManySimulations = refused(
  "too_many_open_calls",
  `The account has ${maximumOpenSimulations} simulated calls that have not ended yet.`,
  "Wait until get_voice_simulation_status says that they are finished."
)

interface Lead {
  readonly lead_id: LeadId
  readonly is_unsubscribed: boolean
}

interface NewCall {
  readonly kind: VoiceCallKind | "simulation"
  readonly phone: string
  readonly leadId: LeadId | null
  readonly touchId: number | null
  readonly goal: string
  readonly context: string | null
  readonly openingLine: string | null
  readonly staged?: StagedCall
}

const ownPhonesOff = refused(
  "calls_to_account_off",
  "The agent may not call the phones of the account itself.",
  "Allow it with set_agent_phone_call_permission, then repeat the call."
)

const makeCallServices = Effect.gen(function* () {
  const sql = yield* SqlClient
  const queue = yield* TaskQueue
  const blacklist = yield* Blacklist
  const seal = yield* makeAccountSeal
  return { blacklist, queue, seal, sql }
})
type CallServices = Effect.Effect.Success<typeof makeCallServices>

const makeCallQueue = ({ queue, seal, sql }: CallServices) => {
  const enqueue = Effect.fnUntraced(function* (call: NewCall) {
    const { accountId } = yield* Caller
    const reference = yield* seal.reference(accountId)
    const rows = yield* sql<QueuedVoiceCall>`
      insert into voice_call (client_reference, account_id, lead_id, touch_id, kind, phone, goal, context, opening_line,
        staged)
      values (${reference}, ${accountId}, ${call.leadId}, ${call.touchId}, ${call.kind}, ${call.phone}, ${tidyText(call.goal)},
        ${call.context === null ? null : tidyText(call.context)},
        ${call.openingLine === null ? null : tidyText(call.openingLine)},
        ${call.staged === undefined ? null : JSON.stringify(call.staged)}::jsonb)
      returning voice_call_request_id, phone as phone_number, status, created_at`.pipe(fromSql())
    const queued = single(rows)
    const voiceCallRequestId = queued.voice_call_request_id
    yield* queue.enqueue(
      placeVoiceCall,
      { accountId, voiceCallRequestId },
      { jobKey: dialJobKey(accountId, voiceCallRequestId) }
    )
    return queued
  })

  /** The lead with this phone number, with or without the ninth digit of Brazilian mobile numbers. */
  const leadWith = Effect.fnUntraced(function* (phone: string) {
    const { accountId } = yield* Caller
    const leads = yield* sql<Lead>`
      select lead_id, unsubscribed_at is not null as is_unsubscribed from lead
      where account_id = ${accountId} and phone = any (array[${phone}::text,
        regexp_replace(${phone}::text, '^(\\+55[1-9][0-9])9([6-9][0-9]{7})$', '\\1\\2')])
      order by unsubscribed_at nulls last, lead_id limit 1`.pipe(fromSql())
    return leads[0]
  })

  return { enqueue, leadWith }
}
type CallQueue = ReturnType<typeof makeCallQueue>

const placeCalls = (
  { blacklist, sql }: CallServices,
  { enqueue, leadWith }: CallQueue
): Pick<typeof VoiceCalls.Service, "placeGoalDriven" | "queueForLead" | "placeSimulated"> => ({
  placeGoalDriven: Effect.fn("VoiceCalls.placeGoalDriven")(function* ({ context, goal, phone: rawPhone }) {
    const { accountId } = yield* Caller
    const phone = yield* callablePhone(rawPhone)
    if (yield* isForbiddenOwnPhone(sql, accountId, phone)) return yield* ownPhonesOff
    if (Option.isSome(yield* blacklist.blockedBy({ email: null, phone }))) {
      // The refusal rolls the transaction back.
      yield* outsideTransaction(countBlockOf(sql, accountId, { phone }))
      return yield* blacklisted
    }
    const lead = yield* leadWith(phone)
    if (lead?.is_unsubscribed === true) return yield* unsubscribed(lead.lead_id)
    // Calls of one account are queued one after another, so that their number stays within the limit.
    yield* lockAccount(sql, accountId, "voice_calls")
    const open = yield* sql<{ readonly count: number }>`
      select count(*) from voice_call where account_id = ${accountId} and kind = 'goal_driven'
        and status in ('queued', 'dialing', 'in_progress') and finished_at is null`.pipe(fromSql())
    if (single(open).count >= maximumOpenCalls) return yield* tooMany
    return yield* enqueue({
      kind: "goal_driven",
      phone,
      leadId: lead?.lead_id ?? null,
      touchId: null,
      goal,
      context,
      openingLine: null
    })
  }),

  queueForLead: Effect.fn("VoiceCalls.queueForLead")(function* ({ leadId, ...call }) {
    const { accountId } = yield* Caller
    const leads = yield* sql<{ readonly phone: string | null }>`
      select phone from lead where account_id = ${accountId} and lead_id = ${leadId}`.pipe(fromSql())
    const lead = leads[0]
    if (lead === undefined) return yield* notFound("lead", "lead_id", leadId)
    if (lead.phone === null) {
      return yield* refused("no_contact", "The lead has no phone number.", "Contact it on another channel.", {
        lead_id: leadId
      })
    }
    const queued = yield* enqueue({ ...call, kind: "prospecting", leadId, phone: lead.phone })
    return queued.voice_call_request_id
  }),

  placeSimulated: Effect.fn("VoiceCalls.placeSimulated")(function* ({ goal, openingLine, phone, staged }) {
    const { accountId } = yield* Caller
    yield* lockAccount(sql, accountId, "voice_calls")
    const open = yield* sql<{ readonly count: number }>`
      select count(*) from voice_call where account_id = ${accountId} and kind = 'simulation'
        and status in ('queued', 'dialing', 'in_progress') and finished_at is null`.pipe(fromSql())
    if (single(open).count >= maximumOpenSimulations) return yield* tooManySimulations
    return yield* enqueue({
      kind: "simulation",
      phone,
      leadId: null,
      touchId: null,
      goal,
      context: null,
      openingLine,
      staged
    })
  })
})

const readCalls = ({
  sql
}: CallServices): Pick<typeof VoiceCalls.Service, "getSimulated" | "get" | "listGoalDriven"> => ({
  getSimulated: Effect.fn("VoiceCalls.getSimulated")(function* (id: VoiceCallRequestId) {
    const { accountId } = yield* Caller
    const rows = yield* sql<SimulatedCallView>`
      select voice_call_request_id, goal, opening_line, status, was_picked_up, goal_achieved, summary, failure_reason,
        duration_seconds, ${sql.literal(computed.mode)} as mode, cost_brl, transcript, created_at, dialed_at, finished_at
      from voice_call
      where account_id = ${accountId} and voice_call_request_id = ${id} and kind = 'simulation'`.pipe(fromSql())
    return rows[0] ?? (yield* notFound("simulation call", "call_id", id))
  }),

  get: Effect.fn("VoiceCalls.get")(function* (id: VoiceCallRequestId) {
    const { accountId } = yield* Caller
    const rows = yield* sql<VoiceCallView>`
      select ${sql.literal(view)} from voice_call
      where account_id = ${accountId} and voice_call_request_id = ${id} and kind <> 'simulation'`.pipe(fromSql())
    return rows[0] ?? (yield* notFound("voice call", "voice_call_request_id", id))
  }),

  listGoalDriven: Effect.fn("VoiceCalls.listGoalDriven")(function* ({ page, pageSize }) {
    const { accountId } = yield* Caller
    const calls = yield* sql<VoiceCallSummary>`
      select ${sql.literal(summary)} from voice_call where account_id = ${accountId} and kind = 'goal_driven'
      order by voice_call_request_id desc limit ${pageSize} offset ${page * pageSize}`
    const totals = yield* sql<{ readonly total: number }>`
      select count(*) as total from voice_call where account_id = ${accountId} and kind = 'goal_driven'`
    return { calls, total: single(totals).total }
  }, fromSql())
})

const make = Effect.gen(function* () {
  const services = yield* makeCallServices
  const callQueue = makeCallQueue(services)

  return VoiceCalls.of({
    ...placeCalls(services, callQueue),
    ...readCalls(services)
  })
})

export const VoiceCallsPostgres = Layer.effect(VoiceCalls, make)
