/** Work that can be left off after each piece of it, which takes a millisecond or so, and answers at its end. */
export type Cooperative<A> = Generator<void, A, void>

/** Does all of it now. */
export const runToEnd = <A>(work: Cooperative<A>): A => {
  for (;;) {
    const piece = work.next()
    if (piece.done === true) return piece.value
  }
}
