import { MAX_LATE_DAYS } from '@tatami/contract/kiosk/kiosk'
import { and, eq, isNotNull } from 'drizzle-orm'
import { classes } from '../classes/tables.ts'
import type { Tx } from '../db/database.ts'
import { dojoById } from '../dojos/dojos.ts'
import type { Kiosk } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { notifyStaff } from '../notifications/notify.ts'
import { firstRow } from '../lib/rows.ts'
import { students } from '../students/tables.ts'
import { findClassDate } from '../calendar/timetable/timetable.ts'
import { kioskCheckIns } from './tables.ts'

export type UncountedStudent = {
  student_id: string
  reasonCode: 'too late' | 'no PIN' | 'no class' | 'over' | 'not enrolled'
}
type OfflineCheckIn = { id: string; class_id: string; day: string; at: Date }

const formatTime = (timeZone: string, instant: Date) =>
  new Intl.DateTimeFormat('en-US', {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
  })
    .format(instant)
    .replaceAll('\u202F', ' ') // The narrow no-break space before "PM"

/** Notifies the instructors once per student and day. */
export async function reportUncounted(
  tx: Tx,
  kiosk: Kiosk,
  checkIn: OfflineCheckIn,
  uncountedStudents: readonly UncountedStudent[],
): Promise<void> {
  const { time_zone } = await dojoById(tx, kiosk.dojoId)
  // All reports use the same order to avoid deadlocks.
  const sortedStudents = uncountedStudents.toSorted((a, b) =>
    a.student_id < b.student_id ? -1 : 1,
  )
  for (const { student_id, reasonCode } of sortedStudents) {
    if (!(await recordFirstReport(tx, kiosk, checkIn, student_id))) continue
    const studentRows = await tx
      .select({ name: students.name })
      .from(students)
      .where(eq(students.id, student_id))
    const { name } = firstRow(studentRows)
    const message =
      `${name} checked in on ${formatTime(time_zone, checkIn.at)}, ` +
      `but ${await formatReason(tx, checkIn, reasonCode)}.`
    await notifyStaff(tx, kiosk.dojoId, 'roll', {
      title: 'A check-in was not counted',
      message,
      student_id,
    })
  }
}

/** Stores the report as a check-in that is already undone. Returns false if it is not the first
 *  report for the student and day. */
async function recordFirstReport(
  tx: Tx,
  kiosk: Kiosk,
  { id, class_id, day }: OfflineCheckIn,
  student_id: string,
): Promise<boolean> {
  // The lock makes sure that only one of two simultaneous reports is the first.
  await tx
    .select({ id: students.id })
    .from(students)
    .where(eq(students.id, student_id))
    .for('update')
  const whereReported = and(
    eq(kioskCheckIns.student_id, student_id),
    eq(kioskCheckIns.class_date, day),
    isNotNull(kioskCheckIns.undone_at),
    eq(kioskCheckIns.undone_at, kioskCheckIns.created_at),
  )
  if ((await tx.$count(kioskCheckIns, whereReported)) > 0) return false
  const createdAt = nowIso()
  const insertedRows = await tx
    .insert(kioskCheckIns)
    .values({
      id,
      student_id,
      kiosk_id: kiosk.id,
      class_id,
      class_date: day,
      created_at: createdAt,
      undone_at: createdAt,
    })
    .onConflictDoNothing()
    .returning({ id: kioskCheckIns.id })
  return insertedRows.length > 0
}

async function formatReason(
  tx: Tx,
  { class_id, day }: OfflineCheckIn,
  reasonCode: UncountedStudent['reasonCode'],
): Promise<string> {
  if (reasonCode === 'too late') return `the check-in arrived more than ${MAX_LATE_DAYS} days later`
  if (reasonCode === 'no PIN') return 'did not enter the PIN that the kiosk asks for'
  const [dojoClass] = await tx
    .select({ name: classes.class_name })
    .from(classes)
    .where(eq(classes.id, class_id))
  if (!dojoClass) return 'the class has since been deleted'
  if (reasonCode === 'over') return `${dojoClass.name} was already over`
  if (reasonCode === 'not enrolled') return `is not in ${dojoClass.name}`
  const classDate = await findClassDate(tx, class_id, day)
  const event = classDate?.status === 'cancelled' ? 'was canceled' : 'did not take place'
  return `${dojoClass.name} ${event} that day`
}
