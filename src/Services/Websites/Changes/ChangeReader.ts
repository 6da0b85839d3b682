import { languageOf } from "../../Text/Language.ts"
import { fold } from "../../Text/PlainText.ts"
import type { UndoneWish, WishReport } from "../../Text/WishReport.ts"
import { within, withoutEnd } from "../Material/MaterialText.ts"
import type { Site } from "../Site.ts"
import { applyOperations } from "../SiteOperations.ts"
import type { SiteMaterial } from "../Writing/SiteWriter.ts"
import { changeAdding } from "./ChangeAdditions.ts"
import { clausesOf } from "./ChangeClauses.ts"
import { contact, price } from "./ChangeContacts.ts"
import { unaccounted } from "./ChangeCoverage.ts"
import type { ChangeDesk, ReadChange } from "./ChangeDesk.ts"
import { fieldAdding, required } from "./ChangeForms.ts"
import { type ChangeGuard, guardOf } from "./ChangeGuards.ts"
import { picturing, theme } from "./ChangeLook.ts"
import { changeNotes } from "./ChangeNotes.ts"
import { removal } from "./ChangeRemovals.ts"
import { blockNamed, kindNamed, nameOfBlock } from "./ChangeTargets.ts"
import { renames, replacing, retexting } from "./ChangeTexts.ts"
import { vocabulary } from "./ChangeVocabulary.ts"
import { adds, done, moves, only, quotesIn, type Reader } from "./ChangeWords.ts"

/** The block before the anchor once `moved` has left its place. */
const blockBefore = ({ block, page }: NonNullable<ReturnType<typeof blockNamed>>, moved: string): string | null => {
  const others = page.blocks.filter(({ id }) => id !== moved)
  return others[others.findIndex(({ id }) => id === block.id) - 1]?.id ?? null
}

const moving: Reader = (clause, { notes, site }) => {
  const folded = fold(clause)
  if (!moves.test(folded) || quotesIn(clause).length > 1) return undefined
  const parts =
    /^(.*?)\s(antes d[aeo]s?|depois d[aeo]s?|despues de(?:l| la| los| las)?|antes de(?:l| la| los| las)?|before|after|para (?:o )?(?:topo|fim|final|inicio)|to the (?:top|end|bottom)|al (?:inicio|final|principio)|no (?:topo|fim|final))\b(.*)$/.exec(
      folded
    )
  if (parts === null) return undefined
  const [, what = "", where = "", rest = ""] = parts
  const moved = blockNamed(site, what)
  if (moved === undefined || moved.block._tag === "Hero") return undefined
  const page = moved.page
  const others = page.blocks.filter(({ id }) => id !== moved.block.id)
  const [top] = others
  const afterTop = top?._tag === "Hero" ? top.id : null
  const anchor = rest.trim() === "" ? undefined : blockNamed(site, rest)
  const moveTo = (to: string, after: string | null): ReadChange =>
    done(notes.moved(nameOfBlock(moved.block)), { _tag: "MoveBlock", page: page.id, block: moved.block.id, to, after })
  if (/topo|top|inicio|principio/.test(where)) return moveTo(page.id, afterTop)
  if (/fim|final|end|bottom/.test(where)) return moveTo(page.id, others.at(-1)?.id ?? null)
  if (anchor === undefined || anchor.block.id === moved.block.id) return only(notes.notFound(within(clause, 160)))
  return moveTo(anchor.page.id, /antes|before/.test(where) ? blockBefore(anchor, moved.block.id) : anchor.block.id)
}

const titleBehind = (clause: string): string | undefined => {
  const title = withoutEnd(clause.slice(clause.indexOf(":") + 1).trim(), ".;")
  return clause.includes(":") && title.length >= 4 && title.length <= 160 ? title : undefined
}

const variant: Reader = (clause, { notes, site }) => {
  const folded = fold(clause)
  if (
    !/\b(?:variantes?|variant|variacao|variacion|versao (?:b|alternativa)|version (?:b|alternativa)|teste a\/b|a\/b|ab test|alternative version)\b/.test(
      folded
    )
  )
    return undefined
  const page = site.pages.find(({ blocks }) => blocks.some(({ _tag }) => _tag === "Form")) ?? site.pages[0]
  if (page === undefined) return undefined
  const id = ["b", "c", "d"].find((each) => !page.variants.some((known) => known.id === each))
  if (id === undefined) return only(notes.nothing)
  const title = quotesIn(clause)[0] ?? titleBehind(clause)
  const heroes = page.blocks.filter(({ _tag }) => _tag === "Hero")
  const forms = page.blocks.filter(({ _tag }) => _tag === "Form")
  const rest = page.blocks.filter((block) => !heroes.includes(block) && !forms.includes(block))
  const retitled = heroes.map((block) => (title === undefined ? block : { ...block, title: within(title, 160) }))
  // Without a title of its own it asks first and explains afterwards.
  const blocks =
    title === undefined
      ? [...retitled, ...forms, ...rest]
      : page.blocks.map((block) => (block._tag === "Hero" ? (retitled[heroes.indexOf(block)] ?? block) : block))
  if (JSON.stringify(blocks) === JSON.stringify(page.blocks)) return only(notes.notFound(within(clause, 160)))
  return done(notes.variant(id), { _tag: "AddVariant", page: page.id, id, blocks })
}

const adding: Reader = (clause, desk) =>
  adds.test(fold(clause)) || kindNamed(clause) !== undefined
    ? changeAdding(clause, desk, adds.test(fold(clause)))
    : undefined

interface NamedReader {
  readonly read: Reader
  readonly vocabulary: RegExp
}

const readers: ReadonlyArray<NamedReader> = [
  { read: variant, vocabulary: vocabulary.variant },
  { read: replacing, vocabulary: vocabulary.replacing },
  { read: fieldAdding, vocabulary: vocabulary.field },
  { read: required, vocabulary: vocabulary.required },
  { read: removal, vocabulary: vocabulary.removal },
  { read: moving, vocabulary: vocabulary.moving },
  { read: price, vocabulary: vocabulary.price },
  { read: contact, vocabulary: vocabulary.contact },
  { read: renames, vocabulary: vocabulary.renaming },
  { read: picturing, vocabulary: vocabulary.picture },
  { read: retexting, vocabulary: vocabulary.text },
  { read: theme, vocabulary: vocabulary.look },
  { read: adding, vocabulary: vocabulary.adding }
]

export interface ChangedSite {
  readonly site: Site
  readonly notes: ReadonlyArray<string>
  readonly report: WishReport
}

type Tried =
  | { readonly _tag: "Done"; readonly site: Site; readonly notes: ReadonlyArray<string> }
  | { readonly _tag: "Undone"; readonly reason: string; readonly suggestion: string }

const undone = (reason: string, suggestion: string): Tried => ({ _tag: "Undone", reason, suggestion })

/** What one reader makes of a wish; undefined where it does not know the change. */
const tried = (wish: string, desk: ChangeDesk, { read, vocabulary: words }: NamedReader): Tried | undefined => {
  const { notes, site } = desk
  const change = read(wish, desk)
  if (change === undefined) return undefined
  const [reason = notes.nothing] = change.notes
  if (change.operations.length === 0)
    return undone(reason, reason === notes.noMaterial(within(wish, 160)) ? notes.giveFacts : notes.nameIt)
  const { refused, site: after } = applyOperations(site, change.operations)
  if (refused.length > 0 || JSON.stringify(after) === JSON.stringify(site))
    return undone(refused.length > 0 ? notes.notFound(within(wish, 160)) : notes.nothing, notes.nameIt)
  const left = unaccounted(wish, {
    before: site,
    after,
    operations: change.operations,
    vocabulary: new RegExp([words.source, ...(change.words ?? [])].join("|"), "u")
  })
  return left.length === 0
    ? { _tag: "Done", site: after, notes: change.notes }
    : undone(notes.notWhole(left.map((word) => `“${word}”`).join(", ")), notes.oneByOne)
}

const dependsOnBefore = /^(?:then|depois|luego|e |and |y )|\b(?:it|them|isso|dela|dele|eso)\b/

/** A wish is done by the first reader whose change accounts for all of it; else the first that knew it says what is missing. */
const wished = (wish: string, desk: ChangeDesk): Tried => {
  let first: Tried | undefined
  for (const reader of readers) {
    const attempt = tried(wish, desk, reader)
    if (attempt?._tag === "Done") return attempt
    first ??= attempt
  }
  return first ?? undone(desk.notes.notUnderstood(within(wish, 160)), desk.notes.oneByOne)
}

/** What a prompt does to a site, by rules. A wish that is not understood whole changes nothing, and the report names it. */
export const changeByRules = (site: Site, prompt: string, material: SiteMaterial): ChangedSite => {
  const notes = changeNotes[material.ownerLanguage ?? languageOf(site.language)]
  const done: Array<string> = []
  const notDone: Array<UndoneWish> = []
  let changed = site
  let isLastDone = true
  const clauses = clausesOf(prompt)
  const guards = clauses.filter((clause) => clause.isGuard).map(({ text }) => guardOf(text, site))
  for (const { isAmbiguous, isFollowing, isGuard, text } of clauses) {
    if (isGuard) continue
    const isDependent: boolean = isFollowing && !isLastDone && dependsOnBefore.test(fold(text))
    const result: Tried = isDependent
      ? undone(notes.afterUndone, notes.oneByOne)
      : isAmbiguous
        ? undone(notes.ambiguous, notes.withQuotes)
        : wished(text, { site: changed, material, notes })
    const broken: ChangeGuard | undefined =
      result._tag === "Done" ? guards.find((guard) => guard?.isKept(changed, result.site) === false) : undefined
    const last: Tried =
      broken === undefined ? result : undone(notes.againstGuard(within(broken.text, 160)), notes.oneByOne)
    isLastDone = last._tag === "Done"
    if (last._tag === "Done") {
      changed = last.site
      done.push(...last.notes)
    } else notDone.push({ wish: within(text, 300), reason: last.reason, suggestion: last.suggestion })
  }
  clauses
    .filter((clause) => clause.isGuard)
    .forEach(({ text }, index) => {
      if (guards[index] === undefined)
        notDone.push({
          wish: within(text, 300),
          reason: notes.notUnderstood(within(text, 160)),
          suggestion: notes.nameIt
        })
      else done.push(notes.respected(within(text, 160)))
    })
  if (clauses.length === 0)
    notDone.push({ wish: within(prompt, 300), reason: notes.nothing, suggestion: notes.oneByOne })
  return {
    site: changed,
    notes: [...done, ...notDone.map(({ reason }) => reason)],
    report: { done, not_done: notDone, needs_input: [] }
  }
}
