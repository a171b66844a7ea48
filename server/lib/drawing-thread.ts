import { once } from 'node:events'
import { parentPort, Worker } from 'node:worker_threads'
import { mustExist } from '@tatami/contract/lib/must-exist'
import pLimit from 'p-limit'

export type Draw<Task> = (task: Task) => Promise<Uint8Array>
type DrawingResult = { pdf: Uint8Array } | { error: Error }

/** Draws PDFs in a thread, because loading the fonts would block other requests for 0.1 s. Drawing
 *  one file at a time leaves a core for all other requests. */
export function createDrawingThread(worker: URL): Draw<unknown> {
  const runAlone = pLimit(1)
  let idleWorker: Worker | undefined
  return (task) =>
    runAlone(async () => {
      const thread = idleWorker ?? new Worker(worker, { execArgv: [] })
      idleWorker = undefined
      // An idle thread must not keep the process alive.
      thread.ref()
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread has no origin.
      thread.postMessage(task)
      const [result] = (await once(thread, 'message')) as [DrawingResult]
      thread.unref()
      idleWorker = thread
      if ('error' in result) throw result.error
      return result.pdf
    })
}

/** Runs in the thread. Draws each task that the thread gets, which must be of the type that `draw`
 *  expects. */
export function drawEachTask(draw: Draw<never>): void {
  const port = mustExist(parentPort, 'The port of the thread')
  const answer = async (task: never): Promise<DrawingResult> => {
    try {
      return { pdf: await draw(task) }
    } catch (error) {
      return { error: error as Error }
    }
  }
  port.on('message', (task) => {
    void answer(task as never).then((result) => port.postMessage(result))
  })
}
