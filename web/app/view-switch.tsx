import { staffApi } from '@tatami/contract/staff/staff'
import { failureMessage } from '../lib/api.ts'
import { useCurrentUser } from '../lib/current-user.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { ChoiceBar } from '../ui/choice-bar.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { useReloadDashboard } from '../lib/use-reload-dashboard.ts'

const VIEWS = [
  { value: 'staff', label: 'Staff' },
  { value: 'family', label: 'Family' },
] as const

/** Shown to staff who also train or have children here. */
export function ViewSwitch() {
  const { has_family_view, is_in_family_view } = useCurrentUser()
  const reloadDashboard = useReloadDashboard()
  const change = useEndpointMutation(staffApi.switchView, { onSuccess: reloadDashboard })
  const isFamily = change.isPending ? change.variables.body.family : is_in_family_view
  if (!has_family_view) return null
  return (
    <>
      <ChoiceBar
        label="View"
        choices={VIEWS}
        value={isFamily ? 'family' : 'staff'}
        onChange={(view) =>
          change.isPending || change.mutate({ body: { family: view === 'family' } })
        }
      />
      <ErrorNotice>
        {failureMessage(change, 'The view could not be switched. Please try again.')}
      </ErrorNotice>
    </>
  )
}
