import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { accountCommands } from "../../src/Layers/Accounts/Commands.ts"
import { AuditTrail, noFilter } from "../../src/Services/Accounts/AuditTrail.ts"
import { fromMillis } from "../../src/Services/Core/Timestamp.ts"
import { runCommand } from "../support/leads/RoomCommands.ts"
import { makeTokenHolder, send, testGateway } from "../support/servers/TestServer.ts"

type Holder = Effect.Effect.Success<ReturnType<typeof makeTokenHolder>>

const call = ({ token }: Holder, tool: string, args: object, requestId: string) =>
  send(`/rest/v1/tools/${tool}`, {
    method: "POST",
    token,
    body: JSON.stringify(args),
    headers: { "X-Request-Id": requestId }
  })

const entriesOf = ({ caller: { accountId } }: Holder) =>
  Effect.gen(function* () {
    const trail = yield* AuditTrail
    yield* trail.flush
    const listed = yield* trail.list(accountId, noFilter, { limit: 100, before: undefined })
    return listed.map(({ call: audited }) => audited)
  })

const secret = "Segredo Pessoal 123"

layer(testGateway(), { excludeTestServices: true })("the audit log", (it) => {
  it.effect(
    "has each write with who called it, which arguments it gave and how it ended, and no other value than settings",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const holder = yield* makeTokenHolder("free_trial")
        yield* call(holder, "update_user_name", { name: "Souza" }, "r-1")
        yield* call(holder, "update_user_name", { name: "  " }, "r-2")
        yield* call(holder, "setup_custom_domain", { action: "activate", email_address: "segredo@x.example" }, "r-3")
        yield* call(holder, "update_user_name", { name: "x", [secret]: 1 }, "r-4")
        yield* call(holder, "remove_member", { name_or_phone: "Souza" }, "r-5")
        // Reads leave nothing.
        yield* call(holder, "whoami", {}, "r-6")
        yield* send("/rest/v1/call/list_members", { token: holder.token })

        const found = (yield* entriesOf(holder)).toReversed()
        assert.deepStrictEqual(
          found.map(({ argument_names, outcome, reason, request_id, tool }) => [
            request_id,
            tool,
            argument_names.join(),
            outcome,
            reason
          ]),
          [
            ["r-1", "update_user_name", "name", "Success", null],
            ["r-2", "update_user_name", "name", "Refused", "text_empty"],
            ["r-3", "setup_custom_domain", "action,email_address", "PlanRequired", "paid_plan_required"],
            ["r-4", "update_user_name", "name", "RequestRefused", "UnknownParameter"],
            ["r-5", "remove_member", "name_or_phone", "Refused", "owner_cannot_be_removed"]
          ]
        )
        assert.isTrue(found.every(({ token_id }) => token_id !== null))
        assert.deepStrictEqual(
          found.flatMap(({ changes }) => changes.map(({ after, setting }) => [setting, after])),
          [["name", "Souza"]]
        )
        const rows = yield* sql`select to_jsonb(e) as e from audit_entry e`
        assert.notMatch(JSON.stringify(rows), /segredo/i)
        assert.notInclude(JSON.stringify(rows), holder.token)
      })
  )

  it.effect("has what was rolled back, and nothing of other accounts", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const holder = yield* makeTokenHolder()
      const other = yield* makeTokenHolder()
      yield* sql`alter table account add constraint broken check (name <> 'Broken')`
      const answer = yield* call(holder, "update_user_name", { name: "Broken" }, "r-1")
      yield* sql`alter table account drop constraint broken`
      assert.strictEqual(answer.status, 500)
      assert.deepStrictEqual(
        (yield* entriesOf(holder)).map(({ outcome }) => outcome),
        ["Defect"]
      )
      assert.deepStrictEqual(yield* entriesOf(other), [])
    })
  )

  it.effect("keeps what cannot be written at once, and writes it once it can", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const trail = yield* AuditTrail
      const holder = yield* makeTokenHolder()
      yield* call(holder, "update_user_name", { name: "A" }, "r-1")
      yield* trail.flush
      const rows = yield* sql<{ readonly name: string }>`
        select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'audit_entry'::regclass`
      for (const { name } of rows) yield* sql`drop table ${sql(name)}`
      yield* call(holder, "update_user_name", { name: "B" }, "r-2")
      assert.deepStrictEqual(
        (yield* entriesOf(holder)).map(({ request_id }) => request_id),
        ["r-2"]
      )
    })
  )

  it.effect("is kept for ninety days, in a partition a day", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const trail = yield* AuditTrail
      const { caller } = yield* makeTokenHolder()
      const now = yield* Clock.currentTimeMillis
      const day = 24 * 3_600_000
      const nameOf = (millis: number) => `audit_entry_${fromMillis(millis).slice(0, 10).replaceAll("-", "")}`
      for (const days of [89, 91]) {
        const start = Math.floor((now - days * day) / day) * day
        yield* sql.unsafe(
          `create table ${nameOf(start)} partition of audit_entry for values from ('${fromMillis(start)}') to ('${fromMillis(start + day)}')`
        )
        yield* sql`
          insert into audit_entry (account_id, at, request_id, tool, argument_names, outcome, milliseconds)
          values (${caller.accountId}, ${fromMillis(start)}, ${`d-${days}`}, 'x', '{}', 'Success', 1)`
      }
      assert.deepStrictEqual(yield* trail.keep, [nameOf(now - 91 * day)])
      assert.deepStrictEqual(yield* trail.keep, [])
      const kept = yield* trail.list(caller.accountId, { ...noFilter, tool: "x" }, { limit: 10, before: undefined })
      assert.deepStrictEqual(
        kept.map(({ call: audited }) => audited.request_id),
        ["d-89"]
      )
    })
  )

  it.effect("is read by the command line", () =>
    Effect.gen(function* () {
      const trail = yield* AuditTrail
      const holder = yield* makeTokenHolder()
      yield* call(holder, "update_user_name", { name: "A" }, "r-1")
      yield* call(holder, "update_user_name", { name: "" }, "r-2")
      yield* trail.flush
      const account = `${holder.caller.accountId}`
      const all = yield* runCommand(accountCommands, ["audit", "list", "--account", account])
      assert.match(all, /update_user_name\(name\) Success \d+ ms token \d+ request r-1/)
      const refused = yield* runCommand(accountCommands, [
        ...["audit", "list", "--account", account],
        ...["--outcome", "Refused", "--since", "2020-01-01"]
      ])
      assert.match(refused, /Refused \(text_empty\).*r-2\n1 calls$/)
    })
  )
})
