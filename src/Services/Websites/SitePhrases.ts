import type { Language } from "../Text/Language.ts"
import type { Sector } from "./Sectors.ts"

/** What a form is for. */
export type FormPurpose = "contact" | "quote" | "booking" | "table" | "signUp" | "order" | "download" | "lead"

interface FormWords {
  readonly title: string
  readonly submit: string
  readonly thanksTitle: string
  readonly thanks: string
  readonly collection: string
}

/** Headings and labels of sites. They say nothing of a business: that is the material's alone. */
export interface SiteWords {
  readonly home: string
  readonly services: string
  readonly offers: { readonly [S in Sector]?: string }
  readonly benefits: string
  readonly about: string
  readonly aboutTitle: string
  readonly prices: string
  readonly plans: string
  readonly menu: string
  readonly steps: string
  readonly programme: string
  readonly figures: string
  readonly quotes: string
  readonly clients: string
  readonly partners: string
  readonly people: string
  readonly speakers: string
  readonly questions: string
  readonly contact: string
  readonly visit: string
  readonly gallery: string
  readonly seeOffers: (heading: string) => string
  readonly more: string
  readonly call: string
  readonly write: string
  readonly talk: string
  readonly entries: string
  readonly entriesOwn: string
  readonly kinds: { readonly [S in Sector]: string }
  readonly and: string
  readonly at: (place: string) => string
  readonly forms: { readonly [P in FormPurpose]: FormWords }
  readonly fields: {
    readonly name: string
    readonly email: string
    readonly phone: string
    readonly company: string
    readonly role: string
    readonly city: string
    readonly message: string
    readonly date: string
    readonly time: string
    readonly people: string
    readonly employees: string
    readonly service: string
    readonly website: string
  }
  readonly illustration: (subject: string) => string
  readonly notes: {
    readonly pages: (count: number, names: string) => string
    readonly noContact: string
    readonly noForm: string
    readonly foreign: (count: number) => string
    readonly sparse: string
    readonly noName: string
    readonly notStored: string
    readonly ownPictures: string
  }
}

const pt: SiteWords = {
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
    general: "Início"
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

const en: SiteWords = {
  home: "Home",
  services: "Services",
  offers: {
    food: "From our kitchen",
    software: "Features",
    shop: "Products",
    event: "The event",
    school: "Courses",
    nonprofit: "What we do",
    legal: "Practice areas",
    portfolio: "Work",
    lodging: "Your stay",
    fitness: "Classes"
  },
  benefits: "Benefits",
  about: "About",
  aboutTitle: "About us",
  prices: "Prices",
  plans: "Plans",
  menu: "Menu",
  steps: "How it works",
  programme: "Programme",
  figures: "In numbers",
  quotes: "What people say",
  clients: "Clients",
  partners: "Partners",
  people: "Team",
  speakers: "Speakers",
  questions: "Frequently asked questions",
  contact: "Contact",
  visit: "Where to find us",
  gallery: "Gallery",
  seeOffers: (heading) => `See ${heading.toLocaleLowerCase()}`,
  more: "Find out more",
  call: "Call now",
  write: "Write an e-mail",
  talk: "Talk to us",
  entries: "Published",
  entriesOwn: "Your records",
  kinds: {
    food: "Food and drink",
    clinic: "Clinic",
    beauty: "Beauty and wellbeing",
    fitness: "Gym",
    legal: "Law firm",
    finance: "Consulting",
    software: "Software",
    shop: "Shop",
    event: "Event",
    portfolio: "Portfolio",
    school: "Courses and classes",
    nonprofit: "Social project",
    realEstate: "Real estate",
    lodging: "Places to stay",
    trade: "Services",
    pets: "Animal care",
    agency: "Agency",
    general: "Home"
  },
  and: "and",
  at: (place) => `in ${place}`,
  forms: {
    contact: {
      title: "Send a message",
      submit: "Send message",
      thanksTitle: "Message received",
      thanks: "Thank you for writing. The reply comes to the details that you left.",
      collection: "Messages"
    },
    quote: {
      title: "Request a quote",
      submit: "Request a quote",
      thanksTitle: "Request received",
      thanks: "Thank you. Your request for a quote has been recorded.",
      collection: "Quote requests"
    },
    booking: {
      title: "Book an appointment",
      submit: "Book now",
      thanksTitle: "Booking request received",
      thanks: "Thank you. The appointment stands once we have confirmed it.",
      collection: "Bookings"
    },
    table: {
      title: "Book a table",
      submit: "Book a table",
      thanksTitle: "Booking request received",
      thanks: "Thank you. The table is yours once we have confirmed it.",
      collection: "Bookings"
    },
    signUp: {
      title: "Sign up",
      submit: "Sign me up",
      thanksTitle: "You are signed up",
      thanks: "Thank you. Your sign-up has been recorded.",
      collection: "Sign-ups"
    },
    order: {
      title: "Place an order",
      submit: "Send order",
      thanksTitle: "Order received",
      thanks: "Thank you. The order stands once we have confirmed it.",
      collection: "Orders"
    },
    lead: {
      title: "Leave your details",
      submit: "Tell me more",
      thanksTitle: "Thank you",
      thanks: "Thank you for your interest. Your request has been recorded.",
      collection: "Interested people"
    },
    download: {
      title: "Get the material",
      submit: "Send it to me",
      thanksTitle: "Request received",
      thanks: "Thank you. Your request has been recorded.",
      collection: "Requests"
    }
  },
  fields: {
    name: "Name",
    email: "E-mail",
    phone: "Phone",
    company: "Company",
    role: "Job title",
    city: "City",
    message: "Message",
    date: "Preferred date",
    time: "Preferred time",
    people: "Number of people",
    employees: "Number of employees",
    service: "Subject",
    website: "Website"
  },
  illustration: (subject) => `Illustration: ${subject}`,
  notes: {
    pages: (count, names) => `The site has ${count} ${count === 1 ? "page" : "pages"}: ${names}.`,
    noContact:
      "The material has no phone number, e-mail address or street address, so the site shows none. Give them in a change.",
    noForm: "The description asks for no form; ask for one in a change if you want it.",
    foreign: (count) =>
      `${count} ${count === 1 ? "sentence of the material is" : "sentences of the material are"} in another language and ${count === 1 ? "was" : "were"} left out.`,
    sparse:
      "The material says little; the site shows only what it supports. Describe services, history and contacts so that it can grow.",
    noName: "The material does not name the business; give the name in a change.",
    notStored: "Passwords and cards are not collected in forms, whatever the description asks for.",
    ownPictures: "A gallery of works needs your own pictures; generated ones would pass for your work."
  }
}

const es: SiteWords = {
  home: "Inicio",
  services: "Servicios",
  offers: {
    food: "De nuestra cocina",
    software: "Funciones",
    shop: "Productos",
    event: "El evento",
    school: "Cursos",
    nonprofit: "Lo que hacemos",
    legal: "Áreas de práctica",
    portfolio: "Trabajos",
    lodging: "Su estadía",
    fitness: "Modalidades"
  },
  benefits: "Ventajas",
  about: "Nosotros",
  aboutTitle: "Quiénes somos",
  prices: "Precios",
  plans: "Planes",
  menu: "Carta",
  steps: "Cómo funciona",
  programme: "Programa",
  figures: "En cifras",
  quotes: "Lo que dicen de nosotros",
  clients: "Clientes",
  partners: "Socios",
  people: "Equipo",
  speakers: "Ponentes",
  questions: "Preguntas frecuentes",
  contact: "Contacto",
  visit: "Dónde estamos",
  gallery: "Galería",
  seeOffers: (heading) => `Ver ${heading.toLocaleLowerCase()}`,
  more: "Saber más",
  call: "Llamar ahora",
  write: "Escribir un correo",
  talk: "Hable con nosotros",
  entries: "Publicados",
  entriesOwn: "Sus registros",
  kinds: {
    food: "Gastronomía",
    clinic: "Clínica",
    beauty: "Belleza y bienestar",
    fitness: "Gimnasio",
    legal: "Despacho de abogados",
    finance: "Consultoría",
    software: "Software",
    shop: "Tienda",
    event: "Evento",
    portfolio: "Portafolio",
    school: "Cursos y clases",
    nonprofit: "Proyecto social",
    realEstate: "Inmuebles",
    lodging: "Hospedaje",
    trade: "Servicios",
    pets: "Cuidado de animales",
    agency: "Agencia",
    general: "Inicio"
  },
  and: "y",
  at: (place) => `en ${place}`,
  forms: {
    contact: {
      title: "Envíe un mensaje",
      submit: "Enviar mensaje",
      thanksTitle: "Mensaje recibido",
      thanks: "Gracias por escribir. La respuesta llega a los datos que dejó.",
      collection: "Mensajes"
    },
    quote: {
      title: "Pida un presupuesto",
      submit: "Pedir presupuesto",
      thanksTitle: "Pedido recibido",
      thanks: "Gracias. Su pedido de presupuesto quedó registrado.",
      collection: "Pedidos de presupuesto"
    },
    booking: {
      title: "Reserve un horario",
      submit: "Reservar",
      thanksTitle: "Solicitud recibida",
      thanks: "Gracias. El horario vale una vez que lo confirmemos.",
      collection: "Citas"
    },
    table: {
      title: "Reserve una mesa",
      submit: "Reservar mesa",
      thanksTitle: "Solicitud de reserva recibida",
      thanks: "Gracias. La reserva vale una vez que la confirmemos.",
      collection: "Reservas"
    },
    signUp: {
      title: "Inscríbase",
      submit: "Quiero inscribirme",
      thanksTitle: "Inscripción recibida",
      thanks: "Gracias. Su inscripción quedó registrada.",
      collection: "Inscripciones"
    },
    order: {
      title: "Haga su pedido",
      submit: "Enviar pedido",
      thanksTitle: "Pedido recibido",
      thanks: "Gracias. El pedido vale una vez que lo confirmemos.",
      collection: "Pedidos"
    },
    lead: {
      title: "Deje sus datos",
      submit: "Quiero saber más",
      thanksTitle: "Datos recibidos",
      thanks: "Gracias por su interés. Su solicitud quedó registrada.",
      collection: "Interesados"
    },
    download: {
      title: "Reciba el material",
      submit: "Quiero recibirlo",
      thanksTitle: "Solicitud recibida",
      thanks: "Gracias. Su solicitud quedó registrada.",
      collection: "Solicitudes"
    }
  },
  fields: {
    name: "Nombre",
    email: "Correo",
    phone: "Teléfono",
    company: "Empresa",
    role: "Cargo",
    city: "Ciudad",
    message: "Mensaje",
    date: "Fecha deseada",
    time: "Hora deseada",
    people: "Número de personas",
    employees: "Número de empleados",
    service: "Asunto",
    website: "Sitio web"
  },
  illustration: (subject) => `Ilustración: ${subject}`,
  notes: {
    pages: (count, names) => `El sitio tiene ${count} ${count === 1 ? "página" : "páginas"}: ${names}.`,
    noContact:
      "El material no tiene teléfono, correo ni dirección; por eso el sitio no muestra contactos. Indíquelos en un cambio.",
    noForm: "La descripción no pide formulario; pídalo en un cambio si lo quiere.",
    foreign: (count) =>
      `${count} ${count === 1 ? "frase del material está" : "frases del material están"} en otro idioma y ${count === 1 ? "quedó" : "quedaron"} fuera.`,
    sparse:
      "El material dice poco; el sitio muestra solo lo que este sostiene. Describa servicios, historia y contactos para que crezca.",
    noName: "El material no da el nombre del negocio; indíquelo en un cambio.",
    notStored: "Las contraseñas y tarjetas no se piden en formularios, aunque la descripción lo diga.",
    ownPictures: "Una galería de trabajos necesita sus propias fotos; las generadas pasarían por obras suyas."
  }
}

export const siteWords: { readonly [L in Language]: SiteWords } = { "pt-BR": pt, en, es }
