import { Context } from "effect"

/** The names of the tools that need the paid plan, as the catalog has them. */
export class PaidTools extends Context.Reference<PaidTools>()("PaidTools", {
  defaultValue: (): ReadonlyArray<string> => []
}) {}
