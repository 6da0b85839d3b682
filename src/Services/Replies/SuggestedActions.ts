import type { Language } from "../Text/Language.ts"
import { type LegalTerm, legalTermOf } from "../Text/LegalTerm.ts"
import type { ReviewReason } from "./ReplySituation.ts"

/** Why a person is asked, and what that person can do: two or three suggestions, in the account's language. */
type Texts = { readonly [R in ReviewReason]: string }

const texts: { readonly [L in Language]: Texts } = {
  "pt-BR": {
    reply_unclear:
      "Não ficou claro o que a mensagem quer dizer. Você pode responder, devolver o lead à prospecção ou encerrar o contato.",
    sender_unproven:
      "Não está provado que o próprio lead escreveu. Confirme com ele por outro canal, ou devolva o lead à prospecção.",
    human_review_criteria:
      "A mensagem atende a um critério seu. Você pode responder, devolver o lead à prospecção ou encerrar.",
    qualification: "O lead talvez não seja do perfil que você procura. Confira, e devolva-o à prospecção ou encerre.",
    answered_often: "O lead já recebeu muitas respostas hoje. Veja se é uma pessoa, e responda ou encerre.",
    opt_out_unclear:
      "Talvez o lead não queira mais mensagens. Se for isso, encerre o contato. Se não for, devolva-o à prospecção.",
    legal_request:
      "O lead faz um pedido sobre dados pessoais ou fala em medidas legais. Nada mais será enviado. Responda você mesmo e, se ele pedir, exclua os dados.",
    wants_person: "O lead quer falar com uma pessoa. Responda você mesmo, ou assuma a conversa.",
    wants_call: "O lead quer receber uma ligação. Ligue para ele, ou marque um horário.",
    existing_customer: "O lead já é cliente. Responda você mesmo e encerre a prospecção dele.",
    meeting_unclear:
      "Não ficou claro se a reunião marcada muda. O horário combinado continua valendo. Confirme com o lead, ou mude a reunião.",
    other_language:
      "O lead escreveu em um idioma que a plataforma não escreve. Responda você mesmo, ou devolva-o à prospecção.",
    objection_again:
      "O lead repete uma objeção que já foi respondida. Responda você mesmo, faça uma proposta ou encerre."
  },
  en: {
    reply_unclear:
      "It isn't clear what the message means. You can answer it, return the lead to prospecting, or end the contact.",
    sender_unproven:
      "It isn't proven that the lead itself wrote. Check with the lead on another channel, or return it to prospecting.",
    human_review_criteria:
      "The message meets one of your criteria. You can answer it, return the lead to prospecting, or end the contact.",
    qualification: "The lead may not be one that you want. Check, then return it to prospecting or end the contact.",
    answered_often: "The lead has had many answers today. See whether it's a person, then answer or end the contact.",
    opt_out_unclear:
      "The lead may not want any more messages. If so, end the contact. If not, return the lead to prospecting.",
    legal_request:
      "The lead makes a data-protection request or speaks of legal steps. Nothing more will be sent. Answer it yourself and, if asked to, delete the data.",
    wants_person: "The lead wants to talk to a person. Answer it yourself, or take the conversation over.",
    wants_call: "The lead wants a call. Call it, or agree on a time.",
    existing_customer: "The lead is already a customer. Answer it yourself and end prospecting it.",
    meeting_unclear:
      "It isn't clear whether the agreed meeting changes. The agreed time stays for now. Check with the lead, or move the meeting.",
    other_language:
      "The lead wrote in a language that the platform doesn't write. Answer it yourself, or return it to prospecting.",
    objection_again:
      "The lead repeats an objection that was answered before. Answer it yourself, make an offer, or end the contact."
  },
  es: {
    reply_unclear:
      "No está claro qué quiere decir el mensaje. Puede responderlo, devolver el lead a la prospección o terminar el contacto.",
    sender_unproven:
      "No está probado que haya escrito el propio lead. Confírmelo por otro canal, o devuélvalo a la prospección.",
    human_review_criteria:
      "El mensaje cumple uno de sus criterios. Puede responderlo, devolver el lead a la prospección o terminar el contacto.",
    qualification:
      "Es posible que el lead no sea del perfil que busca. Revíselo, y devuélvalo a la prospección o termine.",
    answered_often: "El lead ya recibió muchas respuestas hoy. Vea si es una persona, y responda o termine.",
    opt_out_unclear:
      "Es posible que el lead no quiera más mensajes. Si es así, termine el contacto. Si no, devuélvalo a la prospección.",
    legal_request:
      "El lead hace una solicitud sobre datos personales o habla de medidas legales. No se enviará nada más. Respóndale usted y, si lo pide, elimine los datos.",
    wants_person: "El lead quiere hablar con una persona. Respóndale usted, o tome la conversación.",
    wants_call: "El lead quiere que lo llamen. Llámelo, o acuerde una hora.",
    existing_customer: "El lead ya es cliente. Respóndale usted y termine su prospección.",
    meeting_unclear:
      "No está claro si cambia la reunión acordada. Por ahora sigue en pie la hora acordada. Confirme con el lead, o cambie la reunión.",
    other_language:
      "El lead escribió en un idioma en el que la plataforma no escribe. Respóndale usted, o devuélvalo a la prospección.",
    objection_again:
      "El lead repite una objeción que ya se respondió. Respóndale usted, haga una oferta o termine el contacto."
  }
}

const termTexts: { readonly [L in Language]: (law: string, days: number) => string } = {
  "pt-BR": (law, days) => `Prazo para responder (${law}): ${days} dias.`,
  en: (law, days) => `Time to answer (${law}): ${days} days.`,
  es: (law, days) => `Plazo para responder (${law}): ${days} días.`
}

/** The GDPR gives a month, which is shorter than 30 days from the end of January. */
const monthTexts: { readonly [L in Language]: (law: string) => string } = {
  "pt-BR": (law) => `Prazo para responder (${law}): um mês.`,
  en: (law) => `Time to answer (${law}): one month.`,
  es: (law) => `Plazo para responder (${law}): un mes.`
}

const termText = ({ days, law }: LegalTerm, language: Language): ReadonlyArray<string> => {
  if (law === null || days === null) return []
  return [law === "GDPR" || law === "UK GDPR" ? monthTexts[language](law) : termTexts[language](law, days)]
}

/** What the owner can do about a reply that a person has to look at. `country` is the lead's, for the term of its law. */
export const suggestedActions = (reason: ReviewReason, country: string | null, language: Language): string =>
  [texts[language][reason], ...(reason === "legal_request" ? termText(legalTermOf(country), language) : [])].join(" ")
