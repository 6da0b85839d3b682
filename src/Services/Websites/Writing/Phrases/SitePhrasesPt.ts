import type { SiteWords } from "../SiteWords.ts"

export const pt: SiteWords = {
  home: "Início",
  services: "Serviços",
  offers: {
    food: "Da nossa cozinha",
    software: "Recursos",
    shop: "Produtos",
    event: "O evento",
    school: "Cursos",
    nonprofit: "O que fazemos",
    legal: "Áreas de atuação",
    portfolio: "Trabalhos",
    lodging: "A sua estadia",
    fitness: "Modalidades"
  },
  benefits: "Vantagens",
  about: "Sobre",
  information: "Informações",
  aboutTitle: "Quem somos",
  prices: "Preços",
  plans: "Planos",
  menu: "Cardápio",
  steps: "Como funciona",
  programme: "Programação",
  figures: "Em números",
  quotes: "O que dizem de nós",
  clients: "Clientes",
  partners: "Parceiros",
  people: "Equipe",
  speakers: "Palestrantes",
  questions: "Perguntas frequentes",
  contact: "Contato",
  visit: "Onde estamos",
  gallery: "Galeria",
  seeOffers: (heading) => `Ver ${heading.toLocaleLowerCase()}`,
  more: "Saiba mais",
  call: "Ligar agora",
  write: "Escrever um e-mail",
  talk: "Fale com a gente",
  entries: "Publicados",
  entriesOwn: "Os seus registros",
  kinds: {
    food: "Gastronomia",
    clinic: "Clínica",
    beauty: "Beleza e bem-estar",
    fitness: "Academia",
    legal: "Advocacia",
    finance: "Consultoria",
    software: "Software",
    shop: "Loja",
    event: "Evento",
    portfolio: "Portfólio",
    school: "Cursos e aulas",
    nonprofit: "Projeto social",
    realEstate: "Imóveis",
    lodging: "Hospedagem",
    trade: "Serviços",
    pets: "Cuidado para animais",
    agency: "Agência",
    general: "O nosso negócio"
  },
  and: "e",
  at: (place) => `em ${place}`,
  forms: {
    contact: {
      title: "Envie a sua mensagem",
      submit: "Enviar mensagem",
      thanksTitle: "Mensagem recebida",
      thanks: "Obrigado pelo contato. A resposta chega pelos dados que você deixou.",
      collection: "Mensagens"
    },
    quote: {
      title: "Peça um orçamento",
      submit: "Pedir orçamento",
      thanksTitle: "Pedido recebido",
      thanks: "Obrigado. O seu pedido de orçamento foi registrado.",
      collection: "Pedidos de orçamento"
    },
    booking: {
      title: "Agende um horário",
      submit: "Agendar",
      thanksTitle: "Pedido de agendamento recebido",
      thanks: "Obrigado. O horário vale depois da nossa confirmação.",
      collection: "Agendamentos"
    },
    table: {
      title: "Reserve uma mesa",
      submit: "Reservar mesa",
      thanksTitle: "Pedido de reserva recebido",
      thanks: "Obrigado. A reserva vale depois da nossa confirmação.",
      collection: "Reservas"
    },
    signUp: {
      title: "Faça a sua inscrição",
      submit: "Quero me inscrever",
      thanksTitle: "Inscrição recebida",
      thanks: "Obrigado. A sua inscrição foi registrada.",
      collection: "Inscrições"
    },
    order: {
      title: "Faça a sua encomenda",
      submit: "Enviar encomenda",
      thanksTitle: "Encomenda recebida",
      thanks: "Obrigado. A encomenda vale depois da nossa confirmação.",
      collection: "Encomendas"
    },
    lead: {
      title: "Deixe os seus dados",
      submit: "Quero saber mais",
      thanksTitle: "Dados recebidos",
      thanks: "Obrigado pelo interesse. O seu pedido foi registrado.",
      collection: "Interessados"
    },
    download: {
      title: "Receba o material",
      submit: "Quero receber",
      thanksTitle: "Pedido recebido",
      thanks: "Obrigado. O seu pedido foi registrado.",
      collection: "Pedidos"
    }
  },
  fields: {
    name: "Nome",
    email: "E-mail",
    phone: "Telefone",
    company: "Empresa",
    role: "Cargo",
    city: "Cidade",
    message: "Mensagem",
    date: "Data desejada",
    time: "Horário desejado",
    people: "Número de pessoas",
    employees: "Número de funcionários",
    service: "Assunto",
    website: "Site"
  },
  illustration: (subject) => `Ilustração: ${subject}`,
  notes: {
    pages: (count, names) => `O site tem ${count} ${count === 1 ? "página" : "páginas"}: ${names}.`,
    noContact:
      "O material não tem telefone, e-mail nem endereço; por isso o site não mostra contatos. Informe-os numa mudança.",
    noForm: "A descrição não pede formulário; peça um numa mudança, se quiser.",
    foreign: (count) =>
      `${count} ${count === 1 ? "frase do material está" : "frases do material estão"} em outra língua e ${count === 1 ? "ficou" : "ficaram"} de fora.`,
    sparse:
      "O material diz pouco; o site mostra só o que ele sustenta. Descreva serviços, história e contatos para que cresça.",
    noName: "O material não dá o nome do negócio; informe-o numa mudança.",
    notStored: "Senhas e cartões não se pedem em formulários, mesmo que a descrição o diga.",
    ownPictures: "Uma galeria de trabalhos precisa das suas próprias fotos; imagens geradas passariam por obras suas."
  }
}
