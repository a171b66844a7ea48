import { staffApi, type StaffViewForm } from '@tatami/contract/staff/staff'
import { alertFailure } from '../lib/alert-failure.ts'
import { errorMessage } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { useStartView } from '../lib/use-start-view.ts'

/** Looks at the school as somebody else. A banner leads back (app/preview-banner.tsx). */
export function useStaffView() {
  const startView = useStartView()
  const view = useEndpointMutation(staffApi.view, {
    onSuccess: startView,
    onError: (error) =>
      alertFailure(errorMessage(error, 'The view could not be changed. Please try again.')),
  })
  return { look: (body: StaffViewForm) => view.mutate({ body }), isPending: view.isPending }
}
