import { Effect } from "effect"
import { checkAttachment } from "../../Services/ChatApp/ChatAppAttachment.ts"
import { ChatAppLines } from "../../Services/ChatApp/ChatAppLines.ts"
import { ChatAppMessages, SentToLead } from "../../Services/ChatApp/ChatAppMessages.ts"
import { longestText } from "../../Services/ChatApp/ChatAppRules.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { Leads } from "../../Services/Leads/Leads.ts"
import { fetchReasons } from "../../Services/Outbound/FetchedUrl.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"
import { leadId, unlessBlank } from "../Leads/LeadParams.ts"

export const sendChatAppMessageToLead = Tool.make("send_chatapp_message_to_lead", {
  kind: "write",
  idempotent: false,
  openWorld: true,
  description:
    "Sends a lead a message of yours on the messaging app. While the platform works the lead, the message waits and is delivered on its next touch. A lead that you have taken over gets it at once, word for word, if it wrote there in the last 24 hours; else the call is refused and e-mail is the way. Needs a live line.",
  parameters: {
    lead_id: leadId,
    message: Param.text("The message exactly as the lead should read it.", { minLength: 1, maxLength: longestText }),
    attachment_url: Param.optional(
      Param.text("Public https address of a picture, video, sound or document that is sent after the text.", {
        maxLength: 2048,
        format: "uri"
      })
    )
  },
  returns: SentToLead,
  errors: {
    NotFound: ["lead_not_found"],
    Refused: [
      ...fetchReasons.Refused,
      "attachment_too_large",
      "attachment_type_not_supported",
      "chatapp_line_not_live",
      "lead_blacklisted",
      "lead_finished",
      "lead_has_no_phone",
      "lead_unsubscribed",
      "service_window_closed",
      "too_many_parked_messages"
    ],
    Transient: fetchReasons.Transient
  },
  // The attachment's host is contacted in between, while no transaction is open.
  transaction: "several",
  example: { lead_id: 2, message: "Olá! Segue a proposta que combinamos." },
  run: Effect.fnUntraced(function* ({ attachment_url, lead_id, message }) {
    const messages = yield* ChatAppMessages
    const unit = yield* UnitOfWork
    const url = unlessBlank(attachment_url)
    if (url !== undefined) {
      // This check comes first, so that no host is contacted for a call that is refused anyway.
      yield* Effect.flatMap(Leads, (leads) => leads.get(lead_id))
      yield* Effect.flatMap(ChatAppLines, (lines) => lines.requireLive)
    }
    const attachment = url === undefined ? undefined : yield* checkAttachment(url)
    return yield* unit.write(messages.sendToLead(lead_id, { text: message, attachment }))
  })
})
