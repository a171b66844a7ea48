/** The pattern is matched against a message after `normalizeWords`, without filler words. */
export type Rule = { example: string; pattern: string }

/** The keys are examples, and the values are patterns. A long pattern is split into parts. */
export const createRules = (patterns: Record<string, string | readonly string[]>): Rule[] =>
  Object.entries(patterns).map(([example, parts]) => ({
    example,
    pattern: [parts].flat().join(''),
  }))

export const joinPatterns = (rules: readonly Rule[]): string =>
  `(?:${rules.map(({ pattern }) => pattern).join('|')})`

/** Stop words, also with typing errors. "Opt-out" and "Stop all" match "optout" and "stopall". */
export const STOP_WORDS: readonly string[] = [
  ...['stop', 'stopall', 'unsubscribe', 'unsub', 'cancel', 'end', 'quit', 'revoke', 'optout'],
  ...['alto', 'parar', 'pare', 'cancelar', 'detener', 'arret', 'arrete', 'arretez', 'arreter'],
  ...['cease', 'desubscribe', 'desuscribir', 'stpo', 'sotp', 'tsop', 'stahp', 'otpout'],
  ...['unsuscribe', 'unsubcribe', 'unsubscibe', 'unsubscrib'],
]

/** Stop words in other languages. They count only if the message says nothing else. */
export const FOREIGN_STOP_WORDS: readonly string[] = [
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

/** On their own, these end the texts. With "please", they may be about a class or a membership. */
export const UNCLEAR_WORDS: readonly string[] = ['cancel', 'end', 'cancelar']

/** "Cancel", "end" and "enough" in other languages, which may be about something else. */
export const FOREIGN_UNCLEAR_WORDS: readonly string[] = [
  ...['fin', 'basta', 'borrar', 'eliminar', 'salir', 'sair', 'remover', 'terminar', 'annuler'],
  ...['dejar de recibir', 'no quiero más', 'keine nachrichten mehr', 'abbrechen', 'iptal', 'dur'],
  ...['отмена', 'хватит', 'не надо', 'скасувати', 'досить', '取消', '취소', 'الغاء', 'בטל'],
]

/** Words around a request that do not change its meaning. */
export const FILLER_WORDS = [
  'please|pls|plz|plse|kindly|just|por favor|s il vous plait|sil vous plait|svp|bitte',
  '(?:and )?(?:thanks(?: so much| a lot)?|thank (?:you|u)(?: so much| very much)?|thx|ty|' +
    'gracias|merci)',
  'hi|hello|hey|sorry|sir|maam|guys|omg|wtf',
  'now|asap|immediately|right away|forever|already|ahora|ya',
  'fucking|fuckin|freaking|damn|goddamn|bloody|the hell|the fuck',
].join('|')

export const TEXTS =
  '(?:(?:text|txt|sms) (?:messages?|msgs?|alerts?|reminders?|notifications?)|texts?|txts?|' +
  'messages?|msgs?|sms|notifications?|alerts?|reminders?|spam|mensajes?|textos?|mensagens)'
export const DETERMINERS =
  '(?:(?:all|any|more|further|of|the|these|those|this|your|such|me|us|to) )*'
export const TEXTING =
  '(?:texting|txting|txtin|textin|messaging|msging|contacting|spamming|bothering|pestering|' +
  'harassing|annoying|bugging|notifying|sending)'
export const TEXT_VERB = '(?:text|txt|message|msg|contact|sms)'
export const MY_NUMBER = '(?:this|my|our) (?:phone number|number|phone|cell)'
export const RECIPIENT = `(?:me|us|here|(?:to |at )?${MY_NUMBER})`
export const ANYMORE = '(?:ever again|again|anymore|any more|any longer|no more|ever|at all)'
export const ADVERB = `(?: ${ANYMORE})?`
export const LIST =
  '(?:(?:text|texting|sms|message|messaging|mailing|contact|contacts|distribution|phone) )?lists?'
export const ADDRESS_BOOK = '(?:system|database|records|contacts|phone|files)'
export const ME_OR_MY_NUMBER = `(?:me|us|${MY_NUMBER}|(?:my|our) (?:name|info|information|contact))`
export const DO_NOT = '(?:do not|dont|donot|dnt|never|you (?:can|must|may|should) not)'
export const NEGATION = `${DO_NOT}(?: (?:you|ever|even|dare|bother|try|keep|to)){0,3}`
export const TEXTS_OR_LIST = `${DETERMINERS}(?:${TEXTS}|${LIST})`
export const TEXTS_LIST_OR_ALL = `${DETERMINERS}(?:${TEXTS}|${LIST}|everything|all)`
export const STOP_VERB = '(?:stop|stpo|quit|cease|end|discontinue|halt|terminate|mute|silence)'
const PRONOUNS = 'everything|all|it|this|that|these|those|them'
export const TEXTS_OR_PRONOUN = `${DETERMINERS}(?:${TEXTS}|${LIST}|${PRONOUNS})`
