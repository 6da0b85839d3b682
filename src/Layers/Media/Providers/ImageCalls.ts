import { Effect } from "effect"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { GenerationFailed } from "../../../Services/Media/Generation.ts"
import type { OutboundHttp } from "../../../Services/Outbound/OutboundHttp.ts"
import { makeProviderClient } from "../../Platform/Outbound/ProviderClient.ts"

const largestImageBytes = 40 * 1024 * 1024
const downloadRetries = 2

export const opaqueOnly = new GenerationFailed({
  code: "transparency_unsupported",
  detail: "The engine makes no images with a transparent background."
})
const downloadFailed = new GenerationFailed({
  code: "result_not_fetched",
  detail: "The provider made the image, but it could not be fetched from the address that it gave."
})

/** A model may take minutes for one picture. */
export const imageClientOptions = (baseUrl: string) => ({
  name: "images",
  baseUrl,
  isOperators: true,
  maxResponseBytes: largestImageBytes,
  timeout: "4 minutes" as const
})

/** The result is already paid for, so a failed download is repeated. The address gets no credentials. */
export const fetchPicture = (http: OutboundHttp["Type"], baseUrl: string, accountId: AccountId, address: string) =>
  makeProviderClient({
    ...imageClientOptions(baseUrl),
    transport: (request) => http.request({ ...request, account: accountId }),
    timeout: "1 minute"
  })
    .send({ method: "GET", path: address, expects: "bytes" })
    .pipe(
      Effect.filterOrFail(({ status }) => status === 200),
      Effect.retry({ times: downloadRetries }),
      Effect.mapBoth({ onFailure: () => downloadFailed, onSuccess: ({ body }) => body })
    )
