import { Effect } from "effect"
import { editorEndpoints } from "../../../src/Layers/Websites/Editor/EditorEndpoints.ts"
import { serveEndpoints } from "../../support/servers/ServedEndpoints.ts"
import { testBaseUrl } from "../../support/TestSettings.ts"
import { websiteOf } from "./desk.ts"

export interface Answered {
  readonly status: number
  readonly body: string
  readonly headers: Headers
}

const answerTo = (request: Promise<Response>): Promise<Answered> =>
  request.then(async (response) => ({
    status: response.status,
    body: await response.text(),
    headers: response.headers
  }))

/** The editor of a site as a browser without scripts has it. */
export const openEditor = (websiteId: number) =>
  Effect.gen(function* () {
    const base = yield* serveEndpoints(yield* editorEndpoints)
    const { editor_url } = yield* websiteOf(websiteId)
    const url = editor_url.replace(testBaseUrl, base)
    const get = (path = "") =>
      Effect.promise(() => answerTo(fetch(`${url}${path}`, { headers: { "accept-language": "en" } })))
    const post = (fields: { readonly [name: string]: string }, headers: { readonly [name: string]: string } = {}) =>
      Effect.promise(() =>
        answerTo(
          fetch(url, {
            method: "POST",
            headers: { "accept-language": "en", ...headers },
            body: new URLSearchParams(fields)
          })
        )
      )
    /** As a person does it: opens the page and presses a button of it. */
    const press = (fields: { readonly [name: string]: string }) =>
      Effect.flatMap(get(), ({ body }) =>
        post({ token: /name="token" value="([^"]+)"/.exec(body)?.[1] ?? "", ...fields })
      )
    return { base, url, get, post, press }
  })
