import { Effect } from "effect"
import * as oauth from "oauth4webapi"
import type { OutboundResponse } from "../../../Services/Outbound/OutboundHttp.ts"

/** A request that `oauth4webapi` built, captured instead of sent. */
export interface Drafted {
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

type DraftingFetch = NonNullable<oauth.TokenEndpointRequestOptions[typeof oauth.customFetch]>

/**
 * Captures the request that the library builds. The library also checks the answer, but the gateway's outbound client
 * sends the request.
 */
export const drafted = (make: (options: oauth.TokenEndpointRequestOptions) => Promise<Response>) =>
  Effect.promise(async () => {
    let draft: Drafted = { url: "", headers: {}, body: "" }
    const take: DraftingFetch = (url, { body, headers }) => {
      draft = { url, headers, body: body.toString() }
      return Promise.resolve(new Response())
    }
    await make({ [oauth.customFetch]: take })
    return draft
  })

/** Converts an answer to the type that the library checks. */
export const asResponse = ({ body, headers, status }: OutboundResponse): Response =>
  // The constructor of `Response` accepts no body for these statuses.
  new Response(status === 204 || status === 304 ? null : Buffer.from(body), {
    status: status >= 200 && status <= 599 ? status : 502,
    headers: new Headers({ "content-type": headers["content-type"] ?? "" })
  })
