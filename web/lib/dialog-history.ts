/** Gives each open dialog an entry in the browser's history, so that Back closes the top one. */

/** Returns false if the dialog stays open, because it first asks whether to discard the input. */
type Close = () => boolean

/** The field of history.state that counts the dialogs open at an entry. */
const KEY = 'dialogs'
const openDialogs: { close: Close }[] = []
let isTraversing = false
const pendingCallbacks: (() => void)[] = []

const entryCount = () => Number(Object(history.state)[KEY] ?? 0)

/** React Router counts its entries in `idx` (back-arrow.tsx). A link in a dialog replaces the
 *  dialog's entry and keeps its `idx`, so this entry counts, too. */
function pushEntry(count: number) {
  const state = Object(history.state) as { idx?: number }
  const position = state.idx === undefined ? {} : { idx: state.idx + 1 }
  history.pushState({ ...state, ...position, [KEY]: count }, '')
}

function go(steps: number) {
  isTraversing = true
  history.go(steps)
}

function syncEntries() {
  if (isTraversing) return
  const steps = openDialogs.length - entryCount()
  if (steps < 0) go(steps)
  for (let entry = openDialogs.length - steps + 1; entry <= openDialogs.length; entry++)
    pushEntry(entry)
}

function onPopState() {
  const steps = openDialogs.length - entryCount()
  if (!isTraversing && steps > 0) {
    if (!openDialogs.at(-1)?.close()) go(steps)
    return
  }
  isTraversing = false
  syncEntries()
  if (!isTraversing) pendingCallbacks.splice(0).forEach((callback) => callback())
}

export function startDialogHistory() {
  window.addEventListener('popstate', onPopState)
  // A reload may have left the entries of dialogs that are closed now.
  syncEntries()
}

/** Call the returned function on close. A dialog that opens in the same task reuses the entry. */
export function addDialogEntry(close: Close) {
  const dialog = { close }
  openDialogs.push(dialog)
  queueMicrotask(syncEntries)
  return () => {
    openDialogs.splice(openDialogs.indexOf(dialog), 1)
    queueMicrotask(syncEntries)
  }
}

/** Calls back once closed dialogs have left the history. A navigation before that would be lost. */
export const afterHistorySettles = (callback: () => void) =>
  queueMicrotask(() => (isTraversing ? pendingCallbacks.push(callback) : callback()))
