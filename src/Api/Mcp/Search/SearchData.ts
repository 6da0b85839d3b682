import { readFileSync } from "node:fs"
import { Schema } from "effect"

const Lists = Schema.Record({ key: Schema.String, value: Schema.Array(Schema.String) })
type Lists = typeof Lists.Type

const Words = Schema.Struct({
  /** Words that say nothing about a wish. */
  stopWords: Schema.Array(Schema.String),
  /** Endings that only inflect a word. */
  endings: Schema.Array(Schema.String),
  /** A word for each phrase of several words that means one thing. */
  phrasesForWords: Schema.Record({ key: Schema.String, value: Schema.String })
})

/** What the search knows of Portuguese, English and Spanish, in the files of `data`. Nothing there has accents. */
export interface SearchData {
  readonly words: typeof Words.Type
  /** The beginnings of words that mean a word of the tools' names and descriptions, by that word. */
  readonly meanings: Lists
  /** What people say who need a tool, by its name, in each language. */
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
