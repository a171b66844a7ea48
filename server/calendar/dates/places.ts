import { addDays } from '@tatami/contract/lib/calendar-day'
import { mustExist } from '@tatami/contract/lib/must-exist'
import {
  type DateTarget,
  PLACE_DAYS_AHEAD,
  type PlaceTarget,
  type StudentOnDate,
} from '@tatami/contract/calendar/class-dates'
import { type ClassDate, hasBegun, isOver } from '@tatami/contract/calendar/timetable'
import { and, asc, eq, gte, isNull } from 'drizzle-orm'
import { auditAction } from '../../audit/audit.ts'
import { classes } from '../../classes/tables.ts'
import { equalsAny } from '../../db/bulk.ts'
import type { Tx } from '../../db/database.ts'
import { excuses } from '../excuses/tables.ts'
import { requireVisibleStudent } from '../../guardians/readers.ts'
import type { DojoCaller } from '../../http/serve.ts'
import { nowIso } from '../../lib/clock.ts'
import { invalid, notFound } from '../../lib/refusal.ts'
import { isCurrentStudent, students } from '../../students/tables.ts'
import { findClassDate, readDojoTime } from '../timetable/timetable.ts'
import { notifyOfPlace } from './notices.ts'
import { countTakenPlaces, listPeopleOnDate, type PersonOnDate, readRoster } from './roster.ts'
import { placeRequests } from './tables.ts'
import { pick, pluck } from '../../lib/rows.ts'

const isRequestOnDate = ({ class_id, day }: DateTarget) =>
  and(eq(placeRequests.class_id, class_id), eq(placeRequests.day, day))
const matchesRequest = (target: DateTarget, studentIds: string[]) =>
  and(isRequestOnDate(target), equalsAny(placeRequests.student_id, studentIds))

/** Prevents two requests from giving the same place. Throws 404 for an unknown class. */
export async function lockClass(tx: Tx, id: string): Promise<typeof classes.$inferSelect> {
  const [row] = await tx.select().from(classes).where(eq(classes.id, id)).for('update')
  if (!row) throw notFound('Class')
  return row
}

type PeopleOnDate = { people: PersonOnDate[]; takenPlaces: number }

async function readPeopleOnDate(tx: Tx, { class_id, day }: DateTarget): Promise<PeopleOnDate> {
  const roster = await readRoster(tx, { from: day, until: day, classIds: [class_id] })
  const people = listPeopleOnDate(roster, { class_id, day })
  return { people, takenPlaces: countTakenPlaces(roster, { class_id, day }, people) }
}

export const leaveWaitlist = (tx: Tx, target: DateTarget, studentId: string) =>
  tx.delete(placeRequests).where(matchesRequest(target, [studentId]))

export async function hasFreePlace(tx: Tx, target: DateTarget): Promise<boolean> {
  const { places } = await lockClass(tx, target.class_id)
  return places === null || (await readPeopleOnDate(tx, target)).takenPlaces < places
}

/** Gives free places to the first students on the waitlist, unless the class is over. */
export async function giveFreePlaces(tx: Tx, dojoId: string, target: DateTarget): Promise<void> {
  const [waitingRequest] = await tx
    .select({ id: placeRequests.student_id })
    .from(placeRequests)
    .where(and(isRequestOnDate(target), isNull(placeRequests.given_at)))
    .limit(1)
  if (!waitingRequest) return
  const { places } = await lockClass(tx, target.class_id)
  const date = await findClassDate(tx, target.class_id, target.day)
  if (date?.status !== 'on' || isOver(date, await readDojoTime(tx, dojoId))) return
  const { people, takenPlaces } = await readPeopleOnDate(tx, target)
  const waitingStudents = people.filter(({ state }) => state === 'waiting')
  const freePlaces = places === null ? Infinity : Math.max(0, places - takenPlaces)
  const nextStudents = waitingStudents.slice(0, freePlaces)
  await givePlaces(tx, dojoId, date, nextStudents)
}

async function givePlaces(
  tx: Tx,
  dojoId: string,
  date: ClassDate,
  nextStudents: PersonOnDate[],
): Promise<void> {
  const ids = pluck(nextStudents, 'student_id')
  if (ids.length === 0) return
  await tx
    .update(placeRequests)
    .set({ given_at: nowIso(), awaits_text: true })
    .where(matchesRequest(date, ids))
  await removeExcuses(tx, date, ids)
  for (const { student_id: id, student_name: name } of nextStudents)
    await notifyOfPlace(tx, dojoId, date, { id, name })
}

/** Removes the excuses of students who get a place. Such a student is enrolled and needs no place
 *  request, so their request is deleted, too. */
async function removeExcuses(
  tx: Tx,
  { class_id, day }: DateTarget,
  studentIds: string[],
): Promise<void> {
  const removedExcuses = await tx
    .delete(excuses)
    .where(
      and(
        eq(excuses.class_id, class_id),
        eq(excuses.class_date, day),
        equalsAny(excuses.student_id, studentIds),
      ),
    )
    .returning({ id: excuses.student_id })
  const ids = pluck(removedExcuses, 'id')
  if (ids.length > 0) await tx.delete(placeRequests).where(matchesRequest({ class_id, day }, ids))
}

export async function giveAllFreePlaces(tx: Tx, dojoId: string, class_id?: string): Promise<void> {
  const { day: today } = await readDojoTime(tx, dojoId)
  const targets = await tx
    .selectDistinct(pick(placeRequests, 'class_id', 'day'))
    .from(placeRequests)
    .where(
      and(
        gte(placeRequests.day, today),
        isNull(placeRequests.given_at),
        class_id ? eq(placeRequests.class_id, class_id) : undefined,
      ),
    )
    .orderBy(asc(placeRequests.class_id), asc(placeRequests.day))
  for (const target of targets) await giveFreePlaces(tx, dojoId, target)
}

/** Throws 404 for a student whom the caller may not see. Throws 422 if the class has no limit or
 *  does not take place. */
export async function askForPlace(
  tx: Tx,
  caller: DojoCaller,
  request: PlaceTarget,
): Promise<StudentOnDate> {
  const { class_id, day } = request
  const student_id = await findStudentOfRequest(tx, caller, request)
  const { places } = await lockClass(tx, class_id)
  const date = await requireUpcomingDate(tx, caller.dojoId, request)
  if (places === null)
    throw invalid('class_id', 'This class has no limit, so there is no need to ask for a place')
  const { people, takenPlaces } = await readPeopleOnDate(tx, request)
  const requester = people.find((person) => person.student_id === student_id)
  if (requester && requester.state !== 'excused' && requester.state !== 'away') return requester
  // An enrolled student can still come to a class that has begun, but a guest cannot.
  if (!requester && hasBegun(date, await readDojoTime(tx, caller.dojoId)))
    throw invalid('day', 'This class has already begun')
  const isFree = takenPlaces < places
  await tx.insert(placeRequests).values({
    class_id,
    day,
    student_id,
    created_by: caller.id,
    given_at: isFree ? nowIso() : null,
  })
  if (isFree) await removeExcuses(tx, request, [student_id])
  return readPersonOnDate(tx, request, student_id)
}

async function readPersonOnDate(
  tx: Tx,
  target: DateTarget,
  studentId: string,
): Promise<PersonOnDate> {
  const { people } = await readPeopleOnDate(tx, target)
  return mustExist(
    people.find(({ student_id }) => student_id === studentId),
    'The student on this date',
  )
}

/** Ignores the order of the waitlist and the limit. Throws 422 for a student who is not on the
 *  waitlist. */
export async function givePlace(
  tx: Tx,
  caller: DojoCaller,
  request: PlaceTarget,
): Promise<StudentOnDate> {
  const student_id = await findStudentOfRequest(tx, caller, request)
  await lockClass(tx, request.class_id)
  const date = await requireUpcomingDate(tx, caller.dojoId, request)
  const { people } = await readPeopleOnDate(tx, request)
  const requester = people.find((person) => person.student_id === student_id)
  if (requester?.state === 'expected' || requester?.state === 'has_place') return requester
  if (requester?.state !== 'waiting')
    throw invalid('student_id', 'This student is not on the waitlist')
  await givePlaces(tx, caller.dojoId, date, [requester])
  return readPersonOnDate(tx, request, student_id)
}

export async function giveBackPlace(
  tx: Tx,
  caller: DojoCaller,
  request: PlaceTarget,
): Promise<void> {
  const student_id = await findStudentOfRequest(tx, caller, request)
  await lockClass(tx, request.class_id)
  await tx.delete(placeRequests).where(matchesRequest(request, [student_id]))
  await giveFreePlaces(tx, caller.dojoId, request)
}

async function findStudentOfRequest(
  tx: Tx,
  caller: DojoCaller,
  { student_id: requestedId }: PlaceTarget,
): Promise<string> {
  const id = requestedId ?? (caller.role === 'student' ? caller.id : undefined)
  if (!id) throw invalid('student_id', 'Student is required')
  if (caller.role !== 'instructor') await requireVisibleStudent(tx, caller, id)
  const [student] = await tx
    .select({ id: students.id })
    .from(students)
    .where(and(eq(students.id, id), isCurrentStudent))
  if (!student) throw notFound('Student')
  return id
}

/** Throws 422 unless the class takes place on that day, which must be within the next 60 days. */
async function requireUpcomingDate(
  tx: Tx,
  dojoId: string,
  { class_id, day }: DateTarget,
): Promise<ClassDate> {
  const dojoTime = await readDojoTime(tx, dojoId)
  if (day > addDays(dojoTime.day, PLACE_DAYS_AHEAD))
    throw invalid('day', `The day must be within the next ${PLACE_DAYS_AHEAD} days`)
  const date = await findClassDate(tx, class_id, day)
  if (date?.status !== 'on') throw invalid('day', 'This class does not take place on that day')
  if (isOver(date, dojoTime)) throw invalid('day', 'This class is over')
  return date
}

export async function setPlaces(
  tx: Tx,
  caller: DojoCaller,
  id: string,
  places: number | null,
): Promise<{ places: number | null }> {
  const [row] = await tx
    .update(classes)
    .set({ places })
    .where(eq(classes.id, id))
    .returning({ places: classes.places })
  if (!row) throw notFound('Class')
  await giveAllFreePlaces(tx, caller.dojoId, id)
  await auditAction(tx, caller, 'class places set', { details: { places: places ?? 0 } })
  return row
}
