import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import sharp from "sharp"
import type { Canvas } from "../../src/Layers/Media/Design/Canvas.ts"
import { contrast } from "../../src/Layers/Media/Design/Color.ts"
import { poster } from "../../src/Layers/Media/Design/Posters/Poster.ts"
import { rasterize } from "../../src/Layers/Media/Design/Raster.ts"
import { fit, printable, widthOf, wrap } from "../../src/Layers/Media/Design/Typeface.ts"
import { copyOf, readBrief } from "../../src/Services/Media/Brief.ts"
import { imageSize } from "../../src/Services/Media/Images.ts"

const sizes = [
  { width: 1024, height: 1024 },
  { width: 1536, height: 1024 },
  { width: 1024, height: 1536 },
  { width: 1080, height: 1350 },
  { width: 1080, height: 1920 }
]

/** Every line within the picture, none over another, each legible on what was told to lie behind it. */
const assertSet = ({ height, texts, width }: Canvas, told: string) => {
  texts.forEach((run, index) => {
    assert.isAtLeast(run.x, -0.5, `${told}: ${run.text} begins left of the picture`)
    assert.isAtLeast(run.y, -0.5, `${told}: ${run.text} begins above the picture`)
    assert.isAtMost(run.x + run.width, width + 0.5, `${told}: ${run.text} is cut at the right`)
    assert.isAtMost(run.y + run.height, height + 0.5, `${told}: ${run.text} is cut at the bottom`)
    for (const on of run.on) assert.isAtLeast(contrast(run.color, on), 4.5, `${told}: ${run.text} on ${on}`)
    for (const other of texts.slice(index + 1)) {
      const apart =
        run.x + run.width <= other.x + 0.5 ||
        other.x + other.width <= run.x + 0.5 ||
        run.y + run.height <= other.y + 0.5 ||
        other.y + other.height <= run.y + 0.5
      assert.isTrue(apart, `${told}: "${run.text}" and "${other.text}" overlap`)
    }
  })
}

const words =
  "Crie uma imagem pattern gradiente padrão azul com o texto house café sin texto vendas de and \" ' “ ” < & € ✓ 日本 🙂".split(
    " "
  )
const prompts = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 300 }),
  fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 60 }).map((list) => list.join(" ")),
  fc
    .array(fc.string({ unit: "grapheme-ascii", maxLength: 120 }), { minLength: 1, maxLength: 5 })
    .map((list) => list.map((text) => `"${text}"`).join(" "))
)

describe("posters", () => {
  it("have every text whole inside, over no other, and legible, whatever is asked for", () => {
    fc.assert(
      fc.property(
        prompts,
        fc.constantFrom(...sizes),
        fc.boolean(),
        fc.integer({ min: 0, max: 2 }),
        (prompt, size, isTransparent, count) => {
          const pictures = Array.from({ length: count }, () => new Uint8Array([1]))
          const canvas = poster({ prompt, ...size, isTransparent, pictures })
          assertSet(canvas, JSON.stringify(prompt))
          assert.notMatch(canvas.svg(), /<script|href="(?!data:image\/jpeg;base64,)|[\u0000-\u0008]/)
        }
      ),
      { numRuns: 120 }
    )
  })

  it("show what stands in quotation marks, in every kind of them", () => {
    for (const prompt of ['Poster "Venda mais"', "Poster “Venda mais”", "Cartel «Venda mais»", "Poster 'Venda mais'"]) {
      const shown = poster({ prompt, width: 1024, height: 1024, isTransparent: false, pictures: [] }).texts
      assert.include(shown.map(({ text }) => text).join(" "), "Venda mais", prompt)
    }
  })

  it("are legible as they are drawn: measured on the pixels behind each line", async () => {
    const cases = [
      'Gradiente azul e roxo com "Bem-vindo ao nosso evento"',
      'Estampa de folhas em verde e dourado "Feira orgânica"',
      'Poster in yellow and white "Summer sale" "Only this weekend"'
    ]
    for (const prompt of cases) {
      const canvas = poster({ prompt, width: 1024, height: 1024, isTransparent: false, pictures: [] })
      const bytes = await rasterize(false, canvas, false)
      const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
      for (const { color, height, text, width, x, y } of canvas.texts) {
        for (let step = 0; step < 40; step++) {
          const column = Math.round(x + (width * (step % 10)) / 9)
          const row = Math.round(y + (height * Math.floor(step / 10)) / 3)
          const at = (Math.min(1023, row) * info.width + Math.min(1023, column)) * info.channels
          const behind = `#${[...data.subarray(at, at + 3)].map((part) => part.toString(16).padStart(2, "0")).join("")}`
          assert.isAtLeast(contrast(color, behind), 4.45, `${prompt}: ${text} on ${behind}`)
        }
      }
    }
  })

  it("are the same for the same request", () => {
    const of = () => poster({ prompt: "Casa", width: 1024, height: 1024, isTransparent: false, pictures: [] }).svg()
    assert.strictEqual(of(), of())
  })
})

describe("a prompt", () => {
  it("is read for what it wants shown, in three languages, and is not printed", () => {
    const cases: ReadonlyArray<readonly [string, string]> = [
      ["Crie uma imagem de um dentista sorrindo", "Dentista sorrindo"],
      ["Please create a picture of a red house", "Red house"],
      ["Genera una imagen de una cafetería", "Cafetería"],
      ["Imagen de una oferta especial", "Oferta especial"]
    ]
    for (const [prompt, subject] of cases) {
      assert.strictEqual(readBrief(prompt).subject, subject)
      assert.deepStrictEqual(copyOf(readBrief(prompt)), { headline: "", body: "" })
    }
  })

  it("has the texts that it asks for, in quotation marks or behind a word that introduces them", () => {
    const cases: ReadonlyArray<readonly [string, string]> = [
      ['A poster for a clinic that says "Your smile"', "Your smile"],
      ["A banner saying 20% off all tyres, in large letters", "20% off all tyres"],
      ["Cartaz para a padaria, título: Pão quente às 17h", "Pão quente às 17h"],
      ["Un cartel que diga Abierto los domingos", "Abierto los domingos"],
      ["A banner for our summer sale, 20% off all tyres, yellow and black", ""]
    ]
    for (const [prompt, headline] of cases) assert.strictEqual(copyOf(readBrief(prompt)).headline, headline, prompt)
  })

  it("says nothing of how it is to look, but where that is all it says", () => {
    const cases: ReadonlyArray<readonly [string, string]> = [
      ['Gradiente azul e roxo com "Bem-vindo"', ""],
      ['Degradado naranja y rosa "Verano 2027"', ""],
      ['Diga "Otorrinolaringologista" em letras grandes', ""],
      ['Poster with the headline "Growth is a habit" in dark blue and orange', ""],
      ['Fundo transparente com um foguete "Lançamento"', "Foguete"],
      ["Factory automation, blue and white", "Factory automation"],
      ["Solar energy for farms, wipe transition", "Solar energy for farms"],
      ['Lanzamiento de logística en blanco y negro "Entregas a tiempo"', "Lanzamiento de logística"],
      ['Convite para webinar "Quinta, 19h" sépia', "Convite para webinar"],
      ['Gym promo in black and yellow "No excuses"', "Gym promo"],
      ["Rosas vermelhas", "Rosas vermelhas"],
      ["Banco Azul", "Banco Azul"],
      ["The blue whale", "Blue whale"],
      ["Casa de campo", "Casa de campo"]
    ]
    for (const [prompt, subject] of cases) assert.strictEqual(readBrief(prompt).subject, subject, prompt)
  })

  it("without words wanted has none", () => {
    for (const prompt of ["A dog, no text", "Um cachorro sem texto", "Un perro sin texto"]) {
      assert.deepStrictEqual(copyOf(readBrief(prompt)), { headline: "", body: "" })
    }
  })
})

describe("text", () => {
  it("is as wide as its lines may be, and keeps every word until it must not", () => {
    fc.assert(
      fc.property(
        fc.lorem({ maxCount: 40 }),
        fc.integer({ min: 120, max: 900 }),
        fc.integer({ min: 40, max: 600 }),
        (text, width, height) => {
          const set = fit(text, { width, height, face: "Regular", largest: 80, smallest: 14, balanced: true })
          for (const line of set.lines) assert.isAtMost(widthOf(line, "Regular", set.size), width + 0.01)
          if (!set.isShortened) assert.strictEqual(set.lines.join("").replaceAll(" ", ""), text.replaceAll(" ", ""))
          if (!set.isShortened) assert.isAtMost(set.height, Math.max(height, set.size * set.lineHeight) + 0.01)
        }
      ),
      { numRuns: 60 }
    )
  })

  it("has no character that is shown as an empty box", () => {
    assert.strictEqual(printable("Olá 🙂 日本\u0000 mundo\u202e"), "Olá mundo")
    assert.deepStrictEqual(wrap("", "Bold", 20, 100), [])
  })
})

describe("the size of an image", () => {
  it("is the profile's before the aspect's", () => {
    assert.deepStrictEqual(imageSize("Landscape", "None"), { width: 1536, height: 1024 })
    assert.deepStrictEqual(imageSize("Portrait", "None"), { width: 1024, height: 1536 })
    assert.deepStrictEqual(imageSize("Landscape", "SocialMediaPhotoPostFeed"), { width: 1080, height: 1350 })
    assert.deepStrictEqual(imageSize("Square", "SocialMediaPhotoPostStories"), { width: 1080, height: 1920 })
  })
})
