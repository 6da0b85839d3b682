import { fold } from "../Text/PlainText.ts"
import { stemOf } from "../Text/WordStems.ts"
import { entriesIn } from "./DrawingCharts.ts"
import { editDrawing } from "./DrawingEdits.ts"
import type { Chart, DrawingModel, Graph, Table } from "./DrawingModel.ts"
import { formIn } from "./DrawingPrompt.ts"
import type { DrawingReading } from "./DrawingReader.ts"
import { spansIn } from "./DrawingSpans.ts"
import { cut } from "./DrawingText.ts"
import { amountsIn, bareLabel, isAsking, tokensOf } from "./DrawingWords.ts"

type Body = DrawingModel["body"]

const wordSet = (list: string): ReadonlySet<string> => new Set(list.split(" "))

// The words by which a change is asked for, folded. What it is made to is no part of them.
const changeWords = wordSet(
  "adicione adiciona acrescente acrescenta inclua incluir add append insert agregue agrega anade anada ponha poe pon coloque coloca coloquei bota put " +
    "remova remove tire tira retire retira exclua apague delete drop take out quite quita elimine elimina borre borra saca saque " +
    "mude muda altere altera troque troca change update set make turn cambie cambia atualize actualice substitua substitui replace rename renomeie renombra corrija fix " +
    "era was were foi fue should be deve ser debe not nao no instead vez lugar mesmo mismo same valor value embaixo abaixo debaixo debajo sob under below bajo " +
    "left saiu salio ela ele she he they nos we fue se inverta inverte swap intercambia intercambie two duas dos both it isso isto eso tambem also too agora now faca deixa deixe para to row item barra fatia slice"
)

const everyText = (body: Body): ReadonlyArray<string> => {
  const collect = (value: unknown): ReadonlyArray<string> =>
    typeof value === "string"
      ? [value]
      : typeof value === "number"
        ? [String(value)]
        : typeof value === "object" && value !== null
          ? Object.values(value).flatMap(collect)
          : []
  return collect(body)
}

/** The texts that only one of the two has, or has more often. */
const differing = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  for (const text of before) counts.set(text, (counts.get(text) ?? 0) + 1)
  for (const text of after) counts.set(text, (counts.get(text) ?? 0) - 1)
  return [...counts].filter(([, count]) => count !== 0).map(([text]) => text)
}

const isUnchanged = (before: DrawingModel, after: DrawingModel): boolean =>
  JSON.stringify([before.title, before.body]) === JSON.stringify([after.title, after.body])

/** The words of a change that what became of the drawing does not account for. */
const unaccounted = (prompt: string, before: DrawingModel, after: DrawingModel, named: ReadonlyArray<string>) => {
  const texts = [...differing(everyText(before.body), everyText(after.body)), ...named]
  if (before.title !== after.title) texts.push(before.title, after.title)
  const textWords = new Set([...texts, before.title].flatMap(tokensOf))
  const stems = new Set([...textWords].map(stemOf))
  const numbers = new Set(texts.flatMap((text) => amountsIn(text).map(({ value }) => value)))
  const amounts = amountsIn(prompt).filter(({ value }) => !numbers.has(value))
  const rest = amountsIn(prompt)
    .toReversed()
    .reduce((text, { from, to }) => `${text.slice(0, from)} ${text.slice(to)}`, prompt)
  return [
    ...amounts.map((amount) => amount.source),
    ...tokensOf(rest).filter(
      (word) => !isAsking(word) && !changeWords.has(word) && !textWords.has(word) && !stems.has(stemOf(word))
    )
  ]
}

interface Changed {
  readonly body: Body
  /** Labels that the change goes by, and that stay. */
  readonly named: ReadonlyArray<string>
}

const labelsOf = (body: Body): ReadonlyArray<string> => {
  switch (body.kind) {
    case "chart":
      return [...body.rows.map(({ label }) => label), ...body.series]
    case "graph":
      return body.nodes.map(({ label }) => label)
    case "table":
      return [...body.columns, ...body.rows.flat()]
    case "gantt":
      return body.tasks.map(({ label }) => label)
    case "timeline":
      return body.events.map(({ label }) => label)
    case "venn":
      return [...body.sets.flatMap(({ items, label }) => [label, ...items]), body.shared]
    case "quadrants":
      return body.cells.flatMap(({ items, title }) => [title, ...items])
    case "grid":
      return body.cells.flatMap(({ text, title }) => [title, text])
    default:
      return []
  }
}

const bare = (text: string): string => fold(bareLabel(text).replace(/\s?\([^()]{0,80}\)$/, ""))

/** The one label that a text names: whole, or by a part that only it has. */
const labelNamed = (body: Body, text: string): string | undefined => {
  const name = bare(text)
  const labels = [...new Set(labelsOf(body).filter((label) => label !== ""))]
  if (name === "") return undefined
  const whole = labels.filter((label) => bare(label) === name)
  const parts = labels.filter((label) => ` ${tokensOf(label).join(" ")} `.includes(` ${tokensOf(name).join(" ")} `))
  const matches = whole.length > 0 ? whole : parts
  return matches.length === 1 ? matches[0] : undefined
}

/** The body with another word in the place of a label. */
const relabelled = (body: Body, from: string, to: string): Body => {
  const change = (text: string): string => (text === from ? to : text)
  const relabel = <A extends { readonly label: string }>(item: A): A => ({ ...item, label: change(item.label) })
  switch (body.kind) {
    case "table":
      return { ...body, columns: body.columns.map(change), rows: body.rows.map((row) => row.map(change)) }
    case "chart":
      return { ...body, series: body.series.map(change), rows: body.rows.map(relabel) }
    case "graph":
      return { ...body, nodes: body.nodes.map(relabel) }
    case "gantt":
      return { ...body, tasks: body.tasks.map(relabel) }
    case "timeline":
      return { ...body, events: body.events.map(relabel) }
    case "venn":
      return {
        ...body,
        shared: change(body.shared),
        sets: body.sets.map(({ items, label }) => ({ label: change(label), items: items.map(change) }))
      }
    case "quadrants":
      return {
        ...body,
        cells: body.cells.map(({ items, title }) => ({ title: change(title), items: items.map(change) }))
      }
    case "grid":
      return { ...body, cells: body.cells.map(({ text, title }) => ({ title: change(title), text: change(text) })) }
    default:
      return body
  }
}

const renaming =
  /^(?:por favor,? |please,? )?(?:tro(?:qu|c)[ae]r?|mud[ae]r?|change|replace|rename|renomei?[ae]r?|renombr[ae]r?|cambi[ae]r?|substitu[ai]r?|reemplaza)\s(.{1,80}?)\s(?:por|para|to|with|by|a)\s(.{1,80}?)(?:,\s(.*))?$/iu
const insteadOf =
  /^(?:en vez de|em vez de|no lugar de|en lugar de|instead of)\s(.{1,80}?),?\s(?:pon|p[oõ]e|ponha|coloque|coloca|put|use|usa|write|escreva|escribe)\s(.{1,80})$/iu

const renamed = (body: Body, text: string): Changed | undefined => {
  const match = insteadOf.exec(text) ?? renaming.exec(text)
  const [from = "", to = ""] = [match?.[1], match?.[2]]
  const label = labelNamed(body, from)
  const fresh = bareLabel(to)
  if (label === undefined || fresh === "" || amountsIn(to).length > 0) return undefined
  const bareFrom = bareLabel(from)
  const at = fold(label).indexOf(fold(bareFrom))
  const whole = at < 0 ? fresh : `${label.slice(0, at)}${fresh}${label.slice(at + bareFrom.length)}`
  return { body: relabelled(body, label, cut(whole, 80)), named: [] }
}

const oldValue = /,?\s(?:not|n[ãa]o|no|e n[ãa]o|y no|instead of|em vez de|en vez de)\s(?=[-R$US€£\d])/iu

/** Rows of a chart with other numbers, or more of them. */
const revalued = (chart: Chart, text: string): Changed | undefined => {
  if (chart.series.length !== 1) return undefined
  const [wish = "", before] = text.split(oldValue)
  const entries = entriesIn(
    wish.replace(/^\p{L}+\s(?=.*\d)/u, (verb) => (changeWords.has(fold(verb.trim())) ? "" : verb))
  )
  const [entry] = entries ?? []
  if (entries === undefined || entry === undefined) return undefined
  const rows = [...chart.rows]
  for (const { label, unit, value } of entries) {
    if (label === "" || (unit !== "" && chart.unit !== unit)) return undefined
    const row = labelNamed({ ...chart, series: [] }, label)
    const at = rows.findIndex((each) => each.label === row)
    if (at < 0) rows.push({ label: cut(label, 60), values: [value] })
    else rows[at] = { label: rows[at]?.label ?? label, values: [value] }
  }
  const changed = rows.find((row) => row.values[0] === entry.value)
  const old = chart.rows.find((row) => row.label === changed?.label)?.values[0]
  if (before !== undefined && amountsIn(before)[0]?.value !== old) return undefined
  return rows.length > 40
    ? undefined
    : { body: { ...chart, rows }, named: rows.map(({ label }) => label).filter((label) => mentions(text, label)) }
}

const mentions = (text: string, label: string): boolean => {
  const tokens = tokensOf(label)
  return tokens.length > 0 && ` ${tokensOf(text).join(" ")} `.includes(` ${tokens.join(" ")} `)
}

const removing =
  /^(?:por favor,? |please,? )?(?:remov[ae]r?|retir[ae]r?|tir[ae]r?|exclu[ai]r?|apagu?[ae]r?|delete|drop|take|quit[ae]r?|elimin[ae]r?|borr[ae]r?|sac[ae]r?)\s(?:out\s)?(.{1,80}?)(?:\s(?:out|fora|away))?(?:,\s(.*))?\.?$/iu

const removed = (body: Body, text: string): Changed | undefined => {
  const match = removing.exec(text)
  const label = match === null ? undefined : labelNamed(body, match[1] ?? "")
  if (label === undefined) return undefined
  switch (body.kind) {
    case "chart":
      return { body: { ...body, rows: body.rows.filter((row) => row.label !== label) }, named: [label] }
    case "graph": {
      const id = body.nodes.find((node) => node.label === label)?.id
      // What hangs below it would hang nowhere.
      if (body.edges.some(({ from }) => from === id)) return undefined
      return {
        body: {
          ...body,
          nodes: body.nodes.filter((node) => node.id !== id),
          edges: body.edges.filter(({ to }) => to !== id)
        },
        named: [label]
      }
    }
    case "gantt":
      return { body: { ...body, tasks: body.tasks.filter((task) => task.label !== label) }, named: [label] }
    case "timeline":
      return { body: { ...body, events: body.events.filter((event) => event.label !== label) }, named: [label] }
    case "quadrants":
      return body.cells.some(({ title }) => title === label)
        ? undefined
        : {
            body: {
              ...body,
              cells: body.cells.map((cell) => ({ ...cell, items: cell.items.filter((item) => item !== label) }))
            },
            named: [label]
          }
    default:
      return undefined
  }
}

const placing =
  /^\p{L}+\s(.{1,60}?)\s(?:embaixo d[aeo]|abaixo d[aeo]|debaixo d[aeo]|sob|under|below|debajo de(?:l)?|bajo)\s(.{1,60}?)\.?$/iu

/** "Put Marina under Carlos". */
const placedUnder = (graph: Graph, text: string): Changed | undefined => {
  const match = placing.exec(text)
  const above = match === null ? undefined : labelNamed(graph, match[2] ?? "")
  const parent = graph.nodes.find(({ label }) => label === above)
  const name = bareLabel(match?.[1] ?? "")
  if (parent === undefined || name === "") return undefined
  const label = labelNamed(graph, name)
  const node = graph.nodes.find((each) => each.label === label)
  const id = node?.id ?? `${fold(name)}-${graph.nodes.length}`
  if (id === parent.id) return undefined
  return {
    body: {
      ...graph,
      nodes: node === undefined ? [...graph.nodes, { id, label: cut(name, 80), shape: "box" }] : graph.nodes,
      edges: [...graph.edges.filter(({ to }) => to !== id), { from: parent.id, to: id, label: "" }]
    },
    named: [parent.label, name]
  }
}

const swapping = /\b(?:swap|invert[ae]|troc[ae]r?|troque|intercambi[ae])\b/iu
const columnsNamed = /\b(?:columns|colunas|columnas)\b/iu

const swappedColumns = ({ columns, rows, ...rest }: Table, text: string): Changed | undefined => {
  const first = columns.length - 2
  // Which two are meant is certain where there are two, or two behind the names of the rows.
  if (!swapping.test(text) || !columnsNamed.test(text)) return undefined
  if (columns.length !== 2 && !(columns.length === 3 && columns[0] === "")) return undefined
  const swap = (row: ReadonlyArray<string>) => [...row.slice(0, first), row[first + 1] ?? "", row[first] ?? ""]
  return { body: { ...rest, columns: swap(columns), rows: rows.map(swap) }, named: columns }
}

const spanAdded = (body: Body, text: string): Changed | undefined => {
  if (body.kind !== "timeline" && body.kind !== "gantt") return undefined
  const event = text
    .replace(/^\p{L}+\s/u, "")
    .replace(/^(?:the |o |a |el |la )?(?:evento?|event|tarefa|task|tarea)\s/iu, "")
  const count = body.kind === "timeline" ? body.events.length : body.tasks.length
  // Read together with what is there, so that it must be a time of the same kind.
  const all =
    body.kind === "timeline"
      ? body.events.map(({ label, when }) => `${when} ${label}`)
      : body.tasks.map(({ label, when }) => `${when} ${label}`)
  const read = spansIn([...all, event].join("\n"), body.kind === "gantt")
  if (read?.kind === "timeline" && body.kind === "timeline" && read.events.length === count + 1)
    return { body: { ...body, events: [...body.events, ...read.events.slice(count)] }, named: [] }
  return read?.kind === "gantt" && body.kind === "gantt" && read.tasks.length === count + 1
    ? { body: read, named: [] }
    : undefined
}

const reformed = (body: Body, text: string): Changed | undefined => {
  const form = body.kind === "chart" ? formIn(text) : undefined
  return body.kind !== "chart" ||
    form === undefined ||
    amountsIn(text).length > 0 ||
    (form === "pie" && body.series.length > 1)
    ? undefined
    : { body: { ...body, form }, named: [] }
}

/** Ways to change a drawing, each of which is tried. What a change does not account for is no change. */
const waysOf = (body: Body, text: string): ReadonlyArray<Changed | undefined> => [
  renamed(body, text),
  removed(body, text),
  body.kind === "graph" ? placedUnder(body, text) : undefined,
  body.kind === "table" ? swappedColumns(body, text) : undefined,
  spanAdded(body, text),
  reformed(body, text),
  body.kind === "chart" ? revalued(body, text) : undefined
]

const valuesOf = (body: Body): string =>
  body.kind === "chart" ? JSON.stringify(body.rows.map(({ values }) => values)) : ""

/** Changes by words in quotation marks, arrows and the like, where they cannot be mistaken for data. */
const otherwise = (model: DrawingModel, text: string): DrawingModel => {
  const { kind } = model.body
  if (kind === "graph" && removing.test(text)) return model
  const after = editDrawing(model, text)
  return valuesOf(model.body) === valuesOf(after.body) ? after : model
}

/** Whether the chart has the form that the wish names, if it names one. */
const hasForm = ({ body }: DrawingModel, text: string): boolean => {
  const form = formIn(text)
  return body.kind !== "chart" || form === undefined || body.form === form
}

const changedByWish = (model: DrawingModel, text: string): DrawingReading => {
  const ways = [
    ...waysOf(model.body, text).flatMap((way) =>
      way === undefined ? [] : [{ after: { ...model, body: way.body }, named: way.named }]
    ),
    { after: otherwise(model, text), named: [] }
  ]
  let missing: ReadonlyArray<string> | undefined
  for (const { after, named } of ways) {
    if (isUnchanged(model, after) || !hasForm(after, text)) continue
    const left = unaccounted(text, model, after, named)
    if (left.length === 0) return { _tag: "Read", model: after }
    missing ??= left
  }
  return missing === undefined
    ? { _tag: "Unread", reason: "notChanged", words: [] }
    : { _tag: "Unread", reason: "notShown", words: [...new Set(missing)].slice(0, 12) }
}

const nextWish =
  /\s(?:e|and|y)\s(?=(?:adicion|acrescent|add|agreg|remov|tir[ae]|retir|delete|quit|mud[ae]|change|make|faça|faz|haz|troc|troqu|cambi|coloc|coloqu|põe|put)\p{L}*\s)/iu

/** The drawing with all wishes of the prompt, which have changed it; else the words that no change accounts for. */
export const changeDrawing = (model: DrawingModel, prompt: string): DrawingReading => {
  const wishes = prompt
    .slice(0, 8000)
    .split(nextWish)
    .map((wish) => wish.trim().replace(/\.$/, ""))
  return wishes.reduce<DrawingReading>(
    (reading, wish) => (reading._tag === "Unread" ? reading : changedByWish(reading.model, wish)),
    { _tag: "Read", model }
  )
}
