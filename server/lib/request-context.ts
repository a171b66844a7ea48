import { AsyncLocalStorage } from 'node:async_hooks'

const requestIds = new AsyncLocalStorage<string>()

/** Runs `work` for a request: what a transaction in it records (`Tx.record`) carries the request's id. */
export const runForRequest = <T>(requestId: string, work: () => Promise<T>): Promise<T> =>
  requestIds.run(requestId, work)

/** The id of the request that is being worked for; undefined in background work. */
export const currentRequestId = (): string | undefined => requestIds.getStore()
