import type { IncomingMessage } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { clientAddress, clientNetwork, trustedProxies } from "../../../src/Layers/Platform/Http/ClientAddress.ts"

const requestFrom = (peer: string, forwarded?: string) =>
  ({
    socket: { remoteAddress: peer },
    headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded }
  }) as Partial<IncomingMessage> as IncomingMessage

const trusted = trustedProxies("10.0.0.0/8, 127.0.0.1,2001:db8:1::/48")

describe("the address of a client", () => {
  for (const [name, peer, forwarded, client] of [
    ["is the peer's", "203.0.113.9", undefined, "203.0.113.9"],
    ["is the peer's whatever an untrusted peer writes", "203.0.113.9", "198.51.100.1", "203.0.113.9"],
    ["is what a trusted proxy says", "10.1.2.3", "198.51.100.1", "198.51.100.1"],
    ["is the last of what it says", "10.1.2.3", "6.6.6.6, 198.51.100.1", "198.51.100.1"],
    ["is before a chain of trusted proxies", "127.0.0.1", "6.6.6.6,198.51.100.1, 10.9.9.9 ,10.1.1.1", "198.51.100.1"],
    ["is IPv4 in IPv6 too", "::ffff:10.1.2.3", "::ffff:198.51.100.1", "198.51.100.1"],
    ["is IPv6", "2001:db8:1::5", "2001:db8:9:9::1", "2001:db8:9:9::1"],
    ["is the proxy's where it writes nonsense", "10.1.2.3", "198.51.100.1, <script>", "10.1.2.3"],
    ["is the proxy's where it writes nothing", "10.1.2.3", "", "10.1.2.3"],
    ["is bounded in how far back it is looked for", "10.1.2.3", `6.6.6.6${",10.0.0.1".repeat(5000)}`, "10.0.0.1"]
  ] as const) {
    it(name, () => assert.strictEqual(clientAddress(requestFrom(peer, forwarded), trusted), client))
  }

  it("is of a network that says less than the address", () => {
    assert.deepStrictEqual(
      ["198.51.100.77", "::ffff:198.51.100.1", "2001:db8:9:9::1", "fe80::1%eth0", ""].map(clientNetwork),
      ["198.51.100.0/24", "198.51.100.0/24", "2001:db8:9::/48", "unknown", "unknown"]
    )
  })
})
