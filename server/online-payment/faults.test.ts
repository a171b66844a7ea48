import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import { afterAll, expect, test } from 'vitest'
import { now } from '../lib/clock.ts'
import { startServerWithAutopay } from '../test/autopay-payers.ts'
import { setClock } from '../test/clock.ts'
import {
  type Campaign,
  chargeAll,
  failSomeRefunds,
  forgeWebhooks,
  payByLink,
  payInCash,
  refundSome,
} from '../test/payment-campaign/acts.ts'
import { auditBooks, countUnsettled } from '../test/payment-campaign/books.ts'
import { chance, createSchool, fillAccounts, type School } from '../test/payment-campaign/payers.ts'
import { startServerPair } from '../test/payment-campaign/server-pair.ts'
import { PUBLIC_URL } from '../test/server-with-stripe.ts'
import type { StripeFault } from '../test/stripe/fake-stripe.ts'
import type { DeliveryFault } from '../test/stripe/webhooks.ts'
import { TEST_SETTINGS } from '../test/test-server.ts'

/** Takes too long for `npm test`. `npm run test:long` runs it. */
const isLong = Boolean(process.env.LONG)
const MONTHS = ['2027-04', '2027-05']
const SCHOOL_SIZE = { linkPayers: 35, autopayers: 15 }
/** How often each server is killed on a day. Both may be dead at the same time. */
const KILLS_PER_DAY = { first: 2, second: 1 }
const CONCURRENT_PAYERS = 12
const MAX_SETTLE_MS = 30_000
/** The notice is sent on the 2nd, and autopay pays on the 5th. Bank debits end on the 12th. */
const DAYS = ['01', '02', '05', '07', '09', '12', '17']
const DAYS_WITH_CHARGES = ['01', '07', '09', '12', '17']
const PROBABILITY_OF_EACH_FAULT = 0.05
const FAULTS: StripeFault[] = [
  ...(['broken-before', 'broken-after', 'broken-late', 'broken-stored'] as const),
  ...(['cut-before', 'cut-after', 'cut-late'] as const),
  ...(['silent', 'rate-limited', 'key-in-use'] as const),
]
const DELIVERY_FAULTS: DeliveryFault[] = ['late', 'twice', 'reversed', 'lost']

let isStripeFailing = false
const pickFault = <Fault>(faults: readonly Fault[]): Fault | null =>
  isStripeFailing ? (faults[Math.floor(Math.random() / PROBABILITY_OF_EACH_FAULT)] ?? null) : null

let pickServer: () => string | null = () => null
const autopay = await startServerWithAutopay({
  silenceMs: 1_500,
  lateMs: 400,
  deliveries: {
    faultOf: () => pickFault(DELIVERY_FAULTS),
    // Without a server, the webhook gets lost.
    addressOf: (url) => url.replace(PUBLIC_URL, pickServer() ?? 'http://127.0.0.1:1'),
  },
})
const { server, stripe } = autopay
const store = () => stripe.account().store
const startServers = () =>
  startServerPair({
    databaseUrl: server.databaseUrl,
    secretsKey: 'k'.repeat(32),
    env: { ...TEST_SETTINGS, trustProxy: 1, publicUrl: PUBLIC_URL, stripeApiUrl: stripe.url },
  })
const openPairs = new Set<Awaited<ReturnType<typeof startServers>>>()
afterAll(async () => {
  for (const pair of openPairs) await pair.close()
})

/** Moves all clocks, and lets bank debits end. */
function moveTo(iso: string, { servers }: Campaign): void {
  const ms = Date.parse(iso) - now().getTime()
  setClock(iso)
  servers.moveClocks(ms)
  stripe.advance()
}

async function killAgain({ servers }: Campaign, index: 0 | 1, count: number): Promise<void> {
  for (let kills = 0; kills < count; kills += 1) {
    await sleep(300 + Math.random() * 1_500)
    await servers.kill(index)
  }
}

/** Everybody pays, while servers die and Stripe fails. */
async function liveThroughDay(campaign: Campaign, schools: School[], day: string): Promise<void> {
  const date = day.slice(-2)
  if (date === '07') fillAccounts(autopay)
  for (const school of schools)
    if (DAYS_WITH_CHARGES.includes(date)) await chargeAll(campaign, school)
  isStripeFailing = true
  const limit = pLimit(CONCURRENT_PAYERS)
  await Promise.all([
    killAgain(campaign, 0, KILLS_PER_DAY.first),
    killAgain(campaign, 1, KILLS_PER_DAY.second),
    ...schools.flatMap((school) =>
      school.payers
        .filter(({ hasAutopay }) => !hasAutopay || chance(0.1))
        .flatMap((payer) => [
          limit(() => payByLink(campaign, payer)),
          ...(chance(0.03) ? [limit(() => payInCash(campaign, school, payer))] : []),
        ]),
    ),
    ...schools.map((school) => refundSome(campaign, school, Math.ceil(school.payers.length / 20))),
  ])
  for (const school of schools)
    for (const status of await forgeWebhooks(campaign, school)) expect(status).toBe(400)
  failSomeRefunds(campaign)
  isStripeFailing = false
}

/** Returns how long it took until every payment was known, in milliseconds. */
async function waitUntilSettled(schools: School[]): Promise<number> {
  const startedAt = performance.now()
  while ((await countUnsettled(server.db, store(), schools)) > 0) {
    // The books are checked at the end in any case.
    if (performance.now() - startedAt > 4 * MAX_SETTLE_MS) break
    await sleep(1_000)
  }
  return performance.now() - startedAt
}

test.runIf(isLong)(
  'every payment is taken and recorded once, even if two servers are killed and Stripe fails',
  { timeout: 3_600_000 },
  async () => {
    setClock('2027-03-20T16:05:00Z')
    autopay.setFaults(() => pickFault(FAULTS))
    const schools = [
      await createSchool(autopay, SCHOOL_SIZE),
      await createSchool(autopay, SCHOOL_SIZE),
    ]
    await autopay.performTasks()
    const servers = await startServers()
    openPairs.add(servers)
    pickServer = servers.pickUrl
    const campaign = { autopay, servers }
    let slowestMs = 0
    for (const day of MONTHS.flatMap((month) => DAYS.map((date) => `${month}-${date}`))) {
      moveTo(`${day}T16:05:00Z`, campaign)
      await liveThroughDay(campaign, schools, day)
      const ms = await waitUntilSettled(schools)
      slowestMs = Math.max(slowestMs, ms)
      console.log(`${day}: ${servers.killCount()} kills, settled in ${Math.round(ms)} ms`)
    }
    moveTo(`${MONTHS.at(-1)}-25T16:05:00Z`, campaign)
    const faults = async () => (await auditBooks(server.db, store(), schools)).faults
    await expect.poll(faults, { timeout: 4 * MAX_SETTLE_MS, interval: 500 }).toEqual([])
    await servers.close()
    openPairs.delete(servers)
    const { totals } = await auditBooks(server.db, store(), schools)
    console.table({ ...totals, kills: servers.killCount(), calls: stripe.calls.length, slowestMs })
    expect(stripe.violations).toEqual([])
    expect(servers.errors).toEqual([])
    expect(slowestMs).toBeLessThan(MAX_SETTLE_MS)
    expect(totals.paid).toBeGreaterThan(500)
  },
)
