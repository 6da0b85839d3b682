import { Option, Schema } from "effect"
import type { ChatAppHealth } from "../../../Services/ChatApp/ChatApp.ts"
import type { LineReport } from "../../../Services/ChatApp/ChatAppMessages.ts"
import type { ChatAppQuality } from "../../../Services/ChatApp/ChatAppModel.ts"
import { clip, tidyText } from "../../../Services/Text/PlainText.ts"

/** The webhook fields that report on the provider's account. The documentation lists them for the operator. */
export const lineNewsFields = [
  "message_template_status_update",
  "template_category_update",
  "message_template_quality_update",
  "phone_number_quality_update",
  "account_update"
] as const
type LineNewsField = (typeof lineNewsFields)[number]

const text = Schema.optionalWith(Schema.String, { nullable: true, exact: true })

const Value = Schema.Struct({
  event: text,
  message_template_name: text,
  message_template_language: text,
  new_category: text,
  new_quality_score: text,
  display_phone_number: text,
  phone_number: text,
  ban_info: Schema.optionalWith(Schema.Struct({ waba_ban_state: text }), { nullable: true, exact: true })
})
type Value = typeof Value.Type

const decodeValue = Schema.decodeUnknownOption(Value)

/** The meaning of a field. `health` is undefined if the field changes nothing. */
interface Meaning {
  readonly health: ChatAppHealth | null | undefined
  readonly quality?: ChatAppQuality
}

const nothing: Meaning = { health: undefined }

const waitForReview =
  "Openings in this language are not sent until the provider approves the template. Check it in the provider's business manager."

const brokenTemplates: { readonly [event: string]: string } = {
  REJECTED: "rejected",
  PAUSED: "paused",
  DISABLED: "disabled",
  PENDING_DELETION: "deleted",
  DELETED: "deleted"
}

const templateStatus = ({ event = "", message_template_language = "" }: Value): Meaning => {
  if (event === "APPROVED" || event === "REINSTATED") return { health: null }
  const state = brokenTemplates[event]
  if (state === undefined) return nothing
  const language = clip(tidyText(message_template_language), 20)
  return { health: { issue: `The provider ${state} the opening template (${language}).`, fix: waitForReview } }
}

const templateCategory = ({ new_category = "" }: Value): Meaning =>
  new_category === ""
    ? nothing
    : {
        health: {
          issue: `The provider counts the opening template as ${clip(tidyText(new_category), 40).toLowerCase()}, which changes the price of openings.`,
          fix: "Check the cost caps. The operator sets CHATAPP_OPENING_CATEGORY to the same category."
        }
      }

const templateQuality = ({ new_quality_score = "" }: Value): Meaning =>
  new_quality_score === "RED"
    ? {
        health: {
          issue: "Many people block or report after the opening template, so the provider may pause it.",
          fix: "Open fewer conversations, and only with people who expect it."
        }
      }
    : nothing

const numberQuality = ({ event = "" }: Value): Meaning => {
  switch (event) {
    case "FLAGGED":
    case "DOWNGRADE":
      return {
        quality: "red",
        health: {
          issue: "The number's quality is low, and the provider limits how many conversations it opens.",
          fix: "Stop opening conversations for some days, so that the quality rating recovers."
        }
      }
    case "UNFLAGGED":
      return { quality: "green", health: null }
    default:
      return nothing
  }
}

const accountState = ({ ban_info, event = "" }: Value): Meaning => {
  const ban = ban_info?.waba_ban_state
  if (ban === "REINSTATE") return { health: null }
  if (ban === "DISABLE" || ban === "SCHEDULE_FOR_DISABLE") {
    return {
      health: {
        issue: "The provider disabled the business account, or is about to.",
        fix: "Request a review on the account quality page of the provider's business manager."
      }
    }
  }
  switch (event) {
    case "ACCOUNT_VIOLATION":
    case "ACCOUNT_RESTRICTION":
      return {
        health: {
          issue: "The provider restricted the business account for a violation of its policies.",
          fix: "Open the account quality page in the provider's business manager and request a review."
        }
      }
    case "ACCOUNT_DELETED":
    case "PARTNER_REMOVED":
    case "PARTNER_APP_UNINSTALLED":
      return {
        health: {
          issue: "The platform's access to the business account was removed.",
          fix: "Connect the number again with register_chatapp_line."
        }
      }
    default:
      return nothing
  }
}

const readers: { readonly [F in LineNewsField]: (value: Value) => Meaning } = {
  message_template_status_update: templateStatus,
  template_category_update: templateCategory,
  message_template_quality_update: templateQuality,
  phone_number_quality_update: numberQuality,
  account_update: accountState
}

const phoneOf = ({ display_phone_number, phone_number }: Value): string | undefined => {
  const digits = (display_phone_number ?? phone_number ?? "").replace(/\D/g, "")
  return digits === "" ? undefined : digits.slice(0, 20)
}

/** Returns the report about lines in a change of the provider's account. Undefined if it does not affect lines. */
export const lineNewsOf = (providerAccountId: string, field: string, value: unknown): LineReport | undefined => {
  const fieldName = lineNewsFields.find((name) => name === field)
  const decoded = Option.getOrUndefined(decodeValue(value))
  if (fieldName === undefined || decoded === undefined) return undefined
  const { health, quality } = readers[fieldName](decoded)
  if (health === undefined) return undefined
  return {
    _tag: "LineReport",
    providerAccountId,
    phone: phoneOf(decoded),
    template: decoded.message_template_name,
    health,
    quality
  }
}
