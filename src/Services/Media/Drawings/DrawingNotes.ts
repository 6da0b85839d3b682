import type { Language } from "../../Text/Language.ts"

/** Notes for the owner about a drawing. */
export interface DrawingNotes {
  readonly drawn: string
  readonly changed: string
  readonly notShown: (words: string) => string
  readonly contradicts: (words: string) => string
  readonly noData: string
  readonly noFloorPlan: string
  readonly notClear: string
  readonly notChanged: string
  /** Part of a prompt that the finished drawing does not show. */
  readonly aside: string
  readonly wordForm: string
  readonly editForm: string
  readonly listForm: string
}

export const drawingNotes: { readonly [L in Language]: DrawingNotes } = {
  "pt-BR": {
    drawn: "O desenho mostra todos os dados do pedido.",
    changed: "O desenho foi mudado.",
    notShown: (words) =>
      `Estas partes do pedido não entraram com certeza no desenho: ${words}. Por isso nada foi desenhado.`,
    contradicts: (words) =>
      `Estas partes não combinam entre si ou não foram entendidas com certeza: ${words}. Por isso nada foi desenhado.`,
    noData: "O pedido não traz os números deste gráfico, e nenhum é inventado.",
    noFloorPlan: "Plantas baixas não são desenhadas: faltam medidas e posições exatas.",
    notClear: "Não ficou claro quais partes o desenho tem e como se ligam.",
    notChanged: "Não ficou claro o que mudar no desenho, ou o desenho já é assim.",
    aside: "O desenho mostra os dados do pedido, mas esta parte não foi entendida com certeza.",
    wordForm: "Escreva cada dado como “nome: número”, separado por vírgulas.",
    editForm: "Escreva uma mudança por vez, com os nomes que estão no desenho: “Adicione Mar: 60”, “Remova Jan”.",
    listForm: "Escreva as partes uma por linha, ou ligue-as com setas: “A -> B”."
  },
  en: {
    drawn: "The drawing shows all the data of the request.",
    changed: "The drawing was changed.",
    notShown: (words) => `These parts of the request couldn't be drawn with certainty: ${words}. So nothing was drawn.`,
    contradicts: (words) =>
      `These parts don't fit together, or weren't understood with certainty: ${words}. So nothing was drawn.`,
    noData: "The request doesn't give the numbers of this chart, and none are invented.",
    noFloorPlan: "Floor plans aren't drawn: exact measures and positions are missing.",
    notClear: "It isn't clear which parts the drawing has and how they connect.",
    notChanged: "It isn't clear what to change in the drawing, or the drawing is like that already.",
    aside: "The drawing shows the data of the request, but this part wasn't understood with certainty.",
    wordForm: "Write each figure as “name: number”, separated by commas.",
    editForm: "Write one change at a time, with the names in the drawing: “Add Mar: 60”, “Remove Jan”.",
    listForm: "Write the parts one per line, or connect them with arrows: “A -> B”."
  },
  es: {
    drawn: "El dibujo muestra todos los datos del pedido.",
    changed: "El dibujo se cambió.",
    notShown: (words) =>
      `Estas partes del pedido no entraron con certeza en el dibujo: ${words}. Por eso no se dibujó nada.`,
    contradicts: (words) =>
      `Estas partes no concuerdan entre sí o no se entendieron con certeza: ${words}. Por eso no se dibujó nada.`,
    noData: "El pedido no trae los números de este gráfico, y no se inventa ninguno.",
    noFloorPlan: "Los planos de planta no se dibujan: faltan medidas y posiciones exactas.",
    notClear: "No queda claro qué partes tiene el dibujo y cómo se unen.",
    notChanged: "No queda claro qué cambiar en el dibujo, o el dibujo ya es así.",
    aside: "El dibujo muestra los datos del pedido, pero esta parte no se entendió con certeza.",
    wordForm: "Escriba cada dato como “nombre: número”, separado por comas.",
    editForm: "Escriba un cambio a la vez, con los nombres del dibujo: “Agregue Mar: 60”, “Quite Ene”.",
    listForm: "Escriba las partes una por línea, o únalas con flechas: “A -> B”."
  }
}
