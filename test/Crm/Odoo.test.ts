import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { stateOf } from "../../src/Layers/Crm/Adapters/Odoo/OdooRecords.ts"
import { at, textAt } from "../../src/Layers/Crm/Calling/JsonPath.ts"
import type { SimulatedStore } from "../../src/Layers/Crm/sandbox/CrmSandbox.ts"
import { odooSandbox } from "../../src/Layers/Crm/sandbox/OdooSandbox.ts"

const store: SimulatedStore = {
  insert: () => Effect.succeed("7"),
  get: () => Effect.succeed(undefined),
  list: () => Effect.succeed([]),
  put: () => Effect.void,
  now: Effect.succeed(0)
}

/** What the simulated server answers to a call that creates a contact. */
const created = (positional: ReadonlyArray<unknown>, named: object) => {
  const args = ["db", 2, "sandbox-one", "res.partner", "create", positional, named]
  const body = { jsonrpc: "2.0", method: "call", id: 1, params: { service: "object", method: "execute_kw", args } }
  const request = {
    method: "POST",
    host: "crm.example",
    path: "/jsonrpc",
    query: new URLSearchParams(),
    headers: {},
    body
  }
  return Effect.map(odooSandbox.answer(request, store), ({ body: answer }) => answer)
}

describe("Odoo up to version 18", () => {
  it.effect("takes the values of new records by their position, and answers IndexError to a name", () =>
    Effect.gen(function* () {
      const values = [{ name: "Ana", is_company: false }]
      assert.deepStrictEqual(at(yield* created([values], {}), "result"), [7])
      assert.strictEqual(
        textAt(yield* created([], { vals_list: values }), "error", "data", "name"),
        "builtins.IndexError"
      )
    })
  )

  it("has an archived opportunity as open while it has a chance, and as lost without one", () => {
    assert.strictEqual(stateOf({ active: false, probability: 20 }), "open")
    assert.strictEqual(stateOf({ active: false, probability: 0 }), "lost")
    assert.strictEqual(stateOf({ active: true, probability: 0 }), "open")
    assert.strictEqual(stateOf({ active: true, probability: 100 }), "won")
  })
})
