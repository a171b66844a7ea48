import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { useCurrentUser } from '../lib/current-user.ts'
import { pathIn, pathWithoutLayout } from '../lib/layout.ts'
import { LayoutLink, useLayout } from '../lib/layout-link.tsx'
import { ATTENDANCE_STATE, isAttendanceState, PATHS } from '../lib/paths.ts'
import { useInboxUnread } from '../messages/use-inbox-unread.ts'
import { UnreadBadge } from './navigation.tsx'
import { type Screen, findScreen, SCREENS, findSection, listSectionTabs } from './routes.tsx'
import styles from './section-tabs.module.css'

/** Finds the current section and screen, and the screens to show as tabs. */
function useSectionTabs() {
  const user = useCurrentUser()
  const layout = useLayout()
  const [query] = useSearchParams()
  const { pathname, state } = useLocation() as { pathname: string; state: unknown }
  const path = pathWithoutLayout(pathname)
  const isAttendance = path === PATHS.students && isAttendanceState(state)
  const screen = findScreen(isAttendance ? PATHS.attendance : path)
  const section = screen?.sectionTab && findSection(screen, user)
  const isDetail = layout === 'mobile' && screen?.detailParams?.some((param) => query.has(param))
  const tabs = section && !isDetail ? listSectionTabs(section, user) : []
  return { section, screen, tabs: tabs.length > 1 ? tabs : [] }
}

/** The second level of the navigation. Screens with a back arrow do not have it. */
export function SectionTabs() {
  const { section, screen: currentScreen, tabs } = useSectionTabs()
  const unread = useInboxUnread()
  const layout = useLayout()
  if (tabs.length === 0) return null
  const sectionTitle = SCREENS.find(({ page }) => page === section)?.title
  return (
    <nav className={styles.tabs} data-layout={layout} aria-label={sectionTitle}>
      {tabs.map((screen) => (
        <SectionTab
          key={screen.page}
          screen={screen}
          isCurrent={screen.sectionTab === currentScreen?.sectionTab}
          unread={screen.page === 'conversations' ? unread : 0}
        />
      ))}
    </nav>
  )
}

type TabProps = { screen: Screen; isCurrent: boolean; unread: number }

function SectionTab({ screen, isCurrent, unread }: TabProps) {
  const preload = screen.component.preload
  const tabProps = {
    className: styles.tab,
    'aria-current': isCurrent ? ('page' as const) : undefined,
    onPointerEnter: preload,
    onFocus: preload,
  }
  if (screen.page === 'attendance') return <AttendanceTab {...tabProps} />
  return (
    <LayoutLink to={screen.path} {...tabProps}>
      {screen.sectionTab}
      <UnreadBadge unread={unread} />
    </LayoutLink>
  )
}

/** A button of the Student Center that switches its view (specification, section 2). */
function AttendanceTab(tabProps: { className: string | undefined }) {
  const navigate = useNavigate()
  const layout = useLayout()
  const { pathname, search } = useLocation()
  const path = pathIn(layout, PATHS.students)
  // Keeps the filter of the list, so that Back returns to it.
  const openAttendance = () =>
    void navigate(pathname === path ? path + search : path, { state: ATTENDANCE_STATE })
  return (
    <button type="button" {...tabProps} onClick={openAttendance}>
      Attendance
    </button>
  )
}
