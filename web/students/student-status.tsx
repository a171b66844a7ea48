import type { Student } from '@tatami/contract/students/students'
import { TrialBadge, VacationBadge } from './student-badges.tsx'

/** "Regular · Active". Only one of them is a badge, because one highlight is enough. */
export const StudentStatus = ({ student: { is_trial, on_vacation } }: { student: Student }) => (
  <>
    {is_trial && !on_vacation ? <TrialBadge /> : <span>{is_trial ? 'Trial' : 'Regular'}</span>}
    {' · '}
    {on_vacation ? <VacationBadge>On Vacation</VacationBadge> : <span>Active</span>}
  </>
)
