import { briefWordsOf, canMean } from "./BriefWords.ts"
import { phonesIn } from "./MaterialContacts.ts"
import { withoutEnd } from "./MaterialText.ts"

/** What a capture page is for, as the order to make it says: "a page for our pregnancy class" is of the pregnancy class. */

const page =
  /^.{0,60}?\b(?:p[áa]gin\w{1,6}|page|landing(?: page)?|squeeze page|formul[aá]rio|form)(?![\p{L}])(?:\s(?:de|for) (?:capta[çc][ãa]o|captura|cadastro))?(?:\s(?:só|so|solo|just))?\s?(?::|-|–|—|para|pra|pro|for|to|de|da|do|4|onde|donde|where|that|que|q)?\s{0,2}(?:q\s|que\s)?/iu
const wish =
  /^(?:(?:oi|ola|olá|hola|hi|hey|bom dia|por favor|please),?\s)?(?:eu |yo |i )?(?:quero|queria|preciso de|preciso|quiero|necesito|want|need|i'd like|just want|busco)\s(?:que\s|q\s|a\s|uma?\s|una?\s)?/i
const visitors =
  /^(?:a |o |as |os |la |el |los |las |the )?(?:pessoas?|gente|people|clientes?|clientas|customers|pessoal|interessad[oa]s|interesad[oa]s)\s(?:que\s|to\s|can\s)?/i
const signing =
  /^(?:se |can |could |to |puedan? |possam? )?(?:inscrev\w{1,6}|inscrib\w{1,6}|apunt\w{1,6}|anot\w{1,6}|registr\w{1,6}|sign up|baixar|bajar|descargar|download|pedir|request|capture|catch|captar|capturar|conseguir|atrair|atraer|juntar|gerar|generar|generate|collect|divulgar|promote|receber|recibir|marcar|agendar|reservar|solicitar|book|order|join|register for|apply for|ask for|get)(?:se)?\s(?:en |no |na |em |a la |al |a |for |to |o |os |the )?/i
/** "New students for the guitar course": whom the page is to bring. */
const audience =
  /^(?:nov[oa]s |mais |new |more |nuev[oa]s |más )?(?:alun[oa]s?|clientes?|leads?|interessad[oa]s?|interesad[oa]s?|contatos?|contactos?|pessoas?|gente|pacientes?|inscri[çc][õo]es|inscritos|inscripciones|students?|people|customers?|clients?|contacts?|volunt[áa]rios|volunteers|members|membros|socios)\s(?:interessad[oa]s |interesad[oa]s |interested )?(?:n[oa]s?|em|en|in|pr[oa]s?|para|for|of|do|da|dos|das|de|del|to)\s/i
/** "Reserva de mesa do meu restaurante": whose it is, the page says by its name. */
const ofOurs = /(?<=\s(?:d[oa]s?|n[oa]s?|pr[oa]s?)\s)(?:meus?|minhas?|noss[oa]s?)\s/gi
const ownership = /^(?:o |a |the |el |la )?(?:meu|minha|nosso|nossa|my|our|mi|nuestro|nuestra)\s/i

const article = /^(?:o|a|os|as|the|el|la|los|las|uma?|an?|una?)\s(?=\p{L})/iu

const offering = /^(?:offering|oferecendo|ofreciendo|about|sobre)\s/i
const leads: ReadonlyArray<RegExp> = [visitors, signing, offering, audience, ownership, article]
/** "For clinics to ask for a demonstration" is for the demonstration. */
const whoAsks =
  /^[^,.;]{2,60} (?:pedirem|solicitarem|agendarem|marcarem|baixarem|reservarem|pidan|soliciten|agenden|reserven|descarguen) /i
const shortest = 4
/** "A page to sell more cake" says what the owner wants of it. */
const toDo = /\bto\s*$/i

/** The offer of a capture page according to the order. Empty if the order only asks for a page. */
export const pageOffer = (order: string): string => {
  if (!wish.test(order.trim()) && !page.test(order.trim())) return ""
  let rest = order.trim()
  for (const lead of [wish, page]) {
    const opening = lead.exec(rest)?.[0] ?? ""
    rest = rest.slice(opening.length).trim()
    if (lead === page && toDo.test(opening) && !signing.test(rest)) return ""
  }
  for (const lead of [whoAsks, ...leads]) rest = rest.replace(lead, "").trim()
  const purposeAt = rest.search(/ (?:para|pra|to) /i)
  const purpose = purposeAt < 0 ? "" : rest.slice(purposeAt + 1).replace(/^\S+ /, "")
  // "The page of the Patas clinic to book a vaccination" is for the vaccination.
  if (signing.test(purpose))
    rest = purpose.replace(signing, "").replace(audience, "").replace(ownership, "").replace(article, "")
  const offer = withoutEnd(rest.replace(ofOurs, ""), " .,;:!")
  // "A page to sign up" says not for what.
  const isEmpty = briefWordsOf(offer).every((word) => canMean(word, "visit", "pronoun", "lead", "approval"))
  return offer.length < shortest || isEmpty || phonesIn(offer).length > 0 ? "" : offer
}
