import { addDays } from '@tatami/contract/lib/calendar-day'
import {
  formatClassDate,
  PLACE_IS_FREE,
  placeText,
  placeNotice,
} from '@tatami/contract/calendar/class-date-texts'
import { parseMinutes } from '@tatami/contract/classes/classes'
import { type ClassDate, type DojoTime, isOver } from '@tatami/contract/calendar/timetable'
import { and, asc, eq } from 'drizzle-orm'
import { listStaffWithRight } from '../accounts/instructors.ts'
import { placeRequests } from '../calendar/dates/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { groupRows, pluck } from '../lib/rows.ts'
import { findReaderAccounts } from '../guardians/readers.ts'
import { notifyEach, notifyStaff } from '../notifications/notify.ts'
import { students } from '../students/tables.ts'
import { queueIfAllowanceSuffices } from '../texting/batches.ts'
import { findClassDate, readDojoTime } from '../calendar/timetable/timetable.ts'

/** These texts are not sent between 9 PM and 8 AM, unless the class starts before 9 AM. */
const QUIET_FROM_MINUTE = 21 * 60
const QUIET_UNTIL_MINUTE = 8 * 60
const EARLY_CLASS_UNTIL_MINUTE = 9 * 60

export const findDojosWithWaitingPlaceTexts = (overseerTx: Tx) =>
  overseerTx
    .selectDistinct({ dojo_id: placeRequests.dojo_id })
    .from(placeRequests)
    .where(eq(placeRequests.awaits_text, true))

/** Students get no text before their approval, because they may have entered a wrong phone. */
type WaitingStudent = { id: string; name: string; awaitsApproval: boolean }

/** Sends the texts that may be sent now. Other texts wait for the morning or the next allowance. */
export async function sendPlaceTexts(tx: Tx, dojoId: string): Promise<void> {
  const rows = await tx
    .select({
      class_id: placeRequests.class_id,
      day: placeRequests.day,
      id: students.id,
      name: students.name,
      awaitsApproval: students.awaits_approval,
    })
    .from(placeRequests)
    .innerJoin(students, eq(students.id, placeRequests.student_id))
    .where(eq(placeRequests.awaits_text, true))
    .orderBy(
      asc(placeRequests.day),
      asc(placeRequests.class_id),
      asc(placeRequests.created_at),
      asc(students.id),
    )
    .for('update', { of: placeRequests })
  const dojoTime = await readDojoTime(tx, dojoId)
  const requestsByDate = groupRows(rows, ({ class_id, day }) => `${class_id} ${day}`)
  for (const requests of requestsByDate.values()) {
    const [{ class_id, day }] = requests
    const classDate = await findClassDate(tx, class_id, day)
    if (classDate?.status === 'on' && !isOver(classDate, dojoTime)) {
      if (mustWaitForMorning(classDate, dojoTime)) continue
      if (!(await sendTextsForDate(tx, dojoId, classDate, requests, dojoTime.day))) continue
    }
    await tx
      .update(placeRequests)
      .set({ awaits_text: false })
      .where(
        and(
          eq(placeRequests.class_id, class_id),
          eq(placeRequests.day, day),
          equalsAny(placeRequests.student_id, pluck(requests, 'id')),
        ),
      )
  }
}

function mustWaitForMorning(
  { day, start_time }: ClassDate,
  { day: today, minute }: DojoTime,
): boolean {
  if (QUIET_UNTIL_MINUTE <= minute && minute < QUIET_FROM_MINUTE) return false
  const dayOfNextMorning = minute < QUIET_UNTIL_MINUTE ? today : addDays(today, 1)
  if (day < dayOfNextMorning) return false
  if (day > dayOfNextMorning) return true
  const startMinute = parseMinutes(start_time)
  return startMinute === null || startMinute >= EARLY_CLASS_UNTIL_MINUTE
}

/** Returns false if the texts have to wait for the next day. If the class is today, it asks the
 *  instructors to tell the students instead. */
async function sendTextsForDate(
  tx: Tx,
  dojoId: string,
  classDate: ClassDate,
  waitingStudents: WaitingStudent[],
  today: string,
): Promise<boolean> {
  const reachedIds = await queueIfAllowanceSuffices(tx, dojoId, {
    kind: 'place_given',
    text: placeText(classDate, today),
    students: waitingStudents.filter(({ awaitsApproval }) => !awaitsApproval),
  })
  if (!reachedIds) {
    if (classDate.day > today) return false
    await askInstructorsToTell(tx, dojoId, classDate, waitingStudents, today)
    return true
  }
  const unreachedStudents = waitingStudents.filter(({ id }) => !reachedIds.includes(id))
  const readers = await findReaderAccounts(tx, pluck(unreachedStudents, 'id'))
  const informedIds = new Set(pluck(readers, 'student_id'))
  for (const { id, name } of unreachedStudents.filter((student) => !informedIds.has(student.id)))
    await notifyStaff(tx, dojoId, 'schedule', {
      title: PLACE_IS_FREE,
      message:
        `${placeNotice(name, classDate, today)} They have no login and no phone that gets texts, ` +
        'so please tell them.',
      student_id: id,
    })
  return true
}

async function askInstructorsToTell(
  tx: Tx,
  dojoId: string,
  classDate: ClassDate,
  waitingStudents: WaitingStudent[],
  today: string,
): Promise<void> {
  const names = pluck(waitingStudents, 'name').join(', ')
  const classAndTime = formatClassDate(classDate, today)
  const request = `${classAndTime}. All of today’s texts are used, so please tell them.`
  const messages = (await listStaffWithRight(tx, 'schedule')).map((account_id) => ({
    account_id,
    message: `${names}: ${request}`,
    about: waitingStudents,
  }))
  await notifyEach(tx, dojoId, { title: PLACE_IS_FREE, template: `{name}: ${request}` }, messages)
}
