import { hoursApi } from '@tatami/contract/staff/hours'
import { payApi } from '@tatami/contract/staff/pay'

/** What shows hours, to be loaded again after a change. */
export const HOURS_QUERIES = [hoursApi.own, payApi.overview]
/** What depends on the rates. */
export const RATE_QUERIES = [payApi.rates, payApi.overview]
