import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** Resolves when all background work that has begun is done. */
    backgroundTasksDone: () => Promise<void>
  }
}

/** Work that a call has begun and does not wait for: what fails is logged, and the server does not close before all is done. */
export function registerBackgroundTasks(http: FastifyInstance): (work: () => Promise<unknown>) => void {
  const underWay = new Set<Promise<unknown>>()
  http.decorate('backgroundTasksDone', async () => void (await Promise.all(underWay)))
  http.addHook('onClose', () => http.backgroundTasksDone())
  return (work) => {
    const done = new Promise<void>((resolve) => void setImmediate(resolve))
      .then(work)
      .catch((err: unknown) => http.log.error({ err }, 'background work failed'))
      .finally(() => underWay.delete(done))
    underWay.add(done)
  }
}
