import { Schema } from "effect"
import { shareOf } from "../Text/PlainText.ts"
import { Opening, openings } from "../Writing/Openings.ts"

/** Settings that the optimizer varies, each within limits. None of them is a setting of the owner. */
export const Setting = Schema.Literal("opening", "send_hours", "pauses", "channel_order")
export type Setting = typeof Setting.Type

export const SendHours = Schema.Literal("usual", "morning", "afternoon")
export const Pauses = Schema.Literal("usual", "shorter", "longer")
export const ChannelOrder = Schema.Literal("email_first", "chatapp_first")

/** The settings that the optimizer tries with one lead. */
export const Trial = Schema.Struct({
  opening: Opening,
  send_hours: SendHours,
  pauses: Pauses,
  /** Null if the lead has only one channel, or the owner chose the order. */
  channel_order: Schema.NullOr(ChannelOrder),
  /** The lead's sector. Sectors may differ in their best order of channels. */
  sector: Schema.NullOr(Schema.String)
})
export type Trial = typeof Trial.Type

interface SettingRules {
  readonly choices: ReadonlyArray<string>
  /** The value without a choice. If undefined, all values are equally likely. */
  readonly usual: string | undefined
}

export const settingRules: { readonly [S in Setting]: SettingRules } = {
  opening: { choices: openings, usual: undefined },
  send_hours: { choices: SendHours.literals, usual: "usual" },
  pauses: { choices: Pauses.literals, usual: "usual" },
  channel_order: { choices: ChannelOrder.literals, usual: "email_first" }
}

/** The factor on the days between two touches. */
export const pauseFactors: { readonly [P in typeof Pauses.Type]: number } = { usual: 1, shorter: 0.7, longer: 1.5 }

/** The share of leads that continue to try other values. Without them, no effect could be measured. */
const triedShare = 0.3

/** The optimizer's choices for a campaign, by setting, or by setting and sector (`channel_order:62`). */
export type Choices = { readonly [setting: string]: string }

/** The setting of a key such as `opening` or `channel_order:62`. */
export const settingOf = (key: string): Setting =>
  Setting.literals.find((setting) => setting === key.split(":")[0]) ?? "channel_order"

/**
 * How often each value of a setting is tried. Without a choice, equally often. With a choice, most leads get the chosen
 * value, and the rest get the others.
 */
export const choiceWeights = (
  setting: Setting,
  chosenValue: string | undefined
): ReadonlyArray<readonly [choice: string, weight: number]> => {
  const { choices, usual } = settingRules[setting]
  const main = chosenValue !== undefined && choices.includes(chosenValue) ? chosenValue : usual
  if (main === undefined) return choices.map((choice) => [choice, 1 / choices.length])
  const rest = triedShare / (choices.length - 1)
  return choices.map((choice) => [choice, choice === main ? 1 - triedShare : rest])
}

/**
 * The value for one lead. It never changes for a lead, and does not depend on the lead's other settings and properties.
 */
const drawn = (setting: Setting, chosenValue: string | undefined, leadId: number): string => {
  let left = shareOf(`${leadId}|${setting}`)
  const weights = choiceWeights(setting, chosenValue)
  for (const [choice, weight] of weights) {
    left -= weight
    if (left < 0) return choice
  }
  return weights.at(-1)?.[0] ?? ""
}

/** The trial of a lead. Leads are assigned at random, so different results come from the settings alone. */
export const trialOf = (
  choices: Choices,
  lead: { readonly leadId: number; readonly sector: string | null; readonly hasChoiceOfChannels: boolean }
): Trial => {
  const pick = (setting: Setting, key: string = setting) =>
    drawn(setting, choices[key] ?? choices[setting], lead.leadId)
  return {
    opening: openings.find((opening) => opening === pick("opening")) ?? "offer",
    send_hours: SendHours.literals.find((hours) => hours === pick("send_hours")) ?? "usual",
    pauses: Pauses.literals.find((pauses) => pauses === pick("pauses")) ?? "usual",
    channel_order: lead.hasChoiceOfChannels
      ? (ChannelOrder.literals.find((order) => order === pick("channel_order", `channel_order:${lead.sector}`)) ??
        "email_first")
      : null,
    sector: lead.sector
  }
}

const switchedOff = /\b(?:no[ -]+optimi[sz]er|sem[ -]+otimizador|sin[ -]+optimizador)\b/i

/** Whether the owner's strategy disables the optimizer. */
export const isOptimizerOff = (strategy: string | null | undefined): boolean => switchedOff.test(strategy ?? "")
