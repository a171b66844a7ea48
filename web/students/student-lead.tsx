import { leadsApi } from '@tatami/contract/leads/leads'
import { useQuery } from '@tanstack/react-query'
import { LayoutLink } from '../lib/layout-link.tsx'
import { leadPath } from '../lib/paths.ts'
import { endpointQuery } from '../lib/query.ts'

/** Links to the lead that the student was before enrolling, if any. */
export function StudentLead({ studentId }: { studentId: string }) {
  const { data } = useQuery(endpointQuery(leadsApi.ofStudent, { params: { id: studentId } }))
  return (
    data?.lead_id && <LayoutLink to={leadPath(data.lead_id)}>History before enrolling</LayoutLink>
  )
}
