import { HttpRouter, HttpServerResponse } from "@effect/platform"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { OutsideServices } from "../../Services/OutsideServices.ts"
import { serverVersion } from "../../Services/ServerVersion.ts"
import { Metrics } from "../Metrics.ts"

export interface PagesOptions {
  /** `/openapi.json`. */
  readonly openApi: string
  /** `/SKILL.md`. */
  readonly skillGuide: string
  readonly isDraining: () => boolean
}

const refusal = (status: number, type: string, error: string, detail: string, headers: Record<string, string> = {}) =>
  HttpServerResponse.unsafeJson({ error, type, detail }, { status, headers })

const noSuchRoute = refusal(
  404,
  "UnknownRoute",
  "There is no such route.",
  "Tools are under /rest/v1 and /api/v1; see /SKILL.md and /openapi.json."
)

const wrongMethod = refusal(405, "MethodNotAllowed", "The route does not have this method.", "Use GET.", {
  Allow: "GET, HEAD, OPTIONS"
})

const optionsOfPage = HttpServerResponse.empty({ status: 204, headers: { Allow: "GET, HEAD, OPTIONS" } })

/** Everything that is not a tool call: documents, health and metrics. None of it needs a token. */
export const makePages = (options: PagesOptions) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const metrics = yield* Metrics

    const readiness = Effect.gen(function* () {
      const services = yield* OutsideServices
      const isDatabaseUp = yield* sql`select 1`.pipe(
        Effect.timeout("2 seconds"),
        Effect.as(true),
        Effect.orElseSucceed(() => false)
      )
      const isReady = isDatabaseUp && !options.isDraining()
      return HttpServerResponse.unsafeJson(
        {
          status: isReady ? "ready" : options.isDraining() ? "stopping" : "not_ready",
          server_version: serverVersion,
          database: isDatabaseUp ? "up" : "down",
          services
        },
        isReady ? { status: 200 } : { status: 503, headers: { "Retry-After": "2" } }
      )
    })

    const text = (body: string, contentType: string) => HttpServerResponse.text(body, { contentType })

    return HttpRouter.empty.pipe(
      HttpRouter.get("/health/live", HttpServerResponse.unsafeJson({ status: "live", server_version: serverVersion })),
      HttpRouter.get("/health/ready", readiness),
      HttpRouter.get("/openapi.json", text(options.openApi, "application/json; charset=utf-8")),
      HttpRouter.get("/SKILL.md", text(options.skillGuide, "text/markdown; charset=utf-8")),
      HttpRouter.get(
        "/metrics",
        Effect.map(metrics.render, (page) => text(page, metrics.contentType))
      ),
      (router) =>
        (["/health/live", "/health/ready", "/openapi.json", "/SKILL.md", "/metrics"] as const).reduce(
          (pages, path) => pages.pipe(HttpRouter.options(path, optionsOfPage), HttpRouter.all(path, wrongMethod)),
          router
        ),
      HttpRouter.all("*", noSuchRoute)
    )
  })
