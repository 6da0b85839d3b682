import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { callAnyTool, send } from "../../calls/Call.ts"
import { errorText } from "../../calls/ErrorText.ts"
import { pathOf } from "../../calls/Tools.ts"
import { useTexts } from "../../i18n/Messages.tsx"
import { Button } from "../../parts/Button.tsx"
import { showToast } from "../../parts/dialogs/Toasts.ts"
import { Answer } from "../../parts/States.tsx"
import { Time } from "../../parts/Time.tsx"

interface TestClock {
  readonly now: string
  readonly status: "ready" | "advancing"
  readonly advances_to: string | null
  readonly waiting_tasks: number
  readonly failed_tasks: number
}

const lookMillis = 1_000

const argsOf = (id: number | undefined) => (id === undefined ? {} : { test_account_id: id })

const useTestClock = (id: number | undefined) =>
  useQuery({
    queryKey: ["get_test_clock", argsOf(id)],
    queryFn: async ({ signal }) => await send<TestClock>("POST", pathOf("get_test_clock"), argsOf(id), { signal }),
    refetchInterval: ({ state }) => (state.data?.status === "advancing" ? lookMillis : false)
  })

/** Steps of the clock, as the tool takes them. */
const steps = [
  { id: "hour", by: "1 hour" },
  { id: "day", by: "1 day" },
  { id: "week", by: "1 week" }
] as const

/** The clock of a test account, and steps to move it. Without an id, that of the account that is signed in. */
export const TestClockControl = ({ id }: { readonly id?: number }) => {
  const texts = useTexts()
  const { t } = texts
  const client = useQueryClient()
  const clock = useTestClock(id)
  const advance = useMutation({
    mutationFn: async (by: string) =>
      await callAnyTool("advance_test_clock", { ...argsOf(id), by }, { idempotencyKey: crypto.randomUUID() }),
    onError: (error) => showToast({ text: errorText(texts, error), isError: true, error }),
    // Everything that fell due has happened.
    onSettled: async () => await client.invalidateQueries()
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
