import { assert, describe, it } from "@effect/vitest"
import { AllTools } from "../../src/Tools/AllTools.ts"
import { agreedTools } from "./agreedCatalog.ts"

const agreed = new Map(agreedTools.map(({ idempotent, name, open_world }) => [name, { idempotent, open_world }]))

describe("what a host may take for granted", () => {
  for (const { tool } of AllTools.entries) {
    it(`of ${tool.name} is what was agreed`, () => {
      assert.deepStrictEqual({ idempotent: tool.idempotent, open_world: tool.openWorld }, agreed.get(tool.name))
    })
  }

  it("is that reads can be repeated", () => {
    assert.deepStrictEqual(
      AllTools.entries.filter(({ tool }) => tool.kind === "read" && !tool.idempotent),
      []
    )
  })
})
