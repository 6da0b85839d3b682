import { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import { Array, Effect, Option, Predicate } from "effect"
import type { AccountId, Plan } from "../../../Services/Accounts/Ids.ts"
import type { CampaignId } from "../../../Services/Campaigns/Ids.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import type { Timestamp } from "../../../Services/Core/Timestamp.ts"
import type { LeadId } from "../../../Services/Leads/Ids.ts"
import type { TouchId } from "../../../Services/Outreach/TouchLedger.ts"
import type { Language } from "../../../Services/Text/Language.ts"
import type { CallReference, CallResult, VoiceProvider } from "../../../Services/Voice/Voice.ts"
import type {
  StagedCall,
  VoiceCallKind,
  VoiceCallRequestId,
  VoiceCallStatus
} from "../../../Services/Voice/VoiceCalls.ts"
import { recordLeadChange } from "../../Leads/Sql.ts"
import { makeAccountSeal } from "../../Platform/Postgres/AccountSeal.ts"
import { makeGroupedReads } from "../../Platform/Postgres/grouped/GroupedReads.ts"
import { fromSql, single } from "../../Platform/Postgres/Sql.ts"

export interface VoiceCallKey {
  readonly accountId: AccountId
  readonly voiceCallRequestId: VoiceCallRequestId
}

/** A call with the facts that its steps need. */
export interface VoiceCallRow extends VoiceCallKey {
  readonly leadId: LeadId | null
  readonly touchId: TouchId | null
  readonly kind: VoiceCallKind | "simulation"
  readonly staged: StagedCall | null
  readonly phone: string
  readonly openingLine: string | null
  readonly goal: string
  readonly context: string | null
  readonly status: VoiceCallStatus
  readonly dialRequest: "begun" | "refused" | "placed" | null
  readonly failureReason: string | null
  readonly reference: CallReference
  readonly provider: VoiceProvider | null
  readonly providerCallId: string | null
  readonly spokenText: string | null
  readonly waitedSeconds: number
  /** Seconds since the first attempt to dial it. */
  readonly dialedSeconds: number | null
  /** The time of the last attempt. */
  readonly begunAt: Timestamp | null
  readonly begunSeconds: number | null
  readonly plan: Plan
  readonly accountName: string
  readonly languageKey: string
  readonly leadName: string | null
  readonly leadCompany: string | null
  readonly leadLanguage: Language | null
  readonly leadCountry: string | null
  readonly leadState: string | null
  readonly leadPhone: string | null
  readonly leadTimeZone: string | null
  readonly accountTimeZone: string
  readonly campaignId: CampaignId | null
}

const columns = `
  v.account_id as "accountId", v.voice_call_request_id as "voiceCallRequestId", v.lead_id as "leadId",
  v.touch_id as "touchId", v.kind, v.staged, v.phone, v.opening_line as "openingLine", v.goal, v.context, v.status,
  v.dial_request as "dialRequest", v.failure_reason as "failureReason", v.client_reference as reference, v.provider,
  v.provider_call_id as "providerCallId", v.spoken_text as "spokenText",
  extract(epoch from instant() - v.created_at)::float8 as "waitedSeconds", v.begun_at as "begunAt",
  extract(epoch from instant() - v.dialed_at)::float8 as "dialedSeconds",
  extract(epoch from instant() - v.begun_at)::float8 as "begunSeconds", a.plan, a.name as "accountName",
  a.language_key as "languageKey", l.name as "leadName", l.company as "leadCompany", l.language as "leadLanguage",
  l.country as "leadCountry", l.state as "leadState", l.phone as "leadPhone", l.time_zone as "leadTimeZone",
  a.time_zone as "accountTimeZone",
  l.campaign_id as "campaignId"`

/** A locked call, with whether its number is on the account's blacklist. */
export interface HeldCall extends VoiceCallRow {
  readonly isBlacklisted: boolean
}

/** An order that the provider accepted. */
export interface PlacedCallKey extends VoiceCallKey {
  readonly providerCallId: string
  readonly spokenText: string | null
}

/** The end of a call, to be stored. */
export interface EndedCall extends VoiceCallKey {
  readonly phone: string
  readonly result: CallResult
  readonly costBrl: number | null
}

const mostReads = 32

/** Calls that one sweep handles. */
const sweepSize = 500

const makeRowServices = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const seal = yield* makeAccountSeal
  return { seal, sql, unit }
})
type RowServices = Effect.Effect.Success<typeof makeRowServices>

const makeCallStatements = ({ sql, unit }: RowServices) => {
  const of = ({ accountId, voiceCallRequestId }: VoiceCallKey): Fragment =>
    sql`v.account_id = ${accountId} and v.voice_call_request_id = ${voiceCallRequestId}`
  const update = (key: VoiceCallKey, set: Fragment) =>
    sql`update voice_call v set ${set} where ${of(key)}`.pipe(Effect.asVoid, fromSql())

  const select = (where: Fragment, lock: Fragment) =>
    sql<VoiceCallRow>`
      select ${sql.literal(columns)} from voice_call v join account a on a.account_id = v.account_id
        left join lead l on l.account_id = v.account_id and l.lead_id = v.lead_id
      where ${where} ${lock}`.pipe(
      fromSql(),
      Effect.map((rows) => rows[0])
    )

  /** Locks the lead before the call, and the call before its number, as in all changes to leads and their messages. */
  const lockOne = (where: Fragment) =>
    sql`
      select from voice_call v join lead l on l.account_id = v.account_id and l.lead_id = v.lead_id
      where ${where} for update of l`.pipe(fromSql(), Effect.zipRight(select(where, sql`for update of v`)))

  const among = (keys: ReadonlyArray<VoiceCallKey>): Fragment =>
    sql`v.account_id = any (${[...new Set(keys.map(({ accountId }) => accountId))]}::bigint[])
      and v.voice_call_request_id = any (${keys.map(({ voiceCallRequestId }) => voiceCallRequestId)}::bigint[])`
  const accountsOf = (keys: ReadonlyArray<VoiceCallKey>): Fragment =>
    sql`${keys.map(({ accountId }) => accountId)}::bigint[]`
  const idsOf = (keys: ReadonlyArray<VoiceCallKey>): Fragment =>
    sql`${keys.map(({ voiceCallRequestId }) => voiceCallRequestId)}::bigint[]`

  const keys = (where: Fragment) =>
    unit
      .acrossAccounts(sql<VoiceCallKey & { readonly dialRequest: VoiceCallRow["dialRequest"] }>`
      select v.account_id as "accountId", v.voice_call_request_id as "voiceCallRequestId",
        v.dial_request as "dialRequest"
      from voice_call v where ${where} order by v.created_at limit ${sweepSize}`)
      .pipe(fromSql())

  /**
   * The call that has waited longest for the phone number. Other accounts have priority, so that one account cannot
   * keep the number busy.
   */
  const nextWaitingFor = ({ accountId, phone }: Pick<VoiceCallRow, "accountId" | "phone">) =>
    unit
      .acrossAccounts(sql<VoiceCallKey>`
      select account_id as "accountId", voice_call_request_id as "voiceCallRequestId" from voice_call
      where phone_key(phone) = phone_key(${phone}) and status = 'queued'
      order by account_id = ${accountId}, voice_call_request_id limit 1`)
      .pipe(
        fromSql(),
        Effect.map((rows) => rows[0])
      )

  /** Releases the phone number if this call has it. */
  const freeNumber = ({ accountId, phone, voiceCallRequestId }: VoiceCallKey & Pick<VoiceCallRow, "phone">) =>
    sql`
      delete from dialed_number n where n.phone_key = phone_key(${phone}) and n.account_id = ${accountId}
        and n.voice_call_request_id = ${voiceCallRequestId}`.pipe(Effect.asVoid, fromSql())

  return { of, update, lockOne, among, accountsOf, idsOf, keys, nextWaitingFor, freeNumber }
}
type CallStatements = ReturnType<typeof makeCallStatements>

const lockCalls = ({ seal, sql }: RowServices, { among, lockOne, of }: CallStatements) => ({
  /** Locks calls whose leads the transaction has locked. Returns them in no particular order. */
  hold: (calls: ReadonlyArray<VoiceCallKey>) =>
    sql<HeldCall>`
      select ${sql.literal(columns)},
        exists (select from blacklist_match(v.account_id, null, v.phone)) as "isBlacklisted"
      from voice_call v join account a on a.account_id = v.account_id
        left join lead l on l.account_id = v.account_id and l.lead_id = v.lead_id
      where ${among(calls)} for update of v`.pipe(fromSql()),

  /** Locks the call and its lead until the transaction ends. */
  lock: (key: VoiceCallKey) => lockOne(of(key)),

  lockByReference: Effect.fnUntraced(function* (provider: VoiceProvider, reference: CallReference) {
    const owner = yield* seal.accountOfReference(reference)
    if (Option.isNone(owner)) return undefined
    return yield* lockOne(
      sql`v.account_id = ${owner.value} and v.client_reference = ${reference} and v.provider = ${provider}`
    )
  }),

  /** Finds and locks the call of a report that lacks the gateway's reference. It is searched in all accounts. */
  lockByProviderId: Effect.fnUntraced(function* (provider: VoiceProvider, providerCallId: string) {
    const matchingCalls = yield* sql<VoiceCallKey>`
      select account_id as "accountId", voice_call_request_id as "voiceCallRequestId" from voice_call
      where provider = ${provider} and provider_call_id = ${providerCallId}`.pipe(fromSql())
    return matchingCalls[0] === undefined ? undefined : yield* lockOne(of(matchingCalls[0]))
  })
})

const dialedNumbers = ({ sql }: RowServices, { accountsOf, idsOf, of }: CallStatements) => ({
  /**
   * Takes a phone number that another call never released, for example because its lead was erased. Returns whether
   * this call has it now.
   */
  takeNumberOver: Effect.fnUntraced(function* (key: VoiceCallKey, phone: string) {
    const holders = yield* sql<VoiceCallKey>`
      insert into dialed_number as n (phone_key, account_id, voice_call_request_id)
      values (phone_key(${phone}), ${key.accountId}, ${key.voiceCallRequestId})
      on conflict (phone_key) do update set account_id = n.account_id
      returning account_id as "accountId", voice_call_request_id as "voiceCallRequestId"`.pipe(fromSql())
    const holder = single(holders)
    if (holder.accountId === key.accountId && holder.voiceCallRequestId === key.voiceCallRequestId) return true
    // The phone number's row is locked from here on.
    const underWay = yield* sql`
      select from voice_call v where ${of(holder)} and v.status in ('dialing', 'in_progress')`.pipe(fromSql())
    if (underWay.length > 0) return false
    yield* sql`
      update dialed_number set account_id = ${key.accountId}, voice_call_request_id = ${key.voiceCallRequestId}
      where phone_key = phone_key(${phone})`.pipe(fromSql())
    return true
  }),

  /** Takes the phone numbers that are free, in a fixed order. Returns the ids of the calls that got theirs. */
  takeNumbers: (calls: ReadonlyArray<VoiceCallKey & Pick<VoiceCallRow, "phone">>) =>
    sql<VoiceCallKey>`
      insert into dialed_number (phone_key, account_id, voice_call_request_id)
      select phone_key(c.phone), c.account_id, c.voice_call_request_id
      from unnest(${calls.map(({ phone }) => phone)}::text[], ${accountsOf(calls)}, ${idsOf(calls)})
        as c (phone, account_id, voice_call_request_id)
      order by 1
      on conflict (phone_key) do nothing
      returning account_id as "accountId", voice_call_request_id as "voiceCallRequestId"`.pipe(
      Effect.map((rows) => new Set(rows.map(({ voiceCallRequestId }) => voiceCallRequestId))),
      fromSql()
    )
})

const recordCalls = ({ sql, unit }: RowServices, { accountsOf, among, freeNumber, idsOf, update }: CallStatements) => ({
  /** After this commits, the calls may have been made, even if the process dies. */
  begin: (calls: ReadonlyArray<VoiceCallKey>, provider: VoiceProvider) =>
    sql`
      update voice_call v set status = 'dialing', dial_request = 'begun', provider = ${provider},
        failure_reason = null, dialed_at = coalesce(v.dialed_at, instant()), begun_at = instant()
      where ${among(calls)}`.pipe(Effect.asVoid, fromSql()),

  /** Returns the ids of the calls that the provider had not reported before. */
  recordPlaced: (calls: ReadonlyArray<PlacedCallKey>) =>
    sql<{ readonly id: VoiceCallRequestId }>`
      update voice_call v set dial_request = 'placed', provider_call_id = p.provider_call_id,
        spoken_text = p.spoken_text, failure_reason = null
      from unnest(${accountsOf(calls)}, ${idsOf(calls)}, ${calls.map(({ providerCallId }) => providerCallId)}::text[],
        ${calls.map(({ spokenText }) => spokenText)}::text[])
        as p (account_id, voice_call_request_id, provider_call_id, spoken_text)
      where v.account_id = p.account_id and v.voice_call_request_id = p.voice_call_request_id
        and v.provider_call_id is null
      returning v.voice_call_request_id as id`.pipe(
      Effect.map((rows) => new Set(rows.map(({ id }) => id))),
      fromSql()
    ),

  end: (calls: ReadonlyArray<EndedCall>) =>
    Effect.zipRight(
      Effect.suspend(() =>
        // On a cluster, numbers may be on different nodes.
        unit.isCluster()
          ? Effect.forEach(calls, freeNumber, { discard: true })
          : sql`
              delete from dialed_number n
              using unnest(${calls.map(({ phone }) => phone)}::text[], ${accountsOf(calls)}, ${idsOf(calls)})
                as c (phone, account_id, voice_call_request_id)
              where n.phone_key = phone_key(c.phone) and n.account_id = c.account_id
                and n.voice_call_request_id = c.voice_call_request_id`.pipe(Effect.asVoid, fromSql())
      ),
      sql`
        with ended as (
        update voice_call v set status = e.status, failure_reason = e.failure_reason,
          was_picked_up = e.was_picked_up, goal_achieved = e.goal_achieved, summary = e.summary,
          transcript = e.transcript::jsonb, duration_seconds = e.duration_seconds, cost_brl = e.cost_brl,
          finished_at = instant()
        from unnest(${accountsOf(calls)}, ${idsOf(calls)}, ${calls.map(({ result }) => result.status)}::text[],
          ${calls.map(({ result }) => result.failureReason)}::text[],
          ${calls.map(({ result }) => result.wasPickedUp)}::boolean[],
          ${calls.map(({ result }) => result.goalAchieved)}::boolean[],
          ${calls.map(({ result }) => result.summary)}::text[],
          ${calls.map(({ result }) => JSON.stringify(result.transcript))}::text[],
          ${calls.map(({ result }) => result.durationSeconds)}::integer[],
          ${calls.map(({ costBrl }) => costBrl)}::numeric[])
          as e (account_id, voice_call_request_id, status, failure_reason, was_picked_up, goal_achieved, summary,
            transcript, duration_seconds, cost_brl)
        where v.account_id = e.account_id and v.voice_call_request_id = e.voice_call_request_id
          returning v.account_id, v.lead_id
        ), changed as (
          select account_id, lead_id from ended where lead_id is not null
        ), ${sql.literal(recordLeadChange("changed"))}
        select from ended`.pipe(Effect.asVoid, fromSql())
    ),

  recordRefused: (key: VoiceCallKey, reason: string) =>
    update(key, sql`dial_request = 'refused', failure_reason = ${reason}`),

  recordSpoken: (key: VoiceCallKey, spokenText: string) => update(key, sql`spoken_text = ${spokenText}`),

  recordAnswered: (key: VoiceCallKey) => update(key, sql`status = 'in_progress'`)
})

const findCalls = ({ sql, unit }: RowServices, { keys, nextWaitingFor }: CallStatements) => ({
  /** Reads which of the provider's calls already belong to orders. */
  known: (provider: VoiceProvider, providerCallIds: ReadonlyArray<string>) =>
    sql<{ readonly id: string }>`
      select provider_call_id as id from voice_call
      where provider = ${provider} and provider_call_id = any (${providerCallIds}::text[])`.pipe(
      fromSql(),
      Effect.map((rows) => new Set(rows.map(({ id }) => id)))
    ),

  /** The calls that have waited longest for the phone numbers of these calls. */
  nextWaiting: (ended: ReadonlyArray<Pick<VoiceCallRow, "accountId" | "phone">>) =>
    Effect.suspend(() =>
      // A cluster cannot join the rows of all accounts to a list.
      unit.isCluster()
        ? Effect.map(Effect.forEach(ended, nextWaitingFor), Array.filter(Predicate.isNotUndefined))
        : sql<VoiceCallKey>`
            select w.account_id as "accountId", w.voice_call_request_id as "voiceCallRequestId"
            from unnest(${ended.map(({ phone }) => phone)}::text[],
              ${ended.map(({ accountId }) => accountId)}::bigint[]) as e (phone, ended_account)
            cross join lateral (
              select v.account_id, v.voice_call_request_id from voice_call v
              where phone_key(v.phone) = phone_key(e.phone) and v.status = 'queued'
              order by v.account_id = e.ended_account, v.voice_call_request_id limit 1
            ) w`.pipe(fromSql())
    ),

  silent: (seconds: number) =>
    keys(
      sql`v.status in ('dialing', 'in_progress') and v.dialed_at < instant() - make_interval(secs => ${seconds})
        and uses_test_clock(v.account_id)`
    ),

  waiting: (seconds: number) =>
    keys(
      sql`v.status = 'queued' and v.created_at < instant() - make_interval(secs => ${seconds})
        and uses_test_clock(v.account_id)`
    )
})

/** The statements on `voice_call` that move a call from the queue to its end. */
export const makeVoiceCallRows = Effect.gen(function* () {
  const services = yield* makeRowServices
  const { sql } = services
  const callStatements = makeCallStatements(services)
  const { among } = callStatements
  const read = yield* makeGroupedReads({
    name: "voice_calls",
    mostKeys: mostReads,
    read: (keys: ReadonlyArray<VoiceCallKey>) =>
      sql<VoiceCallRow>`
        select ${sql.literal(columns)} from voice_call v join account a on a.account_id = v.account_id
          left join lead l on l.account_id = v.account_id and l.lead_id = v.lead_id
        where ${among(keys)}`.pipe(
        Effect.map((rows) => {
          const rowById = new Map(rows.map((row) => [row.voiceCallRequestId, row]))
          return keys.map(({ voiceCallRequestId }) => rowById.get(voiceCallRequestId))
        }),
        fromSql()
      )
  })
  return {
    ...lockCalls(services, callStatements),
    ...dialedNumbers(services, callStatements),
    ...recordCalls(services, callStatements),
    ...findCalls(services, callStatements),
    /** Batched with other reads at about the same time, so not for use inside a transaction. */
    read
  }
})

export type VoiceCallRows = Effect.Effect.Success<typeof makeVoiceCallRows>
