import * as fs from "node:fs/promises"
import { NodeRuntime } from "@effect/platform-node"
import { Array, Console, Effect } from "effect"
import { passageStatement, passagesAtOnce, passageValues } from "../src/Layers/Knowledge/PassageRows.ts"
import { passagesOf } from "../src/Services/Knowledge/Passages.ts"
import { textBlocks } from "../src/Services/Knowledge/TextBlocks.ts"
import { makeDatabase, startServer } from "./support/BenchDatabase.ts"
import { conditions, figure, table } from "./support/Report.ts"

/** How fast a text becomes searchable passages, without embeddings; see README.md. */

const megabytes = 4
const rounds = 3

const words =
  "O contrato do plano profissional inclui suporte por telefone, implantação em cinco dias úteis e treinamento da equipe da clínica".split(
    " "
  )

/** Varying sentences under headings, as in a manual. */
const makeText = (bytes: number): string => {
  const parts: globalThis.Array<string> = []
  let size = 0
  for (let sentence = 0; size < bytes; sentence++) {
    const heading = sentence % 40 === 0 ? `\n## Capítulo ${sentence / 40}\n` : ""
    const text = globalThis.Array.from(
      { length: 14 },
      (_, index) => words[(sentence * 7 + index * index) % words.length]
    )
    parts.push(`${heading}${text.join(" ")} ${sentence}. `)
    size += Buffer.byteLength(parts.at(-1) ?? "")
  }
  return parts.join("")
}

/** Processor seconds of a process on this machine. On a busy machine they say more than elapsed time. */
const processSeconds = async (pid: number): Promise<number> => {
  const fields = (await fs.readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1]?.split(" ") ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

const program = Effect.gen(function* () {
  const { client } = yield* makeDatabase(yield* startServer, "indexing")
  const text = makeText(megabytes * 1_000_000)
  const bytes = Buffer.byteLength(text)
  yield* Effect.promise(() =>
    client.query("insert into account (name, handle, plan) values ('Bench', 'bench', 'paid')")
  )
  const pid: number = yield* Effect.promise(
    async () => (await client.query<{ readonly pid: number }>("select pg_backend_pid() as pid")).rows[0]?.pid ?? 0
  )
  const rows: globalThis.Array<ReadonlyArray<string>> = []
  for (let round = 1; round <= rounds; round++) {
    const usedBefore = process.cpuUsage()
    const serverBefore = yield* Effect.promise(() => processSeconds(pid))
    const startedAt = performance.now()
    const passages = passagesOf(textBlocks(text))
    const cut = performance.now()
    yield* Effect.promise(async () => {
      const file = await client.query<{ readonly id: number }>(
        `with job as (insert into background_job (account_id, kind) values (1, 'business_file_indexing') returning job_id)
         insert into business_file (account_id, title, given_text, content_digest, job_id)
         select 1, 'Manual', '', sha256($1::text::bytea), job_id from job returning business_file_id as id`,
        [`${round}`]
      )
      await client.query("begin")
      let stored: Promise<unknown> = Promise.resolve()
      for (const [index, part] of Array.chunksOf(passages, passagesAtOnce).entries()) {
        const at = { accountId: 1, id: file.rows[0]?.id ?? 0, title: "Manual", first: index * passagesAtOnce }
        const values = passageValues(at, part)
        await stored
        stored = client.query(passageStatement, values)
      }
      await stored
      await client.query("commit")
    })
    const ended = performance.now()
    const used = process.cpuUsage(usedBefore)
    const ownSeconds = (used.user + used.system) / 1e6
    const server = (yield* Effect.promise(() => processSeconds(pid))) - serverBefore
    rows.push([
      `${round}`,
      `${passages.length}`,
      figure(bytes / 1e6 / ((cut - startedAt) / 1000)),
      figure(bytes / 1e6 / ((ended - cut) / 1000)),
      figure(bytes / 1e6 / ((ended - startedAt) / 1000)),
      figure(bytes / 1e6 / ownSeconds),
      figure(bytes / 1e6 / server)
    ])
  }
  yield* Console.log(
    `${conditions()}\n${figure(bytes / 1e6)} MB of text\n\n${table(["round", "passages", "cut MB/s", "stored MB/s", "together MB/s", "MB per CPU s, gateway", "MB per CPU s, database"], rows)}`
  )
}).pipe(Effect.scoped)

NodeRuntime.runMain(program)
