/** Gives each open dialog an entry in the browser's history, so that Back closes the top one. */

/** Returns false if the dialog stays open, because it first asks whether to discard the input. */
type Close = () => boolean

/** The field of history.state with the number of dialogs that are open at an entry. */
const STATE_FIELD = 'dialogs'
const openDialogs: { close: Close }[] = []
let isTraversing = false
const pendingCallbacks: (() => void)[] = []

const dialogEntryCount = () => Number(Object(history.state)[STATE_FIELD] ?? 0)

/** React Router counts entries in `idx` (back-arrow.tsx). A dialog's entry must have an `idx`, too,
 *  because a link in the dialog replaces the entry and keeps it. */
function pushEntry(dialogCount: number) {
  const state = Object(history.state) as { idx?: number }
  const routerState = state.idx === undefined ? {} : { idx: state.idx + 1 }
  history.pushState({ ...state, ...routerState, [STATE_FIELD]: dialogCount }, '')
}

function traverse(steps: number) {
  isTraversing = true
  history.go(steps)
}

function syncEntries() {
  if (isTraversing) return
  const entryCount = dialogEntryCount()
  if (entryCount > openDialogs.length) traverse(openDialogs.length - entryCount)
  for (let count = entryCount + 1; count <= openDialogs.length; count++) pushEntry(count)
}

function onPopState() {
  const missingEntries = openDialogs.length - dialogEntryCount()
  if (!isTraversing && missingEntries > 0) {
    if (!openDialogs.at(-1)?.close()) traverse(missingEntries)
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

/** Returns a function to call when the dialog closes. If another dialog opens in the same task, it
 *  reuses the entry. */
export function addDialogEntry(close: Close) {
  const dialog = { close }
  openDialogs.push(dialog)
  queueMicrotask(syncEntries)
  return () => {
    openDialogs.splice(openDialogs.indexOf(dialog), 1)
    queueMicrotask(syncEntries)
  }
}

/** Waits until the entries of closed dialogs are gone. A navigation before that would be lost. */
export const afterHistorySettles = (callback: () => void) =>
  queueMicrotask(() => (isTraversing ? pendingCallbacks.push(callback) : callback()))
