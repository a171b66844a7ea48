import type { Role } from '@tatami/contract/lib/endpoint'
import type { SecondFactorRequirements } from '@tatami/contract/accounts/sign-in'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import { nowIso } from '../lib/clock.ts'
import { systemConfig } from '../texting/tables.ts'
import { accounts, passkeys, totpSecrets } from './tables.ts'

type AccountColumns = Pick<typeof accounts, 'id' | 'role'>

const hasFactor = ({ id }: Pick<AccountColumns, 'id'>): SQL => sql`(
  exists (select from ${passkeys} where ${passkeys.account_id} = ${id}) or
  exists (select from ${totpSecrets} where ${totpSecrets.account_id} = ${id}
    and ${totpSecrets.confirmed_at} is not null))`

/** SQL condition: the account needs a second factor and has none. A session that was opened before
 *  the factor became required is exempt. */
export const lacksRequiredFactor = (
  account: AccountColumns,
  openedAt: PgColumn,
): SQL => sql`(coalesce(
  (select case ${account.role} when 'super-admin'
    then ${systemConfig.second_factor_super_admins_since}
    when 'instructor' then ${systemConfig.second_factor_instructors_since} end
      from ${systemConfig}) <= ${openedAt}, false)
  and not ${hasFactor(account)})`

export async function hasSecondFactor(tx: Tx, accountId: string): Promise<boolean> {
  const hasAccountFactor = and(eq(accounts.id, accountId), hasFactor(accounts))
  return (await tx.$count(accounts, hasAccountFactor)) > 0
}

async function readConfig(tx: Tx) {
  const [config] = await tx.select().from(systemConfig)
  return config
}

export async function readSecondFactorRequirements(tx: Tx): Promise<SecondFactorRequirements> {
  const config = await readConfig(tx)
  return {
    super_admins: (config?.second_factor_super_admins_since ?? null) !== null,
    instructors: (config?.second_factor_instructors_since ?? null) !== null,
  }
}

export async function isSecondFactorRequired(tx: Tx, role: Role): Promise<boolean> {
  if (role !== 'super-admin' && role !== 'instructor') return false
  const { super_admins, instructors } = await readSecondFactorRequirements(tx)
  return role === 'super-admin' ? super_admins : instructors
}

/** An existing requirement keeps its date, so that open sessions stay exempt. */
export async function setSecondFactorRequirements(
  tx: Tx,
  actor_id: string,
  { super_admins, instructors }: SecondFactorRequirements,
): Promise<SecondFactorRequirements> {
  const config = await readConfig(tx)
  const keepOrSetDate = (isRequired: boolean, previousDate: string | null | undefined) =>
    isRequired ? (previousDate ?? nowIso()) : null
  const values = {
    second_factor_super_admins_since: keepOrSetDate(
      super_admins,
      config?.second_factor_super_admins_since,
    ),
    second_factor_instructors_since: keepOrSetDate(
      instructors,
      config?.second_factor_instructors_since,
    ),
  }
  await tx
    .insert(systemConfig)
    .values(values)
    .onConflictDoUpdate({ target: systemConfig.singleton, set: values })
  await auditAction(tx, { id: actor_id, dojoId: null }, 'second factor required', {
    details: { super_admins, instructors },
  })
  return { super_admins, instructors }
}
