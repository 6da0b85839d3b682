import type { Clock } from "effect"
import type { Answer } from "../../../Api.ts"
import type { TokenHolder } from "../../../Services/Accounts/Tokens/AccessTokens.ts"
import type { LoggedArguments, RequestLog } from "../../../Services/Core/RequestLog.ts"

const noArguments: LoggedArguments = { names: [], values: {} }

/** An answered request, as the log of requests stores it. */
export interface AnsweredRequest {
  /** Undefined if the request was refused before its token was checked. */
  readonly holder: TokenHolder | undefined
  readonly requestId: string
  /** The method and the route, such as `POST /rest/v1/tools/{name}`. */
  readonly route: string
  /** Unix milliseconds. */
  readonly startedAt: number
  readonly tool?: string | undefined
  readonly arguments?: LoggedArguments | undefined
}

/** Records a request with its answer. A request whose token was refused belongs to no account. */
export const recordRequest = (
  { clock, requests }: { readonly clock: Clock.Clock; readonly requests: RequestLog["Type"] },
  { arguments: args = noArguments, holder, requestId, route, startedAt, tool }: AnsweredRequest,
  { reason, status }: Pick<Answer, "reason" | "status">
): void => {
  if (holder === undefined || status === 401) return
  const at = clock.unsafeCurrentTimeMillis()
  requests.record({
    at,
    accountId: holder.accountId,
    tokenId: holder.tokenId,
    requestId,
    route,
    tool,
    status,
    reason,
    milliseconds: Math.max(0, at - startedAt),
    arguments: args
  })
}
