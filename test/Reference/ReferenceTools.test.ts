import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { BusinessFilesPostgres } from "../../src/Layers/Knowledge/BusinessFilesPostgres.ts"
import { BusinessPostgres, businessTasks } from "../../src/Layers/Knowledge/BusinessPostgres.ts"
import { NoEmbeddings } from "../../src/Layers/Models/Embeddings/NoEmbeddings.ts"
import { LanguageUsagePostgres } from "../../src/Layers/Models/LanguageUsagePostgres.ts"
import { LeadQuestionsPostgres } from "../../src/Layers/Outcomes/LeadQuestionsPostgres.ts"
import { ProspectingConfigPostgres } from "../../src/Layers/Prospecting/ProspectingConfigPostgres.ts"
import { ReferencePostgres } from "../../src/Layers/Reference/ReferencePostgres.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { BusinessKnowledgeGroup } from "../../src/Tools/Knowledge/BusinessKnowledge.ts"
import { SuggestionsAndLookupsGroup } from "../../src/Tools/Reference/SuggestionsAndLookups.ts"
import { fakeModel } from "../Models/FakeLanguageModel.ts"
import { LeadServices } from "../support/leads/LeadServices.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"

const catalog = Catalog.make([SuggestionsAndLookupsGroup, BusinessKnowledgeGroup])

const withAccount = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.flatMap(makeAccount(), (caller) => as(caller)(test))

const model = fakeModel([
  {
    suggestions: [
      { code: "86.30-5/04", reason: "The profile speaks of dental clinics." },
      { code: "9999999", reason: "There is no such code." },
      { code: "8630504", reason: "Twice." }
    ]
  }
])

const Services = ReferencePostgres.pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      BusinessPostgres,
      LeadQuestionsPostgres,
      ProspectingConfigPostgres,
      LanguageUsagePostgres,
      NoEmbeddings,
      model.layer
    )
  ),
  Layer.provideMerge(BusinessFilesPostgres),
  Layer.provideMerge(NoEmbeddings),
  Layer.provideMerge(LeadServices)
)

layer(Services, { excludeTestServices: true })("suggestions and reference lookups", (it) => {
  it.effect(
    "a model's codes are kept where they exist, once each, and what it used is counted although the tool reads",
    () =>
      withAccount(
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const { accountId } = yield* Caller
          const answer = yield* answerOf(catalog, "generate_cnae_suggestion", { icp_text: "Dental clinics" })
          assert.deepInclude(answer, { codes: "8630504", suggested_by: "model", icp_source: "given" })
          assert.include(model.asked[0]?.prompt.user, "| Dental clinics")
          const used = yield* sql`select purpose from language_usage where account_id = ${accountId}`
          assert.deepStrictEqual(used, [{ purpose: "suggest_cnae_inclusion" }])
        })
      )
  )

  it.effect("rules stand in where the model fails, from the account's own profile", () =>
    withAccount(
      Effect.gen(function* () {
        const refusal = yield* Effect.flip(callTool(catalog, "generate_cnae_suggestion"))
        assert.deepInclude(refusal, { _tag: "Refused", reason: "icp_missing" })
        yield* callTool(catalog, "set_business", { ideal_customer_profile: "Escritórios de advocacia" })
        const answer = yield* answerOf(catalog, "generate_cnae_suggestion")
        assert.deepInclude(answer, { suggested_by: "rules", icp_source: "current" })
        assert.nestedPropertyVal(answer, "suggestions[0].code", "6911701")
      })
    )
  )

  it.effect("accounts outside Brazil are refused clearly", () =>
    withAccount(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        yield* sql`update account set country = 'DE' where account_id = ${accountId}`
        for (const [name, args] of [
          ["lookup_city", { city_name: "Berlin" }],
          ["lookup_cnae", { code: "62" }],
          ["generate_cnae_suggestion", {}],
          ["generate_cnae_exclusion_suggestion", {}]
        ] as const) {
          const refusal = yield* Effect.flip(callTool(catalog, name, args))
          assert.deepInclude(refusal, { reason: "brazilian_accounts_only", fields: { account_country: "DE" } })
        }
      })
    )
  )

  it.effect("a code that does not exist is not found, one that is none is refused", () =>
    withAccount(
      Effect.gen(function* () {
        const missing = yield* Effect.flip(callTool(catalog, "lookup_cnae", { code: "99999" }))
        assert.deepInclude(missing, { _tag: "NotFound", reason: "cnae_code_not_found" })
        const malformed = yield* Effect.flip(callTool(catalog, "lookup_cnae", { code: "software" }))
        assert.deepInclude(malformed, { _tag: "Refused", reason: "cnae_code_malformed" })
        assert.nestedPropertyVal(
          yield* answerOf(catalog, "lookup_city", { city_name: "SAO PAULO" }),
          "cities[0].state",
          "SP"
        )
      })
    )
  )

  it.effect("articles are found in the language that they are asked for in, and nonsense finds none", () =>
    withAccount(
      Effect.gen(function* () {
        const answer = yield* answerOf(catalog, "search_knowledge", { query: "how do I pause a lead" })
        assert.deepInclude(answer, { mode: "text", top_k: 3 })
        assert.nestedPropertyVal(answer, "results[0].title", "Pausing, taking over, stopping and returning a lead")
        const portuguese = yield* answerOf(catalog, "search_knowledge", {
          query: "como importar uma planilha de leads?"
        })
        assert.nestedPropertyVal(portuguese, "results[0].title", "Importar leads de uma planilha")
        const none = yield* answerOf(catalog, "search_knowledge", { query: "receita de bolo de cenoura", top_k: 50 })
        assert.deepStrictEqual(none, { results: [], top_k: 10, mode: "text" })
      })
    )
  )

  it.effect("a profile is suggested from what the account says, with its reasons", () =>
    withAccount(
      Effect.gen(function* () {
        const refusal = yield* Effect.flip(callTool(catalog, "generate_icp_suggestion"))
        assert.deepInclude(refusal, { reason: "business_missing" })
        yield* callTool(catalog, "set_business", {
          business_description: "Software de agenda para clínicas.",
          paying_customer_examples: "Clínica Sorriso\nOdonto Vida"
        })
        const answer = yield* answerOf(catalog, "generate_icp_suggestion")
        assert.include(JSON.stringify(answer), "Clínica Sorriso")
        assert.deepInclude(answer, { suggested_by: "rules" })
      })
    )
  )

  it.effect("the business is changed field by field, and a website that is none is refused", () =>
    withAccount(
      Effect.gen(function* () {
        yield* callTool(catalog, "set_business", { business_name: "Ondas", business_website: "ondas.example" })
        const changed = yield* answerOf(catalog, "set_business", { business_name: " " })
        assert.deepInclude(changed, { business_name: null, business_website: "https://ondas.example" })
        const refusal = yield* Effect.flip(callTool(catalog, "set_business", { business_website: "not a site" }))
        assert.deepInclude(refusal, { _tag: "Refused" })
        assert.deepInclude(yield* answerOf(catalog, "get_business_assessment"), { verdict: null, is_outdated: true })
      })
    )
  )

  it.effect("a job repeats the assessment after its inputs changed, and not before", () =>
    withAccount(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const judge = Effect.forEach(businessTasks, ({ run }) =>
          run({ accountId }, { id: "1", attempt: 1, maxAttempts: 1 })
        )
        const assessment = answerOf(catalog, "get_business_assessment")
        yield* callTool(catalog, "set_business", { business_name: "Ondas" })
        yield* judge
        const first = yield* assessment
        assert.deepInclude(first, { is_outdated: false })
        yield* judge
        assert.deepStrictEqual(yield* assessment, first)
        yield* sql`delete from graphile_worker._private_jobs where key = ${`assess_business:${accountId}`}`
        yield* callTool(catalog, "set_business", {
          business_description: "We sell scheduling software to dental clinics with three chairs and more.",
          ideal_customer_profile: "Dental clinics in the south of Brazil with five to fifty people."
        })
        assert.deepInclude(yield* assessment, { is_outdated: true })
        const queued =
          yield* sql`select from graphile_worker._private_jobs where key = ${`assess_business:${accountId}`}`
        assert.lengthOf(queued, 1)
        yield* judge
        const second = yield* assessment
        assert.deepInclude(second, { is_outdated: false })
        assert.notDeepEqual(second, first)
      })
    )
  )
})
