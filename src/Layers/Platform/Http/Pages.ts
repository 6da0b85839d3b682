import { HttpRouter } from "@effect/platform"
import { Effect } from "effect"
import type { SkillGuide } from "../../../Api/SkillGuide.ts"
import { cachedPage, cachedText } from "./Answers/CachedAnswer.ts"
import { type Endpoint, type Mount, type RequestScope, refusal } from "./Endpoint.ts"
import { makeOperationsPages } from "./OperationsPages.ts"

export interface PagesOptions {
  /** Routes of other layers. */
  readonly endpoints: ReadonlyArray<Endpoint<RequestScope>>
  /** The text of `/openapi.json`. */
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

/**
 * Makes the answer for a document of this version of the gateway. Caches must revalidate it each time, because an
 * update changes it.
 */
const documentText = (text: string, type: string) =>
  cachedText(text, { "Content-Type": `${type}; charset=utf-8`, "Cache-Control": "public, no-cache" })

/** All routes except tool calls: documents, health and metrics. None of them needs a token. */
export const makePages = (options: PagesOptions) =>
  Effect.gen(function* () {
    const { isDraining, mount } = options
    const operations = yield* makeOperationsPages("public", isDraining, mount)

    const openApi = yield* Effect.cached(
      Effect.flatMap(options.openApi, (document) => documentText(document, "application/json"))
    )
    const guides = yield* Effect.cached(
      Effect.flatMap(options.skillGuide, ({ groups, overview }) =>
        Effect.map(
          Effect.forEach([["/SKILL.md", overview] as const, ...groups], ([path, text]) =>
            Effect.map(Effect.cached(documentText(text, "text/markdown")), (page) => [path, page] as const)
          ),
          (entries) => new Map(entries)
        )
      )
    )

    const guideAt = (path: string) =>
      Effect.flatMap(guides, (pages) => {
        const page = pages.get(path)
        return page === undefined ? noSuchGuide : Effect.flatMap(page, cachedPage)
      })

    return HttpRouter.empty.pipe(
      operations,
      mount({ path: "/openapi.json", methods: { GET: Effect.flatMap(openApi, cachedPage) } }),
      mount({ path: "/SKILL.md", methods: { GET: guideAt("/SKILL.md") } }),
      mount({
        path: "/SKILL/:page",
        methods: { GET: Effect.flatMap(HttpRouter.params, ({ page = "" }) => guideAt(`/SKILL/${page}`)) }
      }),
      (router) =>
        options.endpoints.reduce<HttpRouter.HttpRouter<never, RequestScope>>(
          (mounted, endpoint) => mount(endpoint)(mounted),
          router
        ),
      HttpRouter.all("*", noSuchRoute),
      // The router also fails with RouteNotFound if a part of the path is longer than a name may be.
      Effect.catchTag("RouteNotFound", () => noSuchRoute)
    )
  })
