import { SETUP_STEPS, type SetupProgress, type SetupStep } from '@tatami/contract/dashboard/setup'
import { hasDayAndTime } from '@tatami/contract/classes/classes'
import { eq, type SQL, sql } from 'drizzle-orm'
import { attendance } from '../attendance/tables.ts'
import { styles } from '../belts/tables.ts'
import { listClasses } from '../classes/classes.ts'
import type { Tx } from '../db/database.ts'
import { dojos } from '../dojos/tables.ts'
import { kiosks } from '../kiosk/tables.ts'
import { firstRow } from '../lib/rows.ts'
import { students } from '../students/tables.ts'
import { sendsRealTexts, type Texting } from '../texting/service.ts'

const exists = (rows: SQL) => sql<boolean>`exists (select from ${rows})`

/** A step is done when the rows that it creates exist, so that nobody has to mark it as done. */
export async function readSetup(tx: Tx, dojoId: string, texting: Texting): Promise<SetupProgress> {
  const rows = await tx
    .select({
      skippedSteps: dojos.skipped_setup_steps,
      students: exists(sql`${students}`),
      belts: exists(sql`${styles}`),
      roll: exists(sql`${attendance}`),
      invitation: sql<boolean>`${dojos.invitation_shared_at} is not null`,
      // A link does not count until somebody opens it on a tablet.
      kiosk: exists(
        sql`${kiosks} where ${kiosks.token_hash} is not null or ${kiosks.ended_at} is not null`,
      ),
    })
    .from(dojos)
    .where(eq(dojos.id, dojoId))
  const { skippedSteps, ...doneSteps } = firstRow(rows)
  const isTextingSetUp = await sendsRealTexts(tx, texting, dojoId)
  const isDone: Record<SetupStep, boolean> = {
    ...doneSteps,
    // An import of students may add classes without a day and time.
    classes: (await listClasses(tx)).some(hasDayAndTime),
    texting: isTextingSetUp,
  }
  const needsOperator = texting.ownAccounts.findObstacle() !== null
  return SETUP_STEPS.map((step) => {
    if (isDone[step]) return { step, state: 'done', needs_operator: false }
    return {
      step,
      state: skippedSteps.includes(step) ? 'skipped' : 'open',
      needs_operator: step === 'texting' && needsOperator,
    }
  })
}

/** Replaces the list of skipped steps. */
export const setSkippedSteps = (tx: Tx, dojoId: string, steps: SetupStep[]) =>
  tx
    .update(dojos)
    .set({ skipped_setup_steps: SETUP_STEPS.filter((step) => steps.includes(step)) })
    .where(eq(dojos.id, dojoId))
