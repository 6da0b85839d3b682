import { languageOf } from "../../../Text/Language.ts"
import { capitalised, keyFor, within, withoutEnd } from "../../Material/MaterialText.ts"
import type { Site, SiteBlock } from "../../Site.ts"
import type { SiteOperation } from "../../SiteOperations.ts"
import { siteWords } from "../../Writing/Phrases/SitePhrases.ts"
import { change, type EditDesk, failure, type Outcome, severalFound } from "../EditDesk.ts"
import { asks, type Clause, rawText, says, speaksOf, trimmed, unexplained, withTokens } from "../Reading/EditClause.ts"
import { has, isWord, type Token, wordsOf } from "../Reading/EditTokens.ts"
import { type Block, blocksOfKind, keysOf, placeOn, replaceBlock } from "../SiteSections.ts"
import { nameIn } from "./NameEdits.ts"
import { withoutThings } from "./ThingRemoval.ts"

type Person = Block<"People">["items"][number]

/** People whose names contain one of the words. */
const peopleNamed = (site: Site, tokens: ReadonlyArray<Token>) =>
  blocksOfKind(site, "People").flatMap((placed) =>
    placed.block.items.flatMap((item, index) => {
      const name = wordsOf(item.name)
      const words = tokens.filter(
        (token) => isWord(token) && !has(token, "function", "person") && name.includes(token.word)
      )
      return words.length > 0 ? [{ placed, item, index, words }] : []
    })
  )

const places: ReadonlySet<string> = new Set(
  "aqui here hay equipe team equipo empresa company escritorio office firma firm clinica clinic loja shop us nosotros conosco is esta vai va will has have".split(
    " "
  )
)

/** Removes a person: "Peter has left", "la Marta ya no trabaja aquí". */
export const leavingTeam = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  if (!says(clause, "left")) return undefined
  const named = peopleNamed(desk.site, clause.tokens)
  const [person] = named
  if (person === undefined) return undefined
  if (named.length > 1)
    return severalFound(
      desk,
      named.map(({ item }) => item.name)
    )
  // The entry names two people. It is unclear which part of the name to remove.
  if (/\s(?:e|and|y|&)\s|,/.test(person.item.name)) return undefined
  const isWorking = clause.tokens.some(({ word }) => ["works", "trabalha", "trabaja"].includes(word))
  if (isWorking && !says(clause, "negation") && !clause.tokens.some(({ word }) => word === "longer")) return undefined
  const left = unexplained(
    clause,
    (token) => person.words.includes(token) || places.has(token.word),
    "left",
    "negation",
    "anymore",
    "person",
    "now",
    "team",
    "remove"
  )
  if (left.length > 0) return undefined
  const { index, item, placed } = person
  return change(
    "removal",
    desk.notes.removed(item.name),
    withoutThings([{ kind: "person", name: item.name, placed, index }]),
    {
      absent: [item.name],
      topic: item.name
    }
  )
}

const roleSeams: ReadonlySet<string> = new Set([",", "-", "–", "—", ":", "(", "como", "as"])

/** Reads a person with a role: "Rosa Diaz, tax adviser". */
export const personIn = (prompt: string, tokens: ReadonlyArray<Token>): Person | undefined => {
  const inner = trimmed(tokens).filter((token, at) => !(at === 0 && isWord(token) && has(token, "function")))
  const seam = inner.findIndex((token, at) => at > 0 && roleSeams.has(token.word))
  const who = seam < 0 ? inner : inner.slice(0, seam)
  const name = nameIn(prompt, who)
  const isCapital = who.every((token) => /^\p{Lu}/u.test(token.text) || has(token, "function") || token.text === ".")
  if (name === undefined || !isCapital || name.length > 60) return undefined
  const rest = seam < 0 ? [] : trimmed(inner.slice(seam + 1)).filter((token) => token.text !== ")")
  const role = withoutEnd(
    rawText(
      prompt,
      rest.filter((token, at) => !(at === 0 && isWord(token) && has(token, "function")))
    ),
    ".;)"
  )
  return rest.some(({ kind }) => kind !== "word" && kind !== "mark")
    ? undefined
    : { name, role: within(capitalised(role), 160), text: "" }
}

const addedPeople = (site: Site, people: ReadonlyArray<Person>): ReadonlyArray<SiteOperation> | undefined => {
  const [team] = blocksOfKind(site, "People")
  if (team !== undefined) {
    const items = [...team.block.items, ...people]
    return items.length > 12 ? undefined : [replaceBlock(team, { ...team.block, items })]
  }
  const [home] = site.pages
  if (home === undefined) return undefined
  const block: SiteBlock = {
    _tag: "People",
    id: keyFor("people", keysOf(site)),
    title: siteWords[languageOf(site.language)].people,
    items: people
  }
  return [{ _tag: "AddBlock", page: home.id, after: placeOn(home), block }]
}

/** True for words that put a person into the team or at its end. */
const isPlacing = (token: Token): boolean =>
  token.kind === "mark" ||
  (isWord(token) && has(token, "function", "team", "section", "bottom", "now", "list", "oldmark"))

/**
 * Adds a person: "Add Rosa Diaz to the team", "nova dentista: Ana Luz", "Sumá a la contadora Florencia Bagnasco, CPN,
 * al final del equipo".
 */
export const joiningTeam = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const { notes, prompt, site } = desk
  if (!asks(clause, "add") || !speaksOf(clause, "team", "person") || says(clause, "quote", "question", "price", "top"))
    return undefined
  const body = clause.tokens.filter((token) => token !== clause.verb)
  const colon = body.findIndex(({ text }) => text === ":")
  let [begin, end] = [colon < 0 ? 0 : colon + 1, body.length]
  const lead = body.slice(0, begin)
  if (!lead.every((token) => token.kind === "mark" || has(token, "function", "team", "person", "section", "now")))
    return undefined
  const isTeamSaid =
    says(clause, "team") || lead.some((token) => has(token, "person")) || clause.inherited.nouns.length > 0
  const isSmall = (token: Token | undefined): token is Token => token !== undefined && !/^\p{Lu}/u.test(token.text)
  for (
    let token = body[begin];
    begin < end && isSmall(token) && isWord(token) && has(token, "function", "person", "now", "team");
    token = body[begin]
  )
    begin++
  for (let token = body[end - 1]; end > begin && isSmall(token) && isPlacing(token); token = body[end - 1]) end--
  const person = personIn(prompt, body.slice(begin, end))
  if (person === undefined || !isTeamSaid) return undefined
  if (blocksOfKind(site, "People").some(({ block }) => block.items.some(({ name }) => name === person.name)))
    return failure(notes.already(person.name), notes.oneByOne)
  const operations = addedPeople(site, [person])
  return operations === undefined
    ? undefined
    : change("addition", notes.added(person.name, siteWords[languageOf(site.language)].people), operations, {
        present: [person.name],
        topic: person.name
      })
}

const takesCare =
  /^(?:cuida|atende|responde|coordena|dirige|lidera|ensina|leads?|handles?|runs?|looks|manages?|teaches|takes|specialis|specializ|ocupa|lleva|atiende|ensena|coordina)/

/** Changes what the site says about a person: "O Dr. Caio cuida de compliance", "Ana is the head baker". */
export const tellingOfPerson = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const { notes, prompt, site } = desk
  if (clause.verb !== undefined || says(clause, "left", "negation")) return undefined
  const named = peopleNamed(site, clause.tokens)
  const [person] = named
  if (person === undefined || named.length > 1) return undefined
  const last = person.words.at(-1)
  const begin = clause.tokens.findIndex((token) => token === last) + 1
  const lead = unexplained(
    withTokens(clause, clause.tokens.slice(0, begin)),
    (token) => person.words.includes(token),
    "person",
    "now"
  )
  const behind = clause.tokens.slice(begin)
  const plain = behind.filter((token, at) => !(at < 2 && isWord(token) && has(token, "now")))
  const [verb] = plain
  if (lead.length > 0 || verb === undefined || behind.some(({ kind, text }) => kind !== "word" && text !== "-"))
    return undefined
  const isRole = ["e", "is", "es"].includes(verb.word)
  if (!isRole && !takesCare.test(verb.word)) return undefined
  const pronouns = behind.some(({ word }) => ["him", "her", "he", "she", "them", "ele", "ela", "lo"].includes(word))
  const from = isRole
    ? plain
        .slice(1)
        .filter(
          (token, at) =>
            !(
              at === 0 &&
              isWord(token) &&
              (has(token, "now") ||
                ["o", "a", "the", "an", "el", "la", "um", "uma", "un", "una", "our", "nosso", "nossa"].includes(
                  token.word
                ))
            )
        )
    : plain
  const text = withoutEnd(rawText(prompt, from), ".;")
  if (pronouns || text.length < 4 || text.length > 160) return undefined
  const { index, item, placed } = person
  const next: Person = isRole
    ? { ...item, role: within(capitalised(text), 160) }
    : {
        ...item,
        text: item.text === "" ? `${capitalised(text)}.` : `${withoutEnd(item.text, ".")}. ${capitalised(text)}.`
      }
  const block: SiteBlock = {
    ...placed.block,
    items: placed.block.items.map((each, at) => (at === index ? next : each))
  }
  return change("values", notes.text(item.name, capitalised(text)), [replaceBlock(placed, block)], {
    present: [text],
    topic: item.name
  })
}
