import { Context } from "effect"

interface NamedGroup {
  readonly slug: string
  readonly name: string
}

/** The groups of the catalog, by their names in addresses and scopes. */
export class ToolGroups extends Context.Reference<ToolGroups>()("ToolGroups", {
  defaultValue: (): ReadonlyArray<NamedGroup> => []
}) {}
