const MAX_TITLE = 80,
  MAX_BODY = 160
const EMAIL = /[^\s@<>]+@[^\s@<>]+\.[\p{L}\d-]+/gu
const PHONE = /\+?\(?\d[\d\s().-]{7,}\d/g
/** Shorter numbers may be dates. */
const PHONE_DIGITS = 10

const withoutContacts = (text: string) =>
  text
    .replace(EMAIL, '…')
    .replace(PHONE, (match) => (match.replaceAll(/\D/g, '').length >= PHONE_DIGITS ? '…' : match))

function clip(text: string, max: number): string {
  const letters = [...text.replaceAll(/\s+/g, ' ').trim()]
  return letters.length <= max
    ? letters.join('')
    : `${letters
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`
}

/** Without phone numbers and emails, because anybody nearby can read it. */
export const lockScreenText = ({ title, message }: { title: string; message: string }) => ({
  title: clip(withoutContacts(title), MAX_TITLE),
  body: clip(withoutContacts(message), MAX_BODY),
})
