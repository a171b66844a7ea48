import type { CONSENT_SOURCES, TextConsent } from '@tatami/contract/conversations'
import { and, desc, eq, ne } from 'drizzle-orm'
import { textConsents } from '../consent/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'

const CONSENTS_SHOWN = 20
/** What texts are about that an agreement names nothing else for. */
const ALL_TOPICS = ['dues', 'classes', 'promotions']

type NewConsent = {
  phone: string
  event: 'given' | 'revoked'
  source: (typeof CONSENT_SOURCES)[number]
  given_by?: string | null
  wording_version?: string
  address?: string
}

/** Records in the transaction's dojo that somebody agreed to texts to a phone (E.164), or ended that. What is recorded stays until
 *  the phone is nobody's any more (`removeFromTexts`). */
export const recordTextConsent = (tx: Tx, consent: NewConsent) => tx.insert(textConsents).values({ topics: ALL_TOPICS, ...consent })

/** Those of the phones whose consent an instructor of the transaction's dojo has recorded as ended, and nobody given again since. What STOP
 *  ends stands in `phone_opt_outs`. */
export async function withdrawnAmong(tx: Tx, phones: string[]): Promise<Set<string>> {
  const newest = await tx
    .selectDistinctOn([textConsents.phone], { phone: textConsents.phone, event: textConsents.event })
    .from(textConsents)
    .where(and(equalsAny(textConsents.phone, phones), ne(textConsents.source, 'STOP')))
    .orderBy(textConsents.phone, desc(textConsents.id))
  return new Set(newest.filter(({ event }) => event === 'revoked').map(({ phone }) => phone))
}

/** The consents of a phone and their ends, newest first. */
export const consentsOf = async (tx: Tx, phone: string): Promise<TextConsent[]> =>
  (await tx
    .select({
      id: textConsents.id,
      event: textConsents.event,
      source: textConsents.source,
      given_by: textConsents.given_by,
      topics: textConsents.topics,
      wording_version: textConsents.wording_version,
      at: textConsents.at,
    })
    .from(textConsents)
    .where(eq(textConsents.phone, phone))
    .orderBy(desc(textConsents.id))
    .limit(CONSENTS_SHOWN)) as TextConsent[]
