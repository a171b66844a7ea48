/** Draws certificates in a thread: fonts take a tenth of a second, which would block other
 *  requests. */
import { parentPort } from 'node:worker_threads'
import type { CertificateTask, DrawingResult } from './certificate-drawing.ts'
import { certificatesPdf } from './certificate-pdf.ts'

async function draw(task: CertificateTask): Promise<DrawingResult> {
  try {
    return { pdf: await certificatesPdf(task.certificates, task.publicUrl, task.madeAt) }
  } catch (error) {
    return { error: error as Error }
  }
}

parentPort!.on('message', (task: CertificateTask) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread has no origin.
  void draw(task).then((result) => parentPort!.postMessage(result))
})
