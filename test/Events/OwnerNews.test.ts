import { SqlClient } from "@effect/sql/SqlClient"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { NotificationsPostgres } from "../../src/Layers/Events/NotificationsPostgres.ts"
import { Timestamp } from "../../src/Services/Core/Timestamp.ts"
import { type AccountNews, accountNews } from "../../src/Services/Events/AccountNews.ts"
import { Notifications } from "../../src/Services/Events/Notifications.ts"
import { Language, writtenLanguage } from "../../src/Services/Text/Language.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const all: ReadonlyArray<AccountNews> = [
  { kind: "import_finished", created: 3, duplicate: 2, invalid: 1 },
  { kind: "lead_export_finished", count: 1, fileName: "leads.csv" },
  { kind: "campaign_archived", campaign: "X" },
  { kind: "webhook_subscription_disabled", reason: "gone" },
  { kind: "webhook_subscription_disabled", reason: "failing" },
  { kind: "support_request_answered", requestId: 4, answer: "Reconnect the calendar." },
  { kind: "language_model_unavailable" },
  {
    kind: "connection_lost",
    name: { "pt-BR": "a ferramenta de agendamento", en: "the scheduling tool", es: "la herramienta de agendamiento" },
    tool: "get_scheduler_connection_url"
  },
  ...(["completed", "machine", "no_answer", "busy", "failed", "cancelled"] as const).map(
    (end): AccountNews => ({
      kind: "voice_call_finished",
      end,
      reason: null,
      isGoalAchieved: null,
      summary: null,
      phone: "+5511980000000",
      goal: "Solaris",
      agreed: [],
      questions: [],
      promised: []
    })
  )
]

describe("accountNews", () => {
  it("tells everything in each language, and in no other", () => {
    for (const news of all) {
      for (const language of Language.literals) {
        const text = accountNews(news, language)
        const found = writtenLanguage(text)
        assert.isTrue(found === undefined || found === language, `${language}: ${text}`)
        assert.match(text, /\.$/)
      }
    }
  })
})

layer(NotificationsPostgres.pipe(Layer.provideMerge(TestDatabase)), { excludeTestServices: true })(
  "notices of leads",
  (it) => {
    it.effect("are in the account's language, with the lead's name and company and the account's time", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const notifications = yield* Notifications
        for (const [key, zone, expected] of [
          [
            "pt-BR",
            "America/Sao_Paulo",
            /^Reunião marcada com Ana Souza \(Clínica Sol\): quinta-feira, 13 de março às 15:00\. Aceite/
          ],
          [
            "en-US",
            "UTC",
            /^A meeting with Ana Souza \(Clínica Sol\) was booked: Thursday, March 13 at 18:00\. Accept/
          ],
          [
            "es-AR",
            "America/Argentina/Buenos_Aires",
            /^Reunión agendada con Ana Souza \(Clínica Sol\): jueves 13 de marzo a las 15:00\. Acéptela/
          ]
        ] as const) {
          const caller = yield* makeAccount()
          const me = as(caller)
          yield* sql`update account set language_key = ${key}, time_zone = ${zone} where account_id = ${caller.accountId}`
          const leadId = yield* me(insertLead({ name: "Ana Souza", company: "Clínica Sol" }))
          const at = Timestamp.make("2025-03-13T18:00:00Z")
          yield* me(notifications.tellOfLead({ kind: "meeting_booked", leadId, at }, { meeting_id: 1 }))
          const [told] = (yield* me(notifications.pending)).notifications
          assert.match(told?.message ?? "", expected)
          assert.deepStrictEqual(told?.data, { lead_id: leadId, meeting_id: 1 })
        }
      })
    )
  }
)
