import type { FieldKind, SiteField } from "../Site.ts"
import { type FieldRole, fieldWordsOf, ofField } from "./FieldWords.ts"
import { bareItem, capitalised, keyFor, type Statement, statementsOf, within, withoutEnd } from "./MaterialText.ts"
import { isSecret } from "./SecretFields.ts"

/**
 * The fields that an owner asks a form for, in the order and the words in which they are listed, each once, with its choices and
 * with what is said of whether it must be filled in.
 */

/** A field as it is asked for; `isRequired` is undefined where nothing is said of it. */
export interface AskedField {
  readonly label: string
  readonly kind: FieldKind
  readonly choices: ReadonlyArray<string>
  readonly isRequired: boolean | undefined
}

const nouns: ReadonlyArray<FieldRole> = [
  "name",
  "email",
  "phone",
  "company",
  "role",
  "city",
  "message",
  "date",
  "number",
  "text"
]
const mostFields = 12
const longestLabel = 80
const mostWordsOfLabel = 9

const isNoun = (word: string): boolean => ofField(word, ...nouns)
const denial = /^(?:no|nao|not|dont|don|never|sin|sem|nothing|nada|ni|nem|nunca|neither|without)$/

const kindOfField = (label: string): FieldKind => {
  const words = fieldWordsOf(label)
  const has = (...roles: ReadonlyArray<FieldRole>): boolean => words.some((word) => ofField(word, ...roles))
  if (has("email") && has("phone")) return "text"
  if (has("email")) return "email"
  if (has("phone")) return "phone"
  if (has("date") && !has("text")) return "date"
  if (has("message") || /\b(?:lines?|why|explain|explicar|mejorarias?|melhorar)\b/.test(words.join(" "))) return "long_text"
  const isCount = /\b(?:number of (?!order)|numero de (?:pessoas|personas|convidados|alunos|adultos|numeros)|how many|quant[oa]s|cuant[oa]s|cantidad|quantidade|quantity|age|idade|edad)\b/.test(
    words.join(" ")
  )
  return isCount ? "number" : "text"
}

/** Brackets hold what belongs to one item: their marks part nothing. */
const shielded = (text: string): string =>
  text.replace(/\([^()]{0,200}\)|"[^"]{0,200}"|“[^”]{0,200}”/g, (inner) =>
    inner.replaceAll(",", "\u0001").replaceAll(";", "\u0002").replaceAll(" e ", " \u0003e ").replaceAll(" y ", " \u0003y ").replaceAll(" and ", " \u0003and ")
  )
const unshielded = (text: string): string =>
  text.replaceAll("\u0001", ",").replaceAll("\u0002", ";").replaceAll("\u0003", "")

const itemSeam = /;|,(?!\d)|\s\+\s|\s(?:e|y|and)\s(?=\S)/

const itemsOf = (text: string): ReadonlyArray<string> =>
  shielded(text)
    .split(itemSeam)
    .map((item) => unshielded(item).trim())
    .filter((item) => item !== "")

const choiceSeam = /\s?[,/;]\s?|\s(?:ou|or|o|e|y|and)\s/

const choicesIn = (text: string): ReadonlyArray<string> => {
  const range = /\b(\d{1,2})\s(?:a|al|to|até|ate|-)\s(\d{1,2})\b/.exec(text)
  if (range !== null && text.length <= 16) {
    const [from, to] = [Number(range[1]), Number(range[2])]
    if (to > from && to - from < 12) return Array.from({ length: to - from + 1 }, (_, at) => String(from + at))
  }
  const parts = (text.split(/:\s/).at(-1) ?? "").split(choiceSeam).map(bareItem).filter((part) => part !== "")
  return parts.length >= 2 && parts.every((part) => part.length <= 60) ? parts : []
}

const yesNo = /^(.{3,60}?)[?,:]?\s(s[ií]m?)\s(?:ou|o|or|\/)\s(n[aã]o|no)$/i
const yesOrNo = /^(.{3,60}?)[?,:]?\s(yes)\sor\s(no)$/i

/** Words at the beginning of an item that are no part of its label. */
const leadWord = (word: string): boolean =>
  ofField(word, "own", "ask") ||
  /^(?:then|tambem|tambien|also|if|se|si|ya|for|us|me|nos|le|les|por|favor|and|y|e|mais|mas|pero|but|escolhe|elige|choose|pick|tem|ter|q|que|to|need|needs|we|i|they)$/.test(
    word
  )

const withoutLead = (item: string): string => {
  let rest = item.trim()
  for (let count = 0; count < 8; count++) {
    const [first = ""] = rest.split(/\s/)
    const [word = ""] = fieldWordsOf(first)
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
  /\s(?:[-–—]\s.*|(?:but|pero|mas|since|because|porque|pq|que no|so that|só|some|either|if they|si quieren|se quiser|tamb[ié][eé]?n|too|optional|opcional|facultativ[oa]|required|obrigat[oó]ri[oa]|obligatori[oa]|mandatory|não precisa|nao precisa|can be|pode ficar|no es)\b.*)$/i
const purpose = /\s(?:for when|so we|so i|para que|pra que|para (?:eu|nós|nos)|aí eu)\b.*$/i

const requirementIn = (text: string): boolean | undefined => {
  const words = fieldWordsOf(text)
  const isDenied = words.some((word) => denial.test(word) || /^(?:can't|cant|mustn't|isn't|needn't)$/.test(word))
  const optional = words.some((word) => ofField(word, "optional"))
  const required = words.some((word) => ofField(word, "required"))
  if (required) return !isDenied
  // "No blanks", "não pode ficar em branco", "no es a fuerza".
  if (words.includes("blanks") || (optional && isDenied && words.some((word) => /^(?:blank|branco|blanco)$/.test(word)))) return true
  return optional || /\b(?:si quieren|se quiser|if they (?:want|like)|if you like)\b/.test(words.join(" ")) ? false : undefined
}

/** One item of a list as a field; undefined where it is none. */
const fieldIn = (raw: string): AskedField | undefined => {
  const bare = withoutLead(withoutEnd(raw.trim(), ".,;!"))
  const isRequired = requirementIn(raw)
  const yes = yesNo.exec(bare) ?? yesOrNo.exec(bare)
  const bracket = /^([^()]{2,80}?)\s?\(([^()]{1,160})\)/.exec(bare)
  const inner = bracket?.[2] ?? ""
  const choices =
    yes !== null
      ? [yes[2] ?? "", yes[3] === "nao" ? "não" : (yes[3] ?? "")]
      : bracket !== null && (requirementIn(inner) === undefined || inner.length > 24)
        ? choicesIn(inner)
        : []
  const whole = yes?.[1] ?? bracket?.[1] ?? bare
  const plain = bareItem(whole.replace(behindLabel, "").replace(purpose, ""))
  const either = plain.includes(" ") && choices.length === 0 ? alternativesIn(plain) : undefined
  const label = either?.label ?? plain.replace(/\s(?:del|de|from)\s\d{1,2}\s(?:a|al|to)\s\d{1,2}$/i, "")
  const scale = /\s(?:del|de|from)\s(\d{1,2}\s(?:a|al|to)\s\d{1,2})$/i.exec(plain)?.[1]
  const all = either?.choices ?? (scale === undefined ? choices : choicesIn(scale))
  if (label.length < 2 || label.length > longestLabel || label.split(/\s+/).length > mostWordsOfLabel) return undefined
  if (isSecret(label)) return undefined
  return {
    label: within(capitalised(label.replace(/\?$/, label.startsWith("¿") ? "?" : "")), longestLabel),
    kind: all.length > 0 ? "choice" : kindOfField(label),
    choices: all.slice(0, 30).map((choice) => within(capitalised(choice), longestLabel)),
    isRequired
  }
}

/** "Turno manhã tarde ou noite", "si prefiere mañana o tarde", "cambio o reembolso": choices without marks around them. */
const alternativesIn = (text: string): { readonly label: string; readonly choices: ReadonlyArray<string> } | undefined => {
  const match = /^(.{2,60})\s(?:ou|or|o)\s(\S+(?:\s\S+){0,2})$/.exec(text)
  const [, before = "", last = ""] = match ?? []
  if (match === null || fieldWordsOf(last).some(isNoun)) return undefined
  const words = before.split(/\s+/)
  const [first = ""] = words
  if (words.length === 1) return { label: text, choices: [before, last] }
  const isVerb = /^(?:prefere|prefiere|quer|quiere|es|é|e|is|wants?|prefers?)$/i.test(first)
  const options = words.slice(1)
  if (isVerb) return { label: options.length === 1 ? first : text.slice(first.length + 1), choices: [...options, last] }
  return options.length <= 3 && options.every((word) => word.length > 2)
    ? { label: first, choices: [...options, last] }
    : undefined
}

const isTimeOnly = (item: string): boolean => /^\d{1,2}(?:[:h]\d{0,2})?h?(?:\s(?:ou|or|o)\s\d{1,2}(?:[:h]\d{0,2})?h?)?$/i.test(item)

/** "Horario 19h, 20h30 ou 22h" is one item, since times alone are no fields. */
const withTimes = (items: ReadonlyArray<string>): ReadonlyArray<string> => {
  const joined: Array<string> = []
  for (const item of items) {
    const last = joined.at(-1)
    const match = last === undefined ? null : /^(\D{3,40}?)\s(\d{1,2}[:h]\S*)$|^(.{3,40}) \((.+)\)$/.exec(last)
    if (isTimeOnly(item) && match !== null)
      joined[joined.length - 1] = `${match[1] ?? match[3] ?? ""} (${match[2] ?? match[4] ?? ""}, ${item})`
    else joined.push(item)
  }
  return joined
}

const isDenied = (text: string): boolean => fieldWordsOf(text).some((word) => denial.test(word))

/** Where in an item its first noun of a field is: behind a verb of asking, or at its beginning. */
const begins = (item: string): string | undefined => {
  const words = item.split(/\s+/)
  const folded = words.map((word) => fieldWordsOf(word)[0] ?? "")
  const noun = folded.findIndex(isNoun)
  if (noun < 0) return undefined
  const ask = folded.findLastIndex((word, at) => at < noun && ofField(word, "ask"))
  const isNear = ask >= 0 && noun - ask <= 4
  if (isNear) return isDenied(words.slice(0, ask + 1).join(" ")) ? undefined : words.slice(ask + 1).join(" ")
  const bare = withoutLead(item)
  return fieldWordsOf(bare).length <= 4 && !isDenied(bare) ? bare : undefined
}

const joins = /^(?:com|con|with)$/

/** The label of a list of fields, and what it says of all of them. */
const listLabel = /^(?:os |as |los |the )?(?:campos?|fields?|formul[aá]rio|form|datos|dados)\b/i

interface FieldList {
  readonly items: ReadonlyArray<string>
  readonly isRequired: boolean | undefined
}

/** The fields that a sentence lists; undefined where it is no list of fields. */
const listIn = (statement: Statement, hasFields: boolean): FieldList | undefined => {
  const { isItem, label, text } = statement
  const isLabelled = label !== "" && listLabel.test(label)
  if (isLabelled && isItem) return { items: [text], isRequired: requirementIn(label) }
  const colon = /^(.{0,120}?):\s(.{3,400})$/s.exec(text)
  const isAsking = colon !== null && fieldWordsOf(colon[1] ?? "").some((word) => ofField(word, "ask") || /^(?:campos?|fields?|ter)$/.test(word)) && begins(colon[1] ?? "") === undefined
  if (isLabelled || isAsking)
    return { items: withTimes(itemsOf(isAsking && !isLabelled ? (colon[2] ?? "") : text)), isRequired: requirementIn(label) }
  const dash = /^(.{3,160}?)(?::|\s[-–])\s([^.]{3,160})$/s.exec(withoutEnd(text, "."))
  const isChoices = dash !== null && choicesIn(dash[2] ?? "").length > 1
  const source = isChoices ? `${dash[1] ?? ""} (${dash[2] ?? ""})` : text
  const items = withTimes(itemsOf(source))
  const first = items.findIndex((item) => begins(item) !== undefined)
  if (first < 0) return undefined
  const start = begins(items[first] ?? "") ?? ""
  const known = items.slice(first).filter((item) => fieldWordsOf(item).some(isNoun)).length
  const asking = fieldWordsOf(items[first] ?? "").filter((word) => ofField(word, "ask"))
  // "With wine" asks for nothing, and "a form with name and phone" does.
  const behindVerb = asking.some((word) => !joins.test(word)) || (asking.length > 0 && known > 1)
  // A bare list begins its sentence, and most of it are nouns of fields.
  const isBare = first === 0 && known >= 2
  if (!behindVerb && !isBare && !(hasFields && first === 0 && known === items.length)) return undefined
  return { items: [start, ...items.slice(first + 1)], isRequired: undefined }
}

const sameLabel = (one: string, other: string): boolean =>
  fieldWordsOf(one).join(" ") === fieldWordsOf(other).join(" ")

/** Of the fields those that a clause speaks of. */
const spokenOf = (clause: string, fields: ReadonlyArray<AskedField>): ReadonlyArray<AskedField> => {
  const words = new Set(fieldWordsOf(clause))
  return fields.filter(({ label }) => {
    const own = fieldWordsOf(label).filter((word) => !ofField(word, "own") && word.length > 1)
    return own.length > 0 && own.every((word) => words.has(word) || words.has(`${word}s`) || words.has(word.replace(/s$/, "")))
  })
}

const setRequired = (
  fields: ReadonlyArray<AskedField>,
  of: ReadonlyArray<AskedField>,
  isRequired: boolean
): ReadonlyArray<AskedField> => fields.map((field) => (of.includes(field) ? { ...field, isRequired } : field))

/** What a sentence says of whether fields must be filled in. */
const withRequirement = (text: string, fields: ReadonlyArray<AskedField>): ReadonlyArray<AskedField> => {
  let all = fields
  for (const clause of text.split(/;\s|,\s(?=(?:o |a |os |as |the |el |la )?(?:resto|rest|demais|everything|todo|tudo|all)\b)|\.\s/)) {
    const isRequired = requirementIn(clause)
    if (isRequired === undefined) continue
    const words = fieldWordsOf(clause)
    const spoken = spokenOf(clause, all)
    const [last] = all.slice(-1)
    if (/\b(?:last one|el ultimo|o ultimo|a ultima)\b/.test(words.join(" ")) && last !== undefined)
      all = setRequired(all, [last], isRequired)
    else if (spoken.length > 0 && words.some((word) => ofField(word, "only")) && isRequired)
      all = all.map((field) => ({ ...field, isRequired: spoken.includes(field) }))
    else if (spoken.length > 0) all = setRequired(all, spoken, isRequired)
    else if (words.some((word) => ofField(word, "all")))
      all = setRequired(
        all,
        all.filter((field) => field.isRequired === undefined),
        isRequired
      )
  }
  return all
}

const tickLabel = /["“«]([^"”»]{4,100})["”»]/

/** "A tick box “I agree”": a box with its words. */
const tickIn = (text: string): AskedField | undefined => {
  const label = tickLabel.exec(text)?.[1]
  return label !== undefined && fieldWordsOf(text).some((word) => ofField(word, "tick"))
    ? {
        label: within(capitalised(withoutEnd(label, ".")), 120),
        kind: "checkbox",
        choices: [],
        isRequired: /\b(?:must|tienen que|tem que|tiene que|precisa|obligatori|obrigat)/i.test(text) && !/não é obrig|nao e obrig|mustn't be required/i.test(text)
      }
    : undefined
}

/** "La hora que se pueda elegir: 13:30, 15:00": choices of a field that is there, or a field of its own. */
const choiceIn = (
  { label, text }: Statement,
  fields: ReadonlyArray<AskedField>
): ReadonlyArray<AskedField> | undefined => {
  const choices = label === "" ? [] : choicesIn(withoutEnd(text, "."))
  if (choices.length < 2 || label.split(" ").length > 8) return undefined
  const [there] = spokenOf(label, fields)
  if (there !== undefined)
    return fields.map((field) => (field === there ? { ...field, kind: "choice", choices } : field))
  const added = fieldIn(`${label} (${choices.join(", ")})`)
  return added === undefined ? undefined : [...fields, added]
}

const withField = (fields: ReadonlyArray<AskedField>, field: AskedField | undefined): ReadonlyArray<AskedField> =>
  field === undefined || fields.some(({ label }) => sameLabel(label, field.label)) ? fields : [...fields, field]

/** "Email optional", "El teléfono también opcional": a field that comes with what is said of it. */
const withOptional = (text: string, fields: ReadonlyArray<AskedField>): ReadonlyArray<AskedField> => {
  const words = fieldWordsOf(text)
  const isShort = words.length <= 8 && words.some((word) => ofField(word, "optional", "required"))
  const yes = yesNo.test(withoutEnd(text, ".")) || yesOrNo.test(withoutEnd(text, "."))
  if ((!isShort && !yes) || spokenOf(text, fields).length > 0) return fields
  const field = fieldIn(text.replace(/^(?:Un campo para|A field for|Um campo para)\s/i, ""))
  return field === undefined || (!yes && !fieldWordsOf(field.label).some(isNoun)) ? fields : withField(fields, field)
}

const isAboutOther = (text: string): boolean => /[€£$]\s?\d|\d\s?[€£]|https?:|\d{3}[ .-]\d{3,4}/.test(text)

/** What is left of a statement before its list of fields: "A page for the raffle. They leave …" */
const beforeList = ({ text }: Statement, { items }: FieldList): string => {
  const at = text.indexOf(items[0] ?? "")
  if (at <= 0) return ""
  const clauses = text.slice(0, at).split(/,\s|;\s|\s(?:e|y|and)\s(?=eu |yo |i )/)
  // The last clause is the one that asks.
  return clauses.slice(0, -1).join(", ").trim()
}

/** A form as a description asks for it. */
export interface AskedForm {
  /** Empty where it asks for none. */
  readonly fields: ReadonlyArray<AskedField>
  /** Of each statement what does not speak of fields; empty where all of it does. */
  readonly rest: ReadonlyArray<string>
}

/** Reads which fields a description asks for, and what else it says. */
export const askedForm = (statements: ReadonlyArray<Statement>): AskedForm => {
  let fields: ReadonlyArray<AskedField> = []
  const rest: Array<string> = []
  for (const statement of statements) {
    const { label, text } = statement
    const before = fields
    const tick = tickIn(text)
    const found = tick === undefined ? listIn(statement, fields.length > 0) : undefined
    const list = found !== undefined && !isAboutOther(found.items[0] ?? "") ? found : undefined
    for (const item of list?.items ?? []) {
      const field = isDenied(item) && requirementIn(item) === undefined ? undefined : fieldIn(item)
      fields = withField(
        fields,
        field === undefined ? undefined : { ...field, isRequired: field.isRequired ?? list?.isRequired }
      )
    }
    if (list === undefined && fields.length > 0) fields = choiceIn(statement, fields) ?? withOptional(text, fields)
    fields = withField(fields, tick)
    const asked = label === "" || listLabel.test(label) ? text : `${label}: ${text}`
    const required = withRequirement(asked, fields)
    const isOfFields = list === undefined && (fields !== before || required !== fields || isRequirement(text))
    fields = required
    rest.push(list !== undefined ? beforeList(statement, list) : isOfFields ? "" : text)
  }
  return { fields: fields.slice(0, mostFields), rest }
}

/** "All of it has to be filled in": of fields, though it names none. */
const isRequirement = (text: string): boolean => requirementIn(text) !== undefined && !/[€£$]\s?\d|\d\s?[€£%]/.test(text)

export const askedFieldsIn = (description: string): ReadonlyArray<AskedField> =>
  askedForm(statementsOf(description)).fields

/** The key by which a submission's value is found: the usual one for the first field of a kind. */
const keyOfField = ({ kind, label }: AskedField, taken: ReadonlyArray<string>): string => {
  const words = fieldWordsOf(label)
  const usual =
    kind === "email" || kind === "phone"
      ? kind
      : (["name", "company", "role", "city"] as const).find((role) => words.some((word) => ofField(word, role)))
  return usual !== undefined && kind !== "choice" && kind !== "checkbox" && !taken.includes(usual)
    ? usual
    : keyFor(label, taken)
}

/** The asked fields as a form has them. What is asked for must be filled in, unless something else is said. */
export const asSiteFields = (asked: ReadonlyArray<AskedField>): ReadonlyArray<SiteField> => {
  const fields: Array<SiteField> = []
  for (const field of asked)
    fields.push({
      name: keyOfField(
        field,
        fields.map(({ name }) => name)
      ),
      label: field.label,
      kind: field.kind,
      is_required: field.isRequired ?? field.kind !== "checkbox",
      choices: field.choices
    })
  return fields
}
