/**
 * Notifies pollers that this process or another one has committed something. Without a commit, no work can be due that
 * a poller has not seen already.
 */
export class CommitSignal {
  readonly #listeners = new Set<() => void>()
  readonly #relays = new Set<() => void>()
  #hearsOthers = false

  /** True if this process is notified of other processes' commits. */
  get hearsOthers(): boolean {
    return this.#hearsOthers
  }

  /** Sets `hearsOthers`. Commits may have been missed before the change, so every poller polls again. */
  hearing(hearsOthers: boolean): void {
    this.#hearsOthers = hearsOthers
    this.heard()
  }

  /** Records a commit of this process. */
  wrote(): void {
    for (const listener of this.#listeners) listener()
    for (const relay of this.#relays) relay()
  }

  /** Records a commit of another process. */
  heard(): void {
    for (const listener of this.#listeners) listener()
  }

  /** Returns a function that removes the listener. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Adds a listener for this process's commits alone, which forwards them to other processes. */
  relay(relay: () => void): () => void {
    this.#relays.add(relay)
    return () => void this.#relays.delete(relay)
  }
}
