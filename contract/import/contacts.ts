import type { Relation } from '../guardians/guardians.ts'
import { type CellWithoutAsides, removeAsides, removePhrase } from './asides.ts'
import { NO_TEXTS } from './opt-outs.ts'
import { normalizeText } from './values.ts'
import { joinLines, regex } from './patterns.ts'

/** A guardian can see a child's data and pays for the child. When in doubt, we add no guardian. */

const DO_NOT = joinLines`
  do not|don t|dont|donot|never|must not|may not|cannot|can not|can t|cant|not to|not allowed to
  |not authorized to|not permitted to`
const FORBIDS = new RegExp(
  [
    joinLines`
      \b(${DO_NOT}) (be )?(contact(ed)?|reach|communicate|talk|speak|notify|notified|released?
      |pick(ed)? ?up|visit)\b`,
    joinLines`
      \bno (any |legal |physical |parental |further |direct )*(contact(?! (info\w*|details?
      |numbers?|data|name|person|on file|yet|available|provided|given|listed))|communication
      |release|pick ?up|visits?|visitation|access|custody|rights)\b`,
    joinLines`
      \bnot (the )?(mom|mother|dad|father|parents?)\b|\bnot (allowed|authorized|permitted
      |approved)\b|\bnot on (the |any )?(\w+ )?list\b`,
    joinLines`
      \b(restraining|protective|protection|no contact|stay away|custody|court) orders?\b
      |\border of protection\b|\brestraining\b|\binjunction\b|\bcustody (dispute|battle|issues?
      |case)\b`,
    joinLines`
      \b(lost|without|(does|has|did) (not|n t) have|doesn t have|has no
      |have no) (legal |physical |parental |any )*(custody|rights|access|visitation)\b`,
    String.raw`\b(rights|custody) (terminated|revoked|removed)\b|\bsupervised\b|\bnon ?custodial\b`,
    String.raw`\b(dnc|banned|trespass\w*|blocked|abus(e|ed|er|ive)|offender|stalker|dangerous)\b`,
    joinLines`
      \bno (contactar|llamar)\b|\borden de (restriccion|alejamiento)\b|\bkein(en)? kontakt\b
      |\bnicht (kontaktieren|anrufen)\b|\bkontaktverbot\b|\bne pas (contacter|appeler)\b`,
  ].join('|'),
)
/** "Do not call" forbids all contact unless it says when not to call. */
const FORBIDS_CALLS = new RegExp(
  joinLines`
    \b(${DO_NOT}) call\b(?! (him |her |them )?(at|on|after|before|during|between|until|till|past
    |unless|if|while)\b)`,
)

/** "do not call at work" */
const NO_CALLS = new RegExp(String.raw`^(please )?(${DO_NOT}|no) `)

const PARENT = joinLines`
  father|mother|dad|mom|mum|parents?|second parent|other parent|2nd parent|guardian|spouse`
/** The contact has died, or is not part of the child's life. */
const ABSENT = new RegExp(
  [
    joinLines`
      \b(deceased|died|passed away|passed on|is dead|verstorben\w*|gestorben|fallecid[oa]
      |difunt[oa]|decede[es]?)\b|\bthe late\b`,
    joinLines`
      \b(not|no longer|never|isn t|isnt) (really |currently |been )?(part of|around|involved
      |present|alive|living|with us|in (the |his |her |their )?(picture|contact|life|child
      |family))\b`,
    joinLines`
      \b(uninvolved|estranged|incarcerated|deported)\b|\bout of (the )?(picture|life
      |child s life)\b|\bin (jail|prison)\b|\bwhereabouts\b`,
    String.raw`^(dead|passed|late|rip|r i p|absent|gone|abandoned|donor|sperm donor)( \d{4})?$`,
  ].join('|'),
)
const ABSENT_IF_WHOLE_CELL = new RegExp(
  [
    String.raw`^(divorced|separated|widow(ed)?|adopted|orphan(ed)?|single (${PARENT}))$`,
    String.raw`^(no|unknown|not known) (${PARENT})\b|^(${PARENT}) (unknown|not known)$`,
    String.raw`^(in )?foster( (care|home|system|child|kid))?$|^ward of\b|^(state|court) custody$`,
  ].join('|'),
)
/** "N/A - foster care" */
const NO_CONTACT_WITH_REASON = regex('iu')`^\s*(n\s*\/\s*a
  |(na|n\.a\.|none|unknown|nobody)\s*(?=[-–—:;(]))\W*\p{L}`

const SAME_AS_TARGET = joinLines`
  above|below|notes?|file|other|first|previous|sibling|brother|sister|mom|mother|mum|dad|father
  |parents?|row|line`
const NAMES_NOBODY = new RegExp(
  `^(${[
    joinLines`
      same( (as|like|for|here|above|info|contact|person|mom|mother|dad|father|parents?)( .*)?)?
      |ditto|idem|(as )?above|listed above|see (the )?(${SAME_AS_TARGET})( .*)?`,
    joinLines`
      self|him ?self|her ?self|my ?self|them ?sel(f|ves)|(the |adult )?student|(an )?adult|((is
      |over) )?18|of age`,
    joinLines`
      x+|n a|na|none|no|nil|null|nobody|no ?one|nada|nothing|tb[adc]|tbd later|pending|later
      |to come|missing|blank|empty|unlisted`,
    joinLines`
      not (given|provided|known|applicable|listed|available|needed|required|specified|on file|sure
      |stated|entered)|does not apply|dna`,
    'no (emergency |contact )*(contacts?|info\\w*|details?|numbers?|data|name|phone|e ?mail)( .*)?',
    '(mom|mother|mum|dad|father|grandma|grandmother|grandpa) only',
    joinLines`
      declined( to (state|answer|give))?|refused|will (provide|add|update)( later)?|ask( \w+)?
      |(if )?(under 18|minor|applicable|required)|optional`,
  ].join('|')})$`,
)

export type NoGuardianReason = 'forbidden' | 'absent' | 'nobody'

export const forbidsContact = (words: string): boolean => FORBIDS.test(words)
const forbidsContactOrCalls = (words: string) => forbidsContact(words) || FORBIDS_CALLS.test(words)

export type ContactWords = {
  text: string
  /** Why the contact cannot become a guardian, or null. */
  reason: NoGuardianReason | null
  /** A warning about another person: "restraining order - father" in the mother's cell. */
  warning: string | null
  noTexts: string | null
}

/** Reads a contact's cell. `relation` comes from the heading or from the relation column. */
export function readContactWords(cell: string, relation: Relation | null): ContactWords {
  const words = normalizeText(cell)
  const plainContact = { text: cell, reason: null, warning: null, noTexts: null }
  if (words === '') return plainContact
  const forbidden = removePhrase(cell, forbidsContactOrCalls)
  if (forbidden.removed !== null) {
    const isAboutOtherPerson =
      forbidden.text !== '' && isAboutOtherParent(forbidden.removed, relation)
    return isAboutOtherPerson
      ? { ...plainContact, text: forbidden.text, warning: forbidden.removed }
      : { ...plainContact, reason: 'forbidden' }
  }
  if (NAMES_NOBODY.test(words)) return { ...plainContact, text: '', reason: 'nobody' }
  if (NO_CONTACT_WITH_REASON.test(cell) || isAbsent(cell))
    return { ...plainContact, reason: 'absent' }
  const noTexts = removeNoTexts(cell)
  const { text, removed: warning } = removeAsides(noTexts.text, (aside) => NO_CALLS.test(aside))
  return { reason: null, text, warning, noTexts: noTexts.removed }
}

export const removeNoTexts = (cell: string): CellWithoutAsides =>
  removePhrase(cell, (words) => NO_TEXTS.test(words))

export const isAbsent = (cell: string) =>
  ABSENT.test(normalizeText(cell)) ||
  ABSENT_IF_WHOLE_CELL.test(normalizeText(cell)) ||
  removeAsides(cell, (words) => ABSENT.test(words)).removed !== null

const MOTHER = /\b(mother|mom|mommy|mum|mama|wife|madre|mutter|maman|mere)\b/
const FATHER = /\b(father|dad|daddy|papa|husband|padre|vater|pere)\b/

function isAboutOtherParent(words: string, relation: Relation | null): boolean {
  const parents = findParents(normalizeText(words))
  if (parents.some((parent) => parent === relation)) return false
  if (/\b(against|not (the )?(mom|mother|dad|father|parents?))\b/.test(normalizeText(words)))
    return true
  return parents.length > 0 && (relation === 'mother' || relation === 'father')
}

type Parent = 'mother' | 'father'
const findParents = (words: string): Parent[] => [
  ...(MOTHER.test(words) ? (['mother'] as const) : []),
  ...(FATHER.test(words) ? (['father'] as const) : []),
]

export function findForbiddenParents(text: string): Parent[] {
  return text.split(/[.;,\n]/).flatMap((clause) => {
    const words = normalizeText(clause)
    if (!forbidsContact(words)) return []
    const parents = findParents(words)
    if (parents.length < 2) return parents
    const targetWords = /\b(?:against|with|to|from|for|by|of)\b.*/.exec(words)?.[0] ?? words
    return findParents(targetWords)
  })
}
