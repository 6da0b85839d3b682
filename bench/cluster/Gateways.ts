import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import { connect } from "node:net"
import * as path from "node:path"
import { setTimeout as pause } from "node:timers/promises"

export interface GatewaysOptions {
  /** For logs, data folders and the proxy's socket. */
  readonly directory: string
  readonly count: number
  /** The proxy's port for calls. The next one is for the database, and the gateways use those after it. */
  readonly firstPort: number
  /** The current location of the database, and possible later ones. */
  readonly databases: ReadonlyArray<{ readonly name: string; readonly host: string; readonly port: number }>
  readonly environment: Readonly<Record<string, string>>
}

const proxySettings = (options: GatewaysOptions, gatewayPorts: ReadonlyArray<number>): string => `
global
  stats socket ${path.join(options.directory, "proxy.sock")} level admin
defaults
  timeout connect 2s
  timeout client 120s
  timeout server 120s
frontend calls
  mode http
  bind 127.0.0.1:${options.firstPort}
  default_backend gateways
backend gateways
  mode http
  balance leastconn
  option httpchk GET /health/ready
  http-check expect status 200
  # A call that reached no gateway goes to another one; one that may have been done is the caller's to repeat.
  option redispatch 1
  retries 3
  retry-on conn-failure
${gatewayPorts.map((port, number) => `  server gateway${number} 127.0.0.1:${port} check inter 500ms fall 1 rise 1`).join("\n")}
listen database
  mode tcp
  timeout client 1h
  timeout server 1h
  bind 127.0.0.1:${options.firstPort + 1}
${options.databases.map(({ host, name, port }, at) => `  server ${name} ${host}:${port}${at === 0 ? "" : " disabled"}`).join("\n")}
`

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once("exit", () => resolve())
  })

/** Gateways behind a proxy (HAProxy), with one database that is also behind the proxy. */
export const startGateways = async (options: GatewaysOptions) => {
  const { directory, firstPort } = options
  const ports = Array.from({ length: options.count }, (_, number) => firstPort + 2 + number)
  const settings = path.join(directory, "proxy.cfg")
  fs.writeFileSync(settings, proxySettings(options, ports))
  if (spawnSync("haproxy", ["-c", "-f", settings]).status !== 0)
    throw new Error("haproxy is missing, or takes no such settings.")
  const proxy = spawn("haproxy", ["-f", settings], { stdio: "ignore" })
  const log = fs.openSync(path.join(directory, "gateways.log"), "a")

  const launch = (port: number): ChildProcess =>
    spawn(process.execPath, ["launch/gateway.js", "serve"], {
      env: {
        ...process.env,
        NODE_ENV: "production",
        LOG_LEVEL: "WARN",
        // The proxy checks twice a second.
        STOP_DELAY_SECONDS: "2",
        ...options.environment,
        DATABASE_URL: `postgres://postgres@127.0.0.1:${firstPort + 1}/gateway`,
        DATA_DIR: path.join(directory, `gateway${port}`),
        BASE_URL: `http://127.0.0.1:${firstPort}`,
        PORT: `${port}`
      },
      stdio: ["ignore", log, log]
    })
  const isReady = (port: number): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/health/ready`).then(
      ({ ok }) => ok,
      () => false
    )
  const untilReady = async (at: number): Promise<void> => {
    const port = ports[at] ?? 0
    for (let tries = 0; tries < 1200; tries++) {
      if (await isReady(port)) return
      await pause(100)
    }
    throw new Error(`The gateway on ${port} is not ready; see ${directory}/gateways.log.`)
  }
  const running = ports.map(launch)
  const stop = async (): Promise<void> => {
    for (const child of running) child.kill("SIGKILL")
    await Promise.all(running.map(ended))
    proxy.kill("SIGTERM")
    await ended(proxy)
    fs.closeSync(log)
  }
  await Promise.all(ports.map((_, at) => untilReady(at))).catch(async (cause: unknown) => {
    await stop()
    throw cause
  })

  const end = async (at: number, signal: "SIGKILL" | "SIGTERM"): Promise<void> => {
    const child = running[at]
    if (child === undefined) return
    child.kill(signal)
    await ended(child)
  }
  const startAgain = (at: number): void => {
    running[at] = launch(ports[at] ?? 0)
  }
  /** Sends a command to the proxy. */
  const order = (line: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(path.join(directory, "proxy.sock"), () => socket.end(`${line}\n`))
      socket.on("error", reject)
      socket.on("close", () => resolve())
      socket.resume()
    })
  return {
    url: `http://127.0.0.1:${firstPort}`,
    end,
    startAgain,
    untilReady,
    /** Directs new database sessions to `name` and ends those to other servers. */
    leadDatabaseTo: async (name: string) => {
      for (const other of options.databases) {
        await order(`set server database/${other.name} state ${other.name === name ? "ready" : "maint"}`)
        if (other.name !== name) await order(`shutdown sessions server database/${other.name}`)
      }
    },
    stop
  }
}
