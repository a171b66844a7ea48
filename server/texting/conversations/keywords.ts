import type { Keyword } from '@tatami/contract/text-history'
import type { Tx } from '../../db/database.ts'
import { optIn, optOut, type OptOutOptions } from '../recipients.ts'

/** The words that carriers in the United States reserve for opting out and in, and for help. */
const KEYWORDS = {
  stop: ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'],
  start: ['START', 'UNSTOP'],
  help: ['HELP', 'INFO'],
} as const satisfies Record<Keyword, readonly string[]>

/** The one reply to each. */
export const KEYWORD_REPLIES: Record<Keyword, string> = {
  stop: 'You will get no more texts from us. Reply START to get them again.',
  start: 'You will get our texts again. Reply STOP to stop, HELP for help.',
  help: 'Texts from your dojo about classes and fees. For help, please ask your instructor. Reply STOP to stop. Message and data rates may apply.',
}

/** A reply without the quotation marks and the full stop around it. */
export const bareWords = (text: string): string =>
  text
    .trim()
    .replace(/^["'“”]+|["'“”.!]+$/g, '')
    .trim()

/** The keyword of an incoming text that consists of nothing else; a sentence that contains one is a message to the dojo. */
export function parseKeyword(text: string): Keyword | null {
  const word = bareWords(text).toUpperCase()
  const found = Object.entries(KEYWORDS).find(([, words]) =>
    (words as readonly string[]).includes(word),
  )
  return (found?.[0] as Keyword | undefined) ?? null
}

/** What a keyword has changed, and what to reply, null for nothing. */
export type KeywordOutcome = { reply: string | null; event: 'given' | 'revoked' | null }

/** Carriers reserve it like START, but most often it answers a question: it counts only from a phone that has opted out. */
const YES = 'YES'

/** Opts the phone out or in where the text is a keyword. */
export async function applyKeyword(
  tx: Tx,
  phone: string,
  text: string,
  options: OptOutOptions = {},
): Promise<KeywordOutcome> {
  const isYes = bareWords(text).toUpperCase() === YES
  const keyword = isYes ? 'start' : parseKeyword(text)
  if (keyword === 'help') return { reply: KEYWORD_REPLIES.help, event: null }
  if (keyword === null) return { reply: null, event: null }
  const changed =
    keyword === 'stop' ? await optOut(tx, phone, options) : await optIn(tx, phone, options)
  if (isYes && !changed) return { reply: null, event: null }
  return {
    reply: changed ? KEYWORD_REPLIES[keyword] : null,
    event: keyword === 'stop' ? 'revoked' : 'given',
  }
}
