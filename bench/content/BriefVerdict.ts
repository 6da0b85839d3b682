import { Schema } from "effect"
import type { Language } from "../../src/Services/Text/Language.ts"
import { fold } from "../../src/Services/Text/PlainText.ts"
import type { Site, SiteBlock, SiteField } from "../../src/Services/Websites/Site.ts"
import { type ComposedSite, composeSite } from "../../src/Services/Websites/Writing/ComposeSite.ts"
import { textsOf } from "../../src/Services/Websites/Writing/SiteCheck.ts"
import type { SiteMaterial } from "../../src/Services/Websites/Writing/SiteWriter.ts"

/** What became of briefs and capture pages that owners wrote without sight of the code, fact by fact. */

const texts = Schema.optional(Schema.Array(Schema.String))

export const WrittenBrief = Schema.Struct({
  id: Schema.String,
  lang: Schema.String,
  siteLang: Schema.optional(Schema.String),
  brief: Schema.String,
  /** Strings that a right site shows. */
  facts: Schema.Array(Schema.String),
  /** Strings that it may not show. */
  absent: texts,
  /** What an honest maker has to ask. */
  doubtful: texts
})
export type WrittenBrief = typeof WrittenBrief.Type

export const WrittenPage = Schema.Struct({
  id: Schema.String,
  lang: Schema.String,
  prompt: Schema.String,
  expect: Schema.Struct({
    fields: texts,
    optional: texts,
    required: texts,
    absent: texts,
    choices: texts,
    facts: texts
  })
})
export type WrittenPage = typeof WrittenPage.Type

export interface Verdict {
  readonly id: string
  readonly isPublished: boolean
  readonly questions: ReadonlyArray<string>
  readonly right: ReadonlyArray<string>
  readonly missing: ReadonlyArray<string>
  /** What it shows and may not. */
  readonly invented: ReadonlyArray<string>
  /** The texts of the owner that are reported as left out. */
  readonly reported: ReadonlyArray<string>
  readonly site: Site
}

const reportedBy = ({ asides, omitted, unmet }: ComposedSite): ReadonlyArray<string> => [
  ...asides,
  ...omitted,
  ...unmet
]

/** The missing facts of a verdict that nothing reports: they were lost in silence. */
export const lostIn = ({ missing, reported }: Verdict): ReadonlyArray<string> => {
  const all = plain(reported.join("\n"))
  return missing.filter((fact) => !all.includes(plain(fact)))
}

const languages: { readonly [lang: string]: readonly [site: string, owner: Language] } = {
  pt: ["pt-br", "pt-BR"],
  en: ["en-us", "en"],
  es: ["es-es", "es"]
}

const materialOf = (description: string, lang: string, siteLang: string, type: SiteMaterial["type"]): SiteMaterial => ({
  type,
  language: languages[siteLang]?.[0] ?? "pt-br",
  ownerLanguage: languages[lang]?.[1] ?? "pt-BR",
  description,
  guidelines: "",
  businessName: null,
  storesData: false,
  facts: [],
  campaigns: []
})

const blocksOf = (site: Site): ReadonlyArray<SiteBlock> => site.pages.flatMap(({ blocks }) => blocks)

/** All that visitors read, without accents and marks of typography. */
const shownBy = (site: Site): string =>
  fold([site.name, site.tagline, ...blocksOf(site).flatMap(textsOf)].join("\n")).replace(/\s+/g, " ")

const plain = (text: string): string => fold(text).replace(/\s+/g, " ").trim()

const isShown = (fact: string, visible: string): boolean => visible.includes(plain(fact))

export const briefVerdict = ({ absent = [], brief, facts, id, lang, siteLang = lang }: WrittenBrief): Verdict => {
  const composed = composeSite(materialOf(brief, lang, siteLang, "Website"))
  const { site } = composed
  const visible = shownBy(site)
  return {
    id,
    isPublished: (site.questions ?? []).length === 0,
    questions: site.questions ?? [],
    right: facts.filter((fact) => isShown(fact, visible)),
    missing: facts.filter((fact) => !isShown(fact, visible)),
    invented: absent.filter((fact) => isShown(fact, visible)),
    reported: reportedBy(composed),
    site
  }
}

/** The words of a label that distinguish it: without articles, marks and accents. */
const keyOf = (label: string): string =>
  plain(label)
    .replace(/['’]s?\b/g, "")
    .replace(/[^\p{L}\d ]+/gu, " ")
    .split(" ")
    .filter(
      (word) =>
        word !== "" && !/^(?:o|a|os|as|the|el|la|los|las|your|their|su|seu|sua|e|y|and|de|do|da|del|of)$/.test(word)
    )
    .map((word) => word.replace(/s$/, ""))
    .join(" ")

const fieldOf = (label: string, fields: ReadonlyArray<SiteField>): SiteField | undefined => {
  const key = keyOf(label)
  return (
    fields.find((field) => keyOf(field.label) === key) ??
    fields.find(
      (field) => keyOf(field.label).includes(key) || (keyOf(field.label).length > 3 && key.includes(keyOf(field.label)))
    )
  )
}

const isRise = (places: ReadonlyArray<number>): boolean =>
  places.every((place, at) => at === 0 || place > (places[at - 1] ?? 0))

/** What of a capture page is right; each expectation is one fact. */
export const pageVerdict = ({ expect, id, lang, prompt }: WrittenPage): Verdict => {
  const composed = composeSite(materialOf(prompt, lang, lang, "LeadCapturePage"))
  const { site } = composed
  const visible = shownBy(site)
  const fields = blocksOf(site).flatMap((block) => (block._tag === "Form" ? block.fields : []))
  const requested = expect.fields ?? []
  const matches = requested.map((label) => fieldOf(label, fields))
  const places = matches.flatMap((field) => (field === undefined ? [] : [fields.indexOf(field)]))
  const choices = fields.flatMap((each) => each.choices).map(plain)
  const checks: ReadonlyArray<readonly [fact: string, isRight: boolean]> = [
    ...requested.map((label, at) => [`field ${label}`, matches[at] !== undefined] as const),
    ...(requested.length > 0 ? [["order of the fields", isRise(places)] as const] : []),
    ...(expect.required ?? []).map(
      (label) => [`required ${label}`, fieldOf(label, fields)?.is_required === true] as const
    ),
    ...(expect.optional ?? []).map(
      (label) => [`optional ${label}`, fieldOf(label, fields)?.is_required === false] as const
    ),
    ...(expect.choices ?? []).map((choice) => [`choice ${choice}`, choices.includes(plain(choice))] as const),
    ...(expect.facts ?? []).map((fact) => [fact, isShown(fact, visible)] as const)
  ]
  const matched = new Set(matches)
  // Choices may be expected without the name of their field.
  const expectedChoices = new Set((expect.choices ?? []).map(plain))
  const holdsChoices = (field: SiteField): boolean =>
    field.choices.length > 0 && field.choices.every((choice) => expectedChoices.has(plain(choice)))
  const isOfFields = (label: string): boolean => fieldOf(label, fields) !== undefined && requested.length > 0
  return {
    id,
    isPublished: (site.questions ?? []).length === 0,
    questions: site.questions ?? [],
    right: checks.filter(([, isRight]) => isRight).map(([fact]) => fact),
    missing: checks.filter(([, isRight]) => !isRight).map(([fact]) => fact),
    invented: [
      ...(expect.absent ?? []).filter((each) =>
        /^[\p{L} '’-]+$/u.test(each) ? isOfFields(each) : isShown(each, visible)
      ),
      // A field that no one asked for.
      ...(requested.length === 0
        ? []
        : fields.filter((field) => !matched.has(field) && !holdsChoices(field)).map(({ label }) => `field ${label}`))
    ],
    reported: reportedBy(composed),
    site
  }
}

export interface Totals {
  readonly published: number
  readonly unpublished: number
  readonly right: number
  readonly missing: number
  readonly invented: number
  /** Of what is published alone. */
  readonly publishedRight: number
  readonly publishedMissing: number
  readonly publishedInvented: number
  /** Published with every fact and nothing else. */
  readonly whole: number
}

const sum = (verdicts: ReadonlyArray<Verdict>, of: (verdict: Verdict) => number): number =>
  verdicts.reduce((total, verdict) => total + of(verdict), 0)

export const totalsOf = (verdicts: ReadonlyArray<Verdict>): Totals => {
  const published = verdicts.filter(({ isPublished }) => isPublished)
  return {
    published: published.length,
    unpublished: verdicts.length - published.length,
    right: sum(verdicts, ({ right }) => right.length),
    missing: sum(verdicts, ({ missing }) => missing.length),
    invented: sum(verdicts, ({ invented }) => invented.length),
    publishedRight: sum(published, ({ right }) => right.length),
    publishedMissing: sum(published, ({ missing }) => missing.length),
    publishedInvented: sum(published, ({ invented }) => invented.length),
    whole: published.filter(({ invented, missing }) => invented.length + missing.length === 0).length
  }
}
