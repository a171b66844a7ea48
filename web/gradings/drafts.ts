export const PLAN_DRAFT = 'plan-grading',
  EDIT_DRAFT = 'edit-grading',
  INVITE_DRAFT = 'invite-to-grading'
