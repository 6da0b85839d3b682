import { assert, it } from "@effect/vitest"
import { notFound, refused, transient } from "../../src/Errors.ts"
import { lists } from "../../src/Tools/Core/Tool.ts"
import { FaultTools } from "../support/checks/FaultTools.ts"

const [failNotFound] = FaultTools.entries.flatMap(({ tool }) => (tool.name === "fail_not_found" ? [tool] : []))

it("a tool lists its own reasons and those of every tool, each with its type of error", () => {
  assert(failNotFound !== undefined)
  assert.isTrue(lists(failNotFound, notFound("lead", "lead_id", 7)))
  assert.isTrue(lists(failNotFound, transient("database_unavailable", "The database is not available.")))
  assert.isFalse(lists(failNotFound, notFound("campaign", "campaign_id", 7)))
  assert.isFalse(lists(failNotFound, refused("lead_not_found", "There is no such lead.", "Check lead_id.")))
})
