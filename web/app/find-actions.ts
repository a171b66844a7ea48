import { exportsApi } from '@tatami/contract/exports/exports'
import { schoolBeltTestName } from '../lib/belt-test.ts'
import { PATHS } from '../lib/paths.ts'
import type { Action } from './find.ts'

const PAYMENT_WORDS = 'pay cash check card money receive owe overdue late debt'

/** This is a function, because one title contains the school's word for a belt test. */
export const listActions = (): Action[] => [
  {
    title: 'Enroll a student',
    right: 'students.edit',
    path: `${PATHS.students}?open=enroll`,
    words: 'new add sign up member trial child',
  },
  {
    title: 'Import a list of students',
    path: PATHS.importStudents,
    words: 'upload excel spreadsheet csv switch gymdesk',
  },
  {
    title: 'Mark attendance',
    path: `${PATHS.attendance}?class=next`,
    words: 'roll present absent check in',
  },
  {
    title: 'Promote students',
    right: 'belts.promote',
    path: PATHS.readyForTest,
    words: 'promotion stripe next belt rank ready',
  },
  {
    title: `Plan a ${schoolBeltTestName().singular}`,
    right: 'belts.promote',
    path: PATHS.gradings,
    words: 'belt test grading exam promotion invite certificate',
  },
  {
    title: 'Students at risk',
    path: PATHS.slippingAway,
    words: 'missing quit leave inactive retention',
  },
  {
    title: 'Students on vacation',
    path: `${PATHS.students}?filter=vacation`,
    words: 'pause hold freeze away',
  },
  {
    title: 'Put a student on vacation',
    right: 'students.edit',
    path: PATHS.students,
    words: 'pause hold freeze away',
    details: 'Open the student, then Vacation',
  },
  {
    title: 'Students who left',
    path: `${PATHS.students}?filter=former`,
    words: 'former quit leave past inactive gone return come back re-enroll',
  },
  {
    title: 'Mark a student as left',
    right: 'students.edit',
    path: PATHS.students,
    words: 'quit leave cancel membership former stop remove',
    details: 'Open the student, then Edit, then Mark as Left',
  },
  { title: 'Students on trial', path: `${PATHS.students}?filter=trial`, words: 'try' },
  {
    title: 'Add a lead',
    right: 'students.edit',
    path: PATHS.leads,
    words: 'prospect inquiry interested trial call back',
  },
  {
    title: 'Follow up on new students',
    right: 'students.read',
    path: PATHS.followups,
    words: 'first 90 days onboarding plan welcome retention new student call',
  },
  {
    title: 'Create a family',
    right: 'students.edit',
    path: PATHS.families,
    words: 'parent guardian mother father mom dad sibling household',
  },
  {
    title: 'Cancel or move a class',
    right: 'schedule',
    path: PATHS.schedule,
    words: 'weather snow closed substitute calendar timetable this week',
  },
  { title: 'Add a holiday', path: PATHS.holidays, words: 'closed break vacation day off' },
  { title: 'Add a class', path: PATHS.classCenter, words: 'new timetable times places' },
  {
    title: 'Take a payment',
    right: ['money.take', 'money.see'],
    path: PATHS.owing,
    words: PAYMENT_WORDS,
  },
  // Staff who may not see who owes take payments in the Payment Center.
  { title: 'Take a payment', right: 'money.take', path: PATHS.paymentCenter, words: PAYMENT_WORDS },
  { title: 'Mark students paid', path: PATHS.paymentCenter, words: 'fee tuition unpaid month' },
  {
    title: 'Refund a payment',
    right: 'money.give_back',
    path: PATHS.paymentCenter,
    words: 'money back return write off charge credit undo',
    details: 'Open the student, then “…” next to Take payment',
  },
  { title: 'Print or send a receipt', path: PATHS.receipts, words: 'invoice bill' },
  { title: 'Count the cash', path: PATHS.cashCount, words: 'till drawer register close' },
  {
    title: 'Send figures to your bookkeeper',
    right: exportsApi.bookkeeping.right,
    path: PATHS.paymentFigures,
    words: 'accountant tax revenue income money report export',
  },
  {
    title: 'Text a student',
    right: 'texts.send',
    path: PATHS.conversations,
    words: 'sms message write parent reply answer chat conversation',
  },
  {
    title: 'Special Message',
    right: 'texts.send',
    path: `${PATHS.messageCenter}?open=special_announcement`,
    words: 'text announcement compose everyone class send news',
  },
  {
    title: 'Weather Cancellation',
    right: 'texts.send',
    path: `${PATHS.messageCenter}?open=weather_cancel`,
    words: 'text snow closed cancel compose',
  },
  {
    title: 'Monthly Fee Reminder',
    right: ['texts.send', 'money.see'],
    path: `${PATHS.messageCenter}?open=monthly_fee`,
    words: 'text dues tuition compose',
  },
  {
    title: 'Late Fee Reminder',
    right: ['texts.send', 'money.see'],
    path: `${PATHS.messageCenter}?open=late_fee`,
    words: 'text overdue past due compose',
  },
  {
    title: 'Invite link',
    right: 'students.edit',
    path: `${PATHS.school}?open=invite`,
    words: 'invitation qr code join sign up link',
  },
  {
    title: 'Invite staff',
    path: PATHS.staff,
    words: 'employee coach assistant instructor helper permission right role team user access',
  },
  { title: 'Add your hours', path: PATHS.hours, words: 'work shift time clock class taught' },
  {
    title: 'Staff pay',
    path: PATHS.pay,
    words: 'hours wage salary rate payroll approve period employee',
  },
  {
    title: 'My certificates',
    path: PATHS.myCertificates,
    words: 'first aid cpr safesport background check course expire',
  },
  { title: 'Set up texting', path: PATHS.smsSetup, words: 'twilio sms phone number' },
  { title: 'Set up a kiosk', path: PATHS.kiosks, words: 'tablet ipad check in door pin' },
  {
    title: 'Set up belts',
    path: PATHS.belts,
    words: 'rank ladder stripe requirement curriculum template style',
  },
  {
    title: 'Plans and prices',
    path: PATHS.plans,
    words: 'membership contract package class pack subscription tuition sell offer',
  },
  {
    title: 'Sibling prices',
    right: ['money.see', 'settings'],
    path: `${PATHS.school}?open=prices`,
    words: 'discount family price fee',
  },
  {
    title: 'School name and address',
    right: 'settings',
    path: `${PATHS.school}?open=settings`,
    words: 'settings email phone dojo time zone change password',
  },
  {
    title: 'School logo and color',
    right: 'settings',
    path: `${PATHS.school}?open=look`,
    words: 'picture brand design photo',
  },
  {
    title: 'Classes in your calendar',
    path: `${PATHS.school}?open=calendar`,
    words: 'ical google apple outlook subscribe feed',
  },
  {
    title: 'Download everything',
    right: exportsApi.everything.right,
    path: `${PATHS.school}?open=data`,
    words: 'backup export data csv zip save copy',
  },
  {
    title: 'See where you are logged in',
    path: PATHS.security,
    words: 'passkey two factor authenticator session sign in password',
  },
]

/** Answers to searches for something that Tatami has no screen for. */
export const ANSWERS = [
  {
    words: 'dark light mode theme night colors appearance',
    answer: 'Dark mode follows your device. Change it in your device’s display settings.',
  },
]
