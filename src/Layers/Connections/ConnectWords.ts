import type { Language } from "../../Services/Text/Language.ts"

interface Words {
  /** The page's heading, with the service's name. */
  readonly heading: (service: string) => string
  readonly ask: (service: string, account: string) => string
  readonly goOn: string
  readonly unknownLink: string
  readonly connected: (holder: string) => string
  readonly otherAccount: (holder: string, before: string | undefined) => string
  readonly declined: string
  readonly withheld: string
  readonly spent: string
  readonly wrongBrowser: string
  readonly failed: string
  readonly close: string
}

/** The texts of the pages on which an owner connects a service. */
export const connectWords: { readonly [L in Language]: Words } = {
  "pt-BR": {
    heading: (service) => `Conectar ${service}`,
    ask: (service, account) =>
      `Você vai permitir que a conta ${account} use ${service} em seu nome. O acesso pode ser retirado a qualquer momento.`,
    goOn: "Continuar",
    unknownLink: "Este link não vale mais ou foi copiado incompleto. Peça um novo na conversa.",
    connected: (holder) => `Pronto: ${holder} está conectado.`,
    otherAccount: (holder, before) =>
      before === undefined
        ? `Pronto: ${holder} está conectado, no lugar da conta de antes.`
        : `Pronto: ${holder} está conectado, no lugar de ${before}.`,
    declined: "Você não deu o acesso, e nada mudou. Abra o link de novo se quiser conectar.",
    withheld:
      "Faltou uma permissão, e por isso nada foi conectado. Abra o link de novo e deixe marcadas todas as permissões, entre elas:",
    spent: "Este pedido já foi usado ou passou de dez minutos. Abra de novo o link que você recebeu.",
    wrongBrowser: "Este pedido começou em outro navegador. Abra neste navegador o link que você recebeu.",
    failed: "O serviço não confirmou o acesso, e nada mudou. Tente de novo em alguns minutos.",
    close: "Você já pode fechar esta página."
  },
  en: {
    heading: (service) => `Connect ${service}`,
    ask: (service, account) =>
      `You are about to let the account ${account} use ${service} on your behalf. You can take the access back at any time.`,
    goOn: "Continue",
    unknownLink: "This link no longer holds, or was copied incompletely. Ask for a new one in the conversation.",
    connected: (holder) => `Done: ${holder} is connected.`,
    otherAccount: (holder, before) =>
      before === undefined
        ? `Done: ${holder} is connected, in the place of the account from before.`
        : `Done: ${holder} is connected, in the place of ${before}.`,
    declined: "You did not give access, and nothing changed. Open the link again if you want to connect.",
    withheld:
      "A permission was missing, so nothing was connected. Open the link again and leave all permissions ticked, among them:",
    spent: "This request was used already, or is older than ten minutes. Open the link that you were given again.",
    wrongBrowser: "This request began in another browser. Open the link that you were given in this one.",
    failed: "The service did not confirm the access, and nothing changed. Try again in a few minutes.",
    close: "You can close this page."
  },
  es: {
    heading: (service) => `Conectar ${service}`,
    ask: (service, account) =>
      `Vas a permitir que la cuenta ${account} use ${service} en tu nombre. Puedes retirar el acceso en cualquier momento.`,
    goOn: "Continuar",
    unknownLink: "Este enlace ya no vale o se copió incompleto. Pide uno nuevo en la conversación.",
    connected: (holder) => `Listo: ${holder} está conectado.`,
    otherAccount: (holder, before) =>
      before === undefined
        ? `Listo: ${holder} está conectado, en lugar de la cuenta anterior.`
        : `Listo: ${holder} está conectado, en lugar de ${before}.`,
    declined: "No diste el acceso, y nada cambió. Abre el enlace de nuevo si quieres conectar.",
    withheld:
      "Faltó un permiso, y por eso no se conectó nada. Abre el enlace de nuevo y deja marcados todos los permisos, entre ellos:",
    spent: "Esta solicitud ya se usó o tiene más de diez minutos. Abre de nuevo el enlace que recibiste.",
    wrongBrowser: "Esta solicitud empezó en otro navegador. Abre en este el enlace que recibiste.",
    failed: "El servicio no confirmó el acceso, y nada cambió. Inténtalo de nuevo en unos minutos.",
    close: "Ya puedes cerrar esta página."
  }
}
