import { addDays } from '@tatami/contract/lib/calendar-day'
import { mustExist } from '@tatami/contract/lib/must-exist'
import {
  EXCUSE_DAYS_AHEAD,
  type Excuse,
  type ExcuseFilter,
  type ExcuseRequest,
  type ExcuseSource,
} from '@tatami/contract/calendar/excuses'
import { and, asc, eq, gte, sql } from 'drizzle-orm'
import { equalsAny } from '../../db/bulk.ts'
import { giveFreePlaces, hasFreePlace, leaveWaitlist } from '../dates/places.ts'
import { classes } from '../../classes/tables.ts'
import type { Tx } from '../../db/database.ts'
import { isForeignKeyViolation } from '../../db/database-errors.ts'
import { todayIn } from '../../dojos/calendar.ts'
import { dojoById } from '../../dojos/dojos.ts'
import { requireVisibleStudent, findVisibleStudents } from '../../guardians/readers.ts'
import { guardians } from '../../guardians/tables.ts'
import type { DojoCaller } from '../../http/serve.ts'
import { invalid, notFound, Refusal } from '../../lib/refusal.ts'
import { instructors } from '../../sensei/tables.ts'
import { enrollments, isCurrentStudent, students } from '../../students/tables.ts'
import { findClassDate } from '../timetable/timetable.ts'
import { excuses } from './tables.ts'

export type ExcuseTarget = { student_id: string; class_id: string; class_date: string }
type ExcuseAuthor = { source: ExcuseSource; created_by: string | null }

const LIST_LIMIT = 1000

const matchesExcuse = ({ student_id, class_id, class_date }: ExcuseTarget) =>
  and(
    eq(excuses.student_id, student_id),
    eq(excuses.class_id, class_id),
    eq(excuses.class_date, class_date),
  )

const selectExcuses = (tx: Tx) =>
  tx
    .select({
      student_id: excuses.student_id,
      student_name: students.name,
      class_id: excuses.class_id,
      class_name: classes.class_name,
      class_date: excuses.class_date,
      source: excuses.source,
      created_by_name: sql<string | null>`coalesce(${instructors.name}, ${guardians.name})`,
      created_at: excuses.created_at,
    })
    .from(excuses)
    .innerJoin(students, eq(students.id, excuses.student_id))
    .innerJoin(classes, eq(classes.id, excuses.class_id))
    .leftJoin(instructors, eq(instructors.id, excuses.created_by))
    .leftJoin(guardians, eq(guardians.id, excuses.created_by))

/** Only instructors can see who entered an excuse. */
export async function listExcuses(
  tx: Tx,
  caller: DojoCaller,
  filter: ExcuseFilter,
): Promise<Excuse[]> {
  const { time_zone } = await dojoById(tx, caller.dojoId)
  if (filter.student_id && caller.role !== 'instructor')
    await requireVisibleStudent(tx, caller, filter.student_id)
  const visibleIds = caller.role === 'instructor' ? null : await findVisibleStudents(tx, caller)
  const rows = await selectExcuses(tx)
    .where(
      and(
        visibleIds ? equalsAny(excuses.student_id, visibleIds) : undefined,
        filter.student_id ? eq(excuses.student_id, filter.student_id) : undefined,
        filter.class_id ? eq(excuses.class_id, filter.class_id) : undefined,
        filter.class_date
          ? eq(excuses.class_date, filter.class_date)
          : gte(excuses.class_date, todayIn(time_zone)),
      ),
    )
    .orderBy(asc(excuses.class_date), asc(excuses.class_id), asc(excuses.student_id))
    .limit(LIST_LIMIT)
  return caller.role === 'instructor' ? rows : rows.map(hideAuthor)
}

const hideAuthor = (excuse: Excuse): Excuse => ({
  ...excuse,
  source: excuse.source === 'instructor' ? 'instructor' : 'family',
  created_by_name: null,
})

/** Excuses a student, and gives the free place to the waitlist. Returns the existing excuse if the
 *  student is already excused. Throws 404 for a student or class of another dojo. */
export async function excuseStudent(
  tx: Tx,
  dojoId: string,
  target: ExcuseTarget,
  author: ExcuseAuthor,
): Promise<Excuse> {
  const [student] = await tx
    .select({ id: students.id })
    .from(students)
    .where(and(eq(students.id, target.student_id), isCurrentStudent))
  if (!student) throw notFound('Student')
  await tx
    .insert(excuses)
    .values({ ...target, ...author })
    // The update changes nothing, but locks an existing row until it is read below.
    .onConflictDoUpdate({
      target: [excuses.dojo_id, excuses.student_id, excuses.class_id, excuses.class_date],
      set: { source: sql`${excuses.source}` },
    })
    .catch((error: unknown) => {
      throw isForeignKeyViolation(error) ? notFound('Class') : error
    })
  const [excuse] = await selectExcuses(tx).where(matchesExcuse(target))
  const date = { class_id: target.class_id, day: target.class_date }
  // The student may have asked for a place before they were enrolled.
  await leaveWaitlist(tx, date, target.student_id)
  await giveFreePlaces(tx, dojoId, date)
  return mustExist(excuse, 'The excuse')
}

export async function removeExcuse(
  tx: Tx,
  target: ExcuseTarget,
  source?: ExcuseSource,
): Promise<void> {
  const removedExcuses = await tx
    .delete(excuses)
    .where(and(matchesExcuse(target), source && eq(excuses.source, source)))
    .returning({ student_id: excuses.student_id })
  if (removedExcuses.length > 0)
    await leaveWaitlist(
      tx,
      { class_id: target.class_id, day: target.class_date },
      target.student_id,
    )
}

/** Instructors may excuse students on any day. Families may excuse them only from upcoming classes.
 *  */
export async function requestExcuse(
  tx: Tx,
  caller: DojoCaller,
  request: ExcuseRequest,
): Promise<Excuse> {
  const target = await toTarget(tx, caller, request)
  if (caller.role === 'instructor')
    return excuseStudent(tx, caller.dojoId, target, { source: 'instructor', created_by: caller.id })
  await requireUpcomingClass(tx, caller.dojoId, target)
  const source = target.student_id === caller.id ? 'student' : 'guardian'
  return hideAuthor(
    await excuseStudent(tx, caller.dojoId, target, { source, created_by: caller.id }),
  )
}

const PLACE_TAKEN = 'Someone else has this place now. Ask for a place to join the waitlist.'

/** Instructors can always remove an excuse. Families get 409 if somebody from the waitlist already
 *  has the place. */
export async function requestExcuseRemoval(
  tx: Tx,
  caller: DojoCaller,
  request: ExcuseRequest,
): Promise<void> {
  const target = await toTarget(tx, caller, request)
  if (caller.role !== 'instructor') {
    await requireUpcomingClass(tx, caller.dojoId, target)
    const isExcused = (await tx.$count(excuses, matchesExcuse(target))) > 0
    const date = { class_id: target.class_id, day: target.class_date }
    if (isExcused && !(await hasFreePlace(tx, date))) throw new Refusal(409, PLACE_TAKEN)
  }
  await removeExcuse(tx, target)
}

async function toTarget(
  tx: Tx,
  caller: DojoCaller,
  { student_id: requestedId, ...classAndDate }: ExcuseRequest,
): Promise<ExcuseTarget> {
  const student_id = requestedId ?? (caller.role === 'student' ? caller.id : undefined)
  if (!student_id) throw invalid('student_id', 'Student is required')
  if (caller.role !== 'instructor') await requireVisibleStudent(tx, caller, student_id)
  return { ...classAndDate, student_id }
}

/** Throws 404 unless the student is in the class. Throws 422 unless the class takes place on that
 *  day, which must be within the next 60 days. */
async function requireUpcomingClass(
  tx: Tx,
  dojoId: string,
  { student_id, class_id, class_date }: ExcuseTarget,
): Promise<void> {
  const [enrollment] = await tx
    .select({ id: enrollments.class_id })
    .from(enrollments)
    .where(and(eq(enrollments.student_id, student_id), eq(enrollments.class_id, class_id)))
  if (!enrollment) throw notFound('Class')
  const { time_zone } = await dojoById(tx, dojoId)
  const today = todayIn(time_zone)
  if (class_date < today) throw invalid('class_date', 'This class is over')
  if (class_date > addDays(today, EXCUSE_DAYS_AHEAD))
    throw invalid('class_date', `Class date must be within the next ${EXCUSE_DAYS_AHEAD} days`)
  const date = await findClassDate(tx, class_id, class_date)
  if (!date) throw invalid('class_date', 'This class does not meet on that day')
  if (date.status !== 'on')
    throw invalid('class_date', 'This class does not take place on that day')
}
