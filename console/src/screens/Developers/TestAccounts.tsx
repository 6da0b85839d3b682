import { useQuery } from "@tanstack/react-query"
import { send } from "../../calls/Call.ts"
import { useSession } from "../../calls/Session.ts"
import { pathOf } from "../../calls/Tools.ts"
import { useFormDialog } from "../../form/useFormDialog.tsx"
import { useTexts } from "../../i18n/Messages.tsx"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Answer, Empty } from "../../parts/States.tsx"
import { useSecret } from "./SecretDialog.tsx"
import { type TestAccount, TestAccountCard } from "./TestAccountCard.tsx"
import { TestClockControl } from "./TestClock.tsx"

const useTestAccounts = () =>
  useQuery({
    queryKey: ["list_test_accounts"],
    queryFn: async ({ signal }) =>
      await send<{ readonly test_accounts: ReadonlyArray<TestAccount> }>(
        "POST",
        pathOf("list_test_accounts"),
        {},
        { signal }
      )
  })

/** The actions for a person who is signed in at a test account. A test account has no test accounts itself. */
const OwnTestAccount = () => {
  const { t } = useTexts()
  const [dialog, open] = useFormDialog()
  return (
    <>
      <Card
        title={t("developers.testAccounts.own")}
        actions={
          <Button
            icon="message"
            writes
            onClick={() =>
              open({
                tool: "play_prospect",
                fields: ["lead_id", "channel", "text", "is_auto_reply", "outcome"],
                showsCatalogHelp: true,
                submitLabel: t("developers.testAccounts.play"),
                doneText: t("developers.testAccounts.play.done")
              })
            }
          >
            {t("developers.testAccounts.play")}
          </Button>
        }
      >
        <TestClockControl />
      </Card>
      {dialog}
    </>
  )
}

/** The test accounts, or the clock of the one that is signed in. */
export const TestAccounts = () => (useSession()?.account.is_test === true ? <OwnTestAccount /> : <AllTestAccounts />)

/** Accounts to try integrations on: each with a clock to move and prospects to play. */
const AllTestAccounts = () => {
  const { t } = useTexts()
  const accounts = useTestAccounts()
  const secret = useSecret(t("developers.testAccounts.secret"), "token")
  const [dialog, open] = useFormDialog(secret.take)
  const add = (
    <Button
      icon="plus"
      kind="primary"
      writes
      onClick={() =>
        open({ tool: "create_test_account", showsCatalogHelp: true, submitLabel: t("developers.testAccounts.add") })
      }
    >
      {t("developers.testAccounts.add")}
    </Button>
  )
  return (
    <div className="stack-lg">
      <Answer of={accounts} lines={6}>
        {({ test_accounts }) =>
          test_accounts.length === 0 ? (
            <Card title={t("developers.test-accounts")} isFlush actions={add}>
              <Empty
                icon="flask"
                title={t("developers.testAccounts.empty")}
                text={t("developers.testAccounts.empty.text")}
              />
            </Card>
          ) : (
            <>
              <div className="row spread">
                <h2>{t("developers.test-accounts")}</h2>
                {add}
              </div>
              <div className="columns">
                {test_accounts.map((account) => (
                  <TestAccountCard key={account.test_account_id} account={account} open={open} />
                ))}
              </div>
            </>
          )
        }
      </Answer>
      {dialog}
      {secret.dialog}
    </div>
  )
}
