import { execFile } from "node:child_process"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { Duration, Effect } from "effect"
import { codeOf, type EmbeddedPostgresError, failure, systemFailure } from "./EmbeddedPostgresError.ts"

/** The operating-system user that the server runs as. `isSelf` is true if this process runs as the same user. */
export interface OsUser {
  readonly uid: number
  readonly gid: number
  readonly isSelf: boolean
}

/** What `spawn` needs to start a program as `user`. */
export const identity = (user: OsUser): { readonly uid?: number; readonly gid?: number } =>
  user.isSelf ? {} : { uid: user.uid, gid: user.gid }

/** The environment of the server's programs. It excludes the gateway's PG* variables. */
export const environment = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" }

/** Runs a file operation. If it fails, the error starts with `what`. */
export const io = <A>(what: string, operation: () => Promise<A>): Effect.Effect<A, EmbeddedPostgresError> =>
  Effect.tryPromise({ try: operation, catch: systemFailure(what) })

/** Like `io`, but returns `fallback` if the path does not exist. */
export const ioIfPresent = <A, B>(what: string, fallback: B, operation: () => Promise<A>) =>
  io<A | B>(what, () =>
    operation().catch((cause: unknown) => {
      if (codeOf(cause) === "ENOENT") return fallback
      throw cause
    })
  )

/** The user of this process. PostgreSQL refuses to run as root, so root uses the system's unprivileged user. */
export const serverUser: Effect.Effect<OsUser, EmbeddedPostgresError> = Effect.gen(function* () {
  const uid = process.geteuid?.()
  const gid = process.getegid?.()
  if (uid === undefined || gid === undefined) {
    return yield* failure("unsupported_platform", `needs Unix sockets and users, which ${process.platform} lacks`)
  }
  if (uid !== 0) return { uid, gid, isSelf: true }
  const users = yield* io("cannot read /etc/passwd", () => fs.readFile("/etc/passwd", "utf8"))
  const nobody = /^nobody:[^:]*:(\d+):(\d+):/m.exec(users)
  if (nobody === null) {
    return yield* failure("unknown_user", "does not run as root, and there is no user 'nobody'")
  }
  return { uid: Number(nobody[1]), gid: Number(nobody[2]), isSelf: false }
})

const bitsFor = (user: OsUser, stat: { readonly uid: number; readonly gid: number; readonly mode: number }): number =>
  stat.uid === user.uid ? stat.mode >> 6 : stat.gid === user.gid ? stat.mode >> 3 : stat.mode

/** True if `user` may use `file`. `bits` are those of a mode digit (4 read, 2 write, 1 execute or enter). */
export const mayUse = (user: OsUser, file: string, bits: number): Effect.Effect<boolean> =>
  Effect.promise(async () => {
    try {
      if (user.isSelf) {
        await fs.access(file, bits)
        return true
      }
      for (let directory = path.dirname(file); ; directory = path.dirname(directory)) {
        if ((bitsFor(user, await fs.stat(directory)) & 1) === 0) return false
        if (directory === path.dirname(directory)) break
      }
      return (bitsFor(user, await fs.stat(file)) & bits) === bits
    } catch {
      return false
    }
  })

/** Runs a program as `user` and returns both output streams, at most 1 MB. The program is killed after `timeout`. */
export const run = (
  program: string,
  args: ReadonlyArray<string>,
  options: { readonly user: OsUser; readonly cwd: string; readonly timeout: Duration.DurationInput }
): Effect.Effect<{ readonly exitCode: number; readonly output: string }, EmbeddedPostgresError> =>
  Effect.async((resume, signal) => {
    const name = path.basename(program)
    execFile(
      program,
      args,
      {
        ...identity(options.user),
        cwd: options.cwd,
        env: environment,
        timeout: Duration.toMillis(options.timeout),
        killSignal: "SIGKILL",
        signal,
        maxBuffer: 1024 * 1024
      },
      (error, stdout, stderr) => {
        const output = `${stdout}${stderr}`
        if (error === null) resume(Effect.succeed({ exitCode: 0, output }))
        else if (error.killed === true) resume(failure("failed", `${name} did not finish in time`, output))
        else if (typeof error.code === "number") resume(Effect.succeed({ exitCode: error.code, output }))
        else if (error.signal) resume(failure("failed", `${name} was ended by ${error.signal}`, output))
        else resume(systemFailure(`cannot run ${name}`)(error))
      }
    )
  })

const processesOfLinux = async (): Promise<ReadonlyMap<number, string>> => {
  const pids = (await fs.readdir("/proc")).filter((name) => /^\d+$/.test(name))
  const commands = await Promise.all(
    pids.map(async (pid) => {
      const command = await fs.readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => undefined)
      return command === undefined ? [] : [[Number(pid), command.replaceAll("\0", " ").trim()] as const]
    })
  )
  return new Map(commands.flat())
}

/** The command line of every process, by process id. It is empty for a zombie. */
export const processes: Effect.Effect<ReadonlyMap<number, string>, EmbeddedPostgresError> = process.platform === "linux"
  ? io("cannot list the processes", processesOfLinux)
  : Effect.suspend(() =>
      run("/bin/ps", ["-axo", "pid=,command="], {
        user: { uid: 0, gid: 0, isSelf: true },
        cwd: "/",
        timeout: "5 seconds"
      })
    ).pipe(
      Effect.map(({ output }) => {
        const rows = output.matchAll(/^\s*(\d+) (.*)$/gm)
        return new Map([...rows].map(([, pid, command]) => [Number(pid), (command ?? "").trim()] as const))
      })
    )
