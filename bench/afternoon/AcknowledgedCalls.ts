import { randomUUID } from "node:crypto"
import { Agent, request } from "node:https"
import { setTimeout as pause } from "node:timers/promises"

/** A lead whose registration was answered. */
export interface Acknowledged {
  readonly name: string
  readonly email: string
  readonly key: string
  readonly leadId: number
  /** When the answer arrived. */
  readonly at: number
}

/** A try that was not answered with 200. The call was then repeated with the same key. */
interface FailedTry {
  readonly phase: string
  readonly reason: string
}

interface Answer {
  readonly status: number
  readonly replayed: boolean
  readonly body: unknown
}

/** Where calls go: a proxy, with the certificate that it has. */
export interface CallTarget {
  readonly port: number
  readonly host: string
  readonly certificate: string
  readonly token: string
}

const longestTry = 30_000
const betweenCalls = 60
const betweenTries = 150
const mostTries = 400

/** Sends one request through the proxy. Fails if the connection does. */
const post = (
  { certificate, host, port, token }: CallTarget,
  agent: Agent,
  path: string,
  content: object,
  headers: Readonly<Record<string, string>> = {}
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(
      {
        agent,
        host: "127.0.0.1",
        servername: host,
        port,
        ca: certificate,
        method: "POST",
        path,
        timeout: longestTry,
        headers: {
          host,
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          ...headers
        }
      },
      (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.once("error", reject)
        response.once("end", () => {
          try {
            const body: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8") || "null")
            resolve({
              status: response.statusCode ?? 0,
              replayed: response.headers["idempotency-replayed"] === "true",
              body
            })
          } catch (failure) {
            reject(failure instanceof Error ? failure : new Error("no JSON"))
          }
        })
      }
    )
    sent.once("timeout", () => sent.destroy(new Error("timeout")))
    sent.once("error", reject)
    sent.end(JSON.stringify(content))
  })

const callTool = (target: CallTarget, agent: Agent, tool: string, args: object) =>
  post(target, agent, `/rest/v1/tools/${tool}`, args)

const register = (
  target: CallTarget,
  agent: Agent,
  { email, key, name }: Pick<Acknowledged, "email" | "key" | "name">
) => post(target, agent, "/rest/v1/tools/register_lead", { name, email }, { "idempotency-key": key })

const leadIdIn = (body: unknown): number => {
  if (typeof body === "object" && body !== null && "lead_id" in body && typeof body.lead_id === "number") {
    return body.lead_id
  }
  throw new Error(`no lead_id in ${JSON.stringify(body)}`)
}

const agentOf = (clients: number) => new Agent({ keepAlive: true, maxSockets: clients })

/** Clients that register leads one after the other, each with a key, and repeat a call until it is answered with 200. */
export const startCalls = (target: CallTarget, clients: number) => {
  const agent = agentOf(clients)
  const acknowledged: Array<Acknowledged> = []
  const failures: Array<FailedTry> = []
  let phase = "start"
  let isStopping = false
  const tries = async (lead: Pick<Acknowledged, "email" | "key" | "name">): Promise<number> => {
    for (let count = 0; count < mostTries; count++) {
      const answer = await register(target, agent, lead).catch((failure: unknown) => String(failure))
      if (typeof answer !== "string" && answer.status === 200) return leadIdIn(answer.body)
      const reason = typeof answer === "string" ? answer : `${answer.status} ${JSON.stringify(answer.body)}`
      failures.push({ phase, reason })
      await pause(betweenTries)
    }
    throw new Error(`A call was not answered in ${mostTries} tries.`)
  }
  const client = async (number: number) => {
    for (let call = 0; !isStopping; call++) {
      const lead = { name: `Client ${number}`, email: `call${call}@client${number}.example`, key: randomUUID() }
      const leadId = await tries(lead)
      acknowledged.push({ ...lead, leadId, at: Date.now() })
      await pause(betweenCalls)
    }
  }
  const all = Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  // Without a listener, a client that gives up would end this process before it has cleaned up.
  all.catch(() => undefined)
  return {
    acknowledged,
    failures,
    enter: (name: string) => {
      phase = name
    },
    /** Lets each client finish the call it has begun. */
    stop: async () => {
      isStopping = true
      await all
      agent.destroy()
    }
  }
}

/** Repeats calls with their keys. Returns those that did not get the same answer as before. */
export const repeatCalls = async (target: CallTarget, calls: ReadonlyArray<Acknowledged>) => {
  const agent = agentOf(1)
  const others: Array<Acknowledged> = []
  for (const call of calls) {
    const { body, replayed, status } = await register(target, agent, call)
    if (status !== 200 || !replayed || leadIdIn(body) !== call.leadId) others.push(call)
  }
  agent.destroy()
  return others
}

/** Reads, refusals, and requests of an agent, so that the dashboard has something of each to show. */
export const startOtherCalls = (target: CallTarget) => {
  const agent = agentOf(3)
  let isStopping = false
  const run = async () => {
    while (!isStopping) {
      const ping = { jsonrpc: "2.0", id: 1, method: "ping" }
      await Promise.allSettled([
        callTool(target, agent, "search_leads", { query: "client" }),
        callTool(target, agent, "get_lead", { lead_id: 999_999 }),
        post(target, agent, "/mcp", ping, { accept: "application/json, text/event-stream" })
      ])
      await pause(200)
    }
  }
  const done = run()
  return async () => {
    isStopping = true
    await done
    agent.destroy()
  }
}
