import { spawn, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { setTimeout as pause } from "node:timers/promises"

/** A server of a benchmark's own on the loopback address, of the programs in a folder. */
export interface PostgresServer {
  readonly host: string
  readonly port: number
  /** Ends it as a crash of the machine does. */
  readonly crash: () => void
  /** Ends its first process with kill -9; the others end by themselves. */
  readonly kill: () => void
  /** Starts it once more after `kill`, without holding up what this process does meanwhile. */
  readonly startAgain: () => Promise<void>
}

/** Folders and servers of one run; `stop` ends and removes them all. */
export interface PostgresServers {
  readonly directory: string
  readonly start: (name: string, port: number, settings: string) => PostgresServer
  /** A copy of `primary` that follows it. */
  readonly follow: (primary: PostgresServer, name: string, port: number) => PostgresServer
  /** Makes one that follows another a primary. */
  readonly promote: (name: string) => void
  readonly stop: () => void
}

const mostStarts = 50

/** `bin` holds the programs of a Postgres. Postgres refuses to run as root, and runs as nobody then. */
export const postgresServers = (bin: string): PostgresServers => {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "gateway-servers-"))
  const asUser = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
  if (process.getuid?.() === 0) fs.chownSync(directory, 65534, 65534)
  const run = (program: string, ...args: ReadonlyArray<string>) => {
    const done = spawnSync(path.join(bin, program), [...args], {
      ...asUser,
      cwd: directory,
      // They look for certificates in the home directory, which is the user's own.
      env: { ...process.env, HOME: directory },
      stdio: ["ignore", "ignore", "pipe"]
    })
    if (done.status !== 0) throw new Error(`${program}: ${done.stderr.toString()}`)
  }
  const dataOf = (name: string): string => path.join(directory, name)
  const started = new Set<string>()
  const crash = (name: string) => {
    if (started.delete(name)) run("pg_ctl", "-D", dataOf(name), "-m", "immediate", "stop")
  }
  const kill = (name: string) => {
    const [pid = ""] = fs.readFileSync(path.join(dataOf(name), "postmaster.pid"), "utf8").split("\n")
    process.kill(Number(pid), "SIGKILL")
  }
  const startAgain = async (name: string) => {
    const args = ["-D", dataOf(name), "-l", path.join(directory, `${name}.log`), "-w", "start"]
    // The memory that the killed one shared is in use until the last of its sessions has seen that it is gone.
    for (let tries = 0; tries < mostStarts; tries++) {
      const child = spawn(path.join(bin, "pg_ctl"), args, { ...asUser, cwd: directory, stdio: "ignore" })
      if ((await new Promise((resolve) => child.once("exit", resolve))) === 0) return
      await pause(200)
    }
    throw new Error(`${name} does not start again; see its log in ${directory}.`)
  }
  const launch = (name: string, port: number, settings: string): PostgresServer => {
    fs.appendFileSync(path.join(dataOf(name), "postgresql.conf"), settings)
    run("pg_ctl", "-D", dataOf(name), "-l", path.join(directory, `${name}.log`), "-w", "start")
    started.add(name)
    return {
      host: "127.0.0.1",
      port,
      crash: () => crash(name),
      kill: () => kill(name),
      startAgain: () => startAgain(name)
    }
  }
  const place = (port: number): string =>
    `\nport = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '${directory}'\n`
  return {
    directory,
    start: (name, port, settings) => {
      run("initdb", "-D", dataOf(name), "-A", "trust", "-U", "postgres")
      return launch(name, port, `${place(port)}${settings}`)
    },
    follow: (primary, name, port) => {
      const from = `host=${primary.host} port=${primary.port} user=postgres application_name=${name}`
      run("pg_basebackup", "-D", dataOf(name), "-d", from, "-R", "-X", "stream", "-c", "fast")
      // Its own place is said last, and stands over the one that was copied.
      return launch(name, port, place(port))
    },
    promote: (name) => run("pg_ctl", "-D", dataOf(name), "-w", "promote"),
    stop: () => {
      for (const name of started) {
        try {
          crash(name)
        } catch {
          // It was stopped before.
        }
      }
      fs.rmSync(directory, { recursive: true, force: true })
    }
  }
}
