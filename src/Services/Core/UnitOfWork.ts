import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"

/** Where a tool's statements run. Tools say which they need; only the database layer knows how. */
export class UnitOfWork extends Context.Tag("UnitOfWork")<
  UnitOfWork,
  {
    /** Each statement runs on a session on which the database refuses to write. */
    readonly read: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /**
     * The same for what may be some seconds old, but for the caller's own writes through this process: a replica is
     * asked where there is one that follows closely enough.
     */
    readonly readLagging: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /**
     * All statements run in one transaction, committed when the effect succeeds. A transaction that lost a race
     * (serialization failure, deadlock) is run again, so the effect must have no effects outside the database.
     */
    readonly write: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Transient, R>
    /**
     * Marks a statement over the rows of all accounts. While a node of a cluster is down, it covers the accounts of the
     * other nodes; the rest follow later. Not for a statement that must see every account.
     */
    readonly acrossAccounts: <A, E, R>(statement: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /**
     * Splits items into the batches that one statement can take: all of them together on one Postgres, one batch per
     * account on a cluster.
     */
    readonly perAccount: <Item extends { readonly accountId: number }>(
      items: ReadonlyArray<Item>
    ) => ReadonlyArray<ReadonlyArray<Item>>
    /** Whether an account's rows lie on one of several nodes, for the rare statement that needs another form there. */
    readonly isCluster: () => boolean
  }
>() {}
