import { Effect } from "effect"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { Business } from "../../Services/Knowledge/Business.ts"
import { BusinessFiles } from "../../Services/Knowledge/BusinessFiles.ts"
import { Members } from "../../Services/Members/Members.ts"
import { ProspectingFiles } from "../../Services/ProspectingFiles/ProspectingFiles.ts"

/** The price list in the languages of the campaigns. */
const priceLists = [
  {
    title: "Planos e preços",
    text: "# Planos\n| Plano | Preço por mês | Usuários |\n|---|---|---|\n| Essencial | R$ 199 | 3 |\n| Profissional | R$ 399 | 10 |\n\n# Contrato\nSem fidelidade: o cancelamento vale para o mês seguinte. A implantação leva cinco dias úteis e não tem custo."
  },
  {
    title: "Plans and prices",
    text: "# Plans\n| Plan | Price per month | Users |\n|---|---|---|\n| Essential | £39 | 3 |\n| Professional | £79 | 10 |\n\n# Contract\nThere is no minimum contract: you can cancel for the following month. Setting up takes five working days and is free."
  },
  {
    title: "Planes y precios",
    text: "# Planes\n| Plan | Precio por mes | Usuarios |\n|---|---|---|\n| Esencial | MXN 790 | 3 |\n| Profesional | MXN 1590 | 10 |\n\n# Contrato\nNo hay permanencia: la cancelación vale para el mes siguiente. La puesta en marcha toma cinco días hábiles y no tiene costo."
  }
]
const brochures = [
  {
    title: "Apresentação da Ondas",
    description: "Folheto com as funções do sistema, telas e depoimentos de clientes.",
    url: "https://ondas.example/apresentacao.pdf"
  },
  {
    title: "Ondas at a glance",
    description: "A brochure with what the system does, its screens and what customers say of it.",
    url: "https://ondas.example/en/brochure.pdf"
  },
  {
    title: "Presentación de Ondas",
    description: "Folleto con las funciones del sistema, las pantallas y lo que dicen los clientes.",
    url: "https://ondas.example/es/presentacion.pdf"
  }
]

/** Describes the business, and adds the knowledge that messages may quote. */
export const describeBusiness = Effect.gen(function* () {
  const unit = yield* UnitOfWork
  const business = yield* Business
  const files = yield* BusinessFiles
  const material = yield* ProspectingFiles
  yield* unit.write(
    business.set({
      business_name: "Ondas",
      business_description:
        "A Ondas vende um sistema de agenda e cobrança para clínicas odontológicas, escritórios de contabilidade e academias. Quem usa reduz faltas, recebe em dia e deixa de controlar horários em planilhas.",
      business_website: "https://ondas.example",
      ideal_customer_profile:
        "Clínicas odontológicas, escritórios de contabilidade e academias no Sudeste, com 5 a 50 funcionários, em que o dono ou o gerente decide.",
      paying_customer_examples: "Clínica Sorriso\nContábil Aurora\nAcademia Vértice"
    })
  )
  for (const { title, text } of priceLists) {
    yield* unit.write(files.register({ title, text, customerFileId: undefined, campaign: undefined }))
  }
  for (const [place, brochure] of brochures.entries()) {
    yield* unit.write(
      material.register({ ...brochure, customerFileId: undefined, campaign: undefined, sortOrder: place })
    )
  }
})

/** The owner's colleagues. */
const people = [
  { name: "Beatriz Prado", phone: "+5511987650001", email: "beatriz@ondas.example" },
  { name: "Rafael Lima", phone: "+5511987650002", email: undefined }
]

export const addMembers = Effect.gen(function* () {
  const unit = yield* UnitOfWork
  const members = yield* Members
  for (const person of people) yield* unit.write(members.add(person))
})
