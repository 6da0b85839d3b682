import { HttpRouter, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import type { SkillGuide } from "../../../Api/SkillGuide.ts"
import { IntegrationModes } from "../../../Services/Core/IntegrationModes.ts"
import { serverVersion } from "../../../Services/Core/ServerVersion.ts"
import { Metrics } from "../Metrics.ts"
import { DatabasePools } from "../Postgres/Database.ts"
import { type Endpoint, mount, type RequestScope, refusal } from "./Endpoint.ts"

export interface PagesOptions {
  /** Routes of other layers. */
  readonly endpoints: ReadonlyArray<Endpoint<RequestScope>>
  /** `/openapi.json`. */
  readonly openApi: string
  readonly skillGuide: SkillGuide
  readonly isDraining: () => boolean
}

const noSuchRoute = refusal(
  404,
  "UnknownRoute",
  "There is no such route.",
  "Tools are under /rest/v1 and /api/v1; see /SKILL.md and /openapi.json."
)

const noSuchGuide = refusal(
  404,
  "UnknownRoute",
  "There is no such group.",
  "See /SKILL.md for the pages of all groups."
)

/** Everything that is not a tool call: documents, health and metrics. None of it needs a token. */
export const makePages = (options: PagesOptions) =>
  Effect.gen(function* () {
    const { quick } = yield* DatabasePools
    const metrics = yield* Metrics

    const readiness = Effect.gen(function* () {
      const services = yield* IntegrationModes
      // On a session that no caller's work holds: a gateway with much to do is not down.
      const isDatabaseUp = yield* Effect.tryPromise(() => quick.query("select 1")).pipe(
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

    const markdown = (body: string) => text(body, "text/markdown; charset=utf-8")

    const groupGuide = Effect.map(HttpRouter.params, ({ page = "" }) => {
      const guide = options.skillGuide.groups.get(`/SKILL/${page}`)
      return guide === undefined ? noSuchGuide : markdown(guide)
    })

    return HttpRouter.empty.pipe(
      mount({
        path: "/health/live",
        methods: { GET: HttpServerResponse.unsafeJson({ status: "live", server_version: serverVersion }) }
      }),
      mount({ path: "/health/ready", methods: { GET: readiness } }),
      mount({ path: "/openapi.json", methods: { GET: text(options.openApi, "application/json; charset=utf-8") } }),
      mount({ path: "/SKILL.md", methods: { GET: markdown(options.skillGuide.overview) } }),
      mount({ path: "/SKILL/:page", methods: { GET: groupGuide } }),
      mount({
        path: "/metrics",
        methods: { GET: Effect.map(metrics.render, (page) => text(page, metrics.contentType)) }
      }),
      (router) =>
        options.endpoints.reduce<HttpRouter.HttpRouter<never, RequestScope>>(
          (mounted, endpoint) => mount(endpoint)(mounted),
          router
        ),
      HttpRouter.all("*", noSuchRoute)
    )
  })
