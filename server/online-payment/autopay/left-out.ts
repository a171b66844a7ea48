import { and, eq, sql } from 'drizzle-orm'
import { auditAction } from '../../audit/audit.ts'
import type { Tx } from '../../db/database.ts'
import type { DojoCaller } from '../../http/serve.ts'
import { charges, ledgerLines } from '../../ledger/tables.ts'
import { nowIso } from '../../lib/clock.ts'
import { notFound } from '../../lib/refusal.ts'
import { pluck } from '../../lib/rows.ts'
import { lineKey } from '../live-lines.ts'
import type { OwedLine } from '../owed-lines.ts'
import { autopayPermissions } from './tables.ts'

type LeftOutRow = {
  student_id: string
  charge_id: string
  pays_for: string
}

/**
 * Charges that were paid once, and whose payment was then undone by the school or given back. They
 * may be owed again only because somebody pressed a wrong button, so autopay leaves them out until
 * the payer pays them or the school allows it. Returns the id of the charge by `lineKey`.
 */
export async function findLeftOutCharges(
  tx: Tx,
  studentIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await tx.execute<LeftOutRow>(sql`
    select c.student_id, c.id as charge_id,
      case when c.kind = 'month' then c.year || '-' || c.month else c.id::text end as pays_for
    from ${ledgerLines} taken
    join ${charges} c on c.id = taken.charge_id
    left join ${ledgerLines} paid on paid.id = taken.reverses
    left join ${autopayPermissions} p on p.charge_id = c.id
    where c.student_id = any(${sql.param(studentIds)}::uuid[])
      and (taken.kind = 'refund' and taken.amount > 0
        or paid.kind in ('payment', 'credit') and paid.amount < 0 and taken.created_by is not null)
      and not exists (select from ${ledgerLines} undone where undone.reverses = taken.id)
      and (p.allowed_at is null or p.allowed_at < taken.created_at)`)
  return new Map(rows.map((row) => [lineKey(row), row.charge_id]))
}

/** The lines that autopay leaves out. */
export async function keepLeftOut(tx: Tx, lines: readonly OwedLine[]): Promise<OwedLine[]> {
  const leftOutCharges = await findLeftOutCharges(tx, pluck(lines, 'student_id'))
  return lines.filter((line) => leftOutCharges.has(lineKey(line)))
}

/** The school says that a charge is really owed again, so that autopay takes it. */
export async function allowCharge(
  tx: Tx,
  caller: DojoCaller,
  { studentId, chargeId }: { studentId: string; chargeId: string },
): Promise<void> {
  const isOfStudent = and(eq(charges.id, chargeId), eq(charges.student_id, studentId))
  if ((await tx.$count(charges, isOfStudent)) === 0) throw notFound('Charge')
  const permission = { allowed_at: nowIso(), allowed_by: caller.id }
  await tx
    .insert(autopayPermissions)
    .values({ charge_id: chargeId, ...permission })
    .onConflictDoUpdate({
      target: [autopayPermissions.dojo_id, autopayPermissions.charge_id],
      set: permission,
    })
  await auditAction(tx, caller, 'autopay allowed', { subject_id: studentId })
}
