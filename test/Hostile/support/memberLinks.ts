import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { AccountId } from "../../../src/Services/Accounts/Ids.ts"
import { send } from "../../support/servers/TestServer.ts"

/** The links of the welcomes that are queued for an address, the latest first. */
export const welcomeLinks = (accountId: AccountId, to: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const mails = yield* sql<{ readonly body: string }>`
      select body_text as body from email_message
      where account_id = ${accountId} and to_address = ${to} and direction = 'outbound' order by email_message_id desc`
    return mails.flatMap(({ body }) => /\/access\/\S{1,100}/.exec(body) ?? [])
  })

/** The access token that a link of a welcome shows, or the empty text. */
export const openLink = (link: string) =>
  Effect.map(send(link, { method: "POST" }), ({ text }) => /pgw_\w{1,60}/.exec(text)?.[0] ?? "")

/** Opens the latest link that was mailed to an address. */
export const openLatestLink = (accountId: AccountId, to: string) =>
  Effect.flatMap(welcomeLinks(accountId, to), ([link = "/access/none"]) => openLink(link))
