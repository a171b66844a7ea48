import { addDays } from '@tatami/contract/lib/calendar-day'
import { Button } from '@mantine/core'
import { IconAward, IconChevronRight } from '@tabler/icons-react'
import type { GradingSummary } from '@tatami/contract/gradings/gradings'
import { describeComing, formatTime, formatDateAndTime } from '../gradings/grading-text.ts'
import { schoolBeltTestName } from '../lib/belt-test.ts'
import { breakAfterCommas } from '../lib/dates.ts'
import { LayoutLink } from '../lib/layout-link.tsx'
import rows from '../ui/rows.module.css'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import styles from './today.module.css'
import kit from '../ui/kit.module.css'

const DAYS_AHEAD = 7

type Props = { gradings: readonly GradingSummary[]; day: string }

/** Shows today’s belt tests like classes. Later ones have one line each. */
export function UpcomingBeltTests({ gradings, day }: Props) {
  const isUpcoming = ({ state, held_on }: GradingSummary) =>
    state !== 'finished' && held_on >= day && held_on <= addDays(day, DAYS_AHEAD)
  const upcomingGradings = gradings
    .filter(isUpcoming)
    .toSorted((a, b) => a.held_on.localeCompare(b.held_on))
  const todaysGradings = upcomingGradings.filter(({ held_on }) => held_on === day)
  const laterGradings = upcomingGradings.filter(({ held_on }) => held_on > day)
  return (
    <>
      {todaysGradings.length > 0 && (
        <ul className={rows.list} aria-label={`${schoolBeltTestName().capitalized} today`}>
          {todaysGradings.map((grading) => (
            <TodaysBeltTest key={grading.id} grading={grading} />
          ))}
        </ul>
      )}
      {laterGradings.map((grading) => (
        <LayoutLink
          key={grading.id}
          to={`/gradings/${grading.id}`}
          className={`${kit.line} ${kit.plainLink} ${styles.link}`}
        >
          <IconAward size={20} stroke={1.5} aria-hidden />
          <span>
            {grading.name}
            <span className={`${kit.note} ${styles.names}`}>{formatDateAndTime(grading)}</span>
          </span>
          <IconChevronRight size={20} stroke={1.5} aria-hidden />
        </LayoutLink>
      ))}
    </>
  )
}

const TodaysBeltTest = ({ grading }: { grading: GradingSummary }) => (
  <li>
    <div className={rows.text}>
      <span className={`${kit.name} ${rows.name}`}>{grading.name}</span>
      <span className={kit.facts}>
        {grading.held_at && <span>{formatTime(grading.held_at)}</span>}
        <span>{breakAfterCommas(describeComing(grading))}</span>
      </span>
    </div>
    <div className={styles.actions}>
      <Button component={LayoutLink} to={`/gradings/${grading.id}?view=test-day`} px="md">
        Test day<VisuallyHidden>{` of ${grading.name}`}</VisuallyHidden>
      </Button>
    </div>
  </li>
)
