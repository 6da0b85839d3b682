import type { EffectiveConfiguration } from "../../Services/Prospecting/EffectiveConfiguration.ts"
import { callTimeOf } from "../../Services/Replies/CallWish.ts"
import { responseAt } from "../../Services/Replies/ReplyConsequences.ts"
import type { ReplyReading } from "../../Services/Replies/ReplyReading.ts"
import { subjectOf } from "../../Services/Simulation/SimulatedLead.ts"
import {
  type SimulatingAccount,
  type SimulationSoFar,
  zoneOfSimulated
} from "../../Services/Simulation/SimulatedTurn.ts"
import type { SimulationChannel } from "../../Services/Simulation/Simulation.ts"

/** Whether the simulated lead objected to the same before. */
export const repeatsObjection = ({ messages }: SimulationSoFar, { refusalReason }: ReplyReading): boolean =>
  messages.some(({ reading }) => reading?.class === "objection" && reading.refusalReason === refusalReason)

/** What is known of the simulated lead, as the owner's criteria are compared with it. */
export const profileTextOf = ({ profile }: SimulationSoFar): string => {
  const { background, city, cnae, company_description, company_name, lead_name } = profile
  return [lead_name, company_name, company_description, cnae, city, background]
    .filter((part) => part !== null)
    .join("\n")
}

/** Whether the lead already got its holding line. It gets one. */
export const wasHeldBefore = ({ messages }: SimulationSoFar): boolean =>
  messages.some(({ author, message_type }) => author === "agent" && message_type === "direct")

/** When the lead would be called, if it asks for that and calls are on. */
export const callTimeOfSimulated = (
  simulation: SimulationSoFar,
  {
    account,
    channel,
    config
  }: {
    readonly account: SimulatingAccount
    readonly channel: SimulationChannel
    readonly config: Pick<EffectiveConfiguration, "voice_calling_active">
  },
  reading: ReplyReading,
  { near, now }: { readonly now: number; readonly near: number | undefined }
): number | undefined => {
  const { profile } = simulation
  if (!config.voice_calling_active || channel !== "chatapp" || profile.phone === null) return undefined
  const soon = responseAt(subjectOf(profile), now)
  return callTimeOf(reading, { now, soon, zone: zoneOfSimulated(simulation, account), near })
}
