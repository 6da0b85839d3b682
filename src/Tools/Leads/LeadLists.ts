import { Effect, Schema } from "effect"
import { ListedLeadEmail } from "../../Services/Leads/Email/LeadEmail.ts"
import { LeadEmails } from "../../Services/Leads/Email/LeadEmails.ts"
import { LeadId } from "../../Services/Leads/Ids.ts"
import { LeadAwaitingReview, LeadProfile, LeadSummary, PausedLead } from "../../Services/Leads/LeadModel.ts"
import { LeadSearch, leadSorts, searchText } from "../../Services/Leads/LeadSearch.ts"
import { Leads } from "../../Services/Leads/Leads.ts"
import { exchangedPage, exchangedPageOf } from "../Core/ExchangedPage.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"
import { filterParams, leadId, unlessBlank } from "./LeadParams.ts"

export const getLead = Tool.make("get_lead", {
  kind: "read",
  openWorld: false,
  description:
    "Shows everything about one lead: contact and company, the state of prospecting and what blocks it, the latest e-mails with their texts, and how many messages and calls there were on the messaging app and by phone.",
  parameters: { lead_id: leadId },
  returns: LeadProfile,
  errors: { NotFound: ["lead_not_found"] },
  example: { lead_id: 1 },
  run: Tool.via(Leads, (leads, { lead_id }) => leads.get(lead_id))
})

export const listLeadEmails = Tool.make("list_lead_emails", {
  kind: "read",
  replicaAllowed: true,
  openWorld: false,
  description:
    "Lists the e-mails exchanged with a lead, oldest first. A page has up to page_size messages of each direction.",
  parameters: {
    lead_id: leadId,
    ...Param.pages(),
    include_bodies: Param.withDefault(
      Param.boolean("Whether to include the messages' texts; false returns only dates, subjects and attachment names."),
      true
    )
  },
  returns: Schema.Struct({
    lead_id: LeadId,
    emails: Schema.Array(ListedLeadEmail),
    ...exchangedPage
  }),
  errors: { NotFound: ["lead_not_found"] },
  example: { lead_id: 1, include_bodies: false },
  run: Effect.fnUntraced(function* ({ include_bodies, lead_id, page, page_size }) {
    const leadEmails = yield* LeadEmails
    const { emails, ...totals } = yield* leadEmails.list(lead_id, {
      page,
      pageSize: page_size,
      includeBodies: include_bodies
    })
    return { lead_id, emails, ...exchangedPageOf({ page, page_size }, totals) }
  })
})

export const listPendingReview = Tool.make("list_pending_review", {
  kind: "read",
  openWorld: false,
  description: "Lists the leads that wait for a person's review, those waiting longest first. Returns the first 500.",
  parameters: {},
  returns: Schema.Struct({
    leads: Schema.Array(LeadAwaitingReview),
    total: Schema.Int.annotations({ description: "How many leads wait, also if there are more than 500." })
  }),
  example: {},
  run: Tool.via(Leads, (leads) => leads.listAwaitingReview)
})

export const listPausedProspectingLeads = Tool.make("list_paused_prospecting_leads", {
  kind: "read",
  openWorld: false,
  description: "Lists the leads whose prospecting is paused, since when and why: 50 at a time, by id.",
  parameters: {
    after_lead_id: Param.withDefault(
      Param.cursor("The last lead id of the page before; 0 begins with the first page."),
      0
    )
  },
  returns: Schema.Struct({
    leads: Schema.Array(PausedLead),
    total: Schema.Int.annotations({ description: "How many leads are paused on all pages together." }),
    next_after_lead_id: Schema.NullOr(LeadId).annotations({
      description: "What to send as after_lead_id for the next page; null at the end of the list."
    })
  }),
  example: {},
  run: Effect.fnUntraced(function* ({ after_lead_id }) {
    const service = yield* Leads
    const { leads, next, total } = yield* service.listPaused(after_lead_id)
    return { leads, total, next_after_lead_id: next ?? null }
  })
})

export const searchLeads = Tool.make("search_leads", {
  kind: "read",
  replicaAllowed: true,
  openWorld: false,
  description:
    "Finds leads by text and filters, page by page. All filters must match. Without any it lists all leads, newest first.",
  parameters: {
    ...filterParams,
    last_prospecting_message_after: Param.optional(
      Param.instant("Only leads whose last message, in either direction, is from then or later.")
    ),
    sort_by: Param.oneOfOrElse(
      leadSorts,
      "date_created",
      "Order of the list: newest first, latest message first, or by status and then newest first. Any other value means date_created."
    ),
    ...Param.pages(),
    has_linkedin: Param.optional(
      Param.boolean("True: only leads with the address of a LinkedIn profile; false: only those without.")
    )
  },
  returns: Tool.page({ leads: Schema.Array(LeadSummary) }, "How many leads there are on all pages together."),
  errors: { NotFound: ["campaign_not_found"] },
  example: { query: "silva", status: "Cold" },
  run: Effect.fnUntraced(function* (args) {
    const search = yield* LeadSearch
    const { leads, total } = yield* search.search(
      {
        query: searchText(args.query),
        status: args.status,
        campaign: unlessBlank(args.campaign),
        createdFrom: args.created_after,
        createdBefore: args.created_before,
        lastMessageFrom: args.last_prospecting_message_after,
        hasLinkedIn: args.has_linkedin
      },
      { sort: args.sort_by, page: args.page, pageSize: args.page_size }
    )
    return { leads, page: args.page, page_size: args.page_size, total }
  })
})
