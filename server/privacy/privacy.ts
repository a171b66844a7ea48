import type { PrivacyNotice } from '@tatami/contract/privacy/privacy'

export type RetainedData = { description: string; days: number }

export type PrivacySettings = {
  retainedData: readonly RetainedData[]
  sendsTexts: boolean
  sendsMail: boolean
  makesBackups: boolean
  logDays: number
}

type KeptData = PrivacyNotice['kept'][number]
type Recipient = PrivacyNotice['recipients'][number]

const SCHOOL_DATA: KeptData[] = [
  {
    what:
      'Students and guardians: names, birthdays, contacts, photos, classes, attendance, ' +
      'belts, notes and messages',
    how_long: 'Until the school deletes them. Ask your school to see, correct or delete yours.',
  },
  {
    what:
      'What the school wrote to several people or for itself, such as group texts and ' +
      'templates',
    how_long:
      'Until the school deletes them. After a student is deleted, announcements say “a ' +
      'former student” instead of the full name. Everything else stays as it was written.',
  },
  {
    what: 'Payments',
    how_long:
      'As long as the school needs them for its books. After a student is deleted, only ' +
      'dates, amounts, methods and receipt numbers stay, without a name.',
  },
  {
    what: 'Signed documents',
    how_long:
      'Until the school deletes the student. Signed waivers stay longer, without contacts: usually ' +
      'until two years after the 20th birthday, or as many years after the last class as the ' +
      'school decides.',
  },
  {
    what: 'People who booked a trial or asked about the school',
    how_long:
      'Until they ask the school to delete it. Otherwise until nothing has happened for 6, 12 or ' +
      '24 months, as the school decides.',
  },
  {
    what: 'Hours and pay of the staff',
    how_long: 'As long as the school needs them for its books, also after somebody has left.',
  },
  {
    what: 'That a student left',
    how_long:
      'As long as the school exists: the month, the belt and the month of joining, without a name.',
  },
  {
    what: 'Who changed what, and when',
    how_long:
      'As proof for as long as the school exists. It shows the names of people at the ' +
      'school, and the email addresses of accounts to the people who run this server. Both ' +
      'disappear when the person or the account is deleted. It has no phone numbers and ' +
      'no messages.',
  },
  {
    what: 'Who agreed to text messages',
    how_long:
      'As proof for as long as the school exists. After a student is deleted, only a ' +
      'code made from the phone number is kept, not the number.',
  },
]

const PEOPLE: Recipient[] = [
  { who: 'Your school’s instructors', what: 'Everything about their students' },
  { who: 'Parents and guardians', what: 'What the school shows them about their own children' },
  { who: 'The people who run this server', what: 'All data on it, to keep it working' },
]

const TEXT_SERVICE: Recipient = {
  who: 'Twilio, which delivers text messages',
  what: 'Phone numbers and the text messages',
}
const MAIL_SERVICE: Recipient = {
  who: 'The mail service of this server',
  what: 'Email addresses and the emails it sends',
}
const PUSH_SERVICES: Recipient = {
  who: 'The maker of your browser, if you turn on push notifications',
  what: 'That there is a notification. Its text is encrypted.',
}
const NOBODY_ELSE: Recipient = {
  who: 'Nobody else',
  what: 'No advertising, no tracking, and nothing is sold.',
}

const BACKUPS: KeptData = {
  what: 'Nightly backups of all of this',
  how_long: 'Seven days, four weeks and twelve months',
}

const REQUESTS =
  'Requests to this server, in its log: when, for what, and from which internet address'

const formatDays = (days: number) => (days === 1 ? '1 day' : `${days} days`)

export function buildPrivacyNotice(settings: PrivacySettings): PrivacyNotice {
  const { retainedData, sendsTexts, sendsMail, makesBackups, logDays } = settings
  const keptData = [
    ...SCHOOL_DATA,
    ...retainedData.map(({ description, days }) => ({
      what: description,
      how_long: formatDays(days),
    })),
    { what: REQUESTS, how_long: formatDays(logDays) },
  ]
  const services = [
    ...(sendsTexts ? [TEXT_SERVICE] : []),
    ...(sendsMail ? [MAIL_SERVICE] : []),
    PUSH_SERVICES,
  ]
  return {
    kept: makesBackups ? [...keptData, BACKUPS] : keptData,
    recipients: [...PEOPLE, ...services, NOBODY_ELSE],
  }
}
