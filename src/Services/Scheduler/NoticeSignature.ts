import { createHmac, timingSafeEqual } from "node:crypto"
import { Redacted } from "effect"

/** How many seconds a signature may differ from the gateway's clock. */
export const signatureTolerance = 180

const mac = (key: Redacted.Redacted, time: string, body: Uint8Array): Buffer =>
  createHmac("sha256", Redacted.value(key)).update(`${time}.`).update(body).digest()

/** The signature header of a notice, over the bytes as they are sent. */
export const signatureOf = (key: Redacted.Redacted, seconds: number, body: Uint8Array): string =>
  `t=${seconds},v1=${mac(key, `${seconds}`, body).toString("hex")}`

/** Whether the holder of the key signed these bytes within the last three minutes. */
export const isSigned = (
  key: Redacted.Redacted,
  header: string | undefined,
  body: Uint8Array,
  nowSeconds: number
): boolean => {
  const [, time, hex] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header ?? "") ?? []
  if (time === undefined || hex === undefined) return false
  if (Math.abs(nowSeconds - Number(time)) > signatureTolerance) return false
  return timingSafeEqual(mac(key, time, body), Buffer.from(hex, "hex"))
}
