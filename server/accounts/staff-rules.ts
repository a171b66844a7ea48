import { MONEY_RIGHTS } from '@tatami/contract/rights'
import {
  MAX_RECIPIENTS,
  type SecondFactorRule,
  type StaffRules,
} from '@tatami/contract/staff/staff'
import { eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import type { StaffScope } from '../http/serve.ts'
import { staffMembers, staffRules } from '../staff/tables.ts'

export async function readStaffRules(tx: Tx): Promise<StaffRules> {
  const [rules] = await tx.select().from(staffRules)
  const setting = rules?.refuses_own_family ?? null
  return {
    refuses_own_family: setting ?? (await hasSeveralOwners(tx)),
    refuses_own_family_setting: setting,
    max_recipients: rules?.max_recipients ?? MAX_RECIPIENTS.default,
    second_factor: rules ? toSecondFactorRule(rules) : 'nobody',
  }
}

const toSecondFactorRule = (rules: typeof staffRules.$inferSelect): SecondFactorRule => {
  if (rules.second_factor_money_since !== null) return 'money'
  return rules.second_factor_owners_since === null ? 'nobody' : 'owners'
}

/** Returns the time since which the school requires a second factor for these rights. */
export async function findSchoolFactorDate(
  tx: Tx,
  { isOwner, rights }: Pick<StaffScope, 'isOwner' | 'rights'>,
): Promise<string | null> {
  const [rules] = await tx.select().from(staffRules)
  if (!rules) return null
  if (isOwner) return rules.second_factor_owners_since
  const handlesMoney = MONEY_RIGHTS.some((right) => rights.has(right))
  return handlesMoney ? rules.second_factor_money_since : null
}

const hasSeveralOwners = async (tx: Tx): Promise<boolean> =>
  (await tx.$count(staffMembers, eq(staffMembers.is_owner, true))) > 1
