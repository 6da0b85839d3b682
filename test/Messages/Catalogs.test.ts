import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { IntlMessageFormat } from "intl-messageformat"
import {
  argumentsFile,
  argumentsModule,
  catalogsFile,
  catalogsModule,
  languages,
  messagesOf,
  usesIn
} from "../../lint/messages.js"

const root = path.resolve(import.meta.dirname, "../..")
const catalogs = languages.map((language) => ({ language, messages: messagesOf(root, language) }))

const textsOf = (message: string | ReadonlyArray<string>): ReadonlyArray<string> =>
  typeof message === "string" ? [message] : message

const sortedIds = (messages: ReadonlyMap<string, unknown>): ReadonlyArray<string> => [...messages.keys()].sort()

/** A value that no message has as its own words. */
const valueOf = (name: string): string => `<${name}>`

/** The options of each choice in the text, so that each combination of a choice with the others is rendered once. */
const choicesOf = (text: string): ReadonlyMap<string, ReadonlyArray<string>> => {
  const choices = new Map<string, ReadonlyArray<string>>()
  for (const [, name = "", type, options = ""] of text.matchAll(/\{(\w+), (select|plural),((?:[^{}]|\{[^{}]*\})*)/g)) {
    const keys = [...options.matchAll(/(=?\w+) \{/g)].flatMap(([, key]) => key ?? [])
    choices.set(name, type === "plural" ? ["0", "1", "2", "21"] : [...(choices.get(name) ?? []), ...keys])
  }
  return choices
}

/** The arguments of a message: each argument's own value, and each option of each choice in turn. */
const argumentSetsOf = (text: string): ReadonlyArray<Record<string, string | number>> => {
  const names = [...usesIn([text]).keys()]
  const plain = Object.fromEntries(
    names.map((name) => [name, usesIn([text]).get(name)?.isNumber === true ? 2 : valueOf(name)])
  )
  const sets = [...choicesOf(text)].flatMap(([name, options]) =>
    options.map((option) => ({ ...plain, [name]: option }))
  )
  return [plain, ...sets]
}

const rendered = (text: string, language: string, values: Record<string, string | number>): string =>
  String(new IntlMessageFormat(text, language, undefined, { ignoreTag: true }).format(values))

describe("Message catalogs", () => {
  it("have the same messages in each language, with as many ways to say each", () => {
    const [first] = catalogs
    assert.isDefined(first)
    for (const { language, messages } of catalogs) {
      assert.deepStrictEqual(sortedIds(messages), sortedIds(first.messages), language)
      for (const [id, message] of messages) {
        assert.strictEqual(Array.isArray(message), Array.isArray(first.messages.get(id)), `${language} ${id}`)
        assert.isAbove(textsOf(message).length, 0, `${language} ${id}`)
      }
    }
  })

  it("print the same arguments in each language", () => {
    for (const id of sortedIds(catalogs[0]?.messages ?? new Map())) {
      const printed = catalogs.map(({ messages }) =>
        [...usesIn(textsOf(messages.get(id) ?? []))]
          .flatMap(([name, { isNumber, isPrinted }]) => (isPrinted || isNumber ? [name] : []))
          .sort()
      )
      for (const names of printed) assert.deepStrictEqual(names, printed[0], id)
    }
  })

  it("have no argument that some of the texts lack where it may be absent only in others", () => {
    for (const { language, messages } of catalogs) {
      for (const [id, message] of messages) {
        for (const text of textsOf(message)) {
          for (const [name, use] of usesIn([text])) {
            if (!use.mayBeAbsent) continue
            assert.notInclude(rendered(text, language, { ...argumentSetsOf(text)[0], [name]: "none" }), "none", `${id}`)
          }
        }
      }
    }
  })

  it("can be rendered with every option of every choice, to whole sentences", () => {
    for (const { language, messages } of catalogs) {
      for (const [id, message] of messages) {
        for (const text of textsOf(message)) {
          for (const values of argumentSetsOf(text)) {
            const sentence = rendered(text, language, values)
            const where = `${language} ${id}: ${sentence}`
            assert.notMatch(sentence, /[{}]|undefined|null| {2}| [,.!?]|\?\?|\.\.(?!\.)|^\s|\s$/, where)
            assert.isNotEmpty(sentence, where)
          }
        }
      }
    }
  })

  it("ask at most one question in a text", () => {
    for (const { language, messages } of catalogs) {
      for (const [id, message] of messages) {
        for (const text of textsOf(message)) {
          for (const values of argumentSetsOf(text)) {
            const sentence = rendered(text, language, values)
            assert.isAtMost(sentence.split("?").length - 1, 1, `${language} ${id}: ${sentence}`)
          }
        }
      }
    }
  })

  it("are what the compiler checks calls against: run npm run messages after a change", () => {
    const fileText = (file: string): string => fs.readFileSync(path.join(root, file), "utf8").replace(/\s+/g, " ")
    const plain = (text: string): string => text.replace(/[\s;]+/g, " ")
    assert.strictEqual(plain(fileText(catalogsFile)), plain(catalogsModule(root)))
    assert.strictEqual(plain(fileText(argumentsFile)), plain(argumentsModule(root)))
  })
})
