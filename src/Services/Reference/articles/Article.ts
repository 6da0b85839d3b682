/** An article of the platform's own, the same for every account. */
export interface Article {
  readonly title: string
  readonly text: string
  /** Other words in which people ask for it; not shown. */
  readonly aliases: ReadonlyArray<string>
}
