import type { StaffRules, StaffRulesForm } from '@tatami/contract/staff/staff'
import { readStaffRules } from '../accounts/staff-rules.ts'
import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import type { DojoCaller } from '../http/serve.ts'
import { requireOwner } from './grant-rules.ts'
import { staffRules } from './tables.ts'

/** Rules that the form does not name stay as they are. */
export async function setStaffRules(
  tx: Tx,
  caller: DojoCaller,
  { refuses_own_family_setting, max_recipients }: StaffRulesForm,
): Promise<StaffRules> {
  requireOwner(caller)
  const current = await readStaffRules(tx)
  const row = {
    refuses_own_family:
      refuses_own_family_setting === undefined
        ? current.refuses_own_family_setting
        : refuses_own_family_setting,
    max_recipients: max_recipients ?? current.max_recipients,
  }
  await tx
    .insert(staffRules)
    .values(row)
    .onConflictDoUpdate({ target: staffRules.dojo_id, set: row })
  await auditAction(tx, caller, 'staff rules changed')
  return readStaffRules(tx)
}
