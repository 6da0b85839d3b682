import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option, Schema, Stream } from "effect"
import { refused } from "../../../Errors.ts"
import { AccountId } from "../../../Services/Accounts/Ids.ts"
import {
  ChatApp,
  type ChatAppNumber,
  type LineSnapshot,
  type OutgoingChatAppMessage,
  type SendOutcome
} from "../../../Services/ChatApp/ChatApp.ts"
import { type ChatAppProfile, emptyProfile } from "../../../Services/ChatApp/ChatAppModel.ts"
import { sandboxLinePrefix, serviceWindowHours } from "../../../Services/ChatApp/ChatAppRules.ts"
import { now, plusSeconds } from "../../../Services/Core/Timestamp.ts"
import { fileTooLarge } from "../../../Services/Files/CustomerFiles.ts"
import * as Task from "../../../Services/Jobs/Task.ts"
import { TaskQueue } from "../../../Services/Jobs/TaskQueue.ts"
import { makeAccountSeal } from "../../Platform/Postgres/AccountSeal.ts"
import { makeGroupedTransactions } from "../../Platform/Postgres/grouped/GroupedTransactions.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { Settings } from "../../Platform/Settings.ts"
import type { ChatAppSettingsShape } from "../ChatAppSettings.ts"
import { failureOf, outcomeOf } from "../Graph/GraphErrors.ts"

/** The simulated provider's later reports on a message. */
export const simulatedState = Task.make("sandbox_chatapp_state", {
  payload: Schema.Struct({
    accountId: AccountId,
    reference: Schema.UUID,
    state: Schema.Literal("delivered", "read", "failed"),
    code: Schema.NullOr(Schema.Int)
  })
})

export const sandboxSignupPath = "/sandbox/chatapp/signup"
export const sandboxPicturePath = "/sandbox/chatapp/pictures"

/** The ids and numbers of simulated lines. The numbers do not exist: no Brazilian area has the code 00. */
export const lineIdOf = (accountId: AccountId): string => `${sandboxLinePrefix}${accountId}`
const phoneOf = (accountId: AccountId): string => `+55009${String(accountId).padStart(8, "0")}`

/**
 * The reported states, with the seconds after sending. The answer already says that the message was sent, so that state
 * is not reported again.
 */
const lifeOfMessage = [
  ["delivered", 2],
  ["read", 30]
] as const

/** Phone numbers that do not exist. Their last six digits are the error code that the sandbox returns. */
const faultOf = (phone: string): number | undefined => {
  const code = /^\+15550(\d{6})$/.exec(phone)?.[1]
  return code === undefined ? undefined : Number(code)
}

const mediaGone = refused("media_gone", "The simulated provider does not have the file any more.", "Send it again.")

interface SandboxMessage extends Pick<OutgoingChatAppMessage, "reference" | "to" | "content"> {
  readonly accountId: AccountId
}

/** A message that is sent again gets the same id. */
const providerIdOf = (reference: string): string => `wamid.SANDBOX.${reference}`

const windowKey = ({ accountId, to }: { readonly accountId: AccountId; readonly to: string }): string =>
  `${accountId}/${to}`

/** The provider's error for a text outside the service window. */
const windowClosedCode = 131047

interface LineRow {
  readonly phone: string
  readonly profile: Partial<ChatAppProfile>
  readonly picture_key: string | null
}

const makeSandboxServices = (settings: ChatAppSettingsShape) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const tasks = yield* TaskQueue
    const { baseUrl } = yield* Settings
    const seal = yield* makeAccountSeal
    return { baseUrl, seal, settings, sql, tasks }
  })
type SandboxServices = Effect.Effect.Success<ReturnType<typeof makeSandboxServices>>

const makeLines = ({ baseUrl, sql }: SandboxServices) => {
  const lineOf = (accountId: AccountId) =>
    sql<LineRow>`
      select phone, profile, picture_key from sandbox_chatapp_line where account_id = ${accountId}`.pipe(
      fromSql(),
      Effect.map((rows) => rows[0])
    )

  const pictureUrl = (key: string | null) => (key === null ? null : `${baseUrl}${sandboxPicturePath}/${key}`)

  const snapshot = ({ accountId }: ChatAppNumber) =>
    Effect.map(
      lineOf(accountId),
      (line): LineSnapshot => ({
        phone: line?.phone ?? phoneOf(accountId),
        displayName: null,
        quality: "green",
        messagingLimit: "TIER_UNLIMITED",
        isBlocked: false,
        health: null,
        profile: {
          ...emptyProfile,
          ...line?.profile,
          profile_picture_url: pictureUrl(line?.picture_key ?? null)
        },
        providerAccountId: "sandbox"
      })
    )

  return { snapshot }
}
type Lines = ReturnType<typeof makeLines>

const makeMessages = ({ sql, tasks }: SandboxServices) => {
  /** The numbers that wrote to their account within the service window, as `windowKey`s. */
  const openWindows = (messages: ReadonlyArray<SandboxMessage>) =>
    messages.length === 0
      ? Effect.succeed(new Set<string>())
      : sql<{ readonly accountId: AccountId; readonly to: string }>`
          select distinct account_id as "accountId", phone as to from chatapp_message
          where account_id = any (${[...new Set(messages.map(({ accountId }) => accountId))]}::bigint[])
            and phone = any (${messages.map(({ to }) => to)}::text[]) and direction = 'inbound'
            and occurred_at > instant() - make_interval(hours => ${serviceWindowHours})`.pipe(
          Effect.map((rows) => new Set(rows.map(windowKey))),
          fromSql()
        )

  /** Stores new messages, and schedules the reports about them. */
  const store = Effect.fnUntraced(function* (messages: ReadonlyArray<SandboxMessage>) {
    if (messages.length === 0) return
    const rows = yield* sql<{ readonly reference: string }>`
      insert into sandbox_chatapp_message (account_id, client_reference, provider_message_id, phone, content)
      select account_id, client_reference, provider_message_id, phone, content::jsonb
      from unnest(${messages.map(({ accountId }) => accountId)}::bigint[],
        ${messages.map(({ reference }) => reference)}::uuid[],
        ${messages.map(({ reference }) => providerIdOf(reference))}::text[],
        ${messages.map(({ to }) => to)}::text[], ${messages.map(({ content }) => JSON.stringify(content))}::text[])
        as m (account_id, client_reference, provider_message_id, phone, content)
      on conflict (account_id, client_reference) do nothing returning client_reference as reference`.pipe(fromSql())
    const newReferences = new Set(rows.map(({ reference }) => reference))
    const at = yield* now
    yield* tasks.enqueueMany(
      simulatedState,
      messages
        .filter(({ reference }) => newReferences.has(reference))
        .flatMap(({ accountId, reference, to }) => {
          const fault = faultOf(to)
          const states = fault === undefined ? lifeOfMessage : [["failed", 1] as const]
          return states.map(([state, seconds]) => ({
            payload: { accountId, reference, state, code: fault ?? null },
            runAt: plusSeconds(at, seconds)
          }))
        })
    )
  })

  const sendAll = Effect.fnUntraced(function* (messages: ReadonlyArray<SandboxMessage>) {
    const open = yield* openWindows(messages.filter(({ content }) => content._tag !== "Opening"))
    const outcomes = messages.map((message): SendOutcome => {
      const fault = faultOf(message.to)
      const outcome = fault === undefined ? undefined : outcomeOf(400, { error: { code: fault } }, undefined)
      if (outcome?._tag === "Postponed") return outcome
      return message.content._tag === "Opening" || open.has(windowKey(message))
        ? { _tag: "Accepted", providerMessageId: providerIdOf(message.reference) }
        : { _tag: "Rejected", ...failureOf(windowClosedCode) }
    })
    yield* store(messages.filter((_, place) => outcomes[place]?._tag === "Accepted"))
    return outcomes.map(Option.some)
  })

  return { sendAll }
}
const lineMethods = (
  { baseUrl, seal, sql }: SandboxServices,
  { snapshot }: Lines
): Pick<
  typeof ChatApp.Service,
  | "dedicatedNumbers"
  | "signupUrl"
  | "connectOwnNumber"
  | "activate"
  | "snapshot"
  | "updateProfile"
  | "setPicture"
  | "openMedia"
> => ({
  dedicatedNumbers: (accountId) => [lineIdOf(accountId)],

  signupUrl: (signupKey) => Option.some(`${baseUrl}${sandboxSignupPath}?state=${signupKey}`),

  connectOwnNumber: (accountId) =>
    Effect.succeed({ accountId, lineId: lineIdOf(accountId), credential: null, providerAccountId: "sandbox" }),

  activate: (number) =>
    sql`
      insert into sandbox_chatapp_line (account_id, phone) values (${number.accountId}, ${phoneOf(number.accountId)})
      on conflict do nothing`.pipe(fromSql(), Effect.zipRight(snapshot(number))),

  snapshot,

  updateProfile: ({ accountId }, changes) =>
    sql`
      update sandbox_chatapp_line set profile = profile || ${JSON.stringify(changes)}::jsonb
      where account_id = ${accountId}`.pipe(fromSql(), Effect.asVoid),

  setPicture: ({ accountId }, { bytes, mediaType }) =>
    Effect.flatMap(seal.addressKey(accountId), (key) =>
      sql`
        update sandbox_chatapp_line
        set picture = ${bytes}, picture_media_type = ${mediaType}, picture_key = ${key}
        where account_id = ${accountId}`.pipe(fromSql(), Effect.asVoid)
    ),

  openMedia: Effect.fn("ChatApp.openMedia")(function* ({ accountId }, mediaId, maximumBytes) {
    const rows = yield* sql<{ readonly bytes: Buffer; readonly file_name: string | null }>`
      select bytes, file_name from sandbox_chatapp_media
      where account_id = ${accountId} and media_id = ${mediaId}`.pipe(fromSql())
    const file = rows[0]
    if (file === undefined) return yield* mediaGone
    if (file.bytes.length > maximumBytes) return yield* fileTooLarge(maximumBytes)
    return { mediaType: undefined, fileName: file.file_name ?? undefined, bytes: Stream.make(file.bytes) }
  })
})

/** A local simulation of the provider with the same rules: windows, prices, states and errors. */
export const makeSandboxChatApp = (settings: ChatAppSettingsShape) =>
  Effect.gen(function* () {
    const services = yield* makeSandboxServices(settings)
    const { sql } = services
    const lines = makeLines(services)
    const { sendAll } = makeMessages(services)
    const send = yield* makeGroupedTransactions({
      name: "sandbox_chatapp_messages",
      mostItems: 32,
      keyOf: ({ reference }: SandboxMessage) => reference,
      write: sendAll
    })
    return ChatApp.of({
      ...lineMethods(services, lines),
      mode: "sandbox",
      prices: settings.prices,
      opening: settings.opening,
      send: ({ content, from, reference, to }) =>
        send({ accountId: from.accountId, reference, to, content }).pipe(
          // The transaction was rolled back, so nothing was sent.
          Effect.catchAll(
            ({ reason, retryAfterSeconds }): Effect.Effect<SendOutcome> =>
              Effect.succeed({ _tag: "Postponed", reason, retryAfterSeconds })
          ),
          Effect.withSpan("ChatApp.send")
        ),
      lookUp: Effect.fn("ChatApp.lookUp")(function* ({ accountId }, reference) {
        const rows = yield* sql<{ readonly providerMessageId: string }>`
        select provider_message_id as "providerMessageId" from sandbox_chatapp_message
        where account_id = ${accountId} and client_reference = ${reference}`.pipe(fromSql())
        return rows[0] === undefined ? { _tag: "NotSent" } : { _tag: "Sent", ...rows[0] }
      })
    })
  })
