import { monthOfDate } from '@tatami/contract/month'
import { IconCake } from '@tabler/icons-react'
import type { Birthday } from '@tatami/contract/dashboard'
import { formatMonthAndDay } from '../lib/dates.ts'
import styles from './birthday-details.module.css'
import { Celebrant } from './celebrant.tsx'
import { Panel } from './panel.tsx'

const HINT = 'Click on a calendar date to view birthday details'

/** Who has their birthday on `date`; read out as it changes. */
export const BirthdayDetails = ({ date, celebrants }: { date: string; celebrants: Birthday[] }) => (
  <Panel title="Birthday Details">
    <div aria-live="polite" className={styles.details}>
      {celebrants.length === 0 ? (
        <p className={styles.hint}>{HINT}</p>
      ) : (
        <>
          <p className={styles.day}>{formatMonthAndDay(date)}</p>
          <ul className={styles.names}>
            {celebrants.map((birthday, index) => (
              <li key={index}>
                <IconCake size={20} stroke={1.5} aria-hidden />
                <Celebrant birthday={birthday} year={monthOfDate(date).year} />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  </Panel>
)
