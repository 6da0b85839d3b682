import type { RefusalReason } from "../Replies/ReplyReading.ts"
import type { Language } from "../Text/Language.ts"
import type { ComparedKind } from "./Findings.ts"

interface KindWords {
  /** A group as the subject of a sentence. `name` is already in the language. */
  readonly subject: (name: string) => string
  /** All other groups, as they follow "compared with". */
  readonly others: string
  /** The sentence for a kind without a difference. */
  readonly none: string
  readonly unit: string
}

interface Words {
  readonly kinds: { readonly [K in ComparedKind]: KindWords }
  readonly weekdays: ReadonlyArray<string>
  readonly messageTypes: { readonly [type: string]: string }
  readonly openings: { readonly [opening: string]: string }
  readonly openingLabels: { readonly [opening: string]: string }
  readonly refusals: { readonly [R in RefusalReason]: string }
  readonly higher: string
  readonly lower: string
  readonly of: string
  readonly comparedWith: string
  readonly interval: (low: string, high: string) => string
  readonly nothing: (
    what: string,
    numbers: { readonly hits: string; readonly isOne: boolean; readonly tries: string; readonly rate: string },
    unit: string
  ) => string
  readonly refused: (
    numbers: {
      readonly leads: string
      readonly isOne: boolean
      /** Whether all refusals had this reason. */
      readonly isOnly: boolean
      readonly share: string
      readonly all: string
    },
    reason: string
  ) => string
}

const portuguese: Words = {
  kinds: {
    reply_day: {
      subject: (name) => `E-mails enviados ${name}`,
      others: "nos outros dias",
      none: "Nenhum dia da semana se destaca",
      unit: "e-mails"
    },
    reply_hour: {
      subject: (name) => `E-mails enviados entre ${name}`,
      others: "nas outras horas",
      none: "Nenhuma hora do dia se destaca",
      unit: "e-mails"
    },
    message_type: {
      subject: (name) => `E-mails do tipo ${name}`,
      others: "nos outros tipos",
      none: "Nenhum tipo de mensagem se destaca",
      unit: "e-mails"
    },
    opening: {
      subject: (name) => `Primeiras mensagens que começam ${name}`,
      others: "nas outras aberturas",
      none: "Nenhuma abertura se destaca",
      unit: "leads"
    },
    region: {
      subject: (name) => `Leads de ${name}`,
      others: "nas outras regiões",
      none: "Nenhuma região se destaca",
      unit: "leads"
    },
    sector: {
      subject: (name) => `Leads do setor “${name}”`,
      others: "nos outros setores",
      none: "Nenhum setor se destaca",
      unit: "leads"
    }
  },
  weekdays: [
    "aos domingos",
    "às segundas-feiras",
    "às terças-feiras",
    "às quartas-feiras",
    "às quintas-feiras",
    "às sextas-feiras",
    "aos sábados"
  ],
  messageTypes: {
    first_contact: "primeiro contato",
    follow_up: "acompanhamento",
    direct: "mensagem direta",
    user_written: "escrita por você"
  },
  openings: {
    offer: "pela oferta de ajuda",
    introduction: "por uma apresentação e uma pergunta",
    greeting: "por um cumprimento"
  },
  openingLabels: { offer: "oferta de ajuda", introduction: "apresentação e pergunta", greeting: "cumprimento" },
  refusals: {
    price: "preço",
    timing: "não ser o momento",
    has_supplier: "já ter fornecedor",
    no_need: "não precisar",
    no_budget: "falta de orçamento",
    not_a_fit: "não ser o perfil",
    bad_experience: "uma experiência ruim anterior",
    closed_down: "a empresa ter fechado",
    other: "outro motivo"
  },
  higher: "recebem mais respostas",
  lower: "recebem menos respostas",
  of: "de",
  comparedWith: "contra",
  interval: (low, high) => `Intervalo de 95%: ${low} a ${high}.`,
  nothing: (what, { hits, isOne, rate, tries }, unit) =>
    `${what}: de ${tries} ${unit}, ${hits} ${isOne ? "teve" : "tiveram"} resposta (${rate}), e as diferenças vistas podem ser acaso.`,
  refused: ({ all, isOne, isOnly, leads, share }, reason) =>
    `${leads} ${isOne ? "lead recusou" : "leads recusaram"} por ${reason}: ${isOnly ? "a única recusa registrada" : `${share} das ${all} recusas registradas`}.`
}

const spanish: Words = {
  kinds: {
    reply_day: {
      subject: (name) => `Los correos enviados ${name}`,
      others: "en los demás días",
      none: "Ningún día de la semana se destaca",
      unit: "correos"
    },
    reply_hour: {
      subject: (name) => `Los correos enviados entre las ${name}`,
      others: "en las demás horas",
      none: "Ninguna hora del día se destaca",
      unit: "correos"
    },
    message_type: {
      subject: (name) => `Los correos del tipo ${name}`,
      others: "en los demás tipos",
      none: "Ningún tipo de mensaje se destaca",
      unit: "correos"
    },
    opening: {
      subject: (name) => `Los primeros mensajes que empiezan ${name}`,
      others: "en las demás aperturas",
      none: "Ninguna apertura se destaca",
      unit: "leads"
    },
    region: {
      subject: (name) => `Los leads de ${name}`,
      others: "en las demás regiones",
      none: "Ninguna región se destaca",
      unit: "leads"
    },
    sector: {
      subject: (name) => `Los leads del sector «${name}»`,
      others: "en los demás sectores",
      none: "Ningún sector se destaca",
      unit: "leads"
    }
  },
  weekdays: ["los domingos", "los lunes", "los martes", "los miércoles", "los jueves", "los viernes", "los sábados"],
  messageTypes: {
    first_contact: "primer contacto",
    follow_up: "seguimiento",
    direct: "mensaje directo",
    user_written: "escrito por usted"
  },
  openings: {
    offer: "por la oferta de ayuda",
    introduction: "por una presentación y una pregunta",
    greeting: "por un saludo"
  },
  openingLabels: { offer: "oferta de ayuda", introduction: "presentación y pregunta", greeting: "saludo" },
  refusals: {
    price: "el precio",
    timing: "no ser el momento",
    has_supplier: "ya tener proveedor",
    no_need: "no necesitarlo",
    no_budget: "falta de presupuesto",
    not_a_fit: "no ser su perfil",
    bad_experience: "una mala experiencia anterior",
    closed_down: "el cierre de la empresa",
    other: "otro motivo"
  },
  higher: "reciben más respuestas",
  lower: "reciben menos respuestas",
  of: "de",
  comparedWith: "frente a",
  interval: (low, high) => `Intervalo del 95 %: ${low} a ${high}.`,
  nothing: (what, { hits, isOne, rate, tries }, unit) =>
    `${what}: de ${tries} ${unit}, ${hits} ${isOne ? "tuvo" : "tuvieron"} respuesta (${rate}), y las diferencias vistas pueden ser azar.`,
  refused: ({ all, isOne, isOnly, leads, share }, reason) =>
    `${leads} ${isOne ? "lead rechazó" : "leads rechazaron"} por ${reason}: ${isOnly ? "el único rechazo registrado" : `${share} de los ${all} rechazos registrados`}.`
}

const english: Words = {
  kinds: {
    reply_day: {
      subject: (name) => `E-mails sent ${name}`,
      others: "on the other days",
      none: "No weekday stands out",
      unit: "e-mails"
    },
    reply_hour: {
      subject: (name) => `E-mails sent between ${name}`,
      others: "at the other hours",
      none: "No hour of the day stands out",
      unit: "e-mails"
    },
    message_type: {
      subject: (name) => `E-mails of the kind ${name}`,
      others: "of the other kinds",
      none: "No kind of message stands out",
      unit: "e-mails"
    },
    opening: {
      subject: (name) => `First messages that begin ${name}`,
      others: "with the other openings",
      none: "No opening stands out",
      unit: "leads"
    },
    region: {
      subject: (name) => `Leads in ${name}`,
      others: "in the other regions",
      none: "No region stands out",
      unit: "leads"
    },
    sector: {
      subject: (name) => `Leads of the sector “${name}”`,
      others: "in the other sectors",
      none: "No sector stands out",
      unit: "leads"
    }
  },
  weekdays: ["on Sundays", "on Mondays", "on Tuesdays", "on Wednesdays", "on Thursdays", "on Fridays", "on Saturdays"],
  messageTypes: {
    first_contact: "first contact",
    follow_up: "follow-up",
    direct: "direct message",
    user_written: "written by you"
  },
  openings: {
    offer: "with an offer of help",
    introduction: "with an introduction and a question",
    greeting: "with a greeting"
  },
  openingLabels: { offer: "an offer of help", introduction: "an introduction and a question", greeting: "a greeting" },
  refusals: {
    price: "the price",
    timing: "the timing",
    has_supplier: "having a supplier already",
    no_need: "having no need",
    no_budget: "a lack of budget",
    not_a_fit: "not being a fit",
    bad_experience: "a bad experience before",
    closed_down: "having closed down",
    other: "another reason"
  },
  higher: "get more replies",
  lower: "get fewer replies",
  of: "of",
  comparedWith: "against",
  interval: (low, high) => `95% interval: ${low} to ${high}.`,
  nothing: (what, { hits, rate, tries }, unit) =>
    `${what}: of ${tries} ${unit} ${hits} got a reply (${rate}), and the differences seen may be chance.`,
  refused: ({ all, isOne, isOnly, leads, share }, reason) =>
    `${leads} ${isOne ? "lead" : "leads"} said no because of ${reason}: ${isOnly ? "the only refusal on record" : `${share} of the ${all} refusals on record`}.`
}

export const wording: { readonly [L in Language]: Words } = { "pt-BR": portuguese, en: english, es: spanish }
