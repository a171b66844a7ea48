import { z } from 'zod'
import { personFields, TEXT_MAX } from './bulk-message.ts'
import type { Api } from '../lib/endpoint.ts'
import {
  flag,
  idParams,
  multiLineText,
  pageQuery,
  singleLineText,
  success,
  uuid,
} from '../lib/fields.ts'
import { BATCH_KINDS, SKIP_REASONS } from './message-types.ts'
import { outgoingText } from './outgoing-text.ts'
import { phoneWithPeople, phoneParams, phonesApi, studentPhone } from './phones.ts'
import { KEYWORDS, STOP_REQUESTS, TEXT_STATES } from './text-history.ts'

export const REPLY_COMMANDS = ['out', 'ok'] as const
export type ReplyCommand = (typeof REPLY_COMMANDS)[number]
const replyAction = z.object({
  id: z.uuid(),
  command: z.enum(REPLY_COMMANDS),
  student_id: z.uuid().nullable(),
  student_name: z.string().nullable(),
  class_name: z.string().nullable(),
  class_date: z.string().nullable(),
  undone_at: z.string().nullable(),
})
export type ReplyAction = z.output<typeof replyAction>

const lastMessage = z.object({ direction: z.enum(['in', 'out']), text: z.string(), at: z.string() })
const conversation = z.object({
  id: z.uuid(),
  ...phoneWithPeople,
  unread_count: z.number(),
  /** When a text from the phone asked to stop the texts. Null once an instructor has decided. */
  stop_asked_at: z.string().nullable(),
  last: lastMessage.nullable(),
})
export type Conversation = z.output<typeof conversation>

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
  sender_name: z.string().nullable(),
  keyword: z.enum(KEYWORDS).nullable(),
  /** Set if the text seems to ask for no more texts. An instructor decides. */
  stop_request: z.enum(STOP_REQUESTS).nullable(),
  actions: z.array(replyAction),
  is_read: z.boolean(),
})
export type ThreadText = z.output<typeof threadText>

/** The field that confirms a text to students on vacation. Without it, the server returns 409. */
export const EVEN_ON_VACATION = 'even_on_vacation'
export const evenOnVacation = { [EVEN_ON_VACATION]: flag('Even on vacation').nullish() }

const MAX_STUDENTS = 50
const newText = outgoingText('Message', TEXT_MAX)
const simulatedReply = multiLineText('Message', TEXT_MAX)
export const textsToStudents = z.object({
  student_ids: z
    .array(uuid('Student'), { error: 'Students are not valid' })
    .min(1, 'Student is required')
    .max(MAX_STUDENTS, `At most ${MAX_STUDENTS} students`),
  text: newText,
  ...evenOnVacation,
})
export const sentTexts = success.extend({
  batch_id: z.uuid(),
  total_recipients: z.number(),
  total_texts: z.number(),
  skipped: z.array(z.object({ ...personFields, reason: z.enum(SKIP_REASONS) })),
})

export const TEMPLATES_MAX = 50
export const messageTemplate = z.object({ name: singleLineText('Name', 60), text: newText })
const storedTemplate = messageTemplate.extend({ id: z.uuid() })
export type MessageTemplate = z.output<typeof storedTemplate>

const replySettings = z.object({ out_enabled: flag('OUT'), ok_enabled: flag('OK') })
export type ReplySettings = z.output<typeof replySettings>

const personWithPhones = z.object({
  ...personFields,
  phone_number: z.string().nullable(),
  /** Phones of guardians, and phones that an instructor has linked. */
  other_phones: z.array(z.object({ phone_number: z.string(), holder_name: z.string().nullable() })),
})
export type PersonWithPhones = z.output<typeof personWithPhones>

export const conversationsApi = {
  ...phonesApi,
  conversations: {
    method: 'GET',
    path: '/sms/conversations',
    access: 'instructor',
    right: 'texts.read',
    summary:
      'Conversations, one per phone: possible stop requests first, then those with unread ' +
      'texts, then the newest',
    query: pageQuery,
    reply: z.array(conversation),
  },
  thread: {
    method: 'GET',
    path: '/sms/conversations/:phone/messages',
    access: 'instructor',
    right: 'texts.read',
    summary: 'All texts to and from a phone, newest first',
    params: phoneParams,
    query: pageQuery,
    reply: z.array(threadText),
  },
  reply: {
    method: 'POST',
    path: '/sms/conversations/:phone/messages',
    access: 'instructor',
    right: 'texts.send',
    summary:
      'Text a phone, and mark its texts up to `up_to` as read. 409 if the phone gets no texts, ' +
      'or if all of its students are on vacation, unless `even_on_vacation`. A repeated ' +
      'Idempotency-Key gets the first response',
    idempotent: true,
    params: phoneParams,
    body: z.object({
      text: newText,
      /** The newest text on the screen. Later ones stay unread. */
      up_to: uuid('Message').nullish(),
      ...evenOnVacation,
    }),
    reply: sentTexts,
  },
  setRead: {
    method: 'PUT',
    path: '/sms/conversations/:phone/read',
    access: 'instructor',
    right: 'texts.read',
    summary: 'Mark the texts from a phone as read, or the newest one as unread',
    params: phoneParams,
    body: z.object({
      is_read: flag('Read'),
      /** The newest text on the screen. Later ones stay unread. */
      up_to: uuid('Message').nullish(),
    }),
    reply: success,
  },
  people: {
    method: 'GET',
    path: '/sms/people',
    access: 'instructor',
    right: 'texts.read',
    summary:
      'All students by name, with their own phone and those of guardians and of other people ' +
      'linked to them',
    reply: z.array(personWithPhones),
  },
  studentPhones: {
    method: 'GET',
    path: '/students/:id/phones',
    access: 'instructor',
    right: 'students.contact',
    summary: 'The phones that get texts about a student',
    params: idParams,
    reply: z.array(studentPhone),
  },
  textStudents: {
    method: 'POST',
    path: '/sms/messages',
    access: 'instructor',
    right: 'texts.send',
    summary:
      `Text up to ${MAX_STUDENTS} students, one text per phone. 409 if one of them is on ` +
      'vacation, unless `even_on_vacation`. A repeated Idempotency-Key gets the first response',
    idempotent: true,
    body: textsToStudents,
    reply: sentTexts,
  },
  undoAction: {
    method: 'PUT',
    path: '/sms/reply-actions/:id/undo',
    access: 'instructor',
    right: 'texts.send',
    summary: 'Undo the action of a reply. Undoing it again changes nothing',
    params: idParams,
    reply: success,
  },
  replySettings: {
    method: 'GET',
    path: '/sms/reply-settings',
    access: 'instructor',
    right: 'texts.read',
    summary: 'Whether the replies OUT and OK are on',
    reply: replySettings,
  },
  setReplySettings: {
    method: 'PUT',
    path: '/sms/reply-settings',
    access: 'instructor',
    right: 'settings',
    summary: 'Turn the replies OUT and OK on or off',
    body: replySettings,
    reply: success.extend(replySettings.shape),
  },
  templates: {
    method: 'GET',
    path: '/sms/templates',
    access: 'instructor',
    right: 'texts.send',
    summary: 'The templates, by name',
    reply: z.array(storedTemplate),
  },
  addTemplate: {
    method: 'POST',
    path: '/sms/templates',
    access: 'instructor',
    right: 'texts.send',
    summary: 'Add a template',
    idempotent: true,
    body: messageTemplate,
    reply: storedTemplate,
  },
  changeTemplate: {
    method: 'PUT',
    path: '/sms/templates/:id',
    access: 'instructor',
    right: 'texts.send',
    summary: 'Change a template',
    params: idParams,
    body: messageTemplate,
    reply: storedTemplate,
  },
  removeTemplate: {
    method: 'DELETE',
    path: '/sms/templates/:id',
    access: 'instructor',
    right: 'texts.send',
    summary: 'Delete a template',
    params: idParams,
    reply: success,
  },
  answerSimulated: {
    method: 'POST',
    path: '/sms/simulated/:id/answer',
    access: 'instructor',
    right: 'texts.send',
    summary:
      'Answer a simulated text as if from its phone. `answer` is the immediate reply to STOP, ' +
      'START or HELP, and null for other texts. OUT and OK are answered by a separate text',
    idempotent: true,
    params: idParams,
    body: z.object({ text: simulatedReply }),
    reply: success.extend({ answer: z.string().nullable() }),
  },
  writeSimulated: {
    method: 'POST',
    path: '/sms/simulated/incoming',
    access: 'instructor',
    right: 'texts.send',
    summary:
      'Send a text as if from a phone, while texts are simulated. `answer` is the immediate ' +
      'reply to STOP, START or HELP, and null for other texts. OUT and OK are answered by a ' +
      'separate text',
    idempotent: true,
    body: z.object({ phone_number: singleLineText('Phone number', 30), text: simulatedReply }),
    reply: success.extend({ phone_number: z.string(), answer: z.string().nullable() }),
  },
} as const satisfies Api
