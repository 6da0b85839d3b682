import { Effect, Schema } from "effect"
import { AccessTokenId } from "../../Services/Accounts/Ids.ts"
import { ManagedTokens, ManagedTokenView, mostAddressRanges } from "../../Services/Accounts/Tokens/ManagedTokens.ts"
import { confirmations } from "../../Services/Accounts/Tokens/TokenBounds.ts"
import type { Timestamp } from "../../Services/Core/Timestamp.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

const ShownToken = Schema.Struct({
  ...ManagedTokenView.fields,
  token: Schema.String.annotations({ description: "The secret to send as a bearer token. It is shown this once." })
})

const tokenId = Param.id(AccessTokenId, "The token, as list_tokens names it.")

const label = Param.optional(Param.text("What the token is for.", { maxLength: 100 }))

const limits = {
  scopes: Param.optional(
    Param.words(
      "What the token may do, separated by commas: read, write, destructive, groups of tools, and tool:NAME for a single tool. Groups narrow the kinds. Empty means everything."
    )
  ),
  expires_at: Param.optional(Param.instant("When the token ends. It does not end by itself unless this is given.")),
  address_ranges: Param.optional(
    Param.words(
      `Up to ${mostAddressRanges} addresses or networks that the token may be used from, such as 203.0.113.0/24. Empty means everywhere.`
    )
  ),
  calls_per_minute: Param.optional(
    Param.integer("The token's own rate limit. With 0 only the limits of the gateway apply.", {
      minimum: 0,
      maximum: 1_000_000
    })
  ),
  confirmation: Param.optional(Param.oneOf(confirmations, "Whether a person confirms destructive calls."))
}

const limitsOf = (args: {
  readonly scopes: ReadonlyArray<string> | undefined
  readonly expires_at: Timestamp | undefined
  readonly address_ranges: ReadonlyArray<string> | undefined
  readonly calls_per_minute: number | undefined
  readonly confirmation: (typeof confirmations)[number] | undefined
}) => ({
  scopes: args.scopes,
  expiresAt: args.expires_at,
  addressRanges: args.address_ranges,
  callsPerMinute: args.calls_per_minute,
  confirmation: args.confirmation
})

const limitRefusals = [
  "address_range_invalid",
  "expires_in_past",
  "scope_unknown",
  "scopes_allow_nothing",
  "token_ended",
  "token_exceeds_caller",
  "too_many_address_ranges",
  "too_many_scopes"
] as const

const tokenSettings = (tokenId: AccessTokenId) =>
  Effect.flatMap(ManagedTokens, ({ list }) =>
    Effect.map(list, (tokens) => tokens.find(({ token_id }) => token_id === tokenId) ?? {})
  )

const createToken = Tool.make("create_token", {
  kind: "write",
  idempotent: false,
  openWorld: false,
  answersSecret: true,
  description:
    "Makes an access token with limits: scopes, an end, networks and a rate limit. It is limited at least as much as the token of this call. The secret is in this answer only.",
  parameters: { label, ...limits },
  returns: ShownToken,
  errors: { Refused: [...limitRefusals, "too_many_tokens"] },
  example: { label: "Reports", scopes: "read,reports", address_ranges: "203.0.113.0/24", calls_per_minute: 60 },
  run: Effect.fnUntraced(function* (args) {
    const tokens = yield* ManagedTokens
    const { token, view } = yield* tokens.create(args.label, limitsOf(args))
    return { ...view, token }
  })
})

const listTokens = Tool.make("list_tokens", {
  kind: "read",
  openWorld: false,
  description:
    "Lists the account's access tokens with their limits and their last use, revoked ones included. Secrets are never shown.",
  parameters: {},
  returns: Schema.Struct({ tokens: Schema.Array(ManagedTokenView) }),
  example: {},
  run: Effect.fnUntraced(function* () {
    const tokens = yield* ManagedTokens
    return { tokens: yield* tokens.list }
  })
})

const updateToken = Tool.make("update_token", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Changes the label and the limits of an access token, from the next call on. What is left out stays. A token that a person gave to a program cannot be changed.",
  parameters: { token_id: tokenId, label, ...limits },
  returns: ManagedTokenView,
  errors: { NotFound: ["access_token_not_found"], Refused: [...limitRefusals, "token_of_program"] },
  settings: ({ token_id }) => tokenSettings(token_id),
  example: { token_id: 2, calls_per_minute: 60 },
  run: Effect.fnUntraced(function* ({ token_id, ...args }) {
    const tokens = yield* ManagedTokens
    return yield* tokens.update(token_id, args.label, limitsOf(args))
  })
})

const longestOverlapHours = 7 * 24

const rotateToken = Tool.make("rotate_token", {
  kind: "destructive",
  idempotent: false,
  openWorld: false,
  answersSecret: true,
  description:
    "Gives an access token a new secret, which is in this answer only. The present secret works for the stated hours too, so that programs can change over. An older secret ends at once.",
  parameters: {
    token_id: tokenId,
    overlap_hours: Param.withDefault(
      Param.integer("For how many hours the present secret works too. With 0 it ends at once.", {
        minimum: 0,
        maximum: longestOverlapHours
      }),
      24
    )
  },
  returns: ShownToken,
  errors: {
    NotFound: ["access_token_not_found"],
    Refused: ["token_ended", "token_exceeds_caller", "token_of_program"]
  },
  settings: ({ token_id }) => tokenSettings(token_id),
  example: { token_id: 2, overlap_hours: 24 },
  run: Effect.fnUntraced(function* ({ overlap_hours, token_id }) {
    const tokens = yield* ManagedTokens
    const { token, view } = yield* tokens.rotate(token_id, overlap_hours * 3600)
    return { ...view, token }
  })
})

const adoptToken = Tool.make("adopt_token", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Makes a token of a member the owner's, so that it still works when the member is removed. Only a token that no member made can do this.",
  parameters: { token_id: tokenId },
  returns: ManagedTokenView,
  errors: {
    NotFound: ["access_token_not_found"],
    Refused: ["owner_token_required", "token_ended", "token_exceeds_caller", "token_of_program"]
  },
  settings: ({ token_id }) => tokenSettings(token_id),
  example: { token_id: 2 },
  run: Tool.via(ManagedTokens, (tokens, { token_id }) => tokens.adopt(token_id))
})

/** The tools for managing access tokens. */
export const platformTokens = [createToken, listTokens, updateToken, rotateToken, adoptToken] as const
