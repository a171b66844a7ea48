import type { LogInChoice, Relation } from '@tatami/contract/families'

/** What making a family changed, for its undoing. Ids and choices only: no email, password or name outlives its own row here. */
export type FamilyChangeDetails = {
  /** The guardian came with the family. */
  is_new_guardian: boolean
  students: {
    student_id: string
    log_in: LogInChoice
    /** There was a live link before, whose rights these were. */
    before: { relation: Relation; gets_texts: boolean; pays: boolean; sees: boolean; sees_fees: boolean } | null
    /** Who paid before. */
    payer_id: string | null
  }[]
}
