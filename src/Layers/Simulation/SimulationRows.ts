import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { notFound, type Transient } from "../../Errors.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import type { ServiceMode } from "../../Services/Core/Outside/IntegrationModes.ts"
import type { Timestamp } from "../../Services/Core/Timestamp.ts"
import type { SimulationLeadId } from "../../Services/Simulation/Ids.ts"
import type { SimulatedEffect } from "../../Services/Simulation/SimulatedLead.ts"
import type { SimulatingAccount, SimulationSoFar } from "../../Services/Simulation/SimulatedTurn.ts"
import {
  maximumSimulations,
  readingView,
  type SimulatedMessage,
  type SimulationView
} from "../../Services/Simulation/Simulation.ts"
import type { VoiceCallRequestId } from "../../Services/Voice/VoiceCalls.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"

/** A stored simulation, with the version that the next turn must match. */
export interface StoredSimulation extends SimulationSoFar {
  readonly simulation_lead_id: SimulationLeadId
  readonly campaign: string | null
  readonly voice_call_request_id: VoiceCallRequestId | null
  readonly version: number
  readonly created_at: Timestamp
  readonly finished_at: Timestamp | null
}

interface Row extends Omit<StoredSimulation, "messages" | "effects"> {
  readonly messages: ReadonlyArray<SimulatedMessage>
  readonly effects: ReadonlyArray<SimulatedEffect>
}

const timestamp = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`

/** Turns from before reasons were stored only list the sources that were used. */
const ofEarlierTurns = { score: null, is_used: true, why: "supports_the_message" } as const

export const viewOf = (
  simulation: StoredSimulation,
  mode: ServiceMode,
  notApplied: SimulationView["not_applied"]
): SimulationView => ({
  simulationLeadId: simulation.simulation_lead_id,
  finished: simulation.finished_at !== null,
  mode,
  campaign_id: simulation.campaign_id,
  campaign: simulation.campaign,
  lead: { ...simulation.profile, ...simulation.state },
  transcript: simulation.messages.map((message) => ({
    ...message,
    reading: message.reading === null ? null : readingView(message.reading),
    rests_on: message.rests_on.map((source) => ({ ...ofEarlierTurns, ...source }))
  })),
  agent_silent_reason: simulation.silent_reason,
  effects: simulation.effects,
  not_applied: notApplied,
  created_at: simulation.created_at,
  finished_at: simulation.finished_at
})

/** The statements on the tables of simulations. */
export const makeSimulationRows = Effect.map(SqlClient, (sql) => {
  const find = Effect.fnUntraced(function* (id: SimulationLeadId) {
    const { accountId } = yield* Caller
    const rows = yield* sql<Row>`
      select s.simulation_lead_id, s.campaign_id, s.profile, s.state, s.silent_reason, s.voice_call_request_id,
        s.version, s.created_at, s.finished_at,
        (select c.name from campaign c where c.account_id = s.account_id and c.campaign_id = s.campaign_id) as campaign,
        coalesce((select json_agg(json_build_object('sequence', m.sequence, 'channel', m.channel, 'author', m.author,
            'message_type', m.message_type, 'subject', m.subject, 'body', m.body,
            'at', ${sql.literal(timestamp("m.at"))}, 'reading', m.reading, 'rests_on', m.rests_on) order by m.sequence)
          from simulation_message m
          where m.account_id = s.account_id and m.simulation_lead_id = s.simulation_lead_id), '[]') as messages,
        coalesce((select json_agg(json_build_object('kind', e.kind, 'detail', e.detail,
            'at', ${sql.literal(timestamp("e.at"))}) order by e.sequence)
          from simulation_effect e
          where e.account_id = s.account_id and e.simulation_lead_id = s.simulation_lead_id), '[]') as effects
      from simulation_lead s where s.account_id = ${accountId} and s.simulation_lead_id = ${id}`.pipe(fromSql())
    return rows[0] ?? (yield* notFound("simulation lead", "simulation_lead_id", id))
  })

  /** Adds messages and effects that are not stored yet. */
  const append = Effect.fnUntraced(function* (
    id: SimulationLeadId,
    simulation: SimulationSoFar,
    { effects, messages }: { readonly messages: number; readonly effects: number }
  ) {
    const { accountId } = yield* Caller
    const newMessages = simulation.messages.slice(messages)
    if (newMessages.length > 0) {
      yield* sql`
        insert into simulation_message (account_id, simulation_lead_id, sequence, channel, author, message_type, subject,
          body, at, reading, rests_on)
        select ${accountId}, ${id}, m.sequence, m.channel, m.author, m.message_type, m.subject, m.body, m.at, m.reading,
          m.rests_on
        from jsonb_to_recordset(${JSON.stringify(newMessages)}::jsonb) as m (sequence integer, channel text, author text,
          message_type text, subject text, body text, at timestamptz, reading jsonb, rests_on jsonb)`.pipe(fromSql())
    }
    const newEffects = simulation.effects
      .slice(effects)
      .map((effect, index) => ({ ...effect, sequence: effects + index + 1 }))
    if (newEffects.length > 0) {
      yield* sql`
        insert into simulation_effect (account_id, simulation_lead_id, sequence, kind, detail, at)
        select ${accountId}, ${id}, e.sequence, e.kind, e.detail, e.at
        from jsonb_to_recordset(${JSON.stringify(newEffects)}::jsonb) as e (sequence integer, kind text, detail text,
          at timestamptz)`.pipe(fromSql())
    }
  })

  return {
    find,

    account: Effect.gen(function* () {
      const { accountId } = yield* Caller
      return single(
        yield* sql<SimulatingAccount>`
          select name, email, phone, handle, language_key, time_zone, mail_display_name, plan from account
          where account_id = ${accountId}`.pipe(fromSql())
      )
    }),

    insert: Effect.fnUntraced(function* (
      simulation: SimulationSoFar,
      voiceCallRequestId: VoiceCallRequestId | null = null
    ) {
      const { accountId } = yield* Caller
      const rows = yield* sql<{ readonly id: SimulationLeadId }>`
        insert into simulation_lead (account_id, campaign_id, profile, state, silent_reason, voice_call_request_id)
        values (${accountId}, ${simulation.campaign_id}, ${JSON.stringify(simulation.profile)}::jsonb,
          ${JSON.stringify(simulation.state)}::jsonb, ${simulation.silent_reason}, ${voiceCallRequestId})
        returning simulation_lead_id as id`.pipe(fromSql())
      const { id } = single(rows)
      yield* append(id, simulation, { messages: 0, effects: 0 })
      yield* sql`
        delete from simulation_lead where account_id = ${accountId} and simulation_lead_id <= (
          select s.simulation_lead_id from simulation_lead s where s.account_id = ${accountId}
          order by s.simulation_lead_id desc offset ${maximumSimulations} limit 1)`.pipe(fromSql())
      return id
    }),

    /**
     * Stores a turn. Returns false if another turn was stored first, or the simulation was finished in the meantime.
     */
    save: Effect.fnUntraced(function* (before: StoredSimulation, after: SimulationSoFar) {
      const { accountId } = yield* Caller
      const id = before.simulation_lead_id
      const savedRows = yield* sql`
        update simulation_lead set state = ${JSON.stringify(after.state)}::jsonb, silent_reason = ${after.silent_reason},
          version = version + 1
        where account_id = ${accountId} and simulation_lead_id = ${id} and version = ${before.version}
          and finished_at is null
        returning simulation_lead_id`.pipe(fromSql())
      if (savedRows.length === 0) return false
      yield* append(id, after, { messages: before.messages.length, effects: before.effects.length })
      return true
    }),

    finish: (id: SimulationLeadId): Effect.Effect<void, Transient, Caller> =>
      Effect.flatMap(Caller, ({ accountId }) =>
        sql`
          update simulation_lead set finished_at = coalesce(finished_at, instant())
          where account_id = ${accountId} and simulation_lead_id = ${id}`.pipe(fromSql(), Effect.asVoid)
      )
  }
})
