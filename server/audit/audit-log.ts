import { actionsOfKind } from '@tatami/contract/audit/actions'
import type { AuditEntry, AuditQuery } from '@tatami/contract/audit/audit'
import { DEFAULT_PAGE_SIZE } from '@tatami/contract/lib/fields'
import { MONEY_RIGHTS } from '@tatami/contract/rights'
import { and, desc, eq, inArray, lt, notInArray } from 'drizzle-orm'
import { accounts } from '../accounts/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import type { DojoCaller } from '../http/serve.ts'
import { guardians } from '../guardians/tables.ts'
import { kiosks } from '../kiosk/tables.ts'
import { instructors } from '../sensei/tables.ts'
import { students } from '../students/tables.ts'
import { NO_ACTOR_ID } from './audit.ts'
import { auditLog } from './tables.ts'

type AuditRow = typeof auditLog.$inferSelect & { details: AuditEntry['details'] }

/** Lists the newest entries first, with people's current names. Deleted people have no name. Staff
 *  who may not see money get no entries about money. */
export async function readAuditLog(
  tx: Tx,
  { dojoId, staff }: DojoCaller,
  { limit = DEFAULT_PAGE_SIZE, before, kind }: AuditQuery,
): Promise<AuditEntry[]> {
  const seesMoney = MONEY_RIGHTS.some((right) => staff?.rights.has(right))
  const rows = (await tx
    .select()
    .from(auditLog)
    .where(
      and(
        eq(auditLog.dojo_id, dojoId),
        kind ? inArray(auditLog.action, actionsOfKind(kind)) : undefined,
        seesMoney ? undefined : notInArray(auditLog.action, actionsOfKind('payments')),
        before ? lt(auditLog.id, before) : undefined,
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(limit)) as AuditRow[]
  const people = await findPeople(tx, rows)
  return rows.map((row) => toAuditEntry(row, people))
}

type ActorKind = AuditEntry['actor_kind']
type Person = { name: string | null; kind: ActorKind; isStudent: boolean }

const findStudentId = ({ student_id }: AuditRow['details']) =>
  typeof student_id === 'string' ? student_id : null

/** A person with several roles is shown as an instructor, or else as a guardian. */
async function findPeople(tx: Tx, rows: AuditRow[]): Promise<Map<string, Person>> {
  const ids = [
    ...new Set(
      rows
        .flatMap((row) => [row.actor_id, row.subject_id, findStudentId(row.details)])
        .filter((id) => id !== null),
    ),
  ]
  const selectNames = async (
    table: typeof students | typeof guardians | typeof instructors | typeof kiosks,
  ) => tx.select({ id: table.id, name: table.name }).from(table).where(equalsAny(table.id, ids))
  const studentRows = await selectNames(students)
  const guardianRows = await selectNames(guardians)
  const instructorRows = await selectNames(instructors)
  const kioskRows = (await selectNames(kiosks)).map(({ id, name }) => ({
    id,
    name: `Kiosk ${name}`,
  }))
  const admins = await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(equalsAny(accounts.id, ids), eq(accounts.role, 'super-admin')))
  const studentIds = new Set(studentRows.map(({ id }) => id))
  const toPeople = (kind: ActorKind, people: { id: string; name: string | null }[]) =>
    people.map(({ id, name }): [string, Person] => [
      id,
      { name, kind, isStudent: studentIds.has(id) },
    ])
  return new Map([
    ...toPeople('student', studentRows),
    ...toPeople('guardian', guardianRows),
    ...toPeople('instructor', instructorRows),
    ...toPeople('kiosk', kioskRows),
    ...toPeople(
      'admin',
      admins.map(({ id }) => ({ id, name: null })),
    ),
    [NO_ACTOR_ID, { name: null, kind: 'system', isStudent: false }],
  ])
}

function toAuditEntry(
  { id, action, actor_id, subject_id, details: allDetails, created_at }: AuditRow,
  people: Map<string, Person>,
): AuditEntry {
  const { student_id: _, ...details } = allDetails
  const personIds = [subject_id, findStudentId(allDetails)].filter((personId) => personId !== null)
  const actor = people.get(actor_id)
  return {
    id,
    action,
    actor_kind: actor?.kind ?? 'gone',
    actor: actor?.name ?? null,
    subject: (subject_id && people.get(subject_id)?.name) || null,
    student: people.get(findStudentId(allDetails) ?? '')?.name ?? null,
    student_id: personIds.find((personId) => people.get(personId)?.isStudent) ?? null,
    details,
    created_at,
  }
}
