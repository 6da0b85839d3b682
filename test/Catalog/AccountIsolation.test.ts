import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer, it as plainIt } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { AllTools } from "../../src/Tools/AllTools.ts"
import { PlatformTools } from "../../src/Tools/PlatformTools.ts"
import { recordsOfAccount, roomsWithoutRecords } from "../support/AllRecords.ts"
import { accountDigest } from "../support/checks/databaseDigest.ts"
import type { RecordId, RecordIds } from "../support/leads/RoomRecords.ts"
import { makeTokenHolder, send, testGateway } from "../support/servers/TestServer.ts"

/** An id that no record of any account has. */
const unusedId = 900_719_925_474

interface Holder {
  readonly caller: Caller["Type"]
  readonly token: string
}

/** Two accounts for all tools: what one of them does may change nothing of the other. */
class Accounts extends Context.Tag("Accounts")<
  Accounts,
  {
    readonly owner: Holder
    readonly records: RecordIds
    readonly stranger: Holder
    /** Of all that the owner has, before anyone called. */
    readonly digest: Readonly<Record<string, string>>
  }
>() {}

const AccountsLive = Layer.effect(
  Accounts,
  Effect.gen(function* () {
    const owner = yield* makeTokenHolder()
    const records = yield* recordsOfAccount(owner.caller)
    const stranger = yield* makeTokenHolder()
    return { owner, records, stranger, digest: yield* accountDigest(owner.caller.accountId) }
  })
)

const isId = (format: string | undefined): boolean => format === "id" || format === "ids"

const pairs = [
  ...AllTools.entries.map(({ tool }) => ({ tool, prefix: "/rest/v1" })),
  ...PlatformTools.entries.map(({ tool }) => ({ tool, prefix: "/platform/v1" }))
].flatMap(({ prefix, tool }) =>
  Object.entries(tool.parameters).map(([parameter, { format }]) => ({ prefix, tool, parameter, format }))
)

/** Logs, which a token filters: one that is not there has no entries. */
const filtered: ReadonlySet<string> = new Set([
  "export_audit_log",
  "get_usage",
  "list_audit_entries",
  "list_request_errors",
  "list_requests"
])

/** Its leads are those of a test account, in another database. */
const isOfTestAccount = ({ parameter, tool }: (typeof pairs)[number]): boolean =>
  tool.name === "play_prospect" && parameter === "lead_id"

const textOf = (id: RecordId): string => (typeof id === "number" ? `${id}` : id.text)
const unusedLike = (id: RecordId): number | string => (typeof id === "number" ? unusedId : id.unused)

plainIt("every room whose tools take ids of its records makes such records", () => {
  assert.deepStrictEqual(roomsWithoutRecords, [])
})

layer(AccountsLive.pipe(Layer.provideMerge(testGateway())), { excludeTestServices: true })(
  "records of another account",
  (it) => {
    const foreignAndUnused = ({ parameter, prefix, tool }: (typeof pairs)[number], id: RecordId) =>
      Effect.gen(function* () {
        const { digest, owner, stranger } = yield* Accounts
        const call = (value: number | string) =>
          send(`${prefix}/tools/${tool.name}`, {
            method: "POST",
            token: stranger.token,
            body: JSON.stringify({ ...tool.example, [parameter]: value }),
            headers: { "X-Request-Id": "isolation" }
          })
        const foreign = yield* call(typeof id === "number" ? id : id.text)
        const unused = yield* call(unusedLike(id))
        assert.strictEqual(foreign.status, unused.status)
        assert.strictEqual(foreign.text.replaceAll(textOf(id), `${unusedLike(id)}`), unused.text)
        assert.deepStrictEqual(yield* accountDigest(owner.caller.accountId), digest)
        return foreign
      })

    it.effect.each(
      pairs.filter((pair) => isId(pair.format) && !filtered.has(pair.tool.name) && !isOfTestAccount(pair))
    )("$tool.name with $parameter answers as for an id never used, and changes nothing", (pair) =>
      Effect.gen(function* () {
        const { records } = yield* Accounts
        const id = records[pair.parameter]
        if (id === undefined) return assert.fail(`No test/<Room>/records.ts makes a record for ${pair.parameter}.`)
        const { status } = yield* foreignAndUnused(pair, id)
        // A call with a list of ids may succeed and report the ids that were not found.
        assert.include(pair.format === "ids" ? [200, 404, 422] : [403, 404, 422], status)
      })
    )

    it.effect.each(pairs.filter(({ parameter, tool }) => parameter === "token_id" && filtered.has(tool.name)))(
      "$tool.name shows nothing where it is filtered by a token of another account",
      ({ prefix, tool }) =>
        Effect.gen(function* () {
          const { digest, owner, records, stranger } = yield* Accounts
          const { status, text } = yield* send(`${prefix}/tools/${tool.name}`, {
            method: "POST",
            token: stranger.token,
            body: JSON.stringify({ ...tool.example, token_id: records["token_id"] })
          })
          assert.strictEqual(status, 200)
          assert.notInclude(text, '"request_id"')
          assert.notMatch(text, /"(?:calls|failed_calls)":[1-9]/)
          assert.deepStrictEqual(yield* accountDigest(owner.caller.accountId), digest)
        })
    )

    it.effect("of which the id is a text cannot be told from records that never were", () =>
      Effect.gen(function* () {
        const { records } = yield* Accounts
        const found = pairs.filter(({ format, parameter }) => !isId(format) && typeof records[parameter] === "object")
        assert.isNotEmpty(found)
        for (const pair of found) {
          const id = records[pair.parameter]
          if (id !== undefined) assert.strictEqual((yield* foreignAndUnused(pair, id)).status, 404, pair.tool.name)
        }
      })
    )

    it.effect("are there for their own account", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { owner, records } = yield* Accounts
        const answer = yield* send(`/rest/v1/call/get_lead?lead_id=${textOf(records["lead_id"] ?? 0)}`, {
          token: owner.token
        })
        assert.strictEqual(answer.status, 200)
        assert.isNotEmpty(yield* sql`select from lead where account_id = ${owner.caller.accountId}`)
      })
    )
  }
)
