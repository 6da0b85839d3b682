import { type Duration, Effect } from "effect"
import { type NotFound, type Transient, transient } from "../../../Errors.ts"
import { AdsFunding, type Refund, type RefundState } from "../../../Services/Ads/AdsFunding.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"

/** The gateway stops and syncs a campaign within a minute, unless the ads platform is unavailable. */
const usualWait = { pause: "2 seconds", longest: "3 minutes" } as const

const notSettled = transient(
  "campaign_not_settled",
  "The campaign is paused here, but the gateway has not stopped it at the ads platform and synced its spend yet.",
  60
)

/**
 * Pauses a campaign, waits until its final cost is known, and records the refund: the given amount, or the whole
 * balance. The campaign stays paused. A second run continues where the first one ended.
 */
export const refundCampaign = (
  refund: Refund,
  wait: { readonly pause: Duration.DurationInput; readonly longest: Duration.DurationInput } = usualWait
) =>
  Effect.gen(function* () {
    const unit = yield* UnitOfWork
    const funding = yield* AdsFunding
    const settle: Effect.Effect<RefundState, NotFound | Transient> = Effect.flatMap(
      unit.write(funding.prepareRefund(refund)),
      (state) =>
        state.isSettled
          ? Effect.succeed(state)
          : Effect.delay(
              Effect.suspend(() => settle),
              wait.pause
            )
    )
    yield* Effect.timeoutFail(settle, { duration: wait.longest, onTimeout: () => notSettled })
    return yield* unit.write(funding.refund(refund))
  })
