import { PLACE_IS_FREE, placeWords } from '@tatami/contract/calendar/class-date-words'
import { type ClassDate, isOver } from '@tatami/contract/calendar/timetable'
import type { Tx } from '../../db/database.ts'
import { accountsSeeing } from '../../guardians/readers.ts'
import { notify, notifyEach } from '../../notifications/notify.ts'
import { dojoNow } from '../timetable/timetable.ts'
import { peopleOn, readRoster } from './roster.ts'

export async function findConcerned(
  tx: Tx,
  { class_id, day }: Pick<ClassDate, 'class_id' | 'day'>,
): Promise<string[]> {
  const roster = await readRoster(tx, { from: day, until: day, classIds: [class_id] })
  return peopleOn(roster, { class_id, day }).map(({ student_id }) => student_id)
}

type Notice = { title: string; words: (today: string) => string }

/** Notifies students and their guardians, once each, unless the date is over. */
export async function notifyOfDate(
  tx: Tx,
  dojoId: string,
  date: ClassDate,
  studentIds: string[],
  { title, words }: Notice,
): Promise<void> {
  const dojoTime = await dojoNow(tx, dojoId)
  if (isOver(date, dojoTime)) return
  const readers = Map.groupBy(await accountsSeeing(tx, studentIds), ({ account_id }) => account_id)
  const message = words(dojoTime.day)
  const messages = [...readers].map(([account_id, links]) => ({
    account_id,
    message,
    about: links.map(({ student_id }) => ({ id: student_id })),
  }))
  await notifyEach(tx, dojoId, { title }, messages)
}

export async function notifyOfPlace(
  tx: Tx,
  dojoId: string,
  date: ClassDate,
  student: { id: string; name: string },
): Promise<void> {
  const { day: today } = await dojoNow(tx, dojoId)
  const accounts = new Set(
    (await accountsSeeing(tx, [student.id])).map(({ account_id }) => account_id),
  )
  await notify(tx, dojoId, [...accounts], {
    title: PLACE_IS_FREE,
    message: placeWords(student.name, date, today),
    student_id: student.id,
  })
}
