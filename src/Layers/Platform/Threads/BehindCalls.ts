import { lowerThreadPriority } from "./ThreadPriority.ts"

// Imported first by the program of a thread that reads strangers' files, before what it has to load.
lowerThreadPriority(10)
