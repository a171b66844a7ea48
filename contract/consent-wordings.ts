/** The words in which somebody agrees to texts. `points` are read as a list between the other two. */
export type ConsentWording = {
  title: string
  opening: string
  points?: readonly (readonly [about: string, text: string])[]
  closing?: string
}

/** What the consent form, the join page and the enrolment form show now; its version is stored with each consent. */
export const CONSENT_WORDING_VERSION = '2026-11-21'
export const JOIN_WORDING_VERSION = 'join-2026-11-22' as const
export const ENROLMENT_WORDING_VERSION = 'enrolment-2026-11-22' as const

/** The versions that a call may name, the current one last: a page that was opened before an update sends the words that it showed. */
export const JOIN_WORDINGS = [JOIN_WORDING_VERSION] as const
export const ENROLMENT_WORDINGS = [ENROLMENT_WORDING_VERSION] as const

/** Every wording that anybody has agreed to, by version. They are proof, so none is ever changed: other words are another version. */
const WORDINGS: Record<string, ConsentWording> = {
  [CONSENT_WORDING_VERSION]: {
    title: 'Text Message Consent',
    opening:
      'By signing, you agree that the martial-arts school of the sensei you name may send text messages, through Tatami, to the phone number you give.',
    points: [
      ['What they are about:', 'fees and payments, classes and their cancellation, and announcements of the school.'],
      ['How often:', 'as the school needs it, usually a few messages a month.'],
      ['What it costs:', 'message and data rates may apply.'],
      ['To end it:', 'reply STOP to any message, and no more will come. Reply START to get them again.'],
      ['For help:', 'reply HELP to any message, or ask your sensei.'],
    ],
    closing:
      'You need not agree in order to buy anything. We keep this agreement, with its date and the IP address it came from, as proof that you gave it.',
  },
  [JOIN_WORDING_VERSION]: {
    title: 'I agree to text messages',
    opening:
      'The school may text the phone numbers that I give here as mine or my child’s: about fees and payments, classes and their cancellation, and announcements, usually a few messages a month. Message and data rates may apply. I can end them at any time by replying STOP, and get help by replying HELP. I need not agree in order to join.',
  },
  [ENROLMENT_WORDING_VERSION]: {
    title: 'They agreed to text messages',
    opening:
      'Whoever holds the student’s phone, and the new guardian’s if there is one, has told the school that it may text them: about fees and payments, classes and their cancellation, and announcements. They know that message and data rates may apply, that STOP ends the texts, and that they need not agree in order to train.',
  },
}

/** The words of a version; undefined for none, as of a consent on paper. */
export const wordingOf = (version: string | null): ConsentWording | undefined => (version === null ? undefined : WORDINGS[version])
