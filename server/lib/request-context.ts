import { AsyncLocalStorage } from 'node:async_hooks'

const requestIds = new AsyncLocalStorage<string>()

/** Runs `work` so that its log records (`Tx.record`) have the request's id. */
export const runForRequest = <T>(requestId: string, work: () => Promise<T>): Promise<T> =>
  requestIds.run(requestId, work)

export const currentRequestId = (): string | undefined => requestIds.getStore()
