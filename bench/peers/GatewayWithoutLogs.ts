import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Config, Effect, Layer } from "effect"
import { Server, withServices } from "../../src/Layers/Gateway.ts"
import { AuditLog } from "../../src/Services/Core/AuditLog.ts"
import { RequestLog } from "../../src/Services/Core/RequestLog.ts"

/**
 * The gateway, whose server stores what `LOGS` says: `all`, as always, `audit` without the log of requests and the counts of
 * usage, or `requests` without the audit log.
 */

const withoutRequests = Layer.succeed(RequestLog, RequestLog.of({ record: () => {} }))
const withoutAudit = Layer.succeed(AuditLog, AuditLog.of({ record: () => {} }))

const servers = {
  all: Server,
  audit: Server.pipe(Layer.provide(withoutRequests)),
  requests: Server.pipe(Layer.provide(withoutAudit))
}

const program = Effect.flatMap(Config.literal("all", "audit", "requests")("LOGS"), (logs) =>
  Layer.launch(withServices(servers[logs]))
)

NodeRuntime.runMain(Effect.provide(program, NodeContext.layer))
