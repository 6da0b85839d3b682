import { fold } from "../Text/PlainText.ts"
import type { ContactCell, LeadFileRow } from "./LeadFile.ts"

const wordSet = (...lines: ReadonlyArray<string>) => new Set(lines.flatMap((line) => fold(line).split(" ")))

/** One of these must be next to a number or an address. */
const contactWords = wordSet(
  "tel tels telefone teléfono telephone phone ph fone fono celular cel cell mobile móvil whatsapp whats wpp zap",
  "wa line landline linea número number num fixo fijo contato contacto contact email mail correo ramal",
  "ligar liga llamar llama call text mensagem"
)
/**
 * Words that may appear next to a contact without changing its meaning: whose it is, that it is new, how it is used.
 */
const plainWords = wordSet(
  "o a os as e de da do das dos em na para pra por pelo pela el la los las al del en es the of at on is s to it its for her his",
  "their my direct direto direta directo directa novo nova nuevo nueva new atual actual current correto correta correcto",
  "correcta correct right certo certa agora ahora now use usar usa used seu sua su dele dela suyo suya hers him them",
  "clínica consultório escritorio loja empresa recepção casa tienda despacho oficina negocio taller office shop store",
  "practice clinic desk reception work home business pessoal personal principal main ver see number best melhor mejor",
  "tem tiene has only so solo apenas reach via best with com con lead cliente client customer dono dona dueño dueña owner"
)
/** Words in another clause that may refer to the contact, and withdraw it or cast doubt on it. */
const doubtWords = wordSet(
  "wrong errado errada equivocado equivocada incorreto incorreta incorrecto incorrecta invalido invalida invalid bad not",
  "não no never nunca jamas maybe perhaps talvez quiza quizas confirmar confirm confere verificar verify check conferir",
  "test teste prueba fake falso falsa dead morto muerto desligado desconectado disconnected bounced voltou rebota ask",
  "perguntar preguntar unsubscribe remover remove bloqueado blocked don cannot nem ni existe exists"
)
/** A clause about another contact does not affect this one: `old one dead`. */
const otherWords = wordSet(
  "old antigo antiga velho velha viejo vieja anterior antiguo antigua previous other otro otra outro outra"
)

const longestRemark = 300
const longestContact = 60
const number = /[+(]{0,2}\d[\d\s().-]{5,30}\d/g
const address = /[^\s@,;<>()[\]"']{1,64}@[^\s@,;<>()[\]"']{1,255}/g
/** A dot only ends a clause before a blank, because numbers and addresses contain dots. */
const clauseEnd = /[,;!?\n|]|\.\s|\s[-–—]\s/

const wordsOf = (text: string): ReadonlyArray<string> =>
  fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")

interface Place {
  readonly cell: ContactCell
  readonly start: number
  readonly end: number
}

const placesOf = (remark: string, field: ContactCell["field"], shape: RegExp): ReadonlyArray<Place> =>
  [...remark.matchAll(shape)].map((match) => ({
    cell: { field, text: match[0].replace(/\.{1,3}$/, "") },
    start: match.index,
    end: match.index + match[0].length
  }))

/**
 * Whether all words around a contact are known. Words from the lead's name and company count as known. `Ana: (11) …` is
 * Ana's number, but `contador (11) …` is not.
 */
const isOwnContact = (remark: string, { end, start }: Place, row: LeadFileRow): boolean => {
  const before = remark.slice(0, start).split(clauseEnd)
  const after = remark.slice(end).split(clauseEnd)
  const clause = wordsOf(`${before.at(-1) ?? ""} ${after[0] ?? ""}`)
  const ownWords = new Set(wordsOf(`${row.name} ${row.company}`))
  const isKnown = (word: string) => contactWords.has(word) || plainWords.has(word) || ownWords.has(word)
  const isIntroduced = clause.some((word) => contactWords.has(word) || ownWords.has(word))
  return (
    isIntroduced &&
    clause.every(isKnown) &&
    [...before.slice(0, -1), ...after.slice(1)].every((other) => {
      const words = wordsOf(other)
      return words.some((word) => otherWords.has(word)) || !words.some((word) => doubtWords.has(word))
    })
  )
}

/** A contact that a remark plainly says to be the lead's, or that may be anyone's. */
export interface RemarkContact {
  readonly cell: ContactCell
  readonly isCertain: boolean
}

/** `e:` is short for e-mail, and `t:` and `m:` are phones. */
const shortLabel = /(?<![\p{L}\p{N}])[etm]\s*:/giu

/**
 * The address and the number in a row's remark. If there are two of one kind, it is unclear which one to use, so
 * neither is returned.
 */
export const contactsInRemark = (row: LeadFileRow): ReadonlyArray<RemarkContact> => {
  const remark = (row.notes ?? "").replace(shortLabel, "contact ")
  if (remark.length > longestRemark) return []
  return [placesOf(remark, "email", address), placesOf(remark, "phone", number)].flatMap((places) => {
    const [place] = places
    if (place === undefined || place.cell.text.length > longestContact) return []
    return [{ cell: place.cell, isCertain: places.length === 1 && isOwnContact(remark, place, row) }]
  })
}
