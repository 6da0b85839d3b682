import { languageOf } from "../../Text/Language.ts"
import { clip, fold } from "../../Text/PlainText.ts"
import { sentencesIn, within, withoutEnd } from "../Material/MaterialText.ts"
import type { Site } from "../Site.ts"
import { applyOperations } from "../SiteOperations.ts"
import type { SiteMaterial } from "../Writing/SiteWriter.ts"
import { changeAdding } from "./ChangeAdditions.ts"
import { contact, price } from "./ChangeContacts.ts"
import type { ChangeDesk, ReadChange } from "./ChangeDesk.ts"
import { fieldAdding, required } from "./ChangeForms.ts"
import { picturing, theme } from "./ChangeLook.ts"
import { changeNotes } from "./ChangeNotes.ts"
import { removal } from "./ChangeRemovals.ts"
import { blockNamed, kindNamed, nameOfBlock } from "./ChangeTargets.ts"
import { renames, replacing, retexting } from "./ChangeTexts.ts"
import { adds, done, moves, only, quotesIn, type Reader, removes, swaps } from "./ChangeWords.ts"

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
  if (/topo|top|inicio|principio/.test(where))
    return done(notes.moved(nameOfBlock(moved.block)), {
      _tag: "MoveBlock",
      page: page.id,
      block: moved.block.id,
      to: page.id,
      after: afterTop
    })
  if (/fim|final|end|bottom/.test(where))
    return done(notes.moved(nameOfBlock(moved.block)), {
      _tag: "MoveBlock",
      page: page.id,
      block: moved.block.id,
      to: page.id,
      after: others.at(-1)?.id ?? null
    })
  if (anchor === undefined || anchor.block.id === moved.block.id) return only(notes.notFound(within(clause, 160)))
  const around = anchor.page.blocks.filter(({ id }) => id !== moved.block.id)
  const at = around.findIndex(({ id }) => id === anchor.block.id)
  const after = /antes|before/.test(where) ? (around[at - 1]?.id ?? null) : anchor.block.id
  return done(notes.moved(nameOfBlock(moved.block)), {
    _tag: "MoveBlock",
    page: page.id,
    block: moved.block.id,
    to: anchor.page.id,
    after
  })
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

const readers: ReadonlyArray<Reader> = [
  variant,
  replacing,
  fieldAdding,
  required,
  removal,
  moving,
  price,
  contact,
  renames,
  picturing,
  retexting,
  theme,
  adding
]

const mostClauses = 20
const longestClause = 2000

// "The coffee now costs R$ 8" speaks for itself, whatever the sentence before it adds.
const costs = /\b(?:agora|now|ahora|custa|custam|costs?|cuestan?|passam? a|pasan? a|sai por|fica por|sale a)\b/
const sum = /[$€£]\s?\d/
const tellsPrice = (folded: string): boolean => costs.test(folded) && sum.test(folded)

/**
 * The sentences of a prompt, each of which is read by itself, in their order. What is added keeps the sentences of its
 * line, a question the answer behind it in its paragraph, a list its heading.
 */
const clausesOf = (prompt: string): ReadonlyArray<string> => {
  const clauses: Array<string> = []
  for (const paragraph of prompt.split(/\n{2,}/)) {
    const lines = paragraph
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "")
    const isList = lines.length > 1 && lines.slice(1).every((line) => /^(?:[-*•]|\d{1,2}[.)])\s/.test(line))
    if (isList) {
      clauses.push(lines.join("\n"))
      continue
    }
    const before = clauses.length
    for (const line of lines) {
      let isSameLine = false
      for (const sentence of sentencesIn(line)) {
        const last = clauses.length > before ? clauses.at(-1) : undefined
        const isOrder = [adds, removes, swaps, /^(?:mov|renom|renam|deix|torn|make|haz|haga|quero|queremos|use)/].some(
          (verbs) => verbs.test(fold(sentence))
        )
        const isMore = isSameLine && !isOrder && !tellsPrice(fold(sentence))
        if (last !== undefined && isMore && last.includes(": ") && adds.test(fold(last)))
          clauses[clauses.length - 1] = `${last} ${sentence}`
        else if (last?.endsWith("?") && !removes.test(fold(sentence)) && !swaps.test(fold(sentence)))
          clauses[clauses.length - 1] = `${last} ${sentence}`
        else clauses.push(sentence)
        isSameLine = true
      }
    }
  }
  return clauses.slice(0, mostClauses).map((clause) => clip(clause, longestClause))
}

export interface ChangedSite {
  readonly site: Site
  readonly notes: ReadonlyArray<string>
}

/** What a prompt does to a site, by rules. A sentence that cannot be understood changes nothing and is named in the notes. */
export const changeByRules = (site: Site, prompt: string, material: SiteMaterial): ChangedSite => {
  const notes = changeNotes[languageOf(site.language)]
  const told: Array<string> = []
  let changed = site
  for (const clause of clausesOf(prompt)) {
    const desk: ChangeDesk = { site: changed, material, notes }
    let read: ReadChange | undefined
    for (const reader of readers) {
      read = reader(clause, desk)
      if (read !== undefined) break
    }
    if (read === undefined) {
      told.push(notes.notUnderstood(within(clause, 160)))
      continue
    }
    const { refused, site: next } = applyOperations(changed, read.operations)
    if (read.operations.length > 0 && refused.length === read.operations.length) {
      told.push(notes.notFound(within(clause, 160)))
      continue
    }
    changed = next
    told.push(...read.notes)
  }
  return { site: changed, notes: told.length === 0 ? [notes.nothing] : told }
}
