import type { Chart } from "../../../../Services/Media/Drawings/DrawingModel.ts"
import { colorAt } from "./DrawingSheet.ts"

/** Returns the colour that the owner requested for a row or series by its label, or else for all. */
export const askedColor = ({ colors = [] }: Chart, ...labels: ReadonlyArray<string | undefined>): string | undefined =>
  [...labels, ""].map((label) => colors.find(({ of }) => of === label)?.color).find((color) => color !== undefined)

/** The colour of one value. */
export const fillOf = (chart: Chart, row: number, series: number): string =>
  askedColor(chart, chart.rows[row]?.label, chart.series[series]) ?? colorAt(series)

/** The colour of a whole series. */
export const seriesColor = (chart: Chart, series: number): string =>
  askedColor(chart, chart.series[series]) ?? colorAt(series)
