import { createHmac } from "node:crypto"
import { Effect, Option, Redacted, Schema } from "effect"
import {
  ChatApp,
  type ChatAppContent,
  type ChatAppNumber,
  LineRefused,
  type SendOutcome
} from "../../../Services/ChatApp/ChatApp.ts"
import { OutboundHttp } from "../../../Services/Outbound/OutboundHttp.ts"
import type { ProviderFailure } from "../../Platform/Outbound/ProviderFailure.ts"
import { Settings } from "../../Platform/Settings.ts"
import type { ChatAppCredentials, ChatAppSettingsShape } from "../ChatAppSettings.ts"
import { decodeNumber, decodeProfiles, lineFields, profileFields, snapshotOf } from "../Lines/LineSnapshots.ts"
import { templateDefinitions, templateLanguage } from "../Lines/OpeningTemplates.ts"
import { makeSealing } from "../Sealing.ts"
import { makeGraphApi } from "./GraphApi.ts"
import { graphErrorOf, outcomeOf } from "./GraphErrors.ts"
import { makeMedia } from "./GraphMedia.ts"

/** The route to which the provider redirects the owner's browser after the sign-up. */
export const signupPath = "/chatapp/signup"

const sendTimeout = "12 seconds"

const SentMessage = Schema.Struct({ messages: Schema.NonEmptyArray(Schema.Struct({ id: Schema.NonEmptyString })) })
const Token = Schema.Struct({ access_token: Schema.NonEmptyString })
const TokenScopes = Schema.Struct({
  data: Schema.Struct({
    granular_scopes: Schema.Array(
      Schema.Struct({ scope: Schema.String, target_ids: Schema.optional(Schema.Array(Schema.String)) })
    )
  })
})
const Numbers = Schema.Struct({ data: Schema.Array(Schema.Struct({ id: Schema.NonEmptyString })) })

const body = (text: string) => ({ type: "text", text })

/** The part of a message that depends on its type. */
const contentOf = (content: ChatAppContent, template: string) => {
  switch (content._tag) {
    case "Text":
      return { type: "text", text: { body: content.body, preview_url: false } }
    case "Opening":
      return {
        type: "template",
        template: {
          name: template,
          language: { policy: "deterministic", code: templateLanguage[content.language] },
          components: [{ type: "body", parameters: [body(content.greeting), body(content.body)] }]
        }
      }
    case "Media": {
      const file = {
        link: content.url,
        ...(content.kind === "document" && content.fileName !== undefined ? { filename: content.fileName } : {})
      }
      return { type: content.kind, [content.kind]: file }
    }
  }
}

const makeGraphServices = (settings: ChatAppSettingsShape, credentials: ChatAppCredentials) =>
  Effect.gen(function* () {
    const outbound = yield* OutboundHttp
    const { baseUrl } = yield* Settings
    const { accessToken, appId, appSecret, phoneNumberIds, signupConfigId } = credentials
    const graph = makeGraphApi(outbound, settings.apiUrl)
    const sealing = makeSealing(appSecret)
    const redirectUri = `${baseUrl}${signupPath}`

    const media = makeMedia({ graph, outbound, appId, apiUrl: settings.apiUrl })
    return {
      accessToken,
      appId,
      appSecret,
      graph,
      media,
      phoneNumberIds,
      redirectUri,
      sealing,
      settings,
      signupConfigId
    }
  })
type GraphServices = Effect.Effect.Success<ReturnType<typeof makeGraphServices>>

const makeNumbers = ({ accessToken, graph, sealing }: GraphServices) => {
  /** The account's own token for its own number, and the platform's token for all others. */
  const tokenOf = ({ accountId, credential }: ChatAppNumber): Option.Option<Redacted.Redacted> =>
    credential === null ? Option.some(accessToken) : sealing.open(credential, `account ${accountId}`)

  const withToken = (number: ChatAppNumber) =>
    Effect.mapError(
      tokenOf(number),
      () => new LineRefused({ reason: "The stored access to the number cannot be read any more." })
    )

  const snapshot = Effect.fn("ChatApp.snapshot")(function* (number: ChatAppNumber) {
    const token = yield* withToken(number)
    const path = `/${encodeURIComponent(number.lineId)}`
    const [numberAnswer, profile] = yield* Effect.all(
      [
        graph.ask(Schema.Object, { method: "GET", path, query: { fields: lineFields }, token }),
        graph.ask(Schema.Object, {
          method: "GET",
          path: `${path}/whatsapp_business_profile`,
          query: { fields: profileFields },
          token
        })
      ],
      { concurrency: 2 }
    )
    const line = yield* Effect.mapError(decodeNumber(numberAnswer), () => graph.broken)
    return { line, snapshot: snapshotOf(line, decodeProfiles(profile)) }
  })

  const postProfile = (number: ChatAppNumber, fields: object) =>
    Effect.flatMap(withToken(number), (token) =>
      graph.ask(Schema.Object, {
        method: "POST",
        path: `/${encodeURIComponent(number.lineId)}/whatsapp_business_profile`,
        token,
        json: { messaging_product: "whatsapp", ...fields }
      })
    )

  return { tokenOf, withToken, snapshot, postProfile }
}
type Numbers = ReturnType<typeof makeNumbers>

const makeActivation = ({ appSecret, graph, settings }: GraphServices) => {
  /** The PIN is derived and not stored. It can be computed again with the app's secret. */
  const pinOf = (lineId: string): string => {
    const digest = createHmac("sha256", Redacted.value(appSecret)).update(`pin ${lineId}`).digest()
    return String(digest.readUInt32BE(0) % 1_000_000).padStart(6, "0")
  }

  /** A template that already exists is refused, which does no harm. Other errors appear when templates are used. */
  const makeTemplates = (providerAccountId: string, token: Redacted.Redacted) =>
    Effect.forEach(
      templateDefinitions(settings.opening.template, settings.opening.category),
      (definition) =>
        graph
          .ask(Schema.Object, {
            method: "POST",
            path: `/${encodeURIComponent(providerAccountId)}/message_templates`,
            token,
            json: definition
          })
          .pipe(Effect.catchTag("LineRefused", () => Effect.void)),
      { discard: true }
    )

  const subscribe = (providerAccountId: string, token: Redacted.Redacted) =>
    graph.ask(Schema.Object, {
      method: "POST",
      path: `/${encodeURIComponent(providerAccountId)}/subscribed_apps`,
      token,
      json: {}
    })

  return { pinOf, makeTemplates, subscribe }
}
type Activation = ReturnType<typeof makeActivation>

const failedSend = ({ answer, kind, retryAfterMillis }: ProviderFailure): SendOutcome => {
  if (answer !== undefined) {
    const { json, status } = Redacted.value(answer)
    return outcomeOf(status, json, retryAfterMillis)
  }
  return kind === "maybe_sent"
    ? { _tag: "Unknown" }
    : { _tag: "Postponed", reason: "provider_unreachable", retryAfterSeconds: 15 }
}

const sendMessages = (
  { graph, settings }: GraphServices,
  { tokenOf }: Numbers
): Pick<typeof ChatApp.Service, "send" | "lookUp"> => ({
  send: Effect.fn("ChatApp.send")(function* ({ content, from, reference, to }) {
    const token = tokenOf(from)
    if (Option.isNone(token)) {
      return { _tag: "Rejected" as const, reason: "line_credential_unreadable", isUnreachable: false }
    }
    const answer = yield* Effect.either(
      graph.send({
        method: "POST",
        path: `/${encodeURIComponent(from.lineId)}/messages`,
        token: token.value,
        json: {
          messaging_product: "whatsapp",
          recipient_type: "individual",
          to: to.replace(/\D/g, ""),
          biz_opaque_callback_data: reference,
          ...contentOf(content, settings.opening.template)
        },
        timeout: sendTimeout
      })
    )
    if (answer._tag === "Left") return failedSend(answer.left)
    const { json, retryAfterMillis } = answer.right
    return Option.match(Schema.decodeUnknownOption(SentMessage)(json), {
      // Some errors have status 200, so the body is checked too.
      onNone: () =>
        graphErrorOf(json) === undefined ? { _tag: "Unknown" as const } : outcomeOf(400, json, retryAfterMillis),
      onSome: ({ messages: [{ id }] }) => ({ _tag: "Accepted" as const, providerMessageId: id.slice(0, 300) })
    })
  }),

  // The provider can neither look up a message by the gateway's reference nor repeat a request safely. It returns the
  // reference only with the message's states.
  lookUp: () => Effect.succeed({ _tag: "Unknowable" as const })
})

const connectNumbers = (
  {
    accessToken,
    appId,
    appSecret,
    graph,
    phoneNumberIds,
    redirectUri,
    sealing,
    settings,
    signupConfigId
  }: GraphServices,
  { snapshot, withToken }: Numbers,
  { makeTemplates, pinOf, subscribe }: Activation
): Pick<typeof ChatApp.Service, "dedicatedNumbers" | "signupUrl" | "connectOwnNumber" | "activate"> => ({
  dedicatedNumbers: () => phoneNumberIds,

  signupUrl: (signupKey) =>
    Option.map(signupConfigId, (configId) => {
      const query = new URLSearchParams({
        client_id: appId,
        config_id: configId,
        redirect_uri: redirectUri,
        response_type: "code",
        override_default_response_type: "true",
        state: signupKey
      })
      return `${settings.dialogUrl}?${query.toString()}`
    }),

  connectOwnNumber: Effect.fn("ChatApp.connectOwnNumber")(function* (accountId, code) {
    const { access_token } = yield* graph.ask(Token, {
      method: "GET",
      path: "/oauth/access_token",
      query: { client_id: appId, client_secret: Redacted.value(appSecret), redirect_uri: redirectUri, code },
      token: accessToken
    })
    const token = Redacted.make(access_token)
    const scopes = yield* graph.ask(TokenScopes, {
      method: "GET",
      path: "/debug_token",
      query: { input_token: access_token },
      token: Redacted.make(`${appId}|${Redacted.value(appSecret)}`)
    })
    const providerAccountId = scopes.data.granular_scopes.find(({ scope }) => scope === "whatsapp_business_management")
      ?.target_ids?.[0]
    if (providerAccountId === undefined) {
      return yield* new LineRefused({
        reason: "No business account was shared in the sign-up. Go through it again."
      })
    }
    const listed = yield* graph.ask(Schema.Object, {
      method: "GET",
      path: `/${encodeURIComponent(providerAccountId)}/phone_numbers`,
      query: { fields: "id" },
      token
    })
    const lineId = Option.flatMap(Schema.decodeUnknownOption(Numbers)(listed), ({ data }) =>
      Option.fromNullable(data[0]?.id)
    )
    if (Option.isNone(lineId)) {
      return yield* new LineRefused({ reason: "The business account has no phone number. Add one and try again." })
    }
    const credential = sealing.seal(token, `account ${accountId}`)
    return { accountId, lineId: lineId.value, providerAccountId, credential }
  }),

  activate: Effect.fn("ChatApp.activate")(function* (number) {
    const token = yield* withToken(number)
    const before = yield* snapshot(number)
    const { providerAccountId } = before.snapshot
    if (providerAccountId !== null) {
      yield* subscribe(providerAccountId, token)
      yield* makeTemplates(providerAccountId, token)
    }
    if (before.line.status === "CONNECTED") return before.snapshot
    yield* graph.ask(Schema.Object, {
      method: "POST",
      path: `/${encodeURIComponent(number.lineId)}/register`,
      token,
      json: { messaging_product: "whatsapp", pin: pinOf(number.lineId) }
    })
    return (yield* snapshot(number)).snapshot
  })
})

const numberDetails = (
  { media }: GraphServices,
  { postProfile, snapshot, withToken }: Numbers
): Pick<typeof ChatApp.Service, "snapshot" | "updateProfile" | "setPicture" | "openMedia"> => ({
  snapshot: (number) => Effect.map(snapshot(number), (number) => number.snapshot),

  updateProfile: Effect.fn("ChatApp.updateProfile")(function* (number, changes) {
    const fields = Object.fromEntries(
      Object.entries(changes).flatMap(([name, value]) => (value === undefined ? [] : [[name, value ?? ""]]))
    )
    yield* postProfile(number, fields)
  }),

  setPicture: Effect.fn("ChatApp.setPicture")(function* (number, picture) {
    const handle = yield* media.uploadPicture(yield* withToken(number), picture)
    yield* postProfile(number, { profile_picture_handle: handle })
  }),

  openMedia: (number, mediaId, maximumBytes) =>
    Effect.flatMap(
      Effect.mapError(withToken(number), () => media.gone),
      (token) => media.open(token, mediaId, maximumBytes)
    )
})

/** The messaging app's real provider. */
export const makeLiveChatApp = (settings: ChatAppSettingsShape, credentials: ChatAppCredentials) =>
  Effect.gen(function* () {
    const services = yield* makeGraphServices(settings, credentials)
    const numbers = makeNumbers(services)
    const activation = makeActivation(services)

    return ChatApp.of({
      ...sendMessages(services, numbers),
      ...connectNumbers(services, numbers, activation),
      ...numberDetails(services, numbers),
      mode: "live",
      prices: settings.prices,
      opening: settings.opening
    })
  })
