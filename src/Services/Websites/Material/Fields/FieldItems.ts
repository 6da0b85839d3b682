import type { FieldKind } from "../../Site.ts"
import { bareItem, capitalised, within, withoutEnd } from "../MaterialText.ts"
import { type FieldRole, fieldNouns, fieldWordsOf, inLongForms, ofField } from "./FieldWords.ts"
import { isSecret } from "./SecretFields.ts"

/** A requested field. `isRequired` is undefined if the text does not say. */
export interface AskedField {
  readonly label: string
  readonly kind: FieldKind
  readonly choices: ReadonlyArray<string>
  readonly isRequired: boolean | undefined
}

const longestLabel = 80
const mostWordsOfLabel = 9

export const isNoun = (word: string): boolean => ofField(word, ...fieldNouns)
/** Whether a word names what forms ask for most, and is no choice. */
export const isContactNoun = (word: string): boolean => ofField(word, "name", "email", "phone")
const isDenial = (word: string): boolean => ofField(word, "denial")

const kindOfField = (label: string): FieldKind => {
  const words = fieldWordsOf(label)
  const has = (...roles: ReadonlyArray<FieldRole>): boolean => words.some((word) => ofField(word, ...roles))
  if (has("email") && has("phone")) return "text"
  if (has("email")) return "email"
  if (has("phone")) return "phone"
  if (has("date") && !has("text")) return "date"
  if (has("message") || /\b(?:lines?|why|explain|explicar|mejorarias?|melhorar)\b/.test(words.join(" ")))
    return "long_text"
  const isCount =
    /\b(?:number of (?!order)|numero de (?:pessoas|personas|convidados|alunos|adultos|numeros)|how many|quant[oa]s|cuant[oa]s|cantidad|quantidade|quantity|age|idade|edad)\b/.test(
      words.join(" ")
    )
  return isCount ? "number" : "text"
}

/** Brackets hold what belongs to one item: their marks part nothing. */
const shielded = (text: string): string =>
  text.replace(/\([^()]{0,200}\)|"[^"]{0,200}"|“[^”]{0,200}”/g, (inner) =>
    inner
      .replaceAll(",", "\u0001")
      .replaceAll(";", "\u0002")
      .replaceAll(" / ", " \u0003/ ")
      .replaceAll(" e ", " \u0003e ")
      .replaceAll(" y ", " \u0003y ")
      .replaceAll(" and ", " \u0003and ")
  )
const unshielded = (text: string): string =>
  text.replaceAll("\u0001", ",").replaceAll("\u0002", ";").replaceAll("\u0003", "")

const itemSeam = /;|,(?!\d)|\s\+\s|\s(?:e|y|and)\s(?=\S)/

const slash = " / "

/** "Name / phone / start date" is a list, and "morning / evening" are choices. */
const isSlashList = (text: string): boolean => {
  const parts = text.split(slash)
  return parts.length > 2 && parts.filter((part) => fieldWordsOf(part).some(isNoun)).length * 2 > parts.length
}

export const itemsOf = (text: string): ReadonlyArray<string> => {
  const whole = shielded(text)
  return (isSlashList(whole) ? whole.replaceAll(slash, ", ") : whole)
    .split(itemSeam)
    .map((item) => unshielded(item).trim())
    .filter((item) => item !== "")
}

const choiceSeam = /\s?[/;]\s?|\s?,(?!\d{3}(?!\d))\s?|\s(?:ou|or|o|e|y|and)\s/

export const choicesIn = (text: string): ReadonlyArray<string> => {
  const range = /\b(\d{1,2})\s(?:a|al|to|até|ate|-)\s(\d{1,2})\b/.exec(text)
  if (range !== null && text.length <= 16) {
    const [from, to] = [Number(range[1]), Number(range[2])]
    if (to > from && to - from < 12) return Array.from({ length: to - from + 1 }, (_, at) => String(from + at))
  }
  const parts = (text.split(/:\s/).at(-1) ?? "")
    .split(choiceSeam)
    .map(bareItem)
    .filter((part) => part !== "")
  return parts.length >= 2 && parts.every((part) => part.length <= 60) ? parts : []
}

export const yesNo = /^(.{3,60}?)[?,:]?\s(s[ií]m?)\s(?:ou|o|or|\/)\s(n[aã]o|no)$/i
export const yesOrNo = /^(.{3,60}?)[?,:]?\s(yes)\sor\s(no)$/i
const orNot = /^(.{3,60}?)\s(ou n[aã]o|o no|or not)$/i
const answersOr: { readonly [word: string]: readonly [yes: string, no: string] } = {
  ou: ["Sim", "Não"],
  o: ["Sí", "No"],
  or: ["Yes", "No"]
}

/** Words at the start of an item that do not belong to its label. */
const leadWord = (word: string): boolean =>
  ofField(word, "own", "ask", "wish") ||
  /^(?:then|tambem|tambien|also|if|se|si|ya|for|us|me|nos|le|les|por|favor|and|y|e|mais|mas|pero|but|escolhe|elige|choose|pick|tem|ter|q|que|to|need|needs|we|i|they)$/.test(
    word
  )

export const withoutLead = (item: string): string => {
  let rest = item.trim()
  for (let count = 0; count < 8; count++) {
    const [first = ""] = rest.split(/\s/)
    const [word = ""] = first === "é" ? ["is"] : fieldWordsOf(first)
    const behind = rest.slice(first.length).trim()
    if (behind === "" || !leadWord(word) || (isNoun(word) && !ofField(word, "ask"))) break
    // "What size" and "which week" keep their question word.
    if (/^(?:what|which|que|qual|cual|how)$/.test(word)) break
    rest = behind
  }
  return rest
}

/** Where the words of a requirement or a reason begin behind a label. */
const behindLabel =
  /\s(?:[-–—]\s|(?:but|pero|mas|since|because|porque|pq|no fim|no final|al final|at the end|so that|só|some|either|only if|if they|si quieren|se quiser|tamb[ié][eé]?n|too|optional|opcional|facultativ[oa]|required|obrigat[oó]ri[oa]|obligatori[oa]|mandatory|não precisa|nao precisa|can be|pode ficar|no es)(?![\p{L}\d]))/iu
const purpose = /\s(?:for when|so we|so i|para que|pra que|para (?:eu|nós|nos)|aí eu)(?![\p{L}\d])/iu

/** The text up to where the pattern is found. */
const upTo = (text: string, pattern: RegExp): string => {
  const at = text.search(pattern)
  return at < 0 ? text : text.slice(0, at)
}

const beforeRequirement =
  /^(?:is|isn't|isnt|are|é|es|need|needs|must|has|have|tem|tiene|não|nao|no|not|don't|que|which|pode|puede|can|only|só|so|solo|sólo|if|se|si)$/iu

/** The text up to where a word begins what says that it is required or optional: "the name is optional". */
const upToRequirement = (text: string): string => {
  const words = text.split(" ")
  const at = words.findIndex(
    (word, index) =>
      index > 0 && beforeRequirement.test(word) && requirementIn(words.slice(index).join(" ")) !== undefined
  )
  return at < 0 ? text : words.slice(0, at).join(" ")
}

/** Words before a requirement among which a denial turns it. */
const nearDenial = 4
/** Words before "need to" among which a denial makes it optional. */
const nearNeed = 3

const isDeniedBefore = (words: ReadonlyArray<string>, at: number, near: number): boolean =>
  words.slice(Math.max(0, at - near), at).some(isDenial)

/** "Don't have to", "não precisa": nothing is required, though no word of requirements is there. */
const isNotNeeded = (words: ReadonlyArray<string>): boolean =>
  words.some(
    (word, at) =>
      (ofField(word, "needs") || /^(?:falta|tem|tiene|tienen)$/.test(word)) &&
      isDeniedBefore(words, at, nearNeed) &&
      (!/^(?:have|know|tem|ter|tiene|tienen|tener|saber)$/.test(word) || /^(?:to|que|q|de)$/.test(words[at + 1] ?? ""))
  )

/** "Email if they like", "observaciones si quieren". */
export const isAsLiked = (words: ReadonlyArray<string>): boolean =>
  ofField(words.at(-1) ?? "", "wish") && words.slice(-4).some((word) => word === "se" || ofField(word, "condition"))

/** "Only if they'd like a call back": what is wanted is optional. "Only if they are a company" is a condition. */
export const isOnlyIfLiked = (words: ReadonlyArray<string>): boolean =>
  words.some(
    (word, at) =>
      ofField(word, "only") &&
      /^(?:if|se|si)$/.test(words[at + 1] ?? "") &&
      words.slice(at + 2).some((each) => ofField(each, "wish"))
  )

/** True if a text says that something is required, false if it says optional, undefined if neither. */
export const requirementIn = (text: string): boolean | undefined => {
  const words = fieldWordsOf(text)
  // "No blanks", "não pode ficar em branco".
  const blank = words.findIndex((word) => ofField(word, "blank"))
  if (blank >= 0) return isDeniedBefore(words, blank, nearDenial)
  const strict = words.findIndex((word) => ofField(word, "required"))
  const required = strict < 0 ? words.findIndex((word) => ofField(word, "needed")) : strict
  if (required >= 0)
    return !(isDeniedBefore(words, required, nearDenial) || /^(?:mustn|needn)$/.test(words[required] ?? ""))
  const optional = words.findIndex((word) => ofField(word, "optional"))
  if (optional >= 0) return isDeniedBefore(words, optional, nearNeed)
  if (isNotNeeded(words) || isAsLiked(words) || isOnlyIfLiked(words)) return false
  const isFilled = words.some((word) => /^(?:preencher|fill|llenar|rellenar|completar)$/.test(word))
  return isFilled && words.some((word) => ofField(word, "all")) ? true : undefined
}

/** Whether a label could be one of a field: "and then I ring them" and a price are none. */
const isLabel = (label: string): boolean => {
  const words = fieldWordsOf(label)
  return (
    label.length > 1 &&
    label.length <= longestLabel &&
    label.split(/\s+/).length <= mostWordsOfLabel &&
    !words.every((word) => ofField(word, "end", "own")) &&
    !words.some((word) => /^(?:eu|i|yo|we|nosotros)$/.test(word)) &&
    !/[€£$]\s?\d/.test(label) &&
    !isSecret(label)
  )
}

interface LabelledChoices {
  readonly label: string
  readonly choices: ReadonlyArray<string>
}

const longestRequirement = 24

/** Reads choices that are marked in the text: "lift? yes or no", "size (small, large)". */
const markedChoices = (item: string): LabelledChoices => {
  const yes = yesNo.exec(item) ?? yesOrNo.exec(item)
  if (yes !== null) return { label: yes[1] ?? "", choices: [yes[2] ?? "", yes[3] === "nao" ? "não" : (yes[3] ?? "")] }
  const [, statement = "", either = ""] = orNot.exec(item) ?? []
  if (statement !== "") return { label: statement, choices: answersOr[either.split(" ")[0]?.toLowerCase() ?? ""] ?? [] }
  const [, before, inner = ""] = /^([^()]{2,80}?)\s?\(([^()]{1,160})\)/.exec(item) ?? []
  if (before === undefined) return { label: item, choices: [] }
  if (requirementIn(inner) !== undefined && inner.length <= longestRequirement) return { label: before, choices: [] }
  const choices = choicesIn(inner)
  // "Phone (with area code)" says more of the field.
  return { label: choices.length > 0 ? before : item, choices }
}

const scale = /\s(?:del|de|from)\s(\d{1,2}\s(?:a|al|to)\s\d{1,2})$/i

/** Reads choices without marks: "marks from 1 to 5", "morning or afternoon". */
const spokenChoices = (label: string): LabelledChoices => {
  const span = scale.exec(label)?.[1]
  if (span !== undefined) return { label: label.replace(scale, ""), choices: choicesIn(span) }
  return (label.includes(" ") ? alternativesIn(label) : undefined) ?? { label, choices: [] }
}

/** Without "only" and "too" at its end. */
const withoutTail = (label: string): string => {
  const words = label.split(" ")
  const last = words.findLastIndex((word) => !ofField(fieldWordsOf(word)[0] ?? "", "only", "same", "end", "all"))
  return words.slice(0, last + 1).join(" ")
}

/** "NIT only if they want an invoice": a form cannot know, so that the field may stay empty. */
export const isConditional = (item: string): boolean =>
  fieldWordsOf(item).some(
    (word, at, words) => at > 0 && (/^(?:if|unless|si|caso)$/.test(word) || (word === "se" && words[at - 1] === "so"))
  )

/** Reads one list item as a field. Undefined if it is not a field. */
export const fieldIn = (raw: string): AskedField | undefined => {
  const marked = markedChoices(withoutLead(withoutEnd(raw.trim(), ".,;!")))
  const plain = withoutTail(bareItem(upTo(upTo(upToRequirement(marked.label), behindLabel), purpose)))
  const { choices, label } = marked.choices.length > 0 ? { ...marked, label: plain } : spokenChoices(plain)
  if (!isLabel(label)) return undefined
  return {
    label: within(capitalised(inLongForms(label).replace(/\?$/, label.startsWith("¿") ? "?" : "")), longestLabel),
    kind: choices.length > 0 ? "choice" : kindOfField(label),
    choices: choices.slice(0, 30).map((choice) => within(capitalised(choice), longestLabel)),
    isRequired: requirementIn(raw) ?? (isConditional(raw) ? false : undefined)
  }
}

/** "Turno manhã tarde ou noite", "si prefiere mañana o tarde", "cambio o reembolso": choices without marks around them. */
const alternativesIn = (
  text: string
): { readonly label: string; readonly choices: ReadonlyArray<string> } | undefined => {
  const match = /^(.{2,60})\s(?:ou|or|o)\s(\S+(?:\s\S+){0,2})$/.exec(text)
  const [, before = "", last = ""] = match ?? []
  if (match === null || fieldWordsOf(last).some(isNoun)) return undefined
  const words = before.split(/\s+/)
  const [first = ""] = words
  if (words.length === 1) return { label: text, choices: [before, last] }
  const isVerb = /^(?:prefere|prefiere|quer|quiere|es|é|e|is|are|wants?|prefers?)$/i.test(first)
  const options = words.slice(1)
  const isJoined = options.some(
    (word) => word.length < 3 || ofField(fieldWordsOf(word)[0] ?? "", "own") || /^(?:de|do|da|del|of)$/.test(word)
  )
  if (options.length > 3 || isJoined) return undefined
  if (isVerb) return { label: text, choices: [...options, last] }
  return isNoun(fieldWordsOf(first)[0] ?? "") ? { label: first, choices: [...options, last] } : undefined
}

const isTimeOnly = (item: string): boolean =>
  /^\d{1,2}(?:[:h]\d{0,2})?h?(?:\s(?:ou|or|o)\s\d{1,2}(?:[:h]\d{0,2})?h?)?$/i.test(item)

/** "Horario 19h, 20h30 ou 22h" is one item, since times alone are no fields. */
export const withTimes = (all: ReadonlyArray<string>): ReadonlyArray<string> => {
  const joined: Array<string> = []
  for (const raw of all) {
    const item = withoutEnd(raw, ".")
    const last = joined.at(-1)
    const match = last === undefined ? null : /^(\D{3,40}?)\s(\d{1,2}[:h]\S*)$|^(.{3,40}) \((.+)\)$/.exec(last)
    if (isTimeOnly(item) && match !== null)
      joined[joined.length - 1] = `${match[1] ?? match[3] ?? ""} (${match[2] ?? match[4] ?? ""}, ${item})`
    else joined.push(item)
  }
  return joined
}

/** Words behind a denial among which is what it leaves out. */
const nearDenied = 3

/** True if a text excludes fields: "no phone", "não pede e-mail". False for "Food that they can't eat". */
export const isDenied = (text: string): boolean => {
  const words = fieldWordsOf(text.replace(/\([^()]{0,200}\)/g, " "))
  const isDropped =
    words.some((word) => ofField(word, "drop")) &&
    words.some((word) => /^(?:it|that|this|isso|essa|esse|eso|esa|ese)$/.test(word))
  if (isDropped) return true
  return words.some(
    (word, at) =>
      isDenial(word) &&
      (at === 0 ||
        (at === words.length - 1 && words.some(isNoun)) ||
        words
          .slice(at + 1, at + 1 + nearDenied)
          .some((each) => isNoun(each) || ofField(each, "ask", "field", "needed")))
  )
}

const nearNeeded = 3
const isSmall = (word: string): boolean => ofField(word, "own", "plain")
const place = /^(?:no|na|nos|nas|em|do|da|dos|das|pra|pro|para|in|of|at|on|en|del|al)$/

/** Where in an item its first noun of a field is: behind a verb of asking, or at its beginning. */
export const begins = (item: string): string | undefined => {
  const words = item.split(/\s+/)
  const folded = words.map((word) => fieldWordsOf(word)[0] ?? "")
  const noun = folded.findIndex(isNoun)
  if (noun < 0) return undefined
  // "Required are name and phone" speaks of fields that were listed before.
  const ask = folded.findLastIndex((word, at) => at < noun && ofField(word, "ask", "only"))
  if (folded.slice(Math.max(0, ask), noun).some((word) => ofField(word, "required", "optional", "needed")))
    return undefined
  // "Captar interessados no curso" asks for no course.
  const need = folded.findLastIndex((word, at) => at < noun && ofField(word, "needs"))
  // "All I need is their name".
  if (ask < 0 && need >= 0 && noun - need <= nearNeeded && folded.slice(need + 1, noun).every(isSmall))
    return isDenied(words.slice(0, need + 1).join(" "))
      ? undefined
      : words
          .slice(need + 1)
          .join(" ")
          .replace(/^(?:is|are|es|son|é)\s/i, "")
  const isNear = ask >= 0 && noun - ask <= 4 && !folded.slice(ask + 1, noun).some((word) => place.test(word))
  if (isNear) return isDenied(words.slice(0, ask + 1).join(" ")) ? undefined : words.slice(ask + 1).join(" ")
  const bare = withoutLead(item)
  return fieldWordsOf(bare.replace(/\([^()]{0,200}\)/g, " ")).length <= 4 && !isDenied(bare) ? bare : undefined
}

export const joins = /^(?:com|con|with)$/

const isAsking = (label: string): boolean =>
  fieldWordsOf(label).some((word) => ofField(word, "ask", "needs", "field", "required", "optional"))

const mostChoices = 8
const choiceBegin = /^(.{2,60}?)(?::|\s[-–])\s(.{1,60})$/
const closingDash = /\s?[-–]$/
const hasOr = (item: string): boolean => /\s(?:or|ou|o|\/)\s/.test(item)

/** "Size - small", "medium or large", "email": the choices up to the one with "or", or up to the closing hyphen, are one item. */
export const withListedChoices = (all: ReadonlyArray<string>): ReadonlyArray<string> => {
  const joined: Array<string> = []
  for (let at = 0; at < all.length; at++) {
    const item = all[at] ?? ""
    const [, label = "", first = ""] = choiceBegin.exec(item) ?? []
    const end = all.findIndex(
      (each, index) => index >= at && index < at + mostChoices && (closingDash.test(each) || hasOr(each))
    )
    const listed = [first, ...all.slice(at + 1, end + 1)].map((each) => each.replace(closingDash, ""))
    const areChoices =
      label !== "" &&
      end >= at &&
      !isAsking(label) &&
      listed.every((each) => requirementIn(each) === undefined && !fieldWordsOf(each).some(isContactNoun))
    if (areChoices && choicesIn(listed.join(", ")).length > 1) {
      joined.push(`${label} (${listed.join(", ")})`)
      at = end
    } else joined.push(item)
  }
  return joined
}

/** "Any food they can't eat - this one is optional": what is said of the item behind a hyphen is an item too. */
export const withRequirementApart = (all: ReadonlyArray<string>): ReadonlyArray<string> =>
  all.flatMap((item) => {
    const [label = "", ...behind] = item.split(/\s[-–—]\s/)
    const tail = behind.join(" - ")
    return requirementIn(tail) === undefined ? [item] : [label, tail]
  })

/** "Best time - morning / evening", "type: wedding, lunch": what is behind the mark are choices, put in brackets. */
export const withChoices = (text: string): string => {
  const dash = /^(.{3,300}?)\s[-–]\s([^.()]{3,160})$/s.exec(text) ?? /^([^:]{3,300}):\s([^.():]{3,160})$/s.exec(text)
  if (dash === null) return text
  const [, before = "", behind = ""] = dash
  const lastItem = itemsOf(before.split(/:\s/).at(-1) ?? "").at(-1) ?? ""
  const isAsk = isAsking(lastItem)
  const isOne = lastItem.split(/\s+/).length <= 8
  const areNouns = choicesIn(behind).some((choice) => fieldWordsOf(choice).some(isContactNoun))
  return !areNouns && choicesIn(behind).length > 1 && requirementIn(behind) === undefined && isOne && !isAsk
    ? `${before.replace(/:\s/, text.includes("- ") ? ", " : ": ")} (${behind})`
    : text
}
