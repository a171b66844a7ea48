export const PLAN_DRAFT = 'plan-grading'
export const EDIT_DRAFT = 'edit-grading'
export const INVITE_DRAFT = 'invite-to-grading'
