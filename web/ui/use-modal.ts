import { mustExist } from '@tatami/contract/lib/must-exist'
import {
  useEffectEvent,
  useLayoutEffect,
  useRef,
  type KeyboardEvent,
  type MouseEvent,
  type SyntheticEvent,
} from 'react'
import { addDialogEntry } from '../lib/dialog-history.ts'
import { focusFirst, keepAboveKeyboard } from '../lib/modal.ts'

type Modal = {
  close: () => boolean
  ignoresBackdrop: boolean
  hasHistoryEntry: boolean
}

/** `close` returns false if the dialog stays open. Spread the result over the <dialog>. */
export function useModal({ close, ignoresBackdrop, hasHistoryEntry }: Modal) {
  const ref = useRef<HTMLDialogElement>(null)
  const latestClose = useEffectEvent(close)
  useLayoutEffect(() => {
    const dialog = mustExist(ref.current, 'The dialog')
    dialog.showModal()
    focusFirst(dialog)
    const stopFitting = keepAboveKeyboard(dialog)
    const removeEntry = hasHistoryEntry ? addDialogEntry(() => latestClose()) : undefined
    return () => {
      removeEntry?.()
      stopFitting()
      // A dialog returns the focus when it is closed, not when it is removed.
      dialog.close()
    }
  }, [hasHistoryEntry])
  return {
    ref,
    // On a second Esc, Chromium closes a dialog without asking. This handles the key instead.
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing) return
      event.preventDefault()
      close()
    },
    onCancel: (event: SyntheticEvent) => {
      // React bubbles the Esc of a nested dialog up to here.
      if (event.target !== ref.current) return
      event.preventDefault()
      close()
    },
    // The browser may have closed the dialog without asking. Reopens it if it must stay open.
    onClose: (event: SyntheticEvent) => {
      if (event.target !== ref.current || ref.current.open) return
      if (!close()) ref.current.showModal()
    },
    // Not onClick: a press that starts inside, to select text, may end outside.
    onMouseDown: (event: MouseEvent) => {
      if (event.target === ref.current && !ignoresBackdrop) close()
    },
  }
}
