import { gradingsApi } from '@tatami/contract/gradings/gradings'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { lazyPart } from '../ui/lazy-component.tsx'
import { DashboardLoading } from './layout.tsx'

export const invitationsQuery = endpointQuery(gradingsApi.own)

const Invitations = lazyPart(
  () => import('../gradings/invitations.tsx'),
  'Invitations',
  <DashboardLoading height="13rem" />,
)

/** Invitations to gradings that are to come; nothing where there are none. */
export function GradingInvitations() {
  const { data } = useRetryingQuery(invitationsQuery)
  return data && data.length > 0 && <Invitations invitations={data} />
}
