import { Either, Schema } from "effect"
import { languageOf } from "../Text/Language.ts"
import { clip, fold } from "../Text/PlainText.ts"
import { fieldNamed } from "./AskedForms.ts"
import { changeAdding } from "./ChangeAdditions.ts"
import type { ChangeDesk, ReadChange } from "./ChangeDesk.ts"
import { changeNotes } from "./ChangeNotes.ts"
import {
  allBlocks,
  type Block,
  blockNamed,
  blocksOfKind,
  kindNamed,
  nameOfBlock,
  type PlacedBlock,
  pageNamed
} from "./ChangeTargets.ts"
import { addressIn, mailIn, phonesIn, siteLinksIn, tellsHours } from "./MaterialContacts.ts"
import { capitalised, sentencesIn, within, withoutEnd } from "./MaterialText.ts"
import { type Site, SiteBlock, type SiteTheme } from "./Site.ts"
import { applyOperations, type SiteOperation } from "./SiteOperations.ts"
import { siteWords } from "./SitePhrases.ts"
import type { SiteMaterial } from "./SiteWriter.ts"
import { wishedColor, wishedLayout, wishedPalettes } from "./ThemeChoice.ts"

type Reader = (clause: string, desk: ChangeDesk) => ReadChange | undefined

const done = (note: string, ...operations: ReadonlyArray<SiteOperation>): ReadChange => ({ operations, notes: [note] })
const only = (note: string): ReadChange => ({ operations: [], notes: [note] })

const removes =
  /^(?:por favor,? |please,? )?(?:(?:quero|queremos|i want to|we want to|quiero) )?(?:remov\w+|tir[ae]r?|apag\w+|exclu\w+|retir\w+|delet\w+|take out|drop|get rid of|quit[ae]r?|quite|elimin\w+|borr\w+|hide|escond\w+)\b/
const adds =
  /^(?:por favor,? |please,? )?(?:(?:quero|queremos|i want to|we want to|quiero) )?(?:adicion\w+|inclu\w+|acrescent\w+|coloqu\w+|cri[ae]r?|add|include|insert|create|put|agreg\w+|anad\w+|incorpor\w+|ponha|ponga|crear|crea|mostr\w+|show)\b/
const moves =
  /\b(?:mov\w+|move|muev\w+|mover|suba|subir|desca|descer|move up|move down|antes d[aeo]s?|depois d[aeo]s?|despues de|before|after|para o (?:topo|fim|final|inicio)|to the (?:top|end|bottom)|al (?:inicio|final))\b/

const quotedText = /[“"«]([^”"»]{1,2000})[”"»]/g
const quotesIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(quotedText)].map(([, inner = ""]) => inner.trim())

/** What is to be instead: the last text in quotation marks, else what stands behind "para", "to" or a colon. */
const newValue = (clause: string): string | undefined => {
  const quotes = quotesIn(clause)
  const last = quotes.at(-1)
  if (last !== undefined) return last
  const match = /(?::\s|\s(?:para|por|to|by|with|a|como|as)\s)\s?(.{2,600})$/i.exec(clause)
  const value = withoutEnd(match?.[1] ?? "", ".;").trim()
  return value === "" ? undefined : value
}

const replaceBlock = ({ block, page }: PlacedBlock, changed: SiteBlock): SiteOperation => ({
  _tag: "ReplaceBlock",
  page: page.id,
  variant: null,
  block: { ...changed, id: block.id }
})

const layouts: ReadonlyArray<SiteTheme["layout"]> = ["harbour", "atelier", "ledger", "meadow", "signal", "column"]

const another =
  /\b(?:outr[oa]s?|another|other|different|diferentes?|otr[oa]s?|nov[oa]s?|new|nuev[oa]s?|mud\w+|troqu\w+|chang\w+|cambi\w+)\b/

const theme: Reader = (clause, { notes, site }) => {
  const folded = fold(clause)
  const set = (changed: Partial<SiteTheme>, note: string): ReadChange =>
    done(note, { _tag: "SetTheme", theme: { ...site.theme, ...changed } })
  if (quotesIn(clause).length > 0) return undefined
  const color =
    wishedColor(clause) ??
    (/^(?:deix\w+|us[ea]\w*|make|use|pint\w+|haz|haga|quero|prefiro)\b/.test(folded) && folded.length < 80
      ? wishedColor(`${clause} cor`)
      : undefined)
  if (color !== undefined) return set({ brand: color }, notes.color(color))
  if (
    /\b(?:layout|diagramacao|disposicao|maquetacion)\b/.test(folded) ||
    (/\b(?:estilo|visual|look|style|design|diseno|cara|aparencia)\b/.test(folded) && !adds.test(folded))
  ) {
    const wished = layouts.find((name) => folded.includes(name)) ?? wishedLayout(folded)
    const dark = wishedPalettes(folded)
    if (wished === undefined && dark !== undefined)
      return set({ palette: dark[0] ?? site.theme.palette }, notes.palette)
    if (wished !== undefined || another.test(folded)) {
      const next = layouts[(layouts.indexOf(site.theme.layout) + 1) % layouts.length] ?? "harbour"
      return set({ layout: wished ?? next }, notes.layout)
    }
  }
  if (/\b(?:fontes?|tipografia|fonts?|typeface|letras?|typography|tipo de letra)\b/.test(folded)) {
    const wantsSerif =
      /\b(?:serifad\w+|com serifa|con serifa|serif)\b/.test(folded) && !/\b(?:sem|sans|sin) ?-?serif/.test(folded)
    const wantsSans = /\b(?:sem serifa|sans|sin serifa)\b/.test(folded)
    const typefaces = wantsSerif
      ? site.theme.typefaces === 1
        ? 3
        : 1
      : wantsSans
        ? site.theme.typefaces === 0
          ? 2
          : 0
        : (site.theme.typefaces + 1) % 4
    return set({ typefaces }, notes.typefaces)
  }
  if (
    /^(?:deix\w+|torn\w+|make|haz|haga|deja|quero|queremos|i want|we want|quiero)\b/.test(folded) &&
    folded.length < 90 &&
    !adds.test(folded)
  ) {
    const wished = wishedLayout(folded)
    if (wished !== undefined) return set({ layout: wished }, notes.layout)
    if (/\b(?:escur[oa]|dark|oscur[oa])\b/.test(folded)) return set({ palette: 4 }, notes.palette)
  }
  const palettes = wishedPalettes(folded)
  if (/\b(?:fundo claro|light (?:mode|background|theme)|tema claro|fondo claro|mais claro|lighter)\b/.test(folded))
    return set({ palette: 0 }, notes.palette)
  if (
    palettes !== undefined &&
    /\b(?:fundo|tema|modo|cor|cores|tons|paleta|palette|colou?rs?|theme|background|mode|colores|color|fondo|visual)\b/.test(
      folded
    )
  )
    return set({ palette: palettes.find((each) => each !== site.theme.palette) ?? site.theme.palette }, notes.palette)
  if (/\b(?:paleta|palette|cores|colou?rs|colores)\b/.test(folded) && another.test(folded))
    return set({ palette: (site.theme.palette + 1) % 10 }, notes.palette)
  return undefined
}

/** The value with the text in the place of the other in all its sentences and headings; keys and targets stay. */
const replacedIn = (value: unknown, from: string, to: string): unknown => {
  if (typeof value === "string") return value.replaceAll(from, to)
  if (Array.isArray(value)) return value.map((each) => replacedIn(each, from, to))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) =>
      ["_tag", "id", "target", "picture", "email", "kind", "collection", "shows"].includes(key) ||
      (key === "name" && "kind" in value)
        ? [key, each]
        : [key, replacedIn(each, from, to)]
    )
  )
}

const renames: Reader = (clause, { notes, site }) => {
  const folded = fold(clause)
  if (
    !/\b(?:renome\w+|rename\w*|renombr\w+)\b|\b(?:nome|name|nombre) (?:do|da|of|del|de la|the)? ?(?:\w+ )?(?:site|sitio|empresa|negocio|website|business|company|marca|brand|loja|to|para|por|a)\b|\b(?:se chama|is called|se llama)\b/.test(
      folded
    )
  )
    return undefined
  if (/\b(?:campo|field|pagina|page|secao|section)\b/.test(folded)) return undefined
  const name = newValue(clause)
  if (name === undefined || name.length > 120) return undefined
  const titled = site.pages
    .filter(({ title }) => title.includes(site.name))
    .map(
      ({ description, id, label, title }): SiteOperation => ({
        _tag: "DescribePage",
        page: id,
        label,
        title: within(title.replaceAll(site.name, name), 160),
        description
      })
    )
  const spoken = allBlocks(site).flatMap(({ block, page }) => {
    const changed = changedBlock(block, site.name, name)
    return changed === undefined ? [] : [replaceBlock({ block, page }, changed)]
  })
  return done(notes.renamed(name), { _tag: "Rename", name, tagline: site.tagline }, ...titled, ...spoken)
}

const decodeEither = Schema.decodeUnknownEither(SiteBlock)

const decodeBlock = (value: unknown): SiteBlock | undefined => Either.getOrUndefined(decodeEither(value))

const changedBlock = (block: SiteBlock, from: string, to: string): SiteBlock | undefined => {
  if (from === "" || !JSON.stringify(block).includes(JSON.stringify(from).slice(1, -1))) return undefined
  const changed = decodeBlock(replacedIn(block, from, to))
  return changed === undefined || JSON.stringify(changed) === JSON.stringify(block) ? undefined : changed
}

const contact: Reader = (clause, { notes, site }) => {
  const folded = fold(clause)
  if (removes.test(folded)) return undefined
  const [phone] = phonesIn(clause)
  const email = mailIn(clause)
  const speaksOfAddress = /\b(?:endereco|address|direccion|localizacao|location|ubicacion|mudamos|moved)\b/.test(folded)
  const address = speaksOfAddress ? (addressIn(clause) ?? newValue(clause)) : undefined
  const speaksOfHours = /\b(?:horarios?|hours|abert[oa]|abrimos|open|funcionamento|abierto)\b/.test(folded)
  const hours =
    speaksOfHours && /\d/.test(clause) ? (newValue(clause) ?? (tellsHours(clause) ? clause : undefined)) : undefined
  const [link] =
    /\b(?:link|instagram|facebook|linkedin|youtube|tiktok|whatsapp|redes?|perfil|profile|enlace|site)\b/.test(folded) &&
    email === undefined
      ? siteLinksIn(clause)
      : []
  if (
    (phone === undefined || hours !== undefined) &&
    email === undefined &&
    address === undefined &&
    hours === undefined &&
    link === undefined
  )
    return undefined
  const phoneTold = hours === undefined ? phone : undefined
  const patch = (block: Block<"Contact">): Block<"Contact"> => ({
    ...block,
    ...(phoneTold === undefined ? {} : { phone: phoneTold }),
    ...(email === undefined ? {} : { email }),
    ...(address === undefined ? {} : { address: within(address, 300) }),
    ...(hours === undefined ? {} : { hours: within(capitalised(hours), 300) }),
    ...(link === undefined
      ? {}
      : { links: [...block.links.filter(({ label }) => label !== link.label), link].slice(-6) })
  })
  const told = [
    ...(phoneTold === undefined ? [] : [notes.contact(notes.phone, phoneTold)]),
    ...(email === undefined ? [] : [notes.contact(notes.email, email)]),
    ...(address === undefined ? [] : [notes.contact(notes.address, within(address, 300))]),
    ...(hours === undefined ? [] : [notes.contact(notes.hours, within(hours, 300))]),
    ...(link === undefined ? [] : [notes.contact(notes.link, link.label)])
  ]
  const there = blocksOfKind(site, "Contact")
  if (there.length === 0) {
    const page = site.pages.at(-1)
    const empty: Block<"Contact"> = {
      _tag: "Contact",
      id: "contact",
      title: siteWords[languageOf(site.language)].contact,
      text: "",
      email: null,
      phone: null,
      address: null,
      hours: null,
      links: []
    }
    return page === undefined
      ? undefined
      : {
          notes: told,
          operations: [{ _tag: "AddBlock", page: page.id, after: page.blocks.at(-1)?.id ?? null, block: patch(empty) }]
        }
  }
  const old = there[0]?.block
  // Buttons that led to what has changed lead to the new one.
  const buttons = allBlocks(site).flatMap(({ block, page }) => {
    if (block._tag !== "Hero" && block._tag !== "CallToAction") return []
    const actions = block.actions.map((action) =>
      action.target._tag === "Phone" && phoneTold !== undefined && action.target.number === old?.phone
        ? { ...action, target: { ...action.target, number: phoneTold } }
        : action.target._tag === "Mail" && email !== undefined && action.target.address === old?.email
          ? { ...action, target: { ...action.target, address: email } }
          : action
    )
    return JSON.stringify(actions) === JSON.stringify(block.actions)
      ? []
      : [replaceBlock({ block, page }, { ...block, actions })]
  })
  return { notes: told, operations: [...there.map((each) => replaceBlock(each, patch(each.block))), ...buttons] }
}

const sumsOfMoney =
  /(?:R\$|US\$|€|£|\$)\s?\d[\d.,]{0,14}\d?(?:\s?\/\s?\p{L}{1,8}|\s(?:por|per|al|a) \p{L}{1,8})?|\d[\d.,]{0,14}\s?(?:reais|euros?|dólares|dollars|pesos)\b/giu

const price: Reader = (clause, { notes, site }) => {
  const sums = [...clause.matchAll(sumsOfMoney)].map(([sum]) => withoutEnd(sum, ".,").trim())
  const value = sums.at(-1)
  if (value === undefined || adds.test(fold(clause))) return undefined
  const folded = fold(clause)
  const named = blocksOfKind(site, "Prices")
    .flatMap((placed) => placed.block.items.map((item) => ({ placed, item })))
    .filter(({ item }) => folded.includes(fold(item.name)))
    .toSorted((one, other) => other.item.name.length - one.item.name.length)[0]
  // The last sum is the new one: "from R$ 20 to R$ 25".
  if (named === undefined) return only(notes.notFound(within(clause, 160)))
  const { item, placed } = named
  const per = /\s(?:por|per|al)\s\p{L}+$|\s?\/\s?\p{L}+$/u.exec(item.price)?.[0] ?? ""
  const told = within(value.endsWith(per) || /\/|\s(?:por|per|al|a)\s/.test(value) ? value : `${value}${per}`, 60)
  return done(
    notes.price(item.name, told),
    replaceBlock(placed, {
      ...placed.block,
      items: placed.block.items.map((each) => (each === item ? { ...each, price: told } : each))
    })
  )
}

/** A block without one of its items; undefined where it has none that the text names. */
const withoutItem = (
  block: SiteBlock,
  folded: string
): { readonly block: SiteBlock; readonly item: string } | undefined => {
  const cut = <A>(
    items: ReadonlyArray<A>,
    nameOf: (item: A) => string
  ): { readonly rest: ReadonlyArray<A>; readonly item: string } | undefined => {
    const whole = items
      .filter((item) => nameOf(item).length > 2 && folded.includes(fold(nameOf(item))))
      .toSorted((one, other) => nameOf(other).length - nameOf(one).length)[0]
    // The first word alone is enough where only one item begins with it.
    const begun = items.filter((item) => {
      const [word = ""] = fold(nameOf(item)).split(" ")
      return word.length > 4 && kindNamed(word) === undefined && folded.split(/[^a-z0-9]+/).includes(word)
    })
    const found = whole ?? (begun.length === 1 ? begun[0] : undefined)
    return found === undefined ? undefined : { rest: items.filter((item) => item !== found), item: nameOf(found) }
  }
  const cutTo = <A>(
    items: ReadonlyArray<A>,
    nameOf: (item: A) => string,
    make: (rest: ReadonlyArray<A>) => SiteBlock
  ) => {
    const done = cut(items, nameOf)
    return done === undefined ? undefined : { block: make(done.rest), item: done.item }
  }
  switch (block._tag) {
    case "Features":
    case "Steps":
      return block._tag === "Features"
        ? cutTo(
            block.items,
            ({ title }) => title,
            (items) => ({ ...block, items })
          )
        : cutTo(
            block.items,
            ({ title }) => title,
            (items) => ({ ...block, items })
          )
    case "Prices":
      return cutTo(
        block.items,
        ({ name }) => name,
        (items) => ({ ...block, items })
      )
    case "People":
      return cutTo(
        block.items,
        ({ name }) => name,
        (items) => ({ ...block, items })
      )
    case "Quotes":
      return cutTo(
        block.items,
        ({ name }) => name,
        (items) => ({ ...block, items })
      )
    case "Questions":
      return cutTo(
        block.items,
        ({ question }) => question.replace(/[¿?]/g, ""),
        (items) => ({ ...block, items })
      )
    case "Clients":
      return cutTo(
        block.names,
        (name) => name,
        (names) => ({ ...block, names })
      )
    case "Form":
      return block.fields.length > 1
        ? cutTo(
            block.fields,
            ({ label }) => label,
            (fields) => ({ ...block, fields })
          )
        : undefined
    default:
      return undefined
  }
}

const isEmptied = (block: SiteBlock): boolean =>
  ("items" in block && block.items.length === 0) || (block._tag === "Clients" && block.names.length === 0)

const contactParts: ReadonlyArray<readonly ["phone" | "email" | "address" | "hours", RegExp]> = [
  ["phone", /\b(?:telefone|phone|whatsapp|celular|telefono)\b/],
  ["email", /\b(?:e-?mail|correo)\b/],
  ["address", /\b(?:endereco|address|direccion)\b/],
  ["hours", /\b(?:horarios?|hours)\b/]
]

const fillers: ReadonlySet<string> = new Set(
  "a o as os the el la los las um uma un una de do da dos das del of from no na nos nas in on en site sitio website pagina page secao section seccion bloco block bloque inteira inteiro toda todo all whole entire por favor please inicial home lista list esta este this that essa esse".split(
    " "
  )
)

const isAllNamed = (folded: string, block: SiteBlock): boolean => {
  const rest = folded.replace(removes, " ").replace(fold(block.title), " ")
  const words = rest.split(/[^\p{L}\d]+/u).filter((word) => word !== "" && !fillers.has(word))
  const said = words.join(" ")
  return said === "" || kindNamed(said) === block._tag
    ? words.filter((word) => kindNamed(word) === undefined && !isOfKind(said, word)).length === 0
    : false
}

/** Whether the word only makes up a kind's name of several words: "perguntas frequentes". */
const isOfKind = (said: string, word: string): boolean =>
  kindNamed(said) !== undefined &&
  /^(?:frequentes|frecuentes|asked|frequently|questions|funciona|como|how|it|works|somos|quem|us|nos|acao|action|call|to|chamada|final|precos|estamos|onde)$/.test(
    word
  )

const removal: Reader = (clause, { notes, site }) => {
  const folded = fold(clause)
  if (!removes.test(folded)) return undefined
  if (/\b(?:pagina|page)\b/.test(folded)) {
    const page = pageNamed(site, clause)
    if (page === undefined) return only(notes.notFound(within(clause, 160)))
    return done(notes.removedPage(page.label), { _tag: "RemovePage", page: page.id })
  }
  const isWhole = /\b(?:secao|section|seccion|bloco|block|bloque|toda|whole|inteir[oa])\b/.test(folded)
  if (!isWhole) {
    const speaksOfField = /\b(?:campo|field)\b/.test(folded)
    for (const placed of allBlocks(site)) {
      if (speaksOfField !== (placed.block._tag === "Form")) continue
      const without = withoutItem(placed.block, folded)
      if (without === undefined) continue
      return done(
        notes.removed(without.item),
        isEmptied(without.block)
          ? { _tag: "RemoveBlock", page: placed.page.id, block: placed.block.id }
          : replaceBlock(placed, without.block)
      )
    }
    const part = contactParts.find(([, words]) => words.test(folded))?.[0]
    const there = part === undefined ? [] : blocksOfKind(site, "Contact").filter(({ block }) => block[part] !== null)
    if (part !== undefined && there.length > 0)
      return done(
        notes.removed(notes[part]),
        ...there.map((placed) => replaceBlock(placed, { ...placed.block, [part]: null }))
      )
    if (/\b(?:imagem|foto|picture|image|imagen|ilustracao)\b/.test(folded)) {
      const [hero] = blocksOfKind(site, "Hero").filter(({ block }) => block.picture !== null)
      if (hero !== undefined)
        return done(notes.removed(notes.opening), replaceBlock(hero, { ...hero.block, picture: null }))
    }
  }
  const named = blockNamed(site, clause)
  // A whole section goes only where nothing but it is named: of "the focaccia from the menu" the menu stays.
  if (named === undefined || named.block._tag === "Hero" || !isAllNamed(folded, named.block))
    return only(notes.notFound(within(clause, 160)))
  return done(notes.removed(nameOfBlock(named.block)), {
    _tag: "RemoveBlock",
    page: named.page.id,
    block: named.block.id
  })
}

const moving: Reader = (clause, { notes, site }) => {
  const folded = fold(clause)
  if (!moves.test(folded) || quotesIn(clause).length > 1) return undefined
  const parts =
    /^(.*?)\s(antes d[aeo]s?|depois d[aeo]s?|despues de(?:l| la| los| las)?|antes de(?:l| la| los| las)?|before|after|para (?:o )?(?:topo|fim|final|inicio)|to the (?:top|end|bottom)|al (?:inicio|final|principio)|no (?:topo|fim|final))\b(.*)$/.exec(
      folded
    )
  if (parts === null) return undefined
  const [, what = "", where = "", rest = ""] = parts
  const moved = blockNamed(site, what)
  if (moved === undefined || moved.block._tag === "Hero") return undefined
  const page = moved.page
  const others = page.blocks.filter(({ id }) => id !== moved.block.id)
  const [top] = others
  const afterTop = top?._tag === "Hero" ? top.id : null
  const anchor = rest.trim() === "" ? undefined : blockNamed(site, rest)
  if (/topo|top|inicio|principio/.test(where))
    return done(notes.moved(nameOfBlock(moved.block)), {
      _tag: "MoveBlock",
      page: page.id,
      block: moved.block.id,
      to: page.id,
      after: afterTop
    })
  if (/fim|final|end|bottom/.test(where))
    return done(notes.moved(nameOfBlock(moved.block)), {
      _tag: "MoveBlock",
      page: page.id,
      block: moved.block.id,
      to: page.id,
      after: others.at(-1)?.id ?? null
    })
  if (anchor === undefined || anchor.block.id === moved.block.id) return only(notes.notFound(within(clause, 160)))
  const around = anchor.page.blocks.filter(({ id }) => id !== moved.block.id)
  const at = around.findIndex(({ id }) => id === anchor.block.id)
  const after = /antes|before/.test(where) ? (around[at - 1]?.id ?? null) : anchor.block.id
  return done(notes.moved(nameOfBlock(moved.block)), {
    _tag: "MoveBlock",
    page: page.id,
    block: moved.block.id,
    to: anchor.page.id,
    after
  })
}

const required: Reader = (clause, { notes, site }) => {
  const folded = fold(clause)
  if (!/\b(?:obrigatori[oa]|required|mandatory|obligatori[oa])\b/.test(folded) || adds.test(folded)) return undefined
  for (const placed of blocksOfKind(site, "Form")) {
    const field = placed.block.fields.find(({ label }) => folded.includes(fold(label)))
    if (field === undefined) continue
    const isRequired = !/\b(?:nao|not|no longer|no|deixe de ser|opcional|optional)\b/.test(folded)
    return done(
      notes.fieldRequired(field.label),
      replaceBlock(placed, {
        ...placed.block,
        fields: placed.block.fields.map((each) => (each === field ? { ...each, is_required: isRequired } : each))
      })
    )
  }
  return only(notes.notFound(within(clause, 160)))
}

const fieldAdding: Reader = (clause, { notes, site }) => {
  const folded = fold(clause)
  if (!adds.test(folded) || !/\b(?:campos?|fields?)\b/.test(folded)) return undefined
  const label =
    quotesIn(clause)[0] ??
    /\b(?:campos?|field)\s(?:de |do |da |para |for |chamado |called |llamado )?(?:o |a |the |el |la )?([^.,;:()]{2,60}?)(?:\s(?:ao|no|do|to|in|on|al|en)\s(?:o |the |el )?(?:formul[aá]rio|form|formulario).*)?[.]?$/i.exec(
      clause
    )?.[1] ??
    /\b(?:add|include)\s(?:an? |the )?([^.,;:()]{2,60}?)\sfield\b/i.exec(clause)?.[1]
  const [form] = blocksOfKind(site, "Form")
  if (label === undefined || form === undefined) return only(notes.notFound(within(clause, 160)))
  const words = siteWords[languageOf(site.language)]
  const field = fieldNamed(
    label,
    words,
    form.block.fields.map(({ name }) => name)
  )
  if (field === undefined) return only(notes.secret)
  if (form.block.fields.some(({ name }) => name === field.name) || form.block.fields.length >= 12)
    return only(notes.nothing)
  const wanted = { ...field, is_required: /\b(?:obrigatori[oa]|required|obligatori[oa])\b/.test(folded) }
  const collection = site.collections.find(({ id }) => id === form.block.collection)
  return done(
    notes.field(wanted.label),
    replaceBlock(form, { ...form.block, fields: [...form.block.fields, wanted] }),
    ...(collection === undefined || collection.fields.length >= 20
      ? []
      : [{ _tag: "SetCollection", collection: { ...collection, fields: [...collection.fields, wanted] } } as const])
  )
}

const swaps =
  /^(?:por favor,? |please,? )?(?:mud\w+|troqu\w+|troc\w+|alter\w+|substitu\w+|chang\w+|replac\w+|cambi\w+|reemplac\w+|reemplaz\w+|reescrev\w+|rewrite|set|use|coloqu\w+|escrev\w+|write|ponga|ponha|pon|make|deix\w+|corrij\w+|corrig\w+|fix|onde se le|where it says)\b/

const replacing: Reader = (clause, { notes, site }) => {
  const [from, to] = quotesIn(clause)
  if (from === undefined || to === undefined || !swaps.test(fold(clause))) return undefined
  const operations = allBlocks(site).flatMap(({ block, page }) => {
    const changed = changedBlock(block, from, to)
    return changed === undefined ? [] : [replaceBlock({ block, page }, changed)]
  })
  const described = site.pages.flatMap(
    ({ description, id, label, title }): ReadonlyArray<SiteOperation> =>
      title.includes(from) || label.includes(from)
        ? [
            {
              _tag: "DescribePage",
              page: id,
              label: within(label.replaceAll(from, to), 40),
              title: within(title.replaceAll(from, to), 160),
              description
            }
          ]
        : []
  )
  return operations.length + described.length === 0
    ? only(notes.notFound(from))
    : done(notes.replaced(within(from, 120), within(to, 120)), ...operations, ...described)
}

/** A block with another text in the place that the prompt names. */
const retexting: Reader = (clause, { notes, site }) => {
  const folded = fold(clause)
  if (!swaps.test(folded)) return undefined
  const value = newValue(clause)
  if (value === undefined || value.length < 2) return undefined
  const ofTitle = /\b(?:titulo|title|heading|headline|manchete|encabezado|titular|chamada principal)\b/.test(folded)
  const ofText =
    /\b(?:subtitulo|subtitle|texto|text|paragrafo|paragraph|parrafo|descricao|description|frase|copy)\b/.test(folded)
  const ofButton = /\b(?:botao|button|boton|cta)\b/.test(folded)
  if (!ofTitle && !ofText && !ofButton) return undefined
  const before = clause.slice(0, clause.lastIndexOf(value))
  const named = blockNamed(site, before)
  const [hero] = blocksOfKind(site, "Hero")
  const placed = named ?? hero
  if (placed === undefined) return only(notes.notFound(within(clause, 160)))
  const { block } = placed
  if (ofButton) {
    if (block._tag === "Form")
      return done(notes.text(nameOfBlock(block), value), replaceBlock(placed, { ...block, submit: within(value, 60) }))
    const [first] = "actions" in block ? block.actions : []
    if (first === undefined) return only(notes.notFound(within(clause, 160)))
    // The same button stands in several places.
    const operations = allBlocks(site).flatMap((each): ReadonlyArray<SiteOperation> => {
      const at = each.block
      if ((at._tag === "Hero" || at._tag === "CallToAction") && at.actions.some(({ label }) => label === first.label))
        return [
          replaceBlock(each, {
            ...at,
            actions: at.actions.map((action) =>
              action.label === first.label ? { ...action, label: within(value, 80) } : action
            )
          })
        ]
      return at._tag === "Form" && at.submit === first.label
        ? [replaceBlock(each, { ...at, submit: within(value, 60) })]
        : []
    })
    return done(notes.text(notes.button, value), ...operations)
  }
  if (ofTitle && !/\b(?:subtitulo|subtitle)\b/.test(folded))
    return done(
      notes.text(block._tag === "Hero" ? notes.opening : nameOfBlock(block), value),
      replaceBlock(placed, { ...block, title: within(value, 160) })
    )
  return "text" in block
    ? done(
        notes.text(nameOfBlock(block), within(value, 200)),
        replaceBlock(placed, { ...block, text: within(value, 4000) })
      )
    : only(notes.notFound(within(clause, 160)))
}

const picturing: Reader = (clause, { notes, site }) => {
  const folded = fold(clause)
  if (!/\b(?:imagem|imagens|foto|picture|image|imagen|ilustracao|illustration)\b/.test(folded) || removes.test(folded))
    return undefined
  const value = newValue(clause)
  if (value === undefined) return undefined
  const named = blockNamed(site, clause.slice(0, clause.lastIndexOf(value)))
  const [hero] = blocksOfKind(site, "Hero")
  const at = named?.block._tag === "Prose" ? named : hero
  if (at === undefined || !("picture" in at.block)) return only(notes.notFound(within(clause, 160)))
  const block = at.block
  const id = block.picture?.picture ?? `${block.id}-picture`
  const shape = site.pictures.find((each) => each.id === id)?.shape ?? "wide"
  const alt = siteWords[languageOf(site.language)].illustration(within(value, 250))
  return done(
    notes.picture(within(value, 200)),
    {
      _tag: "SetPicture",
      picture: { id, prompt: within(`${value}. No text. Colors ${site.theme.brand}.`, 1000), shape }
    },
    replaceBlock(at, { ...block, picture: { picture: id, alt } })
  )
}

const titleBehind = (clause: string): string | undefined => {
  const title = withoutEnd(clause.slice(clause.indexOf(":") + 1).trim(), ".;")
  return clause.includes(":") && title.length >= 4 && title.length <= 160 ? title : undefined
}

const variant: Reader = (clause, { notes, site }) => {
  const folded = fold(clause)
  if (
    !/\b(?:variantes?|variant|variacao|variacion|versao (?:b|alternativa)|version (?:b|alternativa)|teste a\/b|a\/b|ab test|alternative version)\b/.test(
      folded
    )
  )
    return undefined
  const page = site.pages.find(({ blocks }) => blocks.some(({ _tag }) => _tag === "Form")) ?? site.pages[0]
  if (page === undefined) return undefined
  const id = ["b", "c", "d"].find((each) => !page.variants.some((known) => known.id === each))
  if (id === undefined) return only(notes.nothing)
  const title = quotesIn(clause)[0] ?? titleBehind(clause)
  const heroes = page.blocks.filter(({ _tag }) => _tag === "Hero")
  const forms = page.blocks.filter(({ _tag }) => _tag === "Form")
  const rest = page.blocks.filter((block) => !heroes.includes(block) && !forms.includes(block))
  const retitled = heroes.map((block) => (title === undefined ? block : { ...block, title: within(title, 160) }))
  // Without a title of its own it asks first and explains afterwards.
  const blocks =
    title === undefined
      ? [...retitled, ...forms, ...rest]
      : page.blocks.map((block) => (block._tag === "Hero" ? (retitled[heroes.indexOf(block)] ?? block) : block))
  if (JSON.stringify(blocks) === JSON.stringify(page.blocks)) return only(notes.notFound(within(clause, 160)))
  return done(notes.variant(id), { _tag: "AddVariant", page: page.id, id, blocks })
}

const adding: Reader = (clause, desk) =>
  adds.test(fold(clause)) || kindNamed(clause) !== undefined
    ? changeAdding(clause, desk, adds.test(fold(clause)))
    : undefined

const readers: ReadonlyArray<Reader> = [
  variant,
  replacing,
  fieldAdding,
  required,
  removal,
  moving,
  price,
  contact,
  renames,
  picturing,
  retexting,
  theme,
  adding
]

const mostClauses = 20
const longestClause = 2000

/** The sentences of a prompt; a question keeps the answer that follows it, a list its heading. */
const clausesOf = (prompt: string): ReadonlyArray<string> => {
  const clauses: Array<string> = []
  for (const paragraph of prompt.split(/\n{2,}/)) {
    const lines = paragraph
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "")
    const isList = lines.length > 1 && lines.slice(1).every((line) => /^(?:[-*•]|\d{1,2}[.)])\s/.test(line))
    if (isList) {
      clauses.push(lines.join("\n"))
      continue
    }
    for (const line of lines) {
      for (const sentence of sentencesIn(line)) {
        const last = clauses.at(-1)
        const isOrder = [adds, removes, swaps, /^(?:mov|renom|renam|deix|torn|make|haz|haga|quero|queremos|use)/].some(
          (verbs) => verbs.test(fold(sentence))
        )
        if (last !== undefined && !isOrder && last.includes(": ") && adds.test(fold(last)))
          clauses[clauses.length - 1] = `${last} ${sentence}`
        else if (last?.endsWith("?") && !removes.test(fold(sentence)) && !swaps.test(fold(sentence)))
          clauses[clauses.length - 1] = `${last} ${sentence}`
        else clauses.push(sentence)
      }
    }
  }
  return clauses.slice(0, mostClauses).map((clause) => clip(clause, longestClause))
}

export interface ChangedSite {
  readonly site: Site
  readonly notes: ReadonlyArray<string>
}

/** What a prompt does to a site, by rules. A sentence that cannot be understood changes nothing and is named in the notes. */
export const changeByRules = (site: Site, prompt: string, material: SiteMaterial): ChangedSite => {
  const notes = changeNotes[languageOf(site.language)]
  const told: Array<string> = []
  let changed = site
  for (const clause of clausesOf(prompt)) {
    const desk: ChangeDesk = { site: changed, material, notes }
    let read: ReadChange | undefined
    for (const reader of readers) {
      read = reader(clause, desk)
      if (read !== undefined) break
    }
    if (read === undefined) {
      told.push(notes.notUnderstood(within(clause, 160)))
      continue
    }
    const { refused, site: next } = applyOperations(changed, read.operations)
    if (read.operations.length > 0 && refused.length === read.operations.length) {
      told.push(notes.notFound(within(clause, 160)))
      continue
    }
    changed = next
    told.push(...read.notes)
  }
  return { site: changed, notes: told.length === 0 ? [notes.nothing] : told }
}
