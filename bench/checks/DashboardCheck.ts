import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import {
  askPanels,
  failingRules,
  prometheusSettings,
  providerSettings,
  startMailServer,
  startModelServer
} from "../support/DashboardQueries.ts"
import { freePorts, isOk, localPrograms, until } from "../support/LocalPrograms.ts"

/**
 * Asks Prometheus the query of every panel of the dashboard, while it scrapes two processes of a gateway under load. Needs
 * `prometheus` and `promtool`. The gateway's providers are two small servers here, so that connections and models have
 * figures too.
 */

const root = path.resolve(import.meta.dirname, "../..")
const directory = fs.mkdtempSync(path.join(os.tmpdir(), "gateway-dashboard-"))
const programs = localPrograms(directory, root)
const scrapeSeconds = 2
const loadSeconds = 60

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
  programs.start(process.execPath, ["launch/gateway.js", "serve"], {
    DATA_DIR: path.join(directory, "data"),
    PORT: String(gatewayPort),
    WORKERS: "2",
    OPERATIONS_PORT: String(operationsPort),
    ...providerSettings(mailPort, modelPort)
  })
  const baseUrl = `http://127.0.0.1:${gatewayPort}`
  await until("the gateway", isOk(`${baseUrl}/health/ready`))
  await until("the second process", isOk(`http://127.0.0.1:${operationsPort + 1}/health/ready`))
  const settings = path.join(directory, "prometheus.yml")
  fs.cpSync(path.join(root, "deploy/prometheus/rules.yml"), path.join(directory, "rules.yml"))
  fs.writeFileSync(settings, prometheusSettings([operationsPort, operationsPort + 1], scrapeSeconds))
  programs.start("prometheus", [
    `--config.file=${settings}`,
    `--storage.tsdb.path=${path.join(directory, "prometheus")}`,
    `--web.listen-address=127.0.0.1:${prometheusPort}`
  ])
  const prometheus = `http://127.0.0.1:${prometheusPort}`
  await until("Prometheus", isOk(`${prometheus}/-/ready`))
  const token = fs.readFileSync(path.join(directory, "data", "owner-token"), "utf8").trim()
  const calls = await callUntil(baseUrl, token, Date.now() + loadSeconds * 1000)
  console.log(`${calls} calls in ${loadSeconds} seconds`)

  const panels = await askPanels(prometheus, scrapeSeconds)
  for (const { error, series, title } of panels) {
    console.log(`${String(series).padStart(3)} series  ${title}${error === undefined ? "" : `: ${error}`}`)
  }
  const empty = panels.filter(({ series }) => series === 0).length
  const broken = await failingRules(prometheus)
  for (const name of broken) console.log(`the rule ${name} fails`)
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
  console.error(`The logs are in ${directory}.`)
  return false
})
await programs.stop()
if (hasPassed) fs.rmSync(directory, { recursive: true, force: true })
process.exit(hasPassed ? 0 : 1)
