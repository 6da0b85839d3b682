import { createHmac } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Context, Effect, Layer } from "effect"
import type { Transient } from "../../../../Errors.ts"
import { UnitOfWork } from "../../../../Services/Core/Calls/UnitOfWork.ts"
import { TaskQueue } from "../../../../Services/Jobs/TaskQueue.ts"
import type { Language } from "../../../../Services/Text/Language.ts"
import { attribute, html, nothing, verbatim } from "../../../../Services/Text/Web/Html.ts"
import { siteLanguage } from "../../../../Services/Websites/Forms/FormTexts.ts"
import type { PublishedSite } from "../../../../Services/Websites/PublishedSites.ts"
import { fromSql, single } from "../../../Platform/Postgres/Sql.ts"
import { VisitorSalts } from "../../Traffic/VisitorSalts.ts"
import { plainPage } from "../PlainPage.ts"
import type { SiteAnswer } from "../SiteRoute.ts"
import type { SiteVisitor } from "../SiteVisitors.ts"
import { mailReport } from "./ReportMail.ts"

/** The reasons that a reporter can choose. */
const reasons = ["fraud", "illegal", "personal_data", "copyright", "other"] as const
export type ReportReason = (typeof reasons)[number]

const longestMessage = 2000
const longestContact = 254

/** The most reports per day: from one network, and about one site. */
const mostReports = { network: 5, site: 200 }

export interface SiteReport {
  readonly reason: ReportReason
  readonly message: string
  readonly contact: string | null
}

/** Visitors' reports of a site to the operators. Its owner is not informed. */
export class SiteReports extends Context.Tag("SiteReports")<
  SiteReports,
  {
    /** Returns whether the report was accepted. Limits keep one network from filling the operators' list. */
    readonly add: (site: PublishedSite, visitor: SiteVisitor, report: SiteReport) => Effect.Effect<boolean, Transient>
    /** The number of reports that operators have not closed. */
    readonly waiting: Effect.Effect<number, Transient>
  }
>() {}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const salts = yield* VisitorSalts
  const tasks = yield* TaskQueue
  return SiteReports.of({
    add: Effect.fn("SiteReports.add")(function* (
      { accountId, websiteId },
      { day, network },
      { contact, message, reason }
    ) {
      const hash = createHmac("sha256", yield* salts.of(day))
        .update(network)
        .digest()
      return yield* unit.write(
        Effect.gen(function* () {
          yield* sql`select from website where account_id = ${accountId} and website_id = ${websiteId} for no key update`
          const { by_network, by_site, waiting } = single(
            yield* sql<{ readonly by_network: number; readonly by_site: number; readonly waiting: number }>`
              select count(*) filter (where network_hash = ${hash} and is_recent) as by_network,
                count(*) filter (where is_recent) as by_site, count(*) filter (where is_waiting) as waiting
              from (
                select network_hash, closed_at is null as is_waiting,
                  created_at > instant() - interval '1 day' as is_recent
                from website_report where account_id = ${accountId} and website_id = ${websiteId}
              ) report`
          )
          if (by_network >= mostReports.network || by_site >= mostReports.site) return false
          const { id } = single(
            yield* sql<{ readonly id: number }>`
              insert into website_report (account_id, website_id, reason, message, contact, network_hash, mail_status)
              values (${accountId}, ${websiteId}, ${reason}, ${message}, ${contact}, ${hash},
                ${waiting > 0 ? null : "queued"})
              returning website_report_id as id`
          )
          // After the first mail about a site, none is sent until an operator has closed its reports.
          if (waiting === 0) yield* tasks.enqueue(mailReport, { accountId, reportId: id })
          return true
        }).pipe(fromSql())
      )
    }),
    waiting: sql<{ readonly reports: number }>`
      select count(*) as reports from website_report where closed_at is null`.pipe(
      fromSql(),
      Effect.map((rows) => single(rows).reports)
    )
  })
})

export const SiteReportsPostgres = Layer.effect(SiteReports, make)

interface Words {
  readonly title: (site: string) => string
  readonly ask: string
  readonly why: string
  readonly reasons: { readonly [R in ReportReason]: string }
  readonly message: string
  readonly contact: string
  readonly send: string
  readonly missing: string
  readonly thanks: string
  readonly tooMany: string
  readonly back: string
}

const words: { readonly [L in Language]: Words } = {
  "pt-BR": {
    title: (site) => `Denunciar ${site}`,
    ask: "A denúncia vai à plataforma que hospeda o site, não a quem o publica.",
    why: "Motivo",
    reasons: {
      fraud: "Fraude ou golpe",
      illegal: "Conteúdo ilegal",
      personal_data: "Dados pessoais sem autorização",
      copyright: "Direitos autorais ou marca",
      other: "Outro"
    },
    message: "O que há de errado?",
    contact: "Seu e-mail, se quiser uma resposta",
    send: "Enviar denúncia",
    missing: "Escolha um motivo e escreva o que há de errado.",
    thanks: "Recebemos a sua denúncia. Obrigado.",
    tooMany: "Já recebemos várias denúncias desta rede hoje. Tente amanhã.",
    back: "Voltar ao site"
  },
  en: {
    title: (site) => `Report ${site}`,
    ask: "The report goes to the platform that hosts the site, not to whoever publishes it.",
    why: "Reason",
    reasons: {
      fraud: "Fraud or scam",
      illegal: "Illegal content",
      personal_data: "Personal data without permission",
      copyright: "Copyright or trade mark",
      other: "Something else"
    },
    message: "What is wrong?",
    contact: "Your e-mail address, if you would like an answer",
    send: "Send report",
    missing: "Choose a reason and write what is wrong.",
    thanks: "We have received your report. Thank you.",
    tooMany: "Several reports came from this network today. Try again tomorrow.",
    back: "Back to the site"
  },
  es: {
    title: (site) => `Denunciar ${site}`,
    ask: "La denuncia llega a la plataforma que aloja el sitio, no a quien lo publica.",
    why: "Motivo",
    reasons: {
      fraud: "Fraude o estafa",
      illegal: "Contenido ilegal",
      personal_data: "Datos personales sin permiso",
      copyright: "Derechos de autor o marca",
      other: "Otro"
    },
    message: "¿Qué está mal?",
    contact: "Su correo, si desea una respuesta",
    send: "Enviar denuncia",
    missing: "Elija un motivo y escriba qué está mal.",
    thanks: "Hemos recibido su denuncia. Gracias.",
    tooMany: "Hoy ya llegaron varias denuncias de esta red. Inténtelo mañana.",
    back: "Volver al sitio"
  }
}

const formPage = (language: Language, name: string, form: URLSearchParams, isMissing: boolean): SiteAnswer => {
  const text = words[language]
  const chosen = form.get("reason")
  const choices = reasons.map(
    (reason) =>
      html`<label><input type="radio" name="reason" value="${reason}" required${attribute("checked", reason === chosen)}> ${text.reasons[reason]}</label>`
  )
  return plainPage({
    status: isMissing ? 400 : 200,
    language,
    title: text.title(name),
    content: html`${isMissing ? html`<p class="wrong" role="alert">${text.missing}</p>\n` : nothing}<p>${text.ask}</p>
<form method="post" action="/_/report"><fieldset><legend>${text.why}</legend>${choices}</fieldset>
<label for="message">${text.message}</label><textarea id="message" name="message" rows="5" maxlength="${longestMessage}" required>${verbatim((form.get("message") ?? "").slice(0, longestMessage))}</textarea>
<label for="contact">${text.contact}</label><input id="contact" name="contact" type="email" autocomplete="email" maxlength="${longestContact}" value="${verbatim((form.get("contact") ?? "").slice(0, longestContact))}">
<button type="submit">${text.send}</button></form>
<p><a href="/">${text.back}</a></p>`
  })
}

const empty = new URLSearchParams()

/** Answers `/_/report`: GET shows the form, POST stores the report. */
export const reportAnswer = (
  reports: SiteReports["Type"],
  site: PublishedSite,
  visitor: SiteVisitor,
  { form, method }: { readonly method: string; readonly form: URLSearchParams }
): Effect.Effect<SiteAnswer, Transient> => {
  const language = siteLanguage(site.site.language)
  const text = words[language]
  if (method !== "POST") return Effect.succeed(formPage(language, site.site.name, empty, false))
  const reason = reasons.find((one) => one === form.get("reason"))
  const clean = (name: string, longest: number) =>
    (form.get(name) ?? "").replaceAll("\u0000", "").trim().slice(0, longest).toWellFormed()
  const message = clean("message", longestMessage)
  if (reason === undefined || message === "") return Effect.succeed(formPage(language, site.site.name, form, true))
  const contact = clean("contact", longestContact)
  return Effect.map(
    reports.add(site, visitor, { reason, message, contact: contact === "" ? null : contact }),
    (isTaken) =>
      plainPage({
        status: isTaken ? 200 : 429,
        language,
        title: text.title(site.site.name),
        content: html`<p>${isTaken ? text.thanks : text.tooMany}</p>\n<p><a href="/">${text.back}</a></p>`
      })
  )
}
