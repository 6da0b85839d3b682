import type { Language } from "../../Text/Language.ts"

/** What an owner is told of a change. */
export interface ChangeNotes {
  readonly color: (color: string) => string
  readonly palette: string
  readonly layout: string
  readonly typefaces: string
  readonly renamed: (name: string) => string
  readonly contact: (what: string, value: string) => string
  readonly removed: (what: string) => string
  readonly removedPage: (label: string) => string
  readonly addedPage: (label: string) => string
  readonly price: (item: string, price: string) => string
  readonly added: (what: string, where: string) => string
  readonly addedBlock: (title: string) => string
  readonly field: (label: string) => string
  readonly fieldRequired: (label: string) => string
  readonly replaced: (from: string, to: string) => string
  readonly text: (where: string, to: string) => string
  readonly moved: (what: string) => string
  readonly variant: (id: string) => string
  readonly picture: (subject: string) => string
  readonly notFound: (what: string) => string
  readonly noMaterial: (what: string) => string
  readonly secret: string
  readonly notUnderstood: (clause: string) => string
  readonly nothing: string
  /** Part of a sentence was understood, and these words of it were not. */
  readonly notWhole: (words: string) => string
  readonly ambiguous: string
  readonly afterUndone: string
  readonly againstGuard: (guard: string) => string
  readonly respected: (guard: string) => string
  readonly isLeft: (what: string) => string
  readonly oneByOne: string
  readonly withQuotes: string
  readonly nameIt: string
  readonly giveFacts: string
  readonly leftOut: (what: string) => string
  readonly phone: string
  readonly email: string
  readonly address: string
  readonly hours: string
  readonly link: string
  readonly opening: string
  readonly button: string
}

const pt: ChangeNotes = {
  color: (color) => `A cor da marca agora é ${color}.`,
  palette: "O site usa outra paleta.",
  layout: "O site usa outro layout.",
  typefaces: "O site usa outras fontes.",
  renamed: (name) => `O site agora se chama “${name}”.`,
  contact: (what, value) => `${what}: ${value}.`,
  removed: (what) => `“${what}” saiu do site.`,
  removedPage: (label) => `A página “${label}” saiu do site.`,
  addedPage: (label) => `O site ganhou a página “${label}”.`,
  price: (item, price) => `“${item}” agora custa ${price}.`,
  added: (what, where) => `“${what}” entrou em “${where}”.`,
  addedBlock: (title) => `O site ganhou a seção “${title}”.`,
  field: (label) => `O formulário pergunta também “${label}”.`,
  fieldRequired: (label) => `O campo “${label}” agora é obrigatório.`,
  replaced: (from, to) => `“${from}” agora é “${to}”.`,
  text: (where, to) => `${where}: “${to}”.`,
  moved: (what) => `“${what}” mudou de lugar.`,
  variant: (id) => `A página ganhou a variante ${id}.`,
  picture: (subject) => `A imagem será feita de novo: ${subject}.`,
  notFound: (what) => `Não há no site o que se pediu para mudar: “${what}”.`,
  noMaterial: (what) => `O material não diz nada para isto, e nada se inventa: “${what}”.`,
  secret: "Senhas e dados de cartão não se pedem em formulários; esse campo ficou de fora.",
  notUnderstood: (clause) => `Não ficou claro o que mudar: “${clause}”. Nada mudou por esta frase.`,
  nothing: "Nada mudou.",
  notWhole: (words) => `Só parte desta frase foi entendida (não: ${words}). Por isso nada mudou por ela.`,
  ambiguous: "Não ficou claro onde termina o texto novo e começa o próximo pedido.",
  afterUndone: "Este pedido depende do anterior, que não foi feito.",
  againstGuard: (guard) => `Isto mudaria o que se pediu para não mudar: “${guard}”.`,
  respected: (guard) => `Respeitado: “${guard}”.`,
  isLeft: (what) => `“${what}” ainda aparece em outro texto do site.`,
  oneByOne: "Escreva cada mudança em uma frase: o que muda e o novo valor.",
  withQuotes: "Coloque o texto novo entre aspas e cada pedido em uma frase.",
  nameIt: "Escreva o nome da seção ou do item como aparece no site.",
  giveFacts: "Escreva o conteúdo no pedido, depois de dois-pontos.",
  leftOut: (what) => `Ficou de fora, porque o material não o sustenta: ${what}.`,
  phone: "Telefone",
  email: "E-mail",
  address: "Endereço",
  hours: "Horário",
  link: "Link",
  opening: "Abertura",
  button: "Botão"
}

const en: ChangeNotes = {
  color: (color) => `The brand's colour is now ${color}.`,
  palette: "The site uses another palette.",
  layout: "The site uses another layout.",
  typefaces: "The site uses other typefaces.",
  renamed: (name) => `The site is now called “${name}”.`,
  contact: (what, value) => `${what}: ${value}.`,
  removed: (what) => `“${what}” was taken out.`,
  removedPage: (label) => `The page “${label}” was taken out.`,
  addedPage: (label) => `The site has a new page, “${label}”.`,
  price: (item, price) => `“${item}” now costs ${price}.`,
  added: (what, where) => `“${what}” was added to “${where}”.`,
  addedBlock: (title) => `The site has a new section, “${title}”.`,
  field: (label) => `The form also asks for “${label}”.`,
  fieldRequired: (label) => `The field “${label}” is now required.`,
  replaced: (from, to) => `“${from}” is now “${to}”.`,
  text: (where, to) => `${where}: “${to}”.`,
  moved: (what) => `“${what}” was moved.`,
  variant: (id) => `The page has a new variant, ${id}.`,
  picture: (subject) => `The picture is made anew: ${subject}.`,
  notFound: (what) => `What was to be changed is not on the site: “${what}”.`,
  noMaterial: (what) => `The material says nothing for this, and nothing is invented: “${what}”.`,
  secret: "Passwords and card data are not asked for in forms; that field was left out.",
  notUnderstood: (clause) => `It was not clear what to change: “${clause}”. Nothing was changed for this sentence.`,
  nothing: "Nothing was changed.",
  notWhole: (words) => `Only part of this sentence was understood (not: ${words}), so nothing was changed for it.`,
  ambiguous: "It isn't clear where the new text ends and the next request begins.",
  afterUndone: "This request depends on the one before it, which wasn't done.",
  againstGuard: (guard) => `This would change what was to stay: “${guard}”.`,
  respected: (guard) => `Respected: “${guard}”.`,
  isLeft: (what) => `“${what}” still appears in another text of the site.`,
  oneByOne: "Write each change as one sentence: what changes, and its new value.",
  withQuotes: "Put the new text in quotation marks, and each request in its own sentence.",
  nameIt: "Name the section or item as it appears on the site.",
  giveFacts: "Write the content in the request, after a colon.",
  leftOut: (what) => `Left out, because the material does not support it: ${what}.`,
  phone: "Phone",
  email: "E-mail",
  address: "Address",
  hours: "Opening hours",
  link: "Link",
  opening: "Opening",
  button: "Button"
}

const es: ChangeNotes = {
  color: (color) => `El color de la marca ahora es ${color}.`,
  palette: "El sitio usa otra paleta.",
  layout: "El sitio usa otro diseño.",
  typefaces: "El sitio usa otras tipografías.",
  renamed: (name) => `El sitio ahora se llama “${name}”.`,
  contact: (what, value) => `${what}: ${value}.`,
  removed: (what) => `“${what}” salió del sitio.`,
  removedPage: (label) => `La página “${label}” salió del sitio.`,
  addedPage: (label) => `El sitio tiene una página nueva, “${label}”.`,
  price: (item, price) => `“${item}” ahora cuesta ${price}.`,
  added: (what, where) => `“${what}” se agregó a “${where}”.`,
  addedBlock: (title) => `El sitio tiene una sección nueva, “${title}”.`,
  field: (label) => `El formulario pide también “${label}”.`,
  fieldRequired: (label) => `El campo “${label}” ahora es obligatorio.`,
  replaced: (from, to) => `“${from}” ahora es “${to}”.`,
  text: (where, to) => `${where}: “${to}”.`,
  moved: (what) => `“${what}” cambió de lugar.`,
  variant: (id) => `La página tiene una variante nueva, ${id}.`,
  picture: (subject) => `La imagen se hará de nuevo: ${subject}.`,
  notFound: (what) => `No está en el sitio lo que se pidió cambiar: “${what}”.`,
  noMaterial: (what) => `El material no dice nada para esto, y nada se inventa: “${what}”.`,
  secret: "Las contraseñas y los datos de tarjetas no se piden en formularios; ese campo quedó fuera.",
  notUnderstood: (clause) => `No quedó claro qué cambiar: “${clause}”. Nada cambió por esta frase.`,
  nothing: "Nada cambió.",
  notWhole: (words) => `Solo se entendió una parte de esta frase (no: ${words}). Por eso no se cambió nada por ella.`,
  ambiguous: "No queda claro dónde termina el texto nuevo y empieza el siguiente pedido.",
  afterUndone: "Este pedido depende del anterior, que no se hizo.",
  againstGuard: (guard) => `Esto cambiaría lo que se pidió no cambiar: “${guard}”.`,
  respected: (guard) => `Respetado: “${guard}”.`,
  isLeft: (what) => `“${what}” todavía aparece en otro texto del sitio.`,
  oneByOne: "Escriba cada cambio en una frase: qué cambia y el nuevo valor.",
  withQuotes: "Ponga el texto nuevo entre comillas y cada pedido en una frase.",
  nameIt: "Nombre la sección o el elemento como aparece en el sitio.",
  giveFacts: "Escriba el contenido en el pedido, después de dos puntos.",
  leftOut: (what) => `Quedó fuera, porque el material no lo sostiene: ${what}.`,
  phone: "Teléfono",
  email: "Correo",
  address: "Dirección",
  hours: "Horario",
  link: "Enlace",
  opening: "Portada",
  button: "Botón"
}

export const changeNotes: { readonly [L in Language]: ChangeNotes } = { "pt-BR": pt, en, es }
