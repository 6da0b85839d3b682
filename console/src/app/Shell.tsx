import { useQueryClient } from "@tanstack/react-query"
import { Link, Outlet, useRouter, useRouterState } from "@tanstack/react-router"
import { Suspense, useEffect, useRef, useState } from "react"
import { setSignedOutHandler } from "../calls/Call.ts"
import { followEvents } from "../calls/Events.ts"
import { readSession, type Session, sessionKey, useSession } from "../calls/Session.ts"
import { useTexts } from "../i18n/Messages.tsx"
import { IconButton } from "../parts/Button.tsx"
import { useConfirmQuestion } from "../parts/dialogs/Confirm.ts"
import { ToastList } from "../parts/dialogs/ToastList.tsx"
import { Icon } from "../parts/Icon.tsx"
import { later } from "../parts/later.tsx"
import { formatTime } from "../parts/TimeText.ts"
import { AccountMenu } from "./AccountMenu.tsx"
import { useIsScreenHeld } from "./HeldScreen.ts"
import { isMac, useKeys } from "./Keys.ts"
import { places } from "./Navigation.ts"
import { useIsOnline } from "./Online.ts"
import { loadRestOfConsole, whenFirstViewComplete } from "./RestOfConsole.ts"

const CommandPalette = later(async () => (await import("./CommandPalette.tsx")).CommandPalette)
const KeyHelp = later(async () => (await import("./KeyHelp.tsx")).KeyHelp)
const ConfirmDialog = later(async () => (await import("../parts/dialogs/ConfirmDialog.tsx")).ConfirmDialog)

const Side = ({ onChoose }: { readonly onChoose: () => void }) => {
  const { t } = useTexts()
  const session = useSession()
  return (
    <aside className="side" aria-label={t("shell.navigation")}>
      <div className="brand">
        <span className="brand-mark">
          <Icon name="target" />
        </span>
        <span className="grow">
          <span className="truncate">{session?.account.name ?? t("shell.product")}</span>
          <small>{t("shell.product")}</small>
        </span>
      </div>
      <nav aria-label={t("shell.navigation")}>
        {places.map((group) => (
          <div key={group.label}>
            <div className="nav-label">{t(group.label)}</div>
            <ul className="nav">
              {group.places.map(({ icon, label, to }) => (
                <li key={to}>
                  <Link
                    className="nav-link"
                    to={to}
                    activeOptions={{ exact: to === "/", includeSearch: false }}
                    onClick={onChoose}
                  >
                    <Icon name={icon} />
                    {t(label)}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
    </aside>
  )
}

/** Says in words that this is a test account, which its colour shows, and what time it is there. */
const TestStrip = ({ account: { now, time_zone } }: { readonly account: Session["account"] }) => {
  const { locale, t } = useTexts()
  const at = new Date(now)
  return (
    <div className="test-strip">{t("shell.testAccount", { time: formatTime(at, at, locale, time_zone, "full") })}</div>
  )
}

type LiveState = "connecting" | "live" | "interrupted"

/** Follows the account's events during a session, from the first complete screen on. */
const useLiveEvents = (): LiveState => {
  const client = useQueryClient()
  const [state, setState] = useState<LiveState>("connecting")
  useEffect(() => {
    let isShown = true
    let stop = (): void => undefined
    const begin = async () => {
      await whenFirstViewComplete()
      if (isShown) stop = followEvents(client, (isLive) => setState(isLive ? "live" : "interrupted"))
    }
    void begin()
    return () => {
      isShown = false
      stop()
    }
  }, [client])
  return state
}

/** Says whether the lists follow what happens elsewhere. While the stream connects for the first time, it says nothing. */
const LiveSign = () => {
  const { t } = useTexts()
  const state = useLiveEvents()
  const title = state === "connecting" ? undefined : t(state === "live" ? "shell.live.help" : "shell.notLive.help")
  return (
    <span className="live" data-live={state} title={title}>
      <span className="live-text">{t("shell.live")}</span>
      <span className="live-interrupted">{t("shell.notLive")}</span>
    </span>
  )
}

/**
 * Notices when the gateway ends the session. The shell then goes to the sign-in, which returns to this screen
 * afterwards.
 */
const useSignedOut = () => {
  const client = useQueryClient()
  useEffect(() => setSignedOutHandler(() => client.setQueryData(sessionKey, null)), [client])
}

/** Goes to the sign-in when the session has ended, unless a secret is on the screen. */
const useLeaveWhenEnded = (hasEnded: boolean) => {
  const client = useQueryClient()
  const router = useRouter()
  const isHeld = useIsScreenHeld()
  useEffect(() => {
    if (!hasEnded || isHeld) return
    let isShown = true
    const leave = async () => {
      // If the token of the old session was rotated here, there is a new session.
      const renewed = await readSession().catch(() => null)
      if (!isShown) return
      if (renewed === null)
        return await router.navigate({ to: "/sign-in", search: { next: router.state.location.href } })
      client.setQueryData(sessionKey, renewed)
      await client.invalidateQueries()
    }
    void leave()
    return () => {
      isShown = false
    }
  }, [hasEnded, isHeld, client, router])
}

export const Shell = () => {
  const { t } = useTexts()
  const session = useSession()
  const isOnline = useIsOnline()
  const question = useConfirmQuestion()
  const [isMenuOpen, setIsMenuOpen] = useState(false)
  const [dialog, setDialog] = useState<"palette" | "keys">()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useSignedOut()
  useEffect(() => loadRestOfConsole([CommandPalette, ConfirmDialog]), [])
  useKeys({ openPalette: () => setDialog("palette"), openHelp: () => setDialog("keys") })
  const content = useRef<HTMLElement>(null)
  const shownPath = useRef(path)
  useEffect(() => {
    setIsMenuOpen(false)
    // A reader of the keyboard continues in the new screen, and one of the screen reader hears it.
    if (shownPath.current !== path) content.current?.focus({ preventScroll: true })
    shownPath.current = path
  }, [path])
  useLeaveWhenEnded(session === null)
  const isTest = session?.account.is_test === true
  useEffect(() => {
    if (isTest) document.documentElement.dataset["account"] = "test"
    else delete document.documentElement.dataset["account"]
  }, [isTest])
  const close = () => setDialog(undefined)
  return (
    <div className="shell" data-menu={isMenuOpen ? "open" : "closed"}>
      <a className="button button-primary skip" href="#content">
        {t("shell.skip")}
      </a>
      <Side onChoose={() => setIsMenuOpen(false)} />
      {isMenuOpen ? <div className="veil" onClick={() => setIsMenuOpen(false)} aria-hidden="true" /> : null}
      <header className="top">
        {isTest ? <TestStrip account={session.account} /> : null}
        {isOnline ? null : (
          <div className="banner" role="status">
            <Icon name="alert" />
            {t("shell.offline")}
          </div>
        )}
        <div className="top-bar">
          <span className="menu-button">
            <IconButton
              icon={isMenuOpen ? "close" : "menu"}
              label={t("shell.menu")}
              aria-expanded={isMenuOpen}
              onClick={() => setIsMenuOpen(!isMenuOpen)}
            />
          </span>
          <button type="button" className="top-search" onClick={() => setDialog("palette")}>
            <Icon name="search" />
            <span className="top-search-text">{t("shell.search")}</span>
            <span className="key" aria-hidden="true">
              {isMac ? "⌘" : "Ctrl"}
            </span>
            <span className="key" aria-hidden="true">
              K
            </span>
          </button>
          <span className="grow" />
          <LiveSign />
          <AccountMenu openKeys={() => setDialog("keys")} />
        </div>
      </header>
      <main ref={content} className="main" id="content" tabIndex={-1}>
        <Outlet />
      </main>
      <Suspense>
        {dialog === "palette" ? <CommandPalette onClose={close} /> : null}
        {dialog === "keys" ? <KeyHelp onClose={close} /> : null}
        {question === undefined ? null : <ConfirmDialog question={question} />}
      </Suspense>
      <ToastList />
    </div>
  )
}
