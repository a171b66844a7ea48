import { Button } from '@mantine/core'
import { firstDayOf, monthOfDate, nextMonth } from '@tatami/contract/lib/calendar-day'
import type { importApi } from '@tatami/contract/import/import'
import type { Reply } from '@tatami/contract/lib/endpoint'
import { useEffect, useRef } from 'react'
import { formatMonthOfDate } from '../lib/dates.ts'
import { LayoutLink } from '../lib/layout-link.tsx'
import { pluralize } from '../lib/text.ts'
import { PATHS } from '../lib/paths.ts'
import { Panel } from '../ui/panel.tsx'
import { RecentImports } from './recent-imports.tsx'
import styles from './import-students.module.css'
import kit from '../ui/kit.module.css'

export type ImportResult = Reply<typeof importApi.create> & { remainingRows: number }

export function ImportedNotice({ result }: { result: ImportResult }) {
  const { students, merged, families, classes, invitations, remainingRows } = result
  const { paid_students } = result
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => notice.current?.focus(), [])
  const counts = [
    pluralize(students, 'new student'),
    merged > 0 && `${pluralize(merged, 'existing student')} updated`,
    families > 0 && pluralize(families, 'family', 'families'),
    classes > 0 && pluralize(classes, 'new class', 'new classes'),
    invitations > 0 && `${pluralize(invitations, 'invitation')} on the way`,
  ].filter((count) => count !== false)
  return (
    <div ref={notice} tabIndex={-1} className={styles.imported}>
      <Panel title="Students imported">
        <p role="status" className={kit.strong}>
          {counts.join(' · ')}
        </p>
        {remainingRows > 0 && (
          <p className={kit.muted}>
            Fix the {remainingRows === 1 ? 'row' : `${remainingRows} rows`} below and import again.
          </p>
        )}
        {paid_students > 0 && <p className={kit.muted}>{describePaidThrough(result)}</p>}
        {classes > 0 && (
          <p className={kit.muted}>
            Set the days and times of the new classes in the Class Center.
          </p>
        )}
        <div className={kit.row}>
          <Button component={LayoutLink} to={PATHS.students}>
            See your students
          </Button>
          {classes > 0 && (
            <Button component={LayoutLink} to={PATHS.classCenter} variant="default">
              Open Class Center
            </Button>
          )}
        </div>
        {remainingRows > 0 && <RecentImports />}
      </Panel>
    </div>
  )
}

/** Explains why the Payment Center shows nothing due for months that were paid before the import. */
function describePaidThrough({ paid_students, paid_through }: ImportResult): string {
  const lastPaidMonth = `${paid_through}-01`
  const nextDueMonth = firstDayOf(nextMonth(monthOfDate(lastPaidMonth)))
  return (
    `${pluralize(paid_students, 'student has', 'students have')} paid through ` +
    `${formatMonthOfDate(lastPaidMonth)}. ` +
    `${formatMonthOfDate(nextDueMonth)} is the next month due.`
  )
}
