import * as fs from "node:fs"
import * as path from "node:path"
import { IntlMessageFormat } from "intl-messageformat"

/**
 * Reads the message catalogs and derives the types of their ids and arguments, so that the compiler checks each call.
 *
 * @typedef {string | ReadonlyArray<string> | { readonly [key: string]: Tree }} Tree
 * @typedef {ReturnType<IntlMessageFormat["getAst"]>} Elements
 * @typedef {{ isPrinted: boolean, isNumber: boolean, mayBeAbsent: boolean, isYesOrNo: boolean }} Use
 */

export const folder = "src/Services/Messages"
export const languages = /** @type {const} */ (["pt-BR", "en", "es"])

const subjectsOf = (/** @type {string} */ root) =>
  fs
    .readdirSync(path.join(root, folder, languages[0]))
    .filter((name) => name.endsWith(".json"))
    .map((name) => path.basename(name, ".json"))
    .sort()

/** @returns {Array<readonly [string, string | ReadonlyArray<string>]>} */
const flattened = (/** @type {Tree} */ tree, /** @type {string} */ prefix) => {
  if (typeof tree === "string") return [[prefix, tree]]
  if (Array.isArray(tree)) return [[prefix, tree]]
  return Object.entries(tree).flatMap(([key, value]) => flattened(value, `${prefix}.${key}`))
}

/** The messages of a language by their ids. Several texts under one id say the same in different ways. */
export const messagesOf = (/** @type {string} */ root, /** @type {string} */ language) =>
  new Map(
    subjectsOf(root).flatMap((subject) => {
      const file = path.join(root, folder, language, `${subject}.json`)
      return flattened(JSON.parse(fs.readFileSync(file, "utf8")), subject)
    })
  )

const elementTypes = /** @type {const} */ ({ argument: 1, number: 2, select: 5, plural: 6 })

/** @returns {Use} */
const unused = () => ({ isPrinted: false, isNumber: false, mayBeAbsent: false, isYesOrNo: false })

/** Adds to `uses` how the elements use their arguments. `present` are those that a choice around them requires. */
const collect = (
  /** @type {Elements} */ elements,
  /** @type {Map<string, Use>} */ uses,
  /** @type {ReadonlySet<string>} */ present
) => {
  for (const element of elements) {
    if (!("value" in element) || element.type === 0) continue
    const name = element.value
    const use = uses.get(name) ?? unused()
    uses.set(name, use)
    if (element.type === elementTypes.argument) use.isPrinted = true
    if (element.type === elementTypes.number || element.type === elementTypes.plural) use.isNumber = true
    if (!("options" in element)) continue
    const keys = Object.keys(element.options)
    if (element.type === elementTypes.select && keys.includes("none")) use.mayBeAbsent = true
    if (element.type === elementTypes.select && keys.includes("true")) use.isYesOrNo = true
    for (const option of Object.values(element.options)) collect(option.value, uses, new Set([...present, name]))
  }
}

/** How the texts of a message use its arguments. */
export const usesIn = (/** @type {ReadonlyArray<string>} */ texts) => {
  /** @type {Map<string, Use>} */
  const uses = new Map()
  for (const text of texts) {
    collect(new IntlMessageFormat(text, "en", undefined, { ignoreTag: true }).getAst(), uses, new Set())
  }
  return uses
}

const typeOf = (/** @type {Use} */ { isNumber, isPrinted, isYesOrNo, mayBeAbsent }) => {
  const type = isNumber ? "number" : isYesOrNo && !isPrinted ? "boolean" : isPrinted ? "string | number" : "string"
  // A choice between words always has one for everything else.
  return mayBeAbsent || type === "string" ? `${type} | undefined` : type
}

const argumentsType = (/** @type {Map<string, Use>} */ uses) =>
  uses.size === 0
    ? "NoArguments"
    : `{ ${[...uses]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, use]) => `readonly ${name}: ${typeOf(use)}`)
        .join("; ")} }`

/** An interface with the arguments of each message, as one line would be too long to read. */
const interfaceOf = (/** @type {string} */ name, /** @type {ReadonlyArray<readonly [string, string]>} */ lines) =>
  [`export interface ${name} {`, ...lines.map(([id, type]) => `  readonly "${id}": ${type}`), "}"].join("\n")

export const argumentsFile = `${folder}/MessageArguments.ts`

/** The module that declares the ids and arguments of all messages. */
export const argumentsModule = (/** @type {string} */ root) => {
  const catalogs = languages.map((language) => messagesOf(root, language))
  /** @type {Array<readonly [string, string]>} */
  const single = []
  /** @type {Array<readonly [string, string]>} */
  const several = []
  for (const [id, value] of catalogs[0] ?? []) {
    const texts = catalogs.flatMap((catalog) => catalog.get(id) ?? [])
    ;(typeof value === "string" ? single : several).push([id, argumentsType(usesIn(texts))])
  }
  return [
    `// Written by "npm run messages" from the catalogs next to this file.`,
    "",
    "type NoArguments = Readonly<Record<never, never>>",
    "",
    interfaceOf("MessageArguments", single),
    "",
    "/** Messages of which there are several, to say the same in different ways. */",
    interfaceOf("VariantArguments", several),
    ""
  ].join("\n")
}

const importName = (/** @type {string} */ language, /** @type {string} */ subject) =>
  `${language.slice(0, 2)}${subject.charAt(0).toUpperCase()}${subject.slice(1)}`

export const catalogsFile = `${folder}/Catalogs.ts`

/** The module that imports the files of all languages. */
export const catalogsModule = (/** @type {string} */ root) => {
  const subjects = subjectsOf(root)
  const imports = languages.flatMap((language) =>
    subjects.map(
      (subject) => `import ${importName(language, subject)} from "./${language}/${subject}.json" with { type: "json" }`
    )
  )
  const entries = languages.map(
    (language) =>
      `  ${/^\w+$/.test(language) ? language : `"${language}"`}: {\n${subjects
        .map((subject) => `    ${subject}: ${importName(language, subject)}`)
        .join(",\n")}\n  }`
  )
  return [
    `// Written by "npm run messages" from the folders next to this file.`,
    ...imports.sort((a, b) => (a.slice(a.indexOf("./")) < b.slice(b.indexOf("./")) ? -1 : 1)),
    "",
    `export const catalogs = {\n${entries.join(",\n")}\n} as const`,
    ""
  ].join("\n")
}
