import { Context, Effect } from "effect"
import { ClusterNodes } from "./ClusterNodes.ts"

/** Whether the tables of the database are spread over the nodes of a cluster; each new session tells. */
export interface Cluster {
  isCluster: boolean
  readonly nodes: ClusterNodes
}

/** Of a database of which nothing is known yet. */
export const unknownCluster = (): Cluster => ({ isCluster: false, nodes: new ClusterNodes() })

/** Of the database that statements go to; without one, nothing is spread. */
export class DatabaseCluster extends Context.Reference<DatabaseCluster>()("DatabaseCluster", {
  defaultValue: unknownCluster
}) {}

/**
 * For statements over several accounts at once: those of which one statement may tell. A node has the rows of its own
 * accounts alone, so that on a cluster it is one.
 */
export const inOneStatement = <Account>(
  accounts: ReadonlyArray<Account>
): Effect.Effect<ReadonlyArray<ReadonlyArray<Account>>> =>
  Effect.map(DatabaseCluster, ({ isCluster: isSpread }) =>
    isSpread ? accounts.map((account) => [account]) : [accounts]
  )

/** Items in parts, to each of which one statement may apply: on a cluster, those of one account. */
export const groupByNode = <Item extends { readonly accountId: number }>(
  items: ReadonlyArray<Item>
): Effect.Effect<ReadonlyArray<ReadonlyArray<Item>>> =>
  Effect.map(inOneStatement([...new Set(items.map(({ accountId }) => accountId))]), (parts) =>
    parts.length === 1
      ? [items]
      : parts.map((accounts) => items.filter(({ accountId }) => accounts.includes(accountId)))
  )
