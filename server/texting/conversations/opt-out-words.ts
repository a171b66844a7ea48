/**
 * What counts as a request for no more texts. In the United States a person may end texts "by any
 * reasonable means" (47 CFR 64.1200(a)(10), the FCC's rule on revoking consent): stop, quit, end,
 * revoke, opt out, cancel and unsubscribe end them as they stand, and other words do where a
 * reasonable person would understand them so. A clear request ends the texts at once. An unclear one
 * waits for the instructor, however short it is, because it may also be about a class or a
 * membership.
 */
type OptOutRequest = 'clear' | 'unclear' | null

/**
 * The carriers' words, and the Spanish and French ones that phones send. Spaces and hyphens within
 * them do not matter: "opt-out", "Stop all".
 */
const STOP_WORDS = new Set([
  'stop',
  'stopall',
  'unsubscribe',
  'unsub',
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
  'arrete',
  'arretez',
  'arreter',
  // Slips of a finger.
  'stpo',
  'sotp',
  'tsop',
])
/** Words of other languages that their carriers or laws know. Like the others they stand alone. */
const FOREIGN_STOP_WORDS = [
  // Spanish and Portuguese
  ...['baja', 'paren', 'detenga', 'detengan', 'detén'],
  // French and German
  ...['désabonner', 'désabonnement', 'désinscrire', 'désinscription', 'abmelden', 'abbestellen'],
  // Russian, Ukrainian and Greek
  ...['стоп', 'остановить', 'остановите', 'прекратите', 'отписка', 'отписаться', 'отпишите'],
  ...['відписатися', 'зупинити', 'στοπ'],
  // Chinese, Japanese and Korean
  ...['停止', '退订', '退訂', 'ストップ', '配信停止', '중지', '수신거부'],
  // Arabic and Hebrew
  ...['توقف', 'إيقاف', 'الغاء الاشتراك', 'הסר', 'עצור'],
]
/** With "please" these may as well be about a class or a membership. */
const UNCLEAR_WORDS = new Set(['cancel', 'end', 'cancelar'])
/** "Cancel", "end" and "enough" in other languages, which their carriers do not reserve. */
const FOREIGN_UNCLEAR_WORDS = [
  ...['fin', 'basta', 'salir', 'sair', 'terminar', 'annuler', 'abbrechen', 'iptal', 'dur'],
  ...['отмена', 'хватит', 'не надо', 'скасувати', 'досить', '取消', '취소', 'الغاء', 'בטל'],
]

/** Words that may stand around a request without changing it. */
const POLITE_WORDS = new RegExp(
  `\\b(?:${[
    'please|pls|plz|plse|kindly|just|por favor',
    'thanks|thank you|thx|ty|gracias',
    'hi|hello|hey|sorry',
    'now|asap|immediately|forever|already|ahora|ya',
    'fucking|fuckin|freaking|damn|goddamn|bloody|the hell|the fuck',
  ].join('|')})\\b`,
  'g',
)

// Parts of the patterns below.
const TEXTS =
  '(?:texts?|text messages?|messages?|msgs?|sms|notifications?|alerts?|reminders?|spam|mensajes?|textos?)'
const DETERMINERS = '(?:(?:all|any|more|further|of|the|these|those|this|your|such|me|us|to) )*'
const TEXTING =
  '(?:texting|messaging|contacting|spamming|bothering|pestering|harassing|annoying|sending)'
const RECIPIENT = '(?:me|us|here|(?:to )?(?:this|my|our) (?:number|phone|cell))'
const ADVERB = '(?: (?:again|anymore|any more|any longer|ever|ever again|at all))?'
const LIST =
  '(?:(?:text|texting|sms|message|messaging|mailing|contact|contacts|distribution|phone) )?lists?'
const SENDER_OR_NUMBER =
  '(?:me|us|(?:this|my|our) (?:number|phone|cell)|(?:my|our|this) phone number)'
const NEGATION = '(?:do not|dont|never|you (?:can|must|may) not)'
const TEXTS_OR_LIST = `${DETERMINERS}(?:${TEXTS}|${LIST})`
const TEXTS_LIST_OR_ALL = `${DETERMINERS}(?:${TEXTS}|${LIST}|everything|all)`

/** Requests, in words without capitals, accents or signs. Each has an example above it. */
const REQUEST_PATTERNS = [
  // Stop the texts
  `(?:stop|quit|cease|end|cancel|discontinue) ${DETERMINERS}${TEXTS}(?: (?:to )?${RECIPIENT})?${ADVERB}`,
  // Stop sending me these messages
  `(?:stop|quit|cease|end|discontinue) (?:with )?${DETERMINERS}${TEXTING}(?: ${DETERMINERS}${TEXTS})?(?: (?:to )?${RECIPIENT})?(?: ${DETERMINERS}${TEXTS})?${ADVERB}`,
  // Turn off these messages
  `(?:turn|switch) (?:off ${DETERMINERS}${TEXTS}|${DETERMINERS}${TEXTS} off)`,
  // Don't text me again, but not "don't text me the address"
  `(?!${NEGATION} (?:text|message)(?: me| us)? (?:the|a|an|my|your|his|her) )${NEGATION} (?:text|message|contact|sms)(?: ${RECIPIENT})?${ADVERB}`,
  // Do not send me any more messages
  `${NEGATION} send (?:${RECIPIENT} )?${DETERMINERS}(?:${TEXTS}|anything)(?: (?:to )?${RECIPIENT})?${ADVERB}`,
  // No more texts to this number
  `no (?:more|further) ${DETERMINERS}${TEXTS}(?: to ${RECIPIENT})?`,
  // Ok stop
  `(?:ok|okay|yes|no) stop`,
  // I no longer want to receive texts
  `(?:i |we )?(?:do not|dont|no longer) (?:want|wish|need|agree|consent)(?: to)?(?: (?:get|getting|receive|receiving|have|be sent))? ${DETERMINERS}${TEXTS}(?: from (?:you|this number))?${ADVERB}`,
  // Opt me out of your texts
  `(?:unsubscribe|unsubscribed|opt|opting) (?:me|us|this number|my number)(?: out)?(?: (?:from|of) ${TEXTS_OR_LIST})?`,
  // Unsubscribe from everything
  `(?:unsubscribe|unsubscribing|opt out|opting out|optout)(?: (?:from|of) ${TEXTS_LIST_OR_ALL})?`,
  // I want to opt out
  `(?:(?:i|we) )?(?:want|would like|wish|need|id like|like) to (?:opt out|unsubscribe|stop|be removed)(?: (?:from|of|receiving|getting) ${TEXTS_OR_LIST})?`,
  // We withdraw our consent to texts
  `(?:i|we) (?:revoke|withdraw) (?:my |our )?consent(?: to ${DETERMINERS}${TEXTS})?`,
  // Revoke my consent
  `(?:revoke|withdraw) (?:my |our )?consent`,
  // Take me off your list
  `(?:remove|delete|take|drop) ${SENDER_OR_NUMBER}(?: (?:off|from|out of) ${DETERMINERS}(?:${LIST}|${TEXTS}))?(?: off)?`,
  // Lose my number
  `(?:lose|forget) (?:my|this) number`,
  // Leave me alone
  `leave (?:me|us) alone`,
  // No me mande más mensajes
  `no (?:me |nos )?(?:mande|manden|mandes|envie|envien|envies|escriba|escriban|escribas)(?: mas)?(?: ${TEXTS})?`,
  // Dejen de enviarme mensajes
  `(?:dejen|deje|deja|paren|pare) de (?:mandar|enviar|escribir)(?:me|nos)?(?: mas)?(?: ${TEXTS})?`,
  // No quiero recibir más mensajes
  `no (?:quiero |queremos )?(?:recibir )?mas ${TEXTS}`,
  // Ya no quiero mensajes
  `no (?:quiero|queremos) (?:recibir )?${TEXTS}`,
  // Darme de baja
  `dar(?:me)? de baja`,
  // Quítenme de la lista
  `(?:quiten|quite|borren|borre)me de (?:la |su )?lista`,
]
const WHOLE_REQUEST = new RegExp(
  `^(?:i said |ok |okay |yes |no |can you |could you |will you |would you )*(?:${REQUEST_PATTERNS.join('|')})$`,
)
const REQUEST_WITHIN_MESSAGE = new RegExp(`\\b(?:${REQUEST_PATTERNS.join('|')})\\b`)

/** Why somebody ends the texts, behind the word that ends them: "STOP - wrong number". */
const REASON_PATTERNS = [
  // You have the wrong number
  `(?:you have |you got |this is |its )?(?:the |a )?wrong (?:number|person|phone)`,
  // Número equivocado
  `numero equivocado`,
  // I'm not interested anymore
  `(?:i am |im )?not interested(?: anymore)?`,
  // This is not Anna
  `this is not \\w+`,
  // Who is this
  `who is this`,
  // We moved away
  `(?:i|we) (?:have |already )?(?:moved(?: away)?|left the \\w+)`,
  // We don't train here anymore
  `(?:i|we) (?:do not|dont) (?:know (?:you|who this is)|train (?:here|there)(?: anymore)?)`,
  // No longer a student
  `no longer (?:a )?(?:student|member|interested)`,
]
const REASON = new RegExp(`^(?:${REASON_PATTERNS.join('|')})$`)
const STOP_FOR_REASON = new RegExp(
  `^(?:stop|stop all|unsubscribe|opt out|quit) (?:${REASON_PATTERNS.join('|')})$`,
)

/** What "stop" is about where it is not about texts. */
const OTHER_THINGS =
  '(?:by|in|at|over|sign|signs|watch|drop|here|there|class|classes|lesson|lessons|karate|judo|training|practice|membership|payment|payments)'
const LIKE_TEXTS = `${DETERMINERS}(?:${TEXTS}|${LIST}|everything|all|it|this|that)`
/** None of these ends the texts by itself. */
const UNCLEAR_PATTERNS = new RegExp(
  [
    // Wrong number, wrong nmber
    `\\bwrong (?:number|nmber|numbr|numer|nuber|num|person|phone)\\b`,
    // No more, no texts: these may answer a question.
    `^no (?:more|${TEXTS})$`,
    // Stop me, stop both, stop fee reminders
    `^stop(?! ${OTHER_THINGS}\\b)(?: (?!${OTHER_THINGS}\\b)\\w+){1,3}$`,
    // I never signed up for this
    `\\bnever (?:signed|sign|asked) (?:up )?(?:for|to) (?:get |receive )?${LIKE_TEXTS}\\b`,
    // I did not agree to texts
    `\\b(?:did not|didnt|never|do not|dont) (?:agree|agreed|subscribe|subscribed|sign up) (?:to|for) (?:get |receive )?${LIKE_TEXTS}\\b`,
    // I do not consent
    `\\b(?:did not|didnt|never|do not|dont) (?:consent|consented|give consent)\\b`,
    // No consent
    `^no consent$`,
    // I am reporting this as spam
    `\\breport(?:ing|ed)? (?:this|you|these|your \\w+)\\b`,
    // I will sue you
    `\\b(?:sue you|suing you|harassment)\\b`,
    // If you text me again
    `\\bif (?:you|i) (?:text|message|contact|get) (?:me|us|another|any)\\b`,
    // Número equivocado
    `\\bnumero equivocado\\b`,
    // I want this to stop
    `\\b(?:want|like|need|make|wish) (?:this|these|them|you|all (?:of )?this) to stop\\b`,
    // Take Leo off the texting list
    `\\b(?:remove|take|drop) \\w+(?: \\w+)? (?:off|from) ${DETERMINERS}(?:text|texting|sms|message|messaging) lists?\\b`,
    // Stop it
    `^stop (?:it|this|that)$`,
  ].join('|'),
)
/** Asks for the contrary, or whether the texts have stopped: "Please do not stop the texts". */
const CONTRARY_REQUEST =
  /\b(?:do not|dont|never|wont|will not|cannot|cant|not|did(?: you| they)?|why did you)(?: \w+)? (?:stop|end|cancel|quit|unsubscribe)(?: \w+)*?(?= but | and |$)/g

/** "The fee reminders" as well as "the texts". */
const TEXTS_OF_A_KIND = `(?:${LIKE_TEXTS}|${DETERMINERS}\\w+ (?:${TEXTS}|lists?(?<!wait(?:ing)? list)))`
/** Asks for an end of something else: "Opt out of the tournament", "Stop, drop and roll". */
const OTHER_REQUEST = new RegExp(
  [
    `\\b(?:opt|opting)(?: me| us)? out (?:of|from) (?!${TEXTS_OF_A_KIND}\\b)`,
    `\\b(?:remove|delete|take|drop) (?:me|us) (?:off|from|out of) (?!${TEXTS_OF_A_KIND}\\b)`,
    `\\bstop drop and roll\\b`,
  ].join('|'),
  'g',
)

/** Cyrillic letters that look like Latin ones, and the zero for an O. */
const LATIN_LETTERS: Record<string, string> = {
  а: 'a',
  е: 'e',
  о: 'o',
  р: 'p',
  с: 'c',
  у: 'y',
  х: 'x',
  і: 'i',
  ѕ: 's',
  т: 't',
}
const withLatinLetters = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[аеорсухіѕт]/g, (letter) => LATIN_LETTERS[letter] ?? letter)
    .replace(/(?<=\p{L})0(?=\p{L})/gu, 'o')
    .replace(/\bwrong\s*#/g, 'wrong number')

/**
 * The text as it was meant: full-width and other styled letters become plain ones, and marks that
 * nobody sees go, with accents.
 */
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

/** The words as `detectOptOut` reads them, in which a Cyrillic о is a Latin one. */
const wordsAsRead = (text: string): string => wordsOf(withLatinLetters(plainLetters(text)))
const foreignStopWords = new Set(FOREIGN_STOP_WORDS.map(wordsAsRead))
const foreignUnclearWords = new Set(FOREIGN_UNCLEAR_WORDS.map(wordsAsRead))

const isStopWord = (words: string): boolean => {
  const word = words.replaceAll(' ', '')
  const [first = '', ...others] = words.split(' ')
  const isRepeated = others.every((other) => other === first)
  return (
    STOP_WORDS.has(word) ||
    /^(?:sto+p+)+$/.test(word) ||
    foreignStopWords.has(isRepeated ? first : words)
  )
}

/** A request apart from its politeness; a word that is unclear counts only as it stands. */
const isRequest = (words: string): boolean =>
  (isStopWord(words) && !UNCLEAR_WORDS.has(words)) || WHOLE_REQUEST.test(words)

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

const withoutPoliteness = (words: string) =>
  words.replace(POLITE_WORDS, ' ').replace(/\s+/g, ' ').trim()

/** Tells whether a text asks clearly for no more texts, may ask for it, or does not. */
export function detectOptOut(text: string): OptOutRequest {
  const plain = withLatinLetters(plainLetters(text))
  const words = wordsOf(plain)
  const request = withoutPoliteness(words)
  if (isStopWord(words) || isRequest(request) || STOP_FOR_REASON.test(request)) return 'clear'
  const sentences = plain
    .split(SENTENCE_END)
    .map((sentence) => withoutPoliteness(wordsOf(sentence)))
    .filter((sentence) => sentence !== '')
  if (endsForReason(sentences)) return 'clear'
  const requestWithoutContrary = request.replace(CONTRARY_REQUEST, ' ').replace(OTHER_REQUEST, ' ')
  const isAboutSomethingElse = request.startsWith('stop drop')
  const isUnclear =
    UNCLEAR_WORDS.has(request) ||
    foreignUnclearWords.has(request) ||
    (!isAboutSomethingElse && sentences.some((sentence) => isRequest(sentence))) ||
    REQUEST_WITHIN_MESSAGE.test(requestWithoutContrary) ||
    UNCLEAR_PATTERNS.test(requestWithoutContrary)
  return isUnclear ? 'unclear' : null
}
