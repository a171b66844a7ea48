import { useLayoutEffect, useRef, type MouseEvent, type SyntheticEvent } from 'react'

const hasMouse = () => window.matchMedia('(pointer: fine)').matches

/** A form's first field with a mouse; on a phone the title, so that no keyboard hides what was just opened. */
function focusFirst(dialog: HTMLDialogElement) {
  const field = hasMouse() && dialog.querySelector<HTMLElement>('form :is(input, select, textarea):not(:disabled)')
  const first = dialog.querySelector<HTMLElement>('[data-autofocus]') ?? (field || dialog.querySelector<HTMLElement>('[tabindex="-1"]'))
  first?.focus()
}

/** iOS lays its keyboard over the page; the dialog keeps to what is left above it. */
function keepAboveKeyboard(dialog: HTMLDialogElement) {
  const seen = window.visualViewport
  const fit = () => {
    dialog.style.setProperty('--visible-height', `${seen?.height ?? window.innerHeight}px`)
    dialog.style.setProperty('--hidden-below', `${seen ? Math.max(0, window.innerHeight - seen.height - seen.offsetTop) : 0}px`)
  }
  fit()
  seen?.addEventListener('resize', fit)
  return () => seen?.removeEventListener('resize', fit)
}

/** Props that make a native dialog modal: the browser traps the focus, gives it back and closes on Esc. */
export function useModal({ onClose, staysOnTap }: { onClose: () => void; staysOnTap: boolean }) {
  const ref = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = ref.current!
    dialog.showModal()
    focusFirst(dialog)
    const letGo = keepAboveKeyboard(dialog)
    return () => {
      letGo()
      // Closed before it leaves the page, it returns the focus to where it came from.
      dialog.close()
    }
  }, [])
  return {
    ref,
    onCancel: (event: SyntheticEvent) => {
      // React lets the Esc of a dialog inside this one bubble up to here.
      if (event.target !== ref.current) return
      event.preventDefault()
      onClose()
    },
    // A press that began on the backdrop; one that began inside, selecting text, does not count.
    onMouseDown: (event: MouseEvent) => {
      if (event.target === ref.current && !staysOnTap) onClose()
    },
  }
}
