import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    backgroundTasksDone: () => Promise<void>
  }
}

/** Returns a function that runs a task after the response. Failures are logged; closing waits for
 *  all tasks. */
export function registerBackgroundTasks(
  http: FastifyInstance,
): (work: () => Promise<unknown>) => void {
  const underWay = new Set<Promise<unknown>>()
  http.decorate('backgroundTasksDone', async () => void (await Promise.all(underWay)))
  http.addHook('onClose', () => http.backgroundTasksDone())
  return (work) => {
    const task = new Promise<void>((resolve) => void setImmediate(resolve))
      .then(work)
      .catch((err: unknown) => http.log.error({ err }, 'background work failed'))
      .finally(() => underWay.delete(task))
    underWay.add(task)
  }
}
