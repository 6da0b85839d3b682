import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { AllTools } from "../../src/Tools/AllTools.ts"

/**
 * What is agreed of every tool, those still to be built among them: whether the same call once more changes nothing
 * further, and whether the call, or the job that it starts, reaches services outside the gateway. Hosts decide by it what
 * they repeat and what they ask a person about, so a change here is a change of the contract.
 */
const agreed = Schema.decodeUnknownSync(
  Schema.parseJson(
    Schema.Record({
      key: Schema.String,
      value: Schema.Struct({ idempotent: Schema.Boolean, open_world: Schema.Boolean })
    })
  )
)(readFileSync(new URL("agreedHints.json", import.meta.url), "utf8"))

const Names = Schema.parseJson(Schema.Struct({ tools: Schema.Array(Schema.Struct({ name: Schema.String })) }))
const { tools } = Schema.decodeUnknownSync(Names)(readFileSync(new URL("agreedCatalog.json", import.meta.url), "utf8"))

describe("what a host may take for granted", () => {
  it("is agreed for every tool of the catalog and no other", () => {
    assert.deepStrictEqual(Object.keys(agreed), tools.map(({ name }) => name).toSorted())
  })

  for (const { tool } of AllTools.entries) {
    it(`of ${tool.name} is what was agreed`, () => {
      assert.deepStrictEqual({ idempotent: tool.idempotent, open_world: tool.openWorld }, agreed[tool.name])
    })
  }

  it("is that reads can be repeated", () => {
    assert.deepStrictEqual(
      AllTools.entries.filter(({ tool }) => tool.kind === "read" && !tool.idempotent),
      []
    )
  })
})
