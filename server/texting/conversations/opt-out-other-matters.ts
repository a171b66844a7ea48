import { DETERMINERS, LIKE_TEXTS, STORE, TEXTS } from './opt-out-vocabulary.ts'

/** "Sorry wrong number, I meant to text grandma" */
export const OWN_MISTAKE =
  /\b(?:meant (?:to|for|that|this)|was meant|sent (?:it|this|that|to)|was for|oops|whoops|my bad|my mistake|wrong (?:chat|thread|group)|(?:ignore|disregard) (?:that|this|my|last)|sorry.*\b(?:lol|haha)|autocorrect)\b/
/** "You have the wrong number, lol" */
export const OUR_MISTAKE = /\b(?:you|u|youve|your) (?:have|got|have got|must have)\b/

/** "Please do not stop the texts" */
export const CONTRARY_REQUEST =
  /\b(?:do not|dont|never|wont|will not|cannot|cant|not|did(?: you| they)?|didnt|why did you)(?: (?:ever|yet|you|they|we|(?:mean|want|like|need|have|going)(?: you)? to))? (?:stop|end|cancel|quit|unsubscribe)(?: \w+)*?(?= but | and |$)/g

const TEXTS_OF_A_KIND = `(?:${LIKE_TEXTS}|${DETERMINERS}\\w+ (?:${TEXTS}|lists?(?<!wait(?:ing)? list)))`
const SUBSCRIPTION = `(?:${TEXTS_OF_A_KIND}|${DETERMINERS}(?:you|here|school|dojo|club|academy|studio|emails?|newsletters?|updates|tatami|karate|number|service)|your )`
/** "Opt out of the tournament", "Stop, drop and roll" */
export const OTHER_REQUEST = new RegExp(
  [
    `\\b(?:opt|opting)(?: me| us)? out (?:of|from) (?!${TEXTS_OF_A_KIND}\\b)`,
    `\\b(?:unsubscribe|unsubscribed|unsubscribing|unsub)(?: me| us)? from (?!${SUBSCRIPTION})`,
    `\\b(?:remove|delete|take|drop) (?:me|us) (?:off|from|out of) (?!${TEXTS_OF_A_KIND}\\b|${STORE}\\b|${DETERMINERS}${STORE}\\b)`,
    '\\bstop drop and roll\\b',
    '\\b(?:stop|stopping) (?:by|in|at|over)\\b',
  ].join('|'),
  'g',
)
/** Our own footer, sent back: "Reply STOP to end texts" */
export const INSTRUCTION =
  /^(?:you can |to .{1,30} )?(?:reply|text|txt|send|respond|answer|type) (?:with )?(?:stop|end|cancel|quit|unsubscribe)\b.*\b(?:to|for|help)\b/
