import { followupsApi } from '@tatami/contract/followups/followups'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../lib/query.ts'
import { Badge } from '../ui/badge.tsx'

const firstWeekQuery = endpointQuery(followupsApi.firstWeek)

/** The mark beside a student who is new. Nothing if the plan for new students is off. */
export function FirstWeekBadge({ studentId }: { studentId: string }) {
  const { data } = useQuery(firstWeekQuery)
  return data?.student_ids.includes(studentId) && <Badge tone="green">1st week</Badge>
}
