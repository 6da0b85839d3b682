import { Predicate, Schema } from "effect"

/**
 * The private database server could not be started or reached. `message` says what happened and what to do, followed by
 * the last lines of the server's log if it wrote any. The data directory is never removed.
 */
export class EmbeddedPostgresError extends Schema.TaggedError<EmbeddedPostgresError>()("EmbeddedPostgresError", {
  reason: Schema.Literal(
    "unsupported_platform",
    "permission_denied",
    "unknown_user",
    "disk_full",
    "out_of_memory",
    "incompatible_version",
    "corrupted_data",
    "invalid_directory",
    "invalid_settings",
    "timed_out",
    "failed"
  ),
  message: Schema.String
}) {}

type Reason = EmbeddedPostgresError["reason"]

const advice: Record<Reason, string> = {
  unsupported_platform:
    "No PostgreSQL binaries run on this platform: set DATABASE_URL to a PostgreSQL server, 15 or newer",
  permission_denied: "Give the user that runs the database access to the path, or choose another data directory",
  unknown_user: "PostgreSQL needs a user with an entry in /etc/passwd: add one, or set DATABASE_URL",
  disk_full: "The disk is full: free some space and start again",
  out_of_memory: "There is too little memory: free some, or lower shared_buffers",
  incompatible_version:
    "The data was written by another major version of PostgreSQL: dump it with that version and restore it here, or choose another data directory",
  corrupted_data:
    "The data directory is damaged and was left as it is: restore it from a backup, or move it away to start empty",
  invalid_directory: "Choose an empty directory for the database, on a local file system",
  invalid_settings: "Correct or remove the PostgreSQL setting",
  timed_out: "The server may still be recovering, and is left to finish: start again to join it",
  failed: "The server's log says more"
}

// Checked in this order. The first pattern that matches a program's output determines the reason.
const symptoms: ReadonlyArray<readonly [RegExp, Reason]> = [
  [/No space left on device|ENOSPC|Disk quota exceeded|EDQUOT/i, "disk_full"],
  [/Cannot allocate memory|out of memory|ENOMEM|could not map anonymous shared memory/i, "out_of_memory"],
  [/could not (bind|create) .*Unix/i, "invalid_directory"],
  [/Permission denied|Operation not permitted|Read-only file system|EACCES|EPERM|EROFS/i, "permission_denied"],
  [/could not look up effective user ID/i, "unknown_user"],
  [
    /unrecognized configuration parameter|invalid value for parameter|cannot be changed|outside the valid range/i,
    "invalid_settings"
  ],
  [/database files are incompatible with (server|operating system)/i, "incompatible_version"],
  [/error while loading shared libraries|version `?GLIBC|symbol not found|Exec format error/i, "unsupported_platform"],
  [
    /PANIC|corrupt|checkpoint record|not a valid data directory|could not (open|read|access|find) |invalid |does not match|configuration file/i,
    "corrupted_data"
  ]
]

// These lines are left out. Refused connections during the start would fill the end of the log and hide the cause.
const refusals = /FATAL: +the database system is /

/** Returns the last lines of a log, at most 2 000 characters. */
const tailOf = (log: string): string => {
  const lines = log.split("\n").filter((line) => line !== "" && !refusals.test(line))
  return lines.slice(-12).join("\n").slice(-2000)
}

/** Makes an error with its advice. `log` is the output of the server or of `initdb`. */
export const failure = (reason: Reason, what: string, log = ""): EmbeddedPostgresError => {
  const tail = tailOf(log)
  return new EmbeddedPostgresError({
    reason,
    message: `The embedded database: ${what}. ${advice[reason]}.${tail === "" ? "" : `\n${tail}`}`
  })
}

/** Returns the error that a program's output describes. */
export const diagnose = (what: string, log: string): EmbeddedPostgresError =>
  failure(symptoms.find(([pattern]) => pattern.test(log))?.[1] ?? "failed", what, log)

/** The `code` of a Node or PostgreSQL error, or an empty string. */
export const codeOf = (cause: unknown): string =>
  Predicate.hasProperty(cause, "code") && typeof cause.code === "string" ? cause.code : ""

/** Converts the failure of an operating-system call to an error. */
export const systemFailure =
  (what: string) =>
  (cause: unknown): EmbeddedPostgresError => {
    const text = cause instanceof Error ? cause.message : String(cause)
    return failure(symptoms.find(([pattern]) => pattern.test(codeOf(cause)))?.[1] ?? "failed", `${what} (${text})`)
  }
