/** The current versions of the wordings that people agree to (consent-wordings.ts). */
export const CONSENT_WORDING_VERSION = '2026-11-21'
export const JOIN_WORDING_VERSION = 'join-2026-11-22' as const
export const LOGIN_WORDING_VERSION = 'log-in-2026-11-26' as const
export const ENROLLMENT_WORDING_VERSION = 'enrolment-2026-11-22' as const

/** Versions that the server accepts. A page that was opened before an update sends an earlier one. */
export const JOIN_WORDINGS = [JOIN_WORDING_VERSION] as const
export const ENROLLMENT_WORDINGS = [ENROLLMENT_WORDING_VERSION] as const
