import { fold } from "../../../Text/PlainText.ts"
import { stemOf } from "../../../Text/WordStems.ts"
import type { DrawingModel } from "../DrawingModel.ts"
import { bareLabel, tokensOf } from "../DrawingWords.ts"
import { timesOf } from "./DrawingTimes.ts"

export type Body = DrawingModel["body"]

/** All labels of a drawing to which a change can refer. */
export const labelsOf = (body: Body): ReadonlyArray<string> => {
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
      return body.events.flatMap(({ label, when }) => [label, when])
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

const plain = (text: string): string => fold(bareLabel(text).replace(/\s?\([^()]{0,80}\)$/, ""))

const stems = (text: string): ReadonlyArray<string> => tokensOf(text).map(stemOf)

const holds = (whole: ReadonlyArray<string>, part: ReadonlyArray<string>): boolean =>
  part.length > 0 && ` ${whole.join(" ")} `.includes(` ${part.join(" ")} `)

/** "Apr" and "April", "Mar" and "o mês de março". */
export const isSameTime = (label: string, name: string): boolean => {
  const times = timesOf(name.replace(/^(?:o |el |the )?(?:m[eê]s de |month of )/iu, ""))
  return timesOf(label).some(({ index, kind }) => times.some((time) => time.kind === kind && time.index === index))
}

/** The label that a text names: completely, by a part that only it has, or in another form of its words. */
export const nameIn = (labels: ReadonlyArray<string>, text: string): string | undefined => {
  const name = plain(text)
  const candidates = [...new Set(labels.filter((label) => label !== ""))]
  if (name === "") return undefined
  for (const matches of [
    candidates.filter((label) => plain(label) === name),
    candidates.filter((label) => isSameTime(label, name)),
    candidates.filter((label) => holds(tokensOf(label), tokensOf(name))),
    candidates.filter((label) => holds(stems(label), stems(name))),
    candidates.filter((label) => plain(label).length > 3 && holds(stems(name), stems(plain(label))))
  ])
    if (matches.length > 0) return matches.length === 1 ? matches[0] : undefined
  return undefined
}

/** Whether a text contains the words of a label. */
export const mentions = (text: string, label: string): boolean => holds(tokensOf(text), tokensOf(label))

/** The body with a label replaced. */
export const relabelled = (body: Body, from: string, to: string): Body => {
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
      return {
        ...body,
        events: body.events.map(({ label, when }) => ({ label: change(label), when: change(when) }))
      }
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

const withoutNode = (body: Extract<Body, { readonly kind: "graph" }>, label: string): Body | undefined => {
  const id = body.nodes.find((node) => node.label === label)?.id
  // The nodes below it would no longer be connected.
  if (body.edges.some(({ from }) => from === id)) return undefined
  return {
    ...body,
    nodes: body.nodes.filter((node) => node.id !== id),
    edges: body.edges.filter(({ to }) => to !== id)
  }
}

const withoutColumn = (body: Extract<Body, { readonly kind: "table" }>, label: string): Body | undefined => {
  const at = body.columns.indexOf(label)
  const keep = (_: string, place: number): boolean => place !== at
  if (at < 0) {
    const rows = body.rows.filter(([first]) => first !== label)
    return rows.length === body.rows.length - 1 ? { ...body, rows } : undefined
  }
  return { ...body, columns: body.columns.filter(keep), rows: body.rows.map((row) => row.filter(keep)) }
}

const withoutRow = (body: Extract<Body, { readonly kind: "chart" }>, label: string): Body => {
  const at = body.series.indexOf(label)
  if (body.series.length < 2 || at < 0) return { ...body, rows: body.rows.filter((row) => row.label !== label) }
  return {
    ...body,
    series: body.series.filter((_, place) => place !== at),
    rows: body.rows.map((row) => ({ ...row, values: row.values.filter((_, place) => place !== at) }))
  }
}

/** Removes what has that label; undefined if other parts depend on it. */
export const without = (body: Body, label: string): Body | undefined => {
  const others = (items: ReadonlyArray<string>): ReadonlyArray<string> => items.filter((item) => item !== label)
  switch (body.kind) {
    case "chart":
      return withoutRow(body, label)
    case "graph":
      return withoutNode(body, label)
    case "table":
      return withoutColumn(body, label)
    case "gantt":
      return { ...body, tasks: body.tasks.filter((task) => task.label !== label) }
    case "timeline":
      return { ...body, events: body.events.filter((event) => event.label !== label && event.when !== label) }
    case "quadrants":
      return body.cells.some(({ title }) => title === label)
        ? undefined
        : { ...body, cells: body.cells.map((cell) => ({ ...cell, items: others(cell.items) })) }
    case "venn":
      return body.sets.some((set) => set.label === label)
        ? undefined
        : {
            ...body,
            shared: body.shared === label ? "" : body.shared,
            sets: body.sets.map((set) => ({ ...set, items: others(set.items) }))
          }
    case "grid":
      return { ...body, cells: body.cells.filter(({ title }) => title !== label) }
    default:
      return undefined
  }
}
