import { TransactionConnection } from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import { Context, Option } from "effect"

/** Connections that give each statement whichever session is free, in the place of a transaction's. */
const poolConnections = new WeakSet<Connection>()

export const markPoolConnection = (connection: Connection): Connection => {
  poolConnections.add(connection)
  return connection
}

/** Whether statements run in a transaction here, so that they see its changes. */
export const isInTransaction = (context: Context.Context<never>): boolean => {
  const transaction = Context.getOption(context, TransactionConnection)
  return Option.isSome(transaction) && !poolConnections.has(transaction.value[0])
}
