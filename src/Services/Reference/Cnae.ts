import { getCnae } from "@brazilian-utils/brazilian-utils/get-cnae"
import { Schema } from "effect"
import { normaliseCnae } from "../Prospecting/Cnae.ts"
import names from "./cnae-names.json" with { type: "json" }

/** Levels of the Brazilian classification of economic activities, and how many digits their codes have. */
export const CnaeLevel = Schema.Literal("section", "division", "group", "class", "subclass")
export type CnaeLevel = typeof CnaeLevel.Type

export const CnaeEntry = Schema.Struct({
  code: Schema.String.annotations({ description: "Digits only, as filters accept them; a letter for a section." }),
  formatted_code: Schema.String,
  level: CnaeLevel,
  name: Schema.String
})
export type CnaeEntry = typeof CnaeEntry.Type

export const CnaeView = Schema.Struct({
  ...CnaeEntry.fields,
  description: Schema.String.annotations({
    description: "Its position in the classification, and what it includes."
  }),
  parents: Schema.Array(CnaeEntry).annotations({ description: "From the section down to the level above." }),
  children: Schema.Array(CnaeEntry).annotations({ description: "The codes one level below; none for a subclass." })
})
export type CnaeView = typeof CnaeView.Type

const acronyms: ReadonlySet<string> = new Set(
  "GLP CDS DVDS T.R.R. OTM STFC SRTT SCM SME VOIP UTI ECG EEG CD DVD TV GNV EPI".split(" ")
)

/** `SERVIÇOS DE TOMOGRAFIA` becomes `Serviços de tomografia`; acronyms stay as they are. */
export const sentenceCase = (name: string): string => {
  const text = name
    .trim()
    .replace(/\s+/g, " ")
    .replace(/[\p{L}\d.]+/gu, (word) => {
      const bare = word.replace(/[.,;]$/, "")
      if (acronyms.has(word)) return word
      return acronyms.has(bare) ? bare + word.slice(bare.length).toLowerCase() : word.toLowerCase()
    })
    .replace(/\b(CD|DVD)S\b/g, "$1s")
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** `62`, `62.0`, `62.01-5`, `6201-5/01`, as IBGE writes them. */
export const formatCnae = (code: string): string => {
  if (code.length === 3) return `${code.slice(0, 2)}.${code.slice(2)}`
  if (code.length === 5) return `${code.slice(0, 2)}.${code.slice(2, 4)}-${code.slice(4)}`
  return code.length === 7 ? `${code.slice(0, 4)}-${code.slice(4, 5)}/${code.slice(5)}` : code
}

const levelOf = (code: string): CnaeLevel =>
  code.length === 7
    ? "subclass"
    : code.length === 5
      ? "class"
      : code.length === 3
        ? "group"
        : code.length === 2
          ? "division"
          : "section"

const entries = new Map<string, CnaeEntry>()
const parentOf = new Map<string, string>()
const childrenOf = new Map<string, Array<string>>()

const add = (code: string, name: string, parent: string | undefined): void => {
  entries.set(code, { code, formatted_code: formatCnae(code), level: levelOf(code), name: sentenceCase(name) })
  if (parent === undefined) return
  parentOf.set(code, parent)
  const siblings = childrenOf.get(parent)
  if (siblings === undefined) childrenOf.set(parent, [code])
  else siblings.push(code)
}

for (const [code, { name }] of Object.entries(names.sections)) add(code, name, undefined)
// JavaScript orders number-like keys first, so the entries are sorted into the classification's order.
const inOrder = <V>(record: { readonly [code: string]: V }) =>
  Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1))
for (const [code, { name, section }] of inOrder(names.divisions)) add(code, name, section)
for (const [code, { division, name }] of inOrder(names.groups)) add(code, name, division)
for (const [code, { group, name }] of inOrder(names.classes)) {
  add(code, name, group)
  for (let number = 0; number < 100; number++) {
    const subclass = getCnae(`${code}${String(number).padStart(2, "0")}`)
    if (subclass !== null) add(subclass.code, subclass.description, code)
  }
}

/** Every entry of the classification, by its code. */
export const cnaeEntries: ReadonlyMap<string, CnaeEntry> = entries

export const cnaeParents = (code: string): ReadonlyArray<CnaeEntry> => {
  const above = parentOf.get(code)
  const entry = above === undefined ? undefined : entries.get(above)
  return entry === undefined ? [] : [...cnaeParents(entry.code), entry]
}

export const cnaeChildren = (code: string): ReadonlyArray<CnaeEntry> =>
  (childrenOf.get(code) ?? []).flatMap((child) => entries.get(child) ?? [])

const maximumNamed = 12

const describe = (entry: CnaeEntry, parents: ReadonlyArray<CnaeEntry>, children: ReadonlyArray<CnaeEntry>): string => {
  const position = parents.map(({ name }) => name).join(" > ")
  const place = position === "" ? entry.name : `${position} > ${entry.name}`
  if (children.length === 0) return `${place}.`
  const listedNames = children.slice(0, maximumNamed).map(({ name }) => name)
  const rest = children.length - listedNames.length
  return `${place}. Compreende: ${listedNames.join("; ")}${rest > 0 ? `; e mais ${rest}` : ""}.`
}

/** The entry of a code, with any punctuation, and its position in the classification. */
export const lookUpCnae = (text: string): CnaeView | undefined => {
  const code = normaliseCnae(text)
  const entry = code === undefined ? undefined : entries.get(code)
  if (entry === undefined) return undefined
  const parents = cnaeParents(entry.code)
  const children = cnaeChildren(entry.code)
  return { ...entry, description: describe(entry, parents, children), parents, children }
}
