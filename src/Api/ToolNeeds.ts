import { type Refused, type RequestRefused, refused, scopeRequired } from "../Errors.ts"
import { allows, missingScopes, type Need, type TokenBounds } from "../Services/Accounts/Tokens/TokenBounds.ts"
import type { Catalog } from "../Tools/Core/Catalog.ts"
import type { Tool } from "../Tools/Core/Tool.ts"
import { groupSlug } from "./SkillGuide.ts"

/**
 * Tools that grant access or change the rights of tokens. A token that could call them might get more rights than it
 * was given.
 */
const ownersAlone: ReadonlySet<string> = new Set([
  "generate_mcp_token",
  "create_token",
  "update_token",
  "rotate_token",
  "adopt_token",
  "add_member",
  "update_member",
  "resend_member_welcome"
])

const ownerNeeded = (tool: string): Refused =>
  refused(
    "owner_token_required",
    `${tool} lets others into the account, and a token with scopes cannot do that.`,
    "Ask the owner to do it with a token that has no scopes."
  )

/** The rights that calls of tools need. */
export interface ToolNeeds {
  readonly needOf: (group: string, tool: Pick<Tool<unknown>, "kind" | "name">) => Need
  readonly needOfTool: (name: string) => Need | undefined
  /** The refusal of a tool that a limited token may not call. */
  readonly forOwners: (bounds: TokenBounds | undefined, tool: string) => Refused | undefined
  /** Returns why a token with these limits may not call the tool. Undefined if it may. */
  readonly refusalOf: (bounds: TokenBounds | undefined, tool: string) => Refused | RequestRefused | undefined
  /** The kinds of background jobs that a token with these bounds may see: those of groups that it may read. */
  readonly jobKindsOf: (bounds: TokenBounds | undefined) => ReadonlyArray<string> | undefined
}

export const makeToolNeeds = (...catalogs: ReadonlyArray<Catalog<unknown>>): ToolNeeds => {
  const groups = catalogs.flatMap((catalog) => catalog.groups)
  const slugs = new Map(groups.map(({ name }) => [name, groupSlug(name)]))
  const needOf: ToolNeeds["needOf"] = (group, { kind, name }) => {
    const slug = slugs.get(group)
    return slug === undefined ? { kind, tool: name } : { kind, group: slug, tool: name }
  }
  const needs = new Map(
    catalogs.flatMap(({ entries }) => entries.map(({ group, tool }) => [tool.name, needOf(group, tool)] as const))
  )
  const jobs = groups.map(({ jobs: kinds, name }) => ({ kinds, slug: groupSlug(name) }))
  const forOwners: ToolNeeds["forOwners"] = (bounds, tool) =>
    bounds !== undefined && ownersAlone.has(tool) && needs.has(tool) ? ownerNeeded(tool) : undefined
  return {
    needOf,
    needOfTool: (name) => needs.get(name),
    forOwners,
    refusalOf: (bounds, tool) => {
      const need = needs.get(tool)
      if (bounds === undefined || need === undefined) return undefined
      const missing = missingScopes(bounds, need)
      return missing.length === 0 ? forOwners(bounds, tool) : scopeRequired(tool, missing)
    },
    jobKindsOf: (bounds) =>
      bounds === undefined
        ? undefined
        : jobs.flatMap(({ kinds, slug }) => (allows(bounds, { kind: "read", group: slug }) ? kinds : []))
  }
}
