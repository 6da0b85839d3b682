import type { Wireframe } from "../../../../Services/Media/Drawings/DrawingModel.ts"
import { type Canvas, n } from "../Canvas.ts"
import { mix } from "../Color.ts"
import { type Content, colorAt, look, setIn, textOn, tint } from "./DrawingSheet.ts"

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

/** A part of the page, and where it is drawn. */
interface PartBox {
  readonly canvas: Canvas
  readonly label: string
  readonly x: number
  readonly y: number
  readonly wide: number
  readonly height: number
  readonly pad: number
  /** The width without the padding. */
  readonly inner: number
  readonly isPhone: boolean
}

interface LabelPlace {
  readonly left: number
  readonly top: number
  readonly room: number
  readonly size: number
  readonly on: string
  readonly face?: "SemiBold" | "Bold"
}

const drawLabel = ({ canvas, label }: PartBox, { face = "SemiBold", left, on, room, size, top }: LabelPlace): void => {
  canvas.block(setIn(label, room, size * 2.6, size, { face, smallest: 12 }), {
    x: left,
    y: top,
    width: room,
    color: textOn(on),
    on: [on],
    align: "start"
  })
}

/** Draws grey bars as placeholders for lines of text. */
const drawBars = (canvas: Canvas, left: number, top: number, room: number, count: number, fill = grey): void => {
  for (let index = 0; index < count; index++)
    canvas.rect({ x: left, y: top + index * 20, width: room * (index === count - 1 ? 0.62 : 1), height: 9 }, fill, 4)
}

const drawBanner = (box: PartBox, fill: string): void => {
  const { canvas, height, inner, isPhone, pad, wide, x, y } = box
  canvas.rect({ x, y, width: wide, height }, fill)
  canvas.circle(x + pad + 16, y + height / 2, 16, greyer)
  drawLabel(box, { left: x + pad + 46, top: y + height / 2 - 11, room: inner * 0.4, size: 17, on: fill })
  const count = isPhone ? 1 : 4
  for (let index = 0; index < count; index++)
    canvas.rect({ x: x + wide - pad - (index + 1) * 92 + 20, y: y + height / 2 - 5, width: 72, height: 10 }, grey, 5)
}

const drawHero = (box: PartBox): void => {
  const { canvas, height, inner, isPhone, pad, wide, x, y } = box
  const fill = tint(colorAt(0), 0.84)
  canvas.rect({ x, y, width: wide, height }, fill)
  const room = isPhone ? inner : inner * 0.52
  drawLabel(box, { left: x + pad, top: y + 34, room, size: isPhone ? 24 : 32, on: fill, face: "Bold" })
  drawBars(canvas, x + pad, y + 118, room * 0.9, 2, mix(fill, "#000000", 0.16))
  canvas.rect({ x: x + pad, y: y + height - 52, width: 140, height: 36 }, colorAt(0), 8)
  if (!isPhone) drawPicture(canvas, x + wide - pad - inner * 0.38, y + 24, inner * 0.38, height - 48)
}

const drawTitle = (box: PartBox, top: number, size: number): void =>
  drawLabel(box, { left: box.x + box.pad, top: box.y + top, room: box.inner, size, on: "#ffffff" })

const drawCards = (box: PartBox): void => {
  const { canvas, height, inner, isPhone, pad, x, y } = box
  drawTitle(box, 14, 20)
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
    drawBars(canvas, left + 14, y + 114, card - 28, 3)
  }
}

const drawForm = (box: PartBox): void => {
  const { canvas, height, inner, isPhone, pad, x, y } = box
  drawTitle(box, 14, 20)
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
}

const drawList = (box: PartBox): void => {
  const { canvas, inner, pad, x, y } = box
  drawTitle(box, 12, 20)
  for (let index = 0; index < 3; index++) {
    canvas.circle(x + pad + 12, y + 66 + index * 40, 11, grey)
    canvas.rect(
      { x: x + pad + 36, y: y + 60 + index * 40, width: (inner - 36) * (0.9 - index * 0.14), height: 11 },
      grey,
      5
    )
  }
}

const drawButton = ({ canvas, inner, label, wide, x, y }: PartBox): void => {
  const room = Math.min(inner, 300)
  const dark = mix(colorAt(1), "#000000", 0.28)
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

const partDrawings: { readonly [part in WirePart["part"]]: (box: PartBox) => void } = {
  menu: (box) => drawBanner(box, "#ffffff"),
  hero: drawHero,
  text: (box) => {
    drawTitle(box, 16, 20)
    drawBars(box.canvas, box.x + box.pad, box.y + 58, box.inner, 3)
  },
  picture: (box) => {
    drawTitle(box, 10, 18)
    drawPicture(box.canvas, box.x + box.pad, box.y + 42, box.inner, box.height - 58)
  },
  cards: drawCards,
  form: drawForm,
  list: drawList,
  button: drawButton,
  footer: (box) => drawBanner(box, "#e4e9ed")
}

const drawBlock = (
  canvas: Canvas,
  { label, part }: WirePart,
  x: number,
  y: number,
  wide: number,
  isPhone: boolean
): void => {
  const pad = isPhone ? 22 : 36
  const box = { canvas, label, x, y, wide, height: wireHeights[part], pad, inner: wide - 2 * pad, isPhone }
  partDrawings[part](box)
}

const drawPicture = (canvas: Canvas, x: number, y: number, width: number, height: number): void => {
  canvas.rect({ x, y, width, height }, grey, 8)
  const side = Math.min(width, height)
  canvas.circle(x + width * 0.72, y + height * 0.3, side * 0.1, "#ffffff")
  canvas.add(
    `<path d="M${n(x + width * 0.08)} ${n(y + height * 0.9)}L${n(x + width * 0.36)} ${n(y + height * 0.38)}L${n(x + width * 0.56)} ${n(y + height * 0.68)}L${n(x + width * 0.7)} ${n(y + height * 0.52)}L${n(x + width * 0.92)} ${n(y + height * 0.9)}Z" fill="#ffffff"/>`
  )
}

/** Parts that come first on a page, wherever the prompt names them. */
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
