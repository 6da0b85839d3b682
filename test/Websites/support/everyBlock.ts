import type { Site, SiteBlock } from "../../../src/Services/Websites/Site.ts"

/** A block of every kind, with these texts in all places of text. */
export const everyBlock = (text: string): ReadonlyArray<SiteBlock> => [
  {
    _tag: "Hero",
    id: "hero",
    title: text,
    text,
    actions: [
      { label: text, target: { _tag: "Block", page: "home", block: "form" } },
      { label: text, target: { _tag: "Web", url: "https://example.com/" } }
    ],
    picture: { picture: "front", alt: text }
  },
  { _tag: "Prose", id: "prose", title: text, text: `${text}\n\n${text}`, picture: { picture: "front", alt: text } },
  {
    _tag: "Features",
    id: "features",
    title: text,
    text,
    items: [
      { title: text, text },
      { title: text, text: "" }
    ]
  },
  { _tag: "Features", id: "brief", title: text, text: "", items: [{ title: text, text: "" }] },
  { _tag: "Steps", id: "steps", title: text, items: [{ title: text, text }] },
  { _tag: "Figures", id: "figures", title: text, items: [{ value: text.slice(0, 30), label: text }] },
  { _tag: "Quotes", id: "quotes", title: text, items: [{ words: text, name: text, role: text }] },
  { _tag: "Clients", id: "clients", title: text, names: [text] },
  {
    _tag: "Prices",
    id: "prices",
    title: text,
    items: [{ name: text, price: text.slice(0, 60), text, includes: [text] }]
  },
  { _tag: "Prices", id: "menu", title: text, items: [{ name: text, price: text.slice(0, 60), text, includes: [] }] },
  { _tag: "Questions", id: "questions", title: text, items: [{ question: text, answer: text }] },
  { _tag: "People", id: "people", title: text, items: [{ name: text, role: text, text }] },
  { _tag: "Gallery", id: "gallery", title: text, pictures: [{ picture: "front", alt: text }] },
  {
    _tag: "Contact",
    id: "contact",
    title: text,
    text,
    email: "ola@example.com",
    phone: "+55 11 4002-8922",
    address: text,
    hours: text,
    links: [{ label: text, target: { _tag: "Web", url: "https://example.com/perfil" } }]
  },
  {
    _tag: "CallToAction",
    id: "call",
    title: text,
    text,
    actions: [{ label: text, target: { _tag: "Page", page: "home" } }]
  },
  {
    _tag: "Form",
    id: "form",
    title: text,
    text,
    fields: [
      { name: "name", label: text, kind: "text", is_required: true, choices: [] },
      { name: "mail", label: text, kind: "email", is_required: true, choices: [] },
      { name: "tel", label: text, kind: "phone", is_required: false, choices: [] },
      { name: "count", label: text, kind: "number", is_required: false, choices: [] },
      { name: "day", label: text, kind: "date", is_required: false, choices: [] },
      { name: "kind", label: text, kind: "choice", is_required: false, choices: [text] },
      { name: "agree", label: text, kind: "checkbox", is_required: false, choices: [] },
      { name: "message", label: text, kind: "long_text", is_required: false, choices: [] }
    ],
    submit: text.slice(0, 60),
    thanks: { title: text, text },
    collection: "requests"
  },
  { _tag: "Records", id: "records", title: text, text, collection: "requests", shows: "public" },
  { _tag: "Records", id: "own", title: text, text, collection: "requests", shows: "own" }
]

/** A site of two pages with every kind of block. */
export const siteOf = (text: string, theme: Partial<Site["theme"]> = {}): Site => ({
  language: "pt-br",
  name: text.slice(0, 120),
  tagline: text,
  theme: { layout: "harbour", brand: "#1d6fd1", palette: 0, typefaces: 0, ...theme },
  pages: [
    {
      id: "home",
      path: "",
      label: text.slice(0, 40),
      title: text,
      description: text,
      blocks: everyBlock(text),
      variants: []
    },
    {
      id: "about",
      path: "sobre",
      label: text.slice(0, 40),
      title: text,
      description: text,
      blocks: [{ _tag: "Prose", id: "about-text", title: text, text, picture: null }],
      variants: []
    }
  ],
  pictures: [{ id: "front", prompt: "A shop front", shape: "wide" }],
  collections: [
    {
      id: "requests",
      label: text.slice(0, 80),
      fields: [{ name: "name", label: text, kind: "text", is_required: true, choices: [] }],
      is_public: true
    }
  ],
  campaign: null
})
