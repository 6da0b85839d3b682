import { Context, Effect, Option } from "effect"
import type { Transient } from "../../../../Errors.ts"
import { UnitOfWork } from "../../../../Services/Core/Calls/UnitOfWork.ts"
import { makeGroupedWrites } from "./GroupedWrites.ts"

/** How a transaction treats rows that another transaction has locked: skip them or wait for them. */
export type Locking = "skip" | "wait"

export interface GroupedTransactionsOptions<Item, A, R> {
  /** The name of the batch in the metric and in warnings, in snake_case. */
  readonly name: string
  readonly mostItems: number
  /**
   * Returns the key of an item. Items with the same key never share a transaction: the later one must see what the
   * earlier one committed.
   */
  readonly keyOf: (item: Item) => string | number
  /**
   * Runs in one transaction and returns one answer per item, in their order. `None` means that another transaction
   * holds the item's rows. Under `wait` every item has an answer.
   */
  readonly write: (
    items: ReadonlyArray<Item>,
    locking: Locking
  ) => Effect.Effect<ReadonlyArray<Option.Option<A>>, Transient, R>
}

/** Returns the first item of each key. */
const firstPerKey = <Item>(items: ReadonlyArray<Item>, keyOf: (item: Item) => string | number): ReadonlyArray<Item> => {
  const keys = new Set<string | number>()
  return items.filter((item) => {
    const key = keyOf(item)
    return !keys.has(key) && keys.add(key)
  })
}

/**
 * Runs items that arrive at about the same time in one transaction; on a cluster, in one per account. A batch never
 * waits for a lock: an item whose rows another transaction holds is run as a batch of one that waits for them.
 */
export const makeGroupedTransactions = <Item extends { readonly accountId: number }, A, R = never>({
  keyOf,
  mostItems,
  name,
  write
}: GroupedTransactionsOptions<Item, A, R>) =>
  Effect.gen(function* () {
    const unit = yield* UnitOfWork
    const context = yield* Effect.context<R>()
    const writeBatch = yield* makeGroupedWrites({
      name,
      mostItems,
      split: unit.perAccount,
      write: (items: ReadonlyArray<Item>) =>
        Effect.gen(function* () {
          const firstItems = firstPerKey(items, keyOf)
          const answers = yield* unit.write(write(firstItems, "skip"))
          const answerOf = new Map(firstItems.map((item, place) => [item, answers[place]]))
          return items.map((item) => answerOf.get(item) ?? Option.none<A>())
        })
    })
    const writeAlone = (item: Item): Effect.Effect<A, Transient> =>
      unit.write(write([item], "wait")).pipe(
        Effect.flatMap(([answer = Option.none<A>()]) =>
          Option.match(answer, {
            onNone: () => Effect.dieMessage(`A transaction of ${name} that waits for locks has no answer.`),
            onSome: Effect.succeed
          })
        ),
        Effect.mapInputContext((caller: Context.Context<never>) => Context.merge(context, caller))
      )
    return (item: Item): Effect.Effect<A, Transient> =>
      Effect.flatMap(writeBatch(item), Option.match({ onNone: () => writeAlone(item), onSome: Effect.succeed }))
  })
