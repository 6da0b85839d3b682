import { Effect, Option } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { UnitOfWork } from "../../../Services/Core/UnitOfWork.ts"
import { makeGroupedWrites } from "./GroupedWrites.ts"

export interface GroupedReadsOptions<Key, A, R> {
  readonly mostKeys: number
  /** Answers one for each key, in their order. */
  readonly read: (keys: ReadonlyArray<Key>) => Effect.Effect<ReadonlyArray<A | undefined>, Transient, R>
}

/**
 * What background work looks up, one statement for those who ask at about the same time: it begins after all of them have asked, and
 * sees what was committed before. Not for what is read inside of a transaction.
 */
export const makeGroupedReads = <Key extends { readonly accountId: AccountId }, A, R = never>({
  mostKeys,
  read
}: GroupedReadsOptions<Key, A, R>) =>
  Effect.gen(function* () {
    const unit = yield* UnitOfWork
    const ask = yield* makeGroupedWrites({
      mostItems: mostKeys,
      write: (keys: ReadonlyArray<Key>) =>
        Effect.gen(function* () {
          const found = new Map<Key, A>()
          for (const part of unit.perAccount(keys)) {
            const answers = yield* unit.read(read(part))
            part.forEach((key, place) => {
              const answer = answers[place]
              if (answer !== undefined) found.set(key, answer)
            })
          }
          return keys.map((key) => Option.fromNullable(found.get(key)))
        })
    })
    return (key: Key): Effect.Effect<A | undefined, Transient> => Effect.map(ask(key), Option.getOrUndefined)
  })

/** The rows that a statement found, each at the place of the key that it tells. */
export const inPlaces = <Row extends { readonly place: number }>(
  keys: ReadonlyArray<unknown>,
  rows: ReadonlyArray<Row>
): ReadonlyArray<Row | undefined> => {
  const found = new Map(rows.map((row) => [row.place, row]))
  return keys.map((_, place) => found.get(place + 1))
}
