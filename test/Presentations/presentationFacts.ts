import { Timestamp } from "../../src/Services/Core/Timestamp.ts"
import type { PresentationFacts } from "../../src/Services/Presentations/PresentationPages.ts"

/** Facts from which every page can be made. */
export const presentationFacts = (more: Partial<PresentationFacts> = {}): PresentationFacts => ({
  language: "pt-BR",
  business: {
    name: "Solaris Energia",
    description:
      "Ajudamos clínicas a reduzir a conta de energia com painéis solares. Temos 12 anos de mercado. Cuidamos do projeto, da instalação e da manutenção.",
    website: "https://solaris.example.com",
    email: "solaris@mail.example"
  },
  lead: {
    name: "Ana Clara de Souza Gonçalves",
    company: "Clínica Sorriso Ltda"
  },
  answers: [{ question: "Vocês atendem em Recife?", answer: "Sim, atendemos toda a região." }],
  priceTexts: [],
  files: [],
  madeAt: Timestamp.make("2026-03-03T14:00:00Z"),
  ...more
})
