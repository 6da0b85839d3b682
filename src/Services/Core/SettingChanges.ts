import { Context } from "effect"

/** A setting before and after a call. */
export interface SettingChange {
  readonly setting: string
  readonly before: unknown
  readonly after: unknown
}

/** Collects the settings that a write changed, for its entry in the audit log. */
export class SettingChanges extends Context.Reference<SettingChanges>()("SettingChanges", {
  defaultValue: () => ({
    note: (_changes: ReadonlyArray<SettingChange>): void => {}
  })
}) {}

/** The settings whose value changed. A missing value is null. */
export const changesBetween = (before: object, after: object): ReadonlyArray<SettingChange> => {
  const valueIn = (settings: object, name: string): unknown => Reflect.get(settings, name) ?? null
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((setting) => ({ setting, before: valueIn(before, setting), after: valueIn(after, setting) }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after))
}
