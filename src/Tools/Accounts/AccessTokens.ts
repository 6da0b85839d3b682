import { Effect, Option, Schema } from "effect"
import { AccessTokenId } from "../../Services/Accounts/Ids.ts"
import { AccessTokens, AccessTokenView } from "../../Services/Accounts/Tokens/AccessTokens.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

const generateMcpToken = Tool.make("generate_mcp_token", {
  kind: "write",
  idempotent: false,
  openWorld: false,
  answersSecret: true,
  description:
    "Creates an access token that acts as this account, for this gateway and for the agent protocol. It ends no later than the token of this call, and a person confirms with it what is confirmed with that one. The value is in this answer only: it cannot be shown again.",
  parameters: {
    label: Param.optional(Param.text("What the token is for, to tell tokens apart later.", { maxLength: 100 }))
  },
  returns: Schema.Struct({
    ...AccessTokenView.fields,
    token: Schema.String.annotations({ description: "The value to send as a bearer token. Shown this once." })
  }),
  errors: { Refused: ["too_many_tokens", "token_ended"] },
  example: { label: "Nightly report" },
  run: Effect.fnUntraced(function* ({ label }) {
    const tokens = yield* AccessTokens
    const { token, view } = yield* tokens.generate({ label, expiresAt: Option.none() })
    return { ...view, token }
  })
})

const listMcpTokens = Tool.make("list_mcp_tokens", {
  kind: "read",
  openWorld: false,
  description:
    "Lists the account's access tokens, who made each and when it was last used, revoked ones included. Values are never shown.",
  parameters: {},
  returns: Schema.Struct({ tokens: Schema.Array(AccessTokenView) }),
  example: {},
  run: Effect.fnUntraced(function* () {
    const tokens = yield* AccessTokens
    return { tokens: yield* tokens.list }
  })
})

const revokeMcpToken = Tool.make("revoke_mcp_token", {
  kind: "destructive",
  idempotent: true,
  openWorld: false,
  description:
    "Revokes an access token for good, from the next request on, with the programs that were let in with it. Revoking the token of this very call ends the caller's own access.",
  parameters: { token_id: Param.id(AccessTokenId, "The token, as list_mcp_tokens names it.") },
  returns: AccessTokenView,
  errors: { NotFound: ["access_token_not_found"] },
  transaction: "unneeded",
  example: { token_id: 2 },
  run: Tool.via(AccessTokens, (tokens, { token_id }) => tokens.revoke(token_id))
})

export const AccessTokensGroup = Tool.group(
  "Access tokens",
  "Tokens that let programs and agents act as this account.",
  [generateMcpToken, listMcpTokens, revokeMcpToken]
)
