import type { DebitState } from '@tatami/contract/online-payment/autopay-states'
import { toDollars } from '@tatami/contract/lib/money'
import type {
  NextStep,
  OnlineStudent,
  PaymentProblem,
} from '@tatami/contract/online-payment/online-students'
import { desc, eq, inArray, isNotNull, isNull, max, or } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { todayIn } from '../dojos/calendar.ts'
import { dojoById } from '../dojos/dojos.ts'
import { debtsOf, owedCents } from '../dues/balances.ts'
import { pick, pluck } from '../lib/rows.ts'
import { students } from '../students/tables.ts'
import type { Agreement } from './autopay/agreements.ts'
import { isCovered } from './autopay/covered-lines.ts'
import { isTrouble, nextDebitDayOf } from './autopay/payer-home.ts'
import { autopayAgreements, autopayDebits, savedMethods } from './autopay/tables.ts'
import { describeDecline } from './decline-words.ts'
import { readPendingCents } from './live-lines.ts'
import { findPayers } from './payers.ts'
import { findUsableAccount } from './stripe-account.ts'
import { onlinePayments, payLinks } from './tables.ts'

/** How the students of a school are paid for online. While it takes no online payments, only what
 *  is on its way. */
export async function listOnlineStudents(
  tx: Tx,
  dojoId: string,
  publicUrl: string,
): Promise<OnlineStudent[]> {
  if (!(await findUsableAccount(tx, publicUrl))) return listPendingStudents(tx)
  const { time_zone } = await dojoById(tx, dojoId)
  const studentRows = await tx
    .select(pick(students, 'id', 'is_trial', 'left_on'))
    .from(students)
    .orderBy(students.id)
  const payerByStudent = await findPayers(tx, pluck(studentRows, 'id'))
  const agreements = await findOpenAgreements(tx)
  const problems = await findProblems(tx, agreements)
  const linkDays = await findLinkDays(tx, time_zone)
  const pendingCents = await readPendingCents(tx)
  const owingIds = await findOwingIds(
    tx,
    dojoId,
    [...payerByStudent].flatMap(([id, payer]) => (problems.has(payer.id) ? [id] : [])),
  )
  return studentRows.flatMap((student): OnlineStudent[] => {
    const payerId = payerByStudent.get(student.id)?.id ?? ''
    const agreement = agreements.get(payerId)
    const onlineStudent = {
      student_id: student.id,
      autopay:
        agreement && !student.is_trial && isCovered(agreement, student)
          ? { next_on: nextDebitDayOf(agreement, time_zone) }
          : null,
      on_its_way: toDollars(pendingCents.get(student.id) ?? 0),
      is_turned_off: false,
      problem: (owingIds.has(student.id) && problems.get(payerId)) || null,
      link_sent_on: linkDays.get(payerId) ?? null,
    }
    const { autopay, on_its_way, problem, link_sent_on } = onlineStudent
    const hasNews = autopay !== null || on_its_way > 0 || problem !== null || link_sent_on !== null
    return hasNews ? [onlineStudent] : []
  })
}

async function listPendingStudents(tx: Tx): Promise<OnlineStudent[]> {
  const pendingCents = await readPendingCents(tx)
  return [...pendingCents].map(([student_id, cents]) => ({
    student_id,
    autopay: null,
    on_its_way: toDollars(cents),
    is_turned_off: true,
    problem: null,
    link_sent_on: null,
  }))
}

/** By the id of the payer. */
async function findOpenAgreements(tx: Tx): Promise<Map<string, Agreement>> {
  const agreements = await tx
    .select()
    .from(autopayAgreements)
    .where(isNull(autopayAgreements.ended_at))
  return new Map(agreements.map((agreement) => [agreement.payer_id, agreement]))
}

/** The day on which a payer last got a pay link, by the id of the payer. */
async function findLinkDays(tx: Tx, timeZone: string): Promise<Map<string, string>> {
  const rows = await tx
    .select({ payer_id: payLinks.payer_id, sent_at: max(payLinks.created_at) })
    .from(payLinks)
    .where(eq(payLinks.is_sent, true))
    .groupBy(payLinks.payer_id)
  return new Map(
    rows.flatMap(({ payer_id, sent_at }) =>
      sent_at === null ? [] : [[payer_id, todayIn(timeZone, new Date(sent_at))] as const],
    ),
  )
}

async function findOwingIds(tx: Tx, dojoId: string, studentIds: string[]): Promise<Set<string>> {
  if (studentIds.length === 0) return new Set()
  const debts = await debtsOf(tx, dojoId, studentIds)
  return new Set([...debts].flatMap(([id, debt]) => (owedCents(debt) > 0 ? [id] : [])))
}

/** Why the last payment of a payer did not work, by the id of the payer. */
async function findProblems(
  tx: Tx,
  agreements: ReadonlyMap<string, Agreement>,
): Promise<Map<string, PaymentProblem>> {
  const debits = await findLatestDebits(tx, pluck([...agreements.values()], 'id'))
  const problems = new Map<string, PaymentProblem>()
  for (const payment of await findLastPayments(tx))
    if (payment.payer_id !== null && payment.debit_id === null && isDeclined(payment))
      problems.set(payment.payer_id, {
        // A card is declined on the page of Stripe, which then expires. A bank refuses days later.
        kind: payment.state === 'declined' ? 'bank' : 'card',
        reason: describeDecline(payment.decline_code),
        next_step: 'ask_payer',
        retry_on: null,
      })
  for (const [payerId, { id }] of agreements) {
    const debit = debits.get(id)
    if (debit && isTrouble(debit)) problems.set(payerId, describeDebit(debit))
  }
  return problems
}

type LastPayment = Awaited<ReturnType<typeof findLastPayments>>[number]

const isDeclined = ({ state, decline_code }: LastPayment): boolean =>
  state === 'declined' || ((state === 'open' || state === 'expired') && decline_code !== null)

const NEXT_STEP_OF_STATE: Partial<Record<DebitState, NextStep>> = {
  open: 'retry',
  needs_method: 'new_method',
  needs_payer: 'confirm',
  over_limit: 'raise_limit',
  given_up: 'ask_payer',
  failed: 'check_account',
}

type DebitRow = Pick<
  typeof autopayDebits.$inferSelect,
  'agreement_id' | 'state' | 'decline_code' | 'next_try_on'
> & { kind: PaymentProblem['kind'] | null }

const describeDebit = ({ state, decline_code, next_try_on, kind }: DebitRow): PaymentProblem => ({
  kind: kind ?? 'card',
  reason: describeDecline(decline_code),
  next_step: NEXT_STEP_OF_STATE[state] ?? 'ask_payer',
  retry_on: next_try_on,
})

/** With what the last try was made, by the id of the agreement. */
async function findLatestDebits(tx: Tx, agreementIds: string[]): Promise<Map<string, DebitRow>> {
  if (agreementIds.length === 0) return new Map()
  const rows = await tx
    .selectDistinctOn([autopayDebits.agreement_id], {
      ...pick(autopayDebits, 'agreement_id', 'state', 'decline_code', 'next_try_on'),
      kind: savedMethods.kind,
    })
    .from(autopayDebits)
    .leftJoin(onlinePayments, eq(onlinePayments.debit_id, autopayDebits.id))
    .leftJoin(savedMethods, eq(savedMethods.id, onlinePayments.saved_method_id))
    .where(equalsAny(autopayDebits.agreement_id, agreementIds))
    .orderBy(
      autopayDebits.agreement_id,
      desc(autopayDebits.due_on),
      desc(onlinePayments.created_at),
    )
  return new Map(rows.map((row) => [row.agreement_id, row]))
}

/** The newest payment of each payer that was begun. */
const findLastPayments = (tx: Tx) =>
  tx
    .selectDistinctOn(
      [onlinePayments.payer_id],
      pick(onlinePayments, 'payer_id', 'debit_id', 'state', 'decline_code'),
    )
    .from(onlinePayments)
    .where(
      or(
        inArray(onlinePayments.state, ['processing', 'unknown', 'paid', 'declined']),
        isNotNull(onlinePayments.decline_code),
      ),
    )
    .orderBy(onlinePayments.payer_id, desc(onlinePayments.created_at))
