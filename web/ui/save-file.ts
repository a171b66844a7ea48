import type { ReceivedFile } from '../lib/file-api.ts'

/** The browser may read the URL after the click. */
const KEPT_MS = 60_000

export function saveFile({ name, content }: ReceivedFile): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  // Outside an open dialog nothing can be clicked.
  ;(document.querySelector('dialog[open]') ?? document.body).append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS)
}
