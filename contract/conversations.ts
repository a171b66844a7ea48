import { z } from 'zod'
import { person, TEXT_MAX } from './bulk-message.ts'
import type { Api } from './endpoint.ts'
import { clearable, flag, idParams, multiLineText, oneOf, pageQuery, singleLineText, success, uuid } from './fields.ts'
import { BATCH_KINDS, SKIP_REASONS } from './message-types.ts'
import { studentPhone } from './student-phones.ts'
import { KEYWORDS, TEXT_STATES } from './text-history.ts'

/** A phone number as the texts have it (E.164): +15125550142. */
const e164 = z.string({ error: 'Phone number is not valid' }).regex(/^\+[1-9]\d{6,14}$/, 'Phone number is not valid')
const phoneParams = z.object({ phone: e164 })

/** Whose phone it is: the student's own, a guardian's, or one that an instructor has linked to the student. */
export const HOLDERS = ['student', 'guardian', 'linked'] as const
const holder = z.object({
  ...person,
  holder: z.enum(HOLDERS),
  /** Who answers it, where that is not the student. */
  holder_name: z.string().nullable(),
})
export type Holder = z.output<typeof holder>

/** What a phone may be texted about. */
export const CONSENT_TOPICS = ['dues', 'classes', 'promotions'] as const
/** Where a consent, or its end, comes from; `paper` is one that the instructor keeps. */
export const CONSENT_SOURCES = ['form', 'enrolment', 'START', 'paper', 'STOP', 'instructor'] as const
const consent = z.object({
  id: z.uuid(),
  event: z.enum(['given', 'revoked']),
  source: z.enum(CONSENT_SOURCES),
  given_by: z.string().nullable(),
  topics: z.array(z.enum(CONSENT_TOPICS)),
  wording_version: z.string().nullable(),
  at: z.string(),
})
export type TextConsent = z.output<typeof consent>

export const REPLY_COMMANDS = ['out', 'ok'] as const
export type ReplyCommand = (typeof REPLY_COMMANDS)[number]
/** What a reply has done: a student is excused from a class on a day, or a cancellation is acknowledged. */
const replyAction = z.object({
  id: z.uuid(),
  command: z.enum(REPLY_COMMANDS),
  student_name: z.string().nullable(),
  class_name: z.string().nullable(),
  class_date: z.string().nullable(),
  undone_at: z.string().nullable(),
})
export type ReplyAction = z.output<typeof replyAction>

const lastMessage = z.object({ direction: z.enum(['in', 'out']), text: z.string(), at: z.string() })
const phoneOfPeople = { phone_number: z.string(), people: z.array(holder) }
const conversation = z.object({
  id: z.uuid(),
  ...phoneOfPeople,
  unread_count: z.number(),
  last: lastMessage.nullable(),
})
export type Conversation = z.output<typeof conversation>

const phoneInfo = z.object({
  ...phoneOfPeople,
  /** Since when the phone gets no texts, by its own STOP. */
  opted_out_at: z.string().nullable(),
  /** Newest first. */
  consents: z.array(consent),
})
export type PhoneInfo = z.output<typeof phoneInfo>

/** One text of a conversation. `in` is what the phone wrote; `out` went to it, with its state. */
const threadText = z.object({
  id: z.uuid(),
  direction: z.enum(['in', 'out']),
  at: z.string(),
  text: z.string(),
  kind: z.enum(BATCH_KINDS).nullable(),
  batch_id: z.uuid().nullable(),
  state: z.enum(TEXT_STATES).nullable(),
  reason: z.string().nullable(),
  may_send_again: z.boolean(),
  /** The instructor who wrote it. */
  sender_name: z.string().nullable(),
  keyword: z.enum(KEYWORDS).nullable(),
  actions: z.array(replyAction),
  is_read: z.boolean(),
})
export type ThreadText = z.output<typeof threadText>

const text = multiLineText('Message', TEXT_MAX)
const sentTexts = success.extend({
  batch_id: z.uuid(),
  total_recipients: z.number(),
  total_texts: z.number(),
  skipped: z.array(z.object({ ...person, reason: z.enum(SKIP_REASONS) })),
})

export const TEMPLATES_MAX = 50
export const messageTemplate = z.object({ name: singleLineText('Name', 60), text })
const storedTemplate = messageTemplate.extend({ id: z.uuid() })
export type MessageTemplate = z.output<typeof storedTemplate>

export const phoneLinkForm = z.object({ student_id: uuid('Student'), holder_name: clearable(singleLineText('Name', 100)) })
export const consentRecord = z.object({ event: oneOf('Event', ['given', 'revoked']), given_by: singleLineText('Name', 100) })

const replySettings = z.object({ out_enabled: flag('OUT'), ok_enabled: flag('OK') })
export type ReplySettings = z.output<typeof replySettings>

export const conversationsApi = {
  conversations: {
    method: 'GET',
    path: '/sms/conversations',
    access: 'instructor',
    summary: 'The phones that somebody has written from or to, the unread first, then the newest',
    query: pageQuery,
    reply: z.array(conversation),
  },
  phone: {
    method: 'GET',
    path: '/sms/phones/:phone',
    access: 'instructor',
    summary: 'Whose phone it is, whether it gets texts, and who agreed to them when',
    params: phoneParams,
    reply: phoneInfo,
  },
  thread: {
    method: 'GET',
    path: '/sms/conversations/:phone/messages',
    access: 'instructor',
    summary: 'All that went to a phone and came from it, newest first',
    params: phoneParams,
    query: pageQuery,
    reply: z.array(threadText),
  },
  reply: {
    method: 'POST',
    path: '/sms/conversations/:phone/messages',
    access: 'instructor',
    summary: 'Write to a phone; a repeated Idempotency-Key gets the first answer',
    idempotent: true,
    params: phoneParams,
    body: z.object({
      text,
      /** The newest text that was on the screen; what has come since stays unread. */
      up_to: uuid('Message').nullish(),
    }),
    reply: sentTexts,
  },
  setRead: {
    method: 'PUT',
    path: '/sms/conversations/:phone/read',
    access: 'instructor',
    summary: 'Mark what the phone wrote as read, or the newest of it as unread',
    params: phoneParams,
    body: z.object({
      is_read: flag('Read'),
      /** The newest text that was on the screen; what has come since stays unread. */
      up_to: uuid('Message').nullish(),
    }),
    reply: success,
  },
  link: {
    method: 'PUT',
    path: '/sms/conversations/:phone/student',
    access: 'instructor',
    summary: 'Say whose phone an unknown number is',
    params: phoneParams,
    body: phoneLinkForm,
    reply: phoneInfo,
  },
  unlink: {
    method: 'DELETE',
    path: '/sms/conversations/:phone/student',
    access: 'instructor',
    summary: 'Take the link of a number to a student back',
    params: phoneParams,
    query: z.object({ student_id: uuid('Student') }),
    reply: phoneInfo,
  },
  addConsent: {
    method: 'POST',
    path: '/sms/phones/:phone/consents',
    access: 'instructor',
    summary: 'Record that somebody agreed to texts on paper, or no longer does',
    idempotent: true,
    params: phoneParams,
    body: consentRecord,
    reply: phoneInfo,
  },
  people: {
    method: 'GET',
    path: '/sms/people',
    access: 'instructor',
    summary: 'The students by name with their own phone, to choose whom to text',
    reply: z.array(z.object({ ...person, phone_number: z.string().nullable() })),
  },
  studentPhones: {
    method: 'GET',
    path: '/students/:id/phones',
    access: 'instructor',
    summary: 'The phones that a text about a student goes to',
    params: idParams,
    reply: z.array(studentPhone),
  },
  textStudents: {
    method: 'POST',
    path: '/sms/messages',
    access: 'instructor',
    summary: 'Text some students, one text for each phone; a repeated Idempotency-Key gets the first answer',
    idempotent: true,
    body: z.object({
      student_ids: z
        .array(uuid('Student'), { error: 'Students are not valid' })
        .min(1, 'Student is required')
        .max(50, 'At most 50 students'),
      text,
    }),
    reply: sentTexts,
  },
  undoAction: {
    method: 'PUT',
    path: '/sms/reply-actions/:id/undo',
    access: 'instructor',
    summary: 'Take back what a reply has done; again changes nothing',
    params: idParams,
    reply: success,
  },
  replySettings: {
    method: 'GET',
    path: '/sms/reply-settings',
    access: 'instructor',
    summary: 'Which words of a reply do something',
    reply: replySettings,
  },
  setReplySettings: {
    method: 'PUT',
    path: '/sms/reply-settings',
    access: 'instructor',
    summary: 'Switch the words that do something',
    body: replySettings,
    reply: success.extend(replySettings.shape),
  },
  templates: {
    method: 'GET',
    path: '/sms/templates',
    access: 'instructor',
    summary: 'Texts to start from, by name',
    reply: z.array(storedTemplate),
  },
  addTemplate: {
    method: 'POST',
    path: '/sms/templates',
    access: 'instructor',
    summary: 'Keep a text to start from',
    idempotent: true,
    body: messageTemplate,
    reply: storedTemplate,
  },
  changeTemplate: {
    method: 'PUT',
    path: '/sms/templates/:id',
    access: 'instructor',
    summary: 'Change a text to start from',
    params: idParams,
    body: messageTemplate,
    reply: storedTemplate,
  },
  removeTemplate: {
    method: 'DELETE',
    path: '/sms/templates/:id',
    access: 'instructor',
    summary: 'Delete a text to start from',
    params: idParams,
    reply: success,
  },
  answerSimulated: {
    method: 'POST',
    path: '/sms/simulated/:id/answer',
    access: 'instructor',
    summary: 'Answer a simulated text as from its phone; `answer` is what the phone is told, null for nothing',
    idempotent: true,
    params: idParams,
    body: z.object({ text }),
    reply: success.extend({ answer: z.string().nullable() }),
  },
  writeSimulated: {
    method: 'POST',
    path: '/sms/simulated/incoming',
    access: 'instructor',
    summary: 'Write as from a phone while texts are simulated; `answer` is what the phone is told, null for nothing',
    idempotent: true,
    body: z.object({ phone_number: singleLineText('Phone number', 30), text }),
    reply: success.extend({ phone_number: z.string(), answer: z.string().nullable() }),
  },
} as const satisfies Api
