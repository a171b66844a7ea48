/**
 * What somebody wrote themselves, in words that patterns can be compared with: without a quoted
 * text, a signature, styled letters or signs.
 */

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

/**
 * The text as it was meant: full-width and other styled letters become plain ones, and marks that
 * nobody sees go, with accents.
 */
export const plainLetters = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\p{Cf}\p{M}\p{Cc}\u115F\u1160\u3164]+/gu, (marks) =>
      /[\n\r\t]/.test(marks) ? '\n' : '',
    )

/** Look-alikes in words that are otherwise Latin: "ѕtор", "st0p", "5TOP". */
export const withLatinLetters = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[аеорсухіѕт]/g, (letter) => LATIN_LETTERS[letter] ?? letter)
    .replace(/(?<=\p{L})0(?=\p{L})/gu, 'o')
    .replace(/(?<![\p{L}\p{N}])[5$](?=top)/gu, 's')
    .replace(/\bwrong\s*#/g, 'wrong number')

/** Lower-case words without signs; an apostrophe joins what it stands between. */
export const wordsOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/(?<=\p{L})['’‘ʼ`´](?=\p{L})/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const EMOJI = String.raw`[^\p{L}\p{N}"“”„«‘'\n]{1,20}`
/** How a phone says that somebody reacted to a text, before it quotes the text. */
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
/** A reaction with the text that it quotes, whose end may be cut off. */
const REACTION = new RegExp(String.raw`^\s*(?:${REACTIONS})\s*["“”„«‘'](?:.*["“”»’']|.*$)`, 'isu')

const EMAIL_REPLY = /^\s*(?:>.*|on .{5,80} wrote:|-+ ?original message ?-+)/i
/** "-- " and what a mail app adds below the text. */
const SIGNATURE_START =
  /^\s*(?:[-–—_=*]{2,}\s*$|(?:sent|shared) (?:from|via|by|with|using) |get (?:the )?outlook for |enviado (?:desde|de|do|por|via) |envoye de(?:puis)? |gesendet von |inviato da )/i
const INLINE_SIGNATURE =
  /\s+(?:sent from my (?:\S+ )?\S+|get outlook for (?:android|ios)|enviado desde mi \S+)\s*$/i

/** What somebody wrote, without the text that a reaction quotes and without what a mail app adds. */
export function ownText(text: string): string {
  const lines = text.replace(REACTION, ' ').trim().split('\n')
  const end = lines.findIndex(
    (line, index) => EMAIL_REPLY.test(line) || (index > 0 && SIGNATURE_START.test(line)),
  )
  const ownLines = end === -1 ? lines : lines.slice(0, end)
  return ownLines.join('\n').replace(INLINE_SIGNATURE, '')
}

/** "Ann", "- Ann Adams", "Thanks, Ann": one to three words with a capital. */
const NAME_LINE =
  /^\s*(?:[-–—~*]\s*)?(?:(?:thanks|thank you|thx|regards|best|love|from),?\s+)?\p{Lu}[\p{L}'’.-]*(?: \p{Lu}[\p{L}'’.-]*){0,2}\s*$/u
const CONTACT_LINE = /^\s*(?:[+()\d\s.-]{7,20}|\S+@\S+\.\S+|(?:https?:\/\/|www\.)\S+)\s*$/
/** Lines with a capital that are no names: "STOP", then "Classes". */
const NOT_A_NAME =
  /\b(?:\p{L}{3,}ing|classes|class|lessons?|karate|judo|kids|me|it|by|this|that|all|the|for|my|his|her|on|at|in|mon|tue|wed|thu|fri|sat|sun|\p{L}+day|\p{L}*payments?|membership|autopay|fees?|bill)\b/iu

/** Without the name, and the phone number or address below it, at the end of a message. */
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
