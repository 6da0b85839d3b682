import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Stream } from "effect"
import { notFound, refused } from "../../Errors.ts"
import type { CampaignId } from "../../Services/Campaigns/Ids.ts"
import { Caller } from "../../Services/Core/Caller.ts"
import { now } from "../../Services/Core/Timestamp.ts"
import { UnitOfWork } from "../../Services/Core/UnitOfWork.ts"
import { CustomerFiles } from "../../Services/Files/CustomerFiles.ts"
import type { CustomerFileId } from "../../Services/Files/Ids.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import { MailDomain } from "../../Services/Leads/LeadEmails.ts"
import { presentationOf } from "../../Services/Presentations/PresentationPages.ts"
import { type LeadPresentation, Presentations } from "../../Services/Presentations/Presentations.ts"
import { ProspectingConfig } from "../../Services/Prospecting/ProspectingConfig.ts"
import { languageOf } from "../../Services/Text/Language.ts"
import { languageOfLead } from "../../Services/Text/LeadLanguage.ts"
import { setPresentation } from "../Leads/Sql/State.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { makeDrawing } from "./DrawnPresentation.ts"

interface FactsRow {
  readonly name: string
  readonly company: string | null
  readonly state: string | null
  readonly country: string | null
  readonly phone: string | null
  readonly language: string | null
  readonly language_key: string
  readonly campaign_id: CampaignId | null
  readonly account_name: string
  readonly handle: string
  readonly presentation_file_id: CustomerFileId | null
  readonly answers: ReadonlyArray<{ readonly question: string; readonly answer: string }>
}

const turnedOff = (leadId: LeadId) =>
  refused(
    "presentations_off",
    "Presentations are turned off for this lead.",
    "Turn them on for its campaign (generate_custom_presentations) or for the account (set_prospecting_preferences).",
    { lead_id: leadId }
  )

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const files = yield* CustomerFiles
  const configs = yield* ProspectingConfig
  const domain = yield* MailDomain
  const draw = yield* makeDrawing

  const factsOf = Effect.fnUntraced(function* (leadId: LeadId) {
    const { accountId } = yield* Caller
    const rows = yield* sql<FactsRow>`
      select l.name, l.company, l.state, l.country, l.phone,
        l.language, a.language_key,
        l.campaign_id, a.name as account_name, a.handle, l.presentation_file_id,
        coalesce((select json_agg(json_build_object('question', f.question_text, 'answer', f.answer_text)
            order by f.answer_id)
          from (select * from lead_answer f where f.account_id = l.account_id and f.is_reusable
            and f.superseded_by is null and (f.valid_until is null or f.valid_until > instant())
            order by f.answer_id limit 4) f), '[]') as answers
      from lead l join account a on a.account_id = l.account_id
      where l.account_id = ${accountId} and l.lead_id = ${leadId}`.pipe(fromSql())
    return rows[0] ?? (yield* notFound("lead", "lead_id", leadId))
  })

  const answer = (leadId: LeadId, created: boolean, fileId: CustomerFileId) =>
    Effect.map(
      files.get(fileId),
      (file): LeadPresentation => ({
        lead_id: leadId,
        created,
        presentation_url: file.download_url,
        file
      })
    )

  /** Stores the file and gives it to the lead, unless another call was faster. */
  const store = (leadId: LeadId, title: string, bytes: Uint8Array) =>
    unit.write(
      Effect.gen(function* () {
        const { accountId } = yield* Caller
        const rows = yield* sql<{ readonly presentation_file_id: CustomerFileId | null }>`
          select presentation_file_id from lead where account_id = ${accountId} and lead_id = ${leadId}
          for no key update`.pipe(fromSql())
        const lead = rows[0] ?? (yield* notFound("lead", "lead_id", leadId))
        if (lead.presentation_file_id !== null) return yield* answer(leadId, false, lead.presentation_file_id)
        const file = yield* files.write({
          // A slash would cut off the text before it.
          fileName: `${title.replace(/[/\\]/g, "-").slice(0, 120)}.pdf`,
          mediaType: "application/pdf",
          bytes: Stream.make(bytes)
        })
        yield* setPresentation(sql, { accountId, leadId }, file.customer_file_id)
        return { lead_id: leadId, created: true, presentation_url: file.download_url, file }
      })
    )

  return Presentations.of({
    create: Effect.fn("Presentations.create")(function* (leadId) {
      const row = yield* unit.read(factsOf(leadId))
      const config = yield* unit.read(configs.effective(row.campaign_id))
      if (!config.generate_presentations) return yield* turnedOff(leadId)
      if (row.presentation_file_id !== null) return yield* unit.read(answer(leadId, false, row.presentation_file_id))
      const presentation = presentationOf({
        language: languageOfLead(row, row.language_key),
        ownersLanguage: languageOf(row.language_key),
        business: {
          name: config.business.business_name ?? row.account_name,
          description: config.business.business_description,
          website: config.business.business_website,
          email: `${row.handle}@${domain}`
        },
        lead: { name: row.name, company: row.company },
        answers: row.answers,
        madeAt: yield* now
      })
      const { accountId } = yield* Caller
      return yield* store(leadId, presentation.title, yield* draw(accountId, presentation))
    })
  })
})

export const PresentationsPostgres = Layer.scoped(Presentations, make)
