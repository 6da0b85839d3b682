import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { send } from "../../support/servers/TestServer.ts"

const decodeShown = Schema.decodeUnknownSync(Schema.Struct({ token: Schema.String, token_id: Schema.Int }))

interface Holder {
  readonly token: string
}

/** Calls one of the platform's tools. */
export const onPlatform = ({ token }: Holder, tool: string, args: object) =>
  send(`/platform/v1/tools/${tool}`, { method: "POST", token, body: JSON.stringify(args) })

/** A token that the platform's tool makes or rotates, with its secret. */
export const shownBy = (holder: Holder, tool: string, args: object) =>
  Effect.map(onPlatform(holder, tool, args), ({ json, status, text }) => {
    assert.strictEqual(status, 200, text)
    return decodeShown(json)
  })

/** The secret of a token with these scopes, separated by commas. */
export const scopedToken = (holder: Holder, scopes: string) =>
  Effect.map(shownBy(holder, "create_token", { scopes }), ({ token }) => token)
