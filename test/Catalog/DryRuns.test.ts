import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Exit, Layer } from "effect"
import pg from "pg"
import { fromJsonBody, isRefused } from "../../src/Api/RequestArguments.ts"
import { RequestRefused } from "../../src/Errors.ts"
import { DatabaseLocation } from "../../src/Layers/Platform/Postgres/Database.ts"
import { Settings } from "../../src/Layers/Platform/Settings.ts"
import { DryRuns } from "../../src/Services/Core/Calls/DryRuns.ts"
import type { RawArguments } from "../../src/Tools/Core/ArgumentCoercion.ts"
import { OutsideRecorder } from "../support/providers/OutsideRecorder.ts"
import { as } from "../support/TestAccount.ts"
import { argumentsOf, impossible, quietSampleGateway, Sample, servedTools } from "./examples.ts"
import { isTooSlow, untriedTools } from "./untriedTools.ts"

/** What the examples of the other tools would send. */
const expectedEffects: { readonly [tool: string]: string } = {
  add_member: "chatapp_message=1, email=1",
  cancel_lead_meeting: "calendar=1, webhook=2",
  change_lead_capture_page: "background_job=1",
  change_website: "background_job=1",
  create_lead_capture_page: "background_job=1",
  create_support_request: "email=1",
  create_video: "background_job=1",
  edit_video: "background_job=1",
  export_account: "background_job=1",
  export_leads: "background_job=1",
  export_website_code: "email=1",
  generate_drawing: "background_job=1",
  generate_image: "background_job=1",
  import_leads: "background_job=1",
  place_goal_driven_call: "voice_call=1",
  register_business_file: "background_job=1",
  register_online_search: "background_job=1",
  register_website: "background_job=1",
  replay_webhook_events: "background_job=1",
  resend_member_welcome: "chatapp_message=1, email=1",
  send_message_to_lead: "email=1",
  set_personal_email: "email=1",
  start_voice_simulation: "voice_call=1",
  update_lead: "webhook=3",
  update_notification_emails: "email=2"
}

type Digests = Readonly<Record<string, string>>

const tableNames = Effect.flatMap(
  SqlClient,
  (sql) => sql<{ readonly name: string }>`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') order by 1`
)

/**
 * Begins to watch. The effect that it returns reads how many rows each table has, and how many of them were written since:
 * different after any committed change. It is read hundreds of times, so its session prepares the statement.
 */
class WatchRows extends Context.Tag("WatchRows")<WatchRows, Effect.Effect<Effect.Effect<Digests>>>() {
  static readonly layer = Layer.scoped(
    WatchRows,
    Effect.gen(function* () {
      const { connection } = yield* DatabaseLocation
      const sql = yield* SqlClient
      const session = yield* Effect.acquireRelease(
        Effect.promise(async () => {
          const client = new pg.Client(connection)
          await client.connect()
          return client
        }),
        (client) => Effect.promise(() => client.end())
      )
      const writtenSince = (transaction: string) =>
        Effect.gen(function* () {
          const tables = yield* tableNames
          const text = tables
            .map(
              ({ name }) => `select '${name}' as name,
                count(*) || ' ' || count(*) filter (where age(xmin) <= age($1::text::xid)) as fingerprint from ${name}`
            )
            .join(" union all ")
          const { rows } = yield* Effect.promise(() =>
            session.query<{ readonly name: string; readonly fingerprint: string }>({
              name: `written ${tables.length}`,
              text,
              values: [transaction]
            })
          )
          return Object.fromEntries(rows.map(({ fingerprint, name }) => [name, fingerprint]))
        }).pipe(Effect.provideService(SqlClient, sql), Effect.orDie)
      return Effect.map(
        Effect.promise(() =>
          session.query<{ readonly next: string }>("select pg_snapshot_xmax(pg_current_snapshot())::xid::text as next")
        ),
        ({ rows: [row] }) => writtenSince(row?.next ?? "")
      )
    })
  )
}

/** A digest of the content of every table. */
const contents = Effect.gen(function* () {
  const sql = yield* SqlClient
  const tables = (yield* tableNames).map(({ name }) => name)
  const rows = yield* sql.unsafe<{ readonly name: string; readonly digest: string }>(
    tables
      .map(
        (name) =>
          `select '${name}' as name, coalesce(sum(hashtextextended(t::text, 0)), 0)::text as digest from ${name} t`
      )
      .join(" union all ")
  )
  return Object.fromEntries(rows.map(({ digest, name }) => [name, digest]))
})

const changedTables = (before: Digests, after: Digests): ReadonlyArray<string> =>
  Object.keys({ ...before, ...after }).filter((table) => before[table] !== after[table])

/** The gateway with simulated providers, which are in tables. */
const RecordedGateway = Layer.effectDiscard(
  Effect.gen(function* () {
    const { isInside } = yield* OutsideRecorder
    // The page of a screenshot's example.
    isInside((yield* Settings).port)
  })
).pipe(Layer.provideMerge(OutsideRecorder.layer), Layer.provideMerge(quietSampleGateway))

const writes = servedTools.filter(({ name, tool }) => tool.kind !== "read" && !impossible.has(name))

layer(Layer.provideMerge(WatchRows.layer, RecordedGateway), { excludeTestServices: true, timeout: "10 minutes" })(
  "a dry run with the example of",
  (it) => {
    const unsupported: Array<string> = []
    const effects: Array<readonly [string, string]> = []
    const tried = new Map<
      string,
      { readonly raw: RawArguments; readonly catalog: (typeof writes)[number]["catalog"] }
    >()

    // Tables record what reached a simulated provider, and sockets what reached any other.
    it.scoped.each(writes)(
      "$name leaves every table as it was, and connects to nothing",
      ({ catalog, name, tool: { example } }) =>
        Effect.gen(function* () {
          const caller = yield* Sample
          const { makeMode } = yield* DryRuns
          const raw = fromJsonBody(Buffer.from(JSON.stringify(yield* as(caller)(argumentsOf(name, example)))))
          if (isRefused(raw)) return yield* Effect.die(raw)
          // The sample's member got the welcome today, and an address gets the same text once a day.
          if (name === "resend_member_welcome")
            yield* Effect.flatMap(SqlClient, (sql) => sql`delete from mail_recipient`)
          const { contacts } = yield* OutsideRecorder
          const contactsBefore = contacts.length
          const writtenRows = yield* Effect.flatten(WatchRows)
          const rows = yield* writtenRows
          const mode = makeMode()
          const exit = yield* Effect.exit(as(caller)(catalog.call(name, raw, mode)))
          assert.deepStrictEqual(changedTables(rows, yield* writtenRows), [])
          assert.deepStrictEqual(contacts.slice(contactsBefore), [])
          tried.set(name, { raw, catalog })
          if (Exit.isSuccess(exit)) {
            const sent = mode.headers()["Dry-Run-Effects"]
            if (sent !== undefined) effects.push([name, sent])
            return
          }
          const failure = exit.cause._tag === "Fail" ? exit.cause.error : undefined
          if (isTooSlow(name, failure)) return
          if (!(failure instanceof RequestRefused) || failure.type !== "DryRunUnsupported") return yield* exit
          unsupported.push(`${name}: ${/ on what ([a-z]+)/.exec(failure.error)?.[1] ?? ""}`)
        })
    )

    it.effect("all writes in one go leaves the content of every table as it was", () =>
      Effect.gen(function* () {
        const caller = yield* Sample
        const { makeMode } = yield* DryRuns
        const before = yield* contents
        for (const [name, { catalog, raw }] of tried) {
          yield* Effect.exit(as(caller)(catalog.call(name, raw, makeMode())))
        }
        assert.deepStrictEqual(changedTables(before, yield* contents), [])
        assert.isAbove(Object.keys(before).length, 100)
      })
    )

    it.effect("every write is supported, counted or listed with its reason", () =>
      Effect.sync(() => {
        assert.strictEqual(tried.size, writes.length)
        assert.deepStrictEqual(Object.fromEntries(effects), expectedEffects)
        const documented = [...untriedTools].map(([tool, service]) => `${tool}: ${service}`)
        assert.deepStrictEqual([...unsupported].sort(), documented.sort(), "docs/reference/dry-runs.md")
      })
    )
  }
)
