const MAX_TITLE_CHARACTERS = 80
const MAX_BODY_CHARACTERS = 160
const EMAIL = /[^\s@<>]+@[^\s@<>]+\.[\p{L}\d-]+/gu
const PHONE = /\+?\(?\d[\d\s().-]{7,}\d/g
/** A shorter number may be a date. */
const MIN_PHONE_DIGITS = 10

const withoutContactDetails = (text: string) =>
  text.replace(EMAIL, '…').replace(PHONE, (match) => {
    const digits = match.replaceAll(/\D/g, '')
    return digits.length >= MIN_PHONE_DIGITS ? '…' : match
  })

function clip(text: string, max: number): string {
  const characters = [...text.replaceAll(/\s+/g, ' ').trim()]
  if (characters.length <= max) return characters.join('')
  const start = characters.slice(0, max - 1).join('')
  return `${start.trimEnd()}…`
}

/** Removes phone numbers and emails, because anyone nearby can read a locked screen. */
export const toLockScreenText = ({ title, message }: { title: string; message: string }) => ({
  title: clip(withoutContactDetails(title), MAX_TITLE_CHARACTERS),
  body: clip(withoutContactDetails(message), MAX_BODY_CHARACTERS),
})
