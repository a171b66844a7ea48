/** Cyrillic letters that look like Latin ones. */
const LATIN_LETTERS: Record<string, string> = {
  а: 'a',
  е: 'e',
  о: 'o',
  р: 'p',
  с: 'c',
  у: 'y',
  х: 'x',
  і: 'i',
  ѕ: 's',
  т: 't',
}

/** Makes full-width and styled letters plain. Removes accents and invisible characters, including
 *  the Hangul fillers \u115F, \u1160 and \u3164. */
export const withPlainLetters = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\p{Cf}\p{M}\p{Cc}\u115F\u1160\u3164]+/gu, (characters) =>
      /[\n\r\t]/.test(characters) ? '\n' : '',
    )

/** Replaces letters and digits that look like others: "ѕtор", "st0p" and "5TOP" become "stop". */
export const withLatinLetters = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[аеорсухіѕт]/g, (letter) => LATIN_LETTERS[letter] ?? letter)
    .replace(/(?<=\p{L})0(?=\p{L})/gu, 'o')
    .replace(/(?<![\p{L}\p{N}])[5$](?=top)/gu, 's')
    .replace(/\bwrong\s*#/g, 'wrong number')

/** Words in lower case, separated by single spaces, without punctuation: "Don't!" is "dont". */
export const normalizeWords = (text: string): string =>
  text
    .toLowerCase()
    .replace(/(?<=\p{L})['’‘ʼ`´](?=\p{L})/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** One or more emoji: anything but letters, digits and quotation marks. */
const EMOJI = String.raw`[^\p{L}\p{N}"“”„«‘'\n]{1,20}`
const REACTIONS = [
  'liked|loved|disliked|laughed at|emphasized|emphasised|questioned',
  // Reacted 👍 to “…”, and Android's 👍 to “…”
  `(?:reacted(?: with)? )?${EMOJI} ?(?:to|a)`,
  // Removed a heart from “…”
  String.raw`removed [^"“”„«\n]{1,40} from`,
  // iPhones set to Spanish, French and Portuguese
  '(?:no )?le (?:gusto|gusta|encanto|encanta)|se rio de|enfatizo|destaco|cuestiono|pregunto sobre',
  'a (?:aime|adore|mis en valeur|remis en question)|n.?a pas aime|a ri de',
  '(?:nao )?(?:gostou|curtiu|amou|riu) (?:de )?|enfatizou|questionou',
].join('|')

/** A reaction to a text, which quotes it: Liked “See you at 5”. The quote may be cut off. */
const REACTION = new RegExp(String.raw`^\s*(?:${REACTIONS})\s*["“”„«‘'](?:.*["“”»’']|.*$)`, 'isu')

/** The line above a quoted email: "> See you", "On May 3, Ann wrote:", "--- Original Message" */
const EMAIL_REPLY = /^\s*(?:>.*|on .{5,80} wrote:|-+ ?original message ?-+)/i
const SIGNATURES = [
  '(?:sent|shared) (?:from|via|by|with|using) |get (?:the )?outlook for ',
  'enviado (?:desde|de|do|por|via) |envoye de(?:puis)? |gesendet von |inviato da ',
].join('|')
const SIGNATURE_START = new RegExp(String.raw`^\s*(?:[-–—_=*]{2,}\s*$|${SIGNATURES})`, 'i')
const INLINE_SIGNATURE =
  /\s+(?:sent from my (?:\S+ )?\S+|get outlook for (?:android|ios)|enviado desde mi \S+)\s*$/i

/** Keeps only what the person wrote: removes quoted texts and the signatures that apps add. */
export function withoutQuotesAndSignature(text: string): string {
  const lines = text.replace(REACTION, ' ').trim().split('\n')
  const end = lines.findIndex(
    (line, index) => EMAIL_REPLY.test(line) || (index > 0 && SIGNATURE_START.test(line)),
  )
  const ownLines = end === -1 ? lines : lines.slice(0, end)
  return ownLines.join('\n').replace(INLINE_SIGNATURE, '')
}

const NAME = String.raw`\p{Lu}[\p{L}'’.-]*`
const CLOSING = String.raw`(?:(?:thanks|thank you|thx|regards|best|love|from),?\s+)?`

/** "Ann", "- Ann Adams", "Thanks, Ann" */
const NAME_LINE = new RegExp(
  String.raw`^\s*(?:[-–—~*]\s*)?${CLOSING}${NAME}(?: ${NAME}){0,2}\s*$`,
  'u',
)
/** A line that is only a phone number, an email address or a link */
const CONTACT_LINE = /^\s*(?:[+()\d\s.-]{7,20}|\S+@\S+\.\S+|(?:https?:\/\/|www\.)\S+)\s*$/

/** Capitalized words that are not names, such as "Classes". */
const OTHER_CAPITALIZED_WORDS = [
  String.raw`\p{L}{3,}ing|classes|class|lessons?|karate|judo|kids|me|it|by|this|that|all|the|for`,
  String.raw`my|his|her|on|at|in|mon|tue|wed|thu|fri|sat|sun|\p{L}+day|\p{L}*payments?`,
  'membership|autopay|fees?|bill',
].join('|')
const NOT_A_NAME = new RegExp(String.raw`\b(?:${OTHER_CAPITALIZED_WORDS})\b`, 'iu')

/** Removes the name and the contact details at the end of a message. */
export function withoutSignedName(text: string): string {
  const lines = text.split('\n')
  const lastIndex = lines.findLastIndex(
    (line) =>
      line.trim() !== '' &&
      !CONTACT_LINE.test(line) &&
      (!NAME_LINE.test(line) || NOT_A_NAME.test(line)),
  )
  return lines.slice(0, Math.max(lastIndex, 0) + 1).join('\n')
}
