import { lowerThreadPriority } from "./ThreadPriority.ts"

// The program of a thread that reads untrusted files imports this first, so that loading its modules has low priority too.
lowerThreadPriority(10)
