import { SqlClient } from "@effect/sql/SqlClient"
import { assert, describe, layer, it as plainIt } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as fc from "fast-check"
import { judgeMail } from "../../src/Layers/Mail/Inbox/JudgeInboundMail.ts"
import { inboundNotice, type JudgedMail, verdictByRules } from "../../src/Services/Mail/InboundNotice.ts"
import { LanguageModel, LanguageModelFailed, type PromptText } from "../../src/Services/Models/LanguageModel.ts"
import { makeTokenHolder, send, testGateway } from "../support/servers/TestServer.ts"

const invoice: JudgedMail = {
  from: "cobranca@fornecedor.com.br",
  subject: "Fatura de março",
  text: "Segue a fatura deste mês, com vencimento no dia 10.",
  isOfLead: false
}
const newsletter: JudgedMail = {
  from: "news@loja.example",
  subject: "Promoção da semana",
  text: "Até 50% de desconto.",
  isOfLead: false
}

describe("the rules for immediate notices", () => {
  plainIt.each<readonly [string | null, JudgedMail, boolean]>([
    [null, invoice, true],
    [null, { ...invoice, isOfLead: true }, false],
    ["Avise-me sobre faturas e contratos.", invoice, true],
    ["Avise-me sobre faturas e contratos.", newsletter, false],
    ["Avise-me sobre faturas e contratos.", { ...invoice, isOfLead: true }, true],
    ["Tell me at once of mail from cobranca@fornecedor.com.br", invoice, true],
    ["Tell me at once of mail from fornecedor.com.br", newsletter, false],
    ["Nunca me avise de promoções.", newsletter, false],
    ["Nunca me avise de promoções.", invoice, true],
    ["Never tell me about invoices, faturas or promotions", invoice, false],
    ["Todas as faturas, exceto de fornecedor.com.br", invoice, false],
    ["Avísame de facturas", { ...invoice, subject: "Factura de marzo", text: "" }, true]
  ])("%s", (instructions, mail, expected) => assert.strictEqual(verdictByRules(instructions, mail), expected))

  plainIt("hold for any text, in little time", () => {
    const text = fc.string({
      maxLength: 4000,
      unit: fc.constantFrom("a", " ", ".", "@", "não ", "\n", "fatura", "é", "-")
    })
    fc.assert(
      fc.property(text, text, text, (instructions, subject, body) => {
        const mail = { from: "a@b.example", subject, text: body, isOfLead: false }
        assert.isBoolean(verdictByRules(instructions, mail))
        assert.notMatch(inboundNotice(mail, "en").subject, /\n/)
      }),
      { numRuns: 50 }
    )
  })
})

/** A live model with a fixed answer, or one that is unavailable. */
const saying = (answers: boolean | "away", prompts: Array<PromptText> = []) =>
  LanguageModel.of({
    mode: "live",
    generate: (request) => {
      prompts.push(request.prompt)
      const usage = { model: "test-model", inputTokens: 7, outputTokens: 3 }
      return answers === "away"
        ? Effect.fail(new LanguageModelFailed({ reason: "timeout", detail: "timed_out", usage }))
        : Effect.map(Effect.orDie(Schema.decodeUnknown(request.schema)({ tell_at_once: answers })), (value) => ({
            value,
            usage
          }))
    }
  })

layer(testGateway(), { excludeTestServices: true })("inbound mail", (it) => {
  let number = 0
  const receive = (token: string, from: string, subject: string) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const messageId = `<m${++number}@outside.example>`
      const answer = yield* send("/sandbox/mail/inbound", {
        method: "POST",
        token,
        headers: { "Content-Type": "message/rfc822" },
        body: `From: ${from}\r\nMessage-ID: ${messageId}\r\nSubject: ${subject}\r\n\r\nHello\r\n`
      })
      assert.strictEqual(answer.status, 200, answer.text)
      const rows = yield* sql<{ readonly id: number; readonly isQueued: boolean }>`
        with queued as materialized (
          select payload ->> 'emailMessageId' as id from graphile_worker._private_jobs where payload ->> 'leadId' is null
        )
        select m.email_message_id as id,
          exists (select from queued where queued.id = m.email_message_id::text) as "isQueued"
        from email_message m where m.message_id = ${messageId}`
      assert.isTrue(rows[0]?.isQueued)
      return rows[0]?.id ?? 0
    })
  const noticesTo = (accountId: number) =>
    Effect.flatMap(
      SqlClient,
      (sql) => sql<{ readonly subject: string }>`
        select subject from email_message where account_id = ${accountId} and direction = 'outbound' and lead_id is null
        order by email_message_id`
    )

  it.effect("is reported according to the instructions, once, as a notification and by mail", () =>
    Effect.gen(function* () {
      const { caller, token } = yield* makeTokenHolder()
      const { accountId } = caller
      const set = (instructions: string) =>
        send("/rest/v1/tools/set_email_notification_instructions", {
          method: "POST",
          token,
          body: JSON.stringify({ instructions })
        })
      const pending = Effect.map(
        send("/rest/v1/call/list_pending_notifications", { token }),
        ({ text }) => (text.match(/"kind":"email_received"/g) ?? []).length
      )
      yield* set("Only mail about invoices.")
      const invoiceMail = yield* receive(token, "a@supplier.example", "Your invoices of March")
      const other = yield* receive(token, "b@shop.example", "Sale of the week")
      yield* Effect.forEach(Array.from({ length: 5 }), () => judgeMail(accountId, invoiceMail), {
        concurrency: "unbounded"
      })
      yield* judgeMail(accountId, other)
      assert.strictEqual(yield* pending, 1)
      const mails = yield* noticesTo(accountId)
      assert.strictEqual(mails.length, 1)
      assert.include(mails[0]?.subject, "invoices of March")

      // A live model's decision takes precedence over the rules. If it is unavailable, the rules decide.
      const judgedBy = (model: typeof LanguageModel.Service, subject: string) =>
        Effect.flatMap(receive(token, "c@supplier.example", subject), (id) =>
          Effect.provideService(judgeMail(accountId, id), LanguageModel, model)
        )
      const prompts: Array<PromptText> = []
      yield* judgedBy(saying(false, prompts), "Invoices, says the rule")
      assert.strictEqual(yield* pending, 1)
      assert.include(JSON.stringify(prompts), "Only mail about invoices.")
      assert.include(JSON.stringify(prompts), "Invoices, says the rule")
      yield* judgedBy(saying(true), "A bill, which the rule does not know")
      assert.strictEqual(yield* pending, 2)
      yield* judgedBy(saying("away"), "Invoices while it is away")
      assert.strictEqual(yield* pending, 3)
      yield* judgedBy(saying("away"), "Sale while it is away")
      assert.strictEqual(yield* pending, 3)
      const sql = yield* SqlClient
      const [used] = yield* sql<{ readonly tokens: number }>`
        select sum(input_tokens + output_tokens)::int as tokens from language_usage where account_id = ${accountId}`
      assert.strictEqual(used?.tokens, 40)
      yield* sql`update notification set acknowledged_at = instant() where account_id = ${accountId}`

      yield* set("Never about sales.")
      yield* judgeMail(accountId, yield* receive(token, "b@shop.example", "Sales again"))
      assert.strictEqual(yield* pending, 0)
      yield* set("")
      yield* judgeMail(accountId, yield* receive(token, "b@shop.example", "Sales again"))
      assert.strictEqual(yield* pending, 1)
    })
  )
})
