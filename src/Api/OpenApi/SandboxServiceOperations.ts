import { jsonResponse, type Node, plainResponse } from "./ErrorResponses.ts"
import {
  anyObject,
  id,
  inPath,
  inQuery,
  json,
  later,
  notSetUp,
  object,
  openSandbox,
  page,
  refused,
  sandbox,
  text,
  tooLarge,
  unreadable
} from "./OperationShapes.ts"

/** Routes by which developers act in simulated services that an account connects. */
export const sandboxServices: Node = {
  "/sandbox/oauth/{service}": {
    parameters: [
      inPath("service", "A simulated service."),
      inQuery("state", "As the link of the service's tool leads here.", text, true)
    ],
    get: openSandbox({
      id: "sandbox_consent_page",
      summary: "Open the simulated page of consent",
      description: "Where a developer consents for an account of their choice, takes scopes away, or declines.",
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
  }
}
