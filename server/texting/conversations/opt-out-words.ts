import {
  withoutQuotesAndSignature,
  withPlainLetters,
  withLatinLetters,
  withoutSignedName,
  normalizeWords,
} from './message-words.ts'
import {
  CONTRARY_REQUEST,
  INSTRUCTION,
  OTHER_REQUEST,
  DOJOS_MISTAKE,
  SENDERS_MISTAKE,
} from './opt-out-exceptions.ts'
import {
  OPENING,
  REASONS,
  REQUESTS,
  STRANGER_REASONS,
  WHOLE_SENTENCE_REQUESTS,
} from './opt-out-requests.ts'
import { COMPLAINTS, UNCLEAR_REQUESTS } from './opt-out-unclear-requests.ts'
import {
  joinPatterns,
  FOREIGN_STOP_WORDS,
  FOREIGN_UNCLEAR_WORDS,
  FILLER_WORDS,
  STOP_WORDS,
  UNCLEAR_WORDS,
} from './opt-out-vocabulary.ts'

/** In the United States, people may revoke consent "by any reasonable means" (47 CFR
 *  64.1200(a)(10)). A `clear` message says nothing but the request and ends the texts immediately.
 *  An `unclear` message may be about a class or a membership, so an instructor decides. */
type OptOutRequest = 'clear' | 'unclear' | null

const normalizeSpelling = (text: string): string =>
  normalizeWords(withLatinLetters(withPlainLetters(text)))
const stopWords = new Set(STOP_WORDS)
const foreignStopWords = new Set(FOREIGN_STOP_WORDS.map(normalizeSpelling))
const unclearWords = new Set([...UNCLEAR_WORDS, ...FOREIGN_UNCLEAR_WORDS.map(normalizeSpelling)])
const MAX_CLEAR_CHARACTERS = 300

const FILLER_PATTERN = new RegExp(`\\b(?:${FILLER_WORDS})\\b`, 'g')
const REQUEST = `(?:${OPENING} )*${joinPatterns(REQUESTS)}`
const STOP = `(?:stop|stop all|unsubscribe|opt out|quit)`
const WHOLE_REQUEST = new RegExp(`^${REQUEST}$`)
const PARTIAL_SENTENCE_REQUESTS = REQUESTS.filter(
  (request) => !WHOLE_SENTENCE_REQUESTS.includes(request),
)
const REQUEST_IN_SENTENCE = new RegExp(`\\b${joinPatterns(PARTIAL_SENTENCE_REQUESTS)}(?= |$)`)
const ANY_REASON = joinPatterns(REASONS)
const ANY_STRANGER_REASON = joinPatterns(STRANGER_REASONS)
/** "Wrong number stop", "stop texting me we moved" */
const REQUEST_WITH_REASON = new RegExp(
  `^(?:${ANY_STRANGER_REASON} )*(?:${STOP}|${REQUEST})(?: (?:${STOP}|${ANY_REASON}))*$`,
)
const STRANGER_REASON = new RegExp(`^${ANY_STRANGER_REASON}$`)
const REASON = new RegExp(`^${ANY_REASON}$`)
const COMPLAINT_PATTERNS = COMPLAINTS.map(({ pattern }) => new RegExp(pattern))
const UNCLEAR_PATTERNS = [
  REQUEST_IN_SENTENCE,
  ...UNCLEAR_REQUESTS.map(({ pattern }) => new RegExp(pattern)),
]
const WRONG_NUMBER = /\bwrong (?:number|person|phone)\b/g
const PLEASE_STOP = /\b(?:please|pls|plz) stop(?: (?:thanks|thank you))?$/
const FIRE_DRILL = /\bstop,? drop,? (?:and|&) roll\b/g
/** Only stop signs: "🛑🛑" */
const STOP_SIGNS = /^[\s\p{P}]*(?:[🛑⛔🚫🔕📵🔇][\s\p{P}]*)+$/u

const SENTENCE_END = /[.!?;:\n()–—]+|\s-+\s*/
const CLAUSE_END = /[.!?,;:\n()–—]+|\s-+\s*/

const withoutFillerWords = (words: string) =>
  words.replace(FILLER_PATTERN, ' ').replace(/\s+/g, ' ').trim()

const matchesAny = (patterns: readonly RegExp[], words: string): boolean =>
  patterns.some((pattern) => pattern.test(words))

const splitText = (text: string, separator: RegExp): string[] =>
  text
    .split(separator)
    .map((part) => withoutFillerWords(normalizeWords(part)))
    .filter((part) => part !== '')

/** True for a stop word, even if it is repeated or stretched: "stop all", "stopstop", "stooop". */
const isStopWord = (words: string): boolean => {
  const word = words.replaceAll(' ', '')
  const [firstWord = '', ...otherWords] = words.split(' ')
  const isRepeated = otherWords.every((otherWord) => otherWord === firstWord)
  return (
    stopWords.has(word) ||
    /^(?:sto+p+)+$/.test(word) ||
    foreignStopWords.has(isRepeated ? firstWord : words)
  )
}

/** `words` has no filler words. "cancel" may have been "please cancel", so it is no request. */
const isRequest = (words: string): boolean =>
  (isStopWord(words) && !unclearWords.has(words)) || WHOLE_REQUEST.test(words)

/** True for a request, alone or with a reason. A stranger's reason may come before the request:
 *  "Wrong number. Stop." */
function isClear(text: string): boolean {
  const words = normalizeWords(text)
  if (words === '' || words.length > MAX_CLEAR_CHARACTERS) return false
  if (isStopWord(words)) return true
  const sentences = splitText(text, SENTENCE_END)
  const firstIndex = sentences.findIndex((sentence) => !STRANGER_REASON.test(sentence))
  const [firstSentence, ...otherSentences] = firstIndex === -1 ? [] : sentences.slice(firstIndex)
  if (firstSentence === undefined) return false
  const isRequestSentence = (sentence: string) =>
    isRequest(sentence) || REQUEST_WITH_REASON.test(sentence)
  return (
    isRequestSentence(firstSentence) &&
    otherSentences.every((sentence) => isRequestSentence(sentence) || REASON.test(sentence))
  )
}

function withoutExceptions(sentence: string, isSendersMistake: boolean): string {
  if (INSTRUCTION.test(sentence)) return ''
  const remainingWords = sentence.replace(CONTRARY_REQUEST, ' ').replace(OTHER_REQUEST, ' ')
  return (isSendersMistake ? remainingWords.replace(WRONG_NUMBER, ' ') : remainingWords)
    .replace(/\s+/g, ' ')
    .trim()
}

function isUnclear(text: string): boolean {
  const words = normalizeWords(text)
  if (unclearWords.has(withoutFillerWords(words)) || STOP_SIGNS.test(text)) return true
  const isSendersMistake = SENDERS_MISTAKE.test(words) && !DOJOS_MISTAKE.test(words)
  const sentences = splitText(text, SENTENCE_END)
  if (sentences.some((sentence) => matchesAny(COMPLAINT_PATTERNS, sentence))) return true
  const remainingSentences = sentences
    .map((sentence) => withoutExceptions(sentence, isSendersMistake))
    .filter((sentence) => sentence !== '')
  if (remainingSentences.some((sentence) => matchesAny(UNCLEAR_PATTERNS, sentence))) return true
  const clauses = splitText(text.replace(FIRE_DRILL, ' '), CLAUSE_END)
  return clauses.some((clause) => isRequest(clause)) || PLEASE_STOP.test(words)
}

export function detectOptOut(text: string): OptOutRequest {
  const ownText = withoutQuotesAndSignature(withPlainLetters(text))
  if ([ownText, withoutSignedName(ownText)].some((words) => isClear(withLatinLetters(words))))
    return 'clear'
  return isUnclear(withLatinLetters(ownText)) ? 'unclear' : null
}
