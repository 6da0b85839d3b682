/**
 * Lengths of the texts. Longer ones are matched only in whole mails, in a thread with a time limit. The first steps are
 * small, so that exponential time shows while the test still ends.
 */
export const lengths = [20, 26, 32, 40, 60, 100, 1000, 10_000]

/** Characters and words in an expression, and some that its classes match. */
const piecesOf = (/** @type {string} */ source) => {
  const words = source
    .replace(/\\[dDsSwWbBpP](?:\{[^}]*\})?|\\[nrtu](?:[0-9a-f]{4})?|[\\^$.|?*+()[\]{}]/gi, "\n")
    .split("\n")
  return new Set([
    ...words.filter((word) => word !== "").slice(0, 30),
    "a",
    "A",
    "0",
    " ",
    "\n",
    ".",
    ",",
    "-",
    "é",
    "a ",
    "a.",
    "0.",
    "a@",
    "\t"
  ])
}

/** Texts that repeat what the expression looks for and end differently, so that it must backtrack. */
export const attacksOn = function* (/** @type {string} */ source, /** @type {number} */ length) {
  const pieces = [...piecesOf(source)]
  for (const piece of pieces) {
    const repeated = piece.repeat(Math.ceil(length / piece.length))
    yield repeated
    yield `${repeated}\u0000`
    yield `x${repeated}!`
    for (const other of pieces.slice(0, 12)) {
      yield `${other}${repeated}\u0000`
      yield `${(piece + other).repeat(Math.ceil(length / (piece.length + other.length)))}\u0000`
    }
  }
}
