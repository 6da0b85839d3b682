import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Option } from "effect"
import type { Plan } from "../../Services/Accounts/Ids.ts"
import { type ConversationItem, Conversations } from "../../Services/Conversations/Conversations.ts"
import { type LeadPageAction, leadPageActions, leadPageTexts } from "../../Services/Conversations/LeadPageTexts.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import type { PipelineState } from "../../Services/Leads/Ids.ts"
import { type LeadPageClaim, readLeadPage } from "../../Services/Leads/LeadPageLink.ts"
import { Leads } from "../../Services/Leads/Leads.ts"
import { type Language, languageOf } from "../../Services/Text/Language.ts"
import { clip } from "../../Services/Text/PlainText.ts"
import { spokenTime } from "../../Services/Text/SpokenTime.ts"
import { hiddenField, html, lines, type Markup, verbatim, verbatimLines } from "../../Services/Text/Web/Html.ts"
import { endpointBody } from "../Platform/Http/Bodies/RequestBody.ts"
import type { Endpoint, RequestScope } from "../Platform/Http/Endpoint.ts"
import { refusedAnswer, transientAnswer } from "../Platform/Http/EndpointAnswers.ts"
import { openedLink, type PageTone, personPage } from "../Platform/Http/PersonPage.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

const longestToken = 120
/** The size limit of the body in bytes. The form has one field. */
const bodyLimit = 16 * 1024
const shownMessages = 8
const longestMessage = 1500

interface ShownLead {
  readonly key: Uint8Array
  readonly plan: Plan
  readonly language: string
  readonly timeZone: string
  readonly name: string
  readonly company: string | null
  readonly state: PipelineState
}

const actionOf = (text: string | null): LeadPageAction | undefined =>
  (["take_over", "return_to_pipeline", "stop"] as const).find((action) => action === text)

const titleOf = ({ company, name }: ShownLead): string =>
  company === null || company.trim() === "" ? name : `${name} (${company})`

const message = (item: ConversationItem, lead: ShownLead, language: Language): Markup => {
  const { channels, us } = leadPageTexts[language]
  const who = item.direction === "outbound" ? us : lead.name
  const head = [who, channels[item.channel], spokenTime(item.at, lead.timeZone, language)].join(" · ")
  return html`<p class="from">${verbatim(head)}</p>\n<p>${verbatimLines(clip(item.body ?? item.media_name ?? "", longestMessage))}</p>`
}

const actionForm = (action: LeadPageAction, language: Language): Markup => {
  const { actions, explanations } = leadPageTexts[language]
  return html`<form method="post">${hiddenField("action", action)}<p>${explanations[action]}</p><button type="submit">${actions[action]}</button></form>`
}

const leadContent = (lead: ShownLead, items: ReadonlyArray<ConversationItem>, language: Language): Markup => {
  const { noMessages, states, status } = leadPageTexts[language]
  return lines(
    html`<p>${status}: ${states[lead.state]}.</p>`,
    ...(items.length === 0 ? [html`<p>${noMessages}</p>`] : items.map((item) => message(item, lead, language))),
    ...leadPageActions[lead.state].map((action) => actionForm(action, language))
  )
}

const gonePage = (language: Language) =>
  personPage({
    status: 404,
    language,
    tone: "trouble",
    title: leadPageTexts[language].goneTitle,
    content: html`<p>${leadPageTexts[language].noLongerValid}</p>`
  })

/**
 * Serves `/lead/{token}`, the link in a notice. The page shows the lead's last messages and the possible actions. GET
 * changes nothing, because programs follow links in mail.
 */
export const leadPageEndpoint: Effect.Effect<
  Endpoint<RequestScope>,
  never,
  Conversations | Leads | SqlClient | UnitOfWork
> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const conversations = yield* Conversations
  const leads = yield* Leads
  const opened = openedLink(longestToken)

  const leadOf = ({ accountId, expiresAt, holds, leadId }: LeadPageClaim) =>
    Effect.gen(function* () {
      if (expiresAt <= (yield* Clock.currentTimeMillis)) return undefined
      const rows = yield* sql<ShownLead>`
        select a.mail_key as key, a.plan, a.language_key as language, a.time_zone as "timeZone", l.name, l.company,
          l.pipeline_state as state
        from account a join lead l on l.account_id = a.account_id
        where a.account_id = ${accountId} and l.account_id = ${accountId} and l.lead_id = ${leadId}`.pipe(fromSql())
      return rows.find(({ key }) => holds(key))
    })

  const view = (claim: LeadPageClaim, lead: ShownLead, language: Language) =>
    Effect.gen(function* () {
      const options = { page: 0, pageSize: shownMessages, isOldestFirst: false, includeTranscripts: false }
      const { items } = yield* conversations.timeline(claim.leadId, options)
      return personPage({
        status: 200,
        language,
        title: titleOf(lead),
        content: leadContent(lead, items.toReversed(), language)
      })
    })

  const answer = (lead: ShownLead, language: Language, text: string, tone: PageTone, status: number) =>
    personPage({ status, language, tone, title: titleOf(lead), content: html`<p>${text}</p>` })

  const act = (claim: LeadPageClaim, lead: ShownLead, language: Language, action: LeadPageAction) => {
    const { changed, done } = leadPageTexts[language]
    return leads.transition(claim.leadId, action).pipe(
      Effect.as(answer(lead, language, done[action], "done", 200)),
      Effect.catchTag("Refused", () => Effect.succeed(answer(lead, language, changed, "trouble", 409)))
    )
  }

  /** Runs an action on the lead of the link. Without a valid link, the page says so. */
  const withLead = <E>(
    token: string,
    fallback: Language,
    use: (
      claim: LeadPageClaim,
      lead: ShownLead,
      language: Language
    ) => Effect.Effect<ReturnType<typeof personPage>, E, Caller>
  ) =>
    Effect.gen(function* () {
      const claim = Option.getOrUndefined(readLeadPage(token))
      const lead = claim === undefined ? undefined : yield* leadOf(claim)
      if (claim === undefined || lead === undefined) return gonePage(fallback)
      const caller = Caller.forTask(claim.accountId, lead.plan, "lead-page")
      return yield* use(claim, lead, languageOf(lead.language)).pipe(Effect.provideService(Caller, caller))
    })

  return {
    path: "/lead/:token",
    methods: {
      GET: Effect.gen(function* () {
        const { language, token } = yield* opened
        return yield* unit
          .read(withLead(token, language, view))
          .pipe(Effect.catchTag("NotFound", () => Effect.succeed(gonePage(language))))
      }).pipe(Effect.catchTag("Transient", (failure) => Effect.succeed(transientAnswer(failure)))),
      POST: Effect.gen(function* () {
        const { language, token } = yield* opened
        const body = yield* endpointBody({ limit: bodyLimit })
        const action = actionOf(new URLSearchParams(body.toString("utf8")).get("action"))
        if (action === undefined) return gonePage(language)
        return yield* unit
          .write(withLead(token, language, (claim, lead, ownersLanguage) => act(claim, lead, ownersLanguage, action)))
          .pipe(Effect.catchTag("NotFound", () => Effect.succeed(gonePage(language))))
      }).pipe(
        Effect.catchTags({
          RequestRefused: (failure) => Effect.succeed(refusedAnswer(failure)),
          Transient: (failure) => Effect.succeed(transientAnswer(failure))
        })
      )
    }
  }
})
