import { drawEachTask } from '../lib/drawing-thread.ts'
import { createSignaturePdf } from './signature-pdf.ts'

drawEachTask(createSignaturePdf)
