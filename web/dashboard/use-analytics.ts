import { dashboardApi } from '@tatami/contract/dashboard/dashboard'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'

const STALE_TIME_MS = 60_000

export const useAnalytics = () =>
  useRetryingQuery({ ...endpointQuery(dashboardApi.analytics), staleTime: STALE_TIME_MS })
