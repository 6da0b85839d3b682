import { Context } from "effect"
import { makeNameResolver, type ResolveName } from "./NameResolver.ts"

/** One for the process, so that its limits apply to the whole process. */
const resolveName = makeNameResolver()

/** What the operator allows outbound requests to do, and how names are resolved. */
export class OutboundPolicy extends Context.Reference<OutboundPolicy>()("OutboundPolicy", {
  defaultValue: (): {
    /** For development: loopback addresses count as public, on any port and without TLS. */
    readonly allowLoopback: boolean
    readonly resolve: ResolveName
    /** Certificates in PEM that are trusted in addition to those of the system. */
    readonly certificateAuthorities?: ReadonlyArray<string>
  } => ({
    allowLoopback: false,
    resolve: resolveName
  })
}) {}
