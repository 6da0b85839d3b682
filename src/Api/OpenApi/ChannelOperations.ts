import { jsonResponse, type Node, plainResponse, responsesFor, textResponse } from "./ErrorResponses.ts"

/** The tag of what people and providers open or call from outside. */
export const channelsTag = "Channels"
/** The tag of what developers use where a channel is simulated. */
export const sandboxTag = "Sandbox"

const inPath = (name: string, description: string): Node => ({
  name,
  in: "path",
  required: true,
  description,
  schema: { type: "string" }
})

const inQuery = (name: string, description: string, schema: Node = { type: "string" }, required = false): Node => ({
  name,
  in: "query",
  required,
  description,
  schema
})

const inHeader = (name: string, description: string, required = true): Node => ({
  name,
  in: "header",
  required,
  description,
  schema: { type: "string" }
})

const refusal: Node = {
  type: "object",
  required: ["error", "type", "detail"],
  properties: { error: { type: "string" }, type: { type: "string" }, detail: { type: "string" } }
}

const retryAfter: Node = { "Retry-After": { $ref: "#/components/headers/RetryAfter" } }

const forged: Node = { 401: jsonResponse("The signature is missing, wrong or too old.", refusal) }
const unreadable: Node = { 400: jsonResponse("The body is not what the route takes.", refusal) }
const tooLarge: Node = responsesFor({ 413: "TooLarge" })
const later: Node = { 503: jsonResponse("It cannot be taken for the moment: send it again.", refusal, retryAfter) }
const notSetUp: Node = responsesFor({ 404: "UnknownRoute" })
const withoutToken: Node = {
  401: jsonResponse(
    "The access token is not accepted.",
    {
      type: "object",
      required: ["error", "how_to_fix", "documentation"],
      properties: { error: { type: "string" }, how_to_fix: { type: "string" }, documentation: { type: "string" } }
    },
    { "WWW-Authenticate": { $ref: "#/components/headers/Authenticate" } }
  )
}
const page = (description: string): Node => textResponse(description, "text/html")

const object = (properties: Node, required: ReadonlyArray<string> = Object.keys(properties)): Node => ({
  type: "object",
  required,
  properties
})

const text: Node = { type: "string" }
const id: Node = { type: "integer" }
const nullableId: Node = { type: ["integer", "null"] }

const editorKey = inPath("key", "The last part of the site's editor link.")
const editorAnswers: Node = {
  200: page("The page."),
  404: page("The link is not valid, or the site was archived."),
  503: page("Not possible for the moment.")
}

interface Operation {
  readonly id: string
  readonly summary: string
  readonly description: string
  readonly parameters?: ReadonlyArray<Node>
  readonly body?: Node
  readonly answers: Node
}

const operationOf =
  (tag: string, isOpen: boolean) =>
  ({ answers, body, description, id: operationId, parameters, summary }: Operation): Node => ({
    operationId,
    summary,
    description,
    tags: [tag],
    ...(isOpen ? { security: [] } : {}),
    ...(parameters === undefined ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { required: true, content: body } }),
    responses: { ...answers, ...responsesFor({ 405: "MethodNotAllowed" }) }
  })

/** Whoever knows the address, or signs what it sends. */
const open = operationOf(channelsTag, true)
const openSandbox = operationOf(sandboxTag, true)
/** The holder of an account's token. */
const sandbox = (operation: Operation): Node =>
  operationOf(
    sandboxTag,
    false
  )({
    ...operation,
    answers: { ...operation.answers, ...withoutToken }
  })

const json = (schema: Node): Node => ({ "application/json": { schema } })
const rawMail: Node = { "message/rfc822": { schema: { type: "string", format: "binary" } } }
const anyObject: Node = { type: "object" }

const mail: Node = {
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
  "/inbound/mail": {
    post: open({
      id: "receive_mail",
      summary: "Take in a message",
      description:
        "For the operator's own mail server, where MAIL_INBOUND_SECRET is set. The signature is HMAC-SHA256 over timestamp, dot, recipient, dot and the body. A repeated delivery changes nothing.",
      parameters: [
        inHeader("X-Mail-Timestamp", "Unix seconds, at most five minutes off."),
        inHeader("X-Mail-Signature", "sha256= and the signature in hexadecimal."),
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

const calendar: Node = {
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
  }
}

const chatApp: Node = {
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

const scheduler: Node = {
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

const connections: Node = {
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

const voice: Node = {
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

const refused: Node = responsesFor({ 422: "Refused", 503: "Transient" })

const ads: Node = {
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
  },
  "/site-editor/{key}": {
    parameters: [editorKey],
    get: open({
      id: "site_editor",
      summary: "Open a site's editor",
      description:
        "Its texts, pictures and versions, and what visitors sent. Whoever has the link may change the site.",
      parameters: [inQuery("page", "Which page of the site; the first unless told.", text)],
      answers: editorAnswers
    }),
    post: open({
      id: "edit_site",
      summary: "Save what was edited",
      description: "What the page's buttons do. Each form brings back a token of the page that it was on.",
      answers: {
        ...editorAnswers,
        403: page("The form came from another site's page; nothing was done."),
        413: jsonResponse("The form is larger than one of a page can be.", refusal),
        422: page("The page, with why it was not saved and what was typed.")
      }
    })
  },
  "/site-editor/{key}/preview": {
    parameters: [editorKey],
    get: open({
      id: "site_preview",
      summary: "See a page as it is published",
      description: "For the editor's frame: it runs nothing.",
      parameters: [inQuery("page", "Which page of the site; the first unless told.", text)],
      answers: { ...editorAnswers, 404: page("The link is not valid, or nothing is published.") }
    })
  },
  "/site-editor/{key}/picture/{digest}": {
    parameters: [editorKey, inPath("digest", "The picture's, as the editor names it.")],
    get: open({
      id: "site_editor_picture",
      summary: "See a picture of the site",
      description: "For the editor and its frame.",
      answers: {
        200: textResponse("The picture.", "image/webp"),
        404: jsonResponse("There is no such picture.", refusal)
      }
    })
  },
  "/site-editor/{key}/records": {
    parameters: [editorKey],
    get: open({
      id: "site_records",
      summary: "Download what visitors sent",
      description: "The records of one collection as CSV, oldest first.",
      parameters: [inQuery("collection", "Which collection, as the editor names it.", text)],
      answers: {
        200: textResponse("The records.", "text/csv"),
        404: page("The link is not valid."),
        503: page("Not possible for the moment.")
      }
    })
  }
}

const sandboxes: Node = {
  "/sandbox/mail": {
    get: sandbox({
      id: "list_sandbox_mail",
      summary: "List simulated mail",
      description: "Outbox and inbox of the account, newest first. Only where mail is in the sandbox.",
      parameters: [
        inQuery("direction", "Both, unless told.", { type: "string", enum: ["outbound", "inbound"] }),
        inQuery("page", "From 0.", { type: "integer", minimum: 0 }),
        inQuery("page_size", "20 unless told.", { type: "integer", minimum: 1 })
      ],
      answers: {
        200: jsonResponse(
          "A page of messages.",
          object({ mail: { type: "array", items: anyObject }, page: id, page_size: id, total: id })
        ),
        ...notSetUp,
        ...later
      }
    })
  },
  "/sandbox/dns": {
    get: sandbox({
      id: "list_sandbox_dns",
      summary: "List the simulated zone",
      description: "All records, by name. Only where names are not really looked up.",
      answers: {
        200: jsonResponse("The records.", object({ records: { type: "array", items: anyObject } })),
        ...notSetUp,
        ...later
      }
    }),
    post: sandbox({
      id: "change_sandbox_dns",
      summary: "Change the simulated zone",
      description:
        "Sets the records of one type at a name. Values as a zone file has them, without quotes; none takes the records away, and null stands for name servers that give no answer.",
      body: json(
        object({
          name: text,
          type: { type: "string", enum: ["TXT", "MX", "A"] },
          values: { type: ["array", "null"], items: text }
        })
      ),
      answers: {
        200: jsonResponse("The records.", object({ records: { type: "array", items: anyObject } })),
        ...unreadable,
        ...notSetUp,
        ...tooLarge,
        ...later
      }
    })
  },
  "/sandbox/mail/inbound": {
    post: sandbox({
      id: "deliver_sandbox_mail",
      summary: "Deliver a message to the account",
      description: "As if somebody had written: a raw message, or its parts as JSON.",
      body: {
        ...rawMail,
        ...json(
          object(
            {
              from: text,
              from_name: text,
              subject: text,
              text,
              html: text,
              in_reply_to_sandbox_mail_id: id,
              is_auto_reply: { type: "boolean" },
              sender_check: { type: "string", enum: ["passed", "failed", "unknown"], default: "passed" }
            },
            ["from"]
          )
        )
      },
      answers: {
        200: jsonResponse(
          "What became of it.",
          object({ outcome: text, email_message_id: nullableId, lead_id: nullableId })
        ),
        ...unreadable,
        ...notSetUp,
        ...tooLarge,
        ...later
      }
    })
  },
  "/sandbox/mail/{id}": {
    parameters: [inPath("id", "As the list has it.")],
    get: sandbox({
      id: "get_sandbox_mail",
      summary: "Read a simulated message",
      description: "As it would have gone over the wire.",
      answers: {
        200: plainResponse("The message.", rawMail),
        ...notSetUp,
        ...later
      }
    })
  },
  "/sandbox/chatapp/inbound": {
    post: sandbox({
      id: "deliver_sandbox_chatapp_message",
      summary: "Write to the account on the simulated app",
      description: "As if the person with that number had written.",
      body: json(
        object(
          {
            from: text,
            text,
            file: object({ name: text, kind: text, content: { ...text, contentEncoding: "base64" } })
          },
          ["from"]
        )
      ),
      answers: {
        200: jsonResponse("Taken.", object({ provider_message_id: text })),
        ...unreadable,
        ...notSetUp,
        ...refused
      }
    })
  },
  "/sandbox/chatapp/messages": {
    get: sandbox({
      id: "list_sandbox_chatapp_messages",
      summary: "List what the simulated line sent",
      description: "The last 100 messages.",
      answers: {
        200: jsonResponse("The messages.", object({ messages: { type: "array", items: anyObject } })),
        ...notSetUp,
        ...refused
      }
    })
  },
  "/sandbox/chatapp/pictures/{key}": {
    parameters: [inPath("key", "The part of the address that cannot be guessed.")],
    get: openSandbox({
      id: "get_sandbox_chatapp_picture",
      summary: "See a simulated profile picture",
      description: "The address is part of the line's profile.",
      answers: {
        200: plainResponse("The picture.", { "image/*": { schema: { type: "string", format: "binary" } } }),
        ...notSetUp,
        ...later
      }
    })
  },
  "/sandbox/chatapp/signup": {
    parameters: [inQuery("state", "The key of the sign-up link.", text, true)],
    get: openSandbox({
      id: "sandbox_chatapp_signup_page",
      summary: "Open the simulated sign-up",
      description: "The one-click link of a number of the owner's own.",
      answers: { 200: page("A page with one button."), 404: page("The link is not valid, or was used.") }
    }),
    post: openSandbox({
      id: "connect_sandbox_chatapp_number",
      summary: "Connect a simulated number",
      description: "What the button does.",
      answers: {
        200: page("The number is being set up."),
        404: page("The link is not valid, or was used."),
        409: page("The number was not connected."),
        503: page("Not possible for the moment.")
      }
    })
  },
  "/sandbox/oauth/{service}": {
    parameters: [
      inPath("service", "A simulated service."),
      inQuery("state", "As the link of the service's tool leads here.", text, true)
    ],
    get: openSandbox({
      id: "sandbox_consent_page",
      summary: "Open the simulated page of consent",
      description: "Where a developer consents as any account, ticks scopes off, or declines.",
      answers: { 200: page("The page."), 404: page("The request was not made here."), ...later }
    }),
    post: openSandbox({
      id: "answer_sandbox_consent",
      summary: "Consent or decline",
      description: "What the page's buttons do.",
      answers: {
        200: page("The page again: the form was not filled in right."),
        303: plainResponse("Back to the gateway, as from a real service."),
        404: page("The request was not made here."),
        ...tooLarge,
        ...later
      }
    })
  },
  "/sandbox/ads": {
    get: sandbox({
      id: "show_sandbox_ads",
      summary: "See the simulated ads platform",
      description:
        "The account's client account there, what it holds, and what can be provoked. A browser gets a page.",
      answers: {
        200: jsonResponse("The simulated platform.", anyObject),
        ...notSetUp,
        ...refused
      }
    }),
    post: sandbox({
      id: "act_in_sandbox_ads",
      summary: "Do something at the simulated ads platform",
      description:
        "Pays for a campaign, has its ads disapproved, suspends the account, uses its funds up, has far more people search, or makes the platform refuse calls.",
      body: json(
        object(
          { campaign: text, act: text, amount_brl: { type: "number" }, seconds: { type: "number" }, reference: text },
          ["campaign", "act"]
        )
      ),
      answers: {
        200: jsonResponse("Done.", object({ ads_campaign_id: id, act: text, status: text })),
        ...unreadable,
        ...notSetUp,
        ...refused
      }
    })
  },
  "/sandbox/ads/{token}": {
    parameters: [inPath("token", "The last part of the campaign's management link.")],
    get: openSandbox({
      id: "sandbox_ads_page",
      summary: "Open a campaign's page at the simulated platform",
      description: "Buttons for what can happen there.",
      answers: { 200: page("A page with buttons."), ...notSetUp, ...later }
    }),
    post: openSandbox({
      id: "press_sandbox_ads_button",
      summary: "Press a button of it",
      description: "What the buttons do.",
      answers: { 200: page("The page as it is then."), ...unreadable, ...notSetUp, ...later }
    })
  },
  "/sandbox/scheduler": {
    get: sandbox({
      id: "list_sandbox_scheduler_bookings",
      summary: "See the simulated scheduler",
      description: "The account's holders there with their booking pages, and the last 200 bookings.",
      answers: {
        200: jsonResponse(
          "The simulated scheduler.",
          object({ accounts: { type: "array", items: anyObject }, bookings: { type: "array", items: anyObject } })
        ),
        ...notSetUp,
        ...refused
      }
    }),
    post: sandbox({
      id: "act_in_sandbox_scheduler",
      summary: "Act in the simulated scheduler",
      description:
        "Books, reschedules or cancels as a visitor or the host does; revokes the consent, lets its tokens expire, slows the scheduler down, loses its notices or sends them again.",
      body: json(
        object(
          {
            act: {
              type: "string",
              enum: ["book", "reschedule", "cancel", "revoke", "expire", "slow_down", "lose_notices", "send_notices"]
            },
            url: text,
            name: text,
            email: text,
            starts_at: text,
            invitee_uri: text,
            by: text,
            reason: text,
            seconds: id
          },
          ["act"]
        )
      ),
      answers: {
        200: jsonResponse("Done.", object({ act: text, invitee_uri: text }, ["act"])),
        ...unreadable,
        404: jsonResponse("There is no such booking, or nothing is simulated here.", anyObject),
        ...refused
      }
    })
  },
  "/sandbox/scheduler/{key}": {
    parameters: [inPath("key", "The key of a simulated booking page, as in its link.")],
    get: openSandbox({
      id: "sandbox_booking_page",
      summary: "Open a simulated booking page",
      description: "Where a developer books, reschedules and cancels as a lead would.",
      answers: { 200: page("The page."), ...notSetUp, ...later }
    }),
    post: openSandbox({
      id: "act_on_sandbox_booking_page",
      summary: "Book, reschedule or cancel there",
      description: "What the page's forms do.",
      answers: { 200: page("The page, with what came of it."), ...notSetUp, ...tooLarge, ...later }
    })
  },
  "/sandbox/crm": {
    get: sandbox({
      id: "list_sandbox_crm_records",
      summary: "See the simulated CRMs",
      description: "The accounts there, by the keys that they were connected with, and the last 500 records.",
      answers: {
        200: jsonResponse("The simulated CRMs.", object({ crms: { type: "array", items: anyObject } })),
        ...notSetUp,
        ...refused
      }
    }),
    post: sandbox({
      id: "act_in_sandbox_crm",
      summary: "Do something at a simulated CRM",
      description:
        "Wins, loses or moves a deal there, revokes or restores the key, or makes the CRM refuse calls for a while.",
      body: json(
        object(
          {
            crm_name: text,
            key: text,
            act: { type: "string", enum: ["win", "lose", "move", "revoke", "restore", "slow_down"] },
            deal_id: text,
            stage: text,
            reason: text,
            value: { type: "number" },
            seconds: { type: "number" }
          },
          ["crm_name", "act"]
        )
      ),
      answers: {
        200: jsonResponse("Done.", object({ crm_name: text, key: text, act: text })),
        ...unreadable,
        ...notSetUp,
        ...refused
      }
    })
  },
  "/sandbox/leadsource": {
    get: sandbox({
      id: "list_sandbox_lead_databases",
      summary: "See the simulated lead database",
      description: "The accounts there, by the keys that they were connected with, and their lists.",
      answers: {
        200: jsonResponse("The simulated lead databases.", object({ databases: { type: "array", items: anyObject } })),
        ...notSetUp,
        ...refused
      }
    }),
    post: sandbox({
      id: "act_in_sandbox_lead_database",
      summary: "Do something at the simulated lead database",
      description: "Revokes or restores the key, makes it refuse calls for a while, or has it read now.",
      body: json(
        object(
          {
            key: text,
            act: { type: "string", enum: ["revoke", "restore", "slow_down", "read_now"] },
            seconds: { type: "number" }
          },
          ["act"]
        )
      ),
      answers: {
        200: jsonResponse("Done.", object({ key: text, act: text })),
        ...unreadable,
        ...notSetUp,
        ...refused
      }
    })
  },
  "/sandbox/calendar": {
    get: sandbox({
      id: "list_sandbox_calendar_events",
      summary: "See the simulated calendar",
      description: "The last 200 events that were changed, and how often their attendees were written to.",
      answers: {
        200: jsonResponse(
          "The simulated calendar.",
          object({
            time_zone: { type: ["string", "null"] },
            calls: { type: "integer" },
            events: { type: "array", items: anyObject }
          })
        ),
        ...notSetUp,
        ...refused
      }
    }),
    post: sandbox({
      id: "act_in_sandbox_calendar",
      summary: "Do something in the simulated calendar",
      description:
        "Creates, moves, deletes or answers events as people do in the calendar itself; revokes the consent, ends its tokens, forgets what lists of changes rest on, refuses calls for a while, or makes links of video meetings late.",
      body: json(
        object(
          {
            act: {
              type: "string",
              enum: [
                "create",
                "move",
                "delete",
                "answer",
                "revoke",
                "expire_tokens",
                "forget_changes",
                "slow_down",
                "delay_links"
              ]
            },
            event_id: text,
            summary: text,
            start: text,
            end: text,
            attendees: { type: "array", items: text },
            organizer: text,
            recurrence: { type: "array", items: text },
            transparency: { type: "string", enum: ["opaque", "transparent"] },
            status: { type: "string", enum: ["confirmed", "tentative"] },
            event_type: { type: "string", enum: ["default", "outOfOffice", "focusTime", "workingLocation"] },
            email: text,
            response: { type: "string", enum: ["accepted", "tentative", "declined"] },
            seconds: { type: "number" }
          },
          ["act"]
        )
      ),
      answers: {
        200: jsonResponse("Done.", object({ act: text, result: {} })),
        ...unreadable,
        ...notSetUp,
        ...refused
      }
    })
  },
  "/sandbox/voice/script": {
    post: sandbox({
      id: "script_sandbox_call",
      summary: "Say how the next simulated call ends",
      description: "For the account's next call to the number.",
      body: json(
        object({ phone_number: text, outcome: text, person_says: { type: "array", items: text } }, [
          "phone_number",
          "outcome"
        ])
      ),
      answers: {
        200: jsonResponse("Kept.", anyObject),
        ...unreadable,
        ...notSetUp,
        ...tooLarge,
        ...refused
      }
    })
  }
}

const sites: Node = {
  "/sites/tls-check": {
    get: open({
      id: "check_site_certificate",
      summary: "Ask whether a host is a site's",
      description:
        "What a proxy in front of the sites asks before it gets a certificate for a host (Caddy's on-demand TLS): 200 where a site is served there, 404 for every other host.",
      parameters: [inQuery("domain", "The host.", text, true)],
      answers: {
        200: textResponse("A site is served there.", "text/plain"),
        404: textResponse("There is no site.", "text/plain"),
        ...later
      }
    })
  }
}

const form = (properties: Node, required: ReadonlyArray<string>): Node => ({
  "application/x-www-form-urlencoded": { schema: object(properties, required) }
})
const oauthError = (description: string): Node =>
  jsonResponse(description, object({ error: text, error_description: text }, ["error"]))
const list: Node = { type: "array", items: text }
const authorizationQuery: ReadonlyArray<Node> = [
  inQuery("client_id", "Of a registration, or the https address of the program's metadata document.", text, true),
  inQuery("redirect_uri", "One of the program's own addresses.", text, true),
  inQuery("response_type", "code.", text, true),
  inQuery("code_challenge", "SHA-256 of the verifier, base64url (PKCE).", text, true),
  inQuery("code_challenge_method", "S256.", text, true),
  inQuery("scope", "read, write, destructive, and names of groups of tools; every kind unless told."),
  inQuery("state", "Comes back as it was."),
  inQuery("resource", "The address of /mcp that the token is for (RFC 8707).")
]
const consentAnswers: Node = {
  200: page("The page."),
  303: plainResponse("The request is refused, in the words of RFC 6749, at the program's address."),
  400: page("The program or its address is not known: nobody is sent anywhere."),
  ...later
}

/** How programs get tokens for `/mcp` (OAuth 2.1). */
const authorization: Node = {
  "/.well-known/oauth-authorization-server": {
    get: open({
      id: "authorization_server_metadata",
      summary: "Tell of the authorization server",
      description: "RFC 8414.",
      answers: { 200: jsonResponse("The metadata.", object({ issuer: text, scopes_supported: list })) }
    })
  },
  "/.well-known/oauth-protected-resource": {
    get: open({
      id: "resource_metadata",
      summary: "Tell where tokens for /mcp come from",
      description: "RFC 9728.",
      answers: { 200: jsonResponse("The metadata.", object({ resource: text, authorization_servers: list })) }
    })
  },
  "/.well-known/oauth-protected-resource/{address}": {
    parameters: [inPath("address", "The path that a person gave the program: mcp, or what lies below it.")],
    get: open({
      id: "resource_metadata_of_address",
      summary: "Tell where tokens for an address below /mcp come from",
      description: "RFC 9728; the path may have several parts.",
      answers: {
        200: jsonResponse("The metadata.", object({ resource: text, authorization_servers: list })),
        ...notSetUp
      }
    })
  },
  "/oauth/authorize": {
    parameters: authorizationQuery,
    get: open({
      id: "consent_page",
      summary: "Ask an owner whether to let a program in",
      description: "Shows who asks, who vouches for it and what it may do. Nothing is given yet.",
      answers: consentAnswers
    }),
    post: open({
      id: "give_consent",
      summary: "Let a program in, or not",
      description: "The page's buttons. What is ticked can only be less than what was asked for.",
      body: form({ token: text, scope: list, confirmation: text, answer: text }, ["answer"]),
      answers: {
        ...consentAnswers,
        303: plainResponse(
          "Back to the program, with a code that holds for two minutes or the reason why there is none."
        ),
        401: page("The page again: the token does not hold."),
        422: page("The page again: nothing is ticked."),
        ...tooLarge
      }
    })
  },
  "/oauth/token": {
    post: open({
      id: "give_program_token",
      summary: "Exchange a code or a refresh token",
      description: "Each is good once; one that comes again ends the program's access.",
      body: form(
        {
          grant_type: text,
          client_id: text,
          code: text,
          redirect_uri: text,
          code_verifier: text,
          refresh_token: text,
          resource: text,
          scope: text
        },
        ["grant_type", "client_id"]
      ),
      answers: {
        200: jsonResponse(
          "The tokens.",
          object({ access_token: text, token_type: text, expires_in: id, refresh_token: text, scope: text })
        ),
        400: oauthError("Refused, in the words of RFC 6749."),
        ...tooLarge,
        ...later
      }
    })
  },
  "/oauth/register": {
    post: open({
      id: "register_program",
      summary: "Register a program",
      description: "RFC 7591. The id carries what the program says of itself, and nothing is stored.",
      body: json(object({ client_name: text, redirect_uris: list }, ["redirect_uris"])),
      answers: {
        201: jsonResponse("Registered.", object({ client_id: text, client_name: text, redirect_uris: list })),
        400: oauthError("Refused, in the words of RFC 7591."),
        ...tooLarge,
        ...later
      }
    })
  },
  "/oauth/revoke": {
    post: open({
      id: "revoke_program_token",
      summary: "Give a program's token back",
      description: "RFC 7009. Either token ends the program's access; of others nothing is told.",
      body: form({ token: text, client_id: text }, ["token"]),
      answers: { 200: plainResponse("It is worth nothing now."), ...tooLarge, ...later }
    })
  }
}

/** What people, providers and developers call beside the tools. Which of it is there depends on what is set up. */
export const channelPaths: Node = {
  ...sites,
  ...mail,
  ...chatApp,
  ...voice,
  ...scheduler,
  ...connections,
  ...authorization,
  ...calendar,
  ...ads,
  ...sandboxes
}
