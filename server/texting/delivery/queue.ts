import type { Tx } from '../../db/database.ts'
import { enqueueWithTransaction, enqueue, dequeue } from '../../db/queue.ts'

/** Told whenever texts wait to be sent. */
export const TEXTS_QUEUED = 'texts-queued'
/** The queue of dojos that have texts to send. */
export const TURNS = 'turns'
const DOJOS_AT_ONCE = 500

export type Turn = { dojoId: string; texts: number }

/** The dojo, whose texts this transaction has queued, gets a turn, and every server hears so at commit. */
export async function lineUp(tx: Tx, dojoId: string): Promise<void> {
  await enqueueWithTransaction(tx, TURNS, dojoId)
  await tx.publish(TEXTS_QUEUED, dojoId)
}

/** Dojos whose texts are due, in line or not. */
export async function lineUpAgain(tx: Tx, dojoIds: string[]): Promise<void> {
  if ((await enqueue(tx, TURNS, dojoIds)) > 0) await tx.publish(TEXTS_QUEUED, 'again')
}

/** Shares slots out among the dojos first in line: each the same, the odd ones to those that have waited longest. */
export async function takeTurns(tx: Tx, slots: number): Promise<Turn[]> {
  const dojoIds = await dequeue(tx, TURNS, Math.min(slots, DOJOS_AT_ONCE))
  const each = Math.floor(slots / dojoIds.length),
    odd = slots % dojoIds.length
  return dojoIds.map((dojoId, place) => ({ dojoId, texts: each + (place < odd ? 1 : 0) }))
}

/** A dojo that has more goes to the end of the line. */
export const takeAnother = (tx: Tx, dojoIds: string[]) => enqueue(tx, TURNS, dojoIds)
