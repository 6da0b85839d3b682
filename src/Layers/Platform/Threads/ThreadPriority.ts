import { setPriority } from "node:os"

/**
 * Lowers the priority of the calling thread (on Linux of that thread alone), so that threads that answer calls run first.
 * Niceness goes from 1 to 19, the lowest priority.
 */
export const lowerThreadPriority = (niceness: number): void => {
  try {
    setPriority(niceness)
  } catch {
    // The work runs at normal priority if the system does not allow this.
  }
}
