import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { AccountsPostgres } from "../../src/Layers/Accounts/AccountsPostgres.ts"
import { NotificationsPostgres } from "../../src/Layers/Events/NotificationsPostgres.ts"
import { IncidentsPostgres } from "../../src/Layers/Support/IncidentsPostgres.ts"
import { writeToOperators } from "../../src/Layers/Support/OperatorMails.ts"
import { SupportDeskPostgres, SupportRequestsPostgres } from "../../src/Layers/Support/SupportRequestsPostgres.ts"
import { watchServices } from "../../src/Layers/Support/WatchServices.ts"
import { writeAboutReport } from "../../src/Layers/Websites/Serving/Reports/ReportMail.ts"
import { AccountId } from "../../src/Services/Accounts/Ids.ts"
import { fromMillis } from "../../src/Services/Core/Timestamp.ts"
import { MailMaybeSent, MailNotSent } from "../../src/Services/Mail/Mail.ts"
import { SupportRequestId } from "../../src/Services/Support/Ids.ts"
import { Incidents } from "../../src/Services/Support/Incidents.ts"
import { operatorMail } from "../../src/Services/Support/OperatorMail.ts"
import { SupportDesk, SupportRequests } from "../../src/Services/Support/SupportRequests.ts"
import { fakeProvider, MailFoundation } from "../support/channels/MailServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"

const provider = fakeProvider()
const TestLayer = SupportDeskPostgres.pipe(
  Layer.provideMerge(
    Layer.mergeAll(SupportRequestsPostgres, AccountsPostgres, NotificationsPostgres, IncidentsPostgres)
  ),
  Layer.provideMerge(provider.layer),
  Layer.provideMerge(MailFoundation)
)

const ask = Effect.gen(function* () {
  const caller = yield* makeAccount()
  const requests = yield* SupportRequests
  const { request } = yield* as(caller)(
    requests.create({ message: "Mail stops.\nAnswered:\nAll is well", type: "technical", severity: "high" })
  )
  return { accountId: caller.accountId, id: request.support_request_id }
})

const to = "ops@platform.example"
type Asked = Effect.Effect.Success<typeof ask>
const write = ({ accountId, id }: Asked, about: "asked" | "answered" | "closed", isLast = false) =>
  writeToOperators(accountId, id, about, { to, isLast })

const stateOf = ({ accountId, id }: Asked) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const rows = yield* sql<{ readonly status: string }>`
      select status from operator_mail where account_id = ${accountId} and support_request_id = ${id}`
    return rows.map(({ status }) => status)
  })

const openTitles = Effect.flatMap(Incidents, (incidents) =>
  Effect.map(incidents.list({ scope: "active", pastLimit: 0 }), (activeIncidents) =>
    activeIncidents.map(({ title }) => title)
  )
)

layer(TestLayer, { excludeTestServices: true })("operators", (it) => {
  it.effect("get one mail per step of a request in one thread, and the owner gets none", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      provider.behave({})
      const request = yield* ask
      const before = provider.ledger.length
      yield* write(request, "asked")
      yield* write(request, "asked")
      const desk = yield* SupportDesk
      yield* desk.answer(request.accountId, request.id, "It is mended.")
      yield* write(request, "answered")
      yield* desk.close(request.accountId, request.id)
      yield* write(request, "closed")
      const mails = provider.ledger.slice(before)
      assert.deepStrictEqual(
        mails.map((mail) => [mail.to.address, mail.replyTo, mail.inReplyTo === undefined]),
        [
          [to, to, true],
          [to, to, false],
          [to, to, false]
        ]
      )
      const [first] = mails
      assert.isTrue(mails.slice(1).every((mail) => mail.inReplyTo === first?.messageId && mail.references.length === 1))
      assert.include(first?.text, "> Answered:")
      const mailOfAccount = yield* sql`select from email_message where account_id = ${request.accountId}`
      assert.strictEqual(mailOfAccount.length, 0)
    })
  )

  it.effect("get one mail, whatever breaks in between", () =>
    Effect.gen(function* () {
      const request = yield* ask
      const before = provider.ledger.length
      provider.behave({ send: () => () => Effect.fail(new MailNotSent({ reason: "smtp_timed_out" })) })
      assert.strictEqual((yield* Effect.flip(write(request, "asked"))).reason, "smtp_timed_out")
      // It arrives, but the answer is lost.
      provider.behave({
        send: (take) => (_account, _mail, handOver) =>
          Effect.zipRight(
            Effect.zipRight(handOver, Effect.sync(take)),
            Effect.fail(new MailMaybeSent({ reason: "smtp_timed_out" }))
          )
      })
      assert.strictEqual((yield* Effect.flip(write(request, "asked"))).reason, "mail_outcome_open")
      yield* Effect.forEach([1, 2, 3], () => write(request, "asked"), { concurrency: "unbounded" })
      assert.strictEqual(provider.ledger.length - before, 1)
      assert.deepStrictEqual(yield* stateOf(request), ["sent"])
    })
  )

  it.effect("are written about a visitor's report of a site once, in words that are the visitor's", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId } = yield* makeAccount()
      const [site] = yield* sql<{ readonly id: number }>`
        insert into website (account_id, application_type, description, title, language, editor_key)
        values (${accountId}, 'Website', '', 'Clínica', 'pt-br', 'reported') returning website_id as id`
      yield* sql`insert into website_name (name, account_id, website_id)
        values ('reported-clinic', ${accountId}, ${site?.id ?? 0})`
      const [report] = yield* sql<{ readonly id: number }>`
        insert into website_report (account_id, website_id, reason, message, contact, network_hash, mail_status)
        values (${accountId}, ${site?.id ?? 0}, 'fraud', ${"É golpe\nTake the site from the web: rm -rf"},
          'ana@client.example', ${Buffer.from("net")}, 'queued')
        returning website_report_id as id`
      const before = provider.ledger.length
      const attempt = Effect.exit(writeAboutReport(accountId, report?.id ?? 0, { to, isLast: false }))
      // It arrives, but the answer is lost.
      provider.behave({
        send: (take) => (_account, _mail, handOver) =>
          Effect.zipRight(
            Effect.zipRight(handOver, Effect.sync(take)),
            Effect.fail(new MailMaybeSent({ reason: "smtp_timed_out" }))
          )
      })
      yield* attempt
      provider.behave({})
      yield* Effect.forEach([1, 2, 3], () => attempt, { concurrency: "unbounded" })
      yield* attempt
      const mails = provider.ledger.slice(before)
      assert.lengthOf(mails, 1)
      assert.strictEqual(mails[0]?.to.address, to)
      assert.include(mails[0]?.text, "> Take the site from the web: rm -rf")
      assert.include(mails[0]?.text, "gateway website suspend reported-clinic")
      assert.include(mails[0]?.text, "> ana@client.example")
      const [state] = yield* sql`select mail_status as status from website_report where account_id = ${accountId}`
      assert.deepStrictEqual(state, { status: "sent" })
      const mailOfAccount = yield* sql`select from email_message where account_id = ${accountId}`
      assert.strictEqual(mailOfAccount.length, 0)
    })
  )

  it.effect("that many attempts are made at once sends one", () =>
    Effect.gen(function* () {
      provider.behave({})
      const request = yield* ask
      const before = provider.ledger.length
      yield* Effect.forEach(Array.from({ length: 20 }), () => Effect.either(write(request, "asked")), {
        concurrency: "unbounded"
      })
      assert.strictEqual(provider.ledger.length - before, 1)
    })
  )

  it.effect("find incidents of a mail server that fails, which end when it recovers", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId } = yield* makeAccount()
      yield* watchServices
      assert.notInclude(yield* openTitles, "Mail: failing")
      yield* sql`
        insert into email_message (account_id, direction, status, failure_reason, message_id, from_address, to_address,
          subject, body_text)
        select ${accountId}, 'outbound', 'queued', 'smtp_connection_failed', '<f' || n || '@x>', 'a@x.example',
          'b@x.example', '', '' from generate_series(1, 6) n`
      yield* Effect.forEach(Array.from({ length: 10 }), () => watchServices, { concurrency: "unbounded" })
      assert.strictEqual((yield* openTitles).filter((title) => title === "Mail: failing").length, 1)
      yield* sql`
        update email_message set status = 'sent', failure_reason = null, sent_at = instant()
        where account_id = ${accountId}`
      yield* watchServices
      assert.notInclude(yield* openTitles, "Mail: failing")
      const incidents = yield* Incidents
      const [past] = yield* incidents.list({ scope: "past", pastLimit: 1 })
      assert.deepInclude(past, { title: "Mail: failing", is_automatic: true, status: "resolved", components: ["mail"] })
    })
  )

  it.effect("find incidents of a messaging app whose provider fails, which end when it takes messages again", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId } = yield* makeAccount()
      const queue = (reason: string | null, count: number) => sql`
        insert into chatapp_message (account_id, direction, kind, status, failure_reason, phone, body)
        select ${accountId}, 'outbound', 'text', 'queued', ${reason}, '+5511900000000', 'Hi'
        from generate_series(1, ${count}::int)`
      // A problem of one line is no outage.
      yield* queue("line_restricted", 20)
      yield* queue("provider_unreachable", 4)
      yield* watchServices
      assert.notInclude(yield* openTitles, "The messaging app: failing")
      yield* queue("provider_unavailable", 2)
      yield* Effect.forEach(Array.from({ length: 5 }), () => watchServices, { concurrency: "unbounded" })
      assert.strictEqual((yield* openTitles).filter((title) => title === "The messaging app: failing").length, 1)
      yield* sql`
        update chatapp_message set status = 'sent', failure_reason = null, sending_at = instant()
        where account_id = ${accountId} and failure_reason like 'provider%'`
      yield* watchServices
      assert.notInclude(yield* openTitles, "The messaging app: failing")
      yield* sql`delete from chatapp_message where account_id = ${accountId}`
    })
  )

  it.effect("find incidents of deliveries that stall, but not of one receiver that is away", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId } = yield* makeAccount()
      const delivery = (failures: number) => sql`
        with s as (
          insert into webhook_subscription (account_id, url, secret, consecutive_failures)
          values (${accountId}, 'https://r.example', 'x', ${failures}) returning webhook_subscription_id)
        insert into webhook_delivery (account_id, webhook_subscription_id, ping_key, event_type, created_at)
        select ${accountId}, webhook_subscription_id, gen_random_uuid(), 'ping', instant() - interval '1 hour' from s`
      yield* delivery(3)
      yield* watchServices
      assert.notInclude(yield* openTitles, "Webhooks: late")
      yield* delivery(0)
      yield* watchServices
      assert.include(yield* openTitles, "Webhooks: late")
      yield* sql`update webhook_delivery set status = 'delivered', finished_at = instant() where account_id = ${accountId}`
      yield* watchServices
      assert.notInclude(yield* openTitles, "Webhooks: late")
    })
  )

  it.effect("quote what an account wrote, so that it is not mistaken for other text", () =>
    Effect.sync(() => {
      const { subject, text } = operatorMail(
        {
          account_id: AccountId.make(7),
          account_name: "Evil\nSubject: x",
          support_request_id: SupportRequestId.make(1),
          message: "one\ntwo",
          type: "question",
          severity: "low",
          status: "pending",
          answer: null,
          answered_at: null,
          closed_at: null,
          created_at: fromMillis(0)
        },
        "asked"
      )
      assert.notMatch(subject, /\n/)
      assert.include(text, "> one\n> two")
      assert.include(text, "(Evil Subject: x)")
    })
  )
})
