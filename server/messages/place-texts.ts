import { addDays } from '@tatami/contract/lib/calendar-day'
import {
  dateWords,
  PLACE_IS_FREE,
  placeText,
  placeWords,
} from '@tatami/contract/calendar/class-date-words'
import { minutesOf } from '@tatami/contract/classes/classes'
import { type ClassDate, type DojoTime, isOver } from '@tatami/contract/calendar/timetable'
import { and, asc, eq } from 'drizzle-orm'
import { instructorIds } from '../accounts/instructors.ts'
import { placeRequests } from '../calendar/dates/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { groupRows, pluck } from '../lib/rows.ts'
import { accountsSeeing } from '../guardians/readers.ts'
import { notifyEach, notifyInstructors } from '../notifications/notify.ts'
import { students } from '../students/tables.ts'
import { textUnlessFull } from '../texting/batches.ts'
import { classDateOn, dojoNow } from '../calendar/timetable/timetable.ts'

/** Texts about places wait for the morning, in minutes of the dojo's day, */
const NIGHT_FROM = 21 * 60,
  NIGHT_TO = 8 * 60
/** unless the class starts before this. */
const MORNING_TO = 9 * 60

export const dojosWithPlaceTexts = (overseerTx: Tx) =>
  overseerTx
    .selectDistinct({ dojo_id: placeRequests.dojo_id })
    .from(placeRequests)
    .where(eq(placeRequests.awaits_text, true))

/** Somebody who awaits approval may have typed anybody's phone. */
type Student = { id: string; name: string; awaitsApproval: boolean }

/** Texts wait at night, and for the next day's allowance. */
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
  const dojoMinute = await dojoNow(tx, dojoId)
  for (const ofDate of groupRows(rows, ({ class_id, day }) => `${class_id} ${day}`).values()) {
    const [{ class_id, day }] = ofDate
    const date = await classDateOn(tx, class_id, day)
    const isToCome = date?.status === 'on' && !isOver(date, dojoMinute)
    if (
      isToCome &&
      (isTooEarly(date, dojoMinute) || !(await textAbout(tx, dojoId, date, ofDate, dojoMinute.day)))
    )
      continue
    await tx
      .update(placeRequests)
      .set({ awaits_text: false })
      .where(
        and(
          eq(placeRequests.class_id, class_id),
          eq(placeRequests.day, day),
          equalsAny(placeRequests.student_id, pluck(ofDate, 'id')),
        ),
      )
  }
}

function isTooEarly({ day, start_time }: ClassDate, { day: today, minute }: DojoTime): boolean {
  if (NIGHT_TO <= minute && minute < NIGHT_FROM) return false
  const morning = minute < NIGHT_TO ? today : addDays(today, 1)
  return day > morning || (day === morning && (minutesOf(start_time) ?? MORNING_TO) >= MORNING_TO)
}

/** Returns false if the texts have to wait. Instructors call whom nothing reaches. */
async function textAbout(
  tx: Tx,
  dojoId: string,
  date: ClassDate,
  ofDate: Student[],
  today: string,
): Promise<boolean> {
  const reachedIds = await textUnlessFull(tx, dojoId, {
    kind: 'place_given',
    text: placeText(date, today),
    students: ofDate.filter(({ awaitsApproval }) => !awaitsApproval),
  })
  if (!reachedIds) {
    if (date.day > today) return false
    const names = ofDate.map(({ name }) => name).join(', ')
    const words = `${dateWords(date, today)}. All of today’s texts are used, so please tell them.`
    const messages = (await instructorIds(tx)).map((account_id) => ({
      account_id,
      message: `${names}: ${words}`,
      about: ofDate,
    }))
    await notifyEach(tx, dojoId, { title: PLACE_IS_FREE, template: `{name}: ${words}` }, messages)
    return true
  }
  const unreachedStudents = ofDate.filter(({ id }) => !reachedIds.includes(id))
  const readers = await accountsSeeing(tx, pluck(unreachedStudents, 'id'))
  const informedIds = new Set(pluck(readers, 'student_id'))
  for (const { id, name } of unreachedStudents.filter((student) => !informedIds.has(student.id)))
    await notifyInstructors(tx, dojoId, {
      title: PLACE_IS_FREE,
      message:
        `${placeWords(name, date, today)} They have no login and no phone that gets texts, ` +
        'so please tell them.',
      student_id: id,
    })
  return true
}
