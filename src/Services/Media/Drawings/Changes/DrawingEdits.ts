import { readBrief, replacementsIn } from "../../Brief.ts"
import { countriesIn, stateOf, statesIn } from "../../Regions.ts"
import { formIn } from "../DrawingKinds.ts"
import type { Chart, DrawingModel } from "../DrawingModel.ts"
import { chartOfTable, graphIn, itemsIn, pairsIn, shapesIn, tableIn, wireframeIn } from "../DrawingPrompt.ts"
import { cut } from "../DrawingText.ts"

const removing =
  /\b(?:remov[ae]r?|retir[ae]r?|tir[ae]r?|exclu(?:a|ir|ye|ir)|apagu?[ae]r?|delete|drop|without|take out|quit[ae]r?|elimin[ae]r?|borr[ae]r?)\b/i
const adding =
  /\b(?:adicion[ae]r?|acrescent[ae]r?|inclu(?:a|ir|ye)|add|append|insert|agreg[ae]r?|agregá|añad[ae]r?|ponha|põe|pon|coloc[ae]r?|coloque|bota)\b/iu
const titled = /\b(?:t[ií]tulo|title)\b/i
const verbs =
  /^.{0,40}?\b(?:adicion[ae]r?|acrescent[ae]r?|inclu(?:a|ir|ye)|add|append|agreg[ae]r?|añad[ae]r?|mud[ae]r?|alter[ae]r?|troqu?[ae]r?|change|update|set|make|cambi[ae]r?|atualiz[ae]r?|actualiz[ae]r?)\b/i

const same = (one: string, other: string): boolean => one.trim().toLowerCase() === other.trim().toLowerCase()

const mentions = (text: string, label: string): boolean =>
  label.trim().length > 0 && text.toLowerCase().includes(label.trim().toLowerCase())

/** The text without the verb that asks for the change. */
const data = (text: string): string => text.replace(verbs, "").replace(/^[\s:,]+/, "")

const changedChart = (chart: Chart, text: string): Chart => {
  const pairs = pairsIn(data(text)).map((pair) => ({
    ...pair,
    // "change Monday to 40" is read as the label "Monday to".
    label: pair.label.replace(/\s(?:para|to|a|por)$/i, "")
  }))
  const isRemoving = removing.test(text)
  const remainingRows = isRemoving ? chart.rows.filter(({ label }) => !mentions(text, label)) : chart.rows
  const rows = remainingRows.map((row) => {
    const pair = pairs.find(({ label }) => same(label, row.label))
    return pair === undefined ? row : { ...row, values: [pair.value, ...row.values.slice(1)] }
  })
  // "The last number should be 21" names no row. A new row must be asked for explicitly.
  const added = !adding.test(text)
    ? []
    : pairs
        .filter(({ label }) => !rows.some((row) => same(row.label, label)))
        .map(({ label, value }) => ({ label, values: chart.series.map((_, index) => (index === 0 ? value : 0)) }))
  return { ...chart, form: formIn(text) ?? chart.form, rows: [...rows, ...added].slice(0, 40) }
}

type BodyOf<Kind extends DrawingModel["body"]["kind"]> = Extract<DrawingModel["body"], { readonly kind: Kind }>

const changedTable = (body: BodyOf<"table">, text: string): DrawingModel["body"] => {
  const form = formIn(text)
  const chart = form === undefined ? undefined : chartOfTable(body, form)
  if (chart !== undefined) return chart
  if (removing.test(text)) return { ...body, rows: body.rows.filter(([first = ""]) => !mentions(text, first)) }
  const more = tableIn(text)
  const pairs = pairsIn(data(text)).map(({ label, value }) => [label, String(value)])
  const rows = more === undefined ? pairs : [more.columns, ...more.rows]
  const fitted = rows.map((row) => body.columns.map((_, index) => row[index] ?? ""))
  const updatedRows = body.rows.map((row) => fitted.find(([first = ""]) => same(first, row[0] ?? "")) ?? row)
  const added = adding.test(text)
    ? fitted.filter(([first = ""]) => !body.rows.some((row) => same(row[0] ?? "", first)))
    : []
  return { ...body, rows: [...updatedRows, ...added].slice(0, 30) }
}

const changedGraph = (body: BodyOf<"graph">, text: string): DrawingModel["body"] => {
  const direction = /\b(?:vertical|top[- ]down|de cima|para baixo|arriba|abajo)\b/i.test(text)
    ? "down"
    : /\b(?:horizontal|lado|left[- ]to[- ]right|lateral)\b/i.test(text)
      ? "across"
      : body.direction
  if (removing.test(text)) {
    const nodes = body.nodes.filter(({ label }) => !mentions(text, label))
    const left = new Set(nodes.map(({ id }) => id))
    return { ...body, direction, nodes, edges: body.edges.filter(({ from, to }) => left.has(from) && left.has(to)) }
  }
  const more = graphIn(data(text))
  if (more === undefined) return { ...body, direction }
  const existingId = (id: string, label: string): string => body.nodes.find((node) => same(node.label, label))?.id ?? id
  const labels = new Map(more.nodes.map(({ id, label }) => [id, label]))
  const ids = (id: string): string => existingId(id, labels.get(id) ?? id)
  const nodes = [
    ...body.nodes,
    ...more.nodes.filter(({ id, label }) => existingId(id, label) === id && !body.nodes.some((node) => node.id === id))
  ]
  const edges = [...body.edges, ...more.edges.map(({ from, label, to }) => ({ from: ids(from), to: ids(to), label }))]
  return { ...body, direction, nodes: nodes.slice(0, 60), edges: edges.slice(0, 150) }
}

const changedBody = (body: DrawingModel["body"], text: string): DrawingModel["body"] => {
  const isRemoving = removing.test(text)
  switch (body.kind) {
    case "chart":
      return changedChart(body, text)
    case "table":
      return changedTable(body, text)
    case "graph":
      return changedGraph(body, text)
    case "grid": {
      if (isRemoving) return { ...body, cells: body.cells.filter(({ title }) => !mentions(text, title)) }
      const listed = itemsIn(data(text))
      const items = listed.length > 0 ? listed : [cut(data(text))]
      return {
        ...body,
        cells: [...body.cells, ...items.filter((item) => item !== "").map((title) => ({ title, text: "" }))].slice(
          0,
          24
        )
      }
    }
    case "wireframe": {
      if (isRemoving) {
        const removedParts = wireframeIn(`wireframe: ${text}, menu`)
        const parts = new Set(removedParts.blocks.map(({ part }) => part))
        return {
          ...body,
          blocks: body.blocks.filter(
            ({ label, part }) => !mentions(text, label) && !(parts.has(part) && part !== "menu")
          )
        }
      }
      const device = /\b(?:celular|mobile|phone|m[oó]vil|app)\b/i.test(text)
        ? "phone"
        : /\b(?:desktop|browser|navegador|computador)\b/i.test(text)
          ? "browser"
          : body.device
      const more = wireframeIn(`wireframe: ${data(text)}, footer`)
      const added = more.blocks.filter(({ part }) => part !== "footer" && part !== "menu")
      return { ...body, device, blocks: [...body.blocks, ...added].slice(0, 12) }
    }
    case "shapes": {
      const more = shapesIn(text)
      if (more === undefined) return body
      if (!isRemoving) return { ...body, items: [...body.items, ...more.items].slice(0, 30) }
      const removedShapes = new Set(more.items.map(({ shape }) => shape))
      return { ...body, items: body.items.filter(({ shape }) => !removedShapes.has(shape)) }
    }
    case "states":
    case "world": {
      const isStates = body.kind === "states"
      const named = isStates ? statesIn(text) : countriesIn(text)
      if (isRemoving) return { ...body, regions: body.regions.filter(({ code }) => !named.includes(code)) }
      const values = new Map(
        pairsIn(data(text)).flatMap(({ label, value }) => {
          const code = isStates ? stateOf(label.replace(/\s(?:para|to|a)$/i, "")) : countriesIn(label)[0]
          return code === undefined ? [] : [[code, value] as const]
        })
      )
      const codes = [...new Set([...body.regions.map(({ code }) => code), ...named, ...values.keys()])]
      const before = new Map(body.regions.map(({ code, value }) => [code, value]))
      return { ...body, regions: codes.map((code) => ({ code, value: values.get(code) ?? before.get(code) ?? null })) }
    }
    // Other changes are in DrawingChanges.
    default:
      return body
  }
}

/** Replaces a label everywhere, as asked by `"old" to "new"`. */
const renamed = ({ body, title, ...rest }: DrawingModel, from: string, to: string): DrawingModel => {
  const word = (text: string) => (same(text, from) ? cut(to, 80) : text)
  return { ...rest, title: word(title), body: renamedBody(body, word) }
}

const renamedBody = (body: DrawingModel["body"], word: (text: string) => string): DrawingModel["body"] => {
  switch (body.kind) {
    case "chart":
      return {
        ...body,
        series: body.series.map(word),
        rows: body.rows.map((row) => ({ ...row, label: word(row.label) }))
      }
    case "table":
      return { ...body, columns: body.columns.map(word), rows: body.rows.map((row) => row.map(word)) }
    case "graph":
      return {
        ...body,
        nodes: body.nodes.map((node) => ({ ...node, label: word(node.label) })),
        edges: body.edges.map((edge) => ({ ...edge, label: word(edge.label) }))
      }
    case "grid":
      return { ...body, cells: body.cells.map(({ text, title }) => ({ title: word(title), text: word(text) })) }
    case "wireframe":
      return { ...body, blocks: body.blocks.map((block) => ({ ...block, label: word(block.label) })) }
    default:
      return body
  }
}

/** The drawing with the requested changes. Everything else stays. */
export const editDrawing = (model: DrawingModel, prompt: string): DrawingModel => {
  const text = prompt.slice(0, 8000)
  const renames = replacementsIn(text)
  if (renames.length > 0) {
    return renames.reduce((before, [from, to]) => renamed(before, from, to), model)
  }
  const { quotes } = readBrief(text)
  if (titled.test(text) && quotes[0] !== undefined) return { ...model, title: cut(quotes[0], 90) }
  return { ...model, body: changedBody(model.body, text) }
}
