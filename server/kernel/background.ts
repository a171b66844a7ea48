import type { FastifyInstance } from 'fastify'

/** Work that a call has begun and does not wait for: what fails is logged, and the server does not close before all is done. */
export function backgroundWork(http: FastifyInstance): (work: () => Promise<unknown>) => void {
  const underWay = new Set<Promise<unknown>>()
  http.addHook('onClose', async () => void (await Promise.all(underWay)))
  return (work) => {
    const done = new Promise<void>((resolve) => void setImmediate(resolve))
      .then(work)
      .catch((err: unknown) => http.log.error({ err }, 'background work failed'))
      .finally(() => underWay.delete(done))
    underWay.add(done)
  }
}
