import { execFileSync, spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { parseArgs } from "node:util"
import {
  askPanels,
  failingRules,
  prometheusSettings,
  providerSettings,
  startMailServer,
  startModelServer
} from "../support/DashboardQueries.ts"
import { freePorts, isOk, localPrograms, until } from "../support/LocalPrograms.ts"
import { installedPrograms, type PostgresServer, postgresServers } from "../support/PostgresServer.ts"
import { conditions, table } from "../support/Report.ts"
import { type Acknowledged, type CallTarget, repeatCalls, startCalls, startOtherCalls } from "./AcknowledgedCalls.ts"
import { archiveLog, databaseName, isRecovered, lostLeads, urlOf, withSession } from "./Checks.ts"
import {
  type ContainerSettings,
  exitCodeOf,
  type GatewayContainer,
  logOf,
  removeContainer,
  runInContainer,
  startContainer,
  volumeFolder
} from "./Containers.ts"
import { apiHost, proxyFiles } from "./Proxy.ts"

/**
 * An operator's afternoon: two gateways in containers behind HAProxy, with a PostgreSQL that archives its log. Calls never
 * stop while both are upgraded, a backup is made and one gateway is killed. Then the database server is lost, and its state
 * is restored twice: from the backup, and to the time of the kill. Fails if an acknowledged call is lost.
 */

const root = path.resolve(import.meta.dirname, "../..")
const directory = fs.mkdtempSync(path.join(os.tmpdir(), "gateway-afternoon-"))
// Users of containers and of the database server enter it.
fs.chmodSync(directory, 0o755)
const scrapeSeconds = 2
const clients = 8

const { values: options } = parseArgs({ options: { image: { type: "string" }, seconds: { type: "string" } } })
/** Seconds of each phase. */
const phaseSeconds = Number(options.seconds ?? 15)

const rows: Array<ReadonlyArray<string>> = []
const problems: Array<string> = []
const began = Date.now()

const report = (step: string, detail: string) => {
  const seconds = String(Math.round((Date.now() - began) / 1000))
  rows.push([step, detail, seconds])
  console.log(`${seconds.padStart(4)} s  ${step}: ${detail}`)
}

/** A finding that must hold. */
const expect = (holds: boolean, problem: string) => {
  if (holds) return
  problems.push(problem)
  console.log(`FAILED: ${problem}`)
}

const requiredPrograms = ["podman", "haproxy", "prometheus", "openssl"]
const missing = requiredPrograms.filter((name) => spawnSync("which", [name]).status !== 0)
if (missing.length > 0) {
  console.error(
    `This check needs ${missing.join(", ")}: apt-get install podman runc buildah debootstrap haproxy prometheus`
  )
  process.exit(2)
}

const programs = localPrograms(directory, root)
const servers = postgresServers(installedPrograms())
const names = ["afternoon-1", "afternoon-2"] as const

/** Builds the image, and one of the same contents under the next version, to upgrade to. */
const makeImages = () => {
  const image = options.image ?? execFileSync(path.join(root, "bench/afternoon/image.sh"), { encoding: "utf8" }).trim()
  const buildah = (...args: ReadonlyArray<string>) => execFileSync("buildah", args, { encoding: "utf8" }).trim()
  const container = buildah("from", image)
  buildah("config", "--label", "org.opencontainers.image.version=next", container)
  const next = "localhost/prospecting-gateway:next"
  buildah("commit", "--quiet", "--format", "docker", container, next)
  buildah("rm", container)
  return { image, next }
}

const secrets = {
  sealing_key: randomBytes(32).toString("base64"),
  backup_passphrase: randomBytes(24).toString("base64")
}

const ports = async () => {
  const first = await freePorts(16)
  const at = (offset: number) => first + offset
  return {
    gateways: [at(0), at(1)] as const,
    /** The second gateway has two processes. */
    operations: [at(2), at(3), at(4)] as const,
    secure: at(5),
    plain: at(6),
    prometheus: at(7),
    model: at(8),
    mail: at(9),
    databases: [at(10), at(11), at(12)] as const
  }
}
type Ports = Awaited<ReturnType<typeof ports>>

/** The settings of one of the two gateways, on a database. */
const settingsOf = (which: 0 | 1, image: string, at: Ports, database: PostgresServer): ContainerSettings => ({
  image,
  environment: {
    HOST: "127.0.0.1",
    PORT: String(at.gateways[which]),
    OPERATIONS_HOST: "127.0.0.1",
    OPERATIONS_PORT: String(at.operations[which]),
    WORKERS: which === 0 ? "1" : "2",
    BASE_URL: `https://${apiHost}:${at.secure}`,
    TRUSTED_PROXIES: "127.0.0.1",
    STOP_DELAY_SECONDS: "3",
    DATABASE_POOL_SIZE: "5",
    OUTBOUND_ALLOW_LOOPBACK: "true",
    BACKUP_DIR: "/backups",
    ...providerSettings(at.mail, at.model)
  },
  secrets: { ...secrets, database_url: urlOf(database) },
  volumes: {
    "/data": volumeFolder(path.join(directory, `data-${which}`)),
    "/backups": volumeFolder(path.join(directory, "backups"))
  }
})

const readyUrl = (port: number): string => `http://127.0.0.1:${port}/health/ready`

const isServing = (which: 0 | 1, at: Ports) => async () => {
  const processes = which === 0 ? [at.operations[0]] : [at.operations[1], at.operations[2]]
  const answers = await Promise.all([at.gateways[which], ...processes].map((port) => isOk(readyUrl(port))()))
  return answers.every(Boolean)
}

const startGateway = async (which: 0 | 1, image: string, at: Ports, database: PostgresServer) => {
  const settings = settingsOf(which, image, at, database)
  const container = await startContainer(names[which], path.join(directory, `secrets-${which}`), settings)
  await until(`gateway ${which + 1}`, isServing(which, at))
  return container
}

const startDatabase = async (at: Ports) => {
  const archive = servers.folder("archive")
  const database = servers.start(
    "primary",
    at.databases[0],
    `archive_mode = on\narchive_command = 'test ! -f "${archive}/%f" && cp "%p" "${archive}/%f"'\nmax_connections = 200\n`
  )
  await withSession(database, (client) => client.query(`create database ${databaseName}`), "postgres")
  return { archive, database }
}

const startMonitoring = async (at: Ports) => {
  const settings = path.join(directory, "prometheus.yml")
  fs.cpSync(path.join(root, "deploy/prometheus/rules.yml"), path.join(directory, "rules.yml"))
  fs.writeFileSync(settings, prometheusSettings(at.operations, scrapeSeconds))
  programs.start("prometheus", [
    `--config.file=${settings}`,
    `--storage.tsdb.path=${path.join(directory, "prometheus")}`,
    `--web.listen-address=127.0.0.1:${at.prometheus}`
  ])
  await until("Prometheus", isOk(`http://127.0.0.1:${at.prometheus}/-/ready`))
}

type Calls = ReturnType<typeof startCalls>

const triesIn = (calls: Calls, phase: string) => calls.failures.filter((failure) => failure.phase === phase)

/** Shows what was acknowledged and what had to be repeated in a phase. */
const reportCalls = (calls: Calls, phase: string, from: number) => {
  const answered = calls.acknowledged.filter(({ at }) => at >= from).length
  const failures = triesIn(calls, phase)
  const kinds = [...new Set(failures.map(({ reason }) => reason.slice(0, 80)))].join("; ")
  report(phase, `${answered} calls acknowledged, ${failures.length} tries failed${kinds === "" ? "" : ` (${kinds})`}`)
  return failures.length
}

/** Replaces both gateways one after the other, then renews the processes of the second one by its signal. */
const upgrade = async (
  calls: Calls,
  gateways: ReadonlyArray<GatewayContainer>,
  next: string,
  at: Ports,
  database: PostgresServer
) => {
  const from = Date.now()
  calls.enter("upgrade")
  const replaced: Array<GatewayContainer> = []
  for (const which of [0, 1] as const) {
    await gateways[which]?.stop()
    replaced.push(await startGateway(which, next, at, database))
    // The proxy looks once a second.
    await pause(3000)
  }
  await replaced[1]?.signal("HUP")
  await until("the renewal", async () => (await logOf(names[1])).includes("all workers were replaced"))
  await pause(2000)
  expect(reportCalls(calls, "upgrade", from) === 0, "a call failed during the upgrade")
  return replaced
}

const killOne = async (calls: Calls, gateway: GatewayContainer, at: Ports): Promise<number> => {
  const from = Date.now()
  calls.enter("kill")
  await gateway.signal("KILL")
  await pause(phaseSeconds * 1000)
  const code = await exitCodeOf(gateway.name)
  await gateway.startAgain()
  await until("the killed gateway", isServing(0, at))
  reportCalls(calls, "kill", from)
  report("kill", `exit code ${code}, started again`)
  return from
}

/** Compares a restored server with what was acknowledged up to a time. */
const checkRestored = async (
  name: string,
  server: PostgresServer,
  acknowledged: ReadonlyArray<Acknowledged>,
  time: number
) => {
  const before = acknowledged.filter(({ at }) => at <= time)
  const lost = await lostLeads(server, before)
  const laterOnes = acknowledged.filter(({ at }) => at > time)
  const alsoThere = laterOnes.length - (await lostLeads(server, laterOnes)).length
  report(
    name,
    `${before.length - lost.length} of ${before.length} acknowledged before are there, ${alsoThere} of ${laterOnes.length} later ones`
  )
  expect(before.length > 0 && lost.length === 0, `${name}: ${lost.length} acknowledged calls are lost`)
}

const showDashboard = async (target: CallTarget, at: Ports) => {
  const prometheus = `http://127.0.0.1:${at.prometheus}`
  const calls = startCalls(target, 4)
  const stopOthers = startOtherCalls(target)
  await pause(phaseSeconds * 2000)
  const panels = await askPanels(prometheus, scrapeSeconds)
  await calls.stop()
  await stopOthers()
  const empty = panels.filter(({ series }) => series === 0).map(({ title }) => title)
  report("dashboard", `${panels.length - empty.length} of ${panels.length} queries return data`)
  expect(empty.length === 0, `queries without data: ${empty.join(", ")}`)
  const broken = await failingRules(prometheus)
  expect(broken.length === 0, `rules that fail: ${broken.join(", ")}`)
  const query = encodeURIComponent('count(min_over_time(up{job="prospecting-gateway"}[1h]) == 0)')
  const answer = await (await fetch(`${prometheus}/api/v1/query?query=${query}`)).text()
  expect(answer.includes('"result":[{'), "Prometheus saw no gateway go away")
}

const run = async () => {
  const { image, next } = makeImages()
  report("image", image)
  const at = await ports()
  const providers = [startModelServer(at.model), startMailServer(at.mail)]
  const { archive, database } = await startDatabase(at)
  const migration = settingsOf(0, image, at, database)
  report("migrate", await runInContainer(path.join(directory, "secrets-migrate"), migration, "migrate"))
  let gateways: ReadonlyArray<GatewayContainer> = [await startGateway(0, image, at, database)]
  gateways = [...gateways, await startGateway(1, image, at, database)]
  await Promise.all(gateways.map((gateway) => checkContainer(gateway)))
  const { certificate, settings } = proxyFiles(directory, path.join(root, "deploy/proxies/haproxy.cfg"), at)
  programs.start("haproxy", ["-db", "-f", settings])
  await startMonitoring(at)
  const token = fs.readFileSync(path.join(directory, "data-0", "owner-token"), "utf8").trim()
  const target: CallTarget = { port: at.secure, host: apiHost, certificate, token }
  await pause(3000)

  const calls = startCalls(target, clients)
  calls.enter("load")
  const loadFrom = Date.now()
  await pause(phaseSeconds * 1000)
  expect(reportCalls(calls, "load", loadFrom) === 0, "a call failed before anything happened")
  gateways = await upgrade(calls, gateways, next, at, database)

  const [first, second] = gateways
  if (first === undefined || second === undefined) throw new Error("two gateways are needed")
  calls.enter("backup")
  const backupTime = Date.now()
  const created = await second.run("backup", "create")
  const backup = /^(\d{8}T\d{6}Z-[0-9a-f]{8})\b/m.exec(created)?.[1] ?? ""
  servers.copy(database, "recovered")
  await pause(phaseSeconds * 1000)
  expect(reportCalls(calls, "backup", backupTime) === 0, "a call failed during the backup")
  const killTime = await killOne(calls, first, at)
  await archiveLog(database)
  calls.enter("end")
  await calls.stop()
  const lost = await lostLeads(database, calls.acknowledged)
  report(
    "before the restore",
    `${calls.acknowledged.length - lost.length} of ${calls.acknowledged.length} acknowledged leads are there once`
  )
  expect(lost.length === 0, `${lost.length} acknowledged calls are lost`)

  for (const gateway of gateways) await gateway.stop()
  database.crash()
  const fresh = servers.start("restored", at.databases[1], "max_connections = 200\n")
  await withSession(fresh, (client) => client.query(`create database ${databaseName}`), "postgres")
  const { volumes, ...restoring } = settingsOf(1, next, at, fresh)
  const emptied = { ...volumes, "/data": volumeFolder(path.join(directory, "data-restore")) }
  const folder = path.join(directory, "secrets-restore")
  await runInContainer(folder, { ...restoring, volumes: emptied }, "backup", "restore", "--backup", backup)
  await checkRestored("restore of the backup", fresh, calls.acknowledged, backupTime)
  const recovered = servers.recover("recovered", at.databases[2], archive, new Date(killTime))
  await until("the recovery", () => isRecovered(recovered))
  await checkRestored("recovery to the kill", recovered, calls.acknowledged, killTime)

  for (const which of [0, 1] as const) await startGateway(which, next, at, recovered)
  await pause(3000)
  const earlierCalls = calls.acknowledged.filter(({ at: time }) => time <= killTime)
  const others = await repeatCalls(target, earlierCalls.slice(-50))
  report("repeated calls", `${50 - others.length} of 50 get the answer they had`)
  expect(others.length === 0, `${others.length} repeated calls have another answer`)
  await showDashboard(target, at)
  for (const provider of providers) provider.close()
}

/** What the Containerfile promises, seen from within. */
const checkContainer = async (gateway: GatewayContainer) => {
  const user = await gateway.execute("id", "-u")
  const isReadOnly = await gateway.execute("sh", "-c", "touch /app/x").then(
    () => false,
    () => true
  )
  const isHealthy = await gateway.isHealthy()
  report(
    gateway.name,
    `user ${user}, ${isReadOnly ? "read-only root" : "WRITABLE root"}, ${isHealthy ? "healthy" : "NOT healthy"}`
  )
  expect(user === "10001" && isReadOnly && isHealthy, `${gateway.name} is not what its image promises`)
}

try {
  await run()
} catch (failure) {
  console.error(failure)
  problems.push(String(failure))
}
for (const name of names) {
  if (problems.length > 0) fs.writeFileSync(path.join(directory, `${name}.log`), await logOf(name).catch(() => ""))
  await removeContainer(name)
}
await programs.stop()
servers.stop()
console.log(`\n${conditions()}\n\n${table(["step", "what happened", "seconds"], rows)}\n`)
console.log(
  problems.length === 0 ? "Nothing was lost." : `FAILED:\n${problems.join("\n")}\nThe logs are in ${directory}.`
)
if (problems.length === 0) fs.rmSync(directory, { recursive: true, force: true })
process.exit(problems.length === 0 ? 0 : 1)
