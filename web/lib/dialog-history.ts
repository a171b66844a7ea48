/** The entries of the browser's history that belong to open dialogs: Back closes the dialog on top, and the page stays. */

/** Closes the dialog, or returns false when it stays open. */
type Close = () => boolean

/** Each dialog's entry is the page's own, and says how many dialogs are open there. */
const KEY = 'dialogs'
const open: { close: Close }[] = []
let isTraversing = false
const onceSettled: (() => void)[] = []

const entryCount = () => Number(Object(history.state)[KEY] ?? 0)

function go(steps: number) {
  isTraversing = true
  history.go(steps)
}

/** Adds the entries that are missing, and leaves those whose dialog is gone. */
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
    if (!open.at(-1)!.close()) go(steps)
    return
  }
  isTraversing = false
  syncEntries()
  if (!isTraversing) onceSettled.splice(0).forEach((callback) => callback())
}

/** Once per document. A reload may have left entries of dialogs that are no longer open. */
export function startDialogHistory() {
  window.addEventListener('popstate', onPopState)
  syncEntries()
}

/** Gives an open dialog its entry. The returned function takes it away again. */
export function addDialogEntry(close: Close) {
  const dialog = { close }
  open.push(dialog)
  // A dialog that takes another's place in the same step keeps the entry.
  queueMicrotask(syncEntries)
  return () => {
    open.splice(open.indexOf(dialog), 1)
    queueMicrotask(syncEntries)
  }
}

/** Calls `done` once every dialog that closes now has left the history. A document that is loaded before would be left again. */
export const afterDialogsLeft = (callback: () => void) =>
  queueMicrotask(() => (isTraversing ? onceSettled.push(callback) : callback()))
