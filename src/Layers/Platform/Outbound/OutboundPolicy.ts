import type { LookupAddress } from "node:dns"
import * as dns from "node:dns/promises"
import { Context } from "effect"

/** What the gateway's operator allows requests to the outside, and how names become addresses. */
export class OutboundPolicy extends Context.Reference<OutboundPolicy>()("OutboundPolicy", {
  defaultValue: (): {
    /** For development: loopback addresses count as public, on any port and without TLS. */
    readonly allowLoopback: boolean
    readonly resolve: (hostname: string) => Promise<ReadonlyArray<LookupAddress>>
    /** Certificates in PEM that are trusted beside those of the system. */
    readonly certificateAuthorities?: ReadonlyArray<string>
  } => ({
    allowLoopback: false,
    resolve: (hostname) => dns.lookup(hostname, { all: true })
  })
}) {}
