import { SqlClient } from "@effect/sql/SqlClient"
import { assert, describe, layer, it as pureTest } from "@effect/vitest"
import { Clock, Effect, FastCheck as fc, Layer, Stream } from "effect"
import { AuditLogPostgres } from "../../src/Layers/Accounts/AuditLogPostgres.ts"
import {
  type ChainEnd,
  type ChainedEntry,
  changesDigestOf,
  emptyChain,
  faultOf,
  linkOf,
  type StoredEntry
} from "../../src/Services/Accounts/AuditChain.ts"
import { AuditTrail } from "../../src/Services/Accounts/AuditTrail.ts"
import type { AccountId } from "../../src/Services/Accounts/Ids.ts"
import { AuditLog } from "../../src/Services/Core/AuditLog.ts"
import { changesBetween } from "../../src/Services/Core/SettingChanges.ts"
import { CustomerFiles } from "../../src/Services/Files/CustomerFiles.ts"
import { CustomerFileId } from "../../src/Services/Files/Ids.ts"
import { makeTokenHolder, send, testGateway } from "../support/servers/TestServer.ts"
import { as } from "../support/TestAccount.ts"
import { onPlatform } from "./tokens/tokens.ts"

type Holder = Effect.Effect.Success<ReturnType<typeof makeTokenHolder>>

const rename = ({ token }: Holder, name: string) =>
  send("/rest/v1/tools/update_user_name", { method: "POST", token, body: JSON.stringify({ name }) })

const flushed = Effect.flatMap(AuditTrail, ({ flush }) => flush)

const verdictOf = (holder: Holder, args: object = {}) =>
  Effect.map(onPlatform(holder, "verify_audit_log", args), ({ json, status, text }) => {
    assert.strictEqual(status, 200, text)
    return json
  })

/** An account with entries at positions 1 to `count`. */
const holderWithEntries = (count: number) =>
  Effect.gen(function* () {
    const holder = yield* makeTokenHolder()
    for (let number = 1; number <= count; number++) yield* rename(holder, `Name ${number}`)
    yield* flushed
    return holder
  })

const entryOf = (accountId: AccountId, at: number, requestId: string) => ({
  at,
  accountId,
  tokenId: undefined,
  requestId,
  tool: "update_user_name",
  argumentNames: ["name"],
  outcome: "Success",
  reason: undefined,
  milliseconds: 1,
  changes: []
})

layer(testGateway(), { excludeTestServices: true })("the chain of the audit log", (it) => {
  it.effect("is intact as it was written, and shows what changed, to its account alone", () =>
    Effect.gen(function* () {
      const holder = yield* holderWithEntries(5)
      const other = yield* makeTokenHolder()
      assert.deepInclude(yield* verdictOf(holder), {
        is_intact: true,
        checked_entries: 5,
        first_position: 1,
        last_position: 5,
        erased_changes: 0,
        starts_at_checkpoint: false,
        fault: null,
        next_position: null
      })
      assert.deepInclude(yield* verdictOf(other), { is_intact: true, checked_entries: 0, last_link: null })
      assert.deepInclude(yield* verdictOf(holder, { after_position: 3 }), { is_intact: true, checked_entries: 2 })
      const listed = yield* onPlatform(holder, "list_audit_entries", { limit: 2 })
      const { entries, next_cursor } = listed.json as {
        readonly entries: ReadonlyArray<{ readonly position: number; readonly changes: ReadonlyArray<object> }>
        readonly next_cursor: string
      }
      assert.deepStrictEqual(
        entries.map(({ changes, position }) => [position, changes]),
        [
          [5, [{ setting: "name", before: "Name 4", after: "Name 5" }]],
          [4, [{ setting: "name", before: "Name 3", after: "Name 4" }]]
        ]
      )
      const rest = yield* onPlatform(holder, "list_audit_entries", { cursor: next_cursor, only_changes: true })
      assert.strictEqual((rest.json as { readonly entries: ReadonlyArray<object> }).entries.length, 3)
      assert.include((yield* onPlatform(other, "list_audit_entries", {})).text, `"entries":[]`)
    })
  )

  it.effect.each([
    {
      what: "a changed byte",
      change: "update audit_entry set tool = 'update_user_names' where account_id = $1 and position = 3",
      verdict: { is_intact: false, fault: "entry_changed", fault_position: 3, checked_entries: 2 }
    },
    {
      what: "a moved time",
      change:
        "update audit_entry set at = shifted(at, interval '1 millisecond') where account_id = $1 and position = 3",
      verdict: { is_intact: false, fault: "entry_changed", fault_position: 3 }
    },
    {
      what: "another token",
      change: "update audit_entry set access_token_id = access_token_id + 1 where account_id = $1 and position = 3",
      verdict: { is_intact: false, fault: "entry_changed", fault_position: 3 }
    },
    {
      what: "a removed entry",
      change: "delete from audit_entry where account_id = $1 and position = 2",
      verdict: { is_intact: false, fault: "entry_missing", fault_position: 3 }
    },
    {
      what: "a removed first entry",
      change: "delete from audit_entry where account_id = $1 and position = 1",
      verdict: { is_intact: false, fault: "entry_missing", fault_position: 2 }
    },
    {
      what: "a removed last entry",
      change: "delete from audit_entry where account_id = $1 and position = 5",
      verdict: { is_intact: false, fault: "end_missing", fault_position: 5 }
    },
    {
      what: "a removed last entry and a head that was moved back",
      change: `with gone as (delete from audit_entry where account_id = $1 and position = 5)
        update audit_head h set position = 4, link = e.link from audit_entry e
        where h.account_id = $1 and e.account_id = $1 and e.position = 4`,
      verdict: { is_intact: false, fault: "head_invalid" }
    },
    {
      what: "other changes of a setting",
      change:
        "update audit_entry set changes = replace(changes, 'Name', 'Nome') where account_id = $1 and position = 4",
      verdict: { is_intact: false, fault: "changes_changed", fault_position: 4 }
    },
    {
      what: "a link that was computed again for a changed entry, without those after it",
      change: "update audit_entry set link = sha256('x'::bytea) where account_id = $1 and position = 4",
      verdict: { is_intact: false, fault: "entry_changed", fault_position: 4 }
    },
    {
      what: "changes that were erased",
      change: "update audit_entry set changes = null, salt = null where account_id = $1 and position = 4",
      verdict: { is_intact: true, erased_changes: 1, checked_entries: 5 }
    }
  ])("finds $what", ({ change, verdict }) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const holder = yield* holderWithEntries(5)
      yield* sql.unsafe(change, [holder.caller.accountId])
      assert.deepInclude(yield* verdictOf(holder), verdict)
    })
  )

  it.effect("holds after a person was erased from what calls changed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const holder = yield* makeTokenHolder()
      for (const name of ["First", "Ask zulmira@q.example", "Last"]) yield* rename(holder, name)
      yield* flushed
      const erased = yield* onPlatform(holder, "erase_person", { email: "zulmira@q.example" })
      assert.strictEqual(erased.status, 200, erased.text)
      yield* flushed
      assert.deepInclude(yield* verdictOf(holder), { is_intact: true, erased_changes: 2, checked_entries: 4 })
      const rows = yield* sql`select from audit_entry e where account_id = ${holder.caller.accountId}
        and e::text like '%zulmira%'`
      assert.lengthOf(rows, 0)
    })
  )

  it.effect("continues from a signed checkpoint where old entries were dropped", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const log = yield* AuditLog
      const trail = yield* AuditTrail
      const holder = yield* makeTokenHolder()
      const { accountId } = holder.caller
      const now = yield* Clock.currentTimeMillis
      const day = 24 * 3_600_000
      for (const days of [92, 92, 91, 3]) {
        log.record(entryOf(accountId, now - days * day, `old-${days}`))
        yield* flushed
      }
      assert.deepInclude(yield* verdictOf(holder), { is_intact: true, checked_entries: 4 })
      assert.lengthOf(yield* trail.keep, 2)
      yield* rename(holder, "New")
      yield* flushed
      assert.deepInclude(yield* verdictOf(holder), {
        is_intact: true,
        checked_entries: 2,
        first_position: 4,
        starts_at_checkpoint: true
      })
      yield* sql`update audit_checkpoint set position = 2 where account_id = ${accountId}`
      assert.deepInclude(yield* verdictOf(holder), { is_intact: false, fault: "checkpoint_invalid" })
      yield* sql`delete from audit_checkpoint where account_id = ${accountId}`
      assert.deepInclude(yield* verdictOf(holder), { is_intact: false, fault: "entry_missing", fault_position: 4 })
    })
  )

  it.effect("is one chain, however many processes write it at once", () =>
    Effect.gen(function* () {
      const { caller } = yield* makeTokenHolder()
      const now = yield* Clock.currentTimeMillis
      const process = (name: string) =>
        Effect.gen(function* () {
          const log = yield* AuditLog
          const trail = yield* AuditTrail
          for (let number = 0; number < 50; number++) {
            log.record(entryOf(caller.accountId, now + number, `${name}-${number}`))
            if (number % 5 === 4) yield* trail.flush
          }
          yield* trail.flush
        }).pipe(Effect.provide(Layer.fresh(AuditLogPostgres)))
      yield* Effect.all(["a", "b", "c"].map(process), { concurrency: "unbounded" })
      const trail = yield* AuditTrail
      assert.deepInclude(yield* trail.verify(caller.accountId, undefined), { is_intact: true, checked_entries: 150 })
    })
  )

  it.effect("is exported as lines of JSON", () =>
    Effect.gen(function* () {
      const holder = yield* holderWithEntries(3)
      const exported = yield* onPlatform(holder, "export_audit_log", {})
      assert.strictEqual(exported.status, 200, exported.text)
      assert.deepInclude(exported.json, { entries: 3, is_complete: true })
      const { customer_file_id } = exported.json as { readonly customer_file_id: number }
      const files = yield* CustomerFiles
      const chunks = yield* Stream.runCollect(files.read(CustomerFileId.make(customer_file_id))).pipe(as(holder.caller))
      const lines = Buffer.concat([...chunks])
        .toString("utf8")
        .trimEnd()
        .split("\n")
      assert.strictEqual(lines.length, 4)
      assert.deepStrictEqual(
        lines.slice(1).map((line) => (JSON.parse(line) as { readonly position: number }).position),
        [3, 2, 1]
      )
    })
  )
})

describe("a chain of entries", () => {
  const entries = fc.array(
    fc.record({
      requestId: fc.string({ maxLength: 5 }),
      tool: fc.string({ maxLength: 5 }),
      argumentNames: fc.array(fc.string({ maxLength: 3 }), { maxLength: 3 }),
      milliseconds: fc.nat(1000),
      changes: fc.option(fc.json({ maxDepth: 1 }))
    }),
    { minLength: 1, maxLength: 6 }
  )

  const chainOf = (
    drafts: ReadonlyArray<
      { readonly changes: string | null } & Pick<ChainedEntry, "requestId" | "tool" | "argumentNames" | "milliseconds">
    >
  ) => {
    let end: ChainEnd = emptyChain
    return drafts.map(({ changes, ...entry }): StoredEntry => {
      const salt = changes === null ? null : Buffer.from("salt")
      const chained: ChainedEntry = {
        ...entry,
        position: end.position + 1,
        at: 1_790_000_000_000,
        tokenId: 7,
        outcome: "Success",
        reason: null,
        changesDigest: changes === null || salt === null ? null : changesDigestOf(salt, changes)
      }
      const link = linkOf(end.link, chained)
      end = { position: chained.position, link }
      return { ...chained, link, salt, changes }
    })
  }

  const firstFault = (chain: ReadonlyArray<StoredEntry>): number | undefined => {
    let end: ChainEnd = emptyChain
    for (const entry of chain) {
      if (faultOf(end, entry) !== undefined) return entry.position
      end = entry
    }
    return undefined
  }

  pureTest("is broken by any change to any of them, and by none that is erased", () => {
    fc.assert(
      fc.property(entries, fc.nat(), fc.nat(5), (drafts, which, how) => {
        const chain = chainOf(drafts)
        assert.isUndefined(firstFault(chain))
        const index = which % chain.length
        const changed = chain.map((entry, at): StoredEntry => {
          if (at !== index) return entry
          switch (how) {
            case 0:
              return { ...entry, tool: `${entry.tool}x` }
            case 1:
              return { ...entry, requestId: `${entry.requestId}x` }
            case 2:
              return { ...entry, milliseconds: entry.milliseconds + 1 }
            case 3:
              return { ...entry, argumentNames: [...entry.argumentNames, "x"] }
            case 4:
              return { ...entry, tokenId: null }
            default:
              return { ...entry, outcome: "Refused" }
          }
        })
        assert.strictEqual(firstFault(changed), index + 1)
        assert.isUndefined(firstFault(chain.map((entry) => ({ ...entry, changes: null, salt: null }))))
        if (chain.length > 1 && index < chain.length - 1) {
          assert.isDefined(firstFault(chain.filter((_, at) => at !== index)))
        }
      })
    )
  })

  pureTest("has changes of settings whose values differ", () => {
    assert.deepStrictEqual(changesBetween({ a: 1, b: [1], c: "x" }, { a: 2, b: [1], d: null, e: 0 }), [
      { setting: "a", before: 1, after: 2 },
      { setting: "c", before: "x", after: null },
      { setting: "e", before: null, after: 0 }
    ])
  })
})
