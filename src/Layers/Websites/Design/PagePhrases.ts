/** Phrases of the pages' standard parts, which do not come from the site's material. */
export interface PagePhrases {
  readonly skip: string
  readonly menu: string
  readonly navigation: string
  readonly phone: string
  readonly email: string
  readonly address: string
  readonly route: string
  readonly writeOn: (network: string) => string
  readonly hours: string
  readonly links: string
  readonly required: string
  readonly optional: string
  readonly choose: string
  readonly correct: string
  readonly onlyPublished: string
  readonly privacy: string
  readonly report: string
  readonly contact: string
  readonly consent: string
  readonly marketing: string
  readonly leaveEmpty: string
  readonly noRecords: string
  readonly signInToSee: string
  readonly signIn: string
  readonly signedInAs: string
  readonly signOut: string
  readonly trackingAsk: string
  readonly accept: string
  readonly reject: string
}

const en: PagePhrases = {
  skip: "Skip to content",
  menu: "Menu",
  navigation: "Main navigation",
  phone: "Phone",
  email: "E-mail",
  address: "Address",
  route: "Get directions",
  writeOn: (network) => `Write to us on ${network}`,
  hours: "Opening hours",
  links: "Links",
  required: "required",
  optional: "optional",
  choose: "Choose an option",
  correct: "Please check the marked fields.",
  onlyPublished: "This form works on the published site.",
  privacy: "Privacy",
  report: "Report this site",
  contact: "Contact",
  consent: "I agree that my data is used to answer me, as the privacy notice describes.",
  marketing: "I would also like to receive news and offers. I can stop them at any time.",
  leaveEmpty: "Leave this field empty",
  noRecords: "There is nothing here yet.",
  signInToSee: "Sign in with your e-mail address to see your records.",
  signIn: "Send me a code",
  signedInAs: "Signed in as",
  signOut: "Sign out",
  trackingAsk: "May we measure visits with cookies of other services?",
  accept: "Accept",
  reject: "Reject"
}

const pt: PagePhrases = {
  skip: "Ir para o conteúdo",
  menu: "Menu",
  navigation: "Navegação principal",
  phone: "Telefone",
  email: "E-mail",
  address: "Endereço",
  route: "Como chegar",
  writeOn: (network) => `Fale conosco pelo ${network}`,
  hours: "Horário de atendimento",
  links: "Links",
  required: "obrigatório",
  optional: "opcional",
  choose: "Escolha uma opção",
  correct: "Confira os campos marcados.",
  onlyPublished: "Este formulário funciona no site publicado.",
  privacy: "Privacidade",
  report: "Denunciar este site",
  contact: "Contato",
  consent: "Concordo com o uso dos meus dados para que me respondam, como descreve o aviso de privacidade.",
  marketing: "Quero receber também novidades e ofertas. Posso cancelar quando quiser.",
  leaveEmpty: "Deixe este campo vazio",
  noRecords: "Ainda não há nada aqui.",
  signInToSee: "Entre com o seu e-mail para ver os seus registros.",
  signIn: "Receber o código",
  signedInAs: "Você entrou como",
  signOut: "Sair",
  trackingAsk: "Podemos medir as visitas com cookies de outros serviços?",
  accept: "Aceitar",
  reject: "Recusar"
}

const es: PagePhrases = {
  skip: "Ir al contenido",
  menu: "Menú",
  navigation: "Navegación principal",
  phone: "Teléfono",
  email: "Correo",
  address: "Dirección",
  route: "Cómo llegar",
  writeOn: (network) => `Escríbanos por ${network}`,
  hours: "Horario de atención",
  links: "Enlaces",
  required: "obligatorio",
  optional: "opcional",
  choose: "Elija una opción",
  correct: "Revise los campos marcados.",
  onlyPublished: "Este formulario funciona en el sitio publicado.",
  privacy: "Privacidad",
  report: "Denunciar este sitio",
  contact: "Contacto",
  consent: "Acepto que se usen mis datos para responderme, como describe el aviso de privacidad.",
  marketing: "También quiero recibir novedades y ofertas. Puedo cancelarlas cuando quiera.",
  leaveEmpty: "Deje este campo vacío",
  noRecords: "Todavía no hay nada aquí.",
  signInToSee: "Ingrese con su correo para ver sus registros.",
  signIn: "Recibir el código",
  signedInAs: "Ingresó como",
  signOut: "Salir",
  trackingAsk: "¿Podemos medir las visitas con cookies de otros servicios?",
  accept: "Aceptar",
  reject: "Rechazar"
}

const fr: PagePhrases = {
  skip: "Aller au contenu",
  menu: "Menu",
  navigation: "Navigation principale",
  phone: "Téléphone",
  email: "E-mail",
  address: "Adresse",
  route: "Itinéraire",
  writeOn: (network) => `Écrivez-nous sur ${network}`,
  hours: "Horaires",
  links: "Liens",
  required: "obligatoire",
  optional: "facultatif",
  choose: "Choisissez une option",
  correct: "Vérifiez les champs marqués.",
  onlyPublished: "Ce formulaire fonctionne sur le site publié.",
  privacy: "Confidentialité",
  report: "Signaler ce site",
  contact: "Contact",
  consent:
    "J’accepte que mes données soient utilisées pour me répondre, comme le décrit la politique de confidentialité.",
  marketing: "Je souhaite aussi recevoir des nouvelles et des offres. Je peux les arrêter à tout moment.",
  leaveEmpty: "Laissez ce champ vide",
  noRecords: "Il n’y a encore rien ici.",
  signInToSee: "Connectez-vous avec votre e-mail pour voir vos données.",
  signIn: "Recevoir le code",
  signedInAs: "Connecté en tant que",
  signOut: "Se déconnecter",
  trackingAsk: "Pouvons-nous mesurer les visites avec des cookies d’autres services ?",
  accept: "Accepter",
  reject: "Refuser"
}

const de: PagePhrases = {
  skip: "Zum Inhalt",
  menu: "Menü",
  navigation: "Hauptnavigation",
  phone: "Telefon",
  email: "E-Mail",
  address: "Adresse",
  route: "Route planen",
  writeOn: (network) => `Schreiben Sie uns auf ${network}`,
  hours: "Öffnungszeiten",
  links: "Links",
  required: "Pflichtfeld",
  optional: "freiwillig",
  choose: "Bitte wählen",
  correct: "Bitte prüfen Sie die markierten Felder.",
  onlyPublished: "Dieses Formular funktioniert auf der veröffentlichten Website.",
  privacy: "Datenschutz",
  report: "Diese Website melden",
  contact: "Kontakt",
  consent: "Ich stimme zu, dass meine Daten für die Antwort verwendet werden, wie der Datenschutzhinweis beschreibt.",
  marketing: "Ich möchte auch Neuigkeiten und Angebote erhalten. Ich kann sie jederzeit abbestellen.",
  leaveEmpty: "Dieses Feld leer lassen",
  noRecords: "Hier gibt es noch nichts.",
  signInToSee: "Melden Sie sich mit Ihrer E-Mail-Adresse an, um Ihre Einträge zu sehen.",
  signIn: "Code senden",
  signedInAs: "Angemeldet als",
  signOut: "Abmelden",
  trackingAsk: "Dürfen wir Besuche mit Cookies anderer Dienste messen?",
  accept: "Zustimmen",
  reject: "Ablehnen"
}

const it: PagePhrases = {
  skip: "Vai al contenuto",
  menu: "Menu",
  navigation: "Navigazione principale",
  phone: "Telefono",
  email: "E-mail",
  address: "Indirizzo",
  route: "Indicazioni stradali",
  writeOn: (network) => `Scrivici su ${network}`,
  hours: "Orari",
  links: "Link",
  required: "obbligatorio",
  optional: "facoltativo",
  choose: "Scelga un’opzione",
  correct: "Controlli i campi evidenziati.",
  onlyPublished: "Questo modulo funziona sul sito pubblicato.",
  privacy: "Privacy",
  report: "Segnala questo sito",
  contact: "Contatti",
  consent: "Accetto che i miei dati siano usati per rispondermi, come descrive l’informativa sulla privacy.",
  marketing: "Desidero ricevere anche novità e offerte. Posso interromperle in qualsiasi momento.",
  leaveEmpty: "Lasci vuoto questo campo",
  noRecords: "Qui non c’è ancora nulla.",
  signInToSee: "Acceda con il suo indirizzo e-mail per vedere i suoi dati.",
  signIn: "Invia il codice",
  signedInAs: "Accesso come",
  signOut: "Esci",
  trackingAsk: "Possiamo misurare le visite con cookie di altri servizi?",
  accept: "Accetta",
  reject: "Rifiuta"
}

const byLanguage: { readonly [language: string]: PagePhrases } = { en, pt, es, fr, de, it }

/** Returns the phrases for a language such as `pt-br`, or the English ones if there are none. */
export const pagePhrases = (language: string): PagePhrases => byLanguage[language.slice(0, 2)] ?? en

/** The version of the consent's wording in all languages. It is stored with each consent. */
export const consentVersion = "2026-11-22"
