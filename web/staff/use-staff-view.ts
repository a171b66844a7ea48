import { staffApi, type StaffViewForm } from '@tatami/contract/staff/staff'
import { alertFailure } from '../lib/alert-failure.ts'
import { errorMessage } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { useReloadDashboard } from '../lib/use-reload-dashboard.ts'

/** Shows the school as somebody else sees it. A banner leads back (app/preview-banner.tsx). */
export function useStaffView() {
  const reloadDashboard = useReloadDashboard()
  const view = useEndpointMutation(staffApi.view, {
    onSuccess: reloadDashboard,
    onError: (error) =>
      alertFailure(errorMessage(error, 'The view could not be opened. Please try again.')),
  })
  return { startPreview: (body: StaffViewForm) => view.mutate({ body }), isPending: view.isPending }
}
