import { DETERMINERS, TEXTS_OR_PRONOUN, ADDRESS_BOOK, TEXTS } from './opt-out-vocabulary.ts'

/** Sentences that contain the words of an opt-out request, but mean something else. */

/** The sender wrote to us by mistake: "Sorry wrong number, I meant to text grandma" */
export const SENDERS_MISTAKE = new RegExp(
  `\\b(?:${[
    'meant (?:to|for|that|this)|was meant|sent (?:it|this|that|to)|was for|oops|whoops|my bad',
    'my mistake|wrong (?:chat|thread|group)|(?:ignore|disregard) (?:that|this|my|last)',
    'sorry.*\\b(?:lol|haha)|autocorrect',
  ].join('|')})\\b`,
)

/** The sender says that we wrote to the wrong number: "You have the wrong number, lol" */
export const DOJOS_MISTAKE = /\b(?:you|u|youve|your) (?:have|got|have got|must have)\b/

const NEGATIVE =
  '(?:do not|dont|never|wont|will not|cannot|cant|not|did(?: you| they)?|didnt|why did you)'
const INTENTION = '(?:ever|yet|you|they|we|(?:mean|want|like|need|have|going)(?: you)? to)'
const STOP_VERB = '(?:stop|end|cancel|quit|unsubscribe)'

/** "Please do not stop the texts" */
export const CONTRARY_REQUEST = new RegExp(
  `\\b${NEGATIVE}(?: ${INTENTION})? ${STOP_VERB}(?: \\w+)*?(?= but | and |$)`,
  'g',
)

const LISTS = 'lists?(?<!wait(?:ing)? list)'
const TEXTS_OR_OTHER_LIST = `(?:${TEXTS_OR_PRONOUN}|${DETERMINERS}\\w+ (?:${TEXTS}|${LISTS}))`
const SUBSCRIPTION =
  `(?:${TEXTS_OR_OTHER_LIST}|${DETERMINERS}(?:you|here|school|dojo|club|` +
  'academy|studio|emails?|newsletters?|updates|tatami|karate|number|service)|your )'
/** "Opt out of the tournament", "Stop, drop and roll" */
export const OTHER_REQUEST = new RegExp(
  [
    `\\b(?:opt|opting)(?: me| us)? out (?:of|from) (?!${TEXTS_OR_OTHER_LIST}\\b)`,
    `\\b(?:unsubscribe|unsubscribed|unsubscribing|unsub)(?: me| us)? from (?!${SUBSCRIPTION})`,
    `\\b(?:remove|delete|take|drop) (?:me|us) (?:off|from|out ` +
      `of) (?!${TEXTS_OR_OTHER_LIST}\\b|${ADDRESS_BOOK}\\b|${DETERMINERS}${ADDRESS_BOOK}\\b)`,
    '\\bstop drop and roll\\b',
    '\\b(?:stop|stopping) (?:by|in|at|over)\\b',
  ].join('|'),
  'g',
)

/** The footer of our own texts, sent back to us: "Reply STOP to end texts" */
export const INSTRUCTION = new RegExp(
  '^(?:you can |to .{1,30} )?(?:reply|text|txt|send|respond|answer|type) (?:with )?' +
    `${STOP_VERB}\\b.*\\b(?:to|for|help)\\b`,
)
