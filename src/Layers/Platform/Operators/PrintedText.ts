import { Console, Effect } from "effect"

/** Replaces control and hidden characters, because a terminal would execute those in untrusted text. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (mark) => (mark === "\n" || mark === "\t" ? mark : "?"))

/** Puts a text on one line, so that a line of a list is always one record. */
export const onOneLine = (text: string): string => text.replace(/\s+/g, " ")

const printableIn = (value: unknown): unknown => {
  if (typeof value === "string") return printable(value)
  if (Array.isArray(value)) return value.map(printableIn)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [printable(name), printableIn(member)]))
}

/** Makes everything that the effect prints safe for a terminal, even if it contains untrusted text. */
export const printsSafely = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Console.consoleWith((console) =>
    Effect.withConsole(effect, {
      ...console,
      log: (...values) => console.log(...values.map(printableIn)),
      table: (rows, properties) => console.table(printableIn(rows), properties)
    })
  )
