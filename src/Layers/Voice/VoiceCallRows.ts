import { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import { Effect, Option } from "effect"
import type { AccountId, Plan } from "../../Services/Accounts/Ids.ts"
import type { CampaignId } from "../../Services/Campaigns/Ids.ts"
import type { Timestamp } from "../../Services/Core/Timestamp.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import type { TouchId } from "../../Services/Outreach/TouchLedger.ts"
import type { Language } from "../../Services/Text/Language.ts"
import type { CallReference, CallResult, VoiceProvider } from "../../Services/Voice/Voice.ts"
import type { StagedCall, VoiceCallKind, VoiceCallRequestId, VoiceCallStatus } from "../../Services/Voice/VoiceCalls.ts"
import { makeAccountSeal } from "../Platform/Postgres/AccountSeal.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"

export interface VoiceCallKey {
  readonly accountId: AccountId
  readonly voiceCallRequestId: VoiceCallRequestId
}

/** A call with what its making and its end depend on. */
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
  /** Since the first attempt to dial it. */
  readonly dialedSeconds: number | null
  /** The last attempt. */
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
  l.country as "leadCountry", l.state as "leadState",
  l.campaign_id as "campaignId"`

/** How many calls one look at the table takes up. */
const sweepSize = 500

/** The statements on `voice_call` that bring a call from its queue to its end. */
export const makeVoiceCallRows = Effect.gen(function* () {
  const sql = yield* SqlClient
  const seal = yield* makeAccountSeal
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

  /** Locks as all that change leads and what is sent to them: the lead, then its call, then what the call takes. */
  const hold = (where: Fragment) =>
    sql`
      select from voice_call v join lead l on l.account_id = v.account_id and l.lead_id = v.lead_id
      where ${where} for update of l`.pipe(fromSql(), Effect.zipRight(select(where, sql`for update of v`)))

  const keys = (where: Fragment) =>
    sql<VoiceCallKey & { readonly dialRequest: VoiceCallRow["dialRequest"] }>`
      select v.account_id as "accountId", v.voice_call_request_id as "voiceCallRequestId",
        v.dial_request as "dialRequest"
      from voice_call v where ${where} order by v.created_at limit ${sweepSize}`.pipe(fromSql())

  return {
    read: (key: VoiceCallKey) => select(of(key), sql``),
    /** Holds the row, and its lead's, until the transaction ends. */
    lock: (key: VoiceCallKey) => hold(of(key)),
    lockByReference: Effect.fnUntraced(function* (provider: VoiceProvider, reference: CallReference) {
      const owner = yield* seal.accountOfReference(reference)
      if (Option.isNone(owner)) return undefined
      return yield* hold(
        sql`v.account_id = ${owner.value} and v.client_reference = ${reference} and v.provider = ${provider}`
      )
    }),
    /** For notices that say no reference: whose call it is, is looked for in all accounts. */
    lockByProviderId: Effect.fnUntraced(function* (provider: VoiceProvider, providerCallId: string) {
      const found = yield* sql<VoiceCallKey>`
        select account_id as "accountId", voice_call_request_id as "voiceCallRequestId" from voice_call
        where provider = ${provider} and provider_call_id = ${providerCallId}`.pipe(fromSql())
      return found[0] === undefined ? undefined : yield* hold(of(found[0]))
    }),

    /** Takes the number for the call, or says that another one, of whichever account, has it. */
    takeNumber: Effect.fnUntraced(function* (key: VoiceCallKey, phone: string) {
      const holders = yield* sql<VoiceCallKey>`
        insert into dialed_number as n (phone_key, account_id, voice_call_request_id)
        values (phone_key(${phone}), ${key.accountId}, ${key.voiceCallRequestId})
        on conflict (phone_key) do update set account_id = n.account_id
        returning account_id as "accountId", voice_call_request_id as "voiceCallRequestId"`.pipe(fromSql())
      const holder = single(holders)
      if (holder.accountId === key.accountId && holder.voiceCallRequestId === key.voiceCallRequestId) return true
      // The row is locked now. Its call may have gone without giving it back: an erased lead's does.
      const underWay = yield* sql`
        select from voice_call v where ${of(holder)} and v.status in ('dialing', 'in_progress')`.pipe(fromSql())
      if (underWay.length > 0) return false
      yield* sql`
        update dialed_number set account_id = ${key.accountId}, voice_call_request_id = ${key.voiceCallRequestId}
        where phone_key = phone_key(${phone})`.pipe(fromSql())
      return true
    }),

    /** From here on the call may have been made, whatever becomes of this process. */
    begin: (key: VoiceCallKey, provider: VoiceProvider) =>
      update(
        key,
        sql`status = 'dialing', dial_request = 'begun', provider = ${provider}, failure_reason = null,
          dialed_at = coalesce(v.dialed_at, instant()), begun_at = instant()`
      ),
    recordRefused: (key: VoiceCallKey, reason: string) =>
      update(key, sql`dial_request = 'refused', failure_reason = ${reason}`),
    recordPlaced: (key: VoiceCallKey, providerCallId: string, spokenText: string | null) =>
      update(
        key,
        sql`dial_request = 'placed', provider_call_id = ${providerCallId}, spoken_text = ${spokenText},
          failure_reason = null`
      ),
    recordSpoken: (key: VoiceCallKey, spokenText: string) => update(key, sql`spoken_text = ${spokenText}`),
    recordAnswered: (key: VoiceCallKey) => update(key, sql`status = 'in_progress'`),
    end: (key: VoiceCallKey & Pick<VoiceCallRow, "phone">, result: CallResult, costBrl: number | null) =>
      Effect.zipRight(
        sql`
          delete from dialed_number n where n.phone_key = phone_key(${key.phone}) and n.account_id = ${key.accountId}
            and n.voice_call_request_id = ${key.voiceCallRequestId}`.pipe(fromSql()),
        update(
          key,
          sql`status = ${result.status}, failure_reason = ${result.failureReason}, was_picked_up = ${result.wasPickedUp},
          goal_achieved = ${result.goalAchieved}, summary = ${result.summary},
          transcript = ${JSON.stringify(result.transcript)}::jsonb, duration_seconds = ${result.durationSeconds},
          cost_brl = ${costBrl}, finished_at = instant()`
        )
      ),

    /** Which of the provider's calls belong to orders already. */
    known: (provider: VoiceProvider, providerCallIds: ReadonlyArray<string>) =>
      sql<{ readonly id: string }>`
        select provider_call_id as id from voice_call
        where provider = ${provider} and provider_call_id = any (${providerCallIds}::text[])`.pipe(
        fromSql(),
        Effect.map((rows) => new Set(rows.map(({ id }) => id)))
      ),

    /** The call that has waited longest for the number; another account's first, so that none has it to itself. */
    nextWaiting: ({ accountId, phone }: Pick<VoiceCallRow, "accountId" | "phone">) =>
      sql<VoiceCallKey>`
        select account_id as "accountId", voice_call_request_id as "voiceCallRequestId" from voice_call
        where phone_key(phone) = phone_key(${phone}) and status = 'queued'
        order by account_id = ${accountId}, voice_call_request_id limit 1`.pipe(
        fromSql(),
        Effect.map((rows) => rows[0])
      ),

    silent: (seconds: number) =>
      keys(
        sql`v.status in ('dialing', 'in_progress') and v.dialed_at < instant() - make_interval(secs => ${seconds})
          and is_on_clock(v.account_id)`
      ),
    waiting: (seconds: number) =>
      keys(
        sql`v.status = 'queued' and v.created_at < instant() - make_interval(secs => ${seconds})
          and is_on_clock(v.account_id)`
      )
  }
})

export type VoiceCallRows = Effect.Effect.Success<typeof makeVoiceCallRows>
