import { type Hold, VACATION } from '@tatami/contract/memberships/holds'
import { membershipsApi } from '@tatami/contract/memberships/memberships'
import type { Vacation } from '@tatami/contract/students/student-page'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../lib/query.ts'

/** The hold of another kind, such as an injury, that a student's page shows as the vacation. A
 *  school with plans has loaded it for the Membership card. */
export function useOtherHold(studentId: string, dates: Vacation): Hold | undefined {
  const { data } = useQuery({
    ...endpointQuery(membershipsApi.show, { params: { id: studentId } }),
    enabled: false,
  })
  return data?.holds.find(
    ({ subscription_id, kind, starts_on, ends_on }) =>
      subscription_id === null &&
      kind !== VACATION &&
      starts_on === dates.vacation_from &&
      ends_on === dates.vacation_until,
  )
}
