import { spawn } from "node:child_process"
import pg from "pg"
import { startCluster } from "./Cluster.ts"

/** The rooms' own tests, without those that start gateways of their own or need a server of one node. */
const defaultTests = ["test/Leads", "test/Campaigns", "test/Meetings", "test/Outcomes", "test/Outreach", "test/Events"]

/** What the statements of the run were to the cluster, by the coordinator's own account. */
const statementsSeen = `
  select case when c.partition_key is not null then 'routed' else 'other' end as kind, count(distinct c.query) as statements,
    sum(c.calls) as calls
  from citus_stat_statements c where c.query !~* '^\\s*(create|alter|drop|truncate)' group by 1 order by 1`

const others = `
  select regexp_replace(c.query, '\\s+', ' ', 'g') as query, sum(c.calls)::int as calls
  from citus_stat_statements c
  where c.partition_key is null and c.query !~* '^\\s*(create|alter|drop|truncate)'
  group by 1 order by 2 desc`

const [bin, ...files] = process.argv.slice(2)
if (bin === undefined) {
  console.error("npm run test:citus -- BIN [TESTS]: BIN holds the programs of a Postgres with the extension citus")
  process.exit(2)
}

const { nodes, stop } = startCluster(bin, 2, 7900)
try {
  const environment = { ...process.env, TEST_CLUSTER: nodes.map(({ host, port }) => `${host}:${port}`).join(",") }
  const status = await new Promise<number>((resolve) => {
    const tests = spawn("npx", ["vitest", "run", ...(files.length > 0 ? files : defaultTests)], {
      env: environment,
      stdio: "inherit"
    })
    tests.on("exit", (code) => resolve(code ?? 1))
  })
  const client = new pg.Client({ ...nodes[0], user: "postgres", database: "postgres" })
  await client.connect()
  await client.query("create extension if not exists citus; create extension if not exists pg_stat_statements")
  console.table((await client.query(statementsSeen)).rows)
  for (const { calls, query } of (await client.query<{ calls: number; query: string }>(others)).rows) {
    console.log(`${calls}\t${query.slice(0, 300)}`)
  }
  await client.end()
  process.exitCode = status
} finally {
  stop()
}
