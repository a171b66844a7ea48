/** Each function changes the reference ledger in the way that a call to the server changes its
 *  ledger. */
import { firstDayOf, type Month } from '@tatami/contract/lib/calendar-day'
import { mustExist } from '@tatami/contract/lib/must-exist'
import {
  isInForce,
  monthKey,
  lastChange,
  type ReferenceLedger,
  ReferenceRefusal,
} from './reference-ledger.ts'

type PaymentMark = {
  student: string
  month: Month
  status: 'paid' | 'unpaid'
  cents?: number | undefined
}

/** Marks students' months as paid or unpaid. */
export function mark(ledger: ReferenceLedger, act: string, marks: PaymentMark[]): void {
  for (const paymentMark of marks) {
    const record = ledger.records.get(monthKey(paymentMark.student, paymentMark.month))
    if (record?.status === paymentMark.status) continue
    if (paymentMark.status === 'paid') markPaid(ledger, act, paymentMark)
    else markUnpaid(ledger, act, paymentMark)
  }
}

function markUnpaid(ledger: ReferenceLedger, act: string, { student, month, cents }: PaymentMark) {
  const key = monthKey(student, month)
  const person = ledger.person(student)
  const price = ledger.price(person, month)
  if (ledger.records.has(key)) ledger.unmark(act, student, month)
  const cost = ledger.costUnpaid(key, price)
  const isUsualAmount = cents === undefined || [person.fee, price.cents].includes(cents)
  const amount = isUsualAmount ? cost.cents : cents
  const reason = amount === cost.cents ? cost.reason : null
  ledger.records.set(key, { status: 'unpaid', cents: amount, reason })
}

function markPaid(ledger: ReferenceLedger, act: string, { student, month, cents }: PaymentMark) {
  const key = monthKey(student, month)
  const person = ledger.person(student)
  const price = ledger.price(person, month)
  const isCharged = ledger.isCharged(key)
  const owedCents = ledger.sumOf(ledger.charge(student, month))
  const receivedCents = 0 - ledger.sumOf(key, 'payment', 'credit', 'refund')
  const cost = isCharged ? owedCents + receivedCents : price.cents
  const usualAmounts = [person.fee, price.cents, ledger.sumOf(key, 'charge')]
  let total = cents ?? cost
  if (cents !== undefined && usualAmounts.includes(cents)) total = Math.min(cents, cost)
  const remainingCents = total - receivedCents
  const reason = !isCharged && total === price.cents ? price.reason : null
  if (!isCharged || remainingCents !== owedCents)
    ledger.add(act, {
      student,
      charge: key,
      kind: 'charge',
      cents: remainingCents - owedCents,
      reason,
    })
  const kind = remainingCents < 0 ? 'credit' : 'payment'
  ledger.add(act, { student, charge: key, kind, cents: 0 - remainingCents })
}

type StudentChange = {
  fee: number
  feeFrom: 'this_month' | 'next_month' | undefined
  isTrial: boolean
}

/** Changes a student's fee and whether the student is on trial. A lower fee always starts this
 *  month. A higher fee starts next month if the caller says so, or if an earlier raise starts next
 *  month. */
export function change(ledger: ReferenceLedger, student: string, changes: StudentChange): void {
  const person = ledger.person(student)
  const feeNow = ledger.feeIn(person, ledger.month)
  const start = changes.feeFrom ?? (feeNow === person.fee ? 'this_month' : 'next_month')
  if (changes.fee !== person.fee || changes.feeFrom)
    person.formerFee =
      start === 'next_month' && changes.fee > feeNow
        ? { fee: feeNow, month: firstDayOf(ledger.month) }
        : null
  const isRaised = start === 'this_month' && changes.fee > feeNow
  if ((changes.fee !== person.fee || changes.feeFrom) && isRaised) person.keptPrice = null
  if (person.is_trial && !changes.isTrial) person.paysSince = ledger.today
  Object.assign(person, { fee: changes.fee, is_trial: changes.isTrial })
}

/** Marks all paid months of paying students as unpaid. */
export function reset(ledger: ReferenceLedger, act: string, month: Month): void {
  for (const person of ledger.people.values()) {
    const record = ledger.records.get(monthKey(person.id, month))
    if (!ledger.isPaying(person) || record?.status !== 'paid') continue
    ledger.unmark(act, person.id, month)
    record.status = 'unpaid'
  }
}

/** Pays the target month first, then the oldest charges. The rest becomes credit. */
export function pay(
  ledger: ReferenceLedger,
  act: string,
  student: string,
  cents: number,
  targetMonth: Month | undefined,
): void {
  const person = ledger.person(student)
  let remainingCents = cents
  const payCharge = (key: string, owedCents: number) => {
    const paidCents = Math.min(remainingCents, owedCents)
    remainingCents -= paidCents
    if (paidCents > 0)
      ledger.add(act, { student, charge: key, kind: 'payment', cents: 0 - paidCents })
  }
  const payMonth = (month: Month) => {
    const key = ledger.charge(student, month)
    const price = ledger.price(person, month)
    if (!ledger.isCharged(key) && price.cents > 0 && remainingCents > 0)
      ledger.add(act, { student, charge: key, kind: 'charge', ...price })
    payCharge(key, ledger.sumOf(key))
  }
  // Like the server, this creates the charges of both months even if no money is left for them.
  if (targetMonth) ledger.charge(student, targetMonth)
  const currentKey = monthKey(student, ledger.month)
  if (ledger.isPaying(person) && ledger.records.get(currentKey)?.status !== 'paid')
    ledger.charge(student, ledger.month)
  if (targetMonth) payMonth(targetMonth)
  const owesCurrentMonth = ledger.currentMonthPrice(person) > 0
  for (const { key } of ledger.owedCharges(student, owesCurrentMonth ? currentKey : undefined))
    if (key === currentKey) payMonth(ledger.month)
    else payCharge(key, ledger.sumOf(key))
  if (remainingCents > 0)
    ledger.add(act, { student, charge: null, kind: 'payment', cents: 0 - remainingCents })
}

/** Charges students once, and uses their credit. */
export function charge(
  ledger: ReferenceLedger,
  act: string,
  name: string,
  students: string[],
  cents: number,
  chargedOn: string,
): void {
  for (const student of students) {
    const key = `${student} ${name}`
    ledger.charges.set(key, {
      key,
      student,
      month: null,
      since: chargedOn,
      number: ledger.charges.size,
    })
    ledger.add(act, { student, charge: key, kind: 'charge', cents })
    const credit = Math.min(cents, ledger.credit(student))
    if (credit > 0) ledger.add(act, { student, charge: key, kind: 'credit', cents: 0 - credit })
  }
}

/** Forgives what is still owed for a charge. */
export function writeOff(ledger: ReferenceLedger, act: string, student: string, key: string): void {
  const owedCents = ledger.sumOf(key)
  if (owedCents <= 0) throw new ReferenceRefusal(409)
  ledger.add(act, { student, charge: key, kind: 'write_off', cents: 0 - owedCents })
}

/** Gives back what was paid for a charge, or credit if there is no `key`. */
export function refund(
  ledger: ReferenceLedger,
  act: string,
  student: string,
  key: string | null,
  cents: number,
): void {
  const limitCents = key
    ? Math.min(
        0 - ledger.sumOf(key, 'payment', 'refund'),
        0 - ledger.sumOf(key, 'payment', 'credit', 'refund'),
      )
    : ledger.credit(student)
  if (cents > limitCents) throw new ReferenceRefusal(422)
  ledger.add(act, { student, charge: key, kind: 'refund', cents })
}

/** Undoes every line of an act that no later act has changed. */
export function undo(ledger: ReferenceLedger, act: string, undoneAct: string): void {
  const actLines = ledger.lines.filter(({ changes }) =>
    changes.some(({ act: changeAct }) => changeAct === undoneAct),
  )
  if (actLines.length === 0) throw new ReferenceRefusal(404)
  const latestLines = actLines.filter((line) => lastChange(line).act === undoneAct)
  refuseIfChargedLater(ledger, latestLines, undoneAct)
  const keys = new Set(actLines.map((line) => line.charge).filter((key) => key !== null))
  const keptLines = [...keys].map((key) => {
    const { month, student } = findCharge(ledger, key)
    return month ? ledger.keptChargeLine(student, month) : undefined
  })
  const undoneLines = latestLines.filter((line) => !keptLines.includes(line))
  if (undoneLines.length === 0) throw new ReferenceRefusal(409)
  for (const line of undoneLines) ledger.toggle(act, line)
  for (const key of keys) rebalanceCharge(ledger, act, key)
  for (const student of new Set(actLines.map((line) => line.student)))
    if (ledger.credit(student) < 0) ledger.withdrawCredit(act, student)
}

type Line = ReferenceLedger['lines'][number]

const findCharge = (ledger: ReferenceLedger, key: string) =>
  mustExist(ledger.charges.get(key), 'The charge')

/** Refuses to undo an amount that a later act has changed. */
function refuseIfChargedLater(ledger: ReferenceLedger, lines: Line[], undoneAct: string) {
  for (const line of lines.filter(({ kind }) => kind === 'charge')) {
    const hasLaterLine = ledger.lines.some(
      (otherLine) =>
        otherLine.charge === line.charge &&
        otherLine.kind === 'charge' &&
        isInForce(otherLine) &&
        lastChange(otherLine).act !== undoneAct &&
        lastChange(otherLine).at > lastChange(line).at,
    )
    if (hasLaterLine) throw new ReferenceRefusal(409)
  }
}

/** After an undo, undoes write-offs and moved credit that the charge no longer needs. If more was
 *  paid than the charge, the rest becomes credit. */
function rebalanceCharge(ledger: ReferenceLedger, act: string, key: string) {
  if (ledger.sumOf(key, 'payment', 'refund') > 0) throw new ReferenceRefusal(409)
  const owedCents = ledger.sumOf(key)
  for (const line of ledger.linesOf(key).toReversed()) {
    const chargeSum = ledger.sumOf(key)
    const isNeedlessWriteOff = chargeSum < 0 && line.kind === 'write_off'
    const isNeedlessCredit = chargeSum > 0 && line.kind === 'credit' && line.cents > 0
    if (owedCents < 0 ? isNeedlessWriteOff : isNeedlessCredit) ledger.toggle(act, line)
  }
  const chargeSum = ledger.sumOf(key)
  const { student } = findCharge(ledger, key)
  if (chargeSum < 0) ledger.add(act, { student, charge: key, kind: 'credit', cents: 0 - chargeSum })
  if (owedCents < 0 && chargeSum > 0)
    ledger.add(act, { student, charge: key, kind: 'write_off', cents: 0 - chargeSum })
}
