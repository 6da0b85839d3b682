import type { Chart, DrawingModel } from "../../../../Services/Media/Drawings/DrawingModel.ts"
import { writeAmount } from "../../../../Services/Media/Drawings/DrawingText.ts"
import { type Canvas, n } from "../Canvas.ts"
import { printable, widthOf } from "../Typeface.ts"
import { fillOf, seriesColor } from "./ChartColor.ts"
import { type Content, colorAt, look, margin, pageWidth, setIn, textOn, tint } from "./DrawingSheet.ts"
import { funnelContent, roundContent } from "./PartsDrawing.ts"

type Language = DrawingModel["language"]

const width = pageWidth - 2 * margin

/** Round steps for an axis, between 4 and 8 of them. */
export const ticksFor = (least: number, most: number): ReadonlyArray<number> => {
  const low = Math.min(0, least)
  const high = Math.max(0, most)
  const range = high - low === 0 ? 1 : high - low
  const rough = range / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5, 10].find((each) => each * power >= rough) ?? 10) * power
  const first = Math.floor(low / step)
  const last = Math.ceil((high === low ? 1 : high) / step - 1e-9)
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)))
}

const valuesOf = ({ rows }: Chart): ReadonlyArray<number> => rows.flatMap(({ values }) => values)

const hasLegend = ({ series }: Chart): boolean => series.length > 1

const drawLegend = (canvas: Canvas, chart: Chart, x: number, y: number): void => {
  const { series } = chart
  const each = width / Math.max(1, series.length)
  series.forEach((name, index) => {
    const left = x + index * each
    canvas.rect({ x: left, y: y + 2, width: 18, height: 18 }, seriesColor(chart, index), 4)
    canvas.block(setIn(name, each - 40, 22, 18, { lines: 1 }), {
      x: left + 28,
      y,
      width: each - 40,
      color: look.ink,
      on: [look.paper]
    })
  })
}

/** The area of a vertical chart, and the positions in it. */
interface Plot {
  readonly canvas: Canvas
  readonly chart: Chart
  readonly language: Language
  /** The left edge of the plot. */
  readonly left: number
  /** The lower edge of the plot. */
  readonly bottom: number
  /** The width of one row. */
  readonly slot: number
  readonly heightOf: (value: number) => number
}

const plotHeight = 440
const rowLabelsHeight = 76
/** Smaller values would be illegible, so they are left out. */
const smallestValueSize = 10
const largestValueSize = 18

const middleOf = ({ left, slot }: Plot, row: number): number => left + slot * (row + 0.5)

/** The largest size at which the text fits. */
const valueSize = (text: string, room: number): number =>
  Math.min(largestValueSize, room / Math.max(0.1, widthOf(text, "SemiBold", 1)))

const drawValue = (canvas: Canvas, text: string, x: number, y: number, size: number): void => {
  canvas.line({
    text,
    x,
    y,
    face: "SemiBold",
    size,
    color: look.ink,
    on: [look.paper],
    anchor: "middle"
  })
}

const drawRowLabels = (plot: Plot): void => {
  const { bottom, canvas, chart, slot } = plot
  chart.rows.forEach(({ label }, row) => {
    const set = setIn(label, slot - 8, rowLabelsHeight - 22, 18, { smallest: 10, balanced: true })
    canvas.block(set, {
      x: middleOf(plot, row) - slot / 2 + 4,
      y: bottom + 14,
      width: slot - 8,
      color: look.ink,
      on: [look.paper],
      align: "middle"
    })
  })
}

const drawBarsOf = (plot: Plot): void => {
  const { canvas, chart, heightOf, language, slot } = plot
  const group = slot * 0.72
  const bar = group / Math.max(1, chart.series.length)
  chart.rows.forEach(({ values }, row) => {
    values.forEach((value, index) => {
      const [from, to] = [heightOf(Math.max(0, value)), heightOf(Math.min(0, value))]
      const barLeft = middleOf(plot, row) - group / 2 + index * bar
      canvas.rect(
        { x: barLeft + bar * 0.04, y: from, width: bar * 0.92, height: Math.max(0, to - from) },
        fillOf(chart, row, index),
        Math.min(5, bar * 0.08),
        `data-row="${row}" data-series="${index}" data-value="${value}"`
      )
      const text = printable(writeAmount(value, chart.unit, language))
      const size = valueSize(text, bar * 0.98)
      if (size < smallestValueSize) return
      const baseline = value >= 0 ? from - 8 : to + size + 4
      canvas.rect({ x: barLeft, y: value >= 0 ? from - size - 8 : to + 2, width: bar, height: size + 6 }, look.paper)
      drawValue(canvas, text, barLeft + bar / 2, baseline, size)
    })
  })
}

/** Returns where each value of a stack begins and ends. Negative values go downwards. */
const heightsOf = (values: ReadonlyArray<number>): ReadonlyArray<{ readonly from: number; readonly to: number }> => {
  let [above, below] = [0, 0]
  return values.map((value) => {
    const from = value >= 0 ? above : below
    if (value >= 0) above += value
    else below += value
    return { from, to: from + value }
  })
}

const drawStacks = (plot: Plot): void => {
  const { canvas, chart, heightOf, language, slot } = plot
  const bar = slot * 0.6
  chart.rows.forEach(({ values }, row) => {
    heightsOf(values).forEach(({ from, to }, index) => {
      const [top, bottom] = [heightOf(Math.max(from, to)), heightOf(Math.min(from, to))]
      const fill = fillOf(chart, row, index)
      const value = values[index] ?? 0
      const place = { x: middleOf(plot, row) - bar / 2, y: top, width: bar, height: Math.max(0, bottom - top) }
      canvas.rect(place, fill, 0, `data-row="${row}" data-series="${index}" data-value="${value}"`)
      const text = printable(writeAmount(value, chart.unit, language))
      const size = Math.min(valueSize(text, bar * 0.9), place.height - 4)
      // A label that does not fit into its part is written next to it.
      const isInside = size >= smallestValueSize
      canvas.line({
        text,
        x: isInside ? middleOf(plot, row) : place.x + bar + 6,
        y: (top + bottom) / 2 + (isInside ? size : smallestValueSize) * 0.36,
        face: "SemiBold",
        size: isInside ? size : smallestValueSize,
        color: isInside ? textOn(fill) : look.ink,
        on: [isInside ? fill : look.paper],
        anchor: isInside ? "middle" : "start"
      })
    })
  })
}

interface LinePoint {
  readonly x: number
  readonly y: number
  readonly value: number
  readonly row: number
}

const drawPointValues = (plot: Plot, points: ReadonlyArray<LinePoint>): void => {
  const { bottom, canvas, chart, language, slot } = plot
  points.forEach(({ value, x, y }, place) => {
    const text = printable(writeAmount(value, chart.unit, language))
    const size = valueSize(text, slot * 0.94)
    if (size < smallestValueSize) return
    // In a valley the label is below the point, because the line would cross it above.
    const [before, after] = [points[place - 1]?.y ?? y, points[place + 1]?.y ?? y]
    const isValley = before < y && after <= y && y + 34 < bottom
    const baseline = isValley ? y + 14 + size : y - 16
    const wide = widthOf(text, "SemiBold", size)
    canvas.rect({ x: x - wide / 2 - 4, y: baseline - size * 0.86, width: wide + 8, height: size * 1.14 }, look.paper, 4)
    drawValue(canvas, text, x, baseline, size)
  })
}

const drawLines = (plot: Plot): void => {
  const { canvas, chart, heightOf } = plot
  chart.series.forEach((_, index) => {
    const points = chart.rows.map(({ values }, row) => ({
      x: middleOf(plot, row),
      y: heightOf(values[index] ?? 0),
      value: values[index] ?? 0,
      row
    }))
    canvas.add(
      `<polyline points="${points.map((point) => `${n(point.x)},${n(point.y)}`).join(" ")}" fill="none" stroke="${seriesColor(chart, index)}" stroke-width="4" stroke-linejoin="round" stroke-linecap="round"/>`
    )
    for (const point of points)
      canvas.circle(
        point.x,
        point.y,
        6.5,
        fillOf(chart, point.row, index),
        `stroke="${look.paper}" stroke-width="2.5" data-row="${point.row}" data-series="${index}" data-value="${point.value}"`
      )
    drawPointValues(plot, points)
  })
}

/** Draws vertical bars and lines, with rows next to each other. */
const upright = (chart: Chart, language: Language): Content => {
  const isStacked = chart.form === "stacked"
  const reached = isStacked
    ? chart.rows.flatMap(({ values }) => heightsOf(values).map(({ to }) => to))
    : valuesOf(chart)
  const ticks = ticksFor(Math.min(...reached), Math.max(...reached))
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)]
  const top = hasLegend(chart) ? 50 : 14
  const tickLabels = ticks.map((tick) => writeAmount(tick, chart.unit, language))
  const axisWidth = Math.max(...tickLabels.map((text) => widthOf(text, "Regular", 17))) + 18
  return {
    width,
    height: top + plotHeight + rowLabelsHeight,
    draw: (canvas, x, y) => {
      if (hasLegend(chart)) drawLegend(canvas, chart, x, y)
      const heightOf = (value: number) => y + top + plotHeight * (1 - (value - low) / (high - low))
      ticks.forEach((tick, index) => {
        canvas.rect(
          { x: x + axisWidth, y: heightOf(tick) - 0.75, width: width - axisWidth, height: 1.5 },
          tick === 0 ? look.quiet : look.line
        )
        canvas.line({
          text: printable(tickLabels[index] ?? ""),
          x: x + axisWidth - 12,
          y: heightOf(tick) + 6,
          face: "Regular",
          size: 17,
          color: look.quiet,
          on: [look.paper],
          anchor: "end"
        })
      })
      const slot = (width - axisWidth) / Math.max(1, chart.rows.length)
      const plot = { canvas, chart, language, left: x + axisWidth, bottom: y + top + plotHeight, slot, heightOf }
      drawRowLabels(plot)
      if (isStacked) drawStacks(plot)
      else if (chart.form === "line") drawLines(plot)
      else drawBarsOf(plot)
    }
  }
}

/** Draws horizontal bars below each other, for many rows and long names. */
const lying = (chart: Chart, language: Language): Content => {
  const { rows, series, unit } = chart
  const top = hasLegend(chart) ? 50 : 4
  const rowHeight = Math.max(44, 30 * series.length + 16)
  const names = Math.min(360, Math.max(80, ...rows.map(({ label }) => widthOf(printable(label), "Regular", 19))) + 24)
  const most = Math.max(0, ...valuesOf(chart))
  const least = Math.min(0, ...valuesOf(chart))
  const written = valuesOf(chart).map((value) => printable(writeAmount(value, unit, language)))
  const room = Math.max(...written.map((text) => widthOf(text, "SemiBold", 18))) + 20
  const length = width - names - room * (least < 0 ? 2 : 1)
  const scale = length / (most - least === 0 ? 1 : most - least)
  return {
    width,
    height: top + rows.length * rowHeight,
    draw: (canvas, x, y) => {
      if (hasLegend(chart)) drawLegend(canvas, chart, x, y)
      const zero = x + names + (least < 0 ? room : 0) - least * scale
      rows.forEach(({ label, values }, row) => {
        const rowTop = y + top + row * rowHeight
        const set = setIn(label, names - 20, rowHeight - 4, 19, { smallest: 12 })
        canvas.block(set, {
          x,
          y: rowTop + (rowHeight - set.height) / 2,
          width: names - 20,
          color: look.ink,
          on: [look.paper],
          align: "end"
        })
        const bar = (rowHeight - 14) / Math.max(1, values.length)
        values.forEach((value, index) => {
          const from = value >= 0 ? zero : zero + value * scale
          const barTop = rowTop + 7 + index * bar
          canvas.rect(
            { x: from, y: barTop + 1, width: Math.abs(value) * scale, height: bar - 2 },
            fillOf(chart, row, index),
            Math.min(5, bar / 4),
            `data-row="${row}" data-series="${index}" data-value="${value}"`
          )
          const size = Math.min(18, bar * 0.82)
          canvas.line({
            text: printable(writeAmount(value, unit, language)),
            x: value >= 0 ? from + value * scale + 10 : from - 10,
            y: barTop + bar / 2 + size * 0.36,
            face: "SemiBold",
            size,
            color: look.ink,
            on: [look.paper],
            anchor: value >= 0 ? "start" : "end"
          })
        })
      })
      canvas.rect({ x: zero - 1, y: y + top, width: 2, height: rows.length * rowHeight }, look.quiet)
    }
  }
}

const nothing: Content = {
  width,
  height: 120,
  draw: (canvas, x, y) => {
    canvas.rect({ x, y, width, height: 120 }, tint(colorAt(0)), 14)
  }
}

export const chartContent = (chart: Chart, language: Language): Content => {
  if (chart.rows.length === 0 || chart.series.length === 0) return nothing
  switch (chart.form) {
    case "bar":
    case "stacked":
    case "line":
      return upright(chart, language)
    case "horizontal":
      return lying(chart, language)
    case "pie":
      return roundContent(chart, language)
    case "funnel":
      return funnelContent(chart, language)
  }
}
