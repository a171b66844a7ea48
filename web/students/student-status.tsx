import type { Student } from '@tatami/contract/students/students'
import { TrialBadge, VacationBadge } from './student-badges.tsx'

/** "Regular · Active". At most one of the two is a badge, because one warning is enough. */
export const StudentStatus = ({ student: { is_trial, on_vacation } }: { student: Student }) => (
  <>
    {is_trial && !on_vacation ? <TrialBadge /> : <span>{is_trial ? 'Trial' : 'Regular'}</span>}
    {' · '}
    {on_vacation ? <VacationBadge>On Vacation</VacationBadge> : <span>Active</span>}
  </>
)
