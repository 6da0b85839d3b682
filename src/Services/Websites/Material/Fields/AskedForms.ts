import { fold } from "../../../Text/PlainText.ts"
import type { SiteField } from "../../Site.ts"
import type { FormPurpose, SiteWords } from "../../Writing/SiteWords.ts"
import { capitalised, keyFor, statementsOf, within } from "../MaterialText.ts"
import type { Sector } from "../Sectors.ts"
import { type AskedForm, askedForm, asSiteFields } from "./AskedFields.ts"
import { isSecret } from "./SecretFields.ts"

const purposes: ReadonlyArray<readonly [FormPurpose, RegExp]> = [
  [
    "table",
    /\b(?:reservas? de mesas?|reservar (?:uma )?mesa|book(?:ing)? (?:a )?tables?|table (?:bookings?|reservations?)|reservar (?:una )?mesa)\b/
  ],
  ["quote", /\b(?:orcamentos?|cotac(?:ao|oes)|presupuestos?|quotes?|quotation|estimates?|cotizacion(?:es)?)\b/],
  [
    "booking",
    /\b(?:agend\w+|marcar (?:consulta|horario|hora)|reservas?|reservar|bookings?|book an?|appointments?|schedul\w+|reservation\w*|citas?|turnos?)\b/
  ],
  ["order", /\b(?:encomendas?|pedidos? (?:online|pelo site)|orders? online|online orders?|pre-?orders?|encargos?)\b/],
  [
    "download",
    /\b(?:e-?books?|guia gratuito|free guide|guia gratis|baixar|download|descargar|planilha|checklist|whitepaper)\b/
  ],
  [
    "signUp",
    /\b(?:inscri\w+|cadastr\w+|lista de espera|newsletters?|sign[- ]?ups?|waiting list|waitlist|regist(?:er|ration|ro|rarse)|matricul\w+|enrol\w*|suscri\w+|subscri\w+|voluntari\w+|volunteers?)\b/
  ]
]
const anyForm =
  /\b(?:formularios?|forms?|contact form|fale conosco|(?:people|customers|clients|visitors|they|them) (?:should|can|to) (?:be able to )?(?:ask|request|contact|write|get in touch)|(?:pessoas|clientes|gente) (?:possam|devem|pueda|puedan) (?:pedir|escrever|escribir|entrar em contato|solicitar|contactar))\b/
const denied =
  /\b(?:sem|nao (?:quero|queremos|precisa)(?: de)?|without|no|sin|don't (?:want|need)) (?:um |uma |a |an |any |un |una |nenhum )?(?:formulario|form|contact form|agendamento|booking|cadastro|newsletter)/

/** The purpose of the form that the owner wants. Undefined if no form is requested. */
export const purposeIn = (wishes: string, sector: Sector): FormPurpose | undefined => {
  if (denied.test(wishes)) return undefined
  for (const [purpose, words] of purposes) {
    if (words.test(wishes)) return purpose === "booking" && sector === "food" ? "table" : purpose
  }
  return anyForm.test(wishes) ? "contact" : undefined
}

type Known = keyof SiteWords["fields"]
const knownFields: ReadonlyArray<readonly [Known, SiteField["kind"], RegExp]> = [
  ["name", "text", /^(?:(?:o |a |the |el |full |seu |your |su )?(?:nome|name|nombre)(?: completo| y apellido)?)$/],
  [
    "email",
    "email",
    /^(?:(?:o |the |el |work |business )?(?:e-?mail|correo)(?: corporativo| profissional| electronico| address)?)$/
  ],
  [
    "phone",
    "phone",
    /^(?:(?:o |the |el |numero de )?(?:telefones?|phone(?: number)?|whatsapp|celular|telefono|movil|mobile)(?: com ddd)?)$/
  ],
  ["company", "text", /^(?:(?:a |the |la |nome da )?(?:empresa|company(?: name)?|organizacao|organization|negocio))$/],
  ["role", "text", /^(?:(?:o |the |el )?(?:cargo|job title|role|position|puesto|funcao))$/],
  ["city", "text", /^(?:(?:a |the |la )?(?:cidade|city|ciudad|localidade))$/],
  [
    "message",
    "long_text",
    /^(?:(?:a |the |la )?(?:mensagem|message|mensaje|observac\w+|comments?|comentarios?|descricao.*|description.*|necessidade))$/
  ],
  ["date", "date", /^(?:(?:a |the |la )?(?:data|date|fecha|dia)(?: desejada| deseada| preferida)?)$/],
  ["time", "text", /^(?:(?:o |the |el )?(?:horario|time|hora)(?: desejado| preferido)?)$/],
  [
    "people",
    "number",
    /^(?:(?:o |the |el )?(?:numero de |number of |quantidade de )?(?:pessoas|people|guests|personas|convidados))$/
  ],
  [
    "employees",
    "number",
    /^(?:(?:o |the |el )?(?:numero de |number of )?(?:funcionarios|employees|empleados|colaboradores))$/
  ],
  ["website", "text", /^(?:(?:o |the |el )?(?:site|website|sitio(?: web)?))$/]
]
const fieldOf = (asked: string, words: SiteWords, taken: ReadonlyArray<string>): SiteField => {
  const folded = fold(asked)
  const known = knownFields.find(([, , pattern]) => pattern.test(folded))
  if (known !== undefined) {
    const [name, kind] = known
    return { name, label: words.fields[name], kind, is_required: name === "name" || name === "email", choices: [] }
  }
  return {
    name: keyFor(asked, taken),
    label: within(capitalised(asked), 120),
    kind: "text",
    is_required: false,
    choices: []
  }
}

export const standardField = (name: Known, words: SiteWords): SiteField => fieldOf(fold(words.fields[name]), words, [])

/** A field with the label that a prompt gives. */
export const fieldNamed = (label: string, words: SiteWords, taken: ReadonlyArray<string>): SiteField | undefined =>
  isSecret(label) ? undefined : fieldOf(label.trim(), words, taken)

const always: { readonly [P in FormPurpose]: ReadonlyArray<Known> } = {
  contact: ["name", "email", "message"],
  quote: ["name", "email", "phone", "message"],
  booking: ["name", "email", "phone", "date"],
  table: ["name", "email", "phone", "date", "time", "people"],
  signUp: ["name", "email"],
  order: ["name", "email", "phone", "message", "date"],
  download: ["name", "email"],
  lead: ["name", "email"]
}

/** Matches sentences of a website's description that are about a form. On a capture page, every sentence may be. */
const ofForm = /\b(?:form|forms|formul[aá]rios?|campos?|fields?)\b/i

const askedIn = (description: string, isCapture: boolean): AskedForm => {
  const text = isCapture
    ? description
    : description
        .split(/\n|(?<=[.!?])\s/)
        .filter((sentence) => ofForm.test(sentence))
        .join("\n")
  return askedForm(statementsOf(text))
}

/** Statements about the form's fields in a description that were not fully understood. */
export const unreadFieldsOf = (description: string, isCapture: boolean): ReadonlyArray<string> =>
  askedIn(description, isCapture).unread

/** The default fields of a capture page. In Brazil people are reached by WhatsApp. */
const usualCapture = (words: SiteWords, wantsPhone: boolean): ReadonlyArray<SiteField> => {
  const [name, email, phone] = (["name", "email", "phone"] as const).map((each) => standardField(each, words))
  if (name === undefined || email === undefined || phone === undefined) return []
  if (words.fields.name !== "Nome") return wantsPhone ? [name, email, phone] : [name, email]
  return [name, { ...phone, label: "WhatsApp", is_required: true }, { ...email, is_required: false }]
}

/** The fields of a form: the requested ones in their order, otherwise those that its purpose needs. */
export const fieldsFor = (
  purpose: FormPurpose,
  description: string,
  wishes: string,
  words: SiteWords,
  choices: ReadonlyArray<string>,
  isCapture: boolean
): ReadonlyArray<SiteField> => {
  const asked = asSiteFields(askedIn(description, isCapture).fields)
  if (asked.length > 0) return asked
  if (isCapture) return usualCapture(words, /\b(?:telefone|whatsapp|phone|celular|telefono)\b/.test(wishes))
  const standard = always[purpose].map((name) => standardField(name, words))
  const service: ReadonlyArray<SiteField> =
    choices.length >= 2 && (purpose === "quote" || purpose === "booking")
      ? [
          {
            name: "service",
            label: words.fields.service,
            kind: "choice",
            is_required: false,
            choices: choices.slice(0, 12).map((choice) => within(choice, 120))
          }
        ]
      : []
  const [message] = standard.filter(({ kind }) => kind === "long_text")
  return [...standard.filter((field) => field !== message), ...service, ...(message === undefined ? [] : [message])]
}
