import { Schema } from "effect"
import type { PromptText } from "../../Models/LanguageModel.ts"
import { loadPromptFile } from "../../Models/PromptFile.ts"
import { delimited, delimiterRule } from "../../Text/PromptDelimiter.ts"
import { Site, SiteBlock, SiteCollection, SiteKey, SitePage, SitePicture, SiteTheme } from "../Site.ts"
import { SiteOperation } from "../SiteOperations.ts"
import type { SiteProblem } from "./SiteCheck.ts"
import type { SeenSite } from "./SiteReview.ts"
import type { SiteMaterial } from "./SiteWriter.ts"

const file = loadPromptFile(new URL("./site.md", import.meta.url))

/** A model's answer for a new site. */
export const ModelledSite = Schema.Struct({
  name: Site.fields.name,
  tagline: Site.fields.tagline,
  theme: SiteTheme,
  pages: Schema.Array(
    Schema.Struct({
      id: SiteKey,
      path: SitePage.fields.path,
      label: SitePage.fields.label,
      title: SitePage.fields.title,
      description: SitePage.fields.description,
      blocks: SitePage.fields.blocks
    })
  ).pipe(Schema.maxItems(8)),
  pictures: Schema.Array(SitePicture).pipe(Schema.maxItems(24)),
  collections: Schema.Array(SiteCollection).pipe(Schema.maxItems(8))
})
export type ModelledSite = typeof ModelledSite.Type

export const RewrittenBlocks = Schema.Struct({ blocks: Schema.Array(SiteBlock) })

export const ModelledChange = Schema.Struct({
  understood: Schema.Boolean,
  operations: Schema.Array(SiteOperation).pipe(Schema.maxItems(60)),
  notes: Schema.Array(Schema.String.pipe(Schema.maxLength(400))).pipe(Schema.maxItems(30))
})

const longestFacts = 30_000

const factsOf = (word: string, { facts }: SiteMaterial): string =>
  facts.length === 0
    ? "None."
    : delimited(
        word,
        "material",
        facts.map(({ source, text, url }) => `${source}${url === undefined ? "" : ` (${url})`}: ${text}`).join("\n\n"),
        longestFacts
      )

const system = (word: string): string => file.section("system", { delimiter_rule: delimiterRule(word) })

const orNone = (word: string, label: string, text: string): string =>
  text.trim() === "" ? "None." : delimited(word, label, text, 8000)

/** The prompt to write a site. */
export const writePrompt = (word: string, material: SiteMaterial): PromptText => ({
  system: system(word),
  user: file.section("write", {
    kind: material.type === "Website" ? "website" : "lead-capture page",
    language: material.language,
    storage: material.storesData
      ? "It stores data: forms and lists of collections where the description asks for them."
      : "It stores no data of its own but what a form that the description asks for collects.",
    description: delimited(word, "description", material.description, 8000),
    guidelines: orNone(word, "guidelines", material.guidelines),
    name: orNone(word, "business_name", material.businessName ?? ""),
    facts: factsOf(word, material)
  })
})

/** The prompt to repair blocks that claim more than the material says. */
export const repairPrompt = (
  word: string,
  material: SiteMaterial,
  wrong: ReadonlyArray<{ readonly block: SiteBlock; readonly problems: ReadonlyArray<SiteProblem> }>
): PromptText => ({
  system: system(word),
  user: file.section("problems", {
    blocks: delimited(word, "blocks", JSON.stringify(wrong.map(({ block }) => block)), 30_000),
    problems: wrong.map(({ block, problems }) => `${block.id}: ${problems.join(", ")}`).join("\n"),
    facts: `${delimited(word, "description", material.description, 8000)}\n\n${factsOf(word, material)}`
  })
})

/** The prompt to change a site. */
export const changePrompt = (word: string, site: Site, prompt: string, material: SiteMaterial): PromptText => ({
  system: system(word),
  user: file.section("change", {
    language: site.language,
    prompt: delimited(word, "request", prompt, 8000),
    site: delimited(word, "site", JSON.stringify(site), 60_000),
    facts: factsOf(word, material)
  })
})

/** The prompt to review a picture of a site before it is published. */
export const reviewPicturePrompt = (word: string, site: Site, picture: Uint8Array): PromptText => ({
  system: system(word),
  user: file.section("look", {
    site: delimited(word, "site", JSON.stringify({ ...site, collections: [] }), 30_000)
  }),
  images: [{ mediaType: "image/jpeg", bytes: picture }]
})

/** The prompt to mend a site that does not look right. */
export const reviewPrompt = (
  word: string,
  site: Site,
  { faults, remarks }: SeenSite,
  material: SiteMaterial
): PromptText => ({
  system: system(word),
  user: file.section("review", {
    language: site.language,
    faults: delimited(
      word,
      "faults",
      [...faults.map(({ detail, page, rule, width }) => `${page} at ${width} px: ${rule}: ${detail}`), ...remarks].join(
        "\n"
      ),
      8000
    ),
    site: delimited(word, "site", JSON.stringify(site), 60_000),
    facts: factsOf(word, material)
  })
})
