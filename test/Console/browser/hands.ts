import { assert } from "@effect/vitest"
import type { Locator, Page } from "playwright-core"

/** How a person works at a page: with a pointer, or with the keyboard alone. */
export interface Hands {
  /** Activates a link or a button. */
  readonly press: (target: Locator) => Promise<void>
  /** Writes into an empty field. */
  readonly write: (field: Locator, text: string) => Promise<void>
  /** Chooses from a list by the words that are shown. */
  readonly choose: (list: Locator, label: string) => Promise<void>
  /** Enters a date and a time, such as `2027-01-15` and `09:30`. */
  readonly enterMoment: (field: Locator, date: string, time: string) => Promise<void>
  /** Opens a menu, and chooses an item. */
  readonly chooseItem: (menu: Locator, item: Locator) => Promise<void>
  /** Opens a screen by its name. */
  readonly goTo: (place: string) => Promise<void>
}

/** With a mouse or a finger. On a narrow screen, the links are in a menu. */
export const pointer = (page: Page): Hands => ({
  press: (target) => target.click(),
  write: (field, text) => field.fill(text),
  choose: async (list, label) => {
    await list.selectOption({ label })
  },
  enterMoment: (field, date, time) => field.fill(`${date}T${time}`),
  chooseItem: async (menu, item) => {
    await menu.click()
    await item.click()
  },
  goTo: async (place) => {
    const menu = page.getByRole("button", { name: "Menu", exact: true })
    if (await menu.isVisible()) await menu.click()
    await page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: place, exact: true }).click()
    await page.getByRole("heading", { level: 1 }).first().waitFor()
  }
})

/** What the page has of an element. */
interface Shown {
  readonly matches: (selector: string) => boolean
  readonly computedStyleMap: () => { readonly get: (property: string) => unknown }
}

const isFocused = (target: Locator): Promise<boolean> => target.evaluate((element: Shown) => element.matches(":focus"))

/** A person at the keyboard must see where they are: by an outline, or by a ring or a border that only the focus has. */
const showsFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element: Shown) => {
    const style = (property: string) => String(element.computedStyleMap().get(property))
    const hasOutline = style("outline-style") !== "none" && style("outline-width") !== "0px"
    return element.matches(":focus-visible") && (hasOutline || style("box-shadow") !== "none")
  })

/** More steps than any screen needs: who has not arrived then is in a trap. */
const mostSteps = 250

const assertVisibleFocus = async (target: Locator): Promise<void> => {
  assert.isTrue(await showsFocus(target), `the focus is not visible on ${String(target)}`)
}

/** With the keyboard alone, never touching the pointer. */
export const keyboard = (page: Page): Hands => {
  const keys = page.keyboard
  const focus = async (target: Locator): Promise<void> => {
    await target.waitFor()
    for (let step = 0; step < mostSteps; step++) {
      if (await isFocused(target)) return await assertVisibleFocus(target)
      await keys.press("Tab")
    }
    assert.fail(`the keyboard does not reach ${String(target)}`)
  }
  return {
    press: async (target) => {
      await focus(target)
      await keys.press("Enter")
    },
    write: async (field, text) => {
      await focus(field)
      await keys.type(text)
    },
    choose: async (list, label) => {
      await focus(list)
      await keys.type(label)
    },
    enterMoment: async (field, date, time) => {
      await focus(field)
      const [year = "", month = "", day = ""] = date.split("-")
      await keys.type(`${month}${day}${year}`)
      await keys.press("Tab")
      await keys.type(`${time.replace(":", "")}AM`)
    },
    chooseItem: async (menu, item) => {
      await focus(menu)
      await keys.press("Enter")
      await item.waitFor()
      for (let step = 0; step < mostSteps; step++) {
        if (await isFocused(item)) return await keys.press("Enter")
        await keys.press("ArrowDown")
      }
      assert.fail(`the arrows do not reach ${String(item)}`)
    },
    goTo: async (place) => {
      await keys.press("Control+k")
      await page.getByRole("combobox", { name: "Search or jump to…" }).waitFor()
      await keys.type(`go to ${place}`)
      await page.getByRole("option", { name: `Go to ${place}`, exact: true }).waitFor()
      await keys.press("Enter")
      await page.getByRole("combobox", { name: "Search or jump to…" }).waitFor({ state: "detached" })
    }
  }
}
