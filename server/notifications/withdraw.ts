import { fillTemplate } from '@tatami/contract/message-types'
import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { guardians, guardianships } from '../families/tables.ts'
import { instructors } from '../sensei/tables.ts'
import { students } from '../students/tables.ts'
import { NOTIFICATIONS_CHANGED } from './notify.ts'
import { notifications, notificationStudents } from './tables.ts'

/** SQL for whether the account of a notification may read of the student: as an instructor, as that student, or as a guardian with the right. */
const maySee = (studentId: PgColumn): SQL => sql`(
  exists (select from ${instructors} where ${instructors.id} = ${notifications.account_id})
  or (${notifications.account_id} = ${studentId} and exists (select from ${students} where ${students.id} = ${studentId}))
  or exists (select from ${guardianships} join ${guardians} on ${guardians.id} = ${guardianships.guardian_id}
    where ${guardianships.student_id} = ${studentId} and ${guardianships.ended_at} is null and ${guardianships.sees}
      and ${guardians.account_id} = ${notifications.account_id}
      and (${guardianships.sees_fees} or not ${notifications.is_about_fees})))`

/**
 * Withdraws what accounts were told of these students and may not read any more, after a link or a right has ended: a notification about one
 * student goes, one about several names the others alone. What has not been withdrawn stays as it is, so it may be called after any change.
 */
export async function withdrawNotices(tx: Tx, dojoId: string, studentIds: string[]): Promise<void> {
  await tx
    .delete(notifications)
    .where(
      sql`${equalsAny(notifications.student_id, studentIds)} and not ${maySee(notifications.student_id)}`,
    )
  const { rows } = await tx.execute<{
    id: string
  }>(sql`delete from ${notificationStudents} using ${notifications}
    where ${notifications.dojo_id} = ${notificationStudents.dojo_id} and ${notifications.id} = ${notificationStudents.notification_id}
      and ${equalsAny(notificationStudents.student_id, studentIds)} and not ${maySee(notificationStudents.student_id)}
    returning ${notificationStudents.notification_id} as id`)
  await rewordNotices(
    tx,
    rows.map(({ id }) => id),
  )
  await tx.publish(NOTIFICATIONS_CHANGED, dojoId)
}

/** Takes a student who is about to be deleted out of all notifications that tell of others, too; those of the student alone go with them. */
export async function withdrawNoticesAbout(tx: Tx, studentId: string): Promise<void> {
  const { rows } = await tx.execute<{ id: string }>(
    sql`delete from ${notificationStudents} where ${notificationStudents.student_id} = ${studentId}
      returning ${notificationStudents.notification_id} as id`,
  )
  await rewordNotices(
    tx,
    rows.map(({ id }) => id),
  )
}

type Told = { id: string; template: string; name: string; amount: number | null }

/** Names in these notifications the students who are left; those that are about nobody any more go. */
async function rewordNotices(tx: Tx, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await tx.delete(notifications).where(
    sql`${equalsAny(notifications.id, ids)} and not exists (select from ${notificationStudents}
      where ${notificationStudents.notification_id} = ${notifications.id})`,
  )
  const { rows } = await tx.execute<Told>(sql`
    select ${notifications.id}, ${notifications.template}, ${students.name}, (${notificationStudents.amount} / 100.0)::float8 as amount
    from ${notifications}
    join ${notificationStudents} on ${notificationStudents.notification_id} = ${notifications.id}
    join ${students} on ${students.id} = ${notificationStudents.student_id}
    where ${equalsAny(notifications.id, ids)} and ${notifications.template} is not null
    order by lower(${students.name}), ${students.id}`)
  const messages = [...Map.groupBy(rows, ({ id }) => id)].map(([id, told]) => ({
    id,
    message: fillTemplate(told[0]?.template ?? '', told),
  }))
  if (messages.length === 0) return
  await tx.execute(sql`update notifications n set message = r.message
    from jsonb_to_recordset(${JSON.stringify(messages)}::jsonb) as r(id uuid, message text) where n.id = r.id`)
}
