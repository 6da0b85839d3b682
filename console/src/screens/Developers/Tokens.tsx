import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useHeldScreen } from "../../app/HeldScreen.ts"
import { useAction, useTool } from "../../calls/Queries.ts"
import { sessionKey, signIn, useSession } from "../../calls/Session.ts"
import type { AnswerOf } from "../../calls/Tools.ts"
import { type DialogForm, useFormDialog } from "../../form/useFormDialog.tsx"
import { type Texts, useTexts } from "../../i18n/Messages.tsx"
import { Badge } from "../../parts/Badge.tsx"
import { Button, IconButton } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Menu } from "../../parts/dialogs/Menu.tsx"
import { Icon } from "../../parts/Icon.tsx"
import { Answer } from "../../parts/States.tsx"
import { Time } from "../../parts/Time.tsx"
import { accountTime } from "../../parts/useNow.ts"
import { textMember, useSecret } from "./SecretDialog.tsx"

type Token = AnswerOf<"list_tokens">["tokens"][number]
const limitFields = ["label", "scopes", "expires_at", "calls_per_minute", "address_ranges", "confirmation"]

const nameOf = ({ t }: Texts, { label, token_id }: Token): string =>
  label ?? t("developers.tokens.unnamed", { id: token_id })

const State = ({ token }: { readonly token: Token }) => {
  const { t } = useTexts()
  const isOwn = useSession()?.token.token_id === token.token_id
  if (token.revoked) return <Badge text={t("developers.tokens.revoked")} />
  if (token.expires_at !== null && Date.parse(token.expires_at) < accountTime()) {
    return <Badge text={t("developers.tokens.expired")} tone="warn" />
  }
  return isOwn ? (
    <Badge text={t("developers.tokens.own")} tone="accent" />
  ) : (
    <Badge text={t("developers.tokens.active")} tone="good" />
  )
}

const Scopes = ({ token }: { readonly token: Token }) => {
  const { t } = useTexts()
  if (token.scopes === null) return <span className="faint">{t("developers.tokens.everything")}</span>
  return (
    <span className="row wrap">
      {token.scopes.map((scope) => (
        <span key={scope} className="badge badge-plain code">
          {scope}
        </span>
      ))}
    </span>
  )
}

const LastUse = ({ token }: { readonly token: Token }) => {
  const { t } = useTexts()
  if (token.last_used_at === null) return <span className="faint">{t("developers.tokens.unused")}</span>
  return (
    <>
      <Time at={token.last_used_at} />
      <div className="faint small truncate">
        {[token.last_used_address, token.last_used_agent].filter((part) => part !== null).join(" · ")}
      </div>
    </>
  )
}

const Actions = ({ token, open }: { readonly token: Token; readonly open: (form: DialogForm) => void }) => {
  const texts = useTexts()
  const { t } = texts
  const name = nameOf(texts, token)
  const fixed = { token_id: token.token_id }
  const client = useQueryClient()
  const isOwn = useSession()?.token.token_id === token.token_id
  /** The session ends with the secret that it began with, so it is begun again with the new one. */
  const renewSession = (answer: unknown) => {
    const secret = textMember(answer, "token")
    if (!isOwn || secret === undefined) return
    signIn(secret).then(
      (session) => client.setQueryData(sessionKey, session),
      // The sign-in follows when the secret was copied.
      () => undefined
    )
  }
  const adopt = useAction("adopt_token", { done: () => t("developers.tokens.adopted") })
  const revoke = useAction("revoke_mcp_token", {
    confirm: () => ({
      title: t("developers.tokens.revoke.title", { name }),
      body: t("developers.tokens.revoke.text"),
      action: t("developers.tokens.revoke")
    }),
    done: () => t("developers.tokens.revoke.done")
  })
  if (token.revoked) return null
  return (
    <Menu trigger={<IconButton icon="more" label={t("developers.actions", { name })} kind="plain" />}>
      {({ Item, Line }) => (
        <>
          {token.resource === null ? (
            <Item
              icon="edit"
              writes
              text={t("developers.tokens.edit")}
              onSelect={() =>
                open({
                  tool: "update_token",
                  fixed,
                  fields: limitFields,
                  present: { ...token },
                  showsCatalogHelp: true,
                  submitLabel: t("common.save"),
                  doneText: t("common.saved")
                })
              }
            />
          ) : null}
          <Item
            icon="refresh"
            writes
            text={t("developers.tokens.rotate")}
            onSelect={() =>
              open({
                tool: "rotate_token",
                fixed,
                submitLabel: t("developers.tokens.rotate"),
                onDone: renewSession,
                confirm: {
                  title: t("developers.tokens.rotate.title", { name }),
                  body: t("developers.tokens.rotate.text")
                }
              })
            }
          />
          {token.made_by === "member" ? (
            <Item icon="user" writes text={t("developers.tokens.adopt")} onSelect={() => adopt.run(fixed)} />
          ) : null}
          <Line />
          <Item
            icon="trash"
            writes
            isDangerous
            text={t("developers.tokens.revoke")}
            onSelect={() => revoke.run(fixed)}
          />
        </>
      )}
    </Menu>
  )
}

const TokenTable = ({
  open,
  tokens
}: {
  readonly tokens: ReadonlyArray<Token>
  readonly open: (form: DialogForm) => void
}) => {
  const texts = useTexts()
  const { t } = texts
  return (
    <ul className="lines">
      {tokens.map((token) => (
        <li key={token.token_id} className="line token-line" data-ended={token.revoked}>
          <span className="line-mark">
            <Icon name="link" />
          </span>
          <div className="grow">
            <div className="row wrap">
              <span className="line-name">{nameOf(texts, token)}</span>
              <State token={token} />
            </div>
            <div className="small soft line-detail">
              <Scopes token={token} />
            </div>
          </div>
          <div className="token-use small">
            <LastUse token={token} />
          </div>
          <div className="token-end small soft">
            {token.expires_at === null ? (
              <span className="faint">{t("developers.tokens.noEnd")}</span>
            ) : (
              <>
                {t("developers.tokens.ends")} <Time at={token.expires_at} look="day" />
              </>
            )}
            {token.previous_secret_valid_until === null ? null : (
              <div className="faint">
                {t("developers.tokens.overlap")} <Time at={token.previous_secret_valid_until} look="full" />
              </div>
            )}
          </div>
          <Actions token={token} open={open} />
        </li>
      ))}
    </ul>
  )
}

/** The access tokens: their holders, their rights, and their last use. */
export const Tokens = () => {
  const { t } = useTexts()
  const tokens = useTool("list_tokens", {})
  const secret = useSecret(t("developers.tokens.secret"), "token")
  const [dialog, open] = useFormDialog(secret.take)
  useHeldScreen(dialog !== null || secret.dialog !== null)
  const [hasEnded, setHasEnded] = useState(false)
  const add = () =>
    open({
      tool: "create_token",
      fields: limitFields,
      showsCatalogHelp: true,
      submitLabel: t("developers.tokens.add")
    })
  return (
    <>
      <Card
        title={t("developers.tokens")}
        isFlush
        actions={
          <Button icon="plus" kind="primary" writes onClick={add}>
            {t("developers.tokens.add")}
          </Button>
        }
      >
        <Answer of={tokens} lines={6}>
          {(answer) => {
            const ended = answer.tokens.filter(({ revoked }) => revoked)
            return (
              <>
                <TokenTable
                  tokens={hasEnded ? answer.tokens : answer.tokens.filter(({ revoked }) => !revoked)}
                  open={open}
                />
                {ended.length === 0 ? null : (
                  <div className="lines-more">
                    <Button kind="plain" aria-pressed={hasEnded} onClick={() => setHasEnded(!hasEnded)}>
                      {t(hasEnded ? "developers.tokens.hideRevoked" : "developers.tokens.showRevoked", {
                        count: ended.length
                      })}
                    </Button>
                  </div>
                )}
              </>
            )
          }}
        </Answer>
      </Card>
      {dialog}
      {secret.dialog}
    </>
  )
}
