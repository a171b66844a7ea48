import { addDays } from '@tatami/contract/lib/calendar-day'
import { sql } from 'drizzle-orm'
import { attendance } from '../attendance/tables.ts'
import { acrossClasses, type Tx } from '../db/database.ts'
import { pluck } from '../lib/rows.ts'
import { students } from '../students/tables.ts'
import { readPlan } from './plans.ts'
import { isOpenStep, readProgress } from './progress.ts'

const WEEK_DAYS = 7
/** Who enrolled so long ago without coming to a class will probably not come. */
const NEW_STUDENT_DAYS = 30

/** The students who are in the first week of the plan, and new students who have not come yet. */
export async function findFirstWeekStudents(tx: Tx, today: string): Promise<string[]> {
  const { is_on } = await readPlan(tx)
  if (!is_on) return []
  const newStudents = await readProgress(tx, today, isOpenStep)
  const firstWeekIds = pluck(
    newStudents.filter(({ day }) => day <= WEEK_DAYS),
    'student_id',
  )
  return [...new Set([...firstWeekIds, ...(await findStudentsBeforeFirstClass(tx, today))])]
}

const findStudentsBeforeFirstClass = async (tx: Tx, today: string): Promise<string[]> => {
  const { rows: visibleStudents } = await tx.execute<{ id: string }>(sql`
    select student.id from ${students} student
    where student.left_on is null and student.returned_on is null and student.joined_on is null
      and student.created_at >= ${addDays(today, -NEW_STUDENT_DAYS)}::date`)
  const ids = pluck(visibleStudents, 'id')
  const { rows } = await acrossClasses(tx, () =>
    tx.execute<{ id: string }>(sql`
      select id from unnest(${sql.param(ids)}::uuid[]) as student(id)
      where not exists (select from ${attendance} mark
        where mark.dojo_id = current_setting('app.dojo_id')::uuid
          and mark.student_id = student.id and mark.present)`),
  )
  return pluck(rows, 'id')
}
