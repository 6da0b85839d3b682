import { randomUUID } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option, Schema, Stream } from "effect"
import { refused } from "../../Errors.ts"
import { AccountId } from "../../Services/Accounts/Ids.ts"
import {
  ChatApp,
  type ChatAppNumber,
  type LineSnapshot,
  type OutgoingChatAppMessage,
  type SendOutcome
} from "../../Services/ChatApp/ChatApp.ts"
import { type ChatAppProfile, emptyProfile } from "../../Services/ChatApp/ChatAppModel.ts"
import { sandboxLinePrefix, serviceWindowHours } from "../../Services/ChatApp/ChatAppRules.ts"
import { now, plusSeconds } from "../../Services/Core/Timestamp.ts"
import { UnitOfWork } from "../../Services/Core/UnitOfWork.ts"
import { fileTooLarge } from "../../Services/Files/CustomerFiles.ts"
import * as Task from "../../Services/Jobs/Task.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import { makeAccountSeal } from "../Platform/Postgres/AccountSeal.ts"
import { makeGroupedTransactions } from "../Platform/Postgres/GroupedTransactions.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { Settings } from "../Platform/Settings.ts"
import type { ChatAppSettingsShape } from "./ChatAppSettings.ts"
import { failureOf, outcomeOf } from "./GraphErrors.ts"

/** What the simulated provider tells of a message later on. */
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

/** Simulated lines have numbers that nobody has: no Brazilian area has the code 00. */
export const lineIdOf = (accountId: AccountId): string => `${sandboxLinePrefix}${accountId}`
const phoneOf = (accountId: AccountId): string => `+55009${String(accountId).padStart(8, "0")}`

/** Seconds after sending. That it was sent is what the answer says: it is not told again. */
const lifeOfMessage = [
  ["delivered", 2],
  ["read", 30]
] as const

/** Recipients that do not exist, whose last six digits are the error that writing to them ends in. */
const faultOf = (phone: string): number | undefined => {
  const code = /^\+15550(\d{6})$/.exec(phone)?.[1]
  return code === undefined ? undefined : Number(code)
}

const gone = refused("media_gone", "The simulated provider does not have the file any more.", "Send it again.")

interface SandboxOpening extends Pick<OutgoingChatAppMessage, "reference" | "to" | "content"> {
  readonly accountId: AccountId
  readonly providerMessageId: string
}

interface LineRow {
  readonly phone: string
  readonly profile: Partial<ChatAppProfile>
  readonly picture_key: string | null
}

/** A provider that does everything locally, by the same rules: windows, prices, states and errors. */
export const makeSandboxChatApp = (settings: ChatAppSettingsShape) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const unit = yield* UnitOfWork
    const tasks = yield* TaskQueue
    const { baseUrl } = yield* Settings
    const seal = yield* makeAccountSeal

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

    const isWindowOpen = (accountId: AccountId, phone: string) =>
      sql`
        select from chatapp_message where account_id = ${accountId} and direction = 'inbound' and phone = ${phone}
          and occurred_at > instant() - make_interval(hours => ${serviceWindowHours}) limit 1`.pipe(
        fromSql(),
        Effect.map((rows) => rows.length > 0)
      )

    const send = Effect.fnUntraced(function* ({
      content,
      from,
      reference,
      to
    }: Parameters<ChatApp["Type"]["send"]>[0]) {
      const { accountId } = from
      const fault = faultOf(to)
      const outcome = fault === undefined ? undefined : outcomeOf(400, { error: { code: fault } }, undefined)
      if (outcome?._tag === "Postponed") return outcome
      if (content._tag !== "Opening" && !(yield* isWindowOpen(accountId, to))) {
        return { _tag: "Rejected" as const, ...failureOf(131047) }
      }
      const providerMessageId = `wamid.SANDBOX.${randomUUID()}`
      const rows = yield* sql<{ readonly id: string; readonly isNew: boolean }>`
        with sent as (
          insert into sandbox_chatapp_message (account_id, client_reference, provider_message_id, phone, content)
          values (${accountId}, ${reference}, ${providerMessageId}, ${to}, ${JSON.stringify(content)}::jsonb)
          on conflict (account_id, client_reference) do nothing returning provider_message_id
        )
        select provider_message_id as id, true as "isNew" from sent
        union all
        select provider_message_id, false from sandbox_chatapp_message
        where account_id = ${accountId} and client_reference = ${reference}`.pipe(fromSql())
      const at = yield* now
      if (rows[0]?.isNew === true) {
        const states = fault === undefined ? lifeOfMessage : [["failed", 1] as const]
        yield* tasks.enqueueMany(
          simulatedState,
          states.map(([state, seconds]) => ({
            payload: { accountId, reference, state, code: fault ?? null },
            runAt: plusSeconds(at, seconds)
          }))
        )
      }
      return { _tag: "Accepted" as const, providerMessageId: rows[0]?.id ?? providerMessageId }
    })

    /** Openings to numbers that exist, which need no open window; answers the references of those that are new. */
    const openAll = Effect.fnUntraced(function* (openings: ReadonlyArray<SandboxOpening>) {
      const kept = yield* sql<{ readonly reference: string }>`
        insert into sandbox_chatapp_message (account_id, client_reference, provider_message_id, phone, content)
        select account_id, client_reference, provider_message_id, phone, content::jsonb
        from unnest(${openings.map(({ accountId }) => accountId)}::bigint[],
          ${openings.map(({ reference }) => reference)}::uuid[],
          ${openings.map(({ providerMessageId }) => providerMessageId)}::text[],
          ${openings.map(({ to }) => to)}::text[], ${openings.map(({ content }) => JSON.stringify(content))}::text[])
          as m (account_id, client_reference, provider_message_id, phone, content)
        on conflict (account_id, client_reference) do nothing returning client_reference as reference`.pipe(fromSql())
      const isNew = new Set(kept.map(({ reference }) => reference))
      const at = yield* now
      yield* tasks.enqueueMany(
        simulatedState,
        openings
          .filter(({ reference }) => isNew.has(reference))
          .flatMap(({ accountId, reference }) =>
            lifeOfMessage.map(([state, seconds]) => ({
              payload: { accountId, reference, state, code: null },
              runAt: plusSeconds(at, seconds)
            }))
          )
      )
      return isNew
    })

    const open = yield* makeGroupedTransactions({
      mostItems: 32,
      keyOf: ({ reference }: SandboxOpening) => reference,
      usual: (openings) => openings,
      write: (openings) =>
        Effect.map(openAll(openings), (isNew) => [...isNew].map((reference) => [reference, true] as const))
    })

    /** With others that are sent at about the same time; nothing where it is to be sent alone. */
    const sendTogether = ({ content, from, reference, to }: OutgoingChatAppMessage) => {
      if (content._tag !== "Opening" || faultOf(to) !== undefined) return Effect.succeedNone
      const providerMessageId = `wamid.SANDBOX.${randomUUID()}`
      return Effect.map(
        open({ accountId: from.accountId, reference, to, content, providerMessageId }),
        Option.as<SendOutcome>({ _tag: "Accepted", providerMessageId })
      )
    }

    return ChatApp.of({
      mode: "sandbox",
      prices: settings.prices,
      opening: settings.opening,

      send: (message) =>
        Effect.flatMap(sendTogether(message), (sent) =>
          Option.isSome(sent) ? Effect.succeed(sent.value) : unit.write(send(message))
        ).pipe(
          // The transaction left nothing behind, so nothing was sent.
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
      }),

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
        if (file === undefined) return yield* gone
        if (file.bytes.length > maximumBytes) return yield* fileTooLarge(maximumBytes)
        return { mediaType: undefined, fileName: file.file_name ?? undefined, bytes: Stream.make(file.bytes) }
      })
    })
  })
