import type { Language } from "../../Text/Language.ts"

/** Texts of the pages after a form is sent, and of the mail to visitors who sign in. */
export interface FormPhrases {
  readonly confirmTitle: string
  readonly confirmText: string
  readonly confirmButton: string
  readonly laterTitle: string
  readonly laterText: (minutes: number) => string
  readonly fullTitle: string
  readonly fullText: string
  readonly againButton: string
  readonly goneTitle: string
  readonly goneText: string
  readonly unreadableTitle: string
  readonly unreadableText: string
  readonly back: string
  readonly yes: string
  readonly signInTitle: string
  readonly signInText: string
  readonly email: string
  readonly sendCode: string
  readonly codeTitle: string
  /** The same text for every address, so that it does not reveal which addresses may sign in. */
  readonly codeText: (email: string) => string
  readonly code: string
  readonly enter: string
  readonly wrongCode: string
  readonly wrongEmail: string
  readonly codeSubject: (site: string) => string
  readonly codeMail: (site: string, code: string) => string
  readonly signedInTitle: string
  readonly signedInText: (email: string) => string
  readonly leave: string
}

export const formPhrases: { readonly [L in Language]: FormPhrases } = {
  "pt-BR": {
    confirmTitle: "Falta só confirmar",
    confirmText: "Confira o que você escreveu e confirme o envio.",
    confirmButton: "Confirmar e enviar",
    laterTitle: "Muitos envios de uma vez",
    laterText: (minutes) =>
      `Recebemos muitos envios em pouco tempo, e este ainda não foi guardado. Tente de novo em ${minutes === 1 ? "1 minuto" : `${minutes} minutos`}: o que você escreveu continua aqui.`,
    fullTitle: "Ainda não foi possível guardar",
    fullText: "Este site não pode guardar mais nada por enquanto. O que você escreveu continua aqui: tente mais tarde.",
    againButton: "Enviar de novo",
    goneTitle: "Este formulário não existe mais",
    goneText:
      "A página mudou enquanto você escrevia, e nada foi guardado. O que você escreveu está abaixo, para copiar.",
    unreadableTitle: "Não foi possível ler o envio",
    unreadableText: "Volte à página, confira o que escreveu e envie de novo.",
    back: "Voltar à página",
    yes: "Sim",
    signInTitle: "Entrar",
    signInText: "Enviamos um código para o seu e-mail.",
    email: "E-mail",
    sendCode: "Receber o código",
    codeTitle: "Digite o código",
    codeText: (email) =>
      `Se for possível escrever para ${email}, o código chega em instantes. Ele vale por 15 minutos.`,
    code: "Código",
    enter: "Entrar",
    wrongCode: "O código não confere ou perdeu a validade. Peça outro se for preciso.",
    wrongEmail: "Escreva um endereço de e-mail, como nome@empresa.com.br.",
    codeSubject: (site) => `Seu código para ${site}`,
    codeMail: (site, code) =>
      `Olá,\n\no seu código para entrar em ${site} é ${code}. Ele vale por 15 minutos.\n\nSe você não pediu este código, ignore esta mensagem.`,
    signedInTitle: "Você entrou",
    signedInText: (email) => `Você está como ${email}.`,
    leave: "Sair"
  },
  en: {
    confirmTitle: "One more step",
    confirmText: "Please look at what you wrote, and confirm that it is to be sent.",
    confirmButton: "Confirm and send",
    laterTitle: "Too much at once",
    laterText: (minutes) =>
      `Much was sent within a short time, and this has not been stored yet. Please try again in ${minutes === 1 ? "1 minute" : `${minutes} minutes`}: what you wrote is still here.`,
    fullTitle: "This could not be stored yet",
    fullText: "This site cannot store anything more for now. What you wrote is still here: please try again later.",
    againButton: "Send again",
    goneTitle: "This form is no longer there",
    goneText:
      "The page changed while you were writing, and nothing was stored. What you wrote stands below, to be copied.",
    unreadableTitle: "What was sent could not be read",
    unreadableText: "Please go back to the page, look at what you wrote, and send it again.",
    back: "Back to the page",
    yes: "Yes",
    signInTitle: "Sign in",
    signInText: "We send a code to your e-mail address.",
    email: "E-mail",
    sendCode: "Send me the code",
    codeTitle: "Enter the code",
    codeText: (email) => `If ${email} can be written to, the code arrives in a moment. It is valid for 15 minutes.`,
    code: "Code",
    enter: "Sign in",
    wrongCode: "The code is not right, or no longer valid. Ask for another one if need be.",
    wrongEmail: "Please give an e-mail address, such as name@company.com.",
    codeSubject: (site) => `Your code for ${site}`,
    codeMail: (site, code) =>
      `Hello,\n\nyour code to sign in to ${site} is ${code}. It is valid for 15 minutes.\n\nIf you did not ask for it, ignore this message.`,
    signedInTitle: "You are signed in",
    signedInText: (email) => `You are signed in as ${email}.`,
    leave: "Sign out"
  },
  es: {
    confirmTitle: "Solo falta confirmar",
    confirmText: "Revise lo que escribió y confirme el envío.",
    confirmButton: "Confirmar y enviar",
    laterTitle: "Demasiados envíos a la vez",
    laterText: (minutes) =>
      `Recibimos muchos envíos en poco tiempo, y este todavía no se guardó. Inténtelo de nuevo en ${minutes === 1 ? "1 minuto" : `${minutes} minutos`}: lo que escribió sigue aquí.`,
    fullTitle: "Todavía no se pudo guardar",
    fullText: "Este sitio no puede guardar nada más por ahora. Lo que escribió sigue aquí: inténtelo más tarde.",
    againButton: "Enviar de nuevo",
    goneTitle: "Este formulario ya no existe",
    goneText: "La página cambió mientras escribía, y no se guardó nada. Lo que escribió está abajo, para copiarlo.",
    unreadableTitle: "No se pudo leer el envío",
    unreadableText: "Vuelva a la página, revise lo que escribió y envíelo de nuevo.",
    back: "Volver a la página",
    yes: "Sí",
    signInTitle: "Entrar",
    signInText: "Enviamos un código a su correo.",
    email: "Correo electrónico",
    sendCode: "Recibir el código",
    codeTitle: "Escriba el código",
    codeText: (email) => `Si se puede escribir a ${email}, el código llega en un momento. Vale por 15 minutos.`,
    code: "Código",
    enter: "Entrar",
    wrongCode: "El código no es correcto o ya no vale. Pida otro si hace falta.",
    wrongEmail: "Escriba una dirección de correo, como nombre@empresa.com.",
    codeSubject: (site) => `Su código para ${site}`,
    codeMail: (site, code) =>
      `Hola:\n\nsu código para entrar en ${site} es ${code}. Vale por 15 minutos.\n\nSi no lo pidió, ignore este mensaje.`,
    signedInTitle: "Ya entró",
    signedInText: (email) => `Entró como ${email}.`,
    leave: "Salir"
  }
}
