import { LATE_DAYS } from '@tatami/contract/kiosk/kiosk'
import { and, eq, isNotNull } from 'drizzle-orm'
import { classes } from '../classes/tables.ts'
import type { Tx } from '../db/database.ts'
import { dojoById } from '../dojos/dojos.ts'
import type { Kiosk } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { notifyInstructors } from '../notifications/notify.ts'
import { firstRow } from '../lib/rows.ts'
import { students } from '../students/tables.ts'
import { classDateOn } from '../calendar/timetable/timetable.ts'
import { kioskCheckIns } from './tables.ts'

export type NotCounted = { student_id: string; why: 'too late' | 'no PIN' | 'no class' }
type LateCheckIn = { id: string; class_id: string; day: string; at: Date }

const timeWordsIn = (timeZone: string, instant: Date) =>
  new Intl.DateTimeFormat('en-US', {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
  })
    .format(instant)
    .replaceAll('\u202F', ' ')

/** Tells the instructors about offline check-ins that no roll has, once for each student and
 *  day. */
export async function reportNotCounted(
  tx: Tx,
  kiosk: Kiosk,
  late: LateCheckIn,
  people: readonly NotCounted[],
): Promise<void> {
  const { time_zone } = await dojoById(tx, kiosk.dojoId)
  for (const { student_id, why } of people.toSorted((a, b) =>
    a.student_id < b.student_id ? -1 : 1,
  )) {
    if (!(await isFirst(tx, kiosk, late, student_id))) continue
    const studentRows = await tx
      .select({ name: students.name })
      .from(students)
      .where(eq(students.id, student_id))
    const { name } = firstRow(studentRows)
    const message =
      `${name} checked in on ${timeWordsIn(time_zone, late.at)}, ` +
      `but ${await reason(tx, late, why)}.`
    await notifyInstructors(tx, kiosk.dojoId, {
      title: 'A check-in was not counted',
      message,
      student_id,
    })
  }
}

/** Stores the check-in as undone, so that nobody can undo it. */
async function isFirst(
  tx: Tx,
  kiosk: Kiosk,
  { id, class_id, day }: LateCheckIn,
  student_id: string,
): Promise<boolean> {
  // Two that arrive together wait for each other.
  await tx
    .select({ id: students.id })
    .from(students)
    .where(eq(students.id, student_id))
    .for('update')
  const isNotice = and(
    eq(kioskCheckIns.student_id, student_id),
    eq(kioskCheckIns.class_date, day),
    isNotNull(kioskCheckIns.undone_at),
    eq(kioskCheckIns.undone_at, kioskCheckIns.created_at),
  )
  if ((await tx.$count(kioskCheckIns, isNotice)) > 0) return false
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

async function reason(
  tx: Tx,
  { class_id, day }: LateCheckIn,
  why: NotCounted['why'],
): Promise<string> {
  if (why === 'too late') return `that arrived more than ${LATE_DAYS} days later`
  if (why === 'no PIN') return 'without the PIN that the kiosk asks for'
  const [dojoClass] = await tx
    .select({ name: classes.class_name })
    .from(classes)
    .where(eq(classes.id, class_id))
  if (!dojoClass) return 'the class has been deleted since'
  const date = await classDateOn(tx, class_id, day)
  const event = date?.status === 'cancelled' ? 'was canceled' : 'did not take place'
  return `${dojoClass.name} ${event} that day`
}
