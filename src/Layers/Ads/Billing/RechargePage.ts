import { randomUUID } from "node:crypto"
import type { HttpServerResponse } from "@effect/platform"
import { Effect, Option } from "effect"
import { Accounts } from "../../../Services/Accounts/Accounts.ts"
import { AdsFunding, type RechargePage } from "../../../Services/Ads/AdsFunding.ts"
import { brlOf, type Micros, microsOf } from "../../../Services/Ads/AdsMoney.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import type { Language } from "../../../Services/Text/Language.ts"
import { html, lines, type Markup } from "../../../Services/Text/Web/Html.ts"
import { endpointBody } from "../../Platform/Http/Bodies/RequestBody.ts"
import type { Endpoint, RequestScope } from "../../Platform/Http/Endpoint.ts"
import { openedLink, type PageTone, personPage } from "../../Platform/Http/PersonPage.ts"
import { makeAdsReconcile } from "../AdsReconcile.ts"
import { AdsSettings } from "../AdsSettings.ts"
import { AdsTransport } from "../Calling/AdsTransport.ts"
import { rechargePath } from "./AdsFundingPostgres.ts"

const longestToken = 100
const amounts = [50, 100, 300, 1000]

/** Returns the operator's payment link. It is a link because forms of the page may only post to the gateway. */
const withReference = (address: string, reference: string): string => {
  const url = new URL(address)
  url.searchParams.set("reference", reference)
  return url.href
}

interface Phrases {
  readonly title: string
  readonly gone: string
  readonly later: string
  readonly balance: (remaining: string, recharged: string, spent: string, budget: string) => string
  readonly simulated: string
  readonly add: (amount: string) => string
  readonly added: (amount: string) => string
  readonly pay: string
  readonly agreed: string
  readonly lacks: (missing: string) => string
}

const phrases: { readonly [L in Language]: Phrases } = {
  "pt-BR": {
    title: "Recarregar campanha",
    gone: "Este link não vale mais: a campanha terminou ou o endereço está incompleto.",
    later: "Não foi possível agora. Abra o link de novo em um minuto.",
    balance: (remaining, recharged, spent, budget) =>
      `Saldo: ${remaining} (recarregado ${recharged}, gasto ${spent}). Orçamento diário: ${budget}.`,
    simulated: "Este sistema simula a plataforma de anúncios: nada é cobrado.",
    add: (amount) => `Adicionar ${amount} (simulado)`,
    added: (amount) => `${amount} adicionados. A campanha segue sozinha; você pode fechar esta página.`,
    pay: "Pagar",
    agreed: "Pague pelo meio combinado com quem opera este sistema e informe esta referência:",
    lacks: (missing) =>
      `A campanha ainda não pode ser veiculada: falta ${missing}. O que for pago fica como saldo dela até lá.`
  },
  en: {
    title: "Add funds to the campaign",
    gone: "This link no longer holds: the campaign has ended, or the address is incomplete.",
    later: "Not possible for the moment. Open the link again in a minute.",
    balance: (remaining, recharged, spent, budget) =>
      `Balance: ${remaining} (added ${recharged}, spent ${spent}). Daily budget: ${budget}.`,
    simulated: "This gateway simulates the ads platform: nothing is charged.",
    add: (amount) => `Add ${amount} (simulated)`,
    added: (amount) => `${amount} added. The campaign goes on by itself; you can close this page.`,
    pay: "Pay",
    agreed: "Pay in the way agreed with whoever runs this gateway, and name this reference:",
    lacks: (missing) =>
      `The campaign cannot be served yet: it lacks ${missing}. What is paid stays its balance until it can.`
  },
  es: {
    title: "Recargar la campaña",
    gone: "Este enlace ya no es válido: la campaña terminó o la dirección está incompleta.",
    later: "No es posible por el momento. Abra el enlace de nuevo en un minuto.",
    balance: (remaining, recharged, spent, budget) =>
      `Saldo: ${remaining} (recargado ${recharged}, gastado ${spent}). Presupuesto diario: ${budget}.`,
    simulated: "Este sistema simula la plataforma de anuncios: no se cobra nada.",
    add: (amount) => `Agregar ${amount} (simulado)`,
    added: (amount) => `${amount} agregados. La campaña sigue sola; puede cerrar esta página.`,
    pay: "Pagar",
    agreed: "Pague por el medio acordado con quien opera este sistema e indique esta referencia:",
    lacks: (missing) =>
      `La campaña aún no puede publicarse: falta ${missing}. Lo que se pague queda como su saldo hasta entonces.`
  }
}

/** The missing parts of a campaign, in the owner's words. */
const parts: { readonly [L in Language]: { readonly [part: string]: string } } = {
  "pt-BR": {
    ad: "um anúncio",
    keyword: "uma palavra-chave",
    business_name: "nome da empresa",
    logo: "logotipo",
    landscape_image: "imagem horizontal",
    square_image: "imagem quadrada",
    headlines: "títulos",
    short_headline: "um título de até 15 caracteres",
    long_headline: "título longo",
    descriptions: "descrições",
    short_description: "uma descrição de até 60 caracteres",
    final_url: "página de destino"
  },
  en: {
    ad: "an ad",
    keyword: "a keyword",
    business_name: "the business name",
    logo: "a logo",
    landscape_image: "a landscape image",
    square_image: "a square image",
    headlines: "headlines",
    short_headline: "a headline of at most 15 characters",
    long_headline: "a long headline",
    descriptions: "descriptions",
    short_description: "a description of at most 60 characters",
    final_url: "a landing page"
  },
  es: {
    ad: "un anuncio",
    keyword: "una palabra clave",
    business_name: "nombre de la empresa",
    logo: "logotipo",
    landscape_image: "imagen horizontal",
    square_image: "imagen cuadrada",
    headlines: "títulos",
    short_headline: "un título de hasta 15 caracteres",
    long_headline: "título largo",
    descriptions: "descripciones",
    short_description: "una descripción de hasta 60 caracteres",
    final_url: "página de destino"
  }
}

const partsIn = (language: Language, missing: ReadonlyArray<string>): string =>
  new Intl.ListFormat(language, { type: "conjunction" }).format(missing.map((part) => parts[language][part] ?? part))

const money = (micros: Micros, language: Language): string =>
  brlOf(micros).toLocaleString(language, { style: "currency", currency: "BRL" })

type Answer = HttpServerResponse.HttpServerResponse

/** The hosted page at which funds are added: by the operator's payment service, or in the sandbox by a button. */
export const rechargeEndpoint: Effect.Effect<
  Endpoint<RequestScope>,
  never,
  AdsFunding | AdsSettings | AdsTransport | Accounts | UnitOfWork | Effect.Effect.Context<typeof makeAdsReconcile>
> = Effect.gen(function* () {
  const funding = yield* AdsFunding
  const unit = yield* UnitOfWork
  const accounts = yield* Accounts
  const { mode } = yield* AdsTransport
  const { paymentUrl } = yield* AdsSettings
  const { reconcile } = yield* makeAdsReconcile

  const page = (language: Language, status: number, tone: PageTone, content: Markup): Answer =>
    personPage({ status, language, title: phrases[language].title, tone, content })

  const text = (value: string) => html`<p>${value}</p>`

  const gone = (language: Language): Answer => page(language, 404, "trouble", text(phrases[language].gone))

  const shown = (language: Language, token: string, found: RechargePage): Answer => {
    const words = phrases[language]
    const balance = words.balance(
      money(found.rechargedMicros - found.spentMicros, language),
      money(found.rechargedMicros, language),
      money(found.spentMicros, language),
      money(found.dailyBudgetMicros, language)
    )
    const lacks = found.missing.length > 0 && html`\n${text(words.lacks(partsIn(language, found.missing)))}`
    const head = html`<p class="from">${found.name}</p>\n${text(balance)}${lacks}`
    if (mode === "sandbox") {
      // All buttons of the page share a reference, so that pressing one twice adds money once.
      const reference = `sandbox-${randomUUID()}`
      const forms = amounts.map(
        (amount) =>
          html`<form method="post"><input type="hidden" name="reference" value="${reference}-${amount}"><input type="hidden" name="amount" value="${amount}"><button type="submit">${words.add(money(microsOf(amount), language))}</button></form>`
      )
      return page(language, 200, "ask", html`${head}\n${text(words.simulated)}\n${lines(...forms)}`)
    }
    return page(
      language,
      200,
      "ask",
      Option.match(paymentUrl, {
        onNone: () => html`${head}\n${text(words.agreed)}\n<p><code>${token}</code></p>`,
        onSome: (url) => html`${head}\n<p><a class="button" href="${withReference(url, token)}">${words.pay}</a></p>`
      })
    )
  }

  const opened = (
    act: (
      found: RechargePage,
      link: { readonly language: Language; readonly token: string }
    ) => Effect.Effect<Answer, unknown, RequestScope>
  ) =>
    Effect.flatMap(openedLink(longestToken), (link) =>
      Effect.flatMap(funding.page(link.token), (found) =>
        Option.isNone(found) || found.value.state === "ended"
          ? Effect.succeed(gone(link.language))
          : act(found.value, link)
      ).pipe(
        Effect.catchAll(() => Effect.succeed(page(link.language, 503, "trouble", text(phrases[link.language].later))))
      )
    )

  const pressed = opened((found, { language, token }) =>
    Effect.gen(function* () {
      if (mode !== "sandbox") return shown(language, token, found)
      const body = yield* endpointBody({ limit: 4096, tenant: found.accountId })
      const form = new URLSearchParams(body.toString("utf8"))
      const amount = amounts.find((each) => `${each}` === form.get("amount"))
      const reference = form.get("reference") ?? ""
      if (amount === undefined || !/^sandbox-[0-9a-f-]{36}-\d{1,6}$/.test(reference))
        return shown(language, token, found)
      yield* unit.write(
        funding.recharge({
          accountId: found.accountId,
          campaign: `${found.adsCampaignId}`,
          amountMicros: microsOf(amount),
          reference,
          source: "sandbox"
        })
      )
      const plan = yield* accounts.planOf(found.accountId)
      yield* Effect.ignore(
        Effect.provideService(
          reconcile(found.adsCampaignId),
          Caller,
          Caller.forTask(
            found.accountId,
            Option.getOrElse(plan, () => "free_trial" as const),
            "recharge"
          )
        )
      )
      return page(language, 200, "done", text(phrases[language].added(money(microsOf(amount), language))))
    })
  )

  return {
    path: `${rechargePath}:token` as const,
    methods: {
      GET: opened((found, { language, token }) => Effect.succeed(shown(language, token, found))),
      POST: pressed
    }
  }
})
