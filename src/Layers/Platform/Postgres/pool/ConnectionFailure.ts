import type { SqlError } from "@effect/sql/SqlError"
import { codeOf } from "../Sql.ts"
import { urlOf } from "./Pool.ts"

/** An explanation for each error code of the driver or the server. */
const causes: { readonly [code: string]: string } = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "no such host is known",
  EAI_AGAIN: "the name of the host could not be looked up",
  ETIMEDOUT: "it did not answer in time",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  ENOENT: "there is no such socket",
  ECONNRESET: "it closed the connection",
  "28P01": "it refused the user's password",
  "28000": "it refused the user",
  "3D000": "it has no such database",
  "53300": "it takes no more connections",
  "57P03": "it is starting up or shutting down"
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/**
 * Returns where the database is, without the password: host and port (or the socket's directory), and the database's
 * name.
 */
export const databasePlace = (databaseUrl: string): string => {
  try {
    const url = urlOf(databaseUrl)
    const host = url.searchParams.get("host") ?? url.hostname
    const port = url.port === "" ? (url.searchParams.get("port") ?? "5432") : url.port
    return `${decodeURIComponent(host)}:${port}${decodeURIComponent(url.pathname)}`
  } catch {
    return "an address that cannot be read"
  }
}

/**
 * Describes in one line a statement that failed while the gateway started: which database, and why it was unavailable.
 */
export const describeConnectionFailure = (error: SqlError, databaseUrl: string | undefined): string => {
  const code = codeOf(error.cause)
  const told = messageOf(error.cause)
  const cause = (code === undefined ? undefined : causes[code]) ?? (/timeout/i.test(told) ? causes["ETIMEDOUT"] : told)
  const where = databaseUrl === undefined ? "its own database" : `the database at ${databasePlace(databaseUrl)}`
  const advice = databaseUrl === undefined ? "" : " Check DATABASE_URL."
  return `it cannot use ${where}: ${cause}${code === undefined ? "" : ` (${code})`}.${advice}`
}
