import { toCents } from '@tatami/contract/lib/money'
import type { Receipt } from '@tatami/contract/bookkeeping/receipts'
import type { Account, LedgerLine } from '@tatami/contract/ledger/ledger'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { dojoIdOf } from '../test/fixtures.ts'
import { expectConsistentPayments } from '../test/reconcile.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const overseer = new pg.Client({ connectionString: server.adminUrl })
await overseer.connect()
afterAll(() => overseer.end())

const RUNS = Number(process.env.YEARS ?? (process.env.LONG ? 100 : 4))
const MARCH = { payment_month: 2, payment_year: 2027 }
const OPEN_PERIOD = { starts_on: '2027-01-01', ends_on: null }
const TAXES = [
  { kind: 'month', percent: 8.875, is_added: true, ...OPEN_PERIOD },
  { kind: 'equipment', percent: 8.25, is_added: false, ...OPEN_PERIOD },
]

const amountCents = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 12_000 }))
const index = fc.nat(20)
const randomAct = fc.oneof(
  fc.record({ do: fc.constantFrom('pay', 'charge', 'mark paid'), cents: amountCents, index }),
  fc.record({ do: fc.constantFrom('refund', 'pay charge'), cents: amountCents, index }),
  fc.record({
    do: fc.constantFrom('write off', 'undo', 'undo', 'mark unpaid', 'change taxes'),
    cents: amountCents,
    index,
  }),
)
type RandomAct = typeof randomAct extends fc.Arbitrary<infer A> ? A : never

/** In plain fractions: `cents` × `part` ÷ `whole`, half a cent up. */
function share(cents: number, part: number, whole: number): number {
  if (whole === 0) return 0
  const [numerator, denominator] = [BigInt(cents) * BigInt(part), BigInt(whole)]
  const quotient = numerator / denominator
  const isHalfOrMore = 2n * (numerator - quotient * denominator) >= denominator
  return Number(isHalfOrMore ? quotient + 1n : quotient)
}

const sumOf = (lines: LedgerLine[], column: 'amount' | 'tax', ...kinds: string[]): number =>
  lines
    .filter(({ kind }) => kinds.includes(kind))
    .reduce((cents, line) => cents + toCents(line[column] ?? 0), 0)
const RECEIVED_KINDS = ['payment', 'credit', 'refund']

/** Undoing a line takes back exactly its tax. Returns how many lines were undone or restored. */
function expectExactUndos(lines: LedgerLine[]): number {
  const lineById = new Map(lines.map((line) => [line.id, line]))
  const undos = lines.filter(({ kind, reverses }) => kind !== 'charge' && reverses !== null)
  for (const { tax, reverses } of undos)
    expect(toCents(tax ?? 0) + toCents(lineById.get(reverses ?? '')?.tax ?? 0)).toBe(0)
  return undos.length
}

/** Returns the tax that was collected for the charge. Each undo may leave a cent that was rounded,
 *  which the last payment makes up for. */
function expectTaxOfCharge(lines: LedgerLine[], percent: number): number {
  const undoCount = expectExactUndos(lines)
  const price = sumOf(lines, 'amount', 'charge')
  const priceTax = sumOf(lines, 'tax', 'charge')
  expect(priceTax).toBe(share(price, percent * 1000, 100_000 + percent * 1000))
  const receivedCents = 0 - sumOf(lines, 'amount', ...RECEIVED_KINDS)
  const collectedCents = 0 - sumOf(lines, 'tax', ...RECEIVED_KINDS)
  const roundingCents = collectedCents - share(priceTax, receivedCents, price)
  expect(Math.abs(roundingCents)).toBeLessThanOrEqual(undoCount)
  const forgivenCents = 0 - sumOf(lines, 'amount', 'write_off')
  const isSettled = price > 0 && receivedCents + forgivenCents === price
  const isRestored = lines.some(({ reverses }) =>
    lines.some((line) => line.id === reverses && line.reverses !== null),
  )
  if (isSettled && !isRestored)
    expect(collectedCents - sumOf(lines, 'tax', 'write_off')).toBe(priceTax)
  return collectedCents
}

/** The receipts of all payments, issued when they were made. */
async function readReceiptTax({ sensei }: Dojo): Promise<number> {
  const { body } = await sensei.get('/receipts?year=2027&limit=100')
  const receiptLines = (body as Receipt[]).flatMap(({ lines }) => lines)
  return receiptLines
    .filter(({ taken_back_on }) => taken_back_on === null)
    .reduce((cents, { tax }) => cents + toCents(tax ?? 0), 0)
}

async function createDojo() {
  setClock('2027-03-10T18:00:00Z')
  const sensei = await server.createSensei()
  const mia = await server.createStudent(sensei, { name: 'Mia Diaz', monthly_payment_amount: 95 })
  await sensei.put('/sales-taxes', { taxes: TAXES })
  return { sensei, mia, dojoId: await dojoIdOf(server.db, sensei.id) }
}
type Dojo = Awaited<ReturnType<typeof createDojo>>

async function doAct({ sensei, mia }: Dojo, act: RandomAct, actIds: string[]) {
  const student_id = mia.id
  const amount = act.cents / 100
  const account = (await sensei.get(`/students/${mia.id}/account`)).body as Account
  const charges = account.charges.filter(({ id }) => id !== null)
  const charge_id = charges[act.index % Math.max(1, charges.length)]?.id
  const mark = { student_id, ...MARCH, payment_status: 'paid' }
  const replies: Record<string, () => ReturnType<typeof sensei.post>> = {
    pay: () => sensei.post('/payments', { student_id, amount }),
    'pay charge': () => sensei.post('/payments', { student_id, amount, charge_id }),
    charge: () => sensei.post('/charges', { student_ids: [student_id], kind: 'equipment', amount }),
    refund: () => sensei.post('/refunds', { student_id, amount, charge_id }),
    'write off': () => sensei.post(`/charges/${charge_id}/write-off`, {}),
    undo: () => sensei.post(`/ledger-acts/${actIds[act.index % actIds.length]}/undo`),
    'mark paid': () =>
      sensei.post('/payment-records', {
        ...mark,
        ...(act.index % 2 === 0 && { monthly_payment_amount: amount }),
      }),
    'mark unpaid': () => sensei.post('/payment-records', { ...mark, payment_status: 'unpaid' }),
    'change taxes': () =>
      sensei.put('/sales-taxes', { taxes: act.index % 3 === 0 ? TAXES.slice(1) : TAXES }),
  }
  const reply = await replies[act.do]?.()
  expect(reply?.status ?? 200).toBeLessThan(500)
  const actId = reply?.body?.act_id
  if (!actId) return
  actIds.push(actId)
  // Refused with 409 if no money was received.
  await sensei.post('/receipts', { act_id: actId })
}

test('after any acts, the parts of each charge contain its tax, as on their receipts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(randomAct, { minLength: 10, maxLength: 40 }), async (acts) => {
      const dojo = await createDojo()
      const actIds: string[] = []
      for (const act of acts) await doAct(dojo, act, actIds)
      const { lines } = (await dojo.sensei.get(`/students/${dojo.mia.id}/account`)).body as Account
      const paidTax = 0 - sumOf(lines, 'tax', 'payment')
      expect(await readReceiptTax(dojo)).toBe(paidTax)
      const linesByCharge = Map.groupBy(lines, ({ charge_id }) => charge_id)
      let collectedCents = 0
      for (const [chargeId, chargeLines] of linesByCharge) {
        const percents = new Set(chargeLines.map(({ tax_percent }) => tax_percent))
        if (chargeId === null) expect([...percents]).toEqual([null])
        const [percent] = [...percents].filter((value) => value !== null)
        if (percent && percents.size === 1)
          collectedCents += expectTaxOfCharge(chargeLines, percent)
        else collectedCents -= sumOf(chargeLines, 'tax', ...RECEIVED_KINDS)
      }
      const figures = (await dojo.sensei.get('/payment-figures?from=2027-03&to=2027-03')).body
      const figureCents = figures.sales_tax.reduce(
        (cents: number, { collected }: { collected: number }) => cents + toCents(collected),
        0,
      )
      expect(figureCents).toBe(collectedCents)
      await expectConsistentPayments(overseer, dojo.dojoId, dojo.sensei)
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
}, 600_000)
