import { birthdayIn, yearOf } from '@tatami/contract/lib/calendar-day'
import type { Greeting, KioskClass } from '@tatami/contract/kiosk/kiosk'
import { firstName } from '@tatami/contract/lib/name-parts'
import { asc, desc, eq } from 'drizzle-orm'
import { toHeldRank, toShownRank } from '../belts/current-ranks.ts'
import { type StudentProgress, readProgress } from '../belts/student-progress.ts'
import { classStyles, styles } from '../belts/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { findBeltProgress } from '../belts/belt-progress.ts'
import { entriesOf, readEntryNotices } from '../plans/entries.ts'
import { readPhotos } from '../pictures/pictures.ts'
import { students } from '../students/tables.ts'
import { getOrThrow, pick, pluck } from '../lib/rows.ts'

export type KioskAttendee = {
  student_id: string
  kioskClass: KioskClass
  was_here: boolean
  /** True if the kiosk did not mark the student, who must see an instructor. */
  sees_instructor: boolean
  papers: Greeting['papers']
}

/** Anyone can read the screen, so greetings say nothing about fees, phones or other students. */
export async function composeGreetings(
  tx: Tx,
  attendees: readonly KioskAttendee[],
  day: string,
): Promise<Greeting[]> {
  const ids = pluck(attendees, 'student_id')
  const rows = await tx
    .select(pick(students, 'id', 'name', 'belt_level', 'date_of_birth'))
    .from(students)
    .where(equalsAny(students.id, ids))
  const studentsById = new Map(rows.map((row) => [row.id, row]))
  // For a student without a rank, the greeting shows only the number of classes.
  const progressByStudent = await readStudentProgress(tx, attendees, day)
  const classCounts = await findBeltProgress(tx, ids)
  const photos = await readPhotos(tx, ids)
  const notices = await readEntryNotices(tx, entriesOf(attendees, day), day)
  return attendees.map(({ student_id, kioskClass, ...attendee }): Greeting => {
    const { name, belt_level, date_of_birth } = getOrThrow(studentsById, student_id)
    const progress = progressByStudent.get(student_id)
    const classes = progress?.classes ?? classCounts.get(student_id)?.classes
    const rank = progress ? toHeldRank(progress.currentRank) : null
    return {
      first_name: firstName(name),
      photo: photos.get(student_id) ?? null,
      class_name: kioskClass.name,
      class_time: kioskClass.time,
      is_birthday: isBirthday(date_of_birth, day),
      ...attendee,
      entry_words: notices.get(student_id)?.words ?? null,
      progress: classes === undefined ? null : { classes, rank, belt_level },
      next: progress && typeof progress.next !== 'string' ? toShownRank(progress.next.rank) : null,
      missing: (progress?.missing ?? []).filter(({ rule }) => rule !== 'fee'),
      completion: progress?.completion ?? null,
      is_ready: progress?.readiness === 'ready',
      instructor_decides: progress?.instructor_decides ?? false,
    }
  })
}

const isBirthday = (dateOfBirth: string | null, day: string): boolean =>
  dateOfBirth !== null && birthdayIn(yearOf(day), dateOfBirth) === day

/** If a class teaches several styles, uses the first style in which the student has a rank. The
 *  main style comes first. */
async function readStudentProgress(
  tx: Tx,
  attendees: readonly KioskAttendee[],
  day: string,
): Promise<Map<string, StudentProgress>> {
  const allStyles = await tx
    .select()
    .from(styles)
    .orderBy(desc(styles.is_main), asc(styles.created_at), asc(styles.id))
  const progressByStudent = new Map<string, StudentProgress>()
  const attendeesByClass = Map.groupBy(attendees, ({ kioskClass }) => kioskClass.id)
  for (const [classId, classAttendees] of attendeesByClass) {
    const taughtStyles = await tx
      .select({ id: classStyles.style_id })
      .from(classStyles)
      .where(eq(classStyles.class_id, classId))
    const taughtIds = new Set(pluck(taughtStyles, 'id'))
    const stylesOfClass =
      taughtIds.size === 0
        ? allStyles.filter(({ is_main }) => is_main)
        : allStyles.filter(({ id }) => taughtIds.has(id))
    for (const style of stylesOfClass) {
      const ids = classAttendees
        .map(({ student_id }) => student_id)
        .filter((id) => !progressByStudent.has(id))
      if (ids.length === 0) break
      for (const progress of await readProgress(tx, style, ids, { today: day, day }))
        progressByStudent.set(progress.student.id, progress)
    }
  }
  return progressByStudent
}
