import type { Language } from "../../../Services/Text/Language.ts"
import { html, lines } from "../../../Services/Text/Web/Html.ts"
import { buttonForm, personPage } from "../../Platform/Http/PersonPage.ts"

interface Words {
  readonly title: string
  readonly from: (sender: string) => string
  readonly ask: string
  readonly button: string
  readonly doneTitle: string
  readonly done: (sender: string) => string
  readonly unreadTitle: string
  /** Explains what happened and how else to unsubscribe. */
  readonly unread: readonly [what: string, instead: string]
}

const words: { readonly [L in Language]: Words } = {
  "pt-BR": {
    title: "Cancelar recebimento",
    from: (sender) => `Mensagens de ${sender}`,
    ask: "Não quer mais receber estas mensagens? Confirme abaixo, e ninguém volta a escrever para você em nome deste remetente.",
    button: "Cancelar recebimento",
    doneTitle: "Pronto",
    done: (sender) => `Você não receberá mais mensagens de ${sender}.`,
    unreadTitle: "Não conseguimos ler este link",
    unread: [
      "Nada mudou: o link chegou incompleto, ou foi alterado no caminho. Abra-o de novo, direto na mensagem que você recebeu.",
      "Se não funcionar, responda àquela mensagem escrevendo “remover”. O pedido vale da mesma forma, para todas as mensagens de quem escreveu."
    ]
  },
  en: {
    title: "Unsubscribe",
    from: (sender) => `Messages from ${sender}`,
    ask: "Would you rather not get these messages? Confirm below, and nobody will write to you for this sender again.",
    button: "Unsubscribe",
    doneTitle: "Done",
    done: (sender) => `You will get no more messages from ${sender}.`,
    unreadTitle: "We could not read this link",
    unread: [
      "Nothing has changed: the link arrived incomplete, or was altered on the way. Open it again, straight from the message you got.",
      "If that does not work, answer that message with the word “unsubscribe”. It counts just the same, for all messages from whoever wrote."
    ]
  },
  es: {
    title: "Darse de baja",
    from: (sender) => `Mensajes de ${sender}`,
    ask: "¿No desea recibir más estos mensajes? Confírmelo aquí, y nadie volverá a escribirle en nombre de este remitente.",
    button: "Darme de baja",
    doneTitle: "Listo",
    done: (sender) => `No recibirá más mensajes de ${sender}.`,
    unreadTitle: "No pudimos leer este enlace",
    unread: [
      "No cambió nada: el enlace llegó incompleto o se alteró en el camino. Ábralo de nuevo, directamente desde el mensaje que recibió.",
      "Si no funciona, responda a ese mensaje con la palabra “baja”. El pedido vale igual, para todos los mensajes de quien le escribió."
    ]
  }
}

export const askingPage = (language: Language, sender: string) => {
  const { ask, button, from, title } = words[language]
  const content = html`<p class="from">${from(sender)}</p>\n${buttonForm(ask, button)}`
  return personPage({ status: 200, language, title, content })
}

export const donePage = (language: Language, sender: string) => {
  const { done, doneTitle } = words[language]
  return personPage({
    status: 200,
    language,
    title: doneTitle,
    tone: "done",
    content: html`<p>${done(sender)}</p>`
  })
}

/** The page for a broken link. It does not claim success, and explains another way to unsubscribe. */
export const unreadPage = (language: Language) => {
  const { unread, unreadTitle } = words[language]
  return personPage({
    status: 404,
    language,
    title: unreadTitle,
    tone: "trouble",
    content: lines(...unread.map((text) => html`<p>${text}</p>`))
  })
}
