import { Schema } from "effect"
import type { Verdict, WrittenBrief, WrittenPage } from "./BriefVerdict.ts"

/** Prompts that were written without sight of the reader, with what a careful person would make of each. */
export const BlindPrompt = Schema.Struct({
  id: Schema.String,
  language: Schema.String,
  prompt: Schema.String,
  fields: Schema.NullOr(Schema.Array(Schema.String)),
  must_show: Schema.Array(Schema.String),
  must_not_show: Schema.Array(Schema.String),
  /** Whether a careful person would publish without a question. */
  fit_to_publish: Schema.Boolean,
  questions: Schema.Array(Schema.String)
})
export type BlindPrompt = typeof BlindPrompt.Type

const codeOf = (language: string): string => language.slice(0, 2)

export const asBrief = ({ id, language, must_not_show, must_show, prompt }: BlindPrompt): WrittenBrief => ({
  id,
  lang: codeOf(language),
  brief: prompt,
  facts: must_show,
  absent: must_not_show
})

/** "Medidas (opcional)", "nível (básico / avançado)": the label without what is said of it. */
const labelOf = (field: string): string => field.replace(/\s?\([^()]*\)/g, "").trim()

export const asPage = ({ fields, id, language, must_not_show, must_show, prompt }: BlindPrompt): WrittenPage => ({
  id,
  lang: codeOf(language),
  prompt,
  expect: { fields: (fields ?? []).map(labelOf), facts: must_show, absent: must_not_show }
})

export interface BlindTotals {
  readonly prompts: number
  /** A careful person would publish these at once. */
  readonly fit: number
  readonly fitPublished: number
  /** Published, though something had to be asked first. */
  readonly unfitPublished: number
  readonly published: number
  /** Published with every stated fact and nothing that may not be shown. */
  readonly right: number
  readonly missingOnPublished: number
  readonly forbiddenOnPublished: number
}

export const blindTotals = (
  played: ReadonlyArray<{ readonly prompt: BlindPrompt; readonly verdict: Verdict }>
): BlindTotals => {
  const published = played.filter(({ verdict }) => verdict.isPublished)
  const fitPublished = published.filter(({ prompt }) => prompt.fit_to_publish).length
  const sumOf = (of: (verdict: Verdict) => number): number =>
    published.reduce((total, { verdict }) => total + of(verdict), 0)
  return {
    prompts: played.length,
    fit: played.filter(({ prompt }) => prompt.fit_to_publish).length,
    fitPublished,
    unfitPublished: published.length - fitPublished,
    published: published.length,
    right: published.filter(({ verdict }) => verdict.missing.length + verdict.invented.length === 0).length,
    missingOnPublished: sumOf(({ missing }) => missing.length),
    forbiddenOnPublished: sumOf(({ invented }) => invented.length)
  }
}
