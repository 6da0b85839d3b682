import { materialOf } from "../../../bench/sites/SiteMaterials.ts"

export const bakery =
  materialOf(`Crie um site para a Padaria Aurora, uma padaria artesanal em Curitiba. Fazemos pães de fermentação natural, bolos sob encomenda e café da manhã. A massa descansa a noite inteira antes de ir ao forno. Usamos farinha de moinhos do Paraná.
Cardápio:
- Pão de campanha – R$ 22
- Baguete – R$ 12
- Focaccia de alecrim – R$ 18
- Croissant de manteiga – R$ 11
- Bolo de laranja inteiro – R$ 48
- Café coado – R$ 7
Aberta de terça a domingo, das 7h às 19h. Rua das Flores, 120, Centro, Curitiba. WhatsApp (41) 99876-5432. Cores quentes.`)

export const software = materialOf(
  `Create a modern website for Ledgerly, a software platform for small accounting firms. Features:
- Bank import: Statements arrive every morning and match themselves to invoices.
- Client portal: Clients upload receipts from their phone.
- Deadlines: A calendar of all filings, with reminders.
How it works:
1. Connect your bank
2. Invite your clients
3. Close the month
Plans:
- Solo – $19 per month: 1 user, 20 clients, e-mail support
- Firm – $59 per month: 5 users, 150 clients, phone support
Over 1,200 firms use Ledgerly. 14 countries are covered. Contact: team@ledgerly.example. "Month end went from nine days to three." - Joan Fisher, partner at Fisher & Daughters`,
  "en-us",
  {
    facts: [
      { source: "faq", text: "Can I leave at any time?\nYes. Plans end with the month." },
      { source: "knowledge", text: "Clients\nHarper & Co, Bluefield Tax, Kline Advisors" }
    ]
  }
)

export const clinic = materialOf(
  `Sitio para la Clínica Sonrisa, una clínica dental en Medellín. Tratamientos: ortodoncia, implantes, blanqueamiento, limpieza. Atendemos a niños y adultos. Cada paciente recibe un plan por escrito antes de empezar. Queremos que la gente pueda agendar citas. Horario: lunes a viernes de 8:00 a 18:00. Teléfono +57 604 444 1212. Dirección: Calle 10 # 43-25, El Poblado.`,
  "es-co",
  { storesData: true }
)

export const solar = materialOf(
  `Página de captura para a Solar Norte, empresa de energia solar em Belém. Oferta: diagnóstico gratuito da conta de luz. Benefícios: análise do telhado, simulação da economia, proposta por escrito. Formulário com nome, e-mail, telefone, cidade e senha. Campanha Residencial 2027.`,
  "pt-br",
  { type: "LeadCapturePage", campaigns: ["Residencial 2027", "Empresas"] }
)
