import { fold } from "../../Text/PlainText.ts"
import type { Graph } from "./DrawingModel.ts"
import { bareLabel, joiningWords, listIn, sentenceMarks, splitOutside, tokensOf } from "./DrawingWords.ts"
import { Tree } from "./Readers/DrawingTrees.ts"

const upwards =
  /\s(?:(?:now )?reports? to|answers? to|works? (?:for|under)|(?:is|are|sits?|goes|go) (?:under|below)|under|responde[mn]? (?:diretamente )?(?:a|ao|à|al|para|pra|pro)|(?:le |se )?reportan? a|(?:se )?reportam? (?:ao?|à|para|pra)|depende[mn]? d(?:e|o|a|el)|trabalha[mn]? (?:para|com)|fica[mn]? (?:em)?baixo d[eoa]|fica[mn]? abaixo d[eoa]|est[aá]n? (?:debajo|abajo|bajo)(?: de)?|est[aã]o? (?:em)?baixo d[eoa]|es hij[oa] de|s[aã]o filhos de)\s(?:the |o |a |el |la )?/iu
const downwards =
  /^(?:de|d[oa]|under|below|abaixo d[eoa]|(?:em)?baixo d[eoa]|debaixo d[eoa]|debajo de|abajo de|bajo|a cargo de|con|com|with)\s(.{1,60}?)(?::|,|\s(?:depende[mn]?|are|is|est[áaã]o?n?|responde[mn]?|vienen|come|fica[mn]?|tem|has|hay|h[aá]|vem|trabajan?|work|reportan?|there (?:is|are)|we have)(?=\s))\s?(.+)$/iu
/** "under her Oscar and Ray": a pronoun needs no verb behind it. */
const downwardsOf =
  /^(?:de|under|below|abaixo|(?:em)?baixo|debaixo|debajo de|abajo de|bajo|d|con|com|with)(?:\s?(dela|dele|deles|ela|ele|ella|ello|ellos|él|el|her|him|them|it|m[ií]))\s(?:(?:dependen?|dependem?|est[áaã]o?n?|fica[mn]?|v[eê]m|vienen|come|is|are|tem|hay|trabajan?|trabalham?)\s)?(.+)$/iu
/** "debajo: Pedro, Laura": below the person who was named last. */
const belowLast = /^(?:e |and |y )?((?:em)?baixo|debaixo|abaixo|below|under|debajo|abajo)\s?[:,]\s(.+)$/iu
/** "A Rocío le reportan Clara y Tomás", "le reportan Ana y Luis". */
const reportedBy =
  /^(?:(?:a|ao|à|al|to)\s(.{1,50}?)\s)?(?:le |lhe |se )?(?:reportan?|reportam?|responden?|respondem?|report)\s(?!(?:a|ao|to|al|à|para)\s)(.+)$/iu
const leading =
  /^(.{1,60}?)\s(?:manages|leads|heads|supervises|runs|lidera|gerencia|coordena|coordina|supervisa|supervisiona|dirige|chefia|manda en|manda no|comanda|cuida d[eao]|dirige a|tiene a su cargo|tem|tiene|has|have|se divide em|se divide en|divide-se em|splits? in(?:to)?|is divided into|includes|inclui|incluye)\s(?:a )?(.+)$/iu
const naming = /^(.{1,60}?)\s(?:is|é|es|eh|soy|sou|am)\s(?:the |our |an? |o |a |el |la |nosso |nossa )?(.{2,50})$/iu
const everything =
  /^(?:todo|tudo|everything|everyone|todos|a empresa|la empresa|the company|the team|la casa|o negocio|el negocio)$/iu
const pronoun = /^(?:ele|ela|eles|elas|él|ella|ellos|el|him|her|them|he|she|they|dele|dela|it|m[ií]|me)$/iu
const whoseRole =
  /^(.{2,60}?),?\s(?:who (?:is|runs|does|looks after|handles|takes care of)|que (?:cuida d[aoe]s?|es|[ée]|faz|lleva|hace|ve|manda n[ao]))\s(?:the |o |a |el |la |los |las )?(.{2,50})$/iu
const counted =
  /^(?:\d{1,2}|um|uma|dois|duas|tr[eê]s|quatro|cinco|seis|two|three|four|five|six|one|dos|tres|cuatro|cinco|un|una)\s((?:\p{L}+\s?){1,3})[:,]\s?/iu
const professions =
  /^(?:mecanic|vended|vendor|inspect|mechanic|driver|motorist|stylist|cabelei|estilist|cozinh|cocin|cook|chef|garc|meser|waiter|assist|atend|recep|analist|tecnic|technic|engineer|engenh|ingenier|auxil|ayudant|apprentic|aprendi|estagi|intern|operar|operad|operator|soldad|welder|electric|eletric|pintor|painter|pedreir|albanil|chalan|director|diretor|gerent|manager|jef|chefe|head|lead|superv|coorden|coordin|socio|owner|dueno|dono|dona|president|ceo|cfo|coo|cto|foreman|encarreg|encargad|secret|caixa|cajer|cashier|barist|instruct|instrut|profes|teacher|trainer|treinad|entrenad|nurse|enferm|dentist|vet$|designer|develop|desenvolv|programad|account|contador|contad|sales|marketing|abuel|avo|hij|filh|nieto|net|padre|pai|mae|madre|direc|diret|gerenc|administ|financ|finance|vendas|ventas|produc|compras|logist|rh$|hr$|operac|operat|enfermer|recepc|chair|boss|patr|encarg)/u

const numbers: ReadonlyArray<ReadonlyArray<string>> = [
  [],
  ["um", "uma", "one", "un", "una"],
  ["dois", "duas", "two", "dos"],
  ["tres", "three"],
  ["quatro", "four", "cuatro"],
  ["cinco", "five"],
  ["seis", "six"]
]

const numberOf = (text: string): number => {
  const word = tokensOf(text)[0] ?? ""
  return /^\d+$/.test(word) ? Number(word) : numbers.findIndex((words) => words.includes(word))
}

const topWords =
  /^(?:at the |no |en el |lo |na )?(?:top|topo|root|raiz|ra[ií]z|head|cabe[cç]a|arriba|em cima|mais alto|m[aá]s alto)$/iu
const groups = /^(?:team|staff|equipe|equipo|dept|department|departamento|[aá]rea|setor|sector|crew)$/iu
const fields =
  /^(?:comercial|industrial|geral|general|financeir[oa]|financier[oa]|executiv[oa]|t[eé]cnic[oa]|operacional|administrativ[oa]|sales|operations|finance|technical|managing|executive)$/iu

const isCapital = (word: string): boolean => /^["“(]?\p{Lu}/u.test(word)
const isProfession = (word: string): boolean => professions.test(fold(word).replace(/[^\p{L}]/gu, ""))

interface Person {
  readonly name: string
  readonly role: string
}

/** "gerente general Ana Ruiz", "Tina days", "Ray who runs the floor": a name with the role next to it. */
export const personOf = (raw: string): Person | undefined => {
  const text = bareLabel(raw)
  const who = whoseRole.exec(text)
  if (who !== null) return { name: bareLabel(who[1] ?? ""), role: bareLabel(who[2] ?? "") }
  if (/\([^()]*\)$/.test(text)) return { name: text, role: "" }
  const words = text.split(" ").filter((word) => word !== "")
  const isField = (word: string, at: number): boolean =>
    at === 1 && fields.test(word) && isProfession(words[0] ?? "") && words.slice(2).some(isCapital)
  const first = words.findIndex(
    (word, at) =>
      isCapital(word) &&
      !isField(word, at) &&
      !(at === 0 && words.length > 1 && isProfession(word) && words.slice(1).some(isCapital))
  )
  if (first < 0 || words.length === 1) return { name: text, role: "" }
  if (first > 0) {
    const before = words.slice(0, first)
    const name = words.slice(first)
    return name.every(isCapital) || name.slice(1).every((word) => isCapital(word) || joiningWords.has(fold(word)))
      ? { name: name.join(" "), role: bareLabel(before.join(" ")) }
      : undefined
  }
  const end = words.findIndex(
    (word, at) =>
      at > 0 &&
      !isCapital(word) &&
      !(
        joiningWords.has(fold(word)) &&
        isCapital(words[at + 1] ?? "") &&
        !/^(?:no|na|en|em|de caja|in|at)$/.test(fold(word))
      )
  )
  if (end < 0) return { name: text, role: "" }
  const tail = words.slice(end)
  if (tail.every((word) => groups.test(word))) return { name: text, role: "" }
  return tail.slice(1).some(isCapital)
    ? undefined
    : { name: words.slice(0, end).join(" "), role: bareLabel(tail.join(" ")) }
}

/** Parses sentences about who reports to whom into a tree. */
class Reports {
  readonly tree = new Tree()
  /** The person whom a pronoun refers to. */
  #last = ""

  /** The node of a person; undefined if it is unclear what is the name and what the role. */
  #person(raw: string): string | undefined {
    if (pronoun.test(bareLabel(raw)) || bareLabel(raw) === "") return this.#last === "" ? undefined : this.#last
    const person = personOf(raw)
    if (person === undefined || person.name === "") return undefined
    const key = this.tree.node(person.name)
    this.tree.describe(key, person.role)
    return key
  }

  #below(above: string | undefined, raw: string): boolean {
    const count = counted.exec(raw)
    const list = count === null ? raw : raw.slice(count[0].length)
    const at = list.indexOf(":")
    const role = count !== null ? bareLabel(count[1] ?? "") : at > 0 ? bareLabel(list.slice(0, at)) : ""
    const names = listIn(at > 0 ? list.slice(at + 1) : list)
    if (above === undefined || (count !== null && numberOf(count[0]) !== names.length)) return false
    for (const name of names) {
      const node = this.#person(name)
      if (node === undefined || node === above) return false
      this.tree.link(above, node, role)
    }
    this.#last = above
    return true
  }

  /** "Mark, Tom reports to": the first of several names ends a sentence, and the others begin the next. */
  #upwards(parts: ReadonlyArray<string>): boolean {
    let subjects = listIn(parts[0] ?? "")
    for (const part of parts.slice(1)) {
      const [name = "", ...rest] = splitOutside(part, /,\s|\s(?:e|and|y)\s/gu)
      const above = this.#person(name)
      if (above === undefined || subjects.length === 0) return false
      for (const subject of subjects) {
        const node = this.#person(subject)
        if (node === undefined) return false
        this.tree.link(above, node)
      }
      this.#last = above
      subjects = rest.map(bareLabel).filter((each) => each !== "")
    }
    return subjects.length === 0
  }

  /** "Owner: Grace", "Ana: Bia, Caio", "Stylists under Toni: Mel, Ash". */
  #labelled(sentence: string): boolean | undefined {
    const at = sentence.search(/:\s/)
    if (at < 0) return undefined
    const [head, list] = [sentence.slice(0, at).trim(), sentence.slice(at + 1).trim()]
    if (topWords.test(head)) {
      const key = this.#person(list)
      this.#last = key ?? ""
      return key !== undefined
    }
    const under = /^(.{2,40}?)\s(?:under|below|de|do|da|del|embaixo d[eoa]|abaixo d[eoa])\s(.{1,50})$/iu.exec(head)
    if (under !== null && this.tree.has(under[2] ?? ""))
      return this.#below(this.#person(under[2] ?? ""), `${under[1]}: ${list}`)
    if (this.tree.has(head)) return this.#below(this.#person(head), list)
    const words = tokensOf(head)
    if (words.length > 4 || listIn(list).length !== 1)
      return isProfession(words[0] ?? "") || words.length > 3 ? false : this.#below(this.#person(head), list)
    if (!isProfession(words[0] ?? "")) return this.#below(this.#person(head), list)
    return this.#roleOf(head, list)
  }

  /** "Manager: Toni (reports to Grace)". */
  #roleOf(role: string, text: string): boolean {
    const bracket = /^([^()]{1,60})\(([^()]{1,60})\)$/.exec(text)
    const inner = bracket === null ? "" : ` ${bracket[2] ?? ""}`
    const parts = inner.split(upwards)
    const isAbove = bracket !== null && parts.length === 2 && (parts[0] ?? "").trim() === ""
    const key = this.#person(isAbove ? (bracket[1] ?? "") : text)
    const above = isAbove ? this.#person(parts[1] ?? "") : undefined
    if (key === undefined || (isAbove && above === undefined)) return false
    this.tree.describe(key, role)
    if (above !== undefined) this.tree.link(above, key)
    this.#last = key
    return true
  }

  /** "En producción está Dolores Vega con Irene". */
  #placed(sentence: string): boolean | undefined {
    const match =
      /^(?:en|em|no|na|in)\s(.{2,40}?)\s(?:est[áaã]o?n?|fica[mn]?|is|are|tem|hay)\s(.{2,80}?)\s(?:con|com|with|under|debajo de|abaixo d[eoa])\s(.{2,50})$/iu.exec(
        sentence
      )
    const above = match === null ? undefined : this.#person(match[3] ?? "")
    if (match === null || above === undefined) return undefined
    return this.#below(above, match[2] ?? "")
  }

  /** "Grace is the owner", "a dona é a Vera". */
  #named(sentence: string): boolean | undefined {
    const match = naming.exec(sentence)
    if (match === null) return undefined
    // In "A dona é a Vera", the capitalised word is the name.
    const isTurned = isProfession(bareLabel(match[1] ?? "")) && isCapital(bareLabel(match[2] ?? ""))
    const [name, role] = isTurned ? [match[2], match[1]] : [match[1], match[2]]
    const key = this.#person(name ?? "")
    if (key === undefined) return false
    this.#last = key
    this.tree.describe(key, bareLabel(role ?? ""))
    return true
  }

  #belowOf(sentence: string): boolean | undefined {
    const ofPronoun = downwardsOf.exec(sentence) ?? belowLast.exec(sentence)
    if (ofPronoun !== null && this.#last !== "") return this.#below(this.#last, ofPronoun[2] ?? "")
    const placed = this.#placed(sentence)
    if (placed !== undefined) return placed
    const match = reportedBy.exec(sentence) ?? downwards.exec(sentence)
    return match === null ? undefined : this.#below(this.#person(match[1] ?? ""), match[2] ?? "")
  }

  #above(sentence: string): boolean | undefined {
    const parts = sentence.split(upwards)
    return parts.length > 1 ? this.#upwards(parts) : undefined
  }

  /** A manager before the verb. If the manager must already exist, other readings come first. */
  #leading(sentence: string, mustBeKnown: boolean): boolean | undefined {
    const match = leading.exec(sentence)
    if (match === null || (mustBeKnown && !this.tree.has(match[1] ?? ""))) return undefined
    return this.#leads(match[1] ?? "", match[2] ?? "")
  }

  /** "Gerente general Ana Ruiz": the first person is at the top. */
  #first(sentence: string): boolean {
    const person = this.#last === "" ? personOf(sentence) : undefined
    return person !== undefined && person.role !== "" && this.#roleOf(person.role, person.name)
  }

  /** Whether the sentence states who reports to whom, or a person's role. */
  read(sentence: string): boolean {
    const readings = [
      () => this.#belowOf(sentence),
      () => this.#leading(sentence, true),
      () => this.#labelled(sentence),
      () => this.#above(sentence),
      () => this.#leading(sentence, false),
      () => this.#named(sentence)
    ]
    for (const reading of readings) {
      const isRead = reading()
      if (isRead !== undefined) return isRead
    }
    return this.#first(sentence)
  }

  #leads(name: string, list: string): boolean {
    const key = this.#person(name)
    if (key === undefined) return false
    if (everything.test(bareLabel(list))) {
      this.#last = key
      return true
    }
    return this.#below(key, list)
  }
}

const corrected = /(?<!\p{L})(?:n[aã]o,? perd[aã]o|no,? perd[oó]n|i mean|quer dizer|ou melhor|mejor dicho)(?!\p{L})/iu
const nextSentence = /,\s(?=(?:(?:em)?baixo|debaixo|abaixo|under|below|debajo|abajo|bajo)\s)/iu

/** Sentences joined by "and", each of which states who reports to whom. */
const parted = (sentence: string): ReadonlyArray<string> => {
  const match = /,\s(?:e|and|y)\s(?=.{3,120}$)/u.exec(sentence)
  const rest = match === null ? "" : sentence.slice(match.index + match[0].length)
  return match !== null && (leading.test(rest) || upwards.test(rest))
    ? [sentence.slice(0, match.index), rest]
    : [sentence]
}

const sentenceEnds = new RegExp(`${sentenceMarks.source}|;`, "gu")

/** "A reports to B", "De B dependen A y C", "A leads B and C", in sentences. */
export const reportedTree = (data: string): Graph | undefined => {
  if (corrected.test(data)) return undefined
  const reports = new Reports()
  const sentences = splitOutside(data, sentenceEnds)
    .flatMap((each) => each.split(nextSentence))
    .flatMap(parted)
    .map((each) => each.replace(/^\s*(?:[-*•–]\s+|(?:e|and|y|depois|then|luego)\s)/iu, "").trim())
    .filter((each) => each !== "")
  return sentences.every((sentence) => reports.read(sentence)) ? reports.tree.graph("down") : undefined
}
