import { SqlClient } from "@effect/sql/SqlClient"
import { Array, Effect, Layer, Option, Schema } from "effect"
import { NotFound, refused, type Transient } from "../../Errors.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { Business, type BusinessView } from "../../Services/Knowledge/Business.ts"
import { Embeddings } from "../../Services/Models/Embeddings.ts"
import { LanguageModel, type PromptText } from "../../Services/Models/LanguageModel.ts"
import { LanguageUsage } from "../../Services/Models/LanguageUsage.ts"
import { loadPromptFile } from "../../Services/Models/PromptFile.ts"
import { normaliseCnae } from "../../Services/Prospecting/Cnae.ts"
import { ProspectingConfig } from "../../Services/Prospecting/ProspectingConfig.ts"
import { accountCountry, brazilianAccountsOnly } from "../../Services/Reference/AccountCountry.ts"
import { platformArticles, searchPlatformArticles } from "../../Services/Reference/ArticleSearch.ts"
import { findCities } from "../../Services/Reference/Cities.ts"
import { lookUpCnae } from "../../Services/Reference/Cnae.ts"
import { Reference } from "../../Services/Reference/Reference.ts"
import {
  type CnaeSuggestion,
  type CnaeSuggestions,
  excludedByRules,
  type GoodLeads,
  icpByRules,
  includedByRules,
  maximumSuggestions,
  suggestionOf
} from "../../Services/Reference/Suggestions.ts"
import { suggestionWords } from "../../Services/Reference/SuggestionWords.ts"
import { languageNames, languageOf } from "../../Services/Text/Language.ts"
import { scoreOfCosine } from "../../Services/Text/PassageScore.ts"
import { DelimiterWord, delimited, delimiterRule } from "../../Services/Text/PromptDelimiter.ts"
import { outsideTransaction } from "../Platform/Postgres/OutsideTransaction.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"

const file = loadPromptFile(new URL("../../Services/Reference/suggestions.md", import.meta.url))
const timeout = "40 seconds"
const embeddingBatch = 32

const malformedCode = refused(
  "cnae_code_malformed",
  "code is not written like a CNAE code.",
  "Send 2, 3, 5 or 7 digits, with or without punctuation: 62, 62.0, 62.01-5 or 6201-5/01.",
  { parameter: "code" }
)
const unknownCode = (code: string) =>
  new NotFound({
    error: `There is no CNAE code ${code}.`,
    reason: "cnae_code_not_found",
    detail: "Look its division up with two digits to see the codes below it.",
    fields: { code }
  })
const cityTooShort = refused("city_name_empty", "city_name has no letters.", "Send the name of a Brazilian city.", {
  parameter: "city_name"
})
const nothingToSuggestFrom = refused(
  "icp_missing",
  "There is no text to make suggestions from.",
  "Send icp_text, or describe the business or its ideal customer with set_business."
)

const CodesOutput = Schema.Struct({
  suggestions: Schema.Array(Schema.Struct({ code: Schema.String, reason: Schema.String }))
})
const IcpOutput = Schema.Struct({
  icp: Schema.String,
  reasons: Schema.Array(Schema.String),
  missing: Schema.Array(Schema.String)
})

interface AccountFacts {
  readonly country: string | null
  readonly phone: string | null
  readonly languageKey: string
}

interface Counted {
  readonly kind: "industry" | "state" | "job_title"
  readonly name: string
  readonly count: number
  readonly total: number
}

const businessText = (business: BusinessView): string =>
  [
    ["name", business.business_name],
    ["description", business.business_description],
    ["website", business.business_website],
    ["paying customers", business.paying_customer_examples]
  ]
    .flatMap(([label, value]) => (value === null ? [] : [`${label}: ${value}`]))
    .join("\n")

const isText = (text: string | null | undefined): text is string =>
  text !== null && text !== undefined && text.trim() !== ""

const makeReferenceServices = Effect.gen(function* () {
  const sql = yield* SqlClient
  const business = yield* Business
  const configs = yield* ProspectingConfig
  const model = yield* LanguageModel
  const usage = yield* LanguageUsage
  const embeddings = yield* Embeddings
  return { business, configs, embeddings, model, sql, usage }
})
type ReferenceServices = Effect.Effect.Success<typeof makeReferenceServices>

const makeAccountReads = ({ sql }: ReferenceServices) => {
  const account = Effect.gen(function* () {
    const { accountId } = yield* Caller
    const rows = yield* sql<AccountFacts>`
      select country, phone, language_key as "languageKey" from account where account_id = ${accountId}`.pipe(fromSql())
    return single(rows)
  })

  const inBrazil = Effect.flatMap(account, (facts) => {
    const country = accountCountry(facts)
    return country === "BR" ? Effect.succeed(facts) : Effect.fail(brazilianAccountsOnly(country))
  })

  const goodLeads = Effect.gen(function* () {
    const { accountId } = yield* Caller
    const rows = yield* sql<Counted>`
      with good as (
        select industry, state, job_title from lead
        where account_id = ${accountId} and (status = 'Interested' or final_outcome = 'won')
        order by created_at desc limit 5000
      ), named as (
        select 'industry' as kind, industry as name from good where industry is not null
        union all select 'state', state from good where state is not null
        union all select 'job_title', job_title from good where job_title is not null
      )
      select kind, name, count(*) as count, (select count(*) from good) as total from named
      group by kind, name order by count(*) desc, name limit 60`.pipe(fromSql())
    const of = (kind: Counted["kind"]) => rows.filter((row) => row.kind === kind)
    return {
      count: rows[0]?.total ?? 0,
      industries: of("industry"),
      states: of("state"),
      jobTitles: of("job_title")
    } satisfies GoodLeads
  })

  return { account, goodLeads, inBrazil }
}
type AccountReads = ReturnType<typeof makeAccountReads>

const makeModelQuestions = ({ model, usage }: ReferenceServices) => {
  /**
   * Returns the model's answer and counts its usage. Undefined without a model or after a failure, so that rules
   * decide.
   */
  const ask = <A, I>(
    purpose: string,
    schema: Schema.Schema<A, I>,
    prompt: (word: string) => PromptText
  ): Effect.Effect<A | undefined, Transient, Caller> =>
    Effect.gen(function* () {
      if (model.mode === "sandbox") return undefined
      const { accountId } = yield* Caller
      const { next } = yield* DelimiterWord
      const answer = yield* Effect.either(
        model.generate({
          prompt: prompt(yield* next),
          schema,
          maxOutputTokens: 1500,
          timeout,
          purpose,
          inSandbox: Effect.dieMessage("The sandbox is not asked.")
        })
      )
      const modelUsage = answer._tag === "Right" ? answer.right.usage : answer.left.usage
      if (modelUsage !== undefined) {
        // The tool runs on read-only sessions, so the usage is written on a separate one.
        yield* outsideTransaction(usage.add(accountId, purpose, modelUsage))
      }
      return answer._tag === "Right" ? answer.right.value : undefined
    })

  const sourceOf = (givenText: string | undefined, current: BusinessView) => {
    if (isText(givenText)) return { text: givenText, source: "given" as const }
    if (isText(current.ideal_customer_profile))
      return { text: current.ideal_customer_profile, source: "current" as const }
    return isText(current.business_description)
      ? { text: current.business_description, source: "business_description" as const }
      : undefined
  }

  /** Keeps only codes of the model's answer that exist. */
  const existing = (suggestions: ReadonlyArray<{ readonly code: string; readonly reason: string }>) => {
    const existingCodes = new Map<string, CnaeSuggestion>()
    for (const { code, reason } of suggestions.slice(0, 100)) {
      const digits = normaliseCnae(code)
      const suggestion = digits === undefined ? undefined : suggestionOf(digits, reason.slice(0, 500))
      if (suggestion !== undefined && !existingCodes.has(suggestion.code))
        existingCodes.set(suggestion.code, suggestion)
    }
    return [...existingCodes.values()].slice(0, maximumSuggestions)
  }

  return { ask, existing, sourceOf }
}
type ModelQuestions = ReturnType<typeof makeModelQuestions>

const makeArticleVectors = ({ embeddings }: ReferenceServices) => {
  // Embedded at the first search. After a failure, a later search tries again.
  let articleEmbeddings: ReadonlyArray<Float32Array> | undefined
  const articleVectors = Effect.gen(function* () {
    if (embeddings.model === undefined || articleEmbeddings !== undefined) return articleEmbeddings
    const texts = platformArticles.map(({ text, title }) => `${title}\n${text}`)
    const parts = yield* Effect.option(
      Effect.forEach(Array.chunksOf(texts, embeddingBatch), (part) => embeddings.embed(part))
    )
    if (Option.isSome(parts)) articleEmbeddings = parts.value.flat()
    return articleEmbeddings
  })

  return { articleVectors }
}
type ArticleVectors = ReturnType<typeof makeArticleVectors>

const lookUps = (
  { embeddings }: ReferenceServices,
  { inBrazil }: AccountReads,
  { articleVectors }: ArticleVectors
): Pick<typeof Reference.Service, "city" | "cnae" | "searchArticles"> => ({
  city: Effect.fn("Reference.city")(function* (name) {
    yield* inBrazil
    return /\p{L}/u.test(name) ? findCities(name) : yield* cityTooShort
  }),

  cnae: Effect.fn("Reference.cnae")(function* (code) {
    yield* inBrazil
    if (!/^\s*\d[\d ./-]{0,18}\s*$/.test(code)) return yield* malformedCode
    return lookUpCnae(code) ?? (yield* unknownCode(code.trim()))
  }),

  searchArticles: Effect.fn("Reference.searchArticles")(function* (query, { limit, minimumScore }) {
    const vectors = yield* articleVectors
    const queryVector = vectors === undefined ? undefined : yield* Effect.option(embeddings.embed([query]))
    const queryEmbedding = queryVector === undefined ? undefined : Option.getOrUndefined(queryVector)?.[0]
    const meanings =
      vectors === undefined || queryEmbedding === undefined
        ? undefined
        : vectors.map((vector) =>
            scoreOfCosine(vector.reduce((sum, value, index) => sum + value * (queryEmbedding[index] ?? 0), 0))
          )
    const scoredArticles = searchPlatformArticles(query, {
      limit,
      minimumScore,
      ...(meanings === undefined ? {} : { meanings })
    })
    return {
      results: scoredArticles.map(({ article, score }) => ({
        title: article.title,
        content: article.text,
        score,
        language: article.language
      })),
      top_k: limit,
      mode: meanings === undefined ? "text" : "hybrid"
    }
  })
})

const suggestions = (
  { business, configs }: ReferenceServices,
  { account, goodLeads, inBrazil }: AccountReads,
  { ask, existing, sourceOf }: ModelQuestions
): Pick<typeof Reference.Service, "suggestCnae" | "suggestIcp"> => ({
  suggestCnae: Effect.fn("Reference.suggestCnae")(function* (kind, givenText) {
    const { languageKey } = yield* inBrazil
    const current = yield* business.get
    const source = sourceOf(givenText, current)
    if (source === undefined) return yield* nothingToSuggestFrom
    const language = languageOf(languageKey)
    const modelAnswer = yield* ask(`suggest_cnae_${kind}`, CodesOutput, (word) => ({
      system: file.section("system", { delimiter_rule: delimiterRule(word) }),
      user: file.section(`cnae ${kind}`, {
        limit: `${maximumSuggestions}`,
        language: languageNames[language],
        profile: delimited(word, "ideal_customer_profile", source.text, 8000),
        ...(kind === "exclusion" ? { business: delimited(word, "business", businessText(current), 4000) } : {})
      })
    }))
    const byModel = modelAnswer === undefined ? [] : existing(modelAnswer.suggestions)
    const suggestions =
      byModel.length > 0
        ? byModel
        : kind === "inclusion"
          ? includedByRules(source.text, language)
          : excludedByRules(source.text, current.business_description ?? "", language)
    return {
      suggestions,
      codes: suggestions.map(({ code }) => code).join(","),
      icp_text: source.text,
      icp_source: source.source,
      suggested_by: byModel.length > 0 ? "model" : "rules",
      note:
        suggestions.length > 0
          ? null
          : kind === "inclusion"
            ? suggestionWords[language].nothingNamed
            : suggestionWords[language].nothingLeftOut
    } satisfies CnaeSuggestions
  }),

  suggestIcp: Effect.gen(function* () {
    const { languageKey } = yield* account
    const current = yield* business.get
    if (!isText(current.business_description) && !isText(current.paying_customer_examples)) {
      return yield* refused(
        "business_missing",
        "The account has no description of its business yet.",
        "Describe it with set_business: business_description or paying_customer_examples."
      )
    }
    const config = yield* configs.get
    const good = yield* goodLeads
    const language = languageOf(languageKey)
    const byRules = icpByRules(
      current,
      good,
      {
        cnae: config.cnae_filter,
        states: config.uf_filter,
        minEmployees: config.min_employee_count,
        maxEmployees: config.max_employee_count
      },
      language
    )
    const modelAnswer = yield* ask("suggest_icp", IcpOutput, (word) => ({
      system: file.section("system", { delimiter_rule: delimiterRule(word) }),
      user: file.section("icp", {
        language: languageNames[language],
        business: delimited(word, "business", businessText(current), 6000),
        evidence: delimited(word, "leads_that_were_interested", JSON.stringify(good).slice(0, 4000), 4000)
      })
    }))
    return modelAnswer === undefined || !isText(modelAnswer.icp)
      ? byRules
      : {
          icp: modelAnswer.icp.slice(0, 5000),
          reasons: modelAnswer.reasons,
          missing: modelAnswer.missing,
          suggested_by: "model" as const
        }
  }).pipe(Effect.withSpan("Reference.suggestIcp"))
})

const make = Effect.gen(function* () {
  const services = yield* makeReferenceServices
  const reads = makeAccountReads(services)
  const questions = makeModelQuestions(services)
  const vectors = makeArticleVectors(services)

  return Reference.of({
    ...lookUps(services, reads, vectors),
    ...suggestions(services, reads, questions)
  })
})

export const ReferencePostgres = Layer.effect(Reference, make)
