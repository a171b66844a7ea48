/** A second, plain implementation of the rules for payments. Tests compare its results with those
 *  of the server. */
import { toCents, toDollars } from '@tatami/contract/lib/money'
import {
  firstDayOf,
  lastDayOf,
  type Month,
  monthOfDate,
  nextMonth,
  addDays,
} from '@tatami/contract/lib/calendar-day'
import type { LineKind } from '@tatami/contract/ledger/ledger'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { siblingPricesOf, type SiblingPriceRule } from '@tatami/contract/dues/prices'

/** An act adds a line, another act may undo it, and a third act may restore it. Each of these is a
 *  change of the line. `at` is the position among the changes of all lines. */
type LineChange = { act: string; at: number }
type Line = {
  student: string
  charge: string | null
  kind: LineKind
  cents: number
  reason: string | null
  day: string
  changes: LineChange[]
}
type Charge = {
  key: string
  student: string
  month: Month | null
  since: string
  /** Orders a student's charges of the same day. */
  number: number
}
type Person = {
  id: string
  fee: number
  is_trial: boolean
  enrolledOn: string
  vacation_from: string | null
  vacation_until: string | null
  /** The fee before a raise. It applies up to and including this month. */
  formerFee: { fee: number; month: string } | null
  /** The price before a sibling was deleted. It still applies to this month. */
  keptPrice: { cents: number; reason: string | null; month: string } | null
  paysSince: string | null
  pastVacations: { from: string; until: string }[]
}
type PaymentRecord = { status: 'paid' | 'unpaid'; cents: number; reason: string | null }
/** Thrown if the server must refuse the call with this status. */
export class ReferenceRefusal extends Error {
  readonly status: number
  constructor(status: number) {
    super(String(status))
    this.status = status
  }
}
const sumCents = (lines: Line[]) => lines.reduce((cents, line) => cents + line.cents, 0)
/** True if the line is not undone. Every second change is an undo. */
export const isInForce = ({ changes }: Line) => changes.length % 2 === 1
export const lastChange = ({ changes }: Line) => mustExist(changes.at(-1), 'A change of the line')
const byLastChange = (a: Line, b: Line) => lastChange(a).at - lastChange(b).at
const monthName = (month: Month) =>
  new Date(firstDayOf(month)).toLocaleDateString('en-US', {
    timeZone: 'UTC',
    month: 'long',
    year: 'numeric',
  })
export const monthKey = (student: string, { month, year }: Month) => `${student} ${year} ${month}`

/** The ledger of one dojo, as lists in memory. Amounts are in cents. */
export class ReferenceLedger {
  people = new Map<string, Person>()
  lines: Line[] = []
  charges = new Map<string, Charge>()
  records = new Map<string, PaymentRecord>()
  today: string
  since: string
  rule: SiblingPriceRule
  family: string[] = []
  deletedRevenue: { month: string; cents: number }[] = []
  #changeCount = 0

  constructor(today: string, rule: SiblingPriceRule) {
    this.today = today
    this.since = firstDayOf(monthOfDate(today))
    this.rule = rule
  }

  get month(): Month {
    return monthOfDate(this.today)
  }
  person = (id: string): Person => mustExist(this.people.get(id), 'The student')
  linesOf = (charge: string): Line[] =>
    this.lines.filter((line) => line.charge === charge && isInForce(line)).toSorted(byLastChange)
  sumOf = (charge: string, ...kinds: LineKind[]): number =>
    sumCents(this.linesOf(charge).filter(({ kind }) => kinds.length === 0 || kinds.includes(kind)))
  isCharged = (charge: string): boolean =>
    this.linesOf(charge).some(({ kind }) => kind === 'charge')
  /** Money that was paid without a charge or moved away from a charge, and is not used yet. */
  credit(student: string): number {
    const lines = this.lines.filter((line) => line.student === student && isInForce(line))
    const movedCents = sumCents(lines.filter(({ kind }) => kind === 'credit'))
    const unassignedCents = sumCents(lines.filter(({ charge }) => charge === null))
    return movedCents - unassignedCents
  }

  /** Returns whether the student's current vacation includes all days from `start` to `end`. */
  isAway = ({ vacation_from, vacation_until }: Person, start: string, end = start): boolean =>
    vacation_from !== null &&
    vacation_from <= start &&
    (vacation_until === null || vacation_until >= end)
  isOnVacation = (person: Person, day: string): boolean =>
    this.isAway(person, day) ||
    person.pastVacations.some(({ from, until }) => from <= day && day <= until)
  isPaying = (person: Person): boolean => !person.is_trial && !this.isAway(person, this.today)
  isChargedForMonth(person: Person, month: Month): boolean {
    const lastDay = lastDayOf(month)
    if (person.is_trial || person.enrolledOn > lastDay) return false
    const starts = [person.enrolledOn, person.paysSince ?? ''].filter((start) => start <= lastDay)
    const firstDay = starts.toSorted().findLast((start) => start > firstDayOf(month))
    for (let day = firstDay ?? firstDayOf(month); day <= lastDay; day = addDays(day, 1))
      if (!this.isOnVacation(person, day)) return true
    return false
  }

  feeIn = ({ fee, formerFee }: Person, month: Month): number =>
    formerFee && firstDayOf(month) <= formerFee.month ? formerFee.fee : fee

  /** The first day of the month on which the student is enrolled, pays and is not on vacation. If
   *  there is no such day, the last day of the month. */
  dueDay(person: Person, month: Month): string {
    const lastDay = lastDayOf(month)
    const starts = [person.enrolledOn, person.paysSince ?? ''].filter((start) => start <= lastDay)
    for (let day = firstDayOf(month); day < lastDay; day = addDays(day, 1)) {
      if (starts.every((start) => start <= day) && !this.isOnVacation(person, day)) return day
    }
    return lastDay
  }

  price(
    person: Person,
    month: Month,
    currentMonth = this.month,
  ): { cents: number; reason: string | null } {
    const isPast = firstDayOf(month) < firstDayOf(currentMonth)
    const siblings = this.family
      .flatMap((id) => this.people.get(id) ?? [])
      .filter(({ enrolledOn }) => enrolledOn <= lastDayOf(month))
      .map((sibling) => ({
        id: sibling.id,
        fee: toDollars(this.feeIn(sibling, month)),
        enrolled_at: sibling.enrolledOn,
        is_trial: sibling.is_trial,
        on_vacation: !isPast && this.isAway(sibling, firstDayOf(month), lastDayOf(month)),
        is_exempt: false,
      }))
    const siblingPrice =
      siblings.length > 1
        ? siblingPricesOf(siblings, this.rule).find(({ student_id }) => student_id === person.id)
        : undefined
    const cents = this.feeIn(person, month)
    const keptPrice = person.keptPrice?.month === firstDayOf(month) ? person.keptPrice : null
    if (keptPrice?.reason && keptPrice.cents < cents)
      return { cents: keptPrice.cents, reason: keptPrice.reason }
    if (siblingPrice && !keptPrice)
      return { cents: toCents(siblingPrice.amount), reason: siblingPrice.reason }
    const lastMonthOfFormerFee = cents < person.fee ? person.formerFee?.month : undefined
    const reason = lastMonthOfFormerFee
      ? `new fee from ${monthName(nextMonth(monthOfDate(lastMonthOfFormerFee)))}`
      : null
    return { cents, reason }
  }

  charge(student: string, month: Month): string {
    const key = monthKey(student, month)
    if (!this.charges.has(key)) {
      const dueSince = this.dueDay(this.person(student), month)
      this.charges.set(key, { key, student, month, since: dueSince, number: 0 })
    }
    return key
  }

  add(
    act: string,
    line: Omit<Line, 'changes' | 'reason' | 'day'> & { reason?: string | null },
  ): Line {
    const addedLine = {
      reason: null,
      day: this.today,
      ...line,
      changes: [{ act, at: (this.#changeCount += 1) }],
    }
    this.lines.push(addedLine)
    return addedLine
  }
  /** Undoes a line, or restores a line that was undone. */
  toggle = (act: string, line: Line): void =>
    void line.changes.push({ act, at: (this.#changeCount += 1) })

  totalOf(act: string): { total: number; lines: number } {
    let total = 0
    let count = 0
    for (const { kind, cents, changes } of this.lines)
      for (const [index, { act: changeAct }] of changes.entries())
        if (changeAct === act) {
          count += 1
          if (kind === 'payment' || kind === 'refund') total += index % 2 === 0 ? 0 - cents : cents
        }
    return { total, lines: count }
  }

  /** Derives the payment records, paid or unpaid, from the lines. */
  updateRecords(): void {
    for (const { key, month } of this.charges.values()) {
      if (!month) continue
      const record = this.records.get(key)
      const isPaid = this.isCharged(key) && this.sumOf(key) <= 0
      if (!isPaid && record?.status === 'paid') record.status = 'unpaid'
      if (!isPaid) continue
      const cents = 0 - this.sumOf(key, 'payment', 'credit', 'refund')
      const firstLine = this.linesOf(key).find(({ kind }) => kind === 'charge')
      if (record?.status !== 'paid' || record.cents !== cents)
        this.records.set(key, {
          status: 'paid',
          cents,
          reason: firstLine?.cents === cents ? firstLine.reason : null,
        })
    }
  }

  /** Returns the line that stays when a payment for a past month is undone, because the month is
   *  still owed. */
  keptChargeLine(student: string, month: Month): Line | undefined {
    const hasEnded = this.since <= firstDayOf(month) && firstDayOf(month) < firstDayOf(this.month)
    const firstLine = this.linesOf(monthKey(student, month)).find(({ kind }) => kind === 'charge')
    if (!firstLine || !hasEnded || !this.isChargedForMonth(this.person(student), month))
      return undefined
    return firstLine.cents > 0 && firstLine.day <= lastDayOf(month) ? firstLine : undefined
  }

  /** Undoes the payment of a month. */
  unmark(act: string, student: string, month: Month): void {
    const key = monthKey(student, month)
    const lines = this.linesOf(key)
    const keptLine = this.keptChargeLine(student, month)
    const isFromPayment = (line: Line) =>
      this.lines.some(
        (otherLine) =>
          otherLine.charge === key &&
          (otherLine.kind === 'payment' || otherLine.kind === 'credit') &&
          otherLine.changes.some((change) => change.act === lastChange(line).act),
      )
    const undoneLines = lines.filter(
      (line) => line.kind !== 'charge' || (isFromPayment(line) && line !== keptLine),
    )
    for (const line of undoneLines) this.toggle(act, line)
    if (undoneLines.some(({ kind, cents }) => kind === 'credit' && cents > 0))
      this.withdrawCredit(act, student)
  }

  /** Takes credit back from charges, the last one first, until the credit is no longer negative. */
  withdrawCredit(act: string, student: string): void {
    const coveringLines = this.lines.filter(
      (line) =>
        line.student === student && isInForce(line) && line.kind === 'credit' && line.cents < 0,
    )
    for (const line of coveringLines.toSorted(byLastChange).toReversed()) {
      if (this.credit(student) >= 0) return
      this.toggle(act, line)
      const unusedCredit = this.credit(student)
      if (unusedCredit > 0)
        this.add(act, { student, charge: line.charge, kind: 'credit', cents: 0 - unusedCredit })
    }
    if (this.credit(student) < 0) throw new ReferenceRefusal(409)
  }

  /** The student's unpaid charges, the oldest first. With `currentMonthKey`, the charge of the
   *  current month is among them even if it has no lines yet. */
  owedCharges = (student: string, currentMonthKey?: string): Charge[] =>
    [...this.charges.values()]
      .filter((charge) => charge.student === student)
      .filter(({ key }) => this.sumOf(key) > 0 || key === currentMonthKey)
      .toSorted((a, b) => a.since.localeCompare(b.since) || a.number - b.number)

  /** What the student owes for the current month while it is not charged. */
  currentMonthPrice(person: Person): number {
    const key = monthKey(person.id, this.month)
    if (!this.isPaying(person) || this.records.get(key)?.status === 'paid' || this.isCharged(key))
      return 0
    return this.price(person, this.month).cents
  }

  currentMonthOwedSince(person: Person): string {
    const due = this.dueDay(person, this.month)
    const chargedSince = this.charges.get(monthKey(person.id, this.month))?.since ?? due
    return chargedSince > due ? chargedSince : due
  }

  dues = (month: Month) =>
    [...this.people.values()].flatMap((person) => {
      const key = monthKey(person.id, month)
      const due = this.dueDay(person, month)
      const chargedSince = this.charges.get(key)?.since ?? due
      const receivedCents = 0 - this.sumOf(key, 'payment', 'credit', 'refund')
      const isCharged = this.sumOf(key, 'charge') > 0
      const owedCents = isCharged ? this.sumOf(key) : this.unchargedPrice(person, month)
      if (owedCents + receivedCents === 0) return []
      return {
        student_id: person.id,
        cost: toDollars(owedCents + receivedCents),
        received: toDollars(receivedCents),
        owed: toDollars(owedCents),
        since: chargedSince > due ? chargedSince : due,
      }
    })

  /** The price of a month that is charged only when it ends, or 0 if the month has ended. */
  unchargedPrice(person: Person, month: Month): number {
    const firstDay = firstDayOf(month)
    if (firstDay === firstDayOf(this.month)) return this.currentMonthPrice(person)
    const isPaid = this.records.get(monthKey(person.id, month))?.status === 'paid'
    if (firstDay < firstDayOf(this.month) || isPaid) return 0
    if (!this.isChargedForMonth(person, month)) return 0
    return this.price(person, month).cents
  }

  /** The cost of a month that is marked unpaid: what is still charged, or else its price. */
  costUnpaid(
    key: string,
    price: { cents: number; reason: string | null },
  ): { cents: number; reason: string | null } {
    const chargeLines = this.linesOf(key).filter(({ kind }) => kind === 'charge')
    if (sumCents(chargeLines) <= 0) return price
    const cents = this.sumOf(key, 'charge', 'write_off')
    const [firstLine] = chargeLines
    return { cents, reason: firstLine?.cents === cents ? firstLine.reason : null }
  }

  deleteStudent(student: string): void {
    const siblings = (this.family.includes(student) ? this.family : [])
      .flatMap((id) => this.people.get(id) ?? [])
      .filter((person) => person.id !== student)
      .map((person) => ({ person, price: this.price(person, this.month) }))
    this.keepRevenueOf(student)
    this.people.delete(student)
    this.lines = this.lines.filter((line) => line.student !== student)
    for (const [key, charge] of this.charges)
      if (charge.student === student) this.charges.delete(key)
    for (const key of this.records.keys()) if (key.startsWith(student)) this.records.delete(key)
    for (const { person, price } of siblings)
      if (this.price(person, this.month).cents !== price.cents)
        person.keptPrice = { ...price, month: firstDayOf(this.month) }
  }

  keepRevenueOf(student: string): void {
    for (const { key, month, student: owner } of this.charges.values())
      if (month && owner === student)
        this.deletedRevenue.push({
          month: firstDayOf(month),
          cents: 0 - this.sumOf(key, 'payment', 'credit', 'refund'),
        })
  }
  deletedRevenueIn = (month: Month): number =>
    this.deletedRevenue
      .filter((revenue) => revenue.month === firstDayOf(month))
      .reduce((cents, revenue) => cents + revenue.cents, 0)

  /** Moves to another day, and does what the schedule does: charges months that have ended, uses
   *  credit and ends vacations. */
  advanceTo(today: string, actName: (subject: string) => string): void {
    const endedMonths: Month[] = []
    for (
      let month = this.month;
      firstDayOf(month) < firstDayOf(monthOfDate(today));
      month = nextMonth(month)
    )
      endedMonths.push(month)
    this.today = today
    for (const month of endedMonths)
      for (const person of this.people.values()) {
        const key = monthKey(person.id, month)
        const { cents, reason } = this.price(person, month, month)
        const isOpen = this.records.get(key)?.status !== 'paid' && !this.isCharged(key)
        if (this.isChargedForMonth(person, month) && isOpen && cents > 0)
          this.add(actName(key), {
            student: person.id,
            charge: this.charge(person.id, month),
            kind: 'charge',
            cents,
            reason,
          })
      }
    if (endedMonths.length > 0)
      for (const person of this.people.values()) this.useCredit(person, actName)
    for (const person of this.people.values())
      if (person.vacation_until !== null && person.vacation_until < today)
        this.endVacation(person, person.vacation_until)
    this.updateRecords()
  }

  endVacation(person: Person, lastDay: string): void {
    const { vacation_from: vacationStart, vacation_until } = person
    const vacationEnd =
      vacation_until !== null && vacation_until < lastDay ? vacation_until : lastDay
    if (vacationStart !== null && vacationStart <= vacationEnd)
      person.pastVacations.push({ from: vacationStart, until: vacationEnd })
    Object.assign(person, { vacation_from: null, vacation_until: null })
  }

  private useCredit(person: Person, actName: (subject: string) => string): void {
    const student = person.id
    for (const { key } of this.owedCharges(student)) {
      const cents = Math.min(this.credit(student), this.sumOf(key))
      if (cents > 0)
        this.add(actName('credit'), { student, charge: key, kind: 'credit', cents: 0 - cents })
    }
    const price = this.currentMonthPrice(person)
    if (this.credit(student) <= 0 || price === 0) return
    const key = this.charge(student, this.month)
    this.add(actName('advance'), {
      student,
      charge: key,
      kind: 'charge',
      ...this.price(person, this.month),
    })
    this.add(actName('advance'), {
      student,
      charge: key,
      kind: 'credit',
      cents: 0 - Math.min(price, this.credit(student)),
    })
  }
}
