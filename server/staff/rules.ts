import type { StaffRules, StaffRulesForm } from '@tatami/contract/staff/staff'
import { publishDojoAccountsChange } from '../accounts/sessions.ts'
import { readStaffRules } from '../accounts/staff-rules.ts'
import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import type { DojoCaller } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { requireOwner } from './grant-rules.ts'
import { staffRules } from './tables.ts'

type RulesRow = typeof staffRules.$inferSelect

/** Rules that the form omits do not change. */
export async function setStaffRules(
  tx: Tx,
  caller: DojoCaller,
  form: StaffRulesForm,
): Promise<StaffRules> {
  requireOwner(caller)
  const [currentRow] = await tx.select().from(staffRules)
  const changes = changedColumns(form, currentRow)
  if (Object.keys(changes).length === 0) return readStaffRules(tx)
  await tx
    .insert(staffRules)
    .values(changes)
    .onConflictDoUpdate({ target: staffRules.dojo_id, set: { ...currentRow, ...changes } })
  if (form.second_factor !== undefined) await publishDojoAccountsChange(tx, caller.dojoId)
  await auditAction(tx, caller, 'staff rules changed')
  return readStaffRules(tx)
}

function changedColumns(
  { refuses_own_family_setting, max_recipients, second_factor }: StaffRulesForm,
  currentRow: RulesRow | undefined,
): Partial<RulesRow> {
  // A rule that was already on keeps its start, so that open sessions continue.
  const ruleStart = (isOn: boolean, currentStart: string | null | undefined) =>
    isOn ? (currentStart ?? nowIso()) : null
  return {
    ...(refuses_own_family_setting !== undefined && {
      refuses_own_family: refuses_own_family_setting,
    }),
    ...(max_recipients !== undefined && { max_recipients }),
    ...(second_factor !== undefined && {
      second_factor_owners_since: ruleStart(
        second_factor !== 'nobody',
        currentRow?.second_factor_owners_since,
      ),
      second_factor_money_since: ruleStart(
        second_factor === 'money',
        currentRow?.second_factor_money_since,
      ),
    }),
  }
}
