import { Effect, Schema } from "effect"
import { notFound, permanent, refused, transient } from "../../../src/Errors.ts"
import * as Catalog from "../../../src/Tools/Core/Catalog.ts"
import * as Param from "../../../src/Tools/Core/Param.ts"
import * as Tool from "../../../src/Tools/Core/Tool.ts"

const Nothing = Schema.Struct({})

const base = {
  description: "Fails on purpose.",
  parameters: {},
  returns: Nothing,
  openWorld: false,
  example: {}
} as const

const marker = "prospect@example.com"

/** One tool for each way in which a call can end. The defect contains text that must never be shown. */
export const FaultTools = Catalog.make([
  Tool.group("Faults", "Tools that fail.", [
    Tool.make("fail_not_found", {
      ...base,
      kind: "read",
      errors: { NotFound: ["lead_not_found"] },
      run: () => Effect.fail(notFound("lead", "lead_id", 7))
    }),
    Tool.make("fail_refused", {
      ...base,
      kind: "read",
      errors: { Refused: ["lead_unsubscribed"] },
      run: () =>
        Effect.fail(refused("lead_unsubscribed", "The lead unsubscribed.", "Use another channel.", { lead_id: 7 }))
    }),
    Tool.make("fail_plan", { ...base, kind: "read", requiresPaidPlan: true, run: () => Effect.succeed({}) }),
    Tool.make("fail_transient", {
      ...base,
      kind: "read",
      errors: { Transient: ["crm_unavailable"] },
      run: () => Effect.fail(transient("crm_unavailable", "The CRM does not answer.", 7))
    }),
    Tool.make("fail_permanent", {
      ...base,
      kind: "read",
      errors: { Permanent: ["file_unreadable"] },
      run: () => Effect.fail(permanent("file_unreadable", "The file cannot be read.", "Upload another."))
    }),
    Tool.make("fail_defect", {
      ...base,
      kind: "read",
      run: () => Effect.die(new Error(`select * from lead where email = '${marker}'`))
    }),
    Tool.make("write_something", {
      ...base,
      kind: "write",
      idempotent: true,
      parameters: {
        name: Param.text("A required text.", { maxLength: 10 }),
        count: Param.optional(Param.integer("An optional integer.", { minimum: 1, maximum: 5 })),
        page: Param.pages().page
      },
      returns: Schema.Struct({ name: Schema.String, count: Schema.NullOr(Schema.Int), page: Schema.Int }),
      example: { name: "x" },
      run: ({ count, name, page }) => Effect.succeed({ name, count: count ?? null, page })
    })
  ])
])

export const secretOfDefect = marker
