import type { ServiceTrouble } from "./Incidents.ts"

/** Recent observations of a part of the platform, over all accounts. */
export interface Observation {
  readonly component: string
  /** The name that people use. */
  readonly name: string
  /** In the last half hour: attempts that the provider failed, and successful ones. */
  readonly failed: number
  readonly succeeded: number
  /** How many seconds the oldest due task has been waiting. 0 if nothing waits. */
  readonly waitingFor: number
}

/** From this many failures without a success on, there is a problem. */
const fewestFailures = 5
/** Work is stalled from this many seconds of waiting on. It has recovered below `flowsUnder`. */
const stallsFrom = 15 * 60
const flowsUnder = 5 * 60

export type Judgement =
  | { readonly _tag: "Trouble"; readonly trouble: ServiceTrouble }
  | { readonly _tag: "Recovered"; readonly key: string; readonly message: string }

/**
 * Judges an observation. Between problem and recovery is a range in which nothing changes, so that an incident does not
 * open and close with each message.
 */
export const judge = (observation: Observation): ReadonlyArray<Judgement> => {
  const { component, failed, name, succeeded, waitingFor } = observation
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
