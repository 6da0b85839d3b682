import type { DrawingModel, Grid, Shapes, StateMap, Table, Wireframe } from "../../../Services/Media/DrawingModel.ts"
import { stateTiles } from "../../../Services/Media/DrawingModel.ts"
import { readAmount, writeAmount } from "../../../Services/Media/DrawingText.ts"
import { type Canvas, n } from "./Canvas.ts"
import { mix } from "./Color.ts"
import { type Content, colorAt, look, margin, pageWidth, setIn, textOn, tint } from "./DrawingSheet.ts"
import { printable, widthOf } from "./Typeface.ts"

const width = pageWidth - 2 * margin

/** Columns as wide as what stands in them needs; numbers to the right. */
export const tableContent = ({ columns, rows }: Table): Content => {
  const all = [columns, ...rows]
  const wishes = columns.map((_, index) =>
    Math.min(
      380,
      Math.max(
        60,
        ...all.map((row, place) => widthOf(printable(row[index] ?? ""), place === 0 ? "SemiBold" : "Regular", 19) + 36)
      )
    )
  )
  const total = wishes.reduce((sum, wish) => sum + wish, 0)
  const widths = wishes.map((wish) => (wish * width) / total)
  const isNumber = columns.map((_, index) =>
    rows.every((row) => (row[index] ?? "") === "" || readAmount((row[index] ?? "").trim()) !== undefined)
  )
  const set = all.map((row, place) =>
    columns.map((_, index) =>
      setIn(row[index] ?? "", (widths[index] ?? 0) - 32, 100, 19, {
        face: place === 0 ? "SemiBold" : "Regular",
        smallest: 13
      })
    )
  )
  const isHeadless = columns.every((column) => column.trim() === "")
  const heights = set.map((row, place) =>
    place === 0 && isHeadless ? 0 : Math.max(26, ...row.map(({ height }) => height)) + 26
  )
  return {
    width,
    height: heights.reduce((sum, height) => sum + height, 0),
    draw: (canvas, x, y) => {
      let top = y
      set.forEach((row, place) => {
        const height = heights[place] ?? 0
        if (height === 0) return
        const fill = place === 0 ? colorAt(0) : place % 2 === 0 ? look.soft : look.paper
        canvas.rect({ x, y: top, width, height }, fill, place === 0 ? 8 : 0)
        if (place > 0) canvas.rect({ x, y: top + height - 1, width, height: 1 }, look.line)
        let left = x
        row.forEach((cell, index) => {
          const column = widths[index] ?? 0
          canvas.block(cell, {
            x: left + 16,
            y: top + (height - cell.height) / 2,
            width: column - 32,
            color: textOn(fill),
            on: [fill],
            align: isNumber[index] === true && index > 0 ? "end" : "start"
          })
          left += column
        })
        top += height
      })
    }
  }
}

export const gridContent = ({ cells }: Grid): Content => {
  const count = cells.length
  const columns = count <= 1 ? 1 : count <= 4 ? 2 : 3
  const gap = 24
  const cell = (width - gap * (columns - 1)) / columns
  const set = cells.map(({ text, title }) => ({
    title: setIn(title, cell - 96, 120, 23, { face: "SemiBold", smallest: 15 }),
    text: setIn(text, cell - 96, 130, 18, { smallest: 13 })
  }))
  const height = Math.max(
    100,
    ...set.map(({ text, title }) => title.height + (text.height > 0 ? text.height + 10 : 0) + 52)
  )
  const rows = Math.ceil(count / columns)
  return {
    width,
    height: rows * height + (rows - 1) * gap,
    draw: (canvas, x, y) => {
      set.forEach(({ text, title }, index) => {
        const left = x + (index % columns) * (cell + gap)
        const top = y + Math.floor(index / columns) * (height + gap)
        const color = colorAt(index)
        const fill = tint(color, 0.9)
        canvas.rect({ x: left, y: top, width: cell, height }, fill, 14, `data-cell="${index}"`)
        canvas.circle(left + 42, top + height / 2, 21, color)
        canvas.line({
          text: String(index + 1),
          x: left + 42,
          y: top + height / 2 + 7,
          face: "Bold",
          size: 20,
          color: textOn(color),
          on: [color],
          anchor: "middle"
        })
        const taken = title.height + (text.height > 0 ? text.height + 10 : 0)
        const start = top + (height - taken) / 2
        canvas.block(title, { x: left + 78, y: start, width: cell - 96, color: look.ink, on: [fill] })
        canvas.block(text, {
          x: left + 78,
          y: start + title.height + 10,
          width: cell - 96,
          color: look.ink,
          on: [fill]
        })
      })
    }
  }
}

type WirePart = Wireframe["blocks"][number]

const wireHeights: { readonly [part in WirePart["part"]]: number } = {
  menu: 64,
  hero: 210,
  text: 130,
  picture: 220,
  cards: 220,
  form: 230,
  list: 190,
  button: 84,
  footer: 80
}

const grey = "#d7dde2"
const greyer = "#aeb8c1"

const drawBlock = (
  canvas: Canvas,
  { label, part }: WirePart,
  x: number,
  y: number,
  wide: number,
  isPhone: boolean
): void => {
  const height = wireHeights[part]
  const pad = isPhone ? 22 : 36
  const inner = wide - 2 * pad
  const text = (
    value: string,
    left: number,
    top: number,
    room: number,
    size: number,
    on: string,
    face: "Regular" | "SemiBold" | "Bold" = "SemiBold",
    align: "start" | "middle" = "start"
  ) =>
    canvas.block(setIn(value, room, size * 2.6, size, { face, smallest: 12 }), {
      x: left,
      y: top,
      width: room,
      color: textOn(on),
      on: [on],
      align
    })
  const bars = (left: number, top: number, room: number, count: number, fill = grey) => {
    for (let index = 0; index < count; index++)
      canvas.rect({ x: left, y: top + index * 20, width: room * (index === count - 1 ? 0.62 : 1), height: 9 }, fill, 4)
  }
  switch (part) {
    case "menu":
    case "footer": {
      const fill = part === "menu" ? "#ffffff" : "#e4e9ed"
      canvas.rect({ x, y, width: wide, height }, fill)
      canvas.circle(x + pad + 16, y + height / 2, 16, greyer)
      text(label, x + pad + 46, y + height / 2 - 11, inner * 0.4, 17, fill)
      const count = isPhone ? 1 : 4
      for (let index = 0; index < count; index++)
        canvas.rect(
          { x: x + wide - pad - (index + 1) * 92 + 20, y: y + height / 2 - 5, width: 72, height: 10 },
          grey,
          5
        )
      return
    }
    case "hero": {
      const fill = tint(colorAt(0), 0.84)
      canvas.rect({ x, y, width: wide, height }, fill)
      const room = isPhone ? inner : inner * 0.52
      text(label, x + pad, y + 34, room, isPhone ? 24 : 32, fill, "Bold")
      bars(x + pad, y + 118, room * 0.9, 2, mix(fill, "#000000", 0.16))
      canvas.rect({ x: x + pad, y: y + height - 52, width: 140, height: 36 }, colorAt(0), 8)
      if (!isPhone) drawPicture(canvas, x + wide - pad - inner * 0.38, y + 24, inner * 0.38, height - 48)
      return
    }
    case "text":
      text(label, x + pad, y + 16, inner, 20, "#ffffff")
      bars(x + pad, y + 58, inner, 3)
      return
    case "picture":
      text(label, x + pad, y + 10, inner, 18, "#ffffff")
      drawPicture(canvas, x + pad, y + 42, inner, height - 58)
      return
    case "cards": {
      text(label, x + pad, y + 14, inner, 20, "#ffffff")
      const columns = isPhone ? 2 : 3
      const card = (inner - 18 * (columns - 1)) / columns
      for (let index = 0; index < columns; index++) {
        const left = x + pad + index * (card + 18)
        canvas.rect(
          { x: left, y: y + 50, width: card, height: height - 66 },
          "#ffffff",
          10,
          `stroke="${grey}" stroke-width="2"`
        )
        canvas.rect({ x: left + 14, y: y + 64, width: 34, height: 34 }, tint(colorAt(index), 0.45), 8)
        bars(left + 14, y + 114, card - 28, 3)
      }
      return
    }
    case "form": {
      text(label, x + pad, y + 14, inner, 20, "#ffffff")
      const room = isPhone ? inner : inner * 0.6
      for (let index = 0; index < 2; index++) {
        canvas.rect(
          { x: x + pad, y: y + 52 + index * 60, width: room, height: 46 },
          "#ffffff",
          8,
          `stroke="${greyer}" stroke-width="2"`
        )
        canvas.rect({ x: x + pad + 14, y: y + 70 + index * 60, width: room * 0.3, height: 9 }, grey, 4)
      }
      canvas.rect({ x: x + pad, y: y + height - 58, width: 160, height: 40 }, colorAt(0), 8)
      return
    }
    case "list":
      text(label, x + pad, y + 12, inner, 20, "#ffffff")
      for (let index = 0; index < 3; index++) {
        canvas.circle(x + pad + 12, y + 66 + index * 40, 11, grey)
        canvas.rect(
          { x: x + pad + 36, y: y + 60 + index * 40, width: (inner - 36) * (0.9 - index * 0.14), height: 11 },
          grey,
          5
        )
      }
      return
    case "button": {
      const fill = colorAt(1)
      const room = Math.min(inner, 300)
      const dark = mix(fill, "#000000", 0.28)
      canvas.rect({ x: x + (wide - room) / 2, y: y + 16, width: room, height: 52 }, dark, 10)
      const set = setIn(label, room - 24, 46, 19, { face: "SemiBold", smallest: 12, lines: 2 })
      canvas.block(set, {
        x: x + (wide - room) / 2 + 12,
        y: y + 42 - set.height / 2,
        width: room - 24,
        color: textOn(dark),
        on: [dark],
        align: "middle"
      })
    }
  }
}

const drawPicture = (canvas: Canvas, x: number, y: number, width: number, height: number): void => {
  canvas.rect({ x, y, width, height }, grey, 8)
  const side = Math.min(width, height)
  canvas.circle(x + width * 0.72, y + height * 0.3, side * 0.1, "#ffffff")
  canvas.add(
    `<path d="M${n(x + width * 0.08)} ${n(y + height * 0.9)}L${n(x + width * 0.36)} ${n(y + height * 0.38)}L${n(x + width * 0.56)} ${n(y + height * 0.68)}L${n(x + width * 0.7)} ${n(y + height * 0.52)}L${n(x + width * 0.92)} ${n(y + height * 0.9)}Z" fill="#ffffff"/>`
  )
}

/** The order in which parts of a page stand, wherever the prompt names them. */
const wireOrder: ReadonlyArray<WirePart["part"]> = ["menu", "hero"]

export const wireframeContent = ({ blocks, device }: Wireframe): Content => {
  const isPhone = device === "phone"
  const first = wireOrder.flatMap((part) => blocks.filter((block) => block.part === part))
  const last = blocks.filter(({ part }) => part === "footer")
  const ordered = [
    ...first,
    ...blocks.filter(({ part }) => part !== "menu" && part !== "hero" && part !== "footer"),
    ...last
  ]
  const wide = isPhone ? 420 : 980
  const [top, bottom] = isPhone ? [58, 46] : [48, 0]
  const inside = ordered.reduce((sum, { part }) => sum + wireHeights[part], 0)
  return {
    width: wide,
    height: inside + top + bottom,
    draw: (canvas, x, y) => {
      canvas.rect(
        { x, y, width: wide, height: inside + top + bottom },
        isPhone ? look.ink : "#ffffff",
        isPhone ? 44 : 14,
        `stroke="${isPhone ? look.ink : greyer}" stroke-width="3"`
      )
      if (isPhone) {
        canvas.rect({ x: x + wide / 2 - 60, y: y + 22, width: 120, height: 14 }, "#3a4652", 7)
        canvas.rect({ x: x + 10, y: y + top, width: wide - 20, height: inside }, "#ffffff")
      } else {
        canvas.rect({ x, y, width: wide, height: top }, "#e4e9ed", 14)
        for (let index = 0; index < 3; index++)
          canvas.circle(x + 28 + index * 26, y + 24, 8, ["#e2665a", "#e5b21d", "#55a868"][index] ?? grey)
        canvas.rect({ x: x + 130, y: y + 11, width: wide - 170, height: 26 }, "#ffffff", 13)
      }
      const pad = isPhone ? 10 : 2
      let at = y + top
      for (const block of ordered) {
        drawBlock(canvas, block, x + pad, at, wide - 2 * pad, isPhone)
        at += wireHeights[block.part]
      }
    }
  }
}

const polygon = (sides: number, x: number, y: number, r: number, inner?: number): string =>
  Array.from({ length: inner === undefined ? sides : sides * 2 }, (_, index) => {
    const turn = inner === undefined ? (index * 2 * Math.PI) / sides : (index * Math.PI) / sides
    const radius = inner !== undefined && index % 2 === 1 ? inner : r
    return `${n(x + Math.sin(turn) * radius)},${n(y - Math.cos(turn) * radius)}`
  }).join(" ")

const shapeSvg = (
  shape: Shapes["items"][number]["shape"],
  x: number,
  y: number,
  r: number,
  fill: string,
  data: string
): string => {
  switch (shape) {
    case "circle":
      return `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" fill="${fill}" ${data}/>`
    case "square":
      return `<rect x="${n(x - r * 0.9)}" y="${n(y - r * 0.9)}" width="${n(r * 1.8)}" height="${n(r * 1.8)}" fill="${fill}" ${data}/>`
    case "rectangle":
      return `<rect x="${n(x - r)}" y="${n(y - r * 0.6)}" width="${n(r * 2)}" height="${n(r * 1.2)}" fill="${fill}" ${data}/>`
    case "triangle":
      return `<polygon points="${polygon(3, x, y + r * 0.2, r * 1.1)}" fill="${fill}" ${data}/>`
    case "star":
      return `<polygon points="${polygon(5, x, y, r, r * 0.42)}" fill="${fill}" ${data}/>`
    case "hexagon":
      return `<polygon points="${polygon(6, x, y, r)}" fill="${fill}" ${data}/>`
    case "diamond":
      return `<polygon points="${polygon(4, x, y, r)}" fill="${fill}" ${data}/>`
    case "heart":
      return `<path d="M50 88C22 68 8 52 8 34 8 20 18 12 29 12c9 0 17 5 21 13 4-8 12-13 21-13 11 0 21 8 21 22 0 18-14 34-42 54Z" transform="translate(${n(x - r)} ${n(y - r)}) scale(${n(r / 50)})" fill="${fill}" ${data}/>`
    case "arrow":
      return `<path d="M${n(x - r)} ${n(y - r * 0.25)}h${n(r * 1.1)}v${n(-r * 0.4)}l${n(r * 0.9)} ${n(r * 0.65)}l${n(-r * 0.9)} ${n(r * 0.65)}v${n(-r * 0.4)}h${n(-r * 1.1)}Z" fill="${fill}" ${data}/>`
  }
}

export const shapesContent = ({ items }: Shapes): Content => {
  const columns = Math.min(6, Math.max(1, Math.ceil(Math.sqrt(items.length * 1.8))))
  const cell = Math.min(300, width / columns)
  const rows = Math.ceil(items.length / columns)
  return {
    width: cell * columns,
    height: cell * rows,
    draw: (canvas, x, y) => {
      items.forEach(({ color, shape }, index) => {
        const inRow = Math.min(columns, items.length - Math.floor(index / columns) * columns)
        const left = x + ((columns - inRow) * cell) / 2 + (index % columns) * cell + cell / 2
        const stroke = color === "#fafafa" ? ` stroke="${look.line}" stroke-width="3"` : ""
        canvas.add(
          shapeSvg(
            shape,
            left,
            y + Math.floor(index / columns) * cell + cell / 2,
            cell * 0.38,
            color,
            `data-shape="${shape}"${stroke}`
          )
        )
      })
    }
  }
}

/** Light to dark by value, on a scale between the least and the most. */
export const heat = (value: number | null, least: number, most: number): string => {
  if (value === null) return colorAt(0)
  const share = most === least ? 1 : (value - least) / (most - least)
  return mix("#cfe3ef", "#0f4468", share)
}

/** The scale of a map's colours. */
export const drawScale = (canvas: Canvas, x: number, y: number, least: string, most: string): void => {
  const steps = 24
  for (let index = 0; index < steps; index++) {
    canvas.rect({ x: x + index * 8, y, width: 8.5, height: 16 }, heat(index, 0, steps - 1))
  }
  canvas.line({ text: least, x, y: y + 40, face: "Regular", size: 17, color: look.quiet, on: [look.paper] })
  canvas.line({
    text: most,
    x: x + steps * 8,
    y: y + 40,
    face: "Regular",
    size: 17,
    color: look.quiet,
    on: [look.paper],
    anchor: "end"
  })
}

/** The states of Brazil as tiles of one size, each where it lies among the others. */
export const statesContent = ({ regions, unit }: StateMap, language: DrawingModel["language"]): Content => {
  const tile = 104
  const values = new Map(regions.map(({ code, value }) => [code, value]))
  const numbers = regions.flatMap(({ value }) => (value === null ? [] : [value]))
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)]
  const hasScale = new Set(numbers).size > 1
  return {
    width: tile * 7,
    height: tile * 7,
    draw: (canvas, x, y) => {
      for (const [code, [column, row]] of Object.entries(stateTiles)) {
        const value = values.get(code)
        const fill = value === undefined ? "#e6eaed" : heat(value, least, most)
        const [left, top] = [x + column * tile + 3, y + row * tile + 3]
        canvas.rect(
          { x: left, y: top, width: tile - 6, height: tile - 6 },
          fill,
          12,
          `data-state="${code}"${value === undefined || value === null ? "" : ` data-value="${value}"`}`
        )
        const hasValue = value !== undefined && value !== null
        const middle = left + (tile - 6) / 2
        canvas.line({
          text: code,
          x: middle,
          y: top + (hasValue ? 44 : 58),
          face: "Bold",
          size: 24,
          color: textOn(fill),
          on: [fill],
          anchor: "middle"
        })
        if (!hasValue) continue
        const text = printable(writeAmount(value, unit, language))
        const size = Math.min(18, (tile - 18) / Math.max(0.1, widthOf(text, "SemiBold", 1)))
        canvas.line({
          text,
          x: middle,
          y: top + 72,
          face: "SemiBold",
          size,
          color: textOn(fill),
          on: [fill],
          anchor: "middle"
        })
      }
      if (hasScale)
        drawScale(
          canvas,
          x,
          y + tile * 7 - 60,
          printable(writeAmount(least, unit, language)),
          printable(writeAmount(most, unit, language))
        )
    }
  }
}
