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

/** Full-width and styled letters become plain; accents and invisible characters are removed. */
export const plainLetters = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\p{Cf}\p{M}\p{Cc}\u115F\u1160\u3164]+/gu, (marks) =>
      /[\n\r\t]/.test(marks) ? '\n' : '',
    )

/** "ѕtор", "st0p", "5TOP" */
export const withLatinLetters = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[аеорсухіѕт]/g, (letter) => LATIN_LETTERS[letter] ?? letter)
    .replace(/(?<=\p{L})0(?=\p{L})/gu, 'o')
    .replace(/(?<![\p{L}\p{N}])[5$](?=top)/gu, 's')
    .replace(/\bwrong\s*#/g, 'wrong number')

export const wordsOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/(?<=\p{L})['’‘ʼ`´](?=\p{L})/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

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
/** The quoted text may be cut off. */
const REACTION = new RegExp(String.raw`^\s*(?:${REACTIONS})\s*["“”„«‘'](?:.*["“”»’']|.*$)`, 'isu')

const EMAIL_REPLY = /^\s*(?:>.*|on .{5,80} wrote:|-+ ?original message ?-+)/i
const SIGNATURES = [
  '(?:sent|shared) (?:from|via|by|with|using) |get (?:the )?outlook for ',
  'enviado (?:desde|de|do|por|via) |envoye de(?:puis)? |gesendet von |inviato da ',
].join('|')
const SIGNATURE_START = new RegExp(String.raw`^\s*(?:[-–—_=*]{2,}\s*$|${SIGNATURES})`, 'i')
const INLINE_SIGNATURE =
  /\s+(?:sent from my (?:\S+ )?\S+|get outlook for (?:android|ios)|enviado desde mi \S+)\s*$/i

/** Without quoted texts and mail signatures. */
export function ownText(text: string): string {
  const lines = text.replace(REACTION, ' ').trim().split('\n')
  const end = lines.findIndex(
    (line, index) => EMAIL_REPLY.test(line) || (index > 0 && SIGNATURE_START.test(line)),
  )
  const ownLines = end === -1 ? lines : lines.slice(0, end)
  return ownLines.join('\n').replace(INLINE_SIGNATURE, '')
}

/** "Ann", "- Ann Adams", "Thanks, Ann" */
const NAME = String.raw`\p{Lu}[\p{L}'’.-]*`
const CLOSING = String.raw`(?:(?:thanks|thank you|thx|regards|best|love|from),?\s+)?`
const NAME_LINE = new RegExp(
  String.raw`^\s*(?:[-–—~*]\s*)?${CLOSING}${NAME}(?: ${NAME}){0,2}\s*$`,
  'u',
)
const CONTACT_LINE = /^\s*(?:[+()\d\s.-]{7,20}|\S+@\S+\.\S+|(?:https?:\/\/|www\.)\S+)\s*$/
/** Capitalized lines that are no names, such as "Classes". */
const NO_NAMES = [
  String.raw`\p{L}{3,}ing|classes|class|lessons?|karate|judo|kids|me|it|by|this|that|all|the|for`,
  String.raw`my|his|her|on|at|in|mon|tue|wed|thu|fri|sat|sun|\p{L}+day|\p{L}*payments?`,
  'membership|autopay|fees?|bill',
].join('|')
const NOT_A_NAME = new RegExp(String.raw`\b(?:${NO_NAMES})\b`, 'iu')

/** Without a name, phone number or address at the end. */
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
