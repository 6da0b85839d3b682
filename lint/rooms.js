import * as path from "node:path"

/** The rooms in their order. In `Services` a room imports only rooms before it. */
export const rooms = [
  "Core",
  "Text",
  "Messages",
  "Zones",
  "Outbound",
  "Jobs",
  "Accounts",
  "Events",
  "SenderDomains",
  "Files",
  "Models",
  "Blacklist",
  "Prospecting",
  "Campaigns",
  "Leads",
  "LeadFiles",
  "Knowledge",
  "ProspectingFiles",
  "Timing",
  "Replies",
  "Writing",
  "Outreach",
  "Mail",
  "ChatApp",
  "Voice",
  "Meetings",
  "Conversations",
  "Outcomes",
  "Presentations",
  "Reference",
  "Simulation",
  "Learnings",
  "Reports",
  "Members",
  "Support",
  "Companies",
  "Connections",
  "Crm",
  "LeadSource",
  "Scheduler",
  "Calendar",
  "Ads",
  "Media",
  "WebSearch",
  "Websites",
  "CapturePages",
  "Mcp",
  "Console",
  "Backups",
  "TestAccounts"
]

/** The last room whose services the platform may use. Rooms after it are domains. */
const lastOfPlatform = "Accounts"

/** The exception: erasing a person goes through what every room declares. */
const usedByPlatform = new Set(["Leads/Erasure/LeadErasure.ts"])

/** From the innermost outwards. Each imports itself and those before it. */
const tiers = ["Errors", "Services", "Tools", "Api", "Layers", "Main"]

const platform = "Platform"

/** How accounts are distributed over nodes. The unit of work hides this from the rooms. */
const clusterFolder = "Postgres/cluster/"

/** Files above the rooms of `Layers` that import them: their list, the clock that moves, and what uses it. */
const joining = new Set(["App.ts", "Gateway.ts", "Sample", "Simulated", "TestGateways"])

/** @typedef {{ tier: string, room: string, file: string }} Place */

/**
 * The tier and room of a file of `src`; undefined for other files.
 *
 * @returns {Place | undefined}
 */
const placeOf = (/** @type {string} */ file) => {
  const [src, tier = "", room = "", ...rest] = file.split("/")
  if (src !== "src") return undefined
  return { tier: tier.replace(/\.ts$/, ""), room, file: rest.join("/") }
}

const orderOf = (/** @type {string} */ room) => rooms.indexOf(room)

/** @returns {string | undefined} */
const unknownRoom = (/** @type {string} */ room) =>
  orderOf(room) < 0 ? `"${room}" is no room. A new room gets its place in the list of lint/rooms.js.` : undefined

/** @returns {string | undefined} */
const breachInServices = (/** @type {Place} */ from, /** @type {Place} */ to) => {
  if (from.room === to.room || to.file === "Ids.ts") return undefined
  if (orderOf(to.room) < orderOf(from.room)) return undefined
  return `In Services a room imports only rooms before it and any Ids.ts: ${to.room} comes after ${from.room}.`
}

/** Files above the rooms of `Tools`: the lists, and groups of the catalog with tools of several rooms. */
const listing = new Set(["AllTools.ts", "PlatformTools.ts", "Groups"])

/** @returns {string | undefined} */
const breachInTools = (/** @type {Place} */ from, /** @type {Place} */ to) => {
  if (from.room === to.room || listing.has(from.room)) return undefined
  if (!listing.has(to.room) && orderOf(to.room) < orderOf(from.room)) return undefined
  return `In Tools a room imports only rooms before it: ${to.room} comes after ${from.room}.`
}

/** The statements and fragments that later rooms may use: a room's `Sql.ts`, or its folder `Sql`. */
const isSql = (/** @type {string} */ file) => file === "Sql.ts" || file.startsWith("Sql/")

/** @returns {string | undefined} */
const breachInLayers = (/** @type {Place} */ from, /** @type {Place} */ to) => {
  if (from.room === to.room || joining.has(from.room)) return undefined
  if (to.room === platform) {
    return from.room !== platform && to.file.startsWith(clusterFolder)
      ? `Rooms know no cluster: use acrossAccounts, perAccount or isCluster of UnitOfWork instead of ${to.file}.`
      : undefined
  }
  if (joining.has(to.room)) return `Only Main imports what joins the rooms: ${to.room}.`
  if (from.room === platform) return `The platform knows no room: ${to.room}.`
  if (isSql(to.file) && orderOf(to.room) < orderOf(from.room)) return undefined
  return `In Layers a room imports its own files, the platform, and of earlier rooms at most their Sql.ts: not ${to.room}/${to.file}.`
}

/**
 * What is wrong with an import of `to` in `from`, two paths from the root of the project; undefined if it is allowed.
 *
 * @returns {string | undefined}
 */
export const breach = (/** @type {string} */ from, /** @type {string} */ to) => {
  const a = placeOf(from)
  const b = placeOf(to)
  if (a === undefined || to === "package.json") return undefined
  if (b === undefined) return "The sources import nothing of the project from outside src."
  if (tiers.indexOf(b.tier) > tiers.indexOf(a.tier)) return `Imports go inwards: ${tiers.join(" <- ")}.`
  if (a.tier === "Services") {
    return unknownRoom(a.room) ?? breachInServices(a, b)
  }
  if (a.tier === "Tools" && b.tier === "Tools") {
    return (listing.has(a.room) ? undefined : unknownRoom(a.room)) ?? breachInTools(a, b)
  }
  if (a.tier !== "Layers") return undefined
  if (b.tier === "Layers") {
    const isRoom = a.room !== platform && !joining.has(a.room)
    return (isRoom ? unknownRoom(a.room) : undefined) ?? breachInLayers(a, b)
  }
  const isShared = b.file === "Ids.ts" || usedByPlatform.has(`${b.room}/${b.file}`)
  if (a.room === platform && b.tier === "Services" && orderOf(b.room) > orderOf(lastOfPlatform) && !isShared) {
    return `The platform uses the services of ${rooms.slice(0, orderOf(lastOfPlatform) + 1).join(", ")} only: not ${b.room}.`
  }
  return undefined
}

/**
 * The path from the root that an import names, for imports of the project's own files.
 *
 * @returns {string | undefined}
 */
export const targetOf = (/** @type {string} */ from, /** @type {string} */ specifier) =>
  specifier.startsWith(".") ? path.posix.join(path.posix.dirname(from), specifier) : undefined
