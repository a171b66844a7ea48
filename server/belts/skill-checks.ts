import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import { lockStudent } from '../guardians/guardianships.ts'
import type { DojoCaller } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { notFound } from '../lib/refusal.ts'
import { saveMainStyle } from './styles.ts'
import { approvals, ranks, skillChecks, skills } from './tables.ts'

/** Checks or unchecks a skill. Two simultaneous checks write one row. Throws 404 for another dojo's
 *  ids and for a retired skill. */
export async function checkSkill(
  tx: Tx,
  caller: DojoCaller,
  studentId: string,
  skillId: string,
  isChecked: boolean,
): Promise<void> {
  await lockStudent(tx, studentId)
  const [skill] = await tx
    .select({ id: skills.id })
    .from(skills)
    .where(and(eq(skills.id, skillId), isNull(skills.retired_at)))
  if (!skill) throw notFound('Skill')
  const [lastCheck] = await tx
    .select({ is_checked: skillChecks.is_checked })
    .from(skillChecks)
    .where(and(eq(skillChecks.student_id, studentId), eq(skillChecks.skill_id, skillId)))
    .orderBy(desc(skillChecks.id))
    .limit(1)
  if ((lastCheck?.is_checked ?? false) === isChecked) return
  await tx.insert(skillChecks).values({
    student_id: studentId,
    skill_id: skillId,
    is_checked: isChecked,
    checked_by: caller.id,
  })
  await auditAction(tx, caller, isChecked ? 'skill checked' : 'skill unchecked', {
    subject_id: studentId,
  })
}

export async function approve(
  tx: Tx,
  caller: DojoCaller,
  studentId: string,
  rankId: string,
  isApproved: boolean,
): Promise<void> {
  await lockStudent(tx, studentId)
  await saveMainStyle(tx)
  const [rank] = await tx.select({ id: ranks.id }).from(ranks).where(eq(ranks.id, rankId))
  if (!rank) throw notFound('Rank')
  const changedRows = isApproved
    ? await insertApproval(tx, { student_id: studentId, rank_id: rankId, approved_by: caller.id })
    : await withdrawApproval(tx, studentId, rankId)
  if (changedRows.length > 0)
    await auditAction(tx, caller, isApproved ? 'promotion approved' : 'approval withdrawn', {
      subject_id: studentId,
    })
}

type NewApproval = { student_id: string; rank_id: string; approved_by: string }

/** Returns no row if the student is already approved for the rank. */
const insertApproval = (tx: Tx, approval: NewApproval) =>
  tx
    .insert(approvals)
    .values({ ...approval, approved_at: nowIso() })
    .onConflictDoUpdate({
      target: [approvals.dojo_id, approvals.student_id, approvals.rank_id],
      set: {
        approved_at: sql`excluded.approved_at`,
        approved_by: sql`excluded.approved_by`,
        withdrawn_at: null,
      },
      setWhere: sql`${approvals.withdrawn_at} is not null`,
    })
    .returning({ rank_id: approvals.rank_id })

const withdrawApproval = (tx: Tx, studentId: string, rankId: string) =>
  tx
    .update(approvals)
    .set({ withdrawn_at: nowIso() })
    .where(
      and(
        eq(approvals.student_id, studentId),
        eq(approvals.rank_id, rankId),
        isNull(approvals.withdrawn_at),
      ),
    )
    .returning({ rank_id: approvals.rank_id })
