import type { Language } from "../Text/Language.ts"
import { clip, tidyText } from "../Text/PlainText.ts"

/** What an account hears of its own affairs, of no lead in particular: what goes with each kind of news. */
interface NewsFacts {
  readonly import_finished: { readonly created: number; readonly duplicate: number; readonly invalid: number }
  readonly lead_export_finished: { readonly count: number; readonly fileName: string }
  readonly leads_rescheduled: { readonly updated: number; readonly skipped: number }
  readonly campaign_archived: { readonly campaign: string }
  readonly webhook_subscription_disabled: { readonly reason: "gone" | "failing" }
  readonly support_request_answered: { readonly requestId: number; readonly answer: string }
  readonly language_model_unavailable: object
  /** `campaign`: its name; null where the account's own targeting is meant. */
  readonly lead_generation_found_nothing: { readonly campaign: string | null }
  readonly lead_generation_exhausted: { readonly campaign: string | null }
  /** `name`: what a person calls the service; `tool`: the one that connects it again. */
  readonly connection_lost: { readonly name: { readonly [L in Language]: string }; readonly tool: string }
  /** `site`: what its owner calls it. */
  /** Times are proposed to leads without a calendar to look them up in. */
  readonly calendar_missing: object
  readonly website_form_sent: { readonly site: string }
  readonly website_storage_full: { readonly site: string }
  readonly ads_campaign_live: { readonly name: string }
  readonly ads_campaign_depleted: { readonly name: string }
  readonly ads_campaign_held: { readonly name: string; readonly reason: string }
  readonly voice_call_finished: {
    readonly end: "completed" | "machine" | "no_answer" | "busy" | "failed" | "cancelled"
    readonly reason: string | null
    readonly isGoalAchieved: boolean | null
    readonly summary: string | null
    /** Whom it was made to, and what for. */
    readonly phone: string
    readonly goal: string
    readonly agreed: ReadonlyArray<string>
    readonly questions: ReadonlyArray<string>
    readonly promised: ReadonlyArray<string>
  }
}

export type AccountNewsKind = keyof NewsFacts

/** News of a kind; of any kind unless told. */
export type AccountNews<K extends keyof NewsFacts = keyof NewsFacts> = {
  readonly [P in K]: { readonly kind: P } & NewsFacts[P]
}[K]

type CallEnd = NewsFacts["voice_call_finished"]["end"]
type Texts = { readonly [K in keyof NewsFacts]: (news: AccountNews<K>) => string }

const reasonOf = (reason: string | null, otherwise: string): string =>
  ` (${reason === null ? otherwise : clip(tidyText(reason).replace(/\s+/g, " "), 200)})`

const didNotRun = (end: CallEnd): boolean => end === "failed" || end === "cancelled"

const calls: { readonly [L in Language]: { readonly [E in CallEnd]: string } } = {
  "pt-BR": {
    completed: "A ligação que você pediu terminou",
    machine: "Uma secretária eletrônica atendeu a ligação que você pediu",
    no_answer: "Ninguém atendeu a ligação que você pediu",
    busy: "A linha da ligação que você pediu estava ocupada",
    failed: "A ligação que você pediu não pôde ser feita",
    cancelled: "A ligação que você pediu não foi feita"
  },
  en: {
    completed: "The call you asked for is over",
    machine: "A machine answered the call you asked for",
    no_answer: "Nobody answered the call you asked for",
    busy: "The line was busy in the call you asked for",
    failed: "The call you asked for could not be made",
    cancelled: "The call you asked for was not made"
  },
  es: {
    completed: "La llamada que pidió terminó",
    machine: "Un contestador atendió la llamada que pidió",
    no_answer: "Nadie contestó la llamada que pidió",
    busy: "La línea de la llamada que pidió estaba ocupada",
    failed: "La llamada que pidió no se pudo hacer",
    cancelled: "La llamada que pidió no se hizo"
  }
}

interface CallWords {
  readonly noReason: string
  readonly achieved: string
  readonly missed: string
  readonly about: (phone: string, goal: string) => string
  readonly agreed: string
  readonly questions: string
  readonly promised: string
}

const callWords: { readonly [L in Language]: CallWords } = {
  "pt-BR": {
    noReason: "sem motivo informado",
    achieved: "O objetivo foi alcançado.",
    missed: "O objetivo não foi alcançado.",
    about: (phone, goal) => `Para ${phone}, com o objetivo “${goal}”.`,
    agreed: "Combinado",
    questions: "Perguntado",
    promised: "Prometido"
  },
  en: {
    noReason: "no reason given",
    achieved: "The goal was achieved.",
    missed: "The goal wasn't achieved.",
    about: (phone, goal) => `To ${phone}, with the goal “${goal}”.`,
    agreed: "Agreed",
    questions: "Asked",
    promised: "Promised"
  },
  es: {
    noReason: "sin motivo informado",
    achieved: "Se logró el objetivo.",
    missed: "No se logró el objetivo.",
    about: (phone, goal) => `A ${phone}, con el objetivo “${goal}”.`,
    agreed: "Acordado",
    questions: "Preguntado",
    promised: "Prometido"
  }
}

/** What a person said, on one line and without the quotes that end it. */
const excerpt = (text: string): string => clip(tidyText(text).replace(/[“”]/g, "'").replace(/\s+/g, " ").trim(), 600)

const callText = (language: Language, news: AccountNews<"voice_call_finished">): string => {
  const { about, achieved, agreed, missed, noReason, promised, questions } = callWords[language]
  const end = `${calls[language][news.end]}${didNotRun(news.end) ? reasonOf(news.reason, noReason) : ""}.`
  const goal = news.isGoalAchieved === null ? [] : [news.isGoalAchieved ? achieved : missed]
  const points = [
    [agreed, news.agreed],
    [questions, news.questions],
    [promised, news.promised]
  ] as const
  const pointLines = points.flatMap(([label, some]) =>
    some.length === 0 ? [] : [`${label}: ${some.map((text) => `“${excerpt(text)}”`).join("; ")}.`]
  )
  return [
    end,
    about(news.phone, excerpt(news.goal)),
    ...goal,
    ...pointLines,
    ...(news.summary === null ? [] : [excerpt(news.summary)])
  ].join(" ")
}

const texts: { readonly [L in Language]: Texts } = {
  "pt-BR": {
    import_finished: ({ created, duplicate, invalid }) =>
      `A importação de leads terminou. Criados: ${created}; duplicados: ${duplicate}; inválidos: ${invalid}.`,
    lead_export_finished: ({ count, fileName }) =>
      `A exportação está pronta: ${count} ${count === 1 ? "lead" : "leads"} em ${fileName}.`,
    leads_rescheduled: ({ skipped, updated }) =>
      `Os leads do arquivo foram reagendados. Mudados: ${updated}; deixados como estavam: ${skipped}.`,
    campaign_archived: ({ campaign }) =>
      `A campanha ${campaign} foi arquivada. Os leads dela seguem na prospecção padrão.`,
    webhook_subscription_disabled: ({ reason }) =>
      `${
        reason === "gone"
          ? "O receptor respondeu que não existe mais (410), e a assinatura de webhook foi desativada."
          : "A assinatura de webhook foi desativada: por cinco dias, nenhuma entrega deu certo."
      } Quando o receptor voltar a funcionar, reative-a com update_webhook_subscription.`,
    support_request_answered: ({ answer, requestId }) =>
      `O suporte respondeu ao pedido ${requestId}: “${excerpt(answer)}”.`,
    language_model_unavailable: () =>
      "O modelo de linguagem não responde. Mensagens e respostas esperam e seguem sozinhas quando ele voltar: não é preciso fazer nada.",
    lead_generation_found_nothing: ({ campaign }) =>
      `Nenhuma empresa atende aos filtros ${campaign === null ? "da conta" : `da campanha ${campaign}`}. Amplie-os com ${campaign === null ? "set_targeting" : "update_campaign"} para receber novos leads.`,
    lead_generation_exhausted: ({ campaign }) =>
      `Todas as empresas que atendem aos filtros ${campaign === null ? "da conta" : `da campanha ${campaign}`} já foram vistas. Amplie-os com ${campaign === null ? "set_targeting" : "update_campaign"} para receber mais leads.`,
    connection_lost: ({ name, tool }) =>
      `A conexão com ${name["pt-BR"]} deixou de valer: o acesso foi recusado. Conecte de novo com ${tool}; até lá, o que depende dela espera.`,
    calendar_missing: () =>
      "Propus horários de reunião a um lead sem poder consultar a sua agenda: contaram só o horário comercial, os feriados e as reuniões marcadas aqui. Conecte a agenda com get_calendar_connection_url, para que horários ocupados não sejam oferecidos.",
    website_form_sent: ({ site }) =>
      `Alguém enviou um formulário do site ${site}. Veja os registros no editor do site: get_website mostra o endereço.`,
    website_storage_full: ({ site }) =>
      `O site ${site} não guarda mais registros: o limite foi atingido, e novos envios são recusados. Apague registros no editor do site: get_website mostra o endereço.`,
    ads_campaign_live: ({ name }) => `A campanha de anúncios ${name} está no ar.`,
    ads_campaign_depleted: ({ name }) =>
      `O saldo da campanha de anúncios ${name} acabou, e ela foi pausada. Recarregue pelo link que get_adsplatform_campaign mostra.`,
    ads_campaign_held: ({ name, reason }) =>
      `A campanha de anúncios ${name} não pode ser veiculada por ora (${reason}). diagnose_adsplatform_campaign diz o que fazer.`,
    voice_call_finished: (news) => callText("pt-BR", news)
  },
  en: {
    import_finished: ({ created, duplicate, invalid }) =>
      `Your lead import is finished: ${created} created, ${duplicate} duplicate, ${invalid} invalid.`,
    lead_export_finished: ({ count, fileName }) =>
      `Your lead export is ready: ${count} ${count === 1 ? "lead" : "leads"} in ${fileName}.`,
    leads_rescheduled: ({ skipped, updated }) =>
      `The leads of the file were rescheduled. Moved: ${updated}; left as they were: ${skipped}.`,
    campaign_archived: ({ campaign }) =>
      `The campaign ${campaign} was archived. Its leads go on in default prospecting.`,
    webhook_subscription_disabled: ({ reason }) =>
      `${
        reason === "gone"
          ? "The receiver answered that it is gone for good (410), so the webhook subscription was disabled."
          : "The webhook subscription was disabled: for five days none of its deliveries succeeded."
      } Once the receiver works again, enable it with update_webhook_subscription.`,
    support_request_answered: ({ answer, requestId }) =>
      `The support team answered request ${requestId}: “${excerpt(answer)}”.`,
    language_model_unavailable: () =>
      "The language model cannot be reached. Messages and replies wait, and go on by themselves when it is back: there is nothing to do.",
    lead_generation_found_nothing: ({ campaign }) =>
      `No company passes the filters of ${campaign === null ? "the account" : `the campaign ${campaign}`}. Widen them with ${campaign === null ? "set_targeting" : "update_campaign"} to get new leads.`,
    lead_generation_exhausted: ({ campaign }) =>
      `All companies that pass the filters of ${campaign === null ? "the account" : `the campaign ${campaign}`} were looked at. Widen them with ${campaign === null ? "set_targeting" : "update_campaign"} to get more leads.`,
    connection_lost: ({ name, tool }) =>
      `The connection with ${name.en} no longer holds: access was refused. Connect it again with ${tool}; what depends on it waits until then.`,
    calendar_missing: () =>
      "A lead was offered meeting times without a look at your calendar: only office hours, holidays and the meetings booked here were considered. Connect your calendar with get_calendar_connection_url, so that busy times aren't offered.",
    website_form_sent: ({ site }) =>
      `Somebody sent a form of the site ${site}. See the records in the site's editor: get_website shows its address.`,
    website_storage_full: ({ site }) =>
      `The site ${site} stores no more records: the limit is reached, and what is sent is refused. Delete records in the site's editor: get_website shows its address.`,
    ads_campaign_live: ({ name }) => `The ads campaign ${name} is live.`,
    ads_campaign_depleted: ({ name }) =>
      `The ads campaign ${name} has used up its balance and was paused. Add funds by the link that get_adsplatform_campaign shows.`,
    ads_campaign_held: ({ name, reason }) =>
      `The ads campaign ${name} cannot be served for now (${reason}). diagnose_adsplatform_campaign says what to do.`,
    voice_call_finished: (news) => callText("en", news)
  },
  es: {
    import_finished: ({ created, duplicate, invalid }) =>
      `La importación de leads terminó. Creados: ${created}; duplicados: ${duplicate}; inválidos: ${invalid}.`,
    lead_export_finished: ({ count, fileName }) =>
      `La exportación está lista: ${count} ${count === 1 ? "lead" : "leads"} en ${fileName}.`,
    leads_rescheduled: ({ skipped, updated }) =>
      `Los leads del archivo se reprogramaron. Cambiados: ${updated}; sin cambios: ${skipped}.`,
    campaign_archived: ({ campaign }) =>
      `La campaña ${campaign} se archivó. Sus leads siguen en la prospección predeterminada.`,
    webhook_subscription_disabled: ({ reason }) =>
      `${
        reason === "gone"
          ? "El receptor respondió que ya no existe (410), y la suscripción de webhook se desactivó."
          : "La suscripción de webhook se desactivó: durante cinco días ninguna entrega funcionó."
      } Cuando el receptor vuelva a funcionar, reactívela con update_webhook_subscription.`,
    support_request_answered: ({ answer, requestId }) =>
      `El soporte respondió la solicitud ${requestId}: “${excerpt(answer)}”.`,
    language_model_unavailable: () =>
      "El modelo de lenguaje no responde. Los mensajes y las respuestas esperan y siguen solos cuando vuelva: no hay nada que hacer.",
    lead_generation_found_nothing: ({ campaign }) =>
      `Ninguna empresa cumple los filtros ${campaign === null ? "de la cuenta" : `de la campaña ${campaign}`}. Amplíelos con ${campaign === null ? "set_targeting" : "update_campaign"} para recibir nuevos leads.`,
    lead_generation_exhausted: ({ campaign }) =>
      `Ya se revisaron todas las empresas que cumplen los filtros ${campaign === null ? "de la cuenta" : `de la campaña ${campaign}`}. Amplíelos con ${campaign === null ? "set_targeting" : "update_campaign"} para recibir más leads.`,
    connection_lost: ({ name, tool }) =>
      `La conexión con ${name.es} dejó de valer: el acceso fue rechazado. Conéctela de nuevo con ${tool}; hasta entonces, lo que depende de ella espera.`,
    calendar_missing: () =>
      "Se propusieron horarios de reunión a un lead sin consultar su calendario: solo contaron el horario de oficina, los feriados y las reuniones agendadas aquí. Conecte el calendario con get_calendar_connection_url, para que no se ofrezcan horas ocupadas.",
    website_form_sent: ({ site }) =>
      `Alguien envió un formulario del sitio ${site}. Vea los registros en el editor del sitio: get_website muestra la dirección.`,
    website_storage_full: ({ site }) =>
      `El sitio ${site} ya no guarda registros: se alcanzó el límite, y los nuevos envíos se rechazan. Borre registros en el editor del sitio: get_website muestra la dirección.`,
    ads_campaign_live: ({ name }) => `La campaña de anuncios ${name} está en línea.`,
    ads_campaign_depleted: ({ name }) =>
      `El saldo de la campaña de anuncios ${name} se agotó y quedó en pausa. Recárguela con el enlace que muestra get_adsplatform_campaign.`,
    ads_campaign_held: ({ name, reason }) =>
      `La campaña de anuncios ${name} no se puede publicar por ahora (${reason}). diagnose_adsplatform_campaign dice qué hacer.`,
    voice_call_finished: (news) => callText("es", news)
  }
}

/** The text of a notification. */
export const accountNews = <K extends keyof NewsFacts>(news: AccountNews<K>, language: Language): string =>
  texts[language][news.kind](news)
