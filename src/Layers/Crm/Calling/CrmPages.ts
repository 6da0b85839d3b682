import { Effect, Option } from "effect"
import { CrmFailure } from "./CrmAdapter.ts"

/** One page of a listing, and the cursor of the next one. */
export interface CrmPage {
  readonly rows: ReadonlyArray<unknown>
  readonly next: string | undefined
}

/** Reads all rows of a listing. Fails if it has too many pages, because an incomplete list would be misleading. */
export const allPages = Effect.fnUntraced(function* (
  page: (cursor: string | undefined) => Effect.Effect<CrmPage, CrmFailure>,
  mostPages = 50
) {
  const rows: Array<unknown> = []
  let cursor: string | undefined
  for (let turn = 0; turn < mostPages; turn++) {
    const next = yield* page(cursor)
    rows.push(...next.rows)
    cursor = next.next
    if (cursor === undefined) return rows
  }
  return yield* new CrmFailure({ kind: "unavailable" })
})

/**
 * Reads numbered pages, from page 0 up to the first one that is not full. If there are too many pages, the first ones
 * are returned: a caller that reads new rows will poll again.
 */
export const numberedPages = Effect.fnUntraced(function* (
  page: (number: number) => Effect.Effect<ReadonlyArray<unknown>, CrmFailure>,
  largestPage: number,
  mostPages = 50
) {
  const rows: Array<unknown> = []
  for (let number = 0; number < mostPages; number++) {
    const next = yield* page(number)
    rows.push(...next)
    if (next.length < largestPage) break
  }
  return rows
})

/** Returns the fallback if the CRM does not have the resource. */
export const orIfMissing =
  <B>(fallback: B) =>
  <A>(read: Effect.Effect<A, CrmFailure>): Effect.Effect<A | B, CrmFailure> =>
    Effect.catchIf(
      read,
      ({ kind }) => kind === "not_found",
      () => Effect.succeed(fallback)
    )

export const noneIfMissing = <A>(
  read: Effect.Effect<Option.Option<A>, CrmFailure>
): Effect.Effect<Option.Option<A>, CrmFailure> => orIfMissing(Option.none<A>())(read)

/** The new record's id. If the response has none, it is unknown whether the record was created. */
export const madeId = (id: string): Effect.Effect<string, CrmFailure> =>
  id === "" ? Effect.fail(new CrmFailure({ kind: "maybe_sent" })) : Effect.succeed(id)
