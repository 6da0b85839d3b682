import { ClusterNodes } from "./ClusterNodes.ts"
import type { StatementRewriter } from "./ClusterStatements.ts"

/** Facts about the database's Citus cluster, if it is one. All sessions share them. */
export interface Cluster {
  /** True if the tables are distributed over nodes. The first session finds out. */
  isCluster: boolean
  readonly nodes: ClusterNodes
  /** Undefined until a session has read the functions of the schema. */
  rewriter: StatementRewriter | undefined
}

/** The initial state, before a session has reached the database. */
export const unknownCluster = (): Cluster => ({ isCluster: false, nodes: new ClusterNodes(), rewriter: undefined })

/** Splits items into one batch per account, in the order in which the accounts first appear. */
export const batchesPerAccount = <Item extends { readonly accountId: number }>(
  items: ReadonlyArray<Item>
): ReadonlyArray<ReadonlyArray<Item>> =>
  [...new Set(items.map(({ accountId }) => accountId))].map((account) =>
    items.filter(({ accountId }) => accountId === account)
  )
