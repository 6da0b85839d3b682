import { Effect } from "effect"
import type { Refused } from "../../../Errors.ts"
import { type ConnectionWatch, OutsideHealth } from "../../../Services/Core/OutsideHealth.ts"
import { type OutboundFailure, OutboundHttp } from "../../../Services/Outbound/OutboundHttp.ts"

/** Whose the key is that requests carry: one that the other side does not take says nothing of others' keys. */
export type KeyHolder = "operator" | "account"

const credentialStatuses: ReadonlySet<number> = new Set([401, 402, 403])

const troubleOf = (status: number, keyHolder: KeyHolder): string | undefined => {
  if (status >= 500) return `status_${status}`
  return keyHolder === "operator" && credentialStatuses.has(status) ? "credentials_rejected" : undefined
}

/** Reports from every exchange whether the connection works. Any answer means that it does, except for those above. */
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

/** The way to one outside service of the operator's, whose health is shown under `connection`. */
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
