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

/** The browser traps the focus and returns it; Esc and Back close the dialog. */
export function useModal({ close, ignoresBackdrop, hasHistoryEntry }: Modal) {
  const ref = useRef<HTMLDialogElement>(null)
  const latestClose = useEffectEvent(close)
  useLayoutEffect(() => {
    const dialog = ref.current!
    dialog.showModal()
    focusFirst(dialog)
    const stopFitting = keepAboveKeyboard(dialog)
    const removeEntry = hasHistoryEntry ? addDialogEntry(() => latestClose()) : undefined
    return () => {
      removeEntry?.()
      stopFitting()
      // Closed before it is removed, it returns the focus.
      dialog.close()
    }
  }, [hasHistoryEntry])
  return {
    ref,
    // Chromium closes a dialog at the second Esc without asking, so handle the key.
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
    // The browser closed it without asking.
    onClose: (event: SyntheticEvent) => {
      if (event.target !== ref.current || ref.current.open) return
      if (!close()) ref.current.showModal()
    },
    // A press that starts inside, while selecting text, does not count.
    onMouseDown: (event: MouseEvent) => {
      if (event.target === ref.current && !ignoresBackdrop) close()
    },
  }
}
