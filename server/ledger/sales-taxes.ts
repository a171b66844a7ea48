import { firstDayOf, type Month } from '@tatami/contract/lib/calendar-day'
import { findSalesTax, type SalesTax, type SalesTaxes } from '@tatami/contract/ledger/sales-tax'
import { eq, sql } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import { currentDojoId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { dojos } from '../dojos/tables.ts'
import type { DojoCaller } from '../http/serve.ts'
import { ledgerLines, salesTaxes } from './tables.ts'

type TaxSettings = {
  taxes: SalesTax[]
  /** True if a charge was ever taxed, even if its tax has been removed since. */
  hasTaxedLines: boolean
}

/** Most dojos have no tax. A transaction that asks more than once still reads only once. */
const settingsByTx = new WeakMap<Tx, Promise<TaxSettings>>()

export function readTaxSettings(tx: Tx): Promise<TaxSettings> {
  const settings = settingsByTx.get(tx) ?? queryTaxSettings(tx)
  settingsByTx.set(tx, settings)
  return settings
}

async function queryTaxSettings(tx: Tx): Promise<TaxSettings> {
  const { rows } = await tx.execute<TaxSettings>(sql`
    select coalesce((
        select json_agg(json_build_object('kind', kind, 'percent', percent, 'is_added', is_added,
          'starts_on', starts_on, 'ends_on', ends_on) order by kind, starts_on)
        from ${salesTaxes}), '[]') as taxes,
      exists (select from ${ledgerLines} where tax_percent is not null) as "hasTaxedLines"`)
  return rows[0] ?? { taxes: [], hasTaxedLines: false }
}

/** A month has the tax of its first day, whenever in the month a student has to pay it. */
export const monthTaxOf = async (tx: Tx, month: Month): Promise<SalesTax | undefined> =>
  findSalesTax((await readTaxSettings(tx)).taxes, 'month', firstDayOf(month))

export const listSalesTaxes = async (tx: Tx): Promise<SalesTaxes> => ({
  taxes: (await readTaxSettings(tx)).taxes,
})

export async function setSalesTaxes(
  tx: Tx,
  caller: DojoCaller,
  { taxes }: SalesTaxes,
): Promise<SalesTaxes> {
  // If two people save at the same time, the later one wins.
  await tx
    .select({ id: dojos.id })
    .from(dojos)
    .where(eq(dojos.id, currentDojoId))
    .for('no key update')
  await tx.delete(salesTaxes)
  if (taxes.length > 0) await tx.insert(salesTaxes).values(taxes)
  await auditAction(tx, caller, 'sales tax set', { details: { taxes: taxes.length } })
  settingsByTx.delete(tx)
  return listSalesTaxes(tx)
}
