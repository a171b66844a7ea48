import { leadsApi } from '@tatami/contract/leads/leads'
import { useQuery } from '@tanstack/react-query'
import { LayoutLink } from '../lib/layout-link.tsx'
import { leadPath } from '../lib/paths.ts'
import { endpointQuery } from '../lib/query.ts'

/** Leads to what happened before the student enrolled. Nothing if the student was not a lead. */
export function StudentLead({ studentId }: { studentId: string }) {
  const { data } = useQuery(endpointQuery(leadsApi.ofStudent, { params: { id: studentId } }))
  return (
    data?.lead_id && <LayoutLink to={leadPath(data.lead_id)}>Story before enrolling</LayoutLink>
  )
}
