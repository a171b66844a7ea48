import { PLACE_IS_FREE, placeNotice } from '@tatami/contract/calendar/class-date-texts'
import { type ClassDate, isOver } from '@tatami/contract/calendar/timetable'
import type { Tx } from '../../db/database.ts'
import { findReaderAccounts } from '../../guardians/readers.ts'
import { notify, notifyEach } from '../../notifications/notify.ts'
import { readDojoTime } from '../timetable/timetable.ts'
import { pluck } from '../../lib/rows.ts'
import { listPeopleOnDate, readRoster } from './roster.ts'

/** Finds enrolled students, guests and students on the waitlist. */
export async function findAffectedStudents(
  tx: Tx,
  { class_id, day }: Pick<ClassDate, 'class_id' | 'day'>,
): Promise<string[]> {
  const roster = await readRoster(tx, { from: day, until: day, classIds: [class_id] })
  return listPeopleOnDate(roster, { class_id, day }).map(({ student_id }) => student_id)
}

type DateNotice = { title: string; message: (today: string) => string }

/** Notifies each account once, unless the class is over. */
export async function notifyOfDate(
  tx: Tx,
  dojoId: string,
  date: ClassDate,
  studentIds: string[],
  notice: DateNotice,
): Promise<void> {
  const dojoTime = await readDojoTime(tx, dojoId)
  if (isOver(date, dojoTime)) return
  const linksByAccount = Map.groupBy(
    await findReaderAccounts(tx, studentIds),
    ({ account_id }) => account_id,
  )
  const message = notice.message(dojoTime.day)
  const messages = [...linksByAccount].map(([account_id, links]) => ({
    account_id,
    message,
    about: links.map(({ student_id }) => ({ id: student_id })),
  }))
  await notifyEach(tx, dojoId, { title: notice.title }, messages)
}

export async function notifyOfPlace(
  tx: Tx,
  dojoId: string,
  date: ClassDate,
  student: { id: string; name: string },
): Promise<void> {
  const { day: today } = await readDojoTime(tx, dojoId)
  const accountIds = new Set(pluck(await findReaderAccounts(tx, [student.id]), 'account_id'))
  await notify(tx, dojoId, [...accountIds], {
    title: PLACE_IS_FREE,
    message: placeNotice(student.name, date, today),
    student_id: student.id,
  })
}
