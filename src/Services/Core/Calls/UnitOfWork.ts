import { Context, type Effect } from "effect"
import type { Transient } from "../../../Errors.ts"

/** Runs a tool's statements. Tools choose a method, and only the database layer knows the sessions behind it. */
export class UnitOfWork extends Context.Tag("UnitOfWork")<
  UnitOfWork,
  {
    /** Runs each statement on a session that the database keeps read-only. */
    readonly read: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /**
     * Like `read`, for reads that may be some seconds out of date but include the caller's own writes through this
     * process. A replica is used if its lag is small.
     */
    readonly readLagging: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /**
     * Runs all statements in one transaction, which commits when the effect succeeds. If it lost a race (serialization
     * failure, deadlock), it runs again, so the effect must have no effects outside the database.
     */
    readonly write: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Transient, R>
    /**
     * Marks a statement over the rows of all accounts. If a node of a cluster is down, the statement covers the
     * accounts of the other nodes, and the rest follow later. Do not use it for a statement that must see every
     * account.
     */
    readonly acrossAccounts: <A, E, R>(statement: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /**
     * Splits items into the batches that one statement can take: all of them together on one Postgres, one batch per
     * account on a cluster.
     */
    readonly perAccount: <Item extends { readonly accountId: number }>(
      items: ReadonlyArray<Item>
    ) => ReadonlyArray<ReadonlyArray<Item>>
    /** Whether accounts are distributed over several nodes, for the rare statement that needs a different form then. */
    readonly isCluster: () => boolean
  }
>() {}
