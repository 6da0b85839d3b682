import { Effect } from "effect"
import * as oauth from "oauth4webapi"
import type { OutboundResponse } from "../../../Services/Outbound/OutboundHttp.ts"

/** What `oauth4webapi` wants to send, taken instead of sent. */
export interface Drafted {
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

type DraftingFetch = NonNullable<oauth.TokenEndpointRequestOptions[typeof oauth.customFetch]>

/** The library makes the request and judges the answer; what lies between goes the gateway's one way out. */
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

/** An answer as the library judges it. */
export const asResponse = ({ body, headers, status }: OutboundResponse): Response =>
  // Others are no statuses of a final answer.
  new Response(status === 204 || status === 304 ? null : Buffer.from(body), {
    status: status >= 200 && status <= 599 ? status : 502,
    headers: new Headers({ "content-type": headers["content-type"] ?? "" })
  })
