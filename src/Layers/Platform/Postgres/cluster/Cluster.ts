import { ClusterNodes } from "./ClusterNodes.ts"
import type { StatementRewriter } from "./ClusterStatements.ts"

/** What the sessions of a database know about its cluster, if it is one. */
export interface Cluster {
  /** Whether the tables are distributed over nodes. The first session finds out. */
  isCluster: boolean
  readonly nodes: ClusterNodes
  /** Unknown until a session has read the functions of the schema. */
  rewriter: StatementRewriter | undefined
}

/** The initial state, before a session has reached the database. */
export const unknownCluster = (): Cluster => ({ isCluster: false, nodes: new ClusterNodes(), rewriter: undefined })

/** Items in one batch per account, in the order in which the accounts first appear. */
export const batchesPerAccount = <Item extends { readonly accountId: number }>(
  items: ReadonlyArray<Item>
): ReadonlyArray<ReadonlyArray<Item>> =>
  [...new Set(items.map(({ accountId }) => accountId))].map((account) =>
    items.filter(({ accountId }) => accountId === account)
  )
