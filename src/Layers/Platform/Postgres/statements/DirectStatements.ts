import { type SqlClient, TransactionConnection } from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import type { Statement } from "@effect/sql/Statement"
import { Context, Effect, FiberRef, Option, Predicate } from "effect"
import { reachableNodesOnly } from "../cluster/ReachableNodes.ts"
import { statementName } from "./StatementName.ts"

/** Present while a statement that `UnitOfWork.acrossAccounts` marks runs. */
export class AcrossAccounts extends Context.Tag("AcrossAccounts")<AcrossAccounts, true>() {}

type Rows = ReturnType<Connection["execute"]>

/** A statement and the function that runs it. */
interface Runnable extends Statement<object> {
  commit: () => Rows
}

const isRunnable = (made: unknown): made is Runnable =>
  Predicate.hasProperty(made, "withoutTransform") && Predicate.hasProperty(made, "commit")

/** Adds a span without the statement's values, because they contain texts of people. */
const withStatementSpan = (rows: Rows, text: string): Rows => {
  const { operation, target } = statementName(text)
  return Effect.withSpan(rows, target === undefined ? operation : `${operation} ${target}`, {
    kind: "client",
    captureStackTrace: false,
    attributes: {
      "db.system.name": "postgresql",
      "db.operation.name": operation,
      ...(target === undefined ? {} : { "db.collection.name": target }),
      "db.query.text": text
    }
  })
}

/**
 * Returns the client with statements that go directly to their connection. The span and the scope that `@effect/sql`
 * makes for each statement cost more than a short statement. A traced statement gets a span named after its operation
 * and table. `connection` is used outside transactions.
 */
export const directStatements = <Client extends SqlClient>(client: Client, connection: Connection): Client => {
  const lean = <Made>(statement: Made): Made => {
    if (!isRunnable(statement)) return statement
    statement.commit = () =>
      Effect.withFiberRuntime((fiber): Rows => {
        const [statementText, values] = statement.compile()
        const isAcrossAccounts = Option.isSome(Context.getOption(fiber.currentContext, AcrossAccounts))
        const text = isAcrossAccounts ? `${reachableNodesOnly} ${statementText}` : statementText
        const held = Context.getOption(fiber.currentContext, TransactionConnection)
        const rows = (Option.isSome(held) ? held.value[0] : connection).execute(text, values, undefined)
        return fiber.getFiberRef(FiberRef.currentTracerEnabled) ? withStatementSpan(rows, text) : rows
      })
    return statement
  }
  const unsafe = client.unsafe.bind(client)
  Object.assign(client, {
    unsafe: (text: string, values?: ReadonlyArray<unknown>) => lean(unsafe<object>(text, values))
  })
  return new Proxy(client, {
    apply: (target, self, args): unknown => lean<unknown>(Reflect.apply(target, self, args))
  })
}
