/** The dialogs of a student's page whose drafts are kept (drafts.ts). */
export const EDIT_DRAFT = 'edit-student'
export const NOTES_DRAFT = 'student-notes'
export const VACATION_DRAFT = 'student-vacation'
export const TEXT_DRAFT = 'text-student'
export const PAYMENT_DRAFT = 'payment'
