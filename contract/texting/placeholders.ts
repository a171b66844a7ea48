import { AMOUNT_PLACEHOLDER, NAME_PLACEHOLDER } from './message-types.ts'

/** Finds misspelled placeholders, because other products spell {name} differently. */

export type Substitutions = 'name' | 'name-and-amount' | 'nothing'

type PlaceholderProblem = {
  placeholder: string
  replacement: string | null
  message: string
}

const parseFieldNames = (list: string) => new Set(list.split(', '))

const NAME_FIELDS = parseFieldNames(
  'name, names, first name, firstname, fname, last name, lastname, lname, full name, fullname, ' +
    'student, student name, students name, student first name, child, child name, childs name, ' +
    'kid, kid name, kids name, parent, parent name, parents name, guardian, guardian name, ' +
    'member, member name, recipient, contact name, customer name, client name, nombre',
)
const AMOUNT_FIELDS = parseFieldNames(
  'amount, amount due, amount owed, fee, fees, monthly fee, fee amount, balance, balance due, ' +
    'total, total due, price, payment amount, monto',
)
/** Fields of other products that are never filled in. */
const UNSUPPORTED_FIELDS = parseFieldNames(
  'date, time, day, month, year, due date, class, class name, dojo, dojo name, school, school ' +
    'name, gym name, instructor, instructor name, sensei, your name, location, address, phone, ' +
    'phone number, email, link, url, payment link, belt, rank, program, event',
)

/** Anything in braces is a placeholder. In other brackets, only a known field name is one. */
const IN_BRACES = /\$?\{+[^{}\n]{0,80}\}+/g
/** "name}" and "{name" with one brace missing */
const WITHOUT_OPENING_BRACE = /(?<![[(<\p{L}])(?:first[ _]?name|name|amount) ?\}+/giu
const WITHOUT_CLOSING_BRACE = /\{ ?(?:first[ _]?name|name|amount)\b(?![^{}\n]{0,80}\})/gi
/** [name], [name}, $(name), <name>, &lt;name&gt;, «name», %name%, *|name|*, |name|, #name# and
 *  __name__ */
const IN_OTHER_BRACKETS = [
  /\[+[^[\]\n]{1,40}\]+/g,
  /[[(<](?:first[ _]?name|name|amount) ?\}+/gi,
  /\$\([^()\n]{1,40}\)/g,
  /<+[^<>\n]{1,40}>+/g,
  /&lt;[^&\n]{1,40}&gt;/gi,
  /[«‹【〔〈《][^«»‹›【】〔〕〈〉《》\n]{1,40}[»›】〕〉》]/g,
  /%+[\p{L}][\p{L} _-]{0,40}%+/gu,
  /\*\|[^|\n]{1,40}\|\*/g,
  /\|+[\p{L}][\p{L} _-]{0,40}\|+/gu,
  /(?<![\p{L}\p{N}#])#+\p{L}(?:[\p{L} _-]{0,40}\p{L})?#+(?![\p{L}\p{N}])/gu,
  /__[\p{L}](?:[\p{L} -]|_(?!_)){0,40}__/gu,
]

/** More spellings of the name field: "contact first name", "surname", "first". */
const PERSON_WORDS =
  'contact|students?|children|childs?|kids?|members?|clients?|customers?|persons?|people|pupils?|' +
  'athletes?|participants?|subscribers?|leads?|users?|parents?|guardians?|recipients?|family|' +
  'moms?|dads?|mothers?|fathers?'
const NAME_FIELD_PATTERN = new RegExp(
  `^(?:(?:${PERSON_WORDS}) )*(?:(?:first|last|full|given|family|preferred|middle) ?names?|` +
    'first|last|first last|[fl] ?name|surname|nickname|pupil|athlete)$',
)
/** Placeholders of programming languages: "Hi %s", "Hi %1$s", "Hi %(name)s" */
const PRINTF_FIELD = /(?<![\d%])%(?:s\b|\d{1,2}\$(?:[sd]\b|@)|\(\w{1,40}\)s\b)/g
/** "Hi $name" and "You owe $amount", but not "Bring $name brand" or "cash or $amount". */
const WORDS_BEFORE_FIELD = 'hi|hey|hello|dear|hola|thanks|owes?|pay|due|is|of|fee|balance|total'
const WITH_DOLLAR = [
  new RegExp(`(?<=^|\\n|\\b(?:${WORDS_BEFORE_FIELD})[ ,:]+)\\$[a-z][a-z_]{1,20}`, 'gi'),
  /\$(?:[a-z]+_[a-z_]+|[a-z]+[A-Z][a-z]+|[fl]name|(?:first|last|full)name)\b/g,
  /\$name(?= ?[,:!?])/gi,
]

/** "insert First_Name here" → "first name", "{Name:upper}" and "{n a m e}" → "name" */
const normalizeFieldName = (placeholder: string): string =>
  placeholder
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/&(?:lt|gt);/g, ' ')
    .replace(/(\p{L})\s*[|:].*$/u, '$1')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^(?:insert|enter|add) (?:the )?| here$/g, '')
    .replace(/^(?:\p{L} )+\p{L}$/u, (letters) => letters.replaceAll(' ', ''))

/** The text without invisible and styled characters, and each character's index in the original. */
function normalizeCharacters(text: string): { plainText: string; originalIndexes: number[] } {
  const originalIndexes: number[] = []
  let plainText = ''
  let originalIndex = 0
  for (const character of text) {
    const plainCharacters = /\p{Cf}/u.test(character) ? '' : character.normalize('NFKC')
    for (let index = 0; index < plainCharacters.length; index += 1)
      originalIndexes.push(originalIndex)
    plainText += plainCharacters
    originalIndex += character.length
  }
  return { plainText, originalIndexes: [...originalIndexes, originalIndex] }
}

const isFilledIn = (placeholder: string, substitutions: Substitutions): boolean =>
  (placeholder === NAME_PLACEHOLDER && substitutions !== 'nothing') ||
  (placeholder === AMOUNT_PLACEHOLDER && substitutions === 'name-and-amount')

const isNameField = (field: string): boolean =>
  NAME_FIELDS.has(field) || NAME_FIELD_PATTERN.test(field)

const isKnownField = (field: string): boolean =>
  isNameField(field) || AMOUNT_FIELDS.has(field) || UNSUPPORTED_FIELDS.has(field)

const isNameOrAmount = (placeholder: string): boolean => {
  const field = normalizeFieldName(placeholder)
  return isNameField(field) || AMOUNT_FIELDS.has(field)
}

function describeProblem(
  placeholder: string,
  field: string,
  substitutions: Substitutions,
): PlaceholderProblem {
  const createProblem = (replacement: string | null, message: string) => ({
    placeholder,
    replacement,
    message: `${placeholder} ${message}`,
  })
  if (substitutions === 'nothing')
    return createProblem(null, 'can’t be filled in here. Please remove it.')
  if (isNameField(field))
    return createProblem(NAME_PLACEHOLDER, `can’t be filled in. Use ${NAME_PLACEHOLDER} instead.`)
  const isAmountFilledIn = substitutions === 'name-and-amount'
  if (!AMOUNT_FIELDS.has(field)) {
    const hint = isAmountFilledIn
      ? `Only ${NAME_PLACEHOLDER} and ${AMOUNT_PLACEHOLDER} work.`
      : `Only ${NAME_PLACEHOLDER} works.`
    return createProblem(null, `can’t be filled in. ${hint}`)
  }
  return isAmountFilledIn
    ? createProblem(AMOUNT_PLACEHOLDER, `can’t be filled in. Use ${AMOUNT_PLACEHOLDER} instead.`)
    : createProblem(null, 'only works in fee messages. Type the amount instead.')
}

/** Finds the first placeholder that would not be filled in, such as {Name} or [first name]. */
export function findPlaceholderProblem(
  text: string,
  substitutions: Substitutions,
): PlaceholderProblem | null {
  const { plainText, originalIndexes } = normalizeCharacters(text)
  const originalText = ({ 0: match, index }: RegExpExecArray) =>
    text.slice(originalIndexes[index], originalIndexes[index + match.length])
  const inBraces = [...plainText.matchAll(IN_BRACES)].filter(
    (match) => !isFilledIn(originalText(match), substitutions),
  )
  const withoutBraces = plainText.replace(IN_BRACES, (match) => ' '.repeat(match.length))
  const findAll = (patterns: readonly RegExp[]) =>
    patterns.flatMap((pattern) => [...withoutBraces.matchAll(pattern)])
  const inOtherBrackets = findAll(IN_OTHER_BRACKETS).filter(([match]) =>
    isKnownField(normalizeFieldName(match)),
  )
  const withDollar = findAll(WITH_DOLLAR).filter(([match]) => isNameOrAmount(match))
  const matches = [
    ...inBraces,
    ...plainText.matchAll(WITHOUT_CLOSING_BRACE),
    ...withoutBraces.matchAll(WITHOUT_OPENING_BRACE),
    ...inOtherBrackets,
    ...withDollar,
    ...withoutBraces.matchAll(PRINTF_FIELD),
  ]
  const [firstMatch] = matches.toSorted((a, b) => a.index - b.index)
  if (!firstMatch) return null
  return describeProblem(originalText(firstMatch), normalizeFieldName(firstMatch[0]), substitutions)
}
