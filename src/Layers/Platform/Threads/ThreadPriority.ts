import { setPriority } from "node:os"

/**
 * Makes the calling thread nicer, on Linux that one alone: where processors are short, whoever answers calls goes on before
 * what it does. From 1 to 19, which gives way to everything.
 */
export const lowerThreadPriority = (niceness: number): void => {
  try {
    setPriority(niceness)
  } catch {
    // A system that lets no thread be nicer still does the work.
  }
}
