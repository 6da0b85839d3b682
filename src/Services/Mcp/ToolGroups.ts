import { Context } from "effect"

interface NamedGroup {
  readonly slug: string
  readonly name: string
}

/** The groups of the catalog, by the names that addresses and scopes give them. */
export class ToolGroups extends Context.Reference<ToolGroups>()("ToolGroups", {
  defaultValue: (): ReadonlyArray<NamedGroup> => []
}) {}
