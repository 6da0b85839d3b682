import { HttpRouter, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import type { SkillGuide } from "../../../Api/SkillGuide.ts"
import { type Endpoint, type Mount, type RequestScope, refusal } from "./Endpoint.ts"
import { makeOperationsPages } from "./OperationsPages.ts"

export interface PagesOptions {
  /** Routes of other layers. */
  readonly endpoints: ReadonlyArray<Endpoint<RequestScope>>
  /** `/openapi.json`. */
  readonly openApi: Effect.Effect<string>
  readonly skillGuide: Effect.Effect<SkillGuide>
  readonly isDraining: () => boolean
  readonly mount: Mount
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
    const { isDraining, mount } = options
    const operations = yield* makeOperationsPages("public", isDraining, mount)

    const text = (body: string, contentType: string) => HttpServerResponse.text(body, { contentType })

    const markdown = (body: string) => text(body, "text/markdown; charset=utf-8")

    const openApi = Effect.map(options.openApi, (document) => text(document, "application/json; charset=utf-8"))

    const groupGuide = Effect.zipWith(HttpRouter.params, options.skillGuide, ({ page = "" }, { groups }) => {
      const guide = groups.get(`/SKILL/${page}`)
      return guide === undefined ? noSuchGuide : markdown(guide)
    })

    return HttpRouter.empty.pipe(
      operations,
      mount({ path: "/openapi.json", methods: { GET: openApi } }),
      mount({
        path: "/SKILL.md",
        methods: { GET: Effect.map(options.skillGuide, ({ overview }) => markdown(overview)) }
      }),
      mount({ path: "/SKILL/:page", methods: { GET: groupGuide } }),
      (router) =>
        options.endpoints.reduce<HttpRouter.HttpRouter<never, RequestScope>>(
          (mounted, endpoint) => mount(endpoint)(mounted),
          router
        ),
      HttpRouter.all("*", noSuchRoute),
      // The router finds no route if a part of the path is longer than a name may be.
      Effect.catchTag("RouteNotFound", () => noSuchRoute)
    )
  })
