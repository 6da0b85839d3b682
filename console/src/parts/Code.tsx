import type { ReactNode } from "react"

/** Keys, texts, and other values of JSON. */
const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

const coloured = (json: string): ReadonlyArray<ReactNode> => {
  const parts: Array<ReactNode> = []
  let from = 0
  for (const match of json.matchAll(token)) {
    const [whole, text, colon] = match
    parts.push(json.slice(from, match.index))
    const kind = text === undefined ? "value" : colon === undefined ? "text" : "key"
    parts.push(
      <span key={match.index} className={`json-${kind}`}>
        {text ?? whole}
      </span>,
      colon
    )
    from = match.index + whole.length
  }
  return [...parts, json.slice(from)]
}

/** Longer code is shown without colours, which would take too long. */
const longestColoured = 60_000

/** Text of a program. It scrolls in its box, and the keyboard can reach it. */
export const Code = ({
  isJson = false,
  label,
  text
}: {
  readonly text: string
  readonly label: string
  readonly isJson?: boolean
}) => (
  <pre className="code-box" role="group" aria-label={label} tabIndex={0}>
    <code>{isJson && text.length <= longestColoured ? coloured(text) : text}</code>
  </pre>
)
