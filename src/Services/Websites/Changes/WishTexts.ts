import { capitalised, within, withoutEnd } from "../Material/MaterialText.ts"
import type { Site, SiteBlock } from "../Site.ts"
import type { SiteOperation } from "../SiteOperations.ts"
import type { ChangeDesk } from "./ChangeDesk.ts"
import { allBlocks, blockNamed, blocksOfKind, kindNamed, nameOfBlock, type PlacedBlock } from "./ChangeTargets.ts"
import { replaceBlock } from "./ChangeWords.ts"
import { replacingText, sentencesOfSite } from "./SiteTexts.ts"
import { change, failure, type Outcome, type Reading, severalFound } from "./WishOutcome.ts"
import { contentOf, sameWord, unexplained, wordsOf } from "./WishTokens.ts"
import { copulas, doing, isNoun, type Noun } from "./WishWords.ts"

/** The block that a phrase places a text in; undefined where words of it are left. */
const placeOf = (site: Site, words: ReadonlyArray<string>, of: ReadonlyArray<Noun>): PlacedBlock | undefined => {
  const rest = words.filter((word) => !isNoun(word, ...of))
  const [hero] = blocksOfKind(site, "Hero")
  if (unexplained(rest, (word) => isNoun(word, "main", "page", "section")).length === 0) return hero
  const named = blockNamed(site, rest.join(" "))
  if (named === undefined) return undefined
  const title = wordsOf(named.block.title)
  const left = unexplained(
    rest,
    (word) => title.includes(word) || kindNamed(word) === named.block._tag || isNoun(word, "section", "list")
  )
  return left.length === 0 ? named : undefined
}

const clean = (value: string): string => {
  const trimmed = withoutEnd(value.trim(), ";")
  const quoted = /^[“"«']([^“”"«»]+)[”"»'](?:\.)?$/.exec(trimmed)?.[1]
  return (quoted ?? trimmed).trim()
}

/** Buttons with one label stand in several places. */
const buttonText = (object: ReadonlyArray<string>, value: string, { notes, site }: ChangeDesk): Outcome | undefined => {
  const labels = allBlocks(site).flatMap(({ block }) =>
    block._tag === "Form" ? [block.submit] : "actions" in block ? block.actions.map(({ label }) => label) : []
  )
  const rest = object.filter((word) => !isNoun(word, "button", "text", "main", "form"))
  const named = labels.filter(
    (label) =>
      contentOf(rest).length > 0 && contentOf(rest).every((word) => wordsOf(label).some((each) => sameWord(each, word)))
  )
  const forms = blocksOfKind(site, "Form").map(({ block }) => block.submit)
  const wantsForm = object.some((word) => isNoun(word, "form"))
  const choices = [...new Set(contentOf(rest).length > 0 ? named : wantsForm ? forms : labels.slice(0, 1))]
  const [label] = choices
  if (label === undefined || choices.length > 1) return undefined
  const next = within(withoutEnd(value, "."), 60)
  const operations = allBlocks(site).flatMap((each): ReadonlyArray<SiteOperation> => {
    const { block } = each
    if (block._tag === "Hero" || block._tag === "CallToAction") {
      if (!block.actions.some((action) => action.label === label)) return []
      const actions = block.actions.map((action) => (action.label === label ? { ...action, label: next } : action))
      return [replaceBlock(each, { ...block, actions })]
    }
    return block._tag === "Form" && block.submit === label ? [replaceBlock(each, { ...block, submit: next })] : []
  })
  return change(notes.text(notes.button, next), operations, {
    present: [next],
    absent: next.includes(label) ? [] : [label]
  })
}

/** A heading, the text below it, or the label of a button, in the place that the wish names. */
export const settingText = ({ act, isStatement, object, value }: Reading, desk: ChangeDesk): Outcome | undefined => {
  const { notes, site } = desk
  if ((act !== "change" && act !== "set" && act !== "add" && !isStatement) || value === undefined) return undefined
  const text = clean(value)
  const words = wordsOf(object)
  if (text.length < 2 || text.length > 4000) return undefined
  if (words.some((word) => isNoun(word, "button"))) return buttonText(words, text, desk)
  if (words.some((word) => isNoun(word, "subtitle"))) {
    const [hero] = blocksOfKind(site, "Hero")
    if (hero === undefined || unexplained(words, (word) => isNoun(word, "subtitle", "main", "text", "page")).length > 0)
      return undefined
    return change(notes.text(notes.opening, within(text, 200)), [replaceBlock(hero, { ...hero.block, text })], {
      present: [text]
    })
  }
  if (words.some((word) => isNoun(word, "headline"))) {
    const placed = placeOf(site, words, ["headline", "text"])
    if (placed === undefined) return undefined
    const title = within(withoutEnd(text, "."), 160)
    return change(
      notes.text(placed.block._tag === "Hero" ? notes.opening : nameOfBlock(placed.block), title),
      [replaceBlock(placed, { ...placed.block, title })],
      { present: [title] }
    )
  }
  if (!words.some((word) => isNoun(word, "text"))) return undefined
  const placed = placeOf(site, words, ["text"])
  if (placed === undefined || !("text" in placed.block)) return undefined
  return change(
    notes.text(nameOfBlock(placed.block), within(text, 200)),
    [replaceBlock(placed, { ...placed.block, text })],
    { present: [text] }
  )
}

const amounts = /\d+(?:[.,]\d+)*/g
const units =
  "year years ano anos año años month months mes meses mês day days dia dias día días week weeks semana semanas hour hours hora horas minute minutes minuto minutos customer customers cliente clientes client clients project projects projeto projetos proyecto proyectos people pessoas personas"

const unitRoots = units.split(" ")

/** "Change the guarantee to 20 years": the one number of that unit in the one sentence that speaks of it. */
export const settingFact = ({ act, isStatement, object, value }: Reading, desk: ChangeDesk): Outcome | undefined => {
  const { site } = desk
  if ((act !== "change" && act !== "set" && !isStatement) || value === undefined) return undefined
  const shape = /^(\d+(?:[.,]\d+)*)\s?(%|\p{L}+)?\.?$/u.exec(value.trim())
  const [, number, unit] = shape ?? []
  if (number === undefined) return undefined
  if (unit !== undefined && unit !== "%" && !unitRoots.includes(unit.toLowerCase())) return undefined
  const words = contentOf(wordsOf(object))
  if (words.length === 0) return undefined
  const hits = sentencesOfSite(site).filter((sentence) => {
    const ownWords = wordsOf(sentence)
    return words.every((word) => ownWords.some((each) => sameWord(each, word)))
  })
  const places = hits.flatMap((sentence) =>
    [...sentence.matchAll(amounts)]
      .filter((match) => {
        const behind = sentence.slice(match.index + match[0].length)
        if (unit === undefined) return true
        if (unit === "%") return behind.trimStart().startsWith("%")
        const next = /^[\s-]{0,2}(\p{L}+)/u.exec(behind)?.[1] ?? ""
        return sameUnit(next, unit)
      })
      .map((match) => ({ sentence, match }))
  )
  if (places.length > 1)
    return severalFound(
      desk,
      places.map(({ sentence }) => sentence)
    )
  const [place] = places
  if (place === undefined) return undefined
  const { match, sentence } = place
  const next = sentence.slice(0, match.index) + number + sentence.slice(match.index + match[0].length)
  return rewritten(desk, sentence, next)
}

/** A sentence of the site with its new wording. */
const rewritten = ({ notes, site }: ChangeDesk, sentence: string, next: string): Outcome => {
  if (next === sentence) return failure(notes.already(sentence), notes.oneByOne)
  return change(
    notes.replaced(within(sentence, 120), within(next, 120)),
    replacingText(site, withoutEnd(sentence, "."), withoutEnd(next, ".")),
    {
      present: [withoutEnd(next, ".")],
      absent: [withoutEnd(sentence, ".")]
    }
  )
}

const sameUnit = (one: string, other: string): boolean => {
  const root = (unit: string): string =>
    unit
      .toLowerCase()
      .normalize("NFD")
      .replace(/\p{M}/gu, "")
      .replace(/(?:es|s)$/, "")
  return root(one) === root(other)
}

/** "We have 22 years of experience now": the site's one sentence of the same words with another number. */
export const restatingFact = (text: string, desk: ChangeDesk): Outcome | undefined => {
  const numbers = [...text.matchAll(amounts)]
  const [number] = numbers
  if (number === undefined || numbers.length > 1 || /[$€£%:]/.test(text)) return undefined
  const words = contentOf(wordsOf(text)).filter(
    (word) => !/\d/.test(word) && !doing.has(word) && !copulas.has(word) && word !== "over"
  )
  if (words.length < 2) return undefined
  const hits = sentencesOfSite(desk.site).filter((sentence) => {
    const ownWords = wordsOf(sentence)
    return (
      [...sentence.matchAll(amounts)].length === 1 &&
      words.every((word) => ownWords.some((each) => sameWord(each, word)))
    )
  })
  const [sentence] = hits
  if (sentence === undefined || hits.length > 1) return undefined
  const next = sentence.replace(amounts, number[0])
  return rewritten(desk, sentence, next)
}

/** "The answer about parking should be: …". */
export const settingAnswer = ({ act, isStatement, object, value }: Reading, desk: ChangeDesk): Outcome | undefined => {
  const { notes, site } = desk
  const words = wordsOf(object)
  const isAnswer = words.some((word) => ["answer", "resposta", "respuesta"].includes(word))
  if (!isAnswer || value === undefined || (act !== "change" && act !== "set" && !isStatement)) return undefined
  const rest = contentOf(words).filter(
    (word) =>
      !["answer", "resposta", "respuesta", "sobre", "about"].includes(word) &&
      !isNoun(word, "question") &&
      !copulas.has(word)
  )
  const hits = blocksOfKind(site, "Questions").flatMap((placed) =>
    placed.block.items
      .filter(({ question }) => rest.every((word) => wordsOf(question).some((each) => sameWord(each, word))))
      .map((item) => ({ placed, item }))
  )
  const [hit] = hits
  if (hit === undefined || hits.length > 1) return undefined
  const answer = within(capitalised(clean(value)), 1500)
  const items = hit.placed.block.items.map((item) => (item === hit.item ? { ...item, answer } : item))
  return change(notes.text(hit.item.question, answer), [replaceBlock(hit.placed, { ...hit.placed.block, items })], {
    present: [answer]
  })
}

/** What an item says below its name. */
export const describing = ({ act, object, value }: Reading, desk: ChangeDesk): Outcome | undefined => {
  const { notes, site } = desk
  if ((act !== "change" && act !== "set" && act !== "add") || value === undefined) return undefined
  const words = wordsOf(object)
  if (!words.some((word) => isNoun(word, "text"))) return undefined
  const rest = words.filter((word) => !isNoun(word, "text")).join(" ")
  const finding = allBlocks(site).flatMap((placed) => {
    const { block } = placed
    if (block._tag !== "Features" && block._tag !== "Prices" && block._tag !== "People" && block._tag !== "Steps")
      return []
    return block.items.flatMap((item, index) => {
      const name = "title" in item ? item.title : item.name
      const isNamed =
        contentOf(wordsOf(rest)).length > 0 &&
        contentOf(wordsOf(rest)).every((word) => wordsOf(name).some((each) => sameWord(each, word)))
      return isNamed ? [{ placed, index, name }] : []
    })
  })
  const [only] = finding
  if (finding.length !== 1 || only === undefined) return undefined
  const text = within(capitalised(clean(value)), 400)
  const { block } = only.placed
  const set = <A>(items: ReadonlyArray<A>): ReadonlyArray<A> =>
    items.map((item, index) => (index === only.index ? { ...item, text } : item))
  const changed: SiteBlock =
    block._tag === "Features"
      ? { ...block, items: set(block.items) }
      : block._tag === "Prices"
        ? { ...block, items: set(block.items) }
        : block._tag === "People"
          ? { ...block, items: set(block.items) }
          : block._tag === "Steps"
            ? { ...block, items: set(block.items) }
            : block
  return change(notes.text(only.name, text), [replaceBlock(only.placed, changed)], { present: [text] })
}
