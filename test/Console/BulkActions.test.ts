import { afterEach, assert, describe, it, vi } from "@effect/vitest"
import { countOutcomes, runBulk } from "../../console/src/screens/Leads/BulkActions.ts"

const input = { reason: "Holidays", campaign: "7" }

interface Sent {
  readonly leadId: number
  readonly key: string | null
  readonly isDryRun: boolean
}

/** A gateway that answers each call for a lead, and what it was sent. */
const gatewayWith = (answer: (leadId: number, attempt: number) => Response) => {
  const sent: Array<Sent> = []
  vi.stubGlobal("fetch", async (_: string, init: RequestInit) => {
    await Promise.resolve()
    const headers = new Headers(init.headers)
    const body: unknown = JSON.parse(typeof init.body === "string" ? init.body : "{}")
    const leadId = typeof body === "object" && body !== null && "lead_id" in body ? Number(body.lead_id) : 0
    sent.push({ leadId, key: headers.get("idempotency-key"), isDryRun: headers.get("dry-run") === "true" })
    return answer(leadId, sent.filter((one) => one.leadId === leadId).length)
  })
  return sent
}

const changed = () => Response.json({ changed: true })
const failure = (status: number, reason: string, headers = {}) =>
  Response.json({ type: "Refused", reason, error: reason }, { status, headers })

const ids = Array.from({ length: 40 }, (_, index) => index + 1)

describe("an action for many leads", () => {
  afterEach(() => vi.unstubAllGlobals())

  it("reports each lead, and goes on after one that fails", async () => {
    gatewayWith((leadId) => (leadId === 3 ? failure(404, "lead_not_found") : Response.json({ changed: leadId !== 4 })))
    const progress: Array<number> = []
    const results = await runBulk("pause", ids, input, { isDryRun: false, onProgress: (done) => progress.push(done) })
    assert.deepStrictEqual(countOutcomes(results), { changes: 38, unchanged: 1, refused: 1, skipped: 0 })
    assert.deepStrictEqual(
      results.map(({ leadId }) => leadId),
      ids
    )
    assert.strictEqual(results[2]?.outcome, "refused")
    assert.strictEqual(progress.at(-1), 40)
  })

  it("waits when there were too many calls, and repeats the call under its key", async () => {
    const pauses: Array<number> = []
    const sent = gatewayWith((leadId, attempt) =>
      leadId === 5 && attempt < 3 ? failure(429, "rate_limited", { "Retry-After": "7" }) : changed()
    )
    const results = await runBulk("takeOver", ids, input, {
      isDryRun: false,
      pause: async (millis) => {
        await Promise.resolve()
        pauses.push(millis)
      }
    })
    assert.strictEqual(countOutcomes(results).changes, 40)
    assert.deepStrictEqual(pauses, [7_000, 7_000])
    const keys = sent.filter(({ leadId }) => leadId === 5).map(({ key }) => key)
    assert.strictEqual(keys.length, 3)
    assert.strictEqual(new Set(keys).size, 1)
    assert.strictEqual(new Set(sent.map(({ key }) => key)).size, 40)
  })

  it("stops between calls, and says what it did not try", async () => {
    const stopping = new AbortController()
    const sent = gatewayWith((leadId) => {
      if (leadId === 10) stopping.abort()
      return changed()
    })
    const results = await runBulk("resume", ids, input, { isDryRun: false, signal: stopping.signal })
    const { changes, skipped } = countOutcomes(results)
    assert.strictEqual(changes, sent.length)
    assert.strictEqual(changes + skipped, 40)
    assert.isBelow(changes, 16)
    assert.strictEqual(results.at(-1)?.outcome, "skipped")
  })

  it("changes nothing as a preview", async () => {
    const sent = gatewayWith(changed)
    await runBulk("pause", ids, input, { isDryRun: true })
    assert.isTrue(sent.every(({ isDryRun, key }) => isDryRun && key === null))
  })
})
