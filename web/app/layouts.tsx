import { ActionIcon, Button } from '@mantine/core'
import { IconX, IconDeviceMobile } from '@tabler/icons-react'
import { useState, useEffect, type ComponentType } from 'react'
import { useLocation, Link } from 'react-router'
import { PreviewBanner } from './preview-banner.tsx'
import { isStaff, useCurrentUser } from '../lib/current-user.ts'
import { pathWithoutLayout, lastLayout, rememberLayout, pathIn } from '../lib/layout.ts'
import { isNative } from '../lib/native.ts'
import { hasNewVersion, useOldestCopyTime } from '../lib/offline.ts'
import { Bell } from '../notifications/bell.tsx'
import { Footer } from '../ui/brand.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { AccountMenu } from './account.tsx'
import { BackArrow } from './back-arrow.tsx'
import { Content } from './content.tsx'
import { FindButton } from './find-button.tsx'
import { KeyboardShortcuts } from './keyboard-shortcuts.tsx'
import styles from './layouts.module.css'
import { BottomTabs, SkipLink, NavBar } from './navigation.tsx'
import { findScreen } from './routes.tsx'
import { SectionTabs } from './section-tabs.tsx'

const PullToFind = lazyComponent(() => import('./pull-to-find.tsx'), 'PullToFind')

export function MobileLayout() {
  const path = pathWithoutLayout(useLocation().pathname)
  const screen = findScreen(path)
  const user = useCurrentUser()
  return (
    <div className={styles.mobileShell} data-wide={screen?.isWide}>
      <SkipLink />
      <PreviewBanner />
      <header className={styles.topBar}>
        <BackArrow />
        <span className={styles.title} data-offline={useOldestCopyTime() !== undefined}>
          {screen?.title}
        </span>
        <div className={styles.actions}>
          {isStaff(user) && <FindButton />}
          <Bell accountId={user.id} isInstructor={isStaff(user)} />
          <AccountMenu />
        </div>
      </header>
      <LayoutOffer />
      <OfflineNotes />
      {path === '/students' && <PullToFind />}
      <SectionTabs />
      <Content className={styles.mobileMain} />
      <div className={styles.mobileFooter}>
        <Footer />
      </div>
      <KeyboardShortcuts />
      <Installation />
      <BottomTabs />
    </div>
  )
}

function Installation() {
  const [InstallSupport, setInstallSupport] = useState<ComponentType>()
  useEffect(() => {
    import('./installed.tsx')
      .then((module) => setInstallSupport(() => module.InstallSupport))
      .catch(() => {})
  }, [])
  return InstallSupport && <InstallSupport />
}

const LazyOfflineNotes = lazyComponent(() => import('./offline-notes.tsx'), 'OfflineNotes')
function OfflineNotes() {
  const copyTime = useOldestCopyTime()
  return (hasNewVersion.use() || copyTime !== undefined) && <LazyOfflineNotes />
}

function LayoutOffer() {
  const { pathname, search } = useLocation()
  const { is_super_admin } = useCurrentUser()
  const [isOpen, setOpen] = useState(() => lastLayout() === null && !isNative())
  if (!isOpen || is_super_admin) return null
  const dismiss = () => {
    rememberLayout('mobile')
    setOpen(false)
  }
  return (
    <aside className={styles.layoutOffer} aria-label="Layout">
      <p>Your screen is wide enough for the desktop version.</p>
      <Button
        component={Link}
        to={pathIn('desktop', pathWithoutLayout(pathname)) + search}
        size="sm"
      >
        Switch to desktop
      </Button>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label="Keep this layout"
        onClick={dismiss}
      >
        <IconX size={20} />
      </ActionIcon>
    </aside>
  )
}

export function DesktopLayout() {
  useEffect(() => rememberLayout('desktop'), [])
  return (
    <div className={styles.desktopShell}>
      <SkipLink />
      <PreviewBanner />
      <NavBar />
      <OfflineNotes />
      <SectionTabs />
      <nav className={styles.desktopBack} aria-label="Back">
        <BackArrow />
      </nav>
      <Content className={styles.desktopMain} />
      <div className={styles.desktopFooter}>
        <Footer />
      </div>
      <KeyboardShortcuts />
      <Installation />
      {!isNative() && (
        <nav aria-label="Layout">
          <Link to="/" className={styles.mobileLink} onClick={() => rememberLayout('mobile')}>
            <IconDeviceMobile size={20} aria-hidden />
            <span className={styles.label}>Mobile version</span>
          </Link>
        </nav>
      )}
    </div>
  )
}
