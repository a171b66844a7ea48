const CHARACTER_KINDS = [
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  'abcdefghijklmnopqrstuvwxyz',
  '0123456789',
  '!@#$%^&*-_=+?',
] as const
const RANDOM_CHARACTER_COUNT = 12

function randomInt(max: number): number {
  // Numbers above this limit are not used, because they would make small results more likely.
  const limit = 2 ** 32 - (2 ** 32 % max)
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1))
  return random < limit ? random % max : randomInt(max)
}
const randomCharacter = (characters: string) => characters.charAt(randomInt(characters.length))

/** Picks 12 random characters and one of each kind, in random order (specification, section 5). */
export function generatePassword(): string {
  const unusedCharacters = [
    ...CHARACTER_KINDS.map(randomCharacter),
    ...Array.from({ length: RANDOM_CHARACTER_COUNT }, () =>
      randomCharacter(CHARACTER_KINDS.join('')),
    ),
  ]
  let password = ''
  while (unusedCharacters.length > 0) {
    const index = randomInt(unusedCharacters.length)
    password += unusedCharacters.splice(index, 1).join('')
  }
  return password
}
