import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { at, entriesOf, hasProgram, isThere, judge, listOf, root, textOf, unknownSettings, yamlOf } from "./files.ts"

const folder = "deploy/compose"
const [project] = yamlOf(`${folder}/compose.yaml`)
const services = entriesOf(at(project, "services"))

it("every file that a service mounts exists", () => {
  for (const [name, service] of services) {
    for (const volume of listOf(at(service, "volumes")).map(String)) {
      const [source = ""] = volume.split(":")
      if (source.startsWith(".")) assert.isTrue(isThere(path.join(folder, source)), `${name}: ${source}`)
      else assert.property(at(project, "volumes"), source, name)
    }
  }
  assert.isTrue(
    isThere(path.join(folder, String(at(project, "services", "gateway", "build", "context")), "deploy/Containerfile"))
  )
})

it("the gateway's variables are settings, and its secrets are files of declared secrets", () => {
  const variables = entriesOf(at(project, "services", "gateway", "environment"))
  assert.deepStrictEqual(unknownSettings(variables.map(([name]) => name)), [])
  const secrets = new Set(listOf(at(project, "services", "gateway", "secrets")))
  for (const [name, value] of variables) {
    if (name.endsWith("_FILE")) assert.isTrue(secrets.has(path.basename(String(value))), name)
  }
  for (const [name, service] of services) {
    for (const secret of listOf(at(service, "secrets"))) assert.property(at(project, "secrets"), String(secret), name)
  }
})

it("the gateway runs without rights, on a read-only disk, and images have versions", () => {
  const gateway = at(project, "services", "gateway")
  assert.strictEqual(at(gateway, "read_only"), true)
  assert.deepStrictEqual(at(gateway, "cap_drop"), ["ALL"])
  assert.deepStrictEqual(at(gateway, "security_opt"), ["no-new-privileges:true"])
  for (const [name, service] of services) {
    const image = String(at(service, "image"))
    assert.match(image, /:(?:\$\{\w+:-)?v?\d[\w.]*\}?$/, name)
  }
  for (const name of ["postgres", "prometheus"]) {
    assert.deepStrictEqual(at(project, "services", name, "networks"), ["back"], `${name} reaches nothing outside`)
  }
})

it("the script makes each secret once, readable by the container's user only through the folder", () => {
  const copy = fs.mkdtempSync(path.join(os.tmpdir(), "gateway-secrets-"))
  try {
    fs.cpSync(path.join(root, folder, "make-secrets.sh"), path.join(copy, "make-secrets.sh"))
    const run = () => {
      assert.strictEqual(spawnSync("sh", [path.join(copy, "make-secrets.sh")]).status, 0)
      return Object.fromEntries(
        fs
          .readdirSync(path.join(copy, "secrets"))
          .map((name) => [name, fs.readFileSync(path.join(copy, "secrets", name), "utf8")])
      )
    }
    const first = run()
    assert.sameMembers(
      Object.keys(first),
      entriesOf(at(project, "secrets")).map(([name]) => name)
    )
    assert.isAtLeast(String(first["sealing_key"]).trim().length, 32)
    assert.include(first["database_url"], String(first["postgres_password"]).trim())
    assert.deepStrictEqual(run(), first)
    assert.strictEqual(fs.statSync(path.join(copy, "secrets")).mode & 0o777, 0o700)
  } finally {
    fs.rmSync(copy, { recursive: true })
  }
})

it("every variable of the project has a default, or is in the example of .env", () => {
  const example = textOf(`${folder}/.env.example`)
  for (const [, name = "", kind] of textOf(`${folder}/compose.yaml`).matchAll(/\$\{(\w+)(:[-?])/g)) {
    if (kind === ":?") assert.match(example, new RegExp(`^${name}=`, "m"))
  }
})

it("Prometheus reads the port of the gateway's metrics, and Grafana the folder of the dashboard", () => {
  const [prometheus] = yamlOf(`${folder}/prometheus.yml`)
  assert.deepStrictEqual(at(prometheus, "scrape_configs", 0, "static_configs", 0, "targets"), ["gateway:9464"])
  assert.include(textOf("deploy/Containerfile"), "OPERATIONS_PORT=9464")
  const [dashboards] = yamlOf(`${folder}/grafana/dashboards/gateway.yaml`)
  const mounted = listOf(at(project, "services", "grafana", "volumes")).map(String)
  assert.include(mounted, `../grafana:${String(at(dashboards, "providers", 0, "options", "path"))}:ro`)
  const [sources] = yamlOf(`${folder}/grafana/datasources/prometheus.yaml`)
  assert.strictEqual(at(sources, "datasources", 0, "url"), "http://prometheus:9090")
})

describe.skipIf(!hasProgram("docker-compose"))("docker-compose", () => {
  it("accepts the project once the secrets are made", () => {
    const copy = fs.mkdtempSync(path.join(os.tmpdir(), "gateway-compose-"))
    try {
      fs.cpSync(path.join(root, "deploy"), path.join(copy, "deploy"), { recursive: true })
      assert.strictEqual(spawnSync("sh", [path.join(copy, folder, "make-secrets.sh")]).status, 0)
      const project = path.join(copy, folder, "compose.yaml")
      const { code, output } = judge("docker-compose", ["-f", project, "config", "--quiet"], {
        API_HOST: "api.example.com",
        SITE_DOMAIN: "sites.example.com",
        MAIL_DOMAIN: "mail.example.com"
      })
      assert.strictEqual(code, 0, output)
    } finally {
      fs.rmSync(copy, { recursive: true })
    }
  })
})
