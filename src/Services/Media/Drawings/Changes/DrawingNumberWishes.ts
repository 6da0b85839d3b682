import { stemOf } from "../../../Text/WordStems.ts"
import type { Chart, DrawingModel, Gantt, Table, Timeline } from "../DrawingModel.ts"
import { cut } from "../DrawingText.ts"
import { amountsIn, bareLabel, type FoundAmount, isYear, tokensOf } from "../DrawingWords.ts"
import { entriesIn } from "../Readers/DrawingEntries.ts"
import { type Body, mentions, nameIn } from "../Readers/DrawingItems.ts"
import { spansIn } from "../Readers/DrawingSpans.ts"
import type { Changed, Way } from "./DrawingWishes.ts"

const changed = (model: DrawingModel, body: Body, named: ReadonlyArray<string>): Changed => ({
  model: { ...model, body },
  named
})

const oldValue =
  /,?\s(?:(?:and |y |e )?(?:not|n[ãa]o|no)|instead of|em vez de|en vez de|en lugar de)\s(?:era |was |fueron |the |los |os )?(?=[-R$US€£\d])/iu
const adding =
  /^(?:adicion[ae]r?|acrescent[ae]r?|inclu[aei]r?|add|append|insert|agreg[aáue]+r?|a[nñ]ad[aei]r?|p[oõ]e|coloca|bota|put|pon|sum[aá]|faltou|falta|missing|you forgot|me falt[oó]|te falt[oó]|esqueci)(?:\s(?:um|uma|a|an|un|una|el|la|o|the|another|mais|de|do|da|en|em|also|tamb[eé]m|tambi[eé]n|que))*\s/iu
const changing =
  /^(?:mud[ae]r?|alter[ae]r?|tro(?:qu|c)[ae]r?|change|update|set|make|raise|lower|cambi[aá]r?|cambi[ae]|atualiz[ae]r?|actualiz[aá]r?|corrig[ei]r?|corrija|correct|fix|sob[ea]|sub[aeí]r?|baix[ae]|baj[ae]|aument[ae]|diminu[ai]|drop|p[oõ]e|coloca|pon|put)(?:\s(?:o valor d[aeo]|the value of|el valor de(?:l)?|o|a|the|el|la|os|as|los|las|value))*\s/iu

interface Cell {
  readonly row: number
  readonly series: number
}

/** The one number that a text identifies by row and series. */
const cellIn = (chart: Chart, text: string): Cell | undefined => {
  const rows = chart.rows.map(({ label }) => label)
  const named = rows.filter((label) => mentions(text, label))
  const longest = named.filter((label) => !named.some((other) => other !== label && mentions(other, label)))
  const label = longest.length === 1 ? longest[0] : longest.length === 0 ? nameIn(rows, text) : undefined
  const row = label === undefined ? placeIn(rows.length, text) : rows.indexOf(label)
  if (row === undefined || row < 0) return undefined
  if (chart.series.length === 1) return { row, series: 0 }
  const series = chart.series.filter((name) => mentions(text, name))
  return series.length === 1 ? { row, series: chart.series.indexOf(series[0] ?? "") } : undefined
}

/** "The last number": a row by its position. */
const placeIn = (count: number, text: string): number | undefined =>
  /(?<!\p{L})(?:last|[uú]ltim[oa])(?!\p{L})/iu.test(text)
    ? count - 1
    : /(?<!\p{L})(?:first|primeir[oa]|primer[oa]?)(?!\p{L})/iu.test(text)
      ? 0
      : undefined

const withValue = (chart: Chart, { row, series }: Cell, value: number): Chart => ({
  ...chart,
  rows: chart.rows.map((each, at) =>
    at === row ? { ...each, values: each.values.map((old, place) => (place === series ? value : old)) } : each
  )
})

/** The new number of a wish: the only one, or the one after the old one. */
const freshAmount = (
  text: string,
  chart: Chart
): { readonly fresh: FoundAmount; readonly rest: string } | undefined => {
  const amounts = amountsIn(text).filter(
    (amount) => !chart.rows.some(({ label }) => isYear(amount) && mentions(label, amount.source))
  )
  const fresh = amounts.at(-1)
  if (fresh === undefined || amounts.length > 2) return undefined
  return { fresh, rest: text.slice(0, fresh.from) }
}

const relative = /(?<!\p{L})(?:by|em mais|m[aá]s|more|a mais|percent|%)(?!\p{L})/iu

const revalued: Way = (model, raw) => {
  const { body } = model
  if (body.kind !== "chart" || adding.test(raw)) return undefined
  const [text = "", before] = raw.split(oldValue)
  const amount = freshAmount(text, body)
  if (amount === undefined || relative.test(text.replace(/\d\s?%/g, ""))) return undefined
  const { fresh, rest } = amount
  const isOfUnit = fresh.unit === "" || fresh.unit === body.unit
  const cell = cellIn(body, rest.replace(changing, "")) ?? cellOfOld(body, rest)
  if (cell === undefined || !isOfUnit || fresh.value === valueAt(body, cell)) return undefined
  const olds = [...amountsIn(before ?? ""), ...amountsIn(rest)].filter(
    ({ value }) => !body.rows.some(({ label }) => label === String(value))
  )
  if (olds.some(({ value }) => value !== valueAt(body, cell))) return undefined
  const row = body.rows[cell.row]
  return changed(model, withValue(body, cell, fresh.value), [
    row?.label ?? "",
    body.series[cell.series] ?? "",
    String(valueAt(body, cell)),
    ...(placeIn(body.rows.length, text) === undefined
      ? []
      : ["last first ultimo ultima primeiro primeira primero primera number numero"])
  ])
}

const valueAt = (chart: Chart, { row, series }: Cell): number | undefined => chart.rows[row]?.values[series]

/** "Change 120 to 130": the one number with that value. */
const cellOfOld = (chart: Chart, text: string): Cell | undefined => {
  const [old, ...more] = amountsIn(text)
  if (old === undefined || more.length > 0) return undefined
  const cells = chart.rows.flatMap(({ values }, row) =>
    values.flatMap((value, series) => (value === old.value ? [{ row, series }] : []))
  )
  return cells.length === 1 ? cells[0] : undefined
}

const rowsAdded: Way = (model, text) => {
  const { body } = model
  if (body.kind !== "chart" || body.series.length !== 1 || !adding.test(text)) return undefined
  const rest = text.replace(adding, "").replace(/,?\s(?:at the end|no final|no fim|al final)$/iu, "")
  const entries = entriesIn(rest)
  if (entries === undefined || entries.length === 0 || body.rows.length + entries.length > 40) return undefined
  const labels = new Set(body.rows.map(({ label }) => label.toLowerCase()))
  const knownStems = new Set(tokensOf(`${model.title} ${body.unit}`).map(stemOf))
  // Other words after a number are another wish, unless the title contains them.
  const isCounted = entries.every(({ counted }) => {
    const words = tokensOf(counted)
    return words.length <= 2 && words.every((word) => knownStems.has(stemOf(word)))
  })
  const isFresh = entries.every(
    ({ label, unit }) => label !== "" && !labels.has(label.toLowerCase()) && (unit === "" || unit === body.unit)
  )
  if (!isFresh || !isCounted) return undefined
  const rows = entries.map(({ label, value }) => ({ label: cut(label, 60), values: [value] }))
  return changed(model, { ...body, rows: [...body.rows, ...rows] }, [])
}

const shapeOf = (cell: string): string =>
  amountsIn(cell)
    .map(({ unit }) => `#${unit}`)
    .join("")

/** "Sube el Pro a 59 €": the one cell of the row with the same unit. */
const cellRevalued: Way = (model, raw) => {
  const { body } = model
  if (body.kind !== "table" || adding.test(raw)) return undefined
  const [text = ""] = raw.split(oldValue)
  const fresh = amountsIn(text).at(-1)
  if (fresh === undefined) return undefined
  const rest = text
    .slice(0, fresh.from)
    .replace(changing, "")
    .replace(/\s(?:para|to|a|por|por|is|agora|now|ahora|es|[ée])\s*$/iu, "")
  const heads = body.rows.map(([first = ""]) => first)
  const named = heads.filter((head) => mentions(rest, head))
  const label = named.length === 1 ? named[0] : nameIn(heads, rest)
  const row = body.rows.find(([first]) => first === label)
  if (row === undefined || label === undefined) return undefined
  return withCell(model, body, { row, label, fresh: text.slice(fresh.from).trim(), rest })
}

const withCell = (
  model: DrawingModel,
  body: Table,
  {
    fresh,
    label,
    rest,
    row
  }: { readonly row: ReadonlyArray<string>; readonly label: string; readonly fresh: string; readonly rest: string }
): Changed | undefined => {
  const column = body.columns.findIndex((name, at) => at > 0 && name !== "" && mentions(rest, name))
  const alike = row.flatMap((cell, at) =>
    at > 0 && shapeOf(cell) === shapeOf(fresh) && shapeOf(cell) !== "" ? [at] : []
  )
  const at = column > 0 ? column : alike.length === 1 ? alike[0] : undefined
  if (at === undefined || row[at] === fresh) return undefined
  const cells = row.map((cell, place) => (place === at ? cut(fresh, 80) : cell))
  return changed(model, { ...body, rows: body.rows.map((each) => (each === row ? cells : each)) }, [
    label,
    body.columns[at] ?? ""
  ])
}

const textOf = (body: Timeline | Gantt): ReadonlyArray<string> =>
  body.kind === "timeline"
    ? body.events.map(({ label, when }) => `${when} ${label}`)
    : body.tasks.map(({ label, when }) => `${when} ${label}`)

/** A further event or task, parsed together with the existing ones. */
const spanAdded: Way = (model, raw) => {
  const { body } = model
  if ((body.kind !== "timeline" && body.kind !== "gantt") || !adding.test(raw)) return undefined
  const text = raw
    .replace(adding, "")
    .replace(/,?\s(?:at the end|no final|no fim|al final)$/iu, "")
    .replace(/^(?:the |o |a |el |la )?(?:evento?|event|tarefa|task|tarea)\s/iu, "")
  const items = textOf(body)
  const read = spansIn([...items, text].join("\n"), body.kind === "gantt", model.language)
  if (read?.kind === "timeline" && body.kind === "timeline" && read.events.length === items.length + 1)
    return changed(model, read, [])
  return read?.kind === "gantt" && body.kind === "gantt" && read.tasks.length === items.length + 1
    ? changed(model, read, [])
    : undefined
}

const yearMoved: Way = (model, text) => {
  const { body } = model
  if (body.kind !== "timeline" || adding.test(text)) return undefined
  const years = amountsIn(text)
    .filter(isYear)
    .map(({ source }) => source)
  const isDenied = /(?<!\p{L})(?:n[aã]o|no|not)(?!\p{L})/iu.test(text)
  const olds = years.filter((year) => body.events.some(({ when }) => when === year))
  const fresh = years.filter((year) => !olds.includes(year))
  const words = bareLabel(text.replace(/(?:19|20)\d\d/g, " "))
  const named = body.events.filter(({ label }) =>
    label.split(" ").some((word) => word.length > 3 && mentions(words, word))
  )
  const event =
    olds.length === 1 ? body.events.find(({ when }) => when === olds[0]) : named.length === 1 ? named[0] : undefined
  if (event === undefined || fresh.length !== 1 || years.length > 2 || (olds.length === 0 && isDenied)) return undefined
  const moved = body.events.map((each) => (each === event ? { ...each, when: fresh[0] ?? "" } : each))
  const events = [...moved].sort((one, other) => Number(one.when.slice(0, 4)) - Number(other.when.slice(0, 4)))
  const isOrdered = moved.every(({ when }) => /^(?:19|20)\d\d$/.test(when))
  return changed(model, { ...body, events: isOrdered ? events : moved }, [event.label, event.when])
}

const ends =
  /(?:^|\s)(?:until|till|to|vai at[eé]|at[eé]|hasta|ends?(?: on)?|finishes|acaban?(?: el)?|terminan?(?: el)?|termina|acaba)\s(?:el |o |the )?(.{3,30})$/iu
const late =
  /,?\s(?:running late|runs late|is late|atrasou|atrasad[oa]|se retrasan?|se atras[oó])(?:,|\sand|\se|\sy)?/iu

/** "Plastering is 21 to 29 Jan now", "a elétrica vai até 21/08". */
const taskMoved: Way = (model, raw) => {
  const { body } = model
  if (body.kind !== "gantt" || adding.test(raw)) return undefined
  const text = raw
    .replace(late, " ")
    .replace(/\s(?:now|agora|ahora)$/iu, "")
    .trim()
  const labels = body.tasks.map(({ label }) => label)
  const named = labels.filter((label) => mentions(text, label))
  const name = named.length === 1 ? named[0] : undefined
  const task = body.tasks.find(({ label }) => label === name)
  if (name === undefined || task === undefined) return undefined
  const when = text
    .slice(text.toLowerCase().indexOf(name.toLowerCase()) + name.length)
    .replace(/^[,\s]*(?:(?:it's|it is|is|são|es|é|va|vai|van|vão|passa para|goes|moves to|runs|now|agora)\s)*/iu, "")
  const until = ends.exec(` ${when}`)
  const start = task.when.split(/\s(?:to|a|al|at[eé]|hasta|-|until)\s|(?<=\d)-(?=\d)/u)[0] ?? ""
  const others = body.tasks.filter((each) => each !== task).map((each) => `${each.when} ${each.label}`)
  const time = until === null ? when : rangeFrom(start, until[1] ?? "", model.language)
  const read = spansIn([...others, `${time} ${name}`].join("\n"), true, model.language)
  const fresh = read?.kind === "gantt" ? read.tasks.at(-1) : undefined
  if (fresh === undefined || fresh.label !== name || (until !== null && fresh.from !== task.from)) return undefined
  return changed(model, { ...body, tasks: body.tasks.map((each) => (each === task ? fresh : each)) }, [name])
}

const rangeFrom = (start: string, end: string, language: string): string => {
  const month = /\p{L}{3,}\s*$/u.exec(end)?.[0] ?? ""
  const joiner = language === "en" ? "to" : language === "es" ? "al" : "a"
  const whole = /\/|\p{L}{3,}/u.test(start.replace(/^(?:del?|from|desde|do|da)\s/iu, ""))
    ? start
    : `${start} ${language === "en" ? "" : "de "}${month}`
  return `${whole.replace(/\s+/g, " ").trim()} ${joiner} ${end.trim()}`
}

const numberWords: { readonly [word: string]: number } = {
  a: 1,
  an: 1,
  um: 1,
  uma: 1,
  un: 1,
  una: 1,
  one: 1,
  two: 2,
  dois: 2,
  duas: 2,
  dos: 2,
  three: 3,
  tres: 3,
  três: 3,
  four: 4,
  quatro: 4,
  cuatro: 4,
  five: 5,
  cinco: 5
}
const slips =
  /^(?:(?:adia|empurra|delay|push|move|atrasa|mueve|retrasa)\s)?(.{1,60}?)\s(?:(?:slips?|is late|moves?|atrasou|atrasa|se retrasa[n]?|se atrasa|runs late|back)\s)?(?:by |em |en |for )?(\d{1,2}|\p{L}{1,6})\s(day|days|dia|dias|d[ií]as|week|weeks|semana|semanas)(?: later| depois| m[aá]s tarde| back)?$/iu

/** "Units slip by two days": both ends of a task move. */
const taskSlipped: Way = (model, text) => {
  const { body } = model
  const match = body.kind === "gantt" ? slips.exec(text) : null
  if (body.kind !== "gantt" || match === null) return undefined
  const label = nameIn(
    body.tasks.map((task) => task.label),
    match[1] ?? ""
  )
  const task = body.tasks.find((each) => each.label === label)
  const count = Number(match[2]) || (numberWords[(match[2] ?? "").toLowerCase()] ?? 0)
  const days = count * (/^(?:week|semana)/iu.test(match[3] ?? "") ? 7 : 1)
  const month = /(?:jan|fev|feb|mar|abr|apr|mai|may|jun|jul|ago|aug|set|sep|out|oct|nov|dez|dec|dic|ene)/iu
  if (task === undefined || days === 0 || !month.test(task.when)) return undefined
  const locale = model.language
  const write = (day: number): string =>
    new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" }).format(
      new Date(day * 86_400_000)
    )
  const [from, to] = [task.from + days, task.to + days]
  const when = to - from > 1 ? `${write(from)} – ${write(to - 1)}` : write(from)
  const tasks = body.tasks.map((each) => (each === task ? { ...task, from, to, when } : each))
  return changed(model, { ...body, tasks }, [task.label, text])
}

/** Changes to a drawing by its numbers and times. */
export const waysOfNumbers: ReadonlyArray<Way> = [
  revalued,
  rowsAdded,
  cellRevalued,
  yearMoved,
  spanAdded,
  taskMoved,
  taskSlipped
]
