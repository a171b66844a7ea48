import { regex } from './patterns.ts'

const TEXT = /\b(texts?|texting|sms|mms|text messag\w*|messages?|messaging|tcpa)\b/
const BARE_TEXT = /^(texts?|texting|sms|text messag\w*)$/
const EMAIL = /\be ?mails?\b/
const CHANNEL = /\b(mobile|cell|phone|marketing|communications?|contact)\b/
const UNRELATED_TOPIC = regex()`
  \b(photos?|images?|videos?|media|medical|treatment|waiver|liability|privacy|data|gdpr|address
  |birthday|parental|travel|card|payment|billing|email id|number of|count|sent|last|id)\b`

const NEGATIVE = regex()`
  \b(opt(s|ed|ing)? ?out|unsubscribed?|unsubscription|stop(s|ped)?|block(s|ed)?|declined?
  |refuse[sd]?|revoked?|disabled?|off|do not|dont|don t|no|not|never|exclude[sd]?|excluded from
  |suppress(ed|ion)?|mute[sd]?|without)\b`
/** Alone in a heading, these are about texts. */
const BARE_NEGATIVE = regex()`
  ^(has |have |is )?((opt(ed)? ?out|unsubscribed?|dnt|dnc|do not (contact|call|disturb|message)
  |no contact)( (date|on|at|since))?|stop)$`
const STRONG_NEGATIVE = regex()`
  \b(opt(s|ed)? ?out|unsubscribed?|do not (contact|call)|(do not|dont|don t|no) (marketing
  |contact|communications?))\b`
const POSITIVE = regex()`
  \b(consent(s|ed)?|permissions?|ok|okay|allow(s|ed)?|can|may|agree[sd]?|accept(s|ed)?|receives?
  |wants?|send|enabled?|on|notif(y|ied|ications?)|alerts?|reminders?|subscribed?|subscription
  |authorized?|authorization|opt(s|ed)? ?in|by|via|preferences?|status|yes|updates?|marketing
  |approved?|scheduled?|account)\b`
const STRONG_POSITIVE =
  /\b(consent(s|ed)?|opt(s|ed)? ?in|permission|subscribed?|authorization|authorized)\b/
const BARE_POSITIVE =
  /^(has |have |is )?(consent(s|ed)?|opt(ed)? ?in|subscribed)( (date|on|at|since))?$/

export function isNoTextsHeading(words: string): boolean {
  if (BARE_NEGATIVE.test(words)) return true
  if (isUnrelated(words)) return false
  if (TEXT.test(words)) return NEGATIVE.test(words)
  return CHANNEL.test(words) && STRONG_NEGATIVE.test(words)
}

export function isTextConsentHeading(words: string): boolean {
  if (BARE_POSITIVE.test(words) || BARE_TEXT.test(words)) return true
  if (isUnrelated(words)) return false
  if (TEXT.test(words)) return POSITIVE.test(words)
  return CHANNEL.test(words) && STRONG_POSITIVE.test(words)
}

/** "Email opt out" is not about texts. "Email and SMS opt out" is. */
const isUnrelated = (words: string) =>
  UNRELATED_TOPIC.test(words) || (EMAIL.test(words) && !/\b(texts?|texting|sms)\b/.test(words))

const CONTACT_PREFERENCE = regex()`
  \b(preferred|preferences?|best)\b.*\b(contact|communications?)\b|\b(contact|communications?
  |notification)\b.*\b(preferences?|methods?)\b|^(contact|notify) (by|via)$`
const CONTACT_DETAIL = /\b(name|numbers?|phone|times?|address|relation\w*)\b|\be ?mail\b/
export const isContactPreferenceHeading = (words: string): boolean =>
  CONTACT_PREFERENCE.test(words) && !CONTACT_DETAIL.test(words)

/** "Cell (OK to text)" may be a column of numbers. */
export const mayHoldNumbers = (words: string): boolean =>
  /\b(cell|mobile|phone|number)\b/.test(words) || BARE_TEXT.test(words)
