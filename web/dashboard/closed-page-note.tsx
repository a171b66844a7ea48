import { Button } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { roleOf, useCurrentUser } from '../lib/current-user.ts'
import { LayoutLink, useOpenPage } from '../lib/layout-link.tsx'
import { type PageName, type PagePath, PATHS } from '../lib/paths.ts'
import { useClosedSection } from '../lib/closed-page.ts'
import kit from '../ui/kit.module.css'
import styles from './layout.module.css'

type OwnPage = { label: string; path: PagePath }
/** Pages for students and guardians that correspond to pages for instructors. */
const STUDENT_PAGES: Partial<Record<PageName, OwnPage>> = {
  messageCenter: { label: 'Announcements', path: PATHS.messageCenter },
  students: { label: 'My attendance', path: PATHS.attendance },
}
const GUARDIAN_PAGES: Partial<Record<PageName, OwnPage>> = {
  messageCenter: { label: 'Messages', path: PATHS.messageCenter },
  paymentCenter: { label: 'Receipts', path: PATHS.receipts },
  students: { label: 'Attendance', path: PATHS.attendance },
}

/** Tells students and guardians who opened a page for instructors where to go instead. */
export function ClosedPageNote() {
  const role = roleOf(useCurrentUser())
  const closedSection = useClosedSection()
  const openPage = useOpenPage()
  if (closedSection === undefined) return null
  const isGuardian = role === 'guardian'
  const ownPage = (isGuardian ? GUARDIAN_PAGES : STUDENT_PAGES)[closedSection]
  return (
    <div role="status" className={`${kit.row} ${styles.closedPage}`}>
      <IconInfoCircle size={20} aria-hidden />
      <p>
        That page is for instructors. Here’s your own page{isGuardian && ', with your children'}.
      </p>
      {ownPage && (
        <Button component={LayoutLink} to={ownPage.path} variant="default">
          {ownPage.label}
        </Button>
      )}
      <Button variant="subtle" onClick={() => openPage(PATHS.dashboard, { replace: true })}>
        OK
      </Button>
    </div>
  )
}
