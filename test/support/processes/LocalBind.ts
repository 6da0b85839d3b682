import { spawn } from "node:child_process"
import { createSocket } from "node:dgram"
import { Resolver } from "node:dns/promises"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Effect, Schedule } from "effect"

const binary = "/usr/sbin/named"

/** Whether this machine has the name server. Otherwise its tests are skipped. */
export const hasBind = fs.existsSync(binary)

const freePort = Effect.promise(
  () =>
    new Promise<number>((resolve) => {
      const socket = createSocket("udp4")
      socket.bind(0, "127.0.0.1", () => {
        const { port } = socket.address()
        socket.close(() => resolve(port))
      })
    })
)

/**
 * A real authoritative name server for the zones, until the scope ends. A zone whose text is null cannot be loaded.
 * Returns its address.
 */
export const serveZones = (zones: { readonly [zone: string]: ReadonlyArray<string> | null }) =>
  Effect.gen(function* () {
    const directory = fs.mkdtempSync(path.join(os.tmpdir(), "named-"))
    const port = yield* freePort
    const blocks = Object.entries(zones).map(([zone, lines]) => {
      const soa = `$TTL 60\n@ IN SOA ns.${zone}. root.${zone}. 1 60 60 60 60\n@ IN NS ns.${zone}.\nns.${zone}. IN A 127.0.0.1\n`
      fs.writeFileSync(path.join(directory, zone), lines === null ? "no zone" : `${soa}${lines.join("\n")}\n`)
      return `zone "${zone}" { type primary; file "${zone}"; };`
    })
    fs.writeFileSync(
      path.join(directory, "named.conf"),
      `options { directory "${directory}"; listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };
recursion no; pid-file none; session-keyfile none; dnssec-validation no; };
controls { };
${blocks.join("\n")}\n`
    )
    yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(binary, ["-f", "-p", String(port), "-c", path.join(directory, "named.conf")], { stdio: "ignore" })
      ),
      (server) =>
        Effect.promise(async () => {
          const ended = new Promise((resolve) => server.once("exit", resolve))
          if (server.exitCode === null && server.kill("SIGKILL")) await ended
          fs.rmSync(directory, { recursive: true, force: true })
        })
    )
    const address = `127.0.0.1:${port}`
    const [brokenZone = ""] = Object.entries(zones).flatMap(([zone, lines]) => (lines === null ? [] : [zone]))
    yield* Effect.tryPromise(() => {
      const resolver = new Resolver({ timeout: 200, tries: 1 })
      resolver.setServers([address])
      return resolver.resolveNs(brokenZone)
    }).pipe(Effect.retry(Schedule.spaced("50 millis").pipe(Schedule.upTo("20 seconds"))), Effect.orDie)
    return address
  })
