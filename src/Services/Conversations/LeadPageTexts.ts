import type { PipelineState } from "../Leads/Ids.ts"
import type { Language } from "../Text/Language.ts"

/** What a person can do on a lead's page. */
export type LeadPageAction = "take_over" | "return_to_pipeline" | "stop"

/** The possible actions for a lead in each state, the most usual first. */
export const leadPageActions: { readonly [S in PipelineState]: ReadonlyArray<LeadPageAction> } = {
  not_started: ["take_over", "stop"],
  in_pipeline: ["take_over", "stop"],
  pending_review: ["take_over", "return_to_pipeline", "stop"],
  user_controlled: ["stop"],
  finished: []
}

interface Texts {
  readonly status: string
  readonly states: { readonly [S in PipelineState]: string }
  readonly us: string
  readonly channels: { readonly email: string; readonly chatapp: string; readonly voice: string }
  readonly noMessages: string
  readonly actions: { readonly [A in LeadPageAction]: string }
  readonly explanations: { readonly [A in LeadPageAction]: string }
  readonly done: { readonly [A in LeadPageAction]: string }
  readonly changed: string
  readonly noLongerValid: string
  readonly goneTitle: string
}

export const leadPageTexts: { readonly [L in Language]: Texts } = {
  "pt-BR": {
    status: "Situação",
    states: {
      not_started: "ainda não contatado",
      in_pipeline: "a plataforma conduz a conversa",
      pending_review: "espera uma decisão sua",
      user_controlled: "você conduz a conversa",
      finished: "encerrado"
    },
    us: "Nós",
    channels: { email: "e-mail", chatapp: "aplicativo de mensagens", voice: "ligação" },
    noMessages: "Ainda não há mensagens.",
    actions: {
      take_over: "Assumir a conversa",
      return_to_pipeline: "Deixar a plataforma continuar",
      stop: "Encerrar o contato"
    },
    explanations: {
      take_over: "A plataforma para de escrever. Você responde do seu próprio e-mail ou telefone.",
      return_to_pipeline: "A plataforma volta a escrever assim que puder.",
      stop: "Nada mais é enviado a esta pessoa."
    },
    done: {
      take_over: "Pronto: a conversa é sua, e a plataforma não escreve mais.",
      return_to_pipeline: "Pronto: a plataforma continua a conversa.",
      stop: "Pronto: nada mais é enviado a esta pessoa."
    },
    changed: "Isso não é mais possível: a situação mudou enquanto a página estava aberta. Abra-a de novo.",
    noLongerValid: "Este link não vale mais. Abra o do aviso mais recente.",
    goneTitle: "Link vencido"
  },
  en: {
    status: "Status",
    states: {
      not_started: "not contacted yet",
      in_pipeline: "the platform handles the conversation",
      pending_review: "waiting for your decision",
      user_controlled: "you handle the conversation",
      finished: "closed"
    },
    us: "Us",
    channels: { email: "e-mail", chatapp: "messaging app", voice: "call" },
    noMessages: "There are no messages yet.",
    actions: {
      take_over: "Take over the conversation",
      return_to_pipeline: "Let the platform continue",
      stop: "Close this contact"
    },
    explanations: {
      take_over: "The platform stops writing. You answer from your own e-mail or phone.",
      return_to_pipeline: "The platform writes again as soon as it can.",
      stop: "Nothing more is sent to this person."
    },
    done: {
      take_over: "Done: the conversation is yours, and the platform won't write any more.",
      return_to_pipeline: "Done: the platform continues the conversation.",
      stop: "Done: nothing more is sent to this person."
    },
    changed: "That's no longer possible: things changed while the page was open. Open it again.",
    noLongerValid: "This link is no longer valid. Open the one in the latest notice.",
    goneTitle: "Link expired"
  },
  es: {
    status: "Situación",
    states: {
      not_started: "aún no contactado",
      in_pipeline: "la plataforma lleva la conversación",
      pending_review: "espera una decisión suya",
      user_controlled: "usted lleva la conversación",
      finished: "cerrado"
    },
    us: "Nosotros",
    channels: { email: "correo", chatapp: "aplicación de mensajes", voice: "llamada" },
    noMessages: "Aún no hay mensajes.",
    actions: {
      take_over: "Tomar la conversación",
      return_to_pipeline: "Dejar que la plataforma continúe",
      stop: "Cerrar el contacto"
    },
    explanations: {
      take_over: "La plataforma deja de escribir. Usted responde desde su propio correo o teléfono.",
      return_to_pipeline: "La plataforma vuelve a escribir en cuanto pueda.",
      stop: "No se envía nada más a esta persona."
    },
    done: {
      take_over: "Listo: la conversación es suya y la plataforma ya no escribe.",
      return_to_pipeline: "Listo: la plataforma continúa la conversación.",
      stop: "Listo: no se envía nada más a esta persona."
    },
    changed: "Ya no es posible: la situación cambió mientras la página estaba abierta. Ábrala de nuevo.",
    noLongerValid: "Este enlace ya no vale. Abra el del aviso más reciente.",
    goneTitle: "Enlace vencido"
  }
}
