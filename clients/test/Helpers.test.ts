import { Effect, Exit, Stream } from "effect"
import { Webhook } from "standardwebhooks"
import { assert, describe, inject, it } from "vitest"
import * as face from "../typescript/src/effect.ts"
import { getLead, searchLeads } from "../typescript/src/generated/tools.ts"
import { Gateway, type Job, verifyWebhook, WebhookRefused } from "../typescript/src/index.ts"
import { faultProxy } from "./support/FaultProxy.ts"

const { token, url } = inject("gateway")
const gateway = new Gateway({ url, token })

const rows = (count: number, host: string): string =>
  Array.from({ length: count }, (_, index) => `Person ${index};person${index}@${host};Company ${index}`).join("\n")

const importRows = async (count: number, host: string) => {
  const file = await gateway.uploadFile({ name: `${host}.csv`, content: `Name;E-mail;Company\n${rows(count, host)}\n` })
  const { job_id } = await gateway.leadOperations.importLeads({ customer_file_id: file.customer_file_id })
  return job_id
}

describe("helpers", () => {
  it("upload text and bytes, and download them", async () => {
    const text = "Olá, mundo\n"
    const ofText = await gateway.uploadFile({ name: "hello.txt", content: text })
    assert.strictEqual(await (await gateway.downloadFile(ofText)).text(), text)
    const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => (index * 31) % 256)
    const ofBytes = await gateway.uploadFile({ name: "bytes.bin", content: new Blob([bytes]) })
    assert.deepStrictEqual(new Uint8Array(await (await gateway.downloadFile(ofBytes)).arrayBuffer()), bytes)
  })

  it("wait for a job, and follow pages and events", async () => {
    const states: Array<Job> = []
    const job = await gateway.waitForJob(await importRows(5, "helpers.example"), {
      onProgress: (state) => states.push(state),
      intervalMillis: 50
    })
    assert.strictEqual(job.status, "finished")
    assert.deepStrictEqual(states.at(-1), job)

    const names: Array<string | null> = []
    for await (const lead of gateway.leads.searchLeads.each({ query: "helpers.example", page_size: 2 }))
      names.push(lead.email)
    assert.sameMembers(
      names,
      [0, 1, 2, 3, 4].map((index) => `person${index}@helpers.example`)
    )

    const feed = gateway.events({ types: ["import_finished"], intervalMillis: 50 })
    for await (const event of feed) {
      assert.strictEqual(event.type, "import_finished")
      break
    }
    // The loop was left before the event was handled.
    assert.strictEqual(feed.cursor, 0)
  })

  it("follow events across broken connections, without a gap and without a repetition", async () => {
    let turn = 0
    const proxy = await faultProxy(url, () => ({ kind: turn++ % 3 === 1 ? "cutAfter" : "pass" }))
    try {
      const broken = new Gateway({ url: proxy.url, token, maxRetries: 0 })
      const controller = new AbortController()
      const since = await lastCursor()
      const cursors: Array<number> = []
      const imports = ["one.example", "two.example", "three.example"]
      const following = (async () => {
        const feed = broken.events({ since, types: ["import_finished"], intervalMillis: 50, signal: controller.signal })
        for await (const event of feed) {
          cursors.push(event.cursor)
          if (cursors.length === imports.length) controller.abort()
        }
      })()
      for (const host of imports) await gateway.waitForJob(await importRows(1, host), { intervalMillis: 50 })
      await following
      const feed = await gateway.eventsAndWebhooks.listAccountEvents({
        since_cursor: since,
        event_types: "import_finished"
      })
      assert.deepStrictEqual(
        cursors,
        feed.events.map(({ cursor }) => cursor)
      )
    } finally {
      proxy.close()
    }
  })
})

const lastCursor = async (): Promise<number> => {
  let since_cursor = 0
  while (true) {
    const page = await gateway.eventsAndWebhooks.listAccountEvents({ since_cursor, limit: 200 })
    since_cursor = page.next_cursor
    if (!page.has_more) return since_cursor
  }
}

describe("a delivery", () => {
  const secret = `whsec_${Buffer.from("a key of thirty-two bytes, really").toString("base64")}`
  const body = JSON.stringify({
    id: "evt_1",
    type: "support_request_answered",
    occurred_at: "2026-01-01T00:00:00Z",
    data: { support_request_id: 7 }
  })
  const signed = (text: string, at = new Date()) => ({
    "webhook-id": "evt_1",
    "webhook-timestamp": `${Math.floor(at.getTime() / 1000)}`,
    "webhook-signature": new Webhook(secret).sign("evt_1", at, text)
  })
  const outcome = async (delivery: Parameters<typeof verifyWebhook>[0]) =>
    await verifyWebhook(delivery).catch((cause: unknown) => cause)

  it("of the gateway is accepted", async () => {
    const event = await verifyWebhook({ secret, body, headers: signed(body) })
    assert.deepStrictEqual(event, JSON.parse(body))
    const asHeaders = await verifyWebhook({ secret, body, headers: new Headers(signed(body)) })
    assert.strictEqual(asHeaders.type, "support_request_answered")
    const two = { ...signed(body), "webhook-signature": `v1,AAAA ${signed(body)["webhook-signature"]}` }
    assert.deepInclude(await verifyWebhook({ secret, body, headers: two }), { id: "evt_1" })
    // While a secret is rotated, the receiver may still have the one before.
    const rotated = { ...two, "webhook-signature": `${signed(body)["webhook-signature"]} v1,AAAA` }
    assert.deepInclude(await verifyWebhook({ secret, body, headers: rotated }), { id: "evt_1" })
  })

  it("of someone else, changed or old is refused", async () => {
    const headers = signed(body)
    const { "webhook-id": _, ...withoutId } = headers
    for (const delivery of [
      { secret, body: `${body} `, headers },
      { secret: "whsec_AAAA", body, headers },
      { secret, body, headers: withoutId },
      { secret, body, headers: { ...headers, "webhook-signature": "v1,%%%" } },
      { secret, body, headers: { ...headers, "webhook-timestamp": "now" } },
      { secret, body, headers: signed(body, new Date(Date.now() - 400_000)) }
    ]) {
      assert.instanceOf(await outcome(delivery), WebhookRefused)
    }
  })
})

describe("the Effect face", () => {
  const layer = face.Gateway.layer({ url, token })
  const run = <A, E>(effect: Effect.Effect<A, E, face.Gateway>) => Effect.runPromise(Effect.provide(effect, layer))

  it("has a tool's errors in its channel", async () => {
    const reason = await run(
      face.call(getLead, { lead_id: 999_999 }).pipe(
        Effect.as("no error" as const),
        Effect.catchTag("NotFound", (error) => Effect.succeed(error.reason))
      )
    )
    assert.strictEqual(reason, "lead_not_found")
  })

  it("streams rows and events, and waits for jobs", async () => {
    const jobId = await importRows(3, "effect.example")
    const states = await run(Stream.runCollect(face.jobProgress(jobId, { intervalMillis: 50 })))
    assert.strictEqual([...states].at(-1)?.status, "finished")
    assert.strictEqual((await run(face.waitForJob(jobId))).job_id, jobId)
    const leads = await run(Stream.runCollect(face.rows(searchLeads, { query: "effect.example", page_size: 2 })))
    assert.strictEqual([...leads].length, 3)
    const events = await run(Stream.runCollect(Stream.take(face.events({ types: ["import_finished"] }), 1)))
    assert.deepInclude([...events][0], { type: "import_finished" })
  })

  it("aborts a call that is interrupted", async () => {
    const proxy = await faultProxy(url, () => ({ kind: "stall" }))
    try {
      const slow = Effect.provide(face.call(searchLeads), face.Gateway.layer({ url: proxy.url, token }))
      const exit = await Effect.runPromiseExit(Effect.timeout(slow, "300 millis"))
      assert.isTrue(Exit.isFailure(exit))
      assert.strictEqual(proxy.requests.length, 1)
    } finally {
      proxy.close()
    }
  })
})
