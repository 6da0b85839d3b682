import type { Language } from "../../../Services/Text/Language.ts"
import { greetingName } from "../../../Services/Text/PersonName.ts"

/** An answer of the sample account's owner to a lead's question, in each language. */

interface OwnersAnswer {
  /** Matches the questions that the answer fits. The last answer fits any question. */
  readonly about: RegExp
  readonly text: string
  readonly isReusable: boolean
}

export const ownersAnswers: { readonly [L in Language]: ReadonlyArray<OwnersAnswer> } = {
  "pt-BR": [
    {
      about: /detalhes|informa|saber mais|conta mais|conhecer/i,
      text: "Os pacientes marcam pela internet, recebem lembretes por mensagem e confirmam com um toque; a recepção vê tudo em uma agenda só.",
      isReusable: false
    },
    {
      about: /cust|valor|preç|plano/i,
      text: "O plano Essencial custa R$ 199 por mês, com até três usuários e sem taxa de adesão.",
      isReusable: true
    },
    { about: /fidelidade|contrat/i, text: "Não há fidelidade: o plano é mensal.", isReusable: true },
    { about: /nota fiscal/i, text: "Sim, a nota fiscal é emitida todo mês.", isReusable: true },
    {
      about: /whats|integra/i,
      text: "A integração é feita por nós em um dia, com o número que vocês já usam.",
      isReusable: true
    },
    {
      about: /implanta|tempo/i,
      text: "A implantação leva cinco dias úteis, com treinamento da recepção.",
      isReusable: true
    },
    {
      about: /pequen/i,
      text: "Sim, funciona bem para equipes pequenas: metade dos nossos clientes tem menos de dez pessoas.",
      isReusable: true
    },
    { about: /teste/i, text: "Sim, e há um teste de duas semanas sem custo.", isReusable: true },
    {
      about: /suporte/i,
      text: "O suporte atende de segunda a sábado, por mensagem e telefone.",
      isReusable: false
    },
    {
      about: /(?:)/,
      text: "Isso depende do caso de vocês: mostro na prática em uma conversa rápida.",
      isReusable: false
    }
  ],
  en: [
    {
      about: /details|information|more/i,
      text: "Patients book online, get reminders by message and confirm with one tap; your front desk sees it all in one calendar.",
      isReusable: false
    },
    {
      about: /cost|price|plan/i,
      text: "The Essential plan is £39 a month for up to three users, and there is no joining fee.",
      isReusable: true
    },
    { about: /contract/i, text: "There is no minimum contract: you pay month by month.", isReusable: true },
    { about: /trial/i, text: "Yes, there is a free trial of two weeks.", isReusable: true },
    { about: /small/i, text: "Yes, it works well for small teams.", isReusable: true },
    { about: /(?:)/, text: "That depends on how you work: I can show you in a short call.", isReusable: false }
  ],
  es: [
    {
      about: /detalles|informaci|saber m|cuént|conocer/i,
      text: "Los pacientes agendan en línea, reciben recordatorios por mensaje y confirman con un toque; la recepción lo ve todo en una sola agenda.",
      isReusable: false
    },
    {
      about: /cuesta|precio|plan/i,
      text: "El plan Esencial cuesta MXN 790 al mes, con hasta tres usuarios y sin costo de alta.",
      isReusable: true
    },
    {
      about: /soporte/i,
      text: "El soporte atiende de lunes a sábado, por mensaje y por teléfono.",
      isReusable: true
    },
    { about: /(?:)/, text: "Eso depende de su caso: se lo muestro en una conversación breve.", isReusable: false }
  ]
}

export const manualMessage = (
  name: string,
  language: Language
): { readonly subject: string; readonly body: string } => {
  const first = greetingName(name) ?? name
  switch (language) {
    case "pt-BR":
      return {
        subject: "Proposta da Ondas",
        body: `Olá, ${first},\n\nAqui é a Helena, da Ondas. Preferi escrever pessoalmente: preparei uma proposta para a rotina de vocês e gostaria de apresentá-la. Qual dia fica bom?\n\nHelena`
      }
    case "en":
      return {
        subject: "A proposal from Ondas",
        body: `Hi ${first},\n\nThis is Helena from Ondas. I wanted to write to you myself: I have put together a proposal for how you work and would like to show it to you. Which day would suit you?\n\nHelena`
      }
    case "es":
      return {
        subject: "Propuesta de Ondas",
        body: `Hola, ${first}:\n\nSoy Helena, de Ondas. Quise escribirle personalmente: preparé una propuesta para su clínica y me gustaría presentársela. ¿Qué día le queda bien?\n\nHelena`
      }
  }
}

export const chatMessages: { readonly [L in Language]: string } = {
  "pt-BR": "Oi! Aqui é a Helena, da Ondas. Vi a sua mensagem e vou cuidar do seu atendimento.",
  en: "Hi! This is Helena from Ondas. I saw your message and will look after it myself.",
  es: "¡Hola! Soy Helena, de Ondas. Vi su mensaje y voy a atenderle yo misma."
}

export const reviewInstructions = [
  "Agradecer o retorno e perguntar se podemos voltar a falar na próxima semana.",
  "Oferecer o teste de duas semanas, sem insistir.",
  "Perguntar quem decide sobre a agenda da equipe."
] as const

export const cancelReasons = ["Imprevisto na agenda", "Viagem de última hora", "Conflito com outra reunião"] as const

export const attendedNotes = [
  "Gostaram dos lembretes automáticos; querem falar com a sócia.",
  "Usam planilha hoje. Pediram proposta para três agendas.",
  "Interesse alto, decisão no fim do mês.",
  "Comparando com outro fornecedor."
] as const

export const lossReasons = [
  "Preço",
  "Ficaram com o fornecedor atual",
  "Sem orçamento neste ano",
  "Não responderam mais depois da proposta"
] as const

export const pauseReasons = ["Em férias coletivas", "Pediu para aguardar a mudança de endereço"] as const
