import { Context, Effect, type Option, Schema, type Stream } from "effect"
import { type NotFound, type Refused, refused, type Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import { CustomerFileId } from "./Ids.ts"

export const CustomerFileView = Schema.Struct({
  customer_file_id: CustomerFileId,
  file_name: Schema.String,
  media_type: Schema.String.annotations({ description: "Told from the content, not from the name." }),
  size_bytes: Schema.Int,
  sha256: Schema.String.annotations({ description: "Of the content, in lower-case hexadecimal." }),
  download_url: Schema.String.annotations({
    description: "Where whoever knows this address can download the file, until it is removed."
  }),
  created_at: Timestamp
})
export type CustomerFileView = typeof CustomerFileView.Type

export interface CustomerFilePage {
  readonly files: ReadonlyArray<CustomerFileView>
  readonly total: number
}

export interface NewCustomerFile<E, R> {
  /** Cleaned before it is stored. Refused if nothing remains. */
  readonly fileName: string
  /** Detected from the content if it is missing. */
  readonly mediaType?: string
  /** Whether the gateway encoded this picture or video itself. Browsers then show it instead of downloading it. */
  readonly isOwnMedia?: boolean
  /** Refused with `file_too_large` as soon as the limit is exceeded. By default there is no limit. */
  readonly maximumBytes?: number
  readonly bytes: Stream.Stream<Uint8Array, E, R>
}

export interface DownloadableFile {
  readonly accountId: AccountId
  readonly file: CustomerFileView
  readonly isOwnMedia: boolean
  readonly bytes: Stream.Stream<Uint8Array, NotFound | Transient>
  /** The bytes from `first` to `last`, both included. */
  readonly part: (first: number, last: number) => Stream.Stream<Uint8Array, NotFound | Transient>
}

/** The largest file that a caller may upload, in bytes. */
export class UploadLimit extends Context.Reference<UploadLimit>()("UploadLimit", {
  defaultValue: () => 25 * 1024 * 1024
}) {}

export const fileTooLarge = (maximumBytes: number): Refused =>
  refused("file_too_large", "The file is too large.", `Upload files of at most ${maximumBytes} bytes.`, {
    maximum_bytes: maximumBytes
  })

export class CustomerFiles extends Context.Tag("CustomerFiles")<
  CustomerFiles,
  {
    /**
     * Stores a file as a stream, so that memory stays small. The file appears once its last byte is stored, and not at
     * all if the stream fails. Opens no transaction. An empty file is refused.
     */
    readonly write: <E, R>(
      file: NewCustomerFile<E, R>
    ) => Effect.Effect<CustomerFileView, E | Refused | Transient, R | Caller>
    /** Newest first. */
    readonly list: (options: {
      readonly page: number
      readonly pageSize: number
    }) => Effect.Effect<CustomerFilePage, Transient, Caller>
    readonly get: (id: CustomerFileId) => Effect.Effect<CustomerFileView, NotFound | Transient, Caller>
    /**
     * Like `get`, and prevents the file's removal until the caller's transaction ends. Use it before recording a
     * reference to the file.
     */
    readonly hold: (id: CustomerFileId) => Effect.Effect<CustomerFileView, NotFound | Transient, Caller>
    /** Replaces the bytes at a file's address. Its name and type stay. Call it in a transaction. */
    readonly replace: (
      id: CustomerFileId,
      bytes: Uint8Array
    ) => Effect.Effect<CustomerFileView, NotFound | Refused | Transient, Caller>
    /** Fails with `NotFound` if the file is removed during the read. */
    readonly read: (id: CustomerFileId) => Stream.Stream<Uint8Array, NotFound | Transient, Caller>
    /** Refused with `file_in_use` while an unfinished import reads the file. Returns the removed file. */
    readonly remove: (id: CustomerFileId) => Effect.Effect<CustomerFileView, NotFound | Refused | Transient, Caller>
    /** For the download route: the key gives access to the file without a token. */
    readonly findByDownloadKey: (key: string) => Effect.Effect<Option.Option<DownloadableFile>, Transient>
  }
>() {}

/**
 * Files that the gateway generates from the account's data. They are generated again on reading if the data changed.
 */
export class GeneratedFiles extends Context.Reference<GeneratedFiles>()("GeneratedFiles", {
  defaultValue: (): {
    /**
     * Generates the file again if needed. Returns whether its bytes changed. Without the space or time for that, the
     * old bytes stay.
     */
    readonly refresh: (accountId: AccountId, id: CustomerFileId) => Effect.Effect<boolean>
  } => ({ refresh: () => Effect.succeed(false) })
}) {}
