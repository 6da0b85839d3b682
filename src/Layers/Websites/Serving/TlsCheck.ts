import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { siteHostOf } from "../../../Services/Text/Web/SiteHost.ts"
import type { Endpoint, RequestScope } from "../../Platform/Http/Endpoint.ts"
import { transientAnswer } from "../../Platform/Http/EndpointAnswers.ts"
import { Settings } from "../../Platform/Settings.ts"
import { SiteLooks, servingOf } from "./PublishedSitesPostgres.ts"

const longestDomain = 260

const answer = (status: 200 | 404) =>
  HttpServerResponse.text(status === 200 ? "yes\n" : "no\n", { status, headers: { "Cache-Control": "no-store" } })

/**
 * Answers `/sites/tls-check?domain=`: whether a proxy may request a certificate for the host. It may if a site is
 * served there. The check is a single look-up by name, batched with those of visitors.
 */
export const tlsCheckEndpoint: Effect.Effect<Endpoint<RequestScope>, never, Settings | SiteLooks> = Effect.gen(
  function* () {
    const { siteDomain } = yield* Settings
    const looks = yield* SiteLooks
    return {
      path: "/sites/tls-check",
      isPolled: true,
      methods: {
        GET: Effect.gen(function* () {
          const { url } = yield* HttpServerRequest.HttpServerRequest
          const domain = new URL(url, "http://gateway").searchParams.get("domain") ?? ""
          const host =
            domain.length > longestDomain || domain.includes(":") ? undefined : siteHostOf(domain, siteDomain)
          if (host?._tag !== "Name") return answer(404)
          const found = yield* Effect.async<
            Parameters<typeof servingOf>[0],
            Effect.Effect.Error<ReturnType<typeof looks.site>>
          >((resume) => looks.ask(host.name, resume))
          return answer(servingOf(found)._tag === "Absent" ? 404 : 200)
        }).pipe(Effect.catchAll((failure) => Effect.succeed(transientAnswer(failure))))
      }
    }
  }
)
