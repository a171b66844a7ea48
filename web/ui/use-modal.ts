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

type ModalOptions = {
  close: () => boolean
  ignoresBackdrop: boolean
  hasHistoryEntry: boolean
}

/** Returns the props of the <dialog>. `close` returns false if the dialog stays open. */
export function useModal({ close, ignoresBackdrop, hasHistoryEntry }: ModalOptions) {
  const ref = useRef<HTMLDialogElement>(null)
  const latestClose = useEffectEvent(close)
  useLayoutEffect(() => {
    const dialog = mustExist(ref.current, 'The dialog')
    dialog.showModal()
    focusFirst(dialog)
    const stopResizing = keepAboveKeyboard(dialog)
    const removeEntry = hasHistoryEntry ? addDialogEntry(() => latestClose()) : undefined
    return () => {
      removeEntry?.()
      stopResizing()
      // The browser returns the focus when a dialog closes, but not when it is removed.
      dialog.close()
    }
  }, [hasHistoryEntry])
  return {
    ref,
    // Chromium closes a dialog on a second Esc without a cancel event, so Esc is handled here.
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
    // The browser may have closed the dialog without a cancel event. Reopens it if it must stay
    // open.
    onClose: (event: SyntheticEvent) => {
      if (event.target !== ref.current || ref.current.open) return
      if (!close()) ref.current.showModal()
    },
    // With onClick, selecting text would close the dialog if the pointer leaves it before the
    // button is released.
    onMouseDown: (event: MouseEvent) => {
      if (event.target === ref.current && !ignoresBackdrop) close()
    },
  }
}
