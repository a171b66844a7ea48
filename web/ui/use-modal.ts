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
  /** Closes the dialog, or returns false when it stays open. */
  close: () => boolean
  ignoresBackdrop: boolean
  /** Whether Back closes it. */
  hasHistoryEntry: boolean
}

/** Props that make a native dialog modal: the browser traps the focus and gives it back; Esc and Back close it. */
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
      // Closed before it leaves the page, it returns the focus to where it came from.
      dialog.close()
    }
  }, [hasHistoryEntry])
  return {
    ref,
    // Chromium closes a dialog at the second Esc without asking; at the key it can be kept.
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing) return
      event.preventDefault()
      close()
    },
    onCancel: (event: SyntheticEvent) => {
      // React lets the Esc of a dialog inside this one bubble up to here.
      if (event.target !== ref.current) return
      event.preventDefault()
      close()
    },
    // The browser closed it without asking.
    onClose: (event: SyntheticEvent) => {
      if (event.target !== ref.current || ref.current.open) return
      if (!close()) ref.current.showModal()
    },
    // A press that began on the backdrop; one that began inside, selecting text, does not count.
    onMouseDown: (event: MouseEvent) => {
      if (event.target === ref.current && !ignoresBackdrop) close()
    },
  }
}
