import { Effect, Option, Random, Schedule } from "effect"
import { AccountSettings } from "../../Services/Accounts/AccountSettings.ts"
import { Accounts } from "../../Services/Accounts/Accounts.ts"
import { AccessTokens } from "../../Services/Accounts/Tokens/AccessTokens.ts"
import { Blacklist } from "../../Services/Blacklist/Blacklist.ts"
import { Campaigns } from "../../Services/Campaigns/Campaigns.ts"
import { ChatAppLines } from "../../Services/ChatApp/ChatAppLines.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { now, plusSeconds } from "../../Services/Core/Timestamp.ts"
import type { EventType } from "../../Services/Events/AccountEvents.ts"
import { Webhooks } from "../../Services/Events/Webhooks.ts"
import { uploadCustomerFile } from "../../Services/Files/CustomerFileUpload.ts"
import { type LeadImportId, LeadImports } from "../../Services/LeadFiles/LeadImports.ts"
import type { Channel, LeadId } from "../../Services/Leads/Ids.ts"
import type { LeadOperation } from "../../Services/Leads/LeadPipeline.ts"
import { LeadSearch } from "../../Services/Leads/LeadSearch.ts"
import { Leads } from "../../Services/Leads/Leads.ts"
import { Drawings } from "../../Services/Media/Drawings/Drawings.ts"
import { Images } from "../../Services/Media/Images.ts"
import { Videos } from "../../Services/Media/Videos.ts"
import { Meetings } from "../../Services/Meetings/Meetings.ts"
import { emptyProfile } from "../../Services/Simulation/SimulatedLead.ts"
import { Simulation } from "../../Services/Simulation/Simulation.ts"
import { VoiceCalls } from "../../Services/Voice/VoiceCalls.ts"
import { OnlineSearches } from "../../Services/WebSearch/OnlineSearches.ts"
import { Websites } from "../../Services/Websites/Websites.ts"
import { advertise } from "./SampleAds.ts"
import { addMembers, describeBusiness } from "./SampleBusiness.ts"
import { bookAtScheduler, connectCalendar, connectScheduler } from "./SampleConnections.ts"
import { type SampleCampaign, type SampleLead, sampleCampaigns, sampleLeads, toCsv } from "./SampleLeads.ts"
import { publishSites } from "./SampleSites.ts"
import { visitCapturePage } from "./SampleVisitors.ts"

/** The owner's decisions on a few leads, so that every list has entries. */
const decisions: ReadonlyArray<{ readonly every: number; readonly operation: LeadOperation; readonly reason: string }> =
  [
    { every: 97, operation: "flag_for_review", reason: "Asked for a discount that only the owner can give" },
    { every: 89, operation: "pause", reason: "On holiday until the end of the month" },
    { every: 83, operation: "take_over", reason: "An acquaintance of the owner" },
    { every: 101, operation: "stop", reason: "Bought from another supplier" }
  ]

/** Endpoints that do not exist, so that the delivery log shows failures. */
const subscriptions: ReadonlyArray<readonly [path: string, eventTypes: ReadonlyArray<EventType>]> = [
  ["crm", ["lead_became_interested", "meeting_booked", "meeting_cancelled"]],
  ["archive", []]
]

export const createCampaign = Effect.fn("Sample.createCampaign")(function* (campaign: SampleCampaign) {
  const unit = yield* UnitOfWork
  const campaigns = yield* Campaigns
  return yield* unit.write(
    campaigns.create({
      name: campaign.name,
      business_name: campaign.business,
      business_description: campaign.description,
      goal: campaign.goal,
      ...(campaign.cnae === undefined ? {} : { cnae_filter: [campaign.cnae.replace(/\D/g, "")] })
    })
  )
})

/** Uploads the leads and starts their import as a background job. */
export const startImport = Effect.fn("Sample.startImport")(function* (
  campaign: SampleCampaign,
  leads: ReadonlyArray<SampleLead>,
  { fileName, preferredChannel }: { readonly fileName: string; readonly preferredChannel?: Channel }
) {
  const unit = yield* UnitOfWork
  const imports = yield* LeadImports
  const file = yield* uploadCustomerFile({ fileName, text: toCsv(leads), contentBase64: undefined, url: undefined })
  return yield* unit.write(
    imports.start({
      source: { _tag: "File", customerFileId: file.customer_file_id },
      status: "Cold",
      campaign: campaign.name,
      preferredChannel,
      instructions: undefined,
      firstMessageInstructions: undefined,
      background: undefined,
      goal: undefined
    })
  )
})

/** Waits until the job engine of this process has finished the import. */
const waitForImport = (id: LeadImportId) =>
  Effect.flatMap(LeadImports, (imports) => imports.get(id)).pipe(
    Effect.repeat({
      until: ({ status }) => status !== "queued" && status !== "running",
      schedule: Schedule.identity<{ readonly status: string }>().pipe(
        Schedule.addDelay(() => "200 millis"),
        Schedule.upTo("5 minutes")
      )
    })
  )

const decide = Effect.fn("Sample.decide")(function* (leads: ReadonlyArray<LeadId>) {
  const unit = yield* UnitOfWork
  const service = yield* Leads
  for (const [index, leadId] of leads.entries()) {
    const decision = decisions.find(({ every }) => index % every === every - 1)
    if (decision === undefined) continue
    yield* unit.write(service.transition(leadId, decision.operation, { reason: decision.reason }))
  }
})

/** Books a meeting in a week, with the last lead without a decision. */
const bookMeeting = Effect.fn("Sample.bookMeeting")(function* (leads: ReadonlyArray<LeadId>) {
  const unit = yield* UnitOfWork
  const meetings = yield* Meetings
  const leadId = leads.at(-1)
  if (leadId === undefined) return
  const startsAt = plusSeconds(yield* now, 7 * 24 * 3600)
  yield* unit.write(
    meetings.book({
      leadId,
      startsAt,
      endsAt: plusSeconds(startsAt, 1800),
      title: "First call",
      bookedThrough: "conversation"
    })
  )
})

/** Connects a messaging line, which the job engine of this process sets up. */
const connectLine = Effect.gen(function* () {
  const unit = yield* UnitOfWork
  const lines = yield* ChatAppLines
  yield* unit.write(lines.register({ usesOwnNumber: false }))
  yield* lines.get.pipe(
    Effect.repeat({
      until: ({ status }) => status !== "provisioning",
      schedule: Schedule.identity<{ readonly status: string | null }>().pipe(
        Schedule.addDelay(() => "200 millis"),
        Schedule.upTo("1 minute")
      )
    })
  )
})

/** The ids of all leads, page by page. */
const allLeads = Effect.gen(function* () {
  const search = yield* LeadSearch
  const pageSize = 100
  const pageOf = (page: number) => search.search({}, { sort: "date_created", page, pageSize })
  const first = yield* pageOf(0)
  const rest = yield* Effect.forEach(
    Array.from({ length: Math.ceil(first.total / pageSize) - 1 }, (_, index) => index + 1),
    pageOf
  )
  return [first, ...rest].flatMap(({ leads }) => leads.map(({ lead_id }) => lead_id)).sort((a, b) => a - b)
})

/** Opens the account. Returns the caller for it. */
export const openSampleAccount = Effect.gen(function* () {
  const accounts = yield* Accounts
  const open = (phone: string) =>
    accounts.create({
      name: "Sample",
      email: "owner@ondas.example",
      phone,
      plan: "paid",
      business: "Ondas",
      sender: "Helena Prado"
    })
  // A phone number belongs to one person, so the next sample account needs another number.
  const accountId = yield* open("+5511987654321").pipe(
    Effect.catchTag("Refused", () =>
      Effect.flatMap(Random.nextIntBetween(60_000_000, 100_000_000), (digits) => open(`+55119${digits}`))
    )
  )
  return Caller.forTask(accountId, "paid", "sample")
})

export const blockSome = Effect.gen(function* () {
  const unit = yield* UnitOfWork
  const blacklist = yield* Blacklist
  yield* unit.write(blacklist.add("domain", "client.example", "Client"))
  yield* unit.write(blacklist.add("email", "unblock-me@client.example", "Other"))
  yield* unit.write(blacklist.add("phone", "+55 11 91234-0000", "Other"))
})

/** Does what the owner tried first: a simulated conversation, and a call to the owner's phone. */
export const trySimulation = Effect.gen(function* () {
  const simulation = yield* Simulation
  const settings = yield* AccountSettings
  const profile = {
    ...emptyProfile,
    lead_name: "Bruno Tavares",
    company_name: "Clínica Horizonte",
    city: "Campinas",
    state: "SP",
    background: "Clínica com quatro cadeiras, agenda em papel."
  }
  const campaign = sampleCampaigns[0]?.name
  const { simulationLeadId } = yield* simulation.start({
    channel: "email",
    campaign,
    profile,
    isOpenedByLead: false,
    leadMessage: undefined,
    subject: undefined
  })
  for (const leadMessage of ["Quanto custa o plano Profissional?", "Interessante. Podem me mostrar o sistema?"]) {
    yield* simulation.continueWith(simulationLeadId, { channel: "email", leadMessage, subject: undefined })
  }
  yield* simulation.finish(simulationLeadId)
  yield* settings.agentCallPermission(true)
  yield* simulation.startCall({ campaign, profile })
})

/** The owner's web searches. */
export const searchWeb = Effect.gen(function* () {
  const unit = yield* UnitOfWork
  const searches = yield* OnlineSearches
  for (const query of ["Quanto custa o plano Profissional?", "What does setting up cost, and how long does it take?"]) {
    yield* unit.write(searches.register({ query, type: "Standard", sendTo: [] }))
  }
})

/** Images for posts and presentations, rendered by the job engine. */
export const makeMedia = Effect.gen(function* () {
  const unit = yield* UnitOfWork
  const images = yield* Images
  const drawings = yield* Drawings
  const image = yield* unit.write(
    images.start('Post para clínicas odontológicas com o texto "Agenda cheia, sem planilhas"', {
      aspect: "Square",
      profile: "SocialMediaPhotoPostFeed",
      model: "ImageEngineA",
      isTransparent: false,
      references: []
    })
  )
  const drawing = yield* unit.write(
    drawings.start(
      "Funil de vendas do trimestre: Leads: 1200, Contatados: 840, Reuniões: 210, Propostas: 96, Ganhos: 31",
      {
        caption: "Fonte: relatórios da conta",
        reference: null,
        previousId: null
      }
    )
  )
  return { ...image, ...drawing }
})

/** A short video, rendered by the job engine of this process. Skipped if the machine has no renderer. */
const makeVideo = Effect.gen(function* () {
  const unit = yield* UnitOfWork
  const videos = yield* Videos
  const { videoId } = yield* unit.write(
    videos.create(
      'Vídeo para academias: "Treinos cheios" "Agende online"',
      { model: "VideoEngineAlt", duration: 2, aspect: "16:9", resolution: "480p" },
      null
    )
  )
  yield* videos.get(videoId).pipe(
    Effect.repeat({
      until: (video) => video.is_finished,
      schedule: Schedule.identity<{ readonly is_finished: boolean }>().pipe(
        Schedule.addDelay(() => "200 millis"),
        Schedule.upTo("2 minutes")
      )
    })
  )
}).pipe(Effect.catchTag("Refused", () => Effect.void))

/** Waits until the job engine of this process has written the requested websites. */
const waitForWebsites = Effect.flatMap(Websites, (websites) =>
  websites.list().pipe(
    Effect.repeat({
      until: (sites) => sites.every(({ status }) => status !== "queued" && status !== "running"),
      schedule: Schedule.spaced("100 millis").pipe(Schedule.upTo("2 minutes"))
    })
  )
).pipe(Effect.asVoid)

export const subscribe = Effect.gen(function* () {
  const unit = yield* UnitOfWork
  const webhooks = yield* Webhooks
  for (const [path, eventTypes] of subscriptions) {
    const url = `https://hooks.ondas.example/${path}`
    yield* unit.write(webhooks.create({ url, eventTypes: [...eventTypes], description: `For ${path}` }))
  }
  const [subscription] = yield* webhooks.list
  if (subscription !== undefined) yield* unit.write(webhooks.ping(subscription.subscription_id))
})

/**
 * Creates an account as on its first day, with invented leads in campaigns, through the services that tools use. The
 * same `seed` gives the same account. The job engine must run in this process. Returns the account's token.
 */
export const makeSampleAccount = Effect.fn("Sample.make")(function* (seed: number) {
  const tokens = yield* AccessTokens
  const unit = yield* UnitOfWork
  const caller = yield* openSampleAccount
  return yield* Effect.gen(function* () {
    const { token } = yield* tokens.generate({ label: "Sample", expiresAt: Option.none() })
    yield* blockSome
    yield* describeBusiness
    yield* connectCalendar
    for (const campaign of sampleCampaigns) {
      yield* createCampaign(campaign)
      const file = { fileName: `${campaign.name}.csv` }
      const { lead_import_id } = yield* startImport(campaign, sampleLeads(campaign, seed), file)
      yield* waitForImport(lead_import_id)
    }
    yield* subscribe
    const leads = yield* allLeads
    yield* decide(leads)
    yield* connectScheduler
    yield* bookAtScheduler(leads.slice(-3, -1))
    yield* bookMeeting(leads)
    const calls = yield* VoiceCalls
    yield* unit.write(
      calls.placeGoalDriven({ phone: "+5511987651234", goal: "Ask when the new clinic opens", context: null })
    )
    yield* trySimulation
    yield* searchWeb
    yield* makeMedia
    yield* makeVideo
    yield* connectLine
    yield* addMembers
    yield* advertise
    yield* publishSites(sampleCampaigns[0]?.name ?? "", 2, waitForWebsites)
    yield* visitCapturePage()
    return { accountId: caller.accountId, token, leadCount: leads.length }
  }).pipe(Effect.provideService(Caller, caller))
})
