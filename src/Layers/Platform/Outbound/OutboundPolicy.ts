import { Context } from "effect"
import { makeNameResolver, type ResolveName } from "./NameResolver.ts"

/** One resolver for the process, so that its limits apply to all look-ups together. */
const resolveName = makeNameResolver()

/** The operator's rules for outbound requests, and how names are resolved. */
export class OutboundPolicy extends Context.Reference<OutboundPolicy>()("OutboundPolicy", {
  defaultValue: (): {
    /** For development: loopback addresses count as public, on any port and without TLS. */
    readonly allowLoopback: boolean
    readonly resolve: ResolveName
    /** PEM certificates of authorities that are trusted in addition to those of the system. */
    readonly certificateAuthorities?: ReadonlyArray<string>
  } => ({
    allowLoopback: false,
    resolve: resolveName
  })
}) {}
