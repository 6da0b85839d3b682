/** A message without its signature, before it is checked. */
export interface Draft {
  /** Absent if a thread or channel has no subject. */
  readonly subject?: string
  readonly body: string
  /** Of calls only. */
  readonly openingLine?: string
}
