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
import { siblingPricesOf, type SiblingPriceRule } from '@tatami/contract/dues/prices'

/** How often, and by which act last, a line was reversed: it counts if the number is even. */
type Turn = { act: string; at: number }
type Line = {
  student: string
  charge: string | null
  kind: LineKind
  cents: number
  reason: string | null
  day: string
  turns: Turn[]
}
type Charge = { key: string; student: string; month: Month | null; since: string; number: number }
type Person = {
  id: string
  fee: number
  is_trial: boolean
  joined: string
  vacation_from: string | null
  vacation_until: string | null
  former: { fee: number; month: string } | null
  kept: { cents: number; reason: string | null; month: string } | null
  pays_since: string | null
  past: { from: string; until: string }[]
}
type Record = { status: 'paid' | 'unpaid'; cents: number; reason: string | null }
/** A refused call, with its status. */
export class ReferenceRefusal extends Error {
  readonly status: number
  constructor(status: number) {
    super(String(status))
    this.status = status
  }
}
const sum = (lines: Line[]) => lines.reduce((cents, line) => cents + line.cents, 0)
const stands = ({ turns }: Line) => turns.length % 2 === 1
const lastTurn = ({ turns }: Line) => turns.at(-1)!
const byTurn = (a: Line, b: Line) => lastTurn(a).at - lastTurn(b).at
const nameOf = (month: Month) =>
  new Date(firstDayOf(month)).toLocaleDateString('en-US', {
    timeZone: 'UTC',
    month: 'long',
    year: 'numeric',
  })
export const keyOf = (student: string, { month, year }: Month) => `${student} ${year} ${month}`

/** The rules of the ledger once more, as plain lists in memory, for one dojo. */
export class ReferenceLedger {
  people = new Map<string, Person>()
  lines: Line[] = []
  charges = new Map<string, Charge>()
  records = new Map<string, Record>()
  today: string
  since: string
  rule: SiblingPriceRule
  family: string[] = []
  deletedRevenue: { month: string; cents: number }[] = []
  #turns = 0

  constructor(today: string, rule: SiblingPriceRule) {
    this.today = today
    this.since = firstDayOf(monthOfDate(today))
    this.rule = rule
  }

  get month(): Month {
    return monthOfDate(this.today)
  }
  linesOf = (charge: string): Line[] =>
    this.lines.filter((line) => line.charge === charge && stands(line)).toSorted(byTurn)
  sumOf = (charge: string, ...kinds: LineKind[]): number =>
    sum(this.linesOf(charge).filter(({ kind }) => kinds.length === 0 || kinds.includes(kind)))
  isMade = (charge: string): boolean => this.linesOf(charge).some(({ kind }) => kind === 'charge')
  credit = (student: string): number =>
    sum(
      this.lines.filter(
        (line) => line.student === student && stands(line) && line.kind === 'credit',
      ),
    ) -
    sum(
      this.lines.filter((line) => line.student === student && stands(line) && line.charge === null),
    )

  isAway = ({ vacation_from, vacation_until }: Person, start: string, end = start): boolean =>
    vacation_from !== null &&
    vacation_from <= start &&
    (vacation_until === null || vacation_until >= end)
  isOnVacation = (person: Person, day: string): boolean =>
    this.isAway(person, day) || person.past.some(({ from, until }) => from <= day && day <= until)
  isPaying = (person: Person): boolean => !person.is_trial && !this.isAway(person, this.today)
  isChargedForMonth(person: Person, month: Month): boolean {
    const last = lastDayOf(month)
    if (person.is_trial || person.joined > last) return false
    const starts = [firstDayOf(month), person.joined, person.pays_since ?? '']
    const first = starts
      .filter((start) => start <= last)
      .toSorted()
      .at(-1)!
    for (let day = first; day <= last; day = addDays(day, 1))
      if (!this.isOnVacation(person, day)) return true
    return false
  }

  feeIn = ({ fee, former }: Person, month: Month): number =>
    former && firstDayOf(month) <= former.month ? former.fee : fee

  /** The first day in the month on which the student has joined and is not away, at the latest the
   *  last. */
  dueDay(person: Person, month: Month): string {
    const last = lastDayOf(month)
    const starts = [person.joined, person.pays_since ?? ''].filter((start) => start <= last)
    for (let day = firstDayOf(month); day < last; day = addDays(day, 1)) {
      if (starts.every((start) => start <= day) && !this.isOnVacation(person, day)) return day
    }
    return last
  }

  price(
    person: Person,
    month: Month,
    current = this.month,
  ): { cents: number; reason: string | null } {
    const isPast = firstDayOf(month) < firstDayOf(current)
    const siblings = this.family
      .flatMap((id) => this.people.get(id) ?? [])
      .filter(({ joined }) => joined <= lastDayOf(month))
      .map((sibling) => ({
        id: sibling.id,
        fee: toDollars(this.feeIn(sibling, month)),
        enrolled_at: sibling.joined,
        is_trial: sibling.is_trial,
        on_vacation: !isPast && this.isAway(sibling, firstDayOf(month), lastDayOf(month)),
        is_exempt: false,
      }))
    const siblingPrice =
      siblings.length > 1
        ? siblingPricesOf(siblings, this.rule).find(({ student_id }) => student_id === person.id)
        : undefined
    const cents = this.feeIn(person, month)
    const keptPrice = person.kept?.month === firstDayOf(month) ? person.kept : null
    if (keptPrice?.reason && keptPrice.cents < cents)
      return { cents: keptPrice.cents, reason: keptPrice.reason }
    if (siblingPrice && !keptPrice)
      return { cents: toCents(siblingPrice.amount), reason: siblingPrice.reason }
    const reason =
      cents < person.fee
        ? `new fee from ${nameOf(nextMonth(monthOfDate(person.former!.month)))}`
        : null
    return { cents, reason }
  }

  charge(student: string, month: Month): string {
    const key = keyOf(student, month)
    if (!this.charges.has(key)) {
      const dueSince = this.dueDay(this.people.get(student)!, month)
      this.charges.set(key, { key, student, month, since: dueSince, number: 0 })
    }
    return key
  }

  add(
    act: string,
    line: Omit<Line, 'turns' | 'reason' | 'day'> & { reason?: string | null },
  ): Line {
    const addedLine = {
      reason: null,
      day: this.today,
      ...line,
      turns: [{ act, at: (this.#turns += 1) }],
    }
    this.lines.push(addedLine)
    return addedLine
  }
  turn = (act: string, line: Line): void => void line.turns.push({ act, at: (this.#turns += 1) })

  totalOf(act: string): { total: number; lines: number } {
    let total = 0,
      count = 0
    for (const { kind, cents, turns } of this.lines)
      for (const [index, { act: turnAct }] of turns.entries())
        if (turnAct === act) {
          count += 1
          if (kind === 'payment' || kind === 'refund') total += index % 2 === 0 ? 0 - cents : cents
        }
    return { total, lines: count }
  }

  refresh(): void {
    for (const { key, month } of this.charges.values()) {
      if (!month) continue
      const recordBefore = this.records.get(key)
      const isPaid = this.isMade(key) && this.sumOf(key) <= 0
      if (!isPaid && recordBefore?.status === 'paid') recordBefore.status = 'unpaid'
      if (!isPaid) continue
      const cents = 0 - this.sumOf(key, 'payment', 'credit', 'refund')
      const first = this.linesOf(key).find(({ kind }) => kind === 'charge')!
      if (recordBefore?.status !== 'paid' || recordBefore.cents !== cents)
        this.records.set(key, {
          status: 'paid',
          cents,
          reason: first.cents === cents ? first.reason : null,
        })
    }
  }

  /** What stays charged of an ended month although its payment was undone. */
  keptAmount(student: string, month: Month): Line | undefined {
    const hasEnded = this.since <= firstDayOf(month) && firstDayOf(month) < firstDayOf(this.month)
    const first = this.linesOf(keyOf(student, month)).find(({ kind }) => kind === 'charge')
    if (!first || !hasEnded || !this.isChargedForMonth(this.people.get(student)!, month))
      return undefined
    return first.cents > 0 && first.day <= lastDayOf(month) ? first : undefined
  }

  unmark(act: string, student: string, month: Month): void {
    const key = keyOf(student, month)
    const lines = this.linesOf(key)
    const keptAmount = this.keptAmount(student, month)
    const isOfPayment = (line: Line) =>
      this.lines.some(
        (candidate) =>
          candidate.charge === key &&
          (candidate.kind === 'payment' || candidate.kind === 'credit') &&
          candidate.turns.some((turn) => turn.act === lastTurn(line).act),
      )
    const going = lines.filter(
      (line) => line.kind !== 'charge' || (isOfPayment(line) && line !== keptAmount),
    )
    for (const line of going) this.turn(act, line)
    if (going.some(({ kind, cents }) => kind === 'credit' && cents > 0)) this.uncover(act, student)
  }

  /** Removes credit from the charges covered last, until it is not negative. */
  uncover(act: string, student: string): void {
    const covering = this.lines.filter(
      (line) =>
        line.student === student && stands(line) && line.kind === 'credit' && line.cents < 0,
    )
    for (const line of covering.toSorted(byTurn).toReversed()) {
      if (this.credit(student) >= 0) return
      this.turn(act, line)
      const unusedCredit = this.credit(student)
      if (unusedCredit > 0)
        this.add(act, { student, charge: line.charge, kind: 'credit', cents: 0 - unusedCredit })
    }
    if (this.credit(student) < 0) throw new ReferenceRefusal(409)
  }

  owed = (student: string, live: string[] = []): Charge[] =>
    [...this.charges.values()]
      .filter(
        ({ key, student: owner }) =>
          owner === student && (this.sumOf(key) > 0 || live.includes(key)),
      )
      .toSorted((a, b) => (a.since < b.since ? -1 : a.since > b.since ? 1 : a.number - b.number))

  live(person: Person): number {
    const key = keyOf(person.id, this.month)
    if (!this.isPaying(person) || this.records.get(key)?.status === 'paid' || this.isMade(key))
      return 0
    return this.price(person, this.month).cents
  }

  liveSince(person: Person): string {
    const due = this.dueDay(person, this.month)
    const chargedSince = this.charges.get(keyOf(person.id, this.month))?.since ?? due
    return chargedSince > due ? chargedSince : due
  }

  dues = (month: Month) =>
    [...this.people.values()].flatMap((person) => {
      const key = keyOf(person.id, month)
      const due = this.dueDay(person, month)
      const chargedSince = this.charges.get(key)?.since ?? due
      const receivedCents = 0 - this.sumOf(key, 'payment', 'credit', 'refund')
      const isCharged = this.sumOf(key, 'charge') > 0
      const owedCents = isCharged ? this.sumOf(key) : this.asked(person, month)
      if (owedCents + receivedCents === 0) return []
      return {
        student_id: person.id,
        cost: toDollars(owedCents + receivedCents),
        received: toDollars(receivedCents),
        owed: toDollars(owedCents),
        since: chargedSince > due ? chargedSince : due,
      }
    })

  /** Charged when the month ends; nothing if it has ended. */
  asked(person: Person, month: Month): number {
    const first = firstDayOf(month)
    if (first === firstDayOf(this.month)) return this.live(person)
    const isPaid = this.records.get(keyOf(person.id, month))?.status === 'paid'
    if (first < firstDayOf(this.month) || isPaid || !this.isChargedForMonth(person, month)) return 0
    return this.price(person, month).cents
  }

  /** The cost of a month marked unpaid: what stays charged, or its price. */
  costUnpaid(
    key: string,
    price: { cents: number; reason: string | null },
  ): { cents: number; reason: string | null } {
    const chargeLines = this.linesOf(key).filter(({ kind }) => kind === 'charge')
    if (sum(chargeLines) <= 0) return price
    const cents = this.sumOf(key, 'charge', 'write_off')
    return { cents, reason: chargeLines[0]!.cents === cents ? chargeLines[0]!.reason : null }
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
        person.kept = { ...price, month: firstDayOf(this.month) }
  }

  keepRevenueOf(student: string): void {
    for (const { key, month, student: owner } of this.charges.values())
      if (month && owner === student)
        this.deletedRevenue.push({
          month: firstDayOf(month),
          cents: 0 - this.sumOf(key, 'payment', 'credit', 'refund'),
        })
  }
  receivedOfDeleted = (month: Month): number =>
    this.deletedRevenue
      .filter((entry) => entry.month === firstDayOf(month))
      .reduce((cents, entry) => cents + entry.cents, 0)

  /** Charges ended months, uses credit and ends vacations. */
  goTo(today: string, act: (what: string) => string): void {
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
        const key = keyOf(person.id, month),
          { cents, reason } = this.price(person, month, month)
        if (
          this.isChargedForMonth(person, month) &&
          this.records.get(key)?.status !== 'paid' &&
          !this.isMade(key) &&
          cents > 0
        )
          this.add(act(key), {
            student: person.id,
            charge: this.charge(person.id, month),
            kind: 'charge',
            cents,
            reason,
          })
      }
    if (endedMonths.length > 0)
      for (const person of this.people.values()) this.useCredit(person, act)
    for (const person of this.people.values())
      if (person.vacation_until !== null && person.vacation_until < today)
        this.endVacation(person, person.vacation_until)
    this.refresh()
  }

  endVacation(person: Person, last: string): void {
    const { vacation_from: vacationStart, vacation_until } = person
    const vacationEnd = vacation_until !== null && vacation_until < last ? vacation_until : last
    if (vacationStart !== null && vacationStart <= vacationEnd)
      person.past.push({ from: vacationStart, until: vacationEnd })
    Object.assign(person, { vacation_from: null, vacation_until: null })
  }

  private useCredit(person: Person, act: (what: string) => string): void {
    const student = person.id
    for (const { key } of this.owed(student)) {
      const cents = Math.min(this.credit(student), this.sumOf(key))
      if (cents > 0)
        this.add(act('credit'), { student, charge: key, kind: 'credit', cents: 0 - cents })
    }
    const price = this.live(person)
    if (this.credit(student) <= 0 || price === 0) return
    const key = this.charge(student, this.month)
    this.add(act('advance'), {
      student,
      charge: key,
      kind: 'charge',
      ...this.price(person, this.month),
    })
    this.add(act('advance'), {
      student,
      charge: key,
      kind: 'credit',
      cents: 0 - Math.min(price, this.credit(student)),
    })
  }
}
