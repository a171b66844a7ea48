const KINDS = [
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  'abcdefghijklmnopqrstuvwxyz',
  '0123456789',
  '!@#$%^&*-_=+?',
] as const
const RANDOM_CHARACTERS = 12

/** A uniformly distributed integer from 0 to `max` - 1. */
function randomInt(max: number): number {
  const limit = 2 ** 32 - (2 ** 32 % max)
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1))
  return random < limit ? random % max : randomInt(max)
}
const randomCharacter = (characters: string) => characters.charAt(randomInt(characters.length))

/** 12 random characters and one of each kind, shuffled (specification, section 5). */
export function generatePassword(): string {
  const characters = [
    ...KINDS.map(randomCharacter),
    ...Array.from({ length: RANDOM_CHARACTERS }, () => randomCharacter(KINDS.join(''))),
  ]
  return characters
    .map((_, index) => {
      const source = index + randomInt(characters.length - index)
      const character = characters[source]!
      characters[source] = characters[index]!
      return character
    })
    .join('')
}
