/** The dialogs that keep what is typed when a session ends. */
export const PLAN_DRAFT = 'plan-grading',
  EDIT_DRAFT = 'edit-grading',
  INVITE_DRAFT = 'invite-to-grading'
