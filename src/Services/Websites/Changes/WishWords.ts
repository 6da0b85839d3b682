/**
 * The words by which owners ask for changes, as data: folded, by what they mean, in Portuguese, English and Spanish. A word that
 * ends in `*` means all that begin like it.
 */
export interface WordList {
  readonly has: (word: string) => boolean
}

export const wordList = (text: string): WordList => {
  const words = text.trim().split(/\s+/)
  const exact = new Set(words.filter((word) => !word.endsWith("*")))
  const beginnings = words.filter((word) => word.endsWith("*")).map((word) => word.slice(0, -1))
  return { has: (word) => exact.has(word) || beginnings.some((start) => word.startsWith(start)) }
}

/** Words that join others and carry no wish. No negation is among them, and no word of extent such as "all" or "only". */
export const joining = wordList(
  "a o as os um uma uns umas de do da dos das em na nas nos ao aos pelo pela pelos pelas por para pra pro pros pras com e ou se seu sua " +
    "seus suas meu minha meus minhas nosso nossa nossos nossas este esta esse essa aquele aquela favor agora ja ser fica aqui ali la gente que " +
    "vamos ola oi obrigado obrigada entao bem ai tambem mesmo " +
    "the an of in on at to for from with by and or our your my its this that these those is are be was now also please i we you us me here there it " +
    "el los las un unas unos una del al en con y su sus mi mis nuestro nuestra nuestros nuestras ese esa es son ahora tambien lo le hola gracias como " +
    "site sitio website web"
)

/** What comes before the verb of a wish without being part of it. */
export const prefaces = wordList(
  "por favor please quero queria queremos gostaria gostariamos preciso precisamos de que voce voces vc can could you pode podem poderia poderiam podes " +
    "puedes puede podria podrias podrian quisiera quiero necesito necesitamos i i'd id we we'd want need would like to let's lets vamos da pra para tem como so just apenas " +
    "also tambem agora now ahora then depois e and y me nos ok oi ola hi hello hola bom boa dia tarde es favor eu yo too mas pero but porem ya ja solo solamente only " +
    "somente simply gostava acho melhor better maybe team gente pessoal hey there kindly go ahead"
)

export type Act = "remove" | "add" | "change" | "set" | "move" | "raise" | "lower" | "swap"

/** What verbs ask for. A verb of several acts is tried as each of them, in this order. */
export const verbs: ReadonlyArray<readonly [Act, WordList]> = [
  [
    "remove",
    wordList(
      "remov* tir* retir* apag* exclu* delet* elimin* remove take drop delete hide cut lose scrap strip ditch get erase kill omit quit* borr* saca* sacar saque suprim* oculta* cort* escond* esconda some"
    )
  ],
  [
    "swap",
    wordList(
      "inverta inverte inverter swap switch invierte invertir intercambi* troque troca trocar cambia reorder flip"
    )
  ],
  ["raise", wordList("aument* sub* raise increase up sube subi* increment* bump")],
  ["lower", wordList("baix* lower reduce decrease cut baja bajar bajen reduz* redu* diminu*")],
  [
    "move",
    wordList(
      "mov* move muev* suba sube desca baja put place bring coloc* coloqu* pon pone ponga poner poe ponha bota* bote traz traga lleva"
    )
  ],
  [
    "change",
    wordList(
      "mud* troc* troqu* alter* substitu* sustitu* chang* replac* cambi* reempla* reescrev* reescrib* rewrite corrij* corrig* correct fix update atualiz* actualiz* edit* modific* ajust* swap switch renom* renam* renombr* rebatiz* rewrite passa pasa vira"
    )
  ],
  [
    "set",
    wordList(
      "set use usa usar use make deix* deja dejar dejen torn* faz faca haz haga hace turn pon pone pones poner ponga ponha poe bota bote put coloc* coloqu* escrev* escrib* write call cham* llam* quero quiero want give da de define defin*"
    )
  ],
  [
    "add",
    wordList(
      "pergunt* pregunt* ask peca pede pida pide adicion* adicione acrescent* inclu* coloc* coloqu* bota* bote poe ponha cri* insir* inser* mostr* add include insert put show list mention create say anad* agreg* pon pone poner ponga sum* crea* mencion* diga di dig fala fale write escrev* escrib* publi* inform* avis* give have use usa use tenha incorpor*"
    )
  ]
]

export const actsOf = (verb: string): ReadonlyArray<Act> =>
  verbs.filter(([, words]) => words.has(verb)).map(([act]) => act)

/** What follows an English verb without being its object: "take the form out". */
export const particles = wordList("out off away down rid up fora afuera in back over")

/** What is before a new value: "para", "to", "por". */
export const valueMarks = wordList("para pra pro por como to by with into as a com con instead")

/** What is between a subject and what is said of it. */
export const copulas = wordList(
  "should say says deve dizer debe decir e is are now's agora es son sao ahora now fica ficou virou mudou mudaram passou passam changed became becomes cambiaron pasan queda quedo custa custam cuesta cuestan costs cost sai sale sera seria will chama called llama para"
)

/** Nouns for the parts of a site. */
export const nouns = {
  phone: wordList(
    "telefone telefones fone fones tel celular phone phones telephone mobile cell telefono telefonos movil tlf fixo ligacao"
  ),
  number: wordList("numero number num"),
  whatsapp: wordList("whatsapp zap zapzap wpp whats wa wsp wasap guasap"),
  email: wordList("email emails mail correo correos electronico"),
  address: wordList("endereco address direccion localizacao location ubicacion domicilio street rua calle"),
  hours: wordList("horario horarios hours opening funcionamento atendimento abertura atencion apertura schedule times"),
  contact: wordList("contato contatos contact contacts contacto contactos details dados datos"),
  link: wordList("link links enlace enlaces url"),
  booking: wordList("booking agendamento reserva reservas cita citas calendar agenda agendar book calendario turnos"),
  network: wordList(
    "instagram insta ig facebook face fb linkedin youtube tiktok twitter perfil profile rede redes social sociais sociales"
  ),
  name: wordList("nome name nombre"),
  business: wordList(
    "empresa negocio business company marca brand loja tienda shop store firma firm estudio studio escritorio office clinica clinic restaurante restaurant oficina taller fantasia"
  ),
  headline: wordList("titulo title heading headline titular encabezado manchete chamada headlines"),
  main: wordList(
    "principal main first primeiro primera primer grande big top topo home inicial opening abertura hero portada banner"
  ),
  subtitle: wordList("subtitulo subtitle subheading subheadline tagline slogan lema"),
  text: wordList(
    "texto text textos paragrafo paragraph parrafo descricao description descripcion copy conteudo content contenido"
  ),
  sentence: wordList(
    "frase sentence line linha linea phrase oracion trecho parte part bit informacao information informacion info mencao mention mencion referencia reference"
  ),
  price: wordList(
    "preco precos price prices pricing precio precios valor valores fee fees cost costs custo tarifa tarifas rate"
  ),
  button: wordList("botao botoes button buttons boton botones cta"),
  field: wordList("campo campos field fields"),
  form: wordList("formulario formularios form forms"),
  section: wordList("secao section seccion secoes sections bloco block bloque area parte part"),
  list: wordList("lista list listado relacao cardapio menu carta tabela table tabla"),
  page: wordList("pagina page paginas pages"),
  picture: wordList(
    "foto fotos photo photos imagem imagens image images picture pictures imagen imagenes ilustracao illustration"
  ),
  item: wordList(
    "pacote pacotes package packages paquete paquetes combo combos feature features recurso recursos tratamento tratamentos treatment treatments tratamiento tratamientos especialidade especialidad specialty modalidade atividade activity actividad trabalho trabajo item itens items produto producto product prato plato dish opcao option opcion plano plan servico service servicio servicos services servicios curso course aula clase class"
  ),
  question: wordList("pergunta perguntas question questions pregunta preguntas faq duvida duda"),
  quote: wordList(
    "comentario comentarios comment comments depoimento depoimentos testimonial testimonials testimonio testimonios review reviews avaliacao resena resenas citacao opiniao opinion quote"
  ),
  person: wordList(
    "pessoa person persona profissional profesional member membro miembro funcionario employee socio partner equipe team equipo time staff dr dra sr sra mr mrs ms prof profe"
  ),
  client: wordList("cliente clientes client clients customer customers parceiro parceiros"),
  required: wordList("obrigatorio obrigatoria required mandatory compulsory obligatorio obligatoria necessario"),
  optional: wordList("opcional opcionais optional facultativo opcionales"),
  order: wordList("ordem order orden posicao position"),
  both: wordList("both ambos ambas dois duas dos all todos todas every each cada")
} as const
export type Noun = keyof typeof nouns

export const isNoun = (word: string, ...of: ReadonlyArray<Noun>): boolean => of.some((noun) => nouns[noun].has(word))

export const noMore = wordList("mais mas more anymore longer any ya ja")

/** Verbs by which a business says what it does. */
export const doing = wordList(
  "fazemos fazer faz fazendo oferecemos oferece trabalhamos vendemos vende atendemos temos tem prestamos do does offer offers sell sells provide provides make have has hacemos hace ofrecemos ofrece vendemos vende trabajamos tenemos tiene damos dar mexemos servimos serve servir doing offering selling making aceitamos accept aceptamos take damos"
)

/** Verbs by which a person leaves the team. */
export const leaving = wordList(
  "retiring retires leave aposentando aposenta jubila jubilo left leaving saiu saindo deixou deixa leaves quit gone retired fue dejo trabaja trabalha works marcho marchado aposentou retiro"
)

export const swapping = wordList("order ordem orden posicao position lugar places place around")
