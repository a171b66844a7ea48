import { findStage, isOpenStage } from '@tatami/contract/leads/stages'
import { and, isNull } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { pick, pluck } from '../lib/rows.ts'
import { hasTrialAhead, listEvents, readStories } from './lead-stories.ts'
import { leads } from './tables.ts'

const CALL_ABOUT_TRIAL = 'Call about the missed trial'

/** Plans a call with leads who missed a trial, unless they have another trial or next step. */
export async function planCalls(
  tx: Tx,
  missedLeadIds: readonly string[],
  today: string,
): Promise<void> {
  const missedLeads = await tx
    .select(pick(leads, 'id', 'merged_into'))
    .from(leads)
    .where(equalsAny(leads.id, [...missedLeadIds]))
  const ids = missedLeads.map(({ id, merged_into }) => merged_into ?? id)
  const stories = await readStories(tx, and(equalsAny(leads.id, ids), isNull(leads.next_step_on)))
  const leadsToCall = stories
    .filter((story) => isOpenStage(findStage(listEvents(story)).stage))
    .filter((story) => !hasTrialAhead(story, today))
    .map(({ lead }) => lead)
  await tx
    .update(leads)
    .set({ next_step: CALL_ABOUT_TRIAL, next_step_on: today })
    .where(equalsAny(leads.id, pluck(leadsToCall, 'id')))
}
