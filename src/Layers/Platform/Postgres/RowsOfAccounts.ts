import { Array, Effect } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import type { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"

/** The number of accounts that are queried at the same time on a cluster. */
const accountsAtATime = 8

/**
 * Reads rows of several accounts. On a cluster there is one statement per account, and an account whose node is down
 * gets no rows.
 */
export const rowsOfAccounts = <Item extends { readonly accountId: AccountId }, Row>(
  unit: UnitOfWork["Type"],
  items: ReadonlyArray<Item>,
  ask: (items: ReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<Row>, Transient>
): Effect.Effect<ReadonlyArray<Row>, Transient> => {
  if (items.length === 0) return Effect.succeed([])
  const batches = unit.perAccount(items)
  if (batches.length === 1) return ask(items)
  return Effect.map(
    Effect.forEach(batches, (batch) => Effect.orElseSucceed(ask(batch), (): ReadonlyArray<Row> => []), {
      concurrency: accountsAtATime
    }),
    Array.flatten
  )
}
