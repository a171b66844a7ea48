import { documentsApi } from '@tatami/contract/documents/documents'
import { ownDocumentsApi, signingApi } from '@tatami/contract/documents/signing'
import { type App, okReply, serve, SUCCESS } from '../http/serve.ts'
import type { Email, Mailer } from '../lib/mail.ts'
import {
  listDocuments,
  listUnsignedStudents,
  showDocument,
  toNeededDocument,
} from './document-lists.ts'
import {
  changeDocument,
  createDocument,
  publishDocument,
  setArchived,
  setRules,
} from './documents.ts'
import { findDojoOfToken } from './links.ts'
import { findNeedsOfPerson } from './needed.ts'
import { askAgain } from './ask-again.ts'
import { askToSign } from './notices.ts'
import { createOwnLink, listOwnDocuments } from './own-documents.ts'
import { recordPaperSignature } from './paper-signatures.ts'
import { letStudentPass } from './passes.ts'
import { createLinkForStudent } from './send-links.ts'
import { openLink, refuseLink, signDocument } from './sign.ts'
import {
  confirmSignature,
  listSignaturesOfStudent,
  readFileByCopy,
  readFileForStaff,
  readFileOfSigner,
  revokeSignature,
} from './signatures.ts'

type Services = { mail: Mailer; publicUrl: string }

export function documentsRoutes(app: App, services: Services): void {
  const { db } = app
  serve(app, documentsApi, {
    list: ({ tx, caller }) => listDocuments(tx, caller.dojoId),
    create: async ({ tx, caller, body }) =>
      showDocument(tx, caller.dojoId, await createDocument(tx, caller, body)),
    show: ({ tx, caller, params }) => showDocument(tx, caller.dojoId, params.id),
    change: async ({ tx, caller, params, body }) => {
      await changeDocument(tx, caller, params.id, body)
      return showDocument(tx, caller.dojoId, params.id)
    },
    publish: {
      withoutTransaction: async ({ caller, params, body }) => {
        const { reply, emails } = await db.inDojo(caller.dojoId, async (tx) => {
          await publishDocument(tx, caller, params.id, body.resign)
          return {
            reply: await showDocument(tx, caller.dojoId, params.id),
            emails:
              body.resign === 'all' ? (await askToSign(tx, caller.dojoId, params.id)).emails : [],
          }
        })
        for (const email of emails) services.mail.send(email)
        return reply
      },
    },
    askAgain: {
      withoutTransaction: async ({ caller, params, idempotently }) => {
        let emails: Email[] = []
        const reply = await db.inDojo(caller.dojoId, (tx) =>
          idempotently(tx, async () => {
            const request = await askAgain(tx, caller, params.id)
            emails = request.emails
            return request.reply
          }),
        )
        for (const email of emails) services.mail.send(email)
        return reply
      },
    },
    archive: async ({ tx, caller, params, body }) => {
      await setArchived(tx, caller, params.id, body.is_archived)
      return showDocument(tx, caller.dojoId, params.id)
    },
    setRules: async ({ tx, caller, body }) => {
      await setRules(tx, caller, body)
      return listDocuments(tx, caller.dojoId)
    },
    unsigned: async ({ tx, caller }) => ({
      students: await listUnsignedStudents(tx, caller.dojoId),
    }),
    ofStudent: async ({ tx, caller, params }) => {
      const { needs } = await findNeedsOfPerson(tx, caller.dojoId, {
        kind: 'student',
        id: params.id,
      })
      return {
        needed: needs.map(toNeededDocument),
        signatures: await listSignaturesOfStudent(tx, params.id),
      }
    },
    createLink: {
      withoutTransaction: async ({ caller, params, body }) => {
        const { reply, email } = await db.inDojo(caller.dojoId, (tx) =>
          createLinkForStudent(tx, caller, params.id, body, services),
        )
        if (email) services.mail.send(email)
        return reply
      },
    },
    recordPaper: {
      withoutTransaction: ({ caller, params, body, idempotently }) =>
        recordPaperSignature(db, caller, params.id, body, idempotently),
    },
    confirm: async ({ tx, caller, params }) => ({
      signature: await confirmSignature(tx, caller, params.id),
    }),
    revoke: async ({ tx, caller, params, body }) => ({
      signature: await revokeSignature(tx, caller, params.id, body.reason),
    }),
    file: {
      file: ({ caller, params }) =>
        db.inDojo(caller.dojoId, (tx) => readFileForStaff(tx, caller, params.id)),
    },
    letPass: ({ tx, caller, params, body }) =>
      okReply(letStudentPass(tx, caller, params.id, body.reason)),
  })
  serve(app, ownDocumentsApi, {
    list: ({ tx, caller }) => listOwnDocuments(tx, caller),
    createLink: ({ tx, caller, body }) =>
      createOwnLink(tx, caller, body.student_id, services.publicUrl),
    file: {
      file: ({ caller, params }) =>
        db.inDojo(caller.dojoId, (tx) => readFileOfSigner(tx, caller.id, params.id)),
    },
  })
  signingRoutes(app, services.mail)
}

/** These callers are not signed in. The token in the body says what they may see. */
function signingRoutes(app: App, mail: Mailer): void {
  const { db } = app
  serve(app, signingApi, {
    open: { withoutTransaction: ({ body }) => openLink(db, body.token) },
    sign: {
      withoutTransaction: ({ body, address, userAgent }) =>
        signDocument(db, body, { address, userAgent }, mail),
    },
    refuse: {
      withoutTransaction: async ({ body }) => {
        await refuseLink(db, body.token)
        return SUCCESS
      },
    },
    copy: {
      file: ({ body }) =>
        db.inDojo(findDojoOfToken(body.copy), (tx) => readFileByCopy(tx, body.copy)),
    },
  })
}
