import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startCampaign } from '../test/payment-campaign/campaign.ts'
import { faultsInTurn, randomFaults } from '../test/payment-campaign/faults.ts'
import { random, seedRandom } from '../test/payment-campaign/random.ts'
import type { ServerPair } from '../test/payment-campaign/server-pair.ts'

/** The long campaign takes too long for `npm test`. `npm run test:long` runs it instead. */
const isLong = Boolean(process.env.LONG)
const { run, stripe } = await startCampaign()

/** Waits until Stripe has been called this often, so that a server dies in the middle of its work. */
async function waitForCalls(count: number): Promise<void> {
  while (stripe.calls.length < count) await sleep(10)
}

test.skipIf(isLong)(
  'a few payments are taken and recorded once, though both servers are killed and each fault happens',
  { timeout: 180_000 },
  async () => {
    seedRandom(43)
    const faults = faultsInTurn()
    let isKilled = false
    const killBoth = async (servers: ServerPair) => {
      if (isKilled) return
      isKilled = true
      const firstCall = stripe.calls.length
      await waitForCalls(firstCall + 5)
      await servers.kill(0)
      await waitForCalls(firstCall + 10)
      await servers.kill(1)
    }
    const { totals, errors } = await run({
      schools: [{ linkPayers: 6, autopayers: 4 }],
      days: ['2027-04-01', '2027-04-02', '2027-04-05', '2027-04-12'],
      daysWithCharges: ['01', '05'],
      faults,
      killServers: killBoth,
      workerPauseMs: 300,
      stepMs: 20_000,
    })
    expect(errors).toEqual([])
    expect(faults.areDone()).toBe(true)
    expect(totals.kills).toBe(2)
    expect(totals.paid).toBeGreaterThan(6)
    expect(totals.debits).toBeGreaterThan(0)
    expect(totals.refunds).toBeGreaterThan(0)
  },
)

const MONTHS = ['2027-04', '2027-05', '2027-06']
/** Bank debits end on the 12th. */
const DATES = ['01', '02', '05', '07', '09', '12', '17']
/** In each of two schools. Fewer than 70 make too few payments for a full campaign. */
const LINK_PAYERS = Number(process.env.CAMPAIGN_PAYERS ?? 70)
const PROBABILITY_OF_EACH_FAULT = 0.05
const MAX_SETTLE_MS = 30_000

async function killRepeatedly(servers: ServerPair, index: 0 | 1, count: number): Promise<void> {
  for (let kills = 0; kills < count; kills += 1) {
    await sleep(300 + random() * 1_500)
    await servers.kill(index)
  }
}

test.runIf(isLong)(
  'thousands of payments are taken and recorded once, and known within 30 seconds',
  { timeout: 3 * 3_600_000 },
  async () => {
    seedRandom(Number(process.env.CAMPAIGN_SEED ?? 43))
    const { days, totals, errors, outages } = await run(
      {
        schools: [
          { linkPayers: LINK_PAYERS, autopayers: 20 },
          { linkPayers: LINK_PAYERS, autopayers: 20 },
        ],
        days: MONTHS.flatMap((month) => DATES.map((date) => `${month}-${date}`)),
        daysWithCharges: ['01', '07', '09', '12', '17'],
        faults: randomFaults(PROBABILITY_OF_EACH_FAULT),
        // Both may be dead at the same time.
        killServers: async (servers) => {
          await Promise.all([killRepeatedly(servers, 0, 2), killRepeatedly(servers, 1, 1)])
        },
      },
      (day) => console.log(JSON.stringify(day)),
    )
    console.table(days)
    console.table({ ...totals, outages })
    expect(errors).toEqual([])
    expect(totals.paid).toBeGreaterThan(2_000)
    expect(totals.kills).toBeGreaterThanOrEqual(40)
    expect(Math.max(...days.map(({ settleMs }) => settleMs))).toBeLessThan(MAX_SETTLE_MS)
  },
)
