import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { send } from "../../calls/Call.ts"
import { pathOf } from "../../calls/Tools.ts"
import { SchemaForm } from "../../form/SchemaForm.tsx"
import { useTexts } from "../../i18n/Messages.tsx"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Answer, Empty } from "../../parts/States.tsx"
import { type Secret, SecretDialog, textMember } from "./SecretDialog.tsx"
import { type TestAccount, TestAccountCard, type TestAccountForm } from "./TestAccountCard.tsx"

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

/** Accounts to try integrations on: each with a clock to move and prospects to play. */
export const TestAccounts = () => {
  const { t } = useTexts()
  const accounts = useTestAccounts()
  const [form, setForm] = useState<TestAccountForm>()
  const [secret, setSecret] = useState<Secret>()
  const close = () => setForm(undefined)
  const take = (answer: unknown) => {
    close()
    const value = textMember(answer, "token")
    if (value !== undefined) setSecret({ title: t("developers.testAccounts.secret"), value })
  }
  const add = (
    <Button
      icon="plus"
      kind="primary"
      writes
      onClick={() =>
        setForm({ tool: "create_test_account", showsCatalogHelp: true, submitLabel: t("developers.testAccounts.add") })
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
                  <TestAccountCard key={account.test_account_id} account={account} open={setForm} />
                ))}
              </div>
            </>
          )
        }
      </Answer>
      {form === undefined ? null : (
        <Dialog isDrawer title={form.submitLabel} onClose={close}>
          <SchemaForm {...form} onDone={take} onCancel={close} />
        </Dialog>
      )}
      {secret === undefined ? null : <SecretDialog secret={secret} close={() => setSecret(undefined)} />}
    </div>
  )
}
