import { addDays } from '@tatami/contract/lib/calendar-day'
import { sumCents, toCents } from '@tatami/contract/lib/money'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { approveHours, createStaffedDojo, enterHours, setRate } from '../../test/staff-hours.ts'
import { startTestServer } from '../../test/test-server.ts'

const server = await startTestServer()
const FIRST_DAY = '2026-11-01'
const LAST_DAY = '2026-11-20'

const dayOffset = fc.integer({ min: 0, max: 19 })
const minutes = fc.integer({ min: 1, max: 300 })
const action = fc.oneof(
  fc.record({ kind: fc.constant('enter'), day: dayOffset, minutes }),
  fc.record({ kind: fc.constant('change'), day: dayOffset, minutes, index: fc.nat(9) }),
  fc.record({ kind: fc.constant('remove'), index: fc.nat(9) }),
  fc.record({
    kind: fc.constant('rate'),
    day: dayOffset,
    cents: fc.integer({ min: 0, max: 9999 }),
  }),
  fc.record({ kind: fc.constant('close'), days: fc.integer({ min: 1, max: 8 }) }),
)
type Action = {
  kind: string
  day?: number
  minutes?: number
  index?: number
  cents?: number
  days?: number
}

type Entry = { id: string; day: string; minutes: number }

class School {
  readonly entries: Entry[] = []
  /** First day → cents per hour. */
  readonly rates = new Map<string, number>()
  nextDay = FIRST_DAY
  readonly #dojo: Awaited<ReturnType<typeof createStaffedDojo>>

  constructor(dojo: Awaited<ReturnType<typeof createStaffedDojo>>) {
    this.#dojo = dojo
  }

  async run({ kind, day = 0, minutes: minuteCount = 1, index = 0, cents = 0, days = 1 }: Action) {
    const date = addDays(FIRST_DAY, day)
    if (kind === 'enter') await this.enter(date, minuteCount)
    else if (kind === 'change') await this.change(index, date, minuteCount)
    else if (kind === 'remove') await this.remove(index)
    else if (kind === 'rate') await this.setRate(date, cents)
    else await this.close(days)
  }

  async enter(day: string, minuteCount: number) {
    const { owner, desk } = this.#dojo
    const entries = await enterHours(desk, { day, minutes: minuteCount })
    await approveHours(owner, entries)
    this.entries.push(...entries)
  }

  async change(index: number, day: string, minuteCount: number) {
    const entry = this.entries[index]
    if (!entry) return
    const form = { day, minutes: minuteCount, task: 'Desk' }
    const { status } = await this.#dojo.owner.put(`/staff-hours/${entry.id}`, form)
    if (status === 200) Object.assign(entry, { day, minutes: minuteCount })
  }

  async remove(index: number) {
    const [entry] = this.entries.splice(index, 1)
    if (entry) await this.#dojo.owner.delete(`/staff-hours/${entry.id}`)
  }

  async setRate(firstDay: string, cents: number) {
    this.rates.set(firstDay, cents)
    await setRate(this.#dojo.owner, this.#dojo.desk.id, { from: firstDay, amount: cents / 100 })
  }

  async close(days: number) {
    const lastDay = addDays(this.nextDay, days - 1)
    if (lastDay > LAST_DAY) return
    const { status } = await this.#dojo.owner.post('/pay/periods', {
      from: this.nextDay,
      until: lastDay,
    })
    if (status !== 200) throw new Error(`The period could not be closed: ${status}`)
    this.nextDay = addDays(lastDay, 1)
  }

  /** Sums what the final entries are worth. */
  sumWorthCents(): number {
    return sumCents(
      this.entries.map(({ day, minutes: minuteCount }) => {
        const startDays = [...this.rates.keys()].filter((start) => start <= day).toSorted()
        const rate = this.rates.get(startDays.at(-1) ?? '') ?? 0
        return Math.floor((minuteCount * rate) / 60 + 0.5)
      }),
    )
  }

  /** Sums the pay of all closed periods and of the open one. */
  async sumPaidCents(): Promise<number> {
    const { owner } = this.#dojo
    const { periods, total } = (await owner.get('/pay?from=2026-11-01&until=2026-11-30')).body
    const sums = [toCents(total.pay)]
    for (const { id } of periods)
      sums.push(toCents((await owner.get(`/pay?period_id=${id}`)).body.total.pay))
    return sumCents(sums)
  }
}

/** Enters, changes and deletes hours, sets rates and closes periods at random. All periods together
 *  must pay what the final hours are worth. */
test('all periods together pay each entry once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 25 }), async (actions) => {
      const school = new School(await createStaffedDojo(server))
      for (const randomAction of actions) await school.run(randomAction)
      expect(await school.sumPaidCents()).toBe(school.sumWorthCents())
    }),
    { numRuns: process.env.LONG ? 100 : 12 },
  )
})
