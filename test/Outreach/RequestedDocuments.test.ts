import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { LeadId } from "../../src/Services/Leads/Ids.ts"
import { handle, notificationsNow, type Reply, receiveMail } from "../Replies/support/replies.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { testBaseUrl } from "../support/TestSettings.ts"
import { claimTouches, composeAll, TestEngine } from "./support/touches.ts"

const worked = { time_zone: "UTC", next_touch_at: "2026-01-01T00:00:00Z", language: "en" }

const answerTo = (reply: Reply) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* handle(reply)
    yield* sql`update lead set next_touch_at = instant() where lead_id = ${reply.leadId} and next_touch_at is not null`
    yield* claimTouches
    yield* composeAll
    const rows = yield* sql<{ readonly body: string }>`
      select body_text as body from email_message where lead_id = ${reply.leadId} and direction = 'outbound'
      order by email_message_id desc limit 1`
    return rows[0]?.body ?? ""
  })

const kindsNow = Effect.map(notificationsNow, (notices) =>
  notices.map((notice) => ("kind" in notice ? String(notice.kind) : ""))
)

const openNow = (lead: LeadId) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql<{ readonly text: string }>`
      select q.question_text as text from open_question_lead w
        join open_question q on q.account_id = w.account_id and q.open_question_id = w.open_question_id
      where w.lead_id = ${lead}`
  ).pipe(Effect.map((rows) => rows.map(({ text }) => text)))

layer(TestEngine, { excludeTestServices: true })("a lead that asks for a document", (it) => {
  it.effect("gets the file that it asks for, again if it asks again, and the owner hears of nothing", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      for (const [title, name] of [
        ["Contract", "contract"],
        ["Product catalogue", "catalogue"]
      ]) {
        yield* sql`
          insert into prospecting_file (account_id, title, description, is_description_generated, url)
          values (${caller.accountId}, ${title}, '', false, ${`https://client.example/${name}.pdf`})`
      }
      const lead = yield* me(insertLead(worked))
      for (let time = 1; time <= 2; time++) {
        const body = yield* me(answerTo(yield* me(receiveMail(lead, "Could you send me the catalogue, please?"))))
        assert.include(body, "Here's our catalogue: https://client.example/catalogue.pdf")
        assert.notInclude(body, "contract.pdf")
        yield* sql`update touch set status = 'done' where lead_id = ${lead} and status = 'queued'`
        yield* sql`update email_message set status = 'sent' where lead_id = ${lead} and status = 'queued'`
      }
      assert.notInclude(yield* me(kindsNow), "lead_wants_document")
      assert.deepStrictEqual(yield* openNow(lead), [])
    })
  )

  it.effect("gets its presentation, made for it, where the account has no such file", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      yield* sql`
        insert into business_profile (account_id, business_description)
        values (${caller.accountId}, 'We install solar panels for clinics. They pay for themselves in four years.')
        on conflict (account_id) do update set business_description = excluded.business_description`
      const lead = yield* me(insertLead(worked))
      const body = yield* me(answerTo(yield* me(receiveMail(lead, "Do you have a brochure?"))))
      assert.match(body, new RegExp(`I've put together a presentation for you: ${testBaseUrl}/files/`))
      const [presentationFile] = yield* sql<{ readonly url: string }>`
        select f.download_key as url from lead l join customer_file f
          on f.account_id = l.account_id and f.customer_file_id = l.presentation_file_id where l.lead_id = ${lead}`
      assert.include(body, presentationFile?.url ?? "no file")
      assert.notInclude(yield* me(kindsNow), "lead_wants_document")
    })
  )

  it.effect("is told that the team was asked, at once, where there is none", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      yield* sql`
        insert into business_profile (account_id, business_description)
        values (${caller.accountId}, 'We install solar panels for clinics. They pay for themselves in four years.')
        on conflict (account_id) do update set business_description = excluded.business_description`
      const lead = yield* me(insertLead(worked))
      const reply = yield* me(receiveMail(lead, "Please send me the contract."))
      yield* me(handle(reply))
      // Before any message goes out.
      assert.include(yield* me(kindsNow), "lead_wants_document")
      assert.lengthOf(yield* openNow(lead), 1)
      const body = yield* me(answerTo(reply))
      assert.include(body, "I've asked the team")
      const kinds = yield* me(kindsNow)
      assert.lengthOf(
        kinds.filter((kind) => kind === "lead_wants_document"),
        1
      )
      assert.notInclude(kinds, "lead_question")
      // With presentations off, there is none to send.
      yield* sql`update prospecting_config set generate_presentations = false where account_id = ${caller.accountId}`
      const other = yield* me(insertLead(worked))
      const silent = yield* me(answerTo(yield* me(receiveMail(other, "Do you have a brochure?"))))
      assert.include(silent, "I've asked the team")
      const [{ files = -1 } = {}] = yield* sql<{ readonly files: number }>`
        select count(*)::int as files from customer_file where account_id = ${caller.accountId}`
      assert.strictEqual(files, 0)
    })
  )
})
