/** A thread draws certificates, because loading the fonts would block other requests for 0.1 s. */
import { parentPort } from 'node:worker_threads'
import { mustExist } from '@tatami/contract/lib/must-exist'
import type { CertificateTask, DrawingResult } from './certificate-drawing.ts'
import { createCertificatesPdf } from './certificate-pdf.ts'

async function drawPdf(task: CertificateTask): Promise<DrawingResult> {
  try {
    return { pdf: await createCertificatesPdf(task.certificates, task.publicUrl, task.madeAt) }
  } catch (error) {
    return { error: error as Error }
  }
}

const port = mustExist(parentPort, 'The port of the thread')
port.on('message', (task: CertificateTask) => {
  void drawPdf(task).then((result) => port.postMessage(result))
})
