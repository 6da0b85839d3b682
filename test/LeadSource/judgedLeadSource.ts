import { Effect, Layer } from "effect"
import { LeadSourceTransport } from "../../src/Layers/LeadSource/LeadSourceTransport.ts"
import { makeApolloSandboxTransport } from "../../src/Layers/LeadSource/sandbox/ApolloSandboxTransport.ts"
import { collectedFaults, faultsOfExchange, vendorJudge } from "../support/VendorJudge.ts"

const apollo = vendorJudge("apollo")

/** The simulated lead database, whose requests and answers are judged. */
export const judgedLeadSource = Layer.scoped(
  LeadSourceTransport,
  Effect.gen(function* () {
    const simulated = yield* makeApolloSandboxTransport
    const faults = yield* collectedFaults
    return LeadSourceTransport.of({
      mode: "sandbox",
      request: (request) =>
        Effect.tap(simulated(request), (answer) =>
          Effect.sync(() => {
            for (const fault of faultsOfExchange(apollo, request, answer)) faults.add(fault)
          })
        )
    })
  })
)
