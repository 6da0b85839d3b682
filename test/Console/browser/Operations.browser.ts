import * as fs from "node:fs"
import { setTimeout as pause } from "node:timers/promises"
import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { UnitOfWork } from "../../../src/Services/Core/Calls/UnitOfWork.ts"
import { AccountEvents } from "../../../src/Services/Events/AccountEvents.ts"
import { webhookReplayJob } from "../../../src/Services/Events/WebhookReplays.ts"
import { JobId } from "../../../src/Services/Jobs/Ids.ts"
import { startDispatcher } from "../../Events/Webhooks/support.ts"
import { webhookReceiver } from "../../support/providers/WebhookReceiver.ts"
import { send } from "../../support/servers/TestServer.ts"
import { as } from "../../support/TestAccount.ts"
import { accountWithLeads } from "./account.ts"
import { openReader, signIn } from "./reader.ts"
import { ServedConsole } from "./servedConsole.ts"
import { describeConsole } from "./visits.ts"

const isWhole = process.env["WHOLE_RUN"] === "yes"

type Account = Effect.Effect.Success<typeof accountWithLeads>

/** Something happens in the account that the feed has. */
const importEnds = ({ caller }: Account, lead_import_id: number) =>
  Effect.gen(function* () {
    const events = yield* AccountEvents
    const { write } = yield* UnitOfWork
    const counts = { created_count: lead_import_id, duplicate_count: 0, invalid_count: 0 }
    yield* as(caller)(
      write(events.append({ type: "import_finished", data: { lead_import_id, status: "finished", ...counts } }))
    )
  })

const Jobs = Schema.Struct({ jobs: Schema.NonEmptyArray(Schema.Struct({ job_id: JobId })) })

/** Runs the job of the replay, since a gateway under test runs none by itself. */
const runReplay = ({ call, caller }: Account) =>
  Effect.gen(function* () {
    const { jobs } = yield* Effect.flatMap(call("list_background_jobs", {}), Schema.decodeUnknown(Jobs))
    const { accountId } = caller
    const nothing = Effect.void
    yield* webhookReplayJob.run(
      {
        accountId,
        jobId: jobs[0].job_id,
        subjectId: undefined,
        attempt: 1,
        setProgress: () => nothing,
        checkpoint: nothing
      },
      caller
    )
  })

const waitFor = async (what: string, isSo: () => boolean): Promise<void> => {
  for (let look = 0; look < 600; look++) {
    if (isSo()) return
    await pause(100)
  }
  assert.fail(what)
}

describeConsole("operating the account in the console", (it) => {
  const scoped = it.scoped.runIf(isWhole)

  scoped("shows events as they arrive, holds them while paused, and hides kinds", () =>
    Effect.gen(function* () {
      const { origin } = yield* ServedConsole
      const account = yield* accountWithLeads
      const reader = yield* openReader(origin)
      const { page } = reader
      const list = page.getByRole("list", { name: "Live events" })
      const kind = page.getByRole("button", { name: "Import finished" })
      yield* Effect.promise(async () => {
        await signIn(reader, origin, account.token, "/developers/events")
        await page.getByRole("status").getByText("Connected").waitFor()
        await page.getByText("Waiting for events").waitFor()
      })
      yield* importEnds(account, 1)
      yield* Effect.promise(async () => {
        await list.getByRole("listitem").waitFor()
        await list.getByText("Import finished").click()
        await list.getByText('"created_count"').waitFor()
        await page.getByRole("button", { name: "Pause" }).click()
        await page.getByRole("status").getByText("Paused").waitFor()
      })
      yield* importEnds(account, 2)
      yield* Effect.promise(async () => {
        assert.strictEqual(await list.getByRole("listitem").count(), 1)
        await page
          .getByRole("button", { name: "Continue" })
          .or(page.getByRole("button", { name: "Resume" }))
          .click()
        await page.getByRole("status").getByText("Connected").waitFor()
      })
      yield* importEnds(account, 3)
      yield* Effect.promise(async () => {
        // What occurred during the pause is caught up.
        await list.getByRole("listitem").nth(2).waitFor()
        await kind.click()
        await page.getByText("Waiting for events").waitFor()
        await kind.click()
        await list.getByRole("listitem").nth(2).waitFor()
        await page.getByRole("button", { name: "Clear" }).click()
        await page.getByText("Waiting for events").waitFor()
      })
      assert.deepStrictEqual(reader.complaints, [])
    })
  )

  scoped("sends the events of a webhook again", () =>
    Effect.gen(function* () {
      const { origin } = yield* ServedConsole
      const account = yield* accountWithLeads
      const receiver = yield* webhookReceiver()
      yield* startDispatcher()
      yield* account.call("create_webhook_subscription", { url: receiver.url })
      yield* importEnds(account, 7)
      yield* Effect.promise(() => waitFor("no delivery", () => receiver.received.length === 1))
      const reader = yield* openReader(origin)
      const { page } = reader
      yield* Effect.promise(async () => {
        await signIn(reader, origin, account.token, "/developers/webhooks")
        await page.getByRole("button", { name: `Actions for ${receiver.url}` }).click()
        await page.getByRole("menuitem", { name: "Replay events" }).click()
        const form = page.getByRole("dialog", { name: "Replay events" })
        const dayAgo = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
        await form.getByLabel("From", { exact: false }).first().fill(`${dayAgo}T00:00`)
        await form.getByRole("button", { name: "Replay events" }).click()
        await page.getByRole("status").getByText("Events are being sent again.").waitFor()
      })
      yield* runReplay(account)
      yield* Effect.promise(async () => {
        await waitFor("no replay", () => receiver.received.length === 2)
        const [first, second] = receiver.received
        assert.deepStrictEqual(second?.body, first?.body)
        const replayed = page.getByText("Replayed", { exact: true })
        const attempts = page.getByRole("region", { name: "Attempts" })
        for (let look = 0; look < 100 && (await replayed.count()) === 0; look++) {
          await attempts.getByRole("button", { name: "Refresh" }).click()
          await pause(200)
        }
        await replayed.waitFor()
      })
      assert.deepStrictEqual(reader.complaints, [])
    })
  )

  scoped("exports the audit log as a file", () =>
    Effect.gen(function* () {
      const { origin } = yield* ServedConsole
      const account = yield* accountWithLeads
      const reader = yield* openReader(origin)
      const { page } = reader
      yield* Effect.promise(async () => {
        await signIn(reader, origin, account.token, "/settings/audit")
        await page.getByText("register_lead").first().waitFor()
        await page.getByRole("button", { name: "Verify" }).click()
        await page.getByRole("status").getByText("The log is intact").waitFor()
        await page.getByRole("button", { name: "Export" }).click()
        const [download] = await Promise.all([
          page.waitForEvent("download"),
          page
            .getByRole("link", { name: /audit/i })
            .filter({ hasText: /\.\w+$/ })
            .click()
        ])
        const text = fs.readFileSync(await download.path(), "utf8")
        assert.include(text, "register_lead")
        assert.include(text, "create_campaign")
        assert.notInclude(text, account.token)
      })
      assert.deepStrictEqual(reader.complaints, [])
    })
  )

  scoped("gives the token of the present session a new secret, shows it, and stays signed in", () =>
    Effect.gen(function* () {
      const { origin } = yield* ServedConsole
      const account = yield* accountWithLeads
      const reader = yield* openReader(origin)
      const { page } = reader
      const secret = yield* Effect.promise(async () => {
        await signIn(reader, origin, account.token, "/developers/tokens")
        const ownToken = page.getByRole("listitem").filter({ hasText: "This session" })
        await ownToken.getByRole("button", { name: /^Actions for/ }).click()
        await page.getByRole("menuitem", { name: "New secret" }).click()
        const form = page.getByRole("dialog", { name: "New secret" })
        await form.getByLabel("Hours that the old secret still works").fill("0")
        await form.getByRole("button", { name: "New secret" }).click()
        const question = page.getByRole("alertdialog", { name: /^Make a new secret for/ })
        await question.getByRole("button", { name: "New secret" }).click()
        const secretDialog = page.getByRole("alertdialog", { name: "Your new access token" })
        const text = (await secretDialog.getByText(/^pgw_/).textContent()) ?? ""
        // The stream of the old session ends within seconds, and the screen stays.
        await pause(6_000)
        assert.strictEqual(await secretDialog.getByText(/^pgw_/).textContent(), text)
        await secretDialog.getByRole("button", { name: "I’ve copied it" }).click()
        await page.getByRole("link", { name: "Leads", exact: true }).click()
        await page.getByRole("row", { name: /Ana Souza/ }).waitFor()
        await page.getByText("Live", { exact: true }).waitFor()
        return text
      })
      const statusOf = (token: string) =>
        Effect.map(send("/rest/v1/tools/whoami", { method: "POST", token, body: "{}" }), ({ status }) => status)
      assert.strictEqual(yield* statusOf(account.token), 401)
      assert.strictEqual(yield* statusOf(secret), 200)
      assert.deepStrictEqual(reader.complaints, [])
    })
  )
})
