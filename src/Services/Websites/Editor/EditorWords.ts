import type { Language } from "../../Text/Language.ts"
import type { SiteBlock } from "../Site.ts"
import type { CodeKind } from "../Websites.ts"

/** The words on the editor's page, in the visitor's language. */
export interface EditorWords {
  readonly title: string
  readonly gone: string
  readonly later: string
  readonly unwritten: string
  readonly inWriting: string
  readonly failed: (detail: string) => string
  readonly open: string
  readonly preview: string
  readonly texts: string
  readonly pages: string
  readonly variant: (id: string) => string
  readonly saveTexts: string
  readonly saved: string
  readonly nothingNew: string
  readonly sections: string
  readonly moveUp: string
  readonly moveDown: string
  readonly removeSection: string
  readonly newSection: string
  readonly sectionKind: string
  readonly sectionText: string
  readonly sectionForms: string
  readonly addSection: string
  readonly sectionSaved: string
  readonly colors: string
  readonly brandColor: string
  readonly accentColor: string
  readonly saveColors: string
  readonly pictures: string
  readonly noPicture: string
  readonly describe: string
  readonly makePicture: string
  readonly pictureBegun: string
  readonly versions: string
  readonly current: string
  readonly restore: string
  readonly restored: string
  readonly records: string
  readonly download: string
  readonly expired: string
  readonly secret: string
  readonly renew: string
  readonly renewed: string
  readonly kinds: { readonly [K in CodeKind]: string }
  readonly snapshot: string
  readonly blocks: { readonly [T in SiteBlock["_tag"]]: string }
  readonly fields: { readonly [key: string]: string }
}

export const editorWords: { readonly [L in Language]: EditorWords } = {
  "pt-BR": {
    title: "Editor do site",
    gone: "Este link não vale mais: o site foi arquivado ou o endereço está incompleto.",
    later: "Não foi possível agora. Abra o link de novo em um minuto.",
    unwritten: "O site ainda não foi escrito. Abra o link de novo em um minuto.",
    inWriting: "Uma mudança está sendo feita. Até terminar, nada pode ser salvo aqui.",
    failed: (detail) => `A última mudança não deu certo: ${detail}`,
    open: "Abrir o site",
    preview: "Como está agora",
    texts: "Textos",
    pages: "Páginas",
    variant: (id) => `Variante ${id}`,
    saveTexts: "Salvar e publicar os textos",
    saved: "Os textos foram publicados.",
    nothingNew: "Nada mudou: os textos já estavam assim.",
    sections: "Seções",
    moveUp: "Para cima",
    moveDown: "Para baixo",
    removeSection: "Retirar",
    newSection: "Nova seção",
    sectionKind: "Tipo",
    sectionText: "Texto, ou um item por linha",
    sectionForms:
      "Destaques e passos: “Título: texto”. Preços: “Corte: R$ 60”. Perguntas: “Tem estacionamento? Sim.”. Pessoas: “Nome: função”.",
    addSection: "Acrescentar e publicar",
    sectionSaved: "A mudança foi publicada.",
    colors: "Cores",
    brandColor: "Cor da marca",
    accentColor: "Segunda cor",
    saveColors: "Salvar e publicar as cores",
    pictures: "Imagens",
    noPicture: "Esta imagem não pôde ser feita.",
    describe: "O que a imagem deve mostrar",
    makePicture: "Refazer esta imagem",
    pictureBegun: "A imagem está sendo feita. Abra esta página de novo em um minuto.",
    versions: "Versões",
    current: "No ar",
    restore: "Voltar a esta versão",
    restored: "A versão foi publicada de novo.",
    records: "Registros",
    download: "Baixar em CSV",
    expired: "A página ficou aberta por muito tempo. Confira e salve de novo.",
    secret: "Quem tem este endereço pode mudar o site: não o repasse.",
    renew: "Trocar este endereço",
    renewed: "Este é o novo endereço do editor: guarde-o. O anterior não abre mais nada.",
    kinds: {
      generation: "Primeira escrita",
      change: "Mudança",
      edit: "Edição à mão",
      restoration: "Volta a uma versão"
    },
    snapshot: "Versão guardada",
    blocks: {
      Hero: "Abertura",
      Prose: "Texto",
      Features: "Destaques",
      Steps: "Passos",
      Figures: "Números",
      Quotes: "Depoimentos",
      Clients: "Clientes",
      Prices: "Preços",
      Questions: "Perguntas",
      People: "Pessoas",
      Gallery: "Galeria",
      Contact: "Contato",
      CallToAction: "Chamada",
      Form: "Formulário",
      Records: "Lista"
    },
    fields: {
      title: "Título",
      text: "Texto",
      label: "Nome",
      value: "Número",
      words: "Palavras",
      name: "Nome",
      role: "Função",
      price: "Preço",
      question: "Pergunta",
      answer: "Resposta",
      submit: "Botão",
      alt: "O que a imagem mostra",
      email: "E-mail",
      phone: "Telefone",
      address: "Endereço",
      hours: "Horário",
      names: "Nome",
      includes: "Inclui",
      choices: "Opção"
    }
  },
  en: {
    title: "Website editor",
    gone: "This link no longer holds: the site was archived, or the address is incomplete.",
    later: "Not possible for the moment. Open the link again in a minute.",
    unwritten: "The site is not written yet. Open the link again in a minute.",
    inWriting: "A change is being made. Until it is finished nothing can be saved here.",
    failed: (detail) => `The last change did not work: ${detail}`,
    open: "Open the site",
    preview: "As it is now",
    texts: "Texts",
    pages: "Pages",
    variant: (id) => `Variant ${id}`,
    saveTexts: "Save and publish the texts",
    saved: "The texts are published.",
    nothingNew: "Nothing changed: the texts were so already.",
    sections: "Sections",
    moveUp: "Move up",
    moveDown: "Move down",
    removeSection: "Remove",
    newSection: "New section",
    sectionKind: "Kind",
    sectionText: "Text, or one item in each line",
    sectionForms:
      "Features and steps: “Title: text”. Prices: “Haircut: £60”. Questions: “Is there parking? Yes.”. People: “Name: role”.",
    addSection: "Add and publish",
    sectionSaved: "The change is published.",
    colors: "Colours",
    brandColor: "Brand colour",
    accentColor: "Second colour",
    saveColors: "Save and publish the colours",
    pictures: "Pictures",
    noPicture: "This picture could not be made.",
    describe: "What the picture is to show",
    makePicture: "Make this picture anew",
    pictureBegun: "The picture is being made. Open this page again in a minute.",
    versions: "Versions",
    current: "Online",
    restore: "Go back to this version",
    restored: "The version is published again.",
    records: "Records",
    download: "Download as CSV",
    expired: "The page was open for too long. Look at it and save again.",
    secret: "Whoever has this address can change the site: do not pass it on.",
    renew: "Change this address",
    renewed: "This is the editor's new address: keep it. The one before opens nothing any more.",
    kinds: {
      generation: "First writing",
      change: "Change",
      edit: "Edited by hand",
      restoration: "Return to a version"
    },
    snapshot: "Snapshot",
    blocks: {
      Hero: "Opening",
      Prose: "Text",
      Features: "Features",
      Steps: "Steps",
      Figures: "Figures",
      Quotes: "Testimonials",
      Clients: "Clients",
      Prices: "Prices",
      Questions: "Questions",
      People: "People",
      Gallery: "Gallery",
      Contact: "Contact",
      CallToAction: "Call to action",
      Form: "Form",
      Records: "List"
    },
    fields: {
      title: "Title",
      text: "Text",
      label: "Name",
      value: "Figure",
      words: "Words",
      name: "Name",
      role: "Role",
      price: "Price",
      question: "Question",
      answer: "Answer",
      submit: "Button",
      alt: "What the picture shows",
      email: "E-mail",
      phone: "Phone",
      address: "Address",
      hours: "Hours",
      names: "Name",
      includes: "Includes",
      choices: "Choice"
    }
  },
  es: {
    title: "Editor del sitio",
    gone: "Este enlace ya no es válido: el sitio fue archivado o la dirección está incompleta.",
    later: "No es posible por el momento. Abra el enlace de nuevo en un minuto.",
    unwritten: "El sitio todavía no está escrito. Abra el enlace de nuevo en un minuto.",
    inWriting: "Se está haciendo un cambio. Hasta que termine, no se puede guardar nada aquí.",
    failed: (detail) => `El último cambio no funcionó: ${detail}`,
    open: "Abrir el sitio",
    preview: "Como está ahora",
    texts: "Textos",
    pages: "Páginas",
    variant: (id) => `Variante ${id}`,
    saveTexts: "Guardar y publicar los textos",
    saved: "Los textos están publicados.",
    nothingNew: "Nada cambió: los textos ya estaban así.",
    sections: "Secciones",
    moveUp: "Subir",
    moveDown: "Bajar",
    removeSection: "Quitar",
    newSection: "Sección nueva",
    sectionKind: "Tipo",
    sectionText: "Texto, o un elemento por línea",
    sectionForms:
      "Destacados y pasos: “Título: texto”. Precios: “Corte: $60”. Preguntas: “¿Hay estacionamiento? Sí.”. Personas: “Nombre: función”.",
    addSection: "Agregar y publicar",
    sectionSaved: "El cambio se publicó.",
    colors: "Colores",
    brandColor: "Color de la marca",
    accentColor: "Segundo color",
    saveColors: "Guardar y publicar los colores",
    pictures: "Imágenes",
    noPicture: "Esta imagen no se pudo hacer.",
    describe: "Qué debe mostrar la imagen",
    makePicture: "Hacer esta imagen de nuevo",
    pictureBegun: "La imagen se está haciendo. Abra esta página de nuevo en un minuto.",
    versions: "Versiones",
    current: "En línea",
    restore: "Volver a esta versión",
    restored: "La versión está publicada de nuevo.",
    records: "Registros",
    download: "Descargar en CSV",
    expired: "La página estuvo abierta demasiado tiempo. Revísela y guarde de nuevo.",
    secret: "Quien tenga esta dirección puede cambiar el sitio: no la comparta.",
    renew: "Cambiar esta dirección",
    renewed: "Esta es la nueva dirección del editor: guárdela. La anterior ya no abre nada.",
    kinds: {
      generation: "Primera redacción",
      change: "Cambio",
      edit: "Edición a mano",
      restoration: "Vuelta a una versión"
    },
    snapshot: "Versión guardada",
    blocks: {
      Hero: "Apertura",
      Prose: "Texto",
      Features: "Ventajas",
      Steps: "Pasos",
      Figures: "Cifras",
      Quotes: "Testimonios",
      Clients: "Clientes",
      Prices: "Precios",
      Questions: "Preguntas",
      People: "Personas",
      Gallery: "Galería",
      Contact: "Contacto",
      CallToAction: "Llamada",
      Form: "Formulario",
      Records: "Lista"
    },
    fields: {
      title: "Título",
      text: "Texto",
      label: "Nombre",
      value: "Cifra",
      words: "Palabras",
      name: "Nombre",
      role: "Función",
      price: "Precio",
      question: "Pregunta",
      answer: "Respuesta",
      submit: "Botón",
      alt: "Qué muestra la imagen",
      email: "Correo",
      phone: "Teléfono",
      address: "Dirección",
      hours: "Horario",
      names: "Nombre",
      includes: "Incluye",
      choices: "Opción"
    }
  }
}
