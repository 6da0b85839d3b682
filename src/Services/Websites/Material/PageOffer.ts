import { withoutEnd } from "./MaterialText.ts"

/** What a capture page is for, as the order to make it says: "a page for our pregnancy class" is of the pregnancy class. */

const page =
  /^.{0,60}?\b(?:p[áa]gin\w{1,6}|page|landing(?: page)?|squeeze page|formul[aá]rio|form)(?![\p{L}])(?:\s(?:de|for) (?:capta[çc][ãa]o|captura|cadastro))?(?:\s(?:só|so|solo|just))?\s?(?::|-|–|—|para|pra|pro|for|to|de|da|do|4|onde|donde|where|that|que|q)?\s{0,2}(?:q\s|que\s)?/iu
const wish =
  /^(?:(?:oi|ola|olá|hola|hi|hey|bom dia|por favor|please),?\s)?(?:eu |yo |i )?(?:quero|queria|preciso de|preciso|quiero|necesito|want|need|i'd like|just want|busco)\s(?:que\s|q\s|a\s|uma?\s|una?\s)?/i
const visitors =
  /^(?:a |o |as |os |la |el |los |las |the )?(?:pessoas?|gente|people|clientes?|clientas|customers|pessoal|interessad[oa]s|interesad[oa]s)\s(?:que\s|to\s|can\s)?/i
const signing =
  /^(?:se |can |could |to |puedan? |possam? )?(?:inscrev\w{1,6}|inscrib\w{1,6}|apunt\w{1,6}|anot\w{1,6}|registr\w{1,6}|sign up|baixar|bajar|descargar|download|pedir|request|capture|catch|captar|get)(?:se)?\s(?:en |no |na |em |a la |al |a |for |to |o |os |the )?/i
const ownership = /^(?:o |a |the |el |la )?(?:meu|minha|nosso|nossa|my|our|mi|nuestro|nuestra)\s/i

const article = /^(?:o|a|os|as|the|el|la|los|las)\s(?=\p{L})/iu

const leads: ReadonlyArray<RegExp> = [wish, page, visitors, signing, ownership, article]
const shortest = 4

/** Empty where the order says nothing but that a page is wanted. */
export const pageOffer = (order: string): string => {
  if (!wish.test(order.trim()) && !page.test(order.trim())) return ""
  let rest = order.trim()
  for (const lead of leads) rest = rest.replace(lead, "").trim()
  const offer = withoutEnd(rest, " .,;:!")
  return offer.length < shortest ? "" : offer
}
