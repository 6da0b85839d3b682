import { Effect, Either, Schema } from "effect"
import { transient } from "../../../Errors.ts"
import { GenerationFailed } from "../../../Services/Media/Generation.ts"
import {
  addUsage,
  isPassing,
  LanguageModel,
  type LanguageModelFailed,
  type Usage
} from "../../../Services/Models/LanguageModel.ts"
import { languageOf } from "../../../Services/Text/Language.ts"
import { DelimiterWord } from "../../../Services/Text/PromptDelimiter.ts"
import { editNotes } from "../../../Services/Websites/Edits/EditNotes.ts"
import { nameOfBlock } from "../../../Services/Websites/Edits/SiteSections.ts"
import { Site, type SiteBlock } from "../../../Services/Websites/Site.ts"
import { applyOperations, type SiteOperation } from "../../../Services/Websites/SiteOperations.ts"
import { campaignIn } from "../../../Services/Websites/Writing/ComposeSite.ts"
import {
  changePrompt,
  ModelledChange,
  ModelledSite,
  RewrittenBlocks,
  repairPrompt,
  reviewPrompt,
  writePrompt
} from "../../../Services/Websites/Writing/SiteByModel.ts"
import {
  problemsOf,
  type SiteProblem,
  type Sources,
  soundSite,
  sourcesOf
} from "../../../Services/Websites/Writing/SiteCheck.ts"
import {
  candidatesFor,
  isReviewed,
  mostRepairs,
  reviewNote,
  type SeenSite,
  SiteReviewer
} from "../../../Services/Websites/Writing/SiteReview.ts"
import { scoreOf } from "../../../Services/Websites/Writing/SiteScore.ts"
import {
  type SiteEffort,
  type SiteMaterial,
  SiteWriter,
  type WrittenSite
} from "../../../Services/Websites/Writing/SiteWriter.ts"
import { bestSite, type Candidate } from "./BestSite.ts"

interface WrongBlock {
  readonly block: SiteBlock
  readonly problems: ReadonlyArray<SiteProblem>
}

interface WrittenCandidate extends Candidate {
  /** Blocks with statements that the material does not support, and that were not corrected. */
  readonly left: ReadonlyArray<WrongBlock>
}

const busy = (seconds = 10) =>
  transient("language_model_unavailable", "The language model does not answer for the moment.", seconds)

const failureOf = (failure: LanguageModelFailed) =>
  isPassing(failure)
    ? busy(failure.retryAfterSeconds)
    : new GenerationFailed({
        code: failure.reason === "refused" ? "content_refused" : failure.detail,
        detail:
          failure.reason === "refused"
            ? "The model refuses to write what the description asks for."
            : "The language model wrote no site of the description."
      })

const nothingLeft = new GenerationFailed({
  code: "not_understood",
  detail: "The model wrote nothing that the material supports."
})

const blocksOf = (site: Site): ReadonlyArray<SiteBlock> =>
  site.pages.flatMap(({ blocks, variants }) => [...blocks, ...variants.flatMap((each) => each.blocks)])

const wrongIn = (blocks: ReadonlyArray<SiteBlock>, sources: Sources): ReadonlyArray<WrongBlock> =>
  blocks.flatMap((block) => {
    const problems = problemsOf(block, sources)
    return problems.length === 0 ? [] : [{ block, problems }]
  })

/** A page's texts that the material does not support are left empty rather than wrong. */
const describedBy = (site: Site, sources: Sources): Site => {
  const holds = (text: string): boolean =>
    problemsOf({ _tag: "CallToAction", id: "x", title: text, text: "", actions: [] }, sources).length === 0
  const page = (each: Site["pages"][number]): Site["pages"][number] => ({
    ...each,
    title: holds(each.title) ? each.title : site.name,
    description: holds(each.description) ? each.description : ""
  })
  return { ...site, tagline: holds(site.tagline) ? site.tagline : "", pages: site.pages.map(page) }
}

/** How often wrong text is rewritten, by the requested effort. */
const repairsFor = ({ reasoning }: SiteEffort): number => (reasoning === "Thinking" ? mostRepairs : 1)

const decodeSite = Schema.decodeUnknownEither(Site)

const notesFor = (language: string) => editNotes[/^(?:pt|es)-/.test(language) ? languageOf(language) : "en"]

const leftOutNotes = (left: ReadonlyArray<WrongBlock>, language: string): ReadonlyArray<string> =>
  left.map(({ block }) => notesFor(language).leftOut(nameOfBlock(block)))

const blocksIn = (operation: SiteOperation): ReadonlyArray<SiteBlock> =>
  operation._tag === "ReplaceBlock" || operation._tag === "AddBlock"
    ? [operation.block]
    : operation._tag === "AddPage"
      ? operation.page.blocks
      : operation._tag === "AddVariant"
        ? operation.blocks
        : []

/** Makes the questions to the model. */
const makeQuestions = Effect.gen(function* () {
  const model = yield* LanguageModel
  const words = yield* DelimiterWord

  const ask = <A, I>(
    prompt: Parameters<typeof model.generate>[0]["prompt"],
    schema: Schema.Schema<A, I>,
    purpose: string
  ) =>
    model
      .generate({
        prompt,
        schema,
        maxOutputTokens: 16_000,
        timeout: "180 seconds",
        purpose,
        inSandbox: Effect.dieMessage("The sandbox writes by rules.")
      })
      .pipe(Effect.mapError(failureOf))

  /** The blocks that were wrong as the model rewrites them. Those that stay wrong are left out. */
  const mended = (material: SiteMaterial, wrong: ReadonlyArray<WrongBlock>, sources: Sources, times: number) =>
    Effect.gen(function* () {
      const right = new Map<string, SiteBlock>()
      let left = wrong
      let usage: Usage | undefined
      for (let time = 0; time < times && left.length > 0; time++) {
        const answer = yield* Effect.either(
          ask(repairPrompt(yield* words.next, material, left), RewrittenBlocks, "repair_website")
        )
        // Texts that cannot be corrected are left out.
        if (Either.isLeft(answer)) break
        usage = usage === undefined ? answer.right.usage : addUsage(usage, answer.right.usage)
        const next: Array<WrongBlock> = []
        for (const { block, problems } of left) {
          const rewritten = answer.right.value.blocks.find(({ _tag, id }) => id === block.id && _tag === block._tag)
          const still = rewritten === undefined ? problems : problemsOf(rewritten, sources)
          if (rewritten !== undefined && still.length === 0) right.set(block.id, rewritten)
          else next.push({ block: rewritten ?? block, problems: still })
        }
        left = next
      }
      return { right, left, usage }
    })

  return { ask, mended, words }
})

type Questions = Effect.Effect.Success<typeof makeQuestions>

const candidate = ({ ask, mended, words }: Questions, material: SiteMaterial, effort: SiteEffort) =>
  Effect.gen(function* () {
    const sources = sourcesOf(material)
    const { usage, value } = yield* ask(writePrompt(yield* words.next, material), ModelledSite, "write_website")
    const [first, ...others] = value.pages.map((page) => ({ ...page, variants: [] }))
    if (first === undefined) return yield* nothingLeft
    const pages = material.type === "LeadCapturePage" ? [first] : [first, ...others]
    const drafted: Site = {
      language: material.language,
      name: value.name,
      tagline: value.tagline,
      theme: value.theme,
      pages,
      pictures: value.pictures,
      collections: material.type === "LeadCapturePage" ? [] : value.collections,
      campaign: campaignIn(material)
    }
    const wrong = wrongIn(blocksOf(drafted), sources)
    const { left, right, usage: mending } = yield* mended(material, wrong, sources, repairsFor(effort))
    const leftOut = new Set(left.map(({ block }) => block.id))
    const keep = (page: Site["pages"][number]): Site["pages"][number] => ({
      ...page,
      blocks: page.blocks.filter(({ id }) => !leftOut.has(id)).map((block) => right.get(block.id) ?? block)
    })
    const sound = soundSite(describedBy({ ...drafted, pages: drafted.pages.map(keep) }, sources))
    return {
      site: sound,
      left,
      usage: mending === undefined ? usage : addUsage(usage, mending)
    }
  })

/** Applies the operations of an answer to the site, except those with statements that no source supports. */
const operated = (
  { mended }: Questions,
  site: Site,
  value: typeof ModelledChange.Type,
  material: SiteMaterial,
  sources: Sources,
  effort: SiteEffort
) =>
  Effect.gen(function* () {
    const wrong = wrongIn(value.operations.flatMap(blocksIn), sources)
    const { left, right, usage } = yield* mended(material, wrong, sources, repairsFor(effort))
    const dropped = new Set(left.map(({ block }) => block.id))
    const mend = (block: SiteBlock): SiteBlock => right.get(block.id) ?? block
    const operations = value.operations.flatMap((operation): ReadonlyArray<SiteOperation> => {
      if (operation._tag === "ReplaceBlock" || operation._tag === "AddBlock")
        return dropped.has(operation.block.id) ? [] : [{ ...operation, block: mend(operation.block) }]
      if (operation._tag === "AddPage") {
        const blocks = operation.page.blocks.filter(({ id }) => !dropped.has(id)).map(mend)
        return blocks.length === 0 ? [] : [{ ...operation, page: { ...operation.page, blocks } }]
      }
      return operation._tag === "AddVariant"
        ? [{ ...operation, blocks: operation.blocks.filter(({ id }) => !dropped.has(id)).map(mend) }]
        : [operation]
    })
    const whole = decodeSite(applyOperations(site, value.understood ? operations : []).site)
    return { site: Either.isRight(whole) ? whole.right : site, left, usage }
  })

/** Returns the site that the model repaired after a review; undefined if it repaired nothing. */
const repairedLook =
  (questions: Questions, material: SiteMaterial, effort: SiteEffort) => (last: WrittenCandidate, seen: SeenSite) =>
    Effect.gen(function* () {
      const answer = yield* Effect.either(
        questions.ask(
          reviewPrompt(yield* questions.words.next, last.site, seen, material),
          ModelledChange,
          "repair_website"
        )
      )
      if (Either.isLeft(answer)) return undefined
      const { usage, value } = answer.right
      const { site, usage: mending } = yield* operated(
        questions,
        last.site,
        value,
        material,
        sourcesOf(material),
        effort
      )
      const sound = soundSite(site)
      return sound === undefined || !value.understood
        ? undefined
        : {
            candidate: { ...last, site: sound, score: scoreOf(sound, material) - 3 * last.left.length },
            usage: mending === undefined ? usage : addUsage(usage, mending)
          }
    })

/** Writes sites with a language model. What the material does not support is rewritten, or left out with a note. */
export const siteWriterByModel = Effect.gen(function* () {
  const reviewer = yield* SiteReviewer
  const questions = yield* makeQuestions

  return SiteWriter.of({
    check: () => Effect.void,

    write: Effect.fn("SiteWriter.write")(function* (material, effort) {
      const written = yield* Effect.forEach(Array.from({ length: candidatesFor(effort) }), () =>
        candidate(questions, material, effort)
      )
      const writing = written.map((each) => each.usage).reduce(addUsage)
      const [first, ...others] = written
        .flatMap(({ left, site }) =>
          site === undefined ? [] : [{ left, site, score: scoreOf(site, material) - 3 * left.length }]
        )
        .toSorted((one, other) => other.score - one.score)
      if (first === undefined) return yield* nothingLeft
      if (!isReviewed(effort))
        return { site: first.site, notes: leftOutNotes(first.left, material.language), usage: writing }
      const { best, review, usage } = yield* bestSite(
        reviewer,
        [first, ...others],
        repairedLook(questions, material, effort)
      )
      const result: WrittenSite = {
        site: best.site,
        notes: [
          ...leftOutNotes(best.left, material.language),
          reviewNote(material.language, review, 1 + others.length)
        ],
        usage: usage === undefined ? writing : addUsage(writing, usage)
      }
      return result
    }),

    change: Effect.fn("SiteWriter.change")(function* (site, prompt, material, effort) {
      const notes = notesFor(site.language)
      const { usage, value } = yield* questions.ask(
        changePrompt(yield* questions.words.next, site, prompt, material),
        ModelledChange,
        "change_website"
      )
      const {
        left,
        site: changed,
        usage: mending
      } = yield* operated(
        questions,
        site,
        value,
        { ...material, description: `${material.description}\n\n${prompt}` },
        // Statements that the site already makes count as the owner's.
        sourcesOf(material, prompt, JSON.stringify(site)),
        effort
      )
      const isChanged = value.understood && JSON.stringify(changed) !== JSON.stringify(site)
      const leftOut = leftOutNotes(left, site.language)
      const reasons = [...leftOut, ...(isChanged ? [] : [notes.notUnderstood(prompt.slice(0, 160))])]
      const result: WrittenSite = {
        site: changed,
        notes: value.understood ? [...value.notes, ...leftOut] : reasons,
        report: {
          done: isChanged ? value.notes : [],
          not_done: reasons.map((reason) => ({ wish: prompt.slice(0, 300), reason, suggestion: notes.oneByOne })),
          needs_input: []
        },
        usage: mending === undefined ? usage : addUsage(usage, mending)
      }
      return result
    })
  })
})
