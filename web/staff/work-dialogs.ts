/** The dialogs of Hours and Pay, in one chunk. */
export { AddHoursDialog, ClassTimesDialog, EditHoursDialog, ShiftDialog } from './hours-dialogs.tsx'
export { RatesDialog } from './rates-dialog.tsx'
export { WorkPinDialog } from './work-pin-dialog.tsx'
