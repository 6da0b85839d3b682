import { Readable } from "node:stream"
import type { Connection, Submittable } from "pg"

/** Kinds of messages in the stream, by their first byte. */
const archiveStarts = "n".charCodeAt(0)
const archiveData = "d".charCodeAt(0)

/**
 * Reads the result of `BASE_BACKUP` on a replication session as one tar archive. `pg` calls the methods that begin with
 * `handle`. The stream ends once the server has completed the backup, and fails if it breaks off.
 */
export class BaseBackupStream extends Readable implements Submittable {
  /** Rows of the result sets: the start with the timeline, the tablespaces, then the end. */
  readonly results: Array<ReadonlyArray<string | null>> = []
  readonly #text: string
  #connection: Connection | undefined
  #archives = 0

  constructor(label: string) {
    super({ highWaterMark: 4 * 1024 * 1024 })
    this.#text = `BASE_BACKUP (LABEL '${label}', CHECKPOINT 'fast', WAL false, WAIT false, MANIFEST 'no')`
  }

  /** The position at which recovery starts, and its timeline. */
  get start(): { readonly position: string; readonly timeline: number } {
    const [position, timeline] = this.results[0] ?? []
    if (typeof position !== "string" || typeof timeline !== "string") throw new Error("the server named no start")
    return { position, timeline: Number(timeline) }
  }

  submit(connection: Connection): void {
    this.#connection = connection
    connection.query(this.#text)
  }

  override _read(): void {
    this.#connection?.stream.resume()
  }

  handleRowDescription(): void {}

  handleDataRow({ fields }: { readonly fields: ReadonlyArray<string | null> }): void {
    this.results.push(fields)
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    if (chunk[0] === archiveStarts) {
      this.#archives += 1
      if (this.#archives > 1) this.destroy(new Error("the server has tablespaces, which cannot be backed up"))
    }
    if (chunk[0] !== archiveData) return
    // The driver reuses the memory of the chunk.
    if (!this.push(Buffer.from(chunk.subarray(1)))) this.#connection?.stream.pause()
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.push(null)
  }

  handleError(error: Error): void {
    this.destroy(error)
  }
}
