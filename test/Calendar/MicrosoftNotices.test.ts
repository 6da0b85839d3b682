import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { microsoftNoticePath, noticeEndpoints } from "../../src/Layers/Calendar/Syncing/NoticeEndpoint.ts"
import { OAuth } from "../../src/Services/Connections/OAuth.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { serveEndpoints } from "../support/servers/ServedEndpoints.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { CalendarRoad, CalendarWorld, sync } from "./CalendarWorld.ts"

const Subscription = Schema.parseJson(
  Schema.Struct({ notificationUrl: Schema.String, clientState: Schema.String, resource: Schema.String })
)
const decodeSubscription = Schema.decodeUnknownOption(Subscription)

interface Posted {
  readonly status: number
  readonly type: string
  readonly text: string
}

const post = (url: string, body: string) =>
  Effect.promise(async (): Promise<Posted> => {
    const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body })
    return {
      status: response.status,
      type: response.headers.get("content-type") ?? "",
      text: await response.text()
    }
  })

const change = (clientState: string | undefined, subscriptionId = "7f105c7d-2dc5-4530-97cd-4e7ae6534c07") => ({
  subscriptionId,
  changeType: "updated",
  resource: "Users/1/Events/AAk-1=",
  ...(clientState === undefined ? {} : { clientState })
})

/** A calendar at Microsoft that is watched, with the subscription as Microsoft got it. */
const watched = <A, E, R>(
  test: (subscription: { readonly search: string; readonly clientState: string }) => Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const caller = yield* makeAccount()
    return yield* as(caller)(
      Effect.gen(function* () {
        const road = yield* CalendarRoad
        const { accountId } = yield* Caller
        const oauth = yield* OAuth
        yield* oauth.consentInSandbox("calendar_microsoft", `owner${accountId}@office.example`)
        yield* sync
        const sent = road.bodies.flatMap((body) => Option.toArray(decodeSubscription(body)))
        const subscription = sent.find(({ notificationUrl }) => notificationUrl.includes(`pgw-${accountId}-`))
        if (subscription === undefined) return assert.fail("no subscription was made")
        const { pathname, search } = new URL(subscription.notificationUrl)
        assert.strictEqual(pathname, microsoftNoticePath)
        return yield* test({ search, clientState: subscription.clientState })
      })
    )
  })

/** The reads that wait, after no read was due. */
const restUntilNotice = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  const key = `sync_calendar ${accountId}`
  yield* sql`select graphile_worker.remove_job(${key})`
  yield* sql`update calendar_mirror set due_at = instant() + interval '1 hour' where account_id = ${accountId}`
  const waiting = Effect.map(
    sql`select from graphile_worker.jobs where task_identifier = 'sync_calendar' and key = ${key}`,
    (rows) => rows.length
  )
  const isDue = Effect.map(
    sql<{ readonly due: boolean }>`
      select due_at <= instant() as due from calendar_mirror where account_id = ${accountId}`,
    (rows) => rows[0]?.due === true
  )
  return { isDue, waiting }
})

layer(CalendarWorld, { excludeTestServices: true, timeout: 120_000 })("notices of Microsoft 365", (it) => {
  it.effect("the text of a validation comes back as plain text, and not more than a text of that kind has", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const address = yield* serveEndpoints(yield* noticeEndpoints)
        const validate = (text: string) =>
          post(`${address}${microsoftNoticePath}?${new URLSearchParams({ validationToken: text }).toString()}`, "")
        const text = "Validation: Testing client application <b>reachability</b> + more & % Request-Id: 1-2"
        const answer = yield* validate(text)
        assert.deepInclude(answer, { status: 200, text })
        assert.match(answer.type, /^text\/plain/)
        assert.lengthOf((yield* validate("x".repeat(5000))).text, 2000)
      })
    )
  )

  it.effect("a notice with the secret of its subscription brings about one read, however often it comes", () =>
    watched(({ clientState, search }) =>
      Effect.scoped(
        Effect.gen(function* () {
          const address = yield* serveEndpoints(yield* noticeEndpoints)
          const notify = (value: unknown) =>
            post(`${address}${microsoftNoticePath}${search}`, JSON.stringify({ value }))
          const { isDue, waiting } = yield* restUntilNotice
          const answers = yield* Effect.all(
            [notify([change(clientState)]), notify([change(clientState)]), notify([change(clientState)])],
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual(
            answers.map(({ status }) => status),
            [204, 204, 204]
          )
          assert.isTrue(yield* isDue)
          // Queued behind the answers.
          yield* Effect.repeat(waiting, { until: (reads) => reads === 1 })
          assert.strictEqual((yield* notify([change(clientState), change(clientState)])).status, 204)
          assert.strictEqual(yield* waiting, 1)
        })
      )
    )
  )

  it.effect("a forged secret, an unknown subscription and another account's one are refused, and nothing is read", () =>
    watched((other) =>
      watched(({ clientState, search }) =>
        Effect.scoped(
          Effect.gen(function* () {
            const { accountId } = yield* Caller
            const address = yield* serveEndpoints(yield* noticeEndpoints)
            const { isDue, waiting } = yield* restUntilNotice
            const notify = (at: string, body: unknown) =>
              post(`${address}${microsoftNoticePath}${at}`, typeof body === "string" ? body : JSON.stringify(body))
            const unknown = `?channel=pgw-${accountId}-0000000000000000`
            const refused: ReadonlyArray<readonly [string, string, unknown]> = [
              ["no secret", search, { value: [change(undefined)] }],
              ["another secret", search, { value: [change(`${clientState}x`)] }],
              ["the other account's secret", search, { value: [change(other.clientState)] }],
              ["the secret in the second change", search, { value: [change(undefined), change(clientState)] }],
              ["an unknown subscription", unknown, { value: [change(clientState)] }],
              ["the other account's subscription", other.search, { value: [change(clientState)] }],
              ["no subscription", "", { value: [change(clientState)] }],
              ["a subscription that is no channel", "?channel=constructor", { value: [change(clientState)] }],
              ["no list", search, { value: change(clientState) }],
              ["no JSON", search, clientState],
              ["too much", search, { value: [{ ...change(clientState), more: "x".repeat(300 * 1024) }] }]
            ]
            for (const [way, at, body] of refused) {
              const { status } = yield* notify(at, body)
              assert.strictEqual(status, 404, way)
              assert.isFalse(yield* isDue, way)
            }
            assert.strictEqual(yield* waiting, 0)
            assert.strictEqual((yield* notify(search, { value: [change(clientState)] })).status, 204)
            assert.isTrue(yield* isDue)
          })
        )
      )
    )
  )
})
