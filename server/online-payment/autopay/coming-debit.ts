import { toCents } from '@tatami/contract/lib/money'
import type { Tx } from '../../db/database.ts'
import { dojoById } from '../../dojos/dojos.ts'
import { lineKey } from '../live-lines.ts'
import type { OwedLine } from '../owed-lines.ts'
import type { Payer } from '../payers.ts'
import { findOpenAgreement } from './agreements.ts'
import { readCoveredLines, totalCents } from './covered-lines.ts'
import { nextDebitDayOf } from './payer-home.ts'

export type ComingDebit = {
  /** Null if autopay will not pay all of it. */
  paysOn: string | null
}

/** What autopay will do with what a payer owes. Null without autopay. */
export async function readComingDebit(
  tx: Tx,
  dojoId: string,
  payer: Payer,
  owedLines: readonly OwedLine[],
): Promise<ComingDebit | null> {
  const agreement = await findOpenAgreement(tx, payer.id)
  if (!agreement) return null
  const { time_zone } = await dojoById(tx, dojoId)
  const debitDay = nextDebitDayOf(agreement, time_zone)
  const { lines } = await readCoveredLines(tx, dojoId, payer, agreement, debitDay)
  const coveredKeys = new Set(lines.map(lineKey))
  const limit = agreement.limit_amount
  const isWithinLimit = limit === null || totalCents(lines) <= toCents(limit)
  const isPaid = isWithinLimit && owedLines.every((line) => coveredKeys.has(lineKey(line)))
  return { paysOn: isPaid ? debitDay : null }
}
