import { AsyncLocalStorage } from 'node:async_hooks'
import type { OneDayClasses } from '@tatami/contract/calendar/timetable'

/** The caller sees only these classes, the students of these classes, and the caller's own data.
 *  The `oneDayClasses` are visible only on one day. */
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

/** Runs `work` for a request. Its audit records (`Tx.record`) get the request's id, and its
 *  transactions get the caller's limits. */
export const runForRequest = <Result>(
  context: RequestContext,
  work: () => Promise<Result>,
): Promise<Result> => contexts.run(context, work)

/** Runs `work` without the limits of the caller, for work after the response. */
export const runWithoutLimits = <Result>(work: () => Promise<Result>): Promise<Result> =>
  contexts.run({ requestId: getCurrentRequestId() }, work)

export const getCurrentRequestId = (): string | undefined => contexts.getStore()?.requestId
/** The limits of database transactions. Undefined if there are none. */
export const getCurrentLimits = (): CallerLimits | undefined => contexts.getStore()?.limits
