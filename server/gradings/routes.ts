import { Readable } from 'node:stream'
import { certificatesApi } from '@tatami/contract/gradings/certificates'
import { gradingsApi } from '@tatami/contract/gradings/gradings'
import type { Tx } from '../db/database.ts'
import type { FileReply } from '../http/file-reply.ts'
import { type App, type Member, serve, okReply } from '../http/serve.ts'
import { answerInvitation, ownInvitations } from './answers.ts'
import { changeCandidates } from './candidates.ts'
import {
  checkCertificate,
  issueCertificates,
  promotionsOfAct,
  promotionsOfGrading,
} from './certificates.ts'
import { drawCertificates } from './certificate-drawing.ts'
import { changeGrading, createGrading, removeGrading } from './gradings.ts'
import { inviteCandidates } from './invitations.ts'
import { listGradings, readGrading } from './read-grading.ts'
import { finishGrading, noteResults } from './results.ts'

export function gradingsRoutes(app: App, publicUrl: string) {
  serve(app, gradingsApi, {
    list: ({ tx }) => listGradings(tx),
    create: ({ tx, caller, body }) => createGrading(tx, caller, body),
    show: ({ tx, params }) => readGrading(tx, params.id),
    change: ({ tx, caller, params, body }) => changeGrading(tx, caller, params.id, body),
    remove: ({ tx, caller, params }) => okReply(removeGrading(tx, caller, params.id)),
    changeCandidates: ({ tx, caller, params, body }) =>
      changeCandidates(tx, caller, params.id, body),
    invite: ({ tx, caller, params, body }) => inviteCandidates(tx, caller, params.id, body),
    answer: ({ tx, caller, params, body }) =>
      okReply(answerInvitation(tx, caller, params.id, params.studentId, body.answer)),
    own: ({ tx, caller }) => ownInvitations(tx, caller),
    results: ({ tx, params, body }) => noteResults(tx, params.id, body),
    finish: ({ tx, caller, params }) => finishGrading(tx, caller, params.id),
  })

  /** Draws outside of the transaction that numbers them. */
  async function certificates(
    caller: Member,
    promotions: (tx: Tx) => Promise<string[]>,
  ): Promise<FileReply> {
    const issuedCertificates = await app.db.inDojo(caller.dojoId, async (tx) =>
      issueCertificates(tx, caller, await promotions(tx)),
    )
    const [onlyCertificate, ...otherCertificates] = issuedCertificates
    const name =
      otherCertificates.length === 0
        ? `certificate-${onlyCertificate!.number}.pdf`
        : 'certificates.pdf'
    return {
      name,
      body: Readable.from([Buffer.from(await drawCertificates(issuedCertificates, publicUrl))], {
        objectMode: false,
      }),
    }
  }
  serve(app, certificatesApi, {
    file: { file: ({ caller, params }) => certificates(caller, async () => [params.id]) },
    ofAct: {
      file: ({ caller, params }) => certificates(caller, (tx) => promotionsOfAct(tx, params.id)),
    },
    ofGrading: {
      file: ({ caller, params }) =>
        certificates(caller, (tx) => promotionsOfGrading(tx, params.id)),
    },
    check: ({ tx, params }) => checkCertificate(tx, params.code),
  })
}
