export const hasMouse = () => window.matchMedia('(pointer: fine)').matches

/** Focuses the first field. On a phone, it focuses the title, because a focused field would open
 *  the keyboard, which covers the dialog. */
export function focusFirst(dialog: HTMLDialogElement) {
  const field =
    hasMouse() &&
    dialog.querySelector<HTMLElement>('form :is(input, select, textarea):not(:disabled)')
  const target =
    dialog.querySelector<HTMLElement>('[data-autofocus]') ??
    (field || dialog.querySelector<HTMLElement>('[tabindex="-1"]'))
  target?.focus()
}

/** iOS shows its keyboard over the page, so the dialog shrinks to the visible part. */
export function keepAboveKeyboard(dialog: HTMLDialogElement) {
  const viewport = window.visualViewport
  const resize = () => {
    dialog.style.setProperty('--visible-height', `${viewport?.height ?? window.innerHeight}px`)
    dialog.style.setProperty(
      '--hidden-below',
      `${viewport ? Math.max(0, window.innerHeight - viewport.height - viewport.offsetTop) : 0}px`,
    )
  }
  resize()
  viewport?.addEventListener('resize', resize)
  return () => viewport?.removeEventListener('resize', resize)
}

export const focusOnMount = (element: HTMLElement | null) => element?.focus()
