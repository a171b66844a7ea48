import { dashboardApi } from '@tatami/contract/dashboard/dashboard'
import { leadsApi } from '@tatami/contract/leads/leads'
import { leadSourcesApi } from '@tatami/contract/leads/sources'

/** What shows leads, and reloads after a change. */
export const LEAD_QUERIES = [
  leadsApi.list,
  dashboardApi.stats,
  leadsApi.show,
  leadSourcesApi.figures,
  leadSourcesApi.responseTimes,
]
