import * as fs from "node:fs"
import * as path from "node:path"
import { IntlMessageFormat } from "intl-messageformat"

/**
 * A message as the browser formats it: a text, or a list of texts and arguments. Parsing it here keeps the parser out of
 * the page.
 *
 * @typedef {string | ReadonlyArray<Part>} Compiled
 * @typedef {string | 0 | { readonly a: string } | { readonly p: string, readonly o: Readonly<Record<string, Compiled>> } | { readonly s: string, readonly o: Readonly<Record<string, Compiled>> }} Part
 * @typedef {ReturnType<IntlMessageFormat["getAst"]>} Elements
 */

const kinds = /** @type {const} */ ({ literal: 0, argument: 1, number: 2, select: 5, plural: 6, pound: 7 })

/** @returns {Compiled} */
const compileElements = (/** @type {Elements} */ elements, /** @type {string} */ id) => {
  const parts = elements.map((element) => {
    if (element.type === kinds.literal) return element.value
    if (element.type === kinds.argument || element.type === kinds.number) return { a: element.value }
    if (element.type === kinds.pound) return /** @type {const} */ (0)
    if (element.type !== kinds.select && element.type !== kinds.plural) throw new Error(`${id}: unsupported format`)
    const options = Object.fromEntries(
      Object.entries(element.options).map(([key, { value }]) => [key, compileElements(value, id)])
    )
    return element.type === kinds.plural ? { p: element.value, o: options } : { s: element.value, o: options }
  })
  return parts.every((part) => typeof part === "string") ? parts.join("") : parts
}

/** @returns {Compiled} */
export const compileMessage = (/** @type {string} */ text, /** @type {string} */ id) =>
  compileElements(new IntlMessageFormat(text, "en", undefined, { ignoreTag: true }).getAst(), id)

export const messagesFolder = path.join(import.meta.dirname, "messages")

/** The texts of a language by their ids: `leads.title` is `title` in `leads.json`. */
export const messagesOf = (/** @type {string} */ locale) => {
  const folder = path.join(messagesFolder, locale)
  /** @type {Record<string, string>} */
  const texts = {}
  for (const name of fs.readdirSync(folder).sort()) {
    /** @type {Record<string, string>} */
    const subject = JSON.parse(fs.readFileSync(path.join(folder, name), "utf8"))
    for (const [key, text] of Object.entries(subject)) texts[`${path.basename(name, ".json")}.${key}`] = text
  }
  return texts
}

const prefix = "virtual:messages/"

/** The subjects that the first view and the sign-in need. All others follow in a second module. */
const firstSubjects = new Set(["common", "leads", "meetings", "shell", "today", "values"])

const isFirst = (/** @type {string} */ id) => firstSubjects.has(id.slice(0, id.indexOf(".")))

/**
 * Makes two modules for each language, `virtual:messages/en/first` and `virtual:messages/en/others`, so that the page loads
 * only the language that it shows, and a first view only what it says.
 */
export const messages = () => ({
  name: "messages",
  // With filters, the bundler calls into JavaScript for these modules alone.
  resolveId: {
    filter: { id: /^virtual:messages\// },
    handler: (/** @type {string} */ id) => `\0${id}`
  },
  load: {
    filter: { id: /^\0virtual:messages\// },
    /** @this {{ addWatchFile: (file: string) => void }} */
    handler(/** @type {string} */ id) {
      const [locale = "", part] = id.slice(prefix.length + 1).split("/")
      for (const name of fs.readdirSync(path.join(messagesFolder, locale))) {
        this.addWatchFile(path.join(messagesFolder, locale, name))
      }
      const compiled = Object.fromEntries(
        Object.entries(messagesOf(locale))
          .filter(([key]) => isFirst(key) === (part === "first"))
          .map(([key, text]) => [key, compileMessage(text, `${locale} ${key}`)])
      )
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(compiled))})`
    }
  }
})
