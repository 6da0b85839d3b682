import { queryClient } from "../calls/Queries.ts"
import { DialogFrame } from "../parts/dialogs/Dialog.tsx"
import { MenuFrame } from "../parts/dialogs/Menu.tsx"
import { developerSections } from "../screens/Developers/DeveloperSections.ts"
import { settingsSections } from "../screens/Settings/SettingsSections.ts"
import { screens } from "./Screens.ts"
import { allTexts } from "./Texts.ts"

interface Loadable {
  readonly preload: () => Promise<unknown>
}

const lookMillis = 50
/** The number of files that are loaded at the same time. More would delay a click. */
const atOnce = 3

/** Safari has no idle callbacks. */
const whenIdle = async (): Promise<void> => {
  await new Promise<void>((resolve) => {
    if ("requestIdleCallback" in window) requestIdleCallback(() => resolve(), { timeout: 1_000 })
    else setTimeout(resolve, lookMillis)
  })
}

/** Resolves when the screen has its answers and is drawn. */
const whenComplete = async (): Promise<void> => {
  do {
    await new Promise((resolve) => setTimeout(resolve, lookMillis))
    await whenIdle()
  } while (queryClient.isFetching() > 0)
}

let firstView: Promise<void> | undefined

const completeFirstView = async (): Promise<void> => {
  await whenComplete()
  // Everything after this mark is not part of the first view.
  performance.mark("console-complete")
}

/** Resolves when the first screen is complete. What does not belong to it waits for this. */
export const whenFirstViewComplete = async (): Promise<void> => await (firstView ??= completeFirstView())

const load = async (parts: ReadonlyArray<Loadable>): Promise<void> => {
  await whenFirstViewComplete()
  await allTexts()
  const steps = [
    ...Object.values(screens),
    developerSections.tools.preload,
    settingsSections.account.preload,
    ...[MenuFrame, DialogFrame, ...parts].map(({ preload }) => preload),
    ...[...Object.values(developerSections), ...Object.values(settingsSections)].map(({ preload }) => preload)
  ]
  for (let position = 0; position < steps.length; position += atOnce) {
    await whenIdle()
    await Promise.all(steps.slice(position, position + atOnce).map(async (step) => await step()))
  }
}

let isBegun = false

/** Loads the code of everything else when the first screen is complete, so that no click waits for code. */
export const loadRestOfConsole = (parts: ReadonlyArray<Loadable>): void => {
  if (isBegun) return
  isBegun = true
  // Without a connection, a screen loads its code when it is opened.
  load(parts).catch(() => undefined)
}
