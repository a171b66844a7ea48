import type { Keyword } from '@tatami/contract/text-history'
import { and, eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { equalsAny } from '../db/bulk.ts'
import { phoneOptOuts } from './tables.ts'

/** The words that carriers in the United States reserve for opting out and in, and for help. */
const KEYWORDS = {
  stop: ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'],
  start: ['START', 'YES', 'UNSTOP'],
  help: ['HELP', 'INFO'],
} as const satisfies Record<Keyword, readonly string[]>

/** The one reply to each. */
export const KEYWORD_REPLIES: Record<Keyword, string> = {
  stop: 'You will get no more texts from us. Reply START to get them again.',
  start: 'You will get our texts again. Reply STOP to stop, HELP for help.',
  help: 'Texts from your dojo about classes and fees. For help, please ask your instructor. Reply STOP to stop. Message and data rates may apply.',
}

/** The keyword of an incoming text that consists of nothing else; a sentence that contains one is a message to the dojo. */
export function parseKeyword(text: string): Keyword | null {
  const word = text
    .trim()
    .replace(/^["'“”]+|["'“”.!]+$/g, '')
    .toUpperCase()
  const found = Object.entries(KEYWORDS).find(([, words]) => (words as readonly string[]).includes(word))
  return (found?.[0] as Keyword | undefined) ?? null
}

/** Those of the phones that have opted out, of whichever dojo's texts. */
export async function optedOutAmong(tx: Tx, phones: string[]): Promise<Set<string>> {
  const rows = await tx.select({ phone: phoneOptOuts.phone }).from(phoneOptOuts).where(equalsAny(phoneOptOuts.phone, phones))
  return new Set(rows.map(({ phone }) => phone))
}

/** `simulated` for a keyword that an instructor tries in the simulator: it neither makes nor ends a real opt-out. */
type OptOutOptions = { simulated?: boolean }

/** Answers whether the phone was opted in before. A real opt-out replaces a simulated one. */
export async function optOut(tx: Tx, phone: string, { simulated = false }: OptOutOptions = {}): Promise<boolean> {
  const insert = tx.insert(phoneOptOuts).values({ phone, simulated })
  const stored = simulated
    ? insert.onConflictDoNothing()
    : insert.onConflictDoUpdate({ target: phoneOptOuts.phone, set: { simulated }, setWhere: eq(phoneOptOuts.simulated, true) })
  return (await stored.returning({ phone: phoneOptOuts.phone })).length > 0
}

/** Answers whether the phone was opted out before. */
export async function optIn(tx: Tx, phone: string, { simulated = false }: OptOutOptions = {}): Promise<boolean> {
  const which = and(eq(phoneOptOuts.phone, phone), simulated ? eq(phoneOptOuts.simulated, true) : undefined)
  return (await tx.delete(phoneOptOuts).where(which).returning({ phone: phoneOptOuts.phone })).length > 0
}

/** Opts the phone out or in where the text is a keyword; answers what to reply, null for nothing. */
export async function applyKeyword(tx: Tx, phone: string, text: string, options: OptOutOptions = {}): Promise<string | null> {
  const keyword = parseKeyword(text)
  if (keyword === 'stop') return (await optOut(tx, phone, options)) ? KEYWORD_REPLIES.stop : null
  if (keyword === 'start') return (await optIn(tx, phone, options)) ? KEYWORD_REPLIES.start : null
  return keyword && KEYWORD_REPLIES[keyword]
}

/** An opt-out that was tried in the simulator does not hold for real texts. */
export const deleteSimulatedOptOuts = (tx: Tx) => tx.delete(phoneOptOuts).where(eq(phoneOptOuts.simulated, true))
