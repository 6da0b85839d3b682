import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { ServerAddress } from "../../../src/Layers/Platform/Http/Server.ts"
import { type Hands, keyboard, pointer } from "./hands.ts"
import { accountOfManager } from "./managerAccount.ts"
import { type Desk, managerTasks } from "./managerTasks.ts"
import { type Look, openReader, type Reader } from "./reader.ts"
import { ServedConsole } from "./servedConsole.ts"
import { describeConsole } from "./visits.ts"

const isWhole = process.env["WHOLE_RUN"] === "yes"
const dayMillis = 24 * 60 * 60 * 1000

/** Signs in as a person does, and does the ten tasks one after the other in one session. */
const workDay = (look: Look, handsOf: (page: Reader["page"]) => Hands) =>
  Effect.gen(function* () {
    const { origin } = yield* ServedConsole
    const { host, port } = yield* ServerAddress
    const account = yield* accountOfManager
    const { complaints, context, page } = yield* openReader(origin, look)
    const ask = async (token: string, tool: string, args: object) => {
      const response = await fetch(`http://${host}:${port}/rest/v1/tools/${tool}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${token}` },
        body: JSON.stringify(args)
      })
      const body: unknown = await response.json()
      return { status: response.status, body: typeof body === "object" && body !== null ? { ...body } : {} }
    }
    const desk: Desk = {
      page,
      hands: handsOf(page),
      idOf: account.idOf,
      soon: new Date(Date.now() + 20 * dayMillis).toISOString().slice(0, 10),
      rest: async (tool, args) => {
        const { body, status } = await ask(account.token, tool, args)
        assert.strictEqual(status, 200, `${tool}: ${JSON.stringify(body)}`)
        return body
      },
      statusWith: async (token, tool, args) => (await ask(token, tool, args)).status
    }
    yield* Effect.promise(async () => {
      await context.grantPermissions(["clipboard-read", "clipboard-write"])
      await page.goto(`${origin}/console/`)
      await page.getByLabel("Access token").waitFor()
      await desk.hands.write(page.getByLabel("Access token"), account.token)
      await desk.hands.press(page.getByRole("button", { name: "Continue" }))
      await page.getByRole("heading", { level: 1, name: /^Good / }).waitFor()
      for (const [name, run] of managerTasks) {
        const began = performance.now()
        await run(desk).catch((error: unknown) => {
          throw new Error(`A sales manager ${name}: ${error instanceof Error ? error.message : String(error)}`)
        })
        process.stdout.write(`console: ${((performance.now() - began) / 1000).toFixed(1)} s  ${name}\n`)
      }
    })
    assert.deepStrictEqual(complaints, [])
  })

describeConsole("the ten tasks of a sales manager", (it) => {
  const scoped = it.scoped.runIf(isWhole)

  scoped("are done with a pointer", () => workDay({}, pointer))
  scoped("are done by the keyboard alone, which sees where it is and meets no trap", () => workDay({}, keyboard))
  scoped("are done on a screen of 320 px", () => workDay({ width: 320, height: 640 }, pointer))
})
