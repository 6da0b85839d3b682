import { Effect, Schema } from "effect"
import {
  ConversationItem,
  Conversations,
  FoundAgentMessage,
  FoundMessage,
  LeadChatAppMessage,
  SearchMode,
  searchChannels
} from "../../Services/Conversations/Conversations.ts"
import { LeadId } from "../../Services/Leads/Ids.ts"
import { outboundTransients } from "../../Services/Outbound/OutboundHttp.ts"
import { exchangedPage, exchangedPageOf } from "../Core/ExchangedPage.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

const leadId = Param.id(LeadId, "The lead.")

const query = Param.text("What to look for, in plain words.", { minLength: 1, maxLength: 1000 })

const searchMode = SearchMode.annotations({
  description: "hybrid: meanings and words were compared; text: only words, because no embedding service is configured."
})

const getLeadConversation = Tool.make("get_lead_conversation", {
  kind: "read",
  openWorld: false,
  description:
    "Shows everything that was exchanged between the account and a lead as one timeline of e-mails, messages and calls. Calls include a summary of their outcome, and the transcript only if include_transcripts is true.",
  parameters: {
    lead_id: leadId,
    ...Param.pages({ default: 30 }),
    order: Param.withDefault(
      Param.oneOf(["newest_first", "oldest_first"], "Which end of the timeline comes first."),
      "newest_first"
    ),
    include_transcripts: Param.withDefault(Param.boolean("Whether to include the transcripts of calls."), false)
  },
  returns: Schema.Struct({
    lead_id: LeadId,
    items: Schema.Array(ConversationItem),
    page: Schema.Int,
    page_size: Schema.Int,
    total: Schema.Int
  }),
  errors: { NotFound: ["lead_not_found"] },
  example: { lead_id: 1, order: "oldest_first" },
  run: Effect.fnUntraced(function* ({ include_transcripts, lead_id, order, page, page_size }) {
    const conversations = yield* Conversations
    const timeline = yield* conversations.timeline(lead_id, {
      page,
      pageSize: page_size,
      isOldestFirst: order === "oldest_first",
      includeTranscripts: include_transcripts
    })
    return { lead_id, items: timeline.items, page, page_size, total: timeline.total }
  })
})

const listLeadChatAppMessages = Tool.make("list_lead_chatapp_messages", {
  kind: "read",
  replicaAllowed: true,
  openWorld: false,
  description:
    "Lists the messaging-app messages exchanged with a lead, oldest first. A page has up to page_size messages of each direction.",
  parameters: {
    lead_id: leadId,
    ...Param.pages(),
    include_bodies: Param.withDefault(Param.boolean("Whether to include the messages' texts."), true)
  },
  returns: Schema.Struct({
    lead_id: LeadId,
    messages: Schema.Array(LeadChatAppMessage),
    ...exchangedPage
  }),
  errors: { NotFound: ["lead_not_found"] },
  example: { lead_id: 1, include_bodies: false },
  run: Effect.fnUntraced(function* ({ include_bodies, lead_id, page, page_size }) {
    const conversations = yield* Conversations
    const { messages, ...totals } = yield* conversations.chatAppMessages(lead_id, {
      page,
      pageSize: page_size,
      includeBodies: include_bodies
    })
    return { lead_id, messages, ...exchangedPageOf({ page, page_size }, totals) }
  })
})

const searchLeadConversations = Tool.make("search_lead_conversations", {
  kind: "read",
  replicaAllowed: true,
  openWorld: true,
  description:
    "Searches the e-mails and messages exchanged with leads by their subject, in Portuguese, Spanish and English, with or without accents. Returns snippets, best first, with scores from 0 to 1.",
  parameters: {
    query,
    lead_id: Param.optional(Param.id(LeadId, "Only messages exchanged with this lead.")),
    channel: Param.optional(
      Param.oneOf(searchChannels, "One channel only, or one direction of it; both channels without it.")
    ),
    top_k: Param.size("How many snippets at most; more than 25 is lowered to 25.", { default: 10, maximum: 25 }),
    min_score: Param.optional(Param.number("Snippets with a lower score are left out.", { minimum: 0, maximum: 1 }))
  },
  returns: Schema.Struct({ results: Schema.Array(FoundMessage), top_k: Schema.Int, search_mode: searchMode }),
  errors: { NotFound: ["lead_not_found"], Transient: [...outboundTransients, "embeddings_unavailable"] },
  example: { query: "price of the annual plan", top_k: 5 },
  run: Effect.fnUntraced(function* ({ channel, lead_id, min_score, query, top_k }) {
    const conversations = yield* Conversations
    const { mode, results } = yield* conversations.search({
      query,
      leadId: lead_id,
      channel,
      limit: top_k,
      minimumScore: min_score
    })
    return { results, top_k, search_mode: mode }
  })
})

const searchMyAgentConversation = Tool.make("search_my_agent_conversation", {
  kind: "read",
  replicaAllowed: true,
  openWorld: true,
  description:
    "Searches what the account's owner and members said to the platform, and its questions to them: their mail, app messages and calls, and the answers, instructions, reasons and notes of tool calls. Returns snippets, best first, with scores from 0 to 1.",
  parameters: {
    query,
    top_k: Param.size("How many snippets at most; more than 10 is lowered to 10.", { default: 5, maximum: 10 })
  },
  returns: Schema.Struct({ results: Schema.Array(FoundAgentMessage), top_k: Schema.Int, search_mode: searchMode }),
  errors: { Transient: [...outboundTransients, "embeddings_unavailable"] },
  example: { query: "discount for dental clinics" },
  run: Effect.fnUntraced(function* ({ query, top_k }) {
    const conversations = yield* Conversations
    const { mode, results } = yield* conversations.searchAgent(query, top_k)
    return { results, top_k, search_mode: mode }
  })
})

export const ConversationsGroup = Tool.group(
  "Conversations",
  "Conversations between the account and its leads, in one place and searchable.",
  [getLeadConversation, listLeadChatAppMessages, searchLeadConversations, searchMyAgentConversation]
)
