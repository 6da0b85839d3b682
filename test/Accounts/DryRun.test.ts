import { SqlClient } from "@effect/sql/SqlClient"
import { assert, describe, layer, it as pureTest } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { requestedMode } from "../../src/Api/RequestedMode.ts"
import { RequestRefused } from "../../src/Errors.ts"
import { outsideTransaction } from "../../src/Layers/Platform/Postgres/OutsideTransaction.ts"
import { fromSql } from "../../src/Layers/Platform/Postgres/Sql.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { shownEffects } from "../../src/Services/Core/Calls/DryRun.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { OutboundHttp } from "../../src/Services/Outbound/OutboundHttp.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import * as Param from "../../src/Tools/Core/Param.ts"
import * as Tool from "../../src/Tools/Core/Tool.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { localHttpServer } from "../support/servers/LocalHttpServer.ts"
import { makeTokenHolder, send, testGateway, testServer } from "../support/servers/TestServer.ts"
import { as } from "../support/TestAccount.ts"
import { KeyedTools, makeNoted } from "./keyedTools.ts"

type Holder = Effect.Effect.Success<ReturnType<typeof makeTokenHolder>>

const insertNote = (number: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    yield* sql`insert into noted (account_id, number) values (${accountId}, ${number})`.pipe(fromSql())
  })

const notesOf = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  const rows = yield* sql<{ readonly number: number }>`
    select number from noted where account_id = ${accountId} order by 1`.pipe(fromSql())
  return rows.map(({ number }) => number)
})

const Notes = Schema.Struct({ notes: Schema.Array(Schema.Int), answer: Schema.NullOr(Schema.Int) })

const base = {
  kind: "write",
  idempotent: false,
  openWorld: true,
  transaction: "several",
  description: "Writes in every way that a tool may.",
  returns: Notes,
  example: { url: "http://127.0.0.1/" }
} as const

/** Writes alone, in a transaction and outside of it, and reads what it wrote. */
const writeEverywhere = Tool.make("write_everywhere", {
  ...base,
  parameters: { url: Param.text("Where to read.") },
  run: ({ url }) =>
    Effect.gen(function* () {
      const unit = yield* UnitOfWork
      const http = yield* OutboundHttp
      yield* insertNote(1)
      yield* unit.write(insertNote(2))
      yield* outsideTransaction(unit.write(insertNote(3)))
      const { status } = yield* http.request({ method: "GET", url, allowNonPublic: true }).pipe(Effect.orDie)
      return { notes: yield* unit.read(notesOf), answer: status }
    })
})

/** Needs the answer to a change outside, and hides that it got none. */
const changeOutside = Tool.make("change_outside", {
  ...base,
  parameters: { url: Param.text("Where to write.") },
  run: ({ url }) =>
    Effect.gen(function* () {
      const http = yield* OutboundHttp
      yield* insertNote(1)
      const answer = yield* http.request({ method: "POST", url, allowNonPublic: true }).pipe(
        Effect.map(({ status }) => status),
        Effect.catchAllCause(() => Effect.succeed(null))
      )
      return { notes: yield* notesOf, answer }
    })
})

const DryTools = Catalog.make([...KeyedTools.groups, Tool.group("Outside", "Tools.", [writeEverywhere, changeOutside])])

const call = (prefix: string, { token }: Holder, tool: string, args: object, headers: Record<string, string>) =>
  send(`${prefix}/tools/${tool}`, { method: "POST", token, body: JSON.stringify(args), headers })

const overMcp = ({ token }: Holder, tool: string, args: object, meta: object) =>
  send("/mcp/x/all", {
    method: "POST",
    token,
    headers: { "Content-Type": "application/json", "MCP-Protocol-Version": "2025-11-25" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: tool, arguments: args, _meta: meta }
    })
  })

const notes = ({ caller: { accountId } }: Holder) =>
  Effect.flatMap(SqlClient, (sql) => sql`select from noted where account_id = ${accountId}`)

const dry = { "Dry-Run": "true" }
const gateway = Layer.provideMerge(Layer.effectDiscard(makeNoted), testServer(DryTools))

layer(gateway, { excludeTestServices: true })("a dry run", (it) => {
  for (const tool of ["note", "note_plainly", "note_in_steps"]) {
    for (const prefix of ["/rest/v1", "/api/v1"]) {
      it.effect(`answers as the call does, and leaves nothing: ${prefix}, ${tool}`, () =>
        Effect.gen(function* () {
          const holder = yield* makeTokenHolder()
          for (const args of [{ number: 1 }, { number: 2, ending: "refused" }, { number: 3, ending: "transient" }]) {
            const tried = yield* call(prefix, holder, tool, args, dry)
            assert.lengthOf(yield* notes(holder), 0)
            assert.strictEqual(tried.headers.get("dry-run"), "true")
            assert.isNull(tried.headers.get("dry-run-effects"))
            const other = yield* makeTokenHolder()
            const real = yield* call(prefix, other, tool, args, {})
            assert.deepStrictEqual([tried.status, tried.text], [real.status, real.text])
            assert.isNull(real.headers.get("dry-run"))
          }
        })
      )
    }
  }

  it.scoped("includes what a tool writes outside of its transactions, and reads outside", () =>
    Effect.gen(function* () {
      const holder = yield* makeTokenHolder()
      const server = yield* localHttpServer((_, response) => response.end("{}"))
      const tried = yield* call("/rest/v1", holder, "write_everywhere", { url: `${server.url}/read` }, dry)
      assert.deepStrictEqual(tried.json, { notes: [1, 2, 3], answer: 200 })
      assert.deepStrictEqual(server.requests, ["GET /read"])
      assert.lengthOf(yield* notes(holder), 0)
    })
  )

  it.scoped("refuses a tool that needs the answer to a change outside, and sends nothing", () =>
    Effect.gen(function* () {
      const holder = yield* makeTokenHolder()
      const server = yield* localHttpServer((_, response) => response.end("{}"))
      const args = { url: `${server.url}/change` }
      for (const [prefix, status] of [
        ["/rest/v1", 422],
        ["/api/v1", 400]
      ] as const) {
        const tried = yield* call(prefix, holder, "change_outside", args, dry)
        assert.strictEqual(tried.status, status)
        assert.deepInclude(tried.json, { type: "DryRunUnsupported" })
        assert.strictEqual(tried.headers.get("dry-run"), "true")
      }
      const agent = yield* overMcp(holder, "change_outside", args, { "io.prospecting-gateway/dryRun": true })
      assert.include(agent.text, "DryRunUnsupported")
      assert.deepStrictEqual(server.requests, [])
      assert.lengthOf(yield* notes(holder), 0)
      yield* call("/rest/v1", holder, "change_outside", args, {})
      assert.deepStrictEqual(server.requests, ["POST /change"])
    })
  )

  it.effect("tells an agent that nothing was done", () =>
    Effect.gen(function* () {
      const holder = yield* makeTokenHolder()
      const meta = { "io.prospecting-gateway/dryRun": true }
      const tried = yield* overMcp(holder, "note", { number: 1 }, meta)
      assert.include(tried.text, "This was a dry run: nothing was changed or sent.")
      assert.strictEqual(tried.headers.get("dry-run"), "true")
      assert.lengthOf(yield* notes(holder), 0)
    })
  )

  it.effect("takes no key and no other value, and means nothing for a read", () =>
    Effect.gen(function* () {
      const holder = yield* makeTokenHolder()
      for (const headers of [{ ...dry, "Idempotency-Key": "k" }, { "Dry-Run": "yes" }, { "Dry-Run": "" }]) {
        for (const prefix of ["/rest/v1", "/api/v1"]) {
          const refused = yield* call(prefix, holder, "note", { number: 1 }, headers)
          assert.strictEqual(refused.status, 400)
          assert.deepInclude(refused.json, { type: "DryRunInvalid" })
        }
      }
      assert.lengthOf(yield* notes(holder), 0)
    })
  )

  it.effect("ends after ten seconds", () =>
    Effect.gen(function* () {
      const holder = yield* makeTokenHolder()
      const tried = yield* call("/rest/v1", holder, "note", { number: 1, wait: 60_000 }, dry)
      assert.strictEqual(tried.status, 503)
      assert.deepInclude(tried.json, { reason: "dry_run_timed_out" })
      assert.lengthOf(yield* notes(holder), 0)
    })
  )
})

layer(testGateway({ rateLimits: { perToken: 3, perAccount: undefined } }), { excludeTestServices: true })(
  "a dry run of a real tool",
  (it) => {
    it.effect("counts webhooks that would leave, and for limits, and is not in the audit log", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const holder = yield* makeTokenHolder()
        const { accountId } = holder.caller
        yield* sql`insert into webhook_subscription (account_id, url, secret)
          values (${accountId}, 'https://hooks.example.com/a', 'secret')`
        const leadId = yield* as(holder.caller)(insertLead())
        const args = { lead_id: leadId, status: "Interested" }
        const change = () => call("/rest/v1", holder, "update_lead", args, dry)
        const first = yield* change()
        assert.strictEqual(first.status, 200, first.text)
        const announced = /^webhook=([1-9])$/.exec(first.headers.get("dry-run-effects") ?? "")?.[1]
        assert.isDefined(announced)
        assert.lengthOf(yield* sql`select from account_event where account_id = ${accountId}`, 0)
        assert.lengthOf(yield* sql`select from lead where account_id = ${accountId} and status = 'Interested'`, 0)
        assert.strictEqual((yield* change()).status, 200)
        yield* call("/rest/v1", holder, "update_lead", args, {})
        const deliveries = yield* sql`select from webhook_delivery where account_id = ${accountId}`
        assert.strictEqual(deliveries.length, Number(announced))
        assert.strictEqual((yield* change()).status, 429)
      })
    )
  }
)

describe("the mode of a call", () => {
  const write = { kind: "write" } as const
  const key = "Idempotency-Key"

  pureTest("follows from its headers", () => {
    const none = { idempotencyKey: undefined, dryRun: undefined }
    assert.isUndefined(requestedMode(write, none))
    assert.isUndefined(requestedMode({ kind: "read" }, { idempotencyKey: "a b", dryRun: "x" }))
    assert.deepStrictEqual(requestedMode(write, { ...none, dryRun: "true" }), { _tag: "DryRun" })
    assert.deepStrictEqual(requestedMode(write, { ...none, idempotencyKey: key }), { _tag: "Keyed", key })
    for (const headers of [
      { ...none, dryRun: "TRUE" },
      { dryRun: "true", idempotencyKey: key },
      { ...none, idempotencyKey: "" }
    ]) {
      assert.instanceOf(requestedMode(write, headers), RequestRefused)
    }
  })

  pureTest("shows effects in the order of their names", () => {
    assert.strictEqual(
      shownEffects(
        new Map([
          ["webhook", 3],
          ["email", 1],
          ["crm", 0]
        ])
      ),
      "email=1, webhook=3"
    )
    assert.strictEqual(shownEffects(new Map()), "")
  })
})
