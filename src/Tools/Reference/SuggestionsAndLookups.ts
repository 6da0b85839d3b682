import { Effect, Schema } from "effect"
import { outboundTransients } from "../../Services/Outbound/OutboundHttp.ts"
import { CityMatch, maximumCities } from "../../Services/Reference/Cities.ts"
import { CnaeView } from "../../Services/Reference/Cnae.ts"
import { FoundArticles, Reference } from "../../Services/Reference/Reference.ts"
import { CnaeSuggestions, IcpSuggestion } from "../../Services/Reference/Suggestions.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

const icpText = Param.optional(
  Param.text("The ideal customer in words; by default the account's ideal customer profile.", {
    maxLength: 20_000
  })
)

const generateCnaeExclusionSuggestion = Tool.make("generate_cnae_exclusion_suggestion", {
  kind: "read",
  openWorld: true,
  description:
    "Suggests codes of the Brazilian classification of economic activities that prospecting should leave out: trades that the profile excludes, and likely competitors. Each has a reason, and none is saved: send them to set_targeting as cnae_exclusion_filter. For accounts in Brazil.",
  parameters: { icp_text: icpText },
  returns: CnaeSuggestions,
  errors: { Refused: ["brazilian_accounts_only", "icp_missing"] },
  example: { icp_text: "Restaurantes e padarias, exceto lanchonetes" },
  run: Effect.fnUntraced(function* ({ icp_text }) {
    const reference = yield* Reference
    return yield* reference.suggestCnae("exclusion", icp_text)
  })
})

const generateCnaeSuggestion = Tool.make("generate_cnae_suggestion", {
  kind: "read",
  openWorld: true,
  description:
    "Suggests codes of the Brazilian classification of economic activities that fit an ideal customer. Each has a reason, and none is saved: send them to set_targeting as cnae_filter. Made by a language model if one is configured, else by rules: suggested_by says which. For accounts in Brazil.",
  parameters: { icp_text: icpText },
  returns: CnaeSuggestions,
  errors: { Refused: ["brazilian_accounts_only", "icp_missing"] },
  example: { icp_text: "Clínicas odontológicas com mais de 5 funcionários" },
  run: Effect.fnUntraced(function* ({ icp_text }) {
    const reference = yield* Reference
    return yield* reference.suggestCnae("inclusion", icp_text)
  })
})

const generateIcpSuggestion = Tool.make("generate_icp_suggestion", {
  kind: "read",
  openWorld: true,
  description:
    "Suggests an ideal customer profile from the account's business profile, its targeting, and the leads that became interested. Nothing is saved: check it, then save it with set_business.",
  parameters: {},
  returns: IcpSuggestion,
  errors: { Refused: ["business_missing"] },
  example: {},
  run: Effect.fnUntraced(function* () {
    const reference = yield* Reference
    return yield* reference.suggestIcp
  })
})

const lookupCity = Tool.make("lookup_city", {
  kind: "read",
  openWorld: false,
  description: `Finds Brazilian municipalities by name, ignoring case and accents, each with its IBGE code and state: exact names first, then longer names that contain it. A state after the name (Bonito, MS) narrows it down. Without a match, similar spellings are returned. Returns at most ${maximumCities}. For accounts in Brazil.`,
  parameters: { city_name: Param.text("The city's name.", { minLength: 1, maxLength: 200 }) },
  returns: Schema.Struct({ cities: Schema.Array(CityMatch), total: Schema.Int }),
  errors: { Refused: ["brazilian_accounts_only", "city_name_empty"] },
  example: { city_name: "sao jose" },
  run: Effect.fnUntraced(function* ({ city_name }) {
    const reference = yield* Reference
    return yield* reference.city(city_name)
  })
})

const lookupCnae = Tool.make("lookup_cnae", {
  kind: "read",
  openWorld: false,
  description:
    "Explains a code of the Brazilian classification of economic activities: its official name, and the codes above and below it. Division (2 digits), group (3), class (5) or subclass (7), with or without punctuation. For accounts in Brazil.",
  parameters: { code: Param.text("The code, such as 62, 62.01-5 or 6201-5/01.", { minLength: 1, maxLength: 40 }) },
  returns: CnaeView,
  errors: { NotFound: ["cnae_code_not_found"], Refused: ["brazilian_accounts_only", "cnae_code_malformed"] },
  example: { code: "6201-5/01" },
  run: Effect.fnUntraced(function* ({ code }) {
    const reference = yield* Reference
    return yield* reference.cnae(code)
  })
})

const searchKnowledge = Tool.make("search_knowledge", {
  kind: "read",
  replicaAllowed: true,
  openWorld: true,
  description:
    "Searches the platform's own articles, the same for every account: how prospecting works here, by tool and by task, in Portuguese, English and Spanish. The score says how certainly an article answers the query: 0.7 and above is almost sure. The account's own knowledge (files, FAQ) is not searched here.",
  parameters: {
    query: Param.text("The question, or some words of it.", { minLength: 1, maxLength: 2000 }),
    top_k: Param.size("How many articles to return; more than 10 is lowered to 10.", { default: 3, maximum: 10 }),
    min_score: Param.withDefault(
      Param.number("Articles with a lower score are left out.", { minimum: 0, maximum: 1 }),
      0.7
    )
  },
  returns: FoundArticles,
  errors: { Transient: [...outboundTransients, "embeddings_unavailable"] },
  example: { query: "how do I pause a lead" },
  run: Effect.fnUntraced(function* ({ min_score, query, top_k }) {
    const reference = yield* Reference
    return yield* reference.searchArticles(query, { limit: top_k, minimumScore: min_score })
  })
})

export const SuggestionsAndLookupsGroup = Tool.group(
  "Suggestions and reference lookups",
  "Reference data of Brazil, proposals for targeting, and the platform's own articles.",
  [
    generateIcpSuggestion,
    generateCnaeSuggestion,
    generateCnaeExclusionSuggestion,
    lookupCity,
    lookupCnae,
    searchKnowledge
  ]
)
