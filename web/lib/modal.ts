export const hasMouse = () => window.matchMedia('(pointer: fine)').matches

/** Focuses the first field, or on a phone the title, so that no keyboard covers the dialog. */
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
  const fit = () => {
    dialog.style.setProperty('--visible-height', `${viewport?.height ?? window.innerHeight}px`)
    dialog.style.setProperty(
      '--hidden-below',
      `${viewport ? Math.max(0, window.innerHeight - viewport.height - viewport.offsetTop) : 0}px`,
    )
  }
  fit()
  viewport?.addEventListener('resize', fit)
  return () => viewport?.removeEventListener('resize', fit)
}

export const focusOnMount = (element: HTMLElement | null) => element?.focus()
