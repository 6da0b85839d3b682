import { refused } from "../../Errors.ts"

/** Returns undefined for a blank, which forms send for fields that were not filled in. */
export const given = (text: string | undefined): string | undefined => {
  const trimmed = text?.trim() ?? ""
  return trimmed === "" ? undefined : trimmed
}

export const missing = (parameter: string, action: string) =>
  refused("parameter_missing", `The action ${action} needs ${parameter}.`, `Send ${parameter}.`, { parameter })

export const stray = (parameter: string, action: string) =>
  refused("parameter_not_taken", `The action ${action} takes no ${parameter}.`, `Leave ${parameter} out.`, {
    parameter
  })
