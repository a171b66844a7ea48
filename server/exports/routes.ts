import type { Readable } from 'node:stream'
import type { AuditAction } from '@tatami/contract/audit/actions'
import { exportsApi } from '@tatami/contract/exports/exports'
import type { Right } from '@tatami/contract/rights'
import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import { dojoById } from '../dojos/dojos.ts'
import { todayIn } from '../dojos/calendar.ts'
import { requireVisibleStudent } from '../guardians/readers.ts'
import type { FileReply } from '../http/file-reply.ts'
import { type App, type DojoCaller, serve } from '../http/serve.ts'
import type { ExportSource } from './blocks.ts'
import { streamBookkeepingCsv } from './bookkeeping.ts'
import { exportEverything } from './everything.ts'
import { createExportLimits } from './limits.ts'
import { readPhotoFile } from './pictures.ts'
import { streamAttendanceCsv, streamPaymentsCsv, streamStudentsCsv } from './lists.ts'
import { streamSnapshot } from './snapshot.ts'
import { readStudentFile } from './student-file.ts'
import { SCHOOL_READER, findReader } from './student-reader.ts'
import { createStudentZip } from './student-zip.ts'

const toSlug = (name: string) =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 60)

function composeFileName(parts: string[], extension: string): string {
  const slugs = parts.map(toSlug).filter((slug) => slug !== '')
  return `${slugs.join('-')}.${extension}`
}

const NO_RIGHTS: ReadonlySet<Right> = new Set()

type AuditDetails = Record<string, string | number | boolean>

type ExportContext = { app: App; limits: ReturnType<typeof createExportLimits> }

type ExportDescription = {
  action: AuditAction
  details: AuditDetails
  subject: string
  extension: 'csv' | 'zip'
}

/** Streams a file that `open` reads in one snapshot of the database. */
async function streamExport(
  { app, limits }: ExportContext,
  caller: DojoCaller,
  { action, details, subject, extension }: ExportDescription,
  open: (source: ExportSource) => Promise<Readable> | Readable,
): Promise<FileReply> {
  limits.countExport(caller.id)
  const { promise, resolve, reject } = Promise.withResolvers<FileReply>()
  const streamFile = async () => {
    const name = await app.db.inDojo(caller.dojoId, async (tx) => {
      await auditAction(tx, caller, action, { details })
      const { name: dojoName, time_zone } = await dojoById(tx, caller.dojoId)
      return composeFileName([dojoName, subject, todayIn(time_zone)], extension)
    })
    const snapshot = streamSnapshot(app.db, caller.dojoId, async (tx, signal) =>
      open({ tx, dojoId: caller.dojoId, signal }),
    )
    resolve({ name, body: await snapshot.stream })
    await snapshot.finished
  }
  limits.run(caller.dojoId, streamFile).catch(reject)
  return promise
}

async function exportStudent(
  { app, limits }: ExportContext,
  caller: DojoCaller,
  id: string,
  readerId: string | null,
  checkAccess?: (tx: Tx) => Promise<void>,
): Promise<FileReply> {
  return app.db.inDojo(caller.dojoId, async (tx) => {
    await tx.execute('set transaction isolation level repeatable read')
    await checkAccess?.(tx)
    const reader = readerId === null ? SCHOOL_READER : await findReader(tx, id, readerId)
    limits.countExport(caller.id)
    const file = await readStudentFile(tx, id, reader)
    const { name, time_zone } = await dojoById(tx, caller.dojoId)
    await auditAction(tx, caller, 'student exported', {
      subject_id: id,
      details: { reader: reader.kind },
    })
    return {
      name: composeFileName([file.name, todayIn(time_zone)], 'zip'),
      body: createStudentZip(file, name, reader, await readPhotoFile(tx, id)),
    }
  })
}

const describeCsvExport = (
  action: AuditAction,
  details: AuditDetails,
  subject: string,
): ExportDescription => ({
  action,
  details,
  subject,
  extension: 'csv',
})

export function exportsRoutes(app: App, perHour: number) {
  const context = { app, limits: createExportLimits(perHour) }
  serve(app, exportsApi, {
    everything: {
      file: ({ caller }) =>
        streamExport(
          context,
          caller,
          { action: 'everything exported', details: {}, subject: 'everything', extension: 'zip' },
          (source) => exportEverything(source, caller.dojoId),
        ),
    },
    students: {
      file: ({ caller, body }) =>
        streamExport(
          context,
          caller,
          describeCsvExport(
            'student list exported',
            describeSelection(body.student_ids),
            'students',
          ),
          (source) => streamStudentsCsv(source, caller.staff?.rights ?? NO_RIGHTS, body),
        ),
    },
    attendance: {
      file: ({ caller, body }) =>
        streamExport(
          context,
          caller,
          describeCsvExport(
            'attendance exported',
            { all: Object.keys(body).length === 0 },
            'attendance',
          ),
          (source) => streamAttendanceCsv(source, body),
        ),
    },
    payments: {
      file: ({ caller, body }) =>
        streamExport(
          context,
          caller,
          describeCsvExport(
            'payments exported',
            body.of ? { month: body.of.month, year: body.of.year } : { all: true },
            'payments',
          ),
          (source) => streamPaymentsCsv(source, body),
        ),
    },
    bookkeeping: {
      file: ({ caller, body }) =>
        streamExport(
          context,
          caller,
          describeCsvExport('bookkeeping exported', body, body.format),
          (source) => streamBookkeepingCsv(source, body),
        ),
    },
    student: {
      file: ({ caller, params, body }) =>
        exportStudent(context, caller, params.id, body.reader_id ?? null),
    },
    ofMyStudent: {
      file: ({ caller, params }) =>
        exportStudent(context, caller, params.id, caller.id, (tx) =>
          requireVisibleStudent(tx, caller, params.id),
        ),
    },
  })
}

const describeSelection = (ids: string[] | undefined): AuditDetails =>
  ids ? { students: ids.length } : { all: true }
