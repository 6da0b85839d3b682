import type { Phrasebook, SentenceParts } from "../Phrasebook.ts"

const who = ({ business, sender }: SentenceParts): string =>
  sender === undefined ? `Le escribe el equipo de ${business}.` : `Soy ${sender}, de ${business}.`

/** Who calls, as one says it on the telephone. */
const calling = ({ business, sender }: SentenceParts): string =>
  sender === undefined ? `Le llamo de ${business}.` : `Le habla ${sender}, de ${business}.`

const inTheirs = ({ company }: SentenceParts, otherwise: string): string =>
  company === undefined ? otherwise : `en ${company}`

const of = (minutes: number | undefined, otherwise: string): string =>
  minutes === undefined ? otherwise : `de ${minutes} minutos`

const quoted = (questions: ReadonlyArray<string>): string =>
  new Intl.ListFormat("es", { type: "conjunction" }).format(questions.map((question) => `"${question}"`))

export const spanish: Phrasebook = {
  greeting: ({ first, gender, isFormal }) =>
    isFormal
      ? first === undefined
        ? "Estimados señores:"
        : `${gender === undefined ? "Buen día," : gender === "feminine" ? "Estimada" : "Estimado"} ${first}:`
      : first === undefined
        ? "Hola:"
        : `Hola, ${first}:`,
  chatGreeting: ({ first }) => (first === undefined ? "¡Hola!" : `¡Hola, ${first}!`),
  firstSubjects: (parts) => [
    parts.company === undefined ? `Una idea de ${parts.business}` : `Una idea para ${parts.company}`,
    parts.company === undefined ? `${parts.business}: ¿podemos conversar?` : `${parts.business} y ${parts.company}`,
    parts.first === undefined ? `Saludos de ${parts.business}` : `${parts.first}, una pregunta rápida`
  ],
  laterSubjects: (parts) => [
    `Retomando el contacto de ${parts.business}`,
    `${parts.business}: retomando nuestra conversación`
  ],
  introductions: (parts) => [
    `${who(parts)} Me pongo en contacto porque creo que podemos ayudar ${parts.company === undefined ? "a su empresa" : `al equipo de ${parts.company}`}.`,
    `${who(parts)} Quisiera presentarme y saber si lo que hacemos puede ser útil ${inTheirs(parts, "para ustedes")}.`,
    `Espero que se encuentre bien. ${who(parts)} Quise escribirle porque quizás podamos ser útiles ${inTheirs(parts, "para su equipo")}.`
  ],
  shortIntroduction: who,
  referredBy: (name) => `${name} me sugirió que le escribiera.`,
  capturedOn: (page) => `Gracias por dejar su contacto en nuestra página “${page}”.`,
  descriptionLabel: "Lo que hacemos:",
  ownSentence:
    /^(?:nosotros|somos|ayudamos|ofrecemos|hacemos|desarrollamos|creamos|trabajamos|entregamos|vendemos|proveemos|apoyamos|conectamos|tenemos|nuestra|nuestro)\b/i,
  relevance: (parts) => [
    `Me gustaría entender cómo manejan este tema hoy${parts.company === undefined ? "" : ` en ${parts.company}`}.`,
    `Imagino que el tema forma parte del día a día ${parts.company === undefined ? "de su equipo" : `de ${parts.company}`}, y por eso le escribo.`,
    "Si no es un asunto suyo, le agradecería que me dijera con quién hablar."
  ],
  asks: {
    talk: (minutes) => [
      `¿Podríamos tener una conversación ${of(minutes, "breve")} esta semana?`,
      "¿Tendría sentido que conversáramos? Si es así, ¿qué día le viene mejor?",
      `¿Puedo contarle más en una conversación ${of(minutes, "corta")}?`
    ],
    meeting: (minutes) => [
      `¿Podemos agendar una reunión ${of(minutes, "breve")}? ¿Qué día y hora le vienen bien?`,
      `¿Tendría espacio para una reunión ${of(minutes, "corta")} en los próximos días?`,
      `¿Qué le parece una reunión ${of(minutes, "rápida")} para entender su situación?`
    ],
    demo: (minutes) => [
      `¿Puedo mostrarle cómo funciona en una demostración ${of(minutes, "breve")}? ¿Qué día le viene bien?`,
      `¿Qué le parece una demostración ${of(minutes, "corta")} para que lo evalúe en la práctica?`,
      `¿Tendría tiempo para una demostración ${of(minutes, "rápida")} esta semana o la próxima?`
    ],
    visit: () => [
      "¿Podemos agendar una visita? Dígame qué día le viene mejor.",
      "¿Qué le parece si nos vemos en persona? ¿Qué día le viene bien?",
      "¿Puedo visitarles un día que les resulte cómodo?"
    ],
    proposal: () => [
      "¿Puedo prepararles una propuesta? Solo necesito algunos detalles de su situación.",
      "¿Les sería útil una propuesta a medida? Cuénteme un poco lo que necesitan.",
      "Si lo desea, preparo una cotización sin compromiso. ¿Qué debería incluir?"
    ],
    trial: () => [
      "¿Le gustaría probarlo? Puedo habilitar una prueba para su equipo.",
      "¿Qué le parece una prueba para evaluarlo en la práctica?",
      "Puedo ayudarle a empezar una prueba. ¿Tendría sentido?"
    ]
  },
  links: {
    website: (url) => `Más sobre nosotros: ${url}`,
    scheduling: (url) => `Si lo prefiere, elija un horario aquí: ${url}`,
    presentation: (url) => `Preparé una presentación: ${url}`,
    file: (url) => `Le dejo un material sobre el tema: ${url}`
  },
  followUps: [
    () => [
      "Quería saber si pudo ver mi mensaje anterior.",
      "Retomo mi mensaje anterior, que quizás se perdió entre tantos otros."
    ],
    (parts) => [
      `Vuelvo al tema con lo esencial sobre ${parts.business}, para que le sea más fácil evaluarlo.`,
      `Para ser breve, resumo en pocas palabras por qué le escribí en nombre de ${parts.business}.`
    ],
    (parts) => [
      `Quizás no estoy hablando con la persona indicada. ¿Quién se encarga de este tema ${inTheirs(parts, "en su empresa")}?`,
      `Puede que este asunto sea de otra persona ${inTheirs(parts, "de su equipo")}. ¿Podría decirme con quién hablar?`
    ],
    () => [
      "Puedo enviarle más información por este mismo medio, para que la vea cuando pueda.",
      "Si le ayuda, le mando un resumen por escrito, sin necesidad de una reunión."
    ],
    () => [
      "Imagino que está con mucho trabajo. ¿Hay un mejor momento para retomarlo?",
      "Si ahora no es un buen momento, dígame cuándo lo sería, y solo entonces volveré a escribirle."
    ]
  ],
  followUpsAfterReply: [
    () => [
      "Retomo nuestra conversación. ¿Ha podido pensarlo?",
      "Vuelvo a lo que me escribió. ¿Le quedó alguna duda que yo pueda aclarar?"
    ],
    (parts) => [
      `Resumo lo que más importa sobre ${parts.business}, para que le sea más fácil decidir.`,
      `Para ayudarle a evaluarlo, le dejo lo esencial sobre ${parts.business}.`
    ],
    (parts) => [
      `¿Hay alguien más ${inTheirs(parts, "en su empresa")} que debería participar en esta conversación?`,
      "¿Ayudaría que hablara también con otra persona de su lado?"
    ],
    () => [
      "Si un resumen por escrito le ayuda, se lo envío por este mismo medio.",
      "Si le resulta más fácil, podemos resolver por escrito los puntos pendientes, sin necesidad de una reunión."
    ],
    () => [
      "Imagino que está con mucho trabajo. ¿Hay un mejor momento para seguir con nuestra conversación?",
      "Si ahora no es un buen momento para seguir, dígame cuándo lo sería, y solo entonces volveré a escribirle."
    ]
  ],
  lastFollowUpAfterReply: (parts) => [
    "Gracias por nuestro intercambio hasta aquí. No quiero insistir, así que este es mi último mensaje sobre el tema: cuando tenga sentido, basta con responder aquí.",
    `Dejo nuestra conversación aquí por ahora. Si ${parts.business} vuelve a ser de su interés, solo responda a este mensaje.`
  ],
  lastFollowUp: (parts) => [
    "Como no tuve respuesta, este es mi último mensaje sobre el tema. Si algún día tiene sentido, será un gusto conversar: basta con responder aquí.",
    `No quiero insistir, así que lo dejo aquí. Si ${parts.business} llega a ser de su interés, solo responda a este mensaje.`
  ],
  responses: {
    interested: () => [
      "¡Qué bueno saber de su interés! El siguiente paso es sencillo.",
      "Me alegra que le interese. Sigamos adelante."
    ],
    not_interested: () => [
      "Gracias por responder con franqueza. Respeto su decisión y no voy a insistir.",
      "Le agradezco la respuesta. Lo entiendo, y quedo a su disposición si algo cambia."
    ],
    wrong_person: (parts) => [
      `Gracias por avisarme, y disculpe la confusión. ¿Sabría decirme quién se encarga de este tema ${inTheirs(parts, "en la empresa")}?`,
      "Le agradezco el aviso. Si puede indicarme la persona correcta, le escribo directamente."
    ],
    gatekeeper: (parts) => [
      `Gracias por su ayuda. En resumen: escribo en nombre de ${parts.business} y quisiera presentar lo que hacemos a quien se encarga del tema. ¿Cuál sería la mejor manera?`,
      `Le agradezco la ayuda. Se trata de una presentación de ${parts.business}. ¿Cuál es la mejor forma de contactar a la persona encargada?`
    ],
    other: () => ["¡Gracias por su mensaje!", "¡Gracias por su respuesta!"]
  },
  deliberation: () => [
    "Por supuesto, convérselo con calma con los suyos. Si surge algún punto, escríbame por aquí.",
    "Tiene sentido hablarlo antes internamente. Si surgen dudas, con gusto las respondo por aquí."
  ],
  awaitingWord: [
    "Por supuesto, véalo con calma. Si surge alguna duda, escríbame por aquí.",
    "De acuerdo, quedo a la espera de su respuesta. Si puedo aclarar algún punto, dígamelo."
  ],
  details: ["Claro, lo más importante es esto:", "Con gusto, estos son los detalles:"],
  detailsToCome: [
    "¡Con gusto! Voy a consultar los detalles con el equipo y se los envío por aquí.",
    "¡Claro! Voy a confirmar los detalles con el equipo y le respondo con esa información."
  ],
  detailsRelay: "Usted había pedido más detalles. Aquí están:",
  softRefusals: {
    price: () =>
      "Gracias por la franqueza sobre el precio. Lo entiendo y no voy a insistir; si la situación cambia, quedo a su disposición.",
    timing: () =>
      "Entiendo que ahora no es el momento. Gracias por avisar; si más adelante tiene sentido, basta con escribirme.",
    has_supplier: () =>
      "Tiene todo el sentido mantener lo que ya funciona. Gracias por responder; si algún día quiere comparar, quedo a su disposición."
  },
  thanksForReferral: (name) =>
    name === undefined
      ? "¡Muchas gracias por la indicación! Voy a contactar a esa persona."
      : `¡Muchas gracias por la indicación! Voy a hablar con ${name}.`,
  askForContact: (name) =>
    name === undefined
      ? "¡Muchas gracias por la recomendación! ¿Tendría el correo o el teléfono de la persona?"
      : `¡Muchas gracias por la recomendación! ¿Tendría el correo o el teléfono de ${name}?`,
  knownAnswer: "¡Buena pregunta! La respuesta es esta:",
  knownAnswers: (isComplete) => (isComplete ? "Vamos a sus preguntas:" : "Esto ya se lo puedo responder:"),
  unknownAnswer: [
    "¡Buena pregunta! Voy a confirmarlo con el equipo y le respondo enseguida, para no darle información imprecisa.",
    "Gracias por la pregunta. Prefiero confirmarlo internamente antes de responder y vuelvo con la información correcta."
  ],
  unknownAnswers: (questions) =>
    questions.length === 0
      ? "El resto voy a confirmarlo con el equipo y le respondo enseguida."
      : `En cuanto a ${quoted(questions)}, voy a confirmarlo con el equipo y le respondo enseguida.`,
  timeWanted: (day) =>
    day === undefined
      ? ["¡Claro, agendemos! ¿Qué día y hora le vienen bien?", "¡Perfecto, conversemos! Dígame un día y una hora."]
      : [
          `¡Perfecto! Ese día (${day}) es posible. ¿Qué hora le viene bien?`,
          `Muy bien, podemos conversar ese día: ${day}. ¿A qué hora le viene bien?`
        ],
  timeTaken: (when) => [
    `¡Gracias por la propuesta! Lamentablemente no tengo libre ese horario (${when}). ¿Qué otro día y hora le vienen bien?`,
    `Le agradezco la sugerencia, pero en ese horario (${when}) no puedo. ¿Me propone otro día y hora?`
  ],
  freeTimes: (times) => [
    `De mi lado estos horarios están libres: ${times}. ¿Le viene bien alguno?`,
    `Puedo ${times}. ¿Cuál le queda mejor?`
  ],
  meetingCalledOff: [
    "No hay problema, gracias por avisar: nuestra conversación queda cancelada. ¿Qué otro día y hora le vienen bien?",
    "Gracias por avisar, ya cancelé nuestra conversación. Si desea otra fecha, dígame un día y una hora."
  ],
  comeBack: [
    "Usted me había pedido retomar el contacto más adelante, y le vuelvo a escribir.",
    "Como me pidió, retomo ahora nuestro contacto."
  ],
  reEngagementAbout: (topic) => `Le escribo de nuevo para retomar nuestra conversación sobre ${topic}.`,
  reEngagement: (parts) => [
    `Le escribo de nuevo porque quise retomar el contacto ${parts.company === undefined ? "con usted" : `con ustedes en ${parts.company}`}.`,
    "Vuelvo a escribirle porque creo que vale la pena retomar la conversación."
  ],
  holdingLines: {
    answer: "Recibí su mensaje y ya lo pasé al equipo. Alguien del equipo le responderá por aquí.",
    person: "Claro. Ya pasé la conversación al equipo: una persona le responderá por aquí.",
    call: "Claro. Ya avisé al equipo de que desea recibir una llamada. Alguien se pondrá en contacto con usted."
  },
  answerRelay: (question) => [
    `Usted había preguntado: "${question}". Ya tengo la respuesta:`,
    `Volviendo a su pregunta ("${question}"), lo confirmé con el equipo:`
  ],
  answerRelayUnquoted: "Sobre la pregunta que nos hizo, ya tengo la respuesta:",
  meetingBooked: (when) => `Nuestra conversación quedó agendada para el ${when}.`,
  meetingMoved: (when) => `Nuestra conversación quedó reagendada para el ${when}.`,
  meetingReminder: (when) => `Le recuerdo nuestra conversación: ${when}.`,
  meetingCancelled: (when) => [
    `Tenemos que cancelar la conversación que estaba agendada para el ${when}, y le pido disculpas por el inconveniente.`,
    `Lamentablemente nuestra conversación del ${when} no podrá realizarse. Disculpe el imprevisto.`
  ],
  meetingNoShow: (when) => [
    `No logramos encontrarnos el ${when}, e imagino que surgió un imprevisto.`,
    `Le eché de menos en la conversación del ${when}. Espero que todo esté bien.`
  ],
  rescheduleOffer: "¿Podemos reagendar? Dígame un día y una hora que le vengan bien.",
  meetingSubjects: {
    meeting_booked: (parts) => `Conversación agendada con ${parts.business}`,
    meeting_reminder: (parts) => `Recordatorio: conversación con ${parts.business}`,
    meeting_cancelled: (parts) => `Nuestra conversación con ${parts.business}: nueva fecha`,
    meeting_no_show: (parts) => `¿Reagendamos? ${parts.business}`
  },
  voice: {
    openingLine: (parts) =>
      parts.first === undefined
        ? `Hola, ¿cómo está? ${calling(parts)} ¿Con quién hablo?`
        : `Hola, ¿cómo está? ${calling(parts)} ¿Hablo con ${parts.first}?`,
    goal: (parts, aim) =>
      `Hablar con ${parts.first ?? "la persona encargada"}${parts.company === undefined ? "" : `, de ${parts.company},`} en nombre de ${parts.business} y ${aim}.`,
    aims: {
      talk: "saber si hay interés en una conversación",
      meeting: "acordar día y hora para una reunión",
      demo: "acordar día y hora para una demostración",
      visit: "acordar el día de una visita",
      proposal: "saber qué se necesita para preparar una propuesta",
      trial: "ofrecer una prueba"
    },
    askedForCall: "La persona pidió esta llamada. Agradecérselo y responder a lo que quiera saber.",
    respect:
      "Si la persona pide que no se la contacte más, agradecer, terminar y registrar el pedido. No inventar precios, plazos ni condiciones.",
    context: (text) => `Contexto: ${text}`,
    link: (url) => `Página que se puede mencionar: ${url}`
  }
}
