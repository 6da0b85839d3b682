import { Effect, Schema } from "effect"
import { emailProblems } from "../../Services/Text/ContactDetails.ts"
import { OnlineSearchId, SearchType } from "../../Services/WebSearch/Ids.ts"
import {
  ListedSearch,
  OnlineSearch,
  OnlineSearches,
  onlineSearchKind
} from "../../Services/WebSearch/OnlineSearches.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

const registerOnlineSearch = Tool.make("register_online_search", {
  kind: "write",
  idempotent: false,
  openWorld: true,
  runsInBackground: true,
  description:
    "Looks a question up on the web in the background: plans queries, reads pages and answers in Markdown with numbered sources. A page that was read in this search supports each statement; anything else is left out. Fast uses one query and three pages within 15 seconds, Standard three and eight within a minute, Deep eight and thirty in two rounds within five minutes. Follow it with get_online_search. On request, the answer is mailed to at most five addresses (fifty a day).",
  parameters: {
    query: Param.text("The question, as one would ask a person.", { minLength: 2, maxLength: 2000 }),
    send_to_email: Param.optional(Param.words("Addresses for the answer by mail, separated by commas.")),
    type: Param.withDefault(Param.oneOf(SearchType.literals, "How thorough the search is."), "Standard")
  },
  returns: OnlineSearch,
  errors: { Refused: [...emailProblems, "daily_search_limit", "too_many_mails", "too_many_jobs"] },
  example: { query: "Quanto custa o plano básico?", type: "Fast" },
  run: Tool.via(OnlineSearches, (searches, { query, send_to_email = [], type }) =>
    searches.register({ query, sendTo: send_to_email, type })
  )
})

const getOnlineSearch = Tool.make("get_online_search", {
  kind: "read",
  openWorld: false,
  description: "Shows the progress of a search, and its result with the sources once it is finished.",
  parameters: { online_search_id: Param.id(OnlineSearchId, "The search's id, from register_online_search.") },
  returns: OnlineSearch,
  errors: { NotFound: ["online_search_not_found"] },
  example: { online_search_id: 1 },
  run: Tool.via(OnlineSearches, (searches, { online_search_id }) => searches.get(online_search_id))
})

const listOnlineSearches = Tool.make("list_online_searches", {
  kind: "read",
  openWorld: false,
  description: "Lists the ten newest searches with their status, newest first.",
  parameters: {},
  returns: Schema.Struct({ online_searches: Schema.Array(ListedSearch), total: Schema.Int }),
  example: {},
  run: Tool.via(OnlineSearches, (searches) =>
    Effect.map(searches.list, (list) => ({ online_searches: list, total: list.length }))
  )
})

export const OnlineSearchGroup = Tool.group(
  "Online search",
  "Answers from the web, with their sources.",
  [registerOnlineSearch, getOnlineSearch, listOnlineSearches],
  [onlineSearchKind]
)
