import type { Language } from "../Text/Language.ts"
import { clip } from "../Text/PlainText.ts"
import type { UndoneWish, WishReport } from "../Text/WishReport.ts"
import { askedTexts, readBrief } from "./Brief.ts"
import type { Storyboard } from "./Storyboard.ts"

/** What became of a prompt for an image or a video without a provider: designed art is never said to be more. */

interface Texts {
  readonly art: string
  readonly withTexts: (texts: string) => string
  readonly pictures: (count: number) => string
  readonly noScene: string
  readonly addPicture: string
  readonly cards: (count: number, seconds: number) => string
  readonly stillCard: (seconds: number) => string
  readonly changed: string
  readonly noFilm: string
  readonly addTexts: string
  readonly noSound: string
  readonly addSound: string
  readonly notChanged: string
  readonly changeForm: string
}

const texts: { readonly [L in Language]: Texts } = {
  "pt-BR": {
    art: "A imagem é arte gráfica, com formas e cores, e não uma foto.",
    withTexts: (list) => `Textos mostrados: ${list}.`,
    pictures: (count) => (count === 1 ? "A imagem enviada aparece." : `As ${count} imagens enviadas aparecem.`),
    noScene: "Sem um provedor de imagens, cenas e fotos não são feitas.",
    addPicture: "Envie uma foto de referência, ou escreva entre aspas o texto que a imagem deve mostrar.",
    cards: (count, seconds) => `O vídeo tem ${count} cartelas em ${seconds} segundos.`,
    stillCard: (seconds) => `O vídeo é uma única cartela, por ${seconds} segundos.`,
    changed: "O vídeo foi mudado.",
    noFilm: "Sem um provedor de vídeos, cenas não são filmadas: as cartelas têm só desenhos simples.",
    addTexts: "Escreva entre aspas o texto de cada cartela, ou envie uma imagem de referência.",
    noSound: "Sem um provedor de vídeos, o vídeo não tem som.",
    addSound: "Acrescente a música ou a voz num editor de vídeos.",
    notChanged: "Não ficou claro o que mudar no vídeo, ou ele já é assim.",
    changeForm: "Por exemplo: troque “Agende” por “Ligue”; remova a última cena; mais lento; em preto e branco."
  },
  en: {
    art: "The image is graphic art of shapes and colours, not a photograph.",
    withTexts: (list) => `Texts shown: ${list}.`,
    pictures: (count) => (count === 1 ? "The picture you sent is shown." : `The ${count} pictures you sent are shown.`),
    noScene: "Without a provider of images, scenes and photographs aren't made.",
    addPicture: "Send a reference photo, or put the text that the image should show in quotation marks.",
    cards: (count, seconds) => `The video has ${count} cards in ${seconds} seconds.`,
    stillCard: (seconds) => `The video is a single card for ${seconds} seconds.`,
    changed: "The video was changed.",
    noFilm: "Without a provider of videos, scenes aren't filmed: the cards have simple drawings only.",
    addTexts: "Put the text of each card in quotation marks, or send a reference picture.",
    noSound: "Without a provider of videos, the video has no sound.",
    addSound: "Add music or a voice in a video editor.",
    notChanged: "It isn't clear what to change in the video, or it is like that already.",
    changeForm: "For example: change “Book now” to “Call us”; remove the last scene; slower; in black and white."
  },
  es: {
    art: "La imagen es arte gráfico, con formas y colores, y no una foto.",
    withTexts: (list) => `Textos mostrados: ${list}.`,
    pictures: (count) => (count === 1 ? "Aparece la imagen enviada." : `Aparecen las ${count} imágenes enviadas.`),
    noScene: "Sin un proveedor de imágenes no se hacen escenas ni fotos.",
    addPicture: "Envíe una foto de referencia, o ponga entre comillas el texto que la imagen debe mostrar.",
    cards: (count, seconds) => `El video tiene ${count} placas en ${seconds} segundos.`,
    stillCard: (seconds) => `El video es una sola placa, por ${seconds} segundos.`,
    changed: "El video se cambió.",
    noFilm: "Sin un proveedor de videos no se filman escenas: las placas solo tienen dibujos simples.",
    addTexts: "Ponga entre comillas el texto de cada placa, o envíe una imagen de referencia.",
    noSound: "Sin un proveedor de videos, el video no tiene sonido.",
    addSound: "Agregue la música o la voz en un editor de videos.",
    notChanged: "No queda claro qué cambiar en el video, o ya es así.",
    changeForm: "Por ejemplo: cambie “Reserve” por “Llame”; quite la última escena; más lento; en blanco y negro."
  }
}

const longestWish = 300

const undone = (wish: string, reason: string, suggestion: string): UndoneWish => ({
  wish: clip(wish, longestWish),
  reason,
  suggestion
})

const listed = (all: ReadonlyArray<string>): string => all.map((text) => `“${text}”`).join(", ")

/** The report of a designed image. A pattern or a gradient is what was asked for. A scene is not. */
export const designedImageReport = (prompt: string, pictureCount: number, language: Language): WishReport => {
  const brief = readBrief(prompt)
  const words = texts[language]
  const printedTexts = askedTexts(brief)
  const isScene = brief.style === "poster" && brief.subject !== "" && pictureCount === 0
  return {
    done: [
      words.art,
      ...(printedTexts.length > 0 ? [words.withTexts(listed(printedTexts))] : []),
      ...(pictureCount > 0 ? [words.pictures(pictureCount)] : [])
    ],
    not_done: isScene ? [undone(brief.subject, words.noScene, words.addPicture)] : [],
    needs_input: []
  }
}

const ofSound =
  /\b(?:m[úu]sica|music|song|can[çc][ãa]o|canci[óo]n|voz|voice|voice-?over|narra\p{L}{1,8}|som|sound|sonido|[áa]udio|jingle)(?!\p{L})/iu

/** The report of a storyboard that was rendered. */
export const storyboardReport = (
  prompt: string,
  { scenes }: Storyboard,
  seconds: number,
  { isChange, language }: { readonly isChange: boolean; readonly language: Language }
): WishReport => {
  const words = texts[language]
  const captions = scenes.map(({ headline }) => headline).filter((text) => text !== "")
  const hasPicture = scenes.some(({ picture }) => picture !== null)
  const { subject } = readBrief(prompt)
  const isFilm = !isChange && subject !== "" && !hasPicture
  return {
    done: [
      ...(isChange ? [words.changed] : []),
      scenes.length === 1 ? words.stillCard(seconds) : words.cards(scenes.length, seconds),
      ...(captions.length > 0 ? [words.withTexts(listed(captions))] : [])
    ],
    not_done: [
      ...(isFilm ? [undone(subject, words.noFilm, words.addTexts)] : []),
      ...(ofSound.test(prompt) ? [undone(prompt, words.noSound, words.addSound)] : [])
    ],
    needs_input: []
  }
}

/** The report of a change of a storyboard that was not understood. */
export const unchangedStoryboard = (prompt: string, language: Language): WishReport => ({
  done: [],
  not_done: [undone(prompt, texts[language].notChanged, texts[language].changeForm)],
  needs_input: []
})
