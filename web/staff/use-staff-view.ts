import { staffApi, type StaffViewForm } from '@tatami/contract/staff/staff'
import { useQueryClient } from '@tanstack/react-query'
import { alertFailure } from '../lib/alert-failure.ts'
import { errorMessage } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'

/** Looks at the school as somebody else, and back. Everything is read again with those rights, so
 *  the app starts anew. */
export function useStaffView() {
  const client = useQueryClient()
  const options = {
    onSuccess: () => {
      client.clear()
      location.assign('/dashboard')
    },
    onError: (error: Error) =>
      alertFailure(errorMessage(error, 'The view could not be changed. Please try again.')),
  }
  const view = useEndpointMutation(staffApi.view, options)
  const endView = useEndpointMutation(staffApi.endView, options)
  const switchView = useEndpointMutation(staffApi.switchView, options)
  return {
    look: (body: StaffViewForm) => view.mutate({ body }),
    lookAsMyself: () => endView.mutate(),
    /** For people with several hats: the family's view, or that of the staff. */
    switchTo: (name: 'family' | 'staff') =>
      switchView.mutate({ body: { family: name === 'family' } }),
    isPending: view.isPending || endView.isPending || switchView.isPending,
  }
}
