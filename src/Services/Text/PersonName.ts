import { fold, tidyText } from "./PlainText.ts"

// Texts in name columns that are not names of persons.
const nobody: ReadonlySet<string> = new Set(
  "contato contacto contact financeiro finanzas finance comercial compras purchasing vendas ventas sales marketing rh hr ti it adm admin administracao administracion administrativo atendimento atencion suporte soporte support recepcao recepcion reception info informacoes informacion email secretaria diretoria direccion gerencia gerente manager diretor director proprietario propietario owner responsavel responsable cliente client customer lead prospect teste test prueba usuario user desconhecido unknown desconocido sem nome null undefined none na nan grupo group empresa company loja tienda store clinica hospital escola escuela school restaurante instituto associacao fundacao fundacion condominio prefeitura igreja hotel".split(
    " "
  )
)
const companyMark =
  /\b(?:ltda|s\/?a|s\.a|eireli|epp|mei|inc|llc|ltd|corp|corporation|gmbh|srl|s\.r\.l|sac|spa|s\.l|cia|company|comercio|industria|servicos|servicios|services|solutions|solucoes|soluciones|group|grupo|holding|consultoria|consulting|tecnologia|technologies|assessoria|contabilidade|advogados|associados|engenharia|construtora|transportes|logistica)\b/
const doctor = /^(?:dr|dra|doutor|doutora|doctor|doctora)$/
const honorific =
  /^(?:sr|sra|srta|senhor|senhora|senor|senora|mr|mrs|ms|miss|prof|profa|professor|professora|eng|enga|adv|dom|don|dona|dona|exmo|exma|ilmo|ilma|lic|ing)$/
const personWord = /^\p{L}[\p{L}'’-]{1,24}$/u

const capitalised = (word: string): string =>
  word === word.toUpperCase() || word === word.toLowerCase()
    ? word.toLowerCase().replace(/(?:^|[-'’])\p{L}/gu, (letter) => letter.toUpperCase())
    : word

const names = (list: string): ReadonlySet<string> => new Set(list.split(" "))

const particle = /^(?:da|de|do|das|dos|del|la|las|los|di|du|van|von|der|den|el|al|e|y)$/

/**
 * Given names that usually come with a second one, and are then used together: "Ana Paula", "João Pedro", "Juan
 * Carlos".
 */
const pairs: ReadonlyArray<readonly [first: ReadonlySet<string>, second: ReadonlySet<string>]> = [
  [
    names("ana maria"),
    names(
      "alice angelica beatriz carolina cecilia clara cristina elena elisa elisabete emilia eduarda fernanda flavia gabriela helena isabel ines jose julia karina laura leticia lucia luisa luiza luz madalena magdalena margarida margarita maria paula paola raquel rita rosa sofia sophia teresa tereza vitoria victoria"
    )
  ],
  [
    names("joao jose antonio luis luiz carlos paulo pedro marco marcos juan miguel victor vitor francisco jorge"),
    names(
      "alberto alexandre andre angel antonio armando arturo augusto bosco carlos cesar eduardo emilio enrique felipe fernando francisco gabriel guilherme gustavo henrique hugo ignacio inacio jose lucas luis luiz manuel maria mario miguel otavio pablo paulo pedro rafael ramon raul ricardo roberto rodrigo sergio vicente victor vinicius vitor"
    )
  ],
  [
    names("rosa luz eva laura julia sofia marta carmen teresa angela elsa lucia rita alba blanca claudia elena"),
    names("maria")
  ],
  [names("rosa luz"), names("amelia elena isabel linda marina")],
  [names("mary"), names("ann anne beth jane kate lou")]
]
/** Words after a particle in a given name: "Maria da Conceição", "María del Carmen". */
const devotions = names(
  "aparecida aparicion carmen carmo conceicao concepcion consuelo dores dolores fatima gloria graca gracas gracia guadalupe jesus lourdes lurdes luz mar mercedes neves nieves penha perpetuo pilar rocio rosario socorro soledad ceu"
)

/** The words of the given name, including its second part. */
const givenName = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [first = "", second = "", third = "", fourth = ""] = words
  const [one, two, three, four] = [fold(first), fold(second), fold(third), fold(fourth)]
  if (/^(?:maria|ana|jose)$/.test(one) && particle.test(two)) {
    if (devotions.has(three)) return [first, second.toLowerCase(), third]
    if (particle.test(three) && devotions.has(four)) return [first, second.toLowerCase(), third.toLowerCase(), fourth]
  }
  const isPair = pairs.some(([firsts, seconds]) => firsts.has(one) && seconds.has(two))
  // "José Luis" may also be a given name and a family name, but using both is fine then.
  return isPair && one !== two ? [first, second] : [first]
}

/** Puts the family name of "SOUZA, Ana" last. A comma may also precede a title: "Ana Souza, MBA". */
const inOrder = (text: string): string => {
  const parts = text.split(",").map((part) => part.trim())
  const [family = "", givenNames = ""] = parts
  const isFamily = parts.length === 2 && !/\s/.test(family.replace(/^(?:d[aeo]s?|del|de la|van|von)\s+/i, ""))
  return isFamily &&
    /^\p{L}[\p{Ll}\p{Lu}'’ -]+$/u.test(givenNames) &&
    !/^(?:jr|junior|filho|neto|mba|phd|md|cpa|ceo|cfo|cto|esq)\b/i.test(givenNames)
    ? `${givenNames} ${family}`
    : text
}

/**
 * How to greet a person with this name: by the given name, with both parts if it has two ("Ana Paula", "Maria da
 * Conceição"), and with Dr. if it was written. Undefined if the text is not a person's name. The result contains only
 * letters, blanks, hyphens, apostrophes and at most one full stop.
 */
export const greetingName = (name: string, company?: string): string | undefined => {
  const text = tidyText(name).slice(0, 200).trim()
  const folded = fold(text)
  if (/[@\d<>{}[\]/\\|:;!?#*=_]/.test(text) || companyMark.test(folded)) return undefined
  if (company !== undefined && folded === fold(company).trim()) return undefined
  const words = inOrder(text)
    .split(/[\s,.]+/)
    .filter((word) => word !== "")
  const titles = words.findIndex((word) => !doctor.test(fold(word)) && !honorific.test(fold(word)))
  const first = words[titles]
  if (first === undefined || !personWord.test(first) || nobody.has(fold(first)) || particle.test(fold(first))) {
    return undefined
  }
  const called = givenName(words.slice(titles))
    .map((word) => (particle.test(word) ? word : capitalised(word)))
    .join(" ")
  const title = words.slice(0, titles).find((word) => doctor.test(fold(word)))
  if (title === undefined) return called
  return `${/^(?:dra|doutora|doctora)$/.test(fold(title)) ? "Dra." : "Dr."} ${called}`
}

export type Gender = "feminine" | "masculine"

/** Given names that only women, or only men, have in Portuguese and Spanish. */
const feminine = names(
  "adriana alessandra alice aline amanda ana andreia angela angelica antonia aparecida beatriz bianca bruna camila carla carmen carolina catarina cecilia claudia clara cristina cristiane daniela debora denise eduarda elaine elena eliana eliane elisa fabiana fernanda flavia gabriela giovanna gloria helena heloisa ines ingrid isabel isabela isadora jessica joana josefa julia juliana karina karla laura leticia lidia lucia luciana luisa luiza luana luz marcela marcia margarida maria mariana marina marta mercedes michele monica natalia patricia paula paola priscila rafaela raquel regina renata rita rosa rosana sabrina sandra sara silvia simone sofia sonia sueli tania tatiana teresa tereza valentina valeria vanessa vera veronica victoria vitoria vivian viviane yolanda"
)
const masculine = names(
  "adriano alberto alejandro alessandro alexandre alfredo anderson andres antonio armando arthur artur augusto benjamin bernardo bruno caio carlos cesar claudio cristiano daniel danilo davi david diego diogo edgar eduardo emilio enrique enzo ernesto fabio fabricio felipe fernando flavio francisco gabriel geraldo gilberto guilherme gustavo heitor henrique hugo ignacio igor ivan javier joao joaquim joaquin jorge jose juan julio junior leandro leonardo lorenzo lucas luciano luis luiz manoel manuel marcelo marcio marco marcos mario mateus matheus mauricio mauro miguel nelson nicolas otavio pablo paulo pedro rafael ramon raul renan renato ricardo roberto rodrigo rogerio ruben samuel santiago sebastian sergio thiago tiago tomas vicente victor vinicius vitor wagner walter wesley william"
)

/** The grammatical gender for a person with this name, if it is certain from the title or the given name. */
export const genderOf = (name: string): Gender | undefined => {
  const words = fold(inOrder(tidyText(name).slice(0, 200)))
    .split(/[\s,.]+/)
    .filter((word) => word !== "")
  const title = words[0] ?? ""
  if (/^(?:sra|srta|senhora|senora|dra|doutora|doctora|profa|professora|enga|dona|mrs|ms|miss)$/.test(title)) {
    return "feminine"
  }
  if (/^(?:sr|senhor|senor|mr|dom|don)$/.test(title)) return "masculine"
  const first = words.find((word) => !doctor.test(word) && !honorific.test(word)) ?? ""
  if (feminine.has(first)) return "feminine"
  return masculine.has(first) || /^(?:dr|doutor|doctor)$/.test(title) ? "masculine" : undefined
}

const legalForm =
  /[\s,.-]+(?:ltda|s\/a|s\.?a\.?|eireli|epp|me|mei|inc|llc|ltd|corp|gmbh|s\.?r\.?l\.?|s\.?l\.?|sac|s\.?a\.?c\.?|s\.?a\.? de c\.?v\.?)\.?$/i
const longestCompany = 60

/**
 * A company's name for use in a sentence: without its legal form and not all in capitals. Undefined if the text is not
 * such a name.
 */
export const spokenCompany = (company: string | undefined): string | undefined => {
  if (company === undefined) return undefined
  let name = tidyText(company).replace(/\s+/g, " ").trim()
  if (name.length > 2 * longestCompany) return undefined
  for (let round = 0; round < 3; round++) name = name.replace(legalForm, "").trim()
  if (name.length < 2 || name.length > longestCompany || !/\p{L}/u.test(name)) return undefined
  // Other characters could insert an address, a tag or a placeholder into the message.
  if (!/^[\p{L}\p{N}\p{M} &.,'’+ºª()/-]+$/u.test(name) || /https?|www\.|\w\.\w{2,}/i.test(name)) return undefined
  const isShouted = name.length > 4 && name === name.toUpperCase()
  return isShouted
    ? name.toLowerCase().replace(/(?<![\p{L}\p{N}'’])\p{L}(?=\p{L}{2})/gu, (letter) => letter.toUpperCase())
    : name
}
