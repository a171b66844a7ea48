/**
 * What counts as a wish for no more texts. In the United States a person may end texts "by any reasonable means" (47 CFR 64.1200(a)(10),
 * the FCC's rule on revoking consent): stop, quit, end, revoke, opt out, cancel and unsubscribe end them as they stand, and other words do
 * where a reasonable person would understand them so. Short requests end the texts at once. A longer message that contains such a wish
 * waits for the instructor, because it may also be about a class or a membership.
 */
export type OptOutWish = 'ends-texts' | 'asks-to-end' | null

/** The carriers' words, and the Spanish ones that phones send. Spaces and hyphens within them do not matter: "opt-out", "Stop all". */
const STOP_WORDS = new Set([
  'stop',
  'stopall',
  'unsubscribe',
  'cancel',
  'end',
  'quit',
  'revoke',
  'optout',
  'alto',
  'parar',
  'pare',
  'cancelar',
  'detener',
  'arret',
])
/** With "please" these may as well be about a class or a membership. */
const AMBIGUOUS = new Set(['cancel', 'end', 'cancelar'])

/** Words that may stand around a request without changing it. */
const POLITE =
  /\b(please|pls|plz|plse|thanks|thank you|thx|ty|hi|hello|hey|sorry|now|asap|immediately|forever|already|just|kindly|por favor|gracias|ahora|ya)\b/g

const TEXTS =
  '(?:texts?|text messages?|messages?|msgs?|sms|notifications?|alerts?|reminders?|mensajes?|textos?)'
const WHICH = '(?:(?:all|any|more|further|of|the|these|those|this|your|such|me|us|to) )*'
const TEXTING = '(?:texting|messaging|contacting|spamming|bothering|pestering|sending)'
const WHOM = '(?:me|us|here|(?:to )?(?:this|my|our) (?:number|phone|cell))'
const AGAIN = '(?: (?:again|anymore|any more|any longer|ever|ever again|at all))?'
const LIST =
  '(?:(?:text|texting|sms|message|messaging|mailing|contact|contacts|distribution|phone) )?lists?'
const NUMBER = '(?:me|us|(?:this|my|our) (?:number|phone|cell)|(?:my|our|this) phone number)'
const NOT = '(?:do not|dont|never|you (?:can|must|may) not)'

/** The wishes themselves, in words without capitals, accents or signs. */
const WISHES = [
  `(?:stop|quit|cease|end|cancel|discontinue) ${WHICH}${TEXTS}(?: (?:to )?${WHOM})?${AGAIN}`,
  `(?:stop|quit|cease|end|discontinue) (?:with )?${WHICH}${TEXTING}(?: ${WHICH}${TEXTS})?(?: (?:to )?${WHOM})?(?: ${WHICH}${TEXTS})?${AGAIN}`,
  `${NOT} (?:text|message|contact|sms)(?: ${WHOM})?${AGAIN}`,
  `${NOT} send (?:${WHOM} )?${WHICH}(?:${TEXTS}|anything)(?: (?:to )?${WHOM})?${AGAIN}`,
  `no (?:more|further) ${WHICH}${TEXTS}(?: to ${WHOM})?`,
  `no more`,
  `no ${TEXTS}`,
  `(?:ok|okay|yes|no) stop`,
  `(?:i |we )?(?:do not|dont|no longer) (?:want|wish|need|agree|consent)(?: to)?(?: (?:get|getting|receive|receiving|have|be sent))? ${WHICH}${TEXTS}(?: from (?:you|this number))?${AGAIN}`,
  `(?:unsubscribe|unsubscribed|opt|opting) (?:me|us|this number|my number)(?: out)?(?: (?:from|of) ${WHICH}(?:${TEXTS}|${LIST}))?`,
  `(?:unsubscribe|unsubscribing|opt out|opting out|optout)(?: (?:from|of) ${WHICH}(?:${TEXTS}|${LIST}|everything|all))?`,
  `(?:(?:i|we) )?(?:want|would like|wish|need|id like|like) to (?:opt out|unsubscribe|stop|be removed)(?: (?:from|of|receiving|getting) ${WHICH}(?:${TEXTS}|${LIST}))?`,
  `(?:i|we) (?:revoke|withdraw) (?:my |our )?consent(?: to ${WHICH}${TEXTS})?`,
  `(?:revoke|withdraw) (?:my |our )?consent`,
  `(?:remove|delete|take|drop) ${NUMBER}(?: (?:off|from|out of) ${WHICH}(?:${LIST}|${TEXTS}))?(?: off)?`,
  `(?:lose|forget) (?:my|this) number`,
  `leave (?:me|us) alone`,
  `no (?:me |nos )?(?:mande|manden|mandes|envie|envien|envies|escriba|escriban|escribas)(?: mas)?(?: ${TEXTS})?`,
  `(?:dejen|deje|deja|paren|pare) de (?:mandar|enviar|escribir)(?:me|nos)?(?: mas)?(?: ${TEXTS})?`,
  `no (?:quiero |queremos )?(?:recibir )?mas ${TEXTS}`,
  `dar(?:me)? de baja`,
  `(?:quiten|quite|borren|borre)me de (?:la |su )?lista`,
]
const WHOLE_WISH = new RegExp(
  `^(?:i said |ok |okay |yes |no |can you |could you |will you |would you )*(?:${WISHES.join('|')})$`,
)
/** These are wishes as whole messages only: "no more candy", "I got no texts". */
const ONLY_WHOLE = ['no more', `no ${TEXTS}`]
const WITHIN_MESSAGE = new RegExp(
  `\\b(?:${WISHES.filter((wish) => !ONLY_WHOLE.includes(wish)).join('|')})\\b`,
)

/** Why somebody ends the texts, behind the word that ends them: "STOP - wrong number". */
const REASONS = [
  `(?:you have |you got |this is |its )?(?:the |a )?wrong (?:number|person|phone)`,
  `numero equivocado`,
  `(?:i am |im )?not interested(?: anymore)?`,
  `this is not \\w+`,
  `who is this`,
  `(?:i|we) (?:have |already )?(?:moved(?: away)?|left the \\w+)`,
  `(?:i|we) (?:do not|dont) (?:know (?:you|who this is)|train (?:here|there)(?: anymore)?)`,
  `no longer (?:a )?(?:student|member|interested)`,
]
const REASON = new RegExp(`^(?:${REASONS.join('|')})$`)
const STOP_FOR_REASON = new RegExp(
  `^(?:stop|stop all|unsubscribe|opt out|quit) (?:${REASONS.join('|')})$`,
)

/** Nothing of these ends the texts by itself: a wrong number, "I want this to stop", "Take Leo off the texting list". */
const HINTS = new RegExp(
  [
    `\\bwrong (?:number|person)\\b`,
    `\\bnumero equivocado\\b`,
    `\\b(?:want|like|need|make|wish) (?:this|these|them|you|all (?:of )?this) to stop\\b`,
    `\\b(?:remove|take|drop) \\w+(?: \\w+)? (?:off|from) ${WHICH}(?:text|texting|sms|message|messaging) lists?\\b`,
    `^stop (?:it|this|that)$`,
  ].join('|'),
)
/** Who asks for the contrary, or asks whether texts have stopped. */
const NO_WISH =
  /\b(?:do not|dont|never|wont|will not|cannot|cant|not|did(?: you| they)?|why did you)(?: \w+)? (?:stop|end|cancel|quit|unsubscribe)(?: \w+)*?(?= but | and |$)/g

/** The text as it was meant: full-width and other styled letters become plain ones, and marks that nobody sees go, with accents. */
export const plainLetters = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\p{Cf}\p{M}\p{Cc}\u115F\u1160\u3164]+/gu, (marks) =>
      /[\n\r\t]/.test(marks) ? '\n' : '',
    )

/** Lower-case words without signs; an apostrophe joins what it stands between. */
const wordsOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/(?<=\p{L})['’‘ʼ`´](?=\p{L})/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const isStopWord = (words: string): boolean => {
  const word = words.replaceAll(' ', '')
  return STOP_WORDS.has(word) || /^(?:stop){2,}$/.test(word)
}

/** A request apart from its politeness; a word that is ambiguous counts only as it stands. */
const isRequest = (words: string): boolean =>
  (isStopWord(words) && !AMBIGUOUS.has(words)) || WHOLE_WISH.test(words)

/** "STOP - wrong number", "Stop, we moved". */
function endsForReason(sentences: readonly string[]): boolean {
  const [first = '', ...reasons] = sentences
  return (
    reasons.length > 0 &&
    isRequest(first) &&
    reasons.every((reason) => isRequest(reason) || REASON.test(reason))
  )
}

const SENTENCE_END = /[.!?,;:\n()–—]+|\s-+\s*/

const withoutPoliteness = (words: string) => words.replace(POLITE, ' ').replace(/\s+/g, ' ').trim()

/** Tells whether a text ends the texts, contains a wish to end them, or neither. */
export function optOutWish(text: string): OptOutWish {
  const plain = plainLetters(text)
  const words = wordsOf(plain)
  const request = withoutPoliteness(words)
  if (isStopWord(words) || isRequest(request) || STOP_FOR_REASON.test(request)) return 'ends-texts'
  const sentences = plain
    .split(SENTENCE_END)
    .map((sentence) => withoutPoliteness(wordsOf(sentence)))
    .filter((sentence) => sentence !== '')
  if (endsForReason(sentences)) return 'ends-texts'
  const affirmed = request.replace(NO_WISH, ' ')
  const isWish =
    AMBIGUOUS.has(request) ||
    sentences.some((sentence) => isRequest(sentence)) ||
    WITHIN_MESSAGE.test(affirmed) ||
    HINTS.test(affirmed)
  return isWish ? 'asks-to-end' : null
}
