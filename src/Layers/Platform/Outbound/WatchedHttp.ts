import { Effect } from "effect"
import type { Refused } from "../../../Errors.ts"
import { type ConnectionWatch, OutsideHealth } from "../../../Services/Core/Outside/OutsideHealth.ts"
import { type OutboundFailure, OutboundHttp } from "../../../Services/Outbound/OutboundHttp.ts"

/**
 * The owner of the API key that requests carry. A rejected key of one account says nothing about the keys of others.
 */
export type KeyHolder = "operator" | "account"

const credentialStatuses: ReadonlySet<number> = new Set([401, 402, 403])

const troubleOf = (status: number, keyHolder: KeyHolder): string | undefined => {
  if (status >= 500) return `status_${status}`
  return keyHolder === "operator" && credentialStatuses.has(status) ? "credentials_rejected" : undefined
}

/**
 * Reports after every request whether the connection works. Any answer means that it does, except those that
 * `troubleOf` names.
 */
export const watchedExchange =
  (watch: ConnectionWatch, keyHolder: KeyHolder) =>
  <A extends { readonly status: number }, R>(
    exchange: Effect.Effect<A, Refused | OutboundFailure, R>
  ): Effect.Effect<A, Refused | OutboundFailure, R> =>
    Effect.tapBoth(exchange, {
      onFailure: ({ reason }) => watch.failed(reason),
      onSuccess: ({ status }) => {
        const trouble = troubleOf(status, keyHolder)
        return trouble === undefined ? watch.worked : watch.failed(trouble)
      }
    })

/** Outbound HTTP to one of the operator's services, whose health is reported as `connection`. */
export const watchedHttp = (connection: string, keyHolder: KeyHolder = "operator") =>
  Effect.gen(function* () {
    const http = yield* OutboundHttp
    const { watch } = yield* OutsideHealth
    const watched = watchedExchange(yield* watch(connection), keyHolder)
    return OutboundHttp.of({
      request: (request) => watched(http.request(request)),
      stream: (request) => watched(http.stream(request))
    })
  })
