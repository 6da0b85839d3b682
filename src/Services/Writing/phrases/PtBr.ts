import type { Phrasebook, SentenceParts } from "../Phrasebook.ts"

const masculine =
  /^(?:grupo|instituto|hospital|escrit[óo]rio|banco|laborat[óo]rio|est[úu]dio|studio|ateli[êe]|centro|hotel|col[ée]gio|clube|sindicato|servi[çc]o|pet ?shop|sal[ãa]o|restaurante|supermercado|mercado|caf[ée]|bar|espa[çc]o|consult[óo]rio|posto|armaz[ée]m|emp[óo]rio|dep[óo]sito|shopping|spa|buffet|condom[íi]nio)(?=\s|$)/i
/** "da Acme", "do Grupo Acme". */
const of = (name: string): string => `${masculine.test(name) ? "do" : "da"} ${name}`
/** "a Acme", "o Grupo Acme". */
const the = (name: string): string => `${masculine.test(name) ? "o" : "a"} ${name}`
const at = (name: string): string => `${masculine.test(name) ? "no" : "na"} ${name}`

const who = ({ business, sender }: SentenceParts): string =>
  sender === undefined ? `Aqui é a equipe ${of(business)}.` : `Aqui é ${sender}, ${of(business)}.`

/** Who calls, as one says it on the telephone. */
const calling = ({ business, sender }: SentenceParts): string =>
  sender === undefined ? `Aqui é ${of(business)}.` : `Aqui é ${sender}, ${of(business)}.`

const theirs = ({ company }: SentenceParts, otherwise: string): string =>
  company === undefined ? otherwise : at(company)

const duration = (minutes: number | undefined, otherwise: string): string =>
  minutes === undefined ? otherwise : `de ${minutes} minutos`

const quoted = (questions: ReadonlyArray<string>): string =>
  new Intl.ListFormat("pt-BR", { type: "conjunction" }).format(questions.map((question) => `"${question}"`))

export const ptBr: Phrasebook = {
  greeting: ({ first, gender, isFormal }) =>
    isFormal
      ? first === undefined
        ? "Prezados,"
        : `${gender === undefined ? "Olá," : gender === "feminine" ? "Prezada" : "Prezado"} ${first},`
      : first === undefined
        ? "Olá,"
        : `Olá, ${first},`,
  chatGreeting: ({ first, isFormal }) => (first === undefined ? "Olá!" : isFormal ? `Olá, ${first}.` : `Oi, ${first}!`),
  firstSubjects: (parts) => [
    parts.company === undefined ? `Uma ideia ${of(parts.business)}` : `Uma ideia para ${parts.company}`,
    parts.company === undefined ? `${parts.business}: podemos conversar?` : `${parts.business} e ${parts.company}`,
    parts.first === undefined ? `Contato ${of(parts.business)}` : `${parts.first}, uma pergunta rápida`
  ],
  laterSubjects: (parts) => [
    `Retomando o contato ${of(parts.business)}`,
    `${parts.business}: retomando nossa conversa`
  ],
  introductions: (parts) => [
    `${who(parts)} Estou entrando em contato porque acredito que podemos ajudar ${parts.company === undefined ? "a sua empresa" : `a equipe ${of(parts.company)}`}.`,
    `${who(parts)} Escrevo para me apresentar e entender se o que fazemos faz sentido ${theirs(parts, "para vocês")}.`,
    `Tudo bem? ${who(parts)} Quis entrar em contato porque talvez possamos ser úteis ${theirs(parts, "para a sua equipe")}.`
  ],
  shortIntroduction: who,
  referredBy: (name) => `${name} me indicou o seu contato.`,
  capturedOn: (page) => `Agradeço por deixar o seu contato na nossa página “${page}”.`,
  descriptionLabel: "O que fazemos:",
  ownSentence:
    /^(?:n[óo]s|somos|ajudamos|oferecemos|fazemos|desenvolvemos|criamos|atuamos|trabalhamos|entregamos|vendemos|fornecemos|cuidamos|apoiamos|conectamos|reduzimos|temos|a gente|nossa|nosso)\b/i,
  relevance: (parts) => [
    `Gostaria de entender como vocês lidam com isso hoje${parts.company === undefined ? "" : ` ${at(parts.company)}`}.`,
    `Imagino que o tema faça parte do dia a dia ${parts.company === undefined ? "da sua equipe" : of(parts.company)}, e por isso escrevo.`,
    "Se não for um assunto seu, agradeço se puder me dizer com quem falar."
  ],
  asks: {
    talk: (minutes) => [
      `Podemos conversar ${duration(minutes, "rapidamente")} nesta semana?`,
      "Faz sentido conversarmos? Se sim, qual o melhor dia para você?",
      "Posso te contar mais em uma conversa rápida?"
    ],
    meeting: (minutes) => [
      `Podemos marcar uma reunião ${duration(minutes, "rápida")}? Que dia e horário ficam bons para você?`,
      `Você teria espaço na agenda para uma reunião ${duration(minutes, "breve")} nos próximos dias?`,
      `Que tal uma reunião ${duration(minutes, "curta")} para eu entender o seu cenário?`
    ],
    demo: (minutes) => [
      `Posso te mostrar como funciona em uma demonstração ${duration(minutes, "rápida")}? Que dia fica bom?`,
      `Que tal uma demonstração ${duration(minutes, "breve")} para você avaliar na prática?`,
      `Você teria um horário para uma demonstração ${duration(minutes, "curta")} nesta semana ou na próxima?`
    ],
    visit: () => [
      "Podemos agendar uma visita? Diga-me qual o melhor dia para você.",
      "Que tal uma visita para conversarmos pessoalmente? Qual dia fica bom?",
      "Posso fazer uma visita em um dia que seja bom para vocês?"
    ],
    proposal: () => [
      "Posso preparar uma proposta para vocês? Preciso apenas de alguns detalhes do seu cenário.",
      "Faz sentido eu montar uma proposta sob medida? Me conte um pouco do que vocês precisam.",
      "Se quiser, preparo um orçamento sem compromisso. O que seria importante incluir?"
    ],
    trial: () => [
      "Quer experimentar? Posso liberar um teste para a sua equipe.",
      "Que tal fazer um teste para avaliar na prática?",
      "Posso te ajudar a começar um teste. Faz sentido?"
    ]
  },
  links: {
    website: (url) => `Mais sobre nós: ${url}`,
    scheduling: (url) => `Se preferir, escolha um horário aqui: ${url}`,
    presentation: (url) => `Preparei uma apresentação: ${url}`,
    file: (url) => `Deixo aqui um material sobre o assunto: ${url}`
  },
  followUps: [
    () => [
      "Passando para saber se você conseguiu ver a minha mensagem anterior.",
      "Retomo a minha mensagem anterior, que pode ter se perdido entre tantas outras."
    ],
    (parts) => [
      `Volto ao assunto com o essencial sobre ${the(parts.business)}, para facilitar a sua avaliação.`,
      `Para ser direto, resumo em poucas palavras por que escrevi em nome ${of(parts.business)}.`
    ],
    (parts) => [
      `Talvez eu não esteja falando com a pessoa certa. Quem cuida desse tema ${theirs(parts, "na sua empresa")}?`,
      `Pode ser que esse assunto seja de outra pessoa ${theirs(parts, "na sua equipe")}. Você poderia me indicar com quem falar?`
    ],
    () => [
      "Posso te enviar mais informações por aqui mesmo, para você ver quando puder.",
      "Se ajudar, envio um resumo por escrito, sem compromisso de reunião."
    ],
    () => [
      "Imagino que a rotina esteja corrida. Há um momento melhor para retomarmos?",
      "Se agora não for uma boa hora, me diga quando seria, e volto a escrever só então."
    ]
  ],
  followUpsAfterReply: [
    () => [
      "Retomo a nossa conversa. Você conseguiu pensar no assunto?",
      "Volto ao que você escreveu. Ficou alguma dúvida que eu possa esclarecer?"
    ],
    (parts) => [
      `Resumo o que mais importa sobre ${the(parts.business)}, para facilitar a sua decisão.`,
      `Para ajudar na avaliação, deixo o essencial sobre ${the(parts.business)}.`
    ],
    (parts) => [
      `Há mais alguém ${theirs(parts, "na sua empresa")} que deveria participar desta conversa?`,
      "Ajudaria se eu falasse também com outra pessoa do seu lado?"
    ],
    () => [
      "Se um resumo por escrito ajudar, envio por aqui mesmo.",
      "Se for mais fácil, podemos resolver por escrito os pontos em aberto, sem reunião."
    ],
    () => [
      "Imagino que a rotina esteja corrida. Há um momento melhor para continuarmos a nossa conversa?",
      "Se agora não for uma boa hora para continuarmos, me diga quando seria, e volto a escrever só então."
    ]
  ],
  lastFollowUpAfterReply: (parts) => [
    "Agradeço a nossa troca até aqui. Não quero ser insistente, então esta é a minha última mensagem sobre o assunto: quando fizer sentido, basta responder por aqui.",
    `Encerro a nossa conversa por enquanto. Se o tema ${of(parts.business)} voltar à pauta, é só responder a esta mensagem.`
  ],
  lastFollowUp: (parts) => [
    `Como não tive retorno, esta é a minha última mensagem sobre o assunto. Se um dia fizer sentido, será um prazer conversar: basta responder por aqui.`,
    `Não quero ser insistente, então encerro por aqui. Se o tema ${of(parts.business)} voltar à pauta, é só responder a esta mensagem.`
  ],
  responses: {
    interested: () => [
      "Que bom saber do seu interesse! O próximo passo é simples.",
      "Fico feliz com o seu interesse. Vamos em frente."
    ],
    not_interested: () => [
      "Agradeço por responder com franqueza. Respeito a sua decisão e não vou insistir.",
      "Agradeço o retorno. Entendo perfeitamente e fico à disposição caso algo mude."
    ],
    wrong_person: (parts) => [
      `Agradeço por avisar, e desculpe o engano. Você saberia me dizer quem cuida desse assunto ${theirs(parts, "na empresa")}?`,
      "Agradeço o aviso. Se puder me indicar a pessoa certa, falo diretamente com ela."
    ],
    gatekeeper: (parts) => [
      `Agradeço a atenção. Em resumo: falo em nome ${of(parts.business)} e gostaria de apresentar a nossa solução a quem cuida do assunto. Poderia me orientar sobre a melhor forma?`,
      `Agradeço a ajuda. O assunto é uma apresentação ${of(parts.business)}. Qual seria o melhor caminho para falar com a pessoa responsável?`
    ],
    other: () => ["Que bom receber a sua mensagem!", "Agradeço o retorno!"]
  },
  deliberation: () => [
    "Claro, converse com calma com o seu pessoal. Se surgir qualquer ponto, é só me escrever por aqui.",
    "Faz todo sentido conversar antes internamente. Se surgirem dúvidas, respondo por aqui com prazer."
  ],
  awaitingWord: [
    "Claro, veja com calma. Se surgir alguma dúvida, é só me escrever por aqui.",
    "Combinado, fico no aguardo. Se eu puder esclarecer algum ponto, é só dizer."
  ],
  details: ["Claro, o mais importante é isto:", "Com prazer, seguem os detalhes:"],
  detailsToCome: [
    "Com prazer! Vou consultar a equipe sobre os detalhes e envio por aqui.",
    "Claro! Vou confirmar os detalhes com a equipe e volto a você com essa informação."
  ],
  detailsRelay: "Você tinha pedido mais detalhes. Aqui estão:",
  softRefusals: {
    price: () =>
      "Agradeço a franqueza sobre o valor. Entendo, e não vou insistir; se o cenário mudar, fico à disposição.",
    timing: () => "Entendo que agora não é o momento. Agradeço por avisar; se um dia fizer sentido, é só me escrever.",
    has_supplier: () =>
      "Faz todo sentido manter o que já funciona. Agradeço a resposta; se um dia quiser comparar, fico à disposição."
  },
  thanksForReferral: (name) =>
    name === undefined
      ? "Agradeço muito a indicação! Vou procurar a pessoa."
      : `Agradeço muito a indicação! Vou falar com ${name}.`,
  askForContact: (name) =>
    name === undefined
      ? "Agradeço muito a indicação! Você teria o e-mail ou o telefone da pessoa?"
      : `Agradeço muito a indicação! Você teria o e-mail ou o telefone de ${name}?`,
  knownAnswer: "Boa pergunta! A resposta é esta:",
  knownAnswers: (isComplete) => (isComplete ? "Vamos às suas perguntas:" : "Já posso responder uma parte:"),
  unknownAnswer: [
    "Boa pergunta! Vou confirmar essa informação com a equipe e te respondo em seguida, para não passar nada impreciso.",
    "Agradeço a pergunta. Prefiro confirmar internamente antes de responder e volto a você com a informação correta."
  ],
  unknownAnswers: (questions) =>
    questions.length === 0
      ? "O restante vou confirmar com a equipe e te respondo em seguida."
      : `Sobre ${quoted(questions)}, vou confirmar com a equipe e te respondo em seguida.`,
  timeWanted: (day) =>
    day === undefined
      ? [
          "Vamos marcar, sim! Qual dia e horário ficam bons para você?",
          "Ótimo, vamos conversar! Me diga um dia e um horário."
        ]
      : [
          `Ótimo, esse dia (${day}) pode ser. Que horário fica bom para você?`,
          `Perfeito, podemos conversar nesse dia: ${day}. A que horas fica bom para você?`
        ],
  timeTaken: (when) => [
    `Agradeço a sugestão! Infelizmente não tenho esse horário livre (${when}). Que outro dia e horário ficam bons para você?`,
    `Agradeço a proposta, mas nesse horário (${when}) não consigo. Pode me sugerir outro dia e horário?`
  ],
  freeTimes: (times) => [
    `Do meu lado estes horários estão livres: ${times}. Algum deles fica bom para você?`,
    `Consigo ${times}. Qual fica melhor para você?`
  ],
  meetingCalledOff: [
    "Sem problema, e agradeço por avisar: a nossa conversa está cancelada. Que outro dia e horário ficam bons para você?",
    "Agradeço por avisar, já cancelei a nossa conversa. Se quiser remarcar, me diga um dia e um horário."
  ],
  comeBack: [
    "Você tinha pedido para retomarmos mais adiante, e volto a escrever.",
    "Como você pediu, retomo agora o nosso contato."
  ],
  reEngagementAbout: (topic) => `Volto a escrever para retomar a nossa conversa sobre ${topic}.`,
  reEngagement: (parts) => [
    `Volto a escrever porque quis retomar o contato ${parts.company === undefined ? "com você" : `com vocês ${at(parts.company)}`}.`,
    "Escrevo de novo porque acho que vale a pena retomar a conversa."
  ],
  holdingLines: {
    answer: "Recebi a sua mensagem e já a encaminhei à equipe. Alguém da equipe responde a você por aqui.",
    person: "Claro! Já passei a conversa para a equipe: uma pessoa responde a você por aqui.",
    call: "Claro! Já avisei a equipe que você quer receber uma ligação. Alguém entra em contato com você."
  },
  answerRelay: (question) => [
    `Você tinha perguntado: "${question}". Já tenho a resposta:`,
    `Voltando à sua pergunta ("${question}"), confirmei com a equipe:`
  ],
  answerRelayUnquoted: "Sobre a pergunta que você fez, já tenho a resposta:",
  meetingBooked: (when) => `Nossa conversa está marcada para ${when}.`,
  meetingMoved: (when) => `Nossa conversa foi remarcada para ${when}.`,
  meetingReminder: (when) => `Passando para lembrar da nossa conversa: ${when}.`,
  meetingCancelled: (when) => [
    `Precisamos cancelar a conversa que estava marcada para ${when}, e peço desculpas pelo transtorno.`,
    `Infelizmente a nossa conversa de ${when} não poderá acontecer. Desculpe pelo imprevisto.`
  ],
  meetingNoShow: (when) => [
    `Não conseguimos nos encontrar em ${when}, e imagino que tenha surgido um imprevisto.`,
    `Senti a sua falta na conversa de ${when}. Espero que esteja tudo bem.`
  ],
  rescheduleOffer: "Podemos remarcar? Diga-me um dia e um horário que fiquem bons para você.",
  meetingSubjects: {
    meeting_booked: (parts) => `Conversa marcada com ${the(parts.business)}`,
    meeting_reminder: (parts) => `Lembrete: conversa com ${the(parts.business)}`,
    meeting_cancelled: (parts) => `Nossa conversa com ${the(parts.business)}: remarcação`,
    meeting_no_show: (parts) => `Vamos remarcar? ${parts.business}`
  },
  voice: {
    openingLine: (parts) =>
      parts.first === undefined
        ? `Olá, tudo bem? ${calling(parts)} Com quem eu falo?`
        : `Olá, tudo bem? ${calling(parts)} Eu falo com ${parts.first}?`,
    goal: (parts, aim) =>
      `Falar com ${parts.first ?? "a pessoa responsável"}${parts.company === undefined ? "" : `, ${of(parts.company)},`} em nome ${of(parts.business)} e ${aim}.`,
    aims: {
      talk: "entender se há interesse em uma conversa",
      meeting: "combinar dia e horário de uma reunião",
      demo: "combinar dia e horário de uma demonstração",
      visit: "combinar o dia de uma visita",
      proposal: "entender o que é preciso para preparar uma proposta",
      trial: "oferecer um teste"
    },
    askedForCall: "A pessoa pediu esta ligação. Agradecer o pedido e responder ao que ela quiser saber.",
    respect:
      "Se a pessoa pedir para não receber mais contatos, agradecer, encerrar e registrar o pedido. Não inventar preços, prazos nem condições.",
    context: (text) => `Contexto: ${text}`,
    link: (url) => `Página que pode ser indicada: ${url}`
  }
}
