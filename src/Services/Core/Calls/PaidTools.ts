import { Context } from "effect"

/** The names of the tools that require the paid plan, from the catalog. */
export class PaidTools extends Context.Reference<PaidTools>()("PaidTools", {
  defaultValue: (): ReadonlyArray<string> => []
}) {}
