import { ClusterNodes } from "./ClusterNodes.ts"

/** Whether the tables of the database are spread over the nodes of a cluster; each new session tells. */
export interface Cluster {
  isCluster: boolean
  readonly nodes: ClusterNodes
}

/** Of a database of which nothing is known yet. */
export const unknownCluster = (): Cluster => ({ isCluster: false, nodes: new ClusterNodes() })

/** Items in one batch per account, in the order in which the accounts first appear. */
export const batchesPerAccount = <Item extends { readonly accountId: number }>(
  items: ReadonlyArray<Item>
): ReadonlyArray<ReadonlyArray<Item>> =>
  [...new Set(items.map(({ accountId }) => accountId))].map((account) =>
    items.filter(({ accountId }) => accountId === account)
  )
