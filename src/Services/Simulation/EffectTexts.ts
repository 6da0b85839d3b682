import type { SkipReason } from "../Outreach/TouchPlan.ts"
import type { ReviewReason } from "../Replies/ReplySituation.ts"
import type { Language } from "../Text/Language.ts"
import type { WritingReviewReason } from "../Writing/Writer.ts"

/** Why a lead would go to a person, or a touch would be skipped. */
type ExplainedReason = ReviewReason | WritingReviewReason | SkipReason | "language_model" | "would_call"

interface EffectTexts {
  readonly why: { readonly [T in ExplainedReason]: string }
  readonly decided: { readonly rules: string; readonly model: string }
}

const texts: { readonly [L in Language]: EffectTexts } = {
  "pt-BR": {
    why: {
      reply_unclear: "Não está claro o que a resposta quer dizer",
      sender_unproven: "Não está provado que foi o próprio lead quem escreveu",
      human_review_criteria: "Atende a um critério de revisão humana",
      qualification: "Não se encaixa nas instruções de qualificação",
      answered_often: "O lead já foi respondido vezes demais em um dia",
      opt_out_unclear: "Talvez o lead não queira mais receber mensagens",
      legal_request: "O lead faz um pedido sobre dados pessoais ou ameaça com medidas legais",
      wants_person: "O lead quer falar com uma pessoa",
      wants_call: "O lead quer receber uma ligação",
      existing_customer: "O lead já é cliente",
      meeting_unclear: "Não está claro se a reunião marcada muda",
      other_language: "A resposta está em um idioma em que a plataforma não escreve",
      objection_again: "O lead repete uma objeção que já foi respondida",
      failed_checks: "A mensagem escrita não passou nas verificações",
      model_refused: "O modelo de linguagem se recusou a escrever",
      model_output_unusable: "O modelo de linguagem não deu uma mensagem utilizável",
      answer_in_another_language: "A resposta do dono está em outro idioma que não o do lead",
      language_model: "O modelo de linguagem não respondeu",
      identity_missing: "Faltam os nomes da empresa e de quem escreve",
      outside_send_window: "Fora da janela de envio",
      public_holiday: "É feriado",
      no_open_channel: "Nenhum canal está aberto para este lead",
      passive_mode: "No modo passivo ninguém é contatado primeiro",
      cadence_ended: "A cadência terminou",
      review_decided: "O lead não espera mais por uma pessoa",
      would_call: "O próximo contato seria uma ligação"
    },
    decided: { rules: "Pelas regras", model: "Pelo modelo" }
  },
  en: {
    why: {
      reply_unclear: "It is not clear what the reply means",
      sender_unproven: "It is not proven that the lead itself wrote",
      human_review_criteria: "It meets a criterion for a human review",
      qualification: "It does not fit the qualification instructions",
      answered_often: "The lead was answered too often within a day",
      opt_out_unclear: "The lead may not want any more messages",
      legal_request: "The lead makes a data-protection request or threatens legal steps",
      wants_person: "The lead wants to talk to a person",
      wants_call: "The lead wants to be called",
      existing_customer: "The lead is already a customer",
      meeting_unclear: "It is not clear whether the agreed meeting changes",
      other_language: "The reply is in a language that the platform does not write",
      objection_again: "The lead repeats an objection that was answered before",
      failed_checks: "The written message did not pass the checks",
      model_refused: "The language model refused to write",
      model_output_unusable: "The language model gave no usable message",
      answer_in_another_language: "The owner's answer is in another language than the lead's",
      language_model: "The language model did not answer",
      identity_missing: "The names of the business and of the sender are missing",
      outside_send_window: "Outside the send window",
      public_holiday: "It is a public holiday",
      no_open_channel: "No channel is open for this lead",
      passive_mode: "In passive mode nobody is contacted first",
      cadence_ended: "The cadence has ended",
      review_decided: "The lead no longer waits for a person",
      would_call: "The next touch would be a call"
    },
    decided: { rules: "By the rules", model: "By the model" }
  },
  es: {
    why: {
      reply_unclear: "No está claro qué quiere decir la respuesta",
      sender_unproven: "No está probado que haya escrito el propio lead",
      human_review_criteria: "Cumple un criterio de revisión humana",
      qualification: "No encaja en las instrucciones de calificación",
      answered_often: "Ya se le respondió al lead demasiadas veces en un día",
      opt_out_unclear: "Es posible que el lead no quiera más mensajes",
      legal_request: "El lead hace una solicitud sobre datos personales o amenaza con medidas legales",
      wants_person: "El lead quiere hablar con una persona",
      wants_call: "El lead quiere que lo llamen",
      existing_customer: "El lead ya es cliente",
      meeting_unclear: "No está claro si cambia la reunión acordada",
      other_language: "La respuesta está en un idioma en el que la plataforma no escribe",
      objection_again: "El lead repite una objeción que ya se respondió",
      failed_checks: "El mensaje escrito no pasó las verificaciones",
      model_refused: "El modelo de lenguaje se negó a escribir",
      model_output_unusable: "El modelo de lenguaje no dio un mensaje utilizable",
      answer_in_another_language: "La respuesta del dueño está en otro idioma que el del lead",
      language_model: "El modelo de lenguaje no respondió",
      identity_missing: "Faltan los nombres de la empresa y de quien escribe",
      outside_send_window: "Fuera de la ventana de envío",
      public_holiday: "Es feriado",
      no_open_channel: "Ningún canal está abierto para este lead",
      passive_mode: "En modo pasivo no se contacta primero a nadie",
      cadence_ended: "La cadencia terminó",
      review_decided: "El lead ya no espera a una persona",
      would_call: "El próximo contacto sería una llamada"
    },
    decided: { rules: "Por las reglas", model: "Por el modelo" }
  }
}

/** Texts of effects in the account's language. Names of statuses and events are those of the tools. */
export const effectTexts = (language: Language): EffectTexts => texts[language]
