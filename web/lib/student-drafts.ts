/** The dialogs about students whose drafts are kept (drafts.ts). */
export const ENROLL_DRAFT = 'enroll'
export const EDIT_DRAFT = 'edit-student'
export const NOTES_DRAFT = 'student-notes'
export const VACATION_DRAFT = 'student-vacation'
export const TEXT_DRAFT = 'text-student'
export const PAYMENT_DRAFT = 'payment'
