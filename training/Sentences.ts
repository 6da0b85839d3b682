import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import type { Language } from "../src/Services/Text/Language.ts"
import { fold, shareOf } from "../src/Services/Text/PlainText.ts"
import { featuresOf } from "../src/Services/Text/Sentences/SentenceFeatures.ts"
import { patternSentences } from "./Patterns.ts"

/** A sentence as it is kept in `sentences/`, with the labels that a person gave it. */
export interface LabelledSentence {
  readonly language: Language
  readonly text: string
  readonly labels: ReadonlySet<string>
  /** No training and no choice sees these: they only measure the finished model. */
  readonly isHeldOut: boolean
  /** The part of a cross-validation in which the sentence is tested. */
  readonly part: number
}

/** Part of the sentences that are made of patterns: they are only learnt from. */
const noPart = -1

export const languages: ReadonlyArray<readonly [language: Language, name: string]> = [
  ["pt-BR", "pt"],
  ["en", "en"],
  ["es", "es"]
]

export const parts = 3
/** Large enough for 30 sentences of each act in each language. */
const heldOutShare = 0.23

/** Whose sentences a folder holds: answers of prospects, or clauses of owners who ask for a site. */
type SentenceFolder = "sentences" | "briefs"

const contentOf = (folder: SentenceFolder, name: string): string =>
  readFileSync(new URL(`./${folder}/${name}.tsv`, import.meta.url), "utf8")

/** What two sentences have in common that differ in capitals, accents or marks: these belong into the same part. */
const keyOf = (text: string): string => {
  const words = fold(text).match(/[a-z0-9]+/g)
  return words === null ? text : words.join(" ")
}

/** Both splits follow from the words alone, so that a sentence stays where it is when others are added. */
const sentenceOf = (line: string, language: Language): LabelledSentence => {
  const [labels = "", text = ""] = line.split("\t")
  return {
    language,
    text,
    labels: new Set(labels.split(" ")),
    isHeldOut: shareOf(`unseen ${keyOf(text)}`) < heldOutShare,
    part: Math.floor(shareOf(keyOf(text)) * parts)
  }
}

/** The sentences that were written down one by one. */
export const labelledSentences = (folder: SentenceFolder = "sentences"): ReadonlyArray<LabelledSentence> =>
  languages.flatMap(([language, name]) =>
    contentOf(folder, name)
      .split("\n")
      .filter((line) => line.includes("\t"))
      .map((line) => sentenceOf(line, language))
  )

/** The sentences that patterns stand for. */
export const sentencesOfPatterns = (): ReadonlyArray<LabelledSentence> =>
  languages.flatMap(([language, name]) =>
    patternSentences(name).map(([labels, text]) => ({
      language,
      text,
      labels: new Set(labels.split(" ")),
      isHeldOut: false,
      part: noPart
    }))
  )

/** All labels in the order of the model's; a sentence of `none` has none of them. */
export const labelsOf = (sentences: ReadonlyArray<LabelledSentence>): ReadonlyArray<string> =>
  [...new Set(sentences.flatMap(({ labels }) => [...labels]))].filter((label) => label !== "none").sort()

const sampleStep = 20

/** A digest of the sentences and of how they are turned into features: a model of another digest is out of date. */
export const trainingDigest = (sentences: ReadonlyArray<LabelledSentence>): string => {
  const hash = createHash("sha256")
  for (const [index, { labels, language, text }] of sentences.entries()) {
    hash.update(`${language}\t${[...labels].join(" ")}\t${text}\n`)
    if (index % sampleStep === 0) hash.update(featuresOf(text, language))
  }
  return hash.digest("hex").slice(0, 32)
}
