/**
 * Notifies pollers that this process or another one has committed something. Without a commit, nothing new can be due
 * except what a poller has seen already.
 */
export class CommitSignal {
  readonly #listeners = new Set<() => void>()
  readonly #relays = new Set<() => void>()
  #hearsOthers = false

  /** Whether what other processes write is heard of. */
  get hearsOthers(): boolean {
    return this.#hearsOthers
  }

  /** Commits of others may have been missed before the change, so every poller looks again. */
  hearing(hearsOthers: boolean): void {
    this.#hearsOthers = hearsOthers
    this.heard()
  }

  /** A transaction of this process has been committed. */
  wrote(): void {
    for (const listener of this.#listeners) listener()
    for (const relay of this.#relays) relay()
  }

  /** One of another process has. */
  heard(): void {
    for (const listener of this.#listeners) listener()
  }

  /** Answers how to stop it. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** For what takes it to other processes: it hears only what was written in this one. */
  relay(relay: () => void): () => void {
    this.#relays.add(relay)
    return () => void this.#relays.delete(relay)
  }
}
