import { setTimeout as sleep } from 'node:timers/promises'
import { and, asc, eq, inArray, lte } from 'drizzle-orm'
import pLimit from 'p-limit'
import { asOverseer, type Database } from '../db/database.ts'
import { now, nowIso } from '../lib/clock.ts'
import { pick } from '../lib/rows.ts'
import { ProviderFailure } from './provider.ts'
import { settlePayment } from './settle.ts'
import { UNSETTLED_STATES } from './states.ts'
import type { OnlinePaymentContext } from './stripe-account.ts'
import { onlinePayments } from './tables.ts'

const PAUSE_MS = 5_000
const MAX_PAYMENTS = 200
const MAX_CONCURRENT_CALLS = 10
/** Longer than the calls to Stripe for one payment. After a failure, it is asked about again. */
const CLAIM_MS = 90_000

type DuePayment = { dojo_id: string; id: string; next_check_at: string }

const findDuePayments = (db: Database): Promise<DuePayment[]> =>
  db.withoutDojo((tx) =>
    asOverseer(tx, (overseerTx) =>
      overseerTx
        .select(pick(onlinePayments, 'dojo_id', 'id', 'next_check_at'))
        .from(onlinePayments)
        .where(
          and(
            inArray(onlinePayments.state, [...UNSETTLED_STATES]),
            lte(onlinePayments.next_check_at, nowIso()),
          ),
        )
        .orderBy(asc(onlinePayments.next_check_at))
        .limit(MAX_PAYMENTS),
    ),
  )

/** False if another server has claimed the payment. */
const claim = (db: Database, { dojo_id, id, next_check_at }: DuePayment): Promise<boolean> =>
  db.inDojo(dojo_id, async (tx) => {
    const claimedRows = await tx
      .update(onlinePayments)
      .set({ next_check_at: new Date(now().getTime() + CLAIM_MS).toISOString() })
      .where(and(eq(onlinePayments.id, id), eq(onlinePayments.next_check_at, next_check_at)))
      .returning({ id: onlinePayments.id })
    return claimedRows.length > 0
  })

/** Asks Stripe about all payments that are due. A failure of one never delays the others. */
export async function settleDuePayments(
  context: OnlinePaymentContext,
  onError: (error: unknown) => void,
): Promise<void> {
  const limit = pLimit(MAX_CONCURRENT_CALLS)
  const settle = async (payment: DuePayment) => {
    if (!(await claim(context.db, payment))) return
    await settlePayment(context, payment.dojo_id, payment.id).catch((failure: unknown) => {
      if (!(failure instanceof ProviderFailure)) onError(failure)
    })
  }
  const duePayments = await findDuePayments(context.db)
  await Promise.all(duePayments.map((payment) => limit(() => settle(payment).catch(onError))))
}

/** Any number of servers may run this. The returned function stops it. */
export function startPaymentWorker(
  context: OnlinePaymentContext,
  onError: (error: unknown) => void,
): () => Promise<void> {
  const stopController = new AbortController()
  const { signal } = stopController
  const run = async () => {
    while (!signal.aborted) {
      await settleDuePayments(context, onError).catch(onError)
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => {})
    }
  }
  const running = run()
  return async () => {
    stopController.abort()
    await running
  }
}
