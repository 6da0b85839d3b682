import { Effect, Layer } from "effect"
import { SiteReviewer } from "../../../src/Services/Websites/Writing/SiteReview.ts"

/** Nobody looks at sites, as where no browser is. */
export const unseen = Layer.succeed(SiteReviewer, SiteReviewer.of({ look: () => Effect.succeed(undefined) }))
