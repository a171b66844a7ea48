import { birthdayIn, yearOf } from '@tatami/contract/lib/calendar-day'
import type { Greeting, KioskClass } from '@tatami/contract/kiosk/kiosk'
import { firstName } from '@tatami/contract/lib/name-parts'
import { asc, desc, eq } from 'drizzle-orm'
import { toHeldRank, toShownRank } from '../belts/held-ranks.ts'
import { type StudentProgress, readProgress } from '../belts/standings.ts'
import { classStyles, styles } from '../belts/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { findBeltProgress } from '../belts/belt-progress.ts'
import { students } from '../students/tables.ts'
import { pick, pluck } from '../lib/rows.ts'

export type Attendee = { student_id: string; to: KioskClass; was_here: boolean }

/** In the order of `attendees`. Nothing about fees, phones or anybody else. */
export async function greetingsFor(
  tx: Tx,
  came: readonly Attendee[],
  day: string,
): Promise<Greeting[]> {
  const ids = pluck(came, 'student_id')
  const rows = await tx
    .select(pick(students, 'id', 'name', 'belt_level', 'date_of_birth'))
    .from(students)
    .where(equalsAny(students.id, ids))
  const studentsById = new Map(rows.map((row) => [row.id, row]))
  const standings = await readProgressOf(tx, came, day)
  const progress = await findBeltProgress(tx, ids)
  return came.flatMap(({ student_id, to, was_here }): Greeting[] => {
    const student = studentsById.get(student_id)
    if (!student) return []
    const { name, belt_level, date_of_birth } = student
    const standing = standings.get(student_id)
    const classes = standing?.classes ?? progress.get(student_id)?.classes
    return [
      {
        first_name: firstName(name),
        class_name: to.name,
        class_time: to.time,
        is_birthday: isBirthday(date_of_birth, day),
        was_here,
        progress:
          classes === undefined
            ? null
            : { classes, rank: standing ? toHeldRank(standing.currentRank) : null, belt_level },
        next:
          standing && typeof standing.next !== 'string' ? toShownRank(standing.next.rank) : null,
        missing: (standing?.missing ?? []).filter(({ rule }) => rule !== 'fee'),
        is_ready: standing?.readiness === 'ready',
        instructor_decides: standing?.instructor_decides ?? false,
      },
    ]
  })
}

const isBirthday = (dateOfBirth: string | null, day: string): boolean =>
  dateOfBirth !== null && birthdayIn(yearOf(day), dateOfBirth) === day

/** In the first style of the class that the student has a rank in, the main style first. */
async function readProgressOf(
  tx: Tx,
  came: readonly Attendee[],
  day: string,
): Promise<Map<string, StudentProgress>> {
  const allStyles = await tx
    .select()
    .from(styles)
    .orderBy(desc(styles.is_main), asc(styles.created_at), asc(styles.id))
  const standingByStudent = new Map<string, StudentProgress>()
  for (const [classId, classAttendees] of Map.groupBy(came, ({ to }) => to.id)) {
    const taughtStyles = await tx
      .select({ id: classStyles.style_id })
      .from(classStyles)
      .where(eq(classStyles.class_id, classId))
    const ofClass = allStyles.filter(({ id, is_main }) =>
      taughtStyles.length === 0
        ? is_main
        : taughtStyles.some((taughtStyle) => taughtStyle.id === id),
    )
    for (const style of ofClass) {
      const ids = classAttendees
        .map(({ student_id }) => student_id)
        .filter((id) => !standingByStudent.has(id))
      if (ids.length === 0) break
      for (const standing of await readProgress(tx, style, ids, { today: day, day }))
        standingByStudent.set(standing.student.id, standing)
    }
  }
  return standingByStudent
}
