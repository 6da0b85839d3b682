import { type AskedField, isAsLiked, isNoun, isOnlyIfLiked, requirementIn } from "./FieldItems.ts"
import { fieldWordsOf, ofField } from "./FieldWords.ts"

/** Reads which fields of a form are required or optional. */

type Fields = ReadonlyArray<AskedField>

/** The fields that a clause is about. */
export const spokenOf = (clause: string, fields: Fields): Fields => {
  const words = new Set(fieldWordsOf(clause))
  const isSaid = (word: string): boolean =>
    words.has(word) || words.has(`${word}s`) || words.has(word.replace(/s$/, ""))
  const ownWords = ({ label }: AskedField): ReadonlyArray<string> =>
    fieldWordsOf(label).filter((word) => !ofField(word, "own") && word.length > 2)
  const whole = fields.filter((field) => ownWords(field).length > 0 && ownWords(field).every(isSaid))
  if (whole.length > 0) return whole
  // "The date" is the date of the move where there is only one.
  const partly = fields.filter((field) => ownWords(field).some((word) => isNoun(word) && isSaid(word)))
  if (partly.length === 1) return partly
  const ticked = fields.filter(({ kind }) => kind === "checkbox")
  if (partly.length === 0 && ticked.length === 1 && [...words].some((word) => ofField(word, "tick"))) return ticked
  // "El giro" is the line of business where no other field has that word.
  const named = fields.filter((field) => ownWords(field).some((word) => isSaid(word) && !ofField(word, "vague")))
  return named.length === 1 ? named : []
}

export const setRequired = (fields: Fields, of: Fields, isRequired: boolean): Fields =>
  fields.map((field) => (of.includes(field) ? { ...field, isRequired } : field))

const both = /\b(?:both|ambos|ambas|os dois|as duas|los dos|las dos)\b/
const lastOne = /\b(?:last (?:one|field|question)|el ultimo|la ultima|o ultimo|a ultima)\b/

/** Whether a requirement says itself what it holds for: all, the rest, both, the last one. */
export const hasScope = (clause: string): boolean => {
  const words = fieldWordsOf(clause)
  const text = words.join(" ")
  return both.test(text) || lastOne.test(text) || words.some((word) => ofField(word, "all"))
}

/** Applies a requirement to the fields that the clause means. Undefined if that is not certain. */
const withScope = (clause: string, fields: Fields, isRequired: boolean): Fields | undefined => {
  const words = fieldWordsOf(clause)
  const text = words.join(" ")
  const isOfAll = words.some((word) => ofField(word, "all"))
  const except = words.findIndex((word) => ofField(word, "except"))
  if (except >= 0) {
    const spared = spokenOf(words.slice(except + 1).join(" "), fields)
    return spared.length === 0 || !isOfAll
      ? undefined
      : fields.map((field) => ({ ...field, isRequired: spared.includes(field) ? !isRequired : isRequired }))
  }
  const spoken = spokenOf(clause, fields)
  if (both.test(text)) return setRequired(fields, spoken.length === 2 ? spoken : fields.slice(-2), isRequired)
  if (lastOne.test(text)) return setRequired(fields, fields.slice(-1), isRequired)
  if (spoken.length > 0 && isRequired && words.some((word) => ofField(word, "only")))
    return fields.map((field) => ({ ...field, isRequired: spoken.includes(field) }))
  if (spoken.length > 0) return setRequired(fields, spoken, isRequired)
  return isOfAll
    ? setRequired(
        fields,
        fields.filter((field) => field.isRequired === undefined),
        isRequired
      )
    : undefined
}

/** "Everything but the phone" is one clause. */
const allBut = /\b(all|everything|anything|all of it) but\b/gi
const clauseSeam = /;\s|\.\s|,\s|\s[-–—]\s|\s(?:but|mas|pero)\s/
const innerSeam = /\s(?:e|y|and)\s/

/** The clauses of a text. What has two requirements is parted where its halves have one each. */
const clausesOf = (text: string): ReadonlyArray<string> =>
  text
    .replace(allBut, "$1 except")
    .split(clauseSeam)
    .flatMap((clause) => {
      const halves = clause.split(innerSeam)
      return halves.filter((half) => requirementIn(half) !== undefined).length > 1 ? halves : [clause]
    })

/** Whether the words behind a requirement are what it is of: "Required: name, phone". */
const isOpen = (clause: string): boolean =>
  fieldWordsOf(clause)
    .slice(0, 3)
    .some((word) => ofField(word, "required", "optional", "needed"))

interface RequirementClause {
  readonly text: string
  readonly isRequired: boolean
}

/** "The phone isn't", "the phone neither": of what was said before, the opposite or the same. */
const elided = (clause: string, before: RequirementClause | undefined): boolean | undefined => {
  const words = fieldWordsOf(clause)
  if (before === undefined) return undefined
  if (words.some((word) => ofField(word, "same"))) return before.isRequired
  return before.isRequired && words.length <= 4 && words.slice(-2).some((word) => ofField(word, "denial"))
    ? false
    : undefined
}

interface Requirements {
  readonly clauses: ReadonlyArray<RequirementClause>
  /** Clauses that say nothing of requirements. */
  readonly rest: ReadonlyArray<string>
}

const requirementClauses = (text: string, fields: Fields): Requirements => {
  const clauses: Array<RequirementClause> = []
  let rest: Array<string> = []
  for (const clause of clausesOf(text)) {
    const isRequired = requirementIn(clause)
    const last = clauses.at(-1)
    if (isRequired !== undefined) {
      // "Name, phone and email are required": the fields before it belong to it, unless it has a scope.
      const names = hasScope(clause) ? [] : rest.filter((each) => spokenOf(each, fields).length > 0)
      clauses.push({ text: [...names, clause].join(", "), isRequired })
      rest = rest.filter((each) => !names.includes(each))
      continue
    }
    const turned = elided(clause, last)
    if (turned !== undefined && spokenOf(clause, fields).length > 0) clauses.push({ text: clause, isRequired: turned })
    else if (last !== undefined && isOpen(last.text) && spokenOf(clause, fields).length > 0)
      clauses[clauses.length - 1] = { ...last, text: `${last.text}, ${clause}` }
    else rest.push(clause)
  }
  return { clauses, rest }
}

export interface Required {
  readonly fields: Fields
  /** True if the text says of a field that it is required or optional. */
  readonly isRead: boolean
  /** Requirements whose fields are not certain. */
  readonly unread: ReadonlyArray<string>
}

/** "Required if they are a company": a form has no such requirement. */
const isConditional = (clause: string): boolean => {
  const words = fieldWordsOf(clause)
  const hasCondition = words.some(
    (word, at) => ofField(word, "condition") || (word === "se" && ofField(words[at + 1] ?? "", "conditional"))
  )
  return hasCondition && !isAsLiked(words) && !isOnlyIfLiked(words)
}

const isStrict = (clause: string): boolean => fieldWordsOf(clause).some((word) => ofField(word, "required", "optional"))

/** Applies everything a text says about required and optional fields. */
export const withRequirements = (text: string, before: Fields): Required => {
  let fields = before
  let isRead = false
  const unread: Array<string> = []
  for (const clause of requirementClauses(text, before).clauses) {
    const after = isConditional(clause.text) ? undefined : withScope(clause.text, fields, clause.isRequired)
    if (after !== undefined) {
      fields = after
      isRead = true
    } else if (isStrict(clause.text)) unread.push(clause.text)
  }
  return { fields, isRead, unread }
}
