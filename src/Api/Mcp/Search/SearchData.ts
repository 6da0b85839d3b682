import { readFileSync } from "node:fs"
import { Schema } from "effect"

const Lists = Schema.Record({ key: Schema.String, value: Schema.Array(Schema.String) })
type Lists = typeof Lists.Type

const Words = Schema.Struct({
  /** Words without meaning for a search. */
  stopWords: Schema.Array(Schema.String),
  /** Grammatical endings that the stemmer removes. */
  endings: Schema.Array(Schema.String),
  /** Multi-word phrases with one meaning, and the word that replaces each. */
  phrasesForWords: Schema.Record({ key: Schema.String, value: Schema.String })
})

/** The search's data for Portuguese, English and Spanish, from the files in `data`. It contains no accents. */
export interface SearchData {
  readonly words: typeof Words.Type
  /** For each word of the tools' names and descriptions, beginnings of other words with the same meaning. */
  readonly meanings: Lists
  /** For each tool, phrases of people who need it, per language. */
  readonly phrases: ReadonlyArray<Lists>
}

const languages = ["pt", "en", "es"]

const read = <A, I>(name: string, schema: Schema.Schema<A, I>): A =>
  Schema.decodeUnknownSync(Schema.parseJson(schema))(
    readFileSync(new URL(`./data/${name}.json`, import.meta.url), "utf8")
  )

export const readSearchData = (): SearchData => ({
  words: read("words", Words),
  meanings: read("meanings", Lists),
  phrases: languages.map((language) => read(`phrases.${language}`, Lists))
})
