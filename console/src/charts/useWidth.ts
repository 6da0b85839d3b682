import { type RefObject, useEffect, useRef, useState } from "react"

/** The width of an element in pixels, so that a chart's text has the size of other text. */
export const useWidth = (first: number): readonly [RefObject<HTMLElement | null>, number] => {
  const frame = useRef<HTMLElement>(null)
  const [width, setWidth] = useState(first)
  useEffect(() => {
    const element = frame.current
    if (element === null) return
    const observer = new ResizeObserver(() => setWidth(Math.max(element.clientWidth, 240)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [frame, width]
}
