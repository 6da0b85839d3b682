import { jsonResponse, type Node, plainResponse } from "./ErrorResponses.ts"
import {
  anyObject,
  id,
  inPath,
  inQuery,
  json,
  later,
  notSetUp,
  nullableId,
  object,
  openSandbox,
  page,
  rawMail,
  refused,
  sandbox,
  text,
  tooLarge,
  unreadable
} from "./OperationShapes.ts"

/** Routes by which developers act as the people and services at the other end of a simulated channel. */
export const sandboxChannels: Node = {
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
  }
}

/** The outcome of a simulated call is set before the call. */
export const sandboxCalls: Node = {
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
