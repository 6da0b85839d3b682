import { type Refused, refused } from "../../Errors.ts"
import { isSingleLine } from "../Text/SingleLine.ts"
import { effectiveBudget, type Micros, microsOf } from "./AdsMoney.ts"

const longestName = 120

export const checkedName = (given: string): string | Refused => {
  const name = given.split(/\s/).filter(Boolean).join(" ")
  if (name === "" || [...name].length > longestName || !isSingleLine(name)) {
    return refused("name_invalid", `A name has 1 to ${longestName} characters.`, "Send a shorter one of one line.", {
      parameter: "name",
      minimum: 1,
      maximum: longestName
    })
  }
  // A name with only digits would be read as an id.
  return /^\d+$/.test(name)
    ? refused("name_of_digits", "A name of digits alone cannot be told from an id.", "Add a word.", {
        parameter: "name"
      })
    : name
}

export const checkedBudget = (brl: number, parameter: string): Micros | Refused =>
  brl > 0
    ? effectiveBudget(brl)
    : refused("budget_not_positive", "The daily budget has to be above zero.", "Send an amount in reais.", {
        parameter,
        minimum: 1
      })

/** Why the active budget differs from the requested one. Null if they are equal. */
export const adjustmentOf = (brl: number, micros: Micros) =>
  micros === brl * 1e6 || Math.abs(micros / 1e6 - brl) < 1e-9
    ? null
    : micros > microsOf(brl)
      ? ("raised_to_minimum" as const)
      : micros < microsOf(Math.min(brl, 1e9))
        ? ("lowered_to_maximum" as const)
        : ("rounded" as const)
