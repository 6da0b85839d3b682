import type { CallOptions, Client } from "./client.ts"
import { type UploadCustomerFileAnswer, uploadCustomerFile } from "./generated/tools.ts"

/** Characters that are converted at a time: a function takes no more arguments everywhere. */
const bytesAtATime = 0x8000

const base64Of = (bytes: Uint8Array): string => {
  let binary = ""
  for (let at = 0; at < bytes.length; at += bytesAtATime) {
    binary += String.fromCharCode(...bytes.subarray(at, at + bytesAtATime))
  }
  return btoa(binary)
}

/** Stores a file for other tools. Text is stored as UTF-8. */
export const uploadFile = async (
  client: Client,
  file: { readonly name: string; readonly content: string | Uint8Array | Blob },
  options?: CallOptions
): Promise<UploadCustomerFileAnswer> => {
  const { content, name } = file
  if (typeof content === "string") return await uploadCustomerFile(client, { file_name: name, text: content }, options)
  const bytes = content instanceof Uint8Array ? content : new Uint8Array(await content.arrayBuffer())
  return await uploadCustomerFile(client, { file_name: name, content_base64: base64Of(bytes) }, options)
}

/** Reads a file from the address that a tool answered. */
export const downloadFile = (
  client: Client,
  file: { readonly download_url: string },
  options: Pick<CallOptions, "signal" | "timeoutMillis" | "maxRetries"> = {}
): Promise<Blob> =>
  client.send(
    { method: "GET", path: file.download_url, subject: "download_file", isOpen: true },
    options,
    async (response) => await response.blob()
  )
