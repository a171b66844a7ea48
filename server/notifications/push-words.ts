const TITLE_MOST = 80,
  BODY_MOST = 160
const EMAIL = /[^\s@<>]+@[^\s@<>]+\.[\p{L}\d-]+/gu
const PHONE = /\+?\(?\d[\d\s().-]{7,}\d/g
/** A date has eight. */
const PHONE_DIGITS = 10

const withoutContacts = (text: string) =>
  text.replace(EMAIL, '…').replace(PHONE, (found) => (found.replaceAll(/\D/g, '').length >= PHONE_DIGITS ? '…' : found))

function clipped(text: string, most: number): string {
  const letters = [...text.replaceAll(/\s+/g, ' ').trim()]
  return letters.length <= most
    ? letters.join('')
    : `${letters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}

/** What of a notice a locked screen may show to whoever stands beside it: short, and no phone number or e-mail address. */
export const shownOnLockScreen = ({ title, message }: { title: string; message: string }) => ({
  title: clipped(withoutContacts(title), TITLE_MOST),
  body: clipped(withoutContacts(message), BODY_MOST),
})
