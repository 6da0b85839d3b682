import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import pg from "pg"
import { testDatabaseName } from "../../src/Layers/TestAccounts/TestDatabases.ts"
import { TestClockView } from "../../src/Services/TestAccounts/TestClock.ts"
import {
  type GatewayProcess,
  killHard,
  ownerToken,
  startGateway,
  temporaryDirectory,
  until
} from "../support/processes/GatewayProcess.ts"
import { testDatabaseUrl } from "../support/TestDatabase.ts"

const post = ({ baseUrl }: GatewayProcess, token: string, tool: string, args: object = {}, prefix = "/platform/v1") =>
  Effect.promise(async () => {
    const response = await fetch(`${baseUrl}${prefix}/tools/${tool}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}` },
      body: JSON.stringify(args)
    })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${tool}: ${response.status} ${text}`)
    const body: unknown = JSON.parse(text)
    return body
  })

const Conversation = Schema.Struct({
  items: Schema.Array(
    Schema.Struct({ at: Schema.String, body: Schema.NullOr(Schema.String), direction: Schema.String })
  )
})
const Leads = Schema.Struct({ leads: Schema.Array(Schema.Struct({ lead_id: Schema.Int })), total: Schema.Int })
const Token = Schema.Struct({ token: Schema.String })

const clockOf = (gateway: GatewayProcess, token: string) =>
  Effect.flatMap(post(gateway, token, "get_test_clock"), Schema.decodeUnknown(TestClockView))

/** Where the account's database says that its clock is going, or null if it is not moving. */
const storedTarget = (live: string, token: string) =>
  Effect.promise(async () => {
    const url = new URL(live)
    url.pathname = `/${testDatabaseName(url.pathname.slice(1), token.slice(4, 14), 1)}`
    const client = new pg.Client({ connectionString: url.href })
    await client.connect()
    try {
      const { rows } = await client.query<{ readonly target: Date | null }>(
        "select advances_to as target from test_clock"
      )
      return rows[0]?.target ?? null
    } finally {
      await client.end()
    }
  })

layer(Layer.empty, { excludeTestServices: true, timeout: "10 minutes" })("an advance", (it) => {
  it.scoped("that kill -9 ends continues in another process, and does nothing twice", () =>
    Effect.gen(function* () {
      const dataDir = yield* temporaryDirectory
      const environment = { DATABASE_URL: yield* testDatabaseUrl, LOG_LEVEL: "WARN" }
      const first = yield* startGateway(dataDir, environment)
      const live = yield* ownerToken(dataDir)
      const args = { name: "Crash", starts_at: "2026-11-30T12:00:00Z" }
      const { token } = yield* Effect.flatMap(
        post(first, live, "create_test_account", args),
        Schema.decodeUnknown(Token)
      )
      for (let n = 1; n <= 20; n++) {
        const lead = { name: `Ana ${n}`, email: `ana${n}@clinica${n}.example` }
        yield* post(first, token, "register_lead", lead, "/rest/v1")
      }
      const before = yield* clockOf(first, token)
      yield* Effect.forkScoped(Effect.ignoreLogged(post(first, token, "advance_test_clock", { by: "2 weeks" })))
      const midway = yield* clockOf(first, token).pipe(
        until(
          ({ now, status }) => status === "advancing" && Date.parse(now) > Date.parse(before.now) + 3_600_000,
          "1 minute"
        )
      )
      yield* killHard(first)
      assert.isBelow(Date.parse(midway.now), Date.parse("2026-12-14T12:00:00Z"))

      const [second, third] = [yield* startGateway(dataDir, environment), yield* startGateway(dataDir, environment)]
      // No call wakes the account: the start of a process is enough.
      yield* storedTarget(environment.DATABASE_URL, token).pipe(until((target) => target === null, "3 minutes"))
      const arrived = yield* clockOf(second, token)
      assert.strictEqual(arrived.status, "ready")
      assert.strictEqual(arrived.now, "2026-12-14T12:00:00Z")
      assert.strictEqual(arrived.failed_tasks, 0)

      const { leads } = yield* Effect.flatMap(
        post(third, token, "search_leads", { page_size: 100 }, "/rest/v1"),
        Schema.decodeUnknown(Leads)
      )
      assert.lengthOf(leads, 20)
      for (const { lead_id } of leads) {
        const { items } = yield* Effect.flatMap(
          post(third, token, "get_lead_conversation", { lead_id }, "/rest/v1"),
          Schema.decodeUnknown(Conversation)
        )
        const texts = items.map(({ body }) => body)
        assert.strictEqual(new Set(texts).size, texts.length, `lead ${lead_id} got a text twice`)
        assert.strictEqual(items.length, 4, `lead ${lead_id}: the touches of the days 0, 3, 7 and 11`)
      }

      // Both processes serve the account, and know where the clock is.
      yield* post(third, token, "advance_test_clock", { by: "1 day" })
      assert.strictEqual((yield* clockOf(second, token)).now, "2026-12-15T12:00:00Z")
      const whose = { name: "Rui Prado", email: "rui@client.example" }
      yield* post(second, token, "register_lead", whose, "/rest/v1")
      yield* Effect.all(
        [
          Effect.ignore(post(second, token, "advance_test_clock", { by: "2 hours" })),
          Effect.ignore(post(third, token, "get_test_clock"))
        ],
        { concurrency: "unbounded" }
      )
      const all = yield* Effect.flatMap(
        post(third, token, "search_leads", { page_size: 100 }, "/rest/v1"),
        Schema.decodeUnknown(Leads)
      )
      assert.strictEqual(all.total, 21)
    })
  )
})
