import { type SqlClient, TransactionConnection } from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import type { Statement } from "@effect/sql/Statement"
import { Context, Effect, FiberRef, Option, Predicate } from "effect"

type Rows = ReturnType<Connection["execute"]>

/** A statement with what a fiber calls to run it. */
interface Runnable extends Statement<object> {
  commit: () => Rows
}

const isRunnable = (made: unknown): made is Runnable =>
  Predicate.hasProperty(made, "withoutTransform") && Predicate.hasProperty(made, "commit")

/**
 * The client with statements that go straight to their connection while nothing is traced: the span and the scope that
 * `@effect/sql` makes for each cost more than a short statement does. `connection` is for statements outside of a
 * transaction.
 */
export const leanStatements = <Client extends SqlClient>(client: Client, connection: Connection): Client => {
  const lean = <Made>(statement: Made): Made => {
    if (!isRunnable(statement)) return statement
    const commit = statement.commit.bind(statement)
    statement.commit = () =>
      Effect.withFiberRuntime((fiber): Rows => {
        if (fiber.getFiberRef(FiberRef.currentTracerEnabled)) return commit()
        const [text, values] = statement.compile()
        const held = Context.getOption(fiber.currentContext, TransactionConnection)
        return (Option.isSome(held) ? held.value[0] : connection).execute(text, values, undefined)
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
