import { membershipsApi } from '@tatami/contract/memberships/memberships'
import { plansApi } from '@tatami/contract/plans/plans'
import type { Student } from '@tatami/contract/students/students'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { Loading } from '../ui/loading.tsx'
import { Panel } from '../ui/panel.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'

export { useOtherHold } from './use-other-hold.ts'

const MembershipCard = lazyComponent(
  () => import('./membership-card.tsx'),
  'MembershipCard',
  <SkeletonBlock height="8rem" />,
)

/** What a vacation changes. */
export const VacationPreview = lazyComponent(
  () => import('./vacation-preview.tsx'),
  'VacationPreview',
)

/** Says beside the fee of a student that it is the price of a plan. */
export const PlanPriceNote = lazyComponent(() => import('./plan-price-note.tsx'), 'PlanPriceNote')

/** What starts when a student who chose a plan is approved. */
export const ApproveDialog = lazyComponent(() => import('./approve-dialog.tsx'), 'ApproveDialog')

/** A student's plans. A school without plans sees nothing. */
export function MembershipPanel({ student }: { student: Student }) {
  const { data: plans } = useQuery(endpointQuery(plansApi.list))
  return plans && plans.length > 0 ? <LoadedPanel student={student} /> : null
}

function LoadedPanel({ student }: { student: Student }) {
  const membership = useRetryingQuery(
    endpointQuery(membershipsApi.show, { params: { id: student.id } }),
  )
  return (
    <Panel title="Membership">
      <Loading query={membership} error="The membership could not be loaded.">
        <SkeletonBlock height="8rem" />
      </Loading>
      {membership.data && <MembershipCard student={student} membership={membership.data} />}
    </Panel>
  )
}
