/** Names of the student page's dialogs in drafts.ts. */
export const EDIT_DRAFT = 'edit-student'
export const NOTES_DRAFT = 'student-notes'
export const VACATION_DRAFT = 'student-vacation'
export const TEXT_DRAFT = 'text-student'
export const PAYMENT_DRAFT = 'payment'
