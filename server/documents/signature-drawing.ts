import type { GivenAnswer } from '@tatami/contract/documents/document-texts'
import { createDrawingThread, type Draw } from '../lib/drawing-thread.ts'

export type SignaturePaper = {
  dojo_name: string
  document_name: string
  version: number
  language: string
  /** SHA-256 of the published text. */
  text_hash: string
  body: string
  answers: GivenAnswer[]
  person_name: string
  /** "Ann Park (mother) for Leo Park", in full sentences. */
  statement: string
  /** The lines below the statement: when, how and in which version of the disclosure. */
  facts: string[]
  disclosure: readonly string[]
  /** An SVG path in a box of 300 by 100. */
  drawing: string | null
  /** A photo of the paper: a JPEG file. */
  photo: Uint8Array | null
  signed_at: string
  is_letter: boolean
}

/** The bytes are stored, so the same paper is never drawn again. */
export const drawSignature: Draw<SignaturePaper> = createDrawingThread(
  new URL('signature-worker.ts', import.meta.url),
)
