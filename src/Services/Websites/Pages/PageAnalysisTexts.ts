import type { Language } from "../../Text/Language.ts"

type Topic = "message" | "actions" | "forms" | "contact" | "texts" | "images" | "contrast" | "width"

/** What rules say of a page. */
export interface AnalysisTexts {
  readonly topics: { readonly [T in Topic]: string }
  readonly untitled: string
  readonly opening: (title: string, url: string, status: number) => string
  readonly passages: (quotes: string) => string
  readonly more: (count: number) => string
  readonly noHeading: string
  readonly heading: (text: string, isInView: boolean) => string
  readonly severalHeadings: (count: number) => string
  readonly firstText: (text: string) => string
  readonly noDescription: string
  readonly description: (text: string) => string
  readonly noActionInView: string
  readonly actionsInView: (list: string) => string
  readonly actionsBelow: (list: string) => string
  readonly manyActions: string
  readonly noForm: string
  readonly form: (fields: number, list: string, submit: string) => string
  readonly noContact: string
  readonly contact: (list: string) => string
  readonly notExamined: string
  readonly contrastFine: string
  readonly contrastPoor: (count: number) => string
  readonly otherViolations: (list: string) => string
  readonly tooWide: (pixels: number, width: number, list: string) => string
  readonly fits: (width: number) => string
  readonly noViewportMeta: string
  readonly length: (screens: number) => string
  readonly images: (count: number) => string
  readonly imagesWithoutText: (count: number) => string
  readonly textLength: (characters: number) => string
  readonly outline: (list: string) => string
}

const isWell = (status: number): boolean => status === 0 || (status >= 200 && status < 400)

export const analysisTexts: { readonly [L in Language]: AnalysisTexts } = {
  "pt-BR": {
    topics: {
      message: "Mensagem",
      actions: "Chamadas para ação",
      forms: "Formulários",
      contact: "Contato",
      texts: "Textos",
      images: "Imagens",
      contrast: "Contraste e acessibilidade",
      width: "Largura e tamanho"
    },
    untitled: "sem título",
    opening: (title, url, status) =>
      `A página ${title} (${url}) ${isWell(status) ? "abriu" : `respondeu com o erro ${status}; o que segue é o que essa página de erro mostra`}.`,
    passages: (quotes) => `O que a página diz sobre a pergunta: ${quotes}`,
    more: (count) => `mais ${count}`,
    noHeading: "Não há título principal (h1): quem chega não lê de imediato do que se trata.",
    heading: (text, isInView) =>
      `O título principal é ${text}${isInView ? ", visível sem rolar." : ", que só aparece depois de rolar."}`,
    severalHeadings: (count) => `Há ${count} títulos principais; um só bastaria.`,
    firstText: (text) => `O primeiro texto é ${text}.`,
    noDescription: "Falta a descrição para buscadores.",
    description: (text) => `A descrição para buscadores é ${text}.`,
    noActionInView: "Sem rolar não se vê nenhum botão nem chamada.",
    actionsInView: (list) => `Visíveis sem rolar: ${list}.`,
    actionsBelow: (list) => `Mais abaixo: ${list}.`,
    manyActions: "São várias chamadas diferentes na primeira tela; uma principal guia melhor.",
    noForm: "A página não tem formulário.",
    form: (fields, list, submit) =>
      fields === 0
        ? `Um formulário sem campos visíveis, com o botão ${submit}.`
        : `Um formulário com ${fields} ${fields === 1 ? "campo" : "campos"} (${list}) e o botão ${submit}.`,
    noContact: "Não há e-mail nem telefone em link.",
    contact: (list) => `Contatos em link: ${list}.`,
    notExamined: "A página não pôde ser examinada a tempo.",
    contrastFine: "Nenhum texto com contraste insuficiente foi encontrado.",
    contrastPoor: (count) =>
      `${count} ${count === 1 ? "trecho tem" : "trechos têm"} contraste insuficiente (abaixo do que a WCAG AA pede).`,
    otherViolations: (list) => `Outras falhas graves de acessibilidade: ${list}.`,
    tooWide: (pixels, width, list) =>
      `A página é ${pixels} px mais larga que a tela de ${width} px, e rola para o lado${list === "" ? "." : `: ${list}.`}`,
    fits: (width) => `A página cabe na tela de ${width} px, sem rolar para o lado.`,
    noViewportMeta: "Falta a indicação de viewport: em celulares ela aparece reduzida.",
    length: (screens) => `Ela tem o comprimento de ${screens} ${screens === 1 ? "tela" : "telas"}.`,
    images: (count) =>
      count === 0 ? "A página não tem imagens." : `A página tem ${count} ${count === 1 ? "imagem" : "imagens"}.`,
    imagesWithoutText: (count) => `${count} sem texto alternativo.`,
    textLength: (characters) => `O texto tem cerca de ${characters} caracteres.`,
    outline: (list) => `Os demais títulos são ${list}.`
  },
  en: {
    topics: {
      message: "Message",
      actions: "Calls to action",
      forms: "Forms",
      contact: "Contact",
      texts: "Texts",
      images: "Images",
      contrast: "Contrast and accessibility",
      width: "Width and length"
    },
    untitled: "without a title",
    opening: (title, url, status) =>
      `The page ${title} (${url}) ${isWell(status) ? "opened" : `answered with the error ${status}; what follows is what that error page shows`}.`,
    passages: (quotes) => `What the page says about the question: ${quotes}`,
    more: (count) => `${count} more`,
    noHeading: "There is no main heading (h1): a visitor does not read at once what it is about.",
    heading: (text, isInView) =>
      `The main heading is ${text}${isInView ? ", in view without scrolling." : ", which shows only after scrolling."}`,
    severalHeadings: (count) => `There are ${count} main headings; one would do.`,
    firstText: (text) => `The first text is ${text}.`,
    noDescription: "It has no description for search engines.",
    description: (text) => `Its description for search engines is ${text}.`,
    noActionInView: "Without scrolling no button or call is in view.",
    actionsInView: (list) => `In view without scrolling: ${list}.`,
    actionsBelow: (list) => `Further down: ${list}.`,
    manyActions: "The first screen has several different calls; one main call guides better.",
    noForm: "The page has no form.",
    form: (fields, list, submit) =>
      fields === 0
        ? `A form without visible fields, with the button ${submit}.`
        : `A form with ${fields} ${fields === 1 ? "field" : "fields"} (${list}) and the button ${submit}.`,
    noContact: "Neither a mail address nor a phone number is linked.",
    contact: (list) => `Linked contacts: ${list}.`,
    notExamined: "The page could not be examined in time.",
    contrastFine: "No text with too little contrast was found.",
    contrastPoor: (count) =>
      `${count} ${count === 1 ? "text has" : "texts have"} too little contrast (less than WCAG AA asks for).`,
    otherViolations: (list) => `Other serious faults of accessibility: ${list}.`,
    tooWide: (pixels, width, list) =>
      `The page is ${pixels} px wider than the view of ${width} px, and scrolls sideways${list === "" ? "." : `: ${list}.`}`,
    fits: (width) => `The page fits the view of ${width} px without scrolling sideways.`,
    noViewportMeta: "It does not declare a viewport: phones show it reduced.",
    length: (screens) => `It is ${screens} ${screens === 1 ? "screen" : "screens"} long.`,
    images: (count) =>
      count === 0 ? "The page has no images." : `The page has ${count} ${count === 1 ? "image" : "images"}.`,
    imagesWithoutText: (count) => `${count} without alternative text.`,
    textLength: (characters) => `The text has about ${characters} characters.`,
    outline: (list) => `The other headings are ${list}.`
  },
  es: {
    topics: {
      message: "Mensaje",
      actions: "Llamadas a la acción",
      forms: "Formularios",
      contact: "Contacto",
      texts: "Textos",
      images: "Imágenes",
      contrast: "Contraste y accesibilidad",
      width: "Ancho y largo"
    },
    untitled: "sin título",
    opening: (title, url, status) =>
      `La página ${title} (${url}) ${isWell(status) ? "se abrió" : `respondió con el error ${status}; lo que sigue es lo que muestra esa página de error`}.`,
    passages: (quotes) => `Lo que la página dice sobre la pregunta: ${quotes}`,
    more: (count) => `${count} más`,
    noHeading: "No hay título principal (h1): quien llega no lee enseguida de qué se trata.",
    heading: (text, isInView) =>
      `El título principal es ${text}${isInView ? ", visible sin desplazarse." : ", que solo aparece al desplazarse."}`,
    severalHeadings: (count) => `Hay ${count} títulos principales; bastaría uno.`,
    firstText: (text) => `El primer texto es ${text}.`,
    noDescription: "Falta la descripción para buscadores.",
    description: (text) => `La descripción para buscadores es ${text}.`,
    noActionInView: "Sin desplazarse no se ve ningún botón ni llamada.",
    actionsInView: (list) => `Visibles sin desplazarse: ${list}.`,
    actionsBelow: (list) => `Más abajo: ${list}.`,
    manyActions: "La primera pantalla tiene varias llamadas distintas; una principal guía mejor.",
    noForm: "La página no tiene formulario.",
    form: (fields, list, submit) =>
      fields === 0
        ? `Un formulario sin campos visibles, con el botón ${submit}.`
        : `Un formulario con ${fields} ${fields === 1 ? "campo" : "campos"} (${list}) y el botón ${submit}.`,
    noContact: "No hay correo ni teléfono enlazado.",
    contact: (list) => `Contactos enlazados: ${list}.`,
    notExamined: "La página no pudo examinarse a tiempo.",
    contrastFine: "No se encontró ningún texto con contraste insuficiente.",
    contrastPoor: (count) =>
      `${count} ${count === 1 ? "texto tiene" : "textos tienen"} contraste insuficiente (menos de lo que pide WCAG AA).`,
    otherViolations: (list) => `Otras fallas graves de accesibilidad: ${list}.`,
    tooWide: (pixels, width, list) =>
      `La página es ${pixels} px más ancha que la vista de ${width} px, y se desplaza hacia el lado${list === "" ? "." : `: ${list}.`}`,
    fits: (width) => `La página cabe en la vista de ${width} px, sin desplazarse hacia el lado.`,
    noViewportMeta: "No declara viewport: los móviles la muestran reducida.",
    length: (screens) => `Tiene el largo de ${screens} ${screens === 1 ? "pantalla" : "pantallas"}.`,
    images: (count) =>
      count === 0 ? "La página no tiene imágenes." : `La página tiene ${count} ${count === 1 ? "imagen" : "imágenes"}.`,
    imagesWithoutText: (count) => `${count} sin texto alternativo.`,
    textLength: (characters) => `El texto tiene unos ${characters} caracteres.`,
    outline: (list) => `Los demás títulos son ${list}.`
  }
}
