/** Things that the sandbox can draw, with the words that name them in Portuguese, English and Spanish. */
const words = {
  tooth: /dent(?:e|al|ista|ist|es|ad)|odonto|sorriso|smile|sonrisa|tooth|teeth|ortodon/i,
  coffee: /caf[eé](?:s|teria|zinho)?\b|coffee|espresso|cappuccino|cafeter[ií]a/i,
  house:
    /\bcasas?\b|\bhouses?\b|\bhomes?\b|im[oó]ve(?:l|is)|imobili|inmobili|real estate|moradia|apartament|vivienda|condom[ií]nio/i,
  building:
    /pr[eé]dio|edif[ií]cio|building|skyline|cidade|city|ciudad|escrit[oó]rio|office|oficina|empresa|company|corporat|hotel/i,
  chart:
    /cresc|growth|crecimiento|vendas?\b|sales|ventas?\b|resultado|result|gr[aá]fico|chart|lucro|profit|ganancia|faturamento|revenue|meta\b|m[eé]trica|kpi/i,
  calendar:
    /calend[aá]rio|calendar|agenda|reuni[aãoõó]|meeting|evento?s?\b|event\b|webinar|data\b|agendamento|cita\b|convite|invitation|invitaci/i,
  chat: /mensage|message|mensaje|conversa|chat|whats|atendimento|suporte|support|soporte|e-?mail|contato|contact/i,
  people:
    /equipe|time de|team|equipo|pessoas|people|personas|cliente|customer|client|parceri|partner|contrata|vaga|hiring|recrut|reclut|fam[ií]lia|family/i,
  heart:
    /sa[uú]de|health|salud|hospital|m[eé]dic|medical|cl[ií]nica|clinic|amor|love|cora[cç]|heart|coraz|bem-estar|wellness|bienestar|enferm|nurs/i,
  leaf: /sustent|sustain|sosten|\bverde\b|natur|planta?\b|plant|folha|lea(?:f|ves)\b|\bhojas?\b|ecol|org[aâá]nic|jardim|garden|jard[ií]n|agro|fazenda|farm|colheita|floresta|forest|bosque/i,
  sun: /\bsol\b|sun(?:ny|rise|set|flower)?\b|solar|ver[aã]o|summer|verano|praia|beach|playa|amanhecer|entardecer|atardecer/i,
  mountain:
    /montanh|mountain|monta[nñ]|serra\b|trilha|trail|aventura|adventure|paisagem|landscape|paisaje|lago\b|lake/i,
  rocket: /foguete|rocket|cohete|lan[cç]amento|launch|lanzamiento|startup|acelera|turbin|novidade|inova|innovat/i,
  star: /promo|oferta|offer|desconto|discount|descuento|% off|black friday|liquida|especial|special|premium|estrela|star\b|estrella|natal|christmas|navidad|anivers|festa|party|fiesta|celebra/i,
  cart: /loja|store|shop|tienda|compr|e-?commerce|carrinho|carrito|mercado|market|varejo|retail|produto|product/i,
  truck: /caminh[aã]o|truck|cami[oó]n|log[ií]stic|entrega|deliver|entreg|frete|freight|transport|env[ií]o/i,
  plane: /avi[aã]o|plane|avi[oó]n|viage|travel|viaje|turis|tour|f[eé]rias|vacation|vacaciones/i,
  book: /livro|book|libro|curso|course|educa|escola|school|escuela|estud|student|treina|training|forma[cç]|aula|learn|aprend/i,
  bulb: /ideia|idea\b|criativ|creativ|energia|energy|energ[ií]a|l[aâá]mpada|bulb|bombilla|el[eé]tric|electric|solu[cç]|soluci/i,
  shield: /segur|secur|insur|seguro|prote[cçg]|protecci|garantia|guarantee|garant[ií]a|lgpd|privac/i,
  gear: /m[aá]quina|machine|ind[uú]stri|industri|industr|f[aá]brica|factory|engrenagem|gear|engranaje|automa|manuten|mainten|manteni|oficina mec|mec[aâá]nic|processo|process\b/i,
  laptop:
    /software|app\b|aplicativo|sistema|system|computador|computer|laptop|notebook|digital|site\b|website|online|tecnolog|technolog|plataforma|platform|saas|dados|data\b|program/i,
  phone: /telefone|phone|tel[eé]fono|celular|mobile|ligue|ligar|call us|ll[aá]m/i,
  food: /pizza|comida|food|restaurante?|prato|dish|plato|cozinha|kitchen|cocina|almo[cç]|lunch|jantar|dinner|cena\b|hamb[uú]rguer|burger|padaria|bakery|panader|bolo|cake|torta/i,
  dumbbell: /academia|\bgym\b|gimnasio|fitness|treino|workout|entrenamiento|muscula|esporte|sport|deporte|crossfit/i,
  paw: /\bpets?\b|cachorr|\bc[aã](?:o|es)\b|\bdogs?\b|perr[oa]|\bgat[oa]s?\b|\bcats?\b|veterin/i,
  car: /\bcarros?\b|\bcars?\b|\bautos?\b|autom[oó]ve|automotiv|automotive|ve[ií]culo|vehicle|veh[ií]culo|coche|dirig|driv(?:e|ing)/i,
  coin: /dinheiro|money|dinero|financ|banco|bank\b|investi|invert|cr[eé]dito|credit|pagament|payment|\bpago|pre[cç]o|price|precio|economi|contab|account(?:ing|ant)/i,
  music: /m[uú]sica|music|concert|festival|banda|band\b|guitarra|violão|guitar|podcast/i,
  gift: /presente|gift|regalo|brinde|sorteio|giveaway|sorteo/i,
  target:
    /p[uú]blico|target|alvo|objetivo|objective|goal|prospec|lead\b|leads|campanha|campaign|campa[nñ]a|marketing|estrat[eé]g|strateg/i
} as const

export type MotifName = keyof typeof words

const names = Object.keys(words).filter((name): name is MotifName => Object.hasOwn(words, name))

/** The things that a text names, in their order, at most three. */
export const motifsIn = (text: string): ReadonlyArray<MotifName> =>
  names
    .map((name) => ({ name, at: words[name].exec(text)?.index ?? -1 }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at)
    .slice(0, 3)
    .map(({ name }) => name)
