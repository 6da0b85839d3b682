import { Context, Effect, Option } from "effect"
import type { Transient } from "../../../../Errors.ts"
import type { AccountId } from "../../../../Services/Accounts/Ids.ts"
import { UnitOfWork } from "../../../../Services/Core/Calls/UnitOfWork.ts"
import { readsOwnChanges } from "../../../../Services/Core/OwnChanges.ts"
import { makeGroupedWrites } from "./GroupedWrites.ts"

export interface GroupedReadsOptions<Key, A, R> {
  /** The name of the batch in the metric and in warnings, in snake_case. */
  readonly name: string
  readonly mostKeys: number
  /** Returns one answer per key, in their order. */
  readonly read: (keys: ReadonlyArray<Key>) => Effect.Effect<ReadonlyArray<A | undefined>, Transient, R>
}

/**
 * Looks up keys that arrive at about the same time with one statement. The statement begins after all of them arrived,
 * so it sees what was committed before. Reads inside a transaction must not use it. The exception is a call that reads
 * its own changes: its look-ups run alone, in the call's transaction.
 */
export const makeGroupedReads = <Key extends { readonly accountId: AccountId }, A, R = never>({
  mostKeys,
  name,
  read
}: GroupedReadsOptions<Key, A, R>) =>
  Effect.gen(function* () {
    const unit = yield* UnitOfWork
    const context = yield* Effect.context<R>()
    const lookUp = yield* makeGroupedWrites({
      name,
      mostItems: mostKeys,
      split: unit.perAccount,
      write: (keys: ReadonlyArray<Key>) =>
        Effect.map(unit.read(read(keys)), (answers) => keys.map((_, place) => Option.fromNullable(answers[place])))
    })
    const inTransaction = (key: Key): Effect.Effect<A | undefined, Transient> =>
      Effect.map(read([key]), ([answer]) => answer).pipe(
        Effect.mapInputContext((caller: Context.Context<never>) => Context.merge(context, caller))
      )
    return (key: Key): Effect.Effect<A | undefined, Transient> =>
      Effect.withFiberRuntime((fiber) =>
        readsOwnChanges(fiber.currentContext) ? inTransaction(key) : Effect.map(lookUp(key), Option.getOrUndefined)
      )
  })

/** Returns the rows of a statement in the order of the keys. Each row has the index of its key as `place`. */
export const inPlaces = <Row extends { readonly place: number }>(
  keys: ReadonlyArray<unknown>,
  rows: ReadonlyArray<Row>
): ReadonlyArray<Row | undefined> => {
  const rowAt = new Map(rows.map((row) => [row.place, row]))
  return keys.map((_, place) => rowAt.get(place + 1))
}
