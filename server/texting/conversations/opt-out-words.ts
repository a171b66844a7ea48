import {
  ownText,
  plainLetters,
  withLatinLetters,
  withoutSignedName,
  wordsOf,
} from './message-words.ts'
import {
  CONTRARY_REQUEST,
  INSTRUCTION,
  OTHER_REQUEST,
  OUR_MISTAKE,
  OWN_MISTAKE,
} from './opt-out-other-matters.ts'
import { OPENING, REASONS, REQUESTS, STRANGER_REASONS, WHOLE_REQUESTS } from './opt-out-requests.ts'
import { COMPLAINTS, UNCLEAR_SIGNS } from './opt-out-signs.ts'
import {
  anyOf,
  FOREIGN_STOP_WORDS,
  FOREIGN_UNCLEAR_WORDS,
  POLITE_WORDS,
  STOP_WORDS,
  UNCLEAR_WORDS,
} from './opt-out-vocabulary.ts'

/**
 * What counts as a request for no more texts. In the United States a person may end texts "by any
 * reasonable means" (47 CFR 64.1200(a)(10), the FCC's rule on revoking consent): stop, quit, end,
 * revoke, opt out, cancel and unsubscribe end them as they stand, and other words do where a
 * reasonable person would understand them so. A message that is nothing but the request ends the
 * texts at once. A message that may contain one waits for the instructor, however short it is,
 * because it may also be about a class or a membership.
 */
type OptOutRequest = 'clear' | 'unclear' | null

/** The words as `detectOptOut` reads them, in which a Cyrillic о is a Latin one. */
const wordsAsRead = (text: string): string => wordsOf(withLatinLetters(plainLetters(text)))
const stopWords = new Set(STOP_WORDS)
const foreignStopWords = new Set(FOREIGN_STOP_WORDS.map(wordsAsRead))
const unclearWords = new Set([...UNCLEAR_WORDS, ...FOREIGN_UNCLEAR_WORDS.map(wordsAsRead)])
/** Longer ones are never nothing but a request. */
const CLEAR_LENGTH_MAX = 300

const POLITENESS = new RegExp(`\\b(?:${POLITE_WORDS})\\b`, 'g')
const REQUEST = `(?:${OPENING} )*${anyOf(REQUESTS)}`
const STOP = `(?:stop|stop all|unsubscribe|opt out|quit)`
const WHOLE_REQUEST = new RegExp(`^${REQUEST}$`)
const REQUEST_IN_SENTENCE = new RegExp(
  `\\b${anyOf(REQUESTS.filter((request) => !WHOLE_REQUESTS.includes(request)))}(?= |$)`,
)
/** "Wrong number stop", "stop u have the wrong number", "stop texting me we moved". */
const REQUEST_WITH_REASON = new RegExp(
  `^(?:${anyOf(STRANGER_REASONS)} )*(?:${STOP}|${REQUEST})(?: (?:${STOP}|${anyOf(REASONS)}))*$`,
)
const STRANGER_REASON = new RegExp(`^${anyOf(STRANGER_REASONS)}$`)
const REASON = new RegExp(`^${anyOf(REASONS)}$`)
const COMPLAINT_PATTERNS = COMPLAINTS.map(({ pattern }) => new RegExp(pattern))
const SIGN_PATTERNS = [
  REQUEST_IN_SENTENCE,
  ...UNCLEAR_SIGNS.map(({ pattern }) => new RegExp(pattern)),
]
const WRONG_NUMBER = /\bwrong (?:number|person|phone)\b/g
const PLEASE_STOP = /\b(?:please|pls|plz) stop(?: (?:thanks|thank you))?$/
const FIRE_DRILL = /\bstop,? drop,? (?:and|&) roll\b/g
const STOP_SIGNS = /^[\s\p{P}]*(?:[🛑⛔🚫🔕📵🔇][\s\p{P}]*)+$/u

const SENTENCE_END = /[.!?;:\n()–—]+|\s-+\s*/
const CLAUSE_END = /[.!?,;:\n()–—]+|\s-+\s*/

const withoutPoliteness = (words: string) =>
  words.replace(POLITENESS, ' ').replace(/\s+/g, ' ').trim()

const matchesAny = (patterns: readonly RegExp[], words: string): boolean =>
  patterns.some((pattern) => pattern.test(words))

const partsOf = (text: string, end: RegExp): string[] =>
  text
    .split(end)
    .map((part) => withoutPoliteness(wordsOf(part)))
    .filter((part) => part !== '')

const isStopWord = (words: string): boolean => {
  const word = words.replaceAll(' ', '')
  const [first = '', ...otherWords] = words.split(' ')
  const isRepeated = otherWords.every((otherWord) => otherWord === first)
  return (
    stopWords.has(word) ||
    /^(?:sto+p+)+$/.test(word) ||
    foreignStopWords.has(isRepeated ? first : words)
  )
}

/** A request apart from its politeness; a word that is unclear counts only as it stands. */
const isRequest = (words: string): boolean =>
  (isStopWord(words) && !unclearWords.has(words)) || WHOLE_REQUEST.test(words)

/** Whether a message says nothing but the request, and perhaps why. */
function isClear(text: string): boolean {
  const words = wordsOf(text)
  if (words === '' || words.length > CLEAR_LENGTH_MAX) return false
  if (isStopWord(words)) return true
  const sentences = partsOf(text, SENTENCE_END)
  const start = sentences.findIndex((sentence) => !STRANGER_REASON.test(sentence))
  const [first = '', ...otherSentences] = start === -1 ? [] : sentences.slice(start)
  const asks = (sentence: string) => isRequest(sentence) || REQUEST_WITH_REASON.test(sentence)
  return asks(first) && otherSentences.every((sentence) => asks(sentence) || REASON.test(sentence))
}

/** A sentence without what asks for the contrary, or for an end of something else. */
function withoutOtherMatters(sentence: string, isOwnMistake: boolean): string {
  if (INSTRUCTION.test(sentence)) return ''
  const ownWords = sentence.replace(CONTRARY_REQUEST, ' ').replace(OTHER_REQUEST, ' ')
  return (isOwnMistake ? ownWords.replace(WRONG_NUMBER, ' ') : ownWords).replace(/\s+/g, ' ').trim()
}

/** Whether a message may contain a request. */
function isUnclear(text: string): boolean {
  const words = wordsOf(text)
  if (unclearWords.has(withoutPoliteness(words)) || STOP_SIGNS.test(text)) return true
  const isOwnMistake = OWN_MISTAKE.test(words) && !OUR_MISTAKE.test(words)
  const sentences = partsOf(text, SENTENCE_END)
  if (sentences.some((sentence) => matchesAny(COMPLAINT_PATTERNS, sentence))) return true
  const matters = sentences
    .map((sentence) => withoutOtherMatters(sentence, isOwnMistake))
    .filter((sentence) => sentence !== '')
  if (matters.some((sentence) => matchesAny(SIGN_PATTERNS, sentence))) return true
  const clauses = partsOf(text.replace(FIRE_DRILL, ' '), CLAUSE_END)
  return clauses.some((clause) => isRequest(clause)) || PLEASE_STOP.test(words)
}

/** Tells whether a text asks clearly for no more texts, may ask for it, or does not. */
export function detectOptOut(text: string): OptOutRequest {
  const ownWords = ownText(plainLetters(text))
  if ([ownWords, withoutSignedName(ownWords)].some((words) => isClear(withLatinLetters(words))))
    return 'clear'
  return isUnclear(withLatinLetters(ownWords)) ? 'unclear' : null
}
