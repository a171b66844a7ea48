import { drawEachTask } from '../lib/drawing-thread.ts'
import type { CertificateTask } from './certificate-drawing.ts'
import { createCertificatesPdf } from './certificate-pdf.ts'

drawEachTask(({ certificates, publicUrl, madeAt }: CertificateTask) =>
  createCertificatesPdf(certificates, publicUrl, madeAt),
)
