import { SqlClient } from "@effect/sql/SqlClient"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { MailOutbox } from "../../src/Services/Mail/MailOutbox.ts"
import { mostOfAccount, mostToStranger, StrangerMails } from "../../src/Services/Mail/StrangerMails.ts"
import { mailedName } from "../../src/Services/Text/MailedName.ts"
import { makeTokenHolder, send, testGateway } from "../support/servers/TestServer.ts"
import { openLatestLink } from "./support/memberLinks.ts"

type Holder = Effect.Effect.Success<ReturnType<typeof makeTokenHolder>>

let phones = 0
const newPhone = () => `+5511987${String(640_000 + ++phones)}`

const call = ({ token }: Holder, tool: string, args: object) =>
  send(`/rest/v1/tools/${tool}`, { method: "POST", token, body: JSON.stringify(args) })

const Added = Schema.Struct({ member_id: Schema.Int })

const add = (holder: Holder, email: string, name = "Ana") =>
  call(holder, "add_member", { name, phone_number: newPhone(), email })

const limitOf = ({ json, status, text }: Effect.Effect.Success<ReturnType<typeof send>>) => {
  assert.strictEqual(status, 422, text)
  assert.deepInclude(json, { reason: "too_many_mails", type: "Refused" })
  return Schema.decodeUnknownSync(Schema.Struct({ limit: Schema.String }))(json).limit
}

/** Mails to an address that are queued or were sent, of all accounts. */
const mailsTo = (address: string) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql<{ readonly subject: string; readonly text: string; readonly status: string }>`
      select subject, body_text as text, status from email_message
      where to_address = ${address} and direction = 'outbound' and status in ('queued', 'sent')`
  )

/** Sends what the account has queued; answers what a receiver gets. */
const delivered = ({ caller: { accountId } }: Holder) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const outbox = yield* MailOutbox
    const queued = yield* sql<{ readonly id: number }>`
      select email_message_id as id from email_message
      where account_id = ${accountId} and status = 'queued' and direction = 'outbound'`
    for (const { id } of queued) yield* outbox.deliver({ accountId, emailMessageId: id }, { isLast: true })
    return yield* sql<{ readonly to: string; readonly text: string; readonly raw: Uint8Array }>`
      select to_address as to, body_text as text, raw from sandbox_mail
      where account_id = ${accountId} and direction = 'outbound' order by sandbox_mail_id`
  })

const stopLink = (text: string) => /\/not-me\/[\w-]{1,120}/.exec(text)?.[0] ?? "/not-me/none"

layer(testGateway(), { excludeTestServices: true })("mail to people who do not expect it", (it) => {
  it.effect("ten a day reach one address, however many accounts an attacker has", () =>
    Effect.gen(function* () {
      const victim = "victim@elsewhere.example"
      for (let account = 0; account < mostToStranger; account++) {
        const answer = yield* add(yield* makeTokenHolder(), victim)
        assert.strictEqual(answer.status, 200, answer.text)
      }
      assert.strictEqual(limitOf(yield* add(yield* makeTokenHolder(), victim)), "recipient")
      const other = yield* makeTokenHolder()
      assert.strictEqual(limitOf(yield* call(other, "update_notification_emails", { emails: victim })), "recipient")
      assert.strictEqual((yield* mailsTo(victim)).length, mostToStranger)
      const sql = yield* SqlClient
      yield* sql`update mail_recipient set day = day - 1`
      assert.strictEqual((yield* add(other, victim)).status, 200)
    })
  )

  it.effect("tags and dots make no other mailbox, neither for the count nor for a stop", () =>
    Effect.gen(function* () {
      for (let account = 0; account < mostToStranger; account++) {
        const answer = yield* add(yield* makeTokenHolder(), `Tagged+${account}@elsewhere.example`)
        assert.strictEqual(answer.status, 200, answer.text)
      }
      for (const address of ["tagged@elsewhere.example", "tagged+a+b@elsewhere.example"]) {
        assert.strictEqual(limitOf(yield* add(yield* makeTokenHolder(), address)), "recipient")
      }
      assert.strictEqual((yield* add(yield* makeTokenHolder(), "tagged2@elsewhere.example")).status, 200)

      const first = yield* makeTokenHolder()
      yield* add(first, "some.one+news@gmail.com")
      const [mail] = yield* delivered(first)
      const click = yield* send(stopLink(mail?.text ?? ""), { method: "POST", body: "List-Unsubscribe=One-Click" })
      assert.strictEqual(click.status, 200)
      for (const address of ["someone@gmail.com", "so.meone+x@googlemail.com", "Some.One@Gmail.com"]) {
        assert.include((yield* add(yield* makeTokenHolder(), address)).text, "address_not_writable", address)
      }
      const other = yield* add(yield* makeTokenHolder(), "someone+gmail.com@elsewhere.example")
      assert.notInclude(other.text, "address_not_writable")
    })
  )

  it.effect("one account writes to fifty a day", () =>
    Effect.gen(function* () {
      const holder = yield* makeTokenHolder()
      for (let round = 0; round < mostOfAccount / 10; round++) {
        const emails = Array.from({ length: 10 }, (_, at) => `crowd${round}-${at}@elsewhere.example`).join(", ")
        const answer = yield* call(holder, "update_notification_emails", { emails })
        assert.strictEqual(answer.status, 200, answer.text)
      }
      assert.strictEqual(limitOf(yield* add(holder, "one-more@elsewhere.example")), "account")
    })
  )

  it.effect("the same text goes out once a day, and as often as needed once the person has opened a link", () =>
    Effect.gen(function* () {
      const holder = yield* makeTokenHolder()
      const { accountId } = holder.caller
      const email = "same@elsewhere.example"
      const { member_id } = Schema.decodeUnknownSync(Added)((yield* add(holder, email)).json)
      const toggle = (address: string) => call(holder, "update_member", { member_id, email: address })
      yield* toggle("")
      assert.strictEqual(limitOf(yield* toggle(email)), "same_text")
      const sql = yield* SqlClient
      yield* sql`update mail_recipient set day = day - 1`
      assert.strictEqual((yield* toggle(email)).status, 200)
      assert.match(yield* openLatestLink(accountId, email), /^pgw_/)
      for (let round = 0; round < mostToStranger; round++) {
        yield* toggle("")
        assert.strictEqual((yield* toggle(email)).status, 200)
      }
    })
  )

  it.effect("a member who was removed is not taken for one who opened the link", () =>
    Effect.gen(function* () {
      const holder = yield* makeTokenHolder()
      const email = "never-opened@elsewhere.example"
      yield* add(holder, email)
      yield* call(holder, "remove_member", { name_or_phone: "Ana" })
      assert.strictEqual(limitOf(yield* add(holder, email)), "same_text")
    })
  )

  it.effect("names become no links, in subject, text and sender", () =>
    Effect.gen(function* () {
      const holder = yield* makeTokenHolder()
      const lure = "Prize at https://evil.example/win www.evil.example evil.example a@evil.example"
      yield* call(holder, "update_user_name", { name: lure.slice(0, 120) })
      yield* call(holder, "update_email_settings", { display_name: "evil.example" })
      yield* add(holder, "lured@elsewhere.example", "evil.example/win")
      yield* call(holder, "update_notification_emails", { emails: "lured2@elsewhere.example" })
      const mails = [...(yield* mailsTo("lured@elsewhere.example")), ...(yield* mailsTo("lured2@elsewhere.example"))]
      assert.isAbove(mails.length, 0)
      for (const { subject, text } of mails) assert.notInclude(`${subject} ${text}`, "evil.example")
      const [sent] = yield* delivered(holder)
      assert.notInclude(Buffer.from(sent?.raw ?? []).toString(), "evil.example")
    })
  )

  it.effect("a click on “this was not me” ends the mail of all accounts, also what is queued", () =>
    Effect.gen(function* () {
      const first = yield* makeTokenHolder()
      const second = yield* makeTokenHolder()
      const victim = "stopped@elsewhere.example"
      yield* add(first, victim)
      const [mail] = yield* delivered(first)
      const link = stopLink(mail?.text ?? "")
      assert.include(Buffer.from(mail?.raw ?? []).toString(), "List-Unsubscribe-Post: List-Unsubscribe=One-Click")
      yield* add(second, victim, "Bia")
      // Programs follow links: opening changes nothing.
      assert.strictEqual((yield* send(link)).status, 200)
      assert.strictEqual((yield* send(`${link.slice(0, -1)}x`, { method: "POST" })).status, 404)
      const sql = yield* SqlClient
      const stops = () => sql`select from mail_recipient where stopped_at is not null`
      const before = (yield* stops()).length
      const click = yield* send(link, { method: "POST", body: "List-Unsubscribe=One-Click" })
      assert.strictEqual(click.status, 200)
      assert.strictEqual((yield* stops()).length, before + 1)
      assert.deepStrictEqual(yield* delivered(second), [])
      const third = yield* makeTokenHolder()
      const answer = yield* add(third, victim, "Caio")
      assert.strictEqual(answer.status, 200, answer.text)
      assert.include(answer.text, "address_not_writable")
      assert.deepStrictEqual(
        (yield* mailsTo(victim)).map(({ status }) => status),
        ["sent"]
      )
      const strangers = yield* StrangerMails
      yield* strangers.forget
      assert.strictEqual((yield* stops()).length, before + 1)
      assert.isTrue(yield* strangers.allow(victim.toUpperCase()))
      assert.isFalse(yield* strangers.allow(victim))
    })
  )
})

describe("names in mail", () => {
  it.each([
    ["Souza Odontologia S.A.", "Souza Odontologia S.A."],
    ["J.P. Silva & Cia.", "J.P. Silva & Cia."],
    ["evil.example", "evil example"],
    ["evil。example", "evil example"],
    ["ev\u200bil.ex\u202eample", "evil example"],
    ["https://evil.example/win", "https evil example win"],
    ["a@evil.example\r\nBcc: b@evil.example", "a evil example Bcc: b evil example"],
    ["1.de.vu", "1 de vu"],
    ["evil.\u092d\u093e\u0930\u0924", "evil \u092d\u093e\u0930\u0924"],
    [
      "evil.\u0b9a\u0bbf\u0b99\u0bcd\u0b95\u0baa\u0bcd\u0baa\u0bc2\u0bb0\u0bcd",
      "evil \u0b9a\u0bbf\u0b99\u0bcd\u0b95\u0baa\u0bcd\u0baa\u0bc2\u0bb0\u0bcd"
    ],
    ["evil․example", "evil example"],
    ["evil﹒example", "evil example"],
    ["evil.\u034fcom", "evil com"],
    ["ev\u3164il.\ufe0fcom", "evil com"],
    ["evil.xn--p1ai", "evil xn--p1ai"],
    ["\uff45\uff56\uff49\uff4c\uff0e\uff43\uff4f\uff4d", "evil com"],
    ["a＠evil．example", "a evil example"],
    ["ftp：／／evil", "ftp evil"],
    ["wa⁄me∕x", "wa me x"],
    ["1.1.1.1", "1 1 1 1"],
    ["Prize: call 0800 123 4567 now", "Prize: call now"],
    ["Golpe (11) 98765-4321", "Golpe"],
    ["João da Silva 12345678900", "João da Silva"],
    ["Farmácia 24 Horas 2026", "Farmácia 24 Horas 2026"],
    ["Ngô Bảo Châu e Filhos", "Ngô Bảo Châu e Filhos"]
  ])("%j becomes %j", (name, mailed) => {
    assert.strictEqual(mailedName(name), mailed)
  })
})
