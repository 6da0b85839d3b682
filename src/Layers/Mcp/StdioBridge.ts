import { createInterface } from "node:readline"
import type { Readable, Writable } from "node:stream"
import { isObject, type JsonObject, objectOf } from "../../Api/Mcp/Protocol.ts"

export interface BridgeOptions {
  /** The gateway's URL, including the toolset. */
  readonly url: string
  readonly token: string
  readonly input: Readable
  readonly output: Writable
}

/** The time in milliseconds for running calls to end after the host has closed the input. */
const lastAnswers = 5_000

const versionKey = "io.modelcontextprotocol/protocolVersion"

const parsed = (line: string): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Header values other than plain ASCII are encoded (see Messages.ts). */
const inHeader = (value: string): string =>
  /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value)
    ? value
    : `=?base64?${Buffer.from(value).toString("base64")}?=`

const nameOf = ({ method, params }: JsonObject): unknown => {
  const parameters = objectOf(params)
  switch (method) {
    case "tools/call":
    case "prompts/get":
      return parameters["name"]
    case "resources/read":
      return parameters["uri"]
    case "tasks/get":
    case "tasks/update":
    case "tasks/cancel":
      return parameters["taskId"]
    default:
      return undefined
  }
}

/** The gateway's error text, if it is not an error of the protocol. */
const refusalOf = (answer: JsonObject | undefined): string => {
  const texts = [answer?.["error"], answer?.["how_to_fix"], answer?.["detail"]].filter(
    (text) => typeof text === "string"
  )
  return texts.length === 0 ? "The gateway refused the message." : texts.join(" ")
}

const failure = (id: unknown, code: number, message: string): string =>
  JSON.stringify({ jsonrpc: "2.0", id: id ?? null, error: { code, message } })

/**
 * Connects a host that starts its servers as local programs. Each line of the input is a message to the gateway, and
 * the gateway's messages go to the output. Ends with the input.
 */
export const bridge = async ({ input, output, token, url }: BridgeOptions): Promise<void> => {
  let session: string | undefined
  let version: string | undefined
  const underWay = new Map<unknown, AbortController>()
  const ended = new AbortController()

  const write = (message: string): void => {
    output.write(`${message}\n`)
  }

  const headersOf = (message: JsonObject): Record<string, string> => {
    const metaVersion = objectOf(objectOf(message["params"])["_meta"])[versionKey]
    const common = {
      Authorization: `Bearer ${token}`,
      Accept: "application/json, text/event-stream",
      "Content-Type": "application/json"
    }
    if (typeof metaVersion !== "string") {
      return {
        ...common,
        ...(session === undefined ? {} : { "Mcp-Session-Id": session }),
        ...(version === undefined ? {} : { "MCP-Protocol-Version": version })
      }
    }
    const name = nameOf(message)
    return {
      ...common,
      "MCP-Protocol-Version": inHeader(metaVersion),
      ...(typeof message["method"] === "string" ? { "Mcp-Method": inHeader(message["method"]) } : {}),
      ...(typeof name === "string" ? { "Mcp-Name": inHeader(name) } : {})
    }
  }

  /** Forwards each message of an event stream. */
  const handOn = async (response: Response): Promise<void> => {
    if (response.body === null) return
    let text = ""
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      text += piece
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        for (const line of text.slice(0, end).split("\n")) if (line.startsWith("data: ")) write(line.slice(6))
        text = text.slice(end + 2)
      }
    }
  }

  /** Listens for the gateway's notifications to an older client. */
  const listen = async (): Promise<void> => {
    const headers = { ...headersOf({}), Accept: "text/event-stream" }
    const response = await fetch(url, { headers, signal: ended.signal })
    if (response.ok) await handOn(response)
  }

  const noteSession = (response: Response, body: string): void => {
    session = response.headers.get("mcp-session-id") ?? undefined
    const agreed = objectOf(objectOf(parsed(body))["result"])["protocolVersion"]
    version = typeof agreed === "string" ? agreed : undefined
    if (session !== undefined) void listen().catch(() => undefined)
  }

  const send = async (line: string, message: JsonObject): Promise<void> => {
    const { id, method } = message
    const controller = new AbortController()
    if (id !== undefined) underWay.set(id, controller)
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: headersOf(message),
        body: line,
        signal: AbortSignal.any([controller.signal, ended.signal])
      })
      if (response.headers.get("content-type")?.startsWith("text/event-stream") === true) return await handOn(response)
      const body = await response.text()
      if (method === "initialize") noteSession(response, body)
      if (id === undefined || body === "") return
      const answer = parsed(body)
      if (answer?.["jsonrpc"] === "2.0") write(body)
      else write(failure(id, response.status, refusalOf(answer)))
    } catch {
      if (id !== undefined && !controller.signal.aborted) {
        write(failure(id, 503, `The gateway at ${new URL(url).origin} cannot be reached. Start it with npm start.`))
      }
    } finally {
      if (underWay.get(id) === controller) underWay.delete(id)
    }
  }

  const pending = new Set<Promise<void>>()
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    if (line.trim() === "") continue
    const message = parsed(line)
    if (message === undefined) {
      write(failure(null, -32700, "The line is not one JSON message."))
      continue
    }
    if (message["method"] === "notifications/cancelled" && session === undefined) {
      // In the newer revision, closing the stream cancels the call.
      underWay.get(objectOf(message["params"])["requestId"])?.abort()
      continue
    }
    const sent = send(line, message)
    pending.add(sent)
    void sent.finally(() => pending.delete(sent))
    // Later messages need the session.
    if (message["method"] === "initialize") await sent
  }
  const timer = setTimeout(() => ended.abort(), lastAnswers)
  await Promise.race([
    Promise.all(pending),
    new Promise((resolve) => ended.signal.addEventListener("abort", resolve, { once: true }))
  ])
  clearTimeout(timer)
  ended.abort()
}
