import { addDialogEntry } from '../lib/dialog-history.ts'
import { focusFirst, keepAboveKeyboard } from '../lib/modal.ts'

/** Opens the landing page's login dialog: the browser traps the focus and gives it back; Esc, Back and a press beside it close it. */
export function openLoginDialog(dialog: HTMLDialogElement) {
  dialog.showModal()
  focusFirst(dialog)
  const stopFitting = keepAboveKeyboard(dialog)
  const removeEntry = addDialogEntry(() => {
    dialog.close()
    return true
  })
  const closeFromBackdrop = (event: MouseEvent) => event.target === dialog && dialog.close()
  dialog.addEventListener('mousedown', closeFromBackdrop)
  dialog.addEventListener(
    'close',
    () => {
      dialog.removeEventListener('mousedown', closeFromBackdrop)
      stopFitting()
      removeEntry()
    },
    { once: true },
  )
}
