import { Context, type Effect } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import type { SimulatedCode } from "./AuthorizationSandbox.ts"

/** The codes that the consent page of the simulated authorization server issues. */
export class SimulatedCodes extends Context.Tag("SimulatedCodes")<
  SimulatedCodes,
  { readonly give: (accountId: AccountId, code: SimulatedCode) => Effect.Effect<string, Transient> }
>() {}
