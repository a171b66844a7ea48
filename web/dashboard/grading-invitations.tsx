import { gradingsApi } from '@tatami/contract/gradings/gradings'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { DashboardLoading } from './layout.tsx'

export const invitationsQuery = endpointQuery(gradingsApi.own)

const Invitations = lazyComponent(
  () => import('../gradings/invitations.tsx'),
  'Invitations',
  <DashboardLoading height="13rem" />,
)

export function GradingInvitations() {
  const { data } = useRetryingQuery(invitationsQuery)
  return data && data.length > 0 && <Invitations invitations={data} />
}
