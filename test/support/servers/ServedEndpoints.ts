import { HttpRouter } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { Effect } from "effect"
import { makeBackgroundScheduler } from "../../../src/Layers/Platform/Fairness/BackgroundScheduler.ts"
import { BodyBudget, makeBodyBudget } from "../../../src/Layers/Platform/Http/Admission/BodyBudget.ts"
import {
  type Endpoint,
  makeMount,
  PublicAddress,
  type RequestScope
} from "../../../src/Layers/Platform/Http/Endpoint.ts"
import { localHttpServer } from "./LocalHttpServer.ts"

const mount = makeMount({ isSampled: () => false, backgroundScheduler: makeBackgroundScheduler(() => false) })

/** Serves the endpoints on a free port of this machine until the scope ends; returns the server's address. */
export const serveEndpoints = (endpoints: ReadonlyArray<Endpoint<RequestScope>>) =>
  Effect.gen(function* () {
    const router = endpoints.reduce<HttpRouter.HttpRouter<never, RequestScope>>(
      (before, endpoint) => mount(endpoint)(before),
      HttpRouter.empty
    )
    const handler = yield* NodeHttpServer.makeHandler(
      router.pipe(
        Effect.provideService(BodyBudget, makeBodyBudget(256 * 1024 * 1024)),
        Effect.provideService(PublicAddress, "")
      )
    )
    const { url } = yield* localHttpServer(handler)
    return url
  })
