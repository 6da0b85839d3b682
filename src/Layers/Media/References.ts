import { Chunk, Effect, Option, Stream } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { CustomerFiles, fileTooLarge } from "../../Services/Files/CustomerFiles.ts"
import { GenerationFailed } from "../../Services/Media/Generation.ts"
import { fetchFailure, unsuccessfulStatus } from "../../Services/Outbound/FetchedUrl.ts"
import { OutboundHttp } from "../../Services/Outbound/OutboundHttp.ts"
import { Settings } from "../Platform/Settings.ts"
import { ImageRenderer } from "./Rendering/ImageRenderer.ts"

const mostBytes = 15 * 1024 * 1024

const unusable = (detail: string) => new GenerationFailed({ code: "reference_unusable", detail })

const missing = unusable("There is no file at the address of the gateway's own that was given as a reference.")
const tooLarge = unusable(`A reference is larger than ${mostBytes} bytes.`)

/** Fetches the pictures that a caller named, and re-encodes them so that only their pixels are used. */
export const makeReferences = Effect.gen(function* () {
  const files = yield* CustomerFiles
  const http = yield* OutboundHttp
  const studio = yield* ImageRenderer
  const { baseUrl } = yield* Settings
  const own = `${baseUrl}/files/`

  const ownFile = (url: string) =>
    Effect.gen(function* () {
      const found = yield* files.findByDownloadKey(url.slice(own.length).split("/")[0] ?? "")
      if (Option.isNone(found)) return yield* missing
      if (found.value.file.size_bytes > mostBytes) return yield* tooLarge
      return Buffer.concat(Chunk.toReadonlyArray(yield* Stream.runCollect(found.value.bytes)))
    }).pipe(Effect.catchTag("NotFound", () => Effect.fail(missing)))

  const fetched = (accountId: AccountId, url: string): Effect.Effect<Uint8Array, GenerationFailed | Transient> =>
    http
      .request({
        account: accountId,
        method: "GET",
        url,
        redirect: "same-host",
        timeout: "30 seconds",
        maxResponseBytes: mostBytes
      })
      .pipe(
        Effect.catchTag("OutboundFailure", (failure) => Effect.fail(fetchFailure(failure, fileTooLarge(mostBytes)))),
        Effect.flatMap(({ body, status }) =>
          status === 200 ? Effect.succeed(body) : Effect.fail(unsuccessfulStatus(status))
        ),
        Effect.catchTag("Refused", ({ error }) => Effect.fail(unusable(error)))
      )

  return (accountId: AccountId, urls: ReadonlyArray<string>, longest = 1400) =>
    Effect.forEach(urls, (url) =>
      Effect.gen(function* () {
        const bytes = yield* url.startsWith(own) ? ownFile(url) : fetched(accountId, url)
        const [picture] = yield* studio
          .make(accountId, { kind: "reference", bytes, longest })
          .pipe(Effect.catchTag("GenerationFailed", ({ detail }) => Effect.fail(unusable(detail))))
        return picture ?? new Uint8Array()
      })
    )
})
