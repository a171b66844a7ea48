import { ageOn } from '@tatami/contract/lib/calendar-day'
import { Title } from '@mantine/core'
import type { DojoClass } from '@tatami/contract/classes/classes'
import type { Student, StudentPage } from '@tatami/contract/students/students'
import { today } from '../lib/dates.ts'
import { joinNonEmpty, pluralize } from '../lib/text.ts'
import { describePlanDay } from '../followups/followup-words.ts'
import { EditableFace } from '../pictures/editable-face.tsx'
import { Badge } from '../ui/badge.tsx'
import { RankBelt } from '../ui/rank-belt.tsx'
import { rankName } from '../ui/rank-name.ts'
import { enrolledClassNames } from '../lib/class-groups.ts'
import styles from './student-head.module.css'
import { describeVacation } from './vacation-text.ts'
import kit from '../ui/kit.module.css'
import { describeDeparture } from './departure-text.ts'
import { FormerBadge, TrialBadge, VacationBadge } from './student-badges.tsx'

type Props = {
  student: Student
  page: StudentPage | undefined
  classes: readonly DojoClass[] | undefined
}

function describeClasses(student: Student, page: Props['page'], classes: Props['classes']) {
  if (student.left_on !== null) {
    const formerClasses = { ...student, enrolled_classes: page?.left_classes ?? [] }
    const names = classes && enrolledClassNames(formerClasses, classes)
    return names ? `Was in ${names}` : '\u00a0'
  }
  const isLoading = !classes && student.enrolled_classes.length > 0
  if (isLoading) return '\u00a0'
  return (classes && enrolledClassNames(student, classes)) || 'No classes'
}

export function StudentHead({ student, page, classes }: Props) {
  const { name, rank, belt_level, is_trial, on_vacation, date_of_birth } = student
  const day = today()
  const vacationText = describeVacation(day, {
    on_vacation,
    vacation_from: page?.vacation_from ?? null,
    vacation_until: page?.vacation_until ?? null,
  })
  const age = date_of_birth ? ageOn(day, date_of_birth) : 0
  return (
    <header className={`${kit.line} ${styles.head}`}>
      <EditableFace student={student} size={72} />
      <div className={`${kit.lines} ${kit.fill}`}>
        <Title order={1} className={styles.name}>
          {name}
        </Title>
        <p className={`${kit.row} ${styles.line}`}>
          <span className={styles.item}>
            <RankBelt rank={rank} level={belt_level} size={32} decorative />
            {rankName(rank, belt_level)}
          </span>
          {age > 0 && <span className={styles.item}>{pluralize(age, 'year')} old</span>}
          {student.left_on === null ? (
            <>
              {is_trial ? <TrialBadge /> : <span className={styles.item}>Regular</span>}
              {page?.plan_day && <Badge tone="green">{describePlanDay(page.plan_day)}</Badge>}
              {vacationText && <VacationBadge>{vacationText}</VacationBadge>}
            </>
          ) : (
            <FormerBadge />
          )}
        </p>
        {student.left_on !== null && (
          <p>{joinNonEmpty([describeDeparture(student), page?.left_note], ' · ')}</p>
        )}
        <p className={kit.muted}>{describeClasses(student, page, classes)}</p>
      </div>
    </header>
  )
}
