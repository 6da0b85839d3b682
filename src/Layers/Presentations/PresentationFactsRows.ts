import { SqlClient } from "@effect/sql/SqlClient"
import { Chunk, Effect, Stream } from "effect"
import { notFound } from "../../Errors.ts"
import type { CampaignId } from "../../Services/Campaigns/Ids.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { now } from "../../Services/Core/Timestamp.ts"
import { CustomerFiles } from "../../Services/Files/CustomerFiles.ts"
import type { CustomerFileId } from "../../Services/Files/Ids.ts"
import { MailDomain } from "../../Services/Leads/Email/LeadEmails.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import type { PresentationFacts } from "../../Services/Presentations/PresentationPages.ts"
import type { EffectiveConfiguration } from "../../Services/Prospecting/EffectiveConfiguration.ts"
import { ProspectingConfig } from "../../Services/Prospecting/ProspectingConfig.ts"
import { OfferableFiles } from "../../Services/ProspectingFiles/OfferableFiles.ts"
import { languageOf } from "../../Services/Text/Language.ts"
import { languageOfLead } from "../../Services/Text/LeadLanguage.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"

interface LeadRow {
  readonly name: string
  readonly company: string | null
  readonly state: string | null
  readonly country: string | null
  readonly phone: string | null
  readonly language: string | null
  readonly campaign_id: CampaignId | null
  readonly presentation_file_id: CustomerFileId | null
  readonly presentation_digest: Uint8Array | null
}

interface AccountRow {
  readonly name: string
  readonly handle: string
  readonly language_key: string
  readonly answers: ReadonlyArray<{ readonly question: string; readonly answer: string }>
  readonly price_texts: ReadonlyArray<string>
}

/** A logo for leads, at most this many bytes. Larger pictures are photographs, or take too long to draw. */
const longestLogo = 2 * 1024 * 1024

/** The content of a presentation, its existing file, and whether one may be made. */
export interface PresentationAtHand {
  readonly facts: PresentationFacts
  readonly config: EffectiveConfiguration
  readonly logo: { readonly fileId: CustomerFileId; readonly sha256: string } | undefined
  readonly fileId: CustomerFileId | null
  readonly digest: Uint8Array | null
}

const emptyLead = { name: "", company: null, state: null, country: null, phone: null, language: null } as const

/** Reads the data from which presentations are made. */
export const makePresentationFacts = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const configs = yield* ProspectingConfig
  const offerable = yield* OfferableFiles
  const files = yield* CustomerFiles
  const domain = yield* MailDomain

  const leadOf = Effect.fnUntraced(function* (leadId: LeadId) {
    const { accountId } = yield* Caller
    const rows = yield* sql<LeadRow>`
      select name, company, state, country, phone, language, campaign_id, presentation_file_id, presentation_digest
      from lead where account_id = ${accountId} and lead_id = ${leadId}`.pipe(fromSql())
    return rows[0] ?? (yield* notFound("lead", "lead_id", leadId))
  })

  /** Answers to this lead's own questions are left out, because it already has them. */
  const accountOf = Effect.fnUntraced(function* (campaignId: CampaignId | null, reader: LeadId | null) {
    const { accountId } = yield* Caller
    return single(
      yield* sql<AccountRow>`
        select a.name, a.handle, a.language_key,
          coalesce((select json_agg(json_build_object('question', f.question_text, 'answer', f.answer_text)
              order by f.answer_id)
            from (select * from lead_answer f where f.account_id = a.account_id and f.is_reusable
              and f.superseded_by is null and (f.valid_until is null or f.valid_until > instant())
              and not exists (select from open_question_lead w where w.account_id = f.account_id
                and w.open_question_id = f.open_question_id and w.lead_id = ${reader}::bigint)
              order by f.answer_id limit 4) f), '[]') as answers,
          array(select p.body from business_passage p
              join business_file b on b.account_id = p.account_id and b.business_file_id = p.business_file_id
            where p.account_id = a.account_id and b.status = 'finished' and not b.is_from_web
              and (b.campaign_id is null or b.campaign_id = ${campaignId}::bigint)
              and position('; ' in p.body) > 0 and p.body ~ '[0-9]'
            order by b.campaign_id nulls last, b.business_file_id desc, p.sequence limit 40) as price_texts
        from account a where a.account_id = ${accountId}`.pipe(fromSql())
    )
  })

  /** The newest picture whose file name says that it is the account's logo. */
  const logoOf = Effect.fnUntraced(function* () {
    const { accountId } = yield* Caller
    const rows = yield* sql<{ readonly fileId: CustomerFileId; readonly sha256: string }>`
      select customer_file_id as "fileId", encode(sha256, 'hex') as sha256 from customer_file
      where account_id = ${accountId} and completed_at is not null and media_type in ('image/png', 'image/jpeg')
        and size_bytes <= ${longestLogo} and file_name ~* '(^|[^a-z])logo(tipo|type)?([^a-z]|$)'
      order by customer_file_id desc limit 1`.pipe(fromSql())
    return rows[0]
  })

  const read = Effect.fnUntraced(function* (
    lead: LeadRow | undefined,
    campaignId: CampaignId | null,
    reader: LeadId | null
  ) {
    const { accountId } = yield* Caller
    const account = yield* accountOf(campaignId, reader)
    const config = yield* configs.effective(campaignId)
    const { company, country, language, name, phone, state } = lead ?? emptyLead
    const hand: PresentationAtHand = {
      config,
      logo: yield* logoOf(),
      fileId: lead?.presentation_file_id ?? null,
      digest: lead?.presentation_digest ?? null,
      facts: {
        language: languageOfLead({ language, country, state, phone }, account.language_key),
        ownersLanguage: languageOf(account.language_key),
        business: {
          name: config.business.business_name ?? account.name,
          description: config.business.business_description,
          website: config.business.business_website,
          email: `${account.handle}@${domain}`
        },
        lead: { name, company },
        answers: account.answers,
        priceTexts: account.price_texts,
        files: yield* offerable.all({ accountId, campaignId }),
        madeAt: yield* now
      }
    }
    return hand
  })

  return {
    /** Fails with `NotFound` if there is no such lead. */
    ofLead: (leadId: LeadId) =>
      unit.read(Effect.flatMap(leadOf(leadId), (lead) => read(lead, lead.campaign_id, leadId))),
    /** Reads the data for a simulated lead, which is not in any table. */
    ofCampaign: (campaignId: CampaignId | null) => unit.read(read(undefined, campaignId, null)),
    /** Undefined if the picture was removed in the meantime. */
    bytesOf: (fileId: CustomerFileId) =>
      Stream.runCollect(files.read(fileId)).pipe(
        Effect.map((chunks): Uint8Array | undefined => Buffer.concat(Chunk.toReadonlyArray(chunks))),
        Effect.catchTag("NotFound", () => Effect.succeed(undefined))
      )
  }
})
