import { spawn, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Effect, Schedule } from "effect"
import { freePort } from "./LocalDovecot.ts"

/** Whether this machine has the CalDAV server; tests with it are skipped where it has not. */
export const hasRadicale = spawnSync("radicale", ["--version"]).status === 0

interface Answer {
  readonly status: number
  readonly text: string
}

const configuration = (directory: string, port: number): string =>
  [
    `[server]\nhosts = 127.0.0.1:${port}`,
    "[auth]\ntype = none\n[rights]\ntype = authenticated\n[web]\ntype = none",
    `[storage]\ntype = multifilesystem\nfilesystem_folder = ${directory}/calendars\n`
  ].join("\n")

const query = (from: string, to: string): string =>
  `<?xml version="1.0"?>
<C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">
  <D:prop><D:getetag/></D:prop>
  <C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">
    <C:time-range start="${from}" end="${to}"/>
  </C:comp-filter></C:comp-filter></C:filter>
</C:calendar-query>`

/** A CalDAV server of the test's own with one calendar, ended with the scope. */
export const localRadicale = Effect.gen(function* () {
  const directory = yield* Effect.acquireRelease(
    Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "radicale-"))),
    (made) => Effect.sync(() => fs.rmSync(made, { recursive: true, force: true }))
  )
  const port = yield* freePort
  const config = path.join(directory, "config")
  fs.writeFileSync(config, configuration(directory, port))
  yield* Effect.acquireRelease(
    Effect.sync(() => spawn("radicale", ["--config", config], { stdio: "ignore" })),
    (server) =>
      Effect.promise(
        () =>
          new Promise<void>((resolve) => {
            if (server.exitCode !== null) return resolve()
            server.once("exit", () => resolve())
            server.kill("SIGKILL")
          })
      )
  )
  const calendar = `http://127.0.0.1:${port}/ana/meetings/`
  const send = (method: string, url: string, body?: string, headers: Record<string, string> = {}) =>
    Effect.tryPromise(async (): Promise<Answer> => {
      const authorization = `Basic ${Buffer.from("ana:any").toString("base64")}`
      const init = { method, headers: { authorization, ...headers }, ...(body === undefined ? {} : { body }) }
      const answer = await fetch(url, init)
      return { status: answer.status, text: await answer.text() }
    })
  const once = { "content-type": "text/calendar; charset=utf-8" }
  // It takes its time to start.
  yield* send("MKCALENDAR", calendar).pipe(
    Effect.retry(Schedule.spaced("100 millis").pipe(Schedule.upTo("30 seconds"))),
    Effect.orDie
  )
  return {
    /** The status of the answer. */
    put: (name: string, text: string) =>
      Effect.map(Effect.orDie(send("PUT", `${calendar}${name}`, text, once)), ({ status }) => status),
    get: (name: string) => Effect.map(Effect.orDie(send("GET", `${calendar}${name}`)), ({ text }) => text),
    /** Names of what lies within a time, as the server reckons: `20261210T130000Z`. */
    between: (from: string, to: string) =>
      Effect.map(
        Effect.orDie(send("REPORT", calendar, query(from, to), { "content-type": "application/xml", depth: "1" })),
        ({ text }) => [...text.matchAll(/<href>[^<]*\/([^</]+)<\/href>/g)].map(([, name]) => name ?? "")
      )
  }
})
