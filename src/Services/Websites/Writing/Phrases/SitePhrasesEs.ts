import type { SiteWords } from "../SiteWords.ts"

export const es: SiteWords = {
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
  information: "Información",
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
    general: "Nuestro negocio"
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
