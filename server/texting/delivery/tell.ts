import { claimRun } from '../../dojos/job-runs.ts'
import { now } from '../../lib/clock.ts'
import type { Tx } from '../../db/database.ts'
import { notifyInstructors } from '../../notifications/notify.ts'

/** That nothing leaves any more, and why; once a day. */
export async function tellStopped(tx: Tx, dojoId: string, message: string): Promise<void> {
  if (await claimRun(tx, 'texting-stopped-told', now().toISOString().slice(0, 10)))
    await notifyInstructors(tx, dojoId, { title: 'Texts are not going out', message })
}
