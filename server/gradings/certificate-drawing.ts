import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import pLimit from 'p-limit'
import { now } from '../lib/clock.ts'
import type { Certificate } from './certificates.ts'

export type CertificateTask = {
  certificates: readonly Certificate[]
  publicUrl: string
  madeAt: Date
}
export type DrawingResult = { pdf: Uint8Array } | { error: Error }

/** Drawing one file at a time leaves a core for all other requests. */
const runAlone = pLimit(1)
let idleWorker: Worker | undefined

export const drawCertificates = (
  certificates: readonly Certificate[],
  publicUrl: string,
): Promise<Uint8Array> =>
  runAlone(async () => {
    const worker =
      idleWorker ?? new Worker(new URL('certificate-worker.ts', import.meta.url), { execArgv: [] })
    idleWorker = undefined
    // An idle thread must not keep the process alive.
    worker.ref()
    const task: CertificateTask = { certificates, publicUrl, madeAt: now() }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread has no origin.
    worker.postMessage(task)
    const [result] = (await once(worker, 'message')) as [DrawingResult]
    worker.unref()
    idleWorker = worker
    if ('error' in result) throw result.error
    return result.pdf
  })
