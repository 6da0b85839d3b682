import { useMutation } from "@tanstack/react-query"
import { useRouter } from "@tanstack/react-router"
import { useState } from "react"
import { errorText } from "../../calls/ErrorText.ts"
import { queryClient } from "../../calls/Queries.ts"
import { openTestAccount, sessionKey } from "../../calls/Session.ts"
import type { DialogForm } from "../../form/useFormDialog.tsx"
import { useTexts } from "../../i18n/Messages.tsx"
import { Badge } from "../../parts/Badge.tsx"
import { Button, IconButton } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/dialogs/Dialog.tsx"
import { Menu } from "../../parts/dialogs/Menu.tsx"
import { showToast } from "../../parts/dialogs/Toasts.ts"
import { Time } from "../../parts/Time.tsx"
import { TestClockControl } from "./TestClock.tsx"

/** The catalog of this gateway may be without these tools, so the client has no types of them. */
export interface TestAccount {
  readonly test_account_id: number
  readonly name: string
  readonly plan: "free_trial" | "paid"
  readonly starts_at: string
  readonly last_called_at: string | null
  readonly expires_at: string
  readonly base_url: string
}

/** Signs in at the test account instead of the live one. No token is needed or shown. */
const OpenAccount = ({ account: { name, test_account_id } }: { readonly account: TestAccount }) => {
  const texts = useTexts()
  const { t } = texts
  const router = useRouter()
  const [isAsking, setIsAsking] = useState(false)
  const open = useMutation({
    mutationFn: async () => await openTestAccount(test_account_id),
    onSuccess: async (session) => {
      // Data of the live account must not stay on the screen, nor its stream of events.
      queryClient.clear()
      queryClient.setQueryData(sessionKey, session)
      await router.navigate({ to: "/", reloadDocument: true })
    },
    onError: (error) => {
      setIsAsking(false)
      showToast({ text: errorText(texts, error), isError: true, error })
    }
  })
  return (
    <>
      <Button icon="arrowRight" writes onClick={() => setIsAsking(true)}>
        {t("developers.testAccounts.open")}
      </Button>
      {isAsking ? (
        <Dialog isAlert title={t("developers.testAccounts.open.title", { name })} onClose={() => setIsAsking(false)}>
          <p className="soft">{t("developers.testAccounts.open.text")}</p>
          <div className="dialog-actions">
            <Button onClick={() => setIsAsking(false)}>{t("common.cancel")}</Button>
            <Button kind="primary" writes isBusy={open.isPending} onClick={() => open.mutate()}>
              {t("developers.testAccounts.open")}
            </Button>
          </div>
        </Dialog>
      ) : null}
    </>
  )
}

/** One test account: its clock, and the possible actions. */
export const TestAccountCard = ({
  account,
  open
}: {
  readonly account: TestAccount
  readonly open: (form: DialogForm) => void
}) => {
  const { t, valueText } = useTexts()
  const fixed = { test_account_id: account.test_account_id }
  const { name } = account
  return (
    <section className="card" aria-label={name}>
      <div className="card-head">
        <h2 className="grow truncate">{name}</h2>
        <Badge text={valueText("plan", account.plan)} />
        <OpenAccount account={account} />
        <Menu trigger={<IconButton icon="more" label={t("developers.actions", { name })} kind="plain" />}>
          {({ Item, Line }) => (
            <>
              <Item
                icon="clock"
                writes
                text={t("developers.testAccounts.advance")}
                onSelect={() =>
                  open({
                    tool: "advance_test_clock",
                    fixed,
                    showsCatalogHelp: true,
                    submitLabel: t("developers.testAccounts.advance")
                  })
                }
              />
              <Item
                icon="message"
                writes
                text={t("developers.testAccounts.play")}
                onSelect={() =>
                  open({
                    tool: "play_prospect",
                    fixed,
                    showsCatalogHelp: true,
                    submitLabel: t("developers.testAccounts.play"),
                    doneText: t("developers.testAccounts.play.done")
                  })
                }
              />
              <Line />
              <Item
                icon="undo"
                writes
                isDangerous
                text={t("developers.testAccounts.reset")}
                onSelect={() =>
                  open({
                    tool: "reset_test_account",
                    fixed,
                    submitLabel: t("developers.testAccounts.reset"),
                    confirm: {
                      title: t("developers.testAccounts.reset.title", { name }),
                      body: t("developers.testAccounts.reset.text")
                    }
                  })
                }
              />
              <Item
                icon="trash"
                writes
                isDangerous
                text={t("developers.testAccounts.delete")}
                onSelect={() =>
                  open({
                    tool: "delete_test_account",
                    fixed,
                    submitLabel: t("developers.testAccounts.delete"),
                    confirm: {
                      title: t("developers.testAccounts.delete.title", { name }),
                      body: t("developers.testAccounts.delete.text")
                    }
                  })
                }
              />
            </>
          )}
        </Menu>
      </div>
      <div className="card-body stack">
        <TestClockControl id={account.test_account_id} />
        <dl className="facts">
          <dt>{t("developers.testAccounts.address")}</dt>
          <dd className="code">{account.base_url}</dd>
          <dt>{t("developers.testAccounts.lastCall")}</dt>
          <dd>
            {account.last_called_at === null ? t("developers.tokens.unused") : <Time at={account.last_called_at} />}
          </dd>
          <dt>{t("developers.testAccounts.expires")}</dt>
          <dd>
            <Time at={account.expires_at} look="day" />
          </dd>
        </dl>
      </div>
    </section>
  )
}
