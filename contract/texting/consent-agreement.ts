export type ConsentWording = {
  title: string
  opening: string
  points?: readonly (readonly [about: string, text: string])[]
  closing?: string
}

export const CONSENT_AGREEMENT: ConsentWording = {
  title: 'Text Message Consent',
  opening:
    'By signing, you agree that the martial-arts school of the sensei you name may send text ' +
    'messages, through Tatami, to the phone number you give.',
  points: [
    [
      'What they are about:',
      'fees and payments, classes and their cancellation, and announcements of the school.',
    ],
    ['How often:', 'as the school needs it, usually a few messages a month.'],
    ['What it costs:', 'message and data rates may apply.'],
    [
      'To end it:',
      'reply STOP to any message, and no more will come. Reply START to get them again.',
    ],
    ['For help:', 'reply HELP to any message, or ask your sensei.'],
  ],
  closing:
    'You need not agree in order to buy anything. We keep this agreement, with its date and ' +
    'the IP address it came from, as proof that you gave it.',
}
