import { Readable } from 'node:stream'
import { certificatesApi } from '@tatami/contract/gradings/certificates'
import { gradingsApi } from '@tatami/contract/gradings/gradings'
import type { Tx } from '../db/database.ts'
import type { FileReply } from '../http/file-reply.ts'
import { type App, type DojoCaller, serve, okReply } from '../http/serve.ts'
import { firstRow } from '../lib/rows.ts'
import { answerInvitation, listOwnInvitations } from './answers.ts'
import { changeCandidates } from './candidates.ts'
import {
  checkCertificate,
  issueCertificates,
  findPromotionsOfBatch,
  findPromotionsOfGrading,
} from './certificates.ts'
import { drawCertificates } from './certificate-drawing.ts'
import { changeGrading, createGrading, removeGrading } from './gradings.ts'
import { inviteCandidates } from './invitations.ts'
import { listGradings, readGrading } from './read-grading.ts'
import { finishGrading, saveResults } from './results.ts'

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
    own: ({ tx, caller }) => listOwnInvitations(tx, caller),
    results: ({ tx, params, body }) => saveResults(tx, params.id, body),
    finish: ({ tx, caller, params }) => finishGrading(tx, caller, params.id),
  })

  /** Drawing is slow, so it happens after the transaction that numbers the certificates. */
  async function createCertificatesFile(
    caller: DojoCaller,
    findPromotionIds: (tx: Tx) => Promise<string[]>,
  ): Promise<FileReply> {
    const certificates = await app.db.inDojo(caller.dojoId, async (tx) =>
      issueCertificates(tx, caller, await findPromotionIds(tx)),
    )
    const name =
      certificates.length === 1
        ? `certificate-${firstRow(certificates).number}.pdf`
        : 'certificates.pdf'
    const pdf = Buffer.from(await drawCertificates(certificates, publicUrl))
    return { name, body: Readable.from([pdf], { objectMode: false }) }
  }
  serve(app, certificatesApi, {
    file: { file: ({ caller, params }) => createCertificatesFile(caller, async () => [params.id]) },
    ofBatch: {
      file: ({ caller, params }) =>
        createCertificatesFile(caller, (tx) => findPromotionsOfBatch(tx, params.id)),
    },
    ofGrading: {
      file: ({ caller, params }) =>
        createCertificatesFile(caller, (tx) => findPromotionsOfGrading(tx, params.id)),
    },
    check: ({ tx, params }) => checkCertificate(tx, params.code),
  })
}
