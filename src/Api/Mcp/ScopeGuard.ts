import { Option } from "effect"
import { refused } from "../../Errors.ts"
import { allows, type Need, scopesNeeded, type TokenBounds } from "../../Services/Accounts/TokenBounds.ts"
import { challengeOf } from "../../Services/Mcp/AuthorizationAddresses.ts"
import type { Catalog } from "../../Tools/Core/Catalog.ts"
import type { Tool } from "../../Tools/Core/Tool.ts"
import { groupSlug } from "../SkillGuide.ts"
import { failureBody } from "./CatalogTools.ts"
import { codes, type Problem, problem } from "./Protocol.ts"
import { type CallScope, failed, type Outcome } from "./Toolbox.ts"

/** Tools that grant access. With them, a program could give itself more rights than its owner allowed. */
const ownersAlone: ReadonlySet<string> = new Set([
  "generate_mcp_token",
  "add_member",
  "update_member",
  "resend_member_welcome"
])

const ownerNeeded = (tool: string): Outcome =>
  failed(
    failureBody(
      refused(
        "owner_token_required",
        `${tool} lets others into the account, and the token of a program cannot do that.`,
        "Ask the owner to do it with a token of the account's own."
      ),
      ""
    )
  )

export interface ScopeGuard {
  /** The rights that a call of the tool requires. */
  readonly needOf: (group: string, tool: Pick<Tool<unknown>, "kind">) => Need
  readonly needOfTool: (name: string) => Need | undefined
  /** The error for a caller whose token lacks these rights; undefined if it has them. */
  readonly lack: (scope: CallScope, need: Need | undefined) => Problem | undefined
  /** The refusal for tools that no program's token may call. */
  readonly forOwners: (scope: CallScope, tool: string) => Outcome | undefined
}

/** Limits programs' tokens to the rights that their owner selected. */
export const makeScopeGuard = (catalog: Catalog<unknown>, baseUrl: string): ScopeGuard => {
  const slugs = new Map(catalog.groups.map(({ name }) => [name, groupSlug(name)]))
  const needOf: ScopeGuard["needOf"] = (group, { kind }) => {
    const slug = slugs.get(group)
    return slug === undefined ? { kind } : { kind, group: slug }
  }
  const needs = new Map(catalog.entries.map(({ group, tool }) => [tool.name, needOf(group, tool)]))
  return {
    needOf,
    needOfTool: (name) => needs.get(name),
    lack: ({ address, bounds }, need) => {
      if (bounds === undefined || need === undefined || allows(bounds, need)) return undefined
      const scopes = scopesNeeded(bounds, need)
      return {
        ...problem(403, codes.insufficientScope, "The token was not allowed this.", { required_scopes: scopes }),
        headers: { "WWW-Authenticate": challengeOf(baseUrl, address, { error: "insufficient_scope", scopes }) }
      }
    },
    forOwners: ({ bounds }, tool) =>
      bounds !== undefined && ownersAlone.has(tool) && Option.isSome(catalog.get(tool)) ? ownerNeeded(tool) : undefined
  }
}

/** The kinds of background jobs that a token may see: those of the groups that its owner selected. */
export const makeJobKinds = ({ groups }: Pick<Catalog<unknown>, "groups">) => {
  const owned = groups.map(({ jobs, name }) => ({ jobs, slug: groupSlug(name) }))
  return (bounds: TokenBounds | undefined): ReadonlyArray<string> | undefined =>
    bounds === undefined
      ? undefined
      : owned.flatMap(({ jobs, slug }) => (allows(bounds, { kind: "read", group: slug }) ? jobs : []))
}
