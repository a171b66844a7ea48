/** Schools whose families pay for weeks, while two servers are killed and Stripe fails. */
import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import { afterAll, expect } from 'vitest'
import { now } from '../../lib/clock.ts'
import { startServerWithAutopay } from '../autopay-payers.ts'
import { setClock } from '../clock.ts'
import { PUBLIC_URL } from '../server-with-stripe.ts'
import { TEST_SETTINGS } from '../test-server.ts'
import {
  type Campaign,
  chargeAll,
  failSomeRefunds,
  forgeWebhooks,
  payByLink,
  payInCash,
  refundSome,
} from './acts.ts'
import { auditBooks, countAutopayRuns, listUnsettled } from './books.ts'
import type { Faults } from './faults.ts'
import { createSchool, fillAccounts, type School } from './payers.ts'
import { chance } from './random.ts'
import { type ServerPair, startServerPair } from './server-pair.ts'

export type CampaignPlan = {
  schools: { linkPayers: number; autopayers: number }[]
  /** The notice of autopay is sent on the 2nd, and it pays on the 5th. */
  days: readonly string[]
  /** The days of each month on which everybody owes something new. */
  daysWithCharges: readonly string[]
  faults: Faults
  /** Kills servers while people pay. */
  killServers: (servers: ServerPair) => Promise<void>
  /** How long the workers of the servers wait between two rounds. */
  workerPauseMs?: number
  /** How far the clocks move while we wait for payments. Left out, they move as time does. */
  stepMs?: number
}

const CONCURRENT_PAYERS = 12
const MAX_SETTLE_MS = 120_000
const POLL_MS = 500
const DATABASE_OUTAGE = /Unreachable|Connection terminated|connection error/
const TIME_OF_DAY = 'T16:05:00Z'
const ACCOUNTS_FILLED_ON = '07'

/** Call it at the top of a test file. */
export async function startCampaign() {
  let faults: Faults | null = null
  let servers: ServerPair | null = null
  afterAll(async () => servers?.close())
  const autopay = await startServerWithAutopay({
    silenceMs: 1_500,
    lateMs: 400,
    deliveries: {
      faultOf: () => faults?.ofDelivery() ?? null,
      // Without a server, the webhook gets lost.
      addressOf: (url) => url.replace(PUBLIC_URL, servers?.pickUrl() ?? 'http://127.0.0.1:1'),
    },
  })
  const { server, stripe } = autopay
  const store = () => stripe.account().store

  /** Moves all clocks, and lets bank debits end. */
  function moveTo(iso: string, pair: ServerPair): void {
    const ms = Date.parse(iso) - now().getTime()
    setClock(iso)
    pair.moveClocks(ms)
    stripe.advance()
  }

  /** Waits until a server has run autopay, which it does once a day. */
  async function waitForAutopay(schools: School[], day: string): Promise<void> {
    await expect
      .poll(() => countAutopayRuns(server.db, schools, day), {
        timeout: MAX_SETTLE_MS,
        interval: POLL_MS,
      })
      .toBe(schools.length)
  }

  /** Everybody pays, while servers die and Stripe fails. */
  async function liveThroughDay(
    campaign: Campaign,
    schools: School[],
    day: string,
    plan: CampaignPlan,
  ) {
    const date = day.slice(-2)
    if (date === ACCOUNTS_FILLED_ON) fillAccounts(autopay)
    if (plan.daysWithCharges.includes(date))
      for (const school of schools) await chargeAll(campaign, school)
    faults = plan.faults
    const limit = pLimit(CONCURRENT_PAYERS)
    await Promise.all([
      waitForAutopay(schools, day),
      plan.killServers(campaign.servers),
      ...schools.flatMap((school) =>
        school.payers
          .filter(({ hasAutopay }) => !hasAutopay || chance(0.1))
          .flatMap((payer) => [
            limit(() => payByLink(campaign, payer)),
            ...(chance(0.03) ? [limit(() => payInCash(campaign, school, payer))] : []),
          ]),
      ),
      ...schools.map((school) =>
        refundSome(campaign, school, Math.ceil(school.payers.length / 20)),
      ),
    ])
    for (const school of schools)
      for (const status of await forgeWebhooks(campaign, school)) expect(status).toBe(400)
    failSomeRefunds(campaign)
    faults = null
  }

  /** Waits until every payment is known. */
  async function waitUntilSettled(
    schools: School[],
    pair: ServerPair,
    { stepMs = 0 }: CampaignPlan,
  ) {
    const startedAt = performance.now()
    let lastUnsettled: string | null = null
    for (;;) {
      const unsettledPayments = await listUnsettled(server.db, store(), schools)
      const settleMs = Math.round(performance.now() - startedAt)
      // The books are checked at the end in any case.
      if (unsettledPayments.length === 0 || settleMs > MAX_SETTLE_MS)
        return { settleMs, lastUnsettled }
      lastUnsettled = unsettledPayments[0] ?? null
      if (stepMs > 0) {
        setClock(new Date(now().getTime() + stepMs).toISOString())
        pair.moveClocks(stepMs)
      }
      await sleep(POLL_MS)
    }
  }

  /** Returns what happened, and how long it took each day until every payment was known. */
  async function run(plan: CampaignPlan, onDay: (day: object) => void = () => {}) {
    const [firstDay = '', lastDay = ''] = [plan.days[0], plan.days.at(-1)]
    setClock(`${firstDay.slice(0, 4)}-03-20${TIME_OF_DAY}`)
    autopay.setFaults((call) => faults?.ofCall(call) ?? null)
    const schools: School[] = []
    for (const size of plan.schools) schools.push(await createSchool(autopay, size))
    await autopay.performTasks()
    const pair = await startServerPair({
      databaseUrl: server.databaseUrl,
      secretsKey: 'k'.repeat(32),
      env: { ...TEST_SETTINGS, trustProxy: 1, publicUrl: PUBLIC_URL, stripeApiUrl: stripe.url },
      ...(plan.workerPauseMs !== undefined && { workerPauseMs: plan.workerPauseMs }),
    })
    servers = pair
    const campaign = { autopay, servers: pair }
    const days = []
    for (const day of plan.days) {
      moveTo(`${day}${TIME_OF_DAY}`, pair)
      await liveThroughDay(campaign, schools, day, plan)
      const { settleMs, lastUnsettled } = await waitUntilSettled(schools, pair, plan)
      const payments = store().payment_intent.size
      const result = { day, kills: pair.killCount(), payments, settleMs, lastUnsettled }
      days.push(result)
      onDay(result)
    }
    moveTo(`${lastDay.slice(0, 7)}-25${TIME_OF_DAY}`, pair)
    const audit = () => auditBooks(server.db, store(), schools)
    await expect
      .poll(async () => (await audit()).faults, { timeout: MAX_SETTLE_MS, interval: POLL_MS })
      .toEqual([])
    await pair.close()
    const { faults: faultsInBooks, totals } = await audit()
    expect(faultsInBooks).toEqual([])
    expect(stripe.violations).toEqual([])
    return {
      days,
      totals: { ...totals, kills: pair.killCount(), calls: stripe.calls.length },
      /** What the servers wrote. On an overloaded computer, the database may not answer in time. */
      errors: pair.errors.filter((error) => !DATABASE_OUTAGE.test(error)),
      outages: pair.errors.filter((error) => DATABASE_OUTAGE.test(error)).length,
    }
  }

  return { run, stripe }
}
