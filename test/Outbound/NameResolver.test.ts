import * as fs from "node:fs/promises"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { makeNameResolver, type NameResolverOptions } from "../../src/Layers/Platform/Outbound/NameResolver.ts"
import { parseHosts, parseSearched, type SystemNames } from "../../src/Layers/Platform/Outbound/SystemNames.ts"
import { nameServer, type Reply } from "./nameServer.ts"

const nothing: SystemNames = { hosts: new Map(), searched: [] }

const resolverFor = (
  reply: (name: string, family: 4 | 6) => Reply,
  options: NameResolverOptions = {},
  names: SystemNames = nothing
) =>
  Effect.map(nameServer(reply), ({ asked, server }) => ({
    asked,
    resolve: makeNameResolver({ servers: [server], systemNames: () => Promise.resolve(names), ...options })
  }))

const silent = (name: string, family: 4 | 6): Reply => {
  if (name.endsWith(".slow.example")) return "silence"
  return name === "good.example" ? (family === 4 ? ["203.0.113.7"] : []) : "no such name"
}

const codeOf = (promise: Promise<unknown>) =>
  Effect.promise(() =>
    promise.then(
      () => "resolved",
      (error: NodeJS.ErrnoException) => error.code
    )
  )

describe("names", () => {
  it.scopedLive("of both families are found, IPv4 first", () =>
    Effect.gen(function* () {
      const { resolve } = yield* resolverFor((_name, family) =>
        family === 4 ? ["203.0.113.7", "203.0.113.8"] : ["2001:0db8:0000:0000:0000:0000:0000:0001"]
      )
      const found = yield* Effect.promise(() => resolve("good.example"))
      assert.deepStrictEqual(
        found.map(({ address }) => address),
        ["203.0.113.7", "203.0.113.8", "2001:db8::1"]
      )
    })
  )

  it.scopedLive("whose server keeps silent delay neither files nor the names of other accounts", () =>
    Effect.gen(function* () {
      const { asked, resolve } = yield* resolverFor(silent, { perAccount: 8, timeout: 60_000 })
      let over = 0
      for (let name = 0; name < 200; name++) {
        resolve(`n${name}.slow.example`, { party: 1 })
          .catch(() => undefined)
          .finally(() => over++)
      }
      const found = yield* Effect.promise(() => resolve("good.example", { party: 2 }))
      yield* Effect.promise(() => fs.stat("package.json"))
      assert.strictEqual(found[0]?.address, "203.0.113.7")
      assert.strictEqual(over, 0, "None of the silent names has been given up yet.")
      const names = new Set(asked.filter((name) => name.endsWith(".slow.example")))
      assert.isAtMost(names.size, 8, "An account has only so many questions under way.")
    })
  )

  it.scopedLive("are given up after their time, and those who wait in numbers at once", () =>
    Effect.gen(function* () {
      const { resolve } = yield* resolverFor(silent, { perAccount: 1, timeout: 150 })
      const codes = yield* Effect.all(
        Array.from({ length: 600 }, (_, name) => codeOf(resolve(`n${name}.slow.example`, { party: 1 }))),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(codes.filter((code) => code === "EAI_AGAIN" || code === "ETIMEOUT").length, 600)
      assert.isAtLeast(codes.filter((code) => code === "EAI_AGAIN").length, 99)
      assert.strictEqual(yield* codeOf(resolve("good.example", { party: 1 })), "resolved")
    })
  )

  it.scopedLive("do without the family whose server keeps silent", () =>
    Effect.gen(function* () {
      const { resolve } = yield* resolverFor((_name, family) => (family === 4 ? ["203.0.113.7"] : "silence"), {
        timeout: 60_000,
        grace: 10
      })
      const found = yield* Effect.promise(() => resolve("good.example"))
      assert.deepStrictEqual(found, [{ address: "203.0.113.7", family: 4 }])
    })
  )

  it.scopedLive("that nobody has are told from those that cannot be told now", () =>
    Effect.gen(function* () {
      const { resolve } = yield* resolverFor(silent, { timeout: 200 })
      assert.strictEqual(yield* codeOf(resolve("none.example")), "ENOTFOUND")
      assert.strictEqual(yield* codeOf(resolve("a..example")), "ENOTFOUND")
      assert.strictEqual(yield* codeOf(resolve("x.slow.example")), "ETIMEOUT")
    })
  )

  it.scopedLive(
    "of the machine's own files are taken from there; short ones are completed for the operator alone",
    () =>
      Effect.gen(function* () {
        const names: SystemNames = {
          hosts: parseHosts(
            "# own\n127.0.0.1 localhost\n10.0.0.9\tmail Mail.internal # the server\nx y\n::1 localhost\n"
          ),
          searched: parseSearched("domain first.example\nnameserver 192.0.2.1\nsearch corp.example\n")
        }
        const reply = (name: string, family: 4 | 6): Reply =>
          name === "db.corp.example" ? (family === 4 ? ["10.0.0.5"] : []) : "no such name"
        const { asked, resolve } = yield* resolverFor(reply, {}, names)
        assert.deepStrictEqual(yield* Effect.promise(() => resolve("mail.INTERNAL")), [
          { address: "10.0.0.9", family: 4 }
        ])
        assert.deepStrictEqual(
          (yield* Effect.promise(() => resolve("localhost"))).map(({ address }) => address),
          ["127.0.0.1", "::1"]
        )
        assert.deepStrictEqual(asked, [])
        const completed = yield* Effect.promise(() => resolve("db", { isOperators: true }))
        assert.strictEqual(completed[0]?.address, "10.0.0.5")
        assert.isTrue(Exit.isFailure(yield* Effect.exit(Effect.tryPromise(() => resolve("db", { party: 1 })))))
      })
  )
})
