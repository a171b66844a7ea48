const KINDS = ['ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz', '0123456789', '!@#$%^&*-_=+?'] as const
const RANDOM_CHARACTERS = 12

/** A number from 0 to `below` - 1, each as likely as the others. */
function randomBelow(below: number): number {
  const fair = 2 ** 32 - (2 ** 32 % below)
  const [drawn = 0] = crypto.getRandomValues(new Uint32Array(1))
  return drawn < fair ? drawn % below : randomBelow(below)
}
const oneOf = (characters: string) => characters.charAt(randomBelow(characters.length))

/** 12 random characters and one forced of each kind, in a random order (specification, section 5). */
export function generatePassword(): string {
  const left = [...KINDS.map(oneOf), ...Array.from({ length: RANDOM_CHARACTERS }, () => oneOf(KINDS.join('')))]
  return left
    .map((_, index) => {
      const from = index + randomBelow(left.length - index)
      const drawn = left[from]!
      left[from] = left[index]!
      return drawn
    })
    .join('')
}
