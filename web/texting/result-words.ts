import type { Result } from './use-result.ts'

/** `what` is the name of the message, as the banner says it. */
export const succeeded = (what: string, recipients: number): Result => ({
  ok: true,
  title: `${what} sent successfully!`,
  text: `Sent to ${recipients} students`,
})
export const failed = (what: string, why: string): Result => ({ ok: false, title: `Failed to send ${what}`, text: why })
