/** A message before its signature and before it was checked. */
export interface Draft {
  /** Absent where a thread or a channel has none. */
  readonly subject?: string
  readonly body: string
  /** Of calls only. */
  readonly openingLine?: string
}
