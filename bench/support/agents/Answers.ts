import { isDeepStrictEqual } from "node:util"
import { Data, Effect } from "effect"
import { callsUnderTest, pathOf, type RunOfCalls } from "../CallsUnderTest.ts"
import type { ServerProcess } from "../ServerProcess.ts"

/** Two servers answer differently, so their speeds cannot be compared. */
export class AnswersDiffer extends Data.TaggedError("AnswersDiffer")<{ readonly message: string }> {}

interface HttpAnswer {
  readonly status: number
  readonly body: string
}

/** Calls a tool of a server. */
export const callTool = (server: ServerProcess, token: string, tool: string, args: unknown) =>
  Effect.promise(async (): Promise<HttpAnswer> => {
    const response = await fetch(`${server.url}${pathOf(tool)}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: typeof args === "string" ? args : JSON.stringify(args)
    })
    return { status: response.status, body: await response.text() }
  })

/** Each run registers a new lead, so its id is not compared. */
const comparable = ({ body, status }: HttpAnswer): string => `${status} ${body.replace(/"lead_id":\d+,"created"/, "")}`

const differ = (what: string, reference: HttpAnswer, server: ServerProcess, answer: HttpAnswer) =>
  new AnswersDiffer({
    message: `${server.name} answers ${what} differently:\n  ${comparable(answer)}\n  instead of ${comparable(reference)}`
  })

const samplesPerCall = 20

/** Fails unless all servers answer a sample of each call with 200 and byte for byte like the first one. */
export const checkAnswers = (servers: ReadonlyArray<ServerProcess>, token: string, run: RunOfCalls) =>
  Effect.gen(function* () {
    const [reference, ...others] = servers
    if (reference === undefined) return
    for (const { args, name, tool } of callsUnderTest) {
      for (let n = 0; n < samplesPerCall; n++) {
        const expected = yield* callTool(reference, token, tool, args(n, { ...run, id: `${run.id}0` }))
        if (expected.status !== 200) return yield* differ(`${name} (200 is wanted)`, expected, reference, expected)
        for (const [index, server] of others.entries()) {
          const answer = yield* callTool(server, token, tool, args(n, { ...run, id: `${run.id}${index + 1}` }))
          if (comparable(answer) !== comparable(expected)) return yield* differ(name, expected, server, answer)
        }
      }
    }
  })

/** Requests with mistakes or attacks. */
const refusals: ReadonlyArray<readonly [tool: string, body: string, token?: string]> = [
  ["whoami", '{"unknown":1}'],
  ["whoami", "{}", "pgw_0000000000000000000000000000000000000000"],
  ["whoami", "{}", "nonsense"],
  ["get_lead", "{}"],
  ["get_lead", '{"lead_id":1.5}'],
  ["get_lead", '{"lead_id":"1.5"}'],
  ["get_lead", '{"lead_id":true}'],
  ["get_lead", '{"lead_id":null}'],
  ["get_lead", '{"lead_id":[1]}'],
  ["get_lead", '{"lead_id":2000000000}'],
  ["get_lead", '{"lead_id":1,"page":1}'],
  ["get_lead", "{"],
  ["search_leads", '{"page":-1}'],
  ["search_leads", '{"page_size":0}'],
  ["search_leads", '{"page_size":"many"}'],
  ["search_leads", '{"has_linkedin":"yes"}'],
  ["search_leads", '{"status":"Lukewarm"}'],
  ["search_leads", '{"created_after":"yesterday"}'],
  ["search_leads", '{"campaign":"No such campaign"}'],
  ["search_leads", `{"query":"${"x".repeat(201)}"}`],
  ["search_leads", '{"order":"asc"}'],
  ["register_lead", "{}"],
  ["register_lead", '{"name":" "}'],
  ["register_lead", '{"name":{"first":"Ana"}}'],
  ["register_lead", '{"name":"Ana","email":"ana"}'],
  ["register_lead", '{"name":"Ana","phone":"12"}'],
  ["register_lead", '{"name":"Ana","status":"Interested"}'],
  ["register_lead", '{"name":"Ana","campaign":"No such campaign"}']
]

/** Other notations of the same request. */
const variants: ReadonlyArray<readonly [tool: string, body: string]> = [
  ["search_leads", '{"page":"1","page_size":500,"sort_by":"size"}'],
  ["search_leads", '{"status":"Interested","has_linkedin":"true","sort_by":"status"}'],
  ["search_leads", '{"campaign":"campanha 2","created_after":"2025-01-02","created_before":"2025-01-09"}'],
  ["search_leads", '{"query":"METALURGICA","status":null}']
]

/** Fails unless both servers refuse the same requests with the same status, and accept the same ones. */
export const checkValidation = (gateway: ServerProcess, peer: ServerProcess, token: string, leadId: number) =>
  Effect.gen(function* () {
    for (const [tool, body, expectedStatus] of refusals) {
      const expected = yield* callTool(gateway, expectedStatus ?? token, tool, body)
      const answer = yield* callTool(peer, expectedStatus ?? token, tool, body)
      if (expected.status < 400 || answer.status !== expected.status) {
        return yield* differ(`${tool} ${body}`, expected, peer, answer)
      }
    }
    for (const [tool, body] of [["get_lead", `{"lead_id":"${leadId}"}`] as const, ...variants]) {
      const expected = yield* callTool(gateway, token, tool, body)
      const answer = yield* callTool(peer, token, tool, body)
      if (expected.status !== 200 || !isDeepStrictEqual(answer, expected)) {
        return yield* differ(`${tool} ${body}`, expected, peer, answer)
      }
    }
  })
