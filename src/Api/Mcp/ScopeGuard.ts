import { allows, type Need, scopesNeeded } from "../../Services/Accounts/Tokens/TokenBounds.ts"
import { challengeOf } from "../../Services/Mcp/AuthorizationAddresses.ts"
import type { ToolNeeds } from "../ToolNeeds.ts"
import { failedBy } from "./CatalogTools.ts"
import { codes, type Problem, problem } from "./Protocol.ts"
import type { CallScope, Outcome } from "./Toolbox.ts"

export interface ScopeGuard extends Pick<ToolNeeds, "needOf" | "needOfTool"> {
  /** Returns the error for a caller whose token lacks these rights. Undefined if it has them. */
  readonly lack: (scope: CallScope, need: Need | undefined) => Problem | undefined
  /** The refusal for tools that no token with scopes may call. */
  readonly forOwners: (scope: CallScope, tool: string) => Outcome | undefined
}

/** Limits tokens to the rights that their owner selected. */
export const makeScopeGuard = (needs: ToolNeeds, baseUrl: string): ScopeGuard => ({
  needOf: needs.needOf,
  needOfTool: needs.needOfTool,
  lack: ({ address, bounds }, need) => {
    if (bounds === undefined || need === undefined || allows(bounds, need)) return undefined
    const scopes = scopesNeeded(bounds, need)
    return {
      ...problem(403, codes.insufficientScope, "The token was not allowed this.", { required_scopes: scopes }),
      headers: { "WWW-Authenticate": challengeOf(baseUrl, address, { error: "insufficient_scope", scopes }) }
    }
  },
  forOwners: ({ bounds }, tool) => {
    const refusal = needs.forOwners(bounds, tool)
    return refusal === undefined ? undefined : failedBy(refusal)
  }
})
