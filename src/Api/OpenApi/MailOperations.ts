import { jsonResponse, type Node } from "./ErrorResponses.ts"
import {
  forged,
  inHeader,
  inPath,
  later,
  nullableId,
  object,
  open,
  page,
  rawMail,
  refusal,
  text,
  tooLarge
} from "./OperationShapes.ts"

export const mail: Node = {
  "/u/{token}": {
    parameters: [inPath("token", "The token of a message's unsubscribe link.")],
    get: open({
      id: "unsubscribe_page",
      summary: "Ask whether to unsubscribe",
      description: "Shows a page with a button, and changes nothing: programs follow the links of a mail.",
      answers: {
        200: page("The page."),
        404: page("A page that says what works instead: the link cannot be read."),
        ...later
      }
    }),
    post: open({
      id: "unsubscribe",
      summary: "Unsubscribe",
      description: "What a mail program sends (RFC 8058), or the page's button. Nothing is sent to the lead any more.",
      answers: {
        200: page("Done."),
        404: page("A page that says what works instead: the link cannot be read."),
        ...tooLarge,
        ...later
      }
    })
  },
  "/not-me/{token}": {
    parameters: [inPath("token", "The token of the link under a mail to an address that has not confirmed.")],
    get: open({
      id: "not_me_page",
      summary: "Ask whether to stop mail",
      description: "Shows a page with a button, and changes nothing: programs follow the links of a mail.",
      answers: { 200: page("The page.") }
    }),
    post: open({
      id: "stop_mails",
      summary: "Stop all mail of accounts",
      description:
        "What a mail program sends (RFC 8058), or the page's button. No account writes to the address again, but for prospecting mail, which has its own link.",
      answers: {
        200: page("Done."),
        404: page("A page that says that the link no longer holds."),
        ...tooLarge,
        ...later
      }
    })
  },
  "/confirm/{token}": {
    parameters: [inPath("token", "The token of the link in a confirmation mail.")],
    get: open({
      id: "confirmation_page",
      summary: "Ask whether to confirm an address",
      description: "Shows a page with a button, and changes nothing: programs follow the links of a mail.",
      answers: { 200: page("The page.") }
    }),
    post: open({
      id: "confirm_address",
      summary: "Confirm an address",
      description: "The page's button: the account's notices come to the address from now on.",
      answers: { 200: page("Done."), 404: page("A page that says that the link no longer holds."), ...later }
    })
  },
  "/access/{token}": {
    parameters: [inPath("token", "The token of the link in a member's welcome.")],
    get: open({
      id: "member_access_page",
      summary: "Ask whether to show an access token",
      description: "Shows a page with a button, and changes nothing: programs follow the links of a mail.",
      answers: { 200: page("The page.") }
    }),
    post: open({
      id: "open_member_access",
      summary: "Make a member's access token",
      description: "The page's button: makes an access token of the member's own and shows it, once.",
      answers: {
        200: page("The page with the token."),
        404: page("A page that says that the link no longer holds."),
        422: jsonResponse("The account has as many access tokens as it may.", refusal),
        ...later
      }
    })
  },
  "/lead/{token}": {
    parameters: [inPath("token", "The token of the link in a notice to the owner. It is valid for 14 days.")],
    get: open({
      id: "lead_page",
      summary: "Show a lead to its owner",
      description:
        "Shows the last messages and what can be done, and changes nothing: programs follow the links of a mail.",
      answers: { 200: page("The page."), 404: page("A page that says that the link no longer holds."), ...later }
    }),
    post: open({
      id: "act_on_lead_page",
      summary: "Do what a button of a lead's page says",
      description: "action is take_over, return_to_pipeline or stop, as a form field.",
      answers: {
        200: page("Done."),
        404: page("A page that says that the link no longer holds."),
        409: page("A page that says that this is no longer possible."),
        ...later
      }
    })
  },
  "/inbound/mail": {
    post: open({
      id: "receive_mail",
      summary: "Take in a message",
      description:
        "For the operator's own mail server, where MAIL_INBOUND_SECRET is set. The signature is HMAC-SHA256 over timestamp, dot, recipient, dot and the body. A repeated delivery changes nothing.",
      parameters: [
        inHeader("X-Mail-Timestamp", "Unix seconds, at most five minutes off."),
        inHeader("X-Mail-Signature", "sha256= and the signature in hexadecimal."),
        inHeader(
          "X-Mail-Head-Signature",
          "sha256= and HMAC-SHA256 over head, dot, timestamp, dot and recipient, in hexadecimal. Messages over 4 MiB need it.",
          false
        ),
        inHeader("X-Mail-Recipient", "The envelope's recipient; without it the message's headers count.", false)
      ],
      body: rawMail,
      answers: {
        200: jsonResponse(
          "What became of it, for each account that it is for.",
          object({
            messages: { type: "array", items: object({ outcome: text, email_message_id: nullableId }) }
          })
        ),
        404: jsonResponse("It is for no account, or the route is not set up.", refusal),
        ...forged,
        ...tooLarge,
        ...later
      }
    })
  }
}
