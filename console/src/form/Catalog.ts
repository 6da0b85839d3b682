import { useQuery } from "@tanstack/react-query"
import { send } from "../calls/Call.ts"
import { catalogOf } from "../calls/Tools.ts"
import type { Parameter } from "./Schema.ts"

export interface ToolDocument {
  readonly name: string
  readonly group: string
  readonly description: string
  readonly kind: "read" | "write" | "destructive"
  readonly parameters: ReadonlyArray<Parameter>
  readonly requires_paid_plan: boolean
  readonly runs_in_background: boolean
  readonly open_world: boolean
  /** JSON Schema of the answer. */
  readonly output_schema: Readonly<Record<string, unknown>>
  /** The reasons of its errors, by the error's type. */
  readonly reasons: Readonly<Record<string, ReadonlyArray<string>>>
  readonly routes: { readonly post: string }
}

interface CatalogDocument {
  readonly tools: ReadonlyArray<ToolDocument>
}

/** The catalog is read once, when the explorer is opened. */
export const catalogQuery = (route: "rest" | "platform") => ({
  queryKey: ["catalog", route],
  queryFn: async () => (await send<CatalogDocument>("GET", `/console/api/${route}/v1/tools`)).tools,
  staleTime: Number.POSITIVE_INFINITY
})

/** Reads the parameters and the answer of one tool. The whole catalog is hundreds of times as long. */
export const useToolDocument = (tool: string) =>
  useQuery({
    queryKey: ["catalog", catalogOf(tool), tool],
    queryFn: async ({ signal }) =>
      await send<ToolDocument>("GET", `/console/api/${catalogOf(tool)}/v1/tools/${tool}`, undefined, { signal }),
    staleTime: Number.POSITIVE_INFINITY
  })
