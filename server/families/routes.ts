import { familyCreationApi } from '@tatami/contract/families/families'
import { ownFamilyApi } from '@tatami/contract/families/family-home'
import { guardiansApi } from '@tatami/contract/families/guardian-calls'
import { loginsApi } from '@tatami/contract/families/logins'
import type { Sessions } from '../accounts/sessions.ts'
import type { Tx } from '../db/database.ts'
import { type App, type DojoCaller, serve, okReply } from '../http/serve.ts'
import type { Mailer } from '../lib/mail.ts'
import { forgetTypedPhones } from '../texting/departure.ts'
import { listFamilyChanges, makeFamily, undoFamily } from './family-changes.ts'
import { countGuardianNotices } from './guardian-notices.ts'
import {
  deleteGuardian,
  readGuardianById,
  listFamilies,
  updateGuardian,
} from '../guardians/guardian-records.ts'
import { createGuardian, linkGuardian, unlinkGuardian } from '../guardians/guardianships.ts'
import { readFamilyHome } from './home.ts'
import { endLoginOfStudent } from './end-login.ts'
import { recordLoginConsent } from './login-consents.ts'
import { inviteGuardian, inviteStudent, type PreparedInvitation } from './login-invitations.ts'
import { reopenLoginOfStudent } from '../guardians/logins.ts'
import { agreeToGuardian, changeChildContact, listOwnGuardians } from './own-family.ts'
import { previewFamily } from './preview.ts'
import { dismissSuggestion, listSuggestions } from './suggestions.ts'

type FamilyServices = { sessions: Sessions; mail: Mailer; publicUrl: string }

export function familiesRoutes(app: App, services: FamilyServices) {
  const { sessions } = services
  guardiansRoutes(app, services)
  loginsRoutes(app, services)
  ownFamilyRoutes(app)
  serve(app, familyCreationApi, {
    list: ({ tx }) => listFamilies(tx),
    suggestions: ({ tx }) => listSuggestions(tx),
    dismiss: ({ tx, caller, body }) => okReply(dismissSuggestion(tx, caller, body.student_ids)),
    preview: ({ tx, caller, body }) => previewFamily(tx, caller.dojoId, body),
    create: ({ tx, caller, body }) => makeFamily(tx, sessions, caller, body),
    changes: ({ tx }) => listFamilyChanges(tx),
    undo: async ({ tx, caller, params }) =>
      okReply(forgetTypedPhones(tx, await undoFamily(tx, sessions, caller, params.id))),
  })
}

const guardiansRoutes = (app: App, { sessions }: FamilyServices) =>
  serve(app, guardiansApi, {
    createGuardian: async ({ tx, caller, body }) => ({
      guardian: await createGuardian(tx, caller, body),
    }),
    updateGuardian: async ({ tx, caller, params, body }) => ({
      guardian: await updateGuardian(tx, caller, params.id, body),
    }),
    removeGuardian: async ({ tx, caller, params }) =>
      okReply(forgetTypedPhones(tx, await deleteGuardian(tx, sessions, caller, params.id))),
    link: async ({ tx, caller, params, body }) => {
      await linkGuardian(tx, caller, params.id, params.studentId, body)
      return { guardian: await readGuardianById(tx, params.id) }
    },
    notices: ({ tx, params }) => countGuardianNotices(tx, params.id, params.studentId),
    unlink: ({ tx, caller, params }) =>
      okReply(unlinkGuardian(tx, caller, params.id, params.studentId)),
  })

function loginsRoutes(app: App, { sessions, mail, publicUrl }: FamilyServices) {
  const delivery = { mail, publicUrl }
  /** Sends the mail after the commit. */
  async function sendInvitation(
    { dojoId }: DojoCaller,
    prepare: (tx: Tx) => Promise<PreparedInvitation>,
  ) {
    const invitation = await app.db.inDojo(dojoId, prepare)
    if (invitation.mail) mail.send(invitation.mail)
    return invitation.reply
  }
  serve(app, loginsApi, {
    invite: {
      withoutTransaction: ({ caller, params }) =>
        sendInvitation(caller, (tx) => inviteGuardian(tx, caller, params.id, delivery)),
    },
    inviteStudent: {
      withoutTransaction: ({ caller, params, body }) =>
        sendInvitation(caller, (tx) => inviteStudent(tx, caller, params.id, body.email, delivery)),
    },
    reopenLogin: ({ tx, caller, params }) => okReply(reopenLoginOfStudent(tx, caller, params.id)),
    endLogin: ({ tx, caller, params }) =>
      okReply(endLoginOfStudent(tx, sessions, caller, params.id)),
    allowLogin: ({ tx, caller, params, body: { is_allowed: is_given } }) => {
      const consent = { guardian_id: caller.id, is_given }
      return okReply(recordLoginConsent(tx, caller, params.id, consent, 'guardian'))
    },
    recordLoginConsent: ({ tx, caller, params, body }) =>
      okReply(recordLoginConsent(tx, caller, params.id, body, 'school')),
  })
}

const ownFamilyRoutes = (app: App) =>
  serve(app, ownFamilyApi, {
    home: ({ tx, caller, query }) => readFamilyHome(tx, caller, query.student_id),
    changeContact: ({ tx, caller, params, body }) =>
      okReply(changeChildContact(tx, caller, params.id, body)),
    myGuardians: ({ tx, caller }) => listOwnGuardians(tx, caller),
    agree: ({ tx, caller, params, body }) => okReply(agreeToGuardian(tx, caller, params.id, body)),
  })
