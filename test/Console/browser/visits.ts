import { assert, layer, it as test } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { testGateway } from "../../support/servers/TestServer.ts"
import { accountWithLeads } from "./account.ts"
import { chromiumLayer, hasChromium, openReader, type Reader } from "./reader.ts"
import { ServedConsole, servedConsole } from "./servedConsole.ts"

const gateway = testGateway({ trustedProxies: () => true, outboundAllowLoopback: true })
const everything = Layer.mergeAll(Layer.provideMerge(servedConsole, gateway), chromiumLayer)

const inChromium = layer(everything, { excludeTestServices: true })

/** Describes tests of the console in Chromium. They are skipped without the program. */
export const describeConsole: typeof inChromium = hasChromium
  ? inChromium
  : () => test.skip("the console needs Chromium")

interface Visit {
  readonly origin: string
  readonly account: Effect.Effect.Success<typeof accountWithLeads>
  readonly reader: Reader
}

/** What a person does at the console of an account with leads. The page must give no cause for complaint. */
export const visiting = (use: (visit: Visit) => Promise<void>) =>
  Effect.gen(function* () {
    const { origin } = yield* ServedConsole
    const account = yield* accountWithLeads
    const reader = yield* openReader(origin)
    yield* Effect.promise(() => use({ origin, account, reader }))
    assert.deepStrictEqual(reader.complaints, [])
  })
