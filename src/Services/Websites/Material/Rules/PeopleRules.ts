import { bareItem, capitalised, itemsIn, within } from "../MaterialText.ts"
import { type BriefRule, filled, type ReadPerson, ruleOf } from "./BriefRule.ts"

const personName =
  /^(?:(?:Dr|Dra|Sr|Sra|Mr|Mrs|Ms|Prof|Profa|Lic|Eng|CPN)\.?\s)?\p{Lu}[\p{L}'’.-]*(?:\s(?:d[aeo]s?\s)?\p{Lu}[\p{L}'’.-]*){0,4}$/u
const titledPerson =
  /((?:Dr|Dra|Prof|Profa)\.\s\p{Lu}[\p{L}'’-]*(?:\s(?:d[aeo]s?\s)?\p{Lu}\p{Ll}[\p{L}'’-]*){0,4})(?:,?\s\(?((?:OAB|CRM|CRO|CREA|CRP|CRN|CREFITO|CRC)[\s/-]?[A-Z]{0,2}\s?[\d./-]*\d)\)?)?/gu

/** "Dra. Helena Nogueira OAB/SP 123.456 e Dr. Caio Prado": people with their titles, and nothing else. */
const titledPeople = (text: string): ReadonlyArray<ReadPerson> | undefined => {
  const matches = [...text.matchAll(titledPerson)]
  const rest = text.replace(titledPerson, " ").replace(/[\s,.;]|\b(?:e|y|and)\b/g, "")
  return matches.length === 0 || rest !== ""
    ? undefined
    : matches.map(([, name = "", role = ""]) => ({ name, role, text: "" }))
}

const longestRole = 160

/** "Nadia Petropoulos (owner, ex-dancer)", "Aoife Ní Bhriain, head baker", "Ana: diretora". */
const personIn = (raw: string): ReadPerson | undefined => {
  const text = bareItem(raw)
  const bracket = /^([^()]{2,60}?)\s?\(([^()]{2,120})\)$/.exec(text)
  const [who = "", ...what] = bracket === null ? text.split(/\s[–—-]\s|,\s|:\s/) : [bracket[1] ?? "", bracket[2] ?? ""]
  const name = bareItem(who.replace(/^(?:o|a|el|la|the)\s(?=\p{Lu})/u, ""))
  return personName.test(name)
    ? { name, role: within(capitalised(bareItem(what.join(", "))), longestRole), text: "" }
    : undefined
}

/** Parts of a list of people: at semicolons, else where a capital begins behind a comma or a joining word. */
const partsOf = (text: string): ReadonlyArray<string> => {
  const shielded = text.replace(/\([^()]{0,200}\)/g, (inner) => inner.replaceAll(",", "\u0001"))
  const parts = shielded.includes(";")
    ? shielded.split(/;\s?/)
    : shielded.split(/,\s(?=(?:o |a |el |la |and |e |y )?\p{Lu})|\s(?:and|e|y)\s(?=(?:o |a |el |la )?\p{Lu})/u)
  return parts.map((part) => part.replaceAll("\u0001", ",")).filter((part) => part.trim() !== "")
}

/** The people of a list, where each of its parts is one. */
export const peopleIn = (text: string, isItem: boolean): ReadonlyArray<ReadPerson> | undefined => {
  const parts = isItem ? [text] : partsOf(text.replace(/\.$/, ""))
  const people = parts.map(personIn)
  const only = isItem ? [] : itemsIn(text)
  if (only.length > 1 && only.every((item) => personName.test(item)))
    return only.map((name) => ({ name, role: "", text: "" }))
  return people.every((person) => person !== undefined)
    ? filled(people.filter((person) => person !== undefined))
    : undefined
}

export const titledPeopleRule: BriefRule = ruleOf(
  "people with titles",
  ({ isOrder, text }) => (isOrder ? undefined : titledPeople(text)),
  (people) => ({ facts: { people } })
)

export const peopleRules: ReadonlyArray<BriefRule> = [
  ruleOf(
    "people below their heading",
    ({ isItem, isOrder, kind, text }) => (isOrder || kind !== "people" ? undefined : peopleIn(text, isItem)),
    (people) => ({ facts: { people } })
  ),
  {
    name: "a list of people in other words",
    matches: ({ isOrder, kind }) => !isOrder && kind === "people",
    take: ({ label, text }) => ({ facts: { prose: [within(`${label}: ${text}`, 420)] } })
  }
]
