import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { callAnyTool, send } from "../../calls/Call.ts"
import { errorText } from "../../calls/ErrorText.ts"
import { pathOf } from "../../calls/Tools.ts"
import type { DialogForm } from "../../form/useFormDialog.tsx"
import { useTexts } from "../../i18n/Messages.tsx"
import { Badge } from "../../parts/Badge.tsx"
import { Button, IconButton } from "../../parts/Button.tsx"
import { Menu } from "../../parts/Menu.tsx"
import { Answer } from "../../parts/States.tsx"
import { Time } from "../../parts/Time.tsx"
import { showToast } from "../../parts/Toasts.ts"

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

interface TestClock {
  readonly now: string
  readonly status: "ready" | "advancing"
  readonly advances_to: string | null
  readonly waiting_tasks: number
  readonly failed_tasks: number
}

const lookMillis = 1_000

const useTestClock = (id: number) =>
  useQuery({
    queryKey: ["get_test_clock", id],
    queryFn: async ({ signal }) =>
      await send<TestClock>("POST", pathOf("get_test_clock"), { test_account_id: id }, { signal }),
    refetchInterval: ({ state }) => (state.data?.status === "advancing" ? lookMillis : false)
  })

/** Steps of the clock, as the tool takes them. */
const steps = [
  { id: "hour", by: "1 hour" },
  { id: "day", by: "1 day" },
  { id: "week", by: "1 week" }
] as const

const Clock = ({ id }: { readonly id: number }) => {
  const texts = useTexts()
  const { t } = texts
  const client = useQueryClient()
  const clock = useTestClock(id)
  const advance = useMutation({
    mutationFn: async (by: string) =>
      await callAnyTool("advance_test_clock", { test_account_id: id, by }, { idempotencyKey: crypto.randomUUID() }),
    onError: (error) => showToast({ text: errorText(texts, error), isError: true, error }),
    onSettled: async () => await client.invalidateQueries({ queryKey: ["get_test_clock", id] })
  })
  return (
    <Answer of={clock} lines={2}>
      {({ advances_to, failed_tasks, now, status, waiting_tasks }) => (
        <div className="stack">
          <div className="test-clock" role="status">
            <span className="test-clock-now">
              <Time at={now} look="full" />
            </span>
            {status === "advancing" && advances_to !== null ? (
              <span className="small soft">
                {t("developers.testAccounts.advancing")} <Time at={advances_to} look="full" />
              </span>
            ) : (
              <span className="small faint">
                {t("developers.testAccounts.waiting", { count: waiting_tasks })}
                {failed_tasks === 0 ? "" : ` · ${t("developers.testAccounts.failed", { count: failed_tasks })}`}
              </span>
            )}
          </div>
          <div className="row wrap">
            {steps.map((step) => (
              <Button
                key={step.id}
                icon="clock"
                writes
                isBusy={advance.isPending || status === "advancing"}
                onClick={() => advance.mutate(step.by)}
              >
                {t(`developers.testAccounts.step.${step.id}`)}
              </Button>
            ))}
          </div>
        </div>
      )}
    </Answer>
  )
}

/** One test account: its clock, and what can be done with it. */
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
        <Clock id={account.test_account_id} />
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
