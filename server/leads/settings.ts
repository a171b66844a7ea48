import {
  DEFAULT_KEPT_MONTHS,
  KEPT_MONTHS,
  type LeadSettings,
} from '@tatami/contract/leads/settings'
import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import type { DojoCaller } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { leadSettings } from './tables.ts'

export async function readLeadSettings(tx: Tx): Promise<LeadSettings> {
  const [settings] = await tx.select().from(leadSettings)
  const keptMonths = KEPT_MONTHS.find((months) => months === settings?.kept_months)
  return { kept_months: keptMonths ?? DEFAULT_KEPT_MONTHS }
}

export async function changeLeadSettings(
  tx: Tx,
  caller: DojoCaller,
  settings: LeadSettings,
): Promise<LeadSettings> {
  const values = { ...settings, changed_at: nowIso() }
  await tx
    .insert(leadSettings)
    .values(values)
    .onConflictDoUpdate({ target: leadSettings.dojo_id, set: values })
  await auditAction(tx, caller, 'lead settings changed')
  return readLeadSettings(tx)
}
