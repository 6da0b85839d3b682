import { Effect, Option, Schema } from "effect"
import type { Catalog } from "../../src/Tools/Core/Catalog.ts"
import { callTool } from "./TestAccount.ts"

/** Calls a tool and checks its answer against the schema that the catalog publishes. */
export const answerOf = <R>(catalog: Catalog<R>, name: string, args: object = {}) =>
  Effect.tap(callTool(catalog, name, args), (answer) => {
    const tool = Option.getOrThrow(catalog.get(name))
    return Schema.decodeUnknown(tool.returns, { onExcessProperty: "error" })(answer)
  })
