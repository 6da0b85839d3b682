import { Effect, Option } from "effect"
import type { Transient } from "../../../Errors.ts"
import { UnitOfWork } from "../../../Services/Core/UnitOfWork.ts"
import { makeGroupedWrites } from "./GroupedWrites.ts"

export interface GroupedTransactionsOptions<Item, Usual, Key, A, R> {
  readonly mostItems: number
  readonly keyOf: (item: Item) => Key
  /** Those of the items that may be done together. */
  readonly usual: (items: ReadonlyArray<Item>) => ReadonlyArray<Usual>
  /** One transaction; answers what was done, by its key. */
  readonly write: (items: ReadonlyArray<Usual>) => Effect.Effect<Iterable<readonly [Key, A]>, Transient, R>
  /** Whoever asks for the same key twice, as a worker does that was taken for dead, has it once. */
  readonly isTakenOnce?: boolean
}

/**
 * What is to be done at about the same time, by one transaction for all to which one statement may apply. Answers nothing
 * for what is to be done as if there were no groups: what is unusual, was not done, or is of a group that failed.
 */
export const makeGroupedTransactions = <Item, Usual extends { readonly accountId: number }, Key, A, R>({
  isTakenOnce = false,
  keyOf,
  mostItems,
  usual,
  write
}: GroupedTransactionsOptions<Item, Usual, Key, A, R>) =>
  Effect.gen(function* () {
    const unit = yield* UnitOfWork
    const ask = yield* makeGroupedWrites({
      mostItems,
      write: (items: ReadonlyArray<Item>) =>
        Effect.gen(function* () {
          const done = new Map<Key, A>()
          for (const part of unit.perAccount(usual(items))) {
            for (const [key, what] of yield* unit.write(write(part))) done.set(key, what)
          }
          return items.map((item) => {
            const key = keyOf(item)
            const what = Option.fromNullable(done.get(key))
            if (isTakenOnce) done.delete(key)
            return what
          })
        })
    })
    return (item: Item): Effect.Effect<Option.Option<A>> =>
      ask(item).pipe(Effect.catchAllCause(() => Effect.succeedNone))
  })
