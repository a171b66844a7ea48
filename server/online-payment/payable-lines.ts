import { toCents } from '@tatami/contract/lib/money'
import type { Tx } from '../db/database.ts'
import { lineKey, readPendingMoney } from './live-lines.ts'
import { type OnlinePaymentRow, readLines } from './open-checkout.ts'
import { type OwedLine, readOwedLines } from './owed-lines.ts'
import type { Payer } from './payers.ts'

/** What the payer owes, without money that may be on its way already. */
export async function readPayableLines(tx: Tx, dojoId: string, payer: Payer): Promise<OwedLine[]> {
  const owedLines = await readOwedLines(tx, dojoId, payer)
  const pendingMoney = await readPendingMoney(tx, payer)
  return owedLines.filter((line) => !pendingMoney.keys.has(lineKey(line)))
}

/** Whether a payment is still for what the payer owes. */
export async function hasSameLines(
  tx: Tx,
  { id }: OnlinePaymentRow,
  lines: readonly OwedLine[],
): Promise<boolean> {
  const storedLines = await readLines(tx, id)
  const toText = (key: string, cents: number) => `${key} ${cents}`
  const storedTexts = storedLines.map((line) => toText(lineKey(line), toCents(line.amount)))
  const texts = lines.map((line) => toText(lineKey(line), line.cents))
  return storedTexts.toSorted().join() === texts.toSorted().join()
}

/** The lines that a part of the debt pays, from the first one on. */
export function takePart(lines: readonly OwedLine[], partCents: number): OwedLine[] {
  let restCents = partCents
  return lines.flatMap((line) => {
    const cents = Math.min(line.cents, restCents)
    restCents -= cents
    return cents > 0 ? [{ ...line, cents }] : []
  })
}

/** Whether the payer still owes at least what a payment is for. */
export async function areStillOwed(
  tx: Tx,
  { id }: OnlinePaymentRow,
  lines: readonly OwedLine[],
): Promise<boolean> {
  const owedCents = new Map(lines.map((line) => [lineKey(line), line.cents]))
  const storedLines = await readLines(tx, id)
  return storedLines.every((line) => toCents(line.amount) <= (owedCents.get(lineKey(line)) ?? 0))
}
