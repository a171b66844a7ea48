/** Schools fill required fields with made-up values such as "noemail@noemail.com". */
import { normalize } from '@tatami/contract/lib/name-search'

/** A contact that students with more surnames than this share belongs to a club or office. */
export const MAX_SURNAMES = 6

const APOSTROPHES = /['’‘`´.＇]/g

/** "O’Brien-Lopez, Jr." → obrien, lopez, jr */
export const nameWords = (name: string): string[] =>
  normalize(name.replaceAll(APOSTROPHES, ''))
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ')
    .filter(Boolean)

export const nameKey = (name: string): string => nameWords(name).join(' ')

const SUFFIXES = new Set('jr sr ii iii iv v phd md esq'.split(' '))
const PARTICLES = new Set(
  'de del der den di da do dos la las le los van von y e al el bin'.split(' '),
)

/** "Ana Maria Diaz-Lopez, Jr" → diaz, lopez */
export function splitLastName(name: string): string[] {
  const words = name.split(/\s+/).filter((word) => !SUFFIXES.has(nameKey(word)))
  return nameWords(words.at(-1) ?? '')
}

const listMiddleNames = (name: string): string[] =>
  nameWords(name)
    .slice(1)
    .filter((word) => !SUFFIXES.has(word) && !PARTICLES.has(word))

/** "Diaz" is a surname in "Ana Diaz Lopez" only if it is the last name of somebody in `names`. */
export function listSurnames(names: readonly string[]): string[][] {
  const knownLastNames = new Set(names.flatMap(splitLastName))
  return names.map((name) => {
    const middleSurnames = listMiddleNames(name).filter((word) => knownLastNames.has(word))
    return [...new Set([...splitLastName(name), ...middleSurnames])]
  })
}

const NON_NAME_WORDS = new Set(
  `mom mommy mum mummy mother mama ma dad daddy father papa pa parent parents guardian guardians
  grandma grandpa grandmother grandfather granny gran oma opa nana aunt uncle sister brother
  family self same none unknown na contact emergency mr mrs ms miss mx dr sensei coach madre padre
  mutter vater eltern the of and`.split(/\s+/),
)

/** True for "Ann Smith", false for "Mom", "Mrs. Smith" and "Ann". */
export const isFullName = (name: string): boolean =>
  nameWords(name).filter((word) => !NON_NAME_WORDS.has(word)).length >= 2

/** Removes the tag of an address: anna+leo@home.org → anna@home.org */
export const toMailbox = (address: string): string =>
  address
    .trim()
    .toLowerCase()
    .replace(/\+[^@]*@/, '@')

/** "noemail", "donthaveone", "withoutcontact" */
const NO_EMAIL_PATTERN = new RegExp(
  [
    '^((no|non|not|without|dont|donot|doesnt|doesnot)(have|has|got|an|any)*',
    String.raw`((e?mails?|address|contact).*|one\d*)|donothave.*|donthave.*)$`,
  ].join(''),
)
/** Notes to fill the email in later: "getemail", "changeme" */
const FILL_IN_PATTERN = new RegExp(
  [
    '^(add|ask|askfor|bad|change|default|dummy|enter|fake|fillin|get|insert|invalid|missing|need|',
    'needs|request|some|temp|update|wrong)',
    String.raw`(an|the|new|real|valid)*(e?mails?|address|me)\d*$`,
  ].join(''),
)
const PLACEHOLDER_NAMES = new Set(
  `no none na nil null nothing nobody noone noname unknown anonymous anon missing blank empty
  placeholder notgiven notprovided notavailable notapplicable notlisted notset noneprovided
  nonegiven nope needemail pending tbd tba todo later fake fakeemail dummy bogus example sample
  test tests testing tester testemail testuser default temp temporary undefined unavailable
  unlisted undisclosed unsure notsure dontknow donotknow idk declined declines decline refused
  refuses refuse withheld ask askparent askparents change update updated needsupdate invalid
  error bounced deleted removed unsubscribe unsubscribed optout guest walkin dropin student
  students child kid member client customer person user username email emailaddress youremail
  youremailaddress myemail mail name firstname lastname yourname abc abcd abcde abcdef asdf
  asdfg asdfgh asd qwe qwerty foo bar foobar xyz noreply donotreply nospam mailerdaemon 123 1234
  12345 123456`.split(/\s+/),
)
const PLACEHOLDER_DOMAINS = new Set(
  `none noemail nomail no fake nowhere invalid unknown null na notreal donotreply noreply test
  declined refused placeholder dummy bogus temp tbd anywhere somewhere nothing`.split(/\s+/),
)
const ROLE_NAMES = new Set(
  `info office admin administrator contact contactus hello support sales billing help team staff
  frontdesk reception enroll enrollment enrollment registration register customer customerservice
  service webmaster postmaster hostmaster abuse accounts accounting bookings dojo club school studio
  gym karate judo martialarts sensei sifu coach master instructor owner manager`.split(/\s+/),
)

/** True for "xxx" and "5555555" */
const repeatsOneCharacter = (text: string) => /^(.)\1*$/.test(text)

/** An address like smith@smith.com is a placeholder unless one of `people` has that name. */
export function isPlaceholderEmail(address: string, people: readonly string[] = []): boolean {
  const [localPart = '', domain = ''] = toMailbox(address).split('@')
  const word = localPart.replaceAll(/[._-]/g, '')
  const wordWithoutNumber = word.replace(/\d+$/, '')
  const [domainName = ''] = domain.replaceAll('-', '').split('.')
  const repeatsDomain = domainName === word || domainName === wordWithoutNumber
  return (
    NO_EMAIL_PATTERN.test(word) ||
    FILL_IN_PATTERN.test(word) ||
    PLACEHOLDER_NAMES.has(word) ||
    PLACEHOLDER_NAMES.has(wordWithoutNumber) ||
    (repeatsOneCharacter(word) && word.length > 2) ||
    (repeatsDomain && !people.flatMap(nameWords).includes(domainName)) ||
    PLACEHOLDER_DOMAINS.has(domainName) ||
    NO_EMAIL_PATTERN.test(domainName) ||
    /\.(invalid|localhost)$/.test(domain)
  )
}

/** True for an address of a role, not of a person: info@dojo.com, coach2@dojo.com. */
export function isRoleEmail(address: string): boolean {
  const word = toMailbox(address).replace(/@.*/, '').replaceAll(/[._-]/g, '')
  return ROLE_NAMES.has(word) || ROLE_NAMES.has(word.replace(/\d+$/, ''))
}

/** True for numbers like 555-555-5555 and 123-456-7890. `phone` is in E.164 format. */
export function isPlaceholderPhone(phone: string): boolean {
  const lastDigits = phone.slice(-7)
  return repeatsOneCharacter(lastDigits) || ['1234567', '4567890'].includes(lastDigits)
}
