import { now } from '../lib/clock.ts'
import { createDrawingThread, type Draw } from '../lib/drawing-thread.ts'
import type { Certificate } from './certificates.ts'

export type CertificateTask = {
  certificates: readonly Certificate[]
  publicUrl: string
  madeAt: Date
}

const drawTask: Draw<CertificateTask> = createDrawingThread(
  new URL('certificate-worker.ts', import.meta.url),
)

export const drawCertificates = (
  certificates: readonly Certificate[],
  publicUrl: string,
): Promise<Uint8Array> => drawTask({ certificates, publicUrl, madeAt: now() })
