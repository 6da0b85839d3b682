/** Long work that yields after each piece of about a millisecond and returns its result at the end. */
export type Cooperative<A> = Generator<void, A, void>

/** Runs all pieces without a pause. */
export const runToEnd = <A>(work: Cooperative<A>): A => {
  for (;;) {
    const piece = work.next()
    if (piece.done === true) return piece.value
  }
}
