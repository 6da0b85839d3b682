import { languageOf } from "../../Text/Language.ts"
import { capitalised, keyFor, within, withoutEnd } from "../Material/MaterialText.ts"
import type { Site, SiteBlock } from "../Site.ts"
import type { SiteOperation } from "../SiteOperations.ts"
import { siteWords } from "../Writing/SitePhrases.ts"
import { placeOn } from "./ChangeAdditions.ts"
import type { ChangeDesk } from "./ChangeDesk.ts"
import { type Block, blocksOfKind } from "./ChangeTargets.ts"
import { replaceBlock } from "./ChangeWords.ts"
import { resolveThings } from "./SiteThings.ts"
import { change, failure, type Outcome, type Reading, severalFound } from "./WishOutcome.ts"
import { withoutThings } from "./WishRemoval.ts"
import { sameWord, unexplained, wordsOf } from "./WishTokens.ts"
import { isNoun, leaving, noMore } from "./WishWords.ts"

const goneWords: ReadonlySet<string> = new Set(
  "is esta se vai va will going vai leaving nao no not has have longer mas mais ya ja se aqui here anymore doesn't hay esta equipe team equipo empresa company us nosotros conosco".split(
    " "
  )
)

/** "Peter has left", "la Marta ya no trabaja aquí". */
export const leavingTeam = (text: string, desk: ChangeDesk): Outcome | undefined => {
  const words = wordsOf(text)
  if (!words.some((word) => leaving.has(word))) return undefined
  const people = blocksOfKind(desk.site, "People").flatMap(({ block }) => block.items)
  const named = people.filter(({ name }) =>
    words.some((word) => wordsOf(name).includes(word) && !isNoun(word, "person"))
  )
  const [person] = named
  // Two people in one name: which part of it goes would be a guess.
  if (person === undefined || /\s(?:e|and|y|&)\s|,/.test(person.name)) return undefined
  if (named.length > 1)
    return severalFound(
      desk,
      named.map(({ name }) => name)
    )
  const left = unexplained(
    words,
    (word) =>
      wordsOf(person.name).includes(word) ||
      leaving.has(word) ||
      goneWords.has(word) ||
      noMore.has(word) ||
      isNoun(word, "person")
  )
  const isDenied =
    words.some((word) => ["works", "trabalha", "trabaja"].includes(word)) &&
    !words.some((word) => ["nao", "no", "longer", "doesn't", "not"].includes(word))
  if (left.length > 0 || isDenied) return undefined
  const finding = resolveThings(desk.site, person.name, ({ kind }) => kind === "person")
  return finding._tag === "Things"
    ? change(desk.notes.removed(person.name), withoutThings(finding.things), { absent: [person.name] })
    : undefined
}

type Person = Block<"People">["items"][number]

/** A person with a role, as "Rosa Diaz, tax adviser" says. */
export const personIn = (text: string): Person | undefined => {
  const [who = "", ...what] = withoutEnd(text.trim(), ".;").split(/\s[–—-]\s|,\s|:\s|\s\(|\s(?:como|as)\s/)
  const name = who.replace(/^(?:a|o|la|el|the)\s/i, "").trim()
  const isName =
    /^(?:(?:Dr|Dra|Sr|Sra|Mr|Mrs|Ms|Prof|Profa)\.?\s)?\p{Lu}[\p{L}'’.-]*(?:\s(?:d[aeo]s?|del?|van|von|y|e|la|\p{Lu}[\p{L}'’.-]*)){0,5}$/u.test(
      name
    )
  if (!isName || name.length > 60) return undefined
  const role = withoutEnd(what.join(", "), ").")
    .replace(/^(?:an?|uma?|una?|the|our|nossa|nosso|nuestr[oa])\s/i, "")
    .trim()
  return { name, role: within(capitalised(role), 160), text: "" }
}

const addedPeople = (site: Site, people: ReadonlyArray<Person>): ReadonlyArray<SiteOperation> | undefined => {
  const [team] = blocksOfKind(site, "People")
  if (team !== undefined) {
    const items = [...team.block.items, ...people]
    if (items.length > 12) return undefined
    return [replaceBlock(team, { ...team.block, items })]
  }
  const [home] = site.pages
  if (home === undefined) return undefined
  const block: SiteBlock = {
    _tag: "People",
    id: keyFor(
      "people",
      site.pages.flatMap(({ blocks }) => blocks.map(({ id }) => id))
    ),
    title: siteWords[languageOf(site.language)].people,
    items: people
  }
  return [{ _tag: "AddBlock", page: home.id, after: placeOn(home), block }]
}

/** "Add Rosa Diaz to the team", "nova dentista: Ana Luz". */
export const joiningTeam = ({ act, object, value }: Reading, desk: ChangeDesk): Outcome | undefined => {
  const { notes, site } = desk
  if (act !== "add") return undefined
  const where =
    /\s(?:to|na|à|ao|no|al|en|a)\s(?:o |a |the |el |la |our |nossa |nosso |nuestro )?(?:team|staff|equipe|time|equipo)(?:\s(?:instead|no lugar|en su lugar|também|tambien|too))?\.?$/i
  const isPlaced = where.test(object)
  const isLabelled = value !== undefined && contentOfTeam(object)
  if (!isPlaced && !isLabelled) return undefined
  const person = personIn(isLabelled ? (value ?? "") : object.replace(where, ""))
  if (person === undefined) return undefined
  const isThere = blocksOfKind(site, "People").some(({ block }) => block.items.some(({ name }) => name === person.name))
  if (isThere) return failure(notes.already(person.name), notes.oneByOne)
  const operations = addedPeople(site, [person])
  return operations === undefined
    ? undefined
    : change(notes.added(person.name, siteWords[languageOf(site.language)].people), operations, {
        present: [person.name]
      })
}

const contentOfTeam = (phrase: string): boolean => {
  const words = wordsOf(phrase)
  return (
    words.length > 0 &&
    words.some((word) => isNoun(word, "person")) &&
    unexplained(
      words,
      (word) =>
        isNoun(word, "person", "section") ||
        word === "novo" ||
        word === "nova" ||
        word === "new" ||
        word === "nuevo" ||
        word === "nueva"
    ).length === 0
  )
}

const verbsOfWork =
  /^(?:(?:agora|now|ahora|também|also|también)\s)?(?:(?:é|is|es)\s(?:(?:agora|now|ahora)\s)?)?(?:(?:an?|the|our|uma?|una?|o|a|el|la|nosso|nossa|nuestr[oa])\s)?/i
const takesCare =
  /^(?:cuida|atende|responde|coordena|dirige|lidera|ensina|leads?|handles?|runs?|looks|manages?|teaches|takes|specialis|specializ|é especialista|se ocupa|lleva|atiende|enseña|coordina)/i
const isRole = /^(?:é|is|es|agora é|is now|ahora es)\s/i

/** "O Dr. Caio cuida de compliance": what the site says of a person whom it shows. */
export const tellingOfPerson = (text: string, desk: ChangeDesk): Outcome | undefined => {
  const { notes, site } = desk
  const teams = blocksOfKind(site, "People")
  const hits = teams.flatMap((placed) =>
    placed.block.items.flatMap((item) => {
      const begin = beginningOf(text, item.name)
      return begin === undefined ? [] : [{ placed, item, rest: text.slice(begin).trim() }]
    })
  )
  const [only] = hits
  if (hits.length !== 1 || only === undefined) return undefined
  const { item, placed, rest } = only
  const statement = withoutEnd(rest, ".;")
  // A role is no list of sentences: "is retiring, take him off".
  if (
    /[,;:]|\b(?:him|her|he|she|them|ele|ela|lo|la)\b/i.test(statement) ||
    wordsOf(statement).some((word) => leaving.has(word))
  )
    return undefined
  const asRole = isRole.test(statement) && !/^(?:é|is|es)\s(?:de|from|in|muito|very)/i.test(statement)
  if (!asRole && !takesCare.test(statement)) return undefined
  if (statement.length < 4 || statement.length > 160) return undefined
  const role = asRole ? within(capitalised(statement.replace(verbsOfWork, "")), 160) : item.role
  const next: Person = asRole
    ? { ...item, role }
    : {
        ...item,
        text:
          item.text === "" ? `${capitalised(statement)}.` : `${withoutEnd(item.text, ".")}. ${capitalised(statement)}.`
      }
  const block: SiteBlock = { ...placed.block, items: placed.block.items.map((each) => (each === item ? next : each)) }
  return change(notes.text(item.name, asRole ? role : capitalised(statement)), [replaceBlock(placed, block)], {
    present: [asRole ? role : statement]
  })
}

/** Where what is said of a person begins, if the text begins with the name or a part of it. */
const beginningOf = (text: string, name: string): number | undefined => {
  const ownWords = wordsOf(name)
  const start = /^(?:o|a|the|el|la)\s/i.exec(text)?.[0].length ?? 0
  let end = start
  let count = 0
  for (const match of text.slice(start).matchAll(/[\p{L}\d'’-]+\.?/gu)) {
    const [word = ""] = wordsOf(match[0])
    if (!ownWords.some((each) => sameWord(each, word) && each === word)) break
    count++
    end = start + match.index + match[0].length
  }
  const isTitleAlone = count === 1 && isNoun(wordsOf(text.slice(start, end))[0] ?? "", "person")
  return count === 0 || isTitleAlone ? undefined : end
}
