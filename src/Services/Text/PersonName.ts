import { fold, tidyText } from "./PlainText.ts"

// What stands in a name column without being a person's name.
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

/**
 * What a person with this name is called in a greeting: the first name, with Dr. where it was written; undefined where
 * the text is not a person's name. What it answers has letters, hyphens, apostrophes and one full stop only.
 */
export const greetingName = (name: string, company?: string): string | undefined => {
  const text = tidyText(name).slice(0, 200).trim()
  const folded = fold(text)
  if (/[@\d<>{}[\]/\\|:;!?#*=_]/.test(text) || companyMark.test(folded)) return undefined
  if (company !== undefined && folded === fold(company).trim()) return undefined
  const words = text.split(/[\s,.]+/).filter((word) => word !== "")
  const titles = words.findIndex((word) => !doctor.test(fold(word)) && !honorific.test(fold(word)))
  const first = words[titles]
  if (first === undefined || !personWord.test(first) || nobody.has(fold(first))) return undefined
  const title = words.slice(0, titles).find((word) => doctor.test(fold(word)))
  if (title === undefined) return capitalised(first)
  return `${/^(?:dra|doutora|doctora)$/.test(fold(title)) ? "Dra." : "Dr."} ${capitalised(first)}`
}

const legalForm =
  /[\s,.-]+(?:ltda|s\/a|s\.?a\.?|eireli|epp|me|mei|inc|llc|ltd|corp|gmbh|s\.?r\.?l\.?|s\.?l\.?|sac|s\.?a\.?c\.?|s\.?a\.? de c\.?v\.?)\.?$/i
const longestCompany = 60

/** A company as it is called in a sentence: no legal form, no shouting; undefined where the text is no such name. */
export const spokenCompany = (company: string | undefined): string | undefined => {
  if (company === undefined) return undefined
  let name = tidyText(company).replace(/\s+/g, " ").trim()
  if (name.length > 2 * longestCompany) return undefined
  for (let round = 0; round < 3; round++) name = name.replace(legalForm, "").trim()
  if (name.length < 2 || name.length > longestCompany || !/\p{L}/u.test(name)) return undefined
  // Anything but a plain name could smuggle an address, a tag or a placeholder into the message.
  if (!/^[\p{L}\p{N}\p{M} &.,'’+ºª()/-]+$/u.test(name) || /https?|www\.|\w\.\w{2,}/i.test(name)) return undefined
  const isShouted = name.length > 4 && name === name.toUpperCase()
  return isShouted
    ? name.toLowerCase().replace(/(?<![\p{L}\p{N}'’])\p{L}(?=\p{L}{2})/gu, (letter) => letter.toUpperCase())
    : name
}
