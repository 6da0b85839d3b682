import { Effect, Schema } from "effect"
import { Refused } from "../../Errors.ts"
import { AccessTokenId } from "../../Services/Accounts/Ids.ts"
import {
  cursorText,
  LoggedRequestView,
  RequestErrors,
  RequestTrail,
  requestCursor,
  requestDays
} from "../../Services/Accounts/RequestTrail.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

const narrowing = {
  since: Param.optional(Param.instant("Only requests from this time on.")),
  until: Param.optional(Param.inclusiveUpperBound("Only requests up to this time.")),
  tool: Param.optional(Param.text("Only calls of this tool.", { maxLength: 100 })),
  token_id: Param.optional(Param.id(AccessTokenId, "Only requests with this token."))
}

const listRequests = Tool.make("list_requests", {
  kind: "read",
  openWorld: false,
  description: `Lists the account's requests of the last ${requestDays} days, newest first: time, token, route, tool, status, reason and duration. Of arguments it has the names, and values of ids, enumerations, numbers and booleans. A request is listed about a second after its answer.`,
  parameters: {
    ...narrowing,
    only_failed: Param.withDefault(Param.boolean("Only requests that failed."), false),
    reason: Param.optional(Param.text("Only requests that failed for this reason.", { maxLength: 100 })),
    cursor: Param.optional(
      Param.text("Continues a list: next_cursor of the answer before.", { maxLength: 40, minLength: 1 })
    ),
    limit: Param.size("Requests per answer. More than 200 is lowered to 200.", { default: 30, maximum: 200 })
  },
  returns: Schema.Struct({
    requests: Schema.Array(LoggedRequestView),
    next_cursor: Schema.NullOr(Schema.String).annotations({ description: "Null at the end of the list." }),
    limit: Schema.Int
  }),
  errors: { Refused: ["cursor_invalid"] },
  example: { limit: 20 },
  run: Effect.fnUntraced(function* ({ cursor, limit, only_failed, token_id, ...filter }) {
    const requests = yield* RequestTrail
    const before = cursor === undefined ? undefined : requestCursor(cursor)
    if (before instanceof Refused) return yield* before
    const page = yield* requests.list({ ...filter, tokenId: token_id, onlyFailed: only_failed }, { limit, before })
    return {
      requests: page.requests,
      next_cursor: page.next === undefined ? null : cursorText(page.next),
      limit
    }
  })
})

const getRequest = Tool.make("get_request", {
  kind: "read",
  openWorld: false,
  description: `Finds a request of the last ${requestDays} days by its id, which the answer had in X-Request-Id. Callers may choose their ids, so there may be several.`,
  parameters: { request_id: Param.text("The id, as X-Request-Id or list_requests has it.", { maxLength: 128 }) },
  returns: Schema.Struct({ requests: Schema.Array(LoggedRequestView) }),
  errors: { NotFound: ["request_not_found"] },
  example: { request_id: "example-request" },
  run: Effect.fnUntraced(function* ({ request_id }) {
    const requests = yield* RequestTrail
    return { requests: yield* requests.get(request_id) }
  })
})

const listRequestErrors = Tool.make("list_request_errors", {
  kind: "read",
  openWorld: false,
  description: `Groups the account's failed requests of the last ${requestDays} days by tool and reason, the most frequent first, each with its count, its first and its last.`,
  parameters: {
    ...narrowing,
    limit: Param.size("Groups per answer. More than 200 is lowered to 200.", { default: 50, maximum: 200 })
  },
  returns: Schema.Struct({ errors: Schema.Array(RequestErrors), limit: Schema.Int }),
  example: { limit: 20 },
  run: Effect.fnUntraced(function* ({ limit, token_id, ...filter }) {
    const requests = yield* RequestTrail
    return { errors: yield* requests.errors({ ...filter, tokenId: token_id }, limit), limit }
  })
})

/** The tools of the log of requests. */
export const platformRequests = [listRequests, getRequest, listRequestErrors] as const
