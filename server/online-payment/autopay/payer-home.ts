import { addDays } from '@tatami/contract/lib/calendar-day'
import { toDollars } from '@tatami/contract/lib/money'
import type { DebitState } from '@tatami/contract/online-payment/autopay-states'
import { NOTICE_DAYS } from '@tatami/contract/online-payment/autopay-words'
import { nextDebitDay } from '@tatami/contract/online-payment/debit-days'
import type {
  Autopay,
  PayerHome,
  SavedMethod,
  StudentAutopay,
} from '@tatami/contract/online-payment/payer-home'
import { and, desc, eq, sql } from 'drizzle-orm'
import type { Tx } from '../../db/database.ts'
import { todayIn } from '../../dojos/calendar.ts'
import { dojoById, todayOf } from '../../dojos/dojos.ts'
import { lineKey, readPendingMoney, sumWaitingCents } from '../live-lines.ts'
import { readOwedLines } from '../owed-lines.ts'
import {
  findPayer,
  findPayerPerson,
  type Payer,
  payerPersonOf,
  type PayerPerson,
  readPayerContact,
} from '../payers.ts'
import { now } from '../../lib/clock.ts'
import { refundedAmount } from '../refunded-amount.ts'
import { findUsableAccount } from '../stripe-account.ts'
import { onlinePayments } from '../tables.ts'
import { type Agreement, findOpenAgreement } from './agreements.ts'
import { expectLines, findCoveredStudents, totalCents } from './covered-lines.ts'
import { expiresSoon } from './expiry.ts'
import { expectFees } from './fees.ts'
import { findLeftOutCharges } from './left-out.ts'
import { findOpenSetup } from './setups.ts'
import { findLiveMethod, type SavedMethodRow } from './saved-methods.ts'
import { autopayDebits } from './tables.ts'
import { readTerms } from './terms.ts'

/** Null if the caller pays for nobody, and if the school takes no online payments. */
export async function readPayerHome(
  tx: Tx,
  dojoId: string,
  accountId: string,
  publicUrl: string,
): Promise<PayerHome | null> {
  const account = await findUsableAccount(tx, publicUrl)
  const person = account && (await findPayerPerson(tx, accountId))
  if (!person) return null
  const payer = await findPayer(tx, person)
  const pendingMoney = await readPendingMoney(tx, person)
  const owedLines = await readOwedLines(tx, dojoId, person)
  const lines = owedLines.filter((line) => !pendingMoney.keys.has(lineKey(line)))
  const terms = await readTerms(tx, dojoId, person)
  return {
    is_test: !account.is_live,
    owed: toDollars(totalCents(lines)),
    lines: lines.map(({ name, cents }) => ({ name, amount: toDollars(cents) })),
    on_its_way: toDollars(pendingMoney.cents),
    waiting: toDollars(sumWaitingCents(owedLines, pendingMoney)),
    ...(payer ? await readOwnMeans(tx, dojoId, payer, account.is_live) : NO_MEANS),
    terms,
    fees: await expectFees(tx, dojoId, terms.usual_amount),
    payments: payer ? await listPayments(tx, payer.id, account.is_live) : [],
  }
}

const NO_MEANS = { method: null, autopay: null, is_setting_up: false }

/** How the caller pays, or is about to. */
async function readOwnMeans(tx: Tx, dojoId: string, payer: Payer, isLive: boolean) {
  const means = await readMeans(tx, dojoId, payer, isLive)
  const setup = means.autopay ? null : await findOpenSetup(tx, payer.id)
  const isOpen = setup !== null && Date.parse(setup.expires_at) > now().getTime()
  return { ...means, is_setting_up: isOpen && setup.terms !== null && setup.is_live === isLive }
}

/** How the payer pays. */
async function readMeans(
  tx: Tx,
  dojoId: string,
  payer: Payer,
  isLive: boolean,
): Promise<{ method: SavedMethod | null; autopay: Autopay | null }> {
  const today = await todayOf(tx, dojoId)
  const method = await findLiveMethod(tx, payer.id, isLive)
  const agreement = await findOpenAgreement(tx, payer.id)
  return {
    method: method && describeMethod(method, today),
    autopay: agreement && (await describeAgreement(tx, dojoId, payer, agreement)),
  }
}

const describeMethod = (method: SavedMethodRow, today: string): SavedMethod => {
  const { kind, brand, last4, exp_month, exp_year } = method
  return {
    ...{ kind, brand, last4 },
    expires:
      exp_month === null || exp_year === null ? null : { month: exp_month - 1, year: exp_year },
    expires_soon: expiresSoon(method, today),
  }
}

async function describeAgreement(
  tx: Tx,
  dojoId: string,
  payer: PayerPerson,
  agreement: Agreement,
): Promise<Autopay> {
  const { day_of_month, limit_amount: limit, agreed_at } = agreement
  const { time_zone } = await dojoById(tx, dojoId)
  const today = todayIn(time_zone)
  const debitDay = nextDebitDayOf(agreement, time_zone)
  const { lines, leftOutLines } = await expectLines(tx, dojoId, payer, agreement, {
    today,
    debitDay,
  })
  return {
    ...{ day_of_month, limit, agreed_at },
    next: describeNext(agreement, debitDay, totalCents(lines)),
    left_out: leftOutLines.map(({ name, cents }) => ({ name, amount: toDollars(cents) })),
    trouble: await readTrouble(tx, agreement),
  }
}

function describeNext(
  { limit_amount: limit }: Agreement,
  debitDay: string,
  cents: number,
): Autopay['next'] {
  if (cents === 0) return null
  const amount = toDollars(cents)
  const isOverLimit = limit !== null && amount > limit
  return {
    on: debitDay,
    owed: amount,
    amount: isOverLimit ? 0 : amount,
    is_over_limit: isOverLimit,
  }
}

/** The first debit after today, and not before the payer has had a notice. */
export function nextDebitDayOf(
  { day_of_month, agreed_at }: Pick<Agreement, 'day_of_month' | 'agreed_at'>,
  timeZone: string,
): string {
  const earliestDay = addDays(todayIn(timeZone, new Date(agreed_at)), NOTICE_DAYS)
  const tomorrow = addDays(todayIn(timeZone), 1)
  return nextDebitDay(day_of_month, earliestDay > tomorrow ? earliestDay : tomorrow)
}

const QUIET_STATES: DebitState[] = ['paid', 'nothing_owed', 'stopped']

/** Whether a debit did not work, so that the payer and the school should know. */
export const isTrouble = ({
  state,
  decline_code,
}: Pick<typeof autopayDebits.$inferSelect, 'state' | 'decline_code'>): boolean =>
  state === 'open' ? decline_code !== null : !QUIET_STATES.includes(state)

/** How the latest debit stands, if the payer should know. */
async function readTrouble(tx: Tx, { id }: Agreement): Promise<Autopay['trouble']> {
  const [debit] = await tx
    .select()
    .from(autopayDebits)
    .where(eq(autopayDebits.agreement_id, id))
    .orderBy(desc(autopayDebits.due_on))
    .limit(1)
  return debit && isTrouble(debit) ? debit.state : null
}

const LISTED_PAYMENTS = 12

const listPayments = async (
  tx: Tx,
  payerId: string,
  isLive: boolean,
): Promise<PayerHome['payments']> => {
  const payments = await tx
    .select({
      id: onlinePayments.id,
      paid_on: sql<string>`to_char(${onlinePayments.paid_at}, 'YYYY-MM-DD')`,
      amount: onlinePayments.amount,
      refunded: refundedAmount,
    })
    .from(onlinePayments)
    .where(
      and(
        eq(onlinePayments.payer_id, payerId),
        eq(onlinePayments.state, 'paid'),
        eq(onlinePayments.is_live, isLive),
      ),
    )
    .orderBy(desc(onlinePayments.paid_at), desc(onlinePayments.id))
    .limit(LISTED_PAYMENTS)
  return payments
}

/** For staff: how a student's payer pays. */
export async function readStudentAutopay(
  tx: Tx,
  dojoId: string,
  studentId: string,
  publicUrl: string,
): Promise<StudentAutopay | null> {
  const account = await findUsableAccount(tx, publicUrl)
  const payer = account && (await findPayer(tx, await payerPersonOf(tx, studentId)))
  if (!payer) return null
  const { method, autopay } = await readMeans(tx, dojoId, payer, account.is_live)
  const agreement = await findAgreementFor(tx, payer, studentId)
  if (!agreement && !method) return null
  const { time_zone } = await dojoById(tx, dojoId)
  return {
    payer_name: (await readPayerContact(tx, payer)).name,
    method,
    autopay: agreement && {
      next_on: nextDebitDayOf(agreement, time_zone),
      next_amount: autopay?.next?.amount ?? null,
      is_over_limit: autopay?.next?.is_over_limit ?? false,
      left_out: await listLeftOut(tx, dojoId, payer, studentId),
    },
  }
}

/** The payer's agreement, if it is for this student. It leaves out students who have left. */
async function findAgreementFor(tx: Tx, payer: Payer, studentId: string) {
  const agreement = await findOpenAgreement(tx, payer.id)
  if (!agreement) return null
  const coveredStudents = await findCoveredStudents(tx, payer, agreement)
  return coveredStudents.some(({ id }) => id === studentId) ? agreement : null
}

/** What autopay leaves out of what is owed for a student. */
async function listLeftOut(tx: Tx, dojoId: string, payer: PayerPerson, studentId: string) {
  const leftOutCharges = await findLeftOutCharges(tx, [studentId])
  if (leftOutCharges.size === 0) return []
  return (await readOwedLines(tx, dojoId, payer)).flatMap((line) => {
    const charge_id = leftOutCharges.get(lineKey(line))
    return charge_id === undefined
      ? []
      : [{ charge_id, name: line.name, amount: toDollars(line.cents) }]
  })
}
