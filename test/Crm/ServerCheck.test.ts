import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Schedule } from "effect"
import { makeProvider } from "../../bench/support/crm/CrmProvider.ts"
import { atOrigin, CrmOverHttp, checkServer } from "../../bench/support/crm/CrmServerCheck.ts"
import { adapters } from "../../src/Layers/Crm/Adapters/Adapters.ts"
import { rdStation } from "../../src/Layers/Crm/Adapters/RdStation/RdStation.ts"
import { acceptedCredentials, CrmFailure } from "../../src/Layers/Crm/Calling/CrmAdapter.ts"
import type { SimulatedRecord, SimulatedStore } from "../../src/Layers/Crm/sandbox/CrmSandbox.ts"
import { rdStationSandbox } from "../../src/Layers/Crm/sandbox/RdStationSandbox.ts"
import { AccountId } from "../../src/Services/Accounts/Ids.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { localHttpServer } from "../support/servers/LocalHttpServer.ts"
import { Unlimited } from "./support/CrmLayers.ts"
import type { CrmServer } from "./support/CrmWorld.ts"

const key = "sandbox-check"

/** A simulated CRM on a port of this machine, as a server that has the name. */
const served = ({ crm, url = "http://crm.example" }: CrmServer) => {
  const provider = makeProvider(crm, Date.now, { isLimited: false, key })
  return localHttpServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      const body = Buffer.concat(chunks)
      void Effect.runPromise(
        provider.request({
          method:
            request.method === "POST" || request.method === "PUT"
              ? request.method
              : request.method === "PATCH"
                ? "PATCH"
                : "GET",
          url: `${url}${request.url ?? "/"}`,
          headers,
          ...(body.length === 0 ? {} : { body })
        })
      ).then((answer) => {
        response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers })
        response.end(answer.body)
      })
    })
  })
}

const overHttp = Layer.merge(Unlimited, CrmOverHttp)

const caller = Caller.forTask(AccountId.make(1), "paid" as const, "check")

const servers: ReadonlyArray<CrmServer & { readonly name: string }> = [
  ...Object.values(adapters).map(({ name }) => ({ name, crm: name })),
  ...["odoo19", "odoo20"].map((name) => ({ name, crm: "odoo" as const, url: `http://${name}.example` }))
]

describe("the check of a server", () => {
  it.scoped.each(servers)("finds $name over HTTP as the gateway expects it", ({ crm, url }) =>
    Effect.gen(function* () {
      const server = yield* served({ crm, url })
      const adapter = adapters[crm]
      if (adapter === undefined) return assert.fail("no adapter")
      const credentials = new Map(
        acceptedCredentials(adapter)
          .filter((name) => name !== "marketing_api_key")
          .map((name) => [name, Redacted.make(name === "url" ? server.url : key)] as const)
      )
      const lines = yield* checkServer(
        crm === "odoo" ? adapter : atOrigin(adapter, server.url),
        credentials,
        Schedule.recurs(0)
      )
      assert.deepStrictEqual(
        lines.filter(({ trouble }) => trouble !== undefined),
        []
      )
      assert.isAbove(lines.length, 15)
      assert.isAbove(server.requests.length, 20)
    }).pipe(Effect.provide(overHttp), Effect.provideService(Caller, caller))
  )

  it.scoped("says what is wrong of one that loses what it is given", () =>
    Effect.gen(function* () {
      const server = yield* localHttpServer((request, response) => {
        response.writeHead(request.method === "POST" ? 500 : 200, { "content-type": "text/html" })
        response.end("<h1>A shop</h1>")
      })
      const lines = yield* checkServer(
        { ...rdStation, baseUrl: () => server.url },
        new Map([["crm_token", Redacted.make(key)]]),
        Schedule.recurs(0)
      )
      assert.isAbove(lines.filter(({ trouble }) => trouble !== undefined).length, 3)
      assert.notInclude(JSON.stringify(lines), "A shop")
    }).pipe(Effect.provide(overHttp), Effect.provideService(Caller, caller))
  )
})

describe("contacts of the suite", () => {
  it.live("are read page by page where the CRM does not heed dates, and that is reported", () =>
    Effect.gen(function* () {
      const count = 10_400
      const start = Date.parse("2024-01-01T00:00:00Z")
      let calls = 0
      const client = rdStation.connect(
        ({ query = {} }) =>
          Effect.sync(() => {
            calls += 1
            const [page, limit] = [Number(query["page"]), Number(query["limit"])]
            const first = (page - 1) * limit
            const rowCount = Math.max(0, Math.min(limit, 10_000 - first))
            const contacts = Array.from({ length: rowCount }, (_, index) => ({
              _id: `${first + index}`,
              name: `P ${first + index}`,
              emails: [{ email: `p${first + index}@list.example` }],
              created_at: new Date(start).toISOString()
            }))
            return { status: 200, headers: {}, json: { contacts, total: count, has_more: first + rowCount < 10_000 } }
          }),
        new Map([["crm_token", Redacted.make(key)]])
      )
      const readEmails = new Set<string>()
      const warnings = new Set<string>()
      let cursor: string | undefined
      do {
        const page = yield* client.contacts?.(undefined, cursor) ?? Effect.dieMessage("no contacts")
        for (const { email } of page.contacts) readEmails.add(email)
        if (page.warning !== undefined) warnings.add(page.warning)
        cursor = page.next
      } while (cursor !== undefined && calls < 200)
      assert.strictEqual(readEmails.size, 10_000)
      assert.deepStrictEqual([...warnings], ["date_filter_ignored"])
      assert.isBelow(calls, 60)
    })
  )

  it.live("are all read, in slices, where there are more than a list shows", () =>
    Effect.gen(function* () {
      const count = 12_000
      const start = Date.parse("2024-01-01T00:00:00Z")
      // Most of them were made within an hour, as an import makes them.
      const rows = Array.from({ length: count }, (_, index): SimulatedRecord => {
        const createdAt = index < 11_000 ? start + Math.floor(index / 5) * 1000 : start + index * 3_600_000
        return {
          id: `${index + 1}`,
          body: { name: `P ${index}`, emails: [{ email: `p${index}@list.example` }] },
          createdAt,
          updatedAt: createdAt
        }
      })
      // What was made in the time that is asked for: to look through all of them for each page would take a minute.
      let within: ReadonlyArray<SimulatedRecord> = []
      const store: SimulatedStore = {
        insert: () => Effect.dieMessage("nothing is written"),
        get: () => Effect.succeed(undefined),
        list: (kind) => Effect.succeed(kind === "contacts" ? within : []),
        put: () => Effect.dieMessage("nothing is written"),
        now: Effect.succeed(start)
      }
      let calls = 0
      const client = rdStation.connect(
        ({ path, query = {} }) => {
          calls += 1
          const [from, to] = [query["start_date"], query["end_date"]].map((date) => Date.parse(`${date}`))
          within = rows.filter(({ createdAt }) => createdAt >= (from ?? 0) && createdAt < (to ?? 0))
          const given = Object.entries(query).flatMap(([name, value]) =>
            value === undefined ? [] : [[name, `${value}`] as [string, string]]
          )
          const request = {
            method: "GET",
            host: "crm.rdstation.com",
            path: `/api/v1${path}`,
            query: new URLSearchParams(given),
            headers: {},
            body: undefined
          }
          return Effect.mapBoth(rdStationSandbox.answer(request, store), {
            onSuccess: ({ body, headers = {}, status }) => ({ status, headers, json: body }),
            onFailure: () => new CrmFailure({ kind: "unavailable" })
          })
        },
        new Map([["crm_token", Redacted.make(key)]])
      )
      const seen = new Map<string, number>()
      let cursor: string | undefined
      do {
        const page = yield* client.contacts?.(undefined, cursor) ?? Effect.dieMessage("no contacts")
        for (const { email } of page.contacts) seen.set(email, (seen.get(email) ?? 0) + 1)
        // A turn may end here: the cursor is all that the next one has.
        cursor = page.next
      } while (cursor !== undefined)
      assert.strictEqual(seen.size, count)
      // On the edge of two slices one may be read twice, and becomes a lead once.
      assert.isAtMost(Math.max(...seen.values()), 2)
      assert.isAtMost(calls, count / 200 + 80)
    })
  )
})
