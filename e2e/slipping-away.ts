import type { Belt } from '@tatami/contract/lib/ranks'
import { sql } from 'drizzle-orm'
import { newId } from '../server/db/columns.ts'
import type { Dojo } from './dojo.ts'

export type AtRiskStudent = {
  name: string
  /** The number of days since the last class. Undefined if the student never came. */
  days?: number
  /** The number of classes in the last 28 days, and in the 28 days before. */
  classes?: [recent: number, before: number]
  belt_level?: Belt
  is_trial?: boolean
  phone_number?: string
}

/** Creates students who enrolled 200 days ago, with their attendance. Returns their ids by name. */
export async function createAtRiskStudents(
  dojo: Dojo,
  students: AtRiskStudent[],
): Promise<Record<string, string>> {
  const { id: classId } = await dojo.createClass({ class_name: 'Teens' })
  const rows = students.map(({ belt_level = 'white', is_trial = false, ...student }, index) => ({
    id: newId(),
    phone_number: `(512) 555-0${100 + index}`,
    ...student,
    belt_level,
    is_trial,
  }))
  const marks = rows.flatMap(({ id, days, classes = [0, 0] }) => {
    const daysAgo = [
      ...(days === undefined ? [] : [days]),
      ...Array.from({ length: classes[0] }, (_, index) => 1 + index),
      ...Array.from({ length: classes[1] }, (_, index) => 28 + index),
    ]
    return daysAgo.map((days_ago) => ({ id: newId(), student_id: id, days_ago }))
  })
  await dojo.inDatabase(async (tx) => {
    await tx.execute(sql`
      insert into students (id, name, belt_level, is_trial, phone_number, created_at)
      select id, name, belt_level, is_trial, phone_number, now() - interval '200 days'
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r(id uuid, name text, belt_level text, is_trial boolean, phone_number text)`)
    await tx.execute(sql`
      insert into attendance
        (id, student_id, class_id, class_name, class_date, present, created_at)
      select id, student_id, ${classId}, 'Teens',
        (now() at time zone 'America/Chicago')::date - days_ago, true, now()
      from jsonb_to_recordset(${JSON.stringify(marks)}::jsonb)
        as r(id uuid, student_id uuid, days_ago int)`)
  })
  return Object.fromEntries(rows.map(({ name, id }) => [name, id]))
}
