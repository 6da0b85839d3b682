import { once } from "node:events"
import * as http from "node:http"
import { setTimeout as pause } from "node:timers/promises"
import { Webhook } from "standardwebhooks"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { Gateway, verifyWebhook } from "../typescript/src/index.ts"
import { makePgwShell } from "./support/PgwShell.ts"

const { token, url } = inject("gateway")
const gateway = new Gateway({ url, token })

let shell: Awaited<ReturnType<typeof makePgwShell>>
beforeAll(async () => {
  shell = await makePgwShell({ PGW_URL: url, PGW_TOKEN: token })
})
afterAll(() => shell.remove())

/** An event of the account. */
const importLead = async (host: string): Promise<void> => {
  const file = await gateway.uploadFile({ name: `${host}.csv`, content: `Name;E-mail\nBruno Lima;bruno@${host}\n` })
  const { job_id } = await gateway.leadOperations.importLeads({ customer_file_id: file.customer_file_id })
  await gateway.waitForJob(job_id, { intervalMillis: 100 })
}

interface Received {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A program on the developer's machine that gets deliveries. */
const receiver = async () => {
  const deliveries: Array<Received> = []
  const server = http.createServer((request, response) => {
    let body = ""
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString("utf8")
    })
    request.on("end", () => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []))
      )
      deliveries.push({ headers, body })
      response.writeHead(204).end()
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = address !== null && typeof address === "object" ? address.port : 0
  return { deliveries, url: `http://127.0.0.1:${port}/hooks`, close: () => server.close() }
}

const isAccepted = async (secret: string, { body, headers }: Received): Promise<boolean> =>
  await verifyWebhook({ secret, headers, body }).then(
    () => true,
    () => false
  )

describe("pgw webhooks listen", () => {
  it("forwards each new event once, signed with the secret that it prints", async () => {
    const program = await receiver()
    await importLead("before-listen.example")
    const listening = shell.start(`exec pgw webhooks listen --forward ${program.url} --types import_finished`)
    try {
      await listening.until(() => listening.stderr().includes("signed with"), "it printed its secret")
      const [secret = ""] = /whsec_\S+/.exec(listening.stderr()) ?? []
      await importLead("listen.example")
      await listening.until(() => listening.stderr().includes("import_finished  204"), "it forwarded the event")
      const [delivery, ...others] = program.deliveries
      if (delivery === undefined) return assert.fail("Nothing was forwarded.")
      // Other tests import too, so further events may have come. Each has another id.
      const ids = program.deliveries.map(({ headers }) => headers["webhook-id"])
      assert.strictEqual(new Set(ids).size, ids.length)
      for (const received of [delivery, ...others]) {
        // The judge is the library that receivers use.
        assert.deepInclude(new Webhook(secret).verify(received.body, received.headers), { type: "import_finished" })
        assert.isTrue(await isAccepted(secret, received))
        assert.isFalse(await isAccepted(`whsec_${Buffer.alloc(32).toString("base64")}`, received))
      }
      assert.strictEqual(listening.stdout(), "")
    } finally {
      await listening.stop()
      program.close()
    }
  })

  it("signs with the developer's secret, and reports a program that is not there", async () => {
    const program = await receiver()
    const secret = `whsec_${Buffer.from("a secret of a developer's machine").toString("base64")}`
    const listening = shell.start(`exec pgw webhooks listen --forward ${program.url} --secret ${secret}`)
    try {
      await listening.until(() => listening.stderr().includes("signed with"), "it began")
      await importLead("secret.example")
      await listening.until(() => program.deliveries.length > 0, "it forwarded the event")
      const [delivery] = program.deliveries
      assert.isTrue(delivery !== undefined && (await isAccepted(secret, delivery)))
      program.close()
      await importLead("gone.example")
      await listening.until(() => /import_finished {2}(?!204)\S/.test(listening.stderr()), "it reported the failure")
    } finally {
      await listening.stop()
      program.close()
    }
  })
})

describe("pgw events --follow", () => {
  it("prints what is there and then what comes", async () => {
    await importLead("event-one.example")
    const following = shell.start("exec pgw events --follow --since 0 --types import_finished -o jsonl")
    try {
      await following.until(() => following.stdout().includes("\n"), "it printed a past event")
      const before = following.stdout().trimEnd().split("\n").length
      await importLead("event-two.example")
      await following.until(() => following.stdout().trimEnd().split("\n").length > before, "it printed a new event")
      const cursors = following
        .stdout()
        .trimEnd()
        .split("\n")
        .map((line) => Number(/"cursor":(\d+)/.exec(line)?.[1]))
      assert.deepStrictEqual(
        cursors,
        [...new Set(cursors)].toSorted((a, b) => a - b)
      )
      assert.isTrue(cursors.every((cursor) => cursor > 0))
    } finally {
      await following.stop()
    }
  })
})

describe("pgw requests tail", () => {
  it("prints past and new requests, each once and none of its own", async () => {
    const past = await gateway.leads.getLead({ lead_id: 999_001 }).catch((error: unknown) => error)
    assert.instanceOf(past, Error)
    // A request is in the log about a second after its answer.
    while ((await gateway.platform.listRequests({ only_failed: true, tool: "get_lead" })).requests.length === 0) {
      await pause(100)
    }
    const tail = shell.start("exec pgw requests tail --failed --tool get_lead -n 200 -o jsonl")
    try {
      await tail.until(() => tail.stdout().includes("999001"), "it printed the past request")
      const requestId = "commands-test-request"
      await gateway.leads.getLead({ lead_id: 999_002 }, { requestId }).catch((error: unknown) => error)
      await tail.until(() => tail.stdout().includes("999002"), "it printed the new request")
      // Two more reads of the log, in which the request is listed again.
      await pause(2_500)
      const lines = tail
        .stdout()
        .trimEnd()
        .split("\n")
        .filter((line) => line.includes(requestId))
      assert.strictEqual(lines.length, 1)
      assert.include(lines[0], '"reason":"lead_not_found"')
      assert.notInclude(tail.stdout(), "list_requests")
    } finally {
      await tail.stop()
    }
  })

  it("prints lines for a person, without its own reads of the log", async () => {
    const tail = shell.start("exec pgw requests tail -n 1 -o table")
    try {
      await gateway.session.whoami({}, { requestId: "for-a-person" })
      await tail.until(() => /\b200 +\d+ ms {2}whoami\b/.test(tail.stdout()), "it printed the call")
      // A tail that ran before may have left entries. Further ones would be of this one.
      const readsOfLog = (): number => tail.stdout().split("list_requests").length
      const before = readsOfLog()
      await pause(2_500)
      assert.strictEqual(readsOfLog(), before)
    } finally {
      await tail.stop()
    }
  })

  it("refuses what it cannot print", async () => {
    for (const options of ["-o csv", "-n 0", "-n 201"]) {
      assert.strictEqual((await shell.run(`pgw requests tail ${options}`)).code, 2, options)
    }
  })
})

describe("pgw sandbox reply", () => {
  it("answers a simulated mail as the lead, and the gateway reads it", { timeout: 120_000 }, async () => {
    const { lead_id } = await gateway.leads.registerLead({ name: "Carla Dias", email: "carla@sandbox-reply.example" })
    await gateway.leads.sendMessageToLead({ lead_id, subject: "A question", body: "May I ask you something?" })
    let mailId: string | undefined
    while (mailId === undefined) {
      const { stdout } = await shell.run("pgw sandbox mail -o jsonl")
      const line = stdout.split("\n").find((text) => text.includes("carla@sandbox-reply.example"))
      mailId = /"sandbox_mail_id":(\d+)/.exec(line ?? "")?.[1]
      if (mailId === undefined) await pause(500)
    }
    const reply = await shell.run(`pgw sandbox reply ${mailId} --text "Yes, please call me tomorrow." -o json`)
    assert.deepInclude(JSON.parse(reply.stdout), { outcome: "lead_reply", lead_id })
    const conversation = await gateway.conversations.getLeadConversation({ lead_id })
    assert.include(JSON.stringify(conversation), "call me tomorrow")
    const missing = await shell.run('pgw sandbox reply 999999 --text "Hello"')
    assert.deepStrictEqual([missing.code, missing.stdout], [3, ""])
    assert.include(missing.stderr, "pgw sandbox mail lists them")
  })
})
