import { Context } from "effect"
import { kindScopes, toolOfScope } from "./TokenBounds.ts"

/** What scopes of tokens may name: groups of tools, as addresses name them, and tools. */
export class KnownScopes extends Context.Reference<KnownScopes>()("KnownScopes", {
  defaultValue: (): { readonly groups: ReadonlySet<string>; readonly tools: ReadonlySet<string> } => ({
    groups: new Set(),
    tools: new Set()
  })
}) {}

/** The first scope that names nothing. */
export const unknownScope = (
  scopes: ReadonlyArray<string>,
  { groups, tools }: KnownScopes["Type"]
): string | undefined =>
  scopes.find((scope) => {
    const tool = toolOfScope(scope)
    return tool === undefined ? !groups.has(scope) && !kindScopes.some((kind) => kind === scope) : !tools.has(tool)
  })

/** Whether the scopes allow anything: groups alone allow no kind of tool. */
export const allowSomething = (scopes: ReadonlyArray<string>): boolean =>
  scopes.some((scope) => toolOfScope(scope) !== undefined || kindScopes.some((kind) => kind === scope))
