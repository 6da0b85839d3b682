import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { notFound, type Refused, refused } from "../../Errors.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { now, type Timestamp } from "../../Services/Core/Timestamp.ts"
import type { IncidentId, IncidentImpact, IncidentStatus } from "../../Services/Support/Ids.ts"
import { Incidents, type IncidentView, maximumUpdates } from "../../Services/Support/Incidents.ts"
import { clip, tidyText } from "../../Services/Text/PlainText.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"

const view = `i.incident_id, i.title, i.impact, i.status, i.resolved_at is null as is_active, i.components,
  i.automatic_key is not null as is_automatic, i.started_at, i.resolved_at, i.updates`

const longestText = 5000

const checkedText = (parameter: string, text: string, length: number) => {
  const checkedText = tidyText(text).trim()
  return checkedText === "" || checkedText.length > length
    ? Effect.fail<Refused>(
        refused(
          "text_unsuitable",
          `${parameter} is empty or longer than ${length} characters.`,
          "Write a sentence or two."
        )
      )
    : Effect.succeed(checkedText)
}

const isOpenAlready = refused(
  "incident_open_already",
  "Another incident with the same cause is open.",
  "Update that one; see gateway incident list."
)

const tidyComponents = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names
    .slice(0, 20)
    .map((name) => clip(tidyText(name).trim(), 60))
    .filter((name) => name !== "")

interface Opening {
  readonly title: string
  readonly impact: IncidentImpact
  readonly components: ReadonlyArray<string>
  readonly message: string
  readonly key: string | null
}

export const IncidentsPostgres = Layer.effect(
  Incidents,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const unit = yield* UnitOfWork
    const viewColumns = sql.literal(view)

    const find = Effect.fnUntraced(function* (id: IncidentId) {
      const rows = yield* sql<IncidentView>`select ${viewColumns} from incident i where i.incident_id = ${id}`.pipe(
        fromSql()
      )
      return rows[0] ?? (yield* notFound("incident", "incident_id", id))
    })

    const timeline = (status: IncidentStatus, message: string, at: Timestamp): string =>
      JSON.stringify([{ status, message, created_at: at }])

    /** Returns the id, or undefined if an incident with the same key is open. */
    const insert = Effect.fnUntraced(function* ({ components, impact, key, message, title }: Opening) {
      const at = yield* now
      const rows = yield* sql<{ readonly id: IncidentId }>`
        insert into incident (title, impact, status, components, automatic_key, started_at, updates)
        values (${title}, ${impact}, 'investigating', ${components}::text[], ${key}, ${at},
          ${timeline("investigating", message, at)}::jsonb)
        on conflict (automatic_key) where resolved_at is null do nothing
        returning incident_id as id`.pipe(fromSql())
      return rows[0]?.id
    })

    return Incidents.of({
      list: Effect.fn("Incidents.list")(function* ({ pastLimit, scope }) {
        const active =
          scope === "past"
            ? []
            : yield* sql<IncidentView>`
                select ${viewColumns} from incident i where i.resolved_at is null
                order by i.started_at desc, i.incident_id desc limit 100`
        const past =
          scope === "active"
            ? []
            : yield* sql<IncidentView>`
                select ${viewColumns} from incident i where i.resolved_at is not null
                order by i.resolved_at desc, i.incident_id desc limit ${pastLimit}`
        return [...active, ...past]
      }, fromSql()),

      open: Effect.fn("Incidents.open")(function* (incident) {
        const title = yield* checkedText("title", incident.title, 200)
        const message = yield* checkedText("message", incident.message, longestText)
        const components = tidyComponents(incident.components)
        return yield* unit.write(
          Effect.gen(function* () {
            const id = yield* insert({ title, message, components, impact: incident.impact, key: null })
            return yield* Effect.catchTag(find(single(id === undefined ? [] : [id])), "NotFound", Effect.die)
          })
        )
      }),

      update: Effect.fn("Incidents.update")(function* (id, { message, status }) {
        const text = yield* checkedText("message", message, longestText)
        return yield* unit.write(
          Effect.gen(function* () {
            const { updates } = yield* find(id)
            if (updates.length >= maximumUpdates) {
              return yield* refused("too_many_updates", "The incident's timeline is full.", "Open another incident.")
            }
            const at = yield* now
            yield* sql`
              update incident i set status = ${status}, updates = i.updates || ${timeline(status, text, at)}::jsonb,
                resolved_at = case when ${status} = 'resolved' then coalesce(i.resolved_at, ${at}::timestamptz) end
              where i.incident_id = ${id}`.pipe(
              // Another incident with the same cause was opened in the meantime.
              fromSql({ incident_automatic: () => isOpenAlready })
            )
            return yield* find(id)
          })
        )
      }),

      revise: Effect.fn("Incidents.revise")(function* (id, { components, impact, title }) {
        const checkedTitle = title === undefined ? null : yield* checkedText("title", title, 200)
        return yield* unit.write(
          Effect.gen(function* () {
            yield* sql`
              update incident i set title = coalesce(${checkedTitle}, i.title), impact = coalesce(${impact ?? null}, i.impact),
                components = coalesce(${components === undefined ? null : tidyComponents(components)}::text[], i.components)
              where i.incident_id = ${id}`.pipe(fromSql())
            return yield* find(id)
          })
        )
      }),

      report: Effect.fn("Incidents.report")(function* ({ component, impact, key, message, title }) {
        return yield* unit.write(
          Effect.map(insert({ title, impact, components: [component], message, key }), (id) => id !== undefined)
        )
      }),

      openTroubles: sql<{ readonly key: string }>`
        select automatic_key as key from incident where automatic_key is not null and resolved_at is null`.pipe(
        fromSql(),
        Effect.map((rows) => new Set(rows.map(({ key }) => key)))
      ),

      recover: Effect.fn("Incidents.recover")(function* (key, message) {
        return yield* unit.write(
          Effect.gen(function* () {
            const at = yield* now
            const rows = yield* sql`
              update incident i set status = 'resolved', resolved_at = ${at},
                updates = i.updates || ${timeline("resolved", message, at)}::jsonb
              where i.automatic_key = ${key} and i.resolved_at is null
              returning i.incident_id`.pipe(fromSql())
            return rows.length > 0
          })
        )
      })
    })
  })
)
