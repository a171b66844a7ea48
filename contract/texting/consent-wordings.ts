import { CONSENT_AGREEMENT, type ConsentWording } from './consent-agreement.ts'
import {
  CONSENT_WORDING_VERSION,
  ENROLLMENT_WORDING_VERSION,
  JOIN_WORDING_VERSION,
  LOGIN_WORDING_VERSION,
} from './consent-versions.ts'

/** Wordings that people agreed to. They are proof, so a change needs a new version. */
const WORDINGS: Record<string, ConsentWording> = {
  [CONSENT_WORDING_VERSION]: CONSENT_AGREEMENT,
  [JOIN_WORDING_VERSION]: {
    title: 'I agree to text messages',
    opening:
      'The school may text the phone numbers that I give here as mine or my child’s: about ' +
      'fees and payments, classes and their cancellation, and announcements, usually a few ' +
      'messages a month. Message and data rates may apply. I can end them at any time by ' +
      'replying STOP, and get help by replying HELP. I need not agree in order to join.',
  },
  [ENROLLMENT_WORDING_VERSION]: {
    title: 'They agreed to text messages',
    opening:
      'Whoever holds the student’s phone, and the new guardian’s if there is one, has told the ' +
      'school that it may text them: about fees and payments, classes and their cancellation, ' +
      'and announcements. They know that message and data rates may apply, that STOP ends the ' +
      'texts, and that they need not agree in order to train.',
  },
  [LOGIN_WORDING_VERSION]: {
    title: 'I agree that my child may have a login',
    opening:
      'My child is under 13 and may sign in to see their own classes, attendance, belt and ' +
      'announcements. The school keeps what it needs for that, shows it to nobody else, and ' +
      'sends my child no advertising. I can take this back at any time, which signs my child ' +
      'out, and I can ask the school to delete my child’s data.',
  },
}

export const wordingOf = (version: string | null): ConsentWording | undefined =>
  version === null ? undefined : WORDINGS[version]
