import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Layer } from "effect"
import { type Json, notFound, refused } from "../../Errors.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { fromMillis, type Timestamp, toMillis } from "../../Services/Core/Timestamp.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import { Leads } from "../../Services/Leads/Leads.ts"
import {
  type LeadCheckIns,
  type LeadLifecycleEvent,
  type LeadOutcome,
  Outcomes
} from "../../Services/Outcomes/Outcomes.ts"
import { recoveryTime } from "../../Services/Outcomes/RecoveryTime.ts"
import { tidyText } from "../../Services/Text/PlainText.ts"
import { muteCheckIns } from "../Leads/Sql/CheckIns.ts"
import { recordInHistory } from "../Leads/Sql/History.ts"
import { resumeConversation } from "../Leads/Sql/Schedule.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { wakeDispatcher } from "../Prospecting/Sql.ts"

const valueOnlyForWon = refused(
  "deal_value_only_for_won",
  "deal_value_brl goes with the outcome won only.",
  "Leave deal_value_brl out, or register the outcome won.",
  { parameter: "deal_value_brl" }
)

const final: ReadonlySet<LeadOutcome> = new Set(["won", "lost", "gave_up"])

const cleaned = (value: string | undefined): string | undefined => {
  const cleanText = value === undefined ? "" : tidyText(value).trim()
  return cleanText === "" ? undefined : cleanText
}

interface RecoveryRow {
  readonly lastOutbound: Timestamp | null
  readonly lastInbound: Timestamp | null
  readonly zone: string
  readonly namedDay: string | null
}

interface LastOutcome {
  readonly reason: string | null
  readonly value: number | null
}

/** Returns when the conversation with a lead is resumed. */
const recoveryOf = Effect.fnUntraced(function* (sql: SqlClient, leadId: LeadId) {
  const { accountId } = yield* Caller
  const lead = single(
    yield* sql<RecoveryRow>`
      select l.last_outbound_at as "lastOutbound", l.last_inbound_at as "lastInbound",
        coalesce(l.time_zone, a.time_zone) as zone,
        (select said.day from (
          select m.classification ->> 'returnDate' as day, m.created_at from email_message m
          where m.account_id = l.account_id and m.lead_id = l.lead_id and m.direction = 'inbound'
            and m.classification is not null
          union all
          select c.classification ->> 'returnDate', c.created_at from chatapp_message c
          where c.account_id = l.account_id and c.lead_id = l.lead_id and c.direction = 'inbound'
            and c.classification is not null
        ) said where said.day is not null order by said.created_at desc limit 1) as "namedDay"
      from lead l join account a on a.account_id = l.account_id
      where l.account_id = ${accountId} and l.lead_id = ${leadId}`.pipe(fromSql())
  )
  return fromMillis(
    recoveryTime({
      leadId,
      now: yield* Clock.currentTimeMillis,
      lastOutbound: lead.lastOutbound === null ? undefined : toMillis(lead.lastOutbound),
      lastInbound: lead.lastInbound === null ? undefined : toMillis(lead.lastInbound),
      namedDay: lead.namedDay ?? undefined,
      zone: lead.zone
    })
  )
})

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const leads = yield* Leads

  const lastOutcome = Effect.fnUntraced(function* (leadId: LeadId, outcome: LeadOutcome) {
    const { accountId } = yield* Caller
    const rows = yield* sql<LastOutcome>`
      select reason, (data ->> 'deal_value_brl')::float8 as value from lead_lifecycle_event
      where account_id = ${accountId} and lead_id = ${leadId} and event_type = ${`outcome_${outcome}`}
      order by lead_lifecycle_event_id desc limit 1`.pipe(fromSql())
    return rows[0] ?? { reason: null, value: null }
  })

  const record = (leadId: LeadId, event: string, reason: string | undefined, data: { readonly [key: string]: Json }) =>
    Effect.flatMap(Caller, ({ accountId }) =>
      recordInHistory(sql, { accountId, leadId, event, actor: "owner", reason: reason ?? null, data })
    )

  return Outcomes.of({
    register: Effect.fn("Outcomes.register")(function* (leadId, { dealValueBrl, outcome, reason: rawReason }) {
      if (dealValueBrl !== undefined && outcome !== "won") return yield* valueOnlyForWon
      const reason = cleaned(rawReason)
      const data = dealValueBrl === undefined ? {} : { deal_value_brl: dealValueBrl }
      const lead = yield* leads.transition(leadId, `register_${outcome}`, { reason, data })
      const answer = { outcome, is_final: final.has(outcome), lead }
      if (lead.changed) return { ...answer, reason: reason ?? null, deal_value_brl: dealValueBrl ?? null }

      const previous = yield* lastOutcome(leadId, outcome)
      const value = dealValueBrl ?? previous.value
      const isCorrected = value !== previous.value || (reason !== undefined && reason !== previous.reason)
      if (isCorrected) {
        yield* record(
          leadId,
          `outcome_${outcome}`,
          reason ?? previous.reason ?? undefined,
          value === null ? {} : { deal_value_brl: value }
        )
      }
      return {
        ...answer,
        lead: { ...lead, changed: isCorrected },
        reason: reason ?? previous.reason,
        deal_value_brl: value
      }
    }),

    recover: Effect.fn("Outcomes.recover")(function* (leadId, ownerContext) {
      const { accountId } = yield* Caller
      const context = cleaned(ownerContext)
      const [before] = yield* sql<{ readonly isInPipeline: boolean; readonly context: string | null }>`
        select pipeline_state = 'in_pipeline' as "isInPipeline", owner_context as context from lead
        where account_id = ${accountId} and lead_id = ${leadId} for update`.pipe(fromSql())
      const isInPipeline = before?.isInPipeline === true
      const lead = yield* leads.transition(leadId, "recover", { reason: context })
      if (isInPipeline && context === undefined) return lead
      const at = yield* recoveryOf(sql, leadId)
      // An empty context also resumes the conversation.
      yield* resumeConversation(sql, { accountId, leadId }, context ?? "", { at, restartsCount: !isInPipeline })
      yield* wakeDispatcher(sql, accountId, at)
      if (!isInPipeline) return { ...lead, next_touch_at: at }
      const resumed = { ...lead, next_touch_at: lead.next_touch_at ?? at }
      if (context === before?.context) return { ...resumed, changed: lead.next_touch_at === null }
      yield* record(leadId, "context_added", context, {})
      return { ...resumed, changed: true }
    }),

    history: Effect.fn("Outcomes.history")(function* (leadId, limit) {
      const { accountId } = yield* Caller
      const leadRows = yield* sql<{ readonly total: number }>`
        select (select count(*) from lead_lifecycle_event e where e.account_id = l.account_id and e.lead_id = l.lead_id)
          as total
        from lead l where account_id = ${accountId} and lead_id = ${leadId}`.pipe(fromSql())
      const total = leadRows[0]?.total
      if (total === undefined) return yield* notFound("lead", "lead_id", leadId)
      const events = yield* sql<LeadLifecycleEvent>`
        select lead_lifecycle_event_id, event_type, actor, from_state, to_state, reason, data, created_at
        from lead_lifecycle_event where account_id = ${accountId} and lead_id = ${leadId}
        order by lead_lifecycle_event_id desc limit ${limit}`.pipe(fromSql())
      return { events, total }
    }),

    muteCheckIns: Effect.fn("Outcomes.muteCheckIns")(function* (leadId, { reason, snoozeDays }) {
      const { accountId } = yield* Caller
      const isMuted = snoozeDays === undefined
      const rows = yield* muteCheckIns<LeadCheckIns>(sql, { accountId, leadId }, snoozeDays)
      if (rows.length === 0) return yield* notFound("lead", "lead_id", leadId)
      yield* record(
        leadId,
        isMuted ? "check_ins_muted" : "check_ins_snoozed",
        cleaned(reason),
        isMuted ? {} : { snooze_days: snoozeDays }
      )
      return single(rows)
    })
  })
})

export const OutcomesPostgres = Layer.effect(Outcomes, make)
