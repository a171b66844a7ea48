import type { ReceivedFile } from '../lib/file-api.ts'

/** A browser that begins to save does so from the address, which must outlive the click. */
const KEPT_MS = 60_000

/** Hands a file to the browser, which puts it where downloads go. */
export function saveFile({ name, content }: ReceivedFile): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  // In a dialog, whatever is outside it cannot be pressed.
  ;(document.querySelector('dialog[open]') ?? document.body).append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS)
}
