import { readdirSync, readFileSync } from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"

const source = path.resolve(import.meta.dirname, "../../src")

const files = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => readFileSync(path.join(source, file), "utf8"))

const references = files.flatMap((text) =>
  [...text.matchAll(/class (\w+) extends Context\.Reference</g)].map(([, name = ""]) => name)
)

/** References whose default is a complete value: times, prices, limits and generators that only tests replace. */
const completeDefaults: ReadonlyArray<string> = [
  "ChatAppTiming",
  "DelimiterWord",
  "DocumentLimits",
  "EngineSchema",
  "ImapTiming",
  "KeyPairs",
  "MailParserLimits",
  "SessionTime",
  "SmtpChecks",
  "SmtpTiming",
  "TouchLoopTiming",
  "VideoPolling",
  "VoiceTiming"
]

const isProvided = (name: string): boolean => {
  const provides = new RegExp(
    `(?:Layer\\.\\w+|Context\\.(?:make|add)|provideService)\\(\\s*(?:[\\w.]+,\\s*)?${name}\\b|${name}(?:: |, )?\\.context`
  )
  return files.some((text) => provides.test(text))
}

describe("a service with a default", () => {
  it("is one of those that are found in the sources", () => {
    assert.isAtLeast(references.length, 20)
    assert.includeMembers([...references], [...completeDefaults])
  })

  // Without its layer, such a service would silently do nothing.
  for (const name of references.filter((each) => !completeDefaults.includes(each))) {
    it(`is provided by the gateway unless its default is complete: ${name}`, () => {
      assert.isTrue(isProvided(name), `${name} is provided nowhere in src`)
    })
  }
})
