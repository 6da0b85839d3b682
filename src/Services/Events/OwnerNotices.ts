import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { LeadId } from "../Leads/Ids.ts"
import type { Language } from "../Text/Language.ts"
import { mailedName } from "../Text/MailedName.ts"
import { clip, tidyText } from "../Text/PlainText.ts"

/** What an account's owner hears about a lead, as a notification. */
export type OwnerNewsKind =
  | "lead_became_interested"
  | "lead_confirmed"
  | "lead_unsubscribed"
  | "held_lead_replied"
  | "lead_question"
  /** It objects, and leaves the door open. */
  | "lead_objected"
  /** It wants to read something that the account has not stored. */
  | "lead_wants_document"
  | "lead_called_off_meeting"
  | "lead_moved_meeting"
  | "lead_wants_other_time"
  | "lead_sent_for_human_review"
  | "lead_unreachable"
  | "lead_check_in"
  | "lead_mail_unauthenticated"
  | "meeting_booked"
  | "meeting_reminder"
  | "first_chatapp_message"
  /** Rules could not carry out what the owner asked of three messages. */
  | "instructions_not_followed"

/** Reasons that the owner is told in words. */
export type OwnerNewsReason = "answer_in_another_language" | "message_not_written" | "cadence_ended"

/** What of it the owner is told by e-mail too, where the account's switches say so. */
export type OwnerNoticeKind = Extract<
  OwnerNewsKind,
  | "lead_became_interested"
  | "lead_confirmed"
  | "held_lead_replied"
  | "lead_called_off_meeting"
  | "lead_moved_meeting"
  | "lead_unreachable"
>

/** The type of such messages among the account's mail. */
export const ownerNoticeType = "owner_notification"

/** Whom and what the news is about. All of it may have been written by the lead. */
export interface NewsFacts {
  readonly leadName: string
  readonly company?: string | null | undefined
  /** What the lead wrote or asked. */
  readonly said?: string | null | undefined
  /** A time, in the account's zone and language. */
  readonly when?: string | undefined
  /** What the owner can do, in whole sentences. */
  readonly suggestions?: string | undefined
  /** Why a lead waits, where the owner can do something about it. */
  readonly why?: OwnerNewsReason | undefined
}

/** What erasing a lead found its notices by before they had links. */
export const noticeMark = (leadId: LeadId): string => `lead_id ${leadId}.`

type Sentence = (who: string, when: string) => string

interface Phrases {
  readonly news: { readonly [K in OwnerNewsKind]: Sentence }
  /** What the owner can do about it. */
  readonly next: { readonly [K in OwnerNewsKind]?: string }
  readonly why: { readonly [R in OwnerNewsReason]: string }
  readonly at: (name: string, company: string) => string
  readonly someone: string
  readonly said: (text: string) => string
  readonly instruction: (text: string) => string
  /** What the link of a mail is for. */
  readonly mailed: { readonly [K in OwnerNoticeKind]: string }
  readonly openLead: string
  readonly switchedOff: string
}

const phrases: { readonly [L in Language]: Phrases } = {
  "pt-BR": {
    news: {
      lead_became_interested: (who) => `${who} demonstrou interesse.`,
      lead_confirmed: (who) => `${who} respondeu: o contato está confirmado.`,
      lead_unsubscribed: (who) => `${who} pediu para não receber mais contatos, e não receberá.`,
      held_lead_replied: (who) => `${who} respondeu, e a plataforma não responde por você.`,
      lead_question: (who) => `${who} perguntou algo que só você pode responder.`,
      lead_objected: (who) => `${who} tem uma objeção e continua na conversa: a sua resposta pode decidir.`,
      lead_wants_document: (who) => `${who} pediu um material que não está na sua conta.`,
      lead_called_off_meeting: (who, when) => `${who} cancelou a reunião${when}.`,
      lead_moved_meeting: (who, when) => `${who} mudou o horário da reunião${when}.`,
      lead_wants_other_time: (who) =>
        `${who} pede outro horário para a reunião. Até lá, o horário combinado continua valendo.`,
      lead_sent_for_human_review: (who) => `${who} espera uma decisão sua.`,
      lead_check_in: (who) => `Como ficou a conversa com ${who}? Faz algum tempo que não há novidades.`,
      lead_unreachable: (who) => `${who} não pode mais ser contatado: nenhum canal funciona.`,
      lead_mail_unauthenticated: (who) =>
        `Chegou um e-mail em nome de ${who} que o servidor de recebimento diz ser de outra pessoa. Nada foi feito com ele.`,
      meeting_booked: (who, when) => `Reunião marcada com ${who}${when}.`,
      meeting_reminder: (who, when) => `Lembrete: reunião com ${who}${when}.`,
      first_chatapp_message: (who) => `A primeira mensagem na sua linha do aplicativo chegou, de ${who}.`,
      instructions_not_followed: (who) =>
        `Uma instrução sua para ${who} não pôde ser seguida e foi retirada: as mensagens saíram sem ela.`
    },
    next: {
      lead_question: "Responda com answer_lead_question.",
      lead_objected: "Responda com answer_lead_question, ou assuma a conversa com take_over_lead.",
      lead_wants_document:
        "Responda com answer_lead_question, com o link do material. Cadastrado com register_prospecting_file, ele vai sozinho da próxima vez.",
      lead_sent_for_human_review: "Decida com return_lead_to_pipeline, take_over_lead ou stop_lead.",
      meeting_booked: "Aceite com confirm_lead_meeting.",
      lead_moved_meeting: "Aceite o novo horário com confirm_lead_meeting.",
      lead_check_in: "Conte com register_lead_outcome, ou pare as perguntas com mute_lead_check_ins.",
      lead_unreachable: "Corrija o contato, ou encerre com stop_lead.",
      lead_mail_unauthenticated: "Leia-o com get_lead_conversation.",
      instructions_not_followed: "Escreva o texto que o lead deve ler com send_message_to_lead."
    },
    why: {
      answer_in_another_language:
        "A sua resposta está em outro idioma que o do lead, e sem modelo de linguagem nada é traduzido: responda de novo no idioma do lead, com answer_lead_question.",
      message_not_written: "A próxima mensagem não pôde ser escrita bem.",
      cadence_ended:
        "O lead demonstrou interesse, mas não respondeu mais, e as mensagens chegaram ao fim. Ligue para ele, escreva você mesmo, ou devolva-o à prospecção para recomeçar."
    },
    at: (name, company) => `${name} (${company})`,
    someone: "Um lead",
    said: (text) => `Mensagem: “${text}”`,
    instruction: (text) => `Instrução: “${text}”`,
    mailed: {
      lead_became_interested: "Veja a conversa e decida: assuma você mesmo, ou deixe a plataforma continuar.",
      lead_confirmed: "Veja o que foi escrito. Se quiser falar você mesmo, assuma a conversa na página.",
      held_lead_replied: "Leia a resposta e responda você mesmo, ou devolva a conversa à plataforma.",
      lead_called_off_meeting: "Veja a conversa. Se quiser propor outro horário você mesmo, assuma-a na página.",
      lead_moved_meeting: "Veja a conversa e confira se o novo horário serve para você.",
      lead_unreachable: "Veja o contato. Se não houver outro caminho, encerre-o na página."
    },
    openLead: "Abrir a conversa:",
    switchedOff: "Para não receber mais estes avisos, desligue-os nas preferências da prospecção."
  },
  en: {
    news: {
      lead_became_interested: (who) => `${who} is interested.`,
      lead_confirmed: (who) => `${who} answered: the contact is confirmed.`,
      lead_unsubscribed: (who) => `${who} asked not to be contacted any more, and will not be.`,
      held_lead_replied: (who) => `${who} replied, and the platform does not answer for you.`,
      lead_question: (who) => `${who} asked what only you can answer.`,
      lead_objected: (who) => `${who} has an objection and is still talking: your answer may decide it.`,
      lead_wants_document: (who) => `${who} asked for material that isn't in your account.`,
      lead_called_off_meeting: (who, when) => `${who} called off the meeting${when}.`,
      lead_moved_meeting: (who, when) => `${who} moved the meeting${when}.`,
      lead_wants_other_time: (who) =>
        `${who} would like another time for the meeting. Until one is agreed on, the present time stays.`,
      lead_sent_for_human_review: (who) => `${who} waits for your decision.`,
      lead_check_in: (who) => `What became of the conversation with ${who}? There has been no news for a while.`,
      lead_unreachable: (who) => `${who} can no longer be reached: no channel works.`,
      lead_mail_unauthenticated: (who) =>
        `A mail came in the name of ${who}, and the receiving server says that somebody else wrote it. Nothing was made of it.`,
      meeting_booked: (who, when) => `A meeting with ${who} was booked${when}.`,
      meeting_reminder: (who, when) => `Reminder: a meeting with ${who}${when}.`,
      first_chatapp_message: (who) => `The first message on your messaging-app line has arrived, from ${who}.`,
      instructions_not_followed: (who) =>
        `An instruction of yours for ${who} couldn't be followed and was removed: the messages went out without it.`
    },
    next: {
      lead_question: "Answer it with answer_lead_question.",
      lead_objected: "Answer it with answer_lead_question, or take the conversation over with take_over_lead.",
      lead_wants_document:
        "Answer with answer_lead_question and a link to it. Register it with register_prospecting_file, and it goes out by itself next time.",
      lead_sent_for_human_review: "Decide with return_lead_to_pipeline, take_over_lead or stop_lead.",
      meeting_booked: "Accept it with confirm_lead_meeting.",
      lead_moved_meeting: "Accept the new time with confirm_lead_meeting.",
      lead_check_in: "Tell it with register_lead_outcome, or stop the questions with mute_lead_check_ins.",
      lead_unreachable: "Correct the contact, or finish it with stop_lead.",
      lead_mail_unauthenticated: "Read it with get_lead_conversation.",
      instructions_not_followed: "Write what the lead should read with send_message_to_lead."
    },
    why: {
      answer_in_another_language:
        "Your answer is in another language than the lead's, and without a language model nothing is translated: answer again in the lead's language, with answer_lead_question.",
      message_not_written: "The next message could not be written well.",
      cadence_ended:
        "The lead showed interest but stopped answering, and the messages have come to their end. Call it, write to it yourself, or return it to prospecting to start over."
    },
    at: (name, company) => `${name} (${company})`,
    someone: "A lead",
    said: (text) => `Message: “${text}”`,
    instruction: (text) => `Instruction: “${text}”`,
    mailed: {
      lead_became_interested: "Read the conversation and decide: take it over yourself, or let the platform continue.",
      lead_confirmed: "Read what was written. To talk to them yourself, take the conversation over on the page.",
      held_lead_replied: "Read the reply and answer it yourself, or hand the conversation back to the platform.",
      lead_called_off_meeting: "Read the conversation. To propose another time yourself, take it over on the page.",
      lead_moved_meeting: "Read the conversation and check whether the new time suits you.",
      lead_unreachable: "Look at the contact. If there's no other way to reach them, close it on the page."
    },
    openLead: "Open the conversation:",
    switchedOff: "To get no more of these notices, turn them off in the prospecting preferences."
  },
  es: {
    news: {
      lead_became_interested: (who) => `${who} mostró interés.`,
      lead_confirmed: (who) => `${who} respondió: el contacto está confirmado.`,
      lead_unsubscribed: (who) => `${who} pidió no recibir más mensajes, y no los recibirá.`,
      held_lead_replied: (who) => `${who} respondió, y la plataforma no responde por usted.`,
      lead_question: (who) => `${who} preguntó algo que solo usted puede responder.`,
      lead_objected: (who) => `${who} tiene una objeción y sigue en la conversación: su respuesta puede decidir.`,
      lead_wants_document: (who) => `${who} pidió un material que no está en su cuenta.`,
      lead_called_off_meeting: (who, when) => `${who} canceló la reunión${when}.`,
      lead_moved_meeting: (who, when) => `${who} cambió la hora de la reunión${when}.`,
      lead_wants_other_time: (who) =>
        `${who} pide otra hora para la reunión. Mientras tanto, sigue en pie la hora acordada.`,
      lead_sent_for_human_review: (who) => `${who} espera una decisión suya.`,
      lead_check_in: (who) => `¿En qué quedó la conversación con ${who}? Hace un tiempo que no hay novedades.`,
      lead_unreachable: (who) => `Ya no se puede contactar a ${who}: ningún canal funciona.`,
      lead_mail_unauthenticated: (who) =>
        `Llegó un correo en nombre de ${who} que, según el servidor que lo recibió, escribió otra persona. No se hizo nada con él.`,
      meeting_booked: (who, when) => `Reunión agendada con ${who}${when}.`,
      meeting_reminder: (who, when) => `Recordatorio: reunión con ${who}${when}.`,
      first_chatapp_message: (who) => `Llegó el primer mensaje a su línea de la aplicación, de ${who}.`,
      instructions_not_followed: (who) =>
        `No se pudo seguir una instrucción suya para ${who} y se retiró: los mensajes salieron sin ella.`
    },
    next: {
      lead_question: "Respóndala con answer_lead_question.",
      lead_objected: "Respóndala con answer_lead_question, o tome la conversación con take_over_lead.",
      lead_wants_document:
        "Responda con answer_lead_question y un enlace. Si lo registra con register_prospecting_file, la próxima vez se envía solo.",
      lead_sent_for_human_review: "Decida con return_lead_to_pipeline, take_over_lead o stop_lead.",
      meeting_booked: "Acéptela con confirm_lead_meeting.",
      lead_moved_meeting: "Acepte la nueva hora con confirm_lead_meeting.",
      lead_check_in: "Cuéntelo con register_lead_outcome, o detenga las preguntas con mute_lead_check_ins.",
      lead_unreachable: "Corrija el contacto, o ciérrelo con stop_lead.",
      lead_mail_unauthenticated: "Léalo con get_lead_conversation.",
      instructions_not_followed: "Escriba lo que debe leer el lead con send_message_to_lead."
    },
    why: {
      answer_in_another_language:
        "Su respuesta está en otro idioma que el del lead, y sin modelo de lenguaje nada se traduce: responda de nuevo en el idioma del lead, con answer_lead_question.",
      message_not_written: "El próximo mensaje no se pudo escribir bien.",
      cadence_ended:
        "El lead mostró interés, pero dejó de responder, y los mensajes llegaron a su fin. Llámelo, escríbale usted, o devuélvalo a la prospección para empezar de nuevo."
    },
    at: (name, company) => `${name} (${company})`,
    someone: "Un lead",
    said: (text) => `Mensaje: “${text}”`,
    instruction: (text) => `Instrucción: “${text}”`,
    mailed: {
      lead_became_interested: "Lea la conversación y decida: tómela usted o deje que la plataforma continúe.",
      lead_confirmed: "Lea lo que escribió. Si quiere hablar usted, tome la conversación en la página.",
      held_lead_replied: "Lea la respuesta y contéstela usted, o devuelva la conversación a la plataforma.",
      lead_called_off_meeting: "Lea la conversación. Si quiere proponer otra hora usted, tómela en la página.",
      lead_moved_meeting: "Lea la conversación y compruebe si la nueva hora le conviene.",
      lead_unreachable: "Vea el contacto. Si no hay otra vía, ciérrelo en la página."
    },
    openLead: "Abrir la conversación:",
    switchedOff: "Para no recibir más estos avisos, desactívelos en las preferencias de prospección."
  }
}

const longestSaid = 400

/** On one line, and without the quotes that end it: what a lead writes stays inside of them. */
const quotable = (text: string | null | undefined, length: number): string =>
  clip(
    tidyText(text ?? "")
      .replace(/[“”]/g, "'")
      .replace(/\s+/g, " ")
      .trim(),
    length
  ).trim()

const newsOf = (kind: OwnerNewsKind, facts: NewsFacts, language: Language): string => {
  const { at, news, someone } = phrases[language]
  const name = quotable(facts.leadName, 120)
  const company = quotable(facts.company, 120)
  const who = name === "" ? someone : company === "" || company === name ? name : at(name, company)
  return news[kind](who, facts.when === undefined ? "" : `: ${facts.when}`)
}

const saidIn = (kind: OwnerNewsKind, facts: NewsFacts, language: Language): ReadonlyArray<string> => {
  const said = quotable(facts.said, longestSaid)
  const { instruction, said: message } = phrases[language]
  return said === "" ? [] : [(kind === "instructions_not_followed" ? instruction : message)(said)]
}

/** The text of a notification. */
export const ownerNews = (kind: OwnerNewsKind, facts: NewsFacts, language: Language): string =>
  [
    newsOf(kind, facts, language),
    ...(facts.why === undefined ? [] : [phrases[language].why[facts.why]]),
    ...saidIn(kind, facts, language),
    facts.suggestions ?? phrases[language].next[kind] ?? []
  ]
    .flat()
    .join(" ")

/** The mail that says the same. `link` shows the lead and what can be done. */
export const ownerNotice = (
  kind: OwnerNoticeKind,
  link: string,
  facts: NewsFacts,
  language: Language
): { readonly subject: string; readonly text: string } => {
  const { mailed, openLead, switchedOff } = phrases[language]
  const { company, leadName } = facts
  const news = newsOf(kind, { ...facts, leadName: mailedName(leadName), company: mailedName(company ?? "") }, language)
  return {
    subject: clip(news.replace(/\.$/, ""), 150),
    text: [news, ...saidIn(kind, facts, language), mailed[kind], `${openLead}\n${link}`, switchedOff].join("\n\n")
  }
}

/**
 * Notices to the account's owner by e-mail, queued in the transaction of the caller: a message like any other of the account's,
 * but of no lead. It goes where the account wants its notices, and never to an address that a lead of the account has or
 * that may not be written to.
 */
export class OwnerMails extends Context.Tag("OwnerMails")<
  OwnerMails,
  {
    /** What is of no lead, in the account's own language. */
    readonly tell: (
      accountId: AccountId,
      notice: { readonly subject: string; readonly text: string }
    ) => Effect.Effect<void, Transient>
    readonly send: (
      accountId: AccountId,
      kind: OwnerNoticeKind,
      leadId: LeadId,
      facts: NewsFacts
    ) => Effect.Effect<void, Transient>
  }
>() {}
