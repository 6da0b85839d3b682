import { cnaeEntries } from "../../src/Services/Reference/Cnae.ts"
import type { Mail, World } from "./histories.ts"

/** Reports that count one by one. The fast ones are compared with them. */

interface Scope {
  readonly world: World
  readonly campaign: string | undefined
  readonly days: number
}

const formats = new Map<string, Intl.DateTimeFormat>()
const dayOf = (millis: number, zone: string): string => {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" })
  formats.set(zone, format)
  return format.format(millis)
}

const daysOf = ({ days, world: { history } }: Scope): ReadonlyArray<string> => {
  const [year = 0, month = 1, day = 1] = dayOf(history.now, history.zone).split("-").map(Number)
  return Array.from({ length: days }, (_, index) =>
    new Date(Date.UTC(year, month - 1, day - days + 1 + index)).toISOString().slice(0, 10)
  )
}

const leadsOf = ({ campaign, world }: Scope) => {
  const id = world.campaigns.find(({ name }) => name === campaign)?.id
  return world.leads.filter(({ campaignId }) => campaign === undefined || campaignId === id)
}

const isIn = (scope: Scope) => {
  const ids = new Set(leadsOf(scope).map(({ id }) => id))
  const days = new Set(daysOf(scope))
  const { now, zone } = scope.world.history
  const always = scope.days === 0
  return {
    lead: (leadId: number) => ids.has(leadId),
    time: (millis: number) => always || (days.has(dayOf(millis, zone)) && millis <= now),
    both: ({ at, leadId }: { readonly leadId: number; readonly at: number }) =>
      ids.has(leadId) && (always || (days.has(dayOf(at, zone)) && at <= now))
  }
}

const wasSent = (mail: Mail): boolean => !mail.isInbound && mail.isSent
const isReply = (mail: Mail): boolean => mail.isInbound && !mail.isAuto

/** The sent mail to which a reply belongs. */
const answeredBy = (world: World, reply: Mail): Mail | undefined => {
  const sentToLead = world.mails.filter((mail) => mail.leadId === reply.leadId && wasSent(mail))
  return (
    sentToLead.find(({ messageId }) => messageId === reply.inReplyTo) ??
    sentToLead.filter(({ at }) => at <= reply.at).toSorted((a, b) => b.at - a.at || b.id - a.id)[0]
  )
}

const percent = (part: number, whole: number) => (whole === 0 ? null : Math.round((part / whole) * 1000) / 10)

const stagesOf = (step: World["steps"][number]): ReadonlyArray<string> => {
  if (step.event === "taken_over") return ["taken_over"]
  if (step.event.startsWith("outcome")) return ["closed"]
  switch (step.status) {
    case "Interested":
      return ["confirmed", "aware", "interested"]
    case "Aware":
      return ["confirmed", "aware"]
    default:
      return [step.status.toLowerCase()]
  }
}

/** The stages that each step passes, if the lead passes them for the first time. */
const entriesOf = (world: World) => {
  const enteredStages = new Set<string>()
  return world.steps
    .toSorted((a, b) => a.id - b.id)
    .flatMap((step) => {
      return stagesOf(step).flatMap((stage) => {
        const key = `${step.leadId} ${stage}`
        if (enteredStages.has(key)) return []
        enteredStages.add(key)
        return [{ leadId: step.leadId, at: step.at, stage }]
      })
    })
}

const countsOf = (scope: Scope, day?: (day: string) => boolean) => {
  const { world } = scope
  const within = isIn(scope)
  const fits = (one: { readonly leadId: number; readonly at: number }) =>
    within.both(one) && (day === undefined || day(dayOf(one.at, world.history.zone)))
  const entered = (stage: string) => entriesOf(world).filter((one) => one.stage === stage && fits(one)).length
  return {
    new_leads: leadsOf(scope).filter(({ at, id }) => fits({ leadId: id, at })).length,
    leads_generated: leadsOf(scope).filter(({ at, facts, id }) => facts.isAcquired && fits({ leadId: id, at })).length,
    emails_sent: world.mails.filter((mail) => wasSent(mail) && fits(mail)).length,
    replies_received: world.mails.filter((mail) => isReply(mail) && fits(mail)).length,
    confirmed: entered("confirmed"),
    interested: entered("interested"),
    closed: entered("closed"),
    aware: entered("aware"),
    chatapp_sent: world.chats.filter((one) => !one.isInbound && one.isSent && fits(one)).length,
    chatapp_replies_received: world.chats.filter((one) => one.isInbound && fits(one)).length
  }
}

export const trends = (scope: Scope) => ({
  days: scope.days,
  time_zone: scope.world.history.zone,
  trends: daysOf(scope).map((date) => {
    const { aware: _aware, closed: _closed, new_leads: _new, ...counts } = countsOf(scope, (day) => day === date)
    return { date, ...counts }
  })
})

export const timeline = (scope: Scope, bucket: "day" | "week") => {
  const startOf = (day: string): string => {
    if (bucket === "day") return day
    const date = new Date(`${day}T12:00:00Z`)
    while (date.getUTCDay() !== 1) date.setUTCDate(date.getUTCDate() - 1)
    return date.toISOString().slice(0, 10)
  }
  const starts = [...new Set(daysOf(scope).map(startOf))].toSorted().toReversed()
  return {
    days: scope.days,
    bucket,
    buckets: starts.map((start) => {
      const { closed, confirmed, interested, new_leads } = countsOf(scope, (day) => startOf(day) === start)
      return { bucket_start: start, cold: new_leads, confirmed, interested, closed }
    })
  }
}

const groupsOf = <A extends { readonly leadId: number; readonly type: string }>(
  { world }: Scope,
  list: ReadonlyArray<A>,
  by: string
) => {
  const groups = new Map<string, Array<A>>()
  for (const one of list) {
    const campaignId = world.leads.find(({ id }) => id === one.leadId)?.campaignId ?? null
    const key = JSON.stringify([by === "type" ? null : campaignId, by === "campaign" ? null : one.type])
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups].map(([key, members]) => {
    const [campaign_id, message_type] = JSON.parse(key) as readonly [number | null, string | null]
    return {
      group: {
        campaign_id,
        campaign_name: world.campaigns.find(({ id }) => id === campaign_id)?.name ?? null,
        message_type
      },
      members
    }
  })
}

export const messages = (scope: Scope, group_by: string) => {
  const { world } = scope
  const sent = world.mails.filter((mail) => wasSent(mail) && isIn(scope).both(mail))
  const answered = new Set(world.mails.filter(isReply).map((reply) => answeredBy(world, reply)?.id))
  const replied = (list: ReadonlyArray<Mail>) => list.filter(({ id }) => answered.has(id)).length
  return {
    days: scope.days,
    group_by,
    total_sent: sent.length,
    replied: replied(sent),
    reply_rate_pct: percent(replied(sent), sent.length),
    reply_rate_base: "emails_sent",
    breakdown: groupsOf(scope, sent, group_by).map(({ group, members }) => ({
      ...group,
      sent: members.length,
      replied: replied(members),
      reply_rate_pct: percent(replied(members), members.length)
    }))
  }
}

export const chats = (scope: Scope, group_by: string) => {
  const { world } = scope
  const sent = world.chats.filter((one) => !one.isInbound && one.isSent && isIn(scope).both(one))
  const wrote = world.chats.filter((one) => one.isInbound && isIn(scope).both(one))
  const figures = (list: typeof sent) => {
    const leads = [...new Set(list.map(({ leadId }) => leadId))]
    const replied = leads.filter((leadId) => {
      const first = Math.min(...list.filter((one) => one.leadId === leadId).map(({ at }) => at))
      return wrote.some((one) => one.leadId === leadId && one.at >= first)
    })
    return {
      sent: list.length,
      leads_messaged: leads.length,
      leads_replied: replied.length,
      lead_reply_rate_pct: percent(replied.length, leads.length)
    }
  }
  return {
    days: scope.days,
    group_by,
    ...figures(sent),
    reply_rate_base: "leads_messaged",
    breakdown: groupsOf(scope, sent, group_by).map(({ group, members }) => ({ ...group, ...figures(members) }))
  }
}

export const summary = (scope: Scope) => {
  const { world } = scope
  const leads = leadsOf(scope)
  const counts = countsOf(scope)
  const within = isIn(scope)
  const replies = world.mails.filter((mail) => isReply(mail) && within.lead(mail.leadId))
  const answered = new Set(replies.flatMap((reply) => answeredBy(world, reply)?.id ?? []))
  return {
    total_leads: leads.length,
    emails_sent: counts.emails_sent,
    emails_replied: answered.size,
    reply_rate_pct: percent(answered.size, counts.emails_sent),
    reply_rate_base: "emails_sent",
    chatapp_sent: counts.chatapp_sent,
    chatapp_responses: counts.chatapp_replies_received,
    leads_talked_to_on_chatapp: new Set(
      world.chats.filter((one) => one.isInbound && within.lead(one.leadId)).map(({ leadId }) => leadId)
    ).size
  }
}

export const industries = (scope: Scope) => {
  const isBrazilian = scope.world.history.country === "BR"
  const leads = leadsOf(scope)
  const wereInterested = new Set(
    entriesOf(scope.world).flatMap(({ leadId, stage }) => (stage === "interested" ? [leadId] : []))
  )
  const nameOf = ({ facts }: (typeof leads)[number]): string =>
    isBrazilian
      ? (cnaeEntries.get((facts.cnae ?? "").replace(/\D/g, "").slice(0, 2))?.name ?? "Não informado")
      : (facts.industry ?? "Não informado")
  return {
    grouped_by: isBrazilian ? "cnae_division" : "industry",
    rate_base: "contacted",
    industries: [...new Set(leads.map(nameOf))].map((name) => {
      const ofGroup = leads.filter((lead) => nameOf(lead) === name)
      const code = ofGroup[0]?.facts.cnae?.replace(/\D/g, "").slice(0, 2) ?? null
      const won = ofGroup.filter(({ facts }) => facts.outcome === "won").length
      return {
        code: isBrazilian ? code : null,
        name,
        total_leads: ofGroup.length,
        contacted: 0,
        replied: 0,
        interested: ofGroup.filter(({ id }) => wereInterested.has(id)).length,
        closed: ofGroup.filter(({ facts }) => facts.status === "Closed" || facts.outcome !== null).length,
        won,
        reply_rate_pct: null,
        interest_rate_pct: null
      }
    })
  }
}

const metricsOf = (scope: Scope) => {
  const { world } = scope
  const counts = countsOf(scope)
  const within = isIn(scope)
  const reached = entriesOf(world).filter(
    (one) => within.both(one) && ["confirmed", "aware", "interested", "taken_over"].includes(one.stage)
  )
  const meetings = world.meetings.filter(({ leadId }) => within.lead(leadId))
  return {
    new_leads: counts.new_leads,
    emails_sent: counts.emails_sent,
    responses: counts.replies_received,
    chatapp_sent: counts.chatapp_sent,
    chatapp_responses: counts.chatapp_replies_received,
    aware: counts.aware,
    interested: counts.interested,
    confirmed_aware_interested_or_taken_over: new Set(reached.map(({ leadId }) => leadId)).size,
    referrals: leadsOf(scope).filter(({ at, id, isReferred }) => isReferred && within.both({ leadId: id, at })).length,
    meetings_booked: meetings.filter(({ at }) => within.time(at)).length,
    meetings_cancelled: meetings.filter(({ cancelledAt }) => cancelledAt !== null && within.time(cancelledAt)).length,
    meetings_held: meetings.filter(({ startsAt, status }) => status === "held" && within.time(startsAt)).length,
    meetings_no_show: meetings.filter(({ startsAt, status }) => status === "no_show" && within.time(startsAt)).length
  }
}

/** The metrics state by state, each from a world with only that state's leads. */
export const metrics = (scope: Scope) => {
  const stateOf = (lead: World["leads"][number]): string => {
    const name = (lead.facts.state ?? "").trim().toUpperCase() || "Não informado"
    return name === "GREATER LONDON" ? "Greater London" : name
  }
  const states = [...new Set(scope.world.leads.map(stateOf))]
  const byState = states
    .map((name) => ({
      name,
      ...metricsOf({
        ...scope,
        world: { ...scope.world, leads: scope.world.leads.filter((lead) => stateOf(lead) === name) }
      })
    }))
    .filter(({ name: _name, ...counts }) => Object.values(counts).some((count) => count > 0))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return { byState, total: metricsOf(scope) }
}

type Counts = { readonly [name: string]: unknown }
interface MetricsAnswer {
  readonly by_state: ReadonlyArray<Counts>
  readonly by_industry: ReadonlyArray<Counts>
}
const isMetricsAnswer = (answer: unknown): answer is MetricsAnswer =>
  typeof answer === "object" && answer !== null && "by_state" in answer && "by_industry" in answer

/** The states of an answer, and the sums of its sectors. */
export const metricSums = (answer: unknown) => {
  if (!isMetricsAnswer(answer)) throw new Error("This is no answer of get_metrics_by_state_and_industry.")
  const empty = metricsOf({
    world: {
      history: { now: 0, zone: "Europe/Lisbon", country: "BR", days: 1, leads: [] },
      campaigns: [],
      leads: [],
      mails: [],
      chats: [],
      steps: [],
      meetings: []
    },
    campaign: undefined,
    days: 1
  })
  const total = Object.fromEntries(
    Object.keys(empty).map((name) => [
      name,
      answer.by_industry.reduce((sum, group) => sum + Number(group[name] ?? 0), 0)
    ])
  )
  return {
    byState: answer.by_state
      .map(({ is_unspecified: _unspecified, ...group }) => group)
      .toSorted((a, b) => (String(a["name"]) < String(b["name"]) ? -1 : 1)),
    total
  }
}

export const changes = (world: World, since: string) => {
  const from = Date.parse(`${since}T00:00:00Z`)
  const isSince = (at: number | null): boolean => at !== null && at >= from && at <= world.history.now
  const recent = <A extends { readonly at: number }>(list: ReadonlyArray<A>) => list.filter(({ at }) => isSince(at))
  const entered = (stage: string) => recent(entriesOf(world)).filter((one) => one.stage === stage).length
  return {
    activity_summary: {
      new_leads: recent(world.leads).length,
      emails_sent: recent(world.mails).filter(wasSent).length,
      email_replies: recent(world.mails).filter(isReply).length,
      chatapp_sent: recent(world.chats).filter((one) => !one.isInbound && one.isSent).length,
      chatapp_replies: recent(world.chats).filter((one) => one.isInbound).length
    },
    funnel_progress: { reached_confirmed: entered("confirmed"), became_interested: entered("interested") },
    support_answered: []
  }
}

/** With every list of objects sorted. */
export const unordered = (value: unknown): unknown => {
  if (Array.isArray(value))
    return value.map(unordered).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, unordered(inner)])
  )
}
