import { addDays } from '@tatami/contract/lib/calendar-day'
import { firstNames } from '@tatami/contract/texting/message-types'
import { and, asc, eq, gte, isNull, lt, or } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import { acrossClasses, type Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { changePlansOf, findSubscriptionsOf } from '../dues/plans/corrections.ts'
import { formatShortDay } from '../lib/format-day.ts'
import { pick } from '../lib/rows.ts'
import { notifyStaff } from '../notifications/notify.ts'
import { holds } from '../plans/tables.ts'
import { showHoldsAsVacation } from '../plans/vacation-holds.ts'
import { students } from '../students/tables.ts'

/** Ends the holds of students who are back in class, if their holds say so. Call it when students
 *  are marked present. The days since then are charged again where their month was charged already.
 *  Staff are told, and can take it back. */
export async function endHoldsOnReturn(
  tx: Tx,
  dojoId: string,
  studentIds: string[],
  day: string,
): Promise<void> {
  if (studentIds.length === 0) return
  const returnedStudents = await findReturnedStudents(tx, studentIds, day)
  if (returnedStudents.length === 0) return
  const today = await todayOf(tx, dojoId)
  for (const returnedStudent of returnedStudents) {
    // The price may depend on brothers and sisters in classes that the caller does not see.
    await acrossClasses(tx, () => endHold(tx, dojoId, returnedStudent, day))
    await tellStaff(tx, dojoId, returnedStudent, addDays(day, -1))
  }
  const returnedIds = [...new Set(returnedStudents.map(({ student_id }) => student_id))]
  await showHoldsAsVacation(tx, returnedIds, today)
}

type ReturnedStudent = Awaited<ReturnType<typeof findReturnedStudents>>[number]

/** In the order in which payments lock students, so that two requests never wait for each other. */
const findReturnedStudents = (tx: Tx, studentIds: string[], day: string) =>
  tx
    .select({
      ...pick(holds, 'id', 'student_id', 'starts_on', 'ends_on', 'kind'),
      name: students.name,
    })
    .from(holds)
    .innerJoin(students, eq(students.id, holds.student_id))
    .where(
      and(
        equalsAny(holds.student_id, studentIds),
        eq(holds.ends_on_return, true),
        lt(holds.starts_on, day),
        or(isNull(holds.ends_on), gte(holds.ends_on, day)),
      ),
    )
    .orderBy(asc(holds.student_id), asc(holds.id))

async function endHold(
  tx: Tx,
  dojoId: string,
  { id, student_id, starts_on, ends_on }: ReturnedStudent,
  day: string,
): Promise<void> {
  const [firstPlan] = await findSubscriptionsOf(tx, student_id)
  // A period that began long before the hold may have been charged, such as a year.
  const firstDay = firstPlan && firstPlan.starts_on < starts_on ? firstPlan.starts_on : starts_on
  await changePlansOf(tx, { dojoId, isStaff: false }, student_id, firstDay, () =>
    tx
      .update(holds)
      .set({ ends_on: addDays(day, -1), planned_end: ends_on, returned_on: day })
      .where(eq(holds.id, id)),
  )
}

const tellStaff = (
  tx: Tx,
  dojoId: string,
  { kind, name, student_id }: ReturnedStudent,
  lastDay: string,
): Promise<void> =>
  notifyStaff(tx, dojoId, 'students.edit', {
    title: `${name} is back`,
    message:
      `The hold (${kind}) ended on ${formatShortDay(lastDay)}, because ${firstNames([name])} ` +
      'was marked present. If that is wrong, put the student on hold again.',
    student_id,
  })
