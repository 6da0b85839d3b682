import { createHmac, timingSafeEqual } from "node:crypto"
import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Clock, Effect, Option, Redacted, Schema } from "effect"
import { type NotFound, type Refused, refused, type Transient, toolErrorBody } from "../../../Errors.ts"
import { AdsFunding } from "../../../Services/Ads/AdsFunding.ts"
import { microsOf } from "../../../Services/Ads/AdsMoney.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { endpointBody } from "../../Platform/Http/Bodies/RequestBody.ts"
import { type Endpoint, type RequestScope, refusal } from "../../Platform/Http/Endpoint.ts"
import { AdsSettings } from "../AdsSettings.ts"

const largestNotice = 16 * 1024
const toleranceSeconds = 300

const Notice = Schema.parseJson(
  Schema.Struct({
    /** The last part of the campaign's recharge link. */
    recharge_token: Schema.String.pipe(Schema.maxLength(200)),
    /** Identifies the payment. */
    reference: Schema.String.pipe(Schema.maxLength(200)),
    amount_brl: Schema.Number.pipe(Schema.greaterThan(0), Schema.lessThanOrEqualTo(1e9))
  })
)
const decodeNotice = Schema.decodeUnknownOption(Notice)

/** True if a notice was signed with the secret by the rules of Standard Webhooks, at most a few minutes ago. */
export const isSigned = (
  secret: Redacted.Redacted,
  headers: { readonly [name: string]: string | undefined },
  body: string,
  nowMillis: number
): boolean => {
  const id = headers["webhook-id"] ?? ""
  const timestamp = headers["webhook-timestamp"] ?? ""
  if (id === "" || id.length > 200 || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(nowMillis / 1000 - Number(timestamp)) > toleranceSeconds) return false
  const key = Buffer.from(Redacted.value(secret).slice("whsec_".length), "base64")
  const wanted = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest()
  return (headers["webhook-signature"] ?? "")
    .slice(0, 1000)
    .split(" ")
    .some((signature) => {
      const [version, value = ""] = signature.split(",")
      const given = Buffer.from(value, "base64")
      return version === "v1" && given.length === wanted.length && timingSafeEqual(given, wanted)
    })
}

const failed = (error: NotFound | Refused | Transient) =>
  HttpServerResponse.unsafeJson(toolErrorBody(error), {
    status: error._tag === "NotFound" ? 404 : error._tag === "Refused" ? 422 : 503
  })

const notHere = refusal(404, "UnknownRoute", "There is no such route.", "No payment notices are taken here.")
const forged = refusal(401, "Unauthorized", "The notice is not signed as it should.", "Sign it by Standard Webhooks.")
const unreadable = refusal(
  400,
  "InvalidRequestBody",
  "The body is no payment notice.",
  "Send JSON with recharge_token, reference and amount_brl."
)

/** Receives payments from the operator's payment service. Repeated notices are entered once. */
export const paymentNotices: Effect.Effect<
  Endpoint<RequestScope>,
  never,
  AdsSettings | AdsFunding | UnitOfWork
> = Effect.gen(function* () {
  const { paymentSecret } = yield* AdsSettings
  const funding = yield* AdsFunding
  const unit = yield* UnitOfWork

  const take = (secret: Redacted.Redacted) =>
    Effect.gen(function* () {
      const { headers } = yield* HttpServerRequest.HttpServerRequest
      if (headers["webhook-signature"] === undefined) return forged
      const body = (yield* endpointBody({ limit: largestNotice })).toString("utf8")
      if (!isSigned(secret, headers, body, yield* Clock.currentTimeMillis)) return forged
      const notice = decodeNotice(body)
      if (Option.isNone(notice)) return unreadable
      const { amount_brl, recharge_token, reference } = notice.value
      const page = yield* funding.page(recharge_token)
      if (Option.isNone(page)) {
        return yield* refused(
          "recharge_token_unknown",
          "No campaign has this recharge link.",
          "Give the payment back, and do not send the notice again.",
          { parameter: "recharge_token" }
        )
      }
      const { accountId, adsCampaignId } = page.value
      const entered = yield* unit.write(
        funding.recharge({
          accountId,
          campaign: `${adsCampaignId}`,
          amountMicros: microsOf(amount_brl),
          reference,
          source: "payment_notice"
        })
      )
      return HttpServerResponse.unsafeJson({ entered: true, is_new: entered.is_new })
    }).pipe(
      Effect.catchTags({
        RequestRefused: () => Effect.succeed(unreadable),
        NotFound: (error) => Effect.succeed(failed(error)),
        Refused: (error) => Effect.succeed(failed(error)),
        Transient: (error) => Effect.succeed(failed(error))
      })
    )

  return {
    path: "/ads/payment-notices",
    methods: {
      POST: Option.match(paymentSecret, { onNone: () => Effect.succeed(notHere), onSome: take })
    }
  }
})
