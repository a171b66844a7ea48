import { AsyncLocalStorage } from 'node:async_hooks'
import type { OneDayClasses } from '@tatami/contract/calendar/timetable'

/** The caller sees only these classes, their students, and their own data. Some of the classes may
 *  be visible on one day only. */
export type CallerLimits = {
  accountId: string
  classIds: readonly string[]
  oneDayClasses: OneDayClasses | null
}

type RequestContext = {
  requestId?: string
  limits?: CallerLimits | undefined
}

const contexts = new AsyncLocalStorage<RequestContext>()

/** Runs `work` so that its log records (`Tx.record`) have the request's id, and its transactions
 *  have the caller's limits. */
export const runForRequest = <Result>(
  context: RequestContext,
  work: () => Promise<Result>,
): Promise<Result> => contexts.run(context, work)

/** Runs `work` without the limits of the caller, for work after the response. */
export const runWithoutLimits = <Result>(work: () => Promise<Result>): Promise<Result> =>
  contexts.run({ requestId: currentRequestId() }, work)

export const currentRequestId = (): string | undefined => contexts.getStore()?.requestId
/** The limits of database transactions. Undefined if there are none. */
export const currentLimits = (): CallerLimits | undefined => contexts.getStore()?.limits
