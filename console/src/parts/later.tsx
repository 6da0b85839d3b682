import { type ComponentType, use } from "react"

/**
 * Makes a component whose code is loaded later. Once the code is loaded, the component is drawn at once. React's `lazy`
 * would show the fallback first in any case, for 300 ms.
 */
export const later = <Props extends object>(load: () => Promise<ComponentType<Props>>) => {
  let loaded: ComponentType<Props> | undefined
  let loading: Promise<ComponentType<Props>> | undefined
  const begin = async (): Promise<ComponentType<Props>> => {
    try {
      loaded = await load()
      return loaded
    } catch (error) {
      // The next attempt loads it again.
      loading = undefined
      throw error
    }
  }
  const preload = async (): Promise<ComponentType<Props>> => await (loading ??= begin())
  const Later = (props: Props) => {
    const Component = loaded ?? use((loading ??= begin()))
    return <Component {...props} />
  }
  return Object.assign(Later, { preload })
}
