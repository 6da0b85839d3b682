import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import { createServer } from "node:http"
import { createServer as createTcpServer } from "node:net"
import * as os from "node:os"
import * as path from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { SMTPServer } from "smtp-server"

/**
 * Asks Prometheus the query of every panel of the dashboard, while it scrapes two processes of a gateway under load. Needs
 * `prometheus` and `promtool`. The gateway's providers are two small servers here, so that connections and models have
 * figures too.
 */

const root = path.resolve(import.meta.dirname, "../..")
const directory = fs.mkdtempSync(path.join(os.tmpdir(), "gateway-dashboard-"))
const children: Array<ChildProcess> = []
const scrapeSeconds = 2
const loadSeconds = 60

const freePorts = async (count: number): Promise<number> => {
  for (let first = 21_000 + (process.pid % 1000); ; first += 16) {
    const tries = await Promise.all(
      Array.from(
        { length: count },
        (_, at) =>
          new Promise<boolean>((resolve) => {
            const probe = createTcpServer()
            probe.once("error", () => resolve(false))
            probe.listen(first + at, "127.0.0.1", () => probe.close(() => resolve(true)))
          })
      )
    )
    if (tries.every((isFree) => isFree)) return first
  }
}

const start = (program: string, args: ReadonlyArray<string>, environment: Readonly<Record<string, string>> = {}) => {
  const log = fs.openSync(path.join(directory, `${path.basename(program)}.log`), "a")
  const child = spawn(program, [...args], {
    cwd: root,
    env: { PATH: process.env["PATH"], HOME: directory, ...environment },
    stdio: ["ignore", log, log]
  })
  children.push(child)
  return child
}

const until = async (name: string, isSo: () => Promise<boolean>, seconds = 120): Promise<void> => {
  for (let tries = 0; tries < seconds * 5; tries++) {
    if (await isSo().catch(() => false)) return
    await pause(200)
  }
  throw new Error(`${name}: not within ${seconds} seconds; the logs are in ${directory}`)
}

const isOk = (url: string) => async () => (await fetch(url)).ok

/** A model that its provider shuts down in 90 days. It refuses every request to write. */
const startModelServer = (port: number) => {
  const end = new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 10)
  const server = createServer((request, response) => {
    const isModel = request.method === "GET"
    response.writeHead(isModel ? 200 : 503, { "content-type": "application/json" })
    response.end(isModel ? JSON.stringify({ id: "model-1", object: "model", shutdown_date: end }) : "{}")
  })
  server.listen(port, "127.0.0.1")
  return server
}

const startMailServer = (port: number) => {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData: (stream, _session, callback) => {
      stream.on("data", () => {})
      stream.on("end", () => callback(null, "2.0.0 Ok"))
    }
  })
  server.on("error", () => {})
  server.listen(port, "127.0.0.1")
  return server
}

interface Panel {
  readonly title: string
  readonly targets?: ReadonlyArray<{ readonly expr: string }>
}

const panelsOf = (): ReadonlyArray<Panel> => {
  const dashboard = JSON.parse(fs.readFileSync(path.join(root, "deploy/grafana/dashboard.json"), "utf8")) as {
    readonly panels: ReadonlyArray<Panel>
  }
  return dashboard.panels
}

/** As Grafana fills its variables in. */
const filled = (expression: string): string =>
  expression.replaceAll("$__rate_interval", `${scrapeSeconds * 8}s`).replaceAll("$job", ".*")

interface QueryAnswer {
  readonly status: string
  readonly error?: string
  readonly data?: { readonly result: ReadonlyArray<unknown> }
}

const ask = async (prometheus: string, expression: string): Promise<QueryAnswer> => {
  const response = await fetch(`${prometheus}/api/v1/query?query=${encodeURIComponent(filled(expression))}`)
  return (await response.json()) as QueryAnswer
}

/** Reads, writes, refusals, and requests of an agent, until the time is over. */
const callUntil = async (baseUrl: string, token: string, end: number): Promise<number> => {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  const tool = (name: string, args: object) =>
    fetch(`${baseUrl}/rest/v1/tools/${name}`, { method: "POST", headers, body: JSON.stringify(args) }).then(
      (response) => response.text()
    )
  let calls = 0
  while (Date.now() < end) {
    await Promise.all([
      tool("whoami", {}),
      tool("search_leads", { query: "souza" }),
      tool("get_lead", { lead_id: 999_999 }),
      tool("register_lead", { name: `Lead ${calls}`, email: `lead${calls}@example.org` }),
      fetch(`${baseUrl}/mcp`, {
        method: "POST",
        headers: { ...headers, accept: "application/json, text/event-stream" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })
      }).then((response) => response.text())
    ])
    calls += 5
  }
  return calls
}

const check = async (): Promise<boolean> => {
  const port = await freePorts(6)
  const [gatewayPort, operationsPort, modelPort, mailPort, prometheusPort] = [
    port,
    port + 1,
    port + 3,
    port + 4,
    port + 5
  ]
  const servers = [startModelServer(modelPort), startMailServer(mailPort)]
  start(process.execPath, ["launch/gateway.js", "serve"], {
    DATA_DIR: path.join(directory, "data"),
    PORT: String(gatewayPort),
    WORKERS: "2",
    OPERATIONS_PORT: String(operationsPort),
    SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
    DNS_MODE: "sandbox",
    LANGUAGE_MODEL_URL: `http://127.0.0.1:${modelPort}/v1`,
    LANGUAGE_MODEL: "model-1",
    LANGUAGE_MODEL_API_KEY: "check"
  })
  const baseUrl = `http://127.0.0.1:${gatewayPort}`
  await until("the gateway", isOk(`${baseUrl}/health/ready`))
  await until("the second process", isOk(`http://127.0.0.1:${operationsPort + 1}/health/ready`))
  const settings = path.join(directory, "prometheus.yml")
  fs.cpSync(path.join(root, "deploy/prometheus/rules.yml"), path.join(directory, "rules.yml"))
  fs.writeFileSync(
    settings,
    `global: { scrape_interval: ${scrapeSeconds}s, evaluation_interval: ${scrapeSeconds}s }
rule_files: [rules.yml]
scrape_configs:
  - job_name: prospecting-gateway
    static_configs:
      - targets: ["127.0.0.1:${operationsPort}", "127.0.0.1:${operationsPort + 1}"]
`
  )
  start("prometheus", [
    `--config.file=${settings}`,
    `--storage.tsdb.path=${path.join(directory, "prometheus")}`,
    `--web.listen-address=127.0.0.1:${prometheusPort}`
  ])
  const prometheus = `http://127.0.0.1:${prometheusPort}`
  await until("Prometheus", isOk(`${prometheus}/-/ready`))
  const token = fs.readFileSync(path.join(directory, "data", "owner-token"), "utf8").trim()
  const calls = await callUntil(baseUrl, token, Date.now() + loadSeconds * 1000)
  console.log(`${calls} calls in ${loadSeconds} seconds`)

  let empty = 0
  for (const { targets = [], title } of panelsOf()) {
    for (const { expr } of targets) {
      const { data, error, status } = await ask(prometheus, expr)
      const series = data?.result.length ?? 0
      if (status !== "success" || series === 0) empty++
      console.log(`${String(series).padStart(3)} series  ${title}${error === undefined ? "" : `: ${error}`}`)
    }
  }
  const rules = (await (await fetch(`${prometheus}/api/v1/rules`)).json()) as {
    readonly data: {
      readonly groups: ReadonlyArray<{
        readonly rules: ReadonlyArray<{ readonly name: string; readonly health: string }>
      }>
    }
  }
  const broken = rules.data.groups.flatMap((group) => group.rules).filter(({ health }) => health !== "ok")
  for (const { name } of broken) console.log(`the rule ${name} fails`)
  for (const server of servers) server.close()
  console.log(empty === 0 ? "every query returned data" : `${empty} queries returned nothing`)
  return empty === 0 && broken.length === 0
}

if (spawnSync("prometheus", ["--version"]).error !== undefined) {
  console.error("This check needs Prometheus: apt-get install --no-install-recommends prometheus")
  process.exit(2)
}
const hasPassed = await check().catch((error: unknown) => {
  console.error(error)
  return false
})
for (const child of children.reverse()) {
  child.kill("SIGTERM")
  if (child.exitCode === null) await new Promise((resolve) => child.once("exit", resolve))
}
if (hasPassed) fs.rmSync(directory, { recursive: true, force: true })
process.exit(hasPassed ? 0 : 1)
