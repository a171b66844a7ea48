import { expect, test } from 'vitest'
import { findPlaceholderProblem } from './placeholders.ts'

const findReplacements = (texts: string[], substitutions: 'name' | 'name-and-amount' = 'name') =>
  Object.fromEntries(
    texts.map((text) => {
      const problem = findPlaceholderProblem(`Hi ${text}, see you.`, substitutions)
      return [text, problem && [problem.placeholder, problem.replacement]]
    }),
  )
const expectedReplacements = (texts: string[], replacement: string | null) =>
  Object.fromEntries(texts.map((text) => [text, [text, replacement]]))

const MISSPELLED_NAMES = [
  ...['{Name}', '{NAME}', '{ name }', '{name }', '{first_name}', '{firstName}', '{First Name}'],
  ...['{student}', "{student's name}", '{{name}}', '{{ first_name }}', '${name}', '$name'],
  ...['[name]', '[Name]', '[First Name]', '[insert name here]', '[[name]]', '<name>'],
  ...['<<First Name>>', '«Name»', '%name%', '%FIRST_NAME%', '*|FNAME|*', '｛name｝'],
  ...['{na\u200Bme}', '{n a m e}', '{Name:upper}', '{name|there}', '$(name)', '‹name›'],
  ...['||name||', '#name#', '__name__', '[FIRST]', '[first]', '[last]', '[Last]', '[child]'],
  ...['[kid]', '[Student]', '[parent]', '[first last]', '[student_first]'],
  ...['[StudentFirstName]', '[contact.first_name]', '{{contact.first_name}}'],
  ...['{PersonFirstName}', "[kid's first name]", '[surname]', '[nickname]', '[ first ]'],
  ...['<first>', '%FIRST%', '【name】', '&lt;name&gt;', '[name}'],
]

test('finds a misspelled placeholder and suggests the right spelling', () => {
  expect(findReplacements(MISSPELLED_NAMES)).toEqual(
    expectedReplacements(MISSPELLED_NAMES, '{name}'),
  )
  expect(findPlaceholderProblem('Hi {Name}', 'name')?.message).toBe(
    '{Name} can’t be filled in. Use {name} instead.',
  )
})

test('accepts the amount only in fee messages', () => {
  const amounts = [
    '{Amount}',
    '{fee}',
    '[amount]',
    '{amount_due}',
    '${amount}',
    '$amount',
    '{balance}',
  ]
  expect(findReplacements(amounts, 'name-and-amount')).toEqual(
    expectedReplacements(amounts, '{amount}'),
  )
  expect(findReplacements([...amounts, '{amount}'])).toEqual(
    expectedReplacements([...amounts, '{amount}'], null),
  )
  expect(findPlaceholderProblem('Pay {amount}', 'name')?.message).toBe(
    '{amount} only works in fee messages. Type the amount instead.',
  )
})

test('refuses a placeholder that has no value', () => {
  const unsupportedTexts = [
    ...['{date}', '{class}', '[date]', '{your_name}', '{foo}', '{{see map}}', '[class name]'],
    ...['{0}', '{}', '{see map}', '%s', '%1$s', '%2$d', '%1$@', '%(name)s'],
  ]
  expect(findReplacements(unsupportedTexts)).toEqual(expectedReplacements(unsupportedTexts, null))
  expect(findPlaceholderProblem('{name}', 'nothing')?.placeholder).toBe('{name}')
})

test('finds a placeholder with a missing brace', () => {
  expect([
    findPlaceholderProblem('Hi {name, hello', 'name'),
    findPlaceholderProblem('Hi name}, hello', 'name'),
  ]).toEqual([
    expect.objectContaining({ placeholder: '{name', replacement: '{name}' }),
    expect.objectContaining({ placeholder: 'name}', replacement: '{name}' }),
  ])
})

test('accepts brackets and signs that are not placeholders', () => {
  const allowedTexts = [
    ...['{name}', 'Hi {name}, {name}', '[see map]', '[see flyer]', '[first class free]'],
    ...['[first come, first served]', '[last day Friday]', '[last one]', '[kids only]'],
    ...['[children welcome]', '[family night]', '[parents welcome]', 'Kids 10 AM [full]'],
    ...['Kids 10 AM [FULL]', '[{name}]', '(name)', 'Ask @name', 'Hi (name), :name', '100%1$s'],
    ...['20% s', ':-{', '}', '<3', '5 < 6 and 7 > 6', '$85', '$20 name tag'],
    ...['50% off, 20% name tags', '[Leo]', 'Name: ____', '[1]', 'Bring $name brand'],
    ...['cash or $amount', 'cash or $amount, thanks', '50%s', 'We like #class #date'],
    '({name})',
  ]
  const refusedTexts = allowedTexts.filter((text) => findPlaceholderProblem(text, 'name') !== null)
  expect(refusedTexts).toEqual([])
  expect(findPlaceholderProblem('Hi {name}, pay {amount}', 'name-and-amount')).toBe(null)
})
