import { AsyncLocalStorage } from 'node:async_hooks'

const requestIds = new AsyncLocalStorage<string>()

/** Makes the log records of `work` (`Tx.record`) carry the request's id. */
export const runForRequest = <T>(requestId: string, work: () => Promise<T>): Promise<T> =>
  requestIds.run(requestId, work)

export const currentRequestId = (): string | undefined => requestIds.getStore()
