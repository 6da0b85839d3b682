import { Console, Effect } from "effect"

/** Replaces control and hidden characters, which are other people's and which a terminal would execute. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (mark) => (mark === "\n" || mark === "\t" ? mark : "?"))

/** A line of a list is one record, whatever other people wrote in it. */
export const onOneLine = (text: string): string => text.replace(/\s+/g, " ")

const printableIn = (value: unknown): unknown => {
  if (typeof value === "string") return printable(value)
  if (Array.isArray(value)) return value.map(printableIn)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [printable(name), printableIn(member)]))
}

/** What the effect prints is safe for a terminal, even if other people wrote it. */
export const printsSafely = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Console.consoleWith((console) =>
    Effect.withConsole(effect, {
      ...console,
      log: (...values) => console.log(...values.map(printableIn)),
      table: (rows, properties) => console.table(printableIn(rows), properties)
    })
  )
