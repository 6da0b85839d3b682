import type { Language } from "../../Text/Language.ts"

/** The sentences in the report to the owner about a change. */
export interface EditNotes {
  readonly color: (color: string) => string
  readonly palette: string
  readonly background: (color: string) => string
  readonly headings: (color: string) => string
  readonly buttons: (color: string) => string
  readonly layout: string
  readonly typefaces: string
  readonly renamed: (name: string) => string
  readonly contact: (what: string, value: string) => string
  readonly removed: (what: string) => string
  readonly removedPage: (label: string) => string
  readonly removedPrice: (item: string) => string
  readonly several: (names: string) => string
  readonly already: (value: string) => string
  readonly noForm: string
  readonly noPhone: string
  readonly givePhone: string
  readonly phoneOnly: string
  readonly hoursUnclear: (hours: string) => string
  readonly giveHours: string
  readonly fieldOptional: (label: string) => string
  readonly fact: (text: string) => string
  readonly swapped: (one: string, other: string) => string
  readonly nameSection: string
  readonly noLanguage: string
  readonly noDraft: string
  readonly notEffective: string
  /** The wish names a time that the site would not show, so it may only apply from that time. */
  readonly onlyAt: (time: string) => string
  readonly askThen: string
  readonly published: string
  readonly addedPage: (label: string) => string
  readonly price: (item: string, price: string) => string
  readonly added: (what: string, where: string) => string
  readonly addedBlock: (title: string) => string
  readonly field: (label: string) => string
  readonly fields: (labels: string) => string
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
  /** Part of a sentence was understood, but not these words. */
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
  readonly isQuestion: string
  readonly seeSite: (facts: string) => string
  readonly askElsewhere: string
  readonly noUndo: string
  readonly restore: string
  readonly withdrawn: string
  readonly otherPhone: string
  readonly foreignText: string
  readonly inSiteLanguage: string
  readonly contradiction: (place: string) => string
  readonly bothTexts: string
  readonly opposite: string
  readonly choices: (label: string, choices: string) => string
  readonly phone: string
  readonly email: string
  readonly address: string
  readonly hours: string
  readonly link: string
  readonly opening: string
  readonly button: string
}

const pt: EditNotes = {
  removedPrice: (item) => `O preço de “${item}” saiu do site.`,
  several: (names) => `Mais de uma parte do site pode ser a pedida: ${names}.`,
  already: (value) => `O site já mostra isto: “${value}”.`,
  noForm: "O site não tem formulário.",
  noPhone: "O site não mostra telefone; sem formulário e sem telefone ninguém poderia entrar em contato.",
  givePhone: "Informe o telefone no pedido.",
  phoneOnly: "O contato é só por telefone.",
  hoursUnclear: (hours) => `Não ficou claro como mudar o horário “${hours}”.`,
  giveHours: "Escreva o horário inteiro: “Horário: segunda a sexta das 8h às 18h, sábado até 12h”.",
  fieldOptional: (label) => `O campo “${label}” agora é opcional.`,
  fact: (text) => `O site diz agora: “${text}”.`,
  swapped: (one, other) => `“${one}” e “${other}” trocaram de lugar.`,
  nameSection: "Diga a seção em que isto entra, por exemplo “aos serviços” ou “aos preços”.",
  noLanguage: "Sem um modelo de linguagem os textos não são traduzidos.",
  noDraft: "Uma mudança entra no ar quando fica pronta; rascunhos não existem. A versão anterior pode ser restaurada.",
  onlyAt: (time) => `O pedido vale para “${time}”, e uma mudança só pode ser feita na hora.`,
  askThen: "Peça a mudança quando ela passar a valer, ou diga que o site deve mostrar a data.",
  notEffective: "A mudança não deixaria no site exatamente o que foi pedido.",
  published: "Pode ser publicado assim.",
  color: (color) => `As cores agora são: ${color}.`,
  background: (color) => `O fundo agora é ${color}.`,
  headings: (color) => `Os títulos agora são ${color}, ou o tom mais próximo que se lê bem.`,
  buttons: (color) => `Os botões agora são ${color}.`,
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
  fields: (labels) => `O formulário pergunta: ${labels}.`,
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
  isQuestion: "Isto é uma pergunta, e nada mudou por ela.",
  seeSite: (facts) => `O site mostra: ${facts}`,
  askElsewhere: "Escreva como pedido o que deve mudar.",
  noUndo: "Desfazer não é um pedido de mudança.",
  restore: "A versão anterior continua guardada e pode ser restaurada.",
  withdrawn: "Este pedido foi retirado na mesma mensagem.",
  otherPhone: "Há mais de um número, e não ficou claro qual deles muda.",
  foreignText: "O texto está em outra língua que o site, e não se traduz sem um modelo de linguagem.",
  inSiteLanguage: "Escreva o texto na língua do site, entre aspas.",
  contradiction: (place) => `Outro texto ainda diz o contrário: “${place}”. Por isso nada mudou.`,
  bothTexts: "Diga também o que esse texto deve dizer.",
  opposite: "O verbo e o valor novo não combinam.",
  choices: (label, choices) => `O campo “${label}” oferece: ${choices}.`,
  phone: "Telefone",
  email: "E-mail",
  address: "Endereço",
  hours: "Horário",
  link: "Link",
  opening: "Abertura",
  button: "Botão"
}

const en: EditNotes = {
  removedPrice: (item) => `The price of “${item}” was taken out.`,
  several: (names) => `More than one part of the site may be meant: ${names}.`,
  already: (value) => `The site shows this already: “${value}”.`,
  noForm: "The site has no form.",
  noPhone: "The site shows no phone number; with neither form nor number no one could get in touch.",
  givePhone: "Give the phone number in the request.",
  phoneOnly: "Contact is by phone only.",
  hoursUnclear: (hours) => `It isn't clear how to change the hours “${hours}”.`,
  giveHours: "Write the hours in full: “Opening hours: Monday to Friday 9am to 6pm, Saturday until 1pm”.",
  fieldOptional: (label) => `The field “${label}” is now optional.`,
  fact: (text) => `The site now says: “${text}”.`,
  swapped: (one, other) => `“${one}” and “${other}” changed places.`,
  nameSection: "Name the section that this belongs to, for example “to the services” or “to the prices”.",
  noLanguage: "Without a language model texts aren't translated.",
  noDraft: "A change goes live when it is ready; there are no drafts. The version before it can be restored.",
  onlyAt: (time) => `The wish is for “${time}”, and changes can only be made at once.`,
  askThen: "Ask for the change when it is to hold, or say that the site is to show the date.",
  notEffective: "The change wouldn't leave exactly what was asked for on the site.",
  published: "It may be published as it is.",
  color: (color) => `The colours are now: ${color}.`,
  background: (color) => `The background is now ${color}.`,
  headings: (color) => `Headings are now ${color}, or the nearest shade that is easy to read.`,
  buttons: (color) => `Buttons are now ${color}.`,
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
  fields: (labels) => `The form asks for: ${labels}.`,
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
  isQuestion: "This is a question, and nothing was changed for it.",
  seeSite: (facts) => `The site shows: ${facts}`,
  askElsewhere: "Write what should change as a request.",
  noUndo: "Undoing isn't a change that can be asked for here.",
  restore: "The version before is kept and can be restored.",
  withdrawn: "The same message takes this request back.",
  otherPhone: "There is more than one number, and it isn't clear which one changes.",
  foreignText: "The text is in another language than the site, and isn't translated without a language model.",
  inSiteLanguage: "Write the text in the language of the site, in quotation marks.",
  contradiction: (place) => `Another text would still say otherwise: “${place}”. So nothing was changed.`,
  bothTexts: "Say as well what that text should say.",
  opposite: "The verb and the new value don't agree.",
  choices: (label, choices) => `The field “${label}” offers: ${choices}.`,
  phone: "Phone",
  email: "E-mail",
  address: "Address",
  hours: "Opening hours",
  link: "Link",
  opening: "Opening",
  button: "Button"
}

const es: EditNotes = {
  removedPrice: (item) => `El precio de “${item}” salió del sitio.`,
  several: (names) => `Puede tratarse de más de una parte del sitio: ${names}.`,
  already: (value) => `El sitio ya muestra esto: “${value}”.`,
  noForm: "El sitio no tiene formulario.",
  noPhone: "El sitio no muestra teléfono; sin formulario ni teléfono nadie podría ponerse en contacto.",
  givePhone: "Indique el teléfono en el pedido.",
  phoneOnly: "El contacto es solo por teléfono.",
  hoursUnclear: (hours) => `No queda claro cómo cambiar el horario “${hours}”.`,
  giveHours: "Escriba el horario completo: “Horario: lunes a viernes de 9 a 18, sábado hasta las 13”.",
  fieldOptional: (label) => `El campo “${label}” ahora es opcional.`,
  fact: (text) => `El sitio dice ahora: “${text}”.`,
  swapped: (one, other) => `“${one}” y “${other}” cambiaron de lugar.`,
  nameSection: "Diga en qué sección entra, por ejemplo “a los servicios” o “a los precios”.",
  noLanguage: "Sin un modelo de lenguaje los textos no se traducen.",
  noDraft: "Un cambio se publica cuando está listo; no hay borradores. Se puede restaurar la versión anterior.",
  onlyAt: (time) => `El pedido es para “${time}”, y los cambios solo se hacen en el momento.`,
  askThen: "Pide el cambio cuando empiece a valer, o di que el sitio debe mostrar la fecha.",
  notEffective: "El cambio no dejaría en el sitio exactamente lo que se pidió.",
  published: "Puede publicarse así.",
  color: (color) => `Los colores ahora son: ${color}.`,
  background: (color) => `El fondo ahora es ${color}.`,
  headings: (color) => `Los títulos ahora son ${color}, o el tono más cercano que se lee bien.`,
  buttons: (color) => `Los botones ahora son ${color}.`,
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
  fields: (labels) => `El formulario pide: ${labels}.`,
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
  isQuestion: "Esto es una pregunta, y nada cambió por ella.",
  seeSite: (facts) => `El sitio muestra: ${facts}`,
  askElsewhere: "Escriba como pedido lo que debe cambiar.",
  noUndo: "Deshacer no es un cambio que se pida aquí.",
  restore: "La versión anterior se conserva y se puede restaurar.",
  withdrawn: "El mismo mensaje retira este pedido.",
  otherPhone: "Hay más de un número, y no queda claro cuál cambia.",
  foreignText: "El texto está en otro idioma que el sitio, y sin un modelo de lenguaje no se traduce.",
  inSiteLanguage: "Escriba el texto en el idioma del sitio, entre comillas.",
  contradiction: (place) => `Otro texto diría todavía lo contrario: “${place}”. Por eso nada cambió.`,
  bothTexts: "Diga también lo que ese texto debe decir.",
  opposite: "El verbo y el valor nuevo no coinciden.",
  choices: (label, choices) => `El campo “${label}” ofrece: ${choices}.`,
  phone: "Teléfono",
  email: "Correo",
  address: "Dirección",
  hours: "Horario",
  link: "Enlace",
  opening: "Portada",
  button: "Botón"
}

export const editNotes: { readonly [L in Language]: EditNotes } = { "pt-BR": pt, en, es }
