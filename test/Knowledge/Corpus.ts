import { readdirSync, readFileSync } from "node:fs"
import { type Passage, passagesOf } from "../../src/Services/Knowledge/Passages.ts"
import { textBlocks } from "../../src/Services/Knowledge/TextBlocks.ts"
import type { Language } from "../../src/Services/Text/Language.ts"
import type { KnownPassage } from "../../src/Services/Writing/WritingBrief.ts"

/** What a prospect asks, and what an answer must and must not say. Without `says` the files do not answer. */
export interface CorpusQuestion {
  readonly question: string
  readonly says: ReadonlyArray<string> | undefined
  readonly saysNot: ReadonlyArray<string>
}

/** A small business: its files as owners write them, and what prospects ask. */
export interface CorpusBusiness {
  readonly name: string
  readonly language: Language
  /** Written with the others, and read by no one before the rules were finished. */
  readonly isHeldOut: boolean
  readonly files: ReadonlyArray<{ readonly title: string; readonly passages: ReadonlyArray<Passage> }>
  readonly questions: ReadonlyArray<CorpusQuestion>
}

/** Businesses with a higher number are held out. */
const lastTuned = 10

const questionsIn = (text: string): ReadonlyArray<CorpusQuestion> =>
  text.split(/^\? /m).flatMap((part): ReadonlyArray<CorpusQuestion> => {
    const [question = "", answer = "", wrong = ""] = part.split("\n")
    if (answer === "") return []
    return [
      {
        question,
        says: answer === "-" ? undefined : answer.slice(2).split(" | "),
        saysNot: wrong.startsWith("! ") ? wrong.slice(2).split(" | ") : []
      }
    ]
  })

export const corpus = (language: Language): ReadonlyArray<CorpusBusiness> => {
  const folder = new URL(`./corpus/${language}/`, import.meta.url)
  return readdirSync(folder)
    .toSorted()
    .map((name): CorpusBusiness => {
      const [files = "", questions = ""] = readFileSync(new URL(name, folder), "utf8").split("@ questions\n")
      return {
        name,
        language,
        isHeldOut: Number.parseInt(name, 10) > lastTuned,
        files: files
          .split(/^@ file: /m)
          .slice(1)
          .map((file) => ({
            title: file.slice(0, file.indexOf("\n")).replace(/\.\w+$/, ""),
            passages: passagesOf(textBlocks(file.slice(file.indexOf("\n") + 1)))
          })),
        questions: questionsIn(questions)
      }
    })
}

/** The passages of a business as the writer gets them. `score` is that of each. */
export const knowledgeOf = ({ files }: CorpusBusiness, score: number): ReadonlyArray<KnownPassage> =>
  files.flatMap(({ passages, title }, file) =>
    passages.map((passage, sequence) => ({ ...passage, title, businessFileId: file + 1, sequence, score }))
  )
