import { type FormEvent, useState } from "react"
import { useTool } from "../../calls/Queries.ts"
import { useTexts } from "../../i18n/Messages.tsx"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Answer, Empty } from "../../parts/States.tsx"

/** Articles below this score are about something else more often than not. */
const leastScore = 0.5

/** Answers how the product works, from its articles. */
export const Ask = () => {
  const { t } = useTexts()
  const [text, setText] = useState("")
  const [query, setQuery] = useState("")
  const answer = useTool(
    "search_knowledge",
    { query, min_score: leastScore },
    { enabled: query !== "", keepsLast: query !== "" }
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setQuery(text.trim())
  }
  return (
    <Card title={t("knowledge.ask")} isFlush>
      <search>
        <form className="card-body row" onSubmit={submit}>
          <input
            type="search"
            className="input"
            aria-label={t("knowledge.ask.label")}
            placeholder={t("knowledge.ask.label")}
            maxLength={2000}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <Button type="submit" icon="search" disabled={text.trim() === ""} isBusy={answer.isFetching}>
            {t("knowledge.ask.action")}
          </Button>
        </form>
      </search>
      {query === "" ? (
        <p className="card-note faint small">{t("knowledge.ask.text")}</p>
      ) : (
        <div aria-live="polite">
          <Answer of={answer} lines={4}>
            {({ results }) =>
              results.length === 0 ? (
                <Empty icon="search" title={t("knowledge.ask.none")} text={t("knowledge.ask.none.text")} />
              ) : (
                <ul className="lines lines-ruled">
                  {results.map((article) => (
                    <li key={article.title} className="line" lang={article.language}>
                      <div className="grow">
                        <h3>{article.title}</h3>
                        <p className="soft small line-detail text">{article.content}</p>
                      </div>
                    </li>
                  ))}
                </ul>
              )
            }
          </Answer>
        </div>
      )}
    </Card>
  )
}
