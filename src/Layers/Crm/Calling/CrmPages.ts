import { Effect, Option } from "effect"
import { CrmFailure } from "./CrmAdapter.ts"

/** A page of a listing, and what to ask for the next one with. */
export interface CrmPage {
  readonly rows: ReadonlyArray<unknown>
  readonly next: string | undefined
}

/** All rows of a listing. One with too many pages fails, because its first pages say nothing about the rest. */
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
 * The rows of numbered pages, from page 0 up to one that is not full. Of a listing with too many pages, the first ones:
 * a caller that reads what is new will ask again.
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

/** The fallback, where the CRM does not have what is read. */
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

/** The new record's id. Where the CRM names none, whether the record was made is unknown. */
export const madeId = (id: string): Effect.Effect<string, CrmFailure> =>
  id === "" ? Effect.fail(new CrmFailure({ kind: "maybe_sent" })) : Effect.succeed(id)
