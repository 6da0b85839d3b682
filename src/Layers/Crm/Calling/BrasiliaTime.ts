/** Brasília is three hours behind UTC. It has had no daylight saving time since 2019. */
const offsetMillis = 3 * 3600 * 1000

/** Returns a time in the form and zone of Brazilian CRMs, which name no zone: `2026-11-27 14:30:00`. */
export const brasiliaTime = (millis: number): string =>
  new Date(millis - offsetMillis).toISOString().slice(0, 19).replace("T", " ")
