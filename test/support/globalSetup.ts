import { execFile } from "node:child_process"
import { once } from "node:events"
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { Effect, Exit, Layer, Scope } from "effect"
import pg from "pg"
import type { TestProject } from "vitest/node"
import { program } from "../../launch/program.js"
import { keepCode } from "../../launch/startProgram.js"
import { migrate } from "../../src/Layers/App.ts"
import { binariesFor } from "../../src/Layers/Platform/EmbeddedPostgres/Binaries.ts"
import { environment, identity, serverUser } from "../../src/Layers/Platform/EmbeddedPostgres/OperatingSystem.ts"
import { acquire } from "../../src/Layers/Platform/EmbeddedPostgres.ts"
import { migrateEngine } from "../../src/Layers/Platform/Jobs/EngineSchema.ts"
import { DatabaseLayer, DatabaseLocation } from "../../src/Layers/Platform/Postgres/Database.ts"
import { templateDatabase } from "./postgres.ts"

const migrateDatabase = (connection: DatabaseLocation["Type"]["connection"]) =>
  Effect.zipRight(migrate, migrateEngine).pipe(
    Effect.provide(DatabaseLayer.pipe(Layer.provideMerge(Layer.succeed(DatabaseLocation, { connection, poolSize: 2 }))))
  )

/** A distributed template on every node. No session may be connected to a database that is cloned. */
const setupCluster = async (cluster: string, project: TestProject) => {
  const [coordinator, ...workers] = cluster.split(",").map((node) => {
    const [host = "", port] = node.split(":")
    return { host, port: Number(port) }
  })
  if (coordinator === undefined) throw new Error("TEST_CLUSTER names no node")
  const on = async (node: { host: string; port: number }, database: string, ...statements: ReadonlyArray<string>) => {
    const client = new pg.Client({ ...node, user: "postgres", database })
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }
  for (const node of [...workers, coordinator]) {
    await on(node, "postgres", `create database ${templateDatabase}`)
    await on(node, templateDatabase, "create extension citus")
  }
  await on(
    coordinator,
    templateDatabase,
    `select citus_set_coordinator_host('${coordinator.host}', ${coordinator.port})`,
    ...workers.map(({ host, port }) => `select citus_add_node('${host}', ${port})`)
  )
  await Effect.runPromise(migrateDatabase({ ...coordinator, user: "postgres", database: templateDatabase }))
  for (const node of [coordinator, ...workers]) {
    await on(
      node,
      "postgres",
      `alter database ${templateDatabase} with allow_connections false`,
      `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${templateDatabase}'`
    )
  }
  project.provide("postgres", {
    ...coordinator,
    user: "postgres",
    database: "postgres",
    workerPorts: workers.map(({ port }) => port)
  })
  project.provide("preparedCluster", undefined)
}

const gigabyte = 1024 ** 3

/**
 * The folder for databases and for what tests write: in memory, if there is plenty. Cloning a database copies a thousand
 * small files, which takes half the time there. A gateway that runs as a process waits there for no disk when it commits.
 */
const roomyDirectory = async (): Promise<string> => {
  const inMemory = "/dev/shm"
  const space = await fs.statfs(inMemory).catch(() => undefined)
  const isRoomy = space !== undefined && space.bavail * space.bsize > 4 * gigabyte && os.freemem() > 8 * gigabyte
  return isRoomy ? inMemory : os.tmpdir()
}

/** Once, before any test starts a gateway or a thread. If it fails, those tests report why. */
const compileGateway = async () => {
  delete process.env["GATEWAY_TEST_BUILD"]
  const main = await program().then(
    (built) => built.main,
    () => undefined
  )
  if (main === undefined) return
  process.env["GATEWAY_TEST_BUILD"] = path.dirname(fileURLToPath(main))
  const keeping = keepCode(main, ["--version"], [])
  if (keeping !== undefined) await once(keeping, "exit").catch(() => undefined)
}

const serverSettings = {
  fsync: false,
  synchronous_commit: false,
  full_page_writes: false,
  // These databases are neither replicated nor recovered.
  wal_level: "minimal",
  max_wal_senders: 0,
  max_wal_size: "256MB",
  shared_buffers: "128MB",
  max_connections: 300,
  max_prepared_transactions: 10
}

/**
 * Makes a migrated cluster of the embedded server in an empty directory. A gateway process that starts with a copy of it
 * skips initdb and all migrations.
 */
const prepareCluster = (dataDir: string) =>
  acquire({ dataDir, settings: { fsync: false, synchronous_commit: false } }).pipe(
    Effect.flatMap(migrateDatabase),
    Effect.scoped,
    Effect.as(path.join(dataDir, "cluster"))
  )

/** Copies the prepared cluster. Its database becomes the template too, which takes a server without any session. */
const copyWithTemplate = (preparedCluster: string, dataDir: string) =>
  Effect.gen(function* () {
    const user = yield* serverUser
    const { postgres } = yield* binariesFor(user)
    const cluster = path.join(dataDir, "cluster")
    yield* Effect.promise(async () => {
      if (!user.isSelf) await fs.chown(dataDir, user.uid, user.gid)
      // Files keep their owner, who may not be the tests' user.
      await promisify(execFile)("cp", ["-a", preparedCluster, cluster])
      const making = promisify(execFile)(postgres, ["--single", "-c", "fsync=off", "-D", cluster, "template1"], {
        ...identity(user),
        cwd: cluster,
        env: environment
      })
      making.child.stdin?.end(`create database ${templateDatabase} template postgres strategy file_copy\n`)
      await making
    })
  })

/** One server for all test files, and one migrated database that each of them clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await compileGateway()
  project.onTestsRerun(compileGateway)
  const roomy = await roomyDirectory()
  // The test processes and what they start read it too.
  process.env["TMPDIR"] = roomy
  const bundles = await fs.mkdtemp(path.join(os.tmpdir(), "gateway-bundles-"))
  project.provide("bundles", bundles)
  const removeBundles = () => fs.rm(bundles, { recursive: true, force: true })
  const cluster = process.env["TEST_CLUSTER"]
  if (cluster !== undefined) {
    await setupCluster(cluster, project)
    return removeBundles
  }
  const dataDir = await fs.mkdtemp(path.join(roomy, "gateway-test-"))
  const preparedDir = await fs.mkdtemp(path.join(roomy, "gateway-prepared-"))
  const preparedCluster = await Effect.runPromise(prepareCluster(preparedDir))
  project.provide("preparedCluster", preparedCluster)
  await Effect.runPromise(copyWithTemplate(preparedCluster, dataDir))
  const scope = await Effect.runPromise(Scope.make())
  const server = await Effect.runPromise(acquire({ dataDir, settings: serverSettings }).pipe(Scope.extend(scope)))
  const { database, host, port, user } = server
  project.provide("postgres", { host, port, user, database, workerPorts: [] })
  return async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    for (const folder of [dataDir, preparedDir]) await fs.rm(folder, { recursive: true, force: true })
    await removeBundles()
  }
}
