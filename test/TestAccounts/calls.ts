import { Effect } from "effect"
import { send } from "../support/servers/TestServer.ts"

/** Calls a tool over HTTP. Returns the status and the answer. */
export const post = (
  token: string,
  tool: string,
  args: object = {},
  {
    headers = {},
    prefix = "/rest/v1"
  }: { readonly headers?: Readonly<Record<string, string>>; readonly prefix?: string } = {}
) => send(`${prefix}/tools/${tool}`, { method: "POST", token, body: JSON.stringify(args), headers })

/** The same for a call that must succeed. */
export const call = (token: string, tool: string, args: object = {}, prefix = "/rest/v1") =>
  Effect.flatMap(post(token, tool, args, { prefix }), ({ json, status, text }) =>
    status === 200 ? Effect.succeed(json) : Effect.dieMessage(`${tool}: ${status} ${text}`)
  )

export const platform = "/platform/v1"
