import { fold } from "../../Text/PlainText.ts"

// Names of one or two words, folded. The first hexadecimal number of a line is the colour's.
const table = `
#12355b azul-marinho|azul marinho|azul marino|navy blue|navy|marinho|azul petroleo
#4aa3df azul-celeste|azul celeste|azul ceu|azul bebe|sky blue|baby blue|celeste
#1d6fd1 azul|azuis|azules|blue|blues
#0f8b8d turquesa|turquoise|teal|petroleo|aqua
#7fc8a9 menta|mint|verde agua|verde-agua
#6b7a2a oliva|olive|verde-oliva|verde oliva|musgo|verde musgo|moss
#8fa58b salvia|sage
#1f8a4c verde|verdes|green
#7b1e3a vinho|wine|bordo|burgundy|maroon|granate|vino|borgonha|burdeos
#c8322b vermelho|vermelha|vermelhos|vermelhas|red|rojo|roja|rojos|rojas
#c9a227 dourado|dourada|dourados|gold|golden|dorado|dorada|dorados|ouro
#d2a21f mostarda|mustard|mostaza
#e5b21d amarelo|amarela|amarelos|yellow|amarillo|amarilla
#b5552f terracota|terracotta|ferrugem|rust
#f0745f coral|salmao|salmon
#e2711d laranja|laranjas|orange|naranja|naranjas
#a78bd0 lilas|lilac|lavanda|lavender|lila
#6a3fb5 roxo|roxa|roxos|purple|violeta|violet|morado|morada|violetas
#3f3ba8 indigo|anil
#d6457f rosa|rosas|pink|rosado|rosada|fucsia|magenta
#6f4a32 marrom|marrons|brown|marron|castanho|chocolate|cafe
#33383f grafite|charcoal|chumbo|grafito|antracite|anthracite
#9aa3ad prata|prateado|prateada|silver|plata|plateado
#5b6570 cinza|cinzas|grey|gray|gris|grises
#15171c preto|preta|pretos|pretas|black|negro|negra|negros
#d9c7a3 bege|beige|areia|sand|arena
#f6efe0 creme|cream|crema|off-white|marfim|ivory|gelo
#ffffff branco|branca|brancos|brancas|white|blanco|blanca|blancos
`

const names: ReadonlyArray<readonly [name: string, color: string]> = table
  .trim()
  .split("\n")
  .flatMap((line) => {
    const [color = "", list = ""] = [line.slice(0, 7), line.slice(8)]
    return list.split("|").map((name) => [name, color] as const)
  })
  .toSorted(([one], [other]) => other.length - one.length)

const darker = /^(?:escur[oa]s?|oscur[oa]s?|dark|deep|profund[oa])$/
const lighter = /^(?:clar[oa]s?|light|pale|pastel|suaves?|soft)$/

const mixed = (color: string, into: number, share: number): string =>
  `#${[1, 3, 5]
    .map((at) => {
      const part = Number.parseInt(color.slice(at, at + 2), 16)
      return Math.round(part + (into - part) * share)
        .toString(16)
        .padStart(2, "0")
    })
    .join("")}`

export interface NamedColor {
  readonly color: string
  /** The folded words that name it, its shade among them. */
  readonly words: ReadonlyArray<string>
}

const shadeShare = 0.42

/** The colours that a text names or gives in hexadecimal, in their order. */
export const colorsNamed = (text: string): ReadonlyArray<NamedColor> => {
  const tokens = [...fold(text).matchAll(/#[0-9a-f]{6}\b|[\p{L}]+(?:-[\p{L}]+)*/gu)]
  const folded = fold(text)
  const words = tokens.map(([word]) => word)
  /** Whether nothing but a blank is between two words: in "light, blue" the one is no shade of the other. */
  const isNext = (at: number): boolean => {
    const [one, other] = [tokens[at], tokens[at + 1]]
    return one !== undefined && other !== undefined && folded.slice(one.index + one[0].length, other.index) === " "
  }
  const colors: Array<NamedColor> = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ""
    if (word.startsWith("#")) {
      colors.push({ color: word, words: [word.slice(1)] })
      continue
    }
    const pair = isNext(at) ? `${word} ${words[at + 1] ?? ""}` : ""
    const match = names.find(([name]) => name === pair) ?? names.find(([name]) => name === word)
    if (match === undefined) continue
    const [name, color] = match
    const length = name.includes(" ") ? 2 : 1
    const before = isNext(at - 1) ? (words[at - 1] ?? "") : ""
    const behind = isNext(at + length - 1) ? (words[at + length] ?? "") : ""
    const shade = [behind, before].find((each) => darker.test(each) || lighter.test(each))
    const ownWords = name.split(" ")
    const shaded =
      shade === undefined ? color : darker.test(shade) ? mixed(color, 0, shadeShare) : mixed(color, 255, shadeShare)
    colors.push({ color: shaded, words: shade === undefined ? ownWords : [...ownWords, shade] })
    at += length - 1 + (shade === behind && shade !== undefined ? 1 : 0)
  }
  return colors
}

const sumOf = (color: string): number =>
  [1, 3, 5].reduce((sum, at) => sum + Number.parseInt(color.slice(at, at + 2), 16), 0)

/** Whether a colour is too near to white for buttons and links. */
export const isPale = (color: string): boolean => sumOf(color) >= 640
