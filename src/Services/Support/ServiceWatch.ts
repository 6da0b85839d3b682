import type { ServiceTrouble } from "./Incidents.ts"

/** What was seen lately of a part of the platform, over all accounts. */
export interface Observation {
  readonly component: string
  /** As people call it. */
  readonly name: string
  /** In the last half hour: attempts that the provider failed, and those that it took. */
  readonly failed: number
  readonly succeeded: number
  /** Seconds that the oldest piece of work waits that could be done; 0 where nothing waits. */
  readonly waitingFor: number
}

/** Failures that make a trouble, where nothing succeeds beside them. */
const fewestFailures = 5
/** Seconds from which on waiting is stalling, and under which it is no longer. */
const stallsFrom = 15 * 60
const flowsUnder = 5 * 60

export type Judgement =
  | { readonly _tag: "Trouble"; readonly trouble: ServiceTrouble }
  | { readonly _tag: "Recovered"; readonly key: string; readonly message: string }

/**
 * What follows from an observation. Between trouble and recovery lies a stretch in which nothing changes, so that an
 * incident does not open and close again with each message.
 */
export const judge = (seen: Observation): ReadonlyArray<Judgement> => {
  const { component, failed, name, succeeded, waitingFor } = seen
  const failing = `${component}:failing`
  const stalled = `${component}:stalled`
  const judgements: Array<Judgement> = []
  if (failed >= fewestFailures && succeeded === 0) {
    judgements.push({
      _tag: "Trouble",
      trouble: {
        key: failing,
        component,
        impact: "outage",
        title: `${name}: failing`,
        message: `The provider of ${name.toLowerCase()} fails each request. What is to be sent waits and goes out when it is back.`
      }
    })
  } else if (failed === 0 || succeeded > failed) {
    judgements.push({ _tag: "Recovered", key: failing, message: `${name}: working again.` })
  }
  if (waitingFor >= stallsFrom) {
    judgements.push({
      _tag: "Trouble",
      trouble: {
        key: stalled,
        component,
        impact: "degradation",
        title: `${name}: late`,
        message: `What is to be done waits for more than ${Math.floor(stallsFrom / 60)} minutes. Nothing is lost.`
      }
    })
  } else if (waitingFor < flowsUnder) {
    judgements.push({ _tag: "Recovered", key: stalled, message: `${name}: on time again.` })
  }
  return judgements
}
