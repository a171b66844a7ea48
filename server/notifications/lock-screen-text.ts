const MAX_TITLE_CHARACTERS = 80
const MAX_BODY_CHARACTERS = 160
const EMAIL_PATTERN = /[^\s@<>]+@[^\s@<>]+\.[\p{L}\d-]+/gu
const PHONE_PATTERN = /\+?\(?\d[\d\s().-]{7,}\d/g
/** A number with fewer digits may be a date. */
const MIN_PHONE_DIGITS = 10

const removeContactDetails = (text: string) =>
  text.replace(EMAIL_PATTERN, '…').replace(PHONE_PATTERN, (match) => {
    const digits = match.replaceAll(/\D/g, '')
    return digits.length >= MIN_PHONE_DIGITS ? '…' : match
  })

function truncate(text: string, maxCharacters: number): string {
  const characters = [...text.replaceAll(/\s+/g, ' ').trim()]
  if (characters.length <= maxCharacters) return characters.join('')
  const start = characters.slice(0, maxCharacters - 1).join('')
  return `${start.trimEnd()}…`
}

/** Removes phone numbers and emails, because anyone nearby can read a locked screen. */
export const toLockScreenText = ({ title, message }: { title: string; message: string }) => ({
  title: truncate(removeContactDetails(title), MAX_TITLE_CHARACTERS),
  body: truncate(removeContactDetails(message), MAX_BODY_CHARACTERS),
})
