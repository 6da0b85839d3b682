import { useMutation } from "@tanstack/react-query"
import { useRouter, useSearch } from "@tanstack/react-router"
import { type FormEvent, useEffect, useRef, useState } from "react"
import { CallError } from "../calls/CallError.ts"
import { errorText } from "../calls/ErrorText.ts"
import { queryClient } from "../calls/Queries.ts"
import { sessionKey, signIn } from "../calls/Session.ts"
import { useTexts } from "../i18n/Messages.tsx"
import { Button } from "../parts/Button.tsx"
import { Icon } from "../parts/Icon.tsx"
import { LookControls } from "./LookControls.tsx"

/** A token becomes a session. The token itself is forgotten when the field is gone. */
export const SignIn = () => {
  const texts = useTexts()
  const { t } = texts
  const router = useRouter()
  const { next } = useSearch({ from: "/sign-in" })
  const [token, setToken] = useState("")
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    document.title = `${t("shell.signIn")} · ${t("shell.product")}`
    input.current?.focus()
  }, [t])
  const mutation = useMutation({
    mutationFn: async () => await signIn(token.trim()),
    onSuccess: (session) => {
      queryClient.clear()
      queryClient.setQueryData(sessionKey, session)
      router.history.push(next ?? "/")
    },
    onError: () => input.current?.focus()
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (token.trim() !== "") mutation.mutate()
  }
  const { error } = mutation
  const text =
    error === null
      ? undefined
      : error instanceof CallError && error.details.type === "Unauthorized"
        ? t("shell.signIn.refused")
        : errorText(texts, error)
  return (
    <main className="sign-in">
      <form className="sign-in-card" onSubmit={submit} aria-label={t("shell.signIn")}>
        <div className="stack">
          <span className="brand-mark">
            <Icon name="target" />
          </span>
          <div>
            <h1>{t("shell.signIn")}</h1>
            <p className="soft">{t("shell.signIn.lead")}</p>
          </div>
        </div>
        <div className="field">
          <label htmlFor="token">{t("shell.signIn.token")}</label>
          <input
            ref={input}
            id="token"
            className="input code"
            type="password"
            autoComplete="off"
            spellCheck={false}
            value={token}
            onChange={(event) => setToken(event.target.value)}
            aria-invalid={text !== undefined}
            aria-describedby={text === undefined ? "token-help" : "token-help token-error"}
          />
          <div className="field-help" id="token-help">
            {t("shell.signIn.help")}
          </div>
          {text === undefined ? null : (
            <div className="field-error" id="token-error" role="alert">
              <Icon name="alert" />
              {text}
            </div>
          )}
        </div>
        <Button type="submit" kind="primary" isBusy={mutation.isPending}>
          {t("shell.signIn.action")}
        </Button>
        <LookControls />
      </form>
    </main>
  )
}
