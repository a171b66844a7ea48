import {
  ADVERB,
  DETERMINERS,
  LIST,
  ME_OR_MY_NUMBER,
  MY_NUMBER,
  NEGATION,
  RECIPIENT,
  ADDRESS_BOOK,
  TEXTING,
  TEXTS,
  TEXTS_LIST_OR_ALL,
  TEXTS_OR_LIST,
  STOP_VERB,
  TEXT_VERB,
  createRules,
  type Rule,
} from './opt-out-vocabulary.ts'

/** Words that may come before a request: "Can you", "I want you to". */
export const OPENING =
  '(?:i said|again|ok|okay|yes|no|yeah|(?:can|could|will|would) (?:you|' +
  'u)|(?:you|u) (?:can|may|should|must|need to|have to)|(?:i|we) (?:want|need|would like|ask|' +
  'asked|am asking) (?:you|u) to|(?:id|wed) like (?:you|u) to|im asking (?:you|u) to)'

/** Requests that must be the whole sentence: "Don't text while driving" is not a request. */
export const WHOLE_SENTENCE_REQUESTS = createRules({
  "Don't ever text me again": [
    `${NEGATION} (?:(?:call|email) (?:or|and) )?${TEXT_VERB}(?: (?:or|and) (?:call|`,
    `email|${TEXT_VERB}))?(?: ${RECIPIENT}){0,2}${ADVERB}`,
  ],
  'No SMS': 'no sms',
  'I said stop': '(?:ok|okay|yes|no|i said|again) stop',
  'Reply STOP': '(?:reply|text|send|txt) stop',
})

/** Requests that end the texts if the message says nothing else. */
export const REQUESTS: readonly Rule[] = [
  ...WHOLE_SENTENCE_REQUESTS,
  ...createRules({
    'Stop the texts': [
      `(?:${STOP_VERB}|cancel) (?:it )?(?:with )?${DETERMINERS}${TEXTS}(?: `,
      `(?:to )?${RECIPIENT})?(?: from you)?${ADVERB}`,
    ],
    'Stop sending me these messages': [
      `${STOP_VERB} (?:it )?(?:with )?${DETERMINERS}${TEXTING}(?: ${DETERMINERS}${TEXTS})?(?: `,
      `(?:to )?${RECIPIENT})?(?: (?:${DETERMINERS}${TEXTS}|these|this|those))?${ADVERB}`,
    ],
    'Turn off these messages': [
      `(?:turn|switch) (?:off ${DETERMINERS}(?:${TEXTS}|`,
      `texting)|${DETERMINERS}${TEXTS} off)`,
    ],
    'Do not send me any more messages': [
      `${NEGATION} send (?:${RECIPIENT} )?${DETERMINERS}(?:${TEXTS}|anything)(?: `,
      `(?:to )?${RECIPIENT})?${ADVERB}`,
    ],
    'No more text messages from you': [
      `no (?:more|further) ${DETERMINERS}${TEXTS}(?: to ${RECIPIENT})?(?: from (?:you|this `,
      `number))?`,
    ],
    'I no longer want to receive texts': [
      '(?:i |we )?(?:do not|dont|no longer) (?:want|wish|need|agree|consent|care)(?: to)?(?: ',
      `(?:get|getting|receive|receiving|have|be sent))? ${DETERMINERS}${TEXTS}(?: from `,
      '(?:you|this ',
      `number))?${ADVERB}`,
    ],
    "I don't want to be texted": [
      '(?:i |we )?(?:do not|dont|no longer) (?:want|wish|agree|consent) to be (?:texted|',
      `contacted|messaged)${ADVERB}`,
    ],
    'Opt me out of your texts': [
      '(?:unsubscribe|unsubscribed|unsub|desubscribe|opt|opting) (?:me|us|this number|my ',
      `number)(?: out)?(?: (?:from|of) ${TEXTS_OR_LIST})?`,
    ],
    'I am opting out of texts': [
      '(?:(?:i|we|i am|im|we are) )?(?:unsubscribe|unsubscribing|opt out|opting out|optout)(?: ',
      `all| (?:from|of) ${TEXTS_LIST_OR_ALL})?`,
    ],
    'I want to opt out': [
      '(?:(?:i|we) )?(?:want|would like|wish|need|id like|wed like|like) to (?:opt out|',
      `unsubscribe)(?: (?:from|of) ${TEXTS_OR_LIST})?`,
    ],
    'I want to stop getting texts': [
      '(?:(?:i|we) )?(?:want|would like|wish|need|id like|wed like|like) to (?:stop ',
      `(?:receiving |getting )?${DETERMINERS}${TEXTS}|be (?:removed|taken off) `,
      `(?:from )?${TEXTS_OR_LIST})`,
    ],
    'We withdraw our consent to texts': [
      `(?:(?:i|we) )?(?:revoke|withdraw) (?:my |our `,
      `)?consent(?: to ${DETERMINERS}${TEXTS})?`,
    ],
    'Take me off your list': [
      `(?:remove|delete|take|drop|get|scratch) (?:${ME_OR_MY_NUMBER} (?:off|from|out of) `,
      `(?:of )?${DETERMINERS}(?:${LIST}|${TEXTS})|${MY_NUMBER} (?:from|out `,
      `of) ${DETERMINERS}${ADDRESS_BOOK})`,
    ],
    'Delete my number': `(?:remove|delete|lose|forget|erase) ${MY_NUMBER}`,
    'Leave me alone': 'leave (?:me|us) alone',
    'No me mande más mensajes': [
      'no (?:me |nos )?(?:mande|manden|mandes|envie|envien|envies|escriba|escriban|escribas|',
      `contacte|contacten)(?: mas)?(?: ${TEXTS})?`,
    ],
    'Para de enviarme mensajes': [
      '(?:dejen|deje|deja|paren|pare|para) de (?:mandar|enviar|escribir)(?:me|nos)?(?: ',
      `mas)?(?: ${TEXTS})?`,
    ],
    'No quiero recibir más mensajes': `no (?:quiero |queremos )?(?:recibir )?mas ${TEXTS}`,
    'Ya no quiero mensajes': `no (?:quiero|queremos) (?:recibir )?${TEXTS}`,
    'Quiero dejar de recibir mensajes': [
      `(?:quiero |queremos )?dejar de recibir (?:sus `,
      `|los |estos |mas )?${TEXTS}`,
    ],
    'Quiero darme de baja': '(?:quiero )?(?:darme|dar|denme|deme|dame) de baja',
    'Quítenme de la lista': '(?:quiten|quite|borren|borre|elimine|eliminen)me de (?:la |su )?lista',
    "Arrêtez de m'envoyer des messages": [
      '(?:arrete|arretez|cessez) de (?:menvoyer|mecrire|me contacter)(?: (?:des|ces|vos|',
      `de))?(?: ${TEXTS})?`,
    ],
    "Ne m'envoyez plus de messages": `(?:ne )?menvoyez plus(?: (?:de|des|vos|ces))?(?: ${TEXTS})?`,
    'Pare de me enviar mensagens': `(?:pare|parem) de me (?:enviar|mandar)(?: ${TEXTS})?`,
    'Não quero receber mensagens': `nao quero (?:mais )?(?:receber )?(?:mais )?${TEXTS}`,
  }),
]

/** Reasons of strangers, which may come before or after the request: "Wrong number, stop". */
export const STRANGER_REASONS = createRules({
  'You have the wrong number': [
    '(?:(?:you|u) have |youve |(?:you|u) got |(?:you|u) are |this is |it is |its |i think ',
    ')*(?:the |a )?wrong (?:number|person|phone)',
  ],
  'Número equivocado': 'numero equivocado',
  'Who is this': '(?:who is|whos) this',
  "I don't know you": '(?:i|we) (?:do not|dont) know (?:you|who this is)',
})

/** Reasons that may only come after the request, unless a stranger gives them: "Stop, we moved". */
export const REASONS: readonly Rule[] = [
  ...STRANGER_REASONS,
  ...createRules({
    "I'm not interested anymore": '(?:i am |im )?not interested(?: anymore)?',
    'This is not Anna': 'this is not \\w+',
    'We moved away': '(?:i|we) (?:have |already )?(?:moved(?: away)?|left the \\w+)',
    "We don't train here anymore": '(?:i|we) (?:do not|dont) train (?:here|there)(?: anymore)?',
    'No longer a student': '(?:i am |im )?no longer (?:a )?(?:student|member|interested)',
  }),
]
