import type { Language } from "../../../Services/Text/Language.ts"
import type { AnswerKind } from "./ProspectCharacter.ts"

export type Phrases = readonly [string, ...ReadonlyArray<string>]

/** The sentences of simulated people. Placeholders with `%` are listed at each field. */
export interface PhraseBook {
  readonly sentences: { readonly [K in Exclude<AnswerKind, "meeting" | "referral">]: Phrases }
  /** `%d` the day, `%h` the hour. */
  readonly meeting: Phrases
  /** `%n` the name, `%e` the address. */
  readonly referral: Phrases
  /** `%d` the day of return. */
  readonly away: Phrases
  readonly awaySubject: string
  readonly greetings: Phrases
  readonly closings: Phrases
  /** The line above quoted text. `%w` is the time, `%f` the sender. */
  readonly quoteHead: string
  /** `day` and `month` are numbers. */
  readonly date: (day: number, month: number) => string
  readonly time: (hour: number) => string
}

const months = {
  en: "January February March April May June July August September October November December",
  es: "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"
}
const monthIn = (language: keyof typeof months, month: number): string => months[language].split(" ")[month - 1] ?? ""

export const phraseBooks: { readonly [L in Language]: PhraseBook } = {
  "pt-BR": {
    sentences: {
      interested: [
        "Tenho interesse, pode me mandar mais informações?",
        "Gostei da proposta, quero saber mais.",
        "Interessante! Me manda mais detalhes, por favor.",
        "Estamos buscando justamente uma solução assim.",
        "Faz sentido para nós. Vamos em frente."
      ],
      question: [
        "Quanto custa?",
        "Qual o valor do plano mensal?",
        "Tem fidelidade no contrato?",
        "Vocês emitem nota fiscal?",
        "Funciona para empresas pequenas?",
        "Como funciona a integração com o WhatsApp?",
        "Quanto tempo leva a implantação?"
      ],
      not_interested: [
        "Não tenho interesse, obrigado.",
        "Obrigado, mas já temos um fornecedor para isso.",
        "Estamos sem orçamento esse ano.",
        "O preço ficou alto para nós, não vamos seguir.",
        "Não precisamos desse serviço.",
        "Agora não é um bom momento, quem sabe no próximo semestre."
      ],
      wrong_person: [
        "Não sou a pessoa certa para tratar disso.",
        "Não trabalho mais nessa empresa.",
        "Não sou responsável por essa área."
      ],
      gatekeeper: [
        "Sou da recepção, vou repassar a mensagem para o responsável.",
        "Vou encaminhar para o setor responsável e, se houver interesse, entram em contato."
      ],
      unsubscribe: [
        "Por favor, me descadastre.",
        "Não quero mais receber seus e-mails.",
        "Favor remover meu contato da sua base."
      ],
      unclear: ["Vou analisar com a diretoria e retorno.", "Ok", "Recebido."],
      thanks: ["Obrigado pelo retorno!", "Obrigada pelo retorno!"]
    },
    meeting: [
      "Podemos marcar uma reunião dia %d às %h?",
      "Pode ser dia %d às %h?",
      "Vamos conversar sim. Tenho disponibilidade dia %d às %h."
    ],
    referral: [
      "Quem decide isso aqui é %n, %e",
      "Não sou eu quem cuida disso, procure %n no e-mail %e",
      "Fale com %n, %e"
    ],
    away: [
      "Estou de férias até %d. Retornarei os e-mails após essa data.",
      "Estarei fora do escritório até o dia %d, com acesso limitado ao e-mail."
    ],
    awaySubject: "Resposta automática",
    greetings: ["Olá,", "Bom dia,", "Oi, tudo bem?"],
    closings: ["Abraços,", "Atenciosamente,", "Obrigado,"],
    quoteHead: "Em %w, %f escreveu:",
    date: (day, month) => `${String(day).padStart(2, "0")}/${String(month).padStart(2, "0")}`,
    time: (hour) => `${hour}h`
  },
  en: {
    sentences: {
      interested: [
        "Yes, I'm interested. Please send me more information.",
        "Sounds great, tell me more.",
        "We'd love to learn more about it."
      ],
      question: ["How much does it cost?", "Is there a free trial?", "What is the minimum contract length?"],
      not_interested: [
        "Thanks, but we're not interested.",
        "We already have a vendor for this.",
        "We don't have budget for this right now.",
        "It's too expensive for us."
      ],
      wrong_person: ["I'm not the right person for this.", "I no longer work there, sorry."],
      gatekeeper: ["I will forward this to the right department and they will reach out if interested."],
      unsubscribe: ["Please unsubscribe me.", "Remove me from your list."],
      unclear: ["Let me check with my team and get back to you.", "Noted."],
      thanks: ["Thanks for getting back to me!"]
    },
    meeting: ["Does %d at %h work?", "Could we have a call on %d at %h?"],
    referral: ["You should talk to %n, %e", "The right person is %n (%e)."],
    away: ["I am out of the office until %d with limited access to email."],
    awaySubject: "Automatic reply",
    greetings: ["Hi,", "Hello,"],
    closings: ["Best regards,", "Thanks,"],
    quoteHead: "On %w, %f wrote:",
    date: (day, month) => `${monthIn("en", month)} ${day}`,
    time: (hour) => `${hour}:00`
  },
  es: {
    sentences: {
      interested: [
        "Me interesa, envíeme más información por favor.",
        "Sí, estamos interesados en conocer más.",
        "Suena bien, cuéntame más."
      ],
      question: ["¿Cuánto cuesta?", "¿Cómo funciona el soporte?"],
      not_interested: ["No me interesa, gracias.", "Ya tenemos proveedor.", "No tenemos presupuesto este año."],
      wrong_person: ["No soy la persona indicada para esto.", "Ya no trabajo en esa empresa."],
      gatekeeper: ["Soy la asistente, le pasaré su mensaje.", "Voy a reenviar su correo al área correspondiente."],
      unsubscribe: ["Denme de baja por favor.", "Ya no quiero recibir sus correos."],
      unclear: ["Lo reviso y te aviso."],
      thanks: ["Gracias por la respuesta."]
    },
    meeting: ["¿Le parece bien el %d a las %h?", "¿Podemos reunirnos el %d a las %h?"],
    referral: ["Hable con %n, %e"],
    away: ["Estoy de vacaciones hasta el %d."],
    awaySubject: "Respuesta automática",
    greetings: ["Hola,", "Buenos días,"],
    closings: ["Saludos,", "Gracias,"],
    quoteHead: "El %w, %f escribió:",
    date: (day, month) => `${day} de ${monthIn("es", month)}`,
    time: (hour) => `${hour}:00`
  }
}

const firstNames: Phrases = ["Paula", "Roberto", "Fernanda", "Marcelo", "Juliana", "Ricardo", "Beatriz", "Eduardo"]
const lastNames: Phrases = ["Moreira", "Tavares", "Antunes", "Pacheco", "Ramos", "Lacerda", "Figueira", "Brandão"]
export const namesOfOthers = { firstNames, lastNames }
