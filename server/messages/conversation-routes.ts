import { conversationsApi } from '@tatami/contract/texting/conversations'
import { auditAction } from '../audit/audit.ts'
import { type App, SUCCESS, serve, okReply } from '../http/serve.ts'
import { recordTextConsent } from '../texting/consents.ts'
import { providerOfDojo, type Texting } from '../texting/service.ts'
import { changeAuditedSettings, readTextSettings } from '../texting/settings.ts'
import { undoAction } from './commands.ts'
import {
  listConversations,
  readPhoneInfo,
  requirePhone,
  setRead,
  readThread,
} from '../texting/conversations/conversations.ts'
import { answerSimulated, writeSimulated } from './incoming.ts'
import { notifyOfAnswer } from './own-school-messages.ts'
import {
  linkPhone,
  linkPhoneToGuardian,
  unlinkPhone,
  unlinkPhoneFromGuardian,
} from '../texting/conversations/links.ts'
import {
  listPeople,
  replyToPhone,
  listTextedPhones,
  textStudents,
} from '../texting/conversations/replies.ts'
import {
  closeStopRequest,
  decideStopRequest,
  undoStopDecision,
} from '../texting/conversations/stop-requests.ts'
import {
  addTemplate,
  changeTemplate,
  listTemplates,
  removeTemplate,
} from '../texting/conversations/templates.ts'

export function conversationsRoutes(app: App, texting: Texting) {
  serve(app, conversationsApi, {
    conversations: ({ tx, caller, query }) => listConversations(tx, caller, query),
    phone: ({ tx, params }) => readPhoneInfo(tx, params.phone),
    thread: ({ tx, caller, params, query }) => readThread(tx, caller, params.phone, query),
    reply: async ({ tx, caller, params: { phone }, body }) => {
      const result = await replyToPhone(tx, caller, phone, body)
      await notifyOfAnswer(tx, caller.dojoId, phone, body.text)
      return result
    },
    setRead: ({ tx, params, body }) => okReply(setRead(tx, params.phone, body.is_read, body.up_to)),
    link: ({ tx, caller, params, body }) => linkPhone(tx, caller, params.phone, body),
    unlink: ({ tx, caller, params, query }) =>
      unlinkPhone(tx, caller, params.phone, query.student_id),
    linkGuardian: ({ tx, caller, params, body }) =>
      linkPhoneToGuardian(tx, caller, params.phone, body),
    unlinkGuardian: ({ tx, caller, params, query }) =>
      unlinkPhoneFromGuardian(tx, caller, params.phone, query.guardian_id),
    addConsent: async ({ tx, caller, params: { phone }, body: { event, given_by } }) => {
      await requirePhone(tx, phone)
      await recordTextConsent(tx, {
        phone,
        event,
        given_by,
        source: event === 'given' ? 'paper' : 'instructor',
        recorded_by: caller.id,
      })
      await closeStopRequest(tx, phone, event)
      await auditAction(tx, caller, 'text consent recorded', { details: { event } })
      return readPhoneInfo(tx, phone)
    },
    decideStopRequest: ({ tx, caller, params, body }) =>
      decideStopRequest(tx, caller, params.phone, body.ends_texts),
    undoStopDecision: ({ tx, caller, params }) => undoStopDecision(tx, caller, params.phone),
    people: ({ tx }) => listPeople(tx),
    studentPhones: ({ tx, params }) => listTextedPhones(tx, params.id),
    textStudents: ({ tx, caller, body }) => textStudents(tx, caller, body.student_ids, body),
    undoAction: ({ tx, params }) => okReply(undoAction(tx, params.id)),
    replySettings: ({ tx }) => readTextSettings(tx),
    setReplySettings: ({ tx, caller, body }) =>
      okReply(changeAuditedSettings(tx, caller, 'reply words switched', body, body), body),
    templates: ({ tx }) => listTemplates(tx),
    addTemplate: ({ tx, body }) => addTemplate(tx, body),
    changeTemplate: ({ tx, params, body }) => changeTemplate(tx, params.id, body),
    removeTemplate: ({ tx, caller, params }) => okReply(removeTemplate(tx, caller, params.id)),
    answerSimulated: async ({ tx, caller: { dojoId }, params, body }) => {
      const provider = await providerOfDojo(tx, texting, dojoId)
      return {
        ...SUCCESS,
        answer: await answerSimulated(tx, dojoId, provider, params.id, body.text),
      }
    },
    writeSimulated: async ({ tx, caller: { dojoId }, body }) => {
      const provider = await providerOfDojo(tx, texting, dojoId)
      return {
        ...SUCCESS,
        ...(await writeSimulated(tx, dojoId, provider, body.phone_number, body.text)),
      }
    },
  })
}
