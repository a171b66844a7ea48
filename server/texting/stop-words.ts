import type { Keyword } from '@tatami/contract/text-history'

const WORDS = {
  stop: ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'],
  start: ['START', 'YES', 'UNSTOP'],
  help: ['HELP', 'INFO'],
} as const satisfies Record<Keyword, readonly string[]>

/** What an incoming text asks for, if it is one of the words alone; a sentence that has one in it is a message to the dojo. */
export function wishIn(text: string): Keyword | null {
  const word = text
    .trim()
    .replace(/^["'“”]+|["'“”.!]+$/g, '')
    .toUpperCase()
  const found = Object.entries(WORDS).find(([, words]) => (words as readonly string[]).includes(word))
  return (found?.[0] as Keyword | undefined) ?? null
}

/** The one answer to each. */
export const ANSWERS: Record<Keyword, string> = {
  stop: 'You will get no more texts from us. Reply START to get them again.',
  start: 'You will get our texts again. Reply STOP to stop, HELP for help.',
  help: 'Texts from your dojo about classes and fees. For help, please ask your instructor. Reply STOP to stop. Message and data rates may apply.',
}
