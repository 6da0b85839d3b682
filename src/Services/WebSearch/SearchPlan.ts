import { Schema } from "effect"
import type { PromptText } from "../Models/LanguageModel.ts"
import { loadPromptFile } from "../Models/PromptFile.ts"
import { type Language, languageNames } from "../Text/Language.ts"
import { clip, fold, tidyText } from "../Text/PlainText.ts"
import { delimited, delimiterRule } from "../Text/PromptDelimiter.ts"
import { contentWords, stemOf } from "../Text/WordStems.ts"
import type { ReadPage } from "./WebSearch.ts"

/** The answer of the model that plans a search. */
export const PlannedQueries = Schema.Struct({ queries: Schema.Array(Schema.String) })

const longestQuery = 200

const oneLine = (text: string): string => clip(tidyText(text).replace(/\s+/g, " ").trim(), longestQuery)

const sentenceEnds = new Set([".", "!", "?", ":", "\n"])

/** Names: runs of capitalised words, and text in quotation marks. */
export const namesIn = (text: string): ReadonlyArray<string> => {
  const tidy = tidyText(text).slice(0, 20_000)
  const quoted = [...tidy.matchAll(/["“«]([^"“”«»\n]{2,60})["”»]/g)].map(([, name = ""]) => name)
  const capital = [
    ...tidy.matchAll(
      /\p{Lu}[\p{L}\d&'-]{1,30}(?: (?:(?:de|da|do|das|dos|del|e|y|of|the) )?\p{Lu}[\p{L}\d&'-]{1,30}){0,4}/gu
    )
  ]
    // The first word of a sentence is always capitalised, so its capital proves nothing.
    .filter(
      ({ index, 0: name }) =>
        name.includes(" ") ||
        (index > 1 &&
          !sentenceEnds.has(
            tidy
              .slice(Math.max(0, index - 3), index)
              .replaceAll(" ", "")
              .at(-1) ?? ""
          ))
    )
    .map(([name]) => name)
  return [...new Set([...quoted, ...capital].map((name) => name.trim()))].filter((name) => name.length > 1)
}

/** Further aspects of a company or a person to search for. */
const facets: { readonly [L in Language]: ReadonlyArray<string> } = {
  "pt-BR": ["o que faz", "clientes", "notícias", "avaliações", "faturamento funcionários"],
  en: ["what it does", "customers", "news", "reviews", "revenue employees"],
  es: ["qué hace", "clientes", "noticias", "opiniones", "ingresos empleados"]
}

const distinct = (queries: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Map(
    queries
      .map(oneLine)
      .filter((query) => query !== "")
      .map((query) => [fold(query), query])
  ).values()
]

/** Queries of the first round: the question itself, its significant words, and the names in it. */
export const firstQueries = (question: string, count: number, language: Language): ReadonlyArray<string> => {
  const whole = oneLine(question)
  const [name] = namesIn(question)
  const significant = [...new Set(contentWords(question))].slice(0, 12).join(" ")
  return distinct([
    whole,
    significant,
    ...(name === undefined ? [] : [`"${name}"`, ...facets[language].map((facet) => `${name} ${facet}`)])
  ]).slice(0, count)
}

/**
 * Queries of the second round: names that the first round's pages mention most, combined with the question's words.
 */
export const furtherQueries = (
  question: string,
  pages: ReadonlyArray<ReadPage>,
  earlierQueries: ReadonlyArray<string>,
  count: number
): ReadonlyArray<string> => {
  const knownWords = new Set(contentWords([question, ...earlierQueries].join(" ")).map(stemOf))
  const counts = new Map<string, { readonly name: string; pages: number }>()
  for (const { passages } of pages) {
    const names = new Map(
      passages.slice(0, 20).flatMap(({ body }) => namesIn(body).map((name) => [fold(name), name] as const))
    )
    for (const [key, name] of names) {
      if (contentWords(name).every((word) => knownWords.has(stemOf(word)))) continue
      const mention = counts.get(key) ?? { name, pages: 0 }
      mention.pages += 1
      counts.set(key, mention)
    }
  }
  const significant = [...new Set(contentWords(question))].slice(0, 6).join(" ")
  const before = new Set(earlierQueries.map(fold))
  return distinct(
    [...counts.values()]
      .toSorted((a, b) => b.pages - a.pages || a.name.localeCompare(b.name))
      .map(({ name }) => `${significant} ${name}`)
  )
    .filter((query) => !before.has(fold(query)))
    .slice(0, count)
}

/** A model's queries within the same limits. */
export const plannedQueries = (
  queries: ReadonlyArray<string>,
  earlierQueries: ReadonlyArray<string>,
  count: number
) => {
  const before = new Set(earlierQueries.map(fold))
  return distinct(queries.slice(0, 20))
    .filter((query) => !before.has(fold(query)))
    .slice(0, count)
}

const file = loadPromptFile(new URL("./online-search.md", import.meta.url))

/** The prompt for the queries of a round. */
export const planPrompt = (plan: {
  readonly question: string
  readonly queries: ReadonlyArray<string>
  /** Quotes of the pages that earlier rounds read. */
  readonly quotes: string
  readonly count: number
  readonly language: Language
  readonly word: string
}): PromptText => ({
  system: file.section("plan system", { delimiter_rule: delimiterRule(plan.word) }),
  user: file.section("plan task", {
    count: String(plan.count),
    language: languageNames[plan.language],
    question: delimited(plan.word, "question", plan.question, 4000),
    asked: delimited(plan.word, "queries_before", plan.queries.join("\n"), 2000),
    found: delimited(plan.word, "found_so_far", plan.quotes, 6000)
  })
})
