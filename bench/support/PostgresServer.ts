import { spawn, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { setTimeout as pause } from "node:timers/promises"

/** A separate server on the loopback address, with the programs of a folder. */
export interface PostgresServer {
  readonly host: string
  readonly port: number
  /** Ends it like a crash of the machine. */
  readonly crash: () => void
  /** Ends its main process with kill -9. The other processes then end by themselves. */
  readonly kill: () => void
  /** Restarts it after `kill` without blocking this process. */
  readonly startAgain: () => Promise<void>
}

/** The folders and servers of one run. `stop` removes them all. */
export interface PostgresServers {
  readonly directory: string
  readonly start: (name: string, port: number, settings: string) => PostgresServer
  /** A replica of `primary`. */
  readonly follow: (primary: PostgresServer, name: string, port: number) => PostgresServer
  /** Makes a folder that the servers may write, and returns it. */
  readonly folder: (name: string) => string
  /** Copies the files of a running server, as a base of a recovery. */
  readonly copy: (primary: PostgresServer, name: string) => void
  /** Starts a copy that first replays the log in the folder `archive`, up to a time. It may still do so afterwards. */
  readonly recover: (name: string, port: number, archive: string, time: Date) => PostgresServer
  /** Promotes a replica to a primary. */
  readonly promote: (name: string) => void
  readonly stop: () => void
}

const debianFolder = "/usr/lib/postgresql"

/** The programs of the oldest installed server: every later one reads what its `pg_dump` writes. */
export const installedPrograms = (): string => {
  const versions = fs.existsSync(debianFolder) ? fs.readdirSync(debianFolder) : []
  const folder = versions
    .sort((one, other) => Number(one) - Number(other))
    .map((version) => path.join(debianFolder, version, "bin"))
    .find((bin) => ["initdb", "pg_ctl", "pg_dump"].every((name) => fs.existsSync(path.join(bin, name))))
  if (folder === undefined) throw new Error("A server with pg_dump is needed: apt-get install postgresql")
  return folder
}

const mostStarts = 50

/**
 * `bin` contains the programs of a Postgres. Postgres refuses to run as root, so it runs as an unprivileged user then.
 */
export const postgresServers = (bin: string): PostgresServers => {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "gateway-servers-"))
  const asUser = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
  const giveAway = (file: string) => {
    if (process.getuid?.() === 0) fs.chownSync(file, 65534, 65534)
  }
  giveAway(directory)
  const run = (program: string, ...args: ReadonlyArray<string>) => {
    const done = spawnSync(path.join(bin, program), [...args], {
      ...asUser,
      cwd: directory,
      // The programs look for certificates in the home directory, which belongs to another user.
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
    // The killed server's shared memory stays in use until its last session has noticed.
    for (let tries = 0; tries < mostStarts; tries++) {
      const child = spawn(path.join(bin, "pg_ctl"), args, { ...asUser, cwd: directory, stdio: "ignore" })
      if ((await new Promise((resolve) => child.once("exit", resolve))) === 0) return
      await pause(200)
    }
    throw new Error(`${name} does not start again; see its log in ${directory}.`)
  }
  const launch = (name: string, port: number, settings: string): PostgresServer => {
    fs.appendFileSync(path.join(dataOf(name), "postgresql.conf"), settings)
    const log = path.join(directory, `${name}.log`)
    try {
      run("pg_ctl", "-D", dataOf(name), "-l", log, "-w", "start")
    } catch (failure) {
      throw new Error(`${String(failure)}\n${fs.readFileSync(log, "utf8").slice(-2000)}`)
    }
    started.add(name)
    return {
      host: "127.0.0.1",
      port,
      crash: () => crash(name),
      kill: () => kill(name),
      startAgain: () => startAgain(name)
    }
  }
  const sourceOf = ({ host, port }: PostgresServer, name: string): string =>
    `host=${host} port=${port} user=postgres application_name=${name}`
  const place = (port: number): string =>
    `\nport = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '${directory}'\n`
  return {
    directory,
    start: (name, port, settings) => {
      run("initdb", "-D", dataOf(name), "-A", "trust", "-U", "postgres")
      return launch(name, port, `${place(port)}${settings}`)
    },
    follow: (primary, name, port) => {
      run("pg_basebackup", "-D", dataOf(name), "-d", sourceOf(primary, name), "-R", "-X", "stream", "-c", "fast")
      // The last setting of the port overrides the copied one.
      return launch(name, port, place(port))
    },
    folder: (name) => {
      const folder = path.join(directory, name)
      fs.mkdirSync(folder)
      giveAway(folder)
      return folder
    },
    copy: (primary, name) =>
      run("pg_basebackup", "-D", dataOf(name), "-d", sourceOf(primary, name), "-X", "stream", "-c", "fast"),
    recover: (name, port, archive, time) => {
      const request = path.join(dataOf(name), "recovery.signal")
      fs.writeFileSync(request, "")
      giveAway(request)
      return launch(
        name,
        port,
        `${place(port)}archive_mode = off
restore_command = 'cp "${archive}/%f" "%p"'
recovery_target_time = '${time.toISOString().replace("T", " ").replace("Z", "+00")}'
recovery_target_action = promote
`
      )
    },
    promote: (name) => run("pg_ctl", "-D", dataOf(name), "-w", "promote"),
    stop: () => {
      for (const name of started) {
        try {
          crash(name)
        } catch {
          // The server was already stopped.
        }
      }
      fs.rmSync(directory, { recursive: true, force: true })
    }
  }
}
