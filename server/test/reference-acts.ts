import { firstDayOf, type Month } from '@tatami/contract/lib/calendar-day'
import { keyOf, type ReferenceLedger, ReferenceRefusal } from './reference-ledger.ts'

type Mark = { student: string; month: Month; status: 'paid' | 'unpaid'; cents?: number | undefined }

/** True for each mark that changed something; those records match the server's reply. */
export function mark(ledger: ReferenceLedger, act: string, marks: Mark[]): void {
  for (const { student, month, status, cents } of marks) {
    const key = keyOf(student, month),
      recordBefore = ledger.records.get(key)
    if (recordBefore?.status === status) continue
    const price = ledger.price(ledger.people.get(student)!, month)
    if (status === 'unpaid') {
      const usual = [ledger.people.get(student)!.fee, price.cents]
      if (recordBefore) ledger.unmark(act, student, month)
      const cost = ledger.costUnpaid(key, price)
      const amount = cents === undefined || usual.includes(cents) ? cost.cents : cents
      ledger.records.set(key, {
        status,
        cents: amount,
        reason: amount === cost.cents ? cost.reason : null,
      })
      continue
    }
    const isMade = ledger.isMade(key),
      owedCents = ledger.sumOf(ledger.charge(student, month)),
      receivedCents = 0 - ledger.sumOf(key, 'payment', 'credit', 'refund')
    const cost = isMade ? owedCents + receivedCents : price.cents
    const usual = [ledger.people.get(student)!.fee, price.cents, ledger.sumOf(key, 'charge')]
    let total = cents ?? cost
    if (cents !== undefined && usual.includes(cents)) total = Math.min(cents, cost)
    const remainingCents = total - receivedCents
    const reason = !isMade && total === price.cents ? price.reason : null
    if (!isMade || remainingCents !== owedCents)
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
}

type Change = { fee: number; feeFrom: 'this_month' | 'next_month' | undefined; isTrial: boolean }

/** A lower fee counts at once, a higher one too unless it, or another raise this month, counts from
 *  the next. */
export function change(ledger: ReferenceLedger, student: string, changes: Change): void {
  const person = ledger.people.get(student)!
  const feeNow = ledger.feeIn(person, ledger.month)
  const start = changes.feeFrom ?? (feeNow === person.fee ? 'this_month' : 'next_month')
  if (changes.fee !== person.fee || changes.feeFrom)
    person.former =
      start === 'next_month' && changes.fee > feeNow
        ? { fee: feeNow, month: firstDayOf(ledger.month) }
        : null
  const isRaised = start === 'this_month' && changes.fee > feeNow
  if ((changes.fee !== person.fee || changes.feeFrom) && isRaised) person.kept = null
  if (person.is_trial && !changes.isTrial) person.pays_since = ledger.today
  Object.assign(person, { fee: changes.fee, is_trial: changes.isTrial })
}

export function reset(ledger: ReferenceLedger, act: string, month: Month): void {
  for (const person of ledger.people.values()) {
    const record = ledger.records.get(keyOf(person.id, month))
    if (!ledger.isPaying(person) || record?.status !== 'paid') continue
    ledger.unmark(act, person.id, month)
    record.status = 'unpaid'
  }
}

export function pay(
  ledger: ReferenceLedger,
  act: string,
  student: string,
  cents: number,
  targetMonth: Month | undefined,
): void {
  const person = ledger.people.get(student)!
  let creditCents = cents
  const payCharge = (key: string, owedCents: number) => {
    const part = Math.min(creditCents, owedCents)
    creditCents -= part
    if (part > 0) ledger.add(act, { student, charge: key, kind: 'payment', cents: 0 - part })
  }
  const payMonth = (month: Month) => {
    const key = ledger.charge(student, month)
    const price = ledger.price(person, month)
    if (!ledger.isMade(key) && price.cents > 0 && creditCents > 0)
      ledger.add(act, { student, charge: key, kind: 'charge', ...price })
    payCharge(key, ledger.sumOf(key))
  }
  // Both months now have a row, even without money.
  if (targetMonth) ledger.charge(student, targetMonth)
  const current = keyOf(student, ledger.month)
  if (ledger.isPaying(person) && ledger.records.get(current)?.status !== 'paid')
    ledger.charge(student, ledger.month)
  if (targetMonth) payMonth(targetMonth)
  for (const { key } of ledger.owed(student, ledger.live(person) > 0 ? [current] : []))
    if (key === current) payMonth(ledger.month)
    else payCharge(key, ledger.sumOf(key))
  if (creditCents > 0)
    ledger.add(act, { student, charge: null, kind: 'payment', cents: 0 - creditCents })
}

export function charge(
  ledger: ReferenceLedger,
  act: string,
  name: string,
  students: string[],
  cents: number,
  enrolledOn: string,
): void {
  for (const student of students) {
    const key = `${student} ${name}`
    ledger.charges.set(key, {
      key,
      student,
      month: null,
      since: enrolledOn,
      number: ledger.charges.size,
    })
    ledger.add(act, { student, charge: key, kind: 'charge', cents })
    const credit = Math.min(cents, ledger.credit(student))
    if (credit > 0) ledger.add(act, { student, charge: key, kind: 'credit', cents: 0 - credit })
  }
}

export function writeOff(ledger: ReferenceLedger, act: string, student: string, key: string): void {
  const owedCents = ledger.sumOf(key)
  if (owedCents <= 0) throw new ReferenceRefusal(409)
  ledger.add(act, { student, charge: key, kind: 'write_off', cents: 0 - owedCents })
}

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

export function undo(ledger: ReferenceLedger, act: string, undone: string): void {
  const stands = (line: { turns: unknown[] }) => line.turns.length % 2 === 1
  const knownLines = ledger.lines.filter(({ turns }) => turns.some((turn) => turn.act === undone))
  if (knownLines.length === 0) throw new ReferenceRefusal(404)
  const last = (line: (typeof knownLines)[number]) => line.turns.at(-1)!
  const going = knownLines.filter((line) => last(line).act === undone)
  const keys = new Set(knownLines.map((line) => line.charge).filter((key) => key !== null))
  for (const line of going) {
    const amounts = ledger.lines.filter(
      (candidate) =>
        candidate.charge === line.charge && candidate.kind === 'charge' && stands(candidate),
    )
    if (
      line.kind === 'charge' &&
      amounts.some(
        (candidate) => last(candidate).act !== undone && last(candidate).at > last(line).at,
      )
    )
      throw new ReferenceRefusal(409)
  }
  const keptAmounts = [...keys].map((key) => {
    const { month, student } = ledger.charges.get(key)!
    return month ? ledger.keptAmount(student, month) : undefined
  })
  const removedLines = going.filter((line) => !keptAmounts.includes(line))
  if (removedLines.length === 0) throw new ReferenceRefusal(409)
  for (const line of removedLines) ledger.turn(act, line)
  for (const key of keys) {
    if (ledger.sumOf(key, 'payment', 'refund') > 0) throw new ReferenceRefusal(409)
    const owedCents = ledger.sumOf(key)
    for (const line of ledger.linesOf(key).toReversed()) {
      const chargeSum = ledger.sumOf(key)
      if (
        owedCents < 0
          ? chargeSum < 0 && line.kind === 'write_off'
          : chargeSum > 0 && line.kind === 'credit' && line.cents > 0
      )
        ledger.turn(act, line)
    }
    const chargeSum = ledger.sumOf(key)
    const { student } = ledger.charges.get(key)!
    if (chargeSum < 0)
      ledger.add(act, { student, charge: key, kind: 'credit', cents: 0 - chargeSum })
    if (owedCents < 0 && chargeSum > 0)
      ledger.add(act, { student, charge: key, kind: 'write_off', cents: 0 - chargeSum })
  }
  for (const student of new Set(knownLines.map((line) => line.student)))
    if (ledger.credit(student) < 0) ledger.uncover(act, student)
}
