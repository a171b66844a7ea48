import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withPlainLetters, normalizeWords } from './message-words.ts'
import { REASONS, REQUESTS } from './opt-out-requests.ts'
import { COMPLAINTS, UNCLEAR_REQUESTS } from './opt-out-unclear-requests.ts'
import { FILLER_WORDS, type Rule } from './opt-out-vocabulary.ts'
import { detectOptOut } from './opt-out-words.ts'

/** Messages that people write to a school, one per line. A ⏎ within a message is a line break. */
const readExamples = (file: string) =>
  readFileSync(join(import.meta.dirname, '../../test/opt-out-examples', file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.replaceAll('⏎', '\n'))
const CLEAR_EXAMPLES = readExamples('clear.txt')
const UNCLEAR_EXAMPLES = readExamples('unclear.txt')
const OTHER_EXAMPLES = readExamples('other.txt')

const CARRIER_WORDS = [
  'stop',
  'Stop.',
  'STOP!!',
  'quit',
  'end',
  'cancel',
  'revoke',
  'optout',
  'Unsubscribe.',
  'stopall',
]
const OTHER_SPELLINGS = [
  'opt out',
  'OPT-OUT',
  'Opt–out',
  'STOP ALL',
  'stop-all',
  'S T O P',
  'STOP STOP STOP',
  '“Stop”',
  'stop 🛑',
  '\nSTOP\n',
  'ＳＴＯＰ',
  'ｏｐｔ ｏｕｔ',
  '𝐒𝐓𝐎𝐏',
  'S\u200BTOP',
  'ST\u00ADOP',
  'STOP\uFE0F',
  '\u202ESTOP',
  'Alto',
  'PARAR',
  'Arrête',
  'STOPP',
  'STPO',
  'st0p',
  // Cyrillic letters that look like Latin ones.
  'ѕtор',
  'unsub',
]
const OTHER_LANGUAGES = [
  ...['alto', '¡Alto!', 'parar', 'pare', 'detener', 'BAJA', 'arrêt', 'arret', 'Arrêtez !'],
  ...['désabonner', 'Abmelden', 'стоп', 'СТОП', 'Стоп!', 'стоп стоп', 'ст\u00ADоп', 'Отписка'],
  ...['στοπ', '停止', '退订', 'ストップ', '수신거부', 'توقف', 'إيقاف', 'הסר', 'ＰＡＲＡＲ'],
]
const CLEAR_REQUESTS = [
  'please stop',
  'stop please',
  'Pls stop, thanks',
  'ok stop',
  'STOP - wrong number',
  'STOP wrong number',
  'Stop. Wrong number.',
  'STOP, we moved',
  'stop texting me',
  'Stop texting!',
  'Could you stop texting me?',
  'stop sending these messages',
  'Stop the texts',
  'end texts',
  "don't text me anymore",
  'Don’t text me again',
  'Do not send me any more messages',
  'do not contact me',
  'no more texts',
  'No more messages please',
  'unsubscribe me',
  'opt me out',
  'I want to opt out',
  'remove me from this list',
  'take me off your list',
  'remove my number',
  'I no longer want to receive texts',
  'I revoke my consent',
  'Leave me alone',
  'No me mande más mensajes',
  'Ya no quiero mensajes',
  'STOP HARASSING ME',
  'stop fucking texting me',
  'turn off texts',
  'turn off these messages',
  'Turn the texts off',
  'stop spam',
]
const UNCLEAR_MESSAGES = [
  'We moved to Dallas last month. Please stop.',
  'We moved to Dallas, so please stop texting us about Leo’s classes',
  'Wrong number',
  'I have asked you three times to stop sending me these texts',
  'take Leo off the texting list',
  'I want this to stop',
  'Can you please stop texting my husband and text me instead?',
  'Leo is sick today. Also stop texting grandma',
  'Please opt me out of the fee reminders',
  'Please remove me from your list, my son quit karate in May',
  'stop it',
  'stop me',
  'stop both',
  'Stop fee reminders',
  'please cancel',
  'Wrong #',
  'wrong nmber',
  'I never signed up for this',
  'I did not agree to texts',
  'I am reporting this as spam',
  'I will sue you if you text me again',
  'i do not consent',
  'no consent',
  'no text',
  'no texts',
  'no messages',
  'no more',
  'fin',
  'Basta',
  'Хватит!',
  'отмена',
  '取消',
]
const OTHER_MATTERS = [
  'Can we stop by tomorrow?',
  'we will stop by',
  'Please stop by, we found your belt',
  "Don't stop the class for us",
  'The bus stop is blocked',
  'Stop sign at Main is out',
  'nonstop',
  'end of class when?',
  'Can Leo stop karate next month?',
  'Please cancel my membership',
  'Can I cancel for Saturday?',
  'We are sick. Cancel please.',
  'Leo quit soccer',
  'Take Leo off the list for Saturday',
  'Please don’t stop the texts',
  'Did you stop texting? I got none',
  'I got no texts this week',
  'No more soda for Leo please',
  "don't text me the address, email it",
  'stop, drop and roll',
  'remove me from the waiting list',
  'Opt out of the tournament please',
  'stop by',
  'Stop karate',
  'Sue is sick',
  'I never agreed to pay this',
  'Alto is his last name',
  'We are from Baja California',
  'Автобус стоп на углу',
  'Fin is sick today',
  'OUT',
  'yes',
  'No thanks',
]

const detectAll = (texts: readonly string[]) =>
  texts.map((text) => `${text}: ${detectOptOut(text)}`)
const expectedResults = (texts: readonly string[], request: string) =>
  texts.map((text) => `${text}: ${request}`)

test.each([
  ['the carriers’ words', CARRIER_WORDS],
  ['other spellings, styled letters and hidden marks', OTHER_SPELLINGS],
  ['words of other languages', OTHER_LANGUAGES],
  ['clear requests', CLEAR_REQUESTS],
  ['requests with a reason, a name or a signature', CLEAR_EXAMPLES],
])('ends the texts after %s', (_, texts) => {
  expect(detectAll(texts)).toEqual(expectedResults(texts, 'clear'))
})

test('leaves an unclear message, long or short, to the instructor', () => {
  expect(detectAll(UNCLEAR_MESSAGES)).toEqual(expectedResults(UNCLEAR_MESSAGES, 'unclear'))
  expect(detectAll(UNCLEAR_EXAMPLES)).toEqual(expectedResults(UNCLEAR_EXAMPLES, 'unclear'))
})

test('ignores a message about something else', () => {
  expect(detectAll(OTHER_MATTERS)).toEqual(expectedResults(OTHER_MATTERS, 'null'))
  expect(detectAll(OTHER_EXAMPLES)).toEqual(expectedResults(OTHER_EXAMPLES, 'null'))
})

const RULES: [string, readonly Rule[]][] = [
  ['request', REQUESTS],
  ['reason', REASONS],
  ['unclear request', UNCLEAR_REQUESTS],
  ['complaint', COMPLAINTS],
]
test.each(RULES)('each %s rule matches its example', (_, rules) => {
  const normalize = (text: string) =>
    normalizeWords(withPlainLetters(text))
      .replace(new RegExp(`\\b(?:${FILLER_WORDS})\\b`, 'g'), ' ')
      .replace(/\s+/g, ' ')
      .trim()
  const rulesWithoutMatch = rules.filter(
    ({ example, pattern }) => !new RegExp(pattern).test(normalize(example)),
  )
  expect(rulesWithoutMatch).toEqual([])
})

test('handles long nonsense in less than a second', () => {
  const longTexts = ['stop all the texts to me ', 'dont stop ', '-–—', "a'", 'please ', 'stop'].map(
    (part) => part.repeat(16_000 / part.length),
  )
  const start = performance.now()
  longTexts.forEach((text) => detectOptOut(text))
  expect(performance.now() - start).toBeLessThan(1000)
})
