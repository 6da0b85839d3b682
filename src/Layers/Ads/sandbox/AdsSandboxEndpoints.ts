import { HttpRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Option, Schema } from "effect"
import { refused } from "../../../Errors.ts"
import { Accounts } from "../../../Services/Accounts/Accounts.ts"
import { AdsFunding } from "../../../Services/Ads/AdsFunding.ts"
import { brlOf, microsOf } from "../../../Services/Ads/AdsMoney.ts"
import type { AdsCampaignId } from "../../../Services/Ads/Ids.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { html, lines } from "../../../Services/Text/Web/Html.ts"
import { listAt } from "../../Platform/AnswerPaths.ts"
import { endpointBody } from "../../Platform/Http/Bodies/RequestBody.ts"
import { bearerToken, type Endpoint, type RequestScope, refusal } from "../../Platform/Http/Endpoint.ts"
import { personPage } from "../../Platform/Http/PersonPage.ts"
import { makeSandboxCaller, sandboxFailure } from "../../Platform/Http/SandboxCaller.ts"
import { makeAdsReconcile } from "../AdsReconcile.ts"
import { AdsTransport } from "../Calling/AdsTransport.ts"
import { type CampaignRow, remainingOf } from "../Campaigns/CampaignRows.ts"
import { makeSandboxStore, recordsOf, type SandboxStore, type SandboxTroubles } from "./AdsSandboxStore.ts"

export const sandboxPath = "/sandbox/ads"

const acts = [
  "fund",
  "disapprove",
  "approve",
  "suspend",
  "restore",
  "low_funds",
  "burst",
  "hold_billing",
  "approve_billing",
  "revoke",
  "slow_down",
  "use_up_quota",
  "break",
  "mend"
] as const
type ActName = (typeof acts)[number]

const said: { readonly [A in ActName]: string } = {
  fund: "Add R$ 100",
  disapprove: "Disapprove every ad",
  approve: "Approve every ad",
  suspend: "Suspend the account",
  restore: "End the suspension",
  low_funds: "Spend all but R$ 3",
  burst: "Six hours of far more searches",
  hold_billing: "Withdraw the billing's approval",
  approve_billing: "Approve the billing",
  revoke: "Revoke the gateway's access",
  slow_down: "Refuse calls for a minute",
  use_up_quota: "Use up the day's calls",
  break: "Answer rubbish",
  mend: "Answer as ever"
}

const Act = Schema.parseJson(
  Schema.Struct({
    act: Schema.Literal(...acts),
    /** The campaign's name or id. */
    campaign: Schema.String.pipe(Schema.maxLength(200)),
    amount_brl: Schema.optionalWith(Schema.Number.pipe(Schema.between(0.01, 1e6)), { default: () => 100 }),
    seconds: Schema.optionalWith(Schema.Number.pipe(Schema.between(1, 86_400)), { default: () => 60 }),
    reference: Schema.optional(Schema.String.pipe(Schema.maxLength(100)))
  })
)
const decodeAct = Schema.decodeUnknownOption(Act)
type Act = typeof Act.Type

const notHere = refusal(
  404,
  "UnknownRoute",
  "There is no such route.",
  "The ads platform is reached over the network here, so that nothing is simulated."
)
const unreadable = refusal(
  400,
  "InvalidRequestBody",
  "This route does not accept the body.",
  `Send JSON with campaign and act (${acts.join(", ")}).`
)
const hourMillis = 3_600_000

const makeSandboxPageServices = Effect.gen(function* () {
  const { mode } = yield* AdsTransport
  const accounts = yield* Accounts
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const funding = yield* AdsFunding
  const { reconcileSoon, rows } = yield* makeAdsReconcile

  const asHolder = yield* makeSandboxCaller(mode, notHere)
  return { accounts, asHolder, funding, mode, reconcileSoon, rows, sql, unit }
})
type SandboxPageServices = Effect.Effect.Success<typeof makeSandboxPageServices>

const makeActs = ({ funding, reconcileSoon, rows, sql, unit }: SandboxPageServices) => {
  const changedAds = Effect.fnUntraced(function* (
    store: SandboxStore,
    row: CampaignRow,
    disapproved: number | undefined
  ) {
    const world = { account: yield* store.account, records: yield* store.records }
    for (const ad of recordsOf(world, "ad", Number(row.externalId ?? 0))) {
      const { disapprovedAt: _, ...body } = ad.body
      yield* store.put(ad.id, disapproved === undefined ? body : { ...body, disapprovedAt: disapproved })
    }
  })

  const troubled = Effect.fnUntraced(function* (
    store: SandboxStore,
    change: (before: SandboxTroubles) => SandboxTroubles
  ) {
    const account = yield* store.account
    if (account === undefined) {
      return yield* refused(
        "not_at_platform",
        "The account has nothing at the simulated platform yet.",
        "Fund a campaign first.",
        {}
      )
    }
    yield* store.setTroubles(change(account.troubles))
  })

  const does = Effect.fnUntraced(function* ({ act, amount_brl, campaign, reference, seconds }: Act) {
    const { accountId } = yield* Caller
    const now = yield* Clock.currentTimeMillis
    const row = yield* rows.named(accountId, campaign)
    const store = makeSandboxStore(sql, accountId)
    switch (act) {
      case "fund":
        yield* funding.recharge({
          accountId,
          campaign: `${row.adsCampaignId}`,
          amountMicros: microsOf(amount_brl),
          reference: reference ?? `sandbox-${now}-${row.rechargedMicros}`,
          source: "sandbox"
        })
        break
      case "disapprove":
        yield* changedAds(store, row, now)
        break
      case "approve":
        yield* changedAds(store, row, undefined)
        break
      case "suspend":
        yield* troubled(store, (before) => ({ ...before, stops: [...(before.stops ?? []), { from: now }] }))
        break
      case "restore":
        yield* troubled(store, (before) => ({
          ...before,
          stops: (before.stops ?? []).map(({ from, until }) => ({ from, until: until ?? now }))
        }))
        break
      case "low_funds": {
        const amount = remainingOf(row) - microsOf(3)
        const found = (yield* store.records).find(({ id }) => `${id}` === row.externalId)
        if (found === undefined || amount <= 0) {
          return yield* refused(
            "nothing_to_spend",
            "The campaign is not at the platform, or has less than that.",
            "Fund it first."
          )
        }
        yield* store.put(found.id, {
          ...found.body,
          charges: [...listAt(found.body, "charges"), { at: now, value: `${amount}` }]
        })
        break
      }
      case "burst":
        yield* troubled(store, (before) => ({
          ...before,
          bursts: [...(before.bursts ?? []), { from: now, until: now + 6 * hourMillis }]
        }))
        break
      case "hold_billing":
      case "approve_billing":
        yield* troubled(store, (before) => ({ ...before, noBilling: act === "hold_billing" }))
        break
      case "revoke":
      case "mend":
        yield* troubled(store, ({ bursts, noBilling, stops }) => ({
          ...(bursts === undefined ? {} : { bursts }),
          ...(noBilling === undefined ? {} : { noBilling }),
          ...(stops === undefined ? {} : { stops }),
          revoked: act === "revoke"
        }))
        break
      case "slow_down":
        yield* troubled(store, (before) => ({ ...before, slowUntil: now + seconds * 1000 }))
        break
      case "use_up_quota":
        yield* troubled(store, (before) => ({ ...before, quotaUntil: now + seconds * 1000 }))
        break
      case "break":
        yield* troubled(store, (before) => ({ ...before, broken: true }))
    }
    return row.adsCampaignId
  })

  const done = Effect.fnUntraced(function* (given: Act) {
    const id: AdsCampaignId = yield* unit.write(does(given))
    yield* reconcileSoon(id)
    return id
  })

  return { done }
}
type Acts = ReturnType<typeof makeActs>

const makeJsonAnswers = ({ asHolder, mode, rows, sql }: SandboxPageServices, { done }: Acts) => {
  const asCaller = (act: Parameters<typeof asHolder>[0]) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
      mode === "sandbox" && bearerToken(headers) === undefined && (headers["accept"] ?? "").includes("text/html")
        ? Effect.succeed(openLink)
        : asHolder(act)
    )

  const overview = Effect.gen(function* () {
    const { accountId } = yield* Caller
    const store = makeSandboxStore(sql, accountId)
    const account = yield* store.account
    const records = account === undefined ? [] : yield* store.records
    const count = (kind: string) => records.filter((record) => record.kind === kind).length
    return HttpServerResponse.unsafeJson({
      account: account === undefined ? null : { name: account.name, seed: account.seed, troubles: account.troubles },
      counts: {
        campaigns: count("campaign"),
        ads: count("ad"),
        keywords: count("keyword"),
        negatives: count("negative")
      },
      campaigns: (yield* rows.select(accountId, sql`true`)).map((row) => ({
        ads_campaign_id: row.adsCampaignId,
        name: row.name,
        status: row.state,
        remaining_brl: brlOf(remainingOf(row))
      })),
      acts
    })
  })

  const acted = Effect.gen(function* () {
    const { accountId } = yield* Caller
    const given = yield* endpointBody({ limit: 16 * 1024, tenant: accountId }).pipe(
      Effect.map((body) => decodeAct(body.toString("utf8"))),
      Effect.catchTag("RequestRefused", () => Effect.succeedNone)
    )
    if (Option.isNone(given)) return unreadable
    const id = yield* done(given.value)
    const row = yield* rows.byId(accountId, id)
    return HttpServerResponse.unsafeJson({ ads_campaign_id: id, act: given.value.act, status: row?.state ?? null })
  })

  return { acted, asCaller, overview }
}
type JsonAnswers = ReturnType<typeof makeJsonAnswers>

const makePages = ({ accounts, funding, mode, rows }: SandboxPageServices, { done }: Acts) => {
  const ofPage = Effect.gen(function* () {
    if (mode !== "sandbox") return Option.none()
    const { token = "" } = yield* HttpRouter.params
    const page = yield* funding.page(token.slice(0, 100))
    if (Option.isNone(page) || page.value.state === "ended") return Option.none()
    const { accountId, adsCampaignId } = page.value
    const plan = yield* accounts.planOf(accountId)
    return Option.some({
      id: adsCampaignId,
      caller: Caller.forTask(
        accountId,
        Option.getOrElse(plan, () => "free_trial" as const),
        "sandbox"
      )
    })
  })

  const form = (act: ActName) =>
    html`<form method="post"><input type="hidden" name="act" value="${act}"><button type="submit">${said[act]}</button></form>`

  const pageOf = (row: CampaignRow, note: string) =>
    personPage({
      status: 200,
      language: "en",
      title: "Simulated ads platform",
      tone: row.state === "live" ? "done" : "ask",
      content: html`<p class="from">${row.name}: ${row.state}${row.holdReason === null ? "" : ` (${row.holdReason})`}</p>
<p>Spent R$ ${brlOf(row.spentMicros).toFixed(2)} of R$ ${brlOf(row.rechargedMicros).toFixed(2)}; ${row.impressions} impressions, ${row.clicks} clicks, ${row.conversions} conversions.</p>
${note !== "" && html`<p>${note}</p>`}
${lines(...acts.map(form))}`
    })

  const campaignPage = (hasPressed: boolean) =>
    Effect.gen(function* () {
      const found = yield* ofPage
      if (Option.isNone(found)) return notHere
      const { caller, id } = found.value
      return yield* Effect.provideService(
        Effect.gen(function* () {
          let note = ""
          if (hasPressed) {
            const body = yield* endpointBody({ limit: 4096, tenant: caller.accountId })
            const name = new URLSearchParams(body.toString("utf8")).get("act")
            const act = acts.find((each) => each === name)
            if (act === undefined) return unreadable
            note = yield* done({ act, campaign: `${id}`, amount_brl: 100, seconds: 60, reference: undefined }).pipe(
              Effect.as(`Done: ${said[act]}.`),
              Effect.catchTag("Refused", ({ error }) => Effect.succeed(error))
            )
          }
          const row = yield* rows.byId(caller.accountId, id)
          return row === undefined ? notHere : pageOf(row, note)
        }),
        Caller,
        caller
      )
    }).pipe(
      Effect.catchTags({
        RequestRefused: () => Effect.succeed(unreadable),
        NotFound: (error) => Effect.succeed(sandboxFailure(error)),
        Transient: (error) => Effect.succeed(sandboxFailure(error))
      })
    )

  return { campaignPage }
}
type Pages = ReturnType<typeof makePages>

const makeRoutes = ({ acted, asCaller, overview }: JsonAnswers, { campaignPage }: Pages) => {
  const endpoints: ReadonlyArray<Endpoint<RequestScope>> = [
    { path: sandboxPath, methods: { GET: asCaller(overview), POST: asCaller(acted) } },
    { path: `${sandboxPath}/:token`, methods: { GET: campaignPage(false), POST: campaignPage(true) } }
  ]

  return { endpoints }
}

/** The page on which a developer sees and changes the simulated ads platform. */
export const adsSandboxEndpoints = Effect.gen(function* () {
  const services = yield* makeSandboxPageServices
  const actions = makeActs(services)
  const json = makeJsonAnswers(services, actions)
  const pages = makePages(services, actions)
  const { endpoints } = makeRoutes(json, pages)

  return endpoints
})

const openLink = personPage({
  status: 200,
  language: "en",
  title: "Simulated ads platform",
  content: html`<p>Open the management_url of a campaign, which get_adsplatform_campaign answers: its page has buttons for what can happen there. Programs send an access token and get JSON.</p>`
})
