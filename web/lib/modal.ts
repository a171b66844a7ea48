export const hasMouse = () => window.matchMedia('(pointer: fine)').matches

/** A form's first field with a mouse; on a phone the title, so that no keyboard hides what was just opened. */
export function focusFirst(dialog: HTMLDialogElement) {
  const field =
    hasMouse() &&
    dialog.querySelector<HTMLElement>('form :is(input, select, textarea):not(:disabled)')
  const first =
    dialog.querySelector<HTMLElement>('[data-autofocus]') ??
    (field || dialog.querySelector<HTMLElement>('[tabindex="-1"]'))
  first?.focus()
}

/** iOS lays its keyboard over the page; the dialog keeps to what is left above it. */
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

/** The `ref` of what stands where the pressed button stood, or was opened by it, and takes over its focus. */
export const focusOnMount = (element: HTMLElement | null) => element?.focus()
