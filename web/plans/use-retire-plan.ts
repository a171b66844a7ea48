import { plansApi } from '@tatami/contract/plans/plans'
import { alertFailure } from '../lib/alert-failure.ts'
import { errorMessage } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'

export const useRetirePlan = (onRetired: () => void) =>
  useEndpointMutation(plansApi.retire, {
    refreshes: [plansApi.list],
    onSuccess: onRetired,
    onError: (error) =>
      alertFailure(errorMessage(error, 'The plan could not be changed. Please try again.')),
  })
