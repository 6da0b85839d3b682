import * as fs from "node:fs"
import { createServer } from "node:http"
import * as path from "node:path"
import { SMTPServer } from "smtp-server"

const root = path.resolve(import.meta.dirname, "../..")

/** A model that its provider shuts down in 90 days. It refuses every request to write. */
export const startModelServer = (port: number) => {
  const end = new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 10)
  const server = createServer((request, response) => {
    const isModel = request.method === "GET"
    response.writeHead(isModel ? 200 : 503, { "content-type": "application/json" })
    response.end(isModel ? JSON.stringify({ id: "model-1", object: "model", shutdown_date: end }) : "{}")
  })
  server.listen(port, "127.0.0.1")
  return server
}

export const startMailServer = (port: number) => {
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
const filled = (expression: string, scrapeSeconds: number): string =>
  expression.replaceAll("$__rate_interval", `${scrapeSeconds * 8}s`).replaceAll("$job", ".*")

interface QueryAnswer {
  readonly status: string
  readonly error?: string
  readonly data?: { readonly result: ReadonlyArray<unknown> }
}

export interface PanelAnswer {
  readonly title: string
  readonly series: number
  readonly error: string | undefined
}

/** Asks a Prometheus the query of every panel of the dashboard. */
export const askPanels = async (prometheus: string, scrapeSeconds: number): Promise<ReadonlyArray<PanelAnswer>> => {
  const answers: Array<PanelAnswer> = []
  for (const { targets = [], title } of panelsOf()) {
    for (const { expr } of targets) {
      const query = encodeURIComponent(filled(expr, scrapeSeconds))
      const response = await fetch(`${prometheus}/api/v1/query?query=${query}`)
      const { data, error, status } = (await response.json()) as QueryAnswer
      answers.push({ title, series: status === "success" ? (data?.result.length ?? 0) : 0, error })
    }
  }
  return answers
}

/** The recording and alert rules that the Prometheus cannot evaluate. */
export const failingRules = async (prometheus: string): Promise<ReadonlyArray<string>> => {
  const rules = (await (await fetch(`${prometheus}/api/v1/rules`)).json()) as {
    readonly data: {
      readonly groups: ReadonlyArray<{
        readonly rules: ReadonlyArray<{ readonly name: string; readonly health: string }>
      }>
    }
  }
  return rules.data.groups.flatMap((group) =>
    group.rules.filter(({ health }) => health !== "ok").map(({ name }) => name)
  )
}

/** The settings of a Prometheus that scrapes the ports of this machine, and evaluates the rules next to the file. */
export const prometheusSettings = (ports: ReadonlyArray<number>, scrapeSeconds: number): string =>
  `global: { scrape_interval: ${scrapeSeconds}s, evaluation_interval: ${scrapeSeconds}s }
rule_files: [rules.yml]
scrape_configs:
  - job_name: prospecting-gateway
    static_configs:
      - targets: [${ports.map((port) => `"127.0.0.1:${port}"`).join(", ")}]
`

/** Settings of a gateway whose connections and models have figures too: its providers are the two servers here. */
export const providerSettings = (mailPort: number, modelPort: number) => ({
  SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
  DNS_MODE: "sandbox",
  LANGUAGE_MODEL_URL: `http://127.0.0.1:${modelPort}/v1`,
  LANGUAGE_MODEL: "model-1",
  LANGUAGE_MODEL_API_KEY: "check"
})
