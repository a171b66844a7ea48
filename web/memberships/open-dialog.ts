import { drafts } from '../lib/drafts.ts'
import { PACK_DRAFT } from '../plans/open-dialog.ts'

export type MembershipDialog =
  | { type: 'start' }
  | { type: 'pack' }
  | { type: 'hold' }
  | { type: 'change'; subscriptionId: string }
  | { type: 'end'; subscriptionId: string }

/** The names of the dialogs' drafts. Their subjects are the student, or the plan of the student. */
export const MEMBERSHIP_DRAFTS = {
  start: 'membership-start',
  pack: PACK_DRAFT,
  hold: 'membership-hold',
  change: 'membership-change',
  end: 'membership-end',
} as const

/** The dialog in which something was typed before the page was left or the session ended. */
export function findDialogWithDraft(
  studentId: string,
  subscriptionIds: readonly string[],
): MembershipDialog | null {
  for (const type of ['start', 'pack', 'hold'] as const)
    if (drafts.subjectOf(MEMBERSHIP_DRAFTS[type]) === studentId) return { type }
  for (const type of ['change', 'end'] as const) {
    const subscriptionId = drafts.subjectOf(MEMBERSHIP_DRAFTS[type])
    if (subscriptionId && subscriptionIds.includes(subscriptionId)) return { type, subscriptionId }
  }
  return null
}
