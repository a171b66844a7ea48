import { Button } from '@mantine/core'
import { IconShare2 } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { isStaff, useCurrentUser } from '../lib/current-user.ts'
import {
  installHistory,
  isInstallMoment,
  recordNotNow,
  recordVisit,
} from '../lib/install-moment.ts'
import { installPrompt, subscribeToInstallPrompt } from '../lib/install-prompt.ts'
import { pathWithoutLayout } from '../lib/layout.ts'
import { isNative } from '../lib/native.ts'
import { FootBar } from '../ui/foot-bar.tsx'
import styles from './installed.module.css'
import kit from '../ui/kit.module.css'

recordVisit()

export function InstallSupport() {
  useShortcuts()
  return (
    pathWithoutLayout(useLocation().pathname) === '/dashboard' && !isInstalled() && <InstallCard />
  )
}

const isInstalled = () => isNative() || matchMedia('(display-mode: standalone)').matches

/** Safari on an iPhone or iPad has no install prompt. */
const needsManualInstall = () => 'standalone' in navigator && !navigator.standalone

function InstallCard() {
  const user = useCurrentUser()
  // The browser lets us use each prompt only once.
  const prompt = useSyncExternalStore(subscribeToInstallPrompt, installPrompt)
  const [isOpen, setOpen] = useState(() =>
    isInstallMoment(installHistory(), isStaff(user), Date.now()),
  )
  useEffect(() => {
    const onInstalled = () => setOpen(false)
    window.addEventListener('appinstalled', onInstalled)
    return () => window.removeEventListener('appinstalled', onInstalled)
  }, [])
  if (!isOpen || !(prompt || needsManualInstall())) return null
  const dismiss = () => {
    recordNotNow()
    setOpen(false)
  }
  const install = () => {
    setOpen(false)
    void prompt
      ?.prompt()
      .then(({ outcome }) => outcome === 'dismissed' && recordNotNow(), recordNotNow)
  }
  return (
    <FootBar place="install">
      <aside className={`${kit.row} ${styles.card}`} aria-label="Install Tatami">
        <img src="/icon.svg" alt="" width={40} height={40} />
        <p className={`${kit.note} ${styles.text}`}>
          <strong>{prompt ? 'Install Tatami' : 'Tatami on your Home Screen'}</strong>
          {prompt ? (
            'It opens without the browser, and its icon shows unread messages.'
          ) : (
            <span>
              Tap Share <IconShare2 size={18} aria-hidden className={styles.icon} />, then Add to
              Home Screen. You get notifications, too.
            </span>
          )}
        </p>
        <div className={styles.actions}>
          <Button variant="subtle" onClick={dismiss}>
            Not now
          </Button>
          {prompt && <Button onClick={install}>Install</Button>}
        </div>
      </aside>
    </FootBar>
  )
}

type Launch = { targetURL?: string | null }
type LaunchQueue = { setConsumer: (consume: (launch: Launch) => void) => void }

let isFirstLaunch = true
/** True if this launch opened the window, so its page has already loaded. */
function hasOpenedWindow(url: string) {
  const wasFirstLaunch = isFirstLaunch
  isFirstLaunch = false
  return wasFirstLaunch && performance.getEntriesByType('navigation')[0]?.name === url
}

/** Opens the shortcuts of the app's icon in the open window (`focus-existing` in the manifest). */
function useShortcuts() {
  const navigate = useNavigate()
  const openShortcut = useEffectEvent(({ targetURL }: Launch) => {
    if (!targetURL || hasOpenedWindow(targetURL)) return
    const { pathname, search } = new URL(targetURL)
    // The icon itself only brings the window to the front.
    if (pathname !== '/') void navigate(pathname + search)
  })
  useEffect(() => {
    ;(window as { launchQueue?: LaunchQueue }).launchQueue?.setConsumer((launch) =>
      openShortcut(launch),
    )
  }, [])
}
