import { Effect, Option } from "effect"
import { CrmFailure } from "./CrmAdapter.ts"

/** A page of a listing, and what to ask for the next one with. */
export interface CrmPage {
  readonly rows: ReadonlyArray<unknown>
  readonly next: string | undefined
}

/**
 * All rows of a listing. One that has more pages than anybody would walk tells nothing of what is not on them, so that it
 * fails instead of answering the first ones.
 */
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
  return yield* new CrmFailure({ reason: "unavailable" })
})

/** What the CRM does not have is none. */
export const noneIfMissing = <A>(
  read: Effect.Effect<Option.Option<A>, CrmFailure>
): Effect.Effect<Option.Option<A>, CrmFailure> =>
  Effect.catchIf(
    read,
    ({ reason }) => reason === "not_found",
    () => Effect.succeed(Option.none())
  )

/** The new record's number; without one nobody knows whether it was made. */
export const madeId = (id: string): Effect.Effect<string, CrmFailure> =>
  id === "" ? Effect.fail(new CrmFailure({ reason: "unknown" })) : Effect.succeed(id)

/** What the CRM is asked once, by whoever needs it first; a failure is not kept. */
export const once = <A>(ask: Effect.Effect<A, CrmFailure>): Effect.Effect<A, CrmFailure> => {
  let known: Option.Option<A> = Option.none()
  return Effect.suspend(() =>
    Option.isSome(known)
      ? Effect.succeed(known.value)
      : Effect.tap(ask, (answer) =>
          Effect.sync(() => {
            known = Option.some(answer)
          })
        )
  )
}
