import { AsyncLocalStorage } from 'node:async_hooks'

type RequestContext = {
  requestId?: string
  /** The only classes that the caller may see. Database transactions are limited to them. */
  classIds?: readonly string[] | undefined
}

const contexts = new AsyncLocalStorage<RequestContext>()

/** Runs `work` so that its log records (`Tx.record`) have the request's id, and its transactions
 *  see only the caller's classes. */
export const runForRequest = <T>(context: RequestContext, work: () => Promise<T>): Promise<T> =>
  contexts.run(context, work)

/** Runs `work` without the limits of the caller, for work after the response. */
export const runWithoutLimits = <T>(work: () => Promise<T>): Promise<T> =>
  contexts.run({ requestId: currentRequestId() }, work)

export const currentRequestId = (): string | undefined => contexts.getStore()?.requestId
export const currentClassIds = (): readonly string[] | undefined => contexts.getStore()?.classIds
