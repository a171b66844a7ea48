import { type RefundedChargeOutcome } from '@tatami/contract/online-payment/refunds'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { newId } from '../db/columns.ts'
import { todayOf } from '../dojos/dojos.ts'
import { linesWithinBounds } from '../ledger/bounds.ts'
import { type Charge, chargesById, refundableOf } from '../ledger/charges.ts'
import { creditsOf } from '../ledger/credit.ts'
import {
  type Act,
  effectiveLines,
  insertLines,
  linesOfAct,
  lockExistingStudents,
  type NewLine,
  reversalOf,
  systemAct,
} from '../ledger/ledger.ts'
import { ledgerLines } from '../ledger/tables.ts'
import { writeLines } from '../ledger/write-lines.ts'

/** Money of a student's charge, or of the student's credit if `charge_id` is null. Without a
 *  student, money of students who have been deleted. */
export type LedgerPart = { student_id: string | null; charge_id: string | null; cents: number }

export type RefundablePart = LedgerPart & {
  /** Null for credit. */
  charge: Charge | null
}

/** What the ledger can give back of a payment, whose students are locked until the commit. */
export async function readRefundableParts(tx: Tx, actId: string): Promise<RefundablePart[]> {
  const actLines = await linesOfAct(tx, actId)
  const payments = actLines.filter(({ kind }) => kind === 'payment')
  const studentIds = [...new Set(payments.map(({ student_id }) => student_id))]
  await lockExistingStudents(tx, studentIds)
  const chargeIds = [...new Set(payments.flatMap(({ charge_id }) => charge_id ?? []))]
  const charges = await chargesById(tx, chargeIds)
  const paidParts = charges.map((charge) => {
    const { id: charge_id, student_id, lines } = charge
    const paidCents = effectiveLines(lines)
      .filter(({ kind, act_id }) => kind === 'payment' && act_id === actId)
      .reduce((sum, { cents }) => sum - cents, 0)
    return { student_id, charge_id, charge, cents: Math.min(paidCents, refundableOf(charge)) }
  })
  const credits = await creditsOf(tx, studentIds)
  const creditParts = studentIds.map((student_id) => ({
    student_id,
    charge_id: null,
    charge: null,
    cents: credits.get(student_id) ?? 0,
  }))
  return [...paidParts, ...creditParts].filter(({ cents }) => cents > 0)
}

type Refund = {
  /** The act of the payment. */
  paymentActId: string | null
  parts: readonly LedgerPart[]
  outcome: RefundedChargeOutcome
  note: string | null
  /** Null if the payer's bank took the money back. */
  created_by: string | null
}

/** Refunds the parts, which must not exceed `readRefundableParts`. Returns the act's id. */
export async function recordOnlineRefund(
  tx: Tx,
  dojoId: string,
  { paymentActId, parts, outcome, note, created_by }: Refund,
): Promise<string> {
  const made_on = await todayOf(tx, dojoId)
  const act: Act = { id: newId(), created_by, made_on, method: 'online', note }
  const refunds = parts.flatMap(({ student_id, charge_id, cents }): NewLine[] =>
    student_id === null ? [] : [{ student_id, charge_id, cents, kind: 'refund' }],
  )
  const writeOffs = refunds
    .filter(({ charge_id }) => charge_id !== null && outcome === 'written_off')
    .map(({ cents, ...line }): NewLine => ({ ...line, kind: 'write_off', cents: 0 - cents }))
  await writeLines(tx, act, [...refunds, ...writeOffs])
  const formerCents = parts
    .filter(({ student_id }) => student_id === null)
    .reduce((sum, { cents }) => sum + cents, 0)
  await recordFormerRefund(tx, act, paymentActId, formerCents)
  return act.id
}

/** Money of deleted students is a sum without a name. If they were deleted before it arrived, it
 *  was never in the ledger. */
async function recordFormerRefund(
  tx: Tx,
  act: Act,
  paymentActId: string | null,
  cents: number,
): Promise<void> {
  const isOfPayment = and(
    eq(ledgerLines.act_id, paymentActId ?? ''),
    isNull(ledgerLines.student_id),
  )
  if (cents === 0 || (await tx.$count(ledgerLines, isOfPayment)) === 0) return
  await insertLines(tx, act, [{ student_id: null, charge_id: null, kind: 'refund', cents }])
}

const NOTE_OF_FAILURE = 'The refund did not arrive'

/** The refunded money came back to the school. Charges that were paid again gain credit. */
export async function reverseOnlineRefund(tx: Tx, dojoId: string, actId: string): Promise<void> {
  const actLines = await linesOfAct(tx, actId)
  const studentIds = [...new Set(actLines.map(({ student_id }) => student_id))]
  await lockExistingStudents(tx, studentIds)
  const chargeIds = [...new Set(actLines.flatMap(({ charge_id }) => charge_id ?? []))]
  const act = { ...systemAct(await todayOf(tx, dojoId)), note: NOTE_OF_FAILURE }
  await writeLines(tx, act, actLines.map(reversalOf), {
    findFollowingLines: () => linesWithinBounds(tx, chargeIds, studentIds),
  })
  await reverseFormerRefund(tx, act, actId)
}

/** Of students who were deleted before or after the refund. */
async function reverseFormerRefund(tx: Tx, act: Act, actId: string): Promise<void> {
  const lines = await tx
    .select({ id: ledgerLines.id, kind: ledgerLines.kind, cents: sql<number>`amount::float8` })
    .from(ledgerLines)
    .where(and(eq(ledgerLines.act_id, actId), isNull(ledgerLines.student_id)))
  const reversals = lines.map(({ id, kind, cents }) => ({
    ...{ student_id: null, charge_id: null, kind, reverses: id },
    method: 'online' as const,
    cents: 0 - cents,
  }))
  if (reversals.length > 0) await insertLines(tx, act, reversals)
}
