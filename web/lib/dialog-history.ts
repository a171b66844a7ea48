/** Gives open dialogs entries in the browser's history, so that Back closes the top one. */

type Close = () => boolean

/** The field of history.state that counts the dialogs open at an entry. */
const KEY = 'dialogs'
const open: { close: Close }[] = []
let isTraversing = false
const onceSettled: (() => void)[] = []

const entryCount = () => Number(Object(history.state)[KEY] ?? 0)

function go(steps: number) {
  isTraversing = true
  history.go(steps)
}

function syncEntries() {
  if (isTraversing) return
  const steps = open.length - entryCount()
  if (steps < 0) go(steps)
  for (let entry = open.length - steps + 1; entry <= open.length; entry++)
    history.pushState({ ...history.state, [KEY]: entry }, '')
}

function onPopState() {
  const steps = open.length - entryCount()
  if (!isTraversing && steps > 0) {
    if (!open.at(-1)?.close()) go(steps)
    return
  }
  isTraversing = false
  syncEntries()
  if (!isTraversing) onceSettled.splice(0).forEach((callback) => callback())
}

export function startDialogHistory() {
  window.addEventListener('popstate', onPopState)
  syncEntries()
}

/** A reload may have left entries of dialogs that are closed now. */
export function addDialogEntry(close: Close) {
  const dialog = { close }
  open.push(dialog)
  queueMicrotask(syncEntries)
  return () => {
    open.splice(open.indexOf(dialog), 1)
    queueMicrotask(syncEntries)
  }
}

/** A dialog that replaces another at the same moment takes over its entry. */
export const afterDialogsLeft = (callback: () => void) =>
  queueMicrotask(() => (isTraversing ? onceSettled.push(callback) : callback()))
