import { and, asc, eq, lte } from 'drizzle-orm'
import { nowIso } from '../../lib/clock.ts'
import { CLAIM_MS, type Job, MAX_TASKS } from '../jobs.ts'
import { checkMethod } from './check-method.ts'
import { settleSetup } from './settle-setup.ts'
import { methodSetups, savedMethods } from './tables.ts'

/** Asks whether a payer has saved a card. */
export const SETTLE_SETUPS: Job = {
  findTasks: (tx) =>
    tx
      .select({
        dojo_id: methodSetups.dojo_id,
        id: methodSetups.id,
        due_at: methodSetups.next_check_at,
      })
      .from(methodSetups)
      .where(and(eq(methodSetups.state, 'open'), lte(methodSetups.next_check_at, nowIso())))
      .orderBy(asc(methodSetups.next_check_at))
      .limit(MAX_TASKS),
  claimMs: CLAIM_MS,
  claim: (tx, { id, due_at }, claimedUntil) =>
    tx
      .update(methodSetups)
      .set({ next_check_at: claimedUntil })
      .where(and(eq(methodSetups.id, id), eq(methodSetups.next_check_at, due_at ?? '')))
      .returning({ id: methodSetups.id }),
  perform: (context, { dojo_id, id }) => settleSetup(context, dojo_id, id),
}

/** Reads what has changed about a saved card, and removes stopped ones. */
export const CHECK_METHODS: Job = {
  findTasks: (tx) =>
    tx
      .select({
        dojo_id: savedMethods.dojo_id,
        id: savedMethods.id,
        due_at: savedMethods.next_check_at,
      })
      .from(savedMethods)
      .where(lte(savedMethods.next_check_at, nowIso()))
      .orderBy(asc(savedMethods.next_check_at))
      .limit(MAX_TASKS),
  claimMs: CLAIM_MS,
  claim: (tx, { id, due_at }, claimedUntil) =>
    tx
      .update(savedMethods)
      .set({ next_check_at: claimedUntil })
      .where(and(eq(savedMethods.id, id), eq(savedMethods.next_check_at, due_at ?? '')))
      .returning({ id: savedMethods.id }),
  perform: (context, { dojo_id, id }) => checkMethod(context, dojo_id, id),
}
