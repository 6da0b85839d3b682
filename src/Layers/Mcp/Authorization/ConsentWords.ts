import type { Confirmation } from "../../../Services/Accounts/Tokens/TokenBounds.ts"
import type { Language } from "../../../Services/Text/Language.ts"

interface Words {
  readonly heading: (client: string) => string
  readonly ask: (client: string) => string
  /** Says which host has verified the program. */
  readonly vouched: (host: string) => string
  readonly unvouched: string
  readonly goesTo: (host: string) => string
  readonly may: string
  readonly read: string
  readonly write: string
  readonly destructive: string
  readonly groups: string
  readonly confirmation: string
  readonly confirmations: { readonly [C in Confirmation]: string }
  readonly token: string
  readonly tokenNote: string
  readonly allow: string
  readonly decline: string
  readonly nothingTicked: string
  readonly wrongToken: string
  readonly unknownClient: string
  readonly unreachableClient: string
  readonly wrongAddress: string
  /** The program requested something that is not available. */
  readonly badRequest: string
  /** The link back to the program, which receives the reason. */
  readonly leave: (place: string) => string
  readonly trouble: string
}

/** The texts of the consent page. */
export const consentWords: { readonly [L in Language]: Words } = {
  "pt-BR": {
    heading: (client) => `Permitir ${client}?`,
    ask: (client) => `${client} quer usar a sua conta de prospecção em seu nome.`,
    vouched: (host) => `Quem responde por este programa é ${host}. O nome foi ele mesmo que se deu.`,
    unvouched: "Este programa deu o nome a si mesmo: ninguém o conferiu.",
    goesTo: (host) => `Depois do sim, o seu navegador volta para ${host}.`,
    may: "O que ele poderá fazer",
    read: "ler: leads, conversas, relatórios e configurações",
    write: "mudar: cadastrar, escrever a leads, alterar configurações",
    destructive: "tirar: encerrar, cancelar, apagar",
    groups: "Somente nestas áreas",
    confirmation: "Antes de tirar alguma coisa",
    confirmations: {
      when_possible: "perguntar, se o programa souber perguntar",
      always: "perguntar sempre; se não souber, recusar",
      never: "não perguntar"
    },
    token: "Seu token de acesso",
    tokenNote: "Ele não é entregue ao programa, que recebe um token próprio. Você pode revogá-lo a qualquer momento.",
    allow: "Permitir",
    decline: "Recusar",
    nothingTicked: "Deixe marcado pelo menos um item de cada lista, ou recuse.",
    wrongToken: "Este token não vale. Cole o token inteiro da conta.",
    unknownClient: "Este programa não é conhecido aqui. Comece de novo a partir dele.",
    unreachableClient:
      "Não foi possível ler quem é este programa no endereço que ele deu. Tente de novo em alguns minutos.",
    badRequest: "O programa fez um pedido que não pode ser atendido. Nada foi permitido.",
    leave: (place) => `Voltar para ${place}`,
    wrongAddress: "O programa pediu para voltar a um endereço que não é dele. Nada foi permitido.",
    trouble: "Não foi possível continuar"
  },
  en: {
    heading: (client) => `Allow ${client}?`,
    ask: (client) => `${client} wants to use your prospecting account on your behalf.`,
    vouched: (host) => `${host} answers for this program. The name is the one it gave itself.`,
    unvouched: "This program named itself: nobody checked it.",
    goesTo: (host) => `After your yes, your browser goes back to ${host}.`,
    may: "What it may do",
    read: "read: leads, conversations, reports and settings",
    write: "change: register, write to leads, alter settings",
    destructive: "take away: stop, cancel, delete",
    groups: "In these areas only",
    confirmation: "Before anything is taken away",
    confirmations: {
      when_possible: "ask me, if the program can ask",
      always: "always ask me; refuse if it cannot",
      never: "do not ask"
    },
    token: "Your access token",
    tokenNote: "It is not given to the program, which gets a token of its own. You can revoke that one at any time.",
    allow: "Allow",
    decline: "Decline",
    nothingTicked: "Leave at least one item of each list ticked, or decline.",
    wrongToken: "This token does not hold. Paste the whole token of the account.",
    unknownClient: "This program is not known here. Begin again from the program.",
    unreachableClient: "Who this program is could not be read at the address it gave. Try again in a few minutes.",
    badRequest: "The program asked for something in a way that can't be answered. Nothing was allowed.",
    leave: (place) => `Go back to ${place}`,
    wrongAddress: "The program asked to go back to an address that is not its own. Nothing was allowed.",
    trouble: "This cannot go on"
  },
  es: {
    heading: (client) => `¿Permitir ${client}?`,
    ask: (client) => `${client} quiere usar su cuenta de prospección en su nombre.`,
    vouched: (host) => `${host} responde por este programa. El nombre se lo puso él mismo.`,
    unvouched: "Este programa se puso el nombre a sí mismo: nadie lo comprobó.",
    goesTo: (host) => `Tras su sí, el navegador vuelve a ${host}.`,
    may: "Lo que podrá hacer",
    read: "leer: leads, conversaciones, informes y ajustes",
    write: "cambiar: registrar, escribir a leads, modificar ajustes",
    destructive: "quitar: terminar, cancelar, borrar",
    groups: "Solo en estas áreas",
    confirmation: "Antes de quitar algo",
    confirmations: {
      when_possible: "preguntarme, si el programa sabe preguntar",
      always: "preguntarme siempre; si no sabe, rechazar",
      never: "no preguntar"
    },
    token: "Su token de acceso",
    tokenNote: "No se entrega al programa, que recibe un token propio. Puede revocarlo en cualquier momento.",
    allow: "Permitir",
    decline: "Rechazar",
    nothingTicked: "Deje marcado al menos un elemento de cada lista, o rechace.",
    wrongToken: "Este token no vale. Pegue el token entero de la cuenta.",
    unknownClient: "Este programa no se conoce aquí. Empiece de nuevo desde él.",
    unreachableClient:
      "No se pudo leer quién es este programa en la dirección que dio. Inténtelo de nuevo en unos minutos.",
    badRequest: "El programa hizo una petición que no se puede atender. No se permitió nada.",
    leave: (place) => `Volver a ${place}`,
    wrongAddress: "El programa pidió volver a una dirección que no es suya. No se permitió nada.",
    trouble: "No se puede continuar"
  }
}
