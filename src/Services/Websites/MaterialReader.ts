import { detectLanguage, type Language, languageOf } from "../Text/Language.ts"
import { clip, fold } from "../Text/PlainText.ts"
import {
  addressIn,
  type Contacts,
  mailIn,
  phonesIn,
  siteLinksIn,
  tellsAddress,
  tellsHours
} from "./MaterialContacts.ts"
import {
  bareItem,
  capitalised,
  itemsIn,
  names,
  type Statement,
  sentencesIn,
  statementsOf,
  titled,
  within,
  withoutEnd
} from "./MaterialText.ts"
import { type Sector, sectorOf } from "./Sectors.ts"
import type { SiteMaterial } from "./SiteWriter.ts"

export interface TitledText {
  readonly title: string
  readonly text: string
}

export interface PricedItem {
  readonly name: string
  readonly price: string
  readonly text: string
  readonly includes: ReadonlyArray<string>
}

/** What the material says, sorted by what a site does with it. Every text is the material's own. */
export interface ReadMaterial {
  readonly language: Language
  readonly sector: Sector
  /** Empty where nothing names the business. */
  readonly name: string
  /** "Law firm in Boston"; empty where nothing says it. */
  readonly about: string
  readonly slogan: string
  /** Sentences for visitors, in their order. */
  readonly statements: ReadonlyArray<string>
  readonly offers: ReadonlyArray<TitledText>
  /** As the material calls them; empty where it does not. */
  readonly offersLabel: string
  readonly benefits: ReadonlyArray<TitledText>
  readonly prices: ReadonlyArray<PricedItem>
  readonly pricesLabel: string
  readonly figures: ReadonlyArray<{ readonly value: string; readonly label: string }>
  readonly quotes: ReadonlyArray<{ readonly words: string; readonly name: string; readonly role: string }>
  readonly clients: ReadonlyArray<string>
  readonly clientsLabel: string
  readonly people: ReadonlyArray<{ readonly name: string; readonly role: string; readonly text: string }>
  readonly steps: ReadonlyArray<TitledText>
  readonly questions: ReadonlyArray<{ readonly question: string; readonly answer: string }>
  readonly contacts: Contacts
  /** Sentences that were left out because they are in another language. */
  readonly foreign: number
  /** What the owner asks for, without accents and in lower case. */
  readonly wishes: string
  /** Of these, what is said to who makes the site, not to its visitors. */
  readonly orders: string
}

type Kind =
  | "offers"
  | "benefits"
  | "prices"
  | "clients"
  | "quotes"
  | "people"
  | "steps"
  | "figures"
  | "contact"
  | "slogan"
  | "name"
  | "about"
  | "hidden"

// What a label is of. The first that fits counts.
const labels: ReadonlyArray<readonly [Kind, RegExp]> = [
  [
    "hidden",
    /^(?:campos|fields?|form fields|formulario|form|cores?|colou?rs?|colores|estilo|style|design|diseno|layout|tom|tone|tono|publico|audience|target|alvo|objetivo|goal|paginas?|pages?|sec(?:oes|tions|ciones)|idioma|language|fonte|fonts?|tipografia|inspira\w*|referencias?|references?|observac\w*|notes?|importante|palavras-chave|keywords|seo|cta|botao|button|boton|menu do site|campanha|campaign|campana)\b/
  ],
  [
    "slogan",
    /^(?:slogan|tagline|lema|frase de efeito|motto|headline|titulo|title|chamada|oferta|offer|isca digital|isca|lead magnet)\b/
  ],
  ["name", /^(?:nome|name|nombre|empresa|company|business|marca|brand)(?: (?:da|do|of|de|fantasia).{0,20})?$/],
  [
    "prices",
    /^(?:precos?|tabela de precos|valores|prices?|pricing|precios?|planos?|plans?|planes|cardapio|menu|carta|tarifas?|rates|investimento|pacotes|packages|paquetes|assinaturas?|tickets?|ingressos?|entradas?)\b/
  ],
  [
    "benefits",
    /^(?:vantagens|diferenciais|diferencial|beneficios|benefits|advantages|ventajas|why|por que|por qu|o que voce (?:ganha|recebe)|what you get|lo que recibe)/
  ],
  [
    "steps",
    /^(?:como funciona|how it works|passo a passo|passos|steps|pasos|etapas|processo|process|proceso|programacao|agenda|schedule|programme|programa|program)\b/
  ],
  [
    "clients",
    /^(?:(?:nossos |alguns |our |nuestros )?(?:clientes|clients|customers)|parceiros|partners|socios|trusted by|patrocinadores|sponsors|convenios|quem confia)\b/
  ],
  ["quotes", /^(?:depoimentos?|testimonials?|testimonios?|avaliacoes|reviews?|resenas|o que dizem|what .{0,20} say)\b/],
  [
    "people",
    /^(?:equipe|time|team|equipo|nosso time|our team|profissionais|professionals|profesionales|corpo clinico|medicos|doctors|socios|founders|fundadores|palestrantes|speakers|ponentes|professores|teachers|profesores|instrutores|advogados|lawyers|abogados)\b/
  ],
  ["figures", /^(?:numeros|em numeros|numbers|figures|cifras|resultados|results)\b/],
  [
    "contact",
    /^(?:contatos?|contacts?|contactos?|telefones?|tel|phone|telefono|whatsapp|celular|mobile|e-?mail|correo|endereco|address|direccion|local|localizacao|location|onde estamos|ubicacion|horarios?.{0,24}|opening hours|hours|site|website|instagram|facebook|linkedin|redes sociais|social media|redes|funcionamento|atendimento)$/
  ],
  [
    "offers",
    /^(?:(?:nossos |nossas |our |nuestros |nuestras |principais |main )?(?:servicos?|services?|servicios?|produtos?|products?|productos?|especialidades|specialties|especialidad|solucoes|solutions|soluciones|tratamentos|treatments|tratamientos|cursos|courses|clases|classes|aulas|areas de (?:atuacao|practica)|practice areas|projetos|projects|proyectos|trabalhos|trabajos|programas|programs|atividades|activities|actividades|modalidades|colecoes|collections|colecciones|recursos|features|funcionalidades|funciones|oferecemos|we offer|ofrecemos|o que fazemos|o que oferecemos|what we do|what we offer|que hacemos|que ofrecemos|fazemos|trabalhamos com|acomodacoes|quartos|rooms|habitaciones|amenities|comodidades|exames|sabores|flavou?rs))\b/
  ],
  [
    "about",
    /^(?:sobre|about|quem somos|quienes somos|historia|our story|history|nossa historia|missao|mission|mision|descricao|description|descripcion|bio|valores)\b/
  ]
]

const kindOf = (label: string): Kind | undefined => {
  const folded = fold(label)
  return labels.find(([, words]) => words.test(folded))?.[0]
}

// The owner speaks to who makes the site.
const asks =
  /^(?:por favor,? |please,? |favor )?(?:crie|criar|cria|faca|fazer|faz|monte|montar|desenvolva|desenvolver|gere|gerar|preciso|precisamos|quero|queremos|gostaria|gostariamos|inclua|incluir|inclui|coloque|colocar|mostre|mostrar|use|usar|utilize|adicione|adicionar|destaque|destacar|deve|devem|deixe|evite|nao (?:use|inclua|coloque|mostre)|create|build|make|design|develop|generate|write|i want|i'd like|i would like|i need|we want|we need|we'd like|we would like|need|include|add|show|highlight|display|feature|avoid|don't|do not|keep it|it should|it must|should|must|the (?:site|page|website|landing|design|form|layout|tone|style|home|header|footer|visitor|goal|audience)|visitors (?:should|must)|crea|crear|cree|haz|hacer|haga|disena|disenar|disene|necesito|necesitamos|quiero|quisiera|incluya|incluir|incluye|agrega|agregue|muestra|muestre|usa|utiliza|debe|deben|destaca|evita|o (?:site|formulario|layout|design|objetivo|publico|tom|visual)|a (?:pagina|landing|home|identidade)|el (?:sitio|formulario|diseno|objetivo|publico|tono)|la (?:pagina|landing)|site|website|sitio|pagina|landing|web|portfolio|portafolio|blog|loja virtual|online shop|tienda online|formularios?|campanha|campaign|campana|cores|colou?rs|colores|tons|ask for|collect|capture|pedir|peca|pida|permitir|permita|allow|let|visitantes?|visitors?|clientes devem|one[- ]page|um site|uma pagina|una pagina|un sitio|a (?:website|site|landing|page|one|capture|lead|squeeze)|(?:uma?|an?|una?) (?:pagina|landing|site|sitio|capture|website)|an? (?:simple|modern|elegant|small|professional|beautiful).{0,20} (?:site|website|page))\b/
const ofSites =
  /\b(?:website|web ?site|landing page|lead|leads|layout|wireframe|seo|call to action|cta|paleta|color scheme|identidade visual|publico-alvo|target audience|formulario de|o site|do site|no site|pelo site|via site|on the site|por el sitio|en el sitio|the site|el sitio|del sitio|nosso site|our site|cores (?:quentes|frias|claras|escuras|sobrias)|tons? de|capturar|gerar leads)\b/

const looks =
  /\b(?:look|looks|mode|style|design|visual|estilo|modo|tema|theme|feel|colou?rs?|cores|colores|tons)\b|^(?:galeria|gallery|fotos|photos|mapa|map|faq|blog)\b/

const isAsk = (text: string): boolean => {
  const folded = fold(text)
  return asks.test(folded) || ofSites.test(folded) || (folded.length < 70 && looks.test(folded))
}

const money =
  /(?:(?:a partir de|from|desde|starting at|por apenas|s[oó])\s)?(?:R\$|US\$|€|£|\$)\s?\d[\d.,]{0,14}\d?|\d[\d.,]{0,14}\s?(?:reais|euros?|d[oó]lares|dollars|USD|EUR|pesos)\b/i
const period =
  /^\s?(?:\/\s?(?:m[eê]s|mes|month|ano|year|año|dia|day|hora|hour|h|pessoa|person|persona|noite|night|noche|aula|kg|un|unidade|m²|m2|sess[aã]o|session)|(?:por|per|al|a) (?:m[eê]s|mes|month|ano|year|año|dia|day|hora|hour|pessoa|person|persona|noite|night|noche|aula|unidade|sess[aã]o|session))\b/i

const priced = (text: string): PricedItem | undefined => {
  const found = money.exec(text)
  if (found === null) return undefined
  const after = text.slice(found.index + found[0].length)
  const per = period.exec(after)?.[0] ?? ""
  const before = bareItem(
    withoutEnd(text.slice(0, found.index), " (–—:-").replace(
      /\s(?:por|for|a|at|de|custa|costs?|cuesta|sai por|es)$/i,
      ""
    )
  )
  const rest = after.slice(per.length).replace(/^[\s).,:;–—-]+/, "")
  const [name = "", ...more] = before === "" ? [titled(rest).title] : before.split(/\s[–—-]\s|:\s/)
  if (name.length < 2 || name.length > 90) return undefined
  const told = [...more, ...(before === "" ? [titled(rest).text] : [rest])]
    .filter((part) => part.trim() !== "")
    .join(". ")
  const list = itemsIn(told)
  return {
    name: within(capitalised(name.replace(/^(?:o|a|os|as|the|el|la)\s/i, "")), 120),
    price: within(withoutEnd(`${found[0]}${per}`, ".,").trim(), 60),
    text: list.length > 1 ? "" : within(capitalised(bareItem(told)), 400),
    includes: list.length > 1 ? list.slice(0, 12).map((item) => within(capitalised(item), 200)) : []
  }
}

const quoted = /[“"«]([^”"»\n]{12,600})[”"»]\s{0,3}[—–-]{1,2}\s{0,3}([^,.(\n”"]{2,80})(?:[,(]\s?([^.)\n;]{2,120}))?/g
const counted =
  /\b(?:(mais de|over|more than|más de|mas de)\s)?(\d[\d.,]{0,9}(?:\s?(?:mil|milhões|million|millones|k\b|%))?\+?)\s(anos|years?|años|clientes|clients|customers|projetos|projects|proyectos|alunos|students|alumnos|empresas|companies|firms|pacientes|patients|unidades|lojas|stores|tiendas|países|countries|paises|cidades|cities|ciudades|profissionais|professionals|profesionales|famílias|families|familias|im[oó]veis|casos|cases|eventos|events|horas|hours|quartos|rooms|habitaciones|obras|toneladas|tons|tonnes|volunt[áa]rios|volunteers|voluntarios|escolas|schools|escuelas|cursos|courses|turmas|refei[çc][õo]es|meals|comidas|[áa]rvores|trees|[áa]rboles|pe[çc]as|produtos|products|productos|membros|members|miembros|lojistas|usu[áa]rios|users|usuarios|downloads|cidad[ãa]os|im[óo]veis|m²)\b([^.,;:()\n]{0,60})/gi
// "Fewer than 200 people" is not a figure to show.
const limits =
  /\b(?:fewer than|less than|up to|at most|até|menos de|no máximo|a partir de|hasta|como máximo|entre|between)\s\d/i
const described = /(?:[,—–(]|\sé|\sis|\ses|\s-)\s?(?:uma?|an?|una?|the|o|a|el|la)\s([^.;\n(]{4,160})/
const forA =
  /\b(?:para|for|de|of)\s(?:(?:a minha|o meu|minha|meu|nossa|nosso|my|our|mi|nuestra|nuestro|uma?|an?|una?)\s)?(\p{Ll}[^.;:\n(]{4,160})/u
const properName =
  "(?:[A-ZÀ-Ý0-9][\\p{L}\\d'’&-]{0,30})(?:\\s(?:d[aeo]s?|del|de la|e|y|and|&|of|the|la|el|in)(?=\\s)){0,2}"
const nameRun = new RegExp(`^(?:${properName}\\s?){1,6}`, "u")
const called =
  /\b(?:chamad[oa]s?|denominad[oa]|called|named|llamad[oa]|cujo nome é|de nome|se chama|chama-se|se llama)\s[“"«]?([^”"».,;:\n]{2,60})/i
const siteFor =
  /(?:[Ss]ite|[Pp][áa]gina|[Ll]anding|[Ww]ebsite|[Pp]age|[Ss]itio|[Ww]eb|[Ll]oja virtual|[Pp]ort[áa]l|[Pp]ort(?:f[óo]|afo)lio|[Cc]aptura)\b[^.:\n]{0,60}?\s(?:para|for|do|da|dos|das|de|del|of)\s(?:(?:a minha|o meu|minha|meu|nossa|nosso|my|our|mi|nuestra|nuestro) (?:(?:empresa|loja|neg[óo]cio|cl[íi]nica|company|business|shop|studio|firm|tienda|est[úu]dio|restaurante?) )?|(?:o|a|os|as|the|el|la|los|las|empresa|company) )?(?=[A-ZÀ-Ý“"«])/u
const isCalled = /^([A-ZÀ-Ý][^.,;:\n]{1,50}?)\s(?:é|is|es|são|are|son|oferece|offers|ofrece|fica|atende)\s/u

const endWords = /\s(?:d[aeo]s?|del|de la|e|y|and|&|of|the|la|el|in)$/

const cleanName = (raw: string): string =>
  within(withoutEnd(raw.replace(/^[“"«]|[”"»]$/g, "").replace(endWords, ""), " ,.;:–—-").trim(), 80)

const ours = /\b(?:minha|meu|nossa|nosso|my|our|mi|nuestra|nuestro)\s(?:\p{Ll}+\s){0,3}?\p{Ll}+,\s(?=[A-ZÀ-Ý])/u
const runWord = /^[A-ZÀ-Ý][\p{L}\d'’&.-]*$/u
const runJoint = /^(?:d[aeo]s?|del|e|y|and|&|of|la|el)$/

/**
 * The name that a description opens with ("Taquería El Comal, en …", "Clínica veterinária Bicho Bem, …"): its first words
 * up to a comma, colon or stop, where at least two begin with capitals or the last ones do.
 */
const openingName = (description: string): string | undefined => {
  const opening = /^[^,:;(\n–—]{2,80}?(?=[,:;(\n–—]|\.\s|\.$|$)/u.exec(description.trim())?.[0].trim() ?? ""
  if (isAsk(opening)) return undefined
  const words = opening.split(/\s/)
  const isName = (word: string): boolean => runWord.test(word)
  let lead = 0
  while (lead < words.length && (isName(words[lead] ?? "") || (lead > 0 && runJoint.test(words[lead] ?? "")))) lead++
  const first = words.slice(0, lead)
  if (first.filter(isName).length >= 2) return cleanName(first.join(" "))
  let start = words.length
  while (start > 1 && (isName(words[start - 1] ?? "") || runJoint.test(words[start - 1] ?? ""))) start--
  while (start < words.length && !isName(words[start] ?? "")) start++
  const last = words.slice(start)
  return start > 1 && last.length > 0 && last.length < 6 ? cleanName(last.join(" ")) : undefined
}

/** What the description calls the business; undefined where it has no name. */
export const nameIn = (description: string): string | undefined => {
  const quotedName = called.exec(description)
  if (quotedName !== null) {
    const run = nameRun.exec(quotedName[1] ?? "")?.[0]
    return cleanName(run ?? quotedName[1] ?? "")
  }
  const match = siteFor.exec(description)
  if (match !== null) {
    const rest = description.slice(match.index + match[0].length)
    const inQuotes = /^[“"«]([^”"»\n]{2,60})[”"»]/.exec(rest)
    const run = inQuotes?.[1] ?? nameRun.exec(rest)?.[0]
    if (run !== undefined && run.trim().length > 1) return cleanName(run)
  }
  const own = ours.exec(description)
  if (own !== null) {
    const run = nameRun.exec(description.slice(own.index + own[0].length))?.[0]
    if (run !== undefined && run.trim().length > 2) return cleanName(run)
  }
  const opening = openingName(description)
  if (opening !== undefined) return opening
  const subject = isCalled.exec(description.trim())
  const found = subject?.[1]
  return found === undefined ||
    /^(?:O|A|Os|As|The|El|La|Los|Las|Um|Uma|We|Nós|Our|Nossa|Nosso|It|This|Este|Esta|Nuestra|Nuestro)\s?$/.test(
      found
    ) ||
    isAsk(found)
    ? undefined
    : cleanName(found.replace(/^(?:O|A|The|El|La)\s/, ""))
}

/** What it is, without how the site is to be: cut where the owner's wishes begin. */
const shortAbout = (text: string): string => {
  const cut = text.search(
    /,?\s(?:com (?:se[cç]|p[aá]gina|formul|card|foto|galeria|contato|bot)|with (?:a |an |sections|pages|photos|contact|menu|form)|con (?:secc|p[aá]gina|formul|fotos|galer|contacto)|mostrando|showing|where|onde|donde|que (?:mostre|muestre|tenha|tenga)|para (?:captar|capturar|divulgar|mostrar)|to (?:show|capture|collect|present)|queremos|we want|we need)\b/i
  )
  const kept = (cut > 3 ? text.slice(0, cut) : text).trim()
  const clauses = kept.split(/,\s/)
  let about = clauses[0] ?? ""
  for (const clause of clauses.slice(1)) {
    if (`${about}, ${clause}`.length > 90) break
    about = `${about}, ${clause}`
  }
  const bare = bareItem(about).replace(/\s(?:e|and|y|com|with|con|em|in|en|de|of)$/, "")
  return bare.length < 4 || bare.length > 120 || ofSites.test(fold(bare)) ? "" : capitalised(bare)
}

const aboutIn = (description: string, name: string): string => {
  const at = name === "" ? -1 : description.indexOf(name)
  if (at >= 0) {
    const rest = description.slice(at + name.length)
    const end = rest.search(/[.;\n]/)
    const clause = end < 0 ? rest : rest.slice(0, end)
    const found = described.exec(clause)
    if (found !== null && found.index < 4) return shortAbout(found[1] ?? "")
    const bare = /^,\s([\p{Ll}][^.;\n]{4,160})/u.exec(clause)
    const isWhat = !/^(?:em|en|in|at|no|na|nos|nas)\s/.test(bare?.[1] ?? "")
    if (bare !== null && isWhat && !isAsk(bare[1] ?? "")) return shortAbout(bare[1] ?? "")
    // "Clínica veterinária Bicho Bem": what stands before the name, where the description begins with it.
    const opening = /^\p{Lu}[\p{L}\s]{6,60}$/u.exec(description.slice(0, at).trim())?.[0]
    if (opening !== undefined && !isAsk(opening)) return shortAbout(opening)
    // "For the bakery called Aurora": what stands before the name.
    const words = description
      .slice(Math.max(0, at - 80), at)
      .trim()
      .split(/\s+/)
    const from = words.findLastIndex((word) => /^(?:para|for|of|da|do|de)$/.test(word))
    const told = words
      .slice(from + 1)
      .filter((word) => !/^(?:a|o|the|el|la|chamad[oa]|called|named|llamad[oa])$/.test(word))
    const [first = ""] = told
    return from < 0 || !/^\p{Ll}/u.test(first) || /^(?:minha|meu|nossa|nosso|my|our|mi|nuestr[oa])$/.test(first)
      ? ""
      : shortAbout(told.join(" "))
  }
  return shortAbout(forA.exec(description)?.[1] ?? "")
}

const offering =
  /\b(?:oferecemos|oferece|fazemos|vendemos|trabalhamos com|prestamos|atuamos (?:com|em)|we offer|we provide|offers|offering|we sell|we make|we do|ofrecemos|ofrece|hacemos|mostrar|divulgar|apresentar|mostre|show|present|showcase|mostrar|ofrecer|muestre)\s(?:os |as |the |our |nossos |nossas |los |las |nuestros |nuestras |serviços de |services such as |servicios de )?([^.;\n]{6,300})/i
const sectionWords =
  /^(?:(?:os|as|a|o|the|our|nossos?|nossas?|los|las|el|la|nuestr[oa]s|with|com|con)\s)?(?:servicos?|services?|servicios?|produtos?|products?|productos?|equipe|team|equipo|contatos?|contact(?: form)?|contacto|precos?|prices?|pricing|precios?|planos?|plans|planes|depoimentos?|testimonials?|testimonios|galeria|gallery|fotos|photos|faq|perguntas frequentes|preguntas frecuentes|horarios?(?: de .*)?|opening hours|hours|localizacao|location|ubicacion|mapa|map|sobre(?: nos)?|about(?: us)?|blog|cardapio|menu|formulario.*|form|endereco|address|direccion|clientes|clients|portfolio|trabalhos|numeros|historia|diferenciais|redes sociais|whatsapp|telefone|phone|e-?mail)$/

const isForeignTo = (text: string, language: Language, leastWords = 5): boolean => {
  if (text.split(/\s+/).length < leastWords) return false
  // "e-mail" would count as a Portuguese word.
  const found = detectLanguage(text.replace(/\be-mail/gi, "mail"))
  return found !== undefined && found !== language
}

const published = (text: string): boolean => text.length >= 15 && text.length <= 420

const longestLine = 2000

const linesOf = (texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  texts.flatMap((text) => text.split("\n")).map((line) => clip(line, longestLine))

const unique = <A>(items: ReadonlyArray<A>, keyOf: (item: A) => string, most: number): ReadonlyArray<A> =>
  [...new Map(items.toReversed().map((item) => [fold(keyOf(item)), item])).values()].toReversed().slice(0, most)

const endsInMark = (text: string): string => (/[.!?…”"]$/.test(text) ? text : `${text}.`)

/** Reads all that the material says. Pure: the same material is read the same. */
export const readMaterial = (material: SiteMaterial): ReadMaterial => {
  const language = languageOf(material.language)
  const { description } = material
  // Its name and what it is stand at the beginning.
  const opening = clip(description, longestLine)
  const business = material.facts.filter(({ source }) => source === "business").map(({ text }) => text)
  const [businessName = ""] = business.filter((text) => text.length <= 80 && !/[.!?]\s|\n|https?:|www\./.test(text))
  const name = material.businessName?.trim() || nameIn(opening) || businessName
  const read: ReadonlyArray<Statement & { readonly isOwn: boolean }> = [
    ...statementsOf(description).map((each) => ({ ...each, isOwn: true })),
    ...material.facts
      .filter(({ source, text }) => source !== "faq" && source !== "guidelines" && text !== businessName)
      .flatMap(({ text }) => statementsOf(text).map((each) => ({ ...each, isOwn: false })))
  ]
  const offers: Array<TitledText> = []
  const benefits: Array<TitledText> = []
  const prices: Array<PricedItem> = []
  const figures: Array<ReadMaterial["figures"][number]> = []
  const clients: Array<string> = []
  const people: Array<ReadMaterial["people"][number]> = []
  const steps: Array<TitledText> = []
  const questions: Array<ReadMaterial["questions"][number]> = []
  const prose: Array<string> = []
  const hours: Array<string> = []
  let [offersLabel, pricesLabel, clientsLabel, slogan, foreign, asked] = ["", "", "", "", 0, ""]
  const items = (text: string, isItem: boolean): ReadonlyArray<TitledText> =>
    (isItem ? [text] : itemsIn(text)).map((item) => {
      const { text: more, title } = titled(item)
      return title.length > 90
        ? { title: within(title, 90), text: more }
        : { title, text: more === "" ? "" : endsInMark(more) }
    })

  for (const { isItem, isOwn, label, text } of read) {
    const kind = label === "" ? undefined : kindOf(label)
    if (kind === "hidden") continue
    if (asked !== "") {
      if (!text.endsWith("?")) questions.push({ question: asked, answer: text.replace(/^(?:R|A):\s/, "") })
      asked = ""
      continue
    }
    if (kind === "slogan") {
      slogan = slogan || within(capitalised(withoutEnd(text.replace(/^[“"«]/, ""), '”"».')), 120)
      continue
    }
    if (kind === "name") continue
    // "A page for teams: a free guide": what it is for, and what it offers.
    if (isOwn && label !== "" && !isItem && isAsk(label)) {
      if (slogan === "" && text.length >= 8) slogan = within(capitalised(withoutEnd(text, ".;")), 120)
      continue
    }
    const bare = text.replace(quoted, "").trim()
    if (bare !== text && bare.length < 40) continue
    if (
      isForeignTo(text, language, isItem || kind !== undefined ? 10 : 5) &&
      !(kind === "contact" || kind === "clients" || kind === "people")
    ) {
      if (!isAsk(text)) foreign++
      continue
    }
    const isPlaceOrTime = tellsHours(text) || tellsAddress(text)
    if (tellsHours(text) || (kind === "contact" && names(label, /horario|hours|funcionamento|atendimento/))) {
      hours.push(capitalised(withoutEnd(text.replace(/^(?:estamos |we are |we're )/i, ""), ".;")))
    }
    if (kind === "contact" || isPlaceOrTime || mailIn(text) !== undefined) continue
    const each = isItem || kind !== undefined ? items(text, isItem) : []
    const withPrice = (isItem ? [text] : itemsIn(text)).map(priced)
    const pricesFound = withPrice.filter((item) => item !== undefined)
    if (pricesFound.length > 0 && !isAsk(text)) {
      if (kind === "prices" && pricesLabel === "") pricesLabel = label
      // One item with what it includes, or a list of them.
      const whole = pricesFound.length === 1 ? priced(text) : undefined
      prices.push(...(whole === undefined ? pricesFound : [whole]))
      continue
    }
    for (const [, more, value = "", unit = "", rest = ""] of text.matchAll(counted)) {
      if (figures.length < 6 && !limits.test(text))
        figures.push({
          value: `${more === undefined ? "" : "+"}${value.trim()}`,
          label: within(bareItem(`${unit}${rest}`), 60)
        })
    }
    switch (kind) {
      case "offers":
      case "prices":
        if (kind === "offers" && offersLabel === "") offersLabel = label
        offers.push(...each)
        continue
      case "benefits":
        benefits.push(...each)
        continue
      case "steps":
        steps.push(...each)
        continue
      case "clients":
        if (clientsLabel === "") clientsLabel = label
        clients.push(...itemsIn(text).map((client) => within(client, 120)))
        continue
      case "people":
        people.push(
          ...(isItem
            ? [text]
            : text.includes(";")
              ? text.split(/;\s?/)
              : / [–-] /.test(text)
                ? itemsIn(text)
                : [text]
          ).flatMap((person) => {
            const [who = "", ...what] = person.split(/\s[–—-]\s|,\s|:\s|\s\(/)
            const cleanWho = bareItem(who)
            const role = bareItem(what[0]?.replace(/\)$/, "") ?? "")
            return /^\p{Lu}/u.test(cleanWho) && cleanWho.length <= 60
              ? [
                  {
                    name: cleanWho,
                    role: within(capitalised(role), 160),
                    text: within(what.slice(1).join(", "), 400)
                  }
                ]
              : []
          })
        )
        continue
      case "figures":
      case "quotes":
        continue
      case "about":
      case undefined:
        break
    }
    if (text.endsWith("?") && !isOwn) {
      asked = text.replace(/^(?:P|Q):\s/, "")
      continue
    }
    const listed = label !== "" && !isItem && kind === undefined ? items(text, false) : []
    if (listed.length > 1 && listed.every(({ title }) => title.length <= 60)) {
      offers.push(...listed)
      if (offersLabel === "") offersLabel = label
      continue
    }
    if (isItem && !isAsk(text) && text.length <= 200) {
      offers.push(...each)
      if (offersLabel === "" && label !== "" && label.length <= 40) offersLabel = label
      continue
    }
    const offered = offering.exec(text)
    if (offered !== null && (isOwn || offers.length === 0)) {
      const found = itemsIn(offered[1] ?? "").filter((item) => !sectionWords.test(fold(item)) && item.length <= 70)
      if (found.length > 1 || (found.length === 1 && isAsk(text))) {
        offers.push(...found.map((item) => ({ title: capitalised(item), text: "" })))
        continue
      }
    }
    if (isAsk(text)) continue
    if (
      isOwn &&
      name !== "" &&
      prose.length === 0 &&
      text.length < 200 &&
      text.startsWith(name) &&
      described.test(text)
    ) {
      prose.push(text)
      continue
    }
    if (published(text) && phonesIn(text).length === 0) prose.push(endsInMark(text))
  }
  for (const { source, text } of material.facts) {
    if (source !== "faq") continue
    const [question = "", ...answer] = text.split("\n")
    const told = answer.join("\n").trim()
    if (isForeignTo(told, language)) foreign++
    else if (question.trim() !== "" && told !== "")
      questions.push({ question: within(question.trim(), 300), answer: within(told, 1500) })
  }
  const everything = [description, ...material.facts.filter(({ source }) => source !== "faq").map(({ text }) => text)]
  const quotes = linesOf(everything)
    .flatMap((line) => [...line.matchAll(quoted)])
    .map(([, words = "", who = "", role = ""]) => ({
      words: within(capitalised(words.trim()), 600),
      name: within(bareItem(who), 120),
      role: within(bareItem(role.replace(/\)$/, "")), 160)
    }))
  // Wherever it stands first: the owner's words before the account's, those before the web's.
  const first = <A>(find: (text: string) => A | undefined): A | null => {
    for (const text of everything) {
      const found = find(text)
      if (found !== undefined) return found
    }
    return null
  }
  const wishes = fold(`${description}\n${material.guidelines}`)
  const aboutText = aboutIn(opening, name)
  const [firstSentence = ""] = sentencesIn(
    business.find((text) => text !== businessName && text.length > 20 && !/^https?:/.test(text)) ?? ""
  )
  return {
    language,
    sector: sectorOf(`${description}\n${business.join("\n")}`),
    name,
    about: isForeignTo(aboutText, language) ? "" : aboutText,
    slogan,
    statements: unique(
      prose.length === 0 && firstSentence !== "" && !isForeignTo(firstSentence, language)
        ? [endsInMark(firstSentence)]
        : prose,
      (text) => text,
      24
    ),
    offers: unique(
      offers.filter(({ title }) => title.length > 1),
      ({ title }) => title,
      12
    ),
    offersLabel: offersLabel.length <= 40 ? capitalised(offersLabel) : "",
    benefits: unique(benefits, ({ title }) => title, 9),
    prices: unique(prices, ({ name: item }) => item, 24),
    pricesLabel: capitalised(pricesLabel),
    figures: unique(figures, ({ label, value }) => `${value} ${label}`, 4),
    quotes: unique(quotes, ({ words }) => words, 6),
    clientsLabel: capitalised(clientsLabel),
    clients: unique(clients, (client) => client, 24),
    people: unique(people, ({ name: person }) => person, 12),
    steps: unique(steps, ({ title }) => title, 8),
    questions: unique(questions, ({ question }) => question, 12),
    contacts: {
      email: first(mailIn),
      phone: first((text) => phonesIn(text)[0]),
      address: first(addressIn),
      hours: hours.length === 0 ? null : within(unique(hours, (text) => text, 4).join("\n"), 300),
      links: siteLinksIn(everything.join("\n"))
    },
    foreign,
    wishes,
    orders: fold(
      [
        ...statementsOf(description).flatMap(({ label, text }) =>
          isAsk(text) || (label !== "" && (kindOf(label) === "hidden" || isAsk(label))) ? [`${label} ${text}`] : []
        ),
        material.guidelines
      ].join("\n")
    )
  }
}
