import type { LeadStage } from '@tatami/contract/leads/leads'
import { findStage, isOpenStage } from '@tatami/contract/leads/stages'
import { firstName } from '@tatami/contract/lib/name-parts'
import type { Tx } from '../db/database.ts'
import type { DojoCaller } from '../http/serve.ts'
import { type LeadStory, listEvents, readStories } from '../trials/lead-stories.ts'

/** Open leads, newest first. Staff who see only their own classes get the leads with a trial
 *  there. */
export async function listLeadStages(tx: Tx, { staff }: DojoCaller): Promise<LeadStage[]> {
  const classIds = staff?.classIds ?? null
  const stories = await readStories(tx)
  return stories
    .filter((story) => classIds === null || hasTrialIn(story, classIds))
    .map((story) => ({
      first_name: firstName(story.lead.name),
      stage: findStage(listEvents(story)).stage,
    }))
    .filter(({ stage }) => isOpenStage(stage))
    .toReversed()
}

const hasTrialIn = ({ bookings }: LeadStory, classIds: readonly string[]): boolean =>
  bookings.some(({ class_id, state }) => state !== 'cancelled' && classIds.includes(class_id))
