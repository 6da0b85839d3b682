import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { Caller } from "../../../src/Services/Core/Calls/Caller.ts"
import type { Door, Notice } from "./noticeDoors.ts"

/** The doors by which providers of calendars report that something changed. */

/** An open channel of the caller. */
const openChannel = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  const channelId = `pgw-${accountId}-0123456789abcdef`
  const token = `a token of account ${accountId} that the attack does not know`
  yield* sql`
    insert into calendar_mirror (account_id, channel_id, channel_token_hash, channel_resource_id, channel_expires_at,
      due_at)
    values (${accountId}, ${channelId}, sha256(${token}::bytea), 'resource', instant() + interval '1 day',
      instant() + interval '1 day')`
  return { accountId, channelId, sql, token }
})

export const googleCalendarDoor = Effect.gen(function* () {
  const { accountId, channelId, sql, token } = yield* openChannel
  const notice = (number: number, change: Readonly<Record<string, string>> = {}): Notice => ({
    path: "/calendar/notices",
    body: "",
    headers: {
      "x-goog-channel-id": channelId,
      "x-goog-channel-token": token,
      "x-goog-resource-state": "exists",
      "x-goog-message-number": `${number}`,
      ...change
    }
  })
  const door: Door = {
    genuine: () => notice(7),
    forged: () => ({
      "no token": notice(8, { "x-goog-channel-token": "" }),
      "another token": notice(8, { "x-goog-channel-token": `${token}x` }),
      "another channel": notice(8, { "x-goog-channel-id": `pgw-${accountId}-0000000000000000` }),
      "another account": notice(8, { "x-goog-channel-id": channelId.replace(`${accountId}`, `${accountId - 1}`) }),
      "no channel": notice(8, { "x-goog-channel-id": "" })
    }),
    reordered: () => ({ "a notice before the last": notice(6), "the first of a channel": notice(1) }),
    state: sql`select last_message_number, due_at from calendar_mirror where account_id = ${accountId}`
  }
  return door
})

/** Microsoft names the channel in the address, and the secret in the body. Its notices have no number. */
export const microsoftCalendarDoor = Effect.gen(function* () {
  const { accountId, channelId, sql, token } = yield* openChannel
  const pathOf = (channel: string) => `/calendar/notices/microsoft?channel=${channel}`
  const change = (clientState?: string) => ({
    subscriptionId: "7f105c7d-2dc5-4530-97cd-4e7ae6534c07",
    subscriptionExpirationDateTime: "2026-12-10T13:00:00Z",
    changeType: "updated",
    resource: "Users/1/Events/AAk-1=",
    tenantId: "84bd8158-6d4d-4958-8b9f-9d6445542f95",
    ...(clientState === undefined ? {} : { clientState })
  })
  const notice = (value: unknown, channel = channelId): Notice => ({
    path: pathOf(channel),
    headers: {},
    body: JSON.stringify({ value })
  })
  const door: Door = {
    genuine: () => notice([change(token)]),
    forged: () => ({
      "no secret": notice([change()]),
      "an empty secret": notice([change("")]),
      "another secret": notice([change(`${token}x`)]),
      "the secret behind a change without it": notice([change(), change(token)]),
      "no change": notice([]),
      "a body that is no list": notice(change(token)),
      "a body that is no JSON": { path: pathOf(channelId), headers: {}, body: token },
      "no body": { path: pathOf(channelId), headers: {}, body: "" },
      "another channel": notice([change(token)], `pgw-${accountId}-0000000000000000`),
      "another account": notice([change(token)], channelId.replace(`${accountId}`, `${accountId - 1}`)),
      "no channel": notice([change(token)], "")
    }),
    // A notice says only that the calendar is to be read. A replay asks for a read that waits already.
    reordered: () => ({ "an older change": notice([{ ...change(token), changeType: "created" }]) }),
    state: sql`select due_at <= instant() as is_due from calendar_mirror where account_id = ${accountId}`
  }
  return door
})
