import type { SiteWords } from "../SiteWords.ts"

export const en: SiteWords = {
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
  information: "Good to know",
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
    general: "Our business"
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
