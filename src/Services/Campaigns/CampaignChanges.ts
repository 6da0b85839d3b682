import { Either } from "effect"
import { type Refused, refused } from "../../Errors.ts"
import { type Changes, clearedIfBlank } from "../Core/Changes.ts"
import type { CampaignSettings } from "../Prospecting/CampaignSettings.ts"
import { type RequestedRules, ruleChanges } from "../Prospecting/ProspectingRules.ts"
import { type RequestedTargeting, targetingChanges } from "../Prospecting/Targeting.ts"
import { isSingleLine } from "../Text/SingleLine.ts"
import { normaliseWebsite } from "../Text/Web/WebAddress.ts"
import type { NewCampaign } from "./Campaigns.ts"

/** A change as a caller sends it. A blank text clears a field, and a missing one stays unchanged. */
export interface RequestedCampaign extends RequestedTargeting, RequestedRules {
  readonly business_name?: string | undefined
  readonly business_description?: string | undefined
  readonly business_website?: string | undefined
  readonly icp?: string | undefined
  readonly email_display_name?: string | undefined
  readonly is_active?: boolean | undefined
  readonly lead_generation_active?: boolean | undefined
  readonly voice_calling_active?: boolean | undefined
  readonly clear_voice_calling_active?: boolean
  readonly generate_custom_presentations?: boolean | undefined
  readonly notify_on_interested?: boolean | undefined
  readonly notify_on_confirmed?: boolean | undefined
}

const oneLine = (parameter: string, text: string): Either.Either<string, Refused> =>
  isSingleLine(text)
    ? Either.right(text.trim())
    : Either.left(
        refused(
          "control_characters",
          `${parameter} has a line break or another control character.`,
          "Send it as one line of text.",
          { parameter }
        )
      )

const optionalLine = (parameter: string, text: string | undefined): Either.Either<string | undefined, Refused> =>
  text === undefined ? Either.right(undefined) : oneLine(parameter, text)

const website = (text: string | null | undefined): Either.Either<string | null | undefined, Refused> =>
  text === undefined || text === null
    ? Either.right(text)
    : Either.mapLeft(normaliseWebsite(text), ({ message, reason }) =>
        refused(reason, message, "Correct business_website, or leave it out.", { parameter: "business_website" })
      )

/** The name of a campaign as stored. `parameter` names the argument in errors. */
export const campaignName = (parameter: string, text: string): Either.Either<string, Refused> =>
  Either.filterOrLeft(
    oneLine(parameter, text.normalize("NFC")),
    (name) => !/^[0-9]+$/.test(name),
    () =>
      refused(
        "campaign_name_numeric",
        `${parameter} consists of digits only.`,
        "Add a letter, because a number means a campaign's id.",
        { parameter }
      )
  )

/** Checks changes of a campaign and converts the values to their stored form. */
export const campaignChanges = (
  requestedChanges: RequestedCampaign
): Either.Either<Changes<CampaignSettings>, Refused> =>
  Either.gen(function* () {
    if (requestedChanges.clear_voice_calling_active === true && requestedChanges.voice_calling_active !== undefined) {
      return yield* Either.left(
        refused(
          "contradicting_parameters",
          "voice_calling_active sets what clear_voice_calling_active would clear.",
          "Send one of the two.",
          { parameters: ["voice_calling_active", "clear_voice_calling_active"] }
        )
      )
    }
    return {
      ...(yield* targetingChanges(requestedChanges)),
      ...ruleChanges(requestedChanges),
      business_name: yield* optionalLine("business_name", requestedChanges.business_name),
      business_description: clearedIfBlank(requestedChanges.business_description),
      business_website: yield* website(clearedIfBlank(requestedChanges.business_website)),
      icp: clearedIfBlank(requestedChanges.icp),
      email_display_name: clearedIfBlank(
        yield* optionalLine("email_display_name", requestedChanges.email_display_name)
      ),
      is_active: requestedChanges.is_active,
      lead_generation_active: requestedChanges.lead_generation_active,
      voice_calling_active:
        requestedChanges.clear_voice_calling_active === true ? null : requestedChanges.voice_calling_active,
      generate_custom_presentations: requestedChanges.generate_custom_presentations,
      notify_on_interested: requestedChanges.notify_on_interested,
      notify_on_confirmed: requestedChanges.notify_on_confirmed
    }
  })

/** Checks the settings of a new campaign. */
export const newCampaign = (
  requestedSettings: RequestedCampaign & { readonly name: string; readonly business_name: string }
): Either.Either<NewCampaign, Refused> =>
  Either.gen(function* () {
    return {
      ...(yield* campaignChanges(requestedSettings)),
      name: yield* campaignName("name", requestedSettings.name),
      business_name: yield* oneLine("business_name", requestedSettings.business_name)
    }
  })
