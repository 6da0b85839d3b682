import { execFile, execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { collectDefaultMetrics, Registry } from "prom-client"
import { at, hasProgram, judge, listOf, root, textOf, yamlOf } from "./files.ts"

const [rules] = yamlOf("deploy/prometheus/rules.yml")
const allRules = listOf(at(rules, "groups")).flatMap((group) => listOf(at(group, "rules")))
const alerts = allRules.filter((rule) => at(rule, "alert") !== undefined)
const recorded = allRules.flatMap((rule) => (at(rule, "record") === undefined ? [] : [String(at(rule, "record"))]))

const dashboard: unknown = JSON.parse(textOf("deploy/grafana/dashboard.json"))
const panels = listOf(at(dashboard, "panels"))
const queries = panels.flatMap((panel) => listOf(at(panel, "targets")).map((target) => String(at(target, "expr"))))

const caseFiles = ["deploy/prometheus/rules.test.yml", "deploy/prometheus/days.test.yml"]

/** The names of metrics that the gateway publishes. */
const publishedMetrics = (): ReadonlySet<string> => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: "gateway_" })
  const names = registry.getMetricsAsArray().map(({ name }) => name)
  const sources = execFileSync("git", ["grep", "-hoE", '"gateway_[a-z_]+"', "--", "src"], {
    cwd: root,
    encoding: "utf8"
  })
  const gatewayNames = sources.split("\n").map((line) => line.replaceAll('"', ""))
  return new Set([...names, ...gatewayNames])
}

const metricsIn = (expression: string): ReadonlyArray<string> =>
  [...expression.matchAll(/\bgateway_[a-z0-9_]+/g)].map(([name]) => name.replace(/_(?:bucket|sum|count)$/, ""))

it("rules and panels use metrics that the gateway publishes, and rules that exist", () => {
  const published = publishedMetrics()
  const expressions = [...allRules.map((rule) => String(at(rule, "expr"))), ...queries]
  for (const expression of expressions) {
    for (const name of metricsIn(expression)) assert.isTrue(published.has(name), name)
    for (const [name] of expression.matchAll(/\bgateway:[a-z0-9_:]+/g)) assert.include(recorded, name)
  }
})

it("each metric that only the gateway has is on the dashboard or in an alert", () => {
  const gatewayNames = [...publishedMetrics()].filter((name) => !/^gateway_(?:nodejs|process)_/.test(name))
  const used = new Set([...allRules.map((rule) => String(at(rule, "expr"))), ...queries].flatMap(metricsIn))
  // Names of a table and of a channel, and when a connection changed, which the page of health shows.
  const others = [
    "gateway_migration",
    "gateway_restore",
    "gateway_activity",
    "gateway_outside_connection_since_timestamp_seconds",
    ""
  ]
  assert.deepStrictEqual(
    gatewayNames.filter((name) => !used.has(name) && !others.includes(name)),
    []
  )
})

it("every alert has a runbook with three chapters, and every runbook an alert", () => {
  const named = new Set(alerts.map((alert) => String(at(alert, "annotations", "runbook"))))
  const present = fs.readdirSync(path.join(root, "docs/runbooks")).map((file) => `docs/runbooks/${file}`)
  assert.sameMembers([...named], present)
  for (const file of present) {
    const headings = [...textOf(file).matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)
    assert.deepStrictEqual(headings, ["What it means", "How to look", "What to do"], file)
  }
  const guide = textOf("docs/deploy/monitoring.md")
  for (const alert of alerts) {
    assert.include(guide, `\`${String(at(alert, "alert"))}\``)
    assert.match(String(at(alert, "labels", "severity")), /^(?:critical|warning|info)$/)
    assert.isString(at(alert, "annotations", "summary"))
  }
})

it("every alert is tested by a case in which it fires", () => {
  const firing = caseFiles
    .flatMap((file) => yamlOf(file))
    .flatMap((cases) => listOf(at(cases, "tests")))
    .flatMap((one) => listOf(at(one, "alert_rule_test")))
    .filter((one) => listOf(at(one, "exp_alerts")).length > 0)
    .map((one) => at(one, "alertname"))
  assert.sameMembers(
    [...new Set(firing)],
    alerts.map((alert) => at(alert, "alert"))
  )
})

it("panels have titles, descriptions and places that do not overlap", () => {
  const places = panels.map((panel) => ({
    title: String(at(panel, "title")),
    x: Number(at(panel, "gridPos", "x")),
    y: Number(at(panel, "gridPos", "y")),
    w: Number(at(panel, "gridPos", "w")),
    h: Number(at(panel, "gridPos", "h"))
  }))
  for (const [index, one] of places.entries()) {
    assert.isAtMost(one.x + one.w, 24, one.title)
    for (const other of places.slice(index + 1)) {
      const overlaps =
        one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h
      assert.isFalse(overlaps, `${one.title} and ${other.title}`)
    }
  }
  const ids = panels.map((panel) => at(panel, "id"))
  assert.strictEqual(new Set(ids).size, ids.length)
  for (const panel of panels.filter((one) => at(one, "type") !== "row")) assert.isNotEmpty(at(panel, "description"))
})

describe.skipIf(!hasProgram("promtool"))("promtool", () => {
  it("accepts the rules, and their tests pass", async () => {
    const checked = judge("promtool", ["check", "rules", "deploy/prometheus/rules.yml"])
    assert.strictEqual(checked.code, 0, checked.output)
    // It fails unless all tests pass.
    await promisify(execFile)("promtool", ["test", "rules", ...caseFiles], { cwd: root })
  })
})
