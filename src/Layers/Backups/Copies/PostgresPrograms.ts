import { execFile } from "node:child_process"
import * as path from "node:path"
import { Duration, Effect } from "effect"
import { type BackupError, backupError } from "../../../Services/Backups/BackupError.ts"
import { urlOf } from "../../Platform/Postgres/pool/Pool.ts"

/** Debian and Ubuntu install each major version in its folder. */
const versionedFolder = (major: number): string => `/usr/lib/postgresql/${major}/bin`
/** The number of later major versions that are looked for. */
const laterMajors = 10

const longestRun = Duration.hours(12)
const longestVersion = Duration.seconds(10)
const longestOutput = 1024 * 1024

/**
 * A database in the form that PostgreSQL's programs accept. It is passed in the environment, so that lists of processes
 * do not show it.
 */
export interface ProgramTarget {
  readonly [variable: `PG${string}`]: string
}

const ofServer = ["sslmode", "sslrootcert", "sslcert", "sslkey"]

/** The target that a connection string names. */
export const targetOf = (connectionString: string): ProgramTarget => {
  const url = urlOf(connectionString)
  const parameters = url.searchParams
  const port = parameters.get("port") ?? url.port
  return {
    PGHOST: parameters.get("host") ?? decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, "$1"),
    ...(port === "" ? {} : { PGPORT: port }),
    ...(url.username === "" ? {} : { PGUSER: decodeURIComponent(url.username) }),
    ...(url.password === "" ? {} : { PGPASSWORD: decodeURIComponent(url.password) }),
    PGDATABASE: decodeURIComponent(url.pathname.slice(1)),
    ...Object.fromEntries(
      ofServer.flatMap((name) => {
        const value = parameters.get(name)
        return value === null ? [] : [[`PG${name.toUpperCase()}`, value] as const]
      })
    )
  }
}

interface Ended {
  readonly code: number
  readonly output: string
  readonly errors: string
}

const runProgram = (
  file: string,
  args: ReadonlyArray<string>,
  environment: ProgramTarget,
  timeout: Duration.Duration
): Effect.Effect<Ended> =>
  Effect.async((resume, signal) => {
    execFile(
      file,
      args,
      {
        env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC", ...environment },
        timeout: Duration.toMillis(timeout),
        killSignal: "SIGKILL",
        signal,
        maxBuffer: longestOutput
      },
      (error, output, errors) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1
        resume(Effect.succeed({ code, output, errors: errors === "" && error !== null ? error.message : errors }))
      }
    )
  })

/** The major version of a program. Undefined if it is not installed. */
const majorOf = (file: string) =>
  Effect.map(runProgram(file, ["--version"], {}, longestVersion), ({ code, output }) => {
    const major = /\(PostgreSQL\) (\d+)/.exec(output)?.[1]
    return code === 0 && major !== undefined ? Number(major) : undefined
  })

/** The path of a program that understands servers of the major version. */
export const findProgram = (name: "pg_dump" | "pg_restore", major: number): Effect.Effect<string, BackupError> =>
  Effect.gen(function* () {
    const versioned = Array.from({ length: laterMajors + 1 }, (_, index) =>
      path.join(versionedFolder(major + index), name)
    )
    let newest = 0
    for (const file of [...versioned, name]) {
      const present = yield* majorOf(file)
      if (present !== undefined && present >= major) return file
      newest = Math.max(newest, present ?? 0)
    }
    const which = newest === 0 ? `There is no ${name}.` : `${name} is of version ${newest}.`
    return yield* backupError(
      "program_missing",
      `The server is of version ${major}. ${which} Install the client programs of PostgreSQL ${major} or newer, for example the package postgresql-client-${major}.`
    )
  })

/** Runs a program to its end. Its last lines explain a failure. */
export const complete = (
  file: string,
  args: ReadonlyArray<string>,
  environment: ProgramTarget
): Effect.Effect<void, BackupError> =>
  Effect.flatMap(runProgram(file, args, environment, longestRun), ({ code, errors }) =>
    code === 0
      ? Effect.void
      : backupError("failed", `${path.basename(file)} failed: ${errors.trim().split("\n").slice(-5).join("\n")}`)
  )
