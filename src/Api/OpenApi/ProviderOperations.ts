import { jsonResponse, type Node, plainResponse, textResponse } from "./ErrorResponses.ts"
import {
  anyObject,
  forged,
  inHeader,
  inPath,
  inQuery,
  json,
  later,
  notSetUp,
  type Operation,
  object,
  open,
  page,
  refusal,
  refused,
  text,
  tooLarge,
  unreadable
} from "./OperationShapes.ts"

export const calendar: Node = {
  "/calendar/notices": {
    post: open({
      id: "receive_calendar_notice",
      summary: "Take in that a calendar changed",
      description:
        "Notices of the calendar's provider have no body: the channel's id and token tell whose calendar is to be read. Forged, repeated or late, they bring about nothing else.",
      parameters: [
        inHeader("X-Goog-Channel-ID", "The channel."),
        inHeader("X-Goog-Channel-Token", "What the gateway gave when it opened the channel."),
        inHeader("X-Goog-Resource-State", "sync, exists or not_exists.", false),
        inHeader("X-Goog-Message-Number", "Rises with each notice of a channel.", false)
      ],
      answers: {
        204: plainResponse("Taken."),
        404: jsonResponse("There is no such channel.", refusal),
        ...later
      }
    })
  },
  "/calendar/notices/microsoft": {
    post: open({
      id: "receive_microsoft_calendar_notice",
      summary: "Take in that a Microsoft 365 calendar changed",
      description:
        "The subscription's channel is in the query and its `clientState` in the body: together they tell whose calendar is to be read. Forged, repeated or late, a notice brings about nothing else. A request with `validationToken` is answered with that text, as Microsoft asks of an address before it uses it.",
      parameters: [inQuery("channel", "The channel."), inQuery("validationToken", "A text that Microsoft wants back.")],
      body: json(anyObject),
      answers: {
        200: textResponse("The text of `validationToken`.", "text/plain"),
        204: plainResponse("Taken."),
        404: jsonResponse("There is no such channel.", refusal),
        ...later
      }
    })
  }
}

export const chatApp: Node = {
  "/webhooks/crm/{account}/{crm}/{secret}/{news}": {
    post: open({
      id: "receive_crm_news",
      summary: "Hear that a deal changed",
      description:
        "Deliveries of the CRMs that were given this address when they were connected, signed where the CRM signs. Nothing in them is believed: the CRM is asked.",
      parameters: [
        inPath("account", "The account."),
        inPath("crm", "The CRM's name."),
        inPath("secret", "What only the CRM was told."),
        inPath("news", "The kind of news.")
      ],
      body: json(anyObject),
      answers: {
        200: plainResponse("Taken."),
        401: jsonResponse("It is not signed as it was agreed.", refusal),
        ...notSetUp,
        ...tooLarge,
        ...later
      }
    })
  },
  "/webhooks/chatapp": {
    get: open({
      id: "confirm_chatapp_webhook",
      summary: "Confirm the webhook",
      description: "The handshake of the messaging app's provider.",
      parameters: [
        inQuery("hub.mode", "subscribe."),
        inQuery("hub.verify_token", "CHATAPP_VERIFY_TOKEN."),
        inQuery("hub.challenge", "What is answered.")
      ],
      answers: {
        200: textResponse("The challenge.", "text/plain"),
        403: jsonResponse("The verify token is wrong.", refusal),
        ...notSetUp
      }
    }),
    post: open({
      id: "receive_chatapp_events",
      summary: "Take in messages and states",
      description: "Deliveries of the messaging app's provider, signed over their bytes with the app's secret.",
      parameters: [inHeader("X-Hub-Signature-256", "sha256= and HMAC-SHA256 in hexadecimal.")],
      body: json(anyObject),
      answers: {
        200: plainResponse("Taken, whether understood or not."),
        ...unreadable,
        ...forged,
        ...notSetUp,
        ...tooLarge,
        ...later
      }
    })
  },
  "/chatapp/signup": {
    get: open({
      id: "finish_chatapp_signup",
      summary: "Come back from the sign-up",
      description: "Where the provider sends the owner's browser once a number is connected.",
      parameters: [
        inQuery("state", "The key of the sign-up link.", text, true),
        inQuery("code", "The provider's code."),
        inQuery("error", "Why the sign-up ended without one.")
      ],
      answers: {
        200: page("The number is being set up."),
        404: page("The link is not valid, or was used."),
        409: page("The number was not connected."),
        503: page("Not possible for the moment.")
      }
    })
  }
}

export const scheduler: Node = {
  "/webhooks/scheduler/{key}": {
    parameters: [inPath("key", "The part of the address that the subscription was made with.")],
    post: open({
      id: "take_scheduler_notice",
      summary: "Take a notice of the scheduler's",
      description:
        "Says which booking to read anew: nothing else in it is believed. Signed over the bytes as they are sent, within three minutes.",
      parameters: [inHeader("Calendly-Webhook-Signature", "t=<seconds>,v1=<hex HMAC-SHA256 of t.body>.")],
      body: json(object({ event: text, payload: object({ uri: text }) })),
      answers: {
        200: plainResponse("Taken; what is not news changes nothing."),
        ...unreadable,
        ...forged,
        ...notSetUp,
        ...tooLarge,
        ...later
      }
    })
  }
}

export const connections: Node = {
  "/connect/{service}": {
    parameters: [inPath("service", "The service, as in the link that its tool gives.")],
    get: open({
      id: "open_connection_link",
      summary: "Open the link that connects a service",
      description:
        "Shows the owner which account it is for, with a button that leads to the service's page of consent. Nothing is connected yet.",
      parameters: [inQuery("link", "What the tool's link says; it holds for a week.", text, true)],
      answers: { 200: page("The page."), 404: page("The link does not hold."), ...later }
    })
  },
  "/connect/{service}/callback": {
    parameters: [inPath("service", "The service.")],
    get: open({
      id: "finish_connection",
      summary: "Come back from the page of consent",
      description: "Where the service sends the owner's browser: once, in the browser that began, within ten minutes.",
      parameters: [
        inQuery("state", "What the gateway sent along.", text, true),
        inQuery("code", "The service's code."),
        inQuery("error", "Why there is none.")
      ],
      answers: {
        200: page("Connected; or declined, and nothing changed."),
        404: page("There is no such service."),
        409: page("A permission was withheld, or it is another browser: nothing is connected."),
        410: page("The request was used, is too old or was not made here."),
        502: page("The service did not confirm."),
        ...later
      }
    })
  }
}

const notice = (more: Partial<Operation> & Pick<Operation, "id" | "summary" | "description">): Node =>
  open({
    answers: {
      204: plainResponse("Taken; what is not news changes nothing."),
      ...unreadable,
      ...forged,
      ...notSetUp,
      ...tooLarge,
      ...later
    },
    ...more
  })

export const voice: Node = {
  "/voice/elevenlabs/post-call": {
    post: notice({
      id: "receive_elevenlabs_report",
      summary: "Take in a report of a call",
      description: "The post-call webhook of ElevenLabs Agents, where that is the provider of calls.",
      parameters: [inHeader("ElevenLabs-Signature", "t= the time and v0= HMAC-SHA256 over time, dot and body.")],
      body: json(anyObject)
    })
  },
  "/voice/twilio/calls/{reference}": {
    parameters: [inPath("reference", "The gateway's reference of the call.")],
    post: notice({
      id: "receive_twilio_report",
      summary: "Take in a state of a call",
      description: "The status callback of Twilio, where that is the provider of calls.",
      parameters: [inHeader("X-Twilio-Signature", "HMAC-SHA1 over the address and the parameters.")],
      body: { "application/x-www-form-urlencoded": { schema: anyObject } }
    })
  }
}

export const ads: Node = {
  "/ads/payment-notices": {
    post: open({
      id: "receive_ads_payment",
      summary: "Take in a payment for an ads campaign",
      description:
        "From the operator's payment service, signed by Standard Webhooks with ADS_PAYMENT_SECRET. A reference is entered once, however often it is told.",
      parameters: [
        inHeader("webhook-id", "Names the notice."),
        inHeader("webhook-timestamp", "Seconds; at most five minutes away."),
        inHeader("webhook-signature", "v1, and HMAC-SHA256 over id, timestamp and body, in Base64.")
      ],
      body: json(object({ recharge_token: text, reference: text, amount_brl: { type: "number" } })),
      answers: {
        200: jsonResponse(
          "Entered, now or before.",
          object({ entered: { type: "boolean" }, is_new: { type: "boolean" } })
        ),
        ...unreadable,
        ...forged,
        ...notSetUp,
        ...refused
      }
    })
  },
  "/ads/recharge/{token}": {
    parameters: [inPath("token", "The last part of the campaign's recharge link.")],
    get: open({
      id: "ads_recharge_page",
      summary: "Open a campaign's recharge page",
      description: "Its balance, and the way to pay.",
      answers: {
        200: page("The page."),
        404: page("The link is not valid, or the campaign has ended."),
        503: page("Not possible for the moment.")
      }
    }),
    post: open({
      id: "press_ads_recharge_button",
      summary: "Add simulated funds",
      description: "What the page's buttons do where the ads platform is simulated; elsewhere it shows the page.",
      answers: {
        200: page("What came of it."),
        404: page("The link is not valid, or the campaign has ended."),
        503: page("Not possible for the moment.")
      }
    })
  }
}
