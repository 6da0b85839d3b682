import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { AccountPhones } from "../../src/Services/Accounts/AccountPhones.ts"
import { Accounts } from "../../src/Services/Accounts/Accounts.ts"
import { ChatAppOutbox } from "../../src/Services/ChatApp/ChatAppMessages.ts"
import { OwnerMails } from "../../src/Services/Events/OwnerNotices.ts"
import { LeadId } from "../../src/Services/Leads/Ids.ts"
import { MailOutbox } from "../../src/Services/Mail/MailOutbox.ts"
import { MemberView, mostMembers } from "../../src/Services/Members/Members.ts"
import { makeTokenHolder, send, testGateway } from "../support/servers/TestServer.ts"

type Holder = Effect.Effect.Success<ReturnType<typeof makeTokenHolder>>

const Refusal = Schema.Struct({ reason: Schema.String, type: Schema.String })
const Listed = Schema.Struct({ members: Schema.Array(MemberView) })

let phones = 0
/** A number that nobody has yet. */
const newPhone = () => `+5511987${String(600_000 + ++phones)}`

const call = (token: string, tool: string, args: object = {}) =>
  send(`/rest/v1/tools/${tool}`, { method: "POST", token, body: JSON.stringify(args) })

const done = <A, I>(token: string, tool: string, schema: Schema.Schema<A, I>, args: object = {}) =>
  Effect.map(call(token, tool, args), (answer) => {
    assert.strictEqual(answer.status, 200, answer.text)
    return Schema.decodeUnknownSync(schema)(answer.json)
  })

const refusedWith = (token: string, tool: string, args: object) =>
  Effect.map(call(token, tool, args), (answer) => {
    assert.isAbove(answer.status, 399, answer.text)
    return Schema.decodeUnknownSync(Refusal)(answer.json).reason
  })

const add = ({ token }: Holder, member: object) => done(token, "add_member", MemberView, member)
const list = ({ token }: Holder) => Effect.map(done(token, "list_members", Listed), ({ members }) => members)

/** Does what waits in the two outboxes of the account, as the engine would. */
const deliverAll = ({ caller: { accountId } }: Holder) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const mails = yield* MailOutbox
    const chats = yield* ChatAppOutbox
    const queued = yield* sql<{ readonly id: number }>`
      select email_message_id as id from email_message
      where account_id = ${accountId} and status = 'queued' and direction = 'outbound'`
    for (const { id } of queued) yield* mails.deliver({ accountId, emailMessageId: id }, { isLast: true })
    const waiting = yield* sql<{ readonly id: number }>`
      select chatapp_message_id as id from chatapp_message where account_id = ${accountId} and status = 'queued'`
    for (const { id } of waiting) yield* chats.deliver({ accountId, chatAppMessageId: id }, { isLast: true })
  })

const sentMails = ({ caller: { accountId } }: Holder, to: string) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql<{ readonly subject: string; readonly body: string }>`
      select subject, body_text as body from sandbox_mail
      where account_id = ${accountId} and to_address = ${to} and direction = 'outbound' order by sandbox_mail_id`
  )

/** The same welcome goes once a day to someone who has opened none. */
const nextDay = Effect.flatMap(SqlClient, (sql) => sql`update mail_recipient set day = day - 1`)

const linkIn = (text: string) => /\/access\/\S+/.exec(text)?.[0] ?? "/access/none"

const liveLine = ({ caller: { accountId } }: Holder) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql`
      insert into chatapp_line (account_id, status, uses_own_number, phone, provider_line_id)
      values (${accountId}, 'live', false, '+15550100000', ${`sandbox-${accountId}`})`
  )

layer(testGateway(), { excludeTestServices: true })("members", (it) => {
  it.effect("fifty accounts may add one phone at once, since none has proved it", () =>
    Effect.gen(function* () {
      const holders = yield* Effect.forEach(Array.from({ length: 50 }), () => makeTokenHolder())
      const phone = newPhone()
      const answers = yield* Effect.forEach(
        holders,
        ({ token }) => call(token, "add_member", { name: "Ana", phone_number: phone }),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        Array.from({ length: 50 }, () => 200)
      )
    })
  )

  it.effect("fifty callers of one account that add one phone at once make one member", () =>
    Effect.gen(function* () {
      const holder = yield* makeTokenHolder()
      const phone = newPhone()
      const answers = yield* Effect.forEach(
        Array.from({ length: 50 }),
        () => call(holder.token, "add_member", { name: "Ana", phone_number: phone }),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(answers.filter(({ status }) => status === 200).length, 1)
      assert.strictEqual((yield* list(holder)).length, 2)
    })
  )

  it.effect(
    "a phone of an account's owner, however it is written, is taken; one of a removed member is free again",
    () =>
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const first = yield* makeTokenHolder()
        const second = yield* makeTokenHolder()
        yield* accounts.create({ name: "Other", email: undefined, phone: "(11) 90000-0007", plan: "free_trial" })
        assert.strictEqual(
          yield* refusedWith(first.token, "add_member", { name: "Ana", phone_number: "+55 11 90000-0007" }),
          "phone_taken"
        )
        const again = { name: "Second", email: undefined, phone: "+5511900000007", plan: "free_trial" } as const
        const count = Effect.map(accounts.list, (all) => all.length)
        const before = yield* count
        const refusals = yield* Effect.forEach([1, 2, 3], () => Effect.flip(accounts.create(again)), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(
          refusals.map((refusal) => refusal.reason),
          ["phone_taken", "phone_taken", "phone_taken"]
        )
        assert.strictEqual(yield* count, before)
        const phone = newPhone()
        yield* add(first, { name: "Ana", phone_number: phone })
        const spelled = phone.replace(/^\+55(\d\d)(\d{5})/, "($1) $2-")
        const phones = yield* AccountPhones
        yield* phones.prove(first.caller.accountId, phone)
        assert.strictEqual(
          yield* refusedWith(second.token, "add_member", { name: "Ana", phone_number: spelled }),
          "phone_taken"
        )
        yield* call(first.token, "remove_member", { name_or_phone: spelled })
        assert.strictEqual((yield* add(second, { name: "Ana", phone_number: spelled })).phone, phone)
      })
  )

  it.effect("bad names, phones and addresses are refused, and so is one member too many", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const holder = yield* makeTokenHolder()
      const reason = (args: object) => refusedWith(holder.token, "add_member", args)
      assert.strictEqual(yield* reason({ name: "  ", phone_number: newPhone() }), "text_empty")
      assert.strictEqual(yield* reason({ name: "Ana\nBcc: x@y.example", phone_number: "123" }), "invalid_phone")
      assert.strictEqual(
        yield* reason({ name: "Ana", phone_number: newPhone(), email: "not an address" }),
        "invalid_email"
      )
      yield* sql`
        insert into member (account_id, name, phone, created_at)
        select ${holder.caller.accountId}, 'M' || n, '+1' || n, instant() from generate_series(1, ${mostMembers}) n`
      assert.strictEqual(yield* reason({ name: "Ana", phone_number: newPhone() }), "too_many_members")
    })
  )

  it.effect("are welcomed by mail and chat, with the real state of each, and what waits is not queued twice", () =>
    Effect.gen(function* () {
      const holder = yield* makeTokenHolder()
      yield* liveLine(holder)
      const added = yield* add(holder, { name: "Ana Lima", phone_number: newPhone(), email: "Ana@Team.example" })
      assert.deepInclude(added.welcome_email, { status: "queued", sent_at: null })
      assert.deepInclude(added.welcome_chatapp, { status: "queued", sent_at: null })

      const again = yield* done(holder.token, "resend_member_welcome", MemberView, { member_id: added.member_id })
      assert.deepStrictEqual(again, added)
      yield* deliverAll(holder)
      const [, sent] = yield* list(holder)
      assert.strictEqual(sent?.welcome_email?.status, "sent")
      assert.strictEqual(sent?.welcome_chatapp?.status, "sent")
      assert.strictEqual((yield* sentMails(holder, "ana@team.example")).length, 1)

      yield* nextDay
      const resent = yield* done(holder.token, "resend_member_welcome", MemberView, {
        member_id: added.member_id,
        channel: "Email"
      })
      assert.strictEqual(resent.welcome_email?.status, "queued")
      assert.strictEqual(resent.welcome_chatapp?.status, "sent")
    })
  )

  it.effect("a welcome that cannot be sent says why", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const holder = yield* makeTokenHolder()
      const { accountId } = holder.caller
      yield* sql`insert into email_suppression (account_id, email, reason) values (${accountId}, 'no@team.example', 'complaint')`
      yield* add(holder, { name: "Ana", phone_number: newPhone(), email: "no@team.example" })
      yield* add(holder, { name: "Bia", phone_number: newPhone(), email: "sandbox-reject@team.example" })
      yield* deliverAll(holder)
      const [, ana, bia] = yield* list(holder)
      assert.deepInclude(ana?.welcome_email, { status: "failed", failure_reason: "address_not_writable" })
      assert.deepInclude(ana?.welcome_chatapp, { status: "failed", failure_reason: "chatapp_line_not_live" })
      assert.deepInclude(bia?.welcome_email, { status: "failed", failure_reason: "recipient_rejected" })
      const withoutMail = yield* add(holder, { name: "Caio", phone_number: newPhone() })
      assert.strictEqual(
        yield* refusedWith(holder.token, "resend_member_welcome", {
          member_id: withoutMail.member_id,
          channel: "Email"
        }),
        "member_without_email"
      )
    })
  )

  it.effect("a link of a welcome gives an access token once, and a newer welcome ends it", () =>
    Effect.gen(function* () {
      const holder = yield* makeTokenHolder()
      const added = yield* add(holder, { name: "Ana", phone_number: newPhone(), email: "ana@team.example" })
      yield* deliverAll(holder)
      yield* nextDay
      yield* call(holder.token, "resend_member_welcome", { member_id: added.member_id, channel: "Email" })
      yield* deliverAll(holder)
      const links = (yield* sentMails(holder, "ana@team.example")).map(({ body }) => linkIn(body))
      const open = (link: string) => send(link, { method: "POST", headers: { "Accept-Language": "en" } })

      assert.strictEqual((yield* send(links[1] ?? "")).status, 200)
      assert.strictEqual((yield* open(links[0] ?? "")).status, 404)
      const opened = yield* Effect.forEach(Array.from({ length: 20 }), () => open(links[1] ?? ""), {
        concurrency: "unbounded"
      })
      const shown = opened.filter(({ status }) => status === 200)
      assert.strictEqual(shown.length, 1)
      const token = /pgw_\w+/.exec(shown[0]?.text ?? "")?.[0] ?? ""
      assert.strictEqual((yield* call(token, "whoami")).status, 200)
      assert.strictEqual((yield* list(holder))[1]?.access_tokens, 1)
      assert.strictEqual((yield* open(`${(links[1] ?? "").slice(0, -1)}A`)).status, 404)
      assert.strictEqual((yield* open("/access/zz-1-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")).status, 404)
    })
  )

  it.effect("a removed member loses access, links and all that is queued, and gets no further notice", () =>
    Effect.gen(function* () {
      const owners = yield* OwnerMails
      const holder = yield* makeTokenHolder()
      const { accountId } = holder.caller
      const added = yield* add(holder, { name: "Ana", phone_number: newPhone(), email: "ana@team.example" })
      yield* deliverAll(holder)
      const [first] = yield* sentMails(holder, "ana@team.example")
      const token = /pgw_\w+/.exec((yield* send(linkIn(first?.body ?? ""), { method: "POST" })).text)?.[0] ?? ""
      assert.strictEqual((yield* call(token, "whoami")).status, 200)

      const notify = (kind: "lead_became_interested" | "lead_confirmed" | "held_lead_replied") =>
        owners.send(accountId, kind, LeadId.make(1), { leadName: "Bia" })
      yield* notify("lead_became_interested")
      yield* notify("lead_confirmed")
      // Copies are of these two alone.
      yield* notify("held_lead_replied")
      yield* deliverAll(holder)
      assert.strictEqual((yield* sentMails(holder, "ana@team.example")).length, 3)

      yield* call(holder.token, "resend_member_welcome", { member_id: added.member_id })
      yield* notify("lead_confirmed")
      const removed = yield* done(holder.token, "remove_member", Schema.Struct({ removed: MemberView }), {
        name_or_phone: "ana"
      })
      assert.strictEqual(removed.removed.member_id, added.member_id)
      yield* notify("lead_confirmed")
      yield* deliverAll(holder)
      assert.strictEqual((yield* sentMails(holder, "ana@team.example")).length, 3)
      assert.strictEqual((yield* call(token, "whoami")).status, 401)
      assert.strictEqual((yield* list(holder)).length, 1)
      assert.strictEqual(
        yield* refusedWith(holder.token, "remove_member", { name_or_phone: "ana" }),
        "member_not_found"
      )
    })
  )

  it.effect("the owner stays, and members of others are not there", () =>
    Effect.gen(function* () {
      const holder = yield* makeTokenHolder()
      const stranger = yield* makeTokenHolder()
      const added = yield* add(holder, { name: "Ana", phone_number: newPhone() })
      const [owner] = yield* list(holder)
      assert.strictEqual(owner?.is_owner, true)
      assert.strictEqual(
        yield* refusedWith(holder.token, "remove_member", { name_or_phone: owner?.name ?? "" }),
        "owner_cannot_be_removed"
      )
      assert.strictEqual(
        yield* refusedWith(stranger.token, "update_member", { member_id: added.member_id, name: "Eve" }),
        "member_not_found"
      )
      assert.strictEqual(
        yield* refusedWith(stranger.token, "remove_member", { name_or_phone: "Ana" }),
        "member_not_found"
      )
    })
  )

  it.effect("a changed address is welcomed, an empty one goes, and fields left out stay", () =>
    Effect.gen(function* () {
      const holder = yield* makeTokenHolder()
      const added = yield* add(holder, { name: "Ana", phone_number: newPhone() })
      assert.isNull(added.welcome_email)
      const update = (changes: object) =>
        done(holder.token, "update_member", MemberView, { member_id: added.member_id, ...changes })
      const named = yield* update({ name: "Ana Lima" })
      assert.deepStrictEqual(Option.some(named), Option.some({ ...added, name: "Ana Lima" }))
      const mailed = yield* update({ email: "ana@team.example" })
      assert.deepInclude(mailed, { email: "ana@team.example", name: "Ana Lima" })
      assert.strictEqual(mailed.welcome_email?.status, "queued")
      const gone = yield* update({ email: "" })
      assert.isNull(gone.email)
      // What waited for the address is taken back.
      assert.deepInclude(gone.welcome_email, { status: "failed", failure_reason: "withdrawn" })
      assert.strictEqual(
        yield* refusedWith(holder.token, "update_member", { member_id: added.member_id }),
        "nothing_to_change"
      )
    })
  )
})
