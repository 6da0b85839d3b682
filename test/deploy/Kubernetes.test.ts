import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Ajv } from "ajv"
import { at, entriesOf, hasProgram, isThere, judge, listOf, root, textOf, unknownSettings, yamlOf } from "./files.ts"
import { manifestSchemas } from "./manifestSchemas.ts"

const base = "deploy/kubernetes/base"
const monitoring = "deploy/kubernetes/monitoring"

const resourcesOf = (folder: string): ReadonlyArray<string> =>
  listOf(at(yamlOf(`${folder}/kustomization.yaml`)[0], "resources")).map(String)

const files = [
  ...resourcesOf(base).map((file) => `${base}/${file}`),
  ...resourcesOf(monitoring)
    .filter((file) => file.endsWith(".yaml"))
    .map((file) => `${monitoring}/${file}`)
]
const manifests = files.flatMap((file) => yamlOf(file).map((manifest) => ({ file, manifest })))
const ofKind = (kind: string) =>
  manifests.filter(({ manifest }) => at(manifest, "kind") === kind).map(({ manifest }) => manifest)

/** The template of the pods of a Deployment, Job or CronJob. */
const podOf = (manifest: unknown): unknown =>
  at(manifest, "kind") === "CronJob"
    ? at(manifest, "spec", "jobTemplate", "spec", "template")
    : at(manifest, "spec", "template")

const workloads = ["Deployment", "Job", "CronJob"].flatMap(ofKind)
const containers = workloads.flatMap((manifest) => listOf(at(podOf(manifest), "spec", "containers")))

it("every file is listed, and every listed file exists", () => {
  for (const file of files) assert.isTrue(isThere(file), file)
  const present = fs
    .readdirSync(path.join(root, base))
    .filter((file) => file.endsWith(".yaml") && file !== "kustomization.yaml")
  assert.sameMembers([...resourcesOf(base)], present)
})

const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true })
for (const { file, manifest } of manifests) {
  const kind = String(at(manifest, "kind"))
  it(`${path.basename(file)}: the ${kind} has the fields of its version, and no other`, () => {
    const schema = manifestSchemas[`${String(at(manifest, "apiVersion"))}/${kind}`]
    assert.isDefined(schema, `there is no schema of ${String(at(manifest, "apiVersion"))}/${kind}`)
    const check = ajv.compile(schema ?? {})
    assert.isTrue(check(manifest), ajv.errorsText(check.errors))
  })
}

it("a schema refuses a field that does not exist, and a value of another type", () => {
  const [deployment] = ofKind("Deployment")
  const check = ajv.compile(manifestSchemas["apps/v1/Deployment"] ?? {})
  const changed = (path: ReadonlyArray<string>, value: unknown): unknown => {
    const copy = structuredClone(deployment)
    const parent = at(copy, ...path.slice(0, -1))
    if (typeof parent === "object" && parent !== null) Reflect.set(parent, path.at(-1) ?? "", value)
    return copy
  }
  assert.isTrue(check(deployment))
  assert.isFalse(check(changed(["spec", "replica"], 2)))
  assert.isFalse(check(changed(["spec", "replicas"], "2")))
  assert.isFalse(check(changed(["spec", "template", "spec", "containers"], [])))
})

it("all pods run without rights, on a read-only disk, with the gateway's settings and secrets", () => {
  assert.lengthOf(containers, 3)
  for (const manifest of workloads) {
    const pod = at(podOf(manifest), "spec")
    assert.strictEqual(at(pod, "securityContext", "runAsNonRoot"), true)
    assert.strictEqual(at(pod, "securityContext", "runAsUser"), 10_001)
    assert.strictEqual(at(pod, "securityContext", "seccompProfile", "type"), "RuntimeDefault")
    const volumes = listOf(at(pod, "volumes")).map((volume) => at(volume, "name"))
    for (const container of listOf(at(pod, "containers"))) {
      assert.strictEqual(at(container, "securityContext", "readOnlyRootFilesystem"), true)
      assert.strictEqual(at(container, "securityContext", "allowPrivilegeEscalation"), false)
      assert.deepStrictEqual(at(container, "securityContext", "capabilities", "drop"), ["ALL"])
      assert.strictEqual(at(container, "envFrom", 0, "configMapRef", "name"), "gateway-settings")
      for (const mount of listOf(at(container, "volumeMounts"))) assert.include(volumes, at(mount, "name"))
      const variables = listOf(at(container, "env")).map((variable) => String(at(variable, "name")))
      assert.deepStrictEqual(unknownSettings(variables), [])
    }
  }
})

it("the settings are known, and their secrets are keys that the guide creates", () => {
  const pairs = textOf(`${base}/settings.env`)
    .trim()
    .split("\n")
    .map((line) => line.split("="))
  assert.deepStrictEqual(unknownSettings(pairs.map(([name = ""]) => name)), [])
  const guide = textOf("docs/deploy/kubernetes.md")
  for (const [name = "", value = ""] of pairs) {
    if (name.endsWith("_FILE")) assert.include(guide, `--from-file=${path.basename(value)}`)
  }
})

it("selectors, ports, probes and budgets mean the same pods", () => {
  const [deployment] = ofKind("Deployment")
  const [service] = ofKind("Service")
  const labels = at(podOf(deployment), "metadata", "labels")
  const component = { "app.kubernetes.io/component": "gateway" }
  assert.deepStrictEqual(labels, component)
  assert.deepStrictEqual(at(deployment, "spec", "selector", "matchLabels"), component)
  assert.deepStrictEqual(at(service, "spec", "selector"), component)
  assert.deepStrictEqual(at(ofKind("PodDisruptionBudget")[0], "spec", "selector", "matchLabels"), component)
  const container = at(podOf(deployment), "spec", "containers", 0)
  const ports = Object.fromEntries(
    listOf(at(container, "ports")).map((port) => [String(at(port, "name")), at(port, "containerPort")])
  )
  assert.deepStrictEqual(ports, { http: 8080, operations: 9464 })
  for (const name of ["http", "operations"]) assert.include(textOf("deploy/Containerfile"), String(ports[name]))
  assert.strictEqual(at(container, "livenessProbe", "httpGet", "path"), "/health/live")
  assert.strictEqual(at(container, "readinessProbe", "httpGet", "path"), "/health/ready")
  const stopDelay = Number(/^STOP_DELAY_SECONDS=(\d+)$/m.exec(textOf(`${base}/settings.env`))?.[1])
  const preStop = Number(at(container, "lifecycle", "preStop", "exec", "command", 1))
  // The gateway answers requests in flight for 25 seconds.
  assert.isAbove(Number(at(podOf(deployment), "spec", "terminationGracePeriodSeconds")), preStop + stopDelay + 25)
  assert.isAbove(entriesOf(at(ofKind("Ingress")[0], "metadata", "annotations")).length, 0)
})

describe.skipIf(!hasProgram("kubectl", "version", "--client"))("kubectl", () => {
  for (const folder of [base, monitoring]) {
    it(`builds ${folder}`, () => {
      const { code, output } = judge("kubectl", ["kustomize", folder])
      assert.strictEqual(code, 0, output)
      assert.include(output, "image: prospecting-gateway:1.0.0")
    })
  }
})
