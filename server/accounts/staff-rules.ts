import { MAX_RECIPIENTS, type StaffRules } from '@tatami/contract/staff/staff'
import { eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { staffMembers, staffRules } from '../staff/tables.ts'

/** The rules for all staff of the dojo. */
export async function readStaffRules(tx: Tx): Promise<StaffRules> {
  const [rules] = await tx.select().from(staffRules)
  const setting = rules?.refuses_own_family ?? null
  return {
    refuses_own_family: setting ?? (await hasSeveralOwners(tx)),
    refuses_own_family_setting: setting,
    max_recipients: rules?.max_recipients ?? MAX_RECIPIENTS.default,
  }
}

const hasSeveralOwners = async (tx: Tx): Promise<boolean> =>
  (await tx.$count(staffMembers, eq(staffMembers.is_owner, true))) > 1
