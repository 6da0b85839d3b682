import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Schema } from "effect"
import { type Transient, transient } from "../../Errors.ts"
import { AccountSettings } from "../../Services/Accounts/AccountSettings.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { Campaigns } from "../../Services/Campaigns/Campaigns.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { Business } from "../../Services/Knowledge/Business.ts"
import { BusinessFiles } from "../../Services/Knowledge/BusinessFiles.ts"
import { LeadQuestions } from "../../Services/Outcomes/LeadQuestions.ts"
import { languageOf } from "../../Services/Text/Language.ts"
import { clip } from "../../Services/Text/PlainText.ts"
import { searchFailures } from "../../Services/WebSearch/FailureWords.ts"
import { OnlineResearch, type Research } from "../../Services/WebSearch/OnlineResearch.ts"
import { isPassing } from "../../Services/WebSearch/WebSearch.ts"
import type { ApplicationType, WebsiteCodeId, WebsiteId } from "../../Services/Websites/Ids.ts"
import { otherBusiness } from "../../Services/Websites/Material/Names/OtherBusiness.ts"
import type { MaterialFact, SiteMaterial } from "../../Services/Websites/Writing/SiteWriter.ts"
import { writingNotes } from "../../Services/Websites/Writing/WritingNotes.ts"
import { makeOwnerLocale } from "../Accounts/Sql.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

const mostPassages = 24
const mostFaq = 20
const mostCampaigns = 200

/**
 * The result of a web search: the facts found, or why it failed. It is stored with the version, so that the search runs
 * once.
 */
const WebFacts = Schema.Struct({
  facts: Schema.Array(Schema.Struct({ text: Schema.String, url: Schema.String })),
  /** False if the facts are the account's own, which the sandbox searches instead of the web. */
  isFromWeb: Schema.Boolean,
  failure: Schema.NullOr(Schema.String)
})
type WebFacts = typeof WebFacts.Type

const decodeWebFacts = Schema.decodeUnknown(WebFacts)

/** Returns a note for the owner about the result of a search. */
const toldOf = ({ facts, failure, isFromWeb }: WebFacts, words: ReturnType<typeof writingNotes>): string =>
  failure !== null
    ? words.notSearched(failure)
    : isFromWeb
      ? facts.length > 0
        ? words.foundOnWeb(facts.length)
        : words.foundNothing
      : words.searchedOwn

/** A site that is to be written, and the version that requests it. */
export interface WrittenWebsite {
  readonly website_id: WebsiteId
  readonly website_code_id: WebsiteCodeId
  readonly application_type: ApplicationType
  readonly description: string
  readonly business_name: string | null
  readonly language: string
  readonly guidelines: string
  readonly web_facts: unknown
}

const makeMaterialServices = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const research = yield* OnlineResearch
  const business = yield* Business
  const files = yield* BusinessFiles
  const questions = yield* LeadQuestions
  const campaigns = yield* Campaigns
  const accounts = yield* AccountSettings
  return { accounts, business, campaigns, files, questions, research, sql, unit }
})
type MaterialServices = Effect.Effect.Success<typeof makeMaterialServices>

const makeWebSearch = ({ files, research, sql, unit }: MaterialServices) => {
  const keepWebFacts = (accountId: AccountId, codeId: WebsiteCodeId, found: WebFacts) =>
    sql`update website_code set web_facts = ${JSON.stringify(found)}::jsonb
      where account_id = ${accountId} and website_code_id = ${codeId}`.pipe(Effect.asVoid, fromSql())

  /** Stores the facts as knowledge of the business, one paragraph per statement, with the page that makes it. */
  const keepAsKnowledge = (name: string, { facts }: Research): Effect.Effect<unknown, Transient, Caller> =>
    files
      .register({
        title: clip(`Web: ${name}`, 200),
        text: facts.map(({ sources, text }) => `${text}\n(${sources.map(({ url }) => url).join(" ")})`).join("\n\n"),
        customerFileId: undefined,
        campaign: undefined,
        isFromWeb: true
      })
      .pipe(
        Effect.catchTags({
          // No campaign is named, so none can be missing.
          NotFound: (missing) => Effect.die(missing),
          // Refused if too many jobs are waiting.
          Refused: ({ error, reason }) => Effect.fail(transient(reason, error, 30))
        })
      )

  const searched = (site: WrittenWebsite, name: string, isLastAttempt: boolean) =>
    Effect.gen(function* () {
      const { accountId } = yield* Caller
      const found = yield* Effect.either(
        research.about(`${name}. ${clip(site.description, 1000)}`, "Standard", languageOf(site.language))
      )
      if (found._tag === "Left") {
        const failure = found.left
        if (failure._tag === "Transient") return yield* failure
        if (isPassing(failure) && !isLastAttempt) return yield* Effect.fail(failure)
        const none: WebFacts = { facts: [], isFromWeb: true, failure: searchFailures[failure.reason] }
        yield* keepWebFacts(accountId, site.website_code_id, none)
        return none
      }
      const { facts, searched: where } = found.right
      const kept: WebFacts = {
        facts: facts.map(({ sources, text }) => ({ text, url: sources[0]?.url ?? "" })),
        isFromWeb: where === "web",
        failure: null
      }
      yield* unit.write(
        Effect.gen(function* () {
          // Facts of the account itself are part of its knowledge already.
          if (kept.isFromWeb && facts.length > 0) yield* keepAsKnowledge(name, found.right)
          yield* keepWebFacts(accountId, site.website_code_id, kept)
        })
      )
      return kept
    })

  return { searched }
}
const makeAccountFacts = ({ business, files, questions }: MaterialServices) => {
  const ofBusiness = (profile: Effect.Effect.Success<typeof business.get>): ReadonlyArray<MaterialFact> =>
    // The description of targeted and paying customers is left out, because it is not for visitors.
    [profile.business_name, profile.business_description, profile.business_website].flatMap((text) =>
      text === null || text.trim() === "" ? [] : [{ source: "business", text }]
    )

  const ofFaq = Effect.map(
    questions.faq,
    (faq): ReadonlyArray<MaterialFact> =>
      faq
        .filter(({ is_valid }) => is_valid)
        .slice(0, mostFaq)
        .map(({ answer_text, question_text }) => ({ source: "faq", text: `${question_text}\n${answer_text}` }))
  )

  const ofKnowledge = (accountId: AccountId, question: string) =>
    Effect.map(
      files.find({ accountId, campaignId: null }, clip(question, 2000), mostPassages),
      (passages): ReadonlyArray<MaterialFact> =>
        passages.map(({ body, heading }) => ({
          source: "knowledge",
          text: heading === "" ? body : `${heading}\n${body}`
        }))
    )

  return { ofBusiness, ofFaq, ofKnowledge }
}
/** Collects what the account knows about the site's subject. */
export const makeMaterial = Effect.gen(function* () {
  const services = yield* makeMaterialServices
  const { accounts, business, campaigns } = services
  const localeOf = yield* makeOwnerLocale
  const { searched } = makeWebSearch(services)
  const { ofBusiness, ofFaq, ofKnowledge } = makeAccountFacts(services)

  return Effect.fn("Websites.material")(function* (
    site: WrittenWebsite,
    {
      isLastAttempt,
      prompt,
      storesData
    }: {
      readonly prompt: string
      readonly storesData: boolean
      readonly isLastAttempt: boolean
    }
  ) {
    const { accountId } = yield* Caller
    const name = site.business_name
    const web =
      name === null
        ? undefined
        : site.web_facts === null
          ? yield* searched(site, name, isLastAttempt)
          : yield* Effect.orDie(decodeWebFacts(site.web_facts))
    const profile = yield* business.get
    const other = otherBusiness(
      {
        type: site.application_type,
        description: site.description,
        businessName: name,
        wishes: `${site.guidelines}\n${prompt}`
      },
      profile.business_name
    )
    const question = [name, site.description, prompt].filter((text) => text !== null && text !== "").join(" ")
    const ofAccount =
      other === undefined
        ? { known: ofBusiness(profile), passages: yield* ofKnowledge(accountId, question), faq: yield* ofFaq }
        : { known: [], passages: [], faq: [] }
    const { campaigns: named } = yield* campaigns.list({ page: 0, pageSize: mostCampaigns })
    const found: ReadonlyArray<MaterialFact> = (web?.facts ?? []).flatMap(
      ({ text, url }): ReadonlyArray<MaterialFact> => {
        if (web?.isFromWeb === true) return [{ source: "web", text, url }]
        return other === undefined ? [{ source: "knowledge", text }] : []
      }
    )
    const material: SiteMaterial = {
      ownerLanguage: (yield* localeOf(accountId)).language,
      type: site.application_type,
      language: site.language,
      description: site.description,
      guidelines: site.guidelines,
      businessName: name,
      storesData,
      legal: yield* accounts.legalIdentity(accountId),
      facts: [...ofAccount.known, ...found, ...ofAccount.passages, ...ofAccount.faq],
      campaigns: named.map((campaign) => campaign.name)
    }
    const words = writingNotes(site.language)
    const notes = [
      ...(web === undefined ? [] : [toldOf(web, words)]),
      ...(other === undefined ? [] : [words.otherBusiness(other, profile.business_name ?? "")])
    ]
    return { material, notes }
  })
})
