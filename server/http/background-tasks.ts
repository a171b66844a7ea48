import type { FastifyInstance } from 'fastify'
import { runWithoutLimits } from '../lib/request-context.ts'

declare module 'fastify' {
  interface FastifyInstance {
    backgroundTasksDone: () => Promise<void>
  }
}

/** Returns a function that runs work after the response and logs its failure. Closing the server
 *  waits for running work. */
export function registerBackgroundTasks(
  http: FastifyInstance,
): (work: () => Promise<unknown>) => void {
  const runningTasks = new Set<Promise<unknown>>()
  http.decorate('backgroundTasksDone', async () => void (await Promise.all(runningTasks)))
  http.addHook('onClose', () => http.backgroundTasksDone())
  return (work) => {
    const task = new Promise<void>((resolve) => void setImmediate(resolve))
      .then(() => runWithoutLimits(work))
      .catch((err: unknown) => http.log.error({ err }, 'background work failed'))
      .finally(() => runningTasks.delete(task))
    runningTasks.add(task)
  }
}
