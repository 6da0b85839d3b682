import { Effect, Layer } from "effect"
import { OutboundHttpNode } from "../../src/Layers/Platform/Outbound/OutboundHttp.ts"
import { OutboundPolicy } from "../../src/Layers/Platform/Outbound/OutboundPolicy.ts"
import { OutboundHttp, type OutboundRequest } from "../../src/Services/Outbound/OutboundHttp.ts"

export type Resolve = OutboundPolicy["Type"]["resolve"]

const noNames: Resolve = () => Promise.reject(Object.assign(new Error("unknown"), { code: "ENOTFOUND" }))

/** The client under a policy; unless told otherwise no name exists. */
export const client = (policy: { readonly allowLoopback: boolean; readonly resolve?: Resolve }) =>
  Effect.provide(
    OutboundHttp,
    OutboundHttpNode.pipe(Layer.provide(Layer.succeed(OutboundPolicy, { resolve: noNames, ...policy })))
  )

/** How a request fails as deployed, where only the public internet is reached. */
export const strict = (url: string, options: Partial<OutboundRequest> = {}, resolve = noNames) =>
  Effect.flatMap(client({ allowLoopback: false, resolve }), (outbound) =>
    Effect.flip(outbound.request({ method: "GET", url, ...options }))
  )

/** A request as developed with, where this machine is reached too. */
export const loose = (url: string, options: Partial<OutboundRequest> = {}) =>
  Effect.flatMap(client({ allowLoopback: true }), (outbound) => outbound.request({ method: "GET", url, ...options }))
