import { SqlClient } from "@effect/sql/SqlClient"
import { assert, describe, layer, it as pureTest } from "@effect/vitest"
import { Effect, FastCheck, Layer, Option } from "effect"
import { RequestRefused } from "../../src/Errors.ts"
import { idempotencyKeyOf } from "../../src/Services/Accounts/IdempotencyKey.ts"
import { fingerprintOf, KeyedWrites, keptAnswer, storedAnswer } from "../../src/Services/Accounts/KeyedWrites.ts"
import { calling } from "../Mcp/speaking.ts"
import { makeTokenHolder, send, testServer } from "../support/servers/TestServer.ts"
import { begunCallsOf, holdCallsOf, KeyedTools, makeNoted, secretOfAnswers } from "./keyedTools.ts"

type Holder = Effect.Effect.Success<ReturnType<typeof makeTokenHolder>>
type Way = "/rest/v1" | "/api/v1" | "/mcp"

const ways: ReadonlyArray<Way> = ["/rest/v1", "/api/v1", "/mcp"]
const tools = ["note", "note_plainly", "note_in_steps"] as const

interface Answered {
  readonly status: number
  readonly text: string
  readonly isReplayed: boolean
  readonly retryAfter: string | null
}

/** Calls a tool with a key; of MCP the text of the answer. */
const call = (way: Way, { token }: Holder, tool: string, args: object, key: string) =>
  Effect.gen(function* () {
    const headers = { "Idempotency-Key": key }
    const answer = yield* way === "/mcp"
      ? send("/mcp/x/all", {
          method: "POST",
          token,
          headers: { ...headers, "Content-Type": "application/json", "MCP-Protocol-Version": "2025-11-25" },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: args } })
        })
      : send(`${way}/tools/${tool}`, { method: "POST", token, body: JSON.stringify(args), headers })
    return {
      status: answer.status,
      text: answer.text,
      isReplayed: answer.headers.get("idempotency-replayed") === "true",
      retryAfter: answer.headers.get("retry-after")
    } satisfies Answered
  })

const typeIn = (text: string): string | undefined => /\\?"type\\?":\\?"([A-Z]\w+)\\?"/.exec(text)?.[1]

/** How often a tool ran and was not rolled back. */
const notes = ({ caller: { accountId } }: Holder) =>
  Effect.flatMap(SqlClient, (sql) =>
    Effect.map(
      sql<{ readonly rows: number }>`select count(*) as rows from noted where account_id = ${accountId}`,
      ([row]) => row?.rows ?? 0
    )
  )

const gateway = Layer.provideMerge(Layer.effectDiscard(makeNoted), testServer(KeyedTools))

layer(gateway, { excludeTestServices: true })("a write with an idempotency key", (it) => {
  for (const way of ways) {
    for (const tool of tools) {
      it.effect(`is done once, and its answer is returned again byte by byte: ${tool} under ${way}`, () =>
        Effect.gen(function* () {
          const holder = yield* makeTokenHolder()
          const args = { number: 7, text: `Olá "você" \u2028 ${"é".repeat(300)}` }
          const first = yield* call(way, holder, tool, args, "k-1")
          assert.isFalse(first.isReplayed)
          for (const again of [args, { text: args.text, number: "7" }]) {
            const repeated = yield* call(way, holder, tool, again, '"k-1"')
            assert.deepStrictEqual(repeated, { ...first, isReplayed: true })
          }
          assert.strictEqual(yield* notes(holder), 1)
        })
      )

      it.effect(`that is sent twenty times at once is done once: ${tool} under ${way}`, () =>
        Effect.gen(function* () {
          const holder = yield* makeTokenHolder()
          const race = Array.from({ length: 20 }, () => call(way, holder, tool, { number: 1, wait: 100 }, "race"))
          const answers = yield* Effect.all(race, { concurrency: "unbounded" })
          assert.strictEqual(yield* notes(holder), 1)
          const done = answers.filter(({ text }) => typeIn(text) === undefined)
          assert.strictEqual(new Set(done.map(({ text }) => text)).size, 1)
          assert.lengthOf(
            done.filter(({ isReplayed }) => !isReplayed),
            1
          )
          for (const { text } of answers) assert.include([undefined, "IdempotencyKeyInUse"], typeIn(text))
        })
      )
    }

    it.effect(`with the key of another call is refused: ${way}`, () =>
      Effect.gen(function* () {
        const holder = yield* makeTokenHolder()
        yield* call(way, holder, "note", { number: 1 }, "k")
        for (const [tool, number] of [
          ["note", 2],
          ["note_in_steps", 1]
        ] as const) {
          const other = yield* call(way, holder, tool, { number }, "k")
          assert.strictEqual(other.status, { "/rest/v1": 422, "/api/v1": 400, "/mcp": 200 }[way])
          assert.strictEqual(typeIn(other.text), "IdempotencyKeyReused")
          assert.isFalse(other.isReplayed)
        }
        assert.strictEqual(yield* notes(holder), 1)
      })
    )

    for (const tool of tools) {
      it.effect(`whose first call still runs is told to wait: ${tool} under ${way}`, () =>
        Effect.gen(function* () {
          const holder = yield* makeTokenHolder()
          const args = { number: 1 }
          const hold = yield* holdCallsOf(holder.caller.accountId)
          const first = yield* Effect.fork(call(way, holder, tool, args, "k"))
          yield* hold.callWaits
          const inUse = yield* call(way, holder, tool, args, "k").pipe(Effect.repeat({ times: 1 }))
          assert.strictEqual(inUse.status, { "/rest/v1": 409, "/api/v1": 400, "/mcp": 200 }[way])
          assert.strictEqual(typeIn(inUse.text), "IdempotencyKeyInUse")
          if (way !== "/mcp") assert.strictEqual(inUse.retryAfter, "2")
          yield* hold.release
          const done = yield* first
          assert.deepStrictEqual(yield* call(way, holder, tool, args, "k"), { ...done, isReplayed: true })
          assert.strictEqual(yield* notes(holder), 1)
        })
      )
    }

    it.effect(`needs a key of 1 to 255 visible characters: ${way}`, () =>
      Effect.gen(function* () {
        const holder = yield* makeTokenHolder()
        for (const key of ["", '""', "k".repeat(256), "a b", "a, b", "caf\u00e9", '"open', "a\tb"]) {
          const answer = yield* call(way, holder, "note", { number: 1 }, key)
          assert.strictEqual(answer.status, way === "/mcp" ? 200 : 400, JSON.stringify(key))
          assert.strictEqual(typeIn(answer.text), "IdempotencyKeyInvalid")
          assert.include(answer.text, "1 to 255 visible ASCII characters")
        }
        assert.strictEqual(yield* notes(holder), 0)
        assert.isUndefined(typeIn((yield* call(way, holder, "note", { number: 1 }, "k".repeat(255))).text))
      })
    )
  }

  for (const tool of tools) {
    for (const ending of ["not_found", "refused", "permanent"] as const) {
      it.effect(`keeps the answer ${ending} of ${tool}`, () =>
        Effect.gen(function* () {
          const holder = yield* makeTokenHolder()
          const first = yield* call("/rest/v1", holder, tool, { number: 3, ending }, "k")
          const again = yield* call("/rest/v1", holder, tool, { number: 3, ending }, "k")
          assert.deepStrictEqual(again, { ...first, isReplayed: true })
          assert.notStrictEqual(first.status, 200)
          // One transaction was rolled back. Of several, what was committed stays, and is not done again.
          assert.strictEqual(yield* notes(holder), tool === "note_in_steps" ? 1 : 0)
        })
      )
    }

    it.effect(`leaves the key free after passing trouble of ${tool}`, () =>
      Effect.gen(function* () {
        const holder = yield* makeTokenHolder()
        const failed = { number: 3, ending: "transient" }
        assert.strictEqual((yield* call("/rest/v1", holder, tool, failed, "k")).status, 503)
        const again = yield* call("/rest/v1", holder, tool, failed, "k")
        assert.deepInclude(again, { status: 503, isReplayed: false, retryAfter: "7" })
        assert.strictEqual((yield* call("/rest/v1", holder, tool, { number: 3 }, "k")).status, 200)
      })
    )
  }

  it.effect("leaves the key free after a defect that wrote nothing, and else does not run again", () =>
    Effect.gen(function* () {
      const holder = yield* makeTokenHolder()
      const broken = { number: 3, ending: "defect" }
      for (const tool of tools)
        assert.include((yield* call("/rest/v1", holder, tool, broken, tool)).text, "internal_error")
      for (const tool of ["note", "note_plainly"]) {
        assert.strictEqual((yield* call("/rest/v1", holder, tool, { number: 3 }, tool)).status, 200)
      }
      const lost = yield* call("/rest/v1", holder, "note_in_steps", broken, "note_in_steps")
      assert.deepInclude(lost, { status: 500, isReplayed: false })
      assert.include(lost.text, "outcome_unknown")
      assert.strictEqual(yield* notes(holder), 3)
    })
  )

  it.effect("does not run again if the database went away between its transactions", () =>
    Effect.gen(function* () {
      const holder = yield* makeTokenHolder()
      for (const tool of tools) {
        const first = yield* call("/rest/v1", holder, tool, { number: 3, ending: "unavailable" }, tool)
        assert.strictEqual(first.status, 503, tool)
        const again = yield* call("/rest/v1", holder, tool, { number: 3, ending: "unavailable" }, tool)
        assert.strictEqual(again.status, tool === "note_in_steps" ? 500 : 503, tool)
        if (tool === "note_in_steps") assert.include(again.text, "outcome_unknown")
      }
      assert.strictEqual(yield* notes(holder), 1)
    })
  )

  it.effect("does not begin again if it may reach outside services before its first statement", () =>
    Effect.gen(function* () {
      const holder = yield* makeTokenHolder()
      const { accountId } = holder.caller
      const hold = yield* holdCallsOf(accountId)
      const first = yield* Effect.fork(call("/rest/v1", holder, "note_outside", { number: 1 }, "k"))
      yield* hold.callWaits
      assert.strictEqual((yield* call("/rest/v1", holder, "note_outside", { number: 1 }, "k")).status, 409)
      yield* hold.release
      const done = yield* first
      const again = yield* call("/rest/v1", holder, "note_outside", { number: 1 }, "k")
      assert.deepStrictEqual(again, { ...done, isReplayed: true })
      assert.strictEqual(begunCallsOf(accountId), 1)
    })
  )

  it.effect("leaves the key free after a request that never reached the tool", () =>
    Effect.gen(function* () {
      const holder = yield* makeTokenHolder("free_trial")
      assert.strictEqual((yield* call("/rest/v1", holder, "note_paid", { number: 1 }, "k")).status, 403)
      assert.strictEqual((yield* call("/rest/v1", holder, "note", { number: "x" }, "k")).status, 400)
      assert.strictEqual((yield* call("/rest/v1", holder, "note", { number: 1, ending: "x" }, "k")).status, 422)
      assert.deepInclude(yield* call("/rest/v1", holder, "note", { number: 1 }, "k"), {
        status: 200,
        isReplayed: false
      })
    })
  )

  it.effect("may be repeated on another way, and gets the same answer in its form", () =>
    Effect.gen(function* () {
      const holder = yield* makeTokenHolder()
      const first = yield* call("/rest/v1", holder, "note", { number: 4, ending: "refused" }, "k")
      assert.strictEqual(first.status, 422)
      assert.deepStrictEqual(yield* call("/api/v1", holder, "note", { number: 4, ending: "refused" }, "k"), {
        ...first,
        status: 200,
        isReplayed: true
      })
      const options = { path: "/mcp/x/all", headers: { "Idempotency-Key": "k" } }
      const { result } = yield* calling(holder.token, "note", { number: 4, ending: "refused" }, options)
      assert.strictEqual(result?.content[0]?.text, first.text)
      assert.isTrue(result?.isError)
    })
  )

  it.effect("belongs to its account, and answers no token that was revoked", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [one, other] = [yield* makeTokenHolder(), yield* makeTokenHolder()]
      yield* call("/rest/v1", one, "note", { number: 1 }, "k")
      const another = yield* call("/rest/v1", other, "note", { number: 1 }, "k")
      assert.deepInclude(another, { status: 200, isReplayed: false })
      yield* sql`update access_token set revoked_at = now() where account_id = ${one.caller.accountId}`
      for (const way of ways) {
        assert.strictEqual((yield* call(way, one, "note", { number: 1 }, "k")).status, 401)
      }
      assert.strictEqual(yield* notes(one), 1)
    })
  )

  it.effect("is stored without its key, its arguments and its answer in clear", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const holder = yield* makeTokenHolder()
      yield* call("/rest/v1", holder, "note", { number: 1, text: "someone@example.com" }, "guessable-key")
      const rows = yield* sql<{ readonly row: string }>`
        select k::text as row from keyed_write k where account_id = ${holder.caller.accountId}`
      assert.lengthOf(rows, 1)
      for (const word of ["guessable-key", "someone@example.com", secretOfAnswers, "note"]) {
        assert.notInclude(rows[0]?.row ?? "", word)
        assert.notInclude(rows[0]?.row ?? "", Buffer.from(word).toString("hex"))
      }
      const digests = yield* sql`
        select from keyed_write where account_id = ${holder.caller.accountId} and key_mark = sha256('guessable-key')`
      assert.lengthOf(digests, 0)
    })
  )

  it.effect("is forgotten after a day, with its partition after two", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { keep } = yield* KeyedWrites
      const holder = yield* makeTokenHolder()
      yield* call("/rest/v1", holder, "note", { number: 1 }, "k")
      const age = (hours: number) => sql`
        with old as (delete from keyed_write where account_id = ${holder.caller.accountId} returning *)
        insert into keyed_write (account_id, key_mark, call_mark, begun_on, begun_at, is_running, answer)
        select account_id, key_mark, call_mark, (now() - ${hours} * interval '1 hour')::date,
          now() - ${hours} * interval '1 hour', is_running, answer from old`
      for (const days of [1, 2]) {
        yield* sql`do $$ begin execute format(
          'create table if not exists keyed_write_%s partition of keyed_write for values from (%L) to (%L)',
          to_char(now() - ${sql.literal(String(days))} * interval '1 day', 'YYYYMMDD'),
          (now() - ${sql.literal(String(days))} * interval '1 day')::date,
          (now() - ${sql.literal(String(days - 1))} * interval '1 day')::date); end $$`
      }
      yield* age(23)
      assert.isTrue((yield* call("/rest/v1", holder, "note", { number: 1 }, "k")).isReplayed)
      yield* age(25)
      assert.deepInclude(yield* call("/rest/v1", holder, "note", { number: 2 }, "k"), {
        status: 200,
        isReplayed: false
      })
      assert.strictEqual(yield* notes(holder), 2)
      const dropped = yield* keep
      assert.lengthOf(dropped, 1)
      assert.isTrue((yield* call("/rest/v1", holder, "note", { number: 2 }, "k")).isReplayed)
    })
  )
})

describe("an idempotency key", () => {
  pureTest("is taken bare or quoted", () => {
    assert.strictEqual(idempotencyKeyOf("abc-1"), "abc-1")
    assert.strictEqual(idempotencyKeyOf('"abc-1"'), "abc-1")
    assert.strictEqual(idempotencyKeyOf(String.raw`"a\"b\\c"`), String.raw`a"b\c`)
    for (const key of ["", '""', '"', '"a"b"', String.raw`"a\c"`, "a b", "a\u007f", "\u0000", "x".repeat(256)]) {
      assert.instanceOf(idempotencyKeyOf(key), RequestRefused, JSON.stringify(key))
    }
  })

  pureTest("has the same call for the same arguments in any order, and no other", () => {
    const arguments_ = FastCheck.dictionary(
      FastCheck.string({ maxLength: 5 }),
      FastCheck.oneof(
        FastCheck.string(),
        FastCheck.integer(),
        FastCheck.boolean(),
        FastCheck.array(FastCheck.integer())
      )
    )
    FastCheck.assert(
      FastCheck.property(arguments_, arguments_, (one, other) => {
        const turned = Object.fromEntries(Object.entries(one).reverse())
        assert.strictEqual(fingerprintOf("t", turned), fingerprintOf("t", one))
        const areSame = JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort())
        assert.strictEqual(fingerprintOf("t", one) === fingerprintOf("t", other), areSame)
        assert.notStrictEqual(fingerprintOf("t", one), fingerprintOf("u", one))
      })
    )
  })

  pureTest("returns any answer with the bytes that it had", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.jsonValue(), (json) => {
        const value = { json }
        const replayed = Option.getOrThrow(keptAnswer(storedAnswer({ value })))
        assert.strictEqual("value" in replayed ? JSON.stringify(replayed.value) : undefined, JSON.stringify(value))
      })
    )
  })
})
