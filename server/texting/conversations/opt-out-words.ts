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
 * In the United States, people may revoke consent "by any reasonable means" (47 CFR
 * 64.1200(a)(10)). A message that is only a request ends the texts at once. One that may contain a
 * request waits for the instructor, because it may be about a class or a membership.
 */
type OptOutRequest = 'clear' | 'unclear' | null

const wordsAsRead = (text: string): string => wordsOf(withLatinLetters(plainLetters(text)))
const stopWords = new Set(STOP_WORDS)
const foreignStopWords = new Set(FOREIGN_STOP_WORDS.map(wordsAsRead))
const unclearWords = new Set([...UNCLEAR_WORDS, ...FOREIGN_UNCLEAR_WORDS.map(wordsAsRead)])
/** A longer message is never just a request. */
const CLEAR_LENGTH_MAX = 300

const POLITENESS = new RegExp(`\\b(?:${POLITE_WORDS})\\b`, 'g')
const REQUEST = `(?:${OPENING} )*${anyOf(REQUESTS)}`
const STOP = `(?:stop|stop all|unsubscribe|opt out|quit)`
const WHOLE_REQUEST = new RegExp(`^${REQUEST}$`)
const REQUEST_IN_SENTENCE = new RegExp(
  `\\b${anyOf(REQUESTS.filter((request) => !WHOLE_REQUESTS.includes(request)))}(?= |$)`,
)
/** "Wrong number stop", "stop texting me we moved" */
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

/** Without politeness. An unclear word counts only alone. */
const isRequest = (words: string): boolean =>
  (isStopWord(words) && !unclearWords.has(words)) || WHOLE_REQUEST.test(words)

/** A request, and at most a reason. */
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

function withoutOtherMatters(sentence: string, isOwnMistake: boolean): string {
  if (INSTRUCTION.test(sentence)) return ''
  const ownWords = sentence.replace(CONTRARY_REQUEST, ' ').replace(OTHER_REQUEST, ' ')
  return (isOwnMistake ? ownWords.replace(WRONG_NUMBER, ' ') : ownWords).replace(/\s+/g, ' ').trim()
}

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

export function detectOptOut(text: string): OptOutRequest {
  const ownWords = ownText(plainLetters(text))
  if ([ownWords, withoutSignedName(ownWords)].some((words) => isClear(withLatinLetters(words))))
    return 'clear'
  return isUnclear(withLatinLetters(ownWords)) ? 'unclear' : null
}
