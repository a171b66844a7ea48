import { firstDayOf, type Month } from '@tatami/contract/lib/calendar-day'
import { keyOf, type ReferenceLedger, Refused } from './reference-ledger.ts'

type Mark = { student: string; month: Month; status: 'paid' | 'unpaid'; cents?: number | undefined }

/** Whether each was marked other than it was; the records of those are as the server's reply says them. */
export function mark(ledger: ReferenceLedger, act: string, marks: Mark[]): void {
  for (const { student, month, status, cents } of marks) {
    const key = keyOf(student, month),
      before = ledger.records.get(key)
    if (before?.status === status) continue
    const price = ledger.price(ledger.people.get(student)!, month)
    if (status === 'unpaid') {
      const usual = [ledger.people.get(student)!.fee, price.cents]
      if (before) ledger.unmark(act, student, month)
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
      owed = ledger.sumOf(ledger.charge(student, month)),
      received = 0 - ledger.sumOf(key, 'payment', 'credit', 'refund')
    const cost = isMade ? owed + received : price.cents
    const usual = [ledger.people.get(student)!.fee, price.cents, ledger.sumOf(key, 'charge')]
    let total = cents ?? cost
    if (cents !== undefined && usual.includes(cents)) total = Math.min(cents, cost)
    const missing = total - received
    const reason = !isMade && total === price.cents ? price.reason : null
    if (!isMade || missing !== owed)
      ledger.add(act, { student, charge: key, kind: 'charge', cents: missing - owed, reason })
    const kind = missing < 0 ? 'credit' : 'payment'
    ledger.add(act, { student, charge: key, kind, cents: 0 - missing })
  }
}

type Change = { fee: number; feeFrom: 'this_month' | 'next_month' | undefined; isTrial: boolean }

/** A lower fee counts at once, a higher one too unless it, or another raise of this month, counts from the next. */
export function change(ledger: ReferenceLedger, student: string, to: Change): void {
  const person = ledger.people.get(student)!
  const feeNow = ledger.feeIn(person, ledger.month)
  const start = to.feeFrom ?? (feeNow === person.fee ? 'this_month' : 'next_month')
  if (to.fee !== person.fee || to.feeFrom)
    person.former =
      start === 'next_month' && to.fee > feeNow
        ? { fee: feeNow, month: firstDayOf(ledger.month) }
        : null
  const isRaised = start === 'this_month' && to.fee > feeNow
  if ((to.fee !== person.fee || to.feeFrom) && isRaised) person.kept = null
  if (person.is_trial && !to.isTrial) person.pays_since = ledger.today
  Object.assign(person, { fee: to.fee, is_trial: to.isTrial })
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
  toward: Month | undefined,
): void {
  const person = ledger.people.get(student)!
  let left = cents
  const payCharge = (key: string, owed: number) => {
    const part = Math.min(left, owed)
    left -= part
    if (part > 0) ledger.add(act, { student, charge: key, kind: 'payment', cents: 0 - part })
  }
  const payMonth = (month: Month) => {
    const key = ledger.charge(student, month)
    const price = ledger.price(person, month)
    if (!ledger.isMade(key) && price.cents > 0 && left > 0)
      ledger.add(act, { student, charge: key, kind: 'charge', ...price })
    payCharge(key, ledger.sumOf(key))
  }
  // Both months have a row from now on, whether money comes for them or not.
  if (toward) ledger.charge(student, toward)
  const current = keyOf(student, ledger.month)
  if (ledger.isPaying(person) && ledger.records.get(current)?.status !== 'paid')
    ledger.charge(student, ledger.month)
  if (toward) payMonth(toward)
  for (const { key } of ledger.owed(student, ledger.live(person) > 0 ? [current] : []))
    if (key === current) payMonth(ledger.month)
    else payCharge(key, ledger.sumOf(key))
  if (left > 0) ledger.add(act, { student, charge: null, kind: 'payment', cents: 0 - left })
}

export function charge(
  ledger: ReferenceLedger,
  act: string,
  name: string,
  students: string[],
  cents: number,
  since: string,
): void {
  for (const student of students) {
    const key = `${student} ${name}`
    ledger.charges.set(key, { key, student, month: null, since, number: ledger.charges.size })
    ledger.add(act, { student, charge: key, kind: 'charge', cents })
    const credit = Math.min(cents, ledger.credit(student))
    if (credit > 0) ledger.add(act, { student, charge: key, kind: 'credit', cents: 0 - credit })
  }
}

export function writeOff(ledger: ReferenceLedger, act: string, student: string, key: string): void {
  const owed = ledger.sumOf(key)
  if (owed <= 0) throw new Refused(409)
  ledger.add(act, { student, charge: key, kind: 'write_off', cents: 0 - owed })
}

export function refund(
  ledger: ReferenceLedger,
  act: string,
  student: string,
  key: string | null,
  cents: number,
): void {
  const most = key
    ? Math.min(
        0 - ledger.sumOf(key, 'payment', 'refund'),
        0 - ledger.sumOf(key, 'payment', 'credit', 'refund'),
      )
    : ledger.credit(student)
  if (cents > most) throw new Refused(422)
  ledger.add(act, { student, charge: key, kind: 'refund', cents })
}

export function undo(ledger: ReferenceLedger, act: string, undone: string): void {
  const stands = (line: { turns: unknown[] }) => line.turns.length % 2 === 1
  const known = ledger.lines.filter(({ turns }) => turns.some((turn) => turn.act === undone))
  if (known.length === 0) throw new Refused(404)
  const last = (line: (typeof known)[number]) => line.turns.at(-1)!
  const going = known.filter((line) => last(line).act === undone)
  const keys = new Set(known.map((line) => line.charge).filter((key) => key !== null))
  for (const line of going) {
    const amounts = ledger.lines.filter(
      (one) => one.charge === line.charge && one.kind === 'charge' && stands(one),
    )
    if (
      line.kind === 'charge' &&
      amounts.some((one) => last(one).act !== undone && last(one).at > last(line).at)
    )
      throw new Refused(409)
  }
  const keptAmounts = [...keys].map((key) => {
    const { month, student } = ledger.charges.get(key)!
    return month ? ledger.keptAmount(student, month) : undefined
  })
  const taken = going.filter((line) => !keptAmounts.includes(line))
  if (taken.length === 0) throw new Refused(409)
  for (const line of taken) ledger.turn(act, line)
  for (const key of keys) {
    if (ledger.sumOf(key, 'payment', 'refund') > 0) throw new Refused(409)
    const owed = ledger.sumOf(key)
    for (const line of ledger.linesOf(key).toReversed()) {
      const left = ledger.sumOf(key)
      if (
        owed < 0
          ? left < 0 && line.kind === 'write_off'
          : left > 0 && line.kind === 'credit' && line.cents > 0
      )
        ledger.turn(act, line)
    }
    const left = ledger.sumOf(key)
    const { student } = ledger.charges.get(key)!
    if (left < 0) ledger.add(act, { student, charge: key, kind: 'credit', cents: 0 - left })
    if (owed < 0 && left > 0)
      ledger.add(act, { student, charge: key, kind: 'write_off', cents: 0 - left })
  }
  for (const student of new Set(known.map((line) => line.student)))
    if (ledger.credit(student) < 0) ledger.uncover(act, student)
}
