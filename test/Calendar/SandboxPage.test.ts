import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { OAuth } from "../../src/Services/Connections/OAuth.ts"
import { makeTokenHolder, send, testGateway } from "../support/servers/TestServer.ts"
import { as } from "../support/TestAccount.ts"

const Shown = Schema.Struct({
  events: Schema.Array(
    Schema.Struct({ id: Schema.String, summary: Schema.String, status: Schema.String, updates_sent: Schema.Int })
  )
})

layer(testGateway(), { excludeTestServices: true, timeout: "60 seconds" })("the simulated calendar's page", (it) => {
  it.effect("does what people do in a calendar, with the token in its forms, each account its own", () =>
    Effect.gen(function* () {
      const { caller, token } = yield* makeTokenHolder()
      const page = (fields: { readonly [name: string]: string }) =>
        send("/sandbox/calendar", {
          method: "POST",
          headers: { "content-type": "application/x-www-form-urlencoded", accept: "text/html" },
          body: new URLSearchParams(fields).toString()
        })
      const shown = Effect.flatMap(send("/sandbox/calendar", { token }), ({ json }) =>
        Schema.decodeUnknown(Shown)(json)
      )
      const asked = yield* send("/sandbox/calendar", { headers: { accept: "text/html" } })
      assert.include(asked.text, "Access token")
      assert.include(asked.headers.get("content-security-policy") ?? "", "default-src 'none'")
      assert.strictEqual((yield* send("/sandbox/calendar")).status, 401)
      assert.strictEqual((yield* page({ token: "nobody" })).status, 401)
      assert.include((yield* page({ token })).text, "No calendar was connected")
      assert.include((yield* page({ token, act: "revoke" })).text, "has not connected")

      const oauth = yield* OAuth
      yield* as(caller)(oauth.consentInSandbox("calendar", "owner@calendar.example"))
      const added = yield* page({
        token,
        act: "create",
        summary: `<script>alert(1)</script>`,
        start: "2026-12-10T12:00",
        end: "2026-12-10T13:00",
        attendees: "ana@acme.example, bia@acme.example"
      })
      assert.include(added.text, "Done: create.")
      assert.include(added.text, "2026-12-10T12:00:00.000Z")
      assert.notInclude(added.text, "<script>")
      assert.include(added.text, "ana@acme.example: needsAction")
      const id = (yield* shown).events[0]?.id ?? ""
      const of = { token, event_id: id }
      const answered = yield* page({ ...of, act: "answer", email: "ana@acme.example", response: "declined" })
      assert.include(answered.text, "ana@acme.example: declined")
      const moved = yield* page({ ...of, act: "move", start: "2026-12-11T12:00", end: "2026-12-11T13:00" })
      assert.include(moved.text, "2026-12-11T12:00:00.000Z")
      assert.include(
        (yield* page({ ...of, act: "move", start: "2026-12-11T14:00", end: "2026-12-11T13:00" })).text,
        "does not take this"
      )
      assert.include((yield* page({ ...of, act: "move", start: "x", end: "y" })).text, "not understood")
      assert.include((yield* page({ ...of, act: "delete" })).text, "(deleted)")
      assert.include((yield* page({ ...of, act: "delete" })).text, "There is no calendar event")
      assert.strictEqual((yield* shown).events[0]?.status, "cancelled")
      for (const act of ["forget_changes", "expire_tokens", "delay_links", "slow_down"]) {
        assert.include((yield* page({ token, act })).text, `Done: ${act}.`)
      }
      const call = (tool: string, args: object) =>
        send(`/rest/v1/tools/${tool}`, { method: "POST", token, body: JSON.stringify(args) })
      assert.deepInclude((yield* call("list_calendar_events", { date: "2026-12-10" })).json, {
        reason: "calendar_rate_limited"
      })

      const stranger = yield* makeTokenHolder()
      assert.include((yield* page({ token: stranger.token })).text, "No calendar was connected")
      assert.include((yield* page({ token: stranger.token, act: "delete", event_id: id })).text, "has not connected")
      assert.notInclude((yield* page({ token: stranger.token })).text, "acme.example")
      assert.include((yield* page({ token, act: "revoke" })).text, "Done: revoke.")
    })
  )
})
