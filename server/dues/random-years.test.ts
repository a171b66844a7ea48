import { toCents, toDollars } from '@tatami/contract/lib/money'
import { type Month, addDays, addMonths } from '@tatami/contract/lib/calendar-day'
import type { Account, Balance } from '@tatami/contract/ledger/ledger'
import { type PaymentRecord, type MonthDue } from '@tatami/contract/ledger/payment-records'
import { statisticsOf } from '@tatami/contract/dues/payments'
import { isVacationOn } from '@tatami/contract/students/student-page'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { newId } from '../db/columns.ts'
import { guardians, guardianships } from '../guardians/tables.ts'
import { runDueJobs } from '../schedule.ts'
import { setClock } from '../test/clock.ts'
import { exampleStudent, signInAs } from '../test/fixtures.ts'
import * as acts from '../test/reference-acts.ts'
import { expectConsistentPayments } from '../test/reconcile.ts'
import { monthKey, ReferenceLedger, ReferenceRefusal } from '../test/reference-ledger.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const overseer = new pg.Client({ connectionString: server.adminUrl })
await overseer.connect()
afterAll(() => overseer.end())

const FIRST_DAY = '2027-01-20'
const SIBLING_RULE = {
  ordered_by: 'highest_fee' as const,
  prices: [
    { nth: 2, percent: 10, amount_off: null },
    { nth: 3, percent: null, amount_off: 15.55 },
  ],
}
const FEES = [100, 85.55, 0, 60.1, 120]
/** How many random years to run. SEED=<number> repeats the same years. */
const YEARS = Number(process.env.YEARS ?? (process.env.LONG ? 300 : 2))

const personIndex = fc.nat(9)
const cents = fc.oneof(
  fc.constantFrom(1, 5000, 8555, 10_000, 20_000),
  fc.integer({ min: 1, max: 30_000 }),
)
/** -1 is next month. */
const monthsAgo = fc.constantFrom(0, 0, 0, 1, 1, 2, -1)
const markStatus = fc.constantFrom('paid' as const, 'paid' as const, 'unpaid' as const)
const isTrial = fc.constantFrom(false, false, true)
const days = fc.record({
  from: fc.integer({ min: -20, max: 40 }),
  length: fc.integer({ min: 0, max: 80 }),
})
const randomAct = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      days: fc.integer({ min: 1, max: 40 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('join' as const),
      fee: fc.constantFrom(...FEES),
      isTrial,
      inFamily: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      who: personIndex,
      fee: fc.constantFrom(...FEES),
      feeFrom: fc.constantFrom(undefined, 'this_month' as const, 'next_month' as const),
      isTrial,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('vacation' as const),
      who: personIndex,
      days: fc.option(days),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('mark' as const),
      who: personIndex,
      status: markStatus,
      monthsAgo,
      cents: fc.option(fc.oneof(fc.constantFrom(0, ...FEES.map(toCents)), cents), {
        freq: 3,
        nil: undefined,
      }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('markAll' as const), status: markStatus, monthsAgo }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reset' as const), monthsAgo }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('pay' as const),
      who: personIndex,
      cents,
      monthsAgo: fc.option(monthsAgo),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('charge' as const),
      who: fc.uniqueArray(personIndex, { minLength: 1, maxLength: 3 }),
      cents,
      daysAgo: fc.integer({ min: -20, max: 40 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('writeOff' as const),
      who: personIndex,
      nth: fc.nat(9),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('refund' as const),
      who: personIndex,
      nth: fc.option(fc.nat(9)),
      cents,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('undo' as const),
      nth: fc.oneof(fc.constant(0), fc.nat(20)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), who: personIndex }) },
)
type Act = typeof randomAct extends fc.Arbitrary<infer T> ? T : never

const byStudent = (a: MonthDue, b: MonthDue) => (a.student_id < b.student_id ? -1 : 1)
const roundedDollars = (amount: number) => toDollars(Math.round(amount))

/** A year of one dojo, on the server and in the reference. */
async function createYear() {
  setClock(`${FIRST_DAY}T18:00:00Z`)
  const sensei = await server.createSensei()
  const payer = newId()
  await server.db.inDojo(sensei.dojoId, (tx) =>
    tx.insert(guardians).values({ id: payer, name: 'Rosa Diaz' }),
  )
  await sensei.put('/sibling-prices', SIBLING_RULE)
  const runJobs = () =>
    runDueJobs(server.db, (error) => {
      throw error
    })
  await runJobs()
  const reference = new ReferenceLedger(FIRST_DAY, SIBLING_RULE)
  const chargeIds = new Map<string, string>()
  const madeActs: string[] = []
  let client = server.clientFor(sensei.token)
  let counter = 0

  const ids = () => [...reference.people.keys()]
  const monthBack = (count: number): Month => {
    const { month, year } = reference.month
    return addMonths({ month, year }, -count)
  }
  /** Applies a change to both sides. Both must refuse it, or agree on the total and line count. */
  async function applyToBoth(
    path: string,
    body: object,
    apply: (actId: string) => void,
  ): Promise<void> {
    const referenceBefore = structuredClone({
      lines: reference.lines,
      charges: reference.charges,
      records: reference.records,
    })
    const reply = await client.post(path, body)
    const actId = reply.body.act_id ?? `none ${(counter += 1)}`
    try {
      apply(actId)
      reference.updateRecords()
      expect([path, reply.status]).toEqual([path, 200])
    } catch (error) {
      if (!(error instanceof ReferenceRefusal)) throw error
      Object.assign(reference, referenceBefore)
      expect([path, reply.status]).toEqual([path, error.status])
      return
    }
    const { total, lines } = reference.totalOf(actId)
    if (reply.body.lines !== undefined)
      expect([reply.body.total, reply.body.lines]).toEqual([roundedDollars(total), lines])
    if (lines > 0) madeActs.push(actId)
  }
  const chargesOf = (student: string) =>
    [...reference.charges.values()].filter(
      (charge) => charge.student === student && chargeIds.has(charge.key),
    )

  async function perform(act: Act): Promise<void> {
    const person =
      'who' in act && typeof act.who === 'number' ? ids()[act.who % ids().length] : undefined
    const month =
      'monthsAgo' in act && act.monthsAgo !== null ? monthBack(act.monthsAgo) : undefined
    if ('who' in act && ids().length === 0) return
    if (act.do === 'advance') {
      const day = addDays(reference.today, act.days)
      setClock(`${day}T18:00:00Z`)
      client = server.clientFor(await signInAs(server.db, sensei.id))
      await runJobs()
      reference.advanceTo(day, (key) => `schedule ${day} ${key}`)
    } else if (act.do === 'join') {
      const form = exampleStudent({
        class_preferences: ['saturday'],
        monthly_payment_amount: act.fee,
        is_trial: act.isTrial,
      })
      const { id } = (await client.post('/students', form)).body.student
      reference.people.set(id, {
        id,
        fee: toCents(act.fee),
        is_trial: act.isTrial,
        enrolledOn: reference.today,
        vacation_from: null,
        vacation_until: null,
        formerFee: null,
        keptPrice: null,
        paysSince: null,
        pastVacations: [],
      })
      if (!act.inFamily) return
      reference.family.push(id)
      await server.db.inDojo(sensei.dojoId, (tx) =>
        tx.insert(guardianships).values({
          guardian_id: payer,
          student_id: id,
          pays: true,
          since: '2026-01-01T00:00:00Z',
        }),
      )
    } else if (act.do === 'change') {
      const { body } = await client.get(`/students/${person}`)
      await client.put(`/students/${person}`, {
        ...body.student,
        monthly_payment_amount: act.fee,
        is_trial: act.isTrial,
        fee_from: act.feeFrom,
      })
      acts.change(reference, person!, { ...act, fee: toCents(act.fee) })
    } else if (act.do === 'vacation') {
      const vacation_from = act.days && addDays(reference.today, act.days.from)
      const vacation_until =
        act.days && addDays(reference.today, Math.max(0, act.days.from + act.days.length))
      expect(
        (await client.put(`/students/${person}/vacation`, { vacation_from, vacation_until }))
          .status,
      ).toBe(200)
      const personOnVacation = reference.people.get(person!)!
      if (vacation_from === null || vacation_from > reference.today)
        reference.endVacation(personOnVacation, addDays(reference.today, -1))
      Object.assign(personOnVacation, { vacation_from, vacation_until })
    } else if (act.do === 'mark') {
      const mark = { student: person!, month: month!, status: act.status, cents: act.cents }
      await applyToBoth('/payment-records', markBody(mark), (actId) =>
        acts.mark(reference, actId, [mark]),
      )
    } else if (act.do === 'markAll') {
      const marks = ids().map((student) => ({ student, month: month!, status: act.status }))
      if (marks.length > 0)
        await applyToBoth('/payment-records/marks', { marks: marks.map(markBody) }, (actId) =>
          acts.mark(reference, actId, marks),
        )
    } else if (act.do === 'reset') {
      const { month: payment_month, year: payment_year } = month!
      await applyToBoth('/reset-monthly-payments', { payment_month, payment_year }, (actId) =>
        acts.reset(reference, actId, month!),
      )
    } else if (act.do === 'pay') {
      await applyToBoth(
        '/payments',
        { student_id: person, amount: toDollars(act.cents), toward: month ?? null, method: 'cash' },
        (actId) => acts.pay(reference, actId, person!, act.cents, month),
      )
    } else if (act.do === 'charge') {
      const students = [...new Set(act.who.map((index) => ids()[index % ids().length]!))]
      const note = `Charge ${(counter += 1)}`,
        charged_on = addDays(reference.today, 0 - act.daysAgo)
      await applyToBoth(
        '/charges',
        {
          student_ids: students,
          kind: 'equipment',
          amount: toDollars(act.cents),
          note,
          charged_on,
        },
        (actId) => acts.charge(reference, actId, note, students, act.cents, charged_on),
      )
    } else if (act.do === 'writeOff' || act.do === 'refund') {
      const personCharges = chargesOf(person!)
      const key =
        act.nth === null || personCharges.length === 0
          ? null
          : personCharges[act.nth % personCharges.length]!.key
      const charge_id = key && chargeIds.get(key)
      if (act.do === 'refund')
        await applyToBoth(
          '/refunds',
          { student_id: person, charge_id, amount: toDollars(act.cents) },
          (actId) => acts.refund(reference, actId, person!, key, act.cents),
        )
      else if (key)
        await applyToBoth(`/charges/${charge_id}/write-off`, {}, (actId) =>
          acts.writeOff(reference, actId, person!, key),
        )
    } else if (act.do === 'undo') {
      const undoneActId = madeActs.at(-1 - (act.nth % Math.max(1, madeActs.length)))
      if (undoneActId)
        await applyToBoth(`/ledger-acts/${undoneActId}/undo`, {}, (actId) =>
          acts.undo(reference, actId, undoneActId),
        )
    } else {
      await client.delete(`/students/${person}`)
      reference.deleteStudent(person!)
    }
  }
  const markBody = ({
    student,
    month,
    status,
    cents: amount,
  }: {
    student: string
    month: Month
    status: string
    cents?: number | undefined
  }) => ({
    student_id: student,
    payment_month: month.month,
    payment_year: month.year,
    payment_status: status,
    ...(amount !== undefined && { monthly_payment_amount: toDollars(amount) }),
  })

  /** Balances, accounts, records and statistics are the same on both sides. */
  async function compare(): Promise<void> {
    const balances = new Map(
      ((await client.get('/payment-balances')).body as Balance[]).map(
        ({ student_id, ...balance }) => [student_id, balance],
      ),
    )
    for (const person of reference.people.values()) {
      const owedCharges = reference
        .owedCharges(person.id)
        .map((charge) => ({ since: charge.since, cents: reference.sumOf(charge.key) }))
      const currentMonthCents = reference.currentMonthPrice(person)
      if (currentMonthCents > 0)
        owedCharges.push({
          since: reference.currentMonthOwedSince(person),
          cents: currentMonthCents,
        })
      const unusedCredit = reference.credit(person.id)
      let credit = unusedCredit
      const unpaidCharges = owedCharges.filter((charge) => {
        const coveredCents = Math.min(credit, charge.cents)
        credit -= coveredCents
        charge.cents -= coveredCents
        return charge.cents > 0
      })
      const expected = {
        owed: roundedDollars(unpaidCharges.reduce((sum, charge) => sum + charge.cents, 0)),
        credit: roundedDollars(credit),
      }
      const owedSince = unpaidCharges.map((charge) => charge.since).toSorted()[0] ?? null
      const { body: account } = (await client.get(`/students/${person.id}/account`)) as {
        body: Account
      }
      expect(balances.get(person.id) ?? { owed: 0, credit: 0, owed_since: null }).toEqual({
        ...expected,
        owed_since: owedSince,
      })
      expect([account.balance, account.credit]).toEqual([
        roundedDollars(expected.owed * 100 - expected.credit * 100),
        roundedDollars(unusedCredit),
      ])
      for (const { id, year, month, note } of account.charges)
        if (id !== null)
          chargeIds.set(
            year === null ? `${person.id} ${note}` : monthKey(person.id, { year, month: month! }),
            id,
          )
      const lines = reference.lines
        .filter(({ student }) => student === person.id)
        .flatMap(({ kind, cents: lineCents, changes }) =>
          changes.map(
            (_, index) => `${kind} ${roundedDollars(index % 2 === 0 ? lineCents : 0 - lineCents)}`,
          ),
        )
      expect(account.lines.map(({ kind, amount }) => `${kind} ${amount}`).toSorted()).toEqual(
        lines.toSorted(),
      )
    }
    for (const count of [0, 1, 2]) await compareMonth(monthBack(count))
  }

  async function compareMonth(month: Month): Promise<void> {
    const query = `?month=${month.month}&year=${month.year}`
    const records = (await client.get(`/payment-records${query}`)).body as PaymentRecord[]
    const expected = ids().flatMap((id) => {
      const record = reference.records.get(monthKey(id, month))
      return record ? [`${id} ${record.status} ${toDollars(record.cents)} ${record.reason}`] : []
    })
    const recordTexts = records.map(
      (record) =>
        `${record.student_id} ${record.payment_status} ${record.monthly_payment_amount} ${record.price_reason}`,
    )
    expect(recordTexts.toSorted()).toEqual(expected.toSorted())
    const people = [...reference.people.values()].map((person) => ({
      ...person,
      on_vacation: isVacationOn(reference.today, person),
    }))
    const dues = reference.dues(month)
    expect(
      ((await client.get(`/month-dues${query}`)).body as MonthDue[]).toSorted(byStudent),
    ).toEqual(dues.toSorted(byStudent))
    expect((await client.get(`/payment-statistics${query}`)).body).toEqual(
      statisticsOf(people, records, dues, toDollars(reference.deletedRevenueIn(month))),
    )
  }

  /** All lines, as they are stored. */
  const readStored = async () =>
    (
      await overseer.query<{ id: string; student_id: string; line: string }>(
        'select id, student_id, l::text as line from ledger_lines l where dojo_id = $1',
        [sensei.dojoId],
      )
    ).rows
  const reconcileAll = () => expectConsistentPayments(overseer, sensei.dojoId, client)
  return { perform, compare, stored: readStored, reconcileAll, people: reference.people }
}

/** Performs the acts on both sides, and compares after each. Stored lines must never change. */
async function compareYear(story: Act[]): Promise<void> {
  const year = await createYear()
  for (const fee of FEES.slice(0, 3))
    await year.perform({ do: 'join', fee, isTrial: false, inFamily: true })
  let storedLines: Awaited<ReturnType<typeof year.stored>> = []
  for (const event of story) {
    await year.perform(event)
    await year.compare()
    const currentLines = await year.stored()
    const lines = new Map(currentLines.map(({ id, line }) => [id, line]))
    for (const { id, student_id, line } of storedLines)
      if (year.people.has(student_id)) expect(lines.get(id)).toBe(line)
    storedLines = currentLines
  }
  await year.reconcileAll()
}

test('charges nothing for a month spent on vacation since enrollment', async () => {
  const story: Act[] = [
    { do: 'vacation', who: 0, days: { from: 0, length: 11 } },
    { do: 'advance', days: 12 },
  ]
  await expect(compareYear(story)).resolves.toBeUndefined()
})

test('charges nothing to a student who goes on vacation when a trial ends', async () => {
  const story: Act[] = [
    { do: 'advance', days: 15 },
    { do: 'change', who: 0, fee: 100, feeFrom: undefined, isTrial: true },
    { do: 'change', who: 0, fee: 100, feeFrom: undefined, isTrial: false },
    { do: 'vacation', who: 0, days: { from: 0, length: 24 } },
    { do: 'advance', days: 30 },
  ]
  await expect(compareYear(story)).resolves.toBeUndefined()
})

test('agrees with a simple model over years of random payments and undos', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(randomAct, { minLength: 20, maxLength: process.env.LONG ? 40 : 25, size: 'max' }),
      compareYear,
    ),
    { numRuns: YEARS, ...(process.env.SEED && { seed: Number(process.env.SEED) }) },
  )
}, 3_600_000)
