import { numberText } from "../i18n/Formats.ts"
import "./charts.css"
import { useId } from "react"
import { useTexts } from "../i18n/Messages.tsx"
import { useWidth } from "./useWidth.ts"

export interface Series {
  readonly id: string
  readonly text: string
  readonly values: ReadonlyArray<number>
}

const firstWidth = 640
const height = 200
const bottom = 22
const left = 38
/** The width that the text under a bar needs. */
const labelWidth = 64
const gap = 0.28
const lines = 4

/** A step of 1, 2 or 5 times a power of ten, so that the axis has round numbers. */
export const axisStep = (most: number, count: number): number => {
  const raw = Math.max(most, 1) / count
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = [1, 2, 5, 10].find((factor) => factor * power >= raw) ?? 10
  return Math.max(1, step * power)
}

/** Bars of several series over time, as SVG. The same numbers follow as a table for those who don't see it. */
export const StackedBars = ({
  label,
  labels,
  series
}: {
  readonly label: string
  /** The label of each bar, such as its week. */
  readonly labels: ReadonlyArray<string>
  readonly series: ReadonlyArray<Series>
}) => {
  const { locale } = useTexts()
  const id = useId()
  const [frame, width] = useWidth(firstWidth)
  const totals = labels.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0))
  const step = axisStep(Math.max(...totals, 1), lines)
  const top = step * Math.max(1, Math.ceil(Math.max(...totals, 1) / step))
  const plot = height - bottom
  const y = (value: number) => plot - (value / top) * (plot - 8)
  const slot = (width - left) / Math.max(labels.length, 1)
  const every = Math.ceil(labels.length / Math.min(7, Math.floor((width - left) / labelWidth)))
  return (
    <figure className="chart" ref={frame}>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-labelledby={id}>
        <title id={id}>{label}</title>
        {Array.from({ length: top / step + 1 }, (_, index) => index * step).map((value) => (
          <g key={value}>
            <line className="chart-line" x1={left} x2={width} y1={y(value)} y2={y(value)} />
            <text className="chart-text" x={left - 6} y={y(value) + 4} textAnchor="end">
              {numberText(value, locale, { notation: "compact" })}
            </text>
          </g>
        ))}
        {labels.map((text, index) => {
          let sum = 0
          const x = left + index * slot + (slot * gap) / 2
          return (
            <g key={text}>
              {series.map((one, position) => {
                const value = one.values[index] ?? 0
                const from = sum
                sum += value
                return value === 0 ? null : (
                  <rect
                    key={one.id}
                    className={`chart-fill-${position + 1}`}
                    x={x}
                    width={slot * (1 - gap)}
                    y={y(sum)}
                    height={Math.max(y(from) - y(sum), 1)}
                    rx={2}
                  >
                    <title>{`${text}: ${one.text} ${numberText(value, locale)}`}</title>
                  </rect>
                )
              })}
              {index % every === 0 ? (
                <text className="chart-text" x={x + (slot * (1 - gap)) / 2} y={height - 6} textAnchor="middle">
                  {text}
                </text>
              ) : null}
            </g>
          )
        })}
      </svg>
      <figcaption className="row wrap chart-legend">
        {series.map((one, position) => (
          <span key={one.id} className="row small soft">
            <i className={`chart-key chart-key-${position + 1}`} aria-hidden="true" />
            {one.text}
          </span>
        ))}
      </figcaption>
      <div className="hidden-text">
        <table>
          <caption>{label}</caption>
          <tbody>
            {labels.map((text, index) => (
              <tr key={text}>
                <th scope="row">{text}</th>
                {series.map((one) => (
                  <td key={one.id}>{`${one.text}: ${one.values[index] ?? 0}`}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  )
}
