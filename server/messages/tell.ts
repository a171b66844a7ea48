import { claimRun } from '../dojos/runs.ts'
import { now } from '../kernel/clock.ts'
import type { Tx } from '../kernel/database.ts'
import { type Notice, notify } from '../notifications/notify.ts'
import { instructors } from '../sensei/tables.ts'

/** Leaves a notice for every instructor of the transaction's dojo. */
export async function tellInstructors(tx: Tx, dojoId: string, notice: Notice): Promise<void> {
  const rows = await tx.select({ id: instructors.id }).from(instructors)
  await notify(
    tx,
    dojoId,
    rows.map(({ id }) => id),
    notice,
  )
}

/** That nothing leaves any more, and why; once a day. */
export async function tellStopped(tx: Tx, dojoId: string, message: string): Promise<void> {
  if (await claimRun(tx, 'texting-stopped-told', now().toISOString().slice(0, 10)))
    await tellInstructors(tx, dojoId, { title: 'Texts are not going out', message })
}
