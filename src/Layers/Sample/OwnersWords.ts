/** What the sample account's owner says to the leads, and of them. */

/** Answers to what leads ask, by what their question is about; the last one fits any. */
export const ownersAnswers: ReadonlyArray<{
  readonly about: RegExp
  readonly text: string
  readonly isReusable: boolean
}> = [
  {
    about: /cust|valor|preç|cost|price|plano/i,
    text: "O plano começa em R$ 249 por mês para até três agendas, sem taxa de adesão.",
    isReusable: true
  },
  { about: /fidelidade|contrat|contract/i, text: "Não há fidelidade: o plano é mensal.", isReusable: true },
  { about: /nota fiscal/i, text: "Sim, a nota fiscal é emitida todo mês.", isReusable: true },
  {
    about: /whats|integra/i,
    text: "A integração é feita por nós em um dia, com o número que vocês já usam.",
    isReusable: true
  },
  {
    about: /implanta|tempo|implement/i,
    text: "A implantação leva de cinco a dez dias úteis, com treinamento da recepção.",
    isReusable: true
  },
  { about: /trial|teste|pequen|small/i, text: "Sim, e há um teste de duas semanas sem custo.", isReusable: true },
  {
    about: /suporte|soporte|support/i,
    text: "O suporte atende de segunda a sábado, por mensagem e telefone.",
    isReusable: false
  },
  { about: /(?:)/, text: "Sim. Posso mostrar na prática em uma conversa rápida.", isReusable: false }
]

export const manualMessage = (name: string): { readonly subject: string; readonly body: string } => ({
  subject: "Proposta da Ondas Software",
  body: `Olá, ${name.split(" ")[0] ?? name},\n\nAqui é a Helena, da Ondas. Preferi escrever pessoalmente: preparei uma proposta para a rotina de vocês e gostaria de apresentá-la. Qual dia fica bom?\n\nHelena`
})

export const chatMessage = "Oi! Aqui é a Helena, da Ondas. Vi a sua mensagem e vou cuidar do seu atendimento."

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
