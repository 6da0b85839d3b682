import { Either } from "effect"
import { type CountryCode, normaliseEmail, normalisePhone } from "../../Text/ContactDetails.ts"
import { fold } from "../../Text/PlainText.ts"
import type { NamedContact } from "./NamedContact.ts"

const emailPattern = /[a-z0-9][a-z0-9._%+'-]{0,63}@[a-z0-9][a-z0-9.-]{0,190}\.[a-z]{2,24}/gi
const phonePattern = /(?<![\d@/.-])\+?\(?\d[\d\s().-]{6,22}\d(?![\d@/])/g
const maximumCandidates = 20

/** The addresses in a text, normalised, in their order. */
export const emailsIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(emailPattern)]
    .slice(0, maximumCandidates)
    .flatMap(([address]) => Either.match(normaliseEmail(address), { onLeft: () => [], onRight: (email) => [email] }))

/** The phone numbers in a text, in E.164, in their order. */
export const phonesIn = (text: string, country: CountryCode): ReadonlyArray<string> =>
  [...text.matchAll(phonePattern)]
    .slice(0, maximumCandidates)
    .filter(([written]) => !/^\d{1,4}[/.-]\d{1,2}[/.-]\d{2,4}/.test(written))
    .flatMap(([written]) =>
      Either.match(normalisePhone(written, country), { onLeft: () => [], onRight: ({ e164 }) => [e164] })
    )

const nameWord = "\\p{Lu}[\\p{L}'’]{1,25}"
const nameTail = `(?: (?:(?:d[aeo]s?|del?|la|van|von) )?${nameWord}){0,3}`
const title =
  "(?:(?:[Ll]ic|[Ll]icenciad[oa]|[Ii]ng|[Dd]outora?|[Dd]r|[Dd]ra|[Ss]r|[Ss]ra|[Pp]rof|[Mm]r|[Mm]rs|[Mm]s|[Ee]ng)\\.? )?"
const article = "(?:a |o |la |el |à |ao |al |the |minha |meu |nossa |nosso |mi |my |our |nuestro |nuestra )?"
const role =
  "(?:(?:colega|sócia|sócio|socia|socio|chefe|gerente|diretora?|directora?|gestora?|coordenadora?|responsável|colleague|boss|manager|partner|director|compañer[oa]|jef[ae]|encargad[oa]|esposa|marido|irmã|irmão|amig[oa])(?: (?:de|do|da|of) [\\p{L}]{2,20})?,? )?"

const leadIn =
  "(?:[Ff]al(?:e|ar|a|em)|[Pp]ass(?:a|e)(?: lá)?|[Ii]sso é|[Cc]onvers(?:e|ar|a)|[Tt]rat(?:e|ar)|[Vv]er|[Vv]eja) (?:direto |diretamente |melhor )?com|[Cc]ontat(?:e|ar|em|o)|[Pp]rocur(?:e|ar|a|em)|[Cc]ham(?:e|ar|a)|[Ee]screv(?:a|er) (?:para|pra)|[Mm]and(?:e|ar|a) (?:para|pra|pro)|[Ee]nvi(?:e|ar|a) (?:para|pra)|[Cc]opi(?:ando|ei|o|ar|arei)|[Ee]ntr(?:e|ar) em contato com|[Ff]al(?:e|ar) (?:pra|para)|[Rr]espons[aá]vel (?:por isso |por essa [áa]rea |pela [áa]rea |pelo assunto |de compras |agora )?(?:é|seria|hoje é)|[Qq]uem (?:cuida|decide|trata|responde|resolve|v[êe]) [\\p{L} ]{0,30}(?:é|seria)|[Hh]abl(?:e|ar|a|en) con|[Cc]ontact(?:e|a|ar|en) (?:con |a )?|[Ee]scr[íi]b(?:e|a|ale|ele|ir|an) a|[Qq]uien (?:se encarga|decide|lleva|ve) [\\p{L} ]{0,30}es|[Ee]so lo (?:ve|maneja|lleva|decide)|[Ee]ncargad[oa] (?:de [\\p{L}]{2,20} )?es|[Ss]peak (?:to|with)|[Tt]alk (?:to|with)|[Rr]each out to|[Rr]each|[Gg]et in touch with|[Cc]ontact|[Ee]-?mail|[Ww]rite to|[Ll]oop(?:ing)? in|[Cc]c'?ing|[Cc]opying|[Aa]dding|[Rr]ight person (?:is|would be)|[Pp]erson (?:in charge|responsible|to talk to) (?:is|would be)|[Dd]irect (?:this|it|your \\w{1,12}) to|[Ff]orward(?:ed|ing)? (?:this|it|your \\w{1,12}) to|[Ee]ncaminh(?:ei|ando|ar|o) (?:para|pra|ao|à)|[Rr]epass(?:ei|ando|ar) (?:para|pra|ao|à)|[Rr]eenvi(?:é|e|ando|ar) (?:[\\p{L}]{1,15} )?a|[Mm]y (?:colleague|boss|manager|partner)|[Mm](?:eu|inha) (?:colega|chefe|gerente|sóci[oa])|[Mm]i (?:compañer[oa]|jef[ae]|soci[oa]|colega)"

const namedAfter = new RegExp(`(?:${leadIn}),? ${article}${role}(${title}${nameWord}${nameTail})`, "u")
const namedBefore = new RegExp(
  `(?:^|[\\s,.;:(])(${title}${nameWord}${nameTail}),? (?:é (?:quem|a pessoa|o responsável|a responsável)|cuida|decide|que cuida|\\(?[cC]c'?d\\)? is|is (?:the (?:right|best) person|your|who|in charge|responsible)|handles|takes care|looks after|runs|es (?:quien|el encargado|la encargada|la persona)|se encarga|lleva)`,
  "u"
)
const namedBeforeAddress = new RegExp(
  `(${title}${nameWord}${nameTail})(?: ?[,:(<–-]| no| at| en| em| pelo| through| -|,? (?:e-?mail|correo|tel|fone|telefone|whats(?:app)?|zap|cel|celular|número|numero):?){1,3} ?(?:e-?mail:? ?|tel\\.?:? ?)?<?(?:[a-z0-9._%+'-]{1,64}@|\\+?\\(?\\d{2,4}\\)?[ -]?\\d)`,
  "u"
)
// Chats are written without capitals.
const namedInChat =
  /(?:fala|fale|falar|conversa|converse|conversar|habla|hable|hablar) (?:com|con) (?:a |o |la |el )?(\p{L}{3,20})\b|(?:talk|speak) (?:to|with) (\p{L}{3,20})\b/u

/** Departments, roles and other words that stand where a name would. */
const notNames: ReadonlySet<string> = new Set(
  "equipe equipo time team setor sector area departamento department financeiro finanzas finance comercial compras purchasing procurement marketing vendas ventas sales rh hr ti it juridico legal diretoria direccion gerencia gerente manager responsavel responsable encargado encargada pessoa persona person ele ela eles elas el ella ellos them him her me mim voce voces usted us nos nosso nossa minha meu outro outra otro otra alguem alguien someone socio socia dono dona owner chefe jefe boss secretaria suporte support atendimento recepcao recepcion matriz escritorio office administracao administracion admin presidente ceo diretor diretora director directora calma voces voces quem quien gente pessoal todos the esse esse este esta isso essa uma um una un mais whatsapp whats email mail telefone linkedin segunda terca quarta quinta sexta lunes martes miercoles jueves viernes monday tuesday wednesday thursday friday obrigado obrigada gracias thanks bom boa hola oi ola hello hi dear atenciosamente att abs regards saludos sim si yes nao no marketing brasil brazil aqui ahi la lo cliente clientes parceiro contato contacto please por favor i we you it".split(
    " "
  )
)

const isName = (candidate: string): boolean => {
  const words = fold(candidate).replaceAll(".", "").split(" ")
  return words.length > 0 && !words.some((word) => notNames.has(word))
}

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

const nameIn = (text: string): string | null => {
  for (const pattern of [namedAfter, namedBeforeAddress, namedBefore]) {
    const found = pattern.exec(text)?.[1]?.trim()
    if (found !== undefined && isName(found)) return found
  }
  const chat = namedInChat.exec(text)
  const spoken = chat?.[1] ?? chat?.[2]
  return spoken !== undefined && isName(spoken) ? capitalised(spoken) : null
}

/**
 * The other person whom a reply names, by name, address or phone; null where it names none. `ownContacts` are the
 * writer's and the sender's, normalised. Numbers without a country code belong to `country`.
 */
export const namedContactIn = (
  reply: string,
  country: CountryCode,
  ownContacts: ReadonlyArray<string>
): NamedContact | null => {
  const email = emailsIn(reply).find((address) => !ownContacts.includes(address)) ?? null
  const phone = phonesIn(reply, country).find((number) => !ownContacts.includes(number)) ?? null
  const name = nameIn(reply)
  return name === null && email === null && phone === null ? null : { name, email, phone }
}

const headerContact = /([\p{L}][\p{L}'’ .-]{1,60})\s?[<[(]\s?([^\s<>()[\]]{3,120}@[^\s<>()[\]]{3,120})\s?[>\])]/gu

/** A person whom the reply names by the first name, with the address that the forwarded mail's header gives of them. */
export const forwardedContactIn = (
  quoted: string,
  own: string,
  ownContacts: ReadonlyArray<string>
): NamedContact | null => {
  const words = new Set(fold(own).split(/[^\p{L}]+/u))
  for (const [, name = "", address = ""] of quoted.slice(0, 4000).matchAll(headerContact)) {
    const [email] = emailsIn(address)
    const bare = name.trim().replace(/^\S+:\s*/, "")
    const first = fold(bare).split(" ")[0] ?? ""
    if (email !== undefined && !ownContacts.includes(email) && first.length > 2 && words.has(first)) {
      return { name: bare, email, phone: null }
    }
  }
  return null
}
