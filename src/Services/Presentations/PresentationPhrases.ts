import type { Language } from "../Text/Language.ts"

export interface TitledText {
  readonly title: string
  readonly text: string
  /** The link of the title. */
  readonly link?: string
}

/** The fixed texts of presentations. They make no claim about the business. */
export interface PresentationPhrases {
  readonly coverLabel: string
  readonly preparedFor: string
  readonly whatWeDo: string
  readonly whatWeAsk: string
  readonly beforeAnything: string
  readonly toLearn: ReadonlyArray<TitledText>
  readonly questions: string
  readonly questionsIntroduction: string
  readonly prices: string
  readonly pricesIntroduction: string
  readonly files: string
  readonly filesIntroduction: string
  readonly nextSteps: string
  readonly steps: (business: string) => ReadonlyArray<TitledText>
  readonly contact: string
}

const ptBr: PresentationPhrases = {
  coverLabel: "Apresentação",
  preparedFor: "Preparada para",
  whatWeDo: "O que fazemos",
  whatWeAsk: "O que gostaríamos de entender",
  beforeAnything: "Antes de sugerir qualquer coisa, queremos conhecer a rotina de vocês.",
  toLearn: [
    { title: "Prioridades", text: "O que mais importa para vocês neste momento, e por quê." },
    {
      title: "Como é hoje",
      text: "Como o assunto é resolvido atualmente, o que funciona bem e o que poderia melhorar."
    },
    { title: "Próximos meses", text: "Quais prazos e planos uma eventual solução precisaria acompanhar." }
  ],
  questions: "Perguntas frequentes",
  questionsIntroduction: "O que outras pessoas já nos perguntaram:",
  prices: "Preços",
  pricesIntroduction: "Os valores de hoje, como constam na nossa tabela:",
  files: "Para saber mais",
  filesIntroduction: "Materiais que você pode abrir agora:",
  nextSteps: "Próximos passos",
  steps: (business) => [
    { title: "Uma conversa", text: "Vocês contam o contexto e tiram as primeiras dúvidas." },
    {
      title: "O que se aplica",
      text: `A equipe ${business} mostra o que faz sentido para o seu caso, e o que não faz.`
    },
    { title: "A decisão é de vocês", text: "Com as informações na mão, vocês decidem se e como continuar." }
  ],
  contact: "Fale conosco"
}

const en: PresentationPhrases = {
  coverLabel: "Presentation",
  preparedFor: "Prepared for",
  whatWeDo: "What we do",
  whatWeAsk: "What we would like to understand",
  beforeAnything: "Before suggesting anything, we would like to know how you work.",
  toLearn: [
    { title: "Priorities", text: "What matters most to you right now, and why." },
    {
      title: "How it works today",
      text: "How the matter is handled at present, what works well and what could be better."
    },
    { title: "The months ahead", text: "Which dates and plans a solution would have to keep up with." }
  ],
  questions: "Common questions",
  questionsIntroduction: "What others have asked us:",
  prices: "Prices",
  pricesIntroduction: "Today's prices, as they are in our price list:",
  files: "Read more",
  filesIntroduction: "Material that you can open now:",
  nextSteps: "Next steps",
  steps: (business) => [
    { title: "A conversation", text: "You tell us about your situation and ask your first questions." },
    { title: "What applies", text: `The ${business} team shows what makes sense in your case, and what does not.` },
    { title: "You decide", text: "With the information at hand, you decide whether and how to go on." }
  ],
  contact: "Get in touch"
}

const es: PresentationPhrases = {
  coverLabel: "Presentación",
  preparedFor: "Preparada para",
  whatWeDo: "Qué hacemos",
  whatWeAsk: "Lo que quisiéramos entender",
  beforeAnything: "Antes de sugerir algo, queremos conocer su forma de trabajar.",
  toLearn: [
    { title: "Prioridades", text: "Qué es lo más importante para ustedes en este momento, y por qué." },
    { title: "Cómo es hoy", text: "Cómo se resuelve el tema actualmente, qué funciona bien y qué podría mejorar." },
    { title: "Próximos meses", text: "Qué plazos y planes tendría que acompañar una eventual solución." }
  ],
  questions: "Preguntas frecuentes",
  questionsIntroduction: "Lo que otras personas ya nos preguntaron:",
  prices: "Precios",
  pricesIntroduction: "Los precios de hoy, tal como figuran en nuestra lista:",
  files: "Para saber más",
  filesIntroduction: "Material que puede abrir ahora:",
  nextSteps: "Próximos pasos",
  steps: (business) => [
    { title: "Una conversación", text: "Ustedes cuentan su contexto y resuelven las primeras dudas." },
    { title: "Lo que aplica", text: `El equipo de ${business} muestra qué tiene sentido en su caso, y qué no.` },
    { title: "Ustedes deciden", text: "Con la información a mano, ustedes deciden si continuar y cómo." }
  ],
  contact: "Contáctenos"
}

export const presentationPhrases: { readonly [L in Language]: PresentationPhrases } = { "pt-BR": ptBr, en, es }
