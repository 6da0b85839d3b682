import { assert, describe, it } from "@effect/vitest"
import type { ProviderModel } from "../../src/Services/Core/Outside/ProviderModels.ts"
import { judgeModels } from "../../src/Services/Support/ModelWatch.ts"

const now = Date.parse("2026-11-26T12:00:00Z")
const model: ProviderModel = {
  service: "images",
  model: "painter-1",
  status: "available",
  shutdown_date: null,
  checked_at: null
}
const judgementsOf = (changes: Partial<ProviderModel>, open: ReadonlyArray<string> = []) =>
  judgeModels([{ ...model, ...changes }], new Set(open), now).map((one) =>
    one._tag === "Trouble" ? `+${one.trouble.key} ${one.trouble.impact}` : `-${one.key}`
  )

describe("what is noticed of a provider's model", () => {
  const goneKey = "model:gone:images:painter-1"
  const endingKey = "model:ending:images:painter-1"

  it.each<readonly [string, Partial<ProviderModel>, ReadonlyArray<string>]>([
    ["nothing yet", { status: "unchecked" }, []],
    ["that it is available", {}, [`-${goneKey}`, `-${endingKey}`]],
    ["that it is gone", { status: "gone" }, [`+${goneKey} outage`]],
    ["an end in 61 days", { status: "ending", shutdown_date: "2027-01-26" }, [`-${goneKey}`]],
    [
      "an end in 60 days",
      { status: "ending", shutdown_date: "2027-01-25" },
      [`-${goneKey}`, `+${endingKey} instability`]
    ],
    [
      "an end that has passed",
      { status: "ending", shutdown_date: "2026-10-23" },
      [`-${goneKey}`, `+${endingKey} instability`]
    ]
  ])("%s", (_, changes, expected) => assert.deepStrictEqual(judgementsOf(changes), expected))

  it("ends the incident of a model that another one has replaced, and no other incident", () => {
    const open = ["model:gone:images:painter-0", "mail:failing"]
    assert.deepStrictEqual(judgementsOf({}, open), [`-${goneKey}`, `-${endingKey}`, "-model:gone:images:painter-0"])
  })
})
