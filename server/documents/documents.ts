import {
  DEFAULT_RULES,
  type DocumentForm,
  type RESIGN_CHOICES,
} from '@tatami/contract/documents/document-form'
import type { DocumentText } from '@tatami/contract/documents/document-texts'
import { MAX_DOCUMENTS } from '@tatami/contract/documents/documents'
import { asc, desc, eq } from 'drizzle-orm'
import { isDeepStrictEqual } from 'node:util'
import { auditAction } from '../audit/audit.ts'
import { equalsAny } from '../db/bulk.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { dojoById, todayIn } from '../dojos/dojos.ts'
import type { DojoCaller } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { notFound, Refusal } from '../lib/refusal.ts'
import { firstRow, pluck } from '../lib/rows.ts'
import { sha256Hex } from './hashes.ts'
import { documentRules, documents, documentVersions } from './tables.ts'

export type DocumentRow = typeof documents.$inferSelect
export type VersionRow = typeof documentVersions.$inferSelect
export type Rules = Pick<
  typeof documentRules.$inferSelect,
  'is_holding' | 'kept_years' | 'grown_up_days'
>

/** A document that somebody may have to sign, with the newest version in each of its languages. */
export type PublishedDocument = DocumentRow & {
  version: number
  published_at: string
  versions: VersionRow[]
  /** Signatures of earlier versions still count, but everybody is asked to sign this one. */
  requiredVersion: number
  firstPublishedOn: string
}

export async function readRules(tx: Tx): Promise<Rules> {
  const [rules] = await tx.select().from(documentRules)
  return rules ?? DEFAULT_RULES
}

export async function setRules(
  tx: Tx,
  caller: DojoCaller,
  {
    kept_years = null,
    ...rules
  }: Omit<Rules, 'kept_years'> & { kept_years?: number | null | undefined },
): Promise<void> {
  const values = { ...rules, kept_years }
  await tx
    .insert(documentRules)
    .values(values)
    .onConflictDoUpdate({ target: documentRules.dojo_id, set: values })
  await auditAction(tx, caller, 'document rules set')
}

export const listDocumentRows = (tx: Tx): Promise<DocumentRow[]> =>
  tx.select().from(documents).orderBy(asc(documents.id))

/** All versions of the documents, the newest first, and English before other languages. */
export async function readVersions(tx: Tx, documentIds: string[]): Promise<VersionRow[]> {
  const rows = await tx
    .select()
    .from(documentVersions)
    .where(equalsAny(documentVersions.document_id, documentIds))
    .orderBy(desc(documentVersions.n), asc(documentVersions.id))
  return rows
}

export function describePublished(
  document: DocumentRow,
  versions: readonly VersionRow[],
  timeZone: string,
): PublishedDocument | null {
  const ownVersions = versions.filter(({ document_id }) => document_id === document.id)
  const [newest] = ownVersions
  const oldest = ownVersions.at(-1)
  if (!newest || !oldest) return null
  const requiredVersion = ownVersions.find(({ resign }) => resign === 'all')?.n ?? oldest.n
  return {
    ...document,
    version: newest.n,
    published_at: newest.published_at,
    versions: ownVersions.filter(({ n }) => n === newest.n),
    requiredVersion,
    firstPublishedOn: todayIn(timeZone, new Date(oldest.published_at)),
  }
}

/** The documents that people are asked for: published and not archived. */
export async function listPublishedDocuments(tx: Tx): Promise<PublishedDocument[]> {
  const rows = (await listDocumentRows(tx)).filter(({ archived_at }) => archived_at === null)
  const [firstDocument] = rows
  if (!firstDocument) return []
  const versions = await readVersions(tx, pluck(rows, 'id'))
  const { time_zone } = await dojoById(tx, firstDocument.dojo_id)
  return rows.flatMap((row) => describePublished(row, versions, time_zone) ?? [])
}

export async function readDocument(tx: Tx, id: string): Promise<DocumentRow> {
  const [document] = await tx.select().from(documents).where(eq(documents.id, id))
  if (!document) throw notFound('Document')
  return document
}

async function lockDocument(tx: Tx, id: string): Promise<DocumentRow> {
  const [document] = await tx.select().from(documents).where(eq(documents.id, id)).for('update')
  if (!document) throw notFound('Document')
  return document
}

const toColumns = ({
  due_days = null,
  valid_months = null,
  valid_until_day = null,
  min_age = 18,
  ...form
}: DocumentForm) => ({
  ...form,
  due_days: form.due === 'within_days' ? due_days : null,
  valid_months,
  valid_until_day,
  min_age,
})

export async function createDocument(
  tx: Tx,
  caller: DojoCaller,
  form: DocumentForm,
): Promise<string> {
  if ((await tx.$count(documents)) >= MAX_DOCUMENTS)
    throw new Refusal(409, `A school can have at most ${MAX_DOCUMENTS} documents`)
  const rows = await tx.insert(documents).values(toColumns(form)).returning({ id: documents.id })
  await auditAction(tx, caller, 'document added')
  return firstRow(rows).id
}

export async function changeDocument(
  tx: Tx,
  caller: DojoCaller,
  id: string,
  form: DocumentForm,
): Promise<void> {
  await lockDocument(tx, id)
  await tx.update(documents).set(toColumns(form)).where(eq(documents.id, id))
  await auditAction(tx, caller, 'document changed')
}

export const hasUnpublishedChanges = (
  { name, texts }: Pick<DocumentRow, 'name' | 'texts'>,
  versions: readonly VersionRow[],
): boolean =>
  versions.some((version) => version.name !== name) ||
  !isDeepStrictEqual(texts, versions.map(toText))

export const toText = ({ language, body, questions }: VersionRow): DocumentText => ({
  language: language as DocumentText['language'],
  body,
  questions,
})

/** Refuses with 409 if the texts are those of the last version. */
export async function publishDocument(
  tx: Tx,
  caller: DojoCaller,
  id: string,
  resign: (typeof RESIGN_CHOICES)[number],
): Promise<void> {
  const document = await lockDocument(tx, id)
  const { time_zone } = await dojoById(tx, caller.dojoId)
  const publishedDocument = describePublished(document, await readVersions(tx, [id]), time_zone)
  if (publishedDocument && !hasUnpublishedChanges(document, publishedDocument.versions))
    throw new Refusal(409, 'This text is published already')
  const version = (publishedDocument?.version ?? 0) + 1
  const published_at = nowIso()
  await tx.insert(documentVersions).values(
    document.texts.map(({ language, body, questions }) => ({
      id: newId(),
      document_id: id,
      n: version,
      language,
      name: document.name,
      body,
      questions,
      hash: sha256Hex(JSON.stringify([document.name, body, questions])),
      resign,
      published_at,
      published_by: caller.id,
    })),
  )
  await auditAction(tx, caller, 'document published', { details: { version } })
}

export async function setArchived(
  tx: Tx,
  caller: DojoCaller,
  id: string,
  isArchived: boolean,
): Promise<void> {
  await lockDocument(tx, id)
  await tx
    .update(documents)
    .set({ archived_at: isArchived ? nowIso() : null })
    .where(eq(documents.id, id))
  await auditAction(tx, caller, 'document archived', { details: { archived: isArchived } })
}
