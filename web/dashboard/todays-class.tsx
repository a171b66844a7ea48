import { Button, VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { AttendanceRecord } from '@tatami/contract/attendance'
import { timeRange, type DojoClass } from '@tatami/contract/classes'
import { ShellLink } from '../lib/shell.tsx'
import styles from './today.module.css'

const markingAt = (c: DojoClass, day: string) => `/attendance?${new URLSearchParams({ class: c.id, date: day })}`

type Props = { dojoClass: DojoClass; day: string; marks: AttendanceRecord[] }

/** One of today's classes, how far its marking is, and the way to mark it. */
export function TodaysClass({ dojoClass: c, day, marks }: Props) {
  const present = marks.filter((mark) => mark.present).length
  const isMarked = marks.length > 0
  return (
    <li>
      <div className={styles.what}>
        <span className={styles.name}>{c.class_name}</span>
        <span className={styles.about}>
          {timeRange(c)}
          {isMarked && (
            <span className={styles.marked}>
              <IconCheck size={16} aria-hidden />
              {present} present, {marks.length - present} absent
            </span>
          )}
        </span>
      </div>
      <Button component={ShellLink} to={markingAt(c, day)} state={{ isLinked: true }} variant={isMarked ? 'default' : 'filled'}>
        Mark<VisuallyHidden>{` ${c.class_name}`}</VisuallyHidden>
      </Button>
    </li>
  )
}
