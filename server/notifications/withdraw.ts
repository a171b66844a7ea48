import { fillTemplate } from '@tatami/contract/texting/message-types'
import { and, eq, isNotNull, not, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { equalsAny } from '../db/bulk.ts'
import { byName } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { guardians, guardianships } from '../guardians/tables.ts'
import { instructors } from '../sensei/tables.ts'
import { students } from '../students/tables.ts'
import { NOTIFICATIONS_CHANGED } from './notify.ts'
import { notifications, notificationStudents } from './tables.ts'

/** SQL condition: the account may see the student, and also the fees if the message has any. */
const maySee = (studentId: PgColumn): SQL => sql`(
  exists (select from ${instructors} where ${instructors.id} = ${notifications.account_id})
  or (${notifications.account_id} = ${studentId}
    and exists (select from ${students} where ${students.id} = ${studentId}))
  or exists (
    select from ${guardianships}
    join ${guardians} on ${guardians.id} = ${guardianships.guardian_id}
    where ${guardianships.student_id} = ${studentId}
      and ${guardianships.ended_at} is null
      and ${guardianships.sees}
      and ${guardians.account_id} = ${notifications.account_id}
      and (${guardianships.sees_fees} or not ${notifications.is_about_fees})))`

/** Deletes notifications about these students from accounts that may no longer see them. */
export async function deleteUnreadableNotifications(tx: Tx, dojoId: string, studentIds: string[]) {
  await tx
    .delete(notifications)
    .where(
      and(equalsAny(notifications.student_id, studentIds), not(maySee(notifications.student_id))),
    )
  const { rows } = await tx.execute<RemovedStudent>(sql`
    delete from ${notificationStudents} using ${notifications}
    where ${notifications.dojo_id} = ${notificationStudents.dojo_id}
      and ${notifications.id} = ${notificationStudents.notification_id}
      and ${equalsAny(notificationStudents.student_id, studentIds)}
      and not ${maySee(notificationStudents.student_id)}
    returning ${notificationStudents.notification_id}`)
  await rewordNotifications(tx, rows)
  await tx.publish(NOTIFICATIONS_CHANGED, dojoId)
}

export async function deleteBeltNotifications(tx: Tx, dojoId: string, beltChangeIds: string[]) {
  await tx.delete(notifications).where(equalsAny(notifications.belt_change_id, beltChangeIds))
  await tx.publish(NOTIFICATIONS_CHANGED, dojoId)
}

export async function removeStudentsFromNotifications(tx: Tx, studentIds: string[]): Promise<void> {
  const removedRows = await tx
    .delete(notificationStudents)
    .where(equalsAny(notificationStudents.student_id, studentIds))
    .returning({ notification_id: notificationStudents.notification_id })
  await rewordNotifications(tx, removedRows)
}

type RemovedStudent = { notification_id: string }

/** Rewords messages to name only the remaining students. Deletes notifications without students. */
async function rewordNotifications(tx: Tx, removedRows: readonly RemovedStudent[]): Promise<void> {
  const ids = [...new Set(removedRows.map(({ notification_id }) => notification_id))]
  if (ids.length === 0) return
  await tx.delete(notifications).where(
    sql`${equalsAny(notifications.id, ids)} and not exists (
      select from ${notificationStudents}
      where ${notificationStudents.notification_id} = ${notifications.id})`,
  )
  const rows = await tx
    .select({
      id: notifications.id,
      template: notifications.template,
      name: students.name,
      amount: notificationStudents.amount,
    })
    .from(notifications)
    .innerJoin(notificationStudents, eq(notificationStudents.notification_id, notifications.id))
    .innerJoin(students, eq(students.id, notificationStudents.student_id))
    .where(and(equalsAny(notifications.id, ids), isNotNull(notifications.template)))
    .orderBy(...byName(students))
  const messages = [...Map.groupBy(rows, ({ id }) => id)].map(([id, remainingStudents]) => ({
    id,
    message: fillTemplate(remainingStudents[0]?.template ?? '', remainingStudents),
  }))
  if (messages.length === 0) return
  await tx.execute(sql`
    update notifications n set message = r.message
    from jsonb_to_recordset(${JSON.stringify(messages)}::jsonb) as r(id uuid, message text)
    where n.id = r.id`)
}
