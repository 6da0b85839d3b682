import * as http from "node:http"
import type { AddressInfo } from "node:net"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { AccessTokensPostgres } from "../../src/Layers/Accounts/Tokens/AccessTokensPostgres.ts"
import { DatabaseLocation } from "../../src/Layers/Platform/Postgres/Database.ts"
import {
  callOver,
  type GatewayProcess,
  killHard,
  startGateway,
  temporaryDirectory,
  until
} from "../support/processes/GatewayProcess.ts"
import { makeTokenHolder } from "../support/servers/TestServer.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { modernRequest } from "./modernRequest.ts"
import { rpc } from "./speaking.ts"

/** A proxy in front of several gateways: a request goes to the first that takes it. */
const proxyOf = (gateways: ReadonlyArray<GatewayProcess>) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const server = http.createServer((request, response) => {
          const forward = ([gateway, ...others]: ReadonlyArray<GatewayProcess>, body: Buffer): void => {
            if (gateway === undefined) {
              response.writeHead(502).end()
              return
            }
            const { hostname, port } = new URL(gateway.baseUrl)
            const { headers, method, url: path } = request
            http
              .request({ hostname, port, path, method, headers, agent: false }, (answer) => {
                response.writeHead(answer.statusCode ?? 502, answer.headers)
                answer.pipe(response)
              })
              .on("error", () => forward(others, body))
              .end(body)
          }
          const pieces: Array<Buffer> = []
          request.on("data", (piece: Buffer) => pieces.push(piece))
          request.on("end", () => forward(gateways, Buffer.concat(pieces)))
        })
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
        return server
      }),
      (server) =>
        Effect.promise(async () => {
          server.closeAllConnections()
          await new Promise((resolve) => server.close(resolve))
        })
    ),
    (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  )

layer(AccessTokensPostgres.pipe(Layer.provideMerge(TestDatabase)), { excludeTestServices: true })(
  "two gateways behind a proxy",
  (it) => {
    it.scoped(
      "a confirmation, a task and a keyed write of the first are carried on by the second when the first is killed",
      () =>
        Effect.gen(function* () {
          const { database, host, port, user } = (yield* DatabaseLocation).connection
          const { token } = yield* makeTokenHolder()
          const environment = {
            DATABASE_URL: `postgres://${user}@/${database}?host=${host}&port=${port}`,
            LOG_LEVEL: "WARN"
          }
          const directory = yield* temporaryDirectory
          const first = yield* startGateway(directory, environment)
          const second = yield* startGateway(directory, environment)
          const proxy = yield* proxyOf([first, second])
          const call = (
            name: string,
            args: object,
            options: Parameters<typeof modernRequest>[3] = {},
            params: object = {}
          ) =>
            Effect.promise(async () => {
              const init = modernRequest(token, "tools/call", { name, arguments: args, ...params }, options)
              const response = await fetch(`${proxy}/mcp/x/all`, init)
              return rpc({ text: await response.text() })
            })
          const asking = { capabilities: { elicitation: {} } }
          const tasking = { capabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } } }
          const keyed = { headers: { "Idempotency-Key": "k1" } }

          const lead = { name: "Rui Prado", email: "rui@example.com" }
          const registered = yield* call("register_lead", lead, keyed)
          const { lead_id } = JSON.parse(registered.result?.content[0]?.text ?? "{}") as { readonly lead_id: number }
          const asked = yield* call("stop_lead", { lead_id }, asking)
          assert.strictEqual(asked.result?.resultType, "input_required")
          const started = yield* call("export_leads", {}, tasking)
          assert.strictEqual(started.result?.resultType, "task")

          yield* killHard(first)

          const again = yield* call("register_lead", lead, keyed)
          assert.deepStrictEqual(again.result?.content, registered.result?.content)
          const confirmed = yield* call("stop_lead", { lead_id }, asking, {
            inputResponses: { confirmation: { action: "accept", content: { confirm: true } } },
            requestState: asked.result?.requestState
          })
          assert.strictEqual(confirmed.result?.resultType, "complete")
          assert.isUndefined(confirmed.result?.isError)
          const stopped = yield* callOver(second, token, "get_lead", { lead_id })
          assert.strictEqual(stopped.body["pipeline_state"], "finished")
          const task = Effect.promise(async () => {
            const init = modernRequest(token, "tasks/get", { taskId: started.result?.taskId }, tasking)
            return rpc({ text: await (await fetch(`${proxy}/mcp/x/all`, init)).text() })
          })
          // Work of a process that is gone is taken over within half a minute.
          const done = yield* until<{ readonly result?: { readonly status?: string } }>(
            ({ result }) => result?.status === "completed",
            "60 seconds"
          )(task)
          assert.strictEqual(done.result?.status, "completed")
        }).pipe(Effect.orDie),
      240_000
    )
  }
)
