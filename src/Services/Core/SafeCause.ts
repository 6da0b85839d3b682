import { SqlError } from "@effect/sql/SqlError"
import { Cause, Predicate } from "effect"

/** Errors of the JavaScript engine itself. Their messages name code and never quote data. */
const quotesNoData = (error: Error): boolean => error instanceof TypeError || error instanceof ReferenceError

const field = (value: unknown, name: string): string =>
  Predicate.hasProperty(value, name) && typeof value[name] === "string" ? ` ${name}=${value[name]}` : ""

const describeError = (error: unknown): string => {
  if (error instanceof SqlError) {
    return `SqlError${field(error.cause, "code")}${field(error.cause, "table")}${field(error.cause, "constraint")}${frames(error.cause)}`
  }
  if (!(error instanceof Error)) return Predicate.hasProperty(error, "_tag") ? String(error._tag) : typeof error
  return `${error.name}${quotesNoData(error) ? `: ${error.message}` : ""}${field(error, "code")}${frames(error)}`
}

const frames = (error: unknown): string =>
  error instanceof Error && error.stack !== undefined
    ? error.stack
        .split("\n")
        .filter((line) => line.startsWith("    at "))
        .slice(0, 12)
        .map((line) => `\n${line}`)
        .join("")
    : ""

/**
 * Describes a cause for the log: error names, codes and stack frames. Messages are left out, because database and
 * parser errors quote values, which may be personal data.
 */
export const describeCause = (cause: Cause.Cause<unknown>): string =>
  [...Cause.failures(cause), ...Cause.defects(cause)].map(describeError).join("\n")
