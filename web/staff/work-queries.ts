import { hoursApi } from '@tatami/contract/staff/hours'
import { payApi } from '@tatami/contract/staff/pay'

/** What to load again after hours change. */
export const HOURS_QUERIES = [hoursApi.own, payApi.overview]
/** What to load again after rates change. */
export const RATE_QUERIES = [payApi.rates, payApi.overview]
