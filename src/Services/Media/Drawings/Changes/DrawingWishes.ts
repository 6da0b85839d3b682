import { fold } from "../../../Text/PlainText.ts"
import { colorsIn } from "../../Brief.ts"
import { formIn } from "../DrawingKinds.ts"
import type { Chart, DrawingModel, Graph } from "../DrawingModel.ts"
import { cut } from "../DrawingText.ts"
import { amountsIn, bareLabel, listIn } from "../DrawingWords.ts"
import { orderIn, sorted } from "../Readers/DrawingCharts.ts"
import { type Body, isSameTime, labelsOf, mentions, nameIn, relabelled, without } from "../Readers/DrawingItems.ts"

/** The result of a wish. */
export interface Changed {
  readonly model: DrawingModel
  /** Labels to which the change refers, and which stay. */
  readonly named: ReadonlyArray<string>
}

export type Way = (model: DrawingModel, text: string) => Changed | undefined

const changed = (model: DrawingModel, body: Body | undefined, named: ReadonlyArray<string>): Changed | undefined =>
  body === undefined ? undefined : { model: { ...model, body }, named }

const removing =
  /^(?:please |por favor |pode |can you )?(?:remov[ae]r?|retir[ae]r?|t[ií]r[ae](?:r|la|lo|l[ea]s?)?|exclu[aei]r?|apagu?[ae]r?|delet[ae]r?|delete|drop|take|cut|get rid of|lose|qu[ií]t[ae](?:r|le|lo|la|me)?|quitar|elim[ií]n[ae](?:r|lo|la)?|b[oó]rr[ae](?:r|lo|la)?|s[aá]c[ae](?:r|lo|la|le|me)?|saque|corta|corte|without|sem|sin)\s(?:out\s|fora\s|off\s)?(.{1,80}?)(?:\s(?:out|fora|away|off|da[ií]|de ah[ií]|please|por favor))?\.?$/iu
const departed =
  /^(.{1,60}?)\s(?:saiu(?: da empresa)?|sai|left|has left|is gone|quit|se fue|ya no (?:est[aá]|trabaja)(?: .{0,30})?|n[aã]o (?:est[aá]|trabalha) mais(?: .{0,30})?|no longer (?:works|is).{0,20}|was let go|foi embora|renunci[oó])\.?$/iu

const removed: Way = (model, text) => {
  const match = removing.exec(text) ?? departed.exec(text)
  const list = (match?.[1] ?? "").replace(
    /^(?:lo|o|a|the one|aquilo|aquele|el|la)\s(?:del?|de la|d[oa]|of|about|with)\s/iu,
    ""
  )
  const whole = nameIn(labelsOf(model.body), list)
  const labels = whole === undefined ? listIn(list).map((each) => nameIn(labelsOf(model.body), each)) : [whole]
  if (labels.length === 0) return undefined
  let body: Body | undefined = model.body
  for (const label of labels) body = label === undefined || body === undefined ? undefined : without(body, label)
  const named = labels.filter((label) => label !== undefined)
  const isTime = named.length === 1 && isSameTime(named[0] ?? "", fold(bareLabel(list)))
  return changed(model, body, isTime ? [...named, list] : named)
}

const renamings: ReadonlyArray<RegExp> = [
  /^(?:please )?(?:tro(?:qu|c)[ae]r?|mud[ae]r?|change|replace|rename|renomei?[ae]r?|renombr[ae]r?|cambi[aeá]r?|substitu[aei]r?|reemplaz[ae]r?|corrig[ei]r?|correct|corrija|fix)\s(.{1,80}?)\s(?:por|para|pra|to|with|by|a|into|as|como|em)\s(.{1,80}?)(?:,\s?(?:mesmo valor|same value|mismo valor))?$/iu,
  /^(?:en vez de|em vez de|no lugar de|en lugar de|instead of|onde (?:est[aá]|diz)|donde dice|where it says)\s(.{1,80}?),?\s(?:pon(?:er|ga)?|p[oõ]e|ponha|coloque|coloca|put|use|usa|write|escreva|escribe|debe decir|deve ser|it should (?:say|be))\s(.{1,80})$/iu,
  /^(.{1,80}?)\s(?:agora (?:se chama|[ée])|passa a se chamar|se chama|vira|virou|ahora se llama|se llama|pasa a llamarse|is now called|is called|should be called|becomes|should (?:say|read))\s(.{1,80})$/iu
]
const surnames = /^(.{2,40}?)\s(?:se apellida|tem sobrenome|surname is|has the surname)\s(.{2,40})$/iu

const renamedTo = (model: DrawingModel, from: string, to: string): Changed | undefined => {
  const label = nameIn(labelsOf(model.body), from)
  const fresh = bareLabel(to)
  if (label === undefined || fresh === "" || amountsIn(to).length > 0) return undefined
  const bareFrom = bareLabel(from)
  const at = fold(label).indexOf(fold(bareFrom))
  const part = at < 0 ? fresh : `${label.slice(0, at)}${fresh}${label.slice(at + bareFrom.length)}`
  return changed(model, relabelled(model.body, label, cut(part, 120)), [])
}

const renamed: Way = (model, text) => {
  for (const pattern of renamings) {
    const match = pattern.exec(text)
    const result = match === null ? undefined : renamedTo(model, match[1] ?? "", match[2] ?? "")
    if (result !== undefined) return result
  }
  const surname = surnames.exec(text)
  const label = surname === null ? undefined : nameIn(labelsOf(model.body), surname[1] ?? "")
  if (surname === null || label === undefined) return undefined
  const [whole = "", role = ""] = /^(.*?)(\s\([^()]*\))?$/.exec(label)?.slice(1) ?? []
  const words = whole.split(" ")
  return words.length === 2
    ? changed(model, relabelled(model.body, label, `${words[0]} ${bareLabel(surname[2] ?? "")}${role}`), [
        words[0] ?? ""
      ])
    : undefined
}

const titles =
  /(?<!\p{L})(?:t[ií]tulo|title)(?!\p{L})(?:.{0,20}?)(?:\s(?:para|pra|to|as|como|is|be|ser|[ée]|es)\s|\s?:\s|\s)["“'«](.{1,90})["”'»]\.?$|(?<!\p{L})(?:t[ií]tulo|title)(?!\p{L})(?:.{0,20}?)(?:\s(?:para|pra|to|as|como)\s|\s?:\s)(.{1,90})$/iu

const titleGiven =
  /^(?:ponle|ponele|pon|p[oõ]e|coloca|coloque|usa|use)\s(?:de |o |el |como )?t[ií]tulo\s(?:de\s)?["“'«]?(.{1,90}?)["”'»]?$/iu

const retitled: Way = (model, text) => {
  const match = titles.exec(text) ?? titleGiven.exec(text)
  const title = (match?.[1] ?? match?.[2] ?? "").trim()
  return title === "" ? undefined : { model: { ...model, title: cut(title, 90) }, named: [] }
}

const moving: ReadonlyArray<RegExp> = [
  /^(?:(?:p[oõ]e|poe|coloca|coloque|bota|put|move|mov[ae]|mover|mueve|muev[ae]|pon|pone|pas[ae]|add|adiciona|acrescenta|agreg[aá]|a[nñ]ad[ae]|inclui)\s)(.{1,60}?)\s(?:pra |para |to )?(?:embaixo d[aeo]|abaixo d[aeo]|debaixo d[aeo]|sob|under|below|beneath|debajo de(?:l)?|bajo|abajo de)\s(.{1,60}?)$/iu,
  /^(.{1,60}?)\s(?:now |agora |ahora )?(?:reports? to|answers? to|works? (?:for|under)|responde (?:diretamente )?(?:a|ao|[àa]|para|pra|pro)|reporta (?:a|ao|[àa]|para|pra)|passa a (?:responder|se reportar) (?:a|ao|[àa]|para|pra|pro)|pasa a (?:depender de|reportar(?:le)? a)|depende de|ahora depende de|vai pra baixo d[aeo])\s(.{1,60}?)(?:\s(?:now|agora|ahora))?$/iu,
  /^(?:entrou|entra|joined|hay que sumar a|se suma|se incorpora|new|novo|nova|nuev[oa])\s(.{1,60}?)\s(?:direto com|com|under|debajo de|con|embaixo d[aeo]|reporting to|respondendo (?:a|ao|pra))\s(.{1,60}?)$/iu
]

const placing: ReadonlyArray<RegExp> = [
  ...moving,
  /^(?:adicion[ae]r?|acrescent[ae]r?|inclu[aei]r?|add|append|agreg[aáue]+r?|a[nñ]ad[aei]r?|p[oõ]e|coloca|bota|put|pon|sum[aá])\s(.{1,80}?)\s(?:em|no|na|nos|nas|to|in|en|a|al|aos|às|as|ao)\s(.{1,60}?)$/iu
]

const linked = (graph: Graph, parent: Graph["nodes"][number], raw: string): Graph | undefined => {
  const name = bareLabel(raw)
  const role = /^(.{2,40}?)\s(?:no|na|em|in|en)\s(.{2,40})$/iu.exec(name)
  const fresh = role === null ? name : `${bareLabel(role[1] ?? "")} (${bareLabel(role[2] ?? "")})`
  const node = graph.nodes.find(
    (each) =>
      each.label ===
      nameIn(
        graph.nodes.map(({ label }) => label),
        name
      )
  )
  const id = node?.id ?? `${fold(name)}-${graph.nodes.length}`
  // A node cannot be moved below one of its descendants.
  if (name === "" || id === parent.id || isAbove(graph, id, parent.id)) return undefined
  return {
    ...graph,
    nodes: node === undefined ? [...graph.nodes, { id, label: cut(fresh, 80), shape: "box" }] : graph.nodes,
    edges: [...graph.edges.filter(({ to }) => to !== id), { from: parent.id, to: id, label: "" }]
  }
}

const isAbove = ({ edges }: Graph, one: string, other: string): boolean => {
  let at = other
  for (let round = 0; round < 60; round++) {
    const next = edges.find(({ to }) => to === at)?.from
    if (next === undefined) return false
    if (next === one) return true
    at = next
  }
  return true
}

/** Whether each node has at most one parent, and there are no decisions. */
const isTree = ({ edges, nodes }: Graph): boolean =>
  nodes.every(({ shape }) => shape !== "diamond") && new Set(edges.map(({ to }) => to)).size === edges.length

/** "Put Marina under Carlos", "Tom now reports to Mark", "add fairs to Advertising". */
const placedUnder: Way = (model, text) => {
  const { body } = model
  for (const pattern of placing) {
    const match = pattern.exec(text)
    const above = match === null ? undefined : nameIn(labelsOf(body), match[2] ?? "")
    if (match === null || above === undefined) continue
    const items = listIn((match[1] ?? "").replace(/^["“']|["”']$/gu, ""))
    if (body.kind === "graph" && isTree(body)) {
      const parent = body.nodes.find(({ label }) => label === above)
      let graph: Graph | undefined = body
      for (const item of items)
        graph = parent === undefined || graph === undefined ? undefined : linked(graph, parent, item)
      if (graph !== undefined) return changed(model, graph, [above, ...items])
    }
    const listed = listedUnder(body, above, items)
    if (listed !== undefined) return changed(model, listed, [above])
  }
  return undefined
}

const listedUnder = (body: Body, above: string, items: ReadonlyArray<string>): Body | undefined => {
  const fresh = items.map((item) => cut(item, 90))
  if (
    body.kind === "quadrants" &&
    body.cells.some(({ items: existing, title }) => title === above && existing.length + fresh.length <= 8)
  )
    return {
      ...body,
      cells: body.cells.map((cell) => (cell.title === above ? { ...cell, items: [...cell.items, ...fresh] } : cell))
    }
  if (
    body.kind === "venn" &&
    body.sets.some(({ items: existing, label }) => label === above && existing.length + fresh.length <= 6)
  )
    return {
      ...body,
      sets: body.sets.map((set) => (set.label === above ? { ...set, items: [...set.items, ...fresh] } : set))
    }
  return undefined
}

const swapping = /(?<!\p{L})(?:swap|invert[ae]|troc[ae]r?|troque|intercambi[ae])(?!\p{L})/iu
const columnsNamed = /(?<!\p{L})(?:columns|colunas|columnas)(?!\p{L})/iu

const swappedColumns: Way = (model, text) => {
  const { body } = model
  if (body.kind !== "table" || !swapping.test(text) || !columnsNamed.test(text)) return undefined
  const { columns } = body
  const first = columns.length - 2
  // The two columns are certain if there are two, or two after the names of the rows.
  if (columns.length !== 2 && !(columns.length === 3 && columns[0] === "")) return undefined
  const swap = (row: ReadonlyArray<string>) => [...row.slice(0, first), row[first + 1] ?? "", row[first] ?? ""]
  return changed(model, { ...body, columns: swap(columns), rows: body.rows.map(swap) }, columns)
}

const rowAdding =
  /^(?:adicion[ae]r?|acrescent[ae]r?|inclu[aei]r?|add|append|agreg[aáue]+r?|a[nñ]ad[aei]r?|p[oõ]e|coloca|bota|put|pon|sum[aá])\s(?:uma |una |a |another |mais uma |otra )?(?:linha|fila|row|l[ií]nea)\s?(?:com|with|con|de|:)?\s(.{3,200})$/iu

const rowAdded: Way = (model, text) => {
  const { body } = model
  const match = body.kind === "table" ? rowAdding.exec(text) : null
  if (body.kind !== "table" || match === null) return undefined
  const cells = (match[1] ?? "")
    .replace(/,?\s(?:hasta abajo|al final|no final|no fim|at the (?:end|bottom)|por [uú]ltimo)$/iu, "")
    .split(/\s?[|;]\s?|,(?!\d)\s?/)
    .map((cell) => cell.trim())
  const parted = cells.length === body.columns.length ? cells : numberedFirst(cells)
  return parted.length === body.columns.length && !parted.includes("")
    ? changed(model, { ...body, rows: [...body.rows, parted.map((cell) => cut(cell, 80))] }, [])
    : undefined
}

/** "Familiar $1,499" is a name and a price. */
const numberedFirst = ([first = "", ...others]: ReadonlyArray<string>): ReadonlyArray<string> => {
  const at = amountsIn(first)[0]?.from ?? 0
  return [first.slice(0, at).trim(), first.slice(at).trim(), ...others]
}

const ordering =
  /(?<!\p{L})(?:orden[ae]r?|ordena|ordene|sort|order|arrange|organiz[ae]|p[oõ]e|put|coloca|pon)(?!\p{L})/iu

const reordered: Way = (model, text) => {
  const { body } = model
  const order = orderIn(text)
  return body.kind === "chart" && order !== undefined && ordering.test(text)
    ? changed(model, sorted(body, order), [])
    : undefined
}

const toEnd =
  /^(?:(?:and |e |y )?(?:put|move|p[oõ]e|coloca|bota|pon|mueve|mov[ae]|pasa)\s)?(.{1,60}?)\s(?:at the bottom|at the end|last|no fim|no final|por [uú]ltimo|al final|abajo de todo|hasta abajo|l[aá] embaixo)$/iu
const toStart =
  /^(?:(?:and |e |y )?(?:put|move|p[oõ]e|coloca|bota|pon|mueve|mov[ae]|pasa)\s)?(.{1,60}?)\s(?:at the top|at the beginning|first|no in[ií]cio|no come[cç]o|primeiro|em primeiro|primero|al principio|arriba de todo|no topo)$/iu

const shifted = <A>(items: ReadonlyArray<A>, isIt: (item: A) => boolean, toTop: boolean): ReadonlyArray<A> => {
  const [it, others] = [items.filter(isIt), items.filter((item) => !isIt(item))]
  return toTop ? [...it, ...others] : [...others, ...it]
}

const placedAtEnd: Way = (model, text) => {
  const { body } = model
  const [end, start] = [toEnd.exec(text), toStart.exec(text)]
  const name = end?.[1] ?? start?.[1] ?? ""
  if (body.kind !== "chart" && body.kind !== "table") return undefined
  const labels = body.kind === "chart" ? body.rows.map(({ label }) => label) : body.rows.map(([first = ""]) => first)
  const label = nameIn(labels, name)
  if (label === undefined) return undefined
  const isTop = end === null
  return body.kind === "chart"
    ? changed(model, { ...body, rows: shifted(body.rows, (row) => row.label === label, isTop) }, [label])
    : changed(model, { ...body, rows: shifted(body.rows, ([first]) => first === label, isTop) }, [label])
}

const reformed: Way = (model, text) => {
  const { body } = model
  const wish = text.replace(/\s(?:em vez de|en vez de|en lugar de|instead of|no lugar de)\s.{1,40}$/iu, "")
  const form = body.kind === "chart" ? formIn(wish) : undefined
  if (body.kind !== "chart" || form === undefined || amountsIn(text).length > 0 || form === body.form) return undefined
  const isWhole = form !== "pie" && form !== "funnel"
  return body.series.length > 1 && !isWhole ? undefined : changed(model, { ...body, form }, [])
}

const painting =
  /(?<!\p{L})(?:pint[ae]r?|color\p{L}*|colour\p{L}*|paint|cor|cores|deix[ae]|make|faz|fa[cç]a|salga|saia|poner?|pon|p[oõ]e|haz|turn|fique|em|en|in|de)(?!\p{L})/iu

const painted = (body: Chart, of: string, color: string): Chart => ({
  ...body,
  colors: [...(body.colors ?? []).filter((each) => each.of !== of && of !== ""), { of, color }]
})

/** "Paint the bars green", "only 2020 in grey". */
export const recoloured: Way = (model, text) => {
  const { body } = model
  const [color, ...more] = colorsIn(text)
  if (body.kind !== "chart" || color === undefined || more.length > 0 || !painting.test(text)) return undefined
  const labels = [...body.series, ...body.rows.map(({ label }) => label)].filter(
    (label) => label !== "" && mentions(text, label)
  )
  const [label] = labels
  if (label !== undefined)
    return labels.length === 1 ? changed(model, painted(body, label, color), [label, color]) : undefined
  // A single colour would make all parts look the same.
  return body.form === "pie" || body.series.length > 1 ? undefined : changed(model, painted(body, "", color), [color])
}

/** Changes to a drawing that do not depend on its numbers and times. */
export const waysOfWords: ReadonlyArray<Way> = [
  retitled,
  recoloured,
  renamed,
  removed,
  rowAdded,
  placedUnder,
  swappedColumns,
  reordered,
  placedAtEnd,
  reformed
]
