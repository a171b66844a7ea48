import { badgeText } from '@tatami/contract/notifications/notifications'
import { useLocation } from 'react-router'
import { ViewSwitch } from './view-switch.tsx'
import { isStaff, useCurrentUser, homePath } from '../lib/current-user.ts'
import { pathWithoutLayout } from '../lib/layout.ts'
import { LayoutLink } from '../lib/layout-link.tsx'
import { Bell } from '../notifications/bell.tsx'
import { useInboxUnread } from '../messages/use-inbox-unread.ts'
import { Logo } from '../ui/brand.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import { LogoutButton, UserName } from './account.tsx'
import { FindButton } from './find-button.tsx'
import styles from './navigation.module.css'
import { findEntryScreen, SCREENS, findScreen, findSection, listSectionTabs } from './routes.tsx'

function useNavigationEntries() {
  const user = useCurrentUser()
  const unread = useInboxUnread()
  const currentScreen = findScreen(pathWithoutLayout(useLocation().pathname))
  const currentPage = currentScreen && findSection(currentScreen, user)
  return SCREENS.flatMap((screen) => {
    const { page, title, navEntry } = screen
    const entryScreen = findEntryScreen(screen, user)
    if (!navEntry || !entryScreen) return []
    // Staff with few rights may open only one screen of a section, such as Attendance.
    const isOnlyScreen = entryScreen !== screen && listSectionTabs(page, user).length === 1
    return {
      path: entryScreen.path,
      title: isOnlyScreen ? entryScreen.title : title,
      shortTitle: isOnlyScreen ? entryScreen.title : navEntry.shortTitle,
      icon: navEntry.icon,
      isCurrent: page === currentPage,
      unread: page === 'messageCenter' ? unread : 0,
      preload: entryScreen.component.preload,
    }
  })
}

export const UnreadBadge = ({ unread }: { unread: number }) =>
  unread > 0 && (
    <>
      <span className={styles.unreadBadge} aria-hidden>
        {badgeText(unread)}
      </span>
      <VisuallyHidden>, {badgeText(unread)} unread</VisuallyHidden>
    </>
  )

export const SkipLink = () => (
  <a href="#content" className={styles.skipLink}>
    Skip to content
  </a>
)

export function BottomTabs() {
  const entries = useNavigationEntries()
  if (entries.length < 2) return null
  return (
    <nav className={styles.tabs} aria-label="Main">
      {entries.map(({ path, title, shortTitle, icon: Icon, isCurrent, unread, preload }) => (
        <LayoutLink
          key={path}
          to={path}
          className={styles.tab}
          aria-current={isCurrent ? 'page' : undefined}
          onPointerDown={preload}
          onFocus={preload}
        >
          <Icon size={24} stroke={isCurrent ? 2 : 1.5} aria-hidden />
          {/* The full title is for screen readers. It begins with the visible one. */}
          <span>
            {shortTitle}
            {title !== shortTitle && <VisuallyHidden>, {title}</VisuallyHidden>}
          </span>
          <UnreadBadge unread={unread} />
        </LayoutLink>
      ))}
    </nav>
  )
}

export function NavBar() {
  const user = useCurrentUser()
  return (
    <header className={styles.bar}>
      <div className={styles.inner}>
        <LayoutLink to={homePath(user)} className={styles.home} aria-label="Tatami, home">
          <Logo />
          Tatami
        </LayoutLink>
        <nav className={styles.entries} aria-label="Main">
          {useNavigationEntries().map(({ path, title, isCurrent, unread, preload }) => (
            <LayoutLink
              key={path}
              to={path}
              className={styles.entry}
              aria-current={isCurrent ? 'page' : undefined}
              onPointerEnter={preload}
              onFocus={preload}
            >
              {title}
              <UnreadBadge unread={unread} />
            </LayoutLink>
          ))}
        </nav>
        {isStaff(user) && <FindButton />}
        <Bell accountId={user.id} isInstructor={isStaff(user)} />
        <ViewSwitch />
        <UserName />
        <LogoutButton size="sm" />
      </div>
    </header>
  )
}
