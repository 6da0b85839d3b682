import { Context } from "effect"

/** Notified of every finished tool call. `outcome` is `Success`, an error's type, or `Defect`. */
export class CallObserver extends Context.Reference<CallObserver>()("CallObserver", {
  defaultValue: () => ({
    called: (_tool: string, _outcome: string, _seconds: number): void => {}
  })
}) {}
