import type { Keyword } from '@tatami/contract/texting/text-history'
import type { Tx } from '../../db/database.ts'
import { optIn, optOut, type OptOutOptions } from '../opt-outs.ts'
import { withPlainLetters } from './message-words.ts'
import { detectOptOut } from './opt-out-words.ts'

/** Words that US carriers reserve. `detectOptOut` finds the words for opting out. */
const RESERVED_WORDS = new Map<string, Keyword>([
  ['START', 'start'],
  ['UNSTOP', 'start'],
  ['HELP', 'help'],
  ['INFO', 'help'],
])

export const KEYWORD_REPLIES: Record<Keyword, string> = {
  stop: 'You will get no more texts from us. Reply START to get them again.',
  start: 'You will get our texts again. Reply STOP to stop, HELP for help.',
  help:
    'Texts from your dojo about classes and fees. For help, please ask your instructor. ' +
    'Reply STOP to stop. Message and data rates may apply.',
}

/** The message in plain letters, without quotes and punctuation at its start and end. */
export const withoutPunctuation = (text: string): string =>
  withPlainLetters(text)
    .trim()
    .replace(/^["'“”]+|["'“”.!]+$/g, '')
    .trim()

/** Finds the keyword if the message is nothing else. A keyword within a sentence does not count. */
export function parseKeyword(text: string): Keyword | null {
  if (detectOptOut(text) === 'clear') return 'stop'
  return RESERVED_WORDS.get(withoutPunctuation(text).toUpperCase()) ?? null
}

export type KeywordOutcome = { reply: string | null; event: 'given' | 'revoked' | null }

/** YES usually answers a question, so it means START only if the phone has opted out. */
const YES_WORD = 'YES'

type KeywordOptions = OptOutOptions & {
  /** The keyword that the provider recognized */
  providerKeyword?: Keyword | null
}

export async function applyKeyword(
  tx: Tx,
  phone: string,
  text: string,
  { providerKeyword = null, ...options }: KeywordOptions = {},
): Promise<KeywordOutcome> {
  const isYes = providerKeyword === null && withoutPunctuation(text).toUpperCase() === YES_WORD
  const keyword = isYes ? 'start' : (providerKeyword ?? parseKeyword(text))
  if (keyword === 'help') return { reply: KEYWORD_REPLIES.help, event: null }
  if (keyword === null) return { reply: null, event: null }
  const hasChanged =
    keyword === 'stop' ? await optOut(tx, phone, options) : await optIn(tx, phone, options)
  if (isYes && !hasChanged) return { reply: null, event: null }
  return {
    reply: hasChanged ? KEYWORD_REPLIES[keyword] : null,
    event: keyword === 'stop' ? 'revoked' : 'given',
  }
}
