/** An article of the platform, the same for every account. */
export interface Article {
  readonly title: string
  readonly text: string
  /** Other words by which people search for it. They are not shown. */
  readonly aliases: ReadonlyArray<string>
}
