import { parentPort, type TransferListItem } from "node:worker_threads"

/** A message to a thread of a pool. */
export type PoolRequest<Request> = { readonly kind: "ready" } | { readonly kind: "request"; readonly request: Request }

/** The answer of a thread to a `PoolRequest`. */
export type PoolReply<Reply> =
  | { readonly kind: "ready" }
  | { readonly kind: "reply"; readonly reply: Reply }
  | { readonly kind: "failed" }

export interface Answered<Reply> {
  readonly reply: Reply
  /** Buffers that are moved instead of copied. */
  readonly transfer?: ReadonlyArray<TransferListItem>
}

/** Runs in a thread of a pool: answers requests one by one for as long as the thread lives. */
export const servePool = <Request, Reply>(answer: (request: Request) => Promise<Answered<Reply>>): void => {
  const port = parentPort
  if (port === null) return
  const send = (reply: PoolReply<Reply>, transfer: ReadonlyArray<TransferListItem> = []) =>
    port.postMessage(reply, [...transfer])
  port.on("message", (message: PoolRequest<Request>) => {
    if (message.kind === "ready") send({ kind: "ready" })
    else {
      answer(message.request).then(
        ({ reply, transfer }) => send({ kind: "reply", reply }, transfer),
        () => send({ kind: "failed" })
      )
    }
  })
}
