import { spawn } from "node:child_process"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Random, Schedule } from "effect"
import { TaskQueue } from "../../src/Services/Jobs/TaskQueue.ts"
import { sendEmail } from "../../src/Services/Outreach/OutreachTasks.ts"
import { bundledEntry } from "../support/BundledEntry.ts"
import { MailFoundation, queueEmail } from "../support/channels/MailServices.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { ownConnection } from "../support/processes/DoomedProcess.ts"
import { localSmtpServer } from "../support/providers/LocalSmtpServer.ts"
import { localHttpServer } from "../support/servers/LocalHttpServer.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { mailerLayer } from "./doomedMailer.ts"

const messageCount = 150
const kills = 6

layer(MailFoundation, { excludeTestServices: true })("gateways that are killed while they send", (it) => {
  it.scoped(
    "send every message exactly once",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const queue = yield* TaskQueue
        const server = yield* localSmtpServer()
        const idOf = (raw: string): string => /^Message-ID: (\S+)/im.exec(raw)?.[1] ?? ""
        const acceptedIds = (): ReadonlyArray<string> => server.messages.map(({ raw }) => idOf(raw))
        // Answers are delayed, so that some kills happen between a message and its answer.
        server.behave({ onMessage: () => new Promise((resolve) => setTimeout(() => resolve(undefined), 15)) })
        const ledger = yield* localHttpServer((request, response) => {
          const id = decodeURIComponent((request.url ?? "").slice(1))
          response.writeHead(acceptedIds().includes(id) ? 200 : 404).end()
        })

        const caller = yield* makeAccount()
        const messages = yield* Effect.forEach(Array.from({ length: messageCount }), () =>
          as(caller)(Effect.flatMap(insertLead(), (leadId) => queueEmail(leadId)))
        )
        yield* queue.enqueueMany(
          sendEmail,
          messages.map(({ accountId, emailMessageId }) => ({ payload: { accountId, emailMessageId } }))
        )
        const order = {
          connection: yield* ownConnection,
          smtpPort: server.port,
          ledgerUrl: ledger.url
        }
        const until = (isReached: () => boolean) =>
          Effect.repeat(Effect.sync(isReached), { until: (is) => is, schedule: Schedule.spaced("2 millis") }).pipe(
            Effect.timeout("60 seconds")
          )

        const entry = yield* bundledEntry("Mail/doomedMailer")
        for (let kill = 0; kill < kills; kill++) {
          const goal = Math.min(server.messages.length + (yield* Random.nextIntBetween(5, 20)), messageCount - 5)
          const mailer = spawn(process.execPath, [entry, JSON.stringify(order)], {
            stdio: ["ignore", "ignore", "inherit"]
          })
          const ended = new Promise((resolve) => mailer.once("exit", resolve))
          yield* until(() => server.messages.length >= goal)
          mailer.kill("SIGKILL")
          yield* Effect.promise(() => ended)
        }

        yield* Layer.build(mailerLayer(order))
        const open = sql<{ readonly open: number }>`
          select count(*) as open from email_message
          where account_id = ${caller.accountId} and status in ('queued', 'sending')`
        yield* Effect.repeat(open, { until: ([row]) => row?.open === 0, schedule: Schedule.spaced("100 millis") }).pipe(
          Effect.timeout("90 seconds")
        )
        const ends = yield* sql`
          select status, count(*) as messages from email_message where account_id = ${caller.accountId} group by 1`
        assert.deepStrictEqual(ends, [{ status: "sent", messages: messageCount }])
        assert.lengthOf(new Set(acceptedIds()), messageCount)
        assert.lengthOf(acceptedIds(), messageCount)
      }),
    240_000
  )
})
