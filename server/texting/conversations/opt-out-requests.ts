import {
  ADVERB,
  DETERMINERS,
  LIST,
  ME_OR_MY_NUMBER,
  MY_NUMBER,
  NOT,
  RECIPIENT,
  STORE,
  TEXTING,
  TEXTS,
  TEXTS_LIST_OR_ALL,
  TEXTS_OR_LIST,
  TO_STOP,
  TO_TEXT,
  type Rule,
} from './opt-out-vocabulary.ts'

/** What may stand before a request: "Can you", "I want you to". */
export const OPENING = `(?:i said|again|ok|okay|yes|no|yeah|(?:can|could|will|would) (?:you|u)|(?:you|u) (?:can|may|should|must|need to|have to)|(?:i|we) (?:want|need|would like|ask|asked|am asking) (?:you|u) to|(?:id|wed) like (?:you|u) to|im asking (?:you|u) to)`

/** Each ends the texts where it is all that a message says. */
export const REQUESTS: readonly Rule[] = [
  {
    example: 'Stop the texts',
    pattern: `(?:${TO_STOP}|cancel) (?:it )?(?:with )?${DETERMINERS}${TEXTS}(?: (?:to )?${RECIPIENT})?(?: from you)?${ADVERB}`,
  },
  {
    example: 'Stop sending me these messages',
    pattern: `${TO_STOP} (?:it )?(?:with )?${DETERMINERS}${TEXTING}(?: ${DETERMINERS}${TEXTS})?(?: (?:to )?${RECIPIENT})?(?: (?:${DETERMINERS}${TEXTS}|these|this|those))?${ADVERB}`,
  },
  {
    example: 'Turn off these messages',
    pattern: `(?:turn|switch) (?:off ${DETERMINERS}(?:${TEXTS}|texting)|${DETERMINERS}${TEXTS} off)`,
  },
  {
    example: "Don't ever text me again",
    isWholeOnly: true,
    pattern: `${NOT} (?:(?:call|email) (?:or|and) )?${TO_TEXT}(?: (?:or|and) (?:call|email|${TO_TEXT}))?(?: ${RECIPIENT}){0,2}${ADVERB}`,
  },
  {
    example: 'Do not send me any more messages',
    pattern: `${NOT} send (?:${RECIPIENT} )?${DETERMINERS}(?:${TEXTS}|anything)(?: (?:to )?${RECIPIENT})?${ADVERB}`,
  },
  {
    example: 'No more text messages from you',
    pattern: `no (?:more|further) ${DETERMINERS}${TEXTS}(?: to ${RECIPIENT})?(?: from (?:you|this number))?`,
  },
  { example: 'No SMS', isWholeOnly: true, pattern: 'no sms' },
  { example: 'I said stop', isWholeOnly: true, pattern: '(?:ok|okay|yes|no|i said|again) stop' },
  { example: 'Reply STOP', isWholeOnly: true, pattern: '(?:reply|text|send|txt) stop' },
  {
    example: 'I no longer want to receive texts',
    pattern: `(?:i |we )?(?:do not|dont|no longer) (?:want|wish|need|agree|consent|care)(?: to)?(?: (?:get|getting|receive|receiving|have|be sent))? ${DETERMINERS}${TEXTS}(?: from (?:you|this number))?${ADVERB}`,
  },
  {
    example: "I don't want to be texted",
    pattern: `(?:i |we )?(?:do not|dont|no longer) (?:want|wish|agree|consent) to be (?:texted|contacted|messaged)${ADVERB}`,
  },
  {
    example: 'Opt me out of your texts',
    pattern: `(?:unsubscribe|unsubscribed|unsub|desubscribe|opt|opting) (?:me|us|this number|my number)(?: out)?(?: (?:from|of) ${TEXTS_OR_LIST})?`,
  },
  {
    example: 'I am opting out of texts',
    pattern: `(?:(?:i|we|i am|im|we are) )?(?:unsubscribe|unsubscribing|opt out|opting out|optout)(?: all| (?:from|of) ${TEXTS_LIST_OR_ALL})?`,
  },
  {
    example: 'I want to opt out',
    pattern: `(?:(?:i|we) )?(?:want|would like|wish|need|id like|wed like|like) to (?:opt out|unsubscribe)(?: (?:from|of) ${TEXTS_OR_LIST})?`,
  },
  {
    example: 'I want to stop getting texts',
    pattern: `(?:(?:i|we) )?(?:want|would like|wish|need|id like|wed like|like) to (?:stop (?:receiving |getting )?${DETERMINERS}${TEXTS}|be (?:removed|taken off) (?:from )?${TEXTS_OR_LIST})`,
  },
  {
    example: 'We withdraw our consent to texts',
    pattern: `(?:(?:i|we) )?(?:revoke|withdraw) (?:my |our )?consent(?: to ${DETERMINERS}${TEXTS})?`,
  },
  {
    example: 'Take me off your list',
    pattern: `(?:remove|delete|take|drop|get|scratch) (?:${ME_OR_MY_NUMBER} (?:off|from|out of) (?:of )?${DETERMINERS}(?:${LIST}|${TEXTS})|${MY_NUMBER} (?:from|out of) ${DETERMINERS}${STORE})`,
  },
  { example: 'Delete my number', pattern: `(?:remove|delete|lose|forget|erase) ${MY_NUMBER}` },
  { example: 'Leave me alone', pattern: 'leave (?:me|us) alone' },
  {
    example: 'No me mande más mensajes',
    pattern: `no (?:me |nos )?(?:mande|manden|mandes|envie|envien|envies|escriba|escriban|escribas|contacte|contacten)(?: mas)?(?: ${TEXTS})?`,
  },
  {
    example: 'Para de enviarme mensajes',
    pattern: `(?:dejen|deje|deja|paren|pare|para) de (?:mandar|enviar|escribir)(?:me|nos)?(?: mas)?(?: ${TEXTS})?`,
  },
  {
    example: 'No quiero recibir más mensajes',
    pattern: `no (?:quiero |queremos )?(?:recibir )?mas ${TEXTS}`,
  },
  { example: 'Ya no quiero mensajes', pattern: `no (?:quiero|queremos) (?:recibir )?${TEXTS}` },
  {
    example: 'Quiero dejar de recibir mensajes',
    pattern: `(?:quiero |queremos )?dejar de recibir (?:sus |los |estos |mas )?${TEXTS}`,
  },
  { example: 'Quiero darme de baja', pattern: '(?:quiero )?(?:darme|dar|denme|deme|dame) de baja' },
  {
    example: 'Quítenme de la lista',
    pattern: '(?:quiten|quite|borren|borre|elimine|eliminen)me de (?:la |su )?lista',
  },
  {
    example: "Arrêtez de m'envoyer des messages",
    pattern: `(?:arrete|arretez|cessez) de (?:menvoyer|mecrire|me contacter)(?: (?:des|ces|vos|de))?(?: ${TEXTS})?`,
  },
  {
    example: "Ne m'envoyez plus de messages",
    pattern: `(?:ne )?menvoyez plus(?: (?:de|des|vos|ces))?(?: ${TEXTS})?`,
  },
  {
    example: 'Pare de me enviar mensagens',
    pattern: `(?:pare|parem) de me (?:enviar|mandar)(?: ${TEXTS})?`,
  },
  {
    example: 'Não quero receber mensagens',
    pattern: `nao quero (?:mais )?(?:receber )?(?:mais )?${TEXTS}`,
  },
]

/** Says that a stranger has the phone, before or behind a request: "Wrong number, stop". */
export const STRANGER_REASONS: readonly Rule[] = [
  {
    example: 'You have the wrong number',
    pattern: `(?:(?:you|u) have |youve |(?:you|u) got |(?:you|u) are |this is |it is |its |i think )*(?:the |a )?wrong (?:number|person|phone)`,
  },
  { example: 'Número equivocado', pattern: 'numero equivocado' },
  { example: 'Who is this', pattern: '(?:who is|whos) this' },
  { example: "I don't know you", pattern: '(?:i|we) (?:do not|dont) know (?:you|who this is)' },
]

/** Why somebody ends the texts, only behind the request: "Stop, we moved". */
export const REASONS: readonly Rule[] = [
  ...STRANGER_REASONS,
  { example: "I'm not interested anymore", pattern: '(?:i am |im )?not interested(?: anymore)?' },
  { example: 'This is not Anna', pattern: 'this is not \\w+' },
  {
    example: 'We moved away',
    pattern: '(?:i|we) (?:have |already )?(?:moved(?: away)?|left the \\w+)',
  },
  {
    example: "We don't train here anymore",
    pattern: '(?:i|we) (?:do not|dont) train (?:here|there)(?: anymore)?',
  },
  {
    example: 'No longer a student',
    pattern: '(?:i am |im )?no longer (?:a )?(?:student|member|interested)',
  },
]
