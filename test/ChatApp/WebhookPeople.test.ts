import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { tasksNamed } from "../Jobs/support.ts"
import {
  accountDelivery,
  deliveryOf,
  newWamid,
  postDelivery,
  preferenceDelivery,
  statusOf,
  textMessage
} from "../support/channels/ChatAppDeliveries.ts"
import { insertLine, queueMessage } from "../support/channels/ChatAppServices.ts"
import { ServedWebhook, Webhook } from "../support/channels/ServedChatAppWebhook.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"

const post = (body: string) => Effect.flatMap(Webhook, (url) => postDelivery(url, body))

const setUp = Effect.gen(function* () {
  const caller = yield* makeAccount()
  const me = as(caller)
  const lineId = yield* me(insertLine())
  const phone = `+55119${String(91_000_000 + caller.accountId)}`
  const leadId = yield* me(insertLead({ name: "Ana Souza", phone }))
  return { accountId: caller.accountId, me, lineId, phone, leadId, waId: phone.slice(1) }
})

/** A message of a person who hides the number. */
const hiddenMessage = (userId: string, body: string, more: object = {}) => {
  const { from: _, ...message } = textMessage("", body, { from_user_id: userId, ...more })
  return message
}

const contactOf = (userId: string) => [{ profile: { name: "Ana", username: "@ana" }, user_id: userId }]

const inboundOf = (accountId: number) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql<{ readonly lead_id: number | null; readonly body: string; readonly phone: string }>`
      select lead_id, body, phone from chatapp_message
      where account_id = ${accountId} and direction = 'inbound' order by chatapp_message_id`
  )

const repliesToRead = (leadId: number) =>
  Effect.map(
    tasksNamed("read_reply"),
    (tasks) => tasks.filter(({ payload }) => "leadId" in payload && payload.leadId === leadId).length
  )

layer(ServedWebhook, { excludeTestServices: true })("the messaging app's webhook", (it) => {
  it.effect("finds the lead of a person who hides the number, by what the person answered or wrote before", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId, leadId, lineId, me } = yield* setUp
      const userId = `BR.15${accountId}`
      const id = yield* me(queueMessage(leadId))
      const wamid = newWamid()
      yield* sql`
        update chatapp_message set status = 'sent', provider_message_id = ${wamid}
        where account_id = ${accountId} and chatapp_message_id = ${id}`
      // SAIR as a reply to an opening, identified by its thread.
      const first = hiddenMessage(userId, "SAIR", { context: { id: wamid } })
      assert.strictEqual(yield* post(deliveryOf(lineId, { contacts: contactOf(userId), messages: [first] })), 200)
      // Another message outside the thread, matched by the identifier in the first one. Only its contact has the
      // identifier.
      const { from_user_id: __, ...second } = hiddenMessage(userId, "Sair mesmo") as { readonly from_user_id?: string }
      yield* post(deliveryOf(lineId, { contacts: contactOf(userId), messages: [second] }))
      assert.deepStrictEqual(
        (yield* inboundOf(accountId)).map(({ body, lead_id }) => [lead_id, body]),
        [
          [leadId, "SAIR"],
          [leadId, "Sair mesmo"]
        ]
      )
      assert.strictEqual(yield* repliesToRead(leadId), 2)
    })
  )

  it.effect("finds the lead by the identifier that a delivery of our message brought", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId, leadId, lineId, me } = yield* setUp
      const userId = `BR.16${accountId}`
      const id = yield* me(queueMessage(leadId))
      const wamid = newWamid()
      yield* sql`
        update chatapp_message set status = 'sent', provider_message_id = ${wamid}
        where account_id = ${accountId} and chatapp_message_id = ${id}`
      yield* post(deliveryOf(lineId, { statuses: [statusOf(wamid, "delivered", { recipient_user_id: userId })] }))
      yield* post(deliveryOf(lineId, { contacts: contactOf(userId), messages: [hiddenMessage(userId, "SAIR")] }))
      assert.deepInclude((yield* inboundOf(accountId))[0], { lead_id: leadId, body: "SAIR" })
    })
  )

  it.effect("stores what an unknown person without a number wrote", () =>
    Effect.gen(function* () {
      const { accountId, lineId } = yield* setUp
      const userId = `BR.17${accountId}`
      yield* post(deliveryOf(lineId, { contacts: contactOf(userId), messages: [hiddenMessage(userId, "Oi")] }))
      assert.deepStrictEqual(yield* inboundOf(accountId), [{ lead_id: null, body: "Oi", phone: userId }])
    })
  )

  it.effect("closes the app for a lead that stops marketing messages, and opens it when the lead resumes them", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId, leadId, lineId, waId } = yield* setUp
      const other = yield* setUp
      const isClosed = Effect.map(
        sql<{ readonly closed: boolean }>`
          select chatapp_failed_at is not null as closed from lead
          where account_id = ${accountId} and lead_id = ${leadId}`,
        ([row]) => row?.closed
      )
      assert.strictEqual(yield* post(preferenceDelivery(lineId, { wa_id: waId }, "stop")), 200)
      assert.isTrue(yield* isClosed)
      // An event on another account's line about the same person changes nothing here.
      yield* post(preferenceDelivery(other.lineId, { wa_id: waId }, "resume"))
      assert.isTrue(yield* isClosed)
      yield* post(preferenceDelivery(lineId, { wa_id: waId }, "resume"))
      assert.isFalse(yield* isClosed)
    })
  )

  it.effect("shows what the provider reports about its account, templates and quality with the line", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId, lineId } = yield* setUp
      const providerAccountId = `wa-${accountId}`
      yield* sql`
        update chatapp_line set provider_account_id = ${providerAccountId}
        where account_id = ${accountId} and provider_line_id = ${lineId}`
      const [line] = yield* sql<{ readonly template: string; readonly digits: string }>`
        select regexp_replace(phone, '[^0-9]', '', 'g') as digits from chatapp_line where account_id = ${accountId}`
      const template = { message_template_name: "prospecting_opening", message_template_language: "pt_BR" }
      const healthAfter = (field: string, value: object, id = providerAccountId) =>
        Effect.gen(function* () {
          assert.strictEqual(yield* post(accountDelivery(id, field, value)), 200)
          const rows = yield* sql<{ readonly issue: string | null; readonly quality: string | null }>`
            select health_issue as issue, quality_rating as quality from chatapp_line where account_id = ${accountId}`
          return rows[0] ?? { issue: "none", quality: "none" }
        })
      const status = "message_template_status_update"
      assert.include((yield* healthAfter(status, { event: "PAUSED", ...template })).issue, "paused")
      assert.isNull((yield* healthAfter(status, { event: "APPROVED", ...template })).issue)
      const another = { ...template, message_template_name: "another" }
      assert.isNull((yield* healthAfter(status, { event: "REJECTED", ...another })).issue)
      const category = { ...template, previous_category: "UTILITY", new_category: "MARKETING" }
      assert.include((yield* healthAfter("template_category_update", category)).issue, "marketing")
      const quality = { ...template, previous_quality_score: "GREEN", new_quality_score: "RED" }
      assert.include((yield* healthAfter("message_template_quality_update", quality)).issue, "block or report")
      const number = { display_phone_number: line?.digits, current_limit: "TIER_1K" }
      assert.deepInclude(yield* healthAfter("phone_number_quality_update", { event: "FLAGGED", ...number }), {
        quality: "red"
      })
      assert.deepStrictEqual(yield* healthAfter("phone_number_quality_update", { event: "UNFLAGGED", ...number }), {
        issue: null,
        quality: "green"
      })
      const foreign = { event: "FLAGGED", display_phone_number: "15550001111" }
      assert.isNull((yield* healthAfter("phone_number_quality_update", foreign)).issue)
      const banned = { event: "DISABLED_UPDATE", ban_info: { waba_ban_state: "DISABLE", waba_ban_date: "x" } }
      assert.isNull((yield* healthAfter("account_update", banned, "wa-of-another")).issue)
      assert.include((yield* healthAfter("account_update", banned)).issue, "disabled")
      const reinstated = { event: "DISABLED_UPDATE", ban_info: { waba_ban_state: "REINSTATE" } }
      assert.isNull((yield* healthAfter("account_update", reinstated)).issue)
    })
  )
})
