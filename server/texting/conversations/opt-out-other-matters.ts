import { DETERMINERS, LIKE_TEXTS, STORE, TEXTS } from './opt-out-vocabulary.ts'

/** "Sorry wrong number, I meant to text grandma" */
export const OWN_MISTAKE = new RegExp(
  `\\b(?:${[
    'meant (?:to|for|that|this)|was meant|sent (?:it|this|that|to)|was for|oops|whoops|my bad',
    'my mistake|wrong (?:chat|thread|group)|(?:ignore|disregard) (?:that|this|my|last)',
    'sorry.*\\b(?:lol|haha)|autocorrect',
  ].join('|')})\\b`,
)
/** "You have the wrong number, lol" */
export const OUR_MISTAKE = /\b(?:you|u|youve|your) (?:have|got|have got|must have)\b/

/** "Please do not stop the texts" */
const NEGATIVE =
  '(?:do not|dont|never|wont|will not|cannot|cant|not|did(?: you| they)?|didnt|why did you)'
const INTENTION = '(?:ever|yet|you|they|we|(?:mean|want|like|need|have|going)(?: you)? to)'
const STOP_VERB = '(?:stop|end|cancel|quit|unsubscribe)'
export const CONTRARY_REQUEST = new RegExp(
  `\\b${NEGATIVE}(?: ${INTENTION})? ${STOP_VERB}(?: \\w+)*?(?= but | and |$)`,
  'g',
)

const LISTS = 'lists?(?<!wait(?:ing)? list)'
const TEXTS_OF_A_KIND = `(?:${LIKE_TEXTS}|${DETERMINERS}\\w+ (?:${TEXTS}|${LISTS}))`
const SUBSCRIPTION =
  `(?:${TEXTS_OF_A_KIND}|${DETERMINERS}(?:you|here|school|dojo|club|` +
  'academy|studio|emails?|newsletters?|updates|tatami|karate|number|service)|your )'
/** "Opt out of the tournament", "Stop, drop and roll" */
export const OTHER_REQUEST = new RegExp(
  [
    `\\b(?:opt|opting)(?: me| us)? out (?:of|from) (?!${TEXTS_OF_A_KIND}\\b)`,
    `\\b(?:unsubscribe|unsubscribed|unsubscribing|unsub)(?: me| us)? from (?!${SUBSCRIPTION})`,
    `\\b(?:remove|delete|take|drop) (?:me|us) (?:off|from|out ` +
      `of) (?!${TEXTS_OF_A_KIND}\\b|${STORE}\\b|${DETERMINERS}${STORE}\\b)`,
    '\\bstop drop and roll\\b',
    '\\b(?:stop|stopping) (?:by|in|at|over)\\b',
  ].join('|'),
  'g',
)
/** Our own footer, sent back: "Reply STOP to end texts" */
export const INSTRUCTION = new RegExp(
  '^(?:you can |to .{1,30} )?(?:reply|text|txt|send|respond|answer|type) (?:with )?' +
    `${STOP_VERB}\\b.*\\b(?:to|for|help)\\b`,
)
